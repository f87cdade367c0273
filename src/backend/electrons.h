/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Electron walkers of a neural wavefunction (FermiNet): the layout of its parameters in theta, and the optional
 * kernels of a device. Plain C, also compiled by nvcc. Hartree and bohr; a walker is one set of positions of all
 * electrons, [N][3]. */
#pragma once

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_ANSATZ_MAX_LAYERS 16

enum { LAC_N_SPINS = 2, LAC_ELECTRON_FEATURES = 4 /* a distance and three components */ };

/* Layout of theta. Inputs of a layer, in order: h_j, the means of h, the means of pairs; matrices are
 * [inputs][outputs], with the bias as last row. */
typedef struct {
  size_t n_electrons, n_nuclei, n_layers, n_determinants;
  size_t n_channels; /* number of spins that have electrons: 1 or 2 */
  size_t first[LAC_N_SPINS], n[LAC_N_SPINS];
  size_t n_orbitals[LAC_N_SPINS], n_columns[LAC_N_SPINS]; /* n_columns: K n_orbitals */
  size_t most_columns; /* maximum of n_columns: the stride of a row of orbitals */
  size_t one[LAC_ANSATZ_MAX_LAYERS + 1],
    pair[LAC_ANSATZ_MAX_LAYERS + 1]; /* widths at the input of layer l */
  size_t layer[LAC_ANSATZ_MAX_LAYERS], pairs[LAC_ANSATZ_MAX_LAYERS]; /* offsets in theta */
  size_t orbital[LAC_N_SPINS], amplitude[LAC_N_SPINS], decay[LAC_N_SPINS];
  size_t alpha; /* Jastrow factor: parallel, antiparallel */
  size_t n_params;
  int    full_determinant, jastrow, rescale;
  const double (*nuclei)[3];
} LacElectronShape;

/* Optimisations that an ablation switches off; results agree within rounding. Ignored by devices. */
typedef enum {
  LAC_ELECTRON_WITHOUT_LAPLACIAN =
    1 << 0, /* derivatives by nested differentiation, coordinate by coordinate */
  LAC_ELECTRON_WITHOUT_FUSION = 1 << 1,  /* activations in a pass of their own after the products */
  LAC_ELECTRON_WITHOUT_VECTORS = 1 << 2, /* kernels for baseline x86-64 */
} LacElectronWithout;

/* Batch of walkers on a device. Pointers are device pointers, except the shape, whose own nuclei are not read. */
typedef struct {
  LacType                 type;
  const LacElectronShape *shape;
  size_t                  n;         /* walkers */
  const double           *nuclei;    /* [A][3] */
  const double           *theta;     /* [P] */
  void                   *weights;   /* theta as packed by pack() */
  const double           *positions; /* [n][N][3] */
  void                   *work;
  /* CPU only: the thread pool that runs the kernels, NULL for the calling thread; its number of threads;
   * LacElectronWithout */
  struct _LacPool *pool;
  unsigned         n_threads, without;
} LacElectronBatch;

/* Memory that callers provide for a batch. */
typedef enum {
  LAC_ELECTRON_WEIGHTS,     /* LacElectronBatch.weights */
  LAC_ELECTRON_VALUE,       /* LacElectronBatch.work, for all that is not one of the next two */
  LAC_ELECTRON_LOCAL,       /* the same for local energies and Langevin moves */
  LAC_ELECTRON_DERIVATIVES, /* the same for derivatives() */
  LAC_ELECTRON_TAPE,        /* LacElectronTape.o */
  LAC_ELECTRON_CONTRACTION, /* LacElectronContraction.work of pull() and push() */
  LAC_ELECTRON_GRAM,        /* the same of gram() */
  LAC_ELECTRON_SOLVE,       /* LacElectronSolve.work; depends on the number of walkers alone */
  LAC_ELECTRON_N_AREAS,
} LacElectronArea;

/* Outputs, each of which may be NULL. If psi vanishes, log_abs is -infinity and sign is 0. */
typedef struct {
  double *log_abs;  /* [n] */
  int8_t *sign;     /* [n] */
  double *gradient; /* [n][N][3]: gradient of log |psi| */
  double *kinetic;  /* [n]: -1/2 (Laplacian of psi) / psi */
} LacElectronAnswer;

typedef enum {
  LAC_PROPOSAL_NORMAL,        /* same width for all electrons */
  LAC_PROPOSAL_HARMONIC_MEAN, /* width per electron, smaller near nuclei */
  LAC_PROPOSAL_LANGEVIN,      /* along the limited gradient: MALA */
} LacProposal;

