/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, columns, order and selection. One widget per cell, updated with its row. */
#include "app/toolkit/column-table.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/column-choice.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tab-stop.h"
#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define COLUMN "column" /* object data of a cell: Column */
#define MARGIN 40       /* pixels of a heading around its text: padding, gap and sort arrow */
#define ARROW  24       /* the sort arrow and its gap */

/* ---- a row ---- */

typedef struct {
  gpointer       data;
  GDestroyNotify free_data;
} LacColumnRowPrivate;

G_DEFINE_TYPE_WITH_PRIVATE(LacColumnRow, lac_column_row, G_TYPE_OBJECT)

static guint row_updated;

static void
lac_column_row_finalize(GObject *object)
{
  LacColumnRowPrivate *row = lac_column_row_get_instance_private(LAC_COLUMN_ROW(object));
  if (row->free_data != NULL)
    row->free_data(row->data);
  G_OBJECT_CLASS(lac_column_row_parent_class)->finalize(object);
}

static void
lac_column_row_class_init(LacColumnRowClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_column_row_finalize;
  row_updated = g_signal_new("updated", LAC_TYPE_COLUMN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                             G_TYPE_NONE, 0);
}

static void
lac_column_row_init(LacColumnRow *self)
{
}

LacColumnRow *
lac_column_row_new(gpointer data, GDestroyNotify free_data)
{
  LacColumnRow        *self = g_object_new(LAC_TYPE_COLUMN_ROW, NULL);
  LacColumnRowPrivate *row = lac_column_row_get_instance_private(self);
  row->data = data;
  row->free_data = free_data;
  return self;
}

gpointer
lac_column_row_get(LacColumnRow *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_ROW(self), NULL);
  LacColumnRowPrivate *row = lac_column_row_get_instance_private(self);
  return row->data != NULL ? row->data : self;
}

void
lac_column_row_updated(LacColumnRow *self)
{
  g_return_if_fail(LAC_IS_COLUMN_ROW(self));
  g_signal_emit(self, row_updated, 0);
}

/* ---- the table ---- */

struct _LacColumnTable {
  GtkWidget          parent_instance;
  GtkColumnView     *view;
  LacColumnChoice   *choice;    /* NULL: every column is always shown */
  GListModel        *rows;      /* model of the selection */
  GListStore        *store;     /* (nullable): own rows; NULL: rows of another owner */
  GtkSelectionModel *selection; /* selection of @view */
  gboolean           is_quiet;  /* TRUE during changes that are not the user's */
};

G_DEFINE_FINAL_TYPE(LacColumnTable, lac_column_table, GTK_TYPE_WIDGET)

enum { CHOSEN, ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- cells ---- */

typedef struct {
  LacTableColumn  like;
  gconstpointer   data;
  LacColumnTable *table; /* owner */
} Column;

static void
show_label(GtkWidget *label, const Column *column, gpointer row)
{
  const LacTableColumn *like = &column->like;
  g_autofree char      *text = like->text(row, column->data);
  gtk_label_set_text(GTK_LABEL(label), text != NULL ? text : "");
  if (like->tip != NULL) {
    g_autofree char *tip = like->tip(row, column->data);
    lac_tip_set(label, tip);
  }
  if (like->accent != NULL) {
    const char *accent = like->accent(row, column->data);
    const char *classes[] = {accent != NULL ? accent : like->style,
                             accent != NULL ? like->style : NULL, NULL};
    gtk_widget_set_css_classes(label, classes);
  }
}

static void
show_cell(LacColumnRow *row, GtkListItem *cell)
{
  const Column *column = g_object_get_data(G_OBJECT(cell), COLUMN);
  if (column->like.cell != NULL)
    column->like.cell->show(cell, lac_column_row_get(row));
  else
    show_label(gtk_list_item_get_child(cell), column, lac_column_row_get(row));
}

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  const LacTableColumn *like = &((const Column *) user_data)->like;
  g_object_set_data(G_OBJECT(cell), COLUMN, user_data);
  if (like->cell != NULL) {
    gtk_list_item_set_child(cell, like->cell->make());
    return;
  }
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), like->xalign);
  if (like->xalign >= 1) /* numbers */
    lac_label_keep_number(GTK_LABEL(label));
  gtk_label_set_ellipsize(GTK_LABEL(label), like->ellipsize);
  if (like->style != NULL)
    gtk_widget_add_css_class(label, like->style);
  gtk_list_item_set_child(cell, label);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  const Column *column = user_data;
  LacColumnRow *row = gtk_list_item_get_item(cell);
  if (column->like.cell != NULL)
    column->like.cell->bind(cell, column->table);
  g_signal_connect_object(row, "updated", G_CALLBACK(show_cell), cell, 0);
  show_cell(row, cell);
}

