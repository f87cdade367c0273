/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of methods and of operations: no two are confused, with any kind of colour vision. */
#include "report/canvas/palette.h"
#include "report/canvas/vision.h"

#include <math.h>

/* Least distances in Oklab, in which about 0.02 is just visible: of two large areas side by side */
#define LEAST       0.10
#define LEAST_BLIND 0.055 /* with one kind of cones missing */

typedef struct {
  double L, a, b;
} Lab;

static double
to_light(guint8 byte)
{
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Source: B. Ottosson (2020), A perceptual color space for image processing. */
static Lab
to_lab(const guint8 rgba[4])
{
  const double r = to_light(rgba[0]), g = to_light(rgba[1]), b = to_light(rgba[2]);
  const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return (Lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
               1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
               0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double
distance(LacColour x, LacColour y, LacVision vision)
{
  const LacColour colours[2] = {x, y};
  Lab             lab[2];
  for (guint i = 0; i < 2; i++) {
    const guint8 rgba[4] = {(guint8) lround(255 * (double) colours[i].red),
                            (guint8) lround(255 * (double) colours[i].green),
                            (guint8) lround(255 * (double) colours[i].blue), 255};
    guint8       seen[4];
    lac_vision_see(vision, rgba, seen);
    lab[i] = to_lab(seen);
  }
  return sqrt(pow(lab[0].L - lab[1].L, 2) + pow(lab[0].a - lab[1].a, 2) +
              pow(lab[0].b - lab[1].b, 2));
}

static void
check(const LacPalette *palette, guint i, LacColour other)
{
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_VISION_GREY; vision++) {
    const double least = vision == LAC_VISION_ALL ? LEAST : LEAST_BLIND;
    g_test_message("operation %u, %s: %.3f", i, lac_vision_word(vision),
                   distance(palette->operations[i], other, vision));
    g_assert_cmpfloat(distance(palette->operations[i], other, vision), >, least);
  }
}

static void
test_operations(gconstpointer data)
{
  const LacPalette *palette = data;
  for (guint i = 0; i < LAC_PALETTE_OPERATIONS; i++) {
    for (guint k = 0; k < G_N_ELEMENTS(palette->series); k++)
      check(palette, i, palette->series[k]);
    for (guint k = 0; k < i; k++)
      check(palette, i, palette->operations[k]);
    check(palette, i, palette->neutral);
    check(palette, i, palette->rest);
    check(palette, i, palette->background);
  }
}

/* Text on every colour has a contrast of 3 : 1 at least, as large text needs (WCAG 2.1). */
static void
test_text(gconstpointer data)
{
  const LacPalette *palette = data;
  LacColour         colours[LAC_PALETTE_OPERATIONS + 8];
  guint             n = 0;
  for (guint i = 0; i < LAC_PALETTE_OPERATIONS; i++)
    colours[n++] = palette->operations[i];
  for (guint i = 0; i < G_N_ELEMENTS(palette->series); i++)
    colours[n++] = palette->series[i];
  colours[n++] = palette->neutral;
  colours[n++] = palette->rest;
  for (guint i = 0; i < n; i++) {
    const LacColour on = lac_palette_text_on(colours[i]), both[2] = {on, colours[i]};
    double          light[2];
    for (guint k = 0; k < 2; k++)
      light[k] = 0.05 + 0.2126 * to_light((guint8) lround(255 * (double) both[k].red)) +
                 0.7152 * to_light((guint8) lround(255 * (double) both[k].green)) +
                 0.0722 * to_light((guint8) lround(255 * (double) both[k].blue));
    g_assert_cmpfloat(fmax(light[0], light[1]) / fmin(light[0], light[1]), >, 3);
  }
}

int
main(int argc, char **argv)
{
  static const struct {
    const char       *name;
    const LacPalette *palette;
  } palettes[] = {
    {"paper", &lac_palette_paper}, {"light", &lac_palette_light}, {"dark", &lac_palette_dark}};
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(palettes); i++) {
    g_autofree char *first =
      g_strconcat("/report/palette/operations-differ-from-all-others/", palettes[i].name, NULL);
    g_autofree char *second =
      g_strconcat("/report/palette/text-is-readable-on-all/", palettes[i].name, NULL);
    g_test_add_data_func(first, palettes[i].palette, test_operations);
    g_test_add_data_func(second, palettes[i].palette, test_text);
  }
  return g_test_run();
}
