/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values, local energies and moves of walkers of electrons: one walker per block, entirely in shared memory if it
 * fits. */
#include "cuda/electron-answer.cuh"
#include "cuda/electron-moves.cuh"

static const unsigned block_size = 256;

/* ---- memory layout of a walker ---- */

static Index
take(size_t *used, size_t n)
{
  const size_t first = *used;

  *used += (n + 3) / 4 * 4; /* aligned for loads of four */
  return (Index) first;
}

static size_t
widest(const size_t *widths, size_t n)
{
  size_t most = 0;

  for (size_t l = 0; l <= n; l++)
    most = widths[l] > most ? widths[l] : most;
  return most;
}

static void
plan_doubles(WalkerPlan *plan, const LacElectronShape *shape, LacElectronArea kind)
{
  const size_t n = shape->n_electrons, matrices = 2 * shape->n_determinants;
  const bool   jet = kind == LAC_ELECTRON_LOCAL;
  size_t       used = 0;

  plan->position = take(&used, 3 * n);
  plan->pair_distance = take(&used, n * n);
  plan->gradient = take(&used, 3 * n);
  plan->partial = take(&used, 3 * n + 1);
  plan->det = take(&used, matrices);
  plan->scale = take(&used, matrices);
  plan->cofactor = take(&used, kind != LAC_ELECTRON_VALUE ? matrices * n * n : 0);
  plan->first = take(&used, jet ? matrices * 3 * n : 0);
  plan->second = take(&used, jet ? matrices * (3 * n + 1) : 0);
  plan->elimination = take(&used, walker_warps * 2 * n * n);
  plan->held = take(&used, 3 * n);
  plan->proposed = take(&used, 3 * n);
  plan->noise = take(&used, 3 * n + 1);
  plan->cost = take(&used, n);
  plan->state = take(&used, 2);
  plan->n_doubles = (Index) used;
}

/* Plans the saved layers and the bars of the reverse. */
static void
plan_kept(WalkerPlan *plan, const LacElectronShape *shape, size_t *used)
{
  const size_t n = shape->n_electrons, row = n * shape->most_columns;
  const size_t d = widest(shape->one, shape->n_layers);
  const size_t e = widest(shape->pair, shape->n_layers - 1);

  for (size_t l = 0; l <= shape->n_layers; l++) {
    plan->kept_one[l] = take(used, n * shape->one[l]);
    if (l < shape->n_layers) {
      plan->kept_pair[l] = take(used, n * n * shape->pair[l]);
      plan->slope_one[l] = take(used, n * shape->one[l + 1]);
      plan->slope_pair[l] = take(used, n * n * shape->pair[l + 1]);
    }
  }
  plan->linear = take(used, row);
  plan->phi_bar = take(used, row);
  plan->orbital = take(used, row);
  for (int i = 0; i < 2; i++) {
    plan->back_one[i] = take(used, n * d);
    plan->back_pair[i] = take(used, n * n * e);
  }
  plan->back_mean = take(used, shape->n_channels * d);
}

static void
plan_numbers(WalkerPlan *plan, const LacElectronShape *shape, LacElectronArea kind)
{
  const bool   jet = kind == LAC_ELECTRON_LOCAL;
  const size_t n = shape->n_electrons, n_rows = plan->n_rows, pair_rows = jet ? PAIR_JET : 1;
  const size_t d = widest(shape->one, shape->n_layers);
  const size_t e = widest(shape->pair, shape->n_layers - 1);
  size_t       used = 0;

  plan->distance = take(&used, n * shape->n_nuclei);
  plan->direction = take(&used, jet ? 3 * n * shape->n_nuclei : 0);
  for (int i = 0; kind != LAC_ELECTRON_DERIVATIVES && i < 2; i++) {
    plan->one[i] = take(&used, n * n_rows * d);
    plan->pair[i] = take(&used, n * n * pair_rows * e);
  }
  if (kind == LAC_ELECTRON_DERIVATIVES)
    plan_kept(plan, shape, &used);
  plan->shared = take(&used, n_rows * d);
  plan->among = take(&used, n * n_rows * shape->n_channels * e);
  plan->phi = take(&used, n_rows * n * shape->most_columns);
  plan->n_numbers = (Index) used;
}

static void
copy_sizes(Index *to, const size_t *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (Index) from[i];
}

