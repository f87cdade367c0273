/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a retrieval believes: the object, the pupil, where the apertures were; and what all methods do with it: keep to the prior
 * knowledge, compare with the measured amplitudes, replace amplitudes by measured ones, judge a step. */
#pragma once

#include "experiment/imaging/methods/retrieval.h"
#include "experiment/imaging/optics/noise-level.h"
#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* The squared distances of a visit's amplitudes from the measured ones. */
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
} LacBench;

/* Of what is recorded. */
typedef struct {
  guint32 sweep, compare, calibrate, forward, object, backward, likelihood;
} LacHypothesisNames;

typedef struct {
  LacRetrievalProblem problem;
  LacHypothesisNames  names;
  gint64              step;   /* that is recorded */
  LacOptics          *optics; /* its own, in amplitudes */
  LacNoiseLevel      *noise;
  gsize               s, d, box, n_band, n_visits, n_along;
  double complex     *object;   /* [s*s] */
  double complex     *previous; /* [s*s], at the end of the step before */
  double complex *spectrum;   /* [n_band]: scratch; of the object after lac_hypothesis_compare() */
  double         *amplitudes; /* [n_visits][d*d], measured; negative: nobody knows */
  LacMisfit      *misfits;    /* [n_visits] */
  double         *excesses;   /* [n_visits]: scratch */
  guint8         *rests; /* [n_visits]: whether the object is made without what was seen there */
  double         *terms; /* [n_aberrations][b*b] */
  double complex *pupil; /* [b*b]; NULL where the pupil is taken as perfect */
  double         *coefficients; /* [n_aberrations] */
  double         *normals;      /* [n_visits][n_aberrations][n_aberrations + 1]: of a calibration */
  gboolean        free_pupil;   /* the method seeks it itself, pixel by pixel */
  double complex *patches;      /* (nullable): [n_visits][n_along][b*b] */
  LacBench       *benches;      /* one a worker */
  guint           n_benches;
} LacHypothesis;

/* The object begins as the upper bound, or the mean brightness, wherever it may be. Returns: NULL with an error where there are no such optics. */
LacHypothesis *lac_hypothesis_new(const LacRetrievalProblem *problem, GError **error);
void           lac_hypothesis_free(LacHypothesis *hypothesis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacHypothesis, lac_hypothesis_free)

/* The pupil becomes the method's own to change, from a perfect one; the optics take it when they are told. */
void lac_hypothesis_free_pupil(LacHypothesis *hypothesis);

/* The nearest object that is what is known beforehand: real, within the bounds, empty outside of the mask. In place. */
void lac_hypothesis_constrain(const LacHypothesis *hypothesis, double complex *object);

/* What the detector would see of a spectrum: fields and amplitude of @bench. Any thread. */
void lac_hypothesis_see(const LacHypothesis  *hypothesis,
                        gsize                 visit,
                        const double complex *spectrum,
                        LacBench             *bench);

/* The amplitude of any fields of @bench: sqrt of their mean intensity. Any thread. */
void lac_hypothesis_sum(const LacHypothesis *hypothesis, LacBench *bench);

/* How far the amplitude of @bench is from the measured one. Any thread. */
LacMisfit
lac_hypothesis_measure(const LacHypothesis *hypothesis, gsize visit, const LacBench *bench);

/* The fields with the measured amplitude nearest to those of @bench, in place; pixels that nobody knows stay. @share: how much of the way
 * they go: 1 all of it. Any thread. */
void
lac_hypothesis_replace(const LacHypothesis *hypothesis, gsize visit, double share, LacBench *bench);

/* What that adds to the fields, in their place. */
void lac_hypothesis_subtract(const LacHypothesis *hypothesis,
                             gsize                visit,
                             double               share,
                             LacBench            *bench);

/* The share of the way to the data that ends at the noise: 0 where the fields are within it already. */
double lac_misfit_get_share(const LacMisfit *misfit);

/* For methods that work through all visits at once: memory for what each says of the spectrum; the fields of @bench through the
 * pupil into it (any thread; they are overwritten); and the sum over all of them, in their order. */
void lac_hypothesis_keep_patches(LacHypothesis *hypothesis);
void lac_hypothesis_take_patches(LacHypothesis *hypothesis, gsize visit, LacBench *bench);
void lac_hypothesis_add_patches(const LacHypothesis *hypothesis, double complex *spectrum);

/* Sees every visit of the object and measures it, over the pool. */
void lac_hypothesis_compare(LacHypothesis *hypothesis);

/* The curves that every method reports, from 0 on. */
enum {
  LAC_CURVE_MISFIT, /* sqrt(sum (a - m)^2 / sum m^2) */
  LAC_CURVE_NOISE,  /* reduced chi-squared: sum (a - m)^2 over what the noise makes it */
  LAC_CURVE_CHANGE, /* of the object in this step, relative */
  LAC_CURVE_FIRST_ABERRATION,
};
/* @curves: (nullable). Returns: how many there are; a method's own follow. */
gsize lac_hypothesis_curves(const LacRetrievalCommon *common, LacCurve *curves);

/* After the work of step @step (from 1): compares, calibrates, reports, and says whether the run goes on. */
void lac_hypothesis_finish_step(LacHypothesis *hypothesis, gint64 step, LacTurnReport *report);

/* Floating-point operations of a visit that is seen, with @n_transforms of the detector. */
double lac_hypothesis_get_flops(const LacHypothesis *hypothesis, guint n_transforms);

/* How often a step transforms. */
typedef struct {
  double detectors; /* a visit: between its box of k-space and the detector */
  double boxes;     /* a visit: between the object and its box */
  double wholes;    /* between the object and the whole band */
} LacHypothesisWork;

/* Seconds of a step, which compares too, and the bytes of a hypothesis. */
void lac_hypothesis_estimate(const LacRetrievalSize  *size,
                             const LacHypothesisWork *work,
                             LacEstimate             *result);

/* As of LacRetrieval. */
void     lac_hypothesis_predict(LacHypothesis *hypothesis, gsize visit, double *image);
void     lac_hypothesis_positions(const LacHypothesis *hypothesis, double (*centres)[2]);
void     lac_hypothesis_save(const LacHypothesis *hypothesis, LacStore *store);
gboolean lac_hypothesis_load(LacHypothesis *hypothesis, const LacStore *store, GError **error);

G_END_DECLS
