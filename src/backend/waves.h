/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ptychographic forward model, comparison with measurements, adjoint, and sequential updates: apertures in k-space to
 * detector images. A part of the backend's table. Plain C, also compiled by nvcc. The formulas, with their source, are
 * those of experiment/imaging/optics/optics.h.
 *
 * The grid is N x N with DC in its middle (N even), the object s x s in the middle, a detector d x d, all row-major;
 * complex numbers are pairs. A stop is one aperture centre of a scan position: it passes pixels of a box of k-space
 * at most as wide as the detector. Pixel k of k-space is element k mod d of the detector's transform. Signs (-1)^(y +
 * x), which move origins to the middle, cancel except on the object. Nothing is allocated; the order of summation
 * depends only on the shape. One calling thread at a time. */
#pragma once

#include "backend/backend.h"
#include "backend/wave-object.h"

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

#define LAC_WAVE_MAPS 15 /* of an exposure, for its structural losses */
#define LAC_WAVE_NOISE \
  323 /* values: dark, light, g(r) at sqrt r = i / 64 (experiment/imaging/optics/noise-level.h) */

typedef struct {
  LacType          type; /* element type of grid and fields */
  struct _LacPool *pool; /* CPU only: thread pool that runs the kernel; ignored by devices */
  size_t           grid, support, detector, box, n_along, n_slots;
  /* The object is (offset + gain picture) e^(i phase) inside the mask. [s * s] each */
  double        gain, offset;
  const double *picture, *phase, *mask; /* the last two may be NULL */
  void         *field;                  /* [N][N] */
  int           accumulates; /* gather adds to the field, which it overwrites otherwise */
  /* Scan positions and their stops. */
  const LacWaveSlot *slots;   /* [n_slots] */
  const int32_t     *corners; /* [n_positions][n_along][2]: the box's first pixel, (y, x) from DC */
  const uint8_t *passes; /* [n_positions][n_along][box * box]: 1 for pixels that the stop passes */
  const double  *pupil;  /* [box * box] pairs; NULL: 1 */
  const double  *amplitudes; /* [n_positions][d * d], measured; negative: missing */
  const double  *noise;      /* [LAC_WAVE_NOISE]; NULL: nothing is expected */
  /* Known standard deviations per pixel of the measured amplitudes or intensities, [n_positions][d * d]; NULL: noise
   * model */
  const double *sigma;
  int           sees_amplitudes;
  void         *fields; /* [n_slots][n_along][d][d] */
  /* The losses of experiment/imaging/methods/decoder/fit.h, each with its weight; the structural ones by structure. */
  double  weight_l1, weight_l2, weight_ssim, weight_ms_ssim;
  int     normalised;
  size_t  n_maps; /* slots at a time */
  double *maps;   /* [n_maps][LAC_WAVE_MAPS][d * d]: scratch */
  double *
    dissimilarities; /* [n_slots][1 + d * d]: losses, and derivatives by the amplitudes; NULL: none */
  LacWaveMisfit *misfits; /* [n_slots] */
  /* Derivatives with respect to picture and phase, [s * s] each, multiplied by @weight. */
  const double *weight; /* one value */
  double       *picture_bar, *phase_bar;
} LacWaves;

/* A batch of n x n Fourier transforms, unnormalised and in place. */
typedef struct {
  LacType          type;
  size_t           n, n_batch;
  int              inverse;
  void            *data;
  struct _LacPool *pool; /* as in LacWaves */
} LacWaveTransform;

/* Squared distance between the predicted and measured amplitudes of a scan position. */
typedef struct {
  double distance; /* sum (a - m)^2 */
  double expected; /* expected distance from noise alone; 0 without noise */
  double variance; /* variance of the distance, for normally distributed errors */
  double energy;   /* sum m^2 */
  double held_out; /* the distance at the pixels held out, which the others do not include */
  double residual,
    scale; /* squared distance in the unit of the exposures, pixels held out included; sum of their squares */
} LacWaveDistance;

