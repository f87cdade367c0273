/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of jets by Leibniz' rule and their reverse: (a b)_k = sum_j C(k, j) a_j b_(k-j) along each direction,
 * (a b)_L = a b_L + b a_L + 2 sum_d c_d a_d1 b_d1. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"
#include "cuda/together.cuh"

static const unsigned block_size = 256, lanes = 32;

/* C(k, j) for k <= 4 */
__device__ static inline int
binomial(int k, int j)
{
  return j == 0 || j == k ? 1 : j == 1 || j == k - 1 ? k : 6;
}

/* Streams of a factor at one point and column. */
template <typename Real> struct Streams {
  const Real *first;
  size_t      row;

  __device__ Real operator[](unsigned stream) const
  {
    return first[stream * row];
  }
};

/* Returns stream j of a direction, 0 being the value. */
__device__ static inline unsigned
stream_of_order(const LacJet &jet, unsigned direction, int j)
{
  return j ? jet.first[direction] + (unsigned) j - 1 : 0;
}

template <typename Real> struct MulArgs {
  LacJet      jet;
  size_t      n_points, n_columns, a_columns, b_columns;
  const Real *a, *b;
  Real       *y;
};

template <typename Real>
__device__ static inline Streams<Real>
at_point(const Real *first, size_t columns, const LacJet &jet, size_t point, size_t column)
{
  return {first + point * jet.n_streams * columns + (columns == 1 ? 0 : column), columns};
}

template <typename Real>
__global__ static void
mul_kernel(MulArgs<Real> m)
{
  const size_t point = row_of_matrix(), column = column_of_matrix();

  if (point >= m.n_points || column >= m.n_columns)
    return;
  const LacJet       &jet = m.jet;
  const size_t        row = m.n_columns;
  const Streams<Real> a = at_point(m.a, m.a_columns, jet, point, column);
  const Streams<Real> b = at_point(m.b, m.b_columns, jet, point, column);
  Real               *y = m.y + point * jet.n_streams * row + column;

  y[0] = a[0] * b[0];
  for (unsigned d = 0; d < jet.n_directions; d++)
    for (int k = 1; k <= jet.order[d]; k++) {
      Real sum = 0;

      for (int j = 0; j <= k; j++)
        sum += binomial(k, j) * a[stream_of_order(jet, d, j)] * b[stream_of_order(jet, d, k - j)];
      y[stream_of_order(jet, d, k) * row] = sum;
    }
  if (jet.sum) {
    Real sum = a[0] * b[jet.sum] + a[jet.sum] * b[0];

    for (unsigned d = 0; d < jet.n_directions; d++)
      sum += (Real) (2 * jet.weight[d]) * a[jet.first[d]] * b[jet.first[d]];
    y[jet.sum * row] = sum;
  }
}

template <typename Real>
static LacStatus
mul_jet(CudaDevice *device, const LacMulJet *args)
{
  const MulArgs<Real> m = {*args->jet,
                           args->n_points,
                           args->n_columns,
                           args->a_columns,
                           args->b_columns,
                           static_cast<const Real *>(args->a),
                           static_cast<const Real *>(args->b),
                           static_cast<Real *>(args->y)};

  return launch_matrix(mul_kernel<Real>, MatrixSize{m.n_points, m.n_columns, 1}, block_size,
                       device->stream, m);
}

LacStatus
mul_jet_cuda(void *self, const LacMulJet *args)
{
  bool done;

  LAC_TRY(product_together(device_of(self), args, args->a, args->b, args->y, 0, &done));
  if (done)
    return LAC_STATUS_OK;
  return LAC_BY_TYPE(args->type, mul_jet, device_of(self), args);
}

/* ---- reverse ---- */

/* Arguments for the bar of one factor; `other` is the other factor. */
template <typename Real> struct MulReverseArgs {
  LacJet      jet;
  size_t      n_points, n_columns, columns, other_columns;
  const Real *other, *y_bar;
  Real       *bar;
};

/* Contribution of y_bar at one column to the value stream of the bar. */
template <typename Real>
__device__ static inline Real
bar_of_value(const LacJet &jet, const Streams<Real> &y_bar, const Streams<Real> &other)
{
  Real sum = 0;

  for (unsigned s = 0; s < jet.n_streams; s++)
    sum += y_bar[s] * other[s];
  return sum;
}

/* Contribution to stream j of direction d. */
template <typename Real>
__device__ static inline Real
bar_of_order(const LacJet        &jet,
             unsigned             d,
             int                  j,
             const Streams<Real> &y_bar,
             const Streams<Real> &other)
{
  Real sum = 0;

  for (int k = j; k <= jet.order[d]; k++)
    sum +=
      binomial(k, j) * y_bar[stream_of_order(jet, d, k)] * other[stream_of_order(jet, d, k - j)];
  if (j == 1 && jet.sum)
    sum += (Real) (2 * jet.weight[d]) * y_bar[jet.sum] * other[jet.first[d]];
  return sum;
}

