/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run extended by channels derived from its velocity: speed, vorticity, Q-criterion, divergence. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacDerivedRun LacDerivedRun;

/* @run: borrowed for the lifetime of the object */
LacDerivedRun *lac_derived_run_new(LacRunFile *run);
void           lac_derived_run_free(LacDerivedRun *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDerivedRun, lac_derived_run_free)

/* Returns: (transfer none): the extended run; do not take a reference. Load its frames with
 * lac_derived_run_load_frame() only. */
LacRunFile *lac_derived_run_get(LacDerivedRun *derived);

/* Loads saved frame @i with one plane per channel; derived planes are filled only for @channel's quantity. Returns:
 * (transfer full): %NULL with %LAC_ERROR_BAD_FILE set. */
LacFrame *
lac_derived_run_load_frame(const LacDerivedRun *derived, gsize i, gsize channel, GError **error);

G_END_DECLS
