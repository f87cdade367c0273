/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strong Wolfe line search: bracketing with growing steps, then zoom with cubic interpolation. */
#include "graph/optimiser/optimiser-private.h"

#include <float.h>
#include <math.h>

#define SUFFICIENT_DECREASE 1e-4 /* c1 */
#define LARGEST_GROWTH      10.0
#define LEAST_GROWTH        1.1
#define SAFEGUARD           0.1 /* fraction of the bracket: minimum distance of a trial from its ends */

typedef struct {
  double length, loss, slope;
} Point;

typedef struct {
  LacOptimiser  *optimiser;
  LacLineSearch *search;
  double         slack;   /* rounding of the loss: a smaller decrease is undetectable */
  double         current; /* length at which trial and gradient are evaluated */
  guint          most;    /* maximum evaluations of the step */
} Walk;

static gboolean
probe(Walk *walk, double length, Point *point, GError **error)
{
  LacLineSearch *search = walk->search;
  LacOptimiser  *optimiser = walk->optimiser;

  lac_vector_axpby(optimiser, 1, search->start, 0, search->trial);
  lac_vector_axpby(optimiser, length, search->direction, 1, search->trial);
  if (!lac_optimiser_evaluate(optimiser, search->trial, search->gradient, &point->loss, error))
    return FALSE;
  point->length = walk->current = length;
  point->slope = lac_vector_dot(optimiser, search->gradient, search->direction);
  return TRUE;
}

static gboolean
is_finite(const Point *point)
{
  return isfinite(point->loss) && isfinite(point->slope);
}

static gboolean
decreases(const Walk *walk, const Point *point)
{
  const LacLineSearch *search = walk->search;

  return is_finite(point) && point->loss <= search->loss +
                                              SUFFICIENT_DECREASE * point->length * search->slope +
                                              walk->slack;
}

static gboolean
is_flat(const Walk *walk, const Point *point)
{
  return fabs(point->slope) <= -walk->optimiser->settings.curvature * walk->search->slope;
}

/* Minimiser of the cubic through two points with their slopes; NaN without one. Ibid., eq. 3.59. */
static double
cubic_minimiser(const Point *a, const Point *b)
{
  double d1 = a->slope + b->slope - 3 * (a->loss - b->loss) / (a->length - b->length);
  double d2 = copysign(sqrt(d1 * d1 - a->slope * b->slope), b->length - a->length);

  return b->length -
         (b->length - a->length) * (b->slope + d2 - d1) / (b->slope - a->slope + 2 * d2);
}

static double
next_within(const Point *low, const Point *high)
{
  double left = fmin(low->length, high->length), right = fmax(low->length, high->length);
  double guess = is_finite(high) ? cubic_minimiser(low, high) : (double) NAN;
  double margin = SAFEGUARD * (right - left);

  if (!isfinite(guess))
    return (left + right) / 2;
  return CLAMP(guess, left + margin, right - margin);
}

static double
next_beyond(const Point *before, const Point *last)
{
  double guess = cubic_minimiser(before, last);

  if (!isfinite(guess) || guess <= last->length)
    return LARGEST_GROWTH * last->length;
  return CLAMP(guess, LEAST_GROWTH * last->length, LARGEST_GROWTH * last->length);
}

/* Returns TRUE when the bracket may still give a decrease above the rounding of the loss. */
static gboolean
is_visible(const Walk *walk, const Point *low, const Point *high)
{
  return !(fabs((high->length - low->length) * low->slope) <= walk->slack);
}

/* @low has the lowest loss so far and slopes towards @high. */
static gboolean
zoom(Walk *walk, Point low, Point high, Point *found, GError **error)
{
  while (walk->optimiser->n_evaluations < walk->most && is_visible(walk, &low, &high)) {
    Point point;

    if (!probe(walk, next_within(&low, &high), &point, error))
      return FALSE;
    if (!decreases(walk, &point) || point.loss > low.loss + walk->slack) {
      high = point;
      continue;
    }
    if (is_flat(walk, &point)) {
      *found = point;
      walk->search->wolfe = TRUE;
      return TRUE;
    }
    if (point.slope * (high.length - low.length) >= 0)
      high = low;
    low = point;
  }
  *found = low;
  return TRUE;
}

static gboolean
bracket(Walk *walk, Point *found, GError **error)
{
  LacLineSearch *search = walk->search;
  Point          before = {0, search->loss, search->slope}, point;
  double         length = search->first;

  while (walk->optimiser->n_evaluations < walk->most) {
    if (!probe(walk, length, &point, error))
      return FALSE;
    if (!decreases(walk, &point) || (before.length > 0 && point.loss > before.loss))
      return zoom(walk, before, point, found, error);
    if (is_flat(walk, &point)) {
      *found = point;
      search->wolfe = TRUE;
      return TRUE;
    }
    if (point.slope >= 0)
      return zoom(walk, point, before, found, error);
    length = next_beyond(&before, &point);
    before = point;
  }
  *found = before;
  return TRUE;
}

gboolean
lac_line_search(LacOptimiser *optimiser, LacLineSearch *search, GError **error)
{
  gboolean is_log =
    optimiser->settings.transform == LAC_TRANSFORM_LOG; /* the rounding of f itself is 1 there */
  double epsilon = optimiser->type == LAC_F64 ? DBL_EPSILON : (double) FLT_EPSILON;
  Walk   walk = {
      .optimiser = optimiser,
      .search = search,
      .slack = epsilon * (is_log ? fmax(1, fabs(search->loss)) : fabs(search->loss)),
      .most = optimiser->n_evaluations + optimiser->settings.max_line_evaluations,
  };
  Point found = {0};

  search->wolfe = FALSE;
  if (!bracket(&walk, &found, error))
    return FALSE;
  search->length = found.loss < search->loss || search->wolfe ? found.length : 0;
  search->trial_loss = found.loss;
  if (search->length > 0 && walk.current != found.length)
    return probe(&walk, found.length, &found, error);
  return TRUE;
}
