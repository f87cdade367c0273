/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of runs: each is a row of a table. A cell follows its item. */
#include "app/runs/columns.h"

#include "app/runs/pictures.h"
#include "app/session/run-group-item.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define PICTURE_WIDTH  63
#define PICTURE_HEIGHT 42
#define RUN_WIDTH      188       /* minimum */
#define COLUMNS        "columns" /* GtkColumnViewColumn of all columns, in order */
#define NAME_ROOM      48        /* beyond the minimum, for names */
#define ENDING         ".lacuna"

typedef struct {
  const char *title;
  LacRunOrder order;
  int         width; /* 0: takes the remaining width */
  gboolean    is_number;
  /* Text of a cell, and (nullable) its tooltip. */
  char *(*text)(const LacRunHeadline *run);
  char *(*tip)(const LacRunHeadline *run);
  char *(*sum)(LacRunGroupItem *group); /* (nullable): text for a group */
} Column;

/* ---- the run: its picture, its experiment, its name ---- */

typedef struct {
  GtkWidget *box, *picture, *words, *title, *more, *pin;
} RunCell;

/* Returns the widgets of a cell: an expander with a box in it. */
static RunCell
parts_of(GtkListItem *cell)
{
  RunCell parts;
  parts.box = gtk_tree_expander_get_child(GTK_TREE_EXPANDER(gtk_list_item_get_child(cell)));
  parts.picture = gtk_widget_get_first_child(parts.box);
  parts.words = gtk_widget_get_next_sibling(parts.picture);
  parts.title = gtk_widget_get_first_child(parts.words);
  parts.more = gtk_widget_get_last_child(parts.words);
  parts.pin = gtk_widget_get_last_child(parts.box);
  return parts;
}

static void
show_run(LacRunItem *item, GtkListItem *cell)
{
  const LacRunHeadline *run = lac_run_item_get(item);
  RunCell               parts = parts_of(cell);
  gtk_picture_set_paintable(GTK_PICTURE(parts.picture),
                            GDK_PAINTABLE(lac_run_item_get_picture(item)));
  gtk_label_set_text(GTK_LABEL(parts.title), g_dgettext(GETTEXT_PACKAGE, run->title));
  g_autofree char *name = g_strdup(run->name);
  if (g_str_has_suffix(name, ENDING))
    name[strlen(name) - strlen(ENDING)] = '\0';
  gtk_label_set_text(GTK_LABEL(parts.more), name);
  lac_tip_set(parts.words, run->name);
  gtk_widget_set_visible(parts.picture, TRUE);
  gtk_widget_set_visible(parts.pin, run->is_baseline);
  gtk_widget_remove_css_class(parts.title, "heading");
  lac_run_pictures_request(item);
}

static void
show_group(LacRunGroupItem *group, GtkListItem *cell)
{
  RunCell          parts = parts_of(cell);
  const char      *title = lac_run_group_item_get_title(group);
  guint            n = g_list_model_get_n_items(lac_run_group_item_get_runs(group));
  g_autofree char *shown = lac_format_count(n);
  g_autofree char *count = g_strdup_printf(ngettext("%s run", "%s runs", n), shown);
  g_autofree char *name = g_strdup_printf("%s, %s", title, count);
  gtk_label_set_text(GTK_LABEL(parts.title), title);
  gtk_label_set_text(GTK_LABEL(parts.more), count);
  lac_tip_set(parts.words, NULL);
  gtk_widget_set_visible(parts.picture, FALSE);
  gtk_widget_set_visible(parts.pin, FALSE);
  gtk_widget_add_css_class(parts.title, "heading");
  lac_accessible_name_cell(cell, name);
}

static GtkWidget *
make_line(const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  if (class != NULL) {
    gtk_widget_add_css_class(label, "caption");
    gtk_widget_add_css_class(label, class);
  }
  return label;
}

static GtkWidget *
make_run(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *picture = gtk_picture_new();
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *pin = gtk_image_new_from_icon_name("view-pin-symbolic");
  gtk_widget_set_size_request(picture, PICTURE_WIDTH, PICTURE_HEIGHT);
  gtk_picture_set_can_shrink(GTK_PICTURE(picture), TRUE);
  gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(picture, "run-picture");
  gtk_widget_set_hexpand(words, TRUE);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(words), make_line(NULL));
  gtk_box_append(GTK_BOX(words), make_line("dim-label"));
  lac_tip_set(pin, _("Baseline of the experiment"));
  gtk_box_append(GTK_BOX(box), picture);
  gtk_box_append(GTK_BOX(box), words);
  gtk_box_append(GTK_BOX(box), pin);
  GtkWidget *expander = gtk_tree_expander_new();
  gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), box);
  return expander;
}

/* ---- columns of text and numbers ---- */

static char *
outcome_tip(const LacRunHeadline *run)
{
  return *run->detail != '\0' ? g_strdup(run->detail) : NULL;
}

static char *
metric_tip(const LacRunHeadline *run)
{
  const LacHeadlineMetric *result = lac_run_headline_get_result(run);
  return result != NULL ? g_strdup(lac_word(result->label)) : NULL;
}

static char *
seconds_text(const LacRunHeadline *run)
{
  return lac_format_duration(run->seconds);
}

