/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reliability of a method when no true field is known: its diagnostics in one sentence. */
#pragma once

#include "field/frame.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Diagnostics, NaN where missing; computed by the laboratories. */
typedef struct {
  double misfit;           /* chi-squared of the measurements */
  double innovation;       /* chi-squared of the innovations */
  double leave_one_out;    /* relative to the fluctuation */
  double uncertainty;      /* estimated by the method, relative to the fluctuation */
  double energy;           /* relative to the truth; 0: unknown */
  double divergence;       /* relative to the velocity gradient */
  double left_out;         /* readings that the method left out, in percent */
  double suspect;          /* number of the sensor of which it left out most; 0: none */
  double suspect_left_out; /* in percent of its readings */
  double residual;         /* of exposures, relative; 0: unknown */
  double n_left_out;       /* exposures left out, or 0 */
  double suspect_exposure; /* number of the one left out most, or 0 */
  /* of a wavefunction */
  double drift, drift_resolution;       /* of the energy at the end of the optimisation, mHa */
  double forbidden_dipole, spin_excess; /* in standard errors */
  double held_out; /* share of the readings of held-out sensors within their 95 % intervals */
} LacReliability;

/* The verdict on an estimate. One is good only with a diagnostic away from the sensors. */
typedef enum {
  LAC_RELIABILITY_UNKNOWN, /* the sensors were not asked */
  LAC_RELIABILITY_GOOD,
  LAC_RELIABILITY_QUESTIONABLE,
  LAC_RELIABILITY_NONE,
} LacReliabilityLevel;

LacReliabilityLevel lac_reliability_get_level(const LacReliability *reliability);

/* Returns TRUE when the sentence uses the metric @key, with or without its method's prefix. */
gboolean lac_reliability_has_metric(const char *key);

/* @metrics, @values: [n_metrics]; @group: as returned by lac_metric_group(). */
LacReliability lac_reliability_gather(const char      *group,
                                      const LacMetric *metrics,
                                      const double    *values,
                                      gsize            n_metrics);

/* Returns: (transfer full): the verdict and its reasons, "is reliable; fits the measurements (…); …", translated; NULL if all diagnostics are missing. */
char *lac_reliability_dup_sentence(const LacReliability *reliability);

typedef struct {
  const char *method; /* key of the method, interned */
  char       *title, *sentence;
} LacReliabilityLine;

/* Returns: (transfer full): array of LacReliabilityLine, one for every method with a diagnostic; with a true field only
 * methods that do not conserve energy or mass, or left out readings. */
GArray *lac_reliability_lines(const LacRunFile *run);

G_END_DECLS
