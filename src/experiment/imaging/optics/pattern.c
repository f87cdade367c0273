/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan patterns by formula, and user-defined ones. To add one: its function, and a row of the table. */
#include "experiment/imaging/optics/pattern.h"

#include "base/error.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/text-rows.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MAX_SCAN 100000

/* Random streams. */
enum { PLACES = 0x70617474, ANGLES = 0x6c696e65 };

static void
append(GArray *scan, double radius, double angle)
{
  const double     y = radius * sin(angle), x = radius * cos(angle);
  const LacScanBox position = {y, x, y, x};

  g_array_append_val(scan, position);
}

/* r_k = c sqrt(k), phi_k = k pi (3 - sqrt 5): equal area for each, and no two in the same direction. */
static void
make_fermat(const LacPatternSettings *s, GArray *scan)
{
  const double c = s->extent / 2 / sqrt((double) s->n), golden = G_PI * (3 - sqrt(5));

  for (gsize k = 0; k < s->n; k++)
    append(scan, c * sqrt((double) k), (double) k * golden);
}

/* Appends one ring of a star; at radius 0 opposite directions coincide. */
static void
append_star_ring(GArray *scan, const LacPatternSettings *s, double radius)
{
  const gsize n_directions = radius > 0 ? 2 * s->n_angles : s->line_length > 0 ? s->n_angles : 1;

  for (gsize i = 0; i < n_directions; i++) {
    const double     angle = (double) i * G_PI / (double) s->n_angles;
    const double     from = radius - s->line_length / 2, to = radius + s->line_length / 2;
    const LacScanBox position = {from * sin(angle), from * cos(angle), to * sin(angle),
                                 to * cos(angle)};

    g_array_append_val(scan, position);
  }
}

/* Makes rings spaced by a line length; for discs, as many rings as needed. */
static void
make_star(const LacPatternSettings *s, GArray *scan)
{
  const gsize  per_ring = 2 * s->n_angles;
  const gsize  n_rings = (s->n + per_ring - 2) / per_ring; /* excluding the central one */
  const double step =
    s->line_length > 0 ? s->line_length : s->extent / 2 / (double) MAX(n_rings, 1);
  const double end = (s->extent - s->line_length) / 2;

  for (gsize i = 0; i == 0 || (s->line_length > 0 ? (double) i * step < end : i <= n_rings); i++)
    append_star_ring(scan, s, (double) i * step);
  if (s->line_length == 0)
    g_array_set_size(scan, (guint) MIN(scan->len, s->n));
}

static double
radius_squared(const LacScanBox *position)
{
  const double y = (position->y + position->end_y) / 2, x = (position->x + position->end_x) / 2;

  return y * y + x * x;
}

/* Compares by radius, then by angle. */
static gint
compare(gconstpointer a, gconstpointer b)
{
  const LacScanBox *one = a, *other = b;
  const double      r = radius_squared(one), s = radius_squared(other);
  const double      p = atan2(one->y, one->x), q = atan2(other->y, other->x);

  return r != s ? (r > s) - (r < s) : (p > q) - (p < q);
}

/* Draws positions uniformly in the disc; the outermost one is moved to the middle, with which every pattern starts. */
static void
make_random(const LacPatternSettings *s, GArray *scan)
{
  LacRng rng = lac_rng(s->seed, PLACES);

  for (gsize k = 0; k < s->n; k++) {
    const double radius = s->extent / 2 * sqrt(lac_rng_uniform(&rng));

    append(scan, radius, 2 * G_PI * lac_rng_uniform(&rng));
  }
  g_array_sort(scan, compare);
  g_array_index(scan, LacScanBox, scan->len - 1) = (LacScanBox){0};
  g_array_sort(scan, compare);
}

/* Takes the points of a square lattice nearest to the middle; its cell has 1/n of the area of the disc. */
static void
make_square(const LacPatternSettings *s, GArray *scan)
{
  const double pitch = s->extent / 2 * sqrt(G_PI / (double) s->n);
  const gint64 reach = (gint64) ceil(sqrt((double) s->n / G_PI)) + 1;

  for (gint64 i = -reach; i <= reach; i++)
    for (gint64 j = -reach; j <= reach; j++) {
      const double     y = (double) i * pitch, x = (double) j * pitch;
      const LacScanBox position = {y, x, y, x};

      g_array_append_val(scan, position);
    }
  g_array_sort(scan, compare);
  g_array_set_size(scan, (guint) s->n);
}

/* Places one in the middle and 6, 12, 18 ... around it: the spacing on a ring is close to that of the rings. */
static void
make_concentric(const LacPatternSettings *s, GArray *scan)
{
  gsize n_rings = 0;

  while (1 + 3 * n_rings * (n_rings + 1) < s->n)
    n_rings++;
  append(scan, 0, 0);
  for (gsize ring = 1; ring <= n_rings; ring++) {
    const gsize  left = s->n - scan->len, n = MIN(6 * ring, left);
    const double radius = s->extent / 2 * (double) ring / (double) n_rings;

    for (gsize i = 0; i < n; i++)
      append(scan, radius, 2 * G_PI * (double) i / (double) n);
  }
}

