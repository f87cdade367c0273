/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report as plain text: the words and tables, without the pictures. */
#include "report/document/document-private.h"

#include <string.h>

#define LINE 100 /* characters, at most */

typedef struct {
  LacDocument document;
  GString    *text;
  char       *heading; /* pending: left out if only pictures follow */
  gboolean    is_after_picture;
} Plain;

static void
set_heading(Plain *plain)
{
  if (plain->heading != NULL)
    g_string_append_printf(plain->text, "\n%s\n\n", plain->heading);
  g_clear_pointer(&plain->heading, g_free);
}

static void
begin_run(LacDocument *document, gboolean is_first)
{
  if (!is_first)
    g_string_append(((Plain *) document)->text, "\n\n");
}

static void
put_title(LacDocument *document, const char *text)
{
  GString *to = ((Plain *) document)->text;

  g_string_append_printf(to, "%s\n", text);
  for (glong i = g_utf8_strlen(text, -1); i > 0; i--)
    g_string_append_c(to, '=');
  g_string_append(to, "\n\n");
}

static void
put_heading(LacDocument *document, const char *text)
{
  Plain *plain = (Plain *) document;

  g_free(plain->heading);
  plain->heading = g_strdup(text);
  plain->is_after_picture = FALSE;
}

/* Appends words in lines of at most LINE characters. */
static void
append_lines(GString *to, const char *text)
{
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  glong         column = 0;

  for (gsize i = 0; words[i] != NULL; i++) {
    const glong length = g_utf8_strlen(words[i], -1);

    if (column > 0 && column + 1 + length > LINE) {
      g_string_append_c(to, '\n');
      column = 0;
    }
    g_string_append_printf(to, "%s%s", column > 0 ? " " : "", words[i]);
    column += length + (column > 0);
  }
  g_string_append_c(to, '\n');
}

static void
put_paragraph(LacDocument *document, const char *text, gboolean is_faint)
{
  Plain *plain = (Plain *) document;

  if (is_faint && plain->is_after_picture) /* a caption */
    return;
  set_heading(plain);
  append_lines(plain->text, text);
  if (is_faint)
    g_string_append_c(plain->text, '\n');
}

static void
put_items(LacDocument *document, const char *const *texts, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *item = g_strdup_printf("• %s", texts[i]);
    put_paragraph(document, item, FALSE);
  }
}

static void
put_tiles(LacDocument *document, const LacTile *tiles, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *line = g_strdup_printf("%s: %s", tiles[i].label, tiles[i].value);
    put_paragraph(document, line, FALSE);
  }
}

static void
put_table(LacDocument *document, const LacTable *table)
{
  Plain *plain = (Plain *) document;

  if (plain->heading == NULL)
    g_string_append_c(plain->text, '\n');
  set_heading(plain);
  lac_table_print(table, plain->text);
}

static void
put_picture(LacDocument *document, const LacPicture *picture G_GNUC_UNUSED)
{
  ((Plain *) document)->is_after_picture = TRUE;
}

char *
lac_document_dup_plain(const LacDocumentContent *content, GError **error)
{
  Plain plain = {{begin_run, put_title, put_heading, put_paragraph, put_items, put_tiles, put_table,
                  put_picture},
                 g_string_new(NULL)};
  const gboolean reported = content->add(&plain.document, content->data, error);

  g_free(plain.heading);
  return g_string_free(plain.text, !reported);
}
