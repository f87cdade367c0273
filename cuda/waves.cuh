/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the wave kernels. */
#pragma once

#include "backend/waves.h"
#include "cuda/planes.cuh"

#define K(name, Args) LacStatus waves_##name##_cuda(void *self, const Args *args);
LAC_WAVE_KERNELS(K)
#undef K

const LacWaveKernels *waves_cuda(void);
