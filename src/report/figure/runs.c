/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels that distinguish the runs of a figure, in captions and legends. */
#include "experiment/experiment.h"
#include "report/figure/figure-private.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

static const LacRunSetting *
find_setting(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_settings; i++)
    if (g_strcmp0(run->settings[i].key, key) == 0)
      return &run->settings[i];
  return NULL;
}

static gboolean
differs(const LacFigureScene *scene, const char *key)
{
  const LacRunSetting *first = find_setting(scene->runs[0], key);

  for (gsize r = 1; r < scene->n_runs; r++) {
    const LacRunSetting *other = find_setting(scene->runs[r], key);

    if ((first == NULL) != (other == NULL) ||
        (first != NULL && g_strcmp0(first->text, other->text) != 0))
      return TRUE;
  }
  return FALSE;
}

char *
lac_figure_dup_difference(const LacFigureScene *scene, gsize r, gsize most)
{
  const LacRunFile *run = scene->runs[r];
  GString          *text = g_string_new(NULL);

  for (gsize i = 1; i < scene->n_runs; i++)
    if (g_strcmp0(scene->runs[i]->experiment, scene->runs[0]->experiment) != 0) {
      g_string_append(text, lac_word(run->title));
      return g_string_free(text, FALSE);
    }
  for (gsize i = 0; i < run->n_settings && most > 0; i++) {
    const LacRunSetting *setting = &run->settings[i];

    if (!differs(scene, setting->key))
      continue;
    g_autofree char *label = lac_word_dup_short(setting->label);
    g_autofree char *value = lac_experiment_dup_shown(run->experiment, setting->key, setting->text);
    g_string_append_printf(text, "%s%s %s", text->len > 0 ? ", " : "", label, value);
    if (setting->unit != NULL && *setting->unit != '\0' && !g_str_equal(setting->unit, "1") &&
        g_str_equal(value, setting->text)) /* a value with a name has no unit */
      g_string_append_printf(text, " %s", setting->unit);
    most--;
  }
  if (text->len == 0 && run->seed != scene->runs[r == 0 ? 1 : 0]->seed)
    g_string_printf(text, "%s %" G_GUINT64_FORMAT, _("seed"), run->seed);
  if (text->len == 0) {
    g_autofree char *name = g_path_get_basename(run->path);
    g_string_append(text, name);
  }
  return g_string_free(text, FALSE);
}

GStrv
lac_figure_dup_names(const LacFigureScene *scene)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new();

  for (gsize r = 0; r < scene->n_runs; r++) {
    g_autofree char *difference = scene->n_runs > 1 ? lac_figure_dup_difference(scene, r, 2) : NULL;

    g_strv_builder_add(names, difference != NULL ? difference : lac_word(scene->runs[r]->title));
  }
  return g_strv_builder_end(names);
}

void
lac_figure_append_runs(const LacFigureScene *scene, GString *text)
{
  for (gsize r = 0; r < scene->n_runs && scene->n_runs > 1; r++) {
    g_autofree char *difference = lac_figure_dup_difference(scene, r, 4);
    g_autofree char *name = g_path_get_basename(scene->runs[r]->path);

    g_string_append_printf(text, "%s%s (%s)", r == 0 ? _(" Runs: ") : "; ", difference, name);
  }
  if (scene->n_runs > 1)
    g_string_append_c(text, '.');
}
