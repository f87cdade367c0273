/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Norms only decrease as directions are projected out, so an outdated norm is an upper bound. A chunk whose bound is
 * below the best score of another is skipped; when needed again, all missed directions are applied in one pass over
 * its rows. */
#define _DEFAULT_SOURCE /* for madvise */
#include "sensor/pivot-table.h"

#include "backend/cpu/cpu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK = LAC_PIVOT_CHUNK, CHUNKS_AN_ITEM = 8, N_PROMISING = 4, N_HIGHEST = 8 };

#define NOTHING  1e-13 /* relative to a row's norm: below it only rounding is left */
#define ROUNDING 1e-14 /* relative to a row's norm: error of a residual in double precision */

static const LacPivotLoops *
get_loops(void)
{
  static const LacPivotLoops *const loops[] = {
#define L(level) &lac_pivot_loops_##level,
    LAC_PIVOT_LEVELS(L)
#undef L
  };

  return loops[lac_cpu_level()];
}

double
lac_pivot_score(const LacPlacementProblem *problem, gsize point, double left)
{
  return problem->cost ? sqrt(MAX(left, 0)) - problem->cost[point] : left;
}

static float *
get_rows(const LacPivotTable *table, gsize chunk, gsize c)
{
  const gsize n_components = table->problem->n_components;

  return table->rows + (chunk * n_components + c) * table->problem->n_modes * CHUNK;
}

/* Updates the bounds of the best score among the open points of @chunk. */
static void
find_bounds(LacPivotTable *table, gsize chunk)
{
  const LacPlacementProblem *problem = table->problem;
  const double               unit = table->units[chunk];
  double                     highest = -(double) INFINITY, lowest = -(double) INFINITY;

  for (gsize j = 0, i = chunk * CHUNK; j < CHUNK && i < problem->n_points; j++, i++) {
    const double left = (double) table->left[i], margin = (double) table->margins[i];
    double       high, low;

    if (!table->candidates->open[i])
      continue;
    high = lac_pivot_score(problem, i, unit * MAX(left + margin, 0));
    low = lac_pivot_score(problem, i, unit * MAX(left - margin, 0));
    highest = high > highest ? high : highest;
    lowest = low > lowest ? low : lowest;
  }
  table->highest[chunk] = highest;
  table->lowest[chunk] = lowest;
}

/* A dot product of n_modes values has an error of at most n_modes half units in the last place of the norms, its
 * square twice that times itself; n_modes such squares, whose roots sum to at most sqrt(n_modes) norms, are
 * subtracted. */
static void
set_margins(LacPivotTable *table, gsize chunk, const double *squares, const double *roundings)
{
  const double n = (double) table->problem->n_modes + 4;
  const double relative = (sqrt(n) + 1) * n * (double) FLT_EPSILON;

  for (gsize j = 0; j < CHUNK; j++) {
    const double absolute = roundings[j] * (2 * sqrt(squares[j]) + roundings[j]);

    table->left[chunk * CHUNK + j] = (float) squares[j];
    table->margins[chunk * CHUNK + j] = (float) (relative * squares[j] + 2 * absolute);
  }
}

/* from: [n_modes] rows of CHUNK for each component, @stride apart, components @apart; @lengths: squared norms of the
 * points before the projection, NULL: the same as now. */
