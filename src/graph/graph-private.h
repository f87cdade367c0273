/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals of a graph, used by the planner and the op files in ops/. */
#pragma once

#include "graph/op.h"

G_BEGIN_DECLS

struct _LacGraph {
  gint       ref_count; /* atomic: a program holds a reference to its graph */
  GPtrArray *nodes;     /* LacNodeInfo, owned; the index is the node's id */
  gsize      n_parameters;
  gboolean   plain_layers;
};

LacGraph    *lac_graph_ref(LacGraph *graph);
LacNodeInfo *lac_graph_get(const LacGraph *graph, guint id);

G_END_DECLS
