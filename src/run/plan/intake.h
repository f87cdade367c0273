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
} LacIntakeUse;

typedef struct {
  char         *holds; /* some lines, translated in part */
  gsize         n_uses;
  LacIntakeUse *uses; /* in the order of the experiments */
} LacIntake;

/* Reads the file. Any thread. Returns: %NULL with %LAC_ERROR_BAD_FILE and what is needed. */
LacIntake *lac_intake_read(const char *path, GError **error);
void       lac_intake_free(LacIntake *intake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacIntake, lac_intake_free)

G_END_DECLS
