/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of a field view. */
#include "app/field-states.h"

#include "app/field-view.h"

#include <string.h>

static const LacFieldScene *
scene_of(gpointer view)
{
  return lac_field_view_get_scene(view);
}

static GVariant *
describe_camera(gpointer view)
{
  LacCamera camera = lac_field_view_get_camera(view);
  return g_variant_new("(ddd)", camera.u, camera.v, camera.zoom);
}

static void
apply_camera(gpointer view, GVariant *state)
{
  LacCamera camera;
  g_variant_get(state, "(ddd)", &camera.u, &camera.v, &camera.zoom);
  lac_field_view_set_camera(view, &camera);
}

static GVariant *
describe_swipe(gpointer view)
{
  return g_variant_new_double(scene_of(view)->swipe);
}

static void
apply_swipe(gpointer view, GVariant *state)
{
  lac_field_view_set_swipe(view, CLAMP(g_variant_get_double(state), 0, 1));
}

static GVariant *
describe_flicker(gpointer view)
{
  return g_variant_new_double(lac_field_view_get_flicker_rate(view));
}

static void
apply_flicker(gpointer view, GVariant *state)
{
  lac_field_view_set_flicker_rate(
    view, CLAMP(g_variant_get_double(state), LAC_FLICKER_LEAST, LAC_FLICKER_MOST));
}

static GVariant *
describe_source(gpointer view)
{
  return g_variant_new_uint32(scene_of(view)->chosen);
}

static void
apply_source(gpointer view, GVariant *state)
{
  guint32 wanted = g_variant_get_uint32(state);
  for (guint i = 0; i < LAC_MAX_PANES && scene_of(view)->chosen != wanted; i++)
    lac_field_view_choose_next(view);
}

/* From (u, v) to (u, v); all 0: none. */
static GVariant *
describe_line(gpointer view)
{
  double line[4];
  if (!lac_field_view_get_line(view, line))
    memset(line, 0, sizeof line);
  return g_variant_new("(dddd)", line[0], line[1], line[2], line[3]);
}

static void
apply_line(gpointer view, GVariant *state)
{
  double line[4];
  g_variant_get(state, "(dddd)", &line[0], &line[1], &line[2], &line[3]);
  lac_field_view_set_line(view, line[0] != line[2] || line[1] != line[3] ? line : NULL);
}

/* ---- scales: locked limits, or equal where they are not, how it is bent, the map, "" for the field's own ---- */

static const LacScaleChoice *
choice_of(gpointer view, gboolean of_errors)
{
  return lac_field_scene_get_choice(scene_of(view), of_errors);
}

static GVariant *
describe_scale(gpointer view, gboolean of_errors)
{
  const LacScaleChoice *choice = choice_of(view, of_errors);
  return g_variant_new(
    "(ddss)", choice->locked ? choice->limits.low : 0.0, choice->locked ? choice->limits.high : 0.0,
    lac_transfer_word(choice->transfer), choice->map != NULL ? choice->map->name : "");
}

static const LacColourMap *
find_map(const char *name)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(maps[i].name, name))
      return &maps[i];
  return NULL;
}

static void
apply_scale(gpointer view, GVariant *state, gboolean of_errors)
{
  LacScale    limits;
  const char *transfer, *map;
  g_variant_get(state, "(dd&s&s)", &limits.low, &limits.high, &transfer, &map);
  lac_field_view_set_limits(view, of_errors, limits.low < limits.high ? &limits : NULL);
  lac_field_view_set_transfer(view, of_errors, lac_transfer_find(transfer));
  lac_field_view_set_map(view, of_errors, find_map(map));
}

static GVariant *
describe_value_scale(gpointer view)
{
  return describe_scale(view, FALSE);
}

static GVariant *
describe_error_scale(gpointer view)
{
  return describe_scale(view, TRUE);
}

static void
apply_value_scale(gpointer view, GVariant *state)
{
  apply_scale(view, state, FALSE);
}

static void
apply_error_scale(gpointer view, GVariant *state)
{
  apply_scale(view, state, TRUE);
}

/* A view tells everything by few signals: each state is looked at for any. */
static const LacPartState states[] = {
  {"camera", G_MAXUINT, describe_camera, apply_camera},
  {"swipe", G_MAXUINT, describe_swipe, apply_swipe},
  {"flicker", G_MAXUINT, describe_flicker, apply_flicker},
  {"source", G_MAXUINT, describe_source, apply_source},
  {"line", G_MAXUINT, describe_line, apply_line},
  {"scale", G_MAXUINT, describe_value_scale, apply_value_scale},
  {"error-scale", G_MAXUINT, describe_error_scale, apply_error_scale},
};

const LacPartTable *
lac_field_states(void)
{
  static const LacPartTable table = {states, G_N_ELEMENTS(states)};
  return &table;
}
