/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of runs follows its folder; fields of two runs form one frame. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/runs/compare-fields.h"
#include "app/runs/compare-page.h"
#include "app/runs/folder-page.h"
#include "app/runs/result.h"
#include "app/session/run-tree.h"
#include "experiment/experiment.h"
#include "run/core/run.h"
#include "run/library/best.h"
#include "run/library/library.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
  char *folder;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp("lacuna-runs-XXXXXX", NULL);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  remove_all(fixture->folder);
  g_free(fixture->folder);
}

/* Returns: (transfer full): the folder of a two-dimensional run with sensor markers. */
static char *
make_run(Fixture *fixture, const char *sensors)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("taylor-green", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_assert_true(lac_draft_set(draft, "sensors", sensors, &error));
  g_assert_true(lac_draft_set(draft, "engines", "pod", &error));
  LacRunSettings settings = {
    .experiment = experiment, .draft = draft, .out = fixture->folder, .threads = 1};
  g_autoptr(LacRun) run = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  g_assert_true(lac_run_wait(run, &error));
  return g_strdup(lac_run_get_folder(run));
}

/* Waits until the list shows @n runs. */
static void
wait_for(LacFolderPage *page, guint n)
{
  guint late = display_limit_wait();
  while (lac_folder_page_get_n_shown(page) != n)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
test_the_list_follows_its_folder(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autofree char       *first = make_run(fixture, "4");
  g_autoptr(LacRunStore) store = lac_run_store_new();
  LacFolderPage         *page = g_object_ref_sink(g_object_new(LAC_TYPE_FOLDER_PAGE, NULL));
  lac_run_store_set_folder(store, fixture->folder);
  lac_folder_page_set_store(page, store);
  wait_for(page, 1);
  g_autofree char *second = make_run(fixture, "6"); /* found by watching the folder */
  wait_for(page, 2);
  lac_folder_page_search(page, "sensors=6");
  wait_for(page, 1);
  g_autofree char *name = g_path_get_basename(second);
  lac_folder_page_select(page, (const char *const[]){name, NULL});
  g_autoptr(GPtrArray) chosen = lac_folder_page_get_selection(page);
  g_assert_cmpuint(chosen->len, ==, 1);
  g_assert_cmpstr(lac_run_item_get(chosen->pdata[0])->path, ==, second);
  lac_folder_page_search(page, "");
  wait_for(page, 2);
  g_autofree char *aside = lac_run_set_aside(first, NULL);
  wait_for(page, 1);
  g_free(lac_run_bring_back(aside, NULL));
  wait_for(page, 2);
  g_assert_finalize_object(page);
}

/* ---- groups ---- */

static LacRunItem *
make_item(const char *name, const char *experiment, const char *outcome)
{
  LacRunHeadline *run = g_new0(LacRunHeadline, 1);
  char **texts[] = {&run->detail,  &run->backend, &run->precision, &run->started,    &run->settings,
                    &run->changed, &run->note,    &run->words,     &run->laboratory, &run->sweep};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    *texts[i] = g_strdup("");
  run->ref_count = 1;
  run->path = g_strdup(name);
  run->name = g_strdup(name);
  run->experiment = g_strdup(experiment);
  run->title = g_strdup(experiment);
  run->outcome = g_strdup(outcome);
  run->tags = g_new0(char *, 1);
  LacRunItem *item = lac_run_item_new(run);
  lac_run_headline_unref(run);
  return item;
}

static int
by_name(gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp(lac_run_item_get((LacRunItem *) a)->name, lac_run_item_get((LacRunItem *) b)->name);
}

/* Asserts the rows in order: "[group] run run [group]". */
static void
assert_rows(LacRunTree *tree, const char *expected)
{
  GListModel        *rows = G_LIST_MODEL(lac_run_tree_get_model(tree));
  g_autoptr(GString) words = g_string_new(NULL);
  lac_run_tree_wait(tree);
  for (guint i = 0; i < g_list_model_get_n_items(rows); i++) {
    g_autoptr(GObject) item = g_list_model_get_item(rows, i);
    if (LAC_IS_RUN_GROUP_ITEM(item))
      g_string_append_printf(words, "[%s] ",
                             lac_run_group_item_get_title(LAC_RUN_GROUP_ITEM(item)));
    else
      g_string_append_printf(words, "%s ", lac_run_item_get(LAC_RUN_ITEM(item))->name);
  }
  g_assert_cmpstr(g_strchomp(words->str), ==, expected);
}

static void
fold(LacRunTree *tree, guint group)
{
  g_autoptr(GtkTreeListRow) row =
    gtk_tree_list_model_get_child_row(lac_run_tree_get_model(tree), group);
  gtk_tree_list_row_set_expanded(row, FALSE);
}

static void
test_rows_stand_under_groups_that_stay_folded(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GListStore) store = g_list_store_new(LAC_TYPE_RUN_ITEM);
  g_autoptr(GtkSorter)  sorter = GTK_SORTER(gtk_custom_sorter_new(by_name, NULL, NULL));
  g_autoptr(LacRunItem) late = make_item("z", "heat", "finished");
  const char *const     made[][3] = {
        {"c", "heat", "finished"}, {"b", "smoke", "failed"}, {"a", "heat", "finished"}};
  for (gsize i = 0; i < G_N_ELEMENTS(made); i++) {
    g_autoptr(LacRunItem) item = make_item(made[i][0], made[i][1], made[i][2]);
    g_list_store_append(store, item);
  }
  g_autoptr(LacRunTree) tree = lac_run_tree_new(G_LIST_MODEL(store), sorter);
  assert_rows(tree, "a b c");
  lac_run_tree_set_grouping(tree, "experiment");
  assert_rows(tree, "[heat] a c [smoke] b");
  fold(tree, 0);
  assert_rows(tree, "[heat] [smoke] b");
  g_list_store_append(store, late);
  assert_rows(tree, "[heat] [smoke] b");
  g_list_store_remove(store, 1);
  assert_rows(tree, "[heat]");
  lac_run_tree_expand(tree, TRUE);
  assert_rows(tree, "[heat] a c z");
  g_autoptr(LacRunItem)     other = make_item("z", "heat", "failed");
  g_autoptr(LacRunHeadline) headline =
    lac_run_headline_ref((LacRunHeadline *) lac_run_item_get(other));
  lac_run_item_update(late, headline); /* its outcome changes */
  lac_run_tree_set_grouping(tree, "outcome");
  assert_rows(tree, "[Failed] z [Finished] a c");
  lac_run_tree_set_grouping(tree, "none");
  assert_rows(tree, "a c z");
}

