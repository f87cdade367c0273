/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and functions shared by the parts of the quantum laboratory. Hartree and bohr. */
#pragma once

#include "experiment/quantum/laboratory/laboratory.h"
#include "experiment/quantum/methods/energy-method.h"
#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/methods/pretraining.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/density.h"
#include "experiment/quantum/observables/distributions.h"
#include "experiment/quantum/observables/energy-history.h"
#include "experiment/quantum/observables/evaluation.h"
#include "experiment/quantum/observables/observables.h"
#include "experiment/quantum/observables/pair-correlation.h"
#include "experiment/quantum/observables/pair-cusp.h"
#include "experiment/quantum/observables/picture.h"
#include "experiment/quantum/observables/stretch.h"
#include "experiment/quantum/sampling/local-energy.h"
#include "experiment/quantum/sampling/sampler.h"

G_BEGIN_DECLS

/* Parameters of every experiment; those that do not apply to a molecule are left out of its table. */
typedef struct {
  char *geometry;  /* "H 0 0 0; H 0 0 1.4" */
  char *structure; /* (nullable): an XYZ file used instead of @geometry */
  LacFileContent
        *molecule; /* (nullable): molecule read from that file, a LacMolecule; NULL: not read yet */
  gint64 length_unit;
  double bond_length; /* bohr */
  gint64 charge, unpaired;
  gint64 layers, width, pair_width, determinants, full_determinant, jastrow, rescale;
  gint64 walkers, moves, burn_in, proposal;
  double exchange;
  gint64 pretraining, basis;
  double pretraining_rate;
  gint64 optimizer, iterations, at_once;
  double rate, delay, damping, momentum, norm, norm_end, clip, averaging;
  gint64 evaluation, evaluation_moves, spin_squared, settling, symmetry;
  gint64 picture, volume;
} LacQuantumParams;

enum { LAC_QUANTUM_BOHR, LAC_QUANTUM_ANGSTROM };

/* table.c
 * Builds the parameter table of an experiment. @known: (nullable); NULL: the user defines the molecule. */
LacParamTable lac_quantum_compose(const LacKnownMolecule *known);

/* Returns: (transfer full): the molecule described by @params, or NULL with an error. */
LacMolecule *
lac_quantum_molecule(const LacKnownMolecule *known, const LacQuantumParams *params, GError **error);
LacAnsatz lac_quantum_ansatz(const LacQuantumParams *params);

/* Looks up the reference energy for these settings. Returns: FALSE if there is none. */
gboolean lac_quantum_known_energy(const LacKnownMolecule *known,
                                  const LacQuantumParams *params,
                                  LacKnownEnergy         *energy);

/* Phases of a run in order; the step counter runs through all of them. */
typedef enum {
  LAC_PHASE_PRETRAINING,
  LAC_PHASE_BURN_IN,
  LAC_PHASE_OPTIMISATION,
  LAC_PHASE_SECOND_BURN_IN, /* with psi frozen */
  LAC_PHASE_EVALUATION,
  LAC_N_PHASES,
} LacQuantumPhase;

void            lac_quantum_count_steps(const LacQuantumParams *params, gint64 n[LAC_N_PHASES]);
LacQuantumPhase lac_quantum_phase_at(const gint64 n[LAC_N_PHASES], gint64 step);

/* outline.c: index of each metric; 0: the run does not have that metric. Index 0 is the energy, which every run has. */
typedef struct {
  gsize energy, error, off, error_of_error, variance, low, high, virial, virial_error, kinetic,
    attraction, repulsion, acceptance, width, correlation, drift, settling, dropped, pretraining,
    dipole, dipole_error, forbidden, excess, stretch, stretch_error, spin, spin_error, inside, cusp,
    cusp_error;
} LacQuantumIndices;

/* Fills @indices. Returns: the number of metrics. */
gsize lac_quantum_find_indices(const LacExperiment *self,
                               gconstpointer        params,
                               LacQuantumIndices   *indices);
void  lac_quantum_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* Returns the interval, in evaluation steps, between measurements of the bond-stretching force. Each needs two more
 * local energies and so is expensive for many electrons. */
gsize lac_quantum_stretch_every(const LacMolecule *molecule);

/* Returns the grid of the 3D density. */
LacDensityGrid lac_quantum_grid(const LacMolecule *molecule, const LacQuantumParams *params);

