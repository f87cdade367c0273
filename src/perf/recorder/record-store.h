/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All records of a run, append-only. Costs 80 bytes per record, in memory up to a budget; older chunks go to an
 * unlinked temporary file and are read through a mapping. One thread; a shared snapshot may be used on another
 * thread. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRecordStore LacRecordStore;

/* @budget_bytes: memory budget, rounded up to a chunk */
LacRecordStore *lac_record_store_new(gsize budget_bytes);
void            lac_record_store_free(LacRecordStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRecordStore, lac_record_store_free)

/* Returns: (transfer full): a read-only snapshot of the present content, for reading on another thread while @store
 * is appended to. Nothing is copied. */
LacRecordStore *lac_record_store_share(const LacRecordStore *store);

void lac_record_store_append(LacRecordStore *store, const LacRecord *records, gsize n);

gsize lac_record_store_get_length(const LacRecordStore *store);

/* Returns: (transfer none): contiguous records from @first on, at most *n of them, valid until the next append; *n is
 * set to their number. NULL past the end. */
const LacRecord *lac_record_store_get(const LacRecordStore *store, gsize first, gsize *n);

gsize lac_record_store_get_memory_bytes(const LacRecordStore *store);
/* Returns: bytes on the heap of the records in all stores of the process. Any thread. */
gsize lac_record_store_get_all_bytes(void);
gsize lac_record_store_get_spilled_bytes(const LacRecordStore *store);

G_END_DECLS
