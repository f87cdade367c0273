/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a case, and the definitions that its kernels have in common. */
#include "backend/contract/wave-case.h"

#include <math.h>
#include <string.h>

const LacWaveSlot lac_wave_case_slots[N_SLOTS] = {{2, 0}, {-1, 0}, {0, 1}, {3, 0}, {2, 0}};

gsize
lac_wave_case_choose(LacContract *contract, gsize n)
{
  return (gsize) ((lac_contract_random(contract) + 1) / 2 * (double) n);
}

/* Every tenth amplitude is missing, every tenth is held out. No prediction is near the dark level. */
static void
fill_numbers(LacContract *contract, LacWaveCase *it)
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
    it->corners[i] = (gint32) lac_wave_case_choose(contract, GRID - BOX + 1) - GRID / 2;
  for (gsize i = 0; i < N_STOPS * N_BOX; i++)
    it->passes[i] = lac_wave_case_choose(contract, 3) != 0;
  for (gsize i = 0; i < N_SLOTS; i++)
    it->lengths[i] = 0.5 + 0.3 * lac_contract_random(contract);
  it->pupil_length = 0.4;
  for (gsize i = 0; i < 2 * N_OBJECT; i++)
    it->values[i] = lac_contract_random(contract);
  for (gsize i = 0; i < N_OBJECT; i++)
    it->mask[i] = lac_wave_case_choose(contract, 5) != 0;
}

LacWaveCase *
lac_wave_case_new(LacContract *contract)
{
  LacWaveCase *it = g_new0(LacWaveCase, 1);

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
    .slots = lac_contract_piece(contract, sizeof lac_wave_case_slots, lac_wave_case_slots),
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

void
lac_wave_case_free(LacContract *contract, LacWaveCase *it)
{
  lac_contract_clear(contract);
  lac_band_transform_free(it->transform);
  g_free(it);
}

/* Lets the sweep be of an object that a prior constrains: real or not, bounded or not, within a mask or not. */
void
lac_wave_case_constrain(LacContract *contract, LacWaveCase *it, int kind)
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

void
lac_wave_case_begin(const LacWaveCase *it, LacWaveAnswer *right)
{
  *right = (LacWaveAnswer){0};
  for (gsize i = 0; i < N_FIELD; i++)
    right->object[i] = (it->field->host[2 * i] + it->field->host[2 * i + 1] * I) / GRID;
  for (gsize i = 0; i < N_BOX; i++)
    right->pupil[i] = it->args.pupil ? it->pupil[2 * i] + it->pupil[2 * i + 1] * I : 1;
  for (gsize i = 0; i < N_OBJECT; i++)
    right->values[i] = it->values[2 * i] + it->values[2 * i + 1] * I;
}

/* ---- the definition ---- */

static gint
get_wave(const LacWaveCase *it, gsize stop, gsize i, gsize axis)
{
  return it->corners[2 * stop + axis] + (gint) (axis == 0 ? i / BOX : i % BOX);
}

gsize
lac_wave_case_in_grid(const LacWaveCase *it, gsize stop, gsize i)
{
  return (gsize) (get_wave(it, stop, i, 0) + GRID / 2) * GRID +
         (gsize) (get_wave(it, stop, i, 1) + GRID / 2);
}

/* Returns: e^(2 pi i k . j / d) at pixel @j of the detector */
static double complex
get_phase(const LacWaveCase *it, gsize stop, gsize i, gsize j)
{
  const gint at = get_wave(it, stop, i, 0) * (gint) (j / DETECTOR) +
                  get_wave(it, stop, i, 1) * (gint) (j % DETECTOR);

  return cexp(2 * I * G_PI * at / DETECTOR);
}

/* Finds the fields of a slot, orthonormal: u = sum of P O e^(...) / d. */
void
lac_wave_case_find_fields(const LacWaveCase   *it,
                          const LacWaveAnswer *right,
                          gsize                slot,
                          double               complex (*fields)[N_PIXELS])
{
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize stop = (gsize) lac_wave_case_slots[slot].visit * N_ALONG + along;

    for (gsize j = 0; j < N_PIXELS; j++) {
      fields[along][j] = 0;
      for (gsize i = 0; i < N_BOX; i++)
        if (it->passes[stop * N_BOX + i])
          fields[along][j] += right->pupil[i] * right->object[lac_wave_case_in_grid(it, stop, i)] *
                              get_phase(it, stop, i, j) / DETECTOR;
    }
  }
}

/* As in waves.c. */
static double
expect_noise(const LacWaveCase *it, gsize pixel, double x)
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
double
lac_wave_case_look(const LacWaveCase *it, gsize slot, gsize j, double a, LacWaveDistance *sum)
{
  const gsize  at = (gsize) lac_wave_case_slots[slot].visit * N_PIXELS + j;
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

/* Returns: A F of a field, at pixel @i of the box */
double complex
lac_wave_case_get_back(const LacWaveCase *it, gsize stop, gsize i, const double complex *field)
{
  double complex sum = 0;

  for (gsize j = 0; j < N_PIXELS; j++)
    sum += field[j] * conj(get_phase(it, stop, i, j)) / DETECTOR;
  return sum;
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

void
lac_wave_case_transform_object(LacWaveAnswer *right)
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

void
lac_wave_case_change_object(const LacWaveCase    *it,
                            LacWaveAnswer        *right,
                            const double complex *change)
{
  for (gsize i = 0; i < N_OBJECT; i++) {
    for (gsize k = 0; k < N_FIELD; k++)
      right->values[i] += get_object_phase(k, i) * change[k];
    right->values[i] = it->args.object.mask && it->mask[i] == 0
                         ? 0
                         : project(&it->args.object.prior, right->values[i]);
  }
}

void
lac_wave_case_check_object(LacContract *contract, const LacWaveCase *it, const LacWaveAnswer *right)
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

/* Every unit and noise; with and without a pupil. */
void
lac_wave_case_set_kind(LacContract *contract, LacWaveCase *it, int kind)
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

void
lac_wave_case_add_waves(LacContract *contract, LacWaveCase *it, int kind)
{
  LacWaveSweep *args = &it->args;

  lac_wave_case_constrain(contract, it, kind % 8);
  it->waves = lac_contract_random_buffer(contract, 2 * N_STOPS * N_PIXELS, 1);
  args->waves = it->waves->device;
  args->weights = lac_contract_piece(contract, N_FIELD * sizeof *args->weights, NULL);
  args->fields =
    lac_contract_random_buffer(contract, 2 * 2 * N_ROOM * N_ALONG * N_PIXELS, 1)->device;
  args->within_noise = kind & 1;
  args->pupil_length = NULL;
  args->factors = (LacWaveFactors){kind & 2 ? 2 : 0, -0.8, 0.9, 0.7, -0.8, kind & 4 ? 2 : 0, 1};
}

void
lac_wave_case_begin_waves(const LacWaveCase *it, LacWaveAnswer *right)
{
  lac_wave_case_begin(it, right);
  for (gsize i = 0; i < N_STOPS * N_PIXELS; i++)
    right->waves[i / N_PIXELS][i % N_PIXELS] =
      it->waves->host[2 * i] + it->waves->host[2 * i + 1] * I;
}
