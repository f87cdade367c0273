/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A span is recorded when it ends, after the spans within it: the sums of a depth wait until the next outer span ends,
 * which takes them as its children. Sums are merged by name at once, so that memory grows with the number of paths
 * alone. */
#include "perf/analysis/call-tree.h"

#include "perf/analysis/iterations.h"
#include "perf/recorder/gauges.h"

#include <math.h>
#include <string.h>

#define DEPTHS   (G_MAXUINT8 + 2)
#define N_RECENT 32 /* ended spans among which those of an operation are sought */

typedef struct _Part Part;

/* Calls with one path */
struct _Part {
  guint32    name;
  gboolean   is_operation;
  guint64    count;
  gint64     total_ns, first_ns;
  double     summed_ns;
  GPtrArray *parts; /* Part, by their first call when finished */
};

/* An ended span. Its part may have been merged into another since; then @part is that one. */
typedef struct {
  gint64 start_ns, duration_ns;
  guint  depth;
  double share; /* of the span in the range */
  Part  *part;
} Ended;

/* An operation whose span has not ended yet */
typedef struct {
  LacRecord record;
  Ended     within; /* the longest span that lies in it; part: NULL: none */
} Waiting;

typedef struct {
  const LacCapture *capture;
  gint64            begin_ns, end_ns;
  guint16           lane;
  GPtrArray        *pending[DEPTHS]; /* Part, by depth: their outer span has not ended yet */
  Ended             recent[N_RECENT];
  gsize             n_ended;
  GArray           *waiting; /* Waiting */
  GArray           *dropped; /* LacRecord */
  GPtrArray        *spare;   /* Part, without parts of their own */
} Builder;

static void
part_free(gpointer data)
{
  Part *part = data;
  for (guint i = 0; i < part->parts->len; i++)
    part_free(g_ptr_array_index(part->parts, i));
  g_ptr_array_unref(part->parts);
  g_free(part);
}

/* Millions of spans are merged into few parts: merged ones are used again instead of being allocated. */
static Part *
make_part(GPtrArray *spare)
{
  if (spare->len > 0)
    return g_ptr_array_steal_index_fast(spare, spare->len - 1);
  Part *part = g_new0(Part, 1);
  part->parts = g_ptr_array_new();
  return part;
}

static Part *
find_part(GPtrArray *spare, GPtrArray *parts, guint32 name, gboolean is_operation, gint64 first_ns)
{
  Part *part;
  for (guint i = 0; i < parts->len; i++) {
    part = g_ptr_array_index(parts, i);
    if (part->name == name && part->is_operation == is_operation) {
      part->first_ns = MIN(part->first_ns, first_ns);
      return part;
    }
  }
  part = make_part(spare);
  *part =
    (Part){.name = name, .is_operation = is_operation, .first_ns = first_ns, .parts = part->parts};
  g_ptr_array_add(parts, part);
  return part;
}

/* ---- walking through the records ---- */

static gboolean
clip(const Builder *builder, const LacRecord *span, gint64 *ns)
{
  const gint64 first = MAX(span->start_ns, builder->begin_ns);
  const gint64 last = MIN(span->start_ns + span->duration_ns, builder->end_ns);
  *ns = MAX(last - first, 0);
  return last > first || (span->duration_ns <= 0 && last == first);
}

static void
redirect(Builder *builder, const Part *from, Part *to)
{
  for (gsize i = 0; i < N_RECENT; i++)
    if (builder->recent[i].part == from)
      builder->recent[i].part = to;
  for (guint i = 0; i < builder->waiting->len; i++) {
    Waiting *waiting = &g_array_index(builder->waiting, Waiting, i);
    if (waiting->within.part == from)
      waiting->within.part = to;
  }
}

/* Moves the sums of @parts to those of @into; @parts is empty afterwards. */
static void
merge(Builder *builder, GPtrArray *into, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    Part *from = g_ptr_array_index(parts, i);
    Part *to = find_part(builder->spare, into, from->name, from->is_operation, from->first_ns);
    to->count += from->count;
    to->total_ns += from->total_ns;
    to->summed_ns += from->summed_ns;
    merge(builder, to->parts, from->parts);
    redirect(builder, from, to);
    g_ptr_array_add(builder->spare, from);
  }
  g_ptr_array_set_size(parts, 0);
}

static void
add_operation(GPtrArray *spare, Part *parent, const LacRecord *record, double share)
{
  Part *part = find_part(spare, parent->parts, record->name, TRUE, record->start_ns);
  part->count += (guint64) llround((double) record->count * share);
  part->summed_ns += (double) record->duration_ns * share;
}

