/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed nuclei and their electrons. Hartree atomic units: lengths in bohr, energies in hartree. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_BOHR_PER_ANGSTROM 1.8897261246257702 /* 1 / 0.529177210903: CODATA 2018 */

/* Supported elements: hydrogen to neon. */
#define LAC_N_ELEMENTS 10

typedef struct {
  const char *symbol; /* "He" */
  const char *title;  /* translatable: "Helium" */
  guint       n_up,
    n_down; /* electrons of the neutral atom in its ground state, by Hund's rules; charge = n_up + n_down */
} LacElement;

/* Returns: (nullable): NULL for an unsupported element. */
const LacElement *lac_element(guint charge);

/* @symbol: case-insensitive. Returns: the nuclear charge; 0 if there is no such element. */
guint lac_element_find(const char *symbol);

typedef struct {
  guint  charge; /* 1 to LAC_N_ELEMENTS */
  double position[3];
} LacNucleus;

/* Immutable, reference-counted; any thread. */
typedef struct {
  gint        ref_count; /* atomic */
  char       *name;      /* "LiH" */
  char       *source;    /* (nullable): file and its SHA-256; set before sharing */
  guint       n_nuclei;  /* at least 1 */
  LacNucleus *nuclei;
  guint       n_up, n_down; /* electrons; spin-up electrons are always numbered first */
} LacMolecule;

/* @nuclei: [@n_nuclei], copied. */
LacMolecule *lac_molecule_new(const char       *name,
                              guint             n_nuclei,
                              const LacNucleus *nuclei,
                              guint             n_up,
                              guint             n_down);
LacMolecule *lac_molecule_ref(LacMolecule *molecule);
void         lac_molecule_unref(LacMolecule *molecule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacMolecule, lac_molecule_unref)

/* Returns: (transfer full): the formula, such as "H2O". */
char *lac_molecule_dup_formula(guint n_nuclei, const LacNucleus *nuclei);

/* Returns: (transfer full): one line per nucleus in bohr and in angstrom, below a heading with charge and electrons. */
char *lac_molecule_dup_geometry(const LacMolecule *molecule);

guint  lac_molecule_get_n_electrons(const LacMolecule *molecule);
int    lac_molecule_get_charge(const LacMolecule *molecule);    /* total charge */
double lac_molecule_get_repulsion(const LacMolecule *molecule); /* nuclear repulsion, hartree */

/* Splits the electrons into n_up and n_down. @n_unpaired: n_up - n_down; -1: the default: 0 or 1, or for a single
 * atom the value of its ground state. Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE if there is no electron, if there
 * are more than the nuclei can bind (one beyond their total charge), or if the number of unpaired electrons does not
 * fit. */
gboolean lac_molecule_occupy(guint             n_nuclei,
                             const LacNucleus *nuclei,
                             int               charge,
                             int               n_unpaired,
                             guint            *n_up,
                             guint            *n_down,
                             GError          **error);

/* Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE if two nuclei are closer than 0.1 bohr or a position is not finite. */
gboolean lac_nuclei_check(guint n_nuclei, const LacNucleus *nuclei, GError **error);

G_END_DECLS
