/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volume pictures against closed forms: line integrals, surfaces and isolines of a Gaussian. */
#include "report/canvas/isolines.h"
#include "report/volume/scene.h"

#include <math.h>
#include <string.h>

enum { N = 33 };

#define STEP  0.25
#define WIDTH 1.2 /* of exp(-r^2 / (2 WIDTH^2)) around @centre */

static const double     centre[3] = {0.3, -0.2, 0.4};
static const LacChannel channel = {
  .key = "density",
  .label = "Density",
  .unit = "1/bohr³",
  .quantity = "density",
  .colour_map = "ember",
  .axis_x = "x",
  .axis_y = "y",
  .axis_unit_x = "bohr",
  .axis_unit_y = "bohr",
  .layers = {N, -STEP *(N - 1) / 2, STEP *(N - 1) / 2},
};

static double
gaussian(const double at[3])
{
  double square = 0;

  for (guint k = 0; k < 3; k++)
    square += (at[k] - centre[k]) * (at[k] - centre[k]);
  return exp(-square / (2 * WIDTH * WIDTH));
}

/* Adds the nuclei of water, in the plane x = 0. */
static void
put_nuclei(LacFrame *frame)
{
  static const double places[3][3] = {{0, 0, 0}, {0, 1.43, 1.11}, {0, -1.43, 1.11}};

  for (gsize i = 0; i < 3; i++)
    frame->markers[i] =
      (LacMarker){.kind = g_intern_static_string(i == 0 ? "nucleus-O" : "nucleus-H"),
                  .is_in_space = TRUE,
                  .space = {places[i][0], places[i][1], places[i][2]}};
}

static LacFrame *
make_frame(void)
{
  const gsize sizes[1][2] = {{N, N * N}};
  LacFrame   *frame = lac_frame_new(1, sizes, 3, 0);
  LacPlane   *plane = &frame->planes[0];

  plane->x_min = channel.layers.low;
  plane->x_max = channel.layers.high;
  lac_layers_set_y(&channel.layers, plane, channel.layers.low, channel.layers.high);
  for (gsize i = 0; i < N * N * N; i++) {
    const double at[3] = {channel.layers.low + STEP * (double) (i % N),
                          channel.layers.low + STEP * (double) (i / N % N),
                          channel.layers.low + STEP * (double) (i / (N * N))};

    plane->data[i] = (float) gaussian(at);
  }
  lac_plane_measure(plane);
  put_nuclei(frame);
  return frame;
}

static void
init(LacVolume *volume, const LacFrame *frame)
{
  g_assert_true(lac_volume_init(volume, &channel, &frame->planes[0]));
}

/* The integral along a line at the distance b is WIDTH sqrt(2 pi) exp(-b^2 / (2 WIDTH^2)). Trilinear interpolation
 * has an error of at most h^2/8 |f''| along each axis: h^2/8 * 3 / WIDTH^2 of the largest value, over the line. */
static void
test_lines(void)
{
  g_autoptr(LacFrame) frame = make_frame();
  LacVolume           volume;
  LacVolumeCamera     camera;
  const double        whole = WIDTH * sqrt(2 * G_PI);
  const double        tolerance = STEP * STEP / 8 * 3 / (WIDTH * WIDTH) * whole;
  const LacOrbit      orbits[] = {{0, 0, 1}, LAC_ORBIT_START, {2.1, -0.8, 1.3}, {-1, G_PI / 2, 1}};

  init(&volume, frame);
  for (gsize o = 0; o < G_N_ELEMENTS(orbits); o++) {
    double place[3];

    lac_volume_camera_init(&camera, &volume, &orbits[o], frame->markers, frame->n_markers);
    lac_volume_camera_project(&camera, centre, place);
    for (gsize i = 0; i < 9; i++) {
      const double   x = place[0] + 0.1 * ((double) (i % 3) - 1);
      const double   y = place[1] + 0.1 * ((double) i / 3 - 1);
      const double   b = camera.half * hypot(x - place[0], y - place[1]);
      const LacSight sight = lac_volume_look(&volume, &camera, x, y, 0);

      g_assert_cmpfloat_with_epsilon(sight.integral, whole * exp(-b * b / (2 * WIDTH * WIDTH)),
                                     tolerance);
      g_assert_cmpfloat(sight.cover, ==, 0);
    }
  }
}

/* A line that intersects the sphere crosses its surface twice; where the surface faces the eye it has full light. */
static void
test_surface(void)
{
  g_autoptr(LacFrame) frame = make_frame();
  LacVolume           volume;
  LacVolumeCamera     camera;
  const double        radius = 1.5, level = exp(-radius * radius / (2 * WIDTH * WIDTH));
  double              place[3];
  LacSight            middle, inside, outside;

  init(&volume, frame);
  lac_volume_camera_init(&camera, &volume, &LAC_ORBIT_START, frame->markers, frame->n_markers);
  lac_volume_camera_project(&camera, centre, place);
  middle = lac_volume_look(&volume, &camera, place[0], place[1], level);
  inside =
    lac_volume_look(&volume, &camera, place[0] + 0.93 * radius / camera.half, place[1], level);
  outside =
    lac_volume_look(&volume, &camera, place[0] + 1.05 * radius / camera.half, place[1], level);
  g_assert_cmpfloat_with_epsilon(middle.light, middle.cover, 0.01);
  g_assert_cmpfloat_with_epsilon(inside.cover, middle.cover, 1e-9);
  g_assert_cmpfloat(inside.light, <, 0.75 * middle.light);
  g_assert_cmpfloat(outside.cover, ==, 0);
}

