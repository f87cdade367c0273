/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf/analysis/loop-lines.h"

#include <math.h>

#define MB 1e6

static double
megabytes(gint64 bytes)
{
  return bytes == LAC_RECORD_UNKNOWN ? (double) NAN : (double) bytes / MB;
}

/* @layout has %s for the value, which has a decimal point in every locale. Leaves NAN out. */
static void
put(GString *text, const char *layout, const char *format, double value)
{
  char digits[64];
  if (!isnan(value))
    g_string_append_printf(text, layout, g_ascii_formatd(digits, sizeof digits, format, value));
}

char *
lac_batch_line_dup(const LacBatchLine *line)
{
  g_return_val_if_fail(line != NULL, NULL);
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "  Batch %u", line->batch);
  put(text, ": %ss", "%.3f", line->seconds);
  put(text, ", GPU %sMB", "%.1f", megabytes(line->gpu));
  put(text, ", CPU %sMB", "%.1f", megabytes(line->cpu));
  if (!isnan(line->loss)) {
    g_string_append_printf(text, ", %s=", line->what);
    put(text, "%s", "%.6f", line->loss);
  }
  g_string_append_c(text, '\n');
  return g_string_free(text, FALSE);
}

char *
lac_epoch_lines_dup(const LacEpochLines *lines)
{
  g_return_val_if_fail(lines != NULL, NULL);
  GString       *text = g_string_new(NULL);
  const gboolean on_cpu = lines->device.used == LAC_RECORD_UNKNOWN;
  put(text, "  Epoch end: %ss total", "%.3f", lines->seconds);
  if (on_cpu)
    put(text, ", CPU %sMB", "%.1f", megabytes(lines->cpu));
  put(text, ", GPU %sMB", "%.1f", megabytes(lines->device.used));
  put(text, ", %sMB reserved", "%.0f", megabytes(lines->device.reserved));
  put(text, ", peak %sMB", "%.0f", megabytes(on_cpu ? lines->cpu_peak : lines->device.peak));
  g_string_append_c(text, '\n');
  if (lines->n_batches == 0)
    return g_string_free(text, FALSE);
  put(text, "  Batch timing: avg=%ss", "%.3f", lines->mean);
  put(text, ", min=%ss", "%.3f", lines->least);
  put(text, ", max=%ss\n", "%.3f", lines->most);
  return g_string_free(text, FALSE);
}
