/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions, forward and reverse, as products of small matrices with shifted planes. A transposed convolution with
 * stride 2 is four convolutions of 2 x 2 taps, one for each phase of its output, so that no zeros are multiplied. */
#include "backend/cpu/planes/layers.h"

#define ITEM_PRODUCTS (1 << 20) /* approximate multiplications per item */
#define LEAST_NUMBERS 48        /* minimum elements of a plane per item, if available */
#define ROWS          16   /* channels per item: whole tiles, and whole cache lines of weights */
#define WIDE_CHANNELS 16   /* from here on weight gradients are summed in vectors of channels */
#define DOT_NUMBERS   2048 /* otherwise: elements of a plane summed from zero */

/* Partition of a product over @n_rows channels and whole planes. */
typedef struct {
  gsize n_rows, n, row_block, block, n_row_blocks, n_blocks;
} Shares;

typedef struct {
  const LacConvolve     *args;
  const LacPlaneKernels *kernels;
  LacPlaneShape          planes;
  gsize                  n; /* elements of a plane */
  gsize                  n_taps, n_phases;
  LacPlaneSight          sights[LAC_PLANE_MOST_TAPS];
  Shares                 shares;
} Work;

static Work
work_of(const LacConvolve *args)
{
  Work work = {
    .args = args,
    .kernels = lac_plane_kernels(args->type),
    .planes = lac_plane_shape(args->side),
    .n_taps = lac_plane_taps(args->doubles),
    .n_phases = args->doubles ? 4 : 1,
  };

  work.n = work.planes.side * work.planes.pitch;
  for (gsize k = 0; k < work.n_taps; k++)
    work.sights[k] = lac_plane_sight(args->doubles, k, work.planes.pitch);
  return work;
}

static gpointer
at(const Work *work, gconstpointer numbers, gssize i)
{
  return lac_number_at(work->args->type, numbers, i);
}

/* @depth: products per element */
static Shares
share(gsize n_rows, gsize n, gsize depth)
{
  Shares shares = {.n_rows = n_rows, .n = lac_plane_blocks(n)};

  shares.block = CLAMP(ITEM_PRODUCTS / (MIN(n_rows, ROWS) * depth), LEAST_NUMBERS, shares.n);
  shares.block = MAX(shares.block / LEAST_NUMBERS, 1) * LEAST_NUMBERS;
  shares.row_block = MAX(ITEM_PRODUCTS / (shares.block * depth) / ROWS, 1) * ROWS;
  shares.n_blocks = (shares.n + shares.block - 1) / shares.block;
  shares.n_row_blocks = (n_rows + shares.row_block - 1) / shares.row_block;
  return shares;
}

static gsize
n_items(const Shares *shares)
{
  return shares->n_row_blocks * shares->n_blocks;
}

/* Rows and elements of an item. */
typedef struct {
  gsize row, n_rows, first, n;
} Share;

static Share
share_of(const Shares *shares, gsize item)
{
  const gsize row = item / shares->n_blocks * shares->row_block;
  const gsize first = item % shares->n_blocks * shares->block;

  return (Share){row, MIN(shares->row_block, shares->n_rows - row), first,
                 MIN(shares->block, shares->n - first)};
}

static void
forward_item(gsize item, guint worker, gpointer user_data)
{
  const Work        *work = user_data;
  const LacConvolve *args = work->args;
  const gsize        phase = item / n_items(&work->shares);
  const Share        share = share_of(&work->shares, item % n_items(&work->shares));
  LacPlaneTap        taps[LAC_PLANE_MOST_TAPS];
  LacPlaneProduct    product = {
       .taps = taps,
       .n_rows = share.n_rows,
       .depth = args->n_in,
       .n = share.n,
       .a_row = 1,
       .a_depth = args->n_out,
       .b_stride = work->planes.stride,
       .c_stride = work->planes.stride,
       .c = at(work, args->y,
               (gssize) ((phase * args->n_out + share.row) * work->planes.stride + share.first)),
  };

  for (gsize k = 0; k < work->n_taps; k++)
    if (work->sights[k].phase == phase)
      taps[product.n_taps++] =
        (LacPlaneTap){at(work, args->weights, (gssize) (k * args->n_in * args->n_out + share.row)),
                      at(work, args->x, (gssize) share.first + work->sights[k].shift)};
  work->kernels->product(&product);
}

