/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a sweep. The table is rebuilt when a run ends, which is rare. */
#include "app/runs/sweep-page.h"

#include "app/runs/sweep-chart.h"
#include "app/session/words.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "report/text/metric-text.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Rows of the table. */
enum { METHOD_ROW, RULE_ROW, LABEL_ROW, FIRST_ROW };

struct _LacSweepPage {
  GtkWidget       parent_instance;
  GtkStack       *content;
  GtkLabel       *title, *progress;
  LacSweepChart  *chart;
  GtkGrid        *table;
  LacSweepSeries *series;
  LacSweepBands  *bands;
};

G_DEFINE_FINAL_TYPE(LacSweepPage, lac_sweep_page, GTK_TYPE_WIDGET)

/* Adds a right-aligned cell, so that numbers line up. Takes @text. */
static void
add_cell(LacSweepPage *self, guint column, guint row, char *text, gboolean is_number)
{
  GtkWidget *cell = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(cell), is_number ? 1 : 0);
  gtk_widget_add_css_class(cell, row < FIRST_ROW ? "caption-heading" : "numeric");
  if (row < FIRST_ROW) {
    gtk_label_set_wrap(GTK_LABEL(cell), TRUE);
    gtk_label_set_width_chars(GTK_LABEL(cell), MIN((int) g_utf8_strlen(text, -1), 8));
    gtk_label_set_max_width_chars(GTK_LABEL(cell), 14);
    gtk_label_set_justify(GTK_LABEL(cell), is_number ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
    gtk_widget_set_valign(cell, GTK_ALIGN_END);
  }
  gtk_grid_attach(self->table, cell, (int) column, (int) row, 1, 1);
  g_free(text);
}

/* Adds a method's name above its columns, with a rule that spans them. */
static void
add_method(LacSweepPage *self, const char *method, guint from, guint to)
{
  GtkWidget *name = gtk_label_new(method);
  int        width = (int) (to - from);
  gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
  lac_tip_set(name, method);
  gtk_widget_add_css_class(name, "caption-heading");
  gtk_grid_attach(self->table, name, (int) from, METHOD_ROW, width, 1);
  gtk_grid_attach(self->table, gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), (int) from, RULE_ROW,
                  width, 1);
}

/* Returns FALSE for columns that repeat the first method's, and for standard errors, which are shown with their
 * value. */
static gboolean
is_shown(LacSweepPage *self, gsize column)
{
  gsize            n;
  const LacMetric *columns = lac_sweep_series_get_columns(self->series, &n);
  return !lac_sweep_series_is_repeated(self->series, column) &&
         !lac_metric_is_error(columns, n, column);
}

/* Returns: (transfer full): the value of run @i with its unit. */
static char *
dup_value(LacSweepPage *self, gsize i, gsize column)
{
  gsize              n;
  const LacMetric   *columns = lac_sweep_series_get_columns(self->series, &n);
  g_autofree double *values = g_new(double, n);
  for (gsize c = 0; c < n; c++)
    values[c] = lac_sweep_series_get_value(self->series, i, c);
  return isfinite(values[column]) ? lac_metric_text(columns, values, n, column) : g_strdup("–");
}

static void
add_head(LacSweepPage *self)
{
  const LacSweep  *sweep = lac_sweep_series_get_sweep(self->series);
  gsize            n, n_keys = lac_sweep_get_n_keys(sweep);
  guint            at = 0, from = 0;
  const char      *last = NULL;
  const LacMetric *columns = lac_sweep_series_get_columns(self->series, &n);
  for (gsize k = 0; k < n_keys; k++)
    add_cell(self, at++, LABEL_ROW, lac_sweep_series_dup_key_label(self->series, k), TRUE);
  add_cell(self, at++, LABEL_ROW, g_strdup(_("Outcome")), FALSE);
  add_cell(self, at++, LABEL_ROW, g_strdup(_("Compute time")), TRUE);
  for (gsize c = 0; c < n; c++) {
    if (!is_shown(self, c))
      continue;
    const char *method = lac_sweep_series_get_method(self->series, c);
    if (method != last) {
      if (last != NULL)
        add_method(self, last, from, at);
      last = method;
      from = at;
    }
    add_cell(self, at++, LABEL_ROW, lac_format_metric_name(&columns[c]), TRUE);
  }
  if (last != NULL)
    add_method(self, last, from, at);
}

/* Adds the row of a run that has not ended. */
static void
add_wait(LacSweepPage *self, gsize i)
{
  const LacSweep *sweep = lac_sweep_series_get_sweep(self->series);
  gboolean        is_over = lac_sweep_series_is_over(self->series);
  gboolean        is_next = i == lac_sweep_series_get_n_done(self->series);
  guint           at = 0;
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    add_cell(self, at++, FIRST_ROW + (guint) i, lac_sweep_series_dup_shown(self->series, k, i),
             TRUE);
  add_cell(self, at, FIRST_ROW + (guint) i,
           g_strdup(is_over   ? _("left out")
                    : is_next ? _("running")
                              : _("waiting")),
           FALSE);
}

