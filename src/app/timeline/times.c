/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One request at a time: first of the whole recording, from which the colours follow, then of the range. */
#include "app/timeline/times.h"

#include "app/toolkit/latest-job.h"
#include "report/summary/answer.h"

#include <gio/gio.h>

#include <math.h>
#include <string.h>

#define RANGE_MS    120    /* delay after the last change of the range */
#define PERIOD_US   500000 /* minimum between two results while records arrive */
#define REST_FACTOR 5      /* pause as a multiple of the last duration: at most a sixth of a core */

typedef struct {
  LacCapture *capture; /* shared; NULL when done */
  gsize       n_records;
  gint64      started_us;
  LacTimes    times;
} Look;

struct _LacTimelineTimes {
  GObject           parent_instance;
  LacTimelineScope *scope;
  Look             *whole, *range; /* NULL: not computed */
  LacLatestJob     *looking;
  guint             pending, n_watching;
  guint32 n_names; /* of the recording, when the names within the limit were found; 0: not yet */
  gint64  rest_until_us, moved_us; /* monotonic; moved_us: of the last change of the range */
  GArray *rows;                    /* LacAggregate, of a limit */
};

G_DEFINE_FINAL_TYPE(LacTimelineTimes, lac_timeline_times, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
look_clear(gpointer data)
{
  Look *look = data;
  g_clear_pointer(&look->capture, lac_capture_unref);
  g_clear_pointer(&look->times.phase_of, g_free);
  g_clear_pointer(&look->times.rows, g_array_unref);
  lac_call_tree_clear(&look->times.tree);
  lac_time_parts_clear(&look->times.phases);
  lac_time_parts_clear(&look->times.operations);
  lac_flame_clear(&look->times.flame);
}

static void
look_unref(gpointer look)
{
  g_rc_box_release_full(look, look_clear);
}

/* ---- worker thread ---- */

/* Sums over the range as the timeline does: what crosses its ends counts in part. */
static LacAggregates *
sum(Look *look)
{
  LacTimes *times = &look->times;
  if (times->begin_ns == times->end_ns) {
    LacAggregates *all = lac_aggregates_new();
    lac_aggregates_add_capture(all, look->capture);
    return all;
  }
  g_autoptr(LacTimeline) timeline = lac_timeline_new(look->capture);
  lac_timeline_close(timeline);
  return lac_timeline_sum_range(timeline, times->begin_ns, times->end_ns);
}

static gpointer
look_through(gpointer data, GCancellable *cancellable, GError **error)
{
  Look     *look = data;
  LacTimes *times = &look->times;
  gsize     n = 0;
  times->tree = lac_call_tree_make(look->capture, times->begin_ns, times->end_ns);
  times->phase_of = g_new(guint32, times->tree.n + 1);
  times->phases = lac_time_parts_of_phases(&times->tree, times->phase_of);
  times->flame = lac_flame_make(&times->tree);
  g_autoptr(LacAggregates) aggregates = sum(look);
  const LacAggregate      *rows = lac_aggregates_get(aggregates, &n);
  times->operations = lac_time_parts_of_operations(&times->tree, rows, n);
  times->rows = lac_own_times(&times->tree, rows, n);
  times->kinds = lac_kind_times_of(look->capture, times->rows);
  g_clear_pointer(&look->capture, lac_capture_unref);
  return NULL;
}

/* ---- scheduling ---- */

static gboolean
is_late(LacTimelineTimes *self, const Look *look)
{
  return look == NULL || look->n_records != lac_recording_get_n_records(
                                              lac_timeline_scope_get_recording(self->scope));
}

static gboolean
is_of(const Look *look, gint64 begin, gint64 end)
{
  return look != NULL && look->times.begin_ns == begin && look->times.end_ns == end;
}

/* @begin, @end: (out): equal: the whole recording. Returns: FALSE if everything is up to date. */
static gboolean
find_next(LacTimelineTimes *self, gint64 *begin, gint64 *end)
{
  if (lac_timeline_scope_is_empty(self->scope) || self->n_watching == 0)
    return FALSE;
  gboolean any = lac_timeline_scope_get_range(self->scope, begin, end);
  if (any && self->whole != NULL &&
      (is_late(self, self->range) || !is_of(self->range, *begin, *end)))
    return TRUE;
  *begin = *end = 0;
  return self->whole == NULL || (!any && is_late(self, self->whole));
}

static void consider(LacTimelineTimes *self);
static void renew_limit(LacTimelineTimes *self);

static void
on_looked(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacTimelineTimes *self = owner;
  const gint64      now = g_get_monotonic_time();
  Look             *look = request;
  const gboolean    is_whole = look->times.begin_ns == look->times.end_ns;
  Look            **place = is_whole ? &self->whole : &self->range;
  g_clear_pointer(place, look_unref);
  *place = g_rc_box_acquire(look);
  self->rest_until_us = now + MAX(PERIOD_US, REST_FACTOR * (now - look->started_us));
  if (is_whole)
    lac_timeline_scope_colour(self->scope, &look->times.tree);
  renew_limit(self);
  g_signal_emit(self, signals[CHANGED], 0);
  consider(self);
}

static gboolean
start(gpointer user_data)
{
  LacTimelineTimes *self = user_data;
  gint64            begin, end;
  self->pending = 0;
  if (!find_next(self, &begin, &end))
    return G_SOURCE_REMOVE;
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  Look         *look = g_rc_box_new0(Look);
  look->capture = lac_capture_share(lac_recording_get_capture(recording));
  look->times.begin_ns = begin;
  look->times.end_ns = end;
  look->n_records = lac_capture_get_n_records(look->capture);
  look->started_us = g_get_monotonic_time();
  lac_latest_job_start(self->looking, look);
  return G_SOURCE_REMOVE;
}

/* Delays a new range until it stops changing, and new records until the pause is over. */
static void
consider(LacTimelineTimes *self)
{
  gint64 begin, end, now = g_get_monotonic_time(), wait_us = 0;
  if (lac_latest_job_is_busy(self->looking) || self->pending != 0 || !find_next(self, &begin, &end))
    return;
  const Look *known = begin < end ? self->range : self->whole;
  if (begin < end && !is_of(known, begin, end))
    wait_us = self->moved_us + RANGE_MS * 1000 - now;
  else if (known != NULL)
    wait_us = self->rest_until_us - now;
  self->pending = g_timeout_add((guint) (MAX(wait_us, 0) / 1000), start, self);
}

static void
forget(LacTimelineTimes *self)
{
  lac_latest_job_cancel(self->looking);
  g_clear_handle_id(&self->pending, g_source_remove);
  g_clear_pointer(&self->whole, look_unref);
  g_clear_pointer(&self->range, look_unref);
  self->rest_until_us = 0;
}

static void
on_scope(LacTimelineTimes *self, guint what)
{
  if ((what & LAC_SCOPE_DATA) && (what & LAC_SCOPE_VIEW)) /* another recording */
    forget(self);
  if (what & LAC_SCOPE_RANGE) { /* also emitted for another recording */
    self->moved_us = g_get_monotonic_time();
    g_clear_handle_id(&self->pending, g_source_remove);
    g_signal_emit(self, signals[CHANGED], 0);
  }
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE))
    consider(self);
}

