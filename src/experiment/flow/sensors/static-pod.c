/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/sensors/static-pod.h"

#include <string.h>

LacGappy *
lac_static_pod_new(const LacPod          *pod,
                   const LacObservations *observations,
                   double                 noise,
                   LacGappyMethod         method,
                   GError               **error)
{
  const gsize            m = observations->n_sensors;
  g_autofree LacStencil *stencils = g_new0(LacStencil, m);
  g_autofree double     *noises = g_new0(double, m);
  const LacGappySettings settings = {
    .pod = pod,
    .stencils = stencils,
    .n_values = m,
    .noises = noises,
    .method = method,
  };

  for (gsize i = 0; i < m; i++) {
    memcpy(stencils[i].rows, observations->sensors[i].rows, sizeof stencils[i].rows);
    memcpy(stencils[i].weights, observations->sensors[i].weights, sizeof stencils[i].weights);
    noises[i] = noise * observations->sigma[i];
  }
  return lac_gappy_new_with(&settings, error);
}
