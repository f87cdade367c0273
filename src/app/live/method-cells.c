/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the table of methods: swatch, name and mark; the curve. */
#include "app/live/method-cells.h"

#include "app/plot/spark-chart.h"
#include "app/plot/swatch.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- the cell of the method: swatch, name, mark ---- */

static GtkWidget *
make_method(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button = gtk_button_new(), *name = gtk_label_new(NULL), *pill;
  gtk_button_set_child(GTK_BUTTON(button), lac_method_swatch_new());
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "swatch");
  gtk_widget_set_focusable(button, FALSE); /* the row has the focus, and Space */
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
  pill = gtk_label_new(_("★ best"));
  gtk_widget_add_css_class(pill, "best-pill");
  gtk_widget_set_valign(pill, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), button);
  gtk_box_append(GTK_BOX(box), name);
  gtk_box_append(GTK_BOX(box), pill);
  return box;
}

void
lac_method_item_toggle(LacMethodItem *item)
{
  item->is_hidden = !item->is_hidden;
  g_signal_emit_by_name(item->view, "toggled", item->data->group, !item->is_hidden);
}

static void
on_swatch(GtkButton *button, GtkListItem *cell)
{
  LacColumnRow *row = gtk_list_item_get_item(cell);
  lac_method_item_toggle(lac_column_row_get(row));
  lac_column_row_updated(row);
}

static void
bind_method(GtkListItem *cell, LacColumnTable *table)
{
  GtkWidget *button = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  g_signal_connect(button, "clicked", G_CALLBACK(on_swatch), cell);
}

static void
show_method(GtkListItem *cell, gpointer row)
{
  const LacMethodItem *item = row;
  GtkWidget           *button = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  GtkWidget *name = gtk_widget_get_next_sibling(button), *pill = gtk_widget_get_next_sibling(name);
  LacMethodSwatch *swatch = LAC_METHOD_SWATCH(gtk_button_get_child(GTK_BUTTON(button)));
  lac_method_swatch_set_look(swatch, item->look);
  lac_method_swatch_set_hidden(swatch, item->is_hidden);
  gtk_widget_set_sensitive(button, item->curve >= 0);
  g_autofree char *words = g_strdup_printf(item->is_hidden ? _("Show the curves of %s (Space)")
                                                           : _("Hide the curves of %s (Space)"),
                                           item->data->name);
  gtk_widget_set_tooltip_text(button, words);
  lac_accessible_name(button, words);
  gtk_label_set_text(GTK_LABEL(name), item->data->name);
  lac_accessible_name_cell(cell, item->data->name);
  gtk_widget_set_css_classes(name, (const char *[]){item->is_best     ? "strong"
                                                    : item->look == 0 ? "dim-label"
                                                                      : "plain",
                                                    NULL});
  gtk_widget_set_visible(pill, item->is_best);
}

static void
unbind_method(GtkListItem *cell)
{
  GtkWidget *button = gtk_widget_get_first_child(gtk_list_item_get_child(cell));
  g_signal_handlers_disconnect_by_data(button, cell);
}

const LacColumnCell lac_method_cell = {make_method, bind_method, show_method, unbind_method};

int
lac_method_item_compare(gpointer a, gpointer b, gconstpointer data)
{
  return g_utf8_collate(((const LacMethodItem *) a)->data->name,
                        ((const LacMethodItem *) b)->data->name);
}

/* ---- the cell of the curve ---- */

static GtkWidget *
make_spark(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append(GTK_BOX(box), g_object_new(LAC_TYPE_SPARK_CHART, NULL));
  gtk_box_append(GTK_BOX(box), gtk_label_new(NULL)); /* for screen readers: a cell is named by it */
  return box;
}

static void
nothing_to_bind(GtkListItem *cell, LacColumnTable *table)
{
}

static void
show_spark(GtkListItem *cell, gpointer row)
{
  const LacMethodItem *item = row;
  LacSession          *session = item->session;
  gsize                n;
  const LacMetric     *metrics = lac_session_get_metrics(session, &n);
  LacSparkCurve        curve = {.look = item->look};
  if (item->curve >= 0) {
    LacSessionSeries series = lac_session_get_series(session, (gsize) item->curve);
    curve.x = series.step;
    curve.y = series.values;
    curve.n = series.n;
    curve.x_to = (double) lac_session_get_status(session)->n_steps;
    curve.log_y = metrics[item->curve].log_axis;
  }
  GtkWidget *box = gtk_list_item_get_child(cell);
  lac_spark_chart_set(LAC_SPARK_CHART(gtk_widget_get_first_child(box)), &curve);
  g_autofree char *name = g_strdup_printf(_("Curve of %s"), item->data->name);
  lac_accessible_name(gtk_widget_get_first_child(box), name);
  lac_accessible_name(gtk_widget_get_last_child(box), name);
  lac_accessible_name_cell(cell, name);
}

static void
nothing_to_unbind(GtkListItem *cell)
{
}

const LacColumnCell lac_method_spark_cell = {make_spark, nothing_to_bind, show_spark,
                                             nothing_to_unbind};
