/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two variants: pruned, rows of the object and then only the columns of the box; and, for small boxes, a product of three
 * matrices E_y o E_x with E[k][x] = exp(-2 pi i k x / N) / sqrt(N). */
#include "backend/band-transform.h"

#include "backend/dense.h"
#include "backend/fourier.h"

#include <math.h>
#include <string.h>

/* Number of columns transformed together: two cache lines of four complex numbers each. */
#define BLOCK 8

/* Operations per transform above which several threads pay off. */
#define WORTH_A_POOL 4e6

struct _LacBandTransform {
  LacBandTransformSettings settings;
  const LacFourier        *row; /* 1 x N */
  double *columns;              /* (nullable): [2s][2 width]: o (re, im) -> its transform along x */
  double *rows; /* (nullable): [height][s real parts, s imaginary parts]: the same along y */
  double complex *half;  /* an object transformed along one axis */
  double complex *lines; /* [n_threads][BLOCK][N] */
  double complex *part;  /* [n_part] */
};

/* One transform. The object becomes itself, if it is kept, and factor times the inverse. */
typedef struct {
  LacBandTransform *self;
  LacBandPart       part;
  double complex   *object; /* [s][s]; read-only forwards */
  double            factor;
  gboolean          is_kept;
} Transform;

static double
sign_of(gsize n)
{
  return n & 1 ? -1 : 1;
}

/* Returns the index of the object's first row and column on the grid. */
static gsize
object_start(const LacBandTransform *self)
{
  return (self->settings.grid - self->settings.support) / 2;
}

/* Returns the index on the grid, DC at N/2. */
static gsize
index_of(const LacBandTransform *self, gint64 k)
{
  return (gsize) (k + (gint64) (self->settings.grid / 2));
}

double
lac_band_transform_get_flops(const LacBandTransform *self, gsize width)
{
  const double n = (double) self->settings.grid;

  return 5 * n * log2(n) * (double) (self->settings.support + width);
}

/* Compares operation counts: measured, both variants reach about the same rate. */
static gboolean
is_cheaper_as_matrices(const LacBandTransform *self, gsize height, gsize width)
{
  const double s = (double) self->settings.support;

  return 8 * s * (double) width * (s + (double) height) < lac_band_transform_get_flops(self, width);
}

static void
fill_matrices(LacBandTransform *self)
{
  const LacBand band = self->settings.band;
  const gsize   n = self->settings.grid, s = self->settings.support, start = object_start(self);
  const double  scale = 1 / sqrt((double) n);

  self->columns = g_new(double, 4 * s * band.width);
  self->rows = g_new(double, 2 * s * band.height);
  for (gsize x = 0; x < s; x++) {
    const gint64 place = (gint64) (start + x) - (gint64) (n / 2);
    double      *row = self->columns + 4 * x * band.width;

    for (gsize j = 0; j < band.width; j++) {
      const gint64 turns = (band.x + (gint64) j) * place % (gint64) n;
      const double angle = -2 * G_PI * (double) turns / (double) n;

      row[2 * j] = row[2 * band.width + 2 * j + 1] = scale * cos(angle);
      row[2 * j + 1] = scale * sin(angle);
      row[2 * band.width + 2 * j] = -row[2 * j + 1];
    }
    for (gsize i = 0; i < band.height; i++) {
      const gint64 turns = (band.y + (gint64) i) * place % (gint64) n;
      const double angle = -2 * G_PI * (double) turns / (double) n;

      self->rows[2 * s * i + x] = scale * cos(angle);
      self->rows[2 * s * i + s + x] = scale * sin(angle);
    }
  }
}

LacBandTransform *
lac_band_transform_new(const LacBandTransformSettings *settings)
{
  const LacBand     band = settings->band;
  const gsize       n = settings->grid, s = settings->support;
  const gsize       n_threads = settings->pool ? lac_pool_get_n_threads(settings->pool) : 1;
  LacBandTransform *self;
  const LacFourier *row =
    settings->plans_every_call ? lac_fourier_prepare_plain(1, n) : lac_fourier_prepare(1, n);

  if (!row)
    return NULL;
  self = g_new0(LacBandTransform, 1);
  self->settings = *settings;
  self->row = row;
  self->half = g_new(double complex, 2 * s * MAX(band.width, band.height));
  self->lines = g_new(double complex, n_threads *BLOCK *n);
  self->part = g_new(double complex, settings->n_part);
  if (is_cheaper_as_matrices(self, band.height, band.width) ||
      is_cheaper_as_matrices(self, settings->box, settings->box))
    fill_matrices(self);
  return self;
}

