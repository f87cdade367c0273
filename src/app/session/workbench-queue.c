/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of runs: the next one starts when the active one has ended, unless the user paused the queue; and the
 * set-up as the plan text stored there. */
#include "app/session/workbench-private.h"
#include "app/toolkit/preferences.h"
#include "run/plan/launch-options.h"
#include "run/plan/run-child.h"
#include "run/plan/yaml-write.h"

#include <glib/gi18n-lib.h>

const LacRunQueue *
lac_workbench_get_queue(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->queue;
}

guint
lac_workbench_get_n_queued(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), 0);
  return self->queue != NULL ? lac_run_queue_get_n(self->queue) : 0;
}

static char *
dup_queued_title(const LacQueued *queued)
{
  if (queued->plan == NULL)
    return g_strdup(queued->wrong);
  const char      *title = g_dgettext(GETTEXT_PACKAGE, queued->plan->experiment->title);
  g_autofree char *changes = lac_run_plan_dup_changes(queued->plan);
  return *changes == '\0' ? g_strdup(title) : g_strdup_printf("%s · %s", title, changes);
}

GStrv
lac_workbench_dup_queued_titles(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  const guint n = lac_workbench_get_n_queued(self);
  GStrv       titles = g_new0(char *, n + 1);
  for (guint i = 0; i < n; i++)
    titles[i] = dup_queued_title(lac_run_queue_get(self->queue, i));
  return titles;
}

gboolean
lac_workbench_queue_goes(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->queue_goes;
}

gboolean
lac_workbench_holds_queue(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return lac_workbench_is_busy(self) || self->measuring || self->series != NULL;
}

void
lac_workbench_hold_queue(LacWorkbench *self)
{
  self->queue_goes = FALSE;
  lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
}

/* ---- the next run ---- */

LacRunSettings
lac_workbench_settings_of(const LacRunPlan *plan, LacDraft *launch)
{
  LacRunSettings settings = {.experiment = plan->experiment, .draft = plan->draft};
  LacRunSettings here = {0};
  lac_launch_fill(&plan->launch, &settings);
  lac_draft_set(launch, "backend", settings.backend, NULL);
  if (plan->launch.stated[LAC_LAUNCH_THREADS] != NULL)
    lac_draft_set(launch, "threads", plan->launch.stated[LAC_LAUNCH_THREADS], NULL);
  lac_launch_params_fill(launch, &here);
  settings.threads = here.threads;
  settings.backend = here.backend;
  return settings;
}

/* Starts the first run, which leaves the queue once it has begun. On failure it stays, and the queue pauses. */
static void
start_next(LacWorkbench *self)
{
  const LacQueued *next = lac_run_queue_get(self->queue, 0);
  if (next->plan == NULL) {
    self->queue_goes = FALSE;
    lac_workbench_show_message(self, next->wrong);
    return;
  }
  g_autoptr(LacDraft)   launch = lac_preferences_new_launch(NULL, NULL);
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunPlan) plan = lac_yaml_read_text(next->text, next->path, &error);
  if (plan == NULL) {
    self->queue_goes = FALSE;
    lac_workbench_show_message(self, error->message);
    return;
  }
  LacRunSettings settings = lac_workbench_settings_of(plan, launch);
  const char    *sweep = plan->launch.stated[LAC_LAUNCH_SWEEP];
  g_auto(GStrv)  devices = lac_workbench_dup_queue_devices(self);
  if (sweep != NULL) {
    g_free(lac_run_queue_remove(self->queue, 0));
    lac_workbench_begin_sweep(self, &settings, sweep);
    return;
  }
  if (devices != NULL && lac_workbench_is_placeable(plan))
    lac_workbench_place(&settings, devices[0], g_strv_length(devices));
  const gboolean shows = lac_workbench_shows_next(self);
  if (!(lac_run_wants_child(&settings) &&
        lac_workbench_launch_child(self, &settings, next->text, shows)) &&
      !lac_workbench_begin(self, &settings, shows)) {
    self->queue_goes = FALSE;
    return;
  }
  g_free(lac_run_queue_remove(self->queue, 0));
  g_autofree char *sentence =
    g_strdup_printf(_("%s has started"), g_dgettext(GETTEXT_PACKAGE, plan->experiment->title));
  if (self->child == NULL)
    lac_workbench_show_message(self, sentence); /* does not disturb the user at the next set-up */
}

