/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sweep on the workbench: each is an ordinary session, and the next one follows. */
#include "app/session/workbench-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

LacSweepSeries *
lac_workbench_get_series(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->series;
}

static void
end(LacWorkbench *self)
{
  g_autoptr(LacSweepSeries) series = g_steal_pointer(&self->series);
  gboolean                  whole =
    lac_sweep_series_get_n_done(series) == lac_sweep_get_n(lac_sweep_series_get_sweep(series));
  gsize            n_done = lac_sweep_series_get_n_done(series);
  g_autofree char *sentence = g_strdup_printf(
    ngettext("The sweep has ended after %zu run.", "The sweep has ended after %zu runs.", n_done),
    n_done);
  lac_workbench_emit(self, LAC_WORKBENCH_SWEEP_CHANGED);
  lac_workbench_show_message(self, sentence);
  lac_workbench_emit(self, LAC_WORKBENCH_SETTLED);
  lac_workbench_go_on_with_queue(self, !whole);
}

void
lac_workbench_end_sweep(LacWorkbench *self)
{
  if (self->series == NULL)
    return;
  lac_sweep_series_stop(self->series);
  end(self);
}

static gboolean
on_next(gpointer user_data)
{
  LacWorkbench  *self = user_data;
  LacRunSettings settings;
  if (self->series == NULL)
    return G_SOURCE_REMOVE;
  if (!lac_sweep_series_fill(self->series, &settings) ||
      !lac_workbench_begin(self, &settings, lac_workbench_shows_next(self)))
    lac_workbench_end_sweep(self);
  return G_SOURCE_REMOVE;
}

void
lac_workbench_begin_sweep(LacWorkbench *self, const LacRunSettings *settings, const char *text)
{
  g_autoptr(GError)         error = NULL;
  g_autoptr(LacSweepSeries) series = lac_sweep_series_new(settings, text, &error);
  if (series == NULL) {
    lac_workbench_show_message(self, error->message);
    return;
  }
  g_set_object(&self->series, series);
  lac_workbench_emit(self, LAC_WORKBENCH_SWEEP_CHANGED);
  on_next(self);
}

void
lac_workbench_launch_sweep(LacWorkbench *self, const LacRunSettings *settings, const char *text)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && settings != NULL && text != NULL);
  self->shows_next = TRUE;
  lac_workbench_begin_sweep(self, settings, text);
  self->shows_next = FALSE;
}

/* Launches the next run after all handlers of "ended" have run. */
gboolean
lac_workbench_go_on_with_sweep(LacWorkbench *self)
{
  if (self->series == NULL)
    return FALSE;
  const LacRunStatus *status = lac_session_get_status(self->latest);
  lac_sweep_series_take(self->series, self->latest);
  if (strcmp(status->outcome, "stopped") == 0)
    lac_sweep_series_stop(self->series);
  if (lac_sweep_series_is_over(self->series))
    end(self);
  else
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_next, g_object_ref(self), g_object_unref);
  return TRUE;
}
