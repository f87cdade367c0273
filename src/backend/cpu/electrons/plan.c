/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All offsets are assigned once, so that nothing is allocated during the computation. */
#include "backend/cpu/electrons/plan.h"

#include <string.h>

enum { JET = 5 /* rows of a pair: value, Laplacian, three tangents */ };

static gsize
take(gsize *used, gsize n)
{
  const gsize first = *used;

  *used += n;
  return first;
}

static gsize
padded(gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Reserves a matrix [depth][columns], and its transpose. */
static LacPackedMatrix
take_matrix(gsize *used, gsize depth, gsize columns, gsize n_panel)
{
  LacPackedMatrix matrix;

  matrix.forward = take(used, depth * padded(columns, n_panel));
  matrix.turned = take(used, columns * padded(depth, n_panel));
  return matrix;
}

static void
plan_packed(LacPackedPlan *plan, const LacElectronShape *shape, gsize n_panel)
{
  gsize used = 0;

  for (gsize l = 0; l < shape->n_layers; l++) {
    LacPackedLayer *layer = &plan->layer[l];
    const gsize     d = shape->one[l], e = shape->pair[l], f = shape->one[l + 1];

    layer->self = take_matrix(&used, d, f, n_panel);
    layer->mean = take_matrix(&used, shape->n_channels * d, f, n_panel);
    layer->among = take_matrix(&used, shape->n_channels * e, f, n_panel);
    layer->bias = take(&used, padded(f, n_panel));
    layer->pair = take_matrix(&used, e, shape->pair[l + 1], n_panel);
    layer->pair_bias = take(&used, padded(shape->pair[l + 1], n_panel));
  }
  for (gsize s = 0; s < shape->n_channels; s++) {
    const gsize columns = shape->n_columns[s];

    plan->orbital[s] = take_matrix(&used, shape->one[shape->n_layers], columns, n_panel);
    plan->amplitude[s] = take(&used, padded(shape->n_nuclei * columns, n_panel));
    plan->decay[s] = take(&used, padded(shape->n_nuclei * columns, n_panel));
  }
  plan->n = used;
}

/* Reserves layer @l's part of the tape. */
static void
plan_layer(LacTapePlan *plan, const LacElectronShape *shape, gsize l)
{
  const gsize n = shape->n_electrons, channels = shape->n_channels;
  const gsize f = shape->one[l + 1], g = shape->pair[l + 1];

  plan->mean[l] = take(&plan->n, channels * shape->one[l]);
  plan->among[l] = take(&plan->n, n * channels * shape->pair[l]);
  plan->slope[l] = take(&plan->n, n * f);
  plan->total[l] = take(&plan->n, f);
  plan->one[l + 1] = take(&plan->n, n * f);
  if (l + 1 == shape->n_layers)
    return;
  plan->pair[l + 1] = take(&plan->n, n * n * g);
  plan->pair_slope[l] = take(&plan->n, n * n * g);
}

/* Without a tape, layers alternate between two buffers for input and output. */
static void
plan_layers_in_turn(LacTapePlan *plan, const LacElectronShape *shape)
{
  const gsize n = shape->n_electrons;
  gsize       d = shape->one[0], e = shape->pair[0];

  for (gsize l = 1; l <= shape->n_layers; l++) {
    d = MAX(d, shape->one[l]);
    e = MAX(e, shape->pair[l]);
  }
  plan->one[0] = take(&plan->n, n * d);
  plan->one[1] = take(&plan->n, n * d);
  plan->pair[0] = take(&plan->n, n * n * e);
  plan->pair[1] = take(&plan->n, n * n * e);
  plan->mean[0] = take(&plan->n, shape->n_channels * d);
  plan->among[0] = take(&plan->n, n * shape->n_channels * e);
  for (gsize l = 1; l <= shape->n_layers; l++) {
    plan->one[l] = plan->one[l % 2];
    plan->pair[l] = plan->pair[l % 2];
    if (l < shape->n_layers) {
      plan->mean[l] = plan->mean[0];
      plan->among[l] = plan->among[0];
    }
  }
}

static gsize
count_single(const LacElectronShape *shape)
{
  gsize n = shape->jastrow ? 2 : 0;

  for (gsize s = 0; s < shape->n_channels; s++)
    n += 2 * shape->n_nuclei * shape->n_columns[s];
  return n;
}

/* Returns TRUE when forming O of a matrix block is cheaper than products of its inputs and of its deltas. */
static gboolean
is_formed(const LacParameterBlock *block)
{
  return block->kind == LAC_BLOCK_SINGLE ||
         block->repeats * block->repeats * (block->rows + block->columns) >
           block->rows * block->columns;
}

static void
plan_tape(LacTapePlan *plan, const LacElectronShape *shape, gboolean keep)
{
  const gsize n = shape->n_electrons, row = n * shape->most_columns;

  *plan = (LacTapePlan){0};
  if (keep) {
    plan->one[0] = take(&plan->n, n * shape->one[0]);
    plan->pair[0] = take(&plan->n, n * n * shape->pair[0]);
    for (gsize l = 0; l < shape->n_layers; l++)
      plan_layer(plan, shape, l);
  } else
    plan_layers_in_turn(plan, shape);
  plan->distance = take(&plan->n, n * shape->n_nuclei);
  plan->linear = take(&plan->n, row);
  plan->envelope = take(&plan->n, row);
  plan->decayed = take(&plan->n, row * shape->n_nuclei);
  plan->phi = take(&plan->n, row);
  if (!keep)
    return;
  plan->orbital = take(&plan->n, row);
  plan->phi_bar = take(&plan->n, row);
  plan->n_single = count_single(shape);
  plan->single = take(&plan->n, plan->n_single);
  plan->unity = take(&plan->n, 1);
  plan->mask = take(&plan->n, 1);
  plan->seed = take(&plan->n, 1);
}

static void
add_part(LacBlockPlan *block, gsize at, gsize row, gsize n)
{
  block->part[block->n_parts++] = (LacTapePart){at, row, n};
}

static void
plan_electron_block(LacBlockPlan           *block,
                    const LacTapePlan      *tape,
                    const LacElectronShape *shape,
                    gsize                   l)
{
  const gsize d = shape->one[l], f = shape->one[l + 1], channels = shape->n_channels;

  add_part(block, tape->one[l], d, d);
  add_part(block, tape->mean[l], 0, channels * d);
  add_part(block, tape->among[l], channels * shape->pair[l], channels * shape->pair[l]);
  add_part(block, tape->unity, 0, 1);
  block->delta = (LacTapePart){tape->slope[l], f, f};
  block->total = (LacTapePart){tape->total[l], 0, f};
}

static void
plan_pair_block(LacBlockPlan           *block,
                const LacTapePlan      *tape,
                const LacElectronShape *shape,
                gsize                   l)
{
  add_part(block, tape->pair[l], shape->pair[l], shape->pair[l]);
  add_part(block, tape->unity, 0, 1);
  block->delta = (LacTapePart){tape->pair_slope[l], shape->pair[l + 1], shape->pair[l + 1]};
}

static void
plan_orbital_block(LacBlockPlan           *block,
                   const LacTapePlan      *tape,
                   const LacElectronShape *shape,
                   gsize                   s)
{
  const gsize d = shape->one[shape->n_layers], most = shape->most_columns;

  add_part(block, tape->one[shape->n_layers] + shape->first[s] * d, d, d);
  block->delta = (LacTapePart){tape->orbital + shape->first[s] * most, most, shape->n_columns[s]};
}

/* Fills the blocks in the order of lac_electron_shape_get_blocks(). */
static void
plan_blocks(LacElectronPlan *plan, const LacElectronShape *shape)
{
  LacParameterBlock blocks[LAC_ELECTRON_MAX_BLOCKS];
  LacTapePlan      *tape = &plan->tape;
  gsize             i = 0, single = tape->single;

  plan->n_blocks = lac_electron_shape_get_blocks(shape, blocks);
  memset(plan->block, 0, sizeof plan->block);
  for (gsize l = 0; l < shape->n_layers; l++) {
    plan_electron_block(&plan->block[i++], tape, shape, l);
    if (l + 1 < shape->n_layers)
      plan_pair_block(&plan->block[i++], tape, shape, l);
  }
  for (gsize s = 0; s < shape->n_channels; s++, i += 3)
    plan_orbital_block(&plan->block[i], tape, shape, s);
  tape->n_direct = 0;
  for (i = 0; i < plan->n_blocks; i++) {
    const gsize   n = blocks[i].rows * blocks[i].columns;
    LacBlockPlan *block = &plan->block[i];

    block->offset = blocks[i].offset;
    block->formed = is_formed(&blocks[i]);
    block->repeats = blocks[i].repeats;
    if (blocks[i].kind == LAC_BLOCK_SINGLE) {
      block->repeats = 1;
      add_part(block, tape->unity, 0, 1);
      block->delta = (LacTapePart){take(&single, n), 0, n};
    }
    if (block->formed)
      block->direct = take(&tape->n_direct, n);
  }
  tape->direct = take(&tape->n, tape->n_direct);
}

static void
plan_work(LacWorkPlan *plan, const LacElectronShape *shape, gsize element)
{
  const gsize n = shape->n_electrons, n_rows = 3 * n + 2, channels = shape->n_channels;
  const gsize wide =
    sizeof(double) / element; /* vectors needed for one number in double precision */
  gsize d = 0, e = 0;

  for (gsize l = 0; l <= shape->n_layers; l++) {
    d = MAX(d, shape->one[l]);
    e = MAX(e, shape->pair[l]);
  }
  plan->n = 0;
  plan->one_row = d;
  plan->pair_row = e;
  plan->position = take(&plan->n, 3 * n * wide);
  plan->pair_distance = take(&plan->n, n * n * wide);
  plan->gradient = take(&plan->n, 3 * n * wide);
  plan->jastrow = take(&plan->n, 3 * n * wide);
  plan->distance = take(&plan->n, n * shape->n_nuclei);
  plan->direction = take(&plan->n, n * shape->n_nuclei * 3);
  plan->one = take(&plan->n, n * n_rows * d);
  plan->pair = take(&plan->n, n * n * JET * e);
  plan->mean = take(&plan->n, n_rows * channels * d);
  plan->among = take(&plan->n, (JET * channels + 3) * e);
  plan->shared = take(&plan->n, n_rows * MAX(d, e));
  plan->rows = take(&plan->n, MAX(4 * d, JET * e));
  plan->own = take(&plan->n, 3 * d);
  plan->none = take(&plan->n, 3 * d);
  plan->last = take(&plan->n, d);
  plan->slope = take(&plan->n, MAX(d, e));
  plan->bend = take(&plan->n, MAX(d, e));
  plan->laplacian = take(&plan->n, MAX(d, e));
  plan->squares = take(&plan->n, MAX(d, e));
  plan->envelope = take(&plan->n, JET * shape->most_columns);
  plan->phi = take(&plan->n, n_rows * n * shape->most_columns);
  /* D holds fewer lanes, so counts are in vectors per part: two matrices side by side, four more, and gradients */
  plan->determinant = take(&plan->n, 6 * n * n + 9 * n);
  plan->back_one = take(&plan->n, 2 * n * d);
  plan->back_mean = take(&plan->n, channels * d);
  plan->back_among = take(&plan->n, n * channels * e);
  plan->back_pair = take(&plan->n, 2 * n * n * e);
  plan_tape(&plan->value, shape, FALSE);
  plan->value_base = take(&plan->n, plan->value.n);
}

void
lac_electron_plan_init(LacElectronPlan        *plan,
                       const LacElectronShape *shape,
                       gsize                   n_lanes,
                       gsize                   n_panel,
                       gsize                   element)
{
  plan->n_lanes = n_lanes;
  plan->n_panel = n_panel;
  plan->element = element;
  plan_packed(&plan->packed, shape, n_panel);
  plan_tape(&plan->tape, shape, TRUE);
  plan_blocks(plan, shape);
  plan_work(&plan->work, shape, element);
}
