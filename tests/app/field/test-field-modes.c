/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two fields in one pane: divided by a handle, alternating, their difference; a single field. */
#include "app/field/raster.h"
#include "app/field/scale.h"
#include "app/field/view-controls.h"
#include "app/field/view.h"
#include "app/helpers/display.h"

#include <math.h>
#include <string.h>

#define NX 8
#define NY 4

static const LacChannel channels[] = {
  {"t", "Truth", "1", "u", LAC_ROLE_TRUTH, "viridis", "x", "y", "1", "1"},
  {"a", "First", "1", "u", LAC_ROLE_RECONSTRUCTION, "viridis", "x", "y", "1", "1"},
  {"b", "Second", "1", "u", LAC_ROLE_RECONSTRUCTION, "viridis", "x", "y", "1", "1"},
};

/* Channel p has the value 10 p + the column. */
static LacFrame *
make_frame(void)
{
  const gsize sizes[3][2] = {{NX, NY}, {NX, NY}, {NX, NY}};
  LacFrame   *frame = lac_frame_new(3, sizes, 0, 0);
  for (gsize p = 0; p < 3; p++) {
    LacPlane *plane = &frame->planes[p];
    plane->x_max = plane->y_max = 1;
    for (gsize i = 0; i < NX * NY; i++)
      plane->data[i] = (float) (10 * p + i % NX);
    lac_plane_measure(plane);
  }
  return frame;
}

static void
open_scene(LacFieldScene *scene, gsize n_channels)
{
  g_autoptr(LacFrame) frame = make_frame();
  lac_field_scene_init(scene, channels, n_channels);
  lac_field_scene_set_frame(scene, frame);
}

/* Returns the centre of column @i. */
static double
at(guint i)
{
  return (i + 0.5) / NX;
}

static void
test_swipe(void)
{
  LacFieldScene scene;
  open_scene(&scene, 3);
  lac_field_scene_set_mode(&scene, LAC_VIEW_SWIPE);
  g_assert_cmpuint(scene.n_panes, ==, 1);
  for (guint handle = 0; handle <= NX; handle++) {
    scene.swipe = (double) handle / NX;
    for (guint i = 0; i < NX; i++)
      g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(i), 0.5), ==,
                        (i < handle ? 0 : 10) + i);
  }
  lac_field_scene_choose(&scene, 1);
  scene.swipe = 0;
  g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(3), 0.5), ==, 23);
  g_autofree char *title = lac_field_scene_dup_title(&scene, 0);
  g_assert_cmpstr(title, ==, "Truth | Second");
  lac_field_scene_clear(&scene);
}

/* Share 0 is the first field, 1 the second, in between every colour lies between the two. */
static void
test_fade(void)
{
  LacFieldScene scene;
  LacPaneLayout layout;
  guint8        rgba[3][NX * NY * 4];
  open_scene(&scene, 3);
  lac_field_scene_set_mode(&scene, LAC_VIEW_FADE);
  g_assert_cmpuint(scene.n_panes, ==, 1);
  g_assert_true(scene.panes[0].fade);
  lac_pane_layout_place(&layout, 1, &(LacBox){0, 0, NX, NY}, 0);
  LacFieldView2d view = {&layout, {0.5, 0.5, 1}, NY, 1, {0, 0, 0, 1}, NULL};
  for (guint i = 0; i < 3; i++) {
    scene.swipe = i / 2.0;
    lac_field_raster_pane(&scene, &view, 0, rgba[i]);
  }
  g_assert_cmpint(memcmp(rgba[0], rgba[2], sizeof rgba[0]), !=, 0);
  for (gsize i = 0; i < sizeof rgba[0]; i++)
    g_assert_cmpint(abs(2 * rgba[1][i] - rgba[0][i] - rgba[2][i]), <=, 1);
  lac_field_scene_clear(&scene);
}

enum { WIDE = 37, HIGH = 23 };

