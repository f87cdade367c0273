/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report on pages of paper. */
#include "report/document/document-private.h"

#define TILE_HEIGHT 46.0
#define FIRST_TILE  1.75 /* width relative to the other tiles */

typedef struct {
  LacDocument document;
  LacPages   *pages;
  char       *heading; /* pending: stays on one page with the next block */
} Pdf;

static const LacParagraphStyle plain = {LAC_PAGE_TEXT, FALSE, {0.1F, 0.1F, 0.1F, 1}};
static const LacParagraphStyle faint = {8, FALSE, {0.41F, 0.41F, 0.41F, 1}};

/* @follows: height that must stay on the same page as the heading */
static void
set_heading(Pdf *pdf, double follows)
{
  if (pdf->heading != NULL)
    lac_pages_heading(pdf->pages, pdf->heading, FALSE, follows);
  g_clear_pointer(&pdf->heading, g_free);
}

static void
begin_run(LacDocument *document, gboolean is_first)
{
  if (!is_first)
    lac_pages_break(((Pdf *) document)->pages);
}

static void
put_title(LacDocument *document, const char *text)
{
  lac_pages_heading(((Pdf *) document)->pages, text, TRUE, 120);
}

static void
put_heading(LacDocument *document, const char *text)
{
  Pdf *pdf = (Pdf *) document;
  set_heading(pdf, 0);
  pdf->heading = g_strdup(text);
}

static void
put_paragraph(LacDocument *document, const char *text, gboolean is_faint)
{
  Pdf *pdf = (Pdf *) document;
  set_heading(pdf, 30);
  lac_pages_paragraph(pdf->pages, is_faint ? &faint : &plain, text);
  lac_pages_skip(pdf->pages, is_faint ? 10 : 4);
}

static void
put_items(LacDocument *document, const char *const *texts, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *item = g_strdup_printf("• %s", texts[i]);
    put_paragraph(document, item, FALSE);
  }
}

/* Draws the tiles; the first is wider, for the long name of the key result. */
static void
put_tiles(LacDocument *document, const LacTile *tiles, gsize n)
{
  LacPages *pages = ((Pdf *) document)->pages;
  double    gap = 8, y, x = LAC_PAGE_MARGIN;
  double    unit =
    (lac_pages_get_width(pages) - gap * (double) (n - 1)) / ((double) n + FIRST_TILE - 1);
  LacDrawing *drawing = lac_pages_place(pages, TILE_HEIGHT + 12, &y);
  for (gsize i = 0; i < n; i++) {
    double           width = i == 0 ? FIRST_TILE * unit : unit, size = 15;
    g_autofree char *label = lac_text_dup_fitted(tiles[i].label, 7.5, FALSE, width - 14);
    while (size > 8 && lac_text_width(tiles[i].value, size, TRUE) > width - 14)
      size -= 0.5;
    g_autofree char *value = lac_text_dup_fitted(tiles[i].value, size, TRUE, width - 14);
    lac_draw_rectangle(drawing, x, y, width, TILE_HEIGHT, (LacColour){0.955F, 0.96F, 0.97F, 1});
    lac_draw_rectangle(drawing, x, y, 2.5, TILE_HEIGHT, lac_palette_paper.series[0]);
    lac_draw_text(drawing, x + 9, y + 15, LAC_ALIGN_LEFT, 7.5, lac_palette_paper.faint, label);
    lac_draw_text_bold(drawing, x + 9, y + 36, LAC_ALIGN_LEFT, size, lac_palette_paper.foreground,
                       value);
    x += width + gap;
  }
}

static void
put_table(LacDocument *document, const LacTable *table)
{
  Pdf *pdf = (Pdf *) document;
  set_heading(pdf, 60);
  lac_pages_table(pdf->pages, table);
  lac_pages_skip(pdf->pages, 6);
}

static void
put_picture(LacDocument *document, const LacPicture *picture)
{
  Pdf   *pdf = (Pdf *) document;
  double width = lac_pages_get_width(pdf->pages), y;
  double height =
    picture->draw(NULL, (LacPoint){0, 0}, width, &lac_palette_paper, picture->data) + 4;
  set_heading(pdf, height);
  LacDrawing *drawing = lac_pages_place(pdf->pages, height, &y);
  picture->draw(drawing, (LacPoint){LAC_PAGE_MARGIN, y}, width, &lac_palette_paper, picture->data);
}

/* Returns: (transfer full): NULL with an error. */
static LacPages *
set_pages(const LacDocumentContent *content, GError **error)
{
  double width, height;
  lac_report_page_size(content->paper, &width, &height);
  g_autoptr(LacPages) pages = lac_pages_new(content->head, content->foot, width, height);
  Pdf                 pdf = {
                    {begin_run, put_title, put_heading, put_paragraph, put_items, put_tiles, put_table,
                     put_picture},
                    pages,
                    NULL,
  };
  gboolean reported = content->add(&pdf.document, content->data, error);
  g_free(pdf.heading);
  return reported ? g_steal_pointer(&pages) : NULL;
}

gboolean
lac_document_write_pdf(const LacDocumentContent *content, const char *path, GError **error)
{
  g_autoptr(LacPages) pages = set_pages(content, error);
  return pages != NULL && lac_pages_write(pages, path, content->title, content->keywords, error);
}

GPtrArray *
lac_document_lay_out(const LacDocumentContent *content, GError **error)
{
  g_autoptr(LacPages) pages = set_pages(content, error);
  return pages != NULL ? lac_pages_finish(pages) : NULL;
}
