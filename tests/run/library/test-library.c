/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of runs: listed, listed again from the index, searched, sorted, tagged, deleted and restored. */
#include "base/error.h"
#include "experiment/experiment.h"
#include "helpers/folder.h"
#include "io/runfile/folder.h"
#include "run/library/filter.h"
#include "run/library/library.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

/* Begins a run of heat1d; it is ended, or still running while the folder is open. */
static LacRunFolder *
begin_run(const char *place, const char *key, const char *text)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("heat1d", &error);
  g_assert_no_error(error);
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  if (key != NULL)
    g_assert_true(lac_draft_set(draft, key, text, &error));
  g_auto(LacOutline) outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));
  LacRunHeader       header = {.experiment = experiment->name,
                               .title = experiment->title,
                               .params = &experiment->params,
                               .draft = draft,
                               .channels = outline.channels,
                               .n_channels = outline.n_channels,
                               .metrics = outline.metrics,
                               .n_metrics = outline.n_metrics,
                               .seed = 7,
                               .backend = "cpu",
                               .precision = "f64",
                               .threads = 2};
  LacRunFolder      *folder = lac_run_folder_create(place, &header, &error);
  g_assert_no_error(error);
  g_autofree double *values = g_new(double, outline.n_metrics + 1);
  for (gsize i = 0; i < outline.n_metrics; i++)
    values[i] = text != NULL ? 1 / g_ascii_strtod(text, NULL) : 0.5;
  g_assert_true(lac_run_folder_metrics(folder, 40, 2.5, values, &error));
  return folder;
}

static char *
write_run(const char *place, const char *key, const char *text, const char *outcome)
{
  g_autoptr(LacRunFolder) folder = begin_run(place, key, text);
  g_autoptr(GError)       error = NULL;
  LacRunEnd               end = {outcome, NULL, 40, 2.5, 0.5};
  g_assert_true(lac_run_folder_finish(folder, &end, &error));
  return g_strdup(lac_run_folder_get_path(folder));
}

/* A library whose index is in the same folder as its runs. */
typedef struct {
  char          *place;
  LacRunLibrary *library;
  GPtrArray     *runs, *gone; /* from the last scan */
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  fixture->place = test_folder_new();
  fixture->library = lac_run_library_new(fixture->place, fixture->place);
  fixture->runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);
  fixture->gone = g_ptr_array_new_with_free_func(g_free);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  lac_run_library_unref(fixture->library);
  g_ptr_array_unref(fixture->runs);
  g_ptr_array_unref(fixture->gone);
  test_folder_remove(fixture->place);
}

static void
on_found(GPtrArray *runs, GPtrArray *gone, gpointer user_data)
{
  Fixture *fixture = user_data;
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add(fixture->runs, lac_run_headline_ref(g_ptr_array_index(runs, i)));
  for (guint i = 0; i < gone->len; i++)
    g_ptr_array_add(fixture->gone, g_strdup(g_ptr_array_index(gone, i)));
}

static void
scan(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_ptr_array_set_size(fixture->runs, 0);
  g_ptr_array_set_size(fixture->gone, 0);
  g_assert_true(lac_run_library_scan(fixture->library, NULL, on_found, fixture, &error));
  g_assert_no_error(error);
}

static LacRunHeadline *
only(Fixture *fixture)
{
  g_assert_cmpuint(fixture->runs->len, ==, 1);
  return g_ptr_array_index(fixture->runs, 0);
}

static guint64
count_bytes(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  guint64         bytes = 0;
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *text = NULL;
    gsize            length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    bytes += length;
  }
  return bytes;
}

static LacRunHeadline *
with_settings(const char *settings)
{
  static char         name[] = "a.lacuna", none[] = "", *tags[] = {NULL};
  g_autofree char    *copy = g_strdup(settings);
  LacRunHeadline      blank = {.name = name,
                               .experiment = none,
                               .title = none,
                               .laboratory = none,
                               .outcome = none,
                               .detail = none,
                               .backend = none,
                               .precision = none,
                               .started = none,
                               .note = none,
                               .changed = none,
                               .sweep = none,
                               .tags = tags,
                               .settings = copy};
  g_autoptr(GVariant) packed = g_variant_ref_sink(lac_run_headline_pack(&blank));
  return lac_run_headline_unpack("/", packed);
}

