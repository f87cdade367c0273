/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a device has to hold for walkers and for iterations over them. */
#include "experiment/quantum/methods/iteration-private.h"
#include "experiment/quantum/wavefunction/wavefunction-private.h"

/* Of kernels that hold a walker a block: what does not fit its own memory, and how many of them are under way at most. */
enum { BLOCK_BYTES = 96 << 10, MOST_BLOCKS = 132 * 8, PAIR_ROWS = 5 };

static gsize
widest(const size_t *widths, gsize n)
{
  gsize most = 0;

  for (gsize l = 0; l <= n; l++)
    most = MAX(most, widths[l]);
  return most;
}

/* The forward Laplacian of a walker: two layers with a row a coordinate, the pairs, the orbitals and their determinants. */
static gsize
find_area(const LacElectronShape *shape, gsize element)
{
  const gsize n = shape->n_electrons, rows = 3 * n + 2;
  const gsize one = widest(shape->one, shape->n_layers);
  const gsize pair = widest(shape->pair, shape->n_layers - 1);
  const gsize numbers = rows * ((2 * n + 1) * one + n * shape->n_channels * pair) +
                        2 * PAIR_ROWS * n * n * pair + rows * n * shape->most_columns;
  const gsize doubles = 2 * shape->n_determinants * (n * n + 6 * n + 3) + 18 * n * n;

  return numbers * element + doubles * sizeof(double);
}

/* psi, walkers and what is said of them. */
static gsize
find_walkers(const LacElectronShape *shape, gsize element, gsize n_walkers)
{
  const gsize area = find_area(shape, element), n = shape->n_electrons;
  const gsize orbitals = shape->n_determinants * n * n;

  return shape->n_params * (2 * sizeof(double) + element) + /* theta, its derivative, weights */
         n_walkers * ((6 * n + orbitals + 4) * sizeof(double) + 5) +
         (area > BLOCK_BYTES ? MIN(n_walkers, MOST_BLOCKS) * area : 0);
}

guint64
lac_iteration_estimate(const LacIterationSettings *settings, gboolean by_itself)
{
  const LacElectronShape *shape = &settings->wave->shape;
  const gsize             element = settings->wave->kernels->element, n = settings->n_walkers;
  const gsize             n_coordinates = 3 * shape->n_electrons * n;
  const gsize             held = settings->at_once > 0 ? MIN(settings->at_once, n) : n;
  const gsize             gram = n * n * (element + sizeof(double)) + 2 * n * sizeof(double);
  guint64                 n_bytes = find_walkers(shape, element, n);

  if (!by_itself)
    return n_bytes;
  n_bytes += held * shape->n_params * element;
  n_bytes += settings->update.kind == LAC_UPDATE_SPRING ? gram : 0;
  n_bytes += lac_iteration_lay_out(settings, n_coordinates).n * sizeof(double);
  return n_bytes + LAC_ITERATION_MOST_OPEN * (n + n_coordinates) * sizeof(double);
}
