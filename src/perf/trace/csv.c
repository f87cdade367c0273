/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row a record, an empty cell for what a record of its kind does not have. */
#include "base/number.h"
#include "base/text-rows.h"
#include "perf/trace/trace-private.h"

static const char *const kinds[] = {
  [LAC_RECORD_SPAN] = "span",
  [LAC_RECORD_AGGREGATE] = "aggregate",
  [LAC_RECORD_COUNTER] = "counter",
  [LAC_RECORD_MARK] = "mark",
  [LAC_RECORD_MEMORY] = "memory",
  [LAC_RECORD_SPANS_LET_GO] = "spans let go",
  [LAC_RECORD_CALLS_LET_GO] = "calls let go",
};

static void
put_text(FILE *file, const char *text)
{
  if (!lac_text_needs_quotes(text)) {
    fputs(text, file);
    return;
  }
  g_autofree char *cell = lac_text_quote(text);
  fputs(cell, file);
}

static void
put_real(FILE *file, gboolean is_known, double value)
{
  g_autofree char *text = is_known ? lac_number_dup_text(value) : g_strdup("");
  fprintf(file, ",%s", text);
}

static void
put_whole(FILE *file, gboolean is_known, gint64 value)
{
  if (is_known)
    fprintf(file, ",%" G_GINT64_FORMAT, value);
  else
    putc(',', file);
}

static void
put_row(FILE *file, const LacCapture *capture, const LacRecord *record, gint64 origin_ns)
{
  const gint64 unknown = LAC_RECORD_UNKNOWN;
  gboolean     is_memory = record->kind == LAC_RECORD_MEMORY;
  gboolean     is_counter = record->kind == LAC_RECORD_COUNTER;
  gboolean     has_work = !is_memory && !is_counter;
  gboolean     is_span = record->kind == LAC_RECORD_SPAN;
  fprintf(file, "%s,", kinds[record->kind]);
  put_text(file, lac_capture_get_name(capture, record->name));
  putc(',', file);
  put_text(file, lac_capture_get_lane(capture, record->lane));
  put_whole(file, TRUE, record->depth);
  put_whole(file, TRUE, record->start_ns - origin_ns);
  put_whole(file, !is_counter && record->kind != LAC_RECORD_MARK, record->duration_ns);
  put_whole(file, record->step >= 0, record->step);
  put_whole(file, is_span && record->epoch != 0, record->epoch);
  put_whole(file, is_span && record->batch != 0, record->batch);
  put_whole(file, has_work, (gint64) record->count);
  put_real(file, has_work, record->flops);
  put_real(file, has_work, record->bytes);
  put_real(file, is_counter, record->value);
  put_whole(file, has_work && record->memory >= 0, record->memory);
  put_whole(file, is_memory && record->cpu_delta != unknown, record->cpu_delta);
  put_whole(file, is_memory && record->cpu_peak != unknown, record->cpu_peak);
  put_whole(file, is_memory && record->gpu_delta != unknown, record->gpu_delta);
  put_whole(file, is_memory && record->gpu_peak != unknown, record->gpu_peak);
  putc('\n', file);
}

void
lac_trace_put_csv(const LacCapture *capture, FILE *file)
{
  gint64 begin_ns, end_ns;
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  fputs("kind,name,lane,depth,start [ns],duration [ns],step,epoch,batch,count,flops,bytes [B],"
        "value,memory [B],cpu_delta [B],cpu_peak [B],gpu_delta [B],gpu_peak [B]\n",
        file);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind < G_N_ELEMENTS(kinds)) /* others are of a newer file */
      put_row(file, capture, record, begin_ns);
  }
}
