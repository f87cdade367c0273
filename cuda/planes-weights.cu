/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradient of a convolution's weights: w_bar[tap][i][o] = sum over j of x[i][j] y_bar[phase][o][j - shift]. Planes
 * are long and channels few, so that the sum over a plane is split and its parts are added in order. */
#include "cuda/planes.cuh"

static const unsigned tile_numbers = 32; /* elements of the planes in shared memory at once */
static const size_t   least_numbers = 64, most_numbers = 2048;

struct WeightsTap {
  ptrdiff_t bars; /* offset by phase and shift */
};

/* The columns are [tap][n_out]. Parts: [split][tap][n_in][n_out], like the weights. */
template <typename Real> struct Weights {
  const Real *x, *y_bar;
  Real       *w_bar; /* with one split: the weight gradient itself */
  WeightsTap  taps[LAC_PLANE_MOST_TAPS];
  unsigned    n_taps;
  size_t      n_in, n_out, n, stride;
  size_t      n_splits, per_split;
};

/* 16 TM input channels and 64 columns in 16 x 16 threads. */
template <typename Real, int TM>
__global__ static void
weights_kernel(Weights<Real> p)
{
  const int      TN = 4, N_EACH = 8;
  const unsigned rows = 16 * TM, columns = 64;
  LAC_SHARED(Real[16 * TM + 1], as, tile_numbers);
  LAC_SHARED(Real[64 + 1], bs, tile_numbers);
  const unsigned thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const unsigned number = thread % tile_numbers, line = thread / tile_numbers;
  const size_t   n_columns = p.n_taps * p.n_out;
  const size_t   row = (size_t) blockIdx.y * rows, column = (size_t) blockIdx.x * columns;
  const size_t   begin = blockIdx.z * p.per_split;
  const size_t   end = begin + p.per_split < p.n ? begin + p.per_split : p.n;
  const Real    *bars[N_EACH]; /* the columns that this thread fetches */
  Real           sum[TM][TN] = {};

  for (unsigned i = 0; i < N_EACH; i++) {
    const size_t c = column + line + i * (PLANE_THREADS / tile_numbers);

    bars[i] = c < n_columns
                ? p.y_bar + p.taps[c / p.n_out].bars + (ptrdiff_t) (c % p.n_out * p.stride)
                : NULL;
  }
  for (size_t j0 = begin; j0 < end; j0 += tile_numbers) {
    const size_t j = j0 + number;

    for (unsigned r = line; r < rows; r += PLANE_THREADS / tile_numbers)
      as[number][r] = row + r < p.n_in && j < end ? p.x[(row + r) * p.stride + j] : (Real) 0;
    for (unsigned i = 0; i < N_EACH; i++)
      bs[number][line + i * (PLANE_THREADS / tile_numbers)] =
        bars[i] && j < end ? bars[i][j] : (Real) 0;
    __syncthreads();
    for (unsigned k = 0; k < tile_numbers; k++)
      for (int i = 0; i < TM; i++)
        for (int c = 0; c < TN; c++)
          sum[i][c] += as[k][ty * TM + (unsigned) i] * bs[k][tx + 16 * (unsigned) c];
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int k = 0; k < TN; k++) {
      const size_t r = row + ty * TM + (unsigned) i, c = column + tx + 16 * (size_t) k;

      if (r < p.n_in && c < n_columns)
        p.w_bar[blockIdx.z * p.n_in * n_columns + (c / p.n_out * p.n_in + r) * p.n_out +
                c % p.n_out] = sum[i][k];
    }
}

/* Returns enough parts to occupy the device, none too long to be summed in the element type, as far as there is
 * room. */
static size_t
splits_of(const CudaDevice *device, size_t n, size_t n_blocks, size_t n_bytes)
{
  const size_t needed = (n + most_numbers - 1) / most_numbers;
  const size_t wanted = (device->wanted_blocks + n_blocks - 1) / n_blocks;
  const size_t most = (n + least_numbers - 1) / least_numbers, room = CUDA_SCRATCH_BYTES / n_bytes;
  const size_t many = wanted < most ? wanted : most, enough = many > needed ? many : needed;
  const size_t n_splits = enough < room ? enough : room;

  return n_splits > 1 ? n_splits : 1;
}

template <typename Real>
static LacStatus
reverse_weights(CudaDevice *device, const LacConvolve *args)
{
  const LacPlaneShape shape = lac_plane_shape(args->side);
  const size_t        n_taps = lac_plane_taps(args->doubles);
  const size_t        n_weights = n_taps * args->n_in * args->n_out;
  const bool          few = args->n_in <= 16;
  const dim3    grid(blocks_for(n_taps * args->n_out, 64), blocks_for(args->n_in, few ? 16 : 64));
  Weights<Real> p = {};
  PlaneParts    parts = {};

  p.x = static_cast<const Real *>(args->x);
  p.y_bar = static_cast<const Real *>(args->y_bar);
  p.n_taps = (unsigned) n_taps;
  p.n_in = args->n_in;
  p.n_out = args->n_out;
  p.n = shape.side * shape.pitch;
  p.stride = shape.stride;
  for (size_t tap = 0; tap < n_taps; tap++) {
    const LacPlaneSight sight = lac_plane_sight(args->doubles, tap, shape.pitch);

    p.taps[tap].bars = (ptrdiff_t) (sight.phase * args->n_out * shape.stride) - sight.shift;
  }
  p.n_splits = splits_of(device, p.n, (size_t) grid.x * grid.y, n_weights * sizeof(Real));
  p.per_split = (p.n + p.n_splits - 1) / p.n_splits;
  p.n_splits = (p.n + p.per_split - 1) / p.per_split;
  p.w_bar = p.n_splits == 1 ? static_cast<Real *>(args->weights_bar)
                            : reinterpret_cast<Real *>(device->scratch);
  LAC_TRY(launch(few ? weights_kernel<Real, 1> : weights_kernel<Real, 4>,
                 dim3(grid.x, grid.y, (unsigned) p.n_splits), PLANE_THREADS, 0, device->stream, p));
  if (p.n_splits == 1)
    return LAC_STATUS_OK;
  parts.type = args->type;
  parts.parts = p.w_bar;
  parts.n_parts = p.n_splits;
  parts.n_sets = parts.n_rows = 1;
  parts.n = n_weights;
  parts.y = args->weights_bar;
  return sum_plane_parts(device, &parts);
}

LAC_ENTRY(planes_convolve_reverse_weights, LacConvolve, reverse_weights)

/* None: parts are stored in the device's own scratch. */
size_t
planes_convolve_scratch_cuda(const LacConvolve *)
{
  return 0;
}
