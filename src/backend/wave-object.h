/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prior of an object, and descents over its pixels: formulas of single pixels, which all backends share. Plain C, also
 * compiled by nvcc.
 *
 * An object is s x s, row-major. Its values and all derivatives with respect to them are pairs; of the mask, 0 is where the
 * object is zero, and NULL: nowhere. */
#pragma once

#include "base/formula.h"

#include <math.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _LacPool;

/* Knowledge of an object before any measurement. */
typedef struct {
  int    is_real, is_bounded;
  double low, high; /* bounds of a real object; the modulus of another is at most high */
} LacWavePrior;

/* Projects one pixel onto the prior. */
LAC_FORMULA void
lac_wave_prior_project(const LacWavePrior *prior, double *re, double *im)
{
  const double size = prior->is_real ? 0 : sqrt(*re * *re + *im * *im);

  if (prior->is_real) {
    const double above = *re < prior->low ? prior->low : *re; /* NaN stays */

    *im = 0;
    if (prior->is_bounded)
      *re = above > prior->high ? prior->high : above;
  } else if (prior->is_bounded && size > prior->high) {
    *re *= prior->high / size;
    *im *= prior->high / size;
  }
}

/* ---- unconstrained variables ---- */

#define LAC_WAVE_LEAST_STEP \
  1e-3 /* e, between two pixels: below it the total variation is quadratic */

/* Variables theta of an object o: a complex object itself, a real one too unless it is bounded; then
 *   o = low + (high - low) (1 + sin theta) / 2
 * And what is added to a loss of the object: its total variation, sum sqrt(|o_right - o|^2 + |o_below - o|^2 + e^2) - e, and the
 * squares by which a complex object exceeds its bound, each with its weight. */
typedef struct {
  struct _LacPool *pool; /* as in LacWaves */
  size_t           support;
  LacWavePrior     prior;
  const double    *mask;
  const double    *theta; /* [s * s]; of a complex object pairs */
  double          *values;
  double          *bar, *theta_bar; /* dL = Re sum conj(bar) do = sum theta_bar dtheta */
  double           variation, excess;
  double          *penalties; /* [s]: of the pixels of each row */
} LacWaveVariables;

/* Writes pixel @i of the object. */
LAC_FORMULA void
lac_wave_variables_find_object(const LacWaveVariables *v, size_t i)
{
  const LacWavePrior *prior = &v->prior;
  const int           is_zero = v->mask && v->mask[i] == 0;
  double              re = 0, im = 0;

  if (!is_zero && !prior->is_real) {
    re = v->theta[2 * i];
    im = v->theta[2 * i + 1];
  } else if (!is_zero) {
    re = prior->is_bounded ? prior->low + (prior->high - prior->low) * (1 + sin(v->theta[i])) / 2
                           : v->theta[i];
  }
  v->values[2 * i] = re;
  v->values[2 * i + 1] = im;
}

/* Writes the derivatives with respect to the variables of pixel @i. */
LAC_FORMULA void
lac_wave_variables_find_bar(const LacWaveVariables *v, size_t i)
{
  const LacWavePrior *prior = &v->prior;
  const int           is_zero = v->mask && v->mask[i] == 0;
  const double        re = is_zero ? 0 : v->bar[2 * i], im = is_zero ? 0 : v->bar[2 * i + 1];

  if (!prior->is_real) {
    v->theta_bar[2 * i] = re;
    v->theta_bar[2 * i + 1] = im;
  } else {
    v->theta_bar[i] =
      re * (prior->is_bounded ? (prior->high - prior->low) / 2 * cos(v->theta[i]) : 1);
  }
}

/* The differences of a pixel to its neighbours, and the root of their squares. */
typedef struct {
  double right[2], below[2], size;
} LacWaveSteps;

LAC_FORMULA LacWaveSteps
lac_wave_variables_find_steps(const LacWaveVariables *v, size_t y, size_t x)
{
  const size_t  s = v->support;
  const double *o = v->values + 2 * (y * s + x);
  const double *right = x + 1 < s ? o + 2 : o, *below = y + 1 < s ? o + 2 * s : o;
  LacWaveSteps  to = {{right[0] - o[0], right[1] - o[1]}, {below[0] - o[0], below[1] - o[1]}, 0};

  to.size = sqrt(to.right[0] * to.right[0] + to.right[1] * to.right[1] + to.below[0] * to.below[0] +
                 to.below[1] * to.below[1] + LAC_WAVE_LEAST_STEP * LAC_WAVE_LEAST_STEP);
  return to;
}

