/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain from network to object, spectrum and images, and back by the adjoint of each. A device records one step from the
 * network through the images and back, and the host waits only for its losses; a second recording performs the Adam step.
 * Elsewhere the way back belongs to the second part, which a finished exposure does not need. */
#include "experiment/imaging/methods/decoder/fit-waves.h"

#include "backend/readback.h"
#include "backend/waves.h"
#include "experiment/imaging/methods/exposure-memory.h"

#include <math.h>
#include <string.h>

#define LEAST_MAPS 16 /* exposures that fill a device */

/* Comparisons by each loss, and a step. */
typedef enum { LEARN = LAC_N_LOSSES, N_PARTS } Part;

typedef struct {
  const LacDecoderFit *fit;
  Part                 which;
  LacRecordedStep     *step;
} Run;

/* Images that are compared: exposures, or the rehearsed output. */
typedef struct {
  LacWaves         waves;
  LacWaveTransform fields; /* forward */
  double           flops;  /* of a transform */
  guint32          span;
} Images;

struct _LacDecoderWaves {
  LacExposureMemory memory;
  Images            exposures;
  Images            rehearsed; /* one image, as large as the grid */
  Images           *images[2]; /* both, or the exposures alone */
  gsize             n_images;
  guint8           *passes; /* [N*N]: of the rehearsed output, on the host */
  LacWaveTransform  grid;   /* forward */
  Run               runs[N_PARTS];
  LacRecordedStep  *running; /* (nullable) */
  gsize             n_misfits;
  LacWaveMisfit    *misfits;  /* host copy, of all images */
  LacReadback      *readback; /* (nullable): of the misfits, which does not wait for later work */
  guint32           span, span_object; /* of a step; of its object, where it is timed */
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

/* Takes what only these images need. */
static void
take_images(LacExposureMemory *memory, LacWaves *w)
{
  const gsize pair = 2 * lac_type_size(w->type), n = w->detector * w->detector;

  w->fields = lac_exposure_memory_take(memory, w->n_slots * w->n_along * n * pair);
  w->maps = lac_exposure_memory_take(memory, w->n_maps * LAC_WAVE_MAPS * n * sizeof *w->maps);
  if (w->n_maps > 0)
    w->dissimilarities =
      lac_exposure_memory_take(memory, w->n_slots * (1 + n) * sizeof *w->dissimilarities);
}

static void
take_rehearsed(LacDecoderWaves *part)
{
  LacExposureMemory *memory = &part->memory;
  LacWaves          *w = &part->rehearsed.waves;
  const LacWaves    *exposures = &part->exposures.waves;
  const gsize        n = w->grid * w->grid;

  take_images(memory, w);
  w->field = exposures->field;
  w->misfits = exposures->misfits ? exposures->misfits + exposures->n_slots : NULL;
  w->slots = lac_exposure_memory_take(memory, sizeof *w->slots);
  w->corners = lac_exposure_memory_take(memory, 2 * sizeof *w->corners);
  w->passes = lac_exposure_memory_take(memory, n);
  w->amplitudes = lac_exposure_memory_take(memory, n * sizeof *w->amplitudes);
}

static void
take_parts(gpointer user_data)
{
  LacDecoderWaves   *part = user_data;
  LacExposureMemory *memory = &part->memory;
  LacWaves          *w = &part->exposures.waves;

  w->field = lac_exposure_memory_take(memory, w->grid * w->grid * 2 * lac_type_size(w->type));
  w->misfits = lac_exposure_memory_take(memory, part->n_misfits * sizeof *w->misfits);
  w->weight = lac_exposure_memory_take(memory, sizeof *w->weight);
  if (memory->h->problem.mask)
    w->mask = lac_exposure_memory_take(memory, w->support * w->support * sizeof *w->mask);
  take_images(memory, w);
  if (part->n_images > 1)
    take_rehearsed(part);
}

/* @records: the device computes beside the host */
static void
set_waves(LacDecoderWaves *part, const LacDecoderFit *fit, gboolean records)
{
  const LacImagingEstimate *h = fit->h;
  LacWaves                 *w = &part->exposures.waves;

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

/* The rehearsed output is an exposure through one aperture as wide as the grid, without noise. */
static void
set_images(LacDecoderWaves *part, const LacDecoderFit *fit)
{
  const LacWaves *w = &part->exposures.waves;
  const double    n = (double) (w->grid * w->grid);

  part->images[part->n_images++] = &part->exposures;
  part->exposures.flops = (double) w->n_slots * lac_imaging_estimate_get_flops(fit->h, 1);
  part->n_misfits = w->n_slots;
  if (!fit->settings.remembers)
    return;
  part->images[part->n_images++] = &part->rehearsed;
  part->rehearsed.flops = 5 * n * log2(n);
  part->rehearsed.waves = (LacWaves){
    .type = w->type,
    .pool = w->pool,
    .grid = w->grid,
    .support = w->support,
    .detector = w->grid,
    .box = w->grid,
    .n_along = 1,
    .n_slots = 1,
    .n_maps = MIN(w->n_maps, 1),
    .normalised = w->normalised,
    .accumulates = TRUE,
  };
  part->n_misfits++;
}

static void
place_exposures(LacDecoderWaves *part)
{
  LacExposureMemory *memory = &part->memory;
  LacWaves          *w = &part->exposures.waves;

  w->slots = memory->slots;
  w->corners = memory->corners;
  w->passes = memory->passes;
  w->pupil = memory->pupil;
  w->amplitudes = memory->amplitudes;
  w->noise = memory->noise;
  w->sigma = memory->sigma;
  if (w->mask)
    lac_exposure_memory_upload(memory, (gpointer) w->mask, memory->h->problem.mask,
                               w->support * w->support * sizeof *w->mask);
}

static void
prepare(LacDecoderWaves *part)
{
  const LacDevice device = part->memory.device;
  const LacWaves *w = &part->exposures.waves;

  part->grid = (LacWaveTransform){w->type, w->grid, 1, FALSE, w->field, w->pool};
  note(part, device.table->waves->prepare(device.self, &part->grid));
  for (gsize i = 0; i < part->n_images; i++) {
    LacWaveTransform *fields = &part->images[i]->fields;

    w = &part->images[i]->waves;
    *fields =
      (LacWaveTransform){w->type, w->detector, w->n_slots * w->n_along, FALSE, w->fields, w->pool};
    note(part, device.table->waves->prepare(device.self, fields));
  }
}

static void
name_spans(LacDecoderWaves *part, LacPerf *perf)
{
  if (!perf)
    return;
  part->span = lac_perf_name(perf, "exposures of the step, on the device");
  part->span_object = lac_perf_name(perf, "object and its spectrum");
  part->exposures.span = lac_perf_name(perf, "exposures of the step");
  part->rehearsed.span = lac_perf_name(perf, "own output through the union");
}

void
lac_decoder_waves_free(LacDecoderWaves *part)
{
  if (!part)
    return;
  lac_readback_free(part->readback);
  lac_exposure_memory_clear(&part->memory);
  g_free(part->misfits);
  g_free(part->passes);
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
  if (waves->weight_ssim == 0 && waves->weight_ms_ssim == 0)
    waves->dissimilarities = NULL;
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
enqueue_comparison(const LacDecoderFit *fit, Part which, const Images *images)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->memory.device.table->waves;
  gpointer              self = part->memory.device.self;
  LacWaves              waves = images->waves;
  LacWaveTransform      fields_back = images->fields;
  LacSpan               span = begin(fit, images->span, images->flops);

  set_weights(fit, which, &waves);
  fields_back.inverse = TRUE;
  note(part, kernels->stops(self, &waves));
  note(part, kernels->transform(self, &fields_back));
  if (waves.dissimilarities)
    note(part, kernels->structure(self, &waves));
  note(part, kernels->compare(self, &waves));
  span.flops = images->flops;
  end(fit, span);
}

static void
enqueue_see(const LacDecoderFit *fit, Part which)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->memory.device.table->waves;
  gpointer              self = part->memory.device.self;
  LacSpan               span;

  lac_decoder_enqueue_forward(fit->network);
  if (fit->phase_network)
    lac_decoder_enqueue_forward(fit->phase_network);
  span = begin(fit, part->span_object, 0);
  note(part, kernels->object(self, &part->exposures.waves));
  note(part, kernels->transform(self, &part->grid));
  end(fit, span);
  for (gsize i = 0; i < part->n_images; i++)
    enqueue_comparison(fit, which, part->images[i]);
}

/* The exposures come first: they overwrite the field, to which the others add. */
static void
enqueue_back(const LacDecoderFit *fit)
{
  LacDecoderWaves      *part = fit->waves;
  const LacWaveKernels *kernels = part->memory.device.table->waves;
  gpointer              self = part->memory.device.self;
  LacWaveTransform      grid_back = part->grid;
  LacSpan               span;

  grid_back.inverse = TRUE;
  for (gsize i = 0; i < part->n_images; i++) {
    const Images *images = part->images[i];

    span = begin(fit, images->span, images->flops);
    note(part, kernels->transform(self, &images->fields));
    note(part, kernels->gather(self, &images->waves));
    span.flops = images->flops;
    end(fit, span);
  }
  span = begin(fit, part->span_object, 0);
  note(part, kernels->transform(self, &grid_back));
  note(part, kernels->bars(self, &part->exposures.waves));
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

/* Copies what never changes of the rehearsed output: where its aperture is. */
static void
place_rehearsed(LacDecoderWaves *part, LacDecoderFit *fit)
{
  const LacWaves *w = &part->rehearsed.waves;
  const gint32    half = (gint32) (w->grid / 2), corner[2] = {-half, -half};

  part->passes = g_new0(guint8, w->grid * w->grid);
  lac_exposure_memory_upload(&part->memory, (gpointer) w->corners, corner, sizeof corner);
  lac_decoder_waves_remember(fit);
}

gboolean
lac_decoder_waves_new(LacDecoderFit *fit, GError **error)
{
  const LacDevice  device = lac_decoder_get_device(fit->network);
  LacDecoderWaves *part = fit->waves = g_new0(LacDecoderWaves, 1);

  set_waves(part, fit, device.table->record_begin != NULL);
  set_images(part, fit);
  if (!lac_exposure_memory_init(&part->memory, fit->h, device, part->exposures.waves.n_slots,
                                take_parts, part, error))
    return FALSE;
  place_exposures(part);
  if (part->n_images > 1)
    place_rehearsed(part, fit);
  prepare(part);
  part->misfits = g_new0(LacWaveMisfit, part->n_misfits);
  part->readback = lac_readback_new(device, part->n_misfits * sizeof *part->misfits, 1);
  name_spans(part, fit->h->problem.context->perf);
  make_steps(part, fit);
  return lac_exposure_memory_is_sound(&part->memory, error);
}

/* Spreads the union, of the band, over the grid. */
void
lac_decoder_waves_remember(LacDecoderFit *fit)
{
  LacDecoderWaves *part = fit->waves;
  const LacBand    band = lac_optics_get_band(fit->h->optics);
  const LacWaves  *w = &part->rehearsed.waves;
  const gsize      n = w->grid * w->grid, first_row = (gsize) (band.y + (gint64) w->grid / 2),
              first = (gsize) (band.x + (gint64) w->grid / 2);
  const LacWaveSlot slot = {fit->has_memory ? 0 : -1, 0};

  lac_exposure_memory_upload(&part->memory, (gpointer) w->slots, &slot, sizeof slot);
  if (!fit->has_memory)
    return;
  for (gsize row = 0; row < band.height; row++)
    memcpy(part->passes + (first_row + row) * w->grid + first, fit->seen + row * band.width,
           band.width);
  lac_exposure_memory_upload(&part->memory, (gpointer) w->passes, part->passes, n);
  lac_exposure_memory_upload(&part->memory, (gpointer) w->amplitudes, fit->remembered,
                             n * sizeof *fit->remembered);
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

static void
fetch_misfits(LacDecoderWaves *part)
{
  const gsize          n_bytes = part->n_misfits * sizeof *part->misfits;
  const LacWaveMisfit *from = part->exposures.waves.misfits;
  const void          *host = NULL;
  LacPending           pending;

  if (!part->readback) {
    lac_exposure_memory_download(&part->memory, part->misfits, from, n_bytes);
    return;
  }
  note(part, lac_readback_put(part->readback, 0, from, n_bytes));
  if (part->memory.status == LAC_STATUS_OK)
    note(part, lac_readback_send(part->readback, &pending));
  if (part->memory.status == LAC_STATUS_OK)
    note(part, lac_readback_open(part->readback, &pending, &host));
  if (part->memory.status == LAC_STATUS_OK)
    memcpy(part->misfits, host, n_bytes);
}

/* Takes the losses from the host copy. */
static void
take_losses(LacDecoderFit *fit)
{
  const LacDecoderWaves *part = fit->waves;

  for (gsize i = 0; i < fit->n_terms; i++) {
    const LacWaveMisfit *found = &part->misfits[i];

    fit->terms[i].loss = found->loss;
    fit->terms[i].misfit =
      (LacMisfit){found->distance, found->expected, found->variance, found->energy};
  }
  if (fit->has_memory)
    fit->memory_loss = part->misfits[part->n_misfits - 1].loss;
}

void
lac_decoder_fit_see(LacDecoderFit *fit, gsize n_terms)
{
  LacDecoderWaves          *part = fit->waves;
  const LacImagingEstimate *h = fit->h;
  const LacWaves           *w = &part->exposures.waves;
  const double              weight = 2 / (double) (n_terms + (fit->has_memory ? 1 : 0));
  LacSpan                   span = {0};

  g_return_if_fail(n_terms <= w->n_slots);
  if (!part->memory.is_plain)
    span = lac_span_begin(h->problem.context->lane, part->span);
  lac_exposure_memory_refresh(&part->memory);
  for (gsize i = 0; i < w->n_slots; i++)
    lac_exposure_memory_set_slot(&part->memory, i,
                                 i < n_terms ? (gssize) fit->terms[i].position : -1);
  lac_exposure_memory_upload_slots(&part->memory);
  lac_exposure_memory_upload(&part->memory, (gpointer) w->weight, &weight, sizeof weight);
  run(fit, (Part) fit->settings.loss);
  fetch_misfits(part);
  fit->n_terms = n_terms;
  take_losses(fit);
  if (!part->memory.is_plain)
    lac_span_end(h->problem.context->lane, span, h->step);
}

void
lac_decoder_fit_learn(LacDecoderFit *fit, double rate)
{
  lac_decoder_set_rate(fit->network, rate);
  if (fit->phase_network)
    lac_decoder_set_rate(fit->phase_network, rate);
  run(fit, LEARN);
}
