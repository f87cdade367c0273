/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for display in German and in the C locale. */
#include "base/number-display.h"
#include "base/number.h"
#include "helpers/missing.h"

#include <libintl.h>
#include <locale.h>

/* Display only: the comma of the German catalogue, the point in files, and outside of the window. */
static void
test_separator(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "po", NULL);
  g_autofree char *german = g_build_filename(folder, "de", "LC_MESSAGES", "lacuna.mo", NULL);
  char             text[] = "1.5e-3, 2.25 s, v.3";
  double           value;
  if (!g_file_test(german, G_FILE_TEST_EXISTS)) {
    g_test_skip("a build without a window has no catalogues");
    return;
  }
  bindtextdomain(GETTEXT_PACKAGE, folder);
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL || setlocale(LC_NUMERIC, "C") == NULL) {
    test_missing("locales");
    return;
  }
  g_assert_cmpstr(lac_number_localise(text), ==, "1.5e-3, 2.25 s, v.3");
  lac_number_follow_language();
  {
    LAC_NUMBERS_WITH_POINTS;
    g_autofree char *fixed = lac_number_dup_fixed(0.25, 2);
    g_assert_cmpstr(lac_number_localise(text), ==, "1.5e-3, 2.25 s, v.3");
    g_assert_cmpstr(fixed, ==, "0.25");
  }
  g_autofree char *fixed = lac_number_dup_fixed(-12.345, 1);
  g_assert_cmpstr(lac_number_localise(text), ==, "1,5e-3, 2,25 s, v.3");
  g_assert_cmpstr(fixed, ==, "-12,3");
  g_assert_cmpstr(lac_number_delocalise(text), ==, "1.5e-3, 2.25 s, v.3");
  g_assert_true(lac_number_parse(lac_number_delocalise(fixed), &value));
  g_assert_cmpfloat(value, ==, -12.3);
  setlocale(LC_ALL, "C");
  g_assert_cmpstr(lac_number_localise(text), ==, "1.5e-3, 2.25 s, v.3");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/number-display/the-separator-is-of-the-language", test_separator);
  return g_test_run();
}
