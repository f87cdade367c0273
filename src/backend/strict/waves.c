/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waves of the strict backend, over a device with kernels for them; their rows are in operands.def. */
#include "backend/strict/operands.h"

/* Scan positions up to the last one that a slot refers to. An unused slot is -1 with `rests` 0 or 1: both -1 would be
 * unwritten memory. */
static size_t
count_visits(LacStrictCheck *check, const LacWaveSlot *at, size_t n_slots)
{
  const LacWaveSlot *slots = lac_strict_look(check, at, n_slots * sizeof *slots);
  size_t             n = 0;

  for (size_t i = 0; slots && i < n_slots; i++)
    if (slots[i].visit >= 0)
      n = MAX(n, (size_t) slots[i].visit + 1);
  return n;
}

#define KERNEL(name, Args, may_be_in_place, rows) \
  LAC_STRICT_PART(waves, name, Args, may_be_in_place, rows)

#define LAC_STRICT_WAVES
#include "backend/strict/operands.def"

static LacStatus
strict_prepare(void *self, const LacWaveTransform *args)
{
  const LacStrict *strict = self;
  LacWaveTransform real = *args;

  real.data = NULL; /* a plan depends on the shape only */
  return strict->recording ? LAC_STATUS_RECORDING
                           : strict->below.table->waves->prepare(strict->below.self, &real);
}

const LacWaveKernels lac_strict_waves = {
#define K(name, Args) .name = strict_##name,
  LAC_WAVE_KERNELS(K)
#undef K
};
