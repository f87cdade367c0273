/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least-squares fit of the output layer over the features at given points. */
#include "backend/dense.h"
#include "base/error.h"
#include "experiment/flow/network/network-private.h"

#include <math.h>

/* Returns: [n][n_features] at theta */
static double *
dup_features(const LacNetwork    *network,
             const LacNetworkFit *fit,
             const double        *theta,
             gsize               *n_features,
             GError             **error)
{
  const LacProgramOptions options = {.device = fit->device, .type = LAC_F64, .pool = fit->pool};
  g_autoptr(LacGraph)     graph = lac_graph_new();
  g_autoptr(LacProgram)   program = NULL;
  g_autofree double      *features = NULL;
  LacNode                 x = lac_graph_points(graph, "x", 0, fit->n, network->n_in);
  LacNetworkParts         parts;

  lac_network_build(network, x, &parts);
  program = lac_program_new(graph, LAC_NO_NODE, &parts.features, 1, &options, error);
  if (!program)
    return NULL;
  *n_features = lac_node_get_n_columns(parts.features);
  features = g_new(double, fit->n **n_features);
  lac_program_feed(program, x, fit->x);
  lac_program_set_theta(program, theta);
  if (!lac_program_run(program, NULL, 0, NULL, error))
    return NULL;
  lac_program_read(program, parts.features, features);
  return g_steal_pointer(&features);
}

/* @solution: [n_features + 1][n_out], the bias last. The output's blocks are declared last. */
static void
write_output(const LacNetwork *network, const double *solution, gsize n_features, double *theta)
{
  g_autoptr(GArray)      blocks = lac_network_dup_blocks(network);
  const LacNetworkBlock *bias = &g_array_index(blocks, LacNetworkBlock, blocks->len - 1);
  const LacNetworkBlock *weight = bias - 1;
  const gsize            n_out = network->n_out;

  for (gsize k = 0; k < n_out; k++) {
    const double scale = weight->factorised ? exp(theta[weight->offset - n_out + k]) : 1;

    for (gsize j = 0; j < n_features; j++)
      theta[weight->offset + k * n_features + j] = solution[j * n_out + k] / scale;
    theta[bias->offset + k] = solution[n_features * n_out + k];
  }
}

static gboolean
are_finite(const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (!isfinite(values[i]))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_network_fit_last_layer(const LacNetwork    *network,
                           const LacNetworkFit *fit,
                           double              *theta,
                           GError             **error)
{
  const gsize        n = fit->n, n_out = network->n_out;
  gsize              n_features;
  g_autofree double *features = dup_features(network, fit, theta, &n_features, error);
  g_autofree double *matrix = NULL, *right = NULL;

  if (!features)
    return FALSE;
  matrix = g_new(double, n *(n_features + 1));
  right = g_new0(double, MAX(n, n_features + 1) * n_out);
  for (gsize i = 0; i < n; i++) {
    for (gsize j = 0; j < n_features; j++)
      matrix[i * (n_features + 1) + j] = features[i * n_features + j];
    matrix[i * (n_features + 1) + n_features] = 1;
  }
  for (gsize i = 0; i < n * n_out; i++)
    right[i] = fit->values[i];
  if (!are_finite(matrix, n * (n_features + 1)) || !are_finite(right, n * n_out) ||
      !lac_dense_least_squares(matrix, n, n_features + 1, right, n_out)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "the output of the network could not be fitted to %zu points: a value or a feature "
                "is not a finite number; start without the fit or check the measurements",
                n);
    return FALSE;
  }
  write_output(network, right, n_features, theta);
  return TRUE;
}
