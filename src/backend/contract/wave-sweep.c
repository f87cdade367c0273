/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survey, sweep and iteration over exit waves, against their definitions by sums in double precision: no fast transform, no
 * folded lines. */
#include "backend/band-transform.h"
#include "backend/contract/private.h"
#include "backend/waves.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { GRID = 14, DETECTOR = 8, BOX = 5, N_ALONG = 2, N_VISITS = 4, N_SLOTS = 5, N_ROOM = 2 };
enum { N_FIELD = GRID * GRID, N_PIXELS = DETECTOR * DETECTOR, N_BOX = BOX * BOX };
enum { N_STOPS = N_VISITS * N_ALONG, SUPPORT = 10, N_OBJECT = SUPPORT * SUPPORT };

/* A scan position may come again; one is empty, one rests. */
static const LacWaveSlot slots[N_SLOTS] = {{2, 0}, {-1, 0}, {0, 1}, {3, 0}, {2, 0}};

typedef struct {
  LacWaveSweep       args;
  LacContractBuffer *field; /* pairs */
  double             pupil[2 * N_BOX], lengths[N_SLOTS], pupil_length;
  double             amplitudes[N_VISITS * N_PIXELS], sigma[N_VISITS * N_PIXELS];
  double             noise[LAC_WAVE_NOISE];
  gint32             corners[2 * N_STOPS];
  guint8             passes[N_STOPS * N_BOX];
  /* of a constrained object */
  double             values[2 * N_OBJECT], mask[N_OBJECT];
  LacBandTransform  *transform;
  LacContractBuffer *change, *waves; /* pairs; waves: of exit waves */
} Sweep;

/* The expected result. */
typedef struct {
  double complex  object[N_FIELD], pupil[N_BOX]; /* the field over the side of the grid */
  double complex  values[N_OBJECT];              /* of a constrained object */
  double complex  waves[N_STOPS][N_PIXELS], change[N_FIELD];
  double          weights[N_FIELD];
  LacWaveDistance distances[N_SLOTS];
} Right;

static gsize
choose(LacContract *contract, gsize n)
{
  return (gsize) ((lac_contract_random(contract) + 1) / 2 * (double) n);
}

/* Every tenth amplitude is missing, every tenth is held out. No prediction is near the dark level. */
static void
fill_numbers(LacContract *contract, Sweep *it)
{
  for (gsize i = 0; i < N_BOX; i++) {
    const double complex p = cexp(I * 3 * lac_contract_random(contract));

    it->pupil[2 * i] = creal(p);
    it->pupil[2 * i + 1] = cimag(p);
  }
  for (gsize i = 0; i < N_VISITS * N_PIXELS; i++) {
    const double m = 0.4 + 0.3 * lac_contract_random(contract);

    it->sigma[i] = 0.3 + 0.2 * lac_contract_random(contract);
    it->amplitudes[i] = i % 10 == 3 ? -0.5 : i % 10 == 6 ? LAC_WAVE_HELD_OUT - m : m;
  }
  it->noise[0] = 0.01;
  it->noise[1] = 0.02;
  for (gsize i = 2; i < LAC_WAVE_NOISE; i++)
    it->noise[i] = 0.4 / (1 + (double) i / 64);
  for (gsize i = 0; i < 2 * N_STOPS; i++)
    it->corners[i] = (gint32) choose(contract, GRID - BOX + 1) - GRID / 2;
  for (gsize i = 0; i < N_STOPS * N_BOX; i++)
    it->passes[i] = choose(contract, 3) != 0;
  for (gsize i = 0; i < N_SLOTS; i++)
    it->lengths[i] = 0.5 + 0.3 * lac_contract_random(contract);
  it->pupil_length = 0.4;
  for (gsize i = 0; i < 2 * N_OBJECT; i++)
    it->values[i] = lac_contract_random(contract);
  for (gsize i = 0; i < N_OBJECT; i++)
    it->mask[i] = choose(contract, 5) != 0;
}

