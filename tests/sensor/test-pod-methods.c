/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POD against a singular value decomposition by Jacobi rotations: both methods, from memory and streamed, with any
 * number of threads. */
#include "emulated.h"

#include "base/error.h"
#include "base/rng.h"
#include "sensor/pod.h"

#include <glib.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  N_SNAPSHOTS = 40,
  N = 2500,
  N_MODES = 8
}; /* two complete slabs of points and an incomplete one */

/* Amplitudes decrease by @ratio from one random direction to the next. Values are exact in single precision. */
static double *
make_snapshots(double ratio)
{
  LacRng             rng = lac_rng(11, 3);
  g_autofree double *direction = g_new(double, N);
  double            *snapshots = g_new(double, N_SNAPSHOTS *N);

  for (gsize i = 0; i < N_SNAPSHOTS * N; i++)
    snapshots[i] = cos(0.01 * (double) (i % N));
  for (gsize r = 0; r < N_SNAPSHOTS; r++) {
    for (gsize j = 0; j < N; j++)
      direction[j] = lac_rng_normal(&rng);
    for (gsize s = 0; s < N_SNAPSHOTS; s++) {
      const double amplitude = pow(ratio, (double) r) * lac_rng_normal(&rng);

      for (gsize j = 0; j < N; j++)
        snapshots[s * N + j] += amplitude * direction[j];
    }
  }
  for (gsize i = 0; i < N_SNAPSHOTS * N; i++)
    snapshots[i] = (double) (float) snapshots[i];
  return snapshots;
}

static LacPodSettings
settings_of(const double *snapshots, LacPodMethod method)
{
  return (LacPodSettings){.n_snapshots = N_SNAPSHOTS,
                          .n = N,
                          .n_modes = N_MODES,
                          .snapshots = snapshots,
                          .method = method,
                          .n_powers = 4,
                          .seed = 5};
}

