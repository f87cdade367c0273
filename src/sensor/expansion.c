/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One product with the matrix of the modes. A device without memory of its own works on the caller's arrays. */
#include "sensor/expansion.h"

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
    status = device->table->upload(device->self, memory, pod->modes, n_modes * sizeof(double));
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

/* The operands of a product, on the device or on the host. */
typedef struct {
  const double *modes;
  double       *field, *coefficients;
} Operands;

static Operands
get_operands(const LacExpansion *self, const double *field, const double *coefficients)
{
  const LacPod *pod = self->pod;
  double       *own = self->memory ? self->memory + pod->n_modes * pod->n : NULL;

  if (own)
    return (Operands){self->memory, own, own + pod->n};
  return (Operands){pod->modes, (double *) field, (double *) coefficients};
}

static LacStatus
send(const LacExpansion *self, double *to, const double *host, gsize n)
{
  const LacDevice *device = &self->device;

  return self->memory ? device->table->upload(device->self, to, host, n * sizeof *host)
                      : LAC_STATUS_OK;
}

static LacStatus
fetch(const LacExpansion *self, double *host, const double *from, gsize n)
{
  const LacDevice *device = &self->device;

  return self->memory ? device->table->download(device->self, host, from, n * sizeof *host)
                      : LAC_STATUS_OK;
}

gboolean
lac_expansion_add(LacExpansion *expansion,
                  const double *coefficients,
                  double       *field,
                  GError      **error)
{
  const LacDevice *device = &expansion->device;
  const LacPod    *pod = expansion->pod;
  const Operands   at = get_operands(expansion, field, coefficients);
  LacStatus        status;

  if (pod->n_modes == 0)
    return TRUE;
  status = send(expansion, at.field, field, pod->n);
  if (status == LAC_STATUS_OK)
    status = send(expansion, at.coefficients, coefficients, pod->n_modes);
  if (status == LAC_STATUS_OK)
    status =
      device->table->matvec(device->self, &(LacMatvec){LAC_F64, pod->n_modes, pod->n, 1, 1,
                                                       at.modes, at.coefficients, at.field, TRUE});
  if (status == LAC_STATUS_OK)
    status = fetch(expansion, field, at.field, pod->n);
  return check(status, error);
}

gboolean
lac_expansion_project(LacExpansion *expansion,
                      const double *field,
                      double       *coefficients,
                      GError      **error)
{
  const LacDevice *device = &expansion->device;
  const LacPod    *pod = expansion->pod;
  const Operands   at = get_operands(expansion, field, coefficients);
  LacStatus        status;

  if (pod->n_modes == 0)
    return TRUE;
  status = send(expansion, at.field, field, pod->n);
  if (status == LAC_STATUS_OK)
    status =
      device->table->matvec(device->self, &(LacMatvec){LAC_F64, pod->n_modes, pod->n, 1, 0,
                                                       at.modes, at.field, at.coefficients, FALSE});
  if (status == LAC_STATUS_OK)
    status = fetch(expansion, coefficients, at.coefficients, pod->n_modes);
  return check(status, error);
}
