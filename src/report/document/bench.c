/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark report: verdict, ratios as bars with their intervals, table, machine. */
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/document/document-private.h"

#include <math.h>
#include <string.h>

#define BAR_HEIGHT 16.0
#define MOST_BARS  28 /* of one chart: a page holds one, below its heading */
#define SIZE       7.5
#define LEAST      1e-3 /* lower end of the logarithmic axis of ratios */

typedef struct {
  char    *label;
  LacRatio ratio;
  gboolean is_bad;
} Bar;

static void
bar_clear(gpointer data)
{
  g_free(((Bar *) data)->label);
}

typedef struct {
  const GArray *bars;        /* Bar */
  guint         first, last; /* those drawn: [first, last) */
  double        low, high;
} Chart;

static double
place(const Chart *chart, double ratio, double left, double width)
{
  double at = log(CLAMP(ratio, chart->low, chart->high) / chart->low);
  return left + width * at / log(chart->high / chart->low);
}

/* Draws ratios on a logarithmic axis: a bar from 1 to the estimate, a line over the interval. */
static double
draw_ratios(LacDrawing       *drawing,
            LacPoint          at,
            double            width,
            const LacPalette *palette,
            gconstpointer     data)
{
  const Chart *chart = data;
  double       labels = width * 0.36, numbers = 42, room = width - labels - numbers;
  double       height = BAR_HEIGHT * (double) (chart->last - chart->first), one;
  if (drawing == NULL)
    return height + 6;
  one = place(chart, 1, at.x + labels, room);
  for (guint i = chart->first; i < chart->last; i++) {
    const Bar *bar = &g_array_index(chart->bars, Bar, i);
    double     y = at.y + BAR_HEIGHT * (double) (i - chart->first), middle = y + BAR_HEIGHT / 2;
    double     end = place(chart, bar->ratio.estimate, at.x + labels, room);
    LacColour  colour = palette->series[bar->is_bad ? 1 : 0];
    g_autofree char *name = lac_text_dup_fitted(bar->label, SIZE, FALSE, labels - 8);
    g_autofree char *number = lac_bench_fixed_text(bar->ratio.estimate);
    lac_draw_text(drawing, at.x + labels - 8, middle + SIZE * 0.36, LAC_ALIGN_RIGHT, SIZE,
                  palette->foreground, name);
    lac_draw_rectangle(drawing, MIN(one, end), y + 4, MAX(fabs(end - one), 0.7), BAR_HEIGHT - 8,
                       colour);
    if (isfinite(bar->ratio.high) && bar->ratio.low > 0) {
      LacPoint line[] = {{place(chart, bar->ratio.low, at.x + labels, room), middle},
                         {place(chart, bar->ratio.high, at.x + labels, room), middle}};
      lac_draw_lines(drawing, line, 2, 1, palette->foreground);
    }
    lac_draw_text(drawing, at.x + width, middle + SIZE * 0.36, LAC_ALIGN_RIGHT, SIZE,
                  palette->faint, number);
  }
  LacPoint line[] = {{one, at.y}, {one, at.y + height}};
  lac_draw_lines(drawing, line, 2, 0.7, palette->faint);
  return height + 6;
}

static void
add_chart(LacDocument *document, const GArray *bars, const char *words)
{
  Chart chart = {bars, 0, 0, 0.8, 1.25};
  for (guint i = 0; i < bars->len; i++) {
    const Bar *bar = &g_array_index(bars, Bar, i);
    double     low = bar->ratio.low > 0 ? bar->ratio.low : bar->ratio.estimate;
    double     high = isfinite(bar->ratio.high) ? bar->ratio.high : bar->ratio.estimate;
    chart.low = MAX(MIN(chart.low, low / 1.05), LEAST);
    chart.high = MIN(MAX(chart.high, high * 1.05), 1 / LEAST);
  }
  for (; chart.first < bars->len; chart.first = chart.last) {
    chart.last = MIN(chart.first + MOST_BARS, bars->len);
    document->picture(document, &(LacPicture){draw_ratios, &chart, words, FALSE});
  }
}

static GArray *
bars_new(void)
{
  GArray *bars = g_array_new(FALSE, TRUE, sizeof(Bar));
  g_array_set_clear_func(bars, bar_clear);
  return bars;
}

static void
add_machine(LacDocument *document, const char *heading, const LacBenchFile *file)
{
  static const LacColumn columns[] = {{"fact", LAC_ALIGN_LEFT, FALSE},
                                      {"value", LAC_ALIGN_LEFT, TRUE}};
  g_auto(LacTable)       table = {0};
  lac_table_init(&table, columns, G_N_ELEMENTS(columns));
  for (gsize i = 0;
       file->machine != NULL && file->machine[i] != NULL && file->machine[i + 1] != NULL; i += 2)
    lac_table_add(&table, LAC_ROW_PLAIN,
                  (const char *const[]){file->machine[i], file->machine[i + 1]});
  document->heading(document, heading);
  document->table(document, &table);
}

