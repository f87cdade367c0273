/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dipole, forces and spin of wavefunctions in closed form, from independent samples. */
#include "experiment/quantum/helpers/hydrogenic.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/observables.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define BOND 2.0

static const LacNucleus protons[] = {{1, {0, 0, -BOND / 2}}, {1, {0, 0, BOND / 2}}};

/* Evaluates exp(-r_A) and exp(-r_B), and the directions to the electron. */
static void
orbitals(const double *at, double values[2], double directions[2][3])
{
  for (guint a = 0; a < 2; a++) {
    double square = 0;

    for (guint k = 0; k < 3; k++) {
      directions[a][k] = at[k] - protons[a].position[k];
      square += directions[a][k] * directions[a][k];
    }
    for (guint k = 0; k < 3; k++)
      directions[a][k] /= sqrt(square);
    values[a] = exp(-sqrt(square));
  }
}

/* Samples an electron in exp(-r_A) + exp(-r_B) by rejection: the square is at most twice the sum of the squares. */
static void
draw_bonding(LacRng *rng, double *at, double *gradient)
{
  double values[2], directions[2][3], sum;

  do {
    hydrogenic_draw(rng, 1, protons[lac_rng_below(rng, 2)].position, at);
    orbitals(at, values, directions);
    sum = values[0] + values[1];
  } while (lac_rng_uniform(rng) * 2 * (values[0] * values[0] + values[1] * values[1]) > sum * sum);
  for (guint k = 0; k < 3; k++)
    gradient[k] = -(values[0] * directions[0][k] + values[1] * directions[1][k]) / sum;
}

/* Returns the Hellmann-Feynman force on the lower proton: with r from it, the integral of density cos(theta) over r
 * and the sphere. */
static double
integrate_force(void)
{
  const guint  n = 600;
  const double reach = 16, norm = 2 * G_PI * (1 + exp(-BOND) * (1 + BOND + BOND * BOND / 3));
  double       sum = 0;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++) {
      double r = reach * (i + 0.5) / n, cosine = -1 + 2 * (j + 0.5) / n;
      double other = sqrt(r * r + BOND * BOND - 2 * r * BOND * cosine);
      double psi = exp(-r) + exp(-other);

      sum += psi * psi / norm * cosine * (reach / n) * (2.0 / n) * 2 * G_PI;
    }
  return sum - 1 / (BOND * BOND);
}

static void
test_forces(void)
{
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("H2+", 2, protons, 1, 0);
  g_autoptr(LacObservables) observables = lac_observables_new(molecule, 512);
  LacRng                    rng = lac_rng(11, 1);
  double                    exact = integrate_force();
  LacObserved               low, high, across;

  for (guint t = 0; t < 512; t++) {
    double           positions[3 * 256], gradients[3 * 256];
    LacObservedBatch batch = {256, positions, gradients, NULL};

    for (guint b = 0; b < 256; b++)
      draw_bonding(&rng, positions + 3 * b, gradients + 3 * b);
    lac_observables_add(observables, &batch);
  }
  low = lac_observables_get_force(observables, 0, 2);
  high = lac_observables_get_force(observables, 1, 2);
  across = lac_observables_get_force(observables, 0, 0);
  /* The variance of an electron's contribution is near 1, with 131072 samples. The midpoint rule is accurate to
   * 1e-4. */
  g_assert_cmpfloat(low.error, <, 0.004);
  g_assert_cmpfloat_with_epsilon(low.value, exact, 4 * low.error + 1e-4);
  g_assert_cmpfloat_with_epsilon(high.value, -exact, 4 * high.error + 1e-4);
  g_assert_cmpfloat_with_epsilon(across.value, 0, 4 * across.error);
  g_assert_true(isnan(lac_observables_get_spin_squared(observables).value));
}

