/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and columns of the tables of benchmarks. */
#include "app/benchmarks/table.h"

#include "app/benchmarks/bar-view.h"
#include "app/benchmarks/micro-columns.h"
#include "app/toolkit/tip.h"
#include "base/number-display.h"
#include "report/bench/names.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- lines ---- */

static void
line_free(gpointer data)
{
  LacBenchLine *line = data;

  g_free(line->name);
  g_free(line->laboratory);
  g_free(line->tier);
  lac_growth_line_clear(&line->growth);
  g_free(line);
}

static const LacBenchScore *
find(const GArray *scores, const char *name, const char *metric)
{
  for (guint i = 0; i < scores->len; i++) {
    const LacBenchScore *score = &g_array_index(scores, LacBenchScore, i);

    if (g_str_equal(score->row->name, name) && g_str_equal(score->row->metric, metric))
      return score;
  }
  return NULL;
}

static gboolean
fails(const LacBenchScore *score)
{
  return score->state == LAC_BENCH_FAILS;
}

/* The result of the physics, the first of these that was measured: of whole experiments, else after a few steps. */
static const struct {
  const char *metric;
  double      factor; /* to the unit shown */
  const char *unit;
} physics[] = {
  {"trained_error", 100, "%"},
  {"psnr_db", 1, "dB"},
  {"energy_error_millihartree", 1, "mHa"},
  {"pinn.relative_l2", 100, "%"},
};

static const LacBenchScore *
find_physics(const GArray *scores, const char *name)
{
  const LacBenchScore *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(physics) && found == NULL; i++)
    found = find(scores, name, physics[i].metric);
  return found;
}

/* Returns: (nullable): the first row of that name for which @is is true. */
static const LacBenchScore *
find_first(const GArray *scores, const char *name, gboolean (*is)(const LacBenchScore *score))
{
  for (guint i = 0; i < scores->len; i++) {
    const LacBenchScore *score = &g_array_index(scores, LacBenchScore, i);

    if (g_str_equal(score->row->name, name) && is(score))
      return score;
  }
  return NULL;
}

static LacBenchLine *
make_line(const GArray *scores, const char *name)
{
  LacBenchLine        *line = g_new0(LacBenchLine, 1);
  const LacBenchScore *failed = find_first(scores, name, fails);

  line->name = g_strdup(name);
  line->laboratory = lac_bench_dup_laboratory(name);
  line->tier = lac_bench_dup_tier(name);
  line->step = find(scores, name, "step_seconds");
  line->forward = find(scores, name, "forward_seconds");
  line->backward = find(scores, name, "backward_seconds");
  line->memory = find(scores, name, "training_peak_resident_bytes");
  line->physics = find_physics(scores, name);
  line->with = find(scores, name, "with_seconds");
  line->without = find(scores, name, "without_seconds");
  line->result = find(scores, name, "difference");
  line->shown = failed != NULL ? failed : line->step;
  return line;
}

/* The metric of the row that begins a line: there is one per name. In the gate every row is a line. */
static const char *const begins[LAC_N_BENCH_TABLES] = {
  [LAC_BENCH_TIERS] = "step_seconds",
  [LAC_BENCH_ABLATION] = "speedup",
  [LAC_BENCH_MICRO] = LAC_GROWTH_METRIC,
};

static gboolean
begins_line(LacBenchTable kind, const LacBenchScore *score)
{
  return begins[kind] == NULL || g_str_equal(score->row->metric, begins[kind]);
}

/* Adds the lines that fail, or the others: in the gate, those that fail come first. */
static void
add_lines(GPtrArray          *lines,
          LacBenchTable       kind,
          const LacBenchFile *file,
          const GArray       *scores,
          gboolean            failed)
{
  g_autofree char *above = NULL;

  for (guint i = 0; i < scores->len; i++) {
    const LacBenchScore *score = &g_array_index(scores, LacBenchScore, i);

    if (!begins_line(kind, score) || (kind == LAC_BENCH_GATE && failed != fails(score)))
      continue;
    LacBenchLine *line = make_line(scores, score->row->name);
    if (kind != LAC_BENCH_TIERS)
      line->shown = score;
    if (kind == LAC_BENCH_MICRO)
      lac_growth_line_init(&line->growth, file, line->name);
    if (kind == LAC_BENCH_TIERS && g_strcmp0(above, line->laboratory) == 0) {
      g_free(line->laboratory);
      line->laboratory = g_strdup("");
    } else {
      g_free(above);
      above = g_strdup(line->laboratory);
    }
    g_ptr_array_add(lines, lac_column_row_new(line, line_free));
  }
}

