/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattice Boltzmann in two dimensions (D2Q9): flow in a box with walls, an inflow, and a disc in the way. Two relaxation times
 * with the equilibrium of He and Luo, so that a steady flow is incompressible to second order and an unsteady one up to
 * the square of the Mach number. Lattice units: cells, steps, density 1; the speed of sound is 1 / sqrt 3.
 * Cell (x, y) lies at (x, y); walls and the ends of the box lie half a cell outside of the first and last cells.
 * Sources: Ginzburg, Verhaeghe, d'Humieres (2008), Commun. Comput. Phys. 3, 427 (two relaxation times);
 * He and Luo (1997), J. Stat. Phys. 88, 927; Bouzidi, Firdaouss, Lallemand (2001), Phys. Fluids 13, 3452 (curved walls). */
#pragma once

#include "base/pool.h"
#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LATTICE_PERIODIC, /* both of a pair */
  LAC_LATTICE_WALL, /* no slip; moves with its velocities, and where they lead inwards it is an inflow */
  LAC_LATTICE_SLIP, /* a plane of symmetry */
  LAC_LATTICE_OUTFLOW /* no gradient but for a trace of its velocities; most of a sound wave leaves, too */
} LacLatticeSide;

enum {
  LAC_LATTICE_LEFT,
  LAC_LATTICE_RIGHT,
  LAC_LATTICE_BOTTOM,
  LAC_LATTICE_TOP,
  LAC_LATTICE_N_SIDES
};

typedef struct {
  LacPool       *pool; /* borrowed; rows are dealt to its threads */
  LacType        type;
  gsize          nx, ny;
  double         viscosity; /* cells^2 a step; above 0 */
  LacLatticeSide sides[LAC_LATTICE_N_SIDES];
  const double
    *velocities[LAC_LATTICE_N_SIDES]; /* [cells of the side][2]; NULL: 0; borrowed during new() */
  double   centre[2], radius;         /* of the disc; radius 0: there is none */
  gboolean staircase; /* walls of the disc midway between cells, not where they are */
} LacLatticeSettings;

typedef struct _LacLattice LacLattice;

/* Returns: %NULL with %LAC_ERROR_OUT_OF_RANGE. At rest. */
LacLattice *lac_lattice_new(const LacLatticeSettings *settings, GError **error);
void        lac_lattice_free(LacLattice *lattice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLattice, lac_lattice_free)

/* @moments: [3][ny][nx]: deviation of density from 1, velocity along x and y. Cells of the disc are rested. */
void lac_lattice_set(LacLattice *lattice, const double *moments);
/* As set(); pressure is a third of the first. In the disc 0. */
void lac_lattice_get(const LacLattice *lattice, double *moments);

/* @forces: (nullable): [n_steps][2], of the flow on the disc. The same bits for any number of threads. Does not allocate. */
void lac_lattice_advance(LacLattice *lattice, gsize n_steps, double *forces);

/* [ny][nx]: 1 in the flow, 0 in the disc. */
const guint8 *lac_lattice_get_mask(const LacLattice *lattice);
gsize         lac_lattice_get_bytes(const LacLattice *lattice);

G_END_DECLS
