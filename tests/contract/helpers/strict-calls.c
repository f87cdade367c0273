/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of small calls. */
#include "strict-calls.h"

#include "idle-device.h"

static Operand *
add(Call *call, gsize offset, gsize n, gsize word, Use use)
{
  Operand *operand = &call->operands[call->n++];

  g_assert_cmpuint(call->n, <=, MOST_OPERANDS);
  *operand = (Operand){.offset = offset, .n_bytes = n * word, .word = word, .use = use};
  return operand;
}

#define ADD(member, n, word, use) add(call, offsetof(Call, member), n, word, use)
#define NUMBERS(member, n, use)   ADD(member, n, sizeof(float), use)
#define DOUBLES(member, n, use)   ADD(member, n, sizeof(double), use)

/* Adds @n planes: the pointer is to the first element, after the leading zeros. */
static void
add_planes(Call *call, gsize offset, gsize side, gsize n, Use use)
{
  const LacPlaneShape shape = lac_plane_shape(side);
  Operand            *operand = add(call, offset, lac_plane_room(&shape, n), sizeof(float), use);

  operand->before = shape.lead * sizeof(float);
}
#define PLANES(member, n, use) add_planes(call, offsetof(Call, member), SIDE, n, use)

#define ASK(part, name, arguments)                                 \
  static LacStatus ask_##name(const LacDevice *device, Call *call) \
  {                                                                \
    return device->table->part->name(device->self, arguments);     \
  }

/* ---- planes ---- */

enum { SIDE = 4, N_IN = 3, N_OUT = 5, N_WEIGHTS = 16 * N_IN * N_OUT, N_LATENT = 7 };

ASK(planes, latent, &call->latent)
ASK(planes, latent_adam, &call->latent)
ASK(planes, convolve, &call->convolve)
ASK(planes, convolve_reverse_image, &call->convolve)
ASK(planes, convolve_reverse_weights, &call->convolve)
ASK(planes, normalise, &call->normalise)
ASK(planes, normalise_reverse, &call->normalise)
ASK(planes, picture, &call->picture)
ASK(planes, picture_reverse, &call->picture)
ASK(planes, step, &call->step)

static void
set_latent(Call *call, const LacDevice *device)
{
  call->latent = (LacLatent){.type = LAC_F32, .n_latent = N_LATENT, .n_out = N_OUT};
  NUMBERS(latent.z, N_LATENT, IN);
  if (call->ask == ask_latent) {
    NUMBERS(latent.weights, N_LATENT * N_OUT, IN);
    NUMBERS(latent.y, N_OUT, OUT);
    return;
  }
  NUMBERS(latent.weights, N_LATENT * N_OUT, BOTH);
  NUMBERS(latent.m, N_LATENT * N_OUT, BOTH);
  NUMBERS(latent.v, N_LATENT * N_OUT, BOTH);
  NUMBERS(latent.y_bar, N_OUT, IN);
  NUMBERS(latent.z_bar, N_LATENT, OUT);
  DOUBLES(latent.numbers, 3, IN);
}

/* Planes to be written have been filled with zeros before. */
static void
set_convolve(Call *call, const LacDevice *device)
{
  call->convolve =
    (LacConvolve){.type = LAC_F32, .n_in = N_IN, .n_out = N_OUT, .side = SIDE, .doubles = TRUE};
  if (call->ask == ask_convolve) {
    PLANES(convolve.x, N_IN, IN);
    PLANES(convolve.y, 4 * N_OUT, BOTH);
    NUMBERS(convolve.weights, N_WEIGHTS, IN);
  } else if (call->ask == ask_convolve_reverse_image) {
    PLANES(convolve.x_bar, N_IN, BOTH);
    PLANES(convolve.y_bar, 4 * N_OUT, IN);
    NUMBERS(convolve.weights, N_WEIGHTS, IN);
  } else {
    PLANES(convolve.x, N_IN, IN);
    PLANES(convolve.y_bar, 4 * N_OUT, IN);
    NUMBERS(convolve.weights_bar, N_WEIGHTS, OUT);
    NUMBERS(convolve.scratch, device->table->planes->convolve_scratch(&call->convolve), BOTH);
  }
}

