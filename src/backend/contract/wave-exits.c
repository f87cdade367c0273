/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iteration over exit waves. */
#include "backend/contract/wave-case.h"

#include <math.h>
#include <string.h>

/* Projects fields onto the measured amplitudes. */
static void
measure(const LacWaveCase *it, gsize slot, double complex (*fields)[N_PIXELS])
{
  LacWaveDistance distance = {0};
  double          factors[N_PIXELS], share = 1;

  if (lac_wave_case_slots[slot].rests)
    return;
  for (gsize j = 0; j < N_PIXELS; j++) {
    double square = 0;

    for (gsize along = 0; along < N_ALONG; along++)
      square += pow(cabs(fields[along][j]), 2) / N_ALONG;
    factors[j] = lac_wave_case_look(it, slot, j, sqrt(square), &distance);
  }
  if (it->args.within_noise)
    share = fmax(0, 1 - sqrt(distance.expected / distance.distance));
  for (gsize i = 0; i < N_ALONG * N_PIXELS; i++)
    fields[i / N_PIXELS][i % N_PIXELS] *= 1 + share * factors[i % N_PIXELS];
}

static void
collect_slot(const LacWaveCase *it, LacWaveAnswer *right, gsize slot)
{
  const LacWaveFactors *factors = &it->args.factors;
  double complex        fields[N_ALONG][N_PIXELS];
  double                complex(*waves)[N_PIXELS] =
    &right->waves[(gsize) lac_wave_case_slots[slot].visit * N_ALONG];

  memcpy(fields, waves, sizeof fields);
  measure(it, slot, fields);
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize stop = (gsize) lac_wave_case_slots[slot].visit * N_ALONG + along;

    for (gsize j = 0; j < N_PIXELS; j++)
      fields[along][j] = factors->measured * fields[along][j] + factors->wave * waves[along][j];
    for (gsize i = 0; i < N_BOX; i++)
      if (it->passes[stop * N_BOX + i]) {
        right->change[lac_wave_case_in_grid(it, stop, i)] +=
          conj(right->pupil[i]) * lac_wave_case_get_back(it, stop, i, fields[along]) / GRID;
        right->weights[lac_wave_case_in_grid(it, stop, i)]++;
      }
  }
}

static void
run_waves_collect(LacContract *contract)
{
  for (int kind = 0; kind < 16; kind++) {
    LacWaveCase  *it = lac_wave_case_new(contract);
    double        weights[N_FIELD];
    LacWaveAnswer right;

    lac_wave_case_set_kind(contract, it, kind);
    lac_wave_case_add_waves(contract, it, kind);
    lac_wave_case_begin_waves(it, &right);
    lac_contract_ok(contract,
                    contract->device.table->waves->collect(contract->device.self, &it->args));
    for (gsize slot = 0; slot < N_SLOTS; slot++)
      if (lac_wave_case_slots[slot].visit >= 0 && !lac_wave_case_slots[slot].rests)
        collect_slot(it, &right, slot);
    lac_contract_fetch_piece(contract, it->args.weights, sizeof weights, weights);
    lac_contract_fetch(contract, it->change);
    for (gsize i = 0; i < N_FIELD; i++) {
      lac_contract_close(contract, weights[i], right.weights[i], 1, 1);
      lac_contract_close(contract, it->change->host[2 * i], creal(right.change[i]), 1, ROUNDINGS);
      lac_contract_close(contract, it->change->host[2 * i + 1], cimag(right.change[i]), 1,
                         ROUNDINGS);
    }
    lac_wave_case_free(contract, it);
  }
}

/* The field is that of the object before; single pixels of the grid have no weight. */
static void
run_waves_average(LacContract *contract)
{
  for (int kind = 0; kind < 8; kind++) {
    LacWaveCase   *it = lac_wave_case_new(contract);
    double complex change[N_FIELD];
    double         weights[N_FIELD];
    LacWaveAnswer  right;

    lac_wave_case_add_waves(contract, it, kind);
    lac_wave_case_begin_waves(it, &right);
    for (gsize i = 0; i < N_FIELD; i++) {
      const double complex sum = it->change->host[2 * i] + it->change->host[2 * i + 1] * I;

      weights[i] = (double) lac_wave_case_choose(contract, 4);
      change[i] = weights[i] > 0 ? GRID * sum / weights[i] - right.object[i] : 0;
    }
    it->args.weights = lac_contract_piece(contract, sizeof weights, weights);
    lac_contract_ok(contract,
                    contract->device.table->waves->average(contract->device.self, &it->args));
    lac_wave_case_change_object(it, &right, change);
    lac_wave_case_check_object(contract, it, &right);
    lac_wave_case_transform_object(&right);
    it->args.object.values = NULL;
    lac_wave_case_check_object(contract, it, &right);
    lac_wave_case_free(contract, it);
  }
}

static void
relax_slot(const LacWaveCase *it, LacWaveAnswer *right, gsize slot)
{
  const LacWaveFactors *factors = &it->args.factors;
  double complex        seen[N_ALONG][N_PIXELS], moved[N_ALONG][N_PIXELS];
  double complex       *waves = right->waves[(gsize) lac_wave_case_slots[slot].visit * N_ALONG];

  lac_wave_case_find_fields(it, right, slot, seen);
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
    LacWaveCase  *it = lac_wave_case_new(contract);
    LacWaveAnswer right;

    lac_wave_case_set_kind(contract, it, kind);
    lac_wave_case_add_waves(contract, it, kind);
    it->args.n_slots = N_SLOTS - 1;
    lac_wave_case_begin_waves(it, &right);
    lac_contract_ok(contract,
                    contract->device.table->waves->relax(contract->device.self, &it->args));
    for (gsize slot = 0; slot < it->args.n_slots; slot++)
      if (lac_wave_case_slots[slot].visit >= 0)
        relax_slot(it, &right, slot);
    lac_contract_fetch(contract, it->waves);
    for (gsize i = 0; i < N_STOPS * N_PIXELS; i++) {
      const double complex found = it->waves->host[2 * i] + it->waves->host[2 * i + 1] * I;
      const double complex wanted = right.waves[i / N_PIXELS][i % N_PIXELS];

      lac_contract_close(contract, creal(found), creal(wanted), 20, ROUNDINGS);
      lac_contract_close(contract, cimag(found), cimag(wanted), 20, ROUNDINGS);
    }
    lac_wave_case_free(contract, it);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_exit_rows[] = {
  {"waves-collect", run_waves_collect, is_known},
  {"waves-average", run_waves_average, is_known},
  {"waves-relax", run_waves_relax, is_known},
  {NULL},
};
