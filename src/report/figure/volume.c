/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of a volume: as it is seen, and the cut through it; and that of a chart. */
#include "report/figure/figure-private.h"
#include "report/plot/chart.h"
#include "report/volume/scene.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define PIXELS       360 /* along each side of the picture */
#define VOLUME_GAP   2.0 /* between the panels, of the font size */
#define TITLE        1.7
#define BELOW        1.0  /* between a panel and its bar */
#define CHART_HEIGHT 0.55 /* of its width */

/* The two panels are squares beside each other. */
static double
panel_side(const LacFigurePlace *place)
{
  return (place->width - VOLUME_GAP * place->font_size) / 2;
}

static void
draw_panels(LacDrawing           *drawing,
            const LacVolumeScene *scene,
            const LacVantage     *vantage,
            const LacFigurePlace *place)
{
  const char         letter = place->letter != '\0' ? place->letter : 'a';
  const double       size = place->font_size, side = panel_side(place);
  const double       top = place->y + TITLE * size, beside = place->x + side + VOLUME_GAP * size;
  LacVolumePlace     seen = {place->x, top, side, side, size, TRUE};
  LacVolumePlace     cut = {beside, top, side, side, size, FALSE};
  g_autofree guint8 *rgba = g_malloc(4 * PIXELS * PIXELS);

  lac_volume_scene_paint(scene, vantage, PIXELS, PIXELS, rgba);
  lac_figure_draw_title(drawing, (LacPoint){place->x, top - 0.55 * size}, side, size, letter,
                        scene->channel.label);
  lac_draw_image(drawing, seen.x, seen.y, side, side, PIXELS, PIXELS, rgba);
  lac_volume_scene_draw_things(drawing, scene, vantage, &seen);
  lac_figure_draw_title(drawing, (LacPoint){beside, top - 0.55 * size}, side, size, letter + 1,
                        vantage->cut == LAC_CUT_NUCLEI ? _("Cut through the nuclei") : _("Cut"));
  lac_volume_scene_draw_cut(drawing, scene, &cut);
  seen.y = cut.y = top + side + BELOW * size;
  lac_volume_scene_draw_bar(drawing, scene, LAC_VOLUME_LINES, &seen, &lac_palette_paper);
  lac_volume_scene_draw_bar(drawing, scene, LAC_VOLUME_VALUES, &cut, &lac_palette_paper);
}

double
lac_figure_draw_volume(LacDrawing           *drawing,
                       const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place)
{
  const LacChannel channel = lac_run_file_get_channel(run, place->channel);
  const LacVantage vantage = place->vantage ? *place->vantage : LAC_VANTAGE_START;
  LacVolumeScene   scene;

  if (drawing) {
    lac_volume_scene_init(&scene, &channel, place->channel);
    if (lac_volume_scene_set_frame(&scene, (LacFrame *) frame, &vantage))
      draw_panels(drawing, &scene, &vantage, place);
    lac_volume_scene_clear(&scene);
  }
  return (TITLE + BELOW + LAC_VOLUME_BAR_ROOM) * place->font_size + panel_side(place);
}

double
lac_figure_draw_chart(LacDrawing           *drawing,
                      const LacRunFile     *run,
                      const LacFrame       *frame,
                      const LacFigurePlace *place)
{
  const LacChannel channel = lac_run_file_get_channel(run, place->channel);
  const double     size = place->font_size, height = CHART_HEIGHT * place->width;
  LacChartPlace    at = {place->x, place->y + TITLE * size, place->width, height, size, TRUE, NULL};

  if (drawing) {
    lac_figure_draw_title(drawing, (LacPoint){place->x, place->y + size}, place->width, size,
                          place->letter, channel.label);
    lac_chart_draw(drawing, &channel, &frame->planes[place->channel], &at, &lac_palette_paper);
  }
  return TITLE * size + height;
}
