/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of the optics: positions of the apertures, their coverage of k-space, and the detector size that samples
 * it. */
#include "experiment/imaging/optics/optics.h"

#include "base/error.h"
#include "experiment/imaging/optics/optics-private.h"

#include <math.h>

/* Returns: the smallest even product of 2, 3, 5 and 7 that is at least @least: such FFTs are fast. */
static gsize
good_size(gsize least)
{
  for (gsize n = least + least % 2;; n += 2) {
    gsize rest = n;

    for (gsize prime = 2; prime <= 7; prime++)
      while (rest % prime == 0)
        rest /= prime;
    if (rest == 1)
      return n;
  }
}

gsize
lac_optics_choose_detector(const LacAperture *aperture, gsize grid)
{
  return MIN(good_size(2 * (2 * lac_aperture_reach(aperture) + 1)), grid);
}

static double
length_of(const LacScanBox *position)
{
  return hypot(position->end_y - position->y, position->end_x - position->x);
}

double
lac_scan_distance(LacScanBox position, LacScanBox place, gboolean has_mate)
{
  const LacScanBox mate = lac_scan_mate(place);
  const double     away = hypot(position.y - place.y, position.x - place.x);

  return has_mate ? fmin(away, hypot(position.y - mate.y, position.x - mate.x)) : away;
}

static gboolean
is_on_grid(const LacAperture *aperture, gsize grid, double y, double x)
{
  return fabs(y) <= (double) grid && fabs(x) <= (double) grid &&
         lac_aperture_count(aperture, y, x, grid) > 0;
}

static gboolean
check_scan(const LacOpticsSettings *s, GError **error)
{
  if (s->n_positions == 0)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "there are no apertures: a pattern needs at least one");
  for (gsize i = 0; i < s->n_positions; i++) {
    const LacScanBox *position = &s->scan[i];

    if (!is_on_grid(&s->aperture, s->grid, position->y, position->x) ||
        !is_on_grid(&s->aperture, s->grid, position->end_y, position->end_x))
      return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                        "aperture %" G_GSIZE_FORMAT
                        " at (%g, %g) is outside of the grid of %" G_GSIZE_FORMAT
                        " pixels: centres are from -%" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT,
                        i + 1, position->y, position->x, s->grid, s->grid / 2, s->grid / 2 - 1);
  }
  return TRUE;
}

gboolean
lac_optics_check(const LacOpticsSettings *s, GError **error)
{
  const gsize box = 2 * lac_aperture_reach(&s->aperture) + 1;

  if (s->grid < 8 || s->grid > 8192 || s->grid % 2)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "a grid of %" G_GSIZE_FORMAT " pixels: an even number from 8 to 8192",
                      s->grid);
  if (s->support < 1 || s->support > s->grid)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "an object of %" G_GSIZE_FORMAT " pixels on a grid of %" G_GSIZE_FORMAT
                      ": from 1 to the whole grid",
                      s->support, s->grid);
  if (!lac_aperture_check(&s->aperture, s->grid, error))
    return FALSE;
  if (s->patch && s->patch != s->grid && (s->patch % 2 || s->patch < box || s->patch > s->grid))
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "a detector of %" G_GSIZE_FORMAT
                      " pixels for an aperture that passes %" G_GSIZE_FORMAT
                      ": an even number, at least that and at most the grid's %" G_GSIZE_FORMAT,
                      s->patch, box, s->grid);
  return check_scan(s, error);
}

gsize
lac_optics_choose_n_along(const LacOpticsSettings *settings)
{
  double longest = 0;

  if (settings->n_along)
    return settings->n_along;
  for (gsize i = 0; i < settings->n_positions; i++)
    longest = MAX(longest, length_of(&settings->scan[i]));
  return longest == 0 ? 1 : ((gsize) (longest / settings->aperture.radius) + 1) | 1;
}

static void
trace(LacOptics *optics, gsize position)
{
  const gsize n_along = optics->settings.n_along;

  for (gsize i = 0; i < n_along; i++) {
    const gsize place = position * n_along + i;
    double      centre[2];

    lac_optics_centre(optics, position, i, centre);
    optics->n_spans[place] =
      lac_aperture_trace(&optics->settings.aperture, centre[0], centre[1], optics->settings.grid,
                         optics->spans + place * optics->max_spans);
  }
}

