/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neptune with its real size, distance and wavelength, drawn as a banded sphere. */
#include "experiment/imaging/objects/globe.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

/* diameter, distance, wavelength, m, as in the PRISM system of sparse apertures */
static const LacObjectBody body = {5.0e7, 29.1 * 1.496e11, 500e-9};

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  static const LacGlobeLook look = {
    .fill = 1,
    .limb_darkening = 0.5,
    .light_angle = 0.12,
    .bands = 0.28,
    .mottling = 0.05,
  };

  lac_globe_draw(&look, side, seed, intensity);
}

const LacObjectScene lac_object_neptune = {
  .name = "neptune",
  .title = N_("Neptune"),
  .summary = N_("The planet Neptune at its true size and distance; drawn as a banded sphere unless "
                "you choose a photograph"),
  .source = "Diameter, distance and wavelength as the PRISM system of sparse apertures has them",
  .body = &body,
  .seed = 0x4e455054,
  .draw = draw,
};
