/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory layout of walkers on the CPU: packed weights, work area of a worker, tape of a group of walkers. */
#pragma once

#include "backend/electron-shape.h"

#include <glib.h>

G_BEGIN_DECLS

/* Offsets of a packed matrix, in elements. `turned`: the same matrix packed for the backward pass. */
typedef struct {
  gsize forward, turned;
} LacPackedMatrix;

typedef struct {
  LacPackedMatrix self, mean, among; /* inputs: h_j, means of h, means of pairs */
  LacPackedMatrix pair;
  gsize           bias, pair_bias;
} LacPackedLayer;

typedef struct {
  LacPackedLayer  layer[LAC_ANSATZ_MAX_LAYERS];
  LacPackedMatrix orbital[LAC_N_SPINS];
  gsize           amplitude[LAC_N_SPINS], decay[LAC_N_SPINS]; /* [A][n_columns], not packed */
  gsize           n;
} LacPackedPlan;

/* Layout of the tape, which holds the values of the forward pass that the backward pass needs; offsets in vectors.
 * Without a tape, layers alternate between two buffers. C: channels, d: width of h, e: width of pairs, f: output
 * width. `slope` holds sech^2 after the forward pass, then delta: the derivative of log |psi| with respect to the
 * layer's matrix product. */
typedef struct {
  gsize one[LAC_ANSATZ_MAX_LAYERS + 1];    /* [N][d] */
  gsize mean[LAC_ANSATZ_MAX_LAYERS];       /* [C][d] */
  gsize among[LAC_ANSATZ_MAX_LAYERS];      /* [N][C][e] */
  gsize slope[LAC_ANSATZ_MAX_LAYERS];      /* [N][f] */
  gsize total[LAC_ANSATZ_MAX_LAYERS];      /* [f]: sum of delta over electrons */
  gsize pair[LAC_ANSATZ_MAX_LAYERS];       /* [N^2][e] */
  gsize pair_slope[LAC_ANSATZ_MAX_LAYERS]; /* [N^2][f] */
  gsize distance;                          /* [N][A] */
  gsize linear, envelope, phi,
    orbital;     /* [N][most_columns]: h W, sum pi e^(-sigma r), their product; delta of h W */
  gsize decayed; /* [N][A][most_columns]: e^(-sigma r) */
  gsize phi_bar; /* [N][most_columns] */
  gsize single, n_single;  /* O of the scalar blocks, in block order */
  gsize direct, n_direct;  /* O of the blocks whose O is formed explicitly */
  gsize unity, mask, seed; /* constant 1; 1, but 0 in padding lanes; weight of each walker */
  gsize n;
} LacTapePlan;

/* Layout of the work area of one worker, in vectors. S = 3 N + 2 rows: value, Laplacian, then three tangents per
 * electron. d, e, f: largest widths of h, pairs and layer outputs. */
typedef struct {
  gsize       position, pair_distance; /* doubles [3 N], [N][N] */
  gsize       gradient, jastrow;       /* doubles [3 N] */
  gsize       distance, direction;     /* [N][A], [N][A][3] */
  gsize       one, pair;               /* [N][S][d], [N][N][5][e] */
  gsize       one_row, pair_row;       /* lengths of their rows: d, e */
  gsize       mean, among;             /* [S][C][d], [5 C + 3][e] */
  gsize       shared;                  /* [S][f]: the part of a layer shared by all electrons */
  gsize       rows, own, none, last;   /* copies of a layer's inputs while they are overwritten */
  gsize       slope, bend, laplacian, squares; /* [f] each */
  gsize       envelope;                        /* [5][most_columns] */
  gsize       phi;                             /* [S][N][most_columns] */
  gsize       determinant;                     /* scratch of the determinants, in doubles */
  gsize       back_one, back_mean, back_among; /* [N][d], [C][d], [N][C][e]: backward pass */
  gsize       back_pair;                       /* [N^2][e], two buffers */
  gsize       value_base;                      /* start of the plan for a value without a tape */
  LacTapePlan value;                           /* relative to value_base */
  gsize       n;
} LacWorkPlan;

/* Part of a block's input, in vectors of the tape: @n elements per row, rows @row apart. row = 0: all repeats share
 * one row. */
typedef struct {
  gsize at, row, n;
} LacTapePart;

enum { LAC_MAX_PARTS = 4 };

/* A block of parameters on the tape: its derivative is the sum over repeats of input times delta. */
typedef struct {
  gsize       n_parts;
  LacTapePart part[LAC_MAX_PARTS], delta;
  LacTapePart total; /* sum of delta over repeats; n = 0 if not available */
  gsize       repeats;
  gboolean    formed; /* O of this block is formed explicitly, at @direct */
  gsize       direct;
  gsize       offset; /* of its first parameter in theta */
} LacBlockPlan;

typedef struct {
  gsize        n_lanes, n_panel, element;
  LacBlockPlan block[LAC_ELECTRON_MAX_BLOCKS]; /* in the order of lac_electron_shape_get_blocks() */
  gsize        n_blocks;
  LacPackedPlan packed;
  LacTapePlan   tape;
  LacWorkPlan   work;
} LacElectronPlan;

void lac_electron_plan_init(LacElectronPlan        *plan,
                            const LacElectronShape *shape,
                            gsize                   n_lanes,
                            gsize                   n_panel,
                            gsize                   element);

G_END_DECLS
