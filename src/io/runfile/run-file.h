/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved run, as read by reports, figures, comparisons, exports and the window. Immutable: it may be opened by one
 * thread and handed to another, and any number of threads may read it and load its frames at once. Opening it and
 * loading a frame read files and may wait for another thread: the window does both in a worker. */
#pragma once

#include "field/frame.h"
#include "field/molecule.h"
#include "perf/recorder/capture.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_RUN_FILE_VERSION 1

typedef struct {
  char    *key, *label, *group, *unit, *text; /* text in the form of lac_draft_dup_text() */
  char    *method; /* the method that reads the setting; "": the run itself, or unknown */
  gboolean is_default, is_advanced;
  gboolean is_unused; /* the settings of the run made it irrelevant */
} LacRunSetting;

typedef struct {
  char *key, *value;
} LacRunFact; /* provenance */

typedef struct {
  gint64 step;
  double seconds;
  char  *what, *detail;
} LacRunEvent;

typedef struct {
  char    *key, *label, *unit, *quantity, *colour_map, *axis_x, *axis_y, *axis_unit_x, *axis_unit_y;
  LacRole  role;
  gboolean periodic, without_markers;
  LacLayers layers;
  LacChart  chart;  /* its labels are @curves */
  char    **curves; /* (nullable) */
} LacRunChannel;

typedef struct {
  char            *key, *label, *unit;
  gboolean         log_axis, is_result, has_reference;
  double           last;      /* the last finite value; NaN when there was none */
  double           reference; /* the reference value, if known */
  LacMetricPlacing placing;   /* its texts are owned */
} LacRunMetric;

typedef struct {
  gint  ref_count;
  char *path;    /* path of the folder */
  char *caution; /* limits of what the experiment can show; "": none known */
  char *experiment, *title, *outcome, *detail, *backend, *precision;
  char *started; /* ISO 8601, local */
  char *
    unassembled; /* (nullable): error message when run.h5 could not be assembled from the segments */
  guint64 seed;
  guint   threads;
  gint64  steps;
  double  seconds, setup_seconds;

  gsize          n_settings;
  LacRunSetting *settings;
  gsize          n_facts;
  LacRunFact    *facts;
  gsize          n_events;
  LacRunEvent   *events;
  gsize          n_channels;
  LacRunChannel *channels;
  gsize          n_metrics;
  LacRunMetric  *metrics;
  LacMolecule   *molecule; /* (nullable): molecule of the run */

  /* Value m of row i is series[i * n_metrics + m], at series_step[i] and series_seconds[i] */
  gsize   n_series;
  gint64 *series_step;
  double *series_seconds;
  double *series;

  gsize   n_frames; /* saved frames; lac_run_file_load_frame() reads one */
  gint64 *frame_step;

  LacCapture *capture; /* (nullable): performance records; NULL when they were not read */
} LacRunFile;

/**
 * lac_run_file_open:
 * @path: a run folder or a file in it
 *
 * Assembles run.h5 first when the folder has newer segments. Any thread; threads that open the same run wait for one
 * another.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set.
 */
LacRunFile *lac_run_file_open(const char *path, GError **error);

/* Read part of a run folder, faster and without assembling run.h5: settings, metrics and outcome; the second function
 * also reads the saved frames. Neither reads records: @capture is %NULL. If the journal has no outcome, it is set to
 * "running" or "interrupted". Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_open_journal(const char *folder, GError **error);
LacRunFile *lac_run_file_open_fields(const char *folder, GError **error);

/* Returns: the span of the assembly of run.h5, LAC_SPAN_ASSEMBLY, which followed the records of a run that ended: the file
 * itself has its duration alone. Its name is added to @capture, to which the caller adds the span. @end_ns: of the
 * records, as from lac_capture_get_extent(). */
LacRecord lac_run_file_make_assembly(LacCapture *capture, gint64 end_ns, double seconds);

/* Returns: (transfer full): a run with nothing but records, for figures of another program's trace. @capture:
 * (transfer full) */
LacRunFile *lac_run_file_new_from_trace(const char *path, LacCapture *capture);

LacRunFile *lac_run_file_ref(LacRunFile *run); /* ref and unref: any thread */
void        lac_run_file_unref(LacRunFile *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFile, lac_run_file_unref)

/* Reads saved frame @i alone. Any thread; it waits for at most one slice of what other threads do with HDF5. Returns:
 * (transfer full): the frame; %NULL with %LAC_ERROR_BAD_FILE set. */
LacFrame *lac_run_file_load_frame(const LacRunFile *run, gsize i, GError **error);

/* Returns: index of the saved frame nearest to @step; -1 when there is none. */
gssize lac_run_file_find_frame(const LacRunFile *run, gint64 step);

/* Returns the compute time at @step, from the last row of metrics up to that step. */
double lac_run_file_get_seconds(const LacRunFile *run, gint64 step);
/* Returns: index of the saved frame whose compute time is nearest to @seconds; -1 when there is none. */
gssize lac_run_file_find_frame_at(const LacRunFile *run, double seconds);

/* Returns: index of a channel by key, or -1. */
gssize lac_run_file_find_channel(const LacRunFile *run, const char *key);

/* Returns a channel as declared by the experiment; its texts are owned by the file. */
LacChannel lac_run_file_get_channel(const LacRunFile *run, gsize i);

/* Returns a metric as declared by the experiment; its texts are owned by the file. */
LacMetric lac_run_file_get_metric(const LacRunFile *run, gsize i);

/* Journal event of a run whose records were decimated; its detail describes which records were saved. */
#define LAC_EVENT_RECORDS_KEPT "records kept"
/* Returns: (transfer full): which records were saved: "all 4321", or the detail of the event above. */
char *lac_run_file_dup_records_kept(const LacRunFile *run);

/* Describes the file's contents as text (for `info`). */
char *lac_run_file_describe(const LacRunFile *run);

G_END_DECLS
