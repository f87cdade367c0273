/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels of a run and, after them, those that follow from its velocity: speed, vorticity, Q-criterion,
 * divergence of every source. Their planes are filled only while one of them is looked at. */
#pragma once

#include "field/derived.h"

G_BEGIN_DECLS

typedef struct _LacDerivedPlanes LacDerivedPlanes;

/* @channels: borrowed for the life of the object */
LacDerivedPlanes *lac_derived_planes_new(const LacChannel *channels, gsize n_channels);
void              lac_derived_planes_free(LacDerivedPlanes *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDerivedPlanes, lac_derived_planes_free)

/* Of the run, then the derived ones; a quantity that the run shows itself is not derived again. */
const LacChannel *lac_derived_planes_get_channels(const LacDerivedPlanes *derived, gsize *n);

/* Whether @quantity is one of the derived ones. */
gboolean lac_derived_planes_has(const LacDerivedPlanes *derived, const char *quantity);

/* Returns: (transfer full): @frame with a plane a channel; those of @quantity are filled, other derived ones are NaN. */
LacFrame *lac_derived_planes_extend(const LacDerivedPlanes *derived,
                                    const LacFrame         *frame,
                                    const char             *quantity);

G_END_DECLS
