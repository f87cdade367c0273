/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in child processes, each a `lacuna run` of the same program. After an unrecoverable CUDA error a process can
 * no longer use the GPU, but a new process can. */
#pragma once

#include "run/core/run.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _LacRunChild LacRunChild;

/* Returns: TRUE when a new run of @settings would compute on a device that this process has lost. */
gboolean lac_run_wants_child(const LacRunSettings *settings);
/* Returns: (transfer none): one sentence, to be shown once. */
const char *lac_run_child_get_reason(void);

/**
 * lac_run_child_new:
 * @settings: of a new run
 * @model: (nullable): the text that the settings were read from, as for lac_yaml_write()
 * @is_quiet: suppress progress on standard error
 *
 * Starts the process.
 * Returns: %NULL with an error if it cannot be started, or if the settings cannot be written as a plan.
 */
LacRunChild *lac_run_child_new(const LacRunSettings *settings,
                               const char           *model,
                               gboolean              is_quiet,
                               GError              **error);
LacRunChild *lac_run_child_ref(LacRunChild *child); /* ref and unref: any thread */
void         lac_run_child_unref(LacRunChild *child);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunChild, lac_run_child_unref)

/* Wait for the folder, which exists once the settings are accepted, and for the end of the run; one thread calls both
 * in this order. Return: (transfer full): the path of the folder, and the object of lac_run_dup_result(); %NULL with
 * the error that the process reported. */
char       *lac_run_child_wait_for_folder(LacRunChild *child, GError **error);
JsonObject *lac_run_child_wait(LacRunChild *child, GError **error);

/* Stops the run with a checkpoint. Any thread. */
void lac_run_child_stop(LacRunChild *child);

G_END_DECLS
