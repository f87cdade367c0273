/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, columns and cells of the table of methods. */
#include "base/unit.h"
#include "report/summary/method-table-private.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Reading order of the columns. A ranked column of its own comes before the error at the step. */
#define STEP "step" /* name of the spans of whole steps */

enum { AT_MEAN, AT_RANKED, AT_NOW, AT_MAIN, AT_SPREAD, AT_SECONDS, AT_FURTHER };

typedef struct {
  LacMethodColumn column;
  const LacMetric
     *metric; /* (nullable): the first that fills the column; NULL: the duration of a step */
  int order;
} Column;

typedef struct {
  const LacMethodSource *source;
  GArray                *columns; /* Column */
  GArray                *rows;    /* LacMethodRow, without cells */
  gboolean               has_groups, has_mean;
} Build;

static gboolean
is_given(const char *text)
{
  return text != NULL && *text != '\0';
}

static const char *
key_within(const char *key)
{
  const char *point = strchr(key, '.');

  return point != NULL ? point + 1 : key;
}

/* With several methods, a metric without a group is one of the run. */
static gboolean
belongs(const Build *build, gsize m)
{
  const LacMethodSource *source = build->source;

  return (!build->has_groups || *lac_metric_group(&source->metrics[m]) != '\0') &&
         !lac_metric_is_error(source->metrics, source->n_metrics, m);
}

/* ---- rows ---- */

static const char *
find_name(const LacMethodSource *source, const char *group)
{
  for (gsize m = 0; m < source->n_metrics; m++)
    if (lac_metric_group(&source->metrics[m]) == group &&
        is_given(source->metrics[m].placing.method))
      return source->metrics[m].placing.method;
  return lac_metric_group_label(group, source->metrics, source->n_metrics, source->channels,
                                source->n_channels);
}

static gboolean
has_row(const Build *build, const char *group)
{
  for (guint r = 0; r < build->rows->len; r++)
    if (g_str_equal(g_array_index(build->rows, LacMethodRow, r).group, group))
      return TRUE;
  return FALSE;
}

static void
add_row(Build *build, const char *group, const char *name, gboolean is_comparison)
{
  const LacMethodRow row = {
    .group = group, .name = g_strdup(lac_word(name)), .is_comparison = is_comparison};

  if (has_row(build, group))
    g_free(row.name);
  else
    g_array_append_val(build->rows, row);
}

/* Adds the methods, then the comparisons with metrics, then the known values. */
static void
add_rows(Build *build)
{
  const LacMethodSource *source = build->source;

  for (guint pass = 0; pass < 2; pass++)
    for (gsize m = 0; m < source->n_metrics; m++) {
      const char    *group = lac_metric_group(&source->metrics[m]);
      const gboolean is_comparison = source->metrics[m].placing.is_comparison;

      if (belongs(build, m) && is_comparison == (pass == 1))
        add_row(build, group, find_name(source, group), is_comparison);
    }
  for (gsize m = 0; m < source->n_metrics; m++)
    for (gsize b = 0; b < LAC_MOST_BASELINES; b++) {
      const char *label = source->metrics[m].placing.baselines[b].label;

      if (belongs(build, m) && is_given(label))
        add_row(build, g_intern_string(label), label, TRUE);
    }
}

/* ---- columns ---- */

static int
find_order(const LacMetricPlacing *placing)
{
  switch (placing->column) {
  case LAC_COLUMN_MEAN: return AT_MEAN;
  case LAC_COLUMN_NOW: return AT_NOW;
  case LAC_COLUMN_SPREAD: return AT_SPREAD;
  case LAC_COLUMN_MAIN: return placing->rank != LAC_RANK_NONE ? AT_RANKED : AT_MAIN;
  case LAC_COLUMN_FURTHER:
  case LAC_N_METRIC_COLUMNS: break;
  }
  return AT_FURTHER;
}

static char *
dup_mean_explanation(const LacMetricPlacing *placing, gboolean is_final)
{
  if (placing->window_last == 0)
    return g_strdup(is_final ? _("mean over all observations")
                             : _("mean over the observations so far"));
  return g_strdup_printf(is_final ? _("mean over observations %u–%u")
                                  : _("mean over observations %u–%u, so far"),
                         placing->window_first, placing->window_last);
}

static char *
dup_mean_title(const LacMetricPlacing *placing)
{
  return placing->window_last == 0
           ? g_strdup(_("Mean"))
           : g_strdup_printf(_("Mean %u–%u"), placing->window_first, placing->window_last);
}

static char *
dup_own_title(const LacMetric *metric)
{
  return is_given(metric->placing.heading) ? g_strdup(lac_word(metric->placing.heading))
                                           : lac_word_dup_short(metric->label);
}

static gboolean
has_kind(const Build *build, LacMetricColumn kind)
{
  for (guint c = 0; c < build->columns->len; c++)
    if (g_array_index(build->columns, Column, c).column.kind == kind)
      return TRUE;
  return FALSE;
}

