/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/measured.h"

#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <string.h>

struct _LacMeasured {
  GtkWidget   parent_instance;
  GtkGrid    *grid;
  LacSession *session;
  GPtrArray  *values; /* GtkLabel per metric, borrowed; NULL if not listed */
};

G_DEFINE_FINAL_TYPE(LacMeasured, lac_measured, GTK_TYPE_WIDGET)

/* Returns: TRUE if a method has a metric of the same name: the run's is that of its first method. */
static gboolean
is_of_method(const LacMetric *metrics, gsize n, const LacMetric *metric)
{
  for (gsize i = 0; i < n; i++) {
    const char *point = strchr(metrics[i].key, '.');
    if (point != NULL && g_str_equal(point + 1, metric->key))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_listed(const LacMetric *metrics, gsize n, gsize m)
{
  const LacMetric *metric = &metrics[m];
  return metric->is_result && *lac_metric_group(metric) == '\0' &&
         metric->placing.column == LAC_COLUMN_FURTHER && !lac_metric_is_error(metrics, n, m) &&
         !is_of_method(metrics, n, metric);
}

static void
show(LacMeasured *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize i = 0; i < n && i < self->values->len; i++) {
    GtkLabel        *label = self->values->pdata[i];
    g_autofree char *text = label != NULL ? lac_metric_text(metrics, values, n, i) : NULL;
    if (label != NULL && g_strcmp0(gtk_label_get_text(label), text) != 0)
      gtk_label_set_text(label, text);
  }
}

static void
add(LacMeasured *self, const LacMetric *metric, int row)
{
  g_autofree char *name = lac_format_metric_name(metric);
  GtkWidget       *label = gtk_label_new(name), *value = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, "dim-label");
  lac_tip_set(label, lac_word(metric->label));
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_wrap(GTK_LABEL(value), TRUE);
  gtk_label_set_justify(GTK_LABEL(value), GTK_JUSTIFY_RIGHT);
  gtk_widget_set_valign(value, GTK_ALIGN_START);
  gtk_widget_add_css_class(value, "numeric");
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
  gtk_grid_attach(self->grid, value, 1, row, 1, 1);
  g_ptr_array_add(self->values, value);
}

void
lac_measured_set_session(LacMeasured *self, LacSession *session)
{
  GtkWidget *child;
  int        row = 0;
  g_return_if_fail(LAC_IS_MEASURED(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->grid))) != NULL)
    gtk_grid_remove(self->grid, child);
  g_ptr_array_set_size(self->values, 0);
  if (session != NULL) {
    gsize            n;
    const LacMetric *metrics = lac_session_get_metrics(session, &n);
    for (gsize i = 0; i < n; i++)
      if (is_listed(metrics, n, i))
        add(self, &metrics[i], row++);
      else
        g_ptr_array_add(self->values, NULL);
    g_signal_connect_object(session, "status-changed", G_CALLBACK(show), self, G_CONNECT_SWAPPED);
    show(self);
  }
  gtk_widget_set_visible(GTK_WIDGET(self), row > 0);
}

static void
lac_measured_dispose(GObject *object)
{
  LacMeasured *self = LAC_MEASURED(object);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  if (self->grid != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->grid));
  self->grid = NULL;
  g_clear_pointer(&self->values, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_measured_parent_class)->dispose(object);
}

static void
lac_measured_class_init(LacMeasuredClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_measured_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
on_unit(GtkWidget *widget)
{
  if (LAC_MEASURED(widget)->session != NULL)
    show(LAC_MEASURED(widget));
}

static void
lac_measured_init(LacMeasured *self)
{
  self->values = g_ptr_array_new();
  self->grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_row_spacing(self->grid, 6);
  gtk_grid_set_column_spacing(self->grid, 12);
  gtk_widget_set_parent(GTK_WIDGET(self->grid), GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}
