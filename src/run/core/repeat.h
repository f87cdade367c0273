/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitwise repetition of an earlier run: its live changes at their steps, and the step at which it was stopped. */
#pragma once

#include "io/runfile/replay.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Zeroed: no earlier run. */
typedef struct {
  LacRunFile *journal;     /* (nullable): of the earlier run */
  gint64      last_step;   /* step after which the earlier run was stopped; 0: it ran to its end */
  gsize       next_change; /* index of the next event in @journal */
} LacRunRepeat;

/* Returns: FALSE with %LAC_ERROR_BAD_FILE if there is nothing to repeat. */
gboolean lac_run_repeat_open(LacRunRepeat *repeat, const LacRunOrigin *origin, GError **error);
void     lac_run_repeat_clear(LacRunRepeat *repeat);

gboolean lac_run_repeat_is_at_last_step(const LacRunRepeat *repeat, gint64 step);
/* Takes the next live change up to @step. Returns: (nullable): its "key = text"; valid until @repeat is cleared. */
const char *lac_run_repeat_take_change(LacRunRepeat *repeat, gint64 step);

G_END_DECLS
