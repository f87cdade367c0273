/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The button that plays frames: every position once, to the end; again from the first one; each long enough to be
 * visible. */
#include "app/helpers/display.h"
#include "app/toolkit/play-button.h"

typedef struct {
  GtkWidget     *window;
  GtkRange      *range;
  LacPlayButton *button;
  GArray        *visited; /* of double */
} Fixture;

static void
on_value(GtkRange *range, Fixture *fixture)
{
  double value = gtk_range_get_value(range);
  g_array_append_val(fixture->visited, value);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  fixture->visited = g_array_new(FALSE, FALSE, sizeof(double));
  fixture->range = GTK_RANGE(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 3, 1));
  fixture->button = g_object_new(LAC_TYPE_PLAY_BUTTON, NULL);
  lac_play_button_set_range(fixture->button, fixture->range);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(fixture->button));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(fixture->range));
  fixture->window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(fixture->window), box);
  gtk_window_present(GTK_WINDOW(fixture->window));
  g_signal_connect(fixture->range, "value-changed", G_CALLBACK(on_value), fixture);
  while (!gtk_widget_get_mapped(GTK_WIDGET(fixture->button)))
    g_main_context_iteration(NULL, TRUE);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  g_array_unref(fixture->visited);
}

static void
play_to_the_end(Fixture *fixture)
{
  lac_play_button_toggle(fixture->button);
  g_assert_true(lac_play_button_is_playing(fixture->button));
  while (lac_play_button_is_playing(fixture->button))
    g_main_context_iteration(NULL, TRUE);
}

static void
assert_visited(Fixture *fixture, const double *values, guint n)
{
  g_assert_cmpuint(fixture->visited->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat(g_array_index(fixture->visited, double, i), ==, values[i]);
  g_array_set_size(fixture->visited, 0);
}

static void
test_plays(Fixture *fixture, gconstpointer data)
{
  const double first[] = {2, 3}, again[] = {0, 1, 2, 3};
  if (fixture->window == NULL)
    return;
  gtk_range_set_value(fixture->range, 1);
  g_array_set_size(fixture->visited, 0);
  play_to_the_end(fixture);
  assert_visited(fixture, first, 2);
  play_to_the_end(fixture);
  assert_visited(fixture, again, 4);
}

static void
test_stops(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  lac_play_button_toggle(fixture->button);
  lac_play_button_toggle(fixture->button);
  g_assert_false(lac_play_button_is_playing(fixture->button));
  lac_play_button_toggle(fixture->button);
  g_assert_true(lac_play_button_is_playing(fixture->button));
  gtk_widget_set_visible(GTK_WIDGET(fixture->button), FALSE);
  g_assert_false(lac_play_button_is_playing(fixture->button));
  lac_play_button_toggle(fixture->button);
  g_assert_false(lac_play_button_is_playing(fixture->button));
}

static void
test_pace(void)
{
  g_assert_cmpuint(lac_play_interval(2), ==, 500);
  g_assert_cmpuint(lac_play_interval(100), ==, 100); /* ten seconds in total */
  g_assert_cmpuint(lac_play_interval(100000), ==, 50);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/app/play/every-place-once-and-again-from-the-beginning", Fixture, NULL, set_up,
             test_plays, tear_down);
  g_test_add("/app/play/stops-when-told-and-when-it-is-not-seen", Fixture, NULL, set_up, test_stops,
             tear_down);
  g_test_add_func("/app/play/many-frames-are-shown-shorter", test_pace);
  return g_test_run();
}
