/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural losses: of some slots at a time, each a room of maps, one after the other of both losses and of the scales. The
 * windows are applied along columns, then along rows; their adjoint the other way round. */
#include "backend/structure.h"
#include "cuda/waves.cuh"

/* Maps of a room; the images and their derivatives have those of all scales. */
enum { IMAGE = 0, TRUTH = 2, BAR = 4, WINDOWS = 6, SLOPES = 11, VALUES = 14 };
static_assert(VALUES + 1 == LAC_WAVE_MAPS, "the last map");

struct Structure {
  LacWaves           w;
  size_t             first; /* the slot of the first room */
  bool               adds;  /* to the loss before */
  double             weight, window[LAC_STRUCTURE_WINDOW];
  LacStructureScales scales;
  unsigned           scale;
  double            *numbers; /* [room][2][LAC_STRUCTURE_SCALES]: means, slopes */
};

__device__ static inline double *
map_of(const Structure &s, int which)
{
  return s.w.maps +
         ((size_t) blockIdx.y * LAC_WAVE_MAPS + (size_t) which) * s.w.detector * s.w.detector;
}

/* An image at the current scale. */
__device__ static inline double *
image_of(const Structure &s, int which)
{
  return map_of(s, which) + s.scales.at[s.scale];
}

__device__ static inline double *
numbers_of(const Structure &s)
{
  return s.numbers + (size_t) blockIdx.y * 2 * LAC_STRUCTURE_SCALES;
}

__device__ static inline double *
result_of(const Structure &s)
{
  return s.w.dissimilarities + (s.first + blockIdx.y) * (1 + s.w.detector * s.w.detector);
}

__device__ static inline bool
is_measured(const Structure &s, size_t i)
{
  const LacWaveSlot seen = s.w.slots[s.first + blockIdx.y];

  return seen.visit >= 0 &&
         s.w.amplitudes[(size_t) seen.visit * s.w.detector * s.w.detector + i] >= 0;
}

/* Pixels that were not measured, and empty slots, have the same value in both images. */
template <typename Real>
__global__ static void
images_kernel(Structure s)
{
  const size_t n = s.w.detector * s.w.detector, slot = s.first + blockIdx.y;
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const double scale = (double) s.w.detector / (double) s.w.grid;

  if (i >= n)
    return;
  const bool        known = is_measured(s, i);
  const Pair<Real> *fields = static_cast<const Pair<Real> *>(s.w.fields) + slot * s.w.n_along * n;
  map_of(s, IMAGE)[i] = known ? scale * amplitude_at(s.w, fields, i) : 0;
  map_of(s, TRUTH)[i] = known ? scale * s.w.amplitudes[(size_t) s.w.slots[slot].visit * n + i] : 0;
}

/* The next scale of both images. */
__global__ static void
halve_kernel(Structure s)
{
  const size_t side = s.scales.side[s.scale], half = s.scales.side[s.scale + 1];
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i >= half * half)
    return;
  for (int which = IMAGE; which <= TRUTH; which += TRUTH - IMAGE) {
    const double *four = image_of(s, which) + 2 * (i / half) * side + 2 * (i % half);

    map_of(s, which)[s.scales.at[s.scale + 1] + i] =
      (four[0] + four[1] + four[side] + four[side + 1]) / 4;
  }
}

/* Moments within windows along columns. */
__global__ static void
windows_kernel(Structure s)
{
  const size_t  side = s.scales.side[s.scale];
  const size_t  i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const double *image = image_of(s, IMAGE), *truth = image_of(s, TRUTH);
  double        sums[5] = {0};

  if (i >= side * side)
    return;
  for (int k = 0; k < LAC_STRUCTURE_WINDOW; k++) {
    const size_t row = lac_structure_mirror((ptrdiff_t) (i / side) + k - LAC_STRUCTURE_REACH, side);
    const double x = image[row * side + i % side], y = truth[row * side + i % side];
    const double moments[5] = {x, y, x * x, y * y, x * y};

    for (int m = 0; m < 5; m++)
      sums[m] += s.window[k] * moments[m];
  }
  for (int m = 0; m < 5; m++)
    map_of(s, WINDOWS + m)[i] = sums[m];
}

/* The windows along rows; similarity and its derivatives. */
__global__ static void
similarity_kernel(Structure s)
{
  const size_t side = s.scales.side[s.scale];
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  double       sums[5] = {0};

  if (i >= side * side)
    return;
  for (int k = 0; k < LAC_STRUCTURE_WINDOW; k++) {
    const size_t column =
      lac_structure_mirror((ptrdiff_t) (i % side) + k - LAC_STRUCTURE_REACH, side);

    for (int m = 0; m < 5; m++)
      sums[m] += s.window[k] * map_of(s, WINDOWS + m)[i / side * side + column];
  }
  const LacSimilarity found = lac_similarity_find(sums[0], sums[1], sums[2], sums[3], sums[4],
                                                  lac_structure_has_luminance(&s.scales, s.scale));
  map_of(s, SLOPES)[i] = found.by_x;
  map_of(s, SLOPES + 1)[i] = found.by_xx;
  map_of(s, SLOPES + 2)[i] = found.by_xy;
  map_of(s, VALUES)[i] = found.value;
}

/* One block of a room: the mean of the scale, and after the last one the loss. */
__global__ static void
mean_kernel(Structure s)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t  n = s.scales.side[s.scale] * s.scales.side[s.scale];
  const double *values = map_of(s, VALUES);
  double       *means = numbers_of(s), *to = result_of(s), sum = 0;

  for (size_t i = threadIdx.x; i < n; i += PLANE_THREADS)
    sum += values[i];
  sum = sum_for_block(sum, warps);
  if (threadIdx.x > 0)
    return;
  means[s.scale] = sum / (double) n;
  if (s.scale + 1 < s.scales.n)
    return;
  const double similarity = lac_structure_combine(&s.scales, means, means + LAC_STRUCTURE_SCALES);
  *to = (s.adds ? *to : 0) + s.weight * (1 - similarity) / 2;
}

