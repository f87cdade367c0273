/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer of jets in one forward kernel, and in one reverse kernel that computes z_bar, x_bar and the sums of the
 * bias.
 *
 * Forward a thread holds all streams of its points and columns, so that value, first and second derivatives of the
 * activation are formed in registers; z is stored only for the reverse. In reverse a block turns y_bar of its points
 * into z_bar, and multiplies that by w while it is in the caches. The results equal those of the separate kernels. */
#include "cuda/jet-layer.cuh"
#include "cuda/jet.cuh"

enum {
  LEAST_WIDTH = 64,
  MOST_WIDTH = 256,
  LEAST_STREAMS = 3,
  MOST_STREAMS = 6,
  MOST_POINTS = 1 << 20
};

static const int    reverse_rows = 4; /* per thread: with more, its registers spill */
static const size_t most_bias_parts = 1024;

/* ---- choice of layers ---- */

/* Returns TRUE for jets up to the second order, the limit of the forward kernel's registers, in plain precision:
 * neither kernel supports split products. */
static bool
is_served(const CudaDevice *device, const LacLayer *args, bool reverse)
{
  const LacJet *jet = args->jet;
  const size_t  least_in = reverse ? LEAST_WIDTH : 1;

  return !is_split(device, args->type) && highest_order(jet, false) <= 2 &&
         jet->n_streams >= LEAST_STREAMS && jet->n_streams <= MOST_STREAMS &&
         args->n_out >= LEAST_WIDTH && args->n_out <= MOST_WIDTH && args->n_in >= least_in &&
         args->n_in <= MOST_WIDTH && args->n_points <= MOST_POINTS;
}

/* Cost model of fusion. A fused kernel saves one pass over the rows, and one over their value streams: forward z is
 * not read again for the activation nor its value rewritten with the bias; in reverse z_bar is not read again for
 * x_bar and the bias. It loses in its products, which reach a smaller fraction of the device's peak than the
 * library's: 2 n_in operations an element. Time saved an element: (1 + 1/n_streams) size / bandwidth; lost: 2 n_in /
 * rate (1/own - 1/library). Launch overhead is ignored. By this model an H200 (14 operations a byte in f32) fuses a
 * width of 64 or 128 but not 256, whose products fill the device anyway; a device with slow memory fuses 256 too; in
 * f64, where the library uses tensor cores, only layers with few inputs. The fractions of the peak are estimates, not
 * measured on any device; bench-device compares both variants. */
static bool
pays(const CudaDevice *device, const LacLayer *args)
{
  const bool   is_double = args->type == LAC_F64;
  const double own = 0.6, library = is_double && device->double_tensor_units ? 1.4 : 0.7;
  const double size = (double) lac_type_size(args->type);
  const double saved = (1 + 1.0 / args->jet->n_streams) * size * device->balance[args->type];

  return saved >= 2 * (double) args->n_in * (1 / own - 1 / library);
}

LacFusion
layer_fusion_cuda(void *self, const LacLayer *args, int reverse)
{
  if (!is_served(device_of(self), args, reverse))
    return LAC_FUSION_NONE;
  return pays(device_of(self), args) ? LAC_FUSION_PAYS : LAC_FUSION_POSSIBLE;
}

/* Operations of all units of the type in the time of one byte from memory. A device that does not report its rates gets
 * none. */
void
measure_balance(CudaDevice *device)
{
  const DeviceRates rates = device_rates(device->device);

  if (rates.bandwidth <= 0)
    return;
  device->balance[LAC_F32] = rates.flops[LAC_F32] / rates.bandwidth;
  device->balance[LAC_F64] = rates.flops[LAC_F64] / rates.bandwidth;
  device->double_tensor_units =
    rates.major >= 8 && rates.flops[LAC_F32] <= 2 * rates.flops[LAC_F64];
}

/* ---- forward ---- */

enum { FIRST = 1, SECOND, SUM };

template <typename Real> struct LayerArgs {
  LacScalar   scalar;
  int         n_points, n_in, n_out;
  Rows<Real>  x, w;
  const Real *bias;
  Real       *y, *saved; /* saved: NULL: no reverse follows */
  bool        aligned;   /* y and saved */
  bool        has_sum;
  uint8_t     kind[MOST_STREAMS];   /* FIRST, SECOND, SUM */
  Real        weight[MOST_STREAMS]; /* weight of a first derivative in the collapsed sum */
};

