/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of an estimate in k-space, and its exchange with the backend. The object of the estimate is always what counts:
 * its transform is found anew after every sweep, so that a run goes on from a checkpoint with the same bits. */
#include "experiment/imaging/methods/k-space.h"

#include "backend/recording.h"
#include "backend/registry.h"
#include "backend/waves.h"
#include "base/error.h"

#include <string.h>

#define ALIGNMENT 256

/* Recorded once where the device can: the sweep with the way back to the object, and the way to k-space with the survey. */
typedef enum { SWEEP, SURVEY, N_PARTS } Part;

struct _LacKSpace {
  LacImagingEstimate *h;
  LacDevice           device;
  gboolean            owns_device;
  LacWaveSweep        waves;
  LacWaveTransform    grid; /* forward */
  gpointer            memory;
  gsize               n_bytes, n_stops;
  LacMemoryClaim      claim;
  gpointer            recordings[N_PARTS];
  gboolean            is_plain; /* nothing can be recorded */
  LacStatus           status;   /* first error */
  gboolean            is_stale; /* apertures need an upload */
  /* host copies */
  gpointer     pairs; /* [N*N] */
  LacWaveSlot *slots;
  double      *lengths;
  LacMisfit   *misfits; /* [n_positions], in the order of the slots */
  gint32      *corners;
  guint8      *passes;
};

void
lac_k_space_free(LacKSpace *k)
{
  if (!k)
    return;
  for (guint i = 0; i < N_PARTS; i++)
    if (k->recordings[i])
      k->device.table->recording_free(k->device.self, k->recordings[i]);
  if (k->memory)
    k->device.table->release(k->device.self, k->memory);
  if (k->owns_device)
    lac_device_close(&k->device);
  lac_memory_unclaim(&k->claim);
  g_free(k->pairs);
  g_free(k->slots);
  g_free(k->lengths);
  g_free(k->misfits);
  g_free(k->corners);
  g_free(k->passes);
  g_free(k);
}

static void
note(LacKSpace *k, LacStatus status)
{
  if (k->status == LAC_STATUS_OK)
    k->status = status;
}

