/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIREN: sin(omega (W x + b)), initialised so that the sines of every layer have equal variance. Source: Sitzmann et
 * al. (2020), theorem 1.8 and section 3.2; biases as in the authors' program. */
#include "experiment/flow/network/network-private.h"

#include <math.h>

#define USUAL_OMEGA 30

static double
omega_of(const LacNetwork *network)
{
  return network->omega > 0 ? network->omega : USUAL_OMEGA;
}

static LacNode
bias(LacNetworkBuilder *builder, gsize n_out, gsize n_in)
{
  const LacNetworkBlock block = {
    .n_rows = 1, .n_columns = n_out, .start = LAC_START_UNIFORM, .scale = 1 / sqrt((double) n_in)};

  return lac_network_parameter(builder, "bias", block);
}

/* Multiplies the matrices by omega instead of the points. */
static LacNode
layer(LacNetworkBuilder *builder, LacNode x, double bound)
{
  const gsize  n_in = lac_node_get_n_columns(x), n_out = builder->network->width;
  const double omega = omega_of(builder->network);
  LacNode      w = lac_network_weight(builder, n_out, n_in, LAC_START_UNIFORM, bound);
  LacNode      b = bias(builder, n_out, n_in);

  builder->n_layers++;
  if (omega != 1) {
    w = lac_scale(w, omega);
    b = lac_scale(b, omega);
  }
  return lac_layer(x, w, b, LAC_SCALAR_SIN);
}

static double
later_bound(const LacNetwork *network, gsize n_in)
{
  return sqrt(6 / (double) n_in) / omega_of(network);
}

static LacNode
hidden(LacNetworkBuilder *builder, LacNode x)
{
  x = layer(builder, x, 1 / (double) lac_node_get_n_columns(x));
  for (gsize i = 1; i < builder->network->depth; i++)
    x = layer(builder, x, later_bound(builder->network, builder->network->width));
  return x;
}

static LacNode
output(LacNetworkBuilder *builder, LacNode features)
{
  const gsize n_in = lac_node_get_n_columns(features), n_out = builder->network->n_out;
  LacNode     w = lac_network_weight(builder, n_out, n_in, LAC_START_UNIFORM,
                                     later_bound(builder->network, n_in));

  return lac_linear(features, w, bias(builder, n_out, n_in));
}

const LacArchitectureRow lac_architecture_siren = {
  .name = "siren",
  .hidden = hidden,
  .output = output,
};
