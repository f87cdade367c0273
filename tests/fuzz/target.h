/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of files that come from elsewhere, as what a fuzzer feeds: each may refuse anything, and neither crash nor hang. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;
  guint       n_tries; /* in the test suite */
  /* What a sound file holds: where mutation begins. @folder: an empty one of its own.
   * Returns: (transfer full): of GByteArray. */
  GPtrArray *(*seeds)(const char *folder);
  /* Reads the bytes as whoever brings them would have it. */
  void (*read)(const char *folder, const guint8 *bytes, gsize length);
} FuzzTarget;

const FuzzTarget *fuzz_targets(gsize *n);