template <typename Real>
static void
describe_streams(const LacJet *jet, LayerArgs<Real> *a)
{
  for (unsigned d = 0; d < jet->n_directions; d++) {
    a->kind[jet->first[d]] = FIRST;
    a->weight[jet->first[d]] = (Real) jet->weight[d];
    if (jet->order[d] == 2)
      a->kind[jet->first[d] + 1] = SECOND;
  }
  if (jet->sum)
    a->kind[jet->sum] = SUM;
  a->has_sum = jet->sum != 0;
}

/* Applies the formula to all streams of a point and column: z[0] includes its bias; y may alias z. */
template <typename Real, int STREAMS>
__device__ static inline void
apply_formula(const LayerArgs<Real> &a, const Real f[3], const Real z[STREAMS], Real y[STREAMS])
{
  Real squares = 0;

  if (a.has_sum) {
    LAC_UNROLLED
    for (int s = 1; s < STREAMS; s++)
      if (a.kind[s] == FIRST)
        squares += a.weight[s] * z[s] * z[s];
  }
  y[0] = f[0];
  LAC_UNROLLED
  for (int s = 1; s < STREAMS; s++)
    y[s] = a.kind[s] == FIRST
             ? first_order(f, z[s])
             : second_order(f, a.kind[s] == SUM ? squares : z[s - 1] * z[s - 1], z[s]);
}

/* A second point of a thread would need more registers than two blocks of a multiprocessor leave it. */
template <typename Real, int STREAMS, int COLUMNS> struct Forward {
  static constexpr int POINTS = STREAMS == 3 ? 2 : 1, V = Part<Real>::n, N = POINTS * 2 * V;
  using Sums = Product<Real, POINTS * STREAMS, COLUMNS>;
  static constexpr int TILE_POINTS = Sums::GROUPS * POINTS, STAGE = 3 * N * Sums::THREADS;
  static constexpr int SHARED = STAGE > 2 * Sums::SIZE ? STAGE : 2 * Sums::SIZE;
};

/* Computes f, f' and f'' of every value of a thread, written in place to the thread's own elements of the stage: a
 * rolled loop, which cannot index registers. */
template <typename Real, int STREAMS, int COLUMNS>
__device__ static inline void
stage_derivatives(LacScalar scalar, Real *stage)
{
  using F = Forward<Real, STREAMS, COLUMNS>;
  LAC_KEPT_LOOP
  for (int i = 0; i < F::N; i++) {
    Real *const at = stage + i * 3 * F::Sums::THREADS;
    Real        f[6] = {};

    derivatives<Real, 2>(scalar, at[0], false, f);
    at[0] = f[0];
    at[F::Sums::THREADS] = f[1];
    at[2 * F::Sums::THREADS] = f[2];
  }
}

template <typename Real, int STREAMS, int COLUMNS>
__global__ static void
__launch_bounds__(Forward<Real, STREAMS, COLUMNS>::Sums::THREADS,
                  Forward<Real, STREAMS, COLUMNS>::Sums::BLOCKS) layer_kernel(LayerArgs<Real> a)
{
  using F = Forward<Real, STREAMS, COLUMNS>;
  using Sums = typename F::Sums;
  LAC_SHARED(Part<Real>, shared, F::SHARED / F::V);
  Real *const tiles = shared[0].at, *const stage = tiles + threadIdx.x;
  const int first = (int) blockIdx.x * F::TILE_POINTS, column = (int) blockIdx.y * COLUMNS;
  const int point = first + Sums::row_of_thread() / STREAMS;
  Sums      z;

  z.template form<true>(a.x, a.w, first * STREAMS, column, a.n_in, tiles);
  LAC_UNROLLED
  for (int p = 0; p < F::POINTS; p++)
    LAC_UNROLLED
  for (int c = 0; c < 2 * F::V; c++) {
    const int at = column + Sums::column_of(c / F::V) + c % F::V;

    z.sum[p * STREAMS][c] += at < a.n_out ? a.bias[at] : 0;
    stage[(p * 2 * F::V + c) * 3 * Sums::THREADS] = z.sum[p * STREAMS][c];
  }
  stage_derivatives<Real, STREAMS, COLUMNS>(a.scalar, stage);
  LAC_UNROLLED
  for (int p = 0; p < F::POINTS; p++)
    LAC_UNROLLED
  for (int part = 0; part < 2; part++) {
    const int  at = column + Sums::column_of(part);
    const int  left = point + p < a.n_points ? a.n_out - at : 0;
    Part<Real> before[STREAMS], after[STREAMS];
    LAC_UNROLLED
    for (int v = 0; v < F::V; v++) {
      const int         c = part * F::V + v;
      const Real *const slot = stage + (p * 2 * F::V + c) * 3 * Sums::THREADS;
      const Real        f[3] = {slot[0], slot[Sums::THREADS], slot[2 * Sums::THREADS]};
      Real              streams[STREAMS], found[STREAMS];
      LAC_UNROLLED
      for (int s = 0; s < STREAMS; s++)
        before[s].at[v] = streams[s] = z.sum[p * STREAMS + s][c];
      apply_formula<Real, STREAMS>(a, f, streams, found);
      LAC_UNROLLED
      for (int s = 0; s < STREAMS; s++)
        after[s].at[v] = found[s];
    }
    LAC_UNROLLED
    for (int s = 0; s < STREAMS; s++) {
      const size_t to = ((size_t) (point + p) * STREAMS + s) * a.n_out + at;

      if (a.saved)
        store_part(a.saved + to, before[s], left, a.aligned);
      store_part(a.y + to, after[s], left, a.aligned);
    }
  }
}