static Sweep *
sweep_of(LacContract *contract)
{
  Sweep *it = g_new0(Sweep, 1);

  fill_numbers(contract, it);
  it->field = lac_contract_random_buffer(contract, 2 * N_FIELD, 20);
  it->args = (LacWaveSweep){
    .type = contract->type,
    .grid = GRID,
    .detector = DETECTOR,
    .box = BOX,
    .n_along = N_ALONG,
    .n_slots = N_SLOTS,
    .n_room = N_ROOM,
    .field = it->field->device,
    .slots = lac_contract_piece(contract, sizeof slots, slots),
    .corners = lac_contract_piece(contract, sizeof it->corners, it->corners),
    .passes = lac_contract_piece(contract, sizeof it->passes, it->passes),
    .pupil = lac_contract_piece(contract, sizeof it->pupil, it->pupil),
    .amplitudes = lac_contract_piece(contract, sizeof it->amplitudes, it->amplitudes),
    .noise = lac_contract_piece(contract, sizeof it->noise, it->noise),
    .fields = lac_contract_random_buffer(contract, 2 * N_ROOM * N_ALONG * N_PIXELS, 1)->device,
    .distances = lac_contract_piece(contract, N_SLOTS * sizeof(LacWaveDistance), NULL),
    .dark = 1e-9,
    .lengths = lac_contract_piece(contract, sizeof it->lengths, it->lengths),
    .pupil_length = lac_contract_piece(contract, sizeof it->pupil_length, &it->pupil_length),
    .share = 0.3,
  };
  for (gsize n = 0; n <= N_ROOM; n++) {
    const LacWaveTransform plan = {
      contract->type, n ? DETECTOR : GRID, n ? n * N_ALONG : 1, FALSE, NULL, NULL};

    lac_contract_ok(contract, contract->device.table->waves->prepare(contract->device.self, &plan));
  }
  return it;
}

static void
sweep_free(LacContract *contract, Sweep *it)
{
  lac_contract_clear(contract);
  lac_band_transform_free(it->transform);
  g_free(it);
}

/* Lets the sweep be of an object that a prior constrains: real or not, bounded or not, within a mask or not. */
static void
constrain(LacContract *contract, Sweep *it, int kind)
{
  const LacBandTransformSettings settings = {
    .grid = GRID,
    .support = SUPPORT,
    .band = {-GRID / 2, -GRID / 2, GRID, GRID},
    .box = BOX,
    .n_part = N_FIELD,
  };

  it->transform = lac_band_transform_new(&settings);
  it->change = lac_contract_random_buffer(contract, 2 * N_FIELD, 1);
  it->args.object = (LacWaveObject){
    .support = SUPPORT,
    .values = lac_contract_piece(contract, sizeof it->values, it->values),
    .mask = kind & 1 ? lac_contract_piece(contract, sizeof it->mask, it->mask) : NULL,
    .prior = {.is_real = kind & 2, .is_bounded = kind & 4, .low = -0.1, .high = 0.6},
    .change = it->change->device,
    .transform = it->transform,
  };
}

static void
begin(const Sweep *it, Right *right)
{
  *right = (Right){0};
  for (gsize i = 0; i < N_FIELD; i++)
    right->object[i] = (it->field->host[2 * i] + it->field->host[2 * i + 1] * I) / GRID;
  for (gsize i = 0; i < N_BOX; i++)
    right->pupil[i] = it->args.pupil ? it->pupil[2 * i] + it->pupil[2 * i + 1] * I : 1;
  for (gsize i = 0; i < N_OBJECT; i++)
    right->values[i] = it->values[2 * i] + it->values[2 * i + 1] * I;
}

/* ---- the definition ---- */

static gint
get_wave(const Sweep *it, gsize stop, gsize i, gsize axis)
{
  return it->corners[2 * stop + axis] + (gint) (axis == 0 ? i / BOX : i % BOX);
}

