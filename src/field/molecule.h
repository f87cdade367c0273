/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nuclei at rest and the electrons around them. Hartree atomic units: lengths in bohr, energies in hartree. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_BOHR_PER_ANGSTROM 1.8897261246257702 /* 1 / 0.529177210903: CODATA 2018 */

/* The elements this program knows: hydrogen to neon. */
#define LAC_N_ELEMENTS 10

typedef struct {
  const char *symbol; /* "He" */
  const char *title;  /* translatable: "Helium" */
  guint       n_up,
    n_down; /* electrons of the neutral atom's ground state by Hund's rule; charge = n_up + n_down */
} LacElement;

/* Returns: (nullable): NULL beyond the elements known. */
const LacElement *lac_element(guint charge);

/* @symbol: in any case. Returns: the charge of the nucleus; 0: no such element. */
guint lac_element_find(const char *symbol);

typedef struct {
  guint  charge; /* 1 to LAC_N_ELEMENTS */
  double position[3];
} LacNucleus;

/* Immutable, reference-counted; any thread. */
typedef struct {
  gint        ref_count; /* atomic */
  char       *name;      /* "LiH" */
  char       *source;    /* (nullable): file and its SHA-256; set by the maker before sharing */
  guint       n_nuclei;  /* at least 1 */
  LacNucleus *nuclei;
  guint n_up, n_down; /* electrons; those with spin up come first wherever electrons are numbered */
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

/* "H2O". Returns: (transfer full). */
char *lac_molecule_dup_formula(guint n_nuclei, const LacNucleus *nuclei);

/* A line a nucleus in bohr and in angstrom, below a heading with charge and electrons. Returns: (transfer full). */
char *lac_molecule_dup_geometry(const LacMolecule *molecule);

guint  lac_molecule_get_n_electrons(const LacMolecule *molecule);
int    lac_molecule_get_charge(const LacMolecule *molecule); /* of nuclei and electrons together */
double lac_molecule_get_repulsion(const LacMolecule *molecule); /* of the nuclei, hartree */

/* Splits electrons by their number of unpaired ones. Returns: FALSE with a sentence (%LAC_ERROR_OUT_OF_RANGE): no electron,
 * more than the nuclei hold on to (one beyond their charge), or a number of unpaired ones that does not fit.
 * @n_unpaired: n_up - n_down; -1: 0 or 1, of one atom that of its ground state. */
gboolean lac_molecule_occupy(guint             n_nuclei,
                             const LacNucleus *nuclei,
                             int               charge,
                             int               n_unpaired,
                             guint            *n_up,
                             guint            *n_down,
                             GError          **error);

/* Returns: FALSE with a sentence (%LAC_ERROR_OUT_OF_RANGE) where two nuclei lie nearer than 0.1 bohr or a position is not finite. */
gboolean lac_nuclei_check(guint n_nuclei, const LacNucleus *nuclei, GError **error);

G_END_DECLS
