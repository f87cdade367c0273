/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts shared by figures: letter and title of a panel, scale bar. */
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/figure/figure-private.h"
#include "report/text/number.h"

#include <math.h>
#include <string.h>

#define BAR_SHARE 0.3 /* maximum share of the width */

void
lac_figure_draw_title(LacDrawing *drawing,
                      LacPoint    at,
                      double      width,
                      double      size,
                      char        letter,
                      const char *title)
{
  const char   text[] = {'(', letter, ')', '\0'};
  const double indent = letter != '\0' ? lac_text_width("(m)", size, TRUE) + 0.4 * size : 0;

  const char      *end = strstr(title, ", (");
  const gboolean   is_long = end != NULL && lac_text_width(title, size, FALSE) > width - indent;
  g_autofree char *fitted =
    lac_text_dup_fitted(is_long ? end + 2 : title, size, FALSE, width - indent); /* "(b) − (a)" */
  if (letter != '\0')
    lac_draw_text_bold(drawing, at.x, at.y, LAC_ALIGN_LEFT, size, lac_palette_paper.foreground,
                       text);
  lac_draw_text(drawing, at.x + indent, at.y, LAC_ALIGN_LEFT, size, lac_palette_paper.foreground,
                fitted);
}

/* Returns 1, 2 or 5 times a power of ten, at most @most. */
static double
round_length(double most)
{
  const double power = pow(10, floor(log10(most)));

  return most >= 5 * power ? 5 * power : most >= 2 * power ? 2 * power : power;
}

void
lac_figure_draw_scale_bar(LacDrawing  *drawing,
                          const double box[4],
                          double       span,
                          const char  *unit,
                          double       size)
{
  const double     length = round_length(BAR_SHARE * span), bar = length / span * box[2];
  g_autofree char *number = lac_number_text(length);
  g_autofree char *label = g_strdup_printf("%s %s", number, unit);
  const double     words = lac_text_width(label, size, FALSE), inset = 0.5 * size;
  const double     wide = MAX(bar, words) + 2 * inset, high = 2.2 * size;
  const double     x = box[0] + box[2] - wide - inset, y = box[1] + box[3] - high - inset;
  const LacColour  behind = {1, 1, 1, 0.82F};

  if (wide > 0.8 * box[2] || high > 0.5 * box[3])
    return;
  lac_draw_rectangle(drawing, x, y, wide, high, behind);
  lac_draw_text(drawing, x + wide / 2, y + 1.15 * size, LAC_ALIGN_CENTRE, size,
                lac_palette_paper.foreground, label);
  lac_draw_rectangle(drawing, x + (wide - bar) / 2, y + 1.55 * size, bar, 0.25 * size,
                     lac_palette_paper.foreground);
}
