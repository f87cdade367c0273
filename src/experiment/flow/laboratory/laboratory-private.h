/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the parts of the flow laboratory. */
#pragma once

#include "experiment/flow/calibration.h"
#include "experiment/flow/laboratory/baselines.h"
#include "experiment/flow/laboratory/budgets.h"
#include "experiment/flow/laboratory/equation-residual.h"
#include "experiment/flow/laboratory/laboratory.h"
#include "experiment/flow/method.h"
#include "experiment/method-table.h"
#include "sensor/gappy.h"

#include <math.h>

G_BEGIN_DECLS

#define LAC_LABORATORY_MAX_METHODS 6

/* Parameters common to all scenes. */
typedef struct {
  gint64 methods;
  char  *measurements;
  gint64 sensors, placement;
  char  *sensor_positions, *sensor_regions;
  gint64 measured;
  double minimum_distance;
  double noise, dropout;
  gint64 every;
  gint64 held_out_turn;
  gint64 modes;
  gint64 modes_by; /* LacPodMethod */
  gint64 score_by, score;
  gint64 budgets, equation_residual, whole_window, band_coverage,
    reliability_diagram; /* switches */
  char  *true_field;     /* (nullable): file */
  gint64 start;          /* LacStart */
} LacCommonParams;

#define LAC_TRUE_FIELD "true_field" /* key of the row, and of the field among the inputs */

/* The state at the first observation as it is given to forecasting methods. */
typedef enum {
  LAC_START_SCENE,       /* the initial condition of the scene, or the training part */
  LAC_START_CLIMATOLOGY, /* the training part */
  LAC_START_LAST,        /* a forecast from the last training snapshot */
  LAC_START_EXACT,       /* the true state */
} LacStart;

enum { LAC_REFERENCE_AUTO, LAC_REFERENCE_TRUTH, LAC_REFERENCE_SENSORS };

/* The parameter table of one scene: rows of the scene, common rows, and rows of the methods it offers. The parameter
 * struct is their concatenation. */
typedef struct {
  const LacScene *scene;
  LacMethodTable  methods;
  const char     *field_names[LAC_PDE_MAX_FIELDS + 1];
  gsize           common; /* offset of LacCommonParams */
  LacParamTable   table;
} LacLaboratory;

/* table.c */
LacLaboratory *lac_laboratory_compose(const LacScene *scene);
/* Configures the case of @params, with the start that they choose; the state itself follows in set-up.c. */
void
lac_laboratory_configure(LacCase *subject, const LacLaboratory *laboratory, gconstpointer params);
/* Returns TRUE when the laboratory gives the start: it is not that of the scene. */
gboolean lac_laboratory_gives_start(const LacCase *subject);
/* See LacExperiment. */
gboolean lac_laboratory_check(const LacExperiment *self, gconstpointer params, GError **error);
char    *lac_laboratory_dup_given(const LacExperiment *self, gconstpointer params);
gboolean lac_laboratory_agrees(const LacExperiment   *self,
                               gconstpointer          params,
                               const LacParam        *row,
                               const LacGridField    *field,
                               const LacMeasurements *measurements,
                               GError               **error);

static inline const LacCommonParams *
lac_laboratory_common(const LacLaboratory *laboratory, gconstpointer params)
{
  return (gconstpointer) ((const char *) params + laboratory->common);
}

static inline const LacFlowMethod *
lac_laboratory_method(const LacLaboratory *laboratory, guint method)
{
  return (const LacFlowMethod *) laboratory->methods.methods[method];
}

static inline gconstpointer
lac_laboratory_method_params(const LacLaboratory *laboratory, guint method, gconstpointer params)
{
  return lac_method_table_get_params(&laboratory->methods, method, params);
}

/* Returns the number of sensor positions: those placed by hand, or the requested number. */
gsize lac_laboratory_n_stations(const LacCommonParams *common, const LacCase *subject);

/* Returns TRUE when methods are scored against the truth; otherwise it is withheld and only the sensors measure
 * reliability. */
gboolean lac_laboratory_has_truth(const LacCommonParams *common);

/* knowledge.c: what a run displays, and what its methods know of it. */

/* A displayed quantity: a field, or one derived from the fields. */
typedef struct {
  const char *key;   /* "u", "vorticity" */
  guint       field; /* LAC_QUANTITY_VORTICITY: derived */
} LacShown;

