/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction of held-out flows: ten OpenFOAM fields over an inlet velocity, modes and QR pivots from eight of
 * them, the two others reconstructed from K sensors; against random sensor positions; for each of the 45 possible
 * held-out pairs.
 * Prints JSON.
 * Data: PyDMD's RANS family, flow/rans-family below LACUNA_REFERENCE_DATA. */
#include "base/rng.h"
#include "bench/harness/program.h"
#include "io/format/table-columns.h"
#include "perf/analysis/ratio.h"
#include "sensor/expansion.h"
#include "sensor/gappy.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

#include <math.h>
#include <string.h>

#define N_FILES    10
#define N_HELD_OUT 2
#define N_TRAINING (N_FILES - N_HELD_OUT)
#define N_PAIRS    (N_FILES * (N_FILES - 1) / 2)
#define N_DRAWS    31
#define NOISE      0.01 /* relative to the rms of the fluctuation */
#define SKIPPED    77   /* exit status: data missing, nothing measured */

/* A quantity of one or two components; a sensor measures all of them at its point. */
typedef struct {
  const char *name;
  guint       n_components;
  const char *components[2];
} Quantity;

static const Quantity quantities[] = {
  {"velocity", 2, {"u", "v"}},
  {"pressure", 1, {"p"}},
  {"turbulent-energy", 1, {"k"}},
};

typedef struct {
  const Quantity *quantity;
  gsize           n_points, n; /* n: values per snapshot */
  double         *snapshots;   /* [N_FILES][n] */
  double         *training;    /* [N_TRAINING][n] */
  double         *held_out;    /* [N_HELD_OUT][n] */
} Family;

/* Errors relative to the rms of the held-out fluctuations. */
typedef struct {
  double left, qr,
    random; /* truncation error of the modes; QR pivots; median of random positions */
} Errors;

static char *
dup_path(gsize file)
{
  const char      *data = g_getenv("LACUNA_REFERENCE_DATA"), *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char *name = g_strdup_printf("velocity0.%02" G_GSIZE_FORMAT ".csv.gz", 20 + 2 * file);

  return data ? g_build_filename(data, "flow", "rans-family", name, NULL)
              : g_build_filename(root ? root : ".", "..", "shared", "data", "flow", "rans-family",
                                 name, NULL);
}

static gsize
find_column(const LacTableColumns *columns, const char *name)
{
  for (gsize i = 0; i < columns->n_columns; i++)
    if (g_str_equal(columns->columns[i].name, name))
      return i;
  g_error("%s: no column %s", columns->text->path, name);
}

static void
family_init(Family *family, const Quantity *quantity, LacTableColumns *const *files)
{
  family->quantity = quantity;
  family->n_points = files[0]->n_rows;
  family->n = family->n_points * quantity->n_components;
  family->snapshots = g_new(double, N_FILES * family->n);
  family->training = g_new(double, N_TRAINING * family->n);
  family->held_out = g_new(double, N_HELD_OUT * family->n);
  for (gsize file = 0; file < N_FILES; file++) {
    double *snapshot = family->snapshots + file * family->n;

    for (guint c = 0; c < quantity->n_components; c++) {
      const gsize column = find_column(files[file], quantity->components[c]);

      for (gsize i = 0; i < family->n_points; i++)
        snapshot[c * family->n_points + i] = lac_table_columns_get(files[file], i, column);
    }
  }
}

/* Holds out pair number @pair. */
static void
hold_out(Family *family, gsize pair)
{
  const gsize bytes = family->n * sizeof(double);
  gsize       first = 0, second, n_training = 0;

  for (gsize rest = N_FILES - 1; pair >= rest; rest--, first++)
    pair -= rest;
  second = first + 1 + pair;
  memcpy(family->held_out, family->snapshots + first * family->n, bytes);
  memcpy(family->held_out + family->n, family->snapshots + second * family->n, bytes);
  for (gsize file = 0; file < N_FILES; file++)
    if (file != first && file != second)
      memcpy(family->training + n_training++ * family->n, family->snapshots + file * family->n,
             bytes);
}

static void
family_clear(Family *family)
{
  g_free(family->snapshots);
  g_free(family->training);
  g_free(family->held_out);
}

/* Returns: rms error of the held-out fluctuations from sensors at @places, relative to their rms. The noise depends
 * only on the sensor's index. */
static double
error_from(const Family *family, const LacPod *pod, const gsize *places, gsize n_sensors)
{
  const gsize             m = n_sensors * family->quantity->n_components;
  g_autofree gsize       *rows = g_new(gsize, m);
  g_autofree double      *values = g_new(double, m), *found = g_new(double, family->n);
  g_autofree double      *coefficients = g_new(double, pod->n_modes + 1);
  g_autoptr(LacGappy)     gappy = NULL;
  g_autoptr(LacExpansion) expansion = NULL;
  LacDevice               device;
  LacRng                  rng = lac_rng(3, 0);
  double                  error = 0, all = 0;

  for (gsize i = 0; i < m; i++)
    rows[i] = i / n_sensors * family->n_points + places[i % n_sensors];
  gappy = lac_gappy_new(pod, rows, m, NOISE * pod->rms);
  lac_device_open(&device, "cpu", NULL);
  expansion = lac_expansion_new(pod, &device, NULL);
  for (gsize h = 0; h < N_HELD_OUT; h++) {
    const double *truth = family->held_out + h * family->n;

    for (gsize i = 0; i < m; i++)
      values[i] = truth[rows[i]] + NOISE * pod->rms * lac_rng_normal(&rng);
    lac_gappy_get_coefficients(gappy, values, coefficients);
    memcpy(found, pod->mean, family->n * sizeof *found);
    lac_expansion_add(expansion, coefficients, found, NULL);
    for (gsize i = 0; i < family->n; i++) {
      error += pow(found[i] - truth[i], 2);
      all += pow(truth[i] - pod->mean[i], 2);
    }
  }
  g_clear_pointer(&expansion, lac_expansion_free);
  lac_device_close(&device);
  return sqrt(error / all);
}

