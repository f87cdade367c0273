/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of operations. Rows are kept and updated, never replaced, and at most twice a second. */
#include "app/operation-table.h"

#include "app/operation-row.h"
#include "app/phrase.h"
#include "report/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define PERIOD_MS    500
#define RANGE_MS     120
#define NUMBER_WIDTH 78
#define NAME_WIDTH   190

struct _LacOperationTable {
  GtkWidget         parent_instance;
  GtkColumnView    *view;
  GListStore       *store;
  GHashTable       *rows; /* record name -> LacOperationRow, borrowed from the store */
  LacTimelineScope *scope;
  LacAggregates    *of_range; /* NULL: the sums of everything */
  guint             pending;
};

G_DEFINE_FINAL_TYPE(LacOperationTable, lac_operation_table, GTK_TYPE_WIDGET)

/* ---- columns ---- */

static char *
say_count(const LacAggregate *a)
{
  return lac_phrase_count(a->count);
}

static char *
say_share(const LacAggregate *a)
{
  return g_strdup_printf("%.1f %%", a->share * 100);
}

static char *
say_memory(const LacAggregate *a)
{
  return a->memory < 0 ? g_strdup("–") : lac_phrase_bytes((double) a->memory);
}

/* Work a nanosecond is work in units of 10^9 a second. */
static double
get_rate(const LacAggregate *a)
{
  return a->flops > 0 && a->total_ns > 0 ? a->flops / a->total_ns : 0;
}

static char *
say_rate(const LacAggregate *a)
{
  return get_rate(a) > 0 ? lac_number_text(get_rate(a)) : g_strdup("–");
}

static double
get_bandwidth(const LacAggregate *a)
{
  return a->bytes > 0 && a->total_ns > 0 ? a->bytes / a->total_ns : 0;
}

static char *
say_bandwidth(const LacAggregate *a)
{
  return get_bandwidth(a) > 0 ? lac_number_text(get_bandwidth(a)) : g_strdup("–");
}

static double
get_count(const LacAggregate *a)
{
  return (double) a->count;
}

#define TIME(name, field)                         \
  static double get_##name(const LacAggregate *a) \
  {                                               \
    return a->field;                              \
  }                                               \
  static char *say_##name(const LacAggregate *a)  \
  {                                               \
    return lac_phrase_span(a->field);             \
  }
TIME(total, total_ns)
TIME(self, self_ns)
TIME(mean, mean_ns)
TIME(min, min_ns)
TIME(max, max_ns)
TIME(p50, p50_ns)
TIME(p90, p90_ns)
TIME(p99, p99_ns)
#undef TIME

static double
get_share(const LacAggregate *a)
{
  return a->share;
}

static double
get_memory(const LacAggregate *a)
{
  return (double) a->memory;
}

typedef struct {
  const char *title;
  char *(*say)(const LacAggregate *aggregate);
  double (*get)(const LacAggregate *aggregate);
} Column;

static const Column columns[] = {
  {N_("Operation"), NULL, NULL},       {N_("Count"), say_count, get_count},
  {N_("Total"), say_total, get_total}, {N_("Self"), say_self, get_self},
  {N_("Mean"), say_mean, get_mean},    {N_("Min"), say_min, get_min},
  {N_("Median"), say_p50, get_p50},    {N_("90 %"), say_p90, get_p90},
  {N_("99 %"), say_p99, get_p99},      {N_("Max"), say_max, get_max},
  {N_("Share"), say_share, get_share}, {N_("Memory"), say_memory, get_memory},
  {N_("GFLOP/s"), say_rate, get_rate}, {N_("GB/s"), say_bandwidth, get_bandwidth},
};

static void
show_cell(LacOperationRow *row, GtkListItem *item)
{
  const Column *column = g_object_get_data(G_OBJECT(item), "column");
  GtkLabel     *label = GTK_LABEL(gtk_list_item_get_child(item));
  if (column->say == NULL) {
    gtk_label_set_text(label, lac_operation_row_get_name(row));
    return;
  }
  g_autofree char *text = column->say(lac_operation_row_get(row));
  gtk_label_set_text(label, text);
}

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const Column *column = user_data;
  GtkWidget    *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), column->say == NULL ? 0 : 1);
  if (column->say == NULL)
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  else
    gtk_widget_add_css_class(label, "numeric");
  g_object_set_data(G_OBJECT(item), "column", user_data);
  gtk_list_item_set_child(item, label);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  LacOperationRow *row = gtk_list_item_get_item(item);
  g_signal_connect_object(row, "updated", G_CALLBACK(show_cell), item, 0);
  show_cell(row, item);
}

static void
on_unbind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  g_signal_handlers_disconnect_by_data(gtk_list_item_get_item(item), item);
}

static int
compare(gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Column    *column = user_data;
  LacOperationRow *left = (LacOperationRow *) a, *right = (LacOperationRow *) b;
  if (column->get == NULL)
    return g_utf8_collate(lac_operation_row_get_name(left), lac_operation_row_get_name(right));
  double x = column->get(lac_operation_row_get(left)),
         y = column->get(lac_operation_row_get(right));
  return (x > y) - (x < y);
}

