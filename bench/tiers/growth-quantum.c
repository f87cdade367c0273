/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of the quantum laboratory: the operations of an iteration over walkers and electrons. */
#include "base/rng.h"
#include "bench/tiers/growth-private.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

enum { N_WALKERS = 64, N_ELECTRONS = 4 };

static const LacAnsatz ansatz = {64, 16, 3, 4, TRUE, TRUE, FALSE};

typedef struct {
  LacMolecule     *molecule;
  LacWavefunction *wave;
  gsize            n;
  double          *theta, *positions, *log_abs, *gradient, *kinetic, *seed, *theta_bar, *gram;
  gint8           *sign;
} Walkers;

static void
end_walkers(gpointer subject)
{
  Walkers *w = subject;

  lac_wavefunction_free(w->wave);
  lac_molecule_unref(w->molecule);
  g_free(w->theta);
  g_free(w->positions);
  g_free(w->log_abs);
  g_free(w->gradient);
  g_free(w->kinetic);
  g_free(w->seed);
  g_free(w->theta_bar);
  g_free(w->gram);
  g_free(w->sign);
  g_free(w);
}

/* @with_gram: of n^2 numbers */
static Walkers *
begin_walkers(gsize n, gsize n_electrons, gboolean with_gram, GError **error)
{
  const guint      half = (guint) n_electrons / 2;
  const LacNucleus nuclei[] = {{half, {0, 0, -0.7}}, {half, {0, 0, 0.7}}};
  const gsize      n_coordinates = n * n_electrons * 3;
  Walkers         *w = g_new0(Walkers, 1);
  LacRng           rng = lac_rng(1, 0);

  w->n = n;
  w->molecule = lac_molecule_new("M", 2, nuclei, half, (guint) n_electrons - half);
  w->wave = lac_wavefunction_new(w->molecule, &ansatz, "f32", NULL, error);
  w->theta = g_new(double, lac_wavefunction_get_n_params(w->wave));
  w->theta_bar = g_new(double, lac_wavefunction_get_n_params(w->wave));
  w->positions = g_new(double, n_coordinates);
  w->gradient = g_new(double, n_coordinates);
  w->log_abs = g_new(double, n);
  w->kinetic = g_new(double, n);
  w->seed = g_new(double, n);
  w->sign = g_new(gint8, n);
  w->gram = with_gram ? g_new(double, n *n) : NULL;
  lac_wavefunction_init(w->wave, 1, w->theta);
  for (gsize i = 0; i < n_coordinates; i++)
    w->positions[i] = lac_rng_normal(&rng);
  for (gsize i = 0; i < n; i++)
    w->seed[i] = lac_rng_normal(&rng);
  return w;
}

static void
tape(Walkers *w)
{
  lac_wavefunction_tape(w->wave, w->theta, w->positions, w->n, w->log_abs, w->sign);
}

static gpointer
begin_plain_walkers(gsize size, GError **error)
{
  return begin_walkers(size, N_ELECTRONS, FALSE, error);
}

static gpointer
begin_plain_electrons(gsize size, GError **error)
{
  return begin_walkers(N_WALKERS, size, FALSE, error);
}

static gpointer
begin_gram_walkers(gsize size, GError **error)
{
  Walkers *w = begin_walkers(size, N_ELECTRONS, TRUE, error);

  tape(w);
  return w;
}

static gpointer
begin_gram_electrons(gsize size, GError **error)
{
  Walkers *w = begin_walkers(N_WALKERS, size, TRUE, error);

  tape(w);
  return w;
}

static gboolean
evaluate(gpointer subject, GError **error)
{
  Walkers *w = subject;

  lac_wavefunction_value(w->wave, w->theta, w->positions, w->n, w->log_abs, w->sign);
  return TRUE;
}

static gboolean
find_energies(gpointer subject, GError **error)
{
  Walkers *w = subject;

  lac_wavefunction_local(w->wave, w->theta, w->positions, w->n,
                         &(LacLocal){w->log_abs, w->sign, w->gradient, w->kinetic});
  return TRUE;
}

