/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element-wise formulas over jets and their reverse: Faa di Bruno's formula along each direction, and the
 * collapsed sum yL = f'' sum_d c_d x_d1^2 + f' xL. */
#include "backend/cpu/loops/real.h"

#include <math.h>
#include <string.h>

/* Vector variants of the transcendental functions, from libmvec: gcc uses them when it sees these declarations. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#  define LAC_VECTOR __attribute__((simd("notinbranch"), const))
LAC_VECTOR float  tanhf(float);
LAC_VECTOR double tanh(double);
LAC_VECTOR float  sinf(float);
LAC_VECTOR double sin(double);
LAC_VECTOR float  cosf(float);
LAC_VECTOR double cos(double);
LAC_VECTOR float  expf(float);
LAC_VECTOR double exp(double);
LAC_VECTOR float  logf(float);
LAC_VECTOR double log(double);
#endif

#include <tgmath.h> /* after the declarations, whose names it redefines as macros */

/* Blocks are evaluated in whole vectors, so that a value never depends on its position in a tile: the scalar
 * functions of a remainder loop would round differently. */
#define BLOCK 256
#define LANES 16

typedef Real Derivatives[6][BLOCK]; /* f, f', ... */

/* Evaluates the first `order` derivatives at x[0 ... n); the values are computed first unless `known` has them. */
typedef void (*Evaluate)(int order, size_t n, const Real *x, const Real *known, Derivatives d);

#define STORE(order_from, row, value) \
  if (order >= (order_from))          \
    d[row][i] = (value);

#define LAC_SCALAR(ID, name, f, e1, e2, e3, e4, e5)                                     \
  LAC_INLINE void name##_with(int order, size_t n, const Real *xs, const Real *known,   \
                              Derivatives d)                                            \
  {                                                                                     \
    for (size_t b = 0; b < n; b += LANES) {                                             \
      _Pragma("omp simd") for (size_t i = b; i < b + LANES; i++)                        \
      {                                                                                 \
        const Real x = xs[i];                                                           \
        const Real y = known ? known[i] : (f);                                          \
        const Real d1 = (e1), d2 = (e2), d3 = (e3), d4 = (e4), d5 = (e5);               \
        (void) x, (void) d1, (void) d2, (void) d3, (void) d4, (void) d5;                \
        d[0][i] = y;                                                                    \
        STORE(1, 1, d1) STORE(2, 2, d2) STORE(3, 3, d3) STORE(4, 4, d4) STORE(5, 5, d5) \
      }                                                                                 \
    }                                                                                   \
  }                                                                                     \
  static void name##_evaluate(int order, size_t n, const Real *x, const Real *known,    \
                              Derivatives d)                                            \
  {                                                                                     \
    if (known) {                                                                        \
      if (order <= 3)                                                                   \
        name##_with(3, n, x, known, d);                                                 \
      else                                                                              \
        name##_with(5, n, x, known, d);                                                 \
    } else if (order <= 2) {                                                            \
      name##_with(2, n, x, NULL, d);                                                    \
    } else if (order <= 3) {                                                            \
      name##_with(3, n, x, NULL, d);                                                    \
    } else {                                                                            \
      name##_with(5, n, x, NULL, d);                                                    \
    }                                                                                   \
  }
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
#undef STORE

static const Evaluate evaluate[] = {
#define LAC_SCALAR(ID, name, f, d1, d2, d3, d4, d5) name##_evaluate,
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
};

/* A rectangle of points x columns that fits a block of derivatives. */
typedef struct {
  size_t point, column, n_points, n_columns;
} Patch;

typedef struct {
  const LacJet *jet;
  int           order;               /* highest derivative of f needed */
  size_t        n_points, n_columns; /* plain values are treated as one long point */
  size_t        point, row;          /* elements between points, between streams */
} Shape;

