/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections, streamlines and LIC textures of flows with known streamlines: solid-body rotation and parallel flow. */
#include "field/section.h"
#include "field/streamlines.h"

#include <math.h>

enum { NX = 48, NY = 32 };

typedef struct {
  float    data[2][NX * NY];
  LacPlane planes[2];
} Flow;

typedef void (*Velocity)(double x, double y, float uv[2]);

static void
rotate(double x, double y, float uv[2])
{
  uv[0] = (float) -y;
  uv[1] = (float) x;
}

static void
blow(double x, double y, float uv[2])
{
  uv[0] = 2;
  uv[1] = 0;
}

static void
saddle(double x, double y, float uv[2])
{
  uv[0] = (float) x;
  uv[1] = (float) -y;
}

/* x from -3 to 3, y from -2 to 2, from edge to edge: square cells of 1/8. */
static LacVectorPlane
make(Flow *flow, Velocity velocity)
{
  for (gsize p = 0; p < 2; p++)
    flow->planes[p] = (LacPlane){.nx = NX,
                                 .ny = NY,
                                 .x_min = -3 + 3.0 / NX,
                                 .x_max = 3 - 3.0 / NX,
                                 .y_min = -2 + 2.0 / NY,
                                 .y_max = 2 - 2.0 / NY,
                                 .data = flow->data[p]};
  for (gsize j = 0; j < NY; j++)
    for (gsize i = 0; i < NX; i++) {
      float uv[2];
      velocity(-3 + 6 * ((double) i + 0.5) / NX, -2 + 4 * ((double) j + 0.5) / NY, uv);
      flow->data[0][j * NX + i] = uv[0];
      flow->data[1][j * NX + i] = uv[1];
    }
  lac_plane_measure(&flow->planes[0]);
  lac_plane_measure(&flow->planes[1]);
  return (LacVectorPlane){&flow->planes[0], &flow->planes[1], FALSE};
}

static void
locate(const LacVectorPlane *vectors, const double place[2], double at[2])
{
  lac_plane_locate(vectors->u, place, at);
}

static void
test_section_of_a_slope(void)
{
  Flow           flow;
  LacVectorPlane vectors = make(&flow, rotate);
  LacSection     section = {{0.25, 0.25}, {0.75, 0.5}, 33, FALSE};
  double         distance[33], values[33];
  lac_section_fill(vectors.v, &section, distance, values); /* v = x */
  for (gsize i = 0; i < 33; i++) {
    double part = (double) i / 32;
    g_assert_cmpfloat_with_epsilon(values[i], -1.5 + part * 3, 1e-6);
    g_assert_cmpfloat_with_epsilon(distance[i], part * hypot(3, 1), 1e-12);
  }
  g_assert_true(isnan(lac_plane_at(vectors.v, -0.01, 0.5, FALSE)));
  /* across a periodic boundary the first and the last cell meet half-way */
  g_assert_cmpfloat_with_epsilon(lac_plane_at(vectors.v, 0, 0.5, TRUE), 0, 1e-6);
  g_assert_cmpfloat_with_epsilon(lac_plane_at(vectors.v, 1.25, 0.5, TRUE),
                                 lac_plane_at(vectors.v, 0.25, 0.5, TRUE), 1e-6);
}

/* Linear interpolation is exact for a rotation, so only the steps have an error: about (h/r)^5 / 120 each. */
static void
test_rotation_stays_on_its_circle(void)
{
  Flow           flow;
  LacVectorPlane vectors = make(&flow, rotate);
  for (double radius = 0.5; radius < 1.9; radius += 0.35) {
    double place[2] = {0.5 + radius / 6, 0.5}, at[2], h = 0.02, turned = 0;
    guint  steps = (guint) floor(2 * G_PI * radius / h);
    for (guint i = 0; i < steps; i++) {
      g_assert_true(lac_streamline_step(&vectors, place, h));
      locate(&vectors, place, at);
      g_assert_cmpfloat_with_epsilon(hypot(at[0], at[1]), radius, 1e-5);
      turned += h / radius;
    }
    g_assert_cmpfloat_with_epsilon(remainder(atan2(at[1], at[0]) - turned, 2 * G_PI), 0, 1e-4);
    for (guint i = 0; i < steps; i++) /* and back */
      g_assert_true(lac_streamline_step(&vectors, place, -h));
    g_assert_cmpfloat_with_epsilon(place[0], 0.5 + radius / 6, 1e-5);
    g_assert_cmpfloat_with_epsilon(place[1], 0.5, 1e-5);
  }
}

