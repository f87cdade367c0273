/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table under all lists of rows and columns: order, ties, selection, hidden columns, cells that follow their
 * rows, and the freeing of rows. */
#include "app/helpers/display.h"
#include "app/toolkit/column-table.h"

#include <math.h>

typedef struct {
  double value;
  char   letter;
} Row;

typedef struct {
  GtkWidget           *window;
  LacColumnTable      *table;
  GtkColumnViewColumn *letters, *values;
  guint                n_chosen;
} Fixture;

static guint n_freed;

static void
row_free(gpointer data)
{
  n_freed++;
  g_free(data);
}

static char *
say_letter(gpointer row, gconstpointer data)
{
  return g_strdup_printf("%s%c", (const char *) data, ((const Row *) row)->letter);
}

static char *
say_value(gpointer row, gconstpointer data)
{
  return g_strdup_printf("%g", ((const Row *) row)->value);
}

static const char *
get_accent(gpointer row, gconstpointer data)
{
  return ((const Row *) row)->value < 0 ? "error" : NULL;
}

static double
get_value(gpointer row, gconstpointer data)
{
  return ((const Row *) row)->value;
}

static int
compare_letters(gpointer a, gpointer b, gconstpointer data)
{
  return ((const Row *) a)->letter - ((const Row *) b)->letter;
}

static const LacTableColumn letters = {"Letter", .width = 100, .text = say_letter,
                                       .compare = compare_letters};
static const LacTableColumn values = {
  "Value",           .id = "value",        .width = 100,      .style = "numeric",
  .text = say_value, .accent = get_accent, .value = get_value};

static void
on_chosen(Fixture *fixture)
{
  fixture->n_chosen++;
}

static void
set_up(Fixture *fixture, gconstpointer mode)
{
  if (!display_open())
    return;
  n_freed = 0;
  fixture->table = lac_column_table_new("Letters");
  fixture->letters = lac_column_table_add(fixture->table, &letters, "is ");
  fixture->values = lac_column_table_add(fixture->table, &values, NULL);
  lac_column_table_set_rows(fixture->table, NULL, GPOINTER_TO_INT(mode));
  g_signal_connect_swapped(fixture->table, "chosen", G_CALLBACK(on_chosen), fixture);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand(GTK_WIDGET(fixture->table), TRUE);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(fixture->table));
  gtk_box_append(GTK_BOX(box), lac_column_table_make_menu_button(fixture->table));
  fixture->window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(fixture->window), box);
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), 500, 400);
}

static void
tear_down(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window != NULL)
    gtk_window_destroy(GTK_WINDOW(fixture->window));
}

/* Adds one row per letter. */
static void
fill(Fixture *fixture, const char *names, const double *numbers)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_object_unref);
  for (gsize i = 0; names[i] != '\0'; i++) {
    const Row row = {numbers[i], names[i]};
    g_ptr_array_add(rows, lac_column_row_new(g_memdup2(&row, sizeof row), row_free));
  }
  lac_column_table_replace(fixture->table, rows);
}

static void
assert_order(Fixture *fixture, const char *expected)
{
  g_autoptr(GString) found = g_string_new(NULL);
  for (guint i = 0; i < lac_column_table_get_n_rows(fixture->table); i++)
    g_string_append_c(found, ((Row *) lac_column_table_get_row(fixture->table, i))->letter);
  g_assert_cmpstr(found->str, ==, expected);
}

static void
sort(Fixture *fixture, GtkColumnViewColumn *column, GtkSortType direction)
{
  gtk_column_view_sort_by_column(lac_column_table_get_view(fixture->table), column, direction);
}

/* Rows with equal values keep their order in either direction; a missing value is the smallest. */
static void
test_sorts(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  fill(fixture, "dbaec", (double[]){2, NAN, 10, 2, -1e300});
  assert_order(fixture, "dbaec");
  sort(fixture, fixture->values, GTK_SORT_ASCENDING);
  assert_order(fixture, "bcdea");
  sort(fixture, fixture->values, GTK_SORT_DESCENDING);
  assert_order(fixture, "adecb");
  sort(fixture, fixture->letters, GTK_SORT_DESCENDING);
  assert_order(fixture, "edcba");
  sort(fixture, NULL, GTK_SORT_ASCENDING);
  assert_order(fixture, "dbaec");
}

/* A changed row keeps its position until the table is sorted again. */
static void
test_sorts_anew(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  fill(fixture, "abc", (double[]){1, 2, 3});
  sort(fixture, fixture->values, GTK_SORT_DESCENDING);
  g_autoptr(LacColumnRow) row =
    g_list_model_get_item(G_LIST_MODEL(lac_column_table_get_store(fixture->table)), 0);
  ((Row *) lac_column_row_get(row))->value = 4;
  lac_column_row_updated(row);
  assert_order(fixture, "cba");
  lac_column_table_sort(fixture->table);
  assert_order(fixture, "acb");
}