static void
test_what_differs_is_what_is_not_the_same_in_all(void)
{
  static const char *const rows[][4] = {
    /* settings of three runs, and the differing keys */
    {"\na=1\nb=2\n", "\na=1\nb=2\n", "\na=1\nb=2\n", ""},
    {"\na=1\nb=2\n", "\na=1\nb=2\n", "\na=1\nb=3\n", "b"},
    {"\na=1\nb=2\n", "\na=1\n", "\na=1\nb=2\n", "b"},
    {"\na=1\n", "\nb=2\na=1\n", "\na=10\nb=2\n", "a,b"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(GPtrArray) runs =
      g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);
    for (gsize k = 0; k < 3; k++)
      g_ptr_array_add(runs, with_settings(rows[i][k]));
    g_auto(GStrv)    keys = lac_run_headlines_differing(runs);
    g_autofree char *joined = g_strjoinv(",", keys);
    g_assert_cmpstr(joined, ==, rows[i][3]);
  }
}

static void
test_a_headline_says_what_the_run_was(Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_run(fixture->place, "sensors", "6", "finished");
  scan(fixture);
  const LacRunHeadline *run = only(fixture);
  g_autofree char      *name = g_path_get_basename(path);
  g_autofree char      *sensors = lac_run_headline_dup_setting(run, "sensors");
  g_autofree char      *nothing = lac_run_headline_dup_setting(run, "sensor");
  g_assert_cmpstr(run->name, ==, name);
  g_assert_cmpstr(run->experiment, ==, "heat1d");
  g_assert_cmpstr(run->laboratory, ==, "flow");
  g_assert_cmpstr(run->outcome, ==, "finished");
  g_assert_cmpuint(run->seed, ==, 7);
  g_assert_cmpint(run->steps, ==, 40);
  g_assert_cmpfloat(run->seconds, ==, 2.5);
  g_assert_cmpfloat(run->setup_seconds, ==, 0.5);
  g_assert_cmpstr(sensors, ==, "6");
  g_assert_null(nothing);
  g_assert_cmpstr(run->changed, ==, "sensors=6");
  g_assert_cmpuint(run->n_metrics, >, 0);
  g_assert_cmpfloat(run->metrics[0].value, ==, 1.0 / 6);
  g_assert_cmpuint(run->bytes, ==, count_bytes(path));
  g_assert_cmpint(ABS(run->started_s - g_get_real_time() / G_USEC_PER_SEC), <, 60);
}

static void
assert_same_headline(const LacRunHeadline *a, const LacRunHeadline *b)
{
  g_autoptr(GVariant) left = g_variant_ref_sink(lac_run_headline_pack(a));
  g_autoptr(GVariant) right = g_variant_ref_sink(lac_run_headline_pack(b));
  g_assert_true(g_variant_equal(left, right));
  g_assert_cmpstr(a->path, ==, b->path);
  g_assert_cmpstr(a->words, ==, b->words);
}

/* The journal is damaged with unchanged size and time, so that only reading it again would show the damage. */
static void
test_the_index_spares_the_reading(Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_run(fixture->place, "sensors", "6", "finished");
  g_autofree char *journal = g_build_filename(path, "journal", NULL);
  scan(fixture);
  g_autoptr(LacRunHeadline) before = lac_run_headline_ref(only(fixture));
  GStatBuf                  about;
  g_autofree char          *bytes = NULL;
  gsize                     length;
  g_assert_cmpint(g_stat(journal, &about), ==, 0);
  g_assert_true(g_file_get_contents(journal, &bytes, &length, NULL));
  memset(bytes, 0, length);
  FILE *file = g_fopen(journal, "r+b");
  g_assert_cmpuint(fwrite(bytes, 1, length, file), ==, length);
  fclose(file);
  struct timespec times[2] = {about.st_atim, about.st_mtim};
  g_assert_cmpint(utimensat(AT_FDCWD, journal, times, 0), ==, 0);

  lac_run_library_unref(fixture->library);
  fixture->library = lac_run_library_new(fixture->place, fixture->place);
  scan(fixture);
  assert_same_headline(before, only(fixture));
  g_assert_cmpint(g_utime(journal, NULL), ==, 0);
  scan(fixture);
  g_assert_cmpstr(only(fixture)->outcome, ==, "unreadable");
  g_assert_cmpuint(strlen(only(fixture)->detail), >, 0);
}

