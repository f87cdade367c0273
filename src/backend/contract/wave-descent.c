/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms, likelihood and slopes of the methods that descend, and normal equations. */
#include "backend/contract/wave-case.h"

#include <math.h>
#include <string.h>

static void
run_waves_to_object(LacContract *contract)
{
  for (int kind = 0; kind < 4; kind++) {
    LacWaveCase   *it = lac_wave_case_new(contract);
    double complex change[N_FIELD];
    double         weights[N_FIELD];
    LacWaveAnswer  right;

    lac_wave_case_add_waves(contract, it, kind);
    lac_wave_case_begin_waves(it, &right);
    for (gsize i = 0; i < N_FIELD; i++) {
      weights[i] = (double) lac_wave_case_choose(contract, 4);
      change[i] = GRID * (it->change->host[2 * i] + it->change->host[2 * i + 1] * I);
      if (kind & 1)
        change[i] = weights[i] > 0 ? change[i] / weights[i] : 0;
    }
    memset(right.values, 0, sizeof right.values);
    it->args.weights = kind & 1 ? lac_contract_piece(contract, sizeof weights, weights) : NULL;
    it->args.object.mask = NULL;
    it->args.object.prior = (LacWavePrior){0};
    lac_contract_ok(contract,
                    contract->device.table->waves->to_object(contract->device.self, &it->args));
    lac_wave_case_change_object(it, &right, change);
    lac_wave_case_check_object(contract, it, &right);
    lac_wave_case_transform_object(&right);
    lac_contract_ok(contract,
                    contract->device.table->waves->to_field(contract->device.self, &it->args));
    it->args.object.values = NULL;
    lac_wave_case_check_object(contract, it, &right);
    lac_wave_case_free(contract, it);
  }
}

static double
score(const LacWaveCase *it, gsize pixel, double a)
{
  const LacWaveLikelihood *likelihood = &it->args.likelihood;
  const double             m = it->amplitudes[pixel], s = likelihood->photons, e = likelihood->dark;
  const double             power = it->args.sees_amplitudes ? 1 : 2;

  if (likelihood->is_poisson)
    return s * (a * a - m * m - (m * m + e) * log((a * a + e) / (m * m + e)));
  return it->args.sigma ? pow((pow(a, power) - pow(m, power)) / it->sigma[pixel], 2) / 2
                        : 2 * s * (a - m) * (a - m);
}

/* Scores the fields of a slot, which become the derivatives of its loss by differences. */
static double
score_slot(const LacWaveCase *it, gsize slot, double complex (*fields)[N_PIXELS])
{
  const double step = 1e-5, scale = it->args.likelihood.scale;
  double       loss = 0;

  for (gsize j = 0; j < N_PIXELS; j++) {
    const gsize pixel = (gsize) lac_wave_case_slots[slot].visit * N_PIXELS + j;
    double      square = 0, slope = 0;

    for (gsize along = 0; along < N_ALONG; along++)
      square += pow(cabs(fields[along][j]), 2) / N_ALONG;
    const double a = sqrt(square);
    if (it->amplitudes[pixel] >= 0) {
      loss += scale * score(it, pixel, a);
      slope = scale * (score(it, pixel, a + step) - score(it, pixel, a - step)) / (2 * step);
    }
    for (gsize along = 0; along < N_ALONG; along++)
      fields[along][j] *= slope / a / N_ALONG;
  }
  return loss;
}

