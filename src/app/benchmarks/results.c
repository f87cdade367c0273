/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of results, and the key file that names the baselines. */
#include "app/benchmarks/results.h"

#include "base/error.h"
#include "base/pool.h"
#include "report/bench/table.h"
#include "run/machine/machine.h"

#include <glib/gstdio.h>

#include <string.h>

#define ENDING    ".json"
#define BASELINES "baselines.ini" /* a group per machine */
#define FILE_KEY  "file"
#define PIN_KEY   "pinned" /* ISO 8601 */
#define REVISION  7        /* digits of a commit shown */

char *
lac_bench_results_dup_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "lacuna", "benchmarks", NULL);
}

char *
lac_bench_results_dup_path(const char *folder, GError **error)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  g_autofree char     *name = g_date_time_format(now, "%Y%m%dT%H%M%SZ" ENDING);

  if (g_mkdir_with_parents(folder, 0755) == 0)
    return g_build_filename(folder, name, NULL);
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be created", folder);
  return NULL;
}

static void
result_free(gpointer data)
{
  LacBenchResult *result = data;

  g_free(result->path);
  g_free(result->version);
  lac_bench_file_free(result->file);
  g_clear_pointer(&result->started, g_date_time_unref);
  g_free(result);
}

/* ---- reading ---- */

static LacBenchFamily
find_family(const LacBenchFile *file)
{
  return lac_bench_is_ablation(file) ? LAC_BENCH_OF_ABLATION
         : lac_bench_is_growth(file) ? LAC_BENCH_OF_GROWTH
                                     : LAC_BENCH_OF_TIERS;
}

/* Times of other machines, or with other numbers of threads, are not comparable. */
static gboolean
is_comparable(const LacBenchFile *file, const char *identity)
{
  const guint threads = find_family(file) == LAC_BENCH_OF_GROWTH ? 1 : (guint) lac_pool_available();

  return file->threads == threads &&
         g_strcmp0(lac_bench_file_get_fact(file, LAC_BENCH_IDENTITY), identity) == 0;
}

static char *
dup_version(const LacBenchFile *file)
{
  const char *revision = lac_bench_file_get_fact(file, "revision");
  const char *program = lac_bench_file_get_fact(file, "program");

  if (revision != NULL && *revision != '\0')
    return g_strndup(revision, REVISION);
  return g_strdup(program != NULL ? program : "–");
}

static GDateTime *
find_started(const LacBenchFile *file)
{
  const char          *text = lac_bench_file_get_fact(file, "started");
  g_autoptr(GDateTime) started = text != NULL ? g_date_time_new_from_iso8601(text, NULL) : NULL;

  return started != NULL ? g_date_time_to_local(started) : NULL;
}

/* Returns: (nullable): NULL for a file that does not belong to the list. */
static LacBenchResult *
read_result(char *path, const char *identity)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_read(path, NULL);
  GDateTime              *started = file != NULL ? find_started(file) : NULL;

  if (started == NULL || !is_comparable(file, identity)) {
    g_clear_pointer(&started, g_date_time_unref);
    g_free(path);
    return NULL;
  }
  LacBenchResult *result = g_new0(LacBenchResult, 1);
  result->path = path;
  result->family = find_family(file);
  result->version = dup_version(file);
  result->started = started;
  result->file = g_steal_pointer(&file);
  return result;
}

static int
compare_started(gconstpointer a, gconstpointer b)
{
  return g_date_time_compare((*(LacBenchResult *const *) a)->started,
                             (*(LacBenchResult *const *) b)->started);
}

static void
find_baseline(LacBenchResults *results, const char *folder, const char *identity)
{
  g_autoptr(GKeyFile) pins = g_key_file_new();
  g_autofree char    *path = g_build_filename(folder, BASELINES, NULL);

  if (!g_key_file_load_from_file(pins, path, G_KEY_FILE_NONE, NULL))
    return;
  g_autofree char *name = g_key_file_get_string(pins, identity, FILE_KEY, NULL);
  g_autofree char *pinned = g_key_file_get_string(pins, identity, PIN_KEY, NULL);
  for (guint i = 0; name != NULL && i < results->all->len; i++) {
    const LacBenchResult *result = results->all->pdata[i];
    g_autofree char      *own = g_path_get_basename(result->path);

    if (g_str_equal(own, name))
      results->baseline = result;
  }
  if (results->baseline != NULL && pinned != NULL)
    results->pinned = g_date_time_new_from_iso8601(pinned, NULL);
}

LacBenchResults *
lac_bench_results_read(const char *folder)
{
  LacBenchResults *results = g_new0(LacBenchResults, 1);
  g_autoptr(GDir)  files = g_dir_open(folder, 0, NULL);
  g_autofree char *identity = lac_machine_dup_identity(NULL);

  results->all = g_ptr_array_new_with_free_func(result_free);
  for (const char *name; files != NULL && (name = g_dir_read_name(files)) != NULL;) {
    LacBenchResult *result = g_str_has_suffix(name, ENDING)
                               ? read_result(g_build_filename(folder, name, NULL), identity)
                               : NULL;

    if (result != NULL)
      g_ptr_array_add(results->all, result);
  }
  g_ptr_array_sort(results->all, compare_started);
  find_baseline(results, folder, identity);
  return results;
}

void
lac_bench_results_free(LacBenchResults *results)
{
  if (results == NULL)
    return;
  g_ptr_array_unref(results->all);
  g_clear_pointer(&results->pinned, g_date_time_unref);
  g_free(results);
}

/* ---- the baseline ---- */

gboolean
lac_bench_results_pin(const LacBenchResult *result, GError **error)
{
  g_autoptr(GKeyFile)  pins = g_key_file_new();
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autofree char     *folder = g_path_get_dirname(result->path);
  g_autofree char     *name = g_path_get_basename(result->path);
  g_autofree char     *path = g_build_filename(folder, BASELINES, NULL);
  g_autofree char     *pinned = g_date_time_format_iso8601(now);
  const char          *identity = lac_bench_file_get_fact(result->file, LAC_BENCH_IDENTITY);
  g_autoptr(GError)    why = NULL;

  g_key_file_load_from_file(pins, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  g_key_file_set_string(pins, identity, FILE_KEY, name);
  g_key_file_set_string(pins, identity, PIN_KEY, pinned);
  if (g_key_file_save_to_file(pins, path, &why))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s", why->message);
  return FALSE;
}

/* ---- selections ---- */

GPtrArray *
lac_bench_results_dup_with(const LacBenchResults *results, const char *name, const char *metric)
{
  GPtrArray *with = g_ptr_array_new();

  for (guint i = 0; i < results->all->len; i++) {
    LacBenchResult    *result = results->all->pdata[i];
    const LacBenchRow *row = lac_bench_file_find(result->file, name, metric);

    if (row != NULL && row->samples->len > 0)
      g_ptr_array_add(with, result);
  }
  return with;
}
