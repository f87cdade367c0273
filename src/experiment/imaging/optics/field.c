/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Propagation from a spectrum through the aperture to the detector, and its adjoint. Pixel k of k-space has index k
 * mod d in the detector's transform: an aperture is smaller than the detector, so indices are unique. The factor
 * (-1)^k moves the image's origin to its middle. */
#include "experiment/imaging/optics/optics-private.h"

#include <math.h>
#include <string.h>

/* Spans of one centre and their location in the arrays. */
typedef struct {
  const LacOptics      *optics;
  const LacApertureRow *spans;
  gsize                 n_spans;
  gint64                y, x; /* corner of the patch [box][box] */
} Stop;

static Stop
stop_of(const LacOptics *optics, gsize position, gsize i_along)
{
  const gsize place = position * optics->settings.n_along + i_along;
  double      centre[2];

  lac_optics_centre(optics, position, i_along, centre);
  return (Stop){
    .optics = optics,
    .spans = optics->spans + place * optics->max_spans,
    .n_spans = optics->n_spans[place],
    .y = (gint64) round(centre[0]) - (gint64) optics->reach,
    .x = (gint64) round(centre[1]) - (gint64) optics->reach,
  };
}

static gboolean
is_a_stop(const LacOptics *optics, gsize position, gsize i_along)
{
  return position < optics->settings.n_positions && i_along < optics->settings.n_along;
}

static gsize
in_band(const LacOptics *optics, const LacApertureRow *span)
{
  return (gsize) (span->y - optics->band.y) * optics->band.width +
         (gsize) (span->x - optics->band.x);
}

static gsize
in_patch(const Stop *stop, const LacApertureRow *span)
{
  return (gsize) (span->y - stop->y) * stop->optics->box + (gsize) (span->x - stop->x);
}

/* Returns k mod n. */
static gsize
folded(gint64 k, gsize n)
{
  const gint64 rest = k % (gint64) n;

  return (gsize) (rest < 0 ? rest + (gint64) n : rest);
}

/* Returns (-1)^(y + x) / n. */
static double
signed_scale(const LacApertureRow *span, gsize n)
{
  return ((span->y ^ span->x) & 1 ? -1.0 : 1.0) / (double) n;
}

static double complex
times(double complex a, double complex b)
{
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
               creal(a) * cimag(b) + cimag(a) * creal(b));
}

void
lac_optics_field(const LacOptics      *optics,
                 gsize                 position,
                 gsize                 i_along,
                 const double complex *spectrum,
                 double complex       *field)
{
  const gsize d = optics->settings.patch;
  const Stop  stop = stop_of(optics, position, i_along);

  g_return_if_fail(is_a_stop(optics, position, i_along));
  memset(field, 0, d * d * sizeof *field);
  for (gsize i = 0; i < stop.n_spans; i++) {
    const LacApertureRow *span = &stop.spans[i];
    const double complex *from = spectrum + in_band(optics, span);
    const double complex *pupil = optics->has_pupil ? optics->pupil + in_patch(&stop, span) : NULL;
    double complex       *row = field + folded(span->y, d) * d;
    gsize                 x = folded(span->x, d);
    double                scale = signed_scale(span, d);

    for (gint32 j = 0; j < span->n; j++) {
      row[x] = (pupil ? times(pupil[j], from[j]) : from[j]) * scale;
      scale = -scale;
      x = x + 1 < d ? x + 1 : 0;
    }
  }
  lac_fourier_inverse(optics->detector, field);
}

