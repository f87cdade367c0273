/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers of a decoder and the layout of its memory. */
#include "backend/cpu/cpu.h"
#include "base/error.h"
#include "experiment/imaging/methods/decoder/network-private.h"

#define LEAST_SIDE 4 /* of the output: the last convolution reduces it to two */

static gsize
power_of_two_within(gsize n)
{
  gsize power = 1;

  while (2 * power <= n)
    power *= 2;
  return power;
}

/* Reserves @n planes with borders in the work arena. Returns: offset of the first element of the first plane. */
static gsize
take_planes(LacDecoderPlan *plan, const LacPlaneShape *shape, gsize n)
{
  const gsize first = plan->n_work + shape->lead;

  plan->n_work += lac_plane_room(shape, n);
  return first;
}

static gsize
take(LacDecoderPlan *plan, gsize n)
{
  const gsize first = plan->n_work;

  plan->n_work += lac_plane_blocks(n);
  return first;
}

static gsize
take_sums(LacDecoderPlan *plan, gsize n)
{
  const gsize first = plan->n_sums;

  plan->n_sums += n;
  return first;
}

static void
add_layer(LacDecoderPlan *plan, gsize n_in, gsize n_out, gsize side, gboolean up)
{
  LacConvolution *layer = &plan->layers[plan->n_layers++];

  *layer = (LacConvolution){
    .n_in = n_in,
    .n_out = n_out,
    .up = up,
    .planes = lac_plane_shape(side),
    .n_taps = lac_plane_taps(up),
    .n_phases = up ? 4 : 1,
    .weights = plan->n_theta,
  };
  plan->n_theta += layer->n_taps * n_in * n_out;
  layer->x = take_planes(plan, &layer->planes, n_in);
  layer->y = take_planes(plan, &layer->planes, layer->n_phases * n_out);
  layer->y_bar = take_planes(plan, &layer->planes, layer->n_phases * n_out);
}

/* Adds the normalisation between the previous layer's output, or layer 0's, and layers[@i]; its parameters precede
 * the layer's. */
static void
add_normalising(LacDecoderPlan *plan, gsize i, gsize n, gsize image_side)
{
  const LacConvolution *before = i > 0 ? &plan->layers[i - 1] : NULL;
  LacNormalising       *it = &plan->normalisings[i];

  *it = (LacNormalising){.n = n, .n_phases = before && before->up ? 4 : 1, .scales = plan->n_theta};
  plan->n_theta += 2 * n;
  it->side = it->n_phases == 4 ? image_side / 2 : image_side;
  it->pitch = before ? before->planes.pitch : LAC_DECODER_FIRST_SIDE;
  it->stride = before ? before->planes.stride : LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE;
  it->y = before ? before->y : plan->y0;
  it->y_bar = before ? before->y_bar : plan->y0_bar;
}

static void
add_normalised_layer(LacDecoderPlan *plan, gsize n_in, gsize n_out, gsize side, gboolean up)
{
  add_normalising(plan, plan->n_layers, n_in, side);
  add_layer(plan, n_in, n_out, side, up);
}

/* Shares one buffer among the input gradients of all layers, since each is consumed before the previous layer's is
 * written. */
static void
share_input_bars(LacDecoderPlan *plan)
{
  gsize n = 0;

  for (gsize i = 0; i < plan->n_layers; i++)
    n = MAX(n, lac_plane_room(&plan->layers[i].planes, plan->layers[i].n_in));
  for (gsize i = 0; i < plan->n_layers; i++)
    plan->layers[i].x_bar = plan->n_work + plan->layers[i].planes.lead;
  plan->n_work += n;
}

/* Adds the scratch sizes that only the backend can compute. */
static void
add_scratch(LacDecoderPlan *plan, const LacPlaneLayers *layers)
{
  const LacDecoder shapes = {.plan = *plan};
  LacPlanePicture  picture = lac_decoder_picture_of(&shapes);

  for (gsize i = 0; i < plan->n_layers; i++) {
    const LacConvolve  convolve = lac_decoder_convolve_of(&shapes, i);
    const LacNormalise normalise = lac_decoder_normalise_of(&shapes, i);
    plan->layers[i].scratch = take(plan, layers->convolve_scratch(&convolve));
    plan->normalisings[i].sums = take_sums(plan, layers->normalise_sums(&normalise));
  }
  plan->picture_sums = take_sums(plan, layers->picture_sums(&picture));
}

