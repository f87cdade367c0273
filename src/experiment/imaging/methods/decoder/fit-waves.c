/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory, recordings and messages of the exposures of a fit. */
#include "experiment/imaging/methods/decoder/fit-waves.h"

#include "backend/recording.h"
#include "backend/waves.h"
#include "base/error.h"

#include <string.h>

#define ALIGNMENT 256

typedef enum { SEE_L1, SEE_L2, SEE_BOTH, LEARN, N_PARTS } Part;

struct _LacDecoderWaves {
  LacDevice        device;
  LacWaves         waves;
  LacWaveTransform grid, fields; /* forward transforms */
  gpointer         memory;
  gsize            n_bytes, n_stops;
  double          *weight;
  gpointer         recordings[N_PARTS];
  gboolean         is_plain; /* nothing can be recorded: calls are complete when they return */
  gboolean         is_stale; /* apertures and pupil need an upload */
  LacStatus        status;   /* first error */
  /* host copies */
  LacWaveSlot   *slots;
  LacWaveMisfit *misfits;
  gint32        *corners;
  guint8        *passes;
  guint32        span, span_terms, span_object; /* of a step; of its parts, where they are timed */
};

static void
note(LacDecoderWaves *part, LacStatus status)
{
  if (part->status == LAC_STATUS_OK)
    part->status = status;
}

gboolean
lac_decoder_waves_knows(const LacDecoderFit *fit, LacAmplitudeLossKind loss)
{
  const double *weights = fit->settings.weights;

  if (!fit->waves)
    return FALSE;
  if (loss == LAC_LOSS_COMPOSITE)
    return weights[LAC_LOSS_SSIM] == 0 && weights[LAC_LOSS_MS_SSIM] == 0;
  return loss == LAC_LOSS_L1 || loss == LAC_LOSS_L2;
}