/* The sum over the windows that see element @i of n, by what they have at get(window). */
template <typename Get>
__device__ static inline double
sum_windows(const Structure &s, size_t i, size_t n, Get get)
{
  const ptrdiff_t at = (ptrdiff_t) i, last = (ptrdiff_t) n - 1;
  double          sum = 0;

  for (int k = -LAC_STRUCTURE_REACH; k <= LAC_STRUCTURE_REACH; k++) {
    const ptrdiff_t direct = at - k, low = -at - k, high = 2 * last - at - k;
    double          seen = 0;

    if (direct >= 0 && direct <= last)
      seen += get((size_t) direct);
    if (at > 0 && low >= 0 && low <= last)
      seen += get((size_t) low);
    if (at < last && high >= 0 && high <= last)
      seen += get((size_t) high);
    sum += s.window[k + LAC_STRUCTURE_REACH] * seen;
  }
  return sum;
}

__global__ static void
back_rows_kernel(Structure s)
{
  const size_t side = s.scales.side[s.scale];
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i >= side * side)
    return;
  for (int m = 0; m < 3; m++) {
    const double *from = map_of(s, SLOPES + m) + i / side * side;

    map_of(s, WINDOWS + m)[i] =
      sum_windows(s, i % side, side, [&](size_t column) { return from[column]; });
  }
}

/* The derivatives of the scale, with those of the next one. */
__global__ static void
back_columns_kernel(Structure s)
{
  const size_t side = s.scales.side[s.scale];
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  double       found[3], bar = 0;

  if (i >= side * side)
    return;
  for (int m = 0; m < 3; m++) {
    const double *from = map_of(s, WINDOWS + m) + i % side;

    found[m] = sum_windows(s, i / side, side, [&](size_t row) { return from[row * side]; });
  }
  if (s.scale + 1 < s.scales.n) {
    const size_t half = side / 2, row = i / side / 2, column = i % side / 2;

    if (row < half && column < half)
      bar = map_of(s, BAR)[s.scales.at[s.scale + 1] + row * half + column] / 4;
  }
  const double weight = numbers_of(s)[LAC_STRUCTURE_SCALES + s.scale] / (double) (side * side);
  image_of(s, BAR)[i] = bar + weight * (found[0] + 2 * image_of(s, IMAGE)[i] * found[1] +
                                        image_of(s, TRUTH)[i] * found[2]);
}

__global__ static void
result_kernel(Structure s)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const double scale = (double) s.w.detector / (double) s.w.grid;

  if (i >= s.w.detector * s.w.detector)
    return;
  double *to = result_of(s) + 1 + i;
  *to = (s.adds ? *to : 0) + (is_measured(s, i) ? -s.weight * scale / 2 * map_of(s, BAR)[i] : 0);
}

#define RUN(kernel, side)                                                                          \
  LAC_TRY(launch(kernel, dim3(blocks_for((side) * (side), PLANE_THREADS), n_rooms), PLANE_THREADS, \
                 0, device->stream, s))

static LacStatus
find_similarity(CudaDevice *device, const Structure &s, unsigned n_rooms)
{
  const size_t side = s.scales.side[s.scale];

  RUN(windows_kernel, side);
  RUN(similarity_kernel, side);
  return LAC_STATUS_OK;
}

/* One of the losses. */
static LacStatus
add_loss(CudaDevice *device, Structure s, int is_plain, unsigned n_rooms)
{
  const size_t side = s.w.detector;

  s.scales = lac_structure_find_scales(side, is_plain);
  s.scale = 0;
  RUN(s.w.type == LAC_F32 ? images_kernel<float> : images_kernel<double>, side);
  for (s.scale = 0; s.scale < s.scales.n; s.scale++) {
    LAC_TRY(find_similarity(device, s, n_rooms));
    RUN(mean_kernel, 1);
    if (s.scale + 1 < s.scales.n)
      RUN(halve_kernel, s.scales.side[s.scale + 1]);
  }
  while (s.scale-- > 0) {
    if (s.scale + 1 < s.scales.n) /* the last one is still there */
      LAC_TRY(find_similarity(device, s, n_rooms));
    RUN(back_rows_kernel, s.scales.side[s.scale]);
    RUN(back_columns_kernel, s.scales.side[s.scale]);
  }
  RUN(result_kernel, side);
  return LAC_STATUS_OK;
}
#undef RUN

LacStatus
waves_structure_cuda(void *self, const LacWaves *args)
{
  CudaDevice  *device = device_of(self);
  const double weights[] = {args->weight_ms_ssim, args->weight_ssim}; /* by is_plain */
  Structure    s = {};

  s.w = *args;
  s.numbers = reinterpret_cast<double *>(device->scratch);
  lac_structure_make_window(s.window);
  if (args->n_maps * 2 * LAC_STRUCTURE_SCALES * sizeof(double) > CUDA_SCRATCH_BYTES)
    return LAC_STATUS_UNSUPPORTED;
  for (; s.first < args->n_slots; s.first += args->n_maps) {
    const size_t left = args->n_slots - s.first;

    s.adds = false;
    for (int is_plain = 0; is_plain < 2; is_plain++) {
      s.weight = weights[is_plain];
      if (s.weight == 0)
        continue;
      LAC_TRY(
        add_loss(device, s, is_plain, (unsigned) (left < args->n_maps ? left : args->n_maps)));
      s.adds = true;
    }
  }
  return LAC_STATUS_OK;
}
