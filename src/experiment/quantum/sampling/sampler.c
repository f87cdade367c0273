/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the walkers, how they begin, and the adaptation of their moves. */
#include "experiment/quantum/sampling/sampler.h"

#include "backend/electron-moves.h"
#include "base/memory-part.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Random streams: home nuclei, initial positions, moves. */
enum { STREAM_HOMES = 1 << 24, STREAM_START = 2 << 24, STREAM_MOVES = 3 << 24 };

#define START_WIDTH 1.0 /* bohr, around the home nucleus */
#define MAX_STARTS  64  /* attempts at an initial position */

struct _LacSampler {
  LacMemoryClaim     claim;
  LacSamplerSettings settings;
  gsize              n_electrons, n_coordinates;
  gsize              n_words; /* random words per walker and move: whole blocks of 4 */
  double             width;
  guint64            step;      /* number of moves so far */
  double            *positions; /* [n_walkers][n_coordinates] */
  double            *log_abs;   /* [n_walkers] */
  double            *gradient;  /* [n_walkers][n_coordinates] with a drift, else NULL */
  guint32           *accepted;  /* [n_walkers] */
  double            *nuclei;    /* [n_nuclei][3] */
  gpointer           work;      /* NULL if moves are made elsewhere */
};

static void
evaluate(LacSampler *sampler, const double *positions, double *log_abs, double *gradient)
{
  sampler->settings.amplitude(positions, sampler->settings.n_walkers, log_abs, gradient,
                              sampler->settings.user_data);
}

/* ---- moves ---- */

LacElectronMoves
lac_sampler_describe(const LacSampler *sampler, guint n_moves)
{
  const LacSamplerSettings *settings = &sampler->settings;

  return (LacElectronMoves){.proposal = settings->proposal,
                            .n_moves = n_moves,
                            .n_up = settings->molecule->n_up,
                            .exchange = settings->exchange,
                            .width = sampler->width,
                            .seed = settings->seed,
                            .stream = STREAM_MOVES,
                            .step = sampler->step};
}

static void
move_here(const LacSampler *sampler, const LacElectronMoves *moves)
{
  const LacSamplerSettings *settings = &sampler->settings;

  lac_metropolis_move(&(LacMetropolis){.n_electrons = sampler->n_electrons,
                                       .n_nuclei = settings->molecule->n_nuclei,
                                       .n_walkers = settings->n_walkers,
                                       .nuclei = sampler->nuclei,
                                       .pool = settings->pool,
                                       .amplitude = settings->amplitude,
                                       .user_data = settings->user_data,
                                       .work = sampler->work},
                      moves);
}

double
lac_sampler_move(LacSampler *sampler, guint n_moves)
{
  const LacSamplerSettings *settings = &sampler->settings;
  const gsize               n = n_moves * settings->n_walkers;
  LacElectronMoves          moves = lac_sampler_describe(sampler, n_moves);
  gsize                     accepted = 0;

  if (n == 0)
    return (double) NAN;
  moves.positions = sampler->positions;
  moves.log_abs = sampler->log_abs;
  moves.gradient = sampler->gradient;
  moves.accepted = sampler->accepted;
  if (settings->moves)
    settings->moves(&moves, settings->n_walkers, settings->user_data);
  else
    move_here(sampler, &moves);
  for (gsize b = 0; b < settings->n_walkers; b++)
    accepted += sampler->accepted[b];
  sampler->step += n_moves;
  return (double) accepted / (double) n;
}

void
lac_sampler_adapt(LacSampler *sampler, double acceptance, double gain)
{
  const double target =
    sampler->settings.proposal == LAC_PROPOSAL_LANGEVIN ? LAC_ACCEPTANCE_DRIFT : LAC_ACCEPTANCE;

  sampler->width = lac_adapted_width(sampler->width, acceptance, target, gain);
}

/* ---- where electrons begin: at the nuclei, as many as belong there ---- */

/* Assigns electron counts to nuclei: the charge, then one more or fewer at a time until the sum is that of the
 * molecule. */
static void
count_electrons(const LacMolecule *molecule, guint *counts)
{
  int excess = -lac_molecule_get_charge(molecule);

  for (guint a = 0; a < molecule->n_nuclei; a++)
    counts[a] = molecule->nuclei[a].charge;
  for (; excess != 0; excess += excess > 0 ? -1 : 1) {
    guint best = 0;

    for (guint a = 1; a < molecule->n_nuclei; a++) {
      const int here = (int) molecule->nuclei[a].charge - (int) counts[a];
      const int there = (int) molecule->nuclei[best].charge - (int) counts[best];

      /* a missing electron is taken from the largest count, an extra one goes to the most positive ion */
      if (excess > 0 ? here > there : counts[a] > counts[best])
        best = a;
    }
    counts[best] += excess > 0 ? 1u : (guint) -1;
  }
}

