/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a method believes: the object, the pupil, where the apertures were; and what all methods do with it: keep to the prior
 * knowledge, compare with the measured amplitudes, replace amplitudes by measured ones, judge a step. */
#pragma once

#include "experiment/imaging/methods/method.h"
#include "experiment/imaging/optics/noise-level.h"
#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* The squared distances of a scan position's amplitudes from the measured ones. */
typedef struct {
  double distance; /* sum (a - m)^2 */
  double expected; /* what the noise alone would make it; 0 without noise */
  double variance; /* of that sum, as of squares of normal numbers */
  double energy;   /* sum m^2 */
} LacMisfit;

/* Memory of one worker. */
typedef struct {
  double complex *fields;    /* [n_along][d*d] */
  double         *amplitude; /* [d*d] */
  double complex *patch;     /* [b*b] */
  double complex *field;     /* [d*d]: of a calibration */
  double         *slopes;    /* [n_aberrations][d*d], likewise */
} LacImagingScratch;

/* Of what is recorded. */
typedef struct {
  guint32 sweep, compare, calibrate, forward, object, backward, likelihood;
} LacImagingEstimateNames;

typedef struct {
  LacImagingProblem       problem;
  LacImagingEstimateNames names;
  gint64                  step;   /* that is recorded */
  LacOptics              *optics; /* its own, in amplitudes */
  LacNoiseLevel          *noise;
  gsize                   s, d, box, n_band, n_positions, n_along;
  double complex         *object;   /* [s*s] */
  double complex         *previous; /* [s*s], at the end of the step before */
  double complex
            *spectrum;   /* [n_band]: scratch; of the object after lac_imaging_estimate_compare() */
  double    *amplitudes; /* [n_positions][d*d], measured; negative: nobody knows */
  LacMisfit *misfits;    /* [n_positions] */
  double    *excesses;   /* [n_positions]: scratch */
  guint8    *rests;      /* [n_positions]: whether the object is made without what was seen there */
  double    *terms;      /* [n_aberrations][b*b] */
  double complex *pupil; /* [b*b]; NULL where the pupil is taken as perfect */
  double         *coefficients; /* [n_aberrations] */
  double         *normals; /* [n_positions][n_aberrations][n_aberrations + 1]: of a calibration */
  gboolean        free_pupil; /* the method seeks it itself, pixel by pixel */
  double complex *patches;    /* (nullable): [n_positions][n_along][b*b] */
  LacImagingScratch *benches; /* one a worker */
  guint              n_benches;
} LacImagingEstimate;

/* The object begins as the upper bound, or the mean brightness, wherever it may be. Returns: NULL with an error where there are no such optics. */
LacImagingEstimate *lac_imaging_estimate_new(const LacImagingProblem *problem, GError **error);
void                lac_imaging_estimate_free(LacImagingEstimate *estimate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacImagingEstimate, lac_imaging_estimate_free)

/* The pupil becomes the method's own to change, from a perfect one; the optics take it when they are told. */
void lac_imaging_estimate_free_pupil(LacImagingEstimate *estimate);

/* The nearest object that is what is known beforehand: real, within the bounds, empty outside of the mask. In place. */
void lac_imaging_estimate_constrain(const LacImagingEstimate *estimate, double complex *object);

/* What the detector would see of a spectrum: fields and amplitude of @bench. Any thread. */
void lac_imaging_estimate_see(const LacImagingEstimate *estimate,
                              gsize                     position,
                              const double complex     *spectrum,
                              LacImagingScratch        *bench);

/* The amplitude of any fields of @bench: sqrt of their mean intensity. Any thread. */
void lac_imaging_estimate_sum(const LacImagingEstimate *estimate, LacImagingScratch *bench);

/* How far the amplitude of @bench is from the measured one. Any thread. */
LacMisfit lac_imaging_estimate_measure(const LacImagingEstimate *estimate,
                                       gsize                     position,
                                       const LacImagingScratch  *bench);

/* The fields with the measured amplitude nearest to those of @bench, in place; pixels that nobody knows stay. @share: how much of the way
 * they go: 1 all of it. Any thread. */
void lac_imaging_estimate_replace(const LacImagingEstimate *estimate,
                                  gsize                     position,
                                  double                    share,
                                  LacImagingScratch        *bench);

/* What that adds to the fields, in their place. */
void lac_imaging_estimate_subtract(const LacImagingEstimate *estimate,
                                   gsize                     position,
                                   double                    share,
                                   LacImagingScratch        *bench);

/* The share of the way to the data that ends at the noise: 0 where the fields are within it already. */
double lac_misfit_get_share(const LacMisfit *misfit);

/* For methods that work through all scan positions at once: memory for what each says of the spectrum; the fields of @bench through the
 * pupil into it (any thread; they are overwritten); and the sum over all of them, in their order. */
void lac_imaging_estimate_keep_patches(LacImagingEstimate *estimate);
void lac_imaging_estimate_take_patches(LacImagingEstimate *estimate,
                                       gsize               position,
                                       LacImagingScratch  *bench);
void lac_imaging_estimate_add_patches(const LacImagingEstimate *estimate, double complex *spectrum);

/* Sees every scan position of the object and measures it, over the pool. */
void lac_imaging_estimate_compare(LacImagingEstimate *estimate);

/* The curves that every method reports, from 0 on. */
enum {
  LAC_CURVE_MISFIT, /* sqrt(sum (a - m)^2 / sum m^2) */
  LAC_CURVE_NOISE,  /* reduced chi-squared: sum (a - m)^2 over what the noise makes it */
  LAC_CURVE_CHANGE, /* of the object in this step, relative */
  LAC_CURVE_FIRST_ABERRATION,
};
/* @curves: (nullable). Returns: how many there are; a method's own follow. */
gsize lac_imaging_estimate_curves(const LacImagingCommon *common, LacCurve *curves);

/* After the work of step @step (from 1): compares, calibrates, reports, and says whether the run goes on. */
void lac_imaging_estimate_finish_step(LacImagingEstimate *estimate,
                                      gint64              step,
                                      LacMethodReport    *report);

/* Floating-point operations of a scan position that is seen, with @n_transforms of the detector. */
double lac_imaging_estimate_get_flops(const LacImagingEstimate *estimate, guint n_transforms);

/* How often a step transforms. */
typedef struct {
  double detectors; /* a scan position: between its box of k-space and the detector */
  double boxes;     /* a scan position: between the object and its box */
  double wholes;    /* between the object and the whole band */
} LacImagingWork;

/* Seconds of a step, which compares too, and the bytes of an estimate. */
void lac_imaging_estimate_find_cost(const LacImagingSize *size,
                                    const LacImagingWork *work,
                                    LacEstimate          *result);

/* As of LacImagingMethod. */
void lac_imaging_estimate_predict(LacImagingEstimate *estimate, gsize position, double *image);
void lac_imaging_estimate_positions(const LacImagingEstimate *estimate, double (*centres)[2]);
void lac_imaging_estimate_save(const LacImagingEstimate *estimate, LacStore *store);
gboolean
lac_imaging_estimate_load(LacImagingEstimate *estimate, const LacStore *store, GError **error);

G_END_DECLS
