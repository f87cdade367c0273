/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of an estimate for the backend, and its exchange with it. The object of the estimate is always what counts: its
 * transform is found anew after every sweep, so that a run goes on from a checkpoint with the same bits. */
#include "backend/registry.h"
#include "experiment/imaging/methods/k-space-private.h"

#include <string.h>

void
lac_k_space_free(LacKSpace *k)
{
  if (!k)
    return;
  lac_exposure_memory_clear(&k->memory);
  if (k->owns_device)
    lac_device_close(&k->device);
  lac_memory_unclaim(&k->claim);
  g_free(k->pairs);
  g_free(k->lengths);
  g_free(k->misfits);
  g_free(k->apertures);
  g_free(k->losses);
  g_free(k);
}

void
lac_k_space_note(LacKSpace *k, LacStatus status)
{
  lac_exposure_memory_note(&k->memory, status);
}

/* Returns the pixels of the object. */
static gsize
count_pixels(const LacKSpace *k)
{
  return k->h->s * k->h->s;
}

gsize
lac_k_space_count_waves(const LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;

  return h->n_positions * h->n_along * h->d * h->d;
}

static gboolean
has_waves(const LacKSpace *k)
{
  return k->kind == LAC_K_SPACE_EXIT_WAVES || k->kind == LAC_K_SPACE_GRADIENTS;
}

/* Returns the aberrations that are calibrated. */
static gsize
count_terms(const LacKSpace *k)
{
  return k->h->free_pupil ? 0 : (gsize) k->h->problem.common->aberrations;
}

static void
take_normals(LacKSpace *k)
{
  LacWaveSweep *w = &k->waves;
  const gsize   n = w->n_terms, n_tangents = w->n_room * (n + 1) * w->detector * w->detector;

  k->derivatives =
    lac_exposure_memory_take(&k->memory, n * w->box * w->box * 2 * sizeof *k->derivatives);
  w->tangents = lac_exposure_memory_take(&k->memory, n_tangents * sizeof *w->tangents);
  w->normals = lac_exposure_memory_take(&k->memory, w->n_slots * n * (n + 1) * sizeof *w->normals);
}

/* The penalties lie behind the losses, so that one copy brings both. */
static void
take_variables(LacKSpace *k)
{
  const gsize n_rows = k->h->s, n_theta = k->n_variables * sizeof *k->theta;

  k->theta = lac_exposure_memory_take(&k->memory, n_theta);
  k->trial = lac_exposure_memory_take(&k->memory, n_theta);
  k->variables.theta_bar = lac_exposure_memory_take(&k->memory, n_theta);
  k->variables.bar = lac_exposure_memory_take(&k->memory, count_pixels(k) * sizeof *k->h->object);
  k->waves.losses =
    lac_exposure_memory_take(&k->memory, (k->waves.n_slots + n_rows) * sizeof *k->losses);
}

static void
take_conjugate(LacKSpace *k)
{
  const gsize n_pairs = count_pixels(k) * sizeof *k->h->object;
  const gsize n_waves = lac_k_space_count_waves(k) * 2 * lac_type_size(k->waves.type);

  k->steps = lac_exposure_memory_take(&k->memory, n_waves);
  k->conditioning =
    lac_exposure_memory_take(&k->memory, k->waves.grid * k->waves.grid * sizeof *k->conditioning);
  k->newton.t = lac_exposure_memory_take(&k->memory, sizeof *k->newton.t);
  k->waves.slopes =
    lac_exposure_memory_take(&k->memory, k->waves.n_slots * sizeof *k->waves.slopes);
  k->conjugate.gradient = lac_exposure_memory_take(&k->memory, n_pairs);
  k->conjugate.conditioned = lac_exposure_memory_take(&k->memory, n_pairs);
  k->conjugate.direction = lac_exposure_memory_take(&k->memory, n_pairs);
  k->before = lac_exposure_memory_take(&k->memory, n_pairs);
  k->numbers = lac_exposure_memory_take(&k->memory, LAC_CONJUGATE_N_NUMBERS * sizeof *k->numbers);
}

