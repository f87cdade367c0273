/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark of the laboratories in tiers: each phase of each tier in its own processes, with its limits. Each
 * laboratory, tier and phase is a row of the tables in bench.c. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Sizes and limits are the product's original targets. */
typedef struct {
  const char *name;                              /* "small" */
  gsize       side, n_sensors;                   /* of a square grid */
  gint64      n_epochs, n_steps;                 /* of a training, and the number measured */
  double      forward_seconds, backward_seconds; /* limits per batch */
  double      selection_seconds, memory_bytes;
} LacBenchTier;

typedef struct {
  const char *key, *value;
} LacBenchSetting;

/* A tier with sizes specific to a laboratory, and the time per step published for another program. */
typedef struct {
  const char            *tier;
  const LacBenchSetting *settings;        /* ends with {NULL, NULL} */
  gint64                 n_warm, n_steps; /* warm-up steps, and total steps */
  double                 step_seconds;    /* limit per step */
  const char *elsewhere; /* a sentence with source and time; measured by others on their machine */
  gint64      n_all; /* steps of the whole training, whose time is also reported; 0: not reported */
} LacBenchSize;

/* Training of a laboratory: an experiment with settings in addition to those of the tier. */
typedef struct {
  const char            *name;       /* "flow" */
  const char            *experiment; /* "taylor-green" */
  const char            *precision;
  const LacBenchSetting *settings; /* ends with {NULL, NULL} */
  const char            *grid_key, *sensors_key, *batch_key,
    *epochs_key; /* parameters set by the tier; NULL where the laboratory has its own sizes */
  const char *const  *qualities; /* keys of the compared metrics; ends with NULL */
  const LacBenchSize *sizes; /* (nullable): ends with {NULL}; tiers missing here are not measured */
} LacBenchLaboratory;

/* Returns: (nullable) */
const LacBenchSize *lac_bench_find_size(const LacBenchLaboratory *laboratory,
                                        const LacBenchTier       *tier);

/* One phase of one tier in one process. */
typedef struct {
  const LacBenchLaboratory *laboratory;
  const LacBenchTier       *tier;
  guint                     n_threads;
  const char               *backend; /* (nullable): NULL: the processor */
  gboolean                  profile; /* also the operations of a step */
} LacBenchTask;

const LacBenchTier       *lac_bench_tiers(gsize *n_tiers);
const LacBenchLaboratory *lac_bench_laboratories(gsize *n_laboratories);

/* Progress of a benchmark: the process that begins. */
typedef struct {
  guint       n_done, n_all;   /* processes, over all rounds */
  guint       round, n_rounds; /* @round counts from 1 */
  const char *name;            /* of the phase: "flow/small/step" */
} LacBenchProgress;

typedef struct {
  const LacBenchTier *const *tiers; /* [n_tiers] */
  gsize                      n_tiers;
  guint                      n_threads;
  guint                      n_rounds; /* processes per phase; the rounds of all phases alternate */
  const char                *only;     /* (nullable): filter, a substring of "flow/small/step" */
  const char                *backend;  /* (nullable): training device; NULL: the processor */
  gboolean everything; /* also the phases that are otherwise measured only if @only names them */
  gboolean profile;    /* adds rows for the operations of a step, by their share of its time */
  /* (nullable): called before each process */
  void (*progress)(const LacBenchProgress *progress, gpointer user_data);
  gpointer user_data;
} LacBenchSettings;

/* Adds rows to @file. No other thread may run. Returns: FALSE with an error; %LAC_ERROR_USAGE where @only matches no
 * phase. */
gboolean lac_bench_measure(const LacBenchSettings *settings, LacBenchFile *file, GError **error);

G_END_DECLS
