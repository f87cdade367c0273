/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same work in two ways, in turn, in one process: what the machine does meanwhile is done to both. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gboolean (*measure)(gpointer way, double *cost, GError **error); /* one turn of a way */
  gpointer with, without;
  gsize    n;                                     /* pairs */
  double  *with_costs, *without_costs, *speedups; /* [n]; filled: the last without / with */
} LacBenchScheduler;

/* The order changes from pair to pair. Returns: FALSE with the error of a turn. */
gboolean lac_bench_take_scheduler(const LacBenchScheduler *scheduler, GError **error);

G_END_DECLS
