/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Electron density by counting: per spin on a 3D grid, where each electron is split among the eight cells around it;
 * and in radial shells around a point. Electrons outside are counted too. Lengths in bohr; densities in electrons
 * per cubic bohr. One thread. */
#pragma once

#include "base/packing.h"
#include "field/molecule.h"

G_BEGIN_DECLS

/* Grid of cubic cells; x runs fastest. */
typedef struct {
  gsize  n[3];
  double first[3]; /* centre of the first cell */
  double spacing;
} LacDensityGrid;

/* Returns a grid around the nuclei with @margin on all sides: @side cells along its longest edge, and as few as
 * needed along the others. */
LacDensityGrid lac_density_grid(const LacMolecule *molecule, double margin, gsize side);

typedef struct _LacDensity LacDensity;

LacDensity *lac_density_new(const LacMolecule *molecule, const LacDensityGrid *grid);
void        lac_density_free(LacDensity *density);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDensity, lac_density_free)

const LacDensityGrid *lac_density_get_grid(const LacDensity *density);

/* Counts the electrons of the walkers. @positions: [@n_walkers][N][3]. The result is bitwise independent of how
 * walkers are split among calls. */
void lac_density_add(LacDensity *density, const double *positions, gsize n_walkers);

/* Return the mean number of electrons per walker inside and outside the grid; the two sum to N, or to 0 before the
 * first walker. */
double lac_density_get_inside(const LacDensity *density);
double lac_density_get_outside(const LacDensity *density);

typedef enum { LAC_DENSITY_ALL, LAC_DENSITY_SPIN /* up minus down */ } LacDensityKind;

/* Fills the grid with densities. @values: [nz][ny][nx]. */
void lac_density_fill(const LacDensity *density, LacDensityKind kind, float *values);

/* Scales all counts so far by @share; 0 clears them. */
void lac_density_fade(LacDensity *density, double share);

/* Packs the complete state. */
void lac_density_pack(gpointer density, LacPacking *packing);

typedef struct _LacRadialDensity LacRadialDensity;

/* Creates @n_bins shells of equal width up to @reach around @centre. */
LacRadialDensity      *
lac_radial_density_new(gsize n_electrons, const double centre[3], double reach, gsize n_bins);
void lac_radial_density_free(LacRadialDensity *radial);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRadialDensity, lac_radial_density_free)

void   lac_radial_density_add(LacRadialDensity *radial, const double *positions, gsize n_walkers);
void   lac_radial_density_fade(LacRadialDensity *radial, double share); /* see lac_density_fade() */
double lac_radial_density_get_outside(
  const LacRadialDensity
    *radial); /* mean number of electrons per walker beyond the outermost shell */

/* Fills D(r) = 4 pi r^2 rho(r), electrons per bohr, averaged over each shell. @values: [n_bins]; @errors: (nullable)
 * [n_bins]: standard errors computed as if all samples were independent. */
void lac_radial_density_fill(const LacRadialDensity *radial, double *values, double *errors);

/* Packs the complete state. */
void lac_radial_density_pack(gpointer radial, LacPacking *packing);

G_END_DECLS