static void
set_normalise(Call *call, const LacDevice *device)
{
  const LacPlaneShape shape = lac_plane_shape(SIDE), image = lac_plane_shape(2 * SIDE);
  const gsize         n_y = (4 * N_OUT - 1) * shape.stride + (SIDE - 1) * shape.pitch + SIDE;
  const gsize n_image = (N_OUT - 1) * image.stride + (2 * SIDE - 1) * image.pitch + 2 * SIDE;

  call->normalise = (LacNormalise){.type = LAC_F32,
                                   .n = N_OUT,
                                   .n_phases = 4,
                                   .side = SIDE,
                                   .pitch = shape.pitch,
                                   .stride = shape.stride,
                                   .image_pitch = image.pitch,
                                   .image_stride = image.stride};
  NUMBERS(normalise.y, n_y, IN);
  NUMBERS(normalise.scales, 2 * N_OUT, IN);
  DOUBLES(normalise.sums, device->table->planes->normalise_sums(&call->normalise), SCRATCH);
  if (call->ask == ask_normalise) {
    NUMBERS(normalise.image, n_image, BOTH);
    return;
  }
  NUMBERS(normalise.image_bar, n_image, IN);
  NUMBERS(normalise.y_bar, n_y, BOTH);
  NUMBERS(normalise.scales_bar, 2 * N_OUT, OUT);
}

static void
set_picture(Call *call, const LacDevice *device)
{
  const gsize n = lac_plane_blocks(SIDE * (SIDE + 1));

  call->picture = (LacPlanePicture){.type = LAC_F32, .side = SIDE, .window = {SIDE, 0, SIDE, 0}};
  if (call->ask == ask_picture) {
    NUMBERS(picture.bias, 1, IN);
    NUMBERS(picture.plane, n, IN);
    NUMBERS(picture.slope, n, OUT);
    NUMBERS(picture.map, n, OUT);
    DOUBLES(picture.picture, SIDE * SIDE, OUT);
    return;
  }
  NUMBERS(picture.slope, n, IN);
  NUMBERS(picture.plane_bar, n, BOTH);
  NUMBERS(picture.bias_bar, 1, OUT);
  DOUBLES(picture.picture_bar, SIDE * SIDE, IN);
  DOUBLES(picture.sums, device->table->planes->picture_sums(&call->picture), SCRATCH);
}

static void
set_step(Call *call, const LacDevice *device)
{
  call->step = (LacPlaneStep){.type = LAC_F32, .n = N_WEIGHTS};
  NUMBERS(step.gradient, N_WEIGHTS, IN);
  NUMBERS(step.m, N_WEIGHTS, BOTH);
  NUMBERS(step.v, N_WEIGHTS, BOTH);
  NUMBERS(step.theta, N_WEIGHTS, BOTH);
  DOUBLES(step.numbers, 3, IN);
}

/* ---- waves ---- */

enum { GRID = 8, SUPPORT = 4, DETECTOR = 4, BOX = 3, N_ALONG = 2, N_SLOTS = 3 };

ASK(waves, object, &call->waves)
ASK(waves, stops, &call->waves)
ASK(waves, compare, &call->waves)
ASK(waves, gather, &call->waves)
ASK(waves, bars, &call->waves)
ASK(waves, transform, &call->transform)

static void
add_apertures(Call *call)
{
  ADD(waves.corners, 2 * N_ALONG, sizeof(gint32), IN)->may_look_unwritten = TRUE;
  ADD(waves.passes, N_ALONG * BOX * BOX, 1, IN);
  DOUBLES(waves.pupil, 2 * BOX * BOX, IN);
}