static Shape
shape_of(const LacMapJet *args, int is_reverse)
{
  const LacJet *jet = args->jet;
  Shape         shape = {jet, jet->sum ? 2 : 0, args->n_points, args->n_columns, 0, 0};

  if (jet->n_streams == 1) {
    shape.n_columns *= shape.n_points;
    shape.n_points = 1;
  }
  for (unsigned k = 0; k < jet->n_directions; k++)
    if (jet->order[k] > shape.order)
      shape.order = jet->order[k];
  shape.order += is_reverse;
  if (is_reverse && jet->n_directions > 0)
    shape.order = LAC_MAX(shape.order, 3); /* low orders also read f''', times 0 for first ones */
  shape.row = shape.n_columns;
  shape.point = shape.n_columns * jet->n_streams;
  return shape;
}

/* Advances over all points and columns; starts from an empty patch. */
static int
next_patch(const Shape *shape, Patch *patch)
{
  if (patch->n_points) {
    patch->column += patch->n_columns;
    if (patch->column >= shape->n_columns) {
      patch->column = 0;
      patch->point += patch->n_points;
    }
  }
  if (patch->point >= shape->n_points || shape->n_columns == 0)
    return 0;
  patch->n_columns = LAC_MIN(shape->n_columns - patch->column, BLOCK);
  patch->n_points =
    LAC_MIN(BLOCK / LAC_MIN(shape->n_columns, BLOCK), shape->n_points - patch->point);
  return 1;
}

static void
gather_values(const Shape *shape, const Patch *patch, const Real *x, Real *values)
{
  size_t n = patch->n_points * patch->n_columns;

  for (size_t p = 0; p < patch->n_points; p++)
    memcpy(values + p * patch->n_columns, x + (patch->point + p) * shape->point + patch->column,
           patch->n_columns * sizeof(Real));
  for (; n % LANES; n++)
    values[n] = 0;
}

/* The columns of one point: f holds its derivatives, row is the distance between streams. */
typedef struct {
  size_t      n, row;
  const Real *f[6];
  const Real *x, *y_bar,
    *sum_bar; /* x, y, bars: starting at the first derivative along a direction */
  Real *y, *x_bar, *value_bar;
  Real  weight; /* weight of the direction in the collapsed sum */
} Line;

static void
forward_direction(const Line *line, int order)
{
  const size_t n = line->n, row = line->row;
  const Real  *x = line->x, *f1 = line->f[1], *f2 = line->f[2], *f3 = line->f[3], *f4 = line->f[4];
  Real        *y = line->y;

  LAC_SIMD for (size_t i = 0; i < n; i++) y[i] = f1[i] * x[i];
  if (order >= 2)
    LAC_SIMD for (size_t i = 0; i < n; i++) y[row + i] = f2[i] * x[i] * x[i] + f1[i] * x[row + i];
  if (order >= 3)
    LAC_SIMD for (size_t i = 0; i < n; i++)
    {
      Real x1 = x[i], x2 = x[row + i], x3 = x[2 * row + i];
      y[2 * row + i] = f3[i] * x1 * x1 * x1 + R(3) * f2[i] * x1 * x2 + f1[i] * x3;
    }
  if (order >= 4)
    LAC_SIMD for (size_t i = 0; i < n; i++)
    {
      Real x1 = x[i], x2 = x[row + i], x3 = x[2 * row + i], x4 = x[3 * row + i];
      y[3 * row + i] = f4[i] * x1 * x1 * x1 * x1 + R(6) * f3[i] * x1 * x1 * x2 +
                       f2[i] * (R(3) * x2 * x2 + R(4) * x1 * x3) + f1[i] * x4;
    }
}

static void
forward_sum(const LacJet *jet, const Line *line)
{
  const Real *f1 = line->f[1], *f2 = line->f[2], *xl = line->x + jet->sum * line->row;
  Real       *yl = line->y + jet->sum * line->row;
  Real        squares[BLOCK];

  memset(squares, 0, line->n * sizeof(Real));
  for (unsigned k = 0; k < jet->n_directions; k++) {
    const Real  c = R(jet->weight[k]);
    const Real *x1 = line->x + jet->first[k] * line->row;
    LAC_SIMD for (size_t i = 0; i < line->n; i++) squares[i] += c * x1[i] * x1[i];
  }
  LAC_SIMD for (size_t i = 0; i < line->n; i++) yl[i] = f2[i] * squares[i] + f1[i] * xl[i];
}

