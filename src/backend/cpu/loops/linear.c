/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear layers: the blocked product, and direct loops where a side has at most four columns (the first and last
 * layer of a net), for which blocking is mostly overhead. */
#include "backend/cpu/loops/product.h"

#include <string.h>

#define FEW     4
#define STRIP   256  /* columns of the wide side handled at a time */
#define N_CHUNK 1024 /* rows summed from zero before they are accumulated in a bar */

/* y = x w^T (beta 0) or y += x w^T (beta 1). x: [n, n_in] few, w(o, i) at w[o * w_out + i * w_in]. */
typedef struct {
  size_t      n, n_in, n_out, w_out, w_in;
  Real        beta;
  const Real *x, *w;
  Real       *y;
} Product;

static void
few_in(const Product *p)
{
  Real w[FEW][STRIP];

  for (size_t first = 0; first < p->n_out; first += STRIP) {
    const size_t n_out = LAC_MIN(STRIP, p->n_out - first);
    for (size_t i = 0; i < FEW; i++)
      for (size_t o = 0; o < n_out; o++)
        w[i][o] = i < p->n_in ? p->w[(first + o) * p->w_out + i * p->w_in] : 0;
    for (size_t r = 0; r < p->n; r++) {
      const Real *x = p->x + r * p->n_in;
      Real       *y = p->y + r * p->n_out + first;
      const Real  x0 = x[0], x1 = p->n_in > 1 ? x[1] : 0, x2 = p->n_in > 2 ? x[2] : 0,
                 x3 = p->n_in > 3 ? x[3] : 0;
      if (p->beta > 0)
        LAC_SIMD for (size_t o = 0; o < n_out; o++) y[o] +=
          x0 * w[0][o] + x1 * w[1][o] + x2 * w[2][o] + x3 * w[3][o];
      else
        LAC_SIMD for (size_t o = 0; o < n_out; o++) y[o] =
          x0 * w[0][o] + x1 * w[1][o] + x2 * w[2][o] + x3 * w[3][o];
    }
  }
}

static void
few_out(const Product *p)
{
  Real w[FEW][STRIP];

  if (!(p->beta > 0))
    memset(p->y, 0, p->n * p->n_out * sizeof(Real));
  for (size_t first = 0; first < p->n_in; first += STRIP) {
    const size_t n_in = LAC_MIN(STRIP, p->n_in - first);
    for (size_t o = 0; o < p->n_out; o++)
      for (size_t i = 0; i < n_in; i++)
        w[o][i] = p->w[o * p->w_out + (first + i) * p->w_in];
    for (size_t o = p->n_out; o < FEW; o++)
      memset(w[o], 0, n_in * sizeof(Real));
    for (size_t r = 0; r < p->n; r++) {
      const Real *x = p->x + r * p->n_in + first;
      Real        s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      LAC_SIMD_SUM(s0, s1, s2, s3)
      for (size_t i = 0; i < n_in; i++) {
        s0 += x[i] * w[0][i];
        s1 += x[i] * w[1][i];
        s2 += x[i] * w[2][i];
        s3 += x[i] * w[3][i];
      }
      const Real sums[FEW] = {s0, s1, s2, s3};
      for (size_t o = 0; o < p->n_out; o++)
        p->y[r * p->n_out + o] += sums[o];
    }
  }
}

static void
multiply(const Product *p)
{
  if (p->n_in <= FEW)
    few_in(p);
  else if (p->n_out <= FEW)
    few_out(p);
  else
    LAC_LOOP(gemm)
  (&(Gemm){.m = p->n,
           .n = p->n_out,
           .depth = p->n_in,
           .a = p->x,
           .b = p->w,
           .c = p->y,
           .a_row = p->n_in,
           .a_depth = 1,
           .b_depth = p->w_in,
           .b_column = p->w_out,
           .c_row = p->n_out,
           .add = p->beta > 0});
}

void
LAC_LOOP(linear)(const LacLinear *args)
{
  const Product product = {.n = args->n_points * args->n_streams,
                           .n_in = args->n_in,
                           .n_out = args->n_out,
                           .w_out = args->n_in,
                           .w_in = 1,
                           .x = args->x,
                           .w = args->w,
                           .y = args->y};
  const Real   *bias = args->bias;

  if (product.n == 0)
    return;
  multiply(&product);
  if (!bias)
    return;
  for (size_t p = 0; p < args->n_points; p++) {
    Real *y = product.y + p * args->n_streams * args->n_out;
    LAC_SIMD for (size_t o = 0; o < args->n_out; o++) y[o] += bias[o];
  }
}

/* sum(o, i) = sum_r many(r, o) few(r, i) for a strip of o */
typedef struct {
  size_t      n, n_many, n_few, many_row, few_row;
  const Real *many, *few;
} Outer;

/* Processes rows [first, first + FEW) at once, so that the sums are loaded once for all of them; rows from n on count
 * as zero. */
