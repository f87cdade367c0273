/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruments in the terms of the optics: which radius a telescope's or a microscope's pupil has in k-space pixels, and where tilted light puts
 * it. Lengths in metres, k-space pixels of 1 / (N pixel).
 * Sources: Goodman, Introduction to Fourier Optics (2005), ch. 6; Zheng, Horstmeyer, Yang (2013), doi:10.1038/nphoton.2013.187 */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* A microscope, or a camera at magnification 1. */
typedef struct {
  double numerical_aperture; /* n sin(theta): the medium is in it */
  double magnification;
  double wavelength; /* in vacuum */
  double pixel;      /* of the detector */
  gsize  grid;       /* N */
} LacMicroscope;

/* |f| <= NA / lambda: the radius of the pupil, NA / lambda N pixel / magnification. */
double lac_microscope_radius(const LacMicroscope *microscope);

/* Light from the direction (@sin_y, @sin_x) in a medium of refractive index @index shifts the object's spectrum by k = n sin / lambda; what passes the pupil
 * at DC is what an aperture at -k passes of the spectrum at rest. */
LacScanBox
lac_microscope_tilted(const LacMicroscope *microscope, double index, double sin_y, double sin_x);

/* The same of a source at (@y, @x) and distance @distance, far enough for its wave to be plane: k = y / (lambda z). */
LacScanBox
lac_microscope_lit_from(const LacMicroscope *microscope, double y, double x, double distance);

/* A telescope in front of an object: pixels of the object, lambda L / (N pixel of k-space), for an aperture plane of @k_pixel. */
double lac_telescope_object_pixel(double wavelength, double distance, double k_pixel, gsize grid);

/* Van Cittert-Zernike: light of a source of radius @radius is coherent over lambda L / (pi radius). */
double lac_coherence_radius(double radius, double distance, double wavelength);

G_END_DECLS
