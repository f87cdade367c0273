/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First entry of a journal: data known before the first step, as JSON. */
#pragma once

#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Returns: (transfer full): @header as JSON text. @started: start time, ISO 8601, local. */
char *lac_run_header_dup_json(const LacRunHeader *header, const char *started);

/**
 * lac_run_header_parse:
 * @run: zeroed; its experiment, title, started, backend, precision, seed, threads, settings, facts, channels and
 *   metrics are filled in
 * @path: path of the folder, for messages
 *
 * Returns: FALSE with %LAC_ERROR_BAD_FILE set; the caller then clears @run.
 */
gboolean lac_run_header_parse(LacRunFile *run,
                              const char *text,
                              gsize       length,
                              const char *path,
                              GError    **error);

G_END_DECLS
