/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sheet of a data file. */
#include "app/shell/file-dialog.h"

#include "app/toolkit/latest-job.h"
#include "app/toolkit/recent-files.h"
#include "run/plan/import.h"

#include <glib/gi18n-lib.h>

struct _LacFileDialog {
  AdwWindow            parent_instance;
  AdwWindowTitle      *heading;
  GtkStack            *stack;
  GtkSpinner          *spinner;
  AdwStatusPage       *refusal;
  GtkLabel            *holds;
  AdwPreferencesGroup *uses;
};

G_DEFINE_FINAL_TYPE(LacFileDialog, lac_file_dialog, ADW_TYPE_WINDOW)

static const char *
translate(const char *text)
{
  return g_dgettext(GETTEXT_PACKAGE, text);
}

static void
on_use(GtkWidget *row, LacFileDialog *self)
{
  GVariant  *use = g_object_get_data(G_OBJECT(row), "use");
  GtkWindow *parent = gtk_window_get_transient_for(GTK_WINDOW(self));
  gtk_widget_activate_action_variant(GTK_WIDGET(parent), "win.use-file", use);
  gtk_window_close(GTK_WINDOW(self));
}

static void
add_use(LacFileDialog *self, const LacImportUse *use)
{
  GtkWidget       *row = adw_action_row_new();
  g_autofree char *title = g_markup_escape_text(translate(use->experiment->title), -1);
  g_autofree char *label = g_markup_escape_text(translate(use->row->label), -1);
  /* Translators: the name of a parameter that takes the file. */
  g_autofree char *subtitle = g_strdup_printf(_("as “%s”"), label);
  if (use->doubt != NULL) {
    g_autofree char *as = g_steal_pointer(&subtitle), *doubt = g_markup_escape_text(use->doubt, -1);
    /* Translators: what a file is used as, then what speaks against it. */
    subtitle = g_strdup_printf(_("%s, but not with the default settings: %s"), as, doubt);
  }
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), gtk_image_new_from_icon_name("go-next-symbolic"));
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  g_object_set_data_full(
    G_OBJECT(row), "use",
    g_variant_ref_sink(g_variant_new("(sss)", use->experiment->name, use->row->key, use->value)),
    (GDestroyNotify) g_variant_unref);
  g_signal_connect(row, "activated", G_CALLBACK(on_use), self);
  adw_preferences_group_add(self->uses, row);
}

/* Shows the contents of the file. Strips the path from the start of the text, since the heading has it. */
static void
show_import(LacFileDialog *self, const LacImport *import, const char *path)
{
  const char      *holds = import->holds;
  g_autofree char *start = g_strconcat(path, ": ", NULL);
  if (g_str_has_prefix(holds, start))
    holds += strlen(start);
  g_autofree char *text = g_strchomp(g_strdup(holds));
  gtk_label_set_text(self->holds, text);
  for (gsize i = 0; i < import->n_uses; i++)
    add_use(self, &import->uses[i]);
  if (import->n_uses == 0)
    adw_preferences_group_set_description(
      self->uses, _("No experiment can use this file: it has neither a field with axes nor "
                    "measurements of a known quantity."));
  gtk_stack_set_visible_child_name(self->stack, "read");
}

static gpointer
work(gpointer path, GCancellable *cancellable, GError **error)
{
  return lac_import_read(path, error);
}

static void
on_read(gpointer owner, gpointer path, gpointer result, const GError *error)
{
  LacFileDialog       *self = owner;
  g_autoptr(LacImport) import = result;
  if (self->stack == NULL)
    return; /* closed while reading */
  gtk_spinner_stop(self->spinner);
  if (import != NULL) {
    lac_recent_files_add(path); /* it could be read */
    show_import(self, import, path);
    return;
  }
  g_autofree char *why = g_markup_escape_text(error->message, -1);
  adw_status_page_set_description(self->refusal, why);
  gtk_stack_set_visible_child_name(self->stack, "refused");
}

static void
lac_file_dialog_dispose(GObject *object)
{
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_FILE_DIALOG);
  G_OBJECT_CLASS(lac_file_dialog_parent_class)->dispose(object);
}

static void
lac_file_dialog_class_init(LacFileDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_file_dialog_dispose;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/shell/file-sheet.ui");
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, heading);
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, stack);
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, spinner);
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, refusal);
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, holds);
  gtk_widget_class_bind_template_child(widget_class, LacFileDialog, uses);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
lac_file_dialog_init(LacFileDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

GtkWidget *
lac_file_dialog_new(GtkWindow *parent, const char *path)
{
  g_return_val_if_fail(path != NULL, NULL);
  LacFileDialog   *self = g_object_new(LAC_TYPE_FILE_DIALOG, "transient-for", parent, NULL);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *folder = g_path_get_dirname(path);
  gtk_window_set_title(GTK_WINDOW(self), name);
  adw_window_title_set_title(self->heading, name);
  adw_window_title_set_subtitle(self->heading, folder);
  lac_job_run(self, &(LacJobKind){.work = work, .show = on_read, .free_request = g_free},
              g_strdup(path));
  return GTK_WIDGET(self);
}
