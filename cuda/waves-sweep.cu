/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survey and sweep: the kernels of one step of waves.cu and waves-transform.cu over some slots at a time. A survey takes
 * as many as there is room for; a sweep takes one after the other, each of its kernels over the pixels of that slot. */
#include "cuda/waves.cuh"

/* One slot per block: its distances. */
template <typename Real>
__global__ static void
distances_kernel(LacWaveSweep w)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      n = w.detector * w.detector;
  const LacWaveSlot seen = w.slots[blockIdx.x];
  const Pair<Real> *fields = static_cast<const Pair<Real> *>(w.fields) + blockIdx.x * w.n_along * n;
  LacWaveDistance   sum = {0, 0, 0, 0, 0, 0, 0};

  if (seen.visit < 0) {
    if (threadIdx.x == 0)
      w.distances[blockIdx.x] = sum;
    return;
  }
  const size_t first = (size_t) seen.visit * n;
  for (size_t i = threadIdx.x; i < n; i += PLANE_THREADS) {
    const double m = w.amplitudes[first + i], a = amplitude_at(w, fields, i);
    const bool   is_held_out = m <= LAC_WAVE_HELD_OUT;
    const double all = is_held_out ? LAC_WAVE_HELD_OUT - m : m;
    const double value = w.sees_amplitudes ? all : all * all;
    const double off = (w.sees_amplitudes ? a : a * a) - value;

    if (m < 0 && !is_held_out)
      continue;
    sum.residual += off * off;
    sum.scale += value * value;
    if (is_held_out) {
      sum.held_out += (a - all) * (a - all);
      continue;
    }
    const double e = w.noise ? expect(w, first + i, a) : 0;
    sum.distance += (a - m) * (a - m);
    sum.energy += m * m;
    sum.expected += e;
    sum.variance += 2 * e * e;
  }
  sum.distance = sum_for_block(sum.distance, warps);
  sum.expected = sum_for_block(sum.expected, warps);
  sum.variance = sum_for_block(sum.variance, warps);
  sum.energy = sum_for_block(sum.energy, warps);
  sum.held_out = sum_for_block(sum.held_out, warps);
  sum.residual = sum_for_block(sum.residual, warps);
  sum.scale = sum_for_block(sum.scale, warps);
  if (threadIdx.x == 0)
    w.distances[blockIdx.x] = sum;
}

/* The fields of one slot become (m / a - 1) u. */
template <typename Real>
__global__ static void
subtract_kernel(LacWaveSweep w)
{
  const size_t      i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t      n = w.detector * w.detector;
  const LacWaveSlot seen = w.slots[0];
  Pair<Real>       *fields = static_cast<Pair<Real> *>(w.fields);

  if (i >= n || seen.visit < 0 || seen.rests)
    return;
  const double m = w.amplitudes[(size_t) seen.visit * n + i], a = amplitude_at(w, fields, i);
  const Real   factor = (Real) (m >= 0 && a > w.dark ? m / a - 1 : 0);
  for (size_t k = 0; k < w.n_along; k++) {
    const Pair<Real> u = fields[k * n + i];

    fields[k * n + i] = {factor * u.re, factor * u.im};
  }
}

/* A pixel that a stop of the first slot passes: its places in field and detector. */
struct Place {
  size_t field, fields;
};

/* Returns: false when the slot is not followed, or the stop does not pass pixel @i of its box. */
__device__ static inline bool
find_place(const LacWaveSweep &w, size_t along, size_t i, Place *place)
{
  const LacWaveSlot seen = w.slots[0];
  const ptrdiff_t   half = (ptrdiff_t) (w.grid / 2), d = (ptrdiff_t) w.detector;

  if (i >= w.box * w.box || seen.visit < 0 || seen.rests)
    return false;
  const size_t stop = (size_t) seen.visit * w.n_along + along;
  if (!w.passes[stop * w.box * w.box + i])
    return false;
  const ptrdiff_t ky = w.corners[2 * stop] + (ptrdiff_t) (i / w.box),
                  kx = w.corners[2 * stop + 1] + (ptrdiff_t) (i % w.box);
  place->field = (size_t) (ky + half) * w.grid + (size_t) (kx + half);
  place->fields =
    along * w.detector * w.detector + (size_t) (((ky % d + d) % d) * d + (kx % d + d) % d);
  return true;
}

