/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Macros that generate a kernel's check and table entry from its rows in operands.def. A file that includes
 * operands.def defines its own KERNEL. */
#pragma once

#include "backend/strict/strict-private.h"

#define READS     LAC_STRICT_READS
#define WRITES    LAC_STRICT_WRITES
#define UPDATES   LAC_STRICT_UPDATES
#define SPOILS    LAC_STRICT_SPOILS
#define PASSES_BY LAC_STRICT_PASSES_BY

#define NUMBER lac_type_size(a->type)
#define DOUBLE sizeof(double)
#define BYTE   1

#define IN_PLACE TRUE
#define APART    FALSE

#define P(member) a->member = NULL;
#define POINTERS(Args, pointers)     \
  static void forget_##Args(Args *a) \
  {                                  \
    pointers                         \
  }

#define LAC_STRICT_OPERAND(at, to, condition, first, n, bytes, how) \
  {.asked = (at),                                                   \
   .real = &(to),                                                   \
   .is_needed = (condition) != 0,                                   \
   .ahead = (ptrdiff_t) (first) * (ptrdiff_t) (bytes),              \
   .range = {.n_rows = 1, .width = (n) * (size_t) (bytes), .word = (bytes), .use = (how)}},

#define IF(condition, member, n, word, use) \
  LAC_STRICT_OPERAND(a->member, real.member, condition, 0, n, word, use)
#define ROW(member, n, word, use) IF(TRUE, member, n, word, use)
#define MAY(member, n, word, use) IF(a->member, member, n, word, use)
#define FROM(member, ahead, n, word, use) \
  LAC_STRICT_OPERAND(a->member, real.member, TRUE, ahead, n, word, use)
#define HOST(condition, member) \
  {.asked = a->member, .real = &real.member, .is_needed = (condition) != 0, .is_host = TRUE},

/* Defines run_NAME, which checks a call by its rows and then calls the underlying device; `begin`: the function that
 * begins the check. */
#define LAC_STRICT_RUN(name, Args, begin, may_be_in_place, call, ...)                \
  static LacStatus run_##name(void *self, const void *args)                          \
  {                                                                                  \
    const LacDevice *below = &((LacStrict *) self)->below;                           \
    const Args      *a = args;                                                       \
    Args             real = *a;                                                      \
    LacStrictCheck   check = begin(self);                                            \
    LacStatus        status;                                                         \
                                                                                     \
    check.in_place = may_be_in_place;                                                \
    forget_##Args(&real);                                                            \
    {                                                                                \
      const LacStrictOperand operands[] = {__VA_ARGS__};                             \
                                                                                     \
      status = lac_strict_check_run(&check, operands, G_N_ELEMENTS(operands));       \
    }                                                                                \
    return status == LAC_STATUS_OK ? lac_strict_check_finish(&check, call) : status; \
  }

/* Defines the check of a kernel in one part of the table, called by one thread at a time, and its table entry. While
 * a step is recorded, the entry only records the call. */
#define LAC_STRICT_PART(part, name, Args, may_be_in_place, ...)             \
  LAC_STRICT_RUN(name, Args, lac_strict_check_begin_alone, may_be_in_place, \
                 below->table->part->name(below->self, &real), __VA_ARGS__) \
                                                                            \
  static LacStatus strict_##name(void *self, const Args *args)              \
  {                                                                         \
    LacRecordedSteps *recording = ((LacStrict *) self)->recording;          \
                                                                            \
    if (!recording)                                                         \
      return run_##name(self, args);                                        \
    lac_recorded_steps_add(recording, run_##name, args, sizeof *args, 0);   \
    return LAC_STATUS_OK;                                                   \
  }
