/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instrument geometry in k-space: pupil radius of a telescope or microscope, and the shift caused by tilted
 * illumination. Lengths in metres, k-space pixels of 1 / (N pixel). Sources: Goodman, Introduction to Fourier Optics
 * (2005), ch. 6; Zheng, Horstmeyer, Yang (2013), doi:10.1038/nphoton.2013.187 */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* A microscope, or a camera at magnification 1. */
typedef struct {
  double numerical_aperture; /* n sin(theta), including the refractive index */
  double magnification;
  double wavelength; /* in vacuum */
  double pixel;      /* of the detector */
  gsize  grid;       /* N: pixels per side */
} LacMicroscope;

/* Returns the pupil radius NA / lambda N pixel / magnification, from |f| <= NA / lambda. */
double lac_microscope_radius(const LacMicroscope *microscope);

/* Returns the scan position for light from the direction (@sin_y, @sin_x) in a medium of refractive index @index. The
 * light shifts the object's spectrum by k = n sin / lambda; the pupil at DC then passes what an aperture at -k passes
 * of the unshifted spectrum. */
LacScanBox
lac_microscope_tilted(const LacMicroscope *microscope, double index, double sin_y, double sin_x);

/* Returns the same for a source at (@y, @x) and distance @distance, distant enough for a plane wave: k = y / (lambda
 * z). */
LacScanBox
lac_microscope_lit_from(const LacMicroscope *microscope, double y, double x, double distance);

/* Returns the pixel size at the object seen by a telescope, lambda L / (N pixel of k-space), for an aperture plane
 * sampled at @k_pixel. */
double lac_telescope_object_pixel(double wavelength, double distance, double k_pixel, gsize grid);

/* Returns the coherence radius by van Cittert-Zernike: light of a source of radius @radius is coherent over lambda L
 * / (pi radius). */
double lac_coherence_radius(double radius, double distance, double wavelength);

G_END_DECLS
