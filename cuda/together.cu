/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging of small element-wise kernels of a step: enqueued one by one and launched as one, in which a thread applies
 * all of them to one point, in order, so that each reads its predecessors' results. Operands may overlap only if both
 * divide memory into the same points. */
#include "cuda/launch.cuh"
#include "cuda/together.cuh"

#include <stdlib.h>

static const unsigned block_size = 64; /* small, so that few points occupy many multiprocessors */

enum {
  MOST_KERNELS = 56,
  MOST_NUMBERS = 16
}; /* limits, the latter per point: wider rows have kernels of their own */

/* y = alpha x z + beta y over `n_rows` rows per point and n columns; without z: alpha x, without x: alpha. */
struct SmallKernel {
  void         *y;
  const void   *x, *z;
  const double *scale;
  double        alpha, beta;
  uint16_t      n_rows, n, y_stride, x_stride, z_stride;
};

struct CudaTogether {
  size_t      n_points; /* 0: not merging */
  LacType     type;
  int         n;
  SmallKernel kernel[MOST_KERNELS];
};

struct TogetherArgs {
  size_t      n_points;
  int         n;
  SmallKernel kernel[MOST_KERNELS];
};

template <typename Real>
__global__ static void
together_kernel(TogetherArgs args)
{
  const size_t point = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (point >= args.n_points)
    return;
  for (int i = 0; i < args.n; i++) {
    const SmallKernel &k = args.kernel[i];
    const Real         alpha = (Real) (k.scale ? k.alpha * *k.scale : k.alpha);

    for (unsigned r = 0; r < k.n_rows; r++) {
      const size_t row = point * k.n_rows + r;
      Real        *y = static_cast<Real *>(k.y) + row * k.y_stride;
      const Real  *x = static_cast<const Real *>(k.x) + row * k.x_stride;
      const Real  *z = static_cast<const Real *>(k.z) + row * k.z_stride;

      for (unsigned c = 0; c < k.n; c++) {
        const Real found = !k.x ? alpha : k.z ? alpha * x[c] * z[c] : alpha * x[c];

        y[c] = k.beta == 0 ? found : found + (Real) k.beta * y[c];
      }
    }
  }
}

static LacStatus
run_together(CudaDevice *device)
{
  CudaTogether *all = device->together;
  TogetherArgs  args = {};

  args.n_points = all->n_points;
  args.n = all->n;
  for (int i = 0; i < all->n; i++)
    args.kernel[i] = all->kernel[i];
  all->n = 0;
  return args.n == 0
           ? LAC_STATUS_OK
           : launch(all->type == LAC_F32 ? together_kernel<float> : together_kernel<double>,
                    blocks_for(args.n_points, block_size), block_size, 0, device->stream, args);
}

LacStatus
together_begin_cuda(void *self, size_t n_points)
{
  CudaDevice *device = device_of(self);

  if (!device->together)
    device->together = static_cast<CudaTogether *>(calloc(1, sizeof *device->together));
  if (!device->together)
    return LAC_STATUS_OUT_OF_MEMORY;
  device->together->n_points = n_points;
  device->together->n = 0;
  return LAC_STATUS_OK;
}

LacStatus
together_end_cuda(void *self)
{
  CudaDevice *device = device_of(self);
  LacStatus   status = LAC_STATUS_OK;

  if (device->together && device->together->n_points)
    status = run_together(device);
  if (device->together)
    device->together->n_points = 0;
  return status;
}

/* ---- conditions for merging ---- */

/* Memory of a point's rows: `width` bytes from first + point * step on. */
struct Span {
  intptr_t first, step, width;
};

static Span
span_of(const SmallKernel &k, const void *memory, unsigned stride, LacType type)
{
  const intptr_t size = (intptr_t) lac_type_size(type);

  return {reinterpret_cast<intptr_t>(memory), (intptr_t) k.n_rows * stride * size,
          ((intptr_t) (k.n_rows - 1) * stride + k.n) * size};
}

/* Returns TRUE when no point of one overlaps another point of the other. */
static bool
are_apart(const Span &a, const Span &b, size_t n_points)
{
  const intptr_t last = (intptr_t) n_points - 1, gap = a.first - b.first;

  if (a.first + last * a.step + a.width <= b.first || b.first + last * b.step + b.width <= a.first)
    return true;
  return a.step == b.step && gap + a.width <= a.step && b.width - gap <= a.step;
}

