/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics in two columns. */
#include "app/metric-list.h"

#include "app/phrase.h"
#include "report/metric-group.h"

#include <glib/gi18n-lib.h>

struct _LacMetricList {
  GtkWidget   parent_instance;
  GtkGrid    *grid;
  LacSession *session;
  GPtrArray  *values; /* GtkLabel by metric, borrowed; NULL where it is not listed */
};

G_DEFINE_FINAL_TYPE(LacMetricList, lac_metric_list, GTK_TYPE_WIDGET)

static void
show(LacMetricList *self)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  for (gsize i = 0; i < n && i < self->values->len; i++) {
    GtkLabel        *label = g_ptr_array_index(self->values, i);
    g_autofree char *text =
      lac_phrase_metric(lac_session_get_last(self->session, i), metrics[i].unit);
    gtk_label_set_text(label, text);
  }
}

static void
add_row(LacMetricList *self, const LacMetric *metric, int row)
{
  gboolean   now = g_str_has_suffix(metric->key, ".error"); /* its label is the engine's name */
  GtkWidget *label =
    gtk_label_new(now ? _("Error now") : g_dgettext(GETTEXT_PACKAGE, metric->label));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, metric->is_result ? "body" : "dim-label");
  gtk_widget_set_tooltip_text(label, metric->key);
  GtkWidget *value = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_width_chars(GTK_LABEL(value), 9);
  gtk_widget_set_valign(value, GTK_ALIGN_START);
  gtk_label_set_selectable(GTK_LABEL(value), TRUE);
  gtk_widget_set_can_focus(value, FALSE);
  gtk_widget_add_css_class(value, "numeric");
  if (metric->is_result)
    gtk_widget_add_css_class(value, "heading");
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
  gtk_grid_attach(self->grid, value, 1, row, 1, 1);
  g_ptr_array_add(self->values, value);
}

static void
add_heading(LacMetricList *self, const char *group, int row)
{
  gsize             n, n_channels;
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n);
  const LacChannel *channels = lac_session_get_channels(self->session, &n_channels);
  GtkWidget        *label =
    gtk_label_new(_(lac_metric_group_label(group, metrics, n, channels, n_channels)));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, "caption-heading");
  gtk_widget_set_margin_top(label, 6);
  gtk_grid_attach(self->grid, label, 0, row, 2, 1);
}

static void
rebuild(LacMetricList *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->grid))) != NULL)
    gtk_grid_remove(self->grid, child);
  g_ptr_array_set_size(self->values, 0);
  if (self->session == NULL)
    return;
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  /* Rows keep the order of the declaration; results are set in bold, so that they are found. */
  const char *group = "";
  int         row = 0;
  for (gsize i = 0; i < n; i++) {
    const char *own = lac_metric_group(&metrics[i]);
    if (own != group && *own != '\0')
      add_heading(self, own, row++);
    group = own;
    add_row(self, &metrics[i], row++);
  }
  show(self);
}

static void
lac_metric_list_dispose(GObject *object)
{
  LacMetricList *self = LAC_METRIC_LIST(object);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_pointer(&self->values, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_metric_list_parent_class)->dispose(object);
}

static void
lac_metric_list_class_init(LacMetricListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_metric_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_metric_list_init(LacMetricList *self)
{
  self->values = g_ptr_array_new();
  self->grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_row_spacing(self->grid, 6);
  gtk_grid_set_column_spacing(self->grid, 12);
  gtk_widget_set_parent(GTK_WIDGET(self->grid), GTK_WIDGET(self));
}

void
lac_metric_list_set_session(LacMetricList *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_METRIC_LIST(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  if (session != NULL)
    g_signal_connect_object(session, "series-changed", G_CALLBACK(show), self, G_CONNECT_SWAPPED);
  rebuild(self);
}
