/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameter table of one scene: rows of the scene, common rows, rows of each offered method; the checks between
 * them, and whether a data file belongs to the scene. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/positions.h"
#include "experiment/flow/sensors/synthetic.h"
#include "experiment/flow/truth/grid-file.h"
#include "experiment/param-rows.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define START "start" /* key of the row */

static const char *const scores[] = {[LAC_REFERENCE_AUTO] = "auto",
                                     [LAC_REFERENCE_TRUTH] = "truth",
                                     [LAC_REFERENCE_SENSORS] = "sensors",
                                     NULL};
static const char *const score_titles[] = {[LAC_REFERENCE_AUTO] = N_("Automatic"),
                                           [LAC_REFERENCE_TRUTH] = N_("Truth"),
                                           [LAC_REFERENCE_SENSORS] = N_("Sensors")};

static const char *const starts[] = {[LAC_START_SCENE] = "scene",
                                     [LAC_START_CLIMATOLOGY] = "climatology",
                                     [LAC_START_LAST] = "last",
                                     [LAC_START_EXACT] = "exact",
                                     NULL};
static const char *const start_titles[] = {[LAC_START_SCENE] = N_("As in the scene"),
                                           [LAC_START_CLIMATOLOGY] = N_("Climatology"),
                                           [LAC_START_LAST] = N_("Last snapshot"),
                                           [LAC_START_EXACT] = N_("True state")};

static const char *const pod_methods[] =
  {[LAC_POD_SNAPSHOTS] = "snapshots", [LAC_POD_RANDOMISED] = "randomised", NULL};
static const char *const pod_method_titles[] =
  {[LAC_POD_SNAPSHOTS] = N_("Method of snapshots"), [LAC_POD_RANDOMISED] = N_("Randomised")};

