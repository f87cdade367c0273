/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of equations; the build generates the list from the names in meson.build. */
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
