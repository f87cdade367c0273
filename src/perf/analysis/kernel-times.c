/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels precede the span of their operation, in the same lane. */
#include "perf/analysis/kernel-times.h"

#include <math.h>
#include <string.h>

static guint
hash(gconstpointer key)
{
  const LacKernelTime *row = key;

  return row->kernel * 31 + row->operation;
}

static gboolean
is_same(gconstpointer a, gconstpointer b)
{
  const LacKernelTime *x = a, *y = b;

  return x->kernel == y->kernel && x->operation == y->operation;
}

static void
add(GHashTable *rows, const LacRecord *record, guint32 operation)
{
  const LacKernelTime key = {.kernel = record->name, .operation = operation};
  LacKernelTime      *row = g_hash_table_lookup(rows, &key);

  if (row == NULL) {
    row = g_memdup2(&key, sizeof key);
    g_hash_table_add(rows, row);
  }
  row->count++;
  row->total_ns += (double) record->duration_ns;
  row->occupancy += record->value * (double) record->duration_ns;
  row->max_ns = MAX(row->max_ns, (double) record->duration_ns);
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const LacKernelTime *x = a, *y = b;

  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? 1 : -1;
  return x->kernel != y->kernel ? (x->kernel > y->kernel) - (x->kernel < y->kernel)
                                : (x->operation > y->operation) - (x->operation < y->operation);
}

static void
add_operation(GHashTable *operations, guint32 name)
{
  const gpointer key = GUINT_TO_POINTER(name + 1);
  const gsize    n = GPOINTER_TO_SIZE(g_hash_table_lookup(operations, key));

  g_hash_table_insert(operations, key, GSIZE_TO_POINTER(n + 1));
}

/* @operations: number of runs by name + 1 */
static GArray *
make_sorted(GHashTable *rows, GHashTable *operations)
{
  GArray        *sorted = g_array_new(FALSE, FALSE, sizeof(LacKernelTime));
  GHashTableIter iter;
  gpointer       row;
  double         whole = 0;

  g_hash_table_iter_init(&iter, rows);
  while (g_hash_table_iter_next(&iter, &row, NULL)) {
    g_array_append_vals(sorted, row, 1);
    whole += ((const LacKernelTime *) row)->total_ns;
  }
  for (guint i = 0; i < sorted->len && whole > 0; i++) {
    LacKernelTime *time = &g_array_index(sorted, LacKernelTime, i);
    time->share = time->total_ns / whole;
    time->occupancy = time->occupancy > 0 ? MIN(time->occupancy / time->total_ns, 1) : (double) NAN;
    time->n_operations =
      GPOINTER_TO_SIZE(g_hash_table_lookup(operations, GUINT_TO_POINTER(time->operation + 1)));
  }
  g_array_sort(sorted, compare);
  return sorted;
}

GArray *
lac_kernel_times_of_capture(const LacCapture *capture, gsize *n_steps)
{
  g_autoptr(GHashTable) rows = g_hash_table_new_full(hash, is_same, g_free, NULL);
  g_autoptr(GHashTable) operations = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) steps = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray)     waiting = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  const LacRecord      *records;
  gsize                 n;

  g_return_val_if_fail(capture != NULL && n_steps != NULL, NULL);
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++) {
      if (records[i].kind == LAC_RECORD_KERNEL)
        g_array_append_val(waiting, records[i]);
      if (waiting->len == 0 || records[i].kind != LAC_RECORD_SPAN ||
          records[i].lane != g_array_index(waiting, LacRecord, 0).lane)
        continue;
      for (guint k = 0; k < waiting->len; k++)
        add(rows, &g_array_index(waiting, LacRecord, k), records[i].name);
      g_hash_table_add(steps, GSIZE_TO_POINTER((gsize) records[i].step + 1));
      add_operation(operations, records[i].name);
      g_array_set_size(waiting, 0);
    }
  *n_steps = g_hash_table_size(steps);
  return make_sorted(rows, operations);
}
