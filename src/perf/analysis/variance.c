/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations that differ, and what in the longest of them grew. */
#include "perf/analysis/analysis-private.h"
#include "perf/recorder/nesting.h"

#define LEAST_PART 0.1 /* of the excess: less explains nothing */

gboolean *
lac_inquiry_dup_operations(const LacInquiry *inquiry, gboolean *has_any)
{
  guint32             n_names = lac_capture_get_n_names(inquiry->capture);
  gboolean           *operations = g_new0(gboolean, n_names + 1);
  gsize               n;
  const LacAggregate *rows = lac_aggregates_get(inquiry->aggregates, &n);
  *has_any = FALSE;
  for (gsize i = 0; i < n; i++)
    if (rows[i].is_operation && rows[i].name < n_names)
      *has_any = operations[rows[i].name] = TRUE;
  return operations;
}

void
lac_inquire_variance(const LacInquiry *inquiry)
{
  const LacIterations *all = inquiry->iterations;
  const LacIteration  *shortest = NULL, *longest = NULL;
  for (gsize i = 1; i < all->n; i++) {
    const LacIteration *iteration = &all->iterations[i];
    if (shortest == NULL || iteration->duration_ns < shortest->duration_ns)
      shortest = iteration;
    if (longest == NULL || iteration->duration_ns > longest->duration_ns)
      longest = iteration;
  }
  if (all->n < 3 || shortest->duration_ns <= 0 ||
      (double) longest->duration_ns <= LAC_VARIANCE_RATIO * (double) shortest->duration_ns)
    return;
  LacFinding finding = {
    .kind = LAC_FINDING_VARIANCE,
    .name = all->name,
    .step = longest->step,
    .ratio = (double) longest->duration_ns / (double) shortest->duration_ns,
    .ns = (double) longest->duration_ns,
    .other_ns = (double) shortest->duration_ns,
    .count = all->n_outliers,
    .begin_ns = longest->start_ns,
    .end_ns = longest->start_ns + longest->duration_ns,
  };
  g_array_append_val(inquiry->findings, finding);
}

static int
compare_iterations(gconstpointer a, gconstpointer b)
{
  const LacIteration *x = *(const LacIteration *const *) a, *y = *(const LacIteration *const *) b;
  return (x->duration_ns < y->duration_ns) - (x->duration_ns > y->duration_ns);
}

static GPtrArray *
find_longest(const LacIterations *all)
{
  GPtrArray *outliers = g_ptr_array_new();
  for (gsize i = 1; i < all->n; i++)
    if (all->iterations[i].is_outlier)
      g_ptr_array_add(outliers, &all->iterations[i]);
  g_ptr_array_sort(outliers, compare_iterations);
  g_ptr_array_set_size(outliers, (gint) MIN(outliers->len, LAC_OUTLIERS_EXPLAINED));
  return outliers;
}

/* Time by name, in the outliers one by one and in the ordinary iterations together. */
typedef struct {
  gsize       n_names, n_ordinary;
  double     *ordinary; /* [n_names] */
  double     *outlying; /* [outliers * n_names] */
  GHashTable *kinds;    /* step + 1 -> 1 + its outlier, or STRANGE */
} Times;

#define STRANGE \
  (LAC_OUTLIERS_EXPLAINED + 1) /* an outlier that is not looked into, or the first iteration */

static void
sort_steps(Times *times, const LacIterations *all, const GPtrArray *outliers)
{
  times->kinds = g_hash_table_new(NULL, NULL);
  for (gsize i = 0; i < all->n; i++)
    if (i == 0 || all->iterations[i].is_outlier)
      g_hash_table_insert(times->kinds, GSIZE_TO_POINTER((gsize) all->iterations[i].step + 1),
                          GUINT_TO_POINTER(STRANGE));
    else
      times->n_ordinary++;
  for (guint k = 0; k < outliers->len; k++) {
    const LacIteration *iteration = g_ptr_array_index(outliers, k);
    g_hash_table_insert(times->kinds, GSIZE_TO_POINTER((gsize) iteration->step + 1),
                        GUINT_TO_POINTER(k + 1));
  }
}

static void
add_time(Times *times, const LacRecord *record, gint64 ns)
{
  guint kind =
    GPOINTER_TO_UINT(g_hash_table_lookup(times->kinds, GSIZE_TO_POINTER((gsize) record->step + 1)));
  if (kind == 0)
    times->ordinary[record->name] += (double) ns;
  else if (kind != STRANGE)
    times->outlying[(kind - 1) * times->n_names + record->name] += (double) ns;
}

/* An operation by its aggregates alone; a phase by what is its own; the iteration itself only where it holds no operations. */
static void
gather(Times *times, const LacInquiry *inquiry)
{
  gboolean              any;
  g_autofree gboolean  *operations = lac_inquiry_dup_operations(inquiry, &any);
  g_autoptr(LacNesting) nesting = lac_nesting_new();
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    gint64           ns = record->duration_ns;
    if (record->kind == LAC_RECORD_SPAN)
      ns = lac_nesting_take(nesting, record);
    else if (record->kind != LAC_RECORD_AGGREGATE)
      continue;
    if (record->step < 0 || record->name >= times->n_names ||
        (record->kind == LAC_RECORD_SPAN && operations[record->name]) ||
        (any && record->name == inquiry->iterations->name))
      continue;
    add_time(times, record, ns);
  }
}

static void
blame(const Times *times, guint k, LacFinding *finding, double excess_ns)
{
  for (gsize name = 0; name < times->n_names && times->n_ordinary > 0; name++) {
    double usual = times->ordinary[name] / (double) times->n_ordinary;
    double grown = times->outlying[k * times->n_names + name] - usual;
    if (grown > finding->other_ns && grown > LEAST_PART * excess_ns) {
      finding->other_ns = grown;
      finding->name = (guint32) name;
    }
  }
}

void
lac_inquire_outliers(const LacInquiry *inquiry)
{
  const LacIterations *all = inquiry->iterations;
  g_autoptr(GPtrArray) outliers = find_longest(all);
  Times                times = {.n_names = lac_capture_get_n_names(inquiry->capture)};
  if (outliers->len == 0)
    return;
  times.ordinary = g_new0(double, times.n_names + 1);
  times.outlying = g_new0(double, outliers->len *times.n_names + 1);
  sort_steps(&times, all, outliers);
  gather(&times, inquiry);
  for (guint k = 0; k < outliers->len; k++) {
    const LacIteration *iteration = g_ptr_array_index(outliers, k);
    LacFinding          finding = {
               .kind = LAC_FINDING_OUTLIER,
               .name = LAC_NO_NAME,
               .step = iteration->step,
               .ratio = (double) iteration->duration_ns / all->median_ns,
               .ns = (double) iteration->duration_ns,
               .count = all->n_outliers,
               .begin_ns = iteration->start_ns,
               .end_ns = iteration->start_ns + iteration->duration_ns,
    };
    blame(&times, k, &finding, (double) iteration->duration_ns - all->median_ns);
    g_array_append_val(inquiry->outliers, finding);
  }
  g_array_append_vals(inquiry->findings, inquiry->outliers->data,
                      MIN(inquiry->outliers->len, LAC_OUTLIERS_TOLD));
  g_free(times.outlying);
  g_free(times.ordinary);
  g_hash_table_unref(times.kinds);
}