__device__ static inline double
square(double re, double im)
{
  return re * re + im * im;
}

/* Returns, in every thread, the largest of a block of PLANE_THREADS. @warps: as for sum_for_block() */
__device__ static inline double
largest_for_block(double value, double *warps)
{
  for (unsigned reach = 16; reach > 0; reach /= 2)
    value = fmax(value, __shfl_xor_sync(0xffffffffu, value, (int) reach));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned k = 0; k < PLANE_WARPS; k++)
    value = fmax(value, warps[k]);
  __syncthreads();
  return value;
}

/* Updates the pupil and replaces D by conj(P) D, with P before that. Every block finds the largest |O|^2. */
template <typename Real>
__global__ static void
pupil_kernel(LacWaveSweep w, size_t along)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const Pair<Real> *field = static_cast<const Pair<Real> *>(w.field);
  Pair<Real>       *fields = static_cast<Pair<Real> *>(w.fields);
  const double      n = (double) w.grid, d = (double) w.detector;
  double            largest = 0;
  Place             place;

  for (size_t k = threadIdx.x; k < w.box * w.box; k += PLANE_THREADS)
    if (find_place(w, along, k, &place))
      largest =
        fmax(largest, square((double) field[place.field].re, (double) field[place.field].im));
  largest = largest_for_block(largest, warps);
  if (!find_place(w, along, i, &place))
    return;
  const double oy = (double) field[place.field].re / n, ox = (double) field[place.field].im / n;
  const double re = (double) fields[place.fields].re / d, im = (double) fields[place.fields].im / d;
  const double scale = (1 - w.share) * square(oy, ox) + w.share * largest / (n * n);
  const double step = scale > 0 ? *w.pupil_length / scale : 0;
  const double py = w.pupil[2 * i], px = w.pupil[2 * i + 1];
  const double y = py + step * (oy * re + ox * im), x = px + step * (oy * im - ox * re);
  const double size = sqrt(square(y, x));
  w.pupil[2 * i] = size > 0 ? y / size : 1;
  w.pupil[2 * i + 1] = size > 0 ? x / size : 0;
  fields[place.fields] = {(Real) (d * (py * re + px * im)), (Real) (d * (py * im - px * re))};
}

/* Returns the place of the change of O: O itself, or apart for a constrained object. */
__device__ static inline void *
changed_by(const LacWaveSweep &w)
{
  return w.object.values ? w.object.change : w.field;
}

/* O <- O + length conj(P) D; without the pupil where D is already its product. */
template <typename Real>
__global__ static void
follow_kernel(LacWaveSweep w, size_t along)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const bool   has_pupil = w.pupil && !w.pupil_length;
  Place        place;

  if (!find_place(w, along, i, &place))
    return;
  const Real       length = (Real) (w.lengths[0] * (double) w.grid / (double) w.detector);
  const Pair<Real> p = {(Real) (has_pupil ? w.pupil[2 * i] : 1),
                        (Real) (has_pupil ? -w.pupil[2 * i + 1] : 0)};
  const Pair<Real> step = times(p, static_cast<const Pair<Real> *>(w.fields)[place.fields]);
  Pair<Real>      *field = static_cast<Pair<Real> *>(changed_by(w)) + place.field;
  *field = {field->re + length * step.re, field->im + length * step.im};
}

/* ---- a constrained object ---- */

/* Writes the object into the field, with zeros around it and the origin of k-space in the middle, and clears a change. */
template <typename Real>
__global__ static void
place_kernel(LacWaveSweep w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t n = w.grid, s = w.object.support, start = (n - s) / 2;

  if (i >= n * n)
    return;
  const size_t y = i / n, x = i % n;
  Pair<Real>   o = {0, 0};
  if (y >= start && y < start + s && x >= start && x < start + s) {
    const double *value = w.object.values + 2 * ((y - start) * s + x - start);
    const double  sign = (y + x) % 2 ? -1 : 1;

    o = {(Real) (sign * value[0]), (Real) (sign * value[1])};
  }
  static_cast<Pair<Real> *>(w.field)[i] = o;
  if (w.object.change)
    static_cast<Pair<Real> *>(w.object.change)[i] = {0, 0};
}

