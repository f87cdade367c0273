/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels on plain vectors and matrices against their definitions. */
#include "backend/contract/private.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void
run_fill(LacContract *contract)
{
  LacContractBuffer *y = lac_contract_random_buffer(contract, 37, 1);
  char              *inside = (char *) y->device + 3 * lac_type_size(contract->type);

  lac_contract_ok(contract, contract->device.table->fill(contract->device.self, contract->type,
                                                         y->device, 2.5, 37));
  lac_contract_ok(
    contract, contract->device.table->fill(contract->device.self, contract->type, inside, -1, 2));
  lac_contract_fetch(contract, y);
  for (gsize i = 0; i < y->n; i++)
    lac_contract_same(contract, y->host[i], i == 3 || i == 4 ? -1 : 2.5);
}

static void
check_strided(LacContract *contract,
              gsize        n_rows,
              gsize        n_columns,
              gsize        x_stride,
              gsize        y_stride,
              double       beta)
{
  const double       alpha = -0.75;
  LacContractBuffer *x = lac_contract_random_buffer(contract, n_rows * x_stride, 1);
  LacContractBuffer *y = beta == 0 ? lac_contract_constant_buffer(contract, n_rows * y_stride, NAN)
                                   : lac_contract_random_buffer(contract, n_rows * y_stride, 1);
  g_autofree double *before = g_memdup2(y->host, y->n * sizeof(double));
  LacStrided         args = {contract->type, n_rows, n_columns, x_stride, y_stride,
                             alpha,          beta,   x->device, y->device};

  lac_contract_ok(contract, contract->device.table->strided(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  for (gsize i = 0; i < y->n; i++) {
    const gsize row = i / y_stride, column = i % y_stride;
    if (column < n_columns)
      lac_contract_close(
        contract, y->host[i],
        alpha * x->host[row * x_stride + column] + (beta == 0 ? 0 : beta * before[i]), 1, 4);
    else
      lac_contract_require(contract, memcmp(&y->host[i], &before[i], sizeof(double)) == 0);
  }
  lac_contract_clear(contract);
}

static void
run_strided(LacContract *contract)
{
  check_strided(contract, 5, 3, 7, 4, 0);
  check_strided(contract, 5, 3, 7, 4, 0.5);
  check_strided(contract, 9, 1, 5, 2, 0);
  check_strided(contract, 9, 1, 5, 2, -1);
  check_strided(contract, 4, 33, 33, 33, 0);
  check_strided(contract, 4, 33, 33, 33, 1);
}

/* The sum is formed in double: only the inputs are rounded to the type. */
static void
run_dot(LacContract *contract)
{
  for (int form = 0; form < 4; form++) {
    const gsize        n = 5000;
    LacContractBuffer *x = lac_contract_random_buffer(contract, n, 1);
    LacContractBuffer *y = form & 1 ? lac_contract_random_buffer(contract, n, 1) : NULL;
    LacContractBuffer *weight = form & 2 ? lac_contract_random_buffer(contract, n, 1) : NULL;
    double             out = NAN, expected = 0;
    LacDot             args = {.type = contract->type, .n = n, .x = x->device, .out = &out};

    args.y = y ? y->device : NULL;
    args.weight = weight ? weight->device : NULL;
    lac_contract_ok(contract, contract->device.table->dot(contract->device.self, &args));
    for (gsize i = 0; i < n; i++)
      expected += (weight ? weight->host[i] : 1) * x->host[i] * (y ? y->host[i] : x->host[i]);
    lac_contract_within(contract, out, expected, 1e-10); /* 5000 terms below 1, eps 2e-16 */
    lac_contract_clear(contract);
  }
}

static void
check_matvec(LacContract *contract, gsize n_rows, gsize n_columns, double beta, gboolean transposed)
{
  const gsize        n = transposed ? n_columns : n_rows, depth = transposed ? n_rows : n_columns;
  LacContractBuffer *a = lac_contract_random_buffer(contract, n_rows * n_columns, 1);
  LacContractBuffer *x = lac_contract_random_buffer(contract, depth, 1);
  LacContractBuffer *y = lac_contract_constant_buffer(contract, n, beta == 0 ? NAN : 0.5);
  const LacMatvec    args = {contract->type, n_rows,    n_columns, 1.5,       beta,
                             a->device,      x->device, y->device, transposed};

  lac_contract_ok(contract, contract->device.table->matvec(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  for (gsize i = 0; i < n; i++) {
    double sum = 0, size = 1;

    for (gsize j = 0; j < depth; j++) {
      const double entry = transposed ? a->host[j * n_columns + i] : a->host[i * n_columns + j];

      sum += entry * x->host[j];
      size += fabs(entry * x->host[j]);
    }
    lac_contract_close(contract, y->host[i], 1.5 * sum + (beta == 0 ? 0 : beta * 0.5), size, depth);
  }
  lac_contract_clear(contract);
}

static void
run_matvec(LacContract *contract)
{
  for (guint transposed = 0; transposed < 2; transposed++) {
    check_matvec(contract, 13, 37, 0, transposed);
    check_matvec(contract, 13, 37, -2, transposed);
    check_matvec(contract, 1, 4, 0, transposed);
    check_matvec(contract, 5, 1100, 1, transposed);
  }
}

static double *
new_numbers(LacContract *contract, gsize n)
{
  double *numbers = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    numbers[i] = lac_contract_random(contract);
  return numbers;
}

/* Matrices that lie within larger ones: @gap further numbers in each row. Always in double precision. */
static void
check_product(LacContract *contract, const gsize sizes[3], guint transposed, double beta, gsize gap)
{
  const gsize        m = sizes[0], n = sizes[1], k = sizes[2];
  const gboolean     ta = transposed & 1, tb = (transposed & 2) != 0;
  const gsize        a_row = (ta ? m : k) + gap, b_row = (tb ? k : n) + gap, y_row = n + gap;
  const gsize        n_a = (ta ? k : m) * a_row, n_b = (tb ? n : k) * b_row, n_y = m * y_row;
  g_autofree double *a = new_numbers(contract, n_a), *b = new_numbers(contract, n_b);
  g_autofree double *before = new_numbers(contract, n_y), *y = g_memdup2(before, n_y * sizeof *y);
  LacProduct args = {ta, tb, m, n, k, -1.5, beta, .a_row = a_row, .b_row = b_row, .y_row = y_row};

  args.a = lac_contract_piece(contract, n_a * sizeof *a, a);
  args.b = lac_contract_piece(contract, n_b * sizeof *b, b);
  args.y = lac_contract_piece(contract, n_y * sizeof *y, y);
  lac_contract_ok(contract, contract->device.table->product(contract->device.self, &args));
  lac_contract_fetch_piece(contract, args.y, n_y * sizeof *y, y);
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < y_row; j++) {
      const gsize at = i * y_row + j;
      double      sum = 0, size = 1;

      for (gsize q = 0; q < k && j < n; q++) {
        const double term =
          (ta ? a[q * a_row + i] : a[i * a_row + q]) * (tb ? b[j * b_row + q] : b[q * b_row + j]);

        sum += term;
        size += fabs(term);
      }
      if (j < n)
        lac_contract_within(contract, y[at], -1.5 * sum + (beta == 0 ? 0 : beta * before[at]),
                            4 * DBL_EPSILON * (double) k * size);
      else
        lac_contract_same(contract, y[at], before[at]);
    }
  lac_contract_clear(contract);
}

static void
run_product(LacContract *contract)
{
  static const gsize sizes[][3] = {{5, 7, 11}, {64, 130, 33}, {1, 9, 100}, {17, 1, 3}};

  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
    for (guint transposed = 0; transposed < 4; transposed++) {
      check_product(contract, sizes[i], transposed, 0, 0);
      check_product(contract, sizes[i], transposed, 1, 3);
    }
}

static void
check_rank_update(LacContract *contract, int n_terms)
{
  enum { N = 29, FIRST = 4, LAST = 21 };
  LacRankUpdate args = {contract->type, N, FIRST, LAST, 0.5, n_terms, {1, -2, 0.25}, {NULL}, NULL};
  LacContractBuffer *h = lac_contract_random_buffer(contract, N * N, 1), *v[3];
  double             before[N * N];

  for (int k = 0; k < n_terms; k++) {
    v[k] = lac_contract_random_buffer(contract, N, 1);
    args.v[k] = v[k]->device;
  }
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < i; j++)
      h->host[i * N + j] = h->host[j * N + i];
  lac_contract_upload(contract, h);
  memcpy(before, h->host, sizeof before);
  args.h = h->device;
  lac_contract_ok(contract, contract->device.table->rank_update(contract->device.self, &args));
  lac_contract_fetch(contract, h);
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++) {
      double expected = 0.5 * before[i * N + j];
      for (int k = 0; k < n_terms; k++)
        expected += args.c[k] * v[k]->host[i] * v[k]->host[j];
      if (i < FIRST || i >= LAST)
        lac_contract_same(contract, h->host[i * N + j], before[i * N + j]);
      else
        lac_contract_close(contract, h->host[i * N + j], expected, 4, 4);
      if (i >= FIRST && i < LAST && j >= FIRST && j < LAST)
        lac_contract_same(contract, h->host[i * N + j], h->host[j * N + i]);
    }
  lac_contract_clear(contract);
}

static void
run_rank_update(LacContract *contract)
{
  for (int n_terms = 0; n_terms <= 3; n_terms++)
    check_rank_update(contract, n_terms);
}

static void
run_adam(LacContract *contract)
{
  enum { N = 35 };
  LacContractBuffer *gradient = lac_contract_random_buffer(contract, N, 1),
                    *theta = lac_contract_random_buffer(contract, N, 1);
  LacContractBuffer *m = lac_contract_random_buffer(contract, N, 1),
                    *v = lac_contract_constant_buffer(contract, N, 0.25);
  double  theta0[N], m0[N];
  LacAdam args = {contract->type,
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
  lac_contract_ok(contract, contract->device.table->adam(contract->device.self, &args));
  lac_contract_fetch(contract, m);
  lac_contract_fetch(contract, v);
  lac_contract_fetch(contract, theta);
  for (gsize i = 0; i < N; i++) {
    const double g = gradient->host[i];
    const double new_m = 0.9 * m0[i] + 0.1 * g, new_v = 0.999 * 0.25 + 0.001 * g * g;
    const double step = new_m * args.correction1 / (sqrt(new_v * args.correction2) + 1e-8);
    lac_contract_close(contract, m->host[i], new_m, 1, 4);
    lac_contract_close(contract, v->host[i], new_v, 1, 4);
    lac_contract_close(contract, theta->host[i], theta0[i] - 1e-2 * step, 1, 4);
  }
}

const LacContractRow lac_contract_vector_rows[] = {
  {"fill", run_fill},       {"strided", run_strided},
  {"dot", run_dot},         {"matvec", run_matvec},
  {"product", run_product}, {"rank-update", run_rank_update},
  {"adam", run_adam},       {NULL},
};
