/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: sizes of a new frame, and statistics of a plane's finite values. */
#include "field/frame.h"

#include <glib.h>

#include <math.h>

static LacFrame *
make_frame(void)
{
  static const gsize sizes[2][2] = {{3, 2}, {4, 4}};

  return lac_frame_new(2, sizes, 2, 3);
}

static void
test_new(void)
{
  g_autoptr(LacFrame) frame = make_frame();

  g_assert_cmpint(frame->step, ==, -1);
  g_assert_cmpuint(frame->n_planes, ==, 2);
  g_assert_cmpuint(frame->planes[0].nx, ==, 3);
  g_assert_cmpuint(frame->planes[0].ny, ==, 2);
  g_assert_cmpuint(frame->n_markers, ==, 2);
  g_assert_cmpuint(frame->n_metrics, ==, 3);
  for (gsize i = 0; i < 3; i++)
    g_assert_true(isnan(frame->metrics[i]));
}

static void
test_measure(void)
{
  float    data[] = {1, -3, NAN, 2, INFINITY, -INFINITY};
  LacPlane plane = {.nx = 3, .ny = 2, .data = data};

  lac_plane_measure(&plane);
  g_assert_cmpuint(plane.n_not_finite, ==, 3);
  g_assert_cmpfloat(plane.min, ==, -3);
  g_assert_cmpfloat(plane.max, ==, 2);
  g_assert_cmpfloat_with_epsilon(plane.mean_square, 14.0 / 3, 1e-14);
}

static void
test_measure_nothing(void)
{
  float    data[] = {NAN, NAN};
  LacPlane plane = {.nx = 2, .ny = 1, .data = data, .min = 5, .max = 5, .mean_square = 5};

  lac_plane_measure(&plane);
  g_assert_cmpuint(plane.n_not_finite, ==, 2);
  g_assert_true(isnan(plane.min) && isnan(plane.max) && isnan(plane.mean_square));
}

static void
test_measure_constant(void)
{
  float    data[12];
  LacPlane plane = {.nx = 4, .ny = 3, .data = data};

  for (gsize i = 0; i < 12; i++)
    data[i] = -2.5f;
  lac_plane_measure(&plane);
  g_assert_cmpuint(plane.n_not_finite, ==, 0);
  g_assert_cmpfloat(plane.min, ==, -2.5f);
  g_assert_cmpfloat(plane.max, ==, -2.5f);
  g_assert_cmpfloat(plane.mean_square, ==, 6.25);
}

static void
test_references(void)
{
  LacFrame *frame = make_frame(), *other = lac_frame_ref(frame);

  lac_frame_unref(frame);
  other->planes[1].data[15] = 3;
  g_assert_cmpfloat(other->planes[1].data[15], ==, 3);
  lac_frame_unref(other);
  lac_frame_unref(NULL);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/frame/a-new-frame-has-its-shape-and-no-metric", test_new);
  g_test_add_func("/field/frame/measured-over-finite-values", test_measure);
  g_test_add_func("/field/frame/nothing-finite-measures-as-nan", test_measure_nothing);
  g_test_add_func("/field/frame/a-constant-plane-is-its-own-range", test_measure_constant);
  g_test_add_func("/field/frame/lives-until-its-last-reference-goes", test_references);
  return g_test_run();
}
