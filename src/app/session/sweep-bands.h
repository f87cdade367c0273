/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of random sensor placement for the runs of a sweep, computed in the background. Signal: changed. */
#pragma once

#include "app/session/sweep-series.h"
#include "run/plan/random-band.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_BANDS (lac_sweep_bands_get_type())
G_DECLARE_FINAL_TYPE(LacSweepBands, lac_sweep_bands, LAC, SWEEP_BANDS, GObject)

/* Clears the earlier bands and computes new ones, one run after the other in a thread. Computes none if the number of
 * sensors is not swept, a run is missing or no run accepts a manual layout. */
void lac_sweep_bands_measure(LacSweepBands *bands, LacSweepSeries *series);
void lac_sweep_bands_clear(LacSweepBands *bands); /* for another sweep; also cancels */
/* Keeps the finished bands; discards those in progress. */
void lac_sweep_bands_cancel(LacSweepBands *bands);

gboolean lac_sweep_bands_is_measuring(LacSweepBands *bands);
gsize    lac_sweep_bands_get_n(LacSweepBands *bands); /* runs whose band is done */
/* Returns: (transfer none): the band of run @i; its n is 0 if no random draw gave a result. */
const LacRandomBand *lac_sweep_bands_get(LacSweepBands *bands, gsize i);

G_END_DECLS
