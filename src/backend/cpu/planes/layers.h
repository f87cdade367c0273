/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the CPU's plane layers, which are split into items for the pool. */
#pragma once

#include "backend/plane-layers.h"
#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

extern const LacPlaneLayers lac_cpu_plane_layers;

#define K(name, Args) LacStatus lac_cpu_planes_##name(void *self, const Args *args);
LAC_PLANE_LAYERS(K)
#undef K
size_t lac_cpu_planes_convolve_scratch(const LacConvolve *args);
size_t lac_cpu_planes_normalise_sums(const LacNormalise *args);
size_t lac_cpu_planes_picture_sums(const LacPlanePicture *args);

static inline gpointer
lac_number_at(LacType type, gconstpointer numbers, gssize i)
{
  return (guint8 *) numbers + i * (gssize) lac_type_size(type);
}

static inline double
lac_number_get(LacType type, gconstpointer numbers, gsize i)
{
  return type == LAC_F32 ? (double) ((const float *) numbers)[i] : ((const double *) numbers)[i];
}

static inline void
lac_number_put(LacType type, gpointer numbers, gsize i, double value)
{
  if (type == LAC_F32)
    ((float *) numbers)[i] = (float) value;
  else
    ((double *) numbers)[i] = value;
}

G_END_DECLS
