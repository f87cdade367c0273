/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of recordings and of folders of runs. */
#include "base/rng.h"
#include "bench/tiers/growth-private.h"
#include "experiment/experiment.h"
#include "io/runfile/folder.h"
#include "perf/analysis/aggregate.h"
#include "perf/trace/trace.h"
#include "run/library/library.h"

#include <glib/gstdio.h>

#include <math.h>

/* ---- recordings ---- */

enum { N_NAMES = 24, N_LANES = 4, N_TILES = 8, N_OPERATIONS = 6, FRAME_EVERY = 10 };
enum { NAME_STEP, NAME_FRAME, NAME_COUNTER, FIRST_NAME };

typedef struct {
  LacCapture *capture;
  char       *folder, *json, *perfetto;
} Recording;

/* A recording in the making. */
typedef struct {
  LacRecord *records;
  gsize      n, n_most;
  LacRng     rng;
  gint64     time; /* ns */
  gint64     step;
} Maker;

static guint32
draw_name(Maker *maker)
{
  return FIRST_NAME + (guint32) lac_rng_below(&maker->rng, N_NAMES - FIRST_NAME);
}

static void
put(Maker *maker, LacRecord record)
{
  if (maker->n == maker->n_most)
    return;
  record.step = maker->step;
  record.count = 1;
  record.memory = -1;
  maker->records[maker->n++] = record;
}

/* A step: tiles on the threads, sums of the operations, the step itself, a counter, now and then a frame. */
static void
put_step(Maker *maker)
{
  const gint64 begin = maker->time;

  for (guint tile = 0; tile < N_TILES; tile++) {
    const gint64 duration = 500 + (gint64) lac_rng_below(&maker->rng, 4000);

    put(maker, (LacRecord){.start_ns = maker->time,
                           .duration_ns = duration,
                           .flops = 1e6,
                           .bytes = 1e5,
                           .name = draw_name(maker),
                           .lane = (guint16) (1 + tile % (N_LANES - 1)),
                           .kind = LAC_RECORD_SPAN,
                           .depth = 1});
    maker->time += duration;
  }
  for (guint i = 0; i < N_OPERATIONS; i++)
    put(maker, (LacRecord){.start_ns = begin,
                           .duration_ns = (maker->time - begin) / N_OPERATIONS,
                           .flops = 1e7,
                           .name = draw_name(maker),
                           .kind = LAC_RECORD_AGGREGATE});
  put(maker, (LacRecord){.start_ns = begin,
                         .duration_ns = maker->time - begin,
                         .name = NAME_STEP,
                         .kind = LAC_RECORD_SPAN});
  put(maker, (LacRecord){.start_ns = maker->time,
                         .value = (double) maker->step,
                         .name = NAME_COUNTER,
                         .kind = LAC_RECORD_COUNTER});
  maker->time += 100;
  if (maker->step % FRAME_EVERY == 0)
    put(maker,
        (LacRecord){
          .start_ns = maker->time, .duration_ns = 50, .name = NAME_FRAME, .kind = LAC_RECORD_SPAN});
  maker->time += 100;
  maker->step++;
}

static LacCapture *
make_capture(gsize n)
{
  LacCapture *capture = lac_capture_new("generated");
  Maker       maker = {.records = g_new0(LacRecord, n), .n_most = n, .rng = lac_rng(1, 0)};

  for (guint i = 0; i < N_NAMES; i++) {
    static const char *const fixed[] = {"step", LAC_SPAN_FRAME, LAC_COUNTER_RESIDENT};
    g_autofree char         *name = g_strdup_printf("operation %u", i);

    lac_capture_add_name(capture, i < FIRST_NAME ? fixed[i] : name);
  }
  for (guint i = 0; i < N_LANES; i++) {
    g_autofree char *name = g_strdup_printf("thread %u", i);

    lac_capture_add_lane(capture, name);
  }
  while (maker.n < n)
    put_step(&maker);
  lac_capture_adopt(capture, maker.records, n);
  return capture;
}

static void
end_recording(gpointer subject)
{
  Recording *recording = subject;

  lac_capture_unref(recording->capture);
  g_unlink(recording->json);
  g_unlink(recording->perfetto);
  g_rmdir(recording->folder);
  g_free(recording->folder);
  g_free(recording->json);
  g_free(recording->perfetto);
  g_free(recording);
}

static gpointer
begin_recording(gsize size, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp("lacuna-growth-XXXXXX", error);
  Recording       *recording;

  if (!folder)
    return NULL;
  recording = g_new0(Recording, 1);
  recording->capture = make_capture(size);
  recording->json = g_build_filename(folder, "trace.json", NULL);
  recording->perfetto = g_build_filename(folder, "trace.pftrace", NULL);
  recording->folder = g_steal_pointer(&folder);
  return recording;
}

static gboolean
write_json(gpointer subject, GError **error)
{
  const Recording *recording = subject;

  return lac_trace_write(recording->capture, recording->json, error);
}

static gboolean
write_perfetto(gpointer subject, GError **error)
{
  const Recording *recording = subject;

  return lac_trace_write(recording->capture, recording->perfetto, error);
}

static gboolean
sum_up(gpointer subject, GError **error)
{
  const Recording         *recording = subject;
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;

  lac_aggregates_add_capture(aggregates, recording->capture);
  return lac_aggregates_get(aggregates, &n) != NULL;
}

static double
record_bytes(gsize size, gconstpointer subject)
{
  return (double) (size * sizeof(LacRecord));
}

