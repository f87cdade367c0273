/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text wrapped to a given width. */
#include "report/canvas/canvas.h"

#include <string.h>

GStrv
lac_text_wrap(const char *text, double size, gboolean bold, double width)
{
  g_return_val_if_fail(text != NULL, NULL);
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  g_auto(GStrv)           words = g_strsplit(text, " ", -1);
  g_autoptr(GString)      line = g_string_new(NULL);
  for (gsize i = 0; words[i] != NULL; i++) {
    g_autofree char *longer =
      line->len == 0 ? g_strdup(words[i]) : g_strconcat(line->str, " ", words[i], NULL);
    if (line->len > 0 && lac_text_width(longer, size, bold) > width) {
      g_strv_builder_add(lines, line->str);
      g_string_assign(line, words[i]);
    } else {
      g_string_assign(line, longer);
    }
    while (lac_text_width(line->str, size, bold) > width && g_utf8_strlen(line->str, -1) > 1) {
      glong n = g_utf8_strlen(line->str, -1); /* a single word longer than a line */
      while (n > 1) {
        g_autofree char *begin = g_utf8_substring(line->str, 0, n);
        if (lac_text_width(begin, size, bold) <= width)
          break;
        n--;
      }
      g_autofree char *begin = g_utf8_substring(line->str, 0, n);
      g_strv_builder_add(lines, begin);
      g_string_erase(line, 0, (gssize) strlen(begin));
    }
  }
  if (line->len > 0)
    g_strv_builder_add(lines, line->str);
  return g_strv_builder_end(lines);
}

double
lac_draw_paragraph(LacDrawing              *drawing,
                   double                   x,
                   double                   y,
                   double                   width,
                   const LacParagraphStyle *style,
                   const char              *text)
{
  g_return_val_if_fail(style != NULL && text != NULL, 0);
  double        height = 0;
  g_auto(GStrv) lines = lac_text_wrap(text, style->size, style->bold, width);
  for (gsize i = 0; lines[i] != NULL; i++) {
    height += style->size * 1.4;
    if (drawing == NULL)
      continue;
    double base = y + height - style->size * 0.4;
    if (style->bold)
      lac_draw_text_bold(drawing, x, base, LAC_ALIGN_LEFT, style->size, style->colour, lines[i]);
    else
      lac_draw_text(drawing, x, base, LAC_ALIGN_LEFT, style->size, style->colour, lines[i]);
  }
  return height;
}
