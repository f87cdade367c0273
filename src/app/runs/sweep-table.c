/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of a sweep. Its columns depend on the sweep, so the table is made anew when they change. */
#include "app/runs/sweep-table.h"

#include "app/runs/pictures.h"
#include "app/runs/result.h"
#include "app/runs/thumbnail.h"
#include "app/toolkit/column-table.h"
#include "app/toolkit/format.h"
#include "base/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define PICTURE_WIDTH  40
#define PICTURE_HEIGHT 22
#define VALUE_WIDTH    110
#define RESULT_WIDTH   92

typedef enum {
  SHOWS_VALUE,
  SHOWS_RESULT,
  SHOWS_TIME,
  SHOWS_MEMORY,
  SHOWS_SIZE,
  SHOWS_OUTCOME
} Content;

/* Data of a column: @i is a swept parameter or a column of the results. */
typedef struct {
  LacSweepTable *table;
  Content        content;
  guint          i;
} Shown;

/* Data of a row, which may outlive the results shown. */
typedef struct {
  LacSweepTable *table; /* borrowed */
  LacSweepRuns  *results;
  guint          point;
} Row;

struct _LacSweepTable {
  GtkWidget       parent_instance;
  LacSweepRuns   *results; /* (nullable) */
  char           *metric;
  LacRunFilter   *filter;  /* (nullable): shows all */
  LacColumnTable *table;   /* (nullable): without results */
  GPtrArray      *columns; /* Shown */
  char           *shape;   /* of the columns of @table */
};

G_DEFINE_FINAL_TYPE(LacSweepTable, lac_sweep_table, GTK_TYPE_WIDGET)

