/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the cpu backend: memory, and kernels that go to the loops of this processor's level. */
#define _DEFAULT_SOURCE /* madvise */
#include "backend/cpu/cpu.h"

#include "backend/cpu/cpu-private.h"
#include "backend/cpu/planes/layers.h"

#include <glib.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* Touched here, so that no step takes a page fault. */
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

/* Kernels that are one loop. */
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
  K(rk4_stage, LacRk4Stage)

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
  .what = "The processor, with vector instructions chosen at run time",
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
    .layer_pack_bytes = lac_cpu_layer_pack_bytes,
  .layer_pack = lac_cpu_layer_pack,
  .layer_work_bytes = lac_cpu_layer_work_bytes,
  .layer = lac_cpu_layer,
  .layer_reverse = lac_cpu_layer_reverse,
  .fft_prepare = lac_cpu_fft_prepare,
  .fft_forward = lac_cpu_fft_forward,
  .fft_inverse = lac_cpu_fft_inverse,
  .planes = &lac_cpu_plane_layers,
};

LacStatus
lac_cpu_open(LacDevice *device, const LacCpuOptions *options)
{
  static LacBackend planning;
  static gsize      once = 0;

  if (g_once_init_enter(&once)) {
    planning = lac_backend_cpu;
    planning.fft_prepare = lac_cpu_fft_prepare_nothing;
    planning.fft_forward = lac_cpu_fft_forward_planning;
    planning.fft_inverse = lac_cpu_fft_inverse_planning;
    g_once_init_leave(&once, 1);
  }
  device->table = options->plans_every_call ? &planning : &lac_backend_cpu;
  return open_level(&device->self, MIN(options->most, lac_cpu_level()));
}