static double
inner(const double *a, const double *b)
{
  double sum = 0;

  for (gsize i = 0; i < N; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Rotates two rows until they are orthogonal, the longer one first. */
static void
rotate(double *a, double *b)
{
  const double angle = 0.5 * atan2(2 * inner(a, b), inner(a, a) - inner(b, b));
  const double c = cos(angle), s = sin(angle);

  for (gsize i = 0; i < N; i++) {
    const double first = a[i];

    a[i] = c * first + s * b[i];
    b[i] = c * b[i] - s * first;
  }
}

/* One-sided Jacobi: the rows of the fluctuation become right singular vectors times singular values, largest first.
 * It does not square the condition number, and eight sweeps are more than enough for its quadratic convergence with
 * so few rows. */
static double *
decompose(const double *snapshots)
{
  double *rows = g_memdup2(snapshots, N_SNAPSHOTS * N * sizeof *snapshots);

  for (gsize j = 0; j < N; j++) {
    double mean = 0;

    for (gsize s = 0; s < N_SNAPSHOTS; s++)
      mean += snapshots[s * N + j] / N_SNAPSHOTS;
    for (gsize s = 0; s < N_SNAPSHOTS; s++)
      rows[s * N + j] -= mean;
  }
  for (int sweep = 0; sweep < 8; sweep++)
    for (gsize a = 0; a < N_SNAPSHOTS; a++)
      for (gsize b = a + 1; b < N_SNAPSHOTS; b++)
        rotate(rows + a * N, rows + b * N);
  return rows;
}

/* A Gram matrix gives s^2 to epsilon s_1^2, its vectors to that divided by their gap; a factor of 100 for the sums. */
static void
assert_is_svd(const LacPod *pod, const double *rows)
{
  const double strongest = inner(rows, rows);

  g_assert_cmpuint(pod->n_modes, ==, N_MODES);
  for (gsize r = 0; r < N_MODES; r++) {
    const double *row = rows + r * N, *mode = pod->modes + r * N;
    const double  square = inner(row, row), below = inner(row + N, row + N);
    const double  above = r > 0 ? inner(row - N, row - N) : INFINITY;
    const double  gap = MIN(square - below, above - square);
    const double  scale = copysign(1 / sqrt(square), inner(row, mode));
    double        distance = 0;

    for (gsize j = 0; j < N; j++)
      distance += pow(mode[j] - scale * row[j], 2);
    g_assert_cmpfloat(sqrt(distance), <, 100 * DBL_EPSILON * strongest / gap);
    g_assert_cmpfloat(fabs(pow(pod->deviations[r], 2) * N_SNAPSHOTS - square), <,
                      100 * DBL_EPSILON * strongest);
  }
}

static void
test_svd(gconstpointer user_data)
{
  g_autofree double   *snapshots = make_snapshots(0.5), *rows = decompose(snapshots);
  const LacPodSettings settings = settings_of(snapshots, GPOINTER_TO_UINT(user_data));
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacPod)    pod = lac_pod_new_with(&settings, &error);

  g_assert_no_error(error);
  assert_is_svd(pod, rows);
}

static double
left_by(const LacPodSettings *settings)
{
  g_autoptr(LacPod) pod = lac_pod_new_with(settings, NULL);
  double            left = 0;

  g_assert_cmpuint(pod->n_modes, ==, N_MODES);
  for (gsize j = 0; j < N; j++)
    left += pod->truncation[j] * pod->truncation[j];
  return left;
}

/* No subspace has a smaller residual than the exact one (Eckart, Young); each power iteration increases the Ritz
 * values. Without power iterations the mean residual is bounded by 1 + k / (p - 1) times the exact one (Halko,
 * theorem 10.5, k = 8, p = 10). */
static void
test_slow_spectrum(void)
{
  g_autofree double *snapshots = make_snapshots(0.93);
  LacPodSettings     settings = settings_of(snapshots, LAC_POD_SNAPSHOTS);
  const double       least = left_by(&settings);
  double             before = least * (1 + 8.0 / 9);

  settings.method = LAC_POD_RANDOMISED;
  for (settings.n_powers = 0; settings.n_powers < 6; settings.n_powers++) {
    const double left = left_by(&settings);

    g_assert_cmpfloat(left, <, before);
    g_assert_cmpfloat(left, >=, least * (1 - 1e-12));
    before = left;
  }
  g_assert_cmpfloat(before, <, 1.01 * least);
}

static void
assert_same(const LacPod *pod, const LacPod *other)
{
  g_assert_cmpuint(pod->n_modes, ==, other->n_modes);
  g_assert_cmpmem(pod->modes, pod->n_modes * N * sizeof(double), other->modes,
                  other->n_modes * N * sizeof(double));
  g_assert_cmpmem(pod->mean, N * sizeof(double), other->mean, N * sizeof(double));
  g_assert_cmpmem(pod->truncation, N * sizeof(double), other->truncation, N * sizeof(double));
  g_assert_cmpmem(pod->deviations, pod->n_modes * sizeof(double), other->deviations,
                  other->n_modes * sizeof(double));
  g_assert_cmpfloat(pod->rms, ==, other->rms);
}

static void
test_threads(gconstpointer user_data)
{
  g_autofree double *snapshots = make_snapshots(0.8);
  LacPodSettings     settings = settings_of(snapshots, GPOINTER_TO_UINT(user_data));
  g_autoptr(LacPod)  alone = lac_pod_new_with(&settings, NULL);

  for (guint n_threads = 1; n_threads <= 3; n_threads++) {
    g_autoptr(LacPool) pool = lac_pool_new(n_threads);
    g_autoptr(LacPod)  pod = NULL;

    settings.pool = pool;
    pod = lac_pod_new_with(&settings, NULL);
    assert_same(pod, alone);
  }
}

typedef struct {
  const double *snapshots;
  gsize         next; /* first entry of the next slab */
  gsize         n_passes;
  gsize         bad_from; /* unreadable from here on */
} Stream;

static gboolean
read_slab(gsize first, gsize n_points, double *slab, gpointer user_data, GError **error)
{
  Stream *stream = user_data;

  g_assert_cmpuint(first, ==, stream->next);
  stream->next = first + n_points < N ? first + n_points : 0;
  stream->n_passes += stream->next == 0;
  if (first + n_points > stream->bad_from) {
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "the file ends early");
    return FALSE;
  }
  for (gsize s = 0; s < N_SNAPSHOTS; s++)
    memcpy(slab + s * n_points, stream->snapshots + s * N + first, n_points * sizeof *slab);
  return TRUE;
}

static void
test_streamed(gconstpointer user_data)
{
  g_autofree double *snapshots = make_snapshots(0.8);
  g_autofree float  *narrow = g_new(float, N_SNAPSHOTS *N);
  g_autoptr(LacPool) pool = lac_pool_new(2);
  Stream             stream = {.snapshots = snapshots, .bad_from = G_MAXSIZE};
  LacPodSettings     settings = settings_of(snapshots, GPOINTER_TO_UINT(user_data));
  g_autoptr(LacPod)  whole = lac_pod_new_with(&settings, NULL), streamed = NULL, single = NULL;

  for (gsize i = 0; i < N_SNAPSHOTS * N; i++)
    narrow[i] = (float) snapshots[i];
  settings.pool = pool;
  settings.snapshots = NULL;
  settings.narrow = narrow;
  single = lac_pod_new_with(&settings, NULL);
  assert_same(single, whole);
  settings.narrow = NULL;
  settings.read = read_slab;
  settings.user_data = &stream;
  streamed = lac_pod_new_with(&settings, NULL);
  assert_same(streamed, whole);
  g_assert_cmpuint(stream.n_passes, ==,
                   settings.method == LAC_POD_SNAPSHOTS ? 2 : 2 + settings.n_powers);
}

