/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers of electrons under a neural wavefunction (FermiNet): how its parameters lie in theta, and the kernels that a device may
 * have for them. Plain C, read by nvcc too. Hartree and bohr; a walker is one position of all electrons: [N][3]. */
#pragma once

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_ANSATZ_MAX_LAYERS 16

enum { LAC_N_SPINS = 2, LAC_ELECTRON_FEATURES = 4 /* a distance and three components */ };

/* What theta is made of. The inputs of a layer: of h_j, the means of h, the means of pairs, in this order; matrices are
 * [inputs][outputs], the bias their last row. */
typedef struct {
  size_t n_electrons, n_nuclei, n_layers, n_determinants;
  size_t n_channels; /* spins that have electrons */
  size_t first[LAC_N_SPINS], n[LAC_N_SPINS];
  size_t n_orbitals[LAC_N_SPINS], n_columns[LAC_N_SPINS]; /* n_columns: K n_orbitals */
  size_t most_columns; /* the larger of the n_columns: the stride of a row of orbitals */
  size_t one[LAC_ANSATZ_MAX_LAYERS + 1],
    pair[LAC_ANSATZ_MAX_LAYERS + 1];                                 /* widths before layer l */
  size_t layer[LAC_ANSATZ_MAX_LAYERS], pairs[LAC_ANSATZ_MAX_LAYERS]; /* offsets in theta */
  size_t orbital[LAC_N_SPINS], amplitude[LAC_N_SPINS], decay[LAC_N_SPINS];
  size_t alpha; /* of the Jastrow factor: parallel, antiparallel */
  size_t n_params;
  int    full_determinant, jastrow, rescale;
  const double (*nuclei)[3];
} LacElectronShape;

/* Walkers at work on a device. Pointers are of the device, but for the shape, whose own nuclei are not read. */
typedef struct {
  LacType                 type;
  const LacElectronShape *shape;
  size_t                  n;         /* walkers */
  const double           *nuclei;    /* [A][3] */
  const double           *theta;     /* [P] */
  void                   *weights;   /* [P] of `type`: from pack */
  const double           *positions; /* [n][N][3] */
  void                   *work;      /* of as many bytes as work_bytes says */
} LacElectronBatch;

/* Each may be NULL. Where psi vanishes log_abs is -infinity and sign 0. */
typedef struct {
  double *log_abs;  /* [n] */
  int8_t *sign;     /* [n] */
  double *gradient; /* [n][N][3]: of log |psi| */
  double *kinetic;  /* [n]: -1/2 (Laplacian of psi) / psi */
} LacElectronAnswer;

typedef enum {
  LAC_PROPOSAL_NORMAL,        /* all electrons by the same width */
  LAC_PROPOSAL_HARMONIC_MEAN, /* each by a width that shrinks near nuclei */
  LAC_PROPOSAL_LANGEVIN,      /* along the limited gradient: MALA */
} LacProposal;

/* What a walk goes on from. */
enum { LAC_WALK_WIDTH, LAC_WALK_STEP, LAC_N_WALK };

/* Metropolis moves of all electrons of a walker at once (electron-moves.h), one after the other. Walker b draws from stream
 * `stream` + b, move k from block (step + k) lac_move_blocks() on: whoever moves it, it goes the same way. */
typedef struct {
  LacProposal   proposal;
  unsigned      n_moves;
  size_t        n_up;
  double        exchange; /* share of moves that swap an electron up with one down instead */
  double        width;    /* bohr */
  uint64_t      seed, stream, step;
  const double *walk; /* NULL, or in device memory [LAC_N_WALK]: in place of width and step above */
  double       *positions; /* (inout) [n][N][3] */
  double       *log_abs;   /* (inout) [n] */
  double       *gradient;  /* (inout) [n][N][3] of Langevin moves, else NULL */
  uint32_t     *accepted;  /* (out) [n] */
} LacElectronMoves;

typedef enum {
  LAC_ELECTRON_VALUE,
  LAC_ELECTRON_LOCAL, /* and moves with a drift; those without one, and orbitals, as a value */
  LAC_ELECTRON_DERIVATIVES,
} LacElectronTaskKind;

