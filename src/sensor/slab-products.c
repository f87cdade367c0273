/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device with memory of its own holds a slab, the basis, the images of the slab and the sum; others work on the caller's
 * arrays. */
#include "sensor/slab-products.h"

#include "backend/device-log.h"
#include "base/error.h"

#include <string.h>

enum { TILE = 64 };

struct _LacSlabProducts {
  LacDevice device;
  gboolean  is_own; /* @device is closed at the end */
  gsize     n_snapshots, n_basis, n_sum;
  double   *memory; /* of the device; NULL: it has none of its own */
  double   *slab, *basis, *images, *sum;
  double   *fetched; /* host copy of the images of a slab */
  LacStatus status;  /* first failure */
};

static gboolean
has_memory(const LacSlabProducts *self)
{
  return self->device.table->memory_use != NULL;
}

static void
note(LacSlabProducts *self, LacStatus status)
{
  if (self->status == LAC_STATUS_OK)
    self->status = status;
}

static gboolean
check(const LacSlabProducts *self, GError **error)
{
  if (self->status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "POD modes on %s: %s", self->device.table->name,
              lac_status_text(self->status));
  return FALSE;
}

/* ---- life ---- */

static void
take_memory(LacSlabProducts *self, gsize most_basis, gsize most_points)
{
  const gsize m = self->n_snapshots, n_sum = m * MAX(m, most_basis);
  const gsize n = (m + most_basis) * most_points + most_basis * m + n_sum;
  void       *memory = NULL;

  self->fetched = g_new(double, MAX(most_basis * most_points, 1));
  self->images = self->fetched;
  if (!has_memory(self)) {
    self->sum = g_new(double, n_sum);
    return;
  }
  note(self, self->device.table->alloc(self->device.self, n * sizeof(double), &memory));
  self->memory = self->slab = memory;
  self->images = self->slab + m * most_points;
  self->basis = self->images + most_basis * most_points;
  self->sum = self->basis + most_basis * m;
}

LacSlabProducts *
lac_slab_products_new(const LacDevice *device,
                      gsize            n_snapshots,
                      gsize            most_basis,
                      gsize            most_points,
                      GError         **error)
{
  g_autoptr(LacSlabProducts) self = g_new0(LacSlabProducts, 1);

  self->n_snapshots = n_snapshots;
  self->is_own = device == NULL || device->table == NULL;
  if (!self->is_own)
    self->device = *device;
  else if (!lac_device_open(&self->device, "cpu", error))
    return NULL;
  take_memory(self, most_basis, most_points);
  return check(self, error) ? g_steal_pointer(&self) : NULL;
}

void
lac_slab_products_free(LacSlabProducts *self)
{
  if (!self)
    return;
  if (self->memory)
    self->device.table->release(self->device.self, self->memory);
  else if (self->device.table && !has_memory(self))
    g_free(self->sum);
  g_free(self->fetched);
  if (self->is_own && self->device.table)
    lac_device_close(&self->device);
  g_free(self);
}

gboolean
lac_slab_products_are_concurrent(const LacSlabProducts *products)
{
  return !has_memory(products);
}

/* ---- a pass ---- */

static const double *
send(LacSlabProducts *self, double *to, const double *host, gsize n)
{
  if (!self->memory)
    return host;
  if (self->status == LAC_STATUS_OK)
    note(self, lac_device_upload(self->device, to, host, n * sizeof *host));
  return to;
}

static void
multiply(LacSlabProducts *self, const LacProduct *product)
{
  if (self->status == LAC_STATUS_OK)
    note(self, self->device.table->product(self->device.self, product));
}

void
lac_slab_products_begin(LacSlabProducts *self, const double *basis, gsize n_basis)
{
  const gsize m = self->n_snapshots;

  self->n_basis = n_basis;
  self->n_sum = m * (basis ? n_basis : m);
  if (self->status == LAC_STATUS_OK)
    note(self, self->device.table->fill(self->device.self, LAC_F64, self->sum, 0, self->n_sum));
  if (basis)
    self->basis = (double *) send(self, self->basis, basis, n_basis * m);
}

void
lac_slab_products_add_gram(LacSlabProducts *self, const double *slab, gsize n_points)
{
  const gsize   m = self->n_snapshots;
  const double *x = send(self, self->slab, slab, m * n_points);

  for (gsize row = 0; row < m; row += TILE)
    multiply(self, &(LacProduct){.transpose_b = TRUE,
                                 .m = MIN(TILE, m - row),
                                 .n = MIN(row + TILE, m),
                                 .k = n_points,
                                 .alpha = 1,
                                 .beta = 1,
                                 .a = x + row * n_points,
                                 .a_row = n_points,
                                 .b = x,
                                 .b_row = n_points,
                                 .y = self->sum + row * m,
                                 .y_row = m});
}

static void
fetch_images(LacSlabProducts *self, gsize n_points, double *images, gsize row)
{
  if (self->status == LAC_STATUS_OK)
    note(self, lac_device_download(self->device, self->fetched, self->images,
                                   self->n_basis * n_points * sizeof *images));
  for (gsize i = 0; i < self->n_basis && self->status == LAC_STATUS_OK; i++)
    memcpy(images + i * row, self->fetched + i * n_points, n_points * sizeof *images);
}

void
lac_slab_products_add_power(LacSlabProducts *self,
                            const double    *slab,
                            gsize            n_points,
                            double          *images,
                            gsize            row)
{
  const gsize      m = self->n_snapshots, l = self->n_basis;
  const gboolean   is_direct = images && !self->memory;
  const double    *x = send(self, self->slab, slab, m * n_points);
  double          *y = is_direct ? images : self->images;
  const gsize      y_row = is_direct ? row : n_points;
  const LacProduct image = {.m = l,
                            .n = n_points,
                            .k = m,
                            .alpha = 1,
                            .a = self->basis,
                            .a_row = m,
                            .b = x,
                            .b_row = n_points,
                            .y = y,
                            .y_row = y_row};
  const LacProduct power = {.transpose_b = TRUE,
                            .m = m,
                            .n = l,
                            .k = n_points,
                            .alpha = 1,
                            .beta = 1,
                            .a = x,
                            .a_row = n_points,
                            .b = y,
                            .b_row = y_row,
                            .y = self->sum,
                            .y_row = l};

  multiply(self, &image);
  multiply(self, &power);
  if (images && self->memory)
    fetch_images(self, n_points, images, row);
}

gboolean
lac_slab_products_end(LacSlabProducts *self, double *sum, GError **error)
{
  if (self->status == LAC_STATUS_OK)
    note(self, lac_device_download(self->device, sum, self->sum, self->n_sum * sizeof *sum));
  return check(self, error);
}
