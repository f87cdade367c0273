/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep as a person says it: what is swept, over which values, and how these are combined. Its line of text and the rows of a
 * form are two views of it; what stands there need not be sound before lac_sweep_parse() has tried it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_SWEEP_GRID,     /* every combination */
  LAC_SWEEP_TOGETHER, /* the first values, then the second ones ... */
  LAC_SWEEP_RANDOM,   /* as many runs as asked for, each value drawn by itself */
} LacSweepKind;

typedef enum {
  LAC_SWEEP_VALUES,    /* A,B,C */
  LAC_SWEEP_STEPS,     /* FROM..TO in N: equal differences, both ends among them */
  LAC_SWEEP_LOG_STEPS, /* FROM..TO log in N: equal factors */
  LAC_SWEEP_RANGE,     /* FROM..TO: only where values are drawn */
  LAC_SWEEP_LOG_RANGE, /* FROM..TO log */
  LAC_N_SWEEP_WAYS
} LacSweepWay;

#define LAC_SWEEP_MOST_DRAWS 10000
#define LAC_SWEEP_MOST_STEPS 1000

/* Texts are as somebody wrote them, never NULL. */
typedef struct {
  char       *key;
  LacSweepWay way;
  char       *list;      /* "4, 8, 12" */
  char       *from, *to; /* of the other ways */
  guint       n;         /* of steps */
} LacSweepAxis;

typedef struct {
  LacSweepKind kind;
  guint        n_draws;
  guint64      seed; /* of what is drawn */
  GArray      *axes; /* LacSweepAxis */
} LacSweepPlan;

LacSweepPlan *lac_sweep_plan_new(void); /* nothing is swept */
void          lac_sweep_plan_free(LacSweepPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweepPlan, lac_sweep_plan_free)

/**
 * lac_sweep_plan_parse:
 * @text: "KEY=A,B,C; KEY=FROM..TO in N", with "together;" or "random N;" or "random N seed S;" first
 *
 * Returns: %NULL with %LAC_ERROR_USAGE or %LAC_ERROR_OUT_OF_RANGE where it cannot be told apart what is meant; whether keys and
 *   values can be taken is not asked.
 */
LacSweepPlan *lac_sweep_plan_parse(const char *text, GError **error);

/* Returns: (transfer full): what lac_sweep_plan_parse() reads the same plan from; "" with nothing swept. */
char *lac_sweep_plan_dup_text(const LacSweepPlan *plan);

LacSweepAxis *lac_sweep_plan_get_axis(const LacSweepPlan *plan, guint i);
/* One more, with @list for its values. */
void lac_sweep_plan_add(LacSweepPlan *plan, const char *key, const char *list);
void lac_sweep_plan_remove(LacSweepPlan *plan, guint i);
/* Steps become the range they span where values are drawn, and the other way round. */
void lac_sweep_plan_set_kind(LacSweepPlan *plan, LacSweepKind kind);

gboolean lac_sweep_way_has_steps(LacSweepWay way);
gboolean lac_sweep_way_is_log(LacSweepWay way);
gboolean lac_sweep_way_is_drawn(LacSweepWay way); /* only where values are drawn */

G_END_DECLS
