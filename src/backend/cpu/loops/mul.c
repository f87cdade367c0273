/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of jets by Leibniz' rule, and the reverse: (a b)_k = sum_j C(k, j) a_j b_(k-j) along each direction,
 * (a b)_L = a b_L + b a_L + 2 sum_d c_d a_d1 b_d1. */
#include "backend/cpu/loops/real.h"

#include <string.h>

/* One summand: adds factor * (stream a) * (stream b) to stream y of the product. */
typedef struct {
  uint8_t y, a, b;
  Real    factor;
} Term;

/* value, then per direction orders 1 ... 4 with 2 + 3 + 4 + 5 summands, then the collapsed sum */
#define MAX_TERMS (1 + 14 * LAC_JET_MAX_DIRECTIONS + 2 + LAC_JET_MAX_DIRECTIONS)

static size_t
leibniz_terms(const LacJet *jet, Term *terms)
{
  /* rows 0 ... 4 of Pascal's triangle */
  static const uint8_t binomial[] = {1, 1, 1, 1, 2, 1, 1, 3, 3, 1, 1, 4, 6, 4, 1};
  size_t               n = 0;

  terms[n++] = (Term){0, 0, 0, 1};
  for (unsigned d = 0; d < jet->n_directions; d++) {
    unsigned before = jet->first[d] - 1u;
    for (unsigned k = 1; k <= jet->order[d]; k++)
      for (unsigned j = 0; j <= k; j++)
        terms[n++] = (Term){(uint8_t) (before + k), (uint8_t) (j ? before + j : 0),
                            (uint8_t) (j < k ? before + k - j : 0), binomial[k * (k + 1) / 2 + j]};
  }
  if (!jet->sum)
    return n;
  terms[n++] = (Term){jet->sum, 0, jet->sum, 1};
  terms[n++] = (Term){jet->sum, jet->sum, 0, 1};
  for (unsigned d = 0; d < jet->n_directions; d++)
    if (jet->weight[d] < 0 || jet->weight[d] > 0)
      terms[n++] = (Term){jet->sum, jet->first[d], jet->first[d], R(2 * jet->weight[d])};
  return n;
}

/* Loop structure: `n` elements, each `step` apart, `n_outer` times. A plain value and a single column iterate over
 * the points, everything else over the columns; a broadcast factor has step 0. */
typedef struct {
  size_t n_outer, n, step, a_step, b_step;
  size_t row, a_row, b_row;       /* distance between streams */
  size_t point, a_point, b_point; /* distance between outer iterations */
} Walk;

static Walk
walk_of(const LacMulJet *args)
{
  const size_t n_streams = args->jet->n_streams, n = args->n_columns;
  const int    a_wide = args->a_columns == n, b_wide = args->b_columns == n;

  if (n == 1 || (n_streams == 1 && a_wide && b_wide)) {
    size_t step = n == 1 ? n_streams : 1;
    return (Walk){1, args->n_points * n, step, step, step, 1, 1, 1, 0, 0, 0};
  }
  return (Walk){args->n_points,
                n,
                1,
                a_wide,
                b_wide,
                n,
                args->a_columns,
                args->b_columns,
                n * n_streams,
                args->a_columns * n_streams,
                args->b_columns * n_streams};
}

/* out_i += factor a_i b_i; step 0 repeats one element */
static void
add_products(const Walk *walk, Real factor, const Real *a, const Real *b, Real *out)
{
  const size_t n = walk->n, step = walk->step, a_step = walk->a_step, b_step = walk->b_step;

  if (step == 1 && a_step == 1 && b_step == 1)
    LAC_SIMD for (size_t i = 0; i < n; i++) out[i] += factor * a[i] * b[i];
  else if (step == 1 && b_step == 0 && a_step == 1)
    LAC_SIMD for (size_t i = 0; i < n; i++) out[i] += factor * a[i] * b[0];
  else if (step == 1 && a_step == 0 && b_step == 1)
    LAC_SIMD for (size_t i = 0; i < n; i++) out[i] += factor * a[0] * b[i];
  else
    for (size_t i = 0; i < n; i++)
      out[i * step] += factor * a[i * a_step] * b[i * b_step];
}

void
LAC_LOOP(mul_jet)(const LacMulJet *args)
{
  const Walk  walk = walk_of(args);
  const Real *a = args->a, *b = args->b;
  Real       *y = args->y;
  Term        terms[MAX_TERMS];
  size_t      n_terms = leibniz_terms(args->jet, terms);

  memset(y, 0, args->n_points * args->jet->n_streams * args->n_columns * sizeof(Real));
  for (size_t p = 0; p < walk.n_outer; p++)
    for (size_t t = 0; t < n_terms; t++)
      add_products(&walk, terms[t].factor, a + p * walk.a_point + terms[t].a * walk.a_row,
                   b + p * walk.b_point + terms[t].b * walk.b_row,
                   y + p * walk.point + terms[t].y * walk.row);
}

/* bar += factor sum_i y_bar_i other_i: the bar of a broadcast factor */
static void
add_sum(const Walk *walk, Real factor, const Real *y_bar, const Real *other, Real *bar)
{
  const size_t n = walk->n;
  Real         sum = 0;

  LAC_SIMD_SUM(sum)
  for (size_t i = 0; i < n; i++)
    sum += y_bar[i] * other[i];
  *bar += factor * sum;
}

void
LAC_LOOP(mul_jet_reverse)(const LacMulJet *args)
{
  const Walk  walk = walk_of(args);
  const Real *a = args->a, *b = args->b, *y_bar = args->y_bar;
  Real       *a_bar = args->a_bar, *b_bar = args->b_bar;
  Term        terms[MAX_TERMS];
  size_t      n_terms = leibniz_terms(args->jet, terms);
  /* the bar of a is traversed like a, with the product formed from y_bar and b; likewise for b */
  const Walk to_a = {.n = walk.n, .step = walk.step, .a_step = walk.step, .b_step = walk.b_step};
  const Walk to_b = {.n = walk.n, .step = walk.step, .a_step = walk.step, .b_step = walk.a_step};

  for (size_t p = 0; p < walk.n_outer; p++)
    for (size_t t = 0; t < n_terms; t++) {
      const size_t at_a = p * walk.a_point + terms[t].a * walk.a_row;
      const size_t at_b = p * walk.b_point + terms[t].b * walk.b_row;
      const Real  *y_here = y_bar + p * walk.point + terms[t].y * walk.row;

      if (a_bar)
        (walk.a_step ? add_products : add_sum)(&to_a, terms[t].factor, y_here, b + at_b,
                                               a_bar + at_a);
      if (b_bar)
        (walk.b_step ? add_products : add_sum)(&to_b, terms[t].factor, y_here, a + at_a,
                                               b_bar + at_b);
    }
}
