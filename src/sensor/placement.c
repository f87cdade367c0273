/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of placement methods; the build generates the list from the names in meson.build. */
#include "sensor/placement.h"

#include "base/error.h"

#define LAC_PLACEMENT(id) extern const LacPlacementMethod lac_placement_method_##id;
#include "sensor/placement-list.h"
#undef LAC_PLACEMENT

static const LacPlacementMethod *const methods[] = {
#define LAC_PLACEMENT(id) &lac_placement_method_##id,
#include "sensor/placement-list.h"
#undef LAC_PLACEMENT
};

const LacPlacementMethod *const *
lac_placement_methods(gsize *n_methods)
{
  *n_methods = G_N_ELEMENTS(methods);
  return methods;
}

const LacPlacementMethod *
lac_placement_find(const char *name, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
    if (g_str_equal(methods[i]->name, name))
      return methods[i];
    g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", methods[i]->name);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
              "there is no placement method \xe2\x80\x9c%s\xe2\x80\x9d; available are %s", name,
              names->str);
  return NULL;
}

void
lac_placement_qr(const double *modes,
                 gsize         n_modes,
                 gsize         n_components,
                 gsize         n_points,
                 gsize        *places,
                 gsize         n_sensors)
{
  const LacPlacementProblem problem = {
    .modes = modes,
    .n_modes = n_modes,
    .n_components = n_components,
    .n_points = n_points,
  };
  g_autoptr(GError) error = NULL;

  if (!lac_placement_method_qr.choose(&problem, NULL, places, n_sensors, &error))
    g_critical("%s", error->message);
}

void
lac_placement_random(LacRng *rng, gsize n_points, gsize *places, gsize n_sensors)
{
  const LacPlacementProblem problem = {.n_points = n_points};
  g_autoptr(GError)         error = NULL;

  if (!lac_placement_method_random.choose(&problem, rng, places, n_sensors, &error))
    g_critical("%s", error->message);
}
