/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instrument: from metres and numerical apertures to k-space pixels, and what lies between the object and the
 * field that is scanned. */
#include "experiment/imaging/optics/instrument.h"

#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FAR_FIELD   0.1     /* maximum Fresnel number */
#define MOST_PIXELS 16384.0 /* beyond any grid; refused with the scan positions */

static LacMicroscope
get_microscope(const LacImagingParams *common)
{
  return (LacMicroscope){
    .numerical_aperture = common->numerical_aperture,
    .wavelength = common->wavelength,
    .pixel = lac_imaging_find_scale(common).pixel,
    .grid = (gsize) common->grid,
  };
}

double
lac_imaging_get_diameter(const LacImagingParams *common)
{
  const gboolean        is_microscope = common->instrument == LAC_INSTRUMENT_MICROSCOPE;
  const LacMicroscope   microscope = get_microscope(common);
  const LacImagingScale scale = lac_imaging_find_scale(common);

  if (!is_microscope && common->diameter > 0)
    return common->diameter;
  if (scale.pixel == 0)
    return 1;
  if (is_microscope)
    return MIN(2 * lac_microscope_radius(&microscope), MOST_PIXELS);
  return MIN(2 * lac_coherence_radius(common->width / 2, common->distance, common->wavelength) /
               scale.k_pixel,
             MOST_PIXELS);
}

double
lac_imaging_extent(const LacImagingParams *common)
{
  const LacMicroscope microscope = get_microscope(common);

  if (common->instrument == LAC_INSTRUMENT_MICROSCOPE && microscope.pixel > 0)
    return MIN(2 * fabs(lac_microscope_tilted(&microscope, 1, common->illumination_aperture, 0).y),
               MOST_PIXELS);
  return common->roi > 0 ? common->roi : (double) common->grid;
}

/* ---- checks ---- */

static gboolean
is_between(const LacImagingParams *common)
{
  return common->instrument == LAC_INSTRUMENT_FRESNEL ||
         (common->instrument == LAC_INSTRUMENT_MICROSCOPE && common->focus_distance != 0);
}

static gboolean
check_telescope(const LacImagingParams *common, GError **error)
{
  if (common->diameter == 0 && lac_imaging_find_scale(common).k_pixel == 0)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "diameter = 0 stands for the coherent area of the light, which needs the "
                      "object's width, distance and wavelength: set them, or a diameter");
  if (common->instrument == LAC_INSTRUMENT_FRESNEL && lac_imaging_find_scale(common).pixel == 0)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "instrument = fresnel needs the object's width, distance and wavelength "
                      "in metres: they determine its quadratic phase");
  return TRUE;
}

static gboolean
check_microscope(const LacImagingParams *common, GError **error)
{
  const double pixel = lac_imaging_find_scale(common).pixel;

  if (pixel == 0)
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "instrument = microscope needs the object's width and the wavelength in "
                      "metres: they turn numerical apertures into k-space pixels");
  if (common->illumination_aperture > common->wavelength / (2 * pixel))
    return lac_refuse(
      error, LAC_ERROR_OUT_OF_RANGE,
      "illumination_aperture = %g: pixels of %.3g m sample light up to a numerical aperture "
      "of %.3g; lower illumination_aperture or width, or raise size",
      common->illumination_aperture, pixel, common->wavelength / (2 * pixel));
  if (common->focus_distance != 0 && (common->bounds || common->outline != LAC_OUTLINE_SQUARE))
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "out of focus (focus_distance = %g m) the light leaves the object's "
                      "bounds and disc: set bounds = no and outline = square",
                      common->focus_distance);
  return TRUE;
}

gboolean
lac_imaging_check_instrument(const LacImagingParams *common, GError **error)
{
  const gboolean is_microscope = common->instrument == LAC_INSTRUMENT_MICROSCOPE;

  if (!(is_microscope ? check_microscope : check_telescope)(common, error))
    return FALSE;
  if (is_between(common) && common->is_real)
    return lac_refuse(
      error, LAC_ERROR_OUT_OF_RANGE, "the field that %s scans has a phase: set is_real = no",
      is_microscope ? "a microscope out of focus" : "an instrument at this distance");
  return TRUE;
}

/* ---- between the object and the field that is scanned ---- */

static LacPropagationSettings
get_propagation(const LacImagingParams *common, gsize side)
{
  const gboolean is_microscope = common->instrument == LAC_INSTRUMENT_MICROSCOPE;

  return (LacPropagationSettings){
    .method = is_microscope ? LAC_PROPAGATION_ANGULAR_SPECTRUM : LAC_PROPAGATION_FRESNEL,
    .n = side,
    .wavelength = common->wavelength,
    .distance = is_microscope ? common->focus_distance : common->distance,
    .pixel = lac_imaging_find_scale(common).pixel,
  };
}

gboolean
lac_imaging_new_propagator(const LacImagingParams *common,
                           gsize                   side,
                           LacPropagator         **propagator,
                           GError                **error)
{
  const LacPropagationSettings settings = get_propagation(common, side);

  *propagator = is_between(common) ? lac_propagator_new(&settings, error) : NULL;
  return *propagator != NULL || !is_between(common);
}

char *
lac_imaging_dup_instrument_warning(const LacImagingParams *common)
{
  const LacImagingScale        scale = lac_imaging_find_scale(common);
  const LacPropagationSettings settings = get_propagation(common, scale.side);

  if (is_between(common))
    return lac_propagation_dup_warning(&settings);
  if (common->instrument == LAC_INSTRUMENT_MICROSCOPE || scale.k_pixel == 0)
    return NULL;
  const double number =
    lac_fresnel_number(scale.k_pixel * (double) common->grid, common->wavelength, common->distance);
  if (number < FAR_FIELD)
    return NULL;
  return g_strdup_printf(_("The object is not in the far field: its Fresnel number is %.3g, not "
                           "below %g. Choose the near-field telescope."),
                         number, FAR_FIELD);
}
