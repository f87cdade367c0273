/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ball in the sky, drawn: limb-darkened, mottled, with craters or bands. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How it looks. Shares and depths are those of the brightness of a smooth full disc. */
typedef struct {
  double fill;           /* the ball's diameter as a share of the picture's side */
  double limb_darkening; /* u of I(mu) = 1 - u (1 - mu) */
  double light_angle;    /* between light and view, radians: 0 is a full disc */
  guint  n_craters;      /* over the whole ball */
  double crater_depth;   /* 1: as on the Moon */
  double roughness;      /* of the ground between craters */
  double maria;          /* how much darker the large plains are */
  double mottling;       /* of the fine grain */
  double bands;          /* of stripes along the latitudes */
  double cracks;         /* of dark lines */
  double cells;          /* of hot and cool patches */
} LacGlobeLook;

/* @intensity: (out): [side][side] in [0, 1], each pixel the mean of several places in its square, up to 1024 pixels a side */
void lac_globe_draw(const LacGlobeLook *look, gsize side, guint64 seed, double *intensity);

G_END_DECLS
