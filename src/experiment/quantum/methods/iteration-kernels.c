/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of an iteration, on data that stays on the device. */
#include "backend/electron-moves.h"
#include "experiment/quantum/methods/iteration-private.h"

#include <math.h>
#include <string.h>

static double *
gradient_of(const LacIteration *self)
{
  return self->at.gradient ? self->numbers + self->at.gradient : NULL;
}

typedef struct {
  LacSpan span;
  double  flops;
} Psi;

/* Begins an operation of psi on @n walkers: its span, on a device that computes within the call; else its times on the
 * device. @as: operation by which the floating-point operations are counted */
static Psi
begin(LacIteration *self, LacWavefunctionOperation operation, LacWavefunctionOperation as, gsize n)
{
  LacWavefunction *wave = self->settings.wave;

  if (!wave->lane)
    return (Psi){{0}, 0};
  const double             flops = lac_wavefunction_find_flops(wave, as, (double) n);
  const LacDeviceOperation times = {
    .name = self->spans.psi_of_device[operation], .flops = flops, .memory = -1};

  lac_device_times_mark(lac_recorded_step_get_times(self->running), &times);
  return (Psi){self->spans.lane ? lac_wavefunction_begin(wave, operation) : (LacSpan){0}, flops};
}

static void
end(LacIteration *self, Psi psi)
{
  if (self->spans.lane)
    lac_wavefunction_end(self->settings.wave, psi.span, psi.flops);
  lac_iteration_mark(self);
}

/* Launches one kernel over the walkers of the batch. */
#define CALL(self, kernel, batch, ...) \
  ((self)->on->kernels->kernel((self)->on->device.self, (batch), __VA_ARGS__))

static LacStatus
move(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);
  LacElectronMoves       moves = self->settings.moves;

  moves.walk = self->numbers + self->at.walkers;
  moves.positions = self->numbers + self->at.positions;
  moves.log_abs = self->numbers + self->at.log_abs;
  moves.gradient = gradient_of(self);
  moves.accepted = self->on->accepted.memory;
  const Psi psi =
    begin(self, LAC_WAVEFUNCTION_MOVE,
          lac_iteration_drifts(self) ? LAC_WAVEFUNCTION_LOCAL : LAC_WAVEFUNCTION_VALUE,
          moves.n_moves * batch.n);
  const LacStatus status = CALL(self, move, &batch, &moves);

  end(self, psi);
  return status;
}

static LacStatus
adapt(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);
  const LacElectronAdapt args = {
    .accepted = self->on->accepted.memory,
    .n_moves = self->settings.moves.n_moves,
    .target = lac_iteration_drifts(self) ? LAC_ACCEPTANCE_DRIFT : LAC_ACCEPTANCE,
    .gain = self->settings.gain,
    .walk = self->numbers + self->at.walkers,
    .reported = self->numbers + self->at.reported,
  };

  return CALL(self, adapt, &batch, &args);
}

static LacStatus
find_energies(LacIteration *self)
{
  const LacElectronBatch    batch = lac_iteration_batch(self);
  const LacElectronAnswer   answer = {.kinetic = self->on->kinetic.memory};
  const LacElectronEnergies energies = {
    .kinetic = answer.kinetic,
    .charges = self->numbers + self->at.charges,
    .repulsion = lac_molecule_get_repulsion(lac_wavefunction_get_molecule(self->settings.wave)),
    .energies = self->numbers + self->at.energies,
  };
  const Psi       psi = begin(self, LAC_WAVEFUNCTION_LOCAL, LAC_WAVEFUNCTION_LOCAL, batch.n);
  const LacStatus status = CALL(self, local, &batch, &answer);

  end(self, psi);
  return status == LAC_STATUS_OK ? CALL(self, energies, &batch, &energies) : status;
}

static LacStatus
clip(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);
  const LacElectronClip  args = {
     .energies = self->numbers + self->at.energies,
     .width = self->settings.clip,
     .sorted = self->numbers + self->at.sorted,
     .clipped = self->numbers + self->at.clipped,
     .reported = self->numbers + self->at.reported,
  };

  return CALL(self, clip, &batch, &args);
}

/* Computes y = alpha scale x + beta y, vectors of @n. */
static LacStatus
combine(LacIteration *self, gsize n, LacStrided args)
{
  const LacDevice *device = &self->on->device;

  args.type = LAC_F64;
  args.n_rows = 1;
  args.n_columns = n;
  return device->table->strided(device->self, &args);
}

/* Copies the positions for display as they were when the energies were computed. */
static LacStatus
show(LacIteration *self)
{
  return combine(self, self->n_coordinates,
                 (LacStrided){.alpha = 1,
                              .x = self->numbers + self->at.positions,
                              .y = self->numbers + self->at.shown});
}