/* Entries of LacElectronMoves.walk: state carried over from one move() to the next. */
enum { LAC_WALK_WIDTH, LAC_WALK_STEP, LAC_N_WALK };

/* All-electron Metropolis moves (electron-moves.h), `n_moves` in sequence per walker. Walker b draws its random
 * numbers from stream `stream` + b; the numbers of move k start at block (step + k) lac_move_blocks(), so that the
 * path is the same on every device. */
typedef struct {
  LacProposal proposal;
  unsigned    n_moves;
  size_t      n_up;
  double exchange; /* fraction of moves that instead exchange a spin-up with a spin-down electron */
  double width;    /* bohr */
  uint64_t      seed, stream, step;
  const double *walk; /* NULL, or device memory [LAC_N_WALK] that replaces width and step above */
  double       *positions; /* (inout) [n][N][3] */
  double       *log_abs;   /* (inout) [n] */
  double       *gradient;  /* (inout) [n][N][3] for Langevin moves, else NULL */
  uint32_t     *accepted;  /* (out) [n] */
} LacElectronMoves;

/* phi: (out) [n][K][N][N]: walker, determinant, electron, orbital. Entries that combine different spins are 0 if each
 * determinant is a product of one per spin. */
typedef struct {
  double *phi;
} LacElectronOrbitals;

/* O[b][p] = d log |psi|_b / d theta_p, a row of zeros where psi vanishes; or what products with O need. */
typedef struct {
  void *o; /* (out) */
  const double       *
    phi_bar; /* (nullable) [n][K][N][N]: derivatives with respect to the orbitals, used instead of those of log |psi| */
  double *log_abs; /* (out) (nullable) [n], without phi_bar */
  int8_t *sign;    /* (out) (nullable) [n], without phi_bar */
} LacElectronTape;

/* Contractions with O; pull and push accumulate in double precision. Where rows are stored, gram() first removes their mean
 * over the walkers from O, lest it cancel in the product; solve() removes it in any case. */
typedef struct {
  void         *o;     /* of derivatives(), which later contractions can still use */
  const double *left;  /* pull: [n], or NULL: ones; push: [P] */
  double       *right; /* (out) pull: [P] = O^T left; push: [n] = O left; gram: [n][n] = O O^T */
  void         *work;
} LacElectronContraction;

/* Kronecker factors of block @block of the parameters (backend/electron-shape.h), a matrix [n_rows][n_columns], or
 * scalars. Of a matrix: a = mean of x x^T, g = mean of delta delta^T, both over walkers and repeats; x is the input, with a
 * final 1 for the bias, and delta the derivative of log |psi| with respect to the output. Of scalars: g = mean of o^2 over
 * walkers, o: their derivatives. */
typedef struct {
  void   *o; /* as in LacElectronContraction */
  size_t  block, n_rows, n_columns;
  double *a; /* (out) [n_rows][n_rows]; NULL for scalars */
  double *g; /* (out) [n_columns][n_columns]; of scalars [n_rows n_columns] */
} LacElectronFactors;

/* Solves (P K P / n + 1 1^T / n + damping) x = b, with K = O O^T and P the projection that removes the mean: the
 * natural-gradient equation in walker space. */
typedef struct {
  size_t        n;
  double        damping;
  const double *at;    /* NULL, or device memory that replaces the damping above */
  double       *gram;  /* [n][n]: K, destroyed */
  double       *right; /* [n]: b, overwritten by x */
  void         *work;
  int *
    info; /* [2] in device memory, zeros if positive definite; NULL: the call waits and returns the status */
} LacElectronSolve;

/* ---- remaining parts of an optimisation iteration, so that no data passes through the host ---- */

/* Parameters that may change between iterations; in device memory. */
typedef enum {
  LAC_TUNABLE_RATE,
  LAC_TUNABLE_DAMPING,
  LAC_TUNABLE_MOMENTUM,
  LAC_TUNABLE_NORM,   /* upper limit of the squared step length */
  LAC_TUNABLE_SUMMED, /* nonzero: accumulate theta in theta_sum */
  LAC_N_TUNABLES
} LacElectronTunable;

/* Values reported by an iteration; in device memory. */
typedef enum {
  LAC_REPORTED_ACCEPTANCE, /* fraction of accepted moves */
  LAC_REPORTED_WIDTH,      /* width of subsequent moves */
  LAC_REPORTED_N_GOOD,     /* walkers with a finite energy */
  LAC_REPORTED_MEAN,       /* mean of their unclipped energies; NaN if none */
  LAC_REPORTED_VARIANCE,
  LAC_REPORTED_RESTORED, /* consecutive rejected steps, including this one */
  LAC_N_REPORTED
} LacElectronReport;