/* A second spread, of another quantity, has its own name. */
static void
name_column(const Build *build, const LacMetric *metric, LacMethodColumn *column)
{
  const gboolean is_final = build->source->is_final;

  if (column->kind == LAC_COLUMN_MEAN) {
    column->title = dup_mean_title(&metric->placing);
    column->explanation = dup_mean_explanation(&metric->placing, is_final);
  } else if (column->kind == LAC_COLUMN_NOW && build->has_mean) {
    column->title = g_strdup(is_final ? _("Final") : _("Now"));
    column->explanation =
      g_strdup(is_final ? _("error at the last step") : _("error at this step"));
  } else if (column->kind == LAC_COLUMN_SPREAD && !has_kind(build, LAC_COLUMN_SPREAD)) {
    column->title = g_strdup(_("Spread"));
    column->explanation = g_strdup(_("standard deviation estimated by the method"));
  } else {
    column->title = dup_own_title(metric);
    column->explanation =
      g_strdup(column->kind == LAC_COLUMN_NOW ? column->title : lac_word(metric->label));
  }
}

/* Returns TRUE when @m fills the column, in the row of its method. */
static gboolean
fills(const Column *column, const LacMetric *metric)
{
  return column->metric != NULL && column->column.kind == metric->placing.column &&
         g_str_equal(column->column.key, key_within(metric->key));
}

static gboolean
has_column(const Build *build, const LacMetric *metric)
{
  for (guint c = 0; c < build->columns->len; c++)
    if (fills(&g_array_index(build->columns, Column, c), metric))
      return TRUE;
  return FALSE;
}

static void
add_column(Build *build, const LacMetric *metric)
{
  Column column = {
    .column = {.key = g_intern_string(key_within(metric->key)),
               .kind = metric->placing.column,
               .rank = metric->placing.rank},
    .metric = metric,
    .order = find_order(&metric->placing),
  };

  name_column(build, metric, &column.column);
  g_array_append_val(build->columns, column);
}

static void
add_seconds(Build *build)
{
  const Column column = {
    .column = {.key = LAC_METHOD_SECONDS,
               .title = g_strdup(_("Time per step")),
               .explanation = g_strdup(_("mean duration of one step of the method")),
               .kind = LAC_COLUMN_MAIN},
    .order = AT_SECONDS,
  };

  g_array_append_val(build->columns, column);
}

/* The sort of GLib is stable: columns of the same order stay as declared. */
static int
compare_columns(gconstpointer a, gconstpointer b)
{
  return ((const Column *) a)->order - ((const Column *) b)->order;
}

static void
add_columns(Build *build)
{
  const LacMethodSource *source = build->source;

  for (gsize m = 0; m < source->n_metrics; m++)
    build->has_mean |= source->metrics[m].placing.column == LAC_COLUMN_MEAN;
  for (gsize m = 0; m < source->n_metrics; m++)
    if (belongs(build, m) && !has_column(build, &source->metrics[m]))
      add_column(build, &source->metrics[m]);
  add_seconds(build);
  g_array_sort(build->columns, compare_columns);
}

/* ---- cells ---- */

static LacMethodCell
no_cell(void)
{
  return (LacMethodCell){NAN, NAN, g_strdup("–")};
}

static LacMethodCell
make_cell(const LacMethodSource *source, gsize m)
{
  LacMethodCell cell = {source->values[m], NAN, NULL};
  const double  error =
    lac_metric_standard_error(source->metrics, source->values, source->n_metrics, m);

  if (!isfinite(cell.value))
    return no_cell();
  cell.error = error;
  cell.text = lac_metric_text(source->metrics, source->values, source->n_metrics, m);
  return cell;
}

/* Formats a known value of metric @m to the digits of the metric's own. */
static LacMethodCell
make_baseline(const LacMethodSource *source, gsize m, double value)
{
  const LacMetric *metric = &source->metrics[m];
  const LacShown   shown = lac_shown(metric->unit);
  const double     error =
    lac_metric_standard_error(source->metrics, source->values, source->n_metrics, m);
  g_autofree char *number =
    lac_number_rounded_text(lac_shown_value(&shown, value), error * shown.factor);

  return (LacMethodCell){value, NAN, lac_text_with_unit(number, shown.unit)};
}

/* The spans of a method's steps bear its title; a method that is alone takes the whole step. */
static LacMethodCell
make_seconds(const LacMethodSource *source, const LacMethodRow *row)
{
  for (gsize i = 0; i < source->n_aggregates && source->capture != NULL; i++) {
    const LacAggregate *phase = &source->aggregates[i];
    const char         *name = lac_capture_get_name(source->capture, phase->name);

    if (phase->is_operation || phase->count == 0 || row->is_comparison ||
        !g_str_equal(*row->group == '\0' ? name : lac_word(name),
                     *row->group == '\0' ? STEP : row->name))
      continue;
    const double seconds = phase->mean_ns * 1e-9;
    return (LacMethodCell){seconds, NAN, lac_duration_text(seconds)};
  }
  return no_cell();
}

