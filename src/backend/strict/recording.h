/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step as the strict backend notes it down: calls with copies of their arguments, so that what a replay finds is what
 * was recorded and not what the caller holds by then. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

typedef LacStatus (*LacRecordedCall)(void *self, const void *args);

typedef struct _LacRecordedSteps LacRecordedSteps;

LacRecordedSteps *lac_recorded_steps_new(void);
void              lac_recorded_steps_free(LacRecordedSteps *recording);
/* @jet_offset: where in @args a pointer to a jet lies, which is copied too; 0: there is none */
void      lac_recorded_steps_add(LacRecordedSteps *recording,
                                 LacRecordedCall   call,
                                 const void       *args,
                                 gsize             n_bytes,
                                 gsize             jet_offset);
LacStatus lac_recorded_steps_replay(const LacRecordedSteps *recording, void *self);

G_END_DECLS
