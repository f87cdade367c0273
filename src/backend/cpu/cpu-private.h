/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of the cpu backend. */
#pragma once

#include "backend/cpu/cpu.h"
#include "backend/cpu/loops/loops.h"
#include "backend/waves.h"

/* An opened cpu backend: immutable, hence safe in any thread. */
typedef struct {
  LacCpuLevel        level;
  const LacCpuLoops *loops[2]; /* by LacType */
} LacCpu;

extern const LacWaveKernels lac_cpu_waves;