/* r = r_0 exp(b phi) from r_0 = extent / 2 sqrt(n) to the edge, in sqrt(n)/2 turns; one in the middle. */
static void
make_logarithmic(const LacPatternSettings *s, GArray *scan)
{
  const double root = sqrt((double) s->n);

  append(scan, 0, 0);
  for (gsize k = 1; k < s->n; k++) {
    const double share = s->n > 2 ? (double) (k - 1) / (double) (s->n - 2) : 1;

    append(scan, s->extent / 2 * pow(root, share - 1), G_PI * root * share);
  }
}

static const LacPattern patterns[] = {
  {"fermat", N_("Fermat spiral"), "Vogel (1979), doi:10.1016/0025-5564(79)90080-4", make_fermat},
  {"concentric", N_("Concentric circles"), NULL, make_concentric},
  {"logarithmic", N_("Logarithmic spiral"), NULL, make_logarithmic},
  {"square", N_("Square lattice"), NULL, make_square},
  {"random", N_("Random"), NULL, make_random},
  {"star", N_("Star"), NULL, make_star},
};

const LacPattern *
lac_patterns(gsize *n_patterns)
{
  *n_patterns = G_N_ELEMENTS(patterns);
  return patterns;
}

const LacPattern *
lac_pattern_find(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++)
    if (g_str_equal(patterns[i].name, name))
      return &patterns[i];
  return NULL;
}

static gboolean
check(const LacPatternSettings *s, GError **error)
{
  if (s->n < 1 || s->n > MAX_SCAN) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a pattern of %" G_GSIZE_FORMAT " apertures: from 1 to %d", s->n, MAX_SCAN);
    return FALSE;
  }
  if (!(s->extent > 0 && isfinite(s->extent))) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a pattern with an extent of %g pixels: more than 0", s->extent);
    return FALSE;
  }
  if (!(s->line_length >= 0 && s->line_length <= s->extent)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "lines of %g pixels in a pattern of %g: from 0 to that", s->line_length, s->extent);
    return FALSE;
  }
  return TRUE;
}

/* Turns discs into lines through the same centres. */
static void
draw_lines(const LacPatternSettings *s, GArray *scan)
{
  LacRng rng = lac_rng(s->seed, ANGLES);

  for (gsize i = 0; i < scan->len; i++) {
    LacScanBox  *position = &g_array_index(scan, LacScanBox, i);
    const double angle =
      isnan(s->line_angle_deg) ? 2 * G_PI * lac_rng_uniform(&rng) : s->line_angle_deg * G_PI / 180;
    const double y = s->line_length / 2 * sin(angle), x = s->line_length / 2 * cos(angle);

    *position = (LacScanBox){position->y - y, position->x - x, position->y + y, position->x + x};
  }
}

static void
cut_off(GArray *scan, double radius)
{
  gsize n_left = 0;

  for (gsize i = 0; i < scan->len; i++) {
    const LacScanBox position = g_array_index(scan, LacScanBox, i);

    if (radius_squared(&position) <= radius * radius)
      g_array_index(scan, LacScanBox, n_left++) = position;
  }
  g_array_set_size(scan, (guint) n_left);
}

LacScanBox *
lac_pattern_make(const LacPattern         *pattern,
                 const LacPatternSettings *settings,
                 gsize                    *n_positions,
                 GError                  **error)
{
  LacPatternSettings s;
  GArray            *scan;

  g_return_val_if_fail(pattern && settings && n_positions, NULL);
  if (!check(settings, error))
    return NULL;
  s = *settings;
  s.n_angles = CLAMP(s.n_angles, 1, 360);
  scan = g_array_new(FALSE, FALSE, sizeof(LacScanBox));
  pattern->make(&s, scan);
  if (s.cutoff > 0)
    cut_off(scan, s.cutoff);
  if (s.line_length > 0 && pattern->make != make_star)
    draw_lines(&s, scan);
  *n_positions = scan->len;
  return (LacScanBox *) g_array_free(scan, FALSE);
}

/* ---- patterns of one's own, as text: rows of numbers, or a list of lists ---- */

/* Appends a scan position of 2 or 4 numbers. Returns: FALSE for any other count, or too many positions. */
static gboolean
append_numbers(GArray *scan, const double *numbers, gsize n)
{
  LacScanBox position = {0};

  if ((n != 2 && n != 4) || scan->len == MAX_SCAN)
    return FALSE;
  position = (LacScanBox){numbers[0], numbers[1], numbers[n - 2], numbers[n - 1]};
  g_array_append_val(scan, position);
  return TRUE;
}

/* Returns: the number of numeric cells of a row; 0 when one is not a number */
static gsize
read_numbers(char *const *cells, gsize n, double *numbers)
{
  for (gsize i = 0; i < n; i++)
    if (!lac_number_parse(cells[i], &numbers[i]))
      return 0;
  return n;
}

