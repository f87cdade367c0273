/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error band of random sensor layouts, the baseline for placement methods. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

#define LAC_RANDOM_DRAWS 30

typedef struct {
  double low, median, high; /* 10 %, 50 % and 90 % quantiles of the draws */
  guint  n;                 /* draws with a finite result */
} LacRandomBand;

/* Returns TRUE when gappy POD can run with hand-placed sensors and the settings contain neither positions nor
 * measurements. */
gboolean lac_random_band_is_possible(const LacRunSettings *settings);

/**
 * lac_random_band_measure:
 * @settings: the run whose number of sensors, true field and noise are used; the draws replace only its sensor
 *   positions
 * @cancelled: (nullable): called with @user_data, on this thread, during the placement and between draws; TRUE: the
 *   band is computed from the draws so far
 *
 * Computes the band of gappy POD's key result after its last step. Writes no run folder.
 * Returns: FALSE with an error if a run cannot be set up.
 */
gboolean lac_random_band_measure(const LacRunSettings *settings,
                                 gboolean (*cancelled)(gpointer user_data),
                                 gpointer       user_data,
                                 LacRandomBand *band,
                                 GError       **error);

G_END_DECLS
