/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers of a decoder, and where their numbers lie. */
#include "base/error.h"
#include "experiment/imaging/decoder-network-private.h"

#define LEAST_SIDE       4    /* of the output: the last convolution leaves two of it */
#define ROW_NUMBERS      8192 /* of a channel whose statistics one item takes */
#define TOGETHER_NUMBERS 4096 /* of small channels that one item takes */

static gsize
power_of_two_within(gsize n)
{
  gsize power = 1;

  while (2 * power <= n)
    power *= 2;
  return power;
}

static gsize
blocks(gsize n)
{
  return (n + LAC_PLANE_BLOCK - 1) / LAC_PLANE_BLOCK * LAC_PLANE_BLOCK;
}

static LacPlaneShape
planes_of(gsize side)
{
  const gsize pitch = side + 1;

  return (LacPlaneShape){
    .side = side,
    .pitch = pitch,
    .lead = blocks(pitch + 1),
    .stride = blocks(side * pitch + pitch + 1),
  };
}

/* Room in the work arena for @n planes and their borders. Returns: the first number of the first plane. */
static gsize
take_planes(LacDecoderPlan *plan, const LacPlaneShape *shape, gsize n)
{
  const gsize first = plan->n_work + shape->lead;

  plan->n_work = first + blocks(n * shape->stride + shape->pitch + 1 + LAC_PLANE_BLOCK);
  return first;
}

static gsize
take(LacDecoderPlan *plan, gsize n)
{
  const gsize first = plan->n_work;

  plan->n_work += blocks(n);
  return first;
}

/* Output row 2 i + p of a transposed convolution sees input row i + shift through tap row k. */
static const struct {
  gsize  phase;
  gssize shift;
} doubling[4] = {{1, 1}, {0, 0}, {1, 0}, {0, -1}};

static void
set_taps(LacConvolution *layer)
{
  const gsize  n = layer->up ? 4 : 3;
  const gssize pitch = (gssize) layer->planes.pitch;

  layer->n_taps = n * n;
  layer->n_phases = layer->up ? 4 : 1;
  for (gsize ky = 0; ky < n; ky++)
    for (gsize kx = 0; kx < n; kx++) {
      const gsize tap = ky * n + kx;
      if (layer->up) {
        layer->phase_of[tap] = 2 * doubling[ky].phase + doubling[kx].phase;
        layer->shift_of[tap] = doubling[ky].shift * pitch + doubling[kx].shift;
      } else {
        layer->shift_of[tap] = ((gssize) ky - 1) * pitch + (gssize) kx - 1;
      }
    }
}

static void
place_weights_reverse(LacDecoderPlan *plan, LacConvolution *layer)
{
  const LacPlaneShape *planes = &layer->planes;
  const gsize          n = planes->side * planes->pitch;

  layer->by_channels = layer->n_out >= LAC_DECODER_WIDE_CHANNELS;
  if (layer->by_channels) {
    layer->x_turned = take(plan, n * layer->n_in);
    layer->turned_stride = blocks((n + 2 * (planes->pitch + 1)) * layer->n_out);
    layer->y_bar_turned =
      take(plan, layer->n_phases * layer->turned_stride) + (planes->pitch + 1) * layer->n_out;
    return;
  }
  layer->n_chunks = (n + LAC_DECODER_DOT_NUMBERS - 1) / LAC_DECODER_DOT_NUMBERS;
  layer->partial = take(plan, layer->n_chunks * layer->n_in * layer->n_taps * layer->n_out);
}

static void
add_layer(LacDecoderPlan *plan, gsize n_in, gsize n_out, gsize side, gboolean up)
{
  LacConvolution *layer = &plan->layers[plan->n_layers++];

  *layer = (LacConvolution){
    .n_in = n_in, .n_out = n_out, .up = up, .last = n_out == 1, .planes = planes_of(side)};
  set_taps(layer);
  layer->weights = plan->n_theta;
  plan->n_theta += layer->n_taps * n_in * n_out;
  layer->x = take_planes(plan, &layer->planes, n_in);
  layer->x_bar = take_planes(plan, &layer->planes, n_in);
  layer->y = take_planes(plan, &layer->planes, layer->n_phases * n_out);
  layer->y_bar = take_planes(plan, &layer->planes, layer->n_phases * n_out);
  place_weights_reverse(plan, layer);
}

/* What stands between the output of the layer before, or of layer 0, and layers[@i]; its parameters come before the layer's. */
static void
add_normalising(LacDecoderPlan *plan, gsize i, gsize n, gsize image_side)
{
  const LacConvolution *before = i > 0 ? &plan->layers[i - 1] : NULL;
  LacNormalising       *it = &plan->normalisings[i];
  gsize                 n_numbers;

  *it = (LacNormalising){.n = n, .n_phases = before && before->up ? 4 : 1, .scales = plan->n_theta};
  plan->n_theta += 2 * n;
  it->side = it->n_phases == 4 ? image_side / 2 : image_side;
  it->pitch = before ? before->planes.pitch : LAC_DECODER_FIRST_SIDE;
  it->stride = before ? before->planes.stride : LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE;
  it->phase_stride = n * it->stride;
  it->y = before ? before->y : plan->y0;
  it->y_bar = before ? before->y_bar : plan->y0_bar;
  n_numbers = it->n_phases * it->side * it->side;
  it->n_rows = CLAMP(ROW_NUMBERS / (it->n_phases * it->side), 1, it->side);
  it->n_chunks = (it->side + it->n_rows - 1) / it->n_rows;
  it->n_together = it->n_chunks > 1 ? 1 : MAX(1, TOGETHER_NUMBERS / n_numbers);
}

static void
add_normalised_layer(LacDecoderPlan *plan, gsize n_in, gsize n_out, gsize side, gboolean up)
{
  const gsize i = plan->n_layers;

  add_normalising(plan, i, n_in, side);
  add_layer(plan, n_in, n_out, side, up);
  plan->normalisings[i].image = plan->layers[i].planes;
  plan->normalisings[i].image_at = plan->layers[i].x;
  plan->normalisings[i].image_bar_at = plan->layers[i].x_bar;
}

void
lac_decoder_plan(LacDecoderPlan *plan, const LacDecoderSettings *settings)
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
  plan->bias = plan->n_theta++;
  plan->side = side;
  plan->slope = take(plan, planes_of(side).stride);
  plan->map = take(plan, planes_of(side).stride);
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

  lac_decoder_plan(&plan, settings);
  return plan.n_theta;
}

gsize
lac_decoder_count_bytes(const LacDecoderSettings *settings)
{
  LacDecoderPlan plan;

  lac_decoder_plan(&plan, settings);
  return (4 * plan.n_theta - plan.n_first + plan.latent + plan.n_work + 8 * LAC_PLANE_BLOCK) *
         lac_type_size(settings->type);
}

double
lac_decoder_count_flops(const LacDecoderSettings *settings)
{
  LacDecoderPlan plan;
  double         n = 0;

  lac_decoder_plan(&plan, settings);
  n = (double) plan.n_first;
  for (gsize i = 0; i < plan.n_layers; i++) {
    const LacConvolution *layer = &plan.layers[i];
    n += (double) (layer->n_in * layer->n_out * layer->n_taps * layer->planes.side *
                   layer->planes.side);
  }
  return 6 * n;
}
