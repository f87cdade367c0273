/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small run of an experiment, with the settings of experiment-settings.h, as tests walk through it. */
#pragma once

#include "experiment/experiment.h"

#define SMALL_RUN_MAX_STEPS   64
#define SMALL_RUN_MAX_METRICS 96

typedef struct {
  const char *backend, *precision;
  guint       n_threads;
  guint64     seed;
  /* (nullable): opens the backend in place of lac_device_open(). Returns: FALSE where there is none, and the test is over. */
  gboolean (*open)(LacDevice *device, const char *backend);
  const char *settings; /* (nullable): in place of some of the small ones */
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

/* With the settings of experiment-settings.c. */
LacDraft *small_run_new_draft(const LacExperiment *experiment);

/* Returns: FALSE only of a way that opens its device itself. */
gboolean small_run_init(SmallRun *run, const LacExperiment *experiment, const SmallRunWay *way);
/* @own: (nullable): measurements that take the place of simulated ones; the truth is withheld then. */
gboolean small_run_init_with(SmallRun            *run,
                             const LacExperiment *experiment,
                             const SmallRunWay   *way,
                             LacMeasurements     *own);
void     small_run_clear(SmallRun *run);

void small_run_step(SmallRun *run);
void small_run_to(SmallRun *run, gint64 n_steps);
/* The run's own frame, filled. */
LacFrame *small_run_snap(SmallRun *run);

/* To the bit; metrics from step @first on. */
void assert_same_frame(SmallRun *a, SmallRun *b);
void assert_same_metrics(const SmallRun *a, const SmallRun *b, gint64 first);