static gboolean
find_gradient(gpointer subject, GError **error)
{
  Walkers *w = subject;

  tape(w);
  lac_wavefunction_gradient(w->wave, w->seed, w->theta_bar);
  return TRUE;
}

static gboolean
find_gram(gpointer subject, GError **error)
{
  Walkers *w = subject;

  lac_wavefunction_gram(w->wave, w->gram);
  return TRUE;
}

static double
value_flops(gsize size, gconstpointer subject)
{
  const Walkers *w = subject;

  return lac_wavefunction_get_cost(w->wave).value * (double) w->n;
}

/* The second derivative of a determinant of N rows takes a product of matrices for each of the 3 N coordinates. */
static double
local_flops(gsize size, gconstpointer subject)
{
  const Walkers *w = subject;
  const double   n = (double) lac_wavefunction_get_n_electrons(w->wave);

  return (lac_wavefunction_get_cost(w->wave).local + 6 * n * n * n * n * ansatz.n_determinants) *
         (double) w->n;
}

/* The reverse pass, and O^T seed with a product as large as a value. */
static double
gradient_flops(gsize size, gconstpointer subject)
{
  const Walkers            *w = subject;
  const LacWavefunctionCost cost = lac_wavefunction_get_cost(w->wave);

  return (cost.tape + cost.value) * (double) w->n;
}

static double
gram_flops(gsize size, gconstpointer subject)
{
  const Walkers            *w = subject;
  const LacWavefunctionCost cost = lac_wavefunction_get_cost(w->wave);

  return (double) w->n * (cost.form + 0.5 * (double) w->n * cost.gram);
}

/* Arrays of the subject besides the wavefunction. */
static double
count_arrays(const Walkers *w)
{
  const double n = (double) w->n, n_electrons = (double) lac_wavefunction_get_n_electrons(w->wave);

  return 8 * n * (6 * n_electrons + 4) + (w->gram ? 8 * n * n : 0) +
         16 * (double) lac_wavefunction_get_n_params(w->wave);
}

static double
plain_room(gsize size, gconstpointer subject)
{
  const Walkers *w = subject;

  return count_arrays(w) + (double) lac_wavefunction_estimate(w->molecule, &ansatz, "f32", 1, 0);
}

static double
tape_room(gsize size, gconstpointer subject)
{
  const Walkers *w = subject;

  return count_arrays(w) + (double) lac_wavefunction_estimate(w->molecule, &ansatz, "f32", 1, w->n);
}

const LacGrowthRow lac_growth_quantum_rows[] = {
  {"wavefunction",
   "walkers",
   "W",
   "FLOP/s",
   {64, 128, 256, 512, 1024},
   value_flops,
   plain_room,
   begin_plain_walkers,
   evaluate,
   end_walkers},
  {"forward_laplacian",
   "walkers",
   "W",
   "FLOP/s",
   {64, 128, 256, 512, 1024},
   local_flops,
   plain_room,
   begin_plain_walkers,
   find_energies,
   end_walkers},
  {"forward_laplacian",
   "electrons",
   "N^2 (w^2 + N w) and N^4 of the determinants",
   "FLOP/s",
   {4, 6, 8, 12, 16},
   local_flops,
   plain_room,
   begin_plain_electrons,
   find_energies,
   end_walkers,
   .extra = 0.25,
   .why = "beyond six electrons the tangents of a group of walkers exceed the second-level cache"},
  {"parameter_gradient",
   "walkers",
   "W",
   "FLOP/s",
   {64, 128, 256, 512, 1024},
   gradient_flops,
   tape_room,
   begin_plain_walkers,
   find_gradient,
   end_walkers},
  {"gram_matrix",
   "walkers",
   "W^2",
   "FLOP/s",
   {64, 128, 256, 512},
   gram_flops,
   tape_room,
   begin_gram_walkers,
   find_gram,
   end_walkers},
  {"gram_matrix",
   "electrons",
   "N^2 of the pairs",
   "FLOP/s",
   {8, 10, 12, 16, 20},
   gram_flops,
   tape_room,
   begin_gram_electrons,
   find_gram,
   end_walkers,
   .extra = 0.2,
   .why = "O of a group of walkers exceeds the second-level cache and is read again for every "
          "square of groups"},
  {NULL},
};
