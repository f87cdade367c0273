/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays of the volume picture. Electrons are bars, vertical for spin up and horizontal for spin down: the cheapest
 * primitive to draw, because there are hundreds of them and they move. */
#include "report/canvas/isolines.h"
#include "report/canvas/particle.h"
#include "report/plot/plot-private.h"
#include "report/text/words.h"
#include "report/volume/scene.h"
#include "report/volume/volume-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define LETTERS   11.0 /* font size that lengths and widths here refer to */
#define BAR_LONG  5.0
#define BAR_SHORT 2.0
#define DISC      5.0
#define ON_CUT    0.35 /* cells; a nucleus within this distance of the slice is drawn on it */
#define LINES     4    /* isolines on either side of the bold one */
#define FACTOR    3.1622776601683795 /* ratio of successive levels */
#define AXIS      0.11               /* relative to the width of the picture */

static const LacColour dark = {0, 0, 0, 0.75F}, light = {1, 1, 1, 0.85F}, faint = {1, 1, 1, 0.4F};

typedef struct {
  const LacMarker *marker;
  LacPoint         at;
  double           depth;
} Thing;

static LacPoint
place_on(const LacVolumePlace *place, const double at[3])
{
  const double nearer = 0.5 * MIN(place->width, place->height);

  return (LacPoint){place->x + 0.5 * place->width + nearer * at[0],
                    place->y + 0.5 * place->height - nearer * at[1]};
}

static int
compare_depths(gconstpointer a, gconstpointer b)
{
  const double first = ((const Thing *) a)->depth, second = ((const Thing *) b)->depth;

  return (first > second) - (first < second);
}

static void
draw_electron(LacDrawing *drawing, const Thing *thing, double scale)
{
  const gboolean is_up = g_str_equal(thing->marker->kind, "electron-up");
  const float    seen = thing->depth < 0 ? 0.6F : 1;
  const double   size = scale * (1 + 0.25 * CLAMP(thing->depth, -1, 1));
  const double   width = size * (is_up ? BAR_SHORT : BAR_LONG);
  const double   height = size * (is_up ? BAR_LONG : BAR_SHORT), rim = 0.8 * scale;
  LacColour colour = is_up ? (LacColour){1, 0.85F, 0.5F, seen} : (LacColour){0.55F, 0.85F, 1, seen};

  lac_draw_rectangle(drawing, thing->at.x - width / 2 - rim, thing->at.y - height / 2 - rim,
                     width + 2 * rim, height + 2 * rim, (LacColour){0, 0, 0, 0.6F * seen});
  lac_draw_rectangle(drawing, thing->at.x - width / 2, thing->at.y - height / 2, width, height,
                     colour);
}

static void
draw_particles(LacDrawing            *drawing,
               const LacVolumeScene  *scene,
               const LacVolumeCamera *camera,
               const LacVolumePlace  *place)
{
  g_autoptr(GArray) things = g_array_new(FALSE, FALSE, sizeof(Thing));
  const double      scale = place->font_size / LETTERS;

  for (gsize i = 0; i < scene->frame->n_markers; i++) {
    const LacMarker *marker = &scene->frame->markers[i];
    double           at[3];

    if (!marker->is_in_space || (!place->electrons && !lac_marker_is_nucleus(marker)))
      continue;
    lac_volume_camera_project(camera, marker->space, at);
    Thing thing = {marker, place_on(place, at), at[2]};
    g_array_append_val(things, thing);
  }
  g_array_sort(things, compare_depths);
  for (guint pass = 0; pass < 2; pass++) /* nuclei above the electrons around them */
    for (guint i = 0; i < things->len; i++) {
      const Thing *thing = &g_array_index(things, Thing, i);

      if (lac_marker_is_nucleus(thing->marker) != (pass == 1))
        continue;
      if (pass == 1)
        lac_draw_particle(drawing, thing->marker->kind, thing->at, DISC * scale);
      else
        draw_electron(drawing, thing, scale);
    }
}

