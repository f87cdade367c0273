/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON string escaping (RFC 8259, section 7). */
#include "base/json-quote.h"

char *
lac_json_quote(const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  GString         *json = g_string_new("\"");

  for (const char *c = valid; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_printf(json, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_string_append_printf(json, "\\u%04x", (guint) *c);
    else
      g_string_append_c(json, *c);
  }
  g_string_append_c(json, '"');
  return g_string_free(json, FALSE);
}
