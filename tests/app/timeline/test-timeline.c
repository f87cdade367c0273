/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Time shows a recording: the answer, one choice in bars, flame graph, lanes and table, range, search, outliers,
 * the tables, and a trace of another program. */
#include "app/helpers/display.h"
#include "app/timeline/bar-view.h"
#include "app/timeline/flame-view.h"
#include "app/timeline/page-private.h"
#include "app/timeline/states.h"
#include "app/timeline/widget-private.h"
#include "app/toolkit/column-table.h"
#include "io/trace/trace-file.h"

#define N_STEPS 300

static const char *const names[] = {"step", "forward", "reverse", "memory use"};
enum { STEP, FORWARD, REVERSE, MEMORY };

static void
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
static LacRecording *
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

static LacTimelinePage *
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

static const char *
label_of(LacTimelinePage *page, const char *name)
{
  return gtk_label_get_text(
    GTK_LABEL(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, name)));
}

static gint64
get_step(LacTimelineScope *scope)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(scope);
  LacRecording         *recording = lac_timeline_scope_get_recording(scope);
  g_assert_nonnull(bar);
  return lac_capture_at(lac_recording_get_capture(recording), bar->record)->step;
}

static void
test_outliers(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  g_assert_nonnull(strstr(label_of(page, "caption"), "2 outliers"));
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_cmpint(get_step(scope), ==, 50);
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_cmpint(get_step(scope), ==, 200);
  g_assert_false(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_true(lac_timeline_scope_select_outlier(scope, -1));
  g_assert_cmpint(get_step(scope), ==, 50);
  g_assert_nonnull(strstr(label_of(page, "caption"), "step 50"));
  lac_timeline_scope_select_next(scope, 1);
  g_assert_cmpint(get_step(scope), ==, 51);
  g_assert_finalize_object(page);
}

/* With a target, iterations over it are counted and visited. */
static void
test_target(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  lac_timeline_scope_set_target(
    scope, 1005); /* the steps that last 1006 instead of 1000, and the two long ones */
  g_assert_nonnull(strstr(label_of(page, "caption"), "over 1.0"));
  g_assert_null(strstr(label_of(page, "caption"), "outlier"));
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_cmpint(get_step(scope), ==, 6);
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_cmpint(get_step(scope), ==, 13);
  g_assert_true(lac_timeline_scope_select_outlier(scope, -1));
  g_assert_cmpint(get_step(scope), ==, 6);
  lac_timeline_scope_select(scope, NULL);
  lac_timeline_scope_set_target(scope, 20000);
  g_assert_nonnull(strstr(label_of(page, "caption"), "over 20.0 µs: 0"));
  g_assert_false(lac_timeline_scope_select_outlier(scope, 1));
  lac_timeline_scope_set_target(scope, 0);
  g_assert_nonnull(strstr(label_of(page, "caption"), "2 outliers"));
  g_assert_finalize_object(page);
}

/* Range and view follow the last iterations or seconds; setting a range ends it. */
static void
test_keep(void)
{
  LacTimelineScope *scope;
  gint64            first, last, begin, end;
  double            n;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  lac_timeline_scope_get_view(scope, &first, &last);
  lac_timeline_scope_keep_last(scope, LAC_KEEP_ITERATIONS, 20);
  g_assert_true(lac_timeline_scope_get_range(scope, &begin, &end));
  const LacIterations *all = lac_recording_get_iterations(lac_timeline_scope_get_recording(scope));
  g_assert_cmpint(begin, ==, all->iterations[N_STEPS - 20].start_ns);
  g_assert_cmpint(end, ==, last);
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(ABS(begin - all->iterations[N_STEPS - 20].start_ns), <=, 1);
  g_assert_cmpuint(lac_durations_get_n(lac_timeline_scope_get_durations(scope)), ==, 20);
  lac_timeline_scope_keep_last(scope, LAC_KEEP_SECONDS, 5e-6);
  g_assert_true(lac_timeline_scope_get_range(scope, &begin, &end));
  g_assert_cmpint(ABS(end - begin - 5000), <=, 1);
  lac_timeline_scope_keep_last(scope, LAC_KEEP_SECONDS, 1000); /* longer than the recording */
  lac_timeline_scope_get_range(scope, &begin, &end);
  g_assert_cmpint(begin, ==, first);
  lac_timeline_scope_set_range(scope, first, first + 2000);
  g_assert_cmpint(lac_timeline_scope_get_kept(scope, &n), ==, LAC_KEEP_ALL);
  lac_timeline_scope_keep_last(scope, LAC_KEEP_ITERATIONS, 20);
  lac_timeline_scope_keep_last(scope, LAC_KEEP_ITERATIONS, 0);
  g_assert_false(lac_timeline_scope_get_range(scope, &begin, &end));
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(begin, ==, first);
  g_assert_finalize_object(page);
}

static void
test_search(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  lac_timeline_scope_search(scope, "FORW");
  g_assert_cmpstr(label_of(page, "matches"), ==, "300 matches");
  g_assert_true(lac_timeline_scope_select_match(scope, 1));
  g_assert_cmpint(get_step(scope), ==, 0);
  g_assert_true(lac_timeline_scope_select_match(scope, -1)); /* wraps around the start */
  g_assert_cmpint(get_step(scope), ==, N_STEPS - 1);
  lac_timeline_scope_search(scope, "no such span");
  g_assert_cmpstr(label_of(page, "matches"), ==, "0 matches");
  g_assert_false(lac_timeline_scope_select_match(scope, 1));
  lac_timeline_scope_search(scope, "");
  g_assert_cmpstr(label_of(page, "matches"), ==, "");
  g_assert_finalize_object(page);
}

static void
test_view(void)
{
  LacTimelineScope *scope;
  gint64            first, last, begin, end;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  lac_timeline_scope_get_view(scope, &first, &last);
  lac_timeline_scope_zoom(scope, 0.25, 4);
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(ABS((end - begin) * 4 - (last - first)), <=, 8);
  g_assert_cmpint(ABS(begin + (end - begin) / 4 - (first + (last - first) / 4)), <=, 4); /* stays */
  lac_timeline_scope_move(scope, 1000); /* clamped at the end */
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(ABS(end - last), <=, 1);
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  lac_timeline_scope_fit_selection(scope);
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(ABS(end - begin - 11000), <=, 4); /* the span with its margins */
  lac_timeline_scope_fit(scope);
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(begin, ==, first);
  g_assert_cmpint(end, ==, last);
  g_assert_finalize_object(page);
}

static GtkColumnView *
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

static guint
n_rows(LacTimelinePage *page, const char *table)
{
  GtkWidget *widget =
    GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, table));
  return g_list_model_get_n_items(G_LIST_MODEL(gtk_column_view_get_model(find_view(widget))));
}