static gsize
in_grid(const Sweep *it, gsize stop, gsize i)
{
  return (gsize) (get_wave(it, stop, i, 0) + GRID / 2) * GRID +
         (gsize) (get_wave(it, stop, i, 1) + GRID / 2);
}

/* Returns: e^(2 pi i k . j / d) at pixel @j of the detector */
static double complex
get_phase(const Sweep *it, gsize stop, gsize i, gsize j)
{
  const gint at = get_wave(it, stop, i, 0) * (gint) (j / DETECTOR) +
                  get_wave(it, stop, i, 1) * (gint) (j % DETECTOR);

  return cexp(2 * I * G_PI * at / DETECTOR);
}

/* Finds the fields of a slot, orthonormal: u = sum of P O e^(...) / d. */
static void
find_fields(const Sweep *it, const Right *right, gsize slot, double complex (*fields)[N_PIXELS])
{
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize stop = (gsize) slots[slot].visit * N_ALONG + along;

    for (gsize j = 0; j < N_PIXELS; j++) {
      fields[along][j] = 0;
      for (gsize i = 0; i < N_BOX; i++)
        if (it->passes[stop * N_BOX + i])
          fields[along][j] += right->pupil[i] * right->object[in_grid(it, stop, i)] *
                              get_phase(it, stop, i, j) / DETECTOR;
    }
  }
}

/* As in waves.c. */
static double
expect_noise(const Sweep *it, gsize pixel, double x)
{
  const double *noise = it->noise, known = it->sigma[pixel];
  const double  s = it->args.sigma ? known : sqrt(noise[0] + noise[1] * x * x);
  const double  at = 64 * sqrt(x * x / s);
  const gsize   i = (gsize) at;

  if (it->args.sigma && it->args.sees_amplitudes)
    return known * known;
  g_assert(at < LAC_WAVE_NOISE - 3);
  return s * ((1 - (at - (double) i)) * noise[2 + i] + (at - (double) i) * noise[3 + i]);
}

/* Adds the distance at one pixel, and returns the factor of its fields. */
static double
look(const Sweep *it, gsize slot, gsize j, double a, LacWaveDistance *sum)
{
  const gsize  at = (gsize) slots[slot].visit * N_PIXELS + j;
  const double m = it->amplitudes[at], whole = m <= LAC_WAVE_HELD_OUT ? LAC_WAVE_HELD_OUT - m : m;
  const double power = it->args.sees_amplitudes ? 1 : 2, e = expect_noise(it, at, a);

  if (whole < 0)
    return 0;
  sum->residual += pow(pow(a, power) - pow(whole, power), 2);
  sum->scale += pow(whole, 2 * power);
  if (m < 0) {
    sum->held_out += (a - whole) * (a - whole);
    return 0;
  }
  sum->distance += (a - m) * (a - m);
  sum->energy += m * m;
  sum->expected += it->args.noise ? e : 0;
  sum->variance += it->args.noise ? 2 * e * e : 0;
  return m / a - 1;
}

static void
see(const Sweep *it, Right *right, gsize slot, double complex (*fields)[N_PIXELS])
{
  find_fields(it, right, slot, fields);
  for (gsize j = 0; j < N_PIXELS; j++) {
    double square = 0, factor;

    for (gsize along = 0; along < N_ALONG; along++)
      square += creal(fields[along][j] * conj(fields[along][j])) / N_ALONG;
    factor = look(it, slot, j, sqrt(square), &right->distances[slot]);
    for (gsize along = 0; along < N_ALONG; along++)
      fields[along][j] *= factor;
  }
}

/* Returns: A F of a field, at pixel @i of the box */
static double complex
get_back(const Sweep *it, gsize stop, gsize i, const double complex *field)
{
  double complex sum = 0;

  for (gsize j = 0; j < N_PIXELS; j++)
    sum += field[j] * conj(get_phase(it, stop, i, j)) / DETECTOR;
  return sum;
}

