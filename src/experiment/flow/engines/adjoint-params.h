/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of the differentiable solver: what is sought, in which windows. */
#pragma once

#include "experiment/flow/engine.h"

G_BEGIN_DECLS

typedef enum { LAC_SEEK_AUTO, LAC_SEEK_SCALARS, LAC_SEEK_INITIAL, LAC_SEEK_BOTH } LacSeek;

typedef struct {
  gint64 seek, window, iterations;
  gint64 control_modes;
  double window_spread;
} LacAdjointParams;

#define LAC_ADJOINT_N_ROWS 5
extern const LacParam lac_adjoint_rows[LAC_ADJOINT_N_ROWS];

/* What is sought; never LAC_SEEK_AUTO. */
LacSeek lac_adjoint_choose(const LacAdjointParams *params, const LacCase *subject);

/* Observations of a window, and how many windows follow each other. */
gsize lac_adjoint_get_window_length(const LacAdjointParams *params, const LacCase *subject);
gsize lac_adjoint_count_windows(const LacAdjointParams *params, const LacCase *subject);

/* As LacEngine's. */
gboolean lac_adjoint_check(gconstpointer params, const LacCase *subject, GError **error);
void     lac_adjoint_estimate(gconstpointer  params,
                              const LacCase *subject,
                              gsize          n_values,
                              LacEstimate   *result);

G_END_DECLS
