/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The envelope of a curve in bins that grow wider as it grows longer. */
#include "report/envelope.h"

/* Indices of one bin's extremes. */
typedef struct {
  gsize low, high;
} Bin;

struct _LacEnvelope {
  gsize   most;  /* bins, even */
  gsize   width; /* values of a bin */
  gsize   n;     /* values taken in */
  double  last;  /* of them */
  GArray *bins;  /* of Bin; the last may not be full */
  GArray *indices;
};

LacEnvelope *
lac_envelope_new(gsize most)
{
  g_return_val_if_fail(most >= 8, NULL);
  LacEnvelope *self = g_new0(LacEnvelope, 1);
  self->most = most / 4 * 2;
  self->width = 1;
  self->bins = g_array_new(FALSE, FALSE, sizeof(Bin));
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
join(Bin *bin, const Bin *next, const double *values)
{
  if (values[next->low] < values[bin->low])
    bin->low = next->low;
  if (values[next->high] > values[bin->high])
    bin->high = next->high;
}

/* Two bins become one; there is an even number of them, and all are full. */
static void
widen(LacEnvelope *self, const double *values)
{
  Bin *bins = (Bin *) (gpointer) self->bins->data;
  for (gsize i = 0; i < self->most / 2; i++) {
    bins[i] = bins[2 * i];
    join(&bins[i], &bins[2 * i + 1], values);
  }
  g_array_set_size(self->bins, (guint) (self->most / 2));
  self->width *= 2;
}

static void
take(LacEnvelope *self, const double *values, gsize i)
{
  Bin alone = {i, i};
  if (i < self->bins->len * self->width) {
    join(&g_array_index(self->bins, Bin, self->bins->len - 1), &alone, values);
    return;
  }
  if (self->bins->len == self->most)
    widen(self, values);
  g_array_append_val(self->bins, alone);
}

void
lac_envelope_follow(LacEnvelope *self, const double *values, gsize n)
{
  g_return_if_fail(self != NULL && (values != NULL || n == 0));
  gboolean goes_on = n >= self->n && (self->n == 0 || values[self->n - 1] == self->last);
  if (!goes_on) {
    self->n = 0;
    self->width = 1;
    g_array_set_size(self->bins, 0);
  }
  for (gsize i = self->n; i < n; i++)
    take(self, values, i);
  self->n = n;
  if (n > 0)
    self->last = values[n - 1];
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
    add(self->indices, MIN(bin->low, bin->high));
    add(self->indices, MAX(bin->low, bin->high));
  }
  if (self->n > 0)
    add(self->indices, self->n - 1);
  *n = self->indices->len;
  return (const gsize *) (gpointer) self->indices->data;
}
