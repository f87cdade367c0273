/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A time step of spectra, or its transpose, that is repeated: a device that records steps replays it, and takes its time. */
#pragma once

#include "backend/recorded-step.h"
#include "solver/spectra.h"

G_BEGIN_DECLS

typedef struct {
  LacSpectra      *spectra;
  LacRecordedStep *recorded;
  void (*enqueue)(gpointer user_data);
  gpointer user_data;
  guint32  name;         /* in the table of operations */
  double   flops, bytes; /* bytes: as counted in the last call of enqueue() */
} LacSpectraStep;

typedef struct {
  LacPerf    *perf; /* (nullable) */
  LacLane    *lane; /* (nullable): of the thread */
  const char *name; /* "smoke steps" */
  double      flops;
  /* Calls functions of the spectra, always with the same arrays and numbers. */
  void (*enqueue)(gpointer user_data);
  gpointer user_data;
} LacSpectraStepSettings;

/* @step, which must not be moved, borrows @spectra. */
void lac_spectra_step_init(LacSpectraStep               *step,
                           LacSpectra                   *spectra,
                           const LacSpectraStepSettings *settings);
void lac_spectra_step_clear(LacSpectraStep *step); /* before the spectra; accepts a zeroed one */

/* Runs the step, unless an earlier call has failed. */
void lac_spectra_step_run(LacSpectraStep *step);

G_END_DECLS
