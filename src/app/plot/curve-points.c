/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimation of long curves. */
#include "app/plot/curve-points.h"

#include "report/plot/envelope.h"

#define MOST 8192 /* buckets: at least four per pixel column of a plot 1000 wide */

struct _LacCurvePoints {
  LacEnvelope *of_line, *of_band;
  gboolean     against_seconds;
  GArray      *low, *high; /* of double: bounds of the band at every value */
  GArray      *indices;    /* of gsize: points drawn */
  GArray      *drawn[4];   /* of double: x, y, low, high of the points drawn */
};

static GArray *
new_doubles(void)
{
  return g_array_new(FALSE, FALSE, sizeof(double));
}

LacCurvePoints *
lac_curve_points_new(void)
{
  LacCurvePoints *self = g_new0(LacCurvePoints, 1);
  self->low = new_doubles();
  self->high = new_doubles();
  self->indices = g_array_new(FALSE, FALSE, sizeof(gsize));
  for (gsize i = 0; i < G_N_ELEMENTS(self->drawn); i++)
    self->drawn[i] = new_doubles();
  return self;
}

void
lac_curve_points_free(LacCurvePoints *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->of_line, lac_envelope_free);
  g_clear_pointer(&self->of_band, lac_envelope_free);
  g_array_unref(self->low);
  g_array_unref(self->high);
  g_array_unref(self->indices);
  for (gsize i = 0; i < G_N_ELEMENTS(self->drawn); i++)
    g_array_unref(self->drawn[i]);
  g_free(self);
}

gsize
lac_curve_points_find(const double *x, gsize n, double wanted)
{
  gsize from = 0, to = n; /* x[from - 1] < wanted <= x[to] */
  g_return_val_if_fail(x != NULL && n > 0, 0);
  while (from < to) {
    gsize middle = from + (to - from) / 2;
    if (x[middle] < wanted)
      from = middle + 1;
    else
      to = middle;
  }
  if (from == n || (from > 0 && wanted - x[from - 1] <= x[from] - wanted))
    from--;
  return from;
}

/* Appends the rows recorded since the last call. A step without an error bar gets zero width. */
static void
extend_band(LacCurvePoints *self, const LacSessionSeries *line, const LacSessionSeries *errors)
{
  if (self->low->len > line->n) { /* the curve was replaced */
    g_array_set_size(self->low, 0);
    g_array_set_size(self->high, 0);
  }
  for (gsize i = self->low->len; i < line->n; i++) {
    const gsize  k = lac_curve_points_find(errors->step, errors->n, line->step[i]);
    const double sigma = errors->step[k] == line->step[i] ? errors->values[k] : 0;
    const double low = line->values[i] - sigma, high = line->values[i] + sigma;
    g_array_append_val(self->low, low);
    g_array_append_val(self->high, high);
  }
}

static const double *
get_doubles(const GArray *array)
{
  return (const double *) (gconstpointer) array->data;
}

/* Merges two ascending index lists without duplicates. */
static void
merge(GArray *into, const gsize *a, gsize n_a, const gsize *b, gsize n_b)
{
  g_array_set_size(into, 0);
  for (gsize i = 0, k = 0; i < n_a || k < n_b;) {
    const gsize next = k == n_b ? a[i] : i == n_a ? b[k] : MIN(a[i], b[k]);
    g_array_append_val(into, next);
    i += i < n_a && a[i] == next;
    k += k < n_b && b[k] == next;
  }
}

static const double *
pick(const GArray *indices, const double *values, GArray *picked)
{
  g_array_set_size(picked, indices->len);
  for (guint i = 0; i < indices->len; i++)
    g_array_index(picked, double, i) = values[g_array_index(indices, gsize, i)];
  return get_doubles(picked);
}

LacSeries
lac_curve_points_follow(LacCurvePoints *self,
                        LacSession     *session,
                        gsize           metric,
                        gssize          error,
                        gboolean        against_seconds)
{
  g_return_val_if_fail(self != NULL && LAC_IS_SESSION(session), (LacSeries){0});
  const LacSessionSeries line = lac_session_get_series(session, metric);
  const double          *x = against_seconds ? line.seconds : line.step;
  const gsize           *of_line, *of_band = NULL;
  gsize                  n_line, n_band = 0;
  LacSessionSeries       errors = {0};
  if (error >= 0)
    errors = lac_session_get_series(session, (gsize) error);
  if (self->of_line == NULL || self->against_seconds != against_seconds) {
    g_clear_pointer(&self->of_line, lac_envelope_free);
    g_clear_pointer(&self->of_band, lac_envelope_free);
    self->of_line = lac_envelope_new(MOST);
    self->of_band = lac_envelope_new(MOST);
    self->against_seconds = against_seconds;
  }
  lac_envelope_follow(self->of_line, x, line.values, line.values, line.n);
  of_line = lac_envelope_get_indices(self->of_line, &n_line);
  if (errors.n > 0) {
    extend_band(self, &line, &errors);
    lac_envelope_follow(self->of_band, x, get_doubles(self->low), get_doubles(self->high), line.n);
    of_band = lac_envelope_get_indices(self->of_band, &n_band);
  }
  merge(self->indices, of_line, n_line, of_band, n_band);
  LacSeries series = {.x = pick(self->indices, x, self->drawn[0]),
                      .y = pick(self->indices, line.values, self->drawn[1]),
                      .n = self->indices->len};
  if (errors.n > 0) {
    series.low = pick(self->indices, get_doubles(self->low), self->drawn[2]);
    series.high = pick(self->indices, get_doubles(self->high), self->drawn[3]);
  }
  return series;
}
