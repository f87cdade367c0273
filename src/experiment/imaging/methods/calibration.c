/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aberrations by Gauss-Newton: with r = |u| - m and du/dc_j = F^-1 (A i Z_j P O), the derivative of |u| is Re(u*
 * du/dc_j) / |u|; all pixels of all scan positions contribute to normal equations with one unknown per coefficient. */
#include "experiment/imaging/methods/calibration.h"

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

/* Computes d|u| / dc_j at every pixel of a scan position, from the fields and amplitude of the object in @bench. */
static void
differentiate(const LacImagingEstimate *h, gsize position, gsize j, LacImagingScratch *bench)
{
  const gsize n = h->d * h->d, n_box = h->box * h->box;
  double     *slope = bench->slopes + j * n;

  memset(slope, 0, n * sizeof *slope);
  for (gsize along = 0; along < h->n_along; along++) {
    const double complex *u = bench->fields + along * n;

    lac_optics_patch(h->optics, position, along, h->spectrum, bench->patch);
    for (gsize i = 0; i < n_box; i++) {
      const double complex o = bench->patch[i], p = h->pupil[i];
      const double         z = h->terms[j * n_box + i];

      bench->patch[i] = CMPLX(-z * (creal(o) * cimag(p) + cimag(o) * creal(p)),
                              z * (creal(o) * creal(p) - cimag(o) * cimag(p)));
    }
    lac_optics_patch_field(h->optics, position, along, bench->patch, bench->field);
    for (gsize i = 0; i < n; i++)
      slope[i] += creal(u[i]) * creal(bench->field[i]) + cimag(u[i]) * cimag(bench->field[i]);
  }
  for (gsize i = 0; i < n; i++)
    slope[i] = bench->amplitude[i] > 0 ? slope[i] / ((double) h->n_along * bench->amplitude[i]) : 0;
}

/* Computes one scan position's contribution to the normal equations: rows [J] of the matrix, then the right side. */
static void
add_normals(gsize position, guint worker, gpointer user_data)
{
  LacImagingEstimate *h = user_data;
  LacImagingScratch  *bench = &h->benches[worker];
  const gsize         n = h->d * h->d, n_terms = (gsize) h->problem.common->aberrations;
  const double       *measured = h->amplitudes + position * n;
  double             *normals = h->normals + position * n_terms * (n_terms + 1);

  memset(normals, 0, n_terms * (n_terms + 1) * sizeof *normals);
  if (h->rests[position])
    return;
  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  for (gsize j = 0; j < n_terms; j++)
    differentiate(h, position, j, bench);
  for (gsize j = 0; j < n_terms; j++)
    for (gsize i = 0; i < n; i++) {
      const double slope = measured[i] < 0 ? 0 : bench->slopes[j * n + i];

      for (gsize k = 0; k <= j; k++)
        normals[j * (n_terms + 1) + k] += slope * bench->slopes[k * n + i];
      normals[j * (n_terms + 1) + n_terms] += slope * (measured[i] - bench->amplitude[i]);
    }
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

  lac_pool_run(h->problem.context->pool, h->n_positions, add_normals, h);
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
    lac_imaging_estimate_end_phase(h, span, h->step);
  }
  lac_imaging_estimate_compare(h);
}
