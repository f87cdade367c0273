/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of colour maps: even steps, monotonic lightness, or two mirrored arms. */
#include "report/canvas/colour-map.h"

#include <math.h>

typedef struct {
  double lightness, a, b;
} Oklab;

static double
to_linear(guint8 byte)
{
  double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* B. Ottosson (2020), https://bottosson.github.io/posts/oklab/ */
static Oklab
to_oklab(const guint8 rgba[4])
{
  double r = to_linear(rgba[0]), g = to_linear(rgba[1]), b = to_linear(rgba[2]);
  double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return (Oklab){
    .lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    .a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
    .b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
  };
}

static double
distance(const guint8 p[4], const guint8 q[4])
{
  Oklab a = to_oklab(p), b = to_oklab(q);
  return sqrt(pow(a.lightness - b.lightness, 2) + pow(a.a - b.a, 2) + pow(a.b - b.b, 2));
}

static void
test_sequential_lightness_rises(void)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  gsize               n_sequential = 0;
  for (gsize m = 0; m < n; m++) {
    if (g_strcmp0(maps[m].kind, "sequential") != 0)
      continue;
    n_sequential++;
    /* rounding to bytes moves the lightness by up to 0.004 between neighbours; over four entries it must rise */
    for (gsize i = 4; i < 256; i++)
      g_assert_cmpfloat(to_oklab(maps[m].rgba[i]).lightness, >,
                        to_oklab(maps[m].rgba[i - 4]).lightness);
    g_assert_cmpfloat(to_oklab(maps[m].rgba[0]).lightness, <, 0.25);
    g_assert_cmpfloat(to_oklab(maps[m].rgba[255]).lightness, >, 0.9);
  }
  g_assert_cmpuint(n_sequential, >=, 2);
}

static void
test_diverging_arms_mirror(void)
{
  const LacColourMap *map = lac_colour_map_find("balance");
  g_assert_cmpstr(map->name, ==, "balance");
  g_assert_cmpstr(map->kind, ==, "diverging");
  for (gsize i = 0; i < 128; i++) { /* half a byte in each channel is at most 0.008 in the dark */
    double left = to_oklab(map->rgba[i]).lightness, right = to_oklab(map->rgba[255 - i]).lightness;
    g_assert_cmpfloat(fabs(left - right), <, 0.008);
  }
  for (gsize i = 4; i < 128; i++)
    g_assert_cmpfloat(to_oklab(map->rgba[i]).lightness, >, to_oklab(map->rgba[i - 4]).lightness);
  for (gsize i = 127; i <= 128; i++) {
    Oklab centre = to_oklab(map->rgba[i]);
    g_assert_cmpfloat(hypot(centre.a, centre.b), <, 0.01);
    g_assert_cmpfloat(centre.lightness, >, 0.95);
  }
  Oklab low = to_oklab(map->rgba[32]), high = to_oklab(map->rgba[223]);
  g_assert_cmpfloat(low.b, <, -0.05); /* blue */
  g_assert_cmpfloat(high.a, >, 0.05); /* red */
}

static void
test_steps_are_even(void)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  for (gsize m = 0; m < n;
       m++) { /* over eight entries, so that rounding to bytes is small compared with a step */
    double sum = 0, least = G_MAXDOUBLE, most = 0;
    gsize  steps = 0;
    if (lac_colour_map_warning(&maps[m]) != NULL)
      continue; /* legacy maps are exempt */
    for (gsize i = 8; i < 256; i++) {
      if (g_strcmp0(maps[m].kind, "diverging") == 0 && i > 127 && i - 8 < 128)
        continue; /* the path turns at the centre */
      double step = distance(maps[m].rgba[i - 8], maps[m].rgba[i]);
      sum += step;
      least = MIN(least, step);
      most = MAX(most, step);
      steps++;
    }
    double mean = sum / (double) steps;
    g_assert_cmpfloat(least, >, 0.7 * mean);
    g_assert_cmpfloat(most, <, 1.3 * mean);
  }
}

/* The last entry is adjacent to the first one, and opposite positions differ in lightness. */
static void
test_cyclic_closes(void)
{
  const LacColourMap *map = lac_colour_map_find("whirl");
  double              least = 1, most = 0, sum = 0;
  g_assert_cmpstr(map->kind, ==, "cyclic");
  for (gsize i = 0; i < 256; i++) {
    double step = distance(map->rgba[i], map->rgba[(i + 8) % 256]); /* includes the wrap-around */
    double lightness = to_oklab(map->rgba[i]).lightness;
    sum += step;
    g_assert_cmpfloat(step, >, 0.7 * sum / (double) (i + 1));
    g_assert_cmpfloat(step, <, 1.3 * sum / (double) (i + 1));
    least = MIN(least, lightness);
    most = MAX(most, lightness);
    g_assert_cmpfloat(distance(map->rgba[i], map->rgba[(i + 128) % 256]), >, 0.15);
  }
  g_assert_cmpfloat(least, >, 0.45);
  g_assert_cmpfloat(most, <, 0.85);
  g_assert_cmpfloat(most - least, >, 0.2);
}

