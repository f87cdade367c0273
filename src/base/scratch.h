/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack allocator that retains its blocks: repeated work of the same sizes allocates nothing. One thread at a time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacScratch LacScratch;

LacScratch *lac_scratch_new(void);
void        lac_scratch_free(LacScratch *scratch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacScratch, lac_scratch_free)

/* Returns: (transfer none): uninitialised memory aligned to 64 bytes, valid until lac_scratch_release(). */
gpointer lac_scratch_take(LacScratch *scratch, gsize n_bytes);

/* Position in the stack; releasing to it frees everything taken since. */
typedef struct {
  gsize block, used;
} LacScratchMark;

LacScratchMark lac_scratch_mark(const LacScratch *scratch);
void           lac_scratch_release(LacScratch *scratch, LacScratchMark mark);

G_END_DECLS
