/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers on a device compared with the CPU in double precision. */
#include "experiment/quantum/sampling/electron-contract.h"

#include "base/rng.h"
#include "experiment/quantum/sampling/sampler.h"

#include <math.h>
#include <string.h>

/* one width, pair width, layers, determinants, full, jastrow, rescale */
const LacElectronSystem lac_electron_systems[LAC_N_ELECTRON_SYSTEMS] = {
  {"H", 1, 1, 0, {{1, {0.1, -0.2, 0.3}}}, {16, 4, 1, 1, TRUE, FALSE, FALSE}},
  {"He+", 1, 0, 1, {{2, {0, 0, 0}}}, {12, 3, 2, 3, FALSE, FALSE, TRUE}},
  {"He", 1, 1, 1, {{2, {0, 0, 0}}}, {9, 5, 3, 2, TRUE, TRUE, FALSE}},
  {"H2", 2, 1, 1, {{1, {0, 0, 0}}, {1, {0, 0, 1.4}}}, {64, 8, 2, 2, TRUE, FALSE, FALSE}},
  {"H2", 2, 1, 1, {{1, {0, 0, -0.7}}, {1, {0, 0, 0.7}}}, {8, 8, 2, 1, FALSE, TRUE, TRUE}},
  {"H3",
   3,
   3,
   0,
   {{1, {0, 0, 0}}, {1, {0, 0, 1.8}}, {1, {0, 1.7, 0.9}}},
   {12, 4, 2, 2, TRUE, TRUE, FALSE}},
  {"Li", 1, 2, 1, {{3, {0, 0, 0}}}, {20, 7, 4, 3, TRUE, FALSE, FALSE}},
  {"LiH", 2, 2, 2, {{3, {0, 0, 0}}, {1, {0, 0, 3.015}}}, {17, 6, 3, 2, TRUE, TRUE, TRUE}},
  {"Be", 1, 2, 2, {{4, {0, 0, 0}}}, {16, 4, 2, 2, FALSE, FALSE, FALSE}},
  {"F", 1, 5, 4, {{9, {0, 0, 0}}}, {10, 3, 2, 2, FALSE, TRUE, FALSE}},
  {"N2", 2, 7, 7, {{7, {0, 0, 0}}, {7, {0, 0, 2.068}}}, {32, 8, 2, 2, TRUE, FALSE, FALSE}},
  {"wide", 2, 2, 2, {{3, {0, 0, 0}}, {1, {0, 0, 3.015}}}, {192, 6, 3, 2, TRUE, TRUE, TRUE}},
  {"F-wide", 1, 5, 4, {{9, {0, 0, 0}}}, {640, 6, 2, 1, TRUE, FALSE, FALSE}},
};

LacWavefunction *
lac_electron_system_new(const LacElectronSystem *system, const char *precision, LacPool *pool)
{
  g_autoptr(LacMolecule) molecule =
    lac_molecule_new(system->name, system->n_nuclei, system->nuclei, system->n_up, system->n_down);
  LacWavefunction *wavefunction =
    lac_wavefunction_new(molecule, &system->ansatz, precision, pool, NULL);

  g_assert(wavefunction != NULL); /* the systems are those of the table above */
  return wavefunction;
}

double *
lac_electron_system_walkers(const LacElectronSystem *system, guint64 seed, gsize n)
{
  const gsize n_electrons = system->n_up + system->n_down;
  LacRng      rng = lac_rng(seed, 0);
  double     *walkers = g_new(double, n *n_electrons * 3);

  for (gsize i = 0; i < n * n_electrons; i++) {
    const double *centre = system->nuclei[i % system->n_nuclei].position;
    double        square = 0;

    while (square < 0.25) {
      square = 0;
      for (gsize c = 0; c < 3; c++) {
        const double step = lac_rng_normal(&rng);
        walkers[3 * i + c] = centre[c] + step;
        square += step * step;
      }
    }
  }
  return walkers;
}

double *
lac_electron_system_theta(const LacWavefunction *wavefunction, guint64 seed, double noise)
{
  const gsize n = lac_wavefunction_get_n_params(wavefunction);
  double     *theta = g_new(double, n);
  LacRng      rng = lac_rng(seed, 1);

  lac_wavefunction_init(wavefunction, seed, theta);
  for (gsize i = 0; i < n; i++)
    theta[i] += noise * lac_rng_normal(&rng);
  return theta;
}

enum { N_WALKERS = 9 };

static const char *
precision_of(const LacContract *contract)
{
  return contract->type == LAC_F64 ? "f64" : "f32";
}

