/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady lid-driven cavity: without measurements, the flow follows from the wall conditions. The truth comes from the
 * lattice Boltzmann solver, or from an external file. Source: Ghia, Ghia, Shin (1982), J. Comput. Phys. 48, 387. */
#include "solver/lattice/cavity.h"

#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scene.h"
#include "experiment/flow/truth/point.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { X, Y };
enum { U, V, P };
enum { VISCOSITY };

typedef enum { LID_ROUND, LID_EVEN } Lid;

static const char *const lids[] = {[LID_ROUND] = "round", [LID_EVEN] = "even", NULL};
static const char *const lid_titles[] =
  {[LID_ROUND] = N_("Smooth at the corners"), [LID_EVEN] = N_("Uniform")};

typedef struct {
  double      reynolds;
  gint64      lid, grid;
  const char *reference;
  gint64      viscosity_unknown;
  double      viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 3200, 100, N_("Reynolds number"), N_("Scene"), N_("1 / viscosity, based on the box side and the lid's maximum speed")},
  {LAC_FIELD(Params, lid), LAC_PARAM_CHOICE, "1", 0, 0, LID_ROUND, N_("Lid speed"), N_("Scene"), N_("Smooth: 4 x (1 - x), 0 at the upper corners; uniform: 1, discontinuous there"), .choices = lids, .titles = lid_titles},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 512, 80, N_("Grid points per side"), N_("Scene"), N_("Resolution of the truth; high Reynolds numbers need more")},
  {LAC_FIELD(Params, reference), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Truth from a file"), N_("Scene"), N_("Table with x, y, u, v, p on [0, 1]² for this Reynolds number and lid; otherwise computed"), .file_type = "measurements"},
  {LAC_FIELD(Params, viscosity_unknown), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Viscosity unknown"), N_("Unknowns"), N_("Estimated together with the flow; needs sensors")},
  LAC_SCENE_GUESS_ROW(Params, viscosity, 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "0"},
                                      {"adam_steps", "500"},
                                      {"quasi_steps", "1500"},
                                      {NULL, NULL}};

static double
lid_speed(const Params *params, double x)
{
  return params->lid == LID_ROUND ? 4 * x * (1 - x) : 1;
}

/* Samples the three walls at rest. */
static void
sample_walls(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  const double along = lac_rng_uniform(rng);
  const guint  side = (guint) (3 * lac_rng_uniform(rng));

  x[X] = side == 0 ? along : side - 1.0;
  x[Y] = side == 0 ? 0 : along;
  values[U] = values[V] = 0;
}

static void
sample_lid(const LacCase *subject, LacRng *rng, double *x, double *values)
{
  x[X] = lac_rng_uniform(rng);
  x[Y] = 1;
  values[U] = lid_speed(subject->params, x[X]);
  values[V] = 0;
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;
  const gsize   n = (gsize) params->grid;

  subject->pde = lac_pde_find("navier-stokes-2d-steady");
  subject->steady = TRUE;
  subject->upper[X] = subject->upper[Y] = 1;
  lac_case_set_sought(subject, VISCOSITY, 1 / params->reynolds, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  subject->n_conditions = 2;
  subject->conditions[0] =
    (LacCondition){.name = N_("walls"), .fields = 1u << U | 1u << V, .sample = sample_walls};
  subject->conditions[1] =
    (LacCondition){.name = N_("lid"), .fields = 1u << U | 1u << V, .sample = sample_lid};
  subject->n_points = n * n;
  subject->n_times = 1;
  subject->view_fields = 1u << U | 1u << V | 1u << P;
  subject->gauged = 1u << P;
}

static gboolean
compute(const Params *params, const LacContext *context, LacTruth *truth, GError **error)
{
  const gsize             n = (gsize) params->grid;
  g_autofree double      *lid = g_new(double, n);
  const LacCavitySettings settings = {
    .pool = context->pool,
    .n = n,
    .reynolds = params->reynolds,
    .lid = lid,
    .cancelled = context->cancelled,
    .user_data = context->user_data,
  };

  for (gsize i = 0; i < n; i++)
    lid[i] = lid_speed(params, ((double) i + 0.5) / (double) n);
  if (context->progress)
    context->progress(0, _("computing the steady true flow"), context->user_data);
  return lac_cavity_solve(&settings, truth->observed, error);
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const Params          *params = values;
  const gsize            n = (gsize) params->grid;
  const LacMeasurements *points =
    context->measurements ? g_hash_table_lookup(context->measurements, "reference") : NULL;
  g_autoptr(LacTruth) truth = lac_truth_new(subject->n_fields, subject->pde->fields, n, n, 0, 1);

  for (guint axis = 0; axis < 2; axis++) {
    truth->lower[axis] = 0.5 / (double) n;
    truth->upper[axis] = 1 - 0.5 / (double) n;
  }
  if (points ? lac_point_truth_agrees(values, subject, NULL, points, error) &&
                 lac_point_truth_fill(truth, points, error)
             : compute(params, context, truth, error))
    return g_steal_pointer(&truth);
  return NULL;
}

/* Cells^2 steps at 4e8 cells per second, for about forty crossings of the box. */
static void
estimate(const LacCase *subject, double *seconds, double *bytes)
{
  const Params *params = subject->params;
  const double  n = (double) params->grid;

  *seconds = params->reference ? 0 : 40 * n * n * n / 0.2 / 4e8;
  *bytes = 400 * n * n;
}

const LacScene lac_scene_cavity = {
  .name = "cavity",
  .title = N_("Lid-driven cavity"),
  .summary =
    N_("The flow driven by a sliding lid in a box, from the equations and wall conditions alone"),
  .source = "Ghia, Ghia, Shin (1982), doi:10.1016/0021-9991(82)90058-4",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p",
  .measured = "u,v",
  .methods = "pinn",
  .offered = "pinn",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = make_truth,
  .keeps_truth = TRUE,
  .agrees = lac_point_truth_agrees,
  .estimate = estimate,
};
