/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: a copy is the whole frame in memory of its own, and planes are measured over their finite values. */
#include "field/frame.h"

#include <glib.h>

#include <math.h>
#include <string.h>

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
fill(LacFrame *frame)
{
  frame->sequence = 9;
  frame->step = 41;
  frame->seconds = 1.5;
  frame->made_ns = 123456789;
  for (gsize p = 0; p < 2; p++) {
    LacPlane *plane = &frame->planes[p];

    plane->x_min = -1;
    plane->x_max = 1;
    plane->y_min = 2;
    plane->y_max = 3;
    for (gsize i = 0; i < plane->nx * plane->ny; i++)
      plane->data[i] = (float) (i * i) - (float) p;
    lac_plane_measure(plane);
  }
  frame->markers[1] = (LacMarker){0.25, 0.75, g_intern_static_string("sensor")};
  frame->metrics[2] = 7;
}

static void
test_copy(void)
{
  g_autoptr(LacFrame) source = make_frame();
  g_autoptr(LacFrame) target = make_frame();

  fill(source);
  lac_frame_copy_into(source, target);
  g_assert_cmpuint(target->sequence, ==, 9);
  g_assert_cmpint(target->step, ==, 41);
  g_assert_cmpfloat(target->seconds, ==, 1.5);
  g_assert_cmpint(target->made_ns, ==, 123456789);
  g_assert_cmpint(target->ref_count, ==, 1);
  for (gsize p = 0; p < 2; p++) {
    const LacPlane *a = &source->planes[p], *b = &target->planes[p];

    g_assert_true(a->data != b->data);
    g_assert_cmpmem(a->data, a->nx * a->ny * sizeof(float), b->data, b->nx * b->ny * sizeof(float));
    g_assert_cmpfloat(b->x_max, ==, 1);
    g_assert_cmpfloat(b->y_min, ==, 2);
    g_assert_cmpfloat(b->max, ==, a->max);
    g_assert_cmpfloat(b->mean_square, ==, a->mean_square);
  }
  g_assert_cmpfloat(target->markers[1].y, ==, 0.75);
  g_assert_cmpstr(target->markers[1].kind, ==, "sensor");
  g_assert_true(isnan(target->metrics[0]));
  g_assert_cmpfloat(target->metrics[2], ==, 7);
  source->planes[0].data[0] = 99;
  g_assert_cmpfloat(target->planes[0].data[0], ==, 0);
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
  g_test_add_func("/field/frame/a-copy-is-whole-and-apart", test_copy);
  g_test_add_func("/field/frame/measured-over-finite-values", test_measure);
  g_test_add_func("/field/frame/nothing-finite-measures-as-nan", test_measure_nothing);
  g_test_add_func("/field/frame/a-constant-plane-is-its-own-range", test_measure_constant);
  g_test_add_func("/field/frame/lives-until-its-last-reference-goes", test_references);
  return g_test_run();
}
