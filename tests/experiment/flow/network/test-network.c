/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks: declared parameters, initialisation, and derivatives in the coordinates' units against differences, for
 * every architecture with every embedding, scaling and factorisation. */
#include "backend/registry.h"
#include "experiment/flow/network/network.h"
#include "graph/program/program.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_POINTS 13
#define MOST     4096 /* parameters */

enum { EMBED_NONE, EMBED_RANDOM, EMBED_AXES, EMBED_PERIODIC, EMBED_PERIODIC_RANDOM, N_EMBEDDINGS };

static const char *const embedding_names[] = {"none", "random frequencies", "harmonics of one axis",
                                              "a periodic axis",
                                              "random frequencies of a periodic axis"};

typedef struct {
  LacArchitecture architecture;
  guint           embedding;
  gboolean        factorised, stretched;
} Kind;

/* t in [0, 2], x in [-3, 5] */
static LacNetwork
network_of(const Kind *kind)
{
  const gboolean periodic =
    kind->embedding == EMBED_PERIODIC || kind->embedding == EMBED_PERIODIC_RANDOM;
  LacNetwork network = {
    .n_in = 2,
    .n_out = 2,
    .depth = 2,
    .width = 9,
    .activation = LAC_SCALAR_TANH,
    .architecture = kind->architecture,
    .omega = 3,
    .axes = {{.low = 0, .high = 2}, {.low = -3, .high = 5}},
    .factorised = kind->factorised,
    .factor_mean = 0.5,
    .factor_deviation = 0.1,
    .seed = 17,
  };

  if (kind->stretched)
    network.axes[1].stretch = 3;
  if (kind->embedding == EMBED_AXES || periodic) {
    network.axes[1].period = 8;
    network.axes[1].n_harmonics = 3;
    memcpy(network.axes[1].harmonics, (double[]){1, 2, 4}, 3 * sizeof(double));
    network.axes[1].periodic = periodic;
    network.masked = !periodic;
  }
  if (kind->embedding == EMBED_RANDOM || kind->embedding == EMBED_PERIODIC_RANDOM) {
    network.n_random = 5;
    network.deviation = 0.7;
  }
  return network;
}

/* u and its derivatives along t and x, and a loss of all of them. */
typedef struct {
  LacDevice       device;
  LacGraph       *graph;
  LacNode         points, outputs[5]; /* u, u_t, u_tt, u_x, u_xx */
  LacProgram     *program;
  LacNetworkParts parts;
  gsize           n_parameters, n_out;
  double          at[2 * N_POINTS], theta[MOST];
} Bench;

static void
bench_init(Bench *bench, const LacNetwork *network, LacType type)
{
  static const double directions[] = {1, 0, 0, 1};
  const LacJet        jet = lac_jet(2, (unsigned[]){2, 2}, NULL);
  g_autoptr(GError)   error = NULL;
  LacProgramOptions   options = {.type = type, .gradient = TRUE};
  LacRng              rng = lac_rng(3, 1);
  LacNode             u, terms[5];

  memset(bench, 0, sizeof *bench);
  g_assert_true(lac_device_open(&bench->device, "cpu", &error));
  options.device = bench->device;
  bench->graph = lac_graph_new();
  bench->points = lac_graph_points(bench->graph, "points", 0, N_POINTS, 2);
  u = lac_network_build(network, lac_graph_seed(bench->points, &jet, directions), &bench->parts);
  bench->outputs[0] = lac_value(u);
  for (guint k = 0; k < 4; k++)
    bench->outputs[1 + k] = lac_derivative(u, k / 2, 1 + k % 2);
  for (guint k = 0; k < 5; k++)
    terms[k] = lac_mean_square(bench->outputs[k], LAC_NO_NODE);
  bench->program =
    lac_program_new(bench->graph, lac_weighted_sum(terms, (double[]){1, 1, 0.5, 2, 0.25}, 5),
                    bench->outputs, 5, &options, &error);
  g_assert_no_error(error);
  bench->n_out = network->n_out;
  bench->n_parameters = lac_network_get_n_parameters(network);
  g_assert_cmpuint(bench->n_parameters, <=, MOST);
  lac_network_initialise(network, &rng, bench->theta);
  for (gsize i = 0; i < bench->n_parameters;
       i++) /* biases and residual gates that start at zero are varied too */
    bench->theta[i] += 0.2 * lac_rng_normal(&rng);
  for (gsize i = 0; i < N_POINTS; i++) {
    bench->at[2 * i] = 2 * lac_rng_uniform(&rng);
    bench->at[2 * i + 1] = -3 + 8 * lac_rng_uniform(&rng);
  }
  lac_program_set_theta(bench->program, bench->theta);
}

