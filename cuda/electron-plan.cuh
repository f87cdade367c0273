/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launching kernels of walkers: their arguments, and each block's work area. */
#pragma once

#include "cuda/electrons.cuh"

/* Arguments are read in place, not copied by every thread. */
#ifdef __CUDACC__
#  define LAC_IN_PLACE __grid_constant__
#else
#  define LAC_IN_PLACE
#endif

/* All arguments of a kernel. */
struct WalkerArgs {
  WalkerShape   shape;
  WalkerPlan    plan;
  const double *nuclei, *theta, *positions;
  const void   *weights;
  size_t        n;
  char         *areas; /* one per block, area_bytes apart; NULL: in shared memory */
  size_t        area_bytes;
};

struct WalkerGrid {
  unsigned n_blocks, n_threads;
  size_t   shared_bytes, area_bytes; /* one of them is 0 */
};

WalkerShape walker_shape(const LacElectronShape *shape);
WalkerPlan  walker_plan(const LacElectronShape *shape, LacType type, LacElectronArea kind);
WalkerGrid  walker_grid(const CudaDevice *device, const LacElectronBatch *batch, size_t n_bytes);

/* electron-derivatives.cu */
LacStatus orbitals_cuda(void *self, const LacElectronBatch *batch, const LacElectronOrbitals *out);
LacStatus derivatives_cuda(void *self, const LacElectronBatch *batch, const LacElectronTape *tape);
LacStatus pull_cuda(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
LacStatus push_cuda(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
LacStatus gram_cuda(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);

/* Walkers for which cuBLAS multiplies: those with wide layers that do not fit in shared memory. */
struct WideWalkers {
  bool       is_wide;
  WalkerArgs all;
  size_t     at_once; /* areas in device memory */
};

WideWalkers
find_wide(const CudaDevice *device, const LacElectronBatch *batch, LacElectronArea kind);

/* electron-wide.cu */
LacStatus run_wide_value(CudaDevice              *device,
                         const LacElectronBatch  *batch,
                         const WideWalkers       &wide,
                         const LacElectronAnswer *out);
LacStatus run_wide_local(CudaDevice              *device,
                         const LacElectronBatch  *batch,
                         const WideWalkers       &wide,
                         const LacElectronAnswer *out);
LacStatus run_wide_moves(CudaDevice             *device,
                         const LacElectronBatch *batch,
                         const WideWalkers      &wide,
                         const LacElectronMoves *moves);
LacStatus run_wide_derivatives(CudaDevice             *device,
                               const LacElectronBatch *batch,
                               const WideWalkers      &wide,
                               const LacElectronTape  *tape);

/* solve.cu */
size_t    solve_bytes_cuda(void *self, size_t n);
LacStatus solve_cuda(void *self, const LacElectronSolve *args);

/* electron-iteration.cu */
LacStatus adapt_cuda(void *self, const LacElectronBatch *batch, const LacElectronAdapt *args);
LacStatus energies_cuda(void *self, const LacElectronBatch *batch, const LacElectronEnergies *args);
LacStatus clip_cuda(void *self, const LacElectronBatch *batch, const LacElectronClip *args);
LacStatus reseed_cuda(void *self, const LacElectronBatch *batch, const LacElectronReseed *args);
LacStatus centre_cuda(void *self, const LacElectronBatch *batch, const LacElectronCentre *args);
LacStatus remember_cuda(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
LacStatus conclude_cuda(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
LacStatus count_cuda(void *self, const LacElectronBatch *batch, const LacElectronCount *args);
LacStatus descend_cuda(void *self, const LacElectronBatch *batch, const LacElectronDescend *args);

static inline WalkerArgs
walker_args(const LacElectronBatch *batch, const WalkerPlan &plan, const WalkerGrid &grid)
{
  return {walker_shape(batch->shape),
          plan,
          batch->nuclei,
          batch->theta,
          batch->positions,
          batch->weights,
          batch->n,
          grid.area_bytes ? static_cast<char *>(batch->work) : NULL,
          grid.area_bytes};
}

template <typename Real>
__device__ static inline Walker<Real>
walker_of(const WalkerArgs &a, double *shared)
{
  double *area = a.areas ? reinterpret_cast<double *>(a.areas + blockIdx.x * a.area_bytes) : shared;

  return {&a.shape,
          &a.plan,
          a.nuclei,
          a.theta,
          static_cast<const Real *>(a.weights),
          area,
          reinterpret_cast<Real *>(area + a.plan.n_doubles)};
}

/* Computes the orbitals from the positions. */
template <bool JET, typename Real>
__device__ static void
run_network(const Walker<Real> &w, const double *position)
{
  const WalkerPlan &plan = *w.plan;
  Index             now = 0;

  find_inputs<JET>(w, position, w.numbers + plan.one[0], w.numbers + plan.pair[0]);
  for (Index l = 0; l < w.shape->n_layers; l++, now = 1 - now)
    run_layer<JET>(w, l, w.numbers + plan.one[now], w.numbers + plan.pair[now],
                   w.numbers + plan.one[1 - now], w.numbers + plan.among,
                   w.numbers + plan.one[1 - now], w.numbers + plan.pair[1 - now], {NULL, NULL});
  find_orbitals<JET>(w, w.numbers + plan.one[now], (Real *) NULL);
}

/* Launches a kernel of walkers in as many blocks as areas for that kind of task. */
#define launch_walkers(device, batch, kind, kernel, ...) \
  (name_launch(#kernel), launch_walkers_kernel(device, batch, kind, kernel, __VA_ARGS__))

template <typename... Parameters, typename... Arguments>
static inline LacStatus
launch_walkers_kernel(CudaDevice             *device,
                      const LacElectronBatch *batch,
                      LacElectronArea         kind,
                      void (*kernel)(WalkerArgs, Parameters...),
                      Arguments... more)
{
  const WalkerPlan plan = walker_plan(batch->shape, batch->type, kind);
  const WalkerGrid grid = walker_grid(device, batch, plan.n_bytes);

  return launch_kernel(kernel, grid.n_blocks, grid.n_threads, grid.shared_bytes, device->stream,
                       walker_args(batch, plan, grid), more...);
}

/* Table entry that calls run_NAME for either type. */
#define LAC_WALKERS_BY_TYPE(name, Args)                                        \
  name##_cuda(void *self, const LacElectronBatch *batch, const Args *args)     \
  {                                                                            \
    return LAC_BY_TYPE(batch->type, run_##name, device_of(self), batch, args); \
  }