/* Planes that every frame has. */
enum {
  LAC_PLANE_DENSITY,
  LAC_PLANE_SPIN,
  LAC_PLANE_ENERGY,
  LAC_PLANE_RADIAL,
  LAC_PLANE_ENERGIES,
};

/* Indices of optional planes; 0: absent. @n: total number of planes. */
typedef struct {
  gsize pairs, volume, n;
} LacQuantumPlanes;

enum { LAC_HISTORY_COLUMNS = 96, LAC_HISTORY_BINS = 64 };

/* estimate.c */
gboolean lac_quantum_uses_device(const LacExperiment *self, gconstpointer params, GString *apart);
gboolean lac_quantum_check(const LacExperiment *self, gconstpointer params, GError **error);
void lac_quantum_estimate(const LacExperiment *self, gconstpointer params, LacEstimate *estimate);

/* The iterations of the optimisation, on the device of the run. */
typedef struct _LacQuantumLoop LacQuantumLoop;

/* The drift of the energy at the end of the optimisation, in hartree, and what its noise lets one see of it: two
 * standard errors. */
typedef struct {
  double drift, resolution;
} LacQuantumSettling;

enum { LAC_SETTLING_DRIFT, LAC_SETTLING_RESOLUTION, LAC_SETTLING_WITHIN, LAC_N_SETTLING };

/* Parameters of the wavefunction and the method that improves them. */
typedef struct {
  double                *theta, *theta_before; /* [n_params] */
  double                *theta_sum; /* [n_params]: sum over the last n_summed iterations */
  gint64                 n_summed;
  const LacEnergyMethod *method;
  gpointer               method_self;
  double *method_before; /* [n_memory]: packed state of the method before the step, to undo it */
  gsize   n_memory;
  double *trail;         /* [iterations]: mean energy of each iteration of the optimisation */
  double *trail_scratch; /* [iterations / 4 + 1] */
  gint64  n_restored;    /* number of consecutive undone steps */
} LacQuantumOptimiser;

/* Evaluation of the trained wavefunction and its per-walker arrays. */
typedef struct {
  LacEvaluation  *evaluation;
  LacObservables *observables;
  double         *gradients, *log_abs, *spin_squared; /* [n_walkers][N][3], [n_walkers] */
  gpointer        spin_scratch;
} LacQuantumMeasured;

/* Accumulators behind the planes of a frame. */
typedef struct {
  LacPicture         *picture;
  LacDensity         *density; /* (nullable) */
  LacStretch         *stretch; /* (nullable) */
  LacEnergyHistory   *history;
  LacPairCorrelation *pairs; /* (nullable) */
  LacPairCusp        *cusp;  /* (nullable): exists during the evaluation only */
  LacDistributions   *distributions;
} LacQuantumViews;

typedef struct {
  LacContext              context;
  const LacKnownMolecule *known; /* (nullable) */
  LacQuantumParams        params;
  LacQuantumIndices       indices;
  LacQuantumPlanes        planes;
  gint64                  phase_steps[LAC_N_PHASES];
  gint64                  step, n_steps;

  LacMolecule        *molecule;
  gboolean            has_energy;
  LacKnownEnergy      energy;
  LacWavefunction    *wave;
  gsize               n_params, n_walkers, n_electrons;
  LacSampler         *sampler;
  LacPretraining     *pretraining; /* (nullable) */
  LacQuantumOptimiser optimiser;
  LacQuantumLoop     *loop; /* (nullable): NULL without an optimisation */

  double *kinetic, *attraction, *repulsion, *energies, *clipped, *scratch; /* [n_walkers] */
  gint8  *signs;                                                           /* [n_walkers] */
  gint64  n_dropped; /* walkers with a non-finite energy so far */
  double  drift, last_loss;
  LacQuantumSettling settling; /* NaN: not computed yet */

  LacQuantumMeasured measured;
  LacQuantumViews    views;
  guint32            name_move, name_energy, name_observe, name_pretrain;
} LacQuantumState;

