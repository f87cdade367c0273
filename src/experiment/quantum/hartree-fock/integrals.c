/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrals over contracted s and p Gaussians by expansion in Hermite Gaussians. Equations of McMurchie and Davidson (1978). */
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <math.h>
#include <string.h>

#define MAX_PAIR_FUNCTIONS 9 /* of two p shells */
#define NEGLIGIBLE \
  1e-17 /* of a product of two Gaussians far apart, relative to its value at one place */

/* Expansion of x_a^i x_b^j exp(...) along one axis: E[i][j][t]; two powers more on the right than p for the kinetic energy. */
typedef double Expansion[2][4][5];

static void
expand(double a, double b, double distance /* A - B */, Expansion e)
{
  double p = a + b, to_a = -b * distance / p, to_b = a * distance / p;

  memset(e, 0, sizeof(Expansion));
  e[0][0][0] = exp(-a * b / p * distance * distance);
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < 4; j++) {
      const double *from = i ? e[0][j] : j ? e[0][j - 1] : NULL;
      double        shift = i ? to_a : to_b;
      guint         top = i + j;

      if (from == NULL)
        continue;
      for (guint t = 0; t <= top && t < 5; t++)
        e[i][j][t] = (t > 0 ? from[t - 1] / (2 * p) : 0) + shift * from[t] +
                     (t < 4 ? (t + 1) * from[t + 1] : 0);
    }
}

/* One product of two primitives: a sum of Hermite Gaussians at P. */
typedef struct {
  double exponent, centre[3];
  double terms[MAX_PAIR_FUNCTIONS][LAC_PAIR_HERMITES];    /* of function (a, b), coefficients in */
  double reversed[MAX_PAIR_FUNCTIONS][LAC_PAIR_HERMITES]; /* with (-1)^(t+u+v) */
} Product;

typedef struct {
  const LacShell *a, *b;
  guint           order, n_functions, n_hermites;
  guint           n_products;
  Product        *products;
} Pair;

/* Powers of function @f of a shell. */
static void
function_powers(const LacShell *shell, guint f, guint powers[3])
{
  memset(powers, 0, 3 * sizeof *powers);
  if (shell->angular)
    powers[f] = 1;
}

static gboolean
product_fill(Product *product, const Pair *pair, const LacHermites *hermites, guint i, guint j)
{
  double    a = pair->a->exponents[i], b = pair->b->exponents[j], square = 0;
  double    weight = pair->a->coefficients[i] * pair->b->coefficients[j];
  guint     n_b = 2 * pair->b->angular + 1;
  Expansion e[3];

  for (guint k = 0; k < 3; k++) {
    double distance = pair->a->centre[k] - pair->b->centre[k];

    square += distance * distance;
    product->centre[k] = (a * pair->a->centre[k] + b * pair->b->centre[k]) / (a + b);
    expand(a, b, distance, e[k]);
  }
  product->exponent = a + b;
  if (exp(-a * b / (a + b) * square) < NEGLIGIBLE)
    return FALSE;
  for (guint f = 0; f < pair->n_functions; f++) {
    guint left[3], right[3];

    function_powers(pair->a, f / n_b, left);
    function_powers(pair->b, f % n_b, right);
    for (guint h = 0; h < pair->n_hermites; h++) {
      const guint8 *t = hermites->powers[h];
      double        term = weight;

      for (guint k = 0; k < 3; k++)
        term *= e[k][left[k]][right[k]][t[k]];
      product->terms[f][h] = term;
      product->reversed[f][h] = (t[0] + t[1] + t[2]) % 2 ? -term : term;
    }
  }
  return TRUE;
}

static void
pair_init(Pair *pair, const LacShell *a, const LacShell *b, const LacHermites *hermites)
{
  pair->a = a;
  pair->b = b;
  pair->order = a->angular + b->angular;
  pair->n_functions = (2 * a->angular + 1) * (2 * b->angular + 1);
  pair->n_hermites = lac_hermites_up_to(pair->order);
  pair->n_products = 0;
  pair->products = g_new(Product, (gsize) a->n * b->n);
  for (guint i = 0; i < a->n; i++)
    for (guint j = 0; j < b->n; j++)
      pair->n_products +=
        (guint) product_fill(&pair->products[pair->n_products], pair, hermites, i, j);
}