static void
test_a_scan_tells_only_what_is_new(Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = write_run(fixture->place, NULL, NULL, "finished");
  scan(fixture);
  only(fixture);
  scan(fixture);
  g_assert_cmpuint(fixture->runs->len, ==, 0);
  g_autofree char *second = write_run(fixture->place, "sensors", "5", "diverged");
  scan(fixture);
  g_assert_cmpstr(only(fixture)->path, ==, second);
  g_autoptr(GError) error = NULL;
  g_autofree char  *aside = lac_run_set_aside(first, &error);
  g_assert_no_error(error);
  scan(fixture);
  g_assert_cmpuint(fixture->runs->len, ==, 0);
  g_assert_cmpuint(fixture->gone->len, ==, 1);
}

static void
test_a_run_that_goes_on_is_read_again(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  LacRunFolder     *folder = begin_run(fixture->place, NULL, NULL);
  g_assert_true(lac_run_folder_flush(folder, &error));
  scan(fixture);
  g_assert_cmpstr(only(fixture)->outcome, ==, "running");
  g_autofree char *refused = lac_run_set_aside(only(fixture)->path, &error);
  g_assert_null(refused);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  lac_run_folder_close(folder);
  scan(fixture);
  g_assert_cmpstr(only(fixture)->outcome, ==, "interrupted");
}

