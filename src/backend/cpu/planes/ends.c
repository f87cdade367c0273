/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both ends of a network: the first layer, whose weight gradient is an outer product that is never stored, the
 * picture, and Adam. */
#include "backend/cpu/planes/layers.h"

#include <string.h>

#define FIRST_NUMBERS 1024  /* outputs of the first layer per item */
#define ADAM_NUMBERS  16384 /* elements updated per item */
#define BOUND_NUMBERS 8192  /* elements of the last planes per item; whole blocks */
#define PICTURE_ROWS  16    /* rows of the picture per item */

static gsize
items(gsize n, gsize n_each)
{
  return (n + n_each - 1) / n_each;
}

static void
latent_item(gsize item, guint worker, gpointer user_data)
{
  const LacLatent       *args = user_data;
  const LacPlaneKernels *kernels = lac_plane_kernels(args->type);
  const gsize            first = item * FIRST_NUMBERS, n = MIN(FIRST_NUMBERS, args->n_out - first);
  const gpointer         y = lac_number_at(args->type, args->y, (gssize) first);

  memset(y, 0, n * lac_type_size(args->type));
  for (gsize i = 0; i < args->n_latent; i++)
    kernels->accumulate(
      lac_number_get(args->type, args->z, i),
      lac_number_at(args->type, args->weights, (gssize) (i * args->n_out + first)), y, n);
}

LacStatus
lac_cpu_planes_latent(void *self, const LacLatent *args)
{
  lac_pool_run(args->pool, items(args->n_out, FIRST_NUMBERS), latent_item, (gpointer) args);
  return LAC_STATUS_OK;
}

/* Returns the settings, without the vectors. */
static LacPlaneAdam
adam_of(const LacPlaneStep *step)
{
  const double *numbers = step->numbers;

  return (LacPlaneAdam){
    .rate = numbers ? step->rate * numbers[0] : step->rate,
    .beta1 = step->beta1,
    .beta2 = step->beta2,
    .epsilon = step->epsilon,
    .correction1 = numbers ? numbers[1] : step->correction1,
    .correction2 = numbers ? numbers[2] : step->correction2,
  };
}

typedef struct {
  const LacLatent *args;
  LacPlaneAdam     adam;
  gsize            n_rows; /* rows of weights updated per item */
} LatentStep;

static void
latent_adam_item(gsize item, guint worker, gpointer user_data)
{
  const LatentStep *step = user_data;
  const LacLatent  *args = step->args;
  const LacType     type = args->type;
  const gsize       end = MIN((item + 1) * step->n_rows, args->n_latent);
  LacPlaneAdam      adam = step->adam;

  adam.n = args->n_out;
  adam.gradient = args->y_bar;
  for (gsize i = item * step->n_rows; i < end; i++) {
    const gssize at = (gssize) (i * args->n_out);
    adam.m = lac_number_at(type, args->m, at);
    adam.v = lac_number_at(type, args->v, at);
    adam.theta = lac_number_at(type, args->weights, at);
    lac_number_put(type, args->z_bar, i,
                   lac_plane_kernels(type)->adam_rank_one(&adam, lac_number_get(type, args->z, i)));
  }
}

LacStatus
lac_cpu_planes_latent_adam(void *self, const LacLatent *args)
{
  const LacPlaneStep numbers = {
    .rate = args->rate,
    .beta1 = args->beta1,
    .beta2 = args->beta2,
    .epsilon = args->epsilon,
    .correction1 = args->correction1,
    .correction2 = args->correction2,
    .numbers = args->numbers,
  };
  LatentStep step = {args, adam_of(&numbers), MAX(1, ADAM_NUMBERS / args->n_out)};

  lac_pool_run(args->pool, items(args->n_latent, step.n_rows), latent_adam_item, &step);
  return LAC_STATUS_OK;
}

