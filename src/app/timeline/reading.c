/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Name, duration, calls, step and lane of a span. */
#include "app/timeline/reading.h"

#include "app/toolkit/format.h"
#include "report/summary/findings.h"
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

static char *
describe(LacTimelineScope *scope, const LacTimelineBar *bar)
{
  LacRecording    *recording = lac_timeline_scope_get_recording(scope);
  LacCapture      *capture = lac_recording_get_capture(recording);
  const LacRecord *record = lac_capture_at(capture, bar->record);
  g_autofree char *duration = lac_format_span((double) record->duration_ns);
  GString         *words = g_string_new(NULL);
  g_string_printf(words, "%s · %s",
                  lac_span_looks_get_label(lac_timeline_scope_get_looks(scope), record->name),
                  duration);
  if (record->count > 1) {
    g_autofree char *mean = lac_format_span((double) record->duration_ns / (double) record->count);
    g_string_append_printf(words, _(" in %" PRIu64 " calls of %s"), record->count, mean);
  }
  if (record->step >= 0)
    g_string_append_printf(words, _(" · step %" PRId64), record->step);
  g_string_append_printf(words, " · %s",
                         lac_timeline_word(lac_capture_get_lane(capture, record->lane)));
  if (bar->n_near > 1) {
    g_autofree char *n = lac_format_count(bar->n_near);
    g_string_append_printf(words, _(" · %s here, zoom in to separate them"), n);
  }
  return g_string_free(words, FALSE);
}

char *
lac_timeline_dup_reading(LacTimelineScope     *scope,
                         LacTimelineAnalysis  *analysis,
                         const LacTimelineBar *bar)
{
  g_return_val_if_fail(!lac_timeline_scope_is_empty(scope) && bar != NULL, NULL);
  char             *words = describe(scope, bar);
  const LacFinding *outlier =
    analysis != NULL ? lac_timeline_analysis_explain(analysis, bar) : NULL;
  if (outlier == NULL)
    return words;
  g_autofree char *plain = words;
  g_autofree char *cause = lac_finding_dup_cause(
    outlier, lac_recording_get_capture(lac_timeline_scope_get_recording(scope)));
  return g_strdup_printf("%s · %s", plain, cause);
}
