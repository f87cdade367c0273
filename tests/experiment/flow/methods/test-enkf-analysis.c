/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analysis of the filter: its formula member by member, and convergence to the exact Kalman update with ensemble
 * size. */
#include "backend/dense.h"
#include "experiment/flow/methods/enkf-analysis.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define SIDE     6
#define N        (2 * SIDE * SIDE)
#define N_PLACES 3
#define N_VALUES (2 * N_PLACES)
#define RANK     5

/* Two of them are neighbours across the periodic boundary. */
static const gsize places[N_PLACES] = {0, 2 * SIDE + 5, 5 * SIDE};

static gsize
row_of(gsize k)
{
  return k < N_PLACES ? places[k] : SIDE * SIDE + places[k - N_PLACES];
}

/* The Gaussian with period 2 pi, divided by its value at 0, by its Fourier series (Poisson summation): all
 * coefficients are positive. */
static double
wrapped(double distance, double length)
{
  double sum = 1, at_zero = 1;

  for (int k = 1; k < 60; k++) {
    sum += 2 * exp(-0.5 * k * k * length * length) * cos(k * distance);
    at_zero += 2 * exp(-0.5 * k * k * length * length);
  }
  return sum / at_zero;
}

static double
taper(gsize a, gsize b, double length)
{
  const double cell = 2 * G_PI / SIDE;

  return wrapped(cell * ((double) (a % SIDE) - (double) (b % SIDE)), length) *
         wrapped(cell * ((double) (a / SIDE) - (double) (b / SIDE)), length);
}

/* x = A z + m with z normal: the prior of the tests. */
typedef struct {
  double mean[N], a[N * RANK], values[N_VALUES];
} Prior;

static void
prior_init(Prior *prior)
{
  LacRng rng = lac_rng(4, 1);

  for (gsize i = 0; i < N; i++)
    prior->mean[i] = sin((double) i);
  for (gsize i = 0; i < N * RANK; i++)
    prior->a[i] = lac_rng_normal(&rng);
  for (gsize k = 0; k < N_VALUES; k++)
    prior->values[k] = lac_rng_normal(&rng);
}

static void
prior_draw(const Prior *prior, LacRng *rng, double *members, gsize n_members)
{
  for (gsize e = 0; e < n_members; e++) {
    double z[RANK];

    for (gsize r = 0; r < RANK; r++)
      z[r] = lac_rng_normal(rng);
    for (gsize i = 0; i < N; i++) {
      members[e * N + i] = prior->mean[i];
      for (gsize r = 0; r < RANK; r++)
        members[e * N + i] += prior->a[i * RANK + r] * z[r];
    }
  }
}

#define DEVIATION 0.5

static LacAnalysis
observe(const Prior *prior, double inflation, double localisation)
{
  static const double deviations[N_VALUES] = {DEVIATION, DEVIATION, DEVIATION,
                                              DEVIATION, DEVIATION, DEVIATION};

  return (LacAnalysis){.inflation = inflation,
                       .localisation = localisation,
                       .deviations = deviations,
                       .values = prior->values};
}

/* Makes sensors of both velocities at the first @n of @at; u first. */
static LacObservations *
place_sensors(const gsize *at, gsize n)
{
  const double     cell = 2 * G_PI / SIDE;
  LacObservations *observations = lac_observations_new(2 * n, n, 1);

  for (gsize k = 0; k < 2 * n; k++) {
    const gsize place = at[k % n];

    observations->stations[2 * (k % n)] = cell * (double) (place % SIDE);
    observations->stations[2 * (k % n) + 1] = cell * (double) (place / SIDE);
    observations->sensors[k] =
      (LacSensor){.rows = {k / n * SIDE * SIDE + place}, .weights = {1}, .station = k % n};
  }
  return observations;
}

static LacEnsemble *
new_ensemble(gsize n_members, const LacObservations *observations)
{
  const LacEnsembleSettings settings = {
    .n_members = n_members,
    .n_fields = 2,
    .grid = {.nx = SIDE,
             .ny = SIDE,
             .cell = {2 * G_PI / SIDE, 2 * G_PI / SIDE},
             .periodic = {TRUE, TRUE}},
    .observations = observations,
    .n_numbers = 1,
  };

  return lac_ensemble_new(&settings);
}

