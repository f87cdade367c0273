/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that the files of the waves share. */
#pragma once

#include "backend/cpu/waves/loops.h"
#include "base/pool.h"

/* Returns the loops selected for this processor. */
const LacWaveLoops *lac_cpu_wave_loops(LacType type);

/* Runs @func for each item, in @pool unless it is NULL. */
void lac_cpu_wave_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data);

/* Returns stop @along of a slot in use, with its place in the fields. */
LacWaveStop lac_cpu_wave_stop(const LacWaves *args, gsize slot, gsize along);

static inline gpointer
lac_cpu_wave_pair(LacType type, gpointer pairs, gsize i)
{
  return (guint8 *) pairs + i * 2 * lac_type_size(type);
}

/* Entries of the table. */
LacStatus lac_cpu_wave_survey(void *self, const LacWaveSweep *args);
LacStatus lac_cpu_wave_sweep(void *self, const LacWaveSweep *args);
