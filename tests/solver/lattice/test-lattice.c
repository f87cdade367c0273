/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattice Boltzmann against exact flows and balances; the wake of a disc against literature values. */
#include "base/error.h"
#include "solver/lattice/lattice-boltzmann.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static LacLattice *
make(const LacLatticeSettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacLattice       *lattice = lac_lattice_new(settings, &error);

  g_assert_no_error(error);
  return lattice;
}

/* Makes a row of equal velocities along x. */
static double *
stream(gsize n, double speed)
{
  double *velocities = g_new0(double, 2 * n);

  for (gsize i = 0; i < n; i++)
    velocities[2 * i] = speed;
  return velocities;
}

/* Couette flow: the velocity between a fixed and a moving wall is linear, which is exact with walls midway between
 * cells. */
static void
test_couette(void)
{
  g_autoptr(LacPool)    pool = lac_pool_new(1);
  g_autofree double    *lid = stream(5, 0.1);
  double                moments[3 * 5 * 8];
  g_autoptr(LacLattice) lattice = make(&(LacLatticeSettings){
    .pool = pool,
    .type = LAC_F64,
    .nx = 5,
    .ny = 8,
    .viscosity = 1.0 / 6,
    .sides = {LAC_LATTICE_PERIODIC, LAC_LATTICE_PERIODIC, LAC_LATTICE_WALL, LAC_LATTICE_WALL},
    .velocities = {NULL, NULL, NULL, lid},
  });

  lac_lattice_advance(lattice, 2000, NULL); /* slowest decay: exp(-pi^2 nu t / 64) = e^-51 */
  lac_lattice_get(lattice, moments);
  for (gsize y = 0; y < 8; y++)
    for (gsize x = 0; x < 5; x++) {
      g_assert_cmpfloat_with_epsilon(moments[40 + y * 5 + x], 0.1 * ((double) y + 0.5) / 8, 1e-14);
      g_assert_cmpfloat_with_epsilon(moments[80 + y * 5 + x], 0, 1e-14);
    }
}

/* Vortices of n cells for a fixed diffusion time, with speed proportional to 1 / n: relative error against exp(-2 nu
 * k^2 t). */
static double
taylor_green_error(gsize n)
{
  const double          k = 2 * G_PI / (double) n, nu = 0.02, speed = 1.28 / (double) n;
  const gsize           n_steps = n * n / 2, cells = n * n;
  const double          fade = exp(-2 * nu * k * k * (double) n_steps);
  g_autoptr(LacPool)    pool = lac_pool_new(1);
  g_autofree double    *moments = g_new(double, 3 * cells), *exact = g_new(double, 3 * cells);
  double                squares = 0, norm = 0;
  g_autoptr(LacLattice) lattice =
    make(&(LacLatticeSettings){.pool = pool, .type = LAC_F64, .nx = n, .ny = n, .viscosity = nu});

  for (gsize i = 0; i < cells; i++) {
    const double x = k * (double) (i % n), y = k * (double) (i / n);

    exact[i] = -0.75 * speed * speed * (cos(2 * x) + cos(2 * y));
    exact[cells + i] = speed * cos(x) * sin(y);
    exact[2 * cells + i] = -speed * sin(x) * cos(y);
  }
  lac_lattice_set(lattice, exact);
  lac_lattice_advance(lattice, n_steps, NULL);
  lac_lattice_get(lattice, moments);
  for (gsize i = cells; i < 3 * cells; i++) {
    squares += (moments[i] - fade * exact[i]) * (moments[i] - fade * exact[i]);
    norm += fade * fade * exact[i] * exact[i];
  }
  return sqrt(squares / norm);
}

static void
test_order(void)
{
  const double coarse = taylor_green_error(32), fine = taylor_green_error(64);

  g_test_message("errors %g and %g, order %g", coarse, fine, log2(coarse / fine));
  g_assert_cmpfloat(fine, <, 0.01);
  g_assert_cmpfloat_with_epsilon(log2(coarse / fine), 2, 0.2);
}

