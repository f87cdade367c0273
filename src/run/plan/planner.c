/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor planning, independent of any run folder. */
#include "run/plan/planner.h"

#include "run/core/inputs.h"
#include "run/core/memory.h"

struct _LacPlanner {
  const LacExperiment *experiment;
  const LacPlanning   *planning;
  LacDraft            *draft;
  LacInputs            inputs;
  LacRunMemory        *memory; /* (nullable) */
  LacPool             *pool;
  LacPerf             *perf;
  LacDevice            device;
  gboolean             device_open;
  gpointer             plan;
  LacFrame            *backdrop;
};

static gboolean
never(gpointer user_data G_GNUC_UNUSED)
{
  return FALSE;
}

static gboolean
check(const LacExperiment *experiment, const LacDraft *draft, GError **error)
{
  return experiment->check == NULL ||
         experiment->check(experiment, lac_draft_get_values(draft), error);
}

static gboolean
open_plan(LacPlanner            *self,
          const LacRunSettings  *settings,
          const LacPlannerWatch *watch,
          GError               **error)
{
  const LacExperiment *experiment = settings->experiment;
  LacContext           context = {
              .device = self->device,
              .pool = self->pool,
              .perf = self->perf,
              .lane = lac_perf_lane(self->perf, "plan"),
              .seed = settings->seed,
              .precision = lac_precision_storage(lac_experiment_find_precision(
                experiment, lac_draft_get_values(self->draft), settings->precision)),
              .cancelled = watch != NULL ? watch->cancelled : never,
              .progress = watch != NULL ? watch->progress : NULL,
              .user_data = watch != NULL ? watch->user_data : NULL,
              .memory = self->memory != NULL ? &self->memory->memory : NULL,
  };

  lac_inputs_borrow(&self->inputs, &context);
  self->plan = self->planning->open(experiment, lac_draft_get_values(self->draft), &context, error);
  if (self->plan == NULL)
    return FALSE;
  self->backdrop = self->planning->draw(self->plan);
  return TRUE;
}

LacPlanner *
lac_planner_open(const LacRunSettings *settings, const LacPlannerWatch *watch, GError **error)
{
  g_return_val_if_fail(settings->experiment->planning != NULL, NULL);
  const LacExperiment  *experiment = settings->experiment;
  g_autoptr(LacPlanner) self = g_new0(LacPlanner, 1);

  self->experiment = experiment;
  self->planning = experiment->planning;
  self->draft = lac_draft_copy(settings->draft);
  self->memory = lac_run_memory_new(settings->cache);
  if (lac_param_find(&experiment->params, LAC_PLANNING_ROW) != NULL &&
      !lac_draft_set(self->draft, LAC_PLANNING_ROW, "", error))
    return NULL;
  lac_inputs_init(&self->inputs);
  if (!check(experiment, self->draft, error))
    return NULL;
  if (!lac_inputs_load(&self->inputs, self->draft, error))
    return NULL;
  self->pool = lac_pool_new(settings->threads);
  self->perf = lac_perf_new(LAC_PERF_OFF);
  self->device_open =
    lac_device_open(&self->device, settings->backend != NULL ? settings->backend : "auto", error);
  if (!self->device_open || !open_plan(self, settings, watch, error))
    return NULL;
  return g_steal_pointer(&self);
}

void
lac_planner_free(LacPlanner *self)
{
  if (self == NULL)
    return;
  if (self->plan != NULL)
    self->planning->close(self->plan);
  g_clear_pointer(&self->backdrop, lac_frame_unref);
  if (self->device_open)
    lac_device_close(&self->device);
  g_clear_pointer(&self->pool, lac_pool_free);
  g_clear_pointer(&self->perf, lac_perf_free);
  g_clear_pointer(&self->memory, lac_run_memory_free);
  lac_inputs_clear(&self->inputs);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_free(self);
}

LacFrame *
lac_planner_get_backdrop(LacPlanner *self)
{
  g_return_val_if_fail(self != NULL, NULL);
  return self->backdrop;
}

LacFrame *
lac_planner_replace(LacPlanner *self, const LacDraft *draft, GError **error)
{
  g_return_val_if_fail(self != NULL && self->planning->replace != NULL, NULL);
  g_autoptr(LacDraft) without = lac_draft_copy(draft);

  if (!lac_draft_set(without, LAC_PLANNING_ROW, "", error) ||
      !check(self->experiment, without, error) ||
      !self->planning->replace(self->plan, lac_draft_get_values(without), error))
    return NULL;
  return self->planning->draw(self->plan);
}

gboolean
lac_planner_evaluate(LacPlanner *self,
                     const double (*places)[2],
                     gsize             n,
                     LacLayoutFigures *figures,
                     GError          **error)
{
  g_return_val_if_fail(self != NULL && figures != NULL, FALSE);
  return self->planning->score(self->plan, places, n, figures, error);
}
