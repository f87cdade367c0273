/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of the flow laboratory, generated from the scenes, and their frames. */
#include "experiment/flow/laboratory/laboratory.h"

#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/own-measurements.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- frames ---- */

/* A frame has every displayed quantity of the truth and of every method, and the sensors. */

/* Returns the number of channels of one quantity: the truth unless withheld, the methods, the deviations. */
static gsize
count_channels(const LacLaboratoryState *state, const LacShown *shown)
{
  gsize n = state->has_truth;

  for (guint s = 0; s < state->scheduler.n; s++)
    n += (gsize) lac_laboratory_knows(&state->slots[s].knowledge, shown) +
         (gsize) lac_laboratory_has_deviation(&state->slots[s].knowledge, shown);
  return n;
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const LacLaboratoryState *state = data;
  LacShown                  shown[LAC_MAX_SHOWN];
  const guint               n_shown = lac_laboratory_shown(&state->subject, shown);
  const gboolean            is_line = lac_case_is_line(&state->subject);
  gsize                     n = 0;

  for (guint q = 0; q < n_shown; q++)
    n += count_channels(state, &shown[q]);
  for (gsize i = 0; i < n; i++) {
    sizes[i][0] = is_line ? state->truth->n_times : state->truth->nx;
    sizes[i][1] = is_line ? state->truth->nx : state->truth->ny;
  }
  lac_laboratory_shape_diagrams(state, sizes + n);
  *n_markers = is_line ? 0 : state->observations->n_stations;
}

/* Returns d field / d axis at a grid point: differences of order 6 on a period, of order 2 between walls, one-sided
 * at them. */
static double
derivative(const double *values, gsize i, gsize n, gsize stride, double cell, gboolean periodic)
{
#define AT(k) values[(k) *stride]
  if (periodic && n > 6) {
#define WRAP(k) AT((i + n + (gsize) (k)) % n)
    return (45 * (WRAP(1) - WRAP(-1)) - 9 * (WRAP(2) - WRAP(-2)) + (WRAP(3) - WRAP(-3))) /
           (60 * cell);
#undef WRAP
  }
  if (i == 0)
    return (AT(1) - AT(0)) / cell;
  if (i == n - 1)
    return (AT(n - 1) - AT(n - 2)) / cell;
  return (AT(i + 1) - AT(i - 1)) / (2 * cell);
#undef AT
}

static void
fill_vorticity(const LacTruth *truth, const double *field, float *data)
{
  const gsize  nx = truth->nx, ny = truth->ny, cells = nx * ny;
  const double dx = (truth->upper[0] - truth->lower[0]) / (double) (nx - 1);
  const double dy = (truth->upper[1] - truth->lower[1]) / (double) (ny - 1);

  for (gsize y = 0; y < ny; y++)
    for (gsize x = 0; x < nx; x++)
      data[y * nx + x] =
        (float) (derivative(field + cells + y * nx, x, nx, 1, dx, truth->periodic[0]) -
                 derivative(field + x, y, ny, nx, dy, truth->periodic[1]));
}

static void
fill_still(const LacTruth *truth, const LacShown *shown, const double *field, float *data)
{
  const gsize cells = truth->nx * truth->ny;

  if (shown->field == LAC_QUANTITY_VORTICITY)
    fill_vorticity(truth, field, data);
  else
    for (gsize i = 0; i < cells; i++)
      data[i] = shown->field < truth->n_fields ? (float) field[shown->field * cells + i] : NAN;
  for (gsize i = 0; truth->mask && i < cells; i++)
    if (!truth->mask[i])
      data[i] = NAN;
}

/* Returns the number of observations that a frame shows: in one dimension, all at once. */
static gsize
count_shown(const LacLaboratoryState *state)
{
  return lac_case_is_line(&state->subject) ? state->truth->n_times : 1;
}

/* Copies the requested estimate at @k. */
static void
copy_answer(LacLaboratoryState *state, const LacFlowSlot *slot, gsize k)
{
  const gsize   n = lac_truth_get_length(state->truth), n_shown = count_shown(state);
  const double *field = slot->answers + (n_shown > 1 ? k * n : 0);

  memcpy(state->field, field, n * sizeof *field);
  if (slot->knowledge.deviates)
    memcpy(state->deviation, field + n_shown * n, n * sizeof *field);
}