/* Adds the transformed change to the object, and projects it. @by_slot: not when the first slot is not followed */
template <typename Real>
__global__ static void
update_kernel(LacWaveSweep w, bool by_slot)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t n = w.grid, s = w.object.support, start = (n - s) / 2;

  if (i >= s * s || (by_slot && (w.slots[0].visit < 0 || w.slots[0].rests)))
    return;
  const size_t     y = start + i / s, x = start + i % s;
  const Pair<Real> change = static_cast<const Pair<Real> *>(w.object.change)[y * n + x];
  const double     scale = ((y + x) % 2 ? -1 : 1) / ((double) n * (double) n);
  double           re = w.object.values[2 * i] + scale * (double) change.re,
         im = w.object.values[2 * i + 1] + scale * (double) change.im;
  lac_wave_prior_project(&w.object.prior, &re, &im);
  if (w.object.mask && w.object.mask[i] == 0)
    re = im = 0;
  w.object.values[2 * i] = re;
  w.object.values[2 * i + 1] = im;
}

/* ---- exit waves ---- */

/* A pixel of one slot in each block column: the place of its fields, and of its wave. */
struct Exit {
  size_t pixel, fields, wave;
};

/* Returns: false beyond the detector, and at an empty slot. */
__device__ static inline bool
find_exit(const LacWaveSweep &w, Exit *exit)
{
  const size_t n = w.detector * w.detector, i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const LacWaveSlot seen = w.slots[blockIdx.y];

  if (i >= n || seen.visit < 0)
    return false;
  *exit = {(size_t) seen.visit * n + i, (size_t) blockIdx.y * w.n_along * n + i,
           (size_t) seen.visit * w.n_along * n + i};
  return true;
}

/* Returns the factor of the fields of a pixel that moves its amplitude to the measured one. */
template <typename Real>
__device__ static inline double
factor_of(const LacWaveSweep &w, const Pair<Real> *fields, const Exit &exit)
{
  const double m = w.amplitudes[exit.pixel];
  const double a = amplitude_at(w, fields + exit.fields, 0);

  if (w.slots[blockIdx.y].rests || !(m >= 0 && a > w.dark))
    return 1;
  const double share = w.within_noise ? lac_wave_distance_get_share(&w.distances[blockIdx.y]) : 1;
  return 1 + share * (m / a - 1);
}

/* fields = of_field fields + of_wave psi; a factor 0 reads nothing. */
template <typename Real>
__global__ static void
mix_kernel(LacWaveSweep w, const void *x, Real of_field, Real of_wave, void *y)
{
  const size_t      n = w.detector * w.detector;
  const Pair<Real> *fields = static_cast<const Pair<Real> *>(x);
  const Pair<Real> *waves = static_cast<const Pair<Real> *>(w.waves);
  Exit              exit;

  if (!find_exit(w, &exit))
    return;
  for (size_t k = 0; k < w.n_along; k++) {
    const Pair<Real> psi = waves[exit.wave + k * n];
    const Pair<Real> u = of_field != 0 ? fields[exit.fields + k * n] : Pair<Real>{0, 0};

    static_cast<Pair<Real> *>(y)[exit.fields + k * n] = {of_field * u.re + of_wave * psi.re,
                                                         of_field * u.im + of_wave * psi.im};
  }
}

