/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers of electrons of the strict backend, over a device that has kernels for them: each says what it reads and writes. */
#include "backend/strict/see.h"

#define ELECTRONS(strict) ((strict)->below.table->electrons)

/* What the kernels of most tasks read, and their work area, of which nothing is known. */
static void
see_walkers(LacStrictCheck *check, LacElectronBatch *a, LacElectronTaskKind kind)
{
  const LacElectronShape *shape = a->shape;
  const size_t n_work = ELECTRONS(check->strict)->work_bytes(check->strict->below.self, a, kind);

  DOUBLES(nuclei, 3 * shape->n_nuclei, READS);
  DOUBLES(theta, shape->n_params, READS);
  SEE(weights, shape->n_params, READS);
  a->work = n_work ? lac_strict_see(check, a->work, n_work, 1, LAC_STRICT_SPOILS) : NULL;
}

static size_t
n_coordinates(const LacElectronBatch *a)
{
  return 3 * a->shape->n_electrons * a->n;
}

static size_t
n_orbitals(const LacElectronBatch *a)
{
  return a->n * a->shape->n_determinants * a->shape->n_electrons * a->shape->n_electrons;
}

static LacElectronBatch
bare(const LacElectronBatch *batch)
{
  return (LacElectronBatch){.type = batch->type, .shape = batch->shape, .n = batch->n};
}

/* Within the functions below: `b` is the batch, `a` what else was asked. */
static void
see_positions(LacStrictCheck *check, LacElectronBatch *a)
{
  DOUBLES(positions, n_coordinates(a), READS);
}

static void
see_signs(LacStrictCheck *check, size_t n, double **log_abs, int8_t **sign)
{
  if (*log_abs)
    *log_abs =
      lac_strict_see(check, *log_abs, n * sizeof **log_abs, sizeof **log_abs, LAC_STRICT_WRITES);
  if (*sign)
    *sign = lac_strict_see(check, *sign, n, 1, LAC_STRICT_WRITES);
}

static void
see_value(LacStrictCheck *check, LacElectronBatch *b, LacElectronAnswer *a)
{
  see_walkers(check, b, LAC_ELECTRON_VALUE);
  see_positions(check, b);
  see_signs(check, b->n, &a->log_abs, &a->sign);
  a->gradient = a->kinetic = NULL;
}

static void
see_local(LacStrictCheck *check, LacElectronBatch *b, LacElectronAnswer *a)
{
  see_walkers(check, b, LAC_ELECTRON_LOCAL);
  see_positions(check, b);
  see_signs(check, b->n, &a->log_abs, &a->sign);
  MAY_DOUBLES(gradient, n_coordinates(b), WRITES);
  MAY_DOUBLES(kinetic, b->n, WRITES);
}

static void
see_move(LacStrictCheck *check, LacElectronBatch *b, LacElectronMoves *a)
{
  see_walkers(check, b, a->gradient ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE);
  b->positions = NULL;
  DOUBLES(positions, n_coordinates(b), UPDATES);
  DOUBLES(log_abs, b->n, UPDATES);
  MAY_DOUBLES(gradient, n_coordinates(b), UPDATES);
  MAY_DOUBLES(walk, LAC_N_WALK, READS);
  LAC_SEE_AS(uint32_t, accepted, b->n, WRITES);
}

static void
see_orbitals(LacStrictCheck *check, LacElectronBatch *b, LacElectronOrbitals *a)
{
  see_walkers(check, b, LAC_ELECTRON_VALUE);
  see_positions(check, b);
  DOUBLES(phi, n_orbitals(b), WRITES);
}

static void
see_derivatives(LacStrictCheck *check, LacElectronBatch *b, LacElectronTape *a)
{
  const size_t word = lac_type_size(b->type);

  see_walkers(check, b, LAC_ELECTRON_DERIVATIVES);
  see_positions(check, b);
  a->o = lac_strict_see(check, a->o, b->n * b->shape->n_params * word, word, LAC_STRICT_WRITES);
  MAY_DOUBLES(phi_bar, n_orbitals(b), READS);
  see_signs(check, b->n, &a->log_abs, &a->sign);
}

static void
see_rows(LacStrictCheck *check, LacElectronBatch *b, LacElectronContraction *a)
{
  const size_t word = lac_type_size(b->type);

  *b = bare(b);
  a->o = lac_strict_see(check, a->o, b->n * b->shape->n_params * word, word, LAC_STRICT_READS);
}

static void
see_pull(LacStrictCheck *check, LacElectronBatch *b, LacElectronContraction *a)
{
  see_rows(check, b, a);
  MAY_DOUBLES(left, b->n, READS);
  DOUBLES(right, b->shape->n_params, WRITES);
  a->work = NULL;
}

static void
see_push(LacStrictCheck *check, LacElectronBatch *b, LacElectronContraction *a)
{
  see_rows(check, b, a);
  DOUBLES(left, b->shape->n_params, READS);
  DOUBLES(right, b->n, WRITES);
  a->work = NULL;
}

