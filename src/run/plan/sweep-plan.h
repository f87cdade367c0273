/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep as entered by the user: parameters, values and how they combine. Its line of text and the rows of a form
 * are two views of it; the content is not validated before lac_sweep_parse(). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_SWEEP_GRID,     /* every combination */
  LAC_SWEEP_TOGETHER, /* the first values of all axes, then the second ones ... */
  LAC_SWEEP_RANDOM,   /* a given number of runs, each value drawn independently */
} LacSweepKind;

typedef enum {
  LAC_SWEEP_VALUES,    /* A,B,C */
  LAC_SWEEP_STEPS,     /* FROM..TO in N: equal differences, both ends included */
  LAC_SWEEP_LOG_STEPS, /* FROM..TO log in N: equal factors */
  LAC_SWEEP_RANGE,     /* FROM..TO: only for random draws */
  LAC_SWEEP_LOG_RANGE, /* FROM..TO log */
  LAC_N_SWEEP_SPACINGS
} LacSweepSpacing;

#define LAC_SWEEP_MOST_DRAWS 10000
#define LAC_SWEEP_MOST_STEPS 1000

/* Texts as entered, never NULL. */
typedef struct {
  char           *key;
  LacSweepSpacing spacing;
  char           *list;      /* "4, 8, 12" */
  char           *from, *to; /* used by all forms other than a list */
  guint           n;         /* number of steps */
} LacSweepAxis;

typedef struct {
  LacSweepKind kind;
  guint        n_draws;
  guint64      seed; /* seed of the random draws */
  GArray      *axes; /* element type LacSweepAxis */
} LacSweepPlan;

LacSweepPlan *lac_sweep_plan_new(void); /* returns a plan without axes */
void          lac_sweep_plan_free(LacSweepPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweepPlan, lac_sweep_plan_free)

/**
 * lac_sweep_plan_parse:
 * @text: "KEY=A,B,C; KEY=FROM..TO in N", with "together;" or "random N;" or "random N seed S;" first
 *
 * Returns: %NULL with %LAC_ERROR_USAGE or %LAC_ERROR_OUT_OF_RANGE if the text is malformed; keys and values are not
 *   validated.
 */
LacSweepPlan *lac_sweep_plan_parse(const char *text, GError **error);

/* Returns: (transfer full): text that lac_sweep_plan_parse() reads back as the same plan; "" with nothing swept. */
char *lac_sweep_plan_dup_text(const LacSweepPlan *plan);

LacSweepAxis *lac_sweep_plan_get_axis(const LacSweepPlan *plan, guint i);
/* Appends an axis with the values @list. */
void lac_sweep_plan_add(LacSweepPlan *plan, const char *key, const char *list);
void lac_sweep_plan_remove(LacSweepPlan *plan, guint i);
/* Sets the kind. For random draws, steps become the range they span; for the other kinds, ranges become steps. */
void lac_sweep_plan_set_kind(LacSweepPlan *plan, LacSweepKind kind);

gboolean lac_sweep_spacing_has_steps(LacSweepSpacing spacing);
gboolean lac_sweep_spacing_is_log(LacSweepSpacing spacing);
gboolean lac_sweep_spacing_is_drawn(
  LacSweepSpacing spacing); /* TRUE for forms that only random draws can use */

G_END_DECLS
