/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calibration of the verdicts on reliability: runs whose true field is known, with right and wrong models and
 * with readings that are as noisy as stated or are not. The verdict is what the sensors alone allow; the error is that
 * against the truth. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* The errors above twice the claimed uncertainty that verdicts of "reliable" may leave, as a share of them. */
#define LAC_CALIBRATION_LIMIT 0.02

/* Adds to @file the rows "calibration/FAULT/METHOD": cases, and the shares of those called reliable, questionable and
 * not reliable, and of those whose error is above twice the claim; where any is called reliable, the mean share of the
 * field that their 95 % bands hold; and the row "calibration/all", whose share of wrong cases among those called
 * reliable has a limit. Of the settings, threads and progress are used. @n_runs: each with
 * another seed, the kinds of faults in turn. Takes about three seconds a run. */
gboolean lac_bench_calibrate(gsize                   n_runs,
                             const LacBenchSettings *settings,
                             LacBenchFile           *file,
                             GError                **error);

G_END_DECLS
