/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks too wide for shared memory: the same stages as in electrons.cu and electron-derivatives.cu, one kernel each over many
 * walkers, with the layers' products by batched cuBLAS calls in between, one walker per batch member. */
#include "cuda/electron-answer.cuh"
#include "cuda/electron-moves.cuh"
#include "cuda/electron-reverse.cuh"

/* ---- products of every walker, row-major: y[rows][f] = x[rows][depth] w[depth][f] + beta y ---- */

template <typename Real> struct Product {
  const Real *x, *w;
  Real       *y;
  size_t      rows, depth, f;
  Real        beta;
  long long   x_step, w_step, y_step; /* from walker to walker */
  bool        turns_x, turns_w;       /* stored as [depth][rows], as [f][depth] */
};

#define CALL_GEMM(Real, gemm)                                                                      \
  static inline cublasStatus_t call_gemm(cublasHandle_t blas, const Product<Real> &q, int n)       \
  {                                                                                                \
    const Real one = 1;                                                                            \
    const int  rows = (int) q.rows, depth = (int) q.depth, f = (int) q.f;                          \
                                                                                                   \
    return gemm(blas, q.turns_w ? CUBLAS_OP_T : CUBLAS_OP_N,                                       \
                q.turns_x ? CUBLAS_OP_T : CUBLAS_OP_N, f, rows, depth, &one, q.w,                  \
                q.turns_w ? depth : f, q.w_step, q.x, q.turns_x ? rows : depth, q.x_step, &q.beta, \
                q.y, f, q.y_step, n);                                                              \
  }
CALL_GEMM(float, cublasSgemmStridedBatched)
CALL_GEMM(double, cublasDgemmStridedBatched)
#undef CALL_GEMM

template <typename Real>
static LacStatus
multiply(CudaDevice *device, const Product<Real> &product, size_t n)
{
  return blas_status_of_call(call_gemm(device->blas, product, (int) n), "cublasGemmStridedBatched");
}

/* First element of the areas' numbers, and the step to those of the next walker. */
template <typename Real> struct Areas {
  Real     *numbers;
  long long step;
};

template <typename Real>
static Areas<Real>
areas_of(const WalkerArgs &a)
{
  return {reinterpret_cast<Real *>(a.areas + a.plan.n_doubles * sizeof(double)),
          (long long) (a.area_bytes / sizeof(Real))};
}

/* ---- layers ---- */

/* Places of a layer's inputs, the means of its inputs, its outputs and, if saved, its slopes. */
struct LayerPlaces {
  Index one, pair, mean, next_one, next_pair, slope_one, slope_pair;
  bool  keeps;
};

/* The means occupy the memory of the outputs. */
static LayerPlaces
places_of(const WalkerPlan &plan, Index l)
{
  const Index now = l % 2;

  return {
    plan.one[now], plan.pair[now], plan.one[1 - now], plan.one[1 - now], plan.pair[1 - now], 0, 0,
    false};
}

static LayerPlaces
kept_places_of(const WalkerPlan &plan, Index l)
{
  const Index next_pair = l + 1 < LAC_ANSATZ_MAX_LAYERS ? plan.kept_pair[l + 1] : 0;

  return {plan.kept_one[l], plan.kept_pair[l], plan.back_mean,     plan.kept_one[l + 1],
          next_pair,        plan.slope_one[l], plan.slope_pair[l], true};
}

/* The positions are those of the batch; without any, those that a move proposes. */
template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void inputs_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            LayerPlaces                   places)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const double *position = a.positions ? a.positions + blockIdx.x * 3 * (size_t) a.shape.n_electrons
                                       : w.doubles + a.plan.proposed;

  find_inputs<JET>(w, position, w.numbers + places.one, w.numbers + places.pair);
}

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void means_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                           Index                         l,
                                                           LayerPlaces                   places)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);

  find_means(w, l, w.numbers + places.one, w.numbers + places.mean);
  find_among<JET>(w, l, w.numbers + places.pair, w.numbers + a.plan.among);
}

#define R(c) ((Real) (c))

