/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of text to scenes as in the registry. Their parts remain valid until the program ends, like the
 * registry's. */
#include "experiment/flow/scenes/written.h"

#include "base/error.h"
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MOST_TRIES 1000 /* per point of a condition outside the holes */

typedef struct {
  LacExactParams exact;
} Params;

typedef struct {
  gboolean       is_rim;
  gsize          first_hole, n_holes;
  guint          axis;
  double         at;
  LacExpression *values[LAC_CONDITION_VALUES]; /* NULL: not given */
} Condition;

typedef struct {
  LacScene       scene;
  LacPde        *pde;
  LacCase        shape; /* copied by configure(); owns the corners of its holes */
  Condition      conditions[LAC_CASE_MAX_CONDITIONS];
  LacExpression *exact[LAC_PDE_MAX_FIELDS];
  LacParam       rows[2];
} Written;

/* clang-format off */
static const LacParam all_rows[] = {
  LAC_EXACT_GRID_ROW(Params, 64),
  LAC_EXACT_TIMES_ROW(Params, 50),
};
/* clang-format on */

static const LacDefault line_defaults[] = {{"placement", "uniform"}, {NULL, NULL}};
static const LacDefault plane_defaults[] = {{"placement", "stratified"}, {NULL, NULL}};

/* ---- conditions ---- */

static void
sample_place(const LacCase *subject, const Condition *condition, LacRng *rng, double *x)
{
  const guint first = lac_case_first_axis(subject);

  for (guint i = 0; i < subject->pde->n_axes; i++)
    x[i] = subject->lower[i] + (subject->upper[i] - subject->lower[i]) * lac_rng_uniform(rng);
  if (condition->is_rim) {
    const LacHole *holes = subject->holes + condition->first_hole;
    double         along = 0;
    gsize          hole = 0;

    for (gsize i = 0; i < condition->n_holes; i++)
      along += lac_hole_get_rim(&holes[i]);
    along *= lac_rng_uniform(rng);
    while (hole + 1 < condition->n_holes && along > lac_hole_get_rim(&holes[hole]))
      along -= lac_hole_get_rim(&holes[hole++]);
    lac_hole_sample_rim(&holes[hole], rng, x + first);
  } else {
    x[condition->axis] = condition->at;
  }
}

static gboolean
is_cut_out(const LacCase *subject, const double *x)
{
  const double *place = x + lac_case_first_axis(subject);

  for (gsize i = 0; i < subject->n_holes; i++)
    if (lac_hole_contains(&subject->holes[i], place[0], place[1]))
      return TRUE;
  return FALSE;
}

static void
sample(const LacCase *subject, guint c, LacRng *rng, double *x, double *values)
{
  const Written   *written = subject->data;
  const Condition *condition = &written->conditions[c];
  guint            tries = 0;

  do
    sample_place(subject, condition, rng, x);
  while (!condition->is_rim && is_cut_out(subject, x) && ++tries < MOST_TRIES);
  for (guint v = 0; v < LAC_CONDITION_VALUES; v++)
    if (condition->values[v])
      values[v] = lac_expression_evaluate(condition->values[v], x, subject->coefficients);
}

/* The sampling function of each condition encodes its index. */
#define SAMPLE(c)                                                                        \
  static void sample_##c(const LacCase *subject, LacRng *rng, double *x, double *values) \
  {                                                                                      \
    sample(subject, c, rng, x, values);                                                  \
  }
SAMPLE(0)
SAMPLE(1)
SAMPLE(2)
SAMPLE(3)
SAMPLE(4)
SAMPLE(5)
SAMPLE(6)
SAMPLE(7)
#undef SAMPLE

static void (*const samples[LAC_CASE_MAX_CONDITIONS])(const LacCase *,
                                                      LacRng *,
                                                      double *,
                                                      double *) = {
  sample_0, sample_1, sample_2, sample_3, sample_4, sample_5, sample_6, sample_7};

/* ---- the scene ---- */

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const Written *written = subject->data;

  for (guint f = 0; f < written->pde->n_fields; f++)
    values[f] =
      written->exact[f] ? lac_expression_evaluate(written->exact[f], x, subject->coefficients) : 0;
}

