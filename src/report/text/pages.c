/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of blocks on pages. */
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/text/pages-private.h"

#include <glib/gi18n-lib.h>

#define TOP  72.0 /* first line below the head */
#define FOOT 56.0 /* below the last line */

typedef struct {
  char    *text;
  guint    page;
  gboolean is_top;
} Entry;

struct _LacPages {
  char      *head, *foot;
  GPtrArray *drawings;
  double     width, height, y;
  GArray    *outline; /* of Entry */
};

static void
entry_clear(gpointer data)
{
  g_free(((Entry *) data)->text);
}

static void
free_drawing(gpointer data)
{
  lac_drawing_free(data);
}

LacPages *
lac_pages_new(const char *head, const char *foot, double width, double height)
{
  g_return_val_if_fail(head != NULL && foot != NULL, NULL);
  LacPages *pages = g_new0(LacPages, 1);
  pages->width = width;
  pages->height = height;
  pages->head = g_strdup(head);
  pages->foot = g_strdup(foot);
  pages->drawings = g_ptr_array_new_with_free_func(free_drawing);
  pages->outline = g_array_new(FALSE, FALSE, sizeof(Entry));
  g_array_set_clear_func(pages->outline, entry_clear);
  lac_pages_break(pages);
  return pages;
}

void
lac_pages_free(LacPages *pages)
{
  if (pages == NULL)
    return;
  g_free(pages->head);
  g_free(pages->foot);
  g_ptr_array_unref(pages->drawings);
  g_array_unref(pages->outline);
  g_free(pages);
}

double
lac_pages_get_width(const LacPages *pages)
{
  return pages->width - 2 * LAC_PAGE_MARGIN;
}

void
lac_pages_break(LacPages *pages)
{
  g_ptr_array_add(pages->drawings, lac_drawing_new());
  pages->y = TOP;
}

void
lac_pages_need(LacPages *pages, double height)
{
  if (pages->y + height > pages->height - FOOT && pages->y > TOP)
    lac_pages_break(pages);
}

void
lac_pages_skip(LacPages *pages, double height)
{
  if (pages->y > TOP)
    pages->y += height;
}

LacDrawing *
lac_pages_place(LacPages *pages, double height, double *y)
{
  lac_pages_need(pages, height);
  *y = pages->y;
  pages->y += height;
  return g_ptr_array_index(pages->drawings, pages->drawings->len - 1);
}

void
lac_pages_heading(LacPages *pages, const char *text, gboolean is_top, double follows)
{
  double size = is_top ? 19 : 12, above = is_top ? 0 : 16, below = is_top ? 6 : 7;
  lac_pages_need(pages, above + size * 1.4 + below + follows);
  lac_pages_skip(pages, above);

  Entry entry = {g_strdup(text), pages->drawings->len, is_top};
  g_array_append_val(pages->outline, entry);
  LacParagraphStyle style = {size, TRUE, lac_palette_paper.foreground};
  double            width = lac_pages_get_width(pages),
         height = lac_draw_paragraph(NULL, 0, 0, width, &style, text);
  double      y;
  LacDrawing *drawing = lac_pages_place(pages, height + below, &y);
  lac_draw_paragraph(drawing, LAC_PAGE_MARGIN, y, width, &style, text);
}

void
lac_pages_paragraph(LacPages *pages, const LacParagraphStyle *style, const char *text)
{
  g_auto(GStrv) lines = lac_text_wrap(text, style->size, style->bold, lac_pages_get_width(pages));
  for (gsize i = 0; lines[i] != NULL; i++) {
    double      y;
    LacDrawing *drawing = lac_pages_place(pages, style->size * 1.4, &y);
    lac_draw_paragraph(drawing, LAC_PAGE_MARGIN, y, lac_pages_get_width(pages), style, lines[i]);
  }
}

static void
draw_head_and_foot(const LacPages *pages, guint page)
{
  LacDrawing      *drawing = g_ptr_array_index(pages->drawings, page);
  LacColour        faint = lac_palette_paper.faint;
  double           right = pages->width - LAC_PAGE_MARGIN, y = pages->height - 34;
  double           width = lac_pages_get_width(pages);
  g_autofree char *number = g_strdup_printf(_("page %u of %u"), page + 1, pages->drawings->len);
  g_autofree char *head = lac_text_dup_fitted(pages->head, 8, FALSE, width - 60);
  g_autofree char *foot = lac_text_dup_fitted(pages->foot, 8, FALSE, width - 80);
  LacPoint         rule[] = {{LAC_PAGE_MARGIN, 51}, {right, 51}};
  lac_draw_text_bold(drawing, LAC_PAGE_MARGIN, 45, LAC_ALIGN_LEFT, 8, faint, "Lacuna");
  lac_draw_text(drawing, right, 45, LAC_ALIGN_RIGHT, 8, faint, head);
  lac_draw_lines(drawing, rule, 2, 0.5, lac_palette_paper.grid);
  lac_draw_text(drawing, LAC_PAGE_MARGIN, y, LAC_ALIGN_LEFT, 8, faint, foot);
  lac_draw_text(drawing, right, y, LAC_ALIGN_RIGHT, 8, faint, number);
}

GPtrArray *
lac_pages_finish(LacPages *pages)
{
  g_return_val_if_fail(pages != NULL, NULL);
  for (guint i = 0; i < pages->drawings->len; i++)
    draw_head_and_foot(pages, i);
  return g_ptr_array_ref(pages->drawings);
}

gboolean
lac_pages_write(LacPages   *pages,
                const char *path,
                const char *title,
                const char *keywords,
                GError    **error)
{
  g_return_val_if_fail(pages != NULL && path != NULL, FALSE);
  g_autoptr(LacPaper)  paper = lac_paper_open(path, pages->width, pages->height, 300, error);
  g_autoptr(GPtrArray) drawings = NULL;
  if (paper == NULL)
    return FALSE;
  drawings = lac_pages_finish(pages);
  lac_paper_describe(paper, &(LacPaperFacts){title, pages->foot, keywords});
  for (guint i = 0; i < drawings->len; i++) {
    lac_drawing_paint(g_ptr_array_index(drawings, i), lac_paper_get_cairo(paper));
    lac_paper_next_page(paper);
  }
  for (guint i = 0; i < pages->outline->len; i++) {
    const Entry *entry = &g_array_index(pages->outline, Entry, i);
    lac_paper_outline(paper, entry->text, (int) entry->page, entry->is_top);
  }
  return lac_paper_finish(paper, error);
}
