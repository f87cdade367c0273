/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward and adjoint pass over a window of observations. */
#include "experiment/flow/methods/reanalysis.h"

#include "base/error.h"
#include "experiment/conjugate-gradients.h"
#include "experiment/flow/forecast.h"
#include "sensor/expansion.h"

#include <math.h>
#include <string.h>

#define DIFFERENCE  1e-4 /* of controls, which are of magnitude 1 */
#define TOLERANCE   1e-6 /* of a column of the inverse Hessian */
#define MOST_ROUNDS 400

struct _LacReanalysis {
  LacReanalysisSettings settings;
  LacDevice     device; /* of the solver: the processor's own for one that steps there anyway */
  gboolean      owns_device;
  gpointer      solver;
  guint         n_unknowns;
  guint         unknowns[LAC_SOLVER_MAX_PARAMETERS];
  gsize         n_modes, n_model, length;
  gsize         first, n_times;
  gsize         n_lead; /* solver steps from the known state to the first observation */
  double        spread;
  gboolean      has_prior;
  double        prior[LAC_SOLVER_MAX_PARAMETERS];
  double       *known;      /* [n_model]: the first window's background */
  double       *background; /* [n_model] */
  double       *states;     /* [n_times of the grid][n_model] */
  double       *bar;        /* [n_model] */
  LacExpansion *expansion;  /* NULL: without modes */
  double       *shares;     /* [n_modes]: of the modes in the initial state, or of the gradient */
  double       *rolled;     /* [length]: control vector of the states */
  /* of find_deviations(); vectors [length] */
  LacConjugateGradients *hessian;
  const double          *control;
  double                *trial, *below;
  gsize                  n_rolled; /* number of valid states, starting at first */
};

gboolean
lac_reanalysis_has_unknowns(const LacCase *subject, guint field)
{
  return !subject->initial || !subject->sought || (subject->sought & 1u << field) != 0;
}

void
lac_reanalysis_free(LacReanalysis *reanalysis)
{
  if (!reanalysis)
    return;
  if (reanalysis->solver)
    reanalysis->settings.subject->solver->destroy(reanalysis->solver);
  g_free(reanalysis->known);
  g_free(reanalysis->background);
  g_free(reanalysis->states);
  g_free(reanalysis->bar);
  lac_expansion_free(reanalysis->expansion);
  if (reanalysis->owns_device)
    lac_device_close(&reanalysis->device);
  g_free(reanalysis->shares);
  g_free(reanalysis->rolled);
  lac_conjugate_gradients_free(reanalysis->hessian);
  g_free(reanalysis->trial);
  g_free(reanalysis->below);
  g_free(reanalysis);
}

/* Takes the mean of the estimated fields. */
static void
take_mean(LacReanalysis *reanalysis)
{
  const LacCase *subject = reanalysis->settings.subject;
  const gsize    cells = subject->model.nx * subject->model.ny;

  for (guint f = 0; reanalysis->settings.pod && f < subject->solver->n_fields; f++)
    if (lac_reanalysis_has_unknowns(subject, f))
      memcpy(reanalysis->known + f * cells, reanalysis->settings.pod->mean + f * cells,
             cells * sizeof *reanalysis->known);
}

/* Finds the initial state: the scene's, or the last snapshot of the training part, one interval earlier. */
static gboolean
find_known(LacReanalysis *reanalysis, GError **error)
{
  const LacCase  *subject = reanalysis->settings.subject;
  const LacTruth *grid = reanalysis->settings.grid;

  reanalysis->known = g_new0(double, reanalysis->n_model);
  if (subject->initial) {
    subject->initial(subject, reanalysis->known);
    take_mean(reanalysis);
    return TRUE;
  }
  if (reanalysis->settings.pod) {
    memcpy(reanalysis->known, reanalysis->settings.pod->mean, reanalysis->n_model * sizeof(double));
    return TRUE;
  }
  if (grid->n_training) {
    memcpy(reanalysis->known, grid->training + (grid->n_training - 1) * lac_truth_get_length(grid),
           reanalysis->n_model * sizeof *reanalysis->known);
    reanalysis->n_lead = subject->steps_between;
    return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "seek = scalars needs a known initial condition, which this scene does not have; set "
              "seek = both and use training snapshots");
  return FALSE;
}