static void
take_parts(gpointer user_data)
{
  LacKSpace    *k = user_data;
  LacWaveSweep *w = &k->waves;
  const gsize   pair = 2 * lac_type_size(w->type), n_grid = w->grid * w->grid;
  const gsize   n_rooms = (has_waves(k) || w->n_terms > 0 ? 2 : 1) * w->n_room;

  w->field = lac_exposure_memory_take(&k->memory, n_grid * pair);
  w->fields =
    lac_exposure_memory_take(&k->memory, n_rooms * w->n_along * w->detector * w->detector * pair);
  w->distances = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->distances);
  k->device_lengths = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->lengths);
  k->device_pupil_length = lac_exposure_memory_take(&k->memory, sizeof *w->pupil_length);
  if (w->n_terms > 0)
    take_normals(k);
  if (!k->has_object)
    return;
  k->values = lac_exposure_memory_take(&k->memory, count_pixels(k) * sizeof *k->h->object);
  if (k->kind != LAC_K_SPACE_COMPARISONS)
    w->object.change = lac_exposure_memory_take(&k->memory, n_grid * pair);
  if (k->h->problem.mask)
    k->mask = lac_exposure_memory_take(&k->memory, count_pixels(k) * sizeof *k->mask);
  if (k->kind == LAC_K_SPACE_LIKELIHOOD)
    take_variables(k);
  if (!has_waves(k))
    return;
  w->waves = lac_exposure_memory_take(&k->memory, lac_k_space_count_waves(k) * pair);
  w->weights = lac_exposure_memory_take(&k->memory, n_grid * sizeof *w->weights);
  if (k->kind == LAC_K_SPACE_GRADIENTS)
    take_conjugate(k);
}

/* Enough work for a device, in little memory. */
#define MOST_AT_ONCE  64
#define BYTES_AT_ONCE (64 << 20)

/* Returns the number of exposures that have fields at once. */
static gsize
count_room(const LacKSpace *k, LacType type)
{
  const LacImagingEstimate *h = k->h;
  const gsize               n_terms = count_terms(k), n_tangents = n_terms > 0 ? n_terms + 1 : 0;
  const gsize               n_bytes =
    h->d * h->d * (h->n_along * 2 * lac_type_size(type) + n_tangents * sizeof(double));
  const gsize most = k->kind == LAC_K_SPACE_SWEEPS ? 1 : MIN(MOST_AT_ONCE, BYTES_AT_ONCE / n_bytes);

  return MIN(h->n_positions, MAX(lac_pool_get_n_threads(h->problem.context->pool), most));
}

static void
set_waves(LacKSpace *k, const LacKSpaceSettings *settings)
{
  const LacImagingEstimate *h = k->h;
  const LacContext         *context = h->problem.context;
  const LacType             type = g_strcmp0(context->precision, "f32") == 0 ? LAC_F32 : LAC_F64;

  k->waves = (LacWaveSweep){
    .type = type,
    .pool = context->pool,
    .grid = h->problem.exposures->grid,
    .detector = h->d,
    .box = h->box,
    .n_along = h->n_along,
    .n_slots = h->n_positions,
    .n_room = count_room(k, type),
    .sees_amplitudes = h->problem.exposures->unit == LAC_DETECTOR_AMPLITUDE,
    .dark = h->dark,
    .share = settings->share,
    .within_noise = settings->within_noise && h->is_noisy,
    .likelihood = settings->likelihood,
    .n_terms = count_terms(k),
  };
}

static void
place_exposures(LacKSpace *k)
{
  const LacExposureMemory *memory = &k->memory;

  k->waves.slots = memory->slots;
  k->waves.corners = memory->corners;
  k->waves.passes = memory->passes;
  k->waves.pupil = memory->pupil;
  k->waves.amplitudes = memory->amplitudes;
  k->waves.noise = k->h->is_noisy ? memory->noise : NULL;
  k->waves.sigma = memory->sigma;
  k->waves.lengths = k->device_lengths;
  k->waves.pupil_length = k->h->free_pupil ? k->device_pupil_length : NULL;
  k->waves.t = k->newton.t;
  k->waves.derivatives = k->derivatives;
}

/* Makes the arguments of the methods that descend over the pixels of the object. */
static void
place_descent(LacKSpace *k)
{
  const LacWaveObject *object = &k->waves.object;
  LacWaveVariables    *variables = &k->variables;
  LacWaveConjugate    *conjugate = &k->conjugate;

  variables->pool = conjugate->pool = k->waves.pool;
  variables->support = conjugate->support = object->support;
  variables->prior = conjugate->prior = object->prior;
  variables->mask = conjugate->mask = object->mask;
  variables->values = k->values;
  variables->theta = k->trial;
  if (k->waves.losses)
    variables->penalties = k->waves.losses + k->waves.n_slots;
  conjugate->values = k->values;
  conjugate->numbers = k->numbers;
  k->newton.n_slots = k->waves.n_slots;
  k->newton.slopes = k->waves.slopes;
}

