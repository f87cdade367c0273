/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random draws of sensor positions among the permitted cells, each run to its end at low priority. */
#include "run/plan/random-band.h"

#include "base/number.h"
#include "base/rng.h"
#include "run/core/inputs.h"
#include "run/plan/planner.h"

#include <math.h>
#include <stdlib.h>

enum { STREAM_BAND = 77 };

/* Cache of results shared by all draws, such as the true field. */
typedef struct {
  GHashTable *table; /* key -> GBytes */
} Notes;

typedef struct {
  const LacRunSettings *settings;
  LacDraft             *draft; /* with gappy POD as the only method */
  LacContext            context;
  LacMemory             memory;
  Notes                 notes;
  GArray               *cells; /* gsize: cells of the plane where a sensor is permitted */
  const LacPlane       *plane;
  gsize                 n_sensors;
} Band;

static GBytes *
recall(const char *key, gpointer user_data)
{
  const Notes *notes = user_data;
  GBytes      *bytes = g_hash_table_lookup(notes->table, key);

  return bytes ? g_bytes_ref(bytes) : NULL;
}

static void
remember(const char *key, GBytes *bytes, gpointer user_data)
{
  const Notes *notes = user_data;

  g_hash_table_insert(notes->table, g_strdup(key), g_bytes_ref(bytes));
}

static const LacParam *
find(const LacRunSettings *settings, const char *key)
{
  return lac_param_find(&settings->experiment->params, key);
}

gboolean
lac_random_band_is_possible(const LacRunSettings *settings)
{
  const LacParam *methods = find(settings, "engines"), *own = find(settings, "measurements");
  const LacParam *places = find(settings, LAC_PLANNING_ROW);

  return settings->experiment->planning && methods && methods->choices && places &&
         g_strv_contains(methods->choices, "pod") && find(settings, "sensors") &&
         !lac_draft_get_text(settings->draft, places) &&
         !(own && lac_draft_get_file(settings->draft, own));
}

/* "x y; x y" */
static char *
draw_places(const Band *band, LacRng *rng)
{
  const LacPlane   *plane = band->plane;
  g_autofree gsize *drawn = g_new(gsize, band->n_sensors);
  GString          *text = g_string_new(NULL);

  for (gsize k = 0; k < band->n_sensors; k++) {
    const gsize left = band->cells->len - k, pick = k + lac_rng_below(rng, left);
    gsize      *cells = (gsize *) (gpointer) band->cells->data;
    const gsize cell = cells[pick];
    const gsize nx = plane->nx, ny = plane->ny;

    cells[pick] = cells[k];
    cells[k] = drawn[k] = cell;
    g_autofree char *x =
      lac_number_dup_text(plane->x_min + (plane->x_max - plane->x_min) * (double) (cell % nx) /
                                           (double) MAX(nx - 1, 1));
    g_autofree char *y =
      lac_number_dup_text(plane->y_min + (plane->y_max - plane->y_min) * (double) (cell / nx) /
                                           (double) MAX(ny - 1, 1));

    g_string_append_printf(text, "%s%s", k > 0 ? "; " : "", x);
    if (ny > 1)
      g_string_append_printf(text, " %s", y);
  }
  return g_string_free(text, FALSE);
}

/* Returns: FALSE with an error; @value: NaN where the run diverged. */
static gboolean
run_draw(Band *band, double *value, GError **error)
{
  const LacExperiment *experiment = band->settings->experiment;
  gconstpointer        params = lac_draft_get_values(band->draft);
  g_auto(LacOutline)   outline = lac_experiment_outline(experiment, params);
  g_autofree double   *metrics = g_new(double, outline.n_metrics + 1);
  LacStepReport        report = {.metrics = metrics};
  gpointer             state = experiment->create(experiment, params, &band->context, error);
  gboolean             good = state != NULL;

  *value = NAN;
  while (good && report.outcome == LAC_OUTCOME_CONTINUE) {
    for (gsize m = 0; m < outline.n_metrics; m++)
      metrics[m] = NAN;
    good = lac_experiment_step(experiment, state, &report, error);
    if (good && isfinite(metrics[outline.headline]))
      *value = metrics[outline.headline];
  }
  if (report.outcome == LAC_OUTCOME_DIVERGED)
    *value = NAN;
  if (state)
    experiment->destroy(state);
  return good;
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Returns the quantile, interpolated between the two nearest of the sorted values. */
static double
quantile(const double *sorted, guint n, double share)
{
  const double at = share * (double) (n - 1);
  const guint  below = (guint) at;

  return below + 1 < n ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below])
                       : sorted[n - 1];
}

