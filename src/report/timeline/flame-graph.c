/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rectangle and one fitted label a bar. */
#include "report/timeline/flame-graph.h"

#include "base/number-display.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FADED        0.3F
#define NARROWEST    0.5
#define LEAST_NAME   2.0 /* in font sizes: room for a name before its change */
#define LABEL_ROOM   2.5 /* in font sizes: below, a bar has no label */
#define GAP          1.0
#define LEGEND_STEPS 48
#define LEGEND_ROW   1.8   /* in font sizes */
#define NO_CHANGE    0.005 /* relative: shown as ±0 % */

typedef struct {
  const LacFlame      *flame;
  const LacSpanLooks  *looks;
  const LacFlamePlace *place;
  const LacPalette    *palette;
  LacDrawing          *drawing; /* (nullable) */
  GArray              *hits;    /* (nullable) */
} Painter;

/* ---- colours of a change ---- */

static LacColour
mix(LacColour a, LacColour b, double share)
{
  const float s = (float) share;
  return (LacColour){a.red + s * (b.red - a.red), a.green + s * (b.green - a.green),
                     a.blue + s * (b.blue - a.blue), 1};
}

LacColour
lac_flame_colour_of_change(double change, const LacPalette *palette)
{
  static const LacColour less = {0.13F, 0.40F, 0.67F, 1}, more = {0.70F, 0.35F, 0.02F, 1};
  return mix(palette->grid, change < 0 ? less : more, fmin(fabs(change), 1));
}

/* ---- labels ---- */

/* Returns: (transfer full): "+12 %", "−3 %", "new". */
static char *
dup_change(const LacFlameBar *bar)
{
  if (bar->before_ns <= 0)
    return g_strdup(_("new"));
  const double change = (double) bar->total_ns / (double) bar->before_ns - 1;
  if (fabs(change) < NO_CHANGE)
    return g_strdup("±0 %");
  g_autofree char *text = lac_number_dup_fixed(100 * fabs(change), 0);
  return g_strdup_printf("%s%s %%", change < 0 ? "−" : "+", text);
}

char *
lac_flame_dup_label(const LacFlame *flame, const LacSpanLooks *looks, gsize bar)
{
  g_return_val_if_fail(flame != NULL && looks != NULL && bar < flame->n, NULL);
  const LacFlameBar *at = &flame->bars[bar];
  const char        *name = lac_span_looks_get_label(looks, at->name);
  if (flame->is_difference) {
    g_autofree char *change = dup_change(at);
    return g_strdup_printf("%s %s", name, change);
  }
  if (at->name != flame->iteration)
    return g_strdup(name);
  g_autofree char *count = g_strdup_printf("%" G_GUINT64_FORMAT, at->count);
  /* Translators: name of the iterations of a run, and their number: "step, 150 times" */
  return g_strdup_printf(_("%s, %s times"), name, count);
}

char *
lac_flame_dup_text(const LacFlame *flame, const LacSpanLooks *looks, gsize bar)
{
  g_autofree char *label = lac_flame_dup_label(flame, looks, bar);
  g_return_val_if_fail(label != NULL, NULL);
  const LacFlameBar *at = &flame->bars[bar];
  g_autofree char   *time = lac_duration_text((double) at->total_ns * 1e-9);
  if (flame->is_difference) {
    g_autofree char *before = lac_duration_text((double) at->before_ns * 1e-9);
    /* Translators: name and change of a phase: its time in the first recording → in the second */
    return at->before_ns > 0 ? g_strdup_printf(_("%s: %s → %s"), label, before, time)
                             : g_strdup_printf(_("%s: %s"), label, time);
  }
  const double share =
    flame->whole_ns > 0 ? 100 * (double) at->total_ns / (double) flame->whole_ns : 0;
  g_autofree char *percent = lac_number_dup_fixed(share, share < 10 ? 1 : 0);
  /* Translators: name of a phase, its time, its share of the time */
  return g_strdup_printf(_("%s: %s, %s %%"), label, time, percent);
}

/* ---- bars ---- */

static void
draw_outline(const Painter *painter, const LacBox *box)
{
  const LacPoint corners[] = {{box->x + 0.75, box->y + 0.75},
                              {box->x + box->width - 0.75, box->y + 0.75},
                              {box->x + box->width - 0.75, box->y + box->height - 0.75},
                              {box->x + 0.75, box->y + box->height - 0.75},
                              {box->x + 0.75, box->y + 0.75}};
  lac_draw_lines(painter->drawing, corners, G_N_ELEMENTS(corners), 1.5,
                 painter->palette->foreground);
}

/* Shortens the name before the change, and leaves it out where only the change has room. */
static char *
dup_fitted(const Painter *painter, gsize i, double room)
{
  const double       size = painter->place->font_size;
  const LacFlameBar *bar = &painter->flame->bars[i];
  g_autofree char   *label = lac_flame_dup_label(painter->flame, painter->looks, i);

  if (!painter->flame->is_difference || lac_text_width(label, size, FALSE) <= room)
    return lac_text_dup_fitted(label, size, FALSE, room);
  g_autofree char *change = dup_change(bar);
  const double     needed = lac_text_width(change, size, FALSE), left = room - needed - 0.4 * size;
  if (left < LEAST_NAME * size)
    return needed <= room ? g_steal_pointer(&change)
                          : lac_text_dup_fitted(label, size, FALSE, room);
  g_autofree char *name =
    lac_text_dup_fitted(lac_span_looks_get_label(painter->looks, bar->name), size, FALSE, left);
  return g_strdup_printf("%s %s", name, change);
}

