/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods of compared runs, matched by their keys. */
#include "app/runs/compare-methods.h"

#include "app/plot/speed-bar.h"
#include "app/plot/swatch.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/column-table.h"
#include "app/toolkit/style.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define NOTHING     "–"
#define NAME_WIDTH  150
#define VALUE_WIDTH 70
#define RATIO_WIDTH 112
#define MOST_ROWS   4 /* visible without scrolling */

typedef enum { ERROR, STEP, N_QUANTITIES } Quantity;

/* Data of a row. */
typedef struct {
  char    *name;
  guint    look;
  gboolean is_best;                         /* of every run */
  gboolean is_best_of[LAC_COMPARISON_MOST]; /* of one of several methods */
  double   values[N_QUANTITIES][LAC_COMPARISON_MOST];
  char    *texts[N_QUANTITIES][LAC_COMPARISON_MOST]; /* (nullable): none */
} Row;

/* Data of a column. */
typedef struct {
  Quantity quantity;
  guint    run;
} Shown;

struct _LacCompareMethods {
  GtkWidget       parent_instance;
  LacColumnTable *table; /* (nullable): without a comparison */
};

G_DEFINE_FINAL_TYPE(LacCompareMethods, lac_compare_methods, GTK_TYPE_WIDGET)

/* ---- rows ---- */

static void
row_free(gpointer data)
{
  Row *row = data;
  g_free(row->name);
  for (guint q = 0; q < N_QUANTITIES; q++)
    for (guint r = 0; r < LAC_COMPARISON_MOST; r++)
      g_free(row->texts[q][r]);
  g_free(row);
}

static Row *
row_new(const char *name, guint look)
{
  Row *row = g_new0(Row, 1);
  row->name = g_strdup(name);
  row->look = look;
  for (guint q = 0; q < N_QUANTITIES; q++)
    for (guint r = 0; r < LAC_COMPARISON_MOST; r++)
      row->values[q][r] = NAN;
  return row;
}

static gssize
find_seconds(const LacMethodTable *methods)
{
  for (gsize c = 0; c < methods->n_columns; c++)
    if (g_str_equal(methods->columns[c].key, LAC_METHOD_SECONDS))
      return (gssize) c;
  return -1;
}

static void
take_cell(Row *row, Quantity quantity, guint run, const LacMethodRow *method, gssize column)
{
  if (column < 0)
    return;
  row->values[quantity][run] = method->cells[column].value;
  row->texts[quantity][run] = g_strdup(method->cells[column].text);
}

/* The best of every run that has several methods. */
static void
find_best(const GPtrArray *rows, const LacCompared *compared)
{
  for (guint i = 0; i < rows->len; i++) {
    Row *row = lac_column_row_get(g_ptr_array_index(rows, i));
    for (guint r = 0; r < compared->runs->len; r++)
      if (compared->methods[r].n_rows > 1) {
        row->is_best = row->is_best_of[r];
        if (!row->is_best)
          break;
      }
  }
}

/* Returns: the look of a method in its run, or the next one that no other method has. @used: bits */
static guint
take_look(guint64 *used, guint look)
{
  while (look > 0 && look < 63 && (*used >> look & 1) != 0)
    look++;
  *used |= (guint64) 1 << look;
  return look;
}

/* Returns: (transfer full): the rows, in the order of the methods of the first run. */
static GPtrArray *
make_rows(const LacCompared *compared)
{
  GPtrArray            *rows = g_ptr_array_new_with_free_func(g_object_unref);
  guint64               used = 0;
  g_autoptr(GHashTable) by_group = g_hash_table_new(NULL, NULL); /* interned group -> Row */
  for (guint r = 0; r < compared->runs->len; r++) {
    const LacMethodTable *methods = &compared->methods[r];
    for (gsize m = 0; m < methods->n_rows; m++) {
      const LacMethodRow *method = &methods->rows[m];
      Row                *row = g_hash_table_lookup(by_group, method->group);
      if (row == NULL) {
        row = row_new(method->name, take_look(&used, compared->looks[r][m]));
        g_hash_table_insert(by_group, (gpointer) method->group, row);
        g_ptr_array_add(rows, lac_column_row_new(row, row_free));
      }
      row->is_best_of[r] = methods->n_rows > 1 && methods->best == (gssize) m;
      take_cell(row, ERROR, r, method, methods->ranking);
      take_cell(row, STEP, r, method, find_seconds(methods));
    }
  }
  find_best(rows, compared);
  return rows;
}