void
lac_bench_table_fill(LacColumnTable     *table,
                     LacBenchTable       kind,
                     const LacBenchFile *file,
                     const GArray       *scores)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_object_unref);

  if (scores != NULL && kind == LAC_BENCH_GATE)
    add_lines(lines, kind, file, scores, TRUE);
  if (scores != NULL)
    add_lines(lines, kind, file, scores, FALSE);
  lac_column_table_replace(table, lines);
}

GPtrArray *
lac_bench_line_dup_metrics(const LacBenchLine *line, const GArray *scores)
{
  GPtrArray *metrics = g_ptr_array_new();

  if (line->shown != NULL)
    g_ptr_array_add(metrics, (gpointer) line->shown->row->metric);
  for (guint i = 0; i < scores->len; i++) {
    const LacBenchRow *row = g_array_index(scores, LacBenchScore, i).row;

    if (g_str_equal(row->name, line->name) && (line->shown == NULL || row != line->shown->row))
      g_ptr_array_add(metrics, (gpointer) row->metric);
  }
  return metrics;
}

/* ---- values of limits ---- */

/* Returns the factor and unit in which @limit, or else @value, has few digits. */
static double
find_unit(const LacBenchRow *row, double value, const char **unit)
{
  const double size = row->limit > 0 ? row->limit : value;

  *unit = g_str_equal(row->unit, "1") ? "" : row->unit;
  if (g_str_equal(row->unit, "B"))
    *unit = size >= 1e8 ? "GB" : "MB";
  else if (g_str_equal(row->unit, "s") && size < 0.1)
    *unit = "ms";
  return g_str_equal(*unit, "GB")   ? 1e-9
         : g_str_equal(*unit, "MB") ? 1e-6
         : g_str_equal(*unit, "ms") ? 1e3
                                    : 1;
}

/* Returns: (transfer full): a value with two significant digits, or three from ten */
static char *
dup_short(double value)
{
  const double size = value > 0 ? pow(10, floor(log10(value)) - (value < 10 ? 1 : 2)) : 1;

  return lac_number_text(value < 100 ? round(value / size) * size : round(value));
}

/* @score: (nullable). Returns: NaN without a score */
static double
get_median(const LacBenchScore *score)
{
  return score != NULL ? lac_bench_row_median(score->row) : (double) NAN;
}

static char *
dup_value(const LacBenchScore *score)
{
  const double     value = get_median(score);
  const char      *unit;
  const double     factor = isfinite(value) ? find_unit(score->row, value, &unit) : 1;
  g_autofree char *number = isfinite(value) ? dup_short(value * factor) : NULL;

  if (number == NULL)
    return g_strdup("–");
  if (score->row->limit > 0 || *unit == '\0')
    return g_steal_pointer(&number);
  return g_strdup_printf("%s %s", number, unit);
}

/* Returns: (transfer full): "of 0.1 s"; "" without a limit */
static char *
dup_limit(const LacBenchScore *score)
{
  const char *unit;

  if (score == NULL || !(score->row->limit > 0))
    return g_strdup("");
  const double     factor = find_unit(score->row, 0, &unit);
  g_autofree char *number = lac_number_text(score->row->limit * factor);
  g_autofree char *limit =
    *unit != '\0' ? g_strdup_printf("%s %s", number, unit) : g_strdup(number);
  return g_strdup_printf(_("of %s"), limit);
}

static GtkWidget *
add_label(GtkWidget *box, float xalign, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_xalign(GTK_LABEL(label), xalign);
  gtk_widget_add_css_class(label, "numeric");
  gtk_widget_add_css_class(label, "bench-cell");
  if (class != NULL)
    gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return label;
}

static GtkWidget *
make_value(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);

  gtk_widget_set_hexpand(add_label(box, 1, NULL), TRUE);
  add_label(box, 1, "dim-label");
  gtk_box_append(GTK_BOX(box), lac_limit_bar_new());
  return box;
}

static void
bind_nothing(GtkListItem *cell, LacColumnTable *table)
{
}

static void
unbind_nothing(GtkListItem *cell)
{
}

