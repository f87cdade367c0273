/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the flow laboratory share. */
#pragma once

#include "experiment/flow/laboratory/laboratory.h"
#include "experiment/flow/method.h"
#include "sensor/gappy.h"

#include <math.h>

G_BEGIN_DECLS

#define LAC_LABORATORY_MAX_METHODS 6

/* The rows that every scene has. */
typedef struct {
  gint64 methods;
  char  *measurements;
  gint64 sensors, placement;
  char  *sensor_positions;
  gint64 measured;
  double minimum_distance;
  double noise, dropout;
  gint64 every;
  gint64 modes;
  gint64 score_by, score;
} LacCommonParams;

enum { LAC_REFERENCE_AUTO, LAC_REFERENCE_TRUTH, LAC_REFERENCE_SENSORS };

/* One scene's table, put together from the scene's rows, the common ones and those of the methods it offers. The
 * parameter struct is theirs one after the other. */
typedef struct {
  const LacScene      *scene;
  guint                n_methods;
  const LacFlowMethod *methods[LAC_LABORATORY_MAX_METHODS];
  const char          *method_names[LAC_LABORATORY_MAX_METHODS + 1];
  const char          *method_titles[LAC_LABORATORY_MAX_METHODS + 1];
  const char          *field_names[LAC_PDE_MAX_FIELDS + 1];
  gsize                common;                              /* offset of LacCommonParams */
  gsize                offsets[LAC_LABORATORY_MAX_METHODS]; /* of the methods' own structs */
  LacParamTable        table;
} LacLaboratory;

/* table.c */
LacLaboratory *lac_laboratory_compose(const LacScene *scene);
/* As LacExperiment has it. */
gboolean lac_laboratory_check(const LacExperiment *self, gconstpointer params, GError **error);

static inline const LacCommonParams *
lac_laboratory_common(const LacLaboratory *laboratory, gconstpointer params)
{
  return (gconstpointer) ((const char *) params + laboratory->common);
}

static inline gconstpointer
lac_laboratory_method_params(const LacLaboratory *laboratory, guint method, gconstpointer params)
{
  return (const char *) params + laboratory->offsets[method];
}

/* How many places are measured: by hand, or as many as asked for. */
gsize lac_laboratory_n_stations(const LacCommonParams *common, const LacCase *subject);

/* Whether the methods are judged against the truth; else it is withheld, and the sensors alone tell how far to trust. */
gboolean lac_laboratory_has_truth(const LacCommonParams *common);

/* outline.c: channels and metrics of a run. */

/* A quantity that is shown: a field, or what follows from the fields. */
typedef struct {
  const char *key;   /* "u", "vorticity" */
  guint       field; /* LAC_QUANTITY_VORTICITY: derived */
} LacShown;

#define LAC_QUANTITY_VORTICITY 1000
#define LAC_MAX_SHOWN          (LAC_PDE_MAX_FIELDS + 1)

guint lac_laboratory_shown(const LacCase *subject, LacShown *shown);

/* What a method can say: values of the first fields, and how sure it is. */
typedef struct {
  guint    n_fields;
  gboolean deviates;
} LacKnowledge;

/* @e: index of the method in the laboratory */
LacKnowledge lac_laboratory_find_knowledge(const LacLaboratory *laboratory,
                                           guint                e,
                                           gconstpointer        params,
                                           const LacCase       *subject);

/* Whether there is a channel for the method's value of it, and for its standard deviation. Of a quantity the channels come
 * in this order: truth unless it is withheld, methods that know it as they are listed, their deviations. */
gboolean lac_laboratory_knows(const LacKnowledge *knowledge, const LacShown *shown);
gboolean lac_laboratory_has_deviation(const LacKnowledge *knowledge, const LacShown *shown);
void lac_laboratory_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* Where a method's numbers stand among the metrics of a run; 0: it has no such number. */
typedef struct {
  gsize error; /* of the observation that is shown; without a truth what the sensors are off */
  gsize fluctuation, relative;
  gsize fields, n_fields; /* first of one a field that it knows */
  gsize misfit, residual, innovation, leave_one_out, uncertainty; /* without a truth */
  gsize key, second; /* of the above: where the first method's two main numbers stand */
  gsize curves, n_curves;
} LacMetricPlace;

