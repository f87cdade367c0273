/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping of runs by a common property: experiment, outcome, day, setting. */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

typedef enum {
  LAC_GROUP_NONE,
  LAC_GROUP_EXPERIMENT,
  LAC_GROUP_LABORATORY,
  LAC_GROUP_OUTCOME,
  LAC_GROUP_TAG,   /* a run with two tags is in both groups */
  LAC_GROUP_DAY,   /* day of the start, the latest day first */
  LAC_GROUP_SWEEP, /* the latest sweep first */
  LAC_GROUP_SETTING,
  LAC_N_GROUPINGS
} LacRunGrouping;

/* Returns "none", "experiment", "outcome" ...: names on the command line and in saved settings. */
const char *lac_run_grouping_key(LacRunGrouping grouping);
/* Returns a translatable title; "" for a setting. */
const char *lac_run_grouping_title(LacRunGrouping grouping);
/* Returns the grouping with @key; %LAC_GROUP_SETTING if there is none: @key is then the name of a setting. */
LacRunGrouping lac_run_grouping_find(const char *key);

typedef struct {
  char      *name; /* common value in filter syntax; "": the runs lack the property */
  GPtrArray *runs; /* LacRunHeadline, borrowed, in input order */
} LacRunGroup;

/* Returns: (transfer full): the names of the groups that @run is in; one, except for tags. */
GStrv lac_run_dup_group_names(const LacRunHeadline *run, const char *key);
/* Comparison of two names for qsort(), in the order of lac_run_group(). */
int lac_run_compare_group_names(const char *a, const char *b, const char *key);

/* @runs: of LacRunHeadline. @key: key of a grouping or of a setting. Returns: (transfer full): sorted LacRunGroup,
 * the group without a name last; for %LAC_GROUP_NONE one group of all runs. A single pass over the runs. */
GPtrArray *lac_run_group(const GPtrArray *runs, const char *key);

/* Returns: (transfer full): settings in which @runs differ from the defaults, the most frequent first, at most
 * @most. */
GStrv lac_run_group_settings(const GPtrArray *runs, guint most);

G_END_DECLS
