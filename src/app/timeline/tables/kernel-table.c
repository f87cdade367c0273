/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are made anew when the recording has grown, at a readable rate. */
#include "app/timeline/tables/kernel-table.h"

#include "app/toolkit/column-table.h"
#include "app/toolkit/format.h"
#include "base/number-display.h"
#include "perf/analysis/kernel-times.h"
#include "perf/recorder/gauges.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define PERIOD_MS 500

struct _LacKernelTable {
  GtkWidget         parent_instance;
  LacColumnTable   *table; /* rows: LacKernelTime */
  GtkLabel         *title;
  GtkStackPage     *page;
  LacTimelineScope *scope;
  guint             pending;
  gboolean          is_filling;
};

G_DEFINE_FINAL_TYPE(LacKernelTable, lac_kernel_table, GTK_TYPE_WIDGET)

/* ---- columns: a row is a LacKernelTime, the data of a column the LacKernelTable ---- */

static const LacCapture *
capture_of(const LacKernelTable *self)
{
  return lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope));
}

static char *
describe_kernel(gpointer row, gconstpointer table)
{
  return g_strdup(lac_capture_get_name(capture_of(table), ((const LacKernelTime *) row)->kernel));
}

static char *
describe_operation(gpointer row, gconstpointer table)
{
  return g_strdup(
    lac_capture_get_name(capture_of(table), ((const LacKernelTime *) row)->operation));
}

static double
get_calls(gpointer data, gconstpointer table)
{
  const LacKernelTime *row = data;
  return (double) row->count / (double) row->n_operations;
}

static double
get_mean(gpointer data, gconstpointer table)
{
  const LacKernelTime *row = data;
  return row->total_ns / (double) row->count;
}

static double
get_max(gpointer data, gconstpointer table)
{
  return ((const LacKernelTime *) data)->max_ns;
}

static double
get_share(gpointer data, gconstpointer table)
{
  return ((const LacKernelTime *) data)->share;
}

static double
get_occupancy(gpointer data, gconstpointer table)
{
  return ((const LacKernelTime *) data)->occupancy;
}

static char *
describe_calls(gpointer row, gconstpointer table)
{
  return lac_number_dup_fixed(get_calls(row, table), 1);
}

static char *
describe_mean(gpointer row, gconstpointer table)
{
  return lac_format_span(get_mean(row, table));
}

static char *
describe_max(gpointer row, gconstpointer table)
{
  return lac_format_span(get_max(row, table));
}

static char *
describe_share(gpointer row, gconstpointer table)
{
  g_autofree char *percent = lac_number_dup_fixed(100 * get_share(row, table), 1);
  return g_strdup_printf("%s %%", percent);
}

static char *
describe_occupancy(gpointer row, gconstpointer table)
{
  g_autofree char *percent = lac_number_dup_fixed(100 * get_occupancy(row, table), 0);
  return isfinite(get_occupancy(row, table)) ? g_strdup_printf("%s %%", percent) : g_strdup("–");
}

static char *
explain_occupancy(gpointer row, gconstpointer table)
{
  return g_strdup(_("Threads that the launch keeps on the GPU at most, of those it has room for"));
}

#define NUMBER .xalign = 1, .style = "numeric"
#define TEXT   .expands = TRUE, .ellipsize = PANGO_ELLIPSIZE_MIDDLE

static const LacTableColumn columns[] = {
  {N_("Kernel"), .text = describe_kernel, TEXT},
  {N_("Operation"), .text = describe_operation, TEXT},
  {N_("Calls per operation"), .text = describe_calls, .value = get_calls, .width = 150, NUMBER},
  {N_("Mean"), .text = describe_mean, .value = get_mean, .width = 90, NUMBER},
  {N_("Maximum"), .text = describe_max, .value = get_max, .width = 90, NUMBER},
  {N_("Occupancy"), .text = describe_occupancy, .tip = explain_occupancy, .value = get_occupancy,
   .width = 100, NUMBER},
  {N_("Share"), .text = describe_share, .value = get_share, .width = 80, NUMBER},
};

