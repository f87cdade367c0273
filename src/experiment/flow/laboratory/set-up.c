/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up of a flow run: the true field, its modes, the sensors, then the methods. Resolves automatic parameters. */
#include "base/error.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/method.h"
#include "experiment/flow/sensors/cache.h"
#include "experiment/flow/sensors/own-measurements.h"
#include "experiment/flow/sensors/positions.h"
#include "experiment/flow/sensors/synthetic.h"
#include "experiment/flow/truth/grid-file.h"
#include "experiment/param-rows.h"
#include "experiment/set-up-part.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- the step of a forecast, against the flow that it has to follow ---- */

/* Ratio of the step at which a solver blows up (unless viscosity stabilises it; measured at 2.8 to 3.5) to the step
 * at which it is certainly accurate: half its stability limit on the imaginary axis, with the maximum velocity for
 * every wave and along both axes. */
#define REACH (2 * G_SQRT2)

/* Fills in the initial values of the coefficients: guesses for the unknown ones. */
static void
fill_parameters(const LacCase *subject, double *parameters)
{
  for (guint p = 0; p < subject->solver->n_parameters; p++) {
    const int coefficient = subject->parameter_coefficient[p];

    parameters[p] = coefficient >= 0 && subject->unknown[coefficient]
                      ? subject->guesses[coefficient]
                      : subject->parameters[p];
  }
}

static double
find_in_states(const LacProblem *problem, gconstpointer solver)
{
  const LacCase  *subject = problem->subject;
  const LacTruth *grid = problem->grid;
  const gsize     n = lac_truth_get_length(grid);
  double          parameters[LAC_SOLVER_MAX_PARAMETERS], largest = INFINITY;

  fill_parameters(subject, parameters);
  if (subject->initial) {
    g_autofree double *state =
      g_new(double, subject->solver->n_fields * subject->model.nx * subject->model.ny);

    subject->initial(subject, state);
    largest = subject->solver->largest_step(solver, state, parameters);
  }
  for (gsize i = 0; i < grid->n_training; i++)
    largest =
      MIN(largest, subject->solver->largest_step(solver, grid->training + i * n, parameters));
  return REACH * largest;
}

/* Finds the largest stable step: the solver's limit at the scene's initial condition and at the training snapshots,
 * with the methods' initial coefficients. INFINITY if there is no limit or no state to evaluate. Returns: NaN with an
 * error if the solver cannot be made. */
static double
find_largest_step(const LacProblem *problem, GError **error)
{
  const LacSolver *row = problem->subject->solver;
  LacDevice        device;
  gpointer         solver;
  double           largest = NAN;

  if (!lac_device_open(&device, "cpu", error))
    return NAN;
  solver = lac_forecast_new(
    problem->subject, problem->context,
    &(LacForecastSettings){.device = device, .type = LAC_F64, .n_members = 1}, error);
  if (solver) {
    largest = find_in_states(problem, solver);
    row->destroy(solver);
  }
  lac_device_close(&device);
  return largest;
}

/* Returns: %FALSE with an error naming the largest step. */
static gboolean
check_time_step(const LacProblem *problem, GError **error)
{
  const LacSolverSettings *model = &problem->subject->model;
  const double             largest = find_largest_step(problem, error);

  if (isnan(largest))
    return FALSE;
  if (model->time_step <= largest)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the forecast step %.4g is unstable; the largest step for this flow on a grid of "
              "%" G_GSIZE_FORMAT " points per side is %.4g; shorten the step or the interval "
              "between observations, or use a coarser grid",
              model->time_step, model->nx, largest);
  return FALSE;
}

/* ---- the set-up ---- */

void
lac_laboratory_destroy(gpointer data)
{
  LacLaboratoryState *state = data;

  lac_scheduler_clear(&state->scheduler);
  lac_observations_free(state->observations);
  lac_pod_free(state->pod);
  lac_truth_free(state->truth);
  lac_case_clear(&state->subject);
  g_free(state->mean);
  g_free(state->window_mean);
  g_free(state->field);
  g_free(state->deviation);
  g_free(state->errors);
  lac_observations_free(state->seen);
  for (guint i = 0; i < G_N_ELEMENTS(state->slots); i++) {
    g_free(state->slots[i].held_out);
    g_free(state->slots[i].answers);
  }
  g_free(state->around);
  for (guint d = 0; d < LAC_N_DIAGRAMS; d++)
    g_free(state->diagrams[d].values);
  g_free(state->start);
  for (guint i = 0; i < G_N_ELEMENTS(state->equations); i++)
    lac_equation_residual_free(state->equations[i]);
  g_free(state->params);
  g_free(state);
}

