/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are updated in place, at most twice a second. */
#include "app/timeline/tables/operation-table.h"

#include "app/toolkit/column-table.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "report/summary/operation-columns.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define PERIOD_MS    500
#define SOON_MS      20
#define MOST_NEW     6 /* rows added per main-loop iteration */
#define NUMBER_WIDTH 76
#define COUNT_WIDTH  88 /* "1 525 760" */
#define NAME_WIDTH   180
#define SWATCH       10
#define OWN_TIME     "self_seconds"

/* ---- a square in the colour of a name, which is looked up when drawn: it depends on the style ---- */

#define LAC_TYPE_NAME_SWATCH (lac_name_swatch_get_type())
G_DECLARE_FINAL_TYPE(LacNameSwatch, lac_name_swatch, LAC, NAME_SWATCH, LacDrawingView)

struct _LacNameSwatch {
  LacDrawingView    parent_instance;
  LacTimelineScope *scope; /* (nullable) */
  guint32           name;
};

G_DEFINE_FINAL_TYPE(LacNameSwatch, lac_name_swatch, LAC_TYPE_DRAWING_VIEW)

static void
lac_name_swatch_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacNameSwatch      *self = LAC_NAME_SWATCH(view);
  const LacSpanLooks *looks =
    self->scope != NULL ? lac_timeline_scope_get_looks(self->scope) : NULL;
  if (looks != NULL)
    lac_draw_rectangle(drawing, 0, 0, width, height,
                       lac_span_looks_get_colour(looks, self->name, lac_style_palette()));
}

static void
lac_name_swatch_dispose(GObject *object)
{
  g_clear_object(&LAC_NAME_SWATCH(object)->scope);
  G_OBJECT_CLASS(lac_name_swatch_parent_class)->dispose(object);
}

