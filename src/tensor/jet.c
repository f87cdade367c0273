/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jets: stream layout of a point. */
#include "tensor/type.h"

#include <glib.h>

#include <string.h>

LacJet
lac_jet_value(void)
{
  LacJet jet;

  memset(&jet, 0, sizeof jet); /* zeroes the padding too: jets are hashed and copied as bytes */
  jet.n_streams = 1;
  return jet;
}

LacJet
lac_jet(unsigned n_directions, const unsigned *orders, const double *weights)
{
  LacJet   jet = lac_jet_value();
  unsigned stream = 1;
  int      sums = 0;

  g_return_val_if_fail(n_directions <= LAC_JET_MAX_DIRECTIONS, jet);
  g_return_val_if_fail(n_directions == 0 || orders, jet);
  for (unsigned d = 0; d < n_directions; d++) {
    g_return_val_if_fail(orders[d] >= 1 && orders[d] <= 4, lac_jet_value());
    jet.order[d] = (uint8_t) orders[d];
    jet.first[d] = (uint8_t) stream;
    jet.weight[d] = weights ? weights[d] : 0;
    sums |= jet.weight[d] < 0 || jet.weight[d] > 0;
    stream += orders[d];
  }
  jet.n_directions = (uint8_t) n_directions;
  if (sums)
    jet.sum = (uint8_t) stream++;
  jet.n_streams = (uint8_t) stream;
  return jet;
}

int
lac_jet_equal(const LacJet *a, const LacJet *b)
{
  if (a->n_directions != b->n_directions || a->n_streams != b->n_streams || a->sum != b->sum)
    return 0;
  for (unsigned d = 0; d < a->n_directions; d++)
    if (a->order[d] != b->order[d] || a->first[d] != b->first[d] || a->weight[d] < b->weight[d] ||
        a->weight[d] > b->weight[d])
      return 0;
  return 1;
}
