/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs and programs of the Burgers experiment. Points are fed as (tau, x) with tau = 2 t - 1, so that both lie in
 * [-1, 1]; the direction of t is (2, 0) there. */
#include "experiment/flow/burgers-net.h"

#include "pde/burgers.h"

typedef struct {
  LacGraph   *graph;
  LacProgram *program;
  LacNode     leaf, output;
} Part;

struct _LacBurgersNet {
  LacBurgersNetSettings settings;
  Part                  training, pool, judge;
  double               *scaled; /* points as they are fed */
};

/* @x: (tau, x), with or without derivatives. */
static LacNode
build_solution(const LacNetwork *network, LacNode x)
{
  LacNode tau = lac_columns(x, 0, 1), place = lac_columns(x, 1, 1);
  LacNode time = lac_offset(lac_scale(tau, 0.5), 0.5);
  LacNode inside = lac_offset(lac_scale(lac_map(place, LAC_SCALAR_SQUARE), -1), 1);
  LacNode start = lac_map(lac_scale(place, G_PI), LAC_SCALAR_SIN);

  return lac_subtract(lac_multiply(lac_multiply(time, inside), lac_network_build(network, x, NULL)),
                      start);
}

static LacNode
build_residual(const LacBurgersNetSettings *settings, LacNode leaf)
{
  static const double directions[] = {2, 0, 0, 1}; /* of t and of x in (tau, x) */
  const LacJet        jet = lac_pde_get_jet(&lac_pde_burgers);
  LacNode             x = lac_graph_seed(leaf, &jet, directions);

  const LacPdeTerms terms = {
    .x = leaf,
    .fields = {build_solution(&settings->network, x)},
    .coefficients = {lac_number(1), lac_number(settings->viscosity)},
  };
  LacNode residual;

  lac_pde_burgers.residuals(&lac_pde_burgers, &terms, &residual);
  return residual;
}

static void
begin(Part *part, gsize n_points)
{
  part->graph = lac_graph_new();
  part->leaf = lac_graph_points(part->graph, "points", 0, n_points, 2);
}

static gboolean
finish(Part *part, LacNode loss, const LacContext *context, GError **error)
{
  const LacProgramOptions options = {
    .device = context->device,
    .type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .perf = context->perf,
    .lane = context->lane,
    .gradient = loss.graph != NULL,
  };

  part->program =
    lac_program_new(part->graph, loss, &part->output, part->output.graph ? 1 : 0, &options, error);
  return part->program != NULL;
}

LacBurgersNet *
lac_burgers_net_new(const LacBurgersNetSettings *settings,
                    const LacContext            *context,
                    GError                     **error)
{
  g_autoptr(LacBurgersNet) net = g_new0(LacBurgersNet, 1);
  const gsize most = MAX(settings->n_pool, MAX(settings->n_points, settings->n_judged));
  LacNode     loss;

  net->settings = *settings;
  net->scaled = g_new0(double, 2 * most);
  begin(&net->training, settings->n_points);
  loss = lac_mean_square(build_residual(settings, net->training.leaf), LAC_NO_NODE);
  begin(&net->pool, settings->n_pool);
  net->pool.output = build_residual(settings, net->pool.leaf);
  begin(&net->judge, settings->n_judged);
  net->judge.output = build_solution(&settings->network, net->judge.leaf);
  if (!finish(&net->training, loss, context, error) ||
      !finish(&net->pool, LAC_NO_NODE, context, error) ||
      !finish(&net->judge, LAC_NO_NODE, context, error))
    return NULL;
  return g_steal_pointer(&net);
}

static void
clear(Part *part)
{
  lac_program_free(part->program);
  lac_graph_free(part->graph);
}

void
lac_burgers_net_free(LacBurgersNet *net)
{
  if (!net)
    return;
  clear(&net->training);
  clear(&net->pool);
  clear(&net->judge);
  g_free(net->scaled);
  g_free(net);
}

LacProgram *
lac_burgers_net_get_program(LacBurgersNet *net)
{
  return net->training.program;
}

static void
feed(LacBurgersNet *net, Part *part, const double *points, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    net->scaled[2 * i] = 2 * points[2 * i] - 1;
    net->scaled[2 * i + 1] = points[2 * i + 1];
  }
  lac_program_feed(part->program, part->leaf, net->scaled);
}

void
lac_burgers_net_feed_points(LacBurgersNet *net, const double *points)
{
  feed(net, &net->training, points, net->settings.n_points);
}

void
lac_burgers_net_feed_judge(LacBurgersNet *net, const double *points)
{
  feed(net, &net->judge, points, net->settings.n_judged);
}

static gboolean
evaluate(LacBurgersNet *net, Part *part, gint64 step, double *values, GError **error)
{
  if (!lac_program_run(part->program, lac_program_get_theta(net->training.program), step, NULL,
                       error))
    return FALSE;
  lac_program_read(part->program, part->output, values);
  return TRUE;
}

gboolean
lac_burgers_net_get_residuals(LacBurgersNet *net,
                              const double  *points,
                              gint64         step,
                              double        *residuals,
                              GError       **error)
{
  feed(net, &net->pool, points, net->settings.n_pool);
  return evaluate(net, &net->pool, step, residuals, error);
}

gboolean
lac_burgers_net_get_values(LacBurgersNet *net, gint64 step, double *values, GError **error)
{
  return evaluate(net, &net->judge, step, values, error);
}
