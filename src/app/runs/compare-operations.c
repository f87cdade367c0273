/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations table of a comparison: a row of times for each, followed by a line for each run except the first. */
#include "app/runs/compare-operations.h"

#include "app/plot/speed-bar.h"
#include "app/runs/compare-tables.h"
#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/tip.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_OPERATIONS 14 /* further operations take negligible time */

/* Job of the worker thread. */
typedef struct {
  GPtrArray *runs;       /* of LacRunFile, baseline first */
  GPtrArray *operations; /* names */
  LacRatio  *ratios;     /* [operations][runs]: ratio of median step times to the first run */
} Job;

struct _LacCompareOperations {
  GtkWidget     parent_instance;
  GtkGrid      *grid;
  GPtrArray    *flags; /* of GtkLabel, borrowed: [operations][runs]; NULL: no line */
  LacLatestJob *finding;
};

G_DEFINE_FINAL_TYPE(LacCompareOperations, lac_compare_operations, GTK_TYPE_WIDGET)

static void
job_free(gpointer data)
{
  Job *job = data;
  g_ptr_array_unref(job->runs);
  g_ptr_array_unref(job->operations);
  g_free(job->ratios);
  g_free(job);
}

/* ---- on the thread ---- */

static gpointer
find_ratios(gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  lac_comparison_step_ratios((LacRunFile *const *) job->runs->pdata, job->runs->len,
                             (const char *const *) job->operations->pdata, job->operations->len,
                             job->ratios);
  return NULL;
}

/* ---- words: by the sign too, not by colour alone ---- */

static char *
dup_factor(double value)
{
  return lac_number_dup_fixed(value, value < 100 ? 2 : 0);
}

static void
show_ratio(GtkLabel *label, const LacRatio *ratio)
{
  if (!isfinite(ratio->estimate)) {
    gtk_label_set_text(label, "–");
    return;
  }
  if (!isfinite(ratio->high)) {
    gtk_label_set_text(label, _("too few steps"));
    return;
  }
  g_autofree char *low = dup_factor(1 / ratio->high), *high = dup_factor(1 / ratio->low);
  g_autofree char *middle = dup_factor(1 / ratio->estimate);
  g_autofree char *words = g_strdup_printf(ratio->high < 1  ? _("▲ faster, %s–%s×")
                                           : ratio->low > 1 ? _("▼ slower, %s–%s×")
                                                            : _("= no difference, %s–%s×"),
                                           low, high);
  g_autofree char *whole =
    g_strdup_printf(_("Median step time: %s times as fast as (a) (%s to %s at 95 %% confidence)"),
                    middle, low, high);
  gtk_label_set_text(label, words);
  lac_tip_set(GTK_WIDGET(label), whole);
}

static void
on_found(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacCompareOperations *self = owner;
  const Job            *job = request;
  for (guint i = 0; i < self->flags->len; i++)
    if (self->flags->pdata[i] != NULL)
      show_ratio(self->flags->pdata[i], &job->ratios[i]);
}

static void
start(LacCompareOperations *self, LacRunFile *const *runs, gsize n_runs, const GArray *operations)
{
  Job *job = g_new0(Job, 1);
  job->runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  job->operations = g_ptr_array_new_with_free_func(g_free);
  for (gsize r = 0; r < n_runs; r++)
    g_ptr_array_add(job->runs, lac_run_file_ref(runs[r]));
  for (guint i = 0; i < operations->len && i < MOST_OPERATIONS; i++)
    g_ptr_array_add(job->operations,
                    g_strdup(g_array_index(operations, LacComparedOperation, i).name));
  job->ratios = g_new0(LacRatio, job->operations->len * n_runs + 1);
  lac_latest_job_start(self->finding, job);
}

/* ---- rows ---- */

static GtkWidget *
add_label(GtkWidget *box, const char *text, int width, const char *class)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_width_chars(GTK_LABEL(label), width);
  gtk_label_set_xalign(GTK_LABEL(label), width > 0 ? 1 : 0);
  gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return label;
}

/* Adds the speed-up over the first run: number, bar, and a label for the verdict. Returns: that label */
static GtkWidget *
add_speed_up(LacCompareOperations *self, int row, int n_columns, gsize run, double speed_up)
{
  GtkWidget       *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *factor = dup_factor(speed_up);
  g_autofree char *text = g_strconcat(factor, "×", NULL);
  add_label(box, lac_comparison_letter(run), 4, "dim-label");
  lac_tip_set(add_label(box, text, 7, "numeric"),
              _("Time per step of (a) divided by that of this run"));
  gtk_box_append(GTK_BOX(box), lac_speed_bar_new(speed_up));
  GtkWidget *flag = add_label(box, "…", 0, "numeric");
  gtk_label_set_ellipsize(GTK_LABEL(flag), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(flag, TRUE);
  gtk_grid_attach(self->grid, box, 0, row, n_columns, 1);
  return flag;
}

static void
fill(LacCompareOperations *self, gsize n_runs, const GArray *operations)
{
  const int shown = (int) MIN(n_runs, LAC_COMPARE_COLUMNS);
  int       row = 1;
  lac_compare_tables_add_letters(self->grid, n_runs);
  for (guint i = 0; i < operations->len && i < MOST_OPERATIONS; i++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, i);
    lac_compare_tables_add_cell(self->grid, 0, row, operation->name);
    for (int r = 0; r < shown; r++) {
      g_autofree char *time = lac_format_span(operation->seconds[r] * 1e9);
      lac_compare_tables_add_cell(self->grid, 1 + r, row, time);
    }
    row++;
    for (gsize r = 0; r < n_runs; r++) {
      const double   speed_up = operation->speed_up[r];
      const gboolean any = r > 0 && isfinite(speed_up);
      g_ptr_array_add(self->flags, any ? add_speed_up(self, row++, shown + 1, r, speed_up) : NULL);
    }
  }
}

/* ---- the object ---- */

static void
lac_compare_operations_dispose(GObject *object)
{
  LacCompareOperations *self = LAC_COMPARE_OPERATIONS(object);
  g_clear_pointer(&self->finding, lac_latest_job_free);
  if (self->grid != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->grid));
  self->grid = NULL;
  g_clear_pointer(&self->flags, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_compare_operations_parent_class)->dispose(object);
}

static void
lac_compare_operations_class_init(LacCompareOperationsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_operations_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_compare_operations_init(LacCompareOperations *self)
{
  self->grid = GTK_GRID(gtk_grid_new());
  self->flags = g_ptr_array_new();
  self->finding = lac_latest_job_new(
    self, &(LacJobKind){.work = find_ratios, .show = on_found, .free_request = job_free});
  gtk_grid_set_column_spacing(self->grid, 9);
  gtk_grid_set_row_spacing(self->grid, 3);
  gtk_widget_add_css_class(GTK_WIDGET(self->grid), "caption");
  gtk_widget_set_parent(GTK_WIDGET(self->grid), GTK_WIDGET(self));
}

GtkWidget *
lac_compare_operations_new(LacRunFile *const *runs, gsize n_runs, const GArray *operations)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 2 && operations != NULL, NULL);
  LacCompareOperations *self = g_object_new(LAC_TYPE_COMPARE_OPERATIONS, NULL);
  fill(self, n_runs, operations);
  start(self, runs, n_runs, operations);
  return GTK_WIDGET(self);
}
