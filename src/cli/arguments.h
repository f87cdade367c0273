/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Argument parsing of the verbs, with one-sentence errors. */
#pragma once

#include "io/runfile/run-file.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char         *usage;   /* "RUN... -o FILE" */
  const char         *summary; /* one sentence */
  const GOptionEntry *entries;
  gsize               least, most; /* number of positional arguments */
} LacVerbForm;

/* Parses in place. @words: (out) (transfer full): positional arguments.
 * Returns: FALSE with %LAC_ERROR_USAGE set. --help prints the help and exits. */
gboolean
lac_arguments_parse(const LacVerbForm *form, int argc, char **argv, GStrv *words, GError **error);

/* Prints "lacuna: message" on standard error. Returns: the exit status for @error. */
int lac_answer_error(const GError *error);

/* Parse an integer within @range, {least, most}, or a real number of at least @least. @text: (nullable): NULL leaves
 * @value unchanged. Return: FALSE with %LAC_ERROR_OUT_OF_RANGE, whose message names @option. */
gboolean lac_arguments_integer(const char *option,
                               const char *text,
                               gint64      range[2],
                               gint64     *value,
                               GError    **error);
gboolean lac_arguments_real(const char *option,
                            const char *text,
                            double      least,
                            double     *value,
                            GError    **error);

/* Returns: (transfer full): an array of LacRunFile *; %NULL with the error of the first unreadable run. */
GPtrArray *lac_arguments_open_runs(const GStrv paths, GError **error);

/* Returns: (transfer full): as lac_arguments_open_runs(); traces of other programs are runs with nothing but
 * records. */
GPtrArray *lac_arguments_open_recordings(const GStrv paths, GError **error);

/* Returns: (transfer full): the records of a run, or of a trace, which is recognised by its extension; records
 * missing from a trace are listed on standard error. */
LacCapture *lac_arguments_open_capture(const char *source, GError **error);

G_END_DECLS
