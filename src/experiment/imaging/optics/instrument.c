/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions between metres at an instrument and k-space pixels. */
#include "experiment/imaging/optics/instrument.h"

#include <math.h>

/* Returns the k-space pixels per spatial frequency of 1 / m. */
static double
pixels_per_frequency(const LacMicroscope *m)
{
  return (double) m->grid * m->pixel / m->magnification;
}

double
lac_microscope_radius(const LacMicroscope *microscope)
{
  return microscope->numerical_aperture / microscope->wavelength * pixels_per_frequency(microscope);
}

LacScanBox
lac_microscope_tilted(const LacMicroscope *microscope, double index, double sin_y, double sin_x)
{
  const double scale = index / microscope->wavelength * pixels_per_frequency(microscope);
  const double y = -scale * sin_y, x = -scale * sin_x;

  return (LacScanBox){y, x, y, x};
}

LacScanBox
lac_microscope_lit_from(const LacMicroscope *microscope, double y, double x, double distance)
{
  return lac_microscope_tilted(microscope, 1, y / distance, x / distance);
}

double
lac_telescope_object_pixel(double wavelength, double distance, double k_pixel, gsize grid)
{
  return wavelength * distance / (k_pixel * (double) grid);
}

double
lac_coherence_radius(double radius, double distance, double wavelength)
{
  return wavelength * distance / (G_PI * radius);
}
