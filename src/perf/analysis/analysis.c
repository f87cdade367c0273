/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses a recording: operations with most of the time, outlier iterations and what grew in the longest, first-call
 * cost (allocation, plans, cold caches), and memory growth. */
#include "perf/analysis/analysis.h"

#include "perf/analysis/histogram.h"
#include "perf/analysis/ratio.h"
#include "perf/recorder/gauges.h"
#include "perf/recorder/nesting.h"

#include <math.h>

/* Input and results of the analysis stages; each adds its findings */
typedef struct {
  const LacCapture    *capture;
  const LacIterations *iterations;
  LacAggregates       *aggregates;
  GArray              *findings; /* LacFinding */
  GArray              *outliers; /* LacFinding, longest first */
} Inquiry;

/* Returns TRUE for a phase whose time is that of the operations: the iteration, and the wait for the device. */
static gboolean
holds_operations(const Inquiry *inquiry, const LacAggregate *row)
{
  return !row->is_operation &&
         ((inquiry->iterations->n > 0 && row->name == inquiry->iterations->name) ||
          g_strcmp0(lac_capture_get_name(inquiry->capture, row->name), LAC_SPAN_DEVICE_WAIT) == 0);
}

/* Finds large shares: operations relative to all operations; phases by self time relative to the outermost spans. */
static void
inquire_shares(const Inquiry *inquiry)
{
  gsize               n;
  const LacAggregate *rows = lac_aggregates_get(inquiry->aggregates, &n);
  const gboolean      any = lac_aggregates_operations_matter(rows, n);
  gint64              begin_ns, end_ns;
  lac_capture_get_extent(inquiry->capture, &begin_ns, &end_ns);
  for (gsize i = 0; i < n; i++) {
    const LacAggregate *row = &rows[i];
    if (row->is_operation && !any)
      continue;
    const double share = lac_aggregate_own_share(row);
    if ((any && holds_operations(inquiry, row)) || share <= LAC_HEAVY_SHARE)
      continue;
    LacFinding finding = {
      .kind = share > LAC_BOTTLENECK_SHARE ? LAC_FINDING_BOTTLENECK : LAC_FINDING_HEAVY,
      .name = row->name,
      .step = -1,
      .ratio = share,
      .ns = row->is_operation ? row->total_ns : row->self_ns,
      .count = row->count,
      .begin_ns = begin_ns,
      .end_ns = end_ns,
    };
    g_array_append_val(inquiry->findings, finding);
  }
}

/* ---- iterations ---- */

#define LEAST_PART 0.1 /* of the excess: a smaller part explains nothing */

/* A name is an operation when the recording has aggregates of it. */
static gboolean *
dup_operations(const Inquiry *inquiry, gboolean *has_any)
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

static void
inquire_variance(const Inquiry *inquiry)
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

/* Time by name, per outlier and summed over the ordinary iterations. */
typedef struct {
  gsize       n_names, n_ordinary;
  double     *ordinary; /* [n_names] */
  double     *outlying; /* [outliers * n_names] */
  GHashTable *kinds;    /* step + 1 -> 1 + its outlier, or STRANGE */
} Times;

#define STRANGE (LAC_OUTLIERS_EXPLAINED + 1) /* outlier not explained, or first iteration */

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

/* Sums an operation from its aggregates alone and a phase from its self time; the iteration itself only when it has
 * no operations. */
static void
gather(Times *times, const Inquiry *inquiry)
{
  gboolean              any;
  g_autofree gboolean  *operations = dup_operations(inquiry, &any);
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

static void
inquire_outliers(const Inquiry *inquiry)
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
                      MIN(inquiry->outliers->len, LAC_OUTLIERS_SHOWN));
  g_free(times.outlying);
  g_free(times.ordinary);
  g_hash_table_unref(times.kinds);
}

/* ---- first calls ---- */

#define LEAST_CALLS  5    /* minimum calls to establish the usual duration */
#define LEAST_EXCESS 0.01 /* of the recording: a smaller excess is not reported */
#define MOST_NAMED   5

typedef struct {
  gint64       first_ns, start_ns, end_ns;
  guint64      n;
  LacHistogram later;
} Calls;

static void
take(Calls *calls, const LacRecord *record)
{
  gint64 each = record->duration_ns / (gint64) record->count;
  if (calls->n == 0) {
    calls->first_ns = each;
    calls->start_ns = record->start_ns;
    calls->end_ns = record->start_ns + record->duration_ns;
  } else {
    lac_histogram_add(&calls->later, each, record->count);
  }
  calls->n += record->count;
}

