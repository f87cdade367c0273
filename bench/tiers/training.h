/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment without a run around it, in a selected variant: complete or with an optimisation disabled. */
#pragma once

#include "backend/cpu/cpu.h"
#include "bench/tiers/bench.h"
#include "experiment/experiment.h"
#include "experiment/quantum/wavefunction/wavefunction.h"
#include "run/core/memory.h"

G_BEGIN_DECLS

/* Unoptimised variants of the progressive training in progressive.c. */
typedef enum {
  LAC_PLAIN_MEASUREMENTS = 1 << 0, /* recomputes an exposure at every use */
  LAC_PLAIN_MASKS = 1 << 1,        /* recomputes the pixels of an aperture at every use */
  LAC_PLAIN_DETECTOR = 1 << 2,     /* detector as large as the grid */
  LAC_PLAIN_METRICS = 1 << 3,      /* computes metrics one after the other */
} LacBenchPlain;

/* Compute variant. */
typedef struct {
  guint         n_threads;
  const char   *precision; /* "f64" or "f32" */
  guint         without;   /* LacWithout */
  LacCpuOptions cpu;
  gboolean      cached;       /* reuses results cached by earlier set-ups */
  guint         plain;        /* LacBenchPlain */
  guint         wavefunction; /* LacElectronWithout */
  gboolean      one_by_one;   /* evaluates walkers one by one */
  const char   *backend;      /* (nullable): a device; NULL: the processor, by `cpu` */
} LacBenchWay;

/* Returns the variant with all optimisations. */
LacBenchWay lac_bench_way(guint n_threads, const char *precision);

typedef struct {
  LacBenchWay          way;
  LacRunMemory        *memory; /* (nullable), borrowed: set before the set-up of a cached variant */
  guint64              seed;   /* set before the set-up, like the next */
  GHashTable          *measurements; /* (nullable): see LacContext; owned, its values borrowed */
  LacDevice            device;
  LacPool             *pool;
  LacPerf             *perf;
  const LacExperiment *experiment;
  LacDraft            *draft;
  gpointer             state;
  LacOutline           outline;
  double              *metrics, *last; /* [n_metrics]; last: the latest finite values */
  gint64               n_done;
} LacBenchTraining;

/* Sets device, threads and settings; @settings: ends with {NULL, NULL}. */
gboolean lac_bench_training_open(LacBenchTraining      *training,
                                 const LacBenchWay     *way,
                                 const char            *experiment,
                                 const LacBenchSetting *settings,
                                 GError               **error);
gboolean
lac_bench_training_set(LacBenchTraining *training, const char *key, gint64 number, GError **error);
gboolean lac_bench_training_set_up(LacBenchTraining *training, GError **error);
gboolean lac_bench_training_step(LacBenchTraining *training, LacOutcome *outcome, GError **error);
/* Steps until the experiment has ended. */
gboolean lac_bench_training_finish(LacBenchTraining *training, GError **error);
void     lac_bench_training_close(LacBenchTraining *training);

/* Returns the last finite value of a metric; NaN without one. */
double lac_bench_training_get(const LacBenchTraining *training, const char *key);

/* Adds a row with one sample, a quality without unit. @limit: upper limit; 0: none */
void lac_bench_add_quality(LacBenchFile *file,
                           const char   *name,
                           const char   *metric,
                           double        value,
                           double        limit);

G_END_DECLS