static double
find_brightest(const Sweep *it, const Right *right, gsize stop)
{
  double largest = 0;

  for (gsize i = 0; i < N_BOX; i++)
    if (it->passes[stop * N_BOX + i])
      largest = fmax(largest, pow(cabs(right->object[in_grid(it, stop, i)]), 2));
  return largest;
}

/* Updates the pupil, and adds what the object's transform changes by to @to. */
static void
follow(const Sweep    *it,
       Right          *right,
       gsize           slot,
       const double    complex (*fields)[N_PIXELS],
       double complex *to)
{
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize  stop = (gsize) slots[slot].visit * N_ALONG + along;
    const double largest = find_brightest(it, right, stop);

    for (gsize i = 0; i < N_BOX; i++) {
      const gsize          at = in_grid(it, stop, i);
      double complex      *p = &right->pupil[i], o = right->object[at], by = *p;
      const double complex change = get_back(it, stop, i, fields[along]);
      const double         scale = 0.7 * pow(cabs(o), 2) + 0.3 * largest;

      if (!it->passes[stop * N_BOX + i])
        continue;
      if (it->args.pupil_length) {
        *p += it->pupil_length * conj(o) * change / scale;
        *p /= cabs(*p);
      }
      to[at] += it->lengths[slot] * conj(by) * change;
    }
  }
}

/* Returns exp(2 pi i k x / N) / N for a pixel of k-space and one of the object, counted from its first row and column, as
 * detectors are. */
static double complex
get_object_phase(gsize in_grid, gsize in_object)
{
  const gint y = (gint) (in_object / SUPPORT) + (GRID - SUPPORT) / 2,
             x = (gint) (in_object % SUPPORT) + (GRID - SUPPORT) / 2;
  const gint ky = (gint) (in_grid / GRID) - GRID / 2, kx = (gint) (in_grid % GRID) - GRID / 2;

  return cexp(2 * I * G_PI * (ky * y + kx * x) / GRID) / GRID;
}

static void
transform_object(Right *right)
{
  for (gsize k = 0; k < N_FIELD; k++) {
    right->object[k] = 0;
    for (gsize i = 0; i < N_OBJECT; i++)
      right->object[k] += conj(get_object_phase(k, i)) * right->values[i];
  }
}

static double complex
project(const LacWavePrior *prior, double complex o)
{
  if (prior->is_real)
    return prior->is_bounded ? CLAMP(creal(o), prior->low, prior->high) : creal(o);
  return prior->is_bounded && cabs(o) > prior->high ? prior->high * o / cabs(o) : o;
}

static void
change_object(const Sweep *it, Right *right, const double complex *change)
{
  for (gsize i = 0; i < N_OBJECT; i++) {
    for (gsize k = 0; k < N_FIELD; k++)
      right->values[i] += get_object_phase(k, i) * change[k];
    right->values[i] = it->args.object.mask && it->mask[i] == 0
                         ? 0
                         : project(&it->args.object.prior, right->values[i]);
  }
}

/* ---- the checks ---- */

/* Single pixels of sums over the box and the detector. */
#define ROUNDINGS 400

static void
check_distance(const LacContract     *contract,
               const LacWaveDistance *found,
               const LacWaveDistance *right)
{
  const double *values = (const double *) found, *rights = (const double *) right;

  for (gsize i = 0; i < sizeof *found / sizeof(double); i++)
    lac_contract_close(contract, values[i], rights[i], 20, ROUNDINGS);
}

static void
check_distances(LacContract *contract, const Sweep *it, const Right *right)
{
  LacWaveDistance found[N_SLOTS];

  lac_contract_fetch_piece(contract, it->args.distances, sizeof found, found);
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    check_distance(contract, &found[slot], &right->distances[slot]);
}

static void
check_survey(LacContract *contract, const Sweep *it)
{
  double complex fields[N_ALONG][N_PIXELS];
  Right          right;

  begin(it, &right);
  lac_contract_ok(contract,
                  contract->device.table->waves->survey(contract->device.self, &it->args));
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    if (slots[slot].visit >= 0)
      see(it, &right, slot, fields);
  check_distances(contract, it, &right);
}

