/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User marks on the timeline of a run, for reports. */
#include "io/runfile/marks.h"

#include "io/format/json-text.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"
#include "report/timeline/strip.h"

/* A mark as shown in a report. */
typedef struct {
  double      seconds; /* since the first record */
  gint64      step;    /* that it lies in or follows; -1 before the first */
  const char *words;
} Reported;

typedef void (*AddFunc)(const Reported *reported, gpointer data);

static void
add_marks(const LacRunFile *run, AddFunc add, gpointer data)
{
  g_autoptr(GArray) marks = lac_run_marks_read(run->path);
  gint64            first, last;
  if (marks->len == 0)
    return;
  g_auto(LacIterations) iterations = lac_iterations_find(run->capture);
  lac_capture_get_extent(run->capture, &first, &last);
  for (guint i = 0; i < marks->len; i++) {
    const LacRunMark *mark = &g_array_index(marks, LacRunMark, i);
    gssize            at = lac_timeline_find_iteration(&iterations, mark->time_ns);
    Reported          reported = {((double) mark->time_ns - (double) first) * 1e-9,
                         at >= 0 ? iterations.iterations[at].step : -1, mark->words};
    add(&reported, data);
  }
}

static void
add_row(const Reported *reported, gpointer data)
{
  g_autofree char *at = lac_duration_text(reported->seconds);
  g_autofree char *step =
    reported->step >= 0 ? g_strdup_printf("%" G_GINT64_FORMAT, reported->step) : g_strdup("–");
  const char *const cells[] = {at, step, reported->words};
  lac_table_add(data, LAC_ROW_PLAIN, cells);
}

void
lac_summary_marks(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {"on the timeline", LAC_ALIGN_RIGHT, FALSE},
    {"step", LAC_ALIGN_RIGHT, FALSE},
    {"words", LAC_ALIGN_LEFT, TRUE},
  };
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  add_marks(summary->run, add_row, table);
}

static void
add_object(const Reported *reported, gpointer data)
{
  JsonBuilder *builder = data;
  json_builder_begin_object(builder);
  lac_json_add_number(builder, "seconds", reported->seconds);
  lac_json_add_integer(builder, "step", reported->step);
  lac_json_add_text(builder, "words", reported->words);
  json_builder_end_object(builder);
}

void
lac_summary_add_marks(const LacRunFile *run, JsonBuilder *builder)
{
  json_builder_set_member_name(builder, "marks");
  json_builder_begin_array(builder);
  add_marks(run, add_object, builder);
  json_builder_end_array(builder);
}
