/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of coefficients that are numbers or nodes, and the jet of an equation. */
#include "pde/pde.h"

LacNode
lac_quantity_times(LacQuantity quantity, LacNode x)
{
  return quantity.node.graph ? lac_multiply(quantity.node, x) : lac_scale(x, quantity.value);
}

LacNode
lac_quantity_divide(LacNode x, LacQuantity quantity)
{
  if (quantity.node.graph)
    return lac_multiply(lac_map(quantity.node, LAC_SCALAR_RECIPROCAL), x);
  return lac_scale(x, 1 / quantity.value);
}

LacJet
lac_pde_get_jet(const LacPde *pde)
{
  return lac_jet(pde->n_axes, pde->orders, NULL);
}