LacStatus
lac_cpu_planes_convolve(void *self, const LacConvolve *args)
{
  Work work = work_of(args);

  work.shares = share(args->n_out, work.n, args->n_in * work.n_taps / work.n_phases);
  lac_pool_run(args->pool, work.n_phases * n_items(&work.shares), forward_item, &work);
  return LAC_STATUS_OK;
}

static void
image_item(gsize item, guint worker, gpointer user_data)
{
  const Work        *work = user_data;
  const LacConvolve *args = work->args;
  const Share        share = share_of(&work->shares, item);
  LacPlaneTap        taps[LAC_PLANE_MOST_TAPS];
  LacPlaneProduct    product = {
       .taps = taps,
       .n_taps = work->n_taps,
       .n_rows = share.n_rows,
       .depth = args->n_out,
       .n = share.n,
       .a_row = args->n_out,
       .a_depth = 1,
       .b_stride = work->planes.stride,
       .c_stride = work->planes.stride,
       .c = at(work, args->x_bar, (gssize) (share.row * work->planes.stride + share.first)),
  };

  for (gsize k = 0; k < work->n_taps; k++) {
    const gsize plane = work->sights[k].phase * args->n_out * work->planes.stride + share.first;
    taps[k] =
      (LacPlaneTap){at(work, args->weights, (gssize) ((k * args->n_in + share.row) * args->n_out)),
                    at(work, args->y_bar, (gssize) plane - work->sights[k].shift)};
  }
  work->kernels->product(&product);
}

LacStatus
lac_cpu_planes_convolve_reverse_image(void *self, const LacConvolve *args)
{
  Work work = work_of(args);

  work.shares = share(args->n_in, work.n, args->n_out * work.n_taps);
  lac_pool_run(args->pool, n_items(&work.shares), image_item, &work);
  return LAC_STATUS_OK;
}

#define TURNED_NUMBERS 1024 /* elements of a plane that an item transposes */
#define SUMMED_NUMBERS 512  /* elements of a plane summed from zero */

static gboolean
is_by_channels(const LacConvolve *args)
{
  return args->n_out >= WIDE_CHANNELS;
}

/* Layout by channels: the scratch is x transposed, [element][in], then for each phase y_bar transposed,
 * [element][out], including borders. */
static gsize
turned_stride(const Work *work)
{
  return lac_plane_blocks((work->n + 2 * (work->planes.pitch + 1)) * work->args->n_out);
}

static gpointer
turned_bars(const Work *work, gsize phase, gssize number)
{
  const gsize  start = lac_plane_blocks(work->n * work->args->n_in) + phase * turned_stride(work);
  const gssize from = (gssize) (work->planes.pitch + 1) + number;

  return at(work, work->args->scratch, (gssize) start + from * (gssize) work->args->n_out);
}

static gsize
n_turned(const Work *work)
{
  return (work->n + TURNED_NUMBERS - 1) / TURNED_NUMBERS;
}

/* Transposes pieces of the input planes, then of the output bars of each phase. */
static void
turn_item(gsize item, guint worker, gpointer user_data)
{
  const Work        *work = user_data;
  const LacConvolve *args = work->args;
  const gsize        set = item / n_turned(work), first = item % n_turned(work) * TURNED_NUMBERS;
  const gsize        n_channels = set == 0 ? args->n_in : args->n_out, phase = set - 1;
  const gsize        bars = set == 0 ? 0 : phase * args->n_out * work->planes.stride;

  work->kernels->transpose(&(LacPlaneTranspose){
    .x = at(work, set == 0 ? args->x : args->y_bar, (gssize) (bars + first)),
    .y = set == 0 ? at(work, args->scratch, (gssize) (first * n_channels))
                  : turned_bars(work, phase, (gssize) first),
    .x_stride = work->planes.stride,
    .y_stride = n_channels,
    .n_channels = n_channels,
    .n = MIN(TURNED_NUMBERS, work->n - first),
  });
}