static guint
mask_of(gint64 list)
{
  guint mask = 0;

  for (guint i = 0; lac_list_get(list, i) >= 0; i++)
    mask |= 1u << lac_list_get(list, i);
  return mask;
}

/* (nullable): user measurements that replace the synthetic ones */
static const LacMeasurements *
find_own(const LacLaboratoryState *state)
{
  GHashTable *table = state->context.measurements;

  return table ? g_hash_table_lookup(table, "measurements") : NULL;
}

static gboolean
take_measurements(LacLaboratoryState    *state,
                  const LacCommonParams *common,
                  const LacMeasurements *own,
                  GError               **error)
{
  double               rms[LAC_TRUTH_MAX_FIELDS] = {0};
  const LacOwnSettings settings = {
    .measurements = own,
    .grid = &state->grid,
    .steady = state->subject.steady,
    .noise = common->noise / 100,
    .rms = rms,
  };

  for (guint f = 0; f < state->grid.n_fields && state->grid.n_training; f++)
    rms[f] = lac_synthetic_rms(&state->grid, state->mean, f);
  state->observations = lac_own_observations_new(&settings, error);
  return state->observations != NULL;
}

/* Returns the automatic number of modes. */
static gsize
count_modes(const LacLaboratoryState *state, const LacCommonParams *common)
{
  const LacObservations *own = state->observations;
  guint                  fields = own ? 0 : mask_of(common->measured);

  for (gsize i = 0; own && i < own->n_sensors; i++)
    fields |= 1u << own->sensors[i].field;
  return (own ? own->n_stations : lac_laboratory_n_stations(common, &state->subject)) *
         MAX(2, (gsize) __builtin_popcount(fields));
}

static gboolean
find_modes(LacLaboratoryState *state, const LacCommonParams *common, GError **error)
{
  const gsize wanted = common->modes ? (gsize) common->modes : count_modes(state, common);
  const gsize most = state->truth->n_training ? state->truth->n_training - 1 : 0;

  if (!state->truth->n_training)
    return TRUE;
  LAC_SET_UP_PART(&state->context, "find the modes");
  state->pod = lac_cached_pod(state->truth, CLAMP(wanted, 1, most), (LacPodMethod) common->modes_by,
                              &state->context, error);
  if (!state->pod)
    return FALSE;
  if (state->pod->n_modes > 0)
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
    "the training interval has no fluctuation; use a more unsteady flow or more snapshots");
  return FALSE;
}

static gboolean
place_sensors(LacLaboratoryState *state, const LacCommonParams *common, GError **error)
{
  gsize              n_stations = lac_laboratory_n_stations(common, &state->subject);
  g_autofree double *places =
    common->sensor_positions
      ? lac_positions_parse(common->sensor_positions, lac_case_is_line(&state->subject) ? 1 : 2,
                            &n_stations, NULL)
      : NULL;
  gsize                 n_regions = 0;
  g_autofree LacRegion *regions =
    common->sensor_regions
      ? lac_regions_parse(common->sensor_regions, lac_case_is_line(&state->subject) ? 1 : 2,
                          &n_regions, NULL)
      : NULL;
  const LacSyntheticSettings settings = {
    .n_stations = n_stations,
    .regions = regions,
    .n_regions = n_regions,
    .places = places,
    .placement = common->placement,
    .minimum_distance = common->minimum_distance,
    .pool = state->context.pool,
    .memory = state->context.memory,
    .fields = mask_of(common->measured),
    .noise = common->noise / 100,
    .dropout = common->dropout / 100,
    .every = (gsize) common->every,
    .seed = state->context.seed,
  };

  LAC_SET_UP_PART(&state->context, "place the sensors");
  state->observations = lac_synthetic_new(state->truth, state->pod, state->mean, &settings, error);
  return state->observations != NULL;
}

