/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latent model: series of coefficients, a graph that applies the same weights several times, and its training. */
#include "experiment/flow/methods/latent-model.h"

#include "backend/dense.h"
#include "base/error.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

#define MOST_HORIZON 16
#define MOST_DEPTH   6
#define LEAST_SCALE \
  1e-3              /* relative to the largest deviation: smaller coefficients are not amplified */
#define RIDGE  1e-4 /* relative to the variance of a coefficient, which is 1 */
#define BEYOND 1.2  /* limit relative to the largest training magnitude of a coefficient */
#define NOISE \
  0.03 /* noise of the roll-out's initial state in training, in deviations: teaches the model to recover */
#define LEAST_RATE 0.01 /* relative to the initial rate */

enum { STREAM_WEIGHTS = 91, STREAM_BATCHES = 1 << 25 };

/* A graph used in two forms: with the whole roll-out and its loss, and with one step of one state. */
typedef struct {
  LacGraph *graph;
  LacNode   start, targets[MOST_HORIZON], loss, next;
  LacNode   weights[MOST_DEPTH + 1], biases[MOST_DEPTH + 1], matrix;
} Net;

struct _LacLatentModel {
  LacLatentSettings settings; /* pod and snapshots are NULL */
  gsize             r, horizon, batch, n_pieces;
  double           *scales; /* [r] */
  double           *limits; /* [r] over scales */
  double     *shares; /* [r][r] diagonal: scale / total RMS, the weight of a coefficient's error */
  double     *series; /* [n_runs][run][r] over scales */
  double     *fed;    /* [batch][r] */
  gsize      *pieces; /* [batch] of the step */
  Net         trained, single;
  LacProgram *trainer, *stepper;
  LacOptimiser *optimiser;
};

/* ---- the network ---- */

static void
declare(LacLatentModel *model, Net *net)
{
  const gsize depth = model->settings.depth, width = model->settings.width, r = model->r;

  for (gsize i = 0; i <= depth; i++) {
    net->weights[i] =
      lac_graph_parameter(net->graph, "weight", i < depth ? width : r, i ? width : r);
    net->biases[i] = lac_graph_parameter(net->graph, "bias", 1, i < depth ? width : r);
  }
  net->matrix = lac_graph_parameter(net->graph, "matrix", r, r);
}

static LacNode
advance(const LacLatentModel *model, const Net *net, LacNode z)
{
  const gsize depth = model->settings.depth;
  LacNode     hidden = z;

  for (gsize i = 0; i < depth; i++)
    hidden = lac_layer(hidden, net->weights[i], net->biases[i], LAC_SCALAR_TANH);
  hidden = lac_linear(hidden, net->weights[depth], net->biases[depth]);
  return lac_add(lac_add(z, lac_linear(z, net->matrix, LAC_NO_NODE)), hidden);
}

static void
build_roll_out(LacLatentModel *model, Net *net)
{
  LacNode terms[MOST_HORIZON], z, shares;
  double  factors[MOST_HORIZON];

  net->graph = lac_graph_new();
  net->start = z = lac_graph_points(net->graph, "start", 0, model->batch, model->r);
  shares = lac_graph_fixed(net->graph, "shares", model->r, model->r, model->shares);
  declare(model, net);
  for (gsize h = 0; h < model->horizon; h++) {
    g_autofree char *name = g_strdup_printf("after %zu steps", h + 1);

    net->targets[h] = lac_graph_points(net->graph, name, 0, model->batch, model->r);
    z = advance(model, net, z);
    terms[h] = lac_mean_square(lac_linear(lac_subtract(z, net->targets[h]), shares, LAC_NO_NODE),
                               LAC_NO_NODE);
    /* turns the mean over coefficients into a sum */
    factors[h] = (double) model->r / (double) model->horizon;
  }
  net->loss = lac_weighted_sum(terms, factors, (guint) model->horizon);
}

