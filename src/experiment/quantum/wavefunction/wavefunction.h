/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A neural wavefunction of N electrons (FermiNet): its logarithm and sign, position derivatives by the forward
 * Laplacian, and parameter derivatives, on the CPU without storing one row per walker.
 * Hartree and bohr. Spin-up electrons come first. A walker is one set of positions of all electrons: [N][3].
 * Source: Pfau, Spencer, Matthews, Foulkes (2020), doi:10.1103/PhysRevResearch.2.033429. */
#pragma once

#include "backend/electron-shape.h"
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

/* Fills @shape. @nuclei: [n_nuclei][3], owned by the caller and retained. */
void lac_electron_shape_init(LacElectronShape  *shape,
                             const LacMolecule *molecule,
                             const LacAnsatz   *ansatz,
                             const double (*nuclei)[3]);

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

/* @without: LacElectronWithout */
LacWavefunction *lac_wavefunction_new_without(LacMolecule     *molecule,
                                              const LacAnsatz *ansatz,
                                              const char      *precision,
                                              LacPool         *pool,
                                              guint            without,
                                              GError         **error);
void             lac_wavefunction_free(LacWavefunction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacWavefunction, lac_wavefunction_free)

/* Moves the evaluation of walkers to the kernels of @device, if it has such kernels; until then it is that of the CPU.
 * @device: borrowed. Returns: FALSE with an error if the device is out of memory. */
gboolean
lac_wavefunction_set_device(LacWavefunction *self, const LacDevice *device, GError **error);

/* Makes later calls compute parameter derivatives where Kronecker factors are available: on the CPU. */
gboolean lac_wavefunction_keep_derivatives(LacWavefunction *self, GError **error);

/* Returns: FALSE with an error once the device has failed: all results since then are NaN. */
gboolean lac_wavefunction_check_device(const LacWavefunction *self, GError **error);

/* Returns the number of bytes that a wavefunction needs on @n_threads threads with @n_walkers walkers on the tape.
 * @n_walkers: 0: no tape. */
guint64 lac_wavefunction_estimate(const LacMolecule *molecule,
                                  const LacAnsatz   *ansatz,
                                  const char        *precision,
                                  guint              n_threads,
                                  gsize              n_walkers);

/* Floating-point operations per walker on the CPU; gram: per pair of walkers, form: per walker before the first pair. */
typedef struct {
  double value, local, tape, gradient, form, gram;
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
typedef LacElectronAnswer LacLocal;

void lac_wavefunction_local(LacWavefunction *self,
                            const double    *theta,
                            const double    *positions,
                            gsize            n_walkers,
                            const LacLocal  *out);

/* @moves: arrays in host memory; log_abs and gradient are those of @theta at the positions. */
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
                            double          *y); /* [P], (out) [B] = O v */
/* @k: (out) (nullable): [B][B] = O O^T; on a device of O without its mean over the walkers, which lac_wavefunction_solve()
 * removes in any case */
void lac_wavefunction_gram(LacWavefunction *self, double *k);

/* Solves the natural-gradient equation, once after lac_wavefunction_gram(): @right: (inout) [B] becomes
 * (P O O^T P / B + 1 1^T / B + @damping)^-1 @right, where P subtracts the mean. Returns: FALSE if the matrix is not
 * positive definite or not finite. */
gboolean lac_wavefunction_solve(LacWavefunction *self, double damping, double *right);

/* Computes the Kronecker factors of a block, as LacElectronFactors; @a is not written for scalars. Only where
 * derivatives are computed on the CPU. */
void lac_wavefunction_factors(LacWavefunction *self, gsize block, double *a, double *g);

G_END_DECLS
