/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a file in a process of its own: HDF5, matio and the libraries of pictures crash or hang on some damaged files, and
 * nobody else should. The program lacuna-reader makes that process: it has one thread, so that no lock is held in its copy. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

/**
 * lac_apart_request:
 * @job: a name in io/reader/reader.c
 * @what: its arguments; a floating reference is taken
 *
 * Has the reader do @job on the file @path. A process that crashes, or takes more time or memory than a file of that size can ask for,
 * ends. Any thread.
 *
 * Returns: a socket that the answer comes from, to be closed; -1 with %LAC_ERROR_FAILED where the reader cannot be started.
 */
int lac_apart_request(const char *job, const char *path, GVariant *what, GError **error);

/* Returns: FALSE when fewer bytes came: the file is damaged. */
gboolean lac_apart_get(int from, gpointer data, gsize n_bytes);

/* Whether @job on @path ends well. Returns: FALSE: @path is better not read by this process. */
gboolean lac_apart_try(const char *job, const char *path, GVariant *what);

/* A job, in the process that does it. Returns: FALSE when it cannot be done. */
typedef gboolean (*LacApartFunc)(const char *path, GVariant *what, int to);

/* Sends a part of the answer; ends the process when nobody takes it. */
void lac_apart_put(int to, gconstpointer data, gsize n_bytes);

/* Reads a file whose format is known, in a process of its own. Returns: FALSE with the error of its reader, or %LAC_ERROR_BAD_FILE where
 * that process crashed or took too long. */
gboolean lac_input_read_apart(LacInputFile *file, const char *path, GError **error);
/* The job "file". @what: (sb): format, whether arrays stay in the file */
gboolean lac_input_serve_file(const char *path, GVariant *what, int to);

/* What a request consists of. */
#define LAC_APART_REQUEST "(sayayv)" /* job, working folder, path, arguments */

G_END_DECLS