static void
test_the_search_goes_into_groups(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autofree char       *first = make_run(fixture, "4"), *second = make_run(fixture, "6");
  g_autofree char       *name = g_path_get_basename(second);
  g_autoptr(LacRunStore) store = lac_run_store_new();
  LacFolderPage         *page = g_object_ref_sink(g_object_new(LAC_TYPE_FOLDER_PAGE, NULL));
  lac_folder_page_set_grouping(page, "sensors");
  lac_run_store_set_folder(store, fixture->folder);
  lac_folder_page_set_store(page, store);
  wait_for(page, 2);
  lac_folder_page_expand(page, FALSE);
  lac_folder_page_select(page, (const char *const[]){name, NULL}); /* unfolds its group */
  g_autoptr(GPtrArray) chosen = lac_folder_page_get_selection(page);
  g_assert_cmpuint(chosen->len, ==, 1);
  g_assert_cmpstr(lac_run_item_get(chosen->pdata[0])->path, ==, second);
  lac_folder_page_search(page, "sensors=6");
  wait_for(page, 1);
  g_assert_finalize_object(page);
}

/* Asserts the sensors of each run over its own plane. */
static void
assert_sensors(const LacFrame *frame, gsize n_first, gsize n_second)
{
  gsize n[3] = {0};
  for (gsize i = 0; i < frame->n_markers; i++)
    n[MIN(frame->markers[i].owner, 2)]++;
  g_assert_cmpuint(n[0], ==, 0);
  g_assert_cmpuint(n[1], ==, n_first);
  g_assert_cmpuint(n[2], ==, n_second);
}

static LacFrame *
load(const LacComparisonSource *source, gsize field, gsize i, LacLink link, gsize frames[2])
{
  g_autoptr(GError)            error = NULL;
  g_autoptr(LacComparisonPair) pair = lac_comparison_source_pair(source, field, i, link);
  LacFrame                    *frame = lac_comparison_pair_load(pair, &error);
  g_assert_no_error(error);
  memcpy(frames, pair->frames, sizeof pair->frames);
  return frame;
}