static void
build_single(LacLatentModel *model, Net *net)
{
  net->graph = lac_graph_new();
  net->start = lac_graph_points(net->graph, "state", 0, 1, model->r);
  declare(model, net);
  net->next = advance(model, net, net->start);
}

/* ---- where it begins ---- */

/* @series: projection of the snapshots to the modes, divided by the scales. */
static void
project(LacLatentModel *model, const LacPod *pod, const double *snapshots)
{
  const gsize        n_snapshots = model->settings.n_runs * model->settings.run;
  g_autofree double *fluctuation = g_new(double, pod->n);

  for (gsize k = 0; k < n_snapshots; k++) {
    for (gsize i = 0; i < pod->n; i++)
      fluctuation[i] = snapshots[k * pod->n + i] - pod->mean[i];
    lac_dense_gemm(FALSE, FALSE, model->r, 1, pod->n, 1, pod->modes, pod->n, fluctuation, 1, 0,
                   model->series + k * model->r, 1);
    for (gsize i = 0; i < model->r; i++) {
      double *z = &model->series[k * model->r + i];

      *z /= model->scales[i];
      model->limits[i] = fmax(model->limits[i], BEYOND * fabs(*z));
    }
  }
}

/* Solves the ridge regression of z' - z on (z, 1); @solution: [r + 1][r] */
static gboolean
fit_line(const LacLatentModel *model, double *solution)
{
  const gsize        r = model->r, run = model->settings.run, n = r + 1;
  const gsize        n_pairs = model->settings.n_runs * (run - 1);
  g_autofree double *squares = g_new0(double, n *n);
  g_autofree double *rows = g_new(double, n_pairs *n);
  g_autofree double *changes = g_new(double, n_pairs *r);

  for (gsize p = 0; p < n_pairs; p++) {
    const double *z = model->series + (p / (run - 1) * run + p % (run - 1)) * r;

    memcpy(rows + p * n, z, r * sizeof *rows);
    rows[p * n + r] = 1;
    for (gsize i = 0; i < r; i++)
      changes[p * r + i] = z[r + i] - z[i];
  }
  lac_dense_gemm(TRUE, FALSE, n, n, n_pairs, 1, rows, n, rows, n, 0, squares, n);
  lac_dense_gemm(TRUE, FALSE, n, r, n_pairs, 1, rows, n, changes, r, 0, solution, r);
  for (gsize i = 0; i < n; i++)
    squares[i * n + i] += RIDGE * (double) n_pairs;
  return lac_dense_cholesky_solve(squares, n, solution, r);
}

/* Glorot and Bengio (2010), eq. 12; the last layer is 0, so that the network initially adds nothing. */
static void
draw_weights(const LacLatentModel *model, double *theta)
{
  const Net  *net = &model->trained;
  const gsize depth = model->settings.depth;
  LacRng      rng = lac_rng(model->settings.seed, STREAM_WEIGHTS);

  for (gsize i = 0; i < depth; i++) {
    const gsize  n_in = lac_node_get_n_columns(net->weights[i]);
    const gsize  n_out = lac_node_get_n_points(net->weights[i]);
    const double deviation = sqrt(2.0 / (double) (n_in + n_out));
    double      *weights = theta + lac_node_get_parameter_offset(net->weights[i]);

    for (gsize k = 0; k < n_in * n_out; k++)
      weights[k] = deviation * lac_rng_normal(&rng);
  }
}

static gboolean
begin(LacLatentModel *model, GError **error)
{
  const gsize        r = model->r;
  const Net         *net = &model->trained;
  g_autofree double *theta = g_new0(double, lac_graph_get_n_parameters(net->graph));
  g_autofree double *solution = g_new(double, (r + 1) * r);
  double            *matrix = theta + lac_node_get_parameter_offset(net->matrix);
  double *bias = theta + lac_node_get_parameter_offset(net->biases[model->settings.depth]);

  if (!fit_line(model, solution)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the linear model cannot be fitted: a training snapshot is not finite");
    return FALSE;
  }
  draw_weights(model, theta);
  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j < r; j++)
      matrix[i * r + j] = solution[j * r + i];
  memcpy(bias, solution + r * r, r * sizeof *bias);
  lac_program_set_theta(model->trainer, theta);
  return TRUE;
}

