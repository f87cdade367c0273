/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports in the user's language: labels are translated, numbers are not, and machine-readable files are the same in
 * every language. */
#include "field/composed-label.h"
#include "helpers/missing.h"
#include "report/document/report.h"
#include "report/helpers/run-fixture.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <libintl.h>
#include <locale.h>
#include <string.h>

static char *
write_and_read(RunFixture *fixture, const char *name)
{
  g_autoptr(GError)       error = NULL;
  g_autofree char        *path = g_build_filename(fixture->parent, name, NULL);
  char                   *text = NULL;
  const LacReportSections all = lac_report_sections_all();
  lac_report_write_sections(&fixture->run, 1, &all, LAC_PAPER_A4, path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

/* Returns: FALSE without the locale or the built catalogue. */
static gboolean
speak_german(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "po", NULL);
  g_autofree char *words = g_build_filename(folder, "de", "LC_MESSAGES", "lacuna.mo", NULL);
  if (!g_file_test(words, G_FILE_TEST_EXISTS) || setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
    return FALSE;
  setlocale(LC_NUMERIC, "C"); /* same setting as the program */
  bindtextdomain(GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
  return TRUE;
}

static void
test_german(void)
{
  static const char *const words[] = {"lang=\"de\"", ">Wert<",     ">Einheit<",
                                      ">Schlüssel<", ">geändert<", ">Kurven<",
                                      ">Schritt<",   ">Herkunft<", NULL};
  RunFixture               fixture = {0};
  if (!speak_german()) {
    test_missing("locales");
    return;
  }
  const char *composed = lac_composed_label(LAC_LABEL_LOSS_OF, "momentum");
  g_assert_cmpstr(composed, ==, "Loss: momentum");
  g_assert_cmpstr(lac_word(composed), ==, "Verlust: momentum");
  run_fixture_set_up(&fixture, 9);
  g_autofree char *html = write_and_read(&fixture, "report.html");
  g_autofree char *text = write_and_read(&fixture, "report.txt");
  g_autofree char *json = write_and_read(&fixture, "report.json");
  for (gsize i = 0; words[i] != NULL; i++)
    if (strstr(html, words[i]) == NULL)
      g_error("“%s” is missing", words[i]);
  g_assert_null(strstr(html, ">setting<"));
  g_assert_nonnull(strstr(text, "Einstellung"));

  setlocale(LC_ALL, "C");
  g_autofree char *english = write_and_read(&fixture, "english.html");
  g_autofree char *same = write_and_read(&fixture, "english.json");
  g_assert_nonnull(strstr(english, ">setting<"));
  g_assert_nonnull(strstr(english, "lang=\"en\""));
  g_assert_cmpstr(json, ==, same);
  run_fixture_tear_down(&fixture);
}

/* English texts in this thread until the end of the block. */
static void
test_english_for_a_while(void)
{
  if (!speak_german()) {
    test_missing("locales");
    return;
  }
  g_assert_cmpstr(lac_word("Results"), ==, "Ergebnisse");
  {
    LAC_SPEAK_ENGLISH;
    g_assert_cmpstr(lac_word("Results"), ==, "Results");
  }
  g_assert_cmpstr(lac_word("Results"), ==, "Ergebnisse");
  g_assert_cmpstr(lac_word(""), ==, ""); /* not the header of the catalogue */
  setlocale(LC_ALL, "C");
}

int
main(int argc, char **argv)
{
  g_unsetenv("LANGUAGE");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/language/words-are-the-persons-and-numbers-are-not", test_german);
  g_test_add_func("/report/language/english-for-a-while", test_english_for_a_while);
  return g_test_run();
}
