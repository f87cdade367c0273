/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of cost as a table: exponents beside theory. */
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/text/number.h"

#include <math.h>
#include <string.h>

/* Distance from theory that counts as agreement. */
#define AGREES 0.15

gboolean
lac_bench_is_growth(const LacBenchFile *file)
{
  for (guint i = 0; i < file->rows->len; i++)
    if (!g_str_has_prefix(((const LacBenchRow *) g_ptr_array_index(file->rows, i))->name,
                          "growth/"))
      return FALSE;
  return file->rows->len > 0;
}

static const LacBenchRow *
find(const LacBenchFile *file, const char *name, const char *what, const char *suffix)
{
  g_autofree char *metric = g_strconcat(what, suffix, NULL);

  return lac_bench_file_find(file, name, metric);
}

static double
value_of(const LacBenchRow *row)
{
  return row && row->samples->len ? lac_bench_row_median(row) : (double) NAN;
}

/* Returns the exponent with its uncertainty, the larger of the error of a fit and the spread between processes, and
 * theory: "2.06 ± 0.04 (1.99)". */
static char *
measured_text(const LacBenchFile *file,
              const LacBenchRow  *exponent,
              const char         *what,
              double              theory)
{
  const double *samples = (const double *) (gpointer) exponent->samples->data;
  const double  spread = lac_median_deviation(samples, exponent->samples->len);
  const double  error = value_of(find(file, exponent->name, what, "_deviation"));

  return g_strdup_printf("%.2f ± %.2f (%.2f)", lac_bench_row_median(exponent), fmax(error, spread),
                         theory);
}

static LacGrowthVerdict
find_verdict(const LacBenchRow *exponent, double theory)
{
  const double apart = lac_bench_row_median(exponent) - theory;

  if (!lac_bench_row_passes(exponent))
    return LAC_GROWTH_ABOVE;
  return apart > AGREES    ? LAC_GROWTH_EXPLAINED
         : apart < -AGREES ? LAC_GROWTH_BELOW
                           : LAC_GROWTH_AGREES;
}

/* Returns the rates at the smallest and the largest size: "15.3 to 13.7 GFLOP/s". */
static char *
rates_text(const LacBenchFile *file, const char *name)
{
  const LacBenchRow *first = lac_bench_file_find(file, name, "rate_at_smallest");
  const LacBenchRow *last = lac_bench_file_find(file, name, "rate_at_largest");
  const double       begin = value_of(first), end = value_of(last), most = fmax(begin, end);
  const double       scale = most >= 1e9 ? 1e9 : most >= 1e6 ? 1e6 : 1;
  const char        *prefix = most >= 1e9 ? "G" : most >= 1e6 ? "M" : "";

  if (!first || !last)
    return g_strdup("");
  g_autofree char *one = lac_significant_text(begin / scale, 3);
  g_autofree char *other = lac_significant_text(end / scale, 3);
  return g_strconcat(one, " to ", other, " ", prefix, first->unit, NULL);
}

/* Returns the sizes of the rows below @name: "32 to 512". */
static char *
sizes_text(const LacBenchFile *file, const char *name)
{
  const gsize length = strlen(name);
  const char *first = NULL, *last = NULL;

  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (strncmp(row->name, name, length) != 0 || row->name[length] != '/')
      continue;
    last = row->name + length + 1;
    first = first ? first : last;
  }
  return first ? g_strconcat(first, " to ", last, NULL) : g_strdup("");
}

gboolean
lac_growth_line_init(LacGrowthLine *line, const LacBenchFile *file, const char *name)
{
  const LacBenchRow *time = find(file, name, "time", "_exponent");
  const LacBenchRow *memory = find(file, name, "memory", "_exponent");
  const LacBenchRow *theory = find(file, name, "time", "_theory");
  const double expected[] = {value_of(theory), value_of(find(file, name, "memory", "_theory"))};

  *line = (LacGrowthLine){0};
  if (time == NULL || time->samples->len == 0)
    return FALSE;
  line->has_memory = memory != NULL;
  line->sizes = sizes_text(file, name);
  line->time = measured_text(file, time, "time", expected[0]);
  line->time_verdict = find_verdict(time, expected[0]);
  line->memory = memory ? measured_text(file, memory, "memory", expected[1]) : g_strdup("");
  line->memory_verdict = memory ? find_verdict(memory, expected[1]) : LAC_GROWTH_AGREES;
  line->rates = rates_text(file, name);
  line->note = g_strconcat(time->note ? time->note : "", theory && theory->note ? "; " : "",
                           theory && theory->note ? theory->note : "", NULL);
  return TRUE;
}

void
lac_growth_line_clear(LacGrowthLine *line)
{
  g_clear_pointer(&line->sizes, g_free);
  g_clear_pointer(&line->time, g_free);
  g_clear_pointer(&line->memory, g_free);
  g_clear_pointer(&line->rates, g_free);
  g_clear_pointer(&line->note, g_free);
}

static void
add_line(LacTable *table, const LacBenchFile *file, const char *name)
{
  static const char *const words[] = {
    [LAC_GROWTH_AGREES] = "agrees",
    [LAC_GROWTH_BELOW] = "below",
    [LAC_GROWTH_EXPLAINED] = "explained",
    [LAC_GROWTH_ABOVE] = "ABOVE",
  };
  g_auto(LacGrowthLine) line = {0};

  if (!lac_growth_line_init(&line, file, name))
    return;
  const char    *cells[] = {name + strlen("growth/"),
                            line.sizes,
                            line.time,
                            words[line.time_verdict],
                            line.memory,
                         line.has_memory ? words[line.memory_verdict] : "",
                            line.rates,
                            line.note};
  const gboolean holds =
    line.time_verdict != LAC_GROWTH_ABOVE && line.memory_verdict != LAC_GROWTH_ABOVE;

  lac_table_add(table, holds ? LAC_ROW_PLAIN : LAC_ROW_STRONG, cells);
}

void
lac_bench_growth_fill(const LacBenchFile *file, LacTable *table)
{
  static const LacColumn columns[] = {
    {"operation/varied", LAC_ALIGN_LEFT, FALSE},
    {"sizes", LAC_ALIGN_LEFT, FALSE},
    {"time (theory)", LAC_ALIGN_RIGHT, FALSE},
    {"", LAC_ALIGN_LEFT, FALSE},
    {"memory (theory)", LAC_ALIGN_RIGHT, FALSE},
    {"", LAC_ALIGN_LEFT, FALSE},
    {"rate", LAC_ALIGN_RIGHT, FALSE},
    {"operations", LAC_ALIGN_LEFT, TRUE},
  };

  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (g_str_equal(row->metric, LAC_GROWTH_METRIC))
      add_line(table, file, row->name);
  }
}
