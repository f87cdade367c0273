/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run folder whose every number follows from its place, for the tests of io/. */
#pragma once

#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"

#define KEPT_NX 12
#define KEPT_NY 5

/* Only the header. */
LacRunFolder *kept_run_open(const char *place);
void          kept_run_add_frame(LacRunFolder *folder, gint64 step);
float         kept_run_value(gint64 step, gsize channel, gsize i);

/* @n_steps with a metric row, records and a frame each, a checkpoint after step 5. @finished: ended and assembled; else
 * left as a kill would. Returns: (transfer full): the folder. */
char *kept_run_write(const char *place, gint64 n_steps, gboolean finished);
/* @outcome: (nullable): NULL: left as a kill would */
char *kept_run_write_until(const char *place, gint64 n_steps, const char *outcome);

/* Everything of the first @n_steps steps is there. */
void kept_run_assert(const LacRunFile *run, gint64 n_steps);
