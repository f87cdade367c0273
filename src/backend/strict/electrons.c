/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers of electrons of the strict backend; their rows are in operands.def. */
#include "backend/strict/operands.h"

#define ELECTRONS(strict) ((strict)->below.table->electrons)

typedef struct {
  LacElectronBatch batch;
  LacElectronShape shape;
} Pack;

static void forget_LacElectronBatch(LacElectronBatch *batch);

static void
forget_Pack(Pack *pack)
{
  forget_LacElectronBatch(&pack->batch);
  pack->batch.shape = &pack->shape;
}

#undef NUMBER
#define NUMBER lac_type_size(b->type)
#define BATCH(condition, member, n, word, use) \
  LAC_STRICT_OPERAND(b->member, batch.member, condition, 0, n, word, use)

#define RUN(name, Args, may_be_in_place, call, rows) \
  LAC_STRICT_RUN(name, Args, lac_strict_check_begin_alone, may_be_in_place, call, rows)

/* A call holds copies of everything it points to, so that it can be recorded. */
#define KERNEL(name, Args, may_be_in_place, rows)                                              \
  typedef struct {                                                                             \
    LacElectronBatch batch;                                                                    \
    LacElectronShape shape;                                                                    \
    Args             args;                                                                     \
  } Call_##name;                                                                               \
                                                                                               \
  static LacStatus run_##name(void *self, const void *args)                                    \
  {                                                                                            \
    const LacDevice                      *below = &((LacStrict *) self)->below;                \
    Call_##name                           asked = *(const Call_##name *) args;                 \
    const Args                           *a = &asked.args;                                     \
    G_GNUC_UNUSED const LacElectronBatch *b = &asked.batch;                                    \
    LacStrictCheck                        check = lac_strict_check_begin_alone(self);          \
    LacElectronBatch                      batch;                                               \
    Args                                  real = *a;                                           \
    LacStatus                             status;                                              \
                                                                                               \
    asked.batch.shape = &asked.shape;                                                          \
    batch = asked.batch;                                                                       \
    check.in_place = may_be_in_place;                                                          \
    forget_LacElectronBatch(&batch);                                                           \
    forget_##Args(&real);                                                                      \
    {                                                                                          \
      const LacStrictOperand operands[] = {rows};                                              \
                                                                                               \
      status = lac_strict_check_run(&check, operands, G_N_ELEMENTS(operands));                 \
    }                                                                                          \
    if (status != LAC_STATUS_OK)                                                               \
      return status;                                                                           \
    return lac_strict_check_finish(&check,                                                     \
                                   below->table->electrons->name(below->self, &batch, &real)); \
  }                                                                                            \
                                                                                               \
  static LacStatus strict_##name(void *self, const LacElectronBatch *batch, const Args *args)  \
  {                                                                                            \
    LacRecordedSteps *recording = ((LacStrict *) self)->recording;                             \
    const Call_##name call = {*batch, *batch->shape, *args};                                   \
                                                                                               \
    if (!recording)                                                                            \
      return run_##name(self, &call);                                                          \
    lac_recorded_steps_add(recording, run_##name, &call, sizeof call, 0);                      \
    return LAC_STATUS_OK;                                                                      \
  }

#define LAC_STRICT_ELECTRONS
#include "backend/strict/operands.def"

static LacStatus
strict_pack(void *self, const LacElectronBatch *batch)
{
  LacRecordedSteps *recording = ((LacStrict *) self)->recording;
  const Pack        pack = {*batch, *batch->shape};

  if (!recording)
    return run_pack(self, &pack);
  lac_recorded_steps_add(recording, run_pack, &pack, sizeof pack, 0);
  return LAC_STATUS_OK;
}

static size_t
strict_bytes(void *self, const LacElectronBatch *batch, LacElectronArea area)
{
  const LacStrict *strict = self;
  LacElectronBatch real = *batch;

  forget_LacElectronBatch(&real);
  return ELECTRONS(strict)->bytes(strict->below.self, &real, area);
}

static LacStatus
strict_solve(void *self, const LacElectronSolve *args)
{
  return ((LacStrict *) self)->recording ? LAC_STATUS_RECORDING : run_solve(self, args);
}

const LacDeviceElectrons lac_strict_electrons = {
#define K(name, Args) .name = strict_##name,
  LAC_ELECTRON_KERNELS(K)
#undef K
    .bytes = strict_bytes,
  .pack = strict_pack,
  .factors = strict_factors,
  .solve = strict_solve,
};
