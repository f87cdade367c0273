/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of counters, and their drawing. */
#include "app/timeline/counters.h"

#include "app/session/session.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "base/number-display.h"
#include "perf/recorder/gauges.h"
#include "report/plot/plot.h"
#include "report/summary/answer.h"
#include "report/text/metric-group.h"
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

#define PADDING 4.0
#define SWATCH  7.0

/* ---- rows ---- */

static gboolean
has_methods(const LacMetric *metrics, const guint *looks, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (looks[i] > 0 && *lac_metric_group(&metrics[i]) != '\0')
      return TRUE;
  return FALSE;
}

/* Fills in the first drawn error of each method; of the run itself where there are none. Returns: FALSE if there is
 * none. */
static gboolean
find_errors(LacRecording *recording, LacCounterRow *row)
{
  LacSession       *session = lac_recording_get_session(recording);
  gsize             n = 0;
  const LacMetric  *metrics = session != NULL ? lac_session_get_metrics(session, &n) : NULL;
  g_autofree guint *looks = g_new0(guint, n + 1);
  const char       *groups[LAC_COUNTERS_MOST];
  *row = (LacCounterRow){.label = _("error"), .is_error = TRUE};
  lac_metric_looks(LAC_CURVES_ERRORS, metrics, n, looks);
  const gboolean of_methods = has_methods(metrics, looks, n);
  for (gsize i = 0; i < n && row->n < LAC_COUNTERS_MOST; i++) {
    const LacTrack *track =
      looks[i] > 0 ? lac_recording_find_track(recording, metrics[i].key) : NULL;
    const char *group = lac_metric_group(&metrics[i]);
    gboolean    is_new = !of_methods || *group != '\0';
    for (gsize k = 0; k < row->n; k++)
      is_new = is_new && groups[k] != group;
    if (track == NULL || !is_new)
      continue;
    groups[row->n] = group;
    row->looks[row->n] = looks[i];
    row->tracks[row->n++] = track;
  }
  return row->n > 0;
}

static gboolean
has_track(const LacCounterRow *row, const LacTrack *track)
{
  for (gsize i = 0; i < row->n; i++)
    if (row->tracks[i] == track)
      return TRUE;
  return FALSE;
}

/* Returns TRUE for an error of the whole run, which the errors of its methods show already. */
static gboolean
is_error_of_run(LacRecording *recording, const LacTrack *track)
{
  LacSession      *session = lac_recording_get_session(recording);
  gsize            n = 0;
  const LacMetric *metrics = session != NULL ? lac_session_get_metrics(session, &n) : NULL;
  for (gsize i = 0; i < n; i++)
    if (*lac_metric_group(&metrics[i]) == '\0' &&
        lac_metric_kind(&metrics[i]) == LAC_CURVES_ERRORS &&
        lac_recording_find_track(recording, metrics[i].key) == track)
      return TRUE;
  return FALSE;
}

/* Returns TRUE for the parts of the memory, which the report lists. */
static gboolean
is_part_of_memory(const LacTrack *track)
{
  const char *label = lac_track_get_label(track);
  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++)
    if (g_str_equal(label, lac_timeline_word(lac_gauge_name(lac_gauge_of_memory(i)))))
      return TRUE;
  return FALSE;
}

/* Returns: a name that fits beside the row. */
static const char *
get_label(const LacTrack *track)
{
  const char *label = lac_track_get_label(track);
  return g_str_equal(label, lac_timeline_word(LAC_COUNTER_RESIDENT)) ? _("memory") : label;
}

/* Moves the live heap, which is for the search for leaks, below what is looked at more often. */
static void
put_heap_last(GArray *rows)
{
  for (guint i = 0; i + 1 < rows->len; i++) {
    const LacCounterRow row = g_array_index(rows, LacCounterRow, i);
    if (!g_str_equal(row.label, lac_timeline_word(LAC_COUNTER_HEAP)))
      continue;
    g_array_remove_index(rows, i);
    g_array_append_val(rows, row);
    return;
  }
}

