/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of runs of the sidebar: by day, a sweep in a group of its own, thousands of runs in short turns; and what a
 * row says about its run. */
#include "app/session/run-tree.h"
#include "experiment/experiment.h"
#include "run/library/best.h"
#include "run/library/group.h"

#include <math.h>
#include <string.h>

/* @started: seconds since 1970; @sweep: (nullable) */
static LacRunItem *
make_item(const char *name, gint64 started, const char *sweep)
{
  LacRunHeadline      *run = g_new0(LacRunHeadline, 1);
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(started);
  run->ref_count = 1;
  run->path = g_strdup(name);
  run->name = g_strdup(name);
  run->experiment = g_strdup("heat1d");
  run->title = g_strdup("Heat");
  run->laboratory = g_strdup("flow");
  run->outcome = g_strdup("finished");
  run->started = g_date_time_format(then, "%Y-%m-%dT%H:%M:%S");
  run->started_s = started;
  run->settings = g_strdup("\nsensors=8\nengines=pod,enkf\nnoise=2\n");
  run->changed = g_strdup("");
  run->sweep = g_strdup(sweep != NULL ? sweep : "");
  run->seconds = 1;
  run->bytes = 10;
  run->tags = g_new0(char *, 1);
  LacRunItem *item = lac_run_item_new(run);
  lac_run_headline_unref(run);
  return item;
}

static void
append(GListStore *store, const char *name, gint64 started, const char *sweep)
{
  g_autoptr(LacRunItem) item = make_item(name, started, sweep);
  g_list_store_append(store, item);
}

static gint64
noon(int days_ago)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autoptr(GDateTime) today =
    g_date_time_new_local(g_date_time_get_year(now), g_date_time_get_month(now),
                          g_date_time_get_day_of_month(now), 12, 0, 0);
  g_autoptr(GDateTime) then = g_date_time_add_days(today, -days_ago);
  return g_date_time_to_unix(then);
}

/* Returns: (transfer full): what the runs of a sweep begun then share. */
static char *
make_sweep(gint64 started, const char *text)
{
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(started);
  g_autofree char     *stamp = g_date_time_format(then, "%Y%m%d-%H%M%S");
  return g_strdup_printf("%s-00ff %s", stamp, text);
}

/* Returns: (transfer full): "[Group] run [Sweep] run", indented by depth with dots. */
static char *
describe_rows(LacRunTree *tree)
{
  GtkTreeListModel *rows = lac_run_tree_get_model(tree);
  GString          *words = g_string_new(NULL);
  lac_run_tree_wait(tree);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(rows)); i++) {
    g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(rows, i);
    g_autoptr(GObject)        item = gtk_tree_list_row_get_item(row);
    g_string_append(words, i > 0 ? " " : "");
    for (guint d = 0; d < gtk_tree_list_row_get_depth(row); d++)
      g_string_append(words, ".");
    if (LAC_IS_RUN_GROUP_ITEM(item))
      g_string_append_printf(words, "[%s]", lac_run_group_item_get_title(LAC_RUN_GROUP_ITEM(item)));
    else
      g_string_append(words, lac_run_item_get(LAC_RUN_ITEM(item))->name);
  }
  return g_string_free(words, FALSE);
}

static void
assert_rows(LacRunTree *tree, const char *expected)
{
  g_autofree char *words = describe_rows(tree);
  g_assert_cmpstr(words, ==, expected);
}

static void
set_expanded(LacRunTree *tree, guint position, gboolean is_expanded)
{
  g_autoptr(GtkTreeListRow) row =
    gtk_tree_list_model_get_row(lac_run_tree_get_model(tree), position);
  g_assert_true(gtk_tree_list_row_is_expandable(row));
  gtk_tree_list_row_set_expanded(row, is_expanded);
}

