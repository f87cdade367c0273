/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of the quantum laboratory, built from the table of known molecules, and their checkpoints. */
#include "experiment/quantum/laboratory/laboratory.h"

#include "experiment/quantum/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- checkpoints: walkers included, the next step is the same to the bit ---- */

typedef struct {
  gint64 step, n_restored, n_dropped, n_summed;
  double drift, last_loss;
} Progress;

/* Layout of a run's state vector. */
typedef struct {
  gsize theta, trail, method, sampler, evaluation, observables, picture, density, pairs, cusp,
    stretch, history, distributions, pretraining;
} Lengths;

static gsize
count(const LacQuantumState *state, Lengths *n)
{
  n->theta = state->n_params;
  n->trail = (gsize) MAX(1, state->params.iterations);
  n->method = state->optimiser.method->get_state_length(state->optimiser.method_self);
  n->sampler = lac_sampler_get_state_length(state->sampler);
  n->evaluation = lac_evaluation_get_state_length(state->measured.evaluation);
  n->observables = lac_observables_get_state_length(state->measured.observables);
  n->picture = lac_picture_get_state_length(state->views.picture);
  n->density = state->views.density ? lac_density_get_state_length(state->views.density) : 0;
  n->pairs = state->views.pairs ? lac_pair_correlation_get_state_length(state->views.pairs) : 0;
  n->cusp = state->views.cusp ? lac_pair_cusp_get_state_length(state->views.cusp) : 0;
  n->stretch = state->views.stretch ? lac_stretch_get_state_length(state->views.stretch) : 0;
  n->history = lac_energy_history_get_state_length(state->views.history);
  n->distributions = lac_distributions_get_state_length(state->views.distributions);
  n->pretraining = state->pretraining ? lac_pretraining_get_state_length(state->pretraining) : 0;
  return 3 * n->theta + n->trail + 2 * n->method + n->sampler + n->evaluation + n->observables +
         n->picture + n->density + n->pairs + n->cusp + n->stretch + n->history + n->distributions +
         n->pretraining;
}

static double *
put(double *to, const double *values, gsize n)
{
  memcpy(to, values, n * sizeof *to);
  return to + n;
}

static const double *
take(const double *from, double *values, gsize n)
{
  memcpy(values, from, n * sizeof *values);
  return from + n;
}

static void
save(gpointer data, LacStore *store)
{
  LacQuantumState *state = data;

  lac_quantum_fetch(state);
  const Progress progress = {state->step,      state->optimiser.n_restored,
                             state->n_dropped, state->optimiser.n_summed,
                             state->drift,     state->last_loss};
  Lengths        n;
  const gsize    n_all = count(state, &n);
  double        *to = lac_store_put(store, "numbers", 1, n_all, sizeof *to);

  lac_store_put_bytes(store, "progress", &progress, sizeof progress);
  to = put(to, state->optimiser.theta, n.theta);
  to = put(to, state->optimiser.theta_before, n.theta);
  to = put(to, state->optimiser.theta_sum, n.theta);
  to = put(to, state->optimiser.trail, n.trail);
  to = put(to, state->optimiser.method_before, n.method);
  state->optimiser.method->save(state->optimiser.method_self, to);
  to += n.method;
  lac_sampler_save(state->sampler, to);
  to += n.sampler;
  lac_evaluation_save(state->measured.evaluation, to);
  to += n.evaluation;
  lac_observables_save(state->measured.observables, to);
  to += n.observables;
  lac_picture_save(state->views.picture, to);
  to += n.picture;
  if (state->views.density)
    lac_density_save(state->views.density, to);
  to += n.density;
  if (state->views.pairs)
    lac_pair_correlation_save(state->views.pairs, to);
  to += n.pairs;
  if (state->views.cusp)
    lac_pair_cusp_save(state->views.cusp, to);
  to += n.cusp;
  if (state->views.stretch)
    lac_stretch_save(state->views.stretch, to);
  to += n.stretch;
  lac_energy_history_save(state->views.history, to);
  to += n.history;
  lac_distributions_save(state->views.distributions, to);
  to += n.distributions;
  if (state->pretraining)
    lac_pretraining_save(state->pretraining, to);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  LacQuantumState *state = data;
  Lengths          n;
  const gsize      n_all = count(state, &n);
  const Progress  *progress = lac_store_get_bytes(store, "progress", sizeof *progress, error);
  const double    *from =
    progress ? lac_store_get(store, "numbers", 1, n_all, sizeof *from, error) : NULL;

  if (!from)
    return FALSE;
  lac_device_loop_stop(state);
  state->step = progress->step;
  state->optimiser.n_restored = progress->n_restored;
  state->n_dropped = progress->n_dropped;
  state->optimiser.n_summed = progress->n_summed;
  state->drift = progress->drift;
  state->settling = (LacQuantumSettling){NAN, NAN};
  state->last_loss = progress->last_loss;
  from = take(from, state->optimiser.theta, n.theta);
  from = take(from, state->optimiser.theta_before, n.theta);
  from = take(from, state->optimiser.theta_sum, n.theta);
  from = take(from, state->optimiser.trail, n.trail);
  from = take(from, state->optimiser.method_before, n.method);
  state->optimiser.method->load(state->optimiser.method_self, from);
  from += n.method;
  lac_sampler_load(state->sampler, from);
  from += n.sampler;
  lac_evaluation_load(state->measured.evaluation, from);
  from += n.evaluation;
  lac_observables_load(state->measured.observables, from);
  from += n.observables;
  lac_picture_load(state->views.picture, from);
  from += n.picture;
  if (state->views.density)
    lac_density_load(state->views.density, from);
  from += n.density;
  if (state->views.pairs)
    lac_pair_correlation_load(state->views.pairs, from);
  from += n.pairs;
  if (state->views.cusp)
    lac_pair_cusp_load(state->views.cusp, from);
  from += n.cusp;
  if (state->views.stretch)
    lac_stretch_load(state->views.stretch, from);
  from += n.stretch;
  lac_energy_history_load(state->views.history, from);
  from += n.history;
  lac_distributions_load(state->views.distributions, from);
  from += n.distributions;
  if (state->pretraining)
    lac_pretraining_load(state->pretraining, from);
  return TRUE;
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
    .settle = lac_quantum_flush,
    .shapes = lac_quantum_shapes,
    .snapshot = lac_quantum_snapshot,
    .snapshot_begin = lac_quantum_snapshot_begin,
    .snapshot_is_here = lac_quantum_snapshot_is_here,
    .snapshot_finish = lac_quantum_snapshot_finish,
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
