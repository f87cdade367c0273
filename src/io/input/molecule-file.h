/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Molecules from XYZ files, optionally gzip-compressed. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

/* Returns TRUE when @path has the extension of a molecule file, .xyz or .xyz.gz. */
gboolean lac_molecule_file_is_named(const char *path);

/* Returns: (transfer full): the molecule with its source set; %NULL with %LAC_ERROR_BAD_FILE, see field/xyz.h. */
LacMolecule *lac_molecule_file_read(const char *path, GError **error);

G_END_DECLS