/* Returns the tapered covariance of components @i and @j of inflated anomalies. */
static double
covariance(const double *anomalies, gsize n_members, gsize i, gsize j, double length)
{
  double sum = 0;

  for (gsize e = 0; e < n_members; e++)
    sum += anomalies[e * N + i] * anomalies[e * N + j];
  return sum / (double) (n_members - 1) * taper(i % (SIDE * SIDE), j % (SIDE * SIDE), length);
}

static void
analyse_by_hand(double *members, gsize n_members, const LacAnalysis *observation, LacRng *rng)
{
  g_autofree double *anomalies = g_new(double, n_members *N);

  for (gsize i = 0; i < N; i++) {
    double mean = 0;

    for (gsize e = 0; e < n_members; e++)
      mean += members[e * N + i] / (double) n_members;
    for (gsize e = 0; e < n_members; e++) {
      anomalies[e * N + i] = observation->inflation * (members[e * N + i] - mean);
      members[e * N + i] = mean + anomalies[e * N + i];
    }
  }
  for (gsize e = 0; e < n_members; e++) {
    double s[N_VALUES * N_VALUES], weights[N_VALUES];

    for (gsize j = 0; j < N_VALUES; j++) {
      weights[j] = observation->values[j] + observation->deviations[0] * lac_rng_normal(rng) -
                   members[e * N + row_of(j)];
      for (gsize k = 0; k < N_VALUES; k++)
        s[j * N_VALUES + k] =
          covariance(anomalies, n_members, row_of(j), row_of(k), observation->localisation) +
          (j == k ? observation->deviations[0] * observation->deviations[0] : 0);
    }
    g_assert_true(lac_dense_cholesky_solve(s, N_VALUES, weights, 1));
    for (gsize i = 0; i < N; i++)
      for (gsize k = 0; k < N_VALUES; k++)
        members[e * N + i] +=
          weights[k] * covariance(anomalies, n_members, i, row_of(k), observation->localisation);
  }
}

static void
test_formula(void)
{
  static const double        lengths[] = {0.5, 1.5, 3, 7, 100};
  const gsize                n_members = 6;
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(n_members, sensors);
  double                    *members = lac_ensemble_get_members(ensemble);
  double                     oracle[6 * N];
  LacRng                     rng = lac_rng(9, 1), other;
  Prior                      prior;

  prior_init(&prior);
  prior_draw(&prior, &rng, members, n_members);
  memcpy(oracle, members, sizeof oracle);
  for (gsize pass = 0; pass < G_N_ELEMENTS(lengths); pass++) {
    const LacAnalysis observation = observe(&prior, 1.1, lengths[pass]);

    other = rng;
    g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
    analyse_by_hand(oracle, n_members, &observation, &other);
    g_assert_cmpuint(rng.position, ==, other.position);
    for (gsize i = 0; i < n_members * N; i++)
      g_assert_cmpfloat_with_epsilon(members[i], oracle[i], 1e-11);
  }
}

/* m + P H^t (H P H^t + R)^-1 (y - H m) and (1 - K H) P, P = A A^t. */
static void
update_exactly(const Prior *prior, double deviation, double *mean, double *covariances)
{
  g_autofree double *p = g_new(double, N *N), *gain = g_new(double, N_VALUES *N);
  double             s[N_VALUES * N_VALUES];

  lac_dense_gemm(FALSE, TRUE, N, N, RANK, 1, prior->a, RANK, prior->a, RANK, 0, p, N);
  for (gsize j = 0; j < N_VALUES; j++) {
    for (gsize k = 0; k < N_VALUES; k++)
      s[j * N_VALUES + k] = p[row_of(j) * N + row_of(k)] + (j == k ? deviation * deviation : 0);
    memcpy(gain + j * N, p + row_of(j) * N, N * sizeof *p);
  }
  g_assert_true(lac_dense_cholesky_solve(s, N_VALUES, gain, N));
  for (gsize i = 0; i < N; i++) {
    mean[i] = prior->mean[i];
    for (gsize k = 0; k < N_VALUES; k++)
      mean[i] += gain[k * N + i] * (prior->values[k] - prior->mean[row_of(k)]);
    for (gsize j = 0; j < N; j++) {
      covariances[i * N + j] = p[i * N + j];
      for (gsize k = 0; k < N_VALUES; k++)
        covariances[i * N + j] -= gain[k * N + i] * p[row_of(k) * N + j];
    }
  }
}

typedef struct {
  double mean, covariance; /* mean squares of the errors */
} Errors;

