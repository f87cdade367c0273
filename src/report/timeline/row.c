/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars, their chunks, and how they are folded. */
#include "report/timeline/row.h"

/* A bar that ends more than this many bars before the last ones leaves the row unsorted until the next summary. */
#define MOST_MOVED  64
#define HARDLY_MORE 0.9 /* a name with this share of the largest time keeps its colour */

/* Sum over LAC_ROW_FAN items of the level below; its shares are contiguous. */
typedef struct {
  gint64  busy_ns, longest_ns;
  gint64  gap_ns; /* widest gap before one of its bars */
  gint64  end_ns; /* end of its last bar */
  guint32 first_share, n_shares;
} LacChunk;

typedef struct {
  guint32 name;
  gint64  ns;
} LacShare;

/* ---- time by name ---- */

void
lac_step_times_init(LacStepTimes *step_times)
{
  step_times->times = g_array_new(FALSE, TRUE, sizeof(gint64));
  step_times->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
}

void
lac_step_times_clear(LacStepTimes *step_times)
{
  g_clear_pointer(&step_times->times, g_array_unref);
  g_clear_pointer(&step_times->touched, g_array_unref);
}

static void
step_times_add(LacStepTimes *step_times, guint32 name, gint64 ns)
{
  if (name >= step_times->times->len)
    g_array_set_size(step_times->times, name + 1);
  gint64 *time = &g_array_index(step_times->times, gint64, name);
  if (*time == 0)
    g_array_append_val(step_times->touched, name);
  *time += MAX(ns, 1); /* counts bars of zero length */
}

static void
step_times_empty(LacStepTimes *step_times)
{
  for (guint i = 0; i < step_times->touched->len; i++)
    g_array_index(step_times->times, gint64, g_array_index(step_times->touched, guint32, i)) = 0;
  g_array_set_size(step_times->touched, 0);
}

/* ---- the row ---- */

LacRow *
lac_row_new(void)
{
  LacRow *row = g_new0(LacRow, 1);
  row->bars = g_array_new(FALSE, FALSE, sizeof(LacBar));
  for (int level = 0; level < LAC_ROW_LEVELS; level++) {
    row->levels[level].chunks = g_array_new(FALSE, FALSE, sizeof(LacChunk));
    row->levels[level].shares = g_array_new(FALSE, FALSE, sizeof(LacShare));
  }
  return row;
}

void
lac_row_free(LacRow *row)
{
  g_array_unref(row->bars);
  for (int level = 0; level < LAC_ROW_LEVELS; level++) {
    g_array_unref(row->levels[level].chunks);
    g_array_unref(row->levels[level].shares);
  }
  g_free(row);
}

static const LacBar *
bars_of(const LacRow *row)
{
  return (const LacBar *) (gconstpointer) row->bars->data;
}

/* Drops the chunks that hold bars from @at on, which have moved. */
static void
forget_chunks(LacRow *row, gsize at)
{
  for (int level = 0; level < LAC_ROW_LEVELS; level++) {
    LacLevel *this = &row->levels[level];
    at /= LAC_ROW_FAN;
    if (at >= this->chunks->len)
      continue;
    guint first = g_array_index(this->chunks, LacChunk, at).first_share;
    g_array_set_size(this->chunks, (guint) at);
    g_array_set_size(this->shares, first);
  }
}

void
lac_row_add(LacRow *row, LacBar bar)
{
  guint n = row->bars->len, at = n;
  while (at > 0 && n - at < MOST_MOVED &&
         g_array_index(row->bars, LacBar, at - 1).end_ns > bar.end_ns)
    at--;
  if (at > 0 && g_array_index(row->bars, LacBar, at - 1).end_ns > bar.end_ns) {
    row->unsorted = TRUE;
    at = n;
  }
  g_array_insert_val(row->bars, at, bar);
  if (at < n)
    forget_chunks(row, at);
}

static int
compare_ends(gconstpointer a, gconstpointer b)
{
  const LacBar *x = a, *y = b;
  return x->end_ns != y->end_ns ? (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns)
                                : (x->record > y->record) - (x->record < y->record);
}

/* Appends a chunk with the times in @step_times. */
static void
add_chunk(LacLevel *level, LacStepTimes *step_times, LacChunk chunk)
{
  chunk.first_share = level->shares->len;
  chunk.n_shares = step_times->touched->len;
  for (guint i = 0; i < step_times->touched->len; i++) {
    guint32  name = g_array_index(step_times->touched, guint32, i);
    LacShare share = {name, g_array_index(step_times->times, gint64, name)};
    g_array_append_val(level->shares, share);
  }
  g_array_append_val(level->chunks, chunk);
  step_times_empty(step_times);
}

