/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory, initialisation, saving and loading of a decoder. */
#include "experiment/imaging/methods/decoder/network.h"

#include "backend/device-log.h"
#include "backend/registry.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/methods/decoder/network-private.h"

#include <math.h>
#include <string.h>

#define STREAM_WEIGHTS 0x6465636fu /* random stream */
#define STREAM_LATENT  0x7a646563u

static LacDecoderSpan
name_span(const LacDecoder *decoder, double flops, double bytes, const char *format, ...)
  G_GNUC_PRINTF(4, 5);

static LacDecoderSpan
name_span(const LacDecoder *decoder, double flops, double bytes, const char *format, ...)
{
  g_autofree char *name = NULL;
  va_list          list;

  if (!decoder->means.perf)
    return (LacDecoderSpan){0};
  va_start(list, format);
  name = g_strdup_vprintf(format, list);
  va_end(list);
  return (LacDecoderSpan){lac_perf_name(decoder->means.perf, name), flops,
                          bytes * (double) decoder->size};
}

static void
name_layer(LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];
  const guint           n_in = (guint) layer->n_in, n_out = (guint) layer->n_out,
              side = (guint) layer->planes.side;
  const char  *kind = layer->up ? "up" : "convolve";
  const double x = (double) (layer->n_in * layer->planes.side * layer->planes.side);
  const double y =
    (double) (layer->n_phases * layer->n_out * layer->planes.side * layer->planes.side);
  const double   w = (double) (layer->n_taps * layer->n_in * layer->n_out);
  const double   flops = 2 * w * (double) (layer->planes.side * layer->planes.side);
  LacLayerSpans *spans = &decoder->spans[i];

  spans->normalise = name_span(decoder, 9 * x, 3 * x, "normalise %u x %u^2", n_in, side);
  spans->normalise_reverse =
    name_span(decoder, 13 * x, 7 * x, "normalise %u x %u^2, reverse", n_in, side);
  spans->convolve =
    name_span(decoder, flops, x + y + w, "%s %u-%u at %u^2", kind, n_in, n_out, side);
  spans->image_reverse =
    name_span(decoder, flops, x + y + w, "%s %u-%u at %u^2, reverse", kind, n_in, n_out, side);
  spans->weights_reverse =
    name_span(decoder, flops, x + y + w, "%s %u-%u at %u^2, weights", kind, n_in, n_out, side);
}

/* Registers the names of the parts that are replayed as a whole: their operations are the device's. */
static void
name_parts(LacDecoder *decoder)
{
  decoder->span_parts[LAC_DECODER_FORWARD] = name_span(decoder, 0, 0, "decoder, forwards");
  decoder->span_parts[LAC_DECODER_REVERSE] = name_span(decoder, 0, 0, "decoder, reverse");
  decoder->span_parts[LAC_DECODER_STEP] = name_span(decoder, 0, 0, "decoder, step of Adam");
}

static void
name_spans(LacDecoder *decoder)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const double first = (double) plan->n_first, rest = (double) (plan->n_theta - plan->n_first);
  const double pixels = (double) (plan->side * plan->side);

  for (gsize i = 0; i < plan->n_layers; i++)
    name_layer(decoder, i);
  decoder->span_first =
    name_span(decoder, 2 * first, first, "latent %u-%u", (guint) plan->latent, (guint) plan->first);
  decoder->span_picture =
    name_span(decoder, 10 * pixels, 6 * pixels, "picture %u^2", (guint) plan->side);
  decoder->span_picture_reverse =
    name_span(decoder, pixels, 4 * pixels, "picture %u^2, reverse", (guint) plan->side);
  decoder->span_adam_first = name_span(decoder, 14 * first, 6 * first, "Adam of the latent layer");
  decoder->span_adam = name_span(decoder, 12 * rest, 7 * rest, "Adam");
  name_parts(decoder);
}

/* Adam has two numbers for each parameter; the weights of layer 0 are updated without a stored gradient. */
static void
claim_memory(LacDecoder *decoder)
{
  const gsize n = decoder->plan.n_theta, n_gradients = n - decoder->plan.n_first;

  lac_memory_claim(&decoder->claim, LAC_MEMORY_PARAMETERS, n * decoder->size);
  lac_memory_claim(&decoder->claim, LAC_MEMORY_OPTIMISER, 2 * n * decoder->size);
  lac_memory_claim(&decoder->claim, LAC_MEMORY_GRADIENTS, n_gradients * decoder->size);
  lac_memory_claim(&decoder->claim, LAC_MEMORY_ACTIVATIONS,
                   decoder->n_bytes - (3 * n + n_gradients) * decoder->size);
}

