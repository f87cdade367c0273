/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs of a library are meant: words that all occur, and conditions on what a run was set to and came to.
 *
 *   kolmogorov "my note" -failed            words; a word with a minus must not occur
 *   sensors>=12 relative_l2<0.05 tag=paper  = != < <= > >= after a key: a setting, a result, or one of name, experiment,
 *                                           laboratory (lab), outcome, tag, seed, steps, seconds, setup_seconds, backend,
 *                                           precision, threads, started, baseline; * stands for any letters */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

typedef struct _LacRunFilter LacRunFilter;

LacRunFilter *lac_run_filter_new(const char *text);
void          lac_run_filter_free(LacRunFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFilter, lac_run_filter_free)

/* Returns: (nullable): a sentence about what could not be understood and is left out. */
const char *lac_run_filter_get_problem(const LacRunFilter *filter);
gboolean    lac_run_filter_matches(const LacRunFilter *filter, const LacRunHeadline *headline);

G_END_DECLS
