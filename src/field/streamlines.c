/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streamline integration, seeding and line integral convolution. */
#include "field/streamlines.h"

#include "field/section.h"

#include <math.h>

#define NEARER      0.5    /* relative to the separation: a line ends when closer to another */
#define STEPS_APART 6.0    /* integration steps per separation */
#define LONGEST     4.0    /* maximum length of one line, in sides of the plane */
#define SHORTEST    3      /* minimum number of points of a line */
#define STANDS      1e-6   /* relative to the largest speed: below it the velocity counts as zero */
#define MOST_POINTS 100000 /* over all lines */

gboolean
lac_vector_plane_init(LacVectorPlane *vectors,
                      const LacFrame *frame,
                      const gsize     pair[2],
                      gboolean        periodic)
{
  if (pair[0] >= frame->n_planes || pair[1] >= frame->n_planes)
    return FALSE;
  const LacPlane *u = &frame->planes[pair[0]], *v = &frame->planes[pair[1]];
  *vectors = (LacVectorPlane){u, v, periodic};
  return u->nx == v->nx && u->ny == v->ny && u->nx > 1 && u->ny > 1;
}

gboolean
lac_vector_at(const LacVectorPlane *vectors, const double place[2], double speed[2])
{
  if (!(place[0] >= 0 && place[0] <= 1 && place[1] >= 0 && place[1] <= 1))
    return FALSE;
  speed[0] = lac_plane_at(vectors->u, place[0], place[1], vectors->periodic);
  speed[1] = lac_plane_at(vectors->v, place[0], place[1], vectors->periodic);
  return isfinite(speed[0]) && isfinite(speed[1]);
}

/* Computes the extent from edge to edge, in axis units. */
static void
get_extent(const LacVectorPlane *vectors, double extent[2])
{
  double low[2], high[2];
  lac_plane_locate(vectors->u, (double[]){0, 0}, low);
  lac_plane_locate(vectors->u, (double[]){1, 1}, high);
  extent[0] = high[0] > low[0] ? high[0] - low[0] : 1;
  extent[1] = high[1] > low[1] ? high[1] - low[1] : 1;
}

static double
get_still(const LacVectorPlane *vectors)
{
  double fastest = MAX(fabs((double) vectors->u->max), fabs((double) vectors->u->min));
  fastest = MAX(fastest, MAX(fabs((double) vectors->v->max), fabs((double) vectors->v->min)));
  return isfinite(fastest) ? STANDS * fastest : 0;
}

typedef struct {
  const LacVectorPlane *vectors;
  double                extent[2], still;
} Flow;

static Flow
begin_flow(const LacVectorPlane *vectors)
{
  Flow flow = {.vectors = vectors, .still = get_still(vectors)};
  get_extent(vectors, flow.extent);
  return flow;
}

/* Computes the unit vector at a position, as change of (u, v) per unit of arc length. */
static gboolean
direction(const Flow *flow, const double place[2], double change[2])
{
  double speed[2];
  if (!lac_vector_at(flow->vectors, place, speed))
    return FALSE;
  double length = hypot(speed[0], speed[1]);
  if (!(length > flow->still))
    return FALSE;
  change[0] = speed[0] / length / flow->extent[0];
  change[1] = speed[1] / length / flow->extent[1];
  return TRUE;
}

static gboolean
advance(const Flow *flow, double place[2], double h)
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double              sum[2] = {0, 0}, change[2] = {0, 0};
  for (int stage = 0; stage < 4; stage++) {
    double there[2] = {place[0] + at[stage] * h * change[0], place[1] + at[stage] * h * change[1]};
    if (!direction(flow, there, change))
      return FALSE;
    sum[0] += weight[stage] * change[0];
    sum[1] += weight[stage] * change[1];
  }
  double next[2] = {place[0] + h * sum[0], place[1] + h * sum[1]};
  if (!(next[0] >= 0 && next[0] <= 1 && next[1] >= 0 && next[1] <= 1))
    return FALSE;
  place[0] = next[0];
  place[1] = next[1];
  return TRUE;
}

gboolean
lac_streamline_step(const LacVectorPlane *vectors, double place[2], double length)
{
  g_return_val_if_fail(
    vectors != NULL && vectors->u->nx == vectors->v->nx && vectors->u->ny == vectors->v->ny, FALSE);
  Flow flow = begin_flow(vectors);
  return advance(&flow, place, length);
}

/* ---- evenly spaced ---- */