/* clang-format off */
static const LacParam common_rows[] = {
  {"engines", G_STRUCT_OFFSET(LacCommonParams, methods), LAC_PARAM_LIST, "1", 0, 0, 0, N_("Methods"), N_("Methods"), N_("Methods run on the same sensors; the first one gives the result")},
  {LAC_FIELD(LacCommonParams, sensors), LAC_PARAM_INTEGER, "1", 0, 4096, 8, N_("Sensors K"), N_("Sensors"), N_("Number of sensor positions")},
  {LAC_FIELD(LacCommonParams, placement), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Placement"), N_("Sensors"), N_("Placement method; pivoted QR uses the POD modes, random positions are the baseline")},
  {LAC_FIELD(LacCommonParams, sensor_positions), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Manual positions"), N_("Sensors"), N_("x y; x y; ... in the scene's unit of length; overrides number and placement"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, sensor_regions), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Forbidden regions and costs"), N_("Sensors"), N_("x y radius cost; ... for the placement; cost: never, or a percentage of the gain of the first sensor; later ones override earlier ones"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, minimum_distance), LAC_PARAM_REAL, "1", 0, 1e6, 0, N_("Minimum distance"), N_("Sensors"), N_("Minimum distance between sensors, in the scene's unit of length"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, measured), LAC_PARAM_LIST, "1", 0, 0, 0, N_("Measured quantities"), N_("Sensors"), N_("Quantities measured by every sensor")},
  {LAC_FIELD(LacCommonParams, noise), LAC_PARAM_REAL, "%", 0, 100, 1, N_("Noise"), N_("Sensors"), N_("Standard deviation of the noise, relative to the measured quantity's RMS fluctuation"), .zero = N_("No noise"), .some = N_("Relative"), .typical = 1},
  {LAC_FIELD(LacCommonParams, dropout), LAC_PARAM_REAL, "%", 0, 99, 0, N_("Drop-out"), N_("Sensors"), N_("Fraction of missing measurements"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, every), LAC_PARAM_INTEGER, "1", 1, 1000, 1, N_("Measurement interval"), N_("Sensors"), N_("N: the sensors are read at every Nth observation time"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, held_out_turn), LAC_PARAM_INTEGER, "1", 0, 10000, 0, N_("Sensors held out in turn"), N_("Sensors"), N_("Number of observations for which no method sees each position in turn; its readings in the second half of a turn test estimates and error bars"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("None")},
  {LAC_FIELD(LacCommonParams, measurements), LAC_PARAM_FILE, "1", 0, 0, 0, N_("User measurements"), N_("Sensors"), N_("CSV with x, y, t, quantity, value, sigma, or FILE#x=NAME,u=NAME with your column names; or arrays X, t, U of a MAT, HDF5 or NPZ file; replaces the synthetic sensors"), .file_type = "measurements"},
  {LAC_FIELD(LacCommonParams, true_field), LAC_PARAM_FILE, "1", 0, 0, 0, N_("True field from a file"), N_("Scene"), N_("MAT, HDF5, NPZ or NPY over t, x and y in the scene's units, all fields of the scene by their names; replaces the observed part of the truth"), LAC_PARAM_LATER, .file_type = "solution"},
  {LAC_FIELD(LacCommonParams, start), LAC_PARAM_CHOICE, "1", 0, 0, LAC_START_SCENE, N_("Known at the start"), N_("Methods"), N_("State given to forecasting methods: that of the scene; none but the training part (climatology); a forecast from its last snapshot; the true state"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .choices = starts, .titles = start_titles},
  {LAC_FIELD(LacCommonParams, modes), LAC_PARAM_INTEGER, "1", 0, 2000, 0, N_("Modes"), N_("Sensors"), N_("Number of POD modes (0: automatic, at least twice the number of sensors)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, modes_by), LAC_PARAM_CHOICE, "1", 0, 0, LAC_POD_SNAPSHOTS, N_("POD by"), N_("Sensors"), N_("Method of snapshots: exact; randomised: a random subspace with two power iterations, for many snapshots"), LAC_PARAM_ADVANCED, .choices = pod_methods, .titles = pod_method_titles},
  {"judge_by", G_STRUCT_OFFSET(LacCommonParams, score_by), LAC_PARAM_CHOICE, "1", 0, 0, LAC_REFERENCE_AUTO, N_("Evaluate against"), N_("Methods"), N_("Sensors: reliability without a truth; automatic: the truth, unless you provide measurements"), LAC_PARAM_ADVANCED, .choices = scores, .titles = score_titles},
  {"judge", G_STRUCT_OFFSET(LacCommonParams, score), LAC_PARAM_INTEGER, "1", 0, 100000, 0, N_("Evaluate every"), N_("Methods"), N_("Steps between evaluations; 0: 12 to 100 per run, if possible in a twentieth of its time; the first and the last step are always evaluated"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacCommonParams, budgets), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Monitor conservation"), N_("Methods"), N_("Curves of the mass, momentum, energy and enstrophy of each estimate"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacCommonParams, equation_residual), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Residual of the equation"), N_("Methods"), N_("Relative L2 norm of what each final estimate leaves of the equation, by differences on the grid"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacCommonParams, whole_window), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Whole window and baselines"), N_("Methods"), N_("Errors over all observation times, and the skill over what is known without the method"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacCommonParams, reliability_diagram), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Reliability diagram"), N_("Methods"), N_("Chart of the share of the errors within the interval for each probability, at the end of a run"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacCommonParams, band_coverage), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Coverage of error bars"), N_("Methods"), N_("Share of the errors within each method's 50, 90 and 95 % bands, and the ranked probability score"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

static void
find_methods(LacLaboratory *laboratory)
{
  g_auto(GStrv)               names = g_strsplit(laboratory->scene->offered, ",", -1);
  gsize                       n_methods;
  const LacFlowMethod *const *methods = lac_flow_methods(&n_methods);

  for (guint i = 0; names[i]; i++)
    for (gsize e = 0; e < n_methods; e++)
      if (g_str_equal(methods[e]->name, names[i]))
        lac_method_table_add(&laboratory->methods, &methods[e]->scheduled);
  g_assert(laboratory->methods.n > 0 && laboratory->methods.n <= LAC_LABORATORY_MAX_METHODS);
}

/* Returns TRUE where the scene has its own true field from a file. */
static gboolean
takes_no_field(const LacLaboratory *laboratory)
{
  const LacParamTable *own = &laboratory->scene->params;

  for (gsize r = 0; r < own->n_rows; r++)
    if (own->rows[r].kind == LAC_PARAM_FILE)
      return TRUE;
  return FALSE;
}

static gboolean
forecasts(const LacLaboratory *laboratory)
{
  for (guint e = 0; e < laboratory->methods.n; e++)
    if (lac_laboratory_method(laboratory, e)->forecasts)
      return TRUE;
  return FALSE;
}

/* Removes common rows that do not apply to the scene. */
static void
remove_rows(GArray *rows, const LacLaboratory *laboratory)
{
  for (guint r = rows->len; r-- > 0;) {
    const char *key = g_array_index(rows, LacParam, r).key;

    if ((g_str_equal(key, LAC_TRUE_FIELD) && takes_no_field(laboratory)) ||
        (g_str_equal(key, START) && !forecasts(laboratory)))
      g_array_remove_index(rows, r);
  }
}

LacLaboratory *
lac_laboratory_compose(const LacScene *scene)
{
  LacLaboratory      *laboratory = g_new0(LacLaboratory, 1);
  GArray             *rows = g_array_new(FALSE, FALSE, sizeof(LacParam));
  g_auto(GStrv)       fields = g_strsplit(scene->fields, ",", -1);
  const LacParamTable common = {common_rows, G_N_ELEMENTS(common_rows), sizeof(LacCommonParams)};
  gsize               size;

  laboratory->scene = scene;
  find_methods(laboratory);
  for (guint i = 0; fields[i]; i++)
    laboratory->field_names[i] = g_intern_string(fields[i]);
  laboratory->common = lac_rows_append(rows, &scene->params, 0);
  size = lac_rows_append(rows, &common, laboratory->common);
  remove_rows(rows, laboratory);
  size = lac_method_table_append_rows(&laboratory->methods, rows, size, "engines");
  lac_rows_find(rows, "measured")->choices = laboratory->field_names;
  lac_rows_find(rows, "placement")->choices = lac_synthetic_placements();
  lac_rows_find(rows, "placement")->titles = lac_synthetic_placement_titles();
  lac_row_set_fallback(lac_rows_find(rows, "placement"), "qr");
  lac_row_set_fallback(lac_rows_find(rows, "engines"), scene->methods);
  lac_row_set_fallback(lac_rows_find(rows, "measured"), scene->measured);
  for (const LacDefault *fallback = scene->defaults; fallback && fallback->key; fallback++) {
    LacParam *row = lac_rows_find(rows, fallback->key);

    if (row) /* a method that is not offered has no rows here */
      lac_row_set_fallback(row, fallback->text);
  }
  laboratory->table.n_rows = rows->len;
  laboratory->table.rows = (LacParam *) (gpointer) g_array_free(rows, FALSE);
  laboratory->table.size = size;
  return laboratory;
}

void
lac_case_configure(LacCase *subject, const LacScene *scene, gconstpointer params)
{
  *subject = (LacCase){.params = params, .data = scene->data};
  for (guint i = 0; i < LAC_SOLVER_MAX_PARAMETERS; i++)
    subject->parameter_coefficient[i] = -1;
  subject->n_fields = 1;
  for (const char *c = scene->fields; *c; c++)
    subject->n_fields += *c == ',';
  scene->configure(params, subject);
}

static void
copy_start(const LacCase *subject, double *state)
{
  memcpy(state, subject->start, subject->n_start * sizeof *state);
}

gboolean
lac_laboratory_gives_start(const LacCase *subject)
{
  return subject->initial == copy_start;
}

void
lac_laboratory_configure(LacCase *subject, const LacLaboratory *laboratory, gconstpointer params)
{
  const LacStart start = (LacStart) lac_laboratory_common(laboratory, params)->start;

  lac_case_configure(subject, laboratory->scene, params);
  if (start == LAC_START_CLIMATOLOGY)
    subject->initial = NULL;
  else if (start == LAC_START_LAST || (start == LAC_START_EXACT && !subject->initial))
    subject->initial = copy_start;
  if (start != LAC_START_SCENE)
    subject->sought = 0;
}

gboolean
lac_laboratory_has_truth(const LacCommonParams *common)
{
  return common->score_by == LAC_REFERENCE_TRUTH ||
         (common->score_by == LAC_REFERENCE_AUTO && !common->measurements);
}

gsize
lac_laboratory_n_stations(const LacCommonParams *common, const LacCase *subject)
{
  gsize              n = (gsize) common->sensors;
  g_autofree double *places =
    common->sensor_positions
      ? lac_positions_parse(common->sensor_positions, lac_case_is_line(subject) ? 1 : 2, &n, NULL)
      : NULL;

  return n;
}

/* ---- what has to hold between the parameters ---- */

static gboolean
has_unknowns(const LacCase *subject)
{
  for (guint i = 0; i < subject->pde->n_coefficients; i++)
    if (subject->unknown[i])
      return TRUE;
  return FALSE;
}

/* Checks the number of sensor positions; some methods need at least one. */
static gboolean
check_sensors(const LacCommonParams *common, const LacCase *subject, GError **error)
{
  if (common->measurements)
    return TRUE; /* measurements define their number and positions */
  if (common->sensor_regions) {
    gsize                 n;
    g_autofree LacRegion *regions =
      lac_regions_parse(common->sensor_regions, lac_case_is_line(subject) ? 1 : 2, &n, error);

    if (!regions)
      return FALSE;
  }
  if (common->sensor_positions) {
    gsize              n;
    g_autofree double *places =
      lac_positions_parse(common->sensor_positions, lac_case_is_line(subject) ? 1 : 2, &n, error);

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
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "unknown coefficients are found from measurements, but sensors = 0; set it to 1 or more");
    return FALSE;
  }
  if (!lac_laboratory_has_truth(common)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "judge_by = sensors needs some sensors, but sensors = 0; set it to 1 or more");
    return FALSE;
  }
  return TRUE;
}

/* Checks a case without a known solution: it needs measurements. */
static gboolean
check_open(const LacCommonParams *common, GError **error)
{
  if (common->true_field)
    return TRUE;
  if (!common->measurements) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the solution of this equation is unknown: set measurements or true_field to a "
                "file, or give the equation an exact solution");
    return FALSE;
  }
  if (lac_laboratory_has_truth(common)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "judge_by = truth is not possible: this equation has no exact solution; set "
                "judge_by to auto or sensors");
    return FALSE;
  }
  return TRUE;
}

/* Checks that the chosen methods can work with the other parameters. */
static gboolean
check_start(const LacLaboratory *laboratory, gconstpointer params, GError **error)
{
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  const gboolean         is_last = common->start == LAC_START_LAST;
  const gboolean         is_exact = common->start == LAC_START_EXACT;
  LacCase                subject;

  lac_case_configure(&subject, laboratory->scene, params);
  const gboolean has_own = subject.initial != NULL;
  const gboolean leads_up = !has_own && !subject.exact && subject.simulation.n_family == 0;
  const gboolean has_state = subject.solver && subject.solver->n_fields <= subject.n_fields;
  lac_case_clear(&subject);
  if (is_last && !(leads_up && has_state))
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "start = last needs training snapshots of the same flow that lead up to the "
                "observations, which this scene does not have; use climatology or exact");
  else if (is_exact && !has_own && !(has_state && lac_laboratory_has_truth(common)))
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "start = exact needs the true field with everything that the solver integrates; use "
      "climatology or last");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_methods(const LacLaboratory *laboratory,
              gconstpointer        params,
              const LacCase       *subject,
              GError             **error)
{
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);

  if (!check_sensors(common, subject, error) ||
      (laboratory->scene->is_open && !check_open(common, error)))
    return FALSE;
  if (subject->steady && common->held_out_turn > 0)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "held_out_turn = %" G_GINT64_FORMAT
                      " needs several observation times, but this flow is steady; use 0",
                      common->held_out_turn);
  for (guint i = 0; lac_list_get(common->methods, i) >= 0; i++) {
    const guint          e = (guint) lac_list_get(common->methods, i);
    const LacFlowMethod *method = lac_laboratory_method(laboratory, e);

    if (method->needs_sensors && !common->measurements &&
        lac_laboratory_n_stations(common, subject) == 0) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "engines = %s needs measurements, but sensors = 0; set it to 1 or more",
                  method->name);
      return FALSE;
    }
    if (method->check &&
        !method->check(lac_laboratory_method_params(laboratory, e, params), subject, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_laboratory_check(const LacExperiment *self, gconstpointer params, GError **error)
{
  const LacLaboratory *laboratory = self->data;
  LacCase              subject;
  gboolean             is_right;

  if (laboratory->scene->check && !laboratory->scene->check(params, error))
    return FALSE;
  if (!check_start(laboratory, params, error))
    return FALSE;
  lac_laboratory_configure(&subject, laboratory, params);
  is_right = check_methods(laboratory, params, &subject, error);
  lac_case_clear(&subject);
  return is_right;
}

/* ---- what the methods are given of the truth ---- */

static gboolean
is_given_training(const LacLaboratory *laboratory, const LacCommonParams *common)
{
  for (guint i = 0; lac_list_get(common->methods, i) >= 0; i++) {
    const LacFlowMethod *method =
      lac_laboratory_method(laboratory, (guint) lac_list_get(common->methods, i));

    if (method->forecasts || method->needs_training)
      return TRUE;
  }
  return FALSE;
}

char *
lac_laboratory_dup_given(const LacExperiment *self, gconstpointer params)
{
  const LacLaboratory   *laboratory = self->data;
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  const char            *given = NULL;
  LacCase                subject;

  if (!is_given_training(laboratory, common))
    return NULL;
  lac_laboratory_configure(&subject, laboratory, params);
  if (common->start == LAC_START_LAST)
    given = N_("The methods are given a forecast from the last earlier snapshot of the same flow.");
  else if (subject.initial && !subject.sought)
    given = N_("The methods are given the exact initial state.");
  else if (subject.initial)
    given = N_("The methods are given the exact initial state of the fields that they do not "
               "estimate.");
  else if (subject.exact || subject.simulation.n_family > 0)
    given = N_("The methods are given solutions with other coefficients.");
  else
    given = N_("The methods are given earlier snapshots of the same flow.");
  lac_case_clear(&subject);
  return g_strdup(_(given));
}

/* ---- data files ---- */

#define SLACK 1e-6 /* of the domain's length */

/* Checks that the sensors lie in the domain. Along a periodic axis, every position has its place. */
static gboolean
check_positions(const LacCase *subject, const LacMeasurements *measurements, GError **error)
{
  const guint first = lac_case_first_axis(subject);

  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *row = &measurements->rows[i];
    const double          place[] = {row->x, row->y};

    for (guint axis = first; axis < MIN(subject->pde->n_axes, first + 2); axis++) {
      const double low = subject->lower[axis], high = subject->upper[axis];
      const double at = place[axis - first], slack = SLACK * (high - low);

      if (subject->periodic[axis] || (at >= low - slack && at <= high + slack))
        continue;
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "measurements at %s = %g lie outside the domain of this scene, from %g to %g",
                  subject->pde->axes[axis], at, low, high);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
lac_laboratory_agrees(const LacExperiment   *self,
                      gconstpointer          params,
                      const LacParam        *row,
                      const LacGridField    *field,
                      const LacMeasurements *measurements,
                      GError               **error)
{
  const LacScene *scene = ((const LacLaboratory *) self->data)->scene;
  const gboolean  is_truth = lac_param_find(&scene->params, row->key) != NULL;
  gboolean        agrees = TRUE;
  LacCase         subject;

  lac_case_configure(&subject, scene, params);
  if (g_str_equal(row->key, LAC_TRUE_FIELD))
    agrees =
      lac_grid_file_spans(&subject, field, error) && lac_grid_file_agrees(&subject, field, error);
  else if (is_truth)
    agrees = !scene->agrees || scene->agrees(params, &subject, field, measurements, error);
  else if (measurements)
    agrees = check_positions(&subject, measurements, error);
  lac_case_clear(&subject);
  return agrees;
}
