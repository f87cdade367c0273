/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame: everything shown at one step, frozen: planes, markers, metrics. Made by an experiment into a
 * pooled slot, stamped by run/, then only referenced. All planes of a frame belong to the same step. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_ROLE_TRUTH,
  LAC_ROLE_RECONSTRUCTION,
  LAC_ROLE_BASELINE, /* another reconstruction, shown beside: the floor to beat */
  LAC_ROLE_OTHER,
} LacRole;

/* What makes a volume of a plane: its rows are those of the layers, one layer after the other, and its axis of rows runs on
 * through all of them: y_max is where the last row would lie. */
typedef struct {
  gsize  n;         /* layers; 0: it is a plane */
  double low, high; /* the first and the last along z, in the unit of y */
} LacLayers;

#define LAC_MOST_CURVES 12

/* What makes curves of a plane: each of its rows is one, over the axis of the columns. */
typedef struct {
  gsize       n;                       /* curves; 0: it is a plane */
  const char *labels[LAC_MOST_CURVES]; /* translatable */
  gboolean    with_errors;             /* as many rows again: their standard errors */
  gboolean    log_axis;                /* draw them on a logarithmic axis */
  gboolean    has_mark;                /* a place along the axis is known to matter */
  double      mark;                    /* it */
} LacChart;

/* What an experiment shows; declared once in its descriptor. */
typedef struct {
  const char *key;   /* "vorticity", "vorticity_static" */
  const char *label; /* translatable */
  const char *unit;
  const char *quantity; /* planes with the same quantity share one colour scale */
  LacRole     role;
  const char *colour_map;      /* a name of report/canvas/colour-map.h: "balance", "viridis" */
  const char *axis_x, *axis_y; /* names of the columns' and rows' axes: "x", "t" */
  const char *axis_unit_x, *axis_unit_y;
  gboolean    periodic;        /* along x and along y: the last cell's neighbour is the first */
  gboolean    without_markers; /* the frame's markers stand on other channels */
  LacLayers   layers;
  LacChart    chart;
} LacChannel;

typedef struct {
  const char *key;   /* spelled out with its unit: "relative_l2" */
  const char *label; /* translatable */
  const char *unit;
  gboolean    log_axis;      /* draw on a logarithmic axis */
  gboolean    is_result;     /* its last value is a metric of the run; otherwise only a curve */
  gboolean    has_reference; /* the true value of a coefficient is known */
  double      reference;     /* it; drawn as a line beside the curve */
} LacMetric;

typedef struct {
  gsize  nx, ny;                     /* columns, rows; row 0 at y_min */
  double x_min, x_max, y_min, y_max; /* centres of the first and last column and row */
  float *data;                       /* [ny][nx] */
  /* statistics of the finite values; filled by lac_plane_measure() */
  float  min, max;
  double mean_square;
  gsize  n_not_finite;
} LacPlane;

typedef struct {
  double      x, y; /* in axis units; NaN: it is not there yet */
  const char *kind; /* interned: "sensor"; of a nucleus with its element: "nucleus-He" */
  gboolean    is_in_space;
  double      space[3]; /* where it is in the volumes, if it is there, in the units of their axes */
  guint       owner;    /* 1 + the plane that it belongs to alone; 0: it belongs to all */
} LacMarker;

typedef struct {
  gint       ref_count; /* atomic */
  guint64    sequence;  /* of publication; gaps are skipped frames */
  gint64     step;
  double     seconds;  /* compute time since the first step */
  gint64     made_ns;  /* monotonic, when it was made */
  gsize      n_planes; /* one a channel, in the descriptor's order */
  LacPlane  *planes;
  gsize      n_markers;
  LacMarker *markers;
  gsize      n_metrics; /* one a metric of the descriptor; NaN where there is none yet */
  double    *metrics;
} LacFrame;

/* Sizes of the planes are fixed for a run; @sizes: [n_planes][2] = {nx, ny} */
LacFrame *lac_frame_new(gsize n_planes, const gsize (*sizes)[2], gsize n_markers, gsize n_metrics);
LacFrame *lac_frame_ref(LacFrame *frame);
void      lac_frame_unref(LacFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFrame, lac_frame_unref)

void lac_plane_measure(LacPlane *plane);

/* Rows of a plane of curves. */
static inline gsize
lac_chart_rows(const LacChart *chart)
{
  return chart->with_errors ? 2 * chart->n : chart->n;
}

/* Rows of a layer of a volume, and where the last of them lies. */
static inline gsize
lac_layers_rows(const LacLayers *layers, const LacPlane *plane)
{
  return plane->ny / layers->n;
}

static inline double
lac_layers_y_max(const LacLayers *layers, const LacPlane *plane)
{
  gsize rows = lac_layers_rows(layers, plane);

  return plane->ny > 1 ? plane->y_min + (plane->y_max - plane->y_min) * (double) (rows - 1) /
                                          (double) (plane->ny - 1)
                       : plane->y_min;
}

/* Of @plane, a volume of @layers whose rows of a layer end at @y_max. */
static inline void
lac_layers_set_y(const LacLayers *layers, LacPlane *plane, double y_min, double y_max)
{
  gsize  rows = lac_layers_rows(layers, plane);
  double step = rows > 1 ? (y_max - y_min) / (double) (rows - 1) : 0;

  plane->y_min = y_min;
  plane->y_max = y_min + step * (double) (plane->ny - 1);
}

G_END_DECLS
