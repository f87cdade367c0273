/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as it is read back: by reports, figures, comparisons, exports and the window. Frozen. */
#pragma once

#include "field/frame.h"
#include "field/molecule.h"
#include "perf/recorder/capture.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_RUN_FILE_VERSION 1

typedef struct {
  char    *key, *label, *group, *unit, *text; /* text as lac_draft_dup_text() */
  gboolean is_default;
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
  char    *key, *label, *unit;
  gboolean log_axis, is_result, has_reference;
  double   last;      /* the last finite value; NaN when there was none */
  double   reference; /* the true value, where it is known */
} LacRunMetric;

typedef struct {
  gint  ref_count;
  char *path;    /* of the folder */
  char *caution; /* what the experiment cannot tell; "": nothing known */
  char *experiment, *title, *outcome, *detail, *backend, *precision;
  char *started; /* ISO 8601, local */
  char
    *unassembled; /* (nullable): why run.h5 could not be assembled from the segments, a sentence */
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
  LacMolecule   *molecule; /* (nullable): what the run is about */

  /* series[i * n_metrics + m] at series_step[i], series_seconds[i] */
  gsize   n_series;
  gint64 *series_step;
  double *series_seconds;
  double *series;

  gsize   n_frames; /* kept frames; lac_run_file_load_frame() reads one */
  gint64 *frame_step;

  LacCapture *capture; /* its performance records; (nullable) where they were left out */
} LacRunFile;

/**
 * lac_run_file_open:
 * @path: a run folder or a file in it
 *
 * Assembles run.h5 first when the folder has newer segments than it.
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set.
 */
LacRunFile *lac_run_file_open(const char *path, GError **error);

/* Less of a run folder, sooner, and without making run.h5: settings, metrics and how it ended; of the second also the kept
 * frames. Neither has records: @capture is %NULL. An outcome that is not known is "running" or "interrupted".
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_open_journal(const char *folder, GError **error);
LacRunFile *lac_run_file_open_fields(const char *folder, GError **error);

LacRunFile *lac_run_file_ref(LacRunFile *run);
void        lac_run_file_unref(LacRunFile *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFile, lac_run_file_unref)

/* Returns: (transfer full): kept frame @i. */
LacFrame *lac_run_file_load_frame(const LacRunFile *run, gsize i, GError **error);

/* Returns: index of the kept frame nearest to @step; -1 when none is kept. */
gssize lac_run_file_find_frame(const LacRunFile *run, gint64 step);

/* Compute time at @step, as far as it is known: that of the last row of metrics until then. */
double lac_run_file_get_seconds(const LacRunFile *run, gint64 step);
/* Returns: index of the kept frame nearest in compute time; -1 when none is kept. */
gssize lac_run_file_find_frame_at(const LacRunFile *run, double seconds);

/* Returns: index of a channel by key, or -1. */
gssize lac_run_file_find_channel(const LacRunFile *run, const char *key);

/* A channel as the experiment declared it; its texts belong to the file. */
LacChannel lac_run_file_get_channel(const LacRunFile *run, gsize i);

/* Of the journal of a run not all of whose records are kept one by one: which are, in words. */
#define LAC_EVENT_RECORDS_KEPT "records kept"
/* Returns: (transfer full): "all 4321", or what the run says. */
char *lac_run_file_dup_records_kept(const LacRunFile *run);

/* Text and JSON of what the file holds (for `info`). */
char *lac_run_file_describe(const LacRunFile *run);

G_END_DECLS
