/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of a data file: its contents and the experiments that can use it. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* One use of the file: sets @row of @experiment to @value. */
typedef struct {
  const LacExperiment *experiment;
  const LacParam      *row;
  char                *value; /* the file, or one field of it: "FILE#u" */
  char *doubt; /* (nullable): what contradicts the experiment at its default settings */
} LacImportUse;

typedef struct {
  char         *holds; /* description in several lines, partly translated */
  gsize         n_uses;
  LacImportUse *uses; /* in the order of the experiments, those with a doubt last */
} LacImport;

/* Reads the file. Any thread. Returns: %NULL with %LAC_ERROR_BAD_FILE and the expected format. */
LacImport *lac_import_read(const char *path, GError **error);
void       lac_import_free(LacImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacImport, lac_import_free)

G_END_DECLS
