/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: coefficients of the modes from values at the sensors, as the Gaussian posterior
 *   a = (S^-2 + T^t N^-1 T)^-1 T^t N^-1 y,  T: rows of the modes at the sensors, N: diagonal, the variance of the noise and
 * of what the modes leave there: to a sensor the truncated modes are noise, often more of it than its own.
 * Source: Everson and Sirovich (1995), J. Opt. Soc. Am. A 12, 1657; flow.md 4.1. */
#pragma once

#include "sensor/pod.h"

G_BEGIN_DECLS

typedef struct _LacGappy LacGappy;

/**
 * lac_gappy_new:
 * @pod: borrowed
 * @rows: [n_values] indices into a snapshot, one a measured number
 * @noise: standard deviation of a measured number, > 0
 *
 * Returns: %NULL when the normal matrix is not positive definite.
 */
LacGappy *lac_gappy_new(const LacPod *pod, const gsize *rows, gsize n_values, double noise);
void      lac_gappy_free(LacGappy *gappy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacGappy, lac_gappy_free)

/* @values: [n_values] as measured, mean included; @field: [pod->n]. Does not allocate. */
void lac_gappy_reconstruct(LacGappy *gappy, const double *values, double *field);

G_END_DECLS
