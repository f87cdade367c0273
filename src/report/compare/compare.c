/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of runs, table by table. */
#include "report/compare/compare.h"

#include "base/unit.h"
#include "experiment/experiment.h"
#include "io/format/json-text.h"
#include "io/runfile/metadata.h"
#include "report/canvas/canvas.h"
#include "report/compare/compare-private.h"
#include "report/compare/comparison.h"
#include "report/compare/optimum.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <json-glib/json-glib.h>
#include <math.h>

const char *const lac_compare_letters[LAC_COMPARISON_MOST] = {
  "(a)", "(b)", "(c)", "(d)", "(e)", "(f)", "(g)", "(h)", "(i)", "(j)", "(k)", "(l)"};

typedef struct {
  char *text[LAC_COMPARISON_MOST + 1];
} Cells;

static void
cells_clear(Cells *cells)
{
  for (gsize i = 0; i < G_N_ELEMENTS(cells->text); i++)
    g_clear_pointer(&cells->text[i], g_free);
}

static void
add_cells(LacTable *table, Cells *cells)
{
  lac_table_add(table, LAC_ROW_PLAIN, (const char *const *) cells->text);
  cells_clear(cells);
}

/* Adds a placeholder row to an empty table. */
static void
describe_none(LacTable *table, gsize n_runs)
{
  if (table->kinds->len > 0)
    return;
  Cells cells = {{g_strdup(_("none"))}};
  for (gsize i = 0; i < n_runs; i++)
    cells.text[i + 1] = g_strdup("");
  add_cells(table, &cells);
}

/* The table's cells own the column texts. */
static void
init_table(LacTable *table, const char *title, gsize n_runs)
{
  LacColumn columns[LAC_COMPARISON_MOST + 1] = {{title, LAC_ALIGN_LEFT, TRUE}};
  for (gsize i = 0; i < n_runs; i++)
    columns[i + 1] = (LacColumn){lac_compare_letters[i], LAC_ALIGN_RIGHT, TRUE};
  LacColumn *kept = g_memdup2(columns, sizeof columns);
  lac_table_init(table, kept, n_runs + 1);
  table->owned_columns = kept;
}

void
lac_compare_runs(LacRunFile *const *runs, gsize n_runs, LacTable *table)
{
  static const LacColumn columns[] = {
    {"", LAC_ALIGN_LEFT, FALSE},
    {N_("run"), LAC_ALIGN_LEFT, TRUE},
    {N_("experiment"), LAC_ALIGN_LEFT, FALSE},
    {N_("outcome"), LAC_ALIGN_LEFT, FALSE},
    {N_("started"), LAC_ALIGN_LEFT, FALSE},
  };
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (gsize i = 0; i < n_runs; i++) {
    g_autofree char  *name = g_path_get_basename(runs[i]->path);
    g_autofree char  *started = lac_summary_started(runs[i]);
    const char *const cells[] = {lac_compare_letters[i], name, runs[i]->experiment,
                                 lac_word(runs[i]->outcome), started};
    lac_table_add(table, LAC_ROW_PLAIN, cells);
  }
}

static const LacRunSetting *
find_setting(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_settings; i++)
    if (g_strcmp0(run->settings[i].key, key) == 0)
      return &run->settings[i];
  return NULL;
}

static const LacRunMetric *
find_metric(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_metrics; i++)
    if (g_strcmp0(run->metrics[i].key, key) == 0)
      return &run->metrics[i];
  return NULL;
}