/* ---- the object ---- */

static void
lac_timeline_times_dispose(GObject *object)
{
  LacTimelineTimes *self = LAC_TIMELINE_TIMES(object);
  forget(self);
  g_clear_pointer(&self->looking, lac_latest_job_free);
  g_clear_pointer(&self->rows, g_array_unref);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_timeline_times_parent_class)->dispose(object);
}

static void
lac_timeline_times_class_init(LacTimelineTimesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_timeline_times_dispose;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_TIMELINE_TIMES, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_timeline_times_init(LacTimelineTimes *self)
{
  self->rows = g_array_new(FALSE, FALSE, sizeof(LacAggregate));
  self->looking = lac_latest_job_new(
    self, &(LacJobKind){.work = look_through, .show = on_looked, .free_request = look_unref});
}

LacTimelineTimes *
lac_timeline_times_new(LacTimelineScope *scope)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(scope), NULL);
  LacTimelineTimes *self = g_object_new(LAC_TYPE_TIMELINE_TIMES, NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  return self;
}

LacTimelineScope *
lac_timeline_times_get_scope(LacTimelineTimes *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_TIMES(self), NULL);
  return self->scope;
}

void
lac_timeline_times_watch(LacTimelineTimes *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_TIMES(self));
  self->n_watching++;
  consider(self);
}

void
lac_timeline_times_unwatch(LacTimelineTimes *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_TIMES(self) && self->n_watching > 0);
  self->n_watching--;
}

/* ---- results ---- */

