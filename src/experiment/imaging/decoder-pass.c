/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass through a decoder: from the latent vector to the picture, back again, and the step of Adam. The gradient of the first
 * layer's weights, three quarters of all there are, is the product of two vectors and is never written down. */
#include "experiment/imaging/decoder-convolution.h"

#include <math.h>
#include <string.h>

#define FIRST_NUMBERS 1024  /* of the first layer's output that one item sums */
#define ADAM_NUMBERS  16384 /* that one item updates */

#define BETA1   0.9
#define BETA2   0.999
#define EPSILON 1e-8

static gsize
n_first_out(const LacDecoderPlan *plan)
{
  return plan->first * LAC_DECODER_FIRST_SIDE * LAC_DECODER_FIRST_SIDE;
}

static void
first_item(gsize item, guint worker, gpointer user_data)
{
  LacDecoder           *decoder = user_data;
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           n_out = n_first_out(plan), first = item * FIRST_NUMBERS;
  const gsize           n = MIN(FIRST_NUMBERS, n_out - first);
  const gpointer        z = lac_decoder_theta(decoder, plan->z),
                 y = lac_decoder_work(decoder, plan->y0 + first);

  memset(y, 0, n * decoder->size);
  for (gsize i = 0; i < plan->latent; i++)
    decoder->kernels->accumulate(lac_decoder_number(decoder, z, i),
                                 lac_decoder_theta(decoder, i * n_out + first), y, n);
}

/* Pictures and planes hold each other's middle. With a frame the last planes' border is none of the network's output. */
typedef struct {
  gsize  first, end; /* rows and columns of the picture that the output fills */
  gssize offset;     /* of the planes' row or column from the picture's */
} Middle;

static Middle
middle_of(const LacDecoderPlan *plan)
{
  const gsize frame = plan->settings.framed ? 1 : 0;
  const gsize n = plan->side - 2 * frame, m = plan->settings.output;

  if (n >= m)
    return (Middle){0, m, (gssize) ((n - m) / 2 + frame)};
  return (Middle){(m - n) / 2, (m - n) / 2 + n, (gssize) frame - (gssize) ((m - n) / 2)};
}

#define BOUND_NUMBERS 8192 /* of the last planes that one item takes; whole blocks */
#define PICTURE_ROWS  LAC_DECODER_PICTURE_ROWS

typedef struct {
  LacDecoder   *decoder;
  double       *picture;
  const double *picture_bar;
} Pass;

static gsize
at_pixel(const LacDecoderPlan *plan, const Middle *middle, gsize i, gsize j)
{
  const gsize row = (gsize) ((gssize) i + middle->offset),
              column = (gsize) ((gssize) j + middle->offset);

  return row * (plan->side + 1) + column;
}

static void
bound_item(gsize item, guint worker, gpointer user_data)
{
  Pass                 *pass = user_data;
  LacDecoder           *decoder = pass->decoder;
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           first = item * BOUND_NUMBERS;
  const gsize           n = MIN(BOUND_NUMBERS, plan->side * (plan->side + 1) - first);

  decoder->kernels->bound(&(LacPlaneBound){
    .bound = plan->settings.bound,
    .n = (n + LAC_PLANE_BLOCK - 1) / LAC_PLANE_BLOCK * LAC_PLANE_BLOCK,
    .bias = lac_decoder_number(decoder, decoder->theta, plan->bias),
    .x = lac_decoder_work(decoder, plan->layers[plan->n_layers - 1].y + first),
    .y = lac_decoder_work(decoder, plan->map + first),
    .slope = lac_decoder_work(decoder, plan->slope + first),
  });
}

static void
picture_item(gsize item, guint worker, gpointer user_data)
{
  const Pass           *pass = user_data;
  const LacDecoder     *decoder = pass->decoder;
  const LacDecoderPlan *plan = &decoder->plan;
  const Middle          middle = middle_of(plan);
  const gsize           m = plan->settings.output, end = MIN((item + 1) * PICTURE_ROWS, m);
  const gpointer        map = lac_decoder_work(decoder, plan->map);

  for (gsize i = item * PICTURE_ROWS; i < end; i++) {
    double *row = pass->picture + i * m;
    memset(row, 0, m * sizeof *row);
    if (i < middle.first || i >= middle.end)
      continue;
    const gsize at = at_pixel(plan, &middle, i, middle.first);
    for (gsize j = middle.first; j < middle.end; j++)
      row[j] = lac_decoder_number(decoder, map, at + j - middle.first);
  }
}

static gsize
n_picture_items(const LacDecoderPlan *plan)
{
  return (plan->settings.output + PICTURE_ROWS - 1) / PICTURE_ROWS;
}

void
lac_decoder_forward(LacDecoder *decoder, double *picture)
{
  const LacDecoderPlan *plan = &decoder->plan;
  Pass                  pass = {.decoder = decoder, .picture = picture};

  lac_decoder_run(decoder, &decoder->span_first,
                  (n_first_out(plan) + FIRST_NUMBERS - 1) / FIRST_NUMBERS, first_item, decoder);
  for (gsize i = 0; i < plan->n_layers; i++) {
    lac_decoder_normalise(decoder, i);
    lac_convolution_forward(decoder, i);
  }
  lac_decoder_run(decoder, &decoder->span_bound,
                  (plan->side * (plan->side + 1) + BOUND_NUMBERS - 1) / BOUND_NUMBERS, bound_item,
                  &pass);
  lac_decoder_run(decoder, &decoder->span_picture, n_picture_items(plan), picture_item, &pass);
}

