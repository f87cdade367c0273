/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Laplacian of a determinant from the jets of its entries, compared with differences of the determinant. */
#include "base/rng.h"
#include "helpers/curve.h"

#include <math.h>

/* Most of the included kernels are not called here. */
#pragma GCC diagnostic ignored "-Wunused-function"
#define LAC_LEVEL baseline
#define LAC_REAL_F64
#include "backend/cpu/electrons/local-orbitals.inc"

enum { MOST_ROWS = 7, MOST_ROWS_OF_PHI = 3 * MOST_ROWS + 2, MOST_ENTRIES = MOST_ROWS * MOST_ROWS };

/* Phi(x) = origin + sum over t of x_t tangent_t + |x|^2 / 2 bend, with three x per electron; for one lane. */
typedef struct {
  gsize  n;
  double origin[MOST_ENTRIES], bend[MOST_ENTRIES], tangent[3 * MOST_ROWS][MOST_ENTRIES];
  gsize  along; /* the t that varies */
} Family;

static void
draw_entries(LacRng *rng, gsize n, double *entries)
{
  for (gsize i = 0; i < n * n; i++)
    entries[i] = lac_rng_normal(rng);
}

static void
draw_family(LacRng *rng, gsize n, Family *family)
{
  family->n = n;
  family->along = 0;
  draw_entries(rng, n, family->origin);
  draw_entries(rng, n, family->bend);
  for (gsize t = 0; t < 3 * n; t++)
    draw_entries(rng, n, family->tangent[t]);
}

/* Determinant by elimination, with the largest pivot of each column. */
static double
eliminated(gsize n, double a[MOST_ROWS][MOST_ROWS])
{
  double product = 1;

  for (gsize k = 0; k < n; k++) {
    gsize best = k;

    for (gsize i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    for (gsize m = 0; m < n && best != k; m++) {
      const double held = a[k][m];
      a[k][m] = a[best][m];
      a[best][m] = held;
    }
    product *= best == k ? a[k][k] : -a[k][k];
    for (gsize i = k + 1; i < n; i++)
      for (gsize m = n; m-- > k;)
        a[i][m] -= a[i][k] / a[k][k] * a[k][m];
  }
  return product;
}

static double
determinant_at(double x, gpointer data)
{
  const Family *family = data;
  double        a[MOST_ROWS][MOST_ROWS];

  for (gsize i = 0; i < family->n; i++)
    for (gsize m = 0; m < family->n; m++) {
      const gsize k = i * family->n + m;
      a[i][m] =
        family->origin[k] + x * family->tangent[family->along][k] + x * x / 2 * family->bend[k];
    }
  return eliminated(family->n, a);
}

/* Writes the rows of a jet: value, Laplacian (|x|^2 / 2 contributes one per direction), tangents. */
static void
put_lane(const Family *family, gsize lane, V *phi)
{
  const gsize n = family->n, size = n * n;

  for (gsize k = 0; k < size; k++) {
    phi[k][lane] = family->origin[k];
    phi[size + k][lane] = 3 * (double) n * family->bend[k];
    for (gsize t = 0; t < 3 * n; t++)
      phi[(FIRST_TANGENT + t) * size + k][lane] = family->tangent[t][k];
  }
}

static void
compare_lane(Family *family, const Jet *jet, gsize lane)
{
  const double scale = exp(jet->det.scale[lane]), value = determinant_at(0, family);
  double       laplacian = 0, size = fabs(value);

  g_assert_cmpfloat_with_epsilon(jet->det.value[lane] * scale, value, 1e-12 * (1 + fabs(value)));
  for (family->along = 0; family->along < 3 * family->n; family->along++) {
    double first, second;

    curve_derivatives(determinant_at, family, 0.01, &first, &second);
    g_assert_cmpfloat_with_epsilon(jet->gradient[family->along][lane] * scale, first,
                                   1e-8 * (size + fabs(first)));
    laplacian += second;
    size += fabs(second);
  }
  g_assert_cmpfloat_with_epsilon(jet->laplacian[lane] * scale, laplacian, 1e-8 * size);
}

/* Matrices differ from lane to lane. */
static void
test_laplacian(gconstpointer data)
{
  const gsize            n = GPOINTER_TO_SIZE(data);
  const LacElectronShape shape = {.n_electrons = n, .most_columns = n};
  const LacElectronTask  task = {.shape = &shape};
  LacRng                 rng = lac_rng(6, n);
  Family                 families[D_LANES];
  V                      phi[MOST_ROWS_OF_PHI * MOST_ENTRIES];
  D             a[MOST_ENTRIES], c[MOST_ENTRIES], tangent[MOST_ENTRIES], product[MOST_ENTRIES];
  D             elimination[2 * MOST_ENTRIES], gradient[3 * MOST_ROWS];
  const Scratch scratch = {
    .a = a, .c = c, .tangent = tangent, .product = product, .elimination = elimination};
  const Matrix matrix = {.phi = phi, .n = n, .row = n};
  Jet          jet = {.gradient = gradient};

  for (gsize lane = 0; lane < D_LANES; lane++) {
    draw_family(&rng, n, &families[lane]);
    put_lane(&families[lane], lane, phi);
  }
  local_matrix(&task, &matrix, &scratch, &jet);
  for (gsize lane = 0; lane < D_LANES; lane++)
    compare_lane(&families[lane], &jet, lane);
}

/* Checks a product of two, one per spin, over the same x. */
static void
test_product(void)
{
  D   first[6], second[6];
  Jet one = {.det = {d_set(2), d_set(0.5)}, .laplacian = d_set(3), .gradient = first};
  Jet other = {.det = {d_set(-1), d_set(0.25)}, .laplacian = d_set(5), .gradient = second};

  for (gsize t = 0; t < 6; t++) {
    first[t] = d_set((double) t);
    second[t] = d_set(1);
  }
  multiply_jets(&one, &other, 6);
  /* Delta(fg) = f Delta g + g Delta f + 2 grad f . grad g, grad f . grad g = 0 + 1 + ... + 5 */
  g_assert_cmpfloat(one.det.value[0], ==, -2);
  g_assert_cmpfloat(one.det.scale[0], ==, 0.75);
  g_assert_cmpfloat(one.laplacian[0], ==, 2 * 5 - 3 + 2 * 15);
  for (gsize t = 0; t < 6; t++)
    g_assert_cmpfloat(first[t][0], ==, 2 - (double) t);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize n = 1; n <= MOST_ROWS; n++) {
    g_autofree char *path =
      g_strdup_printf("/quantum/determinant/laplacian-of-%" G_GSIZE_FORMAT "-rows", n);

    g_test_add_data_func(path, GSIZE_TO_POINTER(n), test_laplacian);
  }
  g_test_add_func("/quantum/determinant/a-product-of-two", test_product);
  return g_test_run();
}
