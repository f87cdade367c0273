/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a sweep besides its runs. */
#include "cli/sweep-output.h"

#include "base/error.h"
#include "base/number.h"
#include "cli/stop-guard.h"
#include "report/compare/compare.h"
#include "report/plot/scan.h"
#include "report/text/metric-group.h"
#include "report/text/number.h"
#include "run/plan/random-band.h"

#include <math.h>

typedef struct {
  const LacRunRequest *request;
  GPtrArray           *results; /* JsonNode *, one per combination that ran */
  GArray              *bands;   /* LacRandomBand, one per combination; NULL: none */
  const LacOutline    *outline; /* of one run: the chart shows its key result */
} Output;

typedef struct {
  char    *label;
  double  *x, *y, *low, *high; /* [n] */
  gsize    n;
  gboolean dashed;
} Line;

static void
line_clear(gpointer data)
{
  Line *line = data;

  g_free(line->label);
  g_free(line->x);
  g_free(line->y);
  g_free(line->low);
  g_free(line->high);
}

static JsonObject *
get_metrics(const Output *output, guint i)
{
  JsonObject *result = json_node_get_object(g_ptr_array_index(output->results, i));

  return json_object_has_member(result, "metrics")
           ? json_object_get_object_member(result, "metrics")
           : NULL;
}

/* Returns a metric; @method: (nullable): NULL: of the run itself. NaN if missing. */
static double
get_value(const Output *output, guint i, const char *method, const char *key)
{
  JsonObject *metrics = get_metrics(output, i);
  JsonNode   *node;

  if (metrics && method) {
    node = json_object_get_member(metrics, method);
    metrics = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  }
  node = metrics ? json_object_get_member(metrics, key) : NULL;
  return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : (double) NAN;
}

/* Lists the methods that occur in any run, in order. */
static GPtrArray *
list_methods(const Output *output)
{
  GPtrArray *methods = g_ptr_array_new_with_free_func(g_free);

  for (guint i = 0; i < output->results->len; i++) {
    g_autoptr(GList) names =
      get_metrics(output, i) ? json_object_get_members(get_metrics(output, i)) : NULL;

    for (GList *name = names; name; name = name->next)
      if (JSON_NODE_HOLDS_OBJECT(json_object_get_member(get_metrics(output, i), name->data)) &&
          !g_ptr_array_find_with_equal_func(methods, name->data, g_str_equal, NULL))
        g_ptr_array_add(methods, g_strdup(name->data));
  }
  return methods;
}

/* ---- the table ---- */

/* Lists columns like "pod.relative_l2" in order of appearance. */
static GPtrArray *
list_columns(const Output *output, const GPtrArray *methods)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func(g_free);

  for (guint i = 0; i < output->results->len; i++)
    for (guint e = 0; e < MAX(methods->len, 1); e++) {
      JsonObject      *object = get_metrics(output, i);
      const char      *method = methods->len ? methods->pdata[e] : NULL;
      g_autoptr(GList) names = NULL;

      if (object && method)
        object = json_object_has_member(object, method)
                   ? json_object_get_object_member(object, method)
                   : NULL;
      names = object ? json_object_get_members(object) : NULL;
      for (GList *name = names; name; name = name->next) {
        g_autofree char *column =
          method ? g_strdup_printf("%s.%s", method, (char *) name->data) : g_strdup(name->data);

        if (JSON_NODE_HOLDS_VALUE(json_object_get_member(object, name->data)) &&
            !g_ptr_array_find_with_equal_func(columns, column, g_str_equal, NULL))
          g_ptr_array_add(columns, g_steal_pointer(&column));
      }
    }
  return columns;
}

static void
append_number(GString *text, double value)
{
  g_autofree char *number = isfinite(value) ? lac_number_dup_text(value) : g_strdup("");

  g_string_append_printf(text, ",%s", number);
}

