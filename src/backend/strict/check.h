/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access checks of the strict backend before each kernel call: addresses outside its memory, reads of unwritten
 * memory, overlapping operands, and conflicts with kernels of other threads. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

/* Bit that marks an address as device memory: host code that dereferences a tagged address faults. */
#if UINTPTR_MAX > 0xffffffffu
#  define LAC_STRICT_TAG ((uintptr_t) 1 << 62)
#else
#  define LAC_STRICT_TAG ((uintptr_t) 0)
#endif

#define LAC_STRICT_POISON \
  0xff /* fill byte of unwritten memory; repeated, it is a NaN of either type that no arithmetic produces */
#define LAC_STRICT_RANGES 16 /* maximum number of ranges per call */

typedef struct _LacStrict LacStrict;

typedef enum {
  LAC_STRICT_PASSES_BY = 0, /* read, with the check for unwritten memory disabled */
  LAC_STRICT_READS = 1 << 0,
  LAC_STRICT_WRITES = 1 << 1,
  LAC_STRICT_UPDATES = LAC_STRICT_READS | LAC_STRICT_WRITES,
  LAC_STRICT_SPOILS = 1 << 2, /* overwritten as scratch: its previous content does not matter */
} LacStrictUse;

/* Rows of @width bytes, @stride apart; a single row when contiguous. */
typedef struct {
  uintptr_t    first;
  size_t       n_rows, stride, width, word; /* bytes of an element */
  LacStrictUse use;
} LacStrictRange;

/* A pointer argument of a call. */
typedef struct {
  const void *asked; /* pointer as passed */
  void              *
    real; /* pointer passed on to the underlying device: an address in host memory; NULL if not needed */
  gboolean       is_needed; /* TRUE when the pointer must not be NULL */
  gboolean       is_host;   /* TRUE for a pointer to host memory: no range is checked */
  ptrdiff_t      ahead;     /* offset in bytes from the pointer to the range */
  LacStrictRange range;     /* memory accessed; the check sets its `first` */
} LacStrictOperand;

typedef struct _LacStrictCheck LacStrictCheck;
struct _LacStrictCheck {
  LacStrict *strict;
  LacStatus  status; /* the first error */
  gboolean in_place; /* an operand may be overwritten by another one at exactly the same address */
  gboolean
    is_alone; /* TRUE while the check blocks other calls that only one thread may make at a time */
  guint           n_ranges;
  LacStrictRange  ranges[LAC_STRICT_RANGES];
  LacStrictCheck *next; /* list of running calls */
};

LacStrictCheck lac_strict_check_begin(void *self);
/* Begins the check of a call that only one thread may make at a time; refuses the call while another such call is
 * running. */
LacStrictCheck lac_strict_check_begin_alone(void *self);

/* Returns the host address of device memory that must be read to find out what else the call accesses; NULL when the
 * memory is invalid or the call was already refused. */
const void *lac_strict_look(LacStrictCheck *check, const void *pointer, size_t n_bytes);

/* Checks the operands against the device's memory, against one another and against the running calls, and sets their
 * `real` pointers. An accepted call counts as running until lac_strict_check_finish(); a refused one never does. */
LacStatus
lac_strict_check_run(LacStrictCheck *check, const LacStrictOperand *operands, size_t n_operands);
/* Ends the call after its kernel has completed with @status. */
LacStatus lac_strict_check_finish(LacStrictCheck *check, LacStatus status);

/* Returns the host address of @n_bytes of device memory. Checks only that they lie in an allocation. */
void *lac_strict_translate(LacStrict *strict, const void *pointer, size_t n_bytes);
