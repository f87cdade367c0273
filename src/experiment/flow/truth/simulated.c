/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The truth and its family are integrated together by the solver. */
#include "experiment/flow/truth/simulated.h"

#include "base/error.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { STREAM_MEMBERS = 1 };

/* A simulation of all members; the truth is the last one. */
typedef struct {
  const LacSimulation *simulation; /* the subject's */
  const LacCase       *subject;
  const LacContext    *context;
  LacTruth            *truth;
  gpointer             solver;
  gsize                n_members, n; /* values per state */
  gsize                refinement;   /* of the subject's grid, which the truth has */
  double              *states, *parameters;
} Run;

static void
begin(Run *run)
{
  const LacSimulation *simulation = run->simulation;
  const LacCase       *subject = run->subject;
  const gsize          n_parameters = subject->solver->n_parameters;
  g_autofree double   *beginning = g_new0(double, run->n);
  LacRng               rng = lac_rng(run->context->seed, STREAM_MEMBERS);

  if (simulation->beginning)
    simulation->beginning(subject, beginning);
  for (gsize e = 0; e < run->n_members; e++) {
    double *state = run->states + e * run->n, *parameters = run->parameters + e * n_parameters;

    memcpy(state, beginning, run->n * sizeof *state);
    memcpy(parameters, subject->parameters, n_parameters * sizeof *parameters);
    if (simulation->member)
      simulation->member(subject, e, simulation->n_family, &rng, state, parameters);
  }
}

static gboolean
run_init(Run *run, GError **error)
{
  const LacSolver *solver = run->subject->solver;

  run->n_members = run->simulation->n_family + 1;
  run->n = solver->n_fields * run->subject->model.nx * run->subject->model.ny;
  run->solver = lac_forecast_new(run->subject, run->context,
                                 &(LacForecastSettings){.device = run->context->device,
                                                        .type = LAC_F64,
                                                        .n_members = run->n_members},
                                 error);
  if (!run->solver)
    return FALSE;
  run->states = g_new0(double, run->n_members * run->n);
  run->parameters = g_new0(double, run->n_members * solver->n_parameters + 1);
  begin(run);
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
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_UNSTABLE,
        "the true flow diverged: the time step is too long for these coefficients and this grid; "
        "shorten time_step, use more observations in the same time, or a coarser grid");
      return FALSE;
    }
  return TRUE;
}

/* Copies every value that is on the truth's grid. */
static void
thin_out(const Run *run, const double *state, double *snapshot)
{
  const gsize step = run->refinement, nx = run->truth->nx, ny = run->truth->ny;

  for (gsize f = 0; f < run->truth->n_fields; f++)
    for (gsize y = 0; y < ny; y++)
      for (gsize x = 0; x < nx; x++)
        *snapshot++ =
          state[(f * (ny > 1 ? step : 1) * ny + (ny > 1 ? step : 1) * y) * step * nx + step * x];
}

/* Stores member @e at observation @k, or snapshot @k of the trajectory if there is no family. */
static void
keep(const Run *run, gsize k)
{
  const gsize n_times = run->simulation->n_family ? run->truth->n_times : 1;

  for (gsize e = 0; e < run->n_members; e++)
    thin_out(run, run->states + e * run->n, lac_truth_get_slot(run->truth, e * n_times + k));
}

/* Returns the number of consecutive states from the initial condition to the last observation. */
static gsize
count_intervals(const LacCase *subject)
{
  return subject->n_times + subject->simulation.n_lead + subject->simulation.n_of_the_same;
}

static gboolean
go(Run *run, GError **error)
{
  const LacContext *context = run->context;
  const gsize       n_lead = run->simulation->n_lead;
  const gsize       n = count_intervals(run->subject);

  for (gsize i = 0; i < n; i++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress(0.9 * (double) i / (double) n,
                        run->simulation->n_family ? _("the truth and its training simulations")
                                                  : _("the truth"),
                        context->user_data);
    if (i > 0 && !advance(run, error))
      return FALSE;
    if (i >= n_lead)
      keep(run, i - n_lead);
  }
  return TRUE;
}

