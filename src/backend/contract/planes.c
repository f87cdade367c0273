/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random planes. */
#include "backend/contract/planes.h"

const LacPlaneLayers *
lac_contract_plane_layers(const LacContract *contract)
{
  g_return_val_if_fail(contract->device.table->planes != NULL, NULL);
  return contract->device.table->planes;
}

LacContractBuffer *
lac_contract_planes_random(LacContract *contract, gsize side, gsize n)
{
  const LacPlaneShape shape = lac_plane_shape(side);
  LacContractBuffer  *buffer = lac_contract_constant_buffer(contract, lac_plane_room(&shape, n), 0);

  for (gsize c = 0; c < n; c++)
    for (gsize i = 0; i < side; i++)
      for (gsize j = 0; j < side; j++)
        buffer->host[shape.lead + c * shape.stride + i * shape.pitch + j] =
          lac_contract_random(contract);
  lac_contract_upload(contract, buffer);
  return buffer;
}

void *
lac_contract_planes_first(const LacContract *contract, const LacContractBuffer *buffer, gsize side)
{
  return (guint8 *) buffer->device + lac_plane_shape(side).lead * lac_type_size(contract->type);
}

double *
lac_contract_planes_pixel(double *planes, gsize side, gsize c, gsize i, gsize j)
{
  const LacPlaneShape shape = lac_plane_shape(side);

  return &planes[shape.lead + c * shape.stride + i * shape.pitch + j];
}
