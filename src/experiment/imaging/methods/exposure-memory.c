/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures on a device. */
#include "experiment/imaging/methods/exposure-memory.h"

#include "backend/device-log.h"
#include "base/error.h"

#define ALIGNMENT 256

gpointer
lac_exposure_memory_take(LacExposureMemory *memory, gsize n_bytes)
{
  guint8 *place = memory->memory ? (guint8 *) memory->memory + memory->n_bytes : NULL;

  memory->n_bytes += (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return place;
}

void
lac_exposure_memory_note(LacExposureMemory *memory, LacStatus status)
{
  if (memory->status == LAC_STATUS_OK)
    memory->status = status;
}

LacStatus
lac_exposure_memory_take_status(LacExposureMemory *memory)
{
  const LacStatus status = memory->status;

  memory->status = LAC_STATUS_OK;
  return status;
}

void
lac_exposure_memory_upload(LacExposureMemory *memory,
                           gpointer           to,
                           gconstpointer      from,
                           gsize              n_bytes)
{
  lac_exposure_memory_note(memory, lac_device_upload(memory->device, to, from, n_bytes));
}

void
lac_exposure_memory_download(LacExposureMemory *memory,
                             gpointer           to,
                             gconstpointer      from,
                             gsize              n_bytes)
{
  lac_exposure_memory_note(memory, lac_device_download(memory->device, to, from, n_bytes));
}

void
lac_exposure_memory_visit(LacExposureMemory *memory,
                          LacVisit          *visit,
                          const char        *name,
                          double            *numbers,
                          gsize              n_rows,
                          gsize              n_columns)
{
  const gsize        n = n_rows * n_columns;
  g_autofree double *copy = g_new0(double, n);

  if (visit->to)
    lac_exposure_memory_download(memory, copy, numbers, n * sizeof *copy);
  lac_visit_values(visit, name, copy, n_rows, n_columns, sizeof *copy);
  if (lac_visit_restores(visit))
    lac_exposure_memory_upload(memory, numbers, copy, n * sizeof *copy);
}

gboolean
lac_exposure_memory_is_sound(const LacExposureMemory *memory, GError **error)
{
  if (memory->status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the exposures in device memory (%.0f MB): %s",
              (double) memory->n_bytes / 1e6, lac_status_text(memory->status));
  return FALSE;
}

static gsize
count_pixels(const LacImagingEstimate *h)
{
  return h->n_positions * h->d * h->d;
}

/* Assigns all places; only counts bytes when there is no memory yet. */
static void
divide(LacExposureMemory *memory, LacExposurePartsFunc take_parts, gpointer user_data)
{
  const LacImagingEstimate *h = memory->h;
  const gsize               n_box = h->box * h->box, n = count_pixels(h);

  memory->n_bytes = 0;
  memory->slots = lac_exposure_memory_take(memory, memory->n_slots * sizeof *memory->slots);
  memory->corners = lac_exposure_memory_take(memory, 2 * memory->n_stops * sizeof *memory->corners);
  memory->passes = lac_exposure_memory_take(memory, memory->n_stops * n_box);
  memory->amplitudes = lac_exposure_memory_take(memory, n * sizeof *memory->amplitudes);
  memory->noise = lac_exposure_memory_take(memory, LAC_WAVE_NOISE * sizeof *memory->noise);
  if (h->pupil)
    memory->pupil = lac_exposure_memory_take(memory, n_box * sizeof *h->pupil);
  if (h->problem.exposures->sigma)
    memory->sigma = lac_exposure_memory_take(memory, n * sizeof *memory->sigma);
  take_parts(user_data);
}

static void
upload_data(LacExposureMemory *memory)
{
  const LacImagingEstimate *h = memory->h;
  const gsize               n_bytes = count_pixels(h) * sizeof(double);
  double                    noise[LAC_WAVE_NOISE];

  G_STATIC_ASSERT(LAC_WAVE_NOISE == LAC_NOISE_LEVEL_NUMBERS);
  lac_noise_level_copy(h->noise, noise);
  lac_exposure_memory_upload(memory, memory->noise, noise, sizeof noise);
  lac_exposure_memory_upload(memory, memory->amplitudes, h->amplitudes, n_bytes);
  if (memory->sigma)
    lac_exposure_memory_upload(memory, memory->sigma, h->problem.exposures->sigma, n_bytes);
}

gboolean
lac_exposure_memory_init(LacExposureMemory        *memory,
                         const LacImagingEstimate *h,
                         LacDevice                 device,
                         gsize                     n_slots,
                         LacExposurePartsFunc      take_parts,
                         gpointer                  user_data,
                         GError                  **error)
{
  *memory = (LacExposureMemory){
    .h = h,
    .device = device,
    .is_plain = !device.table->record_begin,
    .is_stale = TRUE,
    .n_slots = n_slots,
    .n_stops = h->n_positions * h->n_along,
    .own_slots = g_new0(LacWaveSlot, n_slots),
    .own_corners = g_new0(gint32, 2 * h->n_positions * h->n_along),
    .own_passes = g_new0(guint8, h->n_positions * h->n_along * h->box * h->box),
  };
  divide(memory, take_parts, user_data);
  memory->status = device.table->alloc(device.self, memory->n_bytes, &memory->memory);
  if (memory->status == LAC_STATUS_OK) {
    divide(memory, take_parts, user_data);
    upload_data(memory);
  }
  return lac_exposure_memory_is_sound(memory, error);
}

void
lac_exposure_memory_clear(LacExposureMemory *memory)
{
  for (guint i = 0; i < memory->n_steps; i++)
    lac_recorded_step_free(memory->steps[i]);
  if (memory->memory)
    memory->device.table->release(memory->device.self, memory->memory);
  g_free(memory->own_slots);
  g_free(memory->own_corners);
  g_free(memory->own_passes);
  *memory = (LacExposureMemory){NULL};
}

void
lac_exposure_memory_refresh(LacExposureMemory *memory)
{
  const LacImagingEstimate *h = memory->h;
  const gsize               n_box = h->box * h->box;

  if (memory->pupil)
    lac_exposure_memory_upload(memory, memory->pupil, h->pupil, n_box * sizeof *h->pupil);
  if (!memory->is_stale)
    return;
  for (gsize i = 0; i < memory->n_stops; i++)
    lac_optics_get_stop(h->optics, i / h->n_along, i % h->n_along, memory->own_corners + 2 * i,
                        memory->own_passes + i * n_box);
  lac_exposure_memory_upload(memory, memory->corners, memory->own_corners,
                             2 * memory->n_stops * sizeof *memory->corners);
  lac_exposure_memory_upload(memory, memory->passes, memory->own_passes, memory->n_stops * n_box);
  memory->is_stale = FALSE;
}

void
lac_exposure_memory_set_slot(LacExposureMemory *memory, gsize slot, gssize position)
{
  const LacWaveSlot now = position < 0
                            ? (LacWaveSlot){-1, 0}
                            : (LacWaveSlot){(gint32) position, memory->h->rests[position]};
  LacWaveSlot      *own = &memory->own_slots[slot];

  memory->has_slots &= own->visit == now.visit && own->rests == now.rests;
  *own = now;
}

void
lac_exposure_memory_upload_slots(LacExposureMemory *memory)
{
  if (!memory->has_slots)
    lac_exposure_memory_upload(memory, memory->slots, memory->own_slots,
                               memory->n_slots * sizeof *memory->slots);
  memory->has_slots = TRUE;
}

LacRecordedStep *
lac_exposure_memory_make_step(LacExposureMemory *memory,
                              LacStatus (*enqueue)(gpointer user_data),
                              gpointer user_data)
{
  const LacContext             *context = memory->h->problem.context;
  const LacRecordedStepSettings settings = {
    .device = memory->device,
    .enqueue = enqueue,
    .user_data = user_data,
    .perf = memory->is_plain ? NULL : context->perf,
    .lane = context->lane,
  };

  g_return_val_if_fail(memory->n_steps < LAC_EXPOSURE_MOST_STEPS, NULL);
  return memory->steps[memory->n_steps++] = lac_recorded_step_new(&settings);
}

void
lac_exposure_memory_run(LacExposureMemory *memory, LacRecordedStep *step)
{
  if (memory->status == LAC_STATUS_OK)
    lac_exposure_memory_note(memory, lac_recorded_step_run(step, memory->h->step));
}