static void
forward_point(const LacJet *jet, const Line *line)
{
  memcpy(line->y, line->f[0], line->n * sizeof(Real));
  for (unsigned k = 0; k < jet->n_directions; k++) {
    Line along = *line;
    along.x += jet->first[k] * line->row;
    along.y += jet->first[k] * line->row;
    forward_direction(&along, jet->order[k]);
  }
  if (jet->sum)
    forward_sum(jet, line);
}

static Line
line_of(const Shape *shape, const Patch *patch, Derivatives f, size_t p)
{
  Line line = {patch->n_columns, shape->row};

  for (int k = 0; k < 6; k++)
    line.f[k] = f[k] + p * patch->n_columns;
  return line;
}

void
LAC_LOOP(map_jet)(const LacMapJet *args)
{
  Shape       shape = shape_of(args, 0);
  Patch       patch = {0};
  Derivatives f;
  Real        values[BLOCK];

  while (next_patch(&shape, &patch)) {
    gather_values(&shape, &patch, args->x, values);
    evaluate[args->scalar](shape.order, patch.n_points * patch.n_columns, values, NULL, f);
    for (size_t p = 0; p < patch.n_points; p++) {
      size_t at = (patch.point + p) * shape.point + patch.column;
      Line   line = line_of(&shape, &patch, f, p);
      line.x = (const Real *) args->x + at;
      line.y = (Real *) args->y + at;
      forward_point(shape.jet, &line);
    }
  }
}

#define ADD(place, value) (place) = (keep ? (place) : R(0)) + (value)

/* Computes the bars of one direction of order 1 or 2, and its contribution to the value's bar. The bar of the
 * collapsed sum acts on x1 like a second derivative of weight c. y_bar may alias x_bar: everything is read first. */
LAC_INLINE void
reverse_low_order(int keep, int order, const Line *line)
{
  const size_t n = line->n, row = line->row;
  const Real  *f1 = line->f[1], *f2 = line->f[2], *f3 = line->f[3];
  const Real  *x = line->x, *y_bar = line->y_bar, *sum_bar = line->sum_bar;
  Real        *x_bar = line->x_bar, *value_bar = line->value_bar;
  const Real   c = line->weight;

  LAC_SIMD for (size_t i = 0; i < n; i++)
  {
    Real x1 = x[i], y1 = y_bar[i], second = c * sum_bar[i];
    if (order == 2) {
      Real y2 = y_bar[row + i];
      second += y2;
      value_bar[i] += f2[i] * x[row + i] * y2;
      ADD(x_bar[row + i], f1[i] * y2);
    }
    value_bar[i] += x1 * (f2[i] * y1 + f3[i] * x1 * second);
    ADD(x_bar[i], f1[i] * y1 + R(2) * f2[i] * x1 * second);
  }
}

LAC_INLINE void
reverse_high_order(int keep, int order, const Line *line)
{
  const size_t n = line->n, row = line->row;
  const Real  *f1 = line->f[1], *f2 = line->f[2], *f3 = line->f[3];
  const Real  *f4 = line->f[4], *f5 = line->f[5];
  const Real  *x = line->x, *y_bar = line->y_bar, *sum_bar = line->sum_bar;
  Real        *x_bar = line->x_bar, *value_bar = line->value_bar;
  const Real   c = line->weight;

  LAC_SIMD for (size_t i = 0; i < n; i++)
  {
    Real x1 = x[i], x2 = x[row + i], x3 = x[2 * row + i];
    Real y1 = y_bar[i], y2 = y_bar[row + i], y3 = y_bar[2 * row + i];
    Real second = y2 + c * sum_bar[i];
    Real to_value = f2[i] * (x1 * y1 + x2 * y2 + x3 * y3) +
                    f3[i] * (x1 * x1 * second + R(3) * x1 * x2 * y3) + f4[i] * x1 * x1 * x1 * y3;
    Real to_1 =
      f1[i] * y1 + f2[i] * (R(2) * x1 * second + R(3) * x2 * y3) + R(3) * f3[i] * x1 * x1 * y3;
    Real to_2 = f1[i] * y2 + R(3) * f2[i] * x1 * y3;
    Real to_3 = f1[i] * y3;
    if (order == 4) {
      Real x4 = x[3 * row + i], y4 = y_bar[3 * row + i];
      to_value += y4 * (f5[i] * x1 * x1 * x1 * x1 + R(6) * f4[i] * x1 * x1 * x2 +
                        f3[i] * (R(3) * x2 * x2 + R(4) * x1 * x3) + f2[i] * x4);
      to_1 += y4 * (R(4) * f4[i] * x1 * x1 * x1 + R(12) * f3[i] * x1 * x2 + R(4) * f2[i] * x3);
      to_2 += y4 * R(6) * (f3[i] * x1 * x1 + f2[i] * x2);
      to_3 += y4 * R(4) * f2[i] * x1;
      ADD(x_bar[3 * row + i], f1[i] * y4);
    }
    value_bar[i] += to_value;
    ADD(x_bar[i], to_1);
    ADD(x_bar[row + i], to_2);
    ADD(x_bar[2 * row + i], to_3);
  }
}

