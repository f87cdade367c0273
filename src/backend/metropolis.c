/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of walkers on the pool propose and accept; between them the amplitude sees all proposals at once. */
#include "backend/metropolis.h"

#include "backend/electron-moves.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 32 }; /* walkers per pool item */

typedef struct {
  const LacMetropolis    *ground;
  const LacElectronMoves *moves;
  gsize                   n; /* coordinates of a walker */
  double                  width;
  guint64                 step;
  double                 *proposed, *gradient; /* [n_walkers][n]; gradient: of Langevin moves */
  double                 *log_abs;             /* [n_walkers]: at the proposals */
  double
    *correction; /* [n_walkers]: log q(r | r') - log q(r' | r), the part known from the proposal */
  double *thresholds; /* [n_walkers]: log of a uniform number */
} Moves;

gsize
lac_metropolis_bytes(gsize n_electrons, gsize n_walkers, gboolean drifts)
{
  return n_walkers * (3 * n_electrons * (drifts ? 2 : 1) + 3) * sizeof(double);
}

/* ---- proposals ---- */

/* Exchanges an up and a down electron: symmetric, so that no correction is needed. */
static void
exchange(const Moves *m, LacRng *rng, double *to)
{
  const gsize n_up = m->moves->n_up, n_down = m->ground->n_electrons - n_up;
  const gsize up = (gsize) (lac_rng_uniform(rng) * (double) n_up);
  const gsize down = n_up + (gsize) (lac_rng_uniform(rng) * (double) n_down);

  for (guint c = 0; c < 3; c++) {
    const double held = to[3 * up + c];

    to[3 * up + c] = to[3 * down + c];
    to[3 * down + c] = held;
  }
}

/* @to: standard normal deviates, which become the proposal. Returns: the correction. */
static double
propose_harmonic(const Moves *m, const double *from, double *to)
{
  double correction = 0;

  for (gsize i = 0; i < m->n; i += 3)
    correction +=
      lac_move_harmonic(m->ground->nuclei, m->ground->n_nuclei, m->width, from + i, to + i, to + i);
  return correction;
}

static double
correct_drift(const Moves *m, gsize walker)
{
  const gsize   first = walker * m->n;
  const double *from = m->moves->positions + first, *to = m->proposed + first;
  double        correction = 0;

  for (gsize i = 0; i < m->n; i += 3)
    correction += lac_correct_drift(m->width, from + i, to + i, m->moves->gradient + first + i,
                                    m->gradient + first + i);
  return correction;
}

static void
propose(const Moves *m, gsize walker)
{
  const LacElectronMoves *moves = m->moves;
  const gsize             first = walker * m->n;
  const double           *from = moves->positions + first;
  double                 *to = m->proposed + first;
  LacRng                  rng = lac_rng(moves->seed, moves->stream + walker);

  rng.position = m->step * LAC_PHILOX_BLOCK * lac_move_blocks(m->ground->n_electrons);
  m->thresholds[walker] = log(1 - lac_rng_uniform(&rng));
  m->correction[walker] = 0;
  if (lac_rng_uniform(&rng) < moves->exchange) {
    memcpy(to, from, m->n * sizeof *to);
    exchange(m, &rng, to);
    m->correction[walker] = NAN; /* marker: no drift correction */
    return;
  }
  lac_rng_normals(&rng, to, m->n);
  switch (moves->proposal) {
  case LAC_PROPOSAL_NORMAL:
    for (gsize i = 0; i < m->n; i++)
      to[i] = from[i] + m->width * to[i];
    break;
  case LAC_PROPOSAL_HARMONIC_MEAN: m->correction[walker] = propose_harmonic(m, from, to); break;
  case LAC_PROPOSAL_LANGEVIN:
    for (gsize i = 0; i < m->n; i += 3)
      lac_move_drifting(m->width, from + i, moves->gradient + first + i, to + i, to + i);
    break;
  }
}

static void
propose_chunk(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Moves *m = user_data;

  for (gsize b = item * CHUNK; b < MIN((item + 1) * CHUNK, m->ground->n_walkers); b++)
    propose(m, b);
}

/* ---- acceptance ---- */

static gboolean
is_accepted(const Moves *m, gsize walker)
{
  double correction = m->correction[walker];

  if (isnan(correction))
    correction = 0; /* an exchange */
  else if (m->moves->proposal == LAC_PROPOSAL_LANGEVIN)
    correction = correct_drift(m, walker);
  return lac_move_is_accepted(m->moves->log_abs[walker], m->log_abs[walker], correction,
                              m->thresholds[walker]);
}

static void
accept_chunk(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Moves            *m = user_data;
  const LacElectronMoves *moves = m->moves;

  for (gsize b = item * CHUNK; b < MIN((item + 1) * CHUNK, m->ground->n_walkers); b++) {
    if (!is_accepted(m, b))
      continue;
    memcpy(moves->positions + b * m->n, m->proposed + b * m->n, m->n * sizeof(double));
    if (m->gradient)
      memcpy(moves->gradient + b * m->n, m->gradient + b * m->n, m->n * sizeof(double));
    moves->log_abs[b] = m->log_abs[b];
    moves->accepted[b]++;
  }
}

static void
run(const Moves *m, LacPoolFunc func)
{
  const gsize n_chunks = (m->ground->n_walkers + CHUNK - 1) / CHUNK;

  if (m->ground->pool) {
    lac_pool_run(m->ground->pool, n_chunks, func, (gpointer) m);
    return;
  }
  for (gsize i = 0; i < n_chunks; i++)
    func(i, 0, (gpointer) m);
}

void
lac_metropolis_move(const LacMetropolis *ground, const LacElectronMoves *moves)
{
  const gsize n = 3 * ground->n_electrons, n_walkers = ground->n_walkers;
  double     *work = ground->work;
  Moves       m = {
          .ground = ground,
          .moves = moves,
          .n = n,
          .width = moves->walk ? moves->walk[LAC_WALK_WIDTH] : moves->width,
          .step = moves->walk ? (guint64) moves->walk[LAC_WALK_STEP] : moves->step,
          .log_abs = work,
          .correction = work + n_walkers,
          .thresholds = work + 2 * n_walkers,
          .proposed = work + 3 * n_walkers,
          .gradient = moves->gradient ? work + (3 + n) * n_walkers : NULL,
  };

  memset(moves->accepted, 0, n_walkers * sizeof *moves->accepted);
  for (guint k = 0; k < moves->n_moves; k++, m.step++) {
    run(&m, propose_chunk);
    ground->amplitude(m.proposed, n_walkers, m.log_abs, m.gradient, ground->user_data);
    run(&m, accept_chunk);
  }
}
