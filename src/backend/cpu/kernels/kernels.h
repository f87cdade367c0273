/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of the fused layer: one table for each element type and vector instruction set. */
#pragma once

#include "backend/backend.h"

/* Only tanh over jets of at most second order is supported; see lac_layer_kernels_serve(). A layer's `saved` holds
 * sign(z) (1 - |tanh z|) in the value row, from which both tanh z and sech^2 z follow without cancellation. */
typedef struct {
  size_t n_panel; /* columns of a packed panel; a partial one is padded with zeros */
  void (*pack)(const LacLayer *args, void *w_forward, void *w_reverse);
  void (*layer)(const LacLayer *args);
  void (*layer_reverse)(const LacLayer *args);
  /* t[i] = tanh(x[i]), s[i] = 1 / cosh^2(x[i]), i < n */
  void (*tanh_array)(size_t n, const void *x, void *t, void *s);
} LacLayerKernels;

#ifdef __x86_64__
extern const LacLayerKernels lac_layer_kernels_v3_f32, lac_layer_kernels_v3_f64;
extern const LacLayerKernels lac_layer_kernels_v4_f32, lac_layer_kernels_v4_f64;
#endif

static inline int
lac_layer_kernels_serve(const LacLayer *args)
{
  if (args->scalar != LAC_SCALAR_TANH)
    return 0;
  for (unsigned d = 0; d < args->jet->n_directions; d++)
    if (args->jet->order[d] > 2)
      return 0;
  return 1;
}

/* Returns the number of elements of the larger of the two packed copies of w. */
static inline size_t
lac_layer_kernels_pack_length(const LacLayerKernels *kernels, size_t n_in, size_t n_out)
{
  const size_t n = kernels->n_panel;
  const size_t forward = (n_out + n - 1) / n * n * n_in, reverse = (n_in + n - 1) / n * n * n_out;

  return forward > reverse ? forward : reverse;
}
