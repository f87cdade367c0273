/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes, slices and cameras. The shader volume.frag casts rays with the same arithmetic as lac_volume_look(). */
#include "report/volume/volume.h"

#include "report/volume/volume-private.h"

#include <math.h>
#include <string.h>

#define NEAREST_ZOOM  12.0
#define FURTHEST_ZOOM 0.4
#define ROOM          0.55 /* share of the box's half diagonal visible at zoom 1: corners are empty */
#define DECADES_LINES 3.0
#define DECADES       4.0
#define QUIET         4.0 /* steps per decade to which scales are rounded up */

static double
dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
cross(const double a[3], const double b[3], double c[3])
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static void
normalise(double a[3])
{
  const double length = sqrt(dot(a, a));

  for (guint k = 0; k < 3; k++)
    a[k] /= length;
}

gboolean
lac_volume_init(LacVolume *volume, const LacChannel *channel, const LacPlane *plane)
{
  const LacLayers *layers = &channel->layers;

  if (layers->n < 2 || plane->ny % layers->n != 0 || plane->nx < 2 || plane->ny / layers->n < 2)
    return FALSE;
  *volume = (LacVolume){
    .n = {plane->nx, lac_layers_rows(layers, plane), layers->n},
    .first = {plane->x_min, plane->y_min, layers->low},
    .values = plane->data,
  };
  volume->step[0] = (plane->x_max - plane->x_min) / (double) (plane->nx - 1);
  volume->step[1] = (plane->y_max - plane->y_min) / (double) (plane->ny - 1);
  volume->step[2] = (layers->high - layers->low) / (double) (layers->n - 1);
  return volume->step[0] > 0 && volume->step[1] > 0 && volume->step[2] > 0;
}

gsize
lac_volume_get_length(const LacVolume *volume)
{
  return volume->n[0] * volume->n[1] * volume->n[2];
}

double
lac_volume_sample(const LacVolume *volume, const double at[3])
{
  double place[3];

  for (guint k = 0; k < 3; k++) {
    place[k] = (at[k] - volume->first[k]) / volume->step[k];
    if (!(place[k] >= -0.5 && place[k] <= (double) volume->n[k] - 0.5))
      return 0;
  }
  return lac_volume_sample_cells(volume, place);
}

/* Smooths @n values @stride apart; values beyond the ends equal the end values. */
static void
smooth_line(float *line, gsize n, gsize stride)
{
  float before = line[0];

  for (gsize i = 0; i < n; i++) {
    const float here = line[i * stride], after = line[MIN(i + 1, n - 1) * stride];

    line[i * stride] = 0.25F * before + 0.5F * here + 0.25F * after;
    before = here;
  }
}

void
lac_volume_smooth(const LacVolume *volume, float *values)
{
  const gsize nx = volume->n[0], ny = volume->n[1], nz = volume->n[2];

  memcpy(values, volume->values, nx * ny * nz * sizeof *values);
  for (gsize i = 0; i < ny * nz; i++)
    smooth_line(values + i * nx, nx, 1);
  for (gsize z = 0; z < nz; z++)
    for (gsize x = 0; x < nx; x++)
      smooth_line(values + z * nx * ny + x, ny, nx);
  for (gsize i = 0; i < nx * ny; i++)
    smooth_line(values + i, nz, nx * ny);
}

/* Uses bins of a hundredth in the logarithm, over twelve decades below the largest value. */
double
lac_volume_find_level(const LacVolume *volume, double share)
{
  enum { BINS = 1200, A_DECADE = 100 };
  const gsize n = lac_volume_get_length(volume);
  double      sums[BINS] = {0}, all = 0, sum = 0;
  float       most = 0;

  for (gsize i = 0; i < n; i++)
    most = MAX(most, isfinite(volume->values[i]) ? volume->values[i] : 0);
  for (gsize i = 0; i < n && most > 0; i++) {
    if (!(volume->values[i] > 0) || !isfinite(volume->values[i]))
      continue;
    const double below = A_DECADE * (double) log10f(most / volume->values[i]);

    sums[(gsize) CLAMP(below, 0, BINS - 1)] += (double) volume->values[i];
    all += (double) volume->values[i];
  }
  for (gsize i = 0; i < BINS && all > 0; i++) {
    sum += sums[i];
    if (sum >= share * all)
      return (double) most * pow(10, -(double) (i + 1) / A_DECADE);
  }
  return 0;
}

/* ---- slices ---- */

static void
find_middle(const LacVolume *volume, double middle[3])
{
  for (guint k = 0; k < 3; k++)
    middle[k] = volume->first[k] + 0.5 * volume->step[k] * (double) (volume->n[k] - 1);
}

