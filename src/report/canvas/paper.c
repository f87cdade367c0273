/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output to PDF, EPS and PNG through one stream, to distinguish a full disk from a folder without write permission. */
#include "base/error.h"
#include "report/canvas/paper-private.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- chunks of a PNG: length, name, bytes, check sum ---- */

/* CRC-32 of ISO 3309; PNG specification, annex D. */
static guint32
chunk_crc(const guint8 *bytes, gsize n)
{
  guint32 crc = 0xffffffffU;
  for (gsize i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320U : 0);
  }
  return ~crc;
}

static void
add_word(GByteArray *bytes, guint32 word)
{
  guint32 big = GUINT32_TO_BE(word);
  g_byte_array_append(bytes, (const guint8 *) &big, 4);
}

static void
add_chunk(GByteArray *chunks, const char *name, const GByteArray *data)
{
  guint begin = chunks->len + 4;
  add_word(chunks, data->len);
  g_byte_array_append(chunks, (const guint8 *) name, 4);
  g_byte_array_append(chunks, data->data, data->len);
  add_word(chunks, chunk_crc(chunks->data + begin, chunks->len - begin));
}

/* Append chunks that may follow the header chunk. */
static void
png_resolve(GByteArray *chunks, double dpi)
{
  g_autoptr(GByteArray) data = g_byte_array_new();
  guint32               per_metre = (guint32) lround(dpi / 0.0254);
  const guint8          is_metre = 1;
  add_word(data, per_metre);
  add_word(data, per_metre);
  g_byte_array_append(data, &is_metre, 1);
  add_chunk(chunks, "pHYs", data);
}

/* Appends an iTXt chunk: UTF-8, uncompressed, without a language. */
static void
add_text(GByteArray *chunks, const char *keyword, const char *text)
{
  static const guint8 plain[4] = {
    0, 0, 0, 0}; /* compression flag and method, language, translated keyword */
  g_autoptr(GByteArray) data = g_byte_array_new();
  g_byte_array_append(data, (const guint8 *) keyword, (guint) strlen(keyword) + 1);
  g_byte_array_append(data, plain, sizeof plain);
  g_byte_array_append(data, (const guint8 *) text, (guint) strlen(text));
  add_chunk(chunks, "iTXt", data);
}

