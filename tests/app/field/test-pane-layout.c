/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes and camera: the geometry for pointer input. */
#include "app/field/pane-layout.h"

#include <math.h>

static const LacBox area = {0, 26, 1000, 500};

static void
test_round_trip(void)
{
  LacPaneLayout layout;
  LacCamera     camera = {0.4, 0.7, 3};
  lac_pane_layout_place(&layout, 3, &area, 1);
  for (guint pane = 0; pane < 3; pane++) {
    double point[2] = {layout.panes[pane].x + 17, layout.panes[pane].y + 91}, place[2], back[2];
    lac_pane_layout_to_field(&layout, &camera, pane, point, place);
    lac_pane_layout_from_field(&layout, &camera, pane, place, back);
    /* A few rounding errors of values below 1000. */
    g_assert_cmpfloat_with_epsilon(back[0], point[0], 1e-10);
    g_assert_cmpfloat_with_epsilon(back[1], point[1], 1e-10);
  }
}

static void
test_same_place(void)
{
  LacPaneLayout layout;
  LacCamera     camera = {0.3, 0.3, 2};
  double        first[2], last[2];
  lac_pane_layout_place(&layout, 3, &area, 1);
  lac_pane_layout_to_field(&layout, &camera, 0, (double[]){layout.panes[0].x + 50, 100}, first);
  lac_pane_layout_to_field(&layout, &camera, 2, (double[]){layout.panes[2].x + 50, 100}, last);
  g_assert_cmpfloat_with_epsilon(first[0], last[0], 1e-12);
  g_assert_cmpfloat_with_epsilon(first[1], last[1], 1e-12);
}

static void
test_corners(void)
{
  LacPaneLayout layout;
  LacCamera     camera;
  double        place[2];
  lac_camera_fit(&camera);
  lac_pane_layout_place(&layout, 2, &area, 0);
  const LacBox *box = &layout.panes[1];
  lac_pane_layout_to_field(&layout, &camera, 1, (double[]){box->x, box->y + box->height}, place);
  g_assert_cmpfloat_with_epsilon(place[0], 0, 1e-12);
  g_assert_cmpfloat_with_epsilon(place[1], 0, 1e-12);
}

static void
test_zoom_keeps_pointer(void)
{
  LacPaneLayout layout;
  LacCamera     camera;
  double        place[2], point[2], again[2];
  lac_camera_fit(&camera);
  lac_pane_layout_place(&layout, 3, &area, 1);
  point[0] = layout.panes[1].x + 200;
  point[1] = layout.panes[1].y + 80;
  for (int i = 0; i < 6; i++) {
    lac_pane_layout_to_field(&layout, &camera, 1, point, place);
    lac_camera_zoom(&camera, place[0], place[1], 1.3);
    lac_pane_layout_from_field(&layout, &camera, 1, place, again);
    g_assert_cmpfloat_with_epsilon(again[0], point[0], 1e-9);
    g_assert_cmpfloat_with_epsilon(again[1], point[1], 1e-9);
  }
}

static void
test_camera_stays(void)
{
  LacCamera camera;
  lac_camera_fit(&camera);
  lac_camera_zoom(&camera, 0.9, 0.9, 4);
  lac_camera_move(&camera, 100, -100);
  g_assert_cmpfloat(camera.u + 0.5 / camera.zoom, <=, 1 + 1e-12);
  g_assert_cmpfloat(camera.v - 0.5 / camera.zoom, >=, -1e-12);
  lac_camera_zoom(&camera, 0.5, 0.5, 1e-6);
  g_assert_true(lac_camera_is_fit(&camera));
  g_assert_cmpfloat_with_epsilon(camera.u, 0.5, 1e-12);
}

static void
test_rows(void)
{
  LacPaneLayout layout;
  LacBox        high = {0, 0, 600, 500}, flat = {0, 0, 1200, 200};
  lac_pane_layout_place(&layout, 5, &high, 1);
  g_assert_cmpuint(layout.n_columns, ==, 3); /* three above two are larger than five in a row */
  g_assert_cmpfloat(layout.panes[3].x, ==, layout.panes[0].x);
  g_assert_cmpfloat(layout.panes[3].y, >=, layout.panes[0].y + layout.panes[0].height);
  for (guint i = 0; i < 5; i++) {
    const LacBox *box = &layout.panes[i];
    g_assert_cmpfloat(box->x, >=, high.x);
    g_assert_cmpfloat(box->x + box->width, <=, high.x + high.width);
    g_assert_cmpfloat(box->y + box->height, <=, high.y + high.height);
    g_assert_cmpint(lac_pane_layout_find(&layout, box->x + 1, box->y + 1), ==, i);
  }
  lac_pane_layout_place(&layout, 6, &flat, 1);
  g_assert_cmpuint(layout.n_columns, ==, 6);
}