static void
lac_name_swatch_class_init(LacNameSwatchClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_name_swatch_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_name_swatch_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_name_swatch_init(LacNameSwatch *self)
{
  self->name = LAC_NO_NAME;
  gtk_widget_set_size_request(GTK_WIDGET(self), SWATCH, SWATCH);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

static GtkWidget *
make_swatch(void)
{
  return g_object_new(LAC_TYPE_NAME_SWATCH, NULL);
}

static void
set_swatch(LacNameSwatch *self, LacTimelineScope *scope, guint32 name)
{
  g_return_if_fail(LAC_IS_NAME_SWATCH(self));
  g_set_object(&self->scope, scope);
  self->name = name;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- the table ---- */

struct _LacOperationTable {
  GtkWidget         parent_instance;
  LacColumnTable   *table; /* rows: Row */
  GHashTable       *rows;  /* record name -> LacColumnRow, borrowed from the table */
  LacTimelineTimes *times;
  LacTimelineScope *scope; /* of @times, borrowed */
  guint             pending;
  gboolean          is_filling; /* TRUE: the selection changes with the rows */
};

G_DEFINE_FINAL_TYPE(LacOperationTable, lac_operation_table, GTK_TYPE_WIDGET)

enum { ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- columns: the name, then those of every table of operations ---- */

typedef struct {
  char             *name;
  LacTimelineScope *scope; /* borrowed */
  LacAggregate      sums;
  LacPeak           peak; /* roofline peaks of the recording machine */
} Row;

static void
row_free(gpointer data)
{
  g_free(((Row *) data)->name);
  g_free(data);
}

static GtkWidget *
make_name(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *label = gtk_label_new(NULL);
  GtkWidget *swatch = make_swatch();
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_margin_start(swatch, 6);
  gtk_box_append(GTK_BOX(box), swatch);
  gtk_box_append(GTK_BOX(box), label);
  return box;
}

static void
bind_name(GtkListItem *cell, LacColumnTable *table)
{
}

static void
show_name(GtkListItem *cell, gpointer data)
{
  const Row *row = data;
  GtkWidget *box = gtk_list_item_get_child(cell);
  set_swatch(LAC_NAME_SWATCH(gtk_widget_get_first_child(box)), row->scope, row->sums.name);
  gtk_label_set_text(GTK_LABEL(gtk_widget_get_last_child(box)), row->name);
}

static void
unbind_name(GtkListItem *cell)
{
  GtkWidget *box = gtk_list_item_get_child(cell);
  set_swatch(LAC_NAME_SWATCH(gtk_widget_get_first_child(box)), NULL, LAC_NO_NAME);
}

static const LacColumnCell name_cell = {make_name, bind_name, show_name, unbind_name};

static int
compare_names(gpointer a, gpointer b, gconstpointer data)
{
  return g_utf8_collate(((const Row *) a)->name, ((const Row *) b)->name);
}

static double
get_value(gpointer data, gconstpointer column)
{
  const Row *row = data;
  return ((const LacOperationColumn *) column)->get(&row->sums, &row->peak);
}

static char *
describe_value(gpointer data, gconstpointer user_data)
{
  const LacOperationColumn *column = user_data;
  const Row                *row = data;
  return column->kind == LAC_COLUMN_COUNT ? lac_format_count((guint64) get_value(data, user_data))
                                          : lac_operation_cell_text(column, &row->sums, &row->peak);
}

/* Capitalises a title: "total" becomes "Total"; "p50" stays. */
static char *
dup_title(const LacOperationColumn *column)
{
  const char *title =
    g_str_equal(column->key, OWN_TIME) ? _("own time") : g_dgettext(GETTEXT_PACKAGE, column->title);
  char first[8] = "";
  if (g_ascii_isdigit(title[1]))
    return g_strdup(title);
  g_unichar_to_utf8(g_unichar_totitle(g_utf8_get_char(title)), first);
  return g_strconcat(first, g_utf8_next_char(title), NULL);
}

static void
add_column(LacOperationTable *self, const LacOperationColumn *column)
{
  g_autofree char     *title = dup_title(column);
  const LacTableColumn like = {
    title,
    .id = column->key,
    .width = column->kind == LAC_COLUMN_COUNT ? COUNT_WIDTH : NUMBER_WIDTH,
    .is_important = column->is_narrow || g_str_equal(column->key, OWN_TIME),
    .is_optional = !column->is_first,
    .xalign = 1,
    .style = "numeric",
    .text = describe_value,
    .value = get_value};
  GtkColumnViewColumn *made = lac_column_table_add(self->table, &like, column);
  if (g_str_equal(column->key, OWN_TIME))
    gtk_column_view_sort_by_column(lac_column_table_get_view(self->table), made,
                                   GTK_SORT_DESCENDING);
}

/* ---- rows ---- */

/* Removes the rows of operations that do not occur in the range. */
static void
remove_others(LacOperationTable *self, const LacAggregate *sums, gsize n)
{
  g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
  for (gsize i = 0; i < n; i++)
    g_hash_table_add(there, GUINT_TO_POINTER(sums[i].name));
  GListStore *store = lac_column_table_get_store(self->table);
  for (guint i = g_list_model_get_n_items(G_LIST_MODEL(store)); i-- > 0;) {
    g_autoptr(LacColumnRow) row = g_list_model_get_item(G_LIST_MODEL(store), i);
    gpointer                key = GUINT_TO_POINTER(((Row *) lac_column_row_get(row))->sums.name);
    if (g_hash_table_contains(there, key))
      continue;
    g_hash_table_remove(self->rows, key);
    g_list_store_remove(store, i);
  }
}

static void
update_row(LacColumnRow *row, const LacAggregate *sums, const LacPeak *peak)
{
  Row *it = lac_column_row_get(row);
  if (memcmp(&it->sums, sums, sizeof *sums) == 0 && memcmp(&it->peak, peak, sizeof *peak) == 0)
    return;
  it->sums = *sums;
  it->peak = *peak;
  lac_column_row_updated(row);
}

static void
add_row(LacOperationTable *self, const char *name, const LacAggregate *sums, const LacPeak *peak)
{
  Row *it = g_new(Row, 1);
  *it = (Row){g_strdup(name), self->scope, *sums, *peak};
  g_autoptr(LacColumnRow) row = lac_column_row_new(it, row_free);
  g_hash_table_insert(self->rows, GUINT_TO_POINTER(sums->name), row);
  g_list_store_append(lac_column_table_get_store(self->table), row);
}

/* Selects the row of the chosen name. */
static void
show_chosen(LacOperationTable *self)
{
  const guint32        name = lac_timeline_scope_get_chosen(self->scope);
  const guint          n = lac_column_table_get_n_rows(self->table);
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty();
  for (guint i = 0; name != LAC_NO_NAME && i < n && gtk_bitset_is_empty(chosen); i++)
    if (((Row *) lac_column_table_get_row(self->table, i))->sums.name == name)
      gtk_bitset_add(chosen, i);
  lac_column_table_choose(self->table, chosen);
}

/* Leaves out the columns of a device where none ran. */
static void
offer_columns(LacOperationTable *self, const LacAggregate *sums, gsize n, const LacPeak *peak)
{
  gsize                     n_columns;
  const LacOperationColumn *columns = lac_operation_columns(&n_columns);
  for (gsize i = 0; i < n_columns; i++)
    lac_column_table_offer(self->table, columns[i].key,
                           lac_operation_column_applies(&columns[i], sums, n, peak));
}

/* Adds new rows a few at a time, since each consists of a dozen labels. Returns: FALSE while some are missing. */
static gboolean
fill(LacOperationTable *self)
{
  gsize             n, n_new = 0;
  const LacCapture *capture =
    lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope));
  const LacSpanLooks *looks = lac_timeline_scope_get_looks(self->scope);
  const LacAggregate *sums = lac_timeline_times_get_rows(self->times, &n);
  const LacPeak       peak = lac_peak_of_capture(capture);
  for (gsize i = 0; i < n; i++) {
    LacColumnRow *row = g_hash_table_lookup(self->rows, GUINT_TO_POINTER(sums[i].name));
    if (row != NULL)
      update_row(row, &sums[i], &peak);
    else if (n_new++ < MOST_NEW)
      add_row(self, lac_span_looks_get_label(looks, sums[i].name), &sums[i], &peak);
  }
  if (g_hash_table_size(self->rows) > n)
    remove_others(self, sums, n);
  offer_columns(self, sums, n, &peak);
  return n_new <= MOST_NEW;
}

static gboolean
on_refresh(gpointer user_data)
{
  LacOperationTable *self = user_data;
  self->pending = 0;
  if (lac_timeline_scope_is_empty(self->scope) || !gtk_widget_get_mapped(GTK_WIDGET(self)))
    return G_SOURCE_REMOVE;
  self->is_filling = TRUE;
  if (!fill(self))
    self->pending = g_timeout_add(SOON_MS, on_refresh, self);
  lac_column_table_sort(self->table);
  show_chosen(self);
  self->is_filling = FALSE;
  return G_SOURCE_REMOVE;
}

static void
on_chosen(LacOperationTable *self)
{
  const Row *row = lac_column_table_get_chosen(self->table);
  if (self->scope != NULL && !self->is_filling)
    lac_timeline_scope_choose(self->scope, row != NULL ? row->sums.name : LAC_NO_NAME);
}

static void
on_activated(LacOperationTable *self)
{
  g_signal_emit(self, signals[ACTIVATED], 0);
}

static void
wait_anew(LacOperationTable *self, guint ms)
{
  g_clear_handle_id(&self->pending, g_source_remove);
  self->pending = g_timeout_add(ms, on_refresh, self);
}

static void
show_colours(LacOperationTable *self)
{
  GListModel *rows = G_LIST_MODEL(lac_column_table_get_store(self->table));
  for (guint i = 0; i < g_list_model_get_n_items(rows); i++) {
    g_autoptr(LacColumnRow) row = g_list_model_get_item(rows, i);
    lac_column_row_updated(row);
  }
}

/* Updates the table only while it is visible. */
static void
on_scope(LacOperationTable *self, guint what)
{
  const gboolean is_seen = gtk_widget_get_mapped(GTK_WIDGET(self));
  if ((what & LAC_SCOPE_DATA) &&
      (what & LAC_SCOPE_VIEW)) { /* another recording: other name indices */
    self->is_filling = TRUE;
    g_list_store_remove_all(lac_column_table_get_store(self->table));
    self->is_filling = FALSE;
    g_hash_table_remove_all(self->rows);
  }
  if (is_seen && (what & LAC_SCOPE_CHOSEN)) {
    show_chosen(self);
    wait_anew(self, SOON_MS); /* another limit */
  } else if (is_seen && (what & LAC_SCOPE_DATA) && self->pending == 0) {
    wait_anew(self, PERIOD_MS);
  }
  if (is_seen && (what & LAC_SCOPE_LOOKS))
    show_colours(self);
}

static void
on_times(LacOperationTable *self)
{
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    wait_anew(self, SOON_MS);
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
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_pointer(&self->rows, g_hash_table_unref);
  self->scope = NULL;
  g_clear_object(&self->times);
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

static const LacTableColumn name_column = {N_("Operation"), .width = NAME_WIDTH, .cell = &name_cell,
                                           .compare = compare_names};

static void
lac_operation_table_init(LacOperationTable *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->rows = g_hash_table_new(NULL, NULL);
  self->table = lac_column_table_new(_("Operations and their times"));
  gsize                     n;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  lac_column_table_add_all(self->table, &name_column, 1, NULL);
  for (gsize i = 0; i < n; i++)
    add_column(self, &columns[i]);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_SINGLE);
  gtk_widget_add_css_class(
    gtk_widget_get_parent(GTK_WIDGET(lac_column_table_get_view(self->table))), "steady");
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "activated", G_CALLBACK(on_activated), self,
                          G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand(GTK_WIDGET(self->table), TRUE);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->table));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
}

GtkWidget *
lac_operation_table_make_menu_button(LacOperationTable *self)
{
  g_return_val_if_fail(LAC_IS_OPERATION_TABLE(self), NULL);
  return lac_column_table_make_menu_button(self->table);
}

void
lac_operation_table_set_times(LacOperationTable *self, LacTimelineTimes *times)
{
  g_return_if_fail(LAC_IS_OPERATION_TABLE(self) && self->times == NULL);
  self->times = g_object_ref(times);
  self->scope = lac_timeline_times_get_scope(times);
  g_signal_connect_object(times, "changed", G_CALLBACK(on_times), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
}