/* A closed box conserves mass with a moving lid. */
static void
test_mass(void)
{
  const gsize           n = 20;
  g_autoptr(LacPool)    pool = lac_pool_new(1);
  g_autofree double    *lid = stream(n, 0.1), *moments = g_new(double, 3 * n * n);
  double                sum = 0, size = 0;
  g_autoptr(LacLattice) lattice = make(&(LacLatticeSettings){
    .pool = pool,
    .type = LAC_F64,
    .nx = n,
    .ny = n,
    .viscosity = 0.02,
    .sides = {LAC_LATTICE_WALL, LAC_LATTICE_WALL, LAC_LATTICE_WALL, LAC_LATTICE_WALL},
    .velocities = {NULL, NULL, NULL, lid},
  });

  lac_lattice_advance(lattice, 500, NULL);
  lac_lattice_get(lattice, moments);
  for (gsize i = 0; i < n * n; i++) {
    sum += moments[i];
    size += fabs(moments[i]);
  }
  g_assert_cmpfloat(size, >, 1e-3);
  g_assert_cmpfloat_with_epsilon(sum, 0, 1e-12);
}

/* The momentum lost by the flow equals that gained by two discs in each step, for either kind of wall. */
static void
test_momentum(gconstpointer staircase)
{
  const gsize           n = 24, cells = n * n, n_steps = 50;
  g_autoptr(LacPool)    pool = lac_pool_new(1);
  g_autofree double    *moments = g_new0(double, 3 * cells), *forces = g_new(double, 2 * n_steps);
  double                before[2] = {0}, after[2] = {0}, taken[2] = {0};
  g_autoptr(LacLattice) lattice = make(&(LacLatticeSettings){
    .pool = pool,
    .type = LAC_F64,
    .nx = n,
    .ny = n,
    .viscosity = 0.05,
    .n_discs = 2,
    .discs = {{.centre = {11.3, 12.1}, .radius = 4.4}, {.centre = {4.2, 4.6}, .radius = 2.3}},
    .staircase = GPOINTER_TO_INT(staircase),
  });

  for (gsize i = 0; i < cells; i++) {
    moments[cells + i] = 0.05;
    moments[2 * cells + i] = 0.02 * sin(2 * G_PI * (double) (i % n) / (double) n);
  }
  lac_lattice_set(lattice, moments);
  lac_lattice_get(lattice, moments);
  for (gsize i = 0; i < cells; i++)
    for (gsize axis = 0; axis < 2; axis++)
      before[axis] += moments[(axis + 1) * cells + i];
  lac_lattice_advance(lattice, n_steps, forces);
  lac_lattice_get(lattice, moments);
  for (gsize i = 0; i < cells; i++)
    for (gsize axis = 0; axis < 2; axis++)
      after[axis] += moments[(axis + 1) * cells + i];
  for (gsize i = 0; i < 2 * n_steps; i++)
    taken[i % 2] += forces[i];
  g_assert_cmpfloat(taken[0], >, 0.1);
  for (gsize axis = 0; axis < 2; axis++)
    g_assert_cmpfloat_with_epsilon(before[axis] - after[axis], taken[axis], 1e-11);
}

/* A channel with a disc: inflow on the left, symmetry planes at the sides. */
typedef struct {
  gsize    nx, ny;
  double   diameter, reynolds, speed, shift;
  gboolean staircase;
  LacType  type;
  guint    n_threads;
} Channel;