static void
place_object(LacKSpace *k)
{
  LacWaveObject *object = &k->waves.object;

  if (!k->has_object)
    return;
  object->support = k->h->s;
  object->values = k->values;
  object->mask = k->mask;
  object->prior = lac_imaging_estimate_get_prior(k->h);
  object->transform = lac_optics_get_transform(k->h->optics);
  if (k->mask)
    lac_exposure_memory_upload(&k->memory, k->mask, k->h->problem.mask,
                               count_pixels(k) * sizeof *k->mask);
  place_descent(k);
}

/* Makes the plans of all numbers of fields that a survey or a sweep transforms. */
static gboolean
prepare(LacKSpace *k, GError **error)
{
  const LacWaveSweep   *w = &k->waves;
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveTransform one = {w->type, w->detector, w->n_along, FALSE, w->fields, w->pool}, all = one;

  k->grid = (LacWaveTransform){w->type, w->grid, 1, FALSE, w->field, w->pool};
  all.n_batch = w->n_room * w->n_along;
  lac_k_space_note(k, kernels->prepare(k->device.self, &k->grid));
  lac_k_space_note(k, kernels->prepare(k->device.self, &one));
  lac_k_space_note(k, kernels->prepare(k->device.self, &all));
  return lac_exposure_memory_is_sound(&k->memory, error);
}

static void
make_host_copies(LacKSpace *k)
{
  const gsize n_grid = k->waves.grid * k->waves.grid, n = k->h->n_positions;

  if (!k->has_object)
    k->pairs = g_malloc0(n_grid * 2 * lac_type_size(k->waves.type));
  if (k->kind == LAC_K_SPACE_GRADIENTS)
    k->apertures = g_new0(double, n_grid);
  if (k->kind == LAC_K_SPACE_LIKELIHOOD)
    k->losses = g_new0(double, n + k->h->s);
  k->lengths = g_new0(double, n);
  k->misfits = g_new0(LacMisfit, n);
}

static void
clear(LacKSpace *k, LacType type, gpointer memory, gsize n)
{
  lac_k_space_note(k, k->device.table->fill(k->device.self, type, memory, 0, n));
}

/* Clears everything that is read before it is written. */
static void
clear_waves(LacKSpace *k)
{
  const LacType type = k->waves.type;
  const gsize   n = 2 * lac_k_space_count_waves(k), n_pairs = 2 * count_pixels(k);

  clear(k, type, k->waves.field, 2 * k->waves.grid * k->waves.grid);
  if (has_waves(k))
    clear(k, type, k->waves.waves, n);
  if (k->kind != LAC_K_SPACE_GRADIENTS)
    return;
  clear(k, type, k->steps, n);
  clear(k, LAC_F64, k->before, n_pairs);
  clear(k, LAC_F64, k->conjugate.direction, n_pairs);
  clear(k, LAC_F64, k->numbers, LAC_CONJUGATE_N_NUMBERS);
}

static LacStatus
enqueue_part(gpointer user_data)
{
  const LacKSpaceRun *run = user_data;

  lac_device_times_mark(lac_recorded_step_get_times(run->step), &run->operation);
  run->enqueue(run->k);
  return lac_exposure_memory_take_status(&run->k->memory);
}

void
lac_k_space_count(const LacKSpace *k, LacSpan *span)
{
  const LacImagingEstimate *h = k->h;
  const double              n = (double) h->n_positions, box = (double) (h->box * h->box);
  const double              pair = 2 * (double) lac_type_size(k->waves.type);

  span->flops += n * (lac_imaging_estimate_get_flops(h, 2) + 20 * (double) h->n_along * box);
  if (k->has_object)
    span->flops += 2 * n * lac_band_transform_get_flops(k->waves.object.transform, h->box);
  span->bytes +=
    n * (sizeof(double) * (double) (h->d * h->d) + (double) h->n_along * box * (2 * pair + 1));
}

