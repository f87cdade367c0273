/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small experiment for the tests of run/: a randomly kicked Lorenz system, so that state and random numbers matter. */
#pragma once

#include "experiment/experiment.h"
#include "helpers/folder.h"
#include "run/core/run.h"

/* Parameters: steps, pause_us of sleep per step, fail_at and diverge_at steps, rho (live), swell: a factor per step,
 * leak: bytes per step that are kept until the end */
extern const LacExperiment lorenz;

/* Settings for lorenz in @out; @pairs: key, text ..., NULL. Free draft with lac_draft_free(). */
LacRunSettings lorenz_settings(LacDraft *draft, const char *out);
LacDraft      *lorenz_draft(const char *first_key, ...) G_GNUC_NULL_TERMINATED;

/* Runs to the end. Returns: the ended run. */
LacRun *lorenz_run(const LacRunSettings *settings);

/* A run and the user's actions during it. */
typedef struct {
  const char *name, *steps, *pause_us;
  void (*steer)(LacRun *run); /* (nullable): for a run that starts paused */
  gsize n_frames;             /* minimum number of saved frames */
} LorenzCase;

/* Returns: (transfer full): the ended run of a case. */
LacRun *lorenz_run_case(const LorenzCase *subject, const char *out);
/* Adds a test for each case, named @prefix and its name; the case is its data. */
void lorenz_add_cases(const char *prefix, GTestDataFunc test);

/* Asserts that two run folders have the same metric rows and saved frames, except for times. */
void assert_same_results(const char *folder, const char *other);