static void
run_channel(const Channel *channel, gsize n_steps, double *forces, double *moments)
{
  const gsize           n = channel->nx * channel->ny;
  g_autofree double    *inflow = stream(MAX(channel->nx, channel->ny), channel->speed);
  g_autofree double    *start = g_new0(double, 3 * n);
  g_autoptr(LacPool)    pool = lac_pool_new(channel->n_threads);
  g_autoptr(LacLattice) lattice = make(&(LacLatticeSettings){
    .pool = pool,
    .type = channel->type,
    .nx = channel->nx,
    .ny = channel->ny,
    .viscosity = channel->speed * channel->diameter / channel->reynolds,
    .sides = {LAC_LATTICE_WALL, LAC_LATTICE_OUTFLOW, LAC_LATTICE_SLIP, LAC_LATTICE_SLIP},
    .velocities = {inflow, inflow},
    .n_discs = 1,
    .discs = {{.centre = {(double) channel->ny / 2 + channel->shift,
                          ((double) channel->ny - 1) / 2 + channel->shift},
               .radius = channel->diameter / 2}},
    .staircase = channel->staircase,
  });

  for (gsize i = 0; i < n; i++) {
    start[n + i] = channel->speed;
    start[2 * n + i] = 0.2 * channel->speed * sin(0.1 * (double) (i % channel->nx));
  }
  lac_lattice_set(lattice, start);
  lac_lattice_advance(lattice, n_steps, forces);
  lac_lattice_get(lattice, moments);
}

static double
mean_drag(const Channel *channel, const double *forces, gsize first, gsize last)
{
  double sum = 0;

  for (gsize i = first; i < last; i++)
    sum += forces[2 * i];
  return 2 * sum / ((double) (last - first) * channel->speed * channel->speed * channel->diameter);
}

/* Returns the Strouhal number, from the upward zero crossings of the lift. */
static double
strouhal(const Channel *channel, const double *forces, gsize first, gsize last)
{
  double start = -1, end = -1;
  guint  n = 0;

  for (gsize i = first + 1; i < last; i++)
    if (forces[2 * i - 1] < 0 && forces[2 * i + 1] >= 0) {
      end = (double) i;
      if (start < 0)
        start = end;
      else
        n++;
    }
  g_assert_cmpuint(n, >=, 3);
  return n * channel->diameter / (channel->speed * (end - start));
}

/* Unconfined .164 and 1.33-1.40 (Williamson 1996, Annu. Rev. Fluid Mech. 28, 477). Symmetry planes ten diameters
 * apart increase both by about 6 %, as finer lattices show (bench-lattice); ten cells per diameter add an error of up
 * to 4 %. */
static void
test_wake(void)
{
  const Channel      channel = {180, 100, 10, 100, 0.08, 0, FALSE, LAC_F32, 2};
  const gsize        n_steps = 12000;
  g_autofree double *forces = g_new(double, 2 * n_steps), *moments = g_new(double, 3 * 18000);
  double             drag, frequency;

  run_channel(&channel, n_steps, forces, moments);
  drag = mean_drag(&channel, forces, n_steps / 2, n_steps);
  frequency = strouhal(&channel, forces, n_steps / 2, n_steps);
  g_test_message("Strouhal number %.4f, drag %.4f", frequency, drag);
  g_assert_cmpfloat_with_epsilon(frequency, 0.164 * 1.06, 0.164 * 0.05);
  g_assert_cmpfloat_with_epsilon(drag, 1.365 * 1.06, 1.365 * 0.08);
}

/* The drag should not depend on the disc's position relative to the cells: interpolated walls reduce that
 * dependence. */
static void
test_walls(void)
{
  const gsize        n_steps = 3000;
  g_autofree double *forces = g_new(double, 2 * n_steps), *moments = g_new(double, 3 * 64 * 48);
  double             drags[2][4], spread[2];

  for (gsize s = 0; s < 2; s++) {
    double lowest = INFINITY, highest = -INFINITY;

    for (gsize i = 0; i < 4; i++) {
      const Channel channel = {64, 48, 7, 20, 0.08, 0.13 * (double) i, s == 1, LAC_F64, 1};

      run_channel(&channel, n_steps, forces, moments);
      drags[s][i] = mean_drag(&channel, forces, n_steps - 100, n_steps);
      lowest = MIN(lowest, drags[s][i]);
      highest = MAX(highest, drags[s][i]);
    }
    spread[s] = highest - lowest;
  }
  g_test_message("drag varies by %g with interpolation, %g with stairs", spread[0], spread[1]);
  g_assert_cmpfloat(spread[0], <, 0.5 * spread[1]);
}