static Errors
find_errors(const Prior *prior, gsize n_members, guint64 seed)
{
  const LacAnalysis          observation = observe(prior, 1, 1e6);
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(n_members, sensors);
  double                    *members = lac_ensemble_get_members(ensemble);
  g_autofree double         *exact = g_new(double, N *N), *found = g_new(double, N *N);
  double                     exact_mean[N], spread;
  const double              *mean;
  LacRng                     rng = lac_rng(seed, n_members);
  Errors                     errors = {0};

  prior_draw(prior, &rng, members, n_members);
  g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
  update_exactly(prior, observation.deviations[0], exact_mean, exact);
  mean = lac_ensemble_get_mean(ensemble, &spread);
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < N; i++)
      members[e * N + i] -= mean[i];
  lac_dense_gemm(TRUE, FALSE, N, N, n_members, 1 / (double) (n_members - 1), members, N, members, N,
                 0, found, N);
  for (gsize i = 0; i < N; i++) {
    errors.mean += pow(mean[i] - exact_mean[i], 2) / N;
    for (gsize j = 0; j < N; j++)
      errors.covariance += pow(found[i * N + j] - exact[i * N + j], 2) / (N * N);
  }
  return errors;
}

/* Sixteen times the members, a quarter of the error. The mean square over twelve ensembles of five independent
 * directions has a relative deviation of about sqrt(2 / 60), the ratio of two roots about 0.13: the tolerance is four
 * of those. */
static void
test_convergence(void)
{
  Errors errors[2] = {{0}};
  Prior  prior;

  prior_init(&prior);
  for (guint64 seed = 0; seed < 12; seed++)
    for (gsize k = 0; k < 2; k++) {
      const Errors found = find_errors(&prior, k ? 3200 : 200, seed);

      errors[k].mean += found.mean / 12;
      errors[k].covariance += found.covariance / 12;
    }
  g_test_message("mean %g, %g; covariance %g, %g", sqrt(errors[0].mean), sqrt(errors[1].mean),
                 sqrt(errors[0].covariance), sqrt(errors[1].covariance));
  g_assert_cmpfloat(sqrt(errors[1].mean), <, 0.05);
  g_assert_cmpfloat(fabs(sqrt(errors[0].mean / errors[1].mean) - 4), <, 2);
  g_assert_cmpfloat(fabs(sqrt(errors[0].covariance / errors[1].covariance) - 4), <, 2);
}

/* Many localisation lengths from every sensor nothing changes. */
static void
test_localised(void)
{
  g_autoptr(LacObservations) sensors = place_sensors(places, 1);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(8, sensors);
  double                    *members = lac_ensemble_get_members(ensemble);
  double                     before[8 * N];
  const gsize                far = 3 * SIDE + 3, edge = 5 * SIDE + 5;
  LacAnalysis                observation;
  LacRng                     rng = lac_rng(9, 1);
  Prior                      prior;

  prior_init(&prior);
  prior_draw(&prior, &rng, members, 8);
  memcpy(before, members, sizeof before);
  observation = observe(&prior, 1, 0.3);
  g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
  for (gsize e = 0; e < 8; e++) {
    g_assert_cmpfloat_with_epsilon(members[e * N + far], before[e * N + far], 1e-14);
    g_assert_cmpfloat(fabs(members[e * N] - before[e * N]), >, 1e-6);
    g_assert_cmpfloat(fabs(members[e * N + edge] - before[e * N + edge]), >, 1e-9);
  }
}

/* A measurement at every point, two members: the covariance is positive definite only by the taper, at any length. */
static void
test_definite(void)
{
  double values[N] = {0}, deviations[N];
  gsize  all[SIDE * SIDE];

  for (gsize i = 0; i < SIDE * SIDE; i++)
    all[i] = i;
  for (gsize i = 0; i < N; i++)
    deviations[i] = 1e-3;
  for (double length = 0.1; length < 20; length *= 1.3) {
    const LacAnalysis observation = {
      .inflation = 1, .localisation = length, .deviations = deviations, .values = values};
    g_autoptr(LacObservations) sensors = place_sensors(all, SIDE * SIDE);
    g_autoptr(LacEnsemble)     ensemble = new_ensemble(2, sensors);
    LacRng                     rng = lac_rng(9, 1);
    double                     spread;

    for (gsize i = 0; i < 2 * N; i++)
      lac_ensemble_get_members(ensemble)[i] = (double) (i / N) + 0.1 * sin((double) i);
    g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
    lac_ensemble_get_mean(ensemble, &spread);
    g_assert_cmpfloat(spread, <, 0.1);
  }
}

