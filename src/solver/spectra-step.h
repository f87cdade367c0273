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
  double  *from, *to;
  gsize    length;
  guint32  name;         /* in the table of operations */
  double   flops, bytes; /* bytes: as counted in the last call of enqueue() */
} LacSpectraStep;

typedef struct {
  LacPerf    *perf; /* (nullable) */
  LacLane    *lane; /* (nullable): of the thread */
  const char *name; /* "smoke steps" */
  double      flops;
  /* Computes `to`, one step after `from`, by functions of the spectra, always with the same arrays and numbers. The transpose of
   * a step takes the state before it from `from`, and gradients of the state from `to` and to it. */
  void (*enqueue)(gpointer user_data);
  gpointer user_data;
  double  *from, *to; /* [length] */
  gsize    length;
} LacSpectraStepSettings;

/* @step, which must not be moved, borrows @spectra. */
void lac_spectra_step_init(LacSpectraStep               *step,
                           LacSpectra                   *spectra,
                           const LacSpectraStepSettings *settings);
void lac_spectra_step_clear(LacSpectraStep *step); /* before the spectra; accepts a zeroed one */

/* Computes step->to, @n_steps (1 or more) after step->from, which is destroyed; stops at the first failure. */
void lac_spectra_step_run(LacSpectraStep *step, gsize n_steps);

/* Reverses @n_steps from @state, which is not modified. @backwards: the transpose of @forwards; its `to` is the gradient with
 * respect to the state, in and out. @slots: [LAC_TRAJECTORY_SLOTS][length] */
void lac_spectra_step_reverse(LacSpectraStep *forwards,
                              LacSpectraStep *backwards,
                              double         *slots,
                              const double   *state,
                              gsize           n_steps);

G_END_DECLS
