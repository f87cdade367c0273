/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving least squares over the nearest points, found with a grid of buckets. */
#include "field/scattered.h"

#include "backend/dense.h"

#include <math.h>

#define TERMS      6 /* coefficients of a quadratic in the plane */
#define PER_BUCKET 2.0
#define REACH      1.1 /* radius of the weights relative to the farthest neighbour */

struct _LacScattered {
  gsize   n, n_buckets[2];
  double *places;
  double  lower[2], side; /* size of a bucket */
  gsize  *first;          /* [buckets + 1] indices into members */
  gsize  *members;        /* [n] point indices, bucket by bucket */
};

static gsize
bucket_along(const LacScattered *self, guint axis, double position)
{
  const double place = (position - self->lower[axis]) / self->side;

  return (gsize) CLAMP(place, 0, (double) self->n_buckets[axis] - 1);
}

static gsize
bucket_of(const LacScattered *self, const double *place)
{
  return bucket_along(self, 1, place[1]) * self->n_buckets[0] + bucket_along(self, 0, place[0]);
}

static void
lay_buckets(LacScattered *self)
{
  double upper[2], extent[2];

  for (guint axis = 0; axis < 2; axis++) {
    self->lower[axis] = upper[axis] = self->places[axis];
    for (gsize i = 0; i < self->n; i++) {
      self->lower[axis] = MIN(self->lower[axis], self->places[2 * i + axis]);
      upper[axis] = MAX(upper[axis], self->places[2 * i + axis]);
    }
    extent[axis] = upper[axis] - self->lower[axis];
  }
  self->side = MAX(sqrt(extent[0] * extent[1] * PER_BUCKET / (double) self->n),
                   MAX(MAX(extent[0], extent[1]) * PER_BUCKET / (double) self->n, 1e-300));
  for (guint axis = 0; axis < 2; axis++)
    self->n_buckets[axis] = (gsize) (extent[axis] / self->side) + 1;
}

/* Sorts points by bucket, preserving their order within each. */
static void
fill_buckets(LacScattered *self)
{
  const gsize       n = self->n_buckets[0] * self->n_buckets[1];
  g_autofree gsize *next = g_new(gsize, n);

  self->first = g_new0(gsize, n + 1);
  self->members = g_new(gsize, self->n);
  for (gsize i = 0; i < self->n; i++)
    self->first[bucket_of(self, self->places + 2 * i) + 1]++;
  for (gsize b = 0; b < n; b++) {
    self->first[b + 1] += self->first[b];
    next[b] = self->first[b];
  }
  for (gsize i = 0; i < self->n; i++)
    self->members[next[bucket_of(self, self->places + 2 * i)]++] = i;
}

LacScattered *
lac_scattered_new(const double *places, gsize n)
{
  LacScattered *self = g_new0(LacScattered, 1);

  g_assert(n >= 1);
  self->n = n;
  self->places = g_memdup2(places, 2 * n * sizeof *places);
  lay_buckets(self);
  fill_buckets(self);
  return self;
}

void
lac_scattered_free(LacScattered *self)
{
  if (!self)
    return;
  g_free(self->places);
  g_free(self->first);
  g_free(self->members);
  g_free(self);
}

/* Nearest points found so far, in ascending distance. */
typedef struct {
  double at[2];
  gsize  n, indices[LAC_SCATTERED_NEIGHBOURS];
  double squares[LAC_SCATTERED_NEIGHBOURS]; /* squared distances */
} Nearest;

static void
offer(const LacScattered *self, gsize i, Nearest *nearest)
{
  const double dx = self->places[2 * i] - nearest->at[0];
  const double dy = self->places[2 * i + 1] - nearest->at[1], square = dx * dx + dy * dy;
  gsize        at = nearest->n;

  if (at == LAC_SCATTERED_NEIGHBOURS && square >= nearest->squares[at - 1])
    return;
  at = MIN(at, LAC_SCATTERED_NEIGHBOURS - 1);
  for (; at > 0 && nearest->squares[at - 1] > square; at--) {
    nearest->squares[at] = nearest->squares[at - 1];
    nearest->indices[at] = nearest->indices[at - 1];
  }
  nearest->squares[at] = square;
  nearest->indices[at] = i;
  nearest->n = MIN(nearest->n + 1, LAC_SCATTERED_NEIGHBOURS);
}