/* Checks the writes of `writer` against all accesses of `other`. */
static bool
may_follow(const SmallKernel &writer, const SmallKernel &other, LacType type, size_t n_points)
{
  const Span y = span_of(writer, writer.y, writer.y_stride, type);

  return are_apart(y, span_of(other, other.y, other.y_stride, type), n_points) &&
         (!other.x || are_apart(y, span_of(other, other.x, other.x_stride, type), n_points)) &&
         (!other.z || are_apart(y, span_of(other, other.z, other.z_stride, type), n_points));
}

static bool
fits(const CudaTogether *all, const SmallKernel &k, LacType type)
{
  bool right = may_follow(k, k, type, all->n_points);

  for (int i = 0; i < all->n && right; i++)
    right = may_follow(k, all->kernel[i], type, all->n_points) &&
            may_follow(all->kernel[i], k, type, all->n_points);
  return right;
}

/* rows: per point, each of n columns; strides in elements. *done: it will be merged. Otherwise the earlier ones have
 * been launched, and it must be launched on its own. */
static LacStatus
add(CudaDevice *device, LacType type, SmallKernel k, size_t rows, const size_t shape[4], bool *done)
{
  CudaTogether *all = device->together;
  size_t        per_point;

  *done = false;
  if (!all || !all->n_points)
    return LAC_STATUS_OK;
  per_point = rows / all->n_points;
  if (rows % all->n_points || per_point * shape[0] > MOST_NUMBERS || per_point * shape[0] == 0 ||
      shape[1] > UINT16_MAX || shape[2] > UINT16_MAX || shape[3] > UINT16_MAX)
    return run_together(device);
  k.n_rows = (uint16_t) per_point;
  k.n = (uint16_t) shape[0];
  k.y_stride = (uint16_t) shape[1];
  k.x_stride = (uint16_t) shape[2];
  k.z_stride = (uint16_t) shape[3];
  if (all->n == MOST_KERNELS || (all->n && all->type != type) || !fits(all, k, type))
    LAC_TRY(run_together(device));
  if (!fits(all, k, type))
    return LAC_STATUS_OK; /* overlaps itself */
  all->type = type;
  all->kernel[all->n++] = k;
  *done = true;
  return LAC_STATUS_OK;
}

/* One long row is divided among the points. */
LacStatus
strided_together(CudaDevice *device, const LacStrided *args, bool *done)
{
  const size_t n_points = device->together ? device->together->n_points : 0;
  SmallKernel  k = {};

  k.y = args->y;
  k.x = args->x;
  k.scale = args->scale;
  k.alpha = args->alpha;
  k.beta = args->beta;
  if (args->n_rows == 1 && n_points && args->n_columns % n_points == 0) {
    const size_t share = args->n_columns / n_points, shape[4] = {share, share, share, 0};

    return add(device, args->type, k, n_points, shape, done);
  }
  const size_t shape[4] = {args->n_columns, args->y_stride, args->x_stride, 0};

  return add(device, args->type, k, args->n_rows, shape, done);
}

LacStatus
fill_together(CudaDevice *device, LacType type, void *y, double value, size_t n, bool *done)
{
  const size_t n_points = device->together ? device->together->n_points : 0;
  SmallKernel  k = {};

  k.y = y;
  k.alpha = value;
  const size_t share = n_points && n % n_points == 0 ? n / n_points : 0;
  const size_t shape[4] = {share, share, 0, 0};

  return add(device, type, k, n_points, shape, done);
}

/* y = a b + beta y; a, b, y: [n_points][n_columns] */
LacStatus
product_together(CudaDevice      *device,
                 const LacMulJet *args,
                 const void      *a,
                 const void      *b,
                 void            *y,
                 double           beta,
                 bool            *done)
{
  const size_t n = args->n_columns;
  SmallKernel  k = {};

  k.y = y;
  k.x = a;
  k.z = b;
  k.alpha = 1;
  k.beta = beta;
  const bool   plain = args->jet->n_streams == 1 && args->a_columns == n && args->b_columns == n;
  const size_t shape[4] = {plain ? n : 0, n, n, n};

  return add(device, args->type, k, args->n_points, shape, done);
}
