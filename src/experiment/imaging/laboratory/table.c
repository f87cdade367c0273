/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter table of an object: its own rows, the common rows, those of the methods. */
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/optics/pattern.h"
#include "experiment/param-rows.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FIRST_SOLVER "pie"

static const char *const picture_units[] = {"intensity", "amplitude", NULL};
static const char *const filters[] = {"area", "linear", NULL};
static const char *const fits[] = {"crop", "whole", NULL};
static const char *const phases[] = {"none", "relief", "picture", NULL};
static const char *const instruments[] = {"telescope", "microscope", "fresnel", NULL};
static const char *const shapes[] = {"circle", "hexagon", "obscured", NULL};
static const char *const units[] = {"amplitude", "intensity", NULL};
static const char *const outlines[] = {"square", "disc", NULL};
static const char *const aligns[] = {"no", "shift", "twin", NULL};
static const char *const scores[] = {"auto", "truth", "exposures", NULL};

/* names of the choices above, in the same order */
static const char *const picture_unit_titles[] = {N_("Intensity"), N_("Amplitude")};
static const char *const filter_titles[] = {N_("Area mean"), N_("Linear")};
static const char *const fit_titles[] = {N_("Crop to a square"), N_("Pad with black")};
static const char *const phase_titles[] = {N_("None"), N_("Smooth relief"), N_("Second image")};
static const char *const instrument_titles[] = {N_("Telescope"), N_("Microscope"),
                                                N_("Telescope in the near field")};
