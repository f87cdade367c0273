/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPY and NPZ as numpy writes them, for the tests of their readers. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name; /* "u.npy" */
  GByteArray *bytes;
} ArchiveMember;

/* Returns: (transfer full): an NPY of doubles. @shape: "(3, 2)". */
GByteArray *npy_bytes(const char *shape, const double *data, gsize n);

/* Writes a ZIP archive; deflated or stored. */
void archive_write(const char *path, const ArchiveMember *members, gsize n, gboolean deflate);
