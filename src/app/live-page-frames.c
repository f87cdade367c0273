/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slider over the kept frames of a run, which plays them. */
#include "app/live-page-private.h"

/* The slider stands at the kept frame nearest to the one shown, whoever chose it. */
void
lac_live_page_follow_frame(LacLivePage *self, const LacFrame *frame)
{
  const LacRunFile *file = lac_session_get_file(self->session);
  gssize            index = file != NULL ? lac_run_file_find_frame(file, frame->step) : -1;
  if (index < 0 || file->n_frames < 2)
    return;
  self->follows_frame = TRUE;
  gtk_widget_set_visible(self->frames, TRUE);
  gtk_range_set_range(GTK_RANGE(self->frame), 0, (double) (file->n_frames - 1));
  gtk_range_set_value(GTK_RANGE(self->frame), (double) index);
  self->follows_frame = FALSE;
}

void
lac_live_page_show_kept_frames(LacLivePage *self)
{
  gsize n = lac_session_get_n_frames(self->session);
  gtk_widget_set_visible(self->frames, n > 1);
  if (n > 1) {
    gtk_range_set_range(GTK_RANGE(self->frame), 0, (double) (n - 1));
    gtk_range_set_value(GTK_RANGE(self->frame), (double) (n - 1));
  }
}

void
lac_live_page_play(LacLivePage *self)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  lac_play_button_toggle(self->play);
}

void
lac_live_page_on_frame_chosen(GtkRange *range, LacLivePage *self)
{
  if (self->session == NULL || self->follows_frame || lac_session_get_file(self->session) == NULL)
    return;
  const gsize frame = (gsize) (gtk_range_get_value(range) + 0.5);
  lac_step_frame_follow(self->of_step, NULL, -1);
  lac_session_show_frame(self->session, frame, NULL);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.show-frame", "t", (guint64) frame);
}
