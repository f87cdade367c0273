/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes through a decoder as backend layers: from the latent vector to the picture, back, and the Adam step. The
 * gradient of the first layer's weights, three quarters of all parameters, is an outer product of two vectors and is
 * never stored. */
#include "backend/device-log.h"
#include "experiment/imaging/methods/decoder/network-private.h"

#include <math.h>
#include <string.h>

#define BETA1   0.9
#define BETA2   0.999
#define EPSILON 1e-8

static gsize
n_first_out(const LacDecoderPlan *plan)
{
  return plan->first * LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE;
}

static LacLatent
latent_of(const LacDecoder *decoder)
{
  const LacDecoderPlan *plan = &decoder->plan;

  return (LacLatent){
    .type = plan->settings.type,
    .pool = decoder->means.pool,
    .n_latent = plan->latent,
    .n_out = n_first_out(plan),
    .z = lac_decoder_theta(decoder, plan->z),
    .weights = decoder->theta,
    .y = lac_decoder_work(decoder, plan->y0),
    .y_bar = lac_decoder_work(decoder, plan->y0_bar),
    .z_bar = decoder->z_bar,
    .m = decoder->m,
    .v = decoder->v,
    .rate = 1,
    .beta1 = BETA1,
    .beta2 = BETA2,
    .epsilon = EPSILON,
    .numbers = decoder->numbers,
  };
}

LacConvolve
lac_decoder_convolve_of(const LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];

  return (LacConvolve){
    .type = decoder->plan.settings.type,
    .pool = decoder->means.pool,
    .n_in = layer->n_in,
    .n_out = layer->n_out,
    .side = layer->planes.side,
    .doubles = layer->up,
    .weights = lac_decoder_theta(decoder, layer->weights),
    .x = lac_decoder_work(decoder, layer->x),
    .y = lac_decoder_work(decoder, layer->y),
    .y_bar = lac_decoder_work(decoder, layer->y_bar),
    .x_bar = lac_decoder_work(decoder, layer->x_bar),
    .weights_bar = lac_decoder_gradient(decoder, layer->weights),
    .scratch = lac_decoder_work(decoder, layer->scratch),
  };
}

LacNormalise
lac_decoder_normalise_of(const LacDecoder *decoder, gsize i)
{
  const LacNormalising *it = &decoder->plan.normalisings[i];
  const LacConvolution *after = &decoder->plan.layers[i];

  return (LacNormalise){
    .type = decoder->plan.settings.type,
    .pool = decoder->means.pool,
    .n = it->n,
    .n_phases = it->n_phases,
    .side = it->side,
    .pitch = it->pitch,
    .stride = it->stride,
    .image_pitch = after->planes.pitch,
    .image_stride = after->planes.stride,
    .y = lac_decoder_work(decoder, it->y),
    .image = lac_decoder_work(decoder, after->x),
    .scales = lac_decoder_theta(decoder, it->scales),
    .image_bar = lac_decoder_work(decoder, after->x_bar),
    .y_bar = lac_decoder_work(decoder, it->y_bar),
    .scales_bar = lac_decoder_gradient(decoder, it->scales),
    .sums = decoder->sums ? decoder->sums + it->sums : NULL,
  };
}

/* Maps between picture and planes, both centred. With a frame, the last planes' border is not part of the network's
 * output. */
static LacPlaneWindow
window_of(const LacDecoderPlan *plan)
{
  const gsize frame = plan->settings.framed ? 1 : 0;
  const gsize n = plan->side - 2 * frame, m = plan->settings.output;

  if (n >= m)
    return (LacPlaneWindow){m, 0, m, (gssize) ((n - m) / 2 + frame)};
  return (LacPlaneWindow){m, (m - n) / 2, (m - n) / 2 + n, (gssize) frame - (gssize) ((m - n) / 2)};
}

LacPlanePicture
lac_decoder_picture_of(const LacDecoder *decoder)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const LacConvolution *last = &plan->layers[plan->n_layers - 1];

  return (LacPlanePicture){
    .type = plan->settings.type,
    .pool = decoder->means.pool,
    .bound = plan->settings.bound,
    .side = plan->side,
    .window = window_of(plan),
    .bias = lac_decoder_theta(decoder, plan->bias),
    .plane = lac_decoder_work(decoder, last->y),
    .slope = lac_decoder_work(decoder, plan->slope),
    .map = lac_decoder_work(decoder, plan->map),
    .picture = decoder->picture,
    .picture_bar = decoder->picture_bar,
    .plane_bar = lac_decoder_work(decoder, last->y_bar),
    .bias_bar = lac_decoder_gradient(decoder, plan->bias),
    .sums = decoder->sums ? decoder->sums + plan->picture_sums : NULL,
  };
}

