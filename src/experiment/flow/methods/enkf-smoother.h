/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed-lag ensemble Kalman smoother: each analysis of the filter also corrects the ensembles kept from the last
 * observations, through their own covariance with the sensors now,
 *   X_j <- X_j + (L o X_j (H X')^T) / (N - 1) W,
 * with anomalies H X' and weights W of the filter's analysis and a taper L of its own, which may be wider. What a
 * reading says of the past is so carried back as far as the ensemble remembers it.
 * Source: Evensen, van Leeuwen (2000), doi:10.1175/1520-0493(2000)128<1852:AEKSFN>2.0.CO;2. */
#pragma once

#include "base/pool.h"
#include "experiment/flow/methods/enkf-analysis.h"
#include "field/visit.h"

G_BEGIN_DECLS

typedef struct _LacEnkfSmoother LacEnkfSmoother;

/* Makes a smoother of @lag > 0 observations for ensembles of these settings. Holds lag n_members n_values numbers in
 * single precision. @pool: (nullable): borrowed. Returns: %NULL with an error when the processor's kernels are not
 * available. */
LacEnkfSmoother *lac_enkf_smoother_new(const LacEnsembleSettings *settings,
                                       gsize                      lag,
                                       LacPool                   *pool,
                                       GError                   **error);
void             lac_enkf_smoother_free(LacEnkfSmoother *smoother);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnkfSmoother, lac_enkf_smoother_free)

/* Corrects the ensembles kept before observation @k, and their means. @length: standard deviation of the taper.
 * @means: [n_times][n_values]. @deviations: (nullable): likewise: set to those of the members. Does not allocate. */
void lac_enkf_smoother_update(LacEnkfSmoother          *smoother,
                              gsize                     k,
                              const LacEnsembleWeights *analysis,
                              double                    length,
                              double                   *means,
                              double                   *deviations);

/* Keeps @members, [n_members][n_values], of observation @k instead of those of @k - lag. Does not allocate. */
void lac_enkf_smoother_keep(LacEnkfSmoother *smoother, gsize k, const double *members);

/* Drops all members of the kept ensembles but the first @n. */
void lac_enkf_smoother_reduce(LacEnkfSmoother *smoother, gsize n);

/* Return the floating-point operations of the update at observation @k with @n values, and the memory held in bytes. */
double lac_enkf_smoother_get_flops(const LacEnkfSmoother *smoother, gsize k, gsize n);
gsize  lac_enkf_smoother_get_bytes(const LacEnkfSmoother *smoother);

/* Visits the kept ensembles after @n_done observations. */
void lac_enkf_smoother_visit(LacEnkfSmoother *smoother, gsize n_done, LacVisit *visit);

G_END_DECLS
