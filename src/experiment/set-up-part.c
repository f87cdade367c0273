/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing spans of set-up parts. */
#include "experiment/set-up-part.h"

#include "backend/device-watch.h"

void
lac_set_up_part_begin(LacSetUpPart *part, const LacContext *context, const char *name)
{
  gboolean has_probe;

  if (context->perf == NULL || context->lane == NULL ||
      lac_perf_get_detail(context->perf) == LAC_PERF_OFF)
    return;
  has_probe = lac_device_memory_probe(&context->device, &part->probe);
  part->lane = context->lane;
  lac_memory_span_begin(&part->span, part->lane, lac_perf_name(context->perf, name),
                        has_probe ? &part->probe : NULL);
}

void
lac_set_up_part_end(LacSetUpPart *part)
{
  if (part->lane != NULL)
    lac_memory_span_end(&part->span, part->lane, -1);
  part->lane = NULL;
}
