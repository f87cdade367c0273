/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base of a method whose state is little more than an estimate: implements the common part of LacImagingMethod. It is
 * the first member of the method's struct, so that pointers convert. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef struct {
  LacImagingEstimate *h;
  gint64              n_done; /* steps completed */
} LacEstimateMethod;

/* Makes the state of a method. @size: size of the method's own struct. Returns: (transfer full): the struct, zeroed
 * except for this base; NULL with an error when the optics are not possible. */
gpointer lac_estimate_method_new(gsize size, const LacImagingProblem *problem, GError **error);
void     lac_estimate_method_free(gpointer self);

/* Finishes a step: counts and evaluates it, and ends the run after step @n_steps. */
void
lac_estimate_method_finish_step(LacEstimateMethod *self, gint64 n_steps, LacMethodReport *report);

/* Implement LacImagingMethod; the curves are those that every estimate reports. */
gsize
lac_estimate_method_curves(gconstpointer params, const LacImagingCommon *common, LacCurve *curves);
void     lac_estimate_method_object(gpointer method, double complex *object);
double   lac_estimate_method_residual(gpointer method);
void     lac_estimate_method_predict(gpointer method, gsize position, double *image);
void     lac_estimate_method_aberrations(gconstpointer method, double *coefficients);
void     lac_estimate_method_positions(gconstpointer method, double (*centres)[2]);
gboolean lac_estimate_method_leaves_out(gconstpointer method, gsize position);
void     lac_estimate_method_visit(gpointer method, LacVisit *visit);

/* Members of LacImagingMethod for a method whose results are those of its estimate. */
#define LAC_ESTIMATE_METHOD_RESULTS                                                       \
  .object = lac_estimate_method_object, .residual = lac_estimate_method_residual,         \
  .predict = lac_estimate_method_predict, .aberrations = lac_estimate_method_aberrations, \
  .positions = lac_estimate_method_positions, .leaves_out = lac_estimate_method_leaves_out

G_END_DECLS
