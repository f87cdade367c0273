/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels on jets. The reference multiplies truncated power series, independent of the formulas of Faa di Bruno and
 * Leibniz. Reverse kernels are checked by <y_bar, J dx> = <J^T y_bar, dx> with J dx from finite differences. */
#include "backend/contract/private.h"

#include <math.h>
#include <string.h>

#define R(c) ((double) (c))

typedef double Series[5]; /* coefficients of 1, t ... t^4: derivative k over k! */

static const double factorial[] = {1, 1, 2, 6, 24};

static void
multiply_series(const Series a, const Series b, Series product)
{
  Series sum = {0};

  for (int i = 0; i < 5; i++)
    for (int j = 0; i + j < 5; j++)
      sum[i + j] += a[i] * b[j];
  memcpy(product, sum, sizeof sum);
}

void
lac_contract_scalar(LacScalar scalar, double x, double f[6])
{
  switch (scalar) {
#define LAC_SCALAR(ID, name, value, e1, e2, e3, e4, e5)                 \
  case LAC_SCALAR_##ID: {                                               \
    const double y = (value);                                           \
    const double d1 = (e1), d2 = (e2), d3 = (e3), d4 = (e4), d5 = (e5); \
    memcpy(f, (double[]){y, d1, d2, d3, d4, d5}, 6 * sizeof(double));   \
    break;                                                              \
  }
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
  case LAC_N_SCALARS: g_assert_not_reached();
  }
}

gboolean
lac_contract_scalar_is_positive(LacScalar scalar)
{
  static const gboolean is_positive[] = {
#define LAC_SCALAR(ID, name, value, e1, e2, e3, e4, e5)          FALSE,
#define LAC_SCALAR_POSITIVE(ID, name, value, e1, e2, e3, e4, e5) TRUE,
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
  };

  return is_positive[scalar];
}

/* x, y: the streams of one point and column, `row` elements apart */
static void
map_reference(LacScalar scalar, const LacJet *jet, gsize row, const double *x, double *y)
{
  double f[6] = {0}, squares = 0;

  lac_contract_scalar(scalar, x[0], f);
  y[0] = f[0];
  for (unsigned d = 0; d < jet->n_directions; d++) {
    Series inner = {0}, power = {1}, sum = {0};
    for (unsigned k = 1; k <= jet->order[d]; k++)
      inner[k] = x[(jet->first[d] + k - 1) * row] / factorial[k];
    for (int m = 0; m < 5; m++) {
      for (int k = 0; k < 5; k++)
        sum[k] += f[m] / factorial[m] * power[k];
      multiply_series(power, inner, power);
    }
    for (unsigned k = 1; k <= jet->order[d]; k++)
      y[(jet->first[d] + k - 1) * row] = sum[k] * factorial[k];
    squares += jet->weight[d] * x[jet->first[d] * row] * x[jet->first[d] * row];
  }
  if (jet->sum)
    y[jet->sum * row] = f[2] * squares + f[1] * x[jet->sum * row];
}

static void
mul_reference(const LacJet *jet,
              gsize         row_a,
              const double *a,
              gsize         row_b,
              const double *b,
              double       *y)
{
  double cross = 0;

  y[0] = a[0] * b[0];
  for (unsigned d = 0; d < jet->n_directions; d++) {
    Series sa = {a[0]}, sb = {b[0]}, product;
    for (unsigned k = 1; k <= jet->order[d]; k++) {
      sa[k] = a[(jet->first[d] + k - 1) * row_a] / factorial[k];
      sb[k] = b[(jet->first[d] + k - 1) * row_b] / factorial[k];
    }
    multiply_series(sa, sb, product);
    for (unsigned k = 1; k <= jet->order[d]; k++)
      y[jet->first[d] + k - 1] = product[k] * factorial[k];
    cross += jet->weight[d] * a[jet->first[d] * row_a] * b[jet->first[d] * row_b];
  }
  if (jet->sum)
    y[jet->sum] = a[0] * b[jet->sum * row_b] + b[0] * a[jet->sum * row_a] + 2 * cross;
}

static LacJet
jet_of(int i)
{
  switch (i) {
  case 0: return lac_jet_value();
  case 1: return lac_jet(3, (const unsigned[]){1, 1, 1}, (const double[]){1, 0, -0.5});
  case 2: return lac_jet(2, (const unsigned[]){2, 1}, NULL);
  case 3: return lac_jet(4, (const unsigned[]){4, 3, 2, 1}, (const double[]){0.5, 1, 2, -1});
  default: return lac_jet(2, (const unsigned[]){4, 4}, NULL);
  }
}

