/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of a wavefunction, counted from its matrix products, and the spans that record it. */
#include "backend/cpu/electrons/plan.h"
#include "experiment/quantum/wavefunction/wavefunction-private.h"

static const char *const names[LAC_WAVEFUNCTION_N_OPERATIONS] = {
  [LAC_WAVEFUNCTION_VALUE] = "wavefunction",
  [LAC_WAVEFUNCTION_LOCAL] = "forward Laplacian",
  [LAC_WAVEFUNCTION_MOVE] = "Metropolis moves",
  [LAC_WAVEFUNCTION_TAPE] = "wavefunction and its reverse",
  [LAC_WAVEFUNCTION_GRADIENT] = "parameter gradient",
  [LAC_WAVEFUNCTION_APPLY] = "derivative along a direction",
  [LAC_WAVEFUNCTION_GRAM] = "Gram matrix",
  [LAC_WAVEFUNCTION_SOLVE] = "natural-gradient equation",
  [LAC_WAVEFUNCTION_FACTORS] = "Kronecker factors",
  [LAC_WAVEFUNCTION_ORBITALS] = "orbitals",
};

/* Products of inputs and of deltas over pairs of repeats, or of O itself where it is formed. */
static double
count_gram(const LacElectronPlan *plan)
{
  double sum = (double) plan->tape.n_direct;

  for (gsize i = 0; i < plan->n_blocks; i++) {
    const LacBlockPlan *block = &plan->block[i];
    const double        repeats = (double) (block->repeats * block->repeats);

    for (gsize k = 0; !block->formed && k < block->n_parts; k++)
      sum += (double) block->part[k].n * (block->part[k].row ? repeats : 1);
    sum += block->formed ? 0 : repeats * (double) block->delta.n;
  }
  return 2 * sum;
}

/* Outer products of inputs and deltas of the blocks whose O is formed. */
static double
count_form(const LacElectronPlan *plan)
{
  double sum = 0;

  for (gsize i = 0; i < plan->n_blocks; i++) {
    const LacBlockPlan *block = &plan->block[i];

    for (gsize k = 0; block->formed && k < block->n_parts; k++)
      sum += (double) (block->repeats * block->part[k].n * block->delta.n);
  }
  return 2 * sum;
}

/* Outer products of inputs and deltas, over all repeats or with their sum. */
static double
count_gradient(const LacElectronPlan *plan)
{
  double sum = 0;

  for (gsize b = 0; b < plan->n_blocks; b++) {
    const LacBlockPlan *block = &plan->block[b];

    for (gsize i = 0; i < block->n_parts; i++) {
      const gboolean once = block->part[i].row == 0 && block->total.n;

      sum += (double) (block->part[i].n * block->delta.n * (once ? 1 : block->repeats));
    }
  }
  return 2 * sum;
}

/* Two operations per weight and row. The first layer has five rows per electron, pairs have five per pair. */
LacWavefunctionCost
lac_wavefunction_count(const LacElectronShape *shape)
{
  const double        n = (double) shape->n_electrons, rows = 3 * n + 2;
  LacWavefunctionCost cost = {0};
  LacElectronPlan     plan;

  lac_electron_plan_init(&plan, shape, 1, 1,
                         sizeof(double)); /* counts depend on neither lanes nor type */

  for (gsize l = 0; l < shape->n_layers; l++) {
    const double f = (double) shape->one[l + 1], channels = (double) shape->n_channels;
    const double self_part = (double) shape->one[l] * f, mean_part = channels * self_part;
    const double pairs_of_one = (double) shape->pair[l] * f, among = channels * pairs_of_one;

    cost.value += n * (self_part + among) + mean_part;
    cost.local += n * 5 * among + n * 3 * (n - 1) * pairs_of_one;
    cost.local += l ? (n * self_part + mean_part) * rows
                    : n * 5 * self_part + 2 * mean_part + 3 * n * self_part;
    if (l + 1 < shape->n_layers) {
      const double pair = (double) (shape->pair[l] * shape->pair[l + 1]);
      cost.value += n * n * pair;
      cost.local += (5 * n * (n - 1) + 2) * pair;
    }
  }
  for (gsize s = 0; s < shape->n_channels; s++) {
    const double orbitals =
      (double) (shape->n[s] * shape->one[shape->n_layers] * shape->n_columns[s]);
    cost.value += orbitals;
    cost.local += rows * orbitals;
  }
  cost.value *= 2;
  cost.local *= 2;
  cost.tape = 2 * cost.value; /* forward, and back to the input of every layer */
  cost.gradient = count_gradient(&plan);
  cost.form = count_form(&plan);
  cost.gram = count_gram(&plan);
  return cost;
}

double
lac_wavefunction_find_flops(const LacWavefunction   *self,
                            LacWavefunctionOperation operation,
                            double                   n)
{
  const gboolean rows = lac_wavefunction_device_get_kernels(self->derivatives)->stores_rows;
  const double   of_row = 2 * (double) self->shape.n_params;

  switch (operation) {
  case LAC_WAVEFUNCTION_LOCAL: return n * self->cost.local;
  case LAC_WAVEFUNCTION_TAPE: return n * self->cost.tape;
  case LAC_WAVEFUNCTION_GRADIENT: return n * (rows ? of_row : self->cost.gradient);
  case LAC_WAVEFUNCTION_APPLY: return n * (rows ? of_row : self->cost.value);
  case LAC_WAVEFUNCTION_GRAM:
    return rows ? n * n * of_row : n * self->cost.form + 0.5 * n * n * self->cost.gram;
  case LAC_WAVEFUNCTION_SOLVE: return n * n * n / 3;
  case LAC_WAVEFUNCTION_VALUE:
  case LAC_WAVEFUNCTION_MOVE:
  case LAC_WAVEFUNCTION_ORBITALS:
  case LAC_WAVEFUNCTION_FACTORS:
  case LAC_WAVEFUNCTION_N_OPERATIONS: break;
  }
  return n * self->cost.value;
}

void
lac_wavefunction_record(LacWavefunction *self, LacPerf *perf, LacLane *lane)
{
  self->perf = perf;
  self->lane = perf && lac_perf_get_detail(perf) != LAC_PERF_OFF ? lane : NULL;
  for (guint i = 0; self->lane && i < LAC_WAVEFUNCTION_N_OPERATIONS; i++)
    self->names[i] = lac_perf_name(perf, names[i]);
}

LacSpan
lac_wavefunction_begin(LacWavefunction *self, LacWavefunctionOperation operation)
{
  return self->lane ? lac_span_begin(self->lane, self->names[operation]) : (LacSpan){0};
}

void
lac_wavefunction_end(LacWavefunction *self, LacSpan span, double flops)
{
  if (!self->lane)
    return;
  span.flops = flops;
  lac_span_end(self->lane, span, -1);
}
