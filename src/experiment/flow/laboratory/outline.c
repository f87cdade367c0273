/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channels and metrics of a run, from the scene and the selected methods. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static const char *
intern(const char *first, const char *second)
{
  g_autofree char *text = g_strdup_printf("%s.%s", first, second);

  return g_intern_string(text);
}

/* @method: NULL: the truth; role OTHER: the standard deviation given by the method. */
static void
add_channel(GArray              *channels,
            const LacCase       *subject,
            const LacShown      *shown,
            const LacFlowMethod *method,
            LacRole              role)
{
  const gboolean in_time = lac_case_is_line(subject);
  const guint    first = lac_case_first_axis(subject);
  const char    *key = intern(shown->key, method ? method->name : "truth");
  LacChannel     channel = {
        .key = role == LAC_ROLE_OTHER ? intern(key, "deviation") : key,
        .label = method ? method->title : N_("Truth"),
        .unit = "1",
        .quantity = shown->key,
        .role = role,
        .colour_map = role == LAC_ROLE_OTHER ? "ember" : "balance",
        .axis_x = in_time ? "t" : "x",
        .axis_y = in_time ? "x" : "y",
        .axis_unit_x = "1",
        .axis_unit_y = "1",
        .periodic = !in_time && subject->periodic[first] && subject->periodic[first + 1],
  };

  g_array_append_val(channels, channel);
}

/* Adds a relative error; @placing: (nullable) */
static void
add_metric(GArray                 *metrics,
           const char             *key,
           const char             *label,
           gboolean                is_result,
           const LacMetricPlacing *placing)
{
  LacMetric metric = {
    .key = key, .label = label, .unit = "1", .log_axis = TRUE, .is_result = is_result};

  if (placing)
    metric.placing = *placing;
  g_array_append_val(metrics, metric);
}

static const LacMetricPlacing fraction = {.is_fraction = TRUE};

static gsize
add_share(GArray *metrics, const char *key, const char *label, gboolean is_result)
{
  const LacMetric metric = {.key = key,
                            .label = label,
                            .unit = "1",
                            .is_result = is_result,
                            .placing = {.is_fraction = TRUE}};
  g_array_append_val(metrics, metric);
  return metrics->len - 1;
}

/* Returns the placing of the error over the scored observations, which have numbers only where some are left out. */
static LacMetricPlacing
mean_placing(const LacCase *subject)
{
  LacMetricPlacing placing = {LAC_COLUMN_MEAN, LAC_RANK_LEAST, .is_fraction = TRUE};

  if (subject->scored_from > 0) {
    placing.window_first = (guint) lac_laboratory_find_scored(subject, subject->n_times) + 1;
    placing.window_last = (guint) subject->n_times;
  }
  return placing;
}

static gsize
add_curves(GArray              *metrics,
           const LacLaboratory *laboratory,
           guint                e,
           gconstpointer        params,
           const LacCase       *subject)
{
  const LacFlowMethod *method = lac_laboratory_method(laboratory, e);
  const gboolean has_truth = lac_laboratory_has_truth(lac_laboratory_common(laboratory, params));
  LacCurve       curves[LAC_SCHEDULER_MAX_CURVES];
  const gsize    n =
    method->curves(lac_laboratory_method_params(laboratory, e, params), subject, curves);

  for (gsize i = 0; i < n && !has_truth; i++)
    if (curves[i].is_result) /* there is no true value to compare it with */
      curves[i].reference = NAN;
  lac_method_table_add_curves(metrics, method->name, curves, n);
  return n;
}

/* Returns the label of the error over the scored observations, with the mean removed or not. */
static const char *
label_error(const LacCase *subject, gboolean is_removed)
{
  if (subject->scored_from > 0)
    return is_removed ? N_("Relative error, last observations (mean removed)")
                      : N_("Relative error, last observations");
  return is_removed ? N_("Relative error (mean removed)") : N_("Relative error");
}

