/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers are distributed as psi squared for every proposal, independently of the number of threads. */
#include "base/rng.h"
#include "experiment/quantum/sampling/sampler.h"

#include <math.h>
#include <string.h>

/* psi = exp(-Z r) of one electron at the origin, or of two independent ones. */
typedef struct {
  gsize  n_electrons;
  double Z;
} Slater;

static void
slater(const double *positions, gsize n_walkers, double *log_abs, double *gradient, gpointer data)
{
  const Slater *psi = data;

  for (gsize b = 0; b < n_walkers; b++) {
    log_abs[b] = 0;
    for (gsize i = 0; i < psi->n_electrons; i++) {
      const gsize   at = 3 * (b * psi->n_electrons + i);
      const double *r = positions + at;
      const double  length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);

      log_abs[b] -= psi->Z * length;
      for (guint c = 0; c < 3 && gradient; c++)
        gradient[at + c] = -psi->Z * r[c] / length;
    }
  }
}

static LacMolecule *
make_atom(guint charge, guint n_up, guint n_down)
{
  const LacNucleus nucleus = {charge, {0, 0, 0}};

  return lac_molecule_new("atom", 1, &nucleus, n_up, n_down);
}

typedef struct {
  LacProposal proposal;
  double      exchange;
} Way;

static LacSampler *
make_sampler(const LacMolecule *molecule, Slater *psi, const Way *way, gsize n, LacPool *pool)
{
  const LacSamplerSettings settings = {
    .molecule = molecule,
    .n_walkers = n,
    .proposal = way->proposal,
    .exchange = way->exchange,
    .width = 0.4,
    .seed = 11,
    .pool = pool,
    .amplitude = slater,
    .user_data = psi,
  };

  return lac_sampler_new(&settings);
}

/* <r> = 3 / (2 Z), <1/r> = Z, <x> = 0: within four standard errors of the walkers' means, which are independent. */
static void
test_moments(gconstpointer data)
{
  enum { WALKERS = 400, ROUNDS = 300 };
  const Way             *way = data;
  Slater                 psi = {2, 1.7};
  g_autoptr(LacPool)     pool = lac_pool_new(1);
  g_autoptr(LacMolecule) molecule = make_atom(2, 1, 1);
  g_autoptr(LacSampler)  sampler = make_sampler(molecule, &psi, way, WALKERS, pool);
  const double          *r = lac_sampler_get_positions(sampler);
  const double           expected[3] = {3 / (2 * psi.Z), psi.Z, 0};
  double                 sums[WALKERS][3] = {{0}};

  for (guint k = 0; k < 60; k++)
    lac_sampler_adapt(sampler, lac_sampler_move(sampler, 5), 0.3);
  for (guint k = 0; k < ROUNDS; k++) {
    const double acceptance = lac_sampler_move(sampler, 2);

    g_assert_cmpfloat(acceptance, >, 0.2);
    g_assert_cmpfloat(acceptance, <, 0.95);
    for (gsize b = 0; b < WALKERS; b++)
      for (gsize i = 0; i < 2; i++) {
        const double *at = r + 3 * (2 * b + i);
        const double  length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);

        sums[b][0] += length / (2 * ROUNDS);
        sums[b][1] += 1 / (length * 2 * ROUNDS);
        sums[b][2] += at[0] / (2 * ROUNDS);
      }
  }
  for (guint m = 0; m < 3; m++) {
    double mean = 0, square = 0;

    for (gsize b = 0; b < WALKERS; b++)
      mean += sums[b][m] / WALKERS;
    for (gsize b = 0; b < WALKERS; b++)
      square += (sums[b][m] - mean) * (sums[b][m] - mean);
    g_assert_cmpfloat(fabs(mean - expected[m]), <,
                      4 * sqrt(square / ((double) WALKERS * (WALKERS - 1))));
  }
}

/* Detailed balance: flows between distance bins are equal in both directions, within four times the square root of
 * the counts. */
