/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of a phase retrieval method: projections, likelihood, decoder. All methods get the same problem
 * (exposures, optics, prior knowledge), never the truth. One file each. */
#pragma once

#include "experiment/curve.h"
#include "experiment/experiment.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/scheduler.h"

#include <complex.h>

G_BEGIN_DECLS

#define LAC_IMAGING_MAX_ABERRATIONS 12

/* Self-calibration and stopping: the rows that all methods share. */
typedef struct {
  gint64
         aberrations; /* number of Zernike terms of the pupil's phase, from Noll's fourth (defocus) on; 0: the pupil is known */
  double position_error; /* maximum error of a centre in k-space pixels; 0: the centres are known */
  gint64 calibrate_from; /* step at which both calibrations start */
  gint64 stop_at_noise;  /* switch: end when the misfit reaches the noise level */
  double noise_factor;   /* multiple of that level */
  double
    hold_out; /* per cent of the pixels on which the end is decided instead; 0: that level decides */
  gint64 leave_out_exposures; /* switch: exposures that contradict the rest are left out */
} LacImagingCommon;

extern const LacParamTable lac_imaging_method_common;

/* Input of a method. Everything is borrowed and outlives the method. A method that moves the scan positions makes its
 * own optics. */
typedef struct {
  const LacContext       *context;
  const LacExposures     *exposures; /* geometry, unit, images, noise */
  const LacImagingCommon *common;
  gboolean                is_real; /* the object has no phase */
  gboolean                bounded; /* @low <= o <= @high; of a complex object |o| <= @high */
  double                  low, high;
  const double           *mask; /* (nullable): [s*s], 0 where the object is known to be zero */
} LacImagingProblem;

/* Problem size for cost estimates, before the problem exists. */
typedef struct {
  gsize n_positions, detector, support,
    grid;             /* number of exposures; side of an exposure, of the object, of k-space */
  double   radius;    /* radius of the aperture in k-space pixels */
  gboolean has_phase; /* TRUE when the object has a phase */
  gboolean is_unconstrained; /* see lac_imaging_estimate_is_unconstrained() */
} LacImagingSize;

typedef struct {
  LAC_SCHEDULED_METHOD

  /* (optional): checks conditions between the method's parameters and the problem, whose exposures may be NULL. */
  gboolean (*check)(gconstpointer params, const LacImagingProblem *problem, GError **error);
  /* Estimates the seconds of a step and of the set-up, and the bytes held. */
  void (*estimate)(gconstpointer params, const LacImagingSize *size, LacEstimate *result);
  /* Lists the curves of a run, which depend only on these parameters. Returns: their number. */
  gsize (*curves)(gconstpointer params, const LacImagingCommon *common, LacCurve *curves);

  gpointer (*create)(gconstpointer params, const LacImagingProblem *problem, GError **error);

  /* Fills in the current object estimate, [s*s]. May be called between any two steps; does not change the method. */
  void (*object)(gpointer method, double complex *object);
  /* (optional): returns ||predicted - measured|| / ||measured|| over the valid pixels of all exposures that are not left
   * out. NULL: it is found from predict(). */
  double (*residual)(gpointer method);
  /* Predicts the image at @position, [d*d] in the exposures' unit. */
  void (*predict)(gpointer method, gsize position, double *image);
  /* (optional): returns the number of exposures used so far, in their order. NULL: all are used. */
  gsize (*n_visited)(gconstpointer method);
  /* (optional): return the estimated coefficients of the pupil's phase in radians, [common->aberrations], and the
   * estimated centres, [n_positions][2] as y, x. */
  void (*aberrations)(gconstpointer method, double *coefficients);
  void (*positions)(gconstpointer method, double (*centres)[2]);
  /* (optional): returns TRUE for an exposure that the method leaves out at present. */
  gboolean (*leaves_out)(gconstpointer method, gsize position);
} LacImagingMethod;

const LacImagingMethod *const *lac_imaging_methods(gsize *n_methods);

G_END_DECLS
