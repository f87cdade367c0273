/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of rows are read in the order in which the POD needs points: a few rows of every snapshot at a time. */
#define _DEFAULT_SOURCE /* for _SC_PHYS_PAGES */
#include "experiment/flow/truth/series.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

#define SHARE_OF_MEMORY 0.25
#define CHUNK           ((gsize) 8 << 20) /* values read at once when loading into memory */
#define SLAB            1024              /* points whose moments are computed at once */

enum { NO_AXIS = -1 };

#define SPACING \
  1e-4 /* tolerance of axis values relative to the axis' length: files often use single precision */

typedef struct {
  LacGridField     *field; /* owns a reference */
  const LacContext *context;
  guint             t, y, x;
  int               other; /* the axis normal to the plane, or NO_AXIS */
  gsize             plane, nx, ny, n_training;

  gsize   most_rows; /* rows per block */
  gsize   first_row, n_rows;
  double *block;   /* [n_training][n_rows][nx] */
  double *scratch; /* (nullable): the file's axis order, if different */
} Series;

/* ---- axes ---- */

static gboolean
is_called(const LacAxis *axis, const char *name)
{
  return g_ascii_strcasecmp(axis->name, name) == 0;
}

/* Returns the axis of that name, otherwise the last one not taken. */
static guint
find_axis(const LacGridField *field, const char *name, guint taken)
{
  guint last = 0;

  for (guint i = 0; i < field->n_axes; i++) {
    if (taken & 1u << i)
      continue;
    if (is_called(&field->axes[i], name))
      return i;
    last = i;
  }
  return last;
}

static gboolean
find_axes(Series *series, GError **error)
{
  const LacGridField *field = series->field;
  const guint         n = field->n_axes;
  guint               taken;

  series->t = 0;
  while (series->t < n && !is_called(&field->axes[series->t], "t") &&
         !is_called(&field->axes[series->t], "time"))
    series->t++;
  if (series->t == n || n < 3) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the series \"%s\" has %u axes%s; it needs a plane over time: t (or time), y and x, "
      "or t, z, y and x",
      field->name, n, series->t == n ? ", and none is called t or time" : "");
    return FALSE;
  }
  taken = 1u << series->t;
  series->x = find_axis(field, "x", taken);
  taken |= 1u << series->x;
  series->y = find_axis(field, "y", taken);
  taken |= 1u << series->y;
  series->other = n == 4 ? (int) find_axis(field, "z", taken) : NO_AXIS;
  if (series->other != NO_AXIS && series->plane >= field->axes[series->other].n) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "plane = %" G_GSIZE_FORMAT
                " is beyond the series' axis \"%s\", which has %" G_GSIZE_FORMAT " planes",
                series->plane + 1, field->axes[series->other].name, field->axes[series->other].n);
    return FALSE;
  }
  series->nx = field->axes[series->x].n;
  series->ny = field->axes[series->y].n;
  return lac_axis_check_even(&field->axes[series->x], "the series", SPACING, error) &&
         lac_axis_check_even(&field->axes[series->y], "the series", SPACING, error);
}

/* ---- blocks ---- */

static gboolean
is_in_order(const Series *series)
{
  return series->t < series->y && series->y < series->x;
}

/* @scratch: as long as @into; used if the file's axis order differs. @into: [n_times][n_rows][nx] */
static gboolean
fetch(Series      *series,
      const gsize *times, /* [2]: first, count */
      const gsize *rows,  /* [2] */
      double      *scratch,
      double      *into,
      GError     **error)
{
  const guint n_axes = series->field->n_axes;
  gsize start[LAC_FIELD_MAX_AXES] = {0}, count[LAC_FIELD_MAX_AXES], stride[LAC_FIELD_MAX_AXES];

  start[series->t] = times[0];
  count[series->t] = times[1];
  start[series->y] = rows[0];
  count[series->y] = rows[1];
  count[series->x] = series->nx;
  if (series->other != NO_AXIS) {
    start[series->other] = series->plane;
    count[series->other] = 1;
  }
  if (is_in_order(series))
    return lac_field_read(series->field, start, count, into, error);
  if (!lac_field_read(series->field, start, count, scratch, error))
    return FALSE;
  stride[n_axes - 1] = 1;
  for (guint i = n_axes - 1; i-- > 0;)
    stride[i] = stride[i + 1] * count[i + 1];
  for (gsize k = 0; k < times[1]; k++)
    for (gsize j = 0; j < rows[1]; j++)
      for (gsize i = 0; i < series->nx; i++)
        *into++ = scratch[k * stride[series->t] + j * stride[series->y] + i * stride[series->x]];
  return TRUE;
}

