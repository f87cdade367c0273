/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Further values of a sweep. The first parameter is asked for; the others have the values of the sweep. */
#include "app/runs/add-values.h"

#include "experiment/experiment.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define ACTION "win.folder-add-values"

/* Data of the dialog. */
typedef struct {
  AdwMessageDialog    *dialog;
  const LacParamTable *params;
  GtkLabel            *problem;
  GStrv                keys;
  GPtrArray           *entries; /* AdwEntryRow, one for each key */
} Form;

static void
form_free(gpointer data)
{
  Form *form = data;
  g_strfreev(form->keys);
  g_ptr_array_unref(form->entries);
  g_free(form);
}

/* Returns: (transfer full): the sweep as entered. */
static char *
dup_text(const Form *form)
{
  GString *text = g_string_new(NULL);
  for (guint k = 0; k < form->entries->len; k++)
    g_string_append_printf(text, "%s%s=%s", k > 0 ? "; " : "", form->keys[k],
                           gtk_editable_get_text(form->entries->pdata[k]));
  return g_string_free(text, FALSE);
}

/* Explains what is wrong, except before anything has been entered. */
static void
check(Form *form)
{
  g_autoptr(GError)   error = NULL;
  g_autofree char    *text = dup_text(form);
  gboolean            is_empty = *gtk_editable_get_text(form->entries->pdata[0]) == '\0';
  g_autoptr(LacSweep) sweep = is_empty ? NULL : lac_sweep_parse(form->params, text, &error);
  g_autofree char    *words =
    sweep == NULL
         ? g_strdup(error != NULL ? error->message : _("Values are separated by commas: 5, 7, 10"))
         : g_strdup_printf(ngettext("%zu run", "%zu runs", lac_sweep_get_n(sweep)),
                           lac_sweep_get_n(sweep));
  gtk_label_set_text(form->problem, words);
  adw_message_dialog_set_response_enabled(form->dialog, "add", sweep != NULL);
}

static void
on_response(AdwMessageDialog *dialog, const char *response, Form *form)
{
  GtkWindow       *parent = gtk_window_get_transient_for(GTK_WINDOW(dialog));
  g_autofree char *text = dup_text(form);
  if (g_str_equal(response, "add") && parent != NULL)
    gtk_widget_activate_action(GTK_WIDGET(parent), ACTION, "s", text);
}

/* Returns: (transfer full): the values that the sweep has, without repetition: "0, 1, 2". */
static char *
dup_values(const LacSweepRuns *results, guint key)
{
  g_autoptr(GHashTable) met = g_hash_table_new(g_str_hash, g_str_equal);
  GString              *text = g_string_new(NULL);
  for (guint i = 0; i < results->points->len; i++) {
    char *value = lac_sweep_runs_get_point(results, i)->values[key];
    if (g_hash_table_add(met, value))
      g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", value);
  }
  return g_string_free(text, FALSE);
}

static GtkWidget *
make_body(Form *form, const LacSweepRuns *results)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *group = adw_preferences_group_new();
  form->problem = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(form->problem, TRUE);
  gtk_label_set_xalign(form->problem, 0);
  gtk_widget_add_css_class(GTK_WIDGET(form->problem), "caption");
  for (guint k = 0; results->keys[k] != NULL; k++) {
    GtkWidget       *row = adw_entry_row_new();
    g_autofree char *values = dup_values(results, k);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), results->labels[k]);
    gtk_editable_set_text(GTK_EDITABLE(row), k > 0 ? values : "");
    adw_entry_row_set_activates_default(ADW_ENTRY_ROW(row), TRUE);
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
    g_ptr_array_add(form->entries, row);
    g_signal_connect_swapped(row, "changed", G_CALLBACK(check), form);
  }
  gtk_box_append(GTK_BOX(box), group);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(form->problem));
  return box;
}

GtkWidget *
lac_add_values_show(GtkWindow *parent, const LacSweepRuns *results, const char *experiment)
{
  g_return_val_if_fail(GTK_IS_WINDOW(parent) && results != NULL && results->keys[0] != NULL, NULL);
  const LacExperiment *known = lac_experiment_find(experiment, NULL);
  if (known == NULL)
    return NULL;
  g_autofree char *present = dup_values(results, 0);
  g_autofree char *body = g_strdup_printf(_("The sweep has %s."), present);
  GtkWidget       *dialog = adw_message_dialog_new(parent, _("Add Values"), body);
  Form            *form = g_new0(Form, 1);
  form->dialog = ADW_MESSAGE_DIALOG(dialog);
  form->params = &known->params;
  form->keys = g_strdupv(results->keys);
  form->entries = g_ptr_array_new();
  g_object_set_data_full(G_OBJECT(dialog), "form", form, form_free);
  adw_message_dialog_set_extra_child(form->dialog, make_body(form, results));
  adw_message_dialog_add_responses(form->dialog, "cancel", _("Cancel"), "add", _("Start Runs"),
                                   NULL);
  adw_message_dialog_set_response_appearance(form->dialog, "add", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(form->dialog, "add");
  adw_message_dialog_set_close_response(form->dialog, "cancel");
  g_signal_connect(dialog, "response", G_CALLBACK(on_response), form);
  check(form);
  gtk_window_set_focus(GTK_WINDOW(dialog), /* the keyboard adds values at once */
                       GTK_WIDGET(gtk_editable_get_delegate(form->entries->pdata[0])));
  gtk_window_present(GTK_WINDOW(dialog));
  return dialog;
}
