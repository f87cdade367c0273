/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slow steady flow through a channel past two discs: viscosity and flow from a few sensors. The channel is that of an
 * external benchmark, whose solution can be read from its file; otherwise the truth is computed by the lattice
 * Boltzmann solver.
 * Source: Hao et al. (2023), PINNacle, arXiv:2306.08827. */
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scene.h"
#include "experiment/flow/truth/point.h"
#include "solver/lattice/lattice-boltzmann.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SIDE    8.0
#define BEYOND  4.0  /* length of the channel beyond the observed part */
#define SPEED   0.03 /* maximum inflow speed in lattice units */
#define LONGEST 4000 /* times in which the inflow travels a length of 1, before giving up */
enum { X, Y };
enum { U, V, P, N_FIELDS };
enum { VISCOSITY };

static const LacHole discs[] = {
  {.centre = {6, 6}, .radius = 1},
  {.centre = {2, 1}, .radius = 0.5},
};

typedef struct {
  double      viscosity;
  gint64      cells;
  const char *reference;
  gint64      viscosity_unknown;
  double      viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 0.1, 10, 1, N_("Viscosity"), N_("Scene"), N_("Based on maximum inflow speed and the larger disc's radius; 1 for the benchmark's file")},
  {LAC_FIELD(Params, cells), LAC_PARAM_INTEGER, "1", 4, 48, 12, N_("Cells per unit length"), N_("Scene"), N_("Resolution of truth and sensor positions; the channel measures 8 × 8")},
  {LAC_FIELD(Params, reference), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Truth from a file"), N_("Scene"), N_("Table with x, y, u, v, p on [0, 8]² for this viscosity; otherwise computed"), .file_type = "measurements"},
  LAC_SCENE_UNKNOWN_ROW(Params, viscosity, N_("Viscosity unknown"), 1),
  LAC_SCENE_GUESS_ROW(Params, viscosity, 2),
};
/* clang-format on */

/* The coefficient lags behind the field: with a still inaccurate network, residuals would be minimised by zero
 * viscosity. */
static const LacDefault defaults[] = {{"sensors", "24"},           {"placement", "stratified"},
                                      {"coefficient_rate", "0.1"}, {"adam_steps", "500"},
                                      {"quasi_steps", "2500"},     {NULL, NULL}};

static gsize
get_side(const Params *params)
{
  return (gsize) (SIDE * (double) params->cells);
}

static double
inflow(double y)
{
  return y * (SIDE - y) / 16;
}

static void
sample_inflow(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  x[X] = 0;
  x[Y] = SIDE * lac_rng_uniform(rng);
  values[U] = inflow(x[Y]);
  values[V] = 0;
}

/* Samples the lower and upper walls and the discs' boundaries in proportion to their lengths. */
static void
sample_walls(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  double place = (2 * SIDE + 2 * G_PI * (discs[0].radius + discs[1].radius)) * lac_rng_uniform(rng);

  values[U] = values[V] = 0;
  if (place < 2 * SIDE) {
    x[X] = fmod(place, SIDE);
    x[Y] = place < SIDE ? 0 : SIDE;
    return;
  }
  place -= 2 * SIDE;
  for (gsize i = 0; i < G_N_ELEMENTS(discs); i++) {
    const double round = 2 * G_PI * discs[i].radius;

    if (place <= round || i + 1 == G_N_ELEMENTS(discs)) {
      x[X] = discs[i].centre[0] + discs[i].radius * cos(place / discs[i].radius);
      x[Y] = discs[i].centre[1] + discs[i].radius * sin(place / discs[i].radius);
      return;
    }
    place -= round;
  }
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("navier-stokes-2d-steady");
  subject->steady = TRUE;
  subject->upper[X] = subject->upper[Y] = SIDE;
  subject->n_holes = G_N_ELEMENTS(discs);
  for (gsize i = 0; i < G_N_ELEMENTS(discs); i++)
    subject->holes[i] = discs[i];
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  subject->n_conditions = 2;
  subject->conditions[0] =
    (LacCondition){.name = N_("inflow"), .fields = 1u << U | 1u << V, .sample = sample_inflow};
  subject->conditions[1] =
    (LacCondition){.name = N_("walls"), .fields = 1u << U | 1u << V, .sample = sample_walls};
  subject->n_points = get_side(params) * get_side(params);
  subject->n_times = 1;
  subject->view_fields = 1u << U | 1u << V | 1u << P;
  subject->gauged = 1u << P;
}

