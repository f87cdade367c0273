/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers of electrons on the CPU: groups of walkers, one in each vector lane, over the pool, each worker with a work
 * area of its own. O is never stored: contractions work layer by layer on a tape of what the layers did. */
#include "backend/cpu/electrons/electrons.h"

#include "backend/cpu/cpu-private.h"
#include "backend/cpu/electrons/iteration.h"
#include "backend/cpu/electrons/kernels.h"
#include "backend/dense.h"
#include "backend/metropolis.h"
#include "base/pool.h"

#include <string.h>

/* Rows of an outer product per pool item; squares of the Gram matrix per thread, at least. */
enum { ALIGNMENT = 64, ROWS_AN_ITEM = 24, SQUARES_A_THREAD = 3 };

/* A call over a batch, with its arguments. */
typedef struct {
  const LacElectronBatch   *batch;
  const LacElectronKernels *kernels;
  LacElectronPlan           plan;
  gsize                     n_groups;
  gsize                     worker_bytes, group_bytes; /* of a work area, of a group on the tape */
  char                     *work, *tape;
  const void               *weights;
  const double             *positions;
  LacElectronAnswer         answer;
  const double             *phi_bar, *left;
  double                   *phi, *right;
} Call;

static const LacElectronKernels *
find_kernels(const LacCpu *cpu, const LacElectronBatch *batch)
{
  const guint level = batch->without & LAC_ELECTRON_WITHOUT_VECTORS ? 0 : (guint) cpu->level;

  static const LacElectronKernels *const kernels[][2] = {
#define L(level) {&lac_electron_kernels_##level##_f32, &lac_electron_kernels_##level##_f64},
    LAC_ELECTRON_LEVELS(L)
#undef L
  };

  return kernels[level][batch->type];
}

