/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A neural wavefunction of N electrons (FermiNet): its logarithm and sign, its derivatives with respect to positions by the forward
 * Laplacian, and those with respect to its parameters without ever storing one row a walker.
 * Hartree and bohr. Electrons with spin up come first. A walker is one position of all electrons: [N][3].
 * Source: Pfau, Spencer, Matthews, Foulkes (2020), doi:10.1103/PhysRevResearch.2.033429. */
#pragma once

#include "backend/electrons.h"
#include "base/pool.h"
#include "field/molecule.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint    one_width, pair_width; /* of the streams of electrons and of pairs */
  guint    n_layers;              /* at least 1, at most LAC_ANSATZ_MAX_LAYERS */
  guint    n_determinants;
  gboolean full_determinant; /* one of all electrons; FALSE: a product of one a spin */
  gboolean jastrow;          /* the electron-electron cusp as a factor */
  gboolean rescale;          /* inputs grow as log(1 + r) */
} LacAnsatz;

/* Returns: FALSE with a sentence (%LAC_ERROR_OUT_OF_RANGE). */
gboolean lac_ansatz_check(const LacAnsatz *ansatz, GError **error);

typedef enum {
  LAC_BLOCK_LAYER,   /* a matrix [rows][columns] whose last row is the bias */
  LAC_BLOCK_ORBITAL, /* a matrix without a bias */
  LAC_BLOCK_SINGLE   /* numbers that are no matrix: envelopes, the Jastrow factor */
} LacBlockKind;

typedef struct {
  char         name[32]; /* "layer 2 pairs" */
  LacBlockKind kind;
  gsize        offset;        /* of the first number in theta */
  gsize        rows, columns; /* the input and the output of a matrix */
  gsize        repeats; /* how often a walker passes through it: N, N^2, electrons of a spin */
} LacParameterBlock;

typedef struct _LacWavefunction LacWavefunction;

/* @precision: "f64" or "f32" (sums over walkers and determinants are in double precision in both).
 * @pool: borrowed; NULL: the calling thread alone. Results do not depend on the number of threads.
 * One thread at a time. Nothing is allocated after the first call of a kind with as many walkers.
 * Returns: %NULL with a sentence when the ansatz is refused. */
LacWavefunction *lac_wavefunction_new(LacMolecule     *molecule,
                                      const LacAnsatz *ansatz,
                                      const char      *precision,
                                      LacPool         *pool,
                                      GError         **error);
void             lac_wavefunction_free(LacWavefunction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacWavefunction, lac_wavefunction_free)

/* From now on the kernels of @device work on walkers, where it is not the processor; it is where the device has no table.
 * On a device O is stored, a row a walker, which lac_wavefunction_tape() makes; and there are no Kronecker factors.
 * @device: borrowed.
 * Returns: FALSE with a sentence where the device has no kernels for walkers, or no room. */
gboolean
lac_wavefunction_set_device(LacWavefunction *self, const LacDevice *device, GError **error);

/* Whether a device works on the walkers, so that the processor does not. */
gboolean lac_wavefunction_is_on_device(const LacWavefunction *self);

/* Derivatives with respect to parameters stay on the processor, for their Kronecker factors. */
void lac_wavefunction_keep_derivatives(LacWavefunction *self);

/* Returns: FALSE with a sentence once the device has failed: then all answers since are no numbers. */
gboolean lac_wavefunction_check_device(const LacWavefunction *self, GError **error);

/* Bytes that a wavefunction on @n_threads takes when @n_walkers are taped at once; 0: no tape. */
guint64 lac_wavefunction_estimate(const LacMolecule *molecule,
                                  const LacAnsatz   *ansatz,
                                  const char        *precision,
                                  guint              n_threads,
                                  gsize              n_walkers);

/* Floating-point operations of one walker. */
typedef struct {
  double value, local, tape;
} LacWavefunctionCost;

LacWavefunctionCost lac_wavefunction_get_cost(const LacWavefunction *self);

gsize                    lac_wavefunction_get_n_params(const LacWavefunction *self);
gsize                    lac_wavefunction_get_n_electrons(const LacWavefunction *self);
const LacMolecule       *lac_wavefunction_get_molecule(const LacWavefunction *self);
const LacAnsatz         *lac_wavefunction_get_ansatz(const LacWavefunction *self);
const LacParameterBlock *lac_wavefunction_get_blocks(const LacWavefunction *self, gsize *n_blocks);

