/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as a tree, within the depth and size of Lacuna's own files. */
#include "io/format/json-load.h"

#include "base/error.h"

#include <glib/gstdio.h>

#include <string.h>

/* Checks the nesting depth. Brackets inside strings do not count; comments, a parser extension that JSON does not
 * have, could hide brackets and are refused. */
static gboolean
check_depth(const char *text, gsize length, GError **error)
{
  gsize    depth = 0;
  gboolean quoted = FALSE;

  for (gsize i = 0; i < length && depth <= LAC_JSON_MOST_DEPTH; i++) {
    if (quoted && text[i] == '\\') {
      i++;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == '[' || text[i] == '{')) {
      depth++;
    } else if (!quoted && (text[i] == ']' || text[i] == '}') && depth > 0) {
      depth--;
    } else if (!quoted && (text[i] == '/' || text[i] == '#')) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "there is a %c outside of its texts",
                  text[i]);
      return FALSE;
    }
  }
  if (depth <= LAC_JSON_MOST_DEPTH)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "it nests more than %d arrays and objects in one another; no file of Lacuna does",
              LAC_JSON_MOST_DEPTH);
  return FALSE;
}

gboolean
lac_json_load(JsonParser *parser, const char *text, gssize length, GError **error)
{
  g_autoptr(GError) wrong = NULL;

  if (!check_depth(text, length < 0 ? strlen(text) : (gsize) length, error))
    return FALSE;
  if (json_parser_load_from_data(parser, text, length, &wrong))
    return TRUE;
  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE, wrong->message);
  return FALSE;
}

gboolean
lac_json_load_file(JsonParser *parser, const char *path, GError **error)
{
  g_autoptr(GError) wrong = NULL;
  g_autofree char  *text = NULL;
  gsize             length;
  GStatBuf          about;

  if (g_stat(path, &about) == 0 &&
      (!S_ISREG(about.st_mode) || (gsize) about.st_size > LAC_JSON_MOST_BYTES)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "it is no file of at most %zu MiB",
                LAC_JSON_MOST_BYTES >> 20);
    return FALSE;
  }
  if (g_file_get_contents(path, &text, &length, &wrong))
    return lac_json_load(parser, text, (gssize) length, error);
  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE, wrong->message);
  return FALSE;
}
