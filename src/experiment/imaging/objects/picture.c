/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever picture somebody brings. */
#include "experiment/imaging/object.h"

#include <glib/gi18n-lib.h>

const LacObjectScene lac_object_picture = {
  .name = "picture",
  .title = N_("Picture"),
  .summary = N_("A picture of one's own: PNG, JPEG, TIFF or FITS"),
  .source = "Imaging specification 1.2",
  .needs_picture = TRUE,
};