static void
test_fields_of_two_runs_are_one_frame(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError)     error = NULL;
  g_autofree char      *first = make_run(fixture, "4");
  g_autofree char      *second = make_run(fixture, "6");
  g_autoptr(LacRunFile) a = lac_run_file_open(first, &error);
  g_autoptr(LacRunFile) b = lac_run_file_open(second, &error);
  g_assert_no_error(error);
  g_autoptr(LacComparisonSource) source = lac_comparison_source_new(a, b);
  gsize                          n = lac_comparison_source_get_n_fields(source), frames[2];
  g_assert_cmpuint(n, >, 1);
  for (gsize field = 0; field < n; field++) {
    const LacChannel *channels = lac_comparison_source_use(source, field);
    gssize            channel = lac_run_file_find_channel(a, channels[0].key);
    g_assert_true(g_str_has_prefix(channels[0].label, "(a)"));
    g_assert_true(g_str_has_prefix(channels[1].label, "(b)"));
    for (LacLink link = LAC_LINK_STEP; link <= LAC_LINK_TIME; link++) {
      g_autoptr(LacFrame) frame = load(source, field, 0, link, frames);
      g_assert_no_error(error);
      g_autoptr(LacFrame) own = lac_run_file_load_frame(a, 0, &error);
      gsize n_bytes = own->planes[channel].nx * own->planes[channel].ny * sizeof(float);
      g_assert_cmpuint(frame->n_planes, ==, 2);
      assert_sensors(frame, 4, 6);
      g_assert_cmpmem(frame->planes[0].data, n_bytes, own->planes[channel].data, n_bytes);
    }
  }
  gsize               last = lac_comparison_source_get_n_frames(source) - 1;
  g_autoptr(LacFrame) end = load(source, 0, last, LAC_LINK_STEP, frames);
  g_assert_cmpint(b->frame_step[frames[1]], ==, a->frame_step[last]); /* saved by both */
}

/* Steps through the frames that both runs saved. */
static void
test_frames_are_those_of_both_runs(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError)              error = NULL;
  g_autofree char               *first = make_run(fixture, "4");
  g_autofree char               *second = make_run(fixture, "6");
  g_autoptr(LacRunFile)          a = lac_run_file_open(first, &error);
  g_autoptr(LacRunFile)          b = lac_run_file_open(second, &error);
  g_autoptr(LacComparisonSource) source = lac_comparison_source_new(a, b);
  g_autoptr(GArray)              common = lac_comparison_source_list_frames(source, LAC_LINK_STEP);
  g_autoptr(GArray)              all = lac_comparison_source_list_frames(source, LAC_LINK_TIME);
  g_assert_cmpuint(all->len, ==, lac_comparison_source_get_n_frames(source));
  g_assert_cmpuint(common->len, >, 0);
  for (guint i = 0; i < common->len; i++) {
    gint64 step = a->frame_step[g_array_index(common, gsize, i)];
    gssize other = lac_run_file_find_frame(b, step);
    g_assert_cmpint(b->frame_step[other], ==, step);
  }
}

/* Asserts that both planes of a comparison are the same, bit by bit. */
static void
assert_no_difference(LacComparisonSource *source, gsize field)
{
  gsize               frames[2];
  g_autoptr(LacFrame) frame = load(source, field, 0, LAC_LINK_STEP, frames);
  gsize               n_bytes = frame->planes[0].nx * frame->planes[0].ny * sizeof(float);
  g_assert_cmpmem(frame->planes[0].data, n_bytes, frame->planes[1].data, n_bytes);
}

static void
test_a_difference_below_rounding_is_zero(Fixture *fixture, gconstpointer data)
{
  float          values[] = {1, -2, 0.5F, 1e-8F};
  const float    noise = 2.0F * (float) LAC_COMPARISON_ULPS * FLT_EPSILON; /* half is dropped */
  float          near[] = {1 + 2 * FLT_EPSILON, -2, 0.5F, -1e-8F};
  float          far[] = {1 + 2 * noise, -2, 0.5F, 1e-8F};
  LacPlane       first = {.nx = 2, .ny = 2, .data = values};
  LacPlane       second = {.nx = 2, .ny = 2, .data = near};
  LacPlane       third = {.nx = 2, .ny = 2, .data = far};
  const LacPlane other_shape = {.nx = 4, .ny = 1, .data = values};
  lac_plane_measure(&first);
  lac_plane_measure(&second);
  lac_plane_measure(&third);
  lac_comparison_drop_rounding(&first, &second);
  g_assert_cmpmem(near, sizeof near, values, sizeof values);
  float before = far[0];
  lac_comparison_drop_rounding(&first, &third);
  g_assert_cmpfloat(far[0], ==, before); /* a difference that is one */
  lac_comparison_drop_rounding(&other_shape, &third);
  g_assert_cmpfloat(far[0], ==, before); /* no cell of one plane is a cell of the other */
}

static void
test_the_same_run_twice_has_no_difference(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError)              error = NULL;
  g_autofree char               *first = make_run(fixture, "4");
  g_autoptr(LacRunFile)          a = lac_run_file_open(first, &error);
  g_autoptr(LacComparisonSource) source = lac_comparison_source_new(a, a);
  for (gsize field = 0; field < lac_comparison_source_get_n_fields(source); field++)
    assert_no_difference(source, field);
}

