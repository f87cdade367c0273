/* SPDX-License-Identifier: GPL-3.0-or-later */
/* O = F o on a requested part of k-space, in three variants: the whole grid by one two-dimensional transform
 * (full-grid reference model); pruned, rows of the object and then only the columns of the band; and, for small
 * parts, a product of three matrices E_y o E_x with E[k][x] = exp(-2 pi i k (x - N/2) / N) / sqrt(N). */
#include "backend/dense.h"
#include "base/error.h"
#include "experiment/imaging/optics/optics-private.h"

#include <math.h>
#include <string.h>

/* Operations per transform above which several threads pay off. */
#define WORTH_A_POOL 4e6

/* One transform: a box of the band and an object; `object` or `spectrum` is read-only. */
typedef struct {
  LacOptics      *optics;
  LacBand         box;
  double complex *object;   /* [s][s] */
  double complex *spectrum; /* start of the box, with rows of the band's width */
} Transform;

static double
sign_of(gsize n)
{
  return n & 1 ? -1 : 1;
}

/* Returns the index of the object's first row and column on the grid. */
static gsize
object_start(const LacOptics *optics)
{
  return (optics->settings.grid - optics->settings.support) / 2;
}

/* Returns the index on the grid, DC at N/2. */
static gsize
index_of(const LacOptics *optics, gint64 k)
{
  return (gsize) (k + (gint64) (optics->settings.grid / 2));
}

/* Counts the additions and multiplications of the pruned transform. */
static double
transform_work(const LacOptics *optics, LacBand box)
{
  const double n = (double) optics->settings.grid;

  return 5 * n * log2(n) * (double) (optics->settings.support + box.width);
}

/* Compares operation counts: measured, both variants reach about the same rate. */
static gboolean
is_cheaper_as_matrices(const LacOptics *optics, LacBand box)
{
  const double s = (double) optics->settings.support;

  return 8 * s * (double) box.width * (s + (double) box.height) < transform_work(optics, box);
}

static gboolean
is_twin(const LacOptics *optics)
{
  return optics->settings.patch == optics->settings.grid;
}

static void
fill_matrices(LacOptics *optics)
{
  const gsize n = optics->settings.grid, s = optics->settings.support, start = object_start(optics);
  const gsize height = optics->band.height, width = optics->band.width;
  const double scale = 1 / sqrt((double) n);

  optics->columns = g_new(double, 4 * s * width);
  optics->rows = g_new(double, 2 * s * height);
  for (gsize x = 0; x < s; x++) {
    const gint64 place = (gint64) (start + x) - (gint64) (n / 2);
    double      *row = optics->columns + 4 * x * width;

    for (gsize j = 0; j < width; j++) {
      const gint64 turns = (optics->band.x + (gint64) j) * place % (gint64) n;
      const double angle = -2 * G_PI * (double) turns / (double) n;

      row[2 * j] = row[2 * width + 2 * j + 1] = scale * cos(angle);
      row[2 * j + 1] = scale * sin(angle);
      row[2 * width + 2 * j] = -row[2 * j + 1];
    }
    for (gsize i = 0; i < height; i++) {
      const gint64 turns = (optics->band.y + (gint64) i) * place % (gint64) n;
      const double angle = -2 * G_PI * (double) turns / (double) n;

      optics->rows[2 * s * i + x] = scale * cos(angle);
      optics->rows[2 * s * i + s + x] = scale * sin(angle);
    }
  }
}

static gboolean
has_scan_as_matrices(const LacOptics *optics)
{
  for (gsize v = 0; v < optics->settings.n_positions; v++)
    if (is_cheaper_as_matrices(optics, lac_optics_scan_box(optics, v)))
      return TRUE;
  return FALSE;
}

