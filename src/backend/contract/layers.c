/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear kernels against the triple sum, the fused layer against linear and map_jet, and several threads against
 * one. */
#include "backend/contract/private.h"

#include <math.h>
#include <string.h>

typedef struct {
  gsize n_points, n_streams, n_in, n_out;
} Shape;

static const Shape shapes[] = {
  {5, 1, 1, 1},   {7, 5, 3, 40},  {7, 5, 4, 300}, {7, 5, 40, 3},
  {3, 2, 300, 2}, {7, 5, 20, 33}, {300, 6, 8, 8}, {300, 6, 2, 9},
};

static void
check_linear(LacContract *contract, const Shape *s, gboolean biased)
{
  const gsize        rows = s->n_points * s->n_streams;
  LacContractBuffer *x = lac_contract_random_buffer(contract, rows * s->n_in, 1);
  LacContractBuffer *w = lac_contract_random_buffer(contract, s->n_out * s->n_in, 1);
  LacContractBuffer *bias = lac_contract_random_buffer(contract, s->n_out, 1);
  LacContractBuffer *y = lac_contract_constant_buffer(contract, rows * s->n_out, NAN);
  LacLinear          args = {.type = contract->type,
                             .n_points = s->n_points,
                             .n_streams = s->n_streams,
                             .n_in = s->n_in,
                             .n_out = s->n_out,
                             .x = x->device,
                             .w = w->device,
                             .bias = biased ? bias->device : NULL,
                             .y = y->device};

  lac_contract_ok(contract, contract->device.table->linear(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  for (gsize r = 0; r < rows; r++)
    for (gsize o = 0; o < s->n_out; o++) {
      double sum = biased && r % s->n_streams == 0 ? bias->host[o] : 0;
      for (gsize i = 0; i < s->n_in; i++)
        sum += x->host[r * s->n_in + i] * w->host[o * s->n_in + i];
      lac_contract_close(contract, y->host[r * s->n_out + o], sum, sqrt((double) s->n_in),
                         4 + s->n_in);
    }
  lac_contract_clear(contract);
}

static void
run_linear(LacContract *contract)
{
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    for (int biased = 0; biased < 2; biased++)
      check_linear(contract, &shapes[i], biased);
}

/* Adds a^T b or a b to `sum`, for the reference of the bars. */
static double
column_dot(const double *a, gsize a_row, const double *b, gsize b_row, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i * a_row] * b[i * b_row];
  return sum;
}

static void
check_bars(const LacContract       *contract,
           const Shape             *s,
           const LacContractBuffer *x,
           const LacContractBuffer *w,
           const LacContractBuffer *y_bar)
{
  const gsize              rows = s->n_points * s->n_streams;
  const LacContractBuffer *x_bar = y_bar + 1, *w_bar = y_bar + 2, *bias_bar = y_bar + 3;
  const double             deep = sqrt((double) rows), wide = sqrt((double) s->n_out);

  for (gsize r = 0; r < rows; r++)
    for (gsize i = 0; i < s->n_in; i++)
      lac_contract_close(
        contract, x_bar->host[r * s->n_in + i],
        0.5 + column_dot(y_bar->host + r * s->n_out, 1, w->host + i, s->n_in, s->n_out), wide,
        4 + s->n_out);
  for (gsize o = 0; o < s->n_out; o++) {
    for (gsize i = 0; i < s->n_in; i++)
      lac_contract_close(contract, w_bar->host[o * s->n_in + i],
                         0.5 + column_dot(y_bar->host + o, s->n_out, x->host + i, s->n_in, rows),
                         deep, 8 + deep);
    lac_contract_close(contract, bias_bar->host[o],
                       0.5 + column_dot(y_bar->host + o, s->n_out * s->n_streams,
                                        (const double[]){1}, 0, s->n_points),
                       deep, 8 + deep);
  }
}

static void
check_linear_reverse(LacContract *contract, const Shape *s)
{
  const gsize        rows = s->n_points * s->n_streams;
  LacContractBuffer *x = lac_contract_random_buffer(contract, rows * s->n_in, 1);
  LacContractBuffer *w = lac_contract_random_buffer(contract, s->n_out * s->n_in, 1);
  LacContractBuffer *y_bar = lac_contract_random_buffer(contract, rows * s->n_out, 1);
  LacContractBuffer *x_bar = lac_contract_constant_buffer(contract, x->n, 0.5);
  LacContractBuffer *w_bar = lac_contract_constant_buffer(contract, w->n, 0.5);
  LacContractBuffer *bias_bar = lac_contract_constant_buffer(contract, s->n_out, 0.5);
  LacLinear          args = {.type = contract->type,
                             .n_points = s->n_points,
                             .n_streams = s->n_streams,
                             .n_in = s->n_in,
                             .n_out = s->n_out,
                             .x = x->device,
                             .w = w->device,
                             .y_bar = y_bar->device};

  lac_contract_ok(contract, contract->device.table->linear_reverse(contract->device.self,
                                                                   &args)); /* every bar skipped */
  args.x_bar = x_bar->device;
  lac_contract_ok(contract, contract->device.table->linear_reverse(contract->device.self, &args));
  args.x_bar = NULL;
  args.w_bar = w_bar->device;
  args.bias_bar = bias_bar->device;
  lac_contract_ok(contract, contract->device.table->linear_reverse(contract->device.self, &args));
  lac_contract_fetch(contract, x_bar);
  lac_contract_fetch(contract, w_bar);
  lac_contract_fetch(contract, bias_bar);
  check_bars(contract, s, x, w, y_bar);
  lac_contract_clear(contract);
}

static void
run_linear_reverse(LacContract *contract)
{
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    check_linear_reverse(contract, &shapes[i]);
}

/* ---- layer ---- */

typedef struct {
  LacScalar          scalar;
  LacJet             jet;
  gsize              n_points, n_in, n_out;
  LacContractBuffer *x, *w, *bias;
  LacLayer           args; /* packed, with y and saved */
  LacContractBuffer *y;
} Net;

static Net
make_net(LacContract *contract, LacScalar scalar, LacJet jet, const Shape *s)
{
  const gsize rows = s->n_points * jet.n_streams;
  Net         net = {scalar, jet, s->n_points, s->n_in, s->n_out};
  gsize       n_bytes;

  net.x = lac_contract_random_buffer(contract, rows * s->n_in, 1);
  net.w = lac_contract_random_buffer(contract, s->n_out * s->n_in, 1 / sqrt((double) s->n_in));
  net.bias = lac_contract_random_buffer(contract, s->n_out, 1);
  net.y = lac_contract_constant_buffer(contract, rows * s->n_out, NAN);
  net.args =
    (LacLayer){.scalar = scalar,
               .type = contract->type,
               .jet = NULL,
               .n_points = s->n_points,
               .n_in = s->n_in,
               .n_out = s->n_out,
               .x = net.x->device,
               .w = net.w->device,
               .bias = net.bias->device,
               .y = net.y->device,
               .saved = lac_contract_constant_buffer(contract, rows * s->n_out, NAN)->device};
  net.args.jet = &jet;
  n_bytes = contract->device.table->layer_pack_bytes(contract->device.self, &net.args);
  net.args.w_forward =
    lac_contract_constant_buffer(contract, n_bytes / lac_type_size(contract->type), NAN)->device;
  net.args.w_reverse =
    lac_contract_constant_buffer(contract, n_bytes / lac_type_size(contract->type), NAN)->device;
  lac_contract_ok(contract, contract->device.table->layer_pack(contract->device.self, &net.args,
                                                               (void *) net.args.w_forward,
                                                               (void *) net.args.w_reverse));
  return net;
}

static void
check_layer(LacContract *contract, Net *net)
{
  const LacBackend  *table = contract->device.table;
  LacContractBuffer *z = lac_contract_constant_buffer(contract, net->y->n, NAN);
  g_autofree double *fused = NULL;
  LacLinear          linear = {.type = contract->type,
                               .n_points = net->n_points,
                               .n_streams = net->jet.n_streams,
                               .n_in = net->n_in,
                               .n_out = net->n_out,
                               .x = net->x->device,
                               .w = net->w->device,
                               .bias = net->bias->device,
                               .y = z->device};
  LacMapJet          map = {.scalar = net->scalar,
                            .type = contract->type,
                            .jet = &net->jet,
                            .n_points = net->n_points,
                            .n_columns = net->n_out,
                            .x = z->device,
                            .y = net->y->device};

  net->args.jet = &net->jet;
  lac_contract_ok(contract, table->layer(contract->device.self, &net->args));
  lac_contract_fetch(contract, net->y);
  fused = g_memdup2(net->y->host, net->y->n * sizeof(double));
  lac_contract_ok(contract, table->linear(contract->device.self, &linear));
  lac_contract_ok(contract, table->map_jet(contract->device.self, &map));
  lac_contract_fetch(contract, net->y);
  for (gsize i = 0; i < net->y->n; i++)
    lac_contract_close(contract, fused[i], net->y->host[i], 64,
                       16); /* fourth derivatives of arguments below 2 */
}

/* Checks that the bars of the fused layer equal those of linear and map_jet in sequence. */
static void
check_layer_reverse(LacContract *contract, Net *net)
{
  const LacBackend  *table = contract->device.table;
  void              *self = contract->device.self;
  LacContractBuffer *z = lac_contract_constant_buffer(contract, net->y->n, NAN);
  LacContractBuffer *y_bar = lac_contract_random_buffer(contract, net->y->n, 1);
  LacContractBuffer *z_bar = lac_contract_constant_buffer(contract, net->y->n, 0);
  LacContractBuffer *bars[2][3];
  LacLinear          linear = {.type = contract->type,
                               .n_points = net->n_points,
                               .n_streams = net->jet.n_streams,
                               .n_in = net->n_in,
                               .n_out = net->n_out,
                               .x = net->x->device,
                               .w = net->w->device,
                               .bias = net->bias->device,
                               .y = z->device};
  LacMapJet          map = {.scalar = net->scalar,
                            .type = contract->type,
                            .jet = &net->jet,
                            .n_points = net->n_points,
                            .n_columns = net->n_out,
                            .x = z->device,
                            .y = net->y->device,
                            .y_bar = y_bar->device,
                            .x_bar = z_bar->device};

  for (int way = 0; way < 2; way++) {
    bars[way][0] = lac_contract_constant_buffer(contract, net->x->n, 0.5);
    bars[way][1] = lac_contract_constant_buffer(contract, net->w->n, 0.5);
    bars[way][2] = lac_contract_constant_buffer(contract, net->n_out, 0.5);
  }
  net->args.jet = &net->jet;
  lac_contract_ok(contract, table->layer(self, &net->args));
  lac_contract_ok(contract, table->linear(self, &linear));
  lac_contract_ok(contract, table->map_jet(self, &map));
  lac_contract_ok(contract, table->map_jet_reverse(self, &map));
  linear.y_bar = z_bar->device;
  linear.x_bar = bars[0][0]->device;
  linear.w_bar = bars[0][1]->device;
  linear.bias_bar = bars[0][2]->device;
  lac_contract_ok(contract, table->linear_reverse(self, &linear));
  net->args.y_bar = y_bar->device; /* overwritten by z_bar */
  net->args.x_bar = bars[1][0]->device;
  net->args.w_bar = bars[1][1]->device;
  net->args.bias_bar = bars[1][2]->device;
  lac_contract_ok(contract, table->layer_reverse(self, &net->args));
  lac_contract_fetch(contract, y_bar);
  lac_contract_fetch(contract, z_bar);
  for (gsize i = 0; i < y_bar->n; i++)
    lac_contract_close(contract, y_bar->host[i], z_bar->host[i], 256, 16);
  for (int k = 0; k < 3; k++) {
    lac_contract_fetch(contract, bars[0][k]);
    lac_contract_fetch(contract, bars[1][k]);
    for (gsize i = 0; i < bars[0][k]->n; i++)
      lac_contract_close(contract, bars[1][k]->host[i], bars[0][k]->host[i],
                         256 * sqrt((double) net->n_points), 16);
  }
}

static void
for_all_nets(LacContract *contract, void (*check)(LacContract *contract, Net *net))
{
  static const Shape sizes[] = {
    {5, 0, 3, 20},
    {32, 0, 64, 64},
    {7, 0, 50, 37},
  };
  const LacJet jets[] = {
    lac_jet_value(),
    lac_jet(3, (const unsigned[]){1, 1, 1}, (const double[]){0, 1, 0.5}),
    lac_jet(2, (const unsigned[]){2, 1}, NULL),
    lac_jet(2, (const unsigned[]){4, 3}, (const double[]){1, 0.5}),
  };

  for (int scalar = 0; scalar < LAC_N_SCALARS; scalar++)
    for (gsize j = 0; j < G_N_ELEMENTS(jets); j++)
      for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
        if (lac_contract_scalar_is_positive((LacScalar) scalar))
          continue; /* no activation */
        Net net = make_net(contract, (LacScalar) scalar, jets[j], &sizes[s]);
        check(contract, &net);
        lac_contract_clear(contract);
      }
}