/* Adapts the width to the acceptance, and counts the steps. */
typedef struct {
  const uint32_t *accepted; /* [n] */
  unsigned        n_moves;
  double          target, gain; /* for lac_adapted_width() */
  double         *walk;         /* (inout) [LAC_N_WALK] */
  double         *reported;
} LacElectronAdapt;

typedef struct {
  const double *kinetic, *charges; /* [n], [A] */
  double        repulsion;         /* repulsion energy between the nuclei */
  double       *energies;          /* (out) [n] */
} LacElectronEnergies;

/* clipped: energies clipped at `width` mean absolute deviations from the median, minus the mean of the clipped
 * energies; 0 for walkers without a finite energy. */
typedef struct {
  const double *energies; /* [n] */
  double        width;
  double       *sorted;  /* (out) [n]: finite values first */
  double       *clipped; /* (out) [n] */
  double       *reported;
} LacElectronClip;

/* Restarts walkers without a finite energy at the position of the next walker that has one. */
typedef struct {
  const double *energies;                       /* [n] */
  double       *positions, *log_abs, *gradient; /* gradient may be NULL */
} LacElectronReseed;

/* y = scale (add - factor P y), P removing the mean. */
typedef struct {
  double        scale;
  const double *add;    /* [n], or NULL: nothing */
  const double *factor; /* one value in device memory, or NULL: -1 */
  double       *y;      /* (inout) [n] */
} LacElectronCentre;

/* theta and the optimiser's state, with backups of both. A batch is good if at most `most_bad` of its walkers lack a
 * finite energy. remember: copies the current values to the backup after a good batch. conclude: restores the backup
 * after a bad batch, a non-finite length or a nonzero info; then adds theta to theta_sum if LAC_TUNABLE_SUMMED is
 * nonzero. */
typedef struct {
  size_t        n_memory;
  double        most_bad;
  double       *theta, *theta_before, *theta_sum; /* [P] */
  double       *memory, *memory_before;           /* [n_memory] */
  const double *length, *tunables;
  const int    *info; /* [2], or NULL */
  double       *reported;
} LacElectronKept;

/* Computes the `numbers` of LacAdam from the update count in device memory. */
typedef struct {
  double        beta1, beta2;
  const double *tunables;
  double       *updates; /* (inout) */
  double       *numbers; /* (out) [3] */
} LacElectronCount;

/* last = step, theta -= rate step, with the rate limited so that |rate step|^2 is at most LAC_TUNABLE_NORM. */
typedef struct {
  const double *step;   /* [P] */
  const double *length; /* sum of squares of step */
  const double *tunables;
  double       *last, *theta; /* [P] */
} LacElectronDescend;

/* Kernels on walkers. */
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

/* Executed in the order of the device's stream; calls do not wait unless stated otherwise, and nothing is allocated. */
struct _LacDeviceElectrons {
  /* O itself is stored, a row of n_params numbers for each walker, and gram() multiplies its rows. Else contractions
   * work layer by layer. */
  int stores_rows;
  /* Size of an area, from type, shape, number of walkers, and the members for the CPU alone. */
  size_t (*bytes)(void *self, const LacElectronBatch *batch, LacElectronArea area);
  /* weights = theta, rounded to the type */
  LacStatus (*pack)(void *self, const LacElectronBatch *batch);
  /* only log_abs and sign */
  LacStatus (*value)(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out);
  /* Uses the forward Laplacian. */
  LacStatus (*local)(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out);
  /* Performs all moves of a walker in one thread block; the batch's positions are not read. */
  LacStatus (*move)(void *self, const LacElectronBatch *batch, const LacElectronMoves *moves);
  LacStatus (*orbitals)(void *self, const LacElectronBatch *batch, const LacElectronOrbitals *out);
  LacStatus (*derivatives)(void *self, const LacElectronBatch *batch, const LacElectronTape *tape);
  /* The functions from here on read only type, shape and number of walkers of the batch, and its members for the CPU
   * alone. */
  LacStatus (*pull)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  LacStatus (*push)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  LacStatus (*gram)(void *self, const LacElectronBatch *batch, const LacElectronContraction *args);
  /* Must not be called while a step is being recorded. Without `info` it waits, and returns LAC_STATUS_NOT_FINITE for
   * a matrix that is not positive definite or not finite. */
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
  /* (optional): on the tape, as pull(). NULL: only the CPU computes factors. */
  LacStatus (*factors)(void *self, const LacElectronBatch *batch, const LacElectronFactors *args);
};

#ifdef __cplusplus
}
#endif