static gboolean
run_draws(Band *band, const LacPlannerWatch *watch, LacRandomBand *result, GError **error)
{
  LacRng rng = lac_rng(band->settings->seed, STREAM_BAND);
  double values[LAC_RANDOM_DRAWS];
  guint  n = 0;

  for (guint i = 0;
       i < LAC_RANDOM_DRAWS && !(watch->cancelled && watch->cancelled(watch->user_data)); i++) {
    g_autofree char *places = draw_places(band, &rng);

    if (!lac_draft_set(band->draft, LAC_PLANNING_ROW, places, error) ||
        !run_draw(band, &values[n], error))
      return FALSE;
    n += isfinite(values[n]);
  }
  *result = (LacRandomBand){NAN, NAN, NAN, n};
  if (n == 0)
    return TRUE;
  qsort(values, n, sizeof *values, compare);
  result->low = quantile(values, n, 0.1);
  result->median = quantile(values, n, 0.5);
  result->high = quantile(values, n, 0.9);
  return TRUE;
}

/* Reads the permitted cells from the planner's backdrop. */
static gboolean
prepare(Band *band, LacPlanner *planner)
{
  const LacDraft *draft = band->settings->draft;

  band->plane = &lac_planner_get_backdrop(planner)->planes[0];
  for (gsize i = 0; i < band->plane->nx * band->plane->ny; i++)
    if (!isnan((double) band->plane->data[i]))
      g_array_append_val(band->cells, i);
  band->n_sensors = (gsize) lac_draft_get_number(draft, find(band->settings, "sensors"));
  return band->n_sensors >= 1 && band->n_sensors <= band->cells->len;
}

gboolean
lac_random_band_measure(const LacRunSettings *settings,
                        gboolean (*cancelled)(gpointer user_data),
                        gpointer       user_data,
                        LacRandomBand *result,
                        GError       **error)
{
  const LacPlannerWatch watch = {cancelled, NULL, user_data};
  Band band = {.settings = settings, .cells = g_array_new(FALSE, FALSE, sizeof(gsize))};
  g_autoptr(LacPlanner) planner = lac_planner_open(settings, &watch, error);
  g_autoptr(LacPool)    pool = lac_pool_new(settings->threads);
  g_autoptr(GHashTable) table =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  g_auto(LacInputs) inputs = {0};
  gboolean          good = planner != NULL;

  *result = (LacRandomBand){NAN, NAN, NAN, 0};
  band.draft = lac_draft_copy(settings->draft);
  band.notes.table = table;
  band.memory = (LacMemory){recall, remember, &band.notes, TRUE};
  band.context = (LacContext){
    .pool = pool,
    .seed = settings->seed,
    .precision = lac_precision_storage(lac_experiment_find_precision(
      settings->experiment, lac_draft_get_values(band.draft), settings->precision)),
    .memory = &band.memory,
  };
  lac_inputs_init(&inputs);
  lac_inputs_borrow(&inputs, &band.context);
  good =
    good && lac_draft_set(band.draft, "engines", "pod", error) &&
    lac_inputs_load(&inputs, band.draft, error) &&
    lac_device_open(&band.context.device, settings->backend ? settings->backend : "auto", error);
  if (good) {
    good = !prepare(&band, planner) || run_draws(&band, &watch, result, error);
    lac_device_close(&band.context.device);
  }
  lac_draft_free(band.draft);
  g_array_unref(band.cells);
  return good;
}
