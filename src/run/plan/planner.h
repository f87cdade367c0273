/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor planning of an experiment (experiment/planning.h) with its environment: threads, device, input files. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

typedef struct _LacPlanner LacPlanner;

/* Called on the thread that opens the planner. */
typedef struct {
  gboolean (*cancelled)(gpointer user_data);
  void (*progress)(double fraction, const char *what, gpointer user_data);
  gpointer user_data;
} LacPlannerWatch;

/**
 * lac_planner_open:
 * @settings: of the planned run; its hand-placed positions are ignored in favour of the layout that the other settings choose
 * @watch: must outlive the call
 *
 * May take as long as the set-up of the run. Any thread; the planner is then used by one thread at a time.
 * Returns: %NULL with an error for the user, also when cancelled.
 */
LacPlanner      *
lac_planner_open(const LacRunSettings *settings, const LacPlannerWatch *watch, GError **error);
void lac_planner_free(LacPlanner *planner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPlanner, lac_planner_free)

/* Returns one plane to place sensors on, with the chosen layout as its markers (transfer none). */
LacFrame *lac_planner_get_backdrop(LacPlanner *planner);

/* Chooses the positions again with the parameters of @draft, which differ only in those named by LacPlanning.light
 * and in the positions by hand. Returns: (transfer full): as lac_planner_get_backdrop(), which remains that of the
 * opening; %NULL with an error. */
LacFrame *lac_planner_replace(LacPlanner *planner, const LacDraft *draft, GError **error);

/* Evaluates a sensor layout; see LacPlanning.score. */
gboolean lac_planner_evaluate(LacPlanner *planner,
                              const double (*places)[2],
                              gsize             n,
                              LacLayoutFigures *figures,
                              GError          **error);

G_END_DECLS
