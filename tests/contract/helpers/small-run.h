/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small run of an experiment, with the settings of experiment-settings.h, for tests to step through. */
#pragma once

#include "experiment/experiment.h"

#define SMALL_RUN_MAX_STEPS   64
#define SMALL_RUN_MAX_METRICS 160

typedef struct {
  const char *backend, *precision;
  guint       n_threads;
  guint64     seed;
  /* (nullable): opens the backend instead of lac_device_open(). Returns: FALSE when unavailable, which ends the
   * test. */
  gboolean (*open)(LacDevice *device, const char *backend);
  const char *settings; /* (nullable): override some of the small settings */
  guint       without;  /* LacWithout */
} SmallRunWay;

extern const SmallRunWay small_run_plain;

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacContext           context;
  gpointer             state;
  LacOutline           outline;
  LacFrame            *frame;
  gint64               n_steps, n_done;
  double               metrics[SMALL_RUN_MAX_STEPS][SMALL_RUN_MAX_METRICS];
} SmallRun;

/* Returns a draft with the settings of experiment-settings.c. */
LacDraft *small_run_new_draft(const LacExperiment *experiment);

/* Returns: FALSE only if the variant's own open() fails. */
gboolean small_run_init(SmallRun *run, const LacExperiment *experiment, const SmallRunWay *way);
/* @own: (nullable): user measurements that replace the simulated ones; there is then no true field. */
gboolean small_run_init_with(SmallRun            *run,
                             const LacExperiment *experiment,
                             const SmallRunWay   *way,
                             LacMeasurements     *own);
void     small_run_clear(SmallRun *run);

void small_run_step(SmallRun *run);
void small_run_to(SmallRun *run, gint64 n_steps);
/* Returns the run's own frame, filled. */
LacFrame *small_run_snap(SmallRun *run);

/* Bitwise comparison; metrics from step @first on. */
void assert_same_frame(SmallRun *a, SmallRun *b);
void assert_same_metrics(const SmallRun *a, const SmallRun *b, gint64 first);
