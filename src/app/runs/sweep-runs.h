/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a sweep: a point for each run, a column for each result. Made from saved runs and
 * from the sweep of this window. Immutable, reference-counted; main thread. */
#pragma once

#include "app/session/run-item.h"
#include "app/session/sweep-series.h"

G_BEGIN_DECLS

typedef struct {
  GStrv       values;  /* of the swept parameters, in the order of the keys */
  char       *outcome; /* NULL: the run has not ended */
  char       *words;   /* displayed outcome: "finished", "running", "waiting" */
  double      seconds; /* compute time; NaN: unknown */
  double      memory;  /* bytes, estimated from the settings; NaN: unknown */
  double     *results; /* [n_columns]; NaN: none */
  LacRunItem *item;    /* (nullable): in the list of runs */
  gssize      run;     /* its number in the sweep of this window; -1: another run */
} LacSweepPoint;

typedef struct {
  const char *key;     /* interned: "enkf.relative_l2" */
  const char *own_key; /* interned: "relative_l2" */
  const char *group;   /* interned: "enkf"; "": a result of the run */
  const char *unit;    /* interned */
  char       *label;   /* translated: "Relative error" */
  char       *method;  /* translated name of the group; "" for a result of the run */
  gboolean is_hidden;  /* repeats the first method's, or is the standard error of another column */
} LacSweepColumn;

typedef struct {
  char      *title;        /* of the experiment, translated */
  GStrv      keys, labels; /* of the swept parameters; labels with units */
  GPtrArray *points;       /* LacSweepPoint, sorted by their values */
  GArray    *columns;      /* LacSweepColumn */
  gsize      n_done;       /* runs that have ended */
  double     seconds;      /* their compute time in total */
  guint64    bytes;        /* their size on disk */
} LacSweepRuns;

/* @runs: (nullable): LacRunItem, saved runs of the sweep. @keys: (nullable): the swept parameters; NULL: those of @series,
 * else those recorded with the runs, else the settings that differ. @series: (nullable): the sweep of this window, whose
 * runs are added where @runs lacks them. Returns: (transfer full) (nullable): NULL without runs. */
LacSweepRuns *lac_sweep_runs_new(GListModel *runs, const char *const *keys, LacSweepSeries *series);
LacSweepRuns *lac_sweep_runs_ref(LacSweepRuns *results);
void          lac_sweep_runs_unref(LacSweepRuns *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweepRuns, lac_sweep_runs_unref)

const LacSweepPoint  *lac_sweep_runs_get_point(const LacSweepRuns *results, guint i);
const LacSweepColumn *lac_sweep_runs_get_column(const LacSweepRuns *results, guint column);

/* Returns: (transfer full): the results that can be drawn, by @own_key: those of the methods first. */
GStrv lac_sweep_runs_dup_metrics(const LacSweepRuns *results);
/* Returns: (transfer none): the label of a result; NULL if no run has it. */
const char *lac_sweep_runs_get_label(const LacSweepRuns *results, const char *own_key);

/* Returns the column with the best value of @own_key at a point; -1: none has a value. */
gssize lac_sweep_runs_find_best(const LacSweepRuns *results, guint point, const char *own_key);

/* Returns the point with the best value of @own_key; -1: none has a value. */
gssize lac_sweep_runs_find_best_point(const LacSweepRuns *results, const char *own_key);

/* Returns: (transfer full) (nullable): the answer of the sweep for one result, report/summary/answer.h. */
char *lac_sweep_runs_dup_answer(const LacSweepRuns *results, const char *own_key);

/* Finds a swept parameter whose values are all numbers. Returns -1 if there is none; runs are then numbered. */
gssize lac_sweep_runs_find_axis(const LacSweepRuns *results);
/* Returns the position of a point along @axis; its number from 1 without an axis. */
double lac_sweep_runs_get_place(const LacSweepRuns *results, guint point, gssize axis);

G_END_DECLS