enum { CHOSEN, ACTIVATED, COLUMNS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const LacSweepPoint *
get_point(const Row *row)
{
  return lac_sweep_runs_get_point(row->results, row->point);
}

/* ---- cells ---- */

/* Returns the size of the run's folder in bytes; NaN: unknown. */
static double
get_size(const LacSweepPoint *point)
{
  return point->item != NULL ? (double) lac_run_item_get(point->item)->bytes : (double) NAN;
}

static char *
explain_memory(gpointer data, gconstpointer column)
{
  return g_strdup(_("Estimated from the settings"));
}

static char *
describe(gpointer data, gconstpointer column)
{
  const Row           *row = data;
  const Shown         *shown = column;
  const LacSweepPoint *point = get_point(row);
  switch (shown->content) {
  case SHOWS_VALUE: return g_strdup(point->values[shown->i]);
  case SHOWS_TIME: return lac_format_duration(point->seconds);
  case SHOWS_OUTCOME: return g_strdup(point->words);
  case SHOWS_MEMORY: return lac_format_bytes(point->memory);
  case SHOWS_SIZE: return lac_format_bytes(get_size(point));
  case SHOWS_RESULT: {
    const LacSweepColumn *of = lac_sweep_runs_get_column(row->results, shown->i);
    return lac_result_dup_text(of->key, of->unit, point->results[shown->i]);
  }
  }
  g_return_val_if_reached(NULL);
}

static double
get_value(gpointer data, gconstpointer column)
{
  const Row           *row = data;
  const Shown         *shown = column;
  const LacSweepPoint *point = get_point(row);
  double               value = (double) row->point;
  switch (shown->content) {
  case SHOWS_VALUE: lac_number_parse(point->values[shown->i], &value); break;
  case SHOWS_TIME: value = point->seconds; break;
  case SHOWS_MEMORY: value = point->memory; break;
  case SHOWS_SIZE: value = get_size(point); break;
  case SHOWS_RESULT: value = point->results[shown->i]; break;
  case SHOWS_OUTCOME: break;
  }
  return value;
}

/* Orders swept values that are not numbers, and outcomes, as text. */
static int
compare(gpointer a, gpointer b, gconstpointer column)
{
  const Shown *shown = column;
  double       x = get_value(a, column), y = get_value(b, column);
  double       parsed;
  gboolean     is_text =
    shown->content == SHOWS_OUTCOME ||
    (shown->content == SHOWS_VALUE && !lac_number_parse(get_point(a)->values[shown->i], &parsed));
  if (is_text) {
    g_autofree char *left = describe(a, column), *right = describe(b, column);
    return g_utf8_collate(left, right);
  }
  if (isnan(x) || isnan(y))
    return isnan(y) - isnan(x);
  return (x > y) - (x < y);
}

static const char *
get_accent(gpointer data, gconstpointer column)
{
  const Row           *row = data;
  const Shown         *shown = column;
  const LacSweepTable *table = row->table;
  const LacSweepPoint *point = get_point(row);
  if (shown->content == SHOWS_OUTCOME)
    return point->item != NULL ? lac_run_item_get_style(lac_run_item_get(point->item))
                               : "dim-label";
  if (shown->content != SHOWS_RESULT || table->metric == NULL)
    return NULL;
  gssize best = lac_sweep_runs_find_best(row->results, row->point, table->metric);
  return best == (gssize) shown->i &&
             *lac_sweep_runs_get_column(row->results, shown->i)->group != '\0'
           ? "strong"
           : NULL;
}

/* ---- the first column: thumbnail and swept value ---- */

static GtkWidget *
make_first(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *picture = lac_thumbnail_new(PICTURE_WIDTH, PICTURE_HEIGHT);
  gtk_box_append(GTK_BOX(box), picture);
  GtkWidget *value = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(value), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(value, "numeric");
  gtk_box_append(GTK_BOX(box), value);
  return box;
}

static void
show_first(GtkListItem *cell, gpointer data)
{
  const Row           *row = data;
  const LacSweepPoint *point = get_point(row);
  GtkWidget           *picture = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  GtkWidget           *value = gtk_widget_get_next_sibling(picture);
  GdkTexture          *texture = point->item != NULL ? lac_run_item_get_picture(point->item) : NULL;
  lac_thumbnail_set(picture, texture);
  gtk_label_set_text(GTK_LABEL(value), point->values[0] != NULL ? point->values[0] : "");
  if (point->item != NULL)
    lac_run_pictures_request(point->item);
}

static void
bind_first(GtkListItem *cell, LacColumnTable *table)
{
}

static void
unbind_first(GtkListItem *cell)
{
}

static const LacColumnCell first_cell = {make_first, bind_first, show_first, unbind_first};

/* ---- columns ---- */

static GtkColumnViewColumn *
add_column(LacSweepTable *self, Content content, guint i, const LacTableColumn *like)
{
  Shown         *shown = g_new(Shown, 1);
  LacTableColumn column = *like;
  *shown = (Shown){self, content, i};
  g_ptr_array_add(self->columns, shown);
  column.text = describe;
  column.accent = get_accent;
  column.compare = compare;
  column.xalign = column.cell != NULL ? 0 : 1;
  column.style = "numeric";
  return lac_column_table_add(self->table, &column, shown);
}

static void
add_result(LacSweepTable *self, guint i)
{
  const LacSweepColumn *column = lac_sweep_runs_get_column(self->results, i);
  gboolean              is_method = *column->group != '\0';
  g_autofree char *title = is_method ? lac_run_item_dup_short_title(column->method, column->group)
                                     : g_strdup(column->label);
  add_column(self, SHOWS_RESULT, i,
             &(LacTableColumn){title, .id = column->key, .is_important = is_method,
                               .width = RESULT_WIDTH, .ellipsize = PANGO_ELLIPSIZE_END});
}

static gboolean
is_shown(LacSweepTable *self, guint i, gboolean of_methods)
{
  const LacSweepColumn *column = lac_sweep_runs_get_column(self->results, i);
  if (column->is_hidden || (*column->group != '\0') != of_methods)
    return FALSE;
  return !of_methods || g_strcmp0(column->own_key, self->metric) == 0;
}

static void
add_columns(LacSweepTable *self)
{
  const LacSweepRuns  *results = self->results;
  gboolean             has_keys = results->keys[0] != NULL;
  GtkColumnViewColumn *first =
    add_column(self, SHOWS_VALUE, 0,
               &(LacTableColumn){has_keys ? results->labels[0] : _("Run"), .width = VALUE_WIDTH,
                                 .cell = &first_cell});
  for (guint k = 1; has_keys && results->keys[k] != NULL; k++)
    add_column(self, SHOWS_VALUE, k,
               &(LacTableColumn){results->labels[k], .id = g_intern_string(results->keys[k]),
                                 .is_important = TRUE, .ellipsize = PANGO_ELLIPSIZE_END});
  for (guint of_methods = 2; of_methods-- > 0;)
    for (guint i = 0; i < results->columns->len; i++)
      if (is_shown(self, i, of_methods == 1))
        add_result(self, i);
  add_column(self, SHOWS_TIME, 0,
             &(LacTableColumn){_("Time"), .id = "seconds", .width = 84, .is_important = TRUE});
  add_column(
    self, SHOWS_MEMORY, 0,
    &(LacTableColumn){_("Memory (est.)"), .id = "memory", .width = 84, .tip = explain_memory});
  add_column(self, SHOWS_SIZE, 0, &(LacTableColumn){_("Size"), .id = "bytes", .width = 84});
  add_column(self, SHOWS_OUTCOME, 0,
             &(LacTableColumn){_("Outcome"), .id = "outcome", .width = 96, .is_important = TRUE});
  gtk_column_view_sort_by_column(lac_column_table_get_view(self->table), first, GTK_SORT_ASCENDING);
}

/* Returns: (transfer full): text that is the same for sweeps with the same columns. */
static char *
dup_shape(LacSweepTable *self)
{
  const LacSweepRuns *results = self->results;
  GString            *shape = g_string_new(self->metric);
  for (guint k = 0; results->keys[k] != NULL; k++)
    g_string_append_printf(shape, "\n%s", results->labels[k]);
  for (guint i = 0; i < results->columns->len; i++)
    g_string_append_printf(shape, "\n%s%d", lac_sweep_runs_get_column(results, i)->key,
                           lac_sweep_runs_get_column(results, i)->is_hidden);
  return g_string_free(shape, FALSE);
}

static void
on_chosen(LacSweepTable *self)
{
  g_signal_emit(self, signals[CHOSEN], 0);
}

static void
on_activated(LacColumnTable *table, guint position, LacSweepTable *self)
{
  const Row *row = lac_column_table_get_row(table, position);
  gtk_selection_model_select_item(lac_column_table_get_selection(table), position, TRUE);
  if (row != NULL && get_point(row)->item != NULL)
    g_signal_emit(self, signals[ACTIVATED], 0);
}

static void
drop_table(LacSweepTable *self)
{
  if (self->table != NULL) {
    g_signal_handlers_disconnect_by_data(self->table, self);
    gtk_widget_unparent(GTK_WIDGET(self->table));
  }
  self->table = NULL;
  g_ptr_array_set_size(self->columns, 0);
}

static void
make_table(LacSweepTable *self)
{
  drop_table(self);
  self->table = lac_column_table_new(_("Runs of this sweep"));
  add_columns(self);
  gtk_widget_add_css_class(GTK_WIDGET(lac_column_table_get_view(self->table)), "runs");
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_MULTIPLE);
  gtk_widget_set_parent(GTK_WIDGET(self->table), GTK_WIDGET(self));
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "activated", G_CALLBACK(on_activated), self, 0);
  g_signal_emit(self, signals[COLUMNS_CHANGED], 0);
}