static LacSpan
begin(const LacDecoder *decoder, const LacDecoderSpan *span)
{
  return decoder->means.lane ? lac_span_begin(decoder->means.lane, span->name) : (LacSpan){0};
}

static void
end(const LacDecoder *decoder, const LacDecoderSpan *span, LacSpan recorded)
{
  if (!decoder->means.lane)
    return;
  recorded.flops = span->flops;
  recorded.bytes = span->bytes;
  lac_span_end(decoder->means.lane, recorded, decoder->n_steps);
}

static void
mark(const LacDecoder *decoder, const LacDecoderSpan *span)
{
  const LacDeviceOperation operation = {span->name, span->flops, span->bytes, -1};

  lac_device_times_mark(lac_recorded_step_get_times(decoder->running), &operation);
}

void
lac_decoder_set_running(LacDecoder *decoder, LacRecordedStep *step)
{
  decoder->running = step;
}

/* Enqueues a layer. Where it is complete on return, its time is recorded; elsewhere the device takes it. */
#define ENQUEUE(decoder, span, layer, args)                                                  \
  do {                                                                                       \
    const LacSpan recorded_ = (decoder)->is_plain ? begin((decoder), (span)) : (LacSpan){0}; \
    mark((decoder), (span));                                                                 \
    lac_decoder_note((decoder), (decoder)->layers->layer((decoder)->device.self, args));     \
    if ((decoder)->is_plain)                                                                 \
      end((decoder), (span), recorded_);                                                     \
  } while (0)

void
lac_decoder_enqueue_forward(LacDecoder *decoder)
{
  const LacLatent       latent = latent_of(decoder);
  const LacPlanePicture picture = lac_decoder_picture_of(decoder);

  ENQUEUE(decoder, &decoder->span_first, latent, &latent);
  for (gsize i = 0; i < decoder->plan.n_layers; i++) {
    const LacNormalise normalise = lac_decoder_normalise_of(decoder, i);
    const LacConvolve  convolve = lac_decoder_convolve_of(decoder, i);

    ENQUEUE(decoder, &decoder->spans[i].normalise, normalise, &normalise);
    ENQUEUE(decoder, &decoder->spans[i].convolve, convolve, &convolve);
  }
  ENQUEUE(decoder, &decoder->span_picture, picture, &picture);
}

void
lac_decoder_enqueue_reverse(LacDecoder *decoder)
{
  const LacPlanePicture picture = lac_decoder_picture_of(decoder);

  ENQUEUE(decoder, &decoder->span_picture_reverse, picture_reverse, &picture);
  for (gsize i = decoder->plan.n_layers; i-- > 0;) {
    const LacNormalise normalise = lac_decoder_normalise_of(decoder, i);
    const LacConvolve  convolve = lac_decoder_convolve_of(decoder, i);

    ENQUEUE(decoder, &decoder->spans[i].weights_reverse, convolve_reverse_weights, &convolve);
    ENQUEUE(decoder, &decoder->spans[i].image_reverse, convolve_reverse_image, &convolve);
    ENQUEUE(decoder, &decoder->spans[i].normalise_reverse, normalise_reverse, &normalise);
  }
}

/* Copies the latent vector's gradient to the start of the vector that the flat Adam step updates. */
static void
copy_latent_bar(LacDecoder *decoder)
{
  const LacStrided copy = {
    .type = decoder->plan.settings.type,
    .n_rows = 1,
    .n_columns = decoder->plan.latent,
    .alpha = 1,
    .x = decoder->z_bar,
    .y = lac_decoder_gradient(decoder, decoder->plan.z),
  };

  lac_decoder_note(decoder, decoder->device.table->strided(decoder->device.self, &copy));
}

void
lac_decoder_enqueue_step(LacDecoder *decoder)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const LacLatent       latent = latent_of(decoder);
  const LacPlaneStep    rest = {
       .type = plan->settings.type,
       .pool = decoder->means.pool,
       .n = plan->n_theta - plan->n_first,
       .rate = latent.rate,
       .beta1 = latent.beta1,
       .beta2 = latent.beta2,
       .epsilon = latent.epsilon,
       .gradient = decoder->gradient,
       .m = decoder->m + plan->n_first * decoder->size,
       .v = decoder->v + plan->n_first * decoder->size,
       .theta = lac_decoder_theta(decoder, plan->n_first),
       .numbers = decoder->numbers,
  };

  ENQUEUE(decoder, &decoder->span_adam_first, latent_adam, &latent);
  copy_latent_bar(decoder);
  ENQUEUE(decoder, &decoder->span_adam, step, &rest);
}

