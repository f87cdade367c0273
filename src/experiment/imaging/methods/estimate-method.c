/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base of methods whose state is an estimate. */
#include "experiment/imaging/methods/estimate-method.h"

#include <string.h>

gpointer
lac_estimate_method_new(gsize size, const LacImagingProblem *problem, GError **error)
{
  g_return_val_if_fail(size >= sizeof(LacEstimateMethod), NULL);
  LacImagingEstimate *h = lac_imaging_estimate_new(problem, error);
  LacEstimateMethod  *self;

  if (!h)
    return NULL;
  self = g_malloc0(size);
  self->h = h;
  return self;
}

void
lac_estimate_method_free(gpointer self)
{
  lac_imaging_estimate_free(((LacEstimateMethod *) self)->h);
  g_free(self);
}

void
lac_estimate_method_finish_step(LacEstimateMethod *self, gint64 n_steps, LacMethodReport *report)
{
  self->n_done++;
  lac_imaging_estimate_finish_step(self->h, self->n_done, n_steps, report);
}

gsize
lac_estimate_method_curves(gconstpointer params    G_GNUC_UNUSED,
                           const LacImagingCommon *common,
                           LacCurve               *curves)
{
  return lac_imaging_estimate_curves(common, curves);
}

void
lac_estimate_method_object(gpointer method, double complex *object)
{
  const LacImagingEstimate *h = ((LacEstimateMethod *) method)->h;

  memcpy(object, h->object, h->s * h->s * sizeof *object);
}

double
lac_estimate_method_residual(gpointer method)
{
  return lac_imaging_estimate_residual(((LacEstimateMethod *) method)->h);
}

void
lac_estimate_method_predict(gpointer method, gsize position, double *image)
{
  lac_imaging_estimate_predict(((LacEstimateMethod *) method)->h, position, image);
}

void
lac_estimate_method_aberrations(gconstpointer method, double *coefficients)
{
  const LacImagingEstimate *h = ((const LacEstimateMethod *) method)->h;

  memcpy(coefficients, h->coefficients,
         (gsize) h->problem.common->aberrations * sizeof *coefficients);
}

void
lac_estimate_method_positions(gconstpointer method, double (*centres)[2])
{
  lac_imaging_estimate_positions(((const LacEstimateMethod *) method)->h, centres);
}

gboolean
lac_estimate_method_leaves_out(gconstpointer method, gsize position)
{
  return ((const LacEstimateMethod *) method)->h->rests[position] != 0;
}

void
lac_estimate_method_visit(gpointer method, LacVisit *visit)
{
  LacEstimateMethod *self = method;

  lac_visit_bytes(visit, "progress", &self->n_done, sizeof self->n_done);
  lac_imaging_estimate_visit(self->h, visit);
}
