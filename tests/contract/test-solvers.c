/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every solver of the registry, on its own example: order, conserved quantities, bitwise reproducibility for any
 * threads and batch, no allocation, adjoint. Every registered solver is tested. */
#include "base/rng.h"
#include "helpers/counting-malloc.h"
#include "solver/helpers/adjoint.h"
#include "solver/solver.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define MEMBERS 4

/* A solver at its example, with @refinement steps instead of one. */
typedef struct {
  const LacSolver *row;
  Place            place;
  gpointer         solver;
  gsize            length;
  double           parameters[LAC_SOLVER_MAX_PARAMETERS];
  double          *state;
} Case;

static void
case_init(Case *at, const LacSolver *row, guint n_threads, guint refinement)
{
  g_autoptr(GError) error = NULL;

  memset(at, 0, sizeof *at);
  at->row = row;
  place_init(&at->place, "cpu", n_threads, 0);
  at->place.settings.n_members = MEMBERS;
  at->place.settings.is_reversed = row->reverse != NULL;
  row->example(&at->place.settings, at->parameters, NULL);
  at->length = place_get_length(&at->place, row);
  at->state = g_new0(double, at->length);
  row->example(&at->place.settings, at->parameters, at->state);
  at->place.settings.time_step /= refinement;
  at->solver = row->create(row, &at->place.settings, &error);
  g_assert_no_error(error);
}

static void
case_clear(Case *at)
{
  at->row->destroy(at->solver);
  g_free(at->state);
  place_clear(&at->place);
}

static void
advance(Case *at, double *states, gsize n_members, const double *parameters, gsize n_steps)
{
  g_autoptr(GError) error = NULL;

  at->row->advance(at->solver, states, n_members, parameters, n_steps, &error);
  g_assert_no_error(error);
}

static void
test_row(gconstpointer data)
{
  const LacSolver *row = data;
  Case             at;

  g_assert_true(row->name && row->formula && *row->formula && row->source && *row->source);
  g_assert_true(row->example && row->create && row->destroy && row->advance);
  g_assert_true(row->largest_step && row->bytes && row->flops);
  g_assert_cmpuint(row->n_axes, >=, 1);
  g_assert_cmpuint(row->n_axes, <=, 2);
  g_assert_cmpuint(row->n_fields, >=, 1);
  g_assert_cmpuint(row->n_fields, <=, LAC_SOLVER_MAX_FIELDS);
  for (guint i = 0; i < row->n_fields; i++)
    g_assert_nonnull(row->fields[i]);
  g_assert_cmpuint(row->n_parameters, <=, LAC_SOLVER_MAX_PARAMETERS);
  for (guint i = 0; i < row->n_parameters; i++)
    g_assert_nonnull(row->parameters[i]);
  g_assert_cmpuint(row->n_constants, <=, LAC_SOLVER_MAX_CONSTANTS);
  for (guint i = 0; i < row->n_constants; i++)
    g_assert_nonnull(row->constants[i]);
  case_init(&at, row, 2, 1);
  g_assert_cmpuint(row->bytes(at.solver), >, 0);
  g_assert_cmpfloat(row->flops(at.solver), >, 0);
  /* the example is a realistic one */
  g_assert_cmpfloat(row->largest_step(at.solver, at.state, at.parameters), >=,
                    at.place.settings.time_step);
  case_clear(&at);
}

static double
distance(const double *a, const double *b, gsize n)
{
  double sum = 0, size = 0;

  for (gsize i = 0; i < n; i++) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return sqrt(sum / size);
}

