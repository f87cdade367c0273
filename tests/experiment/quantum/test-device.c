/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers on the emulated CUDA device against the processor in double precision. */
#include "electrons.h"
#include "emulated.h"

#include "base/error.h"
#include "base/rng.h"
#include "experiment/quantum/sampler.h"

#include <math.h>
#include <string.h>

enum { N_WALKERS = 9 };

typedef struct {
  const System *system;
  const char   *precision;
} Case;

/* In double precision behind the checks of the strict backend. */
static gboolean
open_for(const Case *c, LacDevice *device)
{
  return g_str_equal(c->precision, "f64") ? emulated_open_strict(device) : emulated_open(device);
}

/* What both say of the same walkers. */
typedef struct {
  double *log_abs, *gradient, *kinetic;
  gint8  *sign;
  gsize   n;
} Answers;

static Answers
answers_new(const LacWavefunction *wave)
{
  const gsize n = 3 * lac_wavefunction_get_n_electrons(wave) * N_WALKERS;

  return (Answers){g_new0(double, N_WALKERS), g_new0(double, n), g_new0(double, N_WALKERS),
                   g_new0(gint8, N_WALKERS), n};
}

static void
answers_clear(Answers *answers)
{
  g_free(answers->log_abs);
  g_free(answers->gradient);
  g_free(answers->kinetic);
  g_free(answers->sign);
}

static void
ask(LacWavefunction *wave, const double *theta, const double *walkers, const Answers *to)
{
  const LacLocal local = {to->log_abs, to->sign, to->gradient, to->kinetic};

  lac_wavefunction_local(wave, theta, walkers, N_WALKERS, &local);
  g_assert_true(lac_wavefunction_check_device(wave, NULL));
}

static void
assert_near(double found, double right, double tolerance)
{
  g_assert_cmpfloat_with_epsilon(found, right, tolerance * MAX(1, fabs(right)));
}

static void
compare(const Answers *found, const Answers *right, double tolerance)
{
  for (gsize b = 0; b < N_WALKERS; b++) {
    g_assert_cmpint(found->sign[b], ==, right->sign[b]);
    assert_near(found->log_abs[b], right->log_abs[b], tolerance);
    assert_near(found->kinetic[b], right->kinetic[b], 100 * tolerance);
  }
  for (gsize i = 0; i < found->n; i++)
    assert_near(found->gradient[i], right->gradient[i], 10 * tolerance);
}

/* Sums of at most a thousand products in another order, and derivatives of a sum of determinants that nearly vanishes: 1e-11 of
 * 1 is 5e4 roundings in double precision, 2e-5 about 170 in single. */
static void
test_local(gconstpointer data)
{
  const Case                *c = data;
  const double               tolerance = g_str_equal(c->precision, "f64") ? 1e-11 : 2e-5;
  LacDevice                  device;
  g_autoptr(LacWavefunction) right = system_new(c->system, "f64", NULL);
  g_autoptr(LacWavefunction) wave = system_new(c->system, c->precision, NULL);
  g_autofree double         *theta = system_theta(right, 5, 0.1);
  g_autofree double         *walkers = system_walkers(c->system, 11, N_WALKERS);
  Answers                    on_processor = answers_new(right), on_device = answers_new(right);
  gint8                      sign[N_WALKERS];
  double                     log_abs[N_WALKERS];

  if (!open_for(c, &device))
    return;
  emulated_set_order(EMULATED_RANDOM, 3);
  g_assert_true(lac_wavefunction_set_device(wave, &device, NULL));
  g_assert_true(lac_wavefunction_is_on_device(wave));
  ask(right, theta, walkers, &on_processor);
  ask(wave, theta, walkers, &on_device);
  compare(&on_device, &on_processor, tolerance);
  lac_wavefunction_value(wave, theta, walkers, N_WALKERS, log_abs, sign);
  for (gsize b = 0; b < N_WALKERS; b++) {
    g_assert_cmpint(sign[b], ==, on_processor.sign[b]);
    assert_near(log_abs[b], on_processor.log_abs[b], tolerance);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_wavefunction_free(g_steal_pointer(&wave));
  lac_device_close(&device);
  answers_clear(&on_processor);
  answers_clear(&on_device);
}

/* ---- derivatives ---- */

static double *
normals(guint64 seed, gsize n)
{
  LacRng  rng = lac_rng(seed, 0);
  double *values = g_new(double, n);

  lac_rng_normals(&rng, values, n);
  return values;
}

static double
largest_off(const double *found, const double *right, gsize n)
{
  double off = 0;

  for (gsize i = 0; i < n; i++)
    off = fmax(off, fabs(found[i] - right[i]));
  return off;
}

/* The processor in double precision, in that of the device, and the device. */
enum { RIGHT, ALIKE, FOUND, N_WAVES };

/* Sums over walkers and parameters may cancel, so numbers are near within the largest of them; and where psi is small a rounding
 * of an orbital counts much: the device may be off by eight times what the processor is off in the same precision. */
static void
assert_all_near(double *const numbers[N_WAVES], gsize n, double tolerance)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmax(most, fabs(numbers[RIGHT][i]));
  g_assert_cmpfloat(largest_off(numbers[FOUND], numbers[RIGHT], n), <=,
                    tolerance * most + 8 * largest_off(numbers[ALIKE], numbers[RIGHT], n));
}