static gpointer
take(LacDecoderWaves *part, gsize n_bytes)
{
  guint8 *bytes = part->memory ? (guint8 *) part->memory + part->n_bytes : NULL;

  part->n_bytes += (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return bytes;
}

/* Assigns addresses to all parts; only counts bytes when there is no memory yet. */
static void
divide(LacDecoderWaves *part, const LacImagingEstimate *h)
{
  LacWaves   *w = &part->waves;
  const gsize pair = 2 * lac_type_size(w->type), n = h->d * h->d;

  part->n_bytes = 0;
  w->field = take(part, w->grid * w->grid * pair);
  w->fields = take(part, w->n_slots * w->n_along * n * pair);
  w->amplitudes = take(part, h->n_positions * n * sizeof *w->amplitudes);
  w->corners = take(part, 2 * part->n_stops * sizeof *w->corners);
  w->passes = take(part, part->n_stops * w->box * w->box);
  w->pupil = h->pupil ? take(part, w->box * w->box * sizeof *h->pupil) : NULL;
  w->mask = h->problem.mask ? take(part, h->s * h->s * sizeof *w->mask) : NULL;
  w->noise = take(part, LAC_WAVE_NOISE * sizeof *w->noise);
  w->sigma = h->problem.exposures->sigma ? take(part, h->n_positions * n * sizeof *w->sigma) : NULL;
  w->slots = take(part, w->n_slots * sizeof *w->slots);
  w->misfits = take(part, w->n_slots * sizeof *w->misfits);
  part->weight = take(part, sizeof *part->weight);
  w->weight = part->weight;
}

static void
upload(LacDecoderWaves *part, gconstpointer to, gconstpointer from, gsize n_bytes)
{
  note(part, part->device.table->upload(part->device.self, (gpointer) to, from, n_bytes));
}

/* Uploads the data that never change. */
static void
upload_data(LacDecoderWaves *part, const LacImagingEstimate *h)
{
  const LacWaves *w = &part->waves;
  double          noise[LAC_WAVE_NOISE];

  G_STATIC_ASSERT(LAC_WAVE_NOISE == LAC_NOISE_LEVEL_NUMBERS);
  lac_noise_level_copy(h->noise, noise);
  upload(part, w->noise, noise, sizeof noise);
  upload(part, w->amplitudes, h->amplitudes, h->n_positions * h->d * h->d * sizeof *h->amplitudes);
  if (w->sigma)
    upload(part, w->sigma, h->problem.exposures->sigma,
           h->n_positions * h->d * h->d * sizeof *w->sigma);
  if (w->mask)
    upload(part, w->mask, h->problem.mask, h->s * h->s * sizeof *w->mask);
}

static void
refresh(LacDecoderWaves *part, const LacImagingEstimate *h)
{
  const LacWaves *w = &part->waves;
  const gsize     n_box = w->box * w->box;

  for (gsize i = 0; i < part->n_stops; i++)
    lac_optics_get_stop(h->optics, i / w->n_along, i % w->n_along, part->corners + 2 * i,
                        part->passes + i * n_box);
  upload(part, w->corners, part->corners, 2 * part->n_stops * sizeof *part->corners);
  upload(part, w->passes, part->passes, part->n_stops * n_box);
  if (w->pupil)
    upload(part, w->pupil, h->pupil, n_box * sizeof *h->pupil);
  part->is_stale = FALSE;
}

static void
set_waves(LacDecoderWaves *part, const LacDecoderFit *fit)
{
  const LacImagingEstimate *h = fit->h;
  LacWaves                 *w = &part->waves;

  *w = (LacWaves){
    .type = g_strcmp0(h->problem.context->precision, "f64") == 0 ? LAC_F64 : LAC_F32,
    .pool = h->problem.context->pool,
    .grid = h->problem.exposures->grid,
    .support = h->s,
    .detector = h->d,
    .box = h->box,
    .n_along = h->n_along,
    .n_slots = MIN(fit->settings.most_terms, h->n_positions),
    .gain = fit->gain,
    .offset = fit->offset,
    .sees_amplitudes = h->problem.exposures->unit == LAC_DETECTOR_AMPLITUDE,
    .normalised = fit->settings.normalised,
    .picture = lac_decoder_get_picture(fit->network),
    .picture_bar = lac_decoder_get_picture_bar(fit->network),
  };
  if (fit->phase_network) {
    w->phase = lac_decoder_get_picture(fit->phase_network);
    w->phase_bar = lac_decoder_get_picture_bar(fit->phase_network);
  }
  part->n_stops = h->n_positions * h->n_along;
}

static LacStatus
open_part(LacDecoderWaves *part, const LacDecoderFit *fit)
{
  const LacBackend *table = part->device.table;
  LacWaves         *w = &part->waves;
  LacStatus         status;

  set_waves(part, fit);
  divide(part, fit->h);
  status = table->alloc(part->device.self, part->n_bytes, &part->memory);
  if (status != LAC_STATUS_OK)
    return status;
  divide(part, fit->h);
  part->grid = (LacWaveTransform){w->type, w->grid, 1, FALSE, w->field, w->pool};
  part->fields =
    (LacWaveTransform){w->type, w->detector, w->n_slots * w->n_along, FALSE, w->fields, w->pool};
  note(part, table->waves->prepare(part->device.self, &part->grid));
  note(part, table->waves->prepare(part->device.self, &part->fields));
  upload_data(part, fit->h);
  return part->status;
}

static void
name_spans(LacDecoderWaves *part, LacPerf *perf)
{
  if (!perf)
    return;
  part->span = lac_perf_name(perf, "exposures of the step, on the device");
  part->span_terms = lac_perf_name(perf, "exposures of the step");
  part->span_object = lac_perf_name(perf, "object and its spectrum");
}

gboolean
lac_decoder_waves_new(LacDecoderFit *fit, GError **error)
{
  const LacImagingEstimate *h = fit->h;
  LacDecoderWaves          *part;
  LacStatus                 status;

  if (fit->settings.remembers || fit->settings.most_terms == 0 ||
      !lac_decoder_get_device(fit->network).table->waves)
    return TRUE;
  part = fit->waves = g_new0(LacDecoderWaves, 1);
  part->device = lac_decoder_get_device(fit->network);
  part->is_plain = !part->device.table->record_begin;
  part->is_stale = TRUE;
  status = open_part(part, fit);
  if (status != LAC_STATUS_OK) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the decoder's exposures (%.0f MB): %s",
                (double) part->n_bytes / 1e6, lac_status_text(status));
    return FALSE;
  }
  part->slots = g_new(LacWaveSlot, part->waves.n_slots);
  part->misfits = g_new0(LacWaveMisfit, part->waves.n_slots);
  part->corners = g_new0(gint32, 2 * part->n_stops);
  part->passes = g_new0(guint8, part->n_stops * part->waves.box * part->waves.box);
  name_spans(part, h->problem.context->perf);
  return TRUE;
}

