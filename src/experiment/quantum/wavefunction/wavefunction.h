/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A neural wavefunction of N electrons (FermiNet): its logarithm and sign, position derivatives by the forward
 * Laplacian, and parameter derivatives, on the CPU without storing one row per walker.
 * Hartree and bohr. Spin-up electrons come first. A walker is one set of positions of all electrons: [N][3].
 * Source: Pfau, Spencer, Matthews, Foulkes (2020), doi:10.1103/PhysRevResearch.2.033429. */
#pragma once

#include "backend/electrons.h"
#include "base/pool.h"
#include "field/molecule.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint one_width, pair_width; /* widths of the electron and pair streams */
  guint n_layers;              /* 1 to LAC_ANSATZ_MAX_LAYERS */
  guint n_determinants;
  gboolean
    full_determinant; /* TRUE: one determinant of all electrons; FALSE: a product of one per spin */
  gboolean jastrow;   /* include a factor for the electron-electron cusp */
  gboolean rescale;   /* scale inputs as log(1 + r) */
} LacAnsatz;

/* Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_ansatz_check(const LacAnsatz *ansatz, GError **error);

typedef enum {
  LAC_BLOCK_LAYER,   /* a matrix [rows][columns] whose last row is the bias */
  LAC_BLOCK_ORBITAL, /* a matrix without a bias */
  LAC_BLOCK_SINGLE   /* scalars: envelopes, Jastrow factor */
} LacBlockKind;

typedef struct {
  char         name[32]; /* "layer 2 pairs" */
  LacBlockKind kind;
  gsize        offset;        /* offset of the first parameter in theta */
  gsize        rows, columns; /* input and output width of a matrix */
  gsize        repeats; /* number of uses per walker: N, N^2, number of electrons of a spin, or 1 */
} LacParameterBlock;

typedef struct _LacWavefunction LacWavefunction;

/* @precision: "f64" or "f32" (sums over walkers and determinants are in double precision with either).
 * @pool: (nullable), borrowed; NULL: the calling thread only. Results do not depend on the number of threads. One
 * thread at a time. Only the first call of each function with a given number of walkers allocates.
 * Returns: %NULL with an error if the ansatz is invalid. */
LacWavefunction *lac_wavefunction_new(LacMolecule     *molecule,
                                      const LacAnsatz *ansatz,
                                      const char      *precision,
                                      LacPool         *pool,
                                      GError         **error);

/* Optimisations that an ablation switches off; results agree within rounding. CPU only. */
typedef enum {
  LAC_WAVEFUNCTION_WITHOUT_LAPLACIAN =
    1 << 0, /* derivatives by nested differentiation, coordinate by coordinate */
  LAC_WAVEFUNCTION_WITHOUT_FUSION =
    1 << 1, /* activations in a pass of their own after the products */
  LAC_WAVEFUNCTION_WITHOUT_VECTORS = 1 << 2, /* kernels for baseline x86-64 */
} LacWavefunctionWithout;

LacWavefunction *lac_wavefunction_new_without(LacMolecule     *molecule,
                                              const LacAnsatz *ansatz,
                                              const char      *precision,
                                              LacPool         *pool,
                                              guint            without,
                                              GError         **error);
void             lac_wavefunction_free(LacWavefunction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacWavefunction, lac_wavefunction_free)

/* Moves the evaluation of walkers to the kernels of @device; no effect if the device is the CPU. On any other
 * device, lac_wavefunction_tape() stores O, one row per walker, and Kronecker factors are not available.
 * @device: borrowed.
 * Returns: FALSE with an error if the device has no kernels for walkers or is out of memory. */
gboolean
lac_wavefunction_set_device(LacWavefunction *self, const LacDevice *device, GError **error);

/* Returns TRUE when a device evaluates the walkers. */
gboolean lac_wavefunction_is_on_device(const LacWavefunction *self);

/* Makes later calls compute parameter derivatives on the CPU, where the Kronecker factors are available. */
void lac_wavefunction_keep_derivatives(LacWavefunction *self);

/* Returns: FALSE with an error once the device has failed: all results since then are NaN. */
gboolean lac_wavefunction_check_device(const LacWavefunction *self, GError **error);

/* Returns the number of bytes that a wavefunction needs on @n_threads threads with @n_walkers walkers on the tape.
 * @n_walkers: 0: no tape. */
guint64 lac_wavefunction_estimate(const LacMolecule *molecule,
                                  const LacAnsatz   *ansatz,
                                  const char        *precision,
                                  guint              n_threads,
                                  gsize              n_walkers);

/* Floating-point operations per walker; gram: per pair of walkers, form: per walker before the first pair. */
typedef struct {
  double value, local, tape, form, gram;
} LacWavefunctionCost;

LacWavefunctionCost lac_wavefunction_get_cost(const LacWavefunction *self);

