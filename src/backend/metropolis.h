/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metropolis moves of all electrons of a walker at once, in host memory, for any psi. Units: bohr. A walker's random numbers
 * depend only on seed, walker and step, never on threads or on how walkers are divided. Nothing is allocated.
 * Formulas and sources: backend/electron-moves.h. */
#pragma once

#include "backend/electrons.h"
#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

/* Computes log|psi| of @n_walkers walkers at @positions, [n_walkers][n_electrons][3], and, if requested, its gradient
 * with respect to the positions, [n_walkers][3 n_electrons]. A non-finite value marks a forbidden position. Called by the
 * caller's thread. */
typedef void (*LacAmplitude)(const double *positions,
                             gsize         n_walkers,
                             double       *log_abs,
                             double       *gradient, /* (nullable) */
                             gpointer      user_data);

typedef struct {
  gsize         n_electrons, n_nuclei, n_walkers;
  const double *nuclei; /* [n_nuclei][3] */
  LacPool      *pool;   /* (nullable): NULL: the calling thread alone */
  LacAmplitude  amplitude;
  gpointer      user_data;
  void         *work; /* lac_metropolis_bytes() bytes */
} LacMetropolis;

/* @drifts: for Langevin moves */
gsize lac_metropolis_bytes(gsize n_electrons, gsize n_walkers, gboolean drifts);

void lac_metropolis_move(const LacMetropolis *metropolis, const LacElectronMoves *moves);

G_END_DECLS
