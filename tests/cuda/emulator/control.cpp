/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control interface of the emulator for tests, by the module's symbols (tests/cuda/emulated.c). */
#include "limits.h"
#include "stream.h"

extern "C" __attribute__((visibility("default"))) void lac_emulator_set_order(int      order,
                                                                              unsigned seed);
extern "C" __attribute__((visibility("default"))) void lac_emulator_get_counts(EmulatedCounts *all);

extern "C" __attribute__((visibility("default"))) void
lac_emulator_set_faults(const EmulatedFaults *faults);

void
lac_emulator_set_faults(const EmulatedFaults *faults)
{
  lac_emulator::set_faults(*faults);
}

void
lac_emulator_set_order(int order, unsigned seed)
{
  lac_emulator::set_order((lac_emulator::Order) order, seed);
}

void
lac_emulator_get_counts(EmulatedCounts *all)
{
  lac_emulator::Guard guard(lac_emulator::lock());

  *all = lac_emulator::counts();
}
