/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases are found from the tree alone: what is inside an iteration is a phase, and so is what is outside of all. */
#include "perf/analysis/time-parts.h"

#include <math.h>

static void
add(GArray *parts, guint32 name, gint64 ns)
{
  for (guint i = 0; i < parts->len; i++) {
    LacTimePart *part = &g_array_index(parts, LacTimePart, i);
    if (part->name == name) {
      part->ns += ns;
      return;
    }
  }
  const LacTimePart part = {name, ns};
  g_array_append_val(parts, part);
}

static int
compare_ns(gconstpointer a, gconstpointer b)
{
  const LacTimePart *x = a, *y = b;
  return (x->ns < y->ns) - (x->ns > y->ns);
}

/* Returns the time below which a part belongs to the rest. */
static gint64
find_least(const GArray *parts, gint64 whole_ns)
{
  const gint64      least = MAX((gint64) (LAC_PARTS_LEAST * (double) whole_ns), 1);
  g_autoptr(GArray) sorted = g_array_copy((GArray *) parts);
  if (sorted->len <= LAC_PARTS_MOST)
    return least;
  g_array_sort(sorted, compare_ns);
  return MAX(least, g_array_index(sorted, LacTimePart, LAC_PARTS_MOST).ns + 1);
}

/* Keeps the large parts in their order, and adds the rest. @parts: (transfer full) */
static LacTimeParts
finish(GArray *parts, gint64 whole_ns)
{
  const gint64 least = find_least(parts, whole_ns);
  GArray      *kept = g_array_new(FALSE, FALSE, sizeof(LacTimePart));
  LacTimePart  rest = {LAC_NO_NAME, whole_ns};

  for (guint i = 0; i < parts->len; i++) {
    const LacTimePart part = g_array_index(parts, LacTimePart, i);
    if (part.ns < least)
      continue;
    g_array_append_val(kept, part);
    rest.ns -= part.ns;
  }
  if (rest.ns > 0)
    g_array_append_val(kept, rest);
  g_array_unref(parts);
  const gsize n = kept->len;
  return (LacTimeParts){(LacTimePart *) (gpointer) g_array_free(kept, FALSE), n, whole_ns};
}

/* ---- phases ---- */

/* Returns: [n]: whether each node is divided: an iteration with spans, or a span that holds iterations. */
static gboolean *
find_divided(const LacCallTree *tree)
{
  gboolean *divided = g_new0(gboolean, tree->n + 1);

  for (gsize i = tree->n; i-- > 0 && tree->iteration != LAC_NO_NAME;) {
    const LacCallNode *node = &tree->nodes[i];
    if (node->parent == LAC_CALL_NONE || node->is_operation)
      continue;
    const gboolean is_in_iteration = tree->nodes[node->parent].name == tree->iteration;
    if (is_in_iteration || divided[i] || node->name == tree->iteration)
      divided[node->parent] = TRUE;
  }
  return divided;
}

LacTimeParts
lac_time_parts_of_phases(const LacCallTree *tree, guint32 *phases)
{
  g_return_val_if_fail(tree != NULL, ((LacTimeParts){0}));
  g_autofree gboolean *divided = find_divided(tree);
  g_autofree guint32  *own = g_new(guint32, tree->n + 1);
  GArray              *parts = g_array_new(FALSE, FALSE, sizeof(LacTimePart));

  for (gsize i = 0; i < tree->n; i++) {
    const LacCallNode *node = &tree->nodes[i];
    const gboolean     is_outermost = node->parent == LAC_CALL_NONE || divided[node->parent];
    own[i] = divided[i] ? LAC_NO_NAME : is_outermost ? node->name : own[node->parent];
    if (is_outermost && !divided[i] && !node->is_operation)
      add(parts, node->name, node->total_ns);
    else if (is_outermost && !divided[i])
      own[i] = LAC_NO_NAME;
  }
  LacTimeParts done = finish(parts, tree->end_ns - tree->begin_ns);
  for (gsize i = 0; phases != NULL && i < tree->n; i++) {
    phases[i] = LAC_NO_NAME;
    for (gsize k = 0; k < done.n; k++)
      if (done.parts[k].name == own[i])
        phases[i] = own[i];
  }
  return done;
}

