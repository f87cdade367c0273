/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart of a sweep. */
#include "report/plot/scan.h"

#include "report/canvas/paper-layout-private.h"

#include <math.h>

#define WIDTH_MM  120
#define HEIGHT_MM 85
#define FONT      8.0
#define DPI       300
#define MARGIN    6.0

static gboolean
is_positive(const double *values, gsize n)
{
  for (gsize i = 0; values && i < n; i++)
    if (values[i] <= 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_logarithmic(const LacScan *scan)
{
  for (gsize k = 0; k < scan->n_lines; k++) {
    const LacSeries *line = &scan->lines[k];

    if (!is_positive(line->y, line->n) || !is_positive(line->low, line->n))
      return FALSE;
  }
  return TRUE;
}

void
lac_scan_draw(LacDrawing       *drawing,
              const LacPoint   *corner,
              const LacPoint   *size,
              const LacScan    *scan,
              double            font_size,
              const LacPalette *palette)
{
  const LacPlotStyle    style = {.x_label = scan->x_label,
                                 .y_label = scan->y_label,
                                 .log_y = !scan->linear && is_logarithmic(scan),
                                 .font_size = font_size,
                                 .x_from = scan->x_from,
                                 .x_to = scan->x_to,
                                 .names_at_ends = scan->names_at_ends,
                                 .percent_y = scan->percent_y,
                                 .x_ticks = scan->x_ticks,
                                 .n_x_ticks = scan->n_x_ticks,
                                 .has_stripe = scan->stripe != NULL,
                                 .stripe = scan->stripe ? *scan->stripe : 0};
  const double          head = scan->title ? 2 * font_size : 0.6 * font_size;
  g_autofree LacSeries *lines = g_memdup2(scan->lines, scan->n_lines * sizeof *lines);

  for (gsize k = 0; k < scan->n_lines; k++)
    lines[k].dots = TRUE;
  if (scan->title)
    lac_draw_text_bold(drawing, corner->x, corner->y + font_size, LAC_ALIGN_LEFT, font_size,
                       palette->foreground, scan->title);
  lac_plot_curves(drawing, corner->x, corner->y + head, size->x, size->y - head, lines,
                  scan->n_lines, &style, palette);
}

gboolean
lac_scan_write(const LacScan *scan, const char *path, GError **error)
{
  const double   width = WIDTH_MM * LAC_POINTS_PER_MM, height = HEIGHT_MM * LAC_POINTS_PER_MM;
  const LacPoint corner = {MARGIN, MARGIN}, size = {width - 2 * MARGIN, height - 2 * MARGIN};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();

  lac_draw_rectangle(drawing, 0, 0, width, height, lac_palette_paper.background);
  lac_scan_draw(drawing, &corner, &size, scan, FONT, &lac_palette_paper);
  return lac_paper_layout_write(
    drawing, &(LacPaperLayout){width, height, DPI, {scan->title, scan->y_label}}, path, error);
}
