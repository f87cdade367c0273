/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cylinder wake with alternating vortex shedding. The truth is computed by the lattice Boltzmann solver; a window
 * behind the cylinder is observed. Lengths in diameters, speeds in units of the inflow: advection is 1 and viscosity
 * 1 / Re.
 * Source: Raissi, Perdikaris, Karniadakis (2019), section 4.1; Williamson (1996), Annu. Rev. Fluid Mech. 28, 477. */
#include "base/error.h"
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scene.h"
#include "experiment/flow/scenes/checks.h"
#include "solver/lattice/lattice-boltzmann.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define BEYOND 6.0 /* diameters from the window to the outflow */
enum { T, X, Y };
enum { U, V, P };
enum { ADVECTION, VISCOSITY, DENSITY };

typedef struct {
  double reynolds, from, to, half_height;
  gint64 snapshots, observations;
  double interval;
  gint64 unknown;
  double viscosity_guess;
  gint64 diameter;
  double upstream, breadth, speed, spin_up;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 50, 180, 100, N_("Reynolds number"), N_("Scene"), N_("Based on inflow and diameter; two-dimensional vortex shedding from 47 to about 190")},
  {LAC_FIELD(Params, from), LAC_PARAM_REAL, "1", -3, 20, 1, N_("Window from"), N_("Scene"), N_("Diameters behind the cylinder's centre; below one half, the cylinder is cut out")},
  {LAC_FIELD(Params, to), LAC_PARAM_REAL, "1", 1, 40, 8, N_("Window to"), N_("Scene"), N_("Diameters behind the cylinder's centre")},
  {LAC_FIELD(Params, half_height), LAC_PARAM_REAL, "1", 0.5, 10, 2, N_("Half-height of the window"), N_("Scene"), N_("Diameters above and below the centre line")},
  LAC_SCENE_SNAPSHOTS_ROW(Params, 250, 0),
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "1", 0.01, 2, 0.2, N_("Time between snapshots"), N_("Scene"), N_("In units of diameter / inflow speed; the shedding period is about six")},
  LAC_SCENE_OBSERVATIONS_ROW(Params, 100),
  {LAC_FIELD(Params, unknown), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Coefficients unknown"), N_("Unknowns"), N_("Estimates the advection, starting from 0, and the viscosity, starting from its initial guess")},
  {LAC_FIELD(Params, viscosity_guess), LAC_PARAM_REAL, "1", 1e-5, 10, 0.05, N_("Initial guess of the viscosity"), N_("Unknowns"), N_("In units of inflow speed × diameter")},
  {LAC_FIELD(Params, diameter), LAC_PARAM_INTEGER, "1", 8, 128, 16, N_("Cells per diameter"), N_("Lattice"), N_("The cost of the truth grows with the cube of this value"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, upstream), LAC_PARAM_REAL, "1", 3, 40, 7, N_("Distance from the inflow"), N_("Lattice"), N_("Diameters to the cylinder's centre"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, breadth), LAC_PARAM_REAL, "1", 6, 80, 12, N_("Width of the channel"), N_("Lattice"), N_("Diameters between the symmetry planes; vortices shed faster in a narrow channel"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, speed), LAC_PARAM_REAL, "1", 0.01, 0.15, 0.06, N_("Inflow speed"), N_("Lattice"), N_("Maximum cells per time step; compressibility error grows with its square, cost with its inverse"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, spin_up), LAC_PARAM_REAL, "1", 0, 1000, 90, N_("Spin-up"), N_("Lattice"), N_("Spin-up time before the first snapshot, in units of diameter / inflow speed"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

/* As many modes as sensors: the pivots weight all modes equally, and wake modes beyond the first few carry little
 * energy. */
static const LacDefault defaults[] = {
  {"sensors", "8"},    {"modes", "8"},        {"depth", "5"},          {"points", "3000"},
  {"refresh", "1000"}, {"adam_steps", "500"}, {"quasi_steps", "6000"}, {"transform", "root"},
  {"noise", "5"},      {NULL, NULL},
};

/* The lattice and the observed window, in cells. */
typedef struct {
  gsize  nx, ny;      /* of the lattice */
  gsize  column, row; /* first cell of the window */
  gsize  n_columns, n_rows;
  double centre[2]; /* of the cylinder */
  gsize  steps_between;
  double speed;
} Layout;

static Layout
lay_out(const Params *params)
{
  const double d = (double) params->diameter;
  Layout       layout = {
          .nx = (gsize) ceil((params->upstream + params->to + BEYOND) * d),
          .ny = (gsize) round(params->breadth * d),
          .n_columns = (gsize) round((params->to - params->from) * d),
          .n_rows = (gsize) round(2 * params->half_height * d),
          .steps_between = (gsize) ceil(params->interval * d / params->speed - 1e-9),
  };

  layout.centre[0] = params->upstream * d - 0.5;
  layout.centre[1] = ((double) layout.ny - 1) / 2;
  layout.column = (gsize) ceil(layout.centre[0] + params->from * d - 1e-9);
  layout.row = (layout.ny - MIN(layout.n_rows, layout.ny)) / 2;
  layout.speed = params->interval * d / (double) layout.steps_between;
  return layout;
}

static double
to_diameters(const Params *params, const Layout *layout, guint axis, gsize cell)
{
  return ((double) cell - layout->centre[axis]) / (double) params->diameter;
}

static gboolean
check_window(const Params *params, GError **error)
{
  if (params->to - params->from < 0.5)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the window must be at least half a diameter long; raise to or lower from");
  else if (params->from < 1 - params->upstream)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "from = %g is less than a diameter behind the inflow; raise it or upstream",
                params->from);
  else if (2 * params->half_height > params->breadth - 1)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a window of half height %g does not fit into a channel of width %g; lower "
                "half_height or raise breadth",
                params->half_height, params->breadth);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  return check_window(params, error) &&
         lac_scene_check_observations(params->observations, params->snapshots, error);
}

/* Samples the cylinder wall (no slip) at random times. */
static void
sample_cylinder(const LacCase *subject, LacRng *rng, double *x, double *values)
{
  const double angle = 2 * G_PI * lac_rng_uniform(rng);

  x[T] = subject->lower[T] + (subject->upper[T] - subject->lower[T]) * lac_rng_uniform(rng);
  x[X] = 0.5 * cos(angle);
  x[Y] = 0.5 * sin(angle);
  values[U] = values[V] = 0;
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;
  const Layout  layout = lay_out(params);

  subject->pde = lac_pde_find("navier-stokes-2d");
  subject->upper[T] = params->interval * (double) (params->observations - 1);
  for (guint axis = 0; axis < 2; axis++) {
    const gsize first = axis == 0 ? layout.column : layout.row;
    const gsize n = axis == 0 ? layout.n_columns : layout.n_rows;

    subject->lower[X + axis] = to_diameters(params, &layout, axis, first);
    subject->upper[X + axis] = to_diameters(params, &layout, axis, first + n - 1);
  }
  subject->coefficients[ADVECTION] = subject->coefficients[DENSITY] = 1;
  subject->coefficients[VISCOSITY] = 1 / params->reynolds;
  subject->unknown[ADVECTION] = subject->unknown[VISCOSITY] = params->unknown != 0;
  subject->positive[VISCOSITY] = TRUE;
  subject->guesses[VISCOSITY] = params->viscosity_guess;
  subject->guesses[DENSITY] = 1;
  if (params->from < 0.5) {
    subject->n_holes = 1;
    subject->holes[0].radius = 0.5;
    subject->n_conditions = 1;
    subject->conditions[0] = (LacCondition){
      .name = N_("cylinder"), .fields = 1u << U | 1u << V, .sample = sample_cylinder};
  }
  subject->n_points = layout.n_columns * layout.n_rows;
  subject->n_times = (gsize) params->observations;
  subject->view_fields = 1u << U | 1u << V | 1u << P;
  subject->gauged = 1u << P;
}

static LacLattice *
make_lattice(const Params *params, const Layout *layout, const LacContext *context, GError **error)
{
  const gsize        n = layout->nx * layout->ny;
  g_autofree double *stream = g_new0(double, 2 * MAX(layout->nx, layout->ny));
  g_autofree double *start = g_new0(double, 3 * n);
  const double       d = (double) params->diameter;
  LacLatticeSettings settings = {
    .pool = context->pool,
    .type =
      LAC_F32, /* stored as deviations from rest: rounding is far below the lattice's own error */
    .nx = layout->nx,
    .ny = layout->ny,
    .viscosity = layout->speed * d / params->reynolds,
    .sides = {LAC_LATTICE_WALL, LAC_LATTICE_OUTFLOW, LAC_LATTICE_SLIP, LAC_LATTICE_SLIP},
    .n_discs = 1,
    .discs = {{.centre = {layout->centre[0], layout->centre[1]}, .radius = d / 2}},
  };
  LacLattice *lattice;

  for (gsize i = 0; i < MAX(layout->nx, layout->ny); i++)
    stream[2 * i] = layout->speed;
  settings.velocities[LAC_LATTICE_LEFT] = settings.velocities[LAC_LATTICE_RIGHT] = stream;
  lattice = lac_lattice_new(&settings, error);
  if (!lattice)
    return NULL;
  /* a wavy initial condition triggers vortex shedding */
  for (gsize i = 0; i < n; i++) {
    const double x = to_diameters(params, layout, 0, i % layout->nx);
    const double y = to_diameters(params, layout, 1, i / layout->nx);

    start[n + i] = layout->speed;
    start[2 * n + i] = 0.3 * layout->speed * sin(x) * exp(-y * y);
  }
  lac_lattice_set(lattice, start);
  return lattice;
}

/* Copies the window of the lattice's moments to u, v and p. Returns: %FALSE with an error if they are not finite. */
static gboolean
read_window(const Layout *layout, const double *moments, double *snapshot, GError **error)
{
  static const gsize plane_of[] = {[U] = 1, [V] = 2, [P] = 0};
  const double       speed = layout->speed;
  const double       scale[] = {[U] = 1 / speed, [V] = 1 / speed, [P] = 1 / (3 * speed * speed)};
  const gsize        n = layout->n_columns * layout->n_rows;

  for (gsize f = 0; f < 3; f++)
    for (gsize j = 0; j < layout->n_rows; j++)
      for (gsize i = 0; i < layout->n_columns; i++) {
        const gsize at = (plane_of[f] * layout->ny + layout->row + j) * layout->nx + layout->column;

        snapshot[f * n + j * layout->n_columns + i] = scale[f] * moments[at + i];
        if (!isfinite(moments[at + i])) {
          g_set_error(error, LAC_ERROR, LAC_ERROR_UNSTABLE,
                      "the true flow diverged: the lattice is too coarse or too fast for this "
                      "reynolds; raise diameter or lower speed");
          return FALSE;
        }
      }
  return TRUE;
}

static gboolean
compute(const Params     *params,
        const Layout     *layout,
        const LacContext *context,
        LacTruth         *truth,
        GError          **error)
{
  const gsize           n_spin_up = (gsize) ceil(params->spin_up / params->interval - 1e-9);
  const gsize           n_all = n_spin_up + truth->n_training + truth->n_times;
  g_autofree double    *moments = g_new(double, 3 * layout->nx * layout->ny);
  g_autoptr(LacLattice) lattice = make_lattice(params, layout, context, error);

  for (gsize i = 0; i < n_all; i++) {
    if (!lattice || lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress((double) i / (double) n_all,
                        i < n_spin_up ? _("the true flow: spin-up") : _("the true flow: snapshots"),
                        context->user_data);
    if (i >= n_spin_up) {
      lac_lattice_get(lattice, moments);
      if (!read_window(layout, moments, lac_truth_get_slot(truth, i - n_spin_up), error))
        return FALSE;
    }
    lac_lattice_advance(lattice, layout->steps_between, NULL);
  }
  return TRUE;
}

/* Masks the cells of the window whose centres are outside the cylinder. */
static guint8 *
make_mask(const Params *params, const Layout *layout)
{
  guint8 *mask = g_new(guint8, layout->n_columns * layout->n_rows);

  for (gsize j = 0; j < layout->n_rows; j++)
    for (gsize i = 0; i < layout->n_columns; i++) {
      const double x = to_diameters(params, layout, 0, layout->column + i);
      const double y = to_diameters(params, layout, 1, layout->row + j);

      mask[j * layout->n_columns + i] = x * x + y * y >= 0.25;
    }
  return mask;
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const Params       *params = values;
  const Layout        layout = lay_out(params);
  g_autoptr(LacTruth) truth =
    lac_truth_new(subject->n_fields, subject->pde->fields, layout.n_columns, layout.n_rows,
                  lac_scene_count_training(params->snapshots), subject->n_times);

  lac_case_place_grid(subject, truth);
  if (subject->n_holes)
    truth->mask = make_mask(params, &layout);
  return compute(params, &layout, context, truth, error) ? g_steal_pointer(&truth) : NULL;
}

/* At the single-precision rate of one thread of the reference machine, with data beyond its cache. */
static void
estimate(const LacCase *subject, double *seconds, double *bytes)
{
  static const double cells_per_second = 4e8;
  const Params       *params = subject->params;
  const Layout        layout = lay_out(params);
  const double        cells = (double) (layout.nx * layout.ny);
  const double        n_kept =
    (double) lac_scene_count_training(params->snapshots) + (double) params->observations;
  const double n_all = params->spin_up / params->interval + n_kept;

  *seconds = n_all * (double) layout.steps_between * cells / cells_per_second;
  *bytes = 24 * (double) (layout.n_columns * layout.n_rows) * n_kept + 100 * cells;
}

const LacScene lac_scene_cylinder = {
  .name = "cylinder",
  .title = N_("Cylinder wake"),
  .summary = N_("Vortices shed by a cylinder and unknown coefficients of the equation, from a few "
                "sensors behind it"),
  .source = "Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045, 4.1",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p",
  .measured = "v",
  .methods = "pod",
  .offered = "pod,pinn,surrogate",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = make_truth,
  .keeps_truth = TRUE,
  .estimate = estimate,
};
