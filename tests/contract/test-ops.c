/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every op, every case, every backend that opens: values against the oracle in double, jets and gradients against
 * finite differences. Every registered op is tested. */
#include "emulated.h"

#include "base/pool.h"
#include "base/rng.h"
#include "contract/helpers/shard.h"
#include "graph/op.h"
#include "graph/program/program.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_POINTS    21 /* not a multiple of any tile or vector length */
#define N_SPACE     2
#define MAX_COLUMNS 8
#define MAX_STREAMS 16
#define MAX_OUTPUTS 16

typedef struct {
  const char *name;
  guint       n_directions;
  guint       orders[2];
  double      directions[2 * N_SPACE];
  double      weights[2];
  gboolean    has_sum;
} JetCase;

static const JetCase jets[] = {
  {"value", 0, {0}, {0}, {0}, FALSE},
  {"first", 2, {1, 1}, {1, 0, 0, 1}, {0}, FALSE},
  {"second and sum", 2, {2, 2}, {1, 0, 0.6, 0.8}, {0.75, 1.5}, TRUE},
  {"collapsed sum", 2, {1, 1}, {1, 0, 0.6, 0.8}, {0.75, 1.5}, TRUE},
  {"fourth and first", 2, {4, 1}, {0.8, -0.6, 0, 1}, {0}, FALSE},
};

typedef struct {
  const LacBackend *backend; /* NULL: the emulated CUDA backend */
  const LacOp      *op;
  const LacOpCase  *row;
} Subject;

/* The graph of a case: operands are smooth functions of a point, low ... high. */
typedef struct {
  const LacOpCase *row;
  LacJet           jet;
  gsize            columns; /* total of all operands */
  LacGraph        *graph;
  LacNode          points, result, loss;
  LacNode          outputs[MAX_OUTPUTS]; /* the value, then the other streams */
  gsize            n_outputs, width;
  gsize            n_parameters, own; /* length of theta, and offset of the op's own parameters */
  double           theta[256];
  double           at[N_POINTS * N_SPACE];
} Bench;

static void
collect_streams(Bench *bench)
{
  LacNode terms[MAX_OUTPUTS];
  double  factors[MAX_OUTPUTS];
  LacJet  jet = lac_node_get_jet(bench->result);

  bench->outputs[bench->n_outputs++] = lac_value(bench->result);
  for (guint d = 0; d < jet.n_directions; d++) {
    for (guint order = 1; order <= jet.order[d]; order++)
      bench->outputs[bench->n_outputs++] = lac_derivative(bench->result, d, order);
  }
  if (jet.sum)
    bench->outputs[bench->n_outputs++] = lac_laplacian(bench->result);
  for (gsize i = 0; i < bench->n_outputs; i++) {
    terms[i] = lac_mean_square(bench->outputs[i], LAC_NO_NODE);
    factors[i] = 1 / (1.0 + (double) i);
  }
  bench->loss = lac_weighted_sum(terms, factors, bench->n_outputs);
}

