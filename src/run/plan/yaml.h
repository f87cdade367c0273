/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run described by a YAML file:
 *   experiment: kolmogorov
 *   seed: 3              # and the other rows of the launch table (run/plan/launch-options.h): each may be left out
 *   settings:
 *     sensors: 12
 *     noise: 1
 * or, with an equation of one's own in the place of the experiment (run/plan/equation.h),
 *   equation: {...}      # or the name of a file that has it */
#pragma once

#include "run/plan/launch-options.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacLaunch            launch; /* the sweep as lac_sweep_parse() takes it */
} LacRunPlan;

/* Returns: %NULL with an error whose sentence begins with file, line and column, counted from 1. */
LacRunPlan *lac_yaml_read(const char *path, GError **error);
/* Of a text that stood at @path, or would stand there. */
LacRunPlan *lac_yaml_read_text(const char *text, const char *path, GError **error);
void        lac_run_plan_free(LacRunPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunPlan, lac_run_plan_free)

G_END_DECLS
