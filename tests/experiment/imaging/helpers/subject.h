/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An imaging experiment made small, with what its state needs. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacContext           context;
} Subject;

/* @name: of the experiment. A failure ends the test, here and below. */
void subject_init(Subject *subject, const char *name);
void subject_clear(Subject *subject);
void subject_set(Subject *subject, const char *key, const char *text);

/* Returns: (transfer full): the state of a run; free it with the experiment's destroy(). */
LacImagingState *subject_new_state(Subject *subject);
void             subject_run_to_the_end(const LacExperiment *experiment, LacImagingState *state);

G_END_DECLS
