/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The physics-informed network as an engine: an ensemble of one or more networks, trained side by side, whose mean is the
 * reconstruction. Source: Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045; Urban, Stefanou, Pons
 * (2025), doi:10.1016/j.jcp.2024.113656 */
#include "base/error.h"
#include "experiment/flow/engines/pinn-calibration.h"
#include "experiment/flow/engines/pinn-member.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MOST_AT_ONCE 8192 /* points of a field in one replay */

/* What each curve is, in their order. */
typedef enum {
  CURVE_LOSS,
  CURVE_RESIDUAL,
  CURVE_TERM,
  CURVE_UNKNOWN,
  CURVE_WIDTH,
  CURVE_CAUSAL
} CurveKind;

typedef struct {
  CurveKind kind;
  guint     index; /* of the term or coefficient */
} CurveSource;

typedef struct {
  LacPinnCourse  *course;
  gsize           n_curves;
  CurveSource     sources[LAC_ENGINE_MAX_CURVES];
  double         *theta; /* [n_parameters] scratch */
  guint           n_members;
  LacPinnMember **members;
  LacPinnProbe   *probe;                   /* fields */
  double         *x;                       /* [ny nx][n_axes] */
  double         *values, *mean, *squares; /* [n_fields][ny nx] */
  gsize           n_held;                  /* held-out places at all times */
  double         *held_x;                  /* [n_held][n_axes] */
  double         *held;                    /* [3][n_fields][n_held] */
  double          scale;                   /* of the deviation, by these */
  gint64          scaled_at;               /* iteration; -1: not yet */
} Pinn;

/* ---- curves ---- */

