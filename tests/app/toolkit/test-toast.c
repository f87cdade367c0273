/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toasts take turns however quickly they are dismissed: libadwaita 1.2 writes into a freed toast if one that replaces
 * another is dismissed during its show animation. MALLOC_PERTURB_, set by the suite, makes that fatal. */
#include "app/helpers/display.h"
#include "app/toolkit/toast.h"

typedef struct {
  GtkWidget       *window;
  AdwToastOverlay *overlay;
  GListModel      *children;
  GPtrArray       *seen; /* char *, in order of appearance */
  guint            most; /* maximum at the same time */
} Fixture;

static const char *
title_of(GtkWidget *widget)
{
  if (GTK_IS_LABEL(widget))
    return gtk_label_get_text(GTK_LABEL(widget));
  const char *title = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && title == NULL;
       child = gtk_widget_get_next_sibling(child))
    title = title_of(child);
  return title;
}

static void
on_children(GListModel *children, guint at, guint removed, guint added, Fixture *fixture)
{
  guint n = g_list_model_get_n_items(children);
  fixture->most = MAX(fixture->most, n - 1);
  if (added == 1) {
    g_autoptr(GtkWidget) toast = g_list_model_get_item(children, at);
    g_ptr_array_add(fixture->seen, g_strdup(title_of(toast)));
  }
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  fixture->seen = g_ptr_array_new_with_free_func(g_free);
  fixture->overlay = ADW_TOAST_OVERLAY(adw_toast_overlay_new());
  adw_toast_overlay_set_child(fixture->overlay, gtk_label_new("page"));
  fixture->window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), 480, 240); /* large enough for a toast */
  gtk_window_set_child(GTK_WINDOW(fixture->window), GTK_WIDGET(fixture->overlay));
  gtk_window_present(GTK_WINDOW(fixture->window));
  while (!gtk_widget_get_mapped(GTK_WIDGET(fixture->overlay)))
    g_main_context_iteration(NULL, TRUE);
  fixture->children = gtk_widget_observe_children(GTK_WIDGET(fixture->overlay));
  g_signal_connect(fixture->children, "items-changed", G_CALLBACK(on_children), fixture);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  g_signal_handlers_disconnect_by_data(fixture->children, fixture);
  g_object_unref(fixture->children);
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  g_ptr_array_unref(fixture->seen);
}

static AdwToast *
show(Fixture *fixture, const char *sentence, AdwToastPriority priority)
{
  AdwToast *toast = lac_toast_new(sentence);
  adw_toast_set_priority(toast, priority);
  lac_toast_show(fixture->overlay, g_object_ref(toast));
  return toast;
}

static void
wait_for(Fixture *fixture, guint n_seen)
{
  guint limit = display_limit_wait();
  while (fixture->seen->len < n_seen)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
}

/* Waits until all are gone, and for the duration of the longest animation. */
static void
wait_for_none(Fixture *fixture)
{
  guint  limit = display_limit_wait();
  gint64 gone = 0;
  while (gone == 0 || g_get_monotonic_time() - gone < 600 * G_TIME_SPAN_MILLISECOND) {
    g_main_context_iteration(NULL, FALSE);
    if (g_list_model_get_n_items(fixture->children) > 1)
      gone = 0;
    else if (gone == 0)
      gone = g_get_monotonic_time();
  }
  g_source_remove(limit);
}

static void
test_turns(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  g_autoptr(AdwToast) first = show(fixture, "first", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr(AdwToast) second = show(fixture, "second", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr(AdwToast) third = show(fixture, "third", ADW_TOAST_PRIORITY_NORMAL);
  wait_for(fixture, 1);
  lac_toast_dismiss(fixture->overlay, first);
  wait_for(fixture, 2);
  lac_toast_dismiss(fixture->overlay, second);
  wait_for(fixture, 3);
  lac_toast_dismiss(fixture->overlay, third);
  wait_for_none(fixture);
  g_assert_cmpuint(fixture->most, ==, 1);
  g_assert_cmpstr(g_ptr_array_index(fixture->seen, 0), ==, "first");
  g_assert_cmpstr(g_ptr_array_index(fixture->seen, 1), ==, "second");
  g_assert_cmpstr(g_ptr_array_index(fixture->seen, 2), ==, "third");
}

static void
test_one_that_waits_is_sent_away(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  g_autoptr(AdwToast) first = show(fixture, "first", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr(AdwToast) second = show(fixture, "second", ADW_TOAST_PRIORITY_NORMAL);
  wait_for(fixture, 1);
  lac_toast_dismiss(fixture->overlay, second);
  lac_toast_dismiss(fixture->overlay, first);
  wait_for_none(fixture);
  g_assert_cmpuint(fixture->seen->len, ==, 1);
}

static void
test_high_priority_comes_next(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  g_autoptr(AdwToast) first = show(fixture, "first", ADW_TOAST_PRIORITY_NORMAL);
  wait_for(fixture, 1);
  g_autoptr(AdwToast) second = show(fixture, "second", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr(AdwToast) urgent = show(fixture, "urgent", ADW_TOAST_PRIORITY_HIGH);
  wait_for(fixture, 2);
  g_assert_cmpstr(g_ptr_array_index(fixture->seen, 1), ==, "urgent");
  lac_toast_dismiss(fixture->overlay, urgent);
  wait_for(fixture, 3);
  lac_toast_dismiss(fixture->overlay, second);
  wait_for_none(fixture);
  g_assert_cmpuint(fixture->most, ==, 1);
}

/* The window closes while some are waiting. */
static void
test_window_closes(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  g_autoptr(AdwToast) first = show(fixture, "first", ADW_TOAST_PRIORITY_NORMAL);
  g_autoptr(AdwToast) second = show(fixture, "second", ADW_TOAST_PRIORITY_NORMAL);
  wait_for(fixture, 1);
  g_object_add_weak_pointer(G_OBJECT(fixture->overlay), (gpointer *) &fixture->overlay);
  gtk_window_set_child(GTK_WINDOW(fixture->window), NULL);
  while (g_main_context_iteration(NULL, FALSE))
    continue;
  g_assert_null(fixture->overlay);
  g_assert_cmpuint(G_OBJECT(second)->ref_count, ==, 1);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
#define CASE(name, function) \
  g_test_add("/app/toast/" name, Fixture, NULL, set_up, function, tear_down)
  CASE("turns", test_turns);
  CASE("one that waits is sent away", test_one_that_waits_is_sent_away);
  CASE("high priority comes next", test_high_priority_comes_next);
  CASE("window closes", test_window_closes);
#undef CASE
  return g_test_run();
}
