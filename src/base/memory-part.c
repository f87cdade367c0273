/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory-part.h"

#include <glib/gi18n-lib.h>

#include <stdatomic.h>

static atomic_size_t in_use[LAC_N_MEMORY_PARTS];

void
lac_memory_claim(LacMemoryClaim *claim, LacMemoryPart part, gsize n_bytes)
{
  claim->bytes[part] += n_bytes;
  atomic_fetch_add_explicit(&in_use[part], n_bytes, memory_order_relaxed);
}

void
lac_memory_unclaim(LacMemoryClaim *claim)
{
  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++)
    atomic_fetch_sub_explicit(&in_use[i], claim->bytes[i], memory_order_relaxed);
  *claim = (LacMemoryClaim){{0}};
}

gsize
lac_memory_part_get_bytes(LacMemoryPart part)
{
  g_return_val_if_fail(part < LAC_N_MEMORY_PARTS, 0);
  return atomic_load_explicit(&in_use[part], memory_order_relaxed);
}

static const struct {
  const char *key, *name;
} parts[LAC_N_MEMORY_PARTS] = {
  [LAC_MEMORY_PARAMETERS] = {"parameters", N_("Parameters")},
  [LAC_MEMORY_GRADIENTS] = {"gradients", N_("Gradients")},
  [LAC_MEMORY_OPTIMISER] = {"optimiser", N_("Optimiser state")},
  [LAC_MEMORY_ACTIVATIONS] = {"activations", N_("Activations")},
  [LAC_MEMORY_TRANSFORMS] = {"transforms", N_("Fourier transforms")},
  [LAC_MEMORY_STATES] = {"states", N_("States, ensembles and walkers")},
  [LAC_MEMORY_DATA] = {"data", N_("True field and measurements")},
};

const char *
lac_memory_part_get_key(LacMemoryPart part)
{
  g_return_val_if_fail(part < LAC_N_MEMORY_PARTS, NULL);
  return parts[part].key;
}

const char *
lac_memory_part_get_name(LacMemoryPart part)
{
  g_return_val_if_fail(part < LAC_N_MEMORY_PARTS, NULL);
  return parts[part].name;
}