static gboolean
evaluate_slot(LacLaboratoryState *state, const LacFlowSlot *slot, gsize k)
{
  double *deviation = slot->knowledge.deviates ? state->deviation : NULL;

  if (lac_scheduler_has_failed(&state->scheduler, (guint) (slot - state->slots)))
    return FALSE;
  if (!slot->is_asked)
    return slot->method->field(slot->self, k, state->field, deviation, NULL);
  copy_answer(state, slot, k);
  return TRUE;
}

/* Fills the state's scratch arrays with the estimate of @slot at @k (from the time of the request, if there was
 * one); NaN if it has none. @slot: NULL: the truth. */
static void
fetch(LacLaboratoryState *state, const LacFlowSlot *slot, gsize k)
{
  const gsize   n = lac_truth_get_length(state->truth);
  const double *observed = lac_truth_at(state->truth, k);

  if (slot ? evaluate_slot(state, slot, k) : observed != NULL) {
    if (!slot)
      memcpy(state->field, observed, n * sizeof *observed);
    return;
  }
  for (gsize i = 0; i < n; i++)
    state->field[i] = state->deviation[i] = NAN;
}

/* Planes of one source: for each quantity its field, and its deviation if there is one. */
typedef struct {
  LacPlane *field[LAC_MAX_SHOWN], *deviation[LAC_MAX_SHOWN];
} SourcePlanes;

/* Fills a plane with all times of a one-dimensional field: column = time, row = position. */
static void
fill_lines(LacLaboratoryState *state,
           const LacFlowSlot  *slot,
           const LacShown     *shown,
           guint               n_shown,
           const SourcePlanes *planes)
{
  const LacTruth *truth = state->truth;

  for (gsize k = 0; k < truth->n_times; k++) {
    fetch(state, slot, k);
    for (guint q = 0; q < n_shown; q++)
      for (gsize x = 0; x < truth->nx; x++) {
        const gsize from = shown[q].field * truth->nx + x, to = x * truth->n_times + k;

        if (planes->field[q])
          planes->field[q]->data[to] = (float) state->field[from];
        if (planes->deviation[q])
          planes->deviation[q]->data[to] = (float) state->deviation[from];
      }
  }
}

static void
set_axes(const LacLaboratoryState *state, LacPlane *plane)
{
  const LacTruth *truth = state->truth;

  if (lac_case_is_line(&state->subject)) {
    plane->x_min = truth->times[0];
    plane->x_max = truth->times[truth->n_times - 1];
    plane->y_min = truth->lower[0];
    plane->y_max = truth->upper[0];
  } else {
    plane->x_min = truth->lower[0];
    plane->x_max = truth->upper[0];
    plane->y_min = truth->lower[1];
    plane->y_max = truth->upper[1];
  }
}

/* @plane: (nullable) */
static void
place_plane(const LacLaboratoryState *state, LacPlane *plane)
{
  if (!plane)
    return;
  set_axes(state, plane);
}

/* @source: 0: the truth, unless it is withheld; then the method slots. */
static void
find_planes(const LacLaboratoryState *state,
            guint                     source,
            const LacShown           *shown,
            guint                     n_shown,
            LacFrame                 *frame,
            SourcePlanes             *planes)
{
  LacPlane *first = frame->planes;

  for (guint q = 0; q < n_shown; q++) {
    const LacFlowSlot *slot = source ? &state->slots[source - 1] : NULL;
    gsize              values = state->has_truth, values_before = 0, deviations_before = 0;

    for (guint s = 0; s < state->scheduler.n; s++) {
      const gboolean knows = lac_laboratory_knows(&state->slots[s].knowledge, &shown[q]);

      values += (gsize) knows;
      if (s + 1 >= source)
        continue;
      values_before += (gsize) knows;
      deviations_before +=
        (gsize) lac_laboratory_has_deviation(&state->slots[s].knowledge, &shown[q]);
    }
    planes->field[q] = planes->deviation[q] = NULL;
    if (!slot)
      planes->field[q] = first;
    else if (lac_laboratory_knows(&slot->knowledge, &shown[q]))
      planes->field[q] = first + state->has_truth + values_before;
    if (slot && lac_laboratory_has_deviation(&slot->knowledge, &shown[q]))
      planes->deviation[q] = first + values + deviations_before;
    first += count_channels(state, &shown[q]);
  }
}