static LacStatus
reseed(LacIteration *self)
{
  const LacElectronBatch  batch = lac_iteration_batch(self);
  const LacElectronReseed args = {
    .energies = self->numbers + self->at.energies,
    .positions = self->numbers + self->at.positions,
    .log_abs = self->numbers + self->at.log_abs,
    .gradient = gradient_of(self),
  };

  return CALL(self, reseed, &batch, &args);
}

static LacElectronKept
kept_of(const LacIteration *self)
{
  const LacIterationLayout *at = &self->at;

  return (LacElectronKept){
    .n_memory = self->settings.n_memory,
    .most_bad = self->settings.most_bad,
    .theta = self->on->theta.memory,
    .theta_before = self->numbers + at->theta_before,
    .theta_sum = self->numbers + at->theta_sum,
    .memory = self->numbers + at->memory,
    .memory_before = self->numbers + at->memory_before,
    .length = self->numbers + at->length,
    .tunables = self->numbers + at->tunables,
    .info =
      self->settings.update.kind == LAC_UPDATE_ADAM ? NULL : (int *) (self->numbers + at->info),
    .reported = self->numbers + at->reported,
  };
}

static LacStatus
remember(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);
  const LacElectronKept  kept = kept_of(self);

  return CALL(self, remember, &batch, &kept);
}

static LacStatus
conclude(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);
  const LacElectronKept  kept = kept_of(self);

  return CALL(self, conclude, &batch, &kept);
}

/* Computes the sum of squares of the gradient, or of the step. */
static LacStatus
measure(LacIteration *self)
{
  const LacDevice *device = &self->on->device;
  const LacDot     args = {
        .type = LAC_F64,
        .n = self->n_params,
        .x = self->numbers + self->at.step,
        .sum = self->numbers + self->at.length,
  };
  const LacStatus status =
    device->table->fill(device->self, LAC_F64, self->numbers + self->at.length, 0, 1);

  return status == LAC_STATUS_OK ? device->table->dot(device->self, &args) : status;
}

/* Recomputes psi at the walkers. */
static LacStatus
refresh(LacIteration *self)
{
  const LacElectronBatch         batch = lac_iteration_batch(self);
  const LacElectronAnswer        answer = {.log_abs = self->numbers + self->at.log_abs,
                                           .sign = self->on->sign.memory,
                                           .gradient = gradient_of(self)};
  const LacWavefunctionOperation operation =
    answer.gradient ? LAC_WAVEFUNCTION_LOCAL : LAC_WAVEFUNCTION_VALUE;
  const Psi psi = begin(self, operation, operation, batch.n);
  LacStatus status = self->on->kernels->pack(self->on->device.self, &batch);

  if (status == LAC_STATUS_OK)
    status =
      answer.gradient ? CALL(self, local, &batch, &answer) : CALL(self, value, &batch, &answer);
  end(self, psi);
  return status;
}

static LacStatus
differentiate(LacIteration *self, const LacElectronBatch *batch)
{
  const LacElectronTape tape = {.o = self->on->o.memory};
  const Psi             psi = begin(self, LAC_WAVEFUNCTION_TAPE, LAC_WAVEFUNCTION_TAPE, batch->n);
  const LacStatus       status = CALL(self, derivatives, batch, &tape);

  end(self, psi);
  return status;
}

/* right = O^T left, over the walkers of the batch */
static LacStatus
pull(LacIteration *self, const LacElectronBatch *batch, const double *left, double *right)
{
  const LacElectronContraction args = {
    .o = self->on->o.memory, .left = left, .right = right, .work = self->on->work.memory};
  const Psi       psi = begin(self, LAC_WAVEFUNCTION_GRADIENT, LAC_WAVEFUNCTION_GRADIENT, batch->n);
  const LacStatus status = CALL(self, pull, batch, &args);

  end(self, psi);
  return status;
}

/* ---- Adam ---- */

/* Computes the gradient from @n walkers at a time, added in order. */
static LacStatus
find_gradient(LacIteration *self)
{
  const gsize n = self->settings.n_walkers, most = lac_iteration_at_once(self);
  const gsize width = self->n_coordinates / n;
  LacStatus   status = combine(self, n,
                               (LacStrided){.alpha = 2 / (double) n,
                                            .x = self->numbers + self->at.clipped,
                                            .y = self->numbers + self->at.right});

  for (gsize first = 0; first < n && status == LAC_STATUS_OK; first += most) {
    LacElectronBatch batch = lac_iteration_batch(self);
    double          *part = self->numbers + (first ? self->at.part : self->at.step);

    batch.n = MIN(most, n - first);
    batch.positions += first * width;
    status = differentiate(self, &batch);
    if (status == LAC_STATUS_OK)
      status = pull(self, &batch, self->numbers + self->at.right + first, part);
    if (status == LAC_STATUS_OK && first)
      status =
        combine(self, self->n_params,
                (LacStrided){.alpha = 1, .beta = 1, .x = part, .y = self->numbers + self->at.step});
  }
  return status;
}

