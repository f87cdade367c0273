/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of the methods: errors against the truth, or reliability from the sensors alone if it is unknown. Only this
 * file reads the truth. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

/* Budget of grid values evaluated per intermediate score; the final score evaluates all. */
#define MOST_ON_THE_WAY 65536
#define SECONDS_A_VALUE 20e-9 /* to evaluate it, on one thread of the reference machine */

/* The observations of one score. */
typedef struct {
  gsize    first, end, stride;
  gboolean is_last, /* of the run: budgets, which cost more than errors, are summed up only then */
    is_scored; /* FALSE: no scored observation has been reached; the window holds those before */
} Window;

/* Finds the observations that all methods have reached, so that all means are over the same ones. Returns: FALSE if
 * there are none. */
static gboolean
find_window(const LacLaboratoryState *state, gboolean is_last, Window *window)
{
  const gsize most = MAX(1, MOST_ON_THE_WAY / (state->grid.nx * state->grid.ny));

  *window = (Window){
    .first = lac_laboratory_first_scored(state), .end = state->grid.n_times, .is_last = is_last};
  for (guint s = 0; s < state->scheduler.n && !is_last; s++)
    if (state->slots[s].method->reached && !lac_scheduler_has_failed(&state->scheduler, s))
      window->end = MIN(window->end, state->slots[s].method->reached(state->slots[s].self));
  window->is_scored = window->end > window->first;
  if (!window->is_scored)
    window->first = 0;
  window->stride = is_last ? 1 : MAX(1, (window->end - window->first + most - 1) / most);
  return window->end > 0;
}

/* ---- what an estimate conserves ---- */

/* Sums over the scored times. */
typedef struct {
  double square, true_square, divergence[2], gradient;
} Conserved;

/* Adds the field in the state's scratch array. */
static void
add_conserved(const LacLaboratoryState *state, const LacFlowSlot *slot, gsize k, Conserved *sums)
{
  if (!slot->place.energy_ratio && !slot->place.divergence)
    return; /* not asked for */
  const LacBudgets of = lac_budgets_measure(&state->subject, &state->grid, state->field);
  sums->square += of.square;
  sums->divergence[0] += of.divergence[0];
  sums->divergence[1] += of.divergence[1];
  sums->gradient += of.gradient;
  if (!state->has_truth)
    return;
  const LacBudgets truth =
    lac_budgets_measure(&state->subject, &state->grid, lac_truth_at(state->truth, k));
  sums->true_square += truth.square;
}

static void
report_conserved(const LacFlowSlot *slot, const Conserved *sums, double *metrics)
{
  if (slot->place.energy_ratio)
    metrics[slot->place.energy_ratio] = sums->square / sums->true_square;
  if (slot->place.divergence)
    metrics[slot->place.divergence] = lac_budgets_get_divergence(sums->divergence, sums->gradient);
}

/* Reports the budgets of the field in the state's scratch array at observation @k. */
static void
report_budgets(const LacLaboratoryState *state, const LacFlowSlot *slot, gsize k, double *metrics)
{
  if (!slot->place.energy_ratio && !slot->place.divergence)
    return;
  const LacBudgets of = lac_budgets_measure(&state->subject, &state->grid, state->field);
  const LacBudgets truth = state->has_truth ? lac_budgets_measure(&state->subject, &state->grid,
                                                                  lac_truth_at(state->truth, k))
                                            : (LacBudgets){{0}};
  for (guint b = 0; b < LAC_N_BUDGETS; b++)
    if (slot->place.budgets[b])
      metrics[slot->place.budgets[b]] =
        lac_budgets_get(&state->subject, b, &of, state->has_truth ? &truth : NULL);
}

/* ---- by the sensors alone ---- */

/* Reliability of a method: residuals of the measurements, innovation statistic, leave-one-out residuals, and
 * estimated uncertainty. */

/* Sums over the measured values at the scored times. */
typedef struct {
  double squares, weighted,
    fluctuation; /* of residuals; of (residual / sigma)^2; of the deviations from the mean */
  gsize     n;
  double    left_out, left_out_fluctuation;
  double    innovation;
  gsize     n_innovations;
  Conserved conserved;
} ReliabilitySums;