static gboolean
setting_differs(LacRunFile *const *runs, gsize n_runs, const char *key)
{
  const LacRunSetting *first = find_setting(runs[0], key);
  for (gsize i = 1; i < n_runs; i++) {
    const LacRunSetting *other = find_setting(runs[i], key);
    if ((first == NULL) != (other == NULL) ||
        (first != NULL && g_strcmp0(first->text, other->text) != 0))
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE when an earlier run has the setting @key. */
static gboolean
is_known_setting(LacRunFile *const *runs, gsize before, const char *key)
{
  for (gsize i = 0; i < before; i++)
    if (find_setting(runs[i], key) != NULL)
      return TRUE;
  return FALSE;
}

/* Adds a row for a property that is not a setting, where the runs differ in it. */
static void
add_texts(LacTable          *table,
          const char        *label,
          LacRunFile *const *runs,
          gsize              n_runs,
          char *(*text)(const LacRunFile *) )
{
  Cells    cells = {{g_strdup(label)}};
  gboolean differs = FALSE;
  for (gsize i = 0; i < n_runs; i++) {
    cells.text[i + 1] = text(runs[i]);
    differs |= g_strcmp0(cells.text[1], cells.text[i + 1]) != 0;
  }
  if (differs)
    add_cells(table, &cells);
  else
    cells_clear(&cells);
}

static char *
seed_text(const LacRunFile *run)
{
  return g_strdup_printf("%" G_GUINT64_FORMAT, run->seed);
}

static char *
backend_text(const LacRunFile *run)
{
  return g_strdup_printf("%s %s, %u", run->backend, run->precision, run->threads);
}

void
lac_compare_settings(LacRunFile *const *runs, gsize n_runs, LacTable *table)
{
  init_table(table, N_("setting that differs"), n_runs);
  for (gsize r = 0; r < n_runs; r++)
    for (gsize s = 0; s < runs[r]->n_settings; s++) {
      const LacRunSetting *setting = &runs[r]->settings[s];
      if (is_known_setting(runs, r, setting->key) || !setting_differs(runs, n_runs, setting->key))
        continue;
      Cells cells = {{lac_label_with_unit(lac_word(setting->label), setting->unit)}};
      for (gsize i = 0; i < n_runs; i++) {
        const LacRunSetting *other = find_setting(runs[i], setting->key);
        cells.text[i + 1] =
          other == NULL ? g_strdup("–")
                        : lac_experiment_dup_shown(runs[i]->experiment, other->key, other->text);
      }
      add_cells(table, &cells);
    }
  add_texts(table, _("seed"), runs, n_runs, seed_text);
  add_texts(table, _("backend, precision, threads"), runs, n_runs, backend_text);
  describe_none(table, n_runs);
}

/* Returns: TRUE when @r is the first run with this result and any run has a value for it */
static gboolean
is_result_of(LacRunFile *const *runs, gsize n_runs, gsize r, const LacRunMetric *metric)
{
  gboolean has_value = FALSE;
  for (gsize i = 0; i < n_runs; i++) {
    const LacRunMetric *other = find_metric(runs[i], metric->key);
    if (other != NULL && i < r)
      return FALSE;
    has_value |= other != NULL && isfinite(other->last);
  }
  return metric->is_result && has_value;
}

void
lac_compare_metrics(LacRunFile *const *runs, gsize n_runs, LacTable *table)
{
  init_table(table, N_("result"), n_runs);
  for (gsize r = 0; r < n_runs; r++) {
    g_auto(LacRunMetrics) metrics = {0};
    lac_run_metrics_init(&metrics, runs[r]);
    for (gsize m = 0; m < runs[r]->n_metrics; m++) {
      const LacRunMetric *metric = &runs[r]->metrics[m];
      if (!is_result_of(runs, n_runs, r, metric))
        continue;
      g_autofree char *label = lac_run_metrics_dup_label(&metrics, m);
      const LacShown   shown = lac_shown(metric->unit);
      Cells            cells = {{lac_label_with_unit(label, shown.unit)}};
      for (gsize i = 0; i < n_runs; i++) {
        const LacRunMetric *other = find_metric(runs[i], metric->key);
        const double        value = other != NULL ? other->last : (double) NAN;
        cells.text[i + 1] = lac_number_text(lac_shown_value(&shown, value));
      }
      add_cells(table, &cells);
    }
  }
  describe_none(table, n_runs);
}

typedef struct {
  double seconds, setup_seconds, seconds_per_step, peak_memory, peak_resident,
    speed_up; /* per step */
  gint64 steps;
} Cost;

static void
find_costs(LacRunFile *const *runs, gsize n_runs, Cost *costs)
{
  for (gsize i = 0; i < n_runs; i++) {
    g_auto(LacSummary) summary = {0};
    lac_summary_init(&summary, runs[i]);
    costs[i] = (Cost){.seconds = runs[i]->seconds,
                      .setup_seconds = runs[i]->setup_seconds,
                      .seconds_per_step = summary.seconds_per_step,
                      .peak_memory = summary.peak_memory,
                      .peak_resident = summary.peak_resident,
                      .steps = runs[i]->steps};
    /* steps of different experiments do different work */
    gboolean is_same = g_strcmp0(runs[i]->experiment, runs[0]->experiment) == 0;
    costs[i].speed_up =
      is_same ? costs[0].seconds_per_step / costs[i].seconds_per_step : (double) NAN;
  }
}

void
lac_compare_cost(LacRunFile *const *runs, gsize n_runs, LacTable *table)
{
  Cost costs[LAC_COMPARISON_MOST];
  find_costs(runs, n_runs, costs);
  init_table(table, N_("cost"), n_runs);
  static const char *const labels[] = {
    N_("compute time"),        N_("set-up time"),        N_("steps"),
    N_("time per step"),       N_("speed-up of a step"), N_("peak memory of an operation"),
    N_("peak resident memory")};
  for (gsize row = 0; row < G_N_ELEMENTS(labels); row++) {
    Cells cells = {{g_strdup(lac_word(labels[row]))}};
    for (gsize i = 0; i < n_runs; i++) {
      g_autofree char *speed_up = lac_number_text(costs[i].speed_up);
      char            *texts[] = {
                   lac_duration_text(costs[i].seconds),
                   lac_duration_text(costs[i].setup_seconds),
                   g_strdup_printf("%" G_GINT64_FORMAT, costs[i].steps),
                   lac_duration_text(costs[i].seconds_per_step),
                   g_strconcat(speed_up, isfinite(costs[i].speed_up) ? "×" : "", NULL),
                   lac_bytes_text(costs[i].peak_memory),
                   lac_bytes_text(costs[i].peak_resident),
      };
      cells.text[i + 1] = g_steal_pointer(&texts[row]);
      for (gsize k = 0; k < G_N_ELEMENTS(texts); k++)
        g_free(texts[k]);
    }
    add_cells(table, &cells);
  }
}

/* Formats the time per step of an operation; in runs after the first with its ratio to that of the first. */
static char *
dup_operation(LacRunFile *const *runs, const LacComparedOperation *operation, gsize i)
{
  const double seconds = operation->seconds[i] / (double) MAX(runs[i]->steps, 1);
  const double ratio = 1 / operation->speed_up[i];

  if (isnan(operation->seconds[i]))
    return g_strdup("–");
  g_autofree char *time = lac_duration_text(seconds), *times = lac_number_text(ratio);
  return i > 0 && isfinite(ratio) ? g_strconcat(time, " (", times, "×)", NULL)
                                  : g_steal_pointer(&time);
}

void
lac_compare_operations(LacRunFile *const *runs, gsize n_runs, LacTable *table)
{
  g_autoptr(GArray) operations = lac_comparison_operations(runs, n_runs);

  init_table(table, N_("operation, per step"), n_runs);
  for (guint o = 0; o < operations->len; o++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, o);
    Cells                       cells = {{g_strdup(lac_word(operation->name))}};

    for (gsize i = 0; i < n_runs; i++)
      cells.text[i + 1] = dup_operation(runs, operation, i);
    add_cells(table, &cells);
  }
  describe_none(table, n_runs);
}

GStrv
lac_compare_optima(LacRunFile *const *runs, gsize n_runs)
{
  LacOptimum optima[LAC_N_OPTIMA];
  gsize      n = lac_optimum_find(runs, n_runs, optima);
  GStrv      texts = g_new0(char *, LAC_N_OPTIMA + 1);
  for (gsize i = 0; i < n; i++)
    texts[i] = lac_optimum_dup_text(&optima[i], runs, n_runs);
  return texts;
}

char *
lac_compare_text(LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 2 && n_runs <= LAC_COMPARISON_MOST, NULL);
  static void (*const parts[])(LacRunFile *const *, gsize, LacTable *) = {
    lac_compare_runs, lac_compare_settings, lac_compare_metrics, lac_compare_cost,
    lac_compare_operations};
  GString *text = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_auto(LacTable) table = {0};
    parts[i](runs, n_runs, &table);
    if (i > 0)
      g_string_append_c(text, '\n');
    lac_table_print(&table, text);
  }
  g_auto(GStrv) optima = lac_compare_optima(runs, n_runs);
  for (gsize i = 0; optima[i] != NULL; i++)
    g_string_append_printf(text, "%s%s\n", i == 0 ? "\n" : "", optima[i]);
  g_autofree char *verdict = lac_comparison_dup_verdict(runs, n_runs);
  g_string_append_printf(text, "\n%s\n", verdict);
  return g_string_free(text, FALSE);
}

