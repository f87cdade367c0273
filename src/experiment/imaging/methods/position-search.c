/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Position search by trial: the hard edge of an aperture makes the misfit a non-smooth function of its centre. Within
 * a round of steps, the eight neighbours of each centre are tried at halving distances, along with random positions.
 * An object that has absorbed an exposure from a wrong position reinforces that position; so scan positions with a
 * far larger misfit than the rest are excluded from the object for a round, then searched everywhere. A place of every
 * scan position is tried in one request to the device. */
#include "experiment/imaging/methods/position-search.h"

#include "base/rng.h"
#include "experiment/imaging/methods/k-space.h"

#include <math.h>
#include <string.h>

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
/* of the measured energy: more than the rounding differences of transforms */
#define SAME_MISFIT           1e-12
#define SAME_MISFIT_IN_SINGLE 1e-6

enum { N_AROUND = 8 }; /* neighbours that are tried */

typedef struct {
  double y, x;
} Place;

/* One scan position in a step. */
typedef struct {
  Place  here, best, tried;
  double least; /* squared distance at the best place */
  LacRng rng;
} Candidate;

struct _LacPositionSearch {
  LacImagingEstimate *h;
  Candidate          *candidates; /* [n_positions] */
  guint8             *asked;      /* [n_positions]: TRUE: is tried now */
  double             *found;      /* [n_positions]: squared distance at the tried place */
  gsize               n_tried;    /* places in this step */
};

LacPositionSearch *
lac_position_search_new(LacImagingEstimate *h)
{
  LacPositionSearch *search = g_new0(LacPositionSearch, 1);

  search->h = h;
  search->candidates = g_new0(Candidate, h->n_positions);
  search->asked = g_new0(guint8, h->n_positions);
  search->found = g_new0(double, h->n_positions);
  return search;
}

void
lac_position_search_free(LacPositionSearch *search)
{
  if (!search)
    return;
  g_free(search->candidates);
  g_free(search->asked);
  g_free(search->found);
  g_free(search);
}

/* Finds the misfits at the places that are tried; one where an aperture cannot be is not asked. */
static void
try_places(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;

  for (gsize v = 0; v < h->n_positions; v++) {
    const Place tried = search->candidates[v].tried;

    search->asked[v] = search->asked[v] && lac_optics_move(h->optics, v, tried.y, tried.x);
    search->n_tried += search->asked[v];
  }
  lac_k_space_try(h->k_space, search->asked, search->found);
}

/* Tries the places, and keeps those that are better. */
static void
try_better(LacPositionSearch *search)
{
  try_places(search);
  for (gsize v = 0; v < search->h->n_positions; v++) {
    Candidate *candidate = &search->candidates[v];

    if (search->asked[v] && search->found[v] < candidate->least) {
      candidate->least = search->found[v];
      candidate->best = candidate->tried;
    }
  }
}

static gboolean
is_within(const LacImagingEstimate *h, gsize position, Place place)
{
  const LacScanBox *first = &h->problem.exposures->scan[position];

  return hypot(place.y - first->y, place.x - first->x) <= h->problem.common->position_error;
}

static gsize
get_first(const LacImagingEstimate *h)
{
  /* an object with a free phase can absorb a common shift of all centres: the first one is therefore fixed */
  return h->problem.is_real ? 0 : 1;
}