static void
bench_init(Bench *bench, const LacOpCase *row, const JetCase *jet)
{
  LacRng  rng = lac_rng(7, 0);
  LacNode weight, bias, all, operands[2];
  guint   first = 0;

  memset(bench, 0, sizeof *bench);
  bench->row = row;
  bench->jet = lac_jet(jet->n_directions, jet->orders, jet->has_sum ? jet->weights : NULL);
  bench->columns = row->columns[0] + row->columns[1];
  bench->graph = lac_graph_new();
  bench->points = lac_graph_points(bench->graph, "at", 0, N_POINTS, N_SPACE);
  weight = lac_graph_parameter(bench->graph, "curves", bench->columns, N_SPACE);
  bias = lac_graph_parameter(bench->graph, "phases", 1, bench->columns);
  bench->own = lac_graph_get_n_parameters(bench->graph);
  all = lac_graph_seed(bench->points, &bench->jet, jet->directions);
  all = lac_map(lac_linear(all, weight, bias), LAC_SCALAR_SIN);
  all = lac_offset(lac_scale(all, (row->high - row->low) / 2), (row->high + row->low) / 2);
  for (guint k = 0; k < 2 && row->columns[k]; k++) {
    operands[k] = lac_columns(all, first, row->columns[k]);
    first += (guint) row->columns[k];
  }
  bench->result = row->build(bench->graph, operands);
  bench->n_parameters = lac_graph_get_n_parameters(bench->graph);
  bench->width = lac_node_info(bench->result)->kind == LAC_NODE_SCALAR
                   ? 1
                   : lac_node_get_n_columns(bench->result);
  if (lac_node_info(bench->result)->kind == LAC_NODE_SCALAR)
    bench->loss = bench->result;
  else
    collect_streams(bench);
  g_assert_cmpuint(bench->n_parameters, <=, G_N_ELEMENTS(bench->theta));
  for (gsize i = 0; i < bench->n_parameters; i++)
    bench->theta[i] = 2 * lac_rng_uniform(&rng) - 1;
  for (gsize i = 0; i < G_N_ELEMENTS(bench->at); i++)
    bench->at[i] = 2 * lac_rng_uniform(&rng) - 1;
}

static void
bench_clear(Bench *bench)
{
  g_clear_pointer(&bench->graph, lac_graph_free);
}

/* Evaluates the oracle as a function of the point. */
static void
truth(const Bench *bench, const double *at, double *y)
{
  const LacOpCase *row = bench->row;
  double           all[2 * MAX_COLUMNS];
  const double    *operands[2] = {all, all + row->columns[0]};
  const double    *bias = bench->theta + bench->columns * N_SPACE;

  for (gsize j = 0; j < bench->columns; j++) {
    double phase =
      bias[j] + bench->theta[j * N_SPACE] * at[0] + bench->theta[j * N_SPACE + 1] * at[1];

    all[j] = (row->high - row->low) / 2 * sin(phase) + (row->high + row->low) / 2;
  }
  row->oracle(operands, bench->theta + bench->own, y);
}

static LacProgram *
program_for(const Bench *bench, LacDevice device, LacType type, gboolean gradient)
{
  g_autoptr(GError) error = NULL;
  LacProgramOptions options = {
    .device = device, .type = type, .gradient = gradient, .tile_points = 8};
  LacProgram *program =
    lac_program_new(bench->graph, bench->loss, bench->outputs, bench->n_outputs, &options, &error);

  g_assert_no_error(error);
  lac_program_set_theta(program, bench->theta);
  lac_program_feed(program, bench->points, bench->at);
  return program;
}