/* Every unit and noise; with and without a pupil. */
static void
set_kind(LacContract *contract, Sweep *it, int kind)
{
  it->args.sees_amplitudes = kind & 1;
  if (kind & 2)
    it->args.sigma = lac_contract_piece(contract, sizeof it->sigma, it->sigma);
  if (kind & 4)
    it->args.noise = it->args.sigma = NULL;
  if (kind & 8)
    it->args.pupil = NULL;
  if (kind & 16 || !it->args.pupil)
    it->args.pupil_length = NULL;
}

static void
run_waves_survey(LacContract *contract)
{
  for (int kind = 0; kind < 16; kind++) {
    Sweep *it = sweep_of(contract);

    set_kind(contract, it, kind);
    check_survey(contract, it);
    sweep_free(contract, it);
  }
}

static void
sweep_slot(const Sweep *it, Right *right, gsize slot)
{
  const gboolean is_constrained = it->args.object.values != NULL;
  double complex fields[N_ALONG][N_PIXELS], change[N_FIELD] = {0};

  if (is_constrained)
    transform_object(right);
  see(it, right, slot, fields);
  if (slots[slot].rests)
    return;
  follow(it, right, slot, (const double complex(*)[N_PIXELS]) fields,
         is_constrained ? change : right->object);
  if (is_constrained)
    change_object(it, right, change);
}

static void
check_object(LacContract *contract, const Sweep *it, const Right *right)
{
  double values[2 * N_OBJECT];

  if (it->args.object.values) {
    lac_contract_fetch_piece(contract, it->args.object.values, sizeof values, values);
    for (gsize i = 0; i < N_OBJECT; i++) {
      lac_contract_close(contract, values[2 * i], creal(right->values[i]), 1, ROUNDINGS);
      lac_contract_close(contract, values[2 * i + 1], cimag(right->values[i]), 1, ROUNDINGS);
    }
    return;
  }
  lac_contract_fetch(contract, it->field);
  for (gsize i = 0; i < N_FIELD; i++) {
    lac_contract_close(contract, it->field->host[2 * i], GRID * creal(right->object[i]), 20,
                       ROUNDINGS);
    lac_contract_close(contract, it->field->host[2 * i + 1], GRID * cimag(right->object[i]), 20,
                       ROUNDINGS);
  }
}

static void
check_sweep(LacContract *contract, Sweep *it)
{
  double pupil[2 * N_BOX];
  Right  right;

  begin(it, &right);
  lac_contract_ok(contract, contract->device.table->waves->sweep(contract->device.self, &it->args));
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    if (slots[slot].visit >= 0)
      sweep_slot(it, &right, slot);
  if (it->args.distances)
    check_distances(contract, it, &right);
  check_object(contract, it, &right);
  if (!it->args.pupil)
    return;
  lac_contract_fetch_piece(contract, it->args.pupil, sizeof pupil, pupil);
  for (gsize i = 0; i < N_BOX; i++) {
    lac_contract_close(contract, pupil[2 * i], creal(right.pupil[i]), 1, ROUNDINGS);
    lac_contract_close(contract, pupil[2 * i + 1], cimag(right.pupil[i]), 1, ROUNDINGS);
  }
}

static void
run_waves_sweep(LacContract *contract)
{
  for (int kind = 0; kind < 32; kind++) {
    Sweep *it = sweep_of(contract);

    set_kind(contract, it, kind);
    if (kind % 3 == 0)
      it->args.distances = NULL;
    check_sweep(contract, it);
    sweep_free(contract, it);
  }
}

static void
run_waves_sweep_constrained(LacContract *contract)
{
  for (int kind = 0; kind < 32; kind++) {
    Sweep *it = sweep_of(contract);

    set_kind(contract, it, kind);
    constrain(contract, it, (kind + kind / 8) % 8);
    if (kind % 3 == 0)
      it->args.distances = NULL;
    check_sweep(contract, it);
    sweep_free(contract, it);
  }
}