/* ---- the model ---- */

static void
lay_out(LacLatentModel *model, const LacLatentSettings *settings)
{
  const LacPod *pod = settings->pod;
  double        all = 0;

  model->settings = *settings;
  model->settings.pod = NULL;
  model->settings.snapshots = NULL;
  model->settings.depth = CLAMP(settings->depth, 1, MOST_DEPTH);
  model->r = pod->n_modes;
  model->horizon = CLAMP(settings->horizon, 1, MIN(settings->run - 1, MOST_HORIZON));
  model->n_pieces = settings->n_runs * (settings->run - model->horizon);
  model->batch = CLAMP(settings->batch, 1, model->n_pieces);
  model->scales = g_new(double, model->r);
  model->limits = g_new0(double, model->r);
  model->shares = g_new0(double, model->r * model->r);
  model->series = g_new(double, settings->n_runs * settings->run * model->r);
  model->fed = g_new(double, model->batch * model->r);
  model->pieces = g_new(gsize, model->batch);
  for (gsize i = 0; i < model->r; i++) {
    model->scales[i] = MAX(pod->deviations[i], LEAST_SCALE * pod->deviations[0]);
    all += pod->deviations[i] * pod->deviations[i];
  }
  for (gsize i = 0; i < model->r; i++)
    model->shares[i * model->r + i] = model->scales[i] / sqrt(all);
}

static gboolean
plan(LacLatentModel *model, GError **error)
{
  const LacLatentSettings   *settings = &model->settings;
  LacOptimiserSettings       optimiser = lac_optimiser_defaults(settings->optimiser);
  g_autofree LacMatrixShape *matrices = NULL;
  LacProgramOptions          options = {
             .device = settings->device,
             .type = settings->type,
             .pool = settings->pool,
             .perf = settings->perf,
             .lane = settings->lane,
             .gradient = TRUE,
  };

  build_roll_out(model, &model->trained);
  build_single(model, &model->single);
  model->trainer =
    lac_program_new(model->trained.graph, model->trained.loss, NULL, 0, &options, error);
  options.gradient = FALSE;
  model->stepper = model->trainer ? lac_program_new(model->single.graph, LAC_NO_NODE,
                                                    &model->single.next, 1, &options, error)
                                  : NULL;
  if (!model->stepper)
    return FALSE;
  matrices = lac_graph_dup_weights(model->trained.graph, &optimiser.n_matrices);
  optimiser.matrices = matrices;
  optimiser.rate = settings->rate;
  model->optimiser = lac_optimiser_new(&optimiser, lac_program_get_n_parameters(model->trainer),
                                       settings->device, settings->type, settings->pool, error);
  return model->optimiser != NULL;
}

LacLatentModel *
lac_latent_model_new(const LacLatentSettings *settings, GError **error)
{
  g_autoptr(LacLatentModel) model = g_new0(LacLatentModel, 1);

  g_return_val_if_fail(settings->run >= 2 && settings->n_runs > 0, NULL);
  lay_out(model, settings);
  project(model, settings->pod, settings->snapshots);
  if (!plan(model, error) || !begin(model, error))
    return NULL;
  return g_steal_pointer(&model);
}

void
lac_latent_model_free(LacLatentModel *model)
{
  if (!model)
    return;
  lac_optimiser_free(model->optimiser);
  lac_program_free(model->trainer);
  lac_program_free(model->stepper);
  lac_graph_free(model->trained.graph);
  lac_graph_free(model->single.graph);
  g_free(model->scales);
  g_free(model->limits);
  g_free(model->shares);
  g_free(model->series);
  g_free(model->fed);
  g_free(model->pieces);
  g_free(model);
}