static void
test_a_sweep_is_one_row_of_its_day(void)
{
  g_autoptr(GListStore) store = g_list_store_new(LAC_TYPE_RUN_ITEM);
  g_autofree char      *sweep = make_sweep(noon(0) + 10, "sensors=4,8");
  append(store, "old", noon(1), NULL);
  append(store, "late", noon(0) + 60, NULL);
  append(store, "s2", noon(0) + 12, sweep);
  append(store, "early", noon(0), NULL);
  g_autoptr(LacRunTree) tree = lac_run_tree_new_with_sweeps(G_LIST_MODEL(store));
  assert_rows(tree, "[Today] .late .[Sensors K] .early [Yesterday] .old");
  set_expanded(tree, 2, TRUE);
  append(store, "s1", noon(0) + 11, sweep);
  assert_rows(tree, "[Today] .late .[Sensors K] ..s1 ..s2 .early [Yesterday] .old");
  set_expanded(tree, 0, FALSE);
  append(store, "later", noon(0) + 70, NULL);
  assert_rows(tree, "[Today] [Yesterday] .old");
  set_expanded(tree, 0, TRUE);
  assert_rows(tree, "[Today] .later .late .[Sensors K] .early [Yesterday] .old");

  g_autoptr(LacRunItem) first = g_list_model_get_item(G_LIST_MODEL(store), 4); /* s1 */
  g_assert_cmpuint(lac_run_tree_reveal(tree, first), ==, 4);
  assert_rows(tree, "[Today] .later .late .[Sensors K] ..s1 ..s2 .early [Yesterday] .old");
  g_autoptr(LacRunGroupItem) today =
    g_list_model_get_item(G_LIST_MODEL(lac_run_tree_get_model(tree)), 0);
  g_assert_cmpuint(lac_run_group_item_get_n_runs(today), ==, 5);
  g_assert_cmpfloat(lac_run_group_item_get_seconds(today), ==, 5);
  g_assert_cmpuint(lac_run_group_item_get_bytes(today), ==, 50);

  g_list_store_remove(store, 4); /* both runs of the sweep: its row goes */
  g_list_store_remove(store, 2);
  assert_rows(tree, "[Today] .later .late .early [Yesterday] .old");
  g_list_store_remove(store, 0);
  assert_rows(tree, "[Today] .later .late .early");
  g_list_store_remove_all(store);
  assert_rows(tree, "");
  g_assert_cmpuint(lac_run_tree_reveal(tree, first), ==, GTK_INVALID_LIST_POSITION);
}

static void
append_swept(GListStore *store, const char *name, gint64 started, const char *sweep, int sensors)
{
  g_autoptr(LacRunItem) item = make_item(name, started, sweep);
  LacRunHeadline       *run = (LacRunHeadline *) lac_run_item_get(item);
  g_free(run->settings);
  run->settings = g_strdup_printf("\nsensors=%d\n", sensors);
  g_list_store_append(store, item);
}

/* In its folder runs are sorted by number, 12 after 8, whichever began first; among other runs only the start counts. */
static void
test_a_sweep_is_in_the_order_of_its_values(void)
{
  g_autoptr(GListStore) store = g_list_store_new(LAC_TYPE_RUN_ITEM);
  g_autofree char      *sweep = make_sweep(noon(0) + 10, "sensors=4,8,12");
  append_swept(store, "k12", noon(0) + 11, sweep, 12);
  append(store, "other", noon(0) + 12, NULL);
  append_swept(store, "k8", noon(0) + 13, sweep, 8);
  append_swept(store, "k4", noon(0) + 14, sweep, 4);
  g_autoptr(LacRunTree) tree = lac_run_tree_new_with_sweeps(G_LIST_MODEL(store));
  assert_rows(tree, "[Today] .other .[Sensors K]");
  set_expanded(tree, 2, TRUE);
  assert_rows(tree, "[Today] .other .[Sensors K] ..k4 ..k8 ..k12");
  lac_run_tree_set_grouping(tree, lac_run_grouping_key(LAC_GROUP_NONE));
  assert_rows(tree, "k4 k8 other k12");
}

/* Every run has one row in its place, whatever was inserted and removed in which order. */
static void
test_any_order_of_changes_gives_the_same_rows(void)
{
  g_autoptr(GListStore) store = g_list_store_new(LAC_TYPE_RUN_ITEM);
  g_autoptr(LacRunTree) tree = lac_run_tree_new_with_sweeps(G_LIST_MODEL(store));
  g_autofree char      *later = make_sweep(noon(2), "sensors=1,2"),
                  *earlier = make_sweep(noon(0), "noise=1,2");
  const char *const sweeps[] = {later, earlier, NULL};
  for (guint i = 0; i < 400; i++) {
    guint n = g_list_model_get_n_items(G_LIST_MODEL(store));
    if (n > 0 && g_test_rand_int_range(0, 3) == 0) {
      g_list_store_remove(store, (guint) g_test_rand_int_range(0, (gint32) n));
    } else {
      g_autofree char      *name = g_strdup_printf("r%03u", i);
      g_autoptr(LacRunItem) item =
        make_item(name, noon(g_test_rand_int_range(0, 3)) + g_test_rand_int_range(0, 100),
                  sweeps[g_test_rand_int_range(0, 3)]);
      g_list_store_insert(store, (guint) g_test_rand_int_range(0, (gint32) n + 1), item);
    }
    if (g_test_rand_int_range(0, 5) == 0)
      g_main_context_iteration(NULL, FALSE);
  }
  lac_run_tree_wait(tree);
  lac_run_tree_expand(tree, TRUE);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(lac_run_tree_get_model(tree))); i++) {
    g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(lac_run_tree_get_model(tree), i);
    gtk_tree_list_row_set_expanded(row, TRUE);
  }
  g_autoptr(LacRunTree) anew = lac_run_tree_new_with_sweeps(G_LIST_MODEL(store));
  lac_run_tree_wait(anew);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(lac_run_tree_get_model(anew))); i++) {
    g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(lac_run_tree_get_model(anew), i);
    gtk_tree_list_row_set_expanded(row, TRUE);
  }
  g_autofree char *grown = describe_rows(tree);
  assert_rows(anew, grown);
}