static guint
count_labels(GtkWidget *root, const char *text)
{
  guint n = GTK_IS_LABEL(root) && strstr(gtk_label_get_text(GTK_LABEL(root)), text) != NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    n += count_labels(child, text);
  return n;
}

static void
wait_for_answer(LacComparePage *page)
{
  guint late = display_limit_wait();
  while (lac_compare_page_get_verdict(page) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
wait_for_frames(LacComparePage *page)
{
  guint late = display_limit_wait();
  while (count_labels(lac_compare_page_get_bar(page), ", both") == 0)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

/* Moves through all frames at once, the first one last: its fields are shown in the end. */
static void
assert_last_place_is_shown(LacComparePage *page)
{
  LacCompareFields *fields = lac_compare_page_get_fields(page);
  LacFieldView     *view = lac_compare_fields_get_view(fields);
  guint             field, frame;
  lac_compare_fields_get_chosen(fields, &field, &frame);
  for (guint i = frame; i-- > 0;)
    lac_compare_fields_choose(fields, field, i);
  lac_compare_fields_get_chosen(fields, &field, &frame);
  g_assert_cmpuint(lac_field_view_get_scene(view)->frame->sequence, !=, frame);
  guint late = display_limit_wait();
  while (lac_field_view_get_scene(view)->frame->sequence != frame)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
test_the_page_compares_two_runs(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autofree char  *first = make_run(fixture, "4");
  g_autofree char  *second = make_run(fixture, "6");
  const char *const paths[] = {first, second, NULL};
  LacComparePage   *page = g_object_ref_sink(g_object_new(LAC_TYPE_COMPARE_PAGE, NULL));
  lac_compare_page_set_runs(page, (const char *const[]){first, NULL}); /* one run is none */
  g_auto(GStrv) none = lac_compare_page_dup_paths(page);
  g_assert_null(none[0]);
  lac_compare_page_set_runs(page, paths);
  wait_for_answer(page);
  g_assert_nonnull(strstr(lac_compare_page_get_verdict(page), "per step"));
  g_assert_cmpuint(count_labels(GTK_WIDGET(page), "Sensors K"), >,
                   0); /* the setting that differs */
  g_assert_cmpuint(count_labels(lac_compare_page_get_differences(page), "Sensors K"), ==, 1);
  wait_for_frames(page);
  assert_last_place_is_shown(page);
  g_auto(GStrv) shown = lac_compare_page_dup_paths(page);
  g_assert_true(g_strv_equal((const char *const *) shown, paths));
  for (guint mode = 0; mode < LAC_N_VIEWS; mode++)
    lac_compare_page_set_mode(page, (LacViewMode) mode);
  lac_compare_page_set_link(page, LAC_LINK_TIME);
  g_autofree char *before = g_strdup(lac_compare_page_get_chosen(page, LAC_COMPARE_METRIC));
  lac_compare_page_choose_next(page, LAC_COMPARE_METRIC);
  g_autofree char *chosen = g_strdup(lac_compare_page_get_chosen(page, LAC_COMPARE_METRIC));
  g_assert_cmpstr(chosen, !=, before);
  lac_compare_page_choose(page, LAC_COMPARE_BELOW, "profile");
  lac_compare_page_choose(page, LAC_COMPARE_BELOW, "cellar"); /* there is none */
  g_assert_cmpstr(lac_compare_page_get_chosen(page, LAC_COMPARE_BELOW), ==, "profile");
  lac_compare_page_swap(page);
  wait_for_answer(page);
  g_assert_cmpstr(lac_compare_page_get_chosen(page, LAC_COMPARE_METRIC), ==, chosen);
  g_auto(GStrv) swapped = lac_compare_page_dup_paths(page);
  g_assert_cmpstr(swapped[0], ==, second);
  g_assert_finalize_object(page);
}

static void
test_three_runs_have_a_column_each(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autofree char *first = make_run(fixture, "4"), *second = make_run(fixture, "6");
  g_autofree char *third = make_run(fixture, "8");
  LacComparePage  *page = g_object_ref_sink(g_object_new(LAC_TYPE_COMPARE_PAGE, NULL));
  lac_compare_page_set_runs(page, (const char *const[]){first, second, third, NULL});
  wait_for_answer(page);
  g_assert_false(gtk_widget_get_visible(GTK_WIDGET(lac_compare_page_get_fields(page))));
  g_assert_cmpuint(count_labels(lac_compare_page_get_differences(page), "c"), >, 0);
  g_assert_cmpuint(count_labels(lac_compare_page_get_differences(page), "(d)"), ==, 0);
  g_assert_finalize_object(page);
}

/* ---- folders ---- */

static void
test_a_folder_shows_its_runs_only(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autofree char       *first = make_run(fixture, "4"), *second = make_run(fixture, "6");
  g_autoptr(LacRunStore) store = lac_run_store_new();
  LacFolderPage         *page = g_object_ref_sink(g_object_new(LAC_TYPE_FOLDER_PAGE, NULL));
  lac_run_store_set_folder(store, fixture->folder);
  lac_folder_page_set_store(page, store);
  wait_for(page, 2);
  lac_folder_page_set_folder(page, "sensors", "6");
  wait_for(page, 1);
  g_autofree char *title = lac_folder_page_dup_title(page);
  g_assert_cmpstr(title, ==, "Sensors K: 6");
  g_assert_null(lac_folder_page_get_sweep(page)); /* a single run, of no sweep */
  lac_folder_page_set_folder(page, "none", "");
  wait_for(page, 2);
  g_assert_finalize_object(page);
}

/* A headline with results of two methods, the better one second, and a comparison that is no method. */
static void
test_the_best_result_is_that_of_a_method(Fixture *fixture, gconstpointer data)
{
  LacHeadlineMetric metrics[] = {
    {(char *) "relative_l2", (char *) "Relative error", (char *) "1", 0.5},
    {(char *) "enkf.relative_l2", (char *) "Relative error", (char *) "1", 0.5},
    {(char *) "pod.relative_l2", (char *) "Relative error", (char *) "1", 0.25},
    {(char *) "band_limited.relative_l2", (char *) "Relative error", (char *) "1", 0.125},
  };
  LacRunHeadline run = {.experiment = (char *) "kolmogorov",
                        .settings = (char *) "\nengines=enkf,pod\nsensors=8\n",
                        .sweep = (char *) "20260101-000000-1 sensors=4,8",
                        .n_metrics = G_N_ELEMENTS(metrics),
                        .metrics = metrics};
  g_assert_true(lac_run_headline_find_best(&run) == &metrics[2]);
  g_autofree char *method = lac_result_dup_best_method(&run);
  g_assert_cmpstr(method, ==, "Gappy POD");
  g_autofree char *word = lac_result_dup_best_method_short(&run);
  g_assert_cmpstr(word, ==, "POD");
  metrics[1].value = 0.2;
  g_autofree char *acronym = lac_result_dup_best_method_short(&run);
  g_assert_cmpstr(acronym, ==, "EnKF");
  g_autofree char *best = lac_run_item_dup_best(&run);
  g_assert_cmpstr(best, ==, "20 %");
  g_autofree char *swept = lac_run_item_dup_swept(&run);
  g_assert_cmpstr(swept, ==, "K = 8");
  g_autofree char *text = lac_result_dup_text(metrics[2].key, metrics[2].unit, 0.00364);
  g_assert_cmpstr(text, ==, "0.36 %");
  g_autofree char *missing = lac_result_dup_text(metrics[2].key, metrics[2].unit, NAN);
  g_assert_cmpstr(missing, ==, "–");
  g_assert_true(lac_result_is_better("psnr_db", 30, 20));
  g_assert_true(lac_result_is_better("relative_l2", 20, 30));
  g_assert_false(lac_result_is_better("relative_l2", NAN, 30));
}

#define ADD(path, func) g_test_add("/app/runs/" path, Fixture, NULL, set_up, func, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("the-list-follows-its-folder", test_the_list_follows_its_folder);
  ADD("rows-stand-under-groups-that-stay-folded", test_rows_stand_under_groups_that_stay_folded);
  ADD("the-search-goes-into-groups", test_the_search_goes_into_groups);
  ADD("fields-of-two-runs-are-one-frame", test_fields_of_two_runs_are_one_frame);
  ADD("frames-are-those-of-both-runs", test_frames_are_those_of_both_runs);
  ADD("a-difference-below-rounding-is-zero", test_a_difference_below_rounding_is_zero);
  ADD("the-same-run-twice-has-no-difference", test_the_same_run_twice_has_no_difference);
  ADD("the-page-compares-two-runs", test_the_page_compares_two_runs);
  ADD("three-runs-have-a-column-each", test_three_runs_have_a_column_each);
  ADD("a-folder-shows-its-runs-only", test_a_folder_shows_its_runs_only);
  ADD("the-best-result-is-that-of-a-method", test_the_best_result_is_that_of_a_method);
  return g_test_run();
}
