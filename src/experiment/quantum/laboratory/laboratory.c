/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of the quantum laboratory, built from the table of known molecules, and their checkpoints. */
#include "experiment/quantum/laboratory/laboratory.h"

#include "experiment/quantum/laboratory/laboratory-private.h"
#include "field/visit.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- checkpoints: walkers included, the next step is the same to the bit ---- */

typedef struct {
  gint64 step, n_restored, n_dropped, n_summed;
  double drift, last_loss;
} Progress;

static void
pack(gpointer data, LacPacking *packing)
{
  LacQuantumState *state = data;

  lac_packing_values(packing, state->optimiser.theta, state->n_params);
  lac_packing_values(packing, state->optimiser.theta_before, state->n_params);
  lac_packing_values(packing, state->optimiser.theta_sum, state->n_params);
  lac_packing_values(packing, state->optimiser.trail, (gsize) MAX(1, state->params.iterations));
  lac_packing_values(packing, state->optimiser.method_before, state->optimiser.n_memory);
  state->optimiser.method->pack(state->optimiser.method_self, packing);
  lac_sampler_pack(state->sampler, packing);
  lac_evaluation_pack(state->measured.evaluation, packing);
  lac_observables_pack(state->measured.observables, packing);
  lac_picture_pack(state->views.picture, packing);
  if (state->views.density)
    lac_density_pack(state->views.density, packing);
  if (state->views.pairs)
    lac_pair_correlation_pack(state->views.pairs, packing);
  if (state->views.cusp)
    lac_pair_cusp_pack(state->views.cusp, packing);
  if (state->views.stretch)
    lac_stretch_pack(state->views.stretch, packing);
  lac_energy_history_pack(state->views.history, packing);
  lac_distributions_pack(state->views.distributions, packing);
  if (state->pretraining)
    lac_pretraining_pack(state->pretraining, packing);
}

static void
visit(gpointer data, LacVisit *visit)
{
  LacQuantumState *state = data;
  Progress         progress = {state->step,      state->optimiser.n_restored,
                               state->n_dropped, state->optimiser.n_summed,
                               state->drift,     state->last_loss};

  lac_visit_bytes(visit, "progress", &progress, sizeof progress);
  lac_visit_packed(visit, "numbers", pack, state);
  if (!lac_visit_restores(visit))
    return;
  state->step = progress.step;
  state->optimiser.n_restored = progress.n_restored;
  state->n_dropped = progress.n_dropped;
  state->optimiser.n_summed = progress.n_summed;
  state->drift = progress.drift;
  state->settling = (LacQuantumSettling){NAN, NAN};
  state->last_loss = progress.last_loss;
}

static void
save(gpointer state, LacStore *store)
{
  lac_quantum_fetch(state);
  lac_visit_save(visit, state, store);
}

static gboolean
load(gpointer state, const LacStore *store, GError **error)
{
  lac_quantum_loop_stop(state);
  return lac_visit_load(visit, state, store, error);
}

/* ---- experiments ---- */

#define SOURCE                                                                              \
  "Pfau, Spencer, Matthews, Foulkes (2020), doi:10.1103/PhysRevResearch.2.033429; forward " \
  "Laplacian: Li et al. (2024), doi:10.1038/s42256-024-00794-x"

/* Each frame holds a volume, and psi changes visibly only over hundreds of steps. */
enum { MOST_FRAMES = 128 };

static const char *
find_family(const LacKnownMolecule *known)
{
  if (!known)
    return N_("Molecules");
  return known->n_nuclei == 1 ? N_("Atoms") : N_("Molecules");
}

static const char *
find_summary(const LacKnownMolecule *known)
{
  if (!known)
    return N_("Ground state of a user-defined molecule by a neural wavefunction");
  if (known->n_nuclei == 1)
    return N_("Ground state of the atom by a neural wavefunction, given only its nucleus");
  return N_("Ground state of the molecule by a neural wavefunction, given only its nuclei");
}

/* Steps before the optimisation. */
static const char *const preludes[] = {"pretraining", "burn_in", NULL};

static LacExperiment *
make_experiment(const LacKnownMolecule *known)
{
  LacExperiment      *experiment = g_new(LacExperiment, 1);
  const LacExperiment shape = {
    .name = known ? known->name : "molecule",
    .title = known ? known->title : N_("User-defined molecule"),
    .laboratory = "quantum",
    .summary = find_summary(known),
    .source = SOURCE,
    .caution = N_("Clamped nuclei, non-relativistic; the energy is an upper bound within its "
                  "error, as tight as network and training allow"),
    .family = find_family(known),
    .precision = "f32",
    .most_frames = MOST_FRAMES,
    .data = known,
    .params = lac_quantum_compose(known),
    .preludes = preludes,
    .outline = lac_quantum_outline,
    .check = lac_quantum_check,
    .estimate = lac_quantum_estimate,
    .create = lac_quantum_create,
    .destroy = lac_quantum_destroy,
    .step = lac_quantum_step,
    .n_steps = lac_quantum_n_steps,
    .shapes = lac_quantum_shapes,
    .snapshot = lac_quantum_snapshot,
    .save = save,
    .load = load,
    .uses_device = lac_quantum_uses_device,
    .retune = lac_quantum_retune,
  };

  memcpy(experiment, &shape, sizeof shape);
  lac_experiment_show_defaults(experiment);
  return experiment;
}

/* Creates the experiments of the known molecules, then the user-defined one. */
static gpointer
make_all(gpointer data G_GNUC_UNUSED)
{
  gsize                   n_known;
  const LacKnownMolecule *known = lac_known_molecules(&n_known);
  GPtrArray              *made = g_ptr_array_new();

  for (gsize i = 0; i < n_known; i++)
    g_ptr_array_add(made, make_experiment(&known[i]));
  g_ptr_array_add(made, make_experiment(NULL));
  return made;
}

const LacExperiment *const *
lac_quantum_experiments(gsize *n_experiments)
{
  static GOnce once = G_ONCE_INIT;
  GPtrArray   *made = g_once(&once, make_all, NULL);

  *n_experiments = made->len;
  return (const LacExperiment *const *) made->pdata;
}
