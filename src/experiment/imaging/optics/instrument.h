/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instrument geometry in k-space: pupil radius of a microscope, shift caused by tilted illumination, coherent area at a
 * telescope. Lengths in metres, k-space pixels of 1 / (N pixel). Sources: Goodman, Introduction to Fourier Optics
 * (2005), ch. 6; Zheng, Horstmeyer, Yang (2013), doi:10.1038/nphoton.2013.187 */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct {
  double numerical_aperture; /* n sin(theta), including the refractive index */
  double wavelength;         /* in vacuum */
  double pixel;              /* at the object */
  gsize  grid;               /* N: pixels per side */
} LacMicroscope;

/* Returns the k-space pixels per spatial frequency of 1 / m. */
static inline double
lac_microscope_scale(const LacMicroscope *microscope)
{
  return (double) microscope->grid * microscope->pixel;
}

/* Returns the pupil radius NA / lambda N pixel, from |f| <= NA / lambda. */
static inline double
lac_microscope_radius(const LacMicroscope *microscope)
{
  return microscope->numerical_aperture / microscope->wavelength * lac_microscope_scale(microscope);
}

/* Returns the scan position for light from the direction (@sin_y, @sin_x) in a medium of refractive index @index. The
 * light shifts the object's spectrum by k = n sin / lambda; the pupil at DC then passes what an aperture at -k passes
 * of the unshifted spectrum. */
static inline LacScanBox
lac_microscope_tilted(const LacMicroscope *microscope, double index, double sin_y, double sin_x)
{
  const double scale = index / microscope->wavelength * lac_microscope_scale(microscope);
  const double y = -scale * sin_y, x = -scale * sin_x;

  return (LacScanBox){y, x, y, x};
}

/* Returns the coherence radius by van Cittert-Zernike: light of a source of radius @radius is coherent over lambda L
 * / (pi radius). */
static inline double
lac_coherence_radius(double radius, double distance, double wavelength)
{
  return wavelength * distance / (G_PI * radius);
}

G_END_DECLS
