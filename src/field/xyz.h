/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XYZ molecule files: a count, a comment, then one line per atom with element and position in angstrom. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

#define LAC_XYZ_MAX_NUCLEI 64

/**
 * lac_xyz_parse:
 * @text: NUL-terminated; only the first of several geometries is read
 * @path: for error messages
 *
 * The comment may contain charge=-1, multiplicity=3 or unpaired=2, and units=bohr; or charge and multiplicity as two
 * bare integers. Missing values take the defaults of lac_molecule_occupy(). Text after the coordinates is ignored. An
 * element is given by its symbol or nuclear charge.
 *
 * Returns: (transfer full): %NULL with %LAC_ERROR_BAD_FILE naming the line and what is expected.
 */
LacMolecule *lac_xyz_parse(const char *text, const char *path, GError **error);

G_END_DECLS
