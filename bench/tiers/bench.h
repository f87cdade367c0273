/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the laboratories cost on this machine, in tiers: each phase of each tier in processes of its own, beside what it may
 * cost. A laboratory, a tier and a phase are a row each of tables in bench.c. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Sizes and what each may cost are those the product set out with. */
typedef struct {
  const char *name;                              /* "small" */
  gsize       side, n_sensors;                   /* of a square grid */
  gint64      n_epochs, n_steps;                 /* of a training, and those that are measured */
  double      forward_seconds, backward_seconds; /* that a batch may take */
  double      selection_seconds, memory_bytes;
} LacBenchTier;

typedef struct {
  const char *key, *value;
} LacBenchSetting;

/* A tier of a laboratory that has sizes of its own, and what another program needed for a step of it. */
typedef struct {
  const char            *tier;
  const LacBenchSetting *settings;        /* ends with {NULL, NULL} */
  gint64                 n_warm, n_steps; /* steps before the measured ones, and all together */
  double                 step_seconds;    /* that a step may take */
  const char *elsewhere; /* a sentence: who, how long; measured by others on their machine */
  gint64      n_all;     /* steps of the whole training, whose time is told too; 0: not told */
} LacBenchSize;

/* What a laboratory trains: an experiment with settings beside those of the tier. */
typedef struct {
  const char            *name;       /* "flow" */
  const char            *experiment; /* "taylor-green" */
  const char            *precision;
  const LacBenchSetting *settings; /* ends with {NULL, NULL} */
  const char            *grid_key, *sensors_key, *batch_key,
    *epochs_key;                /* what the tier sets; NULL where the laboratory has sizes */
  const char *const *qualities; /* keys of metrics that are compared; ends with NULL */
  const LacBenchSize
    *sizes; /* (nullable): ends with {NULL}; a tier that is not there is not measured */
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
} LacBenchTask;

const LacBenchTier       *lac_bench_tiers(gsize *n_tiers);
const LacBenchLaboratory *lac_bench_laboratories(gsize *n_laboratories);

typedef struct {
  const LacBenchTier *const *tiers; /* [n_tiers] */
  gsize                      n_tiers;
  guint                      n_threads;
  guint                      n_rounds; /* processes a phase; the rounds of all phases alternate */
  const char                *only;     /* (nullable): phases with this in "flow/small/step" */
  const char                *backend;  /* (nullable): a device that trains; NULL: the processor */
  void (*progress)(double fraction, const char *what, gpointer user_data); /* (nullable) */
  gpointer user_data;
} LacBenchSettings;

/* Adds rows to @file. No other thread may run. Returns: FALSE with an error; %LAC_ERROR_USAGE where @only names no phase. */
gboolean lac_bench_measure(const LacBenchSettings *settings, LacBenchFile *file, GError **error);

G_END_DECLS