static void
test_bits(void)
{
  const Channel one = {72, 50, 6, 60, 0.08, 0, FALSE, LAC_F32, 1};
  Channel       three = one, precise = one;
  double        forces[3][400], moments[3][3 * 72 * 50];

  three.n_threads = 3;
  precise.type = LAC_F64;
  run_channel(&one, 200, forces[0], moments[0]);
  run_channel(&three, 200, forces[1], moments[1]);
  run_channel(&precise, 200, forces[2], moments[2]);
  g_assert_cmpmem(moments[0], sizeof moments[0], moments[1], sizeof moments[1]);
  g_assert_cmpmem(forces[0], sizeof forces[0], forces[1], sizeof forces[1]);
  /* deviations of magnitude 0.1 round by 1e-8 per step, accumulating at random */
  for (gsize i = 0; i < G_N_ELEMENTS(moments[0]); i++)
    g_assert_cmpfloat_with_epsilon(moments[0][i], moments[2][i], 1e-6);
}

/* Without the CPU's vector instructions the results agree up to fused rounding. */
static void
test_levels(void)
{
  const Channel channel = {72, 50, 6, 60, 0.08, 0, FALSE, LAC_F64, 1};
  double        forces[2][400], moments[2][3 * 72 * 50];

  run_channel(&channel, 200, forces[0], moments[0]);
  g_setenv("LACUNA_CPU_LEVEL", "baseline", TRUE);
  run_channel(&channel, 200, forces[1], moments[1]);
  g_unsetenv("LACUNA_CPU_LEVEL");
  for (gsize i = 0; i < G_N_ELEMENTS(moments[0]); i++)
    g_assert_cmpfloat_with_epsilon(moments[0][i], moments[1][i], 1e-13);
}

static void
refuse(const LacLatticeSettings *settings, const char *sentence)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_lattice_new(settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, sentence));
}

static void
test_refusals(void)
{
  LacLatticeSettings settings = {.nx = 20, .ny = 20, .viscosity = 0.1};

  settings.n_discs = 1;
  settings.discs[0] = (LacLatticeDisc){.centre = {4, 4}, .radius = 8};
  refuse(&settings, "does not fit");
  settings.n_discs = 0;
  settings.sides[LAC_LATTICE_TOP] = LAC_LATTICE_WALL;
  refuse(&settings, "together");
  settings.viscosity = NAN;
  refuse(&settings, "above 0");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/lattice/a-sheared-layer-is-exact", test_couette);
  g_test_add_func("/solver/lattice/vortices-decay-to-second-order", test_order);
  g_test_add_func("/solver/lattice/a-closed-box-keeps-its-mass", test_mass);
  g_test_add_data_func("/solver/lattice/discs-take-up-what-the-flow-loses", GINT_TO_POINTER(0),
                       test_momentum);
  g_test_add_data_func("/solver/lattice/so-do-those-of-stairs", GINT_TO_POINTER(1), test_momentum);
  g_test_add_func("/solver/lattice/the-wake-sheds-at-its-frequency", test_wake);
  g_test_add_func("/solver/lattice/interpolated-walls-lie-where-they-are", test_walls);
  g_test_add_func("/solver/lattice/threads-do-not-change-a-bit", test_bits);
  g_test_add_func("/solver/lattice/instruction-sets-agree", test_levels);
  g_test_add_func("/solver/lattice/what-it-cannot-take-is-refused", test_refusals);
  return g_test_run();
}