/* Returns the share of the way to the measured amplitudes after which the distance is the expected one; 0 if it is not
 * above that. */
LAC_FORMULA double
lac_wave_distance_get_share(const LacWaveDistance *d)
{
  return d->distance > d->expected ? 1 - sqrt(d->expected / d->distance) : 0;
}

/* A measured amplitude of LAC_WAVE_HELD_OUT - m or less is m, held out: compared, but not followed. */
#define LAC_WAVE_HELD_OUT (-1.0)

/* An object that a prior constrains, in the middle of the grid. */
typedef struct {
  size_t        support;
  double       *values; /* [s * s] pairs; NULL: nothing is known, and the field alone counts */
  const double *mask;   /* [s * s]: 0 where the object is zero; NULL: nowhere */
  LacWavePrior  prior;
  void         *change; /* [N][N]: scratch */
  struct _LacBandTransform
    *transform; /* CPU only: with room for the box of every slot; ignored by devices */
} LacWaveObject;

/* The likelihood of an amplitude a where m is measured, in nats, without what does not depend on a:
 *   Gaussian: 2 S (a - m)^2, or of known sigma (x - y)^2 / (2 sigma^2), x and y in the unit of the exposures;
 *   Poisson: S (a^2 - m^2 - (m^2 + e) log((a^2 + e) / (m^2 + e))) */
typedef struct {
  int    is_poisson;
  double photons, dark; /* S: photons of an intensity of 1; e: intensity of the dark counts */
  double scale;         /* factor of the losses and their derivatives */
} LacWaveLikelihood;

/* The factors of an iteration over exit waves, see collect and relax below. */
typedef struct {
  double measured, wave;
  double of_wave, of_object, of_measured, from_object, from_wave;
} LacWaveFactors;

/* Members of the same name are as in LacWaves. The field is the transform of the object; fields has room for @n_room scan
 * positions, which an implementation uses as it likes. */
typedef struct {
  LacType            type;
  struct _LacPool   *pool;
  size_t             grid, detector, box, n_along, n_slots, n_room;
  void              *field;
  const LacWaveSlot *slots;
  const int32_t     *corners;
  const uint8_t     *passes;
  double            *pupil; /* [box * box] pairs of modulus 1; NULL: 1 */
  const double      *amplitudes;
  const double      *noise; /* NULL: nothing is expected */
  const double      *sigma;
  int                sees_amplitudes;
  void              *fields;    /* [n_room][n_along][d][d] */
  LacWaveDistance   *distances; /* [n_slots]; NULL in a sweep: not wanted */
  /* of a sweep alone */
  double        dark; /* a predicted amplitude up to this value has no phase, and is not followed */
  const double *lengths;      /* [n_slots] */
  const double *pupil_length; /* one value; NULL: the pupil is known */
  double        share;
  LacWaveObject object; /* its values make the field scratch memory in a sweep */
  /* of exit waves alone, whose fields have twice the room */
  void          *waves;   /* [n_positions][n_along][d][d] */
  double        *weights; /* [N][N]: the number of stops that pass a pixel */
  int            within_noise;
  LacWaveFactors factors;
  /* of methods that descend alone */
  LacWaveLikelihood likelihood;
  double           *losses; /* [n_slots] */
  const void       *steps;  /* [n_positions][n_along][d][d] */
  const double     *t;      /* one value */
  LacWaveSlopes    *slopes; /* [n_slots]: of sum (a - m)^2 */
  /* of normal equations alone, whose fields have twice the room */
  size_t        n_terms;
  const double *derivatives; /* [n_terms][box * box] pairs: of the pupil */
  double       *tangents;    /* [n_room][n_terms + 1][d * d]: scratch */
  double       *normals;     /* [n_slots][n_terms][n_terms + 1] */
} LacWaveSweep;