/* ---- ten thousand runs ---- */

static gint64
get_cpu_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
count_changes(GListModel *model, guint position, guint n_removed, guint n_added, guint *n)
{
  (*n)++;
}

/* Takes turns of the main loop until all runs are grouped. Asserts that no turn groups more runs than a turn may.
 * Returns the number of turns. */
static guint
take_turns(LacRunTree *tree)
{
  guint  n_turns = 0;
  gint64 longest = 0;
  for (guint before = lac_run_tree_get_n_pending(tree); before > 0; n_turns++) {
    gint64 begin = get_cpu_ns();
    g_main_context_iteration(NULL, TRUE);
    longest = MAX(longest, get_cpu_ns() - begin);
    guint now = lac_run_tree_get_n_pending(tree);
    g_assert_cmpuint(before - now, <=, LAC_RUN_TREE_MOST);
    before = now;
  }
  g_test_message("longest turn: %.1f ms of CPU", (double) longest * 1e-6);
  return n_turns;
}

static void
test_ten_thousand_runs_are_grouped_in_short_turns(void)
{
  g_autoptr(GListStore) store = g_list_store_new(LAC_TYPE_RUN_ITEM);
  g_autoptr(LacRunTree) tree = lac_run_tree_new_with_sweeps(G_LIST_MODEL(store));
  g_autoptr(GPtrArray)  items = g_ptr_array_new_with_free_func(g_object_unref);
  const guint           n = 10000, n_least = n / LAC_RUN_TREE_MOST;
  guint                 n_changes = 0;
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("run%05u", i);
    g_autofree char *sweep = make_sweep(noon(0) + (gint64) (i / 20), "sensors=4,8");
    g_ptr_array_add(
      items, make_item(name, noon((int) (i % 2)) + (gint64) i % 30000, i % 40 < 20 ? sweep : NULL));
  }
  g_signal_connect(lac_run_tree_get_model(tree), "items-changed", G_CALLBACK(count_changes),
                   &n_changes);
  g_list_store_splice(store, 0, 0, items->pdata, n);
  g_assert_cmpuint(lac_run_tree_get_n_pending(tree), ==, n); /* nothing was grouped at once */
  guint n_turns = take_turns(tree);
  g_assert_cmpuint(n_turns, >=, n_least);
  g_assert_cmpuint(n_changes, <=, 40 * n_turns); /* the rows change by turns, not run by run */
  g_autoptr(LacRunGroupItem) today =
    g_list_model_get_item(G_LIST_MODEL(lac_run_tree_get_model(tree)), 0);
  g_assert_cmpuint(lac_run_group_item_get_n_runs(today), ==, n / 2);

  lac_run_tree_refresh(tree); /* as after any change of the folder: nothing moves */
  n_changes = 0;
  g_assert_cmpuint(take_turns(tree), >=, n_least);
  g_assert_cmpuint(n_changes, ==, 0);
  lac_run_tree_set_grouping(tree, "experiment");
  take_turns(tree);
  g_list_store_splice(store, 0, n / 2, NULL, 0);
  g_assert_cmpuint(take_turns(tree), >=, n_least / 2);
  g_autoptr(LacRunGroupItem) heat =
    g_list_model_get_item(G_LIST_MODEL(lac_run_tree_get_model(tree)), 0);
  g_assert_cmpuint(lac_run_group_item_get_n_runs(heat), ==, n / 2);
}

/* ---- what a row says ---- */

