/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels of a run followed by those derived from its velocities: speed, vorticity, Q-criterion and divergence
 * of every source. Only the planes of the displayed derived quantity are computed. */
#pragma once

#include "field/derived.h"

G_BEGIN_DECLS

typedef struct _LacDerivedPlanes LacDerivedPlanes;

/* @channels: borrowed for the lifetime of the object */
LacDerivedPlanes *lac_derived_planes_new(const LacChannel *channels, gsize n_channels);
void              lac_derived_planes_free(LacDerivedPlanes *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDerivedPlanes, lac_derived_planes_free)

/* Returns the run's channels, then the derived ones. A quantity that the run provides itself is not derived again. */
const LacChannel *lac_derived_planes_get_channels(const LacDerivedPlanes *derived, gsize *n);

/* Returns TRUE when @quantity is a derived quantity. */
gboolean lac_derived_planes_has(const LacDerivedPlanes *derived, const char *quantity);

/* Returns: (transfer full): @frame with one plane per channel; derived planes other than @quantity are NaN. */
LacFrame *lac_derived_planes_extend(const LacDerivedPlanes *derived,
                                    const LacFrame         *frame,
                                    const char             *quantity);

G_END_DECLS
