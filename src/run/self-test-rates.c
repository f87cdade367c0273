/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rates of a device, by the kernels that most of a step consists of. */
#include "base/clock.h"
#include "base/pool.h"
#include "run/self-test-private.h"

#include <math.h>

#define LEAST_SECONDS 0.01 /* of a call, before its size is large enough */
#define ALL_SECONDS   0.2

/* Matrices grow until a call takes long enough. */
enum { LEAST_SIDE = 128, MOST_SIDE = 4096, MOST_COPY_SIDE = 8192 /* beyond any cache */ };

typedef struct {
  LacDevice  device;
  LacPool   *pool; /* (nullable): of the processor, whose threads share a call */
  LacType    type;
  gboolean   is_copy;
  gsize      side, most_side; /* of square matrices */
  void      *x, *w, *y;       /* w: not of a copy */
  LacStatus *statuses;        /* [n_parts] */
  gsize      n_parts;
} Work;

static void *
offset(const Work *work, void *memory, gsize row)
{
  return (char *) memory + row * work->side * lac_type_size(work->type);
}

static LacStatus
run_rows(const Work *work, gsize first, gsize n)
{
  const LacBackend *table = work->device.table;

  if (work->is_copy)
    return table->strided(work->device.self, &(LacStrided){.type = work->type,
                                                           .n_rows = n,
                                                           .n_columns = work->side,
                                                           .x_stride = work->side,
                                                           .y_stride = work->side,
                                                           .alpha = 1,
                                                           .x = offset(work, work->x, first),
                                                           .y = offset(work, work->y, first)});
  return table->linear(work->device.self, &(LacLinear){.type = work->type,
                                                       .n_points = n,
                                                       .n_streams = 1,
                                                       .n_in = work->side,
                                                       .n_out = work->side,
                                                       .x = offset(work, work->x, first),
                                                       .w = work->w,
                                                       .y = offset(work, work->y, first)});
}

static void
run_part(gsize part, guint worker, gpointer user_data)
{
  const Work *work = user_data;
  const gsize first = part * work->side / work->n_parts;
  const gsize end = (part + 1) * work->side / work->n_parts;

  work->statuses[part] = run_rows(work, first, end - first);
}

static gboolean
run_once(Work *work)
{
  if (work->pool == NULL)
    return run_rows(work, 0, work->side) == LAC_STATUS_OK;
  lac_pool_run(work->pool, work->n_parts, run_part, work);
  for (gsize i = 0; i < work->n_parts; i++)
    if (work->statuses[i] != LAC_STATUS_OK)
      return FALSE;
  return TRUE;
}

/* Returns: seconds of a call, of as many as @seconds hold; NaN where one fails */
static double
time_calls(Work *work, double seconds)
{
  const gint64 begin_ns = lac_clock_ns();
  gint64       spent_ns;
  gsize        n = 0;

  do {
    if (!run_once(work) || work->device.table->synchronise(work->device.self) != LAC_STATUS_OK)
      return (double) NAN;
    n++;
    spent_ns = lac_clock_ns() - begin_ns;
  } while ((double) spent_ns * 1e-9 < seconds);
  return (double) spent_ns * 1e-9 / (double) n;
}

static gboolean
take(Work *work, void **memory)
{
  const LacBackend *table = work->device.table;
  const gsize       n = work->side * work->side;

  return table->alloc(work->device.self, n * lac_type_size(work->type), memory) == LAC_STATUS_OK &&
         table->fill(work->device.self, work->type, *memory, 1.0 / (double) work->side, n) ==
           LAC_STATUS_OK;
}

static void
release(Work *work)
{
  void **all[] = {&work->x, &work->w, &work->y};

  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
    if (*all[i] != NULL)
      work->device.table->release(work->device.self, *all[i]);
    *all[i] = NULL;
  }
}

/* The first call of a size may plan. Returns: what is done in a second; NaN where it cannot be */
static double
measure_side(Work *work, double *call_seconds)
{
  const double side = (double) work->side;
  double       seconds = (double) NAN;

  if (take(work, &work->x) && take(work, &work->y) && (work->is_copy || take(work, &work->w)) &&
      isfinite(time_calls(work, 0)))
    *call_seconds = time_calls(work, 0);
  else
    *call_seconds = (double) NAN;
  if (isfinite(*call_seconds))
    seconds = time_calls(
      work, *call_seconds < LEAST_SECONDS && work->side < work->most_side ? 0 : ALL_SECONDS);
  release(work);
  if (work->is_copy)
    return 2 * side * side * (double) lac_type_size(work->type) / seconds;
  return 2 * side * side * side / seconds;
}

double
lac_self_test_measure(const LacDevice *device, gboolean is_whole, LacSelfTestRate rate)
{
  const guint           n_threads = lac_pool_available();
  g_autoptr(LacPool)    pool = is_whole ? NULL : lac_pool_new(n_threads);
  const gsize           n_parts = MIN(4 * (gsize) n_threads, LEAST_SIDE);
  g_autofree LacStatus *statuses = g_new0(LacStatus, n_parts);
  double                reached = (double) NAN, seconds;
  Work                  work = {
                     .device = *device,
                     .pool = pool,
                     .type = rate == LAC_SELF_TEST_DOUBLES ? LAC_F64 : LAC_F32,
                     .is_copy = rate == LAC_SELF_TEST_COPY,
                     .side = LEAST_SIDE,
                     .most_side = rate == LAC_SELF_TEST_COPY ? MOST_COPY_SIDE : MOST_SIDE,
                     .statuses = statuses,
                     .n_parts = n_parts,
  };

  for (; work.side <= work.most_side; work.side *= 2) {
    const double now = measure_side(&work, &seconds);

    if (!isfinite(now))
      break; /* what fits says what there is to say */
    reached = now;
    if (seconds >= LEAST_SECONDS)
      break;
  }
  return reached;
}