static void
fill_source(LacLaboratoryState *state,
            guint               source,
            const LacShown     *shown,
            guint               n_shown,
            LacFrame           *frame)
{
  const LacFlowSlot *slot = source ? &state->slots[source - 1] : NULL;
  SourcePlanes       planes;

  find_planes(state, source, shown, n_shown, frame, &planes);
  if (lac_case_is_line(&state->subject)) {
    fill_lines(state, slot, shown, n_shown, &planes);
  } else {
    fetch(state, slot, state->shown_time);
    for (guint q = 0; q < n_shown; q++) {
      if (planes.field[q])
        fill_still(state->truth, &shown[q], state->field, planes.field[q]->data);
      if (planes.deviation[q])
        fill_still(state->truth, &shown[q], state->deviation, planes.deviation[q]->data);
    }
  }
  for (guint q = 0; q < n_shown; q++) {
    place_plane(state, planes.field[q]);
    place_plane(state, planes.deviation[q]);
  }
}

/* Fills the planes of the sources whose estimates were requested, or of the others. */
static void
fill_sources(LacLaboratoryState *state, gboolean asked, LacFrame *frame)
{
  LacShown    shown[LAC_MAX_SHOWN];
  const guint n_shown = lac_laboratory_shown(&state->subject, shown);

  for (guint source = state->has_truth ? 0 : 1; source <= state->scheduler.n; source++)
    if ((source > 0 && state->slots[source - 1].is_asked) == asked)
      fill_source(state, source, shown, n_shown, frame);
}

static void
fill_markers(const LacLaboratoryState *state, LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_markers; i++)
    frame->markers[i] = (LacMarker){.x = state->observations->stations[2 * i],
                                    .y = state->observations->stations[2 * i + 1],
                                    .kind = g_intern_static_string("sensor")};
}

/* ---- frames that are completed while steps run ---- */

/* Returns: FALSE when no method takes requests. */
static gboolean
request_estimates(LacLaboratoryState *state)
{
  const gsize       n = count_shown(state), length = lac_truth_get_length(state->truth);
  g_autofree gsize *ks = g_new(gsize, n);
  gboolean          any = FALSE;

  for (gsize i = 0; i < n; i++)
    ks[i] = n > 1 ? i : state->shown_time;
  for (guint s = 0; s < state->scheduler.n; s++) {
    LacFlowSlot *slot = &state->slots[s];

    slot->is_asked =
      slot->method->request && slot->method->request(slot->self, ks, n, &slot->pending);
    if (slot->is_asked && !slot->answers)
      slot->answers = g_new(double, 2 * n * length);
    any = any || slot->is_asked;
  }
  return any;
}

static gboolean
frame_is_ready(gpointer owner, guint64 ticket)
{
  const LacLaboratoryState *state = owner;

  for (guint s = 0; s < state->scheduler.n; s++)
    if (!lac_pending_is_ready(&state->slots[s].pending))
      return FALSE;
  return TRUE;
}

/* A field that cannot be read back is shown as unknown. */
static gboolean
finish_frame(gpointer owner, guint64 ticket, gpointer frame, GError **error)
{
  LacLaboratoryState *state = owner;
  const gsize         n = count_shown(state) * lac_truth_get_length(state->truth);

  for (guint s = 0; s < state->scheduler.n; s++) {
    LacFlowSlot         *slot = &state->slots[s];
    const LacFieldValues to = {slot->answers, slot->knowledge.deviates ? slot->answers + n : NULL};

    if (!slot->is_asked || lac_pending_finish(&slot->pending, (gpointer) &to, NULL))
      continue;
    for (gsize i = 0; i < 2 * n; i++)
      slot->answers[i] = NAN;
  }
  fill_sources(state, TRUE, frame);
  for (guint s = 0; s < state->scheduler.n; s++)
    state->slots[s].is_asked = FALSE;
  return TRUE;
}

static void
snapshot(gpointer data, LacFrame *frame, LacPending *pending)
{
  static const LacPendingType type = {frame_is_ready, finish_frame};
  LacLaboratoryState         *state = data;

  state->shown_time = lac_laboratory_time(state, state->scheduler.step);
  if (pending && request_estimates(state))
    *pending = (LacPending){&type, state, 0};
  fill_sources(state, FALSE, frame);
  fill_markers(state, frame);
  lac_laboratory_fill_diagrams(state, frame);
}

