/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric a row, its value at the right; each value takes no more than it needs, so that names wrap late. */
#include "app/metric-list.h"

#include "app/phrase.h"
#include "app/style.h"
#include "app/tip.h"
#include "report/summary/trust.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

struct _LacMetricList {
  GtkWidget   parent_instance;
  GtkGrid    *grid;
  LacSession *session;
  GPtrArray  *values; /* GtkLabel by metric, borrowed; NULL where it is not listed */
  GPtrArray  *trusts; /* GtkLabel by metric, borrowed: above an engine's first one, else NULL */
};

G_DEFINE_FINAL_TYPE(LacMetricList, lac_metric_list, GTK_TYPE_WIDGET)

/* The sentence above the numbers of an engine that its sensors judge. */
static void
show_trust(LacMetricList *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize i = 0; i < n && i < self->trusts->len; i++) {
    GtkWidget *label = g_ptr_array_index(self->trusts, i);

    if (label == NULL)
      continue;
    const LacTrust   trust = lac_trust_gather(lac_metric_group(&metrics[i]), metrics, values, n);
    g_autofree char *sentence = lac_trust_dup_sentence(&trust);

    gtk_widget_set_visible(label, sentence != NULL);
    if (sentence != NULL) {
      g_autofree char *text = g_strdup_printf(_("It %s."), sentence);

      if (!g_str_equal(gtk_label_get_text(GTK_LABEL(label)), text))
        gtk_label_set_text(GTK_LABEL(label), text);
    }
  }
}

static void
show(LacMetricList *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize i = 0; i < n && i < self->values->len; i++) {
    GtkLabel        *label = g_ptr_array_index(self->values, i);
    g_autofree char *text = label != NULL ? lac_metric_text(metrics, values, n, i) : NULL;
    if (label != NULL)
      gtk_label_set_text(label, text);
  }
  show_trust(self);
}

static void
add_row(LacMetricList *self, const LacMetric *metric, int row)
{
  g_autofree char *name = lac_phrase_metric_name(metric);
  g_autofree char *whole = g_strdup_printf("%s\n%s", lac_word(metric->label), metric->key);
  GtkWidget       *label = gtk_label_new(name);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, metric->is_result ? "body" : "dim-label");
  lac_tip_set(label, whole);
  GtkWidget *value = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_width_chars(GTK_LABEL(value), 9);
  gtk_widget_set_valign(value, GTK_ALIGN_START);
  gtk_label_set_selectable(GTK_LABEL(value), TRUE);
  gtk_widget_set_can_focus(value, FALSE);
  gtk_widget_add_css_class(value, "numeric");
  if (metric->is_result)
    gtk_widget_add_css_class(value, "heading");
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append(GTK_BOX(box), label);
  gtk_box_append(GTK_BOX(box), value);
  gtk_grid_attach(self->grid, box, 0, row, 1, 1);
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
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
}

static GtkWidget *
add_trust(LacMetricList *self, int row)
{
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 30);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_set_can_focus(label, FALSE);
  gtk_widget_set_visible(label, FALSE);
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
  return label;
}

static gboolean
is_judged(const char *group, const LacMetric *metrics, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (lac_metric_group(&metrics[i]) == group && lac_trust_is_judge(metrics[i].key))
      return TRUE;
  return FALSE;
}

static void
rebuild(LacMetricList *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->grid))) != NULL)
    gtk_grid_remove(self->grid, child);
  g_ptr_array_set_size(self->values, 0);
  g_ptr_array_set_size(self->trusts, 0);
  if (self->session == NULL)
    return;
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  /* Rows keep the order of the declaration; results are set in bold, so that they are found. */
  const char *group = "";
  int         row = 0;
  for (gsize i = 0; i < n; i++) {
    const char *own = lac_metric_group(&metrics[i]);
    GtkWidget  *trust = NULL;
    if (own != group && *own != '\0') {
      add_heading(self, own, row++);
      if (is_judged(own, metrics, n))
        trust = add_trust(self, row++);
    }
    g_ptr_array_add(self->trusts, trust);
    group = own;
    if (lac_metric_is_error(metrics, n, i))
      g_ptr_array_add(self->values, NULL);
    else
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
  g_clear_pointer(&self->trusts, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_metric_list_parent_class)->dispose(object);
}

static void
lac_metric_list_class_init(LacMetricListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_metric_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
on_unit(GtkWidget *widget)
{
  if (LAC_METRIC_LIST(widget)->session != NULL)
    show(LAC_METRIC_LIST(widget));
}

static void
lac_metric_list_init(LacMetricList *self)
{
  self->values = g_ptr_array_new();
  self->trusts = g_ptr_array_new();
  self->grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_row_spacing(self->grid, 6);
  gtk_widget_set_parent(GTK_WIDGET(self->grid), GTK_WIDGET(self));
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}

void
lac_metric_list_set_session(LacMetricList *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_METRIC_LIST(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  if (session != NULL)
    g_signal_connect_object(session, "status-changed", G_CALLBACK(show), self, G_CONNECT_SWAPPED);
  rebuild(self);
}
