/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of an estimate for the backend, and its exchange with it. The object of the estimate is always what counts: its
 * transform is found anew after every sweep, so that a run goes on from a checkpoint with the same bits. */
#include "experiment/imaging/methods/k-space.h"

#include "backend/registry.h"
#include "backend/waves.h"
#include "experiment/imaging/methods/exposure-memory.h"

#include <string.h>

/* Recorded once where the device can: the sweep, of a field with the way back to the object; the way to k-space with the
 * survey; the parts of an iteration over exit waves; those of a descent. */
typedef enum {
  SWEEP,
  SURVEY,
  COLLECT,
  AVERAGE,
  RELAX,
  GRADIENT,
  CONDITION,
  DIRECTION,
  SLOPES,
  SCORE,
  N_PARTS,
} Part;

struct _LacKSpace {
  LacImagingEstimate *h;
  LacDevice           device;
  gboolean            owns_device;
  LacExposureMemory   memory;
  LacMemoryClaim      claim;
  LacWaveSweep        waves;
  LacWaveTransform    grid;       /* forward */
  gboolean            has_object; /* values on the device, which a prior may constrain */
  LacKSpaceKind       kind;
  gpointer            recordings[N_PARTS];
  double  *device_lengths, *device_pupil_length; /* places of waves.lengths and .pupil_length */
  double  *values, *mask;                        /* of the object, on the device */
  gpointer steps;                                /* of a descent, on the device */
  double  *conditioning;                         /* on the device: [N][N] */
  double  *t;
  /* host copies */
  gpointer       pairs;            /* [N*N]; NULL with values */
  double        *apertures;        /* [N*N], of a descent */
  double        *lengths, *losses; /* [n_positions]: here and below, in the order of the slots */
  LacMisfit     *misfits;
  LacWaveSlopes *slopes;
};

void
lac_k_space_free(LacKSpace *k)
{
  if (!k)
    return;
  for (guint i = 0; i < N_PARTS; i++)
    lac_exposure_memory_free_recording(&k->memory, k->recordings[i]);
  lac_exposure_memory_clear(&k->memory);
  if (k->owns_device)
    lac_device_close(&k->device);
  lac_memory_unclaim(&k->claim);
  g_free(k->pairs);
  g_free(k->lengths);
  g_free(k->misfits);
  g_free(k->apertures);
  g_free(k->losses);
  g_free(k->slopes);
  g_free(k);
}

static void
note(LacKSpace *k, LacStatus status)
{
  lac_exposure_memory_note(&k->memory, status);
}

/* Returns the pixels of the object. */
static gsize
count_pixels(const LacKSpace *k)
{
  return k->h->s * k->h->s;
}

/* Returns the pixels of all exit waves. */
static gsize
count_wave_pixels(const LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;

  return h->n_positions * h->n_along * h->d * h->d;
}

static gboolean
has_waves(const LacKSpace *k)
{
  return k->kind == LAC_K_SPACE_EXIT_WAVES || k->kind == LAC_K_SPACE_GRADIENTS;
}