static void
bench_clear(Bench *bench)
{
  lac_program_free(bench->program);
  lac_graph_free(bench->graph);
  lac_device_close(&bench->device);
}

static double
run(Bench *bench)
{
  g_autoptr(GError) error = NULL;
  double            loss;

  lac_program_run(bench->program, NULL, 0, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

/* @values: [n_outputs][N_POINTS][n_out] at points moved by @h along @axis */
static void
evaluate(Bench *bench, guint axis, double h, guint n_outputs, double *values)
{
  double at[2 * N_POINTS];

  for (gsize i = 0; i < 2 * N_POINTS; i++)
    at[i] = bench->at[i] + (i % 2 == axis ? h : 0);
  lac_program_feed(bench->program, bench->points, at);
  run(bench);
  for (guint k = 0; k < n_outputs; k++)
    lac_program_read(bench->program, bench->outputs[k], values + k * N_POINTS * bench->n_out);
}

static void
assert_near(double found, double wanted, double tolerance)
{
  g_assert_cmpfloat(fabs(found - wanted), <=, tolerance * fmax(1, fabs(wanted)));
}

/* Five-point differences with h = 1e-3 in the coordinates' units: the remainders h^4 u^(5) / 30 and h^4 u^(6) / 90
 * with frequencies up to 10 and rounding eps / h^2 stay below 1e-7 and 1e-6. */
static void
check_derivatives(Bench *bench)
{
  const double       h = 1e-3;
  const gsize        n = N_POINTS * bench->n_out;
  g_autofree double *jets = g_new(double, 5 * n), *moved = g_new(double, 4 * n);

  for (guint axis = 0; axis < 2; axis++) {
    for (guint k = 0; k < 4; k++)
      evaluate(bench, axis, (k < 2 ? -2.0 + k : k - 1.0) * h, 1, moved + k * n);
    evaluate(bench, axis, 0, 5, jets);
    for (gsize i = 0; i < n; i++) {
      const double far_behind = moved[i], behind = moved[n + i], ahead = moved[2 * n + i],
                   far_ahead = moved[3 * n + i];
      double slope = (8 * (ahead - behind) - (far_ahead - far_behind)) / (12 * h);
      double bend =
        (16 * (ahead + behind) - (far_ahead + far_behind) - 30 * jets[i]) / (12 * h * h);

      assert_near(jets[(1 + 2 * axis) * n + i], slope, 1e-7);
      assert_near(jets[(2 + 2 * axis) * n + i], bend, 1e-6);
    }
  }
}

static double
loss_at(Bench *bench, const double *way, double h)
{
  double theta[MOST];

  for (gsize i = 0; i < bench->n_parameters; i++)
    theta[i] = bench->theta[i] + h * way[i];
  lac_program_set_theta(bench->program, theta);
  return run(bench);
}

static void
check_gradient(Bench *bench)
{
  const double h = 1e-4;
  double       gradient[MOST], way[MOST], slope = 0, size = 0, wanted;
  LacRng       rng = lac_rng(11, 0);

  lac_program_feed(bench->program, bench->points, bench->at);
  lac_program_set_theta(bench->program, bench->theta);
  run(bench);
  bench->device.table->download(bench->device.self, gradient,
                                lac_program_get_gradient(bench->program),
                                bench->n_parameters * sizeof *gradient);
  for (gsize i = 0; i < bench->n_parameters; i++) {
    way[i] = lac_rng_normal(&rng);
    slope += way[i] * gradient[i];
    size += fabs(way[i] * gradient[i]);
  }
  wanted = (8 * (loss_at(bench, way, h) - loss_at(bench, way, -h)) -
            (loss_at(bench, way, 2 * h) - loss_at(bench, way, -2 * h))) /
           (12 * h);
  g_assert_cmpfloat(fabs(slope - wanted), <=, 1e-8 * size);
}

static void
test_kind(gconstpointer data)
{
  const LacNetwork network = network_of(data);
  Bench            bench;

  bench_init(&bench, &network, LAC_F64);
  g_assert_cmpuint(lac_graph_get_n_parameters(bench.graph), ==, bench.n_parameters);
  check_derivatives(&bench);
  check_gradient(&bench);
  bench_clear(&bench);
}

/* Shifted by one period, the values and all derivatives are equal up to the rounding of the sine's argument. */
static void
test_periodic(gconstpointer data)
{
  const LacNetwork network = network_of(data);
  double           here[10 * N_POINTS], there[10 * N_POINTS];
  Bench            bench;

  bench_init(&bench, &network, LAC_F64);
  evaluate(&bench, 1, 0, 5, here);
  evaluate(&bench, 1, network.axes[1].period, 5, there);
  for (gsize i = 0; i < G_N_ELEMENTS(here); i++)
    assert_near(there[i], here[i], 1e-12);
  bench_clear(&bench);
}

/* ---- the plain perceptron against a loop ---- */

static const LacNetwork perceptrons[] = {
  {.n_in = 2, .n_out = 1, .depth = 1, .width = 3, .activation = LAC_SCALAR_TANH},
  {.n_in = 2, .n_out = 1, .depth = 3, .width = 20, .activation = LAC_SCALAR_TANH},
  {.n_in = 3, .n_out = 2, .depth = 2, .width = 7, .activation = LAC_SCALAR_SIN},
};

static void
test_count(void)
{
  g_assert_cmpuint(lac_network_get_n_parameters(&perceptrons[0]), ==, 3 * 3 + 4);
  g_assert_cmpuint(lac_network_get_n_parameters(&perceptrons[1]), ==, 20 * 3 + 2 * 20 * 21 + 21);
}

/* Per layer: zero biases; weights of mean 0 and variance 2 / (in + out), within five standard errors. */
static void
test_glorot(void)
{
  const LacNetwork   network = {.n_in = 4, .n_out = 150, .depth = 2, .width = 180};
  const gsize        sizes[] = {4, 180, 180, 150};
  g_autofree double *theta = g_new(double, lac_network_get_n_parameters(&network));
  const double      *at = theta;
  LacRng             rng = lac_rng(1, 1);

  lac_network_initialise(&network, &rng, theta);
  for (gsize layer = 0; layer < 3; layer++) {
    const gsize  n = sizes[layer] * sizes[layer + 1];
    const double variance = 2.0 / (double) (sizes[layer] + sizes[layer + 1]);
    double       sum = 0, squares = 0;

    for (gsize i = 0; i < n; i++, at++) {
      sum += *at;
      squares += *at * *at;
    }
    g_assert_cmpfloat(fabs(sum / (double) n), <, 5 * sqrt(variance / (double) n));
    g_assert_cmpfloat(fabs(squares / (double) n / variance - 1), <, 5 * sqrt(2 / (double) n));
    for (gsize i = 0; i < sizes[layer + 1]; i++)
      g_assert_cmpfloat(*at++, ==, 0);
  }
  g_assert_true(at == theta + lac_network_get_n_parameters(&network));
}

static double
by_hand(const LacNetwork *network, const double *theta, const double *x, gsize output)
{
  double values[2][32] = {{0}};

  for (gsize i = 0; i < network->n_in; i++)
    values[0][i] = x[i];
  for (gsize layer = 0; layer <= network->depth; layer++) {
    const gsize   n_in = layer ? network->width : network->n_in;
    const gsize   n_out = layer < network->depth ? network->width : network->n_out;
    const double *from = values[layer % 2], *bias = theta + n_in * n_out;

    for (gsize j = 0; j < n_out; j++) {
      double sum = bias[j];

      for (gsize i = 0; i < n_in; i++)
        sum += theta[j * n_in + i] * from[i];
      if (layer < network->depth)
        sum = network->activation == LAC_SCALAR_TANH ? tanh(sum) : sin(sum);
      values[(layer + 1) % 2][j] = sum;
    }
    theta = bias + n_out;
  }
  return values[(network->depth + 1) % 2][output];
}

/* Evaluates @network at @n points of [-1, 1]^n_in, [n][n_out]. */
static void
evaluate_plain(const LacNetwork *network,
               const double     *theta,
               const double     *x,
               gsize             n,
               double           *values)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacGraph) graph = lac_graph_new();
  LacProgramOptions   options = {.type = LAC_F64};
  LacNode             leaf = lac_graph_points(graph, "points", 0, n, network->n_in);
  LacNode             u = lac_network_build(network, leaf, NULL);
  LacProgram         *program;

  g_assert_true(lac_device_open(&options.device, "cpu", &error));
  program = lac_program_new(graph, LAC_NO_NODE, &u, 1, &options, &error);
  g_assert_no_error(error);
  lac_program_feed(program, leaf, x);
  lac_program_set_theta(program, theta);
  g_assert_true(lac_program_run(program, NULL, 0, NULL, &error));
  lac_program_read(program, u, values);
  lac_program_free(program);
  lac_device_close(&options.device);
}

