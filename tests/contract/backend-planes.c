/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes full of random numbers. */
#include "backend-planes.h"

const LacPlaneLayers *
plane_layers_of(const Bench *bench)
{
  g_assert_nonnull(bench->device.table->planes);
  return bench->device.table->planes;
}

Buffer *
planes_random(Bench *bench, gsize side, gsize n)
{
  const LacPlaneShape shape = lac_plane_shape(side);
  Buffer             *buffer = bench_constant_buffer(bench, lac_plane_room(&shape, n), 0);

  for (gsize c = 0; c < n; c++)
    for (gsize i = 0; i < side; i++)
      for (gsize j = 0; j < side; j++)
        buffer->host[shape.lead + c * shape.stride + i * shape.pitch + j] = bench_random(bench);
  bench_upload(bench, buffer);
  return buffer;
}

void *
planes_first(const Bench *bench, const Buffer *buffer, gsize side)
{
  return (guint8 *) buffer->device + lac_plane_shape(side).lead * lac_type_size(bench->type);
}

double *
planes_pixel(double *planes, gsize side, gsize c, gsize i, gsize j)
{
  const LacPlaneShape shape = lac_plane_shape(side);

  return &planes[shape.lead + c * shape.stride + i * shape.pitch + j];
}
