/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache of expensive results for an experiment, stored in the content cache. */
#pragma once

#include "experiment/experiment.h"
#include "io/format/content-cache.h"

G_BEGIN_DECLS

typedef struct {
  LacMemory        memory;
  LacContentCache *cache;
  char *
    machine; /* cache key of the machine: everything, apart from the settings, that can affect rounding */
} LacRunMemory;

/* @cache: (nullable). Returns: (transfer full) (nullable): the target of LacContext.memory; %NULL without a cache. */
LacRunMemory *lac_run_memory_new(LacContentCache *cache);
void          lac_run_memory_free(LacRunMemory *self);

G_END_DECLS