static double
find_half(const LacVolume *volume)
{
  double half = 0;

  for (guint k = 0; k < 3; k++)
    half = MAX(half, 0.5 * volume->step[k] * (double) volume->n[k]);
  return half;
}

double
lac_cut_get_reach(const LacVolume *volume)
{
  return find_half(volume);
}

gboolean
lac_marker_is_nucleus(const LacMarker *marker)
{
  return marker->is_in_space && marker->kind != NULL && g_str_has_prefix(marker->kind, "nucleus");
}

static void
difference(const double a[3], const double b[3], double c[3])
{
  for (guint k = 0; k < 3; k++)
    c[k] = a[k] - b[k];
}

/* Returns the nucleus with the largest positive @measure; -1 without one. */
typedef double (*Measure)(const double at[3], const double *reference);

static gssize
find_furthest(const LacMarker *markers, gsize n, Measure measure, const double *reference)
{
  gssize best = -1;
  double most = 1e-6;

  for (gsize i = 0; i < n; i++) {
    const double value =
      lac_marker_is_nucleus(&markers[i]) ? measure(markers[i].space, reference) : 0;

    if (value > most * (1 + 1e-9)) {
      most = value;
      best = (gssize) i;
    }
  }
  return best;
}

static double
from_point(const double at[3], const double *point)
{
  double away[3];

  difference(at, point, away);
  return sqrt(dot(away, away));
}

static gssize
find_first_nucleus(const LacMarker *markers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (lac_marker_is_nucleus(&markers[i]))
      return (gssize) i;
  return -1;
}

/* Returns the distance from a line. @line: a point, and a direction of length 1 */
static double
from_line(const double at[3], const double *line)
{
  double away[3], off[3];

  difference(at, line, away);
  cross(away, line + 3, off);
  return sqrt(dot(off, off));
}

/* Computes the unit vector of @axis's component orthogonal to @along. */
static void
set_beside(guint axis, const double along[3], double beside[3])
{
  const double part = along[axis];

  for (guint k = 0; k < 3; k++)
    beside[k] = (k == axis) - part * along[k];
  normalise(beside);
}

/* Returns the axis with the largest component orthogonal to all of @directions, [n][3]; the first of equal ones. */
static guint
find_axis(double (*directions)[3], gsize n)
{
  guint  best = 0;
  double most = -1;

  for (guint axis = 0; axis < 3; axis++) {
    double part = 1;

    for (gsize i = 0; i < n; i++)
      part -= directions[i][axis] * directions[i][axis];
    if (part > most + 1e-9) {
      most = part;
      best = axis;
    }
  }
  return best;
}

/* Constructs a plane with @normal, as upright as the axes allow. */
static void
stand_upright(const double normal[3], LacCut *cut)
{
  double off[2][3];

  memcpy(off[0], normal, sizeof off[0]);
  set_beside(find_axis(off, 1), normal, cut->across);
  memcpy(off[1], cut->across, sizeof off[1]);
  const guint  axis = find_axis(off, 2);
  const double part = cut->across[axis];
  set_beside(axis, normal, cut->up);
  for (guint k = 0; k < 3; k++)
    cut->up[k] -= part * cut->across[k];
  normalise(cut->up);
}

/* Spans a plane through the nuclei: @point on it. Linear molecules: along the line; an atom: across z. */
static void
span_nuclei(const LacMarker *markers, gsize n, double point[3], LacCut *cut)
{
  gssize first = find_first_nucleus(markers, n), second, third;
  double line[6], away[3], normal[3];

  if (first < 0)
    return;
  memcpy(point, markers[first].space, 3 * sizeof *point);
  memcpy(line, point, 3 * sizeof *line);
  second = find_furthest(markers, n, from_point, point);
  if (second < 0)
    return;
  difference(markers[second].space, point, line + 3);
  normalise(line + 3);
  third = find_furthest(markers, n, from_line, line);
  if (third >= 0) {
    difference(markers[third].space, point, away);
    cross(line + 3, away, normal);
    normalise(normal);
    stand_upright(normal, cut);
    return;
  }
  memcpy(cut->across, line + 3, sizeof cut->across);
  set_beside(find_axis((double(*)[3]) & line[3], 1), cut->across, cut->up);
}