/* Adds a value; NaN becomes null, since JSON has no NaN. */
static void
add_value(JsonBuilder *builder, double value)
{
  if (isfinite(value))
    json_builder_add_double_value(builder, value);
  else
    json_builder_add_null_value(builder);
}

static void
build_settings(JsonBuilder *builder, LacRunFile *const *runs, gsize n_runs)
{
  for (gsize r = 0; r < n_runs; r++)
    for (gsize s = 0; s < runs[r]->n_settings; s++) {
      const LacRunSetting *setting = &runs[r]->settings[s];
      if (is_known_setting(runs, r, setting->key) || !setting_differs(runs, n_runs, setting->key))
        continue;
      json_builder_begin_object(builder);
      lac_json_add_text(builder, "key", setting->key);
      lac_json_add_text(builder, "unit", setting->unit);
      json_builder_set_member_name(builder, "values");
      json_builder_begin_array(builder);
      for (gsize i = 0; i < n_runs; i++) {
        const LacRunSetting *other = find_setting(runs[i], setting->key);
        json_builder_add_string_value(builder, other != NULL ? other->text : NULL);
      }
      json_builder_end_array(builder);
      json_builder_end_object(builder);
    }
}

static void
build_metrics(JsonBuilder *builder, LacRunFile *const *runs, gsize n_runs)
{
  for (gsize r = 0; r < n_runs; r++)
    for (gsize m = 0; m < runs[r]->n_metrics; m++) {
      const LacRunMetric *metric = &runs[r]->metrics[m];
      if (!is_result_of(runs, n_runs, r, metric))
        continue;
      json_builder_begin_object(builder);
      lac_json_add_text(builder, "key", metric->key);
      lac_json_add_text(builder, "unit", metric->unit);
      json_builder_set_member_name(builder, "values");
      json_builder_begin_array(builder);
      for (gsize i = 0; i < n_runs; i++) {
        const LacRunMetric *other = find_metric(runs[i], metric->key);
        add_value(builder, other != NULL ? other->last : (double) NAN);
      }
      json_builder_end_array(builder);
      json_builder_end_object(builder);
    }
}

