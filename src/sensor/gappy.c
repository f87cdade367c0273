/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: the map from values to coefficients is made once. */
#include "sensor/gappy.h"

#include "backend/dense.h"

#include <string.h>

struct _LacGappy {
  const LacPod *pod;
  gsize         n_values;
  double       *means;        /* [n_values] of the measured numbers */
  double       *map;          /* [n_modes][n_values] */
  double       *fluctuations; /* [n_values] */
};

static gboolean
make_map(LacGappy *gappy, const gsize *rows, double noise)
{
  const LacPod      *pod = gappy->pod;
  const gsize        r = pod->n_modes, m = gappy->n_values;
  g_autofree double *normal = g_new0(double, r *r);

  for (gsize k = 0; k < m; k++) {
    const double left = pod->truncation[rows[k]];

    for (gsize i = 0; i < r; i++)
      gappy->map[i * m + k] = pod->modes[i * pod->n + rows[k]] / (noise * noise + left * left);
  }
  for (gsize i = 0; i < r; i++) {
    for (gsize j = 0; j < r; j++)
      for (gsize k = 0; k < m; k++)
        normal[i * r + j] += gappy->map[i * m + k] * pod->modes[j * pod->n + rows[k]];
    normal[i * r + i] += 1 / (pod->deviations[i] * pod->deviations[i]);
  }
  return lac_dense_cholesky_solve(normal, r, gappy->map, m);
}

LacGappy *
lac_gappy_new(const LacPod *pod, const gsize *rows, gsize n_values, double noise)
{
  g_autoptr(LacGappy) gappy = g_new0(LacGappy, 1);

  gappy->pod = pod;
  gappy->n_values = n_values;
  gappy->means = g_new(double, n_values);
  gappy->map = g_new(double, pod->n_modes *n_values);
  gappy->fluctuations = g_new(double, n_values);
  for (gsize k = 0; k < n_values; k++)
    gappy->means[k] = pod->mean[rows[k]];
  return make_map(gappy, rows, noise) ? g_steal_pointer(&gappy) : NULL;
}

void
lac_gappy_free(LacGappy *gappy)
{
  if (!gappy)
    return;
  g_free(gappy->means);
  g_free(gappy->map);
  g_free(gappy->fluctuations);
  g_free(gappy);
}

void
lac_gappy_reconstruct(LacGappy *gappy, const double *values, double *field)
{
  const LacPod *pod = gappy->pod;

  for (gsize k = 0; k < gappy->n_values; k++)
    gappy->fluctuations[k] = values[k] - gappy->means[k];
  memcpy(field, pod->mean, pod->n * sizeof *field);
  for (gsize i = 0; i < pod->n_modes; i++) {
    const double *mode = pod->modes + i * pod->n;
    double        a = 0;

    for (gsize k = 0; k < gappy->n_values; k++)
      a += gappy->map[i * gappy->n_values + k] * gappy->fluctuations[k];
    for (gsize j = 0; j < pod->n; j++)
      field[j] += a * mode[j];
  }
}
