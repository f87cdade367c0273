/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers over planes of the strict backend: their rows are in operands.def, including borders. */
#include "backend/cpu/planes/layers.h"
#include "backend/plane-layers.h"
#include "backend/strict/operands.h"

/* Includes the zeros before and after: a layer that reads planes also reads them. */
static LacStrictRange
planes_of(size_t side, size_t n, size_t word, LacStrictUse use)
{
  const LacPlaneShape shape = lac_plane_shape(side);

  return (LacStrictRange){0, 1, 0, lac_plane_room(&shape, n) * word, word, use};
}

#define PLANES(member, n, use)                                     \
  {.asked = a->member,                                             \
   .real = &real.member,                                           \
   .is_needed = TRUE,                                              \
   .ahead = -(ptrdiff_t) (lac_plane_shape(a->side).lead * NUMBER), \
   .range = planes_of(a->side, n, NUMBER, use)},

/* Elements up to the end of the last row. */
static size_t
n_reached(size_t n, size_t stride, size_t side, size_t pitch)
{
  return n ? (n - 1) * stride + (side - 1) * pitch + side : 0;
}

static size_t
n_channels_reached(const LacNormalise *a)
{
  return n_reached(a->n_phases * a->n, a->stride, a->side, a->pitch);
}

static size_t
n_image_reached(const LacNormalise *a)
{
  return n_reached(a->n, a->image_stride, a->n_phases == 4 ? 2 * a->side : a->side, a->image_pitch);
}

#define KERNEL(name, Args, may_be_in_place, rows) \
  LAC_STRICT_PART(planes, name, Args, may_be_in_place, rows)

#define LAC_STRICT_PLANES
#include "backend/strict/operands.def"

const LacPlaneLayers lac_strict_plane_layers = {
#define K(name, Args) .name = strict_##name,
  LAC_PLANE_LAYERS(K)
#undef K
    .convolve_scratch = lac_cpu_planes_convolve_scratch,
  .normalise_sums = lac_cpu_planes_normalise_sums,
  .picture_sums = lac_cpu_planes_picture_sums,
};
