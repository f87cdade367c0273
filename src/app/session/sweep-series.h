/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sweep, one after the other, and the results of those that have ended. Signal: changed. */
#pragma once

#include "app/session/session.h"
#include "run/plan/sweep.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_SERIES (lac_sweep_series_get_type())
G_DECLARE_FINAL_TYPE(LacSweepSeries, lac_sweep_series, LAC, SWEEP_SERIES, GObject)

#define LAC_SWEEP_MOST 200 /* combinations */

/* Checks every combination. @settings: its sweep, if there is one, is continued. @text: in the syntax of
 * lac_sweep_parse(). Copies what it needs. */
LacSweepSeries *
lac_sweep_series_new(const LacRunSettings *settings, const char *text, GError **error);

/* Fills @settings for the next run with values borrowed until the next call. Returns: FALSE when there is none left. */
gboolean lac_sweep_series_fill(LacSweepSeries *series, LacRunSettings *settings);
/* Fills @settings for run @i. Returns: (transfer full): the draft in @settings. */
LacDraft *lac_sweep_series_make(LacSweepSeries *series, gsize i, LacRunSettings *settings);
/* Takes the results of the run whose settings were filled last; it has ended. */
void lac_sweep_series_take(LacSweepSeries *series, LacSession *session);
void lac_sweep_series_stop(LacSweepSeries *series); /* no further run follows */

const LacSweep *lac_sweep_series_get_sweep(LacSweepSeries *series);
gsize           lac_sweep_series_get_n_done(LacSweepSeries *series);
gboolean        lac_sweep_series_is_over(LacSweepSeries *series);
const char *
lac_sweep_series_get_title(LacSweepSeries *series); /* title of the experiment, translated */

/* Returns: the results that any run has, in order of first appearance: columns of the table. */
const LacMetric *lac_sweep_series_get_columns(LacSweepSeries *series, gsize *n);
/* Returns: (transfer full): the label of swept parameter @k, with its unit. */
char *lac_sweep_series_dup_key_label(LacSweepSeries *series, gsize k);

/* Return the results of run @i; NaN if it has none. */
double      lac_sweep_series_get_value(LacSweepSeries *series, gsize i, gsize column);
double      lac_sweep_series_get_seconds(LacSweepSeries *series, gsize i);
const char *lac_sweep_series_get_outcome(LacSweepSeries *series, gsize i);
const char *lac_sweep_series_get_folder(LacSweepSeries *series, gsize i); /* of the run */

/* Returns: (transfer none): the translated name of the column's method; NULL: a result of the run itself. */
const char *lac_sweep_series_get_method(LacSweepSeries *series, gsize column);

G_END_DECLS
