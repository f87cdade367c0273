/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurement of the rows: memory size by size, then time in turns over all sizes, of which the fastest call counts. */
#include "bench/tiers/growth.h"

#include "base/error.h"
#include "bench/harness/clocks.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/growth-private.h"
#include "perf/analysis/power-law.h"

#include <malloc.h>
#include <math.h>

#define N_TURNS       7
#define LEAST_SECONDS 0.004 /* of one turn of a size */
#define MOST_CALLS    100000

static const LacGrowthRow *const tables[] = {lac_growth_flow_rows, lac_growth_imaging_rows,
                                             lac_growth_quantum_rows, lac_growth_record_rows};

/* All sizes of a row. */
typedef struct {
  const LacGrowthRow *row;
  gsize               n;
  double              sizes[LAC_GROWTH_MOST_SIZES], seconds[LAC_GROWTH_MOST_SIZES];
  double              bytes[LAC_GROWTH_MOST_SIZES];
  double              work[LAC_GROWTH_MOST_SIZES], room[LAC_GROWTH_MOST_SIZES]; /* by theory */
  gpointer            subjects[LAC_GROWTH_MOST_SIZES];
} Growth;

static gsize
count_sizes(const LacGrowthRow *row)
{
  gsize n = 0;

  while (n < LAC_GROWTH_MOST_SIZES && row->sizes[n])
    n++;
  return n;
}

/* Returns freed memory to the system, so that the next size has to take its own. */
static gboolean
take_room(const LacGrowthRow *row, gsize size, double *bytes, GError **error)
{
  const LacBenchMemory memory = lac_bench_memory_begin();
  gpointer             subject = row->begin(size, error);
  const gboolean       done = subject && row->act(subject, error);

  lac_bench_memory_end(memory, bytes);
  if (subject)
    row->end(subject);
  malloc_trim(0);
  return done;
}