static double
fluctuation_of(const LacLaboratoryState *state, gsize at, const LacSensor *sensor)
{
  return pow(state->observations->values[at] - lac_sensor_read(sensor, state->mean), 2);
}

/* Adds the residuals of the measurements at time @k, of those that the methods see, for the field in the state's scratch
 * array. */
static void
add_residuals(const LacLaboratoryState *state, gsize k, ReliabilitySums *sums)
{
  const LacObservations *observations = state->seen ? state->seen : state->observations;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const LacSensor *sensor = &observations->sensors[i];
    const gsize      at = k * observations->n_sensors + i;
    const double     apart = observations->values[at] - lac_sensor_read(sensor, state->field);

    if (!isfinite(apart))
      continue;
    sums->squares += apart * apart;
    sums->weighted += pow(apart / observations->sigma[at], 2);
    sums->fluctuation += fluctuation_of(state, at, sensor);
    sums->n++;
  }
}

static void
add_left_out(LacLaboratoryState *state, const LacFlowSlot *slot, gsize k, ReliabilitySums *sums)
{
  const LacObservations *observations = state->observations;
  const double          *errors = state->errors;

  if (slot->held_out)
    errors = lac_laboratory_get_held_out(state, slot, k);
  else
    slot->method->leave_one_out(slot->self, k, state->errors);
  for (gsize i = 0; i < observations->n_sensors; i++) {
    if (!isfinite(errors[i]))
      continue;
    sums->left_out += errors[i] * errors[i];
    sums->left_out_fluctuation +=
      fluctuation_of(state, k * observations->n_sensors + i, &observations->sensors[i]);
  }
}

static gboolean
add_measured_time(LacLaboratoryState *state,
                  const LacFlowSlot  *slot,
                  gsize               k,
                  ReliabilitySums    *sums,
                  GError            **error)
{
  if (!slot->method->field(slot->self, k, state->field, NULL, error))
    return FALSE;
  add_residuals(state, k, sums);
  if (slot->place.leave_one_out)
    add_left_out(state, slot, k, sums);
  if (slot->method->innovation) {
    const double chi_squared = slot->method->innovation(slot->self, k);

    if (isfinite(chi_squared)) {
      sums->innovation += chi_squared;
      sums->n_innovations++;
    }
  }
  return TRUE;
}

/* Computes the RMS of the method's estimated standard deviation at @k, relative to the fluctuation. */
static gboolean
find_uncertainty(LacLaboratoryState    *state,
                 const LacFlowSlot     *slot,
                 gsize                  k,
                 const ReliabilitySums *sums,
                 double                *metrics,
                 GError               **error)
{
  const LacTruth *grid = &state->grid;
  const gsize     cells = grid->nx * grid->ny;
  const double    scale =
    state->pod ? state->pod->rms : sqrt(sums->fluctuation / (double) MAX(sums->n, 1));
  double sum = 0;
  gsize  n = 0;

  if (!slot->method->field(slot->self, k, state->field, state->deviation, error))
    return FALSE;
  for (gsize i = 0; i < grid->n_fields * cells; i++) {
    if (!isfinite(state->deviation[i]) || (grid->mask && !grid->mask[i % cells]))
      continue;
    sum += state->deviation[i] * state->deviation[i];
    n++;
  }
  if (n > 0 && scale > 0)
    metrics[slot->place.uncertainty] = sqrt(sum / (double) n) / scale;
  return TRUE;
}

static gboolean
reliability_now(LacLaboratoryState *state, const LacFlowSlot *slot, double *metrics, GError **error)
{
  const gsize     k = lac_laboratory_time(state, state->scheduler.step);
  ReliabilitySums sums = {0};

  if (!slot->method->field(slot->self, k, state->field, NULL, error))
    return FALSE;
  add_residuals(state, k, &sums);
  if (sums.n > 0)
    metrics[slot->place.error] = sqrt(sums.squares / sums.fluctuation);
  report_budgets(state, slot, k, metrics);
  return TRUE;
}

