/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POD in two passes over slabs of points. The first finds a basis of the snapshots' space, the second projects the
 * snapshots to the points; the modes are then orthonormalised, since weak ones contain a part of the strong ones. */
#include "sensor/pod.h"

#include "backend/dense.h"
#include "base/error.h"
#include "base/rng.h"
#include "sensor/rows.h"
#include "sensor/slab-products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SLAB = 1024, OVERSAMPLING = 10 };

typedef struct {
  const LacPodSettings *settings;
  LacPool              *pool;
  LacPod               *pod;
  LacSlabProducts      *products;
  double               *slab;      /* [n_snapshots][SLAB]: fluctuations, in use */
  double               *next;      /* [n_snapshots][SLAB]: being filled */
  double               *variances; /* [n]: mean square of the fluctuation */
  gsize                 n_basis;
  double               *basis;  /* [n_basis][n_snapshots], orthonormal rows */
  double               *images; /* [n_basis][n]: basis times snapshots; finally the modes */
  double               *shares; /* [n_snapshots][n_basis]: snapshots times images */
} Work;

typedef void (*SlabFunc)(Work *work, gsize first, gsize n_points);

static gboolean
fill_slab(const LacPodSettings *settings, gsize first, gsize n_points, double *slab, GError **error)
{
  if (settings->read)
    return settings->read(first, n_points, slab, settings->user_data, error);
  for (gsize s = 0; s < settings->n_snapshots; s++) {
    const gsize from = s * settings->n + first;

    if (settings->snapshots)
      memcpy(slab + s * n_points, settings->snapshots + from, n_points * sizeof *slab);
    else
#pragma omp simd
      for (gsize j = 0; j < n_points; j++)
        slab[s * n_points + j] = (double) settings->narrow[from + j];
  }
  return TRUE;
}

/* Subtracts the mean; a slab contains every snapshot, so the mean of its points is available at once. */
static void
subtract_mean(Work *work, double *slab, gsize first, gsize n_points)
{
  const gsize m = work->settings->n_snapshots;
  double     *mean = work->pod->mean + first, *variance = work->variances + first;

  memset(mean, 0, n_points * sizeof *mean);
  memset(variance, 0, n_points * sizeof *variance);
  for (gsize s = 0; s < m; s++)
#pragma omp simd
    for (gsize j = 0; j < n_points; j++)
      mean[j] += slab[s * n_points + j];
#pragma omp simd
  for (gsize j = 0; j < n_points; j++)
    mean[j] /= (double) m;
  for (gsize s = 0; s < m; s++) {
    double *row = slab + s * n_points;

#pragma omp simd
    for (gsize j = 0; j < n_points; j++) {
      row[j] -= mean[j];
      variance[j] += row[j] * row[j];
    }
  }
#pragma omp simd
  for (gsize j = 0; j < n_points; j++)
    variance[j] /= (double) m;
}

/* Double buffering: one slab is filled while the previous one is processed. */
typedef struct {
  Work    *work;
  SlabFunc func;
  gsize    first; /* first point of the slab being filled */
  gboolean good;
  GError **error;
} Pass;

static void
fill_next(Pass *pass)
{
  Work       *work = pass->work;
  const gsize n = work->settings->n;

  if (pass->first >= n)
    return;
  pass->good =
    fill_slab(work->settings, pass->first, MIN(SLAB, n - pass->first), work->next, pass->error);
  if (pass->good)
    subtract_mean(work, work->next, pass->first, MIN(SLAB, n - pass->first));
}

static void
pass_item(gsize item, guint worker, gpointer user_data)
{
  Pass *pass = user_data;

  (void) worker;
  if (item == 0)
    fill_next(pass);
  else if (pass->first > 0)
    pass->func(pass->work, pass->first - SLAB,
               MIN(SLAB, pass->work->settings->n - pass->first + SLAB));
}

static void
add_to_gram(Work *work, gsize first, gsize n_points)
{
  lac_slab_products_add_gram(work->products, work->slab, n_points);
}

/* X X^t basis^t: [n_snapshots][n_basis] */
static void
add_to_power(Work *work, gsize first, gsize n_points)
{
  lac_slab_products_add_power(work->products, work->slab, n_points, NULL, 0);
}

static void
add_to_images(Work *work, gsize first, gsize n_points)
{
  lac_slab_products_add_power(work->products, work->slab, n_points, work->images + first,
                              work->settings->n);
}

/* @sum: (out): see lac_slab_products_end(). A device with memory of its own has one caller; it computes while the next slab
 * is filled. */