static gboolean
make_solver(LacReanalysis *reanalysis, GError **error)
{
  const LacContext *context = reanalysis->settings.context;
  const LacPod     *pod = reanalysis->settings.pod;
  LacDevice        *device = &reanalysis->device;

  if (reanalysis->settings.subject->solver->on_host) {
    reanalysis->owns_device = lac_device_open(device, "cpu", error);
    if (!reanalysis->owns_device)
      return FALSE;
  } else {
    *device = context->device;
  }
  if (pod && !(reanalysis->expansion = lac_expansion_new(pod, device, error)))
    return FALSE;
  reanalysis->solver = lac_forecast_new(
    reanalysis->settings.subject, context,
    &(LacForecastSettings){.device = *device, .type = LAC_F64, .n_members = 1, .is_reversed = TRUE},
    error);
  return reanalysis->solver != NULL;
}

/* Evaluates the gradient at the control of find_deviations() plus @step times @direction. */
static gboolean
look_aside(LacReanalysis *reanalysis,
           const double  *direction,
           double         step,
           double        *gradient,
           GError       **error)
{
  double loss;

  for (gsize i = 0; i < reanalysis->length; i++)
    reanalysis->trial[i] = reanalysis->control[i] + step * direction[i];
  return lac_reanalysis_evaluate(reanalysis, reanalysis->trial, gradient, &loss, error);
}

/* Computes the product of the Hessian and @direction. */
static gboolean
multiply(const double *direction, double *product, gpointer user_data, GError **error)
{
  LacReanalysis *reanalysis = user_data;
  double         square = 0;

  for (gsize i = 0; i < reanalysis->length; i++)
    square += direction[i] * direction[i];
  const double step = DIFFERENCE / (square > 0 ? sqrt(square) : 1);
  if (!look_aside(reanalysis, direction, step, product, error) ||
      !look_aside(reanalysis, direction, -step, reanalysis->below, error))
    return FALSE;
  for (gsize i = 0; i < reanalysis->length; i++)
    product[i] = (product[i] - reanalysis->below[i]) / (2 * step);
  return TRUE;
}

LacReanalysis *
lac_reanalysis_new(const LacReanalysisSettings *settings, GError **error)
{
  g_autoptr(LacReanalysis) reanalysis = g_new0(LacReanalysis, 1);
  const LacTruth          *grid = settings->grid;

  reanalysis->settings = *settings;
  if (settings->scalars)
    reanalysis->n_unknowns = lac_case_list_unknowns(settings->subject, reanalysis->unknowns);
  reanalysis->n_modes = settings->pod ? settings->pod->n_modes : 0;
  reanalysis->length = reanalysis->n_unknowns + reanalysis->n_modes;
  reanalysis->n_model = settings->subject->solver->n_fields * grid->nx * grid->ny;
  reanalysis->background = g_new0(double, reanalysis->n_model);
  reanalysis->states = g_new0(double, grid->n_times * reanalysis->n_model);
  reanalysis->bar = g_new0(double, reanalysis->n_model);
  reanalysis->shares = g_new0(double, reanalysis->n_modes);
  reanalysis->rolled = g_new0(double, reanalysis->length);
  reanalysis->hessian = lac_conjugate_gradients_new(&(LacConjugateGradientsSettings){
    .length = reanalysis->length,
    .multiply = multiply,
    .user_data = reanalysis,
    .most_rounds = MOST_ROUNDS,
    .tolerance = TOLERANCE,
    .accepted = TOLERANCE,
  });
  reanalysis->trial = g_new0(double, reanalysis->length);
  reanalysis->below = g_new0(double, reanalysis->length);
  if (!make_solver(reanalysis, error) || !find_known(reanalysis, error))
    return NULL;
  return g_steal_pointer(&reanalysis);
}

