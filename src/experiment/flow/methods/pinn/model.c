/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of the network, its scaling and the residuals. An unknown coefficient is exp(rate raw) times its guess if
 * positive, otherwise guess + rate size raw, with raw in theta: Adam, whose steps have a fixed length, then changes
 * it rate times as fast as a weight. */
#include "experiment/flow/methods/pinn/model.h"

#include <math.h>

static double
get_size(const LacCase *subject, guint i)
{
  return MAX(fabs(subject->guesses[i]), 1);
}

void
lac_pinn_model_init(LacPinnModel *model, const LacCase *subject)
{
  *model = (LacPinnModel){.subject = subject, .residual_scale = 1, .coefficient_rate = 1};
  for (guint i = 0; i < LAC_PDE_MAX_AXES; i++)
    model->scaling[i] = 1;
  for (guint i = 0; i < LAC_PDE_MAX_FIELDS; i++)
    model->size[i] = 1;
}

guint
lac_pinn_model_get_n_unknowns(const LacPinnModel *model)
{
  guint n = 0;

  for (guint i = 0; i < model->subject->pde->n_coefficients; i++)
    n += model->subject->unknown[i] ? 1 : 0;
  return n;
}

/* The embedding of a periodic axis fixes its scale. */
gboolean
lac_pinn_model_learns_axis(const LacPinnModel *model, guint axis)
{
  return model->learns_scaling && !model->subject->periodic[axis];
}

/* Returns the position in theta of the scaling of @axis, or of the network for one axis too many. */
static guint
find_scaling(const LacPinnModel *model, guint axis)
{
  guint at = lac_pinn_model_get_n_unknowns(model);

  for (guint i = 0; i < axis; i++)
    at += lac_pinn_model_learns_axis(model, i) ? 1 : 0;
  return at;
}

guint
lac_pinn_model_get_n_leading(const LacPinnModel *model)
{
  return find_scaling(model, model->subject->pde->n_axes);
}

double
lac_pinn_model_get_scaling(const LacPinnModel *model, const double *theta, guint axis)
{
  return lac_pinn_model_learns_axis(model, axis)
           ? model->scaling[axis] * exp(theta[find_scaling(model, axis)])
           : model->scaling[axis];
}

gsize
lac_pinn_model_get_n_parameters(const LacPinnModel *model)
{
  return lac_network_get_n_parameters(&model->network) + lac_pinn_model_get_n_leading(model);
}

/* Returns the position of the raw value of coefficient @i in theta. */
static gsize
find_unknown(const LacPinnModel *model, guint i)
{
  gsize offset = 0;

  for (guint j = 0; j < i; j++)
    offset += model->subject->unknown[j] ? 1 : 0;
  return offset;
}

void
lac_pinn_model_initialise(const LacPinnModel *model, LacRng *rng, double *theta)
{
  const guint n_leading = lac_pinn_model_get_n_leading(model);

  for (guint i = 0; i < n_leading; i++)
    theta[i] = 0;
  lac_network_initialise(&model->network, rng, theta + n_leading);
}

double
lac_pinn_model_get_coefficient(const LacPinnModel *model, const double *theta, guint i)
{
  const LacCase *subject = model->subject;
  double         raw;

  if (!subject->unknown[i])
    return subject->coefficients[i];
  raw = model->coefficient_rate * theta[find_unknown(model, i)];
  return subject->positive[i] ? subject->guesses[i] * exp(raw)
                              : subject->guesses[i] + get_size(subject, i) * raw;
}

void
lac_pinn_model_set_coefficient(const LacPinnModel *model, double *theta, guint i, double value)
{
  const LacCase *subject = model->subject;
  const double   guess = subject->guesses[i];
  const double   raw =
    subject->positive[i] ? log(value / guess) : (value - guess) / get_size(subject, i);

  g_return_if_fail(subject->unknown[i]);
  theta[find_unknown(model, i)] = raw / model->coefficient_rate;
}

LacPinnTheta
lac_pinn_model_declare(const LacPinnModel *model, LacGraph *graph)
{
  const LacPde *pde = model->subject->pde;
  LacPinnTheta  theta = {0};

  for (guint i = 0; i < pde->n_coefficients; i++)
    if (model->subject->unknown[i])
      theta.unknowns[i] = lac_graph_parameter(graph, pde->coefficients[i], 1, 1);
  for (guint i = 0; i < pde->n_axes; i++) {
    g_autofree char *name = g_strconcat("scaling of ", pde->axes[i], NULL);

    if (lac_pinn_model_learns_axis(model, i))
      theta.stretches[i] = lac_map(lac_graph_parameter(graph, name, 1, 1), LAC_SCALAR_EXP);
  }
  return theta;
}

LacPinnSet
lac_pinn_set_new(const LacPinnModel *model, LacGraph *graph, guint set, gsize n_points)
{
  g_autofree char *x = g_strdup_printf("points %u", set);
  g_autofree char *z = g_strdup_printf("inputs %u", set);
  const guint      n_axes = model->subject->pde->n_axes;

  return (LacPinnSet){
    .model = model,
    .n = n_points,
    .x = lac_graph_points(graph, x, set, n_points, n_axes),
    .z = lac_graph_points(graph, z, set, n_points, n_axes),
  };
}

/* Returns dz/dx along @axis. */
static double
get_slope(const LacPinnModel *model, guint axis)
{
  const LacCase *subject = model->subject;

  return 2 * model->scaling[axis] / (subject->upper[axis] - subject->lower[axis]);
}

