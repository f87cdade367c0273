/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time errors of the program, each declared once with its exit status. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* code, exit status of the command line, meaning */
#define LAC_ERROR_LIST(E)                                                         \
  E(USAGE, 2, "the request is not understood")                                    \
  E(UNKNOWN_KEY, 2, "unknown name of a parameter, experiment or channel")         \
  E(OUT_OF_RANGE, 2, "a value is outside its allowed range")                      \
  E(UNSTABLE, 2, "a computation produced NaN or infinity before the run began")   \
  E(BAD_FILE, 2, "an input file is missing, empty, damaged or of the wrong kind") \
  E(NOT_IN_VERSION, 2, "planned, but not available in this version")              \
  E(UNWRITABLE, 1, "a folder or file cannot be written")                          \
  E(DISK_FULL, 1, "not enough free disk space")                                   \
  E(DEVICE, 1, "a backend failed")                                                \
  E(FAILED, 1, "the run could not continue")

typedef enum {
#define E(code, status, meaning) LAC_ERROR_##code,
  LAC_ERROR_LIST(E)
#undef E
} LacError;

#define LAC_ERROR (lac_error_quark())
GQuark lac_error_quark(void);

/**
 * lac_error_exit_status:
 * @error: any error; an error of another domain counts as a failure
 *
 * Returns: the exit status of the command line for @error: 1 or 2.
 */
int lac_error_exit_status(const GError *error);

/* Sets @error of @code. Returns: FALSE, for the caller to return. */
gboolean lac_refuse(GError **error, LacError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

G_END_DECLS