static gsize
align(gsize n_bytes)
{
  return (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static gsize
vectors_to_bytes(const LacElectronPlan *plan, gsize n)
{
  return align(n * plan->n_lanes * plan->element);
}

static void
init_call(Call *call, const LacCpu *cpu, const LacElectronBatch *batch)
{
  const LacElectronKernels *kernels = find_kernels(cpu, batch);

  *call = (Call){
    .batch = batch,
    .kernels = kernels,
    .n_groups = (batch->n + kernels->n_lanes - 1) / kernels->n_lanes,
    .work = batch->work,
    .weights = batch->weights,
    .positions = batch->positions,
  };
  lac_electron_plan_init(&call->plan, batch->shape, kernels->n_lanes, kernels->n_columns,
                         kernels->element);
  call->worker_bytes = vectors_to_bytes(&call->plan, call->plan.work.n);
  call->group_bytes = vectors_to_bytes(&call->plan, call->plan.tape.n);
}

static gsize
get_weights_bytes(const Call *call)
{
  return align(call->plan.packed.n * call->plan.element);
}

static gsize
get_work_bytes(const Call *call)
{
  return MAX(1, call->batch->n_threads) * call->worker_bytes;
}

static size_t
cpu_bytes(void *self, const LacElectronBatch *batch, LacElectronArea area)
{
  Call call;

  if (area == LAC_ELECTRON_SOLVE)
    return batch->n * sizeof(double);
  init_call(&call, self, batch);
  switch (area) {
  case LAC_ELECTRON_WEIGHTS: return get_weights_bytes(&call);
  case LAC_ELECTRON_VALUE:
  case LAC_ELECTRON_LOCAL:
    return get_work_bytes(&call) +
           lac_metropolis_bytes(batch->shape->n_electrons, batch->n, area == LAC_ELECTRON_LOCAL);
  case LAC_ELECTRON_DERIVATIVES:
  case LAC_ELECTRON_GRAM: return get_work_bytes(&call);
  case LAC_ELECTRON_TAPE: return call.n_groups * call.group_bytes;
  case LAC_ELECTRON_CONTRACTION: return get_work_bytes(&call) + get_weights_bytes(&call);
  case LAC_ELECTRON_SOLVE:
  case LAC_ELECTRON_N_AREAS: break;
  }
  return 0;
}

static gsize
find_first(const Call *call, gsize group)
{
  return group * call->kernels->n_lanes;
}

static LacElectronTask
task_of(const Call *call, gsize group, guint worker)
{
  const LacElectronBatch *batch = call->batch;
  const gsize             first = find_first(call, group);

  return (LacElectronTask){
    .shape = batch->shape,
    .plan = &call->plan,
    .theta = batch->theta,
    .weights = call->weights,
    .work = call->work + worker * call->worker_bytes,
    .tape = call->tape ? call->tape + group * call->group_bytes : NULL,
    .positions = call->positions ? call->positions + first * 3 * batch->shape->n_electrons : NULL,
    .n = MIN(call->kernels->n_lanes, batch->n - first),
    .apart = (batch->without & LAC_ELECTRON_WITHOUT_FUSION) != 0,
  };
}

static void
run(const Call *call, gsize n, LacPoolFunc func, gpointer user_data)
{
  if (call->batch->pool && n > 1) {
    lac_pool_run(call->batch->pool, n, func, user_data);
    return;
  }
  for (gsize i = 0; i < n; i++)
    func(i, 0, user_data);
}

static void
run_groups(Call *call, LacPoolFunc func)
{
  run(call, call->n_groups, func, call);
}

/* Clears first, since nothing is packed between panels. */
static LacStatus
cpu_pack(void *self, const LacElectronBatch *batch)
{
  Call call;

  init_call(&call, self, batch);
  memset(batch->weights, 0, get_weights_bytes(&call));
  call.kernels->pack(batch->shape, &call.plan, batch->theta, batch->weights);
  call.kernels->pack_turned(batch->shape, &call.plan, batch->theta, batch->weights);
  return LAC_STATUS_OK;
}

/* ---- values ---- */

/* Returns the part of the answer that belongs to a group. */
static LacElectronAnswer
answer_of(const Call *call, gsize group)
{
  const LacElectronAnswer *all = &call->answer;
  const gsize              first = find_first(call, group);
  const gsize              width = 3 * call->batch->shape->n_electrons;

  return (LacElectronAnswer){.log_abs = all->log_abs ? all->log_abs + first : NULL,
                             .sign = all->sign ? all->sign + first : NULL,
                             .gradient = all->gradient ? all->gradient + first * width : NULL,
                             .kinetic = all->kinetic ? all->kinetic + first : NULL};
}

static void
value_item(gsize group, guint worker, gpointer user_data)
{
  const Call             *call = user_data;
  const LacElectronTask   task = task_of(call, group, worker);
  const LacElectronAnswer answer = answer_of(call, group);

  call->kernels->value(&task, answer.log_abs, answer.sign);
}

static void
local_item(gsize group, guint worker, gpointer user_data)
{
  const Call             *call = user_data;
  const LacElectronTask   task = task_of(call, group, worker);
  const LacElectronAnswer answer = answer_of(call, group);

  if (call->batch->without & LAC_ELECTRON_WITHOUT_LAPLACIAN)
    call->kernels->nested(&task, &answer);
  else
    call->kernels->local(&task, &answer);
}

static LacStatus
cpu_value(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out)
{
  Call call;

  init_call(&call, self, batch);
  call.answer = *out;
  run_groups(&call, value_item);
  return LAC_STATUS_OK;
}

static LacStatus
cpu_local(void *self, const LacElectronBatch *batch, const LacElectronAnswer *out)
{
  Call call;

  init_call(&call, self, batch);
  call.answer = *out;
  run_groups(&call, local_item);
  return LAC_STATUS_OK;
}

static void
evaluate(const double *positions, size_t n, double *log_abs, double *gradient, void *user_data)
{
  Call *call = user_data;

  call->positions = positions;
  call->answer = (LacElectronAnswer){.log_abs = log_abs, .gradient = gradient};
  run_groups(call, gradient ? local_item : value_item);
}

static LacStatus
cpu_move(void *self, const LacElectronBatch *batch, const LacElectronMoves *moves)
{
  Call call;

  init_call(&call, self, batch);
  lac_metropolis_move(&(LacMetropolis){.n_electrons = batch->shape->n_electrons,
                                       .n_nuclei = batch->shape->n_nuclei,
                                       .nuclei = batch->nuclei,
                                       .n_walkers = batch->n,
                                       .pool = batch->pool,
                                       .amplitude = evaluate,
                                       .user_data = &call,
                                       .work = call.work + get_work_bytes(&call)},
                      moves);
  return LAC_STATUS_OK;
}

static gsize
count_orbitals(const Call *call)
{
  const LacElectronShape *shape = call->batch->shape;

  return shape->n_determinants * shape->n_electrons * shape->n_electrons;
}

static void
orbitals_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->kernels->orbitals(&task, call->phi + find_first(call, group) * count_orbitals(call));
}

static LacStatus
cpu_orbitals(void *self, const LacElectronBatch *batch, const LacElectronOrbitals *out)
{
  Call call;

  init_call(&call, self, batch);
  call.phi = out->phi;
  run_groups(&call, orbitals_item);
  return LAC_STATUS_OK;
}

/* ---- derivatives with respect to the parameters ---- */

static void
tape_item(gsize group, guint worker, gpointer user_data)
{
  const Call             *call = user_data;
  const LacElectronTask   task = task_of(call, group, worker);
  const LacElectronAnswer answer = answer_of(call, group);
  const gsize             first = find_first(call, group);

  call->kernels->tape(&task, call->phi_bar ? call->phi_bar + first * count_orbitals(call) : NULL,
                      answer.log_abs, answer.sign);
}

static LacStatus
cpu_derivatives(void *self, const LacElectronBatch *batch, const LacElectronTape *tape)
{
  Call call;

  init_call(&call, self, batch);
  call.tape = tape->o;
  call.phi_bar = tape->phi_bar;
  call.answer = (LacElectronAnswer){.log_abs = tape->log_abs, .sign = tape->sign};
  run_groups(&call, tape_item);
  return LAC_STATUS_OK;
}

/* Outer products, split into items of ROWS_AN_ITEM rows of their left side. */
typedef struct {
  const Call *call;
  gsize       n_outers;
  LacOuter    outer[LAC_ELECTRON_MAX_BLOCKS * LAC_MAX_PARTS];
  gsize       first_item[LAC_ELECTRON_MAX_BLOCKS * LAC_MAX_PARTS + 1];
} Outers;

static void
outer_item(gsize item, guint worker, gpointer user_data)
{
  const Outers   *outers = user_data;
  const LacOuter *outer;
  gsize           i = 0, first;

  while (outers->first_item[i + 1] <= item)
    i++;
  outer = &outers->outer[i];
  first = (item - outers->first_item[i]) * ROWS_AN_ITEM;
  outers->call->kernels->outer(outer, first, MIN(first + ROWS_AN_ITEM, outer->left.n));
}

/* Appends an outer product over all taped groups. */
static void
add_outer(Outers *outers, LacOuter outer)
{
  const Call *call = outers->call;
  const gsize i = outers->n_outers++;

  outer.plan = &call->plan;
  outer.tape = call->tape;
  outer.tape_bytes = call->group_bytes;
  outer.n_groups = call->n_groups;
  outers->outer[i] = outer;
  outers->first_item[i + 1] =
    outers->first_item[i] + (outer.left.n + ROWS_AN_ITEM - 1) / ROWS_AN_ITEM;
}

static void
run_outers(Outers *outers)
{
  run(outers->call, outers->first_item[outers->n_outers], outer_item, outers);
}

static void
init_contraction(Call *call, void *self, const LacElectronBatch *batch, void *o, void *work)
{
  init_call(call, self, batch);
  call->tape = o;
  call->work = work;
  call->positions = NULL;
}

static LacStatus
cpu_pull(void *self, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  Call   call;
  Outers outers = {.call = &call};

  init_contraction(&call, self, batch, args->o, args->work);
  for (gsize g = 0; args->left && g < call.n_groups; g++) {
    const LacElectronTask task = task_of(&call, g, 0);

    call.kernels->seed(&task, args->left + find_first(&call, g));
  }
  for (gsize b = 0; b < call.plan.n_blocks; b++) {
    const LacBlockPlan *block = &call.plan.block[b];
    double             *to = args->right + block->offset;

    for (gsize i = 0; i < block->n_parts; i++) {
      const gboolean once = block->part[i].row == 0 && block->total.n;

      add_outer(&outers, (LacOuter){.left = block->part[i],
                                    .right = once ? block->total : block->delta,
                                    .repeats = once ? 1 : block->repeats,
                                    .seeded = args->left != NULL,
                                    .scale = 1,
                                    .to = to,
                                    .to_row = block->delta.n});
      to += block->part[i].n * block->delta.n;
    }
  }
  run_outers(&outers);
  return LAC_STATUS_OK;
}

static void
push_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->kernels->apply(&task, call->left, call->right + find_first(call, group));
}

