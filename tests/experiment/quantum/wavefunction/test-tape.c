/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of log |psi| with respect to the parameters: against differences, and their contractions against each
 * other. */
#include "base/rng.h"
#include "experiment/quantum/helpers/electrons.h"

#include <math.h>
#include <string.h>

enum {
  N_WALKERS = 21,
  N_PARAMS = 150 /* number of parameters compared with differences */,
  STEEP = 30
};

typedef struct {
  LacWavefunction *wavefunction;
  gsize            n_params;
  double          *theta, *walkers;
  double          *o; /* [N_WALKERS][n_params], one row per seed that selects one walker */
} Taped;

static void
taped_init(Taped *taped, const LacElectronSystem *system, const char *precision, LacPool *pool)
{
  double seed[N_WALKERS];

  taped->wavefunction = lac_electron_system_new(system, precision, pool);
  taped->n_params = lac_wavefunction_get_n_params(taped->wavefunction);
  taped->theta = lac_electron_system_theta(taped->wavefunction, 31, 0.05);
  taped->walkers = lac_electron_system_walkers(system, 32, N_WALKERS);
  taped->o = g_new(double, N_WALKERS * taped->n_params);
  lac_wavefunction_tape(taped->wavefunction, taped->theta, taped->walkers, N_WALKERS, NULL, NULL);
  for (gsize b = 0; b < N_WALKERS; b++) {
    for (gsize i = 0; i < N_WALKERS; i++)
      seed[i] = i == b;
    lac_wavefunction_gradient(taped->wavefunction, seed, taped->o + b * taped->n_params);
  }
}

static void
taped_clear(Taped *taped)
{
  lac_wavefunction_free(taped->wavefunction);
  g_free(taped->theta);
  g_free(taped->walkers);
  g_free(taped->o);
}

typedef struct {
  LacWavefunction *wavefunction;
  double          *theta, *moved, origin;
  const double    *walker;
} Move;

static double
move(double x, gpointer data)
{
  Move *move = data;

  *move->moved = move->origin + x;
  return log_abs_at(move->wavefunction, move->theta, move->walker);
}

static void
test_gradient(gconstpointer data)
{
  const LacElectronSystem *system = data;
  const gsize              width = 3 * (system->n_up + system->n_down);
  Taped                    taped;
  LacRng                   rng = lac_rng(33, 0);
  gsize                    n_left_out = 0;

  taped_init(&taped, system, "f64", NULL);
  for (gsize i = 0; i < N_PARAMS; i++) {
    const gsize  b = lac_rng_below(&rng, N_WALKERS), p = lac_rng_below(&rng, taped.n_params);
    Move         moves = {taped.wavefunction, taped.theta, taped.theta + p, taped.theta[p],
                          taped.walkers + b * width};
    const double exact = taped.o[b * taped.n_params + p];
    double       first, second;

    if (fabs(exact) > STEEP) { /* close to a node */
      n_left_out++;
      continue;
    }
    curve_derivatives(move, &moves, 2e-4, &first, &second);
    taped.theta[p] = moves.origin;
    g_assert_cmpfloat_with_epsilon(exact, first, 1e-7 * (1 + fabs(first)));
  }
  g_assert_cmpuint(n_left_out, <, N_PARAMS / 4);
  taped_clear(&taped);
}