static void
wait_rows(LacTimelinePage *page, const char *table, guint n)
{
  guint late = display_limit_wait();
  while (n_rows(page, table) != n)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
test_range(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  GtkWidget       *window = gtk_window_new();
  GtkStack        *tables =
    GTK_STACK(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, "tables"));
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 700);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  wait_rows(page, "operations", 3);
  gtk_stack_set_visible_child_name(tables, "spans");
  wait_rows(page, "spans", LAC_SPAN_TABLE_PAGE);
  lac_timeline_scope_set_range(scope, 1000,
                               1501); /* contains both halves of the first step partly */
  g_assert_nonnull(strstr(label_of(page, "caption"), "3 records"));
  wait_rows(page, "spans", 3);
  lac_timeline_scope_set_range(scope, 1000, 1400);
  wait_rows(page, "spans", 2);
  gtk_stack_set_visible_child_name(tables, "operations"); /* updated when it becomes visible */
  wait_rows(page, "operations", 2);                       /* the other half is not in the range */
  lac_timeline_scope_set_range(scope, 0, 0);
  wait_rows(page, "operations", 3);
  gtk_stack_set_visible_child_name(tables, "spans");
  wait_rows(page, "spans", LAC_SPAN_TABLE_PAGE);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* A brush of durations filters the list of spans, pins its operation, and is cleared with the operation. */
static void
test_durations(void)
{
  LacTimelineScope *scope;
  LacDurationChoice choice;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  GtkWidget       *window = gtk_window_new();
  GtkStack        *tables =
    GTK_STACK(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, "tables"));
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 700);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  g_assert_cmpstr(lac_timeline_scope_get_watched(scope), ==, "step"); /* the most costly */
  lac_timeline_scope_watch(scope, FORWARD);
  g_assert_cmpuint(lac_durations_get_n(lac_timeline_scope_get_durations(scope)), ==, N_STEPS);
  lac_timeline_scope_brush(scope, 6000, 4000);
  gtk_stack_set_visible_child_name(tables, "spans");
  wait_rows(page, "spans", 2);
  gtk_stack_set_visible_child_name(tables, "durations");
  wait_rows(page, "durations", 2); /* the many short ones, and the two long ones */
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1)); /* a step */
  g_assert_cmpstr(lac_timeline_scope_get_watched(scope), ==, "forward");
  lac_timeline_scope_set_range(scope, 1000, 20000); /* before the long ones */
  g_assert_cmpuint(lac_durations_get_n(lac_timeline_scope_get_durations(scope)), <, 30);
  gtk_stack_set_visible_child_name(tables, "spans");
  wait_rows(page, "spans", 0);
  lac_timeline_scope_watch(scope, REVERSE);
  g_assert_false(lac_timeline_scope_get_brush(scope, &choice));
  lac_timeline_scope_set_range(scope, 0, 0);
  wait_rows(page, "spans", LAC_SPAN_TABLE_PAGE);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