void
lac_decoder_waves_free(LacDecoderWaves *part)
{
  if (!part)
    return;
  for (guint i = 0; i < N_PARTS; i++)
    if (part->recordings[i])
      part->device.table->recording_free(part->device.self, part->recordings[i]);
  if (part->memory)
    part->device.table->release(part->device.self, part->memory);
  g_free(part->slots);
  g_free(part->misfits);
  g_free(part->corners);
  g_free(part->passes);
  g_free(part);
}

void
lac_decoder_waves_forget(LacDecoderWaves *part)
{
  part->is_stale = TRUE;
}

LacStatus
lac_decoder_waves_get_status(const LacDecoderWaves *part)
{
  return part->status;
}

static void
set_weights(const LacDecoderFit *fit, Part which, LacWaves *waves)
{
  waves->weight_l1 = which == SEE_BOTH ? fit->settings.weights[LAC_LOSS_L1] : which == SEE_L1;
  waves->weight_l2 = which == SEE_BOTH ? fit->settings.weights[LAC_LOSS_L2] : which == SEE_L2;
}

/* Begins an interval of calls that are complete when they return. */
static LacSpan
begin(const LacDecoderFit *fit, guint32 name)
{
  const LacDecoderWaves *part = fit->waves;

  return part->is_plain ? lac_span_begin(fit->h->problem.context->lane, name) : (LacSpan){0};
}

static void
end(const LacDecoderFit *fit, LacSpan span)
{
  if (fit->waves->is_plain)
    lac_span_end(fit->h->problem.context->lane, span, fit->h->step);
}

static void
enqueue_see(const LacDecoderFit *fit, Part which)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->device.table->waves;
  gpointer              self = part->device.self;
  LacWaves              waves = part->waves;
  LacWaveTransform      fields_back = part->fields;
  LacSpan               span;

  set_weights(fit, which, &waves);
  fields_back.inverse = TRUE;
  lac_decoder_enqueue_forward(fit->network);
  if (fit->phase_network)
    lac_decoder_enqueue_forward(fit->phase_network);
  span = begin(fit, part->span_object);
  note(part, kernels->object(self, &waves));
  note(part, kernels->transform(self, &part->grid));
  end(fit, span);
  span = begin(fit, part->span_terms);
  note(part, kernels->stops(self, &waves));
  note(part, kernels->transform(self, &fields_back));
  note(part, kernels->compare(self, &waves));
  span.flops = (double) part->waves.n_slots * lac_imaging_estimate_get_flops(fit->h, 1);
  end(fit, span);
}

static void
enqueue_back(const LacDecoderFit *fit)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->device.table->waves;
  gpointer              self = part->device.self;
  LacWaveTransform      grid_back = part->grid;
  LacSpan               span = begin(fit, part->span_terms);

  grid_back.inverse = TRUE;
  note(part, kernels->transform(self, &part->fields));
  note(part, kernels->gather(self, &part->waves));
  span.flops = (double) part->waves.n_slots * lac_imaging_estimate_get_flops(fit->h, 1);
  end(fit, span);
  span = begin(fit, part->span_object);
  note(part, kernels->transform(self, &grid_back));
  note(part, kernels->bars(self, &part->waves));
  end(fit, span);
  lac_decoder_enqueue_reverse(fit->network);
  if (fit->phase_network)
    lac_decoder_enqueue_reverse(fit->phase_network);
}

static void
enqueue_learn(const LacDecoderFit *fit)
{
  lac_decoder_enqueue_step(fit->network);
  if (fit->phase_network)
    lac_decoder_enqueue_step(fit->phase_network);
}

