/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Position search by trial: the hard edge of an aperture makes the misfit a non-smooth function of its centre. Within
 * a round of steps, the eight neighbours of each centre are tried at halving distances, along with random positions.
 * An object that has absorbed an exposure from a wrong position reinforces that position; so scan positions with a
 * far larger misfit than the rest are excluded from the object for a round, then searched everywhere. */
#include "experiment/imaging/methods/position-search.h"

#include "base/rng.h"

#include <math.h>

#define N_STRIDES 7 /* per round, each half the previous one; the first is half the maximum error */
#define N_ROUNDS \
  5 /* rounds before a run may end at the noise level; all but the first and last may exclude scan positions */
#define LEAST_DRAWN 4 /* random positions: one per square pixel of the search area */
#define MOST_DRAWN  32
#define OUTLIER     16.0 /* times the median excess of the scan positions */
#define AS_BAD      0.25 /* fraction of the worst excess */
#define DEVIATIONS  3.0  /* standard deviations of the misfit due to noise */
#define MESH        0.5  /* k-space pixels between positions of the exhaustive search */
#define MOST_MESHES 8.0  /* per search radius */
#define STREAM      ((guint64) 0x706c6163u << 32) /* random stream */
#define HALF        0.70710678118654752
#define SAME_PLACE  1e-9 /* k-space pixels: equal distance */
#define SAME_MISFIT \
  1e-12 /* of the measured energy: more than the rounding differences of transforms */

typedef struct {
  double y, x;
} Place;

static double
misfit_at(LacImagingEstimate *h, gsize position, Place place)
{
  LacImagingScratch *bench = &h->benches[0];

  if (!lac_optics_move(h->optics, position, place.y, place.x))
    return INFINITY;
  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  return lac_imaging_estimate_measure(h, position, bench).distance;
}

static gboolean
is_within(const LacImagingEstimate *h, gsize position, Place place)
{
  const LacScanBox *first = &h->problem.exposures->scan[position];

  return hypot(place.y - first->y, place.x - first->x) <= h->problem.common->position_error;
}

static gint64
count_steps(const LacImagingEstimate *h)
{
  return h->step - h->problem.common->calibrate_from;
}

/* Returns the step size, from wide to narrow and again: the optimum may lie behind a local maximum of the misfit,
 * where a bright pixel enters or leaves the aperture. */
static double
get_stride(const LacImagingEstimate *h)
{
  return ldexp(h->problem.common->position_error / 2, -(int) (count_steps(h) % N_STRIDES));
}

/* Draws a random position within the maximum error, a new one at every step. */
static Place
draw_place(const LacImagingEstimate *h, gsize position, LacRng *rng)
{
  const LacScanBox *first = &h->problem.exposures->scan[position];
  const double      r = h->problem.common->position_error * sqrt(lac_rng_uniform(rng));
  const double      angle = 2 * G_PI * lac_rng_uniform(rng);

  return (Place){first->y + r * sin(angle), first->x + r * cos(angle)};
}

/* Returns TRUE when @one is nearer to the nominal position; at equal distance, the right or upper one is preferred. */
static gboolean
is_rather(const LacScanBox *said, Place one, Place other)
{
  const double near = hypot(one.y - said->y, one.x - said->x);
  const double far = hypot(other.y - said->y, other.x - said->x);

  if (fabs(near - far) > SAME_PLACE)
    return near < far;
  return one.x != other.x ? one.x > other.x : one.y > other.y;
}

/* Chooses between a position and its mate, which the exposures of a real object cannot distinguish: otherwise
 * rounding would decide. */
static Place
choose_of_mates(LacImagingEstimate *h, gsize position, Place best, double least)
{
  const LacScanBox *said = &h->problem.exposures->scan[position];
  const LacScanBox  mate = lac_scan_mate(
     (LacScanBox){best.y, best.x, best.y + said->end_y - said->y, best.x + said->end_x - said->x});
  const Place place = {mate.y, mate.x};

  if (h->problem.is_real && is_within(h, position, place) && is_rather(said, place, best) &&
      misfit_at(h, position, place) <= least + SAME_MISFIT * h->misfits[position].energy)
    return place;
  return best;
}