static void
step_times_chunk(const LacLevel *level,
                 gsize           i,
                 LacStepTimes   *step_times,
                 gint64         *busy_ns,
                 gint64         *longest_ns)
{
  const LacChunk *chunk = &g_array_index(level->chunks, LacChunk, i);
  const LacShare *shares = &g_array_index(level->shares, LacShare, chunk->first_share);
  for (guint k = 0; k < chunk->n_shares; k++)
    step_times_add(step_times, shares[k].name, shares[k].ns);
  *busy_ns += chunk->busy_ns;
  *longest_ns = MAX(*longest_ns, chunk->longest_ns);
}

static void
step_times_bar(const LacBar *bar, LacStepTimes *step_times, gint64 *busy_ns, gint64 *longest_ns)
{
  gint64 duration = bar->end_ns - bar->begin_ns;
  step_times_add(step_times, bar->name, duration);
  *busy_ns += duration;
  *longest_ns = MAX(*longest_ns, duration);
}

static void
sum_bars(LacRow *row, gsize first, LacStepTimes *step_times)
{
  LacChunk      chunk = {0};
  const LacBar *bars = bars_of(row);
  for (gsize i = first; i < first + LAC_ROW_FAN; i++) {
    step_times_bar(&bars[i], step_times, &chunk.busy_ns, &chunk.longest_ns);
    if (i > 0)
      chunk.gap_ns = MAX(chunk.gap_ns, bars[i].begin_ns - bars[i - 1].end_ns);
  }
  chunk.end_ns = bars[first + LAC_ROW_FAN - 1].end_ns;
  add_chunk(&row->levels[0], step_times, chunk);
}

static void
sum_chunks(LacRow *row, int level, gsize first, LacStepTimes *step_times)
{
  LacChunk        chunk = {0};
  const LacLevel *below = &row->levels[level - 1];
  for (gsize i = first; i < first + LAC_ROW_FAN; i++) {
    const LacChunk *part = &g_array_index(below->chunks, LacChunk, i);
    step_times_chunk(below, i, step_times, &chunk.busy_ns, &chunk.longest_ns);
    chunk.gap_ns = MAX(chunk.gap_ns, part->gap_ns);
    chunk.end_ns = part->end_ns;
  }
  add_chunk(&row->levels[level], step_times, chunk);
}

void
lac_row_summarise(LacRow *row, LacStepTimes *step_times)
{
  if (row->unsorted) {
    g_array_sort(row->bars, compare_ends);
    forget_chunks(row, 0);
    row->unsorted = FALSE;
  }
  gsize n_below = row->bars->len;
  for (int level = 0; level < LAC_ROW_LEVELS; level++) {
    gsize n = row->levels[level].chunks->len;
    for (; (n + 1) * LAC_ROW_FAN <= n_below; n++)
      if (level == 0)
        sum_bars(row, n * LAC_ROW_FAN, step_times);
      else
        sum_chunks(row, level, n * LAC_ROW_FAN, step_times);
    n_below = n;
  }
}

/* ---- reading ---- */

