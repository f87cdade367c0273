/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accuracy of the cylinder scene's true flow: shedding frequency and drag at a Reynolds number of 100 in channels of
 * increasing width, against literature values for an unbounded stream, and the coefficients of the equation fitted to
 * the true field. Prints JSON.
 * Source: Williamson (1996), Annu. Rev. Fluid Mech. 28, 477: St = 0.164, C_D = 1.33 to 1.40. */
#include "base/param.h"
#include "bench/harness/program.h"
#include "experiment/flow/scene.h"
#include "solver/lattice/lattice-boltzmann.h"

#include <math.h>

#define REYNOLDS 100
#define CELLS    16 /* per diameter */
#define SPEED    0.06
#define UPSTREAM 12 /* diameters */
#define BEHIND   18
#define SPIN_UP  90 /* in units of diameter over speed */
#define LENGTH   60

static double *
fill_stream(gsize n)
{
  double *stream = g_new0(double, 2 * n);

  for (gsize i = 0; i < n; i++)
    stream[2 * i] = SPEED;
  return stream;
}

/* Returns [2] per step: forces of the flow on the cylinder after the spin-up. */
static double *
run_stream(LacPool *pool, gsize breadth, gsize *n_steps)
{
  const gsize        nx = (UPSTREAM + BEHIND) * CELLS, ny = breadth * CELLS, n = nx * ny;
  g_autofree double *stream = fill_stream(MAX(nx, ny)), *start = g_new0(double, 3 * n);
  const gsize        n_spin_up = (gsize) (SPIN_UP * CELLS / SPEED);
  LacLatticeSettings settings = {
    .pool = pool,
    .type = LAC_F32,
    .nx = nx,
    .ny = ny,
    .viscosity = SPEED * CELLS / REYNOLDS,
    .sides = {LAC_LATTICE_WALL, LAC_LATTICE_OUTFLOW, LAC_LATTICE_SLIP, LAC_LATTICE_SLIP},
    .velocities = {stream, stream},
    .n_discs = 1,
    .discs = {{.centre = {UPSTREAM * CELLS - 0.5, ((double) ny - 1) / 2}, .radius = CELLS / 2.0}},
  };
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacLattice) lattice = lac_lattice_new(&settings, &error);
  double               *forces;

  g_assert_no_error(error);
  for (gsize i = 0; i < n; i++) {
    const double x = ((double) (i % nx) - settings.discs[0].centre[0]) / CELLS;
    const double y = ((double) (i / nx) - settings.discs[0].centre[1]) / CELLS;

    start[n + i] = SPEED;
    start[2 * n + i] = 0.3 * SPEED * sin(x) * exp(-y * y);
  }
  lac_lattice_set(lattice, start);
  lac_lattice_advance(lattice, n_spin_up, NULL);
  *n_steps = (gsize) (LENGTH * CELLS / SPEED);
  forces = g_new(double, 2 * *n_steps);
  lac_lattice_advance(lattice, *n_steps, forces);
  return forces;
}

static double
find_drag(const double *forces, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += forces[2 * i] / (double) n;
  return 2 * sum / (SPEED * SPEED * CELLS);
}

/* Computes the Strouhal number from whole periods of the lift. */
static double
find_strouhal(const double *forces, gsize n)
{
  double first = -1, last = -1;
  guint  n_periods = 0;

  for (gsize i = 1; i < n; i++)
    if (forces[2 * i - 1] < 0 && forces[2 * i + 1] >= 0) {
      last = (double) i;
      if (first < 0)
        first = last;
      else
        n_periods++;
    }
  return n_periods * CELLS / (SPEED * (last - first));
}

static void
print_one(const char *name, const char *metric, double value, double limit)
{
  bench_print_one(bench_row(name, metric, "1", LAC_BENCH_QUALITY, limit), value);
}

/* Checks that the widest stream is within 4 % of the unbounded one. */
static void
measure_streams(LacPool *pool)
{
  static const gsize breadths[] = {12, 24, 40};

  for (gsize i = 0; i < G_N_ELEMENTS(breadths); i++) {
    const gboolean     is_widest = i + 1 == G_N_ELEMENTS(breadths);
    g_autofree char   *name = g_strdup_printf("breadth %" G_GSIZE_FORMAT, breadths[i]);
    gsize              n;
    g_autofree double *forces = run_stream(pool, breadths[i], &n);
    const double       strouhal = find_strouhal(forces, n), drag = find_drag(forces, n);

    print_one(name, "strouhal", strouhal, 0);
    print_one(name, "drag", drag, 0);
    print_one(name, "strouhal_from_0.164", fabs(strouhal / 0.164 - 1), is_widest ? 0.04 : 0);
    print_one(name, "drag_from_1.365", fabs(drag / 1.365 - 1), is_widest ? 0.04 : 0);
  }
}

