/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where electrons were: counts on a grid in space, each electron shared out among the eight cells around it, spin by spin; and by their distance
 * from a point. Nothing is lost: what falls outside is counted. Bohr; densities in electrons a cubic bohr. One thread. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

/* Cubic cells; x runs fastest. */
typedef struct {
  gsize  n[3];
  double first[3]; /* centre of the first cell */
  double spacing;
} LacDensityGrid;

/* A box around the nuclei with @margin on all sides, @side cells along its longest edge, as few as needed along the others. */
LacDensityGrid lac_density_grid(const LacMolecule *molecule, double margin, gsize side);

typedef struct _LacDensity LacDensity;

LacDensity *lac_density_new(const LacMolecule *molecule, const LacDensityGrid *grid);
void        lac_density_free(LacDensity *density);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDensity, lac_density_free)

const LacDensityGrid *lac_density_get_grid(const LacDensity *density);

/* @positions: [@n_walkers][N][3]. The same to the bit however walkers are shared out among calls. */
void lac_density_add(LacDensity *density, const double *positions, gsize n_walkers);

/* Electrons of a walker on the grid and outside of it: they add up to N. 0 before the first walker. */
double lac_density_get_inside(const LacDensity *density);
double lac_density_get_outside(const LacDensity *density);

typedef enum { LAC_DENSITY_ALL, LAC_DENSITY_SPIN /* up less down */ } LacDensityKind;

/* @values: [nz][ny][nx]. */
void lac_density_fill(const LacDensity *density, LacDensityKind kind, float *values);

/* What was counted before counts @share as much from now on; 0: it is forgotten. */
void lac_density_fade(LacDensity *density, double share);

/* All of it as one row of numbers. */
gsize lac_density_get_state_length(const LacDensity *density);
void  lac_density_save(const LacDensity *density, double *state);
void  lac_density_load(LacDensity *density, const double *state);

typedef struct _LacRadialDensity LacRadialDensity;

/* @n_bins shells of equal width out to @reach around @centre. */
LacRadialDensity      *
lac_radial_density_new(gsize n_electrons, const double centre[3], double reach, gsize n_bins);
void lac_radial_density_free(LacRadialDensity *radial);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRadialDensity, lac_radial_density_free)

void   lac_radial_density_add(LacRadialDensity *radial, const double *positions, gsize n_walkers);
void   lac_radial_density_fade(LacRadialDensity *radial, double share); /* as lac_density_fade() */
double lac_radial_density_get_outside(const LacRadialDensity *radial);  /* electrons of a walker */

/* D(r) = 4 pi r^2 rho(r), electrons a bohr, mean over each shell; nullable @errors, as if all samples were independent: [n_bins]. */
void lac_radial_density_fill(const LacRadialDensity *radial, double *values, double *errors);

gsize lac_radial_density_get_state_length(const LacRadialDensity *radial);
void  lac_radial_density_save(const LacRadialDensity *radial, double *state);
void  lac_radial_density_load(LacRadialDensity *radial, const double *state);

G_END_DECLS