/* Results of one implementation for the same walkers. */
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
check_device(const LacContract *contract, const LacWavefunction *wave)
{
  g_autoptr(GError) error = NULL;

  if (!lac_wavefunction_check_device(wave, &error))
    lac_contract_check(contract, FALSE, error->message);
}

/* Returns: FALSE if the device does not support it; the row has then failed */
static gboolean
set_device(const LacContract *contract, LacWavefunction *wave)
{
  g_autoptr(GError) error = NULL;
  const gboolean    done = lac_wavefunction_set_device(wave, &contract->device, &error);

  if (!done)
    lac_contract_check(contract, FALSE, error->message);
  return done;
}

static void
enqueue(const LacContract *contract,
        LacWavefunction   *wave,
        const double      *theta,
        const double      *walkers,
        const Answers     *to)
{
  const LacLocal local = {to->log_abs, to->sign, to->gradient, to->kinetic};

  lac_wavefunction_local(wave, theta, walkers, N_WALKERS, &local);
  check_device(contract, wave);
}

static void
compare_near(const LacContract *contract, double found, double right, double tolerance)
{
  lac_contract_within(contract, found, right, tolerance * MAX(1, fabs(right)));
}

static void
compare(const LacContract *contract, const Answers *found, const Answers *right, double tolerance)
{
  for (gsize b = 0; b < N_WALKERS; b++) {
    lac_contract_same(contract, found->sign[b], right->sign[b]);
    compare_near(contract, found->log_abs[b], right->log_abs[b], tolerance);
    compare_near(contract, found->kinetic[b], right->kinetic[b], 100 * tolerance);
  }
  for (gsize i = 0; i < found->n; i++)
    compare_near(contract, found->gradient[i], right->gradient[i], 10 * tolerance);
}

/* Checks sums of at most a thousand products in a different order, and derivatives of a nearly vanishing sum of
 * determinants: 1e-11 of 1 is 5e4 roundings in double precision, 2e-5 about 170 in single. */
static void
local_row(LacContract *contract)
{
  const LacElectronSystem   *system = contract->data;
  const char                *precision = precision_of(contract);
  const double               tolerance = contract->type == LAC_F64 ? 1e-11 : 2e-5;
  g_autoptr(LacWavefunction) right = lac_electron_system_new(system, "f64", NULL);
  g_autoptr(LacWavefunction) wave = lac_electron_system_new(system, precision, NULL);
  g_autofree double         *theta = lac_electron_system_theta(right, 5, 0.1);
  g_autofree double         *walkers = lac_electron_system_walkers(system, 11, N_WALKERS);
  Answers                    on_processor = answers_new(right), on_device = answers_new(right);
  gint8                      sign[N_WALKERS];
  double                     log_abs[N_WALKERS];

  if (set_device(contract, wave)) {
    enqueue(contract, right, theta, walkers, &on_processor);
    enqueue(contract, wave, theta, walkers, &on_device);
    compare(contract, &on_device, &on_processor, tolerance);
    lac_wavefunction_value(wave, theta, walkers, N_WALKERS, log_abs, sign);
    for (gsize b = 0; b < N_WALKERS; b++) {
      lac_contract_same(contract, sign[b], on_processor.sign[b]);
      compare_near(contract, log_abs[b], on_processor.log_abs[b], tolerance);
    }
  }
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

/* The CPU in double precision, the CPU in the device's precision, and the device. */
enum { RIGHT, ALIKE, FOUND, N_WAVES };

/* Compares relative to the largest value, because sums over walkers and parameters may cancel; and where psi is
 * small, rounding of an orbital is amplified: the error of the device may be eight times that of the CPU in the same
 * precision. */
static void
compare_all(const LacContract *contract, double *const numbers[N_WAVES], gsize n, double tolerance)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmax(most, fabs(numbers[RIGHT][i]));
  lac_contract_within(contract, largest_off(numbers[FOUND], numbers[RIGHT], n), 0,
                      tolerance * most + 8 * largest_off(numbers[ALIKE], numbers[RIGHT], n));
}

/* Evaluates @call, which writes @n numbers to `to` of `self`, for all three, and compares. */
#define COMPARE(n, tolerance, call)                            \
  do {                                                         \
    double *numbers[N_WAVES];                                  \
    for (guint which = 0; which < N_WAVES; which++) {          \
      LacWavefunction *self = waves[which];                    \
      double          *to = numbers[which] = g_new(double, n); \
      call;                                                    \
    }                                                          \
    compare_all(contract, numbers, n, tolerance);              \
    for (guint which = 0; which < N_WAVES; which++)            \
      g_free(numbers[which]);                                  \
  } while (0)

