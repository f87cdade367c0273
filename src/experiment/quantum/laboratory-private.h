/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the quantum laboratory share. Hartree and bohr. */
#pragma once

#include "experiment/quantum/density.h"
#include "experiment/quantum/energy-history.h"
#include "experiment/quantum/energy-method.h"
#include "experiment/quantum/evaluation.h"
#include "experiment/quantum/laboratory.h"
#include "experiment/quantum/local-energy.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables.h"
#include "experiment/quantum/pair-correlation.h"
#include "experiment/quantum/picture.h"
#include "experiment/quantum/pretraining.h"
#include "experiment/quantum/sampler.h"

G_BEGIN_DECLS

/* The rows of every experiment; those that mean nothing to a molecule are left out of its table. */
typedef struct {
  char  *geometry;  /* "H 0 0 0; H 0 0 1.4" */
  char  *structure; /* (nullable): an XYZ file in place of it */
  gint64 length_unit;
  double bond_length; /* bohr */
  gint64 charge, unpaired;
  gint64 layers, width, pair_width, determinants, full_determinant, jastrow, rescale;
  gint64 walkers, moves, burn_in, proposal;
  double exchange;
  gint64 pretraining, basis;
  double pretraining_rate;
  gint64 optimizer, iterations, at_once;
  double rate, delay, damping, momentum, norm, norm_end, clip;
  gint64 evaluation, evaluation_moves, spin_squared;
  gint64 picture, volume;
} LacQuantumParams;

enum { LAC_QUANTUM_BOHR, LAC_QUANTUM_ANGSTROM };

/* laboratory-table.c: @known: NULL: the molecule is written down by a person. */
LacParamTable lac_quantum_compose(const LacKnownMolecule *known);

/* Returns: (transfer full): the molecule of these settings, or NULL with a sentence. */
LacMolecule *
lac_quantum_molecule(const LacKnownMolecule *known, const LacQuantumParams *params, GError **error);
LacAnsatz lac_quantum_ansatz(const LacQuantumParams *params);

/* What is known of the energy with these settings. Returns: FALSE: nothing. */
gboolean lac_quantum_known_energy(const LacKnownMolecule *known,
                                  const LacQuantumParams *params,
                                  LacKnownEnergy         *energy);

/* Shells of the distances of pairs, bohr. */
#define LAC_PAIR_REACH 6.0
#define LAC_PAIR_BINS  240

#define LAC_BOND_SHIFT \
  0.02 /* bohr: what psi does beyond first order is a thousandth of that then */

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

/* laboratory-outline.c: places among the metrics; 0 where a run has no such number. The energy comes first. */
typedef struct {
  gsize energy, error, off, error_of_error, variance, low, high, virial, virial_error, kinetic,
    attraction, repulsion, acceptance, width, correlation, drift, dropped, pretraining, dipole,
    dipole_error, stretch, stretch_error, spin, spin_error, inside, cusp, cusp_error;
} LacQuantumPlaces;

void
lac_quantum_find_places(const LacExperiment *self, gconstpointer params, LacQuantumPlaces *places);
void lac_quantum_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* The grid of the density in space. */
LacDensityGrid lac_quantum_grid(const LacMolecule *molecule, const LacQuantumParams *params);

/* The planes of a frame; those from LAC_PLANE_VOLUME on only where there is a volume. */
enum { LAC_PLANE_DENSITY, LAC_PLANE_SPIN, LAC_PLANE_ENERGY, LAC_PLANE_VOLUME };
enum { LAC_HISTORY_COLUMNS = 96, LAC_HISTORY_BINS = 64 };

/* laboratory-estimate.c */
gboolean lac_quantum_check(const LacExperiment *self, gconstpointer params, GError **error);
void lac_quantum_estimate(const LacExperiment *self, gconstpointer params, LacEstimate *estimate);