static void
test_inflation(void)
{
  static const double        silent[N_VALUES] = {1e8, 1e8, 1e8, 1e8, 1e8, 1e8};
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(10, sensors);
  LacAnalysis                observation;
  LacRng                     rng = lac_rng(9, 1);
  double                     before, after;
  Prior                      prior;

  prior_init(&prior);
  prior_draw(&prior, &rng, lac_ensemble_get_members(ensemble), 10);
  lac_ensemble_get_mean(ensemble, &before);
  observation = observe(&prior, 1.5, 1);
  observation.deviations = silent;
  memset(prior.values, 0, sizeof prior.values);
  g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
  lac_ensemble_get_mean(ensemble, &after);
  g_assert_cmpfloat_with_epsilon(after / before, 1.5, 1e-6);
}

/* Innovations explained by spread and noise leave the factor unchanged; larger ones increase it until they are
 * explained: sum d^2 = factor^2 sum var + sum noise^2, up to its limit. */
static void
test_lost(void)
{
  static const struct {
    double away, most;
  } cases[] = {{0, 100}, {40, 100}, {40, 2}, {40, 0}};
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  const gsize                n_members = 20;
  Prior                      prior;

  prior_init(&prior);
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(LacEnsemble) ensemble = new_ensemble(n_members, sensors);
    double                *members = lac_ensemble_get_members(ensemble);
    LacAnalysis            observation = observe(&prior, 1.1, 1);
    LacRng                 rng = lac_rng(9, 1);
    double                 variances = 0, expected;

    prior_draw(&prior, &rng, members, n_members);
    for (gsize k = 0; k < N_VALUES; k++) {
      double mean = 0;

      for (gsize e = 0; e < n_members; e++)
        mean += members[e * N + row_of(k)] / (double) n_members;
      for (gsize e = 0; e < n_members; e++)
        variances += pow(members[e * N + row_of(k)] - mean, 2) / (double) (n_members - 1);
      prior.values[k] = mean + cases[c].away;
    }
    expected = sqrt(N_VALUES * (cases[c].away * cases[c].away - DEVIATION * DEVIATION) / variances);
    observation.most_inflation = cases[c].most;
    g_assert_true(lac_ensemble_analyse(ensemble, &observation, &rng));
    g_assert_cmpfloat_with_epsilon(
      lac_ensemble_get_innovation(ensemble).inflation,
      cases[c].away > 0 ? CLAMP(expected, 1.1, MAX(1.1, cases[c].most)) : 1.1, 1e-9);
    g_assert_true((lac_ensemble_get_innovation(ensemble).chi_squared > 1) == (cases[c].away > 0));
  }
}

static void
test_nan(void)
{
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(10, sensors);
  LacAnalysis                observation;
  LacRng                     rng = lac_rng(9, 1);
  Prior                      prior;

  prior_init(&prior);
  prior_draw(&prior, &rng, lac_ensemble_get_members(ensemble), 10);
  lac_ensemble_get_members(ensemble)[3 * N + places[1]] = NAN;
  observation = observe(&prior, 1, 1);
  g_assert_false(lac_ensemble_analyse(ensemble, &observation, &rng));
}

/* A parameter that the field depends on is estimated; sensors with missing values are ignored. */
static void
test_numbers(void)
{
  enum { MEMBERS = 4000 };
  g_autoptr(LacObservations) sensors = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(MEMBERS, sensors);
  const double               values[N_VALUES] = {NAN, 3, NAN, NAN, NAN, NAN};
  LacRng                     rng = lac_rng(9, 1);
  Prior                      prior = {0};
  LacAnalysis                analysis = observe(&prior, 1, 1);
  double                     mean = 0, variance = 0;

  /* the field equals the parameter everywhere, with prior N(1, 1): the posterior is known in closed form */
  for (gsize e = 0; e < MEMBERS; e++) {
    lac_ensemble_get_numbers(ensemble)[e] = 1 + lac_rng_normal(&rng);
    for (gsize i = 0; i < N; i++)
      lac_ensemble_get_members(ensemble)[e * N + i] = lac_ensemble_get_numbers(ensemble)[e];
  }
  analysis.values = values;
  analysis.damping = 1;
  g_assert_true(lac_ensemble_analyse(ensemble, &analysis, &rng));
  for (gsize e = 0; e < MEMBERS; e++)
    mean += lac_ensemble_get_numbers(ensemble)[e] / MEMBERS;
  for (gsize e = 0; e < MEMBERS; e++)
    variance += pow(lac_ensemble_get_numbers(ensemble)[e] - mean, 2) / (MEMBERS - 1);
  /* gain 1 / (1 + 0.25); four standard errors of the mean, and of the variance */
  g_assert_cmpfloat_with_epsilon(mean, 1 + 2 / 1.25, 4 * sqrt(0.2 / MEMBERS) + 0.08);
  g_assert_cmpfloat_with_epsilon(variance, 0.2, 4 * 0.2 * sqrt(2.0 / MEMBERS));
}

