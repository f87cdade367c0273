/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing as PDF, EPS, SVG or PNG. */
#include "report/canvas/sheet-private.h"

gboolean
lac_sheet_write(const LacDrawing *drawing, const LacSheet *sheet, const char *path, GError **error)
{
  g_return_val_if_fail(drawing != NULL && sheet != NULL && path != NULL, FALSE);
  g_autofree char *lower = g_ascii_strdown(path, -1);
  if (g_str_has_suffix(lower, ".svg")) {
    g_autofree char *text = lac_sheet_dup_svg(drawing, sheet);
    return lac_text_write(path, text, error);
  }
  g_autoptr(LacPaper) paper = lac_paper_open_sheet(
    path, &(LacPaperSheet){sheet->width, sheet->height, sheet->dpi, sheet->is_clear}, error);
  if (paper == NULL)
    return FALSE;
  lac_paper_describe(paper, &sheet->facts);
  lac_drawing_paint(drawing, lac_paper_get_cairo(paper));
  return lac_paper_finish(paper, error);
}
