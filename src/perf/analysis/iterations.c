/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identifies the iteration spans and scores their deviation from the others. */
#include "perf/analysis/iterations.h"

#include "perf/analysis/ratio.h"

#define NORMAL_CONSISTENCY 1.4826 /* of the median absolute deviation to the standard deviation */
#define LEAST_DEVIATION    0.005  /* of the median: covers the clock's resolution */
#define LEAST_ITERATIONS   5

#define GROWTH 1.1 /* growth in iterations after which the median is recomputed */
#define PREFERENCE \
  1.2 /* factor in time by which another name must lead to replace a name still eligible */

typedef struct {
  guint8  depth;
  guint64 count, n_steps; /* occurrences; number of steps with any */
  gint64  last_step;
  double  total_ns;
} Candidate;

struct LacIterationSearch {
  GArray       *candidates; /* Candidate, by name */
  GArray       *found;      /* LacIteration */
  gsize         n_seen;     /* records */
  gsize         n_scored;   /* iterations the median is based on */
  LacIterations result;     /* its iterations point into @found */
};

/* Returns TRUE for parts of an iteration, such as tiles on pool threads: several in a step. */
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

static void
count(LacIterationSearch *self, const LacRecord *record)
{
  if (record->name >= self->candidates->len)
    g_array_set_size(self->candidates, record->name + 1);
  add(&g_array_index(self->candidates, Candidate, record->name), record);
}

/* Criteria for iteration spans: outermost, without parts unless nothing else is outermost, and at least half as
 * frequent as the most frequent: a checkpoint may last longer than all steps together. */
typedef struct {
  gboolean without_parts;
  guint    depth;
  guint64  most;
} Terms;

static gboolean
is_outermost(const Candidate *candidate, const Terms *terms)
{
  return candidate->count > 0 && !(terms->without_parts && is_part(candidate)) &&
         candidate->depth == terms->depth;
}

static Terms
find_terms(const Candidate *candidates, guint n)
{
  Terms terms = {FALSE, G_MAXUINT, 0};
  for (guint i = 0; i < n; i++)
    terms.without_parts |=
      candidates[i].count > 0 && candidates[i].depth == 0 && !is_part(&candidates[i]);
  for (guint i = 0; i < n; i++)
    if (candidates[i].count > 0 && !(terms.without_parts && is_part(&candidates[i])))
      terms.depth = MIN(terms.depth, candidates[i].depth);
  for (guint i = 0; i < n; i++)
    if (is_outermost(&candidates[i], &terms))
      terms.most = MAX(terms.most, candidates[i].count);
  return terms;
}

/* Finds the name with most time. Returns: FALSE without one. */
static gboolean
find_name(const LacIterationSearch *self, guint32 *name)
{
  const Candidate *candidates = (const Candidate *) (gconstpointer) self->candidates->data;
  Terms            terms = find_terms(candidates, self->candidates->len);
  const Candidate *best = NULL;
  for (guint i = 0; i < self->candidates->len; i++)
    if (is_outermost(&candidates[i], &terms) && 2 * candidates[i].count >= terms.most &&
        (best == NULL || candidates[i].total_ns > best->total_ns)) {
      best = &candidates[i];
      *name = i;
    }
  return best != NULL;
}

/* Hysteresis: switching between two names of about equal time would rescan all records each time. */
static gboolean
is_clearly_better(const LacIterationSearch *self, guint32 name)
{
  const Candidate *candidates = (const Candidate *) (gconstpointer) self->candidates->data;
  const Candidate *now = &candidates[self->result.name];
  Terms            terms = find_terms(candidates, self->candidates->len);
  return self->found->len == 0 || !is_outermost(now, &terms) || 2 * now->count < terms.most ||
         candidates[name].total_ns > PREFERENCE * now->total_ns;
}

static void
take_median(LacIterationSearch *self)
{
  LacIterations     *all = &self->result;
  gsize              n = all->n - 1;
  g_autofree double *values = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    values[i] = (double) all->iterations[i + 1].duration_ns;
  all->median_ns = lac_median(values, n);
  all->deviation_ns =
    MAX(NORMAL_CONSISTENCY * lac_median_deviation(values, n), LEAST_DEVIATION * all->median_ns);
}

static void
classify(LacIterations *all, gsize from)
{
  for (gsize i = from; i < all->n && all->deviation_ns > 0; i++) {
    LacIteration *iteration = &all->iterations[i];
    double        excess = (double) iteration->duration_ns - all->median_ns;
    iteration->score = excess / all->deviation_ns;
    iteration->is_outlier =
      iteration->score > LAC_OUTLIER_SCORE && excess > LAC_OUTLIER_SHARE * all->median_ns;
    all->n_outliers += iteration->is_outlier;
  }
}

static void
gather(LacIterationSearch *self, const LacCapture *capture, gsize from, gsize to)
{
  for (gsize i = from; i < to; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN || record->name != self->result.name || record->step < 0)
      continue;
    LacIteration iteration = {
      .step = record->step,
      .start_ns = record->start_ns,
      .duration_ns = record->duration_ns,
      .record = i,
    };
    g_array_append_val(self->found, iteration);
  }
  self->result.iterations = (LacIteration *) (gpointer) self->found->data;
  self->result.n = self->found->len;
}

LacIterationSearch *
lac_iteration_search_new(void)
{
  LacIterationSearch *self = g_new0(LacIterationSearch, 1);
  self->candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
  self->found = g_array_new(FALSE, FALSE, sizeof(LacIteration));
  return self;
}

void
lac_iteration_search_free(LacIterationSearch *self)
{
  g_array_unref(self->candidates);
  g_array_unref(self->found);
  g_free(self);
}

const LacIterations *
lac_iteration_search_go_on(LacIterationSearch *self, const LacCapture *capture, gboolean is_whole)
{
  g_return_val_if_fail(self != NULL && capture != NULL, NULL);
  LacIterations *all = &self->result;
  gsize          n = lac_capture_get_n_records(capture), from = self->n_seen;
  guint32        name = 0;
  for (gsize i = from; i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind == LAC_RECORD_SPAN && record->step >= 0)
      count(self, record);
  }
  self->n_seen = n;
  if (!find_name(self, &name))
    return all;
  if (name != all->name && (is_whole || is_clearly_better(self, name))) {
    *all = (LacIterations){.name = name};
    g_array_set_size(self->found, 0);
    self->n_scored = from = 0;
  }
  gsize n_before = self->found->len;
  gather(self, capture, from, n);
  if (all->n >= LEAST_ITERATIONS &&
      (is_whole || (double) all->n > GROWTH * (double) self->n_scored)) {
    take_median(self);
    self->n_scored = all->n;
    n_before = all->n_outliers = 0;
  }
  classify(all, n_before);
  return all;
}

LacIterations
lac_iterations_find(const LacCapture *capture)
{
  LacIterations all = {0};
  g_return_val_if_fail(capture != NULL, all);
  LacIterationSearch *search = lac_iteration_search_new();
  all = *lac_iteration_search_go_on(search, capture, TRUE);
  all.iterations = g_memdup2(all.iterations, all.n * sizeof *all.iterations);
  lac_iteration_search_free(search);
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