static void
step_item(gsize item, guint worker, gpointer user_data)
{
  const LacPlaneStep *args = user_data;
  const gsize         first = item * ADAM_NUMBERS;
  LacPlaneAdam        adam = adam_of(args);

  adam.n = MIN(ADAM_NUMBERS, args->n - first);
  adam.gradient = lac_number_at(args->type, args->gradient, (gssize) first);
  adam.m = lac_number_at(args->type, args->m, (gssize) first);
  adam.v = lac_number_at(args->type, args->v, (gssize) first);
  adam.theta = lac_number_at(args->type, args->theta, (gssize) first);
  lac_plane_kernels(args->type)->adam(&adam);
}

LacStatus
lac_cpu_planes_step(void *self, const LacPlaneStep *args)
{
  lac_pool_run(args->pool, items(args->n, ADAM_NUMBERS), step_item, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
bound_item(gsize item, guint worker, gpointer user_data)
{
  const LacPlanePicture *args = user_data;
  const gsize            first = item * BOUND_NUMBERS;
  const gsize            n = MIN(BOUND_NUMBERS, args->side * (args->side + 1) - first);

  lac_plane_kernels(args->type)
    ->bound(&(LacPlaneBound){
      .bound = args->bound,
      .n = lac_plane_blocks(n),
      .bias = lac_number_get(args->type, args->bias, 0),
      .x = lac_number_at(args->type, args->plane, (gssize) first),
      .y = lac_number_at(args->type, args->map, (gssize) first),
      .slope = lac_number_at(args->type, args->slope, (gssize) first),
    });
}

/* Offset in the plane of the window's first element in row @i. */
static gsize
row_in_plane(const LacPlanePicture *args, gsize i)
{
  const LacPlaneWindow *window = &args->window;

  return (gsize) ((gssize) i + window->offset) * (args->side + 1) +
         (gsize) ((gssize) window->first + window->offset);
}

static void
picture_item(gsize item, guint worker, gpointer user_data)
{
  const LacPlanePicture *args = user_data;
  const LacPlaneWindow  *window = &args->window;
  const gsize            end = MIN((item + 1) * PICTURE_ROWS, window->n);

  for (gsize i = item * PICTURE_ROWS; i < end; i++) {
    double *row = args->picture + i * window->n;
    memset(row, 0, window->n * sizeof *row);
    if (i < window->first || i >= window->end)
      continue;
    const gsize at = row_in_plane(args, i);
    for (gsize j = window->first; j < window->end; j++)
      row[j] = lac_number_get(args->type, args->map, at + j - window->first);
  }
}

LacStatus
lac_cpu_planes_picture(void *self, const LacPlanePicture *args)
{
  lac_pool_run(args->pool, items(args->side * (args->side + 1), BOUND_NUMBERS), bound_item,
               (gpointer) args);
  lac_pool_run(args->pool, items(args->window.n, PICTURE_ROWS), picture_item, (gpointer) args);
  return LAC_STATUS_OK;
}

static void
picture_reverse_item(gsize item, guint worker, gpointer user_data)
{
  const LacPlanePicture *args = user_data;
  const LacPlaneWindow  *window = &args->window;
  const gsize            begin = MAX(item * PICTURE_ROWS, window->first),
              end = MIN((item + 1) * PICTURE_ROWS, window->end);
  double sum = 0;

  for (gsize i = begin; i < end; i++) {
    const gsize at = row_in_plane(args, i);
    for (gsize j = window->first; j < window->end; j++) {
      const gsize  k = at + j - window->first;
      const double bar =
        args->picture_bar[i * window->n + j] * lac_number_get(args->type, args->slope, k);
      lac_number_put(args->type, args->plane_bar, k, bar);
      sum += bar;
    }
  }
  args->sums[item] = sum;
}

LacStatus
lac_cpu_planes_picture_reverse(void *self, const LacPlanePicture *args)
{
  const gsize n = items(args->window.n, PICTURE_ROWS);
  double      sum = 0;

  lac_pool_run(args->pool, n, picture_reverse_item, (gpointer) args);
  for (gsize i = 0; i < n; i++)
    sum += args->sums[i];
  lac_number_put(args->type, args->bias_bar, 0, sum);
  return LAC_STATUS_OK;
}

size_t
lac_cpu_planes_picture_sums(const LacPlanePicture *args)
{
  return items(args->window.n, PICTURE_ROWS);
}