/* Compares the painted pane with the field sampled at the centre of each pixel. */
static void
assert_pixels(const LacFieldScene *scene, const LacFieldView2d *view)
{
  static const guint8 backdrop[] = {0, 0, 0, 255};
  const LacPane      *pane = &scene->panes[0];
  guint8              rgba[HIGH][WIDE][4];
  lac_field_raster_pane(scene, view, 0, rgba[0][0]);
  for (int row = 0; row < HIGH; row++)
    for (int column = 0; column < WIDE; column++) {
      double point[2] = {column + 0.5, row + 0.5}, place[2];
      lac_pane_layout_to_field(view->layout, &view->camera, 0, point, place);
      gboolean      inside = place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1;
      float         value = lac_field_scene_sample(scene, 0, place[0], place[1]);
      const guint8 *expected =
        !inside ? backdrop
                : lac_colour_map_at_place(pane->map, lac_warp_at(&pane->warp, (double) value));
      if (!inside || isfinite(value)) /* else it is hatched */
        g_assert_cmpmem(rgba[row][column], 4, expected, 4);
      else
        g_assert_cmpint(rgba[row][column][0], <=, lac_colour_not_finite[0]);
    }
}

static void
test_a_row_is_its_pixels(void)
{
  static const LacViewMode modes[] = {LAC_VIEW_LARGE, LAC_VIEW_SWIPE, LAC_VIEW_DIFFERENCE};
  LacFieldScene            scene;
  LacPaneLayout            layout;
  open_scene(&scene, 3);
  for (gsize i = 0; i < NX * NY; i++)
    scene.frame->planes[1].data[i] += (float) g_test_rand_double_range(-1, 1);
  scene.frame->planes[1].data[g_test_rand_int_range(0, NX * NY)] = NAN;
  lac_pane_layout_place(&layout, 1, &(LacBox){0, 0, WIDE, HIGH}, 0);
  for (gsize m = 0; m < G_N_ELEMENTS(modes); m++)
    for (guint trial = 0; trial < 20; trial++) {
      LacCamera camera = {g_test_rand_double(), g_test_rand_double(),
                          g_test_rand_double_range(0.3, 9)};
      lac_field_scene_set_mode(&scene, modes[m]);
      scene.swipe = g_test_rand_double();
      scene.smooth = trial % 2;
      assert_pixels(&scene, &(LacFieldView2d){&layout, camera, HIGH, 1, {0, 0, 0, 1}, NULL});
    }
  lac_field_scene_clear(&scene);
}

/* Limits locked by the user persist; after unlocking, the scale is the automatic one again. */
static void
test_locked_limits_stay(void)
{
  LacFieldScene scene;
  LacScaleView  view, before;
  LacScale      found;
  open_scene(&scene, 3);
  lac_field_scene_set_mode(&scene, LAC_VIEW_ERRORS);
  g_assert_true(lac_field_scene_get_scale(&scene, FALSE, &before));
  lac_field_scene_set_limits(&scene, FALSE, &(LacScale){2, 5});
  lac_field_scene_set_limits(&scene, TRUE, &(LacScale){-3, 7});
  for (guint round = 0; round < 3; round++) {
    g_autoptr(LacFrame) frame = make_frame();
    for (gsize p = 0; p < 3; p++) {
      frame->planes[p].data[round] = (float) (1000 * (round + 1));
      lac_plane_measure(&frame->planes[p]);
    }
    lac_field_scene_set_frame(&scene, frame);
    g_assert_true(lac_field_scene_get_scale(&scene, FALSE, &view) && view.locked);
    g_assert_cmpfloat(view.scale.low, ==, 2);
    g_assert_cmpfloat(view.scale.high, ==, 5);
    g_assert_true(lac_field_scene_get_scale(&scene, TRUE, &view) && view.locked);
    g_assert_cmpfloat(view.scale.low, ==, -7); /* symmetric */
    g_assert_cmpfloat(view.scale.high, ==, 7);
  }
  g_autoptr(LacFrame) frame = make_frame();
  lac_field_scene_set_frame(&scene, frame);
  /* columns 0...7 of the truth: below 2 two of eight, above 5 two of eight */
  LacClipped clipped = lac_field_scene_count_clipped(&scene, FALSE);
  g_assert_cmpuint(clipped.n, ==, NX * NY);
  g_assert_cmpuint(clipped.n_below, ==, 2 * NY);
  g_assert_cmpuint(clipped.n_above, ==, 2 * NY);
  g_assert_true(lac_field_scene_find_limits(&scene, FALSE, 0, &found));
  g_assert_cmpfloat(found.low, ==, 0);
  g_assert_cmpfloat(found.high, ==, NX - 1);
  g_assert_true(lac_field_scene_find_limits(&scene, FALSE, 0.5, &found));
  g_assert_cmpfloat(found.low, ==, found.high);
  lac_field_scene_set_limits(&scene, FALSE, NULL);
  g_assert_true(lac_field_scene_get_scale(&scene, FALSE, &view) && !view.locked);
  g_assert_cmpfloat(view.scale.high, >=, before.scale.high);
  lac_field_scene_clear(&scene);
}