static void
test_unreadable(gconstpointer user_data)
{
  g_autofree double *snapshots = make_snapshots(0.8);
  g_autoptr(LacPool) pool = lac_pool_new(2);
  Stream             stream = {.snapshots = snapshots, .bad_from = 1500};
  LacPodSettings     settings = settings_of(NULL, GPOINTER_TO_UINT(user_data));
  g_autoptr(GError)  error = NULL;

  settings.pool = pool;
  settings.read = read_slab;
  settings.user_data = &stream;
  g_assert_null(lac_pod_new_with(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

static void
test_nan(gconstpointer user_data)
{
  g_autofree double *snapshots = make_snapshots(0.8);
  LacPodSettings     settings = settings_of(snapshots, GPOINTER_TO_UINT(user_data));
  g_autoptr(GError)  error = NULL;

  snapshots[N + 2400] = INFINITY;
  g_assert_null(lac_pod_new_with(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

/* Rank three in 40 snapshots: three modes, although eight are requested and 18 drawn. */
static void
test_low_rank(gconstpointer user_data)
{
  g_autofree double *snapshots = make_snapshots(1);
  LacPodSettings     settings = settings_of(snapshots, GPOINTER_TO_UINT(user_data));
  g_autoptr(LacPod)  pod = NULL;

  for (gsize s = 4; s < N_SNAPSHOTS; s++)
    memcpy(snapshots + s * N, snapshots + s % 4 * N, N * sizeof *snapshots);
  pod = lac_pod_new_with(&settings, NULL);
  g_assert_cmpuint(pod->n_modes, ==, 3);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat(pod->truncation[j], <, 1e-7 * pod->rms);
}

/* Within rounding of the CPU's: the products of a device add in another order. */
static void
check_on(LacDevice device, LacPodMethod method)
{
  g_autofree double *snapshots = make_snapshots(0.5), *rows = decompose(snapshots);
  LacPodSettings     settings = settings_of(snapshots, method);
  g_autoptr(LacPod)  here = lac_pod_new_with(&settings, NULL), there = NULL;
  g_autoptr(GError)  error = NULL;

  settings.device = &device;
  there = lac_pod_new_with(&settings, &error);
  g_assert_no_error(error);
  assert_is_svd(there, rows);
  for (gsize i = 0; i < N_MODES * N; i++)
    g_assert_cmpfloat_with_epsilon(there->modes[i], here->modes[i], 1e-9);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(there->truncation[j], here->truncation[j], 1e-9 * here->rms);
}

static void
test_strict(gconstpointer method)
{
  LacDevice device;

  g_assert_true(lac_device_open(&device, "strict", NULL));
  check_on(device, GPOINTER_TO_UINT(method));
  lac_device_close(&device);
}

static void
test_emulated(gconstpointer method)
{
  LacDevice device;

  if (!emulated_open(&device))
    return;
  check_on(device, GPOINTER_TO_UINT(method));
  lac_device_close(&device);
}

static LacStatus
fail(void *self G_GNUC_UNUSED, const LacProduct *args G_GNUC_UNUSED)
{
  return LAC_STATUS_OUT_OF_MEMORY;
}

static void
test_failure(gconstpointer method)
{
  g_autofree double *snapshots = make_snapshots(0.8);
  LacPodSettings     settings = settings_of(snapshots, GPOINTER_TO_UINT(method));
  g_autoptr(GError)  error = NULL;
  LacBackend         table;
  LacDevice          device, failing;

  g_assert_true(lac_device_open(&device, "strict", NULL));
  table = *device.table;
  table.product = fail;
  failing = (LacDevice){&table, device.self};
  settings.device = &failing;
  g_assert_null(lac_pod_new_with(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DEVICE);
  lac_device_close(&device);
}

static void
add(const char *name, GTestDataFunc func)
{
  static const char *const methods[] = {"snapshots", "randomised"};

  for (guint method = 0; method < G_N_ELEMENTS(methods); method++) {
    g_autofree char *path = g_strdup_printf("/sensor/pod/%s/%s", methods[method], name);

    g_test_add_data_func(path, GUINT_TO_POINTER(method), func);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  add("modes-are-the-singular-vectors", test_svd);
  add("any-number-of-threads-gives-the-same-bits", test_threads);
  add("streamed-and-single-snapshots-give-the-same-bits", test_streamed);
  add("an-unreadable-slab-stops-it-with-its-error", test_unreadable);
  add("an-infinite-value-is-refused", test_nan);
  add("no-more-modes-than-directions", test_low_rank);
  add("the-same-modes-on-strict", test_strict);
  add("the-same-modes-on-cuda", test_emulated);
  add("a-failure-of-the-device-is-its-error", test_failure);
  g_test_add_func("/sensor/pod/randomised/comes-closer-with-every-pass", test_slow_spectrum);
  return g_test_run();
}
