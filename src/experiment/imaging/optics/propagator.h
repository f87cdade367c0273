/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free-space propagation of complex fields on square grids, rows [y][x], with the axis at index n/2. Lengths in
 * metres.
 * Source: Goodman, Introduction to Fourier Optics (2005), ch. 3-4. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PROPAGATION_FRAUNHOFER, /* the far field: U2 = F U1, orthonormal */
  LAC_PROPAGATION_FRESNEL, /* near and far field in one transform; the pixel size grows with the distance */
  LAC_PROPAGATION_ANGULAR_SPECTRUM, /* any distance, exact within the window; the pixel size is unchanged */
} LacPropagation;

typedef struct {
  LacPropagation method;
  gsize          n;                    /* even */
  double         wavelength, distance; /* distance < 0: backwards */
  double         pixel;                /* pixel size of the input field */
} LacPropagationSettings;

typedef struct _LacPropagator LacPropagator;

/* Returns: (nullable): the propagator; NULL with an error when the settings are not possible. */
LacPropagator *lac_propagator_new(const LacPropagationSettings *settings, GError **error);
void           lac_propagator_free(LacPropagator *propagator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPropagator, lac_propagator_free)

/* Propagates @field in place; @field: [n][n], 16-byte aligned. Does not allocate; any thread. Energy, sum |U|^2
 * pixel^2, is conserved: exactly by Fresnel and Fraunhofer, up to evanescent waves by the angular spectrum.
 * (Far-field pixels are angles: there the plain sum is conserved.) */
void lac_propagator_run(const LacPropagator *propagator, double complex *field);

/* Returns the output pixel size in metres: lambda |z| / (n pixel), or the input pixel size. */
double lac_propagator_get_pixel(const LacPropagator *propagator);

/* Returns: (transfer full) (nullable): a translated warning when the sampling is too coarse for the method: a near
 * field that the Fresnel transform aliases, or an angular spectrum whose light leaves the window. */
char *lac_propagator_dup_warning(const LacPropagator *propagator);

/* Returns the Fresnel number F = a^2 / (lambda z) of an opening of radius a, @radius. */
double lac_fresnel_number(double radius, double wavelength, double distance);

/* Returns the method that suits a Fresnel number: Fraunhofer below 0.1, else the angular spectrum. */
LacPropagation lac_propagation_choose(double fresnel_number);

G_END_DECLS