static void
test_values(gconstpointer data)
{
  const LacNetwork  *network = data;
  const gsize        n = lac_network_get_n_parameters(network);
  g_autofree double *theta = g_new(double, n);
  double             points[9 * 3], values[9 * 2];
  LacRng             rng = lac_rng(2, 1);

  lac_network_initialise(network, &rng, theta);
  for (gsize i = 0; i < n; i++)
    theta[i] += 0.1 * lac_rng_normal(&rng); /* biases are varied too */
  for (gsize i = 0; i < 9 * network->n_in; i++)
    points[i] = 2 * lac_rng_uniform(&rng) - 1;
  evaluate_plain(network, theta, points, 9, values);
  for (gsize i = 0; i < 9; i++) {
    for (gsize k = 0; k < network->n_out; k++)
      assert_near(values[i * network->n_out + k],
                  by_hand(network, theta, points + i * network->n_in, k), 1e-13);
  }
}

/* ---- how the others begin ---- */

/* With all gates 0 the blocks pass their input through, so the output is linear in the embedding. */
static void
test_piratenet_start(void)
{
  LacNetwork   network = {.n_in = 1,
                          .n_out = 1,
                          .depth = 3,
                          .width = 8,
                          .activation = LAC_SCALAR_TANH,
                          .architecture = LAC_NETWORK_PIRATENET,
                          .n_random = 4,
                          .deviation = 2};
  const gsize  n = lac_network_get_n_parameters(&network), width = network.width;
  const double points[] = {-0.7, 0.1, 0.9};
  double       theta[MOST], values[3], wanted[3];
  LacNetwork   linear = network;
  LacRng       rng = lac_rng(4, 0);

  lac_network_initialise(&network, &rng, theta);
  evaluate_plain(&network, theta, points, 3, values);
  for (gsize i = 0; i < width;
       i++) /* neither encoders nor layers have an effect: only the output's weights do */
    theta[i] += 1;
  evaluate_plain(&network, theta, points, 3, wanted);
  for (gsize i = 0; i < 3; i++)
    assert_near(values[i], wanted[i], 1e-15);
  g_assert_cmpfloat(fabs(values[0] - values[1]), >, 1e-3);
  linear.depth = 1;
  memmove(theta + lac_network_get_n_parameters(&linear) - (width + 1), theta + n - (width + 1),
          (width + 1) * sizeof *theta);
  theta[lac_network_get_n_parameters(&linear) - (width + 1) - 1] = 0;
  evaluate_plain(&linear, theta, points, 3, wanted);
  for (gsize i = 0; i < 3; i++)
    assert_near(values[i], wanted[i], 1e-15);
}

