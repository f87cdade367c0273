/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ptychographic forward model, comparison with measurements, and adjoint: apertures in k-space to detector images. A
 * part of the backend's table for devices (the CPU has experiment/imaging/optics/optics.h with the same formulas).
 * Plain C, also compiled by nvcc.
 *
 * The grid is N x N with DC in its middle (N even), the object s x s in the middle, a detector d x d, all row-major;
 * complex numbers are pairs. A stop is one aperture centre of a scan position: it passes pixels of a box of k-space
 * at most as wide as the detector. Pixel k of k-space is element k mod d of the detector's transform. Signs (-1)^(y +
 * x), which move origins to the middle, cancel except on the object. Nothing is allocated; the order of summation
 * depends only on the shape. One calling thread at a time. */
#pragma once

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scan position to compare; < 0: none. With `rests` it is compared, but contributes no gradient. */
typedef struct {
  int32_t visit, rests;
} LacWaveSlot;

/* Result of comparing one scan position with its measurement. */
typedef struct {
  double loss;
  double distance, expected, variance, energy; /* as in LacMisfit */
} LacWaveMisfit;

#define LAC_WAVE_NOISE \
  323 /* values: dark, light, g(r) at sqrt r = i / 64 (experiment/imaging/optics/noise-level.h) */

typedef struct {
  LacType type; /* element type of grid and fields */
  size_t  grid, support, detector, box, n_along, n_slots;
  /* The object is (offset + gain picture) e^(i phase) inside the mask. [s * s] each */
  double        gain, offset;
  const double *picture, *phase, *mask; /* the last two may be NULL */
  void         *field;                  /* [N][N] */
  /* Scan positions and their stops. */
  const LacWaveSlot *slots;   /* [n_slots] */
  const int32_t     *corners; /* [n_positions][n_along][2]: the box's first pixel, (y, x) from DC */
  const uint8_t *passes; /* [n_positions][n_along][box * box]: 1 for pixels that the stop passes */
  const double  *pupil;  /* [box * box] pairs; NULL: 1 */
  const double  *amplitudes; /* [n_positions][d * d], measured; negative: missing */
  const double  *noise;      /* [LAC_WAVE_NOISE] */
  /* Known standard deviations per pixel of the measured amplitudes or intensities, [n_positions][d * d]; NULL: noise
   * model */
  const double *sigma;
  int           sees_amplitudes;
  void         *fields; /* [n_slots][n_along][d][d] */
  /* The losses l1 and l2 of amplitude-loss.h, each with its weight. */
  double         weight_l1, weight_l2;
  int            normalised;
  LacWaveMisfit *misfits; /* [n_slots] */
  /* Derivatives with respect to picture and phase, [s * s] each, multiplied by @weight. */
  const double *weight; /* one value */
  double       *picture_bar, *phase_bar;
} LacWaves;

/* A batch of n x n Fourier transforms, unnormalised and in place. */
typedef struct {
  LacType type;
  size_t  n, n_batch;
  int     inverse;
  void   *data;
} LacWaveTransform;

/* Entries of the form LacStatus name(self, const Args *):
 *   object    writes the object into the field, with zeros around it; the stops act on the transform of the field
 *   stops     copies into the fields the part of the field's transform that the stops of each slot pass
 *   compare   fields -> misfits; overwrites the fields with the derivatives of the losses
 *   gather    the adjoint of stops: adds up the transformed fields, in the order of the slots, in the field
 *   bars      gradients of picture and phase from the field's inverse transform */
#define LAC_WAVE_KERNELS(K)                                                      \
  K(object, LacWaves)                                                            \
  K(stops, LacWaves)                                                             \
  K(compare, LacWaves)                                                           \
  K(gather, LacWaves)                                                            \
  K(bars, LacWaves)                                                              \
  K(prepare, LacWaveTransform) /* makes the plans; not during a recorded step */ \
  K(transform, LacWaveTransform)

struct LacWaveKernels {
#define K(name, Args) LacStatus (*name)(void *self, const Args *args);
  LAC_WAVE_KERNELS(K)
#undef K
};

#ifdef __cplusplus
}
#endif
