/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the plane kernels: one for each element type and instruction set. */
#pragma once

#include "backend/planes.h"

#ifdef __x86_64__
#  define LAC_PLANE_LEVELS(L) L(baseline) L(v3) L(v4)
#else
#  define LAC_PLANE_LEVELS(L) L(baseline)
#endif

#define L(level)                                                \
  extern const LacPlaneKernels lac_plane_kernels_##level##_f32; \
  extern const LacPlaneKernels lac_plane_kernels_##level##_f64;
LAC_PLANE_LEVELS(L)
#undef L
