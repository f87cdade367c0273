/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The residual of the equation in a method's final estimate, at some of the scored observations. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>

#define MIDDLE     (LAC_EQUATION_TIMES / 2)
#define MOST_CELLS 16384 /* over all observations: a second of a run of ten is too much */
#define MOST_TIMES 16

/* The observations to evaluate, whose neighbours are known too. */
typedef struct {
  gsize first, n, stride;
} Choice;

static Choice
choose(const LacLaboratoryState *state)
{
  const gsize cells = state->grid.nx * state->grid.ny, n_times = state->grid.n_times;

  if (state->subject.steady)
    return (Choice){0, 1, 1};
  const gsize first = MAX(MIN(lac_laboratory_first_scored(state), n_times - 1 - MIDDLE), MIDDLE);
  const gsize n_there = n_times - MIDDLE - first;
  const gsize n = MIN(CLAMP(MOST_CELLS / cells, 1, MOST_TIMES), n_there);
  return (Choice){first, n, n_there / n};
}

static gboolean
is_even(const LacTruth *grid)
{
  for (gsize k = 2; k < grid->n_times; k++)
    if (fabs(grid->times[k] - grid->times[k - 1] - (grid->times[1] - grid->times[0])) >
        1e-6 * fabs(grid->times[1] - grid->times[0]))
      return FALSE;
  return TRUE;
}

static gboolean
add_time(const LacLaboratoryState *state, const LacFlowSlot *slot, gsize k, GError **error)
{
  const gsize   n = lac_truth_get_length(&state->grid);
  double       *fields = state->around;
  const double *around[LAC_EQUATION_TIMES];

  for (gsize t = 0; t < LAC_EQUATION_TIMES; t++) {
    around[t] = fields + t * n;
    if ((!state->subject.steady || t == MIDDLE) &&
        !slot->method->field(slot->self, state->subject.steady ? 0 : k + t - MIDDLE, fields + t * n,
                             NULL, error))
      return FALSE;
  }
  return lac_equation_residual_add(state->equations[slot->knowledge.n_fields], around, k, error);
}

gboolean
lac_laboratory_prepare_equation(LacLaboratoryState *state, const LacFlowSlot *slot, GError **error)
{
  LacEquationResidual **residual = &state->equations[slot->knowledge.n_fields];

  if (slot->place.equation == 0 || *residual != NULL)
    return TRUE;
  if (state->around == NULL)
    state->around = g_new0(double, LAC_EQUATION_TIMES *lac_truth_get_length(&state->grid));
  *residual = lac_equation_residual_new(&state->subject, &state->grid, slot->knowledge.n_fields,
                                        state->context.pool, error);
  return *residual != NULL;
}

gboolean
lac_laboratory_score_equation(const LacLaboratoryState *state,
                              const LacFlowSlot        *slot,
                              double                   *metrics,
                              GError                  **error)
{
  LacEquationResidual *residual = state->equations[slot->knowledge.n_fields];

  if (slot->place.equation == 0 || (!state->subject.steady && !is_even(&state->grid)))
    return TRUE;
  const Choice choice = choose(state);
  lac_equation_residual_clear(residual);
  for (gsize i = 0; i < choice.n; i++)
    if (!add_time(state, slot, choice.first + i * choice.stride, error))
      return FALSE;
  metrics[slot->place.equation] = lac_equation_residual_get(residual);
  return TRUE;
}