/* Returns the unpaired electrons of the ground state with @n electrons, up to ten; beyond, 0 or 1. */
static guint
unpaired(guint n)
{
  const LacElement *element = n ? lac_element(n) : NULL;

  return element ? element->n_up - element->n_down : n % 2;
}

/* Turns one electron up at the atom with the largest surplus of down, or the reverse. */
static void
turn_one(guint n_nuclei, guint *up, const guint *counts, gboolean to_up)
{
  guint best = 0;
  int   most = G_MININT;

  for (guint a = 0; a < n_nuclei; a++) {
    const int turnable = (int) (to_up ? counts[a] - up[a] : up[a]);
    const int leaning = 2 * turnable - (int) counts[a];

    if (turnable > 0 && leaning > most) {
      most = leaning;
      best = a;
    }
  }
  up[best] += to_up ? 1u : (guint) -1;
}

void
lac_sampler_assign(const LacMolecule *molecule, guint64 seed, guint64 draw, guint *homes)
{
  const guint       n = molecule->n_nuclei;
  g_autofree guint *counts = g_new(guint, n), *up = g_new(guint, n);
  g_autofree gsize *order = g_new(gsize, n);
  LacRng            rng = lac_rng(seed, draw);
  int               spin = 0, missing = (int) molecule->n_up;
  guint             i = 0;

  count_electrons(molecule, counts);
  for (guint a = 0; a < n; a++)
    order[a] = a;
  lac_rng_shuffle(&rng, order, n);
  for (guint k = 0; k < n; k++) {
    const gsize    a = order[k];
    const guint    alone = unpaired(counts[a]);
    const int      target = (int) molecule->n_up - (int) molecule->n_down;
    const gboolean is_up = k == 0 && target == 0 ? lac_rng_word(&rng) & 1 : spin < target;

    up[a] = is_up ? (counts[a] + alone) / 2 : (counts[a] - alone) / 2;
    spin += is_up ? (int) alone : -(int) alone;
    missing -= (int) up[a];
  }
  /* each iteration reduces the difference by one, so the loop ends */
  for (; missing != 0; missing += missing > 0 ? -1 : 1)
    turn_one(n, up, counts, missing > 0);
  for (guint a = 0; a < n; a++)
    for (guint k = 0; k < up[a]; k++)
      homes[i++] = a;
  for (guint a = 0; a < n; a++)
    for (guint k = up[a]; k < counts[a]; k++)
      homes[i++] = a;
}

/* ---- the walkers ---- */

static void
start_walker(LacSampler *sampler, gsize walker, guint attempt)
{
  const LacSamplerSettings *settings = &sampler->settings;
  double                   *r = sampler->positions + walker * sampler->n_coordinates;
  guint                     homes[LAC_SAMPLER_MAX_ELECTRONS];
  double                    noise[3 * LAC_SAMPLER_MAX_ELECTRONS];
  LacRng                    rng = lac_rng(settings->seed, STREAM_START + walker);

  lac_sampler_assign(settings->molecule, settings->seed, STREAM_HOMES + walker, homes);
  rng.position = attempt * sampler->n_words;
  lac_rng_normals(&rng, noise, sampler->n_coordinates);
  for (gsize i = 0; i < sampler->n_electrons; i++)
    for (guint c = 0; c < 3; c++)
      r[3 * i + c] =
        settings->molecule->nuclei[homes[i]].position[c] + START_WIDTH * noise[3 * i + c];
}

/* Draws initial positions again where psi is not finite. */
static void
start(LacSampler *sampler)
{
  const gsize n = sampler->settings.n_walkers;

  for (gsize b = 0; b < n; b++)
    start_walker(sampler, b, 0);
  lac_sampler_refresh(sampler);
  for (guint attempt = 1; attempt < MAX_STARTS; attempt++) {
    gsize n_nowhere = 0;

    for (gsize b = 0; b < n; b++)
      if (!isfinite(sampler->log_abs[b])) {
        start_walker(sampler, b, attempt);
        n_nowhere++;
      }
    if (!n_nowhere)
      return;
    lac_sampler_refresh(sampler);
  }
}

