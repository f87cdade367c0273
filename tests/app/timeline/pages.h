/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings and pages for the tests of the page Time. */
#pragma once

#include "app/helpers/display.h"
#include "app/timeline/page-private.h"

#define N_STEPS 300

static const char *const names[] = {"step", "forward", "reverse", "memory use"};
enum { STEP, FORWARD, REVERSE, MEMORY };

static inline void
add(LacCapture   *capture,
    LacRecordKind kind,
    guint32       name,
    gint64        step,
    gint64        start,
    gint64        duration)
{
  LacRecord record = {
    .kind = (guint8) kind,
    .name = name,
    .step = step,
    .start_ns = start,
    .duration_ns = duration,
    .depth = name == STEP ? 0 : 1,
    .count = 1,
    .memory = -1,
  };
  if (kind == LAC_RECORD_COUNTER)
    record.value = (double) step;
  lac_capture_append(capture, &record, 1);
}

/* Steps of a microsecond, the 50th and the 200th ten times longer. */
static inline LacRecording *
make_recording(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("a run");
  gint64                time = 1000;
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  for (gint64 step = 0; step < N_STEPS; step++) {
    gint64 duration = step == 50 || step == 200 ? 10000 : 1000 + step % 7;
    add(capture, LAC_RECORD_SPAN, FORWARD, step, time, duration / 2);
    add(capture, LAC_RECORD_SPAN, REVERSE, step, time + duration / 2, duration / 2);
    add(capture, LAC_RECORD_SPAN, STEP, step, time, duration);
    add(capture, LAC_RECORD_COUNTER, MEMORY, step, time + duration, 0);
    time += duration + 10;
  }
  LacRecording *recording = lac_recording_new(capture, NULL);
  lac_recording_close(recording, 0);
  return recording;
}

static inline LacTimelinePage *
make_page(LacTimelineScope **scope)
{
  g_autoptr(LacRecording) recording = make_recording();
  LacTimelinePage        *page = g_object_ref_sink(g_object_new(LAC_TYPE_TIMELINE_PAGE, NULL));
  GObject                *widget =
    gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, "timeline");
  lac_timeline_page_set_recording(page, recording);
  *scope = lac_timeline_widget_get_scope(LAC_TIMELINE_WIDGET(widget));
  return page;
}

static inline const char *
label_of(LacTimelinePage *page, const char *name)
{
  return gtk_label_get_text(
    GTK_LABEL(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, name)));
}

static inline GtkColumnView *
find_view(GtkWidget *root)
{
  if (GTK_IS_COLUMN_VIEW(root))
    return GTK_COLUMN_VIEW(root);
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkColumnView *found = find_view(child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static inline guint
n_rows(LacTimelinePage *page, const char *table)
{
  GtkWidget *widget =
    GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, table));
  return g_list_model_get_n_items(G_LIST_MODEL(gtk_column_view_get_model(find_view(widget))));
}

static inline void
wait_rows(LacTimelinePage *page, const char *table, guint n)
{
  guint late = display_limit_wait();
  while (n_rows(page, table) != n)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static inline GtkWidget *
show(LacTimelinePage *page, int width, int height)
{
  GtkWidget *window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  return window;
}

static inline void
wait_times(LacTimelinePage *page)
{
  guint late = display_limit_wait();
  while (lac_timeline_times_get(page->times) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}
