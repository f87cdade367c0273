/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded calls, in order. */
#include "backend/strict/recording.h"

#include <string.h>

typedef struct {
  LacRecordedCall call;
  gpointer        args;
  LacJet         *jet; /* copy of the jet that args points to; NULL: none */
} Entry;

struct _LacRecordedSteps {
  GArray *entries;
};

LacRecordedSteps *
lac_recorded_steps_new(void)
{
  LacRecordedSteps *recording = g_new(LacRecordedSteps, 1);

  recording->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  return recording;
}

void
lac_recorded_steps_free(LacRecordedSteps *recording)
{
  if (!recording)
    return;
  for (guint i = 0; i < recording->entries->len; i++) {
    Entry *entry = &g_array_index(recording->entries, Entry, i);

    g_free(entry->args);
    g_free(entry->jet);
  }
  g_array_unref(recording->entries);
  g_free(recording);
}

void
lac_recorded_steps_add(LacRecordedSteps *recording,
                       LacRecordedCall   call,
                       const void       *args,
                       gsize             n_bytes,
                       gsize             jet_offset)
{
  Entry         entry = {call, g_memdup2(args, n_bytes), NULL};
  const LacJet *jet;

  if (jet_offset) {
    memcpy(&jet, (const char *) args + jet_offset, sizeof jet);
    entry.jet = g_memdup2(jet, sizeof *jet);
    memcpy((char *) entry.args + jet_offset, &entry.jet, sizeof entry.jet);
  }
  g_array_append_val(recording->entries, entry);
}

LacStatus
lac_recorded_steps_replay(const LacRecordedSteps *recording, void *self)
{
  LacStatus status = LAC_STATUS_OK;

  for (guint i = 0; i < recording->entries->len && status == LAC_STATUS_OK; i++) {
    const Entry *entry = &g_array_index(recording->entries, Entry, i);

    status = entry->call(self, entry->args);
  }
  return status;
}
