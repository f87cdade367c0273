/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Betelgeuse with its real size, distance and wavelength, drawn as a limb-darkened sphere with hot and cool patches. */
#include "experiment/imaging/objects/globe.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

/* diameter, distance, wavelength, m, as in the PRISM system of sparse apertures */
static const LacObjectBody body = {2 * 617e6 * 1e3, 700 * 9.461e15, 500e-9};

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  static const LacGlobeLook look = {
    .fill = 1,
    .limb_darkening = 0.6,
    .cells = 0.5,
    .mottling = 0.08,
  };

  lac_globe_draw(&look, side, seed, intensity);
}

const LacObjectScene lac_object_betelgeuse = {
  .name = "betelgeuse",
  .title = N_("Betelgeuse"),
  .summary = N_("The star Betelgeuse at its true size and distance; drawn with limb darkening and "
                "hot and cool patches unless you choose a photograph"),
  .source = "Diameter, distance and wavelength as the PRISM system of sparse apertures has them",
  .body = &body,
  .seed = 0x42455445,
  .draw = draw,
};