/* Returns the floating-point operations of a part on all exposures; 0: unknown. */
static double
count_flops(const LacKSpace *k, LacKSpacePart part)
{
  const LacImagingEstimate *h = k->h;
  const double              n = (double) h->n_positions;
  const double              once = n * lac_imaging_estimate_get_flops(h, 1);
  LacSpan                   sweep = {0};

  switch (part) {
  case LAC_K_SPACE_SWEEP: lac_k_space_count(k, &sweep); return sweep.flops;
  case LAC_K_SPACE_SURVEY:
  case LAC_K_SPACE_TRY:
  case LAC_K_SPACE_COLLECT:
  case LAC_K_SPACE_RELAX:
  case LAC_K_SPACE_DESCENT: return once;
  case LAC_K_SPACE_GRADIENT:
  case LAC_K_SPACE_SCORE: return 2 * once;
  case LAC_K_SPACE_NORMALS: return (1 + (double) k->waves.n_terms) * once;
  case LAC_K_SPACE_AVERAGE:
  case LAC_K_SPACE_OBJECT:
  case LAC_K_SPACE_N_PARTS: break;
  }
  return 0;
}

/* Makes the steps of all parts, so that no part allocates when it first runs. */
static void
make_runs(LacKSpace *k)
{
  static const char *const names[LAC_K_SPACE_N_PARTS] = {
    [LAC_K_SPACE_SWEEP] = "sweep, on the device",
    [LAC_K_SPACE_SURVEY] = "exposures of the object, on the device",
    [LAC_K_SPACE_TRY] = "exposures at tried places, on the device",
    [LAC_K_SPACE_COLLECT] = "exit waves collected, on the device",
    [LAC_K_SPACE_AVERAGE] = "object averaged, on the device",
    [LAC_K_SPACE_RELAX] = "exit waves relaxed, on the device",
    [LAC_K_SPACE_GRADIENT] = "gradients of exit waves, on the device",
    [LAC_K_SPACE_DESCENT] = "step along the conjugate direction, on the device",
    [LAC_K_SPACE_OBJECT] = "object of the variables, on the device",
    [LAC_K_SPACE_SCORE] = "likelihood, on the device",
    [LAC_K_SPACE_NORMALS] = "normal equations of the pupil, on the device",
  };
  LacPerf *perf = k->h->problem.context->perf;

  for (guint part = 0; part < LAC_K_SPACE_N_PARTS; part++) {
    LacKSpaceRun *run = &k->runs[part];

    *run = (LacKSpaceRun){k, NULL, {.flops = count_flops(k, part), .memory = -1}, NULL};
    if (perf)
      run->operation.name = lac_perf_name(perf, names[part]);
    run->step = lac_exposure_memory_make_step(&k->memory, enqueue_part, run);
  }
}

LacKSpace *
lac_k_space_new(LacImagingEstimate *h, const LacKSpaceSettings *settings, GError **error)
{
  g_autoptr(LacKSpace) k = g_new0(LacKSpace, 1);

  k->h = h;
  k->kind = settings->kind;
  k->n_variables = (h->problem.is_real ? 1 : 2) * count_pixels(k);
  k->variables.variation = settings->variation;
  k->variables.excess = settings->excess;
  k->has_object = k->kind != LAC_K_SPACE_SWEEPS || !lac_imaging_estimate_is_unconstrained(h);
  k->device = h->problem.context->device;
  k->owns_device = !k->device.table || !k->device.table->waves;
  if (k->owns_device && !lac_device_open(&k->device, "cpu", error)) {
    k->owns_device = FALSE;
    return NULL;
  }
  set_waves(k, settings);
  if (!lac_exposure_memory_init(&k->memory, h, k->device, h->n_positions, take_parts, k, error))
    return NULL;
  place_exposures(k);
  place_object(k);
  clear_waves(k);
  if (!prepare(k, error))
    return NULL;
  lac_memory_claim(&k->claim, LAC_MEMORY_TRANSFORMS, k->memory.n_bytes);
  make_host_copies(k);
  make_runs(k);
  return g_steal_pointer(&k);
}

/* ---- what the estimate and the device exchange ---- */

/* Counts a call that began at @from as a transform of the object; on a device that computes beside the host, it has only been
 * enqueued. */
static void
lap(const LacKSpace *k, guint64 from)
{
  if (k->memory.is_plain)
    lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_TRANSFORM, from);
}

