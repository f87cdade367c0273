/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waves on the CPU: the loops selected for this processor, shared among the threads of the pool by slots or rows. */
#include "backend/cpu/cpu-private.h"
#include "backend/cpu/plans.h"
#include "backend/cpu/waves/waves-private.h"

#include <string.h>

const LacWaveLoops *
lac_cpu_wave_loops(LacType type)
{
  static const LacWaveLoops *const loops[][2] = {
#define L(level) {&lac_wave_loops_##level##_f32, &lac_wave_loops_##level##_f64},
    LAC_WAVE_LEVELS(L)
#undef L
  };

  return loops[lac_cpu_level()][type];
}

void
lac_cpu_wave_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  if (pool) {
    lac_pool_run(pool, n_items, func, user_data);
    return;
  }
  for (gsize i = 0; i < n_items; i++)
    func(i, 0, user_data);
}

/* ---- one step at a time ---- */

static void
object_row(gsize row, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  lac_cpu_wave_loops(args->type)->object(args, row);
}

static LacStatus
find_object(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  lac_cpu_wave_run(args->pool, args->grid, object_row, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
bars_row(gsize row, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  lac_cpu_wave_loops(args->type)->bars(args, row);
}

static LacStatus
find_bars(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  lac_cpu_wave_run(args->pool, args->support, bars_row, (gpointer) args);
  return LAC_STATUS_OK;
}

LacWaveStop
lac_cpu_wave_stop(const LacWaves *args, gsize slot, gsize along)
{
  const gsize stop = (gsize) args->slots[slot].visit * args->n_along + along;
  const gsize place = (slot * args->n_along + along) * args->detector * args->detector;

  return (LacWaveStop){
    .grid = args->grid,
    .detector = args->detector,
    .box = args->box,
    .field = args->field,
    .fields = lac_cpu_wave_pair(args->type, args->fields, place),
    .corner = args->corners + 2 * stop,
    .passes = args->passes + stop * args->box * args->box,
    .pupil = (double *) args->pupil, /* only read */
    .factor = 1 / ((double) args->grid * (double) args->detector),
  };
}

static void
stops_slot(gsize slot, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;
  const gsize     n = args->n_along * args->detector * args->detector;

  if (args->slots[slot].visit < 0) {
    memset(lac_cpu_wave_pair(args->type, args->fields, slot * n), 0,
           n * 2 * lac_type_size(args->type));
    return;
  }
  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = lac_cpu_wave_stop(args, slot, along);

    lac_cpu_wave_loops(args->type)->spread(&stop);
  }
}

static LacStatus
spread(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  lac_cpu_wave_run(args->pool, args->n_slots, stops_slot, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
compare_slot(gsize slot, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  if (args->slots[slot].visit < 0)
    args->misfits[slot] = (LacWaveMisfit){0};
  else
    lac_cpu_wave_loops(args->type)->compare(args, slot);
}

static LacStatus
compare(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  lac_cpu_wave_run(args->pool, args->n_slots, compare_slot, (gpointer) args);
  return LAC_STATUS_OK;
}

static LacStatus
gather(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  memset(args->field, 0, args->grid * args->grid * 2 * lac_type_size(args->type));
  for (gsize slot = 0; slot < args->n_slots; slot++)
    for (gsize along = 0; along < args->n_along; along++)
      if (args->slots[slot].visit >= 0 && !args->slots[slot].rests) {
        const LacWaveStop stop = lac_cpu_wave_stop(args, slot, along);

        lac_cpu_wave_loops(args->type)->gather(&stop);
      }
  return LAC_STATUS_OK;
}

static LacStatus
prepare(void *self G_GNUC_UNUSED, const LacWaveTransform *args)
{
  return lac_wave_plan_prepare(args->type, args->n) ? LAC_STATUS_OK : LAC_STATUS_UNSUPPORTED;
}

static LacStatus
transform(void *self, const LacWaveTransform *args)
{
  const LacStatus status = prepare(self, args);

  if (status == LAC_STATUS_OK)
    lac_wave_plan_run(lac_wave_plan_find(args->type, args->n), args->inverse, args->data,
                      args->n_batch, args->pool);
  return status;
}

const LacWaveKernels lac_cpu_waves = {
  .object = find_object,
  .stops = spread,
  .compare = compare,
  .gather = gather,
  .bars = find_bars,
  .survey = lac_cpu_wave_survey,
  .sweep = lac_cpu_wave_sweep,
  .prepare = prepare,
  .transform = transform,
};
