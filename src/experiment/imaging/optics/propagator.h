/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free-space propagation between the object and the field whose spectrum an instrument samples, on square grids, rows
 * [y][x], with the axis at index n/2. Lengths in metres.
 * Source: Goodman, Introduction to Fourier Optics (2005), ch. 3-4. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PROPAGATION_FRESNEL, /* U exp(i k r^2 / 2z): with a lens focused on the object, the only difference between the Fresnel transform and the far field */
  LAC_PROPAGATION_ANGULAR_SPECTRUM, /* the field at another distance, exact within a periodic window */
} LacPropagation;

typedef struct {
  LacPropagation method;
  gsize          n; /* even */
  double         wavelength;
  double
    distance; /* angular spectrum: < 0 is backwards; Fresnel: z from the object to the aperture */
  double pixel;
} LacPropagationSettings;

typedef struct _LacPropagator LacPropagator;

/* Returns: (nullable): the propagator; NULL with an error when the settings are not possible. */
LacPropagator *lac_propagator_new(const LacPropagationSettings *settings, GError **error);
void           lac_propagator_free(LacPropagator *propagator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPropagator, lac_propagator_free)

/* Propagate @field, [n][n], 16-byte aligned, in place, and back. They allocate nothing; any thread. The energy, sum
 * |U|^2, is conserved, except for evanescent waves, which are lost. */
void lac_propagator_run(const LacPropagator *propagator, double complex *field);
void lac_propagator_run_back(const LacPropagator *propagator, double complex *field);

/* Returns: (transfer full) (nullable): a translated warning when the sampling is too coarse for the method: a
 * quadratic phase that aliases, or light that leaves the window. */
char *lac_propagation_dup_warning(const LacPropagationSettings *settings);

/* Returns the Fresnel number F = a^2 / (lambda z) of an opening of radius a, @radius. In the far field F < 0.1. */
double lac_fresnel_number(double radius, double wavelength, double distance);

G_END_DECLS