static GtkWidget *
find_of(GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE(root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_of(child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* Returns: -1: no row begins with @words */
static int
find_finding(LacTimelinePage *page, const char *words)
{
  GtkListBox    *rows = GTK_LIST_BOX(find_of(
       GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_TIMELINE_PAGE, "findings")),
       GTK_TYPE_LIST_BOX));
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(rows, i)) != NULL; i++)
    if (g_str_has_prefix(gtk_label_get_text(GTK_LABEL(gtk_list_box_row_get_child(row))), words)) {
      if (g_str_has_prefix(words, "Iteration"))
        g_signal_emit_by_name(rows, "row-activated", row);
      return i;
    }
  return -1;
}

static void
wait_finding(LacTimelinePage *page, const char *words, gboolean there)
{
  guint late = display_limit_wait();
  while ((find_finding(page, words) >= 0) != there)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
wait_reading(LacTimelinePage *page, const char *words)
{
  guint late = display_limit_wait();
  while (strstr(label_of(page, "caption"), words) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

/* Findings of everything, then of a range without outliers; an activated finding is shown. */
static void
test_findings(void)
{
  LacTimelineScope *scope;
  gint64            begin, end;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  GtkWidget       *window = gtk_window_new();
  lac_timeline_page_set_tab(page, "findings");
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 700);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  wait_finding(page, "Iteration 200 took 10.0 µs", TRUE);
  g_assert_cmpint(get_step(scope), ==, 200);
  lac_timeline_scope_get_view(scope, &begin, &end);
  g_assert_cmpint(ABS(end - begin - 5 * 10000), <=, 10);
  const LacIterations *all = lac_recording_get_iterations(lac_timeline_scope_get_recording(scope));
  lac_timeline_scope_set_range(scope, all->iterations[60].start_ns, all->iterations[90].start_ns);
  wait_finding(page, "Variable duration: the longest", FALSE);
  lac_timeline_scope_set_range(scope, all->iterations[40].start_ns, all->iterations[90].start_ns);
  wait_finding(page, "Iteration 50 took", TRUE);
  g_assert_cmpint(get_step(scope), ==, 50);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* The cause is found with the findings visible or not. */
static void
test_cause(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage *page = make_page(&scope);
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  wait_reading(page, "took 4.5");
  lac_timeline_scope_select_next(scope, 1);
  g_assert_null(strstr(label_of(page, "caption"), "longer"));
  g_assert_true(lac_timeline_scope_select_outlier(scope, 1));
  g_assert_nonnull(strstr(label_of(page, "caption"), "took 4.5"));
  g_assert_finalize_object(page);
}

/* A thread that computes 10 GFLOP/s and moves half as many bytes; an operation at a fifth of it. */
static LacRecording *
make_rated(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("a run");
  const char *const     rated[] = {LAC_COUNTER_PEAK_FLOPS, LAC_COUNTER_PEAK_BYTES, "gemm"};
  const double          peaks[] = {10e9, 5e9};
  for (gsize i = 0; i < G_N_ELEMENTS(rated); i++)
    lac_capture_add_name(capture, rated[i]);
  lac_capture_add_lane(capture, "compute");
  for (guint32 i = 0; i < G_N_ELEMENTS(rated); i++) {
    LacRecord record = {.kind = i < 2 ? LAC_RECORD_COUNTER : LAC_RECORD_AGGREGATE,
                        .name = i,
                        .start_ns = 1000,
                        .step = i < 2 ? -1 : 0,
                        .count = 1};
    if (i < 2)
      record.value = peaks[i];
    else
      record.duration_ns = 1000000, record.flops = 2e6, record.bytes = 1e6, record.memory = -1;
    lac_capture_append(capture, &record, 1);
  }
  LacRecording *recording = lac_recording_new(capture, NULL);
  lac_recording_close(recording, 0);
  return recording;
}

/* Returns: the explanation in the tab of the roofline. */
static GtkWidget *
words_of(LacTimelinePage *page)
{
  return find_of(GTK_WIDGET(page->roofline), GTK_TYPE_LABEL);
}

static void
wait_words(LacTimelinePage *page, const char *words)
{
  guint late = display_limit_wait();
  while (!g_str_has_prefix(gtk_label_get_text(GTK_LABEL(words_of(page))), words))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static GtkWidget *
show(LacTimelinePage *page, int width, int height)
{
  GtkWidget *window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  return window;
}

/* The roofline chart is shown if the machine's peaks are known, else the reason why not. */
static void
test_roofline(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage        *page = make_page(&scope);
  GtkWidget              *window = show(page, 1000, 700);
  g_autoptr(LacRecording) rated = make_rated();
  lac_timeline_page_set_tab(page, "roofline");
  wait_words(page, "No roofline");
  GtkWidget *picture = gtk_widget_get_prev_sibling(words_of(page));
  g_assert_false(gtk_widget_get_visible(picture));
  lac_timeline_page_set_recording(page, rated);
  wait_words(page, "The roofline shows");
  g_assert_true(gtk_widget_get_visible(picture));
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* ---- one choice ---- */

#define N_LAYERED 60

static const char *const layers[] = {"step", "solve", "compare", "transform", "advect"};
enum { L_STEP, L_SOLVE, L_COMPARE, L_TRANSFORM, L_ADVECT };

/* Steps of a millisecond: 600 us in "solve", of which 400 us in transforms and 100 us in advection, 300 us in
 * "compare". In the last ten, "compare" takes 3 ms. */
static LacRecording *
make_layered(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("layers");
  gint64                at = 1000;
  for (gsize i = 0; i < G_N_ELEMENTS(layers); i++)
    lac_capture_add_name(capture, layers[i]);
  lac_capture_add_lane(capture, "compute");
  for (gint64 step = 0; step < N_LAYERED; step++) {
    const gint64 compare = step < N_LAYERED - 10 ? 300000 : 3000000;
    const gint64 spans[][3] = {
      {L_SOLVE, at, 600000}, {L_COMPARE, at + 600000, compare}, {L_STEP, at, 700000 + compare}};
    const gint64 operations[][2] = {{L_TRANSFORM, 400000}, {L_ADVECT, 100000}};
    for (gsize i = 0; i < 2; i++) {
      LacRecord record = {.kind = LAC_RECORD_SPAN,
                          .name = (guint32) spans[i][0],
                          .step = step,
                          .start_ns = spans[i][1],
                          .duration_ns = spans[i][2],
                          .depth = 1,
                          .count = 1,
                          .memory = -1};
      lac_capture_append(capture, &record, 1);
      for (gsize k = 0; i == 0 && k < 2; k++) {
        LacRecord operation = {.kind = LAC_RECORD_AGGREGATE,
                               .name = (guint32) operations[k][0],
                               .step = step,
                               .start_ns = at,
                               .duration_ns = operations[k][1],
                               .count = 10,
                               .memory = -1};
        lac_capture_append(capture, &operation, 1);
      }
    }
    LacRecord whole = {.kind = LAC_RECORD_SPAN,
                       .name = L_STEP,
                       .step = step,
                       .start_ns = spans[2][1],
                       .duration_ns = spans[2][2],
                       .count = 1,
                       .memory = -1};
    lac_capture_append(capture, &whole, 1);
    at += spans[2][2] + 1000;
  }
  LacRecording *recording = lac_recording_new(capture, NULL);
  lac_recording_close(recording, 0);
  return recording;
}

/* Returns the LacPartsView of the page in the order of Tab: bar 1, bar 2, flame graph. */
static LacPartsView *
find_parts(LacTimelinePage *page, guint i)
{
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(page->overview));
  for (guint n = 0;; child = gtk_widget_get_next_sibling(child)) {
    g_assert_nonnull(child);
    if (LAC_IS_PARTS_VIEW(child) && n++ == i)
      return LAC_PARTS_VIEW(child);
  }
}

enum { BAR_1, BAR_2, FLAME };

static void
wait_times(LacTimelinePage *page)
{
  guint late = display_limit_wait();
  while (lac_timeline_times_get(page->times) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static LacTimelinePage *
show_layered(GtkWidget **window)
{
  g_autoptr(LacRecording) recording = make_layered();
  LacTimelinePage        *page = g_object_ref_sink(g_object_new(LAC_TYPE_TIMELINE_PAGE, NULL));
  lac_timeline_page_set_recording(page, recording);
  *window = show(page, 1000, 760);
  wait_times(page);
  wait_rows(page, "operations", G_N_ELEMENTS(layers));
  guint late = display_limit_wait();
  while (gtk_widget_get_height(GTK_WIDGET(find_parts(page, FLAME))) == 0)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  return page;
}

/* Returns the name of the part that stands out; LAC_NO_NAME: none. */
static guint32
find_out(LacTimelinePage *page, guint view)
{
  const LacTimes *times = lac_timeline_times_get(page->times);
  LacPartsView   *parts = find_parts(page, view);
  const gssize    at = LAC_PARTS_VIEW_GET_CLASS(parts)->find_chosen(parts, times);
  return at < 0          ? LAC_NO_NAME
         : view == FLAME ? times->flame.bars[at].name
         : view == BAR_1 ? times->phases.parts[at].name
                         : times->operations.parts[at].name;
}

/* Returns: (transfer full): the text of the selected row. */
static char *
dup_selected(LacTimelinePage *page)
{
  GtkColumnView       *view = find_view(GTK_WIDGET(page->operations));
  GtkSelectionModel   *selection = gtk_column_view_get_model(view);
  g_autoptr(GtkBitset) chosen = gtk_selection_model_get_selection(selection);
  guint32              name;
  if (gtk_bitset_is_empty(chosen))
    return g_strdup("");
  g_assert_cmpuint(gtk_bitset_get_size(chosen), ==, 1);
  g_autoptr(LacColumnRow) row =
    g_list_model_get_item(G_LIST_MODEL(selection), gtk_bitset_get_minimum(chosen));
  const char *const *text = lac_column_row_get(row); /* its name comes first */
  name = lac_timeline_scope_get_chosen(page->scope);
  g_assert_cmpuint(name, !=, LAC_NO_NAME);
  return g_strdup(*text);
}

/* Asserts that @name stands out in all five: bar 1 shows @phase, and the lanes fade all other names. */
static void
assert_chosen(LacTimelinePage *page, guint32 name, guint32 phase)
{
  g_autofree char *row = dup_selected(page);
  const LacMatch  *lanes = lac_timeline_scope_get_highlight(page->scope);
  g_assert_cmpuint(find_out(page, BAR_1), ==, phase);
  g_assert_cmpuint(find_out(page, BAR_2), ==, name);
  g_assert_cmpuint(find_out(page, FLAME), ==, name);
  g_assert_cmpstr(row, ==, layers[name]);
  g_assert_nonnull(lanes);
  for (guint32 i = 0; i < lanes->n; i++)
    g_assert_cmpint(lanes->names[i], ==, i == name);
}

static void
assert_nothing_chosen(LacTimelinePage *page)
{
  g_autofree char *row = dup_selected(page);
  for (guint view = BAR_1; view <= FLAME; view++)
    g_assert_cmpuint(find_out(page, view), ==, LAC_NO_NAME);
  g_assert_cmpstr(row, ==, "");
  g_assert_null(lac_timeline_scope_get_highlight(page->scope));
}

/* Goes to the part of a name with the keys, and presses Enter. */
static void
choose_part(LacTimelinePage *page, guint view, guint32 name)
{
  const LacTimes     *times = lac_timeline_times_get(page->times);
  const LacTimeParts *parts = view == BAR_1 ? &times->phases : &times->operations;
  gsize               at = 0;
  while (view == FLAME ? times->flame.bars[at].name != name : parts->parts[at].name != name)
    at++;
  lac_parts_view_move_to(find_parts(page, view), at);
  lac_parts_view_activate(find_parts(page, view));
}

static void
let_go(LacTimelinePage *page)
{
  g_assert_true(LAC_DRAWING_VIEW_GET_CLASS(find_parts(page, BAR_2))
                  ->key(LAC_DRAWING_VIEW(find_parts(page, BAR_2)), GDK_KEY_Escape, 0));
  assert_nothing_chosen(page);
}

static void
select_row(LacTimelinePage *page, guint32 name)
{
  GtkSelectionModel *selection = gtk_column_view_get_model(find_view(GTK_WIDGET(page->operations)));
  for (guint i = 0; i < G_N_ELEMENTS(layers); i++) {
    g_autoptr(LacColumnRow) row = g_list_model_get_item(G_LIST_MODEL(selection), i);
    if (g_str_equal(*(const char *const *) lac_column_row_get(row), layers[name]))
      gtk_selection_model_select_item(selection, i, TRUE);
  }
}

/* The last span of a name in the lanes. */
static void
select_span(LacTimelinePage *page, guint32 name)
{
  LacTimelineBar    bar;
  const LacCapture *capture = lac_recording_get_capture(lac_timeline_page_get_recording(page));
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++)
    if (lac_capture_at(capture, i)->name == name &&
        lac_timeline_find(lac_recording_get_timeline(lac_timeline_page_get_recording(page)), i,
                          &bar))
      lac_timeline_scope_select(page->scope, &bar);
}

/* A choice in bar 2, the flame graph, the lanes or the table is the same in all five; Escape lets go. */
static void
test_one_choice(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  assert_nothing_chosen(page);
  choose_part(page, BAR_2, L_TRANSFORM);
  assert_chosen(page, L_TRANSFORM, L_SOLVE);
  g_assert_cmpstr(lac_timeline_scope_get_watched(page->scope), ==, "transform");
  choose_part(page, BAR_2, L_ADVECT);
  assert_chosen(page, L_ADVECT, L_SOLVE);
  let_go(page);
  select_row(page, L_TRANSFORM);
  assert_chosen(page, L_TRANSFORM, L_SOLVE);
  let_go(page);
  select_span(page, L_ADVECT); /* Enter in the lanes chooses the operation of the selected span */
  assert_nothing_chosen(page);
  lac_timeline_widget_key(NULL, GDK_KEY_Return, 0, 0, page->timeline);
  assert_chosen(page, L_ADVECT, L_SOLVE);
  let_go(page);
  choose_part(page, FLAME, L_TRANSFORM);
  assert_chosen(page, L_TRANSFORM, L_SOLVE);
  let_go(page);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* A phase stands out in bar 1, flame graph, lanes and table; bar 2 has no such part, and does not fade. */
static void
test_phase(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  choose_part(page, BAR_1, L_COMPARE);
  g_autofree char *row = dup_selected(page);
  g_assert_cmpuint(find_out(page, BAR_1), ==, L_COMPARE);
  g_assert_cmpuint(find_out(page, BAR_2), ==, LAC_NO_NAME);
  g_assert_cmpuint(find_out(page, FLAME), ==, L_COMPARE);
  g_assert_cmpstr(row, ==, "compare");
  g_assert_true(lac_timeline_scope_get_highlight(page->scope)->names[L_COMPARE]);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* A click on the flame graph limits lanes and tables to what ran within it; the same bar again lets go. */
static void
test_limit(void)
{
  GtkWidget *window;
  gsize      n;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  choose_part(page, FLAME, L_SOLVE);
  wait_rows(page, "operations", 3); /* itself, transforms and advection */
  const LacMatch *lanes = lac_timeline_scope_get_highlight(page->scope);
  g_assert_true(lanes->names[L_SOLVE] && lanes->names[L_TRANSFORM] && lanes->names[L_ADVECT]);
  g_assert_false(lanes->names[L_STEP] || lanes->names[L_COMPARE]);
  const LacAggregate *rows = lac_timeline_times_get_rows(page->times, &n);
  double              own_ns = 0;
  for (gsize i = 0; i < n; i++)
    own_ns += rows[i].self_ns;
  g_assert_cmpfloat_with_epsilon(own_ns, N_LAYERED * 600e3, 1); /* its parts are all of it */
  lac_timeline_page_set_tab(page, "spans");
  wait_rows(page, "spans", N_LAYERED); /* its calls */
  lac_timeline_page_set_tab(page, "operations");
  choose_part(page, FLAME, L_SOLVE);
  wait_rows(page, "operations", G_N_ELEMENTS(layers));
  assert_nothing_chosen(page);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

static void
wait_answer(LacTimelinePage *page, const char *words)
{
  guint late = display_limit_wait();
  while (!g_str_equal(gtk_label_get_text(page->answer), words))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

/* The sentence follows the range: in the last steps another phase leads. */
static void
test_answer(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage     *page = show_layered(&window);
  const LacIterations *all = lac_recording_get_iterations(lac_timeline_page_get_recording(page));
  /* of 50 × 1 ms + 10 × 3.7 ms + gaps: 45 ms in "compare", 36 ms in "solve" */
  wait_answer(page, "Compare took 52 % of the time.");
  lac_timeline_scope_set_range(page->scope, all->iterations[10].start_ns,
                               all->iterations[20].start_ns);
  wait_answer(page, "In steps 10–19: Solve took 60 % of the time, most of it in transform.");
  g_assert_nonnull(strstr(label_of(page, "caption"), "Range "));
  lac_timeline_scope_set_range(page->scope, 0, 0);
  wait_answer(page, "Compare took 52 % of the time.");
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* Another recording begins without the search, range and choice of the last one. */
static void
test_another(void)
{
  GtkWidget *window;
  gint64     begin, end;
  if (!display_open())
    return;
  LacTimelinePage        *page = show_layered(&window);
  g_autoptr(LacRecording) other = make_recording();
  lac_timeline_page_search(page, "solve");
  lac_timeline_scope_set_range(page->scope, 2000, 3000000);
  choose_part(page, FLAME, L_SOLVE);
  lac_timeline_page_set_recording(page, other);
  g_assert_cmpstr(lac_timeline_scope_get_search(page->scope), ==, "");
  g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(page->search)), ==, "");
  g_assert_false(lac_timeline_scope_get_range(page->scope, &begin, &end));
  g_assert_cmpuint(lac_timeline_scope_get_chosen(page->scope), ==, LAC_NO_NAME);
  g_assert_null(lac_timeline_scope_get_highlight(page->scope));
  wait_rows(page, "operations", 3);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* The choice and its limit are a state that a replay applies again. */
static void
test_state(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage    *page = show_layered(&window);
  const LacPartTable *table = lac_timeline_states();
  gsize               i = 0;
  while (!g_str_equal(table->states[i].name, "chosen"))
    i++;
  choose_part(page, FLAME, L_SOLVE);
  g_autoptr(GVariant) state = g_variant_ref_sink(table->states[i].describe(page));
  g_autofree char    *text = g_variant_print(state, FALSE);
  g_assert_cmpstr(text, ==, "('solve', ['step', 'solve'])");
  let_go(page);
  table->states[i].apply(page, state);
  g_assert_cmpuint(find_out(page, FLAME), ==, L_SOLVE);
  g_assert_true(lac_timeline_scope_get_highlight(page->scope)->names[L_TRANSFORM]);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* The bars are drawn on one clock: a phase begins in the flame graph where it begins in bar 1, in the first step. */
static void
test_edges(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  const LacTimes  *times = lac_timeline_times_get(page->times);
  gint64           sum = 0;
  for (gsize i = 0; i < times->phases.n; i++)
    sum += times->phases.parts[i].ns;
  g_assert_cmpint(sum, ==, times->flame.whole_ns);
  g_assert_cmpint(gtk_widget_get_width(GTK_WIDGET(find_parts(page, BAR_1))), ==,
                  gtk_widget_get_width(GTK_WIDGET(find_parts(page, FLAME))));
  g_assert_cmpuint(times->phases.parts[0].name, ==, L_SOLVE);
  g_assert_cmpint(times->phases.parts[0].ns, ==, N_LAYERED * 600000);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

static gboolean
has_column(LacTimelinePage *page, const char *title)
{
  GListModel *columns = gtk_column_view_get_columns(find_view(GTK_WIDGET(page->operations)));
  for (guint i = 0; i < g_list_model_get_n_items(columns); i++) {
    g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, i);
    if (g_str_equal(gtk_column_view_column_get_title(column), title))
      return gtk_column_view_column_get_visible(column);
  }
  return FALSE;
}

/* The less usual columns are hidden at first; those of a device are left out where none ran. */
static void
test_columns(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  guint            late = display_limit_wait();
  while (!has_column(page, "Share") || has_column(page, "Min") || has_column(page, "GPU Δ, MB"))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_true(has_column(page, "Own time"));
  g_assert_false(has_column(page, "Max") || has_column(page, "GPU peak, MB"));
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* In a low window the flame graph goes behind its expander, then the legend goes; both bars stay. */
static void
test_levels(void)
{
  GtkWidget *window;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  GtkWidget       *flame = GTK_WIDGET(find_parts(page, FLAME));
  GtkWidget *bars[] = {GTK_WIDGET(find_parts(page, BAR_1)), GTK_WIDGET(find_parts(page, BAR_2))};
  int        least, with_legend, heights[2];
  g_assert_true(gtk_widget_get_child_visible(flame));
  heights[0] = gtk_widget_get_height(bars[0]);
  gtk_widget_measure(GTK_WIDGET(page->overview), GTK_ORIENTATION_VERTICAL, 1000, &least, NULL, NULL,
                     NULL);
  gtk_widget_size_allocate(GTK_WIDGET(page->overview), &(GtkAllocation){0, 0, 1000, least}, -1);
  heights[1] = gtk_widget_get_height(bars[0]);
  with_legend = lac_bar_view_measure(LAC_BAR_VIEW(bars[0]), 1000 - 24, TRUE);
  g_assert_false(gtk_widget_get_child_visible(flame));
  g_assert_cmpint(heights[0], ==, with_legend);
  g_assert_cmpint(heights[1], ==, lac_bar_view_measure(LAC_BAR_VIEW(bars[0]), 1000 - 24, FALSE));
  g_assert_cmpint(heights[1], <, heights[0]);
  for (gsize i = 0; i < 2; i++)
    g_assert_true(gtk_widget_get_child_visible(bars[i]) && gtk_widget_get_height(bars[i]) >= 30);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

static void
test_tracks(void)
{
  gsize n;
  if (!display_open())
    return;
  g_autoptr(LacRecording) recording = make_recording();
  LacTrack *const        *tracks = lac_recording_get_tracks(recording, &n);
  double                  value;
  g_assert_cmpuint(n, ==, 1);
  g_assert_cmpuint(lac_track_get_n(tracks[0]), ==, N_STEPS);
  g_assert_cmpstr(lac_track_get_label(tracks[0]), ==, "memory use");
  g_assert_true(lac_track_get_at(tracks[0], G_MAXINT64, &value));
  g_assert_cmpfloat(value, ==, N_STEPS - 1);
}

/* Under a header of 47 and over a bottom bar of 53 pixels, with the frame of five on each side. */
static void
test_height(void)
{
  GtkWidget *window;
  int        least = 0, width = 0;
  if (!display_open())
    return;
  LacTimelinePage *page = show_layered(&window);
  gtk_widget_measure(GTK_WIDGET(page), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint(width, <=, 720 - 10);
  gtk_widget_measure(GTK_WIDGET(page), GTK_ORIENTATION_VERTICAL, 710, &least, NULL, NULL, NULL);
  g_assert_cmpint(least, <=, 560 - 47 - 53 - 10);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(page);
}

/* Another program's trace is shown like a run's records: bars and flame graph are of its spans. */
static void
test_trace(void)
{
  if (!display_open())
    return;
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "tests", "io", "traces",
                                            "viztracer.json.gz", NULL);
  g_autoptr(LacCapture) capture = lac_trace_open(path, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(LacRecording) recording = lac_recording_new(capture, NULL);
  LacTimelinePage        *page = g_object_ref_sink(g_object_new(LAC_TYPE_TIMELINE_PAGE, NULL));
  gsize                   n;
  lac_recording_close(recording, 0);
  lac_timeline_page_set_recording(page, recording);
  lac_timeline_page_set_about(page, "viztracer.json.gz");
  g_assert_nonnull(strstr(label_of(page, "counters"), " · 0 lost"));
  g_assert_nonnull(lac_recording_get_aggregates(recording, &n));
  g_assert_cmpuint(n, >, 3);
  GtkWidget *window = show(page, 1000, 760);
  wait_times(page);
  const LacTimes *times = lac_timeline_times_get(page->times);
  g_assert_cmpuint(times->phases.n, >, 0);
  g_assert_cmpuint(times->operations.n, >, 0);
  g_assert_cmpuint(times->flame.n_rows, >, 1);
  gtk_window_set_child(GTK_WINDOW(window), NULL);
  gtk_window_destroy(GTK_WINDOW(window));
  lac_timeline_page_set_recording(page, NULL);
  g_assert_null(lac_timeline_page_get_recording(page));
  g_assert_finalize_object(page);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/timeline/outliers-are-visited-both-ways", test_outliers);
  g_test_add_func("/app/timeline/a-target-is-counted-and-visited", test_target);
  g_test_add_func("/app/timeline/the-last-of-a-run-is-kept-to", test_keep);
  g_test_add_func("/app/timeline/search-counts-and-goes-around", test_search);
  g_test_add_func("/app/timeline/zoom-keeps-what-is-under-the-pointer", test_view);
  g_test_add_func("/app/timeline/a-range-limits-both-tables", test_range);
  g_test_add_func("/app/timeline/a-brush-of-durations-limits-the-spans", test_durations);
  g_test_add_func("/app/timeline/findings-lead-to-where-they-are", test_findings);
  g_test_add_func("/app/timeline/an-outlier-says-what-grew", test_cause);
  g_test_add_func("/app/timeline/the-roofs-are-shown-where-they-are-known", test_roofline);
  g_test_add_func("/app/timeline/a-choice-is-the-same-in-all-five", test_one_choice);
  g_test_add_func("/app/timeline/a-phase-stands-out-where-it-occurs", test_phase);
  g_test_add_func("/app/timeline/a-flame-limits-all-below-it", test_limit);
  g_test_add_func("/app/timeline/the-sentence-follows-the-range", test_answer);
  g_test_add_func("/app/timeline/another-recording-begins-anew", test_another);
  g_test_add_func("/app/timeline/the-choice-can-be-replayed", test_state);
  g_test_add_func("/app/timeline/bars-and-flames-share-a-clock", test_edges);
  g_test_add_func("/app/timeline/columns-are-those-that-matter", test_columns);
  g_test_add_func("/app/timeline/bars-stay-when-there-is-less-room", test_levels);
  g_test_add_func("/app/timeline/counters-are-tracks", test_tracks);
  g_test_add_func("/app/timeline/the-page-fits-the-smallest-window", test_height);
  g_test_add_func("/app/timeline/a-trace-of-another-program-is-shown", test_trace);
  return g_test_run();
}