static LacOptics *
new_geometry(const LacOpticsSettings *settings, LacPool *pool)
{
  LacOptics         *optics = g_new0(LacOptics, 1);
  LacOpticsSettings *s = &optics->settings;

  *s = *settings;
  s->scan = optics->scan = g_memdup2(settings->scan, s->n_positions * sizeof *s->scan);
  optics->pool = pool;
  optics->reach = lac_aperture_reach(&s->aperture);
  optics->box = 2 * optics->reach + 1;
  optics->max_spans = lac_aperture_max_spans(&s->aperture);
  if (!s->patch)
    s->patch = lac_optics_choose_detector(&s->aperture, s->grid);
  s->n_along = lac_optics_choose_n_along(settings);
  optics->n_spans = g_new0(gsize, s->n_positions * s->n_along);
  optics->spans = g_new0(LacApertureRow, s->n_positions * s->n_along * optics->max_spans);
  for (gsize v = 0; v < s->n_positions; v++)
    trace(optics, v);
  optics->band = lac_optics_whole_band(optics);
  optics->pupil = g_new0(double complex, optics->box * optics->box);
  return optics;
}

LacOptics *
lac_optics_new(const LacOpticsSettings *settings, LacPool *pool, GError **error)
{
  g_autoptr(LacOptics) optics = NULL;

  g_return_val_if_fail(settings, NULL);
  if (!lac_optics_check(settings, error))
    return NULL;
  optics = new_geometry(settings, pool);
  optics->detector = lac_optics_prepare(optics, optics->settings.patch, optics->settings.patch);
  if (!optics->detector) {
    lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
               "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels square",
               optics->settings.patch);
    return NULL;
  }
  if (!lac_optics_spectrum_prepare(optics, error))
    return NULL;
  return g_steal_pointer(&optics);
}

void
lac_optics_free(LacOptics *optics)
{
  if (!optics)
    return;
  lac_optics_spectrum_clear(optics);
  g_free(optics->scan);
  g_free(optics->spans);
  g_free(optics->n_spans);
  g_free(optics->pupil);
  g_free(optics);
}

const LacOpticsSettings *
lac_optics_get_settings(const LacOptics *optics)
{
  return &optics->settings;
}

gsize
lac_optics_get_detector(const LacOptics *optics)
{
  return optics->settings.patch;
}

gsize
lac_optics_get_n_along(const LacOptics *optics)
{
  return optics->settings.n_along;
}

LacBand
lac_optics_get_band(const LacOptics *optics)
{
  return optics->band;
}

gsize
lac_optics_get_box(const LacOptics *optics)
{
  return optics->box;
}

gboolean
lac_optics_move(LacOptics *optics, gsize position, double y, double x)
{
  const LacOpticsSettings *s = &optics->settings;
  LacScanBox               before;

  g_return_val_if_fail(position < s->n_positions, FALSE);
  before = optics->scan[position];
  /* also refuses NaN */
  if (!(fabs(y) <= (double) s->grid && fabs(x) <= (double) s->grid))
    return FALSE;
  optics->scan[position] =
    (LacScanBox){y, x, y + before.end_y - before.y, x + before.end_x - before.x};
  trace(optics, position);
  if (lac_band_lies_within(lac_optics_scan_box(optics, position), optics->band) &&
      optics->n_spans[position * s->n_along] && optics->n_spans[(position + 1) * s->n_along - 1])
    return TRUE;
  optics->scan[position] = before;
  trace(optics, position);
  return FALSE;
}

void
lac_optics_set_pupil(LacOptics *optics, const double complex *pupil)
{
  optics->has_pupil = pupil != NULL;
  for (gsize i = 0; pupil && i < optics->box * optics->box; i++)
    optics->pupil[i] = pupil[i];
}

gsize
lac_optics_mark(const LacOptics *optics, gsize position, guint8 *mask)
{
  const gsize n_along = optics->settings.n_along;
  gsize       n_new = 0;

  g_return_val_if_fail(position < optics->settings.n_positions, 0);
  for (gsize place = position * n_along; place < (position + 1) * n_along; place++)
    for (gsize i = 0; i < optics->n_spans[place]; i++) {
      const LacApertureRow *span = &optics->spans[place * optics->max_spans + i];
      guint8               *row = mask + (gsize) (span->y - optics->band.y) * optics->band.width +
                    (gsize) (span->x - optics->band.x);

      for (gint32 j = 0; j < span->n; j++) {
        n_new += !row[j];
        row[j] = 1;
      }
    }
  return n_new;
}
