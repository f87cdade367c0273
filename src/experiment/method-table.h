/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods that a laboratory offers: their names, their rows among the parameters of a run, and what several of them
 * side by side have in common. */
#pragma once

#include "experiment/curve.h"
#include "experiment/scheduler.h"

G_BEGIN_DECLS

typedef struct {
  guint n;
  const LacScheduledMethod
             *methods[LAC_SCHEDULER_MAX];   /* each the first member of a laboratory's own struct */
  const char *names[LAC_SCHEDULER_MAX + 1]; /* NULL-terminated, as the titles are */
  const char *titles[LAC_SCHEDULER_MAX + 1];
  gsize       offsets[LAC_SCHEDULER_MAX]; /* of each method's parameters within those of a run */
} LacMethodTable;

void lac_method_table_add(LacMethodTable *table, const LacScheduledMethod *method);

/* Appends the rows of all methods, each bound to its choice in the list @key, whose choices it sets. @offset: of the
 * first method's parameters. Returns: the offset behind the last. */
gsize
lac_method_table_append_rows(LacMethodTable *table, GArray *rows, gsize offset, const char *key);

static inline gconstpointer
lac_method_table_get_params(const LacMethodTable *table, guint method, gconstpointer params)
{
  return (const char *) params + table->offsets[method];
}

/* Adds the curves of the method @name to @metrics, an array of LacMetric. */
void lac_method_table_add_curves(GArray         *metrics,
                                 const char     *name,
                                 const LacCurve *curves,
                                 gsize           n_curves);

/* Passes the changed live parameters to the methods of @scheduler. @list: those chosen */
void lac_method_table_retune(const LacMethodTable *table,
                             LacScheduler         *scheduler,
                             gint64                list,
                             gconstpointer         params);

/* Adds the cost of a further method, whose steps are spread over those of the run. */
void lac_estimate_add(LacEstimate *estimate, const LacEstimate *method);

/* Returns the number of steps between evaluations of the estimates, for steps and evaluations of these seconds. @asked:
 * chosen by the user; 0: evaluations take at most a twentieth of the steps' time, and are at most 100 and, where there
 * are as many steps, at least 12. */
gint64 lac_evaluation_interval(gint64 asked,
                               gint64 n_steps,
                               double step_seconds,
                               double evaluation_seconds);

G_END_DECLS
