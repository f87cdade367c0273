/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory, recordings and readbacks of the exposures of a fit. */
#include "experiment/imaging/methods/decoder/fit-waves.h"

#include "backend/readback.h"
#include "backend/waves.h"
#include "experiment/imaging/methods/exposure-memory.h"

#include <string.h>

#define LEAST_MAPS 16 /* exposures that fill a device */

/* Comparisons by each loss, and a step. */
typedef enum { LEARN = LAC_N_LOSSES, N_PARTS } Part;

typedef struct {
  const LacDecoderFit *fit;
  Part                 which;
  LacRecordedStep     *step;
} Run;

struct _LacDecoderWaves {
  LacExposureMemory memory;
  LacWaves          waves;
  LacWaveTransform  grid, fields; /* forward transforms */
  double           *weight, *mask, *dissimilarities;
  Run               runs[N_PARTS];
  LacRecordedStep  *running;  /* (nullable) */
  LacWaveMisfit    *misfits;  /* host copy */
  LacReadback      *readback; /* (nullable): of the misfits, which does not wait for later work */
  guint32 span, span_terms, span_object; /* of a step; of its parts, where they are timed */
};

static void
note(LacDecoderWaves *part, LacStatus status)
{
  lac_exposure_memory_note(&part->memory, status);
}

/* Returns TRUE where a loss of the fit looks at the structure. */
static gboolean
has_structure(const LacDecoderFit *fit)
{
  const LacDecoderFitSettings *settings = &fit->settings;
  const double                *weights = settings->weights;

  if (settings->changes || settings->loss == LAC_LOSS_SSIM || settings->loss == LAC_LOSS_MS_SSIM)
    return TRUE;
  return settings->loss == LAC_LOSS_COMPOSITE &&
         (weights[LAC_LOSS_SSIM] != 0 || weights[LAC_LOSS_MS_SSIM] != 0);
}

static void
take_parts(gpointer user_data)
{
  LacDecoderWaves   *part = user_data;
  LacExposureMemory *memory = &part->memory;
  LacWaves          *w = &part->waves;
  const gsize        pair = 2 * lac_type_size(w->type), n = w->detector * w->detector;

  w->field = lac_exposure_memory_take(memory, w->grid * w->grid * pair);
  w->fields = lac_exposure_memory_take(memory, w->n_slots * w->n_along * n * pair);
  w->misfits = lac_exposure_memory_take(memory, w->n_slots * sizeof *w->misfits);
  w->maps = lac_exposure_memory_take(memory, w->n_maps * LAC_WAVE_MAPS * n * sizeof *w->maps);
  if (w->n_maps > 0)
    part->dissimilarities =
      lac_exposure_memory_take(memory, w->n_slots * (1 + n) * sizeof *part->dissimilarities);
  part->weight = lac_exposure_memory_take(memory, sizeof *part->weight);
  if (memory->h->problem.mask)
    part->mask = lac_exposure_memory_take(memory, w->support * w->support * sizeof *w->mask);
}

/* @records: the device computes beside the host */
static void
set_waves(LacDecoderWaves *part, const LacDecoderFit *fit, gboolean records)
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
  if (has_structure(fit))
    w->n_maps = MIN(w->n_slots, MAX(lac_pool_get_n_threads(w->pool), records ? LEAST_MAPS : 1));
  if (fit->phase_network) {
    w->phase = lac_decoder_get_picture(fit->phase_network);
    w->phase_bar = lac_decoder_get_picture_bar(fit->phase_network);
  }
}

static void
place_exposures(LacDecoderWaves *part)
{
  LacExposureMemory *memory = &part->memory;
  LacWaves          *w = &part->waves;

  w->slots = memory->slots;
  w->corners = memory->corners;
  w->passes = memory->passes;
  w->pupil = memory->pupil;
  w->amplitudes = memory->amplitudes;
  w->noise = memory->noise;
  w->sigma = memory->sigma;
  w->weight = part->weight;
  w->mask = part->mask;
  if (part->mask)
    lac_exposure_memory_upload(memory, part->mask, memory->h->problem.mask,
                               w->support * w->support * sizeof *w->mask);
}

