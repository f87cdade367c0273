/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter derivatives: the tape of all walkers and its contractions. */
#include "experiment/quantum/wavefunction/wavefunction-private.h"

#include <stdlib.h>
#include <string.h>

/* Rows of an outer product per pool item; squares of the Gram matrix per thread, at least. */
enum { ROWS_AN_ITEM = 24, SQUARES_A_THREAD = 3 };

static gboolean
derivatives_on_device(const LacWavefunction *self)
{
  return self->device && !self->derivatives_here;
}

void
lac_wavefunction_keep_derivatives(LacWavefunction *self)
{
  self->derivatives_here = TRUE;
}

static void *
get_tape(LacWavefunction *self, gsize group)
{
  return self->tape + group * self->tape_bytes;
}

typedef struct {
  LacWavefunction *self;
  const double    *positions, *phi_bar, *seed, *v;
  double          *phi, *log_abs, *y;
  gint8           *sign;
  gsize            n_walkers, n_groups;
} Call;

static LacElectronTask
task_of(const Call *call, gsize group, guint worker)
{
  LacWavefunction *self = call->self;
  const gsize      n_lanes = self->kernels->n_lanes, first = group * n_lanes;

  return (LacElectronTask){
    .shape = &self->shape,
    .plan = &self->plan,
    .theta = self->theta,
    .weights = call->v ? self->vector : self->weights,
    .work = lac_wavefunction_get_work(self, worker),
    .tape = self->tape ? get_tape(self, group) : NULL,
    .positions = call->positions ? call->positions + first * 3 * self->shape.n_electrons : NULL,
    .n = MIN(n_lanes, call->n_walkers - first),
    .apart = (self->without & LAC_WAVEFUNCTION_WITHOUT_FUSION) != 0};
}

static Call
call_of(LacWavefunction *self, const double *positions, gsize n_walkers)
{
  return (Call){.self = self,
                .positions = positions,
                .n_walkers = n_walkers,
                .n_groups = lac_wavefunction_n_groups(self, n_walkers)};
}

static gsize
orbitals_a_walker(const LacWavefunction *self)
{
  return self->shape.n_determinants * self->shape.n_electrons * self->shape.n_electrons;
}

static void
orbitals_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);
  const gsize           first = group * call->self->kernels->n_lanes;

  call->self->kernels->orbitals(&task, call->phi + first * orbitals_a_walker(call->self));
}

void
lac_wavefunction_orbitals(LacWavefunction *self,
                          const double    *theta,
                          const double    *positions,
                          gsize            n_walkers,
                          double          *phi)
{
  Call    call = call_of(self, positions, n_walkers);
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_ORBITALS);

  call.phi = phi;
  if (derivatives_on_device(self)) {
    lac_wavefunction_send_theta(self, theta);
    lac_wavefunction_device_orbitals(self->device, positions, n_walkers, phi);
  } else {
    lac_wavefunction_take_theta(self, theta);
    lac_wavefunction_run(self, call.n_groups, orbitals_item, &call);
  }
  lac_wavefunction_end(self, span, lac_wavefunction_get_cost(self).value * (double) n_walkers);
}

static void
make_room(LacWavefunction *self, gsize n_groups)
{
  if (n_groups <= self->tape_room)
    return;
  free(self->tape);
  self->tape = lac_wavefunction_alloc(n_groups * self->tape_bytes);
  self->tape_room = n_groups;
  lac_memory_unclaim(&self->tape_claim);
  lac_memory_claim(&self->tape_claim, LAC_MEMORY_ACTIVATIONS, n_groups * self->tape_bytes);
}

static void
tape_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);
  const gsize           first = group * call->self->kernels->n_lanes;

  call->self->kernels->tape(
    &task, call->phi_bar ? call->phi_bar + first * orbitals_a_walker(call->self) : NULL,
    call->log_abs ? call->log_abs + first : NULL, call->sign ? call->sign + first : NULL);
}

static void
run_tape(Call *call, const double *theta)
{
  LacWavefunction *self = call->self;
  LacSpan          span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_TAPE);

  self->n_taped = call->n_walkers;
  if (derivatives_on_device(self)) {
    lac_wavefunction_send_theta(self, theta);
    lac_wavefunction_device_tape(self->device, call->positions, call->n_walkers, call->phi_bar,
                                 &(LacLocal){.log_abs = call->log_abs, .sign = call->sign});
  } else {
    make_room(self, call->n_groups);
    lac_wavefunction_take_theta(self, theta);
    lac_wavefunction_turn_theta(self);
    lac_wavefunction_run(self, call->n_groups, tape_item, call);
  }
  lac_wavefunction_end(self, span, lac_wavefunction_get_cost(self).tape * (double) call->n_walkers);
}