static gsize
count_times(gconstpointer data)
{
  const LacLaboratoryState *state = data;

  return lac_case_is_line(&state->subject) || state->truth->n_times < 2 ? 0 : state->truth->n_times;
}

static double
snapshot_at(gpointer data, gsize k, LacFrame *frame)
{
  LacLaboratoryState *state = data;

  state->shown_time = k;
  fill_sources(state, FALSE, frame);
  fill_markers(state, frame);
  return state->truth->times[k];
}

/* ---- steps: the scheduler advances the methods, and each step is scored ---- */

static gboolean
step(gpointer data, LacStepReport *report, GError **error)
{
  LacLaboratoryState *state = data;

  if (!lac_scheduler_step(&state->scheduler, report, error))
    return FALSE;
  if (report->outcome == LAC_OUTCOME_DIVERGED)
    return TRUE;
  const gboolean is_last = report->outcome == LAC_OUTCOME_FINISHED;
  if (!lac_laboratory_test_held_out(state, is_last, error) ||
      !lac_laboratory_score(state, is_last, report, error))
    return FALSE;
  lac_scheduler_conclude(&state->scheduler, report);
  return TRUE;
}

static LacMeasurements *
readings(gconstpointer data)
{
  const LacLaboratoryState *state = data;

  if (!state->observations->n_sensors)
    return NULL;
  return lac_own_measurements_new(state->observations, &state->grid,
                                  lac_case_is_line(&state->subject) ? 1 : 2, state->subject.steady);
}

static gint64
n_steps(gconstpointer data)
{
  return ((const LacLaboratoryState *) data)->scheduler.n_steps;
}

static void
save(gpointer data, LacStore *store)
{
  lac_scheduler_save(&((LacLaboratoryState *) data)->scheduler, store);
  lac_laboratory_save_held_out(data, store);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  return lac_laboratory_load_held_out(data, store, error) &&
         lac_scheduler_load(&((LacLaboratoryState *) data)->scheduler, store, error);
}

static void
retune(gpointer data, gconstpointer params)
{
  LacLaboratoryState    *state = data;
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);

  lac_method_table_retune(&state->laboratory->methods, &state->scheduler, common->methods, params);
}

/* ---- experiments ---- */

/* Returns the numbers of one frame of a channel. */
static double
count_numbers(const LacCase *subject, const LacChannel *channel)
{
  if (channel->chart.n > 0)
    return (double) (channel->chart.n * lac_laboratory_count_points(channel));
  return (double) subject->n_points * (lac_case_is_line(subject) ? (double) subject->n_times : 1);
}

static void
estimate(const LacExperiment *self, gconstpointer params, LacEstimate *result)
{
  const LacLaboratory   *laboratory = self->data;
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  LacOutline             outline = {0};

  LacCase subject;
  gsize   n_measured = 0;

  *result = (LacEstimate){.n_steps = 1};
  lac_laboratory_configure(&subject, laboratory, params);
  while (lac_list_get(common->measured, (guint) n_measured) >= 0)
    n_measured++;
  if (laboratory->scene->estimate)
    laboratory->scene->estimate(&subject, &result->seconds_setup, &result->memory_bytes);
  for (guint i = 0; lac_list_get(common->methods, i) >= 0; i++) {
    const guint e = (guint) lac_list_get(common->methods, i);
    LacEstimate one = {0};

    lac_laboratory_method(laboratory, e)
      ->estimate(lac_laboratory_method_params(laboratory, e, params), &subject,
                 lac_laboratory_n_stations(common, &subject) * n_measured, &one);
    lac_estimate_add(result, &one);
  }
  lac_laboratory_outline(self, params, &outline);
  for (gsize c = 0; c < outline.n_channels; c++)
    result->frame_bytes += sizeof(float) * count_numbers(&subject, &outline.channels[c]);
  lac_outline_clear(&outline);
  lac_case_clear(&subject);
}

static gboolean
uses_device(const LacExperiment *self, gconstpointer params, GString *apart)
{
  const LacLaboratory   *laboratory = self->data;
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  gboolean               uses = FALSE;
  LacCase                subject;

  lac_laboratory_configure(&subject, laboratory, params);
  for (guint i = 0; lac_list_get(common->methods, i) >= 0; i++) {
    const LacFlowMethod *method =
      lac_laboratory_method(laboratory, (guint) lac_list_get(common->methods, i));
    const gboolean steps_on_host = method->forecasts && subject.solver && subject.solver->on_host;

    if (steps_on_host)
      lac_experiment_add_apart(apart, method->name);
    else
      uses = TRUE;
  }
  lac_case_clear(&subject);
  return uses;
}