/* ---- exit waves ---- */

static void
add_waves(LacContract *contract, Sweep *it, int kind)
{
  LacWaveSweep *args = &it->args;

  constrain(contract, it, kind % 8);
  it->waves = lac_contract_random_buffer(contract, 2 * N_STOPS * N_PIXELS, 1);
  args->waves = it->waves->device;
  args->weights = lac_contract_piece(contract, N_FIELD * sizeof *args->weights, NULL);
  args->fields =
    lac_contract_random_buffer(contract, 2 * 2 * N_ROOM * N_ALONG * N_PIXELS, 1)->device;
  args->within_noise = kind & 1;
  args->pupil_length = NULL;
  args->factors = (LacWaveFactors){kind & 2 ? 2 : 0, -0.8, 0.9, 0.7, -0.8, kind & 4 ? 2 : 0, 1};
}

static void
begin_waves(const Sweep *it, Right *right)
{
  begin(it, right);
  for (gsize i = 0; i < N_STOPS * N_PIXELS; i++)
    right->waves[i / N_PIXELS][i % N_PIXELS] =
      it->waves->host[2 * i] + it->waves->host[2 * i + 1] * I;
}

/* Projects fields onto the measured amplitudes. */
static void
measure(const Sweep *it, gsize slot, double complex (*fields)[N_PIXELS])
{
  LacWaveDistance distance = {0};
  double          factors[N_PIXELS], share = 1;

  if (slots[slot].rests)
    return;
  for (gsize j = 0; j < N_PIXELS; j++) {
    double square = 0;

    for (gsize along = 0; along < N_ALONG; along++)
      square += pow(cabs(fields[along][j]), 2) / N_ALONG;
    factors[j] = look(it, slot, j, sqrt(square), &distance);
  }
  if (it->args.within_noise)
    share = fmax(0, 1 - sqrt(distance.expected / distance.distance));
  for (gsize i = 0; i < N_ALONG * N_PIXELS; i++)
    fields[i / N_PIXELS][i % N_PIXELS] *= 1 + share * factors[i % N_PIXELS];
}

static void
collect_slot(const Sweep *it, Right *right, gsize slot)
{
  const LacWaveFactors *factors = &it->args.factors;
  double complex        fields[N_ALONG][N_PIXELS];
  double complex(*waves)[N_PIXELS] = &right->waves[(gsize) slots[slot].visit * N_ALONG];

  memcpy(fields, waves, sizeof fields);
  measure(it, slot, fields);
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize stop = (gsize) slots[slot].visit * N_ALONG + along;

    for (gsize j = 0; j < N_PIXELS; j++)
      fields[along][j] = factors->measured * fields[along][j] + factors->wave * waves[along][j];
    for (gsize i = 0; i < N_BOX; i++)
      if (it->passes[stop * N_BOX + i]) {
        right->change[in_grid(it, stop, i)] +=
          conj(right->pupil[i]) * get_back(it, stop, i, fields[along]) / GRID;
        right->weights[in_grid(it, stop, i)]++;
      }
  }
}

static void
run_waves_collect(LacContract *contract)
{
  for (int kind = 0; kind < 16; kind++) {
    Sweep *it = sweep_of(contract);
    double weights[N_FIELD];
    Right  right;

    set_kind(contract, it, kind);
    add_waves(contract, it, kind);
    begin_waves(it, &right);
    lac_contract_ok(contract,
                    contract->device.table->waves->collect(contract->device.self, &it->args));
    for (gsize slot = 0; slot < N_SLOTS; slot++)
      if (slots[slot].visit >= 0 && !slots[slot].rests)
        collect_slot(it, &right, slot);
    lac_contract_fetch_piece(contract, it->args.weights, sizeof weights, weights);
    lac_contract_fetch(contract, it->change);
    for (gsize i = 0; i < N_FIELD; i++) {
      lac_contract_close(contract, weights[i], right.weights[i], 1, 1);
      lac_contract_close(contract, it->change->host[2 * i], creal(right.change[i]), 1, ROUNDINGS);
      lac_contract_close(contract, it->change->host[2 * i + 1], cimag(right.change[i]), 1,
                         ROUNDINGS);
    }
    sweep_free(contract, it);
  }
}

