/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of objects, geometry of celestial bodies, and conversion from intensity to a complex field. */
#include "experiment/imaging/objects/object.h"

#include "base/error.h"

#include <math.h>

#define LAC_OBJECT(id) extern const LacObjectScene lac_object_##id;
#include "experiment/object-list.h"
#undef LAC_OBJECT

static const LacObjectScene *const scenes[] = {
#define LAC_OBJECT(id) &lac_object_##id,
#include "experiment/object-list.h"
#undef LAC_OBJECT
};

const LacObjectScene *const *
lac_object_scenes(gsize *n_scenes)
{
  *n_scenes = G_N_ELEMENTS(scenes);
  return scenes;
}

const LacObjectScene *
lac_object_scene_find(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(scenes); i++)
    if (g_str_equal(scenes[i]->name, name))
      return scenes[i];
  return NULL;
}

double
lac_object_get_pixel(const LacObjectBody *body, double k_pixel, gsize grid)
{
  return body->wavelength * body->distance / (k_pixel * (double) grid);
}

gsize
lac_object_get_size(const LacObjectBody *body, double k_pixel, gsize grid)
{
  return (gsize) (body->diameter / lac_object_get_pixel(body, k_pixel, grid));
}

/* Fills in the intensity of the object, or its amplitude if the picture holds amplitudes. */
static gboolean
fill_values(const LacObjectScene    *scene,
            gconstpointer            params,
            const LacObjectSettings *settings,
            gsize                    side,
            double                  *values,
            GError                 **error)
{
  if (settings->picture != NULL)
    return lac_object_from_picture(settings->picture, &settings->use, side, values, error);
  scene->draw(params, side, scene->seed != 0 ? scene->seed : settings->seed, values);
  return TRUE;
}

static gboolean
fill_phase(const LacObjectSettings *settings, gsize side, double *phase, GError **error)
{
  const LacPictureUse use = {LAC_PICTURE_AMPLITUDE, settings->use.fit, FALSE, TRUE,
                             settings->use.filter};

  switch (settings->phase) {
  case LAC_OBJECT_PHASE_NONE: return TRUE;
  case LAC_OBJECT_PHASE_RELIEF: lac_object_draw_relief(side, settings->seed, phase); return TRUE;
  case LAC_OBJECT_PHASE_PICTURE: break;
  }
  if (settings->phase_picture != NULL)
    return lac_object_from_picture(settings->phase_picture, &use, side, phase, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "phase = picture needs a file: set phase_picture");
  return FALSE;
}

gboolean
lac_object_make(const LacObjectScene    *scene,
                gconstpointer            params,
                const LacObjectSettings *settings,
                gsize                    side,
                double complex          *object,
                GError                 **error)
{
  if (side < 1 || side > LAC_OBJECT_MAX_SIDE) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "an object of %" G_GSIZE_FORMAT " pixels a side is outside of 1 to %d", side,
                LAC_OBJECT_MAX_SIDE);
    return FALSE;
  }
  g_autofree double *values = g_new(double, side *side);
  g_autofree double *phase = g_new0(double, side *side);
  const gboolean     is_amplitude =
    settings->picture != NULL && settings->use.unit == LAC_PICTURE_AMPLITUDE;

  if (!fill_values(scene, params, settings, side, values, error) ||
      !fill_phase(settings, side, phase, error))
    return FALSE;
  for (gsize i = 0; i < side * side; i++) {
    const double amplitude = is_amplitude ? values[i] : sqrt(values[i]);
    const double angle = settings->phase_range * phase[i];

    object[i] = settings->phase == LAC_OBJECT_PHASE_NONE
                  ? amplitude
                  : CMPLX(amplitude * cos(angle), amplitude * sin(angle));
  }
  return TRUE;
}
