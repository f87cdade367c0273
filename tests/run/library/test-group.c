/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping covers every run, with numeric and chronological order. */
#include "run/library/group.h"

#include <string.h>

static const char *const said[][6] = {
  /* experiment, laboratory, outcome, started, settings, changed */
  {"heat1d", "flow", "finished", "2026-11-20T08:00:00", "\nsensors=12\n", "sensors=12\nnoise=1"},
  {"kolmogorov", "flow", "failed", "2026-11-21T09:00:00", "\nsensors=4\n", "sensors=4"},
  {"heat1d", "flow", "finished", "2026-11-21T07:00:00", "\nsensors=8\n", ""},
  {"h2", "quantum", "finished", "", "\n", "noise=2"},
};
static const char *const tagged[][3] = {{"good", "paper", NULL}, {NULL}, {"paper", NULL}, {NULL}};
static const char *const swept[] = {"20261120-1 sensors=12", "", "20261121-1 sensors=4,8",
                                    "20261121-1 sensors=4,8"};
static LacRunHeadline    runs[G_N_ELEMENTS(said)];

static GPtrArray *
all_runs(void)
{
  GPtrArray *all = g_ptr_array_new();
  for (gsize i = 0; i < G_N_ELEMENTS(runs); i++) {
    runs[i] = (LacRunHeadline){.experiment = (char *) said[i][0],
                               .laboratory = (char *) said[i][1],
                               .outcome = (char *) said[i][2],
                               .started = (char *) said[i][3],
                               .settings = (char *) said[i][4],
                               .changed = (char *) said[i][5],
                               .sweep = (char *) swept[i],
                               .tags = (GStrv) tagged[i]};
    g_ptr_array_add(all, &runs[i]);
  }
  return all;
}

/* Returns "name:count name:count", in order. */
static char *
words_of(const char *key)
{
  g_autoptr(GPtrArray) all = all_runs(), groups = lac_run_group(all, key);
  GString             *words = g_string_new(NULL);
  for (guint i = 0; i < groups->len; i++) {
    const LacRunGroup *group = groups->pdata[i];
    g_string_append_printf(words, "%s%s:%u", i > 0 ? " " : "", group->name, group->runs->len);
  }
  return g_string_free(words, FALSE);
}

static void
assert_words(const char *key, const char *expected)
{
  g_autofree char *words = words_of(key);
  g_assert_cmpstr(words, ==, expected);
}

static void
test_runs_stand_under_what_they_share(void)
{
  assert_words("none", ":4");
  assert_words("experiment", "h2:1 heat1d:2 kolmogorov:1");
  assert_words("laboratory", "flow:3 quantum:1");
  assert_words("outcome", "failed:1 finished:3");
  assert_words("day",
               "2026-11-21:2 2026-11-20:1 :1"); /* the latest first, runs without a value last */
  assert_words("sensors", "4:1 8:1 12:1 :1");   /* in numeric order */
  assert_words("tag", "good:1 paper:2 :2");     /* one run has two tags */
  assert_words("sweep", "20261121-1:2 20261120-1:1 :1"); /* the latest first */
  assert_words("beauty", ":4");
}

static void
test_every_run_is_in_one_group(void)
{
  g_autoptr(GPtrArray) all = all_runs();
  for (LacRunGrouping by = LAC_GROUP_NONE; by < LAC_N_GROUPINGS; by++) {
    const char *key = by == LAC_GROUP_SETTING ? "sensors" : lac_run_grouping_key(by);
    g_assert_cmpint(lac_run_grouping_find(key), ==, by);
    g_autoptr(GPtrArray) groups = lac_run_group(all, key);
    for (guint i = 0; i < all->len; i++) {
      guint n = 0;
      for (guint k = 0; k < groups->len; k++)
        n += g_ptr_array_find(((LacRunGroup *) groups->pdata[k])->runs, all->pdata[i], NULL);
      g_assert_cmpuint(n, ==, by == LAC_GROUP_TAG && i == 0 ? 2 : 1);
    }
  }
}

static void
test_settings_that_were_changed_are_offered(void)
{
  g_autoptr(GPtrArray) all = all_runs();
  g_auto(GStrv)        settings = lac_run_group_settings(all, 9);
  g_autofree char     *words = g_strjoinv(" ", settings);
  g_assert_cmpstr(words, ==, "noise sensors");
  g_auto(GStrv) first = lac_run_group_settings(all, 1);
  g_assert_cmpuint(g_strv_length(first), ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/group/runs-stand-under-what-they-share",
                  test_runs_stand_under_what_they_share);
  g_test_add_func("/run/group/every-run-is-in-one-group", test_every_run_is_in_one_group);
  g_test_add_func("/run/group/settings-that-were-changed-are-offered",
                  test_settings_that_were_changed_are_offered);
  return g_test_run();
}
