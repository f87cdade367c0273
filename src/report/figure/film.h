/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films: a figure of every kept frame of a run, all under the scales of the whole run. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* A member that is 0 or NULL takes its default. */
typedef struct {
  const LacFigureSpec      *
    figure; /* what is shown: any kind; its step, sizes and caption do not count. A volume turns once. */
  double frames_per_second; /* 12 */
  gsize  width;             /* pixels; 1280 */
  /* (nullable): told after every frame, with the share that is done; FALSE: the film is given up. */
  gboolean (*progress)(double share, gpointer user_data);
  gpointer user_data;
} LacFilmSpec;

/**
 * lac_film_write:
 * @runs: [n_runs], the frames of the first are the film's; of the others those that belong to them
 * @path: ends in .webm: a film (VP9); ends in a slash: a folder with 000001.png and so on, which is made where it is missing
 *
 * A film appears under its name when it is whole. Thread: any; one at a time for a run.
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY, %LAC_ERROR_BAD_FILE, %LAC_ERROR_NOT_IN_VERSION,
 *   %LAC_ERROR_UNWRITABLE, %LAC_ERROR_DISK_FULL or %LAC_ERROR_FAILED (given up) set.
 */
gboolean lac_film_write(LacRunFile *const *runs,
                        gsize              n_runs,
                        const LacFilmSpec *spec,
                        const char        *path,
                        GError           **error);

G_END_DECLS
