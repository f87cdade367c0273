/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pretraining: the target of every determinant is block-diagonal: spin-up orbitals, spin-down orbitals, 0 elsewhere. */
#include "experiment/quantum/methods/pretraining.h"

#include "experiment/quantum/methods/adam-descent.h"
#include "experiment/quantum/sampling/sampler.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 16 }; /* walkers per pool item */

#define FIRST_WIDTH 0.3 /* bohr */
#define GAIN \
  0.2 /* adaptation gain of the move width; may adapt throughout, since nothing is measured */

struct _LacPretraining {
  LacPretrainingSettings settings;
  const LacMolecule     *molecule;
  gsize                  n_electrons, n_entries; /* n_entries: of all determinants of a walker */
  LacHartreeFock        *hf;
  LacSampler            *sampler;
  LacAdamDescent        *descent;
  double
    *phi; /* [n_walkers][n_entries]; at the end the derivative of the loss with respect to it */
  double *target;   /* [n_walkers][N][N] */
  double *losses;   /* [n_chunks] */
  double *gradient; /* [n_params] */
  /* arguments of the current evaluation */
  const double *positions;
  double       *log_abs;
  gsize         n;
};

const char *const *
lac_pretraining_bases(void)
{
  static const char *const bases[] = {"sto-3g", "6-31g", NULL};

  return bases;
}

const char *const *
lac_pretraining_basis_titles(void)
{
  static const char *const titles[] = {"STO-3G", "6-31G"};

  return titles;
}

static gsize
n_chunks(gsize n)
{
  return (n + CHUNK - 1) / CHUNK;
}

static void
value_chunk(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacPretraining *self = user_data;
  const gsize           first = item * CHUNK, n = MIN(CHUNK, self->n - first);

  lac_hartree_fock_value(self->hf, self->positions + first * 3 * self->n_electrons, n,
                         self->log_abs + first);
}

static void
amplitude(const double    *positions,
          gsize            n_walkers,
          double          *log_abs,
          double *gradient G_GNUC_UNUSED,
          gpointer         user_data)
{
  LacPretraining *self = user_data;

  self->positions = positions;
  self->log_abs = log_abs;
  self->n = n_walkers;
  lac_pool_run(self->settings.pool, n_chunks(n_walkers), value_chunk, self);
}

LacPretraining *
lac_pretraining_new(const LacPretrainingSettings *settings, GError **error)
{
  g_autoptr(LacPretraining) self = g_new0(LacPretraining, 1);
  const LacAnsatz          *ansatz = lac_wavefunction_get_ansatz(settings->wave);
  const gsize               n_params = lac_wavefunction_get_n_params(settings->wave);
  LacSamplerSettings        sampling;

  self->settings = *settings;
  self->molecule = lac_wavefunction_get_molecule(settings->wave);
  self->n_electrons = lac_molecule_get_n_electrons(self->molecule);
  self->n_entries = ansatz->n_determinants * self->n_electrons * self->n_electrons;
  self->hf = lac_hartree_fock_new(self->molecule, settings->basis, settings->pool, error);
  self->descent = self->hf ? lac_adam_descent_new(n_params, settings->pool, error) : NULL;
  if (!self->descent)
    return NULL;
  self->phi = g_new0(double, settings->n_walkers * self->n_entries);
  self->target = g_new0(double, settings->n_walkers * self->n_electrons * self->n_electrons);
  self->losses = g_new0(double, n_chunks(settings->n_walkers));
  self->gradient = g_new0(double, n_params);
  sampling = (LacSamplerSettings){
    .molecule = self->molecule,
    .n_walkers = settings->n_walkers,
    .proposal = LAC_PROPOSAL_NORMAL,
    .width = FIRST_WIDTH,
    .seed = settings->seed,
    .pool = settings->pool,
    .amplitude = amplitude,
    .user_data = self,
  };
  self->sampler = lac_sampler_new(&sampling);
  return g_steal_pointer(&self);
}

void
lac_pretraining_free(LacPretraining *self)
{
  if (!self)
    return;
  lac_sampler_free(self->sampler);
  lac_adam_descent_free(self->descent);
  lac_hartree_fock_free(self->hf);
  g_free(self->phi);
  g_free(self->target);
  g_free(self->losses);
  g_free(self->gradient);
  g_free(self);
}

/* Writes the orbitals of one spin at the electrons of that spin of one walker into its diagonal block of the target. */
static void
fill_spin(const LacPretraining *self, gsize walker, gboolean is_up)
{
  const gsize   N = self->n_electrons, first = is_up ? 0 : self->molecule->n_up;
  const gsize   n = is_up ? self->molecule->n_up : self->molecule->n_down;
  const double *points = lac_sampler_get_positions(self->sampler) + 3 * (walker * N + first);
  double       *to = self->target + walker * N * N;

  for (gsize i = 0; i < n; i++)
    lac_hartree_fock_orbitals(self->hf, is_up, points + 3 * i, 1, to + (first + i) * N + first);
}

/* Computes the targets and replaces the entries by the derivative of the loss. */
static void
compare_chunk(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  LacPretraining *self = user_data;
  const gsize     NN = self->n_electrons * self->n_electrons, n = self->settings.n_walkers;
  const double    share = 1 / ((double) n * (double) self->n_entries);
  double          loss = 0;

  for (gsize b = item * CHUNK; b < MIN((item + 1) * CHUNK, n); b++) {
    const double *target = self->target + b * NN;
    double       *phi = self->phi + b * self->n_entries;

    fill_spin(self, b, TRUE);
    fill_spin(self, b, FALSE);
    for (gsize i = 0; i < self->n_entries; i++) {
      const double off = phi[i] - target[i % NN];

      loss += off * off * share;
      phi[i] = 2 * off * share;
    }
  }
  self->losses[item] = loss;
}

gboolean
lac_pretraining_step(LacPretraining *self, double *theta, double rate, LacPretrainingReport *report)
{
  const gsize   n = self->settings.n_walkers;
  const double *positions = lac_sampler_get_positions(self->sampler);

  report->acceptance = lac_sampler_move(self->sampler, self->settings.n_moves);
  lac_sampler_adapt(self->sampler, report->acceptance, GAIN);
  lac_wavefunction_orbitals(self->settings.wave, theta, positions, n, self->phi);
  lac_pool_run(self->settings.pool, n_chunks(n), compare_chunk, self);
  report->loss = 0;
  for (gsize c = 0; c < n_chunks(n); c++)
    report->loss += self->losses[c];
  lac_wavefunction_orbitals_reverse(self->settings.wave, theta, positions, n, self->phi,
                                    self->gradient);
  return lac_adam_descent_step(self->descent, theta, self->gradient, rate);
}

const double *
lac_pretraining_get_positions(const LacPretraining *self)
{
  return lac_sampler_get_positions(self->sampler);
}

void
lac_pretraining_pack(gpointer data, LacPacking *packing)
{
  LacPretraining *self = data;

  lac_adam_descent_pack(self->descent, packing);
  lac_sampler_pack(self->sampler, packing);
}