void
lac_cut_init(LacCut          *cut,
             const LacVolume *volume,
             LacCutKind       kind,
             double           offset,
             const LacMarker *markers,
             gsize            n_markers)
{
  double point[3], away[3];

  *cut = (LacCut){.across = {1, 0, 0}, .up = {0, 1, 0}, .half = find_half(volume)};
  find_middle(volume, cut->middle);
  memcpy(point, cut->middle, sizeof point);
  if (kind == LAC_CUT_NUCLEI) {
    span_nuclei(markers, n_markers, point, cut);
  } else if (kind != LAC_CUT_Z) {
    memcpy(cut->across, (const double[]){kind != LAC_CUT_X, kind == LAC_CUT_X, 0},
           3 * sizeof(double));
    memcpy(cut->up, (const double[]){0, 0, 1}, 3 * sizeof(double));
  }
  cross(cut->across, cut->up, cut->normal);
  /* moves the centre to the point of the plane closest to the middle */
  difference(cut->middle, point, away);
  offset -= dot(away, cut->normal);
  for (guint k = 0; k < 3; k++)
    cut->middle[k] += offset * cut->normal[k];
}

void
lac_cut_fill(const LacCut *cut, const LacVolume *volume, LacPlane *plane)
{
  const double step = 2 * cut->half / (double) plane->nx;

  plane->x_min = plane->y_min = -cut->half + step / 2;
  plane->x_max = plane->y_max = cut->half - step / 2;
  for (gsize j = 0; j < plane->ny; j++)
    for (gsize i = 0; i < plane->nx; i++) {
      const double u = plane->x_min + step * (double) i, v = plane->y_min + step * (double) j;
      double       at[3];

      for (guint k = 0; k < 3; k++)
        at[k] = cut->middle[k] + u * cut->across[k] + v * cut->up[k];
      plane->data[j * plane->nx + i] = (float) lac_volume_sample(volume, at);
    }
  lac_plane_measure(plane);
}

/* ---- cameras ---- */

void
lac_orbit_rotate(LacOrbit *orbit, double turn, double tilt)
{
  orbit->turn = remainder(orbit->turn + turn, 2 * G_PI);
  orbit->tilt = CLAMP(orbit->tilt + tilt, -G_PI / 2, G_PI / 2);
}

void
lac_orbit_zoom(LacOrbit *orbit, double factor)
{
  orbit->zoom = CLAMP(orbit->zoom * factor, FURTHEST_ZOOM, NEAREST_ZOOM);
}

void
lac_volume_camera_init(LacVolumeCamera *camera,
                       const LacVolume *volume,
                       const LacOrbit  *orbit,
                       const LacMarker *markers,
                       gsize            n_markers)
{
  const double c = cos(orbit->turn), s = sin(orbit->turn);
  const double tilted = cos(orbit->tilt), raised = sin(orbit->tilt);
  double       diagonal = 0;
  LacCut       cut;

  lac_cut_init(&cut, volume, LAC_CUT_NUCLEI, 0, markers, n_markers);
  find_middle(volume, camera->middle);
  for (guint k = 0; k < 3; k++) {
    const double level = c * cut.normal[k] + s * cut.across[k];
    const double half = 0.5 * volume->step[k] * (double) volume->n[k];

    camera->right[k] = c * cut.across[k] - s * cut.normal[k];
    camera->toward[k] = tilted * level + raised * cut.up[k];
    diagonal += half * half;
  }
  cross(camera->toward, camera->right, camera->up);
  camera->half = ROOM * sqrt(diagonal) / orbit->zoom;
}

void
lac_volume_camera_project(const LacVolumeCamera *camera, const double at[3], double place[3])
{
  double away[3];

  difference(at, camera->middle, away);
  place[0] = dot(away, camera->right) / camera->half;
  place[1] = dot(away, camera->up) / camera->half;
  place[2] = dot(away, camera->toward) / camera->half;
}

/* ---- scales ---- */

static double
largest_line(const LacVolume *volume, guint axis)
{
  const gsize strides[3] = {1, volume->n[0], volume->n[0] * volume->n[1]};
  const guint a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  double      most = 0;

  for (gsize j = 0; j < volume->n[b]; j++)
    for (gsize i = 0; i < volume->n[a]; i++) {
      const float *line = volume->values + i * strides[a] + j * strides[b];
      double       sum = 0;

      for (gsize k = 0; k < volume->n[axis]; k++)
        sum += (double) line[k * strides[axis]];
      most = MAX(most, sum * volume->step[axis]);
    }
  return most;
}

static void
set_scale(double most, double decades, double scale[2])
{
  scale[1] = most > 0 ? ceil(QUIET * log10(most)) / QUIET : 0;
  scale[0] = scale[1] - decades;
}

void
lac_volume_find_scales(const LacVolume *volume, double lines[2], double values[2])
{
  const gsize n = lac_volume_get_length(volume);
  double      most = 0;

  for (guint axis = 0; axis < 3; axis++)
    most = MAX(most, largest_line(volume, axis));
  set_scale(most, DECADES_LINES, lines);
  most = 0;
  for (gsize i = 0; i < n; i++)
    most = MAX(most, (double) volume->values[i]);
  set_scale(most, DECADES, values);
}
