/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One product with the matrix of the modes. A device without memory of its own works on the caller's arrays. */
#include "sensor/expansion.h"

#include "backend/device-log.h"
#include "base/error.h"

struct _LacExpansion {
  const LacPod *pod;
  LacDevice     device;
  double *memory; /* of the device: modes, field, coefficients; NULL: it has none of its own */
};

static gboolean
shares_memory(const LacExpansion *self)
{
  return self->device.table->memory_use == NULL;
}

static gboolean
check(LacStatus status, GError **error)
{
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the modes on the device: %s",
              lac_status_text(status));
  return FALSE;
}

LacExpansion *
lac_expansion_new(const LacPod *pod, const LacDevice *device, GError **error)
{
  g_autoptr(LacExpansion) self = g_new0(LacExpansion, 1);
  const gsize             n_modes = pod->n_modes * pod->n;
  gpointer                memory = NULL;
  LacStatus               status;

  self->pod = pod;
  self->device = *device;
  if (shares_memory(self))
    return g_steal_pointer(&self);
  status =
    device->table->alloc(device->self, (n_modes + pod->n + pod->n_modes) * sizeof(double), &memory);
  self->memory = memory;
  if (status == LAC_STATUS_OK)
    status = lac_device_upload(*device, memory, pod->modes, n_modes * sizeof(double));
  return check(status, error) ? g_steal_pointer(&self) : NULL;
}

void
lac_expansion_free(LacExpansion *expansion)
{
  if (!expansion)
    return;
  if (expansion->memory)
    expansion->device.table->release(expansion->device.self, expansion->memory);
  g_free(expansion);
}

static LacStatus
send(const LacExpansion *self, double *to, const double *host, gsize n)
{
  const LacDevice *device = &self->device;

  return self->memory ? lac_device_upload(*device, to, host, n * sizeof *host) : LAC_STATUS_OK;
}

static LacStatus
fetch(const LacExpansion *self, double *host, const double *from, gsize n)
{
  const LacDevice *device = &self->device;

  return self->memory ? lac_device_download(*device, host, from, n * sizeof *host) : LAC_STATUS_OK;
}

/* @sums: adds the sum of modes to @field; otherwise sets @coefficients to the projection. */
static gboolean
multiply(LacExpansion *self, gboolean sums, double *field, double *coefficients, GError **error)
{
  const LacPod *pod = self->pod;
  double       *own = self->memory ? self->memory + pod->n_modes * pod->n : NULL;
  double       *there = own ? own : field, *shares = own ? own + pod->n : coefficients;
  LacMatvec     product = {
        .type = LAC_F64,
        .n_rows = pod->n_modes,
        .n_columns = pod->n,
        .alpha = 1,
        .beta = sums,
        .a = own ? self->memory : pod->modes,
        .x = sums ? shares : there,
        .y = sums ? there : shares,
        .transposed = sums,
  };
  LacStatus status;

  if (pod->n_modes == 0)
    return TRUE;
  status = send(self, there, field, pod->n);
  if (status == LAC_STATUS_OK && sums)
    status = send(self, shares, coefficients, pod->n_modes);
  if (status == LAC_STATUS_OK)
    status = self->device.table->matvec(self->device.self, &product);
  if (status == LAC_STATUS_OK)
    status =
      sums ? fetch(self, field, there, pod->n) : fetch(self, coefficients, shares, pod->n_modes);
  return check(status, error);
}

gboolean
lac_expansion_add(LacExpansion *expansion,
                  const double *coefficients,
                  double       *field,
                  GError      **error)
{
  return multiply(expansion, TRUE, field, (double *) coefficients, error);
}

gboolean
lac_expansion_project(LacExpansion *expansion,
                      const double *field,
                      double       *coefficients,
                      GError      **error)
{
  return multiply(expansion, FALSE, (double *) field, coefficients, error);
}
