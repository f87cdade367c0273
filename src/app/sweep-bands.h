/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What random places would have given to the runs of a sweep, measured beside the window. Signal: changed. */
#pragma once

#include "app/sweep-series.h"
#include "run/plan/random-band.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_BANDS (lac_sweep_bands_get_type())
G_DECLARE_FINAL_TYPE(LacSweepBands, lac_sweep_bands, LAC, SWEEP_BANDS, GObject)

/* Nothing where the number of sensors is not swept, a run is left out or no run can take places by hand. One run after
 * the other, each on a thread of its own. */
void lac_sweep_bands_measure(LacSweepBands *bands, LacSweepSeries *series);
void lac_sweep_bands_clear(LacSweepBands *bands); /* for another sweep; also cancels */
/* What was measured is kept; of what is under way nothing comes any more. */
void lac_sweep_bands_cancel(LacSweepBands *bands);

gboolean lac_sweep_bands_is_measuring(LacSweepBands *bands);
gsize    lac_sweep_bands_get_n(LacSweepBands *bands); /* runs that have theirs */
/* Returns: (transfer none): of run @i; its n is 0 where no draw could be run. */
const LacRandomBand *lac_sweep_bands_get(LacSweepBands *bands, gsize i);

G_END_DECLS
