/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of a resumed run: the metrics and records from before its checkpoint, read by a worker and added in
 * parts, before the run goes on. */
#include "app/session/session-private.h"

#define RECORDS_A_TURN 20000 /* a few milliseconds */

typedef struct {
  LacRun *run; /* of the session, which the job references */
  void (*begin)(LacSession *session);
} Request;

static gpointer
read_earlier(gpointer data, GCancellable *cancellable, GError **error)
{
  return lac_run_peek(((Request *) data)->run, error);
}

typedef struct {
  LacSession *session;
  void (*begin)(LacSession *session);
} Turn;

static void
turn_free(gpointer data)
{
  g_object_unref(((Turn *) data)->session);
  g_free(data);
}

static gboolean
on_turn(gpointer data)
{
  const Turn *turn = data;
  LacSession *self = turn->session;
  if (lac_earlier_records_go_on(self->earlier, RECORDS_A_TURN)) {
    lac_recording_update(self->recording);
    return G_SOURCE_CONTINUE;
  }
  turn->begin(self);
  return G_SOURCE_REMOVE;
}

static void
add_rows(LacSession *self, const LacRunFile *file)
{
  if (file->n_metrics != self->n_metrics)
    return;
  for (gsize i = 0; i < file->n_series; i++)
    lac_session_add_row(file->series_step[i], file->series_seconds[i],
                        file->series + i * file->n_metrics, self);
  lac_session_emit(self, LAC_SESSION_SERIES_CHANGED);
}

/* A folder that cannot be read does not keep the run from going on. */
static void
on_read(gpointer owner, gpointer data, gpointer result, const GError *error)
{
  LacSession           *self = owner;
  const Request        *request = data;
  g_autoptr(LacRunFile) file = result;
  if (file != NULL)
    add_rows(self, file);
  if (file == NULL || file->capture == NULL) {
    request->begin(self);
    return;
  }
  self->earlier =
    lac_earlier_records_new(file->capture, lac_recording_get_capture(self->recording));
  Turn *turn = g_new(Turn, 1);
  *turn = (Turn){g_object_ref(self), request->begin};
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_turn, turn, turn_free);
}

void
lac_session_take_earlier(LacSession *self, void (*begin)(LacSession *session))
{
  Request *request = g_new(Request, 1);
  *request = (Request){self->run, begin};
  lac_job_run(self,
              &(LacJobKind){read_earlier, on_read, g_free, (GDestroyNotify) lac_run_file_unref},
              request);
}
