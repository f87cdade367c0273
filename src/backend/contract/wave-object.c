/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descents over the pixels of an object: derivatives against differences, stages against their definitions. */
#include "backend/contract/wave-case.h"

#include <math.h>
#include <string.h>

/* An object, real or not, bounded or not, within a mask or not. */
typedef struct {
  LacWavePrior   prior;
  double         mask[N_OBJECT];
  const double  *device_mask;
  double complex values[N_OBJECT];
} Pixels;

static Pixels
make_pixels(LacContract *contract, int kind)
{
  Pixels it = {.prior = {.is_real = kind & 1, .is_bounded = kind & 2, .low = -0.3, .high = 0.6}};

  for (gsize i = 0; i < N_OBJECT; i++) {
    const double re = lac_contract_random(contract), im = lac_contract_random(contract);

    it.mask[i] = kind & 4 && i % 7 == 3 ? 0 : 1;
    it.values[i] = CMPLX(re, it.prior.is_real ? 0 : im);
  }
  it.device_mask = kind & 4 ? lac_contract_piece(contract, sizeof it.mask, it.mask) : NULL;
  return it;
}

static void
fetch_pairs(LacContract *contract, const double *from, double complex *pairs)
{
  lac_contract_fetch_piece(contract, (gpointer) from, N_OBJECT * sizeof *pairs, pairs);
}

static void
check_pair(LacContract *contract, double complex found, double complex right, double roundings)
{
  lac_contract_close(contract, creal(found), creal(right), 1, roundings);
  lac_contract_close(contract, cimag(found), cimag(right), 1, roundings);
}

/* The object of the variables, as two numbers for each pixel of a complex one. */
static double complex
get_pixel(const Pixels *it, const double *theta, gsize i)
{
  if (it->mask[i] == 0)
    return 0;
  if (!it->prior.is_real)
    return CMPLX(theta[2 * i], theta[2 * i + 1]);
  return it->prior.is_bounded ? 0.15 + 0.45 * sin(theta[i]) : theta[i];
}

static void
run_waves_variables(LacContract *contract)
{
  const double step = 1e-5;

  for (int kind = 0; kind < 8; kind++) {
    const Pixels   it = make_pixels(contract, kind);
    const gsize    n_each = it.prior.is_real ? 1 : 2, n = n_each * N_OBJECT;
    double         theta[2 * N_OBJECT], theta_bar[2 * N_OBJECT];
    double complex bar[N_OBJECT], found[N_OBJECT];

    for (gsize i = 0; i < 2 * N_OBJECT; i++)
      theta[i] = 2 * lac_contract_random(contract);
    for (gsize i = 0; i < N_OBJECT; i++)
      bar[i] = CMPLX(lac_contract_random(contract), lac_contract_random(contract));
    const LacWaveVariables args = {
      .support = SUPPORT,
      .prior = it.prior,
      .mask = it.device_mask,
      .theta = lac_contract_piece(contract, n * sizeof *theta, theta),
      .values = lac_contract_piece(contract, sizeof found, NULL),
      .bar = lac_contract_piece(contract, sizeof bar, bar),
      .theta_bar = lac_contract_piece(contract, n * sizeof *theta, NULL),
    };
    const LacWaveKernels *kernels = contract->device.table->waves;
    lac_contract_ok(contract, kernels->reparametrise(contract->device.self, &args));
    lac_contract_ok(contract, kernels->reparametrise_reverse(contract->device.self, &args));
    fetch_pairs(contract, args.values, found);
    lac_contract_fetch_piece(contract, args.theta_bar, n * sizeof *theta, theta_bar);
    for (gsize i = 0; i < N_OBJECT; i++)
      check_pair(contract, found[i], get_pixel(&it, theta, i), ROUNDINGS);
    for (gsize t = 0; t < n; t++) {
      double sides[2];

      for (guint side = 0; side < 2; side++) {
        double moved[2 * N_OBJECT];

        memcpy(moved, theta, n * sizeof *moved);
        moved[t] += side ? -step : step;
        sides[side] = creal(conj(bar[t / n_each]) * get_pixel(&it, moved, t / n_each));
      }
      lac_contract_close(contract, theta_bar[t], (sides[0] - sides[1]) / (2 * step), 1, 1e7);
    }
    lac_contract_clear(contract);
  }
}

enum { VARIATION = 3, EXCESS = 5 };

static double
penalise(const Pixels *it, const double complex *o)
{
  const double e = LAC_WAVE_LEAST_STEP;
  double       sum = 0;

  for (gsize i = 0; i < N_OBJECT; i++) {
    const double right = i % SUPPORT + 1 < SUPPORT ? cabs(o[i + 1] - o[i]) : 0;
    const double below = i + SUPPORT < N_OBJECT ? cabs(o[i + SUPPORT] - o[i]) : 0;

    sum += VARIATION * (sqrt(right * right + below * below + e * e) - e);
    if (cabs(o[i]) > it->prior.high)
      sum += EXCESS * pow(cabs(o[i]) - it->prior.high, 2);
  }
  return sum;
}

