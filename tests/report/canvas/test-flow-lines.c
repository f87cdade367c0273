/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flow lines against closed-form flows: uniform, and in solid-body rotation. */
#include "report/canvas/flow-lines.h"

#include <math.h>

#define N      33
#define LENGTH (N - 1.0) /* between the outer centres */

typedef struct {
  float          u[N * N], v[N * N];
  LacPlane       planes[2];
  LacVectorPlane vectors;
} Flow;

/* @rotates: TRUE for a rotation about the middle of the plane, else uniform. */
static void
flow_init(Flow *flow, gboolean rotates)
{
  for (gsize j = 0; j < N; j++)
    for (gsize i = 0; i < N; i++) {
      flow->u[j * N + i] = rotates ? (float) (LENGTH / 2 - (double) j) : 3;
      flow->v[j * N + i] = rotates ? (float) ((double) i - LENGTH / 2) : 4;
    }
  for (gsize k = 0; k < 2; k++)
    flow->planes[k] = (LacPlane){.nx = N,
                                 .ny = N,
                                 .x_max = LENGTH,
                                 .y_max = LENGTH,
                                 .min = (float) -LENGTH,
                                 .max = (float) LENGTH,
                                 .data = k == 0 ? flow->u : flow->v};
  flow->vectors = (LacVectorPlane){&flow->planes[0], &flow->planes[1], FALSE};
}

/* Finds the points of the pale lines, which are drawn last. Returns: their number. */
static gsize
get_points(const LacDrawing *drawing, const LacPoint **points)
{
  const LacDrawItem *item = lac_drawing_get_item(drawing, lac_drawing_get_n_items(drawing) - 1);

  g_assert_cmpint(item->kind, ==, LAC_DRAW_LINES);
  *points = lac_drawing_get_points(drawing) + item->first_point;
  return item->n_points;
}

static LacPoint
middle_of(const LacBox *box)
{
  return (LacPoint){box->x + box->width / 2, box->y + box->height / 2};
}

/* An arrow consists of tail, tip, barb, tip, barb, gap. */
#define PER_ARROW 6

static void
test_arrows_of_a_steady_flow(void)
{
  const LacFlowGround   ground = {{10, 20, 272, 272}, {10, 20, 272, 272}, 1};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  const double          apart = 272.0 / 8; /* 34 units */
  const LacPoint       *points;
  Flow                  flow;

  flow_init(&flow, FALSE);
  lac_flow_draw_arrows(drawing, &flow.vectors, &ground);
  g_assert_cmpuint(get_points(drawing, &points), ==, 8 * 8 * PER_ARROW);
  for (gsize i = 0; i < 64; i++) {
    const LacPoint *arrow = &points[PER_ARROW * i];
    const double    dx = arrow[1].x - arrow[0].x, dy = arrow[1].y - arrow[0].y;

    g_assert_cmpfloat_with_epsilon(dx, 1.3 * apart * 3 / 5, 1e-4);
    g_assert_cmpfloat_with_epsilon(dy, -1.3 * apart * 4 / 5, 1e-4); /* up the page */
    g_assert_cmpfloat_with_epsilon(arrow[0].x + dx / 2, 10 + ((double) (i % 8) + 0.5) * apart,
                                   1e-4);
  }
}

static void
test_arrows_of_a_flow_that_turns(void)
{
  const LacFlowGround   ground = {{0, 0, 544, 544}, {0, 0, 544, 544}, 1};
  const LacPoint        middle = middle_of(&ground.field);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  const LacPoint       *points;
  Flow                  flow;

  flow_init(&flow, TRUE);
  lac_flow_draw_arrows(drawing, &flow.vectors, &ground);
  const gsize n = get_points(drawing, &points) / PER_ARROW;
  g_assert_cmpuint(n, ==, 16 * 16);
  double scale = 0;
  for (gsize i = 0; i < n; i++) {
    const LacPoint *arrow = &points[PER_ARROW * i];
    const double    d[2] = {arrow[1].x - arrow[0].x, arrow[1].y - arrow[0].y};
    const double    r[2] = {(arrow[0].x + arrow[1].x) / 2 - middle.x,
                            middle.y - (arrow[0].y + arrow[1].y) / 2};
    const double    speed = hypot(d[0], d[1]), radius = hypot(r[0], r[1]);

    if (radius > 15.5 * 544 / N) /* constant extrapolation near the rim */
      continue;
    scale = scale == 0 ? speed / radius : scale;
    g_assert_cmpfloat_with_epsilon(speed / radius, scale, 1e-3 * scale);
    g_assert_cmpfloat_with_epsilon(d[0] * r[0] - d[1] * r[1], 0, 1e-3 * speed * radius);
    g_assert_cmpfloat(r[0] * -d[1] - r[1] * d[0], >, 0); /* counter-clockwise */
  }
  g_assert_cmpfloat(scale, >, 0);
}

