/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan patterns against their formulas and against known coverage. */
#include "base/error.h"
#include "experiment/imaging/optics/pattern.h"

#include <math.h>
#include <string.h>

static LacScanBox *
make(const char *name, const LacPatternSettings *settings, gsize *n_positions)
{
  g_autoptr(GError) error = NULL;
  LacScanBox       *scan = lac_pattern_make(lac_pattern_find(name), settings, n_positions, &error);

  g_assert_no_error(error);
  return scan;
}

/* Compares with exp(i k golden) by repeated multiplication in extended precision. */
static void
test_fermat(void)
{
  const LacPatternSettings settings = {.n = 100, .extent = 1024};
  gsize                    n;
  g_autofree LacScanBox   *scan = make("fermat", &settings, &n);
  const long double        pi = 3.141592653589793238462643383279503L, golden = pi * (3 - sqrtl(5));
  long double              re = 1, im = 0;

  g_assert_cmpuint(n, ==, 100);
  for (gsize k = 0; k < n; k++) {
    const long double radius = 51.2L * sqrtl((long double) k),
                      next = re * cosl(golden) - im * sinl(golden);

    g_assert_cmpfloat_with_epsilon(scan[k].y, (double) (radius * im), 1e-10);
    g_assert_cmpfloat_with_epsilon(scan[k].x, (double) (radius * re), 1e-10);
    /* relative to the pattern's radius, the accuracy of doubles */
    g_assert_cmpfloat(fabs(scan[k].y - (double) (radius * im)) / 512, <, 1e-12);
    g_assert_cmpfloat(fabs(scan[k].x - (double) (radius * re)) / 512, <, 1e-12);
    im = re * sinl(golden) + im * cosl(golden);
    re = next;
  }
}

/* Published with the golden angle truncated to 137.508 degrees, 0.00024 degrees too large per step, and angles in
 * single precision. */
static void
test_fermat_is_the_known_one(void)
{
  static const double known[][3] = {
    {1, 34.5849, -37.7534},   {2, -72.1304, 6.3309},    {3, 70.3780, 53.9561},
    {10, -146.6433, 68.6304}, {50, 209.7244, 295.1062}, {99, -467.9148, 201.4406},
  };
  const LacPatternSettings settings = {.n = 100, .extent = 1024};
  gsize                    n;
  g_autofree LacScanBox   *scan = make("fermat", &settings, &n);
  const double             excess = 137.508 * G_PI / 180 - G_PI * (3 - sqrt(5));

  for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
    const gsize  k = (gsize) known[i][0];
    const double turn = (double) k * excess;
    const double epsilon =
      1e-4 + hypot(known[i][1], known[i][2]) * (double) k * 2.4 * ldexp(1, -23);

    g_assert_cmpfloat_with_epsilon(scan[k].y * cos(turn) + scan[k].x * sin(turn), known[i][1],
                                   epsilon);
    g_assert_cmpfloat_with_epsilon(scan[k].x * cos(turn) - scan[k].y * sin(turn), known[i][2],
                                   epsilon);
  }
}

static void
test_cutoff(void)
{
  const LacPatternSettings settings = {.n = 64, .extent = 1024, .cutoff = 300};
  gsize                    n;
  g_autofree LacScanBox   *scan = make("fermat", &settings, &n);

  g_assert_cmpuint(n, ==, 22);
}

static void
test_star(void)
{
  const LacPatternSettings settings = {.n = 1, .extent = 1024, .line_length = 80, .n_angles = 4};
  gsize                    n;
  g_autofree LacScanBox   *scan = make("star", &settings, &n);

  g_assert_cmpuint(n, ==, 44);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpfloat_with_epsilon(hypot(scan[i].end_y - scan[i].y, scan[i].end_x - scan[i].x), 80,
                                   1e-10);
    /* on a ray from the middle */
    g_assert_cmpfloat_with_epsilon(scan[i].y * scan[i].end_x, scan[i].x * scan[i].end_y, 1e-8);
    g_assert_cmpfloat(hypot(scan[i].end_y, scan[i].end_x), <=, 512);
  }
}