static void
run_layer(LacContract *contract)
{
  for_all_nets(contract, check_layer);
}

static void
run_layer_reverse(LacContract *contract)
{
  for_all_nets(contract, check_layer_reverse);
}

/* ---- threads ---- */

typedef struct {
  const LacContract *contract;
  LacLayer           args;
  LacStatus          status; /* first error */
} Tile;

static gpointer
run_tile(gpointer data)
{
  Tile *tile = data;

  for (int turn = 0; turn < 50 && tile->status == LAC_STATUS_OK; turn++)
    tile->status = tile->contract->device.table->layer(tile->contract->device.self, &tile->args);
  return NULL;
}

/* Checks that four threads on four tiles, repeatedly, leave the same result as one thread. */
static void
check_threads(LacContract *contract, LacScalar scalar)
{
  enum { N_TILES = 4, POINTS = 16 };
  const Shape shape = {N_TILES * POINTS, 0, 48, 64};
  Net net = make_net(contract, scalar, lac_jet(2, (const unsigned[]){1, 1}, (const double[]){1, 1}),
                     &shape);
  g_autofree double *alone = NULL;
  const gsize        point = net.jet.n_streams * lac_type_size(contract->type);
  GThread           *threads[N_TILES];
  Tile               tiles[N_TILES];

  if (!contract->device.table->concurrent) {
    lac_contract_clear(contract);
    return;
  }
  for (int t = 0; t < N_TILES; t++) {
    tiles[t] = (Tile){contract, net.args};
    tiles[t].args.jet = &net.jet;
    tiles[t].args.n_points = POINTS;
    tiles[t].args.x = (const char *) net.args.x + t * POINTS * point * net.n_in;
    tiles[t].args.y = (char *) net.args.y + t * POINTS * point * net.n_out;
    tiles[t].args.saved = (char *) net.args.saved + t * POINTS * point * net.n_out;
    run_tile(&tiles[t]);
    lac_contract_ok(contract, tiles[t].status);
  }
  lac_contract_fetch(contract, net.y);
  alone = g_memdup2(net.y->host, net.y->n * sizeof(double));
  for (gsize i = 0; i < net.y->n; i++)
    net.y->host[i] = NAN;
  lac_contract_upload(contract, net.y);
  for (int t = 0; t < N_TILES; t++)
    threads[t] = g_thread_new("tile", run_tile, &tiles[t]);
  for (int t = 0; t < N_TILES; t++)
    g_thread_join(threads[t]);
  for (int t = 0; t < N_TILES; t++)
    lac_contract_ok(contract, tiles[t].status);
  lac_contract_fetch(contract, net.y);
  lac_contract_require(contract, memcmp(alone, net.y->host, net.y->n * sizeof(double)) == 0);
  lac_contract_clear(contract);
}

/* One of these formulas may have its own kernels, the other is composed of linear and map_jet. */
static void
run_threads(LacContract *contract)
{
  check_threads(contract, LAC_SCALAR_TANH);
  check_threads(contract, LAC_SCALAR_SIN);
}

const LacContractRow lac_contract_layer_rows[] = {
  {"linear", run_linear},
  {"linear-reverse", run_linear_reverse},
  {"layer-is-linear-then-map", run_layer},
  {"layer-reverse-is-its-twin's", run_layer_reverse},
  {"threads-leave-what-one-leaves", run_threads},
  {NULL},
};
