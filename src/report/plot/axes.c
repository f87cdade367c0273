/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames, axes with numbers, and colour bars. */
#include "report/plot/plot-private.h"
#include "report/text/number.h"

#include <stdlib.h>

#define TICK_LENGTH 0.35 /* relative to the font size */
#define NARROWEST_MARK \
  3.5 /* scale with a transfer function: space per number, relative to the font size */
#define BASELINE 0.36 /* from the middle of a digit to its baseline, relative to the font size */

void
lac_plot_frame(LacDrawing *drawing, LacBox box, double line_width, LacColour colour)
{
  LacPoint corners[] = {
    {box.x, box.y},
    {box.x + box.width, box.y},
    {box.x + box.width, box.y + box.height},
    {box.x, box.y + box.height},
    {box.x, box.y - line_width / 2}, /* closes the corner */
  };
  lac_draw_lines(drawing, corners, G_N_ELEMENTS(corners), line_width, colour);
}

static void
draw_tick(LacDrawing *drawing, LacPoint from, LacPoint to, LacColour colour)
{
  LacPoint ends[] = {from, to};
  lac_draw_lines(drawing, ends, 2, 0.6, colour);
}

void
lac_plot_axis_x(LacDrawing       *drawing,
                LacBox            box,
                const LacScale   *scale,
                const char       *label,
                double            font_size,
                const LacPalette *palette)
{
  double bottom = box.y + box.height, length = font_size * TICK_LENGTH;
  for (gsize i = 0; i < scale->n_ticks; i++) {
    double x = box.x + (scale->ticks[i] - scale->low) / (scale->high - scale->low) * box.width;
    draw_tick(drawing, (LacPoint){x, bottom}, (LacPoint){x, bottom + length}, palette->foreground);
    lac_draw_text(drawing, x, bottom + length + font_size * 1.05, LAC_ALIGN_CENTRE, font_size,
                  palette->foreground, scale->labels[i]);
  }
  if (label != NULL)
    lac_draw_text(drawing, box.x + box.width / 2, bottom + length + font_size * 2.35,
                  LAC_ALIGN_CENTRE, font_size, palette->foreground, label);
}

void
lac_plot_axis_y(LacDrawing       *drawing,
                LacBox            box,
                const LacScale   *scale,
                const char       *label,
                double            font_size,
                const LacPalette *palette)
{
  double length = font_size * TICK_LENGTH;
  for (gsize i = 0; i < scale->n_ticks; i++) {
    double place = (scale->ticks[i] - scale->low) / (scale->high - scale->low);
    double y = box.y + (1 - place) * box.height;
    draw_tick(drawing, (LacPoint){box.x - length, y}, (LacPoint){box.x, y}, palette->foreground);
    lac_draw_text(drawing, box.x - length - font_size * 0.25, y + font_size * BASELINE,
                  LAC_ALIGN_RIGHT, font_size, palette->foreground, scale->labels[i]);
  }
  if (label == NULL)
    return;
  g_autofree char *fitted =
    lac_text_dup_fitted(label, font_size, FALSE, box.height + 0.5 * font_size);
  lac_draw_text_vertical(
    drawing, box.x - length - lac_scale_label_width(scale, font_size) - font_size * 0.8,
    box.y + box.height / 2, LAC_ALIGN_CENTRE, font_size, palette->foreground, fitted);
}

static void
draw_bar_cells(LacDrawing *drawing, LacBox box, const LacBarStyle *style)
{
  guint8 pixels[256][4];
  for (gsize i = 0; i < 256; i++) {
    const guint8 *entry = style->map->rgba[i];
    for (gsize k = 0; k < 4; k++)
      pixels[i][k] = entry[k];
  }
  lac_draw_image(drawing, box.x, box.y, box.width, box.height, 256, 1, &pixels[0][0]);
}

/* Places marks along a scale with a transfer function; drops numbers that would overlap. */
static LacScale
make_bent_scale(const LacBarStyle *style, double width)
{
  const LacWarp warp = lac_warp_new(style->transfer, style->low, style->high);
  LacScale      scale = {.low = 0, .high = 1};
  double        marks[LAC_MAX_LEVELS], end = -style->font_size;
  const gsize most = (gsize) CLAMP(width / (NARROWEST_MARK * style->font_size), 3, LAC_MAX_LEVELS);

  scale.n_ticks = lac_scale_marks(&warp, most, marks);
  for (gsize i = 0; i < scale.n_ticks; i++) {
    g_autofree char *text = lac_number_text(marks[i]);
    const double     half = lac_text_width(text, style->font_size, FALSE) / 2;
    const double     place = lac_warp_at(&warp, marks[i]);

    scale.ticks[i] = place;
    if (place * width - half < end + 0.5 * style->font_size)
      continue;
    end = place * width + half;
    g_strlcpy(scale.labels[i], text, sizeof scale.labels[i]);
  }
  return scale;
}

void
lac_plot_bar(LacDrawing *drawing, LacBox box, const LacBarStyle *style, const LacPalette *palette)
{
  double   size = style->font_size;
  LacScale scale = lac_scale_make(style->low, style->high, FALSE);
  draw_bar_cells(drawing, box, style);
  lac_plot_frame(drawing, box, 0.5, palette->foreground);
  lac_scale_fit_x(&scale, box.width, size);
  if (style->transfer != LAC_TRANSFER_LINEAR)
    scale = make_bent_scale(style, box.width);
  lac_plot_axis_x(drawing, box, &scale, style->label, size, palette);
}

/* ---- names of curves ---- */

static int
compare_names(gconstpointer a, gconstpointer b)
{
  double x = ((const LacPlotName *) a)->y, y = ((const LacPlotName *) b)->y;
  return (x > y) - (x < y);
}

/* Moves names apart, from the top down; if they leave the box, back up from its lower edge. */
static void
separate(LacPlotName *names, gsize n, double bottom, double distance)
{
  for (gsize i = 1; i < n; i++)
    names[i].y = MAX(names[i].y, names[i - 1].y + distance);
  for (gsize i = n; i-- > 0; bottom -= distance)
    names[i].y = MIN(names[i].y, bottom);
}

void
lac_plot_names(LacDrawing  *drawing,
               LacBox       box,
               double       right,
               LacPlotName *names,
               gsize        n,
               double       font_size)
{
  double x = box.x + box.width + 0.6 * font_size;
  qsort(names, n, sizeof *names, compare_names);
  separate(names, n, box.y + box.height, 1.3 * font_size);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *text = lac_text_dup_fitted(names[i].text, font_size, TRUE, right - x);
    lac_draw_text_bold(drawing, x, names[i].y + BASELINE * font_size, LAC_ALIGN_LEFT, font_size,
                       names[i].colour, text);
  }
}
