/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of columns, one row each. */
#include "report/summary/operation-columns.h"

#include "base/number-display.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static double
get_count(const LacAggregate *row, const LacPeak *peak)
{
  return (double) row->count;
}

#define SECONDS(field)                                                    \
  static double get_##field(const LacAggregate *row, const LacPeak *peak) \
  {                                                                       \
    return row->field##_ns * 1e-9;                                        \
  }
SECONDS(total)
SECONDS(self)
SECONDS(mean)
SECONDS(min)
SECONDS(p50)
SECONDS(p90)
SECONDS(p99)
SECONDS(max)
#undef SECONDS

static double
get_share(const LacAggregate *row, const LacPeak *peak)
{
  return row->share;
}

/* Converts work per nanosecond to 10^9 work per second. */
static double
rate(double work, const LacAggregate *row)
{
  return work > 0 && row->total_ns > 0 ? work / row->total_ns : (double) NAN;
}

static double
get_gflops(const LacAggregate *row, const LacPeak *peak)
{
  return rate(row->flops, row);
}

static double
get_gbytes(const LacAggregate *row, const LacPeak *peak)
{
  return rate(row->bytes, row);
}

static double
get_memory(const LacAggregate *row, const LacPeak *peak)
{
  return row->memory >= 0 ? (double) row->memory : (double) NAN;
}

static double
get_intensity(const LacAggregate *row, const LacPeak *peak)
{
  return lac_roofline_of(row, *peak).intensity;
}

static double
get_of_peak(const LacAggregate *row, const LacPeak *peak)
{
  return lac_roofline_of(row, *peak).of_peak;
}

static double
get_of_roof(const LacAggregate *row, const LacPeak *peak)
{
  return lac_roofline_of(row, *peak).of_roof;
}

#define READING(field)                                                            \
  static double get_##field(const LacAggregate *row, const LacPeak *peak)         \
  {                                                                               \
    return row->field != LAC_RECORD_UNKNOWN ? (double) row->field : (double) NAN; \
  }
READING(cpu_delta)
READING(gpu_delta)
READING(gpu_peak)
#undef READING

/* An operation of a plan allocates nothing: its peak are the bytes live in the plan. Operations on a device have spans
 * alone. */
static double
get_cpu_peak(const LacAggregate *row, const LacPeak *peak)
{
  if (row->cpu_peak != LAC_RECORD_UNKNOWN)
    return (double) row->cpu_peak;
  return row->is_operation ? get_memory(row, peak) : (double) NAN;
}

static const LacOperationColumn columns[] = {
  {"count", N_("count"), LAC_COLUMN_COUNT, TRUE, TRUE, FALSE, get_count},
  {"total_seconds", N_("total"), LAC_COLUMN_SECONDS, TRUE, FALSE, FALSE, get_total},
  {"self_seconds", N_("self"), LAC_COLUMN_SECONDS, FALSE, TRUE, FALSE, get_self},
  {"share", N_("share"), LAC_COLUMN_SHARE, TRUE, TRUE, FALSE, get_share},
  {"mean_seconds", N_("mean"), LAC_COLUMN_SECONDS, TRUE, TRUE, FALSE, get_mean},
  {"min_seconds", N_("min"), LAC_COLUMN_SECONDS, FALSE, FALSE, FALSE, get_min},
  {"p50_seconds", N_("p50"), LAC_COLUMN_SECONDS, TRUE, FALSE, FALSE, get_p50},
  {"p90_seconds", N_("p90"), LAC_COLUMN_SECONDS, FALSE, FALSE, FALSE, get_p90},
  {"p99_seconds", N_("p99"), LAC_COLUMN_SECONDS, TRUE, TRUE, FALSE, get_p99},
  {"max_seconds", N_("max"), LAC_COLUMN_SECONDS, FALSE, FALSE, FALSE, get_max},
  {"gflop_per_second", N_("GFLOP/s"), LAC_COLUMN_RATE, TRUE, TRUE, FALSE, get_gflops},
  {"gbyte_per_second", N_("GB/s"), LAC_COLUMN_RATE, FALSE, FALSE, FALSE, get_gbytes},
  {"flop_per_byte", N_("FLOP/B"), LAC_COLUMN_RATE, FALSE, FALSE, FALSE, get_intensity},
  {"share_of_peak", N_("share of peak"), LAC_COLUMN_SHARE, TRUE, FALSE, FALSE, get_of_peak},
  {"share_of_roof", N_("share of roofline"), LAC_COLUMN_SHARE, FALSE, FALSE, FALSE, get_of_roof},
  {"memory_bytes", N_("memory"), LAC_COLUMN_BYTES, FALSE, FALSE, TRUE, get_memory},
  {"cpu_delta_bytes", N_("CPU Δ, MB"), LAC_COLUMN_CHANGE, TRUE, TRUE, TRUE, get_cpu_delta},
  {"cpu_peak_bytes", N_("CPU peak, MB"), LAC_COLUMN_MEGABYTES, TRUE, TRUE, TRUE, get_cpu_peak},
  {"gpu_delta_bytes", N_("GPU Δ, MB"), LAC_COLUMN_CHANGE, TRUE, TRUE, TRUE, get_gpu_delta},
  {"gpu_peak_bytes", N_("GPU peak, MB"), LAC_COLUMN_MEGABYTES, TRUE, TRUE, TRUE, get_gpu_peak},
};

