/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channels and metrics of a run, from its object and methods. */
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/optics/zernike.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define NOISE_CURVE "misfit_noise" /* of a method: in units of the noise, so only with noise */

/* clang-format off */
static const struct {
  const char   *key, *label, *unit;
  gboolean      log_axis;
  LacMetricColumn column;
  LacRank       rank;
} qualities[LAC_N_QUALITIES] = {
  [LAC_QUALITY_PSNR] = {"psnr_db", N_("PSNR"), "dB", FALSE, LAC_COLUMN_MAIN, LAC_RANK_GREATEST},
  [LAC_QUALITY_SSIM] = {"ssim", N_("SSIM"), "1", FALSE, LAC_COLUMN_MAIN, LAC_RANK_GREATEST},
  [LAC_QUALITY_SSIM_TORCH] = {"ssim_torch", N_("SSIM, edge mirrored"), "1", FALSE},
  [LAC_QUALITY_MS_SSIM] = {"ms_ssim", N_("MS-SSIM"), "1", FALSE},
  [LAC_QUALITY_RMSE] = {"rmse_percent", N_("RMSE"), "%", TRUE},
  [LAC_QUALITY_CORRELATION] = {"correlation", N_("Correlation"), "1", FALSE},
  [LAC_QUALITY_RESOLUTION] = {"frc_resolution_pixels", N_("FRC resolution"), "px", FALSE},
  [LAC_QUALITY_METRES] = {"frc_resolution_metres", N_("Resolution at the object"), "m", FALSE},
  [LAC_QUALITY_ARCSECONDS] = {"frc_resolution_arcseconds", N_("Resolution in the sky"), "″", FALSE},
};
static const struct {
  const char *name, *label;
} references[LAC_N_REFERENCES] = {
  [LAC_REFERENCE_SINGLE] = {"single_aperture", N_("Single aperture")},
  [LAC_REFERENCE_BAND] = {"band_limited", N_("Band-limited truth")},
};
static const struct {
  const char *key, *label;
} coverages[LAC_N_COVERAGES] = {
  [LAC_COVERAGE_ROI] = {"coverage_percent", N_("Coverage")},
  [LAC_COVERAGE_OVERLAP] = {"overlap_percent", N_("Median overlap")},
  [LAC_COVERAGE_LEAST] = {"least_overlap_percent", N_("Minimum overlap")},
};
/* clang-format on */

static const char *
intern(const char *first, const char *second)
{
  g_autofree char *text = g_strdup_printf("%s.%s", first, second);

  return g_intern_string(text);
}

/* ---- metrics ---- */

static gsize
add_metric(GArray *metrics, const LacMetric *metric)
{
  g_array_append_val(metrics, *metric);
  return metrics->len - 1;
}

static void
no_numbers(LacImagingPlace *place)
{
  place->error = place->misfit = place->displacement = place->shift = place->reading = G_MAXSIZE;
  for (guint q = 0; q < LAC_N_QUALITIES; q++)
    place->quality[q] = G_MAXSIZE;
  place->n_curves = 0;
}

/* @reading: (nullable) */
static void
add_reading(GArray                 *metrics,
            const char             *name,
            gboolean                is_comparison,
            const LacObjectReading *reading,
            LacImagingPlace        *place)
{
  if (!reading)
    return;
  const LacMetric metric = {
    .key = intern(name, reading->key),
    .label = reading->label,
    .unit = reading->unit,
    .is_result = TRUE,
    .placing = {LAC_COLUMN_MAIN, .is_comparison = is_comparison},
  };

  place->reading = add_metric(metrics, &metric);
}

/* Returns: (nullable): the spatial frequency that the object measures, if the object is drawn. */
static const LacObjectReading *
find_reading(const LacImaging *laboratory, const LacImagingParams *common)
{
  const gboolean is_drawn = lac_imaging_has_truth(common) && !common->object;

  return is_drawn ? laboratory->scene->reading : NULL;
}

