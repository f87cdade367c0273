/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of a report: keys, choices, their order in the document, and what each holds. */
#include "base/error.h"
#include "report/document/report.h"
#include "report/helpers/run-fixture.h"

#include <string.h>

static void
test_keys_are_unique_and_found(void)
{
  for (LacReportPart part = 0; part < LAC_N_PARTS; part++) {
    g_assert_cmpint(lac_report_part_find(lac_report_part_key(part)), ==, part);
    g_assert_cmpstr(lac_report_part_title(part), !=, "");
  }
  g_assert_cmpint(lac_report_part_find("appendix"), ==, LAC_N_PARTS);
}

static void
test_choices(void)
{
  LacReportSections       sections;
  g_autoptr(GError)       error = NULL;
  const LacReportSections usual = lac_report_sections_default(), all = lac_report_sections_all();

  g_assert_true(lac_report_sections_parse("time, answer,time", &sections, &error));
  g_assert_no_error(error);
  g_assert_cmpuint(sections.n, ==, 2);
  g_assert_cmpint(sections.parts[0], ==, LAC_PART_TIME);
  g_assert_cmpint(sections.parts[1], ==, LAC_PART_HEAD);
  g_autofree char *keys = lac_report_sections_dup_keys(&sections);
  g_assert_cmpstr(keys, ==, "time,answer");
  g_assert_true(lac_report_sections_parse("all", &sections, &error));
  g_assert_cmpuint(sections.n, ==, all.n);
  g_assert_cmpuint(usual.n, ==, all.n - 2);
  g_assert_false(lac_report_sections_have(&usual, LAC_PART_FINDINGS));
  g_assert_false(lac_report_sections_have(&usual, LAC_PART_ALL_SETTINGS));

  /* neither another word nor a part that is no section */
  static const char *const refused[] = {"answer,foo", "text", "comparison", "", "answer,"};
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
    g_autoptr(GError) wrong = NULL;
    g_assert_false(lac_report_sections_parse(refused[i], &sections, &wrong));
    g_assert_error(wrong, LAC_ERROR, LAC_ERROR_USAGE);
    g_assert_nonnull(strstr(wrong->message, "all-settings"));
  }
}

static char *
write_sections(const RunFixture *fixture, const char *keys, const char *name)
{
  LacReportSections sections;
  g_autofree char  *path = g_build_filename(fixture->parent, name, NULL);
  g_autoptr(GError) error = NULL;
  char             *text = NULL;

  g_assert_true(lac_report_sections_parse(keys, &sections, &error));
  g_assert_true(lac_report_write_sections(&fixture->run, 1, &sections, LAC_PAPER_A4, path, &error));
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

/* Every format has the chosen sections, in their order, and no other. */
static void
test_order(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = {"report.html", "report.txt"};

  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *text = write_sections(fixture, "machine,all-settings,time", names[i]);
    const char *machine = strstr(text, "Machine and versions"), *all = strstr(text, "All settings");
    const char *time = strstr(text, "Where the time went");

    g_assert_true(machine != NULL && all > machine && time > all);
    g_assert_null(strstr(text, "Settings that mattered"));
    g_assert_null(strstr(text, "Curves"));
  }
  g_autofree char *json = write_sections(fixture, "settings", "report.json");
  g_assert_nonnull(strstr(json, "\"settings\""));
  g_assert_null(strstr(json, "\"metrics\""));
  g_assert_null(strstr(json, "\"provenance\""));
}

static void
test_contents(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fields = lac_report_part_dup_content(LAC_PART_FIELDS, fixture->run);
  g_autofree char *settings = lac_report_part_dup_content(LAC_PART_SETTINGS, fixture->run);
  g_autofree char *changes = lac_report_part_dup_content(LAC_PART_CHANGES, fixture->run);
  g_autofree char *all = lac_report_part_dup_content(LAC_PART_ALL_SETTINGS, fixture->run);
  g_autofree char *step = g_strdup_printf("at step %d", FIXTURE_STEPS);

  g_assert_cmpstr(fields, ==, step);
  g_assert_cmpstr(settings, ==, "1 changed");
  g_assert_cmpstr(changes, ==, "");
  g_assert_cmpstr(all, ==, "appendix, 2");
}

static void
set_up(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_set_up(fixture, 8);
}

static void
tear_down(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_tear_down(fixture);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/sections/keys-are-unique-and-found", test_keys_are_unique_and_found);
  g_test_add_func("/report/sections/choices", test_choices);
  g_test_add("/report/sections/every-format-has-them-in-order", RunFixture, NULL, set_up,
             test_order, tear_down);
  g_test_add("/report/sections/say-what-they-hold", RunFixture, NULL, set_up, test_contents,
             tear_down);
  return g_test_run();
}