/* ---- rows ---- */

static gboolean
matches(LacSweepTable *self, const LacSweepPoint *point)
{
  if (self->filter == NULL)
    return TRUE;
  return point->item != NULL && lac_run_filter_matches(self->filter, lac_run_item_get(point->item));
}

static void
row_free(gpointer data)
{
  Row *row = data;
  lac_sweep_runs_unref(row->results);
  g_free(row);
}

/* Follows the thumbnail and the notes of the run. */
static void
add_row(LacSweepTable *self, GPtrArray *rows, guint point)
{
  Row          *row = g_new(Row, 1);
  LacColumnRow *made;
  *row = (Row){self, lac_sweep_runs_ref(self->results), point};
  made = lac_column_row_new(row, row_free);
  if (get_point(row)->item != NULL)
    g_signal_connect_object(get_point(row)->item, "updated", G_CALLBACK(lac_column_row_updated),
                            made, G_CONNECT_SWAPPED);
  g_ptr_array_add(rows, made);
}

static void
choose(LacSweepTable *self,
       gboolean (*is_wanted)(const Row *row, gconstpointer data),
       gconstpointer data)
{
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty();
  for (guint i = 0; self->table != NULL && i < lac_column_table_get_n_rows(self->table); i++)
    if (is_wanted(lac_column_table_get_row(self->table, i), data))
      gtk_bitset_add(chosen, i);
  if (self->table != NULL)
    lac_column_table_choose(self->table, chosen);
}

static gboolean
is_named(const Row *row, gconstpointer names)
{
  const LacRunItem *item = get_point(row)->item;
  return item != NULL &&
         g_strv_contains((const char *const *) names, lac_run_item_get((LacRunItem *) item)->name);
}

static gboolean
is_point(const Row *row, gconstpointer point)
{
  return row->point == *(const guint *) point;
}

/* Returns: (transfer full): names of the selected runs. */
static GStrv
dup_chosen(LacSweepTable *self)
{
  g_autoptr(GPtrArray)    items = lac_sweep_table_get_selection(self);
  g_autoptr(GStrvBuilder) names = g_strv_builder_new();
  for (guint i = 0; i < items->len; i++)
    g_strv_builder_add(names, lac_run_item_get(items->pdata[i])->name);
  return g_strv_builder_end(names);
}

