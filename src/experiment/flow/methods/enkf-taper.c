/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/methods/enkf-taper.h"

#include <math.h>

void
lac_enkf_taper_init(LacEnkfTaper          *taper,
                    const LacTaperGrid    *grid,
                    const LacObservations *observations)
{
  const gsize n_stations = observations->n_stations;

  *taper = (LacEnkfTaper){
    .grid = *grid,
    .observations = observations,
    .axis = g_new0(double, (grid->nx + grid->ny) * n_stations),
    .stations = g_new0(double, n_stations *n_stations),
  };
}

void
lac_enkf_taper_clear(LacEnkfTaper *taper)
{
  g_clear_pointer(&taper->axis, g_free);
  g_clear_pointer(&taper->stations, g_free);
}

/* Returns the Gaussian with period 2 pi, 1 at distance 0. Truncation at half the period would leave a kink and
 * therefore negative eigenvalues: with many sensors the tapered covariance would be indefinite. Beyond the longest
 * length it is 1 up to rounding. */
static double
wrapped_gaussian(double distance, double length)
{
  const int    n_images = 12; /* the last is 8 standard deviations away for the longest length */
  const double longest = 9;   /* its variation is then of the order exp(-longest^2 / 2) */
  double       sum = 0, at_zero = 0;

  if (length >= longest)
    return 1;
  for (int image = -n_images; image <= n_images; image++) {
    const double apart = distance + 2 * G_PI * image, shift = 2 * G_PI * image;

    sum += exp(-apart * apart / (2 * length * length));
    at_zero += exp(-shift * shift / (2 * length * length));
  }
  return sum / at_zero;
}

/* Returns the taper for a separation of @apart along @axis; on periodic axes lengths are scaled to a period of 2 pi. */
static double
taper_along(const LacTaperGrid *grid, guint axis, double apart, double length)
{
  const gsize  n = axis == 0 ? grid->nx : grid->ny;
  const double scale = 2 * G_PI / ((double) n * grid->cell[axis]);

  if (n == 1)
    return 1;
  if (grid->periodic[axis])
    return wrapped_gaussian(remainder(apart * scale, 2 * G_PI), length * scale);
  return exp(-apart * apart / (2 * length * length));
}

void
lac_enkf_taper_set_length(LacEnkfTaper *taper, double length)
{
  const LacTaperGrid *grid = &taper->grid;
  const gsize         nx = grid->nx, ny = grid->ny;
  const gsize         n_stations = taper->observations->n_stations;
  const double       *stations = taper->observations->stations;
  double             *along_x = taper->axis, *along_y = along_x + nx * n_stations;

  if (taper->length == length)
    return;
  taper->length = length;
  for (gsize k = 0; k < n_stations; k++) {
    const double *place = stations + 2 * k;

    for (gsize x = 0; x < nx; x++)
      along_x[x * n_stations + k] =
        taper_along(grid, 0, grid->lower[0] + (double) x * grid->cell[0] - place[0], length);
    for (gsize y = 0; y < ny; y++)
      along_y[y * n_stations + k] =
        taper_along(grid, 1, grid->lower[1] + (double) y * grid->cell[1] - place[1], length);
    for (gsize other = 0; other < n_stations; other++)
      taper->stations[k * n_stations + other] =
        taper_along(grid, 0, stations[2 * other] - place[0], length) *
        taper_along(grid, 1, stations[2 * other + 1] - place[1], length);
  }
}
