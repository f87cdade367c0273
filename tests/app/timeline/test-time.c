/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Time: the answer, and one choice in bars, flame graph, lanes and table. */
#include "app/timeline/bar-view.h"
#include "app/timeline/flame-view.h"
#include "app/timeline/pages.h"
#include "app/timeline/states.h"
#include "app/timeline/widget-private.h"
#include "app/toolkit/column-table.h"

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

/* A phase stands out in both bars, flame graph, lanes and table: no operation ran in it, so its time is its own. */
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
  g_assert_cmpuint(find_out(page, BAR_2), ==, L_COMPARE);
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

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/time/a-choice-is-the-same-in-all-five", test_one_choice);
  g_test_add_func("/app/time/a-phase-stands-out-where-it-occurs", test_phase);
  g_test_add_func("/app/time/a-flame-limits-all-below-it", test_limit);
  g_test_add_func("/app/time/the-sentence-follows-the-range", test_answer);
  g_test_add_func("/app/time/another-recording-begins-anew", test_another);
  g_test_add_func("/app/time/the-choice-can-be-replayed", test_state);
  g_test_add_func("/app/time/bars-and-flames-share-a-clock", test_edges);
  g_test_add_func("/app/time/columns-are-those-that-matter", test_columns);
  g_test_add_func("/app/time/bars-stay-when-there-is-less-room", test_levels);
  g_test_add_func("/app/time/the-page-fits-the-smallest-window", test_height);
  return g_test_run();
}
