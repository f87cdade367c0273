/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of a picture to an object: squared, resized, normalised. Also the hills of a relief phase. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/objects/object.h"

#include <math.h>
#include <string.h>

#define STREAM_RELIEF 21
#define WAVES         24
#define FINEST_WAVE   4 /* periods across the object */

/* ---- resizing: one axis, then the other ---- */

/* Returns the mean over [i, i + 1) n_from / n_to of a line; @stride: between its elements. */
static double
average(const double *from, gsize stride, gsize n_from, gsize i, gsize n_to)
{
  const double ratio = (double) n_from / (double) n_to;
  const double low = (double) i * ratio, high = (double) (i + 1) * ratio;
  const gsize  end = MIN((gsize) ceil(high), n_from);
  double       sum = 0;

  for (gsize k = (gsize) low; k < end; k++)
    sum += from[k * stride] * (MIN(high, (double) (k + 1)) - MAX(low, (double) k));
  return sum / ratio;
}

static double
interpolate(const double *from, gsize stride, gsize n_from, gsize i, gsize n_to)
{
  const double at = ((double) i + 0.5) * (double) n_from / (double) n_to - 0.5;
  const double place = CLAMP(at, 0, (double) (n_from - 1));
  const gsize  k = MIN((gsize) place, n_from - 1), next = MIN(k + 1, n_from - 1);
  const double part = place - (double) k;

  return (1 - part) * from[k * stride] + part * from[next * stride];
}

/* Interpolates with weights that fall linearly from the middle of the new pixel to those of its neighbours. */
static double
blend(const double *from, gsize stride, gsize n_from, gsize i, gsize n_to)
{
  const double ratio = (double) n_from / (double) n_to;
  const double middle = ((double) i + 0.5) * ratio - 0.5;
  const gsize  first = (gsize) fmax(0, ceil(middle - ratio));
  const gsize  end = MIN((gsize) fmax(0, floor(middle + ratio)) + 1, n_from);
  double       sum = 0, total = 0;

  for (gsize k = first; k < end; k++) {
    const double weight = 1 - fabs((double) k - middle) / ratio;

    sum += weight * from[k * stride];
    total += weight;
  }
  return sum / total;
}

typedef double (*Resample)(const double *from, gsize stride, gsize n_from, gsize i, gsize n_to);

static Resample
choose(LacPictureFilter filter, gsize n_from, gsize n_to)
{
  if (n_to >= n_from)
    return interpolate;
  return filter == LAC_PICTURE_LINEAR ? blend : average;
}

static void
resize(LacPictureFilter filter,
       const double    *from,
       const gsize      from_sizes[2],
       double          *to,
       const gsize      to_sizes[2])
{
  const gsize    rows = from_sizes[0], columns = from_sizes[1];
  const gsize    to_rows = to_sizes[0], to_columns = to_sizes[1];
  const Resample along = choose(filter, columns, to_columns), down = choose(filter, rows, to_rows);
  g_autofree double *wide = g_new(double, rows *to_columns);

  for (gsize y = 0; y < rows; y++)
    for (gsize x = 0; x < to_columns; x++)
      wide[y * to_columns + x] = along(from + y * columns, 1, columns, x, to_columns);
  for (gsize y = 0; y < to_rows; y++)
    for (gsize x = 0; x < to_columns; x++)
      to[y * to_columns + x] = down(wide + x, to_columns, rows, y, to_rows);
}

/* ---- fitting ---- */

static void
crop(const LacGridField *picture, LacPictureFilter filter, gsize side, double *values)
{
  const gsize        rows = picture->axes[0].n, columns = picture->axes[1].n;
  const gsize        least = MIN(rows, columns);
  const gsize        top = (rows - least) / 2, left = (columns - least) / 2;
  g_autofree double *square = g_new(double, least *least);

  for (gsize y = 0; y < least; y++)
    memcpy(square + y * least, picture->data + (top + y) * columns + left, least * sizeof *square);
  resize(filter, square, (const gsize[]){least, least}, values, (const gsize[]){side, side});
}

