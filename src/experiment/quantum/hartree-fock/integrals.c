/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contracted s and p Gaussians at their nuclei, and integrals over them by expansion in Hermite Gaussians. Equations
 * of McMurchie and Davidson (1978). */
#include "base/error.h"
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- the basis: from a row of a table to normalised functions, and their values ---- */

static const struct {
  const char        *name;
  const LacShellRow *rows;
  gsize              n_rows;
} bases[] = {
  {"sto-3g", lac_sto_3g, LAC_STO_3G_ROWS},
  {"6-31g", lac_6_31g, LAC_6_31G_ROWS},
};

/* Normalises the primitives, then their sum: the overlap of two at one centre is N_a N_b (pi/p)^(3/2), times 1/(2p)
 * for p. */
static void
normalise(LacShell *shell)
{
  double sum = 0;

  for (guint i = 0; i < shell->n; i++) {
    double a = shell->exponents[i];

    shell->coefficients[i] *= pow(2 * a / G_PI, 0.75) * (shell->angular ? sqrt(4 * a) : 1);
  }
  for (guint i = 0; i < shell->n; i++)
    for (guint j = 0; j < shell->n; j++) {
      double p = shell->exponents[i] + shell->exponents[j];

      sum += shell->coefficients[i] * shell->coefficients[j] * pow(G_PI / p, 1.5) *
             (shell->angular ? 1 / (2 * p) : 1);
    }
  for (guint i = 0; i < shell->n; i++)
    shell->coefficients[i] /= sqrt(sum);
}

static gboolean
add_nucleus(LacBasis          *basis,
            GArray            *shells,
            const LacShellRow *rows,
            gsize              n_rows,
            const LacNucleus  *nucleus)
{
  guint before = shells->len;

  for (gsize i = 0; i < n_rows; i++) {
    LacShell shell = {.angular = rows[i].angular, .n = rows[i].n, .first = basis->n_functions};

    if (rows[i].charge != nucleus->charge)
      continue;
    memcpy(shell.centre, nucleus->position, sizeof shell.centre);
    memcpy(shell.exponents, rows[i].exponents, sizeof shell.exponents);
    memcpy(shell.coefficients, rows[i].coefficients, sizeof shell.coefficients);
    normalise(&shell);
    g_array_append_val(shells, shell);
    basis->n_functions += 2 * shell.angular + 1;
  }
  return shells->len > before;
}

gboolean
lac_basis_build(LacBasis *basis, const LacMolecule *molecule, const char *name, GError **error)
{
  g_autoptr(GArray) shells = g_array_new(FALSE, FALSE, sizeof(LacShell));
  gsize             which = 0;

  memset(basis, 0, sizeof *basis);
  while (which < G_N_ELEMENTS(bases) && g_ascii_strcasecmp(bases[which].name, name) != 0)
    which++;
  if (which == G_N_ELEMENTS(bases)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                _("Unknown basis “%s”: use sto-3g or 6-31g."), name);
    return FALSE;
  }
  for (guint i = 0; i < molecule->n_nuclei; i++)
    if (!add_nucleus(basis, shells, bases[which].rows, bases[which].n_rows, &molecule->nuclei[i])) {
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
        _("The basis %s has no functions for a nucleus of charge %u: it covers hydrogen to neon."),
        bases[which].name, molecule->nuclei[i].charge);
      return FALSE;
    }
  basis->n_shells = shells->len;
  basis->shells = (LacShell *) g_array_steal(shells, NULL);
  return TRUE;
}

void
lac_basis_clear(LacBasis *basis)
{
  g_clear_pointer(&basis->shells, g_free);
}

void
lac_basis_values(const LacBasis *basis, const double point[3], double *values)
{
  for (guint s = 0; s < basis->n_shells; s++) {
    const LacShell *shell = &basis->shells[s];
    double          offset[3], square = 0, radial = 0;

    for (guint k = 0; k < 3; k++) {
      offset[k] = point[k] - shell->centre[k];
      square += offset[k] * offset[k];
    }
    for (guint i = 0; i < shell->n; i++)
      radial += shell->coefficients[i] * exp(-shell->exponents[i] * square);
    if (shell->angular == 0) {
      values[shell->first] = radial;
      continue;
    }
    for (guint k = 0; k < 3; k++)
      values[shell->first + k] = radial * offset[k];
  }
}

/* ---- Hermite Gaussians: their numbering, Boys' function and the potential of one ---- */

