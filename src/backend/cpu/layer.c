/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layer: own kernels where they serve, else composed of linear and map_jet, for any formula, jet and type;
 * composed, `saved` holds z. */
#include "backend/cpu/cpu-private.h"
#include "backend/cpu/kernels/kernels.h"

/* NULL: this processor's level has none. */
static const LacLayerKernels *
kernels_of(const LacCpu *cpu, LacType type)
{
#ifdef __x86_64__
  static const LacLayerKernels *const kernels[][2] = {
    [LAC_CPU_BASELINE] = {NULL, NULL},
    [LAC_CPU_V3] = {&lac_layer_kernels_v3_f32, &lac_layer_kernels_v3_f64},
    [LAC_CPU_V4] = {&lac_layer_kernels_v4_f32, &lac_layer_kernels_v4_f64},
  };

  return kernels[cpu->level][type];
#else
  return NULL;
#endif
}

static const LacLayerKernels *
serving_kernels(const LacCpu *cpu, const LacLayer *args)
{
  return lac_layer_kernels_serve(args) ? kernels_of(cpu, args->type) : NULL;
}

static LacLinear
linear_of(const LacLayer *args)
{
  return (LacLinear){
    .type = args->type,
    .n_points = args->n_points,
    .n_streams = args->jet->n_streams,
    .n_in = args->n_in,
    .n_out = args->n_out,
    .x = args->x,
    .w = args->w,
    .bias = args->bias,
    .y = args->saved,
    .y_bar = args->y_bar,
    .x_bar = args->x_bar,
    .w_bar = args->w_bar,
    .bias_bar = args->bias_bar,
    .x_bar_fresh = args->x_bar_fresh,
  };
}

static LacMapJet
map_of(const LacLayer *args)
{
  return (LacMapJet){
    .scalar = args->scalar,
    .type = args->type,
    .jet = args->jet,
    .n_points = args->n_points,
    .n_columns = args->n_out,
    .x = args->saved,
  };
}

size_t
lac_cpu_layer_pack_bytes(void *self, const LacLayer *args)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);

  if (!kernels)
    return 0;
  return lac_layer_kernels_pack_length(kernels, args->n_in, args->n_out) *
         lac_type_size(args->type);
}

LacStatus
lac_cpu_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);

  if (kernels)
    kernels->pack(args, w_forward, w_reverse);
  return LAC_STATUS_OK;
}

size_t
lac_cpu_layer_work_bytes(void *self, const LacLayer *args)
{
  return 0;
}

LacStatus
lac_cpu_layer(void *self, const LacLayer *args)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);
  const LacCpuLoops     *loops = ((LacCpu *) self)->loops[args->type];
  LacLinear              linear = linear_of(args);
  LacMapJet              map = map_of(args);

  if (kernels) {
    kernels->layer(args);
    return LAC_STATUS_OK;
  }
  map.y = args->y;
  loops->linear(&linear);
  loops->map_jet(&map);
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_layer_reverse(void *self, const LacLayer *args)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);
  const LacCpuLoops     *loops = ((LacCpu *) self)->loops[args->type];
  LacLinear              linear = linear_of(args);
  LacMapJet              map = map_of(args);

  if (kernels) {
    kernels->layer_reverse(args);
    return LAC_STATUS_OK;
  }
  map.y_bar = args->y_bar;
  map.x_bar = args->y_bar;
  loops->map_jet_reverse(&map);
  loops->linear_reverse(&linear);
  return LAC_STATUS_OK;
}
