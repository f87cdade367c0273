/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gallery draws the visible cards at any scroll position, and not those far away. */
#include "app/helpers/display.h"
#include "app/setup/gallery-page.h"

#define WIDTH  900
#define HEIGHT 600
#define FAR    320 /* distance from the visible area; greater than the height of a row */

typedef struct {
  GtkWidget *window;
  GtkWidget *page;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  guint late = display_limit_wait();
  fixture->page = g_object_new(LAC_TYPE_GALLERY_PAGE, NULL);
  fixture->window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), WIDTH, HEIGHT);
  gtk_window_set_child(GTK_WINDOW(fixture->window), fixture->page);
  gtk_window_present(GTK_WINDOW(fixture->window));
  while (!lac_gallery_page_is_complete(LAC_GALLERY_PAGE(fixture->page)))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window != NULL)
    gtk_window_destroy(GTK_WINDOW(fixture->window));
}

static void
add_cards(GtkWidget *widget, GPtrArray *cards)
{
  if (LAC_IS_EXPERIMENT_CARD(widget))
    g_ptr_array_add(cards, widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    add_cards(child, cards);
}

static void
on_painted(GdkFrameClock *clock, guint *n_painted)
{
  ++*n_painted;
}

/* Waits until changes have been painted. */
static void
settle(Fixture *fixture)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock(fixture->page);
  guint          late = display_limit_wait(), n_painted = 0;
  gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), &n_painted);
  while (n_painted < 3) {
    gdk_frame_clock_request_phase(clock,
                                  GDK_FRAME_CLOCK_PHASE_AFTER_PAINT); /* draws nothing itself */
    g_main_context_iteration(NULL, TRUE);
  }
  g_signal_handler_disconnect(clock, handler);
  g_source_remove(late);
}

/* Returns: the number of visible cards */
static guint
check(Fixture *fixture)
{
  g_autoptr(GPtrArray) cards = g_ptr_array_new();
  guint                n_seen = 0, n_far = 0;
  settle(fixture);
  add_cards(fixture->page, cards);
  for (guint i = 0; i < cards->len; i++) {
    LacExperimentCard *card = g_ptr_array_index(cards, i);
    graphene_rect_t    box;
    if (!gtk_widget_get_mapped(GTK_WIDGET(card)))
      continue;
    g_assert_true(gtk_widget_compute_bounds(GTK_WIDGET(card), fixture->page, &box));
    double   top = (double) box.origin.y, bottom = top + (double) box.size.height;
    gboolean seen = bottom > 0 && top < HEIGHT, is_far = bottom < -FAR || top > HEIGHT + FAR;
    n_seen += seen;
    n_far += is_far;
    if (seen)
      g_assert_true(lac_experiment_card_is_near(card));
    if (is_far)
      g_assert_false(lac_experiment_card_is_near(card));
  }
  g_assert_cmpuint(n_far, >, 6);
  return n_seen;
}

static GtkAdjustment *
get_down(Fixture *fixture)
{
  GtkWidget *scroller = gtk_widget_get_first_child(fixture->page);
  return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
}

static void
test_scrolled(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  settle(fixture);
  GtkAdjustment *down = get_down(fixture);
  double         most = gtk_adjustment_get_upper(down) - gtk_adjustment_get_page_size(down);
  g_assert_cmpfloat(most, >, 2 * HEIGHT);
  for (double to = 0; to < most; to += 171) {
    gtk_adjustment_set_value(down, to);
    g_assert_cmpuint(check(fixture), >, 0);
  }
  gtk_adjustment_set_value(down, most);
  g_assert_cmpuint(check(fixture), >, 0);
}

static void
walk(GtkWidget *widget, const char *label)
{
  if (GTK_IS_TOGGLE_BUTTON(widget) &&
      g_strcmp0(gtk_button_get_label(GTK_BUTTON(widget)), label) == 0)
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    walk(child, label);
}

/* A card far below becomes visible when others are filtered out. */
static void
test_chosen(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  guint n_before = check(fixture);
  walk(fixture->page, "Quantum");
  settle(fixture);
  g_autoptr(GPtrArray) cards = g_ptr_array_new();
  add_cards(fixture->page, cards);
  guint n_near = 0;
  for (guint i = 0; i < cards->len; i++)
    n_near +=
      gtk_widget_get_mapped(cards->pdata[i]) && lac_experiment_card_is_near(cards->pdata[i]);
  g_assert_cmpuint(n_near, >, 1);
  walk(fixture->page, "All");
  g_assert_cmpuint(check(fixture), ==, n_before);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/app/gallery/scrolled", Fixture, NULL, set_up, test_scrolled, tear_down);
  g_test_add("/app/gallery/chosen", Fixture, NULL, set_up, test_chosen, tear_down);
  return g_test_run();
}