static void
test_what_is_deleted_comes_back(Fixture *fixture, gconstpointer data)
{
  g_autofree char  *path = write_run(fixture->place, NULL, NULL, "finished");
  g_autoptr(GError) error = NULL;
  g_autofree char  *aside = lac_run_set_aside(path, &error);
  g_assert_no_error(error);
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
  g_autofree char *again = lac_run_bring_back(aside, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(again, ==, path);
  g_assert_true(g_file_test(path, G_FILE_TEST_IS_DIR));

  g_assert_false(lac_run_delete(path, &error)); /* was not set aside */
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_clear_error(&error);
  g_autofree char *last = lac_run_set_aside(path, &error);
  lac_run_library_free_space(fixture->place, 3600); /* too early */
  g_assert_true(g_file_test(last, G_FILE_TEST_IS_DIR));
  struct utimbuf ahead = {time(NULL) + 2, time(NULL) + 2};
  g_assert_cmpint(g_utime(last, &ahead), ==, 0); /* a file system whose clock is ahead */
  lac_run_library_free_space(fixture->place, 0);
  g_assert_false(g_file_test(last, G_FILE_TEST_EXISTS));
}

static void
test_a_deletion_follows_no_link(Fixture *fixture, gconstpointer data)
{
  g_autofree char  *path = write_run(fixture->place, NULL, NULL, "finished");
  g_autofree char  *outside = test_folder_new();
  g_autofree char  *kept = g_build_filename(outside, "kept", NULL);
  g_autofree char  *link = g_build_filename(path, "link", NULL);
  g_autoptr(GError) error = NULL;
  g_assert_true(g_file_set_contents(kept, "kept", -1, NULL));
  g_assert_cmpint(symlink(outside, link), ==, 0);
  g_autofree char *aside = lac_run_set_aside(path, &error);
  g_assert_true(lac_run_delete(aside, &error));
  g_assert_no_error(error);
  g_assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
  test_folder_remove(g_steal_pointer(&outside));
}

static void
test_tags_and_notes_leave_the_record_alone(Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_run(fixture->place, NULL, NULL, "finished");
  g_autofree char *journal = g_build_filename(path, "journal", NULL);
  g_autofree char *before = NULL, *after = NULL;
  gsize            n_before, n_after;
  g_assert_true(g_file_get_contents(journal, &before, &n_before, NULL));
  g_assert_true(lac_run_set_tags(path, " paper, good  paper", NULL));
  g_assert_true(lac_run_set_note(path, "Grüße\nfrom “here”", NULL));
  scan(fixture);
  const LacRunHeadline *run = only(fixture);
  g_autofree char      *tags = g_strjoinv(",", run->tags);
  g_assert_cmpstr(tags, ==, "good,paper");
  g_assert_cmpstr(run->note, ==, "Grüße\nfrom “here”");
  g_assert_true(g_file_get_contents(journal, &after, &n_after, NULL));
  g_assert_cmpmem(before, n_before, after, n_after);
  g_assert_true(lac_run_set_tags(path, "", NULL));
  g_assert_true(lac_run_set_note(path, "", NULL));
  g_autofree char *notes = g_build_filename(path, "notes.json", NULL);
  g_assert_false(g_file_test(notes, G_FILE_TEST_EXISTS)); /* removed with the last entry */
}

static void
test_an_experiment_has_one_baseline(Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = write_run(fixture->place, NULL, NULL, "finished");
  g_autofree char *second = write_run(fixture->place, "sensors", "5", "finished");
  for (guint i = 0; i < 2; i++) {
    g_autoptr(LacRunLibrary) fresh = lac_run_library_new(fixture->place, fixture->place);
    g_ptr_array_set_size(fixture->runs, 0);
    g_assert_true(lac_run_library_scan(fresh, NULL, on_found, fixture, NULL));
    g_assert_cmpuint(fixture->runs->len, ==, 2);
    g_assert_true(
      lac_run_set_baseline(g_ptr_array_index(fixture->runs, i), fixture->runs, TRUE, NULL));
  }
  guint n_baselines = 0;
  scan(fixture);
  for (guint i = 0; i < fixture->runs->len; i++)
    n_baselines += ((LacRunHeadline *) g_ptr_array_index(fixture->runs, i))->is_baseline;
  g_assert_cmpuint(n_baselines, ==, 1);
}

static gboolean
matches(const char *text, const LacRunHeadline *run)
{
  g_autoptr(LacRunFilter) filter = lac_run_filter_new(text);
  g_assert_null(lac_run_filter_get_problem(filter));
  return lac_run_filter_matches(filter, run);
}

static void
test_words_and_conditions_find_runs(Fixture *fixture, gconstpointer data)
{
  static const char *const right[] = {
    "",
    "heat",
    "HEAT1D finished",
    "-diverged",
    "\"finished\" paper",
    "sensors=6",
    "sensors >= 6 sensors<7",
    "sensors!=5",
    "tag=paper",
    "tag!=draft",
    "lab=flow experiment=heat*",
    "outcome = finished",
    "seconds<=2.5 steps>39",
    "seed=7",
    "baseline=no",
    "started>2020",
  };
  static const char *const wrong[] = {
    "kolmogorov",  "heat -heat", "sensors=5",     "sensors<6",      "tag=draft",  "lab=imaging",
    "seconds>2.5", "outcome=f",  "no_such_key=1", "no_such_key!=1", "tag!=paper", "started<2020",
  };
  g_autofree char *path = write_run(fixture->place, "sensors", "6", "finished");
  g_assert_true(lac_run_set_tags(path, "paper", NULL));
  scan(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(right); i++)
    if (!matches(right[i], only(fixture)))
      g_error("%s should match", right[i]);
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
    if (matches(wrong[i], only(fixture)))
      g_error("%s should not match", wrong[i]);
  const LacHeadlineMetric *metric = &only(fixture)->metrics[0];
  g_autofree char         *below = g_strdup_printf("%s<0.17", metric->key);
  g_autofree char         *above = g_strdup_printf("%s<0.16", metric->key);
  g_assert_true(matches(below, only(fixture)));
  g_assert_false(matches(above, only(fixture)));
}

static void
test_half_a_condition_is_said_and_left_out(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacRunFilter) half = lac_run_filter_new("heat seconds<");
  g_autoptr(LacRunFilter) word = lac_run_filter_new("seconds<long");
  g_autofree char        *path = write_run(fixture->place, NULL, NULL, "finished");
  scan(fixture);
  g_assert_nonnull(strstr(lac_run_filter_get_problem(half), "seconds<"));
  g_assert_nonnull(strstr(lac_run_filter_get_problem(word), "long"));
  g_assert_true(lac_run_filter_matches(half, only(fixture)));
}

static int
by_order(gconstpointer a, gconstpointer b, gpointer order)
{
  return lac_run_headline_compare(*(LacRunHeadline *const *) a, *(LacRunHeadline *const *) b,
                                  GPOINTER_TO_INT(order));
}

