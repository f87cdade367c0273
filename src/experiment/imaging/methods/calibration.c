/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aberrations by Gauss-Newton: with r = |u| - m and du/dc_j = F^-1 (A i Z_j P O), the derivative of |u| is Re(u*
 * du/dc_j) / |u|; all pixels of all scan positions contribute to normal equations with one unknown per coefficient. */
#include "experiment/imaging/methods/calibration.h"

#include "experiment/imaging/methods/k-space-private.h"
#include "experiment/imaging/methods/position-search.h"
#include "experiment/imaging/optics/zernike.h"

#include <math.h>
#include <string.h>

#define MAX_TERMS LAC_IMAGING_MAX_ABERRATIONS
#define DAMPING   1e-3 /* relative to the diagonal of the normal equations */
#define LARGEST_CHANGE \
  0.5 /* largest step of a coefficient in radians: the equations are linear, the phase is not */

void
lac_calibration_set_pupil(LacImagingEstimate *h)
{
  lac_zernike_pupil(h->coefficients, (gsize) h->problem.common->aberrations, h->terms,
                    h->box * h->box, h->pupil);
  lac_optics_set_pupil(h->optics, h->pupil);
}

/* ---- aberrations ---- */

/* Finds the derivatives of the pupil, dP / dc_j = i Z_j P. */
static void
differentiate(LacImagingEstimate *h)
{
  const gsize n_box = h->box * h->box, n_terms = (gsize) h->problem.common->aberrations;

  for (gsize j = 0; j < n_terms; j++)
    for (gsize i = 0; i < n_box; i++) {
      const double         z = h->terms[j * n_box + i];
      const double complex p = h->pupil[i];

      h->pupil_derivatives[j * n_box + i] = CMPLX(-z * cimag(p), z * creal(p));
    }
}

static void
enqueue_normals(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->normals(k->device.self, &k->waves));
}

/* Finds each exposure's part, [n_positions][n_terms][n_terms + 1], see LacWaveSweep: the object and the pupil are those of the
 * last comparison, the apertures where the optics have them. */
static void
find_normals(LacImagingEstimate *h)
{
  LacKSpace  *k = h->k_space;
  const gsize n = k->waves.n_terms, n_box = k->waves.box * k->waves.box;

  g_return_if_fail(h->has_field);
  lac_k_space_refresh(k);
  lac_exposure_memory_upload(&k->memory, k->derivatives, h->pupil_derivatives,
                             n * n_box * sizeof *h->pupil_derivatives);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_NORMALS, enqueue_normals);
  lac_exposure_memory_download(&k->memory, h->normals, k->waves.normals,
                               k->waves.n_slots * n * (n + 1) * sizeof *h->normals);
}

/* Solves by Cholesky factorisation, in place of the lower triangle, and both substitutions into @x. Returns: FALSE
 * when the matrix is not positive definite. */
static gboolean
solve(double (*a)[MAX_TERMS], double *x, gsize n)
{
  for (gsize j = 0; j < n; j++)
    for (gsize i = j; i < n; i++) {
      double sum = a[i][j];

      for (gsize k = 0; k < j; k++)
        sum -= a[i][k] * a[j][k];
      if (i == j && !(sum > 0))
        return FALSE;
      a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
    }
  for (gsize i = 0; i < n; i++) {
    for (gsize k = 0; k < i; k++)
      x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (gsize i = n; i-- > 0;) {
    for (gsize k = i + 1; k < n; k++)
      x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
  return TRUE;
}

static void
seek_aberrations(LacImagingEstimate *h)
{
  const gsize n = (gsize) h->problem.common->aberrations;
  double      matrix[MAX_TERMS][MAX_TERMS] = {{0}}, change[MAX_TERMS] = {0};

  differentiate(h);
  find_normals(h);
  for (gsize position = 0; position < h->n_positions; position++)
    for (gsize j = 0; j < n; j++) {
      const double *row = h->normals + (position * n + j) * (n + 1);

      for (gsize k = 0; k <= j; k++)
        matrix[j][k] += row[k];
      change[j] += row[n];
    }
  for (gsize j = 0; j < n; j++)
    matrix[j][j] *= 1 + DAMPING;
  if (!solve(matrix, change, n))
    return;
  for (gsize j = 0; j < n; j++)
    h->coefficients[j] += CLAMP(change[j], -LARGEST_CHANGE, LARGEST_CHANGE);
  lac_calibration_set_pupil(h);
}

static gboolean
seeks_aberrations(const LacImagingEstimate *h)
{
  return h->problem.common->aberrations > 0 && !h->free_pupil;
}

gboolean
lac_calibration_is_due(const LacImagingEstimate *h, gint64 step)
{
  return step >= h->problem.common->calibrate_from &&
         (seeks_aberrations(h) || h->problem.common->position_error > 0);
}

void
lac_calibration_step(LacImagingEstimate *h)
{
  if (h->problem.common->position_error > 0) {
    LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.positions);

    span.flops =
      (double) lac_position_search_step(h->search) * lac_imaging_estimate_get_flops(h, 1);
    lac_imaging_estimate_end_phase(h, span, h->step);
  }
  if (seeks_aberrations(h)) {
    LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.aberrations);

    seek_aberrations(h);
    span.flops = (double) (h->n_positions * (1 + (gsize) h->problem.common->aberrations)) *
                 lac_imaging_estimate_get_flops(h, 1);
    lac_imaging_estimate_end_phase(h, span, h->step);
  }
  lac_imaging_estimate_compare(h);
}
