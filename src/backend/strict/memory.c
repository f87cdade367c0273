/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the strict backend: poisoned on allocation and release, behind addresses that cannot be dereferenced. */
#include "backend/cpu/cpu.h"
#include "backend/strict/strict-private.h"

#include <string.h>

#define RECORDING (((LacStrict *) self)->recording)

LacStrict *
lac_strict_new(LacDevice below)
{
  LacStrict *strict = g_new0(LacStrict, 1);

  strict->below = below;
  g_rw_lock_init(&strict->lock);
  g_mutex_init(&strict->running_lock);
  strict->blocks = g_array_new(FALSE, FALSE, sizeof(LacStrictBlock));
  return strict;
}

LacStatus
lac_strict_open(void **self, int device)
{
  LacDevice below = {&lac_backend_cpu, NULL};
  LacStatus status = below.table->open(&below.self, device);

  if (status == LAC_STATUS_OK)
    *self = lac_strict_new(below);
  return status;
}

void
lac_strict_close(void *self)
{
  LacStrict        *strict = self;
  const LacBackend *below = strict->below.table;

  for (guint i = 0; i < strict->blocks->len; i++)
    below->release(strict->below.self,
                   (void *) g_array_index(strict->blocks, LacStrictBlock, i).first);
  g_array_unref(strict->blocks);
  lac_recorded_steps_free(strict->recording);
  g_rw_lock_clear(&strict->lock);
  g_mutex_clear(&strict->running_lock);
  below->close(strict->below.self);
  g_free(strict->name);
  g_free(strict);
}

/* Poisons a block after work on it has finished. */
static LacStatus
poison(const LacStrict *strict, const LacStrictBlock *block)
{
  const LacStatus status = strict->below.table->synchronise(strict->below.self);

  memset((void *) block->first, LAC_STRICT_POISON, block->n_bytes);
  return status;
}

LacStatus
lac_strict_alloc(void *self, size_t n_bytes, void **memory)
{
  LacStrict     *strict = self;
  void          *real = NULL;
  LacStatus      status = RECORDING ? LAC_STATUS_RECORDING
                                    : strict->below.table->alloc(strict->below.self, n_bytes, &real);
  LacStrictBlock block = {(uintptr_t) real, n_bytes};

  *memory = NULL;
  if (status == LAC_STATUS_OK)
    status = poison(strict, &block);
  if (status != LAC_STATUS_OK)
    return status;
  g_rw_lock_writer_lock(&strict->lock);
  g_array_append_val(strict->blocks, block);
  strict->used += n_bytes;
  strict->peak = MAX(strict->peak, strict->used);
  g_rw_lock_writer_unlock(&strict->lock);
  *memory = (void *) (block.first ^ LAC_STRICT_TAG);
  return LAC_STATUS_OK;
}

/* Ignores a pointer that is not an allocation: release can report it only to the log. */
void
lac_strict_release(void *self, void *memory)
{
  const uintptr_t address = (uintptr_t) memory ^ LAC_STRICT_TAG;
  LacStrict      *strict = self;
  LacStrictBlock  block = {0, 0};

  if (!memory)
    return;
  g_return_if_fail(!strict->recording);
  g_rw_lock_writer_lock(&strict->lock);
  for (guint i = 0; i < strict->blocks->len && !block.first; i++)
    if (g_array_index(strict->blocks, LacStrictBlock, i).first == address) {
      block = g_array_index(strict->blocks, LacStrictBlock, i);
      g_array_remove_index_fast(strict->blocks, i);
      strict->used -= block.n_bytes;
    }
  g_rw_lock_writer_unlock(&strict->lock);
  g_return_if_fail(block.first);
  poison(strict, &block);
  strict->below.table->release(strict->below.self, (void *) block.first);
}

void
lac_strict_memory_use(void *self, LacMemoryUse *use)
{
  LacStrict *strict = self;

  g_rw_lock_reader_lock(&strict->lock);
  *use = (LacMemoryUse){strict->used, strict->used, strict->peak};
  g_rw_lock_reader_unlock(&strict->lock);
}

void
lac_strict_memory_reset_peak(void *self)
{
  LacStrict *strict = self;

  g_rw_lock_writer_lock(&strict->lock);
  strict->peak = strict->used;
  g_rw_lock_writer_unlock(&strict->lock);
}

/* One side must be device memory, the other must not. */
static LacStatus
look_at_copy(void *self, const void **device, const void *host, size_t n_bytes)
{
  *device = lac_strict_translate(self, *device, n_bytes);
  if (!*device || (uintptr_t) host & LAC_STRICT_TAG)
    return LAC_STATUS_BAD_POINTER;
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

LacStatus
lac_strict_upload(void *self, void *device, const void *host, size_t n_bytes)
{
  const LacStrict *strict = self;
  const void      *real = device;
  LacStatus        status = look_at_copy(self, &real, host, n_bytes);

  if (status != LAC_STATUS_OK)
    return status;
  return strict->below.table->upload(strict->below.self, (void *) real, host, n_bytes);
}

LacStatus
lac_strict_download(void *self, void *host, const void *device, size_t n_bytes)
{
  const LacStrict *strict = self;
  const void      *real = device;
  LacStatus        status = look_at_copy(self, &real, host, n_bytes);

  if (status != LAC_STATUS_OK)
    return status;
  return strict->below.table->download(strict->below.self, host, real, n_bytes);
}
