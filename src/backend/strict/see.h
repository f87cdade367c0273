/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a kernel of the strict backend says what it reads and writes, and what is then done for it. */
#pragma once

#include "backend/strict/strict-private.h"

/* Within a function see_NAME(check, a): `a` is the copy of the arguments that goes to the device below. A member that the kernel
 * has no business with becomes NULL. */
#define LAC_SEE_AS(Type, member, n, use) \
  a->member = lac_strict_see(check, a->member, (n) * sizeof(Type), sizeof(Type), LAC_STRICT_##use)
#define SEE(member, n, use)                                                 \
  a->member = lac_strict_see(check, a->member, (n) *lac_type_size(a->type), \
                             lac_type_size(a->type), LAC_STRICT_##use)
#define MAY(member, n, use) \
  if (a->member)            \
  SEE(member, n, use)
#define DOUBLES(member, n, use) LAC_SEE_AS(double, member, n, use)
#define MAY_DOUBLES(member, n, use) \
  if (a->member)                    \
  DOUBLES(member, n, use)

/* run_NAME checks a call, then asks PART of the device below: nothing for its table, or planes-> or waves->. `begin`: how its
 * check begins. */
#define LAC_STRICT_RUN(name, Args, PART, begin)                                          \
  static LacStatus run_##name(void *self, const void *args)                              \
  {                                                                                      \
    const LacDevice *below = &((LacStrict *) self)->below;                               \
    Args             real = *(const Args *) args;                                        \
    LacStrictCheck   check = begin(self);                                                \
    LacStatus        status;                                                             \
                                                                                         \
    see_##name(&check, &real);                                                           \
    status = lac_strict_check_run(&check);                                               \
    if (status != LAC_STATUS_OK)                                                         \
      return status;                                                                     \
    return lac_strict_check_finish(&check, below->table->PART name(below->self, &real)); \
  }

/* The entry of a part's table, of which one thread asks at a time; while a step is recorded a call is noted down. */
#define LAC_STRICT_PART(name, Args, PART)                                 \
  LAC_STRICT_RUN(name, Args, PART, lac_strict_check_begin_alone)          \
                                                                          \
  static LacStatus strict_##name(void *self, const Args *args)            \
  {                                                                       \
    LacRecordedSteps *recording = ((LacStrict *) self)->recording;        \
                                                                          \
    if (!recording)                                                       \
      return run_##name(self, args);                                      \
    lac_recorded_steps_add(recording, run_##name, args, sizeof *args, 0); \
    return LAC_STATUS_OK;                                                 \
  }
