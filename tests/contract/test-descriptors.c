/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every experiment of the registry has a complete descriptor, defaults that it accepts itself, and an error message
 * for every refusal. */
#include "base/error.h"
#include "contract/helpers/experiment-settings.h"
#include "experiment/experiment.h"

#include <string.h>

static void
assert_row(const LacParam *row)
{
  g_assert_true(row->key && *row->key && row->unit);
  g_assert_true(row->label && *row->label);
  g_assert_true(row->group && *row->group);
  g_assert_true(row->help && *row->help);
  switch (row->kind) {
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER:
    g_assert_cmpfloat(row->min, <, row->max);
    g_assert_cmpfloat(row->fallback, >=, row->min);
    g_assert_cmpfloat(row->fallback, <=, row->max);
    break;
  case LAC_PARAM_CHOICE:
    g_assert_nonnull(row->choices);
    g_assert_cmpfloat(row->fallback, <, g_strv_length((char **) row->choices));
    break;
  case LAC_PARAM_LIST: g_assert_nonnull(row->choices); break;
  case LAC_PARAM_SWITCH: g_assert_true(row->fallback == 0 || row->fallback == 1); break;
  case LAC_PARAM_FILE: g_assert_nonnull(row->file_type); break;
  case LAC_PARAM_TEXT: break;
  }
}

static void
assert_new(GHashTable *keys, const char *key)
{
  g_assert_true(key && *key);
  g_assert_true(g_hash_table_add(keys, (gpointer) key));
}

static void
test_descriptor(gconstpointer data)
{
  const LacExperiment  *experiment = data;
  g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GHashTable) channels = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GHashTable) metrics = g_hash_table_new(g_str_hash, g_str_equal);

  g_assert_true(experiment->title && *experiment->title);
  g_assert_true(experiment->laboratory && *experiment->laboratory);
  g_assert_true(experiment->summary && *experiment->summary);
  g_assert_true(experiment->source && *experiment->source);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    assert_row(&experiment->params.rows[i]);
    assert_new(keys, experiment->params.rows[i].key);
    g_assert_cmpuint(experiment->params.rows[i].offset, <, experiment->params.size);
  }
  g_assert_cmpuint(experiment->n_channels, >=, 1);
  for (gsize i = 0; i < experiment->n_channels; i++) {
    const LacChannel *channel = &experiment->channels[i];

    assert_new(channels, channel->key);
    g_assert_true(channel->label && channel->unit && channel->quantity && channel->colour_map);
    g_assert_true(channel->axis_x && channel->axis_y);
    g_assert_true(channel->axis_unit_x && channel->axis_unit_y);
  }
  g_assert_cmpuint(experiment->n_metrics, >=, 1);
  g_assert_true(experiment->metrics[0].is_result);
  for (gsize i = 0; i < experiment->n_metrics; i++) {
    assert_new(metrics, experiment->metrics[i].key);
    g_assert_true(experiment->metrics[i].label && experiment->metrics[i].unit);
  }
}

static void
test_defaults(gconstpointer data)
{
  const LacExperiment *experiment = data;
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(GError)    error = NULL;
  LacEstimate          estimate = {0};

  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), &error));
  g_assert_no_error(error);
  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  g_assert_cmpfloat(estimate.memory_bytes, >, 0);
  g_assert_cmpfloat(estimate.seconds_per_step, >, 0);
  g_assert_cmpint(estimate.n_steps, >, 0);
  g_assert_cmpfloat(estimate.seconds_setup, >=, 0);
  g_assert_cmpfloat(estimate.frame_bytes, >, 0);
}

/* A curve before it is not a result, and a result after it is not the first. */
static void
test_headline(void)
{
  static const LacMetric metrics[] = {
    {.key = "curve"}, {.key = "error", .is_result = TRUE}, {.key = "other", .is_result = TRUE}};
  const LacExperiment experiment = {.metrics = metrics, .n_metrics = G_N_ELEMENTS(metrics)};
  g_auto(LacOutline)  outline = lac_experiment_outline(&experiment, NULL);

  g_assert_cmpuint(outline.n_metrics, ==, G_N_ELEMENTS(metrics));
  g_assert_cmpstr(outline.metrics[outline.headline].key, ==, "error");
}

static const LacExperiment *
find(const char *name)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find(name, &error);

  g_assert_no_error(error);
  return experiment;
}

static void
test_refusals(void)
{
  for (const ExperimentSettings *refused = refused_settings; refused->experiment; refused++) {
    const LacExperiment *experiment = find(refused->experiment);
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
    g_autoptr(GError)    error = NULL;

    apply_settings(draft, refused->settings);
    g_assert_false(experiment->check(experiment, lac_draft_get_values(draft), &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    if (!strstr(error->message, refused->part))
      g_error("\"%s\" does not say \"%s\"", error->message, refused->part);
  }
}

static void
test_edges(void)
{
  for (const ExperimentSettings *edge = accepted_settings; edge->experiment; edge++) {
    const LacExperiment *experiment = find(edge->experiment);
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
    g_autoptr(GError)    error = NULL;

    apply_settings(draft, edge->settings);
    experiment->check(experiment, lac_draft_get_values(draft), &error);
    g_assert_no_error(error);
  }
}

static void
test_registry(void)
{
  gsize                       n, n_defaults = 0;
  const LacExperiment *const *experiments = lac_experiments(&n);
  g_autoptr(GHashTable)       names = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GError)           error = NULL;

  for (gsize i = 0; i < n; i++) {
    assert_new(names, experiments[i]->name);
    g_assert_true(find(experiments[i]->name) == experiments[i]);
    n_defaults += experiments[i]->is_default ? 1 : 0;
  }
  g_assert_cmpuint(n_defaults, ==, 1);
  g_assert_null(lac_experiment_find("kolmogoroff", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  for (gsize i = 0; i < n; i++)
    g_assert_nonnull(strstr(error->message, experiments[i]->name));
}

int
main(int argc, char **argv)
{
  const LacExperiment *const *experiments;
  gsize                       n;

  g_test_init(&argc, &argv, NULL);
  experiments = lac_experiments(&n);
  g_test_add_func("/contract/descriptors/names-are-found", test_registry);
  g_test_add_func("/contract/descriptors/impossible-settings-are-refused-in-words", test_refusals);
  g_test_add_func("/contract/descriptors/settings-on-the-edge-are-accepted", test_edges);
  g_test_add_func("/contract/descriptors/the-headline-is-the-first-result", test_headline);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *complete =
      g_strdup_printf("/contract/descriptors/%s/is-complete", experiments[i]->name);
    g_autofree char *defaults =
      g_strdup_printf("/contract/descriptors/%s/passes-its-own-check", experiments[i]->name);

    g_test_add_data_func(complete, experiments[i], test_descriptor);
    g_test_add_data_func(defaults, experiments[i], test_defaults);
  }
  return g_test_run();
}
