/* SPDX-License-Identifier: GPL-3.0-or-later */
/* About This Machine on the emulated device with one kernel that does nothing: the rows, the test with its progress
 * and result, its cancellation, and its end with the window. */
#include "app/helpers/display.h"
#include "app/shell/machine-window.h"

#include <string.h>

typedef struct {
  GtkWidget *window;
} Fixture;

typedef gboolean (*Predicate)(GtkWidget *widget, const char *text);

static GtkWidget *
find(GtkWidget *widget, Predicate is_it, const char *text)
{
  GtkWidget *found = gtk_widget_get_visible(widget) && is_it(widget, text) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = gtk_widget_get_visible(child) ? find(child, is_it, text) : NULL;
  return found;
}

static gboolean
is_label(GtkWidget *widget, const char *text)
{
  return GTK_IS_LABEL(widget) && strstr(gtk_label_get_text(GTK_LABEL(widget)), text) != NULL;
}

static gboolean
is_button(GtkWidget *widget, const char *text)
{
  return GTK_IS_BUTTON(widget) && g_strcmp0(gtk_button_get_label(GTK_BUTTON(widget)), text) == 0;
}

static gboolean
is_bar(GtkWidget *widget, const char *text)
{
  return GTK_IS_PROGRESS_BAR(widget);
}

static GtkWidget *
wait_for(const Fixture *fixture, Predicate is_it, const char *text)
{
  guint      limit = display_limit_wait();
  GtkWidget *found;
  while ((found = find(fixture->window, is_it, text)) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
  return found;
}

static void
click(GtkWidget *button)
{
  g_signal_emit_by_name(button, "clicked");
}

/* Call before any thread exists. */
static void
choose_device(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  g_setenv("LACUNA_EMULATED_CAPABILITY", "86", TRUE);
  g_setenv("LACUNA_EMULATED_LEFT_OUT", "LacRankUpdate", TRUE);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autofree char *module = g_build_filename(g_getenv("LACUNA_MODULE_DIR"), "liblac-cuda.so", NULL);
  if (!g_file_test(module, G_FILE_TEST_EXISTS)) {
    g_test_skip("the emulated device was not built");
    return;
  }
  if (!display_open())
    return;
  fixture->window = lac_machine_window_new(NULL);
  gtk_window_present(GTK_WINDOW(fixture->window));
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window != NULL)
    gtk_window_destroy(GTK_WINDOW(fixture->window));
}

static void
test_rows(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  wait_for(fixture, is_label, "emulated device (cuda)");
  g_assert_nonnull(find(fixture->window, is_label, "Vector instructions"));
  g_assert_nonnull(find(fixture->window, is_label, "Compute capability"));
  g_assert_nonnull(find(fixture->window, is_label, "8.6"));
  g_assert_null(find(fixture->window, is_bar, NULL));
}

/* The failing operation is named with its error, below the verdict. */
static void
test_names_what_is_wrong(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  click(wait_for(fixture, is_button, "Test"));
  GtkWidget *bar = wait_for(fixture, is_bar, NULL);
  guint      limit = display_limit_wait();
  g_assert_nonnull(find(fixture->window, is_button, "Cancel"));
  while (gtk_progress_bar_get_fraction(GTK_PROGRESS_BAR(bar)) < 0.05)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
  wait_for(fixture, is_label, "2 checks failed: rank-update");
  g_assert_nonnull(find(fixture->window, is_label, "rank-update, f32"));
  g_assert_nonnull(find(fixture->window, is_label, "rank-update, f64"));
  g_assert_nonnull(find(fixture->window, is_label, "times the tolerance"));
  if (g_strcmp0(g_getenv("LACUNA_TEST_SANITIZED"), "1") !=
      0) /* else the test may be over already */
    g_assert_nonnull(find(fixture->window, is_label, "Matrix products, single precision"));
  g_assert_nonnull(find(fixture->window, is_button, "Test"));
  g_assert_null(find(fixture->window, is_bar, NULL));
}

static void
test_can_be_cancelled(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  click(wait_for(fixture, is_button, "Test"));
  click(wait_for(fixture, is_button, "Cancel"));
  wait_for(fixture, is_label, "left out");
}

/* A thread within the module must end before the program. */
static void
test_ends_with_its_window(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  GtkWidget *button = wait_for(fixture, is_button, "Test");
  GtkWidget *group = gtk_widget_get_ancestor(button, ADW_TYPE_PREFERENCES_GROUP);
  GObject   *test = g_object_get_data(G_OBJECT(group), "test");
  g_object_add_weak_pointer(test, (gpointer *) &test);
  click(button);
  wait_for(fixture, is_bar, NULL);
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  fixture->window = NULL;
  g_assert_nonnull(test); /* which the thread holds */
  guint limit = display_limit_wait();
  while (test != NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
}

#define ADD(name, test) g_test_add("/app/machine/" name, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  choose_device();
  ADD("lists-processor-and-device", test_rows);
  ADD("a-test-names-what-is-wrong", test_names_what_is_wrong);
  ADD("a-test-can-be-cancelled", test_can_be_cancelled);
  ADD("a-test-ends-with-its-window", test_ends_with_its_window);
  return g_test_run();
}