static void
show_value(GtkListItem *cell, const LacBenchScore *score)
{
  GtkWidget       *value = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  GtkWidget       *limit = gtk_widget_get_next_sibling(value);
  GtkWidget       *bar = gtk_widget_get_next_sibling(limit);
  g_autofree char *words = dup_value(score), *of = dup_limit(score);
  const gboolean   has_limit = score != NULL && score->row->limit > 0;

  gtk_label_set_text(GTK_LABEL(value), words);
  gtk_label_set_text(GTK_LABEL(limit), of);
  gtk_widget_set_visible(limit, has_limit);
  gtk_widget_set_opacity(bar, has_limit ? 1 : 0);
  lac_limit_bar_set(LAC_LIMIT_BAR(bar),
                    has_limit ? lac_bench_row_median(score->row) / score->row->limit : (double) NAN,
                    has_limit && !lac_bench_row_passes(score->row));
}

#define VALUE_CELL(member)                                                             \
  static void show_##member(GtkListItem *cell, gpointer row)                           \
  {                                                                                    \
    show_value(cell, ((const LacBenchLine *) row)->member);                            \
  }                                                                                    \
  static const LacColumnCell member##_cell = {make_value, bind_nothing, show_##member, \
                                              unbind_nothing};

VALUE_CELL(step)
VALUE_CELL(forward)
VALUE_CELL(backward)
VALUE_CELL(memory)
VALUE_CELL(shown)

/* ---- before and now ---- */

static GtkWidget *
make_pair(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append(GTK_BOX(box), lac_before_after_new());
  gtk_widget_set_hexpand(add_label(box, 1, NULL), TRUE);
  return box;
}

static const char *
get_class(const LacBenchScore *score)
{
  return score == NULL                         ? "dim-label"
         : score->state == LAC_BENCH_FAILS     ? "error"
         : score->state == LAC_BENCH_GAINS     ? "success"
         : score->state == LAC_BENCH_UNDECIDED ? "dim-label"
                                               : NULL;
}

static void
show_pair(GtkListItem *cell, gpointer row)
{
  const LacBenchScore *score = ((const LacBenchLine *) row)->shown;
  GtkWidget           *bars = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  GtkWidget           *label = gtk_widget_get_next_sibling(bars);
  g_autofree char     *change = lac_change_text(score != NULL ? score->change : (double) NAN);
  const char          *classes[] = {"numeric", "bench-cell", get_class(score), NULL};
  const gboolean       has_before = score != NULL && score->before != NULL;
  const LacBenchState  state = score != NULL ? score->state : LAC_BENCH_HOLDS;

  gtk_label_set_text(GTK_LABEL(label), change);
  gtk_widget_set_css_classes(label, classes);
  if (state == LAC_BENCH_FAILS)
    gtk_widget_add_css_class(label, "heading");
  lac_before_after_set(LAC_BEFORE_AFTER(bars),
                       has_before ? lac_bench_row_median(score->before) : (double) NAN,
                       has_before ? lac_bench_row_median(score->row) : (double) NAN,
                       state == LAC_BENCH_FAILS   ? LAC_CHANGE_WORSE
                       : state == LAC_BENCH_GAINS ? LAC_CHANGE_BETTER
                                                  : LAC_CHANGE_NONE);
  g_autofree char *what = score != NULL ? lac_bench_dup_metric(score->row->metric) : NULL;
  lac_tip_set(gtk_list_item_get_child(cell), what);
}

static const LacColumnCell pair_cell = {make_pair, bind_nothing, show_pair, unbind_nothing};

/* The time without an optimisation above the time with it. */
static void
show_switched(GtkListItem *cell, gpointer row)
{
  const LacBenchLine *line = row;
  GtkWidget          *bars = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  const double        speed_up = lac_bench_row_median(line->shown->row);
  g_autofree char    *number = lac_number_dup_fixed(speed_up, speed_up < 10 ? 2 : 1);
  g_autofree char    *text = g_strconcat(number, "×", NULL);

  gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(bars)), text);
  if (line->with != NULL && line->without != NULL)
    lac_before_after_set(LAC_BEFORE_AFTER(bars), lac_bench_row_median(line->without->row),
                         lac_bench_row_median(line->with->row),
                         speed_up > 1 ? LAC_CHANGE_BETTER : LAC_CHANGE_NONE);
}

static const LacColumnCell switched_cell = {make_pair, bind_nothing, show_switched, unbind_nothing};

/* ---- cells of text ---- */

static char *
text_laboratory(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->laboratory);
}

static char *
text_tier(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->tier);
}

static char *
text_metric(gpointer row, gconstpointer data)
{
  return lac_bench_dup_metric(((const LacBenchLine *) row)->shown->row->metric);
}

static char *
tip_metric(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->shown->row->note);
}

