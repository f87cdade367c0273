/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy spectra by Parseval's theorem and single modes; derived fields of flows with known derivatives. */
#include "field/derived.h"
#include "field/spectrum.h"

#include <math.h>

/* Sums of n^2 squares of floats, 24 bits each: rounding grows at most with the square root of the number of terms. */
#define TOLERANCE 1e-12

static void
test_parseval(void)
{
  static const gsize sizes[] = {1, 2, 7, 12, 15, 32, 33};
  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    gsize              n = sizes[s];
    g_autofree float  *u = g_new(float, n *n), *v = g_new(float, n *n);
    g_autofree double *energy = g_new(double, lac_spectrum_get_n_shells(n));
    double             mean = 0, sum = 0;
    for (gsize i = 0; i < n * n; i++) {
      u[i] = (float) g_test_rand_double_range(-1, 1);
      v[i] = (float) g_test_rand_double_range(-1, 1);
      mean += 0.5 * ((double) u[i] * (double) u[i] + (double) v[i] * (double) v[i]);
    }
    mean /= (double) (n * n);
    g_assert_true(lac_spectrum_velocity(u, v, n, energy));
    for (gsize k = 0; k < lac_spectrum_get_n_shells(n); k++)
      sum += energy[k];
    g_assert_cmpfloat_with_epsilon(sum, mean, TOLERANCE * mean);
  }
}

static void
test_single_mode(void)
{
  enum { N = 24 };
  float  u[N * N], v[N * N], w[N * N];
  double energy[24], again[24];
  g_assert_cmpuint(lac_spectrum_get_n_shells(N), <=, 24);
  /* psi = cos(3x + 4y) / 5: |k| = 5, u = psi_y, v = -psi_x, w = 5 cos; energy 1/4 of amplitude 1. */
  for (gsize j = 0; j < N; j++)
    for (gsize i = 0; i < N; i++) {
      double phase = 2 * G_PI * (3 * (double) i + 4 * (double) j) / N;
      u[j * N + i] = (float) (-0.8 * sin(phase));
      v[j * N + i] = (float) (0.6 * sin(phase));
      w[j * N + i] = (float) (5 * cos(phase));
    }
  g_assert_true(lac_spectrum_velocity(u, v, N, energy));
  g_assert_true(lac_spectrum_vorticity(w, N, 2 * G_PI, again));
  for (gsize k = 0; k < lac_spectrum_get_n_shells(N); k++) {
    /* The values are rounded to floats: relative error 6e-8 each. */
    g_assert_cmpfloat_with_epsilon(energy[k], k == 5 ? 0.25 : 0, 1e-7);
    g_assert_cmpfloat_with_epsilon(again[k], k == 5 ? 0.25 : 0, 1e-7);
  }
  /* With twice the period, the same vorticity belongs to velocities twice as large. */
  g_assert_true(lac_spectrum_vorticity(w, N, 4 * G_PI, energy));
  g_assert_cmpfloat_with_epsilon(energy[5], 4 * again[5], 1e-7);
  w[17] = NAN;
  g_assert_false(lac_spectrum_vorticity(w, N, 2 * G_PI, energy));
}

static LacFrame *
make_planes(gsize nx, gsize ny)
{
  gsize sizes[3][2] = {{nx, ny}, {nx, ny}, {nx, ny}};
  return lac_frame_new(3, (const gsize(*)[2]) sizes, 0, 0);
}

