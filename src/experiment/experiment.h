/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment: one descriptor. Adding one touches its own folder and one list. */
#pragma once

#include "backend/registry.h"
#include "base/param.h"
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

/* What costly computations leave for later runs, by keys that name all that they depend on; what is recalled is to the bit
 * what was remembered. Any thread. */
typedef struct {
  GBytes *(*recall)(const char *key, gpointer user_data); /* (transfer full) (nullable) */
  void (*remember)(const char *key, GBytes *bytes, gpointer user_data);
  gpointer user_data;
  gboolean
    is_brief; /* gone with the program: what only another process would compute otherwise is kept too */
} LacMemory;

/* What run/ hands an experiment; all of it outlives the experiment. */
struct _LacContext {
  LacDevice   device;
  LacPool    *pool;
  LacPerf    *perf;
  LacLane    *lane; /* of the compute thread */
  guint64     seed;
  const char *precision; /* "f64" or "f32": of what is computed over and over */
  GHashTable
    *inputs; /* parameter key -> LacGridField *, loaded from its file; absent when none is named */
  GHashTable *measurements; /* parameter key -> LacMeasurements *, likewise */
  GHashTable
    *exposures; /* parameter key -> LacStore * as io/input/exposures-h5.h reads it, likewise */
  gboolean (*cancelled)(
    gpointer user_data); /* poll in long set-up work; TRUE: return soon, with any result */
  void (*progress)(double      fraction,
                   const char *what,
                   gpointer    user_data); /* of the set-up; @what is a translated phrase */
  gpointer         user_data;           /* of the two above */
  const LacMemory *memory;              /* NULL: everything is computed */
  guint            without;             /* LacWithout: what is done the plain way, to be measured */
};

/* In long set-up work. Returns: %TRUE with an error where somebody cancelled. */
gboolean lac_context_is_cancelled(const LacContext *context, GError **error);

typedef enum {
  LAC_OUTCOME_CONTINUE,
  LAC_OUTCOME_FINISHED,
  LAC_OUTCOME_DIVERGED,
} LacOutcome;

typedef struct {
  LacOutcome outcome;
  double    *metrics; /* [n_metrics], NaN before the call; the values of this step */
  double
       samples; /* 0 before the call; what the step worked through, for samples a second: points of a batch,
                        * time steps of members; 0: it does not count */
  char why[160]; /* when diverged: what and where, one sentence */
  char who[32];  /* when diverged: the solver that did, as experiment/advice.c knows it */
  /* Metrics may come some steps later, so that nothing waits for a device. Rows of metrics of the steps before this one, the
   * last step first, NaN where nothing is known yet; NULL: whoever asks needs them now. */
  double *const *earlier; /* [LAC_STEP_MOST_OPEN - 1] */
  guint
    n_open; /* 0 before the call; of the last steps, this one counted, those whose rows are not complete; at most
                 * LAC_STEP_MOST_OPEN - 1 */
} LacStepReport;

#define LAC_STEP_MOST_OPEN 16

typedef struct {
  double memory_bytes; /* at the peak, where the processor is the device */
  double
    device_bytes; /* of another device that has something to do, beside that; 0: nobody counts it */
  double seconds_per_step; /* on one thread of the reference machine */
  gint64 n_steps;
  double seconds_setup;
  double frame_bytes; /* of one kept frame */
} LacEstimate;

/* Seconds that a run takes with @threads of the processor. */
double lac_estimate_seconds(const LacEstimate *estimate, guint threads);

/* What one run shows and measures. */
typedef struct {
  gsize       n_channels, n_metrics;
  LacChannel *channels;
  LacMetric  *metrics;
  gsize headline; /* index of the metric that stands for the run: the first that is a result */
  LacMolecule *molecule; /* (nullable): what the run is about */
} LacOutline;

