/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the quantum laboratory share. Hartree and bohr. */
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

/* The rows of every experiment; those that mean nothing to a molecule are left out of its table. */
typedef struct {
  char           *geometry;  /* "H 0 0 0; H 0 0 1.4" */
  char           *structure; /* (nullable): an XYZ file in place of it, and */
  LacFileContent *molecule;  /* the LacMolecule that it holds; NULL: not read */
  gint64          length_unit;
  double          bond_length; /* bohr */
  gint64          charge, unpaired;
  gint64          layers, width, pair_width, determinants, full_determinant, jastrow, rescale;
  gint64          walkers, moves, burn_in, proposal;
  double          exchange;
  gint64          pretraining, basis;
  double          pretraining_rate;
  gint64          optimizer, iterations, at_once;
  double          rate, delay, damping, momentum, norm, norm_end, clip, averaging;
  gint64          evaluation, evaluation_moves, spin_squared;
  gint64          picture, volume;
} LacQuantumParams;

enum { LAC_QUANTUM_BOHR, LAC_QUANTUM_ANGSTROM };

/* table.c: @known: NULL: the molecule is written down by a person. */
LacParamTable lac_quantum_compose(const LacKnownMolecule *known);

/* Returns: (transfer full): the molecule of these settings, or NULL with a sentence. */
LacMolecule *
lac_quantum_molecule(const LacKnownMolecule *known, const LacQuantumParams *params, GError **error);
LacAnsatz lac_quantum_ansatz(const LacQuantumParams *params);

/* What is known of the energy with these settings. Returns: FALSE: nothing. */
gboolean lac_quantum_known_energy(const LacKnownMolecule *known,
                                  const LacQuantumParams *params,
                                  LacKnownEnergy         *energy);

/* What a run goes through, one after the other; steps are counted through all of them. */
typedef enum {
  LAC_PHASE_PRETRAINING,
  LAC_PHASE_BURN_IN,
  LAC_PHASE_OPTIMISATION,
  LAC_PHASE_SECOND_BURN_IN, /* of a psi that stays as it is */
  LAC_PHASE_EVALUATION,
  LAC_N_PHASES,
} LacQuantumPhase;

void            lac_quantum_count_steps(const LacQuantumParams *params, gint64 n[LAC_N_PHASES]);
LacQuantumPhase lac_quantum_phase_at(const gint64 n[LAC_N_PHASES], gint64 step);

/* outline.c: places among the metrics; 0 where a run has no such number. The energy comes first. */
typedef struct {
  gsize energy, error, off, error_of_error, variance, low, high, virial, virial_error, kinetic,
    attraction, repulsion, acceptance, width, correlation, drift, dropped, pretraining, dipole,
    dipole_error, stretch, stretch_error, spin, spin_error, inside, cusp, cusp_error;
} LacQuantumPlaces;

/* Returns: how many metrics there are. */
gsize
lac_quantum_find_places(const LacExperiment *self, gconstpointer params, LacQuantumPlaces *places);
void lac_quantum_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* Of so many measurements one is of the force that stretches the bond: it takes two more local energies, which many electrons make
 * dear. */
gsize lac_quantum_stretch_every(const LacMolecule *molecule);

/* The grid of the density in space. */
LacDensityGrid lac_quantum_grid(const LacMolecule *molecule, const LacQuantumParams *params);

/* The planes that every frame has. */
enum {
  LAC_PLANE_DENSITY,
  LAC_PLANE_SPIN,
  LAC_PLANE_ENERGY,
  LAC_PLANE_RADIAL,
  LAC_PLANE_ENERGIES,
};

/* Places of those that a frame may have; 0: it does not. @n: planes in all. */
typedef struct {
  gsize pairs, volume, n;
} LacQuantumPlanes;

enum { LAC_HISTORY_COLUMNS = 96, LAC_HISTORY_BINS = 64 };

/* estimate.c */
gboolean lac_quantum_uses_device(const LacExperiment *self, gconstpointer params, GString *apart);
gboolean lac_quantum_check(const LacExperiment *self, gconstpointer params, GError **error);
void lac_quantum_estimate(const LacExperiment *self, gconstpointer params, LacEstimate *estimate);

/* An optimisation of which a device does whole iterations. */
typedef struct _LacDeviceLoop LacDeviceLoop;

/* The parameters of the wavefunction and what improves them. */
typedef struct {
  double                *theta, *theta_before; /* [n_params] */
  double                *theta_sum;            /* [n_params], of the last n_summed iterations */
  gint64                 n_summed;
  const LacEnergyMethod *method;
  gpointer               method_self;
  double                *method_before; /* its memory before the step, to go back to */
  double                *trail;         /* [iterations]: mean energies of the optimisation */
  gint64                 n_restored;    /* steps taken back one after the other */
} LacQuantumOptimiser;

/* The evaluation of the trained wavefunction, and what it needs of each walker. */
typedef struct {
  LacEvaluation  *evaluation;
  LacObservables *observables;
  double         *gradients, *log_abs, *spin_squared; /* [n_walkers][N][3], [n_walkers] */
  gpointer        spin_scratch;
} LacQuantumMeasured;