static void
test_marks_lie_within(void)
{
  static const double ends[][2] = {{-5, 5}, {0.02, 7000}, {0, 1}, {-1e-6, 3e-6}, {-300, -2}};
  for (LacTransfer kind = 0; kind < LAC_N_TRANSFERS; kind++)
    for (gsize e = 0; e < G_N_ELEMENTS(ends); e++) {
      LacWarp warp = lac_warp_new(kind, ends[e][0], ends[e][1]);
      double  marks[LAC_MAX_LEVELS];
      gsize   n = lac_scale_marks(&warp, 8, marks);
      g_assert_cmpuint(n, >=, 1);
      g_assert_cmpuint(n, <=, 8);
      for (gsize i = 0; i < n; i++) {
        g_assert_cmpfloat(lac_warp_at(&warp, marks[i]), >=, -1e-9);
        g_assert_cmpfloat(lac_warp_at(&warp, marks[i]), <=, 1 + 1e-9);
        g_assert_true(i == 0 || marks[i] > marks[i - 1]);
      }
    }
}

/* The scale stays the same during flicker; only the field alternates. */
static void
test_flicker(void)
{
  LacFieldScene scene;
  open_scene(&scene, 3);
  lac_field_scene_set_mode(&scene, LAC_VIEW_FLICKER);
  g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(2), 0.5), ==, 2);
  LacScale scale = scene.panes[0].scale;
  lac_field_scene_show_second(&scene, TRUE);
  g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(2), 0.5), ==, 12);
  g_assert_cmpfloat(scene.panes[0].scale.low, ==, scale.low);
  g_assert_cmpfloat(scene.panes[0].scale.high, ==, scale.high);
  lac_field_scene_clear(&scene);
}

/* Both fields are shown once per two intervals. */
static void
test_flicker_is_safe(void)
{
  for (double rate = 0; rate < 40; rate += 0.25) {
    double calm = 500.0 / lac_flicker_interval(rate, TRUE);
    double usual = 500.0 / lac_flicker_interval(rate, FALSE);
    g_assert_cmpfloat(calm, <=, LAC_FLICKER_CALM);
    g_assert_cmpfloat(usual, <=, LAC_FLICKER_MOST);
    g_assert_cmpfloat(usual, >=, 0.99 * LAC_FLICKER_LEAST);
    if (rate >= LAC_FLICKER_LEAST && rate <= LAC_FLICKER_CALM)
      g_assert_cmpfloat(fabs(calm - rate), <, 0.02 * rate); /* rounded to milliseconds */
  }
}

static void
test_difference_and_large(void)
{
  LacFieldScene scene;
  open_scene(&scene, 3);
  lac_field_scene_set_mode(&scene, LAC_VIEW_DIFFERENCE);
  g_assert_cmpuint(scene.n_panes, ==, 1);
  g_assert_true(scene.panes[0].difference);
  g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(5), 0.5), ==, 10);
  lac_field_scene_set_mode(&scene, LAC_VIEW_LARGE);
  const double offsets[] = {10, 20, 0,
                            10}; /* the sources, the true field, and again from the first */
  for (guint i = 0; i < G_N_ELEMENTS(offsets); i++) {
    lac_field_scene_choose(&scene, i);
    g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(5), 0.5), ==, offsets[i] + 5);
  }
  lac_field_scene_clear(&scene);
}

/* Modes that need two fields fall back to side by side. */
static void
test_a_lone_field_has_no_pair(void)
{
  LacFieldScene scene;
  open_scene(&scene, 1);
  for (LacViewMode mode = LAC_VIEW_SWIPE; mode < LAC_N_VIEWS; mode++) {
    g_assert_false(lac_field_scene_has_mode(&scene, mode));
    lac_field_scene_set_mode(&scene, mode);
    g_assert_cmpuint(scene.n_panes, ==, 1);
    g_assert_cmpfloat(lac_field_scene_sample(&scene, 0, at(5), 0.5), ==, 5);
  }
  lac_field_scene_clear(&scene);
}

/* Two runs share one scale that covers both. */
static void
test_runs_share_a_scale(void)
{
  LacFieldScene       scene;
  g_autoptr(LacFrame) frame = make_frame();
  lac_field_scene_init(&scene, channels, 2);
  scene.compares = TRUE;
  lac_field_scene_set_frame(&scene, frame);
  g_assert_cmpfloat(scene.panes[0].scale.low, <=, 0);
  g_assert_cmpfloat(scene.panes[0].scale.high, >=, 17);
  g_assert_cmpfloat(scene.panes[0].scale.high, ==, scene.panes[1].scale.high);
  lac_field_scene_clear(&scene);
}

