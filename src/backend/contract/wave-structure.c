/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural losses of exposures against those of the images in double precision, and what a comparison makes of them. */
#include "backend/contract/private.h"
#include "backend/structure.h"
#include "backend/waves.h"

#include <math.h>

/* Two scales; more slots than have room at a time, one of them empty. */
enum {
  SIDE = 24,
  N_PIXELS = SIDE * SIDE,
  GRID = 40,
  N_ALONG = 2,
  N_VISITS = 3,
  N_SLOTS = 4,
  N_MAPS = 2
};
enum { N_RESULT = 1 + N_PIXELS };

static const LacWaveSlot slots[N_SLOTS] = {{2, 0}, {-1, 0}, {0, 1}, {1, 0}};

typedef struct {
  LacWaves           args;
  LacContractBuffer *fields; /* pairs */
  double             before[2 * N_SLOTS * N_ALONG * N_PIXELS];
  double             amplitudes[N_VISITS * N_PIXELS];
  double             images[N_SLOTS][N_PIXELS]; /* predicted amplitudes */
} Exposures;

static Exposures *
make_exposures(LacContract *contract)
{
  Exposures *it = g_new0(Exposures, 1);
  double     noise[LAC_WAVE_NOISE] = {0};

  it->fields = lac_contract_random_buffer(contract, G_N_ELEMENTS(it->before), 1);
  for (gsize i = 0; i < N_VISITS * N_PIXELS; i++)
    it->amplitudes[i] = i % 10 == 3 ? -0.5 : 0.4 + 0.3 * lac_contract_random(contract);
  for (gsize i = 0; i < G_N_ELEMENTS(it->before); i++)
    it->before[i] = it->fields->host[i];
  for (gsize i = 0; i < N_SLOTS * N_PIXELS; i++) {
    double sum = 0;

    for (gsize along = 0; along < N_ALONG; along++) {
      const double *u =
        it->before + 2 * ((i / N_PIXELS * N_ALONG + along) * N_PIXELS + i % N_PIXELS);

      sum += (u[0] * u[0] + u[1] * u[1]) / N_ALONG;
    }
    it->images[i / N_PIXELS][i % N_PIXELS] = sqrt(sum);
  }
  it->args = (LacWaves){
    .type = contract->type,
    .grid = GRID,
    .detector = SIDE,
    .n_along = N_ALONG,
    .n_slots = N_SLOTS,
    .slots = lac_contract_piece(contract, sizeof slots, slots),
    .amplitudes = lac_contract_piece(contract, sizeof it->amplitudes, it->amplitudes),
    .noise = lac_contract_piece(contract, sizeof noise, noise),
    .fields = it->fields->device,
    .misfits = lac_contract_piece(contract, N_SLOTS * sizeof(LacWaveMisfit), NULL),
    .n_maps = N_MAPS,
    .maps = lac_contract_doubles(contract, N_MAPS * LAC_WAVE_MAPS * N_PIXELS),
    .dissimilarities = lac_contract_doubles(contract, N_SLOTS * N_RESULT),
  };
  return it;
}

/* Finds loss and derivatives of a slot; @right: [N_RESULT] */
static void
expect_slot(const Exposures *it, gsize slot, double *right)
{
  static double scratch[LAC_STRUCTURE_MAPS * N_PIXELS];
  const double  weights[] = {it->args.weight_ms_ssim, it->args.weight_ssim};
  double        bar[N_PIXELS];

  for (gsize i = 0; i < N_RESULT; i++)
    right[i] = 0;
  for (int is_plain = 0; is_plain < 2 && slots[slot].visit >= 0; is_plain++) {
    const LacStructure images = {.side = SIDE,
                                 .predicted = it->images[slot],
                                 .measured = it->amplitudes + slots[slot].visit * N_PIXELS,
                                 .scale = (double) SIDE / GRID,
                                 .scratch = scratch};

    right[0] += weights[is_plain] * lac_structure_find(&images, is_plain, weights[is_plain], bar);
    for (gsize i = 0; i < N_PIXELS; i++)
      right[1 + i] += bar[i];
  }
}

static void
check_slot(LacContract *contract, Exposures *it, gsize slot, const double *found)
{
  double right[N_RESULT];

  expect_slot(it, slot, right);
  for (gsize i = 0; i < N_RESULT; i++)
    lac_contract_close(contract, found[slot * N_RESULT + i], right[i], 1, 400);
  for (gsize i = 0; i < N_ALONG * N_PIXELS && slots[slot].visit >= 0; i++) {
    const gsize  at = 2 * (slot * N_ALONG * N_PIXELS + i);
    const double factor = right[1 + i % N_PIXELS] / (N_ALONG * it->images[slot][i % N_PIXELS]);

    for (gsize part = 0; part < 2; part++)
      lac_contract_close(contract, it->fields->host[at + part], factor * it->before[at + part], 1,
                         400);
  }
}

static void
run_waves_structure(LacContract *contract)
{
  static const double weights[][2] = {{1, 0}, {0, 1}, {0.3, 0.6}};

  for (gsize w = 0; w < G_N_ELEMENTS(weights); w++) {
    Exposures            *it = make_exposures(contract);
    const LacWaveKernels *kernels = contract->device.table->waves;
    double                found[N_SLOTS * N_RESULT];
    LacWaveMisfit         misfits[N_SLOTS];

    it->args.weight_ssim = weights[w][0];
    it->args.weight_ms_ssim = weights[w][1];
    lac_contract_ok(contract, kernels->structure(contract->device.self, &it->args));
    lac_contract_ok(contract, kernels->compare(contract->device.self, &it->args));
    lac_contract_fetch_piece(contract, it->args.dissimilarities, sizeof found, found);
    lac_contract_fetch_piece(contract, it->args.misfits, sizeof misfits, misfits);
    lac_contract_fetch(contract, it->fields);
    for (gsize slot = 0; slot < N_SLOTS; slot++) {
      check_slot(contract, it, slot, found);
      lac_contract_close(contract, misfits[slot].loss, found[slot * N_RESULT], 1, 20);
    }
    lac_contract_clear(contract);
    g_free(it);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_structure_rows[] = {
  {"waves-structure", run_waves_structure, is_known},
  {NULL},
};