static LacStatus
cpu_push(void *self, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  Call  call;
  void *packed;

  init_contraction(&call, self, batch, args->o, args->work);
  packed = call.work + get_work_bytes(&call);
  call.kernels->pack(batch->shape, &call.plan, args->left, packed);
  call.weights = packed;
  call.left = args->left;
  call.right = args->right;
  run_groups(&call, push_item);
  return LAC_STATUS_OK;
}

static void
form_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->kernels->form(&task);
}

/* Squares of groups; items are those on or above the diagonal. */
typedef struct {
  const Call   *call;
  LacGramSquare square;
  gsize         side; /* groups along a square */
} Gram;

/* Item i is a pair of rows of squares a <= b, numbered b (b + 1) / 2 + a. */
static void
gram_item(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Gram   *gram = user_data;
  const gsize   n_groups = gram->call->n_groups;
  LacGramSquare square = gram->square;
  gsize         b = 0;

  while ((b + 1) * (b + 2) / 2 <= item)
    b++;
  square.first_a = (item - b * (b + 1) / 2) * gram->side;
  square.first_b = b * gram->side;
  square.n_a = MIN(gram->side, n_groups - square.first_a);
  square.n_b = MIN(gram->side, n_groups - square.first_b);
  gram->call->kernels->gram(&square);
}