/* Fields that are psi become measured M psi + wave psi. */
template <typename Real>
__global__ static void
measure_kernel(LacWaveSweep w)
{
  const size_t n = w.detector * w.detector;
  Pair<Real>  *fields = static_cast<Pair<Real> *>(w.fields);
  Exit         exit;

  if (!find_exit(w, &exit))
    return;
  const double projected = w.factors.measured != 0 ? factor_of(w, fields, exit) : 0;
  const Real   factor = (Real) (w.factors.measured * projected + w.factors.wave);
  for (size_t k = 0; k < w.n_along; k++) {
    const Pair<Real> psi = fields[exit.fields + k * n];

    fields[exit.fields + k * n] = {factor * psi.re, factor * psi.im};
  }
}

/* Adds the transformed fields of the slots, in order, and counts the stops; with @anew, to zero. */
template <typename Real>
__global__ static void
collect_kernel(LacWaveSweep w, bool anew)
{
  const size_t    i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t    n = w.detector * w.detector, n_box = w.box * w.box;
  const ptrdiff_t half = (ptrdiff_t) (w.grid / 2), d = (ptrdiff_t) w.detector;
  const Real      scale = (Real) (1 / ((double) w.grid * (double) w.detector));

  if (i >= w.grid * w.grid)
    return;
  const ptrdiff_t ky = (ptrdiff_t) (i / w.grid) - half, kx = (ptrdiff_t) (i % w.grid) - half;
  const size_t    place = (size_t) (((ky % d + d) % d) * d + (kx % d + d) % d);
  Pair<Real>     &change = static_cast<Pair<Real> *>(w.object.change)[i];
  Pair<Real>      sum = anew ? Pair<Real>{0, 0} : change;
  double          weight = anew || !w.weights ? 0 : w.weights[i];
  for (size_t k = 0; k < w.n_slots * w.n_along; k++) {
    const LacWaveSlot seen = w.slots[k / w.n_along];

    if (seen.visit < 0 || seen.rests)
      continue;
    const size_t    stop = (size_t) seen.visit * w.n_along + k % w.n_along;
    const ptrdiff_t y = ky - w.corners[2 * stop], x = kx - w.corners[2 * stop + 1];
    const ptrdiff_t box = (ptrdiff_t) w.box;
    if (y < 0 || x < 0 || y >= box || x >= box || !w.passes[stop * n_box + (size_t) (y * box + x)])
      continue;
    const double    *pupil = w.pupil ? w.pupil + 2 * (y * box + x) : NULL;
    const Pair<Real> p = {(Real) (pupil ? pupil[0] : 1), (Real) (pupil ? -pupil[1] : 0)};
    const Pair<Real> from = times(p, static_cast<const Pair<Real> *>(w.fields)[k * n + place]);
    sum = {sum.re + scale * from.re, sum.im + scale * from.im};
    weight += 1;
  }
  change = sum;
  if (w.weights)
    w.weights[i] = weight;
}

/* The sum becomes what the field changes by. */
template <typename Real>
__global__ static void
average_kernel(LacWaveSweep w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i >= w.grid * w.grid)
    return;
  const double     weight = w.weights[i];
  const Real       scale = (Real) (weight > 0 ? (double) (w.grid * w.grid) / weight : 0);
  const Pair<Real> field = static_cast<const Pair<Real> *>(w.field)[i];
  Pair<Real>      &change = static_cast<Pair<Real> *>(w.object.change)[i];
  change = weight > 0 ? Pair<Real>{scale * change.re - field.re, scale * change.im - field.im}
                      : Pair<Real>{0, 0};
}

/* psi <- of_wave psi + of_object u + of_measured M v. @u: fields of the slots; the fields of @w are v */
template <typename Real>
__global__ static void
relax_kernel(LacWaveSweep w, const void *u)
{
  const size_t      n = w.detector * w.detector;
  const Pair<Real> *seen = static_cast<const Pair<Real> *>(u);
  const Pair<Real> *moved = static_cast<const Pair<Real> *>(w.fields);
  Pair<Real>       *waves = static_cast<Pair<Real> *>(w.waves);
  Exit              exit;

  if (!find_exit(w, &exit))
    return;
  const Real a = (Real) w.factors.of_wave, b = (Real) w.factors.of_object,
             c = (Real) (w.factors.of_measured * factor_of(w, moved, exit));
  for (size_t k = 0; k < w.n_along; k++) {
    const Pair<Real> s = seen[exit.fields + k * n], v = moved[exit.fields + k * n];
    Pair<Real>      &psi = waves[exit.wave + k * n];

    psi = {a * psi.re + b * s.re + c * v.re, a * psi.im + b * s.im + c * v.im};
  }
}

