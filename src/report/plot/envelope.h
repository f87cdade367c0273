/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimation of a growing curve: the minimum and maximum of every x interval, in their original order. Memory is
 * bounded, and each point is read once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEnvelope LacEnvelope;

/* @most: number of intervals, at least 8. Once there are two distinct x values, at least half of these intervals span
 * the curve from its first to its last point, however the points are distributed; at most 2 @most + 2 points are
 * retained. */
LacEnvelope *lac_envelope_new(gsize most);
void         lac_envelope_free(LacEnvelope *envelope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnvelope, lac_envelope_free)

/**
 * lac_envelope_follow:
 * @x, @low, @high: [n], finite; @x never descends. @low equal to @high: a line; else a band
 *
 * Reads the points appended since the last call; starts over when the last point of that call has changed.
 */
void lac_envelope_follow(LacEnvelope  *envelope,
                         const double *x,
                         const double *low,
                         const double *high,
                         gsize         n);

/* Returns: (transfer none): indices of points, ascending, with the first and the last; valid until the next call. */
const gsize *lac_envelope_get_indices(LacEnvelope *envelope, gsize *n);

G_END_DECLS
