/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of runs: each is a row of a table. A cell follows its item. */
#include "app/runs/columns.h"

#include "app/runs/pictures.h"
#include "app/runs/result.h"
#include "app/runs/thumbnail.h"
#include "app/session/run-group-item.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "base/number.h"
#include "experiment/experiment.h"
#include "report/text/words.h"
#include "run/library/best.h"
#include "run/library/group.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PICTURE_SIZE  36
#define RUN_WIDTH     160       /* minimum */
#define SETTING       "setting" /* data of the view: Setting */
#define MOST_SETTINGS 8         /* candidates for the column of a setting */
#define MOST_SUMMED   200 /* runs of a group whose results are summed up: a sweep has no more */
#define NOTHING       "–"
#define SHORT_S       10.0 /* durations below it are shown in seconds, not by the clock */

/* The setting with a column of its own. */
typedef struct {
  char                *key; /* "": none yet */
  GtkColumnViewColumn *column;
} Setting;

typedef struct {
  const char *title, *id;
  LacRunOrder order; /* LAC_N_RUN_ORDERS: not sorted */
  int         width;
  gboolean    is_number, is_important;
  /* Text of a cell, and (nullable) its tooltip. */
  char *(*text)(const LacRunHeadline *run);
  char *(*tip)(const LacRunHeadline *run);
  char *(*sum)(LacRunGroupItem *group); /* (nullable): text for a group */
  const char *style;                    /* (nullable) */
} Column;

/* ---- the run: its picture and its experiment ---- */

typedef struct {
  GtkWidget *box, *picture, *folder, *title;
} RunCell;

/* Returns the widgets of a cell: an expander with a box in it. */
static RunCell
parts_of(GtkListItem *cell)
{
  RunCell parts;
  parts.box = gtk_tree_expander_get_child(GTK_TREE_EXPANDER(gtk_list_item_get_child(cell)));
  parts.picture = gtk_widget_get_first_child(parts.box);
  parts.folder = gtk_widget_get_next_sibling(parts.picture);
  parts.title = gtk_widget_get_last_child(parts.box);
  return parts;
}

static void
show_run(LacRunItem *item, GtkListItem *cell)
{
  const LacRunHeadline *run = lac_run_item_get(item);
  RunCell               parts = parts_of(cell);
  g_autofree char      *title =
    g_strdup_printf(run->is_baseline ? "%s ★" : "%s", g_dgettext(GETTEXT_PACKAGE, run->title));
  g_autofree char *tip = run->is_baseline
                           ? g_strdup_printf("%s\n%s", run->name, _("Baseline of the experiment"))
                           : g_strdup(run->name);
  lac_thumbnail_set(parts.picture, lac_run_item_get_picture(item));
  gtk_label_set_text(GTK_LABEL(parts.title), title);
  lac_tip_set(parts.title, tip);
  gtk_widget_set_visible(parts.picture, TRUE);
  gtk_widget_set_visible(parts.folder, FALSE);
  gtk_widget_remove_css_class(parts.title, "strong");
  lac_run_pictures_request(item);
}

static void
show_group(LacRunGroupItem *group, GtkListItem *cell)
{
  RunCell          parts = parts_of(cell);
  guint            n = g_list_model_get_n_items(lac_run_group_item_get_runs(group));
  g_autofree char *shown = lac_format_count(n);
  g_autofree char *count = g_strdup_printf(ngettext("%s run", "%s runs", n), shown);
  g_autofree char *name = g_strdup_printf("%s, %s", lac_run_group_item_get_title(group), count);
  gtk_label_set_text(GTK_LABEL(parts.title), name);
  lac_tip_set(parts.title, NULL);
  gtk_widget_set_visible(parts.picture, FALSE);
  gtk_widget_set_visible(parts.folder, TRUE);
  gtk_widget_add_css_class(parts.title, "strong");
  lac_accessible_name_cell(cell, name);
}

