/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching one metric. */
#include "run/core/blow-up.h"

#include <math.h>

gboolean
lac_blow_up_watch(LacBlowUp *watch, double value)
{
  if (!isfinite(value))
    return FALSE;
  if (watch->n_seen < LAC_BLOW_UP_FIRST) {
    watch->n_seen++;
    watch->start = MAX(watch->start, fabs(value));
    return FALSE;
  }
  /* what begins at a rounding error is no measure: at least 1 in the metric's own unit */
  if (fabs(value) > LAC_BLOW_UP_FACTOR * watch->start && fabs(value) > 1)
    watch->n_above++;
  else
    watch->n_above = 0;
  return watch->n_above >= LAC_BLOW_UP_ROWS;
}
