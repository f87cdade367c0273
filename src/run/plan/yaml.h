/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run plans in YAML:
 *   experiment: kolmogorov
 *   seed: 3              # and the other rows of the launch table (run/plan/launch-options.h), all optional
 *   settings:
 *     sensors: 12
 *     noise: 1
 * or, with a user-defined equation instead of the experiment (run/plan/equation.h),
 *   equation: {...}      # or the name of an equation file */
#pragma once

#include "run/plan/launch-options.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacLaunch            launch; /* the sweep in the syntax of lac_sweep_parse() */
} LacRunPlan;

/* Returns: %NULL with an error whose message begins with file, line and column, counted from 1. */
LacRunPlan *lac_yaml_read(const char *path, GError **error);
/* Reads a plan from @text; @path names the file in error messages and resolves relative paths. */
LacRunPlan *lac_yaml_read_text(const char *text, const char *path, GError **error);
void        lac_run_plan_free(LacRunPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunPlan, lac_run_plan_free)

G_END_DECLS
