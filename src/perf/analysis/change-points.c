/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segmentation by rank tests. */
#include "perf/analysis/change-points.h"

#include "perf/analysis/ratio.h"

#include <math.h>

#define LEAST  2  /* values of a level */
#define EXACT  20 /* largest smaller side whose distribution is counted exactly */
#define PASSES 4  /* of the refinement; it moves points by few positions */

/* Returns the number of ways to choose @m of @m + @n. */
static double
choose(gsize m, gsize n)
{
  double ways = 1;

  for (gsize i = 1; i <= m; i++)
    ways *= (double) (n + i) / (double) i;
  return ways;
}

/* Returns P(U <= u) of the Mann-Whitney statistic from the coefficients of the Gaussian binomial
 * prod_i (1 - q^(n + i)) / (1 - q^i), i = 1 .. m. */
static double
count_tail(gsize m, gsize n, gsize u)
{
  g_autofree double *ways = g_new0(double, u + 1);
  double             sum = 0;

  ways[0] = 1;
  for (gsize i = 1; i <= m; i++) {
    for (gsize k = u; k >= n + i; k--)
      ways[k] -= ways[k - n - i];
    for (gsize k = i; k <= u; k++)
      ways[k] += ways[k - i];
  }
  for (gsize k = 0; k <= u; k++)
    sum += ways[k];
  return sum / choose(m, n);
}

/* Returns the two-sided probability of a statistic at least as far from its mean. @u: the smaller of U and m n - U. */
static double
find_probability(gsize m, gsize n, double u)
{
  const double product = (double) m * (double) n;

  if (MIN(m, n) <= EXACT)
    return MIN(1, 2 * count_tail(MIN(m, n), MAX(m, n), (gsize) ceil(u)));
  return erfc((product / 2 - u - 0.5) / sqrt(product * (double) (m + n + 1) / 6));
}

/* Returns: (transfer full): the rank of each value; equal values share the mean of their ranks. */
static double *
find_ranks(const double *values, gsize n)
{
  double *ranks = g_new(double, n);

  for (gsize i = 0; i < n; i++) {
    ranks[i] = 0.5;
    for (gsize k = 0; k < n; k++)
      ranks[i] += values[k] < values[i] ? 1 : values[k] == values[i] ? 0.5 : 0;
  }
  return ranks;
}

/* The values [from, to) of a part, compared with its other values. */
typedef struct {
  gsize  from, to;
  double distance; /* of the statistic from its mean, in standard deviations */
  double u;        /* the smaller of U and m n - U */
} Arc;

/* @sum: of the ranks of the arc; @n: number of values of the part */
static void
try_arc(Arc *best, gsize from, gsize to, double sum, gsize n)
{
  const double m = (double) (to - from), others = (double) (n - (to - from));
  const double u = sum - m * (m + 1) / 2, middle = m * others / 2;
  const double distance = fabs(u - middle) / sqrt(m * others * ((double) n + 1) / 12);

  if (distance > best->distance)
    *best = (Arc){from, to, distance, middle - fabs(u - middle)};
}

/* Returns TRUE when the best of @n_tries arcs is not chance; positions and arcs have half of the probability each. */
static gboolean
is_different(const Arc *best, gsize n, gsize n_tries)
{
  const gsize m = best->to - best->from;

  return m > 0 && find_probability(m, n - m, best->u) * (double) n_tries <= LAC_CHANGE_LEVEL / 2;
}

/* Finds two sets of values that differ: a side, or else an arc. Returns: FALSE if any difference may be chance. */
static gboolean
find_difference(const double *values, gsize n, Arc *found)
{
  g_autofree double *ranks = n >= 2 * LEAST ? find_ranks(values, n) : NULL;
  Arc                arc = {0};
  gsize              n_tries = 0;

  *found = (Arc){0};
  for (gsize from = 0; ranks != NULL && from + LEAST <= n; from++) {
    double sum = 0;

    for (gsize to = from + 1; to <= n - (from == 0 ? LEAST : 0); to++) {
      sum += ranks[to - 1];
      if (to - from < LEAST || (from > 0 && from < LEAST) || (to < n && n - to < LEAST))
        continue;
      if (from == 0)
        try_arc(found, from, to, sum, n);
      else if (to < n)
        try_arc(&arc, from, to, sum, n);
      n_tries += from > 0 && to < n;
    }
  }
  if (is_different(found, n, n + 1 - 2 * LEAST))
    return TRUE;
  *found = arc;
  return is_different(found, n, n_tries);
}

static double
find_deviation(const double *values, gsize n)
{
  const double middle = lac_median(values, n);
  double       sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += fabs(values[i] - middle);
  return sum;
}

/* Returns the position of the change between two levels. */
static gsize
locate(const double *values, gsize n)
{
  double least = INFINITY;
  gsize  position = 0;

  for (gsize m = LEAST; m + LEAST <= n; m++) {
    const double deviation = find_deviation(values, m) + find_deviation(values + m, n - m);

    if (deviation < least) {
      least = deviation;
      position = m;
    }
  }
  return position;
}

static void
add_changes(const double *values, gsize from, gsize to, GArray *changes)
{
  Arc   arc;
  gsize first, last;

  if (!find_difference(values + from, to - from, &arc))
    return;
  first = arc.from > 0 ? from + arc.from : from + arc.to;
  last = from + arc.to;
  add_changes(values, from, first, changes);
  g_array_append_val(changes, first);
  if (last > first) {
    add_changes(values, first, last, changes);
    g_array_append_val(changes, last);
  }
  add_changes(values, last, to, changes);
}

/* Tests and locates each change point between its neighbours, because the first divisions saw several levels as
 * one. */
static gboolean
refine(const double *values, gsize n, GArray *changes)
{
  gboolean has_moved = FALSE;

  for (guint i = 0; i < changes->len;) {
    gsize         *change = &g_array_index(changes, gsize, i);
    const gsize    from = i > 0 ? change[-1] : 0, to = i + 1 < changes->len ? change[1] : n;
    Arc            arc;
    const gboolean stays = find_difference(values + from, to - from, &arc);
    const gsize    position = from + locate(values + from, to - from);

    has_moved = has_moved || !stays || position != *change;
    *change = position;
    if (stays)
      i++;
    else
      g_array_remove_index(changes, i);
  }
  return has_moved;
}

gsize
lac_change_points(const double *values, gsize n, gsize *changes)
{
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(gsize));

  add_changes(values, 0, n, found);
  for (guint pass = 0; pass < PASSES && refine(values, n, found); pass++)
    ;
  for (guint i = 0; i < found->len; i++)
    changes[i] = g_array_index(found, gsize, i);
  return found->len;
}
