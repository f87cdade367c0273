/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of one lane, in the order of their end. */
#include "report/helpers/recording.h"

const LacMetric recording_metrics[2] = {
  {.key = "enkf.error", .label = "Ensemble Kalman filter", .unit = "1", .log_axis = TRUE},
  {.key = "solver.error", .label = "Differentiable solver", .unit = "1", .log_axis = TRUE},
};

static void
push(LacCapture   *capture,
     LacRecordKind kind,
     const char   *name,
     guint         depth,
     gint64        step,
     gint64        begin,
     gint64        end)
{
  const gint64    known = lac_capture_find_name(capture, name);
  const LacRecord record = {.kind = (guint8) kind,
                            .name =
                              known >= 0 ? (guint32) known : lac_capture_add_name(capture, name),
                            .depth = (guint8) depth,
                            .step = step,
                            .start_ns = begin,
                            .duration_ns = end - begin,
                            .count = 1,
                            .memory = -1};
  lac_capture_append(capture, &record, 1);
}

LacCapture *
recording_new(gint64 unit_ns, gboolean without_filter)
{
  const gint64 u = unit_ns;
  LacCapture  *capture = lac_capture_new("constructed");
  lac_capture_add_lane(capture, "compute");
  push(capture, LAC_RECORD_SPAN, "create the experiment", 1, -1, 10 * u, 190 * u);
  push(capture, LAC_RECORD_SPAN, "set-up", 0, -1, 0, 200 * u);
  for (gint64 step = 1; step <= 10; step++) {
    const gint64 at = (140 + 100 * step) * u;
    push(capture, LAC_RECORD_AGGREGATE, "flow steps backwards", 0, -1, at + u, at + 51 * u);
    push(capture, LAC_RECORD_SPAN, "Differentiable solver", 1, step, at, at + 60 * u);
    push(capture, LAC_RECORD_AGGREGATE, "inverse transform", 0, -1, at + 61 * u, at + 73 * u);
    push(capture, LAC_RECORD_SPAN, "ensemble forecast", without_filter ? 1 : 2, step, at + 60 * u,
         at + 80 * u);
    if (!without_filter)
      push(capture, LAC_RECORD_SPAN, "Ensemble Kalman filter", 1, step, at + 60 * u, at + 85 * u);
    push(capture, LAC_RECORD_SPAN, "compare with the truth", 1, step, at + 85 * u, at + 95 * u);
    push(capture, LAC_RECORD_SPAN, "step", 0, step, at, at + 100 * u);
  }
  push(capture, LAC_RECORD_SPAN, "checkpoint", 0, 10, 1240 * u, 1300 * u);
  return capture;
}

guint32
recording_name(const LacCapture *capture, const char *name)
{
  const gint64 id = lac_capture_find_name(capture, name);
  g_assert_cmpint(id, >=, 0);
  return (guint32) id;
}
