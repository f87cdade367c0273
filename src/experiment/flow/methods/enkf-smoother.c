/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of grid points are independent: the pool takes one block of one kept ensemble at a time, which stays in the
 * cache through both products. The members' mean needs no removal before the first product, since the anomalies at
 * the sensors sum to zero. */
#include "experiment/flow/methods/enkf-smoother.h"

#include "backend/registry.h"
#include "base/memory-part.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256 }; /* points */

struct _LacEnkfSmoother {
  LacMemoryClaim claim;
  LacDevice      device; /* the processor's kernels */
  LacPool       *pool;
  gsize          lag, n_members, n, n_points, n_blocks;
  LacEnkfTaper   taper;
  float         *kept;      /* [lag][n][n_members]: observation k at k % lag */
  float         *anomalies; /* [n_seen][n_members], over n_members - 1 */
  float         *weights;   /* [n_seen][n_members] */
  double        *mean;      /* [n_seen]: of the weights over the members */
  float         *cross;     /* [n_workers][BLOCK][n_sensors] */
  gsize          n_cross;   /* values of @cross per worker */
  const gsize   *seen;      /* of the update in progress, like the rest */
  gsize          n_seen, first, now;
  double        *means, *deviations;
  const double  *members;
};

LacEnkfSmoother *
lac_enkf_smoother_new(const LacEnsembleSettings *settings, gsize lag, LacPool *pool, GError **error)
{
  g_return_val_if_fail(lag > 0, NULL);
  g_autoptr(LacEnkfSmoother) smoother = g_new0(LacEnkfSmoother, 1);
  const gsize                m = settings->observations->n_sensors;
  const gsize                n_workers = pool ? lac_pool_get_n_threads(pool) : 1;

  if (!lac_device_open(&smoother->device, "cpu", error))
    return NULL;
  smoother->pool = pool;
  smoother->lag = lag;
  smoother->n_members = settings->n_members;
  smoother->n_points = settings->grid.nx * settings->grid.ny;
  smoother->n = settings->n_fields * smoother->n_points;
  smoother->n_blocks = (smoother->n + BLOCK - 1) / BLOCK;
  smoother->n_cross = BLOCK * m;
  lac_enkf_taper_init(&smoother->taper, &settings->grid, settings->observations);
  smoother->kept = g_new0(float, lag * smoother->n * smoother->n_members);
  smoother->anomalies = g_new0(float, m * smoother->n_members);
  smoother->weights = g_new0(float, m * smoother->n_members);
  smoother->mean = g_new0(double, m + 1);
  smoother->cross = g_new0(float, n_workers * smoother->n_cross);
  lac_memory_claim(&smoother->claim, LAC_MEMORY_STATES, lac_enkf_smoother_get_bytes(smoother));
  /* touch all pages now: gradual first use would look like a memory leak */
  memset(smoother->kept, 0, lac_enkf_smoother_get_bytes(smoother));
  return g_steal_pointer(&smoother);
}

void
lac_enkf_smoother_free(LacEnkfSmoother *smoother)
{
  if (smoother == NULL)
    return;
  lac_device_close(&smoother->device);
  lac_enkf_taper_clear(&smoother->taper);
  g_free(smoother->kept);
  g_free(smoother->anomalies);
  g_free(smoother->weights);
  g_free(smoother->mean);
  g_free(smoother->cross);
  lac_memory_unclaim(&smoother->claim);
  g_free(smoother);
}

static void
run(LacEnkfSmoother *smoother, gsize n_items, LacPoolFunc func)
{
  if (smoother->pool)
    lac_pool_run(smoother->pool, n_items, func, smoother);
  else
    for (gsize item = 0; item < n_items; item++)
      func(item, 0, smoother);
}

/* ---- the update ---- */

static void
taper_cross(const LacEnkfSmoother *smoother, gsize first, gsize n, float *cross)
{
  const LacSensor *sensors = smoother->taper.observations->sensors;
  const gsize      m = smoother->n_seen;

  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      cross[i * m + k] *= (float) lac_enkf_taper_at(
        &smoother->taper, (first + i) % smoother->n_points, sensors[smoother->seen[k]].station);
}

/* @kept: [n][n_members] */
static void
find_deviations(const LacEnkfSmoother *smoother, const float *kept, gsize n, double *deviations)
{
  const gsize n_members = smoother->n_members;

  for (gsize i = 0; i < n; i++) {
    const float *row = kept + i * n_members;
    double       mean = 0, sum = 0;

    for (gsize e = 0; e < n_members; e++)
      mean += (double) row[e] / (double) n_members;
    for (gsize e = 0; e < n_members; e++)
      sum += ((double) row[e] - mean) * ((double) row[e] - mean);
    deviations[i] = sqrt(sum / (double) (n_members - 1));
  }
}

