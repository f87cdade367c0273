/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a table fill its width, at any width and with any columns hidden. */
#include "app/helpers/display.h"
#include "app/toolkit/column-choice.h"

#define FIRST  150
#define OTHER  100
#define N      6
#define HEIGHT 200

typedef struct {
  GtkWidget           *window;
  GtkWidget           *scroller;
  GtkColumnViewColumn *columns[N + 1];
  LacColumnChoice     *choice;
} Fixture;

static GtkColumnViewColumn *
add_column(GtkColumnView *view, int width)
{
  GtkColumnViewColumn *column =
    gtk_column_view_column_new("name", gtk_signal_list_item_factory_new());
  gtk_column_view_column_set_fixed_width(column, width);
  gtk_column_view_append_column(view, column);
  g_object_unref(column);
  return column;
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  static const char *const keys[N] = {"a", "b", "c", "d", "e", "f"};
  if (!display_open())
    return;
  GtkWidget *view = gtk_column_view_new(NULL);
  fixture->scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(fixture->scroller), view);
  fixture->columns[0] = add_column(GTK_COLUMN_VIEW(view), FIRST);
  fixture->choice =
    lac_column_choice_new(GTK_SCROLLED_WINDOW(fixture->scroller), fixture->columns[0]);
  for (guint i = 0; i < N; i++) {
    fixture->columns[i + 1] = add_column(GTK_COLUMN_VIEW(view), OTHER);
    lac_column_choice_add(fixture->choice, keys[i], fixture->columns[i + 1], i == N - 1);
  }
  fixture->window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(fixture->window), fixture->scroller);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  g_object_unref(fixture->choice);
}

static int
get_width(Fixture *fixture)
{
  return (int) gtk_adjustment_get_page_size(
    gtk_scrolled_window_get_hadjustment(GTK_SCROLLED_WINDOW(fixture->scroller)));
}

static guint
count_shown(Fixture *fixture)
{
  guint n = 0;
  for (guint i = 1; i <= N; i++)
    n += gtk_column_view_column_get_visible(fixture->columns[i]) ? 1 : 0;
  return n;
}

static void
show_at(Fixture *fixture, int width)
{
  guint late = display_limit_wait();
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), width, HEIGHT);
  gtk_window_present(GTK_WINDOW(fixture->window));
  while (get_width(fixture) != width)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  while (g_main_context_iteration(NULL, FALSE))
    ;
}

static void
assert_full(Fixture *fixture)
{
  const int others = (int) count_shown(fixture) * OTHER;
  g_assert_cmpint(gtk_column_view_column_get_fixed_width(fixture->columns[0]) + others, ==,
                  get_width(fixture));
}

static void
test_fills(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  show_at(fixture, 900); /* all fit */
  g_assert_cmpuint(count_shown(fixture), ==, N);
  assert_full(fixture);
  show_at(fixture, 480);
  g_assert_cmpuint(count_shown(fixture), ==, 3);
  g_assert_true(gtk_column_view_column_get_visible(fixture->columns[N])); /* it is important */
  assert_full(fixture);
  show_at(fixture, 900);
  g_assert_cmpuint(count_shown(fixture), ==, N);
  assert_full(fixture);
}

static void
test_a_person_draws(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  show_at(fixture, 480);
  gtk_column_view_column_set_fixed_width(fixture->columns[0], 2 * FIRST);
  show_at(fixture, 520); /* one fewer column fits */
  g_assert_cmpuint(count_shown(fixture), ==, 2);
  assert_full(fixture);
  gtk_widget_activate_action(fixture->scroller, "columns.b", NULL);
  g_assert_true(gtk_column_view_column_get_visible(fixture->columns[2]));
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/app/columns/fill-the-table", Fixture, NULL, set_up, test_fills, tear_down);
  g_test_add("/app/columns/one-that-a-person-drew-stays", Fixture, NULL, set_up,
             test_a_person_draws, tear_down);
  return g_test_run();
}
