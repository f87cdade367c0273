/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of columns, one row each. */
#include "report/summary/operation-columns.h"

#include "base/number-display.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

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

static const LacOperationColumn columns[] = {
  {"count", N_("count"), LAC_COLUMN_COUNT, TRUE, get_count},
  {"total_seconds", N_("total"), LAC_COLUMN_SECONDS, TRUE, get_total},
  {"self_seconds", N_("self"), LAC_COLUMN_SECONDS, FALSE, get_self},
  {"share", N_("share"), LAC_COLUMN_SHARE, TRUE, get_share},
  {"mean_seconds", N_("mean"), LAC_COLUMN_SECONDS, TRUE, get_mean},
  {"min_seconds", N_("min"), LAC_COLUMN_SECONDS, FALSE, get_min},
  {"p50_seconds", N_("p50"), LAC_COLUMN_SECONDS, TRUE, get_p50},
  {"p90_seconds", N_("p90"), LAC_COLUMN_SECONDS, FALSE, get_p90},
  {"p99_seconds", N_("p99"), LAC_COLUMN_SECONDS, TRUE, get_p99},
  {"max_seconds", N_("max"), LAC_COLUMN_SECONDS, FALSE, get_max},
  {"gflop_per_second", N_("GFLOP/s"), LAC_COLUMN_RATE, TRUE, get_gflops},
  {"gbyte_per_second", N_("GB/s"), LAC_COLUMN_RATE, FALSE, get_gbytes},
  {"flop_per_byte", N_("FLOP/B"), LAC_COLUMN_RATE, FALSE, get_intensity},
  {"share_of_peak", N_("share of peak"), LAC_COLUMN_SHARE, TRUE, get_of_peak},
  {"share_of_roof", N_("share of roofline"), LAC_COLUMN_SHARE, FALSE, get_of_roof},
  {"memory_bytes", N_("memory"), LAC_COLUMN_BYTES, TRUE, get_memory},
};

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
    text = lac_number_dup_fixed(100 * value, 1);
    return g_strdup_printf("%s %%", text);
  case LAC_COLUMN_RATE: return lac_number_text(value);
  case LAC_COLUMN_BYTES: return lac_bytes_text(value);
  }
  g_return_val_if_reached(NULL);
}