static void
append_row(GString *text, const Output *output, const GPtrArray *columns, guint i)
{
  const LacSweep *sweep = output->request->sweep;
  JsonObject     *result = json_node_get_object(g_ptr_array_index(output->results, i));

  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++) {
    g_auto(GStrv)    parts = g_strsplit(lac_sweep_get_value(sweep, k, i), "\"", -1);
    g_autofree char *quoted = g_strjoinv("\"\"", parts);

    g_string_append_printf(text, "\"%s\",", quoted);
  }
  g_string_append(text, json_object_get_string_member_with_default(result, "outcome", "failed"));
  for (guint c = 0; c < columns->len; c++) {
    g_auto(GStrv) parts = g_strsplit(columns->pdata[c], ".", 2);

    append_number(text, parts[1] ? get_value(output, i, parts[0], parts[1])
                                 : get_value(output, i, NULL, parts[0]));
  }
  if (output->bands) {
    const LacRandomBand *band = &g_array_index(output->bands, LacRandomBand, i);

    append_number(text, band->low);
    append_number(text, band->median);
    append_number(text, band->high);
    append_number(text, band->n);
  }
  g_string_append_c(text, '\n');
}

static gboolean
write_table(const Output *output, const GPtrArray *methods, const char *path, GError **error)
{
  g_autoptr(GPtrArray) columns = list_columns(output, methods);
  g_autoptr(GString)   text = g_string_new(NULL);
  g_autoptr(GError)    why = NULL;

  for (gsize k = 0; k < lac_sweep_get_n_keys(output->request->sweep); k++)
    g_string_append_printf(text, "%s,", lac_sweep_get_key(output->request->sweep, k));
  g_string_append(text, "outcome");
  for (guint c = 0; c < columns->len; c++)
    g_string_append_printf(text, ",%s", (char *) columns->pdata[c]);
  if (output->bands)
    g_string_append(text, ",random_p10,random_median,random_p90,random_draws");
  g_string_append_c(text, '\n');
  for (guint i = 0; i < output->results->len; i++)
    append_row(text, output, columns, i);
  if (g_file_set_contents(path, text->str, (gssize) text->len, &why))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path,
              why->message);
  return FALSE;
}

/* ---- the chart ---- */

/* Returns the first key with only numeric values; -1: none. */
static gssize
find_axis(const Output *output)
{
  const LacSweep *sweep = output->request->sweep;
  double          value;

  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++) {
    gboolean numbers = TRUE;

    for (guint i = 0; i < output->results->len; i++)
      numbers = numbers && lac_number_parse(lac_sweep_get_value(sweep, k, i), &value);
    if (numbers)
      return (gssize) k;
  }
  return -1;
}

/* Returns the display name of a method; NULL: the run itself, named after the experiment. */
static const char *
name_method(const Output *output, const char *method)
{
  const LacOutline *outline = output->outline;

  for (gsize m = 0; method && m < outline->n_metrics; m++)
    if (g_str_equal(lac_metric_group(&outline->metrics[m]), method))
      return lac_metric_group_label(method, outline->metrics, outline->n_metrics, outline->channels,
                                    outline->n_channels);
  return method ? method : output->request->experiment->title;
}

/* Returns "Gappy POD, noise = 5": the series of a point. */
static char *
dup_label(const Output *output, const char *name, guint i, gssize axis)
{
  const LacSweep *sweep = output->request->sweep;
  GString        *label = g_string_new(name);

  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    if ((gssize) k != axis)
      g_string_append_printf(label, ", %s = %s", lac_sweep_get_key(sweep, k),
                             lac_sweep_get_value(sweep, k, i));
  return g_string_free(label, FALSE);
}

static Line *
find_line(GArray *lines, const char *label, gsize most, gboolean with_band)
{
  Line line = {.label = NULL};

  for (guint k = 0; k < lines->len; k++)
    if (g_str_equal(g_array_index(lines, Line, k).label, label))
      return &g_array_index(lines, Line, k);
  line.label = g_strdup(label);
  line.x = g_new(double, most);
  line.y = g_new(double, most);
  if (with_band) {
    line.low = g_new(double, most);
    line.high = g_new(double, most);
  }
  g_array_append_val(lines, line);
  return &g_array_index(lines, Line, lines->len - 1);
}

/* Inserts a point sorted by x, for runs in any order. @band: (nullable) */
static void
add_point(Line *line, double x, double y, const LacRandomBand *band)
{
  gsize at = line->n++;

  for (; at > 0 && line->x[at - 1] > x; at--) {
    line->x[at] = line->x[at - 1];
    line->y[at] = line->y[at - 1];
    if (band) {
      line->low[at] = line->low[at - 1];
      line->high[at] = line->high[at - 1];
    }
  }
  line->x[at] = x;
  line->y[at] = y;
  if (band) {
    line->low[at] = band->low;
    line->high[at] = band->high;
  }
}

