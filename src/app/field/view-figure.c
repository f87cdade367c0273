/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates the panes of a field view into a figure of them. */
#include "app/field/view-figure.h"

#include "app/field/flow.h"
#include "app/field/scale.h"

static gboolean
is_source(const LacChannel *channel)
{
  return channel->role == LAC_ROLE_RECONSTRUCTION || channel->role == LAC_ROLE_BASELINE;
}

/* Returns the second field of a pane with two; else the first source that has a pane. */
static gsize
find_channel(const LacFieldScene *scene)
{
  gsize pair[2];

  if (lac_field_scene_get_pair(scene, pair))
    return pair[1];
  for (guint i = 0; i < scene->n_panes; i++)
    if (is_source(&scene->channels[scene->panes[i].plane]))
      return scene->panes[i].plane;
  return scene->panes[0].plane;
}

/* A volume view has no figure of fields: all fields. */
static LacPanels
find_panels(const LacFieldScene *scene)
{
  switch (lac_field_scene_has_mode(scene, scene->mode) ? scene->mode : LAC_VIEW_FIELDS) {
  case LAC_VIEW_ERRORS: return LAC_PANELS_ERRORS;
  case LAC_VIEW_DEVIATION: return LAC_PANELS_DEVIATION;
  case LAC_VIEW_SWIPE:
  case LAC_VIEW_FADE:
  case LAC_VIEW_FLICKER: return LAC_PANELS_PAIR;
  case LAC_VIEW_DIFFERENCE: return LAC_PANELS_DIFFERENCE;
  case LAC_VIEW_LARGE: return LAC_PANELS_ONE;
  case LAC_VIEW_BOTH:
  case LAC_VIEW_FIELDS:
  case LAC_VIEW_VOLUME:
  case LAC_N_VIEWS: break;
  }
  return LAC_PANELS_ALL;
}

/* Returns: a scale that covers the errors of all panes: a figure has one. */
static LacScale
find_error_scale(const LacFieldScene *scene)
{
  LacScale scale = {0};
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    if (scene->panes[i].difference)
      scale = (LacScale){MIN(scale.low, scene->panes[i].scale.low),
                         MAX(scale.high, scene->panes[i].scale.high)};
  return scale;
}

/* Sets only the properties that differ from the field's automatic scale. */
static void
describe_scale(const LacFieldScene *scene, gboolean of_errors, LacFigureLook *look)
{
  const LacScaleChoice *choice = lac_field_scene_get_choice(scene, of_errors);
  LacScaleView          view;

  if (!lac_field_scene_get_scale(scene, of_errors, &view) ||
      (of_errors && scene->errors != LAC_ERRORS_SIGNED)) /* figures support signed errors only */
    return;
  LacScale scale = of_errors ? find_error_scale(scene) : view.scale;
  *(of_errors ? &look->error_limits : &look->limits) =
    (LacFigureRange){scale.high > scale.low, scale.low, scale.high};
  if (!of_errors && choice->map == NULL && lac_field_scene_is_one_signed(scene, scene->quantity))
    look->colour_map = g_strdup(view.map->name);
  if (choice->map != NULL)
    *(of_errors ? &look->error_colour_map : &look->colour_map) = g_strdup(choice->map->name);
  if (choice->transfer != LAC_TRANSFER_LINEAR)
    *(of_errors ? &look->error_transfer : &look->transfer) =
      g_strdup(lac_transfer_word(choice->transfer));
}

void
lac_view_figure_describe(const LacFieldScene *scene, LacFigureSpec *spec)
{
  g_return_if_fail(scene != NULL && spec != NULL && spec->channel == NULL);
  const LacPanels panels = find_panels(scene);

  if (scene->n_panes == 0)
    return;
  spec->channel = g_strdup(scene->channels[find_channel(scene)].key);
  if (panels != LAC_PANELS_ALL)
    spec->look.panels = g_strdup(lac_panels_word(panels));
  spec->look.isolines = scene->overlays.isolines;
  if (lac_field_flow_is_there(scene))
    spec->look.flow = scene->overlays.flow;
  describe_scale(scene, FALSE, &spec->look);
  describe_scale(scene, TRUE, &spec->look);
}

void
lac_view_figure_free_limits(const LacFieldScene *scene, LacFigureSpec *spec)
{
  g_return_if_fail(scene != NULL && spec != NULL);
  if (scene->n_quantities == 0 || !scene->choices[scene->quantity].locked)
    spec->look.limits.is_given = FALSE;
  if (!lac_field_scene_get_choice(scene, TRUE)->locked)
    spec->look.error_limits.is_given = FALSE;
}