/* Where @call writes @n numbers to `to` of `self`. */
#define ASSERT_SAME(n, tolerance, call)                        \
  do {                                                         \
    double *numbers[N_WAVES];                                  \
    for (guint which = 0; which < N_WAVES; which++) {          \
      LacWavefunction *self = waves[which];                    \
      double          *to = numbers[which] = g_new(double, n); \
      call;                                                    \
    }                                                          \
    assert_all_near(numbers, n, tolerance);                    \
    for (guint which = 0; which < N_WAVES; which++)            \
      g_free(numbers[which]);                                  \
  } while (0)

/* What the device solves, put back into its equation with its own Gram matrix. A residual of Cholesky's: its condition is below
 * the largest number over the damping. */
static void
check_solve(LacWavefunction *const waves[N_WAVES], const double *right)
{
  enum { N = N_WALKERS };
  const double damping = 1e-2;
  double       k[N * N], x[N], mean[N] = {0}, all = 0, largest = 1;

  memcpy(x, right, sizeof x);
  lac_wavefunction_gram(waves[FOUND], k);
  g_assert_false(lac_wavefunction_solves(waves[ALIKE]));
  g_assert_true(lac_wavefunction_solve(waves[FOUND], damping, x));
  for (gsize b = 0; b < N; b++) {
    for (gsize c = 0; c < N; c++)
      mean[b] += k[b * N + c] / N;
    all += mean[b] / N;
  }
  for (gsize b = 0; b < N; b++)
    largest = fmax(largest, k[b * N + b] / damping);
  for (gsize b = 0; b < N; b++) {
    double sum = damping * x[b];

    for (gsize c = 0; c < N; c++)
      sum += (k[b * N + c] - mean[b] - mean[c] + all + 1) / N * x[c];
    g_assert_cmpfloat_with_epsilon(sum, right[b], 1e-14 * largest);
  }
}

static void
compare_derivatives(LacWavefunction *const waves[N_WAVES],
                    const Case            *c,
                    const double          *theta,
                    double                 tolerance)
{
  const gsize        n_params = lac_wavefunction_get_n_params(waves[RIGHT]), n = N_WALKERS;
  const gsize        n_electrons = lac_wavefunction_get_n_electrons(waves[RIGHT]);
  const gsize        n_orbitals = n * c->system->ansatz.n_determinants * n_electrons * n_electrons;
  g_autofree double *walkers = system_walkers(c->system, 11, n);
  g_autofree double *seed = normals(2, n), *v = normals(3, n_params);
  g_autofree double *phi_bar = normals(4, n_orbitals);
  gint8              sign[N_WAVES][N_WALKERS];

  ASSERT_SAME(n, tolerance, lac_wavefunction_tape(self, theta, walkers, n, to, sign[which]));
  g_assert_cmpmem(sign[RIGHT], sizeof sign[0], sign[FOUND], sizeof sign[0]);
  ASSERT_SAME(n_params, tolerance, lac_wavefunction_gradient(self, seed, to));
  ASSERT_SAME(n, tolerance, lac_wavefunction_apply(self, v, to));
  ASSERT_SAME(n * n, tolerance, lac_wavefunction_gram(self, to));
  check_solve(waves, seed);
  ASSERT_SAME(n_orbitals, tolerance, lac_wavefunction_orbitals(self, theta, walkers, n, to));
  ASSERT_SAME(n_params, tolerance,
              lac_wavefunction_orbitals_reverse(self, theta, walkers, n, phi_bar, to));
}

static void
test_derivatives(gconstpointer data)
{
  const Case                *c = data;
  const double               tolerance = g_str_equal(c->precision, "f64") ? 1e-11 : 2e-6;
  LacDevice                  device;
  g_autoptr(LacWavefunction) here = system_new(c->system, "f64", NULL);
  g_autoptr(LacWavefunction) alike = system_new(c->system, c->precision, NULL);
  g_autoptr(LacWavefunction) there = system_new(c->system, c->precision, NULL);
  g_autofree double         *theta = system_theta(here, 5, 0.1);
  LacWavefunction *const     waves[N_WAVES] = {here, alike, there};

  if (!open_for(c, &device))
    return;
  emulated_set_order(EMULATED_RANDOM, 4);
  g_assert_true(lac_wavefunction_set_device(there, &device, NULL));
  compare_derivatives(waves, c, theta, tolerance);
  g_assert_true(lac_wavefunction_check_device(there, NULL));
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_wavefunction_free(g_steal_pointer(&there));
  lac_device_close(&device);
}

/* ---- moves ---- */

typedef struct {
  LacWavefunction *wave;
  const double    *theta;
} Psi;

static void
amplitude(const double *positions, gsize n, double *log_abs, double *gradient, gpointer data)
{
  const Psi     *psi = data;
  const LacLocal local = {.log_abs = log_abs, .gradient = gradient};

  lac_wavefunction_local(psi->wave, psi->theta, positions, n, &local);
}