/* Returns the reference value of the charted result for combination @i; NaN if there is none. */
static double
find_known(const Output *output, guint i)
{
  const LacRunRequest *request = output->request;
  g_autoptr(LacDraft)  draft = lac_draft_copy(request->draft);
  g_auto(LacOutline)   outline = {0};

  if (!lac_sweep_apply(request->sweep, i, draft, NULL))
    return NAN;
  outline = lac_experiment_outline(request->experiment, lac_draft_get_values(draft));
  const LacMetric *metric = &outline.metrics[outline.headline];

  return metric->has_reference ? metric->reference : (double) NAN;
}

/* Adds the reference values as dashed lines. */
static void
add_known(const Output *output, gssize axis, GArray *lines)
{
  for (guint i = 0; i < output->results->len; i++) {
    g_autofree char *label = dup_label(output, "known", i, axis);
    const double     y = find_known(output, i);
    double           x = 0;

    if (!isfinite(y))
      continue;
    lac_number_parse(lac_sweep_get_value(output->request->sweep, (gsize) axis, i), &x);
    Line *line = find_line(lines, label, output->results->len, FALSE);

    line->dashed = TRUE;
    add_point(line, x, y, NULL);
  }
}

static GArray *
collect_lines(const Output *output, const GPtrArray *methods, gssize axis)
{
  const LacMetric *metric = &output->outline->metrics[output->outline->headline];
  const gsize      most = output->results->len;
  GArray          *lines = g_array_new(FALSE, FALSE, sizeof(Line));

  g_array_set_clear_func(lines, line_clear);
  for (guint e = 0; e < MAX(methods->len, 1); e++)
    for (guint i = 0; i < most; i++) {
      const char      *method = methods->len ? methods->pdata[e] : NULL;
      g_autofree char *label = dup_label(output, name_method(output, method), i, axis);
      const double     y = get_value(output, i, method, metric->key);
      double           x = 0;

      lac_number_parse(lac_sweep_get_value(output->request->sweep, (gsize) axis, i), &x);
      if (isfinite(y))
        add_point(find_line(lines, label, most, FALSE), x, y, NULL);
    }
  for (guint i = 0; output->bands && i < most; i++) {
    const LacRandomBand *band = &g_array_index(output->bands, LacRandomBand, i);
    g_autofree char     *name =
      g_strdup_printf("%s with random placement: median and 10–90 %% range of %d draws",
                      name_method(output, "pod"), LAC_RANDOM_DRAWS);
    g_autofree char *label = dup_label(output, name, i, axis);
    double           x = 0;

    lac_number_parse(lac_sweep_get_value(output->request->sweep, (gsize) axis, i), &x);
    if (band->n > 0)
      add_point(find_line(lines, label, most, TRUE), x, band->median, band);
  }
  add_known(output, axis, lines);
  return lines;
}

