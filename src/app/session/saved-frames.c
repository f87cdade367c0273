/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The saved frames of a session. Workers read them; the latest request counts. */
#include "app/session/session-private.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>

/* ---- a frame ---- */

typedef struct {
  LacRunFile *file;
  gsize       index;
} Wanted;

static void
wanted_free(gpointer data)
{
  lac_run_file_unref(((Wanted *) data)->file);
  g_free(data);
}

static gpointer
load(gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  return lac_run_file_load_frame(wanted->file, wanted->index, error);
}

/* While the run goes on, its frames may be thinned out or moved to run.h5 before they are read. */
static void
on_loaded(gpointer owner, gpointer request, gpointer frame, const GError *error)
{
  LacSession *self = owner;
  g_object_ref(self);
  if (frame != NULL)
    lac_session_hand_on(self, frame);
  else if (self->ended)
    lac_session_emit_message(self, error->message);
  g_object_unref(self);
}

void
lac_session_show_frame(LacSession *self, gsize index)
{
  g_return_if_fail(LAC_IS_SESSION(self) && self->file != NULL && index < self->file->n_frames);
  Wanted *wanted = g_new(Wanted, 1);
  *wanted = (Wanted){lac_run_file_ref(self->file), index};
  self->stays = TRUE;
  if (self->loading == NULL)
    self->loading = lac_latest_job_new(
      self, &(LacJobKind){load, on_loaded, wanted_free, (GDestroyNotify) lac_frame_unref});
  lac_latest_job_start(self->loading, wanted);
}

gint64
lac_session_show_step(LacSession *self, gint64 step, GError **error)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), -1);
  gssize index = self->file != NULL ? lac_run_file_find_frame(self->file, step) : -1;
  if (index < 0) {
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_USAGE,
                        self->file != NULL ? _("this run has no saved frames")
                        : self->ended
                          ? _("the saved frames are being read")
                          : _("frames of earlier steps can be shown after the run has ended"));
    return -1;
  }
  lac_session_show_frame(self, (gsize) index);
  return self->file->frame_step[index];
}

void
lac_session_show_other_frame(LacSession *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_SESSION(self) && frame != NULL);
  lac_latest_job_cancel(self->loading);
  self->stays = TRUE;
  lac_session_hand_on(self, lac_frame_ref(frame));
}

gboolean
lac_session_stays(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), FALSE);
  return self->stays;
}

void
lac_session_show_newest(LacSession *self)
{
  g_return_if_fail(LAC_IS_SESSION(self));
  lac_latest_job_cancel(self->loading);
  if (self->ended && lac_session_get_n_frames(self) > 0)
    lac_session_show_frame(self, self->file->n_frames - 1);
  self->stays = FALSE;
  if (!self->ended)
    lac_wake_source_wake(self->wake);
}

/* ---- the file ---- */

static gpointer
read_fields(gpointer folder, GCancellable *cancellable, GError **error)
{
  return lac_run_file_open_fields(folder, error);
}

/* If the folder cannot be read, no saved frames are known: no message, since the user did not ask for them. */
static void
on_read(gpointer owner, gpointer folder, gpointer result, const GError *error)
{
  LacSession *self = owner;
  if (result == NULL) {
    g_debug("%s", error->message);
    return;
  }
  lac_run_file_unref(self->file);
  self->file = result;
  lac_session_emit(self, LAC_SESSION_FILE_CHANGED);
}

void
lac_session_read_file(LacSession *self)
{
  g_return_if_fail(LAC_IS_SESSION(self) && self->run != NULL);
  if (self->reading == NULL)
    self->reading = lac_latest_job_new(
      self, &(LacJobKind){read_fields, on_read, g_free, (GDestroyNotify) lac_run_file_unref});
  lac_latest_job_start(self->reading, g_strdup(lac_run_get_folder(self->run)));
}

LacRunFile *
lac_session_get_file(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->file;
}

gsize
lac_session_get_n_frames(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), 0);
  return self->file != NULL ? self->file->n_frames : 0;
}

const gint64 *
lac_session_get_frame_steps(LacSession *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_SESSION(self) && n != NULL, NULL);
  *n = self->file != NULL ? self->file->n_frames : 0;
  return self->file != NULL ? self->file->frame_step : NULL;
}

void
lac_session_clear_jobs(LacSession *self)
{
  g_clear_pointer(&self->loading, lac_latest_job_free);
  g_clear_pointer(&self->reading, lac_latest_job_free);
}
