/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Europa with its real size, distance and wavelength, drawn as an icy sphere with cracks. */
#include "experiment/imaging/objects/globe.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

/* diameter, distance, wavelength, m, as in the PRISM system of sparse apertures */
static const LacObjectBody body = {3.138e6, 6.283e11, 698.9e-9};

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  static const LacGlobeLook look = {
    .fill = 1,
    .limb_darkening = 0.3,
    .light_angle = 0.35,
    .n_craters = 160,
    .crater_depth = 0.2,
    .mottling = 0.12,
    .maria = 0.12,
    .cracks = 0.34,
  };

  lac_globe_draw(&look, side, seed, intensity);
}

const LacObjectScene lac_object_europa = {
  .name = "europa",
  .title = N_("Europa"),
  .summary = N_("Jupiter's moon Europa at its true size and distance; drawn as an icy sphere with "
                "cracks unless you choose a photograph"),
  .source = "Diameter, distance and wavelength as the PRISM system of sparse apertures has them",
  .body = &body,
  .seed = 0x45555241,
  .draw = draw,
};
