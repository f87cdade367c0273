/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimated points of a session's curve: the min-max envelope of the curve and, if recorded, of its band of one
 * standard error on either side. */
#pragma once

#include "app/session/session.h"
#include "report/plot/plot.h"

G_BEGIN_DECLS

typedef struct _LacCurvePoints LacCurvePoints;

LacCurvePoints *lac_curve_points_new(void);
void            lac_curve_points_free(LacCurvePoints *points);

/**
 * lac_curve_points_follow:
 * @error: the metric that holds the standard error of @metric; -1: none
 *
 * Session and metric must stay the same for the life of @points. Returns: x, y, n and the band; its arrays are valid until the next call.
 */
LacSeries lac_curve_points_follow(LacCurvePoints *points,
                                  LacSession     *session,
                                  gsize           metric,
                                  gssize          error,
                                  gboolean        against_seconds);

/* @x: [n] ascending, @n > 0. Returns: the index of a value nearest to @wanted. */
gsize lac_curve_points_find(const double *x, gsize n, double wanted);

G_END_DECLS
