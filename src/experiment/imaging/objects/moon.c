/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cratered, limb-darkened moon of any size. */
#include "experiment/imaging/objects/globe.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

typedef struct {
  gint64 craters;
  double limb_darkening, light_angle;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, craters), LAC_PARAM_INTEGER, "1", 0, 20000, 3600, N_("Craters"), N_("Object"), N_("Number on the whole sphere; sizes follow a power law")},
  {LAC_FIELD(Params, limb_darkening), LAC_PARAM_REAL, "1", 0, 1, 0.25, N_("Limb darkening"), N_("Object"), N_("Coefficient u of the law 1 - u (1 - μ)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, light_angle), LAC_PARAM_REAL, "deg", 0, 90, 34, N_("Phase angle"), N_("Object"), N_("Angle between light and view (0: full moon, craters without shading)"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  const Params      *params = values;
  const LacGlobeLook look = {
    .fill = 0.94,
    .limb_darkening = params->limb_darkening,
    .light_angle = params->light_angle * G_PI / 180,
    .n_craters = (guint) params->craters,
    .crater_depth = 0.8,
    .roughness = 0.05,
    .maria = 0.42,
    .mottling = 0.16,
  };

  lac_globe_draw(&look, side, seed, intensity);
}

const LacObjectScene lac_object_moon = {
  .name = "moon",
  .title = N_("Moon"),
  .summary = N_("A moon with craters and limb darkening, drawn from a seed at any size"),
  .source = "Drawn, not photographed: craters by a power law of their sizes, a limb that darkens",
  .is_default = TRUE,
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .draw = draw,
};
