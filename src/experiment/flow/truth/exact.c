/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling of a closed-form solution on a grid. */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_TIMES 25 /* times per family member */

const char *const lac_exact_given[] =
  {[LAC_GIVEN_ALL] = "all", [LAC_GIVEN_NONE] = "none", [LAC_GIVEN_BOUNDARY] = "boundary", NULL};
const char *const lac_exact_given_steady[] =
  {[LAC_GIVEN_ALL] = "all", [LAC_GIVEN_NONE] = "none", NULL};
const char *const lac_exact_given_titles[] = {[LAC_GIVEN_ALL] = N_("Initial and boundary values"),
                                              [LAC_GIVEN_NONE] = N_("None"),
                                              [LAC_GIVEN_BOUNDARY] = N_("Boundary values")};
const char *const lac_exact_given_steady_titles[] =
  {[LAC_GIVEN_ALL] = N_("Boundary values"), [LAC_GIVEN_NONE] = N_("None")};

static const LacExactParams *
get_params(const LacCase *subject)
{
  return subject->params;
}

void
lac_exact_get_sides(const LacCase *subject, gsize *nx, gsize *ny)
{
  const guint    first = lac_case_first_axis(subject);
  const double   width = subject->upper[first] - subject->lower[first];
  const gboolean is_line = lac_case_is_line(subject);
  const double   height = is_line ? 0 : subject->upper[first + 1] - subject->lower[first + 1];
  const double   cell = MAX(width, height) / (double) get_params(subject)->grid;

  *nx = (gsize) MAX(4, round(width / cell));
  *ny = is_line ? 1 : (gsize) MAX(4, round(height / cell));
}

/* ---- conditions ---- */

/* Draws a point inside the domain at a random time. */
static void
draw_place(const LacCase *subject, LacRng *rng, double *x)
{
  for (guint i = 0; i < subject->pde->n_axes; i++)
    x[i] = subject->lower[i] + (subject->upper[i] - subject->lower[i]) * lac_rng_uniform(rng);
}

static void
sample_start(const LacCase *subject, LacRng *rng, double *x, double *values)
{
  draw_place(subject, rng, x);
  x[0] = subject->lower[0];
  subject->exact->solution(subject, x, values);
}

/* Lists the space axes with walls. */
static guint
list_walls(const LacCase *subject, guint *walls)
{
  guint n_walls = 0;

  for (guint i = lac_case_first_axis(subject); i < subject->pde->n_axes; i++)
    if (!subject->periodic[i])
      walls[n_walls++] = i;
  return n_walls;
}

static void
sample_boundary(const LacCase *subject, LacRng *rng, double *x, double *values)
{
  guint       walls[LAC_PDE_MAX_AXES], wall;
  const guint n_walls = list_walls(subject, walls);

  draw_place(subject, rng, x);
  wall = walls[(guint) (n_walls * lac_rng_uniform(rng))];
  x[wall] = lac_rng_uniform(rng) < 0.5 ? subject->lower[wall] : subject->upper[wall];
  subject->exact->solution(subject, x, values);
}

static void
set_conditions(LacCase *subject)
{
  const guint  given = subject->exact->given_fields;
  const gint64 reported = get_params(subject)->given;
  guint        walls[LAC_PDE_MAX_AXES];

  if (reported == LAC_GIVEN_ALL)
    subject->hard = subject->exact->hard;
  if (reported == LAC_GIVEN_ALL && !subject->steady)
    subject->conditions[subject->n_conditions++] =
      (LacCondition){"initial values", given, subject->hard != NULL, sample_start};
  if (reported != LAC_GIVEN_NONE && list_walls(subject, walls) > 0)
    subject->conditions[subject->n_conditions++] =
      (LacCondition){"boundary", given, subject->hard != NULL, sample_boundary};
}

/* ---- the case ---- */

void
lac_exact_configure(const LacExactScene *scene, LacCase *subject)
{
  gsize nx, ny;

  subject->exact = scene;
  if (!subject->steady)
    subject->upper[0] = get_params(subject)->duration;
  lac_exact_get_sides(subject, &nx, &ny);
  subject->n_points = nx * ny;
  subject->n_times = subject->steady ? 1 : (gsize) get_params(subject)->times;
  subject->view_fields = (1u << subject->n_fields) - 1;
  set_conditions(subject);
}