/* Points of the lines in a grid of squares as wide as the separation, to limit the distance tests. */
typedef struct {
  Flow            flow;
  LacStreamlines *lines;
  double          apart;
  gsize           columns, rows;
  GArray        **squares; /* [rows * columns] of guint arrays: indices of points */
} Weave;

typedef struct {
  double at[2];
} Place;

static double
separation(const Weave *weave, const double a[2], const double b[2])
{
  return hypot((a[0] - b[0]) * weave->flow.extent[0], (a[1] - b[1]) * weave->flow.extent[1]);
}

static gsize
square_of(const Weave *weave, const double place[2])
{
  gsize column = (gsize) CLAMP(place[0] * (double) weave->columns, 0, (double) weave->columns - 1);
  gsize row = (gsize) CLAMP(place[1] * (double) weave->rows, 0, (double) weave->rows - 1);
  return row * weave->columns + column;
}

/* Returns TRUE when no point of a finished line is closer than @distance. */
static gboolean
is_free(const Weave *weave, const double place[2], double distance)
{
  gsize at = square_of(weave, place), column = at % weave->columns, row = at / weave->columns;
  for (gsize j = row > 0 ? row - 1 : 0; j <= MIN(row + 1, weave->rows - 1); j++)
    for (gsize i = column > 0 ? column - 1 : 0; i <= MIN(column + 1, weave->columns - 1); i++) {
      const GArray *square = weave->squares[j * weave->columns + i];
      for (guint k = 0; square != NULL && k < square->len; k++) {
        guint        point = g_array_index(square, guint, k);
        const Place *other = &g_array_index(weave->lines->points, Place, point);
        if (separation(weave, place, other->at) < distance)
          return FALSE;
      }
    }
  return TRUE;
}

/* Returns TRUE when the line closes on itself: compares with its own points except the last few. */
static gboolean
closes(const Weave *weave, const GArray *line, const double place[2])
{
  const guint recent = (guint) STEPS_APART;
  for (guint i = 0; i + recent < line->len; i++)
    if (separation(weave, place, g_array_index(line, Place, i).at) <
        0.9 * weave->apart / STEPS_APART)
      return TRUE;
  return FALSE;
}

static void
follow(const Weave *weave, const double seed[2], double sign, GArray *line)
{
  double step = sign * weave->apart / STEPS_APART;
  Place  place = {{seed[0], seed[1]}};
  double most = LONGEST * MAX(weave->flow.extent[0], weave->flow.extent[1]) / fabs(step);
  for (guint i = 0; i < most; i++) {
    if (!advance(&weave->flow, place.at, step) || !is_free(weave, place.at, NEARER * weave->apart))
      return;
    gboolean is_closed = closes(weave, line, place.at);
    g_array_append_val(line, place);
    if (is_closed)
      return;
  }
}

static void
keep(Weave *weave, const GArray *line)
{
  for (guint i = 0; i < line->len; i++) {
    const Place *place = &g_array_index(line, Place, i);
    gsize        at = square_of(weave, place->at);
    guint        index = weave->lines->points->len;
    if (weave->squares[at] == NULL)
      weave->squares[at] = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(weave->squares[at], index);
    g_array_append_val(weave->lines->points, *place);
  }
  guint end = weave->lines->points->len;
  g_array_append_val(weave->lines->ends, end);
}

static void
draw_from(Weave *weave, const double seed[2])
{
  Place  start = {{seed[0], seed[1]}};
  double change[2];
  if (!direction(&weave->flow, seed, change) || !is_free(weave, seed, 0.99 * weave->apart))
    return;
  g_autoptr(GArray) back = g_array_new(FALSE, FALSE, sizeof(Place));
  g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(Place));
  follow(weave, seed, -1, back);
  for (guint i = back->len; i-- > 0;)
    g_array_append_val(line, g_array_index(back, Place, i));
  g_array_append_val(line, start);
  follow(weave, seed, 1, line);
  if (line->len >= SHORTEST)
    keep(weave, line);
}

/* Seeds lines on both sides of every point of the lines so far. */
static void
draw_beside(Weave *weave)
{
  for (guint i = 0; i < weave->lines->points->len && weave->lines->points->len < MOST_POINTS;
       i += 2) {
    Place  place = g_array_index(weave->lines->points, Place, i);
    double change[2];
    if (!direction(&weave->flow, place.at, change))
      continue;
    /* offset by a quarter turn to either side, in axis units */
    double across[2] = {-change[1] * weave->flow.extent[1] / weave->flow.extent[0],
                        change[0] * weave->flow.extent[0] / weave->flow.extent[1]};
    for (int side = -1; side <= 1; side += 2)
      draw_from(weave, (double[]){place.at[0] + side * weave->apart * across[0],
                                  place.at[1] + side * weave->apart * across[1]});
  }
}