/* Signs of alternate pixels move the origin of k-space to the middle. */
static void
write_row(const LacKSpace *k, const double complex *object, gsize row)
{
  const gsize           n = k->waves.grid;
  const double complex *from = object + row * n;

  if (k->waves.type == LAC_F32) {
    float *to = (float *) k->pairs + 2 * row * n;

    for (gsize i = 0; i < n; i++) {
      const float sign = (row + i) % 2 ? -1 : 1;

      to[2 * i] = sign * (float) creal(from[i]);
      to[2 * i + 1] = sign * (float) cimag(from[i]);
    }
    return;
  }
  double *to = (double *) k->pairs + 2 * row * n;

  for (gsize i = 0; i < n; i++) {
    const double sign = (row + i) % 2 ? -1 : 1;

    to[2 * i] = sign * creal(from[i]);
    to[2 * i + 1] = sign * cimag(from[i]);
  }
}

/* The inverse of write_row(), after an unnormalised transform there and back. */
static void
read_row(const LacKSpace *k, double complex *object, gsize row)
{
  const gsize     n = k->waves.grid;
  const double    scale = 1 / ((double) n * (double) n);
  double complex *to = object + row * n;

  if (k->waves.type == LAC_F32) {
    const float *from = (const float *) k->pairs + 2 * row * n;

    for (gsize i = 0; i < n; i++) {
      const double sign = (row + i) % 2 ? -scale : scale;

      to[i] = CMPLX(sign * (double) from[2 * i], sign * (double) from[2 * i + 1]);
    }
    return;
  }
  const double *from = (const double *) k->pairs + 2 * row * n;

  for (gsize i = 0; i < n; i++) {
    const double sign = (row + i) % 2 ? -scale : scale;

    to[i] = CMPLX(sign * from[2 * i], sign * from[2 * i + 1]);
  }
}

void
lac_k_space_put_object(LacKSpace *k, const double complex *object)
{
  const gsize   n = k->waves.grid;
  const guint64 begin = lac_call_sums_begin(k->h->sums);

  if (k->has_object) {
    lac_exposure_memory_upload(&k->memory, k->values, object, count_pixels(k) * sizeof *object);
  } else {
    for (gsize row = 0; row < n; row++)
      write_row(k, object, row);
    lac_exposure_memory_upload(&k->memory, k->waves.field, k->pairs,
                               n * n * 2 * lac_type_size(k->waves.type));
  }
  lap(k, begin);
}

void
lac_k_space_take_object(LacKSpace *k, double complex *object)
{
  const gsize   n = k->waves.grid;
  const guint64 begin = lac_call_sums_begin(k->h->sums);

  if (k->has_object) {
    lac_exposure_memory_download(&k->memory, object, k->values, count_pixels(k) * sizeof *object);
  } else {
    lac_exposure_memory_download(&k->memory, k->pairs, k->waves.field,
                                 n * n * 2 * lac_type_size(k->waves.type));
    for (gsize row = 0; row < n; row++)
      read_row(k, object, row);
  }
  lap(k, begin);
}

/* Transforms the field: to k-space, or back to the object, which then takes its place. */
static void
transform(LacKSpace *k, gboolean inverse)
{
  const guint64    begin = lac_call_sums_begin(k->h->sums);
  LacWaveTransform grid = k->grid;

  grid.inverse = inverse;
  lac_k_space_note(k, k->device.table->waves->transform(k->device.self, &grid));
  lap(k, begin);
}

void
lac_k_space_find_field(LacKSpace *k)
{
  if (k->has_object)
    lac_k_space_note(k, k->device.table->waves->to_field(k->device.self, &k->waves));
  else
    transform(k, FALSE);
}

void
lac_k_space_begin_pass(LacKSpace *k)
{
  const gboolean needs_field =
    !k->h->has_field && !(k->has_object && k->kind == LAC_K_SPACE_SWEEPS);

  if (k->has_object || needs_field)
    lac_k_space_put_object(k, k->h->object);
  if (needs_field)
    lac_k_space_find_field(k);
  k->h->has_field |= needs_field;
}

void
lac_k_space_end_pass(LacKSpace *k)
{
  lac_k_space_take_object(k, k->h->object);
  k->h->has_field = k->h->has_spectrum = FALSE;
}

void
lac_k_space_refresh(LacKSpace *k)
{
  k->memory.is_stale |= k->h->problem.common->position_error > 0;
  lac_exposure_memory_refresh(&k->memory);
}