/* The field is that of the object before; single pixels of the grid have no weight. */
static void
run_waves_average(LacContract *contract)
{
  for (int kind = 0; kind < 8; kind++) {
    Sweep         *it = sweep_of(contract);
    double complex change[N_FIELD];
    double         weights[N_FIELD];
    Right          right;

    add_waves(contract, it, kind);
    begin_waves(it, &right);
    for (gsize i = 0; i < N_FIELD; i++) {
      const double complex sum = it->change->host[2 * i] + it->change->host[2 * i + 1] * I;

      weights[i] = (double) choose(contract, 4);
      change[i] = weights[i] > 0 ? GRID * sum / weights[i] - right.object[i] : 0;
    }
    it->args.weights = lac_contract_piece(contract, sizeof weights, weights);
    lac_contract_ok(contract,
                    contract->device.table->waves->average(contract->device.self, &it->args));
    change_object(it, &right, change);
    check_object(contract, it, &right);
    transform_object(&right);
    it->args.object.values = NULL;
    check_object(contract, it, &right);
    sweep_free(contract, it);
  }
}

static void
relax_slot(const Sweep *it, Right *right, gsize slot)
{
  const LacWaveFactors *factors = &it->args.factors;
  double complex        seen[N_ALONG][N_PIXELS], moved[N_ALONG][N_PIXELS];
  double complex       *waves = right->waves[(gsize) slots[slot].visit * N_ALONG];

  find_fields(it, right, slot, seen);
  for (gsize i = 0; i < N_ALONG * N_PIXELS; i++)
    moved[i / N_PIXELS][i % N_PIXELS] =
      factors->from_object * seen[i / N_PIXELS][i % N_PIXELS] + factors->from_wave * waves[i];
  measure(it, slot, moved);
  for (gsize i = 0; i < N_ALONG * N_PIXELS; i++)
    waves[i] = factors->of_wave * waves[i] + factors->of_object * seen[i / N_PIXELS][i % N_PIXELS] +
               factors->of_measured * moved[i / N_PIXELS][i % N_PIXELS];
}

/* No scan position comes again. */
static void
run_waves_relax(LacContract *contract)
{
  for (int kind = 0; kind < 16; kind++) {
    Sweep *it = sweep_of(contract);
    Right  right;

    set_kind(contract, it, kind);
    add_waves(contract, it, kind);
    it->args.n_slots = N_SLOTS - 1;
    begin_waves(it, &right);
    lac_contract_ok(contract,
                    contract->device.table->waves->relax(contract->device.self, &it->args));
    for (gsize slot = 0; slot < it->args.n_slots; slot++)
      if (slots[slot].visit >= 0)
        relax_slot(it, &right, slot);
    lac_contract_fetch(contract, it->waves);
    for (gsize i = 0; i < N_STOPS * N_PIXELS; i++) {
      const double complex found = it->waves->host[2 * i] + it->waves->host[2 * i + 1] * I;
      const double complex wanted = right.waves[i / N_PIXELS][i % N_PIXELS];

      lac_contract_close(contract, creal(found), creal(wanted), 20, ROUNDINGS);
      lac_contract_close(contract, cimag(found), cimag(wanted), 20, ROUNDINGS);
    }
    sweep_free(contract, it);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_sweep_rows[] = {
  {"waves-survey", run_waves_survey, is_known},
  {"waves-sweep", run_waves_sweep, is_known},
  {"waves-sweep-constrained", run_waves_sweep_constrained, is_known},
  {"waves-collect", run_waves_collect, is_known},
  {"waves-average", run_waves_average, is_known},
  {"waves-relax", run_waves_relax, is_known},
  {NULL},
};