/* Sines of sines: omega W x has variance 1 at any depth by theorem 1.8, and omega b has omega^2 / 3 n. The features
 * are functions of one coordinate, so 200 of them count as a few dozen: the variance agrees within a quarter. */
static void
test_siren_start(void)
{
  enum { N = 4000 };
  LacNetwork network = {.n_in = 1, .n_out = 200, .width = 200, .architecture = LAC_NETWORK_SIREN};
  g_autofree double *points = g_new(double, N), *values = g_new(double, N *network.n_out);
  g_autofree double *theta = NULL;
  LacRng             rng = lac_rng(4, 0);

  for (gsize i = 0; i < N; i++)
    points[i] = 2 * lac_rng_uniform(&rng) - 1;
  for (network.depth = 1; network.depth <= 4; network.depth++) {
    double sum = 0, squares = 0;

    g_free(theta);
    theta = g_new(double, lac_network_get_n_parameters(&network));
    lac_network_initialise(&network, &rng, theta);
    evaluate_plain(&network, theta, points, N, values);
    for (gsize i = 0; i < N * network.n_out; i++) {
      sum += 30 * values[i];
      squares += 900 * values[i] * values[i];
    }
    sum /= (double) (N * network.n_out);
    squares /= (double) (N * network.n_out);
    g_assert_cmpfloat(fabs((squares - sum * sum) / (1 + 900.0 / 3 / 200) - 1), <, 0.25);
  }
}