static LacStatus
take_adam_step(LacIteration *self)
{
  const LacUpdate       *update = &self->settings.update;
  const LacDevice       *device = &self->on->device;
  const LacElectronBatch batch = lac_iteration_batch(self);
  double                *memory = self->numbers + self->at.memory;
  const LacElectronCount count = {
    .beta1 = update->beta1,
    .beta2 = update->beta2,
    .tunables = self->numbers + self->at.tunables,
    .updates = memory + update->places.updates,
    .numbers = self->numbers + self->at.numbers,
  };
  const LacAdam adam = {
    .type = LAC_F64,
    .n = self->n_params,
    .rate = 1,
    .beta1 = update->beta1,
    .beta2 = update->beta2,
    .epsilon = update->epsilon,
    .gradient = self->numbers + self->at.step,
    .m = memory + update->places.m,
    .v = memory + update->places.v,
    .theta = self->on->theta.memory,
    .numbers = count.numbers,
  };
  const LacStatus status = CALL(self, count, &batch, &count);

  return status == LAC_STATUS_OK ? device->table->adam(device->self, &adam) : status;
}

/* ---- SPRING ---- */

static LacStatus
find_derivatives(LacIteration *self)
{
  const LacElectronBatch batch = lac_iteration_batch(self);

  return differentiate(self, &batch);
}

static LacStatus
find_gram(LacIteration *self)
{
  const LacWavefunctionDevice *on = self->on;
  const LacElectronBatch       batch = lac_iteration_batch(self);
  const LacElectronContraction gram = {
    .o = on->o.memory, .work = on->work.memory, .right = on->gram.memory};
  const Psi       psi = begin(self, LAC_WAVEFUNCTION_GRAM, LAC_WAVEFUNCTION_GRAM, batch.n);
  const LacStatus status = CALL(self, gram, &batch, &gram);

  end(self, psi);
  return status;
}

/* Computes right = (clipped - mu O phi) / sqrt(n), O centred. */
static LacStatus
find_residual(LacIteration *self)
{
  const LacElectronBatch       batch = lac_iteration_batch(self);
  const LacElectronContraction push = {
    .o = self->on->o.memory,
    .left = self->numbers + self->at.memory,
    .right = self->numbers + self->at.right,
    .work = self->on->work.memory,
  };
  const LacElectronCentre centre = {
    .scale = 1 / sqrt((double) self->settings.n_walkers),
    .add = self->numbers + self->at.clipped,
    .factor = self->numbers + self->at.tunables + LAC_TUNABLE_MOMENTUM,
    .y = push.right,
  };
  const Psi       psi = begin(self, LAC_WAVEFUNCTION_APPLY, LAC_WAVEFUNCTION_APPLY, batch.n);
  const LacStatus status = CALL(self, push, &batch, &push);

  end(self, psi);
  return status == LAC_STATUS_OK ? CALL(self, centre, &batch, &centre) : status;
}

static LacStatus
solve(LacIteration *self)
{
  const LacWavefunctionDevice *on = self->on;
  const LacElectronSolve       args = {
          .n = self->settings.n_walkers,
          .at = self->numbers + self->at.tunables + LAC_TUNABLE_DAMPING,
          .gram = on->gram.memory,
          .right = self->numbers + self->at.right,
          .work = on->work.memory,
          .info = (int *) (self->numbers + self->at.info),
  };
  const Psi       psi = begin(self, LAC_WAVEFUNCTION_SOLVE, LAC_WAVEFUNCTION_SOLVE, args.n);
  const LacStatus status = on->kernels->solve(on->device.self, &args);

  end(self, psi);
  return status;
}

/* Computes step = O^T right / sqrt(n) + mu phi, right centred. */
static LacStatus
pull_back(LacIteration *self)
{
  const LacElectronBatch  batch = lac_iteration_batch(self);
  const LacElectronCentre centre = {
    .scale = 1 / sqrt((double) self->settings.n_walkers),
    .y = self->numbers + self->at.right,
  };
  double   *step = self->numbers + self->at.step;
  LacStatus status = CALL(self, centre, &batch, &centre);

  if (status == LAC_STATUS_OK)
    status = pull(self, &batch, centre.y, step);
  return status == LAC_STATUS_OK
           ? combine(self, self->n_params,
                     (LacStrided){.alpha = 1,
                                  .beta = 1,
                                  .scale = self->numbers + self->at.tunables + LAC_TUNABLE_MOMENTUM,
                                  .x = self->numbers + self->at.memory,
                                  .y = step})
           : status;
}

