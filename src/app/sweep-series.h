/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sweep, one after the other, and what came out of those that ended. Signal: changed. */
#pragma once

#include "app/session.h"
#include "run/plan/sweep.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_SERIES (lac_sweep_series_get_type())
G_DECLARE_FINAL_TYPE(LacSweepSeries, lac_sweep_series, LAC, SWEEP_SERIES, GObject)

#define LAC_SWEEP_MOST 200 /* combinations */

/* @text: as lac_sweep_parse() takes it. Every combination is checked. Copies what it needs. */
LacSweepSeries *
lac_sweep_series_new(const LacRunSettings *settings, const char *text, GError **error);

/* Of the next run, borrowed until the next call. Returns: FALSE when there is none. */
gboolean lac_sweep_series_fill(LacSweepSeries *series, LacRunSettings *settings);
/* Of run @i, whichever it is. Returns: (transfer full): the draft in @settings. */
LacDraft *lac_sweep_series_make(LacSweepSeries *series, gsize i, LacRunSettings *settings);
/* The run that was filled has ended. */
void lac_sweep_series_take(LacSweepSeries *series, LacSession *session);
void lac_sweep_series_stop(LacSweepSeries *series); /* no other one follows */

const LacSweep *lac_sweep_series_get_sweep(LacSweepSeries *series);
gsize           lac_sweep_series_get_n_done(LacSweepSeries *series);
gboolean        lac_sweep_series_is_over(LacSweepSeries *series);
const char *lac_sweep_series_get_title(LacSweepSeries *series); /* of the experiment, translated */

/* The results that any of the runs has, in the order of their coming: columns of the table. */
const LacMetric *lac_sweep_series_get_columns(LacSweepSeries *series, gsize *n);
/* Of what is swept, with its unit. Returns: (transfer full) */
char *lac_sweep_series_dup_key_label(LacSweepSeries *series, gsize k);

/* Of run @i; NaN where it has none. */
double      lac_sweep_series_get_value(LacSweepSeries *series, gsize i, gsize column);
double      lac_sweep_series_get_seconds(LacSweepSeries *series, gsize i);
const char *lac_sweep_series_get_outcome(LacSweepSeries *series, gsize i);

/* Whether the column says again what that of the first method says. */
gboolean lac_sweep_series_is_repeated(LacSweepSeries *series, gsize column);

/* Returns: (transfer none): the name of the method whose column it is, translated; NULL: the run's own. */
const char *lac_sweep_series_get_method(LacSweepSeries *series, gsize column);

G_END_DECLS