/* Adds the errors against the truth. */
static void
add_errors(GArray              *metrics,
           const LacLaboratory *laboratory,
           const LacFlowMethod *method,
           const LacCase       *subject,
           const LacKnowledge  *knowledge,
           LacMetricPlace      *place)
{
  static const LacMetricPlacing now = {
    .column = LAC_COLUMN_NOW, .rank = LAC_RANK_LEAST, .is_fraction = TRUE};
  const LacMetricPlacing mean = mean_placing(subject);
  const gboolean         fluctuates = lac_laboratory_fluctuates(laboratory->scene);

  place->error = metrics->len;
  add_metric(metrics, intern(method->name, "error"), method->title, FALSE, &now);
  place->fluctuation = metrics->len;
  add_metric(metrics, intern(method->name, "fluctuation_relative_l2"), label_error(subject, TRUE),
             TRUE, fluctuates ? &mean : &fraction);
  place->relative = metrics->len;
  add_metric(metrics, intern(method->name, "relative_l2"), label_error(subject, FALSE), TRUE,
             fluctuates ? &fraction : &mean);
  if (laboratory->field_names[1]) {
    place->fields = metrics->len;
    place->n_fields = knowledge->n_fields;
    for (guint f = 0; f < knowledge->n_fields; f++) {
      g_autofree char *name = g_strdup_printf("%s_relative_l2", laboratory->field_names[f]);

      add_metric(metrics, intern(method->name, name), laboratory->field_names[f], TRUE, &fraction);
    }
  }
}

/* clang-format off */
static const struct {
  const char *key, *label;
  gboolean    is_fraction_of_one; /* not an error */
} wholes[LAC_N_WHOLE] = {
  [LAC_WHOLE_FLUCTUATION] = {"whole_fluctuation_relative_l2", N_("Whole window (mean removed)"), FALSE},
  [LAC_LAST_THIRD_FLUCTUATION] = {"last_third_fluctuation_relative_l2", N_("Last third (mean removed)"), FALSE},
  [LAC_WHOLE_WINDOW] = {"whole_window_relative_l2", N_("Whole window (mean of the window removed)"), FALSE},
  [LAC_LAST_THIRD_WINDOW] = {"last_third_window_relative_l2", N_("Last third (mean of the window removed)"), FALSE},
  [LAC_SKILL] = {"skill", N_("Skill over the best baseline"), TRUE},
};
/* clang-format on */

static void
add_whole(GArray *metrics, const LacFlowMethod *method, LacMetricPlace *place)
{
  place->whole = metrics->len;
  for (guint i = 0; i < LAC_N_WHOLE; i++)
    if (wholes[i].is_fraction_of_one)
      add_share(metrics, intern(method->name, wholes[i].key), wholes[i].label, TRUE);
    else
      add_metric(metrics, intern(method->name, wholes[i].key), wholes[i].label, TRUE, &fraction);
}

/* clang-format off */
/* How well the method's standard deviations describe its errors, and those at sensors held out in turn. */
static const struct {
  const char *key, *label, *held_out_key, *held_out_label;
} bands[LAC_N_BANDS] = {
  [LAC_BAND_50] = {"within_50", N_("Errors within the 50 % band"), "held_out_within_50", N_("Held-out readings within the 50 % band")},
  [LAC_BAND_90] = {"within_90", N_("Errors within the 90 % band"), "held_out_within_90", N_("Held-out readings within the 90 % band")},
  [LAC_BAND_95] = {"within_95", N_("Errors within the 95 % band"), "held_out_within_95", N_("Held-out readings within the 95 % band")},
};
/* clang-format on */

static void
add_calibration(GArray *metrics, const LacFlowMethod *method, LacMetricPlace *place)
{
  place->calibration = metrics->len;
  for (guint b = 0; b < LAC_N_BANDS; b++)
    add_share(metrics, intern(method->name, bands[b].key), bands[b].label, TRUE);
  add_metric(metrics, intern(method->name, "ranked_score"), N_("Ranked probability score (CRPS)"),
             TRUE, &fraction);
}

static void
add_held_out(GArray *metrics, const LacFlowMethod *method, LacMetricPlace *place)
{
  place->held_out = metrics->len;
  for (guint b = 0; b < LAC_N_BANDS; b++)
    add_share(metrics, intern(method->name, bands[b].held_out_key), bands[b].held_out_label, TRUE);
  add_metric(metrics, intern(method->name, "held_out_ranked_score"),
             N_("CRPS of held-out readings"), TRUE, &fraction);
}