#define N_JETS 5

/* ---- map ---- */

typedef struct {
  LacScalar scalar;
  LacJet    jet;
  gsize     n_points, n_columns;
} Shape;

/* y = f(x) for all points */
static void
map_all(const Shape *shape, const double *x, double *y)
{
  for (gsize p = 0; p < shape->n_points; p++)
    for (gsize c = 0; c < shape->n_columns; c++) {
      const gsize at = p * shape->jet.n_streams * shape->n_columns + c;
      map_reference(shape->scalar, &shape->jet, shape->n_columns, x + at, y + at);
    }
}

/* Bound of the result: fourth derivatives of these formulas are below 24 and the arguments below 2: sums of some 16 *
 * 24. */
static double
size_of(const Shape *shape)
{
  unsigned highest = 1;

  for (unsigned d = 0; d < shape->jet.n_directions; d++)
    highest = MAX(highest, shape->jet.order[d]);
  return pow(6, highest);
}

static void
for_all_shapes(LacContract *contract, void (*check)(LacContract *contract, const Shape *shape))
{
  const gsize sizes[][2] = {{5, 1}, {3, 7}, {40, 19}, {2, 300}};

  for (int scalar = 0; scalar < LAC_N_SCALARS; scalar++)
    for (int j = 0; j < N_JETS; j++)
      for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
        Shape shape = {(LacScalar) scalar, jet_of(j), sizes[s][0], sizes[s][1]};
        check(contract, &shape);
        lac_contract_clear(contract);
      }
}

/* Random jets; for a formula of positive x the values are moved to 1.5 ... 4.5, where its derivatives are below 24. */
static LacContractBuffer *
random_jets(LacContract *contract, const Shape *shape)
{
  const gsize        one = shape->jet.n_streams * shape->n_columns;
  LacContractBuffer *x = lac_contract_random_buffer(contract, shape->n_points * one, 1.5);

  if (!lac_contract_scalar_is_positive(shape->scalar))
    return x;
  for (gsize p = 0; p < shape->n_points; p++)
    for (gsize c = 0; c < shape->n_columns; c++)
      x->host[p * one + c] += 3;
  lac_contract_upload(contract, x);
  lac_contract_fetch(contract, x);
  return x;
}