static gboolean
on_next(gpointer user_data)
{
  LacWorkbench *self = user_data;
  if (self->queue != NULL && self->queue_goes && !lac_workbench_holds_queue(self) &&
      lac_run_queue_get_n(self->queue) > 0)
    start_next(self);
  if (self->queue != NULL && self->queue_goes)
    lac_workbench_start_beside(self);
  if (self->queue != NULL)
    lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
  return G_SOURCE_REMOVE;
}

/* Starts the next run after all handlers of "ended" have run. */
static void
start_soon(LacWorkbench *self)
{
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_next, g_object_ref(self), g_object_unref);
}

void
lac_workbench_go_on_with_queue(LacWorkbench *self, gboolean stopped)
{
  if (stopped && self->queue_goes && lac_run_queue_get_n(self->queue) > 0) {
    self->queue_goes = FALSE;
    lac_workbench_show_message(self, _("The queue is paused because you stopped one of its runs."));
  }
  start_soon(self);
}

void
lac_workbench_start_queue(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  self->queue_goes = TRUE;
  self->shows_next = !lac_workbench_holds_queue(self);
  start_soon(self);
}

/* ---- queued runs ---- */

void
lac_workbench_enqueue(LacWorkbench *self, const char *text)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && text != NULL);
  g_autoptr(GError) error = NULL;
  if (!lac_run_queue_add(self->queue, text, G_MAXUINT, &error)) {
    lac_workbench_show_message(self, error->message);
    return;
  }
  if (lac_run_queue_get_n(self->queue) == 1)
    self->queue_goes = TRUE;
  if (lac_workbench_holds_queue(self) || !self->queue_goes)
    lac_workbench_show_message(self, _("Added to the queue"));
  start_soon(self);
}

void
lac_workbench_put_back(LacWorkbench *self, const char *text, guint i)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && text != NULL);
  g_autoptr(GError) error = NULL;
  if (!lac_run_queue_add(self->queue, text, i, &error))
    lac_workbench_show_message(self, error->message);
  lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
}

void
lac_workbench_move_queued(LacWorkbench *self, guint from, guint to)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  g_autoptr(GError) error = NULL;
  guint             n = lac_run_queue_get_n(self->queue);
  if (from < n && to < n && !lac_run_queue_move(self->queue, from, to, &error))
    lac_workbench_show_message(self, error->message);
  lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
}

char *
lac_workbench_remove_queued(LacWorkbench *self, guint i)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  if (i >= lac_run_queue_get_n(self->queue))
    return NULL;
  char *text = lac_run_queue_remove(self->queue, i);
  lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
  return text;
}

/* ---- the set-up as YAML, with the comments of its source ---- */

void
lac_workbench_set_source(LacWorkbench *self, LacRunPlan *plan, char *text)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  g_free(self->source_text);
  g_clear_pointer(&self->source, lac_run_plan_free);
  self->source_text = text;
  self->source = plan;
}

/* Omits values that the text does not state and that are the default, or the threads of this machine. A plan without
 * a text includes its seed. */
char *
lac_workbench_dup_plan(LacWorkbench         *self,
                       const LacRunSettings *settings,
                       const char           *sweep,
                       GError              **error)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && settings != NULL, NULL);
  gboolean is_source = self->source != NULL && self->source->experiment == settings->experiment;
  const LacRunPlan *source = is_source ? self->source : NULL;
  LacRunPlan plan = {.experiment = settings->experiment, .draft = (LacDraft *) settings->draft};
  lac_launch_take(&plan.launch, settings, sweep);
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const gboolean is_stated =
      source != NULL ? source->launch.stated[i] != NULL : i == LAC_LAUNCH_SEED;
    if (!is_stated &&
        (i == LAC_LAUNCH_THREADS || lac_launch_is_usual(&plan.launch, (LacLaunchKey) i)))
      g_clear_pointer(&plan.launch.stated[i], g_free);
  }
  char *text = lac_yaml_write(&plan, is_source ? self->source_text : NULL, error);
  lac_launch_clear(&plan.launch);
  return text;
}