gsize
lac_reanalysis_get_length(const LacReanalysis *reanalysis)
{
  return reanalysis->length;
}

gsize
lac_reanalysis_get_bytes(const LacReanalysis *reanalysis)
{
  const LacSolver *solver = reanalysis->settings.subject->solver;

  return solver->bytes(reanalysis->solver) +
         (reanalysis->settings.grid->n_times + 3) * reanalysis->n_model * sizeof(double);
}

/* Returns the coefficient of unknown @u. */
static int
coefficient_of(const LacReanalysis *reanalysis, guint u)
{
  return reanalysis->settings.subject->parameter_coefficient[reanalysis->unknowns[u]];
}

/* Returns the unit of theta: the value it multiplies. */
static double
unit_of(const LacReanalysis *reanalysis, guint u)
{
  const double guess = reanalysis->settings.subject->guesses[coefficient_of(reanalysis, u)];

  return guess != 0 ? fabs(guess) : 1;
}

void
lac_reanalysis_guess(const LacReanalysis *reanalysis, double *control)
{
  const LacCase *subject = reanalysis->settings.subject;

  memset(control, 0, reanalysis->length * sizeof *control);
  for (guint u = 0; u < reanalysis->n_unknowns; u++) {
    const double guess = subject->guesses[coefficient_of(reanalysis, u)];

    control[u] = subject->positive[coefficient_of(reanalysis, u)] ? log(guess)
                                                                  : guess / unit_of(reanalysis, u);
  }
}

void
lac_reanalysis_get_parameters(const LacReanalysis *reanalysis,
                              const double        *control,
                              double              *parameters)
{
  const LacCase *subject = reanalysis->settings.subject;

  memcpy(parameters, subject->parameters, subject->solver->n_parameters * sizeof *parameters);
  for (guint u = 0; u < reanalysis->n_unknowns; u++)
    parameters[reanalysis->unknowns[u]] = subject->positive[coefficient_of(reanalysis, u)]
                                            ? exp(control[u])
                                            : unit_of(reanalysis, u) * control[u];
}

void
lac_reanalysis_find_window(LacReanalysis *reanalysis, const LacReanalysisWindow *place)
{
  const gsize n_bytes = reanalysis->n_model * sizeof *reanalysis->background;

  g_return_if_fail(place->first + place->n_times <= reanalysis->settings.grid->n_times);
  memcpy(reanalysis->background, place->background ? place->background : reanalysis->known,
         n_bytes);
  reanalysis->first = place->first;
  reanalysis->n_times = place->n_times;
  reanalysis->spread = place->spread;
  reanalysis->has_prior = place->scalars != NULL;
  if (place->scalars)
    memcpy(reanalysis->prior, place->scalars, reanalysis->n_unknowns * sizeof *place->scalars);
  reanalysis->n_rolled = 0;
}

static gboolean
advance(LacReanalysis *reanalysis,
        const double  *parameters,
        double        *state,
        gsize          n_steps,
        GError       **error)
{
  return reanalysis->settings.subject->solver->advance(reanalysis->solver, state, 1, parameters,
                                                       n_steps, error);
}

static gboolean
begin(LacReanalysis *reanalysis, const double *control, const double *parameters, GError **error)
{
  double       *state = reanalysis->states + reanalysis->first * reanalysis->n_model;
  const LacPod *pod = reanalysis->settings.pod;

  memcpy(state, reanalysis->background, reanalysis->n_model * sizeof *state);
  for (gsize m = 0; m < reanalysis->n_modes; m++)
    reanalysis->shares[m] =
      reanalysis->spread * control[reanalysis->n_unknowns + m] * pod->deviations[m];
  if (reanalysis->expansion &&
      !lac_expansion_add(reanalysis->expansion, reanalysis->shares, state, error))
    return FALSE;
  reanalysis->n_rolled = 1;
  return !reanalysis->n_lead || advance(reanalysis, parameters, state, reanalysis->n_lead, error);
}