WalkerShape
walker_shape(const LacElectronShape *from)
{
  WalkerShape to = {};

  to.n_electrons = (Index) from->n_electrons;
  to.n_nuclei = (Index) from->n_nuclei;
  to.n_layers = (Index) from->n_layers;
  to.n_determinants = (Index) from->n_determinants;
  to.n_channels = (Index) from->n_channels;
  to.most_columns = (Index) from->most_columns;
  to.alpha = (Index) from->alpha;
  to.n_params = (Index) from->n_params;
#define COPY(field) copy_sizes(to.field, from->field, sizeof to.field / sizeof *to.field)
  COPY(first), COPY(n), COPY(n_orbitals), COPY(n_columns), COPY(one), COPY(pair), COPY(layer);
  COPY(pairs), COPY(orbital), COPY(amplitude), COPY(decay);
#undef COPY
  to.full_determinant = from->full_determinant;
  to.jastrow = from->jastrow;
  to.rescale = from->rescale;
  return to;
}

WalkerPlan
walker_plan(const LacElectronShape *shape, LacType type, LacElectronArea kind)
{
  WalkerPlan plan = {};

  plan.n_rows = kind == LAC_ELECTRON_LOCAL ? (Index) (3 * shape->n_electrons + FIRST_TANGENT) : 1;
  plan_doubles(&plan, shape, kind);
  plan_numbers(&plan, shape, kind);
  plan.n_bytes = plan.n_doubles * sizeof(double) + plan.n_numbers * lac_type_size(type);
  plan.n_bytes = (plan.n_bytes + 15) / 16 * 16;
  return plan;
}

/* ---- number of blocks, and their memory ---- */

static const size_t most_shared_bytes = (size_t) 96
                                        << 10; /* lets two or more blocks fit a multiprocessor */
static const size_t blocks_a_processor = 8;
static const size_t least_wide = 128; /* outputs of a layer */

static int
attribute_of(const CudaDevice *device, cudaDeviceAttr attribute)
{
  int value = 0;

  cudaDeviceGetAttribute(&value, attribute, device->device);
  return value;
}

/* Returns as many threads as the widest layer has work for. */
static unsigned
threads_for(const LacElectronShape *shape)
{
  const size_t outputs = shape->n_electrons * ((widest(shape->one, shape->n_layers) + 1) / 2);
  const size_t wanted = (outputs + 31) / 32 * 32;

  return wanted < walker_threads ? (unsigned) wanted : walker_threads;
}

WalkerGrid
walker_grid(const CudaDevice *device, const LacElectronBatch *batch, size_t n_bytes)
{
  const size_t room = (size_t) attribute_of(device, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const size_t processors = (size_t) attribute_of(device, cudaDevAttrMultiProcessorCount);
  const size_t most = processors * blocks_a_processor, n = batch->n;

  if (n_bytes <= room && n_bytes <= most_shared_bytes)
    return {(unsigned) n, threads_for(batch->shape), n_bytes, 0};
  return {(unsigned) (n < most ? n : most), walker_threads, 0, n_bytes};
}

/* ---- kernels ---- */

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads,
                  walker_blocks) static void walkers_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            LacElectronAnswer             out)
{
  LAC_DYNAMIC_SHARED(double, shared);
  const Walker<Real> w = walker_of<Real>(a, shared);
  const size_t       n = 3 * a.shape.n_electrons;

  for (size_t b = blockIdx.x; b < a.n; b += gridDim.x) {
    run_network<JET>(w, a.positions + b * n);
    answer_walker<JET>(w, a, b, out);
    __syncthreads();
  }
}

template <typename Real, bool JET>
static LacStatus
run_walkers(CudaDevice *device, const LacElectronBatch *batch, const LacElectronAnswer *out)
{
  return launch_walkers(device, batch, JET ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE,
                        walkers_kernel<Real, JET>, *out);
}

WideWalkers
find_wide(const CudaDevice *device, const LacElectronBatch *batch, LacElectronArea kind)
{
  const WalkerPlan plan = walker_plan(batch->shape, batch->type, kind);
  const WalkerGrid grid = walker_grid(device, batch, plan.n_bytes);
  const bool       is_wide =
    grid.area_bytes && widest(batch->shape->one, batch->shape->n_layers) >= least_wide;

  return {is_wide, walker_args(batch, plan, grid), grid.n_blocks};
}

template <typename Real>
static LacStatus
run_value(CudaDevice *device, const LacElectronBatch *batch, const LacElectronAnswer *out)
{
  return run_walkers<Real, false>(device, batch, out);
}

template <typename Real>
static LacStatus
run_local(CudaDevice *device, const LacElectronBatch *batch, const LacElectronAnswer *out)
{
  return run_walkers<Real, true>(device, batch, out);
}