static void
run_waves_score(LacContract *contract)
{
  /* the differences, too, are inexact */
  const double roundings = contract->type == LAC_F64 ? 1e7 : ROUNDINGS;

  for (int kind = 0; kind < 16; kind++) {
    LacWaveCase   *it = lac_wave_case_new(contract);
    double complex fields[N_ALONG][N_PIXELS];
    double         losses[N_SLOTS], found[N_SLOTS];
    LacWaveAnswer  right;

    lac_wave_case_set_kind(contract, it, kind);
    lac_wave_case_add_waves(contract, it, 0);
    lac_wave_case_begin_waves(it, &right);
    it->args.likelihood = (LacWaveLikelihood){kind % 3 == 0, 30, 0.01, 0.05};
    it->args.losses = lac_contract_piece(contract, sizeof losses, NULL);
    lac_contract_ok(contract,
                    contract->device.table->waves->score(contract->device.self, &it->args));
    for (gsize slot = 0; slot < N_SLOTS; slot++) {
      losses[slot] = 0;
      if (lac_wave_case_slots[slot].visit < 0 || lac_wave_case_slots[slot].rests)
        continue;
      lac_wave_case_find_fields(it, &right, slot, fields);
      losses[slot] = score_slot(it, slot, fields);
      for (gsize along = 0; along < N_ALONG; along++) {
        const gsize stop = (gsize) lac_wave_case_slots[slot].visit * N_ALONG + along;

        for (gsize i = 0; i < N_BOX; i++)
          if (it->passes[stop * N_BOX + i])
            right.change[lac_wave_case_in_grid(it, stop, i)] +=
              conj(right.pupil[i]) * lac_wave_case_get_back(it, stop, i, fields[along]) / GRID;
      }
    }
    lac_contract_fetch_piece(contract, it->args.losses, sizeof found, found);
    for (gsize slot = 0; slot < N_SLOTS; slot++)
      lac_contract_close(contract, found[slot], losses[slot], 20, ROUNDINGS);
    lac_contract_fetch(contract, it->change);
    for (gsize i = 0; i < N_FIELD; i++) {
      lac_contract_close(contract, it->change->host[2 * i], creal(right.change[i]), 1, roundings);
      lac_contract_close(contract, it->change->host[2 * i + 1], cimag(right.change[i]), 1,
                         roundings);
    }
    lac_wave_case_free(contract, it);
  }
}

static LacWaveSlopes
find_slopes(const LacWaveCase   *it,
            const LacWaveAnswer *right,
            const double        *steps,
            gsize                slot,
            double               t)
{
  LacWaveSlopes sum = {0};

  for (gsize j = 0; j < N_PIXELS; j++) {
    const gsize  stop = (gsize) lac_wave_case_slots[slot].visit * N_ALONG;
    const double m = it->amplitudes[(gsize) lac_wave_case_slots[slot].visit * N_PIXELS + j];
    double       a = 0, first = 0, step = 0;

    for (gsize along = 0; along < N_ALONG; along++) {
      const gsize          i = (stop + along) * N_PIXELS + j;
      const double complex v = steps[2 * i] + steps[2 * i + 1] * I;
      const double complex u = right->waves[stop + along][j] + t * v;

      a += pow(cabs(u), 2) / N_ALONG;
      first += creal(conj(u) * v) / N_ALONG;
      step += pow(cabs(v), 2) / N_ALONG;
    }
    a = sqrt(a);
    first /= a;
    if (m < 0)
      continue;
    sum.first += 2 * (a - m) * first;
    sum.second += 2 * step - 2 * m / a * (step - first * first);
    sum.most += 2 * step;
  }
  return sum;
}

static void
run_waves_slopes(LacContract *contract)
{
  const double  t = 0.3;
  LacWaveSlopes found[N_SLOTS];
  LacWaveCase  *it = lac_wave_case_new(contract);
  LacWaveAnswer right;

  lac_wave_case_add_waves(contract, it, 0);
  lac_wave_case_begin_waves(it, &right);
  const LacContractBuffer *steps = lac_contract_random_buffer(contract, 2 * N_STOPS * N_PIXELS, 1);
  it->args.steps = steps->device;
  it->args.t = lac_contract_piece(contract, sizeof t, &t);
  it->args.slopes = lac_contract_piece(contract, sizeof found, NULL);
  lac_contract_ok(contract,
                  contract->device.table->waves->slopes(contract->device.self, &it->args));
  lac_contract_fetch_piece(contract, it->args.slopes, sizeof found, found);
  for (gsize slot = 0; slot < N_SLOTS; slot++) {
    const gboolean counts =
      lac_wave_case_slots[slot].visit >= 0 && !lac_wave_case_slots[slot].rests;
    const LacWaveSlopes wanted =
      counts ? find_slopes(it, &right, steps->host, slot, t) : (LacWaveSlopes){0};

    lac_contract_close(contract, found[slot].first, wanted.first, 100, ROUNDINGS);
    lac_contract_close(contract, found[slot].second, wanted.second, 100, ROUNDINGS);
    lac_contract_close(contract, found[slot].most, wanted.most, 100, ROUNDINGS);
  }
  lac_wave_case_free(contract, it);
}

