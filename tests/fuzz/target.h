/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of untrusted files as fuzz targets: each may refuse any file, but must not crash or hang. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;
  guint       n_tries; /* in the test suite */
  /* Returns the intact files from which mutation starts. @folder: an empty one for this target. Returns: (transfer
   * full): of GByteArray. */
  GPtrArray *(*seeds)(const char *folder);
  /* Reads the bytes like a file from the user. */
  void (*read)(const char *folder, const guint8 *bytes, gsize length);
} FuzzTarget;

const FuzzTarget *fuzz_targets(gsize *n);