static void
score(const Inquiry *inquiry, guint32 name, const Calls *calls, double whole_ns)
{
  double usual = lac_histogram_get_quantile(&calls->later, 0.5);
  double first = (double) calls->first_ns;
  if (first <= LAC_FIRST_RATIO * usual || first - usual <= LEAST_EXCESS * whole_ns)
    return;
  LacFinding finding = {
    .kind = LAC_FINDING_FIRST_CALL,
    .name = name,
    .step = -1,
    .ratio = first / usual,
    .ns = first,
    .other_ns = usual,
    .count = calls->n,
    .begin_ns = calls->start_ns,
    .end_ns = calls->end_ns,
  };
  g_array_append_val(inquiry->findings, finding);
}

static int
compare_excess(gconstpointer a, gconstpointer b)
{
  const LacFinding *x = a, *y = b;
  double            p = x->ns - x->other_ns, q = y->ns - y->other_ns;
  return (p < q) - (p > q);
}

static void
inquire_first_calls(const Inquiry *inquiry)
{
  gboolean             any;
  g_autofree gboolean *operations = dup_operations(inquiry, &any);
  guint32              n_names = lac_capture_get_n_names(inquiry->capture);
  g_autofree Calls    *calls = g_new0(Calls, n_names + 1);
  g_autoptr(GArray)    found = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  Inquiry              mine = *inquiry;
  gint64               begin_ns, end_ns;
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    if (record->name >= n_names || record->count == 0)
      continue;
    if (record->kind == (operations[record->name] ? LAC_RECORD_AGGREGATE : LAC_RECORD_SPAN))
      take(&calls[record->name], record);
  }
  lac_capture_get_extent(inquiry->capture, &begin_ns, &end_ns);
  mine.findings = found;
  for (guint32 name = 0; name < n_names; name++) {
    if (calls[name].n >= LEAST_CALLS && calls[name].later.total > 0)
      score(&mine, name, &calls[name], (double) (end_ns - begin_ns));
    lac_histogram_clear(&calls[name].later);
  }
  g_array_sort(found, compare_excess);
  g_array_append_vals(inquiry->findings, found->data, MIN(found->len, MOST_NAMED));
}

/* ---- memory growth ---- */

/* Memory trend: Theil-Sen slope over the last two thirds of a recording, with the Mann-Kendall test (P. K. Sen, J.
 * Am. Stat. Assoc. 63, 1968; H. B. Mann, Econometrica 13, 1945). */

#define MOST_POINTS  200 /* points of the trend: cost grows with their square */
#define LEAST_POINTS 8
#define CERTAINTY    3.3 /* standard deviations of the Mann-Kendall statistic: one in a thousand */
#define LEAST_BYTES  (1024 * 1024) /* less is allocator noise */
#define LEAST_SHARE  0.01          /* of the resident size at the end */
#define LEAST_HEAP   (32 * 1024)   /* growth of the live heap */
#define MOST_JUMP    0.25 /* largest growth between two samples of a leak, relative to the whole */
#define EVEN         0.5  /* least ratio of the growth in the halves of a leak */
#define N_FILLING    2    /* first steps, which are not evaluated */
#define GOING_ON \
  0.25 /* growth of the second half relative to the first: levelling off below this */

typedef struct {
  double ns, bytes;
} Point;

/* Collects the samples of @counter, or without samples the sum over the outermost scopes. */
static GArray *
collect(const LacCapture *capture, const char *counter)
{
  gint64  resident = lac_capture_find_name(capture, counter);
  GArray *sampled = g_array_new(FALSE, FALSE, sizeof(Point));
  GArray *summed = g_array_new(FALSE, FALSE, sizeof(Point));
  double  sum = 0;
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    double           end = (double) (record->start_ns + record->duration_ns);
    if (record->kind == LAC_RECORD_COUNTER && record->name == resident) {
      Point point = {(double) record->start_ns, record->value};
      g_array_append_val(sampled, point);
    } else if (record->kind == LAC_RECORD_MEMORY && record->depth == 0 &&
               record->cpu_delta != LAC_RECORD_UNKNOWN) {
      Point point = {end, sum += (double) record->cpu_delta};
      g_array_append_val(summed, point);
    }
  }
  gboolean use_sampled = sampled->len >= LEAST_POINTS;
  g_array_unref(use_sampled ? summed : sampled);
  return use_sampled ? sampled : summed;
}

/* Returns the time before which memory is that of the set-up and of the first two steps, which fill work space. */
static double
find_begin(const Inquiry *inquiry, double first_ns)
{
  const LacIterations *iterations = inquiry->iterations;
  if (iterations->n <= N_FILLING)
    return first_ns;
  const LacIteration *last = &iterations->iterations[N_FILLING - 1];
  return fmax(first_ns, (double) (last->start_ns + last->duration_ns));
}

