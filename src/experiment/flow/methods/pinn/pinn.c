/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The physics-informed network as a method: an ensemble of one or more networks, trained side by side, whose mean is
 * the reconstruction. Source: Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045; Urban, Stefanou,
 * Pons (2025), doi:10.1016/j.jcp.2024.113656 */
#include "experiment/flow/methods/pinn/fields.h"
#include "field/composed-label.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Meaning of each curve, in their order. */
typedef enum {
  CURVE_LOSS,
  CURVE_RESIDUAL,
  CURVE_TERM,
  CURVE_UNKNOWN,
  CURVE_WIDTH,
  CURVE_ERROR,
  CURVE_SCALING,
  CURVE_CAUSAL
} CurveKind;

typedef struct {
  CurveKind kind;
  guint     index; /* index of the term or coefficient */
} CurveSource;

typedef struct {
  LacPinnTrainingData *training;
  gsize                n_curves;
  CurveSource          sources[LAC_SCHEDULER_MAX_CURVES];
  guint                n_members;
  LacPinnMember      **members;
  LacPinnNumbers
                *reported; /* [n_members]: last collected values; widths of the first member only */
  LacPinnFields *fields;
} Pinn;

/* ---- curves ---- */

static const char *
intern_key(const char *prefix, const char *name, const char *suffix)
{
  g_autofree char *key = g_strconcat(prefix, name, suffix, NULL);

  g_strdelimit(g_strcanon(key, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_'), " -", '_');
  return g_intern_string(key);
}

typedef struct {
  LacCurve    *curves;  /* (nullable) */
  CurveSource *sources; /* (nullable) */
  gsize        n;
} CurveList;

static void
append(CurveList *list, const LacCurve *curve, CurveKind kind, guint index)
{
  if (list->n == LAC_SCHEDULER_MAX_CURVES)
    return;
  if (list->curves)
    list->curves[list->n] = *curve;
  if (list->sources)
    list->sources[list->n] = (CurveSource){kind, index};
  list->n++;
}

static void
append_term(CurveList *list, const char *name, guint index)
{
  const LacCurve curve = {.key = intern_key("loss_", name, ""),
                          .label = lac_composed_label(LAC_LABEL_LOSS_OF, name),
                          .unit = "1",
                          .log_axis = TRUE,
                          .reference = NAN};

  append(list, &curve, CURVE_TERM, index);
}

static void
append_unknowns(CurveList *list, const LacPinnParams *params, const LacCase *subject)
{
  for (guint i = 0; i < subject->pde->n_coefficients; i++)
    if (subject->unknown[i]) {
      const char    *name = subject->pde->coefficients[i];
      const LacCurve value = {.key = intern_key("", name, ""),
                              .label = lac_composed_label(LAC_LABEL_FOUND, name),
                              .unit = "1",
                              .is_result = TRUE,
                              .reference = subject->coefficients[i]};
      const LacCurve width = {.key = intern_key("", name, "_width"),
                              .label = lac_composed_label(LAC_LABEL_WIDTH_OF, name),
                              .unit = "1",
                              .log_axis = TRUE,
                              .is_result = TRUE,
                              .reference = NAN};
      const LacCurve deviation = lac_curve_standard_error(value.key);

      append(list, &value, CURVE_UNKNOWN, i);
      append(list, &width, CURVE_WIDTH, i);
      if (lac_pinn_errors_are_given(params, subject))
        append(list, &deviation, CURVE_ERROR, i);
    }
}

static void
append_scalings(CurveList *list, const LacPinnParams *params, const LacCase *subject)
{
  static const char *const labels[] = {N_("Scaling of time"), N_("Scaling of x"),
                                       N_("Scaling of y"), N_("Scaling of z")};
  const guint              first = subject->steady ? 1 : 0;

  for (guint i = 0; params->learn_scaling && i < subject->pde->n_axes; i++) {
    const LacCurve curve = {.key = intern_key("scaling_", subject->pde->axes[i], ""),
                            .label = labels[MIN(first + i, 3)],
                            .unit = "1",
                            .is_result = TRUE,
                            .reference = NAN};

    if (!subject->periodic[i])
      append(list, &curve, CURVE_SCALING, i);
  }
}

/* The loss and the unknowns come first; if curves have to be left out, they are those of loss terms. */
static void
list_curves(const LacPinnParams *params, const LacCase *subject, CurveList *list)
{
  static const LacCurve loss = {"loss", N_("Loss"), "1", TRUE, FALSE, NAN};
  static const LacCurve residual = {"residual", N_("Equation residual (RMS)"), "1", TRUE, TRUE,
                                    NAN};
  static const LacCurve causal = {
    "causal_last", N_("Causal weight of the last time chunk"), "1", FALSE, FALSE, NAN};
  guint index = 0;

  append(list, &loss, CURVE_LOSS, 0);
  append(list, &residual, CURVE_RESIDUAL, 0);
  append_unknowns(list, params, subject);
  append_scalings(list, params, subject);
  if (params->causal > 0)
    append(list, &causal, CURVE_CAUSAL, 0);
  for (guint i = 0; i < subject->pde->n_residuals; i++)
    append_term(list, subject->pde->residual_names[i], index++);
  for (gsize i = 0; i < subject->n_conditions; i++)
    if (!subject->conditions[i].is_hard || !subject->hard)
      append_term(list, subject->conditions[i].name, index++);
  append_term(list, "data", index);
}

static gsize
curves(gconstpointer params, const LacCase *subject, LacCurve *result)
{
  CurveList list = {.curves = result};

  list_curves(params, subject, &list);
  return list.n;
}

/* Evaluated at the training points, which are concentrated where it is largest. */
static double
get_residual(const Pinn *pinn, const LacPinnNumbers *numbers)
{
  double sum = 0;

  for (guint i = 0; i < pinn->training->subject.pde->n_residuals; i++)
    sum += numbers->terms[i];
  return sqrt(sum);
}

static double
get_curve(const Pinn *pinn, const CurveSource *source, const LacPinnNumbers *numbers)
{
  switch (source->kind) {
  case CURVE_LOSS: return numbers->loss;
  case CURVE_RESIDUAL: return get_residual(pinn, numbers);
  case CURVE_TERM: return numbers->terms[source->index];
  case CURVE_UNKNOWN: return numbers->coefficients[source->index];
  case CURVE_CAUSAL: return numbers->causal;
  case CURVE_SCALING: return numbers->scaling[source->index];
  case CURVE_WIDTH:
  case CURVE_ERROR: break;
  }
  return NAN;
}

/* Fills the curves with means over the ensemble, or with values of its first member. */
static void
fill_curves(const Pinn *pinn, LacMethodReport *report)
{
  for (gsize i = 0; i < pinn->n_curves; i++) {
    const CurveSource *source = &pinn->sources[i];
    double             sum = 0;

    for (guint m = 0; m < pinn->n_members; m++)
      sum += get_curve(pinn, source, &pinn->reported[m]) / pinn->n_members;
    report->curves[i] = source->kind == CURVE_WIDTH   ? pinn->reported[0].widths[source->index]
                        : source->kind == CURVE_ERROR ? pinn->reported[0].deviations[source->index]
                                                      : sum;
  }
}

/* ---- life ---- */

static void
destroy(gpointer method)
{
  Pinn *pinn = method;

  lac_pinn_fields_free(pinn->fields);
  for (guint i = 0; i < pinn->n_members; i++)
    lac_pinn_member_free(pinn->members[i]);
  g_free(pinn->members);
  lac_pinn_training_data_free(pinn->training);
  g_free(pinn->reported);
  g_free(pinn);
}

static gboolean
set_up(Pinn *pinn, const LacPinnParams *params, const LacProblem *problem, GError **error)
{
  CurveList list = {.sources = pinn->sources};

  list_curves(params, problem->subject, &list);
  pinn->n_curves = list.n;
  pinn->training = lac_pinn_training_data_new(params, problem, error);
  if (!pinn->training)
    return FALSE;
  pinn->members = g_new0(LacPinnMember *, params->ensemble);
  for (gint64 i = 0; i < params->ensemble; i++) {
    pinn->members[i] = lac_pinn_member_new(pinn->training, (guint) i, error);
    if (!pinn->members[i])
      return FALSE;
    pinn->n_members++;
  }
  pinn->reported = g_new0(LacPinnNumbers, params->ensemble);
  pinn->fields =
    lac_pinn_fields_new(pinn->training, pinn->members, pinn->n_members, problem->context, error);
  return pinn->fields != NULL;
}

static gpointer
create(gconstpointer params, const LacProblem *problem, GError **error)
{
  Pinn *pinn = g_new0(Pinn, 1);

  if (set_up(pinn, params, problem, error))
    return pinn;
  destroy(pinn);
  return NULL;
}

static gint64
n_steps(gconstpointer method)
{
  const Pinn *pinn = method;

  return lac_pinn_stages_get_n_steps(&pinn->training->stages);
}

static gboolean
is_finished(const Pinn *pinn)
{
  gboolean finished = TRUE;

  for (guint i = 0; i < pinn->n_members; i++)
    finished = finished && pinn->members[i]->state.progress.finished;
  return finished;
}

static gboolean
collect_all(Pinn *pinn, GError **error)
{
  for (guint i = 0; i < pinn->n_members; i++)
    if (!lac_pinn_member_collect(pinn->members[i], LAC_STEP_MOST_OPEN, error))
      return FALSE;
  return TRUE;
}

/* Probes the first member when due. Evaluations overwrite the buffers of readbacks in flight, so these are collected
 * first. */
static gboolean
watch(Pinn *pinn, GError **error)
{
  LacPinnMember  *first = pinn->members[0];
  const gint64    iteration = first->state.progress.iteration;
  LacPinnNumbers *numbers =
    first->n_numbers ? &first->numbers[first->n_numbers - 1] : pinn->reported;

  if (lac_pinn_model_get_n_unknowns(&pinn->training->model) == 0 ||
      (iteration % pinn->training->params.watch != 0 && !is_finished(pinn)))
    return TRUE;
  return collect_all(pinn, error) && lac_pinn_member_probe(first, numbers->widths, error) &&
         (!first->errors || !is_finished(pinn) ||
          lac_pinn_errors_find(first->errors, numbers->deviations, error));
}

static gboolean
deviates(gconstpointer params)
{
  return ((const LacPinnParams *) params)->ensemble > 1;
}

/* Returns TRUE when no member needs the values of earlier iterations for its next one. */
static gboolean
is_blind(const Pinn *pinn)
{
  for (guint i = 0; i < pinn->n_members; i++)
    if (!pinn->members[i]->state.progress.finished && !lac_pinn_member_is_blind(pinn->members[i]))
      return FALSE;
  return TRUE;
}

/* Collects pending values before evaluations that overwrite their buffers: a balance of the terms, or a search. */
static gboolean
make_room(Pinn *pinn, GError **error)
{
  const LacPinnParams *params = &pinn->training->params;
  gboolean             due = !is_blind(pinn);

  for (guint i = 0; i < pinn->n_members && params->term_weights != LAC_TERMS_FIXED; i++)
    due = due || pinn->members[i]->state.progress.iteration % params->balance_every == 0;
  return !due || collect_all(pinn, error);
}

/* An epoch is the time between two choices of collocation points. */
static void
place_in_loop(const Pinn *pinn, LacMethodReport *report)
{
  const gint64 refresh = MAX((gint64) pinn->training->params.refresh, 1);
  const gint64 done = MAX((gint64) pinn->members[0]->state.progress.iteration - 1, 0);
  report->epoch = (guint) (done / refresh) + 1;
  report->batch = (guint) (done % refresh) + 1;
}

/* Asks no device, so that a step's curves are reported after the same number of further steps in every run. */
static gboolean
step_is_ready(gpointer owner, guint64 iteration)
{
  const Pinn *pinn = owner;

  for (guint i = 0; i < pinn->n_members; i++) {
    const LacPinnMember *member = pinn->members[i];

    for (guint k = 0; k < member->n_numbers; k++)
      if ((guint64) member->numbers[k].iteration <= iteration &&
          lac_pending_is_open(&member->numbers[k].pending))
        return FALSE;
  }
  return TRUE;
}

/* Members that ended earlier repeat their last values. */
static gboolean
finish_step(gpointer owner, guint64 iteration, gpointer result, GError **error)
{
  Pinn            *pinn = owner;
  LacMethodReport *report = result;

  for (guint i = 0; i < pinn->n_members; i++) {
    LacPinnMember *member = pinn->members[i];

    if (member->n_numbers == 0 || (guint64) member->numbers[0].iteration != iteration)
      continue;
    if (!lac_pinn_member_collect(member, 1, error))
      return FALSE;
    pinn->reported[i] = lac_pinn_member_take(member);
    if (isfinite(pinn->reported[i].loss))
      continue;
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the loss diverged at iteration %d: lower the Adam learning rate"),
               (int) iteration);
  }
  if (report->outcome == LAC_OUTCOME_CONTINUE)
    fill_curves(pinn, report);
  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    pinn->reported[0].widths[i] = pinn->reported[0].deviations[i] = (double) NAN;
  return TRUE;
}

static gboolean
step(gpointer method, LacMethodReport *report, GError **error)
{
  static const LacPendingType type = {step_is_ready, finish_step};
  Pinn                       *pinn = method;
  gint64                      iteration = 0;

  if (!make_room(pinn, error))
    return FALSE;
  for (guint i = 0; i < pinn->n_members; i++) {
    if (!lac_pinn_member_step(pinn->members[i], error))
      return FALSE;
    iteration = MAX(iteration, pinn->members[i]->state.progress.iteration);
    report->samples += (double) pinn->training->params.points;
  }
  place_in_loop(pinn, report);
  if (!watch(pinn, error))
    return FALSE;
  report->pending = (LacPending){&type, pinn, (guint64) iteration};
  if (is_finished(pinn))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* ---- fields ---- */

static gboolean
field(gpointer method, gsize k, double *result, double *deviation, GError **error)
{
  return lac_pinn_fields_get(((Pinn *) method)->fields, k, result, deviation, error);
}

static gboolean
request(gpointer method, const gsize *ks, gsize n, LacPending *pending)
{
  return lac_pinn_fields_request(((Pinn *) method)->fields, ks, n, pending);
}

/* ---- checkpoints ---- */

static void
visit(gpointer method, LacVisit *visit)
{
  Pinn *pinn = method;

  if (visit->from)
    lac_pinn_fields_forget(pinn->fields);
  for (guint i = 0; i < pinn->n_members; i++)
    lac_pinn_member_visit(pinn->members[i], visit);
}

static void
retune(gpointer method, gconstpointer params)
{
  Pinn *pinn = method;

  pinn->training->params.rate = ((const LacPinnParams *) params)->rate;
}

const LacFlowMethod lac_flow_method_pinn = {
  .name = "pinn",
  .title = N_("Physics-informed network"),
  .source = "Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045",
  .params = {lac_pinn_rows, LAC_PINN_N_ROWS, sizeof(LacPinnParams)},
  .gives_deviation = TRUE,
  .deviates = deviates,
  .check = lac_pinn_params_check,
  .estimate = lac_pinn_params_estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .request = request,
  .visit = visit,
  .retune = retune,
};
