/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the panes of a field view to a figure of them. */
#include "app/view-figure.h"

static gboolean
is_source(const LacChannel *channel)
{
  return channel->role == LAC_ROLE_RECONSTRUCTION || channel->role == LAC_ROLE_BASELINE;
}

/* Of one pane for two fields the second one; else the first source that has a pane. */
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

void
lac_view_figure_describe(const LacFieldScene *scene, LacFigureSpec *spec)
{
  g_return_if_fail(scene != NULL && spec != NULL);
  if (scene->n_panes == 0)
    return;
  g_free(spec->channel);
  spec->channel = g_strdup(scene->channels[find_channel(scene)].key);
}