static void
move_on_device(const LacElectronMoves *moves, gsize n, gpointer data)
{
  const Psi *psi = data;

  lac_wavefunction_move(psi->wave, psi->theta, moves, n);
  g_assert_true(lac_wavefunction_check_device(psi->wave, NULL));
}

typedef struct {
  const System *system;
  LacProposal   proposal;
} Way;

static LacSampler *
sampler_of(const Way *way, Psi *psi, LacPool *pool)
{
  const LacSamplerSettings settings = {
    .molecule = lac_wavefunction_get_molecule(psi->wave),
    .n_walkers = N_WALKERS,
    .proposal = way->proposal,
    .exchange = 0.2,
    .width = 0.3,
    .seed = 21,
    .pool = pool,
    .amplitude = amplitude,
    .moves = lac_wavefunction_is_on_device(psi->wave) ? move_on_device : NULL,
    .user_data = psi,
  };

  return lac_sampler_new(&settings);
}

/* The same random numbers and formulas: walkers on the device go where those on the processor go, move for move. What log |psi|
 * differs by, 1e-12, decides otherwise once in about 1e12 moves; a wrong decision leaves walkers bohrs apart. */
static void
test_moves(gconstpointer data)
{
  const Way                 *way = data;
  LacDevice                  device;
  g_autoptr(LacPool)         pool = lac_pool_new(1);
  g_autoptr(LacWavefunction) here = system_new(way->system, "f64", NULL);
  g_autoptr(LacWavefunction) there = system_new(way->system, "f64", NULL);
  g_autofree double         *theta = system_theta(here, 5, 0.1);
  const gsize                n = 3 * lac_wavefunction_get_n_electrons(here) * N_WALKERS;
  Psi                        on_processor = {here, theta}, on_device = {there, theta};

  if (!emulated_open_strict(&device))
    return;
  emulated_set_order(EMULATED_REVERSE, 0);
  g_assert_true(lac_wavefunction_set_device(there, &device, NULL));
  g_autoptr(LacSampler) right = sampler_of(way, &on_processor, pool);
  g_autoptr(LacSampler) found = sampler_of(way, &on_device, pool);
  for (guint k = 0; k < 3; k++) {
    const double accepted = lac_sampler_move(right, 7);

    g_assert_cmpfloat(accepted, >, 0);
    g_assert_cmpfloat(accepted, <, 1);
    g_assert_cmpfloat(lac_sampler_move(found, 7), ==, accepted);
    for (gsize i = 0; i < n; i++)
      assert_near(lac_sampler_get_positions(found)[i], lac_sampler_get_positions(right)[i], 1e-10);
    for (gsize b = 0; b < N_WALKERS; b++)
      assert_near(lac_sampler_get_log_abs(found)[b], lac_sampler_get_log_abs(right)[b], 1e-9);
    lac_sampler_adapt(right, accepted, 0.3);
    lac_sampler_adapt(found, accepted, 0.3);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_wavefunction_free(g_steal_pointer(&there));
  lac_device_close(&device);
}

/* Fourteen electrons under full determinants: more than a block's own memory holds. */
static const System nitrogen = {
  "N2", 2, 7, 7, {{7, {0, 0, 0}}, {7, {0, 0, 2.068}}}, {32, 8, 2, 2, TRUE, FALSE, FALSE}};

/* Layers whose products are the library's. */
static const System wide = {
  "wide", 2, 2, 2, {{3, {0, 0, 0}}, {1, {0, 0, 3.015}}}, {192, 6, 3, 2, TRUE, TRUE, TRUE}};

int
main(int argc, char **argv)
{
  static Case      cases[N_SYSTEMS + 2][2];
  static const Way ways[] = {
    {&systems[0], LAC_PROPOSAL_NORMAL},        {&systems[3], LAC_PROPOSAL_NORMAL},
    {&systems[7], LAC_PROPOSAL_HARMONIC_MEAN}, {&systems[8], LAC_PROPOSAL_LANGEVIN},
    {&nitrogen, LAC_PROPOSAL_NORMAL},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < N_SYSTEMS + 2; i++)
    for (gsize k = 0; k < 2; k++) {
      const System    *system = i < N_SYSTEMS ? &systems[i] : i == N_SYSTEMS ? &nitrogen : &wide;
      g_autofree char *path = g_strdup_printf("/quantum/device/local-%s-%" G_GSIZE_FORMAT "-%s",
                                              system->name, i, k ? "f32" : "f64");
      cases[i][k] = (Case){system, k ? "f32" : "f64"};
      g_autofree char *other =
        g_strdup_printf("/quantum/device/derivatives-%s-%" G_GSIZE_FORMAT "-%s", system->name, i,
                        k ? "f32" : "f64");
      g_test_add_data_func(path, &cases[i][k], test_local);
      g_test_add_data_func(other, &cases[i][k], test_derivatives);
    }
  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
    g_autofree char *path =
      g_strdup_printf("/quantum/device/moves-%s-%d", ways[i].system->name, ways[i].proposal);
    g_test_add_data_func(path, &ways[i], test_moves);
  }
  return g_test_run();
}
