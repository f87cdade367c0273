/* SPDX-License-Identifier: GPL-3.0-or-later */
/* O = F o on a requested part of k-space: of the band only, or, in the full-grid reference model, by one two-dimensional
 * transform of the whole grid. */
#include "base/error.h"
#include "experiment/imaging/optics/optics-private.h"

#include <math.h>
#include <string.h>

static gboolean
is_twin(const LacOptics *optics)
{
  return optics->settings.patch == optics->settings.grid;
}

static gboolean
refuse(const LacOptics *optics, const char *shape, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels%s",
              optics->settings.grid, shape);
  return FALSE;
}

/* Returns the pixels of the band, or of the largest box of a scan position if that has more where it ends beyond the grid;
 * positions may move, but a line keeps its length. */
static gsize
count_largest_box(const LacOptics *optics)
{
  gsize n = optics->band.height * optics->band.width;

  for (gsize v = 0; v < optics->settings.n_positions; v++) {
    const LacScanBox *line = &optics->scan[v];
    const gsize       height = optics->box + 1 + (gsize) fabs(line->end_y - line->y);
    const gsize       width = optics->box + 1 + (gsize) fabs(line->end_x - line->x);

    n = MAX(n, (height + 1) * (width + 1));
  }
  return n;
}

gboolean
lac_optics_spectrum_prepare(LacOptics *optics, GError **error)
{
  const gsize                    n = optics->settings.grid;
  const LacBandTransformSettings settings = {
    .grid = n,
    .support = optics->settings.support,
    .band = optics->band,
    .box = optics->box,
    .n_part = count_largest_box(optics),
    .plans_every_call = optics->settings.plans_every_call,
    .pool = optics->pool,
  };

  optics->transform = lac_band_transform_new(&settings);
  if (!optics->transform)
    return refuse(optics, "", error);
  if (!is_twin(optics))
    return TRUE;
  optics->field = g_new(double complex, n *n);
  return lac_optics_prepare_union(optics, error);
}

gboolean
lac_optics_prepare_union(LacOptics *optics, GError **error)
{
  optics->whole = lac_optics_prepare(optics, optics->settings.grid, optics->settings.grid);
  return optics->whole || refuse(optics, " square", error);
}

void
lac_optics_spectrum_clear(LacOptics *optics)
{
  lac_band_transform_free(optics->transform);
  g_free(optics->field);
}

LacBandTransform *
lac_optics_get_transform(const LacOptics *optics)
{
  return optics->transform;
}

/* ---- the whole grid ---- */

static double
sign_of(gsize n)
{
  return n & 1 ? -1 : 1;
}

static gsize
object_start(const LacOptics *optics)
{
  return (optics->settings.grid - optics->settings.support) / 2;
}

/* Returns the place of a box in the field, DC at (N/2, N/2), and the sum of its row and column. */
static gsize
place_of(const LacOptics *optics, LacBand box, gsize *sum)
{
  const gsize n = optics->settings.grid;
  const gsize top = (gsize) (box.y + (gint64) (n / 2)), left = (gsize) (box.x + (gint64) (n / 2));

  *sum = top + left;
  return top * n + left;
}

static void
whole_forward(const LacOptics *optics, const double complex *object, const LacBandPart *part)
{
  const gsize     n = optics->settings.grid, s = optics->settings.support;
  const gsize     start = object_start(optics);
  double complex *field = optics->field;
  gsize           sum;
  const gsize     place = place_of(optics, part->box, &sum);

  memset(field, 0, n * n * sizeof *field);
  for (gsize y = 0; y < s; y++)
    for (gsize x = 0; x < s; x++)
      field[(start + y) * n + start + x] = sign_of(y + x) * object[y * s + x];
  lac_fourier_forward(optics->whole, field);
  for (gsize y = 0; y < part->box.height; y++)
    for (gsize x = 0; x < part->box.width; x++)
      part->numbers[y * part->stride + x] =
        sign_of(sum + y + x) / (double) n * field[place + y * n + x];
}

static void
whole_inverse(const LacOptics *optics, const LacBandPart *part, double complex *object)
{
  const gsize     n = optics->settings.grid, s = optics->settings.support;
  const gsize     start = object_start(optics);
  double complex *field = optics->field;
  gsize           sum;
  const gsize     place = place_of(optics, part->box, &sum);

  memset(field, 0, n * n * sizeof *field);
  for (gsize y = 0; y < part->box.height; y++)
    for (gsize x = 0; x < part->box.width; x++)
      field[place + y * n + x] =
        sign_of(sum + y + x) / (double) n * part->numbers[y * part->stride + x];
  lac_fourier_inverse(optics->whole, field);
  for (gsize y = 0; y < s; y++)
    for (gsize x = 0; x < s; x++)
      object[y * s + x] = sign_of(y + x) * field[(start + y) * n + start + x];
}

/* ---- which of them ---- */

static LacBandPart
part_of(const LacOptics *optics, LacBand box, const double complex *spectrum)
{
  const gsize offset =
    (gsize) (box.y - optics->band.y) * optics->band.width + (gsize) (box.x - optics->band.x);

  return (LacBandPart){box, (double complex *) spectrum + offset, optics->band.width};
}

static void
forward(LacOptics *optics, LacBand box, const double complex *object, double complex *spectrum)
{
  const LacBandPart part = part_of(optics, box, spectrum);

  if (is_twin(optics))
    whole_forward(optics, object, &part);
  else
    lac_band_transform_forward(optics->transform, object, &part);
}

void
lac_optics_spectrum(LacOptics *optics, const double complex *object, double complex *spectrum)
{
  forward(optics, optics->band, object, spectrum);
}

void
lac_optics_object(LacOptics *optics, const double complex *spectrum, double complex *object)
{
  const LacBandPart part = part_of(optics, optics->band, spectrum);

  if (is_twin(optics))
    whole_inverse(optics, &part, object);
  else
    lac_band_transform_inverse(optics->transform, &part, object);
}

void
lac_optics_scan_spectrum(LacOptics            *optics,
                         gsize                 position,
                         const double complex *object,
                         double complex       *spectrum)
{
  g_return_if_fail(position < optics->settings.n_positions);
  forward(optics, lac_optics_scan_box(optics, position), object, spectrum);
}
