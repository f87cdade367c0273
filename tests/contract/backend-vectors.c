/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels on plain vectors and matrices against their definition. */
#include "backend-bench.h"

#include <math.h>
#include <string.h>

void
case_fill(Bench *bench)
{
  Buffer *y = bench_random_buffer(bench, 37, 1);
  char   *inside = (char *) y->device + 3 * lac_type_size(bench->type);

  bench_ok(bench->device.table->fill(bench->device.self, bench->type, y->device, 2.5, 37));
  bench_ok(bench->device.table->fill(bench->device.self, bench->type, inside, -1, 2));
  bench_fetch(bench, y);
  for (gsize i = 0; i < y->n; i++)
    g_assert_cmpfloat(y->host[i], ==, i == 3 || i == 4 ? -1 : 2.5);
}

static void
check_strided(Bench *bench,
              gsize  n_rows,
              gsize  n_columns,
              gsize  x_stride,
              gsize  y_stride,
              double beta)
{
  const double       alpha = -0.75;
  Buffer            *x = bench_random_buffer(bench, n_rows * x_stride, 1);
  Buffer            *y = beta == 0 ? bench_constant_buffer(bench, n_rows * y_stride, NAN)
                                   : bench_random_buffer(bench, n_rows * y_stride, 1);
  g_autofree double *before = g_memdup2(y->host, y->n * sizeof(double));
  LacStrided         args = {bench->type, n_rows, n_columns, x_stride, y_stride,
                             alpha,       beta,   x->device, y->device};

  bench_ok(bench->device.table->strided(bench->device.self, &args));
  bench_fetch(bench, y);
  for (gsize i = 0; i < y->n; i++) {
    const gsize row = i / y_stride, column = i % y_stride;
    if (column < n_columns)
      bench_close(bench, y->host[i],
                  alpha * x->host[row * x_stride + column] + (beta == 0 ? 0 : beta * before[i]), 1,
                  4);
    else
      g_assert_cmpint(memcmp(&y->host[i], &before[i], sizeof(double)), ==, 0);
  }
  bench_clear(bench);
}

void
case_strided(Bench *bench)
{
  check_strided(bench, 5, 3, 7, 4, 0);
  check_strided(bench, 5, 3, 7, 4, 0.5);
  check_strided(bench, 9, 1, 5, 2, 0);
  check_strided(bench, 9, 1, 5, 2, -1);
  check_strided(bench, 4, 33, 33, 33, 0);
  check_strided(bench, 4, 33, 33, 33, 1);
}

/* The sum is formed in double: only the inputs carry the roundings of the type. */
void
case_dot(Bench *bench)
{
  for (int form = 0; form < 4; form++) {
    const gsize n = 5000;
    Buffer     *x = bench_random_buffer(bench, n, 1);
    Buffer     *y = form & 1 ? bench_random_buffer(bench, n, 1) : NULL;
    Buffer     *weight = form & 2 ? bench_random_buffer(bench, n, 1) : NULL;
    double      out = NAN, expected = 0;
    LacDot      args = {.type = bench->type, .n = n, .x = x->device, .out = &out};

    args.y = y ? y->device : NULL;
    args.weight = weight ? weight->device : NULL;
    bench_ok(bench->device.table->dot(bench->device.self, &args));
    for (gsize i = 0; i < n; i++)
      expected += (weight ? weight->host[i] : 1) * x->host[i] * (y ? y->host[i] : x->host[i]);
    g_assert_cmpfloat_with_epsilon(out, expected, 1e-10); /* 5000 terms below 1, eps 2e-16 */
    bench_clear(bench);
  }
}