void
lac_band_transform_free(LacBandTransform *self)
{
  if (!self)
    return;
  g_free(self->columns);
  g_free(self->rows);
  g_free(self->half);
  g_free(self->lines);
  g_free(self->part);
  g_free(self);
}

LacBand
lac_band_transform_get_band(const LacBandTransform *self)
{
  return self->settings.band;
}

double complex *
lac_band_transform_get_part(const LacBandTransform *self)
{
  return self->part;
}

/* ---- products of matrices ---- */

static void
matrix_forward(const Transform *t)
{
  const LacBandTransform *self = t->self;
  const LacBand           box = t->part.box, band = self->settings.band;
  const gsize             s = self->settings.support, width = box.width;
  const double           *columns = self->columns + 2 * (box.x - band.x);
  const double           *rows = self->rows + 2 * s * (gsize) (box.y - band.y);
  double                 *half = (double *) self->half; /* T = o E_x, followed by i T below it */

  lac_dense_gemm(FALSE, FALSE, s, 2 * width, 2 * s, 1, (const double *) t->object, 2 * s, columns,
                 2 * band.width, 0, half, 2 * width);
  for (gsize i = 0; i < s * width; i++) {
    half[2 * s * width + 2 * i] = -half[2 * i + 1];
    half[2 * s * width + 2 * i + 1] = half[2 * i];
  }
  lac_dense_gemm(FALSE, FALSE, box.height, 2 * width, 2 * s, 1, rows, 2 * s, half, 2 * width, 0,
                 (double *) t->part.numbers, 2 * t->part.stride);
}

static void
matrix_inverse(const Transform *t)
{
  const LacBandTransform *self = t->self;
  const LacBand           box = t->part.box, band = self->settings.band;
  const gsize             s = self->settings.support, height = box.height;
  const double           *columns = self->columns + 2 * (box.x - band.x);
  const double           *rows = self->rows + 2 * s * (gsize) (box.y - band.y);
  double *half = (double *) self->half; /* T = O E_x^H, followed by -i T behind it */
  double *turned = half + 2 * s * height, *object = (double *) t->object;

  lac_dense_gemm(FALSE, TRUE, height, 2 * s, 2 * box.width, t->factor,
                 (const double *) t->part.numbers, 2 * t->part.stride, columns, 2 * band.width, 0,
                 half, 2 * s);
  for (gsize i = 0; i < s * height; i++) {
    turned[2 * i] = half[2 * i + 1];
    turned[2 * i + 1] = -half[2 * i];
  }
  lac_dense_gemm(TRUE, FALSE, s, 2 * s, height, 1, rows, 2 * s, half, 2 * s, t->is_kept ? 1 : 0,
                 object, 2 * s);
  lac_dense_gemm(TRUE, FALSE, s, 2 * s, height, 1, rows + s, 2 * s, turned, 2 * s, 1, object,
                 2 * s);
}

/* ---- pruned transforms: half is [s][width of the box] ---- */

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
  const LacBandTransform *self = t->self;
  const Strip             strip = {
                .n = self->settings.grid,
                .s = self->settings.support,
                .width = t->part.box.width,
                .start = object_start(self),
                .first = index_of(self, box_start),
                .n_lines = n_lines,
                .lines = self->lines + worker * BLOCK * self->settings.grid,
                .half = self->half + at_half,
  };

  memset(strip.lines, 0, n_lines * strip.n * sizeof *strip.lines);
  return strip;
}

static Strip
begin_row(const Transform *t, guint worker, gsize y)
{
  return begin_strip(t, worker, 1, t->part.box.x, y * t->part.box.width);
}

static Strip
begin_columns(const Transform *t, guint worker, gsize from)
{
  return begin_strip(t, worker, MIN(BLOCK, t->part.box.width - from), t->part.box.y, from);
}

