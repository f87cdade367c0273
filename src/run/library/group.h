/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs put together by what they share: an experiment, an outcome, a day, a setting. */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

typedef enum {
  LAC_GROUP_NONE,
  LAC_GROUP_EXPERIMENT,
  LAC_GROUP_LABORATORY,
  LAC_GROUP_OUTCOME,
  LAC_GROUP_TAG, /* a run with two tags stands under both */
  LAC_GROUP_DAY, /* on which it began, the latest first */
  LAC_GROUP_SETTING,
  LAC_N_GROUPINGS
} LacRunGrouping;

/* "none", "experiment", "outcome" ...: on the command line and in what is remembered. */
const char *lac_run_grouping_key(LacRunGrouping grouping);
/* Translatable; of a setting: "". */
const char *lac_run_grouping_title(LacRunGrouping grouping);
/* Any other key is one of a setting. */
LacRunGrouping lac_run_grouping_find(const char *key);

typedef struct {
  char      *name; /* what its runs share, as a filter has it; "": they have none */
  GPtrArray *runs; /* of LacRunHeadline, borrowed, in the order they came */
} LacRunGroup;

/* @runs: of LacRunHeadline. @key: of a grouping or a setting. Returns: (transfer full): of LacRunGroup, in order, those without
 * a name last; with %LAC_GROUP_NONE one with all runs. Quick: each run is looked at once. */
GPtrArray *lac_run_group(const GPtrArray *runs, const char *key);

/* Returns: (transfer full): keys of settings in which @runs differ from the defaults, the most frequent first, at most @most. */
GStrv lac_run_group_settings(const GPtrArray *runs, guint most);

G_END_DECLS
