/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titan with its real size, distance and wavelength, drawn as a hazy sphere with dark plains. */
#include "experiment/imaging/objects/globe.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

/* diameter, distance, wavelength, m, as in the PRISM system of sparse apertures */
static const LacObjectBody body = {5.150e6, 1.2e12, 2.0e-6};

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  static const LacGlobeLook look = {
    .fill = 1,
    .limb_darkening = 0.45,
    .light_angle = 0.3,
    .maria = 0.38,
    .mottling = 0.1,
  };

  lac_globe_draw(&look, side, seed, intensity);
}

const LacObjectScene lac_object_titan = {
  .name = "titan",
  .title = N_("Titan"),
  .summary = N_("Saturn's moon Titan at its true size and distance; drawn as a hazy sphere with "
                "dark plains unless you choose a photograph"),
  .source = "Diameter, distance and wavelength as the PRISM system of sparse apertures has them",
  .body = &body,
  .seed = 0x5449544e,
  .draw = draw,
};