static void
row_forward(gsize y, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const Strip      row = begin_row(t, worker, y);

  for (gsize x = 0; x < row.s; x++)
    row.lines[row.start + x] = sign_of(row.start + x) * t->object[y * row.s + x];
  lac_fourier_forward(t->self->row, row.lines);
  for (gsize j = 0; j < row.width; j++)
    row.half[j] = sign_of(row.first + j) * row.lines[row.first + j];
}

static void
row_inverse(gsize y, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const Strip      row = begin_row(t, worker, y);
  const double     scale = t->factor / (double) row.n;
  double complex  *object = t->object + y * row.s;

  for (gsize j = 0; j < row.width; j++)
    row.lines[row.first + j] = sign_of(row.first + j) * row.half[j];
  lac_fourier_inverse(t->self->row, row.lines);
  for (gsize x = 0; x < row.s; x++) {
    const double complex before = t->is_kept ? object[x] : 0;

    object[x] = before + sign_of(row.start + x) * scale * row.lines[row.start + x];
  }
}

static void
columns_forward(gsize block, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const gsize      from = block * BLOCK;
  const Strip      part = begin_columns(t, worker, from);

  for (gsize y = 0; y < part.s; y++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.lines[c * part.n + part.start + y] =
        sign_of(part.start + y) * part.half[y * part.width + c];
  for (gsize c = 0; c < part.n_lines; c++)
    lac_fourier_forward(t->self->row, part.lines + c * part.n);
  for (gsize i = 0; i < t->part.box.height; i++)
    for (gsize c = 0; c < part.n_lines; c++)
      t->part.numbers[i * t->part.stride + from + c] =
        sign_of(part.first + i) / (double) part.n * part.lines[c * part.n + part.first + i];
}

static void
columns_inverse(gsize block, guint worker, gpointer user_data)
{
  const Transform *t = user_data;
  const gsize      from = block * BLOCK;
  const Strip      part = begin_columns(t, worker, from);

  for (gsize i = 0; i < t->part.box.height; i++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.lines[c * part.n + part.first + i] =
        sign_of(part.first + i) * t->part.numbers[i * t->part.stride + from + c];
  for (gsize c = 0; c < part.n_lines; c++)
    lac_fourier_inverse(t->self->row, part.lines + c * part.n);
  for (gsize y = 0; y < part.s; y++)
    for (gsize c = 0; c < part.n_lines; c++)
      part.half[y * part.width + c] =
        sign_of(part.start + y) * part.lines[c * part.n + part.start + y];
}

static void
for_each(Transform *t, gsize n_items, LacPoolFunc func)
{
  LacPool *pool = t->self->settings.pool;

  if (pool && lac_band_transform_get_flops(t->self, t->part.box.width) >= WORTH_A_POOL)
    lac_pool_run(pool, n_items, func, t);
  else
    for (gsize i = 0; i < n_items; i++)
      func(i, 0, t);
}

static gsize
n_blocks(const Transform *t)
{
  return (t->part.box.width + BLOCK - 1) / BLOCK;
}

/* ---- which of them ---- */

static gboolean
multiplies(const Transform *t)
{
  return t->self->columns && is_cheaper_as_matrices(t->self, t->part.box.height, t->part.box.width);
}

static void
invert(Transform *t)
{
  if (multiplies(t)) {
    matrix_inverse(t);
    return;
  }
  for_each(t, n_blocks(t), columns_inverse);
  for_each(t, t->self->settings.support, row_inverse);
}

void
lac_band_transform_forward(LacBandTransform     *self,
                           const double complex *object,
                           const LacBandPart    *part)
{
  Transform t = {self, *part, (double complex *) object, 1, TRUE};

  if (multiplies(&t)) {
    matrix_forward(&t);
    return;
  }
  for_each(&t, self->settings.support, row_forward);
  for_each(&t, n_blocks(&t), columns_forward);
}

void
lac_band_transform_inverse(LacBandTransform *self, const LacBandPart *part, double complex *object)
{
  Transform t = {self, *part, object, 1, FALSE};

  invert(&t);
}

void
lac_band_transform_add_inverse(LacBandTransform  *self,
                               const LacBandPart *part,
                               double             factor,
                               double complex    *object)
{
  Transform t = {self, *part, object, factor, TRUE};

  invert(&t);
}