static void
pack_chunk(LacPivotTable *table,
           gsize          chunk,
           const double  *from,
           gsize          stride,
           gsize          apart,
           const double  *lengths)
{
  const LacPlacementProblem *problem = table->problem;
  double                     squares[CHUNK] = {0}, roundings[CHUNK], most = 0, scale = 1;

  for (gsize c = 0; c < problem->n_components; c++)
    table->loops->measure(from + c * apart, problem->n_modes, stride, squares);
  for (gsize j = 0; j < CHUNK; j++)
    most = squares[j] > most ? squares[j] : most;
  if (most > 0 && isfinite(most))
    scale = exp2(-round(log2(most) / 2));
  for (gsize c = 0; c < problem->n_components; c++)
    table->loops->pack(from + c * apart, problem->n_modes, stride, scale,
                       get_rows(table, chunk, c));
  for (gsize j = 0; j < CHUNK; j++) {
    squares[j] *= scale * scale;
    roundings[j] = lengths ? ROUNDING * scale * sqrt(lengths[j]) : 0;
    if (squares[j] == 0)
      roundings[j] = 0;
  }
  set_margins(table, chunk, squares, roundings);
  table->units[chunk] = 1 / (scale * scale);
  table->applied[chunk] = table->n_packed;
  find_bounds(table, chunk);
}

/* Copies the points of @chunk to a block of [components][n_modes][CHUNK], 0 beyond the last point. */
static void
gather(const LacPlacementProblem *problem, gsize chunk, double *block)
{
  const gsize begin = chunk * CHUNK, width = MIN(CHUNK, problem->n_points - begin);
  const gsize r = problem->n_modes, nc = problem->n_components;

  memset(block, 0, nc * r * CHUNK * sizeof *block);
  for (gsize c = 0; c < nc; c++)
    for (gsize m = 0; m < r; m++)
      memcpy(block + (c * r + m) * CHUNK, problem->modes + (m * nc + c) * problem->n_points + begin,
             width * sizeof *block);
}

static void
pack_item(gsize item, guint worker, gpointer user_data)
{
  LacPivotTable             *table = user_data;
  const LacPlacementProblem *problem = table->problem;
  const gsize                n = problem->n_points, nc = problem->n_components;
  const gsize                begin = item * CHUNKS_AN_ITEM;

  (void) worker;
  for (gsize chunk = begin; chunk < MIN(begin + CHUNKS_AN_ITEM, table->n_chunks); chunk++) {
    if ((chunk + 1) * CHUNK <= n) {
      pack_chunk(table, chunk, problem->modes + chunk * CHUNK, nc * n, n, NULL);
    } else {
      g_autofree double *block = g_new(double, nc * problem->n_modes * CHUNK);

      gather(problem, chunk, block);
      pack_chunk(table, chunk, block, CHUNK, problem->n_modes * CHUNK, NULL);
    }
  }
}

static void
run_items(const LacPivotTable *table, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  if (table->problem->pool)
    lac_pool_run(table->problem->pool, n_items, func, user_data);
  else
    for (gsize item = 0; item < n_items; item++)
      func(item, 0, user_data);
}

/* Requests huge pages if available: the rows are written once and read a few times, so page faults would take a third
 * of the time. */
static float *
allocate_rows(gsize n)
{
  static const gsize huge_page = (gsize) 2 << 20;
  void              *memory = NULL;

  if (n * sizeof(float) < huge_page || posix_memalign(&memory, huge_page, n * sizeof(float)) != 0)
    memory = g_malloc(MAX(n, 1) * sizeof(float));
  else
    madvise(memory, n * sizeof(float), MADV_HUGEPAGE);
  return memory;
}

void
lac_pivot_table_init(LacPivotTable *table, const LacCandidates *candidates)
{
  const LacPlacementProblem *problem = candidates->problem;
  const gsize                r = problem->n_modes;
  const gsize                n_chunks = (problem->n_points + CHUNK - 1) / CHUNK;

  *table = (LacPivotTable){
    .problem = problem, .candidates = candidates, .loops = get_loops(), .n_chunks = n_chunks};
  table->rows = allocate_rows(n_chunks * problem->n_components * r * CHUNK);
  table->left = g_new(float, n_chunks *CHUNK);
  table->margins = g_new(float, n_chunks *CHUNK);
  table->units = g_new(double, n_chunks);
  table->applied = g_new(gsize, n_chunks);
  table->highest = g_new(double, n_chunks);
  table->lowest = g_new(double, n_chunks);
  table->directions = g_new0(double, r *r);
  table->narrow = g_new0(float, (r + LAC_PIVOT_BATCH) * r);
  run_items(table, (n_chunks + CHUNKS_AN_ITEM - 1) / CHUNKS_AN_ITEM, pack_item, table);
}