/* clang-format off */
/* Metrics from the sensors alone; the two main ones of the first method come before all others. */
static const struct {
  const char      *key, *label;
  gsize            place; /* offset in LacMetricPlace */
  LacMetricPlacing placing;
} reliabilities[] = {
  {"leave_one_out", N_("Leave-one-out error"), G_STRUCT_OFFSET(LacMetricPlace, leave_one_out), {LAC_COLUMN_MAIN, LAC_RANK_LEAST, TRUE}},
  {"innovation_chi_squared", N_("Innovation χ² (1: calibrated)"), G_STRUCT_OFFSET(LacMetricPlace, innovation), {LAC_COLUMN_MAIN, .heading = N_("Innovation χ²")}},
  {"misfit_chi_squared", N_("Misfit χ² (above 1: poor fit)"), G_STRUCT_OFFSET(LacMetricPlace, misfit), {LAC_COLUMN_MAIN, .heading = N_("Misfit χ²")}},
  {"left_over", N_("Relative residual"), G_STRUCT_OFFSET(LacMetricPlace, residual), {.is_fraction = TRUE}},
  {"uncertainty", N_("Estimated uncertainty"), G_STRUCT_OFFSET(LacMetricPlace, uncertainty), {LAC_COLUMN_SPREAD, .is_fraction = TRUE}},
};
/* clang-format on */

static gboolean
offers_reliability(const LacFlowMethod *method, const LacKnowledge *knowledge, gsize place)
{
  switch (place) {
  case G_STRUCT_OFFSET(LacMetricPlace, leave_one_out): return knowledge->predicts_left_out;
  case G_STRUCT_OFFSET(LacMetricPlace, innovation): return method->innovation != NULL;
  case G_STRUCT_OFFSET(LacMetricPlace, uncertainty): return knowledge->deviates;
  default: return TRUE;
  }
}

static void
add_reliabilities(GArray              *metrics,
                  const LacFlowMethod *method,
                  const LacKnowledge  *knowledge,
                  LacMetricPlace      *place)
{
  static const LacMetricPlacing now = {
    .column = LAC_COLUMN_NOW, .is_fraction = TRUE, .heading = N_("Residual")};

  place->error = metrics->len;
  add_metric(metrics, intern(method->name, "misfit_now"), method->title, FALSE, &now);
  for (gsize i = 0; i < G_N_ELEMENTS(reliabilities); i++) {
    if (!offers_reliability(method, knowledge, reliabilities[i].place))
      continue;
    if (!place->key)
      place->key = metrics->len;
    else if (!place->second)
      place->second = metrics->len;
    G_STRUCT_MEMBER(gsize, place, reliabilities[i].place) = metrics->len;
    add_metric(metrics, intern(method->name, reliabilities[i].key), reliabilities[i].label, TRUE,
               &reliabilities[i].placing);
  }
}

/* clang-format off */
static const struct {
  const char *key, *flow, *other; /* labels of a flow and of other fields */
} budgets[LAC_N_BUDGETS] = {
  [LAC_BUDGET_MASS] = {"mass_now", N_("Divergence over velocity gradient"), N_("Error of the mean")},
  [LAC_BUDGET_MOMENTUM] = {"momentum_now", N_("Error of the mean velocity"), NULL},
  [LAC_BUDGET_ENERGY] = {"energy_now", N_("Energy relative to the truth"), N_("Mean square relative to the truth")},
  [LAC_BUDGET_ENSTROPHY] = {"enstrophy_now", N_("Enstrophy relative to the truth"), NULL},
};
/* clang-format on */

/* Adds what the estimate conserves: curves where one observation is displayed at a time, and results. */
static void
add_budgets(GArray              *metrics,
            const LacFlowMethod *method,
            const LacCase       *subject,
            gboolean             has_truth,
            LacMetricPlace      *place)
{
  const gboolean is_flow = lac_budgets_is_flow(subject);
  for (guint b = 0; b < LAC_N_BUDGETS && !lac_case_is_line(subject); b++)
    if (lac_budgets_have(subject, b, has_truth))
      place->budgets[b] = add_share(metrics, intern(method->name, budgets[b].key),
                                    is_flow ? budgets[b].flow : budgets[b].other, FALSE);
  if (has_truth)
    place->energy_ratio =
      add_share(metrics, intern(method->name, "energy_ratio"),
                is_flow ? budgets[LAC_BUDGET_ENERGY].flow : budgets[LAC_BUDGET_ENERGY].other, TRUE);
  if (is_flow)
    place->divergence =
      add_share(metrics, intern(method->name, "divergence"), budgets[LAC_BUDGET_MASS].flow, TRUE);
}