void
lac_wavefunction_tape(LacWavefunction *self,
                      const double    *theta,
                      const double    *positions,
                      gsize            n_walkers,
                      double          *log_abs,
                      gint8           *sign)
{
  Call call = call_of(self, positions, n_walkers);

  call.log_abs = log_abs;
  call.sign = sign;
  run_tape(&call, theta);
}

/* Outer products, split into items of ROWS_AN_ITEM rows of their left side. */
typedef struct {
  LacWavefunction *self;
  gsize            n_outers;
  LacOuter         outer[LAC_ELECTRON_MAX_BLOCKS * LAC_MAX_PARTS];
  gsize            first_item[LAC_ELECTRON_MAX_BLOCKS * LAC_MAX_PARTS + 1];
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
  outers->self->kernels->outer(outer, first, MIN(first + ROWS_AN_ITEM, outer->left.n));
}

/* Appends an outer product over all taped groups. */
static void
add_outer(Outers *outers, LacOuter outer)
{
  LacWavefunction *self = outers->self;
  const gsize      i = outers->n_outers++;

  outer.plan = &self->plan;
  outer.tape = self->tape;
  outer.tape_bytes = self->tape_bytes;
  outer.n_groups = lac_wavefunction_n_groups(self, self->n_taped);
  outers->outer[i] = outer;
  outers->first_item[i + 1] =
    outers->first_item[i] + (outer.left.n + ROWS_AN_ITEM - 1) / ROWS_AN_ITEM;
}

static void
run_outers(Outers *outers)
{
  lac_wavefunction_run(outers->self, outers->first_item[outers->n_outers], outer_item, outers);
}

static void
seed_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->self->kernels->seed(&task, call->seed + group * call->self->kernels->n_lanes);
}

/* Computes O^T seed, or without a seed the column sums of O. Returns: operations per walker. */
static double
sum_rows_here(LacWavefunction *self, const double *seed, double *theta_bar)
{
  Outers outers = {.self = self};
  Call   call = call_of(self, NULL, self->n_taped);
  double flops = 0;

  call.seed = seed;
  for (gsize g = 0; seed && g < call.n_groups; g++)
    seed_item(g, 0, &call);
  for (gsize b = 0; b < self->n_blocks; b++) {
    const LacBlockPlan *block = &self->plan.block[b];
    double             *to = theta_bar + self->blocks[b].offset;

    for (gsize i = 0; i < block->n_parts; i++) {
      const gboolean once = block->part[i].row == 0 && block->total.n;
      LacOuter       outer = {.left = block->part[i],
                              .right = once ? block->total : block->delta,
                              .repeats = once ? 1 : block->repeats,
                              .seeded = seed != NULL,
                              .scale = 1,
                              .to = to,
                              .to_row = block->delta.n};
      add_outer(&outers, outer);
      to += block->part[i].n * block->delta.n;
      flops += 2 * (double) (block->part[i].n * block->delta.n * outer.repeats);
    }
  }
  run_outers(&outers);
  return flops;
}

static void
sum_rows(LacWavefunction *self, const double *seed, double *theta_bar)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_GRADIENT);
  double  flops = 2 * (double) self->shape.n_params;

  if (derivatives_on_device(self))
    lac_wavefunction_device_gradient(self->device, seed, theta_bar);
  else
    flops = sum_rows_here(self, seed, theta_bar);
  lac_wavefunction_end(self, span, flops * (double) self->n_taped);
}

void
lac_wavefunction_gradient(LacWavefunction *self, const double *seed, double *theta_bar)
{
  sum_rows(self, seed, theta_bar);
}

void
lac_wavefunction_orbitals_reverse(LacWavefunction *self,
                                  const double    *theta,
                                  const double    *positions,
                                  gsize            n_walkers,
                                  const double    *phi_bar,
                                  double          *theta_bar)
{
  Call call = call_of(self, positions, n_walkers);

  call.phi_bar = phi_bar;
  run_tape(&call, theta);
  sum_rows(self, NULL, theta_bar);
}

static void
apply_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->self->kernels->apply(&task, call->v, call->y + group * call->self->kernels->n_lanes);
}

static void
apply_here(LacWavefunction *self, const double *v, double *y)
{
  Call call = call_of(self, NULL, self->n_taped);

  if (!self->vector)
    self->vector = lac_wavefunction_alloc(self->plan.packed.n * self->plan.element);
  self->kernels->pack(&self->shape, &self->plan, v, self->vector);
  call.v = v;
  call.y = y;
  lac_wavefunction_run(self, call.n_groups, apply_item, &call);
}

void
lac_wavefunction_apply(LacWavefunction *self, const double *v, double *y)
{
  LacSpan span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_APPLY);

  if (derivatives_on_device(self))
    lac_wavefunction_device_apply(self->device, v, y);
  else
    apply_here(self, v, y);
  lac_wavefunction_end(self, span,
                       (derivatives_on_device(self) ? 2 * (double) self->shape.n_params
                                                    : lac_wavefunction_get_cost(self).value) *
                         (double) self->n_taped);
}

