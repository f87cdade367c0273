/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensors held out in turn: no method sees their readings, which then test its estimates and error bars. A filter knows a
 * sensor by its earlier readings in the first half of a turn, so that the second half tests; and it is tested as it
 * goes, before it sees the next ones. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <string.h>

static gsize
get_turn(const LacLaboratoryState *state)
{
  return (gsize) lac_laboratory_common(state->laboratory, state->params)->held_out_turn;
}

static gboolean
is_held_out(const LacLaboratoryState *state, gsize k, gsize sensor)
{
  const LacObservations *all = state->observations;

  return all->sensors[sensor].station == k / get_turn(state) % all->n_stations;
}

static gsize
count_numbers(const LacLaboratoryState *state)
{
  return 2 * state->observations->n_times * state->observations->n_sensors;
}

void
lac_laboratory_hold_out(LacLaboratoryState *state)
{
  const LacObservations *all = state->observations;
  const gsize            m = all->n_sensors;

  if (get_turn(state) == 0 || m == 0)
    return;
  state->seen = lac_observations_new(m, all->n_stations, all->n_times);
  memcpy(state->seen->sensors, all->sensors, m * sizeof *all->sensors);
  memcpy(state->seen->stations, all->stations, 2 * all->n_stations * sizeof *all->stations);
  memcpy(state->seen->times, all->times, all->n_times * sizeof *all->times);
  memcpy(state->seen->sigma, all->sigma, all->n_times * m * sizeof *all->sigma);
  for (gsize k = 0; k < all->n_times; k++)
    for (gsize i = 0; i < m; i++)
      state->seen->values[k * m + i] =
        is_held_out(state, k, i) ? (double) NAN : all->values[k * m + i];
  state->problem.observations = state->seen;
}

void
lac_laboratory_prepare_held_out(LacLaboratoryState *state)
{
  for (guint s = 0; s < state->scheduler.n && state->seen; s++) {
    state->slots[s].held_out = g_new(double, count_numbers(state));
    for (gsize i = 0; i < count_numbers(state); i++)
      state->slots[s].held_out[i] = NAN;
  }
}

double *
lac_laboratory_get_held_out(const LacLaboratoryState *state, const LacFlowSlot *slot, gsize k)
{
  return slot->held_out + 2 * k * state->observations->n_sensors;
}

/* Compares the estimate at observation @k with the readings held out then. */
static gboolean
test_time(LacLaboratoryState *state, const LacFlowSlot *slot, gsize k, GError **error)
{
  const LacObservations *all = state->observations;
  const gsize            m = all->n_sensors, turn = get_turn(state);
  double                *deviation = slot->knowledge.deviates ? state->deviation : NULL;
  double                *errors = lac_laboratory_get_held_out(state, slot, k), *claims = errors + m;

  if (k % turn < turn / 2)
    return TRUE;
  if (!slot->method->field(slot->self, k, state->field, deviation, error))
    return FALSE;
  for (gsize i = 0; i < m; i++) {
    if (!is_held_out(state, k, i))
      continue;
    errors[i] = lac_sensor_read(&all->sensors[i], state->field) - all->values[k * m + i];
    if (deviation)
      claims[i] = hypot(lac_sensor_read(&all->sensors[i], deviation), all->sigma[k * m + i]);
  }
  return TRUE;
}

gboolean
lac_laboratory_test_held_out(LacLaboratoryState *state, gboolean is_last, GError **error)
{
  for (guint s = 0; s < state->scheduler.n && state->seen; s++) {
    LacFlowSlot   *slot = &state->slots[s];
    const gboolean filters = slot->method->innovation && slot->method->reached;
    const gsize    end = filters ? slot->method->reached(slot->self) : state->observations->n_times;

    if (lac_scheduler_has_failed(&state->scheduler, s) || !(filters || is_last))
      continue;
    for (; slot->n_tested < end; slot->n_tested++)
      if (!test_time(state, slot, slot->n_tested, error))
        return FALSE;
  }
  return TRUE;
}

/* ---- checkpoints ---- */

typedef struct {
  LacLaboratoryState *state;
  LacFlowSlot        *slot;
} Visited;

static void
visit(gpointer data, LacVisit *visit)
{
  const Visited *visited = data;

  lac_visit_bytes(visit, "n_tested", &visited->slot->n_tested, sizeof visited->slot->n_tested);
  lac_visit_values(visit, "errors", visited->slot->held_out, count_numbers(visited->state), 1, 8);
}

static char *
dup_name(const LacFlowSlot *slot)
{
  return g_strconcat(slot->method->name, "-held-out", NULL);
}

void
lac_laboratory_save_held_out(LacLaboratoryState *state, LacStore *store)
{
  for (guint s = 0; s < state->scheduler.n && state->seen; s++) {
    Visited             visited = {state, &state->slots[s]};
    g_autofree char    *name = dup_name(visited.slot);
    g_autoptr(LacStore) own = lac_store_new();

    lac_visit_save(visit, &visited, own);
    lac_store_put_all(store, name, own);
  }
}

gboolean
lac_laboratory_load_held_out(LacLaboratoryState *state, const LacStore *store, GError **error)
{
  for (guint s = 0; s < state->scheduler.n && state->seen; s++) {
    Visited             visited = {state, &state->slots[s]};
    g_autofree char    *name = dup_name(visited.slot);
    g_autoptr(LacStore) own = lac_store_take_all(store, name);

    if (!lac_visit_load(visit, &visited, own, error))
      return FALSE;
  }
  return TRUE;
}
