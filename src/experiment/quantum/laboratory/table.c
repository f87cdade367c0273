/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a quantum experiment: the same rows for every molecule, with defaults by its size. */
#include "base/error.h"
#include "experiment/quantum/laboratory/laboratory-private.h"
#include "experiment/quantum/molecules.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Margin of the 3D density beyond the picture, bohr: less than a thousandth of an electron is outside. */
#define WIDER 2.5

static const char *const length_units[] =
  {[LAC_QUANTUM_BOHR] = "bohr", [LAC_QUANTUM_ANGSTROM] = "angstrom", NULL};
static const char *const proposals[] = {[LAC_PROPOSAL_NORMAL] = "normal",
                                        [LAC_PROPOSAL_HARMONIC_MEAN] = "harmonic",
                                        [LAC_PROPOSAL_LANGEVIN] = "langevin",
                                        NULL};
static const char *const optimizers[] = {"spring", "kfac", "adam", NULL};

/* names of the choices above */
static const char *const length_unit_titles[] =
  {[LAC_QUANTUM_BOHR] = N_("Bohr"), [LAC_QUANTUM_ANGSTROM] = N_("Ångström")};
static const char *const proposal_titles[] = {[LAC_PROPOSAL_NORMAL] = N_("Gaussian"),
                                              [LAC_PROPOSAL_HARMONIC_MEAN] = N_("Harmonic mean"),
                                              [LAC_PROPOSAL_LANGEVIN] = "Langevin"};
static const char *const optimizer_titles[] = {"SPRING", "KFAC", "Adam"};

