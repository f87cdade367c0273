/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the cpu backend: memory, layers, Fourier transforms, and kernels from the loops of this processor's
 * level. */
#define _DEFAULT_SOURCE /* madvise */
#include "backend/cpu/cpu.h"

#include "backend/cpu/cpu-private.h"
#include "backend/cpu/electrons/electrons.h"
#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/planes/layers.h"
#include "backend/cpu/plans.h"
#include "backend/dense.h"

#include <glib.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- layers ---- */

/* Own kernels where they serve, else composed of linear and map_jet, for any formula, jet and type;
 * composed, `saved` holds z. */

/* NULL: not available at this processor's level. */
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

static size_t
cpu_layer_pack_bytes(void *self, const LacLayer *args)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);

  if (!kernels)
    return 0;
  return lac_layer_kernels_pack_length(kernels, args->n_in, args->n_out) *
         lac_type_size(args->type);
}

static LacStatus
cpu_layer_pack(void *self, const LacLayer *args, void *w_forward, void *w_reverse)
{
  const LacLayerKernels *kernels = serving_kernels(self, args);

  if (kernels)
    kernels->pack(args, w_forward, w_reverse);
  return LAC_STATUS_OK;
}

static size_t
cpu_layer_work_bytes(void *self, const LacLayer *args)
{
  return 0;
}

static LacStatus
cpu_layer(void *self, const LacLayer *args)
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

static LacStatus
cpu_layer_reverse(void *self, const LacLayer *args)
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

/* ---- Fourier transforms ---- */

/* Batched 2-D real transforms with FFTW: one plan for one transform, executed over the batch, so that callers may
 * split a batch over threads with bitwise identical results. */

static LacStatus
cpu_fft_prepare(void *self, const LacFft *args)
{
  return lac_fft_plans_prepare(args->type, args->nx, args->ny) ? LAC_STATUS_OK
                                                               : LAC_STATUS_OUT_OF_MEMORY;
}

/* Checks alignment: FFTW plans are valid for pointers of the alignment they were made for. */
static LacStatus
check(const LacFftPlans *plans, const LacFft *args)
{
  if (!plans)
    return LAC_STATUS_UNSUPPORTED;
  if (plans->any_alignment)
    return LAC_STATUS_OK;
  if (fftw_alignment_of(args->real) || fftw_alignment_of(args->spectrum))
    return LAC_STATUS_BAD_POINTER;
  return LAC_STATUS_OK;
}

static void
run_forward(const LacFftPlans *plans, const LacFft *args)
{
  const size_t n_real = args->ny * args->nx, n_spectrum = args->ny * (args->nx / 2 + 1);

  for (size_t b = 0; b < args->n_batch; b++)
    if (args->type == LAC_F32)
      fftwf_execute_dft_r2c(plans->forward_f32, (float *) args->real + b * n_real,
                            (fftwf_complex *) args->spectrum + b * n_spectrum);
    else
      fftw_execute_dft_r2c(plans->forward_f64, (double *) args->real + b * n_real,
                           (fftw_complex *) args->spectrum + b * n_spectrum);
}

static void
run_inverse(const LacCpu *cpu, const LacFftPlans *plans, const LacFft *args)
{
  const size_t       n_real = args->ny * args->nx, n_spectrum = args->ny * (args->nx / 2 + 1);
  const LacCpuLoops *loops = cpu->loops[args->type];

  for (size_t b = 0; b < args->n_batch; b++) {
    char *real = (char *) args->real + b * n_real * lac_type_size(args->type);

    if (args->type == LAC_F32)
      fftwf_execute_dft_c2r(plans->inverse_f32, (fftwf_complex *) args->spectrum + b * n_spectrum,
                            (float *) real);
    else
      fftw_execute_dft_c2r(plans->inverse_f64, (fftw_complex *) args->spectrum + b * n_spectrum,
                           (double *) real);
    if (!args->unscaled)
      loops->scale(real, 1.0 / (double) n_real, n_real);
  }
}

static LacStatus
cpu_fft_forward(void *self, const LacFft *args)
{
  const LacFftPlans *plans = lac_fft_plans_find(args->type, args->nx, args->ny);
  const LacStatus    status = check(plans, args);

  if (status == LAC_STATUS_OK)
    run_forward(plans, args);
  return status;
}

static LacStatus
cpu_fft_inverse(void *self, const LacFft *args)
{
  const LacFftPlans *plans = lac_fft_plans_find(args->type, args->nx, args->ny);
  const LacStatus    status = check(plans, args);

  if (status == LAC_STATUS_OK)
    run_inverse(self, plans, args);
  return status;
}

/* Transforms without cached plans. */
static LacStatus
cpu_fft_prepare_nothing(void *self, const LacFft *args)
{
  return LAC_STATUS_OK;
}

static LacStatus
cpu_fft_forward_planning(void *self, const LacFft *args)
{
  LacFftPlans plans = {0};

  if (!lac_fft_plans_estimate(args->type, args->nx, args->ny, &plans))
    return LAC_STATUS_OUT_OF_MEMORY;
  run_forward(&plans, args);
  lac_fft_plans_forget(&plans);
  return LAC_STATUS_OK;
}

static LacStatus
cpu_fft_inverse_planning(void *self, const LacFft *args)
{
  LacFftPlans plans = {0};

  if (!lac_fft_plans_estimate(args->type, args->nx, args->ny, &plans))
    return LAC_STATUS_OUT_OF_MEMORY;
  run_inverse(self, &plans, args);
  lac_fft_plans_forget(&plans);
  return LAC_STATUS_OK;
}