void
lac_decoder_plan(LacDecoderPlan           *plan,
                 const LacDecoderSettings *settings,
                 const LacPlaneLayers     *layers)
{
  const gsize power = power_of_two_within(settings->grid);
  gsize       channels = power / 2, side = LAC_DECODER_FIRST_SIDE;

  *plan = (LacDecoderPlan){.settings = *settings};
  plan->latent = settings->latent ? settings->latent : power;
  plan->first = channels;
  plan->n_first = plan->latent * channels * LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE;
  plan->z = plan->n_first;
  plan->n_theta = plan->z + plan->latent;
  plan->y0 = take(plan, channels * LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE);
  plan->y0_bar = take(plan, channels * LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE);
  for (; side < settings->output; side *= 2, channels /= 2)
    add_normalised_layer(plan, channels, channels / 2, side, TRUE);
  for (; channels > 1; channels /= 2)
    add_normalised_layer(plan, channels, channels / 2, side, FALSE);
  share_input_bars(plan);
  plan->bias = plan->n_theta++;
  plan->side = side;
  plan->slope = take(plan, lac_plane_shape(side).stride);
  plan->map = take(plan, lac_plane_shape(side).stride);
  add_scratch(plan, layers);
}

gboolean
lac_decoder_check(const LacDecoderSettings *settings, GError **error)
{
  const gsize power = power_of_two_within(settings->grid);

  if (settings->output < LEAST_SIDE || settings->output > power) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the decoder's picture of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                " is outside %d ... %" G_GSIZE_FORMAT ": choose a smaller object or a larger grid",
                settings->output, settings->output, LEAST_SIDE, power);
    return FALSE;
  }
  return TRUE;
}

gsize
lac_decoder_count_parameters(const LacDecoderSettings *settings)
{
  LacDecoderPlan plan;

  lac_decoder_plan(&plan, settings, lac_backend_cpu.planes);
  return plan.n_theta;
}

#define ALIGNMENT 256 /* of each part of the memory */

/* Allocator over one block; with NULL memory it only counts. */
typedef struct {
  guint8 *memory;
  gsize   n_bytes;
} Division;

static gpointer
take_bytes(Division *division, gsize n_bytes)
{
  guint8 *bytes = division->memory ? division->memory + division->n_bytes : NULL;

  division->n_bytes += (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return bytes;
}

gsize
lac_decoder_divide(LacDecoder *decoder, guint8 *memory)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           n_pixels = plan->settings.output * plan->settings.output, n = plan->n_theta;
  Division              next = {memory, 0};

  decoder->theta = take_bytes(&next, n * decoder->size);
  decoder->m = take_bytes(&next, n * decoder->size);
  decoder->v = take_bytes(&next, n * decoder->size);
  decoder->gradient = take_bytes(&next, (n - plan->n_first) * decoder->size);
  decoder->z_bar = take_bytes(&next, plan->latent * decoder->size);
  decoder->work = take_bytes(&next, plan->n_work * decoder->size);
  decoder->sums = take_bytes(&next, plan->n_sums * sizeof(double));
  decoder->numbers = take_bytes(&next, 3 * sizeof(double));
  decoder->picture = take_bytes(&next, n_pixels * sizeof(double));
  decoder->picture_bar = take_bytes(&next, n_pixels * sizeof(double));
  return next.n_bytes;
}

gsize
lac_decoder_count_bytes(const LacDecoderSettings *settings)
{
  LacDecoder decoder = {.size = lac_type_size(settings->type)};

  lac_decoder_plan(&decoder.plan, settings, lac_backend_cpu.planes);
  return lac_decoder_divide(&decoder, NULL);
}

double
lac_decoder_count_flops(const LacDecoderSettings *settings)
{
  LacDecoderPlan plan;
  double         n = 0;

  lac_decoder_plan(&plan, settings, lac_backend_cpu.planes);
  n = (double) plan.n_first;
  for (gsize i = 0; i < plan.n_layers; i++) {
    const LacConvolution *layer = &plan.layers[i];
    n += (double) (layer->n_in * layer->n_out * layer->n_taps * layer->planes.side *
                   layer->planes.side);
  }
  return 6 * n;
}
