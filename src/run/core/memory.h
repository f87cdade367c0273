/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of an experiment, kept in the cache of contents. */
#pragma once

#include "experiment/experiment.h"
#include "io/format/content-cache.h"

G_BEGIN_DECLS

typedef struct {
  LacMemory        memory;
  LacContentCache *cache;
  char            *machine; /* what else rounding may depend on */
} LacRunMemory;

/* @cache: (nullable). Returns: (transfer full) (nullable): what LacContext.memory points into; %NULL without a cache. */
LacRunMemory *lac_run_memory_new(LacContentCache *cache);
void          lac_run_memory_free(LacRunMemory *self);

G_END_DECLS
