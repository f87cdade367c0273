/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache keys are prefixed by everything that the last bit of a result may depend on besides its parameters. */
#include "run/core/memory.h"

#include "run/core/provenance.h"

static GBytes *
recall(const char *key, gpointer user_data)
{
  LacRunMemory    *self = user_data;
  g_autofree char *whole = g_strconcat(self->machine, "\n", key, NULL);

  return lac_content_cache_recall(self->cache, whole);
}

static void
remember(const char *key, GBytes *bytes, gpointer user_data)
{
  LacRunMemory    *self = user_data;
  g_autofree char *whole = g_strconcat(self->machine, "\n", key, NULL);

  lac_content_cache_remember(self->cache, whole, bytes);
}

LacRunMemory *
lac_run_memory_new(LacContentCache *cache)
{
  LacRunMemory    *self;
  g_auto(GStrv)    facts = NULL;
  g_autofree char *all = NULL;
  const char      *level = g_getenv("LACUNA_CPU_LEVEL");

  if (!cache)
    return NULL;
  self = g_new0(LacRunMemory, 1);
  facts = lac_provenance_new_machine();
  self->memory = (LacMemory){recall, remember, self};
  self->cache = lac_content_cache_ref(cache);
  all = g_strjoinv("\n", facts);
  self->machine = g_strdup_printf("%s\n%s", all, level ? level : "");
  return self;
}

void
lac_run_memory_free(LacRunMemory *self)
{
  if (!self)
    return;
  lac_content_cache_unref(self->cache);
  g_free(self->machine);
  g_free(self);
}