const LacTimes *
lac_timeline_times_get(LacTimelineTimes *self)
{
  gint64 begin, end;
  g_return_val_if_fail(LAC_IS_TIMELINE_TIMES(self), NULL);
  const gboolean any = lac_timeline_scope_get_range(self->scope, &begin, &end);
  const Look    *look = any && self->range != NULL ? self->range : self->whole;
  return look != NULL ? &look->times : NULL;
}

/* Returns: FALSE if no iteration lies in the range. */
static gboolean
find_steps(LacTimelineTimes *self, const LacTimes *times, LacAnswerSteps *steps)
{
  const LacIterations *all =
    lac_recording_get_iterations(lac_timeline_scope_get_recording(self->scope));
  gboolean any = FALSE;
  for (gsize i = 0; i < all->n && times->begin_ns < times->end_ns; i++) {
    const LacIteration *at = &all->iterations[i];
    if (at->start_ns >= times->end_ns || at->start_ns + at->duration_ns <= times->begin_ns)
      continue;
    steps->first = any ? steps->first : at->step;
    steps->last = at->step;
    any = TRUE;
  }
  return any;
}

char *
lac_timeline_times_dup_answer(LacTimelineTimes *self)
{
  const LacTimes *times = lac_timeline_times_get(self);
  LacAnswerSteps  steps;
  if (times == NULL)
    return NULL;
  return lac_answer_time(&times->tree, lac_timeline_scope_get_looks(self->scope),
                         find_steps(self, times, &steps) ? &steps : NULL);
}

/* ---- the chosen name ---- */

static gboolean
is_phase(const LacTimes *times, guint32 name)
{
  for (gsize i = 0; i < times->phases.n; i++)
    if (times->phases.parts[i].name == name)
      return TRUE;
  return FALSE;
}

guint32
lac_timeline_times_find_phase(LacTimelineTimes *self)
{
  const LacTimes *times = lac_timeline_times_get(self);
  const gssize    limit = lac_timeline_times_find_limit(self);
  const guint32   name = lac_timeline_scope_get_chosen(self->scope);
  guint32         best = LAC_NO_NAME;
  gint64          best_ns = -1;
  if (times == NULL || name == LAC_NO_NAME || is_phase(times, name))
    return name;
  if (limit >= 0)
    return times->phase_of[limit];
  for (gsize i = 0; i < times->tree.n; i++)
    if (times->tree.nodes[i].name == name && times->tree.nodes[i].total_ns > best_ns) {
      best = times->phase_of[i];
      best_ns = times->tree.nodes[i].total_ns;
    }
  return best;
}

/* ---- a limit ---- */

/* Fills in the path of a node. Returns: (transfer full) */
static GArray *
make_path(const LacCallTree *tree, gsize node)
{
  GArray *path = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint i = (guint) node; i != LAC_CALL_NONE; i = tree->nodes[i].parent)
    g_array_prepend_val(path, tree->nodes[i].name);
  return path;
}

gssize
lac_timeline_times_find_limit(LacTimelineTimes *self)
{
  const LacTimes *times = lac_timeline_times_get(self);
  gsize           n = 0;
  const guint32  *path = lac_timeline_scope_get_limit(self->scope, &n);
  for (gsize i = 0; times != NULL && n > 0 && i < times->tree.n; i++) {
    guint at = (guint) i;
    gsize left = n;
    if (times->tree.nodes[i].depth + 1 != n)
      continue;
    while (at != LAC_CALL_NONE && left > 0 && times->tree.nodes[at].name == path[left - 1]) {
      at = times->tree.nodes[at].parent;
      left--;
    }
    if (left == 0 && at == LAC_CALL_NONE)
      return (gssize) i;
  }
  return -1;
}

/* Marks the nodes below @node. Returns: (transfer full) [tree->n] */
static gboolean *
mark_below(const LacCallTree *tree, gsize node)
{
  gboolean *is_below = g_new0(gboolean, tree->n + 1);
  is_below[node] = TRUE;
  for (gsize i = node + 1; i < tree->n; i++)
    is_below[i] = tree->nodes[i].parent != LAC_CALL_NONE && is_below[tree->nodes[i].parent];
  return is_below;
}

static guint32
count_names(LacTimelineTimes *self)
{
  return lac_capture_get_n_names(
    lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope)));
}

static GByteArray *
make_names(guint32 n_names)
{
  GByteArray *names = g_byte_array_new();
  g_byte_array_set_size(names, n_names);
  memset(names->data, 0, n_names);
  return names;
}

