/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sensors at random places would have given: the band that a placement has to beat. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

#define LAC_RANDOM_DRAWS 30

typedef struct {
  double low, median, high; /* 10 %, 50 % and 90 % of the draws */
  guint  n;                 /* draws that ended with a number */
} LacRandomBand;

/* Whether gappy POD can be run from places by hand, and the settings name none and no measurements. */
gboolean lac_random_band_is_possible(const LacRunSettings *settings);

/**
 * lac_random_band_measure:
 * @settings: as many sensors as they say, of the same truth and noise; only the places differ
 * @cancelled: (nullable): asked with @user_data, on this thread, while the places are found and between the draws; TRUE: the
 *   band is of the draws so far
 *
 * The key result of gappy POD after its last step. Writes no run folder.
 * Returns: FALSE with an error where a run cannot be set up.
 */
gboolean lac_random_band_measure(const LacRunSettings *settings,
                                 gboolean (*cancelled)(gpointer user_data),
                                 gpointer       user_data,
                                 LacRandomBand *band,
                                 GError       **error);

G_END_DECLS
