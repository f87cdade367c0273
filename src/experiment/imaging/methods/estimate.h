/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a method: estimates of the object, the pupil and the aperture positions, and the operations that all
 * methods share: apply the prior constraints, compare with the measured amplitudes, replace amplitudes by measured
 * ones, evaluate a step. */
#pragma once

#include "backend/waves.h"
#include "base/memory-part.h"
#include "experiment/imaging/methods/method.h"
#include "experiment/imaging/optics/noise-level.h"
#include "experiment/imaging/optics/optics.h"
#include "perf/recorder/call-sums.h"

G_BEGIN_DECLS

typedef LacWaveDistance LacMisfit;

/* Operations of every method, in the performance records: one row each, summed over a phase. */
typedef enum {
  LAC_IMAGING_TRANSFORM, /* between the object and its spectrum */
  LAC_IMAGING_PROJECT,   /* of exit waves onto the measured amplitudes */
  LAC_IMAGING_UPDATE,    /* of the object, with its constraints */
  LAC_IMAGING_PROBE,     /* update of the pupil */
  LAC_IMAGING_N_OPERATIONS
} LacImagingOperation;

/* Names of the phases in the performance records. */
typedef struct {
  guint32 sweep, compare, calibrate, aberrations, positions, forward, object, backward, likelihood;
} LacImagingEstimateNames;

typedef struct _LacKSpace LacKSpace; /* experiment/imaging/methods/k-space.h */
typedef struct _LacPositionSearch
  LacPositionSearch; /* experiment/imaging/methods/position-search.h */

typedef struct {
  LacImagingProblem       problem;
  LacImagingEstimateNames names;
  LacMemoryClaim          claim;
  LacCallSums            *sums;   /* operations of the present phase */
  gint64                  step;   /* step number in the records */
  LacOptics              *optics; /* own copy, with the detector unit set to amplitudes */
  LacNoiseLevel          *noise;
  gboolean                is_noisy; /* the noise is known */
  gsize                   s, d, box, n_band, n_positions, n_along;
  double complex         *object;   /* [s*s] */
  double complex         *previous; /* [s*s], at the end of the previous step */
  double complex
            *spectrum;     /* [n_band]: spectrum of the object between steps, scratch within them */
  gboolean   has_spectrum; /* FALSE before the first step and after a restored checkpoint */
  LacKSpace *k_space;      /* made by the method */
  LacPositionSearch *search;      /* (nullable): NULL when positions are known */
  gboolean           has_field;   /* TRUE: its field is the transform of the object */
  gboolean           has_misfits; /* the misfits are those of the object */
  /* measured, [n_positions][d*d]; negative: not used, see LAC_IMAGING_HELD_OUT */
  double    *amplitudes;
  double     dark;    /* amplitude below which a prediction is rounding error and has no phase */
  LacMisfit *misfits; /* [n_positions] */
  double    *excesses, *sorted; /* [n_positions]: scratch */

  /* exposures that are left out, each [n_positions] */
  gboolean checks_data;   /* those that the others contradict may be left out */
  guint8  *rests;         /* TRUE: left out now */
  guint8  *are_empty;     /* TRUE: without any light, and always left out */
  guint8  *suspects;      /* TRUE: bad when last decided */
  gint64  *n_rested;      /* steps in which they were left out */
  double  *first_misfits; /* (nullable): excess over the noise before their own update in a sweep */
  double  *contradictions; /* mean of the unexplained squared distance since @rests_since */
  gint64   rests_since;    /* step of the last decision */
  gboolean rests_changed;  /* in this step */

  /* pixels held out */
  gsize           n_held_out;
  double complex *best; /* (nullable): [s*s]: the object that explains them best */
  double          best_held_out;
  gint64          best_step;

  double         *terms;             /* [n_aberrations][b*b] */
  double complex *pupil;             /* [b*b]; NULL for an ideal pupil */
  double         *coefficients;      /* [n_aberrations] */
  double complex *pupil_derivatives; /* [n_aberrations][b*b]; this and the next: for calibration */
  double         *normals;           /* [n_positions][n_aberrations][n_aberrations + 1] */
  gboolean        free_pupil;        /* the method estimates the pupil itself, pixel by pixel */
  double complex *fields;            /* [n_along][d*d]: scratch for predictions */
} LacImagingEstimate;

/* A pixel with amplitude m that is held out has the value LAC_IMAGING_HELD_OUT - m; one without a value has a larger
 * negative value. */
#define LAC_IMAGING_HELD_OUT LAC_WAVE_HELD_OUT