/* Computes the states from the first to observation @k for @control. */
static gboolean
roll(LacReanalysis *reanalysis, const double *control, gsize k, GError **error)
{
  const gsize n_bytes = reanalysis->n_model * sizeof(double);
  double      parameters[LAC_SOLVER_MAX_PARAMETERS];

  g_return_val_if_fail(k >= reanalysis->first && k < reanalysis->settings.grid->n_times, FALSE);
  lac_reanalysis_get_parameters(reanalysis, control, parameters);
  if (memcmp(control, reanalysis->rolled, reanalysis->length * sizeof *control) != 0)
    reanalysis->n_rolled = 0;
  if (reanalysis->n_rolled == 0) {
    memcpy(reanalysis->rolled, control, reanalysis->length * sizeof *control);
    if (!begin(reanalysis, control, parameters, error)) {
      reanalysis->n_rolled = 0;
      return FALSE;
    }
  }
  while (reanalysis->n_rolled <= k - reanalysis->first) {
    double *state =
      reanalysis->states + (reanalysis->first + reanalysis->n_rolled) * reanalysis->n_model;

    memcpy(state, state - reanalysis->n_model, n_bytes);
    if (!advance(reanalysis, parameters, state, reanalysis->settings.subject->steps_between, error))
      return FALSE;
    reanalysis->n_rolled++;
  }
  return TRUE;
}

/* Returns half the sum of squares at observation @k; adds its gradient to @bar (nullable). @n_seen: counts values. */
static double
compare(const LacReanalysis *reanalysis, gsize k, double *bar, gsize *n_seen)
{
  const LacObservations *observations = reanalysis->settings.observations;
  const double          *state = reanalysis->states + k * reanalysis->n_model;
  double                 sum = 0;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const LacSensor *sensor = &observations->sensors[i];
    const double     value = observations->values[k * observations->n_sensors + i];
    const double     sigma = observations->sigma[k * observations->n_sensors + i];
    double           residual;

    /* fields that the solver does not compute, such as pressure, are not compared */
    if (isnan(value) || sensor->rows[0] >= reanalysis->n_model)
      continue;
    residual = (lac_sensor_read(sensor, state) - value) / sigma;
    sum += residual * residual / 2;
    ++*n_seen;
    for (gsize c = 0; bar && c < G_N_ELEMENTS(sensor->rows); c++)
      bar[sensor->rows[c]] += sensor->weights[c] * residual / sigma;
  }
  return sum;
}

/* Adjoint pass over the window; bar becomes the gradient with respect to the initial state. */
static gboolean
walk_back(LacReanalysis *reanalysis,
          const double  *parameters,
          double        *loss,
          double        *bars,
          GError       **error)
{
  const LacSolver *solver = reanalysis->settings.subject->solver;
  gsize            n_seen = 0;

  memset(reanalysis->bar, 0, reanalysis->n_model * sizeof *reanalysis->bar);
  for (gsize k = reanalysis->first + reanalysis->n_times; k-- > reanalysis->first;) {
    *loss += compare(reanalysis, k, reanalysis->bar, &n_seen);
    if (k > reanalysis->first &&
        !solver->reverse(reanalysis->solver, reanalysis->states + (k - 1) * reanalysis->n_model,
                         parameters, reanalysis->settings.subject->steps_between, reanalysis->bar,
                         bars, error))
      return FALSE;
  }
  return !reanalysis->n_lead ||
         solver->reverse(reanalysis->solver, reanalysis->background, parameters, reanalysis->n_lead,
                         reanalysis->bar, bars, error);
}

