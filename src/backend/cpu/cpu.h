/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cpu backend: complete, on host memory. */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_cpu;

typedef enum { LAC_CPU_BASELINE, LAC_CPU_V3, LAC_CPU_V4 } LacCpuLevel;

/* Optimisations of the cpu backend that can be disabled, to measure their gain. */
typedef struct {
  LacCpuLevel most;             /* kernels of a higher level are not used */
  int         plans_every_call; /* plan FFTs by estimate at each call, and destroy the plans */
} LacCpuOptions;

/* Opens the cpu backend with @options; lac_device_open() of "cpu" disables nothing. */
LacStatus lac_cpu_open(LacDevice *device, const LacCpuOptions *options);

/* Returns the highest level that this processor has and LACUNA_CPU_LEVEL (baseline, v3, v4) allows. */
LacCpuLevel lac_cpu_level(void);