void
lac_timeline_times_limit(LacTimelineTimes *self, gsize bar)
{
  const LacTimes *times = lac_timeline_times_get(self);
  g_return_if_fail(times != NULL && bar < times->tree.n);
  const LacCallTree   *tree = &times->tree;
  g_autofree gboolean *is_below = mark_below(tree, bar);
  g_autoptr(GArray)    path = make_path(tree, bar);
  self->n_names = count_names(self);
  GByteArray *within = make_names(self->n_names);
  for (gsize i = bar; i < tree->n; i++)
    if (is_below[i] && tree->nodes[i].name < self->n_names)
      within->data[tree->nodes[i].name] = 1;
  lac_timeline_scope_limit(self->scope, (const guint32 *) (gconstpointer) path->data, path->len,
                           within);
}

void
lac_timeline_times_limit_path(LacTimelineTimes *self, const guint32 *path, gsize n)
{
  g_return_if_fail(LAC_IS_TIMELINE_TIMES(self) && path != NULL && n > 0);
  if (lac_timeline_scope_is_empty(self->scope))
    return;
  GByteArray *within = make_names(count_names(self));
  self->n_names = 0;
  if (path[n - 1] < within->len)
    within->data[path[n - 1]] = 1;
  lac_timeline_scope_limit(self->scope, path, n, within);
  renew_limit(self);
}

/* Finds the names within the limit again after new ones have come. */
static void
renew_limit(LacTimelineTimes *self)
{
  const gssize limit = lac_timeline_times_find_limit(self);
  if (limit >= 0 && count_names(self) != self->n_names)
    lac_timeline_times_limit(self, (gsize) limit);
}

/* @places: name -> 1 + index in @rows */
static LacAggregate *
find_row(GArray *rows, GHashTable *places, const LacCallNode *node)
{
  const guint at = GPOINTER_TO_UINT(g_hash_table_lookup(places, GUINT_TO_POINTER(node->name)));
  if (at > 0)
    return &g_array_index(rows, LacAggregate, at - 1);
  LacAggregate row = {.name = node->name,
                      .is_operation = node->is_operation,
                      .min_ns = NAN,
                      .max_ns = NAN,
                      .p50_ns = NAN,
                      .p90_ns = NAN,
                      .p99_ns = NAN,
                      .memory = -1,
                      .cpu_delta = LAC_RECORD_UNKNOWN,
                      .cpu_peak = LAC_RECORD_UNKNOWN,
                      .gpu_delta = LAC_RECORD_UNKNOWN,
                      .gpu_peak = LAC_RECORD_UNKNOWN};
  g_array_append_val(rows, row);
  g_hash_table_insert(places, GUINT_TO_POINTER(node->name), GUINT_TO_POINTER(rows->len));
  return &g_array_index(rows, LacAggregate, rows->len - 1);
}

/* Sums the nodes of a path by name; shares are of the time of the path. */
static void
sum_below(LacTimelineTimes *self, const LacCallTree *tree, gsize node)
{
  g_autofree gboolean  *is_below = mark_below(tree, node);
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  const double          whole = (double) MAX(tree->nodes[node].total_ns, 1);
  g_array_set_size(self->rows, 0);
  for (gsize i = node; i < tree->n; i++) {
    if (!is_below[i])
      continue;
    LacAggregate *row = find_row(self->rows, places, &tree->nodes[i]);
    row->count += tree->nodes[i].count;
    row->total_ns += tree->nodes[i].summed_ns;
    row->self_ns += (double) tree->nodes[i].self_ns;
    row->share = MIN(row->self_ns / whole, 1);
    row->mean_ns = row->count > 0 ? row->total_ns / (double) row->count : (double) NAN;
  }
}

const LacAggregate *
lac_timeline_times_get_rows(LacTimelineTimes *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_TIMES(self) && n != NULL, NULL);
  const LacTimes *times = lac_timeline_times_get(self);
  const gssize    limit = lac_timeline_times_find_limit(self);
  *n = 0;
  if (limit >= 0) {
    sum_below(self, &times->tree, (gsize) limit);
    *n = self->rows->len;
    return (const LacAggregate *) (gconstpointer) self->rows->data;
  }
  if (times == NULL)
    return NULL;
  *n = times->rows->len;
  return (const LacAggregate *) (gconstpointer) times->rows->data;
}