GArray *
lac_counter_rows_new(LacRecording *recording)
{
  GArray          *rows = g_array_new(FALSE, FALSE, sizeof(LacCounterRow));
  LacCounterRow    errors;
  gsize            n;
  gboolean         is_placed = !find_errors(recording, &errors);
  LacTrack *const *tracks = lac_recording_get_tracks(recording, &n);
  for (gsize i = 0; i < n; i++) {
    const LacCounterRow one = {.label = get_label(tracks[i]), .tracks = {tracks[i]}, .n = 1};
    if (is_part_of_memory(tracks[i]))
      continue;
    if (errors.n > 0 && !has_track(&errors, tracks[i]) && is_error_of_run(recording, tracks[i]))
      continue;
    if (!has_track(&errors, tracks[i])) {
      g_array_append_val(rows, one);
      continue;
    }
    if (!is_placed)
      g_array_append_val(rows, errors);
    is_placed = TRUE;
  }
  put_heap_last(rows);
  return rows;
}

/* ---- drawing ---- */

static char *
describe_value(const LacCounterRow *row, const LacTrack *track, double value)
{
  const char *unit = lac_track_get_unit(track);
  if (row->is_error)
    return lac_answer_dup_result(value, unit, TRUE);
  return g_str_equal(unit, "B")   ? lac_format_bytes(value)
         : g_str_equal(unit, "1") ? lac_number_localise(g_strdup_printf("%.1f %%", value * 100))
                                  : lac_format_metric(value, unit);
}

static LacColour
get_colour(const LacCounterRow *row, gsize i)
{
  const LacPalette *palette = lac_style_palette();
  return row->looks[i] > 0 ? lac_look_colour(palette, row->looks[i]) : palette->faint;
}

/* Draws the values from right to left, each with the colour of its line where there are several. */
static void
draw_values(const LacCounterRow   *row,
            LacDrawing            *drawing,
            const LacTimelineView *view,
            double                 top,
            gint64                 time_ns)
{
  const LacPalette *palette = lac_style_palette();
  const double      size = view->font_size;
  LacColour         chip = palette->background;
  double            right = view->width - PADDING, value;
  chip.alpha = 0.8F;
  for (gsize i = row->n; i-- > 0;) {
    if (!lac_track_get_at(row->tracks[i], time_ns, &value))
      continue;
    g_autofree char *text = describe_value(row, row->tracks[i], value);
    const double     swatch = row->n > 1 ? SWATCH + PADDING : 0;
    const double     width = lac_text_width(text, size, FALSE) + swatch;
    lac_draw_rectangle(drawing, right - width - PADDING, top + 2, width + 2 * PADDING, size * 1.4,
                       chip);
    if (row->n > 1)
      lac_draw_rectangle(drawing, right - width, top + 2 + (size * 1.4 - SWATCH) / 2, SWATCH,
                         SWATCH, get_colour(row, i));
    lac_draw_text(drawing, right, top + 2 + size, LAC_ALIGN_RIGHT, size, palette->foreground, text);
    right -= width + 3 * PADDING;
  }
}

void
lac_counter_row_draw(const LacCounterRow   *row,
                     LacDrawing            *drawing,
                     const LacTimelineView *view,
                     double                 top,
                     double                 height,
                     gint64                 time_ns)
{
  g_return_if_fail(row != NULL && drawing != NULL && view != NULL);
  if (row->n == 1) { /* a loss has a logarithmic scale of its own */
    lac_track_draw(row->tracks[0], drawing, view, top + 4, height - 7, get_colour(row, 0));
    draw_values(row, drawing, view, top, time_ns);
    return;
  }
  LacTrackScale scale = {top + 4, height - 7, G_MAXDOUBLE, -G_MAXDOUBLE, row->is_error};
  double        least, most;
  for (gsize i = 0; i < row->n; i++)
    if (lac_track_find_range(row->tracks[i], view, &least, &most)) {
      scale.low = MIN(scale.low, least);
      scale.high = MAX(scale.high, most);
    }
  for (gsize i = 0; i < row->n && scale.low <= scale.high; i++)
    lac_track_draw_scaled(row->tracks[i], drawing, view, &scale, get_colour(row, i));
  draw_values(row, drawing, view, top, time_ns);
}
