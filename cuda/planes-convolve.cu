/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions over planes, forward and reverse, as products of small matrices with shifted planes: each layer is one
 * kernel, and one more if its sums are split. A transposed convolution with stride 2 is four convolutions of 2 x 2
 * taps, one for each phase of its output, so that no zeros are multiplied and nothing is gathered beforehand. */
#include "cuda/planes.cuh"

static const unsigned tile_depth = 16, few_steps = 64, most_few_rows = 16;

/* Offsets of a tap's matrix and of its shifted planes. */
struct ProductTap {
  ptrdiff_t a, b;
};

/* c_p[r c_stride + j] = sum over the n_taps taps t of phase p and k < depth of a_t[r a_row + k a_depth] b_t[k
 * b_stride + j]. Split: each of n_splits takes per_split steps; with several the results go to `parts`,
 * [phase][split][n_rows][n]. */
template <typename Real> struct Product {
  const Real *a, *b;
  Real       *c, *parts;
  ProductTap  taps[LAC_PLANE_MOST_TAPS]; /* [phase][n_taps] */
  unsigned    n_phases, n_taps;
  size_t      n_rows, depth, n;
  size_t      a_row, a_depth, b_stride, c_stride, c_phase;
  size_t      n_splits, per_split;
};

template <typename Real>
__device__ static inline void
put(const Product<Real> &p, unsigned phase, size_t split, size_t row, size_t j, Real sum)
{
  if (row >= p.n_rows || j >= p.n)
    return;
  if (p.n_splits == 1)
    p.c[phase * p.c_phase + row * p.c_stride + j] = sum;
  else
    p.parts[((phase * p.n_splits + split) * p.n_rows + row) * p.n + j] = sum;
}

/* 64 rows and 16 TN elements of a phase in 16 x 16 threads; a step is tile_depth of the depth of one tap. */
template <typename Real, int TN>
__global__ static void
tile_kernel(Product<Real> p)
{
  const int      TM = 4;
  const unsigned rows = 16 * TM, columns = 16 * TN;
  LAC_SHARED(Real[16 * 4 + 1], as, tile_depth);
  LAC_SHARED(Real[16 * TN], bs, tile_depth);
  const unsigned thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const unsigned phase = blockIdx.z % p.n_phases;
  const size_t   split = blockIdx.z / p.n_phases;
  const size_t   row = (size_t) blockIdx.y * rows, first = (size_t) blockIdx.x * columns;
  const size_t   per_tap = (p.depth + tile_depth - 1) / tile_depth, n_steps = per_tap * p.n_taps;
  const size_t   begin = split * p.per_split;
  const size_t   end = begin + p.per_split < n_steps ? begin + p.per_split : n_steps;
  Real           sum[TM][TN] = {};

  for (size_t step = begin; step < end; step++) {
    const ProductTap tap = p.taps[phase * p.n_taps + step / per_tap];
    const size_t     k0 = step % per_tap * tile_depth;

    for (unsigned i = thread; i < rows * tile_depth; i += PLANE_THREADS) {
      const unsigned r = p.a_row == 1 ? i % rows : i / tile_depth;
      const unsigned k = p.a_row == 1 ? i / rows : i % tile_depth;

      as[k][r] = row + r < p.n_rows && k0 + k < p.depth
                   ? p.a[tap.a + (ptrdiff_t) ((row + r) * p.a_row + (k0 + k) * p.a_depth)]
                   : (Real) 0;
    }
    for (unsigned i = thread; i < columns * tile_depth; i += PLANE_THREADS) {
      const unsigned j = i % columns, k = i / columns;

      bs[k][j] = first + j < p.n && k0 + k < p.depth
                   ? p.b[tap.b + (ptrdiff_t) ((k0 + k) * p.b_stride + first + j)]
                   : (Real) 0;
    }
    __syncthreads();
    for (unsigned k = 0; k < tile_depth; k++)
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
          sum[i][j] += as[k][ty * TM + (unsigned) i] * bs[k][tx + 16 * (unsigned) j];
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j++)
      put(p, phase, split, row + ty * TM + (unsigned) i, first + tx + 16 * (size_t) j, sum[i][j]);
}

