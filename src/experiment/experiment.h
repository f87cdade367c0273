/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments: one descriptor each. Adding one affects only its own folder and one list. */
#pragma once

#include "backend/registry.h"
#include "base/param.h"
#include "base/pending.h"
#include "base/pool.h"
#include "experiment/planning.h"
#include "field/field.h"
#include "field/frame.h"
#include "field/measurements.h"
#include "field/molecule.h"
#include "field/store.h"
#include "graph/program/program.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

/* Cache of costly results across runs. A key names everything that its result depends on; recall() returns bitwise
 * what remember() stored. Any thread. */
typedef struct {
  GBytes *(*recall)(const char *key, gpointer user_data); /* (transfer full) (nullable) */
  void (*remember)(const char *key, GBytes *bytes, gpointer user_data);
  gpointer user_data;
  gboolean
    is_brief; /* the cache ends with the process: it also holds results that a permanent cache would leave to be recomputed */
} LacMemory;

/* Environment that run/ passes to an experiment; all of it outlives the experiment. */
struct _LacContext {
  LacDevice   device;
  LacPool    *pool;
  LacPerf    *perf;
  LacLane    *lane; /* lane of the compute thread */
  guint64     seed;
  const char *precision; /* "f64" or "f32": precision of the iterated computations */
  GHashTable
    *inputs; /* parameter key -> LacGridField *, loaded from its file; absent if no file is named */
  GHashTable *measurements; /* parameter key -> LacMeasurements *, absent if no file is named */
  GHashTable *
    exposures; /* parameter key -> LacStore * in the format of io/input/exposures-h5.h, absent if no file is named */
  gboolean (*cancelled)(
    gpointer
      user_data); /* to be polled during a long set-up; TRUE: return soon, the result is discarded */
  void (*progress)(
    double      fraction,
    const char *what,
    gpointer    user_data);      /* reports progress of the set-up; @what is a translated phrase */
  gpointer         user_data; /* for the two functions above */
  const LacMemory *memory;    /* NULL: no cache */
  guint            without;   /* LacWithout: features disabled for an ablation */
};

/* Polls context->cancelled during a long set-up. Returns: %TRUE with an error when cancelled. */
gboolean lac_context_is_cancelled(const LacContext *context, GError **error);

typedef enum {
  LAC_OUTCOME_CONTINUE,
  LAC_OUTCOME_FINISHED,
  LAC_OUTCOME_DIVERGED,
} LacOutcome;

typedef struct {
  LacOutcome outcome;
  double    *metrics; /* [n_metrics]: values of this step; NaN before the call */
  double
    samples; /* batch points or member time steps processed; 0 before the call and when not counted */
  guint epoch,
    batch; /* where the step belongs in the laboratory's loop, from 1; 0 before the call and for none */
  char why
    [160]; /* if diverged, or if a method was set aside: which quantity and where, one sentence */
  char who[32]; /* the method that diverged, named as in experiment/advice.c */
  /* (out): set if metrics come later, to avoid waiting for a device; finished with a report of the same row, whose outcome
   * may be that the step diverged. Nothing before the call. */
  LacPending pending;
} LacStepReport;

/* Number of steps whose metrics may be pending. */
#define LAC_STEP_MOST_OPEN 8

typedef struct {
  double memory_bytes;     /* peak host memory, with the CPU as the device */
  double device_bytes;     /* additional memory of a device other than the CPU; 0: unknown */
  double seconds_per_step; /* time on one thread of the reference machine */
  gint64 n_steps;
  double seconds_setup;
  double frame_bytes;  /* size of a saved frame */
  gsize  n_parameters; /* trained by the networks of all methods together; 0: none */
} LacEstimate;

/* Returns the duration of a run with @threads CPU threads, in seconds. */
double lac_estimate_seconds(const LacEstimate *estimate, guint threads);

/* Displayed channels and metrics of one run. */
typedef struct {
  gsize        n_channels, n_metrics;
  LacChannel  *channels;
  LacMetric   *metrics;
  gsize        headline; /* index of the main metric: the first result */
  LacMolecule *molecule; /* (nullable): the run's molecule */
} LacOutline;

