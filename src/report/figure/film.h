/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films: a figure of every saved frame of a run, with the colour scales of the whole run. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* 0 or NULL selects the default. */
typedef struct {
  const LacFigureSpec
    *figure; /* any kind; its step, sizes and caption are ignored. A volume makes one full turn. */
  double frames_per_second; /* default 12 */
  gsize  width;             /* pixels; default 1280 */
  /* (nullable): called after every frame with the fraction completed; FALSE cancels the film. */
  gboolean (*progress)(double share, gpointer user_data);
  gpointer user_data;
} LacFilmSpec;

/**
 * lac_film_write:
 * @runs: [n_runs], the film has the frames of the first and the matching frames of the others
 * @path: ends in .webm: a film (VP9); ends in a slash: a folder with 000001.png and so on, created if missing
 *
 * A .webm file appears under its name only when complete. Thread: any; one at a time for a run.
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY, %LAC_ERROR_BAD_FILE, %LAC_ERROR_NOT_IN_VERSION,
 *   %LAC_ERROR_UNWRITABLE, %LAC_ERROR_DISK_FULL or %LAC_ERROR_FAILED (cancelled) set.
 */
gboolean lac_film_write(LacRunFile *const *runs,
                        gsize              n_runs,
                        const LacFilmSpec *spec,
                        const char        *path,
                        GError           **error);

G_END_DECLS
