/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content of reports and comparisons; no text leaves the page or overlaps other text. */
#include "base/error.h"
#include "helpers/missing.h"
#include "report/compare/compare.h"
#include "report/document/report.h"
#include "report/helpers/run-fixture.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

static char *
write_report(RunFixture *fixture, LacRunFile *const *runs, gsize n, const char *name)
{
  g_autoptr(GError) error = NULL;
  char             *path = g_build_filename(fixture->parent, name, NULL);
  lac_report_write(runs, n, path, &error);
  g_assert_no_error(error);
  return path;
}

static void
assert_says(const char *text, const char *const *words)
{
  for (gsize i = 0; words[i] != NULL; i++)
    if (strstr(text, words[i]) == NULL)
      g_error("\"%s\" is missing in:\n%s", words[i], text);
}

static void
test_text_says_everything(RunFixture *fixture, gconstpointer data)
{
  static const char *const words[] = {"No pressure is measured.",
                                      "Kolmogorov flow, a fixture",
                                      "finished",
                                      "relative_l2",
                                      "forecast",
                                      "Sensor count",
                                      "Changed: Sensor count 8",
                                      "the user asked",
                                      "Lacuna test",
                                      "seed 7",
                                      "Where the time went",
                                      "Machine and versions",
                                      NULL};
  g_autofree char         *path = write_report(fixture, &fixture->run, 1, "report.txt");
  g_autofree char         *text = NULL;
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  assert_says(text, words);
}

static void
test_json_reads_back(RunFixture *fixture, gconstpointer data)
{
  g_autofree char      *path = write_report(fixture, &fixture->run, 1, "report.json");
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     error = NULL;
  json_parser_load_from_file(parser, path, &error);
  g_assert_no_error(error);
  JsonObject *root = json_node_get_object(json_parser_get_root(parser));
  JsonObject *run = json_array_get_object_element(json_object_get_array_member(root, "runs"), 0);
  g_assert_cmpstr(json_object_get_string_member(run, "experiment"), ==, "kolmogorov");
  g_assert_cmpint(json_object_get_int_member(run, "steps"), ==, FIXTURE_STEPS);
  double value =
    json_object_get_double_member(json_object_get_object_member(run, "metrics"), "relative_l2");
  g_assert_cmpfloat(value, ==, fixture->run->metrics[0].last);
  /* two operations and the assembly of the file */
  g_assert_cmpuint(json_array_get_length(json_object_get_array_member(run, "operations")), ==, 3);
}

typedef struct {
  double left, top, right, bottom;
} Word;

/* xMin="..." yMin="..." xMax="..." yMax="..." of a word in pdftotext -bbox */
static gboolean
read_word(const char *line, Word *word)
{
  static const char *const names[] = {"xMin=\"", "yMin=\"", "xMax=\"", "yMax=\""};
  double                  *members[] = {&word->left, &word->top, &word->right, &word->bottom};
  if (strstr(line, "<word ") == NULL)
    return FALSE;
  for (gsize i = 0; i < 4; i++)
    *members[i] = g_ascii_strtod(strstr(line, names[i]) + strlen(names[i]), NULL);
  return TRUE;
}

static void
assert_word_is_apart(const GArray *words, const Word *word)
{
  g_assert_true(word->left >= 20 && word->right <= 595.3 - 20);
  g_assert_true(word->top >= 20 && word->bottom <= 841.9 - 20);
  for (guint i = 0; i < words->len; i++) {
    const Word *other = &g_array_index(words, Word, i);
    double      across = MIN(word->right, other->right) - MAX(word->left, other->left);
    double      down = MIN(word->bottom, other->bottom) - MAX(word->top, other->top);
    /* line boxes of neighbours may touch; an overlap of half a line is an error */
    double line = MIN(word->bottom - word->top, other->bottom - other->top);
    g_assert_false(across > 1 && down > 0.5 * line);
  }
}

static void
test_pdf_words_stay_apart(RunFixture *fixture, gconstpointer data)
{
  RunFixture other = {0};
  run_fixture_set_up(&other, 6);
  LacRunFile       *runs[] = {fixture->run, other.run};
  g_autofree char  *path = write_report(fixture, runs, 2, "report.pdf");
  const char *const words[] = {"pdftotext", "-bbox", path, "-", NULL};
  g_autofree char  *boxes = run_tool(words);
  run_fixture_tear_down(&other);
  if (boxes == NULL) {
    test_missing("poppler-utils");
    return;
  }
  g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(Word));
  g_auto(GStrv)     lines = g_strsplit(boxes, "\n", -1);
  gsize             n_pages = 0, n_words = 0;
  for (gsize i = 0; lines[i] != NULL; i++) {
    Word word;
    if (strstr(lines[i], "<page ") != NULL) {
      n_pages++;
      g_array_set_size(seen, 0);
    }
    if (!read_word(lines[i], &word))
      continue;
    n_words++;
    assert_word_is_apart(seen, &word);
    g_array_append_val(seen, word);
  }
  g_assert_cmpuint(n_pages, >=, 3);
  g_assert_cmpuint(n_words, >, 300);
}