static gpointer
take(LacKSpace *k, gsize n_bytes)
{
  guint8 *bytes = k->memory ? (guint8 *) k->memory + k->n_bytes : NULL;

  k->n_bytes += (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return bytes;
}

/* Assigns addresses to all parts; only counts bytes when there is no memory yet. */
static void
divide(LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;
  LacWaveSweep             *w = &k->waves;
  const gsize pair = 2 * lac_type_size(w->type), n = h->d * h->d, n_all = h->n_positions * n;

  k->n_bytes = 0;
  w->field = take(k, w->grid * w->grid * pair);
  w->fields = take(k, w->n_room * w->n_along * n * pair);
  w->amplitudes = take(k, n_all * sizeof *w->amplitudes);
  w->corners = take(k, 2 * k->n_stops * sizeof *w->corners);
  w->passes = take(k, k->n_stops * w->box * w->box);
  w->pupil = h->pupil ? take(k, w->box * w->box * sizeof *h->pupil) : NULL;
  w->noise = h->is_noisy ? take(k, LAC_WAVE_NOISE * sizeof *w->noise) : NULL;
  w->sigma = h->problem.exposures->sigma ? take(k, n_all * sizeof *w->sigma) : NULL;
  w->slots = take(k, w->n_slots * sizeof *w->slots);
  w->lengths = take(k, w->n_slots * sizeof *w->lengths);
  w->distances = take(k, w->n_slots * sizeof *w->distances);
  w->pupil_length = h->free_pupil ? take(k, sizeof *w->pupil_length) : NULL;
}

static void
upload(LacKSpace *k, gconstpointer to, gconstpointer from, gsize n_bytes)
{
  note(k, k->device.table->upload(k->device.self, (gpointer) to, from, n_bytes));
}

static void
download(LacKSpace *k, gpointer to, gconstpointer from, gsize n_bytes)
{
  note(k, k->device.table->download(k->device.self, to, from, n_bytes));
}

/* Uploads the data that never change. */
static void
upload_data(LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;
  const gsize               n_bytes = h->n_positions * h->d * h->d * sizeof(double);
  double                    noise[LAC_WAVE_NOISE];

  G_STATIC_ASSERT(LAC_WAVE_NOISE == LAC_NOISE_LEVEL_NUMBERS);
  G_STATIC_ASSERT(sizeof(LacMisfit) == sizeof(LacWaveDistance));
  lac_noise_level_copy(h->noise, noise);
  if (k->waves.noise)
    upload(k, k->waves.noise, noise, sizeof noise);
  upload(k, k->waves.amplitudes, h->amplitudes, n_bytes);
  if (k->waves.sigma)
    upload(k, k->waves.sigma, h->problem.exposures->sigma, n_bytes);
}

static void
set_waves(LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;
  const LacContext         *context = h->problem.context;

  k->waves = (LacWaveSweep){
    .type = g_strcmp0(context->precision, "f32") == 0 ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .grid = h->s,
    .detector = h->d,
    .box = h->box,
    .n_along = h->n_along,
    .n_slots = h->n_positions,
    .n_room = MIN(h->n_positions, MAX(h->n_benches, 1)),
    .sees_amplitudes = h->problem.exposures->unit == LAC_DETECTOR_AMPLITUDE,
    .dark = h->dark,
  };
  k->n_stops = h->n_positions * h->n_along;
}

/* Makes the plans of all numbers of fields that a survey or a sweep transforms. */
static void
prepare(LacKSpace *k)
{
  const LacWaveSweep *w = &k->waves;
  LacWaveTransform one = {w->type, w->detector, w->n_along, FALSE, w->fields, w->pool}, all = one;

  all.n_batch = w->n_room * w->n_along;
  note(k, k->device.table->waves->prepare(k->device.self, &k->grid));
  note(k, k->device.table->waves->prepare(k->device.self, &one));
  note(k, k->device.table->waves->prepare(k->device.self, &all));
}

static LacStatus
open_k_space(LacKSpace *k)
{
  LacStatus status;

  set_waves(k);
  divide(k);
  status = k->device.table->alloc(k->device.self, k->n_bytes, &k->memory);
  if (status != LAC_STATUS_OK)
    return status;
  lac_memory_claim(&k->claim, LAC_MEMORY_TRANSFORMS, k->n_bytes);
  divide(k);
  k->grid =
    (LacWaveTransform){k->waves.type, k->waves.grid, 1, FALSE, k->waves.field, k->waves.pool};
  prepare(k);
  upload_data(k);
  return k->status;
}

LacKSpace *
lac_k_space_new(LacImagingEstimate *h, double share, GError **error)
{
  g_autoptr(LacKSpace) k = g_new0(LacKSpace, 1);
  LacStatus            status;

  k->h = h;
  k->is_stale = TRUE;
  k->device = h->problem.context->device;
  k->owns_device = !k->device.table || !k->device.table->waves;
  if (k->owns_device && !lac_device_open(&k->device, "cpu", error)) {
    k->owns_device = FALSE;
    return NULL;
  }
  k->is_plain = !k->device.table->record_begin;
  status = open_k_space(k);
  k->waves.share = share;
  if (status != LAC_STATUS_OK) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the exposures in k-space (%.0f MB): %s",
                (double) k->n_bytes / 1e6, lac_status_text(status));
    return NULL;
  }
  k->pairs = g_malloc0(h->s * h->s * 2 * lac_type_size(k->waves.type));
  k->slots = g_new0(LacWaveSlot, h->n_positions);
  k->lengths = g_new0(double, h->n_positions);
  k->misfits = g_new0(LacMisfit, h->n_positions);
  k->corners = g_new0(gint32, 2 * k->n_stops);
  k->passes = g_new0(guint8, k->n_stops * h->box * h->box);
  return g_steal_pointer(&k);
}

/* ---- what the estimate and the device exchange ---- */

/* Apertures move only in a position search. */
static void
refresh(LacKSpace *k)
{
  const LacImagingEstimate *h = k->h;
  const gsize               n_box = h->box * h->box;

  if (k->waves.pupil)
    upload(k, k->waves.pupil, h->pupil, n_box * sizeof *h->pupil);
  if (!k->is_stale)
    return;
  for (gsize i = 0; i < k->n_stops; i++)
    lac_optics_get_stop(h->optics, i / h->n_along, i % h->n_along, k->corners + 2 * i,
                        k->passes + i * n_box);
  upload(k, k->waves.corners, k->corners, 2 * k->n_stops * sizeof *k->corners);
  upload(k, k->waves.passes, k->passes, k->n_stops * n_box);
  k->is_stale = h->problem.common->position_error > 0;
}

