/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's fused layer kernel, forward and reverse, against the CPU's layer in double precision. */
#include "backend/contract/private.h"

#include <math.h>
#include <string.h>

/* Inputs and outputs of a layer, in order; the bars are initialised to 0.5. */
enum { X, W, BIAS, Y_BAR, Y, SAVED, X_BAR, W_BAR, BIAS_BAR, N_PARTS };

typedef struct {
  guint  n_directions;
  guint  orders[4];
  double weights[4];
} JetRow;

static const JetRow jets[] = {
  {2, {1, 1}, {0}},    {2, {2, 1}, {0}},       {3, {1, 1, 1}, {1, 0.5, 0}},
  {3, {2, 2, 1}, {0}}, {2, {2, 1}, {0.5, -1}}, /* a separate second derivative besides the sum */
};

/* Sizes above and below a block in points and columns, and unaligned row starts. */
static const gsize shapes[][3] = {
  {70, 3, 64},   {33, 64, 64}, {41, 128, 128}, {5, 256, 256},
  {34, 67, 190}, {1, 100, 72}, {65, 192, 128},
};

typedef struct {
  LacLayer           args;
  LacJet             jet;
  LacContractBuffer *part[N_PARTS];
} Layer;

static gsize
length_of(const LacLayer *args, guint part)
{
  const gsize rows = args->n_points * args->jet->n_streams;

  switch (part) {
  case W:
  case W_BAR: return args->n_in * args->n_out;
  case BIAS:
  case BIAS_BAR: return args->n_out;
  case X:
  case X_BAR: return rows * args->n_in;
  default: return rows * args->n_out;
  }
}

static void
layer_init(LacContract  *contract,
           Layer        *layer,
           LacScalar     scalar,
           const JetRow *row,
           const gsize   shape[3])
{
  const gboolean sums = fabs(row->weights[0]) > 0;

  layer->jet = lac_jet(row->n_directions, row->orders, sums ? row->weights : NULL);
  layer->args = (LacLayer){.scalar = scalar,
                           .type = contract->type,
                           .jet = &layer->jet,
                           .n_points = shape[0],
                           .n_in = shape[1],
                           .n_out = shape[2],
                           .fused = TRUE};
  for (guint i = 0; i < N_PARTS; i++) {
    const gsize n = length_of(&layer->args, i);

    layer->part[i] =
      i <= Y_BAR ? lac_contract_random_buffer(contract, n, i == W ? 1 / sqrt((double) shape[1]) : 1)
                 : lac_contract_constant_buffer(contract, n, i < X_BAR ? NAN : 0.5);
  }
}

static void
point_at(LacLayer *args, void *const parts[N_PARTS])
{
  args->x = parts[X];
  args->w = parts[W];
  args->bias = parts[BIAS];
  args->y_bar = parts[Y_BAR];
  args->y = parts[Y];
  args->saved = parts[SAVED];
  args->x_bar = parts[X_BAR];
  args->w_bar = parts[W_BAR];
  args->bias_bar = parts[BIAS_BAR];
}

/* Computes the layer on the CPU in double precision from the device's inputs; wanted: [N_PARTS], owned. */
static void
compute_exactly(const LacContract *contract, const Layer *layer, double *wanted[N_PARTS])
{
  LacLayer  args = layer->args;
  LacDevice cpu;
  void     *parts[N_PARTS], *packs[2];
  gsize     n_bytes;

  lac_contract_require(contract, lac_device_open(&cpu, "cpu", NULL));
  args.type = LAC_F64;
  args.fused = FALSE;
  for (guint i = 0; i < N_PARTS; i++) {
    lac_contract_ok(contract,
                    cpu.table->alloc(cpu.self, layer->part[i]->n * sizeof(double), &parts[i]));
    memcpy(parts[i], layer->part[i]->host, layer->part[i]->n * sizeof(double));
  }
  point_at(&args, parts);
  n_bytes = cpu.table->layer_pack_bytes(cpu.self, &args);
  for (guint i = 0; i < 2; i++)
    lac_contract_ok(contract, cpu.table->alloc(cpu.self, MAX(n_bytes, 1), &packs[i]));
  args.w_forward = packs[0];
  args.w_reverse = packs[1];
  lac_contract_ok(contract, cpu.table->layer_pack(cpu.self, &args, packs[0], packs[1]));
  lac_contract_ok(contract, cpu.table->layer(cpu.self, &args));
  lac_contract_ok(contract, cpu.table->layer_reverse(cpu.self, &args));
  for (guint i = 0; i < N_PARTS; i++) {
    wanted[i] = g_memdup2(parts[i], layer->part[i]->n * sizeof(double));
    cpu.table->release(cpu.self, parts[i]);
  }
  for (guint i = 0; i < 2; i++)
    cpu.table->release(cpu.self, packs[i]);
  lac_device_close(&cpu);
}

/* Tolerance: sums of `depth` products in another order, then formulas of arguments below 4 with derivatives below
 * 64. */
static void
assert_part(LacContract  *contract,
            const Layer  *layer,
            double *const wanted[N_PARTS],
            guint         part,
            double        scale,
            gsize         depth)
{
  LacContractBuffer *buffer = layer->part[part];

  lac_contract_fetch(contract, buffer);
  for (gsize i = 0; i < buffer->n; i++)
    lac_contract_close(contract, buffer->host[i], wanted[part][i], scale, 16 + (double) depth);
}

