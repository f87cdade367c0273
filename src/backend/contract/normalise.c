/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisation over the pixels of planes: against its formula, by its invariances, by finite differences. */
#include "backend/contract/planes.h"

#include <math.h>
#include <string.h>

typedef struct {
  gsize              n, side, n_phases;
  LacPlaneShape      shape; /* of the image */
  LacContractBuffer *y, *image, *scales, *image_bar, *y_bar, *scales_bar;
  double            *sums;
  LacNormalise       args;
} Normalising;

static gsize
image_side(const Normalising *it)
{
  return it->n_phases == 4 ? 2 * it->side : it->side;
}

static Normalising
normalising_of(LacContract *contract, LacPool *pool, gsize n, gsize side, gsize n_phases)
{
  Normalising         it = {.n = n, .side = side, .n_phases = n_phases};
  const LacPlaneShape planes = lac_plane_shape(side);

  it.shape = lac_plane_shape(image_side(&it));
  it.y = lac_contract_planes_random(contract, side, n * n_phases);
  it.y_bar = lac_contract_planes_random(contract, side, n * n_phases);
  it.image = lac_contract_planes_random(contract, image_side(&it), n);
  it.image_bar = lac_contract_planes_random(contract, image_side(&it), n);
  it.scales = lac_contract_random_buffer(contract, 2 * n, 1);
  it.scales_bar = lac_contract_random_buffer(contract, 2 * n, 1);
  it.args = (LacNormalise){
    .type = contract->type,
    .pool = pool,
    .n = n,
    .n_phases = n_phases,
    .side = side,
    .pitch = planes.pitch,
    .stride = planes.stride,
    .image_pitch = it.shape.pitch,
    .image_stride = it.shape.stride,
    .y = lac_contract_planes_first(contract, it.y, side),
    .image = lac_contract_planes_first(contract, it.image, image_side(&it)),
    .scales = it.scales->device,
    .image_bar = lac_contract_planes_first(contract, it.image_bar, image_side(&it)),
    .y_bar = lac_contract_planes_first(contract, it.y_bar, side),
    .scales_bar = it.scales_bar->device,
  };
  it.sums =
    lac_contract_doubles(contract, lac_contract_plane_layers(contract)->normalise_sums(&it.args));
  it.args.sums = it.sums;
  return it;
}

static void
run_forward(LacContract *contract, Normalising *it)
{
  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->normalise(contract->device.self, &it->args));
  lac_contract_fetch(contract, it->image);
}

/* Returns the element of y, channel @c, that becomes pixel (@i, @j) of the image. */
static double *
phase_pixel(const Normalising *it, double *planes, gsize c, gsize i, gsize j)
{
  if (it->n_phases == 1)
    return lac_contract_planes_pixel(planes, it->side, c, i, j);
  return lac_contract_planes_pixel(planes, it->side, (2 * (i & 1) + (j & 1)) * it->n + c, i / 2,
                                   j / 2);
}

static void
find_moments(const Normalising *it,
             double *(*at)(const Normalising *, gsize, gsize, gsize),
             gsize   c,
             double *mean,
             double *variance)
{
  const gsize  side = image_side(it);
  const double n = (double) (side * side);

  *mean = *variance = 0;
  for (gsize i = 0; i < side; i++)
    for (gsize j = 0; j < side; j++)
      *mean += *at(it, c, i, j) / n;
  for (gsize i = 0; i < side; i++)
    for (gsize j = 0; j < side; j++)
      *variance += (*at(it, c, i, j) - *mean) * (*at(it, c, i, j) - *mean) / n;
}

static double *
at_image(const Normalising *it, gsize c, gsize i, gsize j)
{
  return lac_contract_planes_pixel(it->image->host, image_side(it), c, i, j);
}

static double *
at_y(const Normalising *it, gsize c, gsize i, gsize j)
{
  return phase_pixel(it, it->y->host, c, i, j);
}

/* Scales of 1 and offsets of 8, so that nothing is clipped: mean 8, variance 1 minus the effect of epsilon in the
 * root; unchanged when y is shifted and scaled. */
static void
check_statistics(LacContract *contract, Normalising *it)
{
  for (gsize c = 0; c < it->n; c++) {
    it->scales->host[c] = 1;
    it->scales->host[it->n + c] = 8;
  }
  lac_contract_upload(contract, it->scales);
  for (int moved = 0; moved < 2; moved++) {
    if (moved) {
      for (gsize c = 0; c < it->n; c++)
        for (gsize i = 0; i < image_side(it); i++)
          for (gsize j = 0; j < image_side(it); j++)
            *at_y(it, c, i, j) = 30 + 3 * *at_y(it, c, i, j);
      lac_contract_upload(contract, it->y);
    }
    run_forward(contract, it);
    for (gsize c = 0; c < it->n; c++) {
      double mean, variance, mean_y, variance_y;
      find_moments(it, at_image, c, &mean, &variance);
      find_moments(it, at_y, c, &mean_y, &variance_y);
      /* y - mean loses the digits of y's mean relative to its spread */
      lac_contract_close(contract, mean, 8, 8, 40);
      lac_contract_close(contract, variance, variance_y / (variance_y + 1e-5), 1, 200);
    }
  }
}