/* clang-format off */
static const LacParam all_rows[] = {
  {LAC_FIELD(LacQuantumParams, geometry), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Nuclei"), N_("Molecule"), N_("Element x y z; element x y z; ... for the elements from H to Ne"), .text = "H 0 0 -2.506; Be 0 0 0; H 0 0 2.506"},
  {LAC_FIELD(LacQuantumParams, length_unit), LAC_PARAM_CHOICE, "1", 0, 0, LAC_QUANTUM_BOHR, N_("Unit of length"), N_("Molecule"), N_("Unit of the coordinates above; 1 ångström is 1.8897 bohr"), .choices = length_units, .titles = length_unit_titles},
  {LAC_FIELD(LacQuantumParams, structure), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Nuclei from a file"), N_("Molecule"), N_("XYZ file in ångström, optionally with charge and multiplicity in its comment; replaces the nuclei above"), .file_type = "molecule", .given = G_STRUCT_OFFSET(LacQuantumParams, molecule)},
  {LAC_FIELD(LacQuantumParams, bond_length), LAC_PARAM_REAL, "bohr", 0.2, 20, 1.4, N_("Bond length"), N_("Molecule"), N_("Scales all distances between nuclei; sweep it for a potential energy curve")},
  {LAC_FIELD(LacQuantumParams, charge), LAC_PARAM_INTEGER, "e", -4, 10, 0, N_("Charge"), N_("Molecule"), N_("Total charge; 1: one electron is missing")},
  {LAC_FIELD(LacQuantumParams, unpaired), LAC_PARAM_INTEGER, "1", -1, 10, -1, N_("Unpaired electrons"), N_("Molecule"), N_("Spin-up minus spin-down electrons; -1: as in the ground state"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, layers), LAC_PARAM_INTEGER, "1", 1, 8, 2, N_("Layers"), N_("Wavefunction"), N_("Layers of the network that computes the orbitals")},
  {LAC_FIELD(LacQuantumParams, width), LAC_PARAM_INTEGER, "1", 2, 512, 64, N_("Width"), N_("Wavefunction"), N_("Features per electron in each layer")},
  {LAC_FIELD(LacQuantumParams, pair_width), LAC_PARAM_INTEGER, "1", 1, 64, 8, N_("Pair width"), N_("Wavefunction"), N_("Features per electron pair in each layer")},
  {LAC_FIELD(LacQuantumParams, determinants), LAC_PARAM_INTEGER, "1", 1, 64, 2, N_("Determinants"), N_("Wavefunction"), N_("Number of determinants whose sum is psi")},
  {LAC_FIELD(LacQuantumParams, full_determinant), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Full determinants"), N_("Wavefunction"), N_("One determinant of all electrons; otherwise a product of one per spin"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, jastrow), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Jastrow factor"), N_("Wavefunction"), N_("Satisfies the electron-electron cusp condition exactly"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, rescale), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Logarithmic inputs"), N_("Wavefunction"), N_("Distances enter as log(1 + r); for molecules of several atoms"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, walkers), LAC_PARAM_INTEGER, "1", 8, 8192, 256, N_("Walkers"), N_("Sampling"), N_("Number of electron configurations sampled in parallel")},
  {LAC_FIELD(LacQuantumParams, moves), LAC_PARAM_INTEGER, "1", 1, 200, 10, N_("Moves per step"), N_("Sampling"), N_("Moves of every walker between two optimisation steps")},
  {LAC_FIELD(LacQuantumParams, burn_in), LAC_PARAM_INTEGER, "1", 0, 10000, 40, N_("Burn-in"), N_("Sampling"), N_("Steps before optimisation and evaluation that equilibrate the walkers and adapt the move width"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, proposal), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PROPOSAL_NORMAL, N_("Proposal"), N_("Sampling"), N_("Gaussian: one width for all; harmonic mean: narrower near nuclei; Langevin: along the gradient of psi"), LAC_PARAM_ADVANCED, .choices = proposals, .titles = proposal_titles},
  {LAC_FIELD(LacQuantumParams, exchange), LAC_PARAM_REAL, "%", 0, 50, 0, N_("Spin exchange"), N_("Sampling"), N_("Share of moves that exchange an up and a down electron; for stretched bonds"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, pretraining), LAC_PARAM_INTEGER, "1", 0, 100000, 0, N_("Pretraining"), N_("Optimisation"), N_("Steps that fit the Hartree-Fock orbitals before the optimisation; without them a few runs reach another state")},
  {LAC_FIELD(LacQuantumParams, basis), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Basis"), N_("Optimisation"), N_("Basis set of the Hartree-Fock orbitals"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, pretraining_rate), LAC_PARAM_REAL, "1", 1e-6, 0.1, 3e-3, N_("Pretraining learning rate"), N_("Optimisation"), N_("Learning rate of Adam in the pretraining"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, optimizer), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Optimiser"), N_("Optimisation"), N_("SPRING: natural gradient with momentum, lowest variance; KFAC: Kronecker factors, fastest start; Adam: plain gradient"), .choices = optimizers, .titles = optimizer_titles},
  {LAC_FIELD(LacQuantumParams, iterations), LAC_PARAM_INTEGER, "1", 0, 1000000, 800, N_("Iterations"), N_("Optimisation"), N_("Steps of the optimisation")},
  {LAC_FIELD(LacQuantumParams, at_once), LAC_PARAM_INTEGER, "1", 0, 8192, 0, N_("Walkers in memory"), N_("Optimisation"), N_("Walkers whose derivatives are in memory at once, for kfac and adam; fewer save memory; 0: all"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, rate), LAC_PARAM_REAL, "1", 0, 1, 0, N_("Learning rate"), N_("Optimisation"), N_("Learning rate of the first step; 0: 0.05 for spring and kfac, 0.002 for adam"), LAC_PARAM_LIVE},
  {LAC_FIELD(LacQuantumParams, delay), LAC_PARAM_REAL, "1", 1, 1e6, 1000, N_("Learning rate decay"), N_("Optimisation"), N_("Steps until the learning rate has halved"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, damping), LAC_PARAM_REAL, "1", 1e-10, 1, 1e-3, N_("Damping"), N_("Optimisation"), N_("Added to the diagonal of the natural-gradient matrix"), LAC_PARAM_ADVANCED | LAC_PARAM_LIVE},
  {LAC_FIELD(LacQuantumParams, momentum), LAC_PARAM_REAL, "1", 0, 0.999, 0.99, N_("Momentum"), N_("Optimisation"), N_("Fraction of the last step that spring retains; 0: MinSR"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, norm), LAC_PARAM_REAL, "1", 0, 100, 0, N_("Maximum step"), N_("Optimisation"), N_("Bound on the squared step: of the parameters for spring, in the Fisher metric for kfac; 0: automatic"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, norm_end), LAC_PARAM_REAL, "1", 0, 100, 0, N_("Maximum step at the end"), N_("Optimisation"), N_("The bound falls geometrically to this value; 0: automatic"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, clip), LAC_PARAM_REAL, "1", 1, 1000, 5, N_("Clipping"), N_("Optimisation"), N_("Clips energies beyond this many mean deviations from the median, only in the gradient"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, averaging), LAC_PARAM_REAL, "%", 0, 100, 0, N_("Averaging"), N_("Optimisation"), N_("Final fraction of the iterations over which psi is averaged to reduce noise; 0: psi of the last step"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, evaluation), LAC_PARAM_INTEGER, "1", 8, 1000000, 200, N_("Evaluation"), N_("Evaluation"), N_("Steps that measure the result with frozen psi")},
  {LAC_FIELD(LacQuantumParams, evaluation_moves), LAC_PARAM_INTEGER, "1", 1, 1000, 20, N_("Moves per measurement"), N_("Evaluation"), N_("Moves of every walker between two measurements"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, spin_squared), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Total spin"), N_("Evaluation"), N_("Measures S²; evaluates psi once more for every pair of an up and a down electron"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, settling), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Resolution of the drift"), N_("Evaluation"), N_("Says in mHa to within what the energy had settled when the optimisation ended"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacQuantumParams, symmetry), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Check of symmetries"), N_("Evaluation"), N_("Compares the dipole moment and S² with what the symmetry of the molecule and its spin allow"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacQuantumParams, picture), LAC_PARAM_INTEGER, "1", 16, 512, 96, N_("Picture"), N_("Evaluation"), N_("Cells along each side of the density picture"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacQuantumParams, volume), LAC_PARAM_INTEGER, "1", 0, 128, 40, N_("Volume"), N_("Evaluation"), N_("Cells along the longest edge of the 3D density; 0: none"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

/* Returns TRUE for parameters that this molecule does not have. */
static gboolean
is_left_out(const LacKnownMolecule *known, const char *key)
{
  if (g_str_equal(key, "geometry") || g_str_equal(key, "length_unit") ||
      g_str_equal(key, "structure"))
    return known != NULL;
  return g_str_equal(key, "bond_length") && (!known || !(known->bond > 0));
}

/* Returns TRUE for molecules of hydrogen only: in stretched bonds spin exchanges matter. */
static gboolean
is_of_hydrogen(const LacKnownMolecule *known)
{
  for (guint a = 0; a < known->n_nuclei; a++)
    if (known->nuclei[a].charge != 1)
      return FALSE;
  return known->n_nuclei > 1;
}

static guint
count_electrons(const LacKnownMolecule *known)
{
  guint n = 0;

  for (guint a = 0; a < known->n_nuclei; a++)
    n += known->nuclei[a].charge;
  return n;
}

/* Returns the default number of iterations: few electrons reach a millihartree in a minute or two, a two-electron
 * bond half of one at any length; for more electrons the default gives a first impression. */
static double
find_iterations(const LacKnownMolecule *known, guint n_electrons)
{
  if (n_electrons < 3)
    return known && known->bond > 0 ? 1600 : n_electrons == 2 ? 2000 : 800;
  return n_electrons < 5 ? 8000 : 1200;
}

/* Returns TRUE for two electrons at one nucleus: they converge so closely that the usual damping would limit them. */
static gboolean
is_helium(const LacKnownMolecule *known, guint n_electrons)
{
  return known && n_electrons == 2 && known->bond == 0;
}

/* Returns TRUE for three or four electrons, which can converge by short steps, whose mean is lower than the end of
 * long ones. */
static gboolean
is_of_few(guint n_electrons)
{
  return n_electrons == 3 || n_electrons == 4;
}

static void
set_fallback(const LacKnownMolecule *known, LacParam *row)
{
  const guint n = known ? count_electrons(known) : 6; /* as many as the default geometry has */

  if (g_str_equal(row->key, "bond_length"))
    row->fallback = known->bond;
  else if (g_str_equal(row->key, "pretraining"))
    row->fallback = n > 2 ? 500 : n == 2 ? 300 : 0;
  else if (g_str_equal(row->key, "exchange"))
    row->fallback = known && is_of_hydrogen(known) ? 10 : 0;
  else if (g_str_equal(row->key, "momentum"))
    row->fallback =
      n < 3 ? 0.99 : 0.95; /* with larger energy variance a long memory preserves noise */
  else if (g_str_equal(row->key, "iterations"))
    row->fallback = find_iterations(known, n);
  else if (g_str_equal(row->key, "damping") && is_helium(known, n))
    row->fallback = 1e-4;
  else if (g_str_equal(row->key, "norm") && (is_helium(known, n) || is_of_few(n)))
    row->fallback = 0.01;
  else if (g_str_equal(row->key, "averaging"))
    row->fallback = n < 5 ? 25 : 0; /* with more electrons psi is still converging */
  else if (g_str_equal(row->key, "spin_squared"))
    row->fallback =
      n < 7; /* with more electrons the pair exchanges cost more than everything else */
  else if (g_str_equal(row->key, "evaluation"))
    row->fallback = n < 3 ? 1000 : n < 5 ? 1500 : 800;
}

LacParamTable
lac_quantum_compose(const LacKnownMolecule *known)
{
  GArray       *rows = g_array_new(FALSE, FALSE, sizeof(LacParam));
  LacParamTable table = {.size = sizeof(LacQuantumParams)};

  for (gsize i = 0; i < G_N_ELEMENTS(all_rows); i++) {
    LacParam row;

    if (is_left_out(known, all_rows[i].key))
      continue;
    memcpy(&row, &all_rows[i], sizeof row);
    if (g_str_equal(row.key, "basis")) {
      row.choices = lac_pretraining_bases();
      row.titles = lac_pretraining_basis_titles();
    }
    set_fallback(known, &row);
    g_array_append_val(rows, row);
  }
  table.n_rows = rows->len;
  table.rows = (LacParam *) (gpointer) g_array_free(rows, FALSE);
  return table;
}

/* @molecule: (nullable). Returns NULL with an error if it is too large. */
static LacMolecule *
check_size(LacMolecule *molecule, GError **error)
{
  const guint n = lac_molecule_get_n_electrons(molecule);

  if (n <= LAC_SAMPLER_MAX_ELECTRONS)
    return molecule;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "%s has %u electrons; at most %d are supported", molecule->name, n,
              LAC_SAMPLER_MAX_ELECTRONS);
  lac_molecule_unref(molecule);
  return NULL;
}

LacMolecule *
lac_quantum_molecule(const LacKnownMolecule *known, const LacQuantumParams *params, GError **error)
{
  const double unit = params->length_unit == LAC_QUANTUM_ANGSTROM ? LAC_BOHR_PER_ANGSTROM : 1;
  g_autofree LacNucleus *written = NULL;
  g_autoptr(LacMolecule) plain = NULL;
  const LacNucleus      *nuclei;
  guint                  n_nuclei, n_up, n_down;
  int                    unpaired = (int) params->unpaired;

  if (!known && params->structure) {
    if (params->molecule)
      return check_size(lac_molecule_ref(params->molecule->data), error);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has not been read", params->structure);
    return NULL;
  }
  if (known) {
    plain = lac_known_molecule_make(known, params->bond_length);
    nuclei = plain->nuclei;
    n_nuclei = plain->n_nuclei;
    if (unpaired < 0 && params->charge == 0)
      unpaired = (int) known->n_unpaired;
  } else {
    nuclei = written = lac_geometry_parse(params->geometry, unit, &n_nuclei, error);
    if (!written)
      return NULL;
  }
  if (!lac_nuclei_check(n_nuclei, nuclei, error) ||
      !lac_molecule_occupy(n_nuclei, nuclei, (int) params->charge, unpaired, &n_up, &n_down, error))
    return NULL;
  g_autofree char *name =
    known ? g_strdup(known->formula) : lac_molecule_dup_formula(n_nuclei, nuclei);

  return check_size(lac_molecule_new(name, n_nuclei, nuclei, n_up, n_down), error);
}

gboolean
lac_quantum_known_energy(const LacKnownMolecule *known,
                         const LacQuantumParams *params,
                         LacKnownEnergy         *energy)
{
  if (!known || params->charge != 0 ||
      (params->unpaired >= 0 && params->unpaired != (gint64) known->n_unpaired))
    return FALSE;
  return lac_known_molecule_energy(known, params->bond_length, energy);
}

LacDensityGrid
lac_quantum_grid(const LacMolecule *molecule, const LacQuantumParams *params)
{
  return lac_density_grid(molecule, lac_picture_margin(molecule) + WIDER, (gsize) params->volume);
}

LacAnsatz
lac_quantum_ansatz(const LacQuantumParams *params)
{
  return (LacAnsatz){
    .one_width = (guint) params->width,
    .pair_width = (guint) params->pair_width,
    .n_layers = (guint) params->layers,
    .n_determinants = (guint) params->determinants,
    .full_determinant = params->full_determinant != 0,
    .jastrow = params->jastrow != 0,
    .rescale = params->rescale != 0,
  };
}

void
lac_quantum_count_steps(const LacQuantumParams *params, gint64 n[LAC_N_PHASES])
{
  n[LAC_PHASE_PRETRAINING] = params->pretraining;
  n[LAC_PHASE_BURN_IN] = params->burn_in;
  n[LAC_PHASE_OPTIMISATION] = params->iterations;
  n[LAC_PHASE_SECOND_BURN_IN] = params->iterations > 0 ? params->burn_in : 0;
  n[LAC_PHASE_EVALUATION] = params->evaluation;
}

LacQuantumPhase
lac_quantum_phase_at(const gint64 n[LAC_N_PHASES], gint64 step)
{
  guint phase = 0;

  while (phase + 1 < LAC_N_PHASES && step >= n[phase])
    step -= n[phase++];
  return (LacQuantumPhase) phase;
}