/* Gives the span the operations that began after it. */
static void
take_operations(Builder *builder, const LacRecord *span, const Ended *ended)
{
  guint n = 0;
  for (guint i = 0; i < builder->waiting->len; i++) {
    const Waiting waiting = g_array_index(builder->waiting, Waiting, i);
    if (waiting.record.start_ns < span->start_ns)
      g_array_index(builder->waiting, Waiting, n++) = waiting;
    else if (waiting.within.part != NULL && waiting.within.depth == (guint) span->depth + 1)
      add_operation(builder->spare, waiting.within.part, &waiting.record, waiting.within.share);
    else if (ended->part != NULL)
      add_operation(builder->spare, ended->part, &waiting.record, ended->share);
  }
  g_array_set_size(builder->waiting, n);
}

static void
take_span(Builder *builder, const LacRecord *span)
{
  GPtrArray    **inner = &builder->pending[span->depth + 1];
  gint64         ns;
  Ended          ended = {span->start_ns, span->duration_ns, span->depth, 0, NULL};
  const gboolean is_there = clip(builder, span, &ns);

  if (is_there) {
    GPtrArray **outer = &builder->pending[span->depth];
    if (*outer == NULL)
      *outer = g_ptr_array_new();
    Part *part =
      find_part(builder->spare, *outer, span->name, FALSE, MAX(span->start_ns, builder->begin_ns));
    part->count++;
    part->total_ns += ns;
    part->summed_ns += (double) ns;
    ended.part = part;
    ended.share = span->duration_ns > 0 ? (double) ns / (double) span->duration_ns : 1;
    if (*inner != NULL)
      merge(builder, part->parts, *inner);
  }
  take_operations(builder, span, &ended);
  builder->recent[builder->n_ended++ % N_RECENT] = ended;
}

/* Finds the longest of the outermost spans that began and ended since the operation began. */
static Ended
find_within(const Builder *builder, const LacRecord *record)
{
  Ended within = {.depth = G_MAXUINT};
  for (gsize i = 0; i < MIN(builder->n_ended, N_RECENT); i++) {
    const Ended *ended = &builder->recent[(builder->n_ended - 1 - i) % N_RECENT];
    if (ended->start_ns < record->start_ns)
      break;
    if (ended->part != NULL &&
        (ended->depth < within.depth ||
         (ended->depth == within.depth && ended->duration_ns > within.duration_ns)))
      within = *ended;
  }
  return within;
}

static void
take_record(Builder *builder, const LacRecord *record)
{
  const gboolean is_within =
    record->start_ns >= builder->begin_ns && record->start_ns <= builder->end_ns;

  if (record->kind == LAC_RECORD_SPAN) {
    take_span(builder, record);
  } else if (record->kind == LAC_RECORD_AGGREGATE && record->count > 0) {
    const Waiting waiting = {*record, find_within(builder, record)};
    g_array_append_val(builder->waiting, waiting);
  } else if ((record->kind == LAC_RECORD_SPANS_DROPPED ||
              record->kind == LAC_RECORD_CALLS_DROPPED) &&
             is_within && record->count > 0) {
    g_array_append_val(builder->dropped, *record);
  }
}

/* ---- records that were dropped ---- */

typedef struct {
  const LacRecord *record;
  gboolean         is_outermost;
  double           known_ns; /* time of the paths of its name */
  guint            n_known;
  double           left_ns; /* of the sum */
  guint64          left;
} Sum;

static gboolean
matches(const Sum *sum, const Part *part, guint depth)
{
  const gboolean is_operation = sum->record->kind == LAC_RECORD_CALLS_DROPPED;
  return part->name == sum->record->name && part->is_operation == is_operation &&
         (is_operation || sum->is_outermost == (depth == 0));
}

static void
count_known(Sum *sum, const GPtrArray *parts, guint depth)
{
  for (guint i = 0; i < parts->len; i++) {
    const Part *part = g_ptr_array_index(parts, i);
    if (matches(sum, part, depth)) {
      sum->known_ns += part->summed_ns;
      sum->n_known++;
    }
    count_known(sum, part->parts, depth + 1);
  }
}

static void
give(Sum *sum, Part *part, double ns, guint64 count)
{
  part->summed_ns += ns;
  part->total_ns += part->is_operation ? 0 : (gint64) llround(ns);
  part->count += count;
  sum->left_ns -= ns;
  sum->left -= count;
}

