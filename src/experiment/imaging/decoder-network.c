/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder's memory, its beginning, and what is kept of it. */
#include "experiment/imaging/decoder-network.h"

#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/decoder-network-private.h"

#include <math.h>
#include <string.h>

#define STREAM_WEIGHTS 0x6465636fu /* of the random numbers */
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
  spans->turn =
    name_span(decoder, 0, 2 * (x + y), "%s %u-%u at %u^2, turned", kind, n_in, n_out, side);
  spans->weights_reverse =
    name_span(decoder, flops, x + y + w, "%s %u-%u at %u^2, weights", kind, n_in, n_out, side);
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
  decoder->span_bound =
    name_span(decoder, 10 * pixels, 3 * pixels, "bound %u^2", (guint) plan->side);
  decoder->span_picture = name_span(decoder, 0, 3 * pixels, "picture %u^2", (guint) plan->side);
  decoder->span_picture_reverse =
    name_span(decoder, pixels, 4 * pixels, "picture %u^2, reverse", (guint) plan->side);
  decoder->span_adam_first = name_span(decoder, 14 * first, 6 * first, "Adam of the latent layer");
  decoder->span_adam = name_span(decoder, 12 * rest, 7 * rest, "Adam");
}

LacDecoder *
lac_decoder_new(const LacDecoderSettings *settings, const LacDecoderMeans *means, GError **error)
{
  g_autoptr(LacDecoder) decoder = g_new0(LacDecoder, 1);
  LacDecoderPlan       *plan = &decoder->plan;
  gsize                 n_bytes;

  if (!lac_decoder_check(settings, error))
    return NULL;
  lac_decoder_plan(plan, settings);
  decoder->means = *means;
  decoder->kernels = lac_plane_kernels(settings->type);
  decoder->size = lac_type_size(settings->type);
  n_bytes = lac_decoder_count_bytes(settings);
  decoder->arena = lac_arena_new(n_bytes);
  if (!decoder->arena) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_FAILED,
      "there is no memory for the decoder's %.0f MB: choose a smaller grid or latent vector",
      (double) n_bytes / 1e6);
    return NULL;
  }
  decoder->theta = lac_arena_take(decoder->arena, plan->n_theta * decoder->size);
  decoder->m = lac_arena_take(decoder->arena, plan->n_theta * decoder->size);
  decoder->v = lac_arena_take(decoder->arena, plan->n_theta * decoder->size);
  decoder->gradient =
    lac_arena_take(decoder->arena, (plan->n_theta - plan->n_first) * decoder->size);
  decoder->z_bar = lac_arena_take(decoder->arena, plan->latent * decoder->size);
  decoder->work = lac_arena_take(decoder->arena, plan->n_work * decoder->size);
  for (gsize i = 0; i < plan->n_layers; i++) {
    LacNormalising *it = &plan->normalisings[i];
    it->moments = g_new0(LacPlaneMoments, it->n * it->n_chunks);
    it->sums = g_new0(LacPlaneSums, it->n * it->n_chunks);
  }
  decoder->bias_sums = g_new0(double, plan->settings.output / LAC_DECODER_PICTURE_ROWS + 1);
  name_spans(decoder);
  return g_steal_pointer(&decoder);
}

void
lac_decoder_free(LacDecoder *decoder)
{
  if (!decoder)
    return;
  for (gsize i = 0; i < decoder->plan.n_layers; i++) {
    g_free(decoder->plan.normalisings[i].moments);
    g_free(decoder->plan.normalisings[i].sums);
  }
  g_free(decoder->bias_sums);
  lac_arena_free(decoder->arena);
  g_free(decoder);
}

static void
fill_uniform(LacDecoder *decoder, LacRng *rng, gsize first, gsize n, double fan_in)
{
  const double bound = 1 / sqrt(fan_in);

  for (gsize i = first; i < first + n; i++)
    lac_decoder_put(decoder, decoder->theta, i, bound * (2 * lac_rng_uniform(rng) - 1));
}

