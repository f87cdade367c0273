/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trajectory of a window and its way back. */
#include "experiment/flow/engines/hindcast.h"

#include "base/error.h"
#include "experiment/flow/forecast.h"

#include <math.h>
#include <string.h>

struct _LacHindcast {
  LacHindcastSettings settings;
  LacDevice           device;
  gpointer            solver;
  guint               n_unknowns;
  guint               unknowns[LAC_SOLVER_MAX_PARAMETERS];
  gsize               n_modes, n_model, length;
  gsize               first, n_times;
  gsize               n_lead; /* solver steps from the known state to the first observation */
  double              spread;
  gboolean            has_prior;
  double              prior[LAC_SOLVER_MAX_PARAMETERS];
  double             *known;      /* [n_model]: the first window's background */
  double             *background; /* [n_model] */
  double             *states;     /* [n_times of the grid][n_model] */
  double             *bar;        /* [n_model] */
  double             *rolled;     /* [length]: what the states belong to */
  gsize               n_rolled;   /* states from first on that are valid */
};

gboolean
lac_hindcast_seeks(const LacCase *subject, guint field)
{
  return !subject->initial || !subject->sought || (subject->sought & 1u << field) != 0;
}

void
lac_hindcast_free(LacHindcast *hindcast)
{
  if (!hindcast)
    return;
  if (hindcast->solver)
    hindcast->settings.subject->solver->destroy(hindcast->solver);
  lac_device_close(&hindcast->device);
  g_free(hindcast->known);
  g_free(hindcast->background);
  g_free(hindcast->states);
  g_free(hindcast->bar);
  g_free(hindcast->rolled);
  g_free(hindcast);
}

/* Of the fields that are sought. */
static void
take_mean(LacHindcast *hindcast)
{
  const LacCase *subject = hindcast->settings.subject;
  const gsize    cells = subject->model.nx * subject->model.ny;

  for (guint f = 0; hindcast->settings.pod && f < subject->solver->n_fields; f++)
    if (lac_hindcast_seeks(subject, f))
      memcpy(hindcast->known + f * cells, hindcast->settings.pod->mean + f * cells,
             cells * sizeof *hindcast->known);
}

/* The beginning as the scene gives it, or else the last snapshot of the training part, one interval earlier. */
static gboolean
find_known(LacHindcast *hindcast, GError **error)
{
  const LacCase  *subject = hindcast->settings.subject;
  const LacTruth *grid = hindcast->settings.grid;

  hindcast->known = g_new0(double, hindcast->n_model);
  if (subject->initial) {
    subject->initial(subject, hindcast->known);
    take_mean(hindcast);
    return TRUE;
  }
  if (hindcast->settings.pod) {
    memcpy(hindcast->known, hindcast->settings.pod->mean, hindcast->n_model * sizeof(double));
    return TRUE;
  }
  if (grid->n_training) {
    memcpy(hindcast->known, grid->training + (grid->n_training - 1) * lac_truth_get_length(grid),
           hindcast->n_model * sizeof *hindcast->known);
    hindcast->n_lead = subject->steps_between;
    return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "seek = scalars needs to know how the flow begins, and this scene does not give it; "
              "take seek = both with snapshots to train on");
  return FALSE;
}

static gboolean
make_solver(LacHindcast *hindcast, GError **error)
{
  if (!lac_device_open(&hindcast->device, "cpu", error))
    return FALSE;
  hindcast->solver = lac_forecast_new(hindcast->settings.subject, hindcast->settings.context,
                                      hindcast->device, LAC_F64, 1, error);
  return hindcast->solver != NULL;
}

LacHindcast *
lac_hindcast_new(const LacHindcastSettings *settings, GError **error)
{
  g_autoptr(LacHindcast) hindcast = g_new0(LacHindcast, 1);
  const LacTruth        *grid = settings->grid;

  hindcast->settings = *settings;
  if (settings->scalars)
    hindcast->n_unknowns = lac_case_list_unknowns(settings->subject, hindcast->unknowns);
  hindcast->n_modes = settings->pod ? settings->pod->n_modes : 0;
  hindcast->length = hindcast->n_unknowns + hindcast->n_modes;
  hindcast->n_model = settings->subject->solver->n_fields * grid->nx * grid->ny;
  hindcast->background = g_new0(double, hindcast->n_model);
  hindcast->states = g_new0(double, grid->n_times * hindcast->n_model);
  hindcast->bar = g_new0(double, hindcast->n_model);
  hindcast->rolled = g_new0(double, hindcast->length);
  if (!make_solver(hindcast, error) || !find_known(hindcast, error))
    return NULL;
  return g_steal_pointer(&hindcast);
}

gsize
lac_hindcast_get_length(const LacHindcast *hindcast)
{
  return hindcast->length;
}

gsize
lac_hindcast_get_bytes(const LacHindcast *hindcast)
{
  const LacSolver *solver = hindcast->settings.subject->solver;

  return solver->bytes(hindcast->solver) +
         (hindcast->settings.grid->n_times + 3) * hindcast->n_model * sizeof(double);
}

