/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects: bodies by their published data, drawings by their geometry, pictures by their conversion. */
#include "base/error.h"
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/objects/siemens.h"
#include "experiment/imaging/objects/usaf-chart.h"

#include <math.h>
#include <string.h>

#define K_PIXEL 1e-2
#define GRID    1024

/* ---- bodies ---- */

/* Published values, to the digits given */
static void
test_bodies(void)
{
  static const struct {
    const char *name;
    double      pixel, pixel_digits;
    gsize       size;
  } table[] = {
    {"europa", 42883, 0.5, 73},
    {"titan", 234375, 0.5, 21},
    {"betelgeuse", 3.234e11, 5e7, 3},
    {"neptune", 212570, 20, 235},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
    const LacObjectScene *scene = lac_object_scene_find(table[i].name);

    g_assert_nonnull(scene);
    g_assert_cmpfloat_with_epsilon(lac_object_get_pixel(scene->body, K_PIXEL, GRID), table[i].pixel,
                                   table[i].pixel_digits);
    g_assert_cmpuint(lac_object_get_size(scene->body, K_PIXEL, GRID), ==, table[i].size);
  }
}

/* ---- drawings ---- */

static double *
draw(const LacObjectScene *scene, gsize side, guint64 seed)
{
  g_autoptr(LacDraft) draft = scene->params.n_rows > 0 ? lac_draft_new(&scene->params) : NULL;
  double             *intensity = g_new(double, side *side);

  scene->draw(draft != NULL ? lac_draft_get_values(draft) : NULL, side, seed, intensity);
  return intensity;
}