/* Smoothing conserves the sum, and the given share lies above the level. */
static void
test_level(void)
{
  g_autoptr(LacFrame) frame = make_frame();
  LacVolume           volume;
  g_autofree float   *smoothed = g_new(float, N *N *N);
  double              sums[2] = {0}, above = 0, level;

  init(&volume, frame);
  lac_volume_smooth(&volume, smoothed);
  level = lac_volume_find_level(&volume, 0.7);
  for (gsize i = 0; i < N * N * N; i++) {
    const double value = (double) frame->planes[0].data[i];

    sums[0] += value;
    sums[1] += (double) smoothed[i];
    above += value >= level ? value : 0;
  }
  g_assert_cmpfloat_with_epsilon(sums[1], sums[0], 1e-5 * sums[0]);
  g_assert_cmpfloat_with_epsilon(above / sums[0], 0.7, 0.02);
}

/* The axes are orthogonal, a full turn changes nothing, the view is never upside down; nearer points have a larger
 * depth. */
static void
test_camera(void)
{
  g_autoptr(LacFrame) frame = make_frame();
  LacVolume           volume;
  LacOrbit            orbit = LAC_ORBIT_START;
  LacVolumeCamera     before, camera;

  init(&volume, frame);
  lac_volume_camera_init(&before, &volume, &orbit, frame->markers, frame->n_markers);
  for (gsize i = 0; i < 8; i++)
    lac_orbit_rotate(&orbit, G_PI / 4, 0);
  lac_volume_camera_init(&camera, &volume, &orbit, frame->markers, frame->n_markers);
  for (guint k = 0; k < 3; k++) {
    g_assert_cmpfloat_with_epsilon(camera.right[k], before.right[k], 1e-12);
    g_assert_cmpfloat_with_epsilon(camera.up[k], before.up[k], 1e-12);
  }
  lac_orbit_rotate(&orbit, 0, 9);
  g_assert_cmpfloat(orbit.tilt, ==, G_PI / 2);
  lac_orbit_zoom(&orbit, 1e9);
  lac_volume_camera_init(&camera, &volume, &orbit, frame->markers, frame->n_markers);
  g_assert_cmpfloat(camera.half, >, 0.1);
  double toward[3], place[3];
  for (guint k = 0; k < 3; k++)
    toward[k] = camera.middle[k] + camera.toward[k];
  lac_volume_camera_project(&camera, toward, place);
  g_assert_cmpfloat_with_epsilon(place[0], 0, 1e-12);
  g_assert_cmpfloat_with_epsilon(place[1], 0, 1e-12);
  g_assert_cmpfloat(place[2], >, 0);
}

/* The slice through the nuclei contains all of them. */
static void
test_cuts(void)
{
  g_autoptr(LacFrame) frame = make_frame();
  LacVolume           volume;
  LacCut              cut;
  LacPlane            plane = {.nx = 40, .ny = 40, .data = g_new(float, 1600)};

  init(&volume, frame);
  for (guint kind = 0; kind < LAC_N_CUTS; kind++) {
    lac_cut_init(&cut, &volume, (LacCutKind) kind, kind == LAC_CUT_NUCLEI ? 0 : 0.5, frame->markers,
                 frame->n_markers);
    for (gsize i = 0; i < 3 && kind == LAC_CUT_NUCLEI; i++) {
      double off = 0;

      for (guint k = 0; k < 3; k++)
        off += (frame->markers[i].space[k] - cut.middle[k]) * cut.normal[k];
      g_assert_cmpfloat_with_epsilon(off, 0, 1e-12);
    }
    if (kind != LAC_CUT_NUCLEI) {
      g_assert_cmpfloat(fabs(cut.normal[kind - LAC_CUT_X]), ==, 1);
      g_assert_cmpfloat_with_epsilon(fabs(cut.middle[kind - LAC_CUT_X]), 0.5, 1e-12);
    }
    lac_cut_fill(&cut, &volume, &plane);
    for (gsize i = 0; i < 1600; i += 37) {
      const double u = plane.x_min + (plane.x_max - plane.x_min) * (double) (i % 40) / 39;
      const double v = plane.y_min + (plane.y_max - plane.y_min) * (double) (i / 40) / 39;
      double       at[3];

      for (guint k = 0; k < 3; k++)
        at[k] = cut.middle[k] + u * cut.across[k] + v * cut.up[k];
      g_assert_cmpfloat_with_epsilon((double) plane.data[i], gaussian(at),
                                     STEP * STEP / 8 * 3 / (WIDTH * WIDTH));
    }
  }
  g_free(plane.data);
}

