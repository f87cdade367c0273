/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life cycle of a program: plan, one block of device memory, feed, replay, read. */
#include "graph/program/program.h"

#include "backend/device-log.h"
#include "base/clock.h"
#include "base/error.h"
#include "graph/program/program-private.h"

#include <math.h>
#include <string.h>

#define GUARD_BYTE 0xa5

static gboolean
check(LacProgram *program, LacStatus status, const LacStep *step, GError **error)
{
  const char *device = program->options.device.table->name;

  if (status == LAC_STATUS_OK)
    return TRUE;
  if (step) {
    const LacTimer *timer = &g_array_index(program->plan->timers, LacTimer, step->timer);

    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "%s could not compute \"%s\" on %zu points: %s",
                device, timer->name, step->node->n_points, lac_status_text(status));
  } else {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
                "%s could not allocate a program of %zu parameters (%zu MB): %s", device,
                program->plan->n_parameters, program->plan->arena_bytes >> 20,
                lac_status_text(status));
  }
  return FALSE;
}

/* Writes host doubles to the device in the program's type. */
static void
upload(LacProgram *program, void *device_memory, const double *values, gsize n)
{
  LacDevice device = program->options.device;
  LacStatus status;

  if (program->options.type == LAC_F64) {
    status = lac_device_upload(device, device_memory, values, n * sizeof *values);
  } else {
    float *narrow = program->staging;

    for (gsize i = 0; i < n; i++)
      narrow[i] = (float) values[i];
    status = lac_device_upload(device, device_memory, narrow, n * sizeof *narrow);
  }
  if (status != LAC_STATUS_OK)
    program->feed_status = status;
}

static void
download(LacProgram *program, double *values, const void *device_memory, gsize n)
{
  LacDevice device = program->options.device;
  LacStatus status;

  if (program->options.type == LAC_F64) {
    status = lac_device_download(device, values, device_memory, n * sizeof *values);
  } else {
    const float *narrow = program->staging;

    status = lac_device_download(device, program->staging, device_memory, n * sizeof *narrow);
    for (gsize i = 0; i < n; i++)
      values[i] = (double) narrow[i];
  }
  if (status != LAC_STATUS_OK)
    program->feed_status = status;
}

static gsize
longest_vector(const LacPlan *plan)
{
  gsize longest = plan->n_parameters;

  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    if (plan->spots[id].place)
      longest = MAX(longest, lac_node_length(info));
    if (plan->constants[id].place)
      longest = MAX(longest, info->n_numbers);
  }
  return MAX(longest, 1);
}

static void
fill_guards(LacProgram *program)
{
  LacPlan           *plan = program->plan;
  LacDevice          device = program->options.device;
  g_autofree guint8 *pattern = g_malloc(plan->request.guard_bytes + 1);

  memset(pattern, GUARD_BYTE, plan->request.guard_bytes);
  for (guint w = 0; w < program->n_workers; w++) {
    for (guint i = 0; i < plan->guards->len; i++)
      lac_device_upload(device,
                        program->arena + plan->scratch_offset + w * plan->scratch_stride +
                          g_array_index(plan->guards, gsize, i),
                        pattern, plan->request.guard_bytes);
  }
}

gsize
lac_program_check_guards(LacProgram *program)
{
  LacPlan           *plan = program->plan;
  LacDevice          device = program->options.device;
  g_autofree guint8 *found = g_malloc(plan->request.guard_bytes + 1);
  gsize              n_bad = 0;

  for (guint w = 0; w < program->n_workers; w++) {
    for (guint i = 0; i < plan->guards->len; i++) {
      lac_device_download(device, found,
                          program->arena + plan->scratch_offset + w * plan->scratch_stride +
                            g_array_index(plan->guards, gsize, i),
                          plan->request.guard_bytes);
      for (gsize k = 0; k < plan->request.guard_bytes; k++)
        n_bad += found[k] != GUARD_BYTE;
    }
  }
  return n_bad;
}

/* Initialises device memory: constants of the graph, zeros elsewhere. */
static void
initialise_memory(LacProgram *program)
{
  LacPlan  *plan = program->plan;
  LacDevice device = program->options.device;
  LacType   type = program->options.type;

  device.table->fill(device.self, type, program->arena + plan->theta_offset, 0, plan->n_parameters);
  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(program->graph, id);

    if (plan->spots[id].place)
      device.table->fill(device.self, type, program->arena + plan->spots[id].offset, 0,
                         lac_node_length(info));
    if (plan->spots[id].place && info->fixed)
      upload(program, program->arena + plan->spots[id].offset, info->numbers, info->n_numbers);
    if (plan->constants[id].place)
      upload(program, program->arena + plan->constants[id].offset, info->numbers, info->n_numbers);
  }
}