/* The same random draws with and without factors give the same initial function. */
static void
test_factorised_start(void)
{
  Kind       kind = {LAC_NETWORK_MODIFIED_MLP, EMBED_RANDOM, FALSE, TRUE};
  LacNetwork plain = network_of(&kind), factorised;
  double     theta[MOST], factors[MOST], points[] = {0.3, -2, 1.1, 4, 0, 0.5}, values[6], others[6];
  LacRng     rng = lac_rng(4, 0);
  gsize      n_weights = 0;

  kind.factorised = TRUE;
  factorised = network_of(&kind);
  factorised.factor_deviation = 0;
  lac_network_initialise(&plain, &rng, theta);
  lac_network_initialise(&factorised, &rng, factors);
  g_assert_cmpuint(lac_network_get_n_parameters(&factorised), ==,
                   lac_network_get_n_parameters(&plain) + 4 * plain.width + plain.n_out);
  /* copy the plain weights, divided, behind the factors of each layer */
  for (gsize layer = 0, from = 0, to = 0; layer < 5; layer++) {
    const gsize rows = layer < 4 ? plain.width : plain.n_out;
    const gsize columns = layer < 3 ? 2 * plain.n_random : plain.width;

    to += rows;
    for (gsize i = 0; i < rows * columns; i++, n_weights++)
      factors[to + i] = theta[from + i] / exp(0.5);
    from += rows * (columns + 1);
    to += rows * (columns + 1);
  }
  evaluate_plain(&plain, theta, points, 3, values);
  evaluate_plain(&factorised, factors, points, 3, others);
  for (gsize i = 0; i < 6; i++)
    assert_near(others[i], values[i], 1e-14);
}

/* ---- masks ---- */

/* Disabled harmonics have no effect; half-enabled ones interpolate linearly, because the first layer is linear in
 * them. */
