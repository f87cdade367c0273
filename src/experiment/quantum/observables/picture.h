/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where walkers were: the density of the electrons of each spin, summed along the line of sight, on a plane through the nuclei.
 * Unit: electrons a square bohr. One thread. */
#pragma once

#include "field/frame.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint  across, up;         /* the coordinates shown: 0, 1, 2 for x, y, z */
  double lower[2], upper[2]; /* centres of the first and the last cell */
} LacPictureAxes;

/* The two directions in which the nuclei lie widest apart; of one nucleus x and y. */
LacPictureAxes lac_picture_axes(const LacMolecule *molecule);

/* Bohr around the nuclei that are worth seeing. */
double lac_picture_margin(const LacMolecule *molecule);

typedef struct _LacPicture LacPicture;

/* @side: cells along each direction */
LacPicture *lac_picture_new(const LacMolecule *molecule, gsize side);
void        lac_picture_free(LacPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPicture, lac_picture_free)

/* What was seen before counts @share as much from now on. */
void lac_picture_fade(LacPicture *picture, double share);
/* @positions: [@n_walkers][N][3] */
void lac_picture_add(LacPicture *picture, const double *positions, gsize n_walkers);

/* Electrons a square bohr below which all is one: a single walker in a cell would stand out otherwise. */
#define LAC_PICTURE_FLOOR 1e-2

/* Planes of @side by @side cells, their axes and statistics. Of the density its decimal logarithm: near nuclei it is a hundred times
 * what it is in bonds. */
void lac_picture_fill_density(const LacPicture *picture, LacPlane *plane);
void lac_picture_fill_spin(const LacPicture *picture, LacPlane *plane); /* up less down */

/* All of it as one row of numbers. */
gsize lac_picture_get_state_length(const LacPicture *picture);
void  lac_picture_save(const LacPicture *picture, double *state);
void  lac_picture_load(LacPicture *picture, const double *state);

G_END_DECLS
