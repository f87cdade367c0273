/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values reported by iterations: at once, or by asynchronous readbacks that are read when needed. */
#include "experiment/flow/methods/pinn/training-private.h"

#include <math.h>
#include <string.h>

gboolean
lac_pinn_member_is_blind(const LacPinnMember *member)
{
  const LacPinnTrainingData *training = member->training;
  const gint64               stage = member->state.progress.stage;

  return !member->state.progress.finished && training->stages.list[stage].first_order &&
         training->stages.patience == 0 && training->stages.target <= 0 &&
         !(training->context.without & LAC_WITHOUT_REPLAY) &&
         lac_program_reads_back(member->loss->program) &&
         lac_optimiser_is_blind(member->optimisers[stage]) &&
         !lac_pinn_weights_are_live(member->weights) && lac_pinn_loss_has_shares(member->loss);
}

static void
set_leading(const LacPinnMember *member, const double *theta, LacPinnNumbers *numbers)
{
  const LacPinnModel *model = &member->training->model;

  for (guint i = 0; i < model->subject->pde->n_coefficients; i++)
    numbers->coefficients[i] = lac_pinn_model_get_coefficient(model, theta, i);
  for (guint i = 0; i < model->subject->pde->n_axes; i++)
    numbers->scaling[i] = lac_pinn_model_get_scaling(model, theta, i);
}

/* @numbers belongs to the last iteration, and misfits and theta are available. */
static void
look(LacPinnMember *member, LacPinnNumbers *numbers)
{
  const LacPinnLoss *loss = member->loss;

  numbers->loss = member->last;
  for (guint t = 0; t < loss->n_terms; t++)
    numbers->terms[t] = lac_pinn_loss_get_term(loss, t);
  if (lac_pinn_model_get_n_leading(&member->training->model))
    lac_program_dup_theta(loss->program, member->theta);
  set_leading(member, member->theta, numbers);
}

static void
drop_first(LacPinnMember *member)
{
  memmove(member->numbers, member->numbers + 1, --member->n_numbers * sizeof *member->numbers);
}

void
lac_pinn_member_note(LacPinnMember *member, gboolean waited)
{
  const LacPinnLoss *loss = member->loss;
  LacPinnNumbers    *numbers;

  if (member->n_numbers == LAC_STEP_MOST_OPEN) /* not collected */
    drop_first(member);
  numbers = &member->numbers[member->n_numbers++];
  *numbers = (LacPinnNumbers){
    .iteration = member->state.progress.iteration + 1,
    .pending = waited ? (LacPending){NULL} : lac_program_get_pending(loss->program),
    .causal = member->weights->chunks[LAC_CAUSAL_CHUNKS - 1],
  };
  for (guint t = 0; t < loss->n_terms; t++)
    numbers->factors[t] = loss->terms[t].factor;
  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    numbers->widths[i] = numbers->deviations[i] = (double) NAN;
  if (waited)
    look(member, numbers);
}

gboolean
lac_pinn_member_collect(LacPinnMember *member, guint n, GError **error)
{
  const LacPinnLoss *loss = member->loss;
  double             leading[LAC_PDE_MAX_COEFFICIENTS + LAC_PDE_MAX_AXES] = {0};

  for (guint i = 0; i < MIN(n, member->n_numbers); i++) {
    LacPinnNumbers  *numbers = &member->numbers[i];
    LacProgramResult result = {.watched = leading};

    if (!lac_pending_is_open(&numbers->pending))
      continue;
    if (!lac_pending_finish(&numbers->pending, &result, error))
      return FALSE;
    numbers->loss = result.loss;
    for (guint t = 0; t < loss->n_terms; t++)
      numbers->terms[t] = lac_pinn_loss_get_share(loss, t, numbers->factors[t]);
    set_leading(member, leading, numbers);
    member->last = numbers->loss;
  }
  return TRUE;
}

LacPinnNumbers
lac_pinn_member_take(LacPinnMember *member)
{
  const LacPinnNumbers first = member->numbers[0];

  g_return_val_if_fail(member->n_numbers > 0 && !lac_pending_is_open(&first.pending), first);
  drop_first(member);
  return first;
}