/* Finds the tangents of a slot, the last of them m - a, from the fields by the pupil and by its derivatives. */
static void
find_tangents(const LacWaveCase   *it,
              const LacWaveAnswer *right,
              gsize                slot,
              double (*tangents)[N_PIXELS])
{
  double complex fields[N_ALONG][N_PIXELS], changes[N_ALONG][N_PIXELS];
  LacWaveAnswer  derived = *right;

  lac_wave_case_find_fields(it, right, slot, fields);
  for (gsize term = 0; term <= N_TERMS; term++) {
    for (gsize i = 0; i < N_BOX && term < N_TERMS; i++)
      derived.pupil[i] =
        it->derivatives[2 * (term * N_BOX + i)] + it->derivatives[2 * (term * N_BOX + i) + 1] * I;
    lac_wave_case_find_fields(it, &derived, slot, changes);
    for (gsize j = 0; j < N_PIXELS; j++) {
      const double m = it->amplitudes[(gsize) lac_wave_case_slots[slot].visit * N_PIXELS + j];
      double       square = 0, along = 0;

      for (gsize k = 0; k < N_ALONG; k++) {
        square += pow(cabs(fields[k][j]), 2) / N_ALONG;
        along += creal(conj(fields[k][j]) * changes[k][j]) / N_ALONG;
      }
      tangents[term][j] = term < N_TERMS ? along / sqrt(square) : m - sqrt(square);
      if (m < 0)
        tangents[term][j] = 0;
    }
  }
}

static void
run_waves_normals(LacContract *contract)
{
  for (int kind = 0; kind < 2; kind++) {
    enum { N_NORMALS = N_TERMS * (N_TERMS + 1) };
    LacWaveCase  *it = lac_wave_case_new(contract);
    double        found[N_SLOTS][N_NORMALS], tangents[N_TERMS + 1][N_PIXELS];
    LacWaveAnswer right;

    if (kind == 1)
      it->args.pupil = NULL;
    lac_wave_case_begin(it, &right);
    for (gsize i = 0; i < G_N_ELEMENTS(it->derivatives); i++)
      it->derivatives[i] = lac_contract_random(contract);
    it->args.fields =
      lac_contract_random_buffer(contract, 4 * N_ROOM * N_ALONG * N_PIXELS, 1)->device;
    it->args.n_terms = N_TERMS;
    it->args.derivatives = lac_contract_piece(contract, sizeof it->derivatives, it->derivatives);
    it->args.tangents =
      lac_contract_piece(contract, N_ROOM * (N_TERMS + 1) * N_PIXELS * sizeof(double), NULL);
    it->args.normals = lac_contract_piece(contract, sizeof found, NULL);
    lac_contract_ok(contract,
                    contract->device.table->waves->normals(contract->device.self, &it->args));
    lac_contract_fetch_piece(contract, it->args.normals, sizeof found, found);
    for (gsize slot = 0; slot < N_SLOTS; slot++) {
      const gboolean counts =
        lac_wave_case_slots[slot].visit >= 0 && !lac_wave_case_slots[slot].rests;

      if (counts)
        find_tangents(it, &right, slot, tangents);
      for (gsize i = 0; i < N_NORMALS; i++) {
        double wanted = 0;

        for (gsize j = 0; j < N_PIXELS && counts; j++)
          wanted += tangents[i / (N_TERMS + 1)][j] * tangents[i % (N_TERMS + 1)][j];
        lac_contract_close(contract, found[slot][i], wanted, 100, ROUNDINGS);
      }
    }
    lac_wave_case_free(contract, it);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_descent_rows[] = {
  {"waves-to-object", run_waves_to_object, is_known},
  {"waves-score", run_waves_score, is_known},
  {"waves-slopes", run_waves_slopes, is_known},
  {"waves-normals", run_waves_normals, is_known},
  {NULL},
};