static void
check_discs(const char *name, gsize n)
{
  const LacPatternSettings settings = {
    .n = n, .extent = 200, .seed = 3, .n_angles = 5, .line_angle_deg = 30};
  gsize                  n_positions;
  g_autofree LacScanBox *scan = make(name, &settings, &n_positions);

  g_assert_cmpuint(n_positions, ==, n);
  g_assert_cmpfloat(scan[0].y, ==, 0);
  g_assert_cmpfloat(scan[0].x, ==, 0);
  for (gsize i = 0; i < n; i++) {
    const double radius = hypot(scan[i].y, scan[i].x);

    g_assert_cmpfloat(scan[i].y, ==, scan[i].end_y);
    g_assert_cmpfloat(scan[i].x, ==, scan[i].end_x);
    /* a lattice in a disc has an uneven edge of less than a cell */
    g_assert_cmpfloat(radius, <=,
                      100 + (g_str_equal(name, "square") ? 100 * sqrt(G_PI / (double) n) : 1e-9));
    g_assert_cmpfloat(radius, >=, i ? hypot(scan[i - 1].y, scan[i - 1].x) - 1e-9 : 0);
    for (gsize j = 0; j < i; j++)
      g_assert_cmpfloat(hypot(scan[i].y - scan[j].y, scan[i].x - scan[j].x), >, 1e-3);
  }
}

static void
test_all_patterns(void)
{
  gsize             n_patterns;
  const LacPattern *patterns = lac_patterns(&n_patterns);

  for (gsize i = 0; i < n_patterns; i++) {
    const gsize sizes[] = {1, 2, 7, 50};

    for (gsize j = 0; j < G_N_ELEMENTS(sizes); j++)
      check_discs(patterns[i].name, sizes[j]);
  }
}

static void
test_lines(void)
{
  LacPatternSettings settings = {
    .n = 9, .extent = 200, .line_length = 12, .line_angle_deg = 30, .seed = 5};
  gsize                  n;
  g_autofree LacScanBox *fixed = make("fermat", &settings, &n);

  settings.line_angle_deg = (double) NAN;
  g_autofree LacScanBox *free_ones = make("fermat", &settings, &n),
                        *again = make("fermat", &settings, &n);
  g_assert_cmpmem(free_ones, n * sizeof *again, again, n * sizeof *again);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpfloat_with_epsilon(fixed[i].end_y - fixed[i].y, 6, 1e-12);
    g_assert_cmpfloat_with_epsilon(fixed[i].end_x - fixed[i].x, 12 * cos(G_PI / 6), 1e-12);
    g_assert_cmpfloat_with_epsilon(
      hypot(free_ones[i].end_y - free_ones[i].y, free_ones[i].end_x - free_ones[i].x), 12, 1e-12);
    g_assert_cmpfloat_with_epsilon(free_ones[i].end_y + free_ones[i].y, fixed[i].end_y + fixed[i].y,
                                   1e-12);
  }
}

static LacPatternStatistics
score(gsize n, double diameter, double extent, guint16 *counts)
{
  const LacPatternSettings settings = {.n = n, .extent = extent};
  gsize                    n_positions;
  g_autofree LacScanBox   *scan = make("fermat", &settings, &n_positions);
  const LacOpticsSettings  optics = {.grid = 1024,
                                     .support = 512,
                                     .aperture.radius = diameter / 2,
                                     .n_positions = n_positions,
                                     .scan = scan};
  LacPatternStatistics     statistics;

  lac_pattern_evaluate(&optics, extent, counts, &statistics);
  return statistics;
}

