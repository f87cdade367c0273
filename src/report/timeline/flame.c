/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two trees are matched from the outermost spans inwards. */
#include "report/timeline/flame.h"

#include <math.h>
#include <string.h>

LacFlame
lac_flame_make(const LacCallTree *tree)
{
  g_return_val_if_fail(tree != NULL, ((LacFlame){0}));
  LacFlame           flame = {.bars = g_new0(LacFlameBar, tree->n + 1),
                              .n = tree->n,
                              .whole_ns = tree->end_ns - tree->begin_ns,
                              .iteration = tree->iteration};
  g_autofree gint64 *next = g_new0(gint64, tree->n + 1); /* where the next child begins */
  gint64             outermost = 0;

  for (gsize i = 0; i < tree->n; i++) {
    const LacCallNode *node = &tree->nodes[i];
    gint64            *at = node->parent == LAC_CALL_NONE ? &outermost : &next[node->parent];
    flame.bars[i] = (LacFlameBar){.name = node->name,
                                  .parent = node->parent,
                                  .depth = node->depth,
                                  .is_operation = node->is_operation,
                                  .count = node->count,
                                  .begin_ns = *at,
                                  .total_ns = node->total_ns};
    next[i] = *at;
    *at += node->total_ns;
    flame.n_rows = MAX(flame.n_rows, node->depth + 1);
  }
  return flame;
}

/* ---- the change ---- */

typedef struct {
  const LacCapture  *capture;
  const LacCallTree *tree;
} Side;

static const char *
name_of(const Side *side, gsize i)
{
  return lac_capture_get_name(side->capture, side->tree->nodes[i].name);
}

/* Finds the node with the path of node @i of the other side; @matches: those of the nodes before it, by index. */
static guint
find_match(const Side *side, const Side *other, gsize i, const guint *matches)
{
  const LacCallNode *node = &other->tree->nodes[i];
  const guint        parent = node->parent == LAC_CALL_NONE ? LAC_CALL_NONE : matches[node->parent];
  if (node->parent != LAC_CALL_NONE && parent == LAC_CALL_NONE)
    return LAC_CALL_NONE;
  for (gsize k = parent == LAC_CALL_NONE ? 0 : parent + 1; k < side->tree->n; k++) {
    const LacCallNode *candidate = &side->tree->nodes[k];
    if (candidate->parent == parent && candidate->is_operation == node->is_operation &&
        g_str_equal(name_of(side, k), name_of(other, i)))
      return (guint) k;
  }
  return LAC_CALL_NONE;
}

/* Adds a path that has no match, in order of time; paths below it are part of it. */
static void
add_missing(LacFlame *flame, const char *name, gint64 ns)
{
  gsize at = flame->n_missing;
  while (at > 0 && flame->missing[at - 1].ns < ns)
    at--;
  if (at == LAC_FLAME_MISSING || ns <= 0)
    return;
  if (flame->n_missing == LAC_FLAME_MISSING)
    g_free(flame->missing[--flame->n_missing].name);
  memmove(&flame->missing[at + 1], &flame->missing[at],
          (flame->n_missing - at) * sizeof flame->missing[0]);
  flame->missing[at].name = g_strdup(name);
  flame->missing[at].ns = ns;
  flame->n_missing++;
}

LacFlame
lac_flame_make_difference(const LacCapture  *before_capture,
                          const LacCallTree *before,
                          const LacCapture  *capture,
                          const LacCallTree *tree)
{
  g_return_val_if_fail(before != NULL && tree != NULL, ((LacFlame){0}));
  const Side           first = {before_capture, before}, second = {capture, tree};
  g_autofree guint    *matches = g_new(guint, tree->n + 1);
  g_autofree gboolean *is_matched = g_new0(gboolean, before->n + 1);
  LacFlame             flame = lac_flame_make(tree);

  flame.is_difference = TRUE;
  for (gsize i = 0; i < tree->n; i++) {
    matches[i] = find_match(&first, &second, i, matches);
    if (matches[i] == LAC_CALL_NONE)
      continue;
    is_matched[matches[i]] = TRUE;
    flame.bars[i].before_ns = before->nodes[matches[i]].total_ns;
  }
  for (gsize k = 0; k < before->n; k++) {
    const guint parent = before->nodes[k].parent;
    if (!is_matched[k] && (parent == LAC_CALL_NONE || is_matched[parent]))
      add_missing(&flame, name_of(&first, k), before->nodes[k].total_ns);
  }
  return flame;
}

void
lac_flame_clear(LacFlame *flame)
{
  for (gsize i = 0; i < flame->n_missing; i++)
    g_free(flame->missing[i].name);
  g_free(flame->bars);
  *flame = (LacFlame){0};
}

double
lac_flame_change(const LacFlameBar *bar)
{
  if (bar->before_ns <= 0)
    return bar->total_ns > 0 ? 1 : 0;
  if (bar->total_ns <= 0)
    return -1;
  return CLAMP(log2((double) bar->total_ns / (double) bar->before_ns), -1, 1);
}
