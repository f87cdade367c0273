/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of a celestial body: limb darkening, mottling, craters or bands. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appearance of the body. Shares and depths are relative to the brightness of a smooth full disc. */
typedef struct {
  double fill;           /* diameter as a share of the picture's side */
  double limb_darkening; /* u of I(mu) = 1 - u (1 - mu) */
  double light_angle;    /* phase angle between light and view, radians: 0 is a full disc */
  guint  n_craters;      /* number on the whole sphere */
  double crater_depth;   /* depth relative to craters on the Moon, which have 1 */
  double roughness;      /* roughness of the ground between craters */
  double maria;          /* darkening of the large plains */
  double mottling;       /* strength of the fine grain */
  double bands;          /* strength of stripes along the latitudes */
  double cracks;         /* strength of dark lines */
  double cells;          /* strength of hot and cool patches */
} LacGlobeLook;

/* Draws the body. @intensity: (out): [side][side] in [0, 1], each pixel the mean of several samples in its square, up
 * to 1024 pixels a side */
void lac_globe_draw(const LacGlobeLook *look, gsize side, guint64 seed, double *intensity);

G_END_DECLS