/* Every mode is found by its word. */
static void
test_words(void)
{
  static const char *const words[LAC_N_VIEWS] = {
    [LAC_VIEW_BOTH] = "both",
    [LAC_VIEW_FIELDS] = "fields",
    [LAC_VIEW_ERRORS] = "errors",
    [LAC_VIEW_DEVIATION] = "deviation",
    [LAC_VIEW_VOLUME] = "volume",
    [LAC_VIEW_SWIPE] = "swipe",
    [LAC_VIEW_FADE] = "fade",
    [LAC_VIEW_FLICKER] = "flicker",
    [LAC_VIEW_DIFFERENCE] = "difference",
    [LAC_VIEW_LARGE] = "large",
  };
  LacViewMode found;
  for (guint mode = 0; mode < LAC_N_VIEWS; mode++) {
    g_assert_true(lac_view_mode_find(words[mode], &found));
    g_assert_cmpuint(found, ==, mode);
  }
  g_assert_false(lac_view_mode_find("cinema", &found));
}

/* The true field is 0 ... 7, the error of the source ±2 by the parity of the column, NaN in the last one. */
static LacFrame *
make_error_frame(double truth)
{
  LacFrame *frame = make_frame();
  for (gsize i = 0; i < NX * NY; i++) {
    double column = (double) (i % NX), error = i % NX == NX - 1 ? 0 : i % 2 ? -2 : 2;
    frame->planes[0].data[i] = (float) (truth * column);
    frame->planes[1].data[i] = (float) (truth * column + error);
  }
  for (gsize p = 0; p < 2; p++)
    lac_plane_measure(&frame->planes[p]);
  return frame;
}

/* Each form of the error has its values, limits and colours: two hues for signed values, one for magnitudes. */
static void
test_errors_as(void)
{
  LacFieldScene       scene;
  LacScaleView        view;
  g_autoptr(LacFrame) frame = make_error_frame(1);
  const double        expected[] = {-2, 2, 200.0 / 7, log10(2)};
  const LacScale      scales[] = {{-2, 2}, {0, 2}, {0, 30}, {1 - LAC_ERROR_DECADES, 1}};
  const char         *titles[] = {"Error, signed", "|error|", "|error|, %", "log₁₀ |error|"};
  lac_field_scene_init(&scene, channels, 2);
  lac_field_scene_set_mode(&scene, LAC_VIEW_ERRORS);
  lac_field_scene_set_frame(&scene, frame);
  guint pane = scene.n_panes - 1; /* the lone source's error */
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++) {
    lac_field_scene_set_errors(&scene, form);
    g_autofree char *title = lac_field_scene_dup_title(&scene, pane);
    float            shown = lac_field_scene_sample(&scene, pane, at(3), 0.5);
    g_test_message("%s: %s, %g", lac_error_form_word(form), title, (double) shown);
    g_assert_cmpfloat_with_epsilon(shown, expected[form], 1e-6);
    g_assert_cmpfloat(lac_field_scene_read(&scene, pane, at(3), 0.5), ==, -2);
    g_assert_cmpstr(title, ==, titles[form]);
    g_assert_true(isfinite(lac_field_scene_sample(&scene, pane, at(NX - 1), 0.5)));
    g_assert_true(lac_field_scene_get_scale(&scene, TRUE, &view) && !view.locked);
    g_assert_cmpfloat_with_epsilon(view.scale.low, scales[form].low, 1e-9);
    g_assert_cmpfloat_with_epsilon(view.scale.high, scales[form].high, 1e-9);
    g_assert_true(view.symmetric == (form == LAC_ERRORS_SIGNED));
    g_assert_cmpstr(view.map->kind, ==, form == LAC_ERRORS_SIGNED ? "diverging" : "sequential");
    LacClipped clipped = lac_field_scene_count_clipped(&scene, TRUE);
    g_assert_cmpuint(clipped.n_below, ==, form == LAC_ERRORS_LOG ? NY : 0); /* exact cells */
    g_assert_cmpuint(clipped.n_above + clipped.n_not_finite, ==, 0);
    lac_field_scene_set_limits(&scene, TRUE, &(LacScale){0.25, 1.5 + form});
  }
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++) {
    lac_field_scene_set_errors(&scene, form);
    g_assert_true(lac_field_scene_get_scale(&scene, TRUE, &view) && view.locked);
    g_assert_cmpfloat(view.scale.high, ==, 1.5 + form);
    g_assert_cmpfloat(view.scale.low, ==, form == LAC_ERRORS_SIGNED ? -1.5 : 0.25);
  }
  lac_field_scene_clear(&scene);
}