/* Computes the products of O without the mean over the walkers, which a device may have removed before. */
static void
find_centred_gram(LacWavefunction *wave, double *k)
{
  enum { N = N_WALKERS };
  double mean[N] = {0}, all = 0;

  lac_wavefunction_gram(wave, k);
  for (gsize b = 0; b < N; b++) {
    for (gsize c = 0; c < N; c++)
      mean[b] += k[b * N + c] / N;
    all += mean[b] / N;
  }
  for (gsize b = 0; b < N; b++)
    for (gsize c = 0; c < N; c++)
      k[b * N + c] += all - mean[b] - mean[c];
}

/* Inserts the device's solution into its equation with its own Gram matrix. A Cholesky residual: the condition number
 * is below the largest element divided by the damping. */
static void
check_solve(const LacContract *contract, LacWavefunction *const waves[N_WAVES], const double *right)
{
  enum { N = N_WALKERS };
  const double damping = 1e-2;
  double       k[N * N], x[N], largest = 1;

  memcpy(x, right, sizeof x);
  find_centred_gram(waves[FOUND], k);
  lac_contract_require(contract, lac_wavefunction_solve(waves[FOUND], damping, x));
  for (gsize b = 0; b < N; b++)
    largest = fmax(largest, k[b * N + b] / damping);
  for (gsize b = 0; b < N; b++) {
    double sum = damping * x[b];

    for (gsize c = 0; c < N; c++)
      sum += (k[b * N + c] + 1) / N * x[c];
    lac_contract_within(contract, sum, right[b], 1e-14 * largest);
  }
}

static void
compare_derivatives(const LacContract     *contract,
                    LacWavefunction *const waves[N_WAVES],
                    const double          *theta,
                    double                 tolerance)
{
  const LacElectronSystem *system = contract->data;
  const gsize              n_params = lac_wavefunction_get_n_params(waves[RIGHT]), n = N_WALKERS;
  const gsize              n_electrons = lac_wavefunction_get_n_electrons(waves[RIGHT]);
  const gsize        n_orbitals = n * system->ansatz.n_determinants * n_electrons * n_electrons;
  g_autofree double *walkers = lac_electron_system_walkers(system, 11, n);
  g_autofree double *seed = normals(2, n), *v = normals(3, n_params);
  g_autofree double *phi_bar = normals(4, n_orbitals);
  gint8              sign[N_WAVES][N_WALKERS];

  COMPARE(n, tolerance, lac_wavefunction_tape(self, theta, walkers, n, to, sign[which]));
  lac_contract_require(contract, memcmp(sign[RIGHT], sign[FOUND], sizeof sign[0]) == 0);
  COMPARE(n_params, tolerance, lac_wavefunction_gradient(self, seed, to));
  COMPARE(n, tolerance, lac_wavefunction_apply(self, v, to));
  COMPARE(n * n, tolerance, find_centred_gram(self, to));
  check_solve(contract, waves, seed);
  COMPARE(n_orbitals, tolerance, lac_wavefunction_orbitals(self, theta, walkers, n, to));
  COMPARE(n_params, tolerance,
          lac_wavefunction_orbitals_reverse(self, theta, walkers, n, phi_bar, to));
}

static void
derivatives_row(LacContract *contract)
{
  const LacElectronSystem   *system = contract->data;
  const char                *precision = precision_of(contract);
  const double               tolerance = contract->type == LAC_F64 ? 1e-11 : 2e-6;
  g_autoptr(LacWavefunction) here = lac_electron_system_new(system, "f64", NULL);
  g_autoptr(LacWavefunction) alike = lac_electron_system_new(system, precision, NULL);
  g_autoptr(LacWavefunction) there = lac_electron_system_new(system, precision, NULL);
  g_autofree double         *theta = lac_electron_system_theta(here, 5, 0.1);
  LacWavefunction *const     waves[N_WAVES] = {here, alike, there};

  if (!set_device(contract, there))
    return;
  compare_derivatives(contract, waves, theta, tolerance);
  check_device(contract, there);
}

/* ---- moves ---- */

typedef struct {
  const LacContract *contract;
  LacWavefunction   *wave;
  const double      *theta;
} Psi;

static void
amplitude(const double *positions, gsize n, double *log_abs, double *gradient, gpointer data)
{
  const Psi     *psi = data;
  const LacLocal local = {.log_abs = log_abs, .gradient = gradient};

  lac_wavefunction_local(psi->wave, psi->theta, positions, n, &local);
}