template <typename Real, int STREAMS, int COLUMNS>
static LacStatus
launch_layer(CudaDevice *device, const LayerArgs<Real> &a)
{
  using F = Forward<Real, STREAMS, COLUMNS>;

  return launch(
    layer_kernel<Real, STREAMS, COLUMNS>,
    dim3(blocks_for((size_t) a.n_points, F::TILE_POINTS), blocks_for((size_t) a.n_out, COLUMNS)),
    F::Sums::THREADS, 0, device->stream, a);
}

/* Columns per block: 128, unless the last block would be less than half full, or registers do not suffice. */
template <typename Real>
static bool
is_wide(size_t n_columns)
{
  return sizeof(Real) == 4 && (n_columns + 63) / 64 % 2 == 0;
}

template <typename Real, int STREAMS>
static LacStatus
run_layer(CudaDevice *device, const LayerArgs<Real> &a)
{
  if constexpr (sizeof(Real) == 4)
    if (is_wide<Real>((size_t) a.n_out))
      return launch_layer<Real, STREAMS, 128>(device, a);
  return launch_layer<Real, STREAMS, 64>(device, a);
}

template <typename Real>
static Rows<Real>
rows_of(const void *memory, size_t n_rows, size_t n_columns)
{
  return {static_cast<const Real *>(memory), (int) n_rows, (int) n_columns,
          is_aligned<Real>(memory, n_columns)};
}

template <typename Real>
static LacStatus
forward(CudaDevice *device, const LacLayer *args)
{
  LayerArgs<Real> a = {};

  a.scalar = args->scalar;
  a.n_points = (int) args->n_points;
  a.n_in = (int) args->n_in;
  a.n_out = (int) args->n_out;
  a.x = rows_of<Real>(args->x, args->n_points * args->jet->n_streams, args->n_in);
  a.w = rows_of<Real>(args->w, args->n_out, args->n_in);
  a.bias = static_cast<const Real *>(args->bias);
  a.y = static_cast<Real *>(args->y);
  a.saved = static_cast<Real *>(args->saved);
  a.aligned = is_aligned<Real>(args->y, args->n_out) && is_aligned<Real>(args->saved, args->n_out);
  describe_streams(args->jet, &a);
  switch (args->jet->n_streams) {
  case 3: return run_layer<Real, 3>(device, a);
  case 4: return run_layer<Real, 4>(device, a);
  case 5: return run_layer<Real, 5>(device, a);
  default: return run_layer<Real, 6>(device, a);
  }
}

LacStatus
fused_layer(CudaDevice *device, const LacLayer *args)
{
  if (!is_served(device, args, false))
    return LAC_STATUS_UNSUPPORTED;
  return LAC_BY_TYPE(args->type, forward, device, args);
}

/* ---- reverse ---- */

template <typename Real> struct ReverseArgs {
  MapArgs<Real> map; /* overwrites y_bar by z_bar */
  int           n_points, n_in, n_out, tile_points;
  Rows<Real>    z_bar, w;
  Real         *x_bar;
  bool          fresh, aligned; /* x_bar */
  double       *bias_parts;     /* [blocks][n_out]; NULL: skipped */
};

/* Sums the bias over points first ... first + n. */
template <typename Real>
__device__ static inline void
sum_bias(const ReverseArgs<Real> &a, int first, int n)
{
  const size_t point = (size_t) a.map.jet.n_streams * a.n_out;

  for (int column = (int) threadIdx.x; column < a.n_out; column += (int) blockDim.x) {
    double sum = 0;

    for (int p = 0; p < n; p++)
      sum += (double) a.map.x_bar[(size_t) (first + p) * point + column];
    a.bias_parts[(size_t) blockIdx.x * a.n_out + column] = sum;
  }
}