/* Overlap of two primitives along three axes, powers (left, right). */
static double
overlap_of(Expansion e[3], const guint left[3], const guint right[3])
{
  return e[0][left[0]][right[0]][0] * e[1][left[1]][right[1]][0] * e[2][left[2]][right[2]][0];
}

/* -1/2 <a| Laplacian |b>, over (pi/p)^(3/2). */
static double
kinetic_of(Expansion e[3], double b, const guint left[3], const guint right[3])
{
  double sum = b * (2 * (right[0] + right[1] + right[2]) + 3) * overlap_of(e, left, right);

  for (guint k = 0; k < 3; k++) {
    guint raised[3] = {right[0], right[1], right[2]};

    raised[k] += 2; /* s and p have no term with two powers less */
    sum -= 2 * b * b * overlap_of(e, left, raised);
  }
  return sum;
}

static void
overlap_and_kinetic(const LacShell *a, const LacShell *b, double *overlap, double *kinetic)
{
  guint n_a = 2 * a->angular + 1, n_b = 2 * b->angular + 1;

  for (guint i = 0; i < a->n; i++)
    for (guint j = 0; j < b->n; j++) {
      double    p = a->exponents[i] + b->exponents[j];
      double    weight = a->coefficients[i] * b->coefficients[j] * pow(G_PI / p, 1.5);
      Expansion e[3];

      for (guint k = 0; k < 3; k++)
        expand(a->exponents[i], b->exponents[j], a->centre[k] - b->centre[k], e[k]);
      for (guint f = 0; f < n_a * n_b; f++) {
        guint left[3], right[3];

        function_powers(a, f / n_b, left);
        function_powers(b, f % n_b, right);
        overlap[f] += weight * overlap_of(e, left, right);
        kinetic[f] += weight * kinetic_of(e, b->exponents[j], left, right);
      }
    }
}

static void
attraction(const Pair *pair, const LacMolecule *molecule, const LacHermites *hermites, double *sums)
{
  for (guint i = 0; i < pair->n_products; i++) {
    const Product *product = &pair->products[i];

    for (guint c = 0; c < molecule->n_nuclei; c++) {
      const LacNucleus *nucleus = &molecule->nuclei[c];
      double            offset[3], potential[LAC_HERMITES];

      for (guint k = 0; k < 3; k++)
        offset[k] = product->centre[k] - nucleus->position[k];
      lac_hermites_potential(hermites, pair->order, product->exponent, offset, potential);
      for (guint f = 0; f < pair->n_functions; f++)
        for (guint h = 0; h < pair->n_hermites; h++)
          sums[f] -=
            nucleus->charge * 2 * G_PI / product->exponent * product->terms[f][h] * potential[h];
    }
  }
}

void
lac_integrals_one(const LacBasis *basis, const LacMolecule *molecule, double *overlap, double *core)
{
  gsize       n = basis->n_functions;
  LacHermites hermites;

  lac_hermites_init(&hermites);
  for (guint s = 0; s < basis->n_shells; s++)
    for (guint t = 0; t <= s; t++) {
      const LacShell *a = &basis->shells[s], *b = &basis->shells[t];
      double          s_block[MAX_PAIR_FUNCTIONS] = {0}, h_block[MAX_PAIR_FUNCTIONS] = {0};
      guint           n_b = 2 * b->angular + 1;
      Pair            pair;

      pair_init(&pair, a, b, &hermites);
      overlap_and_kinetic(a, b, s_block, h_block);
      attraction(&pair, molecule, &hermites, h_block);
      for (guint f = 0; f < pair.n_functions; f++) {
        gsize i = a->first + f / n_b, j = b->first + f % n_b;

        overlap[i * n + j] = overlap[j * n + i] = s_block[f];
        core[i * n + j] = core[j * n + i] = h_block[f];
      }
      g_free(pair.products);
    }
}