/* ---- descent ---- */

/* The change, divided by the weights if there are any, in the field. */
template <typename Real>
__global__ static void
divide_kernel(LacWaveSweep w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i >= w.grid * w.grid)
    return;
  const double     weight = w.weights ? w.weights[i] : 1;
  const Real       scale = (Real) (weight > 0 ? (double) (w.grid * w.grid) / weight : 0);
  const Pair<Real> change = static_cast<const Pair<Real> *>(w.object.change)[i];
  static_cast<Pair<Real> *>(w.field)[i] = {scale * change.re, scale * change.im};
}

/* The object from the transformed field. */
template <typename Real>
__global__ static void
crop_kernel(LacWaveSweep w)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t n = w.grid, s = w.object.support, start = (n - s) / 2;

  if (i >= s * s)
    return;
  const size_t     y = start + i / s, x = start + i % s;
  const Pair<Real> value = static_cast<const Pair<Real> *>(w.field)[y * n + x];
  const double     scale = ((y + x) % 2 ? -1 : 1) / ((double) n * (double) n);
  w.object.values[2 * i] = scale * (double) value.re;
  w.object.values[2 * i + 1] = scale * (double) value.im;
}

/* Returns the loss of a pixel of amplitude a; @slope: its derivative divided by the amplitude. */
__device__ static inline double
score_pixel(const LacWaveSweep &w, size_t pixel, double a, double *slope)
{
  const double s = w.likelihood.photons, e = w.likelihood.dark;
  const double m = w.amplitudes[pixel], above = a * a - m * m;

  if (w.likelihood.is_poisson) {
    *slope = 2 * s * above / (a * a + e);
    return s * (above - (m * m + e) * log1p(above / (m * m + e)));
  }
  const double weight = w.sigma ? 1 / (2 * w.sigma[pixel] * w.sigma[pixel]) : 2 * s;
  if (w.sigma && !w.sees_amplitudes) {
    *slope = 4 * weight * above;
    return weight * above * above;
  }
  *slope = a > 0 ? 2 * weight * (1 - m / a) : 0;
  return weight * (a - m) * (a - m);
}

/* One slot per block: its fields become the derivatives of its loss. */
template <typename Real>
__global__ static void
score_kernel(LacWaveSweep w)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      n = w.detector * w.detector;
  const LacWaveSlot seen = w.slots[blockIdx.x];
  Pair<Real>       *fields = static_cast<Pair<Real> *>(w.fields) + blockIdx.x * w.n_along * n;
  const bool        counts = seen.visit >= 0 && !seen.rests;
  double            loss = 0;

  for (size_t i = threadIdx.x; counts && i < n; i += PLANE_THREADS) {
    const size_t pixel = (size_t) seen.visit * n + i;
    double       slope = 0;

    if (w.amplitudes[pixel] >= 0)
      loss += score_pixel(w, pixel, amplitude_at(w, fields, i), &slope);
    const Real factor = (Real) (slope * w.likelihood.scale / (double) w.n_along);
    for (size_t k = 0; k < w.n_along; k++) {
      const Pair<Real> u = fields[k * n + i];

      fields[k * n + i] = {factor * u.re, factor * u.im};
    }
  }
  loss = sum_for_block(loss, warps);
  if (threadIdx.x == 0)
    w.losses[blockIdx.x] = loss * w.likelihood.scale;
}