/* The bars of the last convolution's output; that of its bias is their sum. */
static void
picture_reverse_item(gsize item, guint worker, gpointer user_data)
{
  const Pass           *pass = user_data;
  LacDecoder           *decoder = pass->decoder;
  const LacDecoderPlan *plan = &decoder->plan;
  const Middle          middle = middle_of(plan);
  const gsize           m = plan->settings.output;
  const gsize           begin = MAX(item * PICTURE_ROWS, middle.first),
              end = MIN((item + 1) * PICTURE_ROWS, middle.end);
  const gpointer slope = lac_decoder_work(decoder, plan->slope);
  const gpointer y_bar = lac_decoder_work(decoder, plan->layers[plan->n_layers - 1].y_bar);
  double         sum = 0;

  for (gsize i = begin; i < end; i++) {
    const gsize at = at_pixel(plan, &middle, i, middle.first);
    for (gsize j = middle.first; j < middle.end; j++) {
      const gsize  k = at + j - middle.first;
      const double bar = pass->picture_bar[i * m + j] * lac_decoder_number(decoder, slope, k);
      lac_decoder_put(decoder, y_bar, k, bar);
      sum += bar;
    }
  }
  decoder->bias_sums[item] = sum;
}

void
lac_decoder_reverse(LacDecoder *decoder, const double *picture_bar)
{
  const LacDecoderPlan *plan = &decoder->plan;
  Pass                  pass = {.decoder = decoder, .picture_bar = picture_bar};
  double                sum = 0;

  lac_decoder_run(decoder, &decoder->span_picture_reverse, n_picture_items(plan),
                  picture_reverse_item, &pass);
  for (gsize i = 0; i < n_picture_items(plan); i++)
    sum += decoder->bias_sums[i];
  lac_decoder_put(decoder, lac_decoder_gradient(decoder, plan->bias), 0, sum);
  for (gsize i = plan->n_layers; i-- > 0;) {
    lac_convolution_reverse_weights(decoder, i);
    lac_convolution_reverse_image(decoder, i);
    lac_decoder_normalise_reverse(decoder, i);
  }
}

typedef struct {
  LacDecoder  *decoder;
  LacPlaneAdam args;
  gsize        n_rows; /* of the first layer's weights that one item updates */
} Step;

/* Rows of the first layer: numbers of the latent vector. */
static void
adam_first_item(gsize item, guint worker, gpointer user_data)
{
  const Step           *step = user_data;
  LacDecoder           *decoder = step->decoder;
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           n = n_first_out(plan), end = MIN((item + 1) * step->n_rows, plan->latent);
  const gpointer        z = lac_decoder_theta(decoder, plan->z);
  LacPlaneAdam          args = step->args;

  args.n = n;
  args.gradient = lac_decoder_work(decoder, plan->y0_bar);
  for (gsize i = item * step->n_rows; i < end; i++) {
    args.m = decoder->m + i * n * decoder->size;
    args.v = decoder->v + i * n * decoder->size;
    args.theta = decoder->theta + i * n * decoder->size;
    lac_decoder_put(decoder, decoder->z_bar, i,
                    decoder->kernels->adam_rank_one(&args, lac_decoder_number(decoder, z, i)));
  }
}

static void
adam_item(gsize item, guint worker, gpointer user_data)
{
  const Step           *step = user_data;
  LacDecoder           *decoder = step->decoder;
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           first = plan->n_first + item * ADAM_NUMBERS;
  LacPlaneAdam          args = step->args;

  args.n = MIN(ADAM_NUMBERS, plan->n_theta - first);
  args.gradient = lac_decoder_gradient(decoder, first);
  args.m = decoder->m + first * decoder->size;
  args.v = decoder->v + first * decoder->size;
  args.theta = decoder->theta + first * decoder->size;
  decoder->kernels->adam(&args);
}

void
lac_decoder_step(LacDecoder *decoder, double rate)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const double          t = (double) ++decoder->n_updates;
  Step                  step = {
                     .decoder = decoder,
                     .n_rows = MAX(1, ADAM_NUMBERS / n_first_out(plan)),
                     .args =
                       {
                         .rate = rate,
                         .beta1 = BETA1,
                         .beta2 = BETA2,
                         .epsilon = EPSILON,
                         .correction1 = 1 / (1 - pow(BETA1, t)),
                         .correction2 = 1 / (1 - pow(BETA2, t)),
      },
  };

  lac_decoder_run(decoder, &decoder->span_adam_first,
                  (plan->latent + step.n_rows - 1) / step.n_rows, adam_first_item, &step);
  memcpy(lac_decoder_gradient(decoder, plan->z), decoder->z_bar, plan->latent * decoder->size);
  lac_decoder_run(decoder, &decoder->span_adam,
                  (plan->n_theta - plan->n_first + ADAM_NUMBERS - 1) / ADAM_NUMBERS, adam_item,
                  &step);
  decoder->n_steps++;
}

void
lac_decoder_get_gradient(LacDecoder *decoder, double *gradient)
{
  const LacDecoderPlan *plan = &decoder->plan;
  const gsize           n = n_first_out(plan);
  const gpointer        y_bar = lac_decoder_work(decoder, plan->y0_bar);

  for (gsize i = 0; i < plan->latent; i++) {
    const double z = lac_decoder_number(decoder, decoder->theta, plan->z + i);
    double       sum = 0;
    for (gsize j = 0; j < n; j++) {
      const double bar = lac_decoder_number(decoder, y_bar, j);
      gradient[i * n + j] = z * bar;
      sum += bar * lac_decoder_number(decoder, decoder->theta, i * n + j);
    }
    gradient[plan->z + i] = sum;
  }
  for (gsize i = plan->z + plan->latent; i < plan->n_theta; i++)
    gradient[i] = lac_decoder_number(decoder, decoder->gradient, i - plan->n_first);
}
