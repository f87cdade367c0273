/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results in a list of runs: their display text, which of two values is better, and the best method of a run. */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

/* @key: of a metric, "relative_l2" or "enkf.relative_l2". Returns TRUE for a relative error, shown as a percentage. */
gboolean lac_result_is_fraction(const char *key, const char *unit);
/* Returns: (transfer full): the value with its unit, a relative error in per cent; "–" for NaN. */
char *lac_result_dup_text(const char *key, const char *unit, double value);

/* Returns TRUE if @a is the better value: the greater one of a similarity, otherwise the lesser. NaN is never better. */
gboolean lac_result_is_better(const char *key, double a, double b);

/* Returns: (transfer none): the part of a metric's key after its method; the key itself for a result of the run. */
const char *lac_result_own_key(const char *key);

/* Returns: (transfer full): the translated title of the method with key @method, "Gappy POD"; @method itself if the
 * experiment does not declare it. */
char *lac_result_dup_method(const char *experiment, const char *method);

/* Returns: (transfer full): the method that reached lac_run_headline_find_best(); "–" if unknown. The short name is an
 * acronym or one word of the title, if it has one: "EnKF", "POD", "solver". */
char *lac_result_dup_best_method(const LacRunHeadline *run);
char *lac_result_dup_best_method_short(const LacRunHeadline *run);

/* Returns: (transfer full): the label of a setting with its unit, "Sensors K"; @key if the experiment is unknown. */
char *lac_result_dup_setting_label(const LacRunHeadline *run, const char *key);

G_END_DECLS
