/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aperture, detector and scan positions of a run, from its parameters. */
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/places.h"

#include <math.h>
#include <string.h>

#define FEWEST_SHOWN 8

static LacAperture
get_aperture(const LacImagingParams *common)
{
  LacAperture aperture = {(LacApertureShape) common->shape, lac_imaging_get_diameter(common) / 2, 0,
                          0};

  if (aperture.shape == LAC_APERTURE_OBSCURED) {
    aperture.inner = common->inner / 2;
    aperture.spider = common->spider;
  }
  return aperture;
}

LacFaults
lac_imaging_faults(const LacImagingParams *common, guint64 seed)
{
  return (LacFaults){
    .aberrations = {common->defocus, common->astigmatism_45, common->astigmatism},
    .displacement = common->displacement,
    .seed = seed,
  };
}

LacNoise
lac_imaging_noise(const LacImagingParams *common, guint64 seed)
{
  return (LacNoise){
    .snr_db = common->snr > 0 ? common->snr : (double) INFINITY,
    .read_sigma = common->read_noise,
    .bad_fraction = common->bad_pixels / 100,
    .seed = seed,
  };
}

LacOpticsSettings
lac_imaging_optics(const LacImagingParams *common)
{
  return (LacOpticsSettings){
    .grid = (gsize) common->grid,
    .support = lac_imaging_find_scale(common).side,
    .aperture = get_aperture(common),
    .unit = (LacDetectorUnit) common->unit,
    .patch = (gsize) common->detector,
    .n_along = (gsize) common->points_along,
    .square_pixels = common->square_pixels != 0,
  };
}

gsize
lac_imaging_window(const LacImagingParams *common)
{
  const gsize  grid = (gsize) common->grid;
  const double seen =
    lac_imaging_extent(common) + lac_imaging_get_diameter(common) + common->line_length + 2;

  if (common->pattern_file || common->sensor_positions || common->measurements)
    return grid;
  return CLAMP((gsize) ceil(seen / 2) * 2, MIN(FEWEST_SHOWN, grid), grid);
}

static LacScanBox *
position_places(const char *text, gsize *n_positions, GError **error)
{
  g_autofree double *places = lac_positions_parse(text, 2, n_positions, error);
  LacScanBox        *scan;

  if (!places)
    return NULL;
  scan = g_new(LacScanBox, *n_positions);
  for (gsize i = 0; i < *n_positions; i++) {
    const double y = -places[2 * i + 1], x = places[2 * i];

    scan[i] = (LacScanBox){y, x, y, x};
  }
  return scan;
}

LacScanBox *
lac_imaging_scan_of(const LacEntry *centres, gsize *n_positions)
{
  const double *row = centres->data;
  LacScanBox   *scan = g_new(LacScanBox, centres->n_rows);

  *n_positions = centres->n_rows;
  for (gsize i = 0; i < *n_positions; i++, row += centres->n_columns) {
    const gboolean is_line = centres->n_columns == 4;

    scan[i] = (LacScanBox){row[0], row[1], row[is_line ? 2 : 0], row[is_line ? 3 : 1]};
  }
  return scan;
}

LacScanBox *
lac_imaging_new_scan(const LacImagingParams *common,
                     guint64                 seed,
                     const LacStore         *file,
                     gsize                  *n_positions,
                     GError                **error)
{
  const LacPatternSettings settings = {
    .n = (gsize) common->apertures,
    .extent = lac_imaging_extent(common),
    .line_length = common->line_length,
    .line_angle_deg = common->line_angle < 0 ? (double) NAN : common->line_angle,
    .n_angles = 4,
    .seed = seed,
  };
  gsize n_patterns;

  if (common->sensor_positions)
    return position_places(common->sensor_positions, n_positions, error);
  if (file)
    return lac_imaging_scan_of(lac_store_get_entry(file, 0), n_positions);
  return lac_pattern_make(&lac_patterns(&n_patterns)[common->pattern], &settings, n_positions,
                          error);
}

/* Measurements of the user may be of a smaller object than their grid, which only their file tells. */
gboolean
lac_imaging_is_unconstrained(const LacImagingParams *common)
{
  const LacOpticsSettings settings = lac_imaging_optics(common);

  return !common->is_real && !common->bounds && common->outline != LAC_OUTLINE_DISC &&
         (common->measurements || settings.support == settings.grid);
}
