/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of an imaging run against its truth: Fourier ring correlation and contrast transfer of methods and
 * references at each frequency, and the contrast of each element of a drawn chart. */
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/metrics/resolution.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Labels of the row behind those of the sources. */
static const char *const threshold_label = N_("Half-bit threshold");
static const char *const truth_label = N_("Truth");

static gsize
count_sources(const LacImagingParams *common)
{
  gsize n = LAC_N_REFERENCES;

  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++)
    n++;
  return n;
}

/* Returns the number of elements of the drawn chart; 0 for any other object, or a single element. */
static gsize
count_elements(const LacImaging *laboratory, gconstpointer params)
{
  const LacImagingParams  *common = lac_imaging_common(laboratory, params);
  const LacObjectElements *elements = laboratory->scene->elements;

  if (!elements || common->object || common->measurements)
    return 0;
  const gsize n = elements->count(params, lac_imaging_optics(common).support);
  return n > 1 ? n : 0;
}

double
lac_imaging_count_chart_bytes(const LacImaging *laboratory, gconstpointer params, gsize side)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const gsize             n_columns = 2 * (side / 2 + 1) + count_elements(laboratory, params);

  return lac_imaging_has_truth(common)
           ? (double) (sizeof(float) * (count_sources(common) + 1) * n_columns)
           : 0;
}

/* @last: label of the row behind those of the sources */
static LacChannel
chart_channel(const LacImaging       *laboratory,
              const LacImagingParams *common,
              const char             *key,
              const char             *label,
              const char             *last)
{
  LacChannel channel = {
    .key = key,
    .label = label,
    .unit = "1",
    .quantity = key,
    .role = LAC_ROLE_RECONSTRUCTION,
    .colour_map = "ember",
    .axis_x = N_("frequency"),
    .axis_y = N_("curve"),
    .axis_unit_x = "1/px",
    .axis_unit_y = "1",
    .without_markers = TRUE,
  };
  LacChart *chart = &channel.chart;

  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++)
    chart->labels[chart->n++] =
      lac_imaging_solver(laboratory, (guint) lac_list_get(common->solver, i))->title;
  chart->labels[chart->n++] = N_("Single aperture");
  chart->labels[chart->n++] = N_("Band-limited truth");
  chart->labels[chart->n++] = last;
  return channel;
}

gsize
lac_imaging_outline_charts(const LacImaging *laboratory,
                           gconstpointer     params,
                           LacChannel        channels[LAC_N_IMAGING_CHARTS])
{
  const LacImagingParams  *common = lac_imaging_common(laboratory, params);
  const LacObjectElements *elements = laboratory->scene->elements;
  gsize                    n = 0;

  G_STATIC_ASSERT(LAC_IMAGING_MAX_SOLVERS + LAC_N_REFERENCES + 1 <= LAC_MOST_CURVES);
  if (!lac_imaging_has_truth(common))
    return 0;
  channels[n++] =
    chart_channel(laboratory, common, "ring_correlation", N_("Ring correlation"), threshold_label);
  channels[n++] =
    chart_channel(laboratory, common, "transfer", N_("Contrast transfer"), truth_label);
  if (count_elements(laboratory, params) > 0) {
    channels[n] = chart_channel(laboratory, common, "elements", elements->label, truth_label);
    channels[n].axis_x = elements->axis;
    channels[n++].axis_unit_x = "1";
  }
  return n;
}

/* ---- of a run ---- */

static void
read_elements(const LacImagingState *state, const double *image, gsize row)
{
  const LacImagingCharts  *charts = &state->charts;
  const LacObjectElements *elements = state->laboratory->scene->elements;
  const gsize              n = state->side * state->side;
  const LacScratchMark     mark = lac_scratch_mark(state->scratch);
  double                  *intensity;

  if (charts->n_elements == 0)
    return;
  intensity = lac_scratch_take(state->scratch, n * sizeof *intensity);
  for (gsize i = 0; i < n; i++)
    intensity[i] = image[i] * image[i];
  elements->read(state->params, intensity, state->side, charts->contrasts);
  for (gsize i = 0; i < charts->n_elements; i++)
    charts->elements[row * charts->n_elements + i] = (float) charts->contrasts[i];
  lac_scratch_release(state->scratch, mark);
}

