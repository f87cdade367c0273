/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that is taken and given back in the order of a stack, and kept for the next time: what is done again with the same sizes allocates
 * nothing. Of one thread at a time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacScratch LacScratch;

LacScratch *lac_scratch_new(void);
void        lac_scratch_free(LacScratch *scratch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacScratch, lac_scratch_free)

/* Returns: (transfer none): memory at a multiple of 64 bytes, which holds anything, until lac_scratch_release(). */
gpointer lac_scratch_take(LacScratch *scratch, gsize n_bytes);

/* How far it is used; gives back all that was taken since. */
typedef struct {
  gsize block, used;
} LacScratchMark;

LacScratchMark lac_scratch_mark(const LacScratch *scratch);
void           lac_scratch_release(LacScratch *scratch, LacScratchMark mark);

G_END_DECLS
