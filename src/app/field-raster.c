/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor's painter of the field viewer. */
#include "app/field-raster.h"

#include <math.h>
#include <string.h>

static void
put_colour(LacColour colour, guint8 *rgba)
{
  rgba[0] = (guint8) lroundf(colour.red * 255);
  rgba[1] = (guint8) lroundf(colour.green * 255);
  rgba[2] = (guint8) lroundf(colour.blue * 255);
  rgba[3] = 255;
}

void
lac_field_raster_pane(const LacFieldScene  *scene,
                      const LacFieldView2d *view,
                      guint                 index,
                      guint8               *rgba)
{
  const LacPane *pane = &scene->panes[index];
  const LacBox  *box = &view->layout->panes[index];
  int            columns = (int) box->width * view->scale, rows = (int) box->height * view->scale;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++, rgba += 4) {
      double point[2] = {box->x + (column + 0.5) / view->scale, box->y + (row + 0.5) / view->scale};
      double place[2];
      lac_pane_layout_to_field(view->layout, &view->camera, index, point, place);
      if (!(place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1)) {
        put_colour(view->backdrop, rgba);
        continue;
      }
      double value = (double) lac_field_scene_sample(scene, index, place[0], place[1]);
      memcpy(rgba, lac_colour_map_at(pane->map, value, pane->scale.low, pane->scale.high), 4);
    }
  }
}
