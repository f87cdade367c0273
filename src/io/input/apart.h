/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of files in a separate process: HDF5, matio and the picture libraries crash or hang on some damaged files,
 * and the program must survive that. The process is forked by lacuna-reader, which is single-threaded, so that no
 * lock is held in the child. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

/* Starts the reader unless it runs, without waiting for it: the next request then need not. Any thread. */
void lac_apart_prepare(void);

/**
 * lac_apart_request:
 * @job: a name in io/reader/reader.c
 * @what: arguments of the job; a floating reference is taken
 *
 * Has the reader do @job on the file @path in a new process, which is ended when it uses more time or memory than a
 * file of that size requires. Any thread.
 *
 * Returns: a socket to read the answer from, to be closed; -1 with %LAC_ERROR_FAILED when the reader cannot be
 * started.
 */
int lac_apart_request(const char *job, const char *path, GVariant *what, GError **error);

/* Receives @n_bytes of the answer. Returns: FALSE when fewer arrived: the file is damaged. */
gboolean lac_apart_get(int from, gpointer data, gsize n_bytes);

/* Returns TRUE when @job on @path succeeds; FALSE: reading @path in this process is unsafe. */
gboolean lac_apart_try(const char *job, const char *path, GVariant *what);

/* Function that does a job, called in the process forked for it. Returns: FALSE on failure. */
typedef gboolean (*LacApartFunc)(const char *path, GVariant *what, int to);

/* Sends a part of the answer; ends the process when the receiver is gone. */
void lac_apart_put(int to, gconstpointer data, gsize n_bytes);

/* Reads a file of known format in a separate process. Returns: FALSE with the error of its reader, or
 * %LAC_ERROR_BAD_FILE when that process crashed or timed out. */
gboolean lac_input_read_apart(LacInputFile *file, const char *path, GError **error);
/* Serves the job "file". @what: (sb): format, and whether arrays stay in the file */
gboolean lac_input_serve_file(const char *path, GVariant *what, int to);

/* Type of a request as a GVariant. */
#define LAC_APART_REQUEST "(sayayv)" /* job, working folder, path, arguments */

G_END_DECLS
