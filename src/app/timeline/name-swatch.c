/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colour is looked up when drawn: it depends on the style. */
#include "app/timeline/name-swatch.h"

#include "app/toolkit/style.h"

#define SIZE 10

struct _LacNameSwatch {
  LacDrawingView    parent_instance;
  LacTimelineScope *scope; /* (nullable) */
  guint32           name;
};

G_DEFINE_FINAL_TYPE(LacNameSwatch, lac_name_swatch, LAC_TYPE_DRAWING_VIEW)

static void
lac_name_swatch_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacNameSwatch      *self = LAC_NAME_SWATCH(view);
  const LacSpanLooks *looks =
    self->scope != NULL ? lac_timeline_scope_get_looks(self->scope) : NULL;
  if (looks != NULL)
    lac_draw_rectangle(drawing, 0, 0, width, height,
                       lac_span_looks_get_colour(looks, self->name, lac_style_palette()));
}

static void
lac_name_swatch_dispose(GObject *object)
{
  g_clear_object(&LAC_NAME_SWATCH(object)->scope);
  G_OBJECT_CLASS(lac_name_swatch_parent_class)->dispose(object);
}

static void
lac_name_swatch_class_init(LacNameSwatchClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_name_swatch_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_name_swatch_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_name_swatch_init(LacNameSwatch *self)
{
  self->name = LAC_NO_NAME;
  gtk_widget_set_size_request(GTK_WIDGET(self), SIZE, SIZE);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *
lac_name_swatch_new(void)
{
  return g_object_new(LAC_TYPE_NAME_SWATCH, NULL);
}

void
lac_name_swatch_set(LacNameSwatch *self, LacTimelineScope *scope, guint32 name)
{
  g_return_if_fail(LAC_IS_NAME_SWATCH(self));
  g_set_object(&self->scope, scope);
  self->name = name;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