static void
test_step_ends_where_nothing_is_known(void)
{
  Flow           flow;
  LacVectorPlane vectors = make(&flow, rotate);
  double         middle[2] = {0.5, 0.5}, rim[2] = {0.5, 0.999}, hole[2] = {0.5, 0.25};
  g_assert_false(lac_streamline_step(&vectors, middle, 0.1)); /* zero velocity */
  vectors = make(&flow, saddle);
  g_assert_false(lac_streamline_step(&vectors, rim, -0.5)); /* leaves the plane */
  g_assert_cmpfloat(rim[1], ==, 0.999);
  flow.data[0][NY / 4 * NX + NX / 2] = NAN;
  g_assert_false(lac_streamline_step(&vectors, hole, 0.01));
}

static double
distance_between(const LacVectorPlane *vectors, const double *a, const double *b)
{
  double p[2], q[2];
  locate(vectors, a, p);
  locate(vectors, b, q);
  return hypot(p[0] - q[0], p[1] - q[1]);
}

static void
test_lines_keep_apart_and_fill(void)
{
  static const Velocity velocities[] = {rotate, blow, saddle};
  const double          apart = 0.12 * 4;
  for (gsize f = 0; f < G_N_ELEMENTS(velocities); f++) {
    Flow                      flow;
    LacVectorPlane            vectors = make(&flow, velocities[f]);
    g_autoptr(LacStreamlines) lines = lac_streamlines_new(&vectors, 0.12);
    const double(*points)[2] = (const double(*)[2])(gconstpointer) lines->points->data;
    g_assert_cmpuint(lines->ends->len, >=, 5);
    for (guint a = 0; a < lines->ends->len; a++) {
      guint begin = a > 0 ? g_array_index(lines->ends, guint, a - 1) : 0;
      guint end = g_array_index(lines->ends, guint, a);
      for (guint i = begin; i < end; i++)
        for (guint k = 0; k < begin; k++) /* points of earlier lines */
          g_assert_cmpfloat(distance_between(&vectors, points[i], points[k]), >=,
                            0.5 * apart - 1e-9);
    }
    /* every point is near a line, except the centre of a rotation or a saddle, where the velocity is zero */
    for (double v = 0.1; v < 0.95; v += 0.1)
      for (double u = 0.1; u < 0.95; u += 0.1) {
        double place[2] = {u, v}, nearest = G_MAXDOUBLE;
        for (guint k = 0; k < lines->points->len; k++)
          nearest = MIN(nearest, distance_between(&vectors, place, points[k]));
        g_assert_cmpfloat(nearest, <, 2 * apart);
      }
  }
}

/* In a flow along rows the streamline through a cell is its row: the texture is a running mean. */
static void
test_smear_along_rows_is_a_running_mean(void)
{
  enum { M = 90, L = 60, REACH = 7 };
  Flow           flow;
  LacVectorPlane vectors = make(&flow, blow);
  float          texture[M * L];
  lac_smear(&vectors, M, L, REACH, texture);
  for (gsize j = 0; j < L; j++)
    for (gsize i = 0; i < M; i++) {
      double sum = 0, n = 0;
      for (gsize k = i > REACH ? i - REACH : 0; k <= MIN(i + REACH, M - 1); k++, n++)
        sum += (double) lac_noise_at(k, j);
      g_assert_cmpfloat_with_epsilon((double) texture[j * M + i], sum / n, 1e-6);
    }
}

static void
test_smear_where_nothing_moves_is_the_noise(void)
{
  enum { M = 64 };
  Flow           flow;
  LacVectorPlane vectors = make(&flow, rotate);
  float          texture[M * M];
  double         mean = 0;
  for (gsize i = 0; i < NX * NY; i++)
    flow.data[0][i] = flow.data[1][i] = 0;
  lac_plane_measure(&flow.planes[0]);
  lac_plane_measure(&flow.planes[1]);
  lac_smear(&vectors, M, M, 10, texture);
  for (gsize j = 0; j < M; j++)
    for (gsize i = 0; i < M; i++) {
      g_assert_cmpfloat((double) texture[j * M + i], ==, (double) lac_noise_at(i, j));
      mean += (double) texture[j * M + i] / (M * M);
    }
  /* mean of 4096 uniform values: standard deviation 0.0045 */
  g_assert_cmpfloat_with_epsilon(mean, 0.5, 0.02);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/section/of-a-slope-is-a-straight-line", test_section_of_a_slope);
  g_test_add_func("/field/streamlines/a-rotation-stays-on-its-circle",
                  test_rotation_stays_on_its_circle);
  g_test_add_func("/field/streamlines/end-where-the-flow-stands-or-is-not-known",
                  test_step_ends_where_nothing_is_known);
  g_test_add_func("/field/streamlines/keep-apart-and-leave-no-gap", test_lines_keep_apart_and_fill);
  g_test_add_func("/field/streamlines/noise-along-rows-is-a-running-mean",
                  test_smear_along_rows_is_a_running_mean);
  g_test_add_func("/field/streamlines/noise-where-nothing-moves-stays",
                  test_smear_where_nothing_moves_is_the_noise);
  return g_test_run();
}