static void
add_run(LacSweepPage *self, gsize i)
{
  const LacSweep *sweep = lac_sweep_series_get_sweep(self->series);
  LacRunStatus    status = {.state = LAC_RUN_ENDED};
  gsize           n;
  guint           at = 0;
  lac_sweep_series_get_columns(self->series, &n);
  g_strlcpy(status.outcome, lac_sweep_series_get_outcome(self->series, i), sizeof status.outcome);
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    add_cell(self, at++, FIRST_ROW + (guint) i, lac_sweep_series_dup_shown(self->series, k, i),
             TRUE);
  add_cell(self, at++, FIRST_ROW + (guint) i, lac_run_status_dup_words(&status), FALSE);
  add_cell(self, at++, FIRST_ROW + (guint) i,
           lac_format_duration(lac_sweep_series_get_seconds(self->series, i)), TRUE);
  for (gsize c = 0; c < n; c++)
    if (is_shown(self, c))
      add_cell(self, at++, FIRST_ROW + (guint) i, dup_value(self, i, c), TRUE);
}

static void
describe_progress(LacSweepPage *self)
{
  if (self->series == NULL)
    return;
  gsize            n = lac_sweep_get_n(lac_sweep_series_get_sweep(self->series));
  gsize            n_done = lac_sweep_series_get_n_done(self->series);
  g_autofree char *progress = lac_sweep_bands_is_measuring(self->bands)
                                ? g_strdup_printf(_("Computing random placements: %zu of %zu runs"),
                                                  lac_sweep_bands_get_n(self->bands), n)
                                : g_strdup_printf(_("%zu of %zu runs"), n_done, n);
  gtk_label_set_text(self->progress, progress);
}

static void
show(LacSweepPage *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->table))) != NULL)
    gtk_grid_remove(self->table, child);
  gtk_stack_set_visible_child_name(self->content, self->series == NULL ? "none" : "sweep");
  if (self->series == NULL)
    return;
  gsize n = lac_sweep_get_n(lac_sweep_series_get_sweep(self->series));
  gsize n_done = lac_sweep_series_get_n_done(self->series);
  add_head(self);
  for (gsize i = 0; i < n_done; i++)
    add_run(self, i);
  for (gsize i = n_done; i < n; i++)
    add_wait(self, i);
  g_autofree char *title =
    g_strdup_printf(_("Sweep of %s"), lac_sweep_series_get_title(self->series));
  gtk_label_set_text(self->title, title);
  describe_progress(self);
}

static void
on_changed(LacSweepPage *self)
{
  show(self);
  if (lac_sweep_series_is_over(self->series) && lac_sweep_bands_get_n(self->bands) == 0 &&
      !lac_sweep_bands_is_measuring(self->bands))
    lac_sweep_bands_measure(self->bands, self->series);
}

static void
lac_sweep_page_dispose(GObject *object)
{
  LacSweepPage *self = LAC_SWEEP_PAGE(object);
  if (self->series != NULL)
    g_signal_handlers_disconnect_by_data(self->series, self);
  g_clear_object(&self->series);
  if (self->bands != NULL) {
    g_signal_handlers_disconnect_by_data(self->bands, self);
    lac_sweep_bands_cancel(self->bands);
  }
  g_clear_object(&self->bands);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SWEEP_PAGE);
  G_OBJECT_CLASS(lac_sweep_page_parent_class)->dispose(object);
}

static void
lac_sweep_page_class_init(LacSweepPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sweep_page_dispose;
  g_type_ensure(LAC_TYPE_SWEEP_CHART);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/sweep-page.ui");
  gtk_widget_class_bind_template_child(widget_class, LacSweepPage, content);
  gtk_widget_class_bind_template_child(widget_class, LacSweepPage, title);
  gtk_widget_class_bind_template_child(widget_class, LacSweepPage, progress);
  gtk_widget_class_bind_template_child(widget_class, LacSweepPage, chart);
  gtk_widget_class_bind_template_child(widget_class, LacSweepPage, table);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_sweep_page_init(LacSweepPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->bands = g_object_new(LAC_TYPE_SWEEP_BANDS, NULL);
  lac_sweep_chart_set_bands(self->chart, self->bands);
  g_signal_connect_object(self->bands, "changed", G_CALLBACK(describe_progress), self,
                          G_CONNECT_SWAPPED);
}

void
lac_sweep_page_set_series(LacSweepPage *self, LacSweepSeries *series)
{
  g_return_if_fail(LAC_IS_SWEEP_PAGE(self));
  if (self->series != NULL)
    g_signal_handlers_disconnect_by_data(self->series, self);
  g_set_object(&self->series, series);
  lac_sweep_bands_clear(self->bands);
  lac_sweep_chart_set_series(self->chart, series);
  if (series != NULL)
    g_signal_connect_object(series, "changed", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
  show(self);
}

LacSweepBands *
lac_sweep_page_get_bands(LacSweepPage *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_PAGE(self), NULL);
  return self->bands;
}
