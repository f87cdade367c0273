/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Envelope of a curve over x intervals that widen as the curve grows. */
#include "report/plot/envelope.h"

/* Indices of the extremes of one interval. */
typedef struct {
  gsize    low, high;
  gboolean has_any;
} Bin;

struct _LacEnvelope {
  gsize   most;          /* number of bins, even */
  double  origin, width; /* x of the first point, width of a bin; width 0: all x are equal */
  gsize   n;             /* points read */
  double  last_x, last_low, last_high; /* of the points read */
  GArray *bins;                        /* of Bin */
  GArray *indices;
};

/* Arrays that points are read from. */
typedef struct {
  const double *x, *low, *high;
} Curve;

LacEnvelope *
lac_envelope_new(gsize most)
{
  g_return_val_if_fail(most >= 8, NULL);
  LacEnvelope *self = g_new0(LacEnvelope, 1);
  self->most = most / 2 * 2;
  self->bins = g_array_new(FALSE, TRUE, sizeof(Bin));
  self->indices = g_array_new(FALSE, FALSE, sizeof(gsize));
  return self;
}

void
lac_envelope_free(LacEnvelope *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->bins);
  g_array_unref(self->indices);
  g_free(self);
}

static void
join(Bin *bin, const Bin *next, const Curve *curve)
{
  if (!next->has_any)
    return;
  if (!bin->has_any)
    *bin = *next;
  if (curve->low[next->low] < curve->low[bin->low])
    bin->low = next->low;
  if (curve->high[next->high] > curve->high[bin->high])
    bin->high = next->high;
}

/* Merges pairs of bins. */
static void
widen(LacEnvelope *self, const Curve *curve)
{
  guint n = self->bins->len;
  if (n % 2 != 0)
    g_array_set_size(self->bins, ++n); /* empty bin */
  Bin *bins = (Bin *) (gpointer) self->bins->data;
  for (guint i = 0; i < n / 2; i++) {
    Bin both = bins[2 * i];
    join(&both, &bins[2 * i + 1], curve);
    bins[i] = both;
  }
  g_array_set_size(self->bins, n / 2);
  self->width *= 2;
}

/* Returns the bin of a point, appending bins as needed. */
static Bin *
find_bin(LacEnvelope *self, const Curve *curve, double x)
{
  if (self->width == 0 && x > self->origin)
    self->width = (x - self->origin) / (double) (self->most / 2);
  while (self->width > 0 && (x - self->origin) / self->width >= (double) self->most)
    widen(self, curve);
  const guint at =
    self->width > 0 && x > self->origin ? (guint) ((x - self->origin) / self->width) : 0;
  if (at >= self->bins->len)
    g_array_set_size(self->bins, at + 1);
  return &g_array_index(self->bins, Bin, at);
}

static void
begin_anew(LacEnvelope *self)
{
  self->n = 0;
  self->width = 0;
  g_array_set_size(self->bins, 0);
}

void
lac_envelope_follow(LacEnvelope  *self,
                    const double *x,
                    const double *low,
                    const double *high,
                    gsize         n)
{
  const Curve curve = {x, low, high};
  g_return_if_fail(self != NULL && ((x != NULL && low != NULL && high != NULL) || n == 0));
  const gsize last = self->n - 1;
  if (n < self->n || (self->n > 0 && (x[last] != self->last_x || low[last] != self->last_low ||
                                      high[last] != self->last_high)))
    begin_anew(self);
  for (gsize i = self->n; i < n; i++) {
    const Bin alone = {i, i, TRUE};
    if (i == 0)
      self->origin = x[0];
    join(find_bin(self, &curve, x[i]), &alone, &curve);
  }
  self->n = n;
  if (n == 0)
    return;
  self->last_x = x[n - 1];
  self->last_low = low[n - 1];
  self->last_high = high[n - 1];
}

static void
add(GArray *indices, gsize index)
{
  if (indices->len == 0 || g_array_index(indices, gsize, indices->len - 1) < index)
    g_array_append_val(indices, index);
}

const gsize *
lac_envelope_get_indices(LacEnvelope *self, gsize *n)
{
  g_return_val_if_fail(self != NULL && n != NULL, NULL);
  g_array_set_size(self->indices, 0);
  if (self->n > 0)
    add(self->indices, 0);
  for (guint i = 0; i < self->bins->len; i++) {
    const Bin *bin = &g_array_index(self->bins, Bin, i);
    if (!bin->has_any)
      continue;
    add(self->indices, MIN(bin->low, bin->high));
    add(self->indices, MAX(bin->low, bin->high));
  }
  if (self->n > 0)
    add(self->indices, self->n - 1);
  *n = self->indices->len;
  return (const gsize *) (gpointer) self->indices->data;
}