static void
allocate_host(LacProgram *program)
{
  LacPlan *plan = program->plan;

  program->staging = g_malloc(longest_vector(plan) * sizeof(double));
  program->scalars = g_new0(double, plan->n_nodes);
  program->workers = g_new0(LacWorker, program->n_workers);
  program->chunks = g_new0(LacChunk, plan->n_chunks);
  for (guint i = 0; i < plan->n_chunks; i++)
    program->chunks[i].sums = g_new0(double, plan->n_nodes + 8);
  program->pack_status = g_new0(LacStatus, plan->packs->len + 1);
}

/* Replays once at theta = 0, unless only one replay will ever run: touches every page and lets the libraries set up
 * their caches. */
static gboolean
warm_up(LacProgram *program, GError **error)
{
  gboolean       timed = program->timed, spans = program->tile_spans;
  const LacStep *culprit = NULL;
  LacStatus      status;

  if (program->options.without & LAC_WITHOUT_REPLAY)
    return TRUE;
  program->timed = program->tile_spans = FALSE;
  program->theta = program->arena + program->plan->theta_offset;
  status = lac_program_execute(program, &culprit);
  program->timed = timed;
  program->tile_spans = spans;
  return check(program, status, culprit, error);
}

static void
claim_memory(LacProgram *program)
{
  const LacPlan *plan = program->plan;
  const gsize    parameters = plan->n_parameters * lac_type_size(plan->request.type);
  const gsize    gradients = plan->scratch_offset - plan->gradient_offset;

  lac_memory_claim(&program->claim, LAC_MEMORY_PARAMETERS, parameters);
  lac_memory_claim(&program->claim, LAC_MEMORY_GRADIENTS, gradients);
  lac_memory_claim(&program->claim, LAC_MEMORY_ACTIVATIONS,
                   plan->arena_bytes - parameters - gradients);
}

LacProgram *
lac_program_new_planned(const LacPlanRequest    *request,
                        const LacProgramOptions *options,
                        GError                 **error)
{
  g_autoptr(LacProgram) program = g_new0(LacProgram, 1);
  LacDevice             device = options->device;
  void                 *memory = NULL;
  LacStatus             status;

  program->options = *options;
  program->graph = lac_graph_ref(request->graph);
  program->loss = request->loss;
  program->n_workers = request->n_workers;
  program->plan = lac_plan_new(request);
  allocate_host(program);
  lac_program_init_timing(program);
  status = device.table->alloc(device.self, MAX(program->plan->arena_bytes, 1), &memory);
  if (!check(program, status, NULL, error))
    return NULL;
  program->arena = memory;
  claim_memory(program);
  initialise_memory(program);
  fill_guards(program);
  if (!check(program, lac_recorded_open(program), NULL, error) ||
      !check(program, program->feed_status, NULL, error) || !warm_up(program, error))
    return NULL;
  return g_steal_pointer(&program);
}

LacProgram *
lac_program_new(LacGraph                *graph,
                LacNode                  loss,
                const LacNode           *outputs,
                gsize                    n_outputs,
                const LacProgramOptions *options,
                GError                 **error)
{
  LacPlanRequest request = {
    .graph = graph,
    .outputs = outputs,
    .n_outputs = n_outputs,
    .loss = loss,
    .device = options->device,
    .type = options->type,
    .gradient = options->gradient && loss.graph,
    .tile_points = options->tile_points,
    .whole = (options->without & LAC_WITHOUT_TILES) != 0,
    .without = options->without,
    .n_workers = options->pool && options->device.table->concurrent
                   ? lac_pool_get_n_threads(options->pool)
                   : 1,
  };
  LacProgramOptions settled = *options;

  g_return_val_if_fail(graph && (loss.graph || n_outputs), NULL);
  g_return_val_if_fail(!loss.graph || lac_node_info(loss)->kind == LAC_NODE_SCALAR, NULL);
  settled.gradient = request.gradient;
  return lac_program_new_planned(&request, &settled, error);
}

