/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/electron-shape.h"

#include <glib.h>

size_t
lac_electron_shape_get_n_inputs(const LacElectronShape *shape, size_t layer)
{
  return (shape->n_channels + 1) * shape->one[layer] + shape->n_channels * shape->pair[layer];
}

size_t
lac_electron_shape_spin_of(const LacElectronShape *shape, size_t electron)
{
  return shape->n_channels > 1 && electron >= shape->first[1] ? 1 : 0;
}

/* ---- widths of layers, offsets in theta ---- */

static void
set_widths(LacElectronShape *shape, size_t one_width, size_t pair_width)
{
  shape->one[0] = LAC_ELECTRON_FEATURES * shape->n_nuclei;
  shape->pair[0] = LAC_ELECTRON_FEATURES;
  for (size_t l = 1; l <= shape->n_layers; l++) {
    shape->one[l] = one_width;
    shape->pair[l] = pair_width;
  }
  shape->most_columns = 0;
  for (size_t s = 0; s < shape->n_channels; s++) {
    shape->n_orbitals[s] = shape->full_determinant ? shape->n_electrons : shape->n[s];
    shape->n_columns[s] = shape->n_determinants * shape->n_orbitals[s];
    shape->most_columns = MAX(shape->most_columns, shape->n_columns[s]);
  }
}

static size_t
take(size_t *used, size_t n)
{
  const size_t first = *used;

  *used += n;
  return first;
}

static void
set_offsets(LacElectronShape *shape)
{
  size_t used = 0;

  for (size_t l = 0; l < shape->n_layers; l++) {
    shape->layer[l] =
      take(&used, (lac_electron_shape_get_n_inputs(shape, l) + 1) * shape->one[l + 1]);
    if (l + 1 < shape->n_layers)
      shape->pairs[l] = take(&used, (shape->pair[l] + 1) * shape->pair[l + 1]);
  }
  for (size_t s = 0; s < shape->n_channels; s++) {
    shape->orbital[s] = take(&used, shape->one[shape->n_layers] * shape->n_columns[s]);
    shape->amplitude[s] = take(&used, shape->n_nuclei * shape->n_columns[s]);
    shape->decay[s] = take(&used, shape->n_nuclei * shape->n_columns[s]);
  }
  shape->alpha = take(&used, shape->jastrow ? 2 : 0);
  shape->n_params = used;
}

void
lac_electron_shape_lay_out(LacElectronShape *shape, size_t one_width, size_t pair_width)
{
  set_widths(shape, one_width, pair_width);
  set_offsets(shape);
}

/* ---- blocks ---- */

size_t
lac_electron_shape_get_blocks(const LacElectronShape *shape, LacParameterBlock *blocks)
{
  const size_t n = shape->n_electrons;
  size_t       i = 0;

  for (size_t l = 0; l < shape->n_layers; l++) {
    blocks[i] = (LacParameterBlock){.kind = LAC_BLOCK_LAYER,
                                    .offset = shape->layer[l],
                                    .rows = lac_electron_shape_get_n_inputs(shape, l) + 1,
                                    .columns = shape->one[l + 1],
                                    .repeats = n};
    i++;
    if (l + 1 == shape->n_layers)
      break;
    blocks[i] = (LacParameterBlock){.kind = LAC_BLOCK_LAYER,
                                    .offset = shape->pairs[l],
                                    .rows = shape->pair[l] + 1,
                                    .columns = shape->pair[l + 1],
                                    .repeats = n * n};
    i++;
  }
  for (size_t s = 0; s < shape->n_channels; s++) {
    const size_t columns = shape->n_columns[s];

    blocks[i] = (LacParameterBlock){.kind = LAC_BLOCK_ORBITAL,
                                    .offset = shape->orbital[s],
                                    .rows = shape->one[shape->n_layers],
                                    .columns = columns,
                                    .repeats = shape->n[s]};
    i++;
    for (size_t which = 0; which < 2; which++, i++) {
      blocks[i] = (LacParameterBlock){.kind = LAC_BLOCK_SINGLE,
                                      .offset = which ? shape->decay[s] : shape->amplitude[s],
                                      .rows = shape->n_nuclei,
                                      .columns = columns,
                                      .repeats = shape->n[s]};
    }
  }
  if (shape->jastrow)
    blocks[i++] = (LacParameterBlock){
      .kind = LAC_BLOCK_SINGLE, .offset = shape->alpha, .rows = 1, .columns = 2, .repeats = 1};
  return i;
}
