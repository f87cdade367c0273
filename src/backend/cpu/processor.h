/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor properties reported by the system. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char        name[128]; /* model name; "unknown" if not reported */
  guint       n_cores;   /* physical cores of all sockets */
  guint       n_threads; /* hardware threads available to this process */
  const char *level;     /* instruction set of the kernels: "baseline", "x86-64-v3", "x86-64-v4" */
  guint64     memory, memory_free; /* bytes: total, and available to programs; 0: unknown */
} LacProcessorFacts;

/* Any thread. */
void lac_processor_query(LacProcessorFacts *facts);

G_END_DECLS
