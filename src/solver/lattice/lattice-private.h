/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the lattice Boltzmann solver share. */
#pragma once

#include "solver/lattice/kernel.h"
#include "solver/lattice/lattice-boltzmann.h"

struct _LacLattice {
  LacLatticeSettings      settings;
  const LacLatticeKernel *kernel;
  LacLatticeGrid          grid;
  double                  omega[2];
  gsize                   n_bytes;   /* of one set of populations */
  void                   *from, *to; /* after collision; swapped every step */
  GArray                 *links;     /* LacLatticeLink: sides first, then discs */
  gsize                   n_side_links;
  GArray                 *directions; /* guint8, of the discs' links: towards the disc */
  GArray                 *solid;      /* guint32, offsets of the discs' cells in a plane */
  guint8                 *mask;       /* [ny][nx] */
};

extern const int    lac_lattice_x[LAC_LATTICE_N], lac_lattice_y[LAC_LATTICE_N];
extern const guint8 lac_lattice_opposite[LAC_LATTICE_N];
extern const double lac_lattice_weight[LAC_LATTICE_N];

/* Where population @k of cell (x, y) is; x and y from -1 to n. */
static inline guint32
lac_lattice_at(const LacLattice *lattice, guint k, gssize x, gssize y)
{
  const LacLatticeGrid *grid = &lattice->grid;

  return (guint32) ((gssize) (k * grid->plane + grid->origin) + y * (gssize) grid->stride + x);
}
