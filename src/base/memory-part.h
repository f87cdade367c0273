/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes in use by what they hold, over the whole process: the owner of a large buffer claims it. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_MEMORY_PARAMETERS,
  LAC_MEMORY_GRADIENTS,
  LAC_MEMORY_OPTIMISER,
  LAC_MEMORY_ACTIVATIONS,
  LAC_MEMORY_TRANSFORMS,
  LAC_MEMORY_STATES,
  LAC_MEMORY_DATA,
  LAC_N_MEMORY_PARTS
} LacMemoryPart;

/* Bytes of one owner; zero at first, and a member of the owner. */
typedef struct {
  gsize bytes[LAC_N_MEMORY_PARTS];
} LacMemoryClaim;

/* Adds to the claim. */
void lac_memory_claim(LacMemoryClaim *claim, LacMemoryPart part, gsize n_bytes);
/* Ends the claim: its buffers are freed. */
void lac_memory_unclaim(LacMemoryClaim *claim);

/* Returns the bytes claimed at present, in memory of the processor or of a device. */
gsize       lac_memory_part_get_bytes(LacMemoryPart part);
const char *lac_memory_part_get_key(LacMemoryPart part);
const char *lac_memory_part_get_name(LacMemoryPart part); /* translatable: "parameters" */

G_END_DECLS