/* Copies the observed part of the channel to u, v and p. */
static void
read_window(const double *moments, gsize nx, LacTruth *truth)
{
  static const gsize plane_of[] = {[U] = 1, [V] = 2, [P] = 0};
  const double       scale[] = {[U] = 1 / SPEED, [V] = 1 / SPEED, [P] = 1 / (3 * SPEED * SPEED)};

  for (gsize f = 0; f < N_FIELDS; f++)
    for (gsize j = 0; j < truth->ny; j++)
      for (gsize i = 0; i < truth->nx; i++)
        truth->observed[(f * truth->ny + j) * truth->nx + i] =
          scale[f] * moments[(plane_of[f] * truth->ny + j) * nx + i];
}

/* Runs the lattice from rest until converged, in a channel longer than the observed part. */
static gboolean
compute(const Params *params, const LacContext *context, LacTruth *truth, GError **error)
{
  const double       unit = (double) params->cells;
  const gsize        ny = truth->ny, nx = truth->nx + (gsize) (BEYOND * unit);
  g_autofree double *stream = g_new0(double, 2 * ny);
  g_autofree double *moments = g_new(double, 3 * nx * ny);
  LacLatticeSettings settings = {
    .pool = context->pool,
    .type = LAC_F64,
    .nx = nx,
    .ny = ny,
    .viscosity = SPEED * unit * params->viscosity,
    .sides = {LAC_LATTICE_WALL, LAC_LATTICE_OUTFLOW, LAC_LATTICE_WALL, LAC_LATTICE_WALL},
    .velocities = {stream, stream},
    .n_discs = G_N_ELEMENTS(discs),
  };
  const LacLatticeRest rest = {
    .speed = SPEED,
    .n_between = (gsize) ceil(unit / SPEED),
    .n_looks = LONGEST,
    .cancelled = context->cancelled,
    .user_data = context->user_data,
  };
  g_autoptr(LacLattice) lattice = NULL;

  for (gsize j = 0; j < ny; j++)
    stream[2 * j] = SPEED * inflow(lac_truth_get_y(truth, j));
  for (gsize i = 0; i < G_N_ELEMENTS(discs); i++)
    settings.discs[i] = (LacLatticeDisc){
      .centre = {discs[i].centre[0] * unit - 0.5, discs[i].centre[1] * unit - 0.5},
      .radius = discs[i].radius * unit,
    };
  if (context->progress)
    context->progress(0, _("computing the steady true flow"), context->user_data);
  lattice = lac_lattice_new(&settings, error);
  if (!lattice || !lac_lattice_converge(lattice, &rest, moments, error))
    return FALSE;
  read_window(moments, nx, truth);
  return TRUE;
}

/* Masks the cells with centres inside the discs. */
static guint8 *
make_mask(const LacTruth *truth)
{
  guint8 *mask = g_new(guint8, truth->nx * truth->ny);

  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    const double x = lac_truth_get_x(truth, i % truth->nx);
    const double y = lac_truth_get_y(truth, i / truth->nx);

    mask[i] = 1;
    for (gsize k = 0; k < G_N_ELEMENTS(discs); k++)
      if (hypot(x - discs[k].centre[0], y - discs[k].centre[1]) < discs[k].radius)
        mask[i] = 0;
  }
  return mask;
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const Params          *params = values;
  const gsize            n = get_side(params);
  const LacMeasurements *points =
    context->measurements ? g_hash_table_lookup(context->measurements, "reference") : NULL;
  g_autoptr(LacTruth) truth = lac_truth_new(subject->n_fields, subject->pde->fields, n, n, 0, 1);

  for (guint axis = 0; axis < 2; axis++) {
    truth->lower[axis] = 0.5 / (double) params->cells;
    truth->upper[axis] = SIDE - 0.5 / (double) params->cells;
  }
  truth->mask = make_mask(truth);
  if (points ? lac_point_truth_agrees(values, subject, NULL, points, error) &&
                 lac_point_truth_fill(truth, points, error)
             : compute(params, context, truth, error))
    return g_steal_pointer(&truth);
  return NULL;
}

/* Cells times steps at 2e8 cells per second, for a viscous diffusion time. */
static void
estimate(const LacCase *subject, double *seconds, double *bytes)
{
  const Params *params = subject->params;
  const double  unit = (double) params->cells, cells = SIDE * (SIDE + BEYOND) * unit * unit;

  *seconds = params->reference ? 0 : cells * (60 + 100 / params->viscosity) * unit / SPEED / 2e8;
  *bytes = 400 * cells;
}

const LacScene lac_scene_obstacles = {
  .name = "obstacles",
  .title = N_("Channel with two discs"),
  .summary = N_("A slow flow around two discs and its viscosity, from a few sensors"),
  .source = "Hao et al. (2023), PINNacle, arXiv:2306.08827",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p",
  .measured = "u,v,p",
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
