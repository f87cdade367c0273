/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation taps of a plane: the two cells adjacent to a position in 0...1 in one direction, with the same
 * arithmetic as the shader. A row of pixels computes its column taps once. */
#pragma once

#include "field/frame.h"

#include <math.h>

G_BEGIN_DECLS

typedef struct {
  guint32 low, high; /* equal for the nearest cell and at the edge */
  float   share;     /* weight of @high */
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
