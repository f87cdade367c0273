/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survey and sweep on the CPU: all steps of a slot, while its fields are in the cache. A sweep is sequential. Of a stop's
 * transform only the rows within its box are computed, and of an object's transform only the box of the slot. */
#include "backend/band-transform.h"
#include "backend/cpu/plans.h"
#include "backend/cpu/waves/waves-private.h"

#include <string.h>

typedef struct {
  const LacWaveSweep *args;
  const LacWaveLoops *loops;
  const LacWavePlan  *plan;
} Work;

/* Returns the plan, which prepare() made unless the caller forgot it. */
static const LacWavePlan *
find_plan(const LacWaveSweep *args)
{
  const LacWavePlan *plan = lac_wave_plan_find(args->type, args->detector);

  return plan ? plan : lac_wave_plan_prepare(args->type, args->detector);
}

static LacWaveStop
sweep_stop_of(const LacWaveSweep *args, gsize slot, gsize along, gsize room)
{
  const LacWaves waves = {
    .type = args->type,
    .grid = args->grid,
    .detector = args->detector,
    .box = args->box,
    .n_along = args->n_along,
    .field = args->field,
    .slots = args->slots,
    .corners = args->corners,
    .passes = args->passes,
    .pupil = args->pupil,
    .fields = args->fields,
  };
  LacWaveStop stop = lac_cpu_wave_stop(&waves, slot, along);

  stop.fields = lac_cpu_wave_pair(args->type, args->fields,
                                  (room * args->n_along + along) * args->detector * args->detector);
  return stop;
}

static gsize
first_row_of(const LacWaveStop *stop)
{
  const gint64 d = (gint64) stop->detector, rest = stop->corner[0] % d;

  return (gsize) (rest < 0 ? rest + d : rest);
}

/* Finds the fields of a slot and looks at them. */
static void
look(const Work *work, gsize slot, gsize room, gboolean subtracts)
{
  const LacWaveSweep *args = work->args;
  const LacWaveLook   seen = {
      .slot = args->slots[slot],
      .fields = sweep_stop_of(args, slot, 0, room).fields,
      .distance = args->distances ? &args->distances[slot] : NULL,
      .subtracts = subtracts,
  };

  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = sweep_stop_of(args, slot, along, room);

    work->loops->spread(&stop);
    lac_wave_plan_rows(work->plan, TRUE, stop.fields, first_row_of(&stop), args->box);
    lac_wave_plan_columns(work->plan, TRUE, stop.fields);
  }
  work->loops->look(args, &seen);
}

static void
follow(const Work *work, gsize slot)
{
  const LacWaveSweep *args = work->args;
  const LacWaveFollow update = {
    .length = args->lengths[slot],
    .pupil_length = args->pupil_length ? *args->pupil_length : 0,
    .share = args->share,
    .change = args->object.values ? args->object.change : NULL,
  };

  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = sweep_stop_of(args, slot, along, 0);

    lac_wave_plan_columns(work->plan, FALSE, stop.fields);
    lac_wave_plan_rows(work->plan, FALSE, stop.fields, first_row_of(&stop), args->box);
    work->loops->follow(&stop, &update);
  }
}

static void
survey_slot(gsize slot, guint worker, gpointer user_data)
{
  const Work *work = user_data;

  if (work->args->slots[slot].visit < 0)
    work->args->distances[slot] = (LacWaveDistance){0};
  else
    look(work, slot, worker, FALSE);
}

