/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame: everything displayed at one step, that is, planes, markers and metrics. The experiment fills a slot of a
 * pool and run/ stamps it; from then on the frame is immutable and passed by reference. All planes of a frame are of
 * the same step. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_ROLE_TRUTH,
  LAC_ROLE_RECONSTRUCTION,
  LAC_ROLE_BASELINE, /* another reconstruction, shown as the baseline */
  LAC_ROLE_OTHER,
} LacRole;

/* Layers that turn a plane into a volume. The rows of the plane hold one layer after another, and the row axis
 * continues through all of them, so that y_max is the coordinate of the last row. */
typedef struct {
  gsize  n;         /* layers; 0: a plane */
  double low, high; /* z of the first and last layer, in the unit of y */
} LacLayers;

#define LAC_MOST_CURVES 12

/* Chart description that turns a plane into curves: each row is a curve over the column axis. */
typedef struct {
  gsize       n;                       /* curves; 0: a plane */
  const char *labels[LAC_MOST_CURVES]; /* translatable */
  gboolean    with_errors;             /* @n further rows follow, with the standard errors */
  gboolean    log_axis;                /* logarithmic y axis */
  gboolean    has_mark;                /* the axis has a reference position, @mark */
  double      mark;                    /* the reference position */
} LacChart;

/* A displayed channel, declared once in the experiment's descriptor. */
typedef struct {
  const char *key;   /* "vorticity", "vorticity_static" */
  const char *label; /* translatable */
  const char *unit;
  const char *quantity; /* planes with the same quantity share one colour scale */
  LacRole     role;
  const char
    *colour_map; /* name of a colour map of report/canvas/colour-map.h: "balance", "viridis" */
  const char *axis_x, *axis_y; /* names of the column and row axes: "x", "t" */
  const char *axis_unit_x, *axis_unit_y;
  gboolean    periodic;        /* periodic along x and along y */
  gboolean    without_markers; /* do not show the frame's markers on this channel */
  LacLayers   layers;
  LacChart    chart;
} LacChannel;

/* Column of the table of methods that a metric fills, in the row of its method. The names are data: files hold them. */
typedef enum {
  LAC_COLUMN_FURTHER, /* one of the further columns, which are hidden at first */
  LAC_COLUMN_MAIN,    /* a column of its own */
  LAC_COLUMN_NOW,     /* error of the estimate at the step */
  LAC_COLUMN_MEAN,    /* error over the window of evaluation; NaN before the window begins */
  LAC_COLUMN_SPREAD,  /* standard deviation as estimated by the method */
  LAC_N_METRIC_COLUMNS
} LacMetricColumn;

/* Order of the methods by a metric. */
typedef enum { LAC_RANK_NONE, LAC_RANK_LEAST, LAC_RANK_GREATEST, LAC_N_RANKS } LacRank;

#define LAC_MOST_BASELINES 2

/* Place of a metric in the table of methods. Empty texts are the same as NULL. */
typedef struct {
  LacMetricColumn column;
  LacRank         rank;          /* the method with the least or the greatest value is the best */
  gboolean        is_fraction;   /* displayed as a percentage */
  gboolean        is_comparison; /* its row is shown for comparison and is never the best */
  const char     *heading;       /* (nullable), translatable: of the column; NULL: the label */
  const char     *method; /* (nullable), translatable: name of the row, if it has no channel */
  const char *
    standard_error; /* (nullable): key of the metric that is the standard error, in a unit of the same dimension */
  struct {
    const char *label; /* (nullable), translatable: "Hartree-Fock"; NULL: none */
    double      value;
  } baselines[LAC_MOST_BASELINES]; /* known values, each in a row of its own */
  guint window_first, window_last; /* observations of a mean, counted from 1; 0: unknown */
} LacMetricPlacing;

typedef struct {
  const char      *key;   /* includes its unit if it has one: "energy_hartree", "relative_l2" */
  const char      *label; /* translatable */
  const char      *unit;
  gboolean         log_axis;      /* use a logarithmic axis */
  gboolean         is_result;     /* the last value is a result of the run; FALSE: only a curve */
  gboolean         has_reference; /* a reference value is known */
  double           reference;     /* the reference value, drawn as a line beside the curve */
  LacMetricPlacing placing;
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
  double      x, y; /* in axis units; NaN: not placed yet */
  const char *kind; /* interned: "sensor"; nuclei with their element: "nucleus-He" */
  gboolean    is_in_space;
  double      space[3]; /* position in volumes, if any, in the units of their axes */
  guint       owner;    /* 1 + index of the only plane that shows it; 0: shown on all planes */
} LacMarker;

typedef struct {
  gint       ref_count; /* atomic */
  guint64    sequence;  /* publication number; gaps are skipped frames */
  gint64     step;
  double     seconds;  /* compute time since the first step */
  gint64     made_ns;  /* creation time, monotonic clock */
  gsize      n_planes; /* one plane per channel, in the descriptor's order */
  LacPlane  *planes;
  gsize      n_markers;
  LacMarker *markers;
  gsize      n_metrics; /* one value per metric of the descriptor; NaN: none yet */
  double    *metrics;
} LacFrame;

/* @sizes: [n_planes][2] = {nx, ny}. Sizes are fixed for a run. */
LacFrame *lac_frame_new(gsize n_planes, const gsize (*sizes)[2], gsize n_markers, gsize n_metrics);
LacFrame *lac_frame_ref(LacFrame *frame);
void      lac_frame_unref(LacFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFrame, lac_frame_unref)

void lac_plane_measure(LacPlane *plane);

/* Returns the number of rows of a plane of curves. */
static inline gsize
lac_chart_rows(const LacChart *chart)
{
  return chart->with_errors ? 2 * chart->n : chart->n;
}

/* lac_layers_rows() returns the number of rows per layer of a volume; lac_layers_y_max() returns the coordinate of
 * the last row of the first layer. */
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

/* Sets the row axis of @plane, a volume of @layers. @y_min, @y_max: coordinates of the first and last row of a
 * layer. */
static inline void
lac_layers_set_y(const LacLayers *layers, LacPlane *plane, double y_min, double y_max)
{
  gsize  rows = lac_layers_rows(layers, plane);
  double step = rows > 1 ? (y_max - y_min) / (double) (rows - 1) : 0;

  plane->y_min = y_min;
  plane->y_max = y_min + step * (double) (plane->ny - 1);
}

G_END_DECLS