/* A recorded step runs on to its gradient, so that the device is busy while the host waits for the losses. */
static void
enqueue(const LacDecoderFit *fit, Part which)
{
  const gboolean goes_on = !fit->waves->is_plain;

  if (which != LEARN)
    enqueue_see(fit, which);
  if (goes_on ? which != LEARN : which == LEARN)
    enqueue_back(fit);
  if (which == LEARN)
    enqueue_learn(fit);
}

typedef struct {
  const LacDecoderFit *fit;
  Part                 which;
} Asked;

/* Takes recording errors from the part and the networks, so that it can run again without a recording. */
static LacStatus
enqueue_part(gpointer user_data)
{
  const Asked         *asked = user_data;
  const LacDecoderFit *fit = asked->fit;
  LacStatus            all[3] = {LAC_STATUS_OK};

  enqueue(fit, asked->which);
  all[0] = fit->waves->status;
  fit->waves->status = LAC_STATUS_OK;
  all[1] = lac_decoder_take_status(fit->network);
  all[2] = fit->phase_network ? lac_decoder_take_status(fit->phase_network) : LAC_STATUS_OK;
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    if (all[i] != LAC_STATUS_OK)
      return all[i];
  return LAC_STATUS_OK;
}

static void
run(const LacDecoderFit *fit, Part which)
{
  LacDecoderWaves *part = fit->waves;
  Asked            asked = {fit, which};

  if (part->status != LAC_STATUS_OK)
    return;
  if (!part->recordings[which] && !part->is_plain)
    part->is_plain =
      !lac_device_record(part->device, enqueue_part, &asked, &part->recordings[which]);
  if (part->recordings[which])
    note(part, part->device.table->replay(part->device.self, part->recordings[which]));
  else
    enqueue(fit, which);
}

/* Fetches the misfits through the message ring, which does not wait for later work. */
static void
fetch_misfits(LacDecoderWaves *part)
{
  const LacBackend *table = part->device.table;
  const gsize       n_bytes = part->waves.n_slots * sizeof *part->misfits;
  guint64           ticket = 0;

  if (!table->post || n_bytes > LAC_MESSAGE_BYTES) {
    note(part, table->download(part->device.self, part->misfits, part->waves.misfits, n_bytes));
    return;
  }
  note(part, table->post(part->device.self, part->waves.misfits, n_bytes, &ticket));
  if (part->status == LAC_STATUS_OK)
    note(part, table->collect(part->device.self, ticket, part->misfits, n_bytes));
}

void
lac_decoder_waves_see(LacDecoderFit *fit, gsize n_terms)
{
  LacDecoderWaves          *part = fit->waves;
  const LacImagingEstimate *h = fit->h;
  const double              weight = 2 / (double) n_terms;
  LacSpan                   span = {0};

  g_return_if_fail(n_terms <= part->waves.n_slots);
  if (!part->is_plain)
    span = lac_span_begin(h->problem.context->lane, part->span);
  if (part->is_stale)
    refresh(part, h);
  for (gsize i = 0; i < part->waves.n_slots; i++)
    part->slots[i] =
      i < n_terms ? (LacWaveSlot){(gint32) fit->terms[i].position, h->rests[fit->terms[i].position]}
                  : (LacWaveSlot){-1, 0};
  upload(part, part->waves.slots, part->slots, part->waves.n_slots * sizeof *part->slots);
  upload(part, part->weight, &weight, sizeof weight);
  run(fit, fit->settings.loss == LAC_LOSS_L1   ? SEE_L1
           : fit->settings.loss == LAC_LOSS_L2 ? SEE_L2
                                               : SEE_BOTH);
  fetch_misfits(part);
  fit->n_terms = n_terms;
  for (gsize i = 0; i < n_terms; i++) {
    const LacWaveMisfit *found = &part->misfits[i];
    fit->terms[i].loss = found->loss;
    fit->terms[i].misfit =
      (LacMisfit){found->distance, found->expected, found->variance, found->energy};
  }
  if (!part->is_plain)
    lac_span_end(h->problem.context->lane, span, h->step);
}

void
lac_decoder_waves_learn(LacDecoderFit *fit, double rate)
{
  lac_decoder_set_rate(fit->network, rate);
  if (fit->phase_network)
    lac_decoder_set_rate(fit->phase_network, rate);
  run(fit, LEARN);
}