static gsize
count_drawn(const LacImagingEstimate *h)
{
  const double error = h->problem.common->position_error;

  return (gsize) CLAMP(ceil(error * error), LEAST_DRAWN, MOST_DRAWN);
}

static void
seek_position(LacImagingEstimate *h, gsize position)
{
  static const Place around[] = {{1, 0},       {-1, 0},       {0, 1},        {0, -1},
                                 {HALF, HALF}, {HALF, -HALF}, {-HALF, HALF}, {-HALF, -HALF}};
  const LacScanBox  *now = &lac_optics_get_settings(h->optics)->scan[position];
  const Place        here = {now->y, now->x};
  const double       stride = get_stride(h);
  const gsize        n_tried = G_N_ELEMENTS(around) + count_drawn(h);
  LacRng             rng =
    lac_rng(h->problem.context->seed, STREAM + (guint64) h->step * h->n_positions + position);
  Place  best = here;
  double least = misfit_at(h, position, here);

  for (gsize i = 0; i < n_tried; i++) {
    const Place place = i < G_N_ELEMENTS(around)
                          ? (Place){here.y + stride * around[i].y, here.x + stride * around[i].x}
                          : draw_place(h, position, &rng);
    double      misfit;

    if (!is_within(h, position, place))
      continue;
    misfit = misfit_at(h, position, place);
    if (misfit < least) {
      least = misfit;
      best = place;
    }
  }
  best = choose_of_mates(h, position, best, least);
  lac_optics_move(h->optics, position, best.y, best.x);
}

/* ---- scan positions that are left out ---- */

/* Returns the relative residual energy of a scan position beyond the noise level. */
static double
get_excess(const LacMisfit *misfit)
{
  if (misfit->distance <= misfit->expected + DEVIATIONS * sqrt(misfit->variance))
    return 0;
  return misfit->energy > 0 ? (misfit->distance - misfit->expected) / misfit->energy : 0;
}

static gsize
get_first(const LacImagingEstimate *h)
{
  /* an object with a free phase can absorb a common shift of all centres: the first one is therefore fixed */
  return h->problem.is_real ? 0 : 1;
}

static void
leave_out(LacImagingEstimate *h)
{
  for (gsize position = 0; position < h->n_positions; position++)
    h->excesses[position] = get_excess(&h->misfits[position]);
  lac_imaging_estimate_leave_out(h, h->excesses, get_first(h), OUTLIER, AS_BAD, 0);
}

static void
seek_everywhere(LacImagingEstimate *h, gsize position)
{
  const LacScanBox *said = &h->problem.exposures->scan[position];
  const double      error = h->problem.common->position_error;
  const double      mesh = fmax(MESH, error / MOST_MESHES);
  const int         n = (int) floor(error / mesh);
  Place             best = {said->y, said->x};
  double            least = INFINITY;

  for (int y = -n; y <= n; y++)
    for (int x = -n; x <= n; x++) {
      const Place  place = {said->y + y * mesh, said->x + x * mesh};
      const double misfit =
        is_within(h, position, place) ? misfit_at(h, position, place) : (double) INFINITY;

      if (misfit < least) {
        least = misfit;
        best = place;
      }
    }
  lac_optics_move(h->optics, position, best.y, best.x);
}

/* Restores the excluded scan positions at their best position. */
static void
take_back(LacImagingEstimate *h)
{
  for (gsize position = 0; position < h->n_positions; position++) {
    if (h->rests[position] && !h->are_empty[position])
      seek_everywhere(h, position);
    h->rests[position] = h->are_empty[position];
  }
}

gboolean
lac_positions_have_converged(const LacImagingEstimate *h, gint64 step)
{
  return !(h->problem.common->position_error > 0) ||
         step >= h->problem.common->calibrate_from + N_ROUNDS * N_STRIDES;
}

void
lac_positions_step(LacImagingEstimate *h)
{
  const gint64 turn = count_steps(h) / N_STRIDES;

  if (count_steps(h) % N_STRIDES == 0) {
    take_back(h);
    if (turn >= 1 && turn < N_ROUNDS - 1)
      leave_out(h);
  }
  for (gsize position = get_first(h); position < h->n_positions; position++)
    if (!h->rests[position])
      seek_position(h, position);
}