/* Every map with a warning has lightness with more than one turning point; no other map has, except at the middle of
 * two arms. */
static void
test_only_misleading_maps_are_warned_of(void)
{
  gsize               n, n_warned = 0;
  const LacColourMap *maps = lac_colour_maps(&n);
  for (gsize m = 0; m < n; m++) {
    guint  turns = 0;
    double before = 0;
    for (gsize i = 8; i < 256; i += 8) {
      double rise = to_oklab(maps[m].rgba[i]).lightness - to_oklab(maps[m].rgba[i - 8]).lightness;
      turns += rise * before < 0 && fabs(rise) > 0.004;
      before = fabs(rise) > 0.004 ? rise : before;
    }
    if (lac_colour_map_warning(&maps[m]) != NULL) {
      g_assert_cmpuint(turns, >=, 2);
      n_warned++;
    } else {
      g_assert_cmpuint(turns, <=, 1);
    }
  }
  g_assert_cmpuint(n_warned, ==, 1);
}

static void
test_value_finds_its_entry(void)
{
  const LacColourMap *map = lac_colour_map_find("dusk");
  for (gsize i = 0; i < 256; i++)
    g_assert_true(lac_colour_map_at(map, ((double) i + 0.5) / 256, 0, 1) == map->rgba[i]);
  g_assert_true(lac_colour_map_at(map, -5, 0, 1) == map->rgba[0]);
  g_assert_true(lac_colour_map_at(map, 1, 0, 1) == map->rgba[255]);
  g_assert_true(lac_colour_map_at(map, 3, 3, 3) == map->rgba[128]);
  g_assert_true(lac_colour_map_at(map, (double) NAN, 0, 1) == lac_colour_not_finite);
  g_assert_true(lac_colour_map_at(map, (double) INFINITY, 0, 1) == lac_colour_not_finite);
}

/* A linear scale gives the same entries as its limits, bitwise; every transfer function maps its limits to the two
 * ends, and non-finite values to grey. */
static void
test_bent_scales(void)
{
  const LacColourMap *map = lac_colour_map_find("balance");
  const double        limits[][2] = {{-1, 1}, {0.1, 0.7}, {-3e-5, 8e4}, {2, 2}};

  for (gsize k = 0; k < G_N_ELEMENTS(limits); k++) {
    const double  low = limits[k][0], high = limits[k][1];
    const LacWarp straight = lac_warp_new(LAC_TRANSFER_LINEAR, low, high);
    for (int i = -100; i <= 1100; i++) {
      const double value = low + (high - low) * i / 1000;
      g_assert_true(lac_colour_map_at_warp(map, &straight, value) ==
                    lac_colour_map_at(map, value, low, high));
    }
  }
  for (int kind = 0; kind < LAC_N_TRANSFERS; kind++) {
    const LacWarp warp = lac_warp_new((LacTransfer) kind, 0.1, 10);
    g_assert_true(lac_colour_map_at_warp(map, &warp, 0.1) == map->rgba[0]);
    g_assert_true(lac_colour_map_at_warp(map, &warp, 10) == map->rgba[255]);
    g_assert_true(lac_colour_map_at_warp(map, &warp, (double) NAN) == lac_colour_not_finite);
    g_assert_true(lac_colour_map_at_warp(map, &warp, (double) INFINITY) == lac_colour_not_finite);
  }
}

static void
test_darkening(void)
{
  guint8 rgba[] = {200, 100, 0, 77};

  lac_colour_darken(rgba, 0.5F);
  g_assert_cmpmem(rgba, 4, ((guint8[]){100, 50, 0, 77}), 4);
  lac_colour_darken(rgba, 3);
  g_assert_cmpmem(rgba, 4, ((guint8[]){255, 150, 0, 77}), 4);
}

static void
test_unknown_name_falls_back(void)
{
  gsize n;
  g_assert_true(lac_colour_map_find("no such map") == lac_colour_maps(&n));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/colour-map/sequential-lightness-rises", test_sequential_lightness_rises);
  g_test_add_func("/report/colour-map/diverging-arms-mirror-each-other",
                  test_diverging_arms_mirror);
  g_test_add_func("/report/colour-map/steps-are-even", test_steps_are_even);
  g_test_add_func("/report/colour-map/cyclic-closes", test_cyclic_closes);
  g_test_add_func("/report/colour-map/only-misleading-maps-are-warned-of",
                  test_only_misleading_maps_are_warned_of);
  g_test_add_func("/report/colour-map/value-finds-its-entry", test_value_finds_its_entry);
  g_test_add_func("/report/colour-map/unknown-name-gives-the-first", test_unknown_name_falls_back);
  g_test_add_func("/report/colour-map/bent-scales-find-their-entries", test_bent_scales);
  g_test_add_func("/report/colour-map/darkening-leaves-the-opacity", test_darkening);
  return g_test_run();
}
