/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public functions of the wavefunction: groups of walkers on the pool, each worker with its own work area. */
#include "experiment/quantum/wavefunction/wavefunction.h"

#include "backend/cpu/cpu.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/quantum/wavefunction/wavefunction-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, MAX_WIDTH = 4096, MAX_DETERMINANTS = 256 };

static const LacElectronKernels *
get_kernels(const char *precision, guint without)
{
  const guint level = without & LAC_WAVEFUNCTION_WITHOUT_VECTORS ? 0 : (guint) lac_cpu_level();

  static const LacElectronKernels *const kernels[][2] = {
#define L(level) {&lac_electron_kernels_##level##_f32, &lac_electron_kernels_##level##_f64},
    LAC_ELECTRON_LEVELS(L)
#undef L
  };

  return kernels[level][g_str_equal(precision, "f64")];
}

static gboolean
check_count(const char *what, guint n, guint most, GError **error)
{
  if (n >= 1 && n <= most)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s is %u; it may be 1 to %u.", what, n,
              most);
  return FALSE;
}

gboolean
lac_ansatz_check(const LacAnsatz *ansatz, GError **error)
{
  return check_count("The width of the stream of electrons", ansatz->one_width, MAX_WIDTH, error) &&
         check_count("The width of the stream of pairs", ansatz->pair_width, MAX_WIDTH, error) &&
         check_count("The number of layers", ansatz->n_layers, LAC_ANSATZ_MAX_LAYERS, error) &&
         check_count("The number of determinants", ansatz->n_determinants, MAX_DETERMINANTS, error);
}

void *
lac_wavefunction_alloc(gsize n_bytes)
{
  void *memory = NULL;

  if (posix_memalign(&memory, ALIGNMENT, MAX(n_bytes, ALIGNMENT)) != 0)
    g_error("%" G_GSIZE_FORMAT " bytes cannot be allocated", n_bytes);
  memset(memory, 0, n_bytes);
  return memory;
}

static gsize
aligned(gsize n_bytes)
{
  return (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static gsize
vectors_to_bytes(const LacElectronPlan *plan, gsize n)
{
  return aligned(n * plan->n_lanes * plan->element);
}

/* Returns TRUE for backends with host memory and CPU kernels. */
static gboolean
is_processor(const LacBackend *table)
{
  return !table || g_str_equal(table->name, "cpu") || g_str_equal(table->name, "strict");
}

/* Sets NaN, which compares equal to nothing. */
void
lac_wavefunction_forget_theta(LacWavefunction *self)
{
  self->theta[0] = (double) NAN;
}

LacWavefunction *
lac_wavefunction_new(LacMolecule     *molecule,
                     const LacAnsatz *ansatz,
                     const char      *precision,
                     LacPool         *pool,
                     GError         **error)
{
  return lac_wavefunction_new_without(molecule, ansatz, precision, pool, 0, error);
}

LacWavefunction *
lac_wavefunction_new_without(LacMolecule     *molecule,
                             const LacAnsatz *ansatz,
                             const char      *precision,
                             LacPool         *pool,
                             guint            without,
                             GError         **error)
{
  LacWavefunction *self;

  g_return_val_if_fail(lac_molecule_get_n_electrons(molecule) > 0, NULL);
  if (!lac_ansatz_check(ansatz, error))
    return NULL;
  self = g_new0(LacWavefunction, 1);
  self->molecule = lac_molecule_ref(molecule);
  self->ansatz = *ansatz;
  self->pool = pool;
  self->n_workers = pool ? lac_pool_get_n_threads(pool) : 1;
  self->without = without;
  self->kernels = get_kernels(precision, without);
  self->nuclei = g_malloc_n(molecule->n_nuclei, sizeof *self->nuclei);
  for (guint a = 0; a < molecule->n_nuclei; a++)
    memcpy(self->nuclei[a], molecule->nuclei[a].position, sizeof *self->nuclei);
  lac_electron_shape_init(&self->shape, molecule, ansatz, (const double(*)[3]) self->nuclei);
  lac_electron_plan_init(&self->plan, &self->shape, self->kernels->n_lanes,
                         self->kernels->n_columns, self->kernels->element);
  self->n_blocks = lac_electron_shape_get_blocks(&self->shape, self->blocks);
  self->theta = g_new(double, self->shape.n_params);
  lac_wavefunction_forget_theta(self);
  self->weights = lac_wavefunction_alloc(self->plan.packed.n * self->plan.element);
  self->work_bytes = vectors_to_bytes(&self->plan, self->plan.work.n);
  self->work = lac_wavefunction_alloc(self->n_workers * self->work_bytes);
  self->tape_bytes = vectors_to_bytes(&self->plan, self->plan.tape.n);
  lac_memory_claim(&self->claim, LAC_MEMORY_PARAMETERS,
                   self->shape.n_params * sizeof(double) +
                     self->plan.packed.n * self->plan.element);
  lac_memory_claim(&self->claim, LAC_MEMORY_ACTIVATIONS, self->n_workers * self->work_bytes);
  return self;
}

void
lac_wavefunction_free(LacWavefunction *self)
{
  if (!self)
    return;
  lac_wavefunction_device_free(self->device);
  free(self->weights);
  free(self->vector);
  free(self->work);
  free(self->tape);
  g_free(self->theta);
  lac_memory_unclaim(&self->claim);
  lac_memory_unclaim(&self->tape_claim);
  g_free(self->nuclei);
  lac_molecule_unref(self->molecule);
  g_free(self);
}

gboolean
lac_wavefunction_set_device(LacWavefunction *self, const LacDevice *device, GError **error)
{
  const LacType type = self->kernels->element == sizeof(float) ? LAC_F32 : LAC_F64;

  g_return_val_if_fail(!self->device, FALSE);
  if (is_processor(device->table))
    return TRUE;
  if (!device->table->electrons) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
                "backend = %s has no kernels for walkers of electrons; use backend = cpu",
                device->table->name);
    return FALSE;
  }
  self->device_name = device->table->name;
  self->device = lac_wavefunction_device_new(device, &self->shape, type, error);
  return self->device != NULL;
}