/* phi: (out) [n][K][N][N]: determinant, electron, orbital; 0 between spins where determinants are products. */
typedef struct {
  double *phi;
} LacElectronOrbitals;

/* O[b][p] = d log |psi|_b / d theta_p, a row of zeros where psi vanishes. */
typedef struct {
  void *o; /* (out) [n][P] of the batch's type */
  const double       *
    phi_bar; /* (nullable) [n][K][N][N]: of these derivatives of the orbitals in place of those of log |psi| */
  double *log_abs; /* (out) (nullable) [n], without phi_bar */
  int8_t *sign;    /* (out) (nullable) [n], likewise */
} LacElectronTape;

/* What is made of O; sums of pull and push are in double precision. */
typedef struct {
  const void   *o;     /* [n][P] */
  const double *left;  /* pull: [n], or NULL: ones; push: [P] */
  double       *right; /* (out) pull: [P] = O^T left; push: [n] = O left; gram: [n][n] = O O^T */
  void         *work;  /* gram: [n][n] of the batch's type */
} LacElectronContraction;

/* (P K P / n + 1 1^T / n + damping) x = b, K = O O^T and P what takes the mean away: the natural gradient's equation among walkers. */
typedef struct {
  size_t        n;
  double        damping;
  const double *at;    /* NULL, or in device memory: in place of the damping above */
  double       *gram;  /* [n][n]: K, destroyed */
  double       *right; /* [n]: b, becomes x */
  void         *work;  /* of as many bytes as solve_bytes says */
  int *
    info; /* [2] in device memory: 0 where the matrix is positive, and nothing waits; NULL: waits */
} LacElectronSolve;

/* ---- what an iteration of an optimisation needs beside, so that none of it goes to the host and back ---- */

/* What may differ from iteration to iteration; in device memory. */
typedef enum {
  LAC_TUNABLE_RATE,
  LAC_TUNABLE_DAMPING,
  LAC_TUNABLE_MOMENTUM,
  LAC_TUNABLE_NORM,   /* the square of a step's length, at most */
  LAC_TUNABLE_SUMMED, /* not 0: theta joins theta_sum */
  LAC_N_TUNABLES
} LacElectronTunable;

/* What it says of itself; in device memory. */
typedef enum {
  LAC_REPORTED_ACCEPTANCE, /* share of the moves */
  LAC_REPORTED_WIDTH,      /* of the moves from now on */
  LAC_REPORTED_N_GOOD,     /* walkers with an energy */
  LAC_REPORTED_MEAN,       /* of their energies, as they are; NaN: there are none */
  LAC_REPORTED_VARIANCE,
  LAC_REPORTED_RESTORED, /* steps taken back one after the other, this one counted */
  LAC_N_REPORTED
} LacElectronReport;

/* The width follows the acceptance, and the steps are counted. */
typedef struct {
  const uint32_t *accepted; /* [n] */
  unsigned        n_moves;
  double          target, gain; /* of lac_adapted_width() */
  double         *walk;         /* (inout) [LAC_N_WALK] */
  double         *reported;
} LacElectronAdapt;

typedef struct {
  const double *kinetic, *charges; /* [n], [A] */
  double        repulsion;         /* of the nuclei */
  double       *energies;          /* (out) [n] */
} LacElectronEnergies;

/* clipped: cut off `width` mean distances from the median, less their mean; 0 for walkers without an energy. */
typedef struct {
  const double *energies; /* [n] */
  double        width;
  double       *sorted;  /* (out) [n]: those that are numbers first */
  double       *clipped; /* (out) [n] */
  double       *reported;
} LacElectronClip;

/* Walkers without an energy begin anew where the next one that has one stands. */
typedef struct {
  const double *energies;                       /* [n] */
  double       *positions, *log_abs, *gradient; /* gradient may be NULL */
} LacElectronReseed;

/* y = scale (add - factor P y), P taking the mean away. */
typedef struct {
  double        scale;
  const double *add;    /* [n], or NULL: nothing */
  const double *factor; /* of one number in device memory, or NULL: -1 */
  double       *y;      /* (inout) [n] */
} LacElectronCentre;

