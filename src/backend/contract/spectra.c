/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combinations of spectra by their definition, correlations as the transpose of a weight, polynomials of planes by
 * their definition and by the transpose of their linearisation. */
#include "backend/contract/private.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define N_FIELDS 3

/* ---- combinations ---- */

static double complex
get_mode(const LacContractBuffer *buffer, gsize mode)
{
  return CMPLX(buffer->host[2 * mode], buffer->host[2 * mode + 1]);
}

static double complex
get_weight(LacModeKind kind, const LacContractBuffer *weights, gsize mode)
{
  switch (kind) {
  case LAC_MODE_REAL: return weights->host[mode];
  case LAC_MODE_IMAGINARY: return CMPLX(0, weights->host[mode]);
  case LAC_MODE_COMPLEX: return get_mode(weights, mode);
  case LAC_MODE_CONJUGATE: return conj(get_mode(weights, mode));
  case LAC_MODE_ONE:
  default: return 1;
  }
}

/* @own: each field has its own weights; @in_place: the result overwrites the first spectrum. */
static void
check_combination(LacContract *contract,
                  gsize        n_modes,
                  int          n_terms,
                  gboolean     own,
                  gboolean     in_place)
{
  static const LacModeKind kinds[LAC_MOST_TERMS] = {
    LAC_MODE_IMAGINARY, LAC_MODE_ONE, LAC_MODE_COMPLEX, LAC_MODE_REAL, LAC_MODE_CONJUGATE};
  const gsize        n = N_FIELDS * n_modes, stride = own ? n_modes : 0;
  LacContractBuffer *x[LAC_MOST_TERMS], *weights[LAC_MOST_TERMS];
  LacContractBuffer *mask = in_place ? NULL : lac_contract_random_buffer(contract, n_modes, 1);
  LacCombine         args = {contract->type, N_FIELDS, n_modes,
                             stride,         n_terms,  .mask = mask ? mask->device : NULL};

  for (int t = 0; t < n_terms; t++) {
    const gsize n_weights = (N_FIELDS - 1) * stride + n_modes;

    x[t] = lac_contract_random_buffer(contract, 2 * n, 1);
    weights[t] = lac_contract_random_buffer(
      contract, kinds[t] >= LAC_MODE_COMPLEX ? 2 * n_weights : n_weights, 1);
    args.terms[t] = (LacModeTerm){kinds[t], 0.5 * t - 0.75, x[t]->device,
                                  kinds[t] == LAC_MODE_ONE ? NULL : weights[t]->device};
  }
  LacContractBuffer *y = in_place ? x[0] : lac_contract_constant_buffer(contract, 2 * n, NAN);
  g_autofree double *before = n_terms > 0 ? g_memdup2(x[0]->host, 2 * n * sizeof(double)) : NULL;

  args.y = y->device;
  lac_contract_ok(contract, contract->device.table->combine(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  for (gsize i = 0; i < n; i++) {
    const gsize    mode = i % n_modes, at = i / n_modes * stride + mode;
    double complex sum = 0;

    for (int t = 0; t < n_terms; t++)
      sum += args.terms[t].factor * get_weight(kinds[t], weights[t], at) *
             (t == 0 ? CMPLX(before[2 * i], before[2 * i + 1]) : get_mode(x[t], i));
    sum *= mask ? mask->host[mode] : 1;
    lac_contract_close(contract, y->host[2 * i], creal(sum), 4, 8);
    lac_contract_close(contract, y->host[2 * i + 1], cimag(sum), 4, 8);
  }
  lac_contract_clear(contract);
}

static void
run_combine(LacContract *contract)
{
  for (int n_terms = 0; n_terms <= LAC_MOST_TERMS; n_terms++)
    check_combination(contract, 37, n_terms, n_terms % 2 == 0, FALSE);
  check_combination(contract, 700, 3, TRUE, TRUE);
  check_combination(contract, 256, 2, FALSE, TRUE);
}

/* Checks that d/dw of <y, w x> is the correlation of x and y, added to what was there. */
static void
check_correlation(LacContract *contract, gsize n_modes)
{
  const gsize        n = N_FIELDS * n_modes;
  LacContractBuffer *x = lac_contract_random_buffer(contract, 2 * n, 1);
  LacContractBuffer *y = lac_contract_random_buffer(contract, 2 * n, 1);
  LacContractBuffer *sum = lac_contract_random_buffer(contract, 2 * n_modes, 1);
  g_autofree double *before = g_memdup2(sum->host, 2 * n_modes * sizeof(double));
  const LacCorrelate args = {contract->type, N_FIELDS, n_modes, x->device, y->device, sum->device};

  lac_contract_ok(contract, contract->device.table->correlate(contract->device.self, &args));
  lac_contract_fetch(contract, sum);
  for (gsize mode = 0; mode < n_modes; mode++) {
    double complex expected = CMPLX(before[2 * mode], before[2 * mode + 1]);

    for (gsize field = 0; field < N_FIELDS; field++)
      expected += get_mode(x, field * n_modes + mode) * conj(get_mode(y, field * n_modes + mode));
    lac_contract_close(contract, sum->host[2 * mode], creal(expected), 4, 8);
    lac_contract_close(contract, sum->host[2 * mode + 1], cimag(expected), 4, 8);
  }
  lac_contract_clear(contract);
}

static void
run_correlate(LacContract *contract)
{
  check_correlation(contract, 301);
  check_correlation(contract, 33);
}

/* ---- polynomials ---- */

/* Two planes of the result from four planes: products of one to three, a square, a cube, a plane without use.
 * @coefficients: (nullable): for lack of them the monomials have their own */
static LacPolynomial
make_polynomial(LacContract *contract, gsize n_points, const double *coefficients)
{
  LacPolynomial args = {
    .type = contract->type,
    .n_points = n_points,
    .n_planes = 4,
    .n_out = 2,
    .n_monomials = 5,
    .monomials = {{-1.5, 0, 2, {0, 2}},
                  {0.75, 1, 1, {2}},
                  {2, 0, 3, {1, 1, 1}},
                  {-0.5, 1, 3, {0, 1, 2}},
                  {1, 1, 2, {0, 0}}},
  };

  if (!coefficients)
    return args;
  args.coefficients =
    lac_contract_piece(contract, args.n_monomials * sizeof *coefficients, coefficients);
  for (gsize m = 0; m < args.n_monomials; m++)
    args.monomials[m].coefficient = NAN;
  return args;
}

/* Returns the value of a monomial at a point; with a @change, its derivative along that. */
static double
evaluate(const LacPolynomial *args,
         gsize                m,
         const double        *planes,
         const double        *change,
         gsize                point)
{
  const LacMonomial *monomial = &args->monomials[m];
  double             sum = 0;

  for (int omitted = 0; omitted < (change ? monomial->n_factors : 1); omitted++) {
    double product = monomial->coefficient;

    for (int k = 0; k < monomial->n_factors; k++)
      product *=
        (change && k == omitted ? change : planes)[monomial->factors[k] * args->n_points + point];
    sum += product;
  }
  return sum;
}

static void
check_polynomial(LacContract *contract, gsize n_points, const double *coefficients)
{
  LacPolynomial      args = make_polynomial(contract, n_points, coefficients);
  LacContractBuffer *planes = lac_contract_random_buffer(contract, args.n_planes * n_points, 1);
  LacContractBuffer *change = lac_contract_random_buffer(contract, args.n_planes * n_points, 1);
  LacContractBuffer *out = lac_contract_constant_buffer(contract, args.n_out * n_points, NAN);
  LacContractBuffer *out_bar = lac_contract_random_buffer(contract, args.n_out * n_points, 1);
  LacContractBuffer *bars = lac_contract_constant_buffer(contract, args.n_planes * n_points, NAN);

  args.planes = planes->device;
  args.out = out->device;
  lac_contract_ok(contract, contract->device.table->polynomial(contract->device.self, &args));
  args.out_bar = out_bar->device;
  args.planes_bar = bars->device;
  lac_contract_ok(contract,
                  contract->device.table->polynomial_reverse(contract->device.self, &args));
  lac_contract_fetch(contract, out);
  lac_contract_fetch(contract, bars);
  for (gsize m = 0; coefficients && m < args.n_monomials; m++)
    args.monomials[m].coefficient = coefficients[m];
  for (gsize point = 0; point < n_points; point++) {
    double expected[2] = {0}, along = 0, transposed = 0;

    for (gsize m = 0; m < args.n_monomials; m++) {
      const LacMonomial *monomial = &args.monomials[m];

      expected[monomial->out] += evaluate(&args, m, planes->host, NULL, point);
      along += out_bar->host[monomial->out * n_points + point] *
               evaluate(&args, m, planes->host, change->host, point);
    }
    for (gsize o = 0; o < args.n_out; o++)
      lac_contract_close(contract, out->host[o * n_points + point], expected[o], 4, 8);
    for (gsize p = 0; p < args.n_planes; p++)
      transposed += bars->host[p * n_points + point] * change->host[p * n_points + point];
    lac_contract_close(contract, transposed, along, 8, 16);
    lac_contract_same(contract, bars->host[3 * n_points + point], 0);
  }
  lac_contract_clear(contract);
}

static void
run_polynomial(LacContract *contract)
{
  check_polynomial(contract, 48, NULL);
  check_polynomial(contract, 1300, NULL);
  check_polynomial(contract, 48, (const double[]){0.5, -1.25, 1, 3, -0.75});
}

const LacContractRow lac_contract_spectra_rows[] = {
  {"combine-by-its-definition", run_combine},
  {"correlate-is-the-transpose-of-a-weight", run_correlate},
  {"polynomial-and-its-transpose", run_polynomial},
  {NULL},
};