gboolean
lac_wavefunction_is_on_device(const LacWavefunction *self)
{
  return self->device != NULL;
}

gboolean
lac_wavefunction_check_device(const LacWavefunction *self, GError **error)
{
  const LacStatus status =
    self->device ? lac_wavefunction_device_get_status(self->device) : LAC_STATUS_OK;

  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "backend = %s: the device failed: %s; %s",
              self->device_name, lac_status_text(status),
              status == LAC_STATUS_OUT_OF_MEMORY ? "lower walkers or at_once, or use backend = cpu"
                                                 : "resume with backend = cpu");
  return FALSE;
}

guint64
lac_wavefunction_estimate(const LacMolecule *molecule,
                          const LacAnsatz   *ansatz,
                          const char        *precision,
                          guint              n_threads,
                          gsize              n_walkers)
{
  const LacElectronKernels *kernels = get_kernels(precision, 0);
  const gsize               n_lanes = kernels->n_lanes;
  const gsize               n_groups = (n_walkers + n_lanes - 1) / n_lanes;
  LacElectronShape          shape;
  LacElectronPlan           plan;

  lac_electron_shape_init(&shape, molecule, ansatz, NULL);
  lac_electron_plan_init(&plan, &shape, n_lanes, kernels->n_columns, kernels->element);
  return shape.n_params * sizeof(double) +
         (n_walkers ? 2 : 1) * (guint64) plan.packed.n * plan.element +
         (guint64) n_threads * vectors_to_bytes(&plan, plan.work.n) +
         (guint64) n_groups * vectors_to_bytes(&plan, plan.tape.n);
}

gsize
lac_wavefunction_get_n_params(const LacWavefunction *self)
{
  return self->shape.n_params;
}

gsize
lac_wavefunction_get_n_electrons(const LacWavefunction *self)
{
  return self->shape.n_electrons;
}

const LacMolecule *
lac_wavefunction_get_molecule(const LacWavefunction *self)
{
  return self->molecule;
}

const LacAnsatz *
lac_wavefunction_get_ansatz(const LacWavefunction *self)
{
  return &self->ansatz;
}

const LacParameterBlock *
lac_wavefunction_get_blocks(const LacWavefunction *self, gsize *n_blocks)
{
  *n_blocks = self->n_blocks;
  return self->blocks;
}

void
lac_wavefunction_init(const LacWavefunction *self, guint64 seed, double *theta)
{
  for (gsize i = 0; i < self->n_blocks; i++) {
    const LacParameterBlock *block = &self->blocks[i];
    const gsize              n_inputs = block->rows - (block->kind == LAC_BLOCK_LAYER);
    const double             width = 1 / sqrt((double) n_inputs);
    LacRng                   rng = lac_rng(seed, i);

    for (gsize k = 0; k < block->rows * block->columns; k++) {
      double *number = theta + block->offset + k;
      if (block->kind == LAC_BLOCK_SINGLE)
        *number = 1;
      else
        *number = lac_rng_normal(&rng) * (k < n_inputs * block->columns ? width : 1);
    }
  }
}

void
lac_wavefunction_run(LacWavefunction *self, gsize n, LacPoolFunc func, gpointer user_data)
{
  if (self->pool && n > 1) {
    lac_pool_run(self->pool, n, func, user_data);
    return;
  }
  for (gsize i = 0; i < n; i++)
    func(i, 0, user_data);
}

/* Stores @theta; invalidates what was packed from another one. */
static void
keep_theta(LacWavefunction *self, const double *theta)
{
  const gsize n_bytes = self->shape.n_params * sizeof *theta;

  if (memcmp(self->theta, theta, n_bytes) == 0)
    return;
  memcpy(self->theta, theta, n_bytes);
  self->is_packed = self->turned = self->is_sent = FALSE;
}