void
lac_decoder_init(LacDecoder *decoder, guint64 seed)
{
  const LacDecoderPlan *plan = &decoder->plan;
  LacRng weights = lac_rng(seed, STREAM_WEIGHTS), latent = lac_rng(seed, STREAM_LATENT);

  fill_uniform(decoder, &weights, 0, plan->n_first, 16 * (double) plan->first);
  for (gsize i = 0; i < plan->latent; i++)
    lac_decoder_put(decoder, decoder->theta, plan->z + i, lac_rng_normal(&latent));
  for (gsize i = 0; i < plan->n_layers; i++) {
    const LacConvolution *layer = &plan->layers[i];
    const LacNormalising *it = &plan->normalisings[i];
    const gsize           n = layer->n_taps * layer->n_in * layer->n_out;

    for (gsize c = 0; c < it->n; c++) {
      lac_decoder_put(decoder, decoder->theta, it->scales + c, 1);
      lac_decoder_put(decoder, decoder->theta, it->scales + it->n + c, 0);
    }
    fill_uniform(decoder, &weights, layer->weights, n,
                 (double) (layer->n_taps * (layer->up ? layer->n_out : layer->n_in)));
  }
  fill_uniform(decoder, &weights, plan->bias, 1,
               9 * (double) plan->layers[plan->n_layers - 1].n_in);
  lac_decoder_restart(decoder);
}

void
lac_decoder_restart(LacDecoder *decoder)
{
  memset(decoder->m, 0, decoder->plan.n_theta * decoder->size);
  memset(decoder->v, 0, decoder->plan.n_theta * decoder->size);
  decoder->n_updates = 0;
}

void
lac_decoder_run(LacDecoder           *decoder,
                const LacDecoderSpan *span,
                gsize                 n_items,
                LacPoolFunc           func,
                gpointer              user_data)
{
  LacLane *lane = decoder->means.lane;
  LacSpan  recorded = {0};

  if (lane)
    recorded = lac_span_begin(lane, span->name);
  lac_pool_run(decoder->means.pool, n_items, func, user_data);
  if (lane) {
    recorded.flops = span->flops;
    recorded.bytes = span->bytes;
    lac_span_end(lane, recorded, decoder->n_steps);
  }
}

gsize
lac_decoder_get_n_parameters(const LacDecoder *decoder)
{
  return decoder->plan.n_theta;
}

gsize
lac_decoder_get_arena_bytes(const LacDecoder *decoder)
{
  return lac_arena_get_size(decoder->arena);
}

void
lac_decoder_get_parameters(const LacDecoder *decoder, double *theta)
{
  for (gsize i = 0; i < decoder->plan.n_theta; i++)
    theta[i] = lac_decoder_number(decoder, decoder->theta, i);
}

void
lac_decoder_set_parameters(LacDecoder *decoder, const double *theta)
{
  for (gsize i = 0; i < decoder->plan.n_theta; i++)
    lac_decoder_put(decoder, decoder->theta, i, theta[i]);
}

/* The kept vectors by name. */
typedef struct {
  const char *name;
  gpointer    data;
  gsize       n_bytes;
} Kept;

#define N_KEPT 4

static void
list_kept(const LacDecoder *decoder, Kept kept[N_KEPT])
{
  const gsize n = decoder->plan.n_theta * decoder->size;

  kept[0] = (Kept){"theta", decoder->theta, n};
  kept[1] = (Kept){"adam_m", decoder->m, n};
  kept[2] = (Kept){"adam_v", decoder->v, n};
  kept[3] = (Kept){"adam_updates", (gpointer) &decoder->n_updates, sizeof decoder->n_updates};
}

void
lac_decoder_save(const LacDecoder *decoder, LacStore *store, const char *prefix)
{
  Kept kept[N_KEPT];

  list_kept(decoder, kept);
  for (guint i = 0; i < N_KEPT; i++) {
    g_autofree char *name = g_strconcat(prefix, kept[i].name, NULL);
    lac_store_put_bytes(store, name, kept[i].data, kept[i].n_bytes);
  }
}

gboolean
lac_decoder_load(LacDecoder *decoder, const LacStore *store, const char *prefix, GError **error)
{
  Kept          kept[N_KEPT];
  gconstpointer found[N_KEPT];

  list_kept(decoder, kept);
  for (guint i = 0; i < N_KEPT; i++) {
    g_autofree char *name = g_strconcat(prefix, kept[i].name, NULL);
    found[i] = lac_store_get_bytes(store, name, kept[i].n_bytes, error);
    if (!found[i])
      return FALSE;
  }
  for (guint i = 0; i < N_KEPT; i++)
    memcpy(kept[i].data, found[i], kept[i].n_bytes);
  return TRUE;
}