/* @scale: determines which metrics have a physical length */
static void
add_qualities(GArray                *metrics,
              const char            *name,
              gboolean               is_comparison,
              const LacImagingScale *scale,
              LacImagingPlace       *place)
{
  for (guint q = 0; q < LAC_N_QUALITIES; q++) {
    const LacMetric metric = {
      .key = intern(name, qualities[q].key),
      .label = qualities[q].label,
      .unit = qualities[q].unit,
      .log_axis = qualities[q].log_axis,
      .is_result = TRUE,
      .placing = {qualities[q].column, qualities[q].rank, .is_comparison = is_comparison},
    };

    if ((q == LAC_QUALITY_METRES && scale->pixel == 0) ||
        (q == LAC_QUALITY_ARCSECONDS && (scale->pixel == 0 || scale->distance == 0)))
      continue;
    place->quality[q] = add_metric(metrics, &metric);
  }
}

/* Returns the simulated instrument's true Zernike coefficient; NaN for other curves. */
static double
find_reference(const LacImagingParams *common, const LacCurve *curve)
{
  const LacFaults faults = lac_imaging_faults(common, 0);
  guint64         term;

  if (common->measurements || !g_str_has_prefix(curve->key, "aberration_"))
    return curve->reference;
  term = g_ascii_strtoull(curve->key + strlen("aberration_"), NULL, 10) - LAC_ZERNIKE_DEFOCUS;
  return term < LAC_FAULTS_N_ABERRATIONS ? faults.aberrations[term] : 0;
}

/* Returns TRUE when the misfit can be compared with the noise. */
static gboolean
has_noise(const LacImagingParams *common)
{
  return !common->measurements && (common->snr > 0 || common->read_noise > 0);
}

static LacMetricPlacing
place_curve(const LacCurve *curve, const LacImagingParams *common)
{
  if (g_str_equal(curve->key, NOISE_CURVE) && has_noise(common))
    return (LacMetricPlacing){LAC_COLUMN_MAIN, .heading = N_("Residual χ²")};
  return curve->placing;
}

static void
add_curves(GArray           *metrics,
           const LacImaging *laboratory,
           guint             solver,
           gconstpointer     params,
           LacImagingPlace  *place)
{
  const LacImagingMethod *method = lac_imaging_solver(laboratory, solver);
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  LacCurve                curves[LAC_SCHEDULER_MAX_CURVES];

  place->curves = metrics->len;
  place->n_curves = method->curves(lac_imaging_solver_params(laboratory, solver, params),
                                   lac_imaging_get_method(laboratory, params), curves);
  for (gsize i = 0; i < place->n_curves; i++) {
    LacCurve *curve = &curves[i];

    curve->reference = find_reference(common, curve);
    curve->placing = place_curve(curve, common);
    curve->is_result =
      curve->is_result && (has_noise(common) || !g_str_equal(curve->key, NOISE_CURVE));
  }
  lac_method_table_add_curves(metrics, method->name, curves, place->n_curves);
}

