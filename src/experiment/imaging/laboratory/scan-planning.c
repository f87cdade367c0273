/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of scan patterns before a run: coverage of k-space, and overlap of each aperture with the earlier ones. */
#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef struct {
  LacOpticsSettings settings; /* without scan positions */
  LacScanBox       *scan;     /* of the pattern */
  gsize             n_positions;
  double            extent;
  double complex   *object; /* [s*s] */
  gsize             window;
  LacPool          *pool;
} Plan;

static void
plan_close(gpointer data)
{
  Plan *plan = data;

  g_free(plan->scan);
  g_free(plan->object);
  g_free(plan);
}

/* Sets plan->object to the field that is scanned. */
static gboolean
make_scanned(Plan             *plan,
             const LacImaging *laboratory,
             gconstpointer     params,
             const LacContext *context,
             GError          **error)
{
  const gsize              side = plan->settings.support;
  g_autoptr(LacPropagator) propagator = NULL;

  plan->object = lac_imaging_make_object(laboratory, params, context, side, error);
  if (plan->object == NULL ||
      !lac_imaging_new_propagator(lac_imaging_common(laboratory, params), side, &propagator, error))
    return FALSE;
  if (propagator != NULL)
    lac_propagator_run(propagator, plan->object);
  return TRUE;
}

static gpointer
plan_open(const LacExperiment *self,
          gconstpointer        params,
          const LacContext    *context,
          GError             **error)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  Plan                   *plan;

  if (common->measurements) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the scan positions are fixed by the measurements");
    return NULL;
  }
  plan = g_new0(Plan, 1);
  plan->settings = lac_imaging_optics(common);
  plan->extent = MIN(lac_imaging_extent(common), (double) plan->settings.grid);
  plan->window = lac_imaging_window(common);
  plan->pool = context->pool;
  plan->scan = lac_imaging_new_scan(common, context->seed,
                                    lac_imaging_find_input(context->exposures, "pattern_file"),
                                    &plan->n_positions, error);
  if (plan->scan != NULL && make_scanned(plan, laboratory, params, context, error))
    return plan;
  plan_close(plan);
  return NULL;
}

/* Fills in log10 |O| of the displayed k-space. */
static gboolean
fill_spectrum(const Plan *plan, LacPlane *plane)
{
  const gsize          n = plan->window;
  const LacScanBox     middle = {0};
  LacOpticsSettings    settings = plan->settings;
  double               peak = 0;
  g_autoptr(LacOptics) optics = NULL;

  settings.scan = &middle;
  settings.n_positions = 1;
  settings.margin = n / 2;
  optics = lac_optics_new(&settings, plan->pool, NULL);
  if (!optics)
    return FALSE;
  const LacBand              band = lac_optics_get_band(optics);
  g_autofree double complex *spectrum = g_new0(double complex, band.height *band.width);
  lac_optics_spectrum(optics, plan->object, spectrum);
  for (gsize i = 0; i < band.height * band.width; i++)
    peak = MAX(peak, cabs(spectrum[i]));
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const gint64 row = (gint64) y - (gint64) (n / 2) - band.y;
      const gint64 column = (gint64) x - (gint64) (n / 2) - band.x;
      const double value =
        row >= 0 && column >= 0 && row < (gint64) band.height && column < (gint64) band.width
          ? cabs(spectrum[(gsize) row * band.width + (gsize) column])
          : 0;

      plane->data[(n - 1 - y) * n + x] = (float) MAX(-6, log10(value / peak + 1e-300));
    }
  return TRUE;
}

static LacFrame *
plan_backdrop(gpointer data)
{
  const Plan  *plan = data;
  const gsize  size[1][2] = {{plan->window, plan->window}};
  LacFrame    *frame = lac_frame_new(1, size, plan->n_positions, 0);
  LacPlane    *plane = &frame->planes[0];
  const double half = (double) (plan->window / 2);

  plane->x_min = -half;
  plane->x_max = half - 1;
  plane->y_min = 1 - half;
  plane->y_max = half;
  fill_spectrum(plan, plane);
  lac_plane_measure(plane);
  for (gsize i = 0; i < frame->n_markers; i++)
    frame->markers[i] = (LacMarker){
      .x = (plan->scan[i].x + plan->scan[i].end_x) / 2,
      .y = -(plan->scan[i].y + plan->scan[i].end_y) / 2,
      .kind = g_intern_static_string("aperture"),
    };
  return frame;
}

static gboolean
plan_score(gpointer data,
           const double (*places)[2],
           gsize             n,
           LacLayoutFigures *figures,
           GError          **error)
{
  const Plan            *plan = data;
  LacOpticsSettings      settings = plan->settings;
  g_autofree LacScanBox *scan = g_new(LacScanBox, n + 1);
  LacPatternStatistics   statistics;

  for (gsize i = 0; i < n; i++)
    scan[i] = (LacScanBox){-places[i][1], places[i][0], -places[i][1], places[i][0]};
  settings.scan = scan;
  settings.n_positions = n;
  if (!lac_optics_check(&settings, error))
    return FALSE;
  lac_pattern_evaluate(&settings, plan->extent, NULL, &statistics);
  figures->values[0] = 100 * statistics.covered_extent;
  figures->values[1] = n > 1 ? 100 * statistics.overlap_least : 0;
  return TRUE;
}

const LacPlanning lac_imaging_planning = {
  .title = N_("Scan positions"),
  .figures =
    {
      {N_("Coverage"), N_("Share of the region of interest covered by the apertures"), "%", TRUE},
      {N_("Minimum overlap"),
       N_(
         "Smallest overlap of an aperture with earlier ones; the overlap fixes its relative phase"),
       "%", TRUE},
    },
  .backdrop =
    {
      .key = "spectrum",
      .label = N_("Object spectrum"),
      .unit = "1",
      .quantity = N_("log10 of the spectrum"),
      .role = LAC_ROLE_OTHER,
      .colour_map = "dusk",
      .axis_x = "kx",
      .axis_y = "ky",
      .axis_unit_x = "px",
      .axis_unit_y = "px",
    },
  .chooser = "pattern",
  .open = plan_open,
  .close = plan_close,
  .draw = plan_backdrop,
  .score = plan_score,
};
