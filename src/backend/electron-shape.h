/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the parameters of a neural wavefunction, and sizes that follow from its shape. Any thread. */
#pragma once

#include "backend/electrons.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  LAC_BLOCK_LAYER,   /* a matrix [rows][columns] whose last row is the bias */
  LAC_BLOCK_ORBITAL, /* a matrix without a bias */
  LAC_BLOCK_SINGLE   /* scalars: envelopes, Jastrow factor */
} LacBlockKind;

typedef struct {
  LacBlockKind kind;
  size_t       offset;        /* offset of the first parameter in theta */
  size_t       rows, columns; /* input and output width of a matrix */
  size_t       repeats; /* number of uses per walker: N, N^2, number of electrons of a spin, or 1 */
} LacParameterBlock;

/* Fills in widths, offsets and the number of parameters of @shape, from all else in it and the widths of the streams of
 * electrons and of pairs. */
void lac_electron_shape_lay_out(LacElectronShape *shape, size_t one_width, size_t pair_width);

/* Returns the number of inputs of a layer, without the bias. */
size_t lac_electron_shape_get_n_inputs(const LacElectronShape *shape, size_t layer);
size_t lac_electron_shape_spin_of(const LacElectronShape *shape, size_t electron);

/* Fills @blocks, [LAC_ELECTRON_MAX_BLOCKS]. Returns: the number of blocks. */
#define LAC_ELECTRON_MAX_BLOCKS (2 * LAC_ANSATZ_MAX_LAYERS + 3 * LAC_N_SPINS + 1)
size_t lac_electron_shape_get_blocks(const LacElectronShape *shape, LacParameterBlock *blocks);

#ifdef __cplusplus
}
#endif
