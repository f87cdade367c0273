/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoints against finite differences of order ten. */
#include "adjoint.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#define STRIDE 0.02

typedef struct {
  const LacSolver *solver;
  gpointer         flow;
  gsize            length, n_parameters, n_steps;
  const double    *state, *parameters;
  double          *direction; /* direction of the state, then of the parameters */
} Way;

void
place_init(Place *place, const char *backend, guint n_threads, gsize side)
{
  g_autoptr(GError) error = NULL;

  lac_device_open(&place->device, backend, &error);
  g_assert_no_error(error);
  place->pool = lac_pool_new(n_threads);
  place->settings = (LacSolverSettings){
    .device = place->device,
    .pool = place->pool,
    .type = LAC_F64,
    .nx = side,
    .ny = side,
    .length = {2 * G_PI, 2 * G_PI},
    .time_step = 0.02,
    .n_members = 4,
    .is_reversed = TRUE,
  };
}

void
place_clear(Place *place)
{
  lac_pool_free(place->pool);
  lac_device_close(&place->device);
}

gsize
place_get_length(const Place *place, const LacSolver *solver)
{
  return solver->n_fields * place->settings.nx * place->settings.ny;
}

/* f(+h) - f(-h) along the direction. */
static void
difference(const Way *way, double h, double *out)
{
  g_autofree double *sides = g_new(double, 2 * way->length);
  g_autoptr(GError)  error = NULL;
  double             parameters[2 * LAC_SOLVER_MAX_PARAMETERS];

  for (gsize i = 0; i < way->length; i++) {
    sides[i] = way->state[i] + h * way->direction[i];
    sides[way->length + i] = way->state[i] - h * way->direction[i];
  }
  for (gsize i = 0; i < way->n_parameters; i++) {
    parameters[i] = way->parameters[i] + h * way->direction[way->length + i];
    parameters[way->n_parameters + i] = way->parameters[i] - h * way->direction[way->length + i];
  }
  way->solver->advance(way->flow, sides, 2, parameters, way->n_steps, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < way->length; i++)
    out[i] = sides[i] - sides[way->length + i];
}

/* Central difference of order ten: with h = STRIDE and directions of magnitude 1 its truncation error is below
 * 1e-13. */
static void
differentiate(const Way *way, double *out)
{
  static const double weights[5] = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
  g_autofree double  *term = g_new(double, way->length);
  const double        h = STRIDE;

  memset(out, 0, way->length * sizeof *out);
  for (gsize k = 0; k < 5; k++) {
    difference(way, (double) (k + 1) * h, term);
    for (gsize i = 0; i < way->length; i++)
      out[i] += weights[k] * term[i] / h;
  }
}

static void
compare(const Way *way, const double *y, const char *what)
{
  g_autofree double *tangent = g_new(double, way->length);
  g_autofree double *bar = g_memdup2(y, way->length * sizeof *y);
  g_autoptr(GError)  error = NULL;
  double             parameters_bar[LAC_SOLVER_MAX_PARAMETERS] = {0};
  double             forwards = 0, backwards = 0, size = 0, rounding = 0;

  differentiate(way, tangent);
  way->solver->reverse(way->flow, way->state, way->parameters, way->n_steps, bar, parameters_bar,
                       &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < way->length; i++) {
    forwards += tangent[i] * y[i];
    size += fabs(tangent[i] * y[i]);
    rounding += DBL_EPSILON * fabs(way->state[i] * y[i]) / STRIDE;
    backwards += bar[i] * way->direction[i];
  }
  for (gsize i = 0; i < way->n_parameters; i++)
    backwards += parameters_bar[i] * way->direction[way->length + i];
  g_test_message("by %s: forwards %.15g, backwards %.15g", what, forwards, backwards);
  g_assert_cmpfloat(size, >, 0);
  /* 1e-12, plus the rounding of a difference of states if the derivative is much smaller than the state */
  g_assert_cmpfloat(fabs(forwards - backwards), <, 1e-12 * size + rounding);
}

void
adjoint_check(const LacSolver *solver,
              const Place     *place,
              const double    *state,
              const double    *parameters,
              gsize            n_steps)
{
  const gsize        length = place_get_length(place, solver);
  g_autofree double *direction = g_new0(double, length + solver->n_parameters);
  g_autofree double *y = g_new(double, length);
  g_autoptr(GError)  error = NULL;
  LacRng             rng = lac_rng(3, 1);
  Way                way = {
                   .solver = solver,
                   .length = length,
                   .n_parameters = solver->n_parameters,
                   .n_steps = n_steps,
                   .state = state,
                   .parameters = parameters,
                   .direction = direction,
  };

  way.flow = solver->create(solver, &place->settings, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < length; i++) {
    direction[i] = lac_rng_normal(&rng);
    y[i] = lac_rng_normal(&rng);
  }
  compare(&way, y, "the state");
  memset(direction, 0, length * sizeof *direction);
  for (gsize i = 0; i < solver->n_parameters; i++) {
    direction[length + i] = parameters[i];
    compare(&way, y, solver->parameters[i]);
    direction[length + i] = 0;
  }
  solver->destroy(way.flow);
}