static double
run(LacProgram *program)
{
  g_autoptr(GError) error = NULL;
  double            loss = 0;

  lac_program_run(program, NULL, 0, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

static gboolean
open_device(const LacBackend *backend, LacDevice *device)
{
  g_autoptr(GError) error = NULL;

  if (!backend) {
    emulated_set_order(EMULATED_RANDOM, 7);
    return emulated_open(device);
  }
  if (lac_device_open(device, backend->name, &error))
    return TRUE;
  g_test_skip(backend->what);
  return FALSE;
}

static void
assert_near(double found, double wanted, double tolerance)
{
  if (!(fabs(found - wanted) <= tolerance * fmax(1, fabs(wanted))))
    g_test_message("%.17g where %.17g was expected", found, wanted);
  g_assert_cmpfloat(fabs(found - wanted), <=, tolerance * fmax(1, fabs(wanted)));
}

/* Tolerance: rounding of a few dozen operations on values of size 10. */
static void
test_values(gconstpointer data)
{
  const Subject *subject = data;
  const double   tolerances[] = {[LAC_F32] = 2e-5, [LAC_F64] = 1e-13};
  LacDevice      device;

  if (!open_device(subject->backend, &device))
    return;
  for (LacType type = LAC_F32; type <= LAC_F64; type++) {
    Bench  bench;
    double found[N_POINTS * MAX_COLUMNS], y[MAX_COLUMNS], sum = 0;

    bench_init(&bench, subject->row, &jets[2]);
    g_autoptr(LacProgram) program = program_for(&bench, device, type, FALSE);
    double                loss = run(program);

    if (bench.n_outputs)
      lac_program_read(program, bench.outputs[0], found);
    for (gsize i = 0; i < N_POINTS; i++) {
      truth(&bench, bench.at + i * N_SPACE, y);
      sum += y[0] / N_POINTS;
      for (gsize j = 0; j < bench.width && bench.n_outputs; j++)
        assert_near(found[i * bench.width + j], y[j], tolerances[type]);
    }
    if (!bench.n_outputs)
      assert_near(loss, sum, tolerances[type]);
    bench_clear(&bench);
  }
  lac_device_close(&device);
}

/* Reads all outputs, one after another, at points moved by @h along @direction. */
static void
read_moved(const Bench  *bench,
           LacProgram   *program,
           const double *direction,
           double        h,
           double       *values)
{
  double at[N_POINTS * N_SPACE];

  for (gsize i = 0; i < N_POINTS; i++) {
    for (gsize k = 0; k < N_SPACE; k++)
      at[i * N_SPACE + k] = bench->at[i * N_SPACE + k] + (direction ? h * direction[k] : 0);
  }
  lac_program_feed(program, bench->points, at);
  run(program);
  for (gsize i = 0; i < bench->n_outputs; i++)
    lac_program_read(program, bench->outputs[i], values + i * N_POINTS * bench->width);
}

/* Central differences of the oracle with h = 1e-4: errors h^2 / 6 u''' and eps / h^2 stay below 1e-7 and 1e-6. */
static void
check_low_orders(const Bench *bench, const double *direction, guint order, const double *streams)
{
  const double h = 1e-4;

  for (gsize i = 0; i < N_POINTS; i++) {
    double ahead[N_SPACE], behind[N_SPACE], y0[MAX_COLUMNS], y1[MAX_COLUMNS], y2[MAX_COLUMNS];

    for (gsize k = 0; k < N_SPACE; k++) {
      ahead[k] = bench->at[i * N_SPACE + k] + h * direction[k];
      behind[k] = bench->at[i * N_SPACE + k] - h * direction[k];
    }
    truth(bench, bench->at + i * N_SPACE, y0);
    truth(bench, ahead, y1);
    truth(bench, behind, y2);
    for (gsize j = 0; j < bench->width; j++) {
      gsize at = i * bench->width + j;

      assert_near(streams[at], (y1[j] - y2[j]) / (2 * h), 1e-7);
      if (order >= 2)
        assert_near(streams[N_POINTS * bench->width + at], (y1[j] - 2 * y0[j] + y2[j]) / (h * h),
                    1e-6);
    }
  }
}

/* Orders three and four by central differences of the lower orders, which are checked separately. */
static void
check_high_orders(const Bench  *bench,
                  LacProgram   *program,
                  const double *direction,
                  gsize         first,
                  guint         order)
{
  const double       h = 1e-4;
  gsize              length = N_POINTS * bench->width, all = bench->n_outputs * length;
  g_autofree double *here = g_new(double, 3 * all);
  double            *ahead = here + all, *behind = ahead + all;

  read_moved(bench, program, direction, h, ahead);
  read_moved(bench, program, direction, -h, behind);
  read_moved(bench, program, NULL, 0, here);
  for (guint k = 3; k <= order; k++) {
    gsize stream = (first + k - 1) * length, below = stream - length;

    for (gsize i = 0; i < length; i++)
      assert_near(here[stream + i], (ahead[below + i] - behind[below + i]) / (2 * h), 1e-5);
  }
}

static void
check_sum(const Bench *bench, const JetCase *jet, const double *values)
{
  gsize length = N_POINTS * bench->width, sum = (bench->n_outputs - 1) * length;

  for (gsize i = 0; i < length; i++) {
    double wanted =
      jet->weights[0] * values[2 * length + i] + jet->weights[1] * values[4 * length + i];

    assert_near(values[sum + i], wanted, 1e-12);
  }
}

static void
check_derivatives(const Bench *bench, const JetCase *jet, LacDevice device)
{
  g_autoptr(LacProgram) program = program_for(bench, device, LAC_F64, FALSE);
  g_autoptr(LacProgram) narrow = program_for(bench, device, LAC_F32, FALSE);
  gsize                 length = N_POINTS * bench->width, all = bench->n_outputs * length;
  g_autofree double    *values = g_new(double, 2 * all);
  gsize                 first = 1;

  read_moved(bench, program, NULL, 0, values);
  read_moved(bench, narrow, NULL, 0, values + all);
  for (gsize i = 0; i < all; i++)
    assert_near(values[all + i], values[i],
                1e-4); /* a fourth derivative sums fifteen products of size 100 */
  if (lac_node_get_jet(bench->result).n_streams == 1)
    return;
  for (guint d = 0; d < jet->n_directions; d++) {
    const double *direction = jet->directions + d * N_SPACE;

    check_low_orders(bench, direction, jet->orders[d], values + first * length);
    check_high_orders(bench, program, direction, first, jet->orders[d]);
    first += jet->orders[d];
  }
  if (jet->has_sum && jet->orders[0] == 2)
    check_sum(bench, jet, values);
}

static void
test_derivatives(gconstpointer data)
{
  const Subject *subject = data;
  LacDevice      device;

  if (!open_device(subject->backend, &device))
    return;
  for (gsize k = 1; k < G_N_ELEMENTS(jets); k++) {
    Bench bench;

    bench_init(&bench, subject->row, &jets[k]);
    if (bench.n_outputs)
      check_derivatives(&bench, &jets[k], device);
    bench_clear(&bench);
  }
  lac_device_close(&device);
}

/* The collapsed sum next to first derivatives equals the weighted sum of the full jet's second derivatives. */
static void
test_collapse(gconstpointer data)
{
  const Subject *subject = data;
  LacDevice      device;
  Bench          full, collapsed;

  if (!open_device(subject->backend, &device))
    return;
  bench_init(&full, subject->row, &jets[2]);
  bench_init(&collapsed, subject->row, &jets[3]);
  if (lac_node_get_jet(full.result).sum) {
    g_autoptr(LacProgram) one = program_for(&full, device, LAC_F64, FALSE);
    g_autoptr(LacProgram) two = program_for(&collapsed, device, LAC_F64, FALSE);
    double                wanted[N_POINTS * MAX_COLUMNS], found[N_POINTS * MAX_COLUMNS];

    run(one);
    run(two);
    lac_program_read(one, full.outputs[full.n_outputs - 1], wanted);
    lac_program_read(two, collapsed.outputs[collapsed.n_outputs - 1], found);
    for (gsize i = 0; i < N_POINTS * full.width; i++)
      assert_near(found[i], wanted[i], 1e-12);
  }
  bench_clear(&full);
  bench_clear(&collapsed);
  lac_device_close(&device);
}

static double
loss_at(const Bench *bench, LacProgram *program, const double *way, double h)
{
  g_autofree double *theta = g_new(double, bench->n_parameters);

  for (gsize i = 0; i < bench->n_parameters; i++)
    theta[i] = bench->theta[i] + h * way[i];
  lac_program_set_theta(program, theta);
  return run(program);
}

static void
read_gradient(LacProgram *program, gsize n, double *gradient)
{
  LacDevice device = lac_program_get_device(program);

  if (lac_program_get_type(program) == LAC_F64) {
    device.table->download(device.self, gradient, lac_program_get_gradient(program),
                           n * sizeof *gradient);
    return;
  }
  g_autofree float *narrow = g_new(float, n);

  device.table->download(device.self, narrow, lac_program_get_gradient(program),
                         n * sizeof *narrow);
  for (gsize i = 0; i < n; i++)
    gradient[i] = (double) narrow[i];
}

/* Five-point differences: with fourth derivatives in the loss h^4 L^(5) / 30 requires this step, and eps L / h
 * permits it. */
static void
check_gradient(const Bench *bench, LacDevice device)
{
  const double          h = 3e-4;
  g_autoptr(LacProgram) program = program_for(bench, device, LAC_F64, TRUE);
  g_autoptr(LacProgram) narrow = program_for(bench, device, LAC_F32, TRUE);
  gsize                 n = bench->n_parameters;
  g_autofree double    *gradient = g_new(double, 3 * n);
  double               *single = gradient + n, *way = single + n;
  double                difference = 0, size = 0;
  LacRng                rng = lac_rng(11, 0);

  run(program);
  read_gradient(program, n, gradient);
  run(narrow);
  read_gradient(narrow, n, single);
  for (gsize i = 0; i < n; i++) {
    difference += (single[i] - gradient[i]) * (single[i] - gradient[i]);
    size += gradient[i] * gradient[i];
  }
  g_assert_cmpfloat(sqrt(difference / size), <=, 1e-5); /* required: 1e-3 */
  for (guint repeat = 0; repeat < 3; repeat++) {
    double slope = 0, scale = 0, wanted;

    for (gsize i = 0; i < n; i++) {
      way[i] = lac_rng_normal(&rng);
      slope += way[i] * gradient[i];
      scale += fabs(way[i] * gradient[i]);
    }
    wanted = (8 * (loss_at(bench, program, way, h) - loss_at(bench, program, way, -h)) -
              (loss_at(bench, program, way, 2 * h) - loss_at(bench, program, way, -2 * h))) /
             (12 * h);
    g_assert_cmpfloat(fabs(slope - wanted), <=, 1e-8 * scale);
  }
}

static void
test_gradient(gconstpointer data)
{
  const Subject *subject = data;
  LacDevice      device;

  if (!open_device(subject->backend, &device))
    return;
  for (gsize k = 0; k < G_N_ELEMENTS(jets); k++) {
    Bench bench;

    bench_init(&bench, subject->row, &jets[k]);
    check_gradient(&bench, device);
    bench_clear(&bench);
  }
  lac_device_close(&device);
}

static void
add_case(const LacBackend *backend, const LacOp *op, const LacOpCase *row)
{
  static const struct {
    const char *name;
    void (*func)(gconstpointer);
  } parts[] = {
    {"values are the oracle's", test_values},
    {"derivatives are those of differences", test_derivatives},
    {"the collapsed sum is the sum", test_collapse},
    {"the gradient is that of differences", test_gradient},
  };

  if (!shard_has_next())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_autofree char *path =
      g_strdup_printf("/ops/%s/%s/%s/%s", backend ? backend->name : "cuda-emulated", op->name,
                      row->name, parts[i].name);
    const Subject subject = {backend, op, row};

    g_test_add_data_func(path, shard_keep(&subject, sizeof subject), parts[i].func);
  }
}

/* Leaves compute nothing; every other op must have a case. */
static void
test_complete(void)
{
  gsize               n_ops;
  const LacOp *const *ops = lac_ops(&n_ops);

  for (gsize i = 0; i < n_ops; i++)
    g_assert_true(ops[i]->n_cases > 0 || !ops[i]->forward);
}

int
main(int argc, char **argv)
{
  gsize                    n_ops, n_backends;
  const LacOp *const      *ops = lac_ops(&n_ops);
  const LacBackend *const *backends = lac_backends(&n_backends);

  g_test_init(&argc, &argv, NULL);
  shard_init(argc, argv);
  g_test_add_func("/ops/every one that computes has a case", test_complete);
  for (gsize b = 0; b <= n_backends; b++) {
    for (gsize i = 0; i < n_ops; i++) {
      for (gsize k = 0; k < ops[i]->n_cases; k++)
        add_case(b < n_backends ? backends[b] : NULL, ops[i], &ops[i]->cases[k]);
    }
  }
  return g_test_run();
}
