/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the runs of a UI recording to the runs that replace them. */
#include "app/script/replay-runs.h"

#include "app/script/runs-of-script.h"

struct _LacReplayRuns {
  LacUiScript *script;
  gboolean     computes;
  guint        n_begun;  /* so far */
  GHashTable  *computed; /* run name in the recording: folder of the new run */
  GHashTable  *ended;    /* set of folders whose run has ended */
  char        *missing;  /* (nullable): name of a recorded run that was not found */
  char        *folder;   /* (nullable) */
};

LacReplayRuns *
lac_replay_runs_new(LacUiScript *script, gboolean computes, const char *folder)
{
  g_return_val_if_fail(script != NULL, NULL);
  LacReplayRuns *self = g_new0(LacReplayRuns, 1);
  self->script = script;
  self->computes = computes;
  self->computed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  self->ended = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->folder = g_strdup(folder);
  return self;
}

void
lac_replay_runs_free(LacReplayRuns *self)
{
  if (self == NULL)
    return;
  lac_ui_script_free(self->script);
  g_hash_table_unref(self->computed);
  g_hash_table_unref(self->ended);
  g_free(self->missing);
  g_free(self->folder);
  g_free(self);
}

const LacUiScript *
lac_replay_runs_get_script(const LacReplayRuns *self)
{
  g_return_val_if_fail(self != NULL, NULL);
  return self->script;
}

const char *
lac_replay_runs_get_missing(const LacReplayRuns *self)
{
  g_return_val_if_fail(self != NULL, NULL);
  return self->missing;
}

/* Returns: (nullable) (transfer none): the name of the @n-th run that began in the recording */
static const char *
name_of_run(const LacReplayRuns *self, guint n)
{
  for (guint i = 0; i < self->script->entries->len; i++) {
    const LacUiScriptEntry *entry = self->script->entries->pdata[i];
    if (g_str_equal(entry->action, LAC_UI_SCRIPT_FACT_RUN) && entry->value != NULL &&
        g_variant_is_of_type(entry->value, G_VARIANT_TYPE_STRING) && n-- == 0)
      return g_variant_get_string(entry->value, NULL);
  }
  return NULL;
}

/* Returns: (transfer full) (nullable): the folder of the run, saved with the recording or still in the folder of
 * runs */
static char *
find_kept(const LacReplayRuns *self, const char *name)
{
  g_autofree char *place = lac_ui_script_runs_dup_place(self->script->folder, name);
  g_autofree char *alone = g_path_get_basename(name);
  g_autofree char *here = self->folder != NULL ? g_build_filename(self->folder, alone, NULL) : NULL;
  if (g_file_test(place, G_FILE_TEST_IS_DIR))
    return g_steal_pointer(&place);
  return here != NULL && g_file_test(here, G_FILE_TEST_IS_DIR) ? g_steal_pointer(&here) : NULL;
}

char *
lac_replay_runs_find(const char *name, gpointer runs)
{
  LacReplayRuns *self = runs;
  const char    *computed = g_hash_table_lookup(self->computed, name);
  char          *kept = computed == NULL ? find_kept(self, name) : NULL;
  if (computed == NULL && kept == NULL && self->missing == NULL)
    self->missing = g_strdup(name);
  return computed != NULL ? g_strdup(computed)
         : kept != NULL   ? kept
                          : lac_ui_script_runs_dup_place(self->script->folder, name);
}

char *
lac_replay_runs_take(LacReplayRuns *self)
{
  g_return_val_if_fail(self != NULL, NULL);
  const char *name = self->computes ? NULL : name_of_run(self, self->n_begun);
  if (name == NULL)
    return NULL;
  char *folder = find_kept(self, name);
  if (folder != NULL)
    self->n_begun++;
  else if (self->missing == NULL)
    self->missing = g_strdup(name);
  return folder;
}

void
lac_replay_runs_notify_launched(LacReplayRuns *self, const char *folder)
{
  g_return_if_fail(self != NULL && folder != NULL);
  const char *name = name_of_run(self, self->n_begun);
  if (name != NULL)
    g_hash_table_insert(self->computed, g_strdup(name), g_strdup(folder));
  self->n_begun++;
}

void
lac_replay_runs_notify_ended(LacReplayRuns *self, const char *folder)
{
  g_return_if_fail(self != NULL && folder != NULL);
  g_hash_table_add(self->ended, g_strdup(folder));
}

gboolean
lac_replay_runs_awaits_end(const LacReplayRuns *self, const LacUiScriptEntry *entry)
{
  g_return_val_if_fail(self != NULL && entry != NULL, FALSE);
  if (!g_str_equal(entry->action, LAC_UI_SCRIPT_FACT_ENDED) || entry->value == NULL ||
      !g_variant_is_of_type(entry->value, G_VARIANT_TYPE_STRING))
    return FALSE;
  const char *folder =
    g_hash_table_lookup(self->computed, g_variant_get_string(entry->value, NULL));
  return folder != NULL && !g_hash_table_contains(self->ended, folder);
}
