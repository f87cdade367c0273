/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waves on the CPU: the loops selected for this processor, shared among the threads of the pool by slots or rows. A sweep
 * is sequential. Of a stop's transform only the rows within its box are computed, and of an object's only the box of the
 * slot. */
#include "backend/band-transform.h"
#include "backend/cpu/cpu-private.h"
#include "backend/cpu/plans.h"
#include "backend/cpu/waves/loops.h"
#include "backend/cpu/waves/object.h"

#include <string.h>

static const LacWaveLoops *
loops_of(LacType type)
{
  static const LacWaveLoops *const loops[][2] = {
#define L(level) {&lac_wave_loops_##level##_f32, &lac_wave_loops_##level##_f64},
    LAC_WAVE_LEVELS(L)
#undef L
  };

  return loops[lac_cpu_level()][type];
}

/* Runs @func for each item, in @pool unless it is NULL. */
static void
run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  if (pool) {
    lac_pool_run(pool, n_items, func, user_data);
    return;
  }
  for (gsize i = 0; i < n_items; i++)
    func(i, 0, user_data);
}

static gpointer
pair_at(LacType type, gpointer pairs, gsize i)
{
  return (guint8 *) pairs + i * 2 * lac_type_size(type);
}

/* ---- one step at a time ---- */

static void
object_row(gsize row, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  loops_of(args->type)->object(args, row);
}

