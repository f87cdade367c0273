/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a step. One computation at a time; a new choice cancels it. */
#include "app/field/step-frame.h"

#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "run/core/replay.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#define AT_ONCE_SECONDS 5.0 /* computed without a request if faster than this */
#define NOTIFY_MS       100

typedef struct {
  LacSession          *session; /* referenced: it owns @experiment */
  LacRunFile          *run;
  const LacExperiment *experiment;
  gint64               step;
  GCancellable        *cancellable; /* during the computation */
  gint                 percent;     /* atomic */
} Job;

struct _LacStepFrame {
  GtkWidget     parent_instance;
  GtkLabel     *label;
  GtkWidget    *box, *compute, *cancel, *show;
  LacSession   *session;
  gint64        step, shown; /* the selected step; the step whose fields are shown */
  LacLatestJob *computing;
  const Job    *job; /* (nullable): the request in progress; owned by @computing */
  guint         tick;
  gboolean      stays;
};

G_DEFINE_FINAL_TYPE(LacStepFrame, lac_step_frame, GTK_TYPE_WIDGET)

static void
job_free(gpointer data)
{
  Job *job = data;
  lac_run_file_unref(job->run);
  g_object_unref(job->session);
  g_free(job);
}

static gboolean
is_cancelled(gpointer data)
{
  return g_cancellable_is_cancelled(((Job *) data)->cancellable);
}

static void
on_progress(double fraction, const char *what, gpointer data)
{
  g_atomic_int_set(&((Job *) data)->percent, (gint) (100 * fraction));
}

static gpointer
compute_frame(gpointer data, GCancellable *cancellable, GError **error)
{
  Job           *job = data;
  LacReplayWatch watch = {is_cancelled, on_progress, job};
  job->cancellable = cancellable;
  return lac_replay_frame(job->run, job->experiment, job->step, &watch, error);
}

/* Returns the time the run took up to the step, including its set-up. */
static double
estimate_seconds(LacStepFrame *self)
{
  const LacRunFile *run = lac_session_get_file(self->session);
  double            share = run->steps > 0 ? (double) self->step / (double) run->steps : 0;
  return run->setup_seconds + run->seconds * share;
}

static void
describe(LacStepFrame *self, const char *text)
{
  gtk_label_set_text(self->label, text);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->label), text);
  gtk_widget_set_visible(self->cancel, self->job != NULL);
  gtk_widget_set_visible(self->compute, self->job == NULL && self->shown != self->step);
  gtk_widget_set_visible(self->show, self->shown >= 0 && !self->stays);
  gtk_widget_set_visible(GTK_WIDGET(self), TRUE);
}

/* In the bar with the scrubber, which names the step chosen. */
static void
describe_nearest(LacStepFrame *self)
{
  g_autofree char *text = g_strdup_printf(_("nearest stored %" PRId64), self->shown);
  g_autofree char *words = g_strdup_printf(_("Compute %" PRId64), self->step);
  gtk_button_set_label(GTK_BUTTON(self->compute), words);
  describe(self, text);
  gtk_widget_set_visible(GTK_WIDGET(self), self->shown != self->step);
}

static void
describe_shown(LacStepFrame *self)
{
  if (self->stays) {
    describe_nearest(self);
    return;
  }
  g_autofree char *text =
    self->shown == self->step
      ? g_strdup_printf(_("Fields of step %" PRId64), self->shown)
      : g_strdup_printf(_("Fields of step %" PRId64 ", the saved frame nearest to step %" PRId64),
                        self->shown, self->step);
  describe(self, text);
}

static void
stop(LacStepFrame *self)
{
  g_clear_handle_id(&self->tick, g_source_remove);
  lac_latest_job_cancel(self->computing);
  self->job = NULL;
}

static void
on_computed(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacStepFrame       *self = owner;
  g_autoptr(LacFrame) frame = result;
  stop(self);
  if (frame == NULL) {
    g_autofree char *text =
      g_strdup_printf(_("Could not recompute step %" PRId64 ": %s"), self->step, error->message);
    describe(self, text);
    return;
  }
  self->shown = self->step;
  lac_session_show_other_frame(self->session, frame);
  g_autofree char *text =
    self->stays ? g_strdup_printf(_("computed %" PRId64), self->step)
                : g_strdup_printf(_("Fields of step %" PRId64 ", recomputed"), self->step);
  describe(self, text);
}