static void
update_block(gsize item, guint worker, gpointer data)
{
  LacEnkfSmoother *smoother = data;
  const gsize      at = smoother->first + item / smoother->n_blocks; /* observation */
  const gsize      first = item % smoother->n_blocks * BLOCK, n = MIN(BLOCK, smoother->n - first);
  const gsize      m = smoother->n_seen;
  float           *cross = smoother->cross + worker * smoother->n_cross;
  float  *kept = smoother->kept + (at % smoother->lag * smoother->n + first) * smoother->n_members;
  double *means = smoother->means + at * smoother->n + first;
  const LacLinear project = {.type = LAC_F32,
                             .n_points = n,
                             .n_streams = 1,
                             .n_in = smoother->n_members,
                             .n_out = m,
                             .x = kept,
                             .w = smoother->anomalies,
                             .y = cross};
  const LacLinear correct = {.type = LAC_F32,
                             .n_points = n,
                             .n_streams = 1,
                             .n_in = smoother->n_members,
                             .n_out = m,
                             .x = kept,
                             .w = smoother->weights,
                             .y_bar = cross,
                             .x_bar = kept};

  smoother->device.table->linear(smoother->device.self, &project);
  taper_cross(smoother, first, n, cross);
  smoother->device.table->linear_reverse(smoother->device.self, &correct);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      means[i] += (double) cross[i * m + k] * smoother->mean[k];
  if (smoother->deviations)
    find_deviations(smoother, kept, n, smoother->deviations + at * smoother->n + first);
}

/* Copies the filter's analysis, with values as rows. */
static void
take_analysis(LacEnkfSmoother *smoother, const LacEnsembleWeights *analysis)
{
  const gsize n_members = smoother->n_members, m = analysis->n;

  smoother->n_seen = m;
  smoother->seen = analysis->seen;
  lac_enkf_average_weights(analysis->weights, m, n_members, smoother->mean);
  for (gsize k = 0; k < m; k++)
    for (gsize e = 0; e < n_members; e++) {
      smoother->anomalies[k * n_members + e] =
        (float) (analysis->anomalies[e * m + k] / (double) (n_members - 1));
      smoother->weights[k * n_members + e] = (float) analysis->weights[k * n_members + e];
    }
}

void
lac_enkf_smoother_update(LacEnkfSmoother          *smoother,
                         gsize                     k,
                         const LacEnsembleWeights *analysis,
                         double                    length,
                         double                   *means,
                         double                   *deviations)
{
  smoother->first = k > smoother->lag ? k - smoother->lag : 0;
  if (analysis->n == 0 || smoother->first == k)
    return;
  lac_enkf_taper_set_length(&smoother->taper, length);
  take_analysis(smoother, analysis);
  smoother->means = means;
  smoother->deviations = deviations;
  run(smoother, (k - smoother->first) * smoother->n_blocks, update_block);
}

static void
keep_block(gsize item, guint worker G_GNUC_UNUSED, gpointer data)
{
  LacEnkfSmoother *smoother = data;
  const gsize      first = item * BLOCK, end = MIN(first + BLOCK, smoother->n);
  float *kept = smoother->kept + smoother->now % smoother->lag * smoother->n * smoother->n_members;

  for (gsize e = 0; e < smoother->n_members; e++)
    for (gsize i = first; i < end; i++)
      kept[i * smoother->n_members + e] = (float) smoother->members[e * smoother->n + i];
}

void
lac_enkf_smoother_keep(LacEnkfSmoother *smoother, gsize k, const double *members)
{
  smoother->now = k;
  smoother->members = members;
  run(smoother, smoother->n_blocks, keep_block);
}

void
lac_enkf_smoother_reduce(LacEnkfSmoother *smoother, gsize n)
{
  const gsize n_rows = smoother->lag * smoother->n;

  g_return_if_fail(n <= smoother->n_members);
  for (gsize row = 0; row < n_rows; row++)
    memmove(smoother->kept + row * n, smoother->kept + row * smoother->n_members,
            n * sizeof *smoother->kept);
  smoother->n_members = n;
}

double
lac_enkf_smoother_get_flops(const LacEnkfSmoother *smoother, gsize k, gsize n)
{
  return 4 * (double) MIN(k, smoother->lag) * (double) smoother->n * (double) n *
         (double) smoother->n_members;
}

gsize
lac_enkf_smoother_get_bytes(const LacEnkfSmoother *smoother)
{
  return smoother->lag * smoother->n * smoother->n_members * sizeof *smoother->kept;
}

/* ---- checkpoints ---- */

void
lac_enkf_smoother_visit(LacEnkfSmoother *smoother, gsize n_done, LacVisit *visit)
{
  lac_visit_values(visit, "kept", smoother->kept, MAX(1, MIN(n_done, smoother->lag)) * smoother->n,
                   smoother->n_members, sizeof(float));
}