gboolean
lac_laboratory_place_again(LacLaboratoryState *state, GError **error)
{
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);

  g_clear_pointer(&state->observations, lac_observations_free);
  g_clear_pointer(&state->pod, lac_pod_free);
  g_clear_pointer(&state->errors, g_free);
  if (!find_modes(state, common, error) || !place_sensors(state, common, error))
    return FALSE;
  state->errors = g_new0(double, state->observations->n_sensors + 1);
  return TRUE;
}

static gboolean
slot_methods(LacLaboratoryState *state, const LacCommonParams *common, GError **error)
{
  const LacLaboratory *laboratory = state->laboratory;
  gboolean             is_scored = FALSE;

  for (guint i = 0; lac_list_get(common->methods, i) >= 0; i++) {
    const guint  e = (guint) lac_list_get(common->methods, i);
    LacFlowSlot *slot = &state->slots[i];

    slot->method = lac_laboratory_method(laboratory, e);
    slot->knowledge = lac_laboratory_find_knowledge(laboratory, e, state->params, &state->subject);
    slot->place = lac_laboratory_place(laboratory, state->params, i);
    if (slot->method->forecasts && !is_scored && !check_time_step(&state->problem, error))
      return FALSE;
    is_scored = is_scored || slot->method->forecasts;
    LAC_SET_UP_PART(&state->context, slot->method->name);
    slot->self = slot->method->create(lac_laboratory_method_params(laboratory, e, state->params),
                                      &state->problem, error);
    if (!slot->self)
      return FALSE;
    lac_scheduler_add(&state->scheduler, &slot->method->scheduled, slot->self, slot->place.curves,
                      slot->place.n_curves);
    if (!lac_laboratory_prepare_equation(state, slot, error))
      return FALSE;
  }
  return TRUE;
}

/* Hides the truth from the methods; the mean is computed from the training part only. */
static void
withhold_truth(LacLaboratoryState *state)
{
  g_clear_pointer(&state->truth->observed, g_free);
  g_free(state->mean);
  state->mean = lac_errors_new_mean(state->truth);
}

static LacTruth *
make_truth(LacLaboratoryState *state, GError **error)
{
  LAC_SET_UP_PART(&state->context, "make the truth");
  g_autoptr(LacTruth) truth = lac_cached_truth(state->laboratory->scene, state->params,
                                               &state->subject, &state->context, error);
  const GHashTable   *inputs = state->context.inputs;
  const LacGridField *file =
    inputs ? g_hash_table_lookup((GHashTable *) inputs, LAC_TRUE_FIELD) : NULL;

  if (!truth || (file && (!lac_grid_file_agrees(&state->subject, file, error) ||
                          !lac_grid_file_take(truth, &state->subject, file, error))))
    return NULL;
  return g_steal_pointer(&truth);
}

/* Advances the start by one interval, with the coefficients that the methods start from. */
static gboolean
forecast_start(LacLaboratoryState *state, GError **error)
{
  const LacCase *subject = &state->subject;
  double         parameters[LAC_SOLVER_MAX_PARAMETERS];
  LacDevice      device = {0};
  gpointer       solver;
  gboolean       is_done;

  fill_parameters(subject, parameters);
  if (!lac_device_open(&device, "cpu", error))
    return FALSE;
  solver = lac_forecast_new(
    subject, &state->context,
    &(LacForecastSettings){.device = device, .type = LAC_F64, .n_members = 1}, error);
  is_done = solver && subject->solver->advance(solver, state->start, 1, parameters,
                                               subject->steps_between, error);
  if (solver)
    subject->solver->destroy(solver);
  lac_device_close(&device);
  return is_done;
}

static gboolean
find_start(LacLaboratoryState *state, const LacCommonParams *common, GError **error)
{
  const LacTruth *truth = state->truth;
  const gsize     n = state->subject.solver->n_fields * truth->nx * truth->ny;
  const gboolean  is_last = common->start == LAC_START_LAST;
  const double   *from = is_last && truth->training
                           ? truth->training + (truth->n_training - 1) * lac_truth_get_length(truth)
                         : is_last ? NULL
                                   : truth->observed;

  if (!from) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "start = %s needs %s",
                is_last ? "last" : "exact", is_last ? "training snapshots" : "a true field");
    return FALSE;
  }
  state->start = g_memdup2(from, n * sizeof *from);
  state->subject.start = state->start;
  state->subject.n_start = n;
  return !is_last || forecast_start(state, error);
}