/* Performs all moves of a walker in one block. */
template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads,
                  walker_blocks) static void moves_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                          LacElectronMoves              moves)
{
  LAC_DYNAMIC_SHARED(double, shared);
  const Walker<Real> w = walker_of<Real>(a, shared);

  take_walk(&moves);
  for (size_t b = blockIdx.x; b < a.n; b += gridDim.x) {
    uint32_t n_accepted = 0;

    load_walker<JET>(w, moves, b);
    for (unsigned k = 0; k < moves.n_moves; k++) {
      const Draw draw = propose_move(w, moves, b, moves.step + k);

      run_network<JET>(w, w.doubles + a.plan.proposed);
      n_accepted += decide_move<JET>(w, moves, draw);
    }
    store_walker<JET>(w, moves, b, n_accepted);
  }
}

template <typename Real, bool JET>
static LacStatus
run_kind_of_moves(CudaDevice *device, const LacElectronBatch *batch, const LacElectronMoves *moves)
{
  return launch_walkers(device, batch, JET ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE,
                        moves_kernel<Real, JET>, *moves);
}

template <typename Real>
static LacStatus
run_move(CudaDevice *device, const LacElectronBatch *batch, const LacElectronMoves *moves)
{
  return moves->proposal == LAC_PROPOSAL_LANGEVIN
           ? run_kind_of_moves<Real, true>(device, batch, moves)
           : run_kind_of_moves<Real, false>(device, batch, moves);
}

static LacStatus
move_cuda(void *self, const LacElectronBatch *batch, const LacElectronMoves *moves)
{
  const bool        drifts = moves->proposal == LAC_PROPOSAL_LANGEVIN;
  const WideWalkers wide =
    find_wide(device_of(self), batch, drifts ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE);

  if (wide.is_wide)
    return run_wide_moves(device_of(self), batch, wide, moves);
  return LAC_BY_TYPE(batch->type, run_move, device_of(self), batch, moves);
}

/* Entry that computes wide walkers apart. */
#define ANSWER(name, kind)                                                                   \
  static LacStatus name##_cuda(void *self, const LacElectronBatch *batch,                    \
                               const LacElectronAnswer *out)                                 \
  {                                                                                          \
    const WideWalkers wide = find_wide(device_of(self), batch, kind);                        \
                                                                                             \
    return wide.is_wide ? run_wide_##name(device_of(self), batch, wide, out)                 \
                        : LAC_BY_TYPE(batch->type, run_##name, device_of(self), batch, out); \
  }
ANSWER(value, LAC_ELECTRON_VALUE)
ANSWER(local, LAC_ELECTRON_LOCAL)
#undef ANSWER

static size_t
bytes_cuda(void *self, const LacElectronBatch *batch, LacElectronArea area)
{
  const size_t element = lac_type_size(batch->type);

  switch (area) {
  case LAC_ELECTRON_WEIGHTS: return batch->shape->n_params * element;
  case LAC_ELECTRON_TAPE: return batch->n * batch->shape->n_params * element;
  case LAC_ELECTRON_CONTRACTION: return 0;
  case LAC_ELECTRON_GRAM: return batch->n * batch->n * element;
  case LAC_ELECTRON_SOLVE: return solve_bytes_cuda(self, batch->n);
  default: break;
  }
  const WalkerPlan plan = walker_plan(batch->shape, batch->type, area);
  const WalkerGrid grid = walker_grid(device_of(self), batch, plan.n_bytes);

  return grid.n_blocks * grid.area_bytes;
}

template <typename Real>
__global__ static void
pack_kernel(const double *theta, size_t n, Real *weights)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    weights[i] = (Real) theta[i];
}

template <typename Real>
static LacStatus
pack(CudaDevice *device, const LacElectronBatch *batch)
{
  const size_t n = batch->shape->n_params;

  return launch_each(pack_kernel<Real>, n, block_size, device->stream, batch->theta, n,
                     static_cast<Real *>(batch->weights));
}

static LacStatus
pack_cuda(void *self, const LacElectronBatch *batch)
{
  return LAC_BY_TYPE(batch->type, pack, device_of(self), batch);
}

const LacDeviceElectrons electrons_cuda = {
  1,
  bytes_cuda,
  pack_cuda,
  value_cuda,
  local_cuda,
  move_cuda,
  orbitals_cuda,
  derivatives_cuda,
  pull_cuda,
  push_cuda,
  gram_cuda,
  solve_cuda,
  adapt_cuda,
  energies_cuda,
  clip_cuda,
  reseed_cuda,
  centre_cuda,
  remember_cuda,
  conclude_cuda,
  count_cuda,
  descend_cuda,
  NULL,
};
