/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian localisation of covariances between the points of a uniform grid and the sensors' positions, periodic where
 * the grid is; a product of one factor along each axis, so that it is positive definite with any number of sensors.
 * Source: Houtekamer, Mitchell (2001), doi:10.1175/1520-0493(2001)129<0123:ASEKFF>2.0.CO;2. */
#pragma once

#include "experiment/flow/observations.h"

G_BEGIN_DECLS

/* A uniform grid; x is the fastest axis. */
typedef struct {
  gsize    nx, ny;
  double   lower[2], cell[2]; /* origin and cell size, in the units of the sensor positions */
  gboolean periodic[2];
} LacTaperGrid;

typedef struct {
  LacTaperGrid           grid;
  const LacObservations *observations; /* only the stations are used; borrowed */
  double                *axis;         /* [nx + ny][n_stations]: factors along x, then along y */
  double                *stations;     /* [n_stations][n_stations] */
  double                 length;
} LacEnkfTaper;

void lac_enkf_taper_init(LacEnkfTaper          *taper,
                         const LacTaperGrid    *grid,
                         const LacObservations *observations);
void lac_enkf_taper_clear(LacEnkfTaper *taper);

/* Computes the factors for a standard deviation of @length, in the units of the positions. Does not allocate. */
void lac_enkf_taper_set_length(LacEnkfTaper *taper, double length);

/* Returns the factor between a grid point and a station. */
static inline double
lac_enkf_taper_at(const LacEnkfTaper *taper, gsize point, gsize station)
{
  const gsize n_stations = taper->observations->n_stations, nx = taper->grid.nx;

  return taper->axis[point % nx * n_stations + station] *
         taper->axis[(nx + point / nx) * n_stations + station];
}

G_END_DECLS