static void
download_misfits(LacKSpace *k)
{
  lac_exposure_memory_download(&k->memory, k->misfits, k->waves.distances,
                               k->waves.n_slots * sizeof *k->misfits);
}

void
lac_k_space_add(LacKSpace *k, gsize n, const double *factor, const double *x, double *y)
{
  const LacStrided args = {.type = LAC_F64,
                           .n_rows = 1,
                           .n_columns = n,
                           .alpha = 1,
                           .beta = factor ? 1 : 0,
                           .x = x,
                           .y = y,
                           .scale = factor};

  lac_k_space_note(k, k->device.table->strided(k->device.self, &args));
}

/* ---- a sweep, and a comparison ---- */

static void
enqueue_sweep(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  if (!k->h->first_misfits)
    waves.distances = NULL;
  lac_k_space_note(k, k->device.table->waves->sweep(k->device.self, &waves));
  if (!k->has_object)
    transform(k, TRUE);
}

static void
enqueue_survey(LacKSpace *k)
{
  lac_k_space_find_field(k);
  lac_k_space_note(k, k->device.table->waves->survey(k->device.self, &k->waves));
}

void
lac_k_space_run(LacKSpace *k, LacKSpacePart part, LacKSpaceEnqueuing enqueue)
{
  k->runs[part].enqueue = enqueue;
  lac_exposure_memory_run(&k->memory, k->runs[part].step);
}

void
lac_k_space_sweep(LacKSpace *k, const gsize *order, const double *lengths, double pupil_length)
{
  LacImagingEstimate *h = k->h;
  LacExposureMemory  *memory = &k->memory;

  lac_k_space_refresh(k);
  lac_k_space_begin_pass(k);
  for (gsize i = 0; i < h->n_positions; i++) {
    lac_exposure_memory_set_slot(memory, i, (gssize) order[i]);
    k->lengths[i] = lengths[order[i]];
  }
  lac_exposure_memory_upload_slots(memory);
  lac_exposure_memory_upload(memory, k->device_lengths, k->lengths,
                             k->waves.n_slots * sizeof *k->lengths);
  lac_exposure_memory_upload(memory, k->device_pupil_length, &pupil_length, sizeof pupil_length);
  lac_k_space_run(k, LAC_K_SPACE_SWEEP, enqueue_sweep);
  if (h->first_misfits) {
    download_misfits(k);
    for (gsize i = 0; i < h->n_positions; i++)
      h->first_misfits[order[i]] = MAX(0, k->misfits[i].distance - k->misfits[i].expected);
  }
  if (h->free_pupil)
    lac_exposure_memory_download(memory, h->pupil, k->waves.pupil,
                                 h->box * h->box * sizeof *h->pupil);
  lac_k_space_end_pass(k);
}

void
lac_k_space_order_slots(LacKSpace *k)
{
  for (gsize v = 0; v < k->h->n_positions; v++)
    lac_exposure_memory_set_slot(&k->memory, v, (gssize) v);
  lac_exposure_memory_upload_slots(&k->memory);
}

void
lac_k_space_compare(LacKSpace *k)
{
  LacImagingEstimate *h = k->h;

  lac_k_space_refresh(k);
  lac_k_space_put_object(k, h->object);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_SURVEY, enqueue_survey);
  h->has_field = TRUE;
  h->has_spectrum = FALSE; /* of an object before */
  download_misfits(k);
  memcpy(h->misfits, k->misfits, h->n_positions * sizeof *h->misfits);
}

static void
enqueue_trial(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->survey(k->device.self, &k->waves));
}

void
lac_k_space_try(LacKSpace *k, const guint8 *asked, double *distances)
{
  const gsize n = k->h->n_positions;

  g_return_if_fail(k->h->has_field);
  lac_k_space_refresh(k);
  for (gsize v = 0; v < n; v++)
    lac_exposure_memory_set_slot(&k->memory, v, asked[v] ? (gssize) v : -1);
  lac_exposure_memory_upload_slots(&k->memory);
  lac_k_space_run(k, LAC_K_SPACE_TRY, enqueue_trial);
  download_misfits(k);
  for (gsize v = 0; v < n; v++)
    if (asked[v])
      distances[v] = k->misfits[v].distance;
}

gboolean
lac_k_space_is_sound(const LacKSpace *k, GError **error)
{
  return lac_exposure_memory_is_sound(&k->memory, error);
}