static gboolean
pass_over(Work *work, SlabFunc func, double *sum, GError **error)
{
  Pass           pass = {work, func, 0, TRUE, error};
  const gboolean is_concurrent = lac_slab_products_are_concurrent(work->products);

  lac_slab_products_begin(work->products, func == add_to_gram ? NULL : work->basis, work->n_basis);
  for (; pass.good && pass.first < work->settings->n + SLAB; pass.first += SLAB) {
    double *filled = work->next;

    if (is_concurrent)
      lac_pool_run(work->pool, 2, pass_item, &pass);
    for (gsize item = 2; item-- > 0 && !is_concurrent;)
      pass_item(item, 0, &pass);
    work->next = work->slab;
    work->slab = filled;
  }
  return pass.good && lac_slab_products_end(work->products, sum, error);
}

static gboolean
refuse(GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the snapshots contain values that are not finite");
  return FALSE;
}

/* Returns the relative threshold below which eigenvalues of a Gram matrix are rounding errors. */
static double
resolution(const Work *work)
{
  return DBL_EPSILON * (double) work->settings->n_snapshots;
}

/* Computes the leading eigenvectors of the Gram matrix. */
static gboolean
find_exact_basis(Work *work, GError **error)
{
  const gsize        m = work->settings->n_snapshots;
  const gsize        most = MIN(work->settings->n_modes, m - 1);
  g_autofree double *gram = g_new0(double, m *m), *values = g_new0(double, m);
  double             sum = 0;

  if (!pass_over(work, add_to_gram, gram, error))
    return FALSE;
  for (gsize i = 0; i < m; i++) {
    sum += gram[i * m + i];
    for (gsize j = i + 1; j < m; j++)
      gram[i * m + j] = gram[j * m + i];
  }
  if (!isfinite(sum) || !lac_dense_eigh(gram, m, values))
    return refuse(error);
  while (work->n_basis < most && values[work->n_basis] > values[0] * resolution(work))
    work->n_basis++;
  work->basis = g_memdup2(gram, MAX(work->n_basis, 1) * m * sizeof *gram);
  return TRUE;
}

/* Draws a random subspace; each pass multiplies it by the Gram matrix (power iteration). */
static gboolean
find_random_basis(Work *work, GError **error)
{
  const gsize        m = work->settings->n_snapshots;
  const gsize        most = MIN(work->settings->n_modes + OVERSAMPLING, m - 1);
  g_autofree double *power = g_new(double, MAX(m * most, 1));
  LacRng             rng = lac_rng(work->settings->seed, 0);

  work->n_basis = most;
  work->basis = g_new(double, MAX(most, 1) * m);
  for (gsize i = 0; i < most * m; i++)
    work->basis[i] = lac_rng_normal(&rng);
  for (gsize round = 0; round <= work->settings->n_powers; round++) {
    const gsize l = work->n_basis;

    if (!pass_over(work, add_to_power, power, error))
      return FALSE;
    for (gsize i = 0; i < m * l; i++) {
      if (!isfinite(power[i]))
        return refuse(error);
      work->basis[i % l * m + i / l] = power[i];
    }
    work->n_basis = lac_rows_make_basis(work->basis, l, m);
  }
  return TRUE;
}

/* shares: [n_snapshots][n_in] times the transposed @transform: [n_out][n_in] */
static void
combine_shares(Work *work, const double *transform, gsize n_in, gsize n_out)
{
  const gsize m = work->settings->n_snapshots;
  double     *shares = g_new(double, m *MAX(n_out, 1));

  if (n_in > 0)
    lac_dense_gemm(FALSE, TRUE, m, n_out, n_in, 1, work->shares, n_in, transform, n_in, 0, shares,
                   n_out);
  g_free(work->shares);
  work->shares = shares;
}

/* Rotates the images of a random basis to their principal directions. */
static gboolean
turn(Work *work, GError **error)
{
  const gsize        l = work->n_basis, n = work->settings->n;
  g_autofree double *gram = g_new0(double, MAX(l * l, 1)), *values = g_new0(double, MAX(l, 1));
  gsize              kept = 0;

  if (l == 0)
    return TRUE;
  lac_dense_gemm(FALSE, TRUE, l, l, n, 1, work->images, n, work->images, n, 0, gram, l);
  if (!lac_dense_eigh(gram, l, values))
    return refuse(error);
  while (kept < MIN(l, work->settings->n_modes) && values[kept] > values[0] * resolution(work))
    kept++;
  lac_rows_combine(work->images, l, n, gram, kept);
  combine_shares(work, gram, l, kept);
  work->n_basis = kept;
  return TRUE;
}

