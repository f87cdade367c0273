/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A member in a checkpoint, and back. */
#include "experiment/flow/engines/pinn/member-private.h"

#include <string.h>

static gpointer
put(LacPinnMember *member, LacStore *store, const char *name, gsize n)
{
  g_autofree char *key = g_strdup_printf("member %u %s", member->index, name);

  return lac_store_put(store, key, 1, n, sizeof(double));
}

static gconstpointer
get(const LacPinnMember *member, const LacStore *store, const char *name, gsize n, GError **error)
{
  g_autofree char *key = g_strdup_printf("member %u %s", member->index, name);

  return lac_store_get(store, key, 1, n, sizeof(double), error);
}

/* What the weights are beside those of the points. */
typedef struct {
  double numbers[3 + LAC_CAUSAL_CHUNKS + LAC_PINN_MAX_TERMS];
} Balance;

static Balance
pack_balance(const LacPinnWeights *weights)
{
  Balance balance = {
    {weights->epsilon, (double) weights->n_updates, (double) weights->n_term_updates}};

  memcpy(balance.numbers + 3, weights->chunks, sizeof weights->chunks);
  memcpy(balance.numbers + 3 + LAC_CAUSAL_CHUNKS, weights->adapted, sizeof weights->adapted);
  return balance;
}

static void
unpack_balance(LacPinnWeights *weights, const Balance *balance)
{
  weights->epsilon = balance->numbers[0];
  weights->n_updates = (gint64) balance->numbers[1];
  weights->n_term_updates = (gint64) balance->numbers[2];
  memcpy(weights->chunks, balance->numbers + 3, sizeof weights->chunks);
  memcpy(weights->adapted, balance->numbers + 3 + LAC_CAUSAL_CHUNKS, sizeof weights->adapted);
}

/* Only the optimiser that goes on is kept: the quasi-Newton matrix is the bulk of a checkpoint. */
void
lac_pinn_member_save(LacPinnMember *member, LacStore *store)
{
  const LacPinnLoss *loss = member->loss;
  LacOptimiser      *optimiser = member->optimisers[member->state.progress.stage];
  const Balance      balance = pack_balance(member->weights);
  const gsize        n_numbers = loss->sets[0].n * loss->model.subject->pde->n_axes;
  g_autofree char   *key = g_strdup_printf("member %u state", member->index);

  lac_store_put_bytes(store, key, &member->state, sizeof member->state);
  lac_program_dup_theta(loss->program, put(member, store, "theta", member->n_parameters));
  memcpy(put(member, store, "points", n_numbers), loss->x[0], n_numbers * sizeof(double));
  memcpy(put(member, store, "balance", sizeof balance / sizeof(double)), &balance, sizeof balance);
  for (guint p = 0; p < loss->n_parts; p++) {
    const gsize      n = loss->parts[p].n;
    g_autofree char *name = g_strdup_printf("weights %u", p);
    double          *numbers = put(member, store, name, 2 * n);

    memcpy(numbers, member->weights->lambda[p], n * sizeof(double));
    memcpy(numbers + n, loss->parts[p].misfits, n * sizeof(double));
  }
  if (!member->state.progress.finished)
    lac_optimiser_save(optimiser,
                       put(member, store, "optimiser", lac_optimiser_get_state_length(optimiser)));
}

static gboolean
load_weights(LacPinnMember *member, const LacStore *store, GError **error)
{
  LacPinnLoss *loss = member->loss;

  for (guint p = 0; p < loss->n_parts; p++) {
    const gsize      n = loss->parts[p].n;
    g_autofree char *name = g_strdup_printf("weights %u", p);
    const double    *numbers = get(member, store, name, 2 * n, error);

    if (!numbers)
      return FALSE;
    memcpy(member->weights->lambda[p], numbers, n * sizeof(double));
    memcpy(loss->parts[p].misfits, numbers + n, n * sizeof(double));
  }
  return TRUE;
}

gboolean
lac_pinn_member_load(LacPinnMember *member, const LacStore *store, GError **error)
{
  LacPinnLoss     *loss = member->loss;
  const gsize      n_numbers = loss->sets[0].n * loss->model.subject->pde->n_axes;
  g_autofree char *key = g_strdup_printf("member %u state", member->index);
  gconstpointer    state = lac_store_get_bytes(store, key, sizeof member->state, error);
  gconstpointer    theta = state ? get(member, store, "theta", member->n_parameters, error) : NULL;
  gconstpointer    points = theta ? get(member, store, "points", n_numbers, error) : NULL;
  gconstpointer    balance =
    points ? get(member, store, "balance", sizeof(Balance) / sizeof(double), error) : NULL;
  LacOptimiser *optimiser;
  gconstpointer numbers;

  if (!balance || !load_weights(member, store, error))
    return FALSE;
  memcpy(&member->state, state, sizeof member->state);
  member->n_numbers = 0;
  lac_program_set_theta(loss->program, theta);
  memcpy(loss->x[0], points, n_numbers * sizeof(double));
  unpack_balance(member->weights, balance);
  lac_pinn_member_sample_conditions(member);
  lac_pinn_member_feed(member);
  if (member->state.progress.finished)
    return TRUE;
  optimiser = member->optimisers[member->state.progress.stage];
  numbers = get(member, store, "optimiser", lac_optimiser_get_state_length(optimiser), error);
  return numbers &&
         lac_optimiser_load(optimiser, numbers, lac_optimiser_get_state_length(optimiser), error);
}