/* Signs of alternate pixels move the origin of k-space to the middle. */
static void
write_row(const LacKSpace *k, gsize row)
{
  const gsize           n = k->waves.grid;
  const double complex *from = k->h->object + row * n;

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
read_row(const LacKSpace *k, gsize row)
{
  const gsize     n = k->waves.grid;
  const double    scale = 1 / ((double) n * (double) n);
  double complex *to = k->h->object + row * n;

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

static void
put_object(LacKSpace *k)
{
  const gsize   n = k->waves.grid;
  const guint64 begin = lac_call_sums_begin(k->h->sums);

  for (gsize row = 0; row < n; row++)
    write_row(k, row);
  upload(k, k->waves.field, k->pairs, n * n * 2 * lac_type_size(k->waves.type));
  lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

static void
take_object(LacKSpace *k)
{
  const gsize   n = k->waves.grid;
  const guint64 begin = lac_call_sums_begin(k->h->sums);

  download(k, k->pairs, k->waves.field, n * n * 2 * lac_type_size(k->waves.type));
  for (gsize row = 0; row < n; row++)
    read_row(k, row);
  k->h->has_field = k->h->has_spectrum = FALSE;
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

/* Only after a checkpoint: a comparison leaves the field of its object. */
static void
find_field(LacKSpace *k)
{
  if (k->h->has_field)
    return;
  put_object(k);
  transform(k, FALSE);
  k->h->has_field = TRUE;
}

static void
set_slot(LacKSpace *k, gsize slot, gsize position)
{
  k->slots[slot] = (LacWaveSlot){(gint32) position, k->h->rests[position]};
}

static void
upload_slots(LacKSpace *k)
{
  upload(k, k->waves.slots, k->slots, k->waves.n_slots * sizeof *k->slots);
}

static void
download_misfits(LacKSpace *k)
{
  download(k, k->misfits, k->waves.distances, k->waves.n_slots * sizeof *k->misfits);
}

/* ---- a sweep, and a comparison ---- */

static void
enqueue(LacKSpace *k, Part part)
{
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveSweep          waves = k->waves;

  if (part == SURVEY) {
    transform(k, FALSE);
    note(k, kernels->survey(k->device.self, &waves));
    return;
  }
  if (!k->h->first_misfits)
    waves.distances = NULL;
  note(k, kernels->sweep(k->device.self, &waves));
  transform(k, TRUE);
}

typedef struct {
  LacKSpace *k;
  Part       part;
} Asked;

/* Takes an error from the recording, so that the part can run again without one. */
static LacStatus
enqueue_part(gpointer user_data)
{
  const Asked *asked = user_data;
  LacStatus    status;

  enqueue(asked->k, asked->part);
  status = asked->k->status;
  asked->k->status = LAC_STATUS_OK;
  return status;
}

static void
run(LacKSpace *k, Part part)
{
  Asked asked = {k, part};

  if (k->status != LAC_STATUS_OK)
    return;
  if (!k->recordings[part] && !k->is_plain)
    k->is_plain = !lac_device_record(k->device, enqueue_part, &asked, &k->recordings[part]);
  if (k->recordings[part])
    note(k, k->device.table->replay(k->device.self, k->recordings[part]));
  else
    enqueue(k, part);
}

void
lac_k_space_sweep(LacKSpace *k, const gsize *order, const double *lengths, double pupil_length)
{
  LacImagingEstimate *h = k->h;

  refresh(k);
  find_field(k);
  for (gsize i = 0; i < h->n_positions; i++) {
    set_slot(k, i, order[i]);
    k->lengths[i] = lengths[order[i]];
  }
  upload_slots(k);
  upload(k, k->waves.lengths, k->lengths, k->waves.n_slots * sizeof *k->lengths);
  if (k->waves.pupil_length)
    upload(k, k->waves.pupil_length, &pupil_length, sizeof pupil_length);
  run(k, SWEEP);
  if (h->first_misfits) {
    download_misfits(k);
    for (gsize i = 0; i < h->n_positions; i++)
      h->first_misfits[order[i]] = MAX(0, k->misfits[i].distance - k->misfits[i].expected);
  }
  if (k->waves.pupil_length)
    download(k, h->pupil, k->waves.pupil, h->box * h->box * sizeof *h->pupil);
  take_object(k);
}

void
lac_k_space_compare(LacKSpace *k)
{
  LacImagingEstimate *h = k->h;

  refresh(k);
  put_object(k);
  for (gsize v = 0; v < h->n_positions; v++)
    set_slot(k, v, v);
  upload_slots(k);
  run(k, SURVEY);
  h->has_field = TRUE;
  download_misfits(k);
  memcpy(h->misfits, k->misfits, h->n_positions * sizeof *h->misfits);
}

gboolean
lac_k_space_is_sound(const LacKSpace *k, GError **error)
{
  if (k->status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the exposures in k-space: %s",
              lac_status_text(k->status));
  return FALSE;
}
