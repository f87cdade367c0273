/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers over planes of the strict backend: each says what it reads and writes, borders included. */
#include "backend/cpu/planes/layers.h"
#include "backend/plane-layers.h"
#include "backend/strict/see.h"

/* With the zeros before and behind: a layer that reads planes reads them too. */
static void *
see_planes(LacStrictCheck *check,
           LacType         type,
           const void     *pointer,
           size_t          side,
           size_t          n,
           LacStrictUse    use)
{
  const LacPlaneShape shape = lac_plane_shape(side);
  const size_t        word = lac_type_size(type);
  const gssize        lead = (gssize) shape.lead;
  void               *first = lac_strict_see(check, lac_number_at(type, pointer, -lead),
                                             lac_plane_room(&shape, n) * word, word, use);

  return first ? lac_number_at(type, first, lead) : NULL;
}

#define PLANES(member, n, use) \
  a->member = see_planes(check, a->type, a->member, a->side, n, LAC_STRICT_##use)
#define BELOW(check) ((check)->strict->below.table->planes)

static void
see_latent(LacStrictCheck *check, LacLatent *a)
{
  SEE(z, a->n_latent, READS);
  SEE(weights, a->n_latent * a->n_out, READS);
  SEE(y, a->n_out, WRITES);
  a->y_bar = NULL;
  a->z_bar = a->m = a->v = NULL;
}

static void
see_latent_adam(LacStrictCheck *check, LacLatent *a)
{
  SEE(z, a->n_latent, READS);
  SEE(weights, a->n_latent * a->n_out, UPDATES);
  SEE(m, a->n_latent * a->n_out, UPDATES);
  SEE(v, a->n_latent * a->n_out, UPDATES);
  SEE(y_bar, a->n_out, READS);
  SEE(z_bar, a->n_latent, WRITES);
  MAY_DOUBLES(numbers, 3, READS);
  a->y = NULL;
}

static size_t
n_weights(const LacConvolve *a)
{
  return lac_plane_taps(a->doubles) * a->n_in * a->n_out;
}

static size_t
n_outputs(const LacConvolve *a)
{
  return (a->doubles ? 4 : 1) * a->n_out;
}

/* What is written is updated: its zeros must have stood there before. */
static void
see_convolve(LacStrictCheck *check, LacConvolve *a)
{
  PLANES(x, a->n_in, READS);
  PLANES(y, n_outputs(a), UPDATES);
  SEE(weights, n_weights(a), READS);
  a->y_bar = NULL;
  a->x_bar = a->weights_bar = a->scratch = NULL;
}

static void
see_convolve_reverse_image(LacStrictCheck *check, LacConvolve *a)
{
  PLANES(x_bar, a->n_in, UPDATES);
  PLANES(y_bar, n_outputs(a), READS);
  SEE(weights, n_weights(a), READS);
  a->x = NULL;
  a->y = a->weights_bar = a->scratch = NULL;
}

static void
see_convolve_reverse_weights(LacStrictCheck *check, LacConvolve *a)
{
  SEE(scratch, BELOW(check)->convolve_scratch(a), UPDATES);
  SEE(weights_bar, n_weights(a), WRITES);
  PLANES(x, a->n_in, READS);
  PLANES(y_bar, n_outputs(a), READS);
  a->weights = NULL;
  a->y = a->x_bar = NULL;
}

/* To the end of the last row. */
static size_t
n_reached(size_t n, size_t stride, size_t side, size_t pitch)
{
  return n ? (n - 1) * stride + (side - 1) * pitch + side : 0;
}

static size_t
n_channels_reached(const LacNormalise *a)
{
  return n_reached(a->n_phases * a->n, a->stride, a->side, a->pitch);
}

static size_t
n_image_reached(const LacNormalise *a)
{
  return n_reached(a->n, a->image_stride, a->n_phases == 4 ? 2 * a->side : a->side, a->image_pitch);
}

static void
see_normalise(LacStrictCheck *check, LacNormalise *a)
{
  SEE(y, n_channels_reached(a), READS);
  SEE(scales, 2 * a->n, READS);
  SEE(image, n_image_reached(a), UPDATES);
  DOUBLES(sums, BELOW(check)->normalise_sums(a), SPOILS);
  a->image_bar = NULL;
  a->y_bar = a->scales_bar = NULL;
}

static void
see_normalise_reverse(LacStrictCheck *check, LacNormalise *a)
{
  SEE(y, n_channels_reached(a), READS);
  SEE(scales, 2 * a->n, READS);
  SEE(image_bar, n_image_reached(a), READS);
  SEE(y_bar, n_channels_reached(a), UPDATES);
  SEE(scales_bar, 2 * a->n, WRITES);
  DOUBLES(sums, BELOW(check)->normalise_sums(a), SPOILS);
  a->image = NULL;
}

static void
see_picture(LacStrictCheck *check, LacPlanePicture *a)
{
  const size_t n = lac_plane_blocks(a->side * (a->side + 1));

  SEE(bias, 1, READS);
  SEE(plane, n, READS);
  SEE(slope, n, WRITES);
  SEE(map, n, WRITES);
  DOUBLES(picture, a->window.n * a->window.n, WRITES);
  a->picture_bar = NULL;
  a->plane_bar = a->bias_bar = NULL;
  a->sums = NULL;
}

static void
see_picture_reverse(LacStrictCheck *check, LacPlanePicture *a)
{
  const size_t n = lac_plane_blocks(a->side * (a->side + 1));

  SEE(slope, n, READS);
  SEE(plane_bar, n, UPDATES);
  SEE(bias_bar, 1, WRITES);
  DOUBLES(picture_bar, a->window.n * a->window.n, READS);
  DOUBLES(sums, BELOW(check)->picture_sums(a), SPOILS);
  a->bias = a->plane = NULL;
  a->map = NULL;
  a->picture = NULL;
}

static void
see_step(LacStrictCheck *check, LacPlaneStep *a)
{
  SEE(gradient, a->n, READS);
  SEE(m, a->n, UPDATES);
  SEE(v, a->n, UPDATES);
  SEE(theta, a->n, UPDATES);
  MAY_DOUBLES(numbers, 3, READS);
}

#define K(name, Args) LAC_STRICT_PART(name, Args, planes->)
LAC_PLANE_LAYERS(K)
#undef K

const LacPlaneLayers lac_strict_plane_layers = {
#define K(name, Args) .name = strict_##name,
  LAC_PLANE_LAYERS(K)
#undef K
    .convolve_scratch = lac_cpu_planes_convolve_scratch,
  .normalise_sums = lac_cpu_planes_normalise_sums,
  .picture_sums = lac_cpu_planes_picture_sums,
};

void
lac_strict_plane_layers_over(LacPlaneLayers *layers, const LacPlaneLayers *below)
{
  *layers = lac_strict_plane_layers;
  layers->convolve_scratch = below->convolve_scratch;
  layers->normalise_sums = below->normalise_sums;
  layers->picture_sums = below->picture_sums;
}