/* Calls each(stream, bar) for every stream of the factor's bar; bar(y_bar, other) is the contribution of one column. */
template <typename Real, typename Each>
__device__ static inline void
all_bars(const LacJet &jet, Each each)
{
  typedef const Streams<Real> &In;

  each(0u, [&](In y_bar, In other) { return bar_of_value(jet, y_bar, other); });
  for (unsigned d = 0; d < jet.n_directions; d++)
    for (int j = 1; j <= jet.order[d]; j++)
      each(stream_of_order(jet, d, j),
           [&](In y_bar, In other) { return bar_of_order(jet, d, j, y_bar, other); });
  if (jet.sum)
    each((unsigned) jet.sum, [&](In y_bar, In other) { return y_bar[jet.sum] * other[0]; });
}

template <typename Real>
__global__ static void
mul_reverse_kernel(MulReverseArgs<Real> m)
{
  const LacJet &jet = m.jet;
  const size_t  row = m.n_columns, point = row_of_matrix(), column = column_of_matrix();

  if (point >= m.n_points || column >= row)
    return;
  const Streams<Real> y_bar = at_point(m.y_bar, row, jet, point, column);
  const Streams<Real> other = at_point(m.other, m.other_columns, jet, point, column);
  Real               *first = m.bar + point * jet.n_streams * row + column;

  all_bars<Real>(jet, [&](unsigned stream, auto bar) { first[stream * row] += bar(y_bar, other); });
}

/* A factor of one column was broadcast over all columns: one warp per point, whose lanes share the columns. */
template <typename Real>
__global__ static void
mul_reverse_broadcast_kernel(MulReverseArgs<Real> m)
{
  const size_t   i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t   point = i / lanes;
  const unsigned lane = threadIdx.x % lanes;

  if (point >= m.n_points)
    return; /* uniform over the warp */
  const LacJet &jet = m.jet;

  all_bars<Real>(jet, [&](unsigned stream, auto bar) {
    Real sum = 0;

    for (size_t column = lane; column < m.n_columns; column += lanes)
      sum += bar(at_point(m.y_bar, m.n_columns, jet, point, column),
                 at_point(m.other, m.other_columns, jet, point, column));
    for (unsigned reach = lanes / 2; reach > 0; reach /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, reach);
    if (lane == 0)
      m.bar[point * jet.n_streams + stream] += sum;
  });
}

template <typename Real>
static LacStatus
mul_jet_reverse(CudaDevice *device, const MulReverseArgs<Real> &m)
{
  if (m.columns < m.n_columns)
    return launch_each(mul_reverse_broadcast_kernel<Real>, m.n_points * lanes, block_size,
                       device->stream, m);
  return launch_matrix(mul_reverse_kernel<Real>, MatrixSize{m.n_points, m.n_columns, 1}, block_size,
                       device->stream, m);
}

/* Processes one factor after the other: they may be the same. */
template <typename Real>
static LacStatus
mul_both_reverse(CudaDevice *device, const LacMulJet *args)
{
  MulReverseArgs<Real> m = {*args->jet,
                            args->n_points,
                            args->n_columns,
                            args->a_columns,
                            args->b_columns,
                            static_cast<const Real *>(args->b),
                            static_cast<const Real *>(args->y_bar),
                            static_cast<Real *>(args->a_bar)};

  if (m.bar)
    LAC_TRY(mul_jet_reverse(device, m));
  m.columns = args->b_columns;
  m.other_columns = args->a_columns;
  m.other = static_cast<const Real *>(args->a);
  m.bar = static_cast<Real *>(args->b_bar);
  return m.bar ? mul_jet_reverse(device, m) : LAC_STATUS_OK;
}

LacStatus
mul_jet_reverse_cuda(void *self, const LacMulJet *args)
{
  LacMulJet rest = *args;
  bool      done;

  if (rest.a_bar) {
    LAC_TRY(product_together(device_of(self), args, args->y_bar, args->b, args->a_bar, 1, &done));
    rest.a_bar = done ? NULL : rest.a_bar;
  }
  if (rest.b_bar && !rest.a_bar) {
    LAC_TRY(product_together(device_of(self), args, args->y_bar, args->a, args->b_bar, 1, &done));
    rest.b_bar = done ? NULL : rest.b_bar;
  }
  return LAC_BY_TYPE(args->type, mul_both_reverse, device_of(self), &rest);
}