/* What the planes of a frame are drawn from. */
typedef struct {
  LacPicture         *picture;
  LacDensity         *density; /* (nullable) */
  LacStretch         *stretch; /* (nullable) */
  LacEnergyHistory   *history;
  LacPairCorrelation *pairs; /* (nullable) */
  LacPairCusp        *cusp;  /* (nullable): of the evaluation */
  LacDistributions   *distributions;
} LacQuantumViews;

typedef struct {
  LacContext              context;
  const LacKnownMolecule *known; /* (nullable) */
  LacQuantumParams        params;
  LacQuantumPlaces        places;
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
  LacDeviceLoop      *loop; /* (nullable) */

  double *kinetic, *attraction, *repulsion, *energies, *clipped, *scratch; /* [n_walkers] */
  gint8  *signs;                                                           /* [n_walkers] */
  gint64  n_dropped; /* walkers so far whose energy was no number */
  double  drift, last_loss;

  LacQuantumMeasured measured;
  LacQuantumViews    views;
  guint32 name_move, name_energy, name_improve, name_observe, name_pretrain, name_in_flight;
} LacQuantumState;

/* report.c: fills some of @metrics */
void lac_quantum_report_batch(LacQuantumState *state, const LacEnergyBatch *batch, double *metrics);
void lac_quantum_report_spread(LacQuantumState *state, double *metrics);
void lac_quantum_report_moves(const LacQuantumState *state, double acceptance, double *metrics);
void lac_quantum_report_observables(LacQuantumState *state, double *metrics);
void lac_quantum_report_space(const LacQuantumState *state, double *metrics);
void lac_quantum_report_evaluation(LacQuantumState *state, double *metrics);
/* The last quarter of @trail against the one before, in their common standard error. */
double lac_quantum_find_drift(const double *trail, gint64 n);

/* run.c */

/* Kinetic energies, potentials and their sum at the walkers; and what else @local asks for. */
void lac_quantum_find_energies(LacQuantumState *state, LacLocal local);
/* What the optimiser is told in iteration @i. */
LacMethodTunables lac_quantum_find_tunables(const LacQuantumState *state, gint64 i);
/* Keeps psi and the optimiser as they are, to go back to. */
void lac_quantum_remember(LacQuantumState *state);
/* The walkers into the picture; what was there counts @share as much. */
void lac_quantum_look(LacQuantumState *state, double share);

/* The energies into the history and the distributions, as of @step. */
void lac_quantum_keep_energies(LacQuantumState *state, gint64 step);
/* What a batch of the optimisation says of itself, by the energies and walkers that there are; those that have no energy begin anew. */
void lac_quantum_add_batch(LacQuantumState      *state,
                           gint64                step,
                           const LacEnergyBatch *batch,
                           double                acceptance,
                           double               *metrics);
/* Whether theta joins the average after iteration @i. */
gboolean lac_quantum_is_averaged(const LacQuantumState *state, gint64 i);
/* Too many steps in a row were taken back. */
void lac_quantum_give_up(gint64 step, LacStepReport *report);

/* device.c */
#define LAC_QUANTUM_GAIN 0.05 /* of the width of the moves while psi improves */
#define LAC_QUANTUM_MOST_DROPPED \
  0.01                              /* share of the walkers: beyond, the last step is taken back */
#define LAC_QUANTUM_MOST_RESTORED 5 /* steps taken back one after the other */

/* Where a device takes whole iterations of the method. Returns: FALSE with a sentence where it has no room. */
gboolean lac_device_loop_new(LacQuantumState *state, gsize n_metrics, GError **error);
void     lac_device_loop_free(LacDeviceLoop *loop);
void     lac_device_loop_warm_up(LacQuantumState *state);
void     lac_device_loop_optimise(LacQuantumState *state, gint64 i, LacStepReport *report);
/* All that was asked for is seen; and what the device goes on from is the host's too. */
void lac_quantum_catch_up(LacQuantumState *state);
void lac_quantum_fetch(LacQuantumState *state);
/* The run goes on from what the host has. */
void     lac_device_loop_stop(LacQuantumState *state);
gboolean lac_quantum_flush(gpointer state, LacStepReport *report, GError **error);
gboolean lac_quantum_snapshot_begin(gpointer state, LacFrame *frame);
gboolean lac_quantum_snapshot_is_here(gpointer state);
void     lac_quantum_snapshot_finish(gpointer state, LacFrame *frame);

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
/* @energy: (nullable): what is known; @channels: those of lac_quantum_find_planes() */
void lac_quantum_outline_charts(const LacMolecule    *molecule,
                                const LacKnownEnergy *energy,
                                LacChannel           *channels);
void lac_quantum_shape_charts(const LacQuantumState *state, gsize (*sizes)[2]);
void lac_quantum_fill_charts(const LacQuantumState *state, LacFrame *frame);

/* frame.c */
void lac_quantum_shapes(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
void lac_quantum_snapshot(gpointer state, LacFrame *frame);
/* By what was seen so far. */
void lac_quantum_fill_frame(LacQuantumState *state, LacFrame *frame);

G_END_DECLS