static void
outer_rows(const Outer *p, size_t first, Real sum[FEW][STRIP])
{
  const Real *many[FEW];
  Real        few[FEW][FEW]; /* [row][column] */

  for (size_t r = 0; r < FEW; r++) {
    const size_t row = LAC_MIN(first + r, p->n - 1);
    many[r] = p->many + row * p->many_row;
    for (size_t i = 0; i < FEW; i++)
      few[r][i] = i < p->n_few && first + r < p->n ? p->few[row * p->few_row + i] : 0;
  }
  LAC_SIMD for (size_t o = 0; o < p->n_many; o++)
  {
    const Real m0 = many[0][o], m1 = many[1][o], m2 = many[2][o], m3 = many[3][o];
    sum[0][o] += few[0][0] * m0 + few[1][0] * m1 + few[2][0] * m2 + few[3][0] * m3;
    sum[1][o] += few[0][1] * m0 + few[1][1] * m1 + few[2][1] * m2 + few[3][1] * m3;
    sum[2][o] += few[0][2] * m0 + few[1][2] * m1 + few[2][2] * m2 + few[3][2] * m3;
    sum[3][o] += few[0][3] * m0 + few[1][3] * m1 + few[2][3] * m2 + few[3][3] * m3;
  }
}

static void
outer_few(const Outer *p, Real sum[FEW][STRIP])
{
  memset(sum, 0, FEW * STRIP * sizeof(Real));
  for (size_t r = 0; r < p->n; r += FEW)
    outer_rows(p, r, sum);
}

/* w_bar += y_bar^T x for one chunk of rows where either side has few columns. The narrower side is `few`. */
static void
few_weights(const LacLinear *args, size_t n, const Real *x, const Real *y_bar)
{
  const int    in_few = args->n_in <= FEW;
  const size_t n_many = in_few ? args->n_out : args->n_in,
               n_few = in_few ? args->n_in : args->n_out;
  const size_t many_step = in_few ? args->n_in : 1, few_step = in_few ? 1 : args->n_in;
  Real        *w_bar = args->w_bar;
  Real         sum[FEW][STRIP];

  for (size_t first = 0; first < n_many; first += STRIP) {
    Outer outer = {n,
                   LAC_MIN(STRIP, n_many - first),
                   n_few,
                   n_many,
                   n_few,
                   (in_few ? y_bar : x) + first,
                   in_few ? x : y_bar};
    outer_few(&outer, sum);
    for (size_t i = 0; i < n_few; i++)
      for (size_t o = 0; o < outer.n_many; o++)
        w_bar[(first + o) * many_step + i * few_step] += sum[i][o];
  }
}

static void
add_weights(const LacLinear *args, size_t first_row, size_t n)
{
  const Real *x = (const Real *) args->x + first_row * args->n_in;
  const Real *y_bar = (const Real *) args->y_bar + first_row * args->n_out;

  if (args->n_in <= FEW || args->n_out <= FEW)
    few_weights(args, n, x, y_bar);
  else
    LAC_LOOP(gemm)
  (&(Gemm){.m = args->n_out,
           .n = args->n_in,
           .depth = n,
           .a = y_bar,
           .b = x,
           .c = args->w_bar,
           .a_row = 1,
           .a_depth = args->n_out,
           .b_depth = args->n_in,
           .b_column = 1,
           .c_row = args->n_in,
           .add = 1});
}

static void
add_bias(const LacLinear *args)
{
  Real *bias_bar = args->bias_bar;
  Real  sum[STRIP];

  for (size_t point = 0; point < args->n_points; point += N_CHUNK)
    for (size_t first = 0; first < args->n_out; first += STRIP) {
      const size_t n_out = LAC_MIN(STRIP, args->n_out - first);
      const size_t last = LAC_MIN(point + N_CHUNK, args->n_points);
      memset(sum, 0, sizeof sum);
      for (size_t p = point; p < last; p++) {
        const Real *y_bar = (const Real *) args->y_bar + p * args->n_streams * args->n_out + first;
        LAC_SIMD for (size_t o = 0; o < n_out; o++) sum[o] += y_bar[o];
      }
      LAC_SIMD for (size_t o = 0; o < n_out; o++) bias_bar[first + o] += sum[o];
    }
}

void
LAC_LOOP(linear_reverse)(const LacLinear *args)
{
  const size_t n = args->n_points * args->n_streams;

  if (n == 0)
    return;
  if (args->x_bar) {
    const Product product = {.n = n,
                             .n_in = args->n_out,
                             .n_out = args->n_in,
                             .w_out = 1,
                             .w_in = args->n_in,
                             .beta = args->x_bar_fresh ? 0 : 1,
                             .x = args->y_bar,
                             .w = args->w,
                             .y = args->x_bar};
    multiply(&product);
  }
  if (args->w_bar)
    for (size_t first = 0; first < n; first += N_CHUNK)
      add_weights(args, first, LAC_MIN(N_CHUNK, n - first));
  if (args->bias_bar)
    add_bias(args);
}