static void
build_operations(JsonBuilder *builder, LacRunFile *const *runs, gsize n_runs)
{
  g_autoptr(GArray) operations = lac_comparison_operations(runs, n_runs);

  for (guint o = 0; o < operations->len; o++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, o);

    json_builder_begin_object(builder);
    lac_json_add_text(builder, "name", operation->name);
    json_builder_set_member_name(builder, "seconds_per_step");
    json_builder_begin_array(builder);
    for (gsize i = 0; i < n_runs; i++)
      add_value(builder, operation->seconds[i] / (double) MAX(runs[i]->steps, 1));
    json_builder_end_array(builder);
    json_builder_set_member_name(builder, "ratios");
    json_builder_begin_array(builder);
    for (gsize i = 0; i < n_runs; i++)
      add_value(builder, 1 / operation->speed_up[i]);
    json_builder_end_array(builder);
    json_builder_end_object(builder);
  }
}

static void
build_runs(JsonBuilder *builder, LacRunFile *const *runs, gsize n_runs)
{
  Cost costs[LAC_COMPARISON_MOST];
  find_costs(runs, n_runs, costs);
  for (gsize i = 0; i < n_runs; i++) {
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "run", runs[i]->path);
    lac_meta_put_json(&lac_meta_run, LAC_META_COMPARE, runs[i], builder);
    lac_json_add_number(builder, "seconds", costs[i].seconds);
    lac_json_add_number(builder, "setup_seconds", costs[i].setup_seconds);
    lac_json_add_number(builder, "seconds_per_step", costs[i].seconds_per_step);
    lac_json_add_number(builder, "speed_up", costs[i].speed_up);
    lac_json_add_number(builder, "peak_memory_mb", costs[i].peak_memory / 1e6);
    lac_json_add_number(builder, "peak_resident_mb", costs[i].peak_resident / 1e6);
    json_builder_end_object(builder);
  }
}

static void
build_optima(JsonBuilder *builder, LacRunFile *const *runs, gsize n_runs)
{
  LacOptimum optima[LAC_N_OPTIMA];
  gsize      n = lac_optimum_find(runs, n_runs, optima);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *text = lac_optimum_dup_text(&optima[i], runs, n_runs);
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "of", lac_optimum_key(optima[i].kind));
    lac_json_add_text(builder, "run", runs[optima[i].best]->path);
    json_builder_set_member_name(builder, "tie");
    json_builder_add_boolean_value(builder, optima[i].is_tie);
    lac_json_add_number(builder, "seconds", optima[i].seconds);
    lac_json_add_number(builder, "ratio_of_next", optima[i].ratio);
    lac_json_add_text(builder, "text", text);
    json_builder_end_object(builder);
  }
}

char *
lac_compare_json(LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 2 && n_runs <= LAC_COMPARISON_MOST, NULL);
  static const struct {
    const char *name;
    void (*build)(JsonBuilder *, LacRunFile *const *, gsize);
  } parts[] = {{"runs", build_runs},
               {"settings", build_settings},
               {"metrics", build_metrics},
               {"operations", build_operations},
               {"optima", build_optima}};
  g_autoptr(JsonBuilder) builder = json_builder_new();
  json_builder_begin_object(builder);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    json_builder_set_member_name(builder, parts[i].name);
    json_builder_begin_array(builder);
    parts[i].build(builder, runs, n_runs);
    json_builder_end_array(builder);
  }
  g_autofree char *verdict = lac_comparison_dup_verdict(runs, n_runs);
  lac_json_add_text(builder, "verdict", verdict);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return lac_json_dup_text(root, TRUE);
}