void
lac_program_free(LacProgram *program)
{
  if (!program)
    return;
  lac_recorded_close(program);
  if (program->arena)
    program->options.device.table->release(program->options.device.self, program->arena);
  for (guint i = 0; i < program->n_workers && program->workers; i++) {
    g_free(program->workers[i].tile_ticks);
    g_free(program->workers[i].weight_ticks);
  }
  for (guint i = 0; program->plan && i < program->plan->n_chunks && program->chunks; i++)
    g_free(program->chunks[i].sums);
  g_free(program->workers);
  g_free(program->chunks);
  g_free(program->scalars);
  g_free(program->pack_status);
  g_free(program->timer_names);
  g_free(program->staging);
  lac_memory_unclaim(&program->claim);
  lac_plan_free(program->plan);
  lac_graph_free(program->graph);
  g_free(program);
}

void
lac_program_feed(LacProgram *program, LacNode leaf, const double *values)
{
  const LacNodeInfo *info = lac_node_info(leaf);

  g_return_if_fail(leaf.graph == program->graph && !info->op->forward &&
                   (info->kind == LAC_NODE_PER_POINT || info->fixed));
  if (leaf.id < program->plan->n_nodes && program->plan->spots[leaf.id].place)
    upload(program, program->arena + program->plan->spots[leaf.id].offset, values,
           lac_node_length(info));
}

gpointer
lac_program_get_theta(LacProgram *program)
{
  return program->arena + program->plan->theta_offset;
}

/* Returns the first chunk's gradient, into which the others are summed. */
gpointer
lac_program_get_gradient(LacProgram *program)
{
  g_return_val_if_fail(program->options.gradient, NULL);
  return program->arena + program->plan->gradient_offset;
}

gsize
lac_program_get_n_parameters(const LacProgram *program)
{
  return program->plan->n_parameters;
}

void
lac_program_set_theta(LacProgram *program, const double *theta)
{
  upload(program, lac_program_get_theta(program), theta, program->plan->n_parameters);
}

void
lac_program_dup_theta(LacProgram *program, double *theta)
{
  download(program, theta, lac_program_get_theta(program), program->plan->n_parameters);
}

void
lac_program_dup_gradient(LacProgram *program, double *gradient)
{
  download(program, gradient, lac_program_get_gradient(program), program->plan->n_parameters);
}

/* Sums pairs of chunks as for the gradient; then evaluates the host's part of the graph, in the order of recording. */
static void
sum_scalars(LacProgram *program)
{
  LacPlan *plan = program->plan;

  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(program->graph, id);

    if (info->kind != LAC_NODE_SCALAR || !plan->live[id])
      continue;
    if (!info->op->forward) {
      program->scalars[id] = 0;
      for (guint i = 0; i < info->n_inputs; i++)
        program->scalars[id] += info->numbers[i] * program->scalars[info->inputs[i]];
      continue;
    }
    for (guint reach = 1; reach < plan->n_chunks; reach *= 2) {
      for (guint i = 0; i + reach < plan->n_chunks; i += 2 * reach)
        program->chunks[i].sums[id] += program->chunks[i + reach].sums[id];
    }
    program->scalars[id] =
      program->chunks[0].sums[id] / (double) (info->n_points * info->n_columns);
  }
}

/* Evaluates at theta; other arguments are in program->wanted. */
static gboolean
run(LacProgram *program, gconstpointer theta, gint64 step, double *loss, GError **error)
{
  const LacStep *culprit = NULL;
  gint64         start_ns = program->timed ? lac_clock_ns() : 0;
  LacStatus      status = program->feed_status;

  program->theta = theta ? theta : lac_program_get_theta(program);
  program->wanted.theta = program->theta;
  program->step = step;
  program->feed_status = LAC_STATUS_OK;
  if (status == LAC_STATUS_OK)
    status = lac_program_execute(program, &culprit);
  if (!check(program, status, culprit, error))
    return FALSE;
  if (!program->later)
    sum_scalars(program);
  if (loss && program->later)
    *loss = (double) NAN;
  else if (loss)
    *loss = program->loss.graph ? program->scalars[program->loss.id] : 0;
  if (program->timed)
    lac_program_emit_timing(program, start_ns);
  return TRUE;
}

gboolean
lac_program_run(LacProgram *program, gconstpointer theta, gint64 step, double *loss, GError **error)
{
  return run(program, theta, step, loss, error);
}