/* Preview of a run's data, drawn before it starts. */
typedef struct {
  const LacChannel *channels; /* [n_channels] */
  gsize             n_channels;
  /* Uses only seed, files and cancelled of @context. Takes some tenths of a second. Returns: (transfer full): one
   * plane per channel; NULL with an error for the user. */
  LacFrame *(*draw)(const LacExperiment *self,
                    gconstpointer        params,
                    const LacContext    *context,
                    GError             **error);
} LacPreview;

struct _LacExperiment {
  const char *name;       /* "kolmogorov" */
  const char *title;      /* translatable */
  const char *laboratory; /* "flow", "imaging", "quantum" */
  const char *summary;    /* translatable, one sentence */
  const char *source;     /* paper and equation */
  const char *caution;    /* (nullable), translatable: limitations, shown in set-up and report */
  const char *family;     /* (nullable), translatable: group within its laboratory */
  const char *
    equation; /* (nullable): YAML text of an equation that the user wrote, kept with each of its runs */
  const char *precision; /* precision selected by "auto": "f64" or "f32" */
  gboolean    is_default;
  guint
    most_frames; /* (optional): limit of saved frames, for slowly changing fields; 0: the usual number */

  gconstpointer data; /* table entry of an experiment that a laboratory generates */

  LacParamTable params;
  const char *const *
    preludes; /* (nullable): keys of the parameters that give the number of steps before the main phase; NULL-terminated */
  /* Channels and metrics of every run; with outline() set, those of a run with the defaults. */
  const LacChannel *channels;
  gsize             n_channels;
  const LacMetric  *metrics;
  gsize             n_metrics;

  /* (optional): allocates and fills the channels and metrics of a run with these parameters. */
  void (*outline)(const LacExperiment *self, gconstpointer params, LacOutline *outline);

  /* Checks conditions between parameters; row ranges are already checked. Sets LAC_ERROR_OUT_OF_RANGE. */
  gboolean (*check)(const LacExperiment *self, gconstpointer params, GError **error);
  /* (optional): checks data that @row would read, whichever of @field and @measurements it takes, with these parameters.
   * Returns: FALSE with LAC_ERROR_BAD_FILE naming what contradicts the experiment. */
  gboolean (*agrees)(const LacExperiment   *self,
                     gconstpointer          params,
                     const LacParam        *row,
                     const LacGridField    *field,
                     const LacMeasurements *measurements,
                     GError               **error);
  /* (optional): warns about limitations of allowed parameters. Returns: (transfer full) (nullable): translated. */
  char *(*warn)(const LacExperiment *self, gconstpointer params);
  /* (optional): says in a sentence what the methods are given of the truth, besides its measurements. Returns: (transfer
   * full) (nullable): translated. */
  char *(*dup_given)(const LacExperiment *self, gconstpointer params);
  void (*estimate)(const LacExperiment *self, gconstpointer params, LacEstimate *estimate);

  /* Returns: the state, or NULL with an error. May take seconds; polls context->cancelled. */
  gpointer (*create)(const LacExperiment *self,
                     gconstpointer        params,
                     const LacContext    *context,
                     GError             **error);
  void (*destroy)(gpointer state);