/* @metrics: "key unit value", separated by commas */
static LacRunHeadline *
make_headline(const char *experiment, const char *settings, const char *metrics)
{
  LacRunHeadline *run = g_new0(LacRunHeadline, 1);
  g_auto(GStrv)   lines = g_strsplit(metrics, ",", -1);
  run->ref_count = 1;
  run->experiment = g_strdup(experiment);
  run->settings = g_strdup(settings);
  run->changed = g_strdup("");
  run->sweep = g_strdup("");
  run->metrics = g_new0(LacHeadlineMetric, g_strv_length(lines) + 1);
  for (char **line = lines; *line != NULL; line++) {
    g_auto(GStrv) parts = g_strsplit(*line, " ", 3);
    run->metrics[run->n_metrics++] = (LacHeadlineMetric){
      g_strdup(parts[0]), g_strdup(parts[0]), g_strdup(parts[1]), g_ascii_strtod(parts[2], NULL)};
  }
  return run;
}

static void
test_the_best_method_is_named_by_its_result(void)
{
  static const char *const rows[][4] = {
    /* experiment, settings, metrics, expected */
    {"heat1d", "\nengines=pod,enkf\n",
     "fluctuation_relative_l2 1 0.02,pod.fluctuation_relative_l2 1 "
     "0.02,enkf.fluctuation_relative_l2 1 "
     "0.0036,enkf.spread 1 1e-9",
     "0.36 %"},
    {"heat1d", "\nengines=pod,enkf\n",
     "fluctuation_relative_l2 1 0.02,pod.fluctuation_relative_l2 1 "
     "0.02,enkf.fluctuation_relative_l2 1 nan",
     "2 %"},
    /* what is compared with the methods is none of them, and a higher PSNR is better */
    {"usaf", "\nsolver=pie,ml\n",
     "psnr_db dB 24,pie.psnr_db dB 24,ml.psnr_db dB 152.8,band_limited.psnr_db dB 170", "152.8 dB"},
    {"h2", "\n", "energy_hartree Ha -1.15,energy_error_millihartree mHa 21.9", "21.9 mHa"},
    {"h2", "\n", "energy_hartree Ha nan", "–"},
    {"unknown", "\n", "rate 1 3,other.rate 1 2", "2"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(LacRunHeadline) run = make_headline(rows[i][0], rows[i][1], rows[i][2]);
    g_autofree char          *text = lac_run_item_dup_best(run);
    g_assert_cmpstr(text, ==, rows[i][3]);
  }
  g_autoptr(LacRunHeadline) none = g_new0(LacRunHeadline, 1);
  none->ref_count = 1;
  g_assert_null(lac_run_headline_find_best(none));
}

static void
test_the_caption_says_when_and_what(void)
{
  g_autoptr(LacRunHeadline) run = make_headline("heat1d", "\nsensors=8\nnoise=2\n", "");
  run->started_s = noon(3) + 4 * 3600 + 32 * 60;
  g_autofree char *plain = lac_run_item_dup_caption(run);
  g_assert_cmpstr(plain, ==, "16:32");
  g_free(run->changed);
  run->changed = g_strdup("sensors=8");
  g_autofree char *changed = lac_run_item_dup_caption(run);
  g_assert_cmpstr(changed, ==, "16:32 · K 8");
  g_free(run->changed);
  run->changed = g_strdup("engines=pod,enkf\nsensors=8\nseen=1\nheard=2");
  g_free(run->sweep);
  run->sweep = g_strdup("20260101-100000-1a2b sensors=4,8"); /* what was swept comes first */
  g_autofree char *many = lac_run_item_dup_caption(run);
  g_assert_true(g_str_has_prefix(many, "16:32 · K 8 · "));
  g_assert_true(g_str_has_suffix(many, " …"));
  g_assert_null(strstr(many, "pod,enkf")); /* methods by their names */
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/run-tree/a-sweep-is-one-row-of-its-day",
                  test_a_sweep_is_one_row_of_its_day);
  g_test_add_func("/app/run-tree/a-sweep-is-in-the-order-of-its-values",
                  test_a_sweep_is_in_the_order_of_its_values);
  g_test_add_func("/app/run-tree/any-order-of-changes-gives-the-same-rows",
                  test_any_order_of_changes_gives_the_same_rows);
  g_test_add_func("/app/run-tree/ten-thousand-runs-are-grouped-in-short-turns",
                  test_ten_thousand_runs_are_grouped_in_short_turns);
  g_test_add_func("/app/run-tree/the-best-method-is-named-by-its-result",
                  test_the_best_method_is_named_by_its_result);
  g_test_add_func("/app/run-tree/the-caption-says-when-and-what",
                  test_the_caption_says_when_and_what);
  return g_test_run();
}