/* The coefficient behind unknown @u. */
static int
coefficient_of(const LacHindcast *hindcast, guint u)
{
  return hindcast->settings.subject->parameter_coefficient[hindcast->unknowns[u]];
}

/* What theta is a multiple of. */
static double
unit_of(const LacHindcast *hindcast, guint u)
{
  const double guess = hindcast->settings.subject->guesses[coefficient_of(hindcast, u)];

  return guess != 0 ? fabs(guess) : 1;
}

void
lac_hindcast_guess(const LacHindcast *hindcast, double *control)
{
  const LacCase *subject = hindcast->settings.subject;

  memset(control, 0, hindcast->length * sizeof *control);
  for (guint u = 0; u < hindcast->n_unknowns; u++) {
    const double guess = subject->guesses[coefficient_of(hindcast, u)];

    control[u] =
      subject->positive[coefficient_of(hindcast, u)] ? log(guess) : guess / unit_of(hindcast, u);
  }
}

void
lac_hindcast_get_parameters(const LacHindcast *hindcast, const double *control, double *parameters)
{
  const LacCase *subject = hindcast->settings.subject;

  memcpy(parameters, subject->parameters, subject->solver->n_parameters * sizeof *parameters);
  for (guint u = 0; u < hindcast->n_unknowns; u++)
    parameters[hindcast->unknowns[u]] = subject->positive[coefficient_of(hindcast, u)]
                                          ? exp(control[u])
                                          : unit_of(hindcast, u) * control[u];
}

void
lac_hindcast_place(LacHindcast *hindcast, const LacHindcastPlace *place)
{
  const gsize n_bytes = hindcast->n_model * sizeof *hindcast->background;

  g_return_if_fail(place->first + place->n_times <= hindcast->settings.grid->n_times);
  memcpy(hindcast->background, place->background ? place->background : hindcast->known, n_bytes);
  hindcast->first = place->first;
  hindcast->n_times = place->n_times;
  hindcast->spread = place->spread;
  hindcast->has_prior = place->scalars != NULL;
  if (place->scalars)
    memcpy(hindcast->prior, place->scalars, hindcast->n_unknowns * sizeof *place->scalars);
  hindcast->n_rolled = 0;
}

static gboolean
advance(LacHindcast  *hindcast,
        const double *parameters,
        double       *state,
        gsize         n_steps,
        GError      **error)
{
  return hindcast->settings.subject->solver->advance(hindcast->solver, state, 1, parameters,
                                                     n_steps, error);
}

static gboolean
begin(LacHindcast *hindcast, const double *control, const double *parameters, GError **error)
{
  double       *state = hindcast->states + hindcast->first * hindcast->n_model;
  const LacPod *pod = hindcast->settings.pod;

  memcpy(state, hindcast->background, hindcast->n_model * sizeof *state);
  for (gsize m = 0; m < hindcast->n_modes; m++) {
    const double  share = hindcast->spread * control[hindcast->n_unknowns + m] * pod->deviations[m];
    const double *mode = pod->modes + m * pod->n;

    for (gsize i = 0; i < hindcast->n_model; i++)
      state[i] += share * mode[i];
  }
  hindcast->n_rolled = 1;
  return !hindcast->n_lead || advance(hindcast, parameters, state, hindcast->n_lead, error);
}

/* Makes the states from the first to observation @k those of @control. */
static gboolean
roll(LacHindcast *hindcast, const double *control, gsize k, GError **error)
{
  const gsize n_bytes = hindcast->n_model * sizeof(double);
  double      parameters[LAC_SOLVER_MAX_PARAMETERS];

  g_return_val_if_fail(k >= hindcast->first && k < hindcast->settings.grid->n_times, FALSE);
  lac_hindcast_get_parameters(hindcast, control, parameters);
  if (memcmp(control, hindcast->rolled, hindcast->length * sizeof *control) != 0)
    hindcast->n_rolled = 0;
  if (hindcast->n_rolled == 0) {
    memcpy(hindcast->rolled, control, hindcast->length * sizeof *control);
    if (!begin(hindcast, control, parameters, error)) {
      hindcast->n_rolled = 0;
      return FALSE;
    }
  }
  while (hindcast->n_rolled <= k - hindcast->first) {
    double *state = hindcast->states + (hindcast->first + hindcast->n_rolled) * hindcast->n_model;

    memcpy(state, state - hindcast->n_model, n_bytes);
    if (!advance(hindcast, parameters, state, hindcast->settings.subject->steps_between, error))
      return FALSE;
    hindcast->n_rolled++;
  }
  return TRUE;
}