/* A relative error has no value where the true field vanishes: no division by almost zero. */
static void
test_errors_beside_nothing(void)
{
  LacFieldScene       scene;
  g_autoptr(LacFrame) frame = make_error_frame(0);
  lac_field_scene_init(&scene, channels, 2);
  lac_field_scene_set_mode(&scene, LAC_VIEW_ERRORS);
  lac_field_scene_set_errors(&scene, LAC_ERRORS_RELATIVE);
  lac_field_scene_set_frame(&scene, frame);
  guint pane = scene.n_panes - 1;
  g_assert_true(isnan(lac_field_scene_sample(&scene, pane, at(3), 0.5)));
  LacClipped clipped = lac_field_scene_count_clipped(&scene, TRUE);
  g_assert_cmpuint(clipped.n_not_finite, ==, clipped.n);
  lac_field_scene_set_errors(&scene, LAC_ERRORS_ABSOLUTE);
  g_assert_cmpfloat(lac_field_scene_sample(&scene, pane, at(3), 0.5), ==, 2);
  lac_field_scene_clear(&scene);
}

/* Values of one sign have a sequential map from the least value; the first value of the other sign brings back the
 * channel's diverging map, symmetric about 0. */
static void
test_one_sign(void)
{
  static const LacChannel signed_channels[] = {
    {"t", "Truth", "1", "t", LAC_ROLE_TRUTH, "balance", "x", "y", "1", "1"},
    {"t.a", "Source", "1", "t", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "1", "1"},
  };
  LacFieldScene       scene;
  LacScaleView        view;
  g_autoptr(LacFrame) above = make_error_frame(1);
  g_autoptr(LacFrame) across = make_error_frame(-1);
  lac_field_scene_init(&scene, signed_channels, 2);
  lac_field_scene_set_frame(&scene, above);
  g_assert_true(lac_field_scene_is_one_signed(&scene, 0));
  g_assert_true(lac_field_scene_get_scale(&scene, FALSE, &view));
  g_assert_cmpstr(view.map->kind, ==, "sequential");
  g_assert_cmpfloat(view.scale.low, ==, 0);
  lac_field_scene_set_frame(&scene, across);
  g_assert_false(lac_field_scene_is_one_signed(&scene, 0));
  g_assert_true(lac_field_scene_get_scale(&scene, FALSE, &view));
  g_assert_cmpstr(view.map->kind, ==, "diverging");
  g_assert_cmpfloat(view.scale.low, ==, -view.scale.high);
  lac_field_scene_clear(&scene);
}

/* Locked limits are restored with their quantity; the same name in another unit is another quantity. */
static void
test_scales_wait(void)
{
  if (!display_open())
    return;
  static const LacChannel others[] = {
    {"v", "Other", "1", "v", LAC_ROLE_TRUTH, "viridis", "x", "y", "1", "1"},
    {"u", "First in kelvin", "K", "u", LAC_ROLE_TRUTH, "viridis", "x", "y", "1", "1"},
  };
  LacFieldView *view = g_object_ref_sink(g_object_new(LAC_TYPE_FIELD_VIEW, NULL));
  lac_field_view_set_compares(view, TRUE);
  lac_field_view_set_channels(view, channels, 2);
  lac_field_view_set_limits(view, FALSE, &(LacScale){2, 5});
  lac_field_view_set_errors(view, LAC_ERRORS_ABSOLUTE);
  lac_field_view_set_limits(view, TRUE, &(LacScale){0, 9});
  for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
    lac_field_view_set_channels(view, &others[i], 1);
    g_assert_false(lac_field_scene_get_choice(lac_field_view_get_scene(view), FALSE)->locked);
  }
  lac_field_view_set_channels(view, channels, 2);
  const LacFieldScene *scene = lac_field_view_get_scene(view);
  g_assert_cmpint(scene->errors, ==, LAC_ERRORS_ABSOLUTE);
  for (guint errors = 0; errors < 2; errors++) {
    const LacScaleChoice *choice = lac_field_scene_get_choice(scene, errors > 0);
    g_assert_true(choice->locked);
    g_assert_cmpfloat(choice->limits.high, ==, errors > 0 ? 9 : 5);
  }
  g_object_unref(view);
}