/* ---- coefficients fitted to the true field ---- */

#define INTERVAL 0.05 /* between snapshots */

static LacTruth *
make_truth(LacPool *pool, LacDraft **draft, LacCase *subject)
{
  static const char *const settings[][2] = {
    {"interval", "0.05"}, {"snapshots", "140"}, {"observations", "1"}};
  gsize                  n_scenes;
  const LacScene *const *scenes = lac_scenes(&n_scenes);
  const LacScene        *scene = NULL;
  const LacContext       context = {.pool = pool, .precision = "f64"};
  g_autoptr(GError)      error = NULL;
  LacTruth              *truth;

  for (gsize i = 0; i < n_scenes; i++)
    if (g_str_equal(scenes[i]->name, "cylinder"))
      scene = scenes[i];
  *draft = lac_draft_new(&scene->params);
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    lac_draft_set(*draft, settings[i][0], settings[i][1], &error);
  g_assert_no_error(error);
  lac_case_configure(subject, scene, lac_draft_get_values(*draft));
  truth = scene->truth(subject->params, subject, &context, &error);
  g_assert_no_error(error);
  return truth;
}

/* Fourth-order derivative of f at @at with neighbours @stride apart and grid spacing @h. */
static double
slope(const double *at, gssize stride, double h)
{
  return (8 * (at[stride] - at[-stride]) - (at[2 * stride] - at[-2 * stride])) / (12 * h);
}

static double
curvature(const double *at, gssize stride, double h)
{
  return (16 * (at[stride] + at[-stride]) - (at[2 * stride] + at[-2 * stride]) - 30 * at[0]) /
         (12 * h * h);
}

/* Adds a plane at time @k to the normal equations of u_t + p_x = -lambda_1 (u . grad) u + lambda_2 laplace u. */
static void
add_plane(const LacTruth *truth, gsize k, double normal[3], double right[2])
{
  const gssize  nx = (gssize) truth->nx, ny = (gssize) truth->ny, n = nx * ny;
  const double  h = (truth->upper[0] - truth->lower[0]) / (double) (nx - 1);
  const double *plane = truth->training + k * 3 * (gsize) n;

  for (gssize j = 2; j < ny - 2; j++)
    for (gssize i = 2; i < nx - 2; i++)
      for (gssize f = 0; f < 2; f++) {
        const double *u = plane + f * n + j * nx + i, *p = plane + 2 * n + j * nx + i;
        const double *velocity = plane + j * nx + i;
        const double  carried = -velocity[0] * slope(u, 1, h) - velocity[n] * slope(u, nx, h);
        const double  spread = curvature(u, 1, h) + curvature(u, nx, h);
        const double  left = slope(u, 3 * n, INTERVAL) + slope(p, f == 0 ? 1 : nx, h);

        normal[0] += carried * carried;
        normal[1] += carried * spread;
        normal[2] += spread * spread;
        right[0] += carried * left;
        right[1] += spread * left;
      }
}

/* Fits the coefficients to finite differences of the true field: a lattice solves the Navier-Stokes equations up to
 * small terms. */
static void
measure_coefficients(LacPool *pool)
{
  LacDraft           *draft = NULL;
  LacCase             subject;
  g_autoptr(LacTruth) truth = make_truth(pool, &draft, &subject);
  double              normal[3] = {0}, right[2] = {0}, determinant, advection, viscosity;

  for (gsize k = 2; k + 2 < truth->n_training; k++)
    add_plane(truth, k, normal, right);
  determinant = normal[0] * normal[2] - normal[1] * normal[1];
  advection = (normal[2] * right[0] - normal[1] * right[1]) / determinant;
  viscosity = (normal[0] * right[1] - normal[1] * right[0]) / determinant;
  print_one("cylinder", "advection_of_the_truth", advection, 0);
  print_one("cylinder", "advection_from_1", fabs(advection - 1), 0.01);
  print_one("cylinder", "viscosity_of_the_truth", viscosity, 0);
  print_one("cylinder", "viscosity_from_1_over_reynolds", fabs(viscosity * REYNOLDS - 1), 0.05);
  lac_draft_free(draft);
}

int
main(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);

  bench_begin(lac_pool_get_n_threads(pool), NULL);
  measure_coefficients(pool);
  measure_streams(pool);
  return bench_end();
}
