/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of delimited text: every notation of the same cells reads the same. */
#include "base/text-rows.h"

#include <string.h>

/* Returns: (transfer full): "1: a|b\n3: c|d\n": line number and cells of each row */
static char *
dup_rows(const char *text, const char *remarks, const char *separators)
{
  g_autofree char *copy = g_strdup(text);
  GString         *all = g_string_new(NULL);
  LacTextRows      rows;
  char            *line, *cells[8];
  guint            n;

  lac_text_rows_init(&rows, copy, remarks);
  while ((line = lac_text_rows_take(&rows)) != NULL) {
    const gboolean fits = lac_text_split(line, separators, cells, G_N_ELEMENTS(cells), &n);
    g_string_append_printf(all, "%u: ", rows.line);
    for (guint i = 0; i < n; i++)
      g_string_append_printf(all, "%s%s", i > 0 ? "|" : "", cells[i]);
    g_string_append(all, fits ? "\n" : "...\n");
  }
  return g_string_free(all, FALSE);
}

static void
test_line_ends(void)
{
  static const char *const ends[] = {"\n", "\r\n", "\r"};

  for (gsize i = 0; i < G_N_ELEMENTS(ends); i++)
    for (gsize is_cut = 0; is_cut < 2; is_cut++)
      for (gsize has_mark = 0; has_mark < 2; has_mark++) {
        g_autofree char *text =
          g_strconcat(has_mark ? "\xef\xbb\xbf" : "", "# remark, here", ends[i], " a , b ", ends[i],
                      "  ", ends[i], "c,", is_cut ? NULL : ends[i], NULL);
        g_autofree char *rows = dup_rows(text, "#", ",");
        g_assert_cmpstr(rows, ==, "2: a|b\n4: c|\n");
      }
}

static void
test_cells(void)
{
  static const struct {
    const char *text, *separators, *rows;
  } ways[] = {
    {"a,b;c", ",", "1: a|b;c\n"},
    {"a,b;c\td", ",;\t", "1: a|b|c|d\n"},
    {"\"a, b\",\" c \"", ",", "1: a, b|c\n"},
    {"\"a\"b,\"c", ",", "1: \"a\"b|\"c\n"},
    {"1,5;2,5", ";", "1: 1,5|2,5\n"},
    {",,", ",", "1: ||\n"},
    {"a  b\t c", " ", "1: a|b|c\n"},
    {"1,2,3,4,5,6,7,8", ",", "1: 1|2|3|4|5|6|7|8\n"},
    {"1,2,3,4,5,6,7,8,9", ",", "1: 1|2|3|4|5|6|7|8...\n"},
    {"", ",", ""},
    {"#%\n%a\n# b", ",", "2: %a\n"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
    g_autofree char *rows = dup_rows(ways[i].text, "#", ways[i].separators);
    g_assert_cmpstr(rows, ==, ways[i].rows);
  }
}

static void
test_phrases(void)
{
  char  text[] = "x  u (m/s) @ t=1   p ";
  char *cells[3];
  guint n;

  g_assert_true(lac_text_split_phrases(text, cells, 3, &n));
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpstr(cells[1], ==, "u (m/s) @ t=1");
  g_assert_cmpstr(cells[2], ==, "p");
}

static void
test_separators(void)
{
  g_assert_cmpint(lac_text_find_separator("a,b;c,d"), ==, ',');
  g_assert_cmpint(lac_text_find_separator("\"a,b,c\";d"), ==, ';');
  g_assert_cmpint(lac_text_find_separator("a\tb"), ==, '\t');
  g_assert_cmpint(lac_text_find_separator("a"), ==, ',');
}

static void
test_quotes(void)
{
  g_autofree char *both = lac_text_quote("a \"b\", c"), *rows = NULL;

  g_assert_cmpstr(both, ==, "\"a \"\"b\"\", c\"");
  g_assert_false(lac_text_needs_quotes("a; b"));
  g_assert_true(lac_text_needs_quotes("a\nb"));
  g_autofree char *plain = lac_text_quote("a, b"), *text = g_strconcat(plain, ",c", NULL);
  rows = dup_rows(text, "#", ",");
  g_assert_cmpstr(rows, ==, "1: a, b|c\n");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/text-rows/every-line-end-with-and-without-the-last", test_line_ends);
  g_test_add_func("/base/text-rows/separators-and-quotes", test_cells);
  g_test_add_func("/base/text-rows/phrases-hold-single-spaces", test_phrases);
  g_test_add_func("/base/text-rows/the-separator-that-stands-most-often", test_separators);
  g_test_add_func("/base/text-rows/what-is-quoted-reads-back", test_quotes);
  return g_test_run();
}
