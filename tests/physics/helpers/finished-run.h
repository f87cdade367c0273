/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment with some settings, run to its end. */
#pragma once

#include <glib.h>

/* @settings: key=value, separated by spaces; @keys: metrics, ends with NULL; @found: theirs at the last step. */
void finished_run(const char *name, const char *settings, const char *const *keys, double *found);
