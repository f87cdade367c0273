/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element-wise formulas over jets and their reverse, one thread per point and column. */
#include "cuda/device.cuh"
#include "cuda/jet.cuh"
#include "cuda/launch.cuh"

static const unsigned block_size = 256;

template <typename Real, int ORDER>
__global__ static void
map_kernel(MapArgs<Real> a)
{
  const size_t point = row_of_matrix(), column = column_of_matrix();

  if (point >= a.n_points || column >= a.n_columns)
    return;
  const LacJet &jet = a.jet;
  const size_t  row = a.n_columns, at = point * row * jet.n_streams + column;
  Real         *x = a.x + at, *y = a.y + at;
  Real          f[6] = {}, squares = 0, value = x[0];

  if (a.bias) {
    value += a.bias[column];
    x[0] = value;
  }
  derivatives<Real, ORDER>(a.scalar, value, false, f);
  if (jet.sum) {
    for (unsigned k = 0; k < jet.n_directions; k++) {
      const Real x1 = x[jet.first[k] * row];

      squares += (Real) jet.weight[k] * x1 * x1;
    }
    y[jet.sum * row] = second_order(f, squares, x[jet.sum * row]);
  }
  for (unsigned k = 0; k < jet.n_directions; k++)
    forward_direction(jet.order[k], f, x + jet.first[k] * row, row, y + jet.first[k] * row);
  y[0] = f[0];
}

template <typename Real>
static LacStatus
map_jet(CudaDevice *device, const LacMapJet *args, const void *bias)
{
  const MapArgs<Real> a = args_of<Real>(args, bias);

  return launch_matrix(highest_order(args->jet, false) <= 2 ? map_kernel<Real, 2>
                                                            : map_kernel<Real, 4>,
                       MatrixSize{a.n_points, a.n_columns, 1}, block_size, device->stream, a);
}

LacStatus
map_biased_jet(CudaDevice *device, const LacMapJet *args, const void *bias)
{
  return LAC_BY_TYPE(args->type, map_jet, device, args, bias);
}

LacStatus
map_jet_cuda(void *self, const LacMapJet *args)
{
  return map_biased_jet(device_of(self), args, NULL);
}

/* ---- reverse ---- */

template <typename Real, int ORDER>
__global__ static void
map_reverse_kernel(MapArgs<Real> a)
{
  const size_t point = row_of_matrix(), column = column_of_matrix();

  if (point < a.n_points && column < a.n_columns)
    map_reverse_at<Real, ORDER>(a, point, column);
}

template <typename Real>
static LacStatus
map_jet_reverse(CudaDevice *device, const LacMapJet *args)
{
  const MapArgs<Real> a = args_of<Real>(args, NULL);

  return launch_matrix(highest_order(args->jet, true) <= 3 ? map_reverse_kernel<Real, 3>
                                                           : map_reverse_kernel<Real, 5>,
                       MatrixSize{a.n_points, a.n_columns, 1}, block_size, device->stream, a);
}

LAC_ENTRY(map_jet_reverse, LacMapJet, map_jet_reverse)