/* Computes the gradients with respect to theta and a, including the priors. */
static void
collect(LacReanalysis *reanalysis,
        const double  *control,
        const double  *parameters,
        const double  *bars,
        double        *gradient,
        double        *loss)
{
  const LacPod *pod = reanalysis->settings.pod;

  for (guint u = 0; u < reanalysis->n_unknowns; u++) {
    const gboolean positive = reanalysis->settings.subject->positive[coefficient_of(reanalysis, u)];
    const double   off = (control[u] - reanalysis->prior[u]) / reanalysis->spread;

    gradient[u] = bars[reanalysis->unknowns[u]] *
                  (positive ? parameters[reanalysis->unknowns[u]] : unit_of(reanalysis, u));
    if (reanalysis->has_prior) {
      gradient[u] += off / reanalysis->spread;
      *loss += off * off / 2;
    }
  }
  for (gsize m = 0; m < reanalysis->n_modes; m++) {
    const double a = control[reanalysis->n_unknowns + m];

    gradient[reanalysis->n_unknowns + m] =
      reanalysis->spread * pod->deviations[m] * reanalysis->shares[m] + a;
    *loss += a * a / 2;
  }
}

gboolean
lac_reanalysis_evaluate(LacReanalysis *reanalysis,
                        const double  *control,
                        double        *gradient,
                        double        *loss,
                        GError       **error)
{
  double parameters[LAC_SOLVER_MAX_PARAMETERS], bars[LAC_SOLVER_MAX_PARAMETERS] = {0};

  *loss = 0;
  lac_reanalysis_get_parameters(reanalysis, control, parameters);
  if (!roll(reanalysis, control, reanalysis->first + reanalysis->n_times - 1, error) ||
      !walk_back(reanalysis, parameters, loss, bars, error) ||
      (reanalysis->expansion &&
       !lac_expansion_project(reanalysis->expansion, reanalysis->bar, reanalysis->shares, error)))
    return FALSE;
  collect(reanalysis, control, parameters, bars, gradient, loss);
  return TRUE;
}

const double *
lac_reanalysis_get_state(LacReanalysis *reanalysis, const double *control, gsize k, GError **error)
{
  return roll(reanalysis, control, k, error) ? reanalysis->states + k * reanalysis->n_model : NULL;
}

double
lac_reanalysis_get_misfit(LacReanalysis *reanalysis, const double *control, GError **error)
{
  gsize  n_seen = 0;
  double sum = 0;

  if (!roll(reanalysis, control, reanalysis->first + reanalysis->n_times - 1, error))
    return NAN;
  for (gsize k = reanalysis->first; k < reanalysis->first + reanalysis->n_times; k++)
    sum += compare(reanalysis, k, NULL, &n_seen);
  return n_seen ? 2 * sum / (double) n_seen : 0;
}

/* ---- uncertainty of the coefficients ---- */

gboolean
lac_reanalysis_find_deviations(LacReanalysis *reanalysis,
                               const double  *control,
                               double        *deviations,
                               GError       **error)
{
  const double scale = sqrt(fmax(1, lac_reanalysis_get_misfit(reanalysis, control, error)));
  double       parameters[LAC_SOLVER_MAX_PARAMETERS];

  if (isnan(scale))
    return FALSE;
  lac_reanalysis_get_parameters(reanalysis, control, parameters);
  reanalysis->control = control;
  for (guint u = 0; u < reanalysis->n_unknowns; u++) {
    const double  value = fabs(parameters[reanalysis->unknowns[u]]);
    const double *column;

    if (!lac_conjugate_gradients_find_column(reanalysis->hessian, u, &column, error))
      return FALSE;
    const double unit = reanalysis->settings.subject->positive[coefficient_of(reanalysis, u)]
                          ? value
                          : unit_of(reanalysis, u);
    deviations[u] = column && column[u] > 0 ? scale * unit * sqrt(column[u]) : value;
  }
  return TRUE;
}

/* One forward pass, one recomputation from checkpoints, and a reverse pass that costs two. */
double
lac_reanalysis_get_flops(const LacReanalysis *reanalysis)
{
  const LacCase *subject = reanalysis->settings.subject;

  return 5 * subject->solver->flops(reanalysis->solver) *
         (double) (reanalysis->n_times * subject->steps_between);
}
