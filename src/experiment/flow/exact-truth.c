/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A solution in closed form on a grid. */
#include "experiment/flow/exact-truth.h"

#include "experiment/flow/simulated-truth.h"

#include <math.h>

#define MOST_TIMES 25 /* of one member of the family */

const char *const lac_exact_given[] =
  {[LAC_GIVEN_ALL] = "all", [LAC_GIVEN_NONE] = "none", [LAC_GIVEN_BOUNDARY] = "boundary", NULL};
const char *const lac_exact_given_steady[] =
  {[LAC_GIVEN_ALL] = "all", [LAC_GIVEN_NONE] = "none", NULL};

void
lac_exact_get_sides(const LacExactParams *params, const LacCase *subject, gsize *nx, gsize *ny)
{
  const guint    first = lac_case_first_axis(subject);
  const double   width = subject->upper[first] - subject->lower[first];
  const gboolean is_line = lac_case_is_line(subject);
  const double   height = is_line ? 0 : subject->upper[first + 1] - subject->lower[first + 1];
  const double   cell = MAX(width, height) / (double) params->grid;

  *nx = (gsize) MAX(4, round(width / cell));
  *ny = is_line ? 1 : (gsize) MAX(4, round(height / cell));
}

static void
add_condition(LacCase *subject, const LacCondition *condition)
{
  g_assert(subject->n_conditions < LAC_CASE_MAX_CONDITIONS);
  if (condition->sample)
    subject->conditions[subject->n_conditions++] = *condition;
}

void
lac_exact_configure(const LacExactScene *scene, const LacExactParams *params, LacCase *subject)
{
  gsize nx, ny;

  lac_exact_get_sides(params, subject, &nx, &ny);
  subject->n_points = nx * ny;
  subject->n_times = subject->steady ? 1 : (gsize) params->times;
  if (params->given == LAC_GIVEN_ALL && !subject->steady)
    add_condition(subject, &(LacCondition){"initial values", scene->given_fields,
                                           scene->has_hard_start, scene->sample_start});
  if (params->given != LAC_GIVEN_NONE)
    add_condition(subject, &(LacCondition){"boundary", scene->given_fields,
                                           scene->has_hard_boundary, scene->sample_boundary});
}

void
lac_exact_set_solver(LacCase              *subject,
                     const LacExactParams *params,
                     const char           *name,
                     gsize                 steps_between,
                     const int            *coefficients)
{
  const guint  first = lac_case_first_axis(subject);
  const double interval = subject->upper[0] / (double) (params->times - 1);

  subject->solver = lac_solver_find(name);
  lac_exact_get_sides(params, subject, &subject->model.nx, &subject->model.ny);
  for (guint i = 0; i < 2; i++)
    subject->model.length[i] =
      first + i < subject->pde->n_axes ? subject->upper[first + i] - subject->lower[first + i] : 1;
  subject->model.time_step = interval / (double) steps_between;
  subject->steps_between = steps_between;
  for (guint i = 0; i < subject->solver->n_parameters; i++) {
    subject->parameters[i] = subject->coefficients[coefficients[i]];
    subject->parameter_coefficient[i] = coefficients[i];
  }
}

/* One snapshot at time @t. */
static void
fill(const LacExactScene *scene,
     const LacCase       *subject,
     const LacTruth      *truth,
     double               t,
     double              *snapshot)
{
  const guint first = lac_case_first_axis(subject);
  const gsize cells = truth->nx * truth->ny;
  double      x[LAC_PDE_MAX_AXES] = {t}, values[LAC_PDE_MAX_FIELDS] = {0};

  for (gsize i = 0; i < cells; i++) {
    x[first] = lac_truth_get_x(truth, i % truth->nx);
    if (truth->ny > 1)
      x[first + 1] = lac_truth_get_y(truth, i / truth->nx);
    scene->solution(subject, x, values);
    for (guint f = 0; f < scene->n_fields; f++)
      snapshot[f * cells + i] = values[f];
  }
}

