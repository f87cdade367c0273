/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments of the quantum laboratory, made from the table of known molecules. */
#include "experiment/quantum/laboratory/laboratory.h"

#include "experiment/quantum/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define SOURCE                                                                              \
  "Pfau, Spencer, Matthews, Foulkes (2020), doi:10.1103/PhysRevResearch.2.033429; forward " \
  "Laplacian: Li et al. (2024), doi:10.1038/s42256-024-00794-x"

/* Each holds a volume, and psi takes hundreds of steps to look different. */
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
    return N_("The ground state of nuclei of your own, by a neural wavefunction");
  if (known->n_nuclei == 1)
    return N_("The ground state of the atom by a neural wavefunction, from its nucleus alone");
  return N_("The ground state of the molecule by a neural wavefunction, from its nuclei alone");
}

/* Steps of other kinds before those of the optimisation. */
static const char *const preludes[] = {"pretraining", "burn_in", NULL};

static LacExperiment *
make_experiment(const LacKnownMolecule *known)
{
  LacExperiment      *experiment = g_new(LacExperiment, 1);
  const LacExperiment shape = {
    .name = known ? known->name : "molecule",
    .title = known ? known->title : N_("A molecule of your own"),
    .laboratory = "quantum",
    .summary = find_summary(known),
    .source = SOURCE,
    .caution =
      N_("Nuclei at rest and no relativity; the energy is an upper bound within its error, "
         "as good as the network and its training"),
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
    .settle = lac_quantum_settle,
    .shapes = lac_quantum_shapes,
    .snapshot = lac_quantum_snapshot,
    .snapshot_begin = lac_quantum_snapshot_begin,
    .snapshot_is_here = lac_quantum_snapshot_is_here,
    .snapshot_finish = lac_quantum_snapshot_finish,
    .save = lac_quantum_save,
    .load = lac_quantum_load,
    .uses_device = lac_quantum_uses_device,
    .retune = lac_quantum_retune,
  };

  memcpy(experiment, &shape, sizeof shape);
  lac_experiment_show_defaults(experiment);
  return experiment;
}

/* The known ones, then what a person writes down. */
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
