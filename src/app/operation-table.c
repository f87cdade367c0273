/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of operations. Rows are kept and updated, never replaced, and at most twice a second. */
#include "app/operation-table.h"

#include "app/accessible.h"
#include "app/column-choice.h"
#include "app/heading-width.h"
#include "app/operation-row.h"
#include "app/phrase.h"
#include "app/tab-stop.h"
#include "report/summary/operation-columns.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define PERIOD_MS    500
#define RANGE_MS     120
#define SOON_MS      20
#define MOST_NEW     6 /* rows of one turn of the main loop */
#define NUMBER_WIDTH 76
#define NAME_WIDTH   180

struct _LacOperationTable {
  GtkWidget         parent_instance;
  GtkColumnView    *view;
  GListStore       *store;
  GHashTable       *rows; /* record name -> LacOperationRow, borrowed from the store */
  LacTimelineScope *scope;
  LacAggregates    *of_range; /* NULL: the sums of everything */
  LacColumnChoice  *choice;
  guint             pending;
};

G_DEFINE_FINAL_TYPE(LacOperationTable, lac_operation_table, GTK_TYPE_WIDGET)

enum { ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- columns: the name, then those of every table of operations ---- */

static void
show_cell(LacOperationRow *row, GtkListItem *item)
{
  const LacOperationColumn *column = g_object_get_data(G_OBJECT(item), "column");
  GtkLabel                 *label = GTK_LABEL(gtk_list_item_get_child(item));
  if (column == NULL) {
    gtk_label_set_text(label, lac_operation_row_get_name(row));
    return;
  }
  const LacAggregate *sums = lac_operation_row_get(row);
  const LacPeak      *peak = lac_operation_row_get_peak(row);
  g_autofree char    *text = column->kind == LAC_COLUMN_COUNT
                               ? lac_phrase_count((guint64) column->get(sums, peak))
                               : lac_operation_cell_text(column, sums, peak);
  gtk_label_set_text(label, text);
}

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), user_data == NULL ? 0 : 1);
  if (user_data == NULL)
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

/* What is unknown comes last of the largest first. */
static double
value_of(const LacOperationColumn *column, LacOperationRow *row)
{
  double value = column->get(lac_operation_row_get(row), lac_operation_row_get_peak(row));
  return isnan(value) ? -G_MAXDOUBLE : value;
}

static int
compare(gconstpointer a, gconstpointer b, gpointer user_data)
{
  LacOperationRow *left = (LacOperationRow *) a, *right = (LacOperationRow *) b;
  if (user_data == NULL)
    return g_utf8_collate(lac_operation_row_get_name(left), lac_operation_row_get_name(right));
  double x = value_of(user_data, left), y = value_of(user_data, right);
  return (x > y) - (x < y);
}

/* "total" heads a column of the window as "Total", "p50" as it is. */
static char *
dup_title(const LacOperationColumn *column)
{
  const char *title = column == NULL ? _("Operation") : g_dgettext(GETTEXT_PACKAGE, column->title);
  char        first[8] = "";
  if (g_ascii_isdigit(title[1]))
    return g_strdup(title);
  g_unichar_to_utf8(g_unichar_totitle(g_utf8_get_char(title)), first);
  return g_strconcat(first, g_utf8_next_char(title), NULL);
}

/* @column: NULL: the name */
static GtkColumnViewColumn *
add_column(LacOperationTable *self, const LacOperationColumn *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_autofree char    *title = dup_title(column);
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), (gpointer) column);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), NULL);
  GtkColumnViewColumn *made = gtk_column_view_column_new(title, factory);
  g_autoptr(GtkSorter) sorter = GTK_SORTER(gtk_custom_sorter_new(compare, (gpointer) column, NULL));
  gtk_column_view_column_set_sorter(made, sorter);
  gtk_column_view_column_set_resizable(made, TRUE);
  int least = column == NULL ? NAME_WIDTH : NUMBER_WIDTH;
  gtk_column_view_column_set_fixed_width(
    made, MAX(least, lac_heading_width(GTK_WIDGET(self->view), title)));
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

/* A list holds on to the row at its top wherever that goes; who looks at the first row wants to go on seeing the first. */
static void
sort_anew(LacOperationTable *self)
{
  GtkAdjustment *down = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(self->view));
  const gboolean is_at_top = gtk_adjustment_get_value(down) <= gtk_adjustment_get_lower(down);
  gtk_sorter_changed(gtk_column_view_get_sorter(self->view), GTK_SORTER_CHANGE_DIFFERENT);
  if (is_at_top)
    gtk_widget_activate_action(gtk_widget_get_last_child(GTK_WIDGET(self->view)),
                               "list.scroll-to-item", "u", 0);
}

static gboolean on_range(gpointer user_data);