gboolean
lac_optics_spectrum_prepare(LacOptics *optics, GError **error)
{
  const gsize n = optics->settings.grid, s = optics->settings.support;
  const gsize n_threads = optics->pool ? lac_pool_get_n_threads(optics->pool) : 1;

  if (is_twin(optics)) {
    optics->half = g_new(double complex, n *n);
    return lac_optics_prepare_union(optics, error);
  }
  optics->row = lac_optics_prepare(optics, 1, n);
  if (!optics->row) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels", n);
    return FALSE;
  }
  optics->half = g_new(double complex, 2 * s * MAX(optics->band.width, optics->band.height));
  optics->lines = g_new(double complex, n_threads *LAC_OPTICS_BLOCK *n);
  optics->has_matrix = is_cheaper_as_matrices(optics, optics->band) || has_scan_as_matrices(optics);
  if (optics->has_matrix)
    fill_matrices(optics);
  return TRUE;
}

gboolean
lac_optics_prepare_union(LacOptics *optics, GError **error)
{
  optics->whole = lac_optics_prepare(optics, optics->settings.grid, optics->settings.grid);
  if (optics->whole)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels square",
              optics->settings.grid);
  return FALSE;
}

void
lac_optics_spectrum_clear(LacOptics *optics)
{
  g_free(optics->columns);
  g_free(optics->rows);
  g_free(optics->half);
  g_free(optics->lines);
}

/* --- the whole grid ------------------------------------------------------------------------------------------------------ */

static void
whole_forward(const Transform *t)
{
  const LacOptics *optics = t->optics;
  const gsize      n = optics->settings.grid, s = optics->settings.support;
  const gsize      start = object_start(optics);
  const gsize      top = index_of(optics, t->box.y), left = index_of(optics, t->box.x);
  double complex  *field = optics->half;

  memset(field, 0, n * n * sizeof *field);
  for (gsize y = 0; y < s; y++)
    for (gsize x = 0; x < s; x++)
      field[(start + y) * n + start + x] = sign_of(y + x) * t->object[y * s + x];
  lac_fourier_forward(optics->whole, field);
  for (gsize y = 0; y < t->box.height; y++)
    for (gsize x = 0; x < t->box.width; x++)
      t->spectrum[y * n + x] =
        sign_of(top + y + left + x) / (double) n * field[(top + y) * n + left + x];
}

static void
whole_adjoint(const Transform *t)
{
  const LacOptics *optics = t->optics;
  const gsize      n = optics->settings.grid, s = optics->settings.support;
  const gsize      start = object_start(optics);
  const gsize      top = index_of(optics, t->box.y), left = index_of(optics, t->box.x);
  double complex  *field = optics->half;

  memset(field, 0, n * n * sizeof *field);
  for (gsize y = 0; y < t->box.height; y++)
    for (gsize x = 0; x < t->box.width; x++)
      field[(top + y) * n + left + x] =
        sign_of(top + y + left + x) / (double) n * t->spectrum[y * n + x];
  lac_fourier_inverse(optics->whole, field);
  for (gsize y = 0; y < s; y++)
    for (gsize x = 0; x < s; x++)
      t->object[y * s + x] = sign_of(y + x) * field[(start + y) * n + start + x];
}

/* --- products of matrices ------------------------------------------------------------------------------------------------ */

static void
matrix_forward(const Transform *t)
{
  const LacOptics *optics = t->optics;
  const gsize      s = optics->settings.support, width = t->box.width, band = optics->band.width;
  const double    *columns = optics->columns + 2 * (t->box.x - optics->band.x);
  const double    *rows = optics->rows + 2 * s * (gsize) (t->box.y - optics->band.y);
  double          *half = (double *) optics->half; /* T = o E_x, followed by i T below it */

  lac_dense_gemm(FALSE, FALSE, s, 2 * width, 2 * s, 1, (const double *) t->object, 2 * s, columns,
                 2 * band, 0, half, 2 * width);
  for (gsize i = 0; i < s * width; i++) {
    half[2 * s * width + 2 * i] = -half[2 * i + 1];
    half[2 * s * width + 2 * i + 1] = half[2 * i];
  }
  lac_dense_gemm(FALSE, FALSE, t->box.height, 2 * width, 2 * s, 1, rows, 2 * s, half, 2 * width, 0,
                 (double *) t->spectrum, 2 * band);
}