LAC_INLINE void
reverse_direction(int keep, int order, const Line *line)
{
  switch (order) {
  case 1: reverse_low_order(keep, 1, line); break;
  case 2: reverse_low_order(keep, 2, line); break;
  case 3: reverse_high_order(keep, 3, line); break;
  default: reverse_high_order(keep, 4, line);
  }
}

LAC_INLINE void
reverse_point(int keep, const LacJet *jet, const Line *line)
{
  const size_t n = line->n, row = line->row;
  const Real  *f1 = line->f[1], *f2 = line->f[2];
  const Real  *xl = line->x + jet->sum * row, *y_bar = line->y_bar;
  Real        *x_bar = line->x_bar, *xl_bar = line->x_bar + jet->sum * row;
  Real         value_bar[BLOCK], sum_bar[BLOCK];

  if (jet->sum)
    memcpy(sum_bar, y_bar + jet->sum * row, n * sizeof(Real));
  else
    memset(sum_bar, 0, n * sizeof(Real));
  LAC_SIMD for (size_t i = 0; i < n; i++) value_bar[i] = f1[i] * y_bar[i];
  for (unsigned k = 0; k < jet->n_directions; k++) {
    Line along = *line;
    along.x += jet->first[k] * row;
    along.y_bar += jet->first[k] * row;
    along.x_bar += jet->first[k] * row;
    along.value_bar = value_bar;
    along.sum_bar = sum_bar;
    along.weight = jet->sum ? R(jet->weight[k]) : R(0);
    reverse_direction(keep, jet->order[k], &along);
  }
  if (jet->sum)
    LAC_SIMD for (size_t i = 0; i < n; i++)
    {
      value_bar[i] += f2[i] * xl[i] * sum_bar[i];
      ADD(xl_bar[i], f1[i] * sum_bar[i]);
    }
  LAC_SIMD for (size_t i = 0; i < n; i++) ADD(x_bar[i], value_bar[i]);
}

void
LAC_LOOP(map_jet_reverse)(const LacMapJet *args)
{
  Shape       shape = shape_of(args, 1);
  Patch       patch = {0};
  Derivatives f;
  Real        values[BLOCK], known[BLOCK];

  while (next_patch(&shape, &patch)) {
    gather_values(&shape, &patch, args->x, values);
    if (args->y)
      gather_values(&shape, &patch, args->y, known);
    evaluate[args->scalar](shape.order, patch.n_points * patch.n_columns, values,
                           args->y ? known : NULL, f);
    for (size_t p = 0; p < patch.n_points; p++) {
      size_t at = (patch.point + p) * shape.point + patch.column;
      Line   line = line_of(&shape, &patch, f, p);
      line.x = (const Real *) args->x + at;
      line.y_bar = (const Real *) args->y_bar + at;
      line.x_bar = (Real *) args->x_bar + at;
      if (args->x_bar == args->y_bar)
        reverse_point(0, shape.jet, &line);
      else
        reverse_point(1, shape.jet, &line);
    }
  }
}