/* Draws the outline of the slice: a square as large as the volume. */
static void
draw_outline(LacDrawing            *drawing,
             const LacVolumeScene  *scene,
             const LacVolumeCamera *camera,
             const LacVolumePlace  *place)
{
  static const double corners[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  const LacCut       *cut = &scene->cut;
  LacPoint            points[5];

  for (guint i = 0; i < 5; i++) {
    double at[3], seen[3];

    for (guint k = 0; k < 3; k++)
      at[k] = cut->middle[k] +
              0.6 * cut->half * (corners[i][0] * cut->across[k] + corners[i][1] * cut->up[k]);
    lac_volume_camera_project(camera, at, seen);
    points[i] = place_on(place, seen);
  }
  lac_draw_lines(drawing, points, G_N_ELEMENTS(points), place->font_size / LETTERS, faint);
}

static void
draw_axes(LacDrawing *drawing, const LacVolumeCamera *camera, const LacVolumePlace *place)
{
  static const char *const names[] = {"x", "y", "z"};
  const double             length = AXIS * MIN(place->width, place->height);
  const LacPoint foot = {place->x + 1.4 * length, place->y + place->height - 1.4 * length};

  for (guint k = 0; k < 3; k++) {
    const double x = length * camera->right[k], y = length * camera->up[k];
    LacPoint     line[2] = {foot, {foot.x + x, foot.y - y}};

    lac_draw_lines(drawing, line, 2, 1.2 * place->font_size / LETTERS, light);
    lac_draw_text(drawing, foot.x + 1.2 * x, foot.y - 1.2 * y + 0.35 * place->font_size,
                  LAC_ALIGN_CENTRE, place->font_size, light, names[k]);
  }
}

void
lac_volume_scene_draw_things(LacDrawing           *drawing,
                             const LacVolumeScene *scene,
                             const LacVolumeView  *volume_view,
                             const LacVolumePlace *place)
{
  const LacVolumeCamera camera = lac_volume_scene_camera(scene, volume_view);

  lac_draw_clip(drawing, place->x, place->y, place->width, place->height);
  draw_outline(drawing, scene, &camera, place);
  draw_axes(drawing, &camera, place);
  draw_particles(drawing, scene, &camera, place);
  lac_draw_unclip(drawing);
}

/* ---- slice ---- */

typedef struct {
  LacDrawing           *drawing;
  const LacVolumePlace *place;
  gboolean              is_bold;
} Liner;

static void
draw_isoline(const LacPoint *points, gsize n, gpointer user_data)
{
  const Liner          *liner = user_data;
  const LacVolumePlace *place = liner->place;
  g_autofree LacPoint  *there = g_new(LacPoint, n);
  const double          scale = place->font_size / LETTERS;

  for (gsize i = 0; i < n; i++)
    there[i] = (LacPoint){
      place->x + (points[i].x + 0.5) / LAC_CUT_CELLS * place->width,
      place->y + (1 - (points[i].y + 0.5) / LAC_CUT_CELLS) * place->height,
    };
  if (liner->is_bold)
    lac_draw_lines(liner->drawing, there, n, 3 * scale, dark);
  lac_draw_lines(liner->drawing, there, n, (liner->is_bold ? 1.6 : 0.7) * scale,
                 liner->is_bold ? light : faint);
}

static void
draw_cells(LacDrawing *drawing, const LacVolumeScene *scene, const LacVolumePlace *place)
{
  g_autofree guint8 *pixels = g_malloc(LAC_CUT_CELLS * LAC_CUT_CELLS * 4);

  for (gsize j = 0; j < LAC_CUT_CELLS; j++)
    for (gsize i = 0; i < LAC_CUT_CELLS; i++)
      memcpy(pixels + 4 * (j * LAC_CUT_CELLS + i),
             lac_colour_map_at(
               scene->map, (double) scene->slice.data[(LAC_CUT_CELLS - 1 - j) * LAC_CUT_CELLS + i],
               scene->values[0], scene->values[1]),
             4);
  lac_draw_image(drawing, place->x, place->y, place->width, place->height, LAC_CUT_CELLS,
                 LAC_CUT_CELLS, pixels);
}

void
lac_volume_scene_draw_cut(LacDrawing           *drawing,
                          const LacVolumeScene *scene,
                          const LacVolumePlace *place)
{
  const LacCut *cut = &scene->cut;

  draw_cells(drawing, scene, place);
  lac_draw_clip(drawing, place->x, place->y, place->width, place->height);
  for (int line = -LINES; line <= LINES && scene->level > 0; line++) {
    Liner liner = {drawing, place, line == 0};

    lac_isolines(&scene->smooth, scene->level * pow(FACTOR, line), draw_isoline, &liner);
  }
  for (gsize i = 0; i < scene->frame->n_markers; i++) {
    const LacMarker *marker = &scene->frame->markers[i];
    double           u = 0, v = 0, off = 0;

    if (!lac_marker_is_nucleus(marker))
      continue;
    for (guint k = 0; k < 3; k++) {
      const double away = marker->space[k] - cut->middle[k];

      u += away * cut->across[k];
      v += away * cut->up[k];
      off += away * cut->normal[k];
    }
    if (fabs(off) > ON_CUT * scene->volume.step[0])
      continue;
    lac_draw_particle(drawing, marker->kind,
                      (LacPoint){place->x + (0.5 + 0.5 * u / cut->half) * place->width,
                                 place->y + (0.5 - 0.5 * v / cut->half) * place->height},
                      DISC * place->font_size / LETTERS);
  }
  lac_draw_unclip(drawing);
}

/* ---- colour bars ---- */

static char *
dup_label(const LacVolumeScene *scene, LacVolumeScaleKind kind)
{
  const LacChannel *channel = &scene->channel;
  g_autofree char  *key =
    g_strdelimit(g_strdup(channel->quantity ? channel->quantity : channel->key), "_", ' ');
  const char *quantity = lac_word(key);

  if (kind == LAC_VOLUME_LINES)
    return g_strdup_printf(_("%s along the line of sight (log₁₀ %s · %s)"), quantity, channel->unit,
                           channel->axis_unit_x);
  return g_strdup_printf("%s (log₁₀ %s)", quantity, channel->unit);
}

void
lac_volume_scene_draw_bar(LacDrawing           *drawing,
                          const LacVolumeScene *scene,
                          LacVolumeScaleKind    kind,
                          const LacVolumePlace *place,
                          const LacPalette     *palette)
{
  const double    *scale = kind == LAC_VOLUME_LINES ? scene->lines : scene->values;
  const double     size = place->font_size;
  g_autofree char *label = dup_label(scene, kind);
  /* a label that does not fit is reduced to its unit; the title above names the quantity */
  const char      *unit = strrchr(label, '(');
  const gboolean   is_long = unit != NULL && lac_text_width(label, size, FALSE) > place->width;
  g_autofree char *fitted = lac_text_dup_fitted(is_long ? unit : label, size, FALSE, place->width);
  LacBarStyle      style = {scene->map, scale[0], scale[1], fitted, size, LAC_TRANSFER_LINEAR};

  lac_plot_bar(drawing, (LacBox){place->x, place->y, place->width, 0.9 * size}, &style, palette);
}
