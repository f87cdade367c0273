/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the cpu backend share. */
#pragma once

#include "backend/cpu/cpu.h"
#include "backend/cpu/loops/loops.h"

/* An opened cpu backend: immutable, so that any thread may use it. */
typedef struct {
  LacCpuLevel        level;
  const LacCpuLoops *loops[2]; /* by LacType */
} LacCpu;
