/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing of a molecule file, with its source recorded. */
#include "io/input/molecule-file.h"

#include "field/xyz.h"
#include "io/format/whole-file.h"

gboolean
lac_molecule_file_is_named(const char *path)
{
  g_autofree char *name = g_ascii_strdown(path, -1);

  return g_str_has_suffix(name, ".xyz") || g_str_has_suffix(name, ".xyz.gz");
}

LacMolecule *
lac_molecule_file_read(const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = lac_whole_file_read_lines(path, &length, error);
  LacMolecule     *molecule = text != NULL ? lac_xyz_parse(text, path, error) : NULL;

  if (molecule != NULL)
    molecule->source = lac_file_dup_source(path);
  return molecule;
}