static void
offer_bucket(const LacScattered *self, gssize column, gssize row, Nearest *nearest)
{
  const gsize b = (gsize) row * self->n_buckets[0] + (gsize) column;

  if (column < 0 || row < 0 || column >= (gssize) self->n_buckets[0] ||
      row >= (gssize) self->n_buckets[1])
    return;
  for (gsize k = self->first[b]; k < self->first[b + 1]; k++)
    offer(self, self->members[k], nearest);
}

/* Searches rings of buckets until no farther one can contain a nearer point. */
static void
find_nearest(const LacScattered *self, Nearest *nearest)
{
  const gssize column = (gssize) bucket_along(self, 0, nearest->at[0]);
  const gssize row = (gssize) bucket_along(self, 1, nearest->at[1]);
  const gssize most = (gssize) MAX(self->n_buckets[0], self->n_buckets[1]);

  for (gssize ring = 0; ring <= most; ring++) {
    /* a lower bound if the point is outside the buckets */
    const double beyond = self->side * (double) MAX(ring - 1, 0);

    if (nearest->n == MIN(self->n, LAC_SCATTERED_NEIGHBOURS) &&
        beyond * beyond > nearest->squares[nearest->n - 1])
      return;
    for (gssize j = -ring; j <= ring; j++)
      for (gssize i = -ring; i <= ring; i += (ABS(j) == ring || ring == 0) ? 1 : 2 * ring)
        offer_bucket(self, column + i, row + j, nearest);
  }
}

/* Evaluates the terms of a quadratic at neighbour @i, in units of the radius. */
static void
fill_terms(const LacScattered *self, const Nearest *nearest, gsize i, double reach, double *terms)
{
  const double *place = self->places + 2 * nearest->indices[i];
  const double  dx = (place[0] - nearest->at[0]) / reach, dy = (place[1] - nearest->at[1]) / reach;

  terms[0] = 1;
  terms[1] = dx;
  terms[2] = dy;
  terms[3] = dx * dx;
  terms[4] = dx * dy;
  terms[5] = dy * dy;
}

/* Computes the weights of the quadratic's value at the centre: weight_i = w_i b_i . (sum w b b^t)^-1 e_0. Returns:
 * %FALSE if singular. */
static gboolean
fit(const LacScattered *self, const Nearest *nearest, double *weights)
{
  const double farthest = nearest->squares[nearest->n - 1];
  const double reach = REACH * sqrt(farthest);
  double       moments[TERMS * TERMS] = {0}, middle[TERMS] = {1}, terms[TERMS], sum = 0;

  if (nearest->n < TERMS || !(farthest > 0))
    return FALSE;
  for (gsize i = 0; i < nearest->n; i++) {
    const double part = 1 - nearest->squares[i] / (reach * reach);

    weights[i] = part * part;
    fill_terms(self, nearest, i, reach, terms);
    for (guint a = 0; a < TERMS; a++)
      for (guint b = 0; b < TERMS; b++)
        moments[a * TERMS + b] += weights[i] * terms[a] * terms[b];
  }
  if (!lac_dense_cholesky_solve(moments, TERMS, middle, 1))
    return FALSE;
  for (gsize i = 0; i < nearest->n; i++) {
    double value = 0;

    fill_terms(self, nearest, i, reach, terms);
    for (guint a = 0; a < TERMS; a++)
      value += middle[a] * terms[a];
    weights[i] *= value;
    sum += weights[i];
  }
  return fabs(sum - 1) < 1e-6; /* nearly collinear points do not determine it */
}

static void
fall_off(const Nearest *nearest, double *weights)
{
  const double farthest = nearest->squares[nearest->n - 1];
  double       sum = 0;

  for (gsize i = 0; i < nearest->n; i++) {
    weights[i] = farthest > 0 ? 1 / (nearest->squares[i] + 1e-12 * farthest) : 1;
    sum += weights[i];
  }
  for (gsize i = 0; i < nearest->n; i++)
    weights[i] /= sum;
}

gsize
lac_scattered_weigh(const LacScattered *self, double x, double y, gsize *indices, double *weights)
{
  Nearest nearest = {.at = {x, y}};

  find_nearest(self, &nearest);
  for (gsize i = 0; i < nearest.n; i++)
    indices[i] = nearest.indices[i];
  if (!fit(self, &nearest, weights))
    fall_off(&nearest, weights);
  return nearest.n;
}