#define LAC_QUANTITY_VORTICITY 1000
#define LAC_MAX_SHOWN          (LAC_PDE_MAX_FIELDS + 1)

guint lac_laboratory_shown(const LacCase *subject, LacShown *shown);

/* Output of a method: the number of fields that it estimates, which are the first fields of the equation, and a flag
 * that is TRUE when it also estimates their standard deviation. */
typedef struct {
  guint    n_fields;
  gboolean deviates;
  gboolean
    predicts_left_out; /* readings that it does not use; it also claims a deviation of these if it deviates */
} LacKnowledge;

/* @e: index of the method in the laboratory */
LacKnowledge lac_laboratory_find_knowledge(const LacLaboratory *laboratory,
                                           guint                e,
                                           gconstpointer        params,
                                           const LacCase       *subject);

/* Return TRUE when a run has a channel for the method's estimate of the quantity, and for its standard deviation. The
 * channels of a quantity are ordered: first the truth, unless withheld; then the methods that provide the quantity,
 * in the order of the list; then their deviations. */
gboolean lac_laboratory_knows(const LacKnowledge *knowledge, const LacShown *shown);
gboolean lac_laboratory_has_deviation(const LacKnowledge *knowledge, const LacShown *shown);

/* Returns TRUE when the method's error bars are compared with its errors. */
gboolean lac_laboratory_is_calibrated(const LacLaboratory *laboratory,
                                      gconstpointer        params,
                                      const LacCase       *subject,
                                      const LacKnowledge  *knowledge);

/* outline.c: channels and metrics of a run. */
void lac_laboratory_outline(const LacExperiment *self, gconstpointer params, LacOutline *outline);

/* Indices of a method's values among the metrics of a run; 0: none. */
typedef struct {
  gsize error; /* error at the displayed observation; without a truth, the misfit at the sensors */
  gsize fluctuation, relative;
  gsize whole;            /* first of LAC_N_WHOLE */
  gsize calibration;      /* first of LAC_N_BANDS coverages, then the score */
  gsize held_out;         /* the same of the readings held out in turn */
  gsize fields, n_fields; /* first of n_fields metrics, one per estimated field */
  gsize misfit, residual, innovation, leave_one_out, uncertainty; /* only without a truth */
  gsize budgets[LAC_N_BUDGETS];   /* at the displayed observation, of fields in two dimensions */
  gsize energy_ratio, divergence; /* over the scored observations */
  gsize equation;                 /* residual of the equation at the end of the run */
  gsize key, second;              /* indices of the two main metrics of the first method */
  gsize curves, n_curves;
} LacMetricPlace;

/* Errors at the end of a run over all observation times and over their last third, relative to the fluctuation about
 * the mean of the training part or of these observations; and the skill over the best baseline. */
enum {
  LAC_WHOLE_FLUCTUATION,
  LAC_LAST_THIRD_FLUCTUATION,
  LAC_WHOLE_WINDOW,
  LAC_LAST_THIRD_WINDOW,
  LAC_SKILL,
  LAC_N_WHOLE
};

/* Returns TRUE when a run reports these and its baselines. */
gboolean lac_laboratory_has_whole(const LacLaboratory *laboratory,
                                  gconstpointer        params,
                                  const LacCase       *subject);

enum { LAC_METRIC_KEY, LAC_METRIC_SECOND, LAC_METRIC_FIRST_METHOD };

/* Fills the indices of the baselines among the metrics; 0: not available. */
void lac_laboratory_place_baselines(const LacLaboratory *laboratory,
                                    gconstpointer        params,
                                    gsize                places[LAC_N_BASELINES]);

/* Returns the index of the truth's own error; 0 where it is not estimated. */
gsize lac_laboratory_truth_error_place(const LacLaboratory *laboratory, gconstpointer params);

/* Returns the index of the placement gain, the last metric; 0 when the scene has no modes with which to evaluate
 * positions, or when no placement method chose them. */
gsize lac_laboratory_gain_place(const LacLaboratory *laboratory, gconstpointer params);

/* Returns TRUE when the error of the fluctuation is the main metric: scenes with modes have a mean to subtract. */
gboolean lac_laboratory_fluctuates(const LacScene *scene);