LacStatus
lac_cpu_wave_survey(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  const gboolean has_room = args->pool && args->n_room >= lac_pool_get_n_threads(args->pool);
  Work           work = {args, lac_cpu_wave_loops(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  lac_cpu_wave_run(has_room ? args->pool : NULL, args->n_slots, survey_slot, &work);
  return LAC_STATUS_OK;
}

/* ---- a sweep ---- */

/* Returns the box of k-space that contains the stops of a slot, within the grid. */
static LacBand
box_of(const LacWaveSweep *args, gsize slot)
{
  const gint64  half = (gint64) (args->grid / 2), reach = (gint64) args->box;
  const gint32 *corners = args->corners + 2 * (gsize) args->slots[slot].visit * args->n_along;
  gint64        first[2] = {half, half}, end[2] = {-half, -half};

  for (gsize along = 0; along < args->n_along; along++)
    for (gsize axis = 0; axis < 2; axis++) {
      first[axis] = MIN(first[axis], corners[2 * along + axis]);
      end[axis] = MAX(end[axis], corners[2 * along + axis] + reach);
    }
  for (gsize axis = 0; axis < 2; axis++) {
    first[axis] = MAX(first[axis], -half);
    end[axis] = MIN(end[axis], half);
  }
  return (LacBand){first[0], first[1], (gsize) (end[0] - first[0]), (gsize) (end[1] - first[1])};
}

/* Returns the box in @field. */
static LacWaveBox
place_of(const LacWaveSweep *args, const LacBandPart *part, gpointer field)
{
  const gint64 half = (gint64) (args->grid / 2);

  return (LacWaveBox){
    .grid = args->grid,
    .height = part->box.height,
    .width = part->box.width,
    .row = (gsize) (part->box.y + half),
    .column = (gsize) (part->box.x + half),
    .field = field,
    .numbers = (double *) part->numbers,
  };
}

static LacBandPart
part_of(const LacWaveSweep *args, gsize slot)
{
  const LacBand box = box_of(args, slot);

  return (LacBandPart){box, lac_band_transform_get_part(args->object.transform), box.width};
}

static void
find_field(const Work *work, gsize slot)
{
  const LacWaveSweep *args = work->args;
  const LacBandPart   part = part_of(args, slot);
  const LacWaveBox    box = place_of(args, &part, args->field);

  lac_band_transform_forward(args->object.transform, (double complex *) args->object.values, &part);
  work->loops->put(&box);
}

static void
project(const LacWaveObject *object)
{
  const LacWavePrior prior = object->prior;
  const double      *mask = object->mask;
  double            *values = object->values;

  for (gsize i = 0; i < object->support * object->support; i++)
    lac_wave_prior_project(&prior, &values[2 * i], &values[2 * i + 1]);
  for (gsize i = 0; mask && i < object->support * object->support; i++)
    if (mask[i] == 0)
      values[2 * i] = values[2 * i + 1] = 0;
}

static void
change_object(const Work *work, gsize slot)
{
  const LacWaveSweep *args = work->args;
  const LacBandPart   part = part_of(args, slot);
  const LacWaveBox    box = place_of(args, &part, args->object.change);

  work->loops->take(&box);
  lac_band_transform_add_inverse(args->object.transform, &part, 1,
                                 (double complex *) args->object.values);
  project(&args->object);
}

static void
sweep_slot(const Work *work, gsize slot)
{
  const LacWaveSweep *args = work->args;
  const LacWaveSlot   seen = args->slots[slot];
  const gboolean      is_constrained = args->object.values != NULL;

  if (seen.visit < 0 && args->distances)
    args->distances[slot] = (LacWaveDistance){0};
  if (seen.visit < 0 || (seen.rests && !args->distances))
    return;
  if (is_constrained)
    find_field(work, slot);
  look(work, slot, 0, !seen.rests);
  if (seen.rests)
    return;
  follow(work, slot);
  if (is_constrained)
    change_object(work, slot);
}

LacStatus
lac_cpu_wave_sweep(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  const gsize n = args->grid * args->grid;
  const Work  work = {args, lac_cpu_wave_loops(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  if (args->object.values)
    memset(args->object.change, 0, n * 2 * lac_type_size(args->type));
  for (gsize slot = 0; slot < args->n_slots; slot++)
    sweep_slot(&work, slot);
  return LAC_STATUS_OK;
}
