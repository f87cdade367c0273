/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a verb's arguments, and saying what is wrong with them in one sentence. */
#pragma once

#include "io/runfile/run-file.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char         *usage;   /* "RUN... -o FILE" */
  const char         *summary; /* one sentence */
  const GOptionEntry *entries;
  gsize               least, most; /* arguments that are no options */
} LacVerbForm;

/* Parses in place. @words: (out) (transfer full): the arguments that are no options.
 * Returns: FALSE with %LAC_ERROR_USAGE set. --help prints the form and ends the program. */
gboolean
lac_arguments_parse(const LacVerbForm *form, int argc, char **argv, GStrv *words, GError **error);

/* Prints "lacuna: sentence" on standard error. Returns: the exit status that @error means. */
int lac_answer_error(const GError *error);

/* A whole number within [least, most], or a real one at least @least; NULL leaves @value as it is.
 * Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE naming @option. */
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

/* Returns: (transfer full): an array of LacRunFile *; %NULL with the error of the first that cannot be read. */
GPtrArray *lac_arguments_open_runs(const GStrv paths, GError **error);

/* Returns: (transfer full): the records of a run, or of a trace by its ending; what a trace lacks is said on standard error. */
LacCapture *lac_arguments_open_capture(const char *source, GError **error);

G_END_DECLS
