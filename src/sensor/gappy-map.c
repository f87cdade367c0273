/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps from values to coefficients. The posterior is solved for a / S, whose normal matrix is never worse than its signal. */
#include "sensor/gappy-map.h"

#include "backend/dense.h"
#include "base/error.h"

#include <math.h>

static gboolean
check_noise(const LacGappySettings *settings, GError **error)
{
  for (gsize k = 0; k < settings->n_values; k++) {
    const double noise = settings->noises ? settings->noises[k] : settings->noise;

    if (!(noise > 0) || !isfinite(noise)) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the noise of measured number %" G_GSIZE_FORMAT
                  " is %s; its standard deviation must be above 0",
                  k + 1, g_ascii_dtostr(text, sizeof text, noise));
      return FALSE;
    }
  }
  return TRUE;
}

static LacStencil
get_stencil(const LacGappySettings *settings, gsize k)
{
  if (settings->rows)
    return (LacStencil){{settings->rows[k]}, {1}};
  return settings->stencils[k];
}

/* The parts of a stencil are neighbours: what the modes leave at them comes together. */
static void
add_stencil(LacGappyDesign *design, gsize k, const LacStencil *stencil)
{
  const LacPod *pod = design->pod;
  double        left = 0;

  for (gsize s = 0; s < LAC_STENCIL_SIZE; s++) {
    const double weight = stencil->weights[s];
    const gsize  row = stencil->rows[s];

    if (weight == 0)
      continue;
    g_assert(row < pod->n);
    design->means[k] += weight * pod->mean[row];
    left += fabs(weight) * pod->truncation[row];
    for (gsize r = 0; r < pod->n_modes; r++)
      design->seen[k * pod->n_modes + r] += weight * pod->modes[r * pod->n + row];
  }
  design->variances[k] = design->noises[k] + left * left;
}

gboolean
lac_gappy_design_init(LacGappyDesign *design, const LacGappySettings *settings, GError **error)
{
  const LacPod *pod = settings->pod;
  const gsize   m = settings->n_values;

  *design = (LacGappyDesign){.pod = pod, .method = settings->method, .n_values = m};
  if (!check_noise(settings, error))
    return FALSE;
  design->means = g_new0(double, MAX(m, 1));
  design->seen = g_new0(double, MAX(m * pod->n_modes, 1));
  design->noises = g_new0(double, MAX(m, 1));
  design->variances = g_new0(double, MAX(m, 1));
  for (gsize k = 0; k < m; k++) {
    const LacStencil stencil = get_stencil(settings, k);
    const double     noise = settings->noises ? settings->noises[k] : settings->noise;

    design->noises[k] = noise * noise;
    add_stencil(design, k, &stencil);
  }
  return TRUE;
}

void
lac_gappy_design_clear(LacGappyDesign *design)
{
  g_clear_pointer(&design->means, g_free);
  g_clear_pointer(&design->seen, g_free);
  g_clear_pointer(&design->noises, g_free);
  g_clear_pointer(&design->variances, g_free);
}

/* (1 + S T^t N^-1 T S) (a / S) = S T^t N^-1 y */
static gboolean
map_of_posterior(const LacGappyDesign *design, const guint8 *present, double *map)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  const double      *spread = design->pod->deviations;
  g_autofree double *normal = g_new0(double, MAX(r * r, 1));

  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] = present[k] ? spread[i] * design->seen[k * r + i] / design->variances[k] : 0;
  for (gsize i = 0; i < r; i++) {
    for (gsize j = 0; j < r; j++) {
      double sum = 0;

      for (gsize k = 0; k < m; k++)
        sum += map[i * m + k] * design->seen[k * r + j];
      normal[i * r + j] = sum * spread[j];
    }
    normal[i * r + i] += 1;
  }
  if (!lac_dense_cholesky_solve(normal, r, map, m))
    return FALSE;
  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] *= spread[i];
  return TRUE;
}

/* The pseudo-inverse of the present rows of T, each divided by its noise. */
static gboolean
map_of_least_squares(const LacGappyDesign *design, const guint8 *present, double *map)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  g_autofree double *rows = g_new0(double, MAX(m * r, 1));
  g_autofree double *right = g_new0(double, MAX(MAX(m, r) * m, 1));
  gsize              n = 0;

  for (gsize k = 0; k < m; k++) {
    const double weight = 1 / sqrt(design->noises[k]);

    if (!present[k])
      continue;
    for (gsize i = 0; i < r; i++)
      rows[n * r + i] = weight * design->seen[k * r + i];
    right[n * m + k] = weight;
    n++;
  }
  if (n > 0 && !lac_dense_least_squares(rows, n, r, right, m))
    return FALSE;
  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] = n > 0 ? right[i * m + k] : 0;
  return TRUE;
}

gboolean
lac_gappy_make_map(const LacGappyDesign *design, const guint8 *present, double *map)
{
  const gsize n = design->pod->n_modes * design->n_values;

  if (n == 0)
    return TRUE;
  switch (design->method) {
  case LAC_GAPPY_BAYES:
    if (!map_of_posterior(design, present, map))
      return FALSE;
    break;
  case LAC_GAPPY_LEAST_SQUARES:
    if (!map_of_least_squares(design, present, map))
      return FALSE;
    break;
  }
  for (gsize i = 0; i < n; i++)
    if (!isfinite(map[i]))
      return FALSE;
  return TRUE;
}

void
lac_gappy_find_covariance(const LacGappyDesign *design, const double *map, double *covariance)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  const double      *spread = design->pod->deviations;
  g_autofree double *blind = g_new(double, MAX(r * r, 1)); /* (1 - M T) S */

  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j < r; j++) {
      double sum = i == j;

      for (gsize k = 0; k < m; k++)
        sum -= map[i * m + k] * design->seen[k * r + j];
      blind[i * r + j] = sum * spread[j];
    }
  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j <= i; j++) {
      double sum = 0;

      for (gsize k = 0; k < r; k++)
        sum += blind[i * r + k] * blind[j * r + k];
      for (gsize k = 0; k < m; k++)
        sum += map[i * m + k] * design->variances[k] * map[j * m + k];
      covariance[i * r + j] = covariance[j * r + i] = sum;
    }
}