/* Rows that are new come a few at a time: each is a dozen of labels. */
static gboolean
on_refresh(gpointer user_data)
{
  LacOperationTable *self = user_data;
  gsize              n, n_new = 0;
  self->pending = 0;
  if (lac_timeline_scope_is_empty(self->scope))
    return G_SOURCE_REMOVE;
  const LacCapture *capture =
    lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope));
  const LacAggregate *sums = get_sums(self, &n);
  const LacPeak       peak = lac_peak_of_capture(capture);
  for (gsize i = 0; i < n; i++) {
    gpointer         key = GUINT_TO_POINTER(sums[i].name);
    LacOperationRow *row = g_hash_table_lookup(self->rows, key);
    if (row == NULL && n_new++ < MOST_NEW) {
      row = lac_operation_row_new(lac_capture_get_name(capture, sums[i].name));
      g_hash_table_insert(self->rows, key, row);
      lac_operation_row_update(row, &sums[i], &peak);
      g_list_store_append(self->store, row);
      g_object_unref(row);
    } else if (row != NULL) {
      lac_operation_row_update(row, &sums[i], &peak);
    }
  }
  if (n_new > MOST_NEW)
    self->pending = g_timeout_add(SOON_MS, on_range, self);
  if (g_hash_table_size(self->rows) > n)
    remove_others(self, sums, n);
  sort_anew(self);
  return G_SOURCE_REMOVE;
}

/* Sums over a range are made when it stands still. */
static gboolean
on_range(gpointer user_data)
{
  LacOperationTable *self = user_data;
  gint64             begin, end;
  self->pending = 0;
  if (!gtk_widget_get_mapped(GTK_WIDGET(self)))
    return G_SOURCE_REMOVE;
  g_clear_pointer(&self->of_range, lac_aggregates_free);
  if (lac_timeline_scope_get_range(self->scope, &begin, &end))
    self->of_range = lac_timeline_sum_range(
      lac_recording_get_timeline(lac_timeline_scope_get_recording(self->scope)), begin, end);
  return on_refresh(self);
}

/* Its durations are looked at. */
static void
on_chosen(GtkSingleSelection *selection, GParamSpec *pspec, LacOperationTable *self)
{
  LacOperationRow *row = gtk_single_selection_get_selected_item(selection);
  if (row != NULL && self->scope != NULL)
    lac_timeline_scope_watch(self->scope, lac_operation_row_get(row)->name);
}

static void
on_activated(GtkColumnView *view, guint position, LacOperationTable *self)
{
  g_signal_emit(self, signals[ACTIVATED], 0);
}

static void
wait_anew(LacOperationTable *self, guint ms)
{
  g_clear_handle_id(&self->pending, g_source_remove);
  self->pending = g_timeout_add(ms, on_range, self);
}

/* What is not seen is not kept up to date. */
static void
on_scope(LacOperationTable *self, guint what)
{
  const gboolean is_seen = gtk_widget_get_mapped(GTK_WIDGET(self));
  if (is_seen && (what & LAC_SCOPE_RANGE))
    wait_anew(self, RANGE_MS);
  else if (is_seen && (what & LAC_SCOPE_DATA) && self->pending == 0)
    wait_anew(self, PERIOD_MS);
  if ((what & LAC_SCOPE_DATA) &&
      (what & LAC_SCOPE_VIEW)) { /* another recording: its names are others */
    g_list_store_remove_all(self->store);
    g_hash_table_remove_all(self->rows);
  }
}

static void
on_map(LacOperationTable *self)
{
  if (self->scope != NULL)
    wait_anew(self, SOON_MS);
}

static void
lac_operation_table_dispose(GObject *object)
{
  LacOperationTable *self = LAC_OPERATION_TABLE(object);
  g_clear_handle_id(&self->pending, g_source_remove);
  g_clear_object(&self->choice);
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
  signals[ACTIVATED] = g_signal_new("activated", LAC_TYPE_OPERATION_TABLE, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_operation_table_init(LacOperationTable *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_widget_add_css_class(scroller, "steady");
  self->rows = g_hash_table_new(NULL, NULL);
  self->store = g_list_store_new(LAC_TYPE_OPERATION_ROW);
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  gtk_column_view_set_show_row_separators(self->view, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  gsize                     n;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  self->choice = lac_column_choice_new(GTK_SCROLLED_WINDOW(scroller), add_column(self, NULL));
  for (gsize i = 0; i < n; i++) {
    GtkColumnViewColumn *column = add_column(self, &columns[i]);
    lac_column_choice_add(self->choice, columns[i].key, column, columns[i].is_narrow);
    if (g_str_equal(columns[i].key, "total_seconds"))
      gtk_column_view_sort_by_column(self->view, column, GTK_SORT_DESCENDING);
  }
  GtkSorter        *sorter = g_object_ref(gtk_column_view_get_sorter(self->view));
  GtkSortListModel *sorted =
    gtk_sort_list_model_new(g_object_ref(G_LIST_MODEL(self->store)), sorter);
  GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(sorted));
  gtk_single_selection_set_autoselect(selection, FALSE);
  gtk_single_selection_set_can_unselect(selection, TRUE);
  gtk_single_selection_set_selected(selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_object(selection, "notify::selected-item", G_CALLBACK(on_chosen), self, 0);
  g_signal_connect_object(self->view, "activate", G_CALLBACK(on_activated), self, 0);
  gtk_column_view_set_model(self->view, GTK_SELECTION_MODEL(selection));
  g_object_unref(selection);
  lac_accessible_name(self->view, _("Operations and their times"));
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->view));
  gtk_widget_set_hexpand(scroller, TRUE);
  gtk_box_append(GTK_BOX(box), lac_tab_stop_new(scroller));
  gtk_box_append(GTK_BOX(box), lac_column_choice_make_button(self->choice));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
}

void
lac_operation_table_set_scope(LacOperationTable *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_OPERATION_TABLE(self) && LAC_IS_TIMELINE_SCOPE(scope));
  g_return_if_fail(self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