/* Hermite Gaussians of total order 0 ... 4, numbered by increasing order. */
#define N_HERMITES      35
#define N_PAIR_HERMITES 10 /* of a pair of shells: order 0 ... 2 */
typedef struct {
  guint8 powers[N_HERMITES][3];
  gint8  lower[N_HERMITES];  /* index with one power less along @axis; -1 for the first */
  gint8  lowest[N_HERMITES]; /* index with two powers less; -1: none */
  guint8 axis[N_HERMITES];
  guint8 index[5][5][5];
  guint8 sum[N_PAIR_HERMITES][N_PAIR_HERMITES]; /* index with the sum of the powers */
} Hermites;

/* Returns the number of Hermite Gaussians up to a total order. */
static guint
hermites_up_to(guint order)
{
  return (order + 1) * (order + 2) * (order + 3) / 6;
}

/* Below this argument the series converges in thirty terms; above, upward recursion loses no digit: 1 * 3 * 5 * 7 /
 * (2 x)^4 is smaller than F_4 / F_0. */
#define BOYS_TURN 4.0

void
lac_boys(guint order, double x, double *values)
{
  double decay = exp(-x);

  g_assert(order <= LAC_BOYS_ORDER);
  if (x < BOYS_TURN) {
    double term = 1.0 / (2 * order + 1), sum = term;

    for (guint k = 1; term > 1e-17 * sum; k++) {
      term *= 2 * x / (2 * (order + k) + 1);
      sum += term;
    }
    values[order] = decay * sum;
    for (guint m = order; m-- > 0;)
      values[m] = (2 * x * values[m + 1] + decay) / (2 * m + 1);
    return;
  }
  values[0] = 0.5 * sqrt(G_PI / x) * erf(sqrt(x));
  for (guint m = 0; m < order; m++)
    values[m + 1] = ((2 * m + 1) * values[m] - decay) / (2 * x);
}

static void
hermites_init(Hermites *hermites)
{
  guint n = 0;

  memset(hermites, 0, sizeof *hermites);
  for (guint order = 0; order <= LAC_BOYS_ORDER; order++)
    for (guint t = 0; t <= order; t++)
      for (guint u = 0; u <= order - t; u++) {
        guint8 *powers = hermites->powers[n];
        guint   axis = 0;

        powers[0] = (guint8) t;
        powers[1] = (guint8) u;
        powers[2] = (guint8) (order - t - u);
        hermites->index[t][u][order - t - u] = (guint8) n;
        hermites->lower[n] = hermites->lowest[n] = -1;
        if (order > 0) {
          guint8 less[3] = {powers[0], powers[1], powers[2]};

          while (powers[axis] == 0)
            axis++;
          hermites->axis[n] = (guint8) axis;
          less[axis]--;
          hermites->lower[n] = (gint8) hermites->index[less[0]][less[1]][less[2]];
          if (less[axis] > 0) {
            less[axis]--;
            hermites->lowest[n] = (gint8) hermites->index[less[0]][less[1]][less[2]];
          }
        }
        n++;
      }
  for (guint i = 0; i < N_PAIR_HERMITES; i++)
    for (guint j = 0; j < N_PAIR_HERMITES; j++) {
      const guint8 *a = hermites->powers[i], *b = hermites->powers[j];

      hermites->sum[i][j] = hermites->index[a[0] + b[0]][a[1] + b[1]][a[2] + b[2]];
    }
}

/* Computes derivatives of the potential of a Gaussian charge (R_tuv of McMurchie and Davidson): @values:
 * [hermites_up_to(order)]. R^n_tuv follows from R^(n+1) of lower order, in place, because the sources have smaller
 * indices. */
static void
hermites_potential(const Hermites *hermites,
                   guint           order,
                   double          exponent,
                   const double    offset[3],
                   double         *values)
{
  double boys[LAC_BOYS_ORDER + 1], power = 1;
  double square = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];

  lac_boys(order, exponent * square, boys);
  for (guint n = 0; n <= order; n++) {
    boys[n] *= power;
    power *= -2 * exponent;
  }
  for (guint n = order + 1; n-- > 0;) {
    for (guint i = hermites_up_to(order - n); i-- > 1;) {
      guint  axis = hermites->axis[i];
      double value = offset[axis] * values[hermites->lower[i]];

      if (hermites->lowest[i] >= 0)
        value += (hermites->powers[i][axis] - 1) * values[hermites->lowest[i]];
      values[i] = value;
    }
    values[0] = boys[n];
  }
}

/* ---- integrals ---- */

#define MAX_PAIR_FUNCTIONS 9 /* of two p shells */
#define NEGLIGIBLE         1e-17 /* product of two distant Gaussians, relative to its value at one centre */

/* Expansion of x_a^i x_b^j exp(...) along one axis: E[i][j][t]; on the right two powers more than p for the kinetic
 * energy. */
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