/* Allocates the arenas. The work arena starts zeroed: borders of planes must be zero, and some are never written. */
static LacStatus
take_memory(LacDecoder *decoder)
{
  const LacBackend     *table = decoder->device.table;
  const LacDecoderPlan *plan = &decoder->plan;
  const LacType         type = plan->settings.type;
  gpointer              memory = NULL, self = decoder->device.self;
  LacStatus             status;

  decoder->n_bytes = lac_decoder_divide(decoder, NULL);
  status = table->alloc(self, decoder->n_bytes, &memory);
  if (status != LAC_STATUS_OK)
    return status;
  decoder->memory = memory;
  claim_memory(decoder);
  lac_decoder_divide(decoder, memory);
  status = table->fill(self, type, decoder->work, 0, plan->n_work);
  if (status == LAC_STATUS_OK)
    status = table->fill(self, type, decoder->theta, 0, plan->n_theta);
  if (status == LAC_STATUS_OK)
    status = table->fill(self, LAC_F64, decoder->sums, 0, plan->n_sums);
  return status;
}

/* Resets Adam to its first step. */
static void
restart(LacDecoder *decoder)
{
  const LacBackend *table = decoder->device.table;
  const LacType     type = decoder->plan.settings.type;
  const gsize       n = decoder->plan.n_theta;

  lac_decoder_note(decoder, table->fill(decoder->device.self, type, decoder->m, 0, n));
  lac_decoder_note(decoder, table->fill(decoder->device.self, type, decoder->v, 0, n));
  decoder->n_updates = 0;
}

LacDecoder *
lac_decoder_new(const LacDecoderSettings *settings, const LacDecoderMeans *means, GError **error)
{
  g_autoptr(LacDecoder) decoder = g_new0(LacDecoder, 1);
  LacStatus             status;

  if (!lac_decoder_check(settings, error))
    return NULL;
  decoder->means = *means;
  decoder->owns_device = !means->device.table;
  if (decoder->owns_device && !lac_device_open(&decoder->device, "cpu", error))
    return NULL;
  if (!decoder->owns_device)
    decoder->device = means->device;
  decoder->layers = decoder->device.table->planes;
  if (!decoder->layers) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
                "backend = %s has no layers of convolutional networks: use backend = cpu",
                decoder->device.table->name);
    return NULL;
  }
  decoder->is_plain = !decoder->device.table->record_begin;
  decoder->size = lac_type_size(settings->type);
  lac_decoder_plan(&decoder->plan, settings, decoder->layers);
  name_spans(decoder);
  lac_decoder_make_steps(decoder);
  status = take_memory(decoder);
  if (status == LAC_STATUS_OK)
    restart(decoder);
  if (status == LAC_STATUS_OK)
    status = decoder->status;
  if (status != LAC_STATUS_OK) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_DEVICE,
      "there is no memory for the decoder's %.0f MB (%s): choose a smaller grid or latent "
      "vector",
      (double) decoder->n_bytes / 1e6, lac_status_text(status));
    return NULL;
  }
  return g_steal_pointer(&decoder);
}

void
lac_decoder_free(LacDecoder *decoder)
{
  if (!decoder)
    return;
  for (guint i = 0; i < LAC_DECODER_PARTS; i++)
    lac_recorded_step_free(decoder->runs[i].step);
  if (decoder->memory)
    decoder->device.table->release(decoder->device.self, decoder->memory);
  if (decoder->owns_device)
    lac_device_close(&decoder->device);
  lac_memory_unclaim(&decoder->claim);
  g_free(decoder);
}

double *
lac_decoder_get_picture(LacDecoder *decoder)
{
  return decoder->picture;
}

double *
lac_decoder_get_picture_bar(LacDecoder *decoder)
{
  return decoder->picture_bar;
}

LacStatus
lac_decoder_get_status(const LacDecoder *decoder)
{
  return decoder->status;
}

LacDevice
lac_decoder_get_device(const LacDecoder *decoder)
{
  return decoder->device;
}

/* Returns a copy of the parameters, which return_theta() writes back. */
static gpointer
borrow_theta(LacDecoder *decoder)
{
  const gsize n_bytes = decoder->plan.n_theta * decoder->size;
  gpointer    theta = g_malloc(n_bytes);

  lac_decoder_note(decoder, lac_device_download(decoder->device, theta, decoder->theta, n_bytes));
  return theta;
}