static LacStatus
descend(LacIteration *self)
{
  const LacElectronBatch   batch = lac_iteration_batch(self);
  const LacElectronDescend args = {
    .step = self->numbers + self->at.step,
    .length = self->numbers + self->at.length,
    .tunables = self->numbers + self->at.tunables,
    .last = self->numbers + self->at.memory,
    .theta = self->on->theta.memory,
  };

  return CALL(self, descend, &batch, &args);
}

/* ---- a step in host memory ---- */

/* Lets the method improve theta, and writes to `info` whether it could. */
static LacStatus
improve_on_host(LacIteration *self)
{
  const LacIterationSettings *settings = &self->settings;
  const LacIterationHost     *host = &self->host;
  const LacEnergyMethod      *method = settings->method;
  const LacMethodBatch        batch = {host->positions, host->clipped};
  double                     *memory = self->numbers + self->at.memory, info;
  int                         refused[2] = {0};

  lac_iteration_fetch(self, self->on->theta.memory, host->theta, self->n_params);
  lac_iteration_fetch(self, memory, host->memory, settings->n_memory);
  lac_iteration_fetch(self, self->numbers + self->at.clipped, host->clipped, settings->n_walkers);
  lac_iteration_fetch(self, self->numbers + self->at.positions, host->positions,
                      self->n_coordinates);
  if (self->on->status != LAC_STATUS_OK)
    return self->on->status;
  lac_packing_load(method->pack, settings->method_self, host->memory);
  refused[0] = !method->step(settings->method_self, host->theta, &batch, &self->tunables);
  memcpy(&info, refused, sizeof info);
  lac_packing_save(method->pack, settings->method_self, host->memory);
  lac_wavefunction_forget_theta(settings->wave);
  lac_iteration_send(self, self->on->theta.memory, host->theta, self->n_params);
  lac_iteration_send(self, memory, host->memory, settings->n_memory);
  lac_iteration_send(self, self->numbers + self->at.info, &info, 1);
  return self->on->status;
}

/* ---- the stages in order ---- */

typedef struct {
  LacStatus (*call)(LacIteration *self);
  LacIterationSpan span;
} Stage;

#define WALK                                                                                      \
  {move, LAC_ITERATION_MOVE}, {adapt, LAC_ITERATION_MOVE}, {find_energies, LAC_ITERATION_ENERGY}, \
    {clip, LAC_ITERATION_NO_SPAN}, {show}, {reseed},                                              \
  {                                                                                               \
    remember                                                                                      \
  }
#define FINISH                                  \
  {conclude, LAC_ITERATION_IMPROVE}, {refresh}, \
  {                                             \
    NULL                                        \
  }

static const Stage adam[] = {WALK,
                             {find_gradient, LAC_ITERATION_IMPROVE},
                             {measure, LAC_ITERATION_IMPROVE},
                             {take_adam_step, LAC_ITERATION_IMPROVE},
                             FINISH};
static const Stage spring[] = {WALK,
                               {find_derivatives, LAC_ITERATION_GRAM},
                               {find_gram, LAC_ITERATION_GRAM},
                               {find_residual, LAC_ITERATION_SOLVE},
                               {NULL}};
static const Stage spring_solve[] = {{solve, LAC_ITERATION_SOLVE}, {NULL}};
static const Stage spring_after[] = {{pull_back, LAC_ITERATION_PULL},
                                     {measure, LAC_ITERATION_PULL},
                                     {descend, LAC_ITERATION_PULL},
                                     FINISH};
static const Stage walk[] = {WALK, {NULL}};
static const Stage host_step[] = {{improve_on_host, LAC_ITERATION_IMPROVE}, {NULL}};
static const Stage after_host_step[] = {FINISH};

static const Stage *
stages_of(const LacIteration *self, LacIterationPart part)
{
  static const Stage *const stages[][LAC_ITERATION_PARTS] = {
    [LAC_UPDATE_HOST] = {walk, host_step, after_host_step},
    [LAC_UPDATE_ADAM] = {adam, NULL, NULL},
    [LAC_UPDATE_SPRING] = {spring, spring_solve, spring_after},
  };

  return stages[self->settings.update.kind][part];
}

gboolean
lac_iteration_has_part(const LacIteration *self, LacIterationPart part)
{
  return stages_of(self, part) != NULL;
}

LacStatus
lac_iteration_call(LacIteration *self, LacIterationPart part)
{
  LacStatus status = LAC_STATUS_OK;

  for (const Stage *stage = stages_of(self, part); stage->call && status == LAC_STATUS_OK;
       stage++) {
    lac_iteration_enter_span(self, stage->span);
    lac_iteration_mark(self);
    status = stage->call(self);
  }
  return status;
}
