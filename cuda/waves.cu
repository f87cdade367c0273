/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the object to the detector and back, each pass over a field fused with the operations before and after its
 * transform: masks, signs, scales, the comparison. Each element is written by one thread; contributions of several
 * stops to a pixel are added in their order. */
#include "cuda/waves.cuh"

__device__ static inline double
sign_of(size_t n)
{
  return n % 2 ? -1.0 : 1.0;
}

/* Element i of the object; 0 outside the mask. */
__device__ static inline Pair<double>
object_at(const LacWaves &w, size_t i)
{
  const double size = w.offset + w.gain * w.picture[i];

  if (w.mask && w.mask[i] == 0)
    return {0, 0};
  if (!w.phase)
    return {size, 0};
  return {size * cos(w.phase[i]), size * sin(w.phase[i])};
}

template <typename Real>
__global__ static void
object_kernel(LacWaves w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x,
               start = (w.grid - w.support) / 2;
  Pair<double> value = {0, 0};

  if (i >= w.grid * w.grid)
    return;
  const size_t row = i / w.grid, column = i % w.grid;
  if (row >= start && row < start + w.support && column >= start && column < start + w.support)
    value = object_at(w, (row - start) * w.support + column - start);
  static_cast<Pair<Real> *>(w.field)[i] = {(Real) (sign_of(row + column) * value.re),
                                           (Real) (sign_of(row + column) * value.im)};
}

/* Returns the index of pixel k of k-space in the box that begins at a corner; the box's width if outside. */
__device__ static inline size_t
in_box(ptrdiff_t k, int32_t corner, size_t box)
{
  return k >= corner && k < corner + (ptrdiff_t) box ? (size_t) (k - corner) : box;
}

/* Element r of the detector's transform is the pixel k of the box with k = r mod d. Returns: its index in the box, or
 * the box's width */
__device__ static inline size_t
unfold(size_t r, int32_t corner, size_t detector, size_t box)
{
  const ptrdiff_t d = (ptrdiff_t) detector, rest = ((ptrdiff_t) r - corner) % d;
  const size_t    at = (size_t) (rest < 0 ? rest + d : rest);

  return at < box ? at : box;
}

template <typename Real>
__device__ static inline Pair<Real>
pupil_at(const LacWaves &w, size_t i)
{
  if (!w.pupil)
    return {1, 0};
  return {(Real) w.pupil[2 * i], (Real) w.pupil[2 * i + 1]};
}

template <typename Real>
__global__ static void
stops_kernel(LacWaves w)
{
  const size_t      i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t      n = w.detector * w.detector, slot = blockIdx.y / w.n_along;
  const LacWaveSlot seen = w.slots[slot];
  Pair<Real>        value = {0, 0};

  if (i >= n)
    return;
  if (seen.visit >= 0) {
    const size_t   stop = (size_t) seen.visit * w.n_along + blockIdx.y % w.n_along;
    const int32_t *corner = w.corners + 2 * stop;
    const size_t   y = unfold(i / w.detector, corner[0], w.detector, w.box),
                 x = unfold(i % w.detector, corner[1], w.detector, w.box);

    if (y < w.box && x < w.box && w.passes[stop * w.box * w.box + y * w.box + x]) {
      const ptrdiff_t half = (ptrdiff_t) (w.grid / 2);
      const size_t    row = (size_t) (corner[0] + (ptrdiff_t) y + half),
                   column = (size_t) (corner[1] + (ptrdiff_t) x + half);
      const Real       scale = (Real) (1 / ((double) w.grid * (double) w.detector));
      const Pair<Real> from = static_cast<const Pair<Real> *>(w.field)[row * w.grid + column];

      value = times(pupil_at<Real>(w, y * w.box + x), from);
      value = {scale * value.re, scale * value.im};
    }
  }
  static_cast<Pair<Real> *>(w.fields)[blockIdx.y * n + i] = value;
}

/* Factors from distances to a loss. */
typedef struct {
  double l1, l2;
} Scales;

__device__ static inline Scales
scales_of(const LacWaves &w, double count, double size, double energy, double floor)
{
  if (count == 0)
    return {0, 0};
  if (!w.normalised)
    return {w.weight_l1 / count, w.weight_l2 / count};
  return {w.weight_l1 / (size + count * (floor + 1e-8)),
          w.weight_l2 / (energy + count * (floor * floor + 1e-8))};
}