static double
linear(gsize size, gconstpointer subject)
{
  return (double) size;
}

/* ---- a folder of runs ---- */

typedef struct {
  char *folder, *cache;
} Runs;

static void
remove_tree(const char *path)
{
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  const char     *name;

  while (dir && (name = g_dir_read_name(dir))) {
    g_autofree char *inner = g_build_filename(path, name, NULL);

    if (g_file_test(inner, G_FILE_TEST_IS_DIR))
      remove_tree(inner);
    else
      g_unlink(inner);
  }
  g_rmdir(path);
}

static void
end_runs(gpointer subject)
{
  Runs *runs = subject;

  remove_tree(runs->folder);
  remove_tree(runs->cache);
  g_free(runs->folder);
  g_free(runs->cache);
  g_free(runs);
}

/* Writes the first run. Returns: (transfer full): its path */
static char *
write_run(const char *folder, GError **error)
{
  const LacExperiment    *experiment = lac_experiment_find("heat1d", error);
  g_autoptr(LacDraft)     draft = lac_draft_new(&experiment->params);
  g_auto(LacOutline)      outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));
  g_autofree double      *values = g_new0(double, outline.n_metrics + 1);
  const LacRunHeader      header = {.experiment = experiment->name,
                                    .title = experiment->title,
                                    .params = &experiment->params,
                                    .draft = draft,
                                    .channels = outline.channels,
                                    .n_channels = outline.n_channels,
                                    .metrics = outline.metrics,
                                    .n_metrics = outline.n_metrics,
                                    .backend = "cpu",
                                    .precision = "f64",
                                    .threads = 1};
  g_autoptr(LacRunFolder) run = lac_run_folder_create(folder, &header, error);

  if (!run || !lac_run_folder_metrics(run, 40, 2.5, values, error) ||
      !lac_run_folder_finish(run, &(LacRunEnd){"finished", NULL, 40, 2.5, 0.5}, error))
    return NULL;
  return g_strdup(lac_run_folder_get_path(run));
}

static gboolean
copy_file(const char *from, const char *to, const char *name, GError **error)
{
  g_autofree char *source = g_build_filename(from, name, NULL);
  g_autofree char *target = g_build_filename(to, name, NULL);
  g_autofree char *bytes = NULL;
  gsize            n;

  return g_file_get_contents(source, &bytes, &n, error) &&
         g_file_set_contents_full(target, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0644, error);
}

static gboolean
copy_run(const char *from, const char *folder, gsize number, GError **error)
{
  g_autofree char *name = g_strdup_printf("heat1d-20260101-000000-%04x.lacuna", (guint) number);
  g_autofree char *to = g_build_filename(folder, name, NULL);
  g_autoptr(GDir)  dir = g_dir_open(from, 0, error);
  const char      *file;
  gboolean         done = dir && g_mkdir(to, 0755) == 0;

  while (done && (file = g_dir_read_name(dir)))
    done = copy_file(from, to, file, error);
  return done;
}

static gpointer
begin_runs(gsize size, GError **error)
{
  Runs            *runs = g_new0(Runs, 1);
  g_autofree char *first = NULL;
  gboolean         done;

  runs->folder = g_dir_make_tmp("lacuna-growth-XXXXXX", error);
  runs->cache = runs->folder ? g_dir_make_tmp("lacuna-growth-XXXXXX", error) : NULL;
  first = runs->cache ? write_run(runs->folder, error) : NULL;
  done = first != NULL;
  for (gsize i = 1; done && i < size; i++)
    done = copy_run(first, runs->folder, i, error);
  if (done)
    return runs;
  end_runs(runs);
  return NULL;
}

static void
ignore(GPtrArray *runs, GPtrArray *gone G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
}

/* The first call writes the index, the later ones read it. */
static gboolean
list_runs(gpointer subject, GError **error)
{
  const Runs              *runs = subject;
  g_autoptr(LacRunLibrary) library = lac_run_library_new(runs->folder, runs->cache);

  return lac_run_library_scan(library, NULL, ignore, NULL, error);
}

/* Without an index. */
static gboolean
read_runs(gpointer subject, GError **error)
{
  const Runs *runs = subject;

  remove_tree(runs->cache);
  return list_runs(subject, error);
}

static double
count_runs(gsize size, gconstpointer subject)
{
  return (double) size;
}

const LacGrowthRow lac_growth_record_rows[] = {
  {"trace_json",
   "records",
   "R",
   "B/s",
   {5000, 20000, 80000, 320000},
   record_bytes,
   linear,
   begin_recording,
   write_json,
   end_recording},
  {"trace_perfetto",
   "records",
   "R, and R log R for the sort",
   "B/s",
   {5000, 20000, 80000, 320000},
   record_bytes,
   linear,
   begin_recording,
   write_perfetto,
   end_recording},
  {"profile",
   "records",
   "R",
   "B/s",
   {5000, 20000, 80000, 320000},
   record_bytes,
   linear,
   begin_recording,
   sum_up,
   end_recording},
  {"read_runs",
   "runs",
   "R",
   "runs/s",
   {64, 128, 256, 512},
   count_runs,
   NULL,
   begin_runs,
   read_runs,
   end_runs,
   .warm = 16},
  {"list_runs",
   "runs",
   "R, from the index",
   "runs/s",
   {512, 1024, 2048, 4096},
   count_runs,
   linear,
   begin_runs,
   list_runs,
   end_runs,
   .warm = 16},
  {NULL},
};