static void
matrix_adjoint(const Transform *t)
{
  const LacOptics *optics = t->optics;
  const gsize      s = optics->settings.support, height = t->box.height, band = optics->band.width;
  const double    *columns = optics->columns + 2 * (t->box.x - optics->band.x);
  const double    *rows = optics->rows + 2 * s * (gsize) (t->box.y - optics->band.y);
  double          *half = (double *) optics->half; /* T = O E_x^H, followed by -i T behind it */
  double          *turned = half + 2 * s * height, *object = (double *) t->object;

  lac_dense_gemm(FALSE, TRUE, height, 2 * s, 2 * t->box.width, 1, (const double *) t->spectrum,
                 2 * band, columns, 2 * band, 0, half, 2 * s);
  for (gsize i = 0; i < s * height; i++) {
    turned[2 * i] = half[2 * i + 1];
    turned[2 * i + 1] = -half[2 * i];
  }
  lac_dense_gemm(TRUE, FALSE, s, 2 * s, height, 1, rows, 2 * s, half, 2 * s, 0, object, 2 * s);
  lac_dense_gemm(TRUE, FALSE, s, 2 * s, height, 1, rows + s, 2 * s, turned, 2 * s, 1, object,
                 2 * s);
}

/* --- pruned transforms: half is [s][width of the box] ---------------------------------------------------------------------- */

/* One row of the object, or a block of columns of half, zero-padded to the whole grid. */
typedef struct {
  gsize           n, s, width;  /* of the grid, of the object, of the box */
  gsize           start, first; /* first index of the object and of the box on the grid */
  gsize           n_lines;
  double complex *lines; /* [n_lines][n] */
  double complex *half;  /* the row, or the first column of the block */
} Strip;

static Strip
begin_strip(const Transform *t, guint worker, gsize n_lines, gint64 box_start, gsize at_half)
{
  const LacOptics *optics = t->optics;
  const Strip      strip = {
         .n = optics->settings.grid,
         .s = optics->settings.support,
         .width = t->box.width,
         .start = object_start(optics),
         .first = index_of(optics, box_start),
         .n_lines = n_lines,
         .lines = optics->lines + worker * LAC_OPTICS_BLOCK * optics->settings.grid,
         .half = optics->half + at_half,
  };

  memset(strip.lines, 0, n_lines * strip.n * sizeof *strip.lines);
  return strip;
}

static Strip
begin_row(const Transform *t, guint worker, gsize y)
{
  return begin_strip(t, worker, 1, t->box.x, y * t->box.width);
}

static Strip
begin_columns(const Transform *t, guint worker, gsize from)
{
  return begin_strip(t, worker, MIN(LAC_OPTICS_BLOCK, t->box.width - from), t->box.y, from);
}

static void
row_forward(gsize y, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const Strip      row = begin_row(t, worker, y);

  for (gsize x = 0; x < row.s; x++)
    row.lines[row.start + x] = sign_of(row.start + x) * t->object[y * row.s + x];
  lac_fourier_forward(t->optics->row, row.lines);
  for (gsize j = 0; j < row.width; j++)
    row.half[j] = sign_of(row.first + j) * row.lines[row.first + j];
}

static void
row_adjoint(gsize y, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const Strip      row = begin_row(t, worker, y);

  for (gsize j = 0; j < row.width; j++)
    row.lines[row.first + j] = sign_of(row.first + j) * row.half[j];
  lac_fourier_inverse(t->optics->row, row.lines);
  for (gsize x = 0; x < row.s; x++)
    t->object[y * row.s + x] = sign_of(row.start + x) / (double) row.n * row.lines[row.start + x];
}