/* Returns the truncation error of the modes for the held-out fluctuations. */
static double
best_error(const Family *family, const LacPod *pod)
{
  double left = 0, all = 0;

  for (gsize h = 0; h < N_HELD_OUT; h++) {
    const double *truth = family->held_out + h * family->n;
    double        square = 0;

    for (gsize i = 0; i < family->n; i++)
      square += pow(truth[i] - pod->mean[i], 2);
    all += square;
    for (gsize j = 0; j < pod->n_modes; j++) {
      double coefficient = 0;

      for (gsize i = 0; i < family->n; i++)
        coefficient += pod->modes[j * family->n + i] * (truth[i] - pod->mean[i]);
      square -= coefficient * coefficient;
    }
    left += fmax(square, 0);
  }
  return sqrt(left / all);
}

/* Uses as many modes as sensors. */
static Errors
measure_pair(const Family *family, gsize n_sensors, LacRng *rng)
{
  g_autoptr(LacPod) pod = lac_pod_new(family->training, N_TRAINING, family->n, n_sensors);
  g_autofree gsize *places = g_new(gsize, n_sensors);
  Errors            errors = {.left = best_error(family, pod)};
  double            random[N_DRAWS];

  lac_placement_qr(pod->modes, pod->n_modes, family->quantity->n_components, family->n_points,
                   places, n_sensors);
  errors.qr = error_from(family, pod, places, n_sensors);
  for (gsize draw = 0; draw < N_DRAWS; draw++) {
    lac_placement_random(rng, family->n_points, places, n_sensors);
    random[draw] = error_from(family, pod, places, n_sensors);
  }
  errors.random = lac_median(random, N_DRAWS);
  return errors;
}

static void
measure(Family *family, gsize n_sensors)
{
  g_autofree char *name =
    g_strdup_printf("rans-family/%s-%" G_GSIZE_FORMAT, family->quantity->name, n_sensors);
  LacRng rng = lac_rng(1, 0);
  double left[N_PAIRS], qr[N_PAIRS], random[N_PAIRS], ratios[N_PAIRS];

  for (gsize pair = 0; pair < N_PAIRS; pair++) {
    Errors errors;

    hold_out(family, pair);
    errors = measure_pair(family, n_sensors, &rng);
    left[pair] = errors.left;
    qr[pair] = errors.qr;
    random[pair] = errors.random;
    ratios[pair] = errors.qr / errors.random;
  }
  bench_print(bench_row(name, "left_by_the_modes", "1", LAC_BENCH_QUALITY, 0), left, N_PAIRS);
  bench_print(bench_row(name, "qr_error", "1", LAC_BENCH_QUALITY, 0), qr, N_PAIRS);
  bench_print(bench_row(name, "random_median_error", "1", LAC_BENCH_QUALITY, 0), random, N_PAIRS);
  /* a single pivot is the largest entry of the only mode, often where the unresolved part is large too */
  bench_print(bench_row(name, "qr_over_random_median", "1", LAC_BENCH_QUALITY, n_sensors > 1),
              ratios, N_PAIRS);
}

static void
check_points(LacTableColumns *const *files)
{
  for (gsize file = 1; file < N_FILES; file++) {
    g_assert(files[file]->n_rows == files[0]->n_rows);
    for (guint axis = 0; axis < 2; axis++) {
      const int column = lac_table_columns_find_axis(files[0], "xy"[axis]);

      g_assert(column >= 0);
      for (gsize i = 0; i < files[0]->n_rows; i++)
        g_assert(lac_table_columns_get(files[file], i, (gsize) column) ==
                 lac_table_columns_get(files[0], i, (gsize) column));
    }
  }
}

int
main(void)
{
  LacTableColumns *files[N_FILES] = {NULL};
  gsize            n_read = 0;
  int              status = SKIPPED;

  for (; n_read < N_FILES; n_read++) {
    g_autoptr(GError) error = NULL;
    g_autofree char  *path = dup_path(n_read);

    files[n_read] = lac_table_columns_read(path, &error);
    if (!files[n_read]) {
      g_printerr("%s\n", error->message);
      break;
    }
  }
  if (n_read == N_FILES) {
    check_points(files);
    bench_begin(1, NULL);
    for (gsize q = 0; q < G_N_ELEMENTS(quantities); q++) {
      Family family;

      family_init(&family, &quantities[q], files);
      for (gsize n_sensors = 1; n_sensors <= 6; n_sensors++)
        measure(&family, n_sensors);
      family_clear(&family);
    }
    status = bench_end();
  }
  for (gsize i = 0; i < n_read; i++)
    lac_table_columns_free(files[i]);
  return status;
}
