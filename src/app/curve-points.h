/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points of a session's curve that are drawn, of the many that it has after an hour: its envelope, and that of the band of one standard
 * error on either side where that is told too. */
#pragma once

#include "app/session.h"
#include "report/plot/plot.h"

G_BEGIN_DECLS

typedef struct _LacCurvePoints LacCurvePoints;

LacCurvePoints *lac_curve_points_new(void);
void            lac_curve_points_free(LacCurvePoints *points);

/**
 * lac_curve_points_follow:
 * @error: the metric that is the standard error of @metric; -1: none is
 *
 * Of one session and one metric for life. Returns: x, y, n and the band; its arrays are valid until the next call.
 */
LacSeries lac_curve_points_follow(LacCurvePoints *points,
                                  LacSession     *session,
                                  gsize           metric,
                                  gssize          error,
                                  gboolean        against_seconds);

/* Returns: of the value nearest to @wanted along @x, [n] and ascending, one of them; @n is not 0. */
gsize lac_curve_points_find(const double *x, gsize n, double wanted);

G_END_DECLS
