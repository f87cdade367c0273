/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress on standard error: a bar on a terminal, a line now and then elsewhere. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

typedef struct {
  char       *title; /* what is running: "kolmogorov, seed 3" */
  gboolean    is_quiet, is_terminal;
  gint64      last_us;
  LacRunState last_state;
} LacProgress;

void lac_progress_begin(LacProgress *progress, const char *title, gboolean is_quiet);
void lac_progress_show(LacProgress *progress, const LacRunStatus *status);
/* A sentence on a line of its own, said even when quiet; "" says nothing. */
void lac_progress_say(const LacProgress *progress, const char *sentence);
/* Takes the bar away. */
void lac_progress_end(LacProgress *progress);

G_END_DECLS
