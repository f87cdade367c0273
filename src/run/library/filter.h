/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filter of a run list: words that must all occur, and conditions on settings and results.
 *   kolmogorov "my note" -failed            words; a word with a minus must not occur
 *   sensors>=12 relative_l2<0.05 tag=paper  = != < <= > >= after a key: a setting, a result, or one of name, experiment,
 *                                           laboratory (lab), outcome, tag, seed, steps, seconds, setup_seconds, backend,
 *                                           precision, threads, started, baseline; * matches any characters */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

typedef struct _LacRunFilter LacRunFilter;

LacRunFilter *lac_run_filter_new(const char *text);
void          lac_run_filter_free(LacRunFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFilter, lac_run_filter_free)

/* Returns: (nullable): an error message about the parts that were not understood and are ignored. */
const char *lac_run_filter_get_problem(const LacRunFilter *filter);
gboolean    lac_run_filter_matches(const LacRunFilter *filter, const LacRunHeadline *headline);

G_END_DECLS