static const LacExactScene exact = {.solution = solution};

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params  *params = values;
  const Written *written = subject->data;
  const LacCase  given = *subject;
  gsize          nx, ny;

  *subject = written->shape;
  subject->exact = &exact;
  subject->params = given.params;
  subject->data = given.data;
  subject->n_fields = given.n_fields;
  memcpy(subject->parameter_coefficient, given.parameter_coefficient,
         sizeof given.parameter_coefficient);
  for (gsize i = 0; i < subject->n_holes; i++)
    subject->holes[i].corners = g_memdup2(written->shape.holes[i].corners,
                                          written->shape.holes[i].n_corners * 2 * sizeof(double));
  lac_exact_get_sides(subject, &nx, &ny);
  subject->n_points = nx * ny;
  subject->n_times = subject->steady ? 1 : (gsize) params->exact.times;
}

/* Without an exact solution only the grid is needed. */
static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  LacTruth *truth = lac_exact_truth(values, subject, context, error);

  if (!truth || subject->n_holes == 0)
    return truth;
  truth->mask = g_new(guint8, truth->nx * truth->ny);
  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    double  x[LAC_PDE_MAX_AXES] = {0};
    double *place = x + lac_case_first_axis(subject);

    place[0] = lac_truth_get_x(truth, i % truth->nx);
    place[1] = lac_truth_get_y(truth, i / truth->nx);
    truth->mask[i] = !is_cut_out(subject, x);
  }
  return truth;
}

/* ---- making it ---- */

static gboolean G_GNUC_PRINTF(2, 3) refuse(GError **error, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  g_autofree char *sentence = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_USAGE, sentence);
  return FALSE;
}

static gboolean
check_domain(const LacSceneText *text, GError **error)
{
  const LacSymbols *symbols = &text->pde.symbols;
  const guint       first = text->steady ? 0 : 1;

  if (symbols->n_axes < first + 1 || symbols->n_axes > first + 2)
    return refuse(error, "axes are x or x and y, with t before them if the field is unsteady");
  for (guint i = 0; i < symbols->n_axes; i++)
    if (!isfinite(text->lower[i]) || !isfinite(text->upper[i]) || text->lower[i] >= text->upper[i])
      return refuse(error, "the upper end of axis %s must be above its lower end",
                    symbols->axes[i]);
  if (!text->steady && (text->lower[0] != 0 || text->periodic[0]))
    return refuse(error, "axis t begins at 0 and is not periodic");
  if (text->n_holes > 0 && symbols->n_axes != first + 2)
    return refuse(error, "holes need a plane, but this scene is one-dimensional");
  return TRUE;
}

static gboolean
make_condition(Written *written, const LacSceneText *text, gsize c, GError **error)
{
  const LacConditionText *from = &text->conditions[c];
  Condition              *to = &written->conditions[c];
  LacCondition           *condition = &written->shape.conditions[c];
  LacSymbols              symbols = text->pde.symbols;

  symbols.n_fields = 0;
  *to = (Condition){from->is_rim, from->first_hole, from->n_holes, from->axis, from->at, {NULL}};
  for (guint v = 0; v < LAC_CONDITION_VALUES; v++) {
    const guint group = v / LAC_PDE_MAX_FIELDS, field = v % LAC_PDE_MAX_FIELDS;

    if (!from->values[v])
      continue;
    to->values[v] = lac_expression_parse(from->values[v], &symbols, error);
    if (!to->values[v])
      return FALSE;
    for (guint i = 0; i < symbols.n_coefficients; i++)
      if (text->unknown[i] && lac_expression_has_coefficient(to->values[v], i))
        return refuse(error, "%s contains the unknown %s; conditions must be known", from->name,
                      symbols.coefficients[i]);
    *(group ? &condition->slopes[group - 1] : &condition->fields) |= 1u << field;
  }
  condition->name = g_intern_string(from->name);
  condition->sample = samples[c];
  return TRUE;
}

static gboolean
make_exact(Written *written, const LacSceneText *text, GError **error)
{
  LacSymbols symbols = text->pde.symbols;

  symbols.n_fields = 0;
  for (guint f = 0; f < text->pde.symbols.n_fields && text->pde.exact[f]; f++) {
    written->exact[f] = lac_expression_parse(text->pde.exact[f], &symbols, error);
    if (!written->exact[f])
      return FALSE;
  }
  return TRUE;
}