static void
see_gram(LacStrictCheck *check, LacElectronBatch *b, LacElectronContraction *a)
{
  const size_t word = lac_type_size(b->type), n = b->n * b->n;

  see_rows(check, b, a);
  a->left = NULL;
  DOUBLES(right, n, WRITES);
  a->work = lac_strict_see(check, a->work, n * word, word, LAC_STRICT_SPOILS);
}

/* ---- what an iteration needs beside ---- */

/* Numbers @first to @last of what it says of itself. */
static void
see_told(LacStrictCheck *check,
         double        **told,
         LacElectronTold first,
         LacElectronTold last,
         LacStrictUse    use)
{
  const size_t n = (size_t) (last - first) + 1;
  double      *real = lac_strict_see(check, *told + first, n * sizeof *real, sizeof *real, use);

  *told = real ? real - first : NULL;
}

static void
see_adapt(LacStrictCheck *check, LacElectronBatch *b, LacElectronAdapt *a)
{
  *b = bare(b);
  LAC_SEE_AS(uint32_t, accepted, b->n, READS);
  DOUBLES(walk, LAC_N_WALK, UPDATES);
  see_told(check, &a->told, LAC_TOLD_ACCEPTANCE, LAC_TOLD_WIDTH, LAC_STRICT_WRITES);
}

static void
see_nuclei(LacStrictCheck *check, LacElectronBatch *a)
{
  DOUBLES(nuclei, 3 * a->shape->n_nuclei, READS);
}

static void
see_energies(LacStrictCheck *check, LacElectronBatch *b, LacElectronEnergies *a)
{
  const LacElectronBatch all = *b;

  *b = bare(&all);
  b->nuclei = all.nuclei;
  b->positions = all.positions;
  see_nuclei(check, b);
  see_positions(check, b);
  DOUBLES(kinetic, b->n, READS);
  DOUBLES(charges, b->shape->n_nuclei, READS);
  DOUBLES(energies, b->n, WRITES);
}

static void
see_clip(LacStrictCheck *check, LacElectronBatch *b, LacElectronClip *a)
{
  *b = bare(b);
  DOUBLES(energies, b->n, READS);
  DOUBLES(sorted, b->n, SPOILS);
  DOUBLES(clipped, b->n, WRITES);
  see_told(check, &a->told, LAC_TOLD_N_GOOD, LAC_TOLD_VARIANCE, LAC_STRICT_WRITES);
}

static void
see_reseed(LacStrictCheck *check, LacElectronBatch *b, LacElectronReseed *a)
{
  *b = bare(b);
  DOUBLES(energies, b->n, READS);
  DOUBLES(positions, n_coordinates(b), UPDATES);
  DOUBLES(log_abs, b->n, UPDATES);
  MAY_DOUBLES(gradient, n_coordinates(b), UPDATES);
}

static void
see_centre(LacStrictCheck *check, LacElectronBatch *b, LacElectronCentre *a)
{
  *b = bare(b);
  MAY_DOUBLES(add, b->n, READS);
  MAY_DOUBLES(factor, 1, READS);
  DOUBLES(y, b->n, UPDATES);
}

static void
see_remember(LacStrictCheck *check, LacElectronBatch *b, LacElectronKept *a)
{
  const size_t n = b->shape->n_params;

  *b = bare(b);
  DOUBLES(theta, n, READS);
  DOUBLES(theta_before, n, UPDATES);
  DOUBLES(memory, a->n_memory, READS);
  DOUBLES(memory_before, a->n_memory, UPDATES);
  a->theta_sum = NULL;
  a->length = a->knobs = NULL;
  a->info = NULL;
  see_told(check, &a->told, LAC_TOLD_N_GOOD, LAC_TOLD_N_GOOD, LAC_STRICT_READS);
}

static void
see_conclude(LacStrictCheck *check, LacElectronBatch *b, LacElectronKept *a)
{
  const size_t n = b->shape->n_params;

  *b = bare(b);
  DOUBLES(theta, n, UPDATES);
  DOUBLES(theta_before, n, READS);
  DOUBLES(theta_sum, n, UPDATES);
  DOUBLES(memory, a->n_memory, UPDATES);
  DOUBLES(memory_before, a->n_memory, READS);
  DOUBLES(length, 1, READS);
  DOUBLES(knobs, LAC_N_KNOBS, READS);
  if (a->info)
    LAC_SEE_AS(int, info, 2, READS);
  see_told(check, &a->told, LAC_TOLD_N_GOOD, LAC_TOLD_RESTORED, LAC_STRICT_UPDATES);
}

static void
see_count(LacStrictCheck *check, LacElectronBatch *b, LacElectronCount *a)
{
  *b = bare(b);
  DOUBLES(knobs, LAC_N_KNOBS, READS);
  DOUBLES(updates, 1, UPDATES);
  DOUBLES(numbers, 3, WRITES);
}

