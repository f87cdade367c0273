/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the parameters that may change while the run goes. */
#include "app/live-page-private.h"
#include "app/param-row.h"

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
                             text); /* for who records */
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