static void
test_coverage(void)
{
  /* scan positions, diameter, extent, percent of the grid, percent of the disc; half a unit of the last digit (69.5
   * is 69.449 rounded twice) */
  static const double known[][7] = {
    {64, 17, 1024, 1.38, 1.76, 0.005, 0.005},  {100, 17, 1024, 2.16, 2.74, 0.005, 0.005},
    {240, 17, 1024, 5.19, 6.57, 0.005, 0.005}, {100, 100, 1024, 69.5, 85.6, 0.06, 0.05},
    {200, 100, 1024, 82.1, 99.4, 0.05, 0.05},  {100, 100, 600, 31.6, 99.9, 0.05, 0.05},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
    const LacPatternStatistics s = score((gsize) known[i][0], known[i][1], known[i][2], NULL);

    g_assert_cmpfloat_with_epsilon(100 * s.covered_grid, known[i][3], known[i][5]);
    g_assert_cmpfloat_with_epsilon(100 * s.covered_extent, known[i][4], known[i][6]);
  }
}

static void
test_counts(void)
{
  g_autofree guint16        *counts = g_new(guint16, 1024 * 1024);
  const LacPatternStatistics s = score(30, 60, 300, counts);
  const LacAperture          aperture = {.radius = 30};
  const LacPatternSettings   settings = {.n = 30, .extent = 300};
  gsize                      n, n_seen = 0, n_looks = 0, n_passed = 0;
  g_autofree LacScanBox     *scan = make("fermat", &settings, &n);

  for (gsize i = 0; i < 1024 * 1024; i++) {
    n_seen += counts[i] > 0;
    n_looks += counts[i];
  }
  for (gsize i = 0; i < n; i++)
    n_passed += lac_aperture_count(&aperture, scan[i].y, scan[i].x, 1024);
  g_assert_cmpuint(n_looks, ==, n_passed);
  g_assert_cmpfloat_with_epsilon(s.covered_grid * 1024 * 1024, (double) n_seen, 1e-6);
}

/* Two equal circles at distance t D overlap in (2/pi) (acos t - t sqrt(1 - t^2)) of their area. */
static void
test_overlap(void)
{
  for (double t = 0.3; t < 0.95; t += 0.1) {
    const LacScanBox        pair[2] = {{0, 0, 0, 0}, {200 * t, 0, 200 * t, 0}};
    const LacOpticsSettings optics = {
      .grid = 1024, .support = 64, .aperture.radius = 100, .n_positions = 2, .scan = pair};
    LacPatternStatistics s;

    lac_pattern_evaluate(&optics, 1024, NULL, &s);
    /* about 600 of 31416 pixels lie on the perimeter and may count either way */
    g_assert_cmpfloat_with_epsilon(s.overlap_least, 2 / G_PI * (acos(t) - t * sqrt(1 - t * t)),
                                   0.005);
    g_assert_cmpfloat(s.overlap_least, ==, s.overlap_median);
    g_assert_cmpfloat_with_epsilon(s.neighbour_mean, 200 * t, 1e-12);
  }
}

static void
test_warning(void)
{
  const LacPatternStatistics apart = score(64, 17, 1024, NULL),
                             together = score(100, 100, 600, NULL);
  g_autofree char *warning = lac_pattern_dup_warning(&apart),
                  *none = lac_pattern_dup_warning(&together);

  g_assert_cmpuint(apart.n_apart, ==, 63);
  g_assert_nonnull(strstr(warning, "63 of 64 apertures"));
  g_assert_null(none);
}

static LacScanBox *
read_text(const char *text, gsize *n)
{
  g_autoptr(GError) error = NULL;
  LacScanBox       *scan = lac_pattern_read(text, n, &error);

  g_assert_no_error(error);
  return scan;
}