void
lac_exact_initial(const LacExactScene *scene, const LacCase *subject, double *state)
{
  const guint         first = lac_case_first_axis(subject);
  const guint         n_fields = subject->solver->n_fields;
  const gsize         nx = subject->model.nx, ny = subject->model.ny;
  g_autoptr(LacTruth) grid = lac_truth_new(n_fields, subject->pde->fields, nx, ny, 0, 1);
  LacExactScene       moved = *scene;

  g_return_if_fail(first == 1);
  moved.n_fields = n_fields;
  lac_case_place_grid(subject, grid);
  fill(&moved, subject, grid, subject->lower[0], state);
}

static gsize
family_times(const LacCase *subject)
{
  return MIN(subject->n_times, MOST_TIMES);
}

static void
fill_training(const LacExactScene *scene, const LacCase *subject, LacTruth *truth, gsize n_family)
{
  const gsize n_times = family_times(subject), n = lac_truth_get_length(truth);

  for (gsize member = 0; member < n_family; member++) {
    LacCase relative = *subject;

    relative.coefficients[scene->family_coefficient] *= lac_family_factor(member, n_family);
    for (gsize k = 0; k < n_times; k++) {
      const double share = n_times > 1 ? (double) k / (double) (n_times - 1) : 0;

      fill(scene, &relative, truth, share * subject->upper[0],
           truth->training + (member * n_times + k) * n);
    }
  }
}

LacTruth *
lac_exact_truth_new(const LacExactScene  *scene,
                    const LacExactParams *params,
                    const LacCase        *subject,
                    const LacContext     *context,
                    GError              **error)
{
  const gsize         n_family = (gsize) params->family;
  gsize               nx, ny;
  g_autoptr(LacTruth) truth = NULL;

  lac_exact_get_sides(params, subject, &nx, &ny);
  truth = lac_truth_new(scene->n_fields, subject->pde->fields, nx, ny,
                        n_family * family_times(subject), subject->n_times);
  lac_case_place_grid(subject, truth);
  for (gsize k = 0; k < truth->n_times; k++) {
    if (lac_context_is_cancelled(context, error))
      return NULL;
    fill(scene, subject, truth, truth->times[k], truth->observed + k * lac_truth_get_length(truth));
  }
  fill_training(scene, subject, truth, n_family);
  truth->training_run = family_times(subject);
  if (truth->training_run > 1)
    truth->training_interval = subject->upper[0] / (double) (truth->training_run - 1);
  return g_steal_pointer(&truth);
}

/* Some 100 ns a value on the reference machine: a few exponentials and waves. */
void
lac_exact_estimate(const LacExactParams *params,
                   guint                 n_axes,
                   guint                 n_fields,
                   double               *seconds,
                   double               *bytes)
{
  const double points = pow((double) params->grid, n_axes);
  const double n_times = (double) MAX(1, params->times);
  const double n_snapshots = n_times + (double) params->family * MIN(n_times, MOST_TIMES);

  *seconds = 1e-7 * points * n_fields * n_snapshots;
  *bytes = 8 * points * n_fields * n_snapshots * 1.6;
}

void
lac_exact_sample_start(const LacCase *subject, LacRng *rng, double *x)
{
  for (guint i = 0; i < subject->pde->n_axes; i++)
    x[i] = subject->lower[i] + (subject->upper[i] - subject->lower[i]) * lac_rng_uniform(rng);
  x[0] = subject->lower[0];
}

void
lac_exact_sample_boundary(const LacCase *subject, LacRng *rng, double *x)
{
  guint walls[LAC_PDE_MAX_AXES], n_walls = 0, wall;

  for (guint i = lac_case_first_axis(subject); i < subject->pde->n_axes; i++)
    if (!subject->periodic[i])
      walls[n_walls++] = i;
  g_assert(n_walls > 0);
  for (guint i = 0; i < subject->pde->n_axes; i++)
    x[i] = subject->lower[i] + (subject->upper[i] - subject->lower[i]) * lac_rng_uniform(rng);
  wall = walls[(guint) (n_walls * lac_rng_uniform(rng))];
  x[wall] = lac_rng_uniform(rng) < 0.5 ? subject->lower[wall] : subject->upper[wall];
}

void
lac_exact_of_equation(const LacCase *subject, LacNode x, LacNode *fields)
{
  subject->pde->exact(subject->pde, x, subject->coefficients, fields);
}