static gboolean
on_tick(gpointer data)
{
  LacStepFrame    *self = data;
  int              percent = g_atomic_int_get(&self->job->percent);
  g_autofree char *text = self->stays ? g_strdup_printf(_("computing: %d %%"), percent)
                                      : g_strdup_printf(_("Recomputing step %" PRId64 ": %d %%"),
                                                        self->job->step, percent);
  describe(self, text);
  return G_SOURCE_CONTINUE;
}

static void
start(LacStepFrame *self)
{
  stop(self);
  Job *job = g_new0(Job, 1);
  job->session = g_object_ref(self->session);
  job->run = lac_run_file_ref(lac_session_get_file(self->session));
  LacRun *run = lac_session_get_run(self->session);
  job->experiment = run != NULL ? lac_run_get_experiment(run) : NULL;
  job->step = self->step;
  self->job = job;
  self->tick = g_timeout_add(NOTIFY_MS, on_tick, self);
  on_tick(self);
  lac_latest_job_start(self->computing, job);
}

static void
on_compute(GtkButton *button, LacStepFrame *self)
{
  start(self);
}

static void
on_cancel(GtkButton *button, LacStepFrame *self)
{
  stop(self);
  describe_shown(self);
}

/* Cancels a computation in progress if another step is shown, and updates the label. */
void
lac_step_frame_set_shown(LacStepFrame *self, gint64 step)
{
  g_return_if_fail(LAC_IS_STEP_FRAME(self));
  if (self->shown < 0 || step == self->shown)
    return;
  stop(self);
  self->step = self->shown = step;
  describe_shown(self);
}

void
lac_step_frame_follow(LacStepFrame *self, LacSession *session, gint64 step)
{
  g_return_if_fail(LAC_IS_STEP_FRAME(self));
  g_autoptr(GError) error = NULL;
  stop(self);
  g_set_object(&self->session, session);
  self->step = step;
  self->shown = session != NULL && step >= 0 ? lac_session_show_step(session, step, &error) : -1;
  if (self->shown < 0) {
    gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
    return;
  }
  describe_shown(self);
  if (self->shown == step)
    return;
  double           seconds = estimate_seconds(self);
  g_autofree char *duration = lac_format_duration(seconds);
  g_autofree char *tip =
    g_strdup_printf(_("Recompute step %" PRId64 " exactly; takes about %s"), step, duration);
  gtk_widget_set_tooltip_text(self->compute, tip);
  if (seconds <= AT_ONCE_SECONDS)
    start(self);
}

void
lac_step_frame_stay(LacStepFrame *self)
{
  g_return_if_fail(LAC_IS_STEP_FRAME(self));
  self->stays = TRUE;
}

static void
lac_step_frame_dispose(GObject *object)
{
  LacStepFrame *self = LAC_STEP_FRAME(object);
  stop(self);
  g_clear_pointer(&self->computing, lac_latest_job_free);
  g_clear_object(&self->session);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_STEP_FRAME);
  G_OBJECT_CLASS(lac_step_frame_parent_class)->dispose(object);
}

static void
lac_step_frame_class_init(LacStepFrameClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_step_frame_dispose;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/field/step-frame.ui");
  gtk_widget_class_bind_template_child(widget_class, LacStepFrame, box);
  gtk_widget_class_bind_template_child(widget_class, LacStepFrame, label);
  gtk_widget_class_bind_template_child(widget_class, LacStepFrame, compute);
  gtk_widget_class_bind_template_child(widget_class, LacStepFrame, cancel);
  gtk_widget_class_bind_template_child(widget_class, LacStepFrame, show);
  gtk_widget_class_bind_template_callback(widget_class, on_compute);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_step_frame_init(LacStepFrame *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->computing = lac_latest_job_new(
    self, &(LacJobKind){compute_frame, on_computed, job_free, (GDestroyNotify) lac_frame_unref});
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  self->step = self->shown = -1;
}
