/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend: a column of toggles, each with a sample of its line. */
#include "app/plot/curve-legend.h"

#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"
#include "report/plot/plot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SWATCH_WIDTH    22
#define SWATCH_HEIGHT   12
#define MOST_CHARACTERS 30

struct _LacCurveLegend {
  GtkWidget parent_instance;
  GtkBox   *rows;
};

G_DEFINE_FINAL_TYPE(LacCurveLegend, lac_curve_legend, GTK_TYPE_WIDGET)

enum { TOGGLED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- a piece of a line ---- */

#define LAC_TYPE_SWATCH (lac_swatch_get_type())
G_DECLARE_FINAL_TYPE(LacSwatch, lac_swatch, LAC, SWATCH, LacDrawingView)

struct _LacSwatch {
  LacDrawingView parent_instance;
  guint          look;
};

G_DEFINE_FINAL_TYPE(LacSwatch, lac_swatch, LAC_TYPE_DRAWING_VIEW)

static void
lac_swatch_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  guint    look = LAC_SWATCH(view)->look;
  double   middle = floor(height / 2) + 0.5;
  LacPoint line[] = {{0, middle}, {width, middle}};
  lac_draw_dashed(drawing, line, 2, 2, lac_look_colour(lac_style_palette(), look),
                  lac_look_dash(look));
}

static void
lac_swatch_class_init(LacSwatchClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_swatch_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_swatch_init(LacSwatch *self)
{
  gtk_widget_set_size_request(GTK_WIDGET(self), SWATCH_WIDTH, SWATCH_HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

/* ---- the legend ---- */

static void
on_toggled(GtkCheckButton *check, LacCurveLegend *self)
{
  guint entry = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(check), "entry"));
  g_signal_emit(self, signals[TOGGLED], 0, entry, gtk_check_button_get_active(check));
}

static void
lac_curve_legend_dispose(GObject *object)
{
  LacCurveLegend *self = LAC_CURVE_LEGEND(object);
  GtkWidget      *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  self->rows = NULL;
  G_OBJECT_CLASS(lac_curve_legend_parent_class)->dispose(object);
}

static void
lac_curve_legend_class_init(LacCurveLegendClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_curve_legend_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  signals[TOGGLED] = g_signal_new("toggled", LAC_TYPE_CURVE_LEGEND, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
}

static void
lac_curve_legend_init(LacCurveLegend *self)
{
  self->rows = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_set_parent(GTK_WIDGET(self->rows), GTK_WIDGET(self));
}

void
lac_curve_legend_clear(LacCurveLegend *self)
{
  GtkWidget *child;
  g_return_if_fail(LAC_IS_CURVE_LEGEND(self));
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->rows))) != NULL)
    gtk_box_remove(self->rows, child);
}

void
lac_curve_legend_add_heading(LacCurveLegend *self, const char *text)
{
  g_return_if_fail(LAC_IS_CURVE_LEGEND(self) && text != NULL);
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars(GTK_LABEL(label), MOST_CHARACTERS);
  gtk_widget_add_css_class(label, "caption-heading");
  gtk_widget_set_margin_top(label,
                            gtk_widget_get_first_child(GTK_WIDGET(self->rows)) != NULL ? 6 : 0);
  gtk_box_append(self->rows, label);
}

void
lac_curve_legend_add(LacCurveLegend *self,
                     guint           entry,
                     const char     *label,
                     guint           look,
                     gboolean        shown)
{
  g_return_if_fail(LAC_IS_CURVE_LEGEND(self) && label != NULL);
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  LacSwatch *swatch = g_object_new(LAC_TYPE_SWATCH, NULL);
  GtkWidget *check = gtk_check_button_new_with_label(label);
  swatch->look = look;
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(swatch));
  gtk_check_button_set_active(GTK_CHECK_BUTTON(check), shown);
  gtk_widget_add_css_class(check, "caption");
  gtk_widget_add_css_class(check, "legend");
  gtk_widget_set_hexpand(check, TRUE);
  lac_tip_set(check, label);
  GtkWidget *words = gtk_widget_get_last_child(check);
  if (GTK_IS_LABEL(words)) {
    gtk_label_set_ellipsize(GTK_LABEL(words), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(words), MOST_CHARACTERS);
  }
  g_object_set_data(G_OBJECT(check), "entry", GUINT_TO_POINTER(entry));
  g_signal_connect(check, "toggled", G_CALLBACK(on_toggled), self);
  gtk_box_append(GTK_BOX(row), check);
  gtk_box_append(self->rows, row);
}