static gboolean
is_double(const LacExperiment *self, gconstpointer params)
{
  const LacLaboratory *laboratory = self->data;
  const gint64         methods = lac_laboratory_common(laboratory, params)->methods;
  gboolean             all = TRUE;
  LacCase              subject;

  lac_laboratory_configure(&subject, laboratory, params);
  for (guint i = 0; lac_list_get(methods, i) >= 0; i++) {
    const LacFlowMethod *method =
      lac_laboratory_method(laboratory, (guint) lac_list_get(methods, i));

    all = all && (method->in_double ||
                  (method->forecasts && subject.solver && !subject.solver->has_single));
  }
  lac_case_clear(&subject);
  return all;
}

static const char *
find_family(const LacScene *scene, const LacLaboratory *laboratory)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&laboratory->table);
  const char         *family;
  LacCase             subject;

  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  if (lac_case_is_line(&subject))
    family = N_("Flow in one dimension");
  else
    family = subject.steady ? N_("Steady flow in the plane") : N_("Unsteady flow in the plane");
  lac_case_clear(&subject);
  return family;
}

static LacExperiment *
make_experiment(const LacScene *scene, const char *equation)
{
  LacExperiment      *experiment = g_new(LacExperiment, 1);
  LacLaboratory      *laboratory = lac_laboratory_compose(scene);
  const LacExperiment shape = {
    .name = scene->name,
    .title = scene->title,
    .laboratory = "flow",
    .summary = scene->summary,
    .source = scene->source,
    .caution = scene->caution,
    .equation = equation,
    .family = find_family(scene, laboratory),
    .precision = scene->precision,
    .is_default = scene->is_default,
    .data = laboratory,
    .params = laboratory->table,
    .outline = lac_laboratory_outline,
    .check = lac_laboratory_check,
    .agrees = lac_laboratory_agrees,
    .dup_given = lac_laboratory_dup_given,
    .estimate = estimate,
    .create = lac_laboratory_create,
    .destroy = lac_laboratory_destroy,
    .step = step,
    .n_steps = n_steps,
    .shapes = shapes,
    .snapshot = snapshot,
    .count_times = count_times,
    .snapshot_at = snapshot_at,
    .save = save,
    .load = load,
    .readings = readings,
    .uses_device = uses_device,
    .is_double = is_double,
    .retune = retune,
    .planning = lac_laboratory_fluctuates(scene) ? &lac_laboratory_planning : NULL,
  };

  memcpy(experiment, &shape, sizeof shape);
  lac_experiment_show_defaults(experiment);
  return experiment;
}

static gpointer
make_all(gpointer data G_GNUC_UNUSED)
{
  gsize                  n_scenes;
  const LacScene *const *scenes = lac_scenes(&n_scenes);
  const LacExperiment  **made = g_new0(const LacExperiment *, n_scenes + 1);

  for (gsize i = 0; i < n_scenes; i++)
    made[i] = make_experiment(scenes[i], NULL);
  return made;
}

const LacExperiment *const *
lac_laboratory_experiments(gsize *n_experiments)
{
  static GOnce once = G_ONCE_INIT;

  g_once(&once, make_all, NULL);
  lac_scenes(n_experiments);
  return once.retval;
}

/* ---- those that are in no list ---- */

G_LOCK_DEFINE_STATIC(added);
static GPtrArray *added;

const LacExperiment *
lac_laboratory_add(const LacScene *scene, const char *equation)
{
  LacExperiment *experiment = make_experiment(scene, g_strdup(equation));

  G_LOCK(added);
  if (!added)
    added = g_ptr_array_new();
  g_ptr_array_add(added, experiment);
  G_UNLOCK(added);
  return experiment;
}

const LacExperiment *
lac_laboratory_find_added(const char *name)
{
  const LacExperiment *found = NULL;

  G_LOCK(added);
  for (guint i = added ? added->len : 0; i > 0 && !found; i--) {
    const LacExperiment *one = g_ptr_array_index(added, i - 1);

    if (g_str_equal(one->name, name))
      found = one;
  }
  G_UNLOCK(added);
  return found;
}