static gboolean
read_csv(const char *text, GArray *scan, GError **error)
{
  g_autofree char *copy = g_strdup(text);
  gboolean         may_be_titles = TRUE;
  LacTextRows      rows;
  char            *line;

  lac_text_rows_init(&rows, copy, "#");
  while ((line = lac_text_rows_take(&rows)) != NULL) {
    g_autofree char *shown = g_strdup(line);
    char            *cells[4];
    double           numbers[4];
    guint            n_cells;
    const gboolean   is_row = lac_text_split(line, ",;\t", cells, 4, &n_cells);

    if (!append_numbers(scan, numbers, is_row ? read_numbers(cells, n_cells, numbers) : 0) &&
        !(may_be_titles && g_ascii_isalpha(cells[0][0]))) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "line %u of the pattern is \"%.60s\": two numbers (y, x) or four (y, x, end y, "
                  "end x), in at most %d lines",
                  rows.line, shown, MAX_SCAN);
      return FALSE;
    }
    may_be_titles = FALSE;
  }
  return TRUE;
}

static void
skip_space(const char **at)
{
  while (g_ascii_isspace(**at))
    (*at)++;
}

/* Consumes @byte if it comes next. Returns: TRUE when it did. */
static gboolean
take(const char **at, char byte)
{
  skip_space(at);
  if (**at != byte)
    return FALSE;
  (*at)++;
  return TRUE;
}

static gboolean
take_number(const char **at, double *number)
{
  g_autofree char *word = NULL;
  gsize            length;

  skip_space(at);
  length = strspn(*at, "+-.0123456789eE");
  word = g_strndup(*at, length);
  *at += length;
  return lac_number_parse(word, number);
}

/* Parses [y, x] or [y, x, end y, end x]. */
static gboolean
take_position(const char **at, GArray *scan)
{
  double numbers[4];
  gsize  n = 0;

  if (!take(at, '['))
    return FALSE;
  do {
    if (n == G_N_ELEMENTS(numbers) || !take_number(at, &numbers[n++]))
      return FALSE;
  } while (take(at, ','));
  return take(at, ']') && append_numbers(scan, numbers, n);
}

static gboolean
take_list(const char **at, GArray *scan)
{
  if (!take(at, '['))
    return FALSE;
  if (take(at, ']'))
    return TRUE;
  do {
    if (!take_position(at, scan))
      return FALSE;
  } while (take(at, ','));
  return take(at, ']');
}

static gboolean
take_document(const char **at, GArray *scan)
{
  const char *name = "\"visits\"";

  if (take(at, '{')) {
    skip_space(at);
    if (!g_str_has_prefix(*at, name))
      return FALSE;
    *at += strlen(name);
    if (!take(at, ':') || !take_list(at, scan) || !take(at, '}'))
      return FALSE;
  } else if (!take_list(at, scan)) {
    return FALSE;
  }
  skip_space(at);
  return !**at;
}

static gboolean
read_json(const char *text, GArray *scan, GError **error)
{
  const char *at = text;
  gsize       line = 1;

  if (take_document(&at, scan))
    return TRUE;
  for (const char *c = text; c < at; c++)
    line += *c == '\n';
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "line %" G_GSIZE_FORMAT " of the pattern cannot be read at \"%.20s\": a list of [y, "
              "x] or [y, x, end y, end x] is wanted",
              line, at);
  return FALSE;
}

LacScanBox *
lac_pattern_read(const char *text, gsize *n_positions, GError **error)
{
  g_autoptr(GArray) scan = g_array_new(FALSE, FALSE, sizeof(LacScanBox));
  const char       *start = text;

  g_return_val_if_fail(text && n_positions, NULL);
  skip_space(&start);
  if (!g_utf8_validate(text, -1, NULL)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the pattern is not text: CSV or JSON is wanted");
    return NULL;
  }
  if (!(*start == '[' || *start == '{' ? read_json(text, scan, error)
                                       : read_csv(text, scan, error)))
    return NULL;
  if (scan->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the pattern holds no apertures: it needs at least one");
    return NULL;
  }
  *n_positions = scan->len;
  return g_memdup2(scan->data, scan->len * sizeof(LacScanBox));
}

char *
lac_pattern_dup_csv(const LacScanBox *scan, gsize n_positions)
{
  GString *text = g_string_new("y,x,end_y,end_x\n");

  for (gsize i = 0; i < n_positions; i++) {
    const double numbers[4] = {scan[i].y, scan[i].x, scan[i].end_y, scan[i].end_x};

    for (gsize j = 0; j < G_N_ELEMENTS(numbers); j++) {
      g_autofree char *number = lac_number_dup_text(numbers[j]);

      g_string_append_printf(text, "%s%c", number, j + 1 < G_N_ELEMENTS(numbers) ? ',' : '\n');
    }
  }
  return g_string_free(text, FALSE);
}