/* ---- training ---- */

/* Feeds the states @h steps into the windows of the step; @rng: (nullable): adds noise. */
static void
feed(LacLatentModel *model, LacNode leaf, gsize h, LacRng *rng)
{
  const gsize r = model->r, pieces_a_run = model->settings.run - model->horizon;

  for (gsize i = 0; i < model->batch; i++) {
    const gsize piece = model->pieces[i];
    const gsize at = piece / pieces_a_run * model->settings.run + piece % pieces_a_run + h;

    memcpy(model->fed + i * r, model->series + at * r, r * sizeof *model->fed);
    for (gsize j = 0; rng && j < r; j++)
      model->fed[i * r + j] += NOISE * lac_rng_normal(rng);
  }
  lac_program_feed(model->trainer, leaf, model->fed);
}

/* Draws one window from each of equally long ranges (stratified). */
static void
draw_pieces(LacLatentModel *model, LacRng *rng)
{
  for (gsize i = 0; i < model->batch; i++) {
    const gsize first = i * model->n_pieces / model->batch;
    const gsize end = (i + 1) * model->n_pieces / model->batch;

    model->pieces[i] = first + (gsize) lac_rng_below(rng, end - first);
  }
}

gboolean
lac_latent_model_train(LacLatentModel *model, gint64 step, double *loss, GError **error)
{
  const double share = (double) step / (double) MAX(1, model->settings.n_steps);
  const double fall = 0.5 * (1 + cos(G_PI * fmin(1, share)));
  /* depends only on the step number: a resumed run draws the same */
  LacRng             rng = lac_rng(model->settings.seed, STREAM_BATCHES + (guint64) step);
  LacObjective       objective = {model->trainer, step};
  LacOptimiserReport report;

  draw_pieces(model, &rng);
  feed(model, model->trained.start, 0, &rng);
  for (gsize h = 0; h < model->horizon; h++)
    feed(model, model->trained.targets[h], h + 1, NULL);
  lac_optimiser_set_rate(model->optimiser,
                         model->settings.rate * (LEAST_RATE + (1 - LEAST_RATE) * fall));
  if (!lac_optimiser_step(model->optimiser, lac_program_get_theta(model->trainer),
                          lac_program_evaluate, &objective, &report, error))
    return FALSE;
  *loss = report.loss;
  return TRUE;
}

static double
hold(const LacLatentModel *model, gsize i, double z)
{
  return CLAMP(z, -model->limits[i], model->limits[i]);
}

gboolean
lac_latent_model_roll(LacLatentModel *model, double *coefficients, gsize n_steps, GError **error)
{
  const gsize r = model->r;

  for (gsize k = 0; k < n_steps; k++) {
    const double *before = coefficients + k * r;
    double       *after = coefficients + (k + 1) * r;

    for (gsize i = 0; i < r; i++)
      after[i] = hold(model, i, before[i] / model->scales[i]);
    lac_program_feed(model->stepper, model->single.start, after);
    if (!lac_program_run(model->stepper, lac_program_get_theta(model->trainer), (gint64) k, NULL,
                         error))
      return FALSE;
    lac_program_read(model->stepper, model->single.next, after);
    for (gsize i = 0; i < r; i++)
      after[i] = model->scales[i] * hold(model, i, after[i]);
  }
  return TRUE;
}

void
lac_latent_model_pack(gpointer data, LacPacking *packing)
{
  LacLatentModel *model = data;

  if (packing->to)
    lac_program_dup_theta(model->trainer, packing->to + packing->n);
  else if (packing->from)
    lac_program_set_theta(model->trainer, packing->from + packing->n);
  packing->n += lac_program_get_n_parameters(model->trainer);
  lac_optimiser_pack(model->optimiser, packing);
}