/* The derivatives are added to what was there. */
static void
run_waves_penalise(LacContract *contract)
{
  const double step = 1e-5;
  Pixels       it = make_pixels(contract, 2);
  double       penalties[SUPPORT], sum = 0;

  double complex before[N_OBJECT], bar[N_OBJECT];
  for (gsize i = 0; i < N_OBJECT; i++)
    before[i] = CMPLX(lac_contract_random(contract), lac_contract_random(contract));
  const LacWaveVariables args = {
    .support = SUPPORT,
    .prior = it.prior,
    .values = lac_contract_piece(contract, sizeof it.values, it.values),
    .bar = lac_contract_piece(contract, sizeof before, before),
    .variation = VARIATION,
    .excess = EXCESS,
    .penalties = lac_contract_piece(contract, sizeof penalties, NULL),
  };
  lac_contract_ok(contract, contract->device.table->waves->penalise(contract->device.self, &args));
  lac_contract_fetch_piece(contract, args.penalties, sizeof penalties, penalties);
  fetch_pairs(contract, args.bar, bar);
  for (gsize y = 0; y < SUPPORT; y++)
    sum += penalties[y];
  lac_contract_close(contract, sum, penalise(&it, it.values), N_OBJECT, ROUNDINGS);
  for (gsize i = 0; i < 2 * N_OBJECT; i++) {
    const double complex unit = i % 2 ? I : 1, at = it.values[i / 2];
    double               sides[2];

    for (guint side = 0; side < 2; side++) {
      it.values[i / 2] = at + (side ? -step : step) * unit;
      sides[side] = penalise(&it, it.values);
    }
    it.values[i / 2] = at;
    lac_contract_close(contract, creal(conj(unit) * (bar[i / 2] - before[i / 2])),
                       (sides[0] - sides[1]) / (2 * step), 10, 1e7);
  }
  lac_contract_clear(contract);
}

static gboolean
is_held(const Pixels *it, gsize i, double slope)
{
  const double value = creal(it->values[i]);

  return it->mask[i] == 0 ||
         (it->prior.is_real && it->prior.is_bounded &&
          ((value <= it->prior.low && slope > 0) || (value >= it->prior.high && slope < 0)));
}

/* All three stages, one after the other; the restart where the direction descends, and where it does not. */
static void
run_waves_conjugate(LacContract *contract)
{
  for (int kind = 0; kind < 32; kind++) {
    const Pixels it = make_pixels(contract, kind);
    const double numbers[LAC_CONJUGATE_N_NUMBERS] = {2, 0.5, kind & 8 ? -1 : 1, kind & 16 ? 3 : 0};
    const double beta = kind & 8 && kind & 16 ? 0.5 : 0;
    double complex given[3][N_OBJECT], found[3][N_OBJECT], right[3][N_OBJECT];
    double        *on_device[3];

    for (gsize part = 0; part < 3; part++) {
      for (gsize i = 0; i < N_OBJECT; i++)
        given[part][i] = CMPLX(lac_contract_random(contract), lac_contract_random(contract));
      on_device[part] = lac_contract_piece(contract, sizeof given[part], given[part]);
    }
    LacWaveConjugate args = {
      .support = SUPPORT,
      .prior = it.prior,
      .mask = it.device_mask,
      .values = lac_contract_piece(contract, sizeof it.values, it.values),
      .gradient = on_device[0],
      .conditioned = on_device[1],
      .direction = on_device[2],
      .numbers = lac_contract_piece(contract, sizeof numbers, numbers),
    };
    for (int stage = LAC_CONJUGATE_HOLD; stage <= LAC_CONJUGATE_RESTART; stage++) {
      args.stage = (LacWaveConjugateStage) stage;
      lac_contract_ok(contract,
                      contract->device.table->waves->conjugate(contract->device.self, &args));
    }
    for (gsize i = 0; i < N_OBJECT; i++) {
      const gboolean held = is_held(&it, i, creal(given[0][i]));

      for (gsize part = 0; part < 2; part++)
        right[part][i] = held ? 0 : it.prior.is_real ? creal(given[part][i]) : given[part][i];
      right[2][i] = beta * given[2][i] - right[1][i];
      if (is_held(&it, i, -creal(right[2][i])))
        right[2][i] = 0;
    }
    for (gsize part = 0; part < 3; part++) {
      fetch_pairs(contract, on_device[part], found[part]);
      for (gsize i = 0; i < N_OBJECT; i++)
        check_pair(contract, found[part][i], right[part][i], ROUNDINGS);
    }
    lac_contract_clear(contract);
  }
}

static void
run_waves_newton(LacContract *contract)
{
  const LacWaveSlopes slopes[][2] = {{{2, 3, 9}, {1, 1, 1}},
                                     {{2, -3, 9}, {1, 1, 1}},
                                     {{20, 3, 9}, {1, 1, 1}},
                                     {{0, 0, 0}, {0, 0, 0}}};
  const double        right[][2] = {{-0.25, 0}, {0.2, 0.2}, {-4.75, 0}, {0.5, 0.5}};

  for (gsize i = 0; i < G_N_ELEMENTS(right); i++)
    for (int is_last = 0; is_last < 2; is_last++) {
      const double  t = 0.5;
      double        found;
      LacWaveNewton args = {
        .n_slots = 2,
        .slopes = lac_contract_piece(contract, sizeof slopes[i], slopes[i]),
        .least = 0.01,
        .is_last = is_last,
        .t = lac_contract_piece(contract, sizeof t, &t),
      };

      lac_contract_ok(contract,
                      contract->device.table->waves->newton(contract->device.self, &args));
      lac_contract_fetch_piece(contract, args.t, sizeof found, &found);
      lac_contract_close(contract, found, right[i][is_last], 1, ROUNDINGS);
      lac_contract_clear(contract);
    }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_object_rows[] = {
  {"waves-variables", run_waves_variables, is_known},
  {"waves-penalise", run_waves_penalise, is_known},
  {"waves-conjugate", run_waves_conjugate, is_known},
  {"waves-newton", run_waves_newton, is_known},
  {NULL},
};