static void
png_describe(GByteArray *chunks, const LacPaperFacts *facts)
{
  const struct {
    const char *keyword, *text;
  } texts[] = {
    {"Title", facts->title}, {"Description", facts->subject},   {"Source", facts->keywords},
    {"Software", "Lacuna"},  {"Creation Time", facts->created}, {"Lacuna", facts->source},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    if (texts[i].text != NULL && *texts[i].text != '\0')
      add_text(chunks, texts[i].keyword, texts[i].text);
}

/* ---- paper ---- */

typedef enum { PAPER_PDF, PAPER_EPS, PAPER_PNG } Kind;

struct _LacPaper {
  Kind             kind;
  char            *path, *partial;
  FILE            *file;
  int              wrong; /* errno of the first failed write; 0: none */
  double           dpi;
  cairo_surface_t *surface;
  cairo_t         *cairo;
  int              outline_parent;
  gboolean         is_clear;
  GByteArray      *chunks; /* PNG chunks added to Cairo's */
  GByteArray      *script; /* EPS text, buffered to replace the date */
  char            *created;
};

static gboolean
set_write_error(GError **error, const char *path, int wrong)
{
  gboolean full = wrong == ENOSPC || wrong == EDQUOT;
  g_set_error(error, LAC_ERROR, full ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
              "cannot write %s: %s; choose another path with -o", path, g_strerror(wrong));
  return FALSE;
}

static cairo_status_t
write_bytes(void *closure, const unsigned char *data, unsigned int length)
{
  LacPaper *paper = closure;
  if (paper->wrong == 0 && fwrite(data, 1, length, paper->file) != length)
    paper->wrong = errno;
  return paper->wrong == 0 ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static gboolean
find_kind(const char *path, Kind *kind, GError **error)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  if (g_str_has_suffix(lower, ".pdf"))
    *kind = PAPER_PDF;
  else if (g_str_has_suffix(lower, ".eps"))
    *kind = PAPER_EPS;
  else if (g_str_has_suffix(lower, ".png"))
    *kind = PAPER_PNG;
  else {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: the name of a figure must end in .pdf, .eps, .svg or .png", path);
    return FALSE;
  }
  return TRUE;
}

static cairo_status_t
collect_bytes(void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append(closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Creates an EPS surface. Cairo rasterises what PostScript lacks, such as transparency. */
static cairo_surface_t *
make_eps(LacPaper *paper, double width, double height)
{
  cairo_surface_t *surface =
    cairo_ps_surface_create_for_stream(collect_bytes, paper->script, width, height);

  cairo_ps_surface_set_eps(surface, TRUE);
  cairo_surface_set_fallback_resolution(surface, paper->dpi, paper->dpi);
  return surface;
}

static void
make_surface(LacPaper *paper, double width, double height)
{
  switch (paper->kind) {
  case PAPER_PDF:
    paper->surface = cairo_pdf_surface_create_for_stream(write_bytes, paper, width, height);
    break;
  case PAPER_EPS: paper->surface = make_eps(paper, width, height); break;
  case PAPER_PNG:
    paper->surface = cairo_image_surface_create(
      paper->is_clear ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
      (int) lround(width * paper->dpi / 72), (int) lround(height * paper->dpi / 72));
    break;
  }
  paper->cairo = cairo_create(paper->surface);
  if (!paper->is_clear &&
      paper->kind != PAPER_PDF) { /* the bounding box of an EPS is the painted area */
    cairo_set_source_rgb(paper->cairo, 1, 1, 1);
    cairo_paint(paper->cairo);
  }
  if (paper->kind == PAPER_PNG)
    cairo_scale(paper->cairo, paper->dpi / 72, paper->dpi / 72);
}

LacPaper *
lac_paper_open(const char *path, double width, double height, double dpi, GError **error)
{
  return lac_paper_open_page(path, &(LacPaperPage){width, height, dpi, FALSE}, error);
}

LacPaper *
lac_paper_open_page(const char *path, const LacPaperPage *sheet, GError **error)
{
  g_return_val_if_fail(path != NULL && sheet->width > 0 && sheet->height > 0 && sheet->dpi > 0,
                       NULL);
  Kind kind;
  if (!find_kind(path, &kind, error))
    return NULL;
  g_autofree char *partial = g_strconcat(path, ".part", NULL);
  FILE            *file = g_fopen(partial, "wb");
  if (file == NULL) {
    set_write_error(error, path, errno);
    return NULL;
  }
  LacPaper *paper = g_new0(LacPaper, 1);
  paper->kind = kind;
  paper->path = g_strdup(path);
  paper->partial = g_steal_pointer(&partial);
  paper->file = file;
  paper->dpi = sheet->dpi;
  paper->is_clear = sheet->is_clear;
  paper->script = g_byte_array_new();
  paper->outline_parent = CAIRO_PDF_OUTLINE_ROOT;
  paper->chunks = g_byte_array_new();
  png_resolve(paper->chunks, sheet->dpi);
  make_surface(paper, sheet->width, sheet->height);
  return paper;
}

void
lac_paper_free(LacPaper *paper)
{
  if (paper == NULL)
    return;
  cairo_destroy(paper->cairo);
  cairo_surface_destroy(paper->surface); /* may still write to the stream */
  if (paper->file != NULL) {
    fclose(paper->file);
    g_unlink(paper->partial);
  }
  g_byte_array_unref(paper->chunks);
  g_byte_array_unref(paper->script);
  g_free(paper->created);
  g_free(paper->path);
  g_free(paper->partial);
  g_free(paper);
}

cairo_t *
lac_paper_get_cairo(LacPaper *paper)
{
  g_return_val_if_fail(paper != NULL, NULL);
  return paper->cairo;
}

static void
describe_pdf(LacPaper *paper, const LacPaperFacts *facts)
{
  const struct {
    cairo_pdf_metadata_t what;
    const char          *text;
  } texts[] = {
    {CAIRO_PDF_METADATA_TITLE, facts->title},         {CAIRO_PDF_METADATA_SUBJECT, facts->subject},
    {CAIRO_PDF_METADATA_KEYWORDS, facts->keywords},   {CAIRO_PDF_METADATA_CREATOR, "Lacuna"},
    {CAIRO_PDF_METADATA_CREATE_DATE, facts->created},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    if (texts[i].text != NULL)
      cairo_pdf_surface_set_metadata(paper->surface, texts[i].what, texts[i].text);
}

static void
describe_eps(LacPaper *paper, const LacPaperFacts *facts)
{
  const struct {
    const char *word, *text;
  } comments[] = {{"Title", facts->title}, {"Keywords", facts->subject}};

  for (gsize i = 0; i < G_N_ELEMENTS(comments); i++) {
    g_autofree char *text = g_strdup(comments[i].text != NULL ? comments[i].text : "");
    g_autofree char *plain = g_str_to_ascii(text, "C");
    g_autofree char *line = g_strdup_printf("%%%%%s: %.200s", comments[i].word, plain);

    cairo_ps_surface_dsc_comment(paper->surface, line);
  }
  paper->created = g_strdup(facts->created);
}

void
lac_paper_describe(LacPaper *paper, const LacPaperFacts *facts)
{
  g_return_if_fail(paper != NULL && facts != NULL);
  if (paper->kind == PAPER_PDF)
    describe_pdf(paper, facts);
  else if (paper->kind == PAPER_EPS)
    describe_eps(paper, facts);
  else
    png_describe(paper->chunks, facts);
}

void
lac_paper_outline(LacPaper *paper, const char *heading, int page, gboolean is_top)
{
  g_return_if_fail(paper != NULL);
  if (paper->kind != PAPER_PDF)
    return;
  g_autofree char *target = g_strdup_printf("page=%d", page);
  int              entry = cairo_pdf_surface_add_outline(paper->surface,
                                            is_top ? CAIRO_PDF_OUTLINE_ROOT : paper->outline_parent,
                                                         heading, target, CAIRO_PDF_OUTLINE_FLAG_OPEN);
  if (is_top)
    paper->outline_parent = entry;
}

void
lac_paper_next_page(LacPaper *paper)
{
  g_return_if_fail(paper != NULL);
  cairo_show_page(paper->cairo);
}

#define PNG_HEADER (8 + 25) /* signature and header chunk */

static void
write_png(LacPaper *paper)
{
  g_autoptr(GByteArray) image = g_byte_array_new();
  cairo_surface_write_to_png_stream(paper->surface, collect_bytes, image);
  write_bytes(paper, image->data, PNG_HEADER);
  write_bytes(paper, paper->chunks->data, paper->chunks->len);
  write_bytes(paper, image->data + PNG_HEADER, image->len - PNG_HEADER);
}

/* Writes the EPS with the date of its content instead of the current date. */
static void
write_eps(LacPaper *paper)
{
  static const char date[] = "%%CreationDate:";
  const char       *text = (const char *) paper->script->data;
  const char       *at = g_strstr_len(text, paper->script->len, date);
  const char *end = at != NULL ? memchr(at, '\n', paper->script->len - (gsize) (at - text)) : NULL;
  g_autofree char *line =
    g_strdup_printf("%s %s", date, paper->created != NULL ? paper->created : "unknown");

  if (end == NULL)
    at = end = text;
  else
    write_bytes(paper, (const guint8 *) text, (guint) (at - text));
  if (end != text)
    write_bytes(paper, (const guint8 *) line, (guint) strlen(line));
  write_bytes(paper, (const guint8 *) end, (guint) (paper->script->len - (gsize) (end - text)));
}

gboolean
lac_paper_finish(LacPaper *paper, GError **error)
{
  g_return_val_if_fail(paper != NULL && paper->file != NULL, FALSE);
  cairo_surface_flush(paper->surface);
  if (cairo_surface_status(paper->surface) == CAIRO_STATUS_NO_MEMORY) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "%s: the picture is too large", paper->path);
    return FALSE;
  }
  if (paper->kind == PAPER_PNG)
    write_png(paper);
  cairo_surface_finish(paper->surface);
  if (paper->kind == PAPER_EPS)
    write_eps(paper);
  if ((fflush(paper->file) != 0 || fsync(fileno(paper->file)) != 0) && paper->wrong == 0)
    paper->wrong = errno;
  fclose(g_steal_pointer(&paper->file));
  if (paper->wrong == 0 && g_rename(paper->partial, paper->path) != 0)
    paper->wrong = errno;
  if (paper->wrong == 0)
    return TRUE;
  g_unlink(paper->partial);
  return set_write_error(error, paper->path, paper->wrong);
}

gboolean
lac_text_write(const char *path, const char *text, GError **error)
{
  g_return_val_if_fail(path != NULL && text != NULL, FALSE);
  g_autofree char *partial = g_strconcat(path, ".part", NULL);
  FILE            *file = g_fopen(partial, "wb");
  if (file == NULL)
    return set_write_error(error, path, errno);
  int wrong = 0;
  if (fwrite(text, 1, strlen(text), file) != strlen(text) || fflush(file) != 0)
    wrong = errno;
  if (fclose(file) != 0 && wrong == 0)
    wrong = errno;
  if (wrong == 0 && g_rename(partial, path) != 0)
    wrong = errno;
  if (wrong == 0)
    return TRUE;
  g_unlink(partial);
  return set_write_error(error, path, wrong);
}