static void
columns_forward(gsize block, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const gsize      from = block * LAC_OPTICS_BLOCK;
  const Strip      part = begin_columns(t, worker, from);

  for (gsize y = 0; y < part.s; y++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.lines[c * part.n + part.start + y] =
        sign_of(part.start + y) * part.half[y * part.width + c];
  for (gsize c = 0; c < part.n_lines; c++)
    lac_fourier_forward(t->optics->row, part.lines + c * part.n);
  for (gsize i = 0; i < t->box.height; i++)
    for (gsize c = 0; c < part.n_lines; c++)
      t->spectrum[i * t->optics->band.width + from + c] =
        sign_of(part.first + i) / (double) part.n * part.lines[c * part.n + part.first + i];
}

static void
columns_adjoint(gsize block, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const gsize      from = block * LAC_OPTICS_BLOCK;
  const Strip      part = begin_columns(t, worker, from);

  for (gsize i = 0; i < t->box.height; i++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.lines[c * part.n + part.first + i] =
        sign_of(part.first + i) * t->spectrum[i * t->optics->band.width + from + c];
  for (gsize c = 0; c < part.n_lines; c++)
    lac_fourier_inverse(t->optics->row, part.lines + c * part.n);
  for (gsize y = 0; y < part.s; y++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.half[y * part.width + c] =
        sign_of(part.start + y) * part.lines[c * part.n + part.start + y];
}

static void
for_each(Transform *t, gsize n_items, LacPoolFunc func)
{
  if (t->optics->pool && transform_work(t->optics, t->box) >= WORTH_A_POOL)
    lac_pool_run(t->optics->pool, n_items, func, t);
  else
    for (gsize i = 0; i < n_items; i++)
      func(i, 0, t);
}

static gsize
n_blocks(const Transform *t)
{
  return (t->box.width + LAC_OPTICS_BLOCK - 1) / LAC_OPTICS_BLOCK;
}

/* --- which of them --------------------------------------------------------------------------------------------------------- */

static void
forward(Transform *t)
{
  if (is_twin(t->optics)) {
    whole_forward(t);
  } else if (t->optics->has_matrix && is_cheaper_as_matrices(t->optics, t->box)) {
    matrix_forward(t);
  } else {
    for_each(t, t->optics->settings.support, row_forward);
    for_each(t, n_blocks(t), columns_forward);
  }
}

static void
adjoint(Transform *t)
{
  if (is_twin(t->optics)) {
    whole_adjoint(t);
  } else if (t->optics->has_matrix && is_cheaper_as_matrices(t->optics, t->box)) {
    matrix_adjoint(t);
  } else {
    for_each(t, n_blocks(t), columns_adjoint);
    for_each(t, t->optics->settings.support, row_adjoint);
  }
}

static Transform
of_box(LacOptics *optics, LacBand box, const double complex *object, const double complex *spectrum)
{
  const gsize offset =
    (gsize) (box.y - optics->band.y) * optics->band.width + (gsize) (box.x - optics->band.x);

  return (Transform){optics, box, (double complex *) object, (double complex *) spectrum + offset};
}

void
lac_optics_spectrum(LacOptics *optics, const double complex *object, double complex *spectrum)
{
  Transform t = of_box(optics, optics->band, object, spectrum);

  forward(&t);
}

void
lac_optics_object(LacOptics *optics, const double complex *spectrum, double complex *object)
{
  Transform t = of_box(optics, optics->band, object, spectrum);

  adjoint(&t);
}

void
lac_optics_scan_spectrum(LacOptics            *optics,
                         gsize                 position,
                         const double complex *object,
                         double complex       *spectrum)
{
  Transform t;

  g_return_if_fail(position < optics->settings.n_positions);
  t = of_box(optics, lac_optics_scan_box(optics, position), object, spectrum);
  forward(&t);
}

void
lac_optics_scan_object(LacOptics            *optics,
                       gsize                 position,
                       const double complex *spectrum,
                       double complex       *object)
{
  Transform t;

  g_return_if_fail(position < optics->settings.n_positions);
  t = of_box(optics, lac_optics_scan_box(optics, position), object, spectrum);
  adjoint(&t);
}