gsize
lac_row_find(const LacRow *row, gint64 time_ns)
{
  const LacBar *bars = bars_of(row);
  gsize         low = 0, high = row->bars->len;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (bars[middle].end_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Finds the largest chunk that begins with bar @i and satisfies @holds. Returns: its number of bars; 1 without one. */
static gsize
chunk_from(const LacRow *row,
           gsize         i,
           gboolean (*holds)(const LacChunk *chunk, const gint64 *limits),
           const gint64 *limits)
{
  gsize size = 1;
  for (int level = 0; level < LAC_ROW_LEVELS; level++) {
    gsize         wider = size * LAC_ROW_FAN;
    const GArray *chunks = row->levels[level].chunks;
    if (i % wider != 0 || i / wider >= chunks->len ||
        !holds(&g_array_index(chunks, LacChunk, i / wider), limits))
      break;
    size = wider;
  }
  return size;
}

static gboolean
ends_before(const LacChunk *chunk, const gint64 *limits)
{
  return chunk->end_ns < limits[0];
}

gsize
lac_row_find_near(const LacRow *row, gsize from, gint64 time_ns)
{
  const LacBar *bars = bars_of(row);
  gsize         i = from;
  while (i < row->bars->len && bars[i].end_ns < time_ns)
    i += chunk_from(row, i, ends_before, &time_ns);
  return i;
}

/* Returns TRUE when the chunk ends before limits[0] and has no bar or gap as wide as limits[1]. */
static gboolean
joins(const LacChunk *chunk, const gint64 *limits)
{
  return chunk->end_ns < limits[0] && chunk->longest_ns < limits[1] && chunk->gap_ns < limits[1];
}

LacFold
lac_row_fold(const LacRow *row, gsize first, gint64 view_end_ns, gint64 least_ns)
{
  const LacBar *bars = bars_of(row);
  gsize         n = row->bars->len, next = first + 1;
  gint64        limits[] = {view_end_ns, least_ns};
  if (bars[first].end_ns - bars[first].begin_ns >= least_ns)
    return (LacFold){first, 1, bars[first].begin_ns, bars[first].end_ns};

  while (next < n && bars[next].begin_ns < view_end_ns &&
         bars[next].end_ns - bars[next].begin_ns < least_ns &&
         bars[next].begin_ns - bars[next - 1].end_ns < least_ns)
    next += chunk_from(row, next, joins, limits);
  return (LacFold){first, next - first, bars[first].begin_ns, bars[next - 1].end_ns};
}

/* Cells are aligned to multiples of @cell_ns, not to the view, so that they stay in place while the view moves. */
gsize
lac_row_cell(const LacRow *row, const LacFold *fold, gsize first, gint64 cell_ns)
{
  const LacBar *bars = bars_of(row);
  gsize         end = fold->first + fold->n, next = first;
  gint64        cell = bars[first].begin_ns / cell_ns - (bars[first].begin_ns < 0 ? 1 : 0);
  gint64        limit = (cell + 1) * cell_ns;
  while (next < end && bars[next].end_ns < limit) {
    if (next - first >= 2 * LAC_ROW_FAN && next % LAC_ROW_FAN == 0 &&
        chunk_from(row, next, ends_before, &limit) == 1)
      return MIN(next + LAC_ROW_FAN, end) - first;
    next += chunk_from(row, next, ends_before, &limit);
  }
  if (next < end && bars[next].begin_ns < limit)
    next++; /* extends over the limit */
  return CLAMP(next, first + 1, end) - first;
}

static gboolean
is_matched(const LacMatch *match, guint32 name)
{
  return name < match->n && match->names[name];
}

/* Finds the name with the largest time, the lower index of equal ones. Empties @step_times. */
static void
find_largest(LacStretch *stretch, LacStepTimes *step_times, const LacMatch *match, guint32 favoured)
{
  gint64 favoured_ns = 0;
  for (guint k = 0; k < step_times->touched->len; k++) {
    guint32 name = g_array_index(step_times->touched, guint32, k);
    gint64  ns = g_array_index(step_times->times, gint64, name);
    if (match != NULL && !is_matched(match, name))
      continue;
    stretch->matched_ns += ns;
    if (name == favoured)
      favoured_ns = ns;
    if (ns > stretch->name_ns || (ns == stretch->name_ns && name < stretch->name)) {
      stretch->name = name;
      stretch->name_ns = ns;
    }
  }
  if (favoured_ns > 0 && (double) favoured_ns > HARDLY_MORE * (double) stretch->name_ns) {
    stretch->name = favoured;
    stretch->name_ns = favoured_ns;
  }
  step_times_empty(step_times);
}

LacStretch
lac_row_sum(const LacRow   *row,
            gsize           first,
            gsize           n,
            LacStepTimes   *step_times,
            const LacMatch *match,
            guint32         favoured)
{
  LacStretch stretch = {.name = LAC_ROW_NO_NAME};
  gsize      i = first, end = first + n;
  while (i < end) {
    gsize size = 1;
    int   level = 0;
    for (; level < LAC_ROW_LEVELS; level++) {
      gsize wider = size * LAC_ROW_FAN;
      if (i % wider != 0 || i + wider > end || i / wider >= row->levels[level].chunks->len)
        break;
      size = wider;
    }
    if (level == 0)
      step_times_bar(&bars_of(row)[i], step_times, &stretch.busy_ns, &stretch.longest_ns);
    else
      step_times_chunk(&row->levels[level - 1], i / size, step_times, &stretch.busy_ns,
                       &stretch.longest_ns);
    i += size;
  }
  find_largest(&stretch, step_times, match, favoured);
  return stretch;
}

static gboolean
chunk_has(const LacLevel *level, gsize i, const LacMatch *match)
{
  const LacChunk *chunk = &g_array_index(level->chunks, LacChunk, i);
  for (guint k = 0; k < chunk->n_shares; k++) {
    if (is_matched(match, g_array_index(level->shares, LacShare, chunk->first_share + k).name))
      return TRUE;
  }
  return FALSE;
}

gssize
lac_row_seek(const LacRow *row, gssize from, int direction, const LacMatch *match)
{
  const LacBar *bars = bars_of(row);
  gssize        n = row->bars->len, i = from;
  while (i >= 0 && i < n) {
    if (is_matched(match, bars[i].name))
      return i;
    gssize size = 1;
    for (int level = 0; level < LAC_ROW_LEVELS; level++) {
      gssize wider = size * LAC_ROW_FAN, edge = direction > 0 ? i % wider : (i + 1) % wider;
      if (edge != 0 || i / wider >= (gssize) row->levels[level].chunks->len ||
          chunk_has(&row->levels[level], (gsize) (i / wider), match))
        break;
      size = wider;
    }
    i += direction * size;
  }
  return -1;
}