static void
prepare(LacDecoderWaves *part)
{
  const LacDevice device = part->memory.device;
  const LacWaves *w = &part->waves;

  part->grid = (LacWaveTransform){w->type, w->grid, 1, FALSE, w->field, w->pool};
  part->fields =
    (LacWaveTransform){w->type, w->detector, w->n_slots * w->n_along, FALSE, w->fields, w->pool};
  note(part, device.table->waves->prepare(device.self, &part->grid));
  note(part, device.table->waves->prepare(device.self, &part->fields));
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

void
lac_decoder_waves_free(LacDecoderWaves *part)
{
  if (!part)
    return;
  lac_readback_free(part->readback);
  lac_exposure_memory_clear(&part->memory);
  g_free(part->misfits);
  g_free(part);
}

void
lac_decoder_waves_forget(LacDecoderWaves *part)
{
  part->memory.is_stale = TRUE;
}

LacStatus
lac_decoder_waves_get_status(const LacDecoderWaves *part)
{
  return part->memory.status;
}

static double
weight_of(const LacDecoderFit *fit, Part which, LacAmplitudeLossKind kind)
{
  return which == (Part) LAC_LOSS_COMPOSITE ? fit->settings.weights[kind] : which == (Part) kind;
}

static void
set_weights(const LacDecoderFit *fit, Part which, LacWaves *waves)
{
  waves->weight_l1 = weight_of(fit, which, LAC_LOSS_L1);
  waves->weight_l2 = weight_of(fit, which, LAC_LOSS_L2);
  waves->weight_ssim = weight_of(fit, which, LAC_LOSS_SSIM);
  waves->weight_ms_ssim = weight_of(fit, which, LAC_LOSS_MS_SSIM);
  if (waves->weight_ssim != 0 || waves->weight_ms_ssim != 0)
    waves->dissimilarities = fit->waves->dissimilarities;
}

/* Begins an interval of calls that are complete when they return; elsewhere the device takes its time. */
static LacSpan
begin(const LacDecoderFit *fit, guint32 name, double flops)
{
  const LacDecoderWaves   *part = fit->waves;
  const LacDeviceOperation operation = {.name = name, .flops = flops, .memory = -1};

  lac_device_times_mark(lac_recorded_step_get_times(part->running), &operation);
  return part->memory.is_plain ? lac_span_begin(fit->h->problem.context->lane, name) : (LacSpan){0};
}

static void
end(const LacDecoderFit *fit, LacSpan span)
{
  if (fit->waves->memory.is_plain)
    lac_span_end(fit->h->problem.context->lane, span, fit->h->step);
}

static void
enqueue_see(const LacDecoderFit *fit, Part which)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->memory.device.table->waves;
  gpointer              self = part->memory.device.self;
  LacWaves              waves = part->waves;
  LacWaveTransform      fields_back = part->fields;
  const double flops = (double) part->waves.n_slots * lac_imaging_estimate_get_flops(fit->h, 1);
  LacSpan      span;

  set_weights(fit, which, &waves);
  fields_back.inverse = TRUE;
  lac_decoder_enqueue_forward(fit->network);
  if (fit->phase_network)
    lac_decoder_enqueue_forward(fit->phase_network);
  span = begin(fit, part->span_object, 0);
  note(part, kernels->object(self, &waves));
  note(part, kernels->transform(self, &part->grid));
  end(fit, span);
  span = begin(fit, part->span_terms, flops);
  note(part, kernels->stops(self, &waves));
  note(part, kernels->transform(self, &fields_back));
  if (waves.dissimilarities)
    note(part, kernels->structure(self, &waves));
  note(part, kernels->compare(self, &waves));
  span.flops = flops;
  end(fit, span);
}

static void
enqueue_back(const LacDecoderFit *fit)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->memory.device.table->waves;
  gpointer              self = part->memory.device.self;
  LacWaveTransform      grid_back = part->grid;
  const double flops = (double) part->waves.n_slots * lac_imaging_estimate_get_flops(fit->h, 1);
  LacSpan      span = begin(fit, part->span_terms, flops);

  grid_back.inverse = TRUE;
  note(part, kernels->transform(self, &part->fields));
  note(part, kernels->gather(self, &part->waves));
  span.flops = flops;
  end(fit, span);
  span = begin(fit, part->span_object, 0);
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
  const gboolean goes_on = !fit->waves->memory.is_plain;

  if (which != LEARN)
    enqueue_see(fit, which);
  if (goes_on ? which != LEARN : which == LEARN)
    enqueue_back(fit);
  if (which == LEARN)
    enqueue_learn(fit);
}

/* Takes the errors from the part and the networks, so that it can run again without a recording. */
static LacStatus
enqueue_part(gpointer user_data)
{
  const Run           *run = user_data;
  const LacDecoderFit *fit = run->fit;
  LacStatus            all[3] = {LAC_STATUS_OK};

  enqueue(fit, run->which);
  all[0] = lac_exposure_memory_take_status(&fit->waves->memory);
  all[1] = lac_decoder_take_status(fit->network);
  all[2] = fit->phase_network ? lac_decoder_take_status(fit->phase_network) : LAC_STATUS_OK;
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    if (all[i] != LAC_STATUS_OK)
      return all[i];
  return LAC_STATUS_OK;
}