static gboolean
overlap(const LacBox *a, const LacBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

static void
test_below(void)
{
  LacPaneLayout layout, before;
  LacBox        high = {0, 26, 996, 480}, flat = {0, 26, 996, 160};
  lac_pane_layout_place(&layout, 4, &high, 1);
  g_assert_cmpuint(layout.n_columns, ==, 4);
  g_assert_true(lac_pane_layout_place_below(&layout, 3, 0, &high, 1));
  g_assert_cmpuint(layout.n_panes, ==, 7);
  for (guint i = 0; i < 7; i++) {
    g_assert_cmpfloat(layout.panes[i].width, ==, layout.panes[0].width);
    g_assert_cmpfloat(layout.panes[i].height, ==, layout.panes[0].height);
    g_assert_false(overlap(&layout.corner, &layout.panes[i]));
    for (guint k = 0; k < i; k++)
      g_assert_false(overlap(&layout.panes[k], &layout.panes[i]));
  }
  for (guint i = 0; i < 3; i++) { /* each error below its source */
    const LacBox *source = &layout.panes[1 + i], *error = &layout.panes[4 + i];
    g_assert_cmpfloat(error->x, ==, source->x);
    g_assert_cmpfloat(error->y, ==, source->y + source->height + LAC_PANE_BELOW_GAP);
    g_assert_cmpint(lac_pane_layout_find(&layout, error->x + 1, error->y + 1), ==, 4 + i);
  }
  g_assert_cmpfloat(layout.corner.x, ==, layout.panes[0].x);
  g_assert_cmpfloat(layout.corner.y, ==, layout.panes[4].y);
  g_assert_cmpfloat(lac_pane_layout_get_bottom(&layout), <=, high.y + high.height);
  /* no room below: the panes would be less than half as large, or too low to see */
  lac_pane_layout_place(&layout, 4, &flat, 1);
  before = layout;
  g_assert_false(lac_pane_layout_place_below(&layout, 3, 0, &flat, 1));
  g_assert_cmpmem(&layout, sizeof layout, &before, sizeof before);
}

/* More columns than fit are scrolled; the true field stays in the first. */
static void
test_scrolled(void)
{
  enum { N = 8 };
  LacPaneLayout layout, start;
  LacBox        high = {0, 26, 996, 480};
  lac_pane_layout_place(&start, N, &high, 1);
  for (guint first = 0; first < N; first++) {
    guint n_shown = 0;
    layout = start;
    g_assert_true(lac_pane_layout_place_below(&layout, N - 1, first, &high, 1));
    g_assert_cmpuint(layout.n_panes, ==, 2 * N - 1);
    g_assert_cmpuint(layout.n_columns, ==, LAC_MAX_COLUMNS);
    g_assert_cmpfloat(layout.panes[0].x, ==, layout.corner.x);
    g_assert_cmpfloat(layout.panes[0].width, >, 0);
    for (guint i = 1; i < N; i++) {
      const LacBox *source = &layout.panes[i], *error = &layout.panes[N + i - 1];
      gboolean      is_shown = source->width > 0;
      g_assert_true((error->width > 0) == is_shown);
      n_shown += is_shown;
      g_assert_cmpfloat(error->x, ==, source->x);
      g_assert_true(is_shown == (i - 1 >= MIN(first, N - LAC_MAX_COLUMNS) &&
                                 i - 1 < MIN(first, N - LAC_MAX_COLUMNS) + LAC_MAX_COLUMNS - 1));
    }
    g_assert_cmpuint(n_shown, ==, LAC_MAX_COLUMNS - 1);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/pane-layout/a-point-goes-to-the-field-and-back", test_round_trip);
  g_test_add_func("/app/pane-layout/panes-show-the-same-place", test_same_place);
  g_test_add_func("/app/pane-layout/the-lower-left-is-the-first-cell", test_corners);
  g_test_add_func("/app/pane-layout/panes-are-as-large-as-they-can-be", test_rows);
  g_test_add_func("/app/pane-layout/errors-stand-below-where-there-is-room", test_below);
  g_test_add_func("/app/pane-layout/more-columns-than-fit-are-scrolled", test_scrolled);
  g_test_add_func("/app/camera/zooming-keeps-the-place-under-the-pointer", test_zoom_keeps_pointer);
  g_test_add_func("/app/camera/the-view-stays-on-the-field", test_camera_stays);
  return g_test_run();
}