void
lac_pivot_table_clear(LacPivotTable *table)
{
  g_clear_pointer(&table->rows, free);
  g_clear_pointer(&table->left, g_free);
  g_clear_pointer(&table->margins, g_free);
  g_clear_pointer(&table->units, g_free);
  g_clear_pointer(&table->applied, g_free);
  g_clear_pointer(&table->highest, g_free);
  g_clear_pointer(&table->lowest, g_free);
  g_clear_pointer(&table->directions, g_free);
  g_clear_pointer(&table->narrow, g_free);
}

static double
inner(const double *a, const double *b, gsize n)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Projects twice for orthogonality. */
double
lac_pivot_table_project(const LacPivotTable *table, gsize point, gsize c, double *rest)
{
  const LacPlacementProblem *problem = table->problem;
  const gsize r = problem->n_modes, stride = problem->n_components * problem->n_points;
  double      length2, rest2;

  for (gsize m = 0; m < r; m++)
    rest[m] = problem->modes[m * stride + c * problem->n_points + point];
  length2 = inner(rest, rest, r);
  for (int pass = 0; pass < 2; pass++)
    for (gsize d = 0; d < table->n_directions; d++) {
      const double *direction = table->directions + d * r;
      const double  along = inner(rest, direction, r);

#pragma omp simd
      for (gsize m = 0; m < r; m++)
        rest[m] -= along * direction[m];
    }
  rest2 = inner(rest, rest, r);
  return rest2 > NOTHING * NOTHING * length2 || isnan(rest2) ? rest2 : 0;
}

void
lac_pivot_table_add(LacPivotTable *table, gsize point)
{
  const gsize r = table->problem->n_modes;

  find_bounds(table, point / CHUNK); /* the point has been closed */
  for (gsize c = 0; c < table->problem->n_components && table->n_directions < r; c++) {
    double      *direction = table->directions + table->n_directions * r;
    float       *narrow = table->narrow + table->n_directions * r;
    const double norm = sqrt(lac_pivot_table_project(table, point, c, direction));

    if (!(norm > 0))
      continue;
    for (gsize m = 0; m < r; m++) {
      direction[m] /= norm;
      narrow[m] = (float) direction[m];
    }
    table->n_directions++;
  }
}

/* Applies the directions that @chunk missed. */
static void
visit(LacPivotTable *table, gsize chunk)
{
  const gsize r = table->problem->n_modes, applied = table->applied[chunk];
  const gsize n_missed = table->n_directions - applied;
  const gsize n = (n_missed + LAC_PIVOT_BATCH - 1) / LAC_PIVOT_BATCH * LAC_PIVOT_BATCH;

  for (gsize c = 0; c < table->problem->n_components; c++)
    table->loops->remove(get_rows(table, chunk, c), r, table->narrow + applied * r, n,
                         table->left + chunk * CHUNK);
  table->applied[chunk] = table->n_directions;
  find_bounds(table, chunk);
}

typedef struct {
  LacPivotTable *table;
  const gsize   *chunks;
} Visits;

static void
visit_item(gsize item, guint worker, gpointer user_data)
{
  const Visits *visits = user_data;

  (void) worker;
  visit(visits->table, visits->chunks[item]);
}

static gboolean
is_stale(const LacPivotTable *table, gsize chunk)
{
  return table->applied[chunk] < table->n_directions;
}

/* Returns: among the chunks that missed the fewest directions, whose bounds are tightest, the one with the highest
 * bound; n_chunks if all are up to date. */
