/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every page and widget builds from its template; the sheet of a file says what is in it. */
#include "app/helpers/display.h"
#include "app/live/page.h"
#include "app/runs/compare-page.h"
#include "app/runs/folder-page.h"
#include "app/setup/gallery-page.h"
#include "app/setup/page.h"
#include "app/shell/application.h"
#include "app/shell/file-dialog.h"
#include "app/timeline/page.h"

#include <glib/gstdio.h>

/* Height of the smallest window, less its header, the page switcher below, and two lines of text that come with a
 * comparison. */
#define LEAST_HEIGHT (570 - 47 - 46 - 44)

static void
test_templates(void)
{
  if (!display_open())
    return;
  GType types[] = {LAC_TYPE_GALLERY_PAGE,  LAC_TYPE_SETUP_PAGE,   LAC_TYPE_LIVE_PAGE,
                   LAC_TYPE_TIMELINE_PAGE, LAC_TYPE_COMPARE_PAGE, LAC_TYPE_FOLDER_PAGE};
  for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
    GtkWidget *widget = g_object_ref_sink(GTK_WIDGET(g_object_new(types[i], NULL)));
    int        minimum = 0, natural = 0;
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
    g_assert_cmpint(minimum, <=, 1024); /* every page fits the smallest window */
    g_assert_cmpint(natural, >=, minimum);
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, 1004, &minimum, &natural, NULL, NULL);
    g_assert_cmpint(minimum, <=, LEAST_HEIGHT);
    g_assert_finalize_object(widget);
  }
}

/* Asserts the page shown by the file sheet for a file with this text, once it is read. */
static void
assert_sheet(const char *text, const char *page)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *folder = g_dir_make_tmp("lacuna-sheet-XXXXXX", &error);
  g_autofree char  *path = g_build_filename(folder, "table.csv", NULL);
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  GtkWidget *sheet = lac_file_dialog_new(NULL, path);
  GtkStack  *stack = GTK_STACK(gtk_widget_get_template_child(sheet, LAC_TYPE_FILE_DIALOG, "stack"));
  guint      late = display_limit_wait();
  gtk_window_present(GTK_WINDOW(sheet));
  while (g_str_equal(gtk_stack_get_visible_child_name(stack), "reading"))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpstr(gtk_stack_get_visible_child_name(stack), ==, page);
  gtk_window_destroy(GTK_WINDOW(sheet));
  g_remove(path);
  g_rmdir(folder);
}

static void
test_sheet(void)
{
  if (!display_open())
    return;
  assert_sheet("x,y,t,quantity,value,sigma\n0.5,0.5,0,u,1,0.1\n", "read");
  assert_sheet("a,b\n1\n", "refused");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/pages/each-builds-from-its-template", test_templates);
  g_test_add_func("/app/files/a-sheet-says-what-is-inside", test_sheet);
  return g_test_run();
}