/* All-zero slots refer to scan position 0. */
static void
set_waves(Call *call, const LacDevice *device)
{
  const gsize n_field = 2 * GRID * GRID, n_object = SUPPORT * SUPPORT;
  const gsize n_fields = 2 * N_SLOTS * N_ALONG * DETECTOR * DETECTOR;

  call->waves = (LacWaves){.type = LAC_F32,
                           .grid = GRID,
                           .support = SUPPORT,
                           .detector = DETECTOR,
                           .box = BOX,
                           .n_along = N_ALONG,
                           .n_slots = N_SLOTS};
  if (call->ask != ask_compare)
    NUMBERS(waves.field, n_field, call->ask == ask_object || call->ask == ask_gather ? OUT : IN);
  if (call->ask == ask_object || call->ask == ask_bars) {
    DOUBLES(waves.picture, n_object, IN);
    DOUBLES(waves.phase, n_object, IN);
    DOUBLES(waves.mask, n_object, IN);
  } else {
    ADD(waves.slots, N_SLOTS, sizeof(LacWaveSlot), IN);
    NUMBERS(waves.fields, n_fields,
            call->ask == ask_stops     ? OUT
            : call->ask == ask_compare ? BOTH
                                       : IN);
  }
  if (call->ask == ask_stops || call->ask == ask_gather)
    add_apertures(call);
  if (call->ask == ask_compare) {
    DOUBLES(waves.amplitudes, DETECTOR * DETECTOR, IN);
    DOUBLES(waves.noise, LAC_WAVE_NOISE, IN);
    DOUBLES(waves.misfits, N_SLOTS * sizeof(LacWaveMisfit) / sizeof(double), OUT);
  }
  if (call->ask == ask_bars) {
    DOUBLES(waves.weight, 1, IN);
    DOUBLES(waves.picture_bar, n_object, OUT);
    DOUBLES(waves.phase_bar, n_object, OUT);
  }
}

static void
set_transform(Call *call, const LacDevice *device)
{
  call->transform = (LacWaveTransform){.type = LAC_F32, .n = DETECTOR, .n_batch = N_SLOTS};
  NUMBERS(transform.data, 2 * N_SLOTS * DETECTOR * DETECTOR, BOTH);
}

/* ---- electrons ---- */

enum { N_WALKERS = 6, N_ELECTRONS = 2, N_NUCLEI = 3, N_DETERMINANTS = 2, N_PARAMS = 40 };
enum { N_COORDINATES = 3 * N_ELECTRONS * N_WALKERS };
enum { N_ORBITALS = N_WALKERS * N_DETERMINANTS * N_ELECTRONS * N_ELECTRONS };

static LacStatus
ask_pack(const LacDevice *device, Call *call)
{
  return device->table->electrons->pack(device->self, &call->batch);
}

#define ASK_WALKERS(name, member)                                                     \
  static LacStatus ask_##name(const LacDevice *device, Call *call)                    \
  {                                                                                   \
    return device->table->electrons->name(device->self, &call->batch, &call->member); \
  }
ASK_WALKERS(value, answer)
ASK_WALKERS(local, answer)
ASK_WALKERS(move, moves)
ASK_WALKERS(orbitals, orbitals)
ASK_WALKERS(derivatives, tape)
ASK_WALKERS(pull, contraction)
ASK_WALKERS(push, contraction)
ASK_WALKERS(gram, contraction)
ASK_WALKERS(factors, factors)
ASK_WALKERS(adapt, adapt)
ASK_WALKERS(energies, energies)
ASK_WALKERS(clip, clip)
ASK_WALKERS(reseed, reseed)
ASK_WALKERS(centre, centre)
ASK_WALKERS(remember, kept)
ASK_WALKERS(conclude, kept)
ASK_WALKERS(count, count)
ASK_WALKERS(descend, descend)
ASK(electrons, solve, &call->solve)

static void
set_batch(Call *call)
{
  static const LacElectronShape shape = {.n_electrons = N_ELECTRONS,
                                         .n_nuclei = N_NUCLEI,
                                         .n_determinants = N_DETERMINANTS,
                                         .n_params = N_PARAMS};

  call->batch = (LacElectronBatch){.type = LAC_F32, .shape = &shape, .n = N_WALKERS};
}

static void
set_pack(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(batch.theta, N_PARAMS, IN);
  NUMBERS(batch.weights, N_PARAMS, OUT);
}

static void
set_walkers(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(batch.nuclei, 3 * N_NUCLEI, IN);
  DOUBLES(batch.theta, N_PARAMS, IN);
  NUMBERS(batch.weights, N_PARAMS, IN);
  ADD(batch.work, IDLE_WORK_BYTES, 1, SCRATCH);
  if (call->ask != ask_move)
    DOUBLES(batch.positions, N_COORDINATES, IN);
  if (call->ask == ask_value || call->ask == ask_local) {
    DOUBLES(answer.log_abs, N_WALKERS, OUT);
    ADD(answer.sign, N_WALKERS, 1, OUT);
  }
  if (call->ask == ask_local) {
    DOUBLES(answer.gradient, N_COORDINATES, OUT);
    DOUBLES(answer.kinetic, N_WALKERS, OUT);
  } else if (call->ask == ask_move) {
    DOUBLES(moves.positions, N_COORDINATES, BOTH);
    DOUBLES(moves.log_abs, N_WALKERS, BOTH);
    DOUBLES(moves.gradient, N_COORDINATES, BOTH);
    DOUBLES(moves.walk, LAC_N_WALK, IN);
    ADD(moves.accepted, N_WALKERS, sizeof(guint32), OUT);
  } else if (call->ask == ask_orbitals) {
    DOUBLES(orbitals.phi, N_ORBITALS, OUT);
  } else if (call->ask == ask_derivatives) {
    NUMBERS(tape.o, N_WALKERS * N_PARAMS, OUT);
    DOUBLES(tape.phi_bar, N_ORBITALS, IN);
    DOUBLES(tape.log_abs, N_WALKERS, OUT);
    ADD(tape.sign, N_WALKERS, 1, OUT);
  }
}

