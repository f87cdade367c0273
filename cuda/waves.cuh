/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the wave kernels. */
#pragma once

#include "backend/waves.h"
#include "cuda/planes.cuh"

#define K(name, Args) LacStatus waves_##name##_cuda(void *self, const Args *args);
LAC_WAVE_KERNELS(K)
#undef K

const LacWaveKernels *waves_cuda(void);

template <typename Real> struct Pair {
  Real re, im;
};

template <typename Real>
__device__ static inline Pair<Real>
times(Pair<Real> a, Pair<Real> b)
{
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Expected (a - m)^2 of a noisy amplitude a: g from its table over sqrt r, beyond it from its series (Morozov 1966).
 * @at: index of the pixel among those of all scan positions */
template <typename Args>
__device__ static inline double
expect(const Args &w, size_t at, double x)
{
  const size_t  n = LAC_WAVE_NOISE - 2;
  const double *noise = w.noise, known = w.sigma ? w.sigma[at] : 0;
  const double  s = w.sigma ? known : sqrt(noise[0] + noise[1] * x * x);
  const double  r = s > 0 ? x * x / s : 0;
  const double  place = sqrt(r) * 64;
  const size_t  i = place < (double) (n - 1) ? (size_t) place : n - 1;

  if (w.sigma && w.sees_amplitudes)
    return known * known;
  if (!(s > 0))
    return 0;
  if (i + 1 >= n)
    return s / (4 * r) * (1 + 15 / (16 * r * r));
  return s * (noise[2 + i] + (place - (double) i) * (noise[3 + i] - noise[2 + i]));
}

/* Amplitude of a slot's fields at one pixel. */
template <typename Args, typename Real>
__device__ static inline double
amplitude_at(const Args &w, const Pair<Real> *fields, size_t i)
{
  const size_t n = w.detector * w.detector;
  double       sum = 0;

  for (size_t a = 0; a < w.n_along; a++) {
    const double re = (double) fields[a * n + i].re, im = (double) fields[a * n + i].im;

    sum += re * re + im * im;
  }
  return sqrt(sum / (double) w.n_along);
}

/* Transforms the fields of as many slots as there is room for, some of them in vain. */
static inline LacStatus
wave_fields(void *self, const LacWaveSweep &w, int inverse)
{
  const LacWaveTransform args = {w.type, w.detector, w.n_room * w.n_along, inverse, w.fields, NULL};

  return waves_transform_cuda(self, &args);
}

/* Finds the fields of the slots. */
static inline LacStatus
wave_see(void *self, const LacWaveSweep &w)
{
  LacWaves waves = {};

  waves.type = w.type;
  waves.grid = w.grid;
  waves.detector = w.detector;
  waves.box = w.box;
  waves.n_along = w.n_along;
  waves.n_slots = w.n_slots;
  waves.field = w.field;
  waves.slots = w.slots;
  waves.corners = w.corners;
  waves.passes = w.passes;
  waves.pupil = w.pupil;
  waves.fields = w.fields;
  LAC_TRY(waves_stops_cuda(self, &waves));
  return wave_fields(self, w, 1);
}

static inline dim3
pixels_of_slots(const LacWaveSweep &w)
{
  return dim3(blocks_for(w.detector * w.detector, PLANE_THREADS), (unsigned) w.n_slots);
}

/* The room's fields beyond the first ones, of slots that change while the first ones stay. */
static inline void *
second_fields(const LacWaveSweep &w)
{
  return static_cast<char *>(w.fields) +
         w.n_room * w.n_along * w.detector * w.detector * 2 * lac_type_size(w.type);
}

typedef LacStatus (*RoomFunc)(void *self, const LacWaveSweep &w, bool is_first);

/* Calls @func for as many slots at a time as there is room for. */
static inline LacStatus
for_each_room(void *self, const LacWaveSweep *args, RoomFunc func)
{
  LacWaveSweep w = *args;

  for (size_t first = 0; first < args->n_slots; first += args->n_room) {
    const size_t left = args->n_slots - first;

    w.slots = args->slots + first;
    w.distances = args->distances ? args->distances + first : NULL;
    w.losses = args->losses ? args->losses + first : NULL;
    w.normals = args->normals ? args->normals + first * w.n_terms * (w.n_terms + 1) : NULL;
    w.n_slots = left < w.n_room ? left : w.n_room;
    LAC_TRY(func(self, w, first == 0));
  }
  return LAC_STATUS_OK;
}