static void
fill_shape(Written *written, const LacSceneText *text)
{
  LacCase    *shape = &written->shape;
  const guint n_fields = text->pde.symbols.n_fields;

  shape->pde = written->pde;
  shape->steady = text->steady;
  memcpy(shape->lower, text->lower, sizeof shape->lower);
  memcpy(shape->upper, text->upper, sizeof shape->upper);
  memcpy(shape->periodic, text->periodic, sizeof shape->periodic);
  shape->n_holes = text->n_holes;
  for (gsize i = 0; i < text->n_holes; i++) {
    shape->holes[i] = text->holes[i];
    shape->holes[i].corners =
      g_memdup2(text->holes[i].corners, text->holes[i].n_corners * 2 * sizeof(double));
  }
  memcpy(shape->coefficients, text->pde.coefficients, sizeof shape->coefficients);
  memcpy(shape->unknown, text->unknown, sizeof shape->unknown);
  memcpy(shape->positive, text->positive, sizeof shape->positive);
  memcpy(shape->guesses, text->guesses, sizeof shape->guesses);
  shape->n_conditions = text->n_conditions;
  shape->view_fields = (1u << n_fields) - 1;
}

/* Returns the names of the fields in @mask, separated by commas. */
static const char *
list_fields(const LacSymbols *symbols, guint mask)
{
  g_autoptr(GString) names = g_string_new(NULL);

  for (guint f = 0; f < symbols->n_fields; f++)
    if (mask & 1u << f)
      g_string_append_printf(names, "%s%s", names->len ? "," : "", symbols->fields[f]);
  return g_intern_string(names->str);
}

static void
fill_scene(Written *written, const LacSceneText *text)
{
  const gboolean is_line = text->pde.symbols.n_axes == (text->steady ? 1 : 2);
  const LacScene scene = {
    .name = g_intern_string(text->pde.name),
    .title = g_intern_string(text->title),
    .summary = g_intern_string(written->pde->formula),
    .source = N_("User-defined"),
    .params = {written->rows, text->steady ? 1 : 2, sizeof(Params)},
    .fields = list_fields(&text->pde.symbols, (1u << text->pde.symbols.n_fields) - 1),
    .measured = list_fields(&text->pde.symbols, text->measured),
    .methods = "pinn",
    .offered = "pinn",
    .defaults = is_line ? line_defaults : plane_defaults,
    .precision = "f64",
    .is_open = !written->exact[0],
    .data = written,
    .configure = configure,
    .truth = make_truth,
    .exact = written->exact[0] ? lac_exact_of_equation : NULL,
  };

  memcpy(written->rows, all_rows, sizeof written->rows);
  written->rows[0].fallback = (double) text->grid;
  written->rows[1].fallback = (double) text->times;
  memcpy(&written->scene, &scene, sizeof scene);
}

static void
written_free(Written *written)
{
  lac_pde_free(written->pde);
  for (gsize c = 0; c < G_N_ELEMENTS(written->conditions); c++)
    for (guint v = 0; v < LAC_CONDITION_VALUES; v++)
      lac_expression_free(written->conditions[c].values[v]);
  for (guint f = 0; f < LAC_PDE_MAX_FIELDS; f++)
    lac_expression_free(written->exact[f]);
  for (gsize i = 0; i < written->shape.n_holes; i++)
    g_free(written->shape.holes[i].corners);
  g_free(written);
}

const LacScene *
lac_scene_from_text(const LacSceneText *text, GError **error)
{
  Written *written;

  if (!check_domain(text, error))
    return NULL;
  written = g_new0(Written, 1);
  written->pde = lac_pde_from_expressions(&text->pde, error);
  if (!written->pde || !make_exact(written, text, error))
    goto refused;
  for (gsize c = 0; c < text->n_conditions; c++)
    if (!make_condition(written, text, c, error))
      goto refused;
  fill_shape(written, text);
  fill_scene(written, text);
  return &written->scene;

refused:
  written_free(written);
  return NULL;
}