/* u = a x + b y, v = c x + d y on a box: differences of order 2 are exact, also at the boundary. */
static void
test_linear_flow(void)
{
  const double a = 0.5, b = -2, c = 1.25, d = 0.75;
  const double expected[LAC_N_DERIVED] = {
    [LAC_DERIVED_VORTICITY] = c - b,
    [LAC_DERIVED_Q_CRITERION] = -0.5 * (a * a + d * d) - b * c,
    [LAC_DERIVED_DIVERGENCE] = a + d,
  };
  g_autoptr(LacFrame) frame = make_planes(9, 5);
  LacPlane           *u = &frame->planes[0], *v = &frame->planes[1], *out = &frame->planes[2];
  u->x_max = v->x_max = 2;
  u->y_max = v->y_max = 1;
  for (gsize j = 0; j < 5; j++)
    for (gsize i = 0; i < 9; i++) {
      double x = 0.25 * (double) i, y = 0.25 * (double) j;
      u->data[j * 9 + i] = (float) (a * x + b * y);
      v->data[j * 9 + i] = (float) (c * x + d * y);
    }
  for (LacDerived kind = LAC_DERIVED_VORTICITY; kind < LAC_N_DERIVED; kind++) {
    lac_derived_fill(kind, u, v, FALSE, out);
    g_assert_cmpfloat(out->x_max, ==, 2);
    /* floats of size 2 divided by a cell of 1/4 */
    for (gsize i = 0; i < 45; i++)
      g_assert_cmpfloat_with_epsilon(out->data[i], expected[kind], 1e-5);
  }
  lac_derived_fill(LAC_DERIVED_SPEED, u, v, FALSE, out);
  for (gsize i = 0; i < 45; i++)
    g_assert_cmpfloat_with_epsilon(out->data[i], hypot(u->data[i], v->data[i]), 1e-6);
}

/* Taylor-Green: w = 2 sin x sin y, no divergence, Q = (sin x sin y)^2 - (cos x cos y)^2. */
static double
taylor_green_error(gsize n, LacDerived kind)
{
  g_autoptr(LacFrame) frame = make_planes(n, n);
  LacPlane           *u = &frame->planes[0], *v = &frame->planes[1], *out = &frame->planes[2];
  double              cell = 2 * G_PI / (double) n, worst = 0;
  u->x_max = u->y_max = v->x_max = v->y_max = 2 * G_PI - cell;
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++) {
      double x = cell * (double) i, y = cell * (double) j;
      u->data[j * n + i] = (float) (sin(x) * cos(y));
      v->data[j * n + i] = (float) (-cos(x) * sin(y));
    }
  lac_derived_fill(kind, u, v, TRUE, out);
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++) {
      double x = cell * (double) i, y = cell * (double) j;
      double cc = cos(x) * cos(y), ss = sin(x) * sin(y);
      double exact = kind == LAC_DERIVED_VORTICITY    ? 2 * ss
                     : kind == LAC_DERIVED_DIVERGENCE ? 0
                                                      : ss * ss - cc * cc;
      worst = MAX(worst, fabs((double) out->data[j * n + i] - exact));
    }
  return worst;
}

static void
test_taylor_green(void)
{
  for (LacDerived kind = LAC_DERIVED_VORTICITY; kind < LAC_N_DERIVED; kind++) {
    double coarse = taylor_green_error(8, kind), fine = taylor_green_error(16, kind);
    if (kind == LAC_DERIVED_DIVERGENCE)
      g_assert_cmpfloat(coarse, <, 1e-6); /* the two differences cancel up to float rounding */
    else
      g_assert_cmpfloat(fine, <, coarse / 40); /* order 6: a factor of 64 up to float rounding */
    g_assert_cmpfloat(fine, <, 2e-4);
  }
}

static void
test_units(void)
{
  static const struct {
    LacDerived  kind;
    const char *velocity, *length, *unit;
  } cases[] = {
    {LAC_DERIVED_SPEED, "m/s", "m", "m/s"},         {LAC_DERIVED_VORTICITY, "m/s", "m", "1/s"},
    {LAC_DERIVED_Q_CRITERION, "m/s", "m", "1/s^2"}, {LAC_DERIVED_DIVERGENCE, "1", "1", "1"},
    {LAC_DERIVED_Q_CRITERION, "1", "1", "1"},       {LAC_DERIVED_VORTICITY, "1", "rad", "1/rad"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *unit = lac_derived_dup_unit(cases[i].kind, cases[i].velocity, cases[i].length);
    g_assert_cmpstr(unit, ==, cases[i].unit);
  }
}

/* The power of any plane sums to its mean square, for any shape and along either axis. */
static void
test_power_is_the_mean_square(void)
{
  static const gsize sizes[][2] = {{7, 12}, {32, 32}, {15, 33}, {48, 5}};
  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++)
    for (LacPowerKind kind = LAC_POWER_RADIAL; kind <= LAC_POWER_ALONG_Y; kind++) {
      gsize              nx = sizes[s][0], ny = sizes[s][1];
      g_autofree float  *data = g_new(float, nx *ny), *minus = g_new(float, nx *ny);
      LacPlane           plane = {.nx = nx, .ny = ny, .x_max = 2, .y_max = 3, .data = data};
      LacPlane           other = plane;
      LacPowerShells     shells = lac_power_shells(&plane, kind);
      double             mean = 0, sum = 0;
      g_autofree double *power = g_new(double, shells.n);
      other.data = minus;
      for (gsize i = 0; i < nx * ny; i++) {
        data[i] = (float) g_test_rand_double_range(-1, 1);
        minus[i] = (float) g_test_rand_double_range(-1, 1);
        mean += pow((double) data[i] - (double) minus[i], 2) / (double) (nx * ny);
      }
      g_assert_true(lac_spectrum_power(&plane, &other, kind, FALSE, power));
      for (gsize k = 0; k < shells.n; k++)
        sum += power[k];
      g_assert_cmpfloat_with_epsilon(sum, mean, TOLERANCE * mean);
      minus[3] = NAN;
      g_assert_false(lac_spectrum_power(&plane, &other, kind, FALSE, power));
    }
}