/* What one product of the left pair meets in the right one: V[h][f]. */
static void
meet(const LacHermites *hermites,
     const Pair        *left,
     const Product     *product,
     const Pair        *right,
     double             v[LAC_PAIR_HERMITES][MAX_PAIR_FUNCTIONS])
{
  memset(v, 0, LAC_PAIR_HERMITES * MAX_PAIR_FUNCTIONS * sizeof(double));
  for (guint i = 0; i < right->n_products; i++) {
    const Product *other = &right->products[i];
    double         p = product->exponent, q = other->exponent;
    double         weight = 2 * pow(G_PI, 2.5) / (p * q * sqrt(p + q)), offset[3];
    double         potential[LAC_HERMITES];

    for (guint k = 0; k < 3; k++)
      offset[k] = product->centre[k] - other->centre[k];
    lac_hermites_potential(hermites, left->order + right->order, p * q / (p + q), offset,
                           potential);
    for (guint h = 0; h < left->n_hermites; h++)
      for (guint f = 0; f < right->n_functions; f++) {
        double sum = 0;

        for (guint g = 0; g < right->n_hermites; g++)
          sum += other->reversed[f][g] * potential[hermites->sum[h][g]];
        v[h][f] += weight * sum;
      }
  }
}

typedef struct {
  LacHermites hermites;
  Pair       *pairs;
  double     *values;
} TwoWork;

static void
store(const TwoWork *work, const Pair *left, const Pair *right, const double *block)
{
  guint n_b = 2 * left->b->angular + 1, n_d = 2 * right->b->angular + 1;

  for (guint f = 0; f < left->n_functions; f++)
    for (guint g = 0; g < right->n_functions; g++) {
      gsize ij = lac_integrals_pair(left->a->first + f / n_b, left->b->first + f % n_b);
      gsize kl = lac_integrals_pair(right->a->first + g / n_d, right->b->first + g % n_d);

      work->values[lac_integrals_pair(ij, kl)] = block[f * right->n_functions + g];
    }
}

/* All right pairs up to @item: every integral is written by exactly one item. */
static void
two_of_pair(gsize item, guint worker, gpointer user_data)
{
  const TwoWork *work = user_data;
  const Pair    *left = &work->pairs[item];

  (void) worker;
  for (gsize r = 0; r <= item; r++) {
    const Pair *right = &work->pairs[r];
    double      block[MAX_PAIR_FUNCTIONS * MAX_PAIR_FUNCTIONS] = {0};

    for (guint i = 0; i < left->n_products; i++) {
      double v[LAC_PAIR_HERMITES][MAX_PAIR_FUNCTIONS];

      meet(&work->hermites, left, &left->products[i], right, v);
      for (guint f = 0; f < left->n_functions; f++)
        for (guint h = 0; h < left->n_hermites; h++)
          for (guint g = 0; g < right->n_functions; g++)
            block[f * right->n_functions + g] += left->products[i].terms[f][h] * v[h][g];
    }
    store(work, left, right, block);
  }
}

void
lac_integrals_two(const LacBasis *basis, LacPool *pool, double *values)
{
  gsize   n_pairs = lac_integrals_pair(basis->n_shells, 0), next = 0;
  TwoWork work = {.pairs = g_new(Pair, n_pairs), .values = values};

  lac_hermites_init(&work.hermites);
  for (guint s = 0; s < basis->n_shells; s++)
    for (guint t = 0; t <= s; t++)
      pair_init(&work.pairs[next++], &basis->shells[s], &basis->shells[t], &work.hermites);
  lac_pool_run(pool, n_pairs, two_of_pair, &work);
  for (gsize i = 0; i < n_pairs; i++)
    g_free(work.pairs[i].products);
  g_free(work.pairs);
}