void
lac_wavefunction_take_theta(LacWavefunction *self, const double *theta)
{
  keep_theta(self, theta);
  if (!self->is_packed)
    self->kernels->pack(&self->shape, &self->plan, theta, self->weights);
  self->is_packed = TRUE;
}

void
lac_wavefunction_send_theta(LacWavefunction *self, const double *theta)
{
  keep_theta(self, theta);
  if (!self->is_sent)
    lac_wavefunction_device_take_theta(self->device, theta);
  self->is_sent = TRUE;
}

void
lac_wavefunction_turn_theta(LacWavefunction *self)
{
  if (!self->turned)
    self->kernels->pack_turned(&self->shape, &self->plan, self->theta, self->weights);
  self->turned = TRUE;
}

void *
lac_wavefunction_get_work(LacWavefunction *self, guint worker)
{
  return self->work + worker * self->work_bytes;
}

typedef struct {
  LacWavefunction *self;
  const double    *positions;
  gsize            n_walkers;
  double          *log_abs;
  gint8           *sign;
  const LacLocal  *local;
} Call;

static LacElectronTask
task_of(const Call *call, gsize group, guint worker)
{
  LacWavefunction *self = call->self;
  const gsize      n_lanes = self->kernels->n_lanes, first = group * n_lanes;

  return (LacElectronTask){.shape = &self->shape,
                           .plan = &self->plan,
                           .theta = self->theta,
                           .weights = self->weights,
                           .work = lac_wavefunction_get_work(self, worker),
                           .positions = call->positions + first * 3 * self->shape.n_electrons,
                           .n = MIN(n_lanes, call->n_walkers - first),
                           .apart = (self->without & LAC_WAVEFUNCTION_WITHOUT_FUSION) != 0};
}

static void
value_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);
  const gsize           first = group * call->self->kernels->n_lanes;

  call->self->kernels->value(&task, call->log_abs + first, call->sign + first);
}

void
lac_wavefunction_value(LacWavefunction *self,
                       const double    *theta,
                       const double    *positions,
                       gsize            n_walkers,
                       double          *log_abs,
                       gint8           *sign)
{
  Call           call = {self, positions, n_walkers, log_abs, sign, NULL};
  const LacLocal out = {.log_abs = log_abs, .sign = sign};
  LacSpan        span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_VALUE);

  if (self->device) {
    lac_wavefunction_send_theta(self, theta);
    lac_wavefunction_device_local(self->device, positions, n_walkers, &out);
  } else {
    lac_wavefunction_take_theta(self, theta);
    lac_wavefunction_run(self, lac_wavefunction_n_groups(self, n_walkers), value_item, &call);
  }
  lac_wavefunction_end(self, span, lac_wavefunction_get_cost(self).value * (double) n_walkers);
}

static void
local_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);
  const LacLocal       *all = call->local;
  const gsize           first = group * call->self->kernels->n_lanes;
  const gsize           coordinates = 3 * call->self->shape.n_electrons;
  const LacLocal        own = {.log_abs = all->log_abs ? all->log_abs + first : NULL,
                               .sign = all->sign ? all->sign + first : NULL,
                               .gradient = all->gradient ? all->gradient + first * coordinates : NULL,
                               .kinetic = all->kinetic ? all->kinetic + first : NULL};

  if (call->self->without & LAC_WAVEFUNCTION_WITHOUT_LAPLACIAN)
    call->self->kernels->nested(&task, &own);
  else
    call->self->kernels->local(&task, &own);
}

void
lac_wavefunction_local(LacWavefunction *self,
                       const double    *theta,
                       const double    *positions,
                       gsize            n_walkers,
                       const LacLocal  *out)
{
  Call    call = {.self = self, .positions = positions, .n_walkers = n_walkers, .local = out};
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_LOCAL);

  if (self->device) {
    lac_wavefunction_send_theta(self, theta);
    lac_wavefunction_device_local(self->device, positions, n_walkers, out);
  } else {
    lac_wavefunction_take_theta(self, theta);
    lac_wavefunction_run(self, lac_wavefunction_n_groups(self, n_walkers), local_item, &call);
  }
  lac_wavefunction_end(self, span, lac_wavefunction_get_cost(self).local * (double) n_walkers);
}

void
lac_wavefunction_move(LacWavefunction        *self,
                      const double           *theta,
                      const LacElectronMoves *moves,
                      gsize                   n_walkers)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_MOVE);
  double  flops;

  g_return_if_fail(self->device);
  lac_wavefunction_send_theta(self, theta);
  lac_wavefunction_device_move(self->device, moves, n_walkers);
  flops =
    moves->gradient ? lac_wavefunction_get_cost(self).local : lac_wavefunction_get_cost(self).value;
  lac_wavefunction_end(self, span, flops * (double) (moves->n_moves * n_walkers));
}
