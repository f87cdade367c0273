/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A separate window that offers one file for dragging, like a file manager. Usage: drag-source FILE */
#include <gtk/gtk.h>

static GdkContentProvider *
on_prepare(GtkDragSource *source G_GNUC_UNUSED,
           double x              G_GNUC_UNUSED,
           double y              G_GNUC_UNUSED,
           GFile                *file)
{
  GFile *files[] = {file};

  return gdk_content_provider_new_typed(GDK_TYPE_FILE_LIST, gdk_file_list_new_from_array(files, 1));
}

int
main(int argc, char **argv)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
  g_autoptr(GFile)     file = argc == 2 ? g_file_new_for_commandline_arg(argv[1]) : NULL;
  GtkDragSource       *drag;
  GtkWidget           *window, *label;

  if (!file || !gtk_init_check())
    return 2;
  drag = gtk_drag_source_new();
  window = gtk_window_new();
  label = gtk_label_new("drag");
  gtk_widget_set_size_request(label, 120, 60);
  gtk_drag_source_set_actions(drag, GDK_ACTION_COPY);
  g_signal_connect(drag, "prepare", G_CALLBACK(on_prepare), file);
  gtk_widget_add_controller(label, GTK_EVENT_CONTROLLER(drag));
  gtk_window_set_title(GTK_WINDOW(window), "Lacuna's drag source");
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_child(GTK_WINDOW(window), label);
  gtk_window_present(GTK_WINDOW(window));
  g_main_loop_run(loop);
  return 0;
}
