/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinate embedding: scaling, harmonics added or replacing the coordinates, random Fourier features. A cosine is a
 * sine with a phase of pi/2, so that all waves are one product and one sine. */
#include "experiment/flow/network/network-private.h"

#include <math.h>
#include <string.h>

#define MOST_HARMONICS (LAC_NETWORK_MAX_AXES * LAC_NETWORK_MAX_HARMONICS)

enum { STREAM_FREQUENCIES = 0x6e6574 }; /* stream of the network's seed */

/* phase = frequencies x + shifts */
typedef struct {
  gsize   n;
  double *frequencies, *shifts; /* [n][n_in], [n]; owned */
} Phases;

static Phases
phases_new(gsize n, gsize n_in)
{
  return (Phases){n, g_new0(double, n *n_in), g_new0(double, n)};
}

static void
phases_clear(Phases *phases)
{
  g_free(phases->frequencies);
  g_free(phases->shifts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Phases, phases_clear)

static LacNode
apply(LacNetworkBuilder *builder, LacNode x, const Phases *phases, const char *name)
{
  g_autofree char *shifts = g_strconcat(name, " shifts", NULL);
  const gsize      n_in = lac_node_get_n_columns(x);
  LacNode weight = lac_graph_fixed(builder->graph, name, phases->n, n_in, phases->frequencies);

  return lac_linear(x, weight,
                    lac_graph_fixed(builder->graph, shifts, 1, phases->n, phases->shifts));
}

/* Computes the map from [low, high] to [-N, N]. */
static void
scaling_of(const LacNetworkAxis *axis, double *slope, double *shift)
{
  const double n = axis->stretch > 0 ? axis->stretch : 1;
  const double length = axis->high - axis->low;

  *slope = n;
  *shift = 0;
  if (!(fabs(length) > 0))
    return;
  *slope = 2 * n / length;
  *shift = -n * (axis->high + axis->low) / length;
}

static gboolean
keeps_coordinate(const LacNetworkAxis *axis)
{
  return !axis->periodic || axis->n_harmonics == 0;
}

/* Builds the scaled coordinates; LAC_NO_NODE if every axis is periodic. */
static LacNode
scaled_coordinates(LacNetworkBuilder *builder, LacNode x)
{
  const LacNetwork *network = builder->network;
  g_auto(Phases)    scaled = phases_new(network->n_in, network->n_in);
  gboolean          as_they_are = TRUE;
  gsize             n = 0;

  for (gsize a = 0; a < network->n_in; a++) {
    double slope, shift;

    scaling_of(&network->axes[a], &slope, &shift);
    as_they_are &= keeps_coordinate(&network->axes[a]) && slope == 1 && shift == 0;
    if (!keeps_coordinate(&network->axes[a]))
      continue;
    scaled.frequencies[n * network->n_in + a] = slope;
    scaled.shifts[n++] = shift;
  }
  scaled.n = n;
  if (as_they_are || n == 0)
    return as_they_are ? x : LAC_NO_NODE;
  return apply(builder, x, &scaled, "scaling");
}

static gsize
count_harmonics(const LacNetwork *network)
{
  gsize n = 0;

  for (gsize a = 0; a < network->n_in; a++)
    n += network->axes[a].n_harmonics;
  return n;
}

/* Builds the sines of all harmonics axis by axis, then their cosines; LAC_NO_NODE if there are none. */
static LacNode
waves(LacNetworkBuilder *builder, LacNode x)
{
  const LacNetwork *network = builder->network;
  const gsize       n = count_harmonics(network), n_in = network->n_in;
  g_auto(Phases)    both = phases_new(2 * n, n_in);
  gsize             row = 0;

  if (n == 0)
    return LAC_NO_NODE;
  for (gsize a = 0; a < n_in; a++) {
    const LacNetworkAxis *axis = &network->axes[a];

    for (guint k = 0; k < axis->n_harmonics; k++, row++) {
      const double frequency = 2 * G_PI * axis->harmonics[k] / axis->period;

      both.frequencies[row * n_in + a] = both.frequencies[(n + row) * n_in + a] = frequency;
      both.shifts[n + row] = G_PI / 2;
    }
  }
  return lac_map(apply(builder, x, &both, "harmonics"), LAC_SCALAR_SIN);
}

/* @mask: [2 n_harmonics][2 n_harmonics], diagonal */
static void
fill_mask(const LacNetwork *network, double n_open, double *mask)
{
  const gsize n = count_harmonics(network);
  gsize       row = 0;

  memset(mask, 0, 4 * n * n * sizeof *mask);
  for (gsize a = 0; a < network->n_in; a++) {
    for (guint k = 0; k < network->axes[a].n_harmonics; k++, row++)
      mask[row * (2 * n + 1)] = mask[(n + row) * (2 * n + 1)] = CLAMP(n_open - k, 0, 1);
  }
}

void
lac_network_feed_mask(const LacNetwork *network, LacProgram *program, LacNode mask, double n_open)
{
  double values[4 * MOST_HARMONICS * MOST_HARMONICS]; /* no allocation during training */

  fill_mask(network, n_open, values);
  lac_program_feed(program, mask, values);
}

static LacNode
masked(LacNetworkBuilder *builder, LacNode features)
{
  const gsize        n = lac_node_get_n_columns(features);
  g_autofree double *values = g_new(double, n *n);

  fill_mask(builder->network, LAC_NETWORK_MAX_HARMONICS, values);
  builder->mask = lac_graph_fixed(builder->graph, "mask", n, n, values);
  return lac_linear(features, builder->mask, LAC_NO_NODE);
}

/* Builds sin and cos of B x with B normal. Source: Tancik et al. (2020). */
static LacNode
through_random(LacNetworkBuilder *builder, LacNode x)
{
  const LacNetwork *network = builder->network;
  const gsize       n = network->n_random, n_in = lac_node_get_n_columns(x);
  g_auto(Phases)    both = phases_new(2 * n, n_in);
  LacRng            rng = lac_rng(network->seed, STREAM_FREQUENCIES);

  for (gsize i = 0; i < n * n_in; i++) {
    both.frequencies[i] = network->deviation * lac_rng_normal(&rng);
    both.frequencies[n * n_in + i] = both.frequencies[i];
  }
  for (gsize i = 0; i < n; i++)
    both.shifts[n + i] = G_PI / 2;
  return lac_map(apply(builder, x, &both, "random frequencies"), LAC_SCALAR_SIN);
}

LacNode
lac_network_embed(LacNetworkBuilder *builder, LacNode x)
{
  LacNode inputs = scaled_coordinates(builder, x), harmonics = waves(builder, x);

  if (harmonics.graph && builder->network->masked)
    harmonics = masked(builder, harmonics);
  if (!inputs.graph)
    inputs = harmonics;
  else if (harmonics.graph)
    inputs = lac_concatenate((LacNode[]){inputs, harmonics}, 2);
  return builder->network->n_random ? through_random(builder, inputs) : inputs;
}