void
lac_pinn_set_feed(const LacPinnSet *set, LacProgram *program, const double *x, double *z)
{
  const LacCase *subject = set->model->subject;
  const guint    n_axes = subject->pde->n_axes;

  lac_program_feed(program, set->x, x);
  for (gsize i = 0; i < set->n; i++)
    for (guint j = 0; j < n_axes; j++)
      z[i * n_axes + j] = (x[i * n_axes + j] - (subject->lower[j] + subject->upper[j]) / 2) *
                          get_slope(set->model, j);
  lac_program_feed(program, set->z, z);
}

static LacNode
build_network(const LacPinnModel *model, LacPinnTheta *theta, LacNode z)
{
  LacNetworkParts parts;
  LacNode         output;

  if (theta->declared)
    output = lac_network_build_again(&model->network, z, theta->network, &parts);
  else
    output = lac_network_build(&model->network, z, &parts);
  theta->declared = TRUE;
  theta->network = parts.first;
  if (parts.mask.graph)
    theta->masks[theta->n_masks++] = parts.mask;
  return output;
}

/* Multiplies the inputs by the trained factors. */
static LacNode
stretch(const LacPinnModel *model, const LacPinnTheta *theta, LacNode z)
{
  LacNode columns[LAC_PDE_MAX_AXES];

  if (!model->learns_scaling)
    return z;
  for (guint i = 0; i < model->subject->pde->n_axes; i++) {
    columns[i] = lac_columns(z, i, 1);
    if (theta->stretches[i].graph)
      columns[i] = lac_scale_by(columns[i], theta->stretches[i]);
  }
  return lac_concatenate(columns, model->subject->pde->n_axes);
}

/* Builds the inputs with the sign of the mirror axis reversed. */
static LacNode
reflect(const LacCase *subject, LacNode z)
{
  LacNode columns[LAC_PDE_MAX_AXES];

  for (guint i = 0; i < subject->pde->n_axes; i++) {
    columns[i] = lac_columns(z, i, 1);
    if (i == subject->mirror)
      columns[i] = lac_scale(columns[i], -1);
  }
  return lac_concatenate(columns, subject->pde->n_axes);
}

/* Builds one column per field: the network's output, or the mean of those at the point and at its mirror image. */
static void
build_outputs(const LacPinnModel *model, LacPinnTheta *theta, LacNode z, LacNode *fields)
{
  const LacCase *subject = model->subject;
  LacNode        here = build_network(model, theta, z), there = LAC_NO_NODE;

  if (model->mirrored)
    there = build_network(model, theta, reflect(subject, z));
  for (guint i = 0; i < subject->pde->n_fields; i++) {
    fields[i] = lac_columns(here, i, 1);
    if (model->mirrored)
      fields[i] =
        lac_scale(lac_add(fields[i], lac_scale(lac_columns(there, i, 1), subject->parity[i])), 0.5);
  }
}

void
lac_pinn_build_fields(const LacPinnSet *set,
                      LacPinnTheta     *theta,
                      const LacJet     *jet,
                      LacNode          *fields)
{
  const LacPinnModel *model = set->model;
  const LacCase      *subject = model->subject;
  const guint         n_axes = subject->pde->n_axes;
  double              along_x[LAC_PDE_MAX_AXES * LAC_PDE_MAX_AXES] = {0};
  double              along_z[LAC_PDE_MAX_AXES * LAC_PDE_MAX_AXES] = {0};
  LacNode             x = set->x, z = set->z;

  for (guint i = 0; i < n_axes; i++) {
    along_x[i * n_axes + i] = 1;
    along_z[i * n_axes + i] = get_slope(model, i);
  }
  if (jet) {
    x = lac_graph_seed(set->x, jet, along_x);
    z = lac_graph_seed(set->z, jet, along_z);
  }
  build_outputs(model, theta, stretch(model, theta, z), fields);
  for (guint i = 0; i < subject->pde->n_fields; i++) {
    if (model->size[i] != 1)
      fields[i] = lac_scale(fields[i], model->size[i]);
    if (model->offset[i] != 0 && !(model->mirrored && subject->parity[i] < 0))
      fields[i] = lac_offset(fields[i], model->offset[i]);
  }
  if (subject->hard)
    subject->hard(subject, x, fields);
}

static LacQuantity
build_coefficient(const LacPinnSet *set, const LacPinnTheta *theta, guint i)
{
  const LacCase *subject = set->model->subject;
  LacNode        raw;

  if (!subject->unknown[i])
    return lac_number(subject->coefficients[i]);
  raw = lac_scale(lac_broadcast(set->x, theta->unknowns[i]), set->model->coefficient_rate);
  raw = subject->positive[i]
          ? lac_scale(lac_map(raw, LAC_SCALAR_EXP), subject->guesses[i])
          : lac_offset(lac_scale(raw, get_size(subject, i)), subject->guesses[i]);
  return (LacQuantity){.node = raw};
}

void
lac_pinn_build_residuals(const LacPinnSet *set, LacPinnTheta *theta, LacNode *residuals)
{
  const LacCase *subject = set->model->subject;
  const LacPde  *pde = subject->pde;
  const LacJet   jet = lac_pde_get_jet(pde);
  LacPdeTerms    terms = {.x = set->x};
  LacNode        sources[LAC_PDE_MAX_RESIDUALS] = {{NULL, 0}};

  lac_pinn_build_fields(set, theta, &jet, terms.fields);
  for (guint i = 0; i < pde->n_coefficients; i++)
    terms.coefficients[i] = build_coefficient(set, theta, i);
  pde->residuals(pde, &terms, residuals);
  if (subject->sources)
    subject->sources(subject, set->x, sources);
  for (guint i = 0; i < pde->n_residuals; i++) {
    if (sources[i].graph)
      residuals[i] = lac_subtract(residuals[i], sources[i]);
    if (set->model->residual_scale != 1)
      residuals[i] = lac_scale(residuals[i], set->model->residual_scale);
  }
}