static void
set_contraction(Call *call, const LacDevice *device)
{
  set_batch(call);
  NUMBERS(contraction.o, N_WALKERS * N_PARAMS, IN);
  ADD(contraction.work, IDLE_WORK_BYTES, 1, SCRATCH);
  if (call->ask == ask_gram) {
    DOUBLES(contraction.right, N_WALKERS * N_WALKERS, OUT);
    return;
  }
  DOUBLES(contraction.left, call->ask == ask_pull ? N_WALKERS : N_PARAMS, IN);
  DOUBLES(contraction.right, call->ask == ask_pull ? N_PARAMS : N_WALKERS, OUT);
}

static void
set_factors(Call *call, const LacDevice *device)
{
  enum { N_ROWS = 5, N_COLUMNS = 3 };

  set_batch(call);
  call->factors = (LacElectronFactors){.n_rows = N_ROWS, .n_columns = N_COLUMNS};
  NUMBERS(factors.o, N_WALKERS * N_PARAMS, IN);
  DOUBLES(factors.a, N_ROWS * N_ROWS, OUT);
  DOUBLES(factors.g, N_COLUMNS * N_COLUMNS, OUT);
}

static void
set_solve(Call *call, const LacDevice *device)
{
  call->solve = (LacElectronSolve){.n = N_WALKERS};
  DOUBLES(solve.gram, N_WALKERS * N_WALKERS, BOTH);
  DOUBLES(solve.right, N_WALKERS, BOTH);
  ADD(solve.work, IDLE_WORK_BYTES, 1, SCRATCH);
}

static void
set_late_solve(Call *call, const LacDevice *device)
{
  set_solve(call, device);
  DOUBLES(solve.at, 1, IN);
  ADD(solve.info, 2, sizeof(int), OUT);
}