typedef struct {
  LacContext              context;
  const LacKnownMolecule *known; /* (nullable) */
  LacQuantumParams        params;
  LacQuantumPlaces        places;
  gint64                  phase_steps[LAC_N_PHASES];
  gint64                  step, n_steps;

  LacMolecule     *molecule;
  gboolean         has_energy;
  LacKnownEnergy   energy;
  LacWavefunction *wave;
  gsize            n_params, n_walkers, n_electrons;
  double          *theta, *theta_before; /* [n_params] */
  LacSampler      *sampler;
  LacPretraining  *pretraining; /* (nullable) */

  const LacEnergyMethod *method;
  gpointer               method_self;
  double                *method_before; /* its memory before the step, to go back to */
  double         *kinetic, *attraction, *repulsion, *energies, *clipped, *scratch; /* [n_walkers] */
  double         *trail;      /* [iterations]: mean energies of the optimisation */
  gint8          *signs;      /* [n_walkers] */
  gint64          n_restored; /* steps taken back one after the other */
  gint64          n_dropped;  /* walkers so far whose energy was no number */
  LacEvaluation  *evaluation;
  LacObservables *observables;
  double         *gradients, *log_abs, *spin_squared; /* [n_walkers][N][3], [n_walkers] */
  gpointer        spin_scratch;
  double          drift, last_loss;

  LacPicture *picture;
  LacDensity *density; /* (nullable) */
  /* psi with the bond a little shorter and a little longer (nullable), and what they say of walkers, [n_walkers] */
  LacWavefunction    *shifted[2];
  double             *log_shifted[2], *responses;
  gint8              *signs_shifted;
  LacEnergyHistory   *history;
  LacPairCorrelation *pairs; /* (nullable): of the evaluation */
  guint32             name_move, name_energy, name_improve, name_observe, name_pretrain;
} LacQuantumState;

/* laboratory-report.c: fills some of @metrics */
void lac_quantum_report_batch(LacQuantumState *state, const LacEnergyBatch *batch, double *metrics);
void lac_quantum_report_spread(LacQuantumState *state, double *metrics);
void lac_quantum_report_moves(const LacQuantumState *state, double acceptance, double *metrics);
void lac_quantum_report_observables(LacQuantumState *state, double *metrics);
void lac_quantum_report_space(const LacQuantumState *state, double *metrics);
void lac_quantum_report_evaluation(LacQuantumState *state, double *metrics);
/* The last quarter of @trail against the one before, in their common standard error. */
double lac_quantum_find_drift(const double *trail, gint64 n);

/* laboratory-run.c */

/* Kinetic energies, potentials and their sum at the walkers; and what else @local asks for. */
void lac_quantum_find_energies(LacQuantumState *state, LacLocal local);
/* d log |psi| / d(bond) at the walkers, where there is a bond. */
void lac_quantum_find_responses(LacQuantumState *state);
/* What the optimiser is told in iteration @i. */
LacMethodKnobs lac_quantum_find_knobs(const LacQuantumState *state, gint64 i);
/* Keeps psi and the optimiser as they are, to go back to. */
void lac_quantum_remember(LacQuantumState *state);
/* The walkers into the picture; what was there counts @share as much. */
void lac_quantum_look(LacQuantumState *state, double share);

/* laboratory-set-up.c */
gpointer lac_quantum_create(const LacExperiment *self,
                            gconstpointer        params,
                            const LacContext    *context,
                            GError             **error);
void     lac_quantum_destroy(gpointer state);
gboolean lac_quantum_step(gpointer state, LacStepReport *report, GError **error);
gint64   lac_quantum_n_steps(gconstpointer state);
void     lac_quantum_retune(gpointer state, gconstpointer params);

/* laboratory-kept.c */
void     lac_quantum_save(gpointer state, LacStore *store);
gboolean lac_quantum_load(gpointer state, const LacStore *store, GError **error);

/* laboratory-frame.c */
void lac_quantum_shapes(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
void lac_quantum_snapshot(gpointer state, LacFrame *frame);

G_END_DECLS