static LacStatus
find_object(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  run(args->pool, args->grid, object_row, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
bars_row(gsize row, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  loops_of(args->type)->bars(args, row);
}

static LacStatus
find_bars(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  run(args->pool, args->support, bars_row, (gpointer) args);
  return LAC_STATUS_OK;
}

/* Returns stop @along of a slot in use, with its place in the fields. */
static LacWaveStop
stop_of(const LacWaves *args, gsize slot, gsize along)
{
  const gsize stop = (gsize) args->slots[slot].visit * args->n_along + along;
  const gsize place = (slot * args->n_along + along) * args->detector * args->detector;

  return (LacWaveStop){
    .grid = args->grid,
    .detector = args->detector,
    .box = args->box,
    .field = args->field,
    .fields = pair_at(args->type, args->fields, place),
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
    memset(pair_at(args->type, args->fields, slot * n), 0, n * 2 * lac_type_size(args->type));
    return;
  }
  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = stop_of(args, slot, along);

    loops_of(args->type)->spread(&stop);
  }
}

static LacStatus
spread(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  run(args->pool, args->n_slots, stops_slot, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
compare_slot(gsize slot, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaves *args = user_data;

  if (args->slots[slot].visit < 0)
    args->misfits[slot] = (LacWaveMisfit){0};
  else
    loops_of(args->type)->compare(args, slot);
}

static LacStatus
compare(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  run(args->pool, args->n_slots, compare_slot, (gpointer) args);
  return LAC_STATUS_OK;
}

static LacStatus
gather(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  if (!args->accumulates)
    memset(args->field, 0, args->grid * args->grid * 2 * lac_type_size(args->type));
  for (gsize slot = 0; slot < args->n_slots; slot++)
    for (gsize along = 0; along < args->n_along; along++)
      if (args->slots[slot].visit >= 0 && !args->slots[slot].rests) {
        const LacWaveStop stop = stop_of(args, slot, along);

        loops_of(args->type)->gather(&stop);
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

/* ---- all steps of a slot, while its fields are in the cache ---- */

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
  LacWaveStop stop = stop_of(&waves, slot, along);

  stop.fields = pair_at(args->type, args->fields,
                        (room * args->n_along + along) * args->detector * args->detector);
  return stop;
}

static gsize
first_row_of(const LacWaveStop *stop)
{
  const gint64 d = (gint64) stop->detector, rest = stop->corner[0] % d;

  return (gsize) (rest < 0 ? rest + d : rest);
}

static void
propagate(const Work *work, gsize slot, gsize room)
{
  const LacWaveSweep *args = work->args;

  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = sweep_stop_of(args, slot, along, room);

    work->loops->spread(&stop);
    lac_wave_plan_rows(work->plan, TRUE, stop.fields, first_row_of(&stop), args->box);
    lac_wave_plan_columns(work->plan, TRUE, stop.fields);
  }
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
      .follows = subtracts,
      .share = 1,
  };

  propagate(work, slot, room);
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

/* Returns TRUE when every thread has fields of its own. */
static gboolean
has_room(const LacWaveSweep *args)
{
  return args->pool && args->n_room >= lac_pool_get_n_threads(args->pool);
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

static LacStatus
survey(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  Work work = {args, loops_of(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  run(has_room(args) ? args->pool : NULL, args->n_slots, survey_slot, &work);
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

static LacStatus
sweep(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  const gsize n = args->grid * args->grid;
  const Work  work = {args, loops_of(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  if (args->object.values)
    memset(args->object.change, 0, n * 2 * lac_type_size(args->type));
  for (gsize slot = 0; slot < args->n_slots; slot++)
    sweep_slot(&work, slot);
  return LAC_STATUS_OK;
}

/* ---- exit waves ---- */

static gsize
count_wave(const LacWaveSweep *args)
{
  return args->n_along * args->detector * args->detector;
}

static gpointer
wave_of(const LacWaveSweep *args, gsize slot)
{
  return pair_at(args->type, args->waves, (gsize) args->slots[slot].visit * count_wave(args));
}

/* Projects the fields of a slot onto the measured amplitudes. */
static void
measure(const Work *work, gsize slot, gpointer fields)
{
  const LacWaveSweep *args = work->args;
  LacWaveDistance     distance;
  LacWaveLook         seen = {.slot = args->slots[slot], .fields = fields, .base = 1, .share = 1};

  if (seen.slot.rests)
    return;
  if (args->within_noise) {
    seen.distance = &distance;
    work->loops->look(args, &seen);
    seen.distance = NULL;
    seen.share = lac_wave_distance_get_share(&distance);
  }
  seen.follows = TRUE;
  work->loops->look(args, &seen);
}

static void
propagate_back(const Work *work, gsize slot, gsize room)
{
  const LacWaveSweep *args = work->args;

  for (gsize along = 0; along < args->n_along; along++) {
    const LacWaveStop stop = sweep_stop_of(args, slot, along, room);

    lac_wave_plan_columns(work->plan, FALSE, stop.fields);
    lac_wave_plan_rows(work->plan, FALSE, stop.fields, first_row_of(&stop), args->box);
  }
}

/* The slots that are collected at once. */
typedef struct {
  Work  work;
  gsize first;
} Together;

static void
collect_slot(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Together       *together = user_data;
  const Work           *work = &together->work;
  const LacWaveSweep   *args = work->args;
  const LacWaveFactors *factors = &args->factors;
  const gsize           slot = together->first + item, n = count_wave(args);
  const LacWaveSlot     seen = args->slots[slot];
  gpointer              fields;

  if (seen.visit < 0 || seen.rests)
    return;
  fields = sweep_stop_of(args, slot, 0, item).fields;
  memcpy(fields, wave_of(args, slot), n * 2 * lac_type_size(args->type));
  if (factors->measured != 0)
    measure(work, slot, fields);
  work->loops->combine(n, factors->measured != 0 ? factors->wave : 0, wave_of(args, slot),
                       factors->measured != 0 ? factors->measured : factors->wave, fields);
  propagate_back(work, slot, item);
}

/* Adds the fields of a slot, in order. */
static void
add_slot(const Work *work, gsize slot, gsize room)
{
  const LacWaveSweep *args = work->args;

  if (args->slots[slot].visit < 0 || args->slots[slot].rests)
    return;
  for (gsize along = 0; along < args->n_along; along++) {
    LacWaveStop stop = sweep_stop_of(args, slot, along, room);

    stop.field = args->object.change;
    work->loops->gather(&stop);
    if (args->weights)
      work->loops->count(&stop, args->weights);
  }
}

/* Sums what @func leaves in the fields of the slots, and counts the stops if there are weights. */
static LacStatus
sum_up(const LacWaveSweep *args, LacPoolFunc func)
{
  const gsize n = args->grid * args->grid;
  const gsize n_threads = args->pool ? lac_pool_get_n_threads(args->pool) : 1;
  const gsize most = MIN(args->n_room, 4 * n_threads);
  Together    together = {{args, loops_of(args->type), find_plan(args)}, 0};

  if (!together.work.plan)
    return LAC_STATUS_UNSUPPORTED;
  memset(args->object.change, 0, n * 2 * lac_type_size(args->type));
  if (args->weights)
    memset(args->weights, 0, n * sizeof *args->weights);
  for (; together.first < args->n_slots; together.first += most) {
    const gsize n_now = MIN(most, args->n_slots - together.first);

    run(args->pool, n_now, func, &together);
    for (gsize room = 0; room < n_now; room++)
      add_slot(&together.work, together.first + room, room);
  }
  return LAC_STATUS_OK;
}

static LacStatus
collect(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  return sum_up(args, collect_slot);
}

/* Returns the band of k-space, whose numbers are scratch memory. */
static LacBandPart
band_of(const LacWaveObject *object)
{
  const LacBand band = lac_band_transform_get_band(object->transform);

  return (LacBandPart){band, lac_band_transform_get_part(object->transform), band.width};
}

static LacStatus
to_field(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  const LacWaveObject *object = &args->object;
  const LacBandPart    part = band_of(object);
  const LacWaveBox     field = place_of(args, &part, args->field);

  lac_band_transform_forward(object->transform, (double complex *) object->values, &part);
  loops_of(args->type)->put(&field);
  return LAC_STATUS_OK;
}

static LacStatus
to_object(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  const LacWaveObject *object = &args->object;
  const LacBandPart    part = band_of(object);
  const LacWaveBox     change = place_of(args, &part, object->change);

  loops_of(args->type)->divide(args, &change);
  lac_band_transform_inverse(object->transform, &part, (double complex *) object->values);
  return LAC_STATUS_OK;
}

static LacStatus
average(void *self, const LacWaveSweep *args)
{
  const LacWaveObject *object = &args->object;
  const LacBandPart    part = band_of(object);
  const LacWaveBox     change = place_of(args, &part, object->change);

  loops_of(args->type)->average(args, &change);
  lac_band_transform_add_inverse(object->transform, &part, 1, (double complex *) object->values);
  project(object);
  return to_field(self, args);
}

static void
relax_slot(gsize slot, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacWaveSweep   *args = work->args;
  const LacWaveFactors *factors = &args->factors;
  const gsize           n = count_wave(args);
  gpointer              wave, seen, moved;

  if (args->slots[slot].visit < 0)
    return;
  wave = wave_of(args, slot);
  seen = sweep_stop_of(args, slot, 0, worker).fields;
  moved = sweep_stop_of(args, slot, 0, args->n_room + worker).fields;
  propagate(work, slot, worker);
  memcpy(moved, wave, n * 2 * lac_type_size(args->type));
  work->loops->combine(n, factors->from_object, seen, factors->from_wave, moved);
  measure(work, slot, moved);
  work->loops->combine(n, factors->of_object, seen, factors->of_wave, wave);
  work->loops->combine(n, factors->of_measured, moved, 1, wave);
}

static LacStatus
relax(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  Work work = {args, loops_of(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  run(has_room(args) ? args->pool : NULL, args->n_slots, relax_slot, &work);
  return LAC_STATUS_OK;
}

/* ---- descent ---- */

static void
score_slot(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Together     *together = user_data;
  const Work         *work = &together->work;
  const LacWaveSweep *args = work->args;
  const gsize         slot = together->first + item;
  const LacWaveSlot   seen = args->slots[slot];

  args->losses[slot] = 0;
  if (seen.visit < 0 || seen.rests)
    return;
  propagate(work, slot, item);
  args->losses[slot] = work->loops->score(args, seen, sweep_stop_of(args, slot, 0, item).fields);
  propagate_back(work, slot, item);
}

static LacStatus
score(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  LacWaveSweep alone = *args;

  alone.weights = NULL;
  return sum_up(&alone, score_slot);
}

static void
slopes_slot(gsize slot, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaveSweep *args = user_data;
  const LacWaveSlot   seen = args->slots[slot];
  const gboolean      counts = seen.visit >= 0 && !seen.rests;

  args->slopes[slot] = counts ? loops_of(args->type)->slopes(args, seen) : (LacWaveSlopes){0};
}

static LacStatus
slopes(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  run(args->pool, args->n_slots, slopes_slot, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
normals_slot(gsize slot, guint worker, gpointer user_data)
{
  const Work         *work = user_data;
  const LacWaveSweep *args = work->args;
  const LacWaveSlot   seen = args->slots[slot];
  const gsize         n = args->detector * args->detector, n_terms = args->n_terms;
  const gsize         n_box = 2 * args->box * args->box;
  double             *normals = args->normals + slot * n_terms * (n_terms + 1);
  double             *tangents = args->tangents + worker * (n_terms + 1) * n;
  LacWaveSweep        derived = *args;
  const Work          derivatives = {&derived, work->loops, work->plan};
  gconstpointer       fields, changes;

  memset(normals, 0, n_terms * (n_terms + 1) * sizeof *normals);
  if (seen.visit < 0 || seen.rests)
    return;
  fields = sweep_stop_of(args, slot, 0, worker).fields;
  changes = sweep_stop_of(args, slot, 0, args->n_room + worker).fields;
  propagate(work, slot, worker);
  work->loops->tangent(args, seen, fields, NULL, tangents + n_terms * n);
  for (gsize j = 0; j < n_terms; j++) {
    derived.pupil = (double *) args->derivatives + j * n_box; /* is only read */
    propagate(&derivatives, slot, args->n_room + worker);
    work->loops->tangent(args, seen, fields, changes, tangents + j * n);
  }
  work->loops->normals(tangents, n_terms, n, normals);
}

static LacStatus
normals(void *self G_GNUC_UNUSED, const LacWaveSweep *args)
{
  Work work = {args, loops_of(args->type), find_plan(args)};

  if (!work.plan)
    return LAC_STATUS_UNSUPPORTED;
  run(has_room(args) ? args->pool : NULL, args->n_slots, normals_slot, &work);
  return LAC_STATUS_OK;
}

const LacWaveKernels lac_cpu_waves = {
  .object = find_object,
  .stops = spread,
  .structure = lac_cpu_structure,
  .compare = compare,
  .gather = gather,
  .bars = find_bars,
  .survey = survey,
  .sweep = sweep,
  .collect = collect,
  .average = average,
  .relax = relax,
  .to_field = to_field,
  .to_object = to_object,
  .score = score,
  .slopes = slopes,
  .reparametrise = lac_cpu_reparametrise,
  .reparametrise_reverse = lac_cpu_reparametrise_reverse,
  .penalise = lac_cpu_penalise,
  .conjugate = lac_cpu_conjugate,
  .newton = lac_cpu_newton,
  .normals = normals,
  .prepare = prepare,
  .transform = transform,
};