/* theta and the optimiser's memory, with what they were before. remember: before = now, where the batch is good: at most `most_bad`
 * walkers have no energy. conclude: now = before, where it is not, or where length is no number, or an info not 0; then theta is
 * summed. */
typedef struct {
  size_t        n_memory;
  double        most_bad;
  double       *theta, *theta_before, *theta_sum; /* [P] */
  double       *memory, *memory_before;           /* [n_memory] */
  const double *length, *tunables;
  const int    *info; /* [2], or NULL */
  double       *reported;
} LacElectronKept;

/* The numbers of LacAdam, by the updates that are counted in device memory. */
typedef struct {
  double        beta1, beta2;
  const double *tunables;
  double       *updates; /* (inout) */
  double       *numbers; /* (out) [3] */
} LacElectronCount;

/* last = step, theta -= rate step, with a rate by which the step's square is `norm` at most. */
typedef struct {
  const double *step;   /* [P] */
  const double *length; /* the sum of its squares */
  const double *tunables;
  double       *last, *theta; /* [P] */
} LacElectronDescend;

/* Those that work on walkers. */
#define LAC_ELECTRON_KERNELS(K)    \
  K(value, LacElectronAnswer)      \
  K(local, LacElectronAnswer)      \
  K(move, LacElectronMoves)        \
  K(orbitals, LacElectronOrbitals) \
  K(derivatives, LacElectronTape)  \
  K(pull, LacElectronContraction)  \
  K(push, LacElectronContraction)  \
  K(gram, LacElectronContraction)  \
  K(adapt, LacElectronAdapt)       \
  K(energies, LacElectronEnergies) \
  K(clip, LacElectronClip)         \
  K(reseed, LacElectronReseed)     \
  K(centre, LacElectronCentre)     \
  K(remember, LacElectronKept)     \
  K(conclude, LacElectronKept)     \
  K(count, LacElectronCount)       \
  K(descend, LacElectronDescend)

/* Asked for in the order of the device's stream, like every kernel; nothing waits where it is not said, nothing is allocated. */
struct _LacDeviceElectrons {
  /* Of the work area of the kind of task. */
  size_t (*work_bytes)(void *self, const LacElectronBatch *batch, LacElectronTaskKind kind);
  /* weights = theta, rounded to the type */
  LacStatus (*pack)(void *self, const LacElectronBatch *batch);
  /* log_abs and sign alone */
  LacStatus (*value)(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out);
  /* By the forward Laplacian. */
  LacStatus (*local)(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out);
  /* All moves without leaving the block; the positions of the batch are not read. */
  LacStatus (*move)(void *self, const LacElectronBatch *batch, const LacElectronMoves *moves);
  LacStatus (*orbitals)(void *self, const LacElectronBatch *batch, const LacElectronOrbitals *out);
  LacStatus (*derivatives)(void *self, const LacElectronBatch *batch, const LacElectronTape *tape);
  /* Of the batch its type, its shape and the number of walkers. */
  LacStatus (*pull)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  LacStatus (*push)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  LacStatus (*gram)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  size_t (*solve_bytes)(void *self, size_t n);
  /* Not while a step is recorded. LAC_STATUS_NOT_FINITE, of one that waits: the matrix is not positive, or no number. */
  LacStatus (*solve)(void *self, const LacElectronSolve *args);
  LacStatus (*adapt)(void *self, const LacElectronBatch *batch, const LacElectronAdapt *args);
  LacStatus (*energies)(void *self, const LacElectronBatch *batch, const LacElectronEnergies *args);
  LacStatus (*clip)(void *self, const LacElectronBatch *batch, const LacElectronClip *args);
  LacStatus (*reseed)(void *self, const LacElectronBatch *batch, const LacElectronReseed *args);
  LacStatus (*centre)(void *self, const LacElectronBatch *batch, const LacElectronCentre *args);
  LacStatus (*remember)(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
  LacStatus (*conclude)(void *self, const LacElectronBatch *batch, const LacElectronKept *args);
  LacStatus (*count)(void *self, const LacElectronBatch *batch, const LacElectronCount *args);
  LacStatus (*descend)(void *self, const LacElectronBatch *batch, const LacElectronDescend *args);
};

#ifdef __cplusplus
}
#endif