static gboolean
set_up(LacLaboratoryState *state, GError **error)
{
  const LacContext      *context = &state->context;
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);
  const LacMeasurements *own = find_own(state);
  gsize                  n;

  lac_laboratory_configure(&state->subject, state->laboratory, state->params);
  state->truth = make_truth(state, error);
  if (!state->truth)
    return FALSE;
  if (context->progress)
    context->progress(0.9, _("modes and sensor placement"), context->user_data);
  n = lac_truth_get_length(state->truth);
  state->mean = lac_errors_new_mean(state->truth);
  state->field = g_new0(double, n);
  state->deviation = g_new0(double, n);
  state->grid = *state->truth;
  state->grid.observed = NULL;
  if (lac_laboratory_gives_start(&state->subject) && !find_start(state, common, error))
    return FALSE;
  if (own && !take_measurements(state, common, own, error))
    return FALSE;
  if (!find_modes(state, common, error) || (!own && !place_sensors(state, common, error)))
    return FALSE;
  state->errors = g_new0(double, state->observations->n_sensors + 1);
  state->has_truth = lac_laboratory_has_truth(common);
  if (!state->has_truth)
    withhold_truth(state);
  state->problem = (LacProblem){
    .context = &state->context,
    .subject = &state->subject,
    .grid = &state->grid,
    .observations = state->observations,
    .pod = state->pod,
  };
  return TRUE;
}

LacLaboratoryState *
lac_laboratory_prepare(const LacExperiment *self,
                       gconstpointer        params,
                       const LacContext    *context,
                       GError             **error)
{
  LacLaboratoryState *state = g_new0(LacLaboratoryState, 1);

  state->laboratory = self->data;
  state->scheduler.n_kept = LAC_LABORATORY_MAX_METHODS;
  state->context = *context;
  state->scheduler.context = &state->context;
  state->params = g_memdup2(params, self->params.size);
  if (context->perf)
    state->name_score = lac_perf_name(
      context->perf, lac_laboratory_has_truth(lac_laboratory_common(self->data, params))
                       ? N_("compare with the truth")
                       : N_("compare with the sensors"));
  if (set_up(state, error))
    return state;
  lac_laboratory_destroy(state);
  return NULL;
}

static gboolean
find_baselines(LacLaboratoryState *state, GError **error)
{
  if (!lac_laboratory_has_whole(state->laboratory, state->params, &state->subject) ||
      !state->truth->observed)
    return TRUE;
  LAC_SET_UP_PART(&state->context, N_("measure the baselines"));
  lac_laboratory_place_baselines(state->laboratory, state->params, state->baseline_places);
  state->window_mean = lac_errors_new_window_mean(state->truth);
  const LacErrorNorm norm = lac_laboratory_get_norm(state);
  return lac_baselines_find(&state->problem, &norm,
                            lac_laboratory_common(state->laboratory, state->params)->noise / 100,
                            &state->baselines, error);
}

gpointer
lac_laboratory_create(const LacExperiment *self,
                      gconstpointer        params,
                      const LacContext    *context,
                      GError             **error)
{
  LacLaboratoryState *state = lac_laboratory_prepare(self, params, context, error);
  LacEstimate         estimate;

  if (!state)
    return NULL;
  if (!find_baselines(state, error)) {
    lac_laboratory_destroy(state);
    return NULL;
  }
  state->truth_error_place = lac_laboratory_truth_error_place(state->laboratory, state->params);
  state->gain_place = lac_laboratory_gain_place(state->laboratory, state->params);
  state->gain = state->gain_place ? lac_laboratory_find_gain(state) : (double) NAN;
  lac_laboratory_hold_out(state);
  if (!slot_methods(state, lac_laboratory_common(state->laboratory, state->params), error)) {
    lac_laboratory_destroy(state);
    return NULL;
  }
  self->estimate(self, params, &estimate);
  lac_laboratory_prepare_score(state, &estimate);
  lac_laboratory_prepare_held_out(state);
  lac_laboratory_prepare_diagrams(state);
  lac_rows_forget_texts(&self->params, state->params);
  return state;
}
