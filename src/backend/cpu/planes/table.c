/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plane kernels of one level and type; the build compiles this file once for each. */
#include "backend/cpu/planes/real.h"
#include "backend/cpu/planes/tables.h"

const LacPlaneKernels LAC_PLANE(kernels) = {
  .product = LAC_PLANE(product),
  .dots = LAC_PLANE(dots),
  .transpose = LAC_PLANE(transpose),
  .moments = LAC_PLANE(moments),
  .normalise = LAC_PLANE(normalise),
  .normalise_sums = LAC_PLANE(normalise_sums),
  .normalise_reverse = LAC_PLANE(normalise_reverse),
  .bound = LAC_PLANE(bound),
  .accumulate = LAC_PLANE(accumulate),
  .adam = LAC_PLANE(adam),
  .adam_rank_one = LAC_PLANE(adam_rank_one),
};
