/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments of the flow laboratory, made from the scenes. */
#include "experiment/flow/laboratory/laboratory.h"

#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/laboratory/run.h"
#include "experiment/flow/sensors/places.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static gboolean
has_unknowns(const LacCase *subject)
{
  for (guint i = 0; i < subject->pde->n_coefficients; i++)
    if (subject->unknown[i])
      return TRUE;
  return FALSE;
}

/* How many places are measured, and whether there are any where nothing goes without. */
static gboolean
check_sensors(const LacCommonParams *common, const LacCase *subject, GError **error)
{
  if (common->measurements)
    return TRUE; /* they say themselves how many there are and where */
  if (common->sensor_positions) {
    gsize              n;
    g_autofree double *places =
      lac_places_parse(common->sensor_positions, lac_case_is_line(subject) ? 1 : 2, &n, error);

    if (!places)
      return FALSE;
  } else if ((gsize) common->sensors > subject->n_points) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "sensors = %" G_GINT64_FORMAT " is more than the %" G_GSIZE_FORMAT
                " points of the grid",
                common->sensors, subject->n_points);
    return FALSE;
  }
  if (lac_laboratory_n_stations(common, subject) > 0)
    return TRUE;
  if (has_unknowns(subject)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "unknown coefficients are found from measurements and sensors = 0; it takes 1 or "
                "more");
    return FALSE;
  }
  if (!lac_laboratory_has_truth(common)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "judge_by = sensors needs some and sensors = 0; it takes 1 or more");
    return FALSE;
  }
  return TRUE;
}

/* Where nobody knows the truth. */
static gboolean
check_open(const LacCommonParams *common, GError **error)
{
  if (!common->measurements) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "nothing says what this equation's solution is: set measurements to a file of "
                "your own, or give the equation an exact solution");
    return FALSE;
  }
  if (lac_laboratory_has_truth(common)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "judge_by = truth needs one, and this equation has no exact solution; judge_by "
                "takes auto or sensors");
    return FALSE;
  }
  return TRUE;
}

/* What the engines that are named demand of the rest. */
static gboolean
check_engines(const LacLaboratory *laboratory,
              gconstpointer        params,
              const LacCase       *subject,
              GError             **error)
{
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);

  if (!check_sensors(common, subject, error) ||
      (laboratory->scene->is_open && !check_open(common, error)))
    return FALSE;
  for (guint i = 0; lac_list_get(common->engines, i) >= 0; i++) {
    const guint      e = (guint) lac_list_get(common->engines, i);
    const LacEngine *engine = laboratory->engines[e];

    if (engine->needs_sensors && !common->measurements &&
        lac_laboratory_n_stations(common, subject) == 0) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "engines = %s needs measurements and sensors = 0; it takes 1 or more",
                  engine->name);
      return FALSE;
    }
    if (engine->check &&
        !engine->check(lac_laboratory_engine_params(laboratory, e, params), subject, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check(const LacExperiment *self, gconstpointer params, GError **error)
{
  const LacLaboratory *laboratory = self->data;
  LacCase              subject;
  gboolean             is_right;

  if (laboratory->scene->check && !laboratory->scene->check(params, error))
    return FALSE;
  lac_case_configure(&subject, laboratory->scene, params);
  is_right = check_engines(laboratory, params, &subject, error);
  lac_case_clear(&subject);
  return is_right;
}

static void
estimate(const LacExperiment *self, gconstpointer params, LacEstimate *result)
{
  const LacLaboratory   *laboratory = self->data;
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  LacOutline             outline = {0};

  LacCase subject;
  double  seconds = 0;
  gsize   n_measured = 0;

  *result = (LacEstimate){.n_steps = 1};
  lac_case_configure(&subject, laboratory->scene, params);
  while (lac_list_get(common->measured, (guint) n_measured) >= 0)
    n_measured++;
  if (laboratory->scene->estimate)
    laboratory->scene->estimate(&subject, &result->seconds_setup, &result->memory_bytes);
  for (guint i = 0; lac_list_get(common->engines, i) >= 0; i++) {
    const guint e = (guint) lac_list_get(common->engines, i);
    LacEstimate one = {0};

    laboratory->engines[e]->estimate(lac_laboratory_engine_params(laboratory, e, params), &subject,
                                     lac_laboratory_n_stations(common, &subject) * n_measured,
                                     &one);
    result->memory_bytes += one.memory_bytes;
    result->seconds_setup += one.seconds_setup;
    result->n_steps = MAX(result->n_steps, one.n_steps);
    seconds += one.seconds_per_step * (double) one.n_steps;
  }
  result->seconds_per_step = seconds / (double) result->n_steps;
  lac_laboratory_outline(self, params, &outline);
  result->frame_bytes = (double) outline.n_channels * sizeof(float) * (double) subject.n_points *
                        (lac_case_is_line(&subject) ? (double) subject.n_times : 1);

  lac_outline_clear(&outline);
  lac_case_clear(&subject);
}

static gboolean
uses_device(const LacExperiment *self, gconstpointer params, GString *apart)
{
  const LacLaboratory   *laboratory = self->data;
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  gboolean               uses = FALSE;

  for (guint i = 0; lac_list_get(common->engines, i) >= 0; i++) {
    const LacEngine *engine = laboratory->engines[lac_list_get(common->engines, i)];

    if (engine->processor_only)
      lac_experiment_add_apart(apart, engine->name);
    uses = uses || !engine->processor_only;
  }
  return uses;
}

static const char *
find_family(const LacScene *scene, const LacLaboratory *laboratory)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&laboratory->table);
  const char         *family;
  LacCase             subject;

  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  if (lac_case_is_line(&subject))
    family = N_("Flow on a line");
  else
    family = subject.steady ? N_("Steady flow in the plane") : N_("Flow in the plane, in time");
  lac_case_clear(&subject);
  return family;
}

static LacExperiment *
make_experiment(const LacScene *scene)
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
    .family = find_family(scene, laboratory),
    .precision = scene->precision,
    .is_default = scene->is_default,
    .data = laboratory,
    .params = laboratory->table,
    .outline = lac_laboratory_outline,
    .check = check,
    .estimate = estimate,
    .create = lac_laboratory_create,
    .destroy = lac_laboratory_destroy,
    .step = lac_laboratory_step,
    .n_steps = lac_laboratory_n_steps,
    .settle = lac_laboratory_settle,
    .shapes = lac_laboratory_shapes,
    .snapshot = lac_laboratory_snapshot,
    .snapshot_begin = lac_laboratory_snapshot_begin,
    .snapshot_is_here = lac_laboratory_snapshot_is_here,
    .snapshot_finish = lac_laboratory_snapshot_finish,
    .save = lac_laboratory_save,
    .load = lac_laboratory_load,
    .readings = lac_laboratory_readings,
    .uses_device = uses_device,
    .retune = lac_laboratory_retune,
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
    made[i] = make_experiment(scenes[i]);
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
lac_laboratory_add(const LacScene *scene)
{
  LacExperiment *experiment = make_experiment(scene);

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
