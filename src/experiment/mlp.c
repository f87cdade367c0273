/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The perceptron's shapes, parameters and nodes. */
#include "experiment/mlp.h"

#include <math.h>

static gsize
columns_before(const LacMlp *mlp, gsize layer)
{
  return layer == 0 ? mlp->n_in : mlp->width;
}

static gsize
columns_after(const LacMlp *mlp, gsize layer)
{
  return layer == mlp->depth ? mlp->n_out : mlp->width;
}

LacNode
lac_mlp_build(const LacMlp *mlp, LacNode x)
{
  for (gsize layer = 0; layer <= mlp->depth; layer++) {
    g_autofree char *weight_name = g_strdup_printf("weight %" G_GSIZE_FORMAT, layer);
    g_autofree char *bias_name = g_strdup_printf("bias %" G_GSIZE_FORMAT, layer);
    const gsize      n_out = columns_after(mlp, layer);
    LacNode weight = lac_graph_parameter(x.graph, weight_name, n_out, columns_before(mlp, layer));
    LacNode bias = lac_graph_parameter(x.graph, bias_name, 1, n_out);

    x = layer < mlp->depth ? lac_layer(x, weight, bias, mlp->activation)
                           : lac_linear(x, weight, bias);
  }
  return x;
}

gsize
lac_mlp_get_n_parameters(const LacMlp *mlp)
{
  gsize n = 0;

  for (gsize layer = 0; layer <= mlp->depth; layer++)
    n += columns_after(mlp, layer) * (columns_before(mlp, layer) + 1);
  return n;
}

void
lac_mlp_initialise(const LacMlp *mlp, LacRng *rng, double *theta)
{
  for (gsize layer = 0; layer <= mlp->depth; layer++) {
    const gsize  n_in = columns_before(mlp, layer), n_out = columns_after(mlp, layer);
    const double deviation = sqrt(2.0 / (double) (n_in + n_out));

    for (gsize i = 0; i < n_in * n_out; i++)
      *theta++ = deviation * lac_rng_normal(rng);
    for (gsize i = 0; i < n_out; i++)
      *theta++ = 0;
  }
}
