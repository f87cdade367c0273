/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers that wander through the space of all electrons so that they are distributed as psi squared. Units: bohr.
 * What a walker draws depends on seed, walker and step alone, never on threads or on how walkers are shared out.
 * Formulas and sources: backend/electron-moves.h. */
#pragma once

#include "backend/electrons.h"
#include "base/pool.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

/* Of one walker's scratch on the stack. */
#define LAC_SAMPLER_MAX_ELECTRONS 128

/* log|psi| of @n_walkers walkers at @positions, [n_walkers][n_electrons][3], and where it is asked for its gradient by
 * positions, [n_walkers][3 n_electrons]. Not finite: no walker stands there. */
typedef void (*LacAmplitude)(const double *positions,
                             gsize         n_walkers,
                             double       *log_abs,
                             double       *gradient, /* (nullable) */
                             gpointer      user_data);

/* Moves all walkers as the sampler would: with the same random numbers and the same formulas. @moves: arrays of the host. */
typedef void (*LacMoveWalkers)(const LacElectronMoves *moves, gsize n_walkers, gpointer user_data);

typedef struct {
  const LacMolecule *molecule;
  gsize              n_walkers;
  LacProposal        proposal;
  double             exchange; /* share of moves that swap an electron up with one down instead */
  double             width;    /* to begin with, in bohr */
  guint64            seed;
  LacPool           *pool;
  LacAmplitude       amplitude;
  LacMoveWalkers     moves; /* NULL: on the pool, with the amplitude */
  gpointer           user_data;
} LacSamplerSettings;

typedef struct _LacSampler LacSampler;

/* Walkers around the nuclei, as the atoms' own spins and the total spin allow; always terminates. */
LacSampler *lac_sampler_new(const LacSamplerSettings *settings);
void        lac_sampler_free(LacSampler *sampler);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSampler, lac_sampler_free)

/* psi has changed: its values at the walkers anew. */
void lac_sampler_refresh(LacSampler *sampler);

/* Moves every walker @n_moves times. Returns: the share of accepted moves. Does not allocate. */
double lac_sampler_move(LacSampler *sampler, guint n_moves);

/* How it moves walkers @n_moves times from now on, for somebody who does the same: everything but the arrays. */
LacElectronMoves lac_sampler_describe(const LacSampler *sampler, guint n_moves);

/* Widens or narrows the moves towards the acceptance that mixes best. Never while results are gathered.
 * @gain: 0 to 1, how boldly */
void lac_sampler_adapt(LacSampler *sampler, double acceptance, double gain);

/* All walkers to @positions, [n_walkers][n_electrons][3]. */
void lac_sampler_place(LacSampler *sampler, const double *positions);

/* Where somebody who moves the walkers from now on has brought them, and with which width: to look at. The next move needs
 * lac_sampler_load(). */
void lac_sampler_show(LacSampler *sampler, const double *positions, double width);

/* Puts walker @walker where walker @other stands. */
void lac_sampler_reseed(LacSampler *sampler, gsize walker, gsize other);

double lac_sampler_get_width(const LacSampler *sampler);
const double *
lac_sampler_get_positions(const LacSampler *sampler);             /* [n_walkers][n_electrons][3] */
const double *lac_sampler_get_log_abs(const LacSampler *sampler); /* [n_walkers] */

/* All that makes the next move what it is, as one row of numbers. */
gsize lac_sampler_get_state_length(const LacSampler *sampler);
void  lac_sampler_save(const LacSampler *sampler, double *state);
void  lac_sampler_load(LacSampler *sampler, const double *state);

/* Which nucleus each electron begins at, up first: neutral atoms in their ground state as far as charge and spin allow;
 * @draw: differs among walkers, so that they begin with the spins of the atoms in every order. @homes: [n_electrons] */
void lac_sampler_assign(const LacMolecule *molecule, guint64 seed, guint64 draw, guint *homes);

G_END_DECLS