static void
check_map(LacContract *contract, const Shape *shape)
{
  const gsize        n = shape->n_points * shape->jet.n_streams * shape->n_columns;
  LacContractBuffer *x = random_jets(contract, shape),
                    *y = lac_contract_constant_buffer(contract, n, NAN);
  g_autofree double *expected = g_new(double, n);
  LacMapJet          args = {.scalar = shape->scalar,
                             .type = contract->type,
                             .jet = &shape->jet,
                             .n_points = shape->n_points,
                             .n_columns = shape->n_columns,
                             .x = x->device,
                             .y = y->device};

  lac_contract_ok(contract, contract->device.table->map_jet(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  map_all(shape, x->host, expected);
  for (gsize i = 0; i < n; i++)
    lac_contract_close(contract, y->host[i], expected[i], size_of(shape), 8);
}

static void
run_map_jet(LacContract *contract)
{
  for_all_shapes(contract, check_map);
}

/* Large |x|: tanh is 1 but for the last digits; its slope 1 / cosh^2 must stay fully accurate. */
static void
run_saturated(LacContract *contract)
{
  const LacJet       jet = lac_jet(1, (const unsigned[]){1}, NULL);
  LacContractBuffer *x = lac_contract_constant_buffer(contract, 2 * 16, 1),
                    *y = lac_contract_constant_buffer(contract, 2 * 16, NAN);
  LacMapJet args = {.scalar = LAC_SCALAR_TANH,
                    .type = contract->type,
                    .jet = &jet,
                    .n_points = 16,
                    .n_columns = 1,
                    .x = x->device,
                    .y = y->device};

  for (gsize p = 0; p < 16; p++)
    x->host[2 * p] = (p & 1 ? -1.0 : 1.0) * (double) p;
  lac_contract_upload(contract, x);
  lac_contract_ok(contract, contract->device.table->map_jet(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  for (gsize p = 0; p < 16; p++) {
    const double slope = 1 / (cosh((double) p) * cosh((double) p));
    /* the exponent -2 x itself rounds: its error is the result's relative error */
    lac_contract_close(contract, y->host[2 * p + 1] / slope, 1, 1, 8 + (double) p);
  }
}

static double
dot(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* <y_bar, J dx> by central differences, with an error below 1e-6 of the sum for a step of 1e-4. */
static double
directional(const Shape *shape, const double *x, const double *dx, const double *y_bar, gsize n)
{
  const double       h = 1e-4;
  g_autofree double *moved = g_new(double, n), *plus = g_new(double, n), *minus = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    moved[i] = x[i] + h * dx[i];
  map_all(shape, moved, plus);
  for (gsize i = 0; i < n; i++)
    moved[i] = x[i] - h * dx[i];
  map_all(shape, moved, minus);
  return (dot(plus, y_bar, n) - dot(minus, y_bar, n)) / (2 * h);
}

static void
check_map_reverse(LacContract *contract, const Shape *shape)
{
  const gsize        n = shape->n_points * shape->jet.n_streams * shape->n_columns;
  LacContractBuffer *x = random_jets(contract, shape),
                    *y = lac_contract_constant_buffer(contract, n, NAN);
  LacContractBuffer *y_bar = lac_contract_random_buffer(contract, n, 1),
                    *x_bar = lac_contract_random_buffer(contract, n, 1);
  g_autofree double *before = g_memdup2(x_bar->host, n * sizeof(double));
  g_autofree double *dx = g_new(double, n);
  double             expected, got, size;
  LacMapJet args = {shape->scalar, contract->type, &shape->jet,   shape->n_points, shape->n_columns,
                    x->device,     y->device,      y_bar->device, x_bar->device};

  lac_contract_ok(contract, contract->device.table->map_jet(contract->device.self, &args));
  lac_contract_ok(contract, contract->device.table->map_jet_reverse(contract->device.self, &args));
  lac_contract_fetch(contract, x_bar);
  for (gsize i = 0; i < n; i++)
    before[i] = x_bar->host[i] - before[i];
  for (int turn = 0; turn < 3; turn++) {
    for (gsize i = 0; i < n; i++)
      dx[i] = lac_contract_random(contract);
    expected = directional(shape, x->host, dx, y_bar->host, n);
    got = dot(before, dx, n);
    size = size_of(shape) * 6 * sqrt((double) n);
    lac_contract_within(contract, got, expected, size * (8 * contract->epsilon + 1e-6));
  }
}

static void
run_map_jet_reverse(LacContract *contract)
{
  for_all_shapes(contract, check_map_reverse);
}

/* Checks that a point's values do not depend on its tile: one call for all points, then one call per point. */
static void
check_position(LacContract *contract, const Shape *shape)
{
  const gsize        one = shape->jet.n_streams * shape->n_columns, n = shape->n_points * one;
  const gsize        n_bytes = one * lac_type_size(contract->type);
  LacContractBuffer *x = random_jets(contract, shape),
                    *y = lac_contract_constant_buffer(contract, n, NAN);
  g_autofree double *together = NULL;
  LacMapJet          args = {.scalar = shape->scalar,
                             .type = contract->type,
                             .jet = &shape->jet,
                             .n_points = shape->n_points,
                             .n_columns = shape->n_columns,
                             .x = x->device,
                             .y = y->device};

  lac_contract_ok(contract, contract->device.table->map_jet(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  together = g_memdup2(y->host, n * sizeof(double));
  lac_contract_upload(contract, x);
  args.n_points = 1;
  for (gsize p = 0; p < shape->n_points; p++) {
    args.x = (const char *) x->device + p * n_bytes;
    args.y = (char *) y->device + p * n_bytes;
    lac_contract_ok(contract, contract->device.table->map_jet(contract->device.self, &args));
  }
  lac_contract_fetch(contract, y);
  lac_contract_require(contract, memcmp(together, y->host, n * sizeof(double)) == 0);
}

static void
run_map_jet_position(LacContract *contract)
{
  for_all_shapes(contract, check_position);
}

/* ---- mul ---- */

typedef struct {
  LacJet jet;
  gsize  n_points, n_columns, a_columns, b_columns;
} Product;

static void
mul_all(const Product *p, const double *a, const double *b, double *y)
{
  for (gsize point = 0; point < p->n_points; point++)
    for (gsize c = 0; c < p->n_columns; c++) {
      const gsize from = point * p->jet.n_streams;
      double      streams[256];
      mul_reference(&p->jet, p->a_columns, a + from * p->a_columns + (p->a_columns == 1 ? 0 : c),
                    p->b_columns, b + from * p->b_columns + (p->b_columns == 1 ? 0 : c), streams);
      for (gsize s = 0; s < p->jet.n_streams; s++)
        y[(from + s) * p->n_columns + c] = streams[s];
    }
}

static void
for_all_products(LacContract *contract,
                 void (*check)(LacContract *contract, const Product *product))
{
  const gsize sizes[][4] = {
    {6, 1, 1, 1}, {5, 9, 9, 9}, {5, 9, 1, 9}, {5, 9, 9, 1}, {3, 40, 40, 40}};

  for (int j = 0; j < N_JETS; j++)
    for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
      Product product = {jet_of(j), sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3]};
      check(contract, &product);
      lac_contract_clear(contract);
    }
}

static void
check_mul(LacContract *contract, const Product *p)
{
  const gsize        rows = p->n_points * p->jet.n_streams, n = rows * p->n_columns;
  LacContractBuffer *a = lac_contract_random_buffer(contract, rows * p->a_columns, 1);
  LacContractBuffer *b = lac_contract_random_buffer(contract, rows * p->b_columns, 1);
  LacContractBuffer *y = lac_contract_constant_buffer(contract, n, NAN);
  g_autofree double *expected = g_new(double, n);
  LacMulJet          args = {.type = contract->type,
                             .jet = &p->jet,
                             .n_points = p->n_points,
                             .n_columns = p->n_columns,
                             .a_columns = p->a_columns,
                             .b_columns = p->b_columns,
                             .a = a->device,
                             .b = b->device,
                             .y = y->device};

  lac_contract_ok(contract, contract->device.table->mul_jet(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  mul_all(p, a->host, b->host, expected);
  for (gsize i = 0; i < n; i++)
    lac_contract_close(contract, y->host[i], expected[i], 16,
                       4); /* sum of the binomials of order 4 */
}

static void
run_mul_jet(LacContract *contract)
{
  for_all_products(contract, check_mul);
}

/* The product is bilinear: <y_bar, da b> is exactly <a_bar, da>, and likewise for b. */
static void
check_mul_reverse(LacContract *contract, const Product *p)
{
  const gsize        rows = p->n_points * p->jet.n_streams, n = rows * p->n_columns;
  LacContractBuffer *a = lac_contract_random_buffer(contract, rows * p->a_columns, 1);
  LacContractBuffer *b = lac_contract_random_buffer(contract, rows * p->b_columns, 1);
  LacContractBuffer *y = lac_contract_constant_buffer(contract, n, NAN),
                    *y_bar = lac_contract_random_buffer(contract, n, 1);
  LacContractBuffer *a_bar = lac_contract_constant_buffer(contract, a->n, 0.5);
  LacContractBuffer *b_bar = lac_contract_constant_buffer(contract, b->n, -0.5);
  g_autofree double *da = g_new(double, a->n), *db = g_new(double, b->n), *dy = g_new(double, n);
  double             got = 0, size = 16 * sqrt((double) n);
  LacMulJet          args = {contract->type, &p->jet,       p->n_points,   p->n_columns,
                             p->a_columns,   p->b_columns,  a->device,     b->device,
                             y->device,      y_bar->device, a_bar->device, b_bar->device};

  lac_contract_ok(contract, contract->device.table->mul_jet_reverse(contract->device.self, &args));
  lac_contract_fetch(contract, a_bar);
  lac_contract_fetch(contract, b_bar);
  for (gsize i = 0; i < a->n; i++) {
    da[i] = lac_contract_random(contract);
    got += da[i] * (a_bar->host[i] - 0.5);
  }
  mul_all(p, da, b->host, dy);
  lac_contract_close(contract, got, dot(y_bar->host, dy, n), size, 16);
  got = 0;
  for (gsize i = 0; i < b->n; i++) {
    db[i] = lac_contract_random(contract);
    got += db[i] * (b_bar->host[i] + 0.5);
  }
  mul_all(p, a->host, db, dy);
  lac_contract_close(contract, got, dot(y_bar->host, dy, n), size, 16);

  args.a_bar = NULL; /* skipped: only b_bar is accumulated */
  lac_contract_ok(contract, contract->device.table->mul_jet_reverse(contract->device.self, &args));
  lac_contract_fetch(contract, a_bar);
}

static void
run_mul_jet_reverse(LacContract *contract)
{
  for_all_products(contract, check_mul_reverse);
}

const LacContractRow lac_contract_jet_rows[] = {
  {"map-jet", run_map_jet},
  {"map-jet-reverse", run_map_jet_reverse},
  {"map-jet-is-the-same-in-any-tile", run_map_jet_position},
  {"slope-of-saturated-tanh", run_saturated},
  {"mul-jet", run_mul_jet},
  {"mul-jet-reverse", run_mul_jet_reverse},
  {NULL},
};
