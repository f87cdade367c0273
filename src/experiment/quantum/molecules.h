/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The molecules this program knows: where their nuclei lie, their spin, and the best energy anybody has found. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

/* Ground states, neutral, in the order of their electrons. Lengths in bohr, energies in hartree, of nuclei at rest, not relativistic. */
typedef struct {
  const char       *name;  /* "lih" */
  const char       *title; /* translatable: "Lithium hydride" */
  const char       *formula;
  guint             n_nuclei;
  const LacNucleus *nuclei;     /* at @bond */
  double            bond;       /* what all distances are proportional to; 0: an atom */
  const char       *bond_title; /* (nullable), translatable: what @bond measures */
  guint             n_unpaired; /* n_up - n_down */
  double            energy;     /* at @bond */
  double
              energy_error; /* of @energy, as far as it is known: half of the last digit or what the source states */
  const char *energy_source;
  double      hartree_fock; /* the limit of complete basis sets; NaN: not known here */
} LacKnownMolecule;

const LacKnownMolecule *lac_known_molecules(gsize *n_molecules);

/* Returns: (nullable): %NULL: there is none of that name. */
const LacKnownMolecule *lac_known_molecule_find(const char *name);

/* @bond: bohr; 0: the molecule's own. Returns: (transfer full). */
LacMolecule *lac_known_molecule_make(const LacKnownMolecule *known, double bond);

/* What is known of the energy. */
typedef struct {
  double      energy, error; /* hartree */
  double      slope;         /* dE/d(bond); NaN: not known */
  const char *source;
} LacKnownEnergy;

/* @bond: as above. Returns: FALSE: nobody tabulated this bond length. Of H2 a curve is known, 0.4 to 6 bohr. */
gboolean
lac_known_molecule_energy(const LacKnownMolecule *known, double bond, LacKnownEnergy *energy);

/* @text: "H 0 0 0; H 0 0 1.4", a nucleus an entry, in lengths of @unit bohr. Returns: (transfer full): [n_nuclei], or NULL with a
 * sentence (%LAC_ERROR_OUT_OF_RANGE) that names the entry. */
LacNucleus *lac_geometry_parse(const char *text, double unit, guint *n_nuclei, GError **error);

G_END_DECLS