/* Adds the derivatives of all penalties to bar at one pixel. Returns: the penalties of the pixel */
LAC_FORMULA double
lac_wave_variables_penalise(const LacWaveVariables *v, size_t y, size_t x)
{
  const size_t       i = y * v->support + x;
  const double      *o = v->values + 2 * i;
  const LacWaveSteps none = {{0, 0}, {0, 0}, 1};
  const LacWaveSteps own = lac_wave_variables_find_steps(v, y, x);
  const LacWaveSteps above = y > 0 ? lac_wave_variables_find_steps(v, y - 1, x) : none;
  const LacWaveSteps left = x > 0 ? lac_wave_variables_find_steps(v, y, x - 1) : none;
  const double       size = sqrt(o[0] * o[0] + o[1] * o[1]);
  const double       excess = v->excess > 0 ? size - v->prior.high : 0;
  const double       bend = excess > 0 ? 2 * v->excess * excess / size : 0;

  for (int part = 0; part < 2; part++)
    v->bar[2 * i + (size_t) part] +=
      v->variation * (above.below[part] / above.size + left.right[part] / left.size -
                      (own.right[part] + own.below[part]) / own.size) +
      bend * o[part];
  return v->variation * (own.size - LAC_WAVE_LEAST_STEP) +
         (excess > 0 ? v->excess * excess * excess : 0);
}

/* ---- conjugate gradients ---- */

/* Sums that choose a direction: of gradient and conditioned gradient, of the gradient before and the conditioned gradient, of
 * gradient and direction; and the first sum of the iteration before, 0: there was none. */
enum {
  LAC_CONJUGATE_PRODUCT,
  LAC_CONJUGATE_COMMON,
  LAC_CONJUGATE_SLOPE,
  LAC_CONJUGATE_N_SUMS,
  LAC_CONJUGATE_BEFORE = LAC_CONJUGATE_N_SUMS,
  LAC_CONJUGATE_N_NUMBERS,
};

/* The object is held where it cannot follow a direction: outside the mask, and at a bound that the direction crosses. */
typedef enum {
  LAC_CONJUGATE_HOLD, /* both gradients become 0 where the object is held, and real for a real one */
  LAC_CONJUGATE_TURN, /* direction = beta direction - conditioned, beta by Polak and Ribiere, not below 0 */
  LAC_CONJUGATE_RESTART, /* direction = -conditioned, unless it descends */
} LacWaveConjugateStage;

typedef struct {
  struct _LacPool      *pool; /* as in LacWaves */
  size_t                support;
  LacWaveConjugateStage stage;
  LacWavePrior          prior;
  const double         *mask, *values;
  double               *gradient, *conditioned, *direction;
  const double         *numbers; /* [LAC_CONJUGATE_N_NUMBERS] */
} LacWaveConjugate;

/* @slope: of the object, opposite to where it is to go */
LAC_FORMULA int
lac_wave_conjugate_is_held(const LacWaveConjugate *c, size_t i, double slope)
{
  const LacWavePrior *prior = &c->prior;

  if (c->mask && c->mask[i] == 0)
    return 1;
  return prior->is_real && prior->is_bounded &&
         ((c->values[2 * i] <= prior->low && slope > 0) ||
          (c->values[2 * i] >= prior->high && slope < 0));
}

LAC_FORMULA double
lac_wave_conjugate_find_beta(const LacWaveConjugate *c)
{
  const double before = c->numbers[LAC_CONJUGATE_BEFORE];
  const double beta =
    before > 0 ? (c->numbers[LAC_CONJUGATE_PRODUCT] - c->numbers[LAC_CONJUGATE_COMMON]) / before
               : 0;

  return beta > 0 ? beta : 0;
}

/* Performs the stage at one pixel. */
LAC_FORMULA void
lac_wave_conjugate_turn(const LacWaveConjugate *c, size_t i)
{
  double *gradient = c->gradient + 2 * i, *conditioned = c->conditioned + 2 * i;
  double *direction = c->direction + 2 * i;
  double  beta = 0;
  int     is_held;

  if (c->stage == LAC_CONJUGATE_HOLD) {
    is_held = lac_wave_conjugate_is_held(c, i, gradient[0]);
    for (int part = is_held ? 0 : c->prior.is_real ? 1 : 2; part < 2; part++)
      gradient[part] = conditioned[part] = 0;
    return;
  }
  if (c->stage == LAC_CONJUGATE_RESTART && c->numbers[LAC_CONJUGATE_SLOPE] < 0)
    return;
  if (c->stage == LAC_CONJUGATE_TURN)
    beta = lac_wave_conjugate_find_beta(c);
  for (int part = 0; part < 2; part++)
    direction[part] = beta * direction[part] - conditioned[part];
  if (lac_wave_conjugate_is_held(c, i, -direction[0]))
    direction[0] = direction[1] = 0;
}

/* ---- the length of a step ---- */

/* Derivatives of a misfit by t, where the waves are waves + t steps. */
typedef struct {
  double first, second, most; /* most: upper limit of the second */
} LacWaveSlopes;

/* Newton's step towards the minimum; where the curvature is not positive, by its upper limit, which always descends. */
typedef struct {
  size_t               n_slots;
  const LacWaveSlopes *slopes;  /* [n_slots] */
  double               least;   /* curvature, relative to its upper limit */
  int                  is_last; /* t does not stay negative */
  double              *t;
} LacWaveNewton;

LAC_FORMULA double
lac_wave_newton_find_t(const LacWaveNewton *newton, LacWaveSlopes sum)
{
  double t = *newton->t;

  if (sum.most > 0)
    t -= sum.first / (sum.second > newton->least * sum.most ? sum.second : sum.most);
  return newton->is_last && !(t > 0) ? 0 : t;
}

#ifdef __cplusplus
}
#endif