/* The probe moves from the centre by cells, up to the edge; the reading follows. */
static void
test_the_probe_goes_by_cells(void)
{
  if (!display_open())
    return;
  LacFieldView       *view = g_object_ref_sink(g_object_new(LAC_TYPE_FIELD_VIEW, NULL));
  g_autoptr(LacFrame) frame = make_frame();
  const struct {
    int         right, up;
    const char *expected; /* column i of the truth has the value i */
  } steps[] = {{1, 0, "Truth 4 "}, {1, 0, "Truth 5 "}, {-10, 1, "Truth 0 "}, {10, -10, "Truth 7 "}};
  lac_field_view_set_channels(view, channels, 2);
  lac_field_view_move_probe(view, 1, 0); /* nothing to read yet */
  lac_field_view_set_frame(view, frame);
  lac_field_view_set_camera(view, &(LacCamera){0.5, 0.5, 2});
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
    g_autofree char *reading = NULL;
    lac_field_view_move_probe(view, steps[i].right, steps[i].up);
    g_object_get(view, "reading", &reading, NULL);
    g_test_message("%s", reading);
    g_assert_nonnull(strstr(reading, steps[i].expected));
  }
  g_assert_cmpfloat(lac_field_view_get_camera(view).u, >, 0.5);
  g_assert_cmpfloat(lac_field_view_get_camera(view).v, <, 0.5);
  lac_field_view_set_probing(view, FALSE);
  lac_field_view_move_probe(view, 1, 0);
  g_autofree char *none = NULL;
  g_object_get(view, "reading", &none, NULL);
  g_assert_null(none);
  g_object_unref(view);
}

static void
test_the_handle_is_a_property(void)
{
  if (!display_open())
    return;
  LacFieldView    *view = g_object_ref_sink(g_object_new(LAC_TYPE_FIELD_VIEW, NULL));
  LacViewControls *controls = g_object_ref_sink(g_object_new(LAC_TYPE_VIEW_CONTROLS, NULL));
  double           swipe;
  lac_view_controls_attach(controls, view, "win.view");
  lac_field_view_set_swipe(view, 0.25);
  g_object_get(view, "swipe", &swipe, NULL);
  g_assert_cmpfloat(swipe, ==, 0.25);
  lac_field_view_set_swipe(view, 7);
  g_object_get(view, "swipe", &swipe, NULL);
  g_assert_cmpfloat(swipe, ==, 1);
  g_object_unref(controls);
  g_object_unref(view);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/field-modes/a-handle-divides-two-fields", test_swipe);
  g_test_add_func("/app/field-modes/a-fade-lies-between-both", test_fade);
  g_test_add_func("/app/field-modes/a-row-painted-is-its-pixels-sampled", test_a_row_is_its_pixels);
  g_test_add_func("/app/field-modes/locked-limits-stay-and-what-is-beyond-is-counted",
                  test_locked_limits_stay);
  g_test_add_func("/app/field-modes/marks-lie-within-the-scale", test_marks_lie_within);
  g_test_add_func("/app/field-modes/a-flicker-changes-the-field-and-no-scale", test_flicker);
  g_test_add_func("/app/field-modes/a-flicker-is-never-faster-than-is-safe", test_flicker_is_safe);
  g_test_add_func("/app/field-modes/difference-and-one-large-take-the-chosen-source",
                  test_difference_and_large);
  g_test_add_func("/app/field-modes/a-lone-field-has-no-pair", test_a_lone_field_has_no_pair);
  g_test_add_func("/app/field-modes/two-runs-share-one-scale", test_runs_share_a_scale);
  g_test_add_func("/app/field-modes/every-mode-has-its-word", test_words);
  g_test_add_func("/app/field-modes/errors-in-every-form", test_errors_as);
  g_test_add_func("/app/field-modes/values-of-one-sign-have-a-sequential-map", test_one_sign);
  g_test_add_func("/app/field-modes/errors-beside-no-truth", test_errors_beside_nothing);
  g_test_add_func("/app/field-modes/locked-scales-wait-for-their-quantity", test_scales_wait);
  g_test_add_func("/app/field-modes/the-probe-goes-by-cells", test_the_probe_goes_by_cells);
  g_test_add_func("/app/field-modes/the-handle-follows-its-slider", test_the_handle_is_a_property);
  return g_test_run();
}
