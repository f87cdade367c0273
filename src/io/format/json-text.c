/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json-glib's text without the ".0" that it appends to an exponent. */
#include "io/format/json-text.h"

#include <math.h>
#include <string.h>

/* Returns the length, without the ".0", of an exponent that starts at the 'e' at @at and ends with ".0". */
static gsize
exponent_length(const char *at)
{
  gsize n = 1;

  if (at[n] == '-' || at[n] == '+')
    n++;
  if (!g_ascii_isdigit(at[n]))
    return 0;
  while (g_ascii_isdigit(at[n]))
    n++;
  return strncmp(at + n, ".0", 2) == 0 ? n : 0;
}

char *
lac_json_dup_text(JsonNode *root, gboolean pretty)
{
  char    *text = json_to_string(root, pretty);
  char    *to = text;
  gboolean in_string = FALSE;

  for (const char *from = text; *from != '\0';) {
    const gsize n = !in_string && *from == 'e' ? exponent_length(from) : 0;

    if (n) {
      memmove(to, from, n);
      to += n;
      from += n + 2;
      continue;
    }
    if (*from == '\\' && in_string)
      *to++ = *from++;
    else if (*from == '"')
      in_string = !in_string;
    *to++ = *from++;
  }
  *to = '\0';
  return text;
}

void
lac_json_add_text(JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name(builder, name);
  json_builder_add_string_value(builder, value);
}

void
lac_json_add_integer(JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name(builder, name);
  json_builder_add_int_value(builder, value);
}

void
lac_json_add_number(JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name(builder, name);
  if (isfinite(value))
    json_builder_add_double_value(builder, value);
  else
    json_builder_add_null_value(builder);
}
