/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the layers over planes, and the sums of their parts. */
#include "cuda/planes.cuh"

template <typename Real>
__global__ static void
sum_parts_kernel(PlaneParts args)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x, one = args.n_rows * args.n;
  const Real  *parts = static_cast<const Real *>(args.parts) + blockIdx.y * args.n_parts * one;
  Real        *y = static_cast<Real *>(args.y) + blockIdx.y * args.y_set;
  double       sum = 0;

  if (i >= one)
    return;
  for (size_t p = 0; p < args.n_parts; p++)
    sum += (double) parts[p * one + i];
  y[i / args.n * args.y_row + i % args.n] = (Real) sum;
}

template <typename Real>
static LacStatus
sum_of(CudaDevice *device, const PlaneParts *args)
{
  return launch(sum_parts_kernel<Real>,
                dim3(blocks_for(args->n_rows * args->n, PLANE_THREADS), (unsigned) args->n_sets),
                PLANE_THREADS, 0, device->stream, *args);
}

LacStatus
sum_plane_parts(CudaDevice *device, const PlaneParts *args)
{
  return LAC_BY_TYPE(args->type, sum_of, device, args);
}

static LacPlaneLayers
make_table()
{
  LacPlaneLayers table = {};

#define K(name, Args) table.name = planes_##name##_cuda;
  LAC_PLANE_LAYERS(K)
#undef K
  table.convolve_scratch = planes_convolve_scratch_cuda;
  table.normalise_sums = planes_normalise_sums_cuda;
  table.picture_sums = planes_picture_sums_cuda;
  return table;
}

const LacPlaneLayers *
planes_cuda(void)
{
  static const LacPlaneLayers table = make_table();

  return &table;
}
