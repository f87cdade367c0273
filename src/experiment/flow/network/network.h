/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as graph nodes: coordinate embedding, hidden layers of an architecture, linear output. Derivatives with
 * respect to the coordinates are in the coordinates' units: all chain-rule factors are part of the network. */
#pragma once

#include "base/pool.h"
#include "base/rng.h"
#include "graph/program/program.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_NETWORK_MAX_AXES      4
#define LAC_NETWORK_MAX_HARMONICS 16

typedef enum {
  LAC_NETWORK_MLP,          /* layers of equal width */
  LAC_NETWORK_MODIFIED_MLP, /* Wang, Teng and Perdikaris (2021): two encoders gate every layer */
  LAC_NETWORK_PIRATENET, /* Wang et al. (2024), arXiv 2402.00326: gated three-layer blocks, initially the identity */
  LAC_NETWORK_SIREN,  /* Sitzmann et al. (2020): sin(omega (W x + b)) */
  LAC_NETWORK_RESNET, /* pairs of layers with skip connections */
  LAC_N_ARCHITECTURES,
} LacArchitecture;

/* Embedding of a coordinate. All zeros: unchanged. */
typedef struct {
  double low, high; /* unless equal, [low, high] is scaled to [-1, 1] */
  double
         stretch; /* factor N of VS-PINN (Ko and Park, 2025), which stretches [-1, 1] to [-N, N]; 0 counts as 1 */
  double period; /* period of the harmonics, in the units of the coordinate */
  guint  n_harmonics;
  double
    harmonics[LAC_NETWORK_MAX_HARMONICS]; /* k: sin and cos of 2 pi k x / period become inputs */
  gboolean periodic; /* replace the coordinate by its harmonics; otherwise add them */
} LacNetworkAxis;

/* A network. With all members zero but the sizes and the activation, it is a plain multilayer perceptron. */
typedef struct {
  gsize n_in, n_out; /* n_in at most LAC_NETWORK_MAX_AXES */
  gsize
    depth; /* number of hidden layers, at least 1; for a PirateNet, number of three-layer blocks */
  gsize     width;
  LacScalar activation; /* not used by a SIREN */

  LacArchitecture architecture;
  double omega; /* frequency factor of a SIREN: 30, or 1 after Fourier features; 0 means 30 */

  LacNetworkAxis axes[LAC_NETWORK_MAX_AXES];
  gboolean       masked; /* harmonics are enabled one by one by lac_network_feed_mask() */
  gsize
    n_random; /* number of random Fourier features of the embedded axes, each giving 2 inputs; 0: none */
  double
    deviation; /* standard deviation of the random frequencies, in radians per unit of the embedded axes: 1-2 smooth, 5-10 rough */

  gboolean
    factorised; /* W = diag(exp s) V, s and V trained. Source: Wang et al. (2022), arXiv 2210.01274 */
  double factor_mean,
    factor_deviation; /* mean and deviation of the initial s; a SIREN starts with s = 0 */

  guint64 seed; /* seed of the fixed random parts; together with theta it determines the network */
} LacNetwork;

typedef struct {
  LacNode features; /* input of the linear output layer */
  LacNode mask;     /* fixed, for lac_network_feed_mask(); LAC_NO_NODE unless masked */
  gsize   first;    /* offset of the network's parameters in the graph's theta */
} LacNetworkParts;

/* Returns the name of an architecture: "modified-mlp" */
const char *lac_architecture_name(LacArchitecture architecture);

/**
 * lac_network_build:
 * @x: coordinates in their own units, one column per axis, with the required jet
 * @parts: (out) (optional)
 *
 * Declares the parameters in @x's graph, layer by layer; the same theta can be used with other graphs built from
 * @network.
 *
 * Returns: the output, [n_out] columns, with the jet of @x.
 */
LacNode lac_network_build(const LacNetwork *network, LacNode x, LacNetworkParts *parts);

/* Builds the network on another point set of a graph that already contains the network, reusing the parameters from
 * offset @first of theta. A mask is not shared. */
LacNode
lac_network_build_again(const LacNetwork *network, LacNode x, gsize first, LacNetworkParts *parts);

gsize lac_network_get_n_parameters(const LacNetwork *network);
/* Returns the number of parameters of the output layer, weight and bias, in which the network is linear. They are the
 * last ones; factorised weights have their scales before them. */
gsize lac_network_count_output(const LacNetwork *network);

/* Sets initial parameters; @theta: [n_parameters] in the order of lac_network_build(). Glorot normal weights (Glorot
 * and Bengio, 2010, eq. 12) and zero biases; for a SIREN, those of Sitzmann et al. (2020), theorem 1.8; residual
 * gates of a PirateNet are 0. */
void lac_network_initialise(const LacNetwork *network, LacRng *rng, double *theta);

/* Enables the first @n_open harmonics of every axis; the fractional part of @n_open scales the next harmonic, the
 * rest are 0. Initially all are enabled. */
void
lac_network_feed_mask(const LacNetwork *network, LacProgram *program, LacNode mask, double n_open);

G_END_DECLS
