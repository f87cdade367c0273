/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The truth and its family go through the solver side by side. */
#include "experiment/flow/simulated-truth.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { STREAM_BEGINNING = 11 };

double
lac_family_factor(gsize member, gsize n_family)
{
  const double level = (double) (member / 2 + 1) / (double) ((n_family + 1) / 2);

  return exp2(member % 2 ? level : -level);
}

/* A run of all members; the truth is the last one. */
typedef struct {
  const LacSimulation *simulation;
  const LacCase       *subject;
  const LacContext    *context;
  LacTruth            *truth;
  gpointer             solver;
  gsize                n_members, n; /* numbers a state */
  double              *states, *parameters;
} Run;

static gboolean
run_init(Run *run, GError **error)
{
  const LacSolver  *solver = run->subject->solver;
  LacSolverSettings settings = run->subject->model;
  LacRng            rng = lac_rng(run->context->seed, STREAM_BEGINNING);

  run->n_members = run->simulation->n_family + 1;
  run->n = solver->n_fields * settings.nx * settings.ny;
  settings.device = run->context->device;
  settings.pool = run->context->pool;
  settings.type = LAC_F64;
  settings.perf = run->context->perf;
  settings.lane = run->context->lane;
  settings.n_members = run->n_members;
  run->solver = solver->create(&settings, error);
  if (!run->solver)
    return FALSE;
  run->states = g_new0(double, run->n_members * run->n);
  run->parameters = g_new0(double, run->n_members * solver->n_parameters + 1);
  run->simulation->beginning(run->subject, &rng, run->states);
  for (gsize e = 0; e < run->n_members; e++) {
    double *own = run->parameters + e * solver->n_parameters;

    memcpy(run->states + e * run->n, run->states, run->n * sizeof *run->states);
    memcpy(own, run->subject->parameters, solver->n_parameters * sizeof *own);
    if (e + 1 < run->n_members)
      own[run->simulation->family_parameter] *= lac_family_factor(e, run->simulation->n_family);
  }
  return TRUE;
}

static void
run_clear(Run *run)
{
  if (run->solver)
    run->subject->solver->destroy(run->solver);
  g_free(run->states);
  g_free(run->parameters);
}

static gboolean
advance(Run *run, GError **error)
{
  if (!run->subject->solver->advance(run->solver, run->states, run->n_members, run->parameters,
                                     run->subject->steps_between, error))
    return FALSE;
  for (gsize i = 0; i < run->n_members * run->n; i++)
    if (!isfinite(run->states[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the truth left the numbers: the time step is too long for these coefficients "
                  "and this grid; take more observations in the same time, or a coarser grid");
      return FALSE;
    }
  return TRUE;
}

/* Member @e at observation @k, or the trajectory's snapshot @k where there is no family. */
static void
keep(const Run *run, gsize k)
{
  const gsize length = lac_truth_get_length(run->truth), n_family = run->simulation->n_family;

  if (n_family == 0) {
    memcpy(lac_truth_get_slot(run->truth, k), run->states, length * sizeof(double));
    return;
  }
  for (gsize e = 0; e < n_family; e++)
    memcpy(run->truth->training + (e * run->truth->n_times + k) * length, run->states + e * run->n,
           length * sizeof(double));
  memcpy(run->truth->observed + k * length, run->states + n_family * run->n,
         length * sizeof(double));
}

static gboolean
go(Run *run, GError **error)
{
  const LacContext *context = run->context;
  const gsize       n_lead = run->simulation->n_family ? 0 : run->simulation->n_lead;
  const gsize       n_kept =
    run->truth->n_times + (run->simulation->n_family ? 0 : run->truth->n_training);

  for (gsize i = 0; i < n_lead + n_kept; i++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress(0.9 * (double) i / (double) (n_lead + n_kept), _("the true flow"),
                        context->user_data);
    if (i > 0 && !advance(run, error))
      return FALSE;
    if (i >= n_lead)
      keep(run, i - n_lead);
  }
  return TRUE;
}

LacTruth *
lac_simulated_truth_new(const LacSimulation *simulation,
                        const LacCase       *subject,
                        const LacContext    *context,
                        GError             **error)
{
  const gsize n_times = subject->n_times;
  Run         run = {.simulation = simulation, .subject = subject, .context = context};
  gboolean    is_made;

  run.truth = lac_truth_new(
    subject->solver->n_fields, subject->pde->fields, subject->model.nx, subject->model.ny,
    simulation->n_family ? simulation->n_family * n_times : simulation->n_of_the_same, n_times);
  run.truth->training_run = simulation->n_family ? n_times : 0;
  lac_case_place_grid(subject, run.truth);
  is_made = run_init(&run, error) && go(&run, error);
  run_clear(&run);
  if (is_made)
    return run.truth;
  lac_truth_free(run.truth);
  return NULL;
}