static void
test_text(void)
{
  const LacPatternSettings settings = {
    .n = 17, .extent = 100, .line_length = 7, .line_angle_deg = 11};
  gsize                  n, m;
  g_autofree LacScanBox *scan = make("fermat", &settings, &n);
  g_autofree char       *csv = lac_pattern_dup_csv(scan, n);
  g_autofree LacScanBox *again = read_text(csv, &m);
  g_autofree LacScanBox *rows =
    read_text("# mine\r\ny,x\r\n0,0\r\n\r\n 1.5 , -2e1\r\n3;4;5;6\r\n", &n);
  g_autofree LacScanBox *quoted =
    read_text("\xef\xbb\xbf\"y\",\"x\"\r\"0\";\"0\"\r1.5\t-20\r3;4;5;6", &m);
  g_autofree LacScanBox *list = read_text(" [[0, 0], [1.5, -2e1],\n [3,4,5,6]] ", &m);
  g_autofree LacScanBox *object = read_text("{\"visits\": [[0, 0], [1.5, -2e1], [3,4,5,6]]}\n", &m);

  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpuint(m, ==, 3);
  g_assert_cmpmem(again, 17 * sizeof *again, scan, 17 * sizeof *scan);
  g_assert_cmpmem(rows, 3 * sizeof *rows, quoted, 3 * sizeof *quoted);
  g_assert_cmpmem(rows, 3 * sizeof *rows, list, 3 * sizeof *list);
  g_assert_cmpmem(rows, 3 * sizeof *rows, object, 3 * sizeof *object);
  g_assert_cmpfloat(rows[1].end_x, ==, -20);
  g_assert_cmpfloat(rows[2].end_y, ==, 5);
}

static void
test_bad_text(void)
{
  static const char *const texts[][2] = {
    {"", "holds no apertures"},
    {"# nothing\n", "holds no apertures"},
    {"[]", "holds no apertures"},
    {"0,0\n1\n", "line 2"},
    {"0,0\n1,2,3\n", "line 2"},
    {"0,0\ny,x\n", "line 2"},
    {"0,nan\n", "line 1"},
    {"1,2,3,4,5\n", "line 1"},
    {"[[0,0],\n[1]]", "line 2"},
    {"[[0,0]", "cannot be read"},
    {"[[0,0]] x", "\"x\""},
    {"[[0,\"1\"]]", "cannot be read"},
    {"{\"points\": []}", "cannot be read"},
    {"{\"visits\": [[0,0]]", "cannot be read"},
    {"[[1,2,3,4,5]]", "cannot be read"},
    {"\xff\xfe", "not text"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;
    gsize             n;

    g_assert_null(lac_pattern_read(texts[i][0], &n, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (!strstr(error->message, texts[i][1]))
      g_error("of \"%s\" it says \"%s\"", texts[i][0], error->message);
  }
}

static void
test_refusals(void)
{
  static const LacPatternSettings bad[] = {
    {.n = 0, .extent = 10},
    {.n = 1000000, .extent = 10},
    {.n = 5, .extent = 0},
    {.n = 5, .extent = 10, .line_length = 11},
    {.n = 5, .extent = 10, .line_length = -1},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    gsize             n;

    g_assert_null(lac_pattern_make(lac_pattern_find("fermat"), &bad[i], &n, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  }
  g_assert_null(lac_pattern_find("spirograph"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/pattern/a-spiral-is-its-formula", test_fermat);
  g_test_add_func("/imaging/pattern/a-spiral-is-the-published-one-but-for-its-rounded-angle",
                  test_fermat_is_the_known_one);
  g_test_add_func("/imaging/pattern/beyond-the-cutoff-there-is-nothing", test_cutoff);
  g_test_add_func("/imaging/pattern/a-star-has-as-many-lines-as-fit", test_star);
  g_test_add_func("/imaging/pattern/all-go-from-the-middle-outwards", test_all_patterns);
  g_test_add_func("/imaging/pattern/lines-lie-around-the-same-centres", test_lines);
  g_test_add_func("/imaging/pattern/coverage-is-counted-as-published", test_coverage);
  g_test_add_func("/imaging/pattern/counts-add-up-to-what-the-apertures-pass", test_counts);
  g_test_add_func("/imaging/pattern/overlap-is-that-of-two-circles", test_overlap);
  g_test_add_func("/imaging/pattern/apertures-that-stand-apart-are-told", test_warning);
  g_test_add_func("/imaging/pattern/text-reads-back-bitwise", test_text);
  g_test_add_func("/imaging/pattern/text-that-is-no-pattern-is-refused-with-its-line",
                  test_bad_text);
  g_test_add_func("/imaging/pattern/what-is-impossible-is-refused", test_refusals);
  return g_test_run();
}
