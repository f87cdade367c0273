/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined reports: sections in the order of the plan, user text in between, saved and loaded plans. */
#include "base/error.h"
#include "report/document/plan.h"
#include "report/helpers/run-fixture.h"

#include <glib/gstdio.h>

#include <string.h>

typedef struct {
  RunFixture  first, second;
  LacRunFile *runs[2];
} Pair;

static LacReportPlan *
make_plan(const Pair *pair)
{
  const char *folders[] = {pair->runs[0]->path, pair->runs[1]->path, NULL};

  return lac_report_plan_new(folders);
}

static LacReportEntry *
get(const LacReportPlan *plan, guint i)
{
  return &g_array_index(plan->entries, LacReportEntry, i);
}

static char *
write_and_read(const Pair *pair, const LacReportPlan *plan, const char *name)
{
  g_autofree char  *path = g_build_filename(pair->first.parent, name, NULL);
  g_autoptr(GError) error = NULL;
  char             *text;

  g_assert_true(lac_report_plan_write(plan, pair->runs, path, &error));
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

static void
test_order_is_the_plans(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(LacReportPlan) plan = make_plan(pair);
  guint                    n = plan->entries->len;

  for (guint i = 0; i < n; i++) /* settings and curves of the first run only */
    get(plan, i)->is_left_out =
      get(plan, i)->run != 0 ||
      (get(plan, i)->part != LAC_PART_ALL_SETTINGS && get(plan, i)->part != LAC_PART_CURVES);
  get(plan, 0)->is_left_out = TRUE; /* the comparison */
  for (guint i = 0; i < n; i++)
    if (get(plan, i)->part == LAC_PART_ALL_SETTINGS && get(plan, i)->run == 0)
      lac_report_plan_move(plan, i, 1);
  lac_report_plan_add_text(plan, 2, "# Between\n\nOne & the same\nparagraph.\n\nAnother.");
  plan->title = g_strdup("A title <of mine>");
  g_autofree char *html = write_and_read(pair, plan, "report.html");
  const char      *title = strstr(html, "<h1>A title &lt;of mine&gt;</h1>");
  const char      *settings = strstr(html, "<h2>All settings</h2>"),
             *between = strstr(html, "<h2>Between</h2>");
  const char *words = strstr(html, "One &amp; the same paragraph."),
             *curves = strstr(html, "<h2>Curves</h2>");
  const char *places[] = {title, settings, between, words, curves};

  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    g_assert_true(places[i] != NULL && (i == 0 || places[i] > places[i - 1]));
  g_assert_null(strstr(html, "<h2>Provenance</h2>"));
  g_assert_null(strstr(html, "Different settings"));
  g_assert_null(strstr(html, "href=\"http"));
}

static void
test_plan_is_kept(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(LacReportPlan) plan = make_plan(pair);
  g_autofree char         *path = g_build_filename(pair->first.parent, "report.pdf.json", NULL);
  g_autoptr(GError)        error = NULL;

  plan->title = g_strdup("„Ünïcode“ \"quoted\"");
  plan->paper = LAC_PAPER_LETTER;
  lac_report_plan_add_text(plan, 3, "words\n\nof several\nlines");
  get(plan, 5)->is_left_out = TRUE;
  lac_report_plan_move(plan, 7, 0);
  g_autofree char *pdf = write_and_read(pair, plan, "report.pdf"),
                  *text = lac_report_plan_dup_text(plan);
  g_assert_true(lac_is_report_plan(path));
  g_autoptr(LacReportPlan) again = lac_report_plan_load(path, &error);
  g_assert_no_error(error);
  g_autofree char *same = lac_report_plan_dup_text(again);
  g_assert_cmpstr(text, ==, same);
  g_assert_cmpuint(again->runs->len, ==, 2);
  g_assert_cmpuint(again->paper, ==, LAC_PAPER_LETTER);
  g_assert_false(lac_is_report_plan(pair->runs[0]->path));
}

/* A new plan has all parts of both runs once; an existing run is not added again. */
static void
test_everything_at_first(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(LacReportPlan) plan = make_plan(pair);
  guint                    seen[LAC_N_PARTS] = {0};
  g_autoptr(GError)        error = NULL;

  lac_report_plan_add_run(plan, pair->runs[1]->path);
  for (guint i = 0; i < plan->entries->len; i++)
    seen[get(plan, i)->part]++;
  for (LacReportPart part = 0; part < LAC_N_PARTS; part++)
    g_assert_cmpuint(seen[part], ==,
                     part == LAC_PART_TEXT         ? 0
                     : part == LAC_PART_COMPARISON ? 1
                                                   : 2);
  g_autoptr(GPtrArray) pages = lac_report_plan_lay_out(plan, pair->runs, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(pages->len, >, 2);
  for (guint i = 0; i < pages->len; i++)
    g_assert_cmpuint(lac_drawing_get_n_items(pages->pdata[i]), >, 5);
}

/* Version 1 had smaller parts: a section is left out when all its parts are, and "settings" were all of them. */
static void
test_earlier_plans_open(Pair *pair G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  static const char text[] =
    "{\"lacuna_report\": 1, \"runs\": [\"/a\"], \"parts\": [{\"part\": \"head\", \"left_out\": "
    "true}, "
    "{\"part\": \"text\", \"text\": \"one\"}, {\"part\": \"settings\"}, {\"part\": \"results\"}, "
    "{\"part\": \"text\", \"text\": \"two\"}, {\"part\": \"operations\", \"left_out\": true}, "
    "{\"part\": \"profile\", \"left_out\": true}, {\"part\": \"unheard of\"}]}";
  static const LacReportPart parts[] = {LAC_PART_HEAD, LAC_PART_TEXT, LAC_PART_ALL_SETTINGS,
                                        LAC_PART_TEXT, LAC_PART_TIME};
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacReportPlan)   plan = lac_report_plan_parse(text, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(plan->entries->len, ==, G_N_ELEMENTS(parts));
  for (guint i = 0; i < plan->entries->len; i++) {
    g_assert_cmpint(get(plan, i)->part, ==, parts[i]);
    g_assert_cmpint(get(plan, i)->is_left_out, ==, parts[i] == LAC_PART_TIME);
  }
}

/* A text or JSON report has the sections of the plan too. */
static void
test_other_formats(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(LacReportPlan) plan = make_plan(pair);

  for (guint i = 0; i < plan->entries->len; i++)
    get(plan, i)->is_left_out = get(plan, i)->part != LAC_PART_ALL_SETTINGS;
  lac_report_plan_add_text(plan, 0, "A note.");
  g_autofree char *text = write_and_read(pair, plan, "report.txt");
  g_autofree char *json = write_and_read(pair, plan, "report.json");

  g_assert_true(g_str_has_prefix(text, "A note.\n"));
  g_assert_nonnull(strstr(text, "All settings"));
  g_assert_null(strstr(text, "Where the time went"));
  g_assert_nonnull(strstr(json, "\"A note.\""));
  g_assert_nonnull(strstr(json, "\"settings\""));
  g_assert_null(strstr(json, "\"operations\""));
}

static void
test_other_files_are_refused(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const texts[] = {"",
                                      "[]",
                                      "{}",
                                      "{\"lacuna_report\": 3, \"runs\": [\"/a\"]}",
                                      "{\"lacuna_report\": 1}",
                                      "{\"lacuna_report\": 1, \"runs\": [3, {}]}"};
  g_autofree char         *path = g_build_filename(pair->first.parent, "other.json", NULL);
  g_autoptr(LacReportPlan) plan = make_plan(pair);
  g_autoptr(GError)        ending = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(path, texts[i], -1, NULL));
    g_assert_null(lac_report_plan_load(path, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  }
  g_assert_false(lac_report_plan_write(plan, pair->runs, "report.doc", &ending));
  g_assert_error(ending, LAC_ERROR, LAC_ERROR_USAGE);
}

static void
set_up(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_set_up(&pair->first, 12);
  run_fixture_set_up(&pair->second, 8);
  pair->runs[0] = pair->first.run;
  pair->runs[1] = pair->second.run;
}

static void
tear_down(Pair *pair, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_tear_down(&pair->first);
  run_fixture_tear_down(&pair->second);
}

#define ADD(path, test) g_test_add("/report/plan/" path, Pair, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("sections-come-in-its-order-and-words-in-their-place", test_order_is_the_plans);
  ADD("it-is-kept-and-read-back", test_plan_is_kept);
  ADD("at-first-it-has-everything-once", test_everything_at_first);
  ADD("earlier-plans-open", test_earlier_plans_open);
  ADD("text-and-json-have-its-sections", test_other_formats);
  ADD("other-files-and-endings-are-refused", test_other_files_are_refused);
  return g_test_run();
}
