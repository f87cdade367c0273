/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L-BFGS over host vectors, with an objective evaluated on the host. */
#pragma once

#include "base/packing.h"
#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

/* @x and @gradient: [length]. Returns: FALSE with an error only on device failure; a non-finite value is allowed. */
typedef gboolean (*LacDescentFunc)(const double *x,
                                   double       *gradient,
                                   double       *value,
                                   gpointer      user_data,
                                   GError      **error);

typedef struct _LacDescent LacDescent;

/* @pool: borrowed. Returns: %NULL with %LAC_ERROR_DEVICE. */
LacDescent *lac_descent_new(gsize          length,
                            LacDescentFunc objective,
                            gpointer       user_data,
                            LacPool       *pool,
                            GError       **error);
void        lac_descent_free(LacDescent *descent);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDescent, lac_descent_free)

typedef struct {
  double   value, norm; /* value and gradient norm of the objective after the step; NaN: unknown */
  gsize    n_evaluations;
  gboolean stalled; /* no further decrease is possible */
} LacDescentReport;

/* Performs one iteration from @x, in place. Does not allocate. */
gboolean lac_descent_step(LacDescent *descent, double *x, LacDescentReport *report, GError **error);

/* Call after the objective has changed: refresh() drops the cached value but retains the curvature history; forget()
 * drops both. */
void lac_descent_refresh(LacDescent *descent);
void lac_descent_forget(LacDescent *descent);

/* Packs the complete state except x. */
void lac_descent_pack(gpointer descent, LacPacking *packing);

G_END_DECLS
