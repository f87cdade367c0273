/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metropolis sampler: walkers distributed as psi squared, by the moves of backend/metropolis.h or of a device. Units: bohr. */
#pragma once

#include "backend/metropolis.h"
#include "base/packing.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of electrons; the scratch of one walker is on the stack. */
#define LAC_SAMPLER_MAX_ELECTRONS 128

/* Moves all walkers with the sampler's random numbers and formulas. @moves: its arrays are in host memory. */
typedef void (*LacMoveWalkers)(const LacElectronMoves *moves, gsize n_walkers, gpointer user_data);

typedef struct {
  const LacMolecule *molecule;
  gsize              n_walkers;
  LacProposal        proposal;
  double         exchange; /* fraction of moves that exchange an up and a down electron instead */
  double         width;    /* initial move width, bohr */
  guint64        seed;
  LacPool       *pool;
  LacAmplitude   amplitude;
  LacMoveWalkers moves; /* (nullable): NULL: lac_metropolis_move() with the amplitude */
  gpointer       user_data;
} LacSamplerSettings;

typedef struct _LacSampler LacSampler;

/* Creates the sampler and draws each walker's electrons around the nuclei assigned by lac_sampler_assign(); always
 * terminates. */
LacSampler *lac_sampler_new(const LacSamplerSettings *settings);
void        lac_sampler_free(LacSampler *sampler);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSampler, lac_sampler_free)

/* Recomputes the values of psi at the walkers after psi has changed. */
void lac_sampler_refresh(LacSampler *sampler);

/* Moves every walker @n_moves times. Returns: the acceptance ratio. Does not allocate. */
double lac_sampler_move(LacSampler *sampler, guint n_moves);

/* Describes the next @n_moves moves, without the arrays, for a caller that performs them itself. */
LacElectronMoves lac_sampler_describe(const LacSampler *sampler, guint n_moves);

/* Adapts the move width towards the acceptance ratio that mixes best. Must not be called while samples are
 * accumulated.
 * @gain: 0 to 1, strength of the adaptation */
void lac_sampler_adapt(LacSampler *sampler, double acceptance, double gain);

/* Sets all walkers to @positions, [n_walkers][n_electrons][3]. */
void lac_sampler_place(LacSampler *sampler, const double *positions);

/* Sets positions and width for display only, while a device loop moves the walkers. The next move needs
 * lac_sampler_load() first. */
void lac_sampler_show(LacSampler *sampler, const double *positions, double width);

/* Copies walker @other to walker @walker. */
void lac_sampler_reseed(LacSampler *sampler, gsize walker, gsize other);

double lac_sampler_get_width(const LacSampler *sampler);
const double *
lac_sampler_get_positions(const LacSampler *sampler);             /* [n_walkers][n_electrons][3] */
const double *lac_sampler_get_log_abs(const LacSampler *sampler); /* [n_walkers] */

/* Packs everything that determines the next move. */
void lac_sampler_pack(gpointer sampler, LacPacking *packing);

/* Assigns each electron its initial nucleus, spin-up electrons first, so that atoms are neutral and in their ground
 * state as far as charge and spin allow. @draw: differs among walkers, so that every arrangement of the atoms' spins
 * occurs. @homes: [n_electrons]: index of the nucleus */
void lac_sampler_assign(const LacMolecule *molecule, guint64 seed, guint64 draw, guint *homes);

G_END_DECLS