enum { LAC_METRIC_KEY, LAC_METRIC_SECOND, LAC_METRIC_FIRST_METHOD };

/* Where the gain of the places stands, last of all; 0: the scene has no modes to judge places by, or nobody chose them here. */
gsize lac_laboratory_gain_place(const LacLaboratory *laboratory, gconstpointer params);

/* Whether the error of the fluctuation comes first: where there are modes there is a mean. */
gboolean lac_laboratory_fluctuates(const LacScene *scene);

/* The places of the method at @position in the list; the same ones as lac_laboratory_outline() makes. */
LacMetricPlace
lac_laboratory_place(const LacLaboratory *laboratory, gconstpointer params, guint position);

/* run.c: the state of a run */
typedef struct {
  const LacFlowMethod *method;
  gpointer             self; /* of the turns */
  LacKnowledge         knowledge;
  LacMetricPlace       place;
  gboolean             is_asked; /* what it knew at a frame's step is on its way */
} LacFlowSlot;

typedef struct {
  const LacLaboratory *laboratory;
  LacContext           context;
  gpointer             params; /* own copy; file names are gone */
  LacCase              subject;
  LacTruth            *truth;
  LacTruth             grid; /* the truth without its observed part: what methods see; borrows */
  LacPod              *pod;
  LacObservations     *observations;
  LacProblem           problem;
  double              *mean; /* [n]: the reference of fluctuations */
  LacScheduler         scheduler;
  gsize                shown_time; /* observation of the frame that is being filled */
  LacFlowSlot          slots[LAC_LABORATORY_MAX_METHODS]; /* [turns.n] */
  double              *field, *deviation;                 /* [n] scratch */
  double              *errors;                            /* [n_sensors] scratch */
  double               gain;                              /* of the places over random ones */
  gsize                gain_place;                        /* among the metrics; 0: there is none */
  gboolean             has_truth;
  guint32              name_score;
} LacLaboratoryState;

/* plan.c */
extern const LacPlanning lac_laboratory_planning;

/* layout.c */

/* Judges sensors at @places, [n], by the modes of the earlier snapshots. */
gboolean lac_laboratory_evaluate_layout(const LacLaboratoryState *state,
                                        const double (*places)[2],
                                        gsize             n,
                                        LacLayoutQuality *quality,
                                        GError          **error);

/* By how much the layout's expected error lies below the median of random ones: 0.3 is 30 %. NaN where there are no modes,
 * no sensors or too many to draw others. */
double lac_laboratory_find_gain(const LacLaboratoryState *state);

/* Truth, modes and sensors, without methods. */
LacLaboratoryState *lac_laboratory_prepare(const LacExperiment *self,
                                           gconstpointer        params,
                                           const LacContext    *context,
                                           GError             **error);

/* The observation that is shown after @step steps. */
static inline gsize
lac_laboratory_time(const LacLaboratoryState *state, gint64 step)
{
  const gint64 n_times = (gint64) state->truth->n_times;

  return step < 1 ? 0 : (gsize) ((step * n_times - 1) / state->scheduler.n_steps);
}

/* The first of the observed times that is judged. */
static inline gsize
lac_laboratory_first_scored(const LacLaboratoryState *state)
{
  const gsize n_times = state->truth->n_times;

  return MIN((gsize) ceil(state->subject.scored_from * (double) n_times - 1e-9), n_times - 1);
}

/* judge.c */
double  *lac_laboratory_new_mean(const LacTruth *truth);
gboolean lac_laboratory_score(LacLaboratoryState *state,
                              gboolean            is_last,
                              LacStepReport      *report,
                              GError            **error);

G_END_DECLS
