/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run folder whose values follow from their position, for the tests of io/. */
#pragma once

#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"

#define KEPT_NX 12
#define KEPT_NY 5

/* Writes only the header. */
LacRunFolder *kept_run_open(const char *place);
void          kept_run_add_frame(LacRunFolder *folder, gint64 step);
float         kept_run_value(gint64 step, gsize channel, gsize i);

/* Writes @n_steps with a metric row, records and a frame each, and a checkpoint after step 5. @finished: ended and
 * assembled; else in the state after a kill. Returns: (transfer full): the folder. */
char *kept_run_write(const char *place, gint64 n_steps, gboolean finished);
/* @outcome: (nullable): NULL: in the state after a kill */
char *kept_run_write_until(const char *place, gint64 n_steps, const char *outcome);

/* Asserts that everything of the first @n_steps steps is present. */
void kept_run_assert(const LacRunFile *run, gint64 n_steps);