static GtkColumnViewColumn *
add_column(LacOperationTable *self, const Column *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), (gpointer) column);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), NULL);
  GtkColumnViewColumn *made = gtk_column_view_column_new(_(column->title), factory);
  g_autoptr(GtkSorter) sorter = GTK_SORTER(gtk_custom_sorter_new(compare, (gpointer) column, NULL));
  gtk_column_view_column_set_sorter(made, sorter);
  gtk_column_view_column_set_resizable(made, TRUE);
  gtk_column_view_column_set_expand(made, column->say == NULL);
  gtk_column_view_column_set_fixed_width(made, column->say == NULL ? NAME_WIDTH : NUMBER_WIDTH);
  gtk_column_view_append_column(self->view, made);
  g_object_unref(made);
  return made;
}

/* ---- rows ---- */

static const LacAggregate *
get_sums(LacOperationTable *self, gsize *n)
{
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  return self->of_range != NULL ? lac_aggregates_get(self->of_range, n)
                                : lac_recording_get_aggregates(recording, n);
}

/* An operation that the range does not have leaves the table. */
static void
remove_others(LacOperationTable *self, const LacAggregate *sums, gsize n)
{
  g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
  for (gsize i = 0; i < n; i++)
    g_hash_table_add(there, GUINT_TO_POINTER(sums[i].name));
  for (guint i = g_list_model_get_n_items(G_LIST_MODEL(self->store)); i-- > 0;) {
    g_autoptr(LacOperationRow) row = g_list_model_get_item(G_LIST_MODEL(self->store), i);
    gpointer                   key = GUINT_TO_POINTER(lac_operation_row_get(row)->name);
    if (g_hash_table_contains(there, key))
      continue;
    g_hash_table_remove(self->rows, key);
    g_list_store_remove(self->store, i);
  }
}

static gboolean
on_refresh(gpointer user_data)
{
  LacOperationTable *self = user_data;
  gsize              n;
  self->pending = 0;
  if (lac_timeline_scope_is_empty(self->scope))
    return G_SOURCE_REMOVE;
  const LacCapture *capture =
    lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope));
  const LacAggregate *sums = get_sums(self, &n);
  for (gsize i = 0; i < n; i++) {
    gpointer         key = GUINT_TO_POINTER(sums[i].name);
    LacOperationRow *row = g_hash_table_lookup(self->rows, key);
    if (row == NULL) {
      row = lac_operation_row_new(lac_capture_get_name(capture, sums[i].name));
      g_hash_table_insert(self->rows, key, row);
      lac_operation_row_update(row, &sums[i]);
      g_list_store_append(self->store, row);
      g_object_unref(row);
    } else {
      lac_operation_row_update(row, &sums[i]);
    }
  }
  if (g_hash_table_size(self->rows) > n)
    remove_others(self, sums, n);
  gtk_sorter_changed(gtk_column_view_get_sorter(self->view), GTK_SORTER_CHANGE_DIFFERENT);
  return G_SOURCE_REMOVE;
}

/* Sums over a range are made when it stands still. */
static gboolean
on_range(gpointer user_data)
{
  LacOperationTable *self = user_data;
  gint64             begin, end;
  g_clear_pointer(&self->of_range, lac_aggregates_free);
  if (lac_timeline_scope_get_range(self->scope, &begin, &end))
    self->of_range = lac_timeline_sum_range(
      lac_recording_get_timeline(lac_timeline_scope_get_recording(self->scope)), begin, end);
  return on_refresh(self);
}

static void
on_scope(LacOperationTable *self, guint what)
{
  if (what & LAC_SCOPE_RANGE) {
    g_clear_handle_id(&self->pending, g_source_remove);
    self->pending = g_timeout_add(RANGE_MS, on_range, self);
  } else if ((what & LAC_SCOPE_DATA) && self->pending == 0) {
    self->pending = g_timeout_add(PERIOD_MS, on_range, self);
  }
  if ((what & LAC_SCOPE_DATA) &&
      (what & LAC_SCOPE_VIEW)) { /* another recording: its names are others */
    g_list_store_remove_all(self->store);
    g_hash_table_remove_all(self->rows);
  }
}

static void
lac_operation_table_dispose(GObject *object)
{
  LacOperationTable *self = LAC_OPERATION_TABLE(object);
  g_clear_handle_id(&self->pending, g_source_remove);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->store);
  g_clear_pointer(&self->rows, g_hash_table_unref);
  g_clear_pointer(&self->of_range, lac_aggregates_free);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_operation_table_parent_class)->dispose(object);
}

static void
lac_operation_table_class_init(LacOperationTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_operation_table_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_operation_table_init(LacOperationTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  self->rows = g_hash_table_new(NULL, NULL);
  self->store = g_list_store_new(LAC_TYPE_OPERATION_ROW);
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  gtk_column_view_set_show_row_separators(self->view, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
    GtkColumnViewColumn *column = add_column(self, &columns[i]);
    if (columns[i].get == get_total)
      gtk_column_view_sort_by_column(self->view, column, GTK_SORT_DESCENDING);
  }
  GtkSorter        *sorter = g_object_ref(gtk_column_view_get_sorter(self->view));
  GtkSortListModel *sorted =
    gtk_sort_list_model_new(g_object_ref(G_LIST_MODEL(self->store)), sorter);
  GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(sorted));
  gtk_single_selection_set_autoselect(selection, FALSE);
  gtk_column_view_set_model(self->view, GTK_SELECTION_MODEL(selection));
  g_object_unref(selection);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Operations and their times"), -1);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->view));
  gtk_widget_set_parent(scroller, GTK_WIDGET(self));
}

void
lac_operation_table_set_scope(LacOperationTable *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_OPERATION_TABLE(self) && LAC_IS_TIMELINE_SCOPE(scope));
  g_return_if_fail(self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