/* Sums over the pixels of a slot. */
enum { COUNT, SIZE, ENERGY, OFF_SIZE, DISTANCE, EXPECTED, VARIANCE, N_SUMS };

/* Several blocks per slot, each with a part of its pixels. parts: [n_slots][gridDim.x][N_SUMS] */
template <typename Real>
__global__ static void
measure_kernel(LacWaves w, double *parts)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      n = w.detector * w.detector, slot = blockIdx.y;
  const LacWaveSlot seen = w.slots[slot];
  const Pair<Real> *fields = static_cast<const Pair<Real> *>(w.fields) + slot * w.n_along * n;
  double            sums[N_SUMS] = {0};

  if (seen.visit < 0)
    return;
  const size_t first = (size_t) seen.visit * n;
  for (size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x; i < n;
       i += (size_t) gridDim.x * PLANE_THREADS) {
    const double m = w.amplitudes[first + i], a = amplitude_at(w, fields, i);
    const double e = w.noise ? expect(w, first + i, a) : 0;

    if (m < 0)
      continue;
    sums[COUNT] += 1;
    sums[SIZE] += m;
    sums[ENERGY] += m * m;
    sums[OFF_SIZE] += fabs(a - m);
    sums[DISTANCE] += (a - m) * (a - m);
    sums[EXPECTED] += e;
    sums[VARIANCE] += 2 * e * e;
  }
  LAC_UNROLLED
  for (int k = 0; k < N_SUMS; k++) {
    const double sum = sum_for_block(sums[k], warps);

    if (threadIdx.x == 0)
      parts[(slot * gridDim.x + blockIdx.x) * N_SUMS + (size_t) k] = sum;
  }
}

/* The derivatives in place of the fields, with the same blocks. */
template <typename Real>
__global__ static void
compare_kernel(LacWaves w, const double *parts)
{
  LAC_SHARED(double, sums, N_SUMS);
  const size_t      n = w.detector * w.detector, slot = blockIdx.y;
  const LacWaveSlot seen = w.slots[slot];
  Pair<Real>       *fields = static_cast<Pair<Real> *>(w.fields) + slot * w.n_along * n;

  if (seen.visit < 0) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
      w.misfits[slot] = {0, 0, 0, 0, 0};
    return;
  }
  if (threadIdx.x < N_SUMS) {
    sums[threadIdx.x] = 0;
    for (size_t part = 0; part < gridDim.x; part++)
      sums[threadIdx.x] += parts[(slot * gridDim.x + part) * N_SUMS + threadIdx.x];
  }
  __syncthreads();
  const Scales scales =
    scales_of(w, sums[COUNT], sums[SIZE], sums[ENERGY], sqrt(sums[EXPECTED] / (double) n));
  const double *others = w.dissimilarities ? w.dissimilarities + slot * (1 + n) : NULL;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    w.misfits[slot] = {scales.l1 * sums[OFF_SIZE] + scales.l2 * sums[DISTANCE] +
                         (others ? others[0] : 0),
                       sums[DISTANCE], sums[EXPECTED], sums[VARIANCE], sums[ENERGY]};
  for (size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x; i < n;
       i += (size_t) gridDim.x * PLANE_THREADS) {
    const double m = w.amplitudes[(size_t) seen.visit * n + i], a = amplitude_at(w, fields, i);
    const double off = m < 0 ? 0 : a - m;
    const double bar = scales.l1 * (double) ((off > 0) - (off < 0)) + scales.l2 * 2 * off +
                       (others ? others[1 + i] : 0);
    const Real factor = (Real) (a > 0 ? bar / ((double) w.n_along * a) : 0);

    for (size_t k = 0; k < w.n_along; k++) {
      const Pair<Real> u = fields[k * n + i];

      fields[k * n + i] = {factor * u.re, factor * u.im};
    }
  }
}

/* Few slots share the device, each by several blocks. */
template <typename Real>
static LacStatus
compare(CudaDevice *device, const LacWaves *args)
{
  const size_t n_slots = args->n_slots, n = args->detector * args->detector;
  const size_t most = CUDA_SCRATCH_BYTES / (N_SUMS * sizeof(double) * (n_slots ? n_slots : 1));
  const size_t each = n_slots ? device->wanted_blocks / n_slots : 1,
               all = blocks_for(n, PLANE_THREADS);
  const size_t wanted = each < all ? each : all, n_parts = wanted < most ? wanted : most;
  const dim3   blocks((unsigned) (n_parts ? n_parts : 1), (unsigned) n_slots);
  double      *parts = reinterpret_cast<double *>(device->scratch);

  if (most == 0)
    return LAC_STATUS_UNSUPPORTED;
  LAC_TRY(launch(measure_kernel<Real>, blocks, PLANE_THREADS, 0, device->stream, *args, parts));
  return launch(compare_kernel<Real>, blocks, PLANE_THREADS, 0, device->stream, *args, parts);
}

