/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cloud-in-cell counting: an electron adds to each of the nearest cells according to its distance along x, y and z. */
#include "experiment/quantum/observables/density.h"

#include <math.h>
#include <string.h>

enum { UP, DOWN, N_SPINS };
enum { WALKERS, OUTSIDE, WEIGHT /* weight of the next walker */, N_SUMS };

/* Weight above which all counts are rescaled. */
#define HEAVIEST 1e6

struct _LacDensity {
  LacDensityGrid grid;
  gsize          n_cells, n_up, n_electrons;
  double         sums[N_SUMS];
  double        *counts; /* [N_SPINS][n_cells] */
};

LacDensityGrid
lac_density_grid(const LacMolecule *molecule, double margin, gsize side)
{
  LacDensityGrid grid;
  double         lower[3], upper[3], longest = 0;

  g_assert(side >= 2 && margin > 0);
  for (guint k = 0; k < 3; k++) {
    lower[k] = upper[k] = molecule->nuclei[0].position[k];
    for (guint a = 1; a < molecule->n_nuclei; a++) {
      lower[k] = fmin(lower[k], molecule->nuclei[a].position[k]);
      upper[k] = fmax(upper[k], molecule->nuclei[a].position[k]);
    }
    longest = fmax(longest, upper[k] - lower[k] + 2 * margin);
  }
  grid.spacing = longest / (double) (side - 1);
  for (guint k = 0; k < 3; k++) {
    double extent = upper[k] - lower[k] + 2 * margin;

    grid.n[k] = MIN(side, (gsize) ceil(extent / grid.spacing - 1e-9) + 1);
    grid.first[k] = (lower[k] + upper[k]) / 2 - grid.spacing * (double) (grid.n[k] - 1) / 2;
  }
  return grid;
}

LacDensity *
lac_density_new(const LacMolecule *molecule, const LacDensityGrid *grid)
{
  LacDensity *density = g_new0(LacDensity, 1);

  density->grid = *grid;
  density->n_cells = grid->n[0] * grid->n[1] * grid->n[2];
  density->n_up = molecule->n_up;
  density->n_electrons = lac_molecule_get_n_electrons(molecule);
  density->counts = g_new0(double, N_SPINS * density->n_cells);
  density->sums[WEIGHT] = 1;
  return density;
}

void
lac_density_free(LacDensity *density)
{
  if (density == NULL)
    return;
  g_free(density->counts);
  g_free(density);
}

const LacDensityGrid *
lac_density_get_grid(const LacDensity *density)
{
  return &density->grid;
}

/* Raises the weight of new counts instead of scaling all old ones, because the grid is large and steps are short. */
void
lac_density_fade(LacDensity *density, double share)
{
  double scale;

  if (share > 0 && density->sums[WEIGHT] < HEAVIEST) {
    density->sums[WEIGHT] /= share;
    return;
  }
  scale = share > 0 ? share / density->sums[WEIGHT] : 0;
  for (gsize i = 0; i < N_SPINS * density->n_cells; i++)
    density->counts[i] *= scale;
  density->sums[WALKERS] *= scale;
  density->sums[OUTSIDE] *= scale;
  density->sums[WEIGHT] = 1;
}

/* Returns: the share outside the grid. */
static double
add_electron(const LacDensityGrid *grid, const double at[3], double weight, double *counts)
{
  double low[3], outside = 0;
  gint64 cell[3];

  for (guint k = 0; k < 3; k++) {
    double place = (at[k] - grid->first[k]) / grid->spacing;

    if (!(place > -1 && place < (double) grid->n[k]))
      return weight;
    cell[k] = (gint64) floor(place);
    low[k] = 1 - (place - (double) cell[k]);
  }
  for (guint corner = 0; corner < 8; corner++) {
    double   share = weight;
    gsize    index = 0;
    gboolean is_inside = TRUE;

    for (guint k = 3; k-- > 0;) {
      gboolean is_high = corner >> k & 1;
      gint64   c = cell[k] + is_high;

      share *= is_high ? 1 - low[k] : low[k];
      is_inside = is_inside && c >= 0 && c < (gint64) grid->n[k];
      index = index * grid->n[k] + (gsize) c;
    }
    if (is_inside)
      counts[index] += share;
    else
      outside += share;
  }
  return outside;
}