/* ---- choosing and sorting ---- */

gboolean
lac_operation_column_applies(const LacOperationColumn *column,
                             const LacAggregate       *rows,
                             gsize                     n_rows,
                             const LacPeak            *peak)
{
  g_return_val_if_fail(column != NULL && peak != NULL, FALSE);
  for (gsize i = 0; column->is_optional && i < n_rows; i++)
    if (!isnan(column->get(&rows[i], peak)))
      return TRUE;
  return !column->is_optional;
}

static double
get_any_memory(const LacAggregate *row, const LacPeak *peak)
{
  const double cpu = get_cpu_delta(row, peak), gpu = get_gpu_delta(row, peak);
  if (isnan(cpu) && isnan(gpu))
    return get_memory(row, peak);
  return (isnan(cpu) ? 0 : cpu) + (isnan(gpu) ? 0 : gpu);
}

const LacOperationColumn *
lac_operation_column_find(const char *word)
{
  static const LacOperationColumn memory = {"memory", N_("memory"), LAC_COLUMN_BYTES, FALSE,
                                            FALSE,    FALSE,        get_any_memory};
  g_return_val_if_fail(word != NULL, NULL);
  if (g_str_equal(word, memory.key))
    return &memory;
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
    const char *key = columns[i].key, *unit = strrchr(key, '_');
    if (g_str_equal(key, word) ||
        (unit != NULL && strlen(word) == (gsize) (unit - key) && g_str_has_prefix(key, word)))
      return &columns[i];
  }
  return NULL;
}

typedef struct {
  const LacOperationColumn *column;
  const LacPeak            *peak;
} Order;

static int
compare_rows(gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  double       x = order->column->get(a, order->peak), y = order->column->get(b, order->peak);
  x = isnan(x) ? -HUGE_VAL : x;
  y = isnan(y) ? -HUGE_VAL : y;
  return (x < y) - (x > y);
}

void
lac_operations_sort(LacAggregate             *rows,
                    gsize                     n_rows,
                    const LacOperationColumn *column,
                    const LacPeak            *peak)
{
  Order order = {column, peak};
  g_return_if_fail((rows != NULL || n_rows == 0) && column != NULL && peak != NULL);
  g_qsort_with_data(rows, (gint) n_rows, sizeof *rows, compare_rows, &order); /* stable */
}

/* ---- texts ---- */

/* Returns: (transfer full): three significant digits, "64.0", "+18.4". */
static char *
dup_megabytes(double bytes, gboolean is_change)
{
  const double size = fabs(bytes) / 1e6;
  const char  *sign = !is_change ? "" : bytes > 0 ? "+" : "−";
  if (isnan(bytes))
    return g_strdup("–");
  if (size < 0.0005)
    return g_strdup("0");
  g_autofree char *text = lac_number_dup_fixed(size, size < 1 ? 3 : size < 10 ? 2 : size < 100);
  return g_strconcat(sign, text, NULL);
}

const LacOperationColumn *
lac_operation_columns(gsize *n_columns)
{
  g_return_val_if_fail(n_columns != NULL, NULL);
  *n_columns = G_N_ELEMENTS(columns);
  return columns;
}

char *
lac_operation_cell_text(const LacOperationColumn *column,
                        const LacAggregate       *row,
                        const LacPeak            *peak)
{
  g_return_val_if_fail(column != NULL && row != NULL && peak != NULL, NULL);
  double           value = column->get(row, peak);
  g_autofree char *text = NULL;
  switch (column->kind) {
  case LAC_COLUMN_COUNT: return g_strdup_printf("%.0f", value);
  case LAC_COLUMN_SECONDS: return lac_duration_text(value);
  case LAC_COLUMN_SHARE:
    if (isnan(value))
      return g_strdup("–");
    if (column->get == get_of_roof && lac_roofline_of(row, *peak).is_capped)
      return g_strdup("≈ 100 %");
    text = lac_number_dup_fixed(100 * value, 1);
    return g_strdup_printf("%s %%", text);
  case LAC_COLUMN_RATE: return lac_number_text(value);
  case LAC_COLUMN_BYTES: return lac_bytes_text(value);
  case LAC_COLUMN_MEGABYTES: return dup_megabytes(value, FALSE);
  case LAC_COLUMN_CHANGE: return dup_megabytes(value, TRUE);
  }
  g_return_val_if_reached(NULL);
}