/* Hydrogen and a bare proton: the dipole is the proton's position. */
static void
test_dipole(void)
{
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("H2+", 2, protons, 1, 0);
  g_autoptr(LacObservables) observables = lac_observables_new(molecule, 256);
  LacRng                    rng = lac_rng(12, 1);

  for (guint t = 0; t < 256; t++) {
    double           positions[3 * 128];
    LacObservedBatch batch = {128, positions, NULL, NULL};

    for (guint b = 0; b < 128; b++)
      hydrogenic_draw(&rng, 1, protons[0].position, positions + 3 * b);
    lac_observables_add(observables, &batch);
  }
  for (guint k = 0; k < 3; k++) {
    LacObserved dipole = lac_observables_get_dipole(observables, k);

    /* <z^2> = 1, 32768 samples */
    g_assert_cmpfloat_with_epsilon(dipole.error, sqrt(1.0 / 32768), 0.3 * sqrt(1.0 / 32768));
    g_assert_cmpfloat_with_epsilon(dipole.value, protons[1].position[k], 4.5 * dipole.error);
  }
  g_assert_true(isnan(lac_observables_get_force(observables, 0, 0).value));
}

static void
assert_same_state(const LacObservables *a, const LacObservables *b)
{
  gsize              length = lac_packing_get_length(lac_observables_pack, a);
  g_autofree double *first = g_new(double, length), *second = g_new(double, length);

  lac_packing_save(lac_observables_pack, a, first);
  lac_packing_save(lac_observables_pack, b, second);
  g_assert_cmpmem(first, length * sizeof *first, second, length * sizeof *second);
}

static void
test_resume(void)
{
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("H2+", 2, protons, 1, 0);
  g_autoptr(LacObservables) through = lac_observables_new(molecule, 8);
  g_autoptr(LacObservables) resumed = lac_observables_new(molecule, 8);
  g_autofree double *state = g_new(double, lac_packing_get_length(lac_observables_pack, through));
  LacRng             rng = lac_rng(13, 1);

  for (guint t = 0; t < 8; t++) {
    double           positions[3], gradients[3];
    LacObservedBatch batch = {1, positions, gradients, NULL};

    draw_bonding(&rng, positions, gradients);
    lac_observables_add(through, &batch);
    if (t == 4) {
      lac_packing_save(lac_observables_pack, through, state);
      lac_packing_load(lac_observables_pack, resumed, state);
    } else if (t > 4) {
      lac_observables_add(resumed, &batch);
    }
  }
  assert_same_state(through, resumed);
}

/* A walker with NaN is left out, the others count. */
static void
test_bad_walkers(void)
{
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("H2+", 2, protons, 1, 0);
  g_autoptr(LacObservables) observables = lac_observables_new(molecule, 2);
  const double              positions[] = {0.25, 0, 0, (double) NAN, 0, 0};
  LacObservedBatch batch = {2, positions, NULL, NULL}, none = {1, positions + 3, NULL, NULL};

  lac_observables_add(observables, &batch);
  lac_observables_add(observables, &none);
  g_assert_cmpuint(lac_observables_get_n_batches(observables), ==, 1);
  g_assert_cmpfloat(lac_observables_get_dipole(observables, 0).value, ==, -0.25);
}

typedef enum { SINGLET, TRIPLET, BROKEN } SpinState;

/* A(1) B(2) + A(2) B(1), their difference, and A(1) B(2) alone. */
static void
amplitude(const double *positions,
          gsize         n_walkers,
          double       *log_abs,
          gint8        *sign,
          gpointer      user_data)
{
  const SpinState *state = user_data;

  for (gsize w = 0; w < n_walkers; w++) {
    double first[2], second[2], directions[2][3], psi;

    orbitals(positions + 6 * w, first, directions);
    orbitals(positions + 6 * w + 3, second, directions);
    psi = first[0] * second[1];
    if (*state != BROKEN)
      psi += (*state == SINGLET ? 1 : -1) * first[1] * second[0];
    log_abs[w] = log(fabs(psi));
    sign[w] = psi > 0 ? 1 : -1;
  }
}