static void
take_parts(gpointer user_data)
{
  LacKSpace    *k = user_data;
  LacWaveSweep *w = &k->waves;
  const gsize   pair = 2 * lac_type_size(w->type), n_grid = w->grid * w->grid;
  const gsize   n_fields = (has_waves(k) ? 2 : 1) * w->n_room * w->n_along;

  w->field = lac_exposure_memory_take(&k->memory, n_grid * pair);
  w->fields = lac_exposure_memory_take(&k->memory, n_fields * w->detector * w->detector * pair);
  w->distances = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->distances);
  k->device_lengths = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->lengths);
  k->device_pupil_length = lac_exposure_memory_take(&k->memory, sizeof *w->pupil_length);
  if (!k->has_object)
    return;
  k->values = lac_exposure_memory_take(&k->memory, count_pixels(k) * sizeof *k->h->object);
  if (k->kind != LAC_K_SPACE_COMPARISONS)
    w->object.change = lac_exposure_memory_take(&k->memory, n_grid * pair);
  if (k->h->problem.mask)
    k->mask = lac_exposure_memory_take(&k->memory, count_pixels(k) * sizeof *k->mask);
  if (k->kind == LAC_K_SPACE_LIKELIHOOD)
    w->losses = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->losses);
  if (!has_waves(k))
    return;
  w->waves = lac_exposure_memory_take(&k->memory, count_wave_pixels(k) * pair);
  w->weights = lac_exposure_memory_take(&k->memory, n_grid * sizeof *w->weights);
  if (k->kind != LAC_K_SPACE_GRADIENTS)
    return;
  k->steps = lac_exposure_memory_take(&k->memory, count_wave_pixels(k) * pair);
  k->conditioning = lac_exposure_memory_take(&k->memory, n_grid * sizeof *k->conditioning);
  k->t = lac_exposure_memory_take(&k->memory, sizeof *k->t);
  w->slopes = lac_exposure_memory_take(&k->memory, w->n_slots * sizeof *w->slopes);
}

#define WAVES_AT_ONCE 64 /* enough work for a device */