/* Selects the last two thirds by time, evenly subsampled. */
static Point *
choose(const Inquiry *inquiry, const GArray *all, gsize *n)
{
  const Point *points = (const Point *) (gconstpointer) all->data;
  double       begin = find_begin(inquiry, points[0].ns), end = points[all->len - 1].ns;
  guint        first = 0;
  while (first + 1 < all->len && points[first].ns < begin + (end - begin) / 3)
    first++;
  gsize  there = all->len - first;
  Point *chosen = g_new(Point, MOST_POINTS);
  *n = MIN(there, MOST_POINTS);
  for (gsize i = 0; i < *n; i++)
    chosen[i] = points[first + (*n > 1 ? i * (there - 1) / (*n - 1) : 0)];
  return chosen;
}

/* Returns: bytes per nanosecond; @certainty: Mann-Kendall statistic (rises minus falls) in standard deviations. */
static double
find_slope(const Point *points, gsize n, double *certainty)
{
  g_autofree double *slopes = g_new(double, n *(n - 1) / 2 + 1);
  gsize              m = 0;
  double             rises = 0;
  for (gsize i = 0; i < n; i++)
    for (gsize k = i + 1; k < n; k++) {
      double by = points[k].bytes - points[i].bytes, in = points[k].ns - points[i].ns;
      rises += (by > 0) - (by < 0);
      if (in > 0)
        slopes[m++] = by / in;
    }
  double count = (double) n, variance = count * (count - 1) * (2 * count + 5) / 18;
  *certainty = variance > 0 ? rises / sqrt(variance) : 0;
  return m > 0 ? lac_median(slopes, m) : 0;
}

/* Returns the name whose scopes grew most from @begin_ns on, net of inner scopes; LAC_NO_NAME when none accounts for
 * half of @grown. */
static guint32
blame_growth(const Inquiry *inquiry, double begin_ns, double grown)
{
  guint32            n_names = lac_capture_get_n_names(inquiry->capture), most = LAC_NO_NAME;
  g_autofree double *added = g_new0(double, n_names + 1);
  double             within[G_MAXUINT8 + 2] = {0};
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    if (record->kind != LAC_RECORD_MEMORY || record->cpu_delta == LAC_RECORD_UNKNOWN ||
        record->name >= n_names || record->lane != 0 || (double) record->start_ns < begin_ns)
      continue;
    added[record->name] += (double) record->cpu_delta - within[record->depth + 1];
    within[record->depth + 1] = 0;
    within[record->depth] += (double) record->cpu_delta;
  }
  for (guint32 name = 0; name < n_names; name++)
    if (added[name] > grown / 2 && (most == LAC_NO_NAME || added[name] > added[most]))
      most = name;
  return most;
}

/* Trend of a counter over the last two thirds of a recording. */
typedef struct {
  Point  first, last;
  double slope, certainty; /* bytes per nanosecond; standard deviations */
  double early, late;      /* growth in the first and in the second half */
  double least;            /* growth, without the jump of a single step */
  double jump;             /* largest growth between two samples */
} Trend;

/* Returns FALSE with too few samples. */
static gboolean
find_trend(const Inquiry *inquiry, const char *counter, Trend *trend)
{
  g_autoptr(GArray) all = collect(inquiry->capture, counter);
  gsize             n = 0;
  if (all->len < LEAST_POINTS)
    return FALSE;
  g_autofree Point *points = choose(inquiry, all, &n);
  if (n < LEAST_POINTS)
    return FALSE;
  const Point *middle = &points[n / 2];
  *trend = (Trend){.first = points[0], .last = points[n - 1]};
  trend->slope = find_slope(points, n, &trend->certainty);
  trend->early = middle->bytes - trend->first.bytes;
  trend->late = trend->last.bytes - middle->bytes;
  for (gsize i = 1; i < n; i++)
    trend->jump = fmax(trend->jump, points[i].bytes - points[i - 1].bytes);
  trend->least =
    fmin(trend->slope * (trend->last.ns - trend->first.ns), trend->last.bytes - trend->first.bytes);
  return TRUE;
}

static void
add_growth(const Inquiry *inquiry, LacFindingKind kind, const Trend *trend)
{
  const LacIterations *iterations = inquiry->iterations;
  const double         grown = trend->last.bytes - trend->first.bytes;
  double               per_ns = trend->slope;
  if (iterations->n > 0) {
    const LacIteration *begin = &iterations->iterations[0];
    const LacIteration *end = &iterations->iterations[iterations->n - 1];
    double              span_ns = (double) (end->start_ns + end->duration_ns - begin->start_ns);
    per_ns *= span_ns / (double) iterations->n;
  }
  const LacFinding finding = {
    .kind = kind,
    .name = blame_growth(inquiry, find_begin(inquiry, -HUGE_VAL), grown),
    .step = -1,
    .ratio = iterations->n > 0 ? 100 * per_ns : (double) NAN,
    .ns = trend->last.ns - trend->first.ns,
    .bytes = grown,
    .count = iterations->n,
    .begin_ns = (gint64) trend->first.ns,
    .end_ns = (gint64) trend->last.ns,
  };
  g_array_append_val(inquiry->findings, finding);
}

