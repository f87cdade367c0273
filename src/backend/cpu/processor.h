/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor as the system describes it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char        name[128]; /* the model; "unknown" where the system does not say */
  guint       n_cores;   /* of all sockets, without what hyper-threading adds */
  guint       n_threads; /* that this process may run at once */
  const char *level; /* instructions that the kernels use: "baseline", "x86-64-v3", "x86-64-v4" */
  guint64     memory,
    memory_free; /* bytes: of the machine, and what programs could still take; 0: unknown */
} LacProcessorFacts;

/* Any thread. */
void lac_processor_query(LacProcessorFacts *facts);

G_END_DECLS