static void
test_power_of_one_wave(void)
{
  enum { NX = 40, NY = 24 };
  float              data[NX * NY];
  LacPlane           plane = {.nx = NX, .ny = NY, .data = data};
  g_autofree double *power = NULL;
  plane.x_max = 4.0 * (NX - 1) / NX; /* periods of 4 and 2: shells are multiples of 2 pi / 4 */
  plane.y_max = 2.0 * (NY - 1) / NY;
  for (gsize j = 0; j < NY; j++)
    for (gsize i = 0; i < NX; i++)
      data[j * NX + i] = (float) cos(
        2 * G_PI * (6 * (double) i / NX + 4 * (double) j / NY)); /* |k| = (6, 8) units */
  LacPowerShells shells = lac_power_shells(&plane, LAC_POWER_RADIAL);
  g_assert_cmpfloat_with_epsilon(shells.unit, 2 * G_PI / 4, 1e-12);
  power = g_new(double, shells.n);
  g_assert_true(lac_spectrum_power(&plane, NULL, LAC_POWER_RADIAL, FALSE, power));
  for (gsize k = 0; k < shells.n; k++)
    g_assert_cmpfloat_with_epsilon(power[k], k == 10 ? 0.5 : 0, 1e-6);
  g_assert_true(lac_spectrum_power(&plane, NULL, LAC_POWER_ALONG_X, FALSE, power));
  g_assert_cmpfloat_with_epsilon(power[6], 0.5, 1e-6);
  g_assert_true(lac_spectrum_power(&plane, NULL, LAC_POWER_ALONG_Y, FALSE, power));
  g_assert_cmpfloat_with_epsilon(power[4], 0.5, 1e-6);
  /* the Hann window spreads a wave over its neighbours with 1/6, 2/3, 1/6 of its power */
  g_assert_true(lac_spectrum_power(&plane, NULL, LAC_POWER_ALONG_X, TRUE, power));
  g_assert_cmpfloat_with_epsilon(power[5], 0.5 / 6, 1e-6);
  g_assert_cmpfloat_with_epsilon(power[6], 0.5 * 2 / 3, 1e-6);
  g_assert_cmpfloat_with_epsilon(power[7], 0.5 / 6, 1e-6);
  g_assert_cmpfloat_with_epsilon(power[9], 0, 1e-6);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/spectrum/shells-add-up-to-the-energy", test_parseval);
  g_test_add_func("/field/spectrum/a-mode-lies-in-its-shell", test_single_mode);
  g_test_add_func("/field/derived/linear-flow-is-exact-on-a-box", test_linear_flow);
  g_test_add_func("/field/derived/taylor-green-converges-on-a-period", test_taylor_green);
  g_test_add_func("/field/derived/units-follow-from-velocity-and-length", test_units);
  g_test_add_func("/field/spectrum/power-is-the-mean-square", test_power_is_the_mean_square);
  g_test_add_func("/field/spectrum/one-wave-is-in-its-shell", test_power_of_one_wave);
  return g_test_run();
}