/* Weights N(0, 1 / inputs), biases N(0, 1), envelopes and Jastrow parameters 1. @theta: (out) [P]. */
void lac_wavefunction_init(const LacWavefunction *self, guint64 seed, double *theta);

/* One span a call on @lane, with its floating-point operations. @perf, @lane: borrowed; NULL: nothing is recorded. */
void lac_wavefunction_record(LacWavefunction *self, LacPerf *perf, LacLane *lane);

/* @theta: [P]; @positions: [n_walkers][N][3] wherever they occur. Where psi vanishes log_abs is -infinity and sign 0. */
void lac_wavefunction_value(LacWavefunction *self,
                            const double    *theta,
                            const double    *positions,
                            gsize            n_walkers,
                            double          *log_abs,
                            gint8           *sign);

/* Each may be NULL. */
typedef struct {
  double *log_abs;  /* [n_walkers] */
  gint8  *sign;     /* [n_walkers] */
  double *gradient; /* [n_walkers][N][3]: of log |psi| */
  double *kinetic;  /* [n_walkers]: -1/2 (Laplacian of psi) / psi */
} LacLocal;

void lac_wavefunction_local(LacWavefunction *self,
                            const double    *theta,
                            const double    *positions,
                            gsize            n_walkers,
                            const LacLocal  *out);

/* Moves @n_walkers walkers on the device, which there must be. @moves: arrays of the host; log_abs and gradient are those of
 * @theta at the positions. */
void lac_wavefunction_move(LacWavefunction        *self,
                           const double           *theta,
                           const LacElectronMoves *moves,
                           gsize                   n_walkers);

/* @phi: (out) [n_walkers][K][N][N]: determinant, electron, orbital; 0 between spins where determinants are products. */
void lac_wavefunction_orbitals(LacWavefunction *self,
                               const double    *theta,
                               const double    *positions,
                               gsize            n_walkers,
                               double          *phi);

/* @theta_bar: (out) [P] = sum of phi_bar d phi / d theta. Overwrites the tape. */
void lac_wavefunction_orbitals_reverse(LacWavefunction *self,
                                       const double    *theta,
                                       const double    *positions,
                                       gsize            n_walkers,
                                       const double    *phi_bar,
                                       double          *theta_bar);

/* Keeps what the calls below need of O[b][p] = d log |psi|_b / d theta_p, layer by layer; O itself is never stored.
 * A walker where psi vanishes has a row of zeros. @log_abs, @sign: (out) (nullable) [n_walkers]. */
void lac_wavefunction_tape(LacWavefunction *self,
                           const double    *theta,
                           const double    *positions,
                           gsize            n_walkers,
                           double          *log_abs,
                           gint8           *sign);

/* Of the walkers of the last tape, B of them. */
void lac_wavefunction_gradient(LacWavefunction *self,
                               const double    *seed,
                               double          *theta_bar); /* [B], (out) [P] = O^T seed */
void lac_wavefunction_apply(LacWavefunction *self,
                            const double    *v,
                            double          *y);                       /* [P], (out) [B] = O v */
void lac_wavefunction_gram(LacWavefunction *self, double *k); /* (out) [B][B] = O O^T */

/* Whether a device solves the natural gradient's equation, so that the Gram matrix never leaves it. */
gboolean lac_wavefunction_solves(const LacWavefunction *self);

/* There: @right: (inout) [B] becomes (P O O^T P / B + 1 1^T / B + @damping)^-1 @right, P taking the mean away.
 * Returns: FALSE where the matrix is not positive or no number. */
gboolean lac_wavefunction_solve(LacWavefunction *self, double damping, double *right);

/* On the processor alone (lac_wavefunction_keep_derivatives()). The factors of a matrix: @a: (out) [rows][rows] = mean of a a^T, @g: (out) [columns][columns] = mean of delta delta^T over
 * walkers and repeats; delta is the derivative of log |psi| with respect to what the matrix gives, a what it takes, 1 last where
 * there is a bias. Of a block of single numbers: @g: [rows * columns] = mean of o^2 over walkers; @a is left alone. */
void lac_wavefunction_factors(LacWavefunction *self, gsize block, double *a, double *g);

G_END_DECLS