static void
return_theta(LacDecoder *decoder, gpointer theta)
{
  lac_decoder_note(decoder, lac_device_upload(decoder->device, decoder->theta, theta,
                                              decoder->plan.n_theta * decoder->size));
  g_free(theta);
}

typedef struct {
  const LacDecoder *decoder;
  gpointer          theta;
  LacRng            rng;
} Beginning;

static void
fill_uniform(Beginning *beginning, gsize first, gsize n, double fan_in)
{
  const double bound = 1 / sqrt(fan_in);

  for (gsize i = first; i < first + n; i++)
    lac_decoder_put(beginning->decoder, beginning->theta, i,
                    bound * (2 * lac_rng_uniform(&beginning->rng) - 1));
}

void
lac_decoder_init(LacDecoder *decoder, guint64 seed)
{
  const LacDecoderPlan *plan = &decoder->plan;
  LacRng                latent = lac_rng(seed, STREAM_LATENT);
  Beginning             beginning = {decoder, borrow_theta(decoder), lac_rng(seed, STREAM_WEIGHTS)};

  fill_uniform(&beginning, 0, plan->n_first, 16 * (double) plan->first);
  for (gsize i = 0; i < plan->latent; i++)
    lac_decoder_put(decoder, beginning.theta, plan->z + i, lac_rng_normal(&latent));
  for (gsize i = 0; i < plan->n_layers; i++) {
    const LacConvolution *layer = &plan->layers[i];
    const LacNormalising *it = &plan->normalisings[i];
    const gsize           n = layer->n_taps * layer->n_in * layer->n_out;

    for (gsize c = 0; c < it->n; c++) {
      lac_decoder_put(decoder, beginning.theta, it->scales + c, 1);
      lac_decoder_put(decoder, beginning.theta, it->scales + it->n + c, 0);
    }
    fill_uniform(&beginning, layer->weights, n,
                 (double) (layer->n_taps * (layer->up ? layer->n_out : layer->n_in)));
  }
  fill_uniform(&beginning, plan->bias, 1, 9 * (double) plan->layers[plan->n_layers - 1].n_in);
  return_theta(decoder, beginning.theta);
  restart(decoder);
}

gsize
lac_decoder_get_n_parameters(const LacDecoder *decoder)
{
  return decoder->plan.n_theta;
}

gsize
lac_decoder_get_arena_bytes(const LacDecoder *decoder)
{
  return decoder->n_bytes;
}

void
lac_decoder_get_parameters(LacDecoder *decoder, double *theta)
{
  g_autofree gpointer from = borrow_theta(decoder);

  for (gsize i = 0; i < decoder->plan.n_theta; i++)
    theta[i] = lac_decoder_number(decoder, from, i);
}

void
lac_decoder_set_parameters(LacDecoder *decoder, const double *theta)
{
  gpointer to = borrow_theta(decoder);

  for (gsize i = 0; i < decoder->plan.n_theta; i++)
    lac_decoder_put(decoder, to, i, theta[i]);
  return_theta(decoder, to);
}

/* A saved vector: its name, and its place on the device. */
typedef struct {
  const char *name;
  gpointer    data;
} Kept;

void
lac_decoder_visit(LacDecoder *decoder, LacVisit *visit, const char *prefix)
{
  const LacDevice *device = &decoder->device;
  const gsize      n_bytes = decoder->plan.n_theta * decoder->size;
  const Kept kept[] = {{"theta", decoder->theta}, {"adam_m", decoder->m}, {"adam_v", decoder->v}};
  g_autofree gpointer copy = g_malloc(n_bytes);
  g_autofree char    *updates = g_strconcat(prefix, "adam_updates", NULL);

  for (guint i = 0; i < G_N_ELEMENTS(kept); i++) {
    g_autofree char *name = g_strconcat(prefix, kept[i].name, NULL);

    if (visit->to)
      lac_decoder_note(decoder, lac_device_download(*device, copy, kept[i].data, n_bytes));
    lac_visit_bytes(visit, name, copy, n_bytes);
    if (lac_visit_restores(visit))
      lac_decoder_note(decoder, lac_device_upload(*device, kept[i].data, copy, n_bytes));
  }
  lac_visit_bytes(visit, updates, &decoder->n_updates, sizeof decoder->n_updates);
}