static void
move_walkers(const LacElectronMoves *moves, gsize n, gpointer data)
{
  const Psi *psi = data;

  lac_wavefunction_move(psi->wave, psi->theta, moves, n);
  check_device(psi->contract, psi->wave);
}

typedef struct {
  const LacElectronSystem *system;
  LacProposal              proposal;
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
    .moves = move_walkers,
    .user_data = psi,
  };

  return lac_sampler_new(&settings);
}

/* Checks that walkers on the device follow those on the CPU move for move, with the same random numbers and formulas.
 * A difference of 1e-12 in log |psi| changes a decision once in about 1e12 moves; a wrong decision leaves walkers
 * bohrs apart. */
static void
moves_row(LacContract *contract)
{
  const Way                 *way = contract->data;
  g_autoptr(LacPool)         pool = lac_pool_new(1);
  g_autoptr(LacWavefunction) here = lac_electron_system_new(way->system, "f64", NULL);
  g_autoptr(LacWavefunction) there = lac_electron_system_new(way->system, "f64", NULL);
  g_autofree double         *theta = lac_electron_system_theta(here, 5, 0.1);
  const gsize                n = 3 * lac_wavefunction_get_n_electrons(here) * N_WALKERS;
  Psi on_processor = {contract, here, theta}, on_device = {contract, there, theta};

  if (!set_device(contract, there))
    return;
  g_autoptr(LacSampler) right = sampler_of(way, &on_processor, pool);
  g_autoptr(LacSampler) found = sampler_of(way, &on_device, pool);
  for (guint k = 0; k < 3; k++) {
    const double accepted = lac_sampler_move(right, 7);

    lac_contract_require(contract, accepted > 0 && accepted < 1);
    lac_contract_same(contract, lac_sampler_move(found, 7), accepted);
    for (gsize i = 0; i < n; i++)
      compare_near(contract, lac_sampler_get_positions(found)[i],
                   lac_sampler_get_positions(right)[i], 1e-10);
    for (gsize b = 0; b < N_WALKERS; b++)
      compare_near(contract, lac_sampler_get_log_abs(found)[b], lac_sampler_get_log_abs(right)[b],
                   1e-9);
    lac_sampler_adapt(right, accepted, 0.3);
    lac_sampler_adapt(found, accepted, 0.3);
  }
}

/* ---- rows ---- */

static const Way ways[] = {
  {&lac_electron_systems[0], LAC_PROPOSAL_NORMAL},
  {&lac_electron_systems[3], LAC_PROPOSAL_NORMAL},
  {&lac_electron_systems[7], LAC_PROPOSAL_HARMONIC_MEAN},
  {&lac_electron_systems[8], LAC_PROPOSAL_LANGEVIN},
  {&lac_electron_systems[LAC_N_SMALL_SYSTEMS], LAC_PROPOSAL_NORMAL},
  {&lac_electron_systems[11], LAC_PROPOSAL_LANGEVIN},
  {&lac_electron_systems[12], LAC_PROPOSAL_HARMONIC_MEAN},
};

static gboolean
knows_electrons(const LacBackend *table)
{
  return table->electrons != NULL;
}

#define SYSTEM(name, i)                                                                           \
  {"local-" name "-" #i, local_row, knows_electrons, &lac_electron_systems[i], FALSE},            \
  {                                                                                               \
    "derivatives-" name "-" #i, derivatives_row, knows_electrons, &lac_electron_systems[i], FALSE \
  }
#define MOVES(name, i)                                        \
  {                                                           \
    "moves-" name, moves_row, knows_electrons, &ways[i], TRUE \
  }

const LacContractRow lac_electron_contract_rows[] = {
  SYSTEM("H", 0),       SYSTEM("He+", 1),     SYSTEM("He", 2),
  SYSTEM("H2", 3),      SYSTEM("H2", 4),      SYSTEM("H3", 5),
  SYSTEM("Li", 6),      SYSTEM("LiH", 7),     SYSTEM("Be", 8),
  SYSTEM("F", 9),       SYSTEM("N2", 10),     SYSTEM("wide", 11),
  SYSTEM("F-wide", 12), MOVES("H-0", 0),      MOVES("H2-0", 1),
  MOVES("LiH-1", 2),    MOVES("Be-2", 3),     MOVES("N2-0", 4),
  MOVES("wide-2", 5),   MOVES("F-wide-1", 6), {NULL},
};
