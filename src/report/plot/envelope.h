/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which points of a curve that grows its picture needs: the lowest and the highest of every stretch of x, in the order they came. What is
 * kept is bounded, and each point is looked at once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEnvelope LacEnvelope;

/* @most: stretches, at least 8. As soon as there are two different x there are never fewer than half as many between the first and
 * the last, however points are spread; points that are kept are at most twice as many, and two. */
LacEnvelope *lac_envelope_new(gsize most);
void         lac_envelope_free(LacEnvelope *envelope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnvelope, lac_envelope_free)

/**
 * lac_envelope_follow:
 * @x, @low, @high: [n], finite; @x never descends. @low may be @high: a line; else a band
 *
 * Takes in what there is more than when it was followed last; begins anew where the last point of then is another now.
 */
void lac_envelope_follow(LacEnvelope  *envelope,
                         const double *x,
                         const double *low,
                         const double *high,
                         gsize         n);

/* Returns: (transfer none): indices of points, ascending, with the first and the last; valid until the next call. */
const gsize *lac_envelope_get_indices(LacEnvelope *envelope, gsize *n);

G_END_DECLS