/* Finishes one output of electron j: turns the products into the layer's output. Returns: the slope of its tanh */
template <bool JET, typename Real>
__device__ static inline Real
finish_output(const Walker<Real> &w, Index l, const Real *kept, Real *y, Index o)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], n_rows = w.plan->n_rows;
  const Real        *shared = w.numbers + w.plan->shared + o;
  const Index        n_inputs = (shape.n_channels + 1) * d + shape.n_channels * shape.pair[l];
  const Real         bias = w.weights[shape.layer[l] + n_inputs * f + o];
  Real               slope, squares = 0;
  const Real         value = tanh_of(y[0] + shared[0] + bias, &slope);

  y[0] = kept ? LAC_RESIDUAL(value, kept[0]) : value;
  if constexpr (JET) {
    const Real laplacian = y[f] + shared[f];

    for (Index row = FIRST_TANGENT; row < n_rows; row++) {
      const Real z = y[row * f] + shared[row * f], tangent = slope * z;

      squares += z * z;
      y[row * f] = kept ? LAC_RESIDUAL(tangent, kept[row * d]) : tangent;
    }
    const Real bend = LAC_TANH_BEND(value, slope);
    const Real second = LAC_LAPLACIAN_OF(slope, laplacian, bend, squares);

    y[f] = kept ? LAC_RESIDUAL(second, kept[d]) : second;
  }
  return slope;
}

#undef R

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void finish_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            Index                         l,
                                                            LayerPlaces                   places)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const WalkerShape &shape = a.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], n_rows = a.plan.n_rows;
  const Real        *x = w.numbers + places.one;
  Real              *y = w.numbers + places.next_one;

  for (Index q = threadIdx.x; q < shape.n_electrons * f; q += blockDim.x) {
    const Index j = q / f, o = q % f;
    const Real  slope =
      finish_output<JET>(w, l, d == f ? x + j * n_rows * d + o : NULL, y + j * n_rows * f + o, o);

    if (places.keeps)
      w.numbers[places.slope_one + q] = slope;
  }
  if (l + 1 < shape.n_layers)
    pair_layer<JET>(w, l, w.numbers + places.pair, w.numbers + places.next_pair,
                    places.keeps ? w.numbers + places.slope_pair : (Real *) NULL);
}

/* Computes the products of layer l. */
template <typename Real>
static LacStatus
multiply_layer(CudaDevice             *device,
               const LacElectronShape *shape,
               const WalkerArgs       &a,
               size_t                  l,
               const LayerPlaces      &places)
{
  const WalkerPlan &plan = a.plan;
  const size_t      d = shape->one[l], f = shape->one[l + 1], channels = shape->n_channels;
  const size_t      rows = shape->n_electrons * plan.n_rows, width = channels * shape->pair[l];
  const Real       *w = static_cast<const Real *>(a.weights) + shape->layer[l];
  const auto [numbers, step] = areas_of<Real>(a);
  const Product<Real> products[] = {
    {numbers + places.mean, w + d * f, numbers + plan.shared, plan.n_rows, channels * d, f, 0, step,
     0, step, false, false},
    {numbers + places.one, w, numbers + places.next_one, rows, d, f, 0, step, 0, step, false,
     false},
    {numbers + plan.among, w + (channels + 1) * d * f, numbers + places.next_one, rows, width, f, 1,
     step, 0, step, false, false},
  };

  for (const Product<Real> &product : products)
    LAC_TRY(multiply(device, product, a.n));
  return LAC_STATUS_OK;
}

/* Runs all layers. one: (out): place of the last outputs */
template <typename Real, bool JET>
static LacStatus
run_layers(CudaDevice             *device,
           const LacElectronShape *shape,
           const WalkerArgs       &a,
           LayerPlaces (*find_places)(const WalkerPlan &, Index),
           Index *one)
{
  const unsigned     n = (unsigned) a.n;
  const cudaStream_t stream = device->stream;

  LAC_TRY(
    launch(inputs_kernel<Real, JET>, n, walker_threads, 0, stream, a, find_places(a.plan, 0)));
  for (Index l = 0; l < (Index) shape->n_layers; l++) {
    const LayerPlaces places = find_places(a.plan, l);

    LAC_TRY(launch(means_kernel<Real, JET>, n, walker_threads, 0, stream, a, l, places));
    LAC_TRY(multiply_layer<Real>(device, shape, a, l, places));
    LAC_TRY(launch(finish_kernel<Real, JET>, n, walker_threads, 0, stream, a, l, places));
    *one = places.next_one;
  }
  return LAC_STATUS_OK;
}

/* The arguments of the next areas' walkers, from `first` on. */
static WalkerArgs
part_of(const WideWalkers &wide, size_t first)
{
  WalkerArgs part = wide.all;

  part.n = part.n - first < wide.at_once ? part.n - first : wide.at_once;
  if (part.positions)
    part.positions += first * 3 * part.shape.n_electrons;
  return part;
}