static void
test_balance(void)
{
  enum { WALKERS = 500, MOVES = 600, BINS = 4 };
  static const double    edges[BINS - 1] = {0.4, 0.9, 1.6};
  const Way              way = {LAC_PROPOSAL_HARMONIC_MEAN, 0};
  Slater                 psi = {1, 1};
  g_autoptr(LacPool)     pool = lac_pool_new(1);
  g_autoptr(LacMolecule) molecule = make_atom(1, 1, 0);
  g_autoptr(LacSampler)  sampler = make_sampler(molecule, &psi, &way, WALKERS, pool);
  const double          *r = lac_sampler_get_positions(sampler);
  guint                  flow[BINS][BINS] = {{0}}, bin[WALKERS] = {0}, total = 0;

  for (guint k = 0; k < 40; k++)
    lac_sampler_adapt(sampler, lac_sampler_move(sampler, 5), 0.3);
  for (guint k = 0; k <= MOVES; k++) {
    for (gsize b = 0; b < WALKERS; b++) {
      const double *at = r + 3 * b;
      const double  length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
      guint         now = 0;

      while (now < BINS - 1 && length > edges[now])
        now++;
      if (k > 0)
        flow[bin[b]][now]++;
      bin[b] = now;
    }
    lac_sampler_move(sampler, 1);
  }
  for (guint i = 0; i < BINS; i++)
    for (guint j = 0; j < i; j++) {
      const double forth = flow[i][j], back = flow[j][i];

      total += flow[i][j] + flow[j][i];
      g_assert_cmpfloat(fabs(forth - back), <=, 4 * sqrt(forth + back));
    }
  g_assert_cmpuint(total, >, WALKERS * MOVES / 10);
}

static void
test_threads(gconstpointer data)
{
  const Way             *way = data;
  Slater                 psi = {2, 1.3};
  g_autoptr(LacMolecule) molecule = make_atom(2, 1, 1);
  double                *states[2];
  gsize                  n_state = 0;

  for (guint k = 0; k < 2; k++) {
    g_autoptr(LacPool)    pool = lac_pool_new(1 + 2 * k);
    g_autoptr(LacSampler) sampler = make_sampler(molecule, &psi, way, 77, pool);

    for (guint i = 0; i < 7; i++)
      lac_sampler_adapt(sampler, lac_sampler_move(sampler, 3), 0.3);
    n_state = lac_packing_get_length(lac_sampler_pack, sampler);
    states[k] = g_new(double, n_state);
    lac_packing_save(lac_sampler_pack, sampler, states[k]);
  }
  g_assert_cmpmem(states[0], n_state * sizeof(double), states[1], n_state * sizeof(double));
  g_free(states[0]);
  g_free(states[1]);
}

/* The path of a walker does not depend on the number of others. */
static void
test_streams(void)
{
  const Way              way = {LAC_PROPOSAL_NORMAL, 0.1};
  Slater                 psi = {2, 1.3};
  g_autoptr(LacPool)     pool = lac_pool_new(1);
  g_autoptr(LacMolecule) molecule = make_atom(2, 1, 1);
  g_autoptr(LacSampler)  few = make_sampler(molecule, &psi, &way, 10, pool);
  g_autoptr(LacSampler)  many = make_sampler(molecule, &psi, &way, 90, pool);

  lac_sampler_move(few, 20);
  lac_sampler_move(many, 20);
  g_assert_cmpmem(lac_sampler_get_positions(few), 60 * sizeof(double),
                  lac_sampler_get_positions(many), 60 * sizeof(double));
}

