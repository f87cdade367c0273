/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cpu backend: complete, on host memory. */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_cpu;

typedef enum { LAC_CPU_BASELINE, LAC_CPU_V3, LAC_CPU_V4 } LacCpuLevel;

/* What is left out of the cpu backend, to measure what it is worth. */
typedef struct {
  LacCpuLevel most; /* kernels of a higher level are not used */
  int
    plans_every_call; /* transforms are planned, by estimate, where they are called, and forgotten */
} LacCpuOptions;

/* As lac_device_open() of "cpu", which leaves out nothing. */
LacStatus lac_cpu_open(LacDevice *device, const LacCpuOptions *options);

/* The highest level this processor has and LACUNA_CPU_LEVEL (baseline, v3, v4) allows. */
LacCpuLevel lac_cpu_level(void);