/* Shares the sum among the paths of its name, in the ratio of their known times. */
static void
share_out(Sum *sum, const GPtrArray *parts, guint depth)
{
  for (guint i = 0; i < parts->len; i++) {
    Part *part = g_ptr_array_index(parts, i);
    if (matches(sum, part, depth)) {
      const double share =
        sum->known_ns > 0 ? part->summed_ns / sum->known_ns : 1 / (double) sum->n_known;
      sum->known_ns -= part->summed_ns;
      if (--sum->n_known == 0)
        give(sum, part, sum->left_ns, sum->left);
      else
        give(sum, part, sum->left_ns * share, (guint64) ((double) sum->left * share));
    }
    share_out(sum, part->parts, depth + 1);
  }
}

static Part *
find_longest(const GPtrArray *parts)
{
  Part *longest = NULL;
  for (guint i = 0; i < parts->len; i++) {
    Part *part = g_ptr_array_index(parts, i);
    if (!part->is_operation && (longest == NULL || part->total_ns > longest->total_ns))
      longest = part;
  }
  return longest;
}

static void
take_sum(GPtrArray *spare, GPtrArray *outermost, const LacRecord *record)
{
  Sum sum = {.record = record,
             .is_outermost = record->depth == 0,
             .left_ns = (double) record->duration_ns,
             .left = record->count};

  count_known(&sum, outermost, 0);
  if (sum.n_known > 0) {
    share_out(&sum, outermost, 0);
    return;
  }
  const gboolean is_operation = record->kind == LAC_RECORD_CALLS_DROPPED;
  Part          *parent = is_operation || record->depth > 0 ? find_longest(outermost) : NULL;
  if (parent != NULL || !is_operation)
    give(&sum,
         find_part(spare, parent != NULL ? parent->parts : outermost, record->name, is_operation,
                   record->start_ns),
         sum.left_ns, sum.left);
}

/* ---- the finished tree ---- */

/* Scales the times of @parts so that their sum is exactly @fit. */
static void
scale(GPtrArray *parts, gboolean operations, double sum, gint64 fit)
{
  double done = 0;
  gint64 before = 0;
  for (guint i = 0; i < parts->len; i++) {
    Part *part = g_ptr_array_index(parts, i);
    if (part->is_operation != operations)
      continue;
    done += operations ? part->summed_ns : (double) part->total_ns;
    const gint64 end = MIN((gint64) llround((double) fit * (done / sum)), fit);
    part->total_ns = end - before;
    before = end;
  }
}

static double
sum_parts(const GPtrArray *parts, gboolean operations)
{
  double sum = 0;
  for (guint i = 0; i < parts->len; i++) {
    const Part *part = g_ptr_array_index(parts, i);
    if (part->is_operation == operations)
      sum += operations ? part->summed_ns : (double) part->total_ns;
  }
  return sum;
}

/* Makes the parts fit into @room_ns. Spans go first; operations share what remains. */
static void
fit(GPtrArray *parts, gint64 room_ns)
{
  const double spans_ns = sum_parts(parts, FALSE), operations_ns = sum_parts(parts, TRUE);
  if (spans_ns > (double) room_ns)
    scale(parts, FALSE, spans_ns, room_ns);
  room_ns -= (gint64) MIN(spans_ns, (double) room_ns);
  if (operations_ns > 0)
    scale(parts, TRUE, operations_ns, MIN((gint64) llround(operations_ns), room_ns));
  for (guint i = 0; i < parts->len; i++) {
    Part *part = g_ptr_array_index(parts, i);
    fit(part->parts, part->total_ns);
  }
}

