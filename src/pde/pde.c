/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations there are; the list is made by the build from the names in meson.build. */
#include "pde/pde.h"

#define LAC_PDE(id) extern const LacPde lac_pde_##id;
#include "pde/pde-list.h"
#undef LAC_PDE

static const LacPde *const pdes[] = {
#define LAC_PDE(id) &lac_pde_##id,
#include "pde/pde-list.h"
#undef LAC_PDE
};

const LacPde *const *
lac_pdes(gsize *n_pdes)
{
  *n_pdes = G_N_ELEMENTS(pdes);
  return pdes;
}

const LacPde *
lac_pde_find(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(pdes); i++)
    if (g_str_equal(pdes[i]->name, name))
      return pdes[i];
  return NULL;
}

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
