/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scattered values of a file become a truth on a grid, or an error message. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/flow/truth/point.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N 900

static double
field_at(guint f, double x, double y)
{
  return f == 0 ? 1 + x - 2 * x * y : 3 * y * y - x;
}

/* Points cover [-0.1, reach]^2 including its corners; the second quantity comes first. */
static LacMeasurements *
make_points(double reach)
{
  LacMeasurements *points = lac_measurements_new("wind.dat", 2 * N);
  LacRng           rng = lac_rng(8, 0);

  lac_measurements_quantity(points, "v");
  lac_measurements_quantity(points, "u");
  for (gsize i = 0; i < N; i++) {
    const double x = i < 4 ? (i % 2 ? reach : -0.1) : (reach + 0.1) * lac_rng_uniform(&rng) - 0.1;
    const double y = i < 4 ? (i / 2 ? reach : -0.1) : (reach + 0.1) * lac_rng_uniform(&rng) - 0.1;

    for (guint q = 0; q < 2; q++)
      points->rows[2 * i + q] = (LacMeasurement){
        .x = x, .y = y, .value = field_at(1 - q, x, y), .sigma = NAN, .quantity = q};
  }
  return points;
}

static LacTruth *
make_truth(const char *second)
{
  const char *const fields[] = {"u", second};
  LacTruth         *truth = lac_truth_new(2, fields, 9, 7, 0, 1);

  truth->upper[0] = truth->upper[1] = 1;
  return truth;
}

static void
test_fill(void)
{
  g_autoptr(LacTruth)        truth = make_truth("v");
  g_autoptr(LacMeasurements) points = make_points(1.1);
  g_autoptr(GError)          error = NULL;

  truth->mask = g_new(guint8, 63);
  memset(truth->mask, 1, 63);
  truth->mask[20] = 0;
  g_assert_true(lac_point_truth_fill(truth, points, &error));
  g_assert_no_error(error);
  for (guint f = 0; f < 2; f++)
    for (gsize i = 0; i < 63; i++) {
      const double expected =
        i == 20 ? 0 : field_at(f, lac_truth_get_x(truth, i % 9), lac_truth_get_y(truth, i / 9));

      /* quadratics are interpolated exactly */
      g_assert_cmpfloat_with_epsilon(truth->observed[f * 63 + i], expected, 1e-7);
    }
}

static void
test_refusals(void)
{
  g_autoptr(LacTruth)        with_pressure = make_truth("p"), truth = make_truth("v");
  g_autoptr(LacMeasurements) points = make_points(1.1), small = make_points(0.9);
  g_autoptr(GError)          error = NULL;

  g_assert_false(lac_point_truth_fill(with_pressure, points, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "wind.dat holds no p"));
  g_clear_error(&error);
  g_assert_false(lac_point_truth_fill(truth, small, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "x = -0.1 to 0.9"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/point-truth/scattered-values-are-read-onto-the-grid", test_fill);
  g_test_add_func("/experiment/point-truth/what-is-missing-is-named", test_refusals);
  return g_test_run();
}
