/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality of a sensor layout, and its gain over random layouts: the reduction of the error of the truth as gappy POD
 * reconstructs it. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/cache.h"
#include "experiment/flow/sensors/positions.h"
#include "experiment/flow/sensors/synthetic.h"
#include "experiment/param-rows.h"
#include "experiment/set-up-part.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_DRAWS      32
#define MOST_TO_DRAW 64 /* stations; more would take too long in the set-up */
#define MOST_TIMES   32 /* that are reconstructed, evenly spaced */
enum { STREAM_DRAWS = 7, STREAM_NOISE = 8 };

/* Fills one stencil per measured field and position. Returns: their number; 0 with an error. */
static gsize
fill_stencils(const LacLaboratoryState *state,
              const double (*places)[2],
              gsize       n,
              LacStencil *stencils,
              double     *noises,
              GError    **error)
{
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);
  gsize                  next = 0;

  for (guint i = 0; lac_list_get(common->measured, i) >= 0; i++) {
    const guint  f = (guint) lac_list_get(common->measured, i);
    const double rms = lac_synthetic_rms(state->truth, state->mean, f);

    for (gsize k = 0; k < n; k++) {
      LacSensor sensor = {.x = places[k][0], .y = places[k][1], .field = f};

      if (!lac_positions_stencil(state->truth, &sensor, error))
        return 0;
      memcpy(stencils[next].rows, sensor.rows, sizeof sensor.rows);
      memcpy(stencils[next].weights, sensor.weights, sizeof sensor.weights);
      noises[next++] = lac_synthetic_sigma(common->noise / 100, rms);
    }
  }
  return next;
}

gboolean
lac_laboratory_evaluate_layout(const LacLaboratoryState *state,
                               const double (*places)[2],
                               gsize             n,
                               LacLayoutQuality *quality,
                               GError          **error)
{
  const gsize            m = n * state->truth->n_fields;
  g_autofree LacStencil *stencils = g_new0(LacStencil, m + 1);
  g_autofree double     *noises = g_new0(double, m + 1);
  LacGappySettings       settings = {.pod = state->pod, .stencils = stencils, .noises = noises};

  if (!state->pod)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "evaluating a layout needs training snapshots; set some in the scene");
  else if (n == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "there is no sensor; add at least one");
  if (!state->pod || n == 0)
    return FALSE;
  settings.n_values = fill_stencils(state, places, n, stencils, noises, error);
  return settings.n_values > 0 && lac_gappy_evaluate(&settings, quality, error);
}

