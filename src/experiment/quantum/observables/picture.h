/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projected electron density of each spin, summed along the line of sight, on a plane through the nuclei. Unit:
 * electrons per square bohr. One thread. */
#pragma once

#include "base/packing.h"
#include "field/frame.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint  across, up;         /* axes shown horizontally and vertically: 0, 1, 2 for x, y, z */
  double lower[2], upper[2]; /* centres of the first and the last cell */
} LacPictureAxes;

/* Returns the two axes along which the nuclei are most spread out; x and y for an atom. */
LacPictureAxes lac_picture_axes(const LacMolecule *molecule);

/* Returns the margin around the nuclei, in bohr. */
double lac_picture_margin(const LacMolecule *molecule);

typedef struct _LacPicture LacPicture;

/* @side: number of cells along each direction */
LacPicture *lac_picture_new(const LacMolecule *molecule, gsize side);
void        lac_picture_free(LacPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPicture, lac_picture_free)

/* Scales all counts so far by @share. */
void lac_picture_fade(LacPicture *picture, double share);
/* Counts the electrons of the walkers. @positions: [@n_walkers][N][3] */
void lac_picture_add(LacPicture *picture, const double *positions, gsize n_walkers);

/* Lower limit of the displayed density, electrons per square bohr. Below it single walkers would be visible as
 * cells. */
#define LAC_PICTURE_FLOOR 1e-2

/* Fill planes of @side by @side cells, with axes and statistics. The density is given as its decimal logarithm,
 * because near nuclei it is a hundred times larger than in bonds. */
void lac_picture_fill_density(const LacPicture *picture, LacPlane *plane);
void lac_picture_fill_spin(const LacPicture *picture,
                           LacPlane         *plane); /* spin-up minus spin-down density */

/* Packs the complete state. */
void lac_picture_pack(gpointer picture, LacPacking *packing);

G_END_DECLS