/* ---- memory, loops and the table ---- */

#define HUGE_PAGE ((size_t) 2 << 20)
#define ALIGNMENT ((size_t) 64)

static LacStatus
open_level(void **self, LacCpuLevel level)
{
  static const LacCpuLoops *const loops[][2] = {
#define L(level) {&lac_cpu_loops_##level##_f32, &lac_cpu_loops_##level##_f64},
    LAC_CPU_LEVELS(L)
#undef L
  };
  LacCpu *cpu = g_new(LacCpu, 1);

  cpu->level = level;
  memcpy(cpu->loops, loops[cpu->level], sizeof cpu->loops);
  *self = cpu;
  return LAC_STATUS_OK;
}

static LacStatus
cpu_open(void **self, int device)
{
  return open_level(self, lac_cpu_level());
}

static void
cpu_close(void *self)
{
  g_free(self);
}

/* Touches the pages, so that no step takes a page fault. */
static LacStatus
cpu_alloc(void *self, size_t n_bytes, void **memory)
{
  const size_t alignment = n_bytes >= HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;

  *memory = NULL;
  if (n_bytes > SIZE_MAX / 2 || posix_memalign(memory, alignment, MAX(n_bytes, ALIGNMENT)) != 0)
    return LAC_STATUS_OUT_OF_MEMORY;
  if (alignment == HUGE_PAGE)
    madvise(*memory, n_bytes, MADV_HUGEPAGE);
  memset(*memory, 0, n_bytes);
  return LAC_STATUS_OK;
}

static void
cpu_release(void *self, void *memory)
{
  free(memory);
}

static LacStatus
cpu_copy(void *self, void *to, const void *from, size_t n_bytes)
{
  if (n_bytes)
    memcpy(to, from, n_bytes);
  return LAC_STATUS_OK;
}

static LacStatus
cpu_synchronise(void *self)
{
  return LAC_STATUS_OK;
}

static LacStatus
cpu_fill(void *self, LacType type, void *y, double value, size_t n)
{
  ((LacCpu *) self)->loops[type]->fill(y, value, n);
  return LAC_STATUS_OK;
}

static LacStatus
cpu_product(void *self, const LacProduct *args)
{
  lac_dense_gemm(args->transpose_a, args->transpose_b, args->m, args->n, args->k, args->alpha,
                 args->a, args->a_row, args->b, args->b_row, args->beta, args->y, args->y_row);
  return LAC_STATUS_OK;
}

/* Kernels that are a single loop. */
#define LAC_CPU_KERNELS(K)          \
  K(strided, LacStrided)            \
  K(map_jet, LacMapJet)             \
  K(map_jet_reverse, LacMapJet)     \
  K(mul_jet, LacMulJet)             \
  K(mul_jet_reverse, LacMulJet)     \
  K(linear, LacLinear)              \
  K(linear_reverse, LacLinear)      \
  K(dot, LacDot)                    \
  K(matvec, LacMatvec)              \
  K(rank_update, LacRankUpdate)     \
  K(adam, LacAdam)                  \
  K(vorticity_derive, LacVorticity) \
  K(vorticity_advect, LacVorticity) \
  K(rk4_stage, LacRk4Stage)         \
  K(combine, LacCombine)            \
  K(correlate, LacCorrelate)        \
  K(polynomial, LacPolynomial)      \
  K(polynomial_reverse, LacPolynomial)

#define K(name, Args)                                       \
  static LacStatus cpu_##name(void *self, const Args *args) \
  {                                                         \
    ((LacCpu *) self)->loops[args->type]->name(args);       \
    return LAC_STATUS_OK;                                   \
  }
LAC_CPU_KERNELS(K)
#undef K

const LacBackend lac_backend_cpu = {
  .abi = LAC_BACKEND_ABI,
  .name = "cpu",
  .what = "CPU, with vector instructions selected at run time",
  .tile_points = 32,
  .concurrent = 1,
  .open = cpu_open,
  .close = cpu_close,
  .alloc = cpu_alloc,
  .release = cpu_release,
  .upload = cpu_copy,
  .download = cpu_copy,
  .synchronise = cpu_synchronise,
  .fill = cpu_fill,
#define K(name, Args) .name = cpu_##name,
  LAC_CPU_KERNELS(K)
#undef K
    .product = cpu_product,
  .layer_pack_bytes = cpu_layer_pack_bytes,
  .layer_pack = cpu_layer_pack,
  .layer_work_bytes = cpu_layer_work_bytes,
  .layer = cpu_layer,
  .layer_reverse = cpu_layer_reverse,
  .fft_prepare = cpu_fft_prepare,
  .fft_forward = cpu_fft_forward,
  .fft_inverse = cpu_fft_inverse,
  .planes = &lac_cpu_plane_layers,
  .waves = &lac_cpu_waves,
  .electrons = &lac_cpu_electrons,
};

LacStatus
lac_cpu_open(LacDevice *device, const LacCpuOptions *options)
{
  static LacBackend planning;
  static gsize      once = 0;

  if (g_once_init_enter(&once)) {
    planning = lac_backend_cpu;
    planning.fft_prepare = cpu_fft_prepare_nothing;
    planning.fft_forward = cpu_fft_forward_planning;
    planning.fft_inverse = cpu_fft_inverse_planning;
    g_once_init_leave(&once, 1);
  }
  *device = (LacDevice){options->plans_every_call ? &planning : &lac_backend_cpu, NULL};
  return open_level(&device->self, MIN(options->most, lac_cpu_level()));
}