static void
set_waves(LacKSpace *k, const LacKSpaceSettings *settings)
{
  const LacImagingEstimate *h = k->h;
  const LacContext         *context = h->problem.context;
  const gsize               least = k->kind == LAC_K_SPACE_SWEEPS ? 1 : WAVES_AT_ONCE;

  k->waves = (LacWaveSweep){
    .type = g_strcmp0(context->precision, "f32") == 0 ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .grid = h->problem.exposures->grid,
    .detector = h->d,
    .box = h->box,
    .n_along = h->n_along,
    .n_slots = h->n_positions,
    .n_room = MIN(h->n_positions, MAX(h->n_benches, least)),
    .sees_amplitudes = h->problem.exposures->unit == LAC_DETECTOR_AMPLITUDE,
    .dark = h->dark,
    .share = settings->share,
    .within_noise = settings->within_noise && h->is_noisy,
    .likelihood = settings->likelihood,
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
  k->waves.t = k->t;
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
  note(k, kernels->prepare(k->device.self, &k->grid));
  note(k, kernels->prepare(k->device.self, &one));
  note(k, kernels->prepare(k->device.self, &all));
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
  k->lengths = g_new0(double, n);
  k->losses = g_new0(double, n);
  k->misfits = g_new0(LacMisfit, n);
  k->slopes = g_new0(LacWaveSlopes, n);
}

/* Clears everything that is read before it is written. */
static void
clear_waves(LacKSpace *k)
{
  const LacDevice device = k->device;
  const gsize     n = 2 * count_wave_pixels(k);

  if (has_waves(k))
    note(k, device.table->fill(device.self, k->waves.type, k->waves.waves, 0, n));
  if (k->steps)
    note(k, device.table->fill(device.self, k->waves.type, k->steps, 0, n));
}

LacKSpace *
lac_k_space_new(LacImagingEstimate *h, const LacKSpaceSettings *settings, GError **error)
{
  g_autoptr(LacKSpace) k = g_new0(LacKSpace, 1);

  k->h = h;
  k->kind = settings->kind;
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
  return g_steal_pointer(&k);
}

/* ---- what the estimate and the device exchange ---- */

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

/* Gives @object to the device: its values, or the field that is then transformed. */
static void
put_object(LacKSpace *k, const double complex *object)
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
  lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

/* Takes the object from where the device has left it. */
static void
take_object(LacKSpace *k, double complex *object)
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
  lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

/* Transforms the field: to k-space, or back to the object, which then takes its place. */
static void
transform(LacKSpace *k, gboolean inverse)
{
  const guint64    begin = lac_call_sums_begin(k->h->sums);
  LacWaveTransform grid = k->grid;

  grid.inverse = inverse;
  note(k, k->device.table->waves->transform(k->device.self, &grid));
  lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

/* Finds the field of the object that was put. */
static void
find_field(LacKSpace *k)
{
  if (k->has_object)
    note(k, k->device.table->waves->to_field(k->device.self, &k->waves));
  else
    transform(k, FALSE);
}

/* Gives the object of the estimate to the device. A comparison has left its field there, except after a checkpoint; the
 * sweep of an object finds its own. */
static void
begin_pass(LacKSpace *k)
{
  const gboolean needs_field =
    !k->h->has_field && !(k->has_object && k->kind == LAC_K_SPACE_SWEEPS);

  if (k->has_object || needs_field)
    put_object(k, k->h->object);
  if (needs_field)
    find_field(k);
  k->h->has_field |= needs_field;
}

/* Takes the object of the estimate from the device. */
static void
end_pass(LacKSpace *k)
{
  take_object(k, k->h->object);
  k->h->has_field = k->h->has_spectrum = FALSE;
}

/* Between sweeps, a position search may have moved apertures. */
static void
refresh(LacKSpace *k)
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

/* ---- a sweep, and a comparison ---- */

static void
enqueue_sweep(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  if (!k->h->first_misfits)
    waves.distances = NULL;
  note(k, k->device.table->waves->sweep(k->device.self, &waves));
  if (!k->has_object)
    transform(k, TRUE);
}

static void
enqueue_survey(LacKSpace *k)
{
  find_field(k);
  note(k, k->device.table->waves->survey(k->device.self, &k->waves));
}

static void
enqueue_collect(LacKSpace *k)
{
  note(k, k->device.table->waves->collect(k->device.self, &k->waves));
}

static void
enqueue_average(LacKSpace *k)
{
  note(k, k->device.table->waves->average(k->device.self, &k->waves));
}

static void
enqueue_relax(LacKSpace *k)
{
  note(k, k->device.table->waves->relax(k->device.self, &k->waves));
}

/* The waves of the object, and what moves them to the measured amplitudes, back-propagated with the opposite sign. */
static void
enqueue_gradient(LacKSpace *k)
{
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveSweep          waves = k->waves;

  find_field(k);
  waves.factors = (LacWaveFactors){.of_object = 1};
  note(k, kernels->relax(k->device.self, &waves));
  waves.factors = (LacWaveFactors){.measured = -1, .wave = 1};
  note(k, kernels->collect(k->device.self, &waves));
  waves.weights = NULL;
  note(k, kernels->to_object(k->device.self, &waves));
}

static void
enqueue_condition(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  waves.weights = k->conditioning;
  note(k, k->device.table->waves->to_object(k->device.self, &waves));
}

static void
enqueue_direction(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  find_field(k);
  waves.waves = k->steps;
  waves.factors = (LacWaveFactors){.of_object = 1};
  note(k, k->device.table->waves->relax(k->device.self, &waves));
}

static void
enqueue_slopes(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  waves.steps = k->steps;
  note(k, k->device.table->waves->slopes(k->device.self, &waves));
}

static void
enqueue_score(LacKSpace *k)
{
  find_field(k);
  note(k, k->device.table->waves->score(k->device.self, &k->waves));
  note(k, k->device.table->waves->to_object(k->device.self, &k->waves));
}

typedef struct {
  LacKSpace *k;
  Part       part;
} Asked;

static LacStatus
enqueue_part(gpointer user_data)
{
  static void (*const parts[N_PARTS])(LacKSpace * k) = {
    [SWEEP] = enqueue_sweep,         [SURVEY] = enqueue_survey,       [COLLECT] = enqueue_collect,
    [AVERAGE] = enqueue_average,     [RELAX] = enqueue_relax,         [GRADIENT] = enqueue_gradient,
    [CONDITION] = enqueue_condition, [DIRECTION] = enqueue_direction, [SLOPES] = enqueue_slopes,
    [SCORE] = enqueue_score,
  };
  const Asked *asked = user_data;

  parts[asked->part](asked->k);
  return lac_exposure_memory_take_status(&asked->k->memory);
}

static void
run(LacKSpace *k, Part part)
{
  Asked asked = {k, part};

  lac_exposure_memory_run(&k->memory, &k->recordings[part], enqueue_part, &asked);
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

void
lac_k_space_sweep(LacKSpace *k, const gsize *order, const double *lengths, double pupil_length)
{
  LacImagingEstimate *h = k->h;
  LacExposureMemory  *memory = &k->memory;

  refresh(k);
  begin_pass(k);
  for (gsize i = 0; i < h->n_positions; i++) {
    lac_exposure_memory_set_slot(memory, i, (gssize) order[i]);
    k->lengths[i] = lengths[order[i]];
  }
  lac_exposure_memory_upload_slots(memory);
  lac_exposure_memory_upload(memory, k->device_lengths, k->lengths,
                             k->waves.n_slots * sizeof *k->lengths);
  lac_exposure_memory_upload(memory, k->device_pupil_length, &pupil_length, sizeof pupil_length);
  run(k, SWEEP);
  if (h->first_misfits) {
    download_misfits(k);
    for (gsize i = 0; i < h->n_positions; i++)
      h->first_misfits[order[i]] = MAX(0, k->misfits[i].distance - k->misfits[i].expected);
  }
  if (h->free_pupil)
    lac_exposure_memory_download(memory, h->pupil, k->waves.pupil,
                                 h->box * h->box * sizeof *h->pupil);
  end_pass(k);
}

/* Makes slot @v the exposure v. */
static void
order_slots(LacKSpace *k)
{
  for (gsize v = 0; v < k->h->n_positions; v++)
    lac_exposure_memory_set_slot(&k->memory, v, (gssize) v);
  lac_exposure_memory_upload_slots(&k->memory);
}

void
lac_k_space_compare(LacKSpace *k)
{
  LacImagingEstimate *h = k->h;

  refresh(k);
  put_object(k, h->object);
  order_slots(k);
  run(k, SURVEY);
  h->has_field = TRUE;
  h->has_spectrum = FALSE; /* of an object before */
  download_misfits(k);
  memcpy(h->misfits, k->misfits, h->n_positions * sizeof *h->misfits);
}

/* ---- exit waves ---- */

void
lac_k_space_start_waves(LacKSpace *k)
{
  const LacWaveSweep waves = k->waves;
  const LacSpan      span = lac_imaging_estimate_begin_phase(k->h, k->h->names.forward);

  refresh(k);
  begin_pass(k);
  order_slots(k);
  note(k,
       k->device.table->fill(k->device.self, waves.type, waves.waves, 0, 2 * count_wave_pixels(k)));
  k->waves.within_noise = FALSE;
  k->waves.factors = (LacWaveFactors){.of_measured = 1, .from_object = 1};
  enqueue_relax(k);
  k->waves = waves;
  lac_imaging_estimate_end_phase(k->h, span, -1);
}

/* A recording keeps the factors it was made with. */
static void
set_factors(LacKSpace *k, const LacWaveFactors *factors)
{
  if (memcmp(&k->waves.factors, factors, sizeof *factors) == 0)
    return;
  k->waves.factors = *factors;
  for (guint part = COLLECT; part <= RELAX; part++) {
    lac_exposure_memory_free_recording(&k->memory, k->recordings[part]);
    k->recordings[part] = NULL;
  }
}

/* Runs a part as a phase of the performance records. */
static void
run_phase(LacKSpace *k, Part part, guint32 name, double flops)
{
  LacSpan span = lac_imaging_estimate_begin_phase(k->h, name);

  run(k, part);
  span.flops += flops;
  lac_imaging_estimate_end_phase(k->h, span, k->h->step + 1);
}

void
lac_k_space_iterate_waves(LacKSpace *k, const LacWaveFactors *factors)
{
  const LacImagingEstimate *h = k->h;
  const LacBandTransform   *transform = k->waves.object.transform;
  const gsize               width = lac_band_transform_get_band(transform).width;
  const double              flops = (double) h->n_positions * lac_imaging_estimate_get_flops(h, 1);

  set_factors(k, factors);
  refresh(k);
  begin_pass(k);
  order_slots(k);
  run_phase(k, COLLECT, h->names.forward, flops);
  run_phase(k, AVERAGE, h->names.object, 2 * lac_band_transform_get_flops(transform, width));
  run_phase(k, RELAX, h->names.backward, flops);
  end_pass(k);
}

void
lac_k_space_visit_waves(LacKSpace *k, LacVisit *visit)
{
  const gsize n = count_wave_pixels(k), n_bytes = n * 2 * lac_type_size(k->waves.type);
  g_autofree double complex *numbers = g_new0(double complex, n);
  g_autofree float          *single = k->waves.type == LAC_F32 ? g_new0(float, 2 * n) : NULL;
  double                    *parts = (double *) numbers;
  gpointer                   pairs = single ? (gpointer) single : numbers;

  if (visit->to)
    lac_exposure_memory_download(&k->memory, pairs, k->waves.waves, n_bytes);
  for (gsize i = 0; visit->to && single && i < 2 * n; i++)
    parts[i] = (double) single[i];
  lac_visit_values(visit, "waves", numbers, n, 2, 8);
  if (!lac_visit_restores(visit))
    return;
  for (gsize i = 0; single && i < 2 * n; i++)
    single[i] = (float) parts[i];
  lac_exposure_memory_upload(&k->memory, k->waves.waves, pairs, n_bytes);
}

/* ---- descent ---- */

double *
lac_k_space_find_gradient(LacKSpace *k, double complex *gradient)
{
  const gsize n_grid = k->waves.grid * k->waves.grid;

  refresh(k);
  put_object(k, k->h->object);
  order_slots(k);
  run(k, GRADIENT);
  take_object(k, gradient);
  lac_exposure_memory_download(&k->memory, k->apertures, k->waves.weights,
                               n_grid * sizeof *k->apertures);
  return k->apertures;
}

void
lac_k_space_condition(LacKSpace *k, const double *weights, double complex *conditioned)
{
  lac_exposure_memory_upload(&k->memory, k->conditioning, weights,
                             k->waves.grid * k->waves.grid * sizeof *weights);
  run(k, CONDITION);
  take_object(k, conditioned);
}

void
lac_k_space_set_direction(LacKSpace *k, const double complex *direction)
{
  put_object(k, direction);
  run(k, DIRECTION);
}

LacWaveSlopes
lac_k_space_find_slopes(LacKSpace *k, double t)
{
  LacWaveSlopes sum = {0};

  lac_exposure_memory_upload(&k->memory, k->t, &t, sizeof t);
  run(k, SLOPES);
  lac_exposure_memory_download(&k->memory, k->slopes, k->waves.slopes,
                               k->waves.n_slots * sizeof *k->slopes);
  for (gsize slot = 0; slot < k->waves.n_slots; slot++) {
    sum.first += k->slopes[slot].first;
    sum.second += k->slopes[slot].second;
    sum.most += k->slopes[slot].most;
  }
  return sum;
}

double
lac_k_space_score(LacKSpace *k, const double complex *object, double complex *object_bar)
{
  double loss = 0;

  refresh(k);
  put_object(k, object);
  order_slots(k);
  run(k, SCORE);
  take_object(k, object_bar);
  lac_exposure_memory_download(&k->memory, k->losses, k->waves.losses,
                               k->waves.n_slots * sizeof *k->losses);
  for (gsize slot = 0; slot < k->waves.n_slots; slot++)
    loss += k->losses[slot];
  return loss;
}

gboolean
lac_k_space_is_sound(const LacKSpace *k, GError **error)
{
  return lac_exposure_memory_is_sound(&k->memory, error);
}
