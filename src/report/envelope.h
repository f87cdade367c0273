/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values of a curve that grows its picture needs: the lowest and the highest of every so many in a row, in the order
 * they came. What is kept is bounded, and each value is looked at once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEnvelope LacEnvelope;

/* @most: values kept, at least 8; a picture that has less than a quarter as many columns shows no difference. */
LacEnvelope *lac_envelope_new(gsize most);
void         lac_envelope_free(LacEnvelope *envelope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnvelope, lac_envelope_free)

/* Takes in what @values, [n] and finite, has more than when it was followed last; a curve that is another begins anew. */
void lac_envelope_follow(LacEnvelope *envelope, const double *values, gsize n);

/* Returns: (transfer none): indices of values, ascending, with the first and the last; valid until the next call. */
const gsize *lac_envelope_get_indices(LacEnvelope *envelope, gsize *n);

G_END_DECLS
