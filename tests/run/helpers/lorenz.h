/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small experiment for the tests of run/: a randomly kicked Lorenz system, so that state and random numbers matter. */
#pragma once

#include "experiment/experiment.h"
#include "helpers/folder.h"
#include "run/core/run.h"

/* steps, pause_us of sleep a step, fail_at and diverge_at steps, rho (live), swell: a factor a step */
extern const LacExperiment lorenz;

/* Settings for lorenz in @out; @pairs: key, text ..., NULL. Free draft with lac_draft_free(). */
LacRunSettings lorenz_settings(LacDraft *draft, const char *out);
LacDraft      *lorenz_draft(const char *first_key, ...) G_GNUC_NULL_TERMINATED;

/* Runs to the end. Returns: the run, ended. */
LacRun *lorenz_run(const LacRunSettings *settings);

/* A run and what a person does on its way. */
typedef struct {
  const char *name, *steps, *pause_us;
  void (*steer)(LacRun *run); /* (nullable): of a run that begins paused */
  gsize n_frames;             /* that it keeps at least */
} LorenzCase;

/* Returns: (transfer full): the run of a case, ended. */
LacRun *lorenz_run_case(const LorenzCase *subject, const char *out);
/* A test of each case, called @prefix and its name; it is given the case. */
void lorenz_add_cases(const char *prefix, GTestDataFunc test);

/* Two run folders end in the same metric rows and kept frames, times apart. */
void assert_same_results(const char *folder, const char *other);