static void
make_steps(LacDecoderWaves *part, const LacDecoderFit *fit)
{
  for (guint which = 0; which < N_PARTS; which++) {
    Run *run = &part->runs[which];

    *run =
      (Run){fit, (Part) which, lac_exposure_memory_make_step(&part->memory, enqueue_part, run)};
  }
}

gboolean
lac_decoder_waves_new(LacDecoderFit *fit, GError **error)
{
  const LacDevice  device = lac_decoder_get_device(fit->network);
  LacDecoderWaves *part;

  if (fit->settings.remembers || fit->settings.most_terms == 0 || !device.table->waves)
    return TRUE;
  part = fit->waves = g_new0(LacDecoderWaves, 1);
  set_waves(part, fit, device.table->record_begin != NULL);
  if (!lac_exposure_memory_init(&part->memory, fit->h, device, part->waves.n_slots, take_parts,
                                part, error))
    return FALSE;
  place_exposures(part);
  prepare(part);
  part->misfits = g_new0(LacWaveMisfit, part->waves.n_slots);
  part->readback = lac_readback_new(device, part->waves.n_slots * sizeof *part->misfits, 1);
  name_spans(part, fit->h->problem.context->perf);
  make_steps(part, fit);
  return lac_exposure_memory_is_sound(&part->memory, error);
}

/* Makes @step, or none, the one that layers are enqueued for. */
static void
set_running(const LacDecoderFit *fit, LacRecordedStep *step)
{
  fit->waves->running = step;
  lac_decoder_set_running(fit->network, step);
  if (fit->phase_network)
    lac_decoder_set_running(fit->phase_network, step);
}

static void
run(const LacDecoderFit *fit, Part which)
{
  LacDecoderWaves *part = fit->waves;
  Run             *run = &part->runs[which];

  set_running(fit, run->step);
  lac_exposure_memory_run(&part->memory, run->step);
  set_running(fit, NULL);
}

static LacStatus
wait_for(LacDecoderWaves *part, const LacPending *pending, const void **host)
{
  const LacSpan   span = lac_exposure_memory_begin_wait(&part->memory);
  const LacStatus status = lac_readback_open(part->readback, pending, host);

  lac_exposure_memory_end_wait(&part->memory, span);
  return status;
}

static void
fetch_misfits(LacDecoderWaves *part)
{
  const gsize n_bytes = part->waves.n_slots * sizeof *part->misfits;
  const void *host = NULL;
  LacPending  pending;

  if (!part->readback) {
    lac_exposure_memory_download(&part->memory, part->misfits, part->waves.misfits, n_bytes);
    return;
  }
  note(part, lac_readback_put(part->readback, 0, part->waves.misfits, n_bytes));
  if (part->memory.status == LAC_STATUS_OK)
    note(part, lac_readback_send(part->readback, &pending));
  if (part->memory.status == LAC_STATUS_OK)
    note(part, wait_for(part, &pending, &host));
  if (part->memory.status == LAC_STATUS_OK)
    memcpy(part->misfits, host, n_bytes);
}

void
lac_decoder_waves_see(LacDecoderFit *fit, gsize n_terms)
{
  LacDecoderWaves          *part = fit->waves;
  const LacImagingEstimate *h = fit->h;
  const double              weight = 2 / (double) n_terms;
  LacSpan                   span = {0};

  g_return_if_fail(n_terms <= part->waves.n_slots);
  if (!part->memory.is_plain)
    span = lac_span_begin(h->problem.context->lane, part->span);
  lac_exposure_memory_refresh(&part->memory);
  for (gsize i = 0; i < part->waves.n_slots; i++)
    lac_exposure_memory_set_slot(&part->memory, i,
                                 i < n_terms ? (gssize) fit->terms[i].position : -1);
  lac_exposure_memory_upload_slots(&part->memory);
  lac_exposure_memory_upload(&part->memory, part->weight, &weight, sizeof weight);
  run(fit, (Part) fit->settings.loss);
  fetch_misfits(part);
  fit->n_terms = n_terms;
  for (gsize i = 0; i < n_terms; i++) {
    const LacWaveMisfit *found = &part->misfits[i];
    fit->terms[i].loss = found->loss;
    fit->terms[i].misfit =
      (LacMisfit){found->distance, found->expected, found->variance, found->energy};
  }
  if (!part->memory.is_plain)
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
