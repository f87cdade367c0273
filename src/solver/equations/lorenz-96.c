/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of coupled variables, the standard test of data assimilation: neither space nor a wave equation, but chaos
 * with an advection that conserves energy. Classical fourth-order Runge-Kutta; variable i stands at x = i length / n.
 * Source: Lorenz (1996), Predictability: a problem partly solved, eq. 1. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/members.h"
#include "solver/refusal.h"
#include "solver/trajectory.h"

#include <math.h>
#include <string.h>

enum { FORCING, DAMPING, N_PARAMETERS };
enum { N_STAGES = 4, LEAST_VARIABLES = 4 };

/* fraction of the step at which each stage is evaluated, and its weight in the step */
static const double nodes[N_STAGES] = {0, 0.5, 0.5, 1};
static const double shares[N_STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/* The integrator of one worker. */
typedef struct {
  gsize         n;
  double        time_step;
  const double *parameters;       /* of the member in work */
  double       *parameters_bar;   /* accumulated by the reverse pass */
  double       *stages[N_STAGES]; /* [n]: states at which slopes are evaluated */
  double       *slopes[N_STAGES]; /* [n] */
  double       *bars[N_STAGES];   /* [n]: gradients of the stages */
  double       *memory;           /* of the arrays above */
  double       *slots;            /* [LAC_TRAJECTORY_SLOTS][n]; NULL: not reversible */
} Ring;

/* @slope = (x[i+1] - x[i-2]) x[i-1] - damping x[i] + forcing */
static void
find_slope(const Ring *ring, const double *x, double *slope)
{
  const gsize  n = ring->n;
  const double forcing = ring->parameters[FORCING], damping = ring->parameters[DAMPING];

  for (gsize i = 2; i + 1 < n; i++)
    slope[i] = (x[i + 1] - x[i - 2]) * x[i - 1] - damping * x[i] + forcing;
  slope[0] = (x[1] - x[n - 2]) * x[n - 1] - damping * x[0] + forcing;
  slope[1] = (x[2] - x[n - 1]) * x[0] - damping * x[1] + forcing;
  slope[n - 1] = (x[0] - x[n - 3]) * x[n - 2] - damping * x[n - 1] + forcing;
}

/* Transpose of find_slope() at @x: sets @x_bar from @slope_bar, and adds to the gradients of the parameters. */
static void
reverse_slope(const Ring *ring, const double *x, const double *slope_bar, double *x_bar)
{
  const gsize  n = ring->n;
  const double damping = ring->parameters[DAMPING];

  for (gsize i = 0; i < n; i++)
    x_bar[i] = -damping * slope_bar[i];
  for (gsize i = 0; i < n; i++) {
    const gsize next = (i + 1) % n, last = (i + n - 1) % n, before = (i + n - 2) % n;

    x_bar[next] += x[last] * slope_bar[i];
    x_bar[before] -= x[last] * slope_bar[i];
    x_bar[last] += (x[next] - x[before]) * slope_bar[i];
    ring->parameters_bar[FORCING] += slope_bar[i];
    ring->parameters_bar[DAMPING] -= x[i] * slope_bar[i];
  }
}

static void
find_stages(Ring *ring, const double *state)
{
  for (guint s = 0; s < N_STAGES; s++) {
    for (gsize i = 0; i < ring->n; i++)
      ring->stages[s][i] = state[i] + (s ? ring->time_step * nodes[s] * ring->slopes[s - 1][i] : 0);
    find_slope(ring, ring->stages[s], ring->slopes[s]);
  }
}

static void
step(Ring *ring, double *state)
{
  find_stages(ring, state);
  for (guint s = 0; s < N_STAGES; s++)
    for (gsize i = 0; i < ring->n; i++)
      state[i] += ring->time_step * shares[s] * ring->slopes[s][i];
}

static LacStatus
advance(gpointer data, double *to, const double *from, gsize n_steps)
{
  Ring *ring = data;

  memcpy(to, from, ring->n * sizeof *to);
  for (gsize k = 0; k < n_steps; k++)
    step(ring, to);
  return LAC_STATUS_OK;
}

static LacStatus
reverse_step(gpointer data, const double *before, double *bar)
{
  Ring *ring = data;

  find_stages(ring, before);
  for (guint s = N_STAGES; s-- > 0;) {
    double *slope_bar = ring->slopes[s]; /* no longer needed as a slope */

    for (gsize i = 0; i < ring->n; i++)
      slope_bar[i] =
        ring->time_step *
        (shares[s] * bar[i] + (s + 1 < N_STAGES ? nodes[s + 1] * ring->bars[s + 1][i] : 0));
    reverse_slope(ring, ring->stages[s], slope_bar, ring->bars[s]);
  }
  for (guint s = 0; s < N_STAGES; s++)
    for (gsize i = 0; i < ring->n; i++)
      bar[i] += ring->bars[s][i];
  return LAC_STATUS_OK;
}

static gpointer
create_ring(gconstpointer data, gboolean is_reversible, GError **error G_GNUC_UNUSED)
{
  const LacSolverSettings *settings = data;
  Ring                    *ring = g_new0(Ring, 1);
  const gsize              n = settings->nx;

  ring->n = n;
  ring->time_step = settings->time_step;
  ring->memory = g_new0(double, 3 * N_STAGES * n);
  for (guint s = 0; s < N_STAGES; s++) {
    ring->stages[s] = ring->memory + 3 * s * n;
    ring->slopes[s] = ring->stages[s] + n;
    ring->bars[s] = ring->slopes[s] + n;
  }
  ring->slots = is_reversible ? g_new(double, LAC_TRAJECTORY_SLOTS *n) : NULL;
  return ring;
}

static void
destroy_ring(gpointer data)
{
  Ring *ring = data;

  g_free(ring->slots);
  g_free(ring->memory);
  g_free(ring);
}

static LacStatus
advance_ring(gpointer data, const double *parameters, double *state, gsize n_steps)
{
  Ring *ring = data;

  ring->parameters = parameters;
  for (gsize k = 0; k < n_steps; k++)
    step(ring, state);
  return LAC_STATUS_OK;
}

static gsize
count_bytes(gconstpointer data)
{
  const Ring *ring = data;

  return sizeof *ring + 3 * N_STAGES * ring->n * sizeof(double) +
         (ring->slots ? LAC_TRAJECTORY_SLOTS * ring->n * sizeof(double) : 0);
}

static double
count_flops(gconstpointer data)
{
  return N_STAGES * 9.0 * (double) ((const Ring *) data)->n;
}

static gpointer
lorenz_create(const LacSolver *row, const LacSolverSettings *settings, GError **error)
{
  const LacMembersFlow flow = {
    .work = "Lorenz 96 steps",
    .length = settings->nx,
    .n_parameters = row->n_parameters,
    .create = create_ring,
    .destroy = destroy_ring,
    .advance = advance_ring,
    .bytes = count_bytes,
    .flops = count_flops,
  };

  if (settings->nx >= LEAST_VARIABLES && settings->ny == 1)
    return lac_members_new(&flow, settings, settings, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "The Lorenz 96 system needs one ring of at least %d variables, not %" G_GSIZE_FORMAT
              " by %" G_GSIZE_FORMAT ".",
              LEAST_VARIABLES, settings->nx, settings->ny);
  return NULL;
}

static gboolean
lorenz_reverse(gpointer      solver,
               const double *state,
               const double *parameters,
               gsize         n_steps,
               double       *state_bar,
               double       *parameters_bar,
               GError      **error)
{
  static const LacTrajectoryFuncs funcs = {advance, reverse_step};
  Ring                           *ring = lac_members_get_reversible(solver);
  const gint64                    start_ns = lac_clock_ns();

  g_return_val_if_fail(ring->slots, FALSE);
  if (!lac_solver_check_reverse(n_steps, error))
    return FALSE;
  ring->parameters = parameters;
  ring->parameters_bar = parameters_bar;
  lac_trajectory_reverse(&(LacTrajectory){&funcs, ring, ring->slots, ring->n}, state, n_steps,
                         state_bar);
  lac_members_record_reverse(solver, start_ns, n_steps);
  return TRUE;
}

/* Half the stability limit on the imaginary axis: a variable turns with at most twice the largest value. */
static double
lorenz_largest_step(gconstpointer solver, const double *state, const double *parameters)
{
  const gsize n = lac_members_get_settings(solver)->nx;
  double      largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax(largest, fabs(state[i]));
  largest = 2 * largest + fabs(parameters[DAMPING]);
  return largest > 0 ? G_SQRT2 / largest : (double) INFINITY;
}

/* Mean square half: the products of neighbours conserve it. */
static double
energy(gconstpointer solver, const double *state)
{
  const gsize n = lac_members_get_settings(solver)->nx;
  double      sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[i] * state[i] / 2;
  return sum / (double) n;
}

static const LacInvariant invariants[] = {
  {"energy", "1", TRUE, energy},
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 40;
  settings->ny = 1;
  settings->length[0] = 40;
  settings->length[1] = 1;
  settings->time_step = 0.02;
  parameters[FORCING] = 1.5;
  parameters[DAMPING] = 0.9;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = cos(5 * x) * (1 + sin(2 * x)) + 0.5;
  }
}

const LacSolver lac_solver_lorenz_96 = {
  .name = "lorenz-96",
  .formula = "u_i' = (u_(i+1) - u_(i-2)) u_(i-1) - damping u_i + forcing",
  .source = "Lorenz (1996), Predictability: a problem partly solved, eq. 1",
  .n_axes = 1,
  .order = 4,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = N_PARAMETERS,
  .parameters = {"forcing", "damping"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .on_host = TRUE,
  .example = example,
  .create = lorenz_create,
  .reverse = lorenz_reverse,
  .largest_step = lorenz_largest_step,
  LAC_MEMBERS_CALLBACKS,
};
