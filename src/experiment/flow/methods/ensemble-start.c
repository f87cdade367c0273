/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/methods/ensemble-start.h"

#include "base/error.h"
#include "experiment/flow/methods/fourier-modes.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define KNOWN_SPREAD \
  0.05 /* spread of members around a known initial condition, relative to the fluctuation */

enum { STREAM_MEMBERS = 3 };

const char *const lac_ensemble_starts[3] =
  {[LAC_ENSEMBLE_SNAPSHOTS] = "snapshots", [LAC_ENSEMBLE_WAVES] = "fourier", NULL};
const char *const lac_ensemble_start_titles[2] =
  {[LAC_ENSEMBLE_SNAPSHOTS] = N_("Training snapshots"), [LAC_ENSEMBLE_WAVES] = N_("Fourier")};

gboolean
lac_ensemble_start_check(gint64 start, const LacCase *subject, GError **error)
{
  if (start == LAC_ENSEMBLE_SNAPSHOTS || lac_fourier_modes_apply(subject))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "start_states = fourier needs a domain that is periodic along every axis; use "
              "start_states = snapshots");
  return FALSE;
}

gboolean
lac_ensemble_start_is_possible(const LacProblem *problem, GError **error)
{
  if (problem->grid->n_training)
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
    "an ensemble needs training snapshots for its first members, but this scene has none; "
    "use neither enkf nor ienks");
  return FALSE;
}

/* The place of the members: around the initial condition, if it is known. */
typedef struct {
  const LacProblem *problem;
  double           *beginning; /* [n] */
  gsize             n;         /* values per member */
} Place;

static void
place_member(const Place *place, const double *state, double *member)
{
  const double *mean = place->problem->pod->mean;

  if (!place->problem->subject->initial)
    memcpy(member, state, place->n * sizeof *member);
  else
    for (gsize i = 0; i < place->n; i++)
      member[i] = place->beginning[i] + KNOWN_SPREAD * (state[i] - mean[i]);
}

static void
draw_snapshots(const Place *place, LacRng *rng, gsize n_members, double *members)
{
  const LacTruth   *grid = place->problem->grid;
  const gsize       n = lac_truth_get_length(grid);
  g_autofree gsize *order = g_new(gsize, grid->n_training);

  for (gsize i = 0; i < grid->n_training; i++)
    order[i] = i;
  for (gsize e = 0; e < n_members; e++) {
    if (e % grid->n_training == 0)
      lac_rng_shuffle(rng, order, grid->n_training);
    place_member(place, grid->training + order[e % grid->n_training] * n, members + e * place->n);
  }
}

static gboolean
draw_waves(const Place *place, LacRng *rng, gsize n_members, double *members, GError **error)
{
  g_autoptr(LacPod) modes =
    lac_fourier_modes_new_for(place->problem->subject, place->problem->grid, 0, 0, error);
  g_autofree double *state = g_new(double, place->n);

  for (gsize e = 0; e < n_members && modes; e++) {
    lac_fourier_modes_draw(modes, rng, state);
    place_member(place, state, members + e * place->n);
  }
  return modes != NULL;
}

gboolean
lac_ensemble_start_draw(const LacProblem *problem,
                        LacEnsembleStart  start,
                        gsize             n_members,
                        double           *members,
                        GError          **error)
{
  const LacCase     *subject = problem->subject;
  const gsize        n = subject->solver->n_fields * problem->grid->nx * problem->grid->ny;
  LacRng             rng = lac_rng(problem->context->seed, STREAM_MEMBERS);
  g_autofree double *beginning = g_new0(double, n);
  const Place        place = {problem, beginning, n};

  if (subject->initial)
    subject->initial(subject, beginning);
  if (start == LAC_ENSEMBLE_WAVES)
    return draw_waves(&place, &rng, n_members, members, error);
  draw_snapshots(&place, &rng, n_members, members);
  return TRUE;
}
