/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a tracker as text, in fixed columns; numbers with a decimal point in every locale. */
#include "perf/tracker/tracker.h"

#include <string.h>

enum { WIDTH = 90, NAME_WIDTH = 30 };

#define MB 1e6

/* @format: printf's, for one double */
static char *
dup_number(const char *format, double value)
{
  char text[64];

  return g_strdup(g_ascii_formatd(text, sizeof text, format, value));
}

static char *
dup_megabytes(const char *format, gint64 n_bytes)
{
  return n_bytes == LAC_RECORD_UNKNOWN ? g_strdup("-") : dup_number(format, (double) n_bytes / MB);
}

static void
append_line(GString *text, char what)
{
  for (int i = 0; i < WIDTH; i++)
    g_string_append_c(text, what);
  g_string_append_c(text, '\n');
}

static void
append_title(GString *text, const char *title, const char *header)
{
  append_line(text, '=');
  g_string_append_printf(text, "%s\n", title);
  append_line(text, '=');
  g_string_append_printf(text, "%s\n", header);
  append_line(text, '-');
}

/* Letters are counted, not bytes; a name that is too long ends in dots, so that the columns stay. */
static void
append_name(GString *text, const char *name, guint depth)
{
  g_autofree char *valid = g_utf8_make_valid(name, -1);
  g_autofree char *indented =
    g_strdup_printf("%*s%s", (int) MIN(2 * depth, NAME_WIDTH / 2), "", valid);
  glong length = g_utf8_strlen(indented, -1);

  if (length > NAME_WIDTH) {
    g_autofree char *begin = g_utf8_substring(indented, 0, NAME_WIDTH - 3);
    g_string_append_printf(text, "%s...", begin);
    return;
  }
  g_string_append_printf(text, "%s%*s", indented, (int) (NAME_WIDTH - length), "");
}

/* Takes @value. */
static void
append_right(GString *text, int width, char *value)
{
  g_autofree char *owned = value;

  g_string_append_printf(text, "%*s", width, owned);
}

static void
append_left(GString *text, int width, char *value)
{
  g_autofree char *owned = value;

  g_string_append_printf(text, " %-*s", width, owned);
}

/* How many of the rows before lie around this one; @ends: where those end, innermost last. Scopes of the other table do not
 * count. */
static guint
get_depth(GArray *ends, const LacTrackMetric *metric)
{
  const gint64 end_ns = metric->start_ns + metric->duration_ns;

  while (ends->len > 0 && g_array_index(ends, gint64, ends->len - 1) <= metric->start_ns)
    g_array_set_size(ends, ends->len - 1);
  g_array_append_val(ends, end_ns);
  return ends->len - 1;
}

static void
append_metrics(GString *text, const LacTrackMetric *metrics, gsize n)
{
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(gint64));
  double            total = 0;

  append_title(
    text, "PERFORMANCE SUMMARY",
    "Operation                      Time (s)     CPU (MB)        GPU (MB)        GPU Peak");
  for (gsize i = 0; i < n; i++) {
    const LacMemoryChange *memory = &metrics[i].memory;
    guint                  depth = get_depth(ends, &metrics[i]);

    append_name(text, metrics[i].operation, depth);
    append_right(text, 11, dup_number("%.3f", metrics[i].seconds));
    append_right(text, 15, dup_megabytes("%+.1f", memory->cpu_delta));
    append_right(text, 15, dup_megabytes("%+.1f", memory->gpu_delta));
    append_right(text, 12, dup_megabytes("%.1f", memory->gpu_peak));
    g_string_append_c(text, '\n');
    if (depth == 0)
      total += metrics[i].seconds;
  }
  append_line(text, '-');
  append_name(text, "TOTAL", 0);
  append_right(text, 11, dup_number("%.3f", total));
  g_string_append(text, "s\n");
  append_line(text, '=');
}

static void
append_statistics(GString *text, const LacTrackStatistic *statistics, gsize n)
{
  append_title(
    text, "AGGREGATE STATISTICS (for repeated operations)",
    "Operation                      Count    Total (s)    Mean (s)     Min (s)      Max (s)");
  for (gsize i = 0; i < n; i++) {
    append_name(text, statistics[i].operation, 0);
    append_left(text, 8, g_strdup_printf("%" G_GUINT64_FORMAT, statistics[i].count));
    append_left(text, 12, dup_number("%.3f", statistics[i].total_seconds));
    append_left(text, 12, dup_number("%.3f", statistics[i].mean_seconds));
    append_left(text, 12, dup_number("%.3f", statistics[i].min_seconds));
    append_left(text, 0, dup_number("%.3f", statistics[i].max_seconds));
    g_string_append_c(text, '\n');
  }
  append_line(text, '=');
}

char *
lac_tracker_dup_summary(LacTracker *tracker, LacTrackerTables tables)
{
  gsize    n_metrics, n_statistics;
  GString *text = g_string_new(NULL);

  g_return_val_if_fail(tracker != NULL, NULL);
  const LacTrackMetric    *metrics = lac_tracker_get_metrics(tracker, &n_metrics);
  const LacTrackStatistic *statistics = lac_tracker_get_statistics(tracker, &n_statistics);
  if ((tables & LAC_TRACKER_ONCE) != 0 && n_metrics > 0)
    append_metrics(text, metrics, n_metrics);
  if ((tables & LAC_TRACKER_REPEATED) != 0 && n_statistics > 0)
    append_statistics(text, statistics, n_statistics);
  return g_string_free(text, FALSE);
}

void
lac_tracker_print(LacTracker *tracker, LacTrackerTables tables, FILE *sink)
{
  g_return_if_fail(tracker != NULL && sink != NULL);
  g_autofree char *text = lac_tracker_dup_summary(tracker, tables);
  fputs(text, sink);
}

char *
lac_track_metric_dup_text(const LacTrackMetric *metric)
{
  const LacMemoryChange *memory = &metric->memory;
  g_autofree char       *seconds = dup_number("%.3f", metric->seconds);
  GString               *text = g_string_new(NULL);

  g_string_append_printf(text, "[Performance] %s: %ss", metric->operation, seconds);
  if (memory->cpu_delta != LAC_RECORD_UNKNOWN) {
    g_autofree char *delta = dup_megabytes("%+.1f", memory->cpu_delta);
    g_string_append_printf(text, ", CPU %sMB", delta);
  }
  if (memory->gpu_delta != LAC_RECORD_UNKNOWN) {
    g_autofree char *delta = dup_megabytes("%+.1f", memory->gpu_delta);
    g_string_append_printf(text, ", GPU %sMB", delta);
  }
  g_string_append_c(text, '\n');
  if (memory->gpu_peak != LAC_RECORD_UNKNOWN) {
    g_autofree char *peak = dup_megabytes("%.1f", memory->gpu_peak);
    g_string_append_printf(text, "%*sGPU peak: %sMB\n", (int) strlen("[Performance] "), "", peak);
  }
  return g_string_free(text, FALSE);
}