/* Every parameter block has non-zero derivatives, so that the test above is not vacuous. */
static void
test_all_blocks(void)
{
  for (gsize s = 0; s < LAC_N_SMALL_SYSTEMS; s++) {
    Taped                    taped;
    gsize                    n_blocks;
    const LacParameterBlock *blocks;

    taped_init(&taped, &lac_electron_systems[s], "f64", NULL);
    blocks = lac_wavefunction_get_blocks(taped.wavefunction, &n_blocks);
    for (gsize k = 0; k < n_blocks; k++) {
      double size = 0;
      for (gsize i = 0; i < blocks[k].rows * blocks[k].columns; i++)
        size += fabs(taped.o[blocks[k].offset + i]);
      g_assert_cmpfloat(size, >, 0);
    }
    taped_clear(&taped);
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

static void
test_products(gconstpointer data)
{
  Taped              taped;
  double             seed[N_WALKERS], y[N_WALKERS];
  LacRng             rng = lac_rng(34, 0);
  g_autofree double *k = g_new(double, N_WALKERS *N_WALKERS);
  g_autofree double *v = NULL, *back = NULL;

  taped_init(&taped, data, "f64", NULL);
  v = g_new(double, taped.n_params);
  back = g_new(double, taped.n_params);
  for (gsize p = 0; p < taped.n_params; p++)
    v[p] = lac_rng_normal(&rng);
  for (gsize b = 0; b < N_WALKERS; b++)
    seed[b] = lac_rng_normal(&rng);
  lac_wavefunction_apply(taped.wavefunction, v, y);
  lac_wavefunction_gram(taped.wavefunction, k);
  lac_wavefunction_gradient(taped.wavefunction, seed, back);
  for (gsize b = 0; b < N_WALKERS; b++) {
    const double *row = taped.o + b * taped.n_params, own = dot(row, row, taped.n_params);

    g_assert_cmpfloat_with_epsilon(y[b], dot(row, v, taped.n_params), 1e-11 * (1 + own));
    for (gsize c = 0; c < N_WALKERS; c++) {
      const double *other = taped.o + c * taped.n_params;
      const double  size = sqrt(own * dot(other, other, taped.n_params));
      g_assert_cmpfloat_with_epsilon(k[b * N_WALKERS + c], dot(row, other, taped.n_params),
                                     1e-10 * size);
    }
  }
  g_assert_cmpfloat_with_epsilon(
    dot(back, v, taped.n_params), dot(seed, y, N_WALKERS),
    1e-10 * (1 + sqrt(dot(back, back, taped.n_params) * dot(v, v, taped.n_params))));
  taped_clear(&taped);
}

/* A walker that uses a matrix once has O = a delta^T: the sum of the squares of O is the sum over walkers of |a|^2
 * |delta|^2, and the factors' traces are its means. For more repeats: the bias element of the factor is the mean of
 * 1. */
static void
test_factors(gconstpointer data)
{
  Taped                    taped;
  gsize                    n_blocks;
  const LacParameterBlock *blocks;

  taped_init(&taped, data, "f64", NULL);
  blocks = lac_wavefunction_get_blocks(taped.wavefunction, &n_blocks);
  for (gsize i = 0; i < n_blocks; i++) {
    const gsize        rows = blocks[i].rows, columns = blocks[i].columns, n = rows * columns;
    g_autofree double *a = g_new(double, rows *rows);
    g_autofree double *g = g_new(double, MAX(columns * columns, n));

    lac_wavefunction_factors(taped.wavefunction, i, a, g);
    if (blocks[i].kind == LAC_BLOCK_SINGLE) {
      for (gsize p = 0; p < n; p++) {
        double mean = 0;
        for (gsize b = 0; b < N_WALKERS; b++)
          mean += pow(taped.o[b * taped.n_params + blocks[i].offset + p], 2) / N_WALKERS;
        g_assert_cmpfloat_with_epsilon(g[p], mean, 1e-12 * (1 + mean));
      }
      continue;
    }
    for (gsize r = 0; r < rows; r++)
      for (gsize c = 0; c < rows; c++)
        g_assert_cmpfloat_with_epsilon(a[r * rows + c], a[c * rows + r], 1e-12);
    for (gsize r = 0; r < columns; r++)
      for (gsize c = 0; c < columns; c++)
        g_assert_cmpfloat_with_epsilon(g[r * columns + c], g[c * columns + r],
                                       1e-12 * (1 + fabs(g[r * columns + c])));
    if (blocks[i].kind == LAC_BLOCK_LAYER)
      g_assert_cmpfloat_with_epsilon(a[n / columns * rows - 1], 1, 1e-14);
  }
  taped_clear(&taped);
}

/* With one electron and one walker the factors are exactly a a^T and delta delta^T of O = a delta^T. */
static void
test_factors_of_one(void)
{
  g_autoptr(LacWavefunction) wavefunction =
    lac_electron_system_new(&lac_electron_systems[0], "f64", NULL);
  g_autofree double       *theta = lac_electron_system_theta(wavefunction, 41, 0.1);
  g_autofree double       *walker = lac_electron_system_walkers(&lac_electron_systems[0], 42, 1);
  g_autofree double       *o = g_new(double, lac_wavefunction_get_n_params(wavefunction));
  gsize                    n_blocks;
  const LacParameterBlock *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  const double             seed = 1;

  lac_wavefunction_tape(wavefunction, theta, walker, 1, NULL, NULL);
  lac_wavefunction_gradient(wavefunction, &seed, o);
  for (gsize i = 0; i < n_blocks && blocks[i].kind != LAC_BLOCK_SINGLE; i++) {
    const gsize        rows = blocks[i].rows, columns = blocks[i].columns;
    g_autofree double *a = g_new(double, rows *rows), *g = g_new(double, columns *columns);
    const double      *matrix = o + blocks[i].offset;

    lac_wavefunction_factors(wavefunction, i, a, g);
    for (gsize r = 0; r < rows; r++)
      for (gsize c = 0; c < columns; c++) {
        const double square = matrix[r * columns + c] * matrix[r * columns + c];
        g_assert_cmpfloat_with_epsilon(a[r * rows + r] * g[c * columns + c], square,
                                       1e-12 * (1 + square));
      }
  }
}

/* The reverse of any phi_bar along a direction of theta is the derivative of the sum of phi_bar phi along that
 * direction. */
static void
test_orbitals(gconstpointer data)
{
  const LacElectronSystem   *system = data;
  const gsize                n_electrons = system->n_up + system->n_down, n_walkers = 5;
  const gsize                k = system->ansatz.n_determinants;
  const gsize                n = n_walkers * k * n_electrons * n_electrons;
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(system, "f64", NULL);
  const gsize                n_params = lac_wavefunction_get_n_params(wavefunction);
  g_autofree double         *theta = lac_electron_system_theta(wavefunction, 51, 0.05);
  g_autofree double         *walkers = lac_electron_system_walkers(system, 52, n_walkers);
  g_autofree double         *phi = g_new(double, n), *phi_bar = g_new(double, n);
  g_autofree double *direction = g_new(double, n_params), *theta_bar = g_new(double, n_params);
  const double       h = 1e-4;
  double             difference = 0, size = 0;
  LacRng             rng = lac_rng(53, 0);

  for (gsize i = 0; i < n; i++)
    phi_bar[i] = lac_rng_normal(&rng);
  for (gsize i = 0; i < n_params; i++)
    direction[i] = lac_rng_normal(&rng) / sqrt((double) n_params);
  lac_wavefunction_orbitals_reverse(wavefunction, theta, walkers, n_walkers, phi_bar, theta_bar);
  for (int side = -2; side <= 2; side++) {
    static const double weights[] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};
    for (gsize i = 0; i < n_params; i++)
      theta[i] += side * h * direction[i];
    lac_wavefunction_orbitals(wavefunction, theta, walkers, n_walkers, phi);
    for (gsize i = 0; i < n_params; i++)
      theta[i] -= side * h * direction[i];
    for (gsize i = 0; i < n; i++) {
      difference += weights[side + 2] * phi_bar[i] * phi[i] / h;
      size += fabs(phi_bar[i] * phi[i]);
    }
  }
  g_assert_cmpfloat_with_epsilon(dot(theta_bar, direction, n_params), difference,
                                 1e-9 * (1 + size));
}

/* With zero orbitals psi is 0 everywhere: log |psi| is -infinity, and every result is 0. */
static void
test_nowhere(gconstpointer data)
{
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(data, "f64", NULL);
  const gsize                n_params = lac_wavefunction_get_n_params(wavefunction);
  g_autofree double         *theta = lac_electron_system_theta(wavefunction, 61, 0);
  g_autofree double         *walkers = lac_electron_system_walkers(data, 62, N_WALKERS);
  g_autofree double         *theta_bar = g_new(double, n_params);
  double                     log_abs[N_WALKERS], k[N_WALKERS * N_WALKERS], y[N_WALKERS];
  gint8                      sign[N_WALKERS];
  gsize                      n_blocks;
  const LacParameterBlock   *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);

  for (gsize i = 0; i < n_blocks; i++)
    if (blocks[i].kind == LAC_BLOCK_ORBITAL)
      memset(theta + blocks[i].offset, 0, blocks[i].rows * blocks[i].columns * sizeof *theta);
  lac_wavefunction_tape(wavefunction, theta, walkers, N_WALKERS, log_abs, sign);
  for (gsize b = 0; b < N_WALKERS; b++) {
    g_assert_cmpfloat(log_abs[b], ==, -HUGE_VAL);
    g_assert_cmpint(sign[b], ==, 0);
    y[b] = 1;
  }
  lac_wavefunction_gradient(wavefunction, y, theta_bar);
  lac_wavefunction_gram(wavefunction, k);
  lac_wavefunction_apply(wavefunction, theta, y);
  for (gsize p = 0; p < n_params; p++)
    g_assert_cmpfloat(theta_bar[p], ==, 0);
  for (gsize b = 0; b < N_WALKERS; b++)
    g_assert_cmpfloat(y[b], ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(k); i++)
    g_assert_cmpfloat(k[i], ==, 0);
}