static char *
bytes_text(const LacRunHeadline *run)
{
  return lac_format_bytes((double) run->bytes);
}

static char *
seconds_sum(LacRunGroupItem *group)
{
  return lac_format_duration(lac_run_group_item_get_seconds(group));
}

static char *
bytes_sum(LacRunGroupItem *group)
{
  return lac_format_bytes((double) lac_run_group_item_get_bytes(group));
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

static const Column columns[] = {
  {N_("Run"), LAC_RUNS_BY_EXPERIMENT, 0, FALSE, NULL, NULL, NULL},
  {N_("Laboratory"), LAC_RUNS_BY_LABORATORY, 86, FALSE, lac_run_item_dup_laboratory, NULL, NULL},
  {N_("Started"), LAC_RUNS_BY_STARTED, 124, FALSE, lac_run_item_dup_started, NULL, NULL},
  {N_("Outcome"), LAC_RUNS_BY_OUTCOME, 100, FALSE, lac_run_item_dup_outcome, outcome_tip, NULL},
  {N_("Key result"), LAC_RUNS_BY_METRIC, 86, TRUE, lac_run_item_dup_metric, metric_tip, NULL},
  {N_("Time"), LAC_RUNS_BY_SECONDS, 76, TRUE, seconds_text, NULL, seconds_sum},
  {N_("Size"), LAC_RUNS_BY_BYTES, 94, TRUE, bytes_text, NULL, bytes_sum},
  {N_("Tags"), LAC_RUNS_BY_TAGS, 64, FALSE, tags_text, tags_tip, NULL},
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

static const char *
get_accent(gpointer row, gconstpointer data)
{
  if (LAC_IS_RUN_GROUP_ITEM(row))
    return "dim-label";
  return ((const Column *) data)->order == LAC_RUNS_BY_OUTCOME
           ? lac_run_item_get_style(lac_run_item_get(row))
           : NULL;
}

/* Keeps the order of groups. */
static int
compare(gpointer a, gpointer b, gconstpointer data)
{
  return lac_run_headline_compare(lac_run_item_get(a), lac_run_item_get(b),
                                  ((const Column *) data)->order);
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

static void
add_column(LacColumnTable *table, const Column *column)
{
  const LacTableColumn like = {
    _(column->title),
    .width = column->width > 0 ? column->width : RUN_WIDTH,
    .expands = column->width == 0,
    .xalign = column->is_number ? 1 : 0,
    .ellipsize = PANGO_ELLIPSIZE_END,
    .style = column->is_number ? "numeric" : NULL,
    .text = describe_cell,
    .tip = explain_cell,
    .accent = get_accent,
    .cell = column->text == NULL ? &run_cell : NULL,
    .compare = compare,
  };
  GtkColumnView       *view = lac_column_table_get_view(table);
  GtkColumnViewColumn *made = lac_column_table_add(table, &like, column);
  g_ptr_array_add(g_object_get_data(G_OBJECT(view), COLUMNS), g_object_ref(made));
  if (column->order == LAC_RUNS_BY_STARTED)
    gtk_column_view_sort_by_column(view, made, GTK_SORT_DESCENDING);
}

void
lac_run_columns_add(LacColumnTable *table)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(table));
  g_object_set_data_full(G_OBJECT(lac_column_table_get_view(table)), COLUMNS,
                         g_ptr_array_new_with_free_func(g_object_unref),
                         (GDestroyNotify) g_ptr_array_unref);
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
    add_column(table, &columns[i]);
}

/* Columns to hide first, in this order: the picture and the name imply the laboratory. */
static const LacRunOrder dispensable[] = {LAC_RUNS_BY_LABORATORY, LAC_RUNS_BY_BYTES};

/* Removes the column: one that is merely hidden still takes its space. */
static void
put_column(GtkColumnView *view, GtkColumnViewColumn *column, gboolean is_wanted, guint place)
{
  gboolean is_there = gtk_column_view_column_get_column_view(column) != NULL;
  if (is_there && !is_wanted)
    gtk_column_view_remove_column(view, column);
  else if (!is_there && is_wanted)
    gtk_column_view_insert_column(view, place, column);
}

void
lac_run_columns_fit(LacColumnTable *table, int width)
{
  g_return_if_fail(LAC_IS_COLUMN_TABLE(table));
  GtkColumnView   *view = lac_column_table_get_view(table);
  const GPtrArray *all = g_object_get_data(G_OBJECT(view), COLUMNS);
  gboolean         is_wanted[G_N_ELEMENTS(columns)];
  int              needed = NAME_ROOM;
  for (guint i = 0; i < all->len; i++) {
    is_wanted[i] = TRUE;
    needed += gtk_column_view_column_get_fixed_width(all->pdata[i]);
  }
  for (guint k = 0; k < G_N_ELEMENTS(dispensable); k++)
    for (guint i = 0; i < all->len && width < needed; i++) {
      if (columns[i].order != dispensable[k])
        continue;
      is_wanted[i] = FALSE;
      needed -= gtk_column_view_column_get_fixed_width(all->pdata[i]);
    }
  for (guint i = 0, place = 0; i < all->len; i++) {
    put_column(view, all->pdata[i], is_wanted[i], place);
    place += is_wanted[i];
  }
}