gboolean
lac_program_evaluate(gconstpointer theta,
                     gpointer      gradient,
                     double       *loss,
                     gpointer      objective,
                     GError      **error)
{
  const LacObjective *self = objective;
  LacProgram         *program = self->program;
  const gboolean      is_late = self->later && lac_program_reads_back(program);
  gboolean            done;

  g_return_val_if_fail(program->options.gradient, FALSE);
  if (is_late && !lac_recorded_make_room(program))
    return check(program, LAC_STATUS_OUT_OF_MEMORY, NULL, error);
  program->wanted = (LacWanted){
    .gradient = gradient,
    .follow = self->follow,
    .user_data = self->user_data,
  };
  program->later = is_late;
  done = run(program, theta, self->step, loss, error);
  program->wanted = (LacWanted){0};
  program->later = FALSE;
  return done;
}

gboolean
lac_program_reads_back(const LacProgram *program)
{
  return program->recorded.wanted && program->recorded.readback;
}

/* From the last readback, or from the present theta. */
static void
get_watched(LacProgram *program, double *watched)
{
  const LacRecorded *recorded = &program->recorded;
  const gsize        n = MIN(program->options.n_watched, program->plan->n_parameters);
  const double      *sent = recorded->numbers + recorded->n_slots;

  if (!recorded->wanted)
    download(program, watched, lac_program_get_theta(program), n);
  for (gsize i = 0; recorded->wanted && i < n; i++)
    watched[i] = program->options.type == LAC_F64 ? sent[i] : (double) ((const float *) sent)[i];
}

static gboolean
is_ready(gpointer owner, guint64 run_number)
{
  const LacProgram *program = owner;

  return !program->recorded.wanted || !program->recorded.readback ||
         lac_pending_is_ready(&program->recorded.sent[run_number % LAC_PROGRAM_MOST_OPEN]);
}

static gboolean
finish(gpointer owner, guint64 run_number, gpointer result, GError **error)
{
  LacProgram       *program = owner;
  LacProgramResult *found = result;
  LacStatus         status = LAC_STATUS_OK;

  if (program->recorded.wanted) {
    status = lac_recorded_collect(program, run_number);
    if (status == LAC_STATUS_OK)
      sum_scalars(program);
  }
  if (!check(program, status, NULL, error))
    return FALSE;
  found->loss = program->loss.graph ? program->scalars[program->loss.id] : 0;
  if (found->watched)
    get_watched(program, found->watched);
  return TRUE;
}

LacPending
lac_program_get_pending(LacProgram *program)
{
  static const LacPendingType type = {is_ready, finish};

  return (LacPending){&type, program, program->recorded.n_runs};
}

void
lac_program_read(LacProgram *program, LacNode output, double *values)
{
  const LacNodeInfo *info = lac_node_info(output);

  g_return_if_fail(output.graph == program->graph && output.id < program->plan->n_nodes);
  if (info->kind == LAC_NODE_SCALAR) {
    *values = program->scalars[output.id];
    return;
  }
  g_return_if_fail(program->plan->spots[output.id].place);
  download(program, values, program->arena + program->plan->spots[output.id].offset,
           lac_node_length(info));
}

gsize
lac_program_put(LacProgram *program, LacNode output, gsize n, LacReadback *readback, gsize at)
{
  const LacNodeInfo *info = lac_node_info(output);
  const gsize        n_bytes =
    n * (lac_node_length(info) / info->n_points) * lac_type_size(program->options.type);
  LacStatus status;

  g_return_val_if_fail(output.graph == program->graph && output.id < program->plan->n_nodes, 0);
  g_return_val_if_fail(program->plan->spots[output.id].place && n <= info->n_points, 0);
  status = lac_readback_put(readback, at, program->arena + program->plan->spots[output.id].offset,
                            n_bytes);
  if (status != LAC_STATUS_OK)
    program->feed_status = status;
  return n_bytes;
}

gsize
lac_program_get_arena_bytes(const LacProgram *program)
{
  return program->plan->arena_bytes;
}

double
lac_program_get_flops(const LacProgram *program)
{
  double flops = 0;

  for (guint i = 0; i < program->plan->timers->len; i++)
    flops += g_array_index(program->plan->timers, LacTimer, i).flops;
  return flops;
}

LacDevice
lac_program_get_device(const LacProgram *program)
{
  return program->options.device;
}

LacType
lac_program_get_type(const LacProgram *program)
{
  return program->options.type;
}

LacPool *
lac_program_get_pool(const LacProgram *program)
{
  return program->options.pool;
}