/* Values near the prior mean, but for one: an analysis that leaves it out is the analysis without it, bit by bit. */
static void
test_first_guess(void)
{
  const gsize                n_members = 40;
  g_autoptr(LacObservations) observations = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     with = new_ensemble(n_members, observations);
  g_autoptr(LacEnsemble)     without = new_ensemble(n_members, observations);
  Prior                      prior;
  LacRng rng = lac_rng(1, 0), same = lac_rng(1, 0), noise[2] = {lac_rng(2, 0), lac_rng(2, 0)};

  prior_init(&prior);
  prior_draw(&prior, &rng, lac_ensemble_get_members(with), n_members);
  prior_draw(&prior, &same, lac_ensemble_get_members(without), n_members);
  for (gsize k = 0; k < N_VALUES; k++)
    prior.values[k] = prior.mean[row_of(k)] + 0.1;
  prior.values[2] += 100;
  LacAnalysis analysis = observe(&prior, 1, 1.5);
  analysis.first_guess = 3;
  g_assert_true(lac_ensemble_analyse(with, &analysis, &noise[0]));
  for (gsize k = 0; k < N_VALUES; k++)
    g_assert_cmpuint(lac_ensemble_get_left_out(with)[k], ==,
                     k == 2 ? LAC_READING_LEFT_OUT | LAC_READING_UNEXPECTED : 0);
  prior.values[2] = NAN;
  g_assert_true(lac_ensemble_analyse(without, &analysis, &noise[1]));
  g_assert_cmpint(memcmp(lac_ensemble_get_members(with), lac_ensemble_get_members(without),
                         n_members * N * sizeof(double)),
                  ==, 0);
}

/* Values that are all far away say that the filter is wrong: none is left out. */
static void
test_first_guess_of_a_lost_filter(void)
{
  const gsize                n_members = 40;
  g_autoptr(LacObservations) observations = place_sensors(places, N_PLACES);
  g_autoptr(LacEnsemble)     ensemble = new_ensemble(n_members, observations);
  Prior                      prior;
  LacRng                     rng = lac_rng(1, 0), noise = lac_rng(2, 0);

  prior_init(&prior);
  prior_draw(&prior, &rng, lac_ensemble_get_members(ensemble), n_members);
  for (gsize k = 0; k < N_VALUES; k++)
    prior.values[k] = prior.mean[row_of(k)] + (k % 2 ? 40 : -50);
  LacAnalysis analysis = observe(&prior, 1, 1.5);
  analysis.first_guess = 3;
  analysis.most_inflation = 100;
  g_assert_true(lac_ensemble_analyse(ensemble, &analysis, &noise));
  for (gsize k = 0; k < N_VALUES; k++)
    g_assert_cmpuint(lac_ensemble_get_left_out(ensemble)[k], ==, 0);
  g_assert_cmpfloat(lac_ensemble_get_innovation(ensemble).inflation, >, 2);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/ensemble/members-follow-the-formula", test_formula);
  g_test_add_func("/experiment/ensemble/a-large-ensemble-is-the-kalman-filter", test_convergence);
  g_test_add_func("/experiment/ensemble/the-taper-ends-at-a-distance-around-the-edge",
                  test_localised);
  g_test_add_func("/experiment/ensemble/many-sensors-keep-the-covariance-definite", test_definite);
  g_test_add_func("/experiment/ensemble/inflation-widens-the-anomalies", test_inflation);
  g_test_add_func("/experiment/ensemble/a-lost-filter-opens-until-it-explains-what-it-sees",
                  test_lost);
  g_test_add_func("/experiment/ensemble/a-number-rides-along", test_numbers);
  g_test_add_func("/experiment/ensemble/a-nan-is-refused", test_nan);
  g_test_add_func("/experiment/ensemble/an-outlier-is-left-out", test_first_guess);
  g_test_add_func("/experiment/ensemble/a-lost-filter-leaves-nothing-out",
                  test_first_guess_of_a_lost_filter);
  return g_test_run();
}