/* In squares as large as possible that still occupy all threads; the result does not depend on their size. */
static LacStatus
cpu_gram(void *self, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  Call  call;
  Gram  gram = {.call = &call, .side = LAC_GRAM_MOST};
  gsize n;

  init_contraction(&call, self, batch, args->o, args->work);
  run_groups(&call, form_item);
  gram.square = (LacGramSquare){.plan = &call.plan,
                                .tape = call.tape,
                                .tape_bytes = call.group_bytes,
                                .n_walkers = batch->n,
                                .k = args->right};
  for (;; gram.side /= 2) {
    n = (call.n_groups + gram.side - 1) / gram.side;
    n = n * (n + 1) / 2;
    if (gram.side == 1 || n >= SQUARES_A_THREAD * MAX(1, batch->n_threads))
      break;
  }
  run(&call, n, gram_item, &gram);
  return LAC_STATUS_OK;
}

/* @to: [n][n], n: numbers of all parts together; the mean over walkers and repeats of their products. */
static void
add_factor(Outers *outers, const LacTapePart *parts, gsize n_parts, gsize repeats, double *to)
{
  const double n_walkers = (double) outers->call->batch->n;
  gsize        n = 0, row = 0;

  for (gsize i = 0; i < n_parts; i++)
    n += parts[i].n;
  for (gsize i = 0; i < n_parts; i++) {
    for (gsize j = 0, column = 0; j < n_parts; column += parts[j++].n)
      add_outer(outers, (LacOuter){.left = parts[i],
                                   .right = parts[j],
                                   .repeats = repeats,
                                   .scale = 1 / (n_walkers * (double) repeats),
                                   .to = to + row * n + column,
                                   .to_row = n});
    row += parts[i].n;
  }
}

static LacStatus
cpu_factors(void *self, const LacElectronBatch *batch, const LacElectronFactors *args)
{
  Call                call;
  Outers              outers = {.call = &call};
  const LacBlockPlan *block;

  init_contraction(&call, self, batch, args->o, NULL);
  block = &call.plan.block[args->block];
  if (args->a) {
    add_factor(&outers, block->part, block->n_parts, block->repeats, args->a);
    add_factor(&outers, &block->delta, 1, block->repeats, args->g);
    run_outers(&outers);
  } else {
    add_outer(&outers,
              (LacOuter){.left = block->delta, .scale = 1 / (double) batch->n, .to = args->g});
    call.kernels->squares(&outers.outer[0]);
  }
  return LAC_STATUS_OK;
}

/* ---- the natural gradient ---- */

/* K becomes P K P / n + 1 1^T / n + damping. @mean: scratch, [n] */
static void
centre_gram(double *k, gsize n, double damping, double *mean)
{
  double all = 0;

  for (gsize b = 0; b < n; b++) {
    double sum = 0;

    for (gsize c = 0; c < n; c++)
      sum += k[b * n + c];
    mean[b] = sum / (double) n;
    all += mean[b] / (double) n;
  }
  for (gsize b = 0; b < n; b++) {
    double *row = k + b * n;

    for (gsize c = 0; c < n; c++)
      row[c] = (row[c] - mean[b] - mean[c] + all + 1) / (double) n;
    row[b] += damping;
  }
}

static LacStatus
cpu_solve(void *self G_GNUC_UNUSED, const LacElectronSolve *args)
{
  gboolean is_solved;

  centre_gram(args->gram, args->n, args->at ? *args->at : args->damping, args->work);
  is_solved = lac_dense_cholesky_solve(args->gram, args->n, args->right, 1);
  if (args->info)
    args->info[0] = args->info[1] = !is_solved;
  return is_solved || args->info ? LAC_STATUS_OK : LAC_STATUS_NOT_FINITE;
}

const LacDeviceElectrons lac_cpu_electrons = {
  .bytes = cpu_bytes,
  .pack = cpu_pack,
  .value = cpu_value,
  .local = cpu_local,
  .move = cpu_move,
  .orbitals = cpu_orbitals,
  .derivatives = cpu_derivatives,
  .pull = cpu_pull,
  .push = cpu_push,
  .gram = cpu_gram,
  .factors = cpu_factors,
  .solve = cpu_solve,
  .adapt = lac_cpu_adapt,
  .energies = lac_cpu_energies,
  .clip = lac_cpu_clip,
  .reseed = lac_cpu_reseed,
  .centre = lac_cpu_centre,
  .remember = lac_cpu_remember,
  .conclude = lac_cpu_conclude,
  .count = lac_cpu_count,
  .descend = lac_cpu_descend,
};