static const char *
intern_key(const char *prefix, const char *name, const char *suffix)
{
  g_autofree char *key = g_strconcat(prefix, name, suffix, NULL);

  g_strdelimit(g_strcanon(key, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_'), " -", '_');
  return g_intern_string(key);
}

static const char *
intern_label(const char *format, const char *name)
{
  g_autoptr(GString) label = g_string_new(format);

  g_string_replace(label, "%s", name, 0);
  return g_intern_string(label->str);
}

typedef struct {
  LacCurve    *curves;  /* (nullable) */
  CurveSource *sources; /* (nullable) */
  gsize        n;
} CurveList;

static void
append(CurveList *list, const LacCurve *curve, CurveKind kind, guint index)
{
  if (list->n == LAC_ENGINE_MAX_CURVES)
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
                          .label = intern_label(_("Loss: %s"), name),
                          .unit = "1",
                          .log_axis = TRUE,
                          .reference = NAN};

  append(list, &curve, CURVE_TERM, index);
}

static void
append_unknowns(CurveList *list, const LacCase *subject)
{
  for (guint i = 0; i < subject->pde->n_coefficients; i++)
    if (subject->unknown[i]) {
      const char    *name = subject->pde->coefficients[i];
      const LacCurve value = {.key = intern_key("", name, ""),
                              .label = intern_label(_("Found: %s"), name),
                              .unit = "1",
                              .is_result = TRUE,
                              .reference = subject->coefficients[i]};
      const LacCurve width = {.key = intern_key("", name, "_width"),
                              .label = intern_label(_("Change of %s that doubles the loss"), name),
                              .unit = "1",
                              .log_axis = TRUE,
                              .is_result = TRUE,
                              .reference = NAN};

      append(list, &value, CURVE_UNKNOWN, i);
      append(list, &width, CURVE_WIDTH, i);
    }
}

/* The loss and the unknowns come first, so that whatever does not fit is the loss of a term. */
static void
list_curves(const LacPinnParams *params, const LacCase *subject, CurveList *list)
{
  static const LacCurve loss = {"loss", N_("Loss"), "1", TRUE, FALSE, NAN};
  static const LacCurve residual = {
    "residual", N_("Residual of the equation, rms"), "1", TRUE, TRUE, NAN};
  static const LacCurve causal = {
    "causal_last", N_("Causal weight of the last time"), "1", FALSE, FALSE, NAN};
  guint index = 0;

  append(list, &loss, CURVE_LOSS, 0);
  append(list, &residual, CURVE_RESIDUAL, 0);
  append_unknowns(list, subject);
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

/* At the points that are trained on, which lie where it is largest. */
static double
get_residual(const Pinn *pinn, const LacPinnMember *member)
{
  double sum = 0;

  for (guint i = 0; i < pinn->course->subject.pde->n_residuals; i++)
    sum += lac_pinn_loss_get_term(member->loss, i);
  return sqrt(sum);
}

static double
get_curve(Pinn *pinn, const CurveSource *source, guint member)
{
  const LacPinnMember *of = pinn->members[member];

  switch (source->kind) {
  case CURVE_LOSS: return of->last;
  case CURVE_RESIDUAL: return get_residual(pinn, of);
  case CURVE_TERM:
    return source->index < of->loss->n_terms ? lac_pinn_loss_get_term(of->loss, source->index) : 0;
  case CURVE_UNKNOWN:
    return lac_pinn_model_get_coefficient(&pinn->course->model, pinn->theta, source->index);
  case CURVE_CAUSAL: return of->weights->chunks[LAC_CAUSAL_CHUNKS - 1];
  case CURVE_WIDTH: break;
  }
  return NAN;
}

/* Means over the ensemble. */
static void
fill_curves(Pinn *pinn, const double *widths, LacEngineReport *report)
{
  for (guint m = 0; m < pinn->n_members; m++) {
    lac_program_dup_theta(pinn->members[m]->loss->program, pinn->theta);
    for (gsize i = 0; i < pinn->n_curves; i++)
      report->curves[i] =
        (m ? report->curves[i] : 0) + get_curve(pinn, &pinn->sources[i], m) / pinn->n_members;
  }
  for (gsize i = 0; i < pinn->n_curves; i++)
    if (pinn->sources[i].kind == CURVE_WIDTH)
      report->curves[i] = widths[pinn->sources[i].index];
}

/* ---- life ---- */

static void
destroy(gpointer engine)
{
  Pinn *pinn = engine;

  for (guint i = 0; i < pinn->n_members; i++)
    lac_pinn_member_free(pinn->members[i]);
  g_free(pinn->members);
  lac_pinn_probe_free(pinn->probe);
  lac_pinn_course_free(pinn->course);
  g_free(pinn->theta);
  g_free(pinn->held_x);
  g_free(pinn->held);
  g_free(pinn->x);
  g_free(pinn->values);
  g_free(pinn->mean);
  g_free(pinn->squares);
  g_free(pinn);
}

static gboolean
set_up(Pinn *pinn, const LacPinnParams *params, const LacProblem *problem, GError **error)
{
  const LacPde *pde = problem->subject->pde;
  const gsize   n = problem->grid->nx * problem->grid->ny;
  CurveList     list = {.sources = pinn->sources};

  list_curves(params, problem->subject, &list);
  pinn->n_curves = list.n;
  pinn->course = lac_pinn_course_new(params, problem, error);
  if (!pinn->course)
    return FALSE;
  pinn->members = g_new0(LacPinnMember *, params->ensemble);
  for (gint64 i = 0; i < params->ensemble; i++) {
    pinn->members[i] = lac_pinn_member_new(pinn->course, (guint) i, error);
    if (!pinn->members[i])
      return FALSE;
    pinn->n_members++;
  }
  pinn->theta = g_new0(double, pinn->members[0]->n_parameters);
  pinn->x = g_new0(double, n * pde->n_axes);
  pinn->values = g_new0(double, n * pde->n_fields);
  pinn->mean = g_new0(double, n * pde->n_fields);
  pinn->squares = g_new0(double, n * pde->n_fields);
  pinn->scale = 1;
  pinn->scaled_at = -1;
  if (params->ensemble > 1)
    pinn->n_held = lac_pinn_held_points(&pinn->course->subject, pinn->course->observations,
                                        pinn->course->held_out, NULL);
  pinn->held_x = g_new0(double, pinn->n_held * pde->n_axes);
  pinn->held = g_new0(double, 3 * pinn->n_held * pde->n_fields);
  lac_pinn_held_points(&pinn->course->subject, pinn->n_held ? pinn->course->observations : NULL,
                       pinn->course->held_out, pinn->held_x);
  pinn->probe =
    lac_pinn_probe_new(&pinn->course->model, FALSE, MIN(n, MOST_AT_ONCE), problem->context, error);
  return pinn->probe != NULL;
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
n_steps(gconstpointer engine)
{
  const Pinn *pinn = engine;

  return lac_pinn_schedule_get_n_steps(&pinn->course->schedule);
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
watch(Pinn *pinn, double *widths, GError **error)
{
  const gint64 iteration = pinn->members[0]->state.progress.iteration;

  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    widths[i] = NAN;
  if (lac_pinn_model_get_n_unknowns(&pinn->course->model) == 0 ||
      (iteration % pinn->course->params.watch != 0 && !is_finished(pinn)))
    return TRUE;
  return lac_pinn_member_probe(pinn->members[0], widths, error);
}

static gboolean
deviates(gconstpointer params)
{
  return ((const LacPinnParams *) params)->ensemble > 1;
}

static gboolean
step(gpointer engine, LacEngineReport *report, GError **error)
{
  Pinn  *pinn = engine;
  double widths[LAC_PDE_MAX_COEFFICIENTS];

  for (guint i = 0; i < pinn->n_members; i++) {
    LacPinnMember *member = pinn->members[i];

    if (!lac_pinn_member_step(member, error))
      return FALSE;
    report->samples += (double) pinn->course->params.points;
    if (!isfinite(member->last)) {
      report->outcome = LAC_OUTCOME_DIVERGED;
      g_snprintf(report->why, sizeof report->why,
                 _("the loss left the numbers at iteration %d: lower the Adam rate"),
                 (int) member->state.progress.iteration);
      return TRUE;
    }
  }
  if (!watch(pinn, widths, error))
    return FALSE;
  fill_curves(pinn, widths, report);
  if (is_finished(pinn))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* ---- fields ---- */

static void
place_grid(const Pinn *pinn, gsize k)
{
  const LacTruth *grid = pinn->course->grid;
  const LacCase  *subject = &pinn->course->subject;
  const guint     n_axes = subject->pde->n_axes;

  for (gsize row = 0; row < grid->ny; row++)
    for (gsize column = 0; column < grid->nx; column++) {
      double *x = pinn->x + (row * grid->nx + column) * n_axes;

      if (!subject->steady)
        *x++ = grid->times[k];
      *x++ = lac_truth_get_x(grid, column);
      if (n_axes > (subject->steady ? 1u : 2u))
        *x = lac_truth_get_y(grid, row);
    }
}

/* Mean and deviation over the members at the @n points in pinn->x; @mean, @squares: [n_fields][n] */
static gboolean
predict(Pinn *pinn, LacPinnProbe *probe, const double *x, gsize n, double *to[3], GError **error)
{
  const gsize length = n * pinn->course->subject.pde->n_fields;
  double     *values = to[0], *mean = to[1], *deviation = to[2];

  memset(mean, 0, length * sizeof *mean);
  memset(deviation, 0, length * sizeof *deviation);
  for (guint m = 0; m < pinn->n_members; m++) {
    LacPinnMember *member = pinn->members[m];

    lac_pinn_member_open(member, probe);
    if (!lac_pinn_probe_run(probe, lac_program_get_theta(member->loss->program), x, n,
                            member->state.progress.iteration, values, error))
      return FALSE;
    /* Welford's update: no difference of large sums */
    for (gsize i = 0; i < length; i++) {
      const double before = values[i] - mean[i];

      mean[i] += before / (m + 1);
      deviation[i] += before * (values[i] - mean[i]);
    }
  }
  for (gsize i = 0; i < length; i++)
    deviation[i] = pinn->n_members > 1 ? sqrt(deviation[i] / (pinn->n_members - 1)) : (double) NAN;
  return TRUE;
}

/* Once an iteration. */
static gboolean
calibrate(Pinn *pinn, GError **error)
{
  const LacPinnCourse *course = pinn->course;
  const gint64         iteration = pinn->members[0]->state.progress.iteration;
  const gsize          length = pinn->n_held * course->subject.pde->n_fields;
  double              *to[] = {pinn->held, pinn->held + length, pinn->held + 2 * length};

  if (pinn->n_held == 0 || pinn->scaled_at == iteration)
    return TRUE;
  if (!predict(pinn, pinn->probe, pinn->held_x, pinn->n_held, to, error))
    return FALSE;
  pinn->scale =
    lac_pinn_held_scale(&course->subject, course->observations, course->held_out, to[1], to[2]);
  pinn->scaled_at = iteration;
  return TRUE;
}

static gboolean
field(gpointer engine, gsize k, double *result, double *deviation, GError **error)
{
  Pinn           *pinn = engine;
  const LacTruth *grid = pinn->course->grid;
  const gsize     n = grid->nx * grid->ny, length = lac_truth_get_length(grid);
  double         *to[] = {pinn->values, pinn->mean, pinn->squares};

  g_return_val_if_fail(k < grid->n_times, FALSE);
  place_grid(pinn, k);
  if (!predict(pinn, pinn->probe, pinn->x, n, to, error))
    return FALSE;
  memcpy(result, pinn->mean, length * sizeof *result);
  if (!deviation)
    return TRUE;
  if (!calibrate(pinn, error))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    deviation[i] = pinn->scale * pinn->squares[i];
  return TRUE;
}

/* ---- checkpoints ---- */

static void
save(gpointer engine, LacStore *store)
{
  Pinn *pinn = engine;

  for (guint i = 0; i < pinn->n_members; i++)
    lac_pinn_member_save(pinn->members[i], store);
}

static gboolean
load(gpointer engine, const LacStore *store, GError **error)
{
  Pinn *pinn = engine;

  pinn->scaled_at = -1;
  for (guint i = 0; i < pinn->n_members; i++)
    if (!lac_pinn_member_load(pinn->members[i], store, error))
      return FALSE;
  return TRUE;
}

static void
retune(gpointer engine, gconstpointer params)
{
  Pinn *pinn = engine;

  pinn->course->params.rate = ((const LacPinnParams *) params)->rate;
}

const LacEngine lac_engine_pinn = {
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
  .save = save,
  .load = load,
  .retune = retune,
};