static int
compare_parts(gconstpointer a, gconstpointer b)
{
  const Part *x = *(const Part *const *) a, *y = *(const Part *const *) b;
  if (x->first_ns != y->first_ns)
    return x->first_ns < y->first_ns ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

static void
flatten(GPtrArray *parts, guint parent, guint depth, GArray *nodes)
{
  g_ptr_array_sort(parts, compare_parts);
  for (guint i = 0; i < parts->len; i++) {
    const Part       *part = g_ptr_array_index(parts, i);
    const guint       at = nodes->len;
    const LacCallNode node = {.name = part->name,
                              .parent = parent,
                              .depth = depth,
                              .is_operation = part->is_operation,
                              .count = part->count,
                              .total_ns = part->total_ns,
                              .self_ns = part->total_ns,
                              .summed_ns = part->summed_ns,
                              .first_ns = part->first_ns};
    g_array_append_val(nodes, node);
    if (parent != LAC_CALL_NONE)
      g_array_index(nodes, LacCallNode, parent).self_ns -= part->total_ns;
    flatten(part->parts, at, depth + 1, nodes);
  }
}

/* ---- the lane ---- */

/* Finds the lane with the most time in outermost spans; the device's only when there is no other. */
static gboolean
find_busiest(const LacCapture *capture, guint16 *lane)
{
  const guint        n_lanes = lac_capture_get_n_lanes(capture);
  g_autofree gint64 *busy = g_new0(gint64, n_lanes + 1);
  const LacRecord   *records;
  gssize             best = -1;
  gsize              n;

  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++)
      if (records[i].kind == LAC_RECORD_SPAN && records[i].depth == 0 && records[i].lane < n_lanes)
        busy[records[i].lane] += MAX(records[i].duration_ns, 1);
  for (guint i = 0; i < n_lanes; i++) {
    const gboolean is_device =
      g_str_equal(lac_capture_get_lane(capture, (guint16) i), LAC_LANE_DEVICE);
    if (busy[i] > 0 && (best < 0 || (!is_device && busy[i] > busy[best])))
      best = (gssize) i;
  }
  *lane = (guint16) MAX(best, 0);
  return best >= 0;
}

static gboolean
find_lane(const LacCapture *capture, LacCallTree *tree)
{
  g_auto(LacIterations) all = lac_iterations_find(capture);
  if (all.n == 0)
    return find_busiest(capture, &tree->lane);
  tree->iteration = all.name;
  tree->lane = lac_capture_at(capture, all.iterations[0].record)->lane;
  return TRUE;
}

static void
walk(Builder *builder)
{
  const LacRecord *records;
  gsize            n;

  for (gsize first = 0; (records = lac_capture_get(builder->capture, first, &n)) != NULL;
       first += n)
    for (gsize i = 0; i < n; i++)
      if (records[i].lane == builder->lane)
        take_record(builder, &records[i]);
}

/* Adopts spans whose outer span has not ended yet, as in a run in progress. */
static GPtrArray *
steal_outermost(Builder *builder)
{
  GPtrArray *outermost = g_ptr_array_new_with_free_func(part_free);
  for (guint depth = 0; depth < DEPTHS; depth++)
    if (builder->pending[depth] != NULL) {
      merge(builder, outermost, builder->pending[depth]);
      g_ptr_array_unref(builder->pending[depth]);
    }
  return outermost;
}

LacCallTree
lac_call_tree_make(const LacCapture *capture, gint64 begin_ns, gint64 end_ns)
{
  LacCallTree tree = {.begin_ns = begin_ns, .end_ns = end_ns, .iteration = LAC_NO_NAME};

  g_return_val_if_fail(capture != NULL && end_ns >= begin_ns, tree);
  if (begin_ns == 0 && end_ns == 0)
    lac_capture_get_extent(capture, &tree.begin_ns, &tree.end_ns);
  if (!find_lane(capture, &tree))
    return tree;
  g_autoptr(GArray)    waiting = g_array_new(FALSE, FALSE, sizeof(Waiting));
  g_autoptr(GArray)    dropped = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  g_autoptr(GPtrArray) spare = g_ptr_array_new_with_free_func(part_free);
  g_autofree Builder  *builder = g_new0(Builder, 1);
  GArray              *nodes = g_array_new(FALSE, FALSE, sizeof(LacCallNode));
  *builder = (Builder){.capture = capture,
                       .begin_ns = tree.begin_ns,
                       .end_ns = tree.end_ns,
                       .lane = tree.lane,
                       .waiting = waiting,
                       .dropped = dropped,
                       .spare = spare};
  walk(builder);
  g_autoptr(GPtrArray) outermost = steal_outermost(builder);
  for (guint i = 0; i < dropped->len; i++)
    take_sum(builder->spare, outermost, &g_array_index(dropped, LacRecord, i));
  fit(outermost, tree.end_ns - tree.begin_ns);
  flatten(outermost, LAC_CALL_NONE, 0, nodes);
  tree.n = nodes->len;
  tree.nodes = (LacCallNode *) (gpointer) g_array_free(nodes, FALSE);
  return tree;
}

void
lac_call_tree_clear(LacCallTree *tree)
{
  g_free(tree->nodes);
  *tree = (LacCallTree){0};
}