gsize                    lac_wavefunction_get_n_params(const LacWavefunction *self);
gsize                    lac_wavefunction_get_n_electrons(const LacWavefunction *self);
const LacMolecule       *lac_wavefunction_get_molecule(const LacWavefunction *self);
const LacAnsatz         *lac_wavefunction_get_ansatz(const LacWavefunction *self);
const LacParameterBlock *lac_wavefunction_get_blocks(const LacWavefunction *self, gsize *n_blocks);

/* Draws weights from N(0, 1 / inputs) and biases from N(0, 1), and sets envelope and Jastrow parameters to 1.
 * @theta: (out) [P]. */
void lac_wavefunction_init(const LacWavefunction *self, guint64 seed, double *theta);

/* Records one span per call on @lane, with its floating-point operations. @perf, @lane: (nullable), borrowed; NULL:
 * nothing is recorded. */
void lac_wavefunction_record(LacWavefunction *self, LacPerf *perf, LacLane *lane);

/* Array shapes in all functions below: @theta: [P]; @positions: [n_walkers][N][3]. Where psi is 0, log_abs is
 * -infinity and sign 0. */
void lac_wavefunction_value(LacWavefunction *self,
                            const double    *theta,
                            const double    *positions,
                            gsize            n_walkers,
                            double          *log_abs,
                            gint8           *sign);

/* Outputs, each nullable. */
typedef struct {
  double *log_abs;  /* [n_walkers] */
  gint8  *sign;     /* [n_walkers] */
  double *gradient; /* [n_walkers][N][3]: gradient of log |psi| */
  double *kinetic;  /* [n_walkers]: -1/2 (Laplacian of psi) / psi */
} LacLocal;

void lac_wavefunction_local(LacWavefunction *self,
                            const double    *theta,
                            const double    *positions,
                            gsize            n_walkers,
                            const LacLocal  *out);

/* Moves @n_walkers walkers on the device, which must be set. @moves: arrays in host memory; log_abs and gradient are
 * those of @theta at the positions. */
void lac_wavefunction_move(LacWavefunction        *self,
                           const double           *theta,
                           const LacElectronMoves *moves,
                           gsize                   n_walkers);

/* Computes the orbitals. @phi: (out) [n_walkers][K][N][N]: determinant, electron, orbital; if determinants are
 * products, 0 where electron and orbital differ in spin. */
void lac_wavefunction_orbitals(LacWavefunction *self,
                               const double    *theta,
                               const double    *positions,
                               gsize            n_walkers,
                               double          *phi);

/* Computes the reverse-mode derivative of the orbitals. @theta_bar: (out) [P] = sum of phi_bar d phi / d theta.
 * Overwrites the tape. */
void lac_wavefunction_orbitals_reverse(LacWavefunction *self,
                                       const double    *theta,
                                       const double    *positions,
                                       gsize            n_walkers,
                                       const double    *phi_bar,
                                       double          *theta_bar);

/* Tapes the walkers: stores the data from which the calls below compute products with O[b][p] = d log |psi|_b / d
 * theta_p, layer by layer. On the CPU O itself is never stored. A walker with psi = 0 gets a row of zeros. @log_abs,
 * @sign: (out) (nullable) [n_walkers]. */
void lac_wavefunction_tape(LacWavefunction *self,
                           const double    *theta,
                           const double    *positions,
                           gsize            n_walkers,
                           double          *log_abs,
                           gint8           *sign);

/* The functions below use the B walkers of the last tape. */
void lac_wavefunction_gradient(LacWavefunction *self,
                               const double    *seed,
                               double          *theta_bar); /* [B], (out) [P] = O^T seed */
void lac_wavefunction_apply(LacWavefunction *self,
                            const double    *v,
                            double          *y);                       /* [P], (out) [B] = O v */
void lac_wavefunction_gram(LacWavefunction *self, double *k); /* (out) [B][B] = O O^T */

/* Returns TRUE when a device solves the natural-gradient equation, so that the Gram matrix never leaves it. */
gboolean lac_wavefunction_solves(const LacWavefunction *self);

/* Solves the natural-gradient equation if lac_wavefunction_solves(). @right: (inout) [B] becomes
 * (P O O^T P / B + 1 1^T / B + @damping)^-1 @right, where P subtracts the mean. Returns: FALSE if the matrix is not
 * positive definite or not finite. */
gboolean lac_wavefunction_solve(LacWavefunction *self, double damping, double *right);

/* Computes the Kronecker factors of a block; only on the CPU (lac_wavefunction_keep_derivatives()). For a matrix: @a:
 * (out) [rows][rows] = mean of a a^T, @g: (out) [columns][columns] = mean of delta delta^T, both over walkers and
 * repeats. Here a is the input of the matrix, with a final 1 for the bias, and delta the derivative of log |psi| with
 * respect to its output. For a scalar block: @g: (out) [rows * columns] = mean of o^2 over walkers, with o the
 * derivative; @a is not written. */
void lac_wavefunction_factors(LacWavefunction *self, gsize block, double *a, double *g);

G_END_DECLS
