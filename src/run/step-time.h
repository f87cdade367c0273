/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of one step of an experiment on a device, measured in a state of its own. */
#pragma once

#include "run/inputs.h"
#include "run/run-rows.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;  /* of the run that is to come */
  const LacInputs     *inputs; /* (nullable) */
  const LacMemory     *memory; /* (nullable) */
  LacPool             *pool;   /* at rest */
  guint64              seed;
  const char          *precision;            /* as a run has it: f64, f32, bf16x6, bf16x3 */
  gboolean (*cancelled)(gpointer user_data); /* (nullable) */
  gpointer user_data;
} LacStepSubject;

/**
 * lac_step_time_measure:
 * @device: whose precision is set for it
 * @most_seconds: set-up and steps are given up after so long; a step that has begun is waited for
 *
 * Steps follow each other as in a run, without waiting for numbers that a device still owes. The first ones, in which a device records
 * what it repeats afterwards, do not count; of three groups of steps the fastest does.
 *
 * Returns: seconds; NaN with the error of the experiment, or %LAC_ERROR_FAILED where somebody cancelled or the time was over
 */
double lac_step_time_measure(const LacStepSubject *subject,
                             const LacDevice      *device,
                             double                most_seconds,
                             GError              **error);

G_END_DECLS
