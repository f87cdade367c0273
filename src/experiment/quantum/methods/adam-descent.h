/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Adam optimiser of graph/ for parameters in host memory and a given gradient. */
#pragma once

#include "base/packing.h"
#include "base/pool.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacAdamDescent LacAdamDescent;

LacAdamDescent *lac_adam_descent_new(gsize n_params, LacPool *pool, GError **error);
void            lac_adam_descent_free(LacAdamDescent *descent);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacAdamDescent, lac_adam_descent_free)

/* Moves @theta, [n_params], by one step against @gradient. Does not allocate. Returns: FALSE if the step is not
 * finite; @theta is then unchanged. */
gboolean
lac_adam_descent_step(LacAdamDescent *descent, double *theta, const double *gradient, double rate);

/* Describes the same step for an iteration. */
void lac_adam_descent_describe(const LacAdamDescent *descent, LacUpdate *update);

/* Packs the complete state. */
void lac_adam_descent_pack(gpointer descent, LacPacking *packing);

G_END_DECLS
