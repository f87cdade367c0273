/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment without a run around it, in the way that is asked for: as it is, or with something left out. */
#pragma once

#include "backend/cpu/cpu.h"
#include "bench/tiers/bench.h"
#include "experiment/experiment.h"
#include "run/core/memory.h"

G_BEGIN_DECLS

/* What the progressive training of progressive.c does the plain way. */
typedef enum {
  LAC_PLAIN_MEASUREMENTS = 1 << 0, /* an exposure is measured wherever it is used */
  LAC_PLAIN_MASKS = 1 << 1,        /* an aperture's pixels are found wherever it is used */
  LAC_PLAIN_DETECTOR = 1 << 2,     /* as large as the grid */
  LAC_PLAIN_METRICS = 1 << 3,      /* one after the other */
} LacBenchPlain;

/* How it computes. */
typedef struct {
  guint         n_threads;
  const char   *precision; /* "f64" or "f32" */
  guint         without;   /* LacWithout */
  LacCpuOptions cpu;
  gboolean      cached;  /* recalls what earlier ones computed */
  guint         plain;   /* LacBenchPlain */
  const char   *backend; /* (nullable): a device; NULL: the processor, by `cpu` */
} LacBenchWay;

/* Nothing is left out. */
LacBenchWay lac_bench_way(guint n_threads, const char *precision);

typedef struct {
  LacBenchWay way;
  LacRunMemory
           *memory; /* (nullable), borrowed: to be set before the set-up of a way that is cached */
  LacDevice device;
  LacPool  *pool;
  LacPerf  *perf;
  const LacExperiment *experiment;
  LacDraft            *draft;
  gpointer             state;
  LacOutline           outline;
  double              *metrics, *last; /* [n_metrics]; last: the finite ones */
  gint64               n_done;
} LacBenchTraining;

/* Device, threads and settings; @settings: ends with {NULL, NULL}. */
gboolean lac_bench_training_open(LacBenchTraining      *training,
                                 const LacBenchWay     *way,
                                 const char            *experiment,
                                 const LacBenchSetting *settings,
                                 GError               **error);
gboolean
lac_bench_training_set(LacBenchTraining *training, const char *key, gint64 number, GError **error);
gboolean lac_bench_training_set_up(LacBenchTraining *training, GError **error);
gboolean lac_bench_training_step(LacBenchTraining *training, LacOutcome *outcome, GError **error);
void     lac_bench_training_close(LacBenchTraining *training);

/* The last finite value of a metric; NaN where there is none. */
double lac_bench_training_get(const LacBenchTraining *training, const char *key);

G_END_DECLS
