/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layer kernels of one level and type; the build compiles this file once for each. */
#include "backend/cpu/kernels/layer.inc"

#define TABLE_(level, type) lac_layer_kernels_##level##_##type
#define TABLE(level, type)  TABLE_(level, type)

const LacLayerKernels TABLE(LAC_LEVEL, LAC_TYPE_NAME) = {
  .n_panel = PANEL,
  .pack = kernel_pack,
  .layer = kernel_layer,
  .layer_reverse = kernel_layer_reverse,
  .tanh_array = kernel_tanh_array,
};