LacSampler *
lac_sampler_new(const LacSamplerSettings *settings)
{
  LacSampler *sampler = g_new0(LacSampler, 1);
  gsize       n;

  sampler->settings = *settings;
  sampler->n_electrons = lac_molecule_get_n_electrons(settings->molecule);
  g_assert(sampler->n_electrons > 0 && sampler->n_electrons <= LAC_SAMPLER_MAX_ELECTRONS);
  if (!settings->molecule->n_down || !settings->molecule->n_up)
    sampler->settings.exchange = 0;
  sampler->n_coordinates = 3 * sampler->n_electrons;
  sampler->n_words = LAC_PHILOX_BLOCK * lac_move_blocks(sampler->n_electrons);
  sampler->width = settings->width;
  n = settings->n_walkers * sampler->n_coordinates;
  sampler->positions = g_new0(double, n);
  sampler->log_abs = g_new0(double, settings->n_walkers);
  if (settings->proposal == LAC_PROPOSAL_LANGEVIN)
    sampler->gradient = g_new0(double, n);
  sampler->accepted = g_new0(guint32, settings->n_walkers);
  if (!settings->moves) {
    const gsize n_bytes =
      lac_metropolis_bytes(sampler->n_electrons, settings->n_walkers, sampler->gradient != NULL);

    sampler->work = g_malloc0(n_bytes);
    lac_memory_claim(&sampler->claim, LAC_MEMORY_STATES, n_bytes);
  }
  sampler->nuclei = g_new(double, 3 * settings->molecule->n_nuclei);
  for (guint a = 0; a < settings->molecule->n_nuclei; a++)
    memcpy(sampler->nuclei + 3 * a, settings->molecule->nuclei[a].position, 3 * sizeof(double));
  lac_memory_claim(&sampler->claim, LAC_MEMORY_STATES,
                   sizeof(double) * ((sampler->gradient ? 2 : 1) * n + settings->n_walkers));
  start(sampler);
  return sampler;
}

void
lac_sampler_free(LacSampler *sampler)
{
  if (!sampler)
    return;
  g_free(sampler->positions);
  g_free(sampler->log_abs);
  g_free(sampler->gradient);
  g_free(sampler->accepted);
  g_free(sampler->nuclei);
  g_free(sampler->work);
  lac_memory_unclaim(&sampler->claim);
  g_free(sampler);
}

void
lac_sampler_refresh(LacSampler *sampler)
{
  evaluate(sampler, sampler->positions, sampler->log_abs, sampler->gradient);
}

void
lac_sampler_place(LacSampler *sampler, const double *positions)
{
  memcpy(sampler->positions, positions,
         sampler->settings.n_walkers * sampler->n_coordinates * sizeof *positions);
  lac_sampler_refresh(sampler);
}

void
lac_sampler_show(LacSampler *sampler, const double *positions, double width)
{
  memcpy(sampler->positions, positions,
         sampler->settings.n_walkers * sampler->n_coordinates * sizeof *positions);
  sampler->width = width;
}

void
lac_sampler_reseed(LacSampler *sampler, gsize walker, gsize other)
{
  const gsize n = sampler->n_coordinates;

  memcpy(sampler->positions + walker * n, sampler->positions + other * n, n * sizeof(double));
  if (sampler->gradient)
    memcpy(sampler->gradient + walker * n, sampler->gradient + other * n, n * sizeof(double));
  sampler->log_abs[walker] = sampler->log_abs[other];
}

double
lac_sampler_get_width(const LacSampler *sampler)
{
  return sampler->width;
}

const double *
lac_sampler_get_positions(const LacSampler *sampler)
{
  return sampler->positions;
}

const double *
lac_sampler_get_log_abs(const LacSampler *sampler)
{
  return sampler->log_abs;
}

/* ---- checkpoints: width, step, positions, their values ---- */

void
lac_sampler_pack(gpointer data, LacPacking *packing)
{
  LacSampler *sampler = data;

  const gsize n = sampler->settings.n_walkers, n_positions = n * sampler->n_coordinates;
  gsize       step = sampler->step;

  lac_packing_values(packing, &sampler->width, 1);
  lac_packing_index(packing, &step);
  sampler->step = step;
  lac_packing_values(packing, sampler->positions, n_positions);
  lac_packing_values(packing, sampler->log_abs, n);
  if (sampler->gradient)
    lac_packing_values(packing, sampler->gradient, n_positions);
}