/* The sign of an eigenvector is arbitrary; this makes it reproducible. */
static void
fix_sign(double *mode, gsize n)
{
  gsize largest = 0;

  for (gsize i = 1; i < n; i++)
    if (fabs(mode[i]) > fabs(mode[largest]))
      largest = i;
  if (mode[largest] < 0)
    for (gsize i = 0; i < n; i++)
      mode[i] = -mode[i];
}

static void
find_deviations(Work *work)
{
  const gsize m = work->settings->n_snapshots, r = work->pod->n_modes;

  work->pod->deviations = g_new0(double, MAX(r, 1));
  for (gsize i = 0; i < r; i++) {
    double squares = 0;

    for (gsize s = 0; s < m; s++)
      squares += work->shares[s * r + i] * work->shares[s * r + i];
    work->pod->deviations[i] = sqrt(squares / (double) m);
  }
}

/* Computes the fluctuation energy of each entry that is not captured by the modes. */
static void
find_truncation(Work *work)
{
  LacPod *pod = work->pod;
  double  sum = 0;

  for (gsize j = 0; j < pod->n; j++)
    sum += work->variances[j];
  pod->rms = sqrt(sum / (double) pod->n);
  pod->truncation = g_steal_pointer(&work->variances);
  for (gsize r = 0; r < pod->n_modes; r++) {
    const double *mode = pod->modes + r * pod->n;
    const double  variance = pod->deviations[r] * pod->deviations[r];

#pragma omp simd
    for (gsize j = 0; j < pod->n; j++)
      pod->truncation[j] -= variance * mode[j] * mode[j];
  }
  for (gsize j = 0; j < pod->n; j++)
    pod->truncation[j] = sqrt(MAX(pod->truncation[j], 0));
}

static gboolean
decompose(Work *work, GError **error)
{
  const LacPodSettings *settings = work->settings;
  const gsize           m = settings->n_snapshots, n = settings->n;
  const gboolean        exact = settings->method == LAC_POD_SNAPSHOTS;
  g_autofree double    *transform = NULL;
  gsize                 l;

  if (!(exact ? find_exact_basis : find_random_basis)(work, error))
    return FALSE;
  work->images = g_new0(double, MAX(work->n_basis, 1) * n);
  work->shares = g_new0(double, MAX(work->n_basis, 1) * m);
  if (work->n_basis > 0 && !pass_over(work, add_to_images, work->shares, error))
    return FALSE;
  if (!exact && !turn(work, error))
    return FALSE;
  l = work->n_basis;
  transform = g_new(double, MAX(l * l, 1));
  work->pod->n_modes = lac_rows_orthonormalise(work->images, l, n, transform);
  combine_shares(work, transform, l, work->pod->n_modes);
  for (gsize r = 0; r < work->pod->n_modes; r++)
    fix_sign(work->images + r * n, n);
  work->pod->modes =
    g_renew(double, g_steal_pointer(&work->images), MAX(work->pod->n_modes, 1) * n);
  find_deviations(work);
  find_truncation(work);
  return TRUE;
}

LacPod *
lac_pod_new_with(const LacPodSettings *settings, GError **error)
{
  const gsize        n = settings->n, m = settings->n_snapshots;
  g_autoptr(LacPod)  pod = g_new0(LacPod, 1);
  g_autoptr(LacPool) alone = settings->pool ? NULL : lac_pool_new(1);
  Work     work = {.settings = settings, .pool = alone ? alone : settings->pool, .pod = pod};
  gboolean good;

  g_return_val_if_fail(m > 0 && n > 0, NULL);
  pod->n = n;
  pod->mean = g_new0(double, n);
  work.slab = g_new(double, m *SLAB);
  work.next = g_new(double, m *SLAB);
  work.variances = g_new0(double, n);
  work.products = lac_slab_products_new(
    settings->device, m, MIN(settings->n_modes, m) + OVERSAMPLING, MIN(SLAB, n), error);
  good = work.products && decompose(&work, error);
  lac_slab_products_free(work.products);
  g_free(work.slab);
  g_free(work.next);
  g_free(work.variances);
  g_free(work.basis);
  g_free(work.images);
  g_free(work.shares);
  return good ? g_steal_pointer(&pod) : NULL;
}

LacPod *
lac_pod_new(const double *snapshots, gsize n_snapshots, gsize n, gsize n_modes)
{
  const LacPodSettings settings = {
    .n_snapshots = n_snapshots,
    .n = n,
    .n_modes = n_modes,
    .snapshots = snapshots,
    .method = LAC_POD_SNAPSHOTS,
  };

  return lac_pod_new_with(&settings, NULL);
}

void
lac_pod_free(LacPod *pod)
{
  if (!pod)
    return;
  g_free(pod->mean);
  g_free(pod->modes);
  g_free(pod->deviations);
  g_free(pod->truncation);
  g_free(pod);
}