static GtkWidget *
make_run(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *picture = lac_thumbnail_new(PICTURE_SIZE, PICTURE_SIZE);
  GtkWidget *folder = gtk_image_new_from_icon_name("folder-symbolic");
  GtkWidget *title = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_box_append(GTK_BOX(box), picture);
  gtk_box_append(GTK_BOX(box), folder);
  gtk_box_append(GTK_BOX(box), title);
  GtkWidget *expander = gtk_tree_expander_new();
  gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), box);
  return expander;
}

/* Only groups can unfold; only they take the focus for it. */
static void
bind_run(GtkListItem *cell, LacColumnTable *table)
{
  GtkWidget                *expander = gtk_list_item_get_child(cell);
  g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(
    GTK_TREE_LIST_MODEL(lac_column_table_get_rows(table)), gtk_list_item_get_position(cell));
  gboolean is_group = gtk_tree_list_row_is_expandable(row);
  gboolean is_flat = !is_group && gtk_tree_list_row_get_depth(row) == 0;
  gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(expander), is_flat ? NULL : row);
  gtk_widget_set_focusable(expander, is_group);
}

static void
show_run_or_group(GtkListItem *cell, gpointer row)
{
  if (LAC_IS_RUN_GROUP_ITEM(row))
    show_group(row, cell);
  else
    show_run(row, cell);
}

static void
unbind_run(GtkListItem *cell)
{
  gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(gtk_list_item_get_child(cell)), NULL);
}

static const LacColumnCell run_cell = {make_run, bind_run, show_run_or_group, unbind_run};

/* ---- the outcome: a run that went wrong has a pill ---- */

static GtkWidget *
make_outcome(void)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_widget_set_halign(label, GTK_ALIGN_START);
  gtk_widget_set_valign(label, GTK_ALIGN_CENTER);
  return label;
}

static void
bind_nothing(GtkListItem *cell, LacColumnTable *table)
{
}

static void
unbind_nothing(GtkListItem *cell)
{
}

/* Returns: (transfer full): "6 finished", "4 of 6 finished". */
static char *
outcome_sum(LacRunGroupItem *group)
{
  GListModel *runs = lac_run_group_item_get_runs(group);
  guint       n = g_list_model_get_n_items(runs), n_finished = 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    n_finished += g_str_equal(lac_run_item_get(item)->outcome, "finished");
  }
  return n_finished == n ? g_strdup_printf(_("%u finished"), n)
                         : g_strdup_printf(_("%u of %u finished"), n_finished, n);
}

static void
show_outcome(GtkListItem *cell, gpointer row)
{
  GtkWidget       *label = gtk_list_item_get_child(cell);
  gboolean         is_group = LAC_IS_RUN_GROUP_ITEM(row);
  const char      *style = is_group ? "dim-label" : lac_run_item_get_style(lac_run_item_get(row));
  gboolean         is_bad = g_strcmp0(style, "warning") == 0 || g_strcmp0(style, "error") == 0;
  const char      *classes[] = {is_bad ? "outcome" : style, is_bad ? style : NULL, NULL};
  g_autofree char *text =
    is_group ? outcome_sum(row) : lac_run_item_dup_outcome(lac_run_item_get(row));
  const char *detail = is_group ? "" : lac_run_item_get(row)->detail;
  gtk_label_set_text(GTK_LABEL(label), text);
  lac_tip_set(label, *detail != '\0' ? detail : NULL);
  gtk_widget_set_css_classes(label, classes);
}

static const LacColumnCell outcome_cell = {make_outcome, bind_nothing, show_outcome,
                                           unbind_nothing};

/* ---- texts of runs ---- */

/* Returns: (transfer full): "16:40" today, "yesterday", "22 Nov", "22 Nov 2025". */
static char *
when_text(const LacRunHeadline *run)
{
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(run->started_s);
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autoptr(GDateTime) before = g_date_time_add_days(now, -1);
  if (run->started_s == 0 || then == NULL)
    return g_strdup(NOTHING);
  gint year = g_date_time_get_year(then), day = g_date_time_get_day_of_year(then);
  if (year == g_date_time_get_year(now) && day == g_date_time_get_day_of_year(now))
    return g_date_time_format(then, "%H:%M");
  if (year == g_date_time_get_year(before) && day == g_date_time_get_day_of_year(before))
    return g_strdup(_("yesterday"));
  /* a date of this year; of an earlier year */
  return g_date_time_format(then, year == g_date_time_get_year(now) ? _("%-d %b") : _("%-d %b %Y"));
}

