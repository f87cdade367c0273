/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the CPU's layers over planes. */
#include "backend/cpu/planes/layers.h"

const LacPlaneLayers lac_cpu_plane_layers = {
#define K(name, Args) .name = lac_cpu_planes_##name,
  LAC_PLANE_LAYERS(K)
#undef K
    .convolve_scratch = lac_cpu_planes_convolve_scratch,
  .normalise_sums = lac_cpu_planes_normalise_sums,
  .picture_sums = lac_cpu_planes_picture_sums,
};