static void
draw_bar(const Painter *painter, gsize i, const LacBox *box)
{
  const LacFlameBar *bar = &painter->flame->bars[i];
  const double       size = painter->place->font_size, padding = 0.4 * size;
  const gboolean is_faded = painter->place->is_selecting && painter->place->selected != bar->name;
  LacColour      colour = painter->flame->is_difference
                            ? lac_flame_colour_of_change(lac_flame_change(bar), painter->palette)
                            : lac_span_looks_get_colour(painter->looks, bar->name, painter->palette);
  LacColour      on = lac_palette_text_on(colour);

  if (is_faded) {
    colour.alpha = FADED;
    on = painter->palette->foreground;
  }
  lac_draw_rectangle(painter->drawing, box->x, box->y,
                     box->width > 3 * GAP ? box->width - GAP : box->width, box->height, colour);
  if (painter->place->is_selecting && !is_faded && box->width > 4)
    draw_outline(painter, box);
  if (box->width < LABEL_ROOM * size)
    return;
  g_autofree char *fitted = dup_fitted(painter, i, box->width - 2 * padding);
  lac_draw_text(painter->drawing, box->x + padding, box->y + box->height / 2 + 0.36 * size,
                LAC_ALIGN_LEFT, size, on, fitted);
}

static guint
count_rows(const LacFlame *flame, const LacFlamePlace *place)
{
  return place->most_rows > 0 ? MIN(flame->n_rows, place->most_rows) : flame->n_rows;
}

static void
draw_bars(const Painter *painter)
{
  const LacFlamePlace *place = painter->place;
  const double         whole = (double) painter->flame->whole_ns;
  const guint          n_rows = count_rows(painter->flame, place);

  for (gsize i = 0; i < painter->flame->n && whole > 0; i++) {
    const LacFlameBar *bar = &painter->flame->bars[i];
    const LacBox       box = {place->x + place->width * ((double) bar->begin_ns / whole),
                              place->y + bar->depth * place->row,
                              place->width * ((double) bar->total_ns / whole), place->row - GAP};
    if (box.width < NARROWEST || bar->depth >= n_rows)
      continue;
    lac_hits_add(painter->hits, box, bar->name, i);
    if (painter->drawing != NULL)
      draw_bar(painter, i, &box);
  }
}

/* ---- legend of a difference ---- */

/* Draws a text and returns the place after it. */
static double
draw_words(const Painter *painter, double x, double y, const char *text)
{
  const double size = painter->place->font_size;
  if (painter->drawing != NULL)
    lac_draw_text(painter->drawing, x, y + 1.2 * size, LAC_ALIGN_LEFT, size,
                  painter->palette->faint, text);
  return x + lac_text_width(text, size, FALSE) + 0.6 * size;
}

static double
draw_scale(const Painter *painter, double x, double y)
{
  const double size = painter->place->font_size, width = 12 * size;
  for (int i = 0; i < LEGEND_STEPS && painter->drawing != NULL; i++)
    lac_draw_rectangle(
      painter->drawing, x + width * i / LEGEND_STEPS, y + 0.4 * size, width / LEGEND_STEPS + 0.2,
      0.9 * size, lac_flame_colour_of_change(2.0 * i / (LEGEND_STEPS - 1) - 1, painter->palette));
  return x + width + 0.6 * size;
}

/* Returns: (transfer full): "only in (a): compare 1.2 s, journal 3.4 ms". */
static char *
dup_missing(const LacFlame *flame)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (gsize i = 0; i < flame->n_missing; i++) {
    g_autofree char *time = lac_duration_text((double) flame->missing[i].ns * 1e-9);
    g_string_append_printf(text, "%s%s %s", i > 0 ? ", " : "", lac_word(flame->missing[i].name),
                           time);
  }
  return g_strdup_printf(_("only in (a): %s"), text->str);
}

static double
draw_legend(const Painter *painter, double y)
{
  const double size = painter->place->font_size, x = painter->place->x;
  double       height = LEGEND_ROW * size;
  double       at = draw_words(painter, x, y, _("half the time of (a)"));

  at = draw_scale(painter, at, y);
  at = draw_words(painter, at, y, _("twice the time; width: time of (b)"));
  if (painter->flame->n_missing == 0)
    return height;
  g_autofree char *missing = dup_missing(painter->flame);
  g_autofree char *fitted = lac_text_dup_fitted(missing, size, FALSE, painter->place->width);
  draw_words(painter, x, y + height, fitted);
  return height + LEGEND_ROW * size;
}

double
lac_flame_graph_draw(const LacFlame      *flame,
                     const LacSpanLooks  *looks,
                     const LacFlamePlace *place,
                     const LacPalette    *palette,
                     LacDrawing          *drawing,
                     GArray              *hits)
{
  g_return_val_if_fail(flame != NULL && looks != NULL && place != NULL && palette != NULL, 0);
  const Painter painter = {flame, looks, place, palette, drawing, hits};
  double        height = count_rows(flame, place) * place->row;

  draw_bars(&painter);
  if (flame->is_difference && place->has_legend)
    height += draw_legend(&painter, place->y + height);
  return height;
}