static void
form_item(gsize group, guint worker, gpointer user_data)
{
  const Call           *call = user_data;
  const LacElectronTask task = task_of(call, group, worker);

  call->self->kernels->form(&task);
}

/* Squares of groups; items are those on or above the diagonal. */
typedef struct {
  const LacWavefunction *self;
  LacGramSquare          square;
  gsize                  n_groups, side; /* side: groups along a square */
} Gram;

/* Item i is a pair of rows of squares a <= b, numbered b (b + 1) / 2 + a. */
static void
gram_item(gsize item, guint worker, gpointer user_data)
{
  const Gram            *gram = user_data;
  LacGramSquare          square = gram->square;
  const LacWavefunction *self = gram->self;
  gsize                  b = 0;

  while ((b + 1) * (b + 2) / 2 <= item)
    b++;
  square.first_a = (item - b * (b + 1) / 2) * gram->side;
  square.first_b = b * gram->side;
  square.n_a = MIN(gram->side, gram->n_groups - square.first_a);
  square.n_b = MIN(gram->side, gram->n_groups - square.first_b);
  self->kernels->gram(&square);
}

/* Runs squares as large as possible that still occupy all threads; the result does not depend on their size. */
static void
run_gram(LacWavefunction *self, gsize n_groups, double *k)
{
  Gram  gram = {.self = self, .n_groups = n_groups, .side = LAC_GRAM_MOST};
  gsize n;

  gram.square = (LacGramSquare){.plan = &self->plan,
                                .tape = self->tape,
                                .tape_bytes = self->tape_bytes,
                                .n_walkers = self->n_taped,
                                .k = k};
  for (;; gram.side /= 2) {
    n = (n_groups + gram.side - 1) / gram.side;
    n = n * (n + 1) / 2;
    if (gram.side == 1 || n >= SQUARES_A_THREAD * self->n_workers)
      break;
  }
  lac_wavefunction_run(self, n, gram_item, &gram);
}

void
lac_wavefunction_gram(LacWavefunction *self, double *k)
{
  const gsize               n = self->n_taped;
  const LacWavefunctionCost cost = lac_wavefunction_get_cost(self);
  Call                      call = call_of(self, NULL, n);
  LacSpan                   span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_GRAM);

  if (derivatives_on_device(self)) {
    lac_wavefunction_device_gram(self->device, k);
    lac_wavefunction_end(self, span, 2 * (double) (n * n) * (double) self->shape.n_params);
    return;
  }
  lac_wavefunction_run(self, call.n_groups, form_item, &call);
  run_gram(self, call.n_groups, k);
  lac_wavefunction_end(self, span, (double) n * cost.form + 0.5 * (double) (n * n) * cost.gram);
}

gboolean
lac_wavefunction_solves(const LacWavefunction *self)
{
  return derivatives_on_device(self);
}

gboolean
lac_wavefunction_solve(LacWavefunction *self, double damping, double *right)
{
  const double n = (double) self->n_taped;
  LacSpan      span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_SOLVE);
  gboolean     is_solved;

  g_return_val_if_fail(lac_wavefunction_solves(self), FALSE);
  is_solved = lac_wavefunction_device_solve(self->device, damping, right);
  lac_wavefunction_end(self, span, 2 * n * n * (double) self->shape.n_params + n * n * n / 3);
  return is_solved;
}

/* @to: [n][n], n: numbers of all parts together; the mean over walkers and repeats of their products. */
static void
add_factor(Outers *outers, const LacTapePart *parts, gsize n_parts, gsize repeats, double *to)
{
  const double n_walkers = (double) outers->self->n_taped;
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

void
lac_wavefunction_factors(LacWavefunction *self, gsize block, double *a, double *g)
{
  const LacBlockPlan *plan = &self->plan.block[block];
  LacSpan             span = lac_wavefunction_begin(self, LAC_WAVEFUNCTION_FACTORS);
  Outers              outers = {.self = self};
  const double        rows = (double) self->blocks[block].rows;
  const double        columns = (double) self->blocks[block].columns;

  if (self->blocks[block].kind == LAC_BLOCK_SINGLE) {
    add_outer(&outers,
              (LacOuter){.left = plan->delta, .scale = 1 / (double) self->n_taped, .to = g});
    self->kernels->squares(&outers.outer[0]);
  } else {
    add_factor(&outers, plan->part, plan->n_parts, plan->repeats, a);
    add_factor(&outers, &plan->delta, 1, plan->repeats, g);
    run_outers(&outers);
  }
  lac_wavefunction_end(
    self, span, 2 * (rows * rows + columns * columns) * (double) (plan->repeats * self->n_taped));
}
