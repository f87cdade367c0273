/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a wavefunction and where its numbers lie: in theta, in the packed weights, in a work area and on the tape. */
#pragma once

#include "backend/electrons.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

/* The caller owns @nuclei: [n_nuclei][3]. */
void lac_electron_shape_init(LacElectronShape  *shape,
                             const LacMolecule *molecule,
                             const LacAnsatz   *ansatz,
                             const double (*nuclei)[3]);

gsize lac_electron_shape_get_n_inputs(const LacElectronShape *shape, gsize layer);
gsize lac_electron_shape_spin_of(const LacElectronShape *shape, gsize electron);

/* At most LAC_ELECTRON_MAX_BLOCKS. Returns: how many. */
#define LAC_ELECTRON_MAX_BLOCKS (2 * LAC_ANSATZ_MAX_LAYERS + 3 * LAC_N_SPINS + 1)
gsize lac_electron_shape_get_blocks(const LacElectronShape *shape, LacParameterBlock *blocks);

/* ---- while it is worked out: packed weights, a worker's area, the tape of a group of walkers ---- */

/* Offsets of packed weights, in numbers. `turned`: the same matrix for the way back. */
typedef struct {
  gsize forward, turned;
} LacPackedMatrix;

typedef struct {
  LacPackedMatrix self, mean, among; /* of h_j, of the means of h, of the means of pairs */
  LacPackedMatrix pair;
  gsize           bias, pair_bias;
} LacPackedLayer;

typedef struct {
  LacPackedLayer  layer[LAC_ANSATZ_MAX_LAYERS];
  LacPackedMatrix orbital[LAC_N_SPINS];
  gsize           amplitude[LAC_N_SPINS], decay[LAC_N_SPINS]; /* [A][n_columns], not packed */
  gsize           n;
} LacPackedPlan;

/* The value and what the way back needs; offsets in vectors. Where nothing is kept, layers take turns in two places.
 * C: channels, d: width of h, e: width of pairs, f: of the output. `slope` is sech^2 first and becomes delta. */
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
  gsize single, n_single;  /* O of the blocks of single numbers, in their order */
  gsize direct, n_direct;  /* O of the blocks whose O is formed */
  gsize unity, mask, seed; /* 1; 0 for lanes that stand in, else 1; a number a walker */
  gsize n;
} LacTapePlan;

/* A worker's area, in vectors. S = 3 N + 2 rows: value, Laplacian, then three tangents an electron; d, e, f: the widest. */
typedef struct {
  gsize       position, pair_distance; /* doubles [3 N], [N][N] */
  gsize       gradient, jastrow;       /* doubles [3 N] */
  gsize       distance, direction;     /* [N][A], [N][A][3] */
  gsize       one, pair;               /* [N][S][d], [N][N][5][e] */
  gsize       one_row, pair_row;       /* d, e */
  gsize       mean, among;             /* [S][C][d], [5 C + 3][e] */
  gsize       shared;                  /* [S][f]: the part of a layer that all electrons share */
  gsize       rows, own, none, last;   /* rows of what a layer takes while they are overwritten */
  gsize       slope, bend, laplacian, squares; /* [f] each */
  gsize       envelope;                        /* [5][most_columns] */
  gsize       phi;                             /* [S][N][most_columns] */
  gsize       determinant;                     /* doubles */
  gsize       back_one, back_mean, back_among; /* [N][d], [C][d], [N][C][e]: the way back */
  gsize       back_pair;                       /* [N^2][e], two of them */
  gsize       value_base;                      /* of a value that keeps no tape */
  LacTapePlan value;                           /* relative to value_base */
  gsize       n;
} LacWorkPlan;

/* A part of what a block takes, in vectors of the tape: rows of @n, @row apart; row 0: the same for every repeat. */
typedef struct {
  gsize at, row, n;
} LacTapePart;

enum { LAC_MAX_PARTS = 4 };

/* A block of parameters on the tape: its derivatives are the sum over repeats of what it takes times delta. */
typedef struct {
  gsize       n_parts;
  LacTapePart part[LAC_MAX_PARTS], delta;
  LacTapePart total; /* the sum of delta over repeats; n = 0 where it is not at hand */
  gsize       repeats;
  gboolean    formed; /* its O is formed, at direct */
  gsize       direct;
} LacBlockPlan;

typedef struct {
  gsize         n_lanes, n_panel, element;
  LacBlockPlan  block[LAC_ELECTRON_MAX_BLOCKS]; /* as lac_electron_shape_get_blocks() has them */
  gsize         n_blocks;
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
