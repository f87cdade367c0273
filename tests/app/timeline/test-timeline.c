/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Time shows a recording: range, search, outliers, the tables, and a trace of another program. */
#include "app/timeline/pages.h"
#include "app/toolkit/column-table.h"
#include "io/trace/trace-file.h"
#include "perf/recorder/gauges.h"

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
  for (int i = 0; (row = gtk_list_box_get_row_at_index(rows, i)) != NULL; i++) {
    GtkWidget *label = gtk_widget_get_first_child(gtk_list_box_row_get_child(row));
    if (g_str_has_prefix(gtk_label_get_text(GTK_LABEL(label)), words)) {
      if (g_str_has_prefix(words, "Iteration"))
        g_signal_emit_by_name(rows, "row-activated", row);
      return i;
    }
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

/* A GPU that runs two kernels for an operation. */
static LacRecording *
make_on_gpu(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("a run on a GPU");
  const char *const     words[] = {"tile_kernel", "sum_kernel", "layer"};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    lac_capture_add_name(capture, words[i]);
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, LAC_LANE_DEVICE);
  for (guint32 i = 0; i < G_N_ELEMENTS(words); i++) {
    const LacRecord record = {.kind = i < 2 ? LAC_RECORD_KERNEL : LAC_RECORD_SPAN,
                              .name = i,
                              .lane = 1,
                              .depth = i < 2,
                              .start_ns = i == 1 ? 4000 : 1000,
                              .duration_ns = i == 0   ? 3000
                                             : i == 1 ? 1000
                                                      : 4000,
                              .count = 1,
                              .memory = -1};
    lac_capture_append(capture, &record, 1);
  }
  LacRecording *recording = lac_recording_new(capture, NULL);
  lac_recording_close(recording, 0);
  return recording;
}

/* Kernels have a tab where there is a GPU; choosing one chooses its operation. */
static void
test_kernels(void)
{
  LacTimelineScope *scope;
  if (!display_open())
    return;
  LacTimelinePage        *page = make_page(&scope);
  GtkWidget              *window = show(page, 1000, 700);
  g_autoptr(LacRecording) on_gpu = make_on_gpu();
  g_assert_false(gtk_stack_page_get_visible(page->kernels_page));
  lac_timeline_page_set_recording(page, on_gpu);
  guint late = display_limit_wait();
  while (!gtk_stack_page_get_visible(page->kernels_page))
    g_main_context_iteration(NULL, TRUE);
  lac_timeline_page_set_tab(page, "kernels");
  GtkWidget *table = find_of(GTK_WIDGET(page->kernels), LAC_TYPE_COLUMN_TABLE);
  while (lac_column_table_get_n_rows(LAC_COLUMN_TABLE(table)) == 0)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpuint(lac_column_table_get_n_rows(LAC_COLUMN_TABLE(table)), ==, 2);
  gtk_selection_model_select_item(lac_column_table_get_selection(LAC_COLUMN_TABLE(table)), 0, TRUE);
  g_assert_cmpuint(lac_timeline_scope_get_chosen(scope), ==, 2);
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
  g_test_add_func("/app/timeline/kernels-have-a-tab-where-there-is-a-gpu", test_kernels);
  g_test_add_func("/app/timeline/counters-are-tracks", test_tracks);
  g_test_add_func("/app/timeline/a-trace-of-another-program-is-shown", test_trace);
  return g_test_run();
}