static LacMethodCell
find_cell(const Build *build, const LacMethodRow *row, const Column *column)
{
  const LacMethodSource *source = build->source;

  if (column->metric == NULL)
    return make_seconds(source, row);
  for (gsize m = 0; m < source->n_metrics; m++) {
    const LacMetric *metric = &source->metrics[m];

    if (!belongs(build, m) || !fills(column, metric))
      continue;
    if (lac_metric_group(metric) == row->group)
      return make_cell(source, m);
    for (gsize b = 0; b < LAC_MOST_BASELINES; b++)
      if (row->is_comparison && g_strcmp0(metric->placing.baselines[b].label, row->group) == 0)
        return make_baseline(source, m, metric->placing.baselines[b].value);
  }
  return no_cell();
}

static gboolean
is_empty(const Build *build, const Column *column)
{
  gboolean is_filled = FALSE;

  for (guint r = 0; r < build->rows->len && !is_filled; r++) {
    LacMethodCell cell = find_cell(build, &g_array_index(build->rows, LacMethodRow, r), column);

    is_filled = isfinite(cell.value);
    g_free(cell.text);
  }
  return !is_filled;
}

static void
free_column(LacMethodColumn *column)
{
  g_free(column->title);
  g_free(column->explanation);
}

/* The duration of a step is left out where nothing was recorded. */
static void
drop_empty_columns(Build *build)
{
  for (guint c = build->columns->len; c-- > 0;) {
    Column        *column = &g_array_index(build->columns, Column, c);
    const gboolean may_come = column->metric != NULL && !build->source->is_final;

    if (may_come || !is_empty(build, column))
      continue;
    free_column(&column->column);
    g_array_remove_index(build->columns, c);
  }
}

static void
move_to_table(Build *build, LacMethodTable *table)
{
  table->n_columns = build->columns->len;
  table->n_rows = build->rows->len;
  table->columns = g_new0(LacMethodColumn, table->n_columns + 1);
  for (gsize c = 0; c < table->n_columns; c++)
    table->columns[c] = g_array_index(build->columns, Column, c).column;
  table->rows = g_new0(LacMethodRow, table->n_rows + 1);
  for (gsize r = 0; r < table->n_rows; r++) {
    table->rows[r] = g_array_index(build->rows, LacMethodRow, r);
    table->rows[r].cells = g_new0(LacMethodCell, table->n_columns + 1);
    for (gsize c = 0; c < table->n_columns; c++)
      table->rows[r].cells[c] =
        find_cell(build, &table->rows[r], &g_array_index(build->columns, Column, c));
  }
  for (gsize c = 0; c < table->n_columns; c++)
    if (g_array_index(build->columns, Column, c).metric != NULL)
      lac_method_table_align(table, c, g_array_index(build->columns, Column, c).metric);
}

/* ---- the table ---- */

void
lac_method_table_fill(LacMethodTable *table, const LacMethodSource *source)
{
  g_return_if_fail(table != NULL && source != NULL);
  Build build = {.source = source,
                 .columns = g_array_new(FALSE, FALSE, sizeof(Column)),
                 .rows = g_array_new(FALSE, FALSE, sizeof(LacMethodRow))};

  for (gsize m = 0; m < source->n_metrics; m++)
    build.has_groups |= *lac_metric_group(&source->metrics[m]) != '\0';
  add_rows(&build);
  add_columns(&build);
  drop_empty_columns(&build);
  move_to_table(&build, table);
  lac_method_table_rank(table);
  g_array_unref(build.columns);
  g_array_unref(build.rows);
}

void
lac_method_table_fill_run(LacMethodTable     *table,
                          const LacRunFile   *run,
                          const LacAggregate *aggregates,
                          gsize               n_aggregates)
{
  g_auto(LacRunMetrics) metrics = {0};
  g_autofree double    *values = g_new(double, run->n_metrics + 1);

  lac_run_metrics_init(&metrics, run);
  for (gsize m = 0; m < run->n_metrics; m++)
    values[m] = run->metrics[m].last;
  lac_method_table_fill(table, &(LacMethodSource){.metrics = metrics.metrics,
                                                  .values = values,
                                                  .n_metrics = metrics.n,
                                                  .channels = metrics.channels,
                                                  .n_channels = metrics.n_channels,
                                                  .capture = run->capture,
                                                  .aggregates = aggregates,
                                                  .n_aggregates = n_aggregates,
                                                  .is_final = TRUE});
}

void
lac_method_table_clear(LacMethodTable *table)
{
  for (gsize r = 0; r < table->n_rows; r++) {
    for (gsize c = 0; c < table->n_columns; c++)
      g_free(table->rows[r].cells[c].text);
    g_free(table->rows[r].cells);
    g_free(table->rows[r].name);
  }
  for (gsize c = 0; c < table->n_columns; c++)
    free_column(&table->columns[c]);
  g_free(table->rows);
  g_free(table->columns);
  *table = (LacMethodTable){.ranking = -1, .best = -1};
}
