/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded steps of the strict backend: calls with copies of their arguments, so that a replay uses the recorded
 * arguments, not the caller's present ones. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

typedef LacStatus (*LacRecordedCall)(void *self, const void *args);

typedef struct _LacRecordedSteps LacRecordedSteps;

LacRecordedSteps *lac_recorded_steps_new(void);
void              lac_recorded_steps_free(LacRecordedSteps *recording);
/* Appends a call. @jet_offset: offset in @args of a pointer to a jet, which is also copied; 0: none */
void      lac_recorded_steps_add(LacRecordedSteps *recording,
                                 LacRecordedCall   call,
                                 const void       *args,
                                 gsize             n_bytes,
                                 gsize             jet_offset);
LacStatus lac_recorded_steps_replay(const LacRecordedSteps *recording, void *self);

G_END_DECLS