void
lac_density_add(LacDensity *density, const double *positions, gsize n_walkers)
{
  for (gsize b = 0; b < n_walkers; b++)
    for (gsize i = 0; i < density->n_electrons; i++)
      density->sums[OUTSIDE] += add_electron(
        &density->grid, positions + 3 * (b * density->n_electrons + i), density->sums[WEIGHT],
        density->counts + (i < density->n_up ? UP : DOWN) * density->n_cells);
  density->sums[WALKERS] += density->sums[WEIGHT] * (double) n_walkers;
}

double
lac_density_get_inside(const LacDensity *density)
{
  double sum = 0;

  for (gsize i = 0; i < N_SPINS * density->n_cells; i++)
    sum += density->counts[i];
  return density->sums[WALKERS] > 0 ? sum / density->sums[WALKERS] : 0;
}

double
lac_density_get_outside(const LacDensity *density)
{
  return density->sums[WALKERS] > 0 ? density->sums[OUTSIDE] / density->sums[WALKERS] : 0;
}

static double
value_of(const LacDensity *density, LacDensityKind kind, gsize cell)
{
  double spacing = density->grid.spacing, volume = spacing * spacing * spacing;
  double down = density->counts[DOWN * density->n_cells + cell];
  double sum = density->counts[cell] + (kind == LAC_DENSITY_ALL ? down : -down);

  return density->sums[WALKERS] > 0 ? sum / (density->sums[WALKERS] * volume) : 0;
}

void
lac_density_fill(const LacDensity *density, LacDensityKind kind, float *values)
{
  for (gsize i = 0; i < density->n_cells; i++)
    values[i] = (float) value_of(density, kind, i);
}

void
lac_density_pack(gpointer data, LacPacking *packing)
{
  LacDensity *density = data;

  lac_packing_values(packing, density->sums, N_SUMS);
  lac_packing_values(packing, density->counts, N_SPINS * density->n_cells);
}

struct _LacRadialDensity {
  gsize   n_electrons, n_bins;
  double  centre[3], reach;
  double  sums[N_SUMS];
  double *counts; /* [n_bins] */
};

LacRadialDensity *
lac_radial_density_new(gsize n_electrons, const double centre[3], double reach, gsize n_bins)
{
  LacRadialDensity *radial = g_new0(LacRadialDensity, 1);

  g_assert(n_bins > 0 && reach > 0);
  radial->n_electrons = n_electrons;
  radial->n_bins = n_bins;
  radial->reach = reach;
  memcpy(radial->centre, centre, sizeof radial->centre);
  radial->counts = g_new0(double, n_bins);
  return radial;
}

void
lac_radial_density_free(LacRadialDensity *radial)
{
  if (radial == NULL)
    return;
  g_free(radial->counts);
  g_free(radial);
}

void
lac_radial_density_add(LacRadialDensity *radial, const double *positions, gsize n_walkers)
{
  for (gsize i = 0; i < n_walkers * radial->n_electrons; i++) {
    double square = 0, place;

    for (guint k = 0; k < 3; k++) {
      double step = positions[3 * i + k] - radial->centre[k];

      square += step * step;
    }
    place = sqrt(square) / radial->reach * (double) radial->n_bins;
    if (place < (double) radial->n_bins)
      radial->counts[(gsize) place]++;
    else
      radial->sums[OUTSIDE]++;
  }
  radial->sums[WALKERS] += (double) n_walkers;
}

void
lac_radial_density_fade(LacRadialDensity *radial, double share)
{
  for (guint i = 0; i < N_SUMS; i++)
    radial->sums[i] *= share;
  for (gsize i = 0; i < radial->n_bins; i++)
    radial->counts[i] *= share;
}

double
lac_radial_density_get_outside(const LacRadialDensity *radial)
{
  return radial->sums[WALKERS] > 0 ? radial->sums[OUTSIDE] / radial->sums[WALKERS] : 0;
}

void
lac_radial_density_fill(const LacRadialDensity *radial, double *values, double *errors)
{
  double scale = radial->sums[WALKERS] > 0
                   ? (double) radial->n_bins / (radial->reach * radial->sums[WALKERS])
                   : 0;

  for (gsize i = 0; i < radial->n_bins; i++) {
    values[i] = scale * radial->counts[i];
    if (errors != NULL)
      errors[i] = scale * sqrt(radial->counts[i]);
  }
}

void
lac_radial_density_pack(gpointer data, LacPacking *packing)
{
  LacRadialDensity *radial = data;

  lac_packing_values(packing, radial->sums, N_SUMS);
  lac_packing_values(packing, radial->counts, radial->n_bins);
}
