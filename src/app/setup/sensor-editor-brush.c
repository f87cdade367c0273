/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Painting of regions in the sensor editor, and their shade over the field. */
#include "app/setup/sensor-editor-private.h"

#include <math.h>
#include <string.h>

#define SHADE_CELLS 128  /* along each side of the shade */
#define SPACING     0.35 /* distance of the discs of a stroke, in radii */

static void
paint(LacSensorEditor *self, const double at[2])
{
  const LacRegion region = {
    .x = at[0],
    .y = at[1],
    .radius = self->brush_size * (self->layout.x_max - self->layout.x_min),
    .cost = self->brush_cost,
  };
  self->painted_at[0] = at[0];
  self->painted_at[1] = at[1];
  lac_sensor_layout_paint(&self->layout, &region, self->edit);
  lac_sensor_editor_show(self);
}

gboolean
lac_sensor_editor_begin_stroke(LacSensorEditor *self, double x, double y)
{
  double at[2];
  self->is_painting = lac_sensor_editor_find_place(self, x, y, at);
  if (!self->is_painting)
    return FALSE;
  self->dragging = FALSE;
  self->edit++;
  paint(self, at);
  return TRUE;
}

gboolean
lac_sensor_editor_go_on_stroke(LacSensorEditor *self, double x, double y)
{
  double at[2];
  double radius = self->brush_size * (self->layout.x_max - self->layout.x_min);
  if (!self->is_painting || !lac_sensor_editor_find_place(self, x, y, at))
    return FALSE;
  if (hypot(at[0] - self->painted_at[0], at[1] - self->painted_at[1]) >= SPACING * radius)
    paint(self, at);
  return TRUE;
}

void
lac_sensor_editor_release(LacSensorEditor *self)
{
  g_return_if_fail(LAC_IS_SENSOR_EDITOR(self));
  if (!self->is_painting)
    return;
  self->is_painting = FALSE;
  lac_sensor_editor_announce(self); /* once a stroke: the positions are chosen again */
}

/* ---- the shade ---- */

/* Forbidden: black; a cost: orange, the denser the dearer. */
static void
fill_pixel(double cost, guint8 *rgba)
{
  static const guint8 forbidden[4] = {20, 20, 20, 190};
  const double        share = MIN(cost / 100, 1);
  const guint8        dear[4] = {245, 140, 20, (guint8) (70 + 120 * share)};
  if (cost > 0)
    memcpy(rgba, isinf(cost) ? forbidden : dear, 4);
}

void
lac_sensor_editor_shade(LacSensorEditor *self)
{
  const LacSensorLayout *layout = &self->layout;
  const double           height = layout->is_line ? 1 : layout->y_max - layout->y_min;
  const double           period[2] = {0, 0};
  g_clear_object(&self->shade);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  if (layout->regions->len == 0)
    return;
  guint8 *rgba = g_malloc0(4 * SHADE_CELLS * SHADE_CELLS);
  for (gsize j = 0; j < SHADE_CELLS; j++)
    for (gsize i = 0; i < SHADE_CELLS; i++) {
      const double across = ((double) i + 0.5) / SHADE_CELLS,
                   up = 1 - ((double) j + 0.5) / SHADE_CELLS;
      const double at[2] = {layout->x_min + across * (layout->x_max - layout->x_min),
                            layout->is_line ? 0 : layout->y_min + up * height};
      fill_pixel(lac_regions_get_cost((const LacRegion *) (gpointer) layout->regions->data,
                                      layout->regions->len, at, period),
                 rgba + 4 * (j * SHADE_CELLS + i));
    }
  g_autoptr(GBytes) bytes = g_bytes_new_take(rgba, 4 * SHADE_CELLS * SHADE_CELLS);
  self->shade =
    gdk_memory_texture_new(SHADE_CELLS, SHADE_CELLS, GDK_MEMORY_R8G8B8A8, bytes, 4 * SHADE_CELLS);
}

/* Finds the field's corners in the editor. On a line the field is as high as the view. */
static gboolean
find_field(LacSensorEditor *self, graphene_rect_t *field)
{
  const LacSensorLayout *layout = &self->layout;
  double                 low[2], high[2];
  const double           from[2] = {layout->x_min, layout->y_min};
  const double           to[2] = {layout->x_max, layout->y_max};
  if (!lac_field_view_find_point(self->view, from, low) ||
      !lac_field_view_find_point(self->view, to, high))
    return FALSE;
  if (layout->is_line) {
    low[1] = gtk_widget_get_height(GTK_WIDGET(self->view));
    high[1] = 0;
  }
  graphene_rect_init(field, (float) low[0], (float) high[1], (float) (high[0] - low[0]),
                     (float) (low[1] - high[1]));
  return TRUE;
}

void
lac_sensor_editor_draw_regions(LacSensorEditor *self, GtkSnapshot *snapshot)
{
  graphene_rect_t field;
  if (self->shade == NULL || self->field == NULL || !find_field(self, &field))
    return;
  gtk_snapshot_push_clip(snapshot,
                         &GRAPHENE_RECT_INIT(0, 0, (float) gtk_widget_get_width(GTK_WIDGET(self)),
                                             (float) gtk_widget_get_height(GTK_WIDGET(self))));
  gtk_snapshot_append_texture(snapshot, self->shade, &field);
  gtk_snapshot_pop(snapshot);
}
