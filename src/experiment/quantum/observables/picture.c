/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cloud-in-cell counting on a plane: every electron is split among the four cells around it. */
#include "experiment/quantum/observables/picture.h"

#include <math.h>
#include <string.h>

/* Margin in bohr around a nucleus, by its charge: the outermost shell is diffuse in Li and Be, and compact in He and
 * Ne. */
static const double margins[LAC_N_ELEMENTS + 1] = {4, 4, 3, 8, 6.5, 5.5, 5, 4.5, 4, 4, 3.5};

enum { N_SPINS = 2 };

struct _LacPicture {
  LacPictureAxes axes;
  gsize          side, n_up, n_electrons;
  double         weight; /* of the walkers so far */
  double        *sums;   /* [N_SPINS][side][side] */
};

double
lac_picture_margin(const LacMolecule *molecule)
{
  double margin = 0;

  for (guint a = 0; a < molecule->n_nuclei; a++)
    margin = MAX(margin, margins[molecule->nuclei[a].charge]);
  return margin;
}

LacPictureAxes
lac_picture_axes(const LacMolecule *molecule)
{
  LacPictureAxes axes = {.across = 0, .up = 1};
  double         lower[3], upper[3], extent[3], half = 0;
  guint          order[3] = {0, 1, 2};
  const double   margin = lac_picture_margin(molecule);

  for (guint c = 0; c < 3; c++) {
    lower[c] = upper[c] = molecule->nuclei[0].position[c];
    for (guint a = 1; a < molecule->n_nuclei; a++) {
      lower[c] = MIN(lower[c], molecule->nuclei[a].position[c]);
      upper[c] = MAX(upper[c], molecule->nuclei[a].position[c]);
    }
    extent[c] = upper[c] - lower[c];
    half = MAX(half, extent[c] / 2 + margin);
  }
  for (guint i = 0; i < 2; i++)
    for (guint k = 2; k > i; k--)
      if (extent[order[k]] > extent[order[k - 1]]) {
        const guint held = order[k];

        order[k] = order[k - 1];
        order[k - 1] = held;
      }
  axes.across = order[0];
  axes.up = order[1];
  for (guint d = 0; d < 2; d++) {
    const guint  c = order[d];
    const double middle = (lower[c] + upper[c]) / 2;

    axes.lower[d] = middle - half;
    axes.upper[d] = middle + half;
  }
  return axes;
}

LacPicture *
lac_picture_new(const LacMolecule *molecule, gsize side)
{
  LacPicture *picture = g_new0(LacPicture, 1);

  g_assert(side >= 2);
  picture->axes = lac_picture_axes(molecule);
  picture->side = side;
  picture->n_up = molecule->n_up;
  picture->n_electrons = lac_molecule_get_n_electrons(molecule);
  picture->sums = g_new0(double, N_SPINS *side *side);
  return picture;
}

void
lac_picture_free(LacPicture *picture)
{
  if (!picture)
    return;
  g_free(picture->sums);
  g_free(picture);
}

void
lac_picture_fade(LacPicture *picture, double share)
{
  picture->weight *= share;
  for (gsize i = 0; i < N_SPINS * picture->side * picture->side; i++)
    picture->sums[i] *= share;
}

static void
add_electron(LacPicture *picture, const double r[3], double *sums)
{
  const LacPictureAxes *axes = &picture->axes;
  const guint           coordinates[2] = {axes->across, axes->up};
  const double          last = (double) (picture->side - 1);
  gsize                 cell[2];
  double                beyond[2];

  for (guint d = 0; d < 2; d++) {
    const double at =
      (r[coordinates[d]] - axes->lower[d]) / (axes->upper[d] - axes->lower[d]) * last;

    if (!(at >= 0 && at < last))
      return;
    cell[d] = (gsize) at;
    beyond[d] = at - (double) cell[d];
  }
  for (gsize v = 0; v < 2; v++)
    for (gsize u = 0; u < 2; u++)
      sums[(cell[1] + v) * picture->side + cell[0] + u] +=
        (u ? beyond[0] : 1 - beyond[0]) * (v ? beyond[1] : 1 - beyond[1]);
}

void
lac_picture_add(LacPicture *picture, const double *positions, gsize n_walkers)
{
  const gsize n_cells = picture->side * picture->side;

  for (gsize b = 0; b < n_walkers; b++)
    for (gsize i = 0; i < picture->n_electrons; i++)
      add_electron(picture, positions + 3 * (b * picture->n_electrons + i),
                   picture->sums + (i < picture->n_up ? 0 : n_cells));
  picture->weight += (double) n_walkers;
}

static void
finish(const LacPicture *picture, LacPlane *plane)
{
  const LacPictureAxes *axes = &picture->axes;

  plane->x_min = axes->lower[0];
  plane->x_max = axes->upper[0];
  plane->y_min = axes->lower[1];
  plane->y_max = axes->upper[1];
}

/* Returns the factor from counts to electrons per square bohr. */
static double
scale_of(const LacPicture *picture)
{
  const LacPictureAxes *axes = &picture->axes;
  const double          cell = (axes->upper[0] - axes->lower[0]) / (double) (picture->side - 1);

  return picture->weight > 0 ? 1 / (picture->weight * cell * cell) : 0;
}

void
lac_picture_fill_density(const LacPicture *picture, LacPlane *plane)
{
  const gsize  n_cells = picture->side * picture->side;
  const double scale = scale_of(picture);

  for (gsize i = 0; i < n_cells; i++)
    plane->data[i] = (float) log10(
      MAX(LAC_PICTURE_FLOOR, scale * (picture->sums[i] + picture->sums[n_cells + i])));
  finish(picture, plane);
}

void
lac_picture_fill_spin(const LacPicture *picture, LacPlane *plane)
{
  const gsize  n_cells = picture->side * picture->side;
  const double scale = scale_of(picture);

  for (gsize i = 0; i < n_cells; i++)
    plane->data[i] = (float) (scale * (picture->sums[i] - picture->sums[n_cells + i]));
  finish(picture, plane);
}

void
lac_picture_pack(gpointer data, LacPacking *packing)
{
  LacPicture *picture = data;

  lac_packing_values(packing, &picture->weight, 1);
  lac_packing_values(packing, picture->sums, N_SPINS * picture->side * picture->side);
}
