/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel of the strict backend is about to read and write, and what of that a device would not bear: an address that is not
 * memory of it, memory that nobody has written, operands that lie on one another, what another thread's kernel works on. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

/* Turns an address into one that the processor refuses to follow, and back. */
#if UINTPTR_MAX > 0xffffffffu
#  define LAC_STRICT_TAG ((uintptr_t) 1 << 62)
#else
#  define LAC_STRICT_TAG ((uintptr_t) 0)
#endif

#define LAC_STRICT_POISON 0xff /* repeated, a NaN of either type that no arithmetic gives */
#define LAC_STRICT_RANGES 16   /* of a call at most */

typedef struct _LacStrict LacStrict;

typedef enum {
  LAC_STRICT_PASSES_BY = 0, /* read, though it may look as if nobody had written it */
  LAC_STRICT_READS = 1 << 0,
  LAC_STRICT_WRITES = 1 << 1,
  LAC_STRICT_UPDATES = LAC_STRICT_READS | LAC_STRICT_WRITES,
  LAC_STRICT_SPOILS =
    1 << 2, /* written, though by no meaning: what it holds before may be anything */
} LacStrictUse;

/* Rows of @width bytes, @stride apart; a single row where it is all in one piece. */
typedef struct {
  uintptr_t    first;
  size_t       n_rows, stride, width, word; /* bytes of a number */
  LacStrictUse use;
} LacStrictRange;

/* A pointer among the arguments of a call. */
typedef struct {
  const void *asked; /* as it was given */
  void              *
    real; /* the pointer that the device below is given: the processor's address; NULL where not needed */
  gboolean       is_needed; /* may not be NULL then */
  gboolean       is_host;   /* memory of the host: has no range */
  ptrdiff_t      ahead;     /* bytes from the pointer to where the range begins */
  LacStrictRange range;     /* its `first` is found by the check */
} LacStrictOperand;

typedef struct _LacStrictCheck LacStrictCheck;
struct _LacStrictCheck {
  LacStrict      *strict;
  LacStatus       status;   /* the first that is wrong */
  gboolean        in_place; /* an operand may be written over by another that lies exactly there */
  gboolean        is_alone; /* no other call of its kind may run meanwhile */
  guint           n_ranges;
  LacStrictRange  ranges[LAC_STRICT_RANGES];
  LacStrictCheck *next; /* of the calls that run */
};

LacStrictCheck lac_strict_check_begin(void *self);
/* The same for what one thread may ask at a time. */
LacStrictCheck lac_strict_check_begin_alone(void *self);

/* Memory that the call reads to know what else it will read: the processor's address, NULL where it is wrong or where the call is
 * refused already. */
const void *lac_strict_look(LacStrictCheck *check, const void *pointer, size_t n_bytes);

/* Checks the operands against the device's memory, one another and the calls that run, and fills in their real pointers. A call
 * counts as running until lac_strict_check_finish(), a refused one not at all. */
LacStatus
lac_strict_check_run(LacStrictCheck *check, const LacStrictOperand *operands, size_t n_operands);
/* Ends the call once its kernel has returned @status and run to its end. */
LacStatus lac_strict_check_finish(LacStrictCheck *check, LacStatus status);

/* Whether the bytes are memory of the device, and nothing else about them. */
void *lac_strict_translate(LacStrict *strict, const void *pointer, size_t n_bytes);