static void
add_solver(GArray                *metrics,
           const LacImaging      *laboratory,
           guint                  solver,
           gconstpointer          params,
           const LacImagingScale *scale,
           LacImagingPlace       *place)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const gboolean          has_truth = lac_imaging_has_truth(common);
  const LacImagingMethod *method = lac_imaging_solver(laboratory, solver);
  const LacMetric         error = {
            .key = intern(method->name, "error"),
            .label = method->title,
            .unit = "1",
            .log_axis = TRUE,
            .placing = {LAC_COLUMN_NOW, has_truth ? LAC_RANK_LEAST : LAC_RANK_NONE, TRUE,
                        .heading = has_truth ? N_("Error") : N_("Residual")},
  };
  const LacMetric misfit = {
    .key = intern(method->name, "left_over"),
    .label = N_("Relative residual"),
    .unit = "1",
    .log_axis = TRUE,
    .is_result = !has_truth,
    .placing = {has_truth && !has_noise(common) ? LAC_COLUMN_MAIN : LAC_COLUMN_FURTHER,
                .is_fraction = TRUE, .heading = N_("Residual")},
  };

  const LacMetric displacement = {
    .key = intern(method->name, "displacement"),
    .label = N_("Position error"),
    .unit = "px",
    .log_axis = TRUE,
    .is_result = TRUE,
  };
  const LacMetric shift = {
    .key = intern(method->name, "shift"),
    .label = N_("Shift removed before evaluation"),
    .unit = "px",
    .is_result = TRUE,
  };

  no_numbers(place);
  place->error = add_metric(metrics, &error);
  if (has_truth)
    add_qualities(metrics, method->name, FALSE, scale, place);
  add_reading(metrics, method->name, FALSE, find_reading(laboratory, common), place);
  place->misfit = add_metric(metrics, &misfit);
  if (common->displacement > 0 && !common->measurements && method->positions)
    place->displacement = add_metric(metrics, &displacement);
  if (has_truth && common->align != LAC_ALIGNED_NOT)
    place->shift = add_metric(metrics, &shift);
  add_curves(metrics, laboratory, solver, params, place);
}

/* Adds the two headline metrics of the run, which come first. */
static void
add_main(GArray *metrics, gboolean has_truth, LacImagingPlaces *places)
{
  static const LacQuality mains[] = {LAC_QUALITY_PSNR, LAC_QUALITY_SSIM};
  const LacMetric         misfit = {
            .key = "left_over",
            .label = N_("Relative residual"),
            .unit = "1",
            .log_axis = TRUE,
            .is_result = TRUE,
            .placing = {.is_fraction = TRUE},
  };

  places->key = 0;
  places->second = has_truth ? 1 : G_MAXSIZE;
  if (!has_truth)
    add_metric(metrics, &misfit);
  for (gsize i = 0; has_truth && i < G_N_ELEMENTS(mains); i++) {
    const LacMetric metric = {
      .key = qualities[mains[i]].key,
      .label = qualities[mains[i]].label,
      .unit = qualities[mains[i]].unit,
      .is_result = TRUE,
    };

    add_metric(metrics, &metric);
  }
}

static void
add_coverage(GArray *metrics, LacImagingPlaces *places)
{
  places->coverage = metrics->len;
  for (guint i = 0; i < LAC_N_COVERAGES; i++) {
    const LacMetric metric = {
      .key = coverages[i].key,
      .label = coverages[i].label,
      .unit = "%",
      .is_result = TRUE,
    };

    add_metric(metrics, &metric);
  }
}

static LacImagingPlaces
make_metrics(GArray *metrics, const LacImaging *laboratory, gconstpointer params)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacImagingScale   scale = lac_imaging_find_scale(common);
  const gboolean          has_truth = lac_imaging_has_truth(common);
  LacImagingPlaces        places = {0};

  add_main(metrics, has_truth, &places);
  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++)
    add_solver(metrics, laboratory, (guint) lac_list_get(common->solver, i), params, &scale,
               &places.slots[i]);
  for (guint i = 0; i < LAC_N_REFERENCES; i++) {
    no_numbers(&places.references[i]);
    if (has_truth)
      add_qualities(metrics, references[i].name, TRUE, &scale, &places.references[i]);
    add_reading(metrics, references[i].name, TRUE, find_reading(laboratory, common),
                &places.references[i]);
  }
  add_coverage(metrics, &places);
  places.n_metrics = metrics->len;
  return places;
}

LacImagingPlaces
lac_imaging_find_places(const LacImaging *laboratory, gconstpointer params)
{
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  return make_metrics(metrics, laboratory, params);
}

/* ---- channels ---- */

typedef struct {
  GArray                 *channels;
  const LacImaging       *laboratory;
  gconstpointer           params;
  const LacImagingParams *common;
  gboolean                has_truth;
} Channels;

/* Common properties of the planes of a quantity. */
typedef struct {
  const char *quantity, *unit, *colour_map, *axis_x, *axis_y;
  gboolean    has_markers;
} Kind;