/* Integrates on a grid finer by @refinement. Returns: %NULL with an error. */
static LacTruth *
make_truth(const LacCase *subject, gsize refinement, const LacContext *context, GError **error)
{
  const LacSimulation *simulation = &subject->simulation;
  const gsize          n_times = subject->n_times;
  LacCase              fine = *subject; /* borrows what the subject owns */
  Run                  run = {
                     .simulation = simulation, .subject = &fine, .context = context, .refinement = refinement};
  gboolean is_made;

  fine.model.nx *= refinement;
  fine.model.ny *= subject->model.ny > 1 ? refinement : 1;
  fine.model.time_step /= (double) refinement;
  fine.steps_between *= refinement;
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

/* Returns the distance between the observed parts, relative to the fluctuation in time. */
static double
compare(const LacTruth *truth, const LacTruth *other)
{
  const gsize n = lac_truth_get_length(truth);
  double      apart = 0, fluctuation = 0;

  for (gsize i = 0; i < n; i++) {
    double mean = 0;

    for (gsize k = 0; k < truth->n_times; k++)
      mean += truth->observed[k * n + i] / (double) truth->n_times;
    for (gsize k = 0; k < truth->n_times; k++) {
      apart += pow(truth->observed[k * n + i] - other->observed[k * n + i], 2);
      fluctuation += pow(truth->observed[k * n + i] - mean, 2);
    }
  }
  return sqrt(apart / fluctuation);
}

LacTruth *
lac_simulated_truth(gconstpointer params G_GNUC_UNUSED,
                    const LacCase       *subject,
                    const LacContext    *context,
                    GError             **error)
{
  const gsize         refinement = MAX(1, subject->simulation.refinement);
  g_autoptr(LacTruth) truth = make_truth(subject, refinement, context, error);

  if (!truth || refinement == 1)
    return g_steal_pointer(&truth);
  /* the coarser one is farther off: their distance is above the error of the finer one */
  g_autoptr(LacTruth) coarser = make_truth(subject, refinement / 2, context, error);
  if (!coarser)
    return NULL;
  truth->error = compare(truth, coarser);
  return g_steal_pointer(&truth);
}

void
lac_simulated_estimate(const LacCase *subject, double *seconds, double *bytes)
{
  const LacSimulation *simulation = &subject->simulation;
  const double         points = (double) subject->n_points;
  const gsize          n_members = simulation->n_family + 1;
  const gsize          n_computed = n_members * count_intervals(subject);
  const gsize          n_kept = n_computed - simulation->n_lead;
  const double         fine = (double) MAX(1, simulation->refinement);
  const double         work =
    fine > 1 ? fine * fine * 1.25 : 1; /* with the coarser one, in one dimension */

  *seconds =
    work * 1e-9 * simulation->cost_ns * points * (double) (n_computed * subject->steps_between);
  *bytes = 8 * points * subject->n_fields * (double) n_kept * 1.6 + 300 * points;
}

/* From the operation count, at the rate measured on one thread of the reference machine. */
double
lac_simulated_spectral_ns(gsize n_points, guint n_transforms)
{
  static const double flops_per_ns = 16;

  return 4 * n_transforms * 2.5 * log2((double) n_points) / flops_per_ns;
}

static void
scale_coefficient(const LacCase *subject,
                  gsize          e,
                  gsize          n_family,
                  LacRng *rng    G_GNUC_UNUSED,
                  double *state  G_GNUC_UNUSED,
                  double        *parameters)
{
  for (guint p = 0; p < subject->solver->n_parameters && e < n_family; p++)
    if (subject->parameter_coefficient[p] == (int) subject->exact->family_coefficient)
      parameters[p] *= lac_exact_family_factor(e, n_family);
}

void
lac_simulated_configure_exact(LacCase *subject)
{
  subject->simulation = (LacSimulation){
    .n_family = (gsize) ((const LacExactParams *) subject->params)->family,
    .beginning = lac_exact_initial,
    .member = scale_coefficient,
    .cost_ns = 50,
  };
}
