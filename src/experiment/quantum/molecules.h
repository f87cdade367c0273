/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of known molecules: nuclear positions, spin and the best reference energy. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

/* A neutral molecule in its ground state; the table is ordered by number of electrons. Lengths in bohr; energies in
 * hartree, non-relativistic, for clamped nuclei. */
typedef struct {
  const char       *name;  /* "lih" */
  const char       *title; /* translatable: "Lithium hydride" */
  const char       *formula;
  guint             n_nuclei;
  const LacNucleus *nuclei;     /* positions at bond length @bond */
  double            bond;       /* scale of all distances; 0: an atom */
  const char       *bond_title; /* (nullable), translatable: name of @bond */
  guint             n_unpaired; /* n_up - n_down */
  double            energy;     /* reference energy at bond length @bond */
  double
              energy_error; /* uncertainty of @energy, if known: half of the last digit, or as stated by the source */
  const char *energy_source;
  double      hartree_fock; /* Hartree-Fock energy at the basis-set limit; NaN: not tabulated */
} LacKnownMolecule;

const LacKnownMolecule *lac_known_molecules(gsize *n_molecules);

/* Returns: (nullable): the molecule named @name; %NULL if there is none. */
const LacKnownMolecule *lac_known_molecule_find(const char *name);

/* Creates the molecule with another bond length. @bond: bohr; 0: the tabulated length. Returns: (transfer full). */
LacMolecule *lac_known_molecule_make(const LacKnownMolecule *known, double bond);

/* Reference energy of a molecule. */
typedef struct {
  double      energy, error; /* hartree */
  double      slope;         /* dE/d(bond); NaN: unknown */
  const char *source;
} LacKnownEnergy;

/* Looks up the reference energy. @bond: bohr; 0: the tabulated length. Returns: FALSE if there is no reference for
 * this bond length. For H2 a curve is tabulated, 0.4 to 6 bohr. */
gboolean
lac_known_molecule_energy(const LacKnownMolecule *known, double bond, LacKnownEnergy *energy);

/* Parses nuclear positions. @text: "H 0 0 0; H 0 0 1.4", one nucleus per entry, lengths in units of @unit bohr.
 * Returns: (transfer full): [n_nuclei], or NULL with %LAC_ERROR_OUT_OF_RANGE naming the entry. */
LacNucleus *lac_geometry_parse(const char *text, double unit, guint *n_nuclei, GError **error);

G_END_DECLS
