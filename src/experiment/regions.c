/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discs of forbidden places and of costs. */
#include "experiment/regions.h"

#include "base/error.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define NEVER "never" /* the cost of a forbidden region */

static gboolean
parse_cost(const char *word, double *cost)
{
  if (g_str_equal(word, NEVER))
    *cost = (double) INFINITY;
  else if (!lac_number_parse(word, cost) || !(*cost >= 0 && *cost <= LAC_REGIONS_MOST_COST))
    return FALSE;
  return TRUE;
}

static gboolean
parse_region(const char *text, guint n_axes, gsize index, LacRegion *region, GError **error)
{
  g_auto(GStrv) words = g_strsplit_set(text, " ,\t", -1);
  double        numbers[3] = {0};
  guint         n = 0;
  gboolean      is_right = TRUE;

  for (guint i = 0; words[i]; i++) {
    if (*words[i] == '\0')
      continue;
    if (n <= n_axes)
      is_right = is_right && lac_number_parse(words[i], &numbers[n]);
    else
      is_right = is_right && n == n_axes + 1 && parse_cost(words[i], &region->cost);
    n++;
  }
  region->x = numbers[0];
  region->y = n_axes == 2 ? numbers[1] : 0;
  region->radius = numbers[n_axes];
  if (is_right && n == n_axes + 2 && region->radius > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "region %" G_GSIZE_FORMAT
              " of sensor_regions, \"%s\", is not %s, with a radius above "
              "0 and a cost from 0 to %d %% or never",
              index + 1, text, n_axes == 2 ? "\"x y radius cost\"" : "\"x radius cost\"",
              LAC_REGIONS_MOST_COST);
  return FALSE;
}

LacRegion *
lac_regions_parse(const char *text, guint n_axes, gsize *n, GError **error)
{
  g_auto(GStrv)         pieces = g_strsplit(text, ";", LAC_REGIONS_MOST + 1);
  g_autofree LacRegion *regions = g_new0(LacRegion, g_strv_length(pieces) + 1);

  *n = 0;
  for (gsize i = 0; pieces[i]; i++) {
    const char *piece = g_strstrip(pieces[i]);

    if (*piece == '\0' && !pieces[i + 1])
      break; /* text ended with a semicolon */
    if (!parse_region(piece, n_axes, i, &regions[i], error))
      return NULL;
    (*n)++;
  }
  if (*n <= LAC_REGIONS_MOST)
    return g_steal_pointer(&regions);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "sensor_regions has more than %d regions, the most that are allowed",
              LAC_REGIONS_MOST);
  return NULL;
}

static void
add_number(GString *text, double value, double unit)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd(buffer, sizeof buffer, "%.10g", round(value / unit) * unit + 0.0);
  g_string_append(text, buffer);
  g_string_append_c(text, ' ');
}

char *
lac_regions_dup_text(const LacRegion *regions, gsize n, guint n_axes, double span)
{
  const double unit = pow(10, floor(log10(MAX(span, 1e-300))) - 4);
  GString     *text = g_string_new(NULL);

  for (gsize i = 0; i < n; i++) {
    if (i > 0)
      g_string_append(text, "; ");
    add_number(text, regions[i].x, unit);
    if (n_axes == 2)
      add_number(text, regions[i].y, unit);
    add_number(text, MAX(regions[i].radius, unit), unit);
    if (isinf(regions[i].cost)) {
      g_string_append(text, NEVER);
    } else {
      add_number(text, regions[i].cost, 0.01);
      g_string_truncate(text, text->len - 1);
    }
  }
  return g_string_free(text, FALSE);
}

static double
distance(double a, double b, double period)
{
  const double gap = fabs(a - b);

  return period > 0 ? MIN(fmod(gap, period), period - fmod(gap, period)) : gap;
}

double
lac_regions_get_cost(const LacRegion *regions, gsize n, const double at[2], const double period[2])
{
  for (gsize i = n; i > 0; i--) {
    const LacRegion *region = &regions[i - 1];
    const double     across = distance(region->x, at[0], period[0]);
    const double     up = distance(region->y, at[1], period[1]);

    if (across * across + up * up <= region->radius * region->radius)
      return region->cost;
  }
  return 0;
}

static gboolean
is_covered(const LacRegion *region, const LacRegion *later)
{
  return hypot(region->x - later->x, region->y - later->y) + region->radius <=
         later->radius * (1 + 1e-9);
}

static gboolean
meets(const LacRegion *a, const LacRegion *b)
{
  return hypot(a->x - b->x, a->y - b->y) < a->radius + b->radius;
}

gsize
lac_regions_simplify(LacRegion *regions, gsize n)
{
  gsize kept = 0;

  for (gsize i = 0; i < n; i++) {
    gboolean is_needed = regions[i].cost > 0;

    for (gsize j = 0; j < kept && !is_needed; j++)
      is_needed = meets(&regions[i], &regions[j]);
    for (gsize j = i + 1; j < n && is_needed; j++)
      is_needed = !is_covered(&regions[i], &regions[j]);
    if (is_needed)
      regions[kept++] = regions[i];
  }
  return kept;
}