/* ---- cells ---- */

static char *
describe(gpointer data, gconstpointer column)
{
  const Row   *row = data;
  const Shown *shown = column;
  const char  *text = row->texts[shown->quantity][shown->run];
  return g_strdup(text != NULL ? text : NOTHING);
}

static double
get_value(gpointer data, gconstpointer column)
{
  const Shown *shown = column;
  return ((const Row *) data)->values[shown->quantity][shown->run];
}

static const char *
get_accent(gpointer data, gconstpointer column)
{
  return ((const Row *) data)->is_best_of[((const Shown *) column)->run] ? "strong" : NULL;
}

static void
bind_nothing(GtkListItem *cell, LacColumnTable *table)
{
}

static void
unbind_nothing(GtkListItem *cell)
{
}

static GtkWidget *
make_name(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_label_new(NULL), *pill = gtk_label_new(_("★ best"));
  gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(pill, "best-pill");
  gtk_widget_set_valign(pill, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), lac_method_swatch_new());
  gtk_box_append(GTK_BOX(box), name);
  gtk_box_append(GTK_BOX(box), pill);
  return box;
}

static void
show_name(GtkListItem *cell, gpointer data)
{
  const Row *row = data;
  GtkWidget *swatch = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  GtkWidget *name = gtk_widget_get_next_sibling(swatch);
  lac_method_swatch_set_look(LAC_METHOD_SWATCH(swatch), row->look);
  gtk_label_set_text(GTK_LABEL(name), row->name);
  if (row->is_best)
    gtk_widget_add_css_class(name, "strong");
  else
    gtk_widget_remove_css_class(name, "strong");
  gtk_widget_set_visible(gtk_widget_get_next_sibling(name), row->is_best);
}

static GtkWidget *
make_ratio(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *bar = lac_speed_bar_new_ratio(), *text = gtk_label_new(NULL);
  gtk_widget_set_halign(box, GTK_ALIGN_END);
  gtk_label_set_width_chars(GTK_LABEL(text), 5);
  gtk_label_set_xalign(GTK_LABEL(text), 1);
  lac_label_keep_number(GTK_LABEL(text));
  gtk_widget_add_css_class(text, "numeric");
  gtk_box_append(GTK_BOX(box), bar);
  gtk_box_append(GTK_BOX(box), text);
  return box;
}

static void
show_ratio(GtkListItem *cell, const Row *row, Quantity quantity)
{
  GtkWidget       *bar = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  double           ratio = row->values[quantity][1] / row->values[quantity][0];
  gboolean         any = isfinite(ratio) && ratio > 0;
  g_autofree char *number = any ? lac_number_dup_fixed(ratio, ratio < 100 ? 2 : 0) : NULL;
  g_autofree char *text = any ? g_strconcat(number, "×", NULL) : g_strdup(NOTHING);
  lac_speed_bar_set_ratio(LAC_SPEED_BAR(bar), any ? ratio : (double) NAN);
  gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(bar)), text);
}

static void
show_error_ratio(GtkListItem *cell, gpointer row)
{
  show_ratio(cell, row, ERROR);
}

static void
show_step_ratio(GtkListItem *cell, gpointer row)
{
  show_ratio(cell, row, STEP);
}

static const LacColumnCell name_cell = {make_name, bind_nothing, show_name, unbind_nothing};
static const LacColumnCell ratio_cells[N_QUANTITIES] = {
  [ERROR] = {make_ratio, bind_nothing, show_error_ratio, unbind_nothing},
  [STEP] = {make_ratio, bind_nothing, show_step_ratio, unbind_nothing},
};

/* ---- columns ---- */

static const Shown *
get_shown(Quantity quantity, guint run)
{
  static Shown shown[N_QUANTITIES][LAC_COMPARISON_MOST];
  shown[quantity][run] = (Shown){quantity, run};
  return &shown[quantity][run];
}

