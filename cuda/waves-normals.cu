/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normal equations of a pupil: derivatives of the amplitudes of some slots at a time, and their products. */
#include "cuda/waves.cuh"

/* Tangent @term of every slot, one in each block column; the last, which has no @changes, is m - a. */
template <typename Real>
__global__ static void
tangent_kernel(LacWaveSweep w, const void *changes, size_t term)
{
  const size_t n = w.detector * w.detector, i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const LacWaveSlot seen = w.slots[blockIdx.y];
  const size_t      first = (size_t) blockIdx.y * w.n_along * n;
  const Pair<Real> *u = static_cast<const Pair<Real> *>(w.fields) + first;
  double           *to = w.tangents + ((size_t) blockIdx.y * (w.n_terms + 1) + term) * n;
  double            along = 0;

  if (i >= n || seen.visit < 0 || seen.rests)
    return;
  const double m = w.amplitudes[(size_t) seen.visit * n + i], a = amplitude_at(w, u, i);
  if (term == w.n_terms) {
    to[i] = m >= 0 ? m - a : 0;
    return;
  }
  const Pair<Real> *v = static_cast<const Pair<Real> *>(changes) + first;
  for (size_t k = 0; k < w.n_along; k++)
    along += (double) u[k * n + i].re * (double) v[k * n + i].re +
             (double) u[k * n + i].im * (double) v[k * n + i].im;
  to[i] = m >= 0 && a > 0 ? along / ((double) w.n_along * a) : 0;
}

/* One product of two tangents per block: of a slot in each block row. */
__global__ static void
product_kernel(LacWaveSweep w)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t      n = w.detector * w.detector, n_tangents = w.n_terms + 1;
  const LacWaveSlot seen = w.slots[blockIdx.y];
  const double     *tangents = w.tangents + (size_t) blockIdx.y * n_tangents * n;
  const double     *x = tangents + blockIdx.x / n_tangents * n,
               *y = tangents + blockIdx.x % n_tangents * n;
  const bool counts = seen.visit >= 0 && !seen.rests;
  double     sum = 0;

  for (size_t i = threadIdx.x; counts && i < n; i += PLANE_THREADS)
    sum += x[i] * y[i];
  sum = sum_for_block(sum, warps);
  if (threadIdx.x == 0)
    w.normals[(size_t) blockIdx.y * w.n_terms * n_tangents + blockIdx.x] = sum;
}

static LacStatus
find_tangent(void *self, const LacWaveSweep &w, const void *changes, size_t term)
{
  return launch(w.type == LAC_F32 ? tangent_kernel<float> : tangent_kernel<double>,
                pixels_of_slots(w), PLANE_THREADS, 0, stream_of(self), w, changes, term);
}

static LacStatus
find_room(void *self, const LacWaveSweep &w, bool)
{
  LacWaveSweep derived = w;

  LAC_TRY(wave_see(self, w));
  LAC_TRY(find_tangent(self, w, NULL, w.n_terms));
  derived.fields = second_fields(w);
  for (size_t term = 0; term < w.n_terms; term++) {
    derived.pupil = const_cast<double *>(w.derivatives) + term * 2 * w.box * w.box;
    LAC_TRY(wave_see(self, derived));
    LAC_TRY(find_tangent(self, w, derived.fields, term));
  }
  return launch(product_kernel,
                dim3((unsigned) (w.n_terms * (w.n_terms + 1)), (unsigned) w.n_slots), PLANE_THREADS,
                0, stream_of(self), w);
}

LacStatus
waves_normals_cuda(void *self, const LacWaveSweep *args)
{
  return for_each_room(self, args, find_room);
}