void
lac_optics_field_adjoint(const LacOptics *optics,
                         gsize            position,
                         gsize            i_along,
                         double complex  *field,
                         double complex  *spectrum)
{
  const gsize d = optics->settings.patch;
  const Stop  stop = stop_of(optics, position, i_along);

  g_return_if_fail(is_a_stop(optics, position, i_along));
  lac_fourier_forward(optics->detector, field);
  for (gsize i = 0; i < stop.n_spans; i++) {
    const LacApertureRow *span = &stop.spans[i];
    double complex       *to = spectrum + in_band(optics, span);
    const double complex *pupil = optics->has_pupil ? optics->pupil + in_patch(&stop, span) : NULL;
    const double complex *row = field + folded(span->y, d) * d;
    gsize                 x = folded(span->x, d);
    double                scale = signed_scale(span, d);

    for (gint32 j = 0; j < span->n; j++) {
      to[j] += (pupil ? times(conj(pupil[j]), row[x]) : row[x]) * scale;
      scale = -scale;
      x = x + 1 < d ? x + 1 : 0;
    }
  }
}

void
lac_optics_measure(const LacOptics      *optics,
                   gsize                 position,
                   const double complex *spectrum,
                   double complex       *fields,
                   double               *image)
{
  const gsize n_along = optics->settings.n_along,
              n = optics->settings.patch * optics->settings.patch;

  if (n_along == 1) {
    lac_optics_field(optics, position, 0, spectrum, fields);
    if (optics->settings.unit == LAC_DETECTOR_AMPLITUDE)
      for (gsize j = 0; j < n; j++)
        image[j] = sqrt(creal(fields[j]) * creal(fields[j]) + cimag(fields[j]) * cimag(fields[j]));
    else
      for (gsize j = 0; j < n; j++)
        image[j] = creal(fields[j]) * creal(fields[j]) + cimag(fields[j]) * cimag(fields[j]);
    return;
  }
  memset(image, 0, n * sizeof *image);
  for (gsize i = 0; i < n_along; i++) {
    const double complex *u = fields + i * n;

    lac_optics_field(optics, position, i, spectrum, fields + i * n);
    for (gsize j = 0; j < n; j++)
      image[j] += creal(u[j]) * creal(u[j]) + cimag(u[j]) * cimag(u[j]);
  }
  for (gsize j = 0; j < n; j++)
    image[j] /= (double) n_along;
  if (optics->settings.unit == LAC_DETECTOR_AMPLITUDE)
    for (gsize j = 0; j < n; j++)
      image[j] = sqrt(image[j]);
}

void
lac_optics_get_stop(const LacOptics *optics,
                    gsize            position,
                    gsize            i_along,
                    gint32           corner[2],
                    guint8          *passes)
{
  const Stop stop = stop_of(optics, position, i_along);

  g_return_if_fail(is_a_stop(optics, position, i_along));
  corner[0] = (gint32) stop.y;
  corner[1] = (gint32) stop.x;
  memset(passes, 0, optics->box * optics->box);
  for (gsize i = 0; i < stop.n_spans; i++)
    memset(passes + in_patch(&stop, &stop.spans[i]), 1, (gsize) stop.spans[i].n);
}

/* Returns a row of the band as a span of the whole grid. */
static LacApertureRow
band_row(const LacOptics *optics, gsize row)
{
  return (LacApertureRow){(gint32) (optics->band.y + (gint64) row), (gint32) optics->band.x,
                          (gint32) optics->band.width};
}

void
lac_optics_union_field(const LacOptics      *optics,
                       const guint8         *mask,
                       const double complex *spectrum,
                       double complex       *field)
{
  const gsize n = optics->settings.grid, width = optics->band.width;

  g_return_if_fail(optics->whole);
  memset(field, 0, n * n * sizeof *field);
  for (gsize r = 0; r < optics->band.height; r++) {
    const LacApertureRow span = band_row(optics, r);
    double complex      *row = field + folded(span.y, n) * n;
    double               scale = signed_scale(&span, n);

    for (gsize j = 0; j < width; j++, scale = -scale)
      if (mask[r * width + j])
        row[folded(span.x + (gint64) j, n)] = spectrum[r * width + j] * scale;
  }
  lac_fourier_inverse(optics->whole, field);
}