static void
test_threads(gconstpointer data)
{
  g_autoptr(LacPool) pool = lac_pool_new(3);
  g_autofree double *k = g_new(double, N_WALKERS *N_WALKERS);
  g_autofree double *other = g_new(double, N_WALKERS *N_WALKERS);
  Taped              one, three;

  taped_init(&one, &lac_electron_systems[7], data, NULL);
  taped_init(&three, &lac_electron_systems[7], data, pool);
  g_assert_cmpmem(one.o, N_WALKERS * one.n_params * sizeof(double), three.o,
                  N_WALKERS * three.n_params * sizeof(double));
  lac_wavefunction_gram(one.wavefunction, k);
  lac_wavefunction_gram(three.wavefunction, other);
  g_assert_cmpmem(k, N_WALKERS * N_WALKERS * sizeof *k, other, N_WALKERS * N_WALKERS * sizeof *k);
  taped_clear(&one);
  taped_clear(&three);
}

/* All vector widths give the same results except for the order of sums. */
static void
test_levels(gconstpointer data)
{
  static const char *const levels[] = {"v4", "v3", "baseline"};
  const char              *precision = data;
  const double             tolerance = g_str_equal(precision, "f64") ? 1e-11 : 1e-4;
  double                   first[N_WALKERS * N_WALKERS], k[N_WALKERS * N_WALKERS];

  for (gsize i = 0; i < G_N_ELEMENTS(levels); i++) {
    Taped taped;

    g_setenv("LACUNA_CPU_LEVEL", levels[i], TRUE);
    taped_init(&taped, &lac_electron_systems[3], precision, NULL);
    lac_wavefunction_gram(taped.wavefunction, i ? k : first);
    for (gsize b = 0; i && b < N_WALKERS; b++)
      for (gsize c = 0; c < N_WALKERS; c++) {
        const double size = sqrt(first[b * N_WALKERS + b] * first[c * N_WALKERS + c]);
        g_assert_cmpfloat_with_epsilon(k[b * N_WALKERS + c], first[b * N_WALKERS + c],
                                       tolerance * size);
      }
    taped_clear(&taped);
  }
  g_unsetenv("LACUNA_CPU_LEVEL");
}