static gboolean
reliability_whole(LacLaboratoryState *state,
                  guint               s,
                  const Window       *window,
                  double             *metrics,
                  GError            **error)
{
  const LacFlowSlot    *slot = &state->slots[s];
  const LacMetricPlace *place = &slot->place;
  ReliabilitySums       sums = {0};

  for (gsize k = window->first; k < window->end; k += window->stride)
    if (!add_measured_time(state, slot, k, &sums, error))
      return FALSE;
    else if (window->is_last)
      add_conserved(state, slot, k, &sums.conserved);
  if (place->uncertainty &&
      !find_uncertainty(state, slot, lac_laboratory_time(state, state->scheduler.step), &sums,
                        metrics, error))
    return FALSE;
  if (sums.n > 0 && lac_case_is_line(&state->subject)) /* all times are displayed at once */
    metrics[place->error] = sqrt(sums.squares / sums.fluctuation);
  if (!window->is_scored)
    return TRUE;
  if (sums.n > 0) {
    metrics[place->misfit] = sums.weighted / (double) sums.n;
    metrics[place->residual] = sqrt(sums.squares / sums.fluctuation);
  }
  if (window->is_last)
    report_conserved(slot, &sums.conserved, metrics);
  if (sums.n_innovations > 0)
    metrics[place->innovation] = sums.innovation / (double) sums.n_innovations;
  if (sums.left_out_fluctuation > 0)
    metrics[place->leave_one_out] = sqrt(sums.left_out / sums.left_out_fluctuation);
  if (s == 0) {
    metrics[LAC_METRIC_KEY] = metrics[place->key];
    metrics[LAC_METRIC_SECOND] = metrics[place->second];
  }
  return TRUE;
}

/* ---- against the truth ---- */

static gboolean
score_now(LacLaboratoryState *state, const LacFlowSlot *slot, double *metrics, GError **error)
{
  const LacErrorNorm norm = lac_laboratory_get_norm(state);
  const gsize        k = lac_laboratory_time(state, state->scheduler.step);
  LacErrorSums       sums = {{0}};

  if (!slot->method->field(slot->self, k, state->field, NULL, error))
    return FALSE;
  lac_error_sums_add(&sums, &norm, k, state->field);
  report_budgets(state, slot, k, metrics);
  metrics[slot->place.error] = lac_error_sums_combine(
    &sums, &norm,
    lac_laboratory_fluctuates(state->laboratory->scene) ? sums.fluctuation : sums.whole);
  return TRUE;
}

/* Errors over the scored times, and over all of them with their last third; see find_window(). */
typedef struct {
  LacErrorSums   scored, all, last_third;
  Conserved      conserved;
  LacCalibration calibration; /* where the method gives a deviation */
} Sums;

/* Compares the errors of the field in the state's scratch array with the deviations beside it. */
static void
add_calibration(const LacLaboratoryState *state, gsize k, LacCalibration *calibration)
{
  const LacTruth *truth = state->truth;
  const gsize     cells = truth->nx * truth->ny;
  const double   *true_values = lac_truth_at(truth, k);

  for (guint f = 0; f < truth->n_fields; f++)
    for (gsize i = 0; i < cells && !(state->subject.gauged & 1u << f); i++)
      if (!truth->mask || truth->mask[i])
        lac_calibration_add(calibration, state->field[f * cells + i] - true_values[f * cells + i],
                            state->deviation[f * cells + i]);
}

static gboolean
add_time(LacLaboratoryState *state,
         const LacFlowSlot  *slot,
         const Window       *window,
         gsize               k,
         Sums               *sums,
         GError            **error)
{
  const LacErrorNorm norm = lac_laboratory_get_norm(state);
  const gboolean is_calibrated = slot->place.calibration && window->is_last && k >= window->first;
  LacErrorSums   now = {{0}};

  if (!slot->method->field(slot->self, k, state->field, is_calibrated ? state->deviation : NULL,
                           error))
    return FALSE;
  if (is_calibrated)
    add_calibration(state, k, &sums->calibration);
  lac_error_sums_add(&now, &norm, k, state->field);
  lac_error_sums_add_sums(&sums->all, &now);
  if (k >= lac_laboratory_find_last_third(state->truth))
    lac_error_sums_add_sums(&sums->last_third, &now);
  if (k < window->first)
    return TRUE;
  lac_error_sums_add_sums(&sums->scored, &now);
  if (window->is_last)
    add_conserved(state, slot, k, &sums->conserved);
  return TRUE;
}