static const char *const shape_titles[] = {N_("Circle"), N_("Hexagon"), N_("Obscured circle")};
static const char *const unit_titles[] = {N_("Amplitude"), N_("Intensity")};
static const char *const outline_titles[] = {N_("Square"), N_("Disc")};
static const char *const align_titles[] = {N_("No"), N_("Shift"), N_("Shift and twin image")};
static const char *const score_titles[] = {N_("Automatic"), N_("Truth"), N_("Exposures")};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(LacImagingParams, object), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Picture"), N_("Object"), N_("PNG, JPEG, TIFF or FITS file that replaces the drawn object"), .file_type = "picture"},
  {LAC_FIELD(LacImagingParams, picture_unit), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PICTURE_INTENSITY, N_("Pixel values"), N_("Object"), N_("Intensity: camera counts, whose square root is the amplitude; amplitude: used directly"), LAC_PARAM_ADVANCED, .choices = picture_units, .titles = picture_unit_titles},
  {LAC_FIELD(LacImagingParams, fit), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PICTURE_CROP, N_("Non-square images"), N_("Object"), N_("How an image that is not square is made square"), LAC_PARAM_ADVANCED, .choices = fits, .titles = fit_titles},
  {LAC_FIELD(LacImagingParams, shrink), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PICTURE_LINEAR, N_("Downsampling filter"), N_("Object"), N_("Area mean: over each new pixel; linear: triangular weights, as in most programs"), LAC_PARAM_ADVANCED, .choices = filters, .titles = filter_titles},
  {LAC_FIELD(LacImagingParams, invert), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Invert"), N_("Object"), N_("Swap bright and dark"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, normalise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Normalise"), N_("Object"), N_("Scale the darkest pixel to 0 and the brightest to 1"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, size), LAC_PARAM_INTEGER, "px", 0, 4096, 64, N_("Object"), N_("Object"), N_("Side of the object (0: from width and distance if known, else half the grid)")},
  {LAC_FIELD(LacImagingParams, object_seed), LAC_PARAM_INTEGER, "1", 0, 1000000, 1, N_("Object seed"), N_("Object"), N_("Seed of the drawn object; noise and patterns use the seed of the run"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, square_pixels), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Square pixels"), N_("Object"), N_("Takes the exposures of an object of uniform squares; otherwise of points, the samples that the methods reconstruct"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(LacImagingParams, phase), LAC_PARAM_CHOICE, "1", 0, 0, LAC_OBJECT_PHASE_NONE, N_("Phase"), N_("Object"), N_("None: real-valued object; smooth relief: hills; second image: from a file"), LAC_PARAM_ADVANCED, .choices = phases, .titles = phase_titles},
  {LAC_FIELD(LacImagingParams, phase_picture), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Phase image"), N_("Object"), N_("Used when the phase comes from a second image"), LAC_PARAM_ADVANCED, .file_type = "picture"},
  {LAC_FIELD(LacImagingParams, phase_range), LAC_PARAM_REAL, "rad", 0, 100, 1, N_("Phase range"), N_("Object"), N_("Difference between the highest and the lowest phase"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, width), LAC_PARAM_REAL, "m", 0, 1e20, 0, N_("Object width"), N_("Physical scale"), N_("0: unknown, resolutions are then in pixels"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, distance), LAC_PARAM_REAL, "m", 0, 1e26, 0, N_("Distance"), N_("Physical scale"), N_("Distance from aperture to object (0: unknown)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, wavelength), LAC_PARAM_REAL, "m", 0, 10, 0, N_("Wavelength"), N_("Physical scale"), N_("Wavelength of the light (0: unknown)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, k_pixel), LAC_PARAM_REAL, "m", 0, 1e6, 0, N_("K-space pixel"), N_("Physical scale"), N_("Pixel size in the aperture plane (0: from the object's size in pixels)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, grid), LAC_PARAM_INTEGER, "px", 8, 8192, 128, N_("Grid"), N_("Aperture"), N_("Side of the field of view and of k-space (even)")},
  {LAC_FIELD(LacImagingParams, instrument), LAC_PARAM_CHOICE, "1", 0, 0, LAC_INSTRUMENT_TELESCOPE, N_("Instrument"), N_("Aperture"), N_("Telescope: far field; microscope: tilted illumination and a numerical aperture; near field: an object at a finite distance, with a quadratic phase"), LAC_PARAM_ADVANCED, .choices = instruments, .titles = instrument_titles},
  {LAC_FIELD(LacImagingParams, numerical_aperture), LAC_PARAM_REAL, "1", 1e-4, 1.6, 0.1, N_("Numerical aperture"), N_("Aperture"), N_("Of the objective: the radius of the aperture, in place of its diameter"), LAC_PARAM_ADVANCED, .list = "instrument", .entry = "microscope"},
  {LAC_FIELD(LacImagingParams, illumination_aperture), LAC_PARAM_REAL, "1", 0, 1, 0.3, N_("Illumination NA"), N_("Aperture"), N_("Sine of the most oblique illumination, in place of the region of interest"), LAC_PARAM_ADVANCED, .list = "instrument", .entry = "microscope"},
  {LAC_FIELD(LacImagingParams, focus_distance), LAC_PARAM_REAL, "m", -1, 1, 0, N_("Distance from focus"), N_("Aperture"), N_("From the object to the plane of focus; the result is refocused on the object"), LAC_PARAM_ADVANCED, .list = "instrument", .entry = "microscope", .zero = N_("In focus"), .some = N_("Out of focus"), .typical = 1e-4},
  {LAC_FIELD(LacImagingParams, shape), LAC_PARAM_CHOICE, "1", 0, 0, LAC_APERTURE_CIRCLE, N_("Shape"), N_("Aperture"), N_("Obscured circle: annulus with four spider vanes, as in a reflecting telescope"), .choices = shapes, .titles = shape_titles},
  {LAC_FIELD(LacImagingParams, diameter), LAC_PARAM_REAL, "px", 0, 8192, 20, N_("Diameter"), N_("Aperture"), N_("In k-space pixels (hexagon: between opposite sides; 0: the coherent area of the light)"), .list = "instrument", .entry = "!microscope"},
  {LAC_FIELD(LacImagingParams, inner), LAC_PARAM_REAL, "px", 0, 8192, 6, N_("Central obstruction"), N_("Aperture"), N_("Diameter of the central obstruction"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, spider), LAC_PARAM_REAL, "px", 0, 8192, 1, N_("Spider"), N_("Aperture"), N_("Width of the spider vanes"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, pattern), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Pattern"), N_("Pattern"), N_("Arrangement of the scan positions in k-space, in order from the centre outwards")},
  {LAC_FIELD(LacImagingParams, apertures), LAC_PARAM_INTEGER, "1", 1, 10000, 32, N_("Apertures"), N_("Pattern"), N_("Number of exposures")},
  {LAC_FIELD(LacImagingParams, roi), LAC_PARAM_REAL, "px", 0, 8192, 64, N_("Region of interest"), N_("Pattern"), N_("Diameter of the k-space disc that contains the aperture centres (0: all of k-space)"), .list = "instrument", .entry = "!microscope"},
  {LAC_FIELD(LacImagingParams, line_length), LAC_PARAM_REAL, "px", 0, 8192, 0, N_("Line length"), N_("Pattern"), N_("Distance the aperture moves during an exposure (0: at rest)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, line_angle), LAC_PARAM_REAL, "°", -1, 360, -1, N_("Line angle"), N_("Pattern"), N_("Direction of the lines (-1: random for each exposure)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, points_along), LAC_PARAM_INTEGER, "1", 0, 1001, 0, N_("Points per line"), N_("Pattern"), N_("Sampled positions of the moving aperture (0: one per radius)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, pattern_file), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Pattern file"), N_("Pattern"), N_("CSV or JSON with y, x of each centre or of both line ends"), LAC_PARAM_ADVANCED, .file_type = "pattern"},
  {LAC_FIELD(LacImagingParams, sensor_positions), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Manual positions"), N_("Pattern"), N_("x y; x y; ... in k-space pixels from the middle, y upwards; replaces the pattern"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, unit), LAC_PARAM_CHOICE, "1", 0, 0, LAC_DETECTOR_AMPLITUDE, N_("Detector type"), N_("Detector"), N_("Amplitude: square root of intensity, common for telescopes; intensity: for microscopes and cameras"), .choices = units, .titles = unit_titles},
  {LAC_FIELD(LacImagingParams, detector), LAC_PARAM_INTEGER, "px", 0, 8192, 0, N_("Detector"), N_("Detector"), N_("Side of the detector (0: smallest that samples the whole aperture)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, snr), LAC_PARAM_REAL, "dB", 0, 200, 0, N_("Signal-to-noise ratio"), N_("Detector"), N_("SNR of the shot noise at intensity 1"), .zero = N_("No noise"), .some = N_("Shot noise"), .typical = 30},
  {LAC_FIELD(LacImagingParams, read_noise), LAC_PARAM_REAL, "1", 0, 10, 0, N_("Read noise"), N_("Detector"), N_("Standard deviation of the measured intensity"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, bad_pixels), LAC_PARAM_REAL, "%", 0, 90, 0, N_("Bad pixels"), N_("Detector"), N_("Share of detector pixels that record nothing"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, defocus), LAC_PARAM_REAL, "rad", -20, 20, 0, N_("Defocus"), N_("Instrument faults"), N_("RMS phase over the simulated pupil, unknown to the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, astigmatism_45), LAC_PARAM_REAL, "rad", -20, 20, 0, N_("Astigmatism at 45°"), N_("Instrument faults"), N_("RMS phase over the simulated pupil, unknown to the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, astigmatism), LAC_PARAM_REAL, "rad", -20, 20, 0, N_("Astigmatism at 0°"), N_("Instrument faults"), N_("RMS phase over the simulated pupil, unknown to the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, displacement), LAC_PARAM_REAL, "px", 0, 8, 0, N_("Displacement"), N_("Instrument faults"), N_("Maximum displacement of the simulated apertures, unknown to the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, measurements), LAC_PARAM_FILE, "1", 0, 0, 0, N_("User measurements"), N_("Detector"), N_("HDF5 with stack, centres, optionally mask and sigma; replaces object, pattern and detector"), .file_type = "exposures"},
  {LAC_FIELD(LacImagingParams, solver), LAC_PARAM_LIST, "1", 0, 0, 0, N_("Methods"), N_("All methods"), N_("Run side by side on the same exposures; the first gives the result")},
  {LAC_FIELD(LacImagingParams, is_real), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Real object"), N_("All methods"), N_("Assume that the object has no phase"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, bounds), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Bounded object"), N_("All methods"), N_("Constrain the object to the bounds, a strong prior")},
  {LAC_FIELD(LacImagingParams, low), LAC_PARAM_REAL, "1", -1e6, 1e6, 0, N_("Lower bound"), N_("All methods"), N_("Lower bound of a real object's amplitude"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, high), LAC_PARAM_REAL, "1", 1e-9, 1e6, 1, N_("Upper bound"), N_("All methods"), N_("Upper bound of the amplitude"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, outline), LAC_PARAM_CHOICE, "1", 0, 0, LAC_OUTLINE_SQUARE, N_("Support"), N_("All methods"), N_("Region that the object may fill: its square or the inscribed disc"), LAC_PARAM_ADVANCED, .choices = outlines, .titles = outline_titles},
  {"judge_by", G_STRUCT_OFFSET(LacImagingParams, score_by), LAC_PARAM_CHOICE, "1", 0, 0, LAC_SCORED_AUTO, N_("Evaluate against"), N_("All methods"), N_("Exposures: without the truth; automatic: the truth, except for user measurements"), LAC_PARAM_ADVANCED, .choices = scores, .titles = score_titles},
  {"judge", G_STRUCT_OFFSET(LacImagingParams, score), LAC_PARAM_INTEGER, "1", 0, 100000, 0, N_("Evaluate every"), N_("All methods"), N_("Steps between evaluations; 0: 12 to 100 per run, if possible in a twentieth of its time; the first and the last step are always evaluated"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, ssim_map), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("SSIM map"), N_("All methods"), N_("Picture of the local similarity with the truth, whose mean is the SSIM with mirrored edges"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingParams, align), LAC_PARAM_CHOICE, "1", 0, 0, LAC_ALIGNED_NOT, N_("Align with the truth"), N_("All methods"), N_("Removes a shift, a global phase and the twin image before images are shown and evaluated"), LAC_PARAM_ADVANCED, .choices = aligns, .titles = align_titles},
};
/* clang-format on */

static const LacParamTable common_table = {rows, G_N_ELEMENTS(rows), sizeof(LacImagingParams)};

/* ---- methods: their list, and the rows that they share ---- */

#define LAC_IMAGING_METHOD(name) extern const LacImagingMethod lac_imaging_method_##name;
#include "experiment/imaging-method-list.h"
#undef LAC_IMAGING_METHOD

static const LacImagingMethod *const methods[] = {
#define LAC_IMAGING_METHOD(name) &lac_imaging_method_##name,
#include "experiment/imaging-method-list.h"
#undef LAC_IMAGING_METHOD
  NULL,
};

const LacImagingMethod *const *
lac_imaging_methods(gsize *n_methods)
{
  *n_methods = G_N_ELEMENTS(methods) - 1;
  return methods;
}

/* clang-format off */
static const LacParam method_rows[] = {
  {LAC_FIELD(LacImagingCommon, aberrations), LAC_PARAM_INTEGER, "1", 0, LAC_IMAGING_MAX_ABERRATIONS, 0, N_("Estimated aberrations"), N_("All methods"), N_("Zernike terms estimated, starting at defocus (3: with both astigmatisms; 0: ideal pupil)")},
  {LAC_FIELD(LacImagingCommon, position_error), LAC_PARAM_REAL, "1", 0, 8, 0, N_("Position error"), N_("All methods"), N_("Maximum error of the aperture centres, estimated together with the object (0: known); RAAR finds them most reliably")},
  {LAC_FIELD(LacImagingCommon, calibrate_from), LAC_PARAM_INTEGER, "1", 1, 100000, 5, N_("Calibrate from step"), N_("All methods"), N_("Step at which estimation of aberrations and positions starts"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingCommon, stop_at_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Stop at noise level"), N_("All methods"), N_("End when the misfit reaches the noise level, before the noise is fitted")},
  {LAC_FIELD(LacImagingCommon, noise_factor), LAC_PARAM_REAL, "1", 0.1, 10, 1, N_("Noise level"), N_("All methods"), N_("Multiple of the expected noise misfit at which a run stops"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacImagingCommon, hold_out), LAC_PARAM_REAL, "%", 0, 50, 1, N_("Pixels held out"), N_("All methods"), N_("With noise, a run ends when the misfit of these pixels has passed its minimum, with the object of that step; the decoder ends at the noise level"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("No pixels")},
  {LAC_FIELD(LacImagingCommon, leave_out_exposures), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Leave out contradicting exposures"), N_("All methods"), N_("Leaves out exposures that the others cannot explain, and names them"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

const LacParamTable lac_imaging_method_common = {method_rows, G_N_ELEMENTS(method_rows),
                                                 sizeof(LacImagingCommon)};

static void
find_solvers(LacImaging *laboratory)
{
  gsize                          n;
  const LacImagingMethod *const *solvers = lac_imaging_methods(&n);

  for (gsize i = 0; i < n; i++)
    lac_method_table_add(&laboratory->solvers, &solvers[i]->scheduled);
  g_assert(laboratory->solvers.n > 0 && laboratory->solvers.n <= LAC_IMAGING_MAX_SOLVERS);
}

static void
find_patterns(LacImaging *laboratory)
{
  gsize             n;
  const LacPattern *patterns = lac_patterns(&n);

  g_assert(n <= LAC_IMAGING_MAX_PATTERNS);
  for (gsize i = 0; i < n; i++) {
    laboratory->pattern_names[i] = patterns[i].name;
    laboratory->pattern_titles[i] = patterns[i].title;
  }
}

/* Sets the defaults from the size, distance and wavelength of a celestial body. */
static void
take_body(GArray *all, const LacObjectBody *body)
{
  if (!body)
    return;
  lac_rows_find(all, "width")->fallback = body->diameter;
  lac_rows_find(all, "distance")->fallback = body->distance;
  lac_rows_find(all, "wavelength")->fallback = body->wavelength;
}

LacImaging *
lac_imaging_compose(const LacObjectScene *scene)
{
  LacImaging *laboratory = g_new0(LacImaging, 1);
  GArray     *all = g_array_new(FALSE, FALSE, sizeof(LacParam));
  gsize       size;

  laboratory->scene = scene;
  find_solvers(laboratory);
  find_patterns(laboratory);
  laboratory->common = lac_rows_append(all, &scene->params, 0);
  laboratory->method = lac_rows_append(all, &common_table, laboratory->common);
  size = lac_rows_append(all, &lac_imaging_method_common, laboratory->method);
  size = lac_method_table_append_rows(&laboratory->solvers, all, size, "solver");
  lac_rows_find(all, "pattern")->choices = laboratory->pattern_names;
  lac_rows_find(all, "pattern")->titles = laboratory->pattern_titles;
  lac_row_set_fallback(lac_rows_find(all, "solver"), FIRST_SOLVER);
  take_body(all, scene->body);
  for (const LacObjectDefault *own = scene->defaults; own && own->key; own++)
    lac_row_set_fallback(lac_rows_find(all, own->key), own->text);
  laboratory->table.n_rows = all->len;
  laboratory->table.rows = (LacParam *) (gpointer) g_array_free(all, FALSE);
  laboratory->table.size = size;
  return laboratory;
}

gboolean
lac_imaging_has_truth(const LacImagingParams *common)
{
  return common->score_by == LAC_SCORED_TRUTH ||
         (common->score_by == LAC_SCORED_AUTO && !common->measurements);
}

gboolean
lac_imaging_has_phase(const LacImagingParams *common)
{
  return !common->is_real;
}

LacImagingScale
lac_imaging_find_scale(const LacImagingParams *common)
{
  const LacObjectBody body = {common->width, common->distance, common->wavelength};
  const gboolean      has_scale = body.diameter > 0 && body.distance > 0 && body.wavelength > 0;
  LacImagingScale     scale = {.side = (gsize) common->size};

  if (common->instrument == LAC_INSTRUMENT_MICROSCOPE) {
    scale.side = scale.side ? scale.side : (gsize) common->grid / 2;
    scale.pixel = body.wavelength > 0 ? body.diameter / (double) scale.side : 0;
    return scale;
  }
  scale.distance = common->distance;
  if (!has_scale) {
    scale.side = scale.side ? scale.side : (gsize) common->grid / 2;
    return scale;
  }
  scale.k_pixel = common->k_pixel;
  if (scale.k_pixel == 0 && scale.side > 0)
    scale.k_pixel = body.wavelength * body.distance * (double) scale.side /
                    (body.diameter * (double) common->grid);
  if (scale.k_pixel == 0) {
    scale.side = (gsize) common->grid / 2;
    return scale;
  }
  if (scale.side == 0)
    scale.side = lac_object_get_size(&body, scale.k_pixel, (gsize) common->grid);
  scale.pixel = lac_object_get_pixel(&body, scale.k_pixel, (gsize) common->grid);
  return scale;
}
