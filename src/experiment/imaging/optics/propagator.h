/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light through free space: complex fields on square grids, rows [y][x], the axis at index n/2. Lengths in metres.
 * Source: Goodman, Introduction to Fourier Optics (2005), ch. 3-4. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PROPAGATION_FRAUNHOFER, /* the far field: U2 = F U1, orthonormal */
  LAC_PROPAGATION_FRESNEL,    /* near and far, in one transform: pixels grow with the distance */
  LAC_PROPAGATION_ANGULAR_SPECTRUM, /* any distance, exact within the window; pixels stay */
} LacPropagation;

typedef struct {
  LacPropagation method;
  gsize          n;                    /* even */
  double         wavelength, distance; /* distance < 0: backwards */
  double         pixel;                /* of the field that goes in */
} LacPropagationSettings;

typedef struct _LacPropagator LacPropagator;

/* Returns: (nullable): NULL and a sentence when the settings are not possible. */
LacPropagator *lac_propagator_new(const LacPropagationSettings *settings, GError **error);
void           lac_propagator_free(LacPropagator *propagator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPropagator, lac_propagator_free)

/* In place; @field: [n][n], at a multiple of 16 bytes. Allocates nothing; any thread. Energy, sum |U|^2 pixel^2, is kept: by Fresnel and Fraunhofer
 * exactly, by the angular spectrum but for what is evanescent. (In the far field pixels are angles: there the plain sum is kept.) */
void lac_propagator_run(const LacPropagator *propagator, double complex *field);

/* Metres a pixel of what comes out: lambda |z| / (n pixel), or as it came in. */
double lac_propagator_get_pixel(const LacPropagator *propagator);

/* Returns: (transfer full) (nullable): a translated sentence where the sampling does not carry the method: a near field that Fresnel's
 * transform aliases, an angular spectrum whose light leaves the window. */
char *lac_propagator_dup_warning(const LacPropagator *propagator);

/* F = a^2 / (lambda z) of an opening of radius @radius. */
double lac_fresnel_number(double radius, double wavelength, double distance);

/* What suits a Fresnel number: below 0.1 Fraunhofer, else the angular spectrum. */
LacPropagation lac_propagation_choose(double fresnel_number);

G_END_DECLS