/* 1/2 sum of squares at observation @k; adds its derivative by the state to @bar (nullable). @n_seen: counts values. */
static double
compare(const LacHindcast *hindcast, gsize k, double *bar, gsize *n_seen)
{
  const LacObservations *observations = hindcast->settings.observations;
  const double          *state = hindcast->states + k * hindcast->n_model;
  double                 sum = 0;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const LacSensor *sensor = &observations->sensors[i];
    const double     value = observations->values[k * observations->n_sensors + i];
    const double     sigma = observations->sigma[k * observations->n_sensors + i];
    double           residual;

    /* what the solver does not compute, such as pressure, it is not compared with */
    if (isnan(value) || sensor->rows[0] >= hindcast->n_model)
      continue;
    residual = (lac_sensor_read(sensor, state) - value) / sigma;
    sum += residual * residual / 2;
    ++*n_seen;
    for (gsize c = 0; bar && c < G_N_ELEMENTS(sensor->rows); c++)
      bar[sensor->rows[c]] += sensor->weights[c] * residual / sigma;
  }
  return sum;
}

/* Sums over the window backwards in time; bar becomes the derivative by the state at the beginning. */
static gboolean
walk_back(LacHindcast  *hindcast,
          const double *parameters,
          double       *loss,
          double       *bars,
          GError      **error)
{
  const LacSolver *solver = hindcast->settings.subject->solver;
  gsize            n_seen = 0;

  memset(hindcast->bar, 0, hindcast->n_model * sizeof *hindcast->bar);
  for (gsize k = hindcast->first + hindcast->n_times; k-- > hindcast->first;) {
    *loss += compare(hindcast, k, hindcast->bar, &n_seen);
    if (k > hindcast->first &&
        !solver->reverse(hindcast->solver, hindcast->states + (k - 1) * hindcast->n_model,
                         parameters, hindcast->settings.subject->steps_between, hindcast->bar, bars,
                         error))
      return FALSE;
  }
  return !hindcast->n_lead || solver->reverse(hindcast->solver, hindcast->background, parameters,
                                              hindcast->n_lead, hindcast->bar, bars, error);
}

/* The derivatives by theta and a, and the priors. */
static void
collect(LacHindcast  *hindcast,
        const double *control,
        const double *parameters,
        const double *bars,
        double       *gradient,
        double       *loss)
{
  const LacPod *pod = hindcast->settings.pod;

  for (guint u = 0; u < hindcast->n_unknowns; u++) {
    const gboolean positive = hindcast->settings.subject->positive[coefficient_of(hindcast, u)];
    const double   off = (control[u] - hindcast->prior[u]) / hindcast->spread;

    gradient[u] = bars[hindcast->unknowns[u]] *
                  (positive ? parameters[hindcast->unknowns[u]] : unit_of(hindcast, u));
    if (hindcast->has_prior) {
      gradient[u] += off / hindcast->spread;
      *loss += off * off / 2;
    }
  }
  for (gsize m = 0; m < hindcast->n_modes; m++) {
    const double *mode = pod->modes + m * pod->n, a = control[hindcast->n_unknowns + m];
    double        product = 0;

    for (gsize i = 0; i < hindcast->n_model; i++)
      product += mode[i] * hindcast->bar[i];
    gradient[hindcast->n_unknowns + m] = hindcast->spread * pod->deviations[m] * product + a;
    *loss += a * a / 2;
  }
}

gboolean
lac_hindcast_evaluate(LacHindcast  *hindcast,
                      const double *control,
                      double       *gradient,
                      double       *loss,
                      GError      **error)
{
  double parameters[LAC_SOLVER_MAX_PARAMETERS], bars[LAC_SOLVER_MAX_PARAMETERS] = {0};

  *loss = 0;
  lac_hindcast_get_parameters(hindcast, control, parameters);
  if (!roll(hindcast, control, hindcast->first + hindcast->n_times - 1, error) ||
      !walk_back(hindcast, parameters, loss, bars, error))
    return FALSE;
  collect(hindcast, control, parameters, bars, gradient, loss);
  return TRUE;
}

const double *
lac_hindcast_get_state(LacHindcast *hindcast, const double *control, gsize k, GError **error)
{
  return roll(hindcast, control, k, error) ? hindcast->states + k * hindcast->n_model : NULL;
}

double
lac_hindcast_get_misfit(LacHindcast *hindcast, const double *control, GError **error)
{
  gsize  n_seen = 0;
  double sum = 0;

  if (!roll(hindcast, control, hindcast->first + hindcast->n_times - 1, error))
    return NAN;
  for (gsize k = hindcast->first; k < hindcast->first + hindcast->n_times; k++)
    sum += compare(hindcast, k, NULL, &n_seen);
  return n_seen ? 2 * sum / (double) n_seen : 0;
}

/* Forwards once, again from the checkpoints, and twice as much backwards. */
double
lac_hindcast_get_flops(const LacHindcast *hindcast)
{
  const LacCase *subject = hindcast->settings.subject;

  return 5 * subject->solver->flops(hindcast->solver) *
         (double) (hindcast->n_times * subject->steps_between);
}
