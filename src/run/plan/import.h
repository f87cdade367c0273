/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A data file that somebody brings: what is inside, and which experiments take it. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* A way to use it: the row of the experiment is set to the value. */
typedef struct {
  const LacExperiment *experiment;
  const LacParam      *row;
  char                *value; /* the file, or one field of it: "FILE#u" */
} LacImportUse;

typedef struct {
  char         *holds; /* some lines, translated in part */
  gsize         n_uses;
  LacImportUse *uses; /* in the order of the experiments */
} LacImport;

/* Reads the file. Any thread. Returns: %NULL with %LAC_ERROR_BAD_FILE and what is needed. */
LacImport *lac_import_read(const char *path, GError **error);
void       lac_import_free(LacImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacImport, lac_import_free)

G_END_DECLS