static void
on_unbind(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  const Column *column = user_data;
  g_signal_handlers_disconnect_by_data(gtk_list_item_get_item(cell), cell);
  if (column->like.cell != NULL)
    column->like.cell->unbind(cell);
}

/* ---- columns ---- */

static double
value_of(const Column *column, LacColumnRow *row)
{
  double value = column->like.value(lac_column_row_get(row), column->data);
  return isnan(value) ? -G_MAXDOUBLE : value;
}

static int
compare(gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Column *column = user_data;
  LacColumnRow *left = (LacColumnRow *) a, *right = (LacColumnRow *) b;
  if (column->like.compare != NULL)
    return column->like.compare(lac_column_row_get(left), lac_column_row_get(right), column->data);
  double x = value_of(column, left), y = value_of(column, right);
  return (x > y) - (x < y);
}

static gboolean
has_order(const LacTableColumn *like)
{
  return like->value != NULL || like->compare != NULL;
}

/* Returns: width in pixels of the heading in the current language. */
static int
get_heading_width(LacColumnTable *self, const char *title)
{
  int                      words;
  g_autoptr(PangoLayout)   layout = gtk_widget_create_pango_layout(GTK_WIDGET(self->view), title);
  g_autoptr(PangoAttrList) bold = pango_attr_list_new();
  pango_attr_list_insert(bold, pango_attr_weight_new(PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes(layout, bold);
  pango_layout_get_pixel_size(layout, &words, NULL);
  return words + MARGIN;
}

/* Aligns the last heading as its values are: GTK 4.8 has no property for that. */
static void
align_heading(LacColumnTable *self, float xalign)
{
  GtkWidget *header = gtk_widget_get_first_child(GTK_WIDGET(self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_last_child(header) : NULL;
  GtkWidget *box = title != NULL ? gtk_widget_get_first_child(title) : NULL;
  if (!GTK_IS_BOX(box) || xalign <= 0)
    return;
  gtk_widget_set_halign(box, xalign < 1 ? GTK_ALIGN_CENTER : GTK_ALIGN_END);
  gtk_box_reorder_child_after(GTK_BOX(box), gtk_widget_get_last_child(box), NULL); /* the arrow */
}

/* Creates the column choice with the first column, which fills the remaining width. */
static void
let_choose(LacColumnTable *self, GtkColumnViewColumn *column, const LacTableColumn *like)
{
  if (self->choice == NULL) {
    GListModel                    *columns = gtk_column_view_get_columns(self->view);
    g_autoptr(GtkColumnViewColumn) first = g_list_model_get_item(columns, 0);
    GtkWidget                     *scroller = gtk_widget_get_parent(GTK_WIDGET(self->view));
    self->choice = lac_column_choice_new(GTK_SCROLLED_WINDOW(scroller), first);
  }
  lac_column_choice_add(self->choice, like->id, column,
                        like->is_optional    ? LAC_COLUMN_OPTIONAL
                        : like->is_important ? LAC_COLUMN_IMPORTANT
                                             : LAC_COLUMN_USUAL);
}

GtkColumnViewColumn *
lac_column_table_add(LacColumnTable *self, const LacTableColumn *like, gconstpointer data)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self) && self->selection == NULL, NULL);
  Column             *column = g_new(Column, 1);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  *column = (Column){*like, data, self};
  column->like.title = NULL;
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), column);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), column);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), column);
  g_autoptr(GtkColumnViewColumn) made = gtk_column_view_column_new(like->title, factory);
  g_object_set_data_full(G_OBJECT(factory), COLUMN, column, g_free);
  gtk_column_view_column_set_resizable(made, !like->is_fixed);
  gtk_column_view_column_set_expand(made, like->expands);
  int width = (int) lround(like->width * lac_drawing_text_scale());
  if (has_order(like)) {
    g_autoptr(GtkSorter) sorter = GTK_SORTER(gtk_custom_sorter_new(compare, column, NULL));
    gtk_column_view_column_set_sorter(made, sorter);
  }
  if (width > 0 || has_order(like))
    width = MAX(width, get_heading_width(self, like->title) - (has_order(like) ? 0 : ARROW));
  if (width > 0)
    gtk_column_view_column_set_fixed_width(made, width);
  gtk_column_view_append_column(self->view, made);
  align_heading(self, like->xalign);
  if (like->id != NULL)
    let_choose(self, made, like);
  return made;
}

