/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of a turbulence cut-out from its file to its modes: read and decoded into memory, then POD; or POD with the
 * snapshots streamed from the file. Beside it, the bytes of the file alone. */
#define _DEFAULT_SOURCE /* for posix_fadvise() */
#include "base/error.h"
#include "base/pool.h"
#include "bench/harness/probe.h"
#include "bench/tiers/bench-private.h"
#include "experiment/flow/truth/series.h"
#include "io/format/h5.h"
#include "io/input/input.h"
#include "sensor/pod.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

enum {
  N_SNAPSHOTS = 100,
  N_COMPONENTS = 3,
  N_WAVES = 12,
};

#define TRAINED      0.9
#define READ_AT_ONCE ((gsize) 1 << 20)
/* A cut-out that does not fit into memory: the plane of isotropic1024coarse at all of its times. Source: Li et al.
 * (2008), doi:10.1080/14685240802376389 */
#define WHOLE_SIDE 1024
#define WHOLE_N    5028

typedef struct {
  char *path, *field; /* the file; "FILE#u" */
  gsize bytes;
} Cutout;

static void
cutout_clear(Cutout *cutout)
{
  if (cutout->path != NULL)
    g_unlink(cutout->path);
  g_free(cutout->path);
  g_free(cutout->field);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cutout, cutout_clear)

/* ---- the file ---- */

static gboolean
put_axis(hid_t file, const char *name, gsize n)
{
  g_autofree float *at = g_new(float, n);

  for (gsize i = 0; i < n; i++)
    at[i] = (float) i;
  return lac_h5_write_vector(file, name, H5T_NATIVE_FLOAT, n, at);
}

/* Waves that travel at different speeds, the longest the strongest. @data: [side][side][N_COMPONENTS] */
static void
fill(gsize side, gsize time, float *data)
{
  const double once = 2 * G_PI / (double) side;

  for (gsize i = 0; i < side * side; i++)
    for (gsize c = 0; c < N_COMPONENTS; c++) {
      double sum = 0;

      for (gsize k = 1; k <= N_WAVES; k++)
        sum += cos(once * (double) (k * (i % side) + (k + c) * (i / side)) -
                   0.05 * (double) (k * k * time)) /
               (double) k;
      data[N_COMPONENTS * i + c] = (float) sum;
    }
}

static gboolean
put_all(hid_t file, gsize side)
{
  const hsize_t     sizes[] = {1, side, side, N_COMPONENTS};
  g_autofree float *data = g_new(float, side *side *N_COMPONENTS);
  gboolean          done = put_axis(file, "xcoor", side) && put_axis(file, "ycoor", side) &&
                  put_axis(file, "zcoor", 1) && put_axis(file, "tcoor", N_SNAPSHOTS);

  for (gsize k = 0; k < N_SNAPSHOTS && done; k++) {
    g_autofree char *name = g_strdup_printf("Velocity_%04u", (guint) k + 1);

    fill(side, k, data);
    hid_t set = lac_h5_write(file, name, H5T_NATIVE_FLOAT, G_N_ELEMENTS(sizes), sizes, data);
    done = set >= 0 && H5Dclose(set) >= 0;
  }
  return done;
}

static gboolean
write_cutout(Cutout *cutout, gsize side, GError **error)
{
  int descriptor = g_file_open_tmp("lacuna-pipeline-XXXXXX.h5", &cutout->path, error);

  if (descriptor < 0)
    return FALSE;
  close(descriptor);
  lac_h5_lock();
  hid_t    file = H5Fcreate(cutout->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  gboolean done = file >= 0 && put_all(file, side);
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  lac_h5_unlock();
  if (!done) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "%s could not be written; it takes %.0f MB: free some space or set TMPDIR",
                cutout->path, 4e-6 * (double) (side * side) * N_COMPONENTS * N_SNAPSHOTS);
    return FALSE;
  }
  cutout->field = g_strconcat(cutout->path, "#u", NULL);
  return TRUE;
}

/* Drops the file from the system's cache, where the system does; what is dirty cannot be dropped. */
static void
forget(const Cutout *cutout)
{
  int descriptor = g_open(cutout->path, O_RDONLY | O_CLOEXEC);

  if (descriptor < 0)
    return;
  fsync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
}

/* ---- what is timed ---- */

typedef struct {
  const Cutout *cutout;
  LacContext    context;
  double        budget; /* bytes of snapshots in memory */
  gsize         n_modes;
  double        raw, read, pod; /* seconds */
  double        first;          /* deviation of the first mode */
} Run;

