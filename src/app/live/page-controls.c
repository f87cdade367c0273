/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls of the live page: parameters that may change during the run, the slider over stored frames, and a retry after a failed run. */
#include "app/live/page-private.h"
#include "app/session/remedy-task.h"
#include "app/setup/param-row.h"
#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

/* ---- parameters that may change while the run goes ---- */

static void
on_tuned(LacParamRow *row, LacLivePage *self)
{
  const LacParam   *param = lac_param_row_get_param(row);
  g_autoptr(GError) error = NULL;
  LacRun           *run = lac_session_get_run(self->session);
  if (run == NULL || !lac_session_is_active(self->session) || lac_param_row_get_error(row) != NULL)
    return;
  g_autofree char *text = lac_draft_dup_text(self->draft, param);
  if (!lac_run_set_live(run, param->key, text, &error))
    lac_live_page_set_label(self->message, g_strdup(error->message));
  gtk_widget_set_visible(GTK_WIDGET(self->message), error != NULL);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.tune", "(ss)", param->key,
                             text); /* for a UI recording */
}

void
lac_live_page_tune(LacLivePage *self, const char *key, const char *text)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self) && key != NULL && text != NULL);
  GtkWidget *list = gtk_widget_get_first_child(GTK_WIDGET(self->tuning_rows));
  GtkWidget *row = list != NULL ? gtk_widget_get_first_child(list) : NULL;
  for (; row != NULL; row = gtk_widget_get_next_sibling(row)) {
    const LacParam  *param = lac_param_row_get_param(LAC_PARAM_ROW(row));
    g_autofree char *now = lac_draft_dup_text(self->draft, param);
    if (g_str_equal(param->key, key) && g_strcmp0(now, text) != 0)
      lac_param_row_enter(LAC_PARAM_ROW(row), text);
  }
}

void
lac_live_page_clear_tuning(LacLivePage *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->tuning_rows))) != NULL)
    gtk_box_remove(self->tuning_rows, child);
  g_clear_pointer(&self->draft, lac_draft_free);
}

void
lac_live_page_add_tuning(LacLivePage *self, const LacDraft *draft)
{
  const LacParamTable *table = lac_draft_get_table(draft);
  GtkWidget           *list = gtk_list_box_new();
  gsize                n = 0;
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  self->draft = lac_draft_copy(draft);
  for (gsize i = 0; i < table->n_rows; i++) {
    if (!(table->rows[i].flags & LAC_PARAM_LIVE) ||
        !lac_draft_is_in_use(self->draft, &table->rows[i]))
      continue;
    GtkWidget *row = lac_param_row_new(&table->rows[i], self->draft);
    adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 1);
    g_signal_connect(row, "changed", G_CALLBACK(on_tuned), self);
    gtk_list_box_append(GTK_LIST_BOX(list), row);
    n++;
  }
  gtk_box_append(self->tuning_rows, list);
  gtk_widget_set_visible(self->tuning, n > 0);
}

/* ---- the slider over the kept frames, which plays them ---- */

/* Moves the slider to the stored frame nearest to @frame. */
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
  LacFrame *frame = lac_session_get_frame(self->session);
  gtk_widget_set_visible(self->frames, lac_session_get_n_frames(self->session) > 1);
  if (frame != NULL)
    lac_live_page_follow_frame(self, frame);
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
  lac_session_show_frame(self->session, frame);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.show-frame", "t", (guint64) frame);
}

/* ---- a run that ended badly ---- */

/* Shows what happened in a failed run, its probable cause, and a button that retries with the suggested change. */
static void
show_remedy(LacLivePage *self, const LacRemedy *remedy)
{
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_autofree char *change = lac_remedy_dup_change(remedy);
  gtk_widget_set_visible(self->remedy, TRUE);
  gtk_label_set_text(self->remedy_text, text);
  /* the remedy replaces the message, unless that reports a missing run.h5 */
  gtk_widget_set_visible(GTK_WIDGET(self->message),
                         lac_session_get_status(self->session)->is_unassembled);
  gtk_widget_set_visible(self->retry, change != NULL);
  if (change == NULL)
    return;
  g_autofree char *words = g_strdup_printf(_("Retry with %s"), change);
  gtk_label_set_text(self->retry_label, words);
  lac_accessible_name(self->retry, words);
}

static gboolean
is_wanted(LacLivePage *self)
{
  return self->session != NULL && !lac_session_is_active(self->session) &&
         !lac_session_is_followed(self->session) &&
         lac_remedy_is_wanted(lac_session_get_status(self->session)->outcome);
}

static void
on_found(gpointer owner, gpointer folder, gpointer result, const GError *error)
{
  LacLivePage         *self = owner;
  g_autoptr(LacRemedy) remedy = result;
  if (remedy != NULL && lac_remedy_task_is_of(folder, self->session) && is_wanted(self))
    show_remedy(self, remedy);
}

void
lac_live_page_show_remedy(LacLivePage *self)
{
  gtk_widget_set_visible(self->remedy, FALSE);
  if (is_wanted(self))
    lac_remedy_task_start(self->session, self, on_found);
}