static char *
result_tip(const LacRunHeadline *run)
{
  const LacHeadlineMetric *best = lac_run_headline_find_best(run);
  return best != NULL ? lac_word_dup_short(best->label) : NULL;
}

/* Returns: (transfer full): "0.41 s", "2:24", "1:02:03": a column is read by its digits. */
static char *
clock_text(double seconds)
{
  if (!isfinite(seconds) || seconds < 0)
    return g_strdup(NOTHING);
  if (seconds < SHORT_S)
    return lac_format_duration(seconds);
  gint64 whole = (gint64) llround(seconds), hours = whole / 3600;
  int    minutes = (int) (whole / 60 % 60), rest = (int) (whole % 60);
  return hours > 0 ? g_strdup_printf("%" PRId64 ":%02d:%02d", hours, minutes, rest)
                   : g_strdup_printf("%d:%02d", minutes, rest);
}

static char *
seconds_text(const LacRunHeadline *run)
{
  return clock_text(run->seconds);
}

static char *
seconds_tip(const LacRunHeadline *run)
{
  return lac_format_duration(run->seconds);
}

static char *
bytes_text(const LacRunHeadline *run)
{
  return lac_format_bytes((double) run->bytes);
}

static char *
tags_text(const LacRunHeadline *run)
{
  return g_strjoinv(", ", run->tags);
}

static char *
tags_tip(const LacRunHeadline *run)
{
  return *run->note != '\0' ? g_strdup(run->note) : NULL;
}

/* ---- texts of groups ---- */

static char *
seconds_sum(LacRunGroupItem *group)
{
  return clock_text(lac_run_group_item_get_seconds(group));
}

static char *
bytes_sum(LacRunGroupItem *group)
{
  return lac_format_bytes((double) lac_run_group_item_get_bytes(group));
}

/* Returns: (transfer full) (nullable): the run of a small group with the best result; NULL for runs of different
 * experiments. */
static LacRunItem *
find_best_run(LacRunGroupItem *group)
{
  GListModel           *runs = lac_run_group_item_get_runs(group);
  guint                 n = g_list_model_get_n_items(runs);
  g_autoptr(LacRunItem) best = NULL;
  for (guint i = 0; i < n && n <= MOST_SUMMED; i++) {
    g_autoptr(LacRunItem)    item = g_list_model_get_item(runs, i);
    const LacHeadlineMetric *result = lac_run_headline_find_best(lac_run_item_get(item));
    const LacHeadlineMetric *least =
      best != NULL ? lac_run_headline_find_best(lac_run_item_get(best)) : NULL;
    if (best != NULL &&
        !g_str_equal(lac_run_item_get(item)->experiment, lac_run_item_get(best)->experiment))
      return NULL;
    if (result != NULL &&
        (least == NULL || lac_result_is_better(result->key, result->value, least->value)))
      g_set_object(&best, item);
  }
  return g_steal_pointer(&best);
}

static char *
result_sum(LacRunGroupItem *group)
{
  g_autoptr(LacRunItem) best = find_best_run(group);
  return best != NULL ? lac_run_item_dup_best(lac_run_item_get(best)) : NULL;
}

static char *
method_sum(LacRunGroupItem *group)
{
  g_autoptr(LacRunItem) best = find_best_run(group);
  return best != NULL ? lac_result_dup_best_method_short(lac_run_item_get(best)) : NULL;
}