void
lac_exact_set_solver(LacCase    *subject,
                     const char *name,
                     gsize       steps_between,
                     const int  *coefficients)
{
  const guint  first = lac_case_first_axis(subject);
  const double interval = subject->upper[0] / (double) (subject->n_times - 1);

  subject->solver = lac_solver_find(name);
  lac_exact_get_sides(subject, &subject->model.nx, &subject->model.ny);
  for (guint i = 0; i < 2; i++)
    subject->model.length[i] =
      first + i < subject->pde->n_axes ? subject->upper[first + i] - subject->lower[first + i] : 1;
  subject->model.time_step = interval / (double) steps_between;
  subject->steps_between = steps_between;
  for (guint i = 0; i < subject->solver->n_parameters; i++) {
    subject->parameters[i] = subject->coefficients[coefficients[i]];
    subject->parameter_coefficient[i] = coefficients[i];
  }
  if (get_params(subject)->given == LAC_GIVEN_ALL)
    subject->initial = lac_exact_initial;
}

/* Fills the first @n_fields of one snapshot at time @t. */
static void
fill(const LacCase *subject, const LacTruth *truth, guint n_fields, double t, double *snapshot)
{
  const guint first = lac_case_first_axis(subject);
  const gsize cells = truth->nx * truth->ny;
  double      x[LAC_PDE_MAX_AXES] = {t}, values[LAC_PDE_MAX_FIELDS] = {0};

  for (gsize i = 0; i < cells; i++) {
    x[first] = lac_truth_get_x(truth, i % truth->nx);
    if (truth->ny > 1)
      x[first + 1] = lac_truth_get_y(truth, i / truth->nx);
    subject->exact->solution(subject, x, values);
    for (guint f = 0; f < n_fields; f++)
      snapshot[f * cells + i] = values[f];
  }
}

void
lac_exact_initial(const LacCase *subject, double *state)
{
  const guint         n_fields = subject->solver->n_fields;
  const gsize         nx = subject->model.nx, ny = subject->model.ny;
  g_autoptr(LacTruth) grid = lac_truth_new(n_fields, subject->pde->fields, nx, ny, 0, 1);

  lac_case_place_grid(subject, grid);
  fill(subject, grid, n_fields, subject->lower[0], state);
}

/* ---- the truth ---- */

double
lac_exact_family_factor(gsize member, gsize n_family)
{
  const double level = (double) (member / 2 + 1) / (double) ((n_family + 1) / 2);

  return exp2(member % 2 ? level : -level);
}

static gsize
family_times(const LacCase *subject)
{
  return MIN(subject->n_times, MOST_TIMES);
}

static void
fill_training(const LacCase *subject, LacTruth *truth, gsize n_family)
{
  const gsize n_times = family_times(subject), n = lac_truth_get_length(truth);

  for (gsize member = 0; member < n_family; member++) {
    LacCase relative = *subject;

    relative.coefficients[subject->exact->family_coefficient] *=
      lac_exact_family_factor(member, n_family);
    for (gsize k = 0; k < n_times; k++) {
      const double share = n_times > 1 ? (double) k / (double) (n_times - 1) : 0;

      fill(&relative, truth, truth->n_fields, share * subject->upper[0],
           truth->training + (member * n_times + k) * n);
    }
  }
}

LacTruth *
lac_exact_truth(gconstpointer     params,
                const LacCase    *subject,
                const LacContext *context,
                GError          **error)
{
  const gsize         n_family = (gsize) ((const LacExactParams *) params)->family;
  gsize               nx, ny;
  g_autoptr(LacTruth) truth = NULL;

  lac_exact_get_sides(subject, &nx, &ny);
  truth = lac_truth_new(subject->n_fields, subject->pde->fields, nx, ny,
                        n_family * family_times(subject), subject->n_times);
  lac_case_place_grid(subject, truth);
  for (gsize k = 0; k < truth->n_times; k++) {
    if (lac_context_is_cancelled(context, error))
      return NULL;
    fill(subject, truth, truth->n_fields, truth->times[k],
         truth->observed + k * lac_truth_get_length(truth));
  }
  fill_training(subject, truth, n_family);
  truth->training_run = family_times(subject);
  if (truth->training_run > 1)
    truth->training_interval = subject->upper[0] / (double) (truth->training_run - 1);
  return g_steal_pointer(&truth);
}

/* About 100 ns per value on the reference machine: a few exponentials and waves. */
void
lac_exact_estimate(const LacCase *subject, double *seconds, double *bytes)
{
  const gsize n_snapshots =
    subject->n_times + (gsize) get_params(subject)->family * family_times(subject);
  const double n_values = (double) (subject->n_points * subject->n_fields * n_snapshots);

  *seconds = 1e-7 * n_values;
  *bytes = 8 * n_values * 1.6;
}

void
lac_exact_of_equation(const LacCase *subject, LacNode x, LacNode *fields)
{
  subject->pde->exact(subject->pde, x, subject->coefficients, fields);
}