static char *
text_item(gpointer row, gconstpointer data)
{
  g_autofree char *item = lac_bench_dup_item(((const LacBenchLine *) row)->name);
  char            *text = g_strdup(item);

  *text = g_ascii_toupper(*text);
  return text;
}

static char *
text_physics(gpointer row, gconstpointer data)
{
  const LacBenchScore *score = ((const LacBenchLine *) row)->physics;

  for (gsize i = 0; i < G_N_ELEMENTS(physics) && score != NULL; i++)
    if (g_str_equal(score->row->metric, physics[i].metric)) {
      g_autofree char *number = dup_short(physics[i].factor * lac_bench_row_median(score->row));
      return g_strdup_printf("%s %s", number, physics[i].unit);
    }
  return g_strdup("–");
}

static char *
tip_physics(gpointer row, gconstpointer data)
{
  const LacBenchScore *score = ((const LacBenchLine *) row)->physics;
  return score != NULL ? lac_bench_dup_metric(score->row->metric) : NULL;
}

static char *
dup_seconds(const LacBenchScore *score)
{
  return score != NULL ? lac_duration_text(lac_bench_row_median(score->row)) : g_strdup("–");
}

static char *
text_without(gpointer row, gconstpointer data)
{
  return dup_seconds(((const LacBenchLine *) row)->without);
}

static char *
text_with(gpointer row, gconstpointer data)
{
  return dup_seconds(((const LacBenchLine *) row)->with);
}

/* Every line has a row that is shown: that of its step, of its speed-up, or itself. */
static LacBenchState
get_state(gpointer row)
{
  return ((const LacBenchLine *) row)->shown->state;
}

static char *
text_gate(gpointer row, gconstpointer data)
{
  const LacBenchState state = get_state(row);
  const double        change = ((const LacBenchLine *) row)->shown->change;

  if (state == LAC_BENCH_UNDECIDED)
    return g_strdup("?");
  if (state != LAC_BENCH_FAILS)
    return g_strdup("✓");
  return isfinite(change) ? lac_change_text(change) : g_strdup(_("fails"));
}

static char *
tip_gate(gpointer row, gconstpointer data)
{
  static const char *const words[] = {
    [LAC_BENCH_HOLDS] = N_("Within its limits"),
    [LAC_BENCH_GAINS] = N_("Better than the baseline"),
    [LAC_BENCH_UNDECIDED] = N_("Undecided: more rounds are needed"),
    [LAC_BENCH_FAILS] = N_("Beyond its limit"),
  };

  return g_strdup(_(words[get_state(row)]));
}

static const char *
accent_gate(gpointer row, gconstpointer data)
{
  const LacBenchState state = get_state(row);

  return state == LAC_BENCH_FAILS       ? "error"
         : state == LAC_BENCH_UNDECIDED ? "dim-label"
                                        : "success";
}

/* The change of the result by an optimisation, within its limit. */
static char *
text_result(gpointer row, gconstpointer data)
{
  const LacBenchScore *result = ((const LacBenchLine *) row)->result;

  return result == NULL                      ? g_strdup("–")
         : lac_bench_row_passes(result->row) ? g_strdup("✓")
                                             : g_strdup(_("differs"));
}

static const char *
accent_result(gpointer row, gconstpointer data)
{
  const LacBenchScore *result = ((const LacBenchLine *) row)->result;

  return result == NULL ? "dim-label" : lac_bench_row_passes(result->row) ? "success" : "error";
}

/* The bounds of the interval as changes; ratios of rows where more is better are those of the baseline to now. */
static char *
text_interval(gpointer row, gconstpointer data)
{
  const LacBenchScore *score = ((const LacBenchLine *) row)->shown;
  const gboolean       is_inverse = lac_bench_kind_wants_more(score->row->kind);

  if (!isfinite(score->ratio.high) || !(score->ratio.low > 0))
    return g_strdup("–");
  g_autofree char *low =
    lac_change_text((is_inverse ? 1 / score->ratio.high : score->ratio.low) - 1);
  g_autofree char *high =
    lac_change_text((is_inverse ? 1 / score->ratio.low : score->ratio.high) - 1);
  return g_strdup_printf(_("%s to %s"), low, high);
}

static char *
text_allowed(gpointer row, gconstpointer data)
{
  const LacBenchScore *score = ((const LacBenchLine *) row)->shown;
  const gboolean       is_inverse = lac_bench_kind_wants_more(score->row->kind);

  if (score->row->kind == LAC_BENCH_QUALITY && score->limit == 1)
    return g_strdup(_("exact"));
  return lac_change_text((is_inverse ? 1 / score->limit : score->limit) - 1);
}

