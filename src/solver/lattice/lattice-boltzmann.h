/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional lattice Boltzmann solver (D2Q9) for flow in a box with walls, an inflow, and discs. Two relaxation
 * times with the equilibrium of He and Luo, so that a steady flow is incompressible to second order and an unsteady
 * one up to the square of the Mach number. Lattice units: cells, steps, density 1; the speed of sound is 1 / sqrt 3.
 * Cell (x, y) is centred at (x, y); walls and the ends of the box lie half a cell outside the first and last cells.
 * Sources: Ginzburg, Verhaeghe, d'Humieres (2008), Commun. Comput. Phys. 3, 427 (two relaxation times); He and Luo
 * (1997), J. Stat. Phys. 88, 927; Bouzidi, Firdaouss, Lallemand (2001), Phys. Fluids 13, 3452 (curved walls). */
#pragma once

#include "base/pool.h"
#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LATTICE_PERIODIC, /* must be set on both opposite sides */
  LAC_LATTICE_WALL, /* no slip, moving at the side's `velocities`; an inflow where these point inwards */
  LAC_LATTICE_SLIP, /* symmetry plane */
  LAC_LATTICE_OUTFLOW /* zero gradient, relaxed slightly towards `velocities`; lets most of a sound wave out */
} LacLatticeSide;

enum {
  LAC_LATTICE_LEFT,
  LAC_LATTICE_RIGHT,
  LAC_LATTICE_BOTTOM,
  LAC_LATTICE_TOP,
  LAC_LATTICE_N_SIDES
};

#define LAC_LATTICE_MAX_DISCS 4

typedef struct {
  double centre[2], radius;
} LacLatticeDisc;

typedef struct {
  LacPool       *pool; /* borrowed; rows are distributed over its threads */
  LacType        type;
  gsize          nx, ny;
  double         viscosity; /* cells^2 per step; > 0 */
  LacLatticeSide sides[LAC_LATTICE_N_SIDES];
  const double  *velocities
    [LAC_LATTICE_N_SIDES]; /* [cells of the side][2]; NULL: 0; borrowed during lac_lattice_new() */
  gsize          n_discs;
  LacLatticeDisc discs[LAC_LATTICE_MAX_DISCS]; /* at least two cells apart */
  gboolean staircase; /* place disc walls midway between cells instead of at their exact position */
} LacLatticeSettings;

typedef struct _LacLattice LacLattice;

/* Returns: a lattice at rest, or %NULL with %LAC_ERROR_OUT_OF_RANGE. */
LacLattice *lac_lattice_new(const LacLatticeSettings *settings, GError **error);
void        lac_lattice_free(LacLattice *lattice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLattice, lac_lattice_free)

/* Sets every cell to its equilibrium. @moments: [3][ny][nx]: deviation of density from 1, velocity along x and y.
 * Cells inside discs are set to rest. */
void lac_lattice_set(LacLattice *lattice, const double *moments);
/* Returns the moments as in lac_lattice_set(), 0 inside discs; the pressure is a third of the density deviation. */
void lac_lattice_get(const LacLattice *lattice, double *moments);

/* Advances by @n_steps. @forces: (nullable): [n_steps][2], total force of the flow on the discs. Bitwise equal for
 * any number of threads. Does not allocate. */
void lac_lattice_advance(LacLattice *lattice, gsize n_steps, double *forces);

/* Convergence to a steady flow. */
typedef struct {
  double speed;              /* typical speed: converged when the change is below 1e-8 of it */
  gsize  n_between, n_looks; /* steps between checks; checks before giving up */
  gboolean (*cancelled)(gpointer user_data); /* (optional): polled at every check */
  gpointer user_data;
} LacLatticeRest;

/* Advances until converged. @moments: [3][ny][nx], see lac_lattice_get(). Returns: %FALSE with %LAC_ERROR_FAILED if
 * cancelled or not converged. */
gboolean lac_lattice_converge(LacLattice           *lattice,
                              const LacLatticeRest *rest,
                              double               *moments,
                              GError              **error);

G_END_DECLS