/* One slot per block. */
template <typename Real>
__global__ static void
slopes_kernel(LacWaveSweep w)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      n = w.detector * w.detector;
  const LacWaveSlot seen = w.slots[blockIdx.x];
  const bool        counts = seen.visit >= 0 && !seen.rests;
  const size_t      first = counts ? (size_t) seen.visit * w.n_along * n : 0;
  const Pair<Real> *waves = static_cast<const Pair<Real> *>(w.waves) + first;
  const Pair<Real> *steps = static_cast<const Pair<Real> *>(w.steps) + first;
  const double      t = *w.t, share = 1 / (double) w.n_along;
  LacWaveSlopes     sum = {0, 0, 0};

  for (size_t i = threadIdx.x; counts && i < n; i += PLANE_THREADS) {
    const double m = w.amplitudes[(size_t) seen.visit * n + i];
    double       square = 0, along = 0, step = 0;

    if (m < 0)
      continue;
    for (size_t k = 0; k < w.n_along; k++) {
      const double re = (double) steps[k * n + i].re, im = (double) steps[k * n + i].im;
      const double x = (double) waves[k * n + i].re + t * re,
                   y = (double) waves[k * n + i].im + t * im;

      square += share * (x * x + y * y);
      along += share * (x * re + y * im);
      step += share * (re * re + im * im);
    }
    const double a = sqrt(square), slope = a > 0 ? along / a : 0;
    sum.first += 2 * (a - m) * slope;
    sum.second += 2 * step - (a > 0 ? 2 * m / a * (step - slope * slope) : 0);
    sum.most += 2 * step;
  }
  sum.first = sum_for_block(sum.first, warps);
  sum.second = sum_for_block(sum.second, warps);
  sum.most = sum_for_block(sum.most, warps);
  if (threadIdx.x == 0)
    w.slopes[blockIdx.x] = sum;
}

#define LAUNCH(name, n_blocks, ...)                                                    \
  launch(w.type == LAC_F32 ? name##_kernel<float> : name##_kernel<double>, (n_blocks), \
         PLANE_THREADS, 0, stream_of(self), __VA_ARGS__)

/* Leaves the fields of the slots and, where there is a place for them, their distances. */
static LacStatus
survey_room(void *self, const LacWaveSweep &w, bool)
{
  LAC_TRY(wave_see(self, w));
  return w.distances ? LAUNCH(distances, (unsigned) w.n_slots, w) : LAC_STATUS_OK;
}

static LacStatus
transform_grid(void *self, const LacWaveSweep &w, void *data, int inverse)
{
  const LacWaveTransform args = {w.type, w.grid, 1, inverse, data, NULL};

  return waves_transform_cuda(self, &args);
}

static LacStatus
find_field(void *self, const LacWaveSweep &w)
{
  LAC_TRY(LAUNCH(place, blocks_for(w.grid * w.grid, PLANE_THREADS), w));
  return transform_grid(self, w, w.field, 0);
}

static LacStatus
change_object(void *self, const LacWaveSweep &w)
{
  LAC_TRY(transform_grid(self, w, w.object.change, 1));
  return LAUNCH(update, blocks_for(w.object.support * w.object.support, PLANE_THREADS), w, true);
}

LacStatus
waves_survey_cuda(void *self, const LacWaveSweep *args)
{
  return for_each_room(self, args, survey_room);
}

LacStatus
waves_sweep_cuda(void *self, const LacWaveSweep *args)
{
  const unsigned n_pixels = blocks_for(args->detector * args->detector, PLANE_THREADS),
                 n_box = blocks_for(args->box * args->box, PLANE_THREADS);
  LacWaveSweep w = *args;

  w.n_slots = w.n_room = 1;
  for (size_t slot = 0; slot < args->n_slots; slot++) {
    w.slots = args->slots + slot;
    w.lengths = args->lengths + slot;
    w.distances = args->distances ? args->distances + slot : NULL;
    if (w.object.values)
      LAC_TRY(find_field(self, w));
    LAC_TRY(survey_room(self, w, slot == 0));
    LAC_TRY(LAUNCH(subtract, n_pixels, w));
    LAC_TRY(wave_fields(self, w, 0));
    for (size_t along = 0; along < w.n_along; along++) {
      if (w.pupil_length)
        LAC_TRY(LAUNCH(pupil, n_box, w, along));
      LAC_TRY(LAUNCH(follow, n_box, w, along));
    }
    if (w.object.values)
      LAC_TRY(change_object(self, w));
  }
  return LAC_STATUS_OK;
}

