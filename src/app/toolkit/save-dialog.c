/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The save dialog. Not a widget: its window references it until it is closed. */
#include "app/toolkit/save-dialog.h"

#include <glib/gi18n-lib.h>

#define KEPT "lac-save-dialog"

/* An open dialog of a window. */
typedef struct {
  GtkFileChooserNative *chooser;
  LacSaveFunc           save;
} Asked;

static void
asked_free(gpointer data)
{
  Asked *asked = data;

  g_object_unref(asked->chooser);
  g_free(asked);
}

static void
on_answer(GtkNativeDialog *dialog, int response, GtkWindow *parent)
{
  g_autoptr(GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path(file) : NULL;
  const Asked     *asked = g_object_get_data(G_OBJECT(parent), KEPT);
  LacSaveFunc      save = asked->save;

  gtk_window_present(parent); /* the focus does not return automatically */
  g_object_set_data(G_OBJECT(parent), KEPT, NULL);
  if (path != NULL)
    save(parent, path);
}

static void
add_filters(GtkFileChooser *chooser, const char *endings)
{
  g_auto(GStrv) all = g_strsplit(endings, " ", -1);

  for (gsize i = 0; all[i] != NULL; i++) {
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    g_autofree char         *name = g_ascii_strup(all[i], -1);

    gtk_file_filter_set_name(filter, name);
    gtk_file_filter_add_suffix(filter, all[i]);
    gtk_file_chooser_add_filter(chooser, filter);
  }
}

void
lac_save_dialog_show(GtkWindow *parent, const LacSaveOffer *offer)
{
  g_return_if_fail(GTK_IS_WINDOW(parent) && offer != NULL && offer->save != NULL);
  Asked                *asked = g_new0(Asked, 1);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
    offer->title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));

  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), offer->name);
  add_filters(GTK_FILE_CHOOSER(chooser), offer->endings);
  asked->chooser = chooser;
  asked->save = offer->save;
  g_object_set_data_full(G_OBJECT(parent), KEPT, asked, asked_free);
  g_signal_connect_object(chooser, "response", G_CALLBACK(on_answer), parent, 0);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
}

void
lac_save_dialog_notify(GtkWindow *window, const char *path)
{
  g_return_if_fail(GTK_IS_WINDOW(window) && path != NULL);
  GtkWindow *parent = gtk_window_get_transient_for(window);
  GAction   *exported =
    G_IS_ACTION_MAP(parent) ? g_action_map_lookup_action(G_ACTION_MAP(parent), "exported") : NULL;

  if (exported != NULL)
    g_simple_action_set_state(G_SIMPLE_ACTION(exported), g_variant_new_string(path));
}

void
lac_save_dialog_ask(GtkWindow *window, const char *action, const char *path, LacSaveFunc save)
{
  g_return_if_fail(GTK_IS_WINDOW(window) && action != NULL && path != NULL && save != NULL);
  GtkWindow *parent = gtk_window_get_transient_for(window);

  if (G_IS_ACTION_GROUP(parent) && g_action_group_has_action(G_ACTION_GROUP(parent), action))
    g_action_group_activate_action(G_ACTION_GROUP(parent), action, g_variant_new_string(path));
  else
    save(window, path);
}
