/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark as a child process, `lacuna bench`, with its progress. Main thread.
 *
 * Signals:
 *   changed     the process has begun or ended
 *   progressed  another phase has begun, or a second has passed
 *   ended       (path, sentence): the stored result, or NULL; then why, or NULL if it was stopped */
#pragma once

#include "app/benchmarks/results.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_BENCH_RUNNER (lac_bench_runner_get_type())
G_DECLARE_FINAL_TYPE(LacBenchRunner, lac_bench_runner, LAC, BENCH_RUNNER, GObject)

/* @program: (nullable): NULL: this program */
LacBenchRunner *lac_bench_runner_new(const char *program);

typedef struct {
  LacBenchFamily family;
  const char    *scales; /* (nullable): "small,medium"; NULL of growth */
  const char    *only;   /* (nullable): "flow/" */
  const char    *path;   /* of the result */
} LacBenchOrder;

/* Starts the process; none may be running. Returns: FALSE with an error. */
gboolean lac_bench_runner_start(LacBenchRunner *runner, const LacBenchOrder *order, GError **error);
/* Kills the process, whose measurements are lost. */
void     lac_bench_runner_stop(LacBenchRunner *runner);
gboolean lac_bench_runner_is_running(LacBenchRunner *runner);

/* The phase that is measured now. Strings are owned by the runner. */
typedef struct {
  guint       n_done, n_all, round, n_rounds;
  const char *phase;        /* (nullable): "quantum/large/step"; NULL before the first */
  double      seconds_left; /* NaN: unknown, in the first round */
} LacBenchPhase;

LacBenchPhase lac_bench_runner_get_phase(LacBenchRunner *runner);

G_END_DECLS