LacStreamlines *
lac_streamlines_new(const LacVectorPlane *vectors, double apart)
{
  g_return_val_if_fail(vectors != NULL && vectors->u->nx == vectors->v->nx &&
                         vectors->u->ny == vectors->v->ny && apart > 0,
                       NULL);
  LacStreamlines *lines = g_new(LacStreamlines, 1);
  lines->points = g_array_new(FALSE, FALSE, sizeof(Place));
  lines->ends = g_array_new(FALSE, FALSE, sizeof(guint));
  Weave weave = {.flow = begin_flow(vectors), .lines = lines};
  weave.apart = apart * MIN(weave.flow.extent[0], weave.flow.extent[1]);
  weave.columns = (gsize) MAX(floor(weave.flow.extent[0] / weave.apart), 1);
  weave.rows = (gsize) MAX(floor(weave.flow.extent[1] / weave.apart), 1);
  weave.squares = g_new0(GArray *, weave.columns * weave.rows);
  /* seeds in regions that no line has reached */
  for (gsize j = 0; j < weave.rows; j++)
    for (gsize i = 0; i < weave.columns; i++) {
      guint before = lines->points->len;
      draw_from(&weave, (double[]){((double) i + 0.5) / (double) weave.columns,
                                   ((double) j + 0.5) / (double) weave.rows});
      if (before == 0)
        draw_beside(&weave);
    }
  for (gsize i = 0; i < weave.columns * weave.rows; i++)
    if (weave.squares[i] != NULL)
      g_array_unref(weave.squares[i]);
  g_free(weave.squares);
  return lines;
}

void
lac_streamlines_free(LacStreamlines *lines)
{
  if (lines == NULL)
    return;
  g_array_unref(lines->points);
  g_array_unref(lines->ends);
  g_free(lines);
}

/* ---- smeared noise ---- */

float
lac_noise_at(gsize column, gsize row)
{
  guint32 h = (guint32) column * 0x9e3779b1U + (guint32) row * 0x85ebca77U + 0x165667b1U;
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  h ^= h >> 16;
  return (float) (h >> 8) / 16777216.0F;
}

typedef struct {
  gsize  nx, ny;
  float *along, *up; /* [ny][nx] unit vectors in texture cells; NaN where undefined */
} Directions;

static void
sample_directions(const Flow *flow, Directions *directions)
{
  const double nx = (double) directions->nx, ny = (double) directions->ny;
  for (gsize j = 0; j < directions->ny; j++)
    for (gsize i = 0; i < directions->nx; i++) {
      double place[2] = {((double) i + 0.5) / nx, ((double) j + 0.5) / ny}, change[2];
      gsize  cell = j * directions->nx + i;
      directions->along[cell] = directions->up[cell] = NAN;
      if (!direction(flow, place, change))
        continue;
      double a = change[0] * nx, b = change[1] * ny, length = hypot(a, b);
      directions->along[cell] = (float) (a / length);
      directions->up[cell] = (float) (b / length);
    }
}

/* Sums the noise over @reach steps from a cell, following the direction of the current cell. */
static float
gather(const Directions *directions, gsize i, gsize j, float sign, guint reach, guint *n)
{
  float x = (float) i + 0.5F, y = (float) j + 0.5F, sum = 0;
  for (guint k = 0; k < reach; k++) {
    gsize cell = (gsize) y * directions->nx + (gsize) x;
    float along = directions->along[cell], up = directions->up[cell];
    if (!isfinite(along))
      break;
    x += sign * along;
    y += sign * up;
    if (!(x >= 0 && y >= 0 && x < (float) directions->nx && y < (float) directions->ny))
      break;
    sum += lac_noise_at((gsize) x, (gsize) y);
    (*n)++;
  }
  return sum;
}

void
lac_smear(const LacVectorPlane *vectors, gsize nx, gsize ny, guint reach, float *texture)
{
  g_return_if_fail(vectors != NULL && nx > 0 && ny > 0 && texture != NULL);
  Flow       flow = begin_flow(vectors);
  Directions directions = {nx, ny, g_new(float, nx *ny), g_new(float, nx *ny)};
  sample_directions(&flow, &directions);
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++) {
      guint n = 1;
      float sum = lac_noise_at(i, j);
      sum += gather(&directions, i, j, 1, reach, &n);
      sum += gather(&directions, i, j, -1, reach, &n);
      texture[j * nx + i] = sum / (float) n;
    }
  g_free(directions.along);
  g_free(directions.up);
}
