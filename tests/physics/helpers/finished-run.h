/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs an experiment with some settings to its end. */
#pragma once

#include <glib.h>

/* @settings: key=value, separated by spaces; @keys: metrics, NULL-terminated; @found: their values at the last step. */
void finished_run(const char *name, const char *settings, const char *const *keys, double *found);
