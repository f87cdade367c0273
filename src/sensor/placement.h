/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where to measure: pivoted QR on POD modes, and random places as the baseline.
 * Source: Manohar, Brunton, Kutz, Brunton (2018), doi:10.1109/MCS.2018.2810460; flow.md 4.2. */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * lac_placement_qr:
 * @modes: [n_modes][n_components * n_points]; a sensor at a point sees all components there
 * @places: (out): [n_sensors] points in order of choice
 *
 * Each sensor is the point whose rows have the largest part left outside of those already chosen; ties go to the smallest
 * index. With one component and n_sensors <= n_modes these are the pivots of LAPACK's dgeqp3. Once nothing is left the
 * remaining sensors go to the smallest free indices.
 */
void lac_placement_qr(const double *modes,
                      gsize         n_modes,
                      gsize         n_components,
                      gsize         n_points,
                      gsize        *places,
                      gsize         n_sensors);

/* Distinct places, uniformly. */
void lac_placement_random(LacRng *rng, gsize n_points, gsize *places, gsize n_sensors);

G_END_DECLS
