/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the segments of a run folder. Version 1; numbers are little-endian, texts are UTF-8 with a final zero. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_RUN_FOLDER_VERSION 1
#define LAC_RUN_FOLDER_SUFFIX  ".lacuna"

#define LAC_RUN_JOURNAL    "journal"
#define LAC_RUN_RECORDS    "records"
#define LAC_RUN_FRAMES     "frames"
#define LAC_RUN_CHECKPOINT "checkpoint"
#define LAC_RUN_LOCK       "lock"
#define LAC_RUN_H5         "run.h5"
#define LAC_RUN_SENSORS    "sensors.csv"
#define LAC_RUN_EXPOSURES  "exposures.h5"
#define LAC_RUN_PATTERN    "pattern.csv"
#define LAC_RUN_EQUATION   "equation.yaml"
#define LAC_RUN_NOTES      "notes.json"
#define LAC_RUN_MARKS      "marks"

typedef enum {
  /* journal */
  LAC_SEGMENT_HEADER = 1, /* JSON text (io/runfile/header.h) */
  LAC_SEGMENT_METRICS,    /* LacMetricsEntry, then n_metrics doubles */
  LAC_SEGMENT_EVENT,      /* LacEventEntry, then two texts: what, detail */
  LAC_SEGMENT_END,        /* LacEndEntry, then two texts: outcome, detail */
  /* records */
  LAC_SEGMENT_SESSION = 16, /* start of a process: ids of names and lanes restart; no payload */
  LAC_SEGMENT_NAMES,        /* guint32 first id, guint32 count, then that many texts */
  LAC_SEGMENT_LANES,        /* the same layout, for lanes */
  LAC_SEGMENT_RECORDS,      /* LacRecord, as many as the length holds */
  /* frames */
  LAC_SEGMENT_FRAME =
    32, /* LacFrameEntry, LacPlaneEntry per plane, metrics, LacMarkerEntry per marker, n_in_space LacSpaceEntry, planes */
  LAC_SEGMENT_DECIMATION, /* LacDecimationEntry: from here on only frames of every stride-th step are saved; earlier frames are dropped accordingly */
  /* checkpoint */
  LAC_SEGMENT_CHECKPOINT =
    48, /* LacCheckpointEntry, LacTensorEntry per tensor, then names and data, each padded to 8 */
} LacSegmentType;

#define LAC_RUN_ASSEMBLY \
  "assembly_seconds" /* attribute of run.h5: how long a run that ended took to write it */

typedef struct {
  gint64 step;
  double seconds;
} LacMetricsEntry;

typedef struct {
  gint64 step;
  double seconds;
} LacEventEntry;

typedef struct {
  gint64 steps;
  double seconds, setup_seconds;
} LacEndEntry;

typedef struct {
  guint64 sequence;
  gint64  step;
  double  seconds;
  gint64  made_ns;
  guint32 n_planes, n_markers, n_metrics;
  guint32 n_in_space; /* 0 or n_markers */
} LacFrameEntry;

typedef struct {
  guint64 nx, ny;
  double  x_min, x_max, y_min, y_max;
} LacPlaneEntry;

typedef struct {
  double x, y;
  char   kind[16];
} LacMarkerEntry;

/* Position of a marker in the volumes; NaN: none. */
typedef struct {
  double at[3];
} LacSpaceEntry;

typedef struct {
  gint64 stride;
} LacDecimationEntry;

typedef struct {
  guint32 version, n_tensors;
  gint64  step;
  double  seconds;
  guint64 journal_end, records_end, frames_end; /* lengths to truncate the segment files to */
  gint64  frame_stride;
} LacCheckpointEntry;

typedef struct {
  guint64 n_rows, n_columns;
  guint32 element_size, name_bytes; /* name_bytes: length of the name, including its final zero */
} LacTensorEntry;

_Static_assert(sizeof(LacFrameEntry) == 48, "part of a file format");
_Static_assert(sizeof(LacPlaneEntry) == 48, "part of a file format");
_Static_assert(sizeof(LacMarkerEntry) == 32, "part of a file format");
_Static_assert(sizeof(LacSpaceEntry) == 24, "part of a file format");
_Static_assert(sizeof(LacCheckpointEntry) == 56, "part of a file format");
_Static_assert(sizeof(LacTensorEntry) == 24, "part of a file format");

G_END_DECLS