/* Weight gradients of some input channels of one tap. */
static void
weights_item(gsize item, guint worker, gpointer user_data)
{
  const Work        *work = user_data;
  const LacConvolve *args = work->args;
  const gsize        tap = item / n_items(&work->shares);
  const Share        share = share_of(&work->shares, item % n_items(&work->shares));
  LacPlaneTap        one;
  LacPlaneProduct    product = {
       .taps = &one,
       .n_taps = 1,
       .n_rows = share.n_rows,
       .n = share.n,
       .a_row = 1,
       .a_depth = args->n_in,
       .b_stride = args->n_out,
       .c_stride = args->n_out,
       .c = at(work, args->weights_bar,
               (gssize) ((tap * args->n_in + share.row) * args->n_out + share.first)),
  };

  for (gsize first = 0; first < work->n; first += SUMMED_NUMBERS) {
    const gssize seen = (gssize) first - work->sights[tap].shift;
    one.a = at(work, args->scratch, (gssize) (first * args->n_in + share.row));
    one.b = at(work, turned_bars(work, work->sights[tap].phase, seen), (gssize) share.first);
    product.depth = MIN(SUMMED_NUMBERS, work->n - first);
    product.add = first > 0;
    work->kernels->product(&product);
  }
}

static void
reverse_weights_by_channels(Work *work)
{
  const LacConvolve *args = work->args;

  work->shares = share(args->n_in, args->n_out, work->n);
  lac_pool_run(args->pool, (1 + work->n_phases) * n_turned(work), turn_item, work);
  lac_pool_run(args->pool, work->n_taps * n_items(&work->shares), weights_item, work);
}

#define DOT_ROWS 4 /* input channels per item */

static gsize
n_row_blocks(const LacConvolve *args)
{
  return (args->n_in + DOT_ROWS - 1) / DOT_ROWS;
}

static gsize
n_chunks(const Work *work)
{
  return (work->n + DOT_NUMBERS - 1) / DOT_NUMBERS;
}

/* Weight gradients of some input channels with every tap of every output channel over one chunk of the planes:
 * [chunk][in][tap][out]. */
static void
dots_item(gsize item, guint worker, gpointer user_data)
{
  const Work        *work = user_data;
  const LacConvolve *args = work->args;
  const gsize        chunk = item / n_row_blocks(args), row = item % n_row_blocks(args) * DOT_ROWS;
  const gsize        first = chunk * DOT_NUMBERS;
  const gsize        n_columns = work->n_taps * args->n_out;
  const void        *columns[LAC_PLANE_MOST_TAPS * WIDE_CHANNELS];

  for (gsize k = 0; k < work->n_taps; k++)
    for (gsize c = 0; c < args->n_out; c++) {
      const gsize plane = (work->sights[k].phase * args->n_out + c) * work->planes.stride;
      columns[k * args->n_out + c] =
        at(work, args->y_bar, (gssize) (plane + first) - work->sights[k].shift);
    }
  work->kernels->dots(&(LacPlaneDots){
    .p = at(work, args->x, (gssize) (row * work->planes.stride + first)),
    .q = columns,
    .p_stride = work->planes.stride,
    .n_rows = MIN(DOT_ROWS, args->n_in - row),
    .n_columns = n_columns,
    .n = MIN(DOT_NUMBERS, lac_plane_blocks(work->n) - first),
    .c = at(work, args->scratch, (gssize) ((chunk * args->n_in + row) * n_columns)),
  });
}

/* Adds the chunks' sums in order. */
static void
add_chunks(const Work *work)
{
  const LacConvolve *args = work->args;
  const gsize        n = args->n_in * work->n_taps * args->n_out;

  for (gsize row = 0; row < args->n_in; row++)
    for (gsize tap = 0; tap < work->n_taps; tap++)
      for (gsize c = 0; c < args->n_out; c++) {
        const gsize from = (row * work->n_taps + tap) * args->n_out + c;
        double      sum = 0;
        for (gsize chunk = 0; chunk < n_chunks(work); chunk++)
          sum += lac_number_get(args->type, args->scratch, chunk * n + from);
        lac_number_put(args->type, args->weights_bar, (tap * args->n_in + row) * args->n_out + c,
                       sum);
      }
}

LacStatus
lac_cpu_planes_convolve_reverse_weights(void *self, const LacConvolve *args)
{
  Work work = work_of(args);

  if (is_by_channels(args)) {
    reverse_weights_by_channels(&work);
    return LAC_STATUS_OK;
  }
  lac_pool_run(args->pool, n_chunks(&work) * n_row_blocks(args), dots_item, &work);
  add_chunks(&work);
  return LAC_STATUS_OK;
}

size_t
lac_cpu_planes_convolve_scratch(const LacConvolve *args)
{
  const Work work = work_of(args);

  if (is_by_channels(args))
    return lac_plane_blocks(work.n * args->n_in) + work.n_phases * turned_stride(&work);
  return n_chunks(&work) * args->n_in * work.n_taps * args->n_out;
}