/* The same time in 1, 2 and 4 times as many steps: the differences decrease by 2^order. */
static void
test_order(gconstpointer data)
{
  const LacSolver *row = data;
  double          *ends[3], coarse, fine;
  gsize            length = 0;

  for (guint i = 0; i < 3; i++) {
    Case at;

    case_init(&at, row, 1, 1u << i);
    length = at.length;
    ends[i] = g_memdup2(at.state, length * sizeof *at.state);
    advance(&at, ends[i], 1, at.parameters, 8u << i);
    g_assert_cmpfloat(distance(ends[i], at.state, length), >, 1e-3); /* the state has changed */
    case_clear(&at);
  }
  coarse = distance(ends[0], ends[1], length);
  fine = distance(ends[1], ends[2], length);
  for (guint i = 0; i < 3; i++)
    g_free(ends[i]);
  g_test_message("%s: %g, then %g: order %.3f", row->name, coarse, fine, log2(coarse / fine));
  if (row->order == 0) {
    /* 32 multiplications instead of 8, each rounded */
    g_assert_cmpfloat(coarse, <, 64 * DBL_EPSILON);
    g_assert_cmpfloat(fine, <, 64 * DBL_EPSILON);
  } else {
    /* the next error term is half of this one's share at these steps, hence 0.2 */
    g_assert_cmpfloat(fine, >, 1e-13);
    g_assert_cmpfloat_with_epsilon(log2(coarse / fine), row->order, 0.2);
  }
}

/* Drift of an invariant over the same time, with @refinement steps instead of one. */
static double
drift(const LacSolver *row, const LacInvariant *invariant, guint refinement)
{
  Case               at;
  double             zero[LAC_SOLVER_MAX_PARAMETERS] = {0}, before, after, size;
  g_autofree double *state = NULL;

  case_init(&at, row, 1, refinement);
  state = g_memdup2(at.state, at.length * sizeof *state);
  advance(&at, state, 1, zero, 0); /* drops modes the grid cannot represent */
  before = invariant->value(at.solver, state);
  advance(&at, state, 1, invariant->is_ideal ? zero : at.parameters, 16 * refinement);
  after = invariant->value(at.solver, state);
  size = MAX(fabs(before), 1);
  case_clear(&at);
  return fabs(after - before) / size;
}

static void
test_invariants(gconstpointer data)
{
  const LacSolver *row = data;

  for (gsize i = 0; i < row->n_invariants; i++) {
    const double coarse = drift(row, &row->invariants[i], 1);
    const double fine = drift(row, &row->invariants[i], 2);

    g_test_message("%s: %s drifts by %g, then %g", row->name, row->invariants[i].name, coarse,
                   fine);
    g_assert_cmpfloat(coarse, <, 1e-3);
    /* conserved to rounding, or to the order of the time stepping */
    if (coarse > 1e-12)
      g_assert_cmpfloat(fine, <, 1.3 * coarse / pow(2, row->order));
  }
}

/* Fills different members, each with its own parameters. */
static void
fill_members(const Case *at, double *states, double *parameters)
{
  const guint n = at->row->n_parameters;

  for (gsize m = 0; m < MEMBERS; m++) {
    for (gsize i = 0; i < at->length; i++)
      states[m * at->length + i] = at->state[i] * (1 + 0.01 * (double) m);
    for (guint p = 0; p < n; p++)
      parameters[m * n + p] = at->parameters[p] * (1 + 0.1 * (double) m);
  }
}

static void
test_bits(gconstpointer data)
{
  const LacSolver   *row = data;
  g_autofree double *first = NULL;

  for (guint n_threads = 1; n_threads <= 3; n_threads++) {
    Case               at;
    g_autofree double *states = NULL;
    double             parameters[MEMBERS * LAC_SOLVER_MAX_PARAMETERS];

    case_init(&at, row, n_threads, 1);
    states = g_new(double, MEMBERS *at.length);
    fill_members(&at, states, parameters);
    advance(&at, states, MEMBERS, parameters, 5);
    if (!first)
      first = g_memdup2(states, MEMBERS * at.length * sizeof *states);
    g_assert_cmpmem(first, MEMBERS * at.length * sizeof *first, states,
                    MEMBERS * at.length * sizeof *states);
    fill_members(&at, states, parameters);
    for (gsize m = MEMBERS; m-- > 0;)
      advance(&at, states + m * at.length, 1, parameters + m * row->n_parameters, 5);
    g_assert_cmpmem(first, MEMBERS * at.length * sizeof *first, states,
                    MEMBERS * at.length * sizeof *states);
    case_clear(&at);
  }
}