static void
test_pdf_says_everything(RunFixture *fixture, gconstpointer data)
{
  static const char *const said[] = {"Caution: No pressure is measured.",
                                     "Kolmogorov flow, a fixture",
                                     "Relative error of the field",
                                     "Where the time went",
                                     "forecast",
                                     "Settings that mattered",
                                     "Changed",
                                     "Timeline",
                                     "Provenance",
                                     "the user asked",
                                     "page 1 of",
                                     "page 2 of",
                                     NULL};
  g_autofree char         *path = write_report(fixture, &fixture->run, 1, "report.pdf");
  const char *const        words[] = {"pdftotext", "-layout", path, "-", NULL};
  g_autofree char         *text = run_tool(words);
  if (text == NULL)
    test_missing("poppler-utils");
  else
    assert_says(text, said);
}

/* The HTML has all texts of the pages and is self-contained: well-formed, with a light and a dark version of every
 * picture except those in paper colours. */
static void
test_html_says_everything_by_itself(RunFixture *fixture, gconstpointer data)
{
  static const char *const said[] = {"Caution: No pressure is measured.",
                                     "Kolmogorov flow, a fixture",
                                     "Relative error of the field",
                                     "<h2>Where the time went",
                                     "forecast",
                                     "<h2>Settings that mattered</h2>",
                                     "Changed: ",
                                     "<h2>Timeline",
                                     "<h2>Provenance</h2>",
                                     "the user asked",
                                     NULL};
  static const char *const others[] = {"http:", "https:", "<script", "<link", "url(", NULL};
  g_autofree char         *path = write_report(fixture, &fixture->run, 1, "report.html");
  g_autofree char         *text = NULL;
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  assert_says(text, said);
  for (gsize i = 0; others[i] != NULL; i++)
    g_assert_null(strstr(text, others[i]));
  gsize n_pictures = 0, n_nights = 0, n_papers = 0;
  for (const char *at = text; (at = strstr(at, "<picture>")) != NULL; at++)
    n_pictures++;
  for (const char *at = text; (at = strstr(at, "<source media")) != NULL; at++)
    n_nights++;
  for (const char *at = text; (at = strstr(at, "class=\"paper\"")) != NULL; at++)
    n_papers++;
  g_assert_cmpuint(n_pictures, >=, 3);
  g_assert_cmpuint(n_papers, >=, 1);
  g_assert_cmpuint(n_nights + n_papers, ==, n_pictures);
}

static void
test_other_endings_are_refused(RunFixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_assert_false(lac_report_write(&fixture->run, 1, "report.doc", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_clear_error(&error);
  g_assert_false(lac_report_write(&fixture->run, 1, "/no/such/folder/report.txt", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

static void
test_comparison_shows_what_differs(RunFixture *fixture, gconstpointer data)
{
  RunFixture other = {0};
  run_fixture_set_up(&other, 6);
  LacRunFile      *runs[] = {fixture->run, other.run};
  g_autofree char *text = lac_compare_text(runs, 2), *json = lac_compare_json(runs, 2);
  run_fixture_tear_down(&other);
  g_assert_nonnull(strstr(text, "Sensor count"));
  g_assert_null(strstr(text, "Reynolds number")); /* equal in both */

  g_autoptr(GError)   error = NULL;
  g_autoptr(JsonNode) node = json_from_string(json, &error);
  g_assert_no_error(error);
  JsonObject *root = json_node_get_object(node);
  JsonArray  *settings = json_object_get_array_member(root, "settings");
  g_assert_cmpuint(json_array_get_length(settings), ==, 1);
  JsonObject *setting = json_array_get_object_element(settings, 0);
  g_assert_cmpstr(json_object_get_string_member(setting, "key"), ==, "sensors");
  JsonArray *values = json_object_get_array_member(setting, "values");
  g_assert_cmpstr(json_array_get_string_element(values, 0), ==, "12");
  g_assert_cmpstr(json_array_get_string_element(values, 1), ==, "6");
  JsonObject *run = json_array_get_object_element(json_object_get_array_member(root, "runs"), 1);
  g_assert_cmpfloat(json_object_get_double_member(run, "speed_up"), ==, 1);
}

static void
set_up(RunFixture *fixture, gconstpointer data)
{
  run_fixture_set_up(fixture, 8);
}

static void
tear_down(RunFixture *fixture, gconstpointer data)
{
  run_fixture_tear_down(fixture);
}

static void
set_up_twelve(RunFixture *fixture, gconstpointer data)
{
  run_fixture_set_up(fixture, 12);
}

#define ADD(path, test) g_test_add(path, RunFixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/report/report/text-says-everything", test_text_says_everything);
  ADD("/report/report/json-reads-back", test_json_reads_back);
  ADD("/report/report/pdf-says-everything", test_pdf_says_everything);
  ADD("/report/report/pdf-words-stay-apart", test_pdf_words_stay_apart);
  ADD("/report/report/html-says-everything-by-itself", test_html_says_everything_by_itself);
  ADD("/report/report/other-endings-are-refused", test_other_endings_are_refused);
  g_test_add("/report/compare/shows-what-differs", RunFixture, NULL, set_up_twelve,
             test_comparison_shows_what_differs, tear_down);
  return g_test_run();
}
