/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only the first call costs: allocation, plans, caches that are still empty. */
#include "perf/analysis/analysis-private.h"
#include "perf/analysis/histogram.h"

#define LEAST_CALLS  5    /* to know what is usual */
#define LEAST_EXCESS 0.01 /* of the recording: less is not worth a sentence */
#define MOST_NAMED   5

typedef struct {
  gint64       first_ns, start_ns, end_ns;
  guint64      n;
  LacHistogram later;
} Calls;

static void
take(Calls *calls, const LacRecord *record)
{
  gint64 each = record->duration_ns / (gint64) record->count;
  if (calls->n == 0) {
    calls->first_ns = each;
    calls->start_ns = record->start_ns;
    calls->end_ns = record->start_ns + record->duration_ns;
  } else {
    lac_histogram_add(&calls->later, each, record->count);
  }
  calls->n += record->count;
}

static void
judge(const LacInquiry *inquiry, guint32 name, const Calls *calls, double whole_ns)
{
  double usual = lac_histogram_get_quantile(&calls->later, 0.5);
  double first = (double) calls->first_ns;
  if (first <= LAC_FIRST_RATIO * usual || first - usual <= LEAST_EXCESS * whole_ns)
    return;
  LacFinding finding = {
    .kind = LAC_FINDING_FIRST_CALL,
    .name = name,
    .step = -1,
    .ratio = first / usual,
    .ns = first,
    .other_ns = usual,
    .count = calls->n,
    .begin_ns = calls->start_ns,
    .end_ns = calls->end_ns,
  };
  g_array_append_val(inquiry->findings, finding);
}

static int
compare_excess(gconstpointer a, gconstpointer b)
{
  const LacFinding *x = a, *y = b;
  double            p = x->ns - x->other_ns, q = y->ns - y->other_ns;
  return (p < q) - (p > q);
}

void
lac_inquire_first_calls(const LacInquiry *inquiry)
{
  gboolean             any;
  g_autofree gboolean *operations = lac_inquiry_dup_operations(inquiry, &any);
  guint32              n_names = lac_capture_get_n_names(inquiry->capture);
  g_autofree Calls    *calls = g_new0(Calls, n_names + 1);
  g_autoptr(GArray)    found = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  LacInquiry           mine = *inquiry;
  gint64               begin_ns, end_ns;
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    if (record->name >= n_names || record->count == 0)
      continue;
    if (record->kind == (operations[record->name] ? LAC_RECORD_AGGREGATE : LAC_RECORD_SPAN))
      take(&calls[record->name], record);
  }
  lac_capture_get_extent(inquiry->capture, &begin_ns, &end_ns);
  mine.findings = found;
  for (guint32 name = 0; name < n_names; name++) {
    if (calls[name].n >= LEAST_CALLS && calls[name].later.total > 0)
      judge(&mine, name, &calls[name], (double) (end_ns - begin_ns));
    lac_histogram_clear(&calls[name].later);
  }
  g_array_sort(found, compare_excess);
  g_array_append_vals(inquiry->findings, found->data, MIN(found->len, MOST_NAMED));
}