/* ---- values and local energies ---- */

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void orbitals_and_sum_kernel(const LAC_IN_PLACE WalkerArgs
                                                                                        a,
                                                                      LacElectronAnswer out,
                                                                      Index             one)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);

  find_orbitals<JET>(w, w.numbers + one, (Real *) NULL);
  answer_walker<JET>(w, a, blockIdx.x, out);
}

template <typename Real, bool JET>
static LacStatus
answer(CudaDevice              *device,
       const LacElectronBatch  *batch,
       const WideWalkers       &wide,
       const LacElectronAnswer *out)
{
  const size_t n = 3 * batch->shape->n_electrons;
  Index        one = 0;

  for (size_t first = 0; first < batch->n; first += wide.at_once) {
    const WalkerArgs        part = part_of(wide, first);
    const LacElectronAnswer own = {
      out->log_abs ? out->log_abs + first : NULL, out->sign ? out->sign + first : NULL,
      out->gradient ? out->gradient + first * n : NULL, out->kinetic ? out->kinetic + first : NULL};

    LAC_TRY((run_layers<Real, JET>(device, batch->shape, part, places_of, &one)));
    LAC_TRY(launch(orbitals_and_sum_kernel<Real, JET>, (unsigned) part.n, walker_threads, 0,
                   device->stream, part, own, one));
  }
  return LAC_STATUS_OK;
}

/* ---- moves: walkers from `first` on stay in their areas from the first move to the last ---- */

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void load_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                          LacElectronMoves              moves,
                                                          size_t                        first)
{
  load_walker<JET>(walker_of<Real>(a, NULL), moves, first + blockIdx.x);
  if (threadIdx.x == 0)
    moves.accepted[first + blockIdx.x] = 0;
}

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void propose_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                             LacElectronMoves              moves,
                                                             size_t                        first,
                                                             unsigned                      k)
{
  take_walk(&moves);
  propose_move(walker_of<Real>(a, NULL), moves, first + blockIdx.x, moves.step + k);
}

template <typename Real, bool JET>
__global__
__launch_bounds__(walker_threads) static void decide_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            LacElectronMoves              moves,
                                                            size_t                        first,
                                                            unsigned                      k,
                                                            Index                         one)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const size_t       b = first + blockIdx.x;
  const uint32_t     n_before = moves.accepted[b];

  take_walk(&moves);
  const Draw draw = draw_move(moves, b, (moves.step + k) * lac_move_blocks(a.shape.n_electrons));

  find_orbitals<JET>(w, w.numbers + one, (Real *) NULL);
  const uint32_t n_accepted = n_before + decide_move<JET>(w, moves, draw);

  if (k + 1 == moves.n_moves)
    store_walker<JET>(w, moves, b, n_accepted);
  else if (threadIdx.x == 0)
    moves.accepted[b] = n_accepted;
}

template <typename Real, bool JET>
static LacStatus
move(CudaDevice             *device,
     const LacElectronBatch *batch,
     const WideWalkers      &wide,
     const LacElectronMoves *moves)
{
  const cudaStream_t stream = device->stream;
  Index              one = 0;

  for (size_t first = 0; first < batch->n; first += wide.at_once) {
    WalkerArgs     part = part_of(wide, first);
    const unsigned n = (unsigned) part.n;

    part.positions = NULL;
    LAC_TRY(launch(load_kernel<Real, JET>, n, walker_threads, 0, stream, part, *moves, first));
    for (unsigned k = 0; k < moves->n_moves; k++) {
      LAC_TRY(launch(propose_kernel<Real>, n, walker_threads, 0, stream, part, *moves, first, k));
      LAC_TRY((run_layers<Real, JET>(device, batch->shape, part, places_of, &one)));
      LAC_TRY(launch(decide_kernel<Real, JET>, n, walker_threads, 0, stream, part, *moves, first, k,
                     one));
    }
  }
  return LAC_STATUS_OK;
}

/* ---- derivatives ---- */

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void orbital_bars_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                                  LacElectronTape tape,
                                                                  size_t          first,
                                                                  Index           one)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const size_t       b = first + blockIdx.x;

  find_orbitals<false>(w, w.numbers + one, w.numbers + a.plan.linear);
  pull_psi(w, tape, b, static_cast<Real *>(tape.o) + b * a.shape.n_params);
}

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void deltas_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            Real                         *o,
                                                            Index                         l,
                                                            Index                         now)
{
  begin_layer(walker_of<Real>(a, NULL), l, now, o + blockIdx.x * (size_t) a.shape.n_params);
}

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void bars_of_layer_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                                   Index                         l,
                                                                   Index now)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const WalkerPlan  &plan = a.plan;

  finish_electrons(w, l, w.numbers + plan.back_one[now], w.numbers + plan.back_one[1 - now]);
  pull_pairs(w, l, l + 1 < a.shape.n_layers ? w.numbers + plan.back_pair[now] : (Real *) NULL,
             w.numbers + plan.back_pair[1 - now]);
}