static void
add_value(LacColumnTable *table, Quantity quantity, guint run, const char *title)
{
  static const char *const ids[N_QUANTITIES] = {[ERROR] = "error-%u", [STEP] = "step-%u"};
  g_autofree char         *id = g_strdup_printf(ids[quantity], run);
  lac_column_table_add(table,
                       &(LacTableColumn){title, .id = g_intern_string(id),
                                         .is_important = quantity == ERROR, .width = VALUE_WIDTH,
                                         .xalign = 1, .ellipsize = PANGO_ELLIPSIZE_END,
                                         .style = "numeric", .text = describe, .accent = get_accent,
                                         .value = get_value},
                       get_shown(quantity, run));
}

/* Adds a column for each run, and the ratio of two runs of one experiment. */
static void
add_quantity(LacColumnTable    *table,
             Quantity           quantity,
             const char        *title,
             const LacCompared *compared)
{
  static const char *const ids[N_QUANTITIES] = {[ERROR] = "error-ratio", [STEP] = "step-ratio"};
  for (guint r = 0; r < compared->runs->len; r++) {
    const char       letter[] = {(char) ('a' + r), '\0'};
    g_autofree char *first = g_strdup_printf("%s %s", title, letter);
    add_value(table, quantity, r, r == 0 ? first : letter);
  }
  if (compared->runs->len == 2 && compared->are_of_one_experiment)
    lac_column_table_add(table,
                         &(LacTableColumn){_("b : a"), .id = ids[quantity], .width = RATIO_WIDTH,
                                           .xalign = 1, .cell = &ratio_cells[quantity]},
                         NULL);
}

static void
drop(LacCompareMethods *self)
{
  if (self->table != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->table));
  self->table = NULL;
}

/* Returns: the heading of the accuracy; the words below the answer say over what an error is the mean. */
static const char *
get_error_title(const LacCompared *compared)
{
  const LacMethodTable *methods = &compared->methods[0];
  return methods->ranking < 0 || methods->columns[methods->ranking].rank == LAC_RANK_LEAST
           ? _("Error")
           : methods->columns[methods->ranking].title;
}

/* As high as its rows, of which the further ones are scrolled. */
static void
fit_height(LacCompareMethods *self, guint n_rows)
{
  GtkWidget *view = GTK_WIDGET(lac_column_table_get_view(self->table));
  GtkWidget *scroller = gtk_widget_get_parent(view);
  int        height;
  if (n_rows <= MOST_ROWS) {
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_AUTOMATIC,
                                   GTK_POLICY_NEVER);
    return;
  }
  gtk_widget_measure(view, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller),
                                             height * (MOST_ROWS + 1) / (int) (n_rows + 1));
}

void
lac_compare_methods_show(LacCompareMethods *self, const LacCompared *compared)
{
  g_return_if_fail(LAC_IS_COMPARE_METHODS(self));
  drop(self);
  g_autoptr(GPtrArray) rows = compared != NULL ? make_rows(compared) : NULL;
  gtk_widget_set_visible(GTK_WIDGET(self), rows != NULL && rows->len > 0);
  if (rows == NULL || rows->len == 0)
    return;
  self->table = lac_column_table_new(_("Methods"));
  gtk_widget_add_css_class(GTK_WIDGET(lac_column_table_get_view(self->table)), "runs");
  lac_column_table_add(
    self->table, &(LacTableColumn){_("Method"), .width = NAME_WIDTH, .cell = &name_cell}, NULL);
  add_quantity(self->table, ERROR, get_error_title(compared), compared);
  add_quantity(self->table, STEP, _("Step"), compared);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_SINGLE);
  lac_column_table_replace(self->table, rows);
  gtk_widget_set_parent(GTK_WIDGET(self->table), GTK_WIDGET(self));
  fit_height(self, rows->len);
}

/* ---- the object ---- */

static void
lac_compare_methods_dispose(GObject *object)
{
  drop(LAC_COMPARE_METHODS(object));
  G_OBJECT_CLASS(lac_compare_methods_parent_class)->dispose(object);
}

static void
lac_compare_methods_class_init(LacCompareMethodsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_methods_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_compare_methods_init(LacCompareMethods *self)
{
}