typedef struct {
  gsize    n_lines, n_points;
  double   radius, worst;
  gboolean are_closed;
} Circle;

static void
check_circle(const LacPoint *points, gsize n, gpointer user_data)
{
  Circle *circle = user_data;

  circle->n_lines++;
  circle->n_points += n;
  circle->are_closed &= points[0].x == points[n - 1].x && points[0].y == points[n - 1].y;
  for (gsize i = 0; i < n; i++)
    circle->worst =
      MAX(circle->worst, fabs(hypot(points[i].x - 20, points[i].y - 18) - circle->radius));
}

/* r^2 around (20, 18) has one closed circle with an error of the sagitta of a cell: 1 / (8 r). Where it leaves the
 * plane, it is open. */
static void
test_isolines(void)
{
  LacPlane plane = {.nx = 41, .ny = 37, .data = g_new(float, 41 * 37)};
  Circle   whole = {.radius = 12.3, .are_closed = TRUE}, cut = {.radius = 21, .are_closed = TRUE};
  Circle   none = {0};

  for (gsize i = 0; i < plane.nx * plane.ny; i++) {
    const double x = (double) (i % plane.nx) - 20, y = (double) (i / plane.nx) - 18;

    plane.data[i] = (float) (x * x + y * y);
  }
  lac_isolines(&plane, whole.radius * whole.radius, check_circle, &whole);
  g_assert_cmpuint(whole.n_lines, ==, 1);
  g_assert_true(whole.are_closed);
  g_assert_cmpuint(whole.n_points, >, 80);
  g_assert_cmpfloat(whole.worst, <, 1 / (8 * whole.radius) + 1e-4);
  lac_isolines(&plane, cut.radius * cut.radius, check_circle, &cut);
  g_assert_cmpuint(cut.n_lines, ==, 4);
  g_assert_false(cut.are_closed);
  plane.data[0] = NAN;
  lac_isolines(&plane, 1e6, check_circle, &none);
  g_assert_cmpuint(none.n_lines, ==, 0);
  g_free(plane.data);
}

/* Brightest at the maximum of the density; black where no line meets a cell. */
static void
test_picture(void)
{
  enum { SIDE = 60 };
  g_autoptr(LacFrame) frame = make_frame();
  LacVolumeView       volume_view = LAC_VOLUME_VIEW_START;
  LacVolumeScene      scene;
  LacVolumeCamera     camera;
  g_autofree guint8  *rgba = g_malloc(SIDE * SIDE * 4);
  double              place[3];

  volume_view.share = 0;
  lac_volume_scene_init(&scene, &channel, 0);
  g_assert_true(lac_volume_scene_set_frame(&scene, frame, &volume_view));
  lac_volume_scene_paint(&scene, &volume_view, SIDE, SIDE, rgba);
  camera = lac_volume_scene_camera(&scene, &volume_view);
  lac_volume_camera_project(&camera, centre, place);
  const gsize column = (gsize) ((1 + place[0]) * SIDE / 2);
  const gsize row = (gsize) ((1 - place[1]) * SIDE / 2);
  gsize       brightest = 0;
  for (gsize i = 0; i < SIDE * SIDE; i++)
    if (rgba[4 * i] + rgba[4 * i + 1] + rgba[4 * i + 2] >
        rgba[4 * brightest] + rgba[4 * brightest + 1] + rgba[4 * brightest + 2])
      brightest = i;
  g_assert_cmpfloat(hypot((double) (brightest % SIDE) - (double) column,
                          (double) (brightest / SIDE) - (double) row),
                    <, 4);
  g_assert_cmpmem(rgba, 4, lac_colour_map_find("ember")->rgba[0], 4);
  lac_volume_scene_clear(&scene);
}

/* A plane without layers is refused, and nothing is shown. */
static void
test_refusal(void)
{
  const gsize         sizes[1][2] = {{N, N + 1}};
  g_autoptr(LacFrame) frame = lac_frame_new(1, sizes, 0, 0);
  LacVolumeView       volume_view = LAC_VOLUME_VIEW_START;
  LacVolumeScene      scene;

  lac_volume_scene_init(&scene, &channel, 0);
  g_assert_false(lac_volume_scene_set_frame(&scene, frame, &volume_view));
  g_assert_null(scene.frame);
  lac_volume_scene_clear(&scene);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/volume/integrals-along-lines-of-a-gaussian", test_lines);
  g_test_add_func("/report/volume/a-surface-is-where-its-sphere-is", test_surface);
  g_test_add_func("/report/volume/smoothing-loses-nothing-and-a-level-holds-its-share", test_level);
  g_test_add_func("/report/volume/the-camera-turns-around-the-middle", test_camera);
  g_test_add_func("/report/volume/cuts-go-where-they-say", test_cuts);
  g_test_add_func("/report/volume/isolines-of-a-circle", test_isolines);
  g_test_add_func("/report/volume/the-picture-is-bright-where-the-density-is", test_picture);
  g_test_add_func("/report/volume/what-is-no-volume-is-refused", test_refusal);
  return g_test_run();
}
