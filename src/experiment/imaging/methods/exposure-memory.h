/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exposures of an estimate in the memory of a device, with the caller's own parts in the same allocation; and its
 * requests to the device. Thread: that of the method. */
#pragma once

#include "backend/recorded-step.h"
#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

#define LAC_EXPOSURE_MOST_STEPS 16

typedef struct {
  const LacImagingEstimate *h; /* borrowed */
  LacDevice                 device;
  gboolean         is_plain;  /* nothing can be recorded: calls are complete when they return */
  gboolean         is_stale;  /* apertures need an upload: set by whoever moves them */
  gboolean         has_slots; /* the device has the slots */
  LacStatus        status;    /* first error */
  gpointer         memory;
  gsize            n_bytes, n_slots, n_stops;
  LacRecordedStep *steps[LAC_EXPOSURE_MOST_STEPS];
  guint            n_steps;
  /* on the device, see LacWaves */
  LacWaveSlot *slots; /* [n_slots] */
  gint32      *corners;
  guint8      *passes;
  double      *pupil, *sigma; /* (nullable) */
  double      *amplitudes, *noise;
  /* on the host */
  LacWaveSlot *own_slots;
  gint32      *own_corners;
  guint8      *own_passes;
} LacExposureMemory;

/* Takes the caller's parts. Called twice: first to count them, then to learn their places. */
typedef void (*LacExposurePartsFunc)(gpointer user_data);

/* Allocates the memory of a zeroed struct and copies what never changes. @device: borrowed. Returns: FALSE with an error when
 * the device has too little memory; clear it in either case. */
gboolean lac_exposure_memory_init(LacExposureMemory        *memory,
                                  const LacImagingEstimate *estimate,
                                  LacDevice                 device,
                                  gsize                     n_slots,
                                  LacExposurePartsFunc      take_parts,
                                  gpointer                  user_data,
                                  GError                  **error);
void     lac_exposure_memory_clear(LacExposureMemory *memory); /* accepts a zeroed struct */

/* Takes the next part. Returns: its place; NULL while parts are only counted. */
gpointer lac_exposure_memory_take(LacExposureMemory *memory, gsize n_bytes);

/* Keeps @status if it is the first error. */
void lac_exposure_memory_note(LacExposureMemory *memory, LacStatus status);
void lac_exposure_memory_upload(LacExposureMemory *memory,
                                gpointer           to,
                                gconstpointer      from,
                                gsize              n_bytes);
void lac_exposure_memory_download(LacExposureMemory *memory,
                                  gpointer           to,
                                  gconstpointer      from,
                                  gsize              n_bytes);

/* Visits numbers of the device, [n_rows][n_columns]. */
void lac_exposure_memory_visit(LacExposureMemory *memory,
                               LacVisit          *visit,
                               const char        *name,
                               double            *numbers,
                               gsize              n_rows,
                               gsize              n_columns);

/* Uploads the pupil, and the apertures if they are stale. */
void lac_exposure_memory_refresh(LacExposureMemory *memory);

/* Makes slot @slot the exposure at @position, or none if that is negative; all slots are then uploaded together if one has
 * changed. */
void lac_exposure_memory_set_slot(LacExposureMemory *memory, gsize slot, gssize position);
void lac_exposure_memory_upload_slots(LacExposureMemory *memory);

/* Makes a step of what @enqueue enqueues, which returns, and forgets, its first error. @user_data: lives as long as the
 * memory, which owns the step */
LacRecordedStep *lac_exposure_memory_make_step(LacExposureMemory *memory,
                                               LacStatus (*enqueue)(gpointer user_data),
                                               gpointer user_data);
void             lac_exposure_memory_run(LacExposureMemory *memory, LacRecordedStep *step);

/* Returns TRUE when all requests succeeded; else sets LAC_ERROR_DEVICE. */
gboolean lac_exposure_memory_is_sound(const LacExposureMemory *memory, GError **error);
/* Returns the first error and forgets it. */
LacStatus lac_exposure_memory_take_status(LacExposureMemory *memory);

G_END_DECLS
