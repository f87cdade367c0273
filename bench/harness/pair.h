/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alternating measurement of two variants of the same work in one process, so that other load affects both alike. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gboolean (*measure)(gpointer way,
                      double  *cost,
                      GError **error); /* measures one turn of a variant */
  gpointer with, without;
  gsize    n;                                     /* number of pairs */
  double  *with_costs, *without_costs, *speedups; /* [n]; filled; speedups: without / with */
} LacBenchTurns;

/* Alternates the order from pair to pair. Returns: FALSE with the error of a turn. */
gboolean lac_bench_take_turns(const LacBenchTurns *turns, GError **error);

G_END_DECLS