static void
see_descend(LacStrictCheck *check, LacElectronBatch *b, LacElectronDescend *a)
{
  const size_t n = b->shape->n_params;

  *b = bare(b);
  DOUBLES(step, n, READS);
  DOUBLES(length, 1, READS);
  DOUBLES(knobs, LAC_N_KNOBS, READS);
  DOUBLES(last, n, WRITES);
  DOUBLES(theta, n, UPDATES);
}

/* A call with copies of all that it points to, so that it can be noted down. */
#define K(name, Args)                                                                         \
  typedef struct {                                                                            \
    LacElectronBatch batch;                                                                   \
    LacElectronShape shape;                                                                   \
    Args             args;                                                                    \
  } Call_##name;                                                                              \
                                                                                              \
  static LacStatus run_##name(void *self, const void *args)                                   \
  {                                                                                           \
    const LacStrict *strict = self;                                                           \
    Call_##name      call = *(const Call_##name *) args;                                      \
    LacStrictCheck   check = lac_strict_check_begin_alone(self);                              \
    LacStatus        status;                                                                  \
                                                                                              \
    call.batch.shape = &call.shape;                                                           \
    see_##name(&check, &call.batch, &call.args);                                              \
    status = lac_strict_check_run(&check);                                                    \
    if (status != LAC_STATUS_OK)                                                              \
      return status;                                                                          \
    return lac_strict_check_finish(                                                           \
      &check, ELECTRONS(strict)->name(strict->below.self, &call.batch, &call.args));          \
  }                                                                                           \
                                                                                              \
  static LacStatus strict_##name(void *self, const LacElectronBatch *batch, const Args *args) \
  {                                                                                           \
    LacRecordedSteps *recording = ((LacStrict *) self)->recording;                            \
    const Call_##name call = {*batch, *batch->shape, *args};                                  \
                                                                                              \
    if (!recording)                                                                           \
      return run_##name(self, &call);                                                         \
    lac_recorded_steps_add(recording, run_##name, &call, sizeof call, 0);                     \
    return LAC_STATUS_OK;                                                                     \
  }
LAC_ELECTRON_KERNELS(K)
#undef K

typedef struct {
  LacElectronBatch batch;
  LacElectronShape shape;
} Pack;

static void
see_pack(LacStrictCheck *check, LacElectronBatch *a)
{
  const LacElectronBatch all = *a;

  *a = bare(&all);
  a->theta = all.theta;
  a->weights = all.weights;
  DOUBLES(theta, a->shape->n_params, READS);
  SEE(weights, a->shape->n_params, WRITES);
}

static LacStatus
run_pack(void *self, const void *args)
{
  const LacStrict *strict = self;
  Pack             pack = *(const Pack *) args;
  LacStrictCheck   check = lac_strict_check_begin_alone(self);
  LacStatus        status;

  pack.batch.shape = &pack.shape;
  see_pack(&check, &pack.batch);
  status = lac_strict_check_run(&check);
  if (status != LAC_STATUS_OK)
    return status;
  return lac_strict_check_finish(&check, ELECTRONS(strict)->pack(strict->below.self, &pack.batch));
}

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
strict_work_bytes(void *self, const LacElectronBatch *batch, LacElectronTaskKind kind)
{
  const LacStrict       *strict = self;
  const LacElectronBatch real = bare(batch);

  return ELECTRONS(strict)->work_bytes(strict->below.self, &real, kind);
}

static size_t
strict_solve_bytes(void *self, size_t n)
{
  const LacStrict *strict = self;

  return ELECTRONS(strict)->solve_bytes(strict->below.self, n);
}

static void
see_solve(LacStrictCheck *check, LacElectronSolve *a)
{
  const LacStrict *strict = check->strict;
  const size_t     n_work = ELECTRONS(strict)->solve_bytes(strict->below.self, a->n);

  DOUBLES(gram, a->n * a->n, UPDATES);
  DOUBLES(right, a->n, UPDATES);
  MAY_DOUBLES(at, 1, READS);
  if (a->info)
    LAC_SEE_AS(int, info, 2, WRITES);
  a->work = lac_strict_see(check, a->work, n_work, 1, LAC_STRICT_SPOILS);
}
LAC_STRICT_RUN(solve, LacElectronSolve, electrons->, lac_strict_check_begin_alone)

static LacStatus
strict_solve(void *self, const LacElectronSolve *args)
{
  return ((LacStrict *) self)->recording ? LAC_STATUS_RECORDING : run_solve(self, args);
}

const LacDeviceElectrons lac_strict_electrons = {
#define K(name, Args) .name = strict_##name,
  LAC_ELECTRON_KERNELS(K)
#undef K
    .work_bytes = strict_work_bytes,
  .pack = strict_pack,
  .solve_bytes = strict_solve_bytes,
  .solve = strict_solve,
};
