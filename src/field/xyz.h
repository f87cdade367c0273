/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XYZ, the oldest notation of molecules: a count, a comment, an element and its place in angstrom a line. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

#define LAC_XYZ_MAX_NUCLEI 64

/**
 * lac_xyz_parse:
 * @text: zero at its end; of several geometries one behind the other the first is taken
 * @path: for the sentences
 *
 * The comment may say charge=-1, multiplicity=3 or unpaired=2, and units=bohr; or charge and multiplicity as two bare integers. What it leaves
 * open is as lac_molecule_occupy() has it. What stands behind the coordinates is passed over. An element is its symbol or
 * the charge of its nucleus.
 *
 * Returns: (transfer full): %NULL with %LAC_ERROR_BAD_FILE; the sentence names the line and what is needed.
 */
LacMolecule *lac_xyz_parse(const char *text, const char *path, GError **error);

G_END_DECLS