/* Every order is antisymmetric, and sorts by the value it names. */
static void
test_orders_are_orders(Fixture *fixture, gconstpointer data)
{
  static const char *const sensors[] = {"3", "7", "5", "4"};
  for (gsize i = 0; i < G_N_ELEMENTS(sensors); i++)
    g_free(write_run(fixture->place, "sensors", sensors[i], i % 2 ? "finished" : "diverged"));
  scan(fixture);
  GPtrArray *runs = fixture->runs;
  for (LacRunOrder order = 0; order < LAC_N_RUN_ORDERS; order++)
    for (guint i = 0; i < runs->len; i++)
      for (guint k = 0; k < runs->len; k++) {
        int forth = lac_run_headline_compare(runs->pdata[i], runs->pdata[k], order);
        int back = lac_run_headline_compare(runs->pdata[k], runs->pdata[i], order);
        g_assert_cmpint((forth > 0) - (forth < 0), ==, (back < 0) - (back > 0));
        g_assert_cmpint(forth == 0, ==, i == k);
      }
  g_ptr_array_sort_with_data(runs, by_order, GINT_TO_POINTER(LAC_RUNS_BY_METRIC));
  for (guint i = 1; i < runs->len; i++)
    g_assert_cmpfloat(((LacRunHeadline *) runs->pdata[i - 1])->metrics[0].value, <=,
                      ((LacRunHeadline *) runs->pdata[i])->metrics[0].value);
}

static void
test_a_folder_that_is_not_there_is_empty(void)
{
  g_autoptr(LacRunLibrary) library = lac_run_library_new("/no/such/folder", "/no/such/cache");
  g_autoptr(GPtrArray)     none = lac_run_library_read("/no/such/folder", NULL);
  g_assert_cmpuint(none->len, ==, 0);
  g_assert_cmpstr(lac_run_library_get_folder(library), ==, "/no/such/folder");
}

static void
test_a_damaged_index_is_no_harm(Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_run(fixture->place, NULL, NULL, "finished");
  g_autoptr(GDir)  dir = NULL;
  scan(fixture);
  dir = g_dir_open(fixture->place, 0, NULL);
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *index = g_build_filename(fixture->place, name, NULL);
    g_autofree char *bytes = NULL;
    gsize            length;
    if (!g_str_has_suffix(name, ".index"))
      continue;
    g_assert_true(g_file_get_contents(index, &bytes, &length, NULL));
    for (gsize cut = 0; cut < length; cut += 97) {
      g_assert_true(g_file_set_contents(index, bytes, (gssize) cut, NULL));
      g_autoptr(LacRunLibrary) fresh = lac_run_library_new(fixture->place, fixture->place);
      g_ptr_array_set_size(fixture->runs, 0);
      g_assert_true(lac_run_library_scan(fresh, NULL, on_found, fixture, NULL));
      g_assert_cmpstr(only(fixture)->experiment, ==, "heat1d");
    }
  }
}

#define ADD(path, func) g_test_add("/run/library/" path, Fixture, NULL, set_up, func, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/library/what-differs-is-what-is-not-the-same-in-all",
                  test_what_differs_is_what_is_not_the_same_in_all);
  ADD("a-headline-says-what-the-run-was", test_a_headline_says_what_the_run_was);
  ADD("the-index-spares-the-reading", test_the_index_spares_the_reading);
  ADD("a-scan-tells-only-what-is-new", test_a_scan_tells_only_what_is_new);
  ADD("a-run-that-goes-on-is-read-again", test_a_run_that_goes_on_is_read_again);
  ADD("what-is-deleted-comes-back", test_what_is_deleted_comes_back);
  ADD("a-deletion-follows-no-link", test_a_deletion_follows_no_link);
  ADD("tags-and-notes-leave-the-record-alone", test_tags_and_notes_leave_the_record_alone);
  ADD("an-experiment-has-one-baseline", test_an_experiment_has_one_baseline);
  ADD("words-and-conditions-find-runs", test_words_and_conditions_find_runs);
  ADD("half-a-condition-is-said-and-left-out", test_half_a_condition_is_said_and_left_out);
  ADD("orders-are-orders", test_orders_are_orders);
  ADD("a-damaged-index-is-no-harm", test_a_damaged_index_is_no_harm);
  g_test_add_func("/run/library/a-folder-that-is-not-there-is-empty",
                  test_a_folder_that_is_not_there_is_empty);
  return g_test_run();
}