/* Checks the formula, and that gaps between rows and channels stay zero. */
static void
check_normalised(LacContract *contract, Normalising *it)
{
  run_forward(contract, it);
  for (gsize c = 0; c < it->n; c++) {
    double mean, variance;
    find_moments(it, at_y, c, &mean, &variance);
    for (gsize i = 0; i < image_side(it); i++) {
      for (gsize j = 0; j < image_side(it); j++) {
        const double x = it->scales->host[c] * (*at_y(it, c, i, j) - mean) / sqrt(variance + 1e-5);
        lac_contract_close(contract, *at_image(it, c, i, j),
                           MAX(0, x + it->scales->host[it->n + c]), 4, 40);
      }
      lac_contract_same(contract, *at_image(it, c, i, image_side(it)), 0);
    }
  }
}

static double
loss_of(LacContract *contract, Normalising *it)
{
  double sum = 0;

  run_forward(contract, it);
  for (gsize c = 0; c < it->n; c++)
    for (gsize i = 0; i < image_side(it); i++)
      for (gsize j = 0; j < image_side(it); j++)
        sum += *at_image(it, c, i, j) *
               *lac_contract_planes_pixel(it->image_bar->host, image_side(it), c, i, j);
  return sum;
}

/* Finite differences along a random direction of y, then of scales and offsets; only in double precision, since
 * single-precision differences are too noisy. */
static void
check_differences(LacContract *contract, Normalising *it)
{
  const double t = 1e-6;

  for (int which = 0; which < 2; which++) {
    LacContractBuffer *moved = which ? it->scales : it->y,
                      *bars = which ? it->scales_bar : it->y_bar;
    g_autofree double *before = g_memdup2(moved->host, moved->n * sizeof(double));
    g_autofree double *direction = g_new0(double, moved->n);
    double             slope = 0, size = 0, loss[2];
    for (gsize i = 0; i < moved->n; i++)
      if (which || moved->host[i] != 0)
        direction[i] = lac_contract_random(contract);
    for (gsize i = 0; i < moved->n; i++) {
      slope += direction[i] * bars->host[i];
      size += fabs(direction[i] * bars->host[i]);
    }
    for (int side = 0; side < 2; side++) {
      for (gsize i = 0; i < moved->n; i++)
        moved->host[i] = before[i] + (side ? -t : t) * direction[i];
      lac_contract_upload(contract, moved);
      loss[side] = loss_of(contract, it);
    }
    /* a few values cross the kink at zero, where each is off by its own contribution */
    lac_contract_within(contract, (loss[0] - loss[1]) / (2 * t), slope, 1e-5 * size + 1e-6);
    memcpy(moved->host, before, moved->n * sizeof(double));
    lac_contract_upload(contract, moved);
  }
}

/* Checks that the loss does not change when y is shifted, nor (except for epsilon in the root) when it is scaled. */
static void
check_reverse(LacContract *contract, Normalising *it)
{
  run_forward(contract, it);
  lac_contract_ok(contract, lac_contract_plane_layers(contract)->normalise_reverse(
                              contract->device.self, &it->args));
  lac_contract_fetch(contract, it->y_bar);
  lac_contract_fetch(contract, it->scales_bar);
  for (gsize c = 0; c < it->n; c++) {
    double mean, variance, sum = 0, product = 0, size = 0;
    find_moments(it, at_y, c, &mean, &variance);
    for (gsize i = 0; i < image_side(it); i++)
      for (gsize j = 0; j < image_side(it); j++) {
        const double bar = *phase_pixel(it, it->y_bar->host, c, i, j);
        sum += bar;
        product += bar * (*at_y(it, c, i, j) - mean);
        size += fabs(bar);
      }
    lac_contract_close(contract, sum, 0, size, 20);
    lac_contract_close(contract, product,
                       it->scales->host[c] * it->scales_bar->host[c] * 1e-5 / (variance + 1e-5),
                       size, 40);
  }
  if (contract->type == LAC_F64)
    check_differences(contract, it);
}

static void
run_planes_normalise(LacContract *contract)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  static const struct {
    gsize n, side, n_phases;
  } rows[] = {{5, 4, 1}, {3, 6, 4}, {2, 101, 1}, {2, 52, 4}};

  for (gsize k = 0; k < G_N_ELEMENTS(rows); k++) {
    Normalising it = normalising_of(contract, pool, rows[k].n, rows[k].side, rows[k].n_phases);

    check_normalised(contract, &it);
    check_reverse(contract, &it);
    check_statistics(contract, &it);
    lac_contract_clear(contract);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->planes != NULL;
}

const LacContractRow lac_contract_normalisation_rows[] = {
  {"planes-normalise", run_planes_normalise, is_known},
  {NULL},
};
