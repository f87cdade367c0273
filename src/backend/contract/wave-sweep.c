/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survey and sweep over scan positions. */
#include "backend/contract/wave-case.h"

#include <math.h>

static void
see(const LacWaveCase *it, LacWaveAnswer *right, gsize slot, double complex (*fields)[N_PIXELS])
{
  lac_wave_case_find_fields(it, right, slot, fields);
  for (gsize j = 0; j < N_PIXELS; j++) {
    double square = 0, factor;

    for (gsize along = 0; along < N_ALONG; along++)
      square += creal(fields[along][j] * conj(fields[along][j])) / N_ALONG;
    factor = lac_wave_case_look(it, slot, j, sqrt(square), &right->distances[slot]);
    for (gsize along = 0; along < N_ALONG; along++)
      fields[along][j] *= factor;
  }
}

static double
find_brightest(const LacWaveCase *it, const LacWaveAnswer *right, gsize stop)
{
  double largest = 0;

  for (gsize i = 0; i < N_BOX; i++)
    if (it->passes[stop * N_BOX + i])
      largest = fmax(largest, pow(cabs(right->object[lac_wave_case_in_grid(it, stop, i)]), 2));
  return largest;
}

/* Updates the pupil, and adds what the object's transform changes by to @to. */
static void
follow(const LacWaveCase *it,
       LacWaveAnswer     *right,
       gsize              slot,
       const double       complex (*fields)[N_PIXELS],
       double complex    *to)
{
  for (gsize along = 0; along < N_ALONG; along++) {
    const gsize  stop = (gsize) lac_wave_case_slots[slot].visit * N_ALONG + along;
    const double largest = find_brightest(it, right, stop);

    for (gsize i = 0; i < N_BOX; i++) {
      const gsize          at = lac_wave_case_in_grid(it, stop, i);
      double complex      *p = &right->pupil[i], o = right->object[at], by = *p;
      const double complex change = lac_wave_case_get_back(it, stop, i, fields[along]);
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
check_distances(LacContract *contract, const LacWaveCase *it, const LacWaveAnswer *right)
{
  LacWaveDistance found[N_SLOTS];

  lac_contract_fetch_piece(contract, it->args.distances, sizeof found, found);
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    check_distance(contract, &found[slot], &right->distances[slot]);
}

static void
check_survey(LacContract *contract, const LacWaveCase *it)
{
  double complex fields[N_ALONG][N_PIXELS];
  LacWaveAnswer  right;

  lac_wave_case_begin(it, &right);
  lac_contract_ok(contract,
                  contract->device.table->waves->survey(contract->device.self, &it->args));
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    if (lac_wave_case_slots[slot].visit >= 0)
      see(it, &right, slot, fields);
  check_distances(contract, it, &right);
}

static void
run_waves_survey(LacContract *contract)
{
  for (int kind = 0; kind < 16; kind++) {
    LacWaveCase *it = lac_wave_case_new(contract);

    lac_wave_case_set_kind(contract, it, kind);
    check_survey(contract, it);
    lac_wave_case_free(contract, it);
  }
}

static void
sweep_slot(const LacWaveCase *it, LacWaveAnswer *right, gsize slot)
{
  const gboolean is_constrained = it->args.object.values != NULL;
  double complex fields[N_ALONG][N_PIXELS], change[N_FIELD] = {0};

  if (is_constrained)
    lac_wave_case_transform_object(right);
  see(it, right, slot, fields);
  if (lac_wave_case_slots[slot].rests)
    return;
  follow(it, right, slot, (const double complex(*)[N_PIXELS]) fields,
         is_constrained ? change : right->object);
  if (is_constrained)
    lac_wave_case_change_object(it, right, change);
}

static void
check_sweep(LacContract *contract, LacWaveCase *it)
{
  double        pupil[2 * N_BOX];
  LacWaveAnswer right;

  lac_wave_case_begin(it, &right);
  lac_contract_ok(contract, contract->device.table->waves->sweep(contract->device.self, &it->args));
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    if (lac_wave_case_slots[slot].visit >= 0)
      sweep_slot(it, &right, slot);
  if (it->args.distances)
    check_distances(contract, it, &right);
  lac_wave_case_check_object(contract, it, &right);
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
    LacWaveCase *it = lac_wave_case_new(contract);

    lac_wave_case_set_kind(contract, it, kind);
    if (kind % 3 == 0)
      it->args.distances = NULL;
    check_sweep(contract, it);
    lac_wave_case_free(contract, it);
  }
}

static void
run_waves_sweep_constrained(LacContract *contract)
{
  for (int kind = 0; kind < 32; kind++) {
    LacWaveCase *it = lac_wave_case_new(contract);

    lac_wave_case_set_kind(contract, it, kind);
    lac_wave_case_constrain(contract, it, (kind + kind / 8) % 8);
    if (kind % 3 == 0)
      it->args.distances = NULL;
    check_sweep(contract, it);
    lac_wave_case_free(contract, it);
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
  {NULL},
};