/* The live heap is counted to the byte, and constant from step to step where nothing leaks: a small, even growth is a
 * leak. */
static gboolean
heap_leaks(const Trend *heap)
{
  /* arrays that double grow by few large jumps */
  if (heap->jump > MOST_JUMP * (heap->last.bytes - heap->first.bytes))
    return FALSE;
  return heap->certainty >= CERTAINTY && heap->least >= LEAST_HEAP &&
         heap->late >= EVEN * heap->early && heap->early >= EVEN * heap->late;
}

/* Decides by the live heap where it was sampled, else by resident memory. */
static void
inquire_growth(const Inquiry *inquiry)
{
  Trend          heap, resident;
  const gboolean has_heap = lac_capture_find_name(inquiry->capture, LAC_COUNTER_HEAP) >= 0 &&
                            find_trend(inquiry, LAC_COUNTER_HEAP, &heap);
  const gboolean has_resident = find_trend(inquiry, LAC_COUNTER_RESIDENT, &resident);
  const gboolean has_grown = has_resident && resident.certainty >= CERTAINTY &&
                             resident.least >= LEAST_BYTES &&
                             resident.least >= LEAST_SHARE * resident.last.bytes;
  if (has_grown && resident.late <= GOING_ON * resident.early)
    add_growth(inquiry, LAC_FINDING_GROWTH, &resident);
  else if (has_heap && heap_leaks(&heap))
    add_growth(inquiry, LAC_FINDING_LEAK, &heap);
  else if (has_grown)
    add_growth(inquiry, has_heap ? LAC_FINDING_TOUCHED : LAC_FINDING_LEAK, &resident);
}

/* ---- complete analysis ---- */

static int
compare_findings(gconstpointer a, gconstpointer b)
{
  const LacFinding *x = a, *y = b;
  if (x->kind != y->kind)
    return (int) x->kind - (int) y->kind;
  return (x->ns < y->ns) - (x->ns > y->ns);
}

/* First calls are those of @whole that lie within @capture, which may be a range of it. */
static LacAnalysis
make(const LacCapture *capture, const LacCapture *whole)
{
  static void (*const questions[])(const Inquiry *inquiry) = {
    inquire_shares,
    inquire_variance,
    inquire_outliers,
    inquire_growth,
  };
  LacAnalysis       analysis = {.aggregates = lac_aggregates_new()};
  g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  g_autoptr(GArray) outliers = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  lac_aggregates_add_capture(analysis.aggregates, capture);
  analysis.iterations = lac_iterations_find(capture);
  Inquiry inquiry = {capture, &analysis.iterations, analysis.aggregates, findings, outliers};
  for (gsize i = 0; i < G_N_ELEMENTS(questions); i++)
    questions[i](&inquiry);
  inquiry.capture = whole;
  inquire_first_calls(&inquiry);
  g_array_sort(findings, compare_findings);
  analysis.n = findings->len;
  analysis.findings = (LacFinding *) (gpointer) g_array_free(g_steal_pointer(&findings), FALSE);
  analysis.n_outliers = outliers->len;
  analysis.outliers = (LacFinding *) (gpointer) g_array_free(g_steal_pointer(&outliers), FALSE);
  return analysis;
}

LacAnalysis
lac_analysis_make(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, (LacAnalysis){0});
  return make(capture, capture);
}

LacAnalysis
lac_analysis_make_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(capture != NULL, (LacAnalysis){0});
  g_autoptr(LacCapture) range = lac_capture_dup_range(capture, begin_ns, end_ns);
  LacAnalysis           analysis = make(range, capture);
  gsize                 n = 0;
  for (gsize i = 0; i < analysis.n; i++) {
    const LacFinding *finding = &analysis.findings[i];
    if (finding->kind != LAC_FINDING_FIRST_CALL ||
        (finding->begin_ns >= begin_ns && finding->begin_ns <= end_ns))
      analysis.findings[n++] = *finding;
  }
  analysis.n = n;
  return analysis;
}

const LacFinding *
lac_analysis_find_outlier(const LacAnalysis *analysis, gint64 step)
{
  g_return_val_if_fail(analysis != NULL, NULL);
  for (gsize i = 0; i < analysis->n_outliers; i++)
    if (analysis->outliers[i].step == step)
      return &analysis->outliers[i];
  return NULL;
}

void
lac_analysis_clear(LacAnalysis *analysis)
{
  lac_iterations_clear(&analysis->iterations);
  g_clear_pointer(&analysis->aggregates, lac_aggregates_free);
  g_clear_pointer(&analysis->findings, g_free);
  g_clear_pointer(&analysis->outliers, g_free);
  analysis->n = analysis->n_outliers = 0;
}
