/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cpu backend: complete, on host memory. */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_cpu;

typedef enum { LAC_CPU_BASELINE, LAC_CPU_V3, LAC_CPU_V4 } LacCpuLevel;

/* The highest level this processor has and LACUNA_CPU_LEVEL (baseline, v3, v4) allows. */
LacCpuLevel lac_cpu_level(void);