static gsize
find_promising(const LacPivotTable *table)
{
  gsize best = table->n_chunks;

  for (gsize chunk = 0; chunk < table->n_chunks; chunk++)
    if (is_stale(table, chunk) &&
        (best == table->n_chunks || table->applied[chunk] > table->applied[best] ||
         (table->applied[chunk] == table->applied[best] &&
          table->lowest[chunk] > table->lowest[best])))
      best = chunk;
  return best;
}

/* Returns: the outdated chunk with the highest bound; n_chunks if there is none. */
static gsize
find_highest(const LacPivotTable *table)
{
  gsize  best = table->n_chunks;
  double most = -(double) INFINITY;

  for (gsize chunk = 0; chunk < table->n_chunks; chunk++)
    if (is_stale(table, chunk) && table->highest[chunk] > most) {
      most = table->highest[chunk];
      best = chunk;
    }
  return best;
}

/* First updates the chunks that raise the lower bound fastest one at a time, then all that still reach it at once. */
double
lac_pivot_table_look(LacPivotTable *table)
{
  g_autofree gsize *chunks = g_new(gsize, MAX(table->n_chunks, 1));
  const Visits      visits = {table, chunks};
  double            best = -(double) INFINITY;
  gsize             n = 0;

  for (int i = 0; i < N_PROMISING + N_HIGHEST; i++) {
    const gsize chunk = i < N_PROMISING ? find_promising(table) : find_highest(table);

    if (chunk == table->n_chunks || table->highest[chunk] < best)
      continue;
    visit(table, chunk);
    best = MAX(best, table->lowest[chunk]);
  }
  for (gsize chunk = 0; chunk < table->n_chunks; chunk++)
    if (is_stale(table, chunk) && table->highest[chunk] >= best)
      chunks[n++] = chunk;
  run_items(table, n, visit_item, (gpointer) &visits);
  for (gsize chunk = 0; chunk < table->n_chunks; chunk++)
    if (!is_stale(table, chunk))
      best = MAX(best, table->lowest[chunk]);
  return best;
}

/* block: [components][n_modes][CHUNK]; projects out the directions in double precision. @lengths: (out) */
static void
deflate(const LacPivotTable *table, double *block, double *lengths)
{
  const gsize r = table->problem->n_modes;
  double      along[CHUNK], before[CHUNK], after[CHUNK];

  memset(lengths, 0, CHUNK * sizeof *lengths);
  for (gsize c = 0; c < table->problem->n_components; c++, block += r * CHUNK) {
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    table->loops->measure(block, r, CHUNK, before);
    for (gsize d = 0; d < table->n_directions; d++) {
      const double *direction = table->directions + d * r;

      memset(along, 0, sizeof along);
      for (gsize m = 0; m < r; m++)
#pragma omp simd
        for (gsize j = 0; j < CHUNK; j++)
          along[j] += direction[m] * block[m * CHUNK + j];
      for (gsize m = 0; m < r; m++)
#pragma omp simd
        for (gsize j = 0; j < CHUNK; j++)
          block[m * CHUNK + j] -= direction[m] * along[j];
    }
    table->loops->measure(block, r, CHUNK, after);
    for (gsize j = 0; j < CHUNK; j++) {
      lengths[j] += before[j];
      if (after[j] <= NOTHING * NOTHING * before[j])
        for (gsize m = 0; m < r; m++)
          block[m * CHUNK + j] = 0;
    }
  }
}

static void
repack_item(gsize chunk, guint worker, gpointer user_data)
{
  LacPivotTable             *table = user_data;
  const LacPlacementProblem *problem = table->problem;
  const gsize                r = problem->n_modes;
  g_autofree double         *block = g_new(double, problem->n_components *r *CHUNK);
  double                     lengths[CHUNK];

  (void) worker;
  gather(problem, chunk, block);
  deflate(table, block, lengths);
  pack_chunk(table, chunk, block, CHUNK, r * CHUNK, lengths);
}

void
lac_pivot_table_repack(LacPivotTable *table)
{
  table->n_packed = table->n_directions;
  run_items(table, table->n_chunks, repack_item, table);
}