  /* Performs one step; fewer than LAC_STEP_MOST_OPEN are pending. Returns: FALSE with an error only if the run cannot
   * continue. */
  gboolean (*step)(gpointer state, LacStepReport *report, GError **error);
  gint64 (*n_steps)(
    gconstpointer state); /* planned number of steps, for estimating the remaining time */
  /* Returns the shapes of the planes and the number of markers, fixed for the run. */
  void (*shapes)(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
  /* Fills a frame of that shape, whose planes the caller measures (lac_plane_measure()). @pending: (nullable) (out): set if
   * parts come later, while further steps run; finished with the frame, which then shows the state at the call. NULL: the
   * frame is filled now. One frame may be pending. */
  void (*snapshot)(gpointer state, LacFrame *frame, LacPending *pending);
  /* (optional, both): for an estimate of several times of which a frame shows one. snapshot_at() fills a frame with that
   * at time @i of count_times(), and returns the time. count_times() returns 0 when a frame shows all there is. */
  gsize (*count_times)(gconstpointer state);
  double (*snapshot_at)(gpointer state, gsize i, LacFrame *frame);

  /* Save and restore everything that determines the next step. No metrics are pending. */
  void (*save)(gpointer state, LacStore *store);
  gboolean (*load)(gpointer state, const LacStore *store, GError **error);

  /* (optional): returns the sensor measurements of this run, for reuse. Returns: (transfer full) (nullable). */
  LacMeasurements *(*readings)(gconstpointer state);

  /* (optional): returns the detector images of this run, in the format of io/input/exposures-h5.h. Returns: (transfer
   * full). */
  LacStore *(*exposures)(gconstpointer state);

  /* (optional): returns the scan pattern of this run as CSV, for reuse. Returns: (transfer full). */
  char *(*pattern)(gconstpointer state);

  /* (optional): evaluation of sensor layouts before a run; NULL: nothing to place. */
  const LacPlanning *planning;

  /* (optional) */
  const LacPreview *preview;

  /* (optional): returns TRUE when a run with these parameters uses a device other than the CPU; the names of parts
   * that always run on the CPU are appended to @apart, separated by ", ". NULL: the device is not used. */
  gboolean (*uses_device)(const LacExperiment *self, gconstpointer params, GString *apart);

  /* (optional): returns TRUE when a run with these parameters always computes in double precision. Without it, a run does
   * if none of its parts uses a device. */
  gboolean (*is_double)(const LacExperiment *self, gconstpointer params);

  /* (optional): applies changed live parameters; @params is the new frozen struct, valid until the next call. */
  void (*retune)(gpointer state, gconstpointer params);
};

/* Performs one step, and waits for its metrics. */
gboolean lac_experiment_step(const LacExperiment *self,
                             gpointer             state,
                             LacStepReport       *report,
                             GError             **error);

/* Sets the channels and metrics of the descriptor to those of a run with the defaults. Called where an experiment is
 * made; params and outline() must be set. */
void lac_experiment_show_defaults(LacExperiment *experiment);

/* Returns the channels and metrics of a run with @params; cleared with lac_outline_clear(). The strings are static. */
LacOutline lac_experiment_outline(const LacExperiment *self, gconstpointer params);
void       lac_outline_clear(LacOutline *outline);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacOutline, lac_outline_clear)

/* Returns: (transfer full) (nullable): limitations of the experiment and of these parameters; translated. For a run, with
 * what its methods are given of the truth. */
char *lac_experiment_dup_caution(const LacExperiment *self, gconstpointer params, gboolean of_run);

/* Returns: (transfer full): what the methods are given of the truth, then the source; translated. For the set-up. */
char *lac_experiment_dup_source(const LacExperiment *self, gconstpointer params);

/* Returns the precision in which a run with these parameters computes. @asked: (nullable): a precision, or "auto" */
const char *
lac_experiment_find_precision(const LacExperiment *self, gconstpointer params, const char *asked);

/* @apart: (nullable): see uses_device() */
gboolean
lac_experiment_uses_device(const LacExperiment *self, gconstpointer params, GString *apart);

/* Appends @name to the parts that run on the CPU. Called by laboratories. */
void lac_experiment_add_apart(GString *apart, const char *name);

const LacExperiment *const *lac_experiments(gsize *n_experiments);

/* Returns: (nullable): NULL with %LAC_ERROR_UNKNOWN_KEY listing the available names. */
const LacExperiment *lac_experiment_find(const char *name, GError **error);

/* Returns: (transfer full): the value of the parameter @key of the experiment @name by lac_param_dup_shown(); of an
 * unknown experiment or parameter @text itself. Any thread. */
char *lac_experiment_dup_shown(const char *name, const char *key, const char *text);

G_END_DECLS