/* Returns the first of @n_times observations that is scored. */
static inline gsize
lac_laboratory_find_scored(const LacCase *subject, gsize n_times)
{
  return MIN((gsize) ceil(subject->scored_from * (double) n_times - 1e-9), n_times - 1);
}

/* Returns the first observation of the last third. */
static inline gsize
lac_laboratory_find_last_third(const LacTruth *truth)
{
  return (2 * truth->n_times + 2) / 3;
}

/* Returns the metric indices of the method at @position in the list, consistent with lac_laboratory_outline(). */
LacMetricPlace
lac_laboratory_place(const LacLaboratory *laboratory, gconstpointer params, guint position);

enum { LAC_DIAGRAM_RELIABILITY, LAC_DIAGRAM_RANKS, LAC_N_DIAGRAMS };

/* The curves of a diagram; the last one is that of a calibrated method. */
typedef struct {
  float *values; /* [n_rows][points] */
  gsize  n_rows; /* 0: the run has no such diagram */
} LacDiagram;

/* The state of a run. */
typedef struct {
  const LacFlowMethod *method;
  gpointer             self; /* owned by the scheduler */
  LacKnowledge         knowledge;
  LacMetricPlace       place;
  gsize                diagram_rows[LAC_N_DIAGRAMS]; /* its curves, from 1; 0: none */
  gboolean             is_asked; /* of a frame, the estimate was requested: see @answers */
  LacPending           pending;
  double              *answers; /* (nullable): [2][shown times][n]: fields, then deviations */
  double *held_out; /* (nullable): [n_times][2][n_sensors]: see lac_laboratory_get_held_out() */
  gsize   n_tested; /* observations at which it has been found */
} LacFlowSlot;

typedef struct {
  const LacLaboratory *laboratory;
  LacContext           context;
  gpointer             params; /* own copy, without file names */
  LacCase              subject;
  LacTruth            *truth;
  LacTruth
    grid; /* view of the truth as given to the methods, without the observed part; borrows the rest */
  LacPod          *pod;
  LacObservations *observations;
  LacObservations
    *seen; /* (nullable): by the methods, without the readings held out in turn; NULL: all */
  LacProblem   problem;
  double      *mean;        /* [n]: mean that defines the fluctuation */
  double      *window_mean; /* [n]: of the observed part; NULL: not needed */
  LacBaselines baselines;
  gsize        baseline_places[LAC_N_BASELINES]; /* metric indices; 0: none */
  LacScheduler scheduler;
  gsize        shown_time;                        /* observation of the frame being filled */
  LacFlowSlot  slots[LAC_LABORATORY_MAX_METHODS]; /* [scheduler.n] */
  double      *field, *deviation;                 /* [n] scratch */
  double      *errors;                            /* [n_sensors] scratch */
  LacEquationResidual
    *equations[LAC_PDE_MAX_FIELDS + 1]; /* by the number of fields known; NULL: not needed */
  LacDiagram diagrams[LAC_N_DIAGRAMS];
  double    *around; /* [LAC_EQUATION_TIMES][n]: scratch; NULL: not needed */
  double    *start;  /* (nullable): [n_start] of the case */
  double     gain;   /* placement gain of the sensor positions; see lac_laboratory_find_gain() */
  gsize      truth_error_place;
  gsize      gain_place; /* metric index of the gain; 0: none */
  gboolean   has_truth;
  guint32    name_score;
  gint64     score_every; /* steps between evaluations */
} LacLaboratoryState;

/* plan.c */
extern const LacPlanning lac_laboratory_planning;

/* layout.c */

/* Evaluates sensors at @places, [n][2], using the modes of the training snapshots. */
gboolean lac_laboratory_evaluate_layout(const LacLaboratoryState *state,
                                        const double (*places)[2],
                                        gsize             n,
                                        LacLayoutQuality *quality,
                                        GError          **error);

/* Returns how much less the error of gappy POD is with the layout than the median over 32 random layouts, for the scored
 * part of the truth and equal noise: 0.3 is 30 %. NaN without truth, modes or sensors, and with too many sensors to draw
 * random layouts. */
double lac_laboratory_find_gain(const LacLaboratoryState *state);

/* Prepares truth, modes and sensors, without methods. */
LacLaboratoryState *lac_laboratory_prepare(const LacExperiment *self,
                                           gconstpointer        params,
                                           const LacContext    *context,
                                           GError             **error);

/* Finds the modes and the sensors again with changed parameters of the sensors. Returns: FALSE with an error, after
 * which the state can be used only for another try. */