/* The products of pull_layer(), then those of pull_means() and pull_electrons(), which overwrite an input of the first. */
template <typename Real>
static LacStatus
multiply_back(CudaDevice             *device,
              const LacElectronShape *shape,
              const WalkerArgs       &a,
              size_t                  l,
              Index                   now,
              Real                   *o)
{
  const WalkerPlan &plan = a.plan;
  const size_t      n = shape->n_electrons, d = shape->one[l], f = shape->one[l + 1];
  const size_t      channels = shape->n_channels, width = channels * shape->pair[l];
  const Real       *w = static_cast<const Real *>(a.weights) + shape->layer[l];
  Real             *to = o + shape->layer[l];
  const auto [numbers, step] = areas_of<Real>(a);
  const long long     row = (long long) shape->n_params;
  const Real         *delta = numbers + plan.slope_one[l];
  const Product<Real> products[] = {
    {numbers + plan.kept_one[l], delta, to, d, n, f, 0, step, step, row, true, false},
    {numbers + plan.among, delta, to + (channels + 1) * d * f, width, n, f, 0, step, step, row,
     true, false},
    {delta, w, numbers + plan.back_one[1 - now], n, f, d, 0, step, 0, step, false, true},
    {numbers + plan.shared, w + d * f, numbers + plan.back_mean, 1, f, channels * d, 0, step, 0,
     step, false, true},
    {delta, w + (channels + 1) * d * f, numbers + plan.among, n, f, width, 0, step, 0, step, false,
     true},
  };

  for (size_t i = 0; i < (l > 0 ? 5 : 2); i++)
    LAC_TRY(multiply(device, products[i], a.n));
  return LAC_STATUS_OK;
}

template <typename Real>
static LacStatus
derive(CudaDevice             *device,
       const LacElectronBatch *batch,
       const WideWalkers      &wide,
       const LacElectronTape  *tape)
{
  const cudaStream_t stream = device->stream;
  Index              one = 0;

  for (size_t first = 0; first < batch->n; first += wide.at_once) {
    const WalkerArgs part = part_of(wide, first);
    const unsigned   n = (unsigned) part.n;
    Real            *o = static_cast<Real *>(tape->o) + first * batch->shape->n_params;
    Index            now = 0;

    LAC_TRY((run_layers<Real, false>(device, batch->shape, part, kept_places_of, &one)));
    LAC_TRY(
      launch(orbital_bars_kernel<Real>, n, walker_threads, 0, stream, part, *tape, first, one));
    for (Index l = (Index) batch->shape->n_layers; l-- > 0; now = 1 - now) {
      LAC_TRY(launch(deltas_kernel<Real>, n, walker_threads, 0, stream, part, o, l, now));
      LAC_TRY(multiply_back<Real>(device, batch->shape, part, l, now, o));
      if (l > 0)
        LAC_TRY(launch(bars_of_layer_kernel<Real>, n, walker_threads, 0, stream, part, l, now));
    }
  }
  return LAC_STATUS_OK;
}

/* ---- for both types ---- */

#define BY_TYPE(function, jet)                                              \
  (batch->type == LAC_F32 ? function<float, jet>(device, batch, wide, args) \
                          : function<double, jet>(device, batch, wide, args))
#define ENTRY(name, Args, run)                                                 \
  LacStatus run_wide_##name(CudaDevice *device, const LacElectronBatch *batch, \
                            const WideWalkers &wide, const Args *args)         \
  {                                                                            \
    return run;                                                                \
  }
ENTRY(value, LacElectronAnswer, BY_TYPE(answer, false))
ENTRY(local, LacElectronAnswer, BY_TYPE(answer, true))
ENTRY(moves,
      LacElectronMoves,
      args->proposal == LAC_PROPOSAL_LANGEVIN ? BY_TYPE(move, true) : BY_TYPE(move, false))
ENTRY(derivatives, LacElectronTape, LAC_BY_TYPE(batch->type, derive, device, batch, wide, args))