static const Column columns[] = {
  {N_("When"), "when", LAC_RUNS_BY_STARTED, 70, FALSE, TRUE, when_text, lac_run_item_dup_started,
   NULL, NULL},
  {N_("Best result"), "result", LAC_RUNS_BY_METRIC, 84, TRUE, TRUE, lac_run_item_dup_best,
   result_tip, result_sum, "strong"},
  {N_("by"), "method", LAC_N_RUN_ORDERS, 62, FALSE, FALSE, lac_result_dup_best_method_short,
   lac_result_dup_best_method, method_sum, "dim-label"},
  {N_("Time"), "time", LAC_RUNS_BY_SECONDS, 62, TRUE, TRUE, seconds_text, seconds_tip, seconds_sum,
   NULL},
  {N_("Size"), "size", LAC_RUNS_BY_BYTES, 70, TRUE, FALSE, bytes_text, NULL, bytes_sum, NULL},
  {N_("Outcome"), "outcome", LAC_RUNS_BY_OUTCOME, 86, FALSE, TRUE, NULL, NULL, NULL, NULL},
  {N_("Tags"), "tags", LAC_RUNS_BY_TAGS, 80, FALSE, FALSE, tags_text, tags_tip, NULL, NULL},
  {N_("Laboratory"), "laboratory", LAC_RUNS_BY_LABORATORY, 86, FALSE, FALSE,
   lac_run_item_dup_laboratory, NULL, NULL, NULL},
};

/* ---- cells: their row is a LacRunItem or a LacRunGroupItem, their data a Column ---- */

static char *
describe_cell(gpointer row, gconstpointer data)
{
  const Column *column = data;
  if (LAC_IS_RUN_GROUP_ITEM(row))
    return column->sum != NULL ? column->sum(row) : NULL;
  return column->text(lac_run_item_get(row));
}

static char *
explain_cell(gpointer row, gconstpointer data)
{
  const Column *column = data;
  return column->tip != NULL && LAC_IS_RUN_ITEM(row) ? column->tip(lac_run_item_get(row)) : NULL;
}

/* Keeps the order of groups. */
static int
compare(gpointer a, gpointer b, gconstpointer data)
{
  return lac_run_headline_compare(lac_run_item_get(a), lac_run_item_get(b),
                                  ((const Column *) data)->order);
}

static int
compare_experiments(gpointer a, gpointer b, gconstpointer data)
{
  return lac_run_headline_compare(lac_run_item_get(a), lac_run_item_get(b), LAC_RUNS_BY_EXPERIMENT);
}

static GtkColumnViewColumn *
add_column(LacColumnTable *table, const Column *column)
{
  const LacTableColumn like = {
    _(column->title),
    .id = column->id,
    .is_important = column->is_important,
    .width = column->width,
    .xalign = column->is_number ? 1 : 0,
    .ellipsize = PANGO_ELLIPSIZE_END,
    .style = column->style != NULL ? column->style
             : column->is_number   ? "numeric"
                                   : NULL,
    .text = describe_cell,
    .tip = explain_cell,
    .cell = column->text == NULL ? &outcome_cell : NULL,
    .compare = column->order < LAC_N_RUN_ORDERS ? compare : NULL,
  };
  return lac_column_table_add(table, &like, column);
}

/* ---- the column of one setting ---- */

/* Returns: (transfer full): "4 … 24" for the values of a group. */
static char *
dup_span(LacRunGroupItem *group, const char *key)
{
  GListModel      *runs = lac_run_group_item_get_runs(group);
  guint            n = g_list_model_get_n_items(runs);
  g_autofree char *low = NULL, *high = NULL;
  double           least = 0, most = 0, value;
  for (guint i = 0; i < n && n <= MOST_SUMMED; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    g_autofree char      *text = lac_run_headline_dup_setting(lac_run_item_get(item), key);
    if (text == NULL || !lac_number_parse(text, &value))
      return NULL;
    if (low == NULL || value < least) {
      g_free(low);
      low = g_strdup(text);
      least = value;
    }
    if (high == NULL || value > most) {
      g_free(high);
      high = g_strdup(text);
      most = value;
    }
  }
  if (low == NULL || least == most)
    return g_steal_pointer(&low);
  return g_strdup_printf("%s … %s", low, high);
}

static char *
describe_setting(gpointer row, gconstpointer data)
{
  const Setting *setting = data;
  if (LAC_IS_RUN_GROUP_ITEM(row))
    return dup_span(row, setting->key);
  const LacRunHeadline *run = lac_run_item_get(row);
  g_autofree char      *text = lac_run_headline_dup_setting(run, setting->key);
  return text != NULL ? lac_experiment_dup_shown(run->experiment, setting->key, text)
                      : g_strdup(NOTHING);
}