/* Fits the whole picture; the padding is as dark as its darkest pixel. */
static void
fit_whole(const LacGridField *picture,
          LacPictureFilter    filter,
          gsize               side,
          double              darkest,
          double             *values)
{
  const gsize        rows = picture->axes[0].n, columns = picture->axes[1].n;
  const double       scale = (double) side / (double) MAX(rows, columns);
  const gsize        height = CLAMP((gsize) lround((double) rows * scale), 1, side);
  const gsize        width = CLAMP((gsize) lround((double) columns * scale), 1, side);
  const gsize        top = (side - height) / 2, left = (side - width) / 2;
  g_autofree double *small = g_new(double, height *width);

  resize(filter, picture->data, (const gsize[]){rows, columns}, small,
         (const gsize[]){height, width});
  for (gsize i = 0; i < side * side; i++)
    values[i] = darkest;
  for (gsize y = 0; y < height; y++)
    memcpy(values + (top + y) * side + left, small + y * width, width * sizeof *values);
}

/* Checks the unmodified values in one pass. */
static gboolean
check_picture(const LacGridField *picture, double *darkest, GError **error)
{
  g_autofree char *name = lac_field_dup_title(picture);
  double           low = INFINITY, high = -INFINITY;

  if (picture->n_axes != 2 || picture->data == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has %u axes; an object is made of a plane of two", name, picture->n_axes);
    return FALSE;
  }
  if (MIN(picture->axes[0].n, picture->axes[1].n) < 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                " pixels; an object needs 2 or more each way",
                name, picture->axes[1].n, picture->axes[0].n);
    return FALSE;
  }
  for (gsize i = 0; i < lac_field_get_length(picture); i++) {
    if (!isfinite(picture->data[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s: pixel %" G_GSIZE_FORMAT
                  " is not a finite number; an object needs all of them",
                  name, i + 1);
      return FALSE;
    }
    low = MIN(low, picture->data[i]);
    high = MAX(high, picture->data[i]);
  }
  *darkest = low;
  if (high > low)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s is constant: choose a picture with contrast", name);
  return FALSE;
}

/* Scales darkest to 0, brightest to 1; a small object that averages to a constant becomes 1. */
static void
normalise(double *values, gsize n)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++) {
    low = MIN(low, values[i]);
    high = MAX(high, values[i]);
  }
  for (gsize i = 0; i < n; i++)
    values[i] = high > low ? (values[i] - low) / (high - low) : 1;
}

gboolean
lac_object_from_picture(const LacGridField  *picture,
                        const LacPictureUse *use,
                        gsize                side,
                        double              *values,
                        GError             **error)
{
  double darkest;

  g_return_val_if_fail(side > 0, FALSE);
  if (!check_picture(picture, &darkest, error))
    return FALSE;
  switch (use->fit) {
  case LAC_PICTURE_CROP: crop(picture, use->filter, side, values); break;
  case LAC_PICTURE_WHOLE:
    fit_whole(picture, use->filter, side, use->normalise ? darkest : 0, values);
    break;
  }
  if (use->normalise)
    normalise(values, side * side);
  for (gsize i = 0; i < side * side; i++) {
    values[i] = CLAMP(values[i], 0, 1);
    if (use->invert)
      values[i] = 1 - values[i];
  }
  return TRUE;
}

/* ---- a phase without a picture ---- */

void
lac_object_draw_relief(gsize side, guint64 seed, double *relief)
{
  LacRng rng = lac_rng(seed, STREAM_RELIEF);

  memset(relief, 0, side * side * sizeof *relief);
  for (int w = 0; w < WAVES; w++) {
    const double turn = 2 * G_PI * lac_rng_uniform(&rng), phase = 2 * G_PI * lac_rng_uniform(&rng);
    const double periods = 0.5 + (FINEST_WAVE - 0.5) * lac_rng_uniform(&rng);
    const double along_y = 2 * G_PI * periods * sin(turn) / (double) side;
    const double along_x = 2 * G_PI * periods * cos(turn) / (double) side;

    for (gsize y = 0; y < side; y++)
      for (gsize x = 0; x < side; x++)
        relief[y * side + x] += cos(along_y * (double) y + along_x * (double) x + phase) / periods;
  }
  normalise(relief, side * side);
}