/* The first call loads code, plans transforms and fills buffers that do not grow. */
static gboolean
measure_memory(Growth *growth, GError **error)
{
  const LacGrowthRow *row = growth->row;
  double              warm;

  mallopt(M_MMAP_THRESHOLD, 64 << 10); /* large blocks are returned when they are freed */
  if (!take_room(row, row->warm ? row->warm : row->sizes[0], &warm, error))
    return FALSE;
  for (gsize i = 0; i < growth->n; i++)
    if (!take_room(row, row->sizes[i], &growth->bytes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
act_many(const LacGrowthRow *row, gpointer subject, gsize n_calls, double *seconds, GError **error)
{
  const double begin = lac_bench_cpu_seconds();

  for (gsize i = 0; i < n_calls; i++)
    if (!row->act(subject, error))
      return FALSE;
  *seconds = (lac_bench_cpu_seconds() - begin) / (double) n_calls;
  return TRUE;
}

static gboolean
measure_time(Growth *growth, GError **error)
{
  gsize n_calls[LAC_GROWTH_MOST_SIZES];

  for (gsize i = 0; i < growth->n; i++) {
    if (!act_many(growth->row, growth->subjects[i], 1, &growth->seconds[i], error) ||
        !act_many(growth->row, growth->subjects[i], 1, &growth->seconds[i], error))
      return FALSE;
    n_calls[i] = (gsize) CLAMP(ceil(LEAST_SECONDS / growth->seconds[i]), 1, MOST_CALLS);
  }
  for (guint turn = 0; turn < N_TURNS; turn++)
    for (gsize i = 0; i < growth->n; i++) {
      double seconds;

      if (!act_many(growth->row, growth->subjects[i], n_calls[i], &seconds, error))
        return FALSE;
      growth->seconds[i] = MIN(growth->seconds[i], seconds);
    }
  return TRUE;
}

static gboolean
measure_all(Growth *growth, GError **error)
{
  gboolean done = !growth->row->room || measure_memory(growth, error);

  for (gsize i = 0; done && i < growth->n; i++) {
    growth->subjects[i] = growth->row->begin(growth->row->sizes[i], error);
    done = growth->subjects[i] != NULL;
    if (!done)
      break;
    growth->work[i] = growth->row->work(growth->row->sizes[i], growth->subjects[i]);
    if (growth->row->room)
      growth->room[i] = growth->row->room(growth->row->sizes[i], growth->subjects[i]);
  }
  done = done && measure_time(growth, error);
  for (gsize i = 0; i < growth->n; i++)
    if (growth->subjects[i])
      growth->row->end(growth->subjects[i]);
  return done;
}

static void
add(LacBenchFile *file, const char *name, LacBenchRow row, double sample)
{
  row.name = name;
  lac_bench_row_sample(lac_bench_file_add(file, &row), sample);
}

/* Adds the exponents of a quantity. @extra: allowed above theory besides LAC_GROWTH_MAY */
static void
add_exponents(LacBenchFile *file,
              const char   *name,
              const Growth *growth,
              const double *measured,
              const double *by_theory,
              const char   *what,
              double        extra)
{
  const LacPowerLaw law = lac_power_law_fit(growth->sizes, measured, growth->n);
  const double      theory = lac_power_law_fit(growth->sizes, by_theory, growth->n).exponent;
  g_autofree char  *exponent = g_strconcat(what, "_exponent", NULL);
  g_autofree char  *expected = g_strconcat(what, "_theory", NULL);
  g_autofree char  *deviation = g_strconcat(what, "_deviation", NULL);

  add(file, name,
      (LacBenchRow){.metric = exponent,
                    .unit = "1",
                    .note = growth->row->theory,
                    .kind = LAC_BENCH_QUALITY,
                    .limit = theory + LAC_GROWTH_MAY + extra,
                    .tolerance = LAC_GROWTH_MAY},
      law.exponent);
  add(file, name,
      (LacBenchRow){
        .metric = expected, .unit = "1", .note = growth->row->why, .kind = LAC_BENCH_QUALITY},
      theory);
  add(file, name, (LacBenchRow){.metric = deviation, .unit = "1", .kind = LAC_BENCH_QUALITY},
      law.deviation);
}

static void
add_rate(LacBenchFile *file, const char *name, const Growth *growth, gsize i, const char *metric)
{
  add(file, name,
      (LacBenchRow){.metric = metric, .unit = growth->row->rate_unit, .kind = LAC_BENCH_MERIT},
      growth->work[i] / growth->seconds[i]);
}

static void
add_size(LacBenchFile *file, const char *name, const Growth *growth, gsize i)
{
  g_autofree char *whole = g_strdup_printf("%s/%" G_GSIZE_FORMAT, name, growth->row->sizes[i]);

  add(file, whole, (LacBenchRow){.metric = "seconds", .unit = "s", .kind = LAC_BENCH_TIME},
      growth->seconds[i]);
  if (growth->row->room)
    add(file, whole, (LacBenchRow){.metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY},
        growth->bytes[i]);
}

static char *
dup_name(const LacGrowthRow *row)
{
  return g_strconcat("growth/", row->name, "/", row->over, NULL);
}

gboolean
lac_growth_measure(const LacGrowthRow *row, LacBenchFile *file, GError **error)
{
  Growth           growth = {.row = row, .n = count_sizes(row)};
  g_autofree char *name = dup_name(row);

  for (gsize i = 0; i < growth.n; i++)
    growth.sizes[i] = (double) row->sizes[i];
  if (!measure_all(&growth, error))
    return FALSE;
  add_exponents(file, name, &growth, growth.seconds, growth.work, "time", row->extra);
  if (row->room)
    add_exponents(file, name, &growth, growth.bytes, growth.room, "memory", 0);
  add_rate(file, name, &growth, 0, "rate_at_smallest");
  add_rate(file, name, &growth, growth.n - 1, "rate_at_largest");
  for (gsize i = 0; i < growth.n; i++)
    add_size(file, name, &growth, i);
  return TRUE;
}

typedef struct {
  LacBenchItem        item;
  const LacGrowthRow *row;
} Item;

static gboolean
work(gconstpointer item, LacBenchFile *rows, GError **error)
{
  return lac_growth_measure(((const Item *) item)->row, rows, error);
}

static GArray *
list_items(const LacBenchSettings *settings)
{
  GArray *items = lac_bench_items_new(sizeof(Item));

  for (gsize t = 0; t < G_N_ELEMENTS(tables); t++)
    for (const LacGrowthRow *row = tables[t]; row->name; row++) {
      Item item = {.row = row};

      item.item.name = dup_name(row);
      lac_bench_items_add(items, settings, &item.item);
    }
  return items;
}

gboolean
lac_bench_grow(const LacBenchSettings *settings, LacBenchFile *file, GError **error)
{
  g_autoptr(GArray) items = list_items(settings);

  if (items->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--only %s matches no operation; examples: enkf_analysis, grid, electrons",
                settings->only);
    return FALSE;
  }
  return lac_bench_items_run(items, settings, work, file, error);
}