static void
test_mask(void)
{
  const Kind kind = {LAC_NETWORK_MLP, EMBED_AXES, FALSE, FALSE};
  LacNetwork network = network_of(&kind), without = network;
  double     open[2 * N_POINTS], closed[2 * N_POINTS], wanted[2 * N_POINTS], theta[MOST];
  Bench      bench;

  bench_init(&bench, &network, LAC_F64);
  evaluate(&bench, 0, 0, 1, open);
  lac_network_feed_mask(&network, bench.program, bench.parts.mask, 0);
  evaluate(&bench, 0, 0, 1, closed);
  without.axes[1].n_harmonics = 0;
  without.masked = FALSE;
  for (gsize i = 0; i < network.width; i++)
    memcpy(theta + 2 * i, bench.theta + 8 * i, 2 * sizeof *theta);
  memcpy(theta + 2 * network.width, bench.theta + 8 * network.width,
         (bench.n_parameters - 8 * network.width) * sizeof *theta);
  evaluate_plain(&without, theta, bench.at, N_POINTS, wanted);
  for (gsize i = 0; i < 2 * N_POINTS; i++)
    assert_near(closed[i], wanted[i], 1e-14);
  lac_network_feed_mask(&network, bench.program, bench.parts.mask, 3);
  evaluate(&bench, 0, 0, 1, closed);
  g_assert_cmpmem(closed, sizeof closed, open, sizeof open);
  lac_network_feed_mask(&network, bench.program, bench.parts.mask, 2.5);
  evaluate(&bench, 0, 0, 1, closed);
  for (gsize i = 0; i < network.width; i++) {
    bench.theta[8 * i + 4] /= 2; /* the weights of the third sine and cosine */
    bench.theta[8 * i + 7] /= 2;
  }
  lac_network_feed_mask(&network, bench.program, bench.parts.mask, 3);
  lac_program_set_theta(bench.program, bench.theta);
  evaluate(&bench, 0, 0, 1, open);
  for (gsize i = 0; i < 2 * N_POINTS; i++)
    assert_near(closed[i], open[i], 1e-14);
  bench_clear(&bench);
}

static void
add_kinds(void)
{
  for (LacArchitecture a = 0; a < LAC_N_ARCHITECTURES; a++) {
    for (guint i = 0; i < 4 * N_EMBEDDINGS; i++) {
      Kind            *kind = g_new(Kind, 1);
      g_autofree char *path = NULL;

      *kind = (Kind){a, i / 4, i % 2, i / 2 % 2};
      path = g_strdup_printf("/experiment/network/%s/%s%s%s/derivatives are those of differences",
                             lac_architecture_name(a), embedding_names[kind->embedding],
                             kind->factorised ? ", factorised" : "",
                             kind->stretched ? ", stretched" : "");
      g_test_add_data_func_full(path, kind, test_kind, g_free);
    }
  }
}

int
main(int argc, char **argv)
{
  static const Kind periodic = {LAC_NETWORK_MODIFIED_MLP, EMBED_PERIODIC, FALSE, FALSE};
  static const Kind both = {LAC_NETWORK_MLP, EMBED_PERIODIC_RANDOM, TRUE, FALSE};

  g_test_init(&argc, &argv, NULL);
  add_kinds();
  g_test_add_data_func("/experiment/network/a-periodic-axis-repeats", &periodic, test_periodic);
  g_test_add_data_func("/experiment/network/random-frequencies-of-a-periodic-axis-repeat", &both,
                       test_periodic);
  g_test_add_func("/experiment/network/parameters-are-counted-as-they-are-declared", test_count);
  g_test_add_func("/experiment/network/weights-begin-as-glorot-has-them", test_glorot);
  g_test_add_func("/experiment/network/a-piratenet-begins-linear-in-its-inputs",
                  test_piratenet_start);
  g_test_add_func("/experiment/network/layers-of-a-siren-begin-with-one-spread", test_siren_start);
  g_test_add_func("/experiment/network/factors-leave-the-function-alone", test_factorised_start);
  g_test_add_func("/experiment/network/a-mask-closes-harmonics", test_mask);
  g_test_add_data_func("/experiment/network/one-hidden-layer-is-a-plain-loop", &perceptrons[0],
                       test_values);
  g_test_add_data_func("/experiment/network/three-hidden-layers-are-a-plain-loop", &perceptrons[1],
                       test_values);
  g_test_add_data_func("/experiment/network/two-outputs-are-a-plain-loop", &perceptrons[2],
                       test_values);
  return g_test_run();
}