/* What a run would look at, drawn before it begins. */
typedef struct {
  const LacChannel *channels; /* [n_channels] */
  gsize             n_channels;
  /* Of @context seed, files and cancelled count. Some tenths of a second. Returns: (transfer full): a plane a channel; NULL with an
   * error for the person. */
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
  const char *caution;    /* (nullable), translatable: what it cannot tell; in set-up and report */
  const char *family;     /* (nullable), translatable: what it stands among in its laboratory */
  const char *precision;  /* what "auto" means: "f64" or "f32" */
  gboolean    is_default;
  guint most_frames; /* (optional): that a run keeps, of what changes slowly; 0: as many as usual */

  gconstpointer data; /* of a laboratory that makes its experiments from rows of its own */

  LacParamTable params;
  const char *const *
    preludes; /* (nullable): rows that count steps before those a run mostly consists of; ends with NULL */
  /* What every run shows and measures; with outline() set, what a run with the defaults does. */
  const LacChannel *channels;
  gsize             n_channels;
  const LacMetric  *metrics;
  gsize             n_metrics;

  /* (optional): what a run with these parameters shows and measures: fills new arrays. */
  void (*outline)(const LacExperiment *self, gconstpointer params, LacOutline *outline);

  /* Conditions between parameters; row ranges are already checked. Sets LAC_ERROR_OUT_OF_RANGE. */
  gboolean (*check)(const LacExperiment *self, gconstpointer params, GError **error);
  /* (optional): what these parameters cannot give though they are allowed. Returns: (transfer full) (nullable): translated. */
  char *(*warn)(const LacExperiment *self, gconstpointer params);
  void (*estimate)(const LacExperiment *self, gconstpointer params, LacEstimate *estimate);

  /* Returns: the state, or NULL with an error. May take seconds; polls context->cancelled. */
  gpointer (*create)(const LacExperiment *self,
                     gconstpointer        params,
                     const LacContext    *context,
                     GError             **error);
  void (*destroy)(gpointer state);

  /* One step. Returns: FALSE with an error only when the run cannot go on. */
  gboolean (*step)(gpointer state, LacStepReport *report, GError **error);
  gint64 (*n_steps)(gconstpointer state); /* planned; for the time to go */
  /* (optional): waits for all metrics that are on their way: @report as of the last step, with all rows that it left open. Before
   * save(), or whenever somebody needs them. Returns: as step(). */
  gboolean (*settle)(gpointer state, LacStepReport *report, GError **error);

  /* Shapes of the planes and number of markers, fixed for the run; and the filling of a frame of that shape. */
  void (*shapes)(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
  void (*snapshot)(gpointer state, LacFrame *frame);
  /* (optional, all): snapshot() in two parts, with steps in between that do not wait for it. begin() fills what is at hand; FALSE:
   * snapshot() is as well. Whether the rest is there; and the rest, waiting where it is not, of the state when it began. One at a time. */
  gboolean (*snapshot_begin)(gpointer state, LacFrame *frame);
  gboolean (*snapshot_is_here)(gpointer state);
  void (*snapshot_finish)(gpointer state, LacFrame *frame);

  /* Everything that makes the next step what it is. */
  void (*save)(gpointer state, LacStore *store);
  gboolean (*load)(gpointer state, const LacStore *store, GError **error);

  /* (optional): what the sensors of this run said, for others to use. Returns: (transfer full) (nullable). */
  LacMeasurements *(*readings)(gconstpointer state);

  /* (optional): what the detector of this run saw, as io/input/exposures-h5.h writes it. Returns: (transfer full). */
  LacStore *(*exposures)(gconstpointer state);

  /* (optional): layouts of sensors before a run; NULL: there is nothing to place. */
  const LacPlanning *planning;

  /* (optional) */
  const LacPreview *preview;

  /* (optional): whether a device that is not the processor has anything to do in a run with these parameters; what stays on the
   * processor whatever the device is appended to @apart by its name, ", " between. Without it a device has nothing to do. */
  gboolean (*uses_device)(const LacExperiment *self, gconstpointer params, GString *apart);

  /* (optional): a live parameter changed; @params is the new frozen struct, valid until the next call. */
  void (*retune)(gpointer state, gconstpointer params);
};

/* For the makers of experiments: what a run with the defaults shows and measures becomes what the experiment says of itself. Needs
 * params and outline(). */
void lac_experiment_show_defaults(LacExperiment *experiment);

/* What a run with @params shows and measures; cleared with lac_outline_clear(). The strings belong to the program. */
LacOutline lac_experiment_outline(const LacExperiment *self, gconstpointer params);
void       lac_outline_clear(LacOutline *outline);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacOutline, lac_outline_clear)

/* Returns: (transfer full) (nullable): what the experiment cannot tell, and what these parameters cannot give; translated. */
char *lac_experiment_dup_caution(const LacExperiment *self, gconstpointer params);

/* @apart: (nullable): as uses_device() says */
gboolean
lac_experiment_uses_device(const LacExperiment *self, gconstpointer params, GString *apart);

/* For the laboratories: @name joins those that stay on the processor. */
void lac_experiment_add_apart(GString *apart, const char *name);

const LacExperiment *const *lac_experiments(gsize *n_experiments);

/* Returns: (nullable): NULL with %LAC_ERROR_UNKNOWN_KEY, listing the names there are. */
const LacExperiment *lac_experiment_find(const char *name, GError **error);

G_END_DECLS