static double
get_sum(const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

static LacGridField *
new_plane(gsize rows, gsize columns)
{
  static const char *const names[] = {"y", "x"}, *const units[] = {"px", "px"};
  const gsize sizes[] = {rows, columns};

  return lac_field_new("grey", "1", 2, names, units, sizes);
}

/* Resizes a square picture without changing its values. */
static void
resize(const LacGridField *picture, gsize side, double *values)
{
  const LacPictureUse use = {LAC_PICTURE_INTENSITY, LAC_PICTURE_CROP, FALSE, FALSE,
                             LAC_PICTURE_AREA};

  g_assert_true(lac_object_from_picture(picture, &use, side, values, NULL));
}

static void
test_every_drawing(void)
{
  static const gsize           sides[] = {1, 3, 21, 48};
  gsize                        n;
  const LacObjectScene *const *scenes = lac_object_scenes(&n);
  guint                        n_default = 0;

  for (gsize s = 0; s < n; s++) {
    n_default += scenes[s]->is_default != 0;
    g_assert_true(lac_object_scene_find(scenes[s]->name) == scenes[s]);
    for (gsize k = 0; k < G_N_ELEMENTS(sides); k++) {
      const gsize        count = sides[k] * sides[k];
      g_autofree double *one = draw(scenes[s], sides[k], 3), *again = draw(scenes[s], sides[k], 3);
      double             low = 1, high = 0;

      g_assert_cmpmem(one, count * sizeof *one, again, count * sizeof *again);
      for (gsize i = 0; i < count; i++) {
        g_assert_true(one[i] >= 0 && one[i] <= 1);
        low = MIN(low, one[i]);
        high = MAX(high, one[i]);
      }
      g_test_message("%s at %zu: %g to %g", scenes[s]->name, sides[k], low, high);
      g_assert_true(sides[k] < 21 || high > low + 0.5);
    }
  }
  g_assert_cmpuint(n_default, ==, 1);
  g_assert_null(lac_object_scene_find("nothing"));
}

/* A smaller drawing of the moon equals the larger one with larger pixels. */
static void
test_moon_at_two_sizes(void)
{
  const LacObjectScene   *moon = lac_object_scene_find("moon");
  g_autofree double      *large = draw(moon, 128, 3), *small = draw(moon, 64, 3);
  g_autofree double      *shrunk = g_new(double, 64 * 64), *other = draw(moon, 64, 4);
  g_autoptr(LacGridField) picture = new_plane(128, 128);
  double                  same = 0, different = 0;

  memcpy(picture->data, large, 128 * 128 * sizeof *large);
  resize(picture, 64, shrunk);
  for (gsize i = 0; i < 64 * 64; i++) {
    same += pow(small[i] - shrunk[i], 2) / (64 * 64);
    different += pow(small[i] - other[i], 2) / (64 * 64);
  }
  g_test_message("rms %g, another seed %g", sqrt(same), sqrt(different));
  /* both average a few samples per pixel, and each is scaled by its own maximum */
  g_assert_cmpfloat(sqrt(same), <, 0.03);
  g_assert_cmpfloat(sqrt(different), >, 0.06);
}

static void
test_points(void)
{
  const LacObjectScene *scene = lac_object_scene_find("points");
  g_autoptr(LacDraft)   draft = lac_draft_new(&scene->params);
  double                image[48 * 48];

  g_assert_true(lac_draft_set(draft, "point_diameter", "6", NULL));
  g_assert_true(lac_draft_set(draft, "separation", "12", NULL));
  for (guint n = 1; n <= 4; n++) {
    g_autofree char *text = g_strdup_printf("%u", n);
    double           y = 0, x = 0, spread = 0;

    g_assert_true(lac_draft_set(draft, "sources", text, NULL));
    g_assert_true(scene->check(lac_draft_get_values(draft), 48, NULL));
    scene->draw(lac_draft_get_values(draft), 48, 1, image);
    const double sum = get_sum(image, 48 * 48);
    /* squares of 1/16 pixel along a circle of 19 pixels circumference */
    g_assert_cmpfloat_with_epsilon(sum, n * G_PI * 9, 0.02 * n * G_PI * 9);
    for (int i = 0; i < 48 * 48; i++) {
      y += image[i] * (i / 48) / sum;
      x += image[i] * (i % 48) / sum;
    }
    g_assert_cmpfloat_with_epsilon(y, 24, 0.02);
    g_assert_cmpfloat_with_epsilon(x, 24, 0.02);
    for (int i = 0; i < 48 * 48; i++)
      spread += image[i] * (pow(i / 48 - 24, 2) + pow(i % 48 - 24, 2)) / sum;
    /* neighbours 12 apart: 6, 12/sqrt 3, 12/sqrt 2 from the middle; discs of radius 3 add 9/2, pixels 1/6 */
    const double from_middle[] = {0, 36, 48, 72};
    g_assert_cmpfloat_with_epsilon(spread, from_middle[n - 1] + 4.5 + 1 / 6.0, 0.3);
  }
  g_autoptr(GError) error = NULL;
  g_assert_false(scene->check(lac_draft_get_values(draft), 16, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

static void
test_phantom(void)
{
  static const struct {
    double y, x, value; /* y upwards, in half sides */
  } places[] = {
    {0, 0, 0.2},    {0, 0.22, 0},     {0.895, 0, 1}, {0.35, 0, 0.3},
    {0.08, 0, 0.3}, {-0.606, 0, 0.3}, {0, 0.9, 0},
  };
  g_autofree double *image = draw(lac_object_scene_find("phantom"), 256, 1);

  for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
    const gsize row = (gsize) ((1 - places[i].y) * 128), column = (gsize) ((1 + places[i].x) * 128);
    g_assert_cmpfloat_with_epsilon(image[row * 256 + column], places[i].value, 1e-12);
  }
}

/* Edges aligned to pixels leave no grey pixel; only bars that are wide enough remain, and all of them are resolved. */
static void
test_whole_pixels(void)
{
  g_autoptr(LacUsafChart)     chart = lac_usaf_chart_new(128);
  g_autofree double          *intensity = g_new(double, 128 * 128);
  g_autofree LacChartReading *readings = g_new(LacChartReading, chart->n);
  const gsize                 all = chart->n;

  lac_usaf_chart_keep(chart, 2);
  g_assert_cmpuint(chart->n, >, 0);
  g_assert_cmpuint(chart->n, <, all);
  g_assert_cmpfloat(chart->elements[chart->n - 1].width, >=, 2);
  lac_usaf_chart_align(chart);
  lac_usaf_chart_draw(chart, 128, intensity);
  for (gsize i = 0; i < 128 * 128; i++)
    g_assert_true(intensity[i] == 0 || intensity[i] == 1);
  g_assert_cmpfloat(lac_usaf_chart_read(chart, intensity, 128, readings), ==, 2);
  for (gsize i = 0; i < chart->n; i++) {
    const LacChartElement *element = &chart->elements[i];
    const LacChartBox     *bar = &element->lying[0];

    g_assert_cmpfloat(intensity[(gsize) bar->y0 * 128 + (gsize) bar->x0], ==, 1);
    g_assert_cmpfloat(bar->y1 - bar->y0, ==, element->width);
    g_assert_cmpfloat(element->lying[1].y0 - bar->y1, ==, element->width);
    g_assert_cmpfloat(element->width, ==, floor(element->width));
    g_assert_cmpfloat(readings[i].contrast, ==, 1);
    g_assert_true(readings[i].is_resolved);
  }
}

static void
test_star(void)
{
  g_autofree double *image = g_new(double, 128 * 128);
  const double       rim = lac_siemens_star_get_rim(128);

  lac_siemens_star_draw(128, 24, image);
  g_assert_cmpfloat_with_epsilon(get_sum(image, 128 * 128), G_PI * rim * rim / 2,
                                 0.005 * 128 * 128);
}

/* Readings of undisturbed drawings: bars down to about a pixel, and the modulation of a pixel-sampled star; none for
 * a dark image. */
static void
test_readings(void)
{
  static const struct {
    const char *name;
    double      low, high;
  } known[] = {{"usaf", 0.25, 0.5}, {"siemens", 0.4, 0.5}, {"edge", 0.4, 0.7}};

  for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
    const LacObjectScene *scene = lac_object_scene_find(known[i].name);
    g_autoptr(LacDraft)   draft = lac_draft_new(&scene->params);
    g_autofree double    *image = draw(scene, 256, 1), *dark = g_new0(double, 256 * 256);
    g_autoptr(LacScratch) scratch = lac_scratch_new();
    const double reported = scene->reading->read(lac_draft_get_values(draft), image, 256, scratch);

    g_test_message("%s: %g %s", scene->reading->key, reported, scene->reading->unit);
    g_assert_cmpfloat(reported, >=, known[i].low);
    g_assert_cmpfloat(reported, <=, known[i].high);
    g_assert_cmpfloat(scene->reading->read(lac_draft_get_values(draft), dark, 256, scratch), ==, 0);
  }
}

/* ---- pictures ---- */

static LacGridField *
new_picture(gsize rows, gsize columns)
{
  LacGridField *field = new_plane(rows, columns);

  for (gsize y = 0; y < rows; y++)
    for (gsize x = 0; x < columns; x++)
      field->data[y * columns + x] = 0.1 + 0.01 * (double) y + 0.001 * (double) x;
  return field;
}

static void
test_resize(void)
{
  static const gsize      sizes[] = {1, 7, 16, 23, 24, 48, 61};
  g_autoptr(LacGridField) picture = new_picture(24, 24);
  const double            mean = get_sum(picture->data, 24 * 24) / (24 * 24);
  double                  block[8 * 8], again[24 * 24], wide[61 * 61];

  resize(picture, 8, block);
  for (gsize y = 0; y < 8; y++)
    for (gsize x = 0; x < 8; x++)
      g_assert_cmpfloat_with_epsilon(
        block[y * 8 + x], 0.1 + 0.01 * (3 * (double) y + 1) + 0.001 * (3 * (double) x + 1), 1e-14);
  resize(picture, 24, again);
  for (gsize i = 0; i < 24 * 24; i++)
    g_assert_cmpfloat_with_epsilon(again[i], picture->data[i], 1e-15);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    const gsize n = sizes[i];

    resize(picture, n, wide);
    /* exact when shrinking; linear interpolation also preserves the mean of a slope */
    g_assert_cmpfloat_with_epsilon(get_sum(wide, n * n) / (double) (n * n), mean, 1e-12);
  }
}

static void
test_fits(void)
{
  g_autoptr(LacGridField) picture = new_picture(10, 20);
  const LacPictureUse     crop = {LAC_PICTURE_INTENSITY, LAC_PICTURE_CROP, FALSE, FALSE,
                                  LAC_PICTURE_AREA};
  const LacPictureUse     whole = {LAC_PICTURE_INTENSITY, LAC_PICTURE_WHOLE, FALSE, FALSE,
                                   LAC_PICTURE_AREA};
  const LacPictureUse     inverse = {LAC_PICTURE_INTENSITY, LAC_PICTURE_CROP, TRUE, TRUE,
                                     LAC_PICTURE_AREA};
  double                  values[20 * 20];

  g_assert_true(lac_object_from_picture(picture, &crop, 10, values, NULL));
  for (gsize y = 0; y < 10; y++)
    for (gsize x = 0; x < 10; x++)
      g_assert_cmpfloat_with_epsilon(values[y * 10 + x], picture->data[y * 20 + x + 5], 1e-15);
  g_assert_true(lac_object_from_picture(picture, &whole, 20, values, NULL));
  for (gsize y = 0; y < 20; y++)
    for (gsize x = 0; x < 20; x++)
      g_assert_cmpfloat_with_epsilon(values[y * 20 + x],
                                     y < 5 || y >= 15 ? 0 : picture->data[(y - 5) * 20 + x], 1e-15);
  g_assert_true(lac_object_from_picture(picture, &inverse, 10, values, NULL));
  g_assert_cmpfloat_with_epsilon(values[0], 1, 1e-15);
  g_assert_cmpfloat_with_epsilon(values[99], 0, 1e-15);
}

/* Half the size: weights 1, 3, 3, 1 eighths, renormalised where they cross the edge. */
static void
test_linear(void)
{
  const LacPictureUse     use = {LAC_PICTURE_AMPLITUDE, LAC_PICTURE_CROP, FALSE, FALSE,
                                 LAC_PICTURE_LINEAR};
  g_autoptr(LacGridField) picture = new_picture(16, 16);
  double                  values[8 * 8];

  for (gsize i = 0; i < 16 * 16; i++)
    picture->data[i] = i == 6 * 16 + 7;
  g_assert_true(lac_object_from_picture(picture, &use, 8, values, NULL));
  for (gsize y = 0; y < 8; y++)
    for (gsize x = 0; x < 8; x++) {
      const double along = x == 3 ? 3 : x == 4 ? 1 : 0, down = y == 3 ? 3 : y == 2 ? 1 : 0;

      g_assert_cmpfloat_with_epsilon(values[y * 8 + x], along * down / 64, 1e-15);
    }
}

static void
assert_refused(const LacGridField *picture, const char *words)
{
  const LacPictureUse use = {LAC_PICTURE_INTENSITY, LAC_PICTURE_CROP, FALSE, TRUE,
                             LAC_PICTURE_AREA};
  g_autoptr(GError)   error = NULL;
  double              values[16];

  g_assert_false(lac_object_from_picture(picture, &use, 4, values, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_test_message("%s", error->message);
  g_assert_nonnull(strstr(error->message, words));
}

static void
test_refusals(void)
{
  static const char *const names[] = {"z", "y", "x"}, *const units[] = {"1", "1", "1"};
  const gsize             sizes[] = {2, 2, 2};
  g_autoptr(LacGridField) flat = new_picture(8, 8), hole = new_picture(8, 8),
                          line = new_picture(1, 9);
  g_autoptr(LacGridField) volume = lac_field_new("v", "1", 3, names, units, sizes);

  for (gsize i = 0; i < 64; i++)
    flat->data[i] = 0.4;
  hole->data[17] = NAN;
  assert_refused(flat, "grey is constant");
  flat->source = g_strdup("folder (SHA-256 of it)/flat.png" LAC_FIELD_CHECK_SUM "0123)");
  assert_refused(flat, "flat.png is constant");
  assert_refused(hole, "pixel 18 is not a finite number");
  assert_refused(line, "9 x 1 pixels");
  assert_refused(volume, "3 axes");
}

/* ---- the whole way ---- */

static void
test_units(void)
{
  const LacObjectScene   *scene = lac_object_scene_find("picture");
  g_autoptr(LacGridField) picture = new_picture(16, 16);
  LacObjectSettings       settings = {.picture = picture};
  double complex          object[256];

  g_assert_true(lac_object_make(scene, NULL, &settings, 16, object, NULL));
  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon(cabs(object[i]), sqrt(picture->data[i]), 1e-15);
  settings.use.unit = LAC_PICTURE_AMPLITUDE;
  g_assert_true(lac_object_make(scene, NULL, &settings, 16, object, NULL));
  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon(creal(object[i]), picture->data[i], 1e-15);
}

static void
test_phase(void)
{
  const LacObjectScene   *scene = lac_object_scene_find("phantom");
  g_autofree double      *intensity = draw(scene, 32, 1), *relief = g_new(double, 32 * 32);
  g_autoptr(LacGridField) other = new_picture(32, 32);
  LacObjectSettings settings = {.phase = LAC_OBJECT_PHASE_RELIEF, .phase_range = 2.5, .seed = 9};
  double complex    object[32 * 32];

  lac_object_draw_relief(32, 9, relief);
  g_assert_true(lac_object_make(scene, NULL, &settings, 32, object, NULL));
  for (gsize i = 0; i < 32 * 32; i++) {
    g_assert_true(relief[i] >= 0 && relief[i] <= 1);
    g_assert_cmpfloat_with_epsilon(creal(object[i] * conj(object[i])), intensity[i], 1e-14);
    if (intensity[i] > 0)
      g_assert_cmpfloat_with_epsilon(carg(object[i]), 2.5 * relief[i], 1e-12);
  }
  settings.phase = LAC_OBJECT_PHASE_PICTURE;
  g_assert_false(lac_object_make(scene, NULL, &settings, 32, object, NULL));
  settings.phase_picture = other;
  g_assert_true(lac_object_make(scene, NULL, &settings, 32, object, NULL));
  for (gsize i = 0; i < 32 * 32; i++)
    if (intensity[i] > 0)
      g_assert_cmpfloat_with_epsilon(carg(object[i]), 2.5 * (other->data[i] - 0.1) / 0.341, 1e-12);
}

static void
test_bounds(void)
{
  const LacObjectSettings settings = {.seed = 1};
  double complex          object[1];
  g_autoptr(GError)       error = NULL;

  g_assert_false(
    lac_object_make(lac_object_scene_find("phantom"), NULL, &settings, 0, object, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  g_assert_false(
    lac_object_make(lac_object_scene_find("phantom"), NULL, &settings, 10000, object, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/object/bodies-have-the-printed-numbers", test_bodies);
  g_test_add_func("/imaging/object/every-drawing-stays-within-bounds-and-repeats",
                  test_every_drawing);
  g_test_add_func("/imaging/object/a-moon-at-two-sizes-is-one-moon", test_moon_at_two_sizes);
  g_test_add_func("/imaging/object/points-lie-where-they-should", test_points);
  g_test_add_func("/imaging/object/phantom-has-its-contrasts", test_phantom);
  g_test_add_func("/imaging/object/a-chart-of-whole-pixels-is-black-and-white", test_whole_pixels);
  g_test_add_func("/imaging/object/star-is-half-bright", test_star);
  g_test_add_func("/imaging/object/what-charts-tell-of-an-image", test_readings);
  g_test_add_func("/imaging/object/resizing-keeps-means", test_resize);
  g_test_add_func("/imaging/object/a-picture-shrinks-by-linear-weights", test_linear);
  g_test_add_func("/imaging/object/pictures-that-are-not-square", test_fits);
  g_test_add_func("/imaging/object/odd-pictures-are-refused", test_refusals);
  g_test_add_func("/imaging/object/amplitude-is-the-root-of-intensity", test_units);
  g_test_add_func("/imaging/object/phases", test_phase);
  g_test_add_func("/imaging/object/what-cannot-be-made", test_bounds);
  return g_test_run();
}