/* Fills the constant rows: threshold, and the truth against itself. */
void
lac_imaging_prepare_charts(LacImagingState *state)
{
  LacImagingCharts       *charts = &state->charts;
  const LacImagingParams *common = lac_imaging_common(state->laboratory, state->params);

  if (!state->truth)
    return;
  LacRingCorrelation *rings =
    lac_ring_correlation_new(state->modulus, state->modulus, state->side, LAC_TAPER_EDGES);
  charts->rings = rings;
  charts->n_sources = count_sources(common);
  charts->n_rings = rings->n;
  charts->n_elements = count_elements(state->laboratory, state->params);
  charts->correlation = g_new0(float, (charts->n_sources + 1) * charts->n_rings);
  charts->transfer = g_new0(float, (charts->n_sources + 1) * charts->n_rings);
  charts->contrasts = g_new0(double, charts->n_elements);
  charts->elements = g_new0(float, (charts->n_sources + 1) * charts->n_elements);
  for (gsize r = 0; r < charts->n_rings; r++) {
    charts->correlation[charts->n_sources * charts->n_rings + r] = (float) rings->half_bit[r];
    charts->transfer[charts->n_sources * charts->n_rings + r] = 1;
  }
  read_elements(state, state->modulus, charts->n_sources);
}

void
lac_imaging_clear_charts(LacImagingState *state)
{
  lac_ring_correlation_free(state->charts.rings);
  g_free(state->charts.contrasts);
  g_free(state->charts.correlation);
  g_free(state->charts.transfer);
  g_free(state->charts.elements);
}

void
lac_imaging_chart_image(LacImagingState *state, gsize source, const double *image)
{
  LacImagingCharts         *charts = &state->charts;
  const LacRingCorrelation *rings = charts->rings;

  if (source < state->scheduler.n)
    charts->at = state->scheduler.step + 1;
  for (gsize r = 0; r < charts->n_rings; r++) {
    charts->correlation[source * charts->n_rings + r] = (float) rings->correlation[r];
    charts->transfer[source * charts->n_rings + r] = (float) rings->transfer[r];
  }
  read_elements(state, image, source);
}

gsize
lac_imaging_shape_charts(const LacImagingState *state, gsize (*sizes)[2])
{
  const LacImagingCharts *charts = &state->charts;
  const gsize             has_elements = charts->n_elements > 0;

  if (!state->truth)
    return 0;
  for (gsize i = 0; i < 2 + has_elements; i++) {
    sizes[i][0] = i < 2 ? charts->n_rings : charts->n_elements;
    sizes[i][1] = charts->n_sources + 1;
  }
  return 2 + has_elements;
}

static void
fill(LacPlane *plane, const float *values, double first, double last)
{
  plane->x_min = first;
  plane->x_max = last;
  plane->y_min = 0;
  plane->y_max = (double) plane->ny - 1;
  memcpy(plane->data, values, plane->nx * plane->ny * sizeof *values);
}

/* Computes the methods' rows at a step without an evaluation. */
static void
chart_solvers(LacImagingState *state)
{
  for (guint s = 0; s < state->scheduler.n; s++) {
    lac_imaging_take_object(state, s);
    lac_imaging_show(state->problem.is_real, state->object, state->side * state->side,
                     state->image);
    lac_ring_correlation_find(state->charts.rings, state->scratch, state->image, state->modulus,
                              state->side, LAC_TAPER_EDGES);
    lac_imaging_chart_image(state, s, state->image);
  }
}

void
lac_imaging_fill_charts(LacImagingState *state, LacPlane *planes)
{
  const LacImagingCharts *charts = &state->charts;
  gsize                   sizes[LAC_N_IMAGING_CHARTS][2];
  const gsize             n = lac_imaging_shape_charts(state, sizes);

  if (n == 0)
    return;
  if (charts->at != state->scheduler.step + 1)
    chart_solvers(state);
  const double nyquist = (double) (charts->n_rings - 1) / (double) state->side;
  fill(&planes[0], charts->correlation, 0, nyquist);
  fill(&planes[1], charts->transfer, 0, nyquist);
  if (n > 2)
    fill(&planes[2], charts->elements, 1, (double) planes[2].nx);
}