template <typename Real, int COLUMNS>
__global__ static void
__launch_bounds__(Product<Real, reverse_rows, COLUMNS>::THREADS,
                  Product<Real, reverse_rows, COLUMNS>::BLOCKS)
  layer_reverse_kernel(ReverseArgs<Real> a)
{
  using Sums = Product<Real, reverse_rows, COLUMNS>;
  LAC_SHARED(Part<Real>, shared, 2 * Sums::SIZE / Part<Real>::n);
  const int  first = (int) blockIdx.x * a.tile_points;
  const int  n = a.n_points - first < a.tile_points ? a.n_points - first : a.tile_points;
  const int  row = first * a.map.jet.n_streams, n_rows = n * a.map.jet.n_streams;
  Rows<Real> z_bar = a.z_bar;
  Sums       x_bar;

  z_bar.n_rows = row + n_rows; /* later rows belong to another block */
  for (int i = (int) threadIdx.x; i < n * a.n_out; i += Sums::THREADS)
    map_reverse_at<Real, 3>(a.map, (size_t) (first + i / a.n_out), (size_t) (i % a.n_out));
  __syncthreads();
  if (a.bias_parts)
    sum_bias(a, first, n);
  for (int column = 0; column < a.n_in; column += COLUMNS) {
    x_bar.template form<false>(z_bar, a.w, row, column, a.n_out, shared[0].at);
    LAC_UNROLLED
    for (int r = 0; r < reverse_rows; r++) {
      const int in_tile = Sums::row_of_thread() + r;
      LAC_UNROLLED
      for (int part = 0; part < 2; part++) {
        const int  at = column + Sums::column_of(part), left = in_tile < n_rows ? a.n_in - at : 0;
        Real      *to = a.x_bar + (size_t) (row + in_tile) * a.n_in + at;
        Part<Real> found = a.fresh ? Part<Real>{} : load_part(to, left, a.aligned);
        LAC_UNROLLED
        for (int v = 0; v < Part<Real>::n; v++)
          found.at[v] += x_bar.sum[r][part * Part<Real>::n + v];
        store_part(to, found, left, a.aligned);
      }
    }
  }
}

template <typename Real, int COLUMNS>
static LacStatus
launch_reverse(CudaDevice *device, const ReverseArgs<Real> &a, unsigned n_blocks)
{
  return launch(layer_reverse_kernel<Real, COLUMNS>, n_blocks,
                Product<Real, reverse_rows, COLUMNS>::THREADS, 0, device->stream, a);
}

template <typename Real>
static LacStatus
reverse(CudaDevice *device, const LacLayer *args, const LacMapJet *map, bool *bias_done)
{
  const size_t n_streams = args->jet->n_streams, rows = Product<Real, reverse_rows, 64>::TILE_ROWS;
  const size_t tile_points = rows / n_streams;
  const unsigned    n_blocks = blocks_for(args->n_points, (unsigned) tile_points);
  ReverseArgs<Real> a = {};
  LacStatus         status;

  *bias_done = args->bias_bar && n_blocks <= most_bias_parts;
  a.map = args_of<Real>(map, NULL);
  a.n_points = (int) args->n_points;
  a.n_in = (int) args->n_in;
  a.n_out = (int) args->n_out;
  a.tile_points = (int) tile_points;
  a.z_bar = rows_of<Real>(args->y_bar, args->n_points * n_streams, args->n_out);
  a.w = rows_of<Real>(args->w, args->n_out, args->n_in);
  a.x_bar = static_cast<Real *>(args->x_bar);
  a.fresh = args->x_bar_fresh;
  a.aligned = is_aligned<Real>(args->x_bar, args->n_in);
  a.bias_parts = *bias_done ? reinterpret_cast<double *>(device->scratch) : NULL;
  if constexpr (sizeof(Real) == 4)
    status = is_wide<Real>(args->n_in) ? launch_reverse<Real, 128>(device, a, n_blocks)
                                       : launch_reverse<Real, 64>(device, a, n_blocks);
  else
    status = launch_reverse<Real, 64>(device, a, n_blocks);
  if (status != LAC_STATUS_OK || !*bias_done || n_blocks == 0)
    return status;
  return sum_double_parts(device, args->type, a.bias_parts, n_blocks, args->n_out, args->bias_bar);
}

LacStatus
fused_layer_reverse(CudaDevice *device, const LacLayer *args, const LacMapJet *map, bool *bias_done)
{
  if (!args->x_bar || !is_served(device, args, true))
    return LAC_STATUS_UNSUPPORTED;
  return LAC_BY_TYPE(args->type, reverse, device, args, map, bias_done);
}