/* All of at most ROWS rows in one thread per element; a step is one element of the depth of one tap. */
template <typename Real, int ROWS>
__global__ static void
few_kernel(Product<Real> p)
{
  LAC_SHARED(Real[ROWS], weights, few_steps);
  LAC_SHARED(ptrdiff_t, planes, few_steps);
  const unsigned phase = blockIdx.z % p.n_phases;
  const size_t   split = blockIdx.z / p.n_phases, n_steps = p.depth * p.n_taps;
  const size_t   begin = split * p.per_split;
  const size_t   end = begin + p.per_split < n_steps ? begin + p.per_split : n_steps;
  const size_t   j = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  Real           sum[ROWS] = {};

  for (size_t s0 = begin; s0 < end; s0 += few_steps) {
    const unsigned n = end - s0 < few_steps ? (unsigned) (end - s0) : few_steps;

    for (unsigned i = threadIdx.x; i < n * ROWS; i += PLANE_THREADS) {
      const size_t     step = s0 + i / ROWS, row = i % ROWS, k = step % p.depth;
      const ProductTap tap = p.taps[phase * p.n_taps + step / p.depth];

      weights[i / ROWS][row] =
        row < p.n_rows ? p.a[tap.a + (ptrdiff_t) (row * p.a_row + k * p.a_depth)] : (Real) 0;
      if (row == 0)
        planes[i / ROWS] = tap.b + (ptrdiff_t) (k * p.b_stride);
    }
    __syncthreads();
    for (unsigned s = 0; s < n && j < p.n; s++) {
      const Real x = p.b[planes[s] + (ptrdiff_t) j];

      for (int r = 0; r < ROWS; r++)
        sum[r] += weights[s][r] * x;
    }
    __syncthreads();
  }
  for (int r = 0; r < ROWS; r++)
    put(p, phase, split, (size_t) r, j, sum[r]);
}

/* Returns enough parts to occupy the device, as far as there is room for their sums. */
template <typename Real>
static size_t
splits_of(const CudaDevice    *device,
          const Product<Real> *p,
          size_t               n_blocks,
          size_t               n_steps,
          size_t               least_steps)
{
  const size_t one = p->n_phases * p->n_rows * p->n * sizeof(Real);
  const size_t room = CUDA_SCRATCH_BYTES / one, most = n_steps / least_steps;
  const size_t wanted = (device->wanted_blocks + n_blocks - 1) / n_blocks;
  const size_t n = wanted < most ? wanted : most, n_splits = n < room ? n : room;

  return n_splits > 1 ? n_splits : 1;
}

template <typename Real>
static LacStatus
start_tiles(CudaDevice *device, Product<Real> *p)
{
  const bool   narrow = p->n <= 32;
  const dim3   grid(blocks_for(p->n, narrow ? 32 : 64), blocks_for(p->n_rows, 64));
  const size_t n_steps = (p->depth + tile_depth - 1) / tile_depth * p->n_taps;
  const size_t n_splits = splits_of(device, p, (size_t) grid.x * grid.y * p->n_phases, n_steps, 4);

  p->per_split = (n_steps + n_splits - 1) / n_splits;
  p->n_splits = (n_steps + p->per_split - 1) / p->per_split;
  return launch(narrow ? tile_kernel<Real, 2> : tile_kernel<Real, 4>,
                dim3(grid.x, grid.y, (unsigned) (p->n_phases * p->n_splits)), PLANE_THREADS, 0,
                device->stream, *p);
}