static LacMetricPlace
add_method_metrics(GArray              *metrics,
                   const LacLaboratory *laboratory,
                   guint                e,
                   gconstpointer        params,
                   const LacCase       *subject)
{
  const LacKnowledge knowledge = lac_laboratory_find_knowledge(laboratory, e, params, subject);
  LacMetricPlace     place = {0};

  if (lac_laboratory_has_truth(lac_laboratory_common(laboratory, params)))
    add_errors(metrics, laboratory, lac_laboratory_method(laboratory, e), subject, &knowledge,
               &place);
  else
    add_reliabilities(metrics, lac_laboratory_method(laboratory, e), &knowledge, &place);
  if (lac_laboratory_common(laboratory, params)->budgets)
    add_budgets(metrics, lac_laboratory_method(laboratory, e), subject,
                lac_laboratory_has_truth(lac_laboratory_common(laboratory, params)), &place);
  if (lac_laboratory_common(laboratory, params)->equation_residual &&
      lac_equation_residual_have(subject, knowledge.n_fields))
    place.equation =
      add_share(metrics, intern(lac_laboratory_method(laboratory, e)->name, "equation_residual"),
                N_("Equation residual, at least"), TRUE);
  if (lac_laboratory_has_whole(laboratory, params, subject))
    add_whole(metrics, lac_laboratory_method(laboratory, e), &place);
  if (lac_laboratory_is_calibrated(laboratory, params, subject, &knowledge))
    add_calibration(metrics, lac_laboratory_method(laboratory, e), &place);
  if (knowledge.deviates && lac_laboratory_common(laboratory, params)->held_out_turn > 0)
    add_held_out(metrics, lac_laboratory_method(laboratory, e), &place);
  place.curves = metrics->len;
  place.n_curves = add_curves(metrics, laboratory, e, params, subject);
  return place;
}

/* Adds the two main metrics of the run, first of all. */
static void
add_main(GArray              *metrics,
         const LacLaboratory *laboratory,
         gconstpointer        params,
         const LacCase       *subject)
{
  const LacCommonParams *common = lac_laboratory_common(laboratory, params);
  const char            *keys[] = {"fluctuation_relative_l2", "relative_l2"};
  const char            *labels[] = {label_error(subject, TRUE), label_error(subject, FALSE)};
  const guint            first = lac_laboratory_fluctuates(laboratory->scene) ? 0 : 1;
  const guint            e = (guint) lac_list_get(common->methods, 0);
  const LacKnowledge     knowledge = lac_laboratory_find_knowledge(laboratory, e, params, subject);

  if (lac_laboratory_has_truth(common)) {
    add_metric(metrics, keys[first], labels[first], TRUE, &fraction);
    add_metric(metrics, keys[1 - first], labels[1 - first], TRUE, &fraction);
    return;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(reliabilities) && metrics->len < LAC_METRIC_FIRST_METHOD; i++)
    if (offers_reliability(lac_laboratory_method(laboratory, e), &knowledge,
                           reliabilities[i].place))
      add_metric(metrics, reliabilities[i].key, reliabilities[i].label, TRUE,
                 reliabilities[i].placing.is_fraction ? &fraction : NULL);
}

/* The positions of user measurements were not chosen by a placement method. */
static gboolean
has_gain(const LacLaboratory *laboratory, gconstpointer params)
{
  return lac_laboratory_fluctuates(laboratory->scene) &&
         !lac_laboratory_common(laboratory, params)->measurements;
}

static void
add_gain(GArray *metrics)
{
  const LacMetric metric = {
    .key = "placement_gain",
    .label = N_("Gain over random placement (gappy POD)"),
    .unit = "1",
    .is_result = TRUE,
    .placing = fraction,
  };

  g_array_append_val(metrics, metric);
}

static void
add_baselines(GArray *metrics, const LacCase *subject)
{
  for (guint b = 0; b < LAC_N_BASELINES; b++)
    if (lac_baselines_have(subject, b))
      add_metric(metrics, lac_baseline_rows[b].key, lac_baseline_rows[b].label, TRUE, &fraction);
}

#define TRUTH_ERROR "truth_error"

static gboolean
has_truth_error(const LacLaboratory *laboratory, gconstpointer params, const LacCase *subject)
{
  return lac_laboratory_has_whole(laboratory, params, subject) &&
         !lac_laboratory_common(laboratory, params)->true_field &&
         subject->simulation.refinement > 1;
}

