/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the parts of the lattice Boltzmann solver. */
#pragma once

#include "solver/lattice/kernel.h"
#include "solver/lattice/lattice-boltzmann.h"

struct _LacLattice {
  LacLatticeSettings      settings;
  const LacLatticeKernel *kernel;
  LacLatticeGrid          grid;
  double                  omega[2];
  gsize                   n_bytes;   /* size of one set of populations */
  void                   *from, *to; /* post-collision populations; swapped every step */
  GArray                 *links;     /* array of LacLatticeLink: sides first, then discs */
  gsize                   n_side_links;
  GArray *directions; /* array of guint8: direction towards the disc, for each link of a disc */
  GArray *solid;      /* array of guint32: offsets of the discs' cells in a plane */
  guint8 *mask;       /* [ny][nx] */
};

extern const int    lac_lattice_x[LAC_LATTICE_N], lac_lattice_y[LAC_LATTICE_N];
extern const guint8 lac_lattice_opposite[LAC_LATTICE_N];
extern const double lac_lattice_weight[LAC_LATTICE_N];

/* Returns the offset of population @k of cell (x, y); x and y from -1 to n. */
static inline guint32
lac_lattice_at(const LacLattice *lattice, guint k, gssize x, gssize y)
{
  const LacLatticeGrid *grid = &lattice->grid;

  return (guint32) ((gssize) (k * grid->plane + grid->origin) + y * (gssize) grid->stride + x);
}
