/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A method whose state is an estimate and little else: what LacImagingMethod asks of all such methods, written once. It is the first member of
 * theirs, so that a method is a method. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef struct {
  LacImagingEstimate *h;
  gint64              n_done; /* steps */
} LacEstimateMethod;

/* @size: of the method's own struct. Returns: (transfer full): it, zeroed but for the method; NULL with an error where there are no such
 * optics. */
gpointer lac_estimate_method_new(gsize size, const LacImagingProblem *problem, GError **error);
void     lac_estimate_method_free(gpointer self);

/* After the work of a step: counts it, judges it, and ends the run with step @n_steps. */
void
lac_estimate_method_finish_step(LacEstimateMethod *self, gint64 n_steps, LacMethodReport *report);

/* As of LacImagingMethod; curves are those of an estimate. */
gsize
lac_estimate_method_curves(gconstpointer params, const LacImagingCommon *common, LacCurve *curves);
void     lac_estimate_method_object(gpointer method, double complex *object);
void     lac_estimate_method_predict(gpointer method, gsize position, double *image);
void     lac_estimate_method_aberrations(gconstpointer method, double *coefficients);
void     lac_estimate_method_positions(gconstpointer method, double (*centres)[2]);
void     lac_estimate_method_save(gpointer method, LacStore *store);
gboolean lac_estimate_method_load(gpointer method, const LacStore *store, GError **error);

G_END_DECLS