/* Only selections by the user are reported. */
static void
test_chooses(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  GtkSelectionModel *selection = lac_column_table_get_selection(fixture->table);
  const gboolean     many = GPOINTER_TO_INT(mode) == GTK_SELECTION_MULTIPLE;
  fill(fixture, "abc", (double[]){1, 2, 3});
  g_assert_null(lac_column_table_get_chosen(fixture->table));
  g_autoptr(GtkBitset) last = gtk_bitset_new_range(1, 2);
  lac_column_table_choose(fixture->table, last);
  g_assert_cmpuint(fixture->n_chosen, ==, 0);
  g_assert_cmpint(((Row *) lac_column_table_get_chosen(fixture->table))->letter, ==, 'b');
  g_assert_true(gtk_selection_model_is_selected(selection, 2) == many);
  gtk_selection_model_select_item(selection, 0, TRUE);
  g_assert_cmpuint(fixture->n_chosen, ==, 1);
  g_assert_cmpint(((Row *) lac_column_table_get_chosen(fixture->table))->letter, ==, 'a');
  fill(fixture, "xyz", (double[]){1, 2, 3});
  g_assert_null(lac_column_table_get_chosen(fixture->table));
  g_assert_cmpuint(fixture->n_chosen, ==, 1);
}

static void
test_rows_are_freed(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  fill(fixture, "abc", (double[]){1, 2, 3});
  gtk_window_present(GTK_WINDOW(fixture->window));
  fill(fixture, "d", (double[]){1});
  while (g_main_context_iteration(NULL, FALSE))
    ;
  g_assert_cmpuint(n_freed, ==, 3);
  gtk_window_destroy(GTK_WINDOW(g_steal_pointer(&fixture->window)));
  g_assert_cmpuint(n_freed, ==, 4);
}

/* Returns: (nullable): the label with @text at or below @widget. */
static GtkWidget *
find_label(GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL(widget) && g_str_equal(gtk_label_get_text(GTK_LABEL(widget)), text))
    return gtk_widget_get_mapped(widget) ? widget : NULL;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_label(child, text);
  return found;
}

static GtkWidget *
wait_for(Fixture *fixture, const char *text)
{
  guint      late = display_limit_wait();
  GtkWidget *found;
  while ((found = find_label(GTK_WIDGET(fixture->table), text)) == NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  return found;
}

static void
test_cells_follow(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  fill(fixture, "ab", (double[]){1, 2});
  gtk_window_present(GTK_WINDOW(fixture->window));
  wait_for(fixture, "is b");
  GtkWidget *cell = wait_for(fixture, "1");
  g_assert_true(gtk_widget_has_css_class(cell, "numeric"));
  g_assert_false(gtk_widget_has_css_class(cell, "error"));
  g_autoptr(LacColumnRow) row =
    g_list_model_get_item(G_LIST_MODEL(lac_column_table_get_store(fixture->table)), 0);
  ((Row *) lac_column_row_get(row))->value = -3;
  lac_column_row_updated(row);
  g_assert_true(cell == wait_for(fixture, "-3"));
  g_assert_true(gtk_widget_has_css_class(cell, "numeric"));
  g_assert_true(gtk_widget_has_css_class(cell, "error"));
}

/* Sorting by a hidden column remains in effect. */
static void
test_hides(Fixture *fixture, gconstpointer mode)
{
  if (fixture->window == NULL)
    return;
  fill(fixture, "abc", (double[]){1, 2, 3});
  sort(fixture, fixture->values, GTK_SORT_DESCENDING);
  gtk_window_present(GTK_WINDOW(fixture->window));
  wait_for(fixture, "3");
  GtkWidget *inside = GTK_WIDGET(lac_column_table_get_view(fixture->table));
  gtk_widget_activate_action(inside, "columns.value", NULL);
  g_assert_false(gtk_column_view_column_get_visible(fixture->values));
  assert_order(fixture, "cba");
  gtk_widget_activate_action(inside, "columns.value", NULL);
  g_assert_true(gtk_column_view_column_get_visible(fixture->values));
  wait_for(fixture, "3");
}

int
main(int argc, char *argv[])
{
  const gconstpointer one = GINT_TO_POINTER(GTK_SELECTION_SINGLE);
  const gconstpointer many = GINT_TO_POINTER(GTK_SELECTION_MULTIPLE);
  g_test_init(&argc, &argv, NULL);
  g_test_add("/app/column-table/sorts-by-value-and-keeps-ties", Fixture, one, set_up, test_sorts,
             tear_down);
  g_test_add("/app/column-table/sorts-anew-when-told", Fixture, one, set_up, test_sorts_anew,
             tear_down);
  g_test_add("/app/column-table/one-is-chosen", Fixture, one, set_up, test_chooses, tear_down);
  g_test_add("/app/column-table/several-are-chosen", Fixture, many, set_up, test_chooses,
             tear_down);
  g_test_add("/app/column-table/rows-are-freed", Fixture, one, set_up, test_rows_are_freed,
             tear_down);
  g_test_add("/app/column-table/cells-follow-their-rows", Fixture, one, set_up, test_cells_follow,
             tear_down);
  g_test_add("/app/column-table/hidden-columns-give-the-order", Fixture, one, set_up, test_hides,
             tear_down);
  return g_test_run();
}
