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

/* ---- several runs at a time, each in a process and on a device of its own ---- */

/* Splits a list of devices: "0,1" (numbers of GPUs), "all" (every usable GPU), "cpu,cpu" (names of lac_device_open(), as
 * often as runs shall share them). Returns: (transfer full): their names; %NULL with an error. */
GStrv lac_run_devices_parse(const char *text, GError **error);

/* The functions are called by any thread, one at a time. */
typedef struct {
  guint              n_runs;
  const char *const *devices; /* names of lac_run_devices_parse() */
  const char        *model;   /* (nullable): as for lac_run_child_new() */
  /* Fills the settings of run @i, except the backend; the runs share its threads. Returns: (transfer full): the draft of
   * the settings; %NULL with an error. */
  LacDraft *(*prepare)(guint i, LacRunSettings *settings, gpointer user_data, GError **error);
  void (*began)(guint i, const char *folder, gpointer user_data);
  /* @result: (transfer full): as of lac_run_child_wait() */
  void (*ended)(guint i, const char *device, JsonObject *result, gpointer user_data);
  gboolean (*is_stopped)(gpointer user_data);
  gpointer user_data;
} LacRunChildren;

/* Performs the runs; those in progress end with a checkpoint, and no other begins, as soon as is_stopped() returns TRUE or
 * a run could not start. Returns: FALSE with the error of the latter. */
gboolean lac_run_children(const LacRunChildren *children, GError **error);

G_END_DECLS