/* For methods that use all exposures in every step: holds out pixels at random, if the noise is known and the run is to
 * end by them, and lets exposures that the others contradict be left out. */
void lac_imaging_estimate_check_data(LacImagingEstimate *estimate);

/* Leaves out the exposures of which @excesses, [n_positions], is above @outlier times the median and, unless they are left
 * out already, @as_bad times the worst that is not, and @least times the energy of the exposure; those before @first
 * always remain. Does not allocate. */
void lac_imaging_estimate_leave_out(LacImagingEstimate *estimate,
                                    const double       *excesses,
                                    gsize               first,
                                    double              outlier,
                                    double              as_bad,
                                    double              least);

/* Returns: an estimate whose object starts uniform at the upper bound, or at the mean brightness, inside the mask;
 * NULL with an error when the optics are not possible. */
LacImagingEstimate *lac_imaging_estimate_new(const LacImagingProblem *problem, GError **error);
void                lac_imaging_estimate_free(LacImagingEstimate *estimate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacImagingEstimate, lac_imaging_estimate_free)

/* Lets the method modify the pupil, which starts ideal; changes take effect when the method passes it to the optics. */
void lac_imaging_estimate_free_pupil(LacImagingEstimate *estimate);

/* Begins and ends a phase of the performance records; its end adds the rows of the operations within it. */
LacSpan lac_imaging_estimate_begin_phase(LacImagingEstimate *estimate, guint32 name);
void    lac_imaging_estimate_end_phase(LacImagingEstimate *estimate, LacSpan span, gint64 step);

/* Makes LacImagingEstimate.spectrum that of the object. Thread: that of the method. To be called between steps, or at the start of one. */
void lac_imaging_estimate_find_spectrum(LacImagingEstimate *estimate);

/* Returns TRUE when any object is possible: the projection below then changes nothing. */
gboolean lac_imaging_estimate_is_unconstrained(const LacImagingEstimate *estimate);

/* Returns what is known of every pixel; the mask is apart. */
LacWavePrior lac_imaging_estimate_get_prior(const LacImagingEstimate *estimate);

/* Projects @object onto the constraints: real, within the bounds, zero outside the mask. In place. */
void lac_imaging_estimate_constrain(const LacImagingEstimate *estimate, double complex *object);

/* Predicts every scan position from the object and measures its misfit, with the k_space that the method has made. */
void lac_imaging_estimate_compare(LacImagingEstimate *estimate);

/* The curves that every method reports, starting at index 0. */
enum {
  LAC_CURVE_MISFIT, /* sqrt(sum (a - m)^2 / sum m^2) */
  LAC_CURVE_NOISE,  /* reduced chi-squared: sum (a - m)^2 over its expected value from noise */
  LAC_CURVE_CHANGE, /* relative change of the object in this step */
  LAC_CURVE_FIRST_ABERRATION,
};
/* Lists the common curves. @curves: (nullable). Returns: their number; the method's own curves follow. */
gsize lac_imaging_estimate_curves(const LacImagingCommon *common, LacCurve *curves);

/* Finishes step @step (from 1) of at most @n_steps: compares, calibrates, reports, and sets whether the run continues.
 * At the end of a run with pixels held out, the object becomes the best one. */
void lac_imaging_estimate_finish_step(LacImagingEstimate *estimate,
                                      gint64              step,
                                      gint64              n_steps,
                                      LacMethodReport    *report);

/* Returns the floating-point operations to predict one scan position, with @n_transforms on the detector. */
double lac_imaging_estimate_get_flops(const LacImagingEstimate *estimate, guint n_transforms);

/* Number of Fourier transforms of one step. */
typedef struct {
  double detectors; /* per scan position: between its box of k-space and the detector */
  double boxes;     /* per scan position: between the object and its box */
  double wholes;    /* between the object and the whole band */
} LacImagingWork;

/* Estimates the seconds of a step, comparison included, and the bytes of an estimate. */
void lac_imaging_estimate_find_cost(const LacImagingSize *size,
                                    const LacImagingWork *work,
                                    LacEstimate          *result);

/* Implement LacImagingMethod. */
double lac_imaging_estimate_residual(LacImagingEstimate *estimate);
void   lac_imaging_estimate_predict(LacImagingEstimate *estimate, gsize position, double *image);
void   lac_imaging_estimate_positions(const LacImagingEstimate *estimate, double (*centres)[2]);
void   lac_imaging_estimate_visit(LacImagingEstimate *estimate, LacVisit *visit);

G_END_DECLS
