/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping of runs: a table of the properties to group by. */
#include "run/library/group.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Returns the groups of a run; most groupings give one. */
typedef GStrv (*Names)(const LacRunHeadline *run, const char *key);

static GStrv
one(char *name)
{
  GStrv names = g_new0(char *, 2);
  names[0] = name;
  return names;
}

static GStrv
everything(const LacRunHeadline *run, const char *key)
{
  return one(g_strdup(""));
}

static GStrv
experiment(const LacRunHeadline *run, const char *key)
{
  return one(g_strdup(run->experiment));
}

static GStrv
laboratory(const LacRunHeadline *run, const char *key)
{
  return one(g_strdup(run->laboratory));
}

static GStrv
outcome(const LacRunHeadline *run, const char *key)
{
  return one(g_strdup(run->outcome));
}

static GStrv
tags(const LacRunHeadline *run, const char *key)
{
  return run->tags[0] != NULL ? g_strdupv(run->tags) : one(g_strdup(""));
}

static GStrv
day(const LacRunHeadline *run, const char *key)
{
  return one(g_strndup(run->started, strcspn(run->started, "T ")));
}

static GStrv
sweep(const LacRunHeadline *run, const char *key)
{
  return one(g_strndup(run->sweep, strcspn(run->sweep, " ")));
}

static GStrv
setting(const LacRunHeadline *run, const char *key)
{
  char *text = lac_run_headline_dup_setting(run, key);
  return one(text != NULL ? text : g_strdup(""));
}

static const struct {
  const char *key, *title;
  Names       names;
  int         direction;
} groupings[LAC_N_GROUPINGS] = {
  [LAC_GROUP_NONE] = {"none", N_("Nothing"), everything, 1},
  [LAC_GROUP_EXPERIMENT] = {"experiment", N_("Experiment"), experiment, 1},
  [LAC_GROUP_LABORATORY] = {"laboratory", N_("Laboratory"), laboratory, 1},
  [LAC_GROUP_OUTCOME] = {"outcome", N_("Outcome"), outcome, 1},
  [LAC_GROUP_TAG] = {"tag", N_("Tag"), tags, 1},
  [LAC_GROUP_DAY] = {"day", N_("Day"), day, -1},
  [LAC_GROUP_SWEEP] = {"sweep", N_("Sweep"), sweep, -1},
  [LAC_GROUP_SETTING] = {"", "", setting, 1},
};

const char *
lac_run_grouping_key(LacRunGrouping grouping)
{
  g_return_val_if_fail(grouping < LAC_N_GROUPINGS, NULL);
  return groupings[grouping].key;
}

const char *
lac_run_grouping_title(LacRunGrouping grouping)
{
  g_return_val_if_fail(grouping < LAC_N_GROUPINGS, NULL);
  return groupings[grouping].title;
}

LacRunGrouping
lac_run_grouping_find(const char *key)
{
  for (LacRunGrouping i = 0; i < LAC_GROUP_SETTING; i++)
    if (g_str_equal(groupings[i].key, key))
      return i;
  return LAC_GROUP_SETTING;
}

/* ---- in order ---- */

/* Compares by value if numeric; numbers before words. */
static int
compare_names(const char *a, const char *b)
{
  char    *rest_a, *rest_b;
  double   left = g_ascii_strtod(a, &rest_a), right = g_ascii_strtod(b, &rest_b);
  gboolean is_number_a = rest_a != a && *rest_a == '\0',
           is_number_b = rest_b != b && *rest_b == '\0';
  if (is_number_a != is_number_b)
    return is_number_a ? -1 : 1;
  if (is_number_a && left != right)
    return left < right ? -1 : 1;
  int answer = g_utf8_collate(a, b);
  return answer != 0 ? answer : strcmp(a, b);
}

int
lac_run_compare_group_names(const char *a, const char *b, const char *key)
{
  if ((*a == '\0') != (*b == '\0'))
    return *a == '\0' ? 1 : -1;
  return groupings[lac_run_grouping_find(key)].direction * compare_names(a, b);
}

static int
compare_groups(gconstpointer a, gconstpointer b, gpointer key)
{
  const LacRunGroup *left = *(LacRunGroup *const *) a, *right = *(LacRunGroup *const *) b;
  return lac_run_compare_group_names(left->name, right->name, key);
}

static void
group_free(gpointer data)
{
  LacRunGroup *group = data;
  g_free(group->name);
  g_ptr_array_unref(group->runs);
  g_free(group);
}

static LacRunGroup *
find_group(GPtrArray *groups, GHashTable *by_name, const char *name)
{
  LacRunGroup *group = g_hash_table_lookup(by_name, name);
  if (group != NULL)
    return group;
  group = g_new0(LacRunGroup, 1);
  group->name = g_strdup(name);
  group->runs = g_ptr_array_new();
  g_ptr_array_add(groups, group);
  g_hash_table_insert(by_name, group->name, group);
  return group;
}

GStrv
lac_run_dup_group_names(const LacRunHeadline *run, const char *key)
{
  g_return_val_if_fail(run != NULL && key != NULL, NULL);
  return groupings[lac_run_grouping_find(key)].names(run, key);
}

GPtrArray *
lac_run_group(const GPtrArray *runs, const char *key)
{
  g_return_val_if_fail(runs != NULL && key != NULL, NULL);
  GPtrArray            *groups = g_ptr_array_new_with_free_func(group_free);
  g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < runs->len; i++) {
    g_auto(GStrv) names = lac_run_dup_group_names(runs->pdata[i], key);
    for (char **name = names; *name != NULL; name++)
      g_ptr_array_add(find_group(groups, by_name, *name)->runs, runs->pdata[i]);
  }
  g_ptr_array_sort_with_data(groups, compare_groups, (gpointer) key);
  return groups;
}

/* ---- settings that can be asked for ---- */

typedef struct {
  char *key;
  guint n;
} Use;

static int
compare_uses(gconstpointer a, gconstpointer b)
{
  const Use *left = a, *right = b;
  return left->n != right->n ? (left->n < right->n ? 1 : -1) : strcmp(left->key, right->key);
}

/* @changed: "key=text\nkey=text" */
static void
count_uses(GHashTable *counts, const char *changed)
{
  g_auto(GStrv) lines = g_strsplit(changed, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    char *key = g_strndup(*line, strcspn(*line, "="));
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    g_hash_table_replace(counts, key, GUINT_TO_POINTER(n + 1));
  }
}

GStrv
lac_run_group_settings(const GPtrArray *runs, guint most)
{
  g_return_val_if_fail(runs != NULL, NULL);
  g_autoptr(GHashTable)   counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GArray)       uses = g_array_new(FALSE, FALSE, sizeof(Use));
  g_autoptr(GStrvBuilder) keys = g_strv_builder_new();
  GHashTableIter          iter;
  gpointer                key, n;
  for (guint i = 0; i < runs->len; i++)
    count_uses(counts, ((const LacRunHeadline *) runs->pdata[i])->changed);
  g_hash_table_remove(counts, "");
  g_hash_table_iter_init(&iter, counts);
  while (g_hash_table_iter_next(&iter, &key, &n)) {
    Use use = {key, GPOINTER_TO_UINT(n)};
    g_array_append_val(uses, use);
  }
  g_array_sort(uses, compare_uses);
  for (guint i = 0; i < MIN(uses->len, most); i++)
    g_strv_builder_add(keys, g_array_index(uses, Use, i).key);
  return g_strv_builder_end(keys);
}