static void
test_allocation(gconstpointer data)
{
  const LacSolver   *row = data;
  Case               at;
  g_autofree double *states = NULL, *bar = NULL;
  double parameters[MEMBERS * LAC_SOLVER_MAX_PARAMETERS], bars[LAC_SOLVER_MAX_PARAMETERS] = {0};
  g_autoptr(GError) error = NULL;
  guint             before = 0;

  /* one thread: a transform's short-lived buffers stay in its thread's cache and count as in use from the first on */
  case_init(&at, row, 1, 1);
  states = g_new(double, MEMBERS *at.length);
  bar = g_memdup2(at.state, at.length * sizeof *bar);
  for (guint i = 0; i < 3; i++) {
    if (i == 1)
      before = count_allocations();
    fill_members(&at, states, parameters);
    parameters[0] *= 1 + 0.1 * i; /* different values and weights */
    advance(&at, states, MEMBERS, parameters, 3);
    if (row->reverse) {
      row->reverse(at.solver, at.state, parameters, 3, bar, bars, &error);
      g_assert_no_error(error);
    }
  }
  g_assert_cmpuint(count_allocations(), ==, before);
  case_clear(&at);
}

static void
test_transpose(gconstpointer data)
{
  const LacSolver *row = data;
  Case             at;

  case_init(&at, row, 1, 1);
  adjoint_check(row, &at.place, at.state, at.parameters, 4);
  case_clear(&at);
}

/* The adjoint over n steps equals that over the later ones, then over the earlier ones. */
static void
test_composition(gconstpointer data)
{
  const LacSolver   *row = data;
  Case               at;
  g_autofree double *whole = NULL, *parts = NULL, *middle = NULL;
  g_autoptr(GError)  error = NULL;

  case_init(&at, row, 1, 1);
  whole = g_new(double, at.length);
  parts = g_new(double, at.length);
  middle = g_new(double, at.length);
  for (gsize n_steps = 1; n_steps <= 40; n_steps++) {
    const gsize n_first = n_steps / 3;
    double      bars[2][LAC_SOLVER_MAX_PARAMETERS] = {{0}, {0}};

    for (gsize i = 0; i < at.length; i++)
      whole[i] = parts[i] = sin((double) i);
    memcpy(middle, at.state, at.length * sizeof *middle);
    advance(&at, middle, 1, at.parameters, n_first);
    row->reverse(at.solver, at.state, at.parameters, n_steps, whole, bars[0], &error);
    g_assert_no_error(error);
    row->reverse(at.solver, middle, at.parameters, n_steps - n_first, parts, bars[1], &error);
    g_assert_no_error(error);
    row->reverse(at.solver, at.state, at.parameters, n_first, parts, bars[1], &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(distance(whole, parts, at.length), <, 1e-11);
    for (guint p = 0; p < row->n_parameters; p++)
      g_assert_cmpfloat_with_epsilon(bars[0][p], bars[1][p], 1e-11 * (1 + fabs(bars[0][p])));
  }
  case_clear(&at);
}

static void
add(const LacSolver *row, const char *what, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf("/contract/solvers/%s/%s", row->name, what);

  g_test_add_data_func(path, row, func);
}

int
main(int argc, char **argv)
{
  gsize                   n_solvers;
  const LacSolver *const *solvers = lac_solvers(&n_solvers);

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < n_solvers; i++) {
    add(solvers[i], "row-makes-sense", test_row);
    add(solvers[i], "time-steps-have-their-order", test_order);
    add(solvers[i], "keeps-what-it-says", test_invariants);
    add(solvers[i], "same-bits-for-any-threads-and-company", test_bits);
    add(solvers[i], "steps-do-not-allocate", test_allocation);
    if (solvers[i]->reverse) {
      add(solvers[i], "way-back-is-the-transpose", test_transpose);
      add(solvers[i], "way-back-composes", test_composition);
    }
  }
  return g_test_run();
}