static void
check(LacContract *contract, LacScalar scalar, const JetRow *row, const gsize shape[3])
{
  const LacBackend *table = contract->device.table;
  const double      wide = sqrt((double) shape[2]);
  double           *wanted[N_PARTS];
  void             *parts[N_PARTS];
  Layer             layer;

  layer_init(contract, &layer, scalar, row, shape);
  compute_exactly(contract, &layer, wanted);
  for (guint i = 0; i < N_PARTS; i++)
    parts[i] = layer.part[i]->device;
  point_at(&layer.args, parts);
  layer.args.saved = NULL; /* no reverse follows */
  lac_contract_ok(contract, table->layer(contract->device.self, &layer.args));
  assert_part(contract, &layer, wanted, Y, 64, shape[1]);
  layer.args.saved = parts[SAVED];
  lac_contract_ok(contract, table->layer(contract->device.self, &layer.args));
  assert_part(contract, &layer, wanted, Y, 64, shape[1]);
  layer.args.fused =
    table->layer_fusion(contract->device.self, &layer.args, TRUE) != LAC_FUSION_NONE;
  lac_contract_require(contract, layer.args.fused == (shape[1] >= 64));
  lac_contract_ok(contract, table->layer_reverse(contract->device.self, &layer.args));
  assert_part(contract, &layer, wanted, Y_BAR, 256, shape[1]);
  assert_part(contract, &layer, wanted, X_BAR, 256 * wide / sqrt((double) shape[1]),
              shape[1] + shape[2]);
  assert_part(contract, &layer, wanted, W_BAR,
              256 * sqrt((double) length_of(&layer.args, X) / (double) shape[1]), shape[1]);
  assert_part(contract, &layer, wanted, BIAS_BAR, 256 * sqrt((double) shape[0]), shape[1]);
  for (guint i = 0; i < N_PARTS; i++)
    g_free(wanted[i]);
  lac_contract_clear(contract);
}

/* Checks that x_bar is overwritten where the layer is the first to write it. */
static void
check_fresh(LacContract *contract)
{
  Layer         layer, again;
  Layer        *both[] = {&layer, &again};
  const guint64 state = contract->state;

  for (guint i = 0; i < 2; i++) {
    void *parts[N_PARTS];

    contract->state = state; /* same random numbers */
    layer_init(contract, both[i], LAC_SCALAR_TANH, &jets[2], shapes[2]);
    for (guint k = 0; k < N_PARTS; k++)
      parts[k] = both[i]->part[k]->device;
    point_at(&both[i]->args, parts);
    both[i]->args.x_bar_fresh = i == 1;
    lac_contract_ok(contract, contract->device.table->layer(contract->device.self, &both[i]->args));
    lac_contract_ok(contract,
                    contract->device.table->layer_reverse(contract->device.self, &both[i]->args));
    lac_contract_fetch(contract, both[i]->part[X_BAR]);
  }
  for (gsize i = 0; i < layer.part[X_BAR]->n; i++)
    lac_contract_close(contract, layer.part[X_BAR]->host[i] - 0.5, again.part[X_BAR]->host[i], 16,
                       4);
  lac_contract_clear(contract);
}

/* Checks that layers without a fused kernel are refused, not computed differently. */
static void
check_refused(LacContract *contract, const JetRow *row, const gsize shape[3])
{
  const LacBackend *table = contract->device.table;
  void             *parts[N_PARTS];
  Layer             layer;

  layer_init(contract, &layer, LAC_SCALAR_TANH, row, shape);
  for (guint i = 0; i < N_PARTS; i++)
    parts[i] = layer.part[i]->device;
  point_at(&layer.args, parts);
  lac_contract_require(contract, table->layer_fusion(contract->device.self, &layer.args, FALSE) ==
                                   LAC_FUSION_NONE);
  lac_contract_require(contract,
                       table->layer(contract->device.self, &layer.args) == LAC_STATUS_UNSUPPORTED);
  lac_contract_require(contract, table->layer_reverse(contract->device.self, &layer.args) ==
                                   LAC_STATUS_UNSUPPORTED);
  lac_contract_clear(contract);
}

static void
run_layer_fused(LacContract *contract)
{
  static const JetRow fourth = {2, {4, 1}, {0}}, value = {0, {0}, {0}};
  guint               scalar = 0;

  if (!contract->device.table->layer_fusion)
    return;
  for (gsize s = 0; s < G_N_ELEMENTS(shapes); s++)
    for (gsize j = 0; j < G_N_ELEMENTS(jets); j++) {
      while (lac_contract_scalar_is_positive((LacScalar) (scalar % LAC_N_SCALARS)))
        scalar++;
      check(contract, (LacScalar) (scalar++ % LAC_N_SCALARS), &jets[j], shapes[s]);
    }
  check_fresh(contract);
  check_refused(contract, &fourth, shapes[1]);
  check_refused(contract, &value, shapes[1]);
  check_refused(contract, &jets[0], (const gsize[]){9, 64, 63});
  check_refused(contract, &jets[0], (const gsize[]){9, 257, 64});
}

const LacContractRow lac_contract_fused_layer_rows[] = {
  {"layer-in-one-kernel-is-the-processor's", run_layer_fused},
  {NULL},
};