/* Adds reported values @first to @last of an iteration. */
static void
add_reported(Call *call, gsize offset, LacElectronReport first, LacElectronReport last, Use use)
{
  Operand *operand = add(call, offset, (gsize) (last - first) + 1, sizeof(double), use);

  operand->before = -(gsize) first * sizeof(double); /* starts after the pointer */
}
#define REPORTED(member, first, last, use) \
  add_reported(call, offsetof(Call, member), LAC_REPORTED_##first, LAC_REPORTED_##last, use)

static void
set_adapt(Call *call, const LacDevice *device)
{
  set_batch(call);
  call->adapt.n_moves = 1;
  ADD(adapt.accepted, N_WALKERS, sizeof(guint32), IN);
  DOUBLES(adapt.walk, LAC_N_WALK, BOTH);
  REPORTED(adapt.reported, ACCEPTANCE, WIDTH, OUT);
}

static void
set_energies(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(batch.nuclei, 3 * N_NUCLEI, IN);
  DOUBLES(batch.positions, N_COORDINATES, IN);
  DOUBLES(energies.kinetic, N_WALKERS, IN);
  DOUBLES(energies.charges, N_NUCLEI, IN);
  DOUBLES(energies.energies, N_WALKERS, OUT);
}

static void
set_clip(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(clip.energies, N_WALKERS, IN);
  DOUBLES(clip.sorted, N_WALKERS, SCRATCH);
  DOUBLES(clip.clipped, N_WALKERS, OUT);
  REPORTED(clip.reported, N_GOOD, VARIANCE, OUT);
}

static void
set_reseed(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(reseed.energies, N_WALKERS, IN);
  DOUBLES(reseed.positions, N_COORDINATES, BOTH);
  DOUBLES(reseed.log_abs, N_WALKERS, BOTH);
  DOUBLES(reseed.gradient, N_COORDINATES, BOTH);
}

static void
set_centre(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(centre.add, N_WALKERS, IN);
  DOUBLES(centre.factor, 1, IN);
  DOUBLES(centre.y, N_WALKERS, BOTH);
}

static void
set_kept(Call *call, const LacDevice *device)
{
  enum { N_MEMORY = 9 };
  const gboolean concludes = call->ask == ask_conclude;
  const Use      now = concludes ? BOTH : IN, before = concludes ? IN : BOTH;

  set_batch(call);
  call->kept.n_memory = N_MEMORY;
  DOUBLES(kept.theta, N_PARAMS, now);
  DOUBLES(kept.theta_before, N_PARAMS, before);
  DOUBLES(kept.memory, N_MEMORY, now);
  DOUBLES(kept.memory_before, N_MEMORY, before);
  if (!concludes) {
    REPORTED(kept.reported, N_GOOD, N_GOOD, IN);
    return;
  }
  DOUBLES(kept.theta_sum, N_PARAMS, BOTH);
  DOUBLES(kept.length, 1, IN);
  DOUBLES(kept.tunables, LAC_N_TUNABLES, IN);
  ADD(kept.info, 2, sizeof(int), IN);
  REPORTED(kept.reported, N_GOOD, RESTORED, BOTH);
}

static void
set_count(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(count.tunables, LAC_N_TUNABLES, IN);
  DOUBLES(count.updates, 1, BOTH);
  DOUBLES(count.numbers, 3, OUT);
}

static void
set_descend(Call *call, const LacDevice *device)
{
  set_batch(call);
  DOUBLES(descend.step, N_PARAMS, IN);
  DOUBLES(descend.length, 1, IN);
  DOUBLES(descend.tunables, LAC_N_TUNABLES, IN);
  DOUBLES(descend.last, N_PARAMS, OUT);
  DOUBLES(descend.theta, N_PARAMS, BOTH);
}

/* ---- table of calls ---- */

const StrictKind strict_kinds[] = {
  {"planes/latent", ask_latent, set_latent},
  {"planes/latent-adam", ask_latent_adam, set_latent},
  {"planes/convolve", ask_convolve, set_convolve},
  {"planes/convolve-reverse-image", ask_convolve_reverse_image, set_convolve},
  {"planes/convolve-reverse-weights", ask_convolve_reverse_weights, set_convolve},
  {"planes/normalise", ask_normalise, set_normalise},
  {"planes/normalise-reverse", ask_normalise_reverse, set_normalise},
  {"planes/picture", ask_picture, set_picture},
  {"planes/picture-reverse", ask_picture_reverse, set_picture},
  {"planes/step", ask_step, set_step},
  {"waves/object", ask_object, set_waves},
  {"waves/stops", ask_stops, set_waves},
  {"waves/compare", ask_compare, set_waves},
  {"waves/gather", ask_gather, set_waves},
  {"waves/bars", ask_bars, set_waves},
  {"waves/transform", ask_transform, set_transform},
  {"electrons/pack", ask_pack, set_pack},
  {"electrons/value", ask_value, set_walkers},
  {"electrons/local", ask_local, set_walkers},
  {"electrons/move", ask_move, set_walkers},
  {"electrons/orbitals", ask_orbitals, set_walkers},
  {"electrons/derivatives", ask_derivatives, set_walkers},
  {"electrons/pull", ask_pull, set_contraction},
  {"electrons/push", ask_push, set_contraction},
  {"electrons/gram", ask_gram, set_contraction},
  {"electrons/factors", ask_factors, set_factors},
  {"electrons/solve", ask_solve, set_solve, TRUE},
  {"electrons/solve-without-waiting", ask_solve, set_late_solve, TRUE},
  {"electrons/adapt", ask_adapt, set_adapt},
  {"electrons/energies", ask_energies, set_energies},
  {"electrons/clip", ask_clip, set_clip},
  {"electrons/reseed", ask_reseed, set_reseed},
  {"electrons/centre", ask_centre, set_centre},
  {"electrons/remember", ask_remember, set_kept},
  {"electrons/conclude", ask_conclude, set_kept},
  {"electrons/count", ask_count, set_count},
  {"electrons/descend", ask_descend, set_descend},
  {NULL},
};