/* See LacTrainingFile.read. */
static gboolean
read_points(gsize first, gsize n_points, double *slab, gpointer self, GError **error)
{
  Series *series = self;

  for (gsize done = 0; done < n_points;) {
    const gsize row = (first + done) / series->nx, times[2] = {0, series->n_training};

    if (row < series->first_row || row >= series->first_row + series->n_rows) {
      const gsize rows[2] = {row, MIN(series->most_rows, series->ny - row)};

      if (lac_context_is_cancelled(series->context, error))
        return FALSE;
      series->n_rows = 0;
      if (!fetch(series, times, rows, series->scratch, series->block, error))
        return FALSE;
      series->first_row = row;
      series->n_rows = rows[1];
    }
    const gsize held = series->n_rows * series->nx;
    const gsize at = first + done - series->first_row * series->nx;
    const gsize n = MIN(n_points - done, held - at);
    for (gsize k = 0; k < series->n_training; k++)
      memcpy(slab + k * n_points + done, series->block + k * held + at, n * sizeof *slab);
    done += n;
  }
  return TRUE;
}

static void
free_series(gpointer self)
{
  Series *series = self;

  lac_field_unref(series->field);
  g_free(series->block);
  g_free(series->scratch);
  g_free(series);
}

/* ---- the truth ---- */

double
lac_series_budget(double budget)
{
  return budget > 0
           ? budget
           : SHARE_OF_MEMORY * (double) sysconf(_SC_PHYS_PAGES) * (double) sysconf(_SC_PAGESIZE);
}

/* Loads times from @first on into memory, some at a time. */
static gboolean
load(Series *series, gsize first, gsize n_times, double *into, GError **error)
{
  const gsize        n = series->nx * series->ny, rows[2] = {0, series->ny};
  const gsize        most = CLAMP(CHUNK / n, 1, MAX(n_times, 1));
  g_autofree double *scratch = is_in_order(series) ? NULL : g_new(double, most *n);

  for (gsize k = 0; k < n_times; k += most) {
    const gsize times[2] = {first + k, MIN(most, n_times - k)};

    if (lac_context_is_cancelled(series->context, error) ||
        !fetch(series, times, rows, scratch, into + k * n, error))
      return FALSE;
    if (series->context->progress)
      series->context->progress(0.4 * (double) k / (double) n_times, _("reading snapshots"),
                                series->context->user_data);
  }
  return TRUE;
}

static gboolean
find_moments(LacTruth *truth, GError **error)
{
  LacTrainingFile   *file = truth->file;
  const gsize        n = lac_truth_get_length(truth), m = truth->n_training;
  g_autofree double *slab = g_new(double, m *SLAB);

  for (gsize first = 0; first < n; first += SLAB) {
    const gsize n_points = MIN(SLAB, n - first);

    if (!file->read(first, n_points, slab, file->self, error))
      return FALSE;
    memcpy(file->last + first, slab + (m - 1) * n_points, n_points * sizeof *file->last);
    for (gsize k = 0; k < m; k++)
      for (gsize i = 0; i < n_points; i++)
        file->mean[first + i] += slab[k * n_points + i] / (double) m;
    for (gsize k = 0; k < m; k++)
      for (gsize i = 0; i < n_points; i++) {
        const double part = slab[k * n_points + i] - file->mean[first + i];

        file->variance[first + i] += part * part / (double) m;
      }
  }
  return TRUE;
}

