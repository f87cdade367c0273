/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Side of the page of fields: parameters that may change during the run, a retry after a failed run, findings. */
#include "app/live/page-private.h"
#include "app/live/tune-row.h"
#include "app/session/remedy-task.h"
#include "app/toolkit/accessible.h"
#include "report/summary/reliability.h"

#include <glib/gi18n-lib.h>

/* ---- parameters that may change while the run goes ---- */

/* Changes the setting of the run, and lists the change with the value before. */
static void
apply(LacLivePage *self, LacTuneRow *row, const char *text)
{
  const LacParam   *param = lac_tune_row_get_param(row);
  g_autoptr(GError) error = NULL;
  const char       *before = g_hash_table_lookup(self->tuned, param->key);
  if (lac_run_set_live(lac_session_get_run(self->session), param->key, text, &error)) {
    lac_live_changes_add(self->changes, param->key, _(param->label), before, text);
    lac_tune_row_set_before(row, before);
    g_hash_table_insert(self->tuned, g_strdup(param->key), g_strdup(text));
    lac_live_page_set_label(self->message, g_strdup(""));
  } else {
    lac_live_page_set_label(self->message, g_strdup(error->message));
  }
  gtk_widget_set_visible(GTK_WIDGET(self->message), error != NULL);
  lac_live_page_show_caution(self);
}

static void
on_tuned(LacTuneRow *row, LacLivePage *self)
{
  const LacParam *param = lac_tune_row_get_param(row);
  LacRun         *run = lac_session_get_run(self->session);
  if (run == NULL || !lac_session_is_active(self->session))
    return;
  g_autofree char *text = lac_draft_dup_text(self->draft, param);
  apply(self, row, text);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.tune", "(ss)", param->key,
                             text); /* for a UI recording */
}

void
lac_live_page_tune(LacLivePage *self, const char *key, const char *text)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self) && key != NULL && text != NULL);
  for (guint i = 0; i < self->tuning_rows->len; i++) {
    LacTuneRow      *row = self->tuning_rows->pdata[i];
    const LacParam  *param = lac_tune_row_get_param(row);
    g_autofree char *now = lac_draft_dup_text(self->draft, param);
    if (g_str_equal(param->key, key) && g_strcmp0(now, text) != 0)
      lac_tune_row_enter(row, text);
  }
}

void
lac_live_page_clear_tuning(LacLivePage *self)
{
  for (guint i = 0; i < self->tuning_rows->len; i++)
    adw_preferences_group_remove(self->tuning, self->tuning_rows->pdata[i]);
  g_ptr_array_set_size(self->tuning_rows, 0);
  g_hash_table_remove_all(self->tuned);
  g_clear_pointer(&self->draft, lac_draft_free);
  lac_live_page_end_tuning(self);
}

void
lac_live_page_show_change(LacLivePage *self)
{
  gboolean has_any = gtk_widget_get_visible(GTK_WIDGET(self->tuning)) ||
                     gtk_widget_get_visible(GTK_WIDGET(self->changes));
  gtk_widget_set_visible(GTK_WIDGET(self->change), has_any);
  gtk_widget_set_sensitive(self->part_change, has_any);
}

void
lac_live_page_end_tuning(LacLivePage *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self->tuning), FALSE);
  gtk_widget_set_visible(self->tuning_hint, FALSE);
  lac_live_page_show_change(self);
}

void
lac_live_page_add_tuning(LacLivePage *self, const LacDraft *draft)
{
  const LacParamTable *table = lac_draft_get_table(draft);
  self->draft = lac_draft_copy(draft);
  for (gsize i = 0; i < table->n_rows; i++) {
    if (!(table->rows[i].flags & LAC_PARAM_LIVE) ||
        !lac_draft_is_in_use(self->draft, &table->rows[i]))
      continue;
    GtkWidget *row = lac_tune_row_new(&table->rows[i], self->draft);
    g_hash_table_insert(self->tuned, g_strdup(table->rows[i].key),
                        lac_draft_dup_text(self->draft, &table->rows[i]));
    g_signal_connect(row, "changed", G_CALLBACK(on_tuned), self);
    adw_preferences_group_add(self->tuning, row);
    g_ptr_array_add(self->tuning_rows, row);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->tuning), self->tuning_rows->len > 0);
  gtk_widget_set_visible(self->tuning_hint, self->tuning_rows->len > 0);
  lac_live_page_show_change(self);
}

/* ---- a run that ended badly ---- */

/* Shows what happened in a failed run, its probable cause, and a button that retries with the suggested change. */
static void
show_remedy(LacLivePage *self, const LacRemedy *remedy)
{
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_autofree char *change = lac_remedy_dup_change(remedy);
  gtk_widget_set_visible(GTK_WIDGET(self->remedy_text), TRUE);
  gtk_label_set_text(self->remedy_text, text);
  /* the remedy replaces the message, unless that reports a missing run.h5 */
  gtk_widget_set_visible(GTK_WIDGET(self->message),
                         lac_session_get_status(self->session)->is_unassembled);
  gtk_widget_set_visible(self->retry, change != NULL);
  lac_live_page_show_caution(self);
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
  gsize                n;
  const gint64        *steps;
  if (remedy == NULL || !lac_remedy_task_is_of(folder, self->session) || !is_wanted(self))
    return;
  steps = lac_session_get_frame_steps(self->session, &n);
  if (steps != NULL && n > 0) /* fields may have been saved before the metrics of their step */
    remedy->step = MAX(remedy->step, steps[n - 1]);
  show_remedy(self, remedy);
}

void
lac_live_page_show_remedy(LacLivePage *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self->remedy_text), FALSE);
  gtk_widget_set_visible(self->retry, FALSE);
  lac_live_page_show_caution(self);
  if (is_wanted(self))
    lac_remedy_task_start(self->session, self, on_found);
}

/* ---- findings ---- */

static void
add_finding(LacLivePage *self, const char *words)
{
  GtkWidget *label = gtk_label_new(words);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_set_can_focus(label, FALSE);
  gtk_widget_add_css_class(label, "card");
  gtk_widget_add_css_class(label, "padded");
  gtk_box_append(self->findings, label);
}

/* Lists how reliable each method is that is evaluated by its sensors. */
void
lac_live_page_show_findings(LacLivePage *self)
{
  GtkWidget            *child;
  const LacMethodTable *table = lac_method_view_get_table(self->methods);
  gsize                 n;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->findings))) != NULL)
    gtk_box_remove(self->findings, child);
  if (self->session == NULL)
    return;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize r = 0; r < table->n_rows; r++) {
    const LacReliability reliability =
      lac_reliability_gather(table->rows[r].group, metrics, values, n);
    g_autofree char *sentence = lac_reliability_dup_sentence(&reliability);
    if (sentence == NULL)
      continue;
    g_autofree char *words = g_strdup_printf("%s %s.", table->rows[r].name, sentence);
    add_finding(self, words);
  }
}