/* @cells: [n_cells], shuffled */
static void
place_first(const LacTruth *truth, const gsize *cells, gsize n, double (*places)[2])
{
  for (gsize k = 0; k < n; k++) {
    places[k][0] = lac_truth_get_x(truth, cells[k] % truth->nx);
    places[k][1] = lac_truth_get_y(truth, cells[k] / truth->nx);
  }
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* ---- reconstruction of the truth by gappy POD ---- */

/* The scored part of the truth, in the modes. */
typedef struct {
  const LacLaboratoryState *state;
  gsize                     n_times;
  gsize                    *times;        /* [n_times] */
  double                   *coefficients; /* [n_times][n_modes] */
  double                    outside; /* squared norm of what is outside the modes, over all times */
} Projection;

static void
projection_clear(Projection *projection)
{
  g_free(projection->times);
  g_free(projection->coefficients);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Projection, projection_clear)

/* Appends one time. The modes are orthonormal. */
static void
project(Projection *self, gsize k)
{
  const LacPod *pod = self->state->pod;
  const double *field = lac_truth_at(self->state->truth, k);
  double       *coefficients = self->coefficients + self->n_times * pod->n_modes;

  for (gsize i = 0; i < pod->n; i++)
    self->outside += (field[i] - pod->mean[i]) * (field[i] - pod->mean[i]);
  for (gsize j = 0; j < pod->n_modes; j++) {
    const double *mode = pod->modes + j * pod->n;
    double        sum = 0;

    for (gsize i = 0; i < pod->n; i++)
      sum += mode[i] * (field[i] - pod->mean[i]);
    coefficients[j] = sum;
    self->outside -= sum * sum;
  }
  self->times[self->n_times++] = k;
}

static void
project_scored(Projection *self, const LacLaboratoryState *state)
{
  const gsize first = lac_laboratory_first_scored(state), n = state->truth->n_times - first;
  const gsize n_taken = MIN(n, MOST_TIMES);

  self->state = state;
  self->times = g_new(gsize, n_taken);
  self->coefficients = g_new(double, n_taken * state->pod->n_modes + 1);
  for (gsize i = 0; i < n_taken; i++)
    project(self, first + i * n / n_taken);
}

static double
read_stencil(const LacStencil *stencil, const double *field)
{
  double sum = 0;

  for (gsize i = 0; i < LAC_STENCIL_SIZE; i++)
    sum += stencil->weights[i] * field[stencil->rows[i]];
  return sum;
}

/* Returns the RMS error of the reconstruction from sensors at @places, up to a factor common to all layouts; NaN if
 * there is none. Every layout has the same noise. */
static double
measure_layout(const Projection *self, const double (*places)[2], gsize n)
{
  const LacLaboratoryState *state = self->state;
  const LacPod             *pod = state->pod;
  const gsize               m = n * state->truth->n_fields;
  g_autofree LacStencil    *stencils = g_new0(LacStencil, m + 1);
  g_autofree double        *noises = g_new0(double, m + 1), *values = g_new(double, m + 1);
  g_autofree double        *found = g_new(double, pod->n_modes + 1);
  LacGappySettings          settings = {.pod = pod, .stencils = stencils, .noises = noises};
  g_autoptr(LacGappy)       gappy = NULL;
  LacRng                    rng = lac_rng(state->context.seed, STREAM_NOISE);
  double                    sum = self->outside;

  settings.n_values = fill_stencils(state, places, n, stencils, noises, NULL);
  gappy = settings.n_values ? lac_gappy_new_with(&settings, NULL) : NULL;
  if (!gappy)
    return NAN;
  for (gsize t = 0; t < self->n_times; t++) {
    const double *field = lac_truth_at(state->truth, self->times[t]);
    const double *wanted = self->coefficients + t * pod->n_modes;

    for (gsize k = 0; k < settings.n_values; k++)
      values[k] = read_stencil(&stencils[k], field) + noises[k] * lac_rng_normal(&rng);
    lac_gappy_get_coefficients(gappy, values, found);
    for (gsize j = 0; j < pod->n_modes; j++)
      sum += (found[j] - wanted[j]) * (found[j] - wanted[j]);
  }
  return sqrt(sum);
}

/* Returns the cells inside the domain. */
static gsize
list_cells(const LacTruth *truth, gsize *cells)
{
  gsize n = 0;

  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    if (!truth->mask || truth->mask[i])
      cells[n++] = i;
  return n;
}

static double
measure_gain(gpointer user_data)
{
  const Projection      *projection = user_data;
  const LacTruth        *truth = projection->state->truth;
  const LacObservations *observations = projection->state->observations;
  const gsize            n = observations->n_stations;
  g_autofree gsize      *cells = g_new(gsize, truth->nx * truth->ny);
  g_autofree double     *places = g_new(double, 2 * n + 2);
  const gsize            n_cells = list_cells(truth, cells);
  const double own = measure_layout(projection, (const double(*)[2]) observations->stations, n);
  LacRng       rng = lac_rng(projection->state->context.seed, STREAM_DRAWS);
  double       errors[N_DRAWS];

  if (n > n_cells || isnan(own))
    return NAN;
  for (gsize d = 0; d < N_DRAWS; d++) {
    lac_rng_shuffle(&rng, cells, n_cells);
    place_first(truth, cells, n, (double(*)[2]) places);
    errors[d] = measure_layout(projection, (const double(*)[2]) places, n);
    if (isnan(errors[d]))
      return NAN;
  }
  qsort(errors, N_DRAWS, sizeof *errors, compare_numbers);
  return 1 - own / (0.5 * (errors[N_DRAWS / 2 - 1] + errors[N_DRAWS / 2]));
}

double
lac_laboratory_find_gain(const LacLaboratoryState *state)
{
  const LacTruth        *truth = state->truth;
  const LacObservations *observations = state->observations;
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);
  const LacPod          *pod = state->pod;
  g_auto(Projection)     projection = {0};
  const gsize            n = observations->n_stations;

  if (!state->has_truth || !truth->observed || !pod || n == 0 || n > MOST_TO_DRAW)
    return NAN;
  LAC_SET_UP_PART(&state->context, N_("compare with random placement"));
  project_scored(&projection, state);

  const LacCacheInput inputs[] = {
    {&state->context.seed, sizeof state->context.seed},
    {&common->noise, sizeof common->noise},
    {&common->measured, sizeof common->measured},
    {observations->stations, 2 * n * sizeof(double)},
    {pod->modes, pod->n_modes * pod->n * sizeof(double)},
    {pod->deviations, pod->n_modes * sizeof(double)},
    {projection.coefficients, projection.n_times * pod->n_modes * sizeof(double)},
    {&projection.outside, sizeof projection.outside},
  };
  return lac_cached_number(&state->context, "gain over random placement", inputs,
                           G_N_ELEMENTS(inputs), measure_gain, &projection);
}