static void
add_pairs(LacDocument *document, const LacBenches *all)
{
  g_autoptr(GArray) pairs = lac_bench_compare(all->before, all->after);
  g_autoptr(GArray) bars = bars_new();
  g_auto(LacTable)  table = {0};
  guint             n_broken = 0, n_unclear = 0;
  for (guint i = 0; i < pairs->len; i++) {
    const LacBenchPair *pair = &g_array_index(pairs, LacBenchPair, i);
    Bar bar = {g_strdup_printf("%s %s", pair->before->name, pair->before->metric), pair->ratio,
               pair->verdict == LAC_VERDICT_BROKEN};
    n_broken += pair->verdict == LAC_VERDICT_BROKEN;
    n_unclear += pair->verdict == LAC_VERDICT_UNCLEAR;
    g_array_append_val(bars, bar);
  }
  LacTile tiles[] = {
    {"Verdict", g_strdup(n_broken > 0    ? "worse"
                         : n_unclear > 0 ? "unclear"
                                         : "within the limits")},
    {"Rows compared", g_strdup_printf("%u", pairs->len)},
    {"Beyond limits", g_strdup_printf("%u", n_broken)},
    {"Unclear", g_strdup_printf("%u", n_unclear)},
  };
  g_autofree char *line =
    g_strdup_printf("Ratios of %s to %s: above 1 is worse", all->names[1], all->names[0]);
  document->title(document, "Benchmarks compared");
  document->paragraph(document, line, TRUE);
  document->tiles(document, tiles, G_N_ELEMENTS(tiles));
  for (gsize i = 0; i < G_N_ELEMENTS(tiles); i++)
    g_free(tiles[i].value);
  if (!lac_bench_is_one_machine(all->before, all->after))
    document->paragraph(document, "Measured on different machines: times cannot be compared.",
                        FALSE);
  document->heading(document, "Ratios");
  add_chart(document, bars, "bar chart: ratio of each row with its interval");
  lac_bench_pairs_fill(pairs, &table);
  document->table(document, &table);
  add_machine(document, "Machine of the first file", all->before);
  add_machine(document, "Machine of the second file", all->after);
}

static void
add_ablation(LacDocument *document, const LacBenchFile *file)
{
  g_autoptr(GArray) bars = bars_new();
  g_auto(LacTable)  table = {0};
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);
    const double      *samples = (const double *) (gpointer) row->samples->data;
    if (!g_str_equal(row->metric, "speedup") || row->samples->len == 0)
      continue;
    g_autofree double *ones = g_new(double, row->samples->len);
    for (guint k = 0; k < row->samples->len; k++)
      ones[k] = 1;
    Bar bar = {g_strdup(row->name), lac_ratio_of_pairs(ones, samples, row->samples->len), FALSE};
    bar.is_bad = bar.ratio.estimate < 1;
    g_array_append_val(bars, bar);
  }
  document->heading(document, "Benefit of each optimisation");
  add_chart(document, bars, "bar chart: speed-up of each optimisation with its interval");
  lac_bench_ablation_fill(file, &table);
  document->table(document, &table);
}

static void
add_one(LacDocument *document, const LacBenches *all)
{
  const LacBenchFile *file = all->before;
  g_auto(LacTable)    table = {0};
  guint               n_limits = 0, n_missed = 0;
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);
    n_limits += row->limit > 0;
    n_missed += !lac_bench_row_passes(row);
  }
  LacTile tiles[] = {
    {"Verdict", g_strdup(n_missed > 0 ? "limits missed" : "all limits met")},
    {"Rows", g_strdup_printf("%u", file->rows->len)},
    {"With a limit", g_strdup_printf("%u", n_limits)},
    {"Threads", g_strdup_printf("%u", file->threads)},
  };
  document->title(document, "Benchmark");
  document->paragraph(document, all->names[0], TRUE);
  document->tiles(document, tiles, G_N_ELEMENTS(tiles));
  for (gsize i = 0; i < G_N_ELEMENTS(tiles); i++)
    g_free(tiles[i].value);
  if (lac_bench_is_ablation(file)) {
    add_ablation(document, file);
  } else {
    document->heading(document, lac_bench_is_growth(file) ? "Growth of time and memory"
                                                          : "Measured quantities");
    lac_bench_fill(file, &table);
    document->table(document, &table);
  }
  add_machine(document, "Machine", file);
}

gboolean
lac_report_add_bench(LacDocument *document, gconstpointer data, GError **error)
{
  const LacBenches *all = data;
  document->begin_run(document, TRUE);
  if (all->after != NULL)
    add_pairs(document, all);
  else
    add_one(document, all);
  return TRUE;
}