static void
report_whole(const LacLaboratoryState *state,
             const LacFlowSlot        *slot,
             const Sums               *sums,
             double                   *metrics)
{
  const LacErrorNorm norm = lac_laboratory_get_norm(state);
  double            *values = metrics + slot->place.whole;

  values[LAC_WHOLE_FLUCTUATION] = lac_error_sums_combine(&sums->all, &norm, sums->all.fluctuation);
  values[LAC_WHOLE_WINDOW] = lac_error_sums_combine(&sums->all, &norm, sums->all.window);
  values[LAC_LAST_THIRD_FLUCTUATION] =
    lac_error_sums_combine(&sums->last_third, &norm, sums->last_third.fluctuation);
  values[LAC_LAST_THIRD_WINDOW] =
    lac_error_sums_combine(&sums->last_third, &norm, sums->last_third.window);
  values[LAC_SKILL] = lac_baselines_get_skill(&state->baselines, values[LAC_WHOLE_FLUCTUATION]);
}

static void
report_calibration(LacLaboratoryState   *state,
                   const LacFlowSlot    *slot,
                   const LacCalibration *calibration,
                   double               *metrics)
{
  double *values = metrics + slot->place.calibration;

  for (guint b = 0; b < LAC_N_BANDS; b++)
    values[b] = lac_calibration_get_coverage(calibration, b);
  lac_laboratory_record_reliability(state, slot, calibration);
  values[LAC_N_BANDS] = lac_calibration_get_score(calibration) / state->pod->rms;
}

/* Compares the errors at the sensors held out with the claims. */
static void
report_left_out(LacLaboratoryState *state,
                const LacFlowSlot  *slot,
                const Window       *window,
                double             *metrics)
{
  double        *values = metrics + slot->place.held_out;
  LacCalibration calibration = {0};

  for (gsize k = window->first; k < window->end; k++) {
    const gsize   m = state->observations->n_sensors;
    const double *found = lac_laboratory_get_held_out(state, slot, k);

    for (gsize i = 0; i < m; i++)
      lac_calibration_add(&calibration, found[i], found[m + i]);
  }
  for (guint b = 0; b < LAC_N_BANDS; b++)
    values[b] = lac_calibration_get_coverage(&calibration, b);
  values[LAC_N_BANDS] = lac_calibration_get_score(&calibration) / state->pod->rms;
  if (!state->has_truth)
    lac_laboratory_record_reliability(state, slot, &calibration);
}

static gboolean
score_whole(LacLaboratoryState *state,
            guint               s,
            const Window       *window,
            double             *metrics,
            GError            **error)
{
  const LacFlowSlot *slot = &state->slots[s];
  const LacErrorNorm norm = lac_laboratory_get_norm(state);
  const gboolean     is_whole = slot->place.whole && window->is_last;
  Sums               sums = {0};
  const gboolean     fluctuates = lac_laboratory_fluctuates(state->laboratory->scene);
  double             fluctuation, relative;

  for (gsize k = is_whole ? 0 : window->first; k < window->end; k += window->stride)
    if (!add_time(state, slot, window, k, &sums, error))
      return FALSE;
  fluctuation = lac_error_sums_combine(&sums.scored, &norm, sums.scored.fluctuation);
  relative = lac_error_sums_combine(&sums.scored, &norm, sums.scored.whole);
  if (lac_case_is_line(&state->subject)) /* all times are displayed at once */
    metrics[slot->place.error] = fluctuates ? fluctuation : relative;
  if (!window->is_scored)
    return TRUE;
  if (window->is_last)
    report_conserved(slot, &sums.conserved, metrics);
  if (is_whole)
    report_whole(state, slot, &sums, metrics);
  if (is_whole && slot->place.calibration)
    report_calibration(state, slot, &sums.calibration, metrics);
  metrics[slot->place.fluctuation] = fluctuation;
  metrics[slot->place.relative] = relative;
  for (guint f = 0; f < slot->place.n_fields; f++)
    metrics[slot->place.fields + f] = sqrt(sums.scored.error[f] / sums.scored.whole[f]);
  if (s == 0) {
    metrics[LAC_METRIC_KEY] = fluctuates ? fluctuation : relative;
    metrics[LAC_METRIC_SECOND] = fluctuates ? relative : fluctuation;
  }
  return TRUE;
}