static void
test_resume(gconstpointer data)
{
  const Way             *way = data;
  Slater                 psi = {2, 1.3};
  g_autoptr(LacPool)     pool = lac_pool_new(1);
  g_autoptr(LacMolecule) molecule = make_atom(2, 1, 1);
  g_autoptr(LacSampler)  whole = make_sampler(molecule, &psi, way, 33, pool);
  g_autoptr(LacSampler)  resumed = make_sampler(molecule, &psi, way, 33, pool);
  const gsize            n = lac_packing_get_length(lac_sampler_pack, whole);
  g_autofree double     *state = g_new(double, n), *other = g_new(double, n);

  lac_sampler_adapt(whole, lac_sampler_move(whole, 9), 0.3);
  lac_packing_save(lac_sampler_pack, whole, state);
  lac_packing_load(lac_sampler_pack, resumed, state);
  lac_sampler_move(whole, 8);
  lac_sampler_move(resumed, 8);
  lac_packing_save(lac_sampler_pack, whole, state);
  lac_packing_save(lac_sampler_pack, resumed, other);
  g_assert_cmpmem(state, n * sizeof *state, other, n * sizeof *other);
}

/* Triplet oxygen, ions, atoms far from their ground state: numbers of spins and of electrons per nucleus are as
 * given. */
static void
test_homes(void)
{
  static const struct {
    guint n_nuclei, charges[3], n_up, n_down;
  } cases[] = {
    {2, {8, 8, 0}, 9, 7}, {2, {8, 8, 0}, 8, 8}, {2, {1, 1, 0}, 1, 0}, {1, {10, 0, 0}, 9, 1},
    {3, {1, 8, 1}, 5, 5}, {2, {3, 1, 0}, 4, 0}, {2, {1, 9, 0}, 6, 5}, {3, {7, 7, 7}, 12, 9},
  };

  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    LacNucleus nuclei[3] = {{0}};
    guint      homes[32];

    for (guint a = 0; a < cases[k].n_nuclei; a++)
      nuclei[a] = (LacNucleus){cases[k].charges[a], {0, 0, 2.0 * a}};
    g_autoptr(LacMolecule) molecule =
      lac_molecule_new("m", cases[k].n_nuclei, nuclei, cases[k].n_up, cases[k].n_down);
    const guint n = lac_molecule_get_n_electrons(molecule);

    for (guint draw = 0; draw < 20; draw++) {
      guint counts[3] = {0};

      lac_sampler_assign(molecule, 5, draw, homes);
      for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(homes[i], <, cases[k].n_nuclei);
        counts[homes[i]]++;
      }
      for (guint a = 0; a < cases[k].n_nuclei; a++)
        g_assert_cmpint(ABS((int) counts[a] - (int) cases[k].charges[a]), <=,
                        ABS(lac_molecule_get_charge(molecule)));
    }
  }
}

int
main(int argc, char **argv)
{
  static const Way normal = {LAC_PROPOSAL_NORMAL, 0}, exchanging = {LAC_PROPOSAL_NORMAL, 0.2},
                   harmonic = {LAC_PROPOSAL_HARMONIC_MEAN, 0},
                   langevin = {LAC_PROPOSAL_LANGEVIN, 0.1};
  static const struct {
    const char *name;
    const Way  *way;
  } ways[] = {{"normal", &normal},
              {"exchange", &exchanging},
              {"harmonic", &harmonic},
              {"langevin", &langevin}};

  g_test_init(&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS(ways); k++) {
    g_autofree char *moments =
      g_strdup_printf("/experiment/quantum/sampler/%s/moments-of-a-slater-function", ways[k].name);
    g_autofree char *threads =
      g_strdup_printf("/experiment/quantum/sampler/%s/threads-change-nothing", ways[k].name);
    g_autofree char *resume =
      g_strdup_printf("/experiment/quantum/sampler/%s/a-resumed-walk-is-the-same", ways[k].name);

    g_test_add_data_func(moments, ways[k].way, test_moments);
    g_test_add_data_func(threads, ways[k].way, test_threads);
    g_test_add_data_func(resume, ways[k].way, test_resume);
  }
  g_test_add_func("/experiment/quantum/sampler/harmonic-moves-are-in-balance", test_balance);
  g_test_add_func("/experiment/quantum/sampler/a-walker-knows-nothing-of-the-others", test_streams);
  g_test_add_func("/experiment/quantum/sampler/every-molecule-finds-a-beginning", test_homes);
  return g_test_run();
}