static void
check_matvec(Bench *bench, gsize n_rows, gsize n_columns, double beta)
{
  Buffer   *a = bench_random_buffer(bench, n_rows * n_columns, 1);
  Buffer   *x = bench_random_buffer(bench, n_columns, 1);
  Buffer   *y = bench_constant_buffer(bench, n_rows, beta == 0 ? NAN : 0.5);
  LacMatvec args = {bench->type, n_rows, n_columns, 1.5, beta, a->device, x->device, y->device};

  bench_ok(bench->device.table->matvec(bench->device.self, &args));
  bench_fetch(bench, y);
  for (gsize i = 0; i < n_rows; i++) {
    double sum = 0, size = 1;
    for (gsize j = 0; j < n_columns; j++) {
      sum += a->host[i * n_columns + j] * x->host[j];
      size += fabs(a->host[i * n_columns + j] * x->host[j]);
    }
    bench_close(bench, y->host[i], 1.5 * sum + (beta == 0 ? 0 : beta * 0.5), size, n_columns);
  }
  bench_clear(bench);
}

void
case_matvec(Bench *bench)
{
  check_matvec(bench, 13, 37, 0);
  check_matvec(bench, 13, 37, -2);
  check_matvec(bench, 1, 4, 0);
}

static void
check_rank_update(Bench *bench, int n_terms)
{
  enum { N = 29, FIRST = 4, LAST = 21 };
  LacRankUpdate args = {bench->type, N, FIRST, LAST, 0.5, n_terms, {1, -2, 0.25}, {NULL}, NULL};
  Buffer       *h = bench_random_buffer(bench, N * N, 1), *v[3];
  double        before[N * N];

  for (int k = 0; k < n_terms; k++) {
    v[k] = bench_random_buffer(bench, N, 1);
    args.v[k] = v[k]->device;
  }
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < i; j++)
      h->host[i * N + j] = h->host[j * N + i];
  bench_upload(bench, h);
  memcpy(before, h->host, sizeof before);
  args.h = h->device;
  bench_ok(bench->device.table->rank_update(bench->device.self, &args));
  bench_fetch(bench, h);
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++) {
      double expected = 0.5 * before[i * N + j];
      for (int k = 0; k < n_terms; k++)
        expected += args.c[k] * v[k]->host[i] * v[k]->host[j];
      if (i < FIRST || i >= LAST)
        g_assert_cmpfloat(h->host[i * N + j], ==, before[i * N + j]);
      else
        bench_close(bench, h->host[i * N + j], expected, 4, 4);
      if (i >= FIRST && i < LAST && j >= FIRST && j < LAST)
        g_assert_cmpfloat(h->host[i * N + j], ==, h->host[j * N + i]);
    }
  bench_clear(bench);
}

void
case_rank_update(Bench *bench)
{
  for (int n_terms = 0; n_terms <= 3; n_terms++)
    check_rank_update(bench, n_terms);
}

void
case_adam(Bench *bench)
{
  enum { N = 35 };
  Buffer *gradient = bench_random_buffer(bench, N, 1), *theta = bench_random_buffer(bench, N, 1);
  Buffer *m = bench_random_buffer(bench, N, 1), *v = bench_constant_buffer(bench, N, 0.25);
  double  theta0[N], m0[N];
  LacAdam args = {bench->type,
                  N,
                  1e-2,
                  0.9,
                  0.999,
                  1e-8,
                  1 / (1 - pow(0.9, 3)),
                  1 / (1 - pow(0.999, 3)),
                  gradient->device,
                  m->device,
                  v->device,
                  theta->device};

  memcpy(theta0, theta->host, sizeof theta0);
  memcpy(m0, m->host, sizeof m0);
  bench_ok(bench->device.table->adam(bench->device.self, &args));
  bench_fetch(bench, m);
  bench_fetch(bench, v);
  bench_fetch(bench, theta);
  for (gsize i = 0; i < N; i++) {
    const double g = gradient->host[i];
    const double new_m = 0.9 * m0[i] + 0.1 * g, new_v = 0.999 * 0.25 + 0.001 * g * g;
    const double step = new_m * args.correction1 / (sqrt(new_v * args.correction2) + 1e-8);
    bench_close(bench, m->host[i], new_m, 1, 4);
    bench_close(bench, v->host[i], new_v, 1, 4);
    bench_close(bench, theta->host[i], theta0[i] - 1e-2 * step, 1, 4);
  }
}