/* Entries of the form LacStatus name(self, const Args *):
 *   object    writes the object into the field, with zeros around it; the stops act on the transform of the field
 *   stops     copies into the fields the part of the field's transform that the stops of each slot pass
 *   structure structural losses of the fields -> dissimilarities; 0 of an empty slot
 *   compare   fields -> misfits, whose losses include dissimilarities; overwrites the fields with the derivatives of the losses
 *   gather    the adjoint of stops: adds up the transformed fields, in the order of the slots, in the field
 *   bars      gradients of picture and phase from the field's inverse transform
 *   survey    distances of the slots, without any change of the field
 *   sweep     the ptychographic iterative engine over the slots, one after the other, each along its line in order. With
 *             u the field of a stop, m and a the measured and predicted amplitudes and D = A F (m / a - 1) u / d (0 where
 *             m is missing or held out, and at a slot that rests):
 *               P <- (P + pupil_length conj(O) D / ((1 - share) |O|^2 + share max |O|^2)) / its modulus,  O = field / N,
 *               O <- O + length conj(P) D, with P before its own update.
 *             The distances are those before the slot's own update. Maiden, Johnson, Li (2017),
 *             doi:10.1364/OPTICA.4.000736, with a pupil of modulus 1. With an object, O is its transform, found anew for
 *             every slot; the changes of O along the slot's line are transformed together, with O before all of them in the
 *             pupil's update, and the object is then projected onto mask and prior.
 *   collect   the sum over the slots of w = measured M psi + wave psi, back-propagated: A conj(P) F w / N, in object.change;
 *             and the weights. psi is an exit wave, and M moves its amplitudes to the measured ones; with within_noise only
 *             by lac_wave_distance_get_share() of the way. At a slot that rests M does nothing, and w is not added
 *   average   O <- O + F^-1 (N change / weights - F O), with nothing added where the weight is 0, then projected onto mask
 *             and prior. The field is the transform of O, before and after, at least where stops pass
 *   relax     psi <- of_wave psi + of_object u + of_measured M (from_object u + from_wave psi), with u the fields of the slot;
 *             no scan position may come again
 *   to_field  field <- F O of an object, at least where stops pass
 *   to_object O <- F^-1 (N change / weights) within the object's support, and F^-1 N change without weights
 *   score     losses of the slots by their likelihood, and in object.change the sum of A conj(P) F g / N over them, with
 *             dL = Re <g, du>; the loss of a slot that rests is 0
 *   slopes    slopes of the slots at t; 0 of a slot that rests
 *   reparametrise, reparametrise_reverse, penalise, conjugate  see wave-object.h, for all pixels
 *   newton    t by the sum of the slopes of all slots
 *   normals   with T_j the derivative of a by term j, and 0 where m is missing or held out: the sums over the pixels of a slot
 *             of T_j T_k, for all k, then of T_j (m - a); 0 of a slot that rests
 * prepare() must have seen detectors, with n_along and n_room n_along of them, and for an object the grid, before survey and all
 * that follow it. */
#define LAC_WAVE_KERNELS(K)                                                      \
  K(object, LacWaves)                                                            \
  K(stops, LacWaves)                                                             \
  K(structure, LacWaves)                                                         \
  K(compare, LacWaves)                                                           \
  K(gather, LacWaves)                                                            \
  K(bars, LacWaves)                                                              \
  K(survey, LacWaveSweep)                                                        \
  K(sweep, LacWaveSweep)                                                         \
  K(collect, LacWaveSweep)                                                       \
  K(average, LacWaveSweep)                                                       \
  K(relax, LacWaveSweep)                                                         \
  K(to_field, LacWaveSweep)                                                      \
  K(to_object, LacWaveSweep)                                                     \
  K(score, LacWaveSweep)                                                         \
  K(slopes, LacWaveSweep)                                                        \
  K(reparametrise, LacWaveVariables)                                             \
  K(reparametrise_reverse, LacWaveVariables)                                     \
  K(penalise, LacWaveVariables)                                                  \
  K(conjugate, LacWaveConjugate)                                                 \
  K(newton, LacWaveNewton)                                                       \
  K(normals, LacWaveSweep)                                                       \
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
