/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the plane kernels for this processor. */
#include "backend/cpu/cpu.h"
#include "backend/cpu/planes/tables.h"

const LacPlaneKernels *
lac_plane_kernels(LacType type)
{
  static const LacPlaneKernels *const kernels[][2] = {
#define L(level) {&lac_plane_kernels_##level##_f32, &lac_plane_kernels_##level##_f64},
    LAC_PLANE_LEVELS(L)
#undef L
  };

  return kernels[lac_cpu_level()][type];
}