/* ---- exit waves: as many slots as there is room for, and the rest of the room transformed in vain ---- */

#define MIX(w, x, of_field, of_wave, y)                                                        \
  ((w).type == LAC_F32                                                                         \
     ? launch(mix_kernel<float>, pixels_of_slots(w), PLANE_THREADS, 0, stream_of(self), w, x,  \
              (float) (of_field), (float) (of_wave), y)                                        \
     : launch(mix_kernel<double>, pixels_of_slots(w), PLANE_THREADS, 0, stream_of(self), w, x, \
              (double) (of_field), (double) (of_wave), y))

static LacStatus
find_distances(void *self, const LacWaveSweep &w)
{
  return w.within_noise ? LAUNCH(distances, (unsigned) w.n_slots, w) : LAC_STATUS_OK;
}

static LacStatus
collect_room(void *self, const LacWaveSweep &w, bool is_first)
{
  LAC_TRY(MIX(w, w.fields, 0, 1, w.fields));
  if (w.factors.measured != 0)
    LAC_TRY(find_distances(self, w));
  LAC_TRY(LAUNCH(measure, pixels_of_slots(w), w));
  LAC_TRY(wave_fields(self, w, 0));
  return LAUNCH(collect, blocks_for(w.grid * w.grid, PLANE_THREADS), w, is_first);
}

LacStatus
waves_collect_cuda(void *self, const LacWaveSweep *args)
{
  return for_each_room(self, args, collect_room);
}

LacStatus
waves_average_cuda(void *self, const LacWaveSweep *args)
{
  const LacWaveSweep w = *args;

  LAC_TRY(LAUNCH(average, blocks_for(w.grid * w.grid, PLANE_THREADS), w));
  LAC_TRY(transform_grid(self, w, w.object.change, 1));
  LAC_TRY(LAUNCH(update, blocks_for(w.object.support * w.object.support, PLANE_THREADS), w, false));
  return find_field(self, w);
}

static LacStatus
relax_room(void *self, const LacWaveSweep &w, bool is_first)
{
  LacWaveSweep moved = w;

  LAC_TRY(wave_see(self, w));
  moved.fields = second_fields(w);
  LAC_TRY(MIX(w, w.fields, w.factors.from_object, w.factors.from_wave, moved.fields));
  LAC_TRY(find_distances(self, moved));
  return LAUNCH(relax, pixels_of_slots(w), moved, w.fields);
}

LacStatus
waves_relax_cuda(void *self, const LacWaveSweep *args)
{
  return for_each_room(self, args, relax_room);
}

/* ---- descent ---- */

LacStatus
waves_to_field_cuda(void *self, const LacWaveSweep *args)
{
  LacWaveSweep w = *args;

  w.object.change = NULL;
  return find_field(self, w);
}

LacStatus
waves_to_object_cuda(void *self, const LacWaveSweep *args)
{
  const LacWaveSweep w = *args;

  LAC_TRY(LAUNCH(divide, blocks_for(w.grid * w.grid, PLANE_THREADS), w));
  LAC_TRY(transform_grid(self, w, w.field, 1));
  return LAUNCH(crop, blocks_for(w.object.support * w.object.support, PLANE_THREADS), w);
}

static LacStatus
score_room(void *self, const LacWaveSweep &w, bool is_first)
{
  LAC_TRY(wave_see(self, w));
  LAC_TRY(LAUNCH(score, (unsigned) w.n_slots, w));
  LAC_TRY(wave_fields(self, w, 0));
  return LAUNCH(collect, blocks_for(w.grid * w.grid, PLANE_THREADS), w, is_first);
}

LacStatus
waves_score_cuda(void *self, const LacWaveSweep *args)
{
  LacWaveSweep w = *args;

  w.weights = NULL;
  return for_each_room(self, &w, score_room);
}

LacStatus
waves_slopes_cuda(void *self, const LacWaveSweep *args)
{
  const LacWaveSweep w = *args;

  return LAUNCH(slopes, (unsigned) w.n_slots, w);
}
