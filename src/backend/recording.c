/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records a step, or falls back to none. */
#include "backend/recording.h"

gboolean
lac_device_record(LacDevice device,
                  LacStatus (*enqueue)(gpointer user_data),
                  gpointer user_data,
                  void   **recording)
{
  LacStatus   status, ended;
  const char *why;

  *recording = NULL;
  if (!device.table->record_begin)
    return FALSE;
  status = device.table->record_begin(device.self);
  if (status == LAC_STATUS_OK) {
    status = enqueue(user_data);
    ended = device.table->record_end(device.self, recording);
    status = status == LAC_STATUS_OK ? ended : status;
  }
  if (status == LAC_STATUS_OK)
    return TRUE;
  if (*recording)
    device.table->recording_free(device.self, g_steal_pointer(recording));
  why = device.table->failure ? device.table->failure(status)
                              : NULL; /* clears it, so that no later failure is blamed on it */
  g_debug("a step is called, for it cannot be recorded: %s", why ? why : lac_status_text(status));
  return FALSE;
}