/* Returns TRUE for a scan position that is not left out and may move. */
static gboolean
is_sought(const LacImagingEstimate *h, gsize position)
{
  return position >= get_first(h) && !h->rests[position];
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

static double
same_misfit(const LacImagingEstimate *h)
{
  return g_strcmp0(h->problem.context->precision, "f32") == 0 ? SAME_MISFIT_IN_SINGLE : SAME_MISFIT;
}

/* Returns the place that the exposures of a real object cannot distinguish from @place. */
static Place
find_mate(const LacScanBox *said, Place place)
{
  const LacScanBox mate = lac_scan_mate((LacScanBox){
    place.y, place.x, place.y + said->end_y - said->y, place.x + said->end_x - said->x});

  return (Place){mate.y, mate.x};
}

/* Chooses between each position and its mate: otherwise rounding would decide. */
static void
choose_of_mates(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;

  if (!h->problem.is_real)
    return;
  for (gsize v = 0; v < h->n_positions; v++) {
    const LacScanBox *said = &h->problem.exposures->scan[v];
    Candidate        *candidate = &search->candidates[v];

    candidate->tried = find_mate(said, candidate->best);
    search->asked[v] = is_sought(h, v) && is_within(h, v, candidate->tried) &&
                       is_rather(said, candidate->tried, candidate->best);
  }
  try_places(search);
  for (gsize v = 0; v < h->n_positions; v++) {
    Candidate *candidate = &search->candidates[v];

    if (search->asked[v] &&
        search->found[v] <= candidate->least + same_misfit(h) * h->misfits[v].energy)
      candidate->best = candidate->tried;
  }
}

static gsize
count_drawn(const LacImagingEstimate *h)
{
  const double error = h->problem.common->position_error;

  return (gsize) CLAMP(ceil(error * error), LEAST_DRAWN, MOST_DRAWN);
}

/* Chooses place @i of those that are tried for a scan position. */
static void
choose_place(const LacImagingEstimate *h, gsize position, gsize i, Candidate *candidate)
{
  static const Place around[N_AROUND] = {
    {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {HALF, HALF}, {HALF, -HALF}, {-HALF, HALF}, {-HALF, -HALF}};
  const double stride = get_stride(h);

  candidate->tried = i < N_AROUND ? (Place){candidate->here.y + stride * around[i].y,
                                            candidate->here.x + stride * around[i].x}
                                  : draw_place(h, position, &candidate->rng);
}

static void
move_to_best(LacPositionSearch *search)
{
  for (gsize v = 0; v < search->h->n_positions; v++)
    lac_optics_move(search->h->optics, v, search->candidates[v].best.y,
                    search->candidates[v].best.x);
}

/* Seeks all scan positions that are not left out, place by place of each at once. */
static void
search_around(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;

  for (gsize v = 0; v < h->n_positions; v++) {
    Candidate *candidate = &search->candidates[v];

    candidate->here = candidate->best;
    candidate->rng =
      lac_rng(h->problem.context->seed, STREAM + (guint64) h->step * h->n_positions + v);
  }
  for (gsize i = 0; i < N_AROUND + count_drawn(h); i++) {
    for (gsize v = 0; v < h->n_positions; v++) {
      choose_place(h, v, i, &search->candidates[v]);
      search->asked[v] = is_sought(h, v) && is_within(h, v, search->candidates[v].tried);
    }
    try_better(search);
  }
  choose_of_mates(search);
  move_to_best(search);
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

static void
leave_out(LacImagingEstimate *h)
{
  for (gsize position = 0; position < h->n_positions; position++)
    h->excesses[position] = get_excess(&h->misfits[position]);
  lac_imaging_estimate_leave_out(h, h->excesses, get_first(h), OUTLIER, AS_BAD, 0);
}

/* Moves the scan positions that are left out, but for those without light, to their best place of a mesh. */
static void
search_everywhere(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;
  const double        error = h->problem.common->position_error;
  const double        mesh = fmax(MESH, error / MOST_MESHES);
  const int           n = (int) floor(error / mesh);
  gboolean            is_any = FALSE;

  for (gsize v = 0; v < h->n_positions; v++)
    if (h->rests[v] && !h->are_empty[v]) {
      const LacScanBox *said = &h->problem.exposures->scan[v];

      search->candidates[v].best = (Place){said->y, said->x};
      search->candidates[v].least = INFINITY;
      is_any = TRUE;
    }
  for (int y = -n; y <= n && is_any; y++)
    for (int x = -n; x <= n; x++) {
      for (gsize v = 0; v < h->n_positions; v++) {
        const LacScanBox *said = &h->problem.exposures->scan[v];
        Candidate        *candidate = &search->candidates[v];

        candidate->tried = (Place){said->y + y * mesh, said->x + x * mesh};
        search->asked[v] = h->rests[v] && !h->are_empty[v] && is_within(h, v, candidate->tried);
      }
      try_better(search);
    }
}

/* Restores the excluded scan positions at their best position. */
static void
take_back(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;

  search_everywhere(search);
  memcpy(h->rests, h->are_empty, h->n_positions);
  move_to_best(search);
}

gboolean
lac_positions_have_converged(const LacImagingEstimate *h, gint64 step)
{
  return !(h->problem.common->position_error > 0) ||
         step >= h->problem.common->calibrate_from + N_ROUNDS * N_STRIDES;
}

gsize
lac_position_search_step(LacPositionSearch *search)
{
  LacImagingEstimate *h = search->h;
  const gint64        turn = count_steps(h) / N_STRIDES;

  search->n_tried = 0;
  for (gsize v = 0; v < h->n_positions; v++) {
    const LacScanBox *now = &lac_optics_get_settings(h->optics)->scan[v];

    search->candidates[v] = (Candidate){.best = {now->y, now->x}, .least = h->misfits[v].distance};
  }
  if (count_steps(h) % N_STRIDES == 0) {
    take_back(search);
    if (turn >= 1 && turn < N_ROUNDS - 1)
      leave_out(h);
  }
  search_around(search);
  return search->n_tried;
}
