/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's picture as object. */
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  lac_object_draw_relief(side, seed, intensity);
}

const LacObjectScene lac_object_picture = {
  .name = "picture",
  .title = N_("Picture"),
  .summary = N_("Your own image (PNG, JPEG, TIFF or FITS); smooth hills until you choose one"),
  .source = "A picture holds intensities; the amplitude of light is their square root",
  .draw = draw,
};
