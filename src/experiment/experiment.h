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
#include "graph/program.h"
#include "perf/perf.h"

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
  GHashTable *molecules;    /* parameter key -> LacMolecule *, likewise */
  GHashTable *exposures; /* parameter key -> LacStore * as io/exposures-h5.h reads it, likewise */
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
} LacStepReport;

typedef struct {
  double memory_bytes;     /* device and host, at the peak */
  double seconds_per_step; /* on one thread of the reference machine */
  gint64 n_steps;
  double seconds_setup;
  double frame_bytes; /* of one kept frame */
} LacEstimate;

/* What one run shows and measures. */
typedef struct {
  gsize        n_channels, n_metrics;
  LacChannel  *channels;
  LacMetric   *metrics;  /* the first one that is a result is the key metric */
  LacMolecule *molecule; /* (nullable): what the run is about */
} LacOutline;

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

  gconstpointer data; /* of a laboratory that makes its experiments from rows of its own */

  LacParamTable params;
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

  /* Shapes of the planes and number of markers, fixed for the run; and the filling of a frame of that shape. */
  void (*shapes)(gconstpointer state, gsize (*sizes)[2], gsize *n_markers);
  void (*snapshot)(gpointer state, LacFrame *frame);

  /* Everything that makes the next step what it is. */
  void (*save)(gpointer state, LacStore *store);
  gboolean (*load)(gpointer state, const LacStore *store, GError **error);

  /* (optional): what the sensors of this run said, for others to use. Returns: (transfer full) (nullable). */
  LacMeasurements *(*readings)(gconstpointer state);

  /* (optional): what the detector of this run saw, as io/exposures-h5.h writes it. Returns: (transfer full). */
  LacStore *(*exposures)(gconstpointer state);

  /* (optional): layouts of sensors before a run; NULL: there is nothing to place. */
  const LacPlanning *planning;

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

const LacExperiment *const *lac_experiments(gsize *n_experiments);

/* Returns: (nullable): NULL with %LAC_ERROR_UNKNOWN_KEY, listing the names there are. */
const LacExperiment *lac_experiment_find(const char *name, GError **error);

G_END_DECLS