static int
compare_settings(gpointer a, gpointer b, gconstpointer data)
{
  g_autofree char *left = describe_setting(a, data), *right = describe_setting(b, data);
  double           x, y;
  if (lac_number_parse(left, &x) && lac_number_parse(right, &y))
    return (x > y) - (x < y);
  return g_utf8_collate(left, right);
}

static void
setting_free(gpointer data)
{
  Setting *setting = data;
  g_free(setting->key);
  g_free(setting);
}

static void
add_setting(LacColumnTable *table)
{
  static const LacTableColumn like = {
    .id = "setting",
    .width = 74,
    .xalign = 1,
    .ellipsize = PANGO_ELLIPSIZE_END,
    .style = "numeric",
    .text = describe_setting,
    .tip = describe_setting,
    .compare = compare_settings,
  };
  Setting       *setting = g_new(Setting, 1);
  LacTableColumn column = like;
  column.title = _("Setting");
  setting->key = g_strdup("");
  setting->column = lac_column_table_add(table, &column, setting);
  g_object_set_data_full(G_OBJECT(lac_column_table_get_view(table)), SETTING, setting,
                         setting_free);
}

/* Returns the number of different values of a setting among the runs of each experiment, beyond the first.
 * @is_number: 0 if a value is not a number */
static guint
count_other_values(const GPtrArray *runs, const char *key, gboolean is_number)
{
  g_autoptr(GHashTable) values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) experiments = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < runs->len; i++) {
    const LacRunHeadline *run = runs->pdata[i];
    g_autofree char      *text = lac_run_headline_dup_setting(run, key);
    double                number;
    if (text == NULL)
      continue;
    if (is_number && !lac_number_parse(text, &number))
      return 0;
    g_hash_table_add(experiments, (gpointer) run->experiment);
    g_hash_table_add(values, g_strdup_printf("%s=%s", run->experiment, text));
  }
  return g_hash_table_size(values) - g_hash_table_size(experiments);
}

/* Returns: (nullable): the setting with the most values, which tells the runs best from each other: a number, else any
 * other. */
static const char *
find_varied(const GPtrArray *runs, const GStrv keys)
{
  const char *found = NULL;
  for (guint wants_number = 2; wants_number-- > 0 && found == NULL;)
    for (guint k = 0, most = 0; keys[k] != NULL; k++) {
      guint n = count_other_values(runs, keys[k], wants_number == 1);
      found = n > most ? keys[k] : found;
      most = MAX(n, most);
    }
  return found;
}

void
lac_run_columns_find_setting(LacColumnTable *table, const GPtrArray *runs)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(table) && runs != NULL);
  Setting      *setting = g_object_get_data(G_OBJECT(lac_column_table_get_view(table)), SETTING);
  g_auto(GStrv) keys = lac_run_group_settings(runs, MOST_SETTINGS);
  const char   *key = find_varied(runs, keys);
  if (key == NULL || g_str_equal(key, setting->key))
    return;
  for (guint i = 0; i < runs->len; i++) {
    g_autofree char *text = lac_run_headline_dup_setting(runs->pdata[i], key);
    if (text == NULL)
      continue;
    g_autofree char *label = lac_result_dup_setting_label(runs->pdata[i], key);
    gtk_column_view_column_set_title(setting->column, label);
    lac_column_table_widen(table, setting->column, 0);
    break;
  }
  g_free(setting->key);
  setting->key = g_strdup(key);
}

void
lac_run_columns_add(LacColumnTable *table)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(table));
  GtkColumnView       *view = lac_column_table_get_view(table);
  const LacTableColumn run = {_("Run"), .width = RUN_WIDTH, .cell = &run_cell,
                              .compare = compare_experiments};
  lac_column_table_add(table, &run, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
    GtkColumnViewColumn *made = add_column(table, &columns[i]);
    if (columns[i].order == LAC_RUNS_BY_STARTED) {
      gtk_column_view_sort_by_column(view, made, GTK_SORT_DESCENDING);
      add_setting(table);
    }
  }
}
