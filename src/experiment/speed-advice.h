/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that would make a run shorter, from its profile: one table for all laboratories and methods. */
#pragma once

#include "experiment/experiment.h"
#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* A run that has been recorded. Everything is borrowed. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;     /* its settings */
  const char          *precision; /* f64, f32, ... */
  gboolean             on_device;
  guint                threads, n_processors;
  const LacCapture    *capture;
} LacSpeedCase;

typedef struct {
  const char
    *key; /* (nullable): of a parameter, "precision" or "threads"; NULL: nothing need be changed */
  const LacParam *row;       /* (nullable): the parameter */
  char           *now, *to;  /* values; NULL without a key */
  const char     *operation; /* name in the capture */
  double          share;     /* of the run's time that the operation takes, 0...1 */
  double          gain;      /* estimated fraction of the run's time saved, 0...1 */
  const char     *price;     /* translatable: what the change costs, a sentence */
} LacSpeedAdvice;

#define LAC_SPEED_LEAST 0.05 /* smallest gain that is worth a suggestion */
#define LAC_SPEED_MOST  4    /* largest number of suggestions */

/**
 * lac_speed_advice_find:
 *
 * Values are halved. The gain follows from the recorded time of the operation that grows with the value; that of a
 * limit, which a method need not reach, from its calls. Ratios for precision and threads were measured with lacuna
 * bench --ablation and lacuna profile.
 *
 * Returns: (transfer full) (element-type LacSpeedAdvice): largest gain first, one per setting; may be empty.
 */
GArray *lac_speed_advice_find(const LacSpeedCase *of);

/* Returns: (transfer full): "Try Ensemble members = 32 (now 64): ..." in one line; with @for_terminal the option. */
char *lac_speed_advice_dup_text(const LacSpeedAdvice *advice, gboolean for_terminal);
/* Returns: (transfer full) (nullable): "Ensemble members = 32" */
char *lac_speed_advice_dup_change(const LacSpeedAdvice *advice);

G_END_DECLS
