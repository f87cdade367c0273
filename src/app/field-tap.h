/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of a plane at a place between 0 and 1, term by term as the shader fetches them: in one direction the two cells a place lies
 * between. A row of pixels works out its columns once. */
#pragma once

#include "field/frame.h"

#include <math.h>

G_BEGIN_DECLS

typedef struct {
  guint32 low, high; /* the same: nearest cell, or the edge */
  float   share;     /* of the high one */
} LacTap;

/* @n: cells in this direction */
static inline LacTap
lac_tap_at(float place, gsize n, gboolean smooth)
{
  float x = place * (float) n, last = (float) n - 1;
  if (!smooth) {
    guint32 nearest = (guint32) CLAMP(floorf(x), 0, last);
    return (LacTap){nearest, nearest, 0};
  }
  float low = floorf(x - 0.5F);
  return (LacTap){
    .low = (guint32) CLAMP(low, 0, last),
    .high = (guint32) CLAMP(low + 1, 0, last),
    .share = x - 0.5F - low,
  };
}

static inline float
lac_tap_between(const float *cells, LacTap tap)
{
  return cells[tap.low] * (1 - tap.share) + cells[tap.high] * tap.share;
}

static inline float
lac_tap_read(const LacPlane *plane, LacTap column, LacTap row)
{
  const float *lower = plane->data + row.low * plane->nx,
              *upper = plane->data + row.high * plane->nx;
  if (column.low == column.high && row.low == row.high)
    return lower[column.low];
  return lac_tap_between(lower, column) * (1 - row.share) +
         lac_tap_between(upper, column) * row.share;
}

G_END_DECLS
