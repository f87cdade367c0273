/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only some of the steps are timed, so that means count, not totals. */
#include "report/summary/kernel-table.h"

#include "base/number-display.h"
#include "io/format/json-text.h"
#include "perf/analysis/kernel-times.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static void
add_row(const LacCapture *capture, const LacKernelTime *row, LacTable *table)
{
  const double     count = (double) row->count;
  g_autofree char *calls = lac_number_dup_fixed(count / (double) row->n_operations, 1);
  g_autofree char *mean = lac_duration_text(row->total_ns / count * 1e-9);
  g_autofree char *max = lac_duration_text(row->max_ns * 1e-9);
  g_autofree char *percent = lac_number_dup_fixed(100 * row->share, 1);
  g_autofree char *share = g_strdup_printf("%s %%", percent);
  g_autofree char *part = lac_number_dup_fixed(100 * row->occupancy, 0);
  g_autofree char *occupancy =
    isfinite(row->occupancy) ? g_strdup_printf("%s %%", part) : g_strdup("–");

  lac_table_add(table, LAC_ROW_PLAIN,
                (const char *const[]){lac_capture_get_name(capture, row->kernel),
                                      lac_capture_get_name(capture, row->operation), calls, mean,
                                      max, occupancy, share});
}

char *
lac_kernels_fill(const LacCapture *capture, gsize n_most, LacTable *table)
{
  gsize             n_steps;
  g_autoptr(GArray) rows = lac_kernel_times_of_capture(capture, &n_steps);
  const LacColumn   columns[] = {
      {_("kernel"), LAC_ALIGN_LEFT, TRUE},
      {_("operation"), LAC_ALIGN_LEFT, TRUE},
      {_("calls per operation"), LAC_ALIGN_RIGHT, FALSE},
      {_("mean"), LAC_ALIGN_RIGHT, FALSE},
      {_("max"), LAC_ALIGN_RIGHT, FALSE},
      {_("occupancy"), LAC_ALIGN_RIGHT, FALSE},
      {_("share"), LAC_ALIGN_RIGHT, FALSE},
  };

  if (rows->len == 0)
    return NULL;
  LacColumn *shown = g_memdup2(columns, sizeof columns);
  lac_table_init(table, shown, G_N_ELEMENTS(columns));
  table->owned_columns = shown;
  for (guint i = 0; i < rows->len && (n_most == 0 || i < n_most); i++)
    add_row(capture, &g_array_index(rows, LacKernelTime, i), table);
  return g_strdup_printf(
    g_dngettext(GETTEXT_PACKAGE, "Kernels on the GPU, in the %zu step that was timed",
                "Kernels on the GPU, in the %zu steps that were timed", (gulong) n_steps),
    n_steps);
}

void
lac_kernels_add_json(const LacCapture *capture, JsonBuilder *builder)
{
  gsize             n_steps;
  g_autoptr(GArray) rows = lac_kernel_times_of_capture(capture, &n_steps);

  json_builder_set_member_name(builder, "kernels");
  json_builder_begin_array(builder);
  for (guint i = 0; i < rows->len; i++) {
    const LacKernelTime *row = &g_array_index(rows, LacKernelTime, i);

    json_builder_begin_object(builder);
    lac_json_add_text(builder, "name", lac_capture_get_name(capture, row->kernel));
    lac_json_add_text(builder, "operation", lac_capture_get_name(capture, row->operation));
    lac_json_add_integer(builder, "count", (gint64) row->count);
    lac_json_add_number(builder, "total_seconds", row->total_ns * 1e-9);
    lac_json_add_number(builder, "max_seconds", row->max_ns * 1e-9);
    lac_json_add_number(builder, "occupancy", row->occupancy);
    lac_json_add_number(builder, "share", row->share);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}
