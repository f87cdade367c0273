/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sweep in the window: each is a session like any other, and the next one follows. */
#include "app/window-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

static void
end(LacWindow *self)
{
  g_autoptr(LacSweepSeries) series = g_steal_pointer(&self->series);
  gboolean                  whole =
    lac_sweep_series_get_n_done(series) == lac_sweep_get_n(lac_sweep_series_get_sweep(series));
  gsize            n_done = lac_sweep_series_get_n_done(series);
  g_autofree char *sentence = g_strdup_printf(
    ngettext("The sweep has ended after %zu run.", "The sweep has ended after %zu runs.", n_done),
    n_done);
  lac_window_show_page(self, "sweep");
  lac_window_say(self, sentence);
  lac_window_end_hold(self);
  lac_window_go_on_with_queue(self, !whole);
}

void
lac_window_end_sweep(LacWindow *self)
{
  if (self->series == NULL)
    return;
  lac_sweep_series_stop(self->series);
  end(self);
}

static gboolean
on_next(gpointer user_data)
{
  LacWindow     *self = user_data;
  LacRunSettings settings;
  if (self->series == NULL)
    return G_SOURCE_REMOVE;
  if (!lac_sweep_series_fill(self->series, &settings) || !lac_window_launch(self, &settings))
    lac_window_end_sweep(self);
  return G_SOURCE_REMOVE;
}

void
lac_window_launch_sweep(LacWindow *self, const LacRunSettings *settings, const char *text)
{
  g_autoptr(GError)         error = NULL;
  g_autoptr(LacSweepSeries) series = lac_sweep_series_new(settings, text, &error);
  if (series == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_set_object(&self->series, series);
  lac_sweep_page_set_series(self->sweep, series);
  adw_view_stack_page_set_visible(self->sweep_page, TRUE);
  lac_window_show_page(self, "sweep");
  on_next(self);
}

/* The next one is launched when the session that ended has said so to everybody. */
gboolean
lac_window_go_on_with_sweep(LacWindow *self)
{
  if (self->series == NULL)
    return FALSE;
  const LacRunStatus *status = lac_session_get_status(self->session);
  lac_sweep_series_take(self->series, self->session);
  if (strcmp(status->outcome, "stopped") == 0)
    lac_sweep_series_stop(self->series);
  if (lac_sweep_series_is_over(self->series))
    end(self);
  else
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_next, g_object_ref(self), g_object_unref);
  return TRUE;
}