/* Reads the bytes without looking at them. */
static gboolean
read_raw(Run *run, GError **error)
{
  int              descriptor = g_open(run->cutout->path, O_RDONLY | O_CLOEXEC);
  g_autofree char *bytes = g_malloc(READ_AT_ONCE);
  const double     begin = lac_bench_wall_seconds();
  gssize           n = 0;

  while (descriptor >= 0 && (n = read(descriptor, bytes, READ_AT_ONCE)) > 0)
    ;
  run->raw = lac_bench_wall_seconds() - begin;
  if (descriptor >= 0)
    close(descriptor);
  if (descriptor < 0 || n < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "%s cannot be read", run->cutout->path);
    return FALSE;
  }
  return TRUE;
}

static gboolean
find_modes(Run *run, GError **error)
{
  const double            begin = lac_bench_wall_seconds();
  g_autoptr(LacGridField) field = lac_input_load(run->cutout->field, "series", error);

  if (field == NULL)
    return FALSE;
  const LacSeriesSettings settings = {
    .field = field, .share = TRAINED, .most_observed = 1, .budget = run->budget};
  g_autoptr(LacTruth) truth = lac_series_truth_new(&settings, &run->context, error);

  if (truth == NULL)
    return FALSE;
  run->read = lac_bench_wall_seconds() - begin;
  const LacPodSettings pod = {
    .n_snapshots = truth->n_training,
    .n = lac_truth_get_length(truth),
    .n_modes = run->n_modes,
    .snapshots = truth->training,
    .read = truth->file != NULL ? truth->file->read : NULL,
    .user_data = truth->file != NULL ? truth->file->self : NULL,
    .pool = run->context.pool,
  };
  g_autoptr(LacPod) modes = lac_pod_new_with(&pod, error);
  run->pod = lac_bench_wall_seconds() - begin - run->read;
  if (modes != NULL)
    run->first = modes->deviations[0];
  return modes != NULL;
}

/* ---- rows ---- */

static void
add_seconds(const LacBenchTask *task,
            LacBenchFile       *rows,
            const char         *metric,
            const char         *note,
            double              seconds)
{
  lac_bench_print(
    task, rows, (LacBenchRow){.metric = metric, .unit = "s", .kind = LAC_BENCH_TIME, .note = note},
    seconds, NAN);
}

/* How much longer the snapshots take than the bytes alone; and the time of a cut-out too large for memory at this rate. */
static void
add_ratio(const LacBenchTask *task, LacBenchFile *rows, const Run *run, double bytes)
{
  const double     all = run->read + run->pod;
  const double     whole = 4.0 * N_COMPONENTS * WHOLE_SIDE * WHOLE_SIDE * WHOLE_N;
  g_autofree char *note =
    g_strdup_printf("%d planes of %d x %d at the rate of this file; the disk alone: %.0f s",
                    WHOLE_N, WHOLE_SIDE, WHOLE_SIDE, whole / bytes * run->raw);

  lac_bench_print(task, rows,
                  (LacBenchRow){.metric = "streamed_over_disk",
                                .unit = "1",
                                .kind = LAC_BENCH_QUALITY,
                                .tolerance = 1, /* a disk varies */
                                .note = "time from file to modes, over that of its bytes alone"},
                  all / run->raw, NAN);
  add_seconds(task, rows, "projected_cutout_seconds", note, whole / bytes * all);
}

gboolean
lac_bench_pipeline(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  g_autoptr(LacPool) pool = lac_pool_new(task->n_threads);
  g_auto(Cutout)     cutout = {0};
  const gsize        side = task->tier->side;
  const double       bytes = 4.0 * (double) (side * side) * N_COMPONENTS * N_SNAPSHOTS;
  Run                memory = {.cutout = &cutout,
                               .context = {.pool = pool, .seed = 1},
                               .budget = 1e12,
                               .n_modes = task->tier->n_sensors};
  Run                streamed = memory;

  streamed.budget = bytes / N_COMPONENTS / 4; /* an eighth of the snapshots in double precision */
  if (!write_cutout(&cutout, side, error))
    return FALSE;
  forget(&cutout);
  if (!read_raw(&memory, error))
    return FALSE;
  streamed.raw = memory.raw;
  forget(&cutout);
  if (!find_modes(&memory, error))
    return FALSE;
  forget(&cutout);
  if (!find_modes(&streamed, error))
    return FALSE;
  if (!(fabs(streamed.first - memory.first) <= 1e-9 * memory.first)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_FAILED,
      "the modes of the streamed cut-out are not those in memory: deviations %.12g and %.12g",
      streamed.first, memory.first);
    return FALSE;
  }
  add_seconds(task, rows, "cutout_disk_seconds", "the bytes of the file alone", memory.raw);
  add_seconds(task, rows, "cutout_decode_seconds", "read and decoded into memory", memory.read);
  add_seconds(task, rows, "cutout_pod_seconds", "modes of snapshots in memory", memory.pod);
  add_seconds(task, rows, "cutout_streamed_seconds", "from file to modes, a few rows in memory",
              streamed.read + streamed.pod);
  add_ratio(task, rows, &streamed, bytes);
  return TRUE;
}