/* ---- filling ---- */

static gboolean
has_device(const LacCapture *capture)
{
  for (guint i = 0; i < lac_capture_get_n_lanes(capture); i++)
    if (g_str_equal(lac_capture_get_lane(capture, (guint16) i), LAC_LANE_DEVICE))
      return TRUE;
  return FALSE;
}

static void
describe_steps(LacKernelTable *self, gsize n_steps)
{
  const char *format = g_dngettext(
    GETTEXT_PACKAGE, "In the %zu step that was timed; shares are of the kernels' time.",
    "In the %zu steps that were timed; shares are of the kernels' time.", (gulong) n_steps);
  g_autofree char *text = g_strdup_printf(format, n_steps);
  gtk_label_set_text(self->title, text);
}

static void
fill(LacKernelTable *self)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_object_unref);
  const LacCapture    *capture = lac_timeline_scope_is_empty(self->scope) ? NULL : capture_of(self);
  const gboolean       is_there = capture != NULL && has_device(capture);
  gtk_stack_page_set_visible(self->page, is_there);
  if (is_there && gtk_widget_get_mapped(GTK_WIDGET(self))) {
    gsize             n_steps;
    g_autoptr(GArray) times = lac_kernel_times_of_capture(capture, &n_steps);
    for (guint i = 0; i < times->len; i++)
      g_ptr_array_add(
        rows, lac_column_row_new(
                g_memdup2(&g_array_index(times, LacKernelTime, i), sizeof(LacKernelTime)), g_free));
    describe_steps(self, n_steps);
  }
  self->is_filling = TRUE;
  lac_column_table_replace(self->table, rows);
  self->is_filling = FALSE;
}

static gboolean
on_refresh(gpointer user_data)
{
  LacKernelTable *self = user_data;
  self->pending = 0;
  fill(self);
  return G_SOURCE_REMOVE;
}

static void
on_scope(LacKernelTable *self, guint what)
{
  if (!(what & LAC_SCOPE_DATA))
    return;
  if (lac_timeline_scope_get_recording(self->scope) == NULL)
    fill(self); /* at once: rows refer to the recording */
  else if (self->pending == 0)
    self->pending = g_timeout_add(PERIOD_MS, on_refresh, self);
}

static void
on_chosen(LacKernelTable *self)
{
  const LacKernelTime *row = lac_column_table_get_chosen(self->table);
  if (row != NULL && !self->is_filling)
    lac_timeline_scope_choose(self->scope, row->operation);
}

/* ---- the object ---- */

static void
lac_kernel_table_dispose(GObject *object)
{
  LacKernelTable *self = LAC_KERNEL_TABLE(object);
  GtkWidget      *child;
  g_clear_handle_id(&self->pending, g_source_remove);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_kernel_table_parent_class)->dispose(object);
}

static void
lac_kernel_table_class_init(LacKernelTableClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_kernel_table_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_kernel_table_init(LacKernelTable *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *title = gtk_label_new(NULL);
  self->title = GTK_LABEL(title);
  gtk_label_set_xalign(self->title, 0);
  gtk_widget_add_css_class(title, "caption");
  gtk_widget_set_margin_start(title, 12);
  self->table = lac_column_table_new(_("Kernels of the GPU"));
  lac_column_table_add_all(self->table, columns, G_N_ELEMENTS(columns), self);
  lac_column_table_set_rows(self->table, NULL, GTK_SELECTION_SINGLE);
  gtk_widget_set_vexpand(GTK_WIDGET(self->table), TRUE);
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->table));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
}

void
lac_kernel_table_set_scope(LacKernelTable *self, LacTimelineScope *scope, GtkStackPage *page)
{
  g_return_if_fail(LAC_IS_KERNEL_TABLE(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  self->page = page;
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "map", G_CALLBACK(fill), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  fill(self);
}