static void
enqueue(LacDecoder *decoder, LacDecoderPart part)
{
  switch (part) {
  case LAC_DECODER_FORWARD: lac_decoder_enqueue_forward(decoder); break;
  case LAC_DECODER_REVERSE: lac_decoder_enqueue_reverse(decoder); break;
  case LAC_DECODER_STEP: lac_decoder_enqueue_step(decoder); break;
  case LAC_DECODER_PARTS: g_assert_not_reached();
  }
}

LacStatus
lac_decoder_take_status(LacDecoder *decoder)
{
  const LacStatus status = decoder->status;

  decoder->status = LAC_STATUS_OK;
  return status;
}

static LacStatus
enqueue_part(gpointer user_data)
{
  const LacDecoderRun *run = user_data;

  enqueue(run->decoder, run->part);
  return lac_decoder_take_status(run->decoder);
}

void
lac_decoder_make_steps(LacDecoder *decoder)
{
  for (guint part = 0; part < LAC_DECODER_PARTS; part++) {
    LacDecoderRun                *run = &decoder->runs[part];
    const LacRecordedStepSettings settings = {
      .device = decoder->device,
      .enqueue = enqueue_part,
      .user_data = run,
      .perf = decoder->is_plain ? NULL : decoder->means.perf,
      .lane = decoder->means.lane,
    };

    *run = (LacDecoderRun){decoder, part, lac_recorded_step_new(&settings)};
  }
}

/* Runs a part: recorded once and replayed, if the device can. */
static void
run(LacDecoder *decoder, LacDecoderPart part)
{
  LacSpan span = {0};

  if (decoder->status != LAC_STATUS_OK)
    return;
  if (!decoder->is_plain)
    span = begin(decoder, &decoder->span_parts[part]);
  decoder->running = decoder->runs[part].step;
  lac_decoder_note(decoder, lac_recorded_step_run(decoder->running, decoder->n_steps));
  decoder->running = NULL;
  if (!decoder->is_plain)
    end(decoder, &decoder->span_parts[part], span);
}

static gsize
picture_bytes(const LacDecoder *decoder)
{
  return decoder->plan.settings.output * decoder->plan.settings.output * sizeof(double);
}

void
lac_decoder_forward(LacDecoder *decoder, double *picture)
{
  run(decoder, LAC_DECODER_FORWARD);
  lac_decoder_note(decoder, lac_device_download(decoder->device, picture, decoder->picture,
                                                picture_bytes(decoder)));
}

void
lac_decoder_reverse(LacDecoder *decoder, const double *picture_bar)
{
  lac_decoder_note(decoder, lac_device_upload(decoder->device, decoder->picture_bar, picture_bar,
                                              picture_bytes(decoder)));
  run(decoder, LAC_DECODER_REVERSE);
}

void
lac_decoder_set_rate(LacDecoder *decoder, double rate)
{
  const double t = (double) ++decoder->n_updates;
  const double numbers[3] = {rate, 1 / (1 - pow(BETA1, t)), 1 / (1 - pow(BETA2, t))};

  lac_decoder_note(decoder,
                   lac_device_upload(decoder->device, decoder->numbers, numbers, sizeof numbers));
  decoder->n_steps++;
}

void
lac_decoder_step(LacDecoder *decoder, double rate)
{
  lac_decoder_set_rate(decoder, rate);
  run(decoder, LAC_DECODER_STEP);
}

/* Returns (transfer full): a copy of values of the device. */
static gpointer
fetch(LacDecoder *decoder, gconstpointer numbers, gsize n)
{
  gpointer copy = g_malloc0(n * decoder->size);

  lac_decoder_note(decoder, lac_device_download(decoder->device, copy, numbers, n * decoder->size));
  return copy;
}

void
lac_decoder_get_gradient(LacDecoder *decoder, double *gradient)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           n = n_first_out(plan), n_rest = plan->n_theta - plan->n_first;
  g_autofree gpointer   theta = fetch(decoder, decoder->theta, plan->z + plan->latent);
  g_autofree gpointer   y_bar = fetch(decoder, lac_decoder_work(decoder, plan->y0_bar), n);
  g_autofree gpointer   rest = fetch(decoder, decoder->gradient, n_rest);

  for (gsize i = 0; i < plan->latent; i++) {
    const double z = lac_decoder_number(decoder, theta, plan->z + i);
    double       sum = 0;
    for (gsize j = 0; j < n; j++) {
      const double bar = lac_decoder_number(decoder, y_bar, j);
      gradient[i * n + j] = z * bar;
      sum += bar * lac_decoder_number(decoder, theta, i * n + j);
    }
    gradient[plan->z + i] = sum;
  }
  for (gsize i = plan->z + plan->latent; i < plan->n_theta; i++)
    gradient[i] = lac_decoder_number(decoder, rest, i - plan->n_first);
}
