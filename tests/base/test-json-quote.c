/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON strings: a reader recovers the original text. */
#include "base/json-quote.h"

#include <string.h>

static void
test_texts(void)
{
  static const struct {
    const char *text, *json;
  } rows[] = {
    {"plain", "\"plain\""},
    {"", "\"\""},
    {"a \"quoted\" \\ name", "\"a \\\"quoted\\\" \\\\ name\""},
    {"two\nlines\x01", "\"two\\u000alines\\u0001\""},
    {"µ-kernel", "\"µ-kernel\""},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *json = lac_json_quote(rows[i].text);
    g_assert_cmpstr(json, ==, rows[i].json);
  }
  g_autofree char *mended = lac_json_quote("pause \xff");
  g_assert_true(g_utf8_validate(mended, -1, NULL));
  g_assert_cmpint(strncmp(mended, "\"pause ", 7), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/json-quote/texts-are-escaped", test_texts);
  return g_test_run();
}