/* The visible quarter of a field twice as large has a quarter of its arrows, at the same positions as before. */
static void
test_what_is_not_seen_is_left_out(void)
{
  const LacFlowGround   ground = {{0, 0, 272, 272}, {0, 0, 544, 544}, 1};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  const LacPoint       *points;
  Flow                  flow;

  flow_init(&flow, FALSE);
  lac_flow_draw_arrows(drawing, &flow.vectors, &ground);
  g_assert_cmpuint(get_points(drawing, &points), ==, 8 * 8 * PER_ARROW);
}

static void
test_streamlines_keep_their_radius(void)
{
  const LacFlowGround   ground = {{5, 5, 330, 330}, {5, 5, 330, 330}, 1};
  const LacPoint        middle = middle_of(&ground.field);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  const LacPoint       *points;
  Flow                  flow;
  double                radius = 0;
  guint                 n_lines = 0;

  flow_init(&flow, TRUE);
  g_autoptr(LacStreamlines) lines = lac_streamlines_new(&flow.vectors, LAC_FLOW_APART);
  lac_flow_draw_streamlines(drawing, lines, &ground);
  const gsize n = get_points(drawing, &points);
  for (gsize i = 0; i < n; i++) {
    const double here = hypot(points[i].x - middle.x, points[i].y - middle.y);

    if (!isfinite(points[i].x)) {
      n_lines++;
      radius = 0;
    } else if (here > 3 * 330.0 / N &&
               here < 15.5 * 330 / N) { /* steps are short compared with the radius */
      radius = radius == 0 ? here : radius;
      g_assert_cmpfloat_with_epsilon(here, radius, 0.02 * 330 / N);
    }
  }
  g_assert_cmpuint(n_lines, ==, lines->ends->len);
  g_assert_cmpuint(n_lines, >, 5);
}

static void
test_texture_is_about_one_half(void)
{
  Flow   flow;
  gsize  nx, ny;
  double sum = 0;

  flow_init(&flow, TRUE);
  g_autofree float *texture = lac_flow_texture(&flow.vectors, &nx, &ny);
  g_assert_cmpuint(nx, ==, ny);
  for (gsize i = 0; i < nx * ny; i++) {
    g_assert_true(texture[i] >= 0 && texture[i] <= 1);
    sum += (double) texture[i];
  }
  g_assert_cmpfloat_with_epsilon(sum / (double) (nx * ny), 0.5, 0.02);
  g_assert_cmpfloat(fabsf(lac_flow_shade(0.5F) - 1), <, 1e-6F);
}

/* Components on different grids, or a single row, do not form a vector field. */
static void
test_vectors_have_one_grid(void)
{
  Flow           flow;
  LacVectorPlane vectors;
  const gsize    pair[2] = {0, 1}, none[2] = {0, 2};

  flow_init(&flow, FALSE);
  LacFrame frame = {.n_planes = 2, .planes = flow.planes};
  g_assert_true(lac_vector_plane_init(&vectors, &frame, pair, TRUE));
  g_assert_true(vectors.u == &flow.planes[0] && vectors.v == &flow.planes[1] && vectors.periodic);
  g_assert_false(lac_vector_plane_init(&vectors, &frame, none, TRUE));
  flow.planes[1].nx = N - 1;
  g_assert_false(lac_vector_plane_init(&vectors, &frame, pair, TRUE));
  flow.planes[0].ny = flow.planes[1].ny = 1;
  flow.planes[1].nx = N;
  g_assert_false(lac_vector_plane_init(&vectors, &frame, pair, TRUE));
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/flow-lines/arrows-of-a-steady-flow", test_arrows_of_a_steady_flow);
  g_test_add_func("/report/flow-lines/arrows-of-a-flow-that-turns",
                  test_arrows_of_a_flow_that_turns);
  g_test_add_func("/report/flow-lines/what-is-not-seen-is-left-out",
                  test_what_is_not_seen_is_left_out);
  g_test_add_func("/report/flow-lines/streamlines-keep-their-radius",
                  test_streamlines_keep_their_radius);
  g_test_add_func("/report/flow-lines/texture-is-about-one-half", test_texture_is_about_one_half);
  g_test_add_func("/report/flow-lines/vectors-have-one-grid", test_vectors_have_one_grid);
  return g_test_run();
}