template <typename Real>
static LacStatus
start_few(CudaDevice *device, Product<Real> *p)
{
  const unsigned n_blocks = blocks_for(p->n, PLANE_THREADS);
  const size_t   n_steps = p->depth * p->n_taps;
  const size_t   n_splits = splits_of(device, p, (size_t) n_blocks * p->n_phases, n_steps, 32);
  void (*few_rows_kernel)(Product<Real>) = p->n_rows > 8   ? few_kernel<Real, 16>
                                           : p->n_rows > 4 ? few_kernel<Real, 8>
                                           : p->n_rows > 2 ? few_kernel<Real, 4>
                                           : p->n_rows > 1 ? few_kernel<Real, 2>
                                                           : few_kernel<Real, 1>;

  p->per_split = (n_steps + n_splits - 1) / n_splits;
  p->n_splits = (n_steps + p->per_split - 1) / p->per_split;
  return launch(few_rows_kernel, dim3(n_blocks, 1, (unsigned) (p->n_phases * p->n_splits)),
                PLANE_THREADS, 0, device->stream, *p);
}

template <typename Real>
static LacStatus
multiply(CudaDevice *device, LacType type, Product<Real> p)
{
  PlaneParts parts = {};

  p.parts = reinterpret_cast<Real *>(device->scratch);
  LAC_TRY(p.n_rows > most_few_rows ? start_tiles(device, &p) : start_few(device, &p));
  if (p.n_splits == 1)
    return LAC_STATUS_OK;
  parts.type = type;
  parts.parts = p.parts;
  parts.n_parts = p.n_splits;
  parts.n_sets = p.n_phases;
  parts.n_rows = p.n_rows;
  parts.n = p.n;
  parts.y = p.c;
  parts.y_row = p.c_stride;
  parts.y_set = p.c_phase;
  return sum_plane_parts(device, &parts);
}

/* Common arguments of both directions. */
template <typename Real>
static Product<Real>
product_of(const LacConvolve *args)
{
  const LacPlaneShape shape = lac_plane_shape(args->side);
  Product<Real>       p = {};

  p.a = static_cast<const Real *>(args->weights);
  p.n = shape.side * shape.pitch;
  p.b_stride = p.c_stride = shape.stride;
  return p;
}

template <typename Real>
static LacStatus
forward(CudaDevice *device, const LacConvolve *args)
{
  const LacPlaneShape shape = lac_plane_shape(args->side);
  unsigned            n_of_phase[4] = {};
  Product<Real>       p = product_of<Real>(args);

  p.b = static_cast<const Real *>(args->x);
  p.c = static_cast<Real *>(args->y);
  p.n_phases = args->doubles ? 4 : 1;
  p.n_taps = (unsigned) lac_plane_taps(args->doubles) / p.n_phases;
  p.n_rows = args->n_out;
  p.depth = args->n_in;
  p.a_row = 1;
  p.a_depth = args->n_out;
  p.c_phase = args->n_out * shape.stride;
  for (size_t tap = 0; tap < lac_plane_taps(args->doubles); tap++) {
    const LacPlaneSight sight = lac_plane_sight(args->doubles, tap, shape.pitch);

    p.taps[sight.phase * p.n_taps + n_of_phase[sight.phase]++] = {
      (ptrdiff_t) (tap * args->n_in * args->n_out), sight.shift};
  }
  return multiply(device, args->type, p);
}

LAC_ENTRY(planes_convolve, LacConvolve, forward)

template <typename Real>
static LacStatus
reverse_image(CudaDevice *device, const LacConvolve *args)
{
  const LacPlaneShape shape = lac_plane_shape(args->side);
  Product<Real>       p = product_of<Real>(args);

  p.b = static_cast<const Real *>(args->y_bar);
  p.c = static_cast<Real *>(args->x_bar);
  p.n_phases = 1;
  p.n_taps = (unsigned) lac_plane_taps(args->doubles);
  p.n_rows = args->n_in;
  p.depth = args->n_out;
  p.a_row = args->n_out;
  p.a_depth = 1;
  for (size_t tap = 0; tap < p.n_taps; tap++) {
    const LacPlaneSight sight = lac_plane_sight(args->doubles, tap, shape.pitch);

    p.taps[tap] = {(ptrdiff_t) (tap * args->n_in * args->n_out),
                   (ptrdiff_t) (sight.phase * args->n_out * shape.stride) - sight.shift};
  }
  return multiply(device, args->type, p);
}

LAC_ENTRY(planes_convolve_reverse_image, LacConvolve, reverse_image)