/* report.c: fills the metrics of a batch */
void lac_quantum_report_batch(LacQuantumState *state, const LacEnergyBatch *batch, double *metrics);
void lac_quantum_report_spread(LacQuantumState *state, double *metrics);
void lac_quantum_report_moves(const LacQuantumState *state, double acceptance, double *metrics);
void lac_quantum_report_observables(LacQuantumState *state, double *metrics);
void lac_quantum_report_space(const LacQuantumState *state, double *metrics);
void lac_quantum_report_evaluation(LacQuantumState *state, double *metrics);
/* Returns the difference between the means of the last quarter of @trail and of the quarter before, in units of its
 * standard error; NaN with fewer than 8 values. */
double lac_quantum_find_drift(const double *trail, gint64 n);
/* The same difference and its resolution, with the error of correlated values. @scratch: [n / 4]. NaN with fewer than
 * 8 values. */
LacQuantumSettling lac_quantum_find_settling(const double *trail, gint64 n, double *scratch);

/* run.c */

/* Computes kinetic energies, potentials and their sum at the walkers, and the other requested outputs of @local. */
void lac_quantum_find_energies(LacQuantumState *state, LacLocal local);
/* Returns the optimiser's parameters for iteration @i. */
LacMethodTunables lac_quantum_find_tunables(const LacQuantumState *state, gint64 i);
/* Adds the walkers to the picture; earlier counts are scaled by @share. */
void lac_quantum_look(LacQuantumState *state, double share);

/* Adds the energies of @step to the history and the distributions. */
void lac_quantum_keep_energies(LacQuantumState *state, gint64 step);
/* Reports a batch of the optimisation from the current energies and walkers; walkers without an energy are reseeded. */
void lac_quantum_add_batch(LacQuantumState      *state,
                           gint64                step,
                           const LacEnergyBatch *batch,
                           double                acceptance,
                           double               *metrics);
/* Returns TRUE when theta is added to the average after iteration @i. */
gboolean lac_quantum_is_averaged(const LacQuantumState *state, gint64 i);
/* Ends the run because too many consecutive steps were undone. */
void lac_quantum_give_up(gint64 step, LacStepReport *report);

/* loop.c */
#define LAC_QUANTUM_GAIN 0.05 /* adaptation gain of the move width during the optimisation */
#define LAC_QUANTUM_MOST_DROPPED \
  0.01 /* fraction of the walkers without an energy beyond which the last step is undone */
#define LAC_QUANTUM_MOST_RESTORED 5 /* maximum number of consecutive undone steps */

/* Sets up the loop of the optimisation. Returns: FALSE with an error if out of memory. */
gboolean lac_quantum_loop_new(LacQuantumState *state, gsize n_metrics, GError **error);
void     lac_quantum_loop_free(LacQuantumLoop *loop);
void     lac_quantum_loop_warm_up(LacQuantumState *state);
/* Records spans of the iterations from here on. */
void lac_quantum_loop_record(LacQuantumState *state);
void lac_quantum_loop_optimise(LacQuantumState *state, gint64 i, LacStepReport *report);
/* Reports all iterations in flight, and reads the device state back to the host. */
void lac_quantum_fetch(LacQuantumState *state);
/* Stops the loop; the run continues from the host state. */
void lac_quantum_loop_stop(LacQuantumState *state);
void lac_quantum_snapshot(gpointer state, LacFrame *frame, LacPending *pending);

/* set-up.c */
gpointer lac_quantum_create(const LacExperiment *self,
                            gconstpointer        params,
                            const LacContext    *context,
                            GError             **error);
void     lac_quantum_destroy(gpointer state);
gboolean lac_quantum_step(gpointer state, LacStepReport *report, GError **error);
gint64   lac_quantum_n_steps(gconstpointer state);
void     lac_quantum_retune(gpointer state, gconstpointer params);

/* charts.c */
LacQuantumPlanes lac_quantum_find_planes(const LacMolecule      *molecule,
                                         const LacQuantumParams *params);
/* Describes the chart channels. @energy: (nullable): reference energy; @channels: those of lac_quantum_find_planes() */
void lac_quantum_outline_charts(const LacMolecule    *molecule,
                                const LacKnownEnergy *energy,
                                LacChannel           *channels);
void lac_quantum_shape_charts(const LacQuantumState *state, gsize (*sizes)[2]);
void lac_quantum_fill_charts(const LacQuantumState *state, LacFrame *frame);

/* frame.c */
void lac_quantum_shapes(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
/* Fills @frame from the samples so far. */
void lac_quantum_fill_frame(LacQuantumState *state, LacFrame *frame);

G_END_DECLS
