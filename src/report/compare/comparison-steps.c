/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operation takes of each step, of runs beside each other. */
#include "perf/analysis/median-ratio.h"
#include "report/compare/comparison.h"

#include <math.h>

/* Of one operation in one run: its time in each step, in the order of steps as they come. */
typedef struct {
  GArray     *seconds; /* of double */
  GHashTable *steps;   /* step + 1 -> 1 + its index */
} Times;

static Times *
times_new(gsize n)
{
  Times *times = g_new(Times, n);
  for (gsize i = 0; i < n; i++)
    times[i] = (Times){g_array_new(FALSE, FALSE, sizeof(double)), g_hash_table_new(NULL, NULL)};
  return times;
}

static void
times_free(Times *times, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_array_unref(times[i].seconds);
    g_hash_table_unref(times[i].steps);
  }
  g_free(times);
}

static void
add(Times *times, gint64 step, double seconds)
{
  gpointer key = GSIZE_TO_POINTER((gsize) step + 1);
  guint    at = GPOINTER_TO_UINT(g_hash_table_lookup(times->steps, key));
  if (at > 0) {
    g_array_index(times->seconds, double, at - 1) += seconds;
    return;
  }
  g_array_append_val(times->seconds, seconds);
  g_hash_table_insert(times->steps, key, GUINT_TO_POINTER(times->seconds->len));
}

/* Of all operations in one pass; threads that share a step are summed. */
static Times *
gather(const LacCapture *capture, const char *const *operations, gsize n)
{
  Times            *times = times_new(n);
  const guint32     n_names = lac_capture_get_n_names(capture);
  g_autofree gsize *which = g_new0(gsize, n_names + 1); /* name -> 1 + its operation */
  const LacRecord  *records;
  gsize             n_records;
  for (gsize i = 0; i < n; i++) {
    const gint64 name = lac_capture_find_name(capture, operations[i]);
    if (name >= 0)
      which[name] = i + 1;
  }
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n_records)) != NULL;
       first += n_records)
    for (gsize k = 0; k < n_records; k++) {
      const LacRecord *record = &records[k];
      if (record->kind == LAC_RECORD_AGGREGATE && record->step >= 0 && record->name < n_names &&
          which[record->name] > 0)
        add(&times[which[record->name] - 1], record->step, (double) record->duration_ns * 1e-9);
    }
  return times;
}

void
lac_comparison_step_ratios(LacRunFile *const *runs,
                           gsize              n_runs,
                           const char *const *operations,
                           gsize              n,
                           LacRatio          *ratios)
{
  g_return_if_fail(runs != NULL && n_runs >= 1 && operations != NULL && ratios != NULL);
  Times *before = gather(runs[0]->capture, operations, n);
  for (gsize r = 0; r < n_runs; r++) {
    Times *after = gather(runs[r]->capture, operations, n);
    for (gsize i = 0; i < n; i++)
      ratios[i * n_runs + r] = lac_ratio_of_medians(
        (const double *) (gconstpointer) before[i].seconds->data, before[i].seconds->len,
        (const double *) (gconstpointer) after[i].seconds->data, after[i].seconds->len);
    times_free(after, n);
  }
  times_free(before, n);
}