/* @chosen: names of the runs to select */
static void
fill(LacSweepTable *self, GStrv chosen)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < self->results->points->len; i++)
    if (matches(self, lac_sweep_runs_get_point(self->results, i)))
      add_row(self, rows, i);
  lac_column_table_replace(self->table, rows);
  choose(self, is_named, chosen);
}

void
lac_sweep_table_show(LacSweepTable *self, LacSweepRuns *results, const char *metric)
{
  g_return_if_fail(LAC_IS_SWEEP_TABLE(self));
  g_autoptr(LacSweepRuns) before = self->results;
  g_auto(GStrv)           chosen = dup_chosen(self);
  char                   *wanted = g_strdup(metric);
  self->results = results != NULL ? lac_sweep_runs_ref(results) : NULL;
  g_free(self->metric);
  self->metric = wanted;
  g_autofree char *shape = results != NULL ? dup_shape(self) : NULL;
  if (results == NULL)
    drop_table(self);
  else if (g_strcmp0(shape, self->shape) != 0)
    make_table(self);
  g_free(self->shape);
  self->shape = g_steal_pointer(&shape);
  if (results != NULL)
    fill(self, chosen);
}

void
lac_sweep_table_filter(LacSweepTable *self, const char *text)
{
  g_return_if_fail(LAC_IS_SWEEP_TABLE(self));
  g_auto(GStrv) chosen = dup_chosen(self);
  g_clear_pointer(&self->filter, lac_run_filter_free);
  self->filter = *text != '\0' ? lac_run_filter_new(text) : NULL;
  if (self->results != NULL)
    fill(self, chosen);
}

/* ---- selection ---- */

GPtrArray *
lac_sweep_table_get_selection(LacSweepTable *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_TABLE(self), NULL);
  GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
  if (self->table == NULL)
    return items;
  g_autoptr(GtkBitset) chosen =
    gtk_selection_model_get_selection(lac_column_table_get_selection(self->table));
  for (guint64 i = 0; i < gtk_bitset_get_size(chosen); i++) {
    const Row *row = lac_column_table_get_row(self->table, gtk_bitset_get_nth(chosen, (guint) i));
    if (row != NULL && get_point(row)->item != NULL)
      g_ptr_array_add(items, g_object_ref(get_point(row)->item));
  }
  return items;
}

gssize
lac_sweep_table_get_chosen(LacSweepTable *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_TABLE(self), -1);
  const Row *row = self->table != NULL ? lac_column_table_get_chosen(self->table) : NULL;
  return row != NULL ? (gssize) row->point : -1;
}

void
lac_sweep_table_select(LacSweepTable *self, const char *const *names)
{
  g_return_if_fail(LAC_IS_SWEEP_TABLE(self));
  choose(self, is_named, names);
  on_chosen(self);
}

void
lac_sweep_table_choose(LacSweepTable *self, guint point)
{
  g_return_if_fail(LAC_IS_SWEEP_TABLE(self));
  choose(self, is_point, &point);
}

guint
lac_sweep_table_get_n_shown(LacSweepTable *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_TABLE(self), 0);
  return self->table != NULL ? lac_column_table_get_n_rows(self->table) : 0;
}

GtkWidget *
lac_sweep_table_make_columns_button(LacSweepTable *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_TABLE(self) && self->table != NULL, NULL);
  return lac_column_table_make_menu_button(self->table);
}

/* ---- the object ---- */

static void
lac_sweep_table_dispose(GObject *object)
{
  LacSweepTable *self = LAC_SWEEP_TABLE(object);
  drop_table(self);
  G_OBJECT_CLASS(lac_sweep_table_parent_class)->dispose(object);
}

static void
lac_sweep_table_finalize(GObject *object)
{
  LacSweepTable *self = LAC_SWEEP_TABLE(object);
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  g_clear_pointer(&self->filter, lac_run_filter_free);
  g_ptr_array_unref(self->columns);
  g_free(self->metric);
  g_free(self->shape);
  G_OBJECT_CLASS(lac_sweep_table_parent_class)->finalize(object);
}

static void
lac_sweep_table_class_init(LacSweepTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_sweep_table_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_sweep_table_finalize;
  static const char *const names[] = {"chosen", "activated", "columns-changed"};
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new(names[i], LAC_TYPE_SWEEP_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_sweep_table_init(LacSweepTable *self)
{
  self->columns = g_ptr_array_new_with_free_func(g_free);
}