void
lac_column_table_add_all(LacColumnTable       *self,
                         const LacTableColumn *columns,
                         gsize                 n,
                         gconstpointer         data)
{
  for (gsize i = 0; i < n; i++) {
    LacTableColumn like = columns[i];
    like.title = _(like.title);
    lac_column_table_add(self, &like, data);
  }
}

GtkWidget *
lac_column_table_make_menu_button(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self) && self->choice != NULL, NULL);
  return lac_column_choice_make_button(self->choice);
}

void
lac_column_table_widen(LacColumnTable *self, GtkColumnViewColumn *column, int width)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self) && self->choice != NULL);
  const char *title = gtk_column_view_column_get_title(column);
  lac_column_choice_widen(self->choice, column, MAX(width, get_heading_width(self, title)));
}

void
lac_column_table_offer(LacColumnTable *self, const char *id, gboolean is_offered)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self) && self->choice != NULL);
  lac_column_choice_offer(self->choice, id, is_offered);
}

/* ---- rows ---- */

static void
on_selection(LacColumnTable *self)
{
  if (!self->is_quiet)
    g_signal_emit(self, signals[CHOSEN], 0);
}

/* Returns: (nullable): the row at a point of the view. */
static GtkWidget *
find_row(GtkWidget *view, double x, double y)
{
  GtkWidget *list = gtk_widget_get_last_child(view);
  GtkWidget *row = gtk_widget_pick(view, x, y, GTK_PICK_DEFAULT);
  while (row != NULL && gtk_widget_get_parent(row) != list)
    row = gtk_widget_get_parent(row);
  return row;
}

/* Adds the row to the selection, or removes it. GTK 4.8 does so twice, for the cell and for its row, which changes
 * nothing. */
static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacColumnTable *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(click));
  GtkWidget      *row = find_row(GTK_WIDGET(self->view), x, y);
  if ((state & GDK_CONTROL_MASK) == 0 || (state & GDK_SHIFT_MASK) != 0 || row == NULL ||
      !gtk_widget_activate_action(row, "listitem.select", "(bb)", TRUE, FALSE))
    return;
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus(row);
}

static void
add_control_click(LacColumnTable *self)
{
  GtkGesture *click = gtk_gesture_click_new();
  gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
  g_signal_connect_object(click, "pressed", G_CALLBACK(on_pressed), self, 0);
  gtk_widget_add_controller(GTK_WIDGET(self->view), GTK_EVENT_CONTROLLER(click));
}

static GtkSelectionModel *
make_selection(GListModel *rows, GtkSelectionMode mode)
{
  if (mode == GTK_SELECTION_MULTIPLE)
    return GTK_SELECTION_MODEL(gtk_multi_selection_new(g_object_ref(rows)));
  GtkSingleSelection *one = gtk_single_selection_new(g_object_ref(rows));
  gtk_single_selection_set_autoselect(one, FALSE);
  gtk_single_selection_set_can_unselect(one, TRUE);
  gtk_single_selection_set_selected(one, GTK_INVALID_LIST_POSITION);
  return GTK_SELECTION_MODEL(one);
}

void
lac_column_table_set_rows(LacColumnTable *self, GListModel *rows, GtkSelectionMode mode)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self) && self->selection == NULL);
  g_autoptr(GListModel) shown = NULL;
  if (rows == NULL) {
    self->store = g_list_store_new(LAC_TYPE_COLUMN_ROW);
    shown =
      G_LIST_MODEL(gtk_sort_list_model_new(g_object_ref(G_LIST_MODEL(self->store)),
                                           g_object_ref(gtk_column_view_get_sorter(self->view))));
  } else {
    shown = g_object_ref(rows);
  }
  self->rows = shown;
  self->selection = make_selection(shown, mode);
  if (mode == GTK_SELECTION_MULTIPLE)
    add_control_click(self);
  g_signal_connect_object(self->selection, "selection-changed", G_CALLBACK(on_selection), self,
                          G_CONNECT_SWAPPED);
  gtk_column_view_set_model(self->view, self->selection);
}