/* ---- columns ---- */

/* clang-format off */
static const LacTableColumn tiers[] = {
  {N_("Laboratory"), NULL, .width = 92, .expands = TRUE, .style = "heading", .text = text_laboratory},
  {N_("Tier"), "tier", .is_important = TRUE, .width = 54, .text = text_tier},
  {N_("Step"), "step", .is_important = TRUE, .width = 130, .xalign = 1, .cell = &step_cell},
  {N_("Forward"), "forward", .width = 130, .xalign = 1, .cell = &forward_cell},
  {N_("Backward"), "backward", .width = 130, .xalign = 1, .cell = &backward_cell},
  {N_("Memory"), "memory", .width = 136, .xalign = 1, .cell = &memory_cell},
  {N_("Before, now"), "change", .is_important = TRUE, .width = 126, .xalign = 1, .cell = &pair_cell},
  {N_("Physics"), "physics", .width = 80, .xalign = 1, .style = "numeric", .text = text_physics, .tip = tip_physics},
  {N_("Gate"), "gate", .is_important = TRUE, .width = 56, .xalign = 1, .style = "numeric", .text = text_gate, .tip = tip_gate, .accent = accent_gate},
};
static const LacTableColumn ablation[] = {
  {N_("Optimisation"), NULL, .width = 190, .expands = TRUE, .style = "heading", .text = text_item},
  {N_("Tier"), "tier", .is_important = TRUE, .width = 66, .text = text_tier},
  {N_("Without"), "without", .width = 96, .xalign = 1, .style = "numeric", .text = text_without},
  {N_("With"), "with", .width = 96, .xalign = 1, .style = "numeric", .text = text_with},
  {N_("Without, with"), "speed-up", .is_important = TRUE, .width = 170, .xalign = 1, .cell = &switched_cell},
  {N_("Result"), "result", .is_important = TRUE, .width = 70, .xalign = 1, .text = text_result, .accent = accent_result},
};
static const LacTableColumn gate[] = {
  {N_("Laboratory"), NULL, .width = 92, .style = "heading", .text = text_laboratory, .expands = TRUE},
  {N_("Tier"), "tier", .is_important = TRUE, .width = 66, .text = text_tier},
  {N_("Quantity"), "quantity", .is_important = TRUE, .width = 210, .ellipsize = PANGO_ELLIPSIZE_END, .text = text_metric, .tip = tip_metric},
  {N_("Now"), "now", .is_important = TRUE, .width = 150, .xalign = 1, .cell = &shown_cell},
  {N_("Before, now"), "change", .is_important = TRUE, .width = 146, .xalign = 1, .cell = &pair_cell},
  {N_("Interval (95 %)"), "interval", .width = 120, .xalign = 1, .style = "numeric", .text = text_interval},
  {N_("Limit"), "limit", .width = 66, .xalign = 1, .style = "numeric", .text = text_allowed},
  {N_("Gate"), "gate", .is_important = TRUE, .width = 60, .xalign = 1, .style = "numeric", .text = text_gate, .tip = tip_gate, .accent = accent_gate},
};
static const struct {
  const char           *name;
  const LacTableColumn *columns;
  gsize                 n;
} tables[LAC_N_BENCH_TABLES] = {
  [LAC_BENCH_TIERS] = {N_("Tiers, value of limit"), tiers, G_N_ELEMENTS(tiers)},
  [LAC_BENCH_ABLATION] = {N_("Gain of each optimisation"), ablation, G_N_ELEMENTS(ablation)},
  [LAC_BENCH_MICRO] = {N_("Exponents of time and memory as work grows"), lac_bench_micro_columns,
                       LAC_N_BENCH_MICRO_COLUMNS},
  [LAC_BENCH_GATE] = {N_("Rows of the gate"), gate, G_N_ELEMENTS(gate)},
};
/* clang-format on */

LacColumnTable *
lac_bench_table_new(LacBenchTable kind)
{
  LacColumnTable *table = lac_column_table_new(_(tables[kind].name));

  gtk_widget_add_css_class(GTK_WIDGET(lac_column_table_get_view(table)), "benchmarks");
  lac_column_table_add_all(table, tables[kind].columns, tables[kind].n, NULL);
  lac_column_table_set_rows(table, NULL, GTK_SELECTION_SINGLE);
  return table;
}
