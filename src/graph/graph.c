/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records nodes in order of creation, which is a valid order of evaluation. */
#include "graph/graph-private.h"

#include <string.h>

static void
node_info_free(gpointer data)
{
  LacNodeInfo *info = data;

  g_free(info->inputs);
  g_free(info->name);
  g_free(info->numbers);
  g_free(info);
}

LacGraph *
lac_graph_new(void)
{
  LacGraph *graph = g_new0(LacGraph, 1);

  graph->ref_count = 1;
  graph->nodes = g_ptr_array_new_with_free_func(node_info_free);
  return graph;
}

void
lac_graph_set_plain_layers(LacGraph *graph, gboolean plain)
{
  graph->plain_layers = plain;
}

LacGraph *
lac_graph_ref(LacGraph *graph)
{
  g_atomic_int_inc(&graph->ref_count);
  return graph;
}

void
lac_graph_free(LacGraph *graph)
{
  if (!graph || !g_atomic_int_dec_and_test(&graph->ref_count))
    return;
  g_ptr_array_unref(graph->nodes);
  g_free(graph);
}

LacNodeInfo *
lac_graph_get(const LacGraph *graph, guint id)
{
  g_assert(id < graph->nodes->len);
  return g_ptr_array_index(graph->nodes, id);
}

LacNodeInfo *
lac_node_info(LacNode node)
{
  g_return_val_if_fail(node.graph, NULL);
  return lac_graph_get(node.graph, node.id);
}

gboolean
lac_nodes_match(LacNode a, LacNode b)
{
  const LacNodeInfo *left = lac_node_info(a), *right = lac_node_info(b);

  return left && right && left->kind == right->kind && left->kind != LAC_NODE_SCALAR &&
         left->set == right->set && left->n_points == right->n_points &&
         lac_jet_equal(&left->jet, &right->jet) &&
         (left->n_columns == right->n_columns || left->n_columns == 1 || right->n_columns == 1);
}

LacNode
lac_graph_handle(LacGraph *graph, const LacNodeInfo *info)
{
  return (LacNode){graph, info->id};
}

LacNodeInfo *
lac_graph_record_leaf(LacGraph *graph, const LacOp *op, const char *name)
{
  LacNodeInfo *info = g_new0(LacNodeInfo, 1);

  info->op = op;
  info->id = graph->nodes->len;
  info->name = g_strdup(name);
  info->jet = lac_jet_value();
  g_ptr_array_add(graph->nodes, info);
  return info;
}

LacNodeInfo *
lac_graph_record(const LacOp *op, const LacNode *operands, guint n_operands)
{
  LacGraph          *graph = operands[0].graph;
  const LacNodeInfo *first = lac_node_info(operands[0]);
  LacNodeInfo       *info = lac_graph_record_leaf(graph, op, NULL);

  while (!operands[n_operands - 1].graph)
    n_operands--;
  info->inputs = g_new(guint, n_operands);
  info->n_inputs = n_operands;
  for (guint i = 0; i < n_operands; i++) {
    g_assert(operands[i].graph == graph);
    info->inputs[i] = operands[i].id;
  }
  info->kind = first->kind;
  info->set = first->set;
  info->n_points = first->n_points;
  info->n_columns = first->n_columns;
  info->jet = first->jet;
  return info;
}

gsize
lac_node_get_n_columns(LacNode node)
{
  return lac_node_info(node)->n_columns;
}

gsize
lac_node_get_n_points(LacNode node)
{
  return lac_node_info(node)->n_points;
}

LacJet
lac_node_get_jet(LacNode node)
{
  return lac_node_info(node)->jet;
}

gsize
lac_graph_get_n_parameters(const LacGraph *graph)
{
  return graph->n_parameters;
}

gsize
lac_node_get_parameter_offset(LacNode parameter)
{
  const LacNodeInfo *info = lac_node_info(parameter);

  g_return_val_if_fail(info->kind == LAC_NODE_PARAMETER && !info->fixed && !info->op->forward, 0);
  return info->offset;
}