/* ---- both ---- */

/* Scores one method, against the truth or without it. */
static gboolean
score_slot(LacLaboratoryState *state,
           guint               s,
           const Window       *window,
           double             *metrics,
           GError            **error)
{
  const gboolean done = state->has_truth ? score_whole(state, s, window, metrics, error)
                                         : reliability_whole(state, s, window, metrics, error);
  if (done && window->is_scored && state->slots[s].place.held_out)
    report_left_out(state, &state->slots[s], window, metrics);
  return done && (!window->is_last ||
                  lac_laboratory_score_equation(state, &state->slots[s], metrics, error));
}

/* Scores the displayed observation; a method that has not reached it has no value. */
static gboolean
score_slot_now(LacLaboratoryState *state, guint s, double *metrics, GError **error)
{
  const LacFlowSlot *slot = &state->slots[s];

  if (slot->method->reached &&
      slot->method->reached(slot->self) <= lac_laboratory_time(state, state->scheduler.step))
    return TRUE;
  return state->has_truth ? score_now(state, &state->slots[s], metrics, error)
                          : reliability_now(state, &state->slots[s], metrics, error);
}

void
lac_laboratory_prepare_score(LacLaboratoryState *state, const LacEstimate *estimate)
{
  const LacTruth *grid = &state->grid;
  const gsize values = grid->nx * grid->ny * (grid->n_times - lac_laboratory_first_scored(state));
  const gsize n = state->scheduler.n * grid->n_fields * MIN(values, MOST_ON_THE_WAY);

  state->score_every = lac_evaluation_interval(
    lac_laboratory_common(state->laboratory, state->params)->score, state->scheduler.n_steps,
    estimate->seconds_per_step, SECONDS_A_VALUE * (double) n);
}

gboolean
lac_laboratory_score(LacLaboratoryState *state,
                     gboolean            is_last,
                     LacStepReport      *report,
                     GError            **error)
{
  const gint64   step = state->scheduler.step;
  const gboolean moved = step == 1 || lac_laboratory_n_assimilated(state, step) !=
                                        lac_laboratory_n_assimilated(state, step - 1);
  gboolean is_due = is_last || step == 1 || step % state->score_every == 0;
  Window   window = {0};
  LacSpan  span;

  if ((state->has_truth && !state->truth->observed) || (!is_due && !moved))
    return TRUE;
  span = lac_span_begin(state->context.lane, state->name_score);
  is_due = is_due && find_window(state, is_last, &window);
  for (guint s = 0; s < state->scheduler.n; s++) {
    if (lac_scheduler_has_failed(&state->scheduler, s))
      continue;
    if ((moved || is_last) && !lac_case_is_line(&state->subject) &&
        !score_slot_now(state, s, report->metrics, error))
      return FALSE;
    if (is_due && !score_slot(state, s, &window, report->metrics, error))
      return FALSE;
  }
  if (state->truth_error_place && is_due)
    report->metrics[state->truth_error_place] = state->truth->error;
  if (state->gain_place && is_due)
    report->metrics[state->gain_place] = state->gain;
  for (guint b = 0; b < LAC_N_BASELINES && is_due; b++)
    if (state->baseline_places[b])
      report->metrics[state->baseline_places[b]] = state->baselines.errors[b];
  lac_span_end(state->context.lane, span, state->scheduler.step);
  return TRUE;
}
