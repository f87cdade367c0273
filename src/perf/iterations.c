/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which spans are the iterations, and how far each is from the others. */
#include "perf/iterations.h"

#include "perf/ratio.h"

#define NORMAL_CONSISTENCY 1.4826 /* of the median absolute deviation */
#define LEAST_DEVIATION    0.005  /* of the median: a clock has its own grain */
#define LEAST_ITERATIONS   5

typedef struct {
  guint8  depth;
  guint64 count, n_steps; /* how often, and in how many steps */
  gint64  last_step;
  double  total_ns;
} Candidate;

/* Tiles and what else a pool's threads do outermost are parts of an iteration, several in a step. */
static gboolean
is_part(const Candidate *candidate)
{
  return 2 * candidate->count > 3 * candidate->n_steps;
}

static void
add(Candidate *candidate, const LacRecord *record)
{
  gboolean is_first = candidate->count == 0;
  candidate->depth = is_first ? record->depth : MIN(candidate->depth, record->depth);
  candidate->n_steps += is_first || record->step != candidate->last_step;
  candidate->last_step = record->step;
  candidate->count++;
  candidate->total_ns += (double) MAX(record->duration_ns, 1);
}

/* Without parts where there is anything else. */
static void
leave_out_parts(GArray *candidates)
{
  gboolean any = FALSE;
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, i);
    any |= candidate->count > 0 && candidate->depth == 0 && !is_part(candidate);
  }
  for (guint i = 0; i < candidates->len && any; i++) {
    Candidate *candidate = &g_array_index(candidates, Candidate, i);
    if (is_part(candidate))
      candidate->count = 0;
  }
}

/* Of the outermost spans with a step the name that takes most time, among those that come at least half as often as any:
 * a checkpoint may last longer than all steps together. */
static gboolean
find_name(const LacCapture *capture, guint32 *name)
{
  g_autoptr(GArray) candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
  gsize             n = lac_capture_get_n_records(capture);
  for (gsize i = 0; i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN || record->step < 0)
      continue;
    if (record->name >= candidates->len)
      g_array_set_size(candidates, record->name + 1);
    add(&g_array_index(candidates, Candidate, record->name), record);
  }
  leave_out_parts(candidates);
  guint   depth = G_MAXUINT;
  guint64 most = 0;
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, i);
    if (candidate->count == 0 || candidate->depth > depth)
      continue;
    most = candidate->depth < depth ? candidate->count : MAX(most, candidate->count);
    depth = candidate->depth;
  }
  const Candidate *best = NULL;
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *candidate = &g_array_index(candidates, Candidate, i);
    if (candidate->count > 0 && candidate->depth == depth && 2 * candidate->count >= most &&
        (best == NULL || candidate->total_ns > best->total_ns)) {
      best = candidate;
      *name = i;
    }
  }
  return best != NULL;
}

static void
judge(LacIterations *all)
{
  gsize              n = all->n - 1;
  g_autofree double *values = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    values[i] = (double) all->iterations[i + 1].duration_ns;
  all->median_ns = lac_median(values, n);
  all->deviation_ns =
    MAX(NORMAL_CONSISTENCY * lac_median_deviation(values, n), LEAST_DEVIATION * all->median_ns);
  for (gsize i = 0; i < all->n && all->deviation_ns > 0; i++) {
    LacIteration *iteration = &all->iterations[i];
    double        excess = (double) iteration->duration_ns - all->median_ns;
    iteration->score = excess / all->deviation_ns;
    iteration->is_outlier =
      iteration->score > LAC_OUTLIER_SCORE && excess > LAC_OUTLIER_SHARE * all->median_ns;
    all->n_outliers += iteration->is_outlier;
  }
}

LacIterations
lac_iterations_find(const LacCapture *capture)
{
  LacIterations     all = {0};
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(LacIteration));
  g_return_val_if_fail(capture != NULL, all);
  if (!find_name(capture, &all.name))
    return all;
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN || record->name != all.name || record->step < 0)
      continue;
    LacIteration iteration = {
      .step = record->step,
      .start_ns = record->start_ns,
      .duration_ns = record->duration_ns,
      .record = i,
    };
    g_array_append_val(found, iteration);
  }
  all.n = found->len;
  all.iterations = (LacIteration *) (gpointer) g_array_free(g_steal_pointer(&found), FALSE);
  if (all.n >= LEAST_ITERATIONS)
    judge(&all);
  return all;
}

void
lac_iterations_clear(LacIterations *iterations)
{
  g_clear_pointer(&iterations->iterations, g_free);
  iterations->n = iterations->n_outliers = 0;
}

gssize
lac_iterations_next_outlier(const LacIterations *iterations, gssize from, int direction)
{
  g_return_val_if_fail(iterations != NULL && (direction == 1 || direction == -1), -1);
  for (gssize i = from + direction; i >= 0 && (gsize) i < iterations->n; i += direction)
    if (iterations->iterations[i].is_outlier)
      return i;
  return -1;
}

gsize
lac_iterations_count_over(const LacIterations *iterations, gint64 target_ns)
{
  g_return_val_if_fail(iterations != NULL, 0);
  gsize n = 0;
  for (gsize i = 0; target_ns > 0 && i < iterations->n; i++)
    n += iterations->iterations[i].duration_ns > target_ns;
  return n;
}

gssize
lac_iterations_next_over(const LacIterations *iterations,
                         gint64               target_ns,
                         gssize               from,
                         int                  direction)
{
  g_return_val_if_fail(iterations != NULL && (direction == 1 || direction == -1), -1);
  for (gssize i = from + direction; target_ns > 0 && i >= 0 && (gsize) i < iterations->n;
       i += direction)
    if (iterations->iterations[i].duration_ns > target_ns)
      return i;
  return -1;
}