static const Kind amplitudes = {"amplitude", "1", "grey", "x", "y", FALSE};
static const Kind angles = {"phase", "rad", "balance", "x", "y", FALSE};
static const Kind similarities = {"similarity", "1", "grey", "x", "y", FALSE};
static const Kind spectra = {"k_plane", "1", "dusk", "kx", "ky", TRUE};
static const Kind scan = {"coverage", "1", "ember", "kx", "ky", TRUE};
static const Kind detectors = {"detector", "1", "dusk", "x", "y", FALSE};

static void
add_channel(const Channels *to,
            const Kind     *kind,
            const char     *source,
            const char     *label,
            LacRole         role)
{
  const LacChannel channel = {
    .key = source ? intern(kind->quantity, source) : kind->quantity,
    .label = label,
    .unit = kind->unit,
    .quantity = kind->quantity,
    .role = role,
    .colour_map = kind->colour_map,
    .axis_x = kind->axis_x,
    .axis_y = kind->axis_y,
    .axis_unit_x = "px",
    .axis_unit_y = "px",
    .without_markers = !kind->has_markers,
  };

  g_array_append_val(to->channels, channel);
}

static void
add_solvers(const Channels *to, const Kind *kind)
{
  for (guint i = 0; lac_list_get(to->common->solver, i) >= 0; i++) {
    const LacImagingMethod *solver =
      lac_imaging_solver(to->laboratory, (guint) lac_list_get(to->common->solver, i));

    add_channel(to, kind, solver->name, solver->title,
                i == 0 ? LAC_ROLE_RECONSTRUCTION : LAC_ROLE_BASELINE);
  }
}

static void
add_channels(const Channels *to)
{
  LacChannel charts[LAC_N_IMAGING_CHARTS];
  gsize      n_charts;

  if (to->has_truth)
    add_channel(to, &amplitudes, "truth", N_("Truth"), LAC_ROLE_TRUTH);
  add_solvers(to, &amplitudes);
  add_channel(to, &amplitudes, references[LAC_REFERENCE_SINGLE].name,
              references[LAC_REFERENCE_SINGLE].label, LAC_ROLE_BASELINE);
  if (to->has_truth)
    add_channel(to, &amplitudes, references[LAC_REFERENCE_BAND].name,
                references[LAC_REFERENCE_BAND].label, LAC_ROLE_BASELINE);
  if (lac_imaging_has_phase(to->common)) {
    if (to->has_truth)
      add_channel(to, &angles, "truth", N_("Truth"), LAC_ROLE_TRUTH);
    add_solvers(to, &angles);
  }
  if (to->has_truth && to->common->ssim_map)
    add_solvers(to, &similarities);
  if (to->has_truth)
    add_channel(to, &spectra, "truth", N_("Truth"), LAC_ROLE_TRUTH);
  add_solvers(to, &spectra);
  add_channel(to, &scan, NULL, N_("Number of apertures covering it"), LAC_ROLE_RECONSTRUCTION);
  add_channel(to, &detectors, "measured", N_("Measured quantities"), LAC_ROLE_TRUTH);
  add_solvers(to, &detectors);
  n_charts = lac_imaging_outline_charts(to->laboratory, to->params, charts);
  g_array_append_vals(to->channels, charts, (guint) n_charts);
}

void
lac_imaging_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  GArray                 *channels = g_array_new(FALSE, FALSE, sizeof(LacChannel));
  GArray                 *metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));
  const Channels to = {channels, laboratory, params, common, lac_imaging_has_truth(common)};

  add_channels(&to);
  make_metrics(metrics, laboratory, params);
  outline->n_channels = channels->len;
  outline->channels = (LacChannel *) (gpointer) g_array_free(channels, FALSE);
  outline->n_metrics = metrics->len;
  outline->metrics = (LacMetric *) (gpointer) g_array_free(metrics, FALSE);
}
