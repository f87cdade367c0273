/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the journal of the run that is repeated. */
#include "run/core/repeat.h"

#include "base/error.h"
#include "run/core/log.h"

#include <string.h>

gboolean
lac_run_repeat_open(LacRunRepeat *repeat, const LacRunOrigin *origin, GError **error)
{
  repeat->journal = lac_run_file_open_journal(origin->folder, error);
  if (repeat->journal == NULL)
    return FALSE;
  gboolean was_cut = origin->outcome == NULL || g_str_equal(origin->outcome, "stopped");
  if (was_cut && repeat->journal->steps == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s ended before its first step: there is nothing to repeat", origin->folder);
    return FALSE;
  }
  repeat->last_step = was_cut ? repeat->journal->steps : 0;
  return TRUE;
}

void
lac_run_repeat_clear(LacRunRepeat *repeat)
{
  g_clear_pointer(&repeat->journal, lac_run_file_unref);
}

gboolean
lac_run_repeat_is_at_last_step(const LacRunRepeat *repeat, gint64 step)
{
  return repeat->last_step > 0 && step >= repeat->last_step;
}

const char *
lac_run_repeat_take_change(LacRunRepeat *repeat, gint64 step)
{
  while (repeat->journal != NULL && repeat->next_change < repeat->journal->n_events) {
    const LacRunEvent *event = &repeat->journal->events[repeat->next_change];

    if (event->step > step)
      return NULL;
    repeat->next_change++;
    if (g_str_equal(event->what, LAC_EVENT_SET) && strstr(event->detail, " = ") != NULL)
      return event->detail;
  }
  return NULL;
}