/* Leaves the training snapshots in the file; only one block and its scratch memory are held. */
static gboolean
leave_in_file(LacTruth *truth, Series *series, double budget, GError **error)
{
  const gsize  n = lac_truth_get_length(truth), row = series->nx * series->n_training;
  const double bytes = (double) (row * sizeof(double)) * (is_in_order(series) ? 1 : 2);

  series->most_rows = (gsize) CLAMP(budget / bytes, 1, (double) series->ny);
  series->block = g_new(double, series->most_rows *row);
  if (!is_in_order(series))
    series->scratch = g_new(double, series->most_rows *row);
  truth->file = g_new0(LacTrainingFile, 1);
  *truth->file = (LacTrainingFile){
    .self = series,
    .read = read_points,
    .free = free_series,
    .name = g_strdup_printf("%s, %s, plane %" G_GSIZE_FORMAT ", first %" G_GSIZE_FORMAT,
                            series->field->source, series->field->name, series->plane,
                            series->n_training),
    .mean = g_new0(double, n),
    .variance = g_new0(double, n),
    .last = g_new0(double, n),
  };
  return find_moments(truth, error);
}

static gboolean
check_observed(const LacTruth *truth, GError **error)
{
  const gsize n = lac_truth_get_length(truth);

  for (gsize i = 0; i < truth->n_times * n; i++)
    if (!isfinite(truth->observed[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "the series contains a value that is not finite at t = %g, x = %g, y = %g",
                  truth->times[i / n], lac_truth_get_x(truth, i % n % truth->nx),
                  lac_truth_get_y(truth, i % n / truth->nx));
      return FALSE;
    }
  return TRUE;
}

/* Makes the truth without snapshots. */
static LacTruth *
make_grid(const Series *series, gsize n_held, gsize n_times)
{
  static const char *const fields[] = {"u"};
  const LacAxis           *t = &series->field->axes[series->t];
  LacTruth            *truth = lac_truth_new(1, fields, series->nx, series->ny, n_held, n_times);
  const LacAxis *const axes[2] = {&series->field->axes[series->x], &series->field->axes[series->y]};

  for (guint i = 0; i < 2; i++) {
    truth->lower[i] = axes[i]->values[0];
    truth->upper[i] = axes[i]->values[axes[i]->n - 1];
  }
  truth->n_training = series->n_training;
  truth->training_interval =
    (t->values[series->n_training - 1] - t->values[0]) / (double) (series->n_training - 1);
  memcpy(truth->times, t->values + series->n_training, n_times * sizeof *truth->times);
  return truth;
}

LacTruth *
lac_series_truth_new(const LacSeriesSettings *settings, const LacContext *context, GError **error)
{
  const double        budget = lac_series_budget(settings->budget);
  g_autoptr(LacTruth) truth = NULL;
  Series             *series = g_new0(Series, 1);
  gboolean            is_held, good;

  series->field = lac_field_ref(settings->field);
  series->context = context;
  series->plane = settings->plane;
  if (!find_axes(series, error)) {
    free_series(series);
    return NULL;
  }
  const gsize n_all = series->field->axes[series->t].n;
  if (n_all < 4) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the series has %" G_GSIZE_FORMAT " times; at least 4 are needed", n_all);
    free_series(series);
    return NULL;
  }
  series->n_training =
    (gsize) CLAMP(round(settings->share * (double) n_all), 2, (double) n_all - 1);
  const gsize n_times = MIN(settings->most_observed, n_all - series->n_training);
  is_held =
    (double) (series->nx * series->ny) * (double) series->n_training * sizeof(double) <= budget;
  truth = make_grid(series, is_held ? series->n_training : 0, n_times);
  good = load(series, series->n_training, n_times, truth->observed, error) &&
         check_observed(truth, error);
  if (good && is_held)
    good = load(series, 0, series->n_training, truth->training, error);
  else if (good)
    good = leave_in_file(truth, g_steal_pointer(&series), budget, error);
  if (series)
    free_series(series);
  return good ? g_steal_pointer(&truth) : NULL;
}