GListModel *
lac_column_table_get_rows(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  return self->rows;
}

GListStore *
lac_column_table_get_store(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  return self->store;
}

void
lac_column_table_replace(LacColumnTable *self, GPtrArray *rows)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self) && self->store != NULL);
  self->is_quiet = TRUE;
  g_list_store_splice(self->store, 0, g_list_model_get_n_items(G_LIST_MODEL(self->store)),
                      rows->pdata, rows->len);
  self->is_quiet = FALSE;
}

/* Sorts again. GtkListView keeps its top row in view after a sort; if the view is at the top, scrolls back to the new
 * first row. */
void
lac_column_table_sort(LacColumnTable *self)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self));
  GtkAdjustment *down = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(self->view));
  const gboolean is_at_top = gtk_adjustment_get_value(down) <= gtk_adjustment_get_lower(down);
  gtk_sorter_changed(gtk_column_view_get_sorter(self->view), GTK_SORTER_CHANGE_DIFFERENT);
  if (is_at_top)
    gtk_widget_activate_action(gtk_widget_get_last_child(GTK_WIDGET(self->view)),
                               "list.scroll-to-item", "u", 0);
}

guint
lac_column_table_get_n_rows(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), 0);
  return g_list_model_get_n_items(G_LIST_MODEL(self->selection));
}

gpointer
lac_column_table_get_row(LacColumnTable *self, guint position)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  g_autoptr(LacColumnRow) row = g_list_model_get_item(G_LIST_MODEL(self->selection), position);
  return row != NULL ? lac_column_row_get(row) : NULL;
}

/* ---- what is chosen ---- */

GtkSelectionModel *
lac_column_table_get_selection(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  return self->selection;
}

gpointer
lac_column_table_get_chosen(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  g_autoptr(GtkBitset) chosen = gtk_selection_model_get_selection(self->selection);
  return gtk_bitset_is_empty(chosen)
           ? NULL
           : lac_column_table_get_row(self, gtk_bitset_get_minimum(chosen));
}

void
lac_column_table_choose(LacColumnTable *self, const GtkBitset *positions)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(self));
  self->is_quiet = TRUE;
  if (GTK_IS_SINGLE_SELECTION(self->selection)) {
    gtk_single_selection_set_selected(GTK_SINGLE_SELECTION(self->selection),
                                      gtk_bitset_is_empty(positions)
                                        ? GTK_INVALID_LIST_POSITION
                                        : gtk_bitset_get_minimum(positions));
  } else {
    g_autoptr(GtkBitset) all = gtk_bitset_new_range(0, lac_column_table_get_n_rows(self));
    gtk_selection_model_set_selection(self->selection, (GtkBitset *) positions, all);
  }
  self->is_quiet = FALSE;
}

static void
on_activate(LacColumnTable *self, guint position)
{
  g_signal_emit(self, signals[ACTIVATED], 0, position);
}

/* ---- the object ---- */

static void
lac_column_table_dispose(GObject *object)
{
  LacColumnTable *self = LAC_COLUMN_TABLE(object);
  GtkWidget      *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  g_clear_object(&self->choice);
  if (child != NULL)
    gtk_widget_unparent(child);
  self->rows = NULL;
  g_clear_object(&self->selection);
  g_clear_object(&self->store);
  G_OBJECT_CLASS(lac_column_table_parent_class)->dispose(object);
}

static void
lac_column_table_class_init(LacColumnTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_column_table_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new("chosen", LAC_TYPE_COLUMN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new("activated", LAC_TYPE_COLUMN_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
lac_column_table_init(LacColumnTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  gtk_column_view_set_show_row_separators(self->view, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  g_signal_connect_object(self->view, "activate", G_CALLBACK(on_activate), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->view));
  gtk_widget_set_parent(lac_tab_stop_new(scroller), GTK_WIDGET(self));
}

LacColumnTable *
lac_column_table_new(const char *name)
{
  LacColumnTable *self = g_object_new(LAC_TYPE_COLUMN_TABLE, NULL);
  lac_accessible_name(self->view, name);
  return self;
}

GtkColumnView *
lac_column_table_get_view(LacColumnTable *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_TABLE(self), NULL);
  return self->view;
}
