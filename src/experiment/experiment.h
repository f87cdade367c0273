/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment: one descriptor. Adding one touches its own folder and one list. */
#pragma once

#include "backend/registry.h"
#include "base/param.h"
#include "base/pool.h"
#include "field/field.h"
#include "field/frame.h"
#include "field/store.h"
#include "perf/perf.h"

#include <glib.h>

G_BEGIN_DECLS

/* What run/ hands an experiment; all of it outlives the experiment. */
typedef struct {
  LacDevice   device;
  LacPool    *pool;
  LacPerf    *perf;
  LacLane    *lane; /* of the compute thread */
  guint64     seed;
  const char *precision; /* "f64" or "f32": of what is computed over and over */
  GHashTable
    *inputs; /* parameter key -> LacGridField *, loaded from its file; absent when none is named */
  gboolean (*cancelled)(
    gpointer user_data); /* poll in long set-up work; TRUE: return soon, with any result */
  void (*progress)(double      fraction,
                   const char *what,
                   gpointer    user_data); /* of the set-up; @what is a translated phrase */
  gpointer user_data;                   /* of the two above */
} LacContext;

typedef enum {
  LAC_OUTCOME_CONTINUE,
  LAC_OUTCOME_FINISHED,
  LAC_OUTCOME_DIVERGED,
} LacOutcome;

typedef struct {
  LacOutcome outcome;
  double    *metrics;  /* [n_metrics], NaN before the call; the values of this step */
  char       why[160]; /* when diverged: what and where, one sentence */
} LacStepReport;

typedef struct {
  double memory_bytes;     /* device and host, at the peak */
  double seconds_per_step; /* on one thread of the reference machine */
  gint64 n_steps;
  double seconds_setup;
  double frame_bytes; /* of one kept frame */
} LacEstimate;

typedef struct _LacExperiment LacExperiment;
struct _LacExperiment {
  const char *name;       /* "kolmogorov" */
  const char *title;      /* translatable */
  const char *laboratory; /* "flow", "imaging", "quantum" */
  const char *summary;    /* translatable, one sentence */
  const char *source;     /* paper and equation */
  const char *precision;  /* what "auto" means: "f64" or "f32" */
  gboolean    is_default;

  LacParamTable     params;
  const LacChannel *channels;
  gsize             n_channels;
  const LacMetric  *metrics; /* the first one that is a result is the key metric */
  gsize             n_metrics;

  /* Conditions between parameters; row ranges are already checked. Sets LAC_ERROR_OUT_OF_RANGE. */
  gboolean (*check)(gconstpointer params, GError **error);
  void (*estimate)(gconstpointer params, LacEstimate *estimate);

  /* Returns: the state, or NULL with an error. May take seconds; polls context->cancelled. */
  gpointer (*create)(gconstpointer params, const LacContext *context, GError **error);
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

  /* (optional): a live parameter changed; @params is the new frozen struct, valid until the next call. */
  void (*retune)(gpointer state, gconstpointer params);
};

const LacExperiment *const *lac_experiments(gsize *n_experiments);

/* Returns: (nullable): NULL with %LAC_ERROR_UNKNOWN_KEY, listing the names there are. */
const LacExperiment *lac_experiment_find(const char *name, GError **error);

G_END_DECLS
