/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour vision simulation: one matrix per kind, applied in linear light. */
#include "report/canvas/vision.h"

#include <math.h>

static const struct {
  const char *word;
  double      light[3][3]; /* linear sRGB to linear sRGB; rows sum to 1 to preserve greys */
} visions[LAC_N_VISIONS] = {
  {"all", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
  {"deuteranopia",
   {{0.367322, 0.860646, -0.227968},
    {0.280085, 0.672501, 0.047413},
    {-0.011820, 0.042940, 0.968881}}},
  {"protanopia",
   {{0.152286, 1.052583, -0.204868},
    {0.114503, 0.786281, 0.099216},
    {-0.003882, -0.048116, 1.051998}}},
  {"tritanopia",
   {{1.255528, -0.076749, -0.178779},
    {-0.078411, 0.930809, 0.147602},
    {0.004733, 0.691367, 0.303900}}},
  {"grey", {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}},
};

LacVision
lac_vision_find(const char *word)
{
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_N_VISIONS; vision++)
    if (g_strcmp0(visions[vision].word, word) == 0)
      return vision;
  return LAC_VISION_ALL;
}

const char *
lac_vision_word(LacVision vision)
{
  g_return_val_if_fail(vision < LAC_N_VISIONS, NULL);
  return visions[vision].word;
}

static double
to_light(guint8 byte)
{
  double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static guint8
to_byte(double light)
{
  double value = CLAMP(light, 0, 1);
  value = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
  return (guint8) lround(255 * value);
}

void
lac_vision_see(LacVision vision, const guint8 rgba[4], guint8 seen[4])
{
  g_return_if_fail(vision < LAC_N_VISIONS);
  double light[3] = {to_light(rgba[0]), to_light(rgba[1]), to_light(rgba[2])};
  for (guint i = 0; i < 3; i++) {
    const double *row = visions[vision].light[i];
    seen[i] = to_byte(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]);
  }
  seen[3] = rgba[3];
}

static LacColourMap *
make_twins(const LacColourMap *maps, gsize n)
{
  LacColourMap *twins = g_new(LacColourMap, n * LAC_N_VISIONS);
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_N_VISIONS; vision++)
    for (gsize m = 0; m < n; m++) {
      LacColourMap *twin = &twins[vision * n + m];
      *twin = maps[m];
      for (guint i = 0; vision != LAC_VISION_ALL && i < 256; i++)
        lac_vision_see(vision, maps[m].rgba[i], twin->rgba[i]);
    }
  return twins;
}

const LacColourMap *
lac_vision_map(LacVision vision, const LacColourMap *map)
{
  static const LacColourMap *twins = NULL;
  gsize                      n;
  const LacColourMap        *maps = lac_colour_maps(&n);
  g_return_val_if_fail(vision < LAC_N_VISIONS && map >= maps && map < maps + n, map);
  if (vision == LAC_VISION_ALL)
    return map;
  if (g_once_init_enter(&twins))
    g_once_init_leave(&twins, make_twins(maps, n));
  return &twins[vision * n + (gsize) (map - maps)];
}

static void
see(const guint8 rgba[4], guint8 seen[4], gpointer vision)
{
  lac_vision_see(*(const LacVision *) vision, rgba, seen);
}

LacDrawing *
lac_vision_draw(LacVision vision, const LacDrawing *drawing)
{
  LacDrawing *seen = lac_drawing_new();

  lac_drawing_append(seen, drawing, 0, 0);
  if (vision != LAC_VISION_ALL)
    lac_drawing_map_colours(seen, see, &vision);
  return seen;
}
