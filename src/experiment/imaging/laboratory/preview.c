/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview before a run: the object, and the coverage of k-space. */
#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#define MOST_PIXELS 512 /* maximum side of the preview */

static const LacChannel channels[] = {
  {.key = "amplitude.truth",
   .label = N_("Object"),
   .unit = "1",
   .quantity = "amplitude",
   .role = LAC_ROLE_TRUTH,
   .colour_map = "grey",
   .axis_x = "x",
   .axis_y = "y",
   .axis_unit_x = "px",
   .axis_unit_y = "px"},
  {.key = "coverage",
   .label = N_("Coverage"),
   .unit = "1",
   .quantity = "coverage",
   .role = LAC_ROLE_OTHER,
   .colour_map = "ember",
   .axis_x = "kx",
   .axis_y = "ky",
   .axis_unit_x = "px",
   .axis_unit_y = "px"},
};

/* Draws the object; rows of an image go downwards, those of a plane upwards. */
static gboolean
draw_object(const LacExperiment *self,
            gconstpointer        params,
            const LacContext    *context,
            LacPlane            *plane,
            GError             **error)
{
  const LacImaging          *laboratory = self->data;
  const gsize                n = plane->nx;
  g_autofree double complex *object =
    lac_imaging_make_object(laboratory, params, context, n, error);

  if (!object)
    return FALSE;
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      plane->data[(n - 1 - y) * n + x] = (float) cabs(object[y * n + x]);
  lac_plane_measure(plane);
  return TRUE;
}

static gboolean
draw_coverage(const LacImagingParams *common,
              const LacContext       *context,
              LacOpticsSettings      *optics,
              LacPlane               *plane,
              GError                **error)
{
  const gsize            n = plane->nx, window = MIN(lac_imaging_window(common), optics->grid);
  const gsize            skip = (optics->grid - window) / 2, step = window / n;
  g_autofree LacScanBox *scan = lac_imaging_new_scan(
    common, context->seed, lac_imaging_find_input(context->exposures, "pattern_file"),
    &optics->n_positions, error);
  g_autofree guint16  *counts = g_new0(guint16, optics->grid * optics->grid);
  LacPatternStatistics statistics;

  optics->scan = scan;
  if (!scan || !lac_optics_check(optics, error))
    return FALSE;
  lac_pattern_evaluate(optics, MIN(lac_imaging_extent(common), (double) optics->grid), counts,
                       &statistics);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      plane->data[(n - 1 - y) * n + x] = counts[(skip + step * y) * optics->grid + skip + step * x];
  lac_plane_measure(plane);
  return TRUE;
}

static LacFrame *
draw(const LacExperiment *self, gconstpointer params, const LacContext *context, GError **error)
{
  const LacImagingParams *common = lac_imaging_common(self->data, params);
  LacOpticsSettings       optics = lac_imaging_optics(common);
  const gsize             side = MIN(optics.support, MOST_PIXELS);
  const gsize             window = MIN(lac_imaging_window(common), optics.grid);
  const gsize             step = (window + MOST_PIXELS - 1) / MOST_PIXELS;
  const gsize             sizes[][2] = {{side, side}, {window / step, window / step}};
  g_autoptr(LacFrame)     frame = lac_frame_new(G_N_ELEMENTS(sizes), sizes, 0, 0);

  if (common->measurements) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "user measurements have no true object to preview");
    return NULL;
  }
  if (!draw_object(self, params, context, &frame->planes[0], error) ||
      !draw_coverage(common, context, &optics, &frame->planes[1], error))
    return NULL;
  return g_steal_pointer(&frame);
}

const LacPreview lac_imaging_preview = {channels, G_N_ELEMENTS(channels), draw};
