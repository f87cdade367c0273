/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of the panes, without widgets: shared by viewer, overlay and tests. */
#include "app/field/pane-layout.h"

#include <math.h>

#define MAX_ZOOM 256.0
#define SHARE    0.45 /* minimum size of panes relative to a layout without a second row */
#define LEAST    72.0 /* minimum width and height of a pane with its error below */

/* Returns the cell size of @n_panes panes in @n_columns with @row_gap between the rows. */
static LacBox
divide(const LacBox *area, guint n_panes, guint n_columns, double row_gap)
{
  guint n_rows = (n_panes + n_columns - 1) / n_columns;
  return (LacBox){
    .width = MAX(floor((area->width - LAC_PANE_GAP * (n_columns - 1)) / n_columns), 1),
    .height = MAX(floor((area->height - row_gap * (n_rows - 1)) / n_rows), 1),
  };
}

/* Returns the number of columns with the largest panes; among equals the smallest, which fills its rows best. */
static guint
choose_columns(guint n_panes, const LacBox *area, double aspect)
{
  double largest = 0, wanted = aspect > 0 ? aspect : LAC_STRETCHED_ASPECT;
  guint  best = n_panes;
  for (guint columns = n_panes; columns > 0; columns--) {
    LacBox pane = divide(area, n_panes, columns, LAC_PANE_ROW_GAP);
    double width = MIN(pane.width, pane.height * wanted);
    if (width >= largest) {
      largest = width;
      best = columns;
    }
  }
  return best;
}

/* Places the panes row by row from the left of the area, with the aspect of the field. */
static void
arrange(LacPaneLayout *layout, guint columns, const LacBox *area, double aspect, double row_gap)
{
  LacBox pane = divide(area, layout->n_panes, columns, row_gap);
  layout->n_columns = columns;
  layout->field_width = pane.width;
  layout->field_height = pane.height;
  if (aspect > 0) {
    layout->field_width = MIN(pane.width, pane.height * aspect);
    layout->field_height = layout->field_width / aspect;
    pane.height = MIN(pane.height, ceil(layout->field_height));
    pane.width = MIN(pane.width, ceil(layout->field_width));
  }
  for (guint i = 0; i < layout->n_panes; i++)
    layout->panes[i] =
      (LacBox){floor(area->x) + (i % columns) * (pane.width + LAC_PANE_GAP),
               floor(area->y) + (i / columns) * (pane.height + row_gap), pane.width, pane.height};
}

void
lac_pane_layout_place(LacPaneLayout *layout, guint n_panes, const LacBox *area, double aspect)
{
  g_return_if_fail(n_panes <= LAC_MAX_PANES);
  *layout = (LacPaneLayout){.n_panes = n_panes};
  if (n_panes == 0)
    return;
  arrange(layout, choose_columns(n_panes, area, aspect), area, aspect, LAC_PANE_ROW_GAP);
}

gboolean
lac_pane_layout_place_below(LacPaneLayout *layout,
                            guint          n_below,
                            guint          first,
                            const LacBox  *area,
                            double         aspect)
{
  g_return_val_if_fail(n_below > 0 && n_below < layout->n_panes, FALSE);
  const guint   n = layout->n_panes, n_fixed = n - n_below, columns = MIN(n, LAC_MAX_COLUMNS);
  const guint   skipped = MIN(first, n - columns);
  const double  wanted = aspect > 0 ? aspect : LAC_STRETCHED_ASPECT;
  LacPaneLayout cells = {.n_panes = 2 * columns};
  arrange(&cells, columns, area, aspect, LAC_PANE_BELOW_GAP);
  const LacBox *one = &layout->panes[0], *other = &cells.panes[0];
  if (other->width < LEAST || other->height < LEAST ||
      MIN(other->width, other->height * wanted) < SHARE * MIN(one->width, one->height * wanted))
    return FALSE;
  LacPaneLayout rows = {.n_panes = n + n_below,
                        .n_columns = columns,
                        .corner = cells.panes[columns],
                        .field_width = cells.field_width,
                        .field_height = cells.field_height};
  for (guint i = 0; i < n; i++) {
    const gboolean is_fixed = i < n_fixed;
    if (!is_fixed && (i - n_fixed < skipped || i - skipped >= columns))
      continue;
    const guint column = is_fixed ? i : i - skipped;
    rows.panes[i] = cells.panes[column];
    if (!is_fixed)
      rows.panes[n + i - n_fixed] = cells.panes[columns + column];
  }
  *layout = rows;
  return TRUE;
}

double
lac_pane_layout_get_bottom(const LacPaneLayout *layout)
{
  double bottom = 0;
  for (guint i = 0; i < layout->n_panes; i++)
    bottom = MAX(bottom, layout->panes[i].y + layout->panes[i].height);
  return bottom;
}

int
lac_pane_layout_find(const LacPaneLayout *layout, double x, double y)
{
  for (guint i = 0; i < layout->n_panes; i++) {
    const LacBox *box = &layout->panes[i];
    if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
      return (int) i;
  }
  return -1;
}

void
lac_pane_layout_to_field(const LacPaneLayout *layout,
                         const LacCamera     *camera,
                         guint                pane,
                         double               point[2],
                         double               place[2])
{
  const LacBox *box = &layout->panes[pane];
  double        dx = point[0] - (box->x + box->width / 2);
  double        dy = point[1] - (box->y + box->height / 2);
  place[0] = camera->u + dx / (layout->field_width * camera->zoom);
  place[1] = camera->v - dy / (layout->field_height * camera->zoom);
}

void
lac_pane_layout_from_field(const LacPaneLayout *layout,
                           const LacCamera     *camera,
                           guint                pane,
                           const double         place[2],
                           double               point[2])
{
  const LacBox *box = &layout->panes[pane];
  point[0] = box->x + box->width / 2 + (place[0] - camera->u) * layout->field_width * camera->zoom;
  point[1] =
    box->y + box->height / 2 - (place[1] - camera->v) * layout->field_height * camera->zoom;
}

/* Keeps the centre of the view within the field. */
static void
clamp(LacCamera *camera)
{
  camera->zoom = CLAMP(camera->zoom, 1, MAX_ZOOM);
  double half = 0.5 / camera->zoom;
  camera->u = CLAMP(camera->u, half, 1 - half);
  camera->v = CLAMP(camera->v, half, 1 - half);
}

void
lac_camera_fit(LacCamera *camera)
{
  *camera = (LacCamera){0.5, 0.5, 1};
}

gboolean
lac_camera_is_fit(const LacCamera *camera)
{
  return camera->zoom <= 1;
}

void
lac_camera_zoom(LacCamera *camera, double u, double v, double factor)
{
  double before = camera->zoom;
  camera->zoom = CLAMP(before * factor, 1, MAX_ZOOM);
  double ratio = before / camera->zoom;
  camera->u = u + (camera->u - u) * ratio;
  camera->v = v + (camera->v - v) * ratio;
  clamp(camera);
}

void
lac_camera_move(LacCamera *camera, double du, double dv)
{
  camera->u += du;
  camera->v += dv;
  clamp(camera);
}