/* Samples @n walkers, electron 1 around A, electron 2 around B, and computes their S^2. */
static void
find_spin(SpinState state, gsize n, double *values)
{
  g_autoptr(LacMolecule) molecule = lac_molecule_new("H2", 2, protons, 1, 1);
  LacSpinSquared         spin = {molecule, n, amplitude, &state};
  g_autofree double     *positions = g_new(double, 6 * n), *log_abs = g_new(double, n);
  g_autofree gint8      *sign = g_new(gint8, n);
  LacRng                 rng = lac_rng(14, 1);

  for (gsize e = 0; e < 2 * n; e++)
    hydrogenic_draw(&rng, 1, protons[e % 2].position, positions + 3 * e);
  amplitude(positions, n, log_abs, sign, &state);
  lac_spin_squared(&spin, positions, log_abs, sign, values);
}

static void
test_spin_states(void)
{
  double values[64];

  find_spin(SINGLET, 64, values);
  for (guint w = 0; w < 64; w++)
    g_assert_cmpfloat_with_epsilon(values[w], 0, 1e-12);
  find_spin(TRIPLET, 64, values);
  for (guint w = 0; w < 64; w++)
    g_assert_cmpfloat_with_epsilon(values[w], 2, 1e-12);
}

/* Neither singlet nor triplet: the mean is 1 - <A|B>^2, and the ratio is the product of two of bounded variance
 * <A|A>^2 = 1. */
static void
test_mixed_spin(void)
{
  const gsize        n = 100000;
  g_autofree double *values = g_new(double, n);
  double             overlap = exp(-BOND) * (1 + BOND + BOND * BOND / 3), mean = 0;

  find_spin(BROKEN, n, values);
  for (gsize w = 0; w < n; w++)
    mean += values[w] / (double) n;
  g_assert_cmpfloat_with_epsilon(mean, 1 - overlap * overlap, 4.5 / sqrt((double) n));
}

/* Symmetry forbids everything of an atom, of H2 and of methane (without a centre of inversion); what is along
 * the axis of LiH and of water is allowed. */
static void
test_forbidden(void)
{
  static const LacNucleus lithium_hydride[] = {{3, {0, 0, 0}}, {1, {0, 0, 3}}};
  static const LacNucleus water[] = {{8, {0, 0, 0}}, {1, {0, 1.43, 1.1}}, {1, {0, -1.43, 1.1}}};
  static const LacNucleus methane[] = {
    {6, {0, 0, 0}}, {1, {1, 1, 1}}, {1, {1, -1, -1}}, {1, {-1, 1, -1}}, {1, {-1, -1, 1}}};
  static const LacNucleus bent[] = {{8, {0, 0, 0}}, {1, {0.3, 1.43, 1.1}}, {1, {1, -1.4, 0.2}}};
  static const struct {
    const LacNucleus *nuclei;
    guint             n, forbidden;
  } cases[] = {{protons, 1, 7},         {protons, 2, 7}, {methane, 5, 7},
               {lithium_hydride, 2, 3}, {water, 3, 3},   {bent, 3, 0}};

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(LacMolecule) molecule = lac_molecule_new("any", cases[i].n, cases[i].nuclei, 1, 0);
    double                 centre[3];

    g_assert_cmpuint(lac_dipole_find_forbidden(molecule, centre), ==, cases[i].forbidden);
  }
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/observables/forces-are-those-of-the-integral", test_forces);
  g_test_add_func("/quantum/observables/dipole-of-an-atom-beside-a-proton", test_dipole);
  g_test_add_func("/quantum/observables/a-resumed-series-is-the-same", test_resume);
  g_test_add_func("/quantum/observables/bad-walkers-do-not-count", test_bad_walkers);
  g_test_add_func("/quantum/observables/singlet-and-triplet", test_spin_states);
  g_test_add_func("/quantum/observables/a-mixture-of-spins", test_mixed_spin);
  g_test_add_func("/quantum/observables/symmetry-forbids-dipoles", test_forbidden);
  return g_test_run();
}