/* ---- operations ---- */

/* Subtracts from each phase the time of the operations within it. @places: name -> 1 + index in @own */
static void
take_out_operations(const LacCallTree *tree, GHashTable *places, GArray *own)
{
  for (gsize i = 0; i < tree->n; i++) {
    const LacCallNode *node = &tree->nodes[i];
    if (!node->is_operation || node->parent == LAC_CALL_NONE)
      continue;
    const guint at = GPOINTER_TO_UINT(
      g_hash_table_lookup(places, GUINT_TO_POINTER(tree->nodes[node->parent].name)));
    LacAggregate *row = at > 0 ? &g_array_index(own, LacAggregate, at - 1) : NULL;
    if (row != NULL && !row->is_operation)
      row->self_ns = fmax(row->self_ns - (double) node->total_ns, 0);
  }
}

GArray *
lac_own_times(const LacCallTree *tree, const LacAggregate *rows, gsize n_rows)
{
  g_return_val_if_fail(tree != NULL && (rows != NULL || n_rows == 0), NULL);
  GArray               *own = g_array_sized_new(FALSE, FALSE, sizeof *rows, (guint) n_rows);
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  double                whole_ns = 0;

  g_array_append_vals(own, rows, (guint) n_rows);
  for (guint i = 0; i < own->len; i++)
    g_hash_table_insert(places, GUINT_TO_POINTER(rows[i].name), GUINT_TO_POINTER(i + 1));
  take_out_operations(tree, places, own);
  for (guint i = 0; i < own->len; i++)
    whole_ns += g_array_index(own, LacAggregate, i).self_ns;
  for (guint i = 0; i < own->len; i++) {
    LacAggregate *row = &g_array_index(own, LacAggregate, i);
    row->share = whole_ns > 0 ? row->self_ns / whole_ns : 0;
  }
  return own;
}

LacTimeParts
lac_time_parts_of_operations(const LacCallTree *tree, const LacAggregate *rows, gsize n_rows)
{
  g_return_val_if_fail(tree != NULL && (rows != NULL || n_rows == 0), ((LacTimeParts){0}));
  g_autoptr(GArray) own = lac_own_times(tree, rows, n_rows);
  GArray           *parts = g_array_new(FALSE, FALSE, sizeof(LacTimePart));
  gint64            whole_ns = 0;

  for (guint i = 0; i < own->len; i++) {
    const LacAggregate *row = &g_array_index(own, LacAggregate, i);
    const gint64        ns = (gint64) llround(row->self_ns);
    if (ns <= 0)
      continue;
    add(parts, row->name, ns);
    whole_ns += ns;
  }
  g_array_sort(parts, compare_ns);
  return finish(parts, whole_ns);
}

/* ---- shares ---- */

void
lac_time_parts_round(const LacTimeParts *parts, guint total, guint *shares)
{
  g_return_if_fail(parts != NULL && (shares != NULL || parts->n == 0));
  g_autofree double *remainders = g_new(double, parts->n + 1);
  guint              left = parts->whole_ns > 0 ? total : 0;

  for (gsize i = 0; i < parts->n; i++) {
    const double exact =
      parts->whole_ns > 0 ? total * ((double) parts->parts[i].ns / (double) parts->whole_ns) : 0;
    shares[i] = MIN((guint) exact, left);
    remainders[i] = exact - shares[i];
    left -= shares[i];
  }
  while (left > 0 && parts->n > 0) {
    gsize largest = 0;
    for (gsize i = 1; i < parts->n; i++)
      if (remainders[i] > remainders[largest])
        largest = i;
    shares[largest]++;
    remainders[largest] -= 1;
    left--;
  }
}

void
lac_time_parts_clear(LacTimeParts *parts)
{
  g_free(parts->parts);
  *parts = (LacTimeParts){0};
}