/* Fills @metrics; returns the metric indices of the method at @position in the list. */
static LacMetricPlace
make_metrics(GArray *metrics, const LacLaboratory *laboratory, gconstpointer params, guint position)
{
  const gint64   methods = lac_laboratory_common(laboratory, params)->methods;
  LacMetricPlace found = {0};
  LacCase        subject;

  lac_laboratory_configure(&subject, laboratory, params);
  add_main(metrics, laboratory, params, &subject);
  for (guint i = 0; lac_list_get(methods, i) >= 0; i++) {
    const LacMetricPlace place =
      add_method_metrics(metrics, laboratory, (guint) lac_list_get(methods, i), params, &subject);

    if (i == position)
      found = place;
  }
  if (lac_laboratory_has_whole(laboratory, params, &subject))
    add_baselines(metrics, &subject);
  if (has_truth_error(laboratory, params, &subject))
    add_metric(metrics, TRUTH_ERROR, N_("Error of the truth, at most"), TRUE, &fraction);
  if (has_gain(laboratory, params))
    add_gain(metrics);
  lac_case_clear(&subject);
  return found;
}

LacMetricPlace
lac_laboratory_place(const LacLaboratory *laboratory, gconstpointer params, guint position)
{
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  return make_metrics(metrics, laboratory, params, position);
}

void
lac_laboratory_place_baselines(const LacLaboratory *laboratory,
                               gconstpointer        params,
                               gsize                places[LAC_N_BASELINES])
{
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  make_metrics(metrics, laboratory, params, 0);
  for (guint b = 0; b < LAC_N_BASELINES; b++) {
    places[b] = 0;
    for (gsize m = 0; m < metrics->len; m++)
      if (g_str_equal(g_array_index(metrics, LacMetric, m).key, lac_baseline_rows[b].key))
        places[b] = m;
  }
}

gsize
lac_laboratory_truth_error_place(const LacLaboratory *laboratory, gconstpointer params)
{
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  make_metrics(metrics, laboratory, params, 0);
  for (gsize m = 0; m < metrics->len; m++)
    if (g_str_equal(g_array_index(metrics, LacMetric, m).key, TRUTH_ERROR))
      return m;
  return 0;
}

gsize
lac_laboratory_gain_place(const LacLaboratory *laboratory, gconstpointer params)
{
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  make_metrics(metrics, laboratory, params, 0);
  return has_gain(laboratory, params) ? metrics->len - 1 : 0;
}

void
lac_laboratory_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline)
{
  const LacLaboratory *laboratory = self->data;
  const gint64         methods = lac_laboratory_common(laboratory, params)->methods;
  GArray              *channels = g_array_new(FALSE, FALSE, sizeof(LacChannel));
  GArray              *metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));
  LacShown             shown[LAC_MAX_SHOWN];
  LacCase              subject;
  guint                n_shown;

  lac_laboratory_configure(&subject, laboratory, params);
  n_shown = lac_laboratory_shown(&subject, shown);
  for (guint q = 0; q < n_shown; q++) {
    if (lac_laboratory_has_truth(lac_laboratory_common(laboratory, params)))
      add_channel(channels, &subject, &shown[q], NULL, LAC_ROLE_TRUTH);
    for (guint pass = 0; pass < 2; pass++)
      for (guint i = 0; lac_list_get(methods, i) >= 0; i++) {
        const guint        e = (guint) lac_list_get(methods, i);
        const LacKnowledge knowledge =
          lac_laboratory_find_knowledge(laboratory, e, params, &subject);
        const LacRole role = pass == 1 ? LAC_ROLE_OTHER
                             : i == 0  ? LAC_ROLE_RECONSTRUCTION
                                       : LAC_ROLE_BASELINE;

        if (pass ? lac_laboratory_has_deviation(&knowledge, &shown[q])
                 : lac_laboratory_knows(&knowledge, &shown[q]))
          add_channel(channels, &subject, &shown[q], lac_laboratory_method(laboratory, e), role);
      }
  }
  lac_laboratory_add_diagrams(channels, laboratory, params, &subject);
  lac_case_clear(&subject);
  make_metrics(metrics, laboratory, params, 0);
  outline->n_channels = channels->len;
  outline->channels = (LacChannel *) (gpointer) g_array_free(channels, FALSE);
  outline->n_metrics = metrics->len;
  outline->metrics = (LacMetric *) (gpointer) g_array_free(metrics, FALSE);
}
