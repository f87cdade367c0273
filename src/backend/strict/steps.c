/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded steps of the strict backend, and the letters that bring numbers back from them. */
#include "backend/strict/strict-private.h"

#include <string.h>

#define RECORDING (((LacStrict *) self)->recording)

LacStatus
lac_strict_synchronise(void *self)
{
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

LacStatus
lac_strict_record_begin(void *self)
{
  if (RECORDING)
    return LAC_STATUS_RECORDING;
  RECORDING = lac_recorded_steps_new();
  return LAC_STATUS_OK;
}

LacStatus
lac_strict_record_end(void *self, void **recording)
{
  *recording = g_steal_pointer(&RECORDING);
  return *recording ? LAC_STATUS_OK : LAC_STATUS_UNSUPPORTED;
}

LacStatus
lac_strict_replay(void *self, void *recording)
{
  return RECORDING ? LAC_STATUS_RECORDING : lac_recorded_steps_replay(recording, self);
}

void
lac_strict_recording_free(void *self, void *recording)
{
  lac_recorded_steps_free(recording);
}

LacStatus
lac_strict_post(void *self, const void *memory, size_t n_bytes, uint64_t *ticket)
{
  LacStrict *strict = self;
  LacStatus  status = LAC_STATUS_UNSUPPORTED;

  if (n_bytes <= LAC_POST_BYTES)
    status = lac_strict_download(self, strict->posts[strict->n_posts % LAC_POSTS], memory, n_bytes);
  if (status == LAC_STATUS_OK)
    *ticket = strict->n_posts++;
  return status;
}

LacStatus
lac_strict_collect(void *self, uint64_t ticket, void *host, size_t n_bytes)
{
  const LacStrict *strict = self;

  if (strict->recording)
    return LAC_STATUS_RECORDING;
  if (ticket >= strict->n_posts || ticket + LAC_POSTS < strict->n_posts ||
      n_bytes > LAC_POST_BYTES || (uintptr_t) host & LAC_STRICT_TAG)
    return LAC_STATUS_BAD_POINTER;
  memcpy(host, strict->posts[ticket % LAC_POSTS], n_bytes);
  return LAC_STATUS_OK;
}

/* ---- parcels: what is put in is there at once, and shown once it was sent ---- */

typedef struct {
  size_t   n_bytes;
  gboolean is_sent;
  guint8  *host;
} Parcel;

LacStatus
lac_strict_parcel_new(void *self, size_t n_bytes, void **memory)
{
  Parcel *parcel = g_new0(Parcel, 1);

  parcel->n_bytes = n_bytes;
  parcel->host = g_malloc(n_bytes);
  *memory = parcel;
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

void
lac_strict_parcel_free(void *self, void *memory)
{
  Parcel *parcel = memory;

  if (!parcel)
    return;
  g_free(parcel->host);
  g_free(parcel);
}

LacStatus
lac_strict_parcel_put(void *self, void *memory, size_t at, const void *from, size_t n_bytes)
{
  Parcel *parcel = memory;

  if (at > parcel->n_bytes || n_bytes > parcel->n_bytes - at || parcel->is_sent)
    return LAC_STATUS_BAD_POINTER;
  return lac_strict_download(self, parcel->host + at, from, n_bytes);
}

LacStatus
lac_strict_parcel_send(void *self, void *memory)
{
  ((Parcel *) memory)->is_sent = TRUE;
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

LacStatus
lac_strict_parcel_open(void *self, void *memory, int wait, const void **host)
{
  Parcel *parcel = memory;

  if (wait)
    parcel->is_sent = FALSE;
  *host = parcel->host;
  return LAC_STATUS_OK;
}