/* Product of two primitives: a sum of Hermite Gaussians at P. */
typedef struct {
  double exponent, centre[3];
  double terms[MAX_PAIR_FUNCTIONS]
              [N_PAIR_HERMITES]; /* of function (a, b), including coefficients */
  double reversed[MAX_PAIR_FUNCTIONS][N_PAIR_HERMITES]; /* times (-1)^(t+u+v) */
} Product;

typedef struct {
  const LacShell *a, *b;
  guint           order, n_functions, n_hermites;
  guint           n_products;
  Product        *products;
} Pair;

/* Sets the powers of function @f of a shell. */
static void
function_powers(const LacShell *shell, guint f, guint powers[3])
{
  memset(powers, 0, 3 * sizeof *powers);
  if (shell->angular)
    powers[f] = 1;
}

static gboolean
product_fill(Product *product, const Pair *pair, const Hermites *hermites, guint i, guint j)
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
pair_init(Pair *pair, const LacShell *a, const LacShell *b, const Hermites *hermites)
{
  pair->a = a;
  pair->b = b;
  pair->order = a->angular + b->angular;
  pair->n_functions = (2 * a->angular + 1) * (2 * b->angular + 1);
  pair->n_hermites = hermites_up_to(pair->order);
  pair->n_products = 0;
  pair->products = g_new(Product, (gsize) a->n * b->n);
  for (guint i = 0; i < a->n; i++)
    for (guint j = 0; j < b->n; j++)
      pair->n_products +=
        (guint) product_fill(&pair->products[pair->n_products], pair, hermites, i, j);
}

/* Returns the overlap of two primitives with powers (left, right) along the three axes. */
static double
overlap_of(Expansion e[3], const guint left[3], const guint right[3])
{
  return e[0][left[0]][right[0]][0] * e[1][left[1]][right[1]][0] * e[2][left[2]][right[2]][0];
}

/* Returns -1/2 <a| Laplacian |b>, divided by (pi/p)^(3/2). */
static double
kinetic_of(Expansion e[3], double b, const guint left[3], const guint right[3])
{
  double sum = b * (2 * (right[0] + right[1] + right[2]) + 3) * overlap_of(e, left, right);

  for (guint k = 0; k < 3; k++) {
    guint raised[3] = {right[0], right[1], right[2]};

    raised[k] += 2; /* for s and p there is no term with two powers less */
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
attraction(const Pair *pair, const LacMolecule *molecule, const Hermites *hermites, double *sums)
{
  for (guint i = 0; i < pair->n_products; i++) {
    const Product *product = &pair->products[i];

    for (guint c = 0; c < molecule->n_nuclei; c++) {
      const LacNucleus *nucleus = &molecule->nuclei[c];
      double            offset[3], potential[N_HERMITES];

      for (guint k = 0; k < 3; k++)
        offset[k] = product->centre[k] - nucleus->position[k];
      hermites_potential(hermites, pair->order, product->exponent, offset, potential);
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
  gsize    n = basis->n_functions;
  Hermites hermites;

  hermites_init(&hermites);
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

/* Computes the potential of all products of @right at one product of @left: V[h][f]. */
static void
meet(const Hermites *hermites,
     const Pair     *left,
     const Product  *product,
     const Pair     *right,
     double          v[N_PAIR_HERMITES][MAX_PAIR_FUNCTIONS])
{
  memset(v, 0, N_PAIR_HERMITES * MAX_PAIR_FUNCTIONS * sizeof(double));
  for (guint i = 0; i < right->n_products; i++) {
    const Product *other = &right->products[i];
    double         p = product->exponent, q = other->exponent;
    double         weight = 2 * pow(G_PI, 2.5) / (p * q * sqrt(p + q)), offset[3];
    double         potential[N_HERMITES];

    for (guint k = 0; k < 3; k++)
      offset[k] = product->centre[k] - other->centre[k];
    hermites_potential(hermites, left->order + right->order, p * q / (p + q), offset, potential);
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
  Hermites hermites;
  Pair    *pairs;
  double  *values;
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

/* Computes integrals with all right pairs up to @item: every integral is written by exactly one item. */
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
      double v[N_PAIR_HERMITES][MAX_PAIR_FUNCTIONS];

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

  hermites_init(&work.hermites);
  for (guint s = 0; s < basis->n_shells; s++)
    for (guint t = 0; t <= s; t++)
      pair_init(&work.pairs[next++], &basis->shells[s], &basis->shells[t], &work.hermites);
  lac_pool_run(pool, n_pairs, two_of_pair, &work);
  for (gsize i = 0; i < n_pairs; i++)
    g_free(work.pairs[i].products);
  g_free(work.pairs);
}