int
main(int argc, char **argv)
{
  static const struct {
    const char   *name;
    GTestDataFunc func;
  } tests[] = {
    {"derivatives-are-those-of-the-value", test_gradient},
    {"products-are-those-of-the-derivatives", test_products},
    {"factors-are-means-of-products", test_factors},
    {"orbitals-go-back-to-the-parameters", test_orbitals},
    {"where-psi-vanishes-nothing-is-learnt", test_nowhere},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
    for (gsize s = 0; s < LAC_N_SMALL_SYSTEMS; s++) {
      g_autofree char *name = g_strdup_printf("/quantum/tape/%s/%zu", tests[i].name, s);
      g_test_add_data_func(name, &lac_electron_systems[s], tests[i].func);
    }
  g_test_add_func("/quantum/tape/every-block-has-derivatives", test_all_blocks);
  g_test_add_func("/quantum/tape/factors-of-one-walker-are-its-derivatives", test_factors_of_one);
  g_test_add_data_func("/quantum/tape/vectors-of-any-width-agree/f64", "f64", test_levels);
  g_test_add_data_func("/quantum/tape/vectors-of-any-width-agree/f32", "f32", test_levels);
  g_test_add_data_func("/quantum/tape/threads-change-no-bit/f64", "f64", test_threads);
  g_test_add_data_func("/quantum/tape/threads-change-no-bit/f32", "f32", test_threads);
  return g_test_run();
}
