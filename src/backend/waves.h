/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a detector sees of an object through apertures in k-space, compared with what was measured, and back to the object: a part of the
 * backend's table for devices (the processor has experiment/imaging/optics/optics.h, whose formulas these are). Plain C, read by nvcc too.
 *
 * The grid is N x N with DC in its middle (N even), the object s x s in the middle, a detector d x d, all row by row; complex numbers are pairs.
 * A stop is one centre of one visit: it passes pixels of a box of k-space, at most as wide as the detector, of which a pixel k is
 * number k mod d of the detector's transform. Signs (-1)^(y + x), which put origins into middles, cancel but on the object.
 * Nothing is allocated; sums run in an order that depends on the shape alone. One thread asks at a time. */
#pragma once

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A visit that is compared; < 0: none. What rests is compared, and says nothing of the object. */
typedef struct {
  int32_t visit, rests;
} LacWaveSlot;

/* Of a visit that was compared. */
typedef struct {
  double loss;
  double distance, expected, variance, energy; /* as LacMisfit has them */
} LacWaveMisfit;

#define LAC_WAVE_NOISE \
  323 /* numbers: dark, light, g(r) at sqrt r = i / 64 (experiment/imaging/optics/noise-level.h) */

typedef struct {
  LacType type; /* of grid and fields */
  size_t  grid, support, detector, box, n_along, n_slots;
  /* The object is (offset + gain picture) e^(i phase) where the mask is not 0. [s * s] each */
  double        gain, offset;
  const double *picture, *phase, *mask; /* the last two may be NULL */
  void         *field;                  /* [N][N] */
  /* Of visits and their stops. */
  const LacWaveSlot *slots;      /* [n_slots] */
  const int32_t     *corners;    /* [n_visits][n_along][2]: the box's first pixel, (y, x) from DC */
  const uint8_t     *passes;     /* [n_visits][n_along][box * box] */
  const double      *pupil;      /* [box * box] pairs; NULL: 1 */
  const double      *amplitudes; /* [n_visits][d * d], measured; negative: nobody knows */
  const double      *noise;      /* [LAC_WAVE_NOISE] */
  /* Of each pixel, where it is known better: standard deviations of what was seen, amplitudes or intensities. [n_visits][d * d]; NULL */
  const double *sigma;
  int           sees_amplitudes;
  void         *fields; /* [n_slots][n_along][d][d] */
  /* The losses l1 and l2 of amplitude-loss.h, each with its weight. */
  double         weight_l1, weight_l2;
  int            normalised;
  LacWaveMisfit *misfits; /* [n_slots] */
  /* weight times the derivatives by picture and phase. [s * s] each */
  const double *weight; /* one number */
  double       *picture_bar, *phase_bar;
} LacWaves;

/* Unnormalised, in place, n x n each. */
typedef struct {
  LacType type;
  size_t  n, n_batch;
  int     inverse;
  void   *data;
} LacWaveTransform;

/* Every entry of the form LacStatus name(self, const Args *):
 *   object    the object onto the field, zeros around it; its transform is what the stops see of
 *   stops     what of the field's transform each slot's stops pass, onto the fields
 *   compare   fields -> misfits; the fields become the derivatives of the losses by them
 *   gather    the adjoint of stops: transformed fields, added up in the order of the slots, onto the field
 *   bars      what the field's inverse transform says of picture and phase */
#define LAC_WAVE_KERNELS(K)                                   \
  K(object, LacWaves)                                         \
  K(stops, LacWaves)                                          \
  K(compare, LacWaves)                                        \
  K(gather, LacWaves)                                         \
  K(bars, LacWaves)                                           \
  K(prepare, LacWaveTransform) /* plans; not within a step */ \
  K(transform, LacWaveTransform)

struct LacWaveKernels {
#define K(name, Args) LacStatus (*name)(void *self, const Args *args);
  LAC_WAVE_KERNELS(K)
#undef K
};

#ifdef __cplusplus
}
#endif
