/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row with the faster title layout has the same size as libadwaita's own at every width, and its labels the same
 * positions. */
#include "app/setup/stack-layout.h"

static GtkWidget *
make_row(const char *title, const char *subtitle, gboolean quick)
{
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 2);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), gtk_button_new_with_label("Suffix"));
  if (quick)
    lac_stack_layout_take_titles(row);
  return row;
}

static void
assert_same_box(GtkWidget *a, GtkWidget *b, GtkWidget *in_a, GtkWidget *in_b)
{
  graphene_rect_t x, y;
  g_assert_true(gtk_widget_compute_bounds(a, in_a, &x));
  g_assert_true(gtk_widget_compute_bounds(b, in_b, &y));
  if (GTK_IS_LABEL(a)) {
    g_assert_cmpfloat(x.origin.x, ==, y.origin.x);
    g_assert_cmpfloat(x.origin.y, ==, y.origin.y);
    g_assert_cmpfloat(x.size.width, ==, y.size.width);
    g_assert_cmpfloat(x.size.height, ==, y.size.height);
  }
  GtkWidget *i = gtk_widget_get_first_child(a), *k = gtk_widget_get_first_child(b);
  for (; i != NULL && k != NULL;
       i = gtk_widget_get_next_sibling(i), k = gtk_widget_get_next_sibling(k))
    if (gtk_widget_get_mapped(i))
      assert_same_box(i, k, in_a, in_b);
  g_assert_true(i == NULL && k == NULL);
}

static void
turn(guint n)
{
  for (guint i = 0; i < n * 4; i++) {
    g_usleep(5000);
    while (g_main_context_iteration(NULL, FALSE))
      ;
  }
}

static void
test_as_the_library_lays_out(gconstpointer subtitle)
{
  GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *usual = make_row("A title of some words", subtitle, FALSE);
  GtkWidget *quick = make_row("A title of some words", subtitle, TRUE);
  for (guint i = 0; i < 2;
       i++) { /* each in a separate list: the last row of a list has no line below */
    GtkWidget *list = gtk_list_box_new();
    gtk_widget_add_css_class(list, "boxed-list");
    gtk_list_box_append(GTK_LIST_BOX(list), i == 0 ? usual : quick);
    gtk_box_append(GTK_BOX(box), list);
  }
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_present(GTK_WINDOW(window));
  turn(20);
  for (int width = -1; width < 1000; width += width < 0 ? 241 : 40) {
    int least[2], natural[2];
    gtk_widget_measure(usual, width < 0 ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL,
                       width, &least[0], &natural[0], NULL, NULL);
    gtk_widget_measure(quick, width < 0 ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL,
                       width, &least[1], &natural[1], NULL, NULL);
    g_assert_cmpint(least[0], ==, least[1]);
    g_assert_cmpint(natural[0], ==, natural[1]);
  }
  assert_same_box(usual, quick, usual, quick);
  gtk_window_destroy(GTK_WINDOW(window));
  turn(2);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_data_func("/app/stack-layout/one-line", "Short.", test_as_the_library_lays_out);
  g_test_add_data_func("/app/stack-layout/no-subtitle", "", test_as_the_library_lays_out);
  g_test_add_data_func("/app/stack-layout/many-lines",
                       "A sentence that is longer than any window is wide, so that it is broken "
                       "into lines, more of them than are shown, wherever there is a space in it.",
                       test_as_the_library_lays_out);
  return g_test_run();
}
