/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of a run that another program writes: polls its folder for new data. */
#include "app/session/session-private.h"

#include <glib/gi18n-lib.h>

static void
clear_curves(LacSession *self)
{
  for (gsize i = 0; i < self->n_metrics; i++) {
    g_array_set_size(self->curves[i].step, 0);
    g_array_set_size(self->curves[i].seconds, 0);
    g_array_set_size(self->curves[i].values, 0);
  }
  self->n_rows = 0;
}

/* Adds new rows; all of them if the writer resumed from before the last row read. */
static void
take_rows(LacSession *self, const LacRunFile *run)
{
  if (run->n_metrics != self->n_metrics)
    return;
  if (run->n_series < self->n_rows ||
      (self->n_rows > 0 &&
       run->series_step[self->n_rows - 1] != self->file->series_step[self->n_rows - 1]))
    clear_curves(self);
  for (gsize i = self->n_rows; i < run->n_series; i++)
    lac_session_add_row(run->series_step[i], run->series_seconds[i],
                        run->series + i * run->n_metrics, self);
}

static void
take_status(LacSession *self, const LacRunFile *run)
{
  gboolean goes = g_str_equal(run->outcome, "running");
  self->status.state = goes ? LAC_RUN_RUNNING : LAC_RUN_ENDED;
  self->status.step = self->status.n_steps = run->steps;
  self->status.seconds = run->seconds;
  self->status.setup_seconds = run->setup_seconds;
  self->status.fraction = goes ? 0 : 1;
  self->status.seconds_left = goes ? -1 : 0;
  g_strlcpy(self->status.outcome, goes ? "" : run->outcome, sizeof self->status.outcome);
  g_strlcpy(self->status.message, run->detail != NULL ? run->detail : "",
            sizeof self->status.message);
  lac_session_take_device(self, run);
}

static void
take_file(LacSession *self, LacRunFile *run)
{
  guint64 n_rows = self->n_rows;
  gint64  shown = self->frame != NULL ? self->frame->step : -1;
  take_rows(self, run);
  lac_run_file_ref(run);
  lac_run_file_unref(self->file);
  self->file = run;
  take_status(self, run);
  if (!self->stays && run->n_frames > 0 && run->frame_step[run->n_frames - 1] != shown)
    lac_session_show_newest(self);
  lac_session_emit(self, LAC_SESSION_FILE_CHANGED);
  if (self->n_rows != n_rows)
    lac_session_emit(self, LAC_SESSION_SERIES_CHANGED);
}

static void
on_news(LacRunFile *run, gpointer user_data)
{
  LacSession *self = user_data;
  g_object_ref(self);
  if (run != NULL)
    take_file(self, run);
  lac_session_emit(self, LAC_SESSION_STATUS_CHANGED);
  if (self->status.state == LAC_RUN_ENDED && self->follower != NULL) {
    g_clear_pointer(&self->follower, lac_follower_free);
    lac_session_emit(self, LAC_SESSION_ENDED);
  }
  g_object_unref(self);
}

LacSession *
lac_session_new_followed(LacRunFile *file)
{
  g_return_val_if_fail(file != NULL, NULL);
  LacSession *self = g_object_new(LAC_TYPE_SESSION, NULL);
  self->file = lac_run_file_ref(file);
  self->declared = lac_run_file_ref(file);
  self->read_back = TRUE;
  self->ended = TRUE; /* the run is computed by another process */
  self->title = g_strdup(g_dgettext(GETTEXT_PACKAGE, file->title));
  lac_session_copy_declarations(self, file);
  g_autoptr(LacCapture) capture = lac_capture_new(self->title);
  self->recording = lac_recording_new(capture, self);
  lac_session_prepare_series(self);
  take_file(self, file);
  self->status.state = LAC_RUN_RUNNING;
  self->follower = lac_follower_new(file->path, on_news, self);
  return self;
}

gboolean
lac_session_is_followed(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), FALSE);
  return self->follower != NULL;
}

double
lac_session_get_age(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), 0);
  return self->follower != NULL ? lac_follower_get_age(self->follower) : 0;
}

void
lac_session_set_own(LacSession *self)
{
  g_return_if_fail(LAC_IS_SESSION(self));
  self->is_own = TRUE;
}

gboolean
lac_session_is_own(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), FALSE);
  return self->is_own;
}