static gboolean
write_chart(const Output *output, const GPtrArray *methods, const char *stem, GError **error)
{
  static const char *const endings[] = {"svg", "png", "pdf"};
  const gssize             axis = find_axis(output);
  g_autoptr(GArray)        lines = axis >= 0 ? collect_lines(output, methods, axis) : NULL;
  const LacMetric         *metric = &output->outline->metrics[output->outline->headline];
  g_autofree char         *y_label = lac_label_with_unit(metric->label, metric->unit);
  g_autofree LacSeries    *series = g_new0(LacSeries, lines ? lines->len + 1 : 1);
  LacScan scan = {.title = output->request->experiment->title, .y_label = y_label, .lines = series};

  if (!lines || !lines->len)
    return TRUE;
  for (guint k = 0; k < lines->len; k++) {
    const Line *line = &g_array_index(lines, Line, k);

    series[k] = (LacSeries){.label = line->label,
                            .x = line->x,
                            .y = line->y,
                            .n = line->n,
                            .low = line->low,
                            .high = line->high,
                            .dashed = line->dashed || line->low != NULL};
  }
  const LacParam  *row = lac_param_find(&output->request->experiment->params,
                                        lac_sweep_get_key(output->request->sweep, (gsize) axis));
  g_autofree char *x_label = lac_label_with_unit(row->label, row->unit);

  scan.x_label = x_label;
  scan.n_lines = lines->len;
  for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
    g_autofree char *path = g_strdup_printf("%s.%s", stem, endings[i]);

    if (!lac_scan_write(&scan, path, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns: (transfer full): the common prefix of table and chart; %NULL with an error. */
static char *
write_files(const Output *output, GError **error)
{
  g_autofree char     *fallback = output->request->out ? NULL : lac_run_dup_default_folder();
  const char          *folder = output->request->out ? output->request->out : fallback;
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autofree char     *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");
  g_autofree char *name = g_strdup_printf("%s-sweep-%s", output->request->experiment->name, stamp);
  g_autofree char *stem = g_build_filename(folder, name, NULL);
  g_autofree char *table = g_strconcat(stem, ".csv", NULL);
  g_autoptr(GPtrArray) methods = list_methods(output);

  if (!write_table(output, methods, table, error) || !write_chart(output, methods, stem, error))
    return NULL;
  return g_steal_pointer(&stem);
}

/* Compares the runs that finished. Returns: (transfer full): sentences about the best combination; empty if
 * undecided */
static GStrv
dup_optima(const Output *output)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);

  for (guint i = 0; i < output->results->len; i++) {
    JsonObject *result = json_node_get_object(g_ptr_array_index(output->results, i));
    const char *path = json_object_get_string_member_with_default(result, "run", NULL);
    const char *outcome = json_object_get_string_member_with_default(result, "outcome", "");
    LacRunFile *run =
      path && g_str_equal(outcome, "finished") ? lac_run_file_open(path, NULL) : NULL;

    if (run)
      g_ptr_array_add(runs, run);
  }
  return runs->len < 2 ? g_new0(char *, 1)
                       : lac_compare_optima((LacRunFile *const *) runs->pdata, runs->len);
}

/* ---- all of it ---- */

static gboolean
is_caught(gpointer user_data)
{
  return lac_stop_guard_get_signal() != 0;
}

/* Returns: (transfer full) (nullable): the random bands of the combinations that ran, if the number of sensors is
 * swept. */
static GArray *
measure_bands(const LacRunRequest *request, guint n, GError **error)
{
  g_autoptr(GArray) bands = g_array_new(FALSE, TRUE, sizeof(LacRandomBand));
  gboolean          swept = FALSE;

  for (gsize k = 0; k < lac_sweep_get_n_keys(request->sweep); k++)
    swept = swept || g_str_equal(lac_sweep_get_key(request->sweep, k), "sensors");
  for (guint i = 0; swept && i < n; i++) {
    g_autoptr(LacDraft) draft = lac_draft_copy(request->draft);
    LacRunSettings      settings = lac_run_request_settings(request, draft);
    LacRandomBand       band;

    settings.seed = lac_sweep_get_seed(request->sweep, i, settings.seed);
    if (!lac_sweep_apply(request->sweep, i, draft, error))
      return NULL;
    if (!lac_random_band_is_possible(&settings))
      return NULL;
    /* an error here was already reported by the run of this combination */
    if (!lac_random_band_measure(&settings, is_caught, NULL, &band, NULL))
      band.n = 0;
    g_array_append_val(bands, band);
  }
  return swept ? g_steal_pointer(&bands) : NULL;
}

gboolean
lac_sweep_output_write(const LacRunRequest *request,
                       GPtrArray           *results,
                       JsonObject          *whole,
                       GError             **error)
{
  GError            *why = NULL;
  g_autoptr(GArray)  bands = measure_bands(request, results->len, &why);
  g_auto(LacOutline) outline =
    lac_experiment_outline(request->experiment, lac_draft_get_values(request->draft));
  const Output output = {request, results, bands, &outline};

  if (why) {
    g_propagate_error(error, why);
    return FALSE;
  }
  g_autofree char *stem = write_files(&output, error);
  if (stem == NULL)
    return FALSE;
  g_auto(GStrv) optima = dup_optima(&output);
  JsonArray    *sentences = json_array_new();
  if (!request->json)
    g_print("table and chart: %s.csv, .svg, .png, .pdf\n", stem);
  for (gsize i = 0; optima[i] != NULL; i++) {
    json_array_add_string_element(sentences, optima[i]);
    if (!request->json)
      g_print("%s\n", optima[i]);
  }
  json_object_set_string_member(whole, "sweep_files", stem);
  json_object_set_array_member(whole, "optima", sentences);
  return TRUE;
}