LAC_ENTRY(waves_compare, LacWaves, compare)

template <typename Real>
__global__ static void
gather_kernel(LacWaves w)
{
  const size_t    i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t    n = w.detector * w.detector, n_box = w.box * w.box;
  const ptrdiff_t half = (ptrdiff_t) (w.grid / 2), d = (ptrdiff_t) w.detector;
  const Real      scale = (Real) (1 / ((double) w.grid * (double) w.detector));
  Pair<Real>      sum = {0, 0};

  if (i >= w.grid * w.grid)
    return;
  const ptrdiff_t ky = (ptrdiff_t) (i / w.grid) - half, kx = (ptrdiff_t) (i % w.grid) - half;
  const size_t    row = (size_t) ((ky % d + d) % d), column = (size_t) ((kx % d + d) % d);
  for (size_t slot = 0; slot < w.n_slots; slot++) {
    const LacWaveSlot seen = w.slots[slot];

    if (seen.visit < 0 || seen.rests)
      continue;
    for (size_t a = 0; a < w.n_along; a++) {
      const size_t stop = (size_t) seen.visit * w.n_along + a;
      const size_t y = in_box(ky, w.corners[2 * stop], w.box),
                   x = in_box(kx, w.corners[2 * stop + 1], w.box);

      if (y == w.box || x == w.box || !w.passes[stop * n_box + y * w.box + x])
        continue;
      const Pair<Real> p = pupil_at<Real>(w, y * w.box + x);
      const Pair<Real> from = static_cast<const Pair<Real> *>(
        w.fields)[(slot * w.n_along + a) * n + row * w.detector + column];
      const Pair<Real> said = times({p.re, -p.im}, from);

      sum = {sum.re + said.re, sum.im + said.im};
    }
  }
  Pair<Real>      *field = static_cast<Pair<Real> *>(w.field) + i;
  const Pair<Real> before = w.accumulates ? *field : Pair<Real>{0, 0};

  *field = {before.re + scale * sum.re, before.im + scale * sum.im};
}

template <typename Real>
__global__ static void
bars_kernel(LacWaves w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x,
               start = (w.grid - w.support) / 2;

  if (i >= w.support * w.support)
    return;
  const size_t     row = i / w.support, column = i % w.support;
  const double     weight = w.mask && w.mask[i] == 0 ? 0 : *w.weight * sign_of(row + column);
  const Pair<Real> from =
    static_cast<const Pair<Real> *>(w.field)[(start + row) * w.grid + start + column];
  const Pair<double> bar = {weight * (double) from.re, -weight * (double) from.im};
  const Pair<double> turn =
    w.phase ? Pair<double>{cos(w.phase[i]), sin(w.phase[i])} : Pair<double>{1, 0};

  w.picture_bar[i] = w.gain * times(bar, turn).re;
  if (w.phase)
    w.phase_bar[i] = -times(bar, object_at(w, i)).im;
}

/* Grids over the whole grid, the object, the fields, the slots. */
#define WAVES(name, n_blocks_x, n_blocks_y)                                                 \
  LacStatus waves_##name##_cuda(void *self, const LacWaves *args)                           \
  {                                                                                         \
    return launch(args->type == LAC_F32 ? name##_kernel<float> : name##_kernel<double>,     \
                  dim3((unsigned) (n_blocks_x), (unsigned) (n_blocks_y)), PLANE_THREADS, 0, \
                  stream_of(self), *args);                                                  \
  }
WAVES(object, blocks_for(args->grid * args->grid, PLANE_THREADS), 1)
WAVES(stops,
      blocks_for(args->detector * args->detector, PLANE_THREADS),
      args->n_slots * args->n_along)
WAVES(gather, blocks_for(args->grid * args->grid, PLANE_THREADS), 1)
WAVES(bars, blocks_for(args->support * args->support, PLANE_THREADS), 1)
#undef WAVES
