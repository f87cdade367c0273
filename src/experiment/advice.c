/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of suggestions. */
#include "experiment/advice.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Change of a value: multiplied, or moved half the distance to 1. */
typedef enum { TIMES, TOWARDS_ONE } Change;

typedef struct {
  const char *laboratory, *who; /* who: "": any method */
  const char *cause;
  const char *key;
  Change      change;
  double      amount;
} Row;

#define TOO_FAST N_("The optimiser's steps are too long for this loss.")
#define TOO_LONG \
  N_("The solver's time step is too long for the speed of the flow and the size of a cell.")
#define TOO_TIGHT  N_("The ensemble spread is so large that the solver diverges for some members.")
#define TOO_FAR    N_("The imaging method's steps are too long.")
#define TOO_WILD   N_("The optimisation steps are too long for the noise of the energy gradient.")
#define TOO_COARSE N_("The lattice is too coarse for this Reynolds number.")
#define UNKNOWN    N_("Values overflowed the floating-point range.")

/* For each method the most likely cause first. */
static const Row rows[] = {
  {"flow", "pinn", TOO_FAST, "rate", TIMES, 0.5},
  {"flow", "surrogate", TOO_FAST, "surrogate_rate", TIMES, 0.5},
  {"flow", "enkf", TOO_LONG, "time_step", TIMES, 0.5},
  {"flow", "enkf", TOO_TIGHT, "inflation", TOWARDS_ONE, 0.5},
  {"flow", "enkf", TOO_TIGHT, "most_inflation", TOWARDS_ONE, 0.5},
  {"flow", "solver", TOO_LONG, "time_step", TIMES, 0.5},
  {"flow", "truth", TOO_LONG, "time_step", TIMES, 0.5},
  {"flow", "truth", TOO_COARSE, "diameter", TIMES, 1.5},
  {"flow", "", TOO_LONG, "time_step", TIMES, 0.5},
  {"imaging", "pie", TOO_FAR, "pie_step", TIMES, 0.5},
  {"imaging", "rpie", TOO_FAR, "rpie_step", TIMES, 0.5},
  {"imaging", "raar", TOO_FAR, "raar_relaxation", TIMES, 0.8},
  {"imaging", "decoder", TOO_FAST, "decoder_rate", TIMES, 0.5},
  {"quantum", "pretraining", TOO_FAST, "pretraining_rate", TIMES, 0.5},
  {"quantum", "optimisation", TOO_WILD, "rate", TIMES, 0.5},
  {"quantum", "optimisation", TOO_WILD, "norm", TIMES, 0.5},
  {"quantum", "optimisation", TOO_WILD, "damping", TIMES, 10},
  {"quantum", "optimisation", TOO_WILD, "walkers", TIMES, 2},
};

static double
changed(const Row *row, double value)
{
  switch (row->change) {
  case TIMES: return value * row->amount;
  case TOWARDS_ONE: return 1 + (value - 1) * row->amount;
  }
  g_return_val_if_reached(value);
}

/* Rounds the suggestion to three digits. Returns: (transfer full) (nullable). */
static char *
try_row(const LacExperiment *experiment, const LacDraft *draft, const Row *row)
{
  const LacParam *param = lac_param_find(&experiment->params, row->key);

  if (param == NULL || !lac_draft_is_in_use(draft, param))
    return NULL;
  g_autoptr(LacDraft) trial = lac_draft_copy(draft);
  double              before = lac_draft_get_number(draft, param);
  char                text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd(text, sizeof text, "%.3g", changed(row, before));
  if (param->kind == LAC_PARAM_INTEGER)
    g_ascii_formatd(text, sizeof text, "%.0f", changed(row, before));
  if (!lac_draft_set(trial, row->key, text, NULL) || lac_draft_get_number(trial, param) == before ||
      (experiment->check != NULL &&
       !experiment->check(experiment, lac_draft_get_values(trial), NULL)))
    return NULL;
  return lac_draft_dup_text(trial, param);
}

/* Returns TRUE when the user moved the parameter away from its default in the harmful direction: a more likely
 * cause. */
static gboolean
is_beyond_default(const LacExperiment *experiment, const LacDraft *draft, const Row *row)
{
  const LacParam *param = lac_param_find(&experiment->params, row->key);
  double          before = param != NULL ? lac_draft_get_number(draft, param) : 0;

  return param != NULL &&
         fabs(changed(row, before) - param->fallback) < fabs(before - param->fallback);
}

void
lac_advice_find(const LacExperiment *experiment,
                const LacDraft      *draft,
                const char          *who,
                LacAdvice           *advice)
{
  *advice = (LacAdvice){0};
  for (gsize i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
    const Row *row = &rows[i % G_N_ELEMENTS(rows)];
    if (!g_str_equal(row->laboratory, experiment->laboratory) ||
        (*row->who != '\0' && !g_str_equal(row->who, who)))
      continue;
    if (advice->cause == NULL)
      advice->cause = row->cause;
    char *text = i >= G_N_ELEMENTS(rows) || is_beyond_default(experiment, draft, row)
                   ? try_row(experiment, draft, row)
                   : NULL;
    if (text != NULL) {
      *advice = (LacAdvice){row->cause, lac_param_find(&experiment->params, row->key), text};
      return;
    }
  }
  if (advice->cause == NULL)
    advice->cause = UNKNOWN;
}

void
lac_advice_clear(LacAdvice *advice)
{
  g_clear_pointer(&advice->text, g_free);
}
