/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run with, after its own channels, those that follow from its velocity: speed, vorticity, Q-criterion, divergence. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacDerivedRun LacDerivedRun;

/* @run: borrowed for the life of the object */
LacDerivedRun *lac_derived_run_new(LacRunFile *run);
void           lac_derived_run_free(LacDerivedRun *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDerivedRun, lac_derived_run_free)

/* (transfer none): not to be referenced; its frames are those of lac_derived_run_load_frame() alone. */
LacRunFile *lac_derived_run_get(LacDerivedRun *derived);

/* Returns: (transfer full): kept frame @i with a plane a channel; of the derived ones those of the quantity of @channel are filled.
 * %NULL with %LAC_ERROR_BAD_FILE set. */
LacFrame *
lac_derived_run_load_frame(const LacDerivedRun *derived, gsize i, gsize channel, GError **error);

G_END_DECLS
