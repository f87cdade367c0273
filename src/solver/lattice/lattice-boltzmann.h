/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattice Boltzmann in two dimensions (D2Q9): flow in a box with walls, an inflow, and discs in the way. Two relaxation times
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

#define LAC_LATTICE_MAX_DISCS 4

typedef struct {
  double centre[2], radius;
} LacLatticeDisc;

typedef struct {
  LacPool       *pool; /* borrowed; rows are dealt to its threads */
  LacType        type;
  gsize          nx, ny;
  double         viscosity; /* cells^2 a step; above 0 */
  LacLatticeSide sides[LAC_LATTICE_N_SIDES];
  const double
    *velocities[LAC_LATTICE_N_SIDES]; /* [cells of the side][2]; NULL: 0; borrowed during new() */
  gsize          n_discs;
  LacLatticeDisc discs[LAC_LATTICE_MAX_DISCS]; /* with two cells or more between them */
  gboolean       staircase; /* walls of discs midway between cells, not where they are */
} LacLatticeSettings;

typedef struct _LacLattice LacLattice;

/* Returns: %NULL with %LAC_ERROR_OUT_OF_RANGE. At rest. */
LacLattice *lac_lattice_new(const LacLatticeSettings *settings, GError **error);
void        lac_lattice_free(LacLattice *lattice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLattice, lac_lattice_free)

/* @moments: [3][ny][nx]: deviation of density from 1, velocity along x and y. Cells of discs are rested. */
void lac_lattice_set(LacLattice *lattice, const double *moments);
/* As set(); pressure is a third of the first. In discs 0. */
void lac_lattice_get(const LacLattice *lattice, double *moments);

/* @forces: (nullable): [n_steps][2], of the flow on all discs. The same bits for any number of threads. Does not allocate. */
void lac_lattice_advance(LacLattice *lattice, gsize n_steps, double *forces);

/* Towards a steady flow. */
typedef struct {
  double speed;              /* typical one: at rest is what changes by less than 1e-8 of it */
  gsize  n_between, n_looks; /* steps from one look to the next; looks before one gives up */
  gboolean (*cancelled)(gpointer user_data); /* (optional): polled at every look */
  gpointer user_data;
} LacLatticeRest;

/* Advances until nothing changes. @moments: [3][ny][nx], as get(). Returns: %FALSE with %LAC_ERROR_FAILED where it is cancelled
 * or does not come to rest. */
gboolean lac_lattice_converge(LacLattice           *lattice,
                              const LacLatticeRest *rest,
                              double               *moments,
                              GError              **error);

G_END_DECLS