gboolean lac_laboratory_place_again(LacLaboratoryState *state, GError **error);

/* Returns the number of observations that a method with one step per observation has assimilated after @step steps. */
static inline gsize
lac_laboratory_n_assimilated(const LacLaboratoryState *state, gint64 step)
{
  return (gsize) (MAX(step, 0) * (gint64) state->truth->n_times / state->scheduler.n_steps);
}

/* Returns the observation displayed after @step steps: the last of these. */
static inline gsize
lac_laboratory_time(const LacLaboratoryState *state, gint64 step)
{
  return MAX(lac_laboratory_n_assimilated(state, step), 1) - 1;
}

/* Returns the first scored observation time. */
static inline gsize
lac_laboratory_first_scored(const LacLaboratoryState *state)
{
  return lac_laboratory_find_scored(&state->subject, state->truth->n_times);
}

static inline LacErrorNorm
lac_laboratory_get_norm(const LacLaboratoryState *state)
{
  return (LacErrorNorm){.subject = &state->subject,
                        .truth = state->truth,
                        .mean = state->mean,
                        .window = state->window_mean};
}

/* score-equation.c: make what the method's metric needs; set the metric, without allocating. Where there is none they do
 * nothing. */
gboolean
lac_laboratory_prepare_equation(LacLaboratoryState *state, const LacFlowSlot *slot, GError **error);
gboolean lac_laboratory_score_equation(const LacLaboratoryState *state,
                                       const LacFlowSlot        *slot,
                                       double                   *metrics,
                                       GError                  **error);

/* held-out.c: readings of sensors held out in turn. hold_out() withholds them from the problem, prepare() makes room once
 * the methods exist; both do nothing if none are. test() compares estimates with them as they are reached, at the end of
 * a run all; it does not allocate. */
void     lac_laboratory_hold_out(LacLaboratoryState *state);
void     lac_laboratory_prepare_held_out(LacLaboratoryState *state);
gboolean lac_laboratory_test_held_out(LacLaboratoryState *state, gboolean is_last, GError **error);
void     lac_laboratory_save_held_out(LacLaboratoryState *state, LacStore *store);
gboolean
lac_laboratory_load_held_out(LacLaboratoryState *state, const LacStore *store, GError **error);
/* Returns, where some are held out, what was found at observation @k: [n_sensors] errors of the estimate, then their claimed
 * standard deviations; NaN for readings that were not held out. */
double *
lac_laboratory_get_held_out(const LacLaboratoryState *state, const LacFlowSlot *slot, gsize k);

/* Probabilities of the reliability diagram; the last interval holds everything. */
#define LAC_DIAGRAM_POINTS (LAC_CALIBRATION_LEVELS - 1)

/* diagrams.c: the last planes of a frame. add() adds their channels, count_points() returns the number of points of one of
 * these; prepare() makes the curves; record() sets that of a
 * method; shape() sets the sizes of the planes; fill() fills them. Only add() and prepare() allocate. */
void  lac_laboratory_add_diagrams(GArray              *channels,
                                  const LacLaboratory *laboratory,
                                  gconstpointer        params,
                                  const LacCase       *subject);
gsize lac_laboratory_count_points(const LacChannel *channel);
void  lac_laboratory_prepare_diagrams(LacLaboratoryState *state);
void  lac_laboratory_record_reliability(LacLaboratoryState   *state,
                                        const LacFlowSlot    *slot,
                                        const LacCalibration *calibration);
void  lac_laboratory_shape_diagrams(const LacLaboratoryState *state, gsize (*sizes)[2]);
void  lac_laboratory_fill_diagrams(const LacLaboratoryState *state, LacFrame *frame);

/* set-up.c: see LacExperiment */
gpointer lac_laboratory_create(const LacExperiment *self,
                               gconstpointer        params,
                               const LacContext    *context,
                               GError             **error);
void     lac_laboratory_destroy(gpointer state);

/* score.c */

/* Chooses the steps at which methods are evaluated. @estimate: of the run's steps */
void     lac_laboratory_prepare_score(LacLaboratoryState *state, const LacEstimate *estimate);
gboolean lac_laboratory_score(LacLaboratoryState *state,
                              gboolean            is_last,
                              LacStepReport      *report,
                              GError            **error);

G_END_DECLS
