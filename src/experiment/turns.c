/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose turn it is follows from the number of the step alone. */
#include "experiment/turns.h"

#include <math.h>
#include <string.h>

void
lac_turns_add(LacTurns           *turns,
              const LacTurnTaker *taker,
              gpointer            self,
              gsize               curves,
              gsize               n_curves)
{
  g_return_if_fail(turns->n < MIN(turns->n_kept, LAC_TURNS_MAX));
  LacTurnPlace *place = &turns->places[turns->n++];

  *place = (LacTurnPlace){
    .taker = *taker,
    .self = self,
    .curves = curves,
    .n_curves = n_curves,
    .n_steps = MAX(1, taker->n_steps(self)),
  };
  turns->n_steps = MAX(turns->n_steps, place->n_steps);
}

void
lac_turns_clear(LacTurns *turns)
{
  for (guint i = 0; i < turns->n; i++)
    turns->places[i].taker.destroy(turns->places[i].self);
  turns->n = 0;
}

static void
tell(const LacTurnPlace *place, const LacTurnReport *done, double *metrics, LacStepReport *report)
{
  for (gsize i = 0; i < place->n_curves; i++)
    if (isfinite(done->curves[i]))
      metrics[place->curves + i] = done->curves[i];
  if (done->outcome != LAC_OUTCOME_DIVERGED)
    return;
  report->outcome = LAC_OUTCOME_DIVERGED;
  g_strlcpy(report->why, done->why, sizeof report->why);
  g_strlcpy(report->who, place->taker.name, sizeof report->who);
}

static void
forget(LacTurnReport *report)
{
  *report = (LacTurnReport){.outcome = LAC_OUTCOME_CONTINUE};
  for (gsize i = 0; i < LAC_TURNS_MAX_CURVES; i++)
    report->curves[i] = NAN;
}

/* Until @most steps are left of which nothing was told. */
static gboolean
collect(LacTurnPlace *place, guint most, LacStepReport *report, GError **error)
{
  while (place->n_open > most && report->outcome != LAC_OUTCOME_DIVERGED) {
    LacTurnReport told;

    forget(&told);
    if (!place->taker.collect(place->self, &told, error))
      return FALSE;
    place->n_open--;
    tell(place, &told, place->n_open ? report->earlier[place->n_open - 1] : report->metrics,
         report);
  }
  return TRUE;
}

/* A solver whose steps are those of the run may lag: then its step before is in the row before. */
static gboolean
take_turn(const LacTurns *turns, LacTurnPlace *place, LacStepReport *report, GError **error)
{
  LacTurnReport done;
  guint         most = 0;

  forget(&done);
  if (!place->taker.step(place->self, &done, error))
    return FALSE;
  place->done++;
  report->samples += done.samples;
  if (done.outcome == LAC_OUTCOME_FINISHED)
    place->ended = TRUE;
  tell(place, &done, report->metrics, report);
  if (!place->taker.collect)
    return TRUE;
  place->n_open++;
  if (report->earlier && place->n_steps == turns->n_steps && done.outcome == LAC_OUTCOME_CONTINUE &&
      place->done < place->n_steps)
    most = MIN(place->taker.may_lag(place->self), LAC_STEP_MOST_OPEN - 1);
  return collect(place, most, report, error);
}

gboolean
lac_turns_step(LacTurns *turns, LacStepReport *report, GError **error)
{
  const gint64 step = turns->step + 1;
  gboolean     all_ended = TRUE;

  for (guint i = 0; i < turns->n; i++) {
    LacTurnPlace *place = &turns->places[i];

    while (!place->ended && place->done < step * place->n_steps / turns->n_steps &&
           report->outcome == LAC_OUTCOME_CONTINUE)
      if (!take_turn(turns, place, report, error))
        return FALSE;
    all_ended = all_ended && (place->ended || place->done == place->n_steps);
    report->n_open = MAX(report->n_open, place->n_open);
  }
  if (report->outcome == LAC_OUTCOME_DIVERGED)
    return TRUE;
  turns->step = step;
  if (all_ended)
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

gboolean
lac_turns_settle(LacTurns *turns, LacStepReport *report, GError **error)
{
  for (guint i = 0; i < turns->n; i++) {
    if (turns->places[i].taker.collect && !collect(&turns->places[i], 0, report, error))
      return FALSE;
    report->n_open = MAX(report->n_open, turns->places[i].n_open);
  }
  return TRUE;
}

/* ---- checkpoints ---- */

/* "progress" is the step of the run, then of each place how many steps are done, then whether it ended. */
static gsize
get_progress_length(const LacTurns *turns)
{
  return 1 + 2 * (gsize) turns->n_kept;
}

void
lac_turns_save(const LacTurns *turns, LacStore *store)
{
  gint64 progress[1 + 2 * LAC_TURNS_MAX] = {turns->step};

  for (guint i = 0; i < turns->n; i++) {
    const LacTurnPlace *place = &turns->places[i];
    g_autoptr(LacStore) own = lac_store_new();

    progress[1 + i] = place->done;
    progress[1 + turns->n_kept + i] = place->ended;
    place->taker.save(place->self, own);
    lac_store_put_all(store, place->taker.name, own);
  }
  lac_store_put_bytes(store, "progress", progress, get_progress_length(turns) * sizeof *progress);
}

gboolean
lac_turns_load(LacTurns *turns, const LacStore *store, GError **error)
{
  const gint64 *progress =
    lac_store_get_bytes(store, "progress", get_progress_length(turns) * sizeof *progress, error);

  if (!progress)
    return FALSE;
  for (guint i = 0; i < turns->n; i++) {
    LacTurnPlace       *place = &turns->places[i];
    g_autoptr(LacStore) own = lac_store_take_all(store, place->taker.name);

    if (!place->taker.load(place->self, own, error))
      return FALSE;
    place->done = progress[1 + i];
    place->ended = progress[1 + turns->n_kept + i] != 0;
  }
  turns->step = progress[0];
  return TRUE;
}

void
lac_turns_retune(LacTurns *turns, guint i, gconstpointer params)
{
  g_return_if_fail(i < turns->n);
  if (turns->places[i].taker.retune)
    turns->places[i].taker.retune(turns->places[i].self, params);
}
