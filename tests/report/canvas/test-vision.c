/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated colour vision: greys are preserved, confused colours converge, maps stay readable. */
#include "report/canvas/vision.h"

#include <math.h>
#include <stdlib.h>

static double
distance(const guint8 a[4], const guint8 b[4])
{
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Relative luminance of sRGB, 0...1. */
static double
luminance(const guint8 rgba[4])
{
  static const double weights[3] = {0.2126, 0.7152, 0.0722};
  double              sum = 0;
  for (guint i = 0; i < 3; i++) {
    double value = rgba[i] / 255.0;
    sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

static void
test_greys_stay(void)
{
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_N_VISIONS; vision++)
    for (int grey = 0; grey < 256; grey++) {
      const guint8 rgba[4] = {(guint8) grey, (guint8) grey, (guint8) grey, 77};
      guint8       seen[4];
      lac_vision_see(vision, rgba, seen);
      for (guint i = 0; i < 3; i++)
        g_assert_cmpint(abs(seen[i] - grey), <=, 1); /* rows sum to 1 within 1e-6 */
      g_assert_cmpint(seen[3], ==, 77);
    }
}

static void
test_full_vision_changes_nothing(void)
{
  for (int r = 0; r < 256; r += 5)
    for (int g = 0; g < 256; g += 5) {
      const guint8 rgba[4] = {(guint8) r, (guint8) g, (guint8) (255 - r), 255};
      guint8       seen[4];
      lac_vision_see(LAC_VISION_ALL, rgba, seen);
      g_assert_cmpfloat(distance(rgba, seen), ==, 0);
    }
}

/* Clearly distinct red and green become nearly one colour without the cones that resolve them. */
static void
test_red_and_green_come_together(void)
{
  const guint8 red[4] = {194, 98, 40, 255}, green[4] = {129, 126, 40, 255};
  guint8       a[4], b[4];
  lac_vision_see(LAC_VISION_DEUTERANOPIA, red, a);
  lac_vision_see(LAC_VISION_DEUTERANOPIA, green, b);
  g_assert_cmpfloat(distance(a, b), <, 0.5 * distance(red, green));
  lac_vision_see(LAC_VISION_TRITANOPIA, red, a);
  lac_vision_see(LAC_VISION_TRITANOPIA, green, b);
  g_assert_cmpfloat(distance(a, b), >, 0.8 * distance(red, green));
}

static void
test_maps_stay_readable(void)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_N_VISIONS; vision++)
    for (gsize m = 0; m < n; m++) {
      const LacColourMap *map = lac_vision_map(vision, &maps[m]);
      gboolean            diverges = g_str_equal(map->kind, "diverging");
      if (!diverges && !g_str_equal(map->kind, "sequential"))
        continue; /* lightness alone does not identify the position in these maps */
      g_assert_cmpstr(map->name, ==, maps[m].name);
      g_test_message("%s, %s", lac_vision_word(vision), map->name);
      for (gsize i = 16; i < 256; i++) /* in steps of a sixteenth, visible by eye */
        if (!diverges || i < 128)
          g_assert_cmpfloat(luminance(map->rgba[i]), >, luminance(map->rgba[i - 16]));
      if (diverges && vision != LAC_VISION_GREY) /* in grey both signs look the same */
        g_assert_cmpfloat(distance(map->rgba[40], map->rgba[215]), >, 60);
    }
}

static void
test_words(void)
{
  for (LacVision vision = LAC_VISION_ALL; vision < LAC_N_VISIONS; vision++)
    g_assert_cmpint(lac_vision_find(lac_vision_word(vision)), ==, vision);
  g_assert_cmpint(lac_vision_find("no such eyes"), ==, LAC_VISION_ALL);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/vision/greys-stay-grey", test_greys_stay);
  g_test_add_func("/report/vision/full-vision-changes-nothing", test_full_vision_changes_nothing);
  g_test_add_func("/report/vision/red-and-green-come-together", test_red_and_green_come_together);
  g_test_add_func("/report/vision/every-map-stays-readable", test_maps_stay_readable);
  g_test_add_func("/report/vision/words-name-the-kinds", test_words);
  return g_test_run();
}
