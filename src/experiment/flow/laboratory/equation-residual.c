/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The residuals are those that the network trains on, built for a Taylor polynomial about each cell: its coefficients
 * are fed, its variables are zeros that carry derivatives. */
#include "experiment/flow/laboratory/equation-residual.h"

#include "backend/dense.h"
#include "base/error.h"
#include "experiment/flow/laboratory/budgets.h"
#include "graph/program/program.h"

#include <math.h>
#include <string.h>

#define MIDDLE      (LAC_EQUATION_TIMES / 2)
#define N_ORDERS    2 /* of accuracy: second and fourth */
#define MOST_HIGH   4 /* highest derivative of a spectral axis */
#define MOST_LOW    2 /* of differences */
#define MOST_TERMS  (LAC_PDE_MAX_FIELDS * LAC_PDE_MAX_AXES * MOST_HIGH)
#define N_NEIGHBOUR 2 /* cells on either side that differences use */
#define AS_LARGE    2 /* errors of r_4 by |r_4 - r_2|: near a shock both orders fail */
#define ROUNDING \
  1e-10 /* relative size of terms below which an equation, such as k_t = 0, holds trivially */

/* A derivative of a field. */
typedef struct {
  guint   field, axis, order;
  LacNode leaf;
  double *values; /* [cells] */
} Term;

struct _LacEquationResidual {
  const LacCase  *subject;
  const LacTruth *grid;
  guint           n_fields; /* known fields; without the pressure if has_pressure is FALSE */
  guint           space;    /* first axis of space */
  gboolean        has_pressure;
  gsize           cells, n_valid;
  guint8         *is_valid;                         /* [cells] */
  double         *matrices[2][MOST_HIGH][N_ORDERS]; /* of an axis of space: [n][n] */
  double         *clean;                            /* [LAC_EQUATION_TIMES][cells]: scratch */
  double         *zeros, *curl;                     /* [cells]; curl: scratch */

  guint       n_terms;
  Term        terms[MOST_TERMS];
  LacNode     levels[LAC_PDE_MAX_FIELDS]; /* the fields themselves */
  LacNode     x, variables;
  LacNode     outputs[LAC_PDE_MAX_RESIDUALS];
  LacDevice   device;
  LacGraph   *graph;
  LacProgram *program;

  double *found[N_ORDERS],
    *without;          /* [n_residuals][cells]: residuals of both orders, and without a term */
  double *coordinates; /* [cells][n_axes] */
  double  residual[LAC_PDE_MAX_RESIDUALS],
    uncertain[LAC_PDE_MAX_RESIDUALS]; /* sums of squares of r_4 and of r_4 - r_2 */
  double sizes[LAC_PDE_MAX_RESIDUALS][MOST_TERMS];
  gsize  n_added;
};

/* ---- which scenes ---- */

static gboolean
has_curl(const LacCase *subject)
{
  const LacPde *pde = subject->pde;
  const guint   space = lac_case_first_axis(subject);

  return lac_budgets_is_flow(subject) && subject->periodic[space] && subject->periodic[space + 1] &&
         g_str_equal(pde->fields[pde->n_fields - 1], "p") &&
         g_str_has_prefix(pde->residual_names[0], "momentum") &&
         g_str_has_prefix(pde->residual_names[1], "momentum");
}

gboolean
lac_equation_residual_have(const LacCase *subject, guint n_fields)
{
  const LacPde *pde = subject->pde;

  if (subject->without_equation || (!subject->steady && subject->n_times < LAC_EQUATION_TIMES))
    return FALSE;
  for (guint axis = 0; axis < pde->n_axes; axis++)
    if (pde->orders[axis] >
        (subject->periodic[axis] && axis >= lac_case_first_axis(subject) ? MOST_HIGH : MOST_LOW))
      return FALSE;
  return n_fields >= pde->n_fields || (n_fields + 1 == pde->n_fields && has_curl(subject));
}

/* ---- derivatives in space ---- */

/* Weights of the neighbours at -2 ... 2. */
static const double stencils[MOST_LOW][N_ORDERS][LAC_EQUATION_TIMES] = {
  {{0, -0.5, 0, 0.5, 0}, {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12}},
  {{0, 1, -2, 1, 0}, {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12}},
};

static gsize
get_n(const LacTruth *grid, guint axis)
{
  return axis == 0 ? grid->nx : grid->ny;
}

static double
get_distance(const LacTruth *grid, guint axis)
{
  return (grid->upper[axis] - grid->lower[axis]) / (double) (get_n(grid, axis) - 1);
}

/* Rows near an end stay zero: their cells are not valid. */
static double *
new_differences(const LacTruth *grid, guint axis, guint order, guint accuracy)
{
  const gsize  n = get_n(grid, axis);
  const double scale = 1 / pow(get_distance(grid, axis), order);
  double      *matrix = g_new0(double, n *n);

  for (gsize i = N_NEIGHBOUR; i + N_NEIGHBOUR < n; i++)
    for (gsize j = 0; j < LAC_EQUATION_TIMES; j++)
      matrix[i * n + i + j - N_NEIGHBOUR] = scale * stencils[order - 1][accuracy][j];
  return matrix;
}

/* Derivative of the trigonometric interpolant: the mean over wavenumbers of (ik)^order exp(ik(x_i - x_j)); of odd order
 * without the highest one of an even number of points. */
static double *
new_spectral(const LacTruth *grid, guint axis, guint order)
{
  const gsize        n = get_n(grid, axis);
  const double       step = 2 * G_PI / (get_distance(grid, axis) * (double) n);
  g_autofree double *column = g_new0(double, n);
  double            *matrix = g_new(double, n *n);

  for (gsize q = 0; q < n; q++) {
    const gboolean is_last = 2 * q == n;
    const double   wave = 2 * q <= n ? (double) q : (double) q - (double) n;
    const double   factor = is_last && order % 2 ? 0 : pow(step * wave, order) / (double) n;

    for (gsize d = 0; d < n; d++)
      column[d] += factor * cos(2 * G_PI * fmod(wave * (double) d, (double) n) / (double) n +
                                G_PI / 2 * order);
  }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      matrix[i * n + j] = column[(i + n - j) % n];
  return matrix;
}

/* Fills @to from the plane @from, [ny][nx]. */
static void
differentiate(const LacEquationResidual *self,
              guint                      axis,
              guint                      order,
              guint                      accuracy,
              const double              *from,
              double                    *to)
{
  const gsize   nx = self->grid->nx, ny = self->grid->ny;
  const double *matrix = self->matrices[axis][order - 1][accuracy];

  if (axis == 0)
    lac_dense_gemm(FALSE, TRUE, ny, nx, nx, 1, from, nx, matrix, nx, 0, to, nx);
  else
    lac_dense_gemm(FALSE, FALSE, ny, nx, ny, 1, matrix, ny, from, nx, 0, to, nx);
}

/* A cell counts where its differences lie within the domain. */
static void
find_valid(LacEquationResidual *self)
{
  const LacTruth *grid = self->grid;

  self->is_valid = g_new0(guint8, self->cells);
  for (gsize c = 0; c < self->cells; c++) {
    const gsize at[] = {c % grid->nx, c / grid->nx};
    gboolean    is_valid = TRUE;

    for (guint axis = 0; axis < self->subject->pde->n_axes - self->space; axis++)
      for (gssize apart = -N_NEIGHBOUR; apart <= N_NEIGHBOUR; apart++) {
        const gssize n = (gssize) get_n(grid, axis), to = (gssize) at[axis] + apart;
        const gsize  stride = axis == 0 ? 1 : grid->nx;
        const gsize  cell = c + ((gsize) ((to + n) % n) - at[axis]) * stride;

        is_valid = is_valid && (grid->periodic[axis] || (to >= 0 && to < n)) &&
                   (grid->mask == NULL || grid->mask[cell]);
      }
    self->is_valid[c] = is_valid;
    self->n_valid += is_valid;
  }
}

static void
make_matrices(LacEquationResidual *self)
{
  const LacPde *pde = self->subject->pde;

  for (guint axis = 0; axis < pde->n_axes - self->space; axis++)
    for (guint order = 1; order <= pde->orders[self->space + axis]; order++)
      for (guint accuracy = 0; accuracy < N_ORDERS; accuracy++)
        self->matrices[axis][order - 1][accuracy] =
          self->grid->periodic[axis] ? new_spectral(self->grid, axis, order)
                                     : new_differences(self->grid, axis, order, accuracy);
}

/* ---- the graph ---- */

static double
get_factorial(guint n)
{
  return n < 2 ? 1 : (double) n * get_factorial(n - 1);
}

static LacNode
add_leaf(LacEquationResidual *self, const char *name)
{
  return lac_graph_points(self->graph, name, 0, self->cells, 1);
}

/* Returns @leaf, whose derivatives are zero, times the power of the variable over its factorial. */
static LacNode
get_monomial(const LacEquationResidual *self, LacNode leaf, guint axis, guint order)
{
  const LacJet jet = lac_pde_get_jet(self->subject->pde);
  const double still[LAC_PDE_MAX_AXES] = {0};
  LacNode      product = lac_graph_seed(leaf, &jet, still);

  for (guint i = 0; i < order; i++)
    product = lac_multiply(product, lac_columns(self->variables, axis, 1));
  return lac_scale(product, 1 / get_factorial(order));
}

static LacNode
build_field(LacEquationResidual *self, guint field)
{
  const LacPde    *pde = self->subject->pde;
  g_autofree char *name = g_strdup_printf("level %u", field);

  self->levels[field] = add_leaf(self, name);
  LacNode sum = get_monomial(self, self->levels[field], 0, 0);
  for (guint axis = 0; axis < pde->n_axes; axis++)
    for (guint order = 1; order <= pde->orders[axis]; order++) {
      g_autofree char *own = g_strdup_printf("field %u axis %u order %u", field, axis, order);
      Term            *term = &self->terms[self->n_terms++];

      *term = (Term){field, axis, order, add_leaf(self, own), g_new0(double, self->cells)};
      sum = lac_add(sum, get_monomial(self, term->leaf, axis, order));
    }
  return sum;
}

static gboolean
build(LacEquationResidual *self, LacPool *pool, GError **error)
{
  const LacCase    *subject = self->subject;
  const LacPde     *pde = subject->pde;
  const LacJet      jet = lac_pde_get_jet(pde);
  double            along[LAC_PDE_MAX_AXES * LAC_PDE_MAX_AXES] = {0};
  LacNode           sources[LAC_PDE_MAX_RESIDUALS] = {{NULL, 0}};
  LacProgramOptions options = {.type = LAC_F64, .pool = pool};

  if (!lac_dense_reserve(error) || !lac_device_open(&self->device, "cpu", error))
    return FALSE;
  options.device = self->device;
  for (guint i = 0; i < pde->n_axes; i++)
    along[i * pde->n_axes + i] = 1;
  self->graph = lac_graph_new();
  self->x = lac_graph_points(self->graph, "x", 0, self->cells, pde->n_axes);
  self->variables = lac_graph_seed(
    lac_graph_points(self->graph, "variables", 0, self->cells, pde->n_axes), &jet, along);
  LacPdeTerms at = {.x = self->x};
  for (guint f = 0; f < pde->n_fields; f++)
    at.fields[f] = build_field(self, f);
  for (guint i = 0; i < pde->n_coefficients; i++)
    at.coefficients[i] = lac_number(subject->coefficients[i]);
  pde->residuals(pde, &at, self->outputs);
  if (subject->sources)
    subject->sources(subject, self->x, sources);
  for (guint i = 0; i < pde->n_residuals; i++)
    if (sources[i].graph)
      self->outputs[i] = lac_subtract(self->outputs[i], sources[i]);
  self->program =
    lac_program_new(self->graph, LAC_NO_NODE, self->outputs, pde->n_residuals, &options, error);
  return self->program != NULL;
}

/* ---- the object ---- */

LacEquationResidual *
lac_equation_residual_new(const LacCase  *subject,
                          const LacTruth *grid,
                          guint           n_fields,
                          LacPool        *pool,
                          GError        **error)
{
  g_return_val_if_fail(lac_equation_residual_have(subject, n_fields), NULL);
  g_autoptr(LacEquationResidual) self = g_new0(LacEquationResidual, 1);
  const LacPde                  *pde = subject->pde;

  self->subject = subject;
  self->grid = grid;
  self->n_fields = MIN(n_fields, pde->n_fields);
  self->has_pressure = n_fields >= pde->n_fields;
  self->space = lac_case_first_axis(subject);
  self->cells = grid->nx * grid->ny;
  self->clean = g_new0(double, LAC_EQUATION_TIMES * self->cells);
  self->zeros = g_new0(double, self->cells);
  self->curl = g_new0(double, self->cells);
  self->coordinates = g_new0(double, self->cells * pde->n_axes);
  self->without = g_new0(double, pde->n_residuals * self->cells);
  for (guint accuracy = 0; accuracy < N_ORDERS; accuracy++)
    self->found[accuracy] = g_new0(double, pde->n_residuals * self->cells);
  find_valid(self);
  make_matrices(self);
  return build(self, pool, error) ? g_steal_pointer(&self) : NULL;
}

void
lac_equation_residual_free(LacEquationResidual *self)
{
  if (self == NULL)
    return;
  lac_program_free(self->program);
  lac_graph_free(self->graph);
  lac_device_close(&self->device);
  for (guint i = 0; i < self->n_terms; i++)
    g_free(self->terms[i].values);
  for (guint axis = 0; axis < 2; axis++)
    for (guint order = 0; order < MOST_HIGH; order++)
      for (guint accuracy = 0; accuracy < N_ORDERS; accuracy++)
        g_free(self->matrices[axis][order][accuracy]);
  for (guint accuracy = 0; accuracy < N_ORDERS; accuracy++)
    g_free(self->found[accuracy]);
  g_free(self->is_valid);
  g_free(self->clean);
  g_free(self->zeros);
  g_free(self->curl);
  g_free(self->without);
  g_free(self->coordinates);
  g_free(self);
}

/* ---- evaluation ---- */

/* Copies a field at all times, with zeros where it is not defined: a matrix would spread what is not a number. */
static void
copy_clean(LacEquationResidual *self, const double *const fields[], guint field)
{
  for (gsize t = 0; t < LAC_EQUATION_TIMES; t++)
    for (gsize c = 0; c < self->cells; c++) {
      const gboolean is_read = !self->subject->steady || t == MIDDLE;
      const double   value = is_read ? fields[t][field * self->cells + c] : 0;

      self->clean[t * self->cells + c] = isfinite(value) ? value : 0;
    }
}

static void
fill_time(LacEquationResidual *self, const Term *term, guint accuracy)
{
  const double *times = self->grid->times;
  const double  scale = 1 / pow(times[1] - times[0], term->order);

  for (gsize c = 0; c < self->cells; c++) {
    double sum = 0;

    for (gsize t = 0; t < LAC_EQUATION_TIMES; t++)
      sum += stencils[term->order - 1][accuracy][t] * self->clean[t * self->cells + c];
    term->values[c] = scale * sum;
  }
}

/* Computes and feeds all derivatives. The pressure that is not known stays zero. */
static void
fill_terms(LacEquationResidual *self, const double *const fields[], guint accuracy)
{
  guint field = G_MAXUINT;

  for (guint i = 0; i < self->n_terms; i++) {
    const Term *term = &self->terms[i];

    if (term->field < self->n_fields && term->field != field) {
      field = term->field;
      copy_clean(self, fields, field);
      lac_program_feed(self->program, self->levels[field], self->clean + MIDDLE * self->cells);
    }
    if (term->field < self->n_fields && term->axis < self->space)
      fill_time(self, term, accuracy);
    else if (term->field < self->n_fields)
      differentiate(self, term->axis - self->space, term->order, accuracy,
                    self->clean + MIDDLE * self->cells, term->values);
    lac_program_feed(self->program, term->leaf, term->values);
  }
}

static void
feed_coordinates(LacEquationResidual *self, gsize k)
{
  const guint n_axes = self->subject->pde->n_axes;

  for (gsize c = 0; c < self->cells; c++) {
    double *x = self->coordinates + c * n_axes;

    if (self->space > 0)
      x[0] = self->grid->times[k];
    x[self->space] = lac_truth_get_x(self->grid, c % self->grid->nx);
    if (n_axes > self->space + 1)
      x[self->space + 1] = lac_truth_get_y(self->grid, c / self->grid->nx);
  }
  lac_program_feed(self->program, self->x, self->coordinates);
}

/* Replaces the residual of the momentum by its curl, the residual of the vorticity, and a zero. */
static void
take_curl(LacEquationResidual *self, double *r)
{
  double *other = r + self->cells;

  differentiate(self, 0, 1, N_ORDERS - 1, other, self->curl);
  differentiate(self, 1, 1, N_ORDERS - 1, r, other);
  for (gsize c = 0; c < self->cells; c++) {
    r[c] = self->curl[c] - other[c];
    other[c] = 0;
  }
}

/* Fills @residuals from what has been fed. */
static gboolean
evaluate(LacEquationResidual *self, double *residuals, GError **error)
{
  if (!lac_program_run(self->program, NULL, 0, NULL, error))
    return FALSE;
  for (guint i = 0; i < self->subject->pde->n_residuals; i++)
    lac_program_read(self->program, self->outputs[i], residuals + i * self->cells);
  if (!self->has_pressure)
    take_curl(self, residuals);
  return TRUE;
}

/* Returns the sum over the valid cells of (a - b)^2; @b: (nullable) */
static double
sum_squares(const LacEquationResidual *self, const double *a, const double *b)
{
  double sum = 0;

  for (gsize c = 0; c < self->cells; c++) {
    const double apart = a[c] - (b != NULL ? b[c] : 0);

    sum += self->is_valid[c] ? apart * apart : 0;
  }
  return sum;
}

static gboolean
add_sizes(LacEquationResidual *self, GError **error)
{
  for (guint t = 0; t < self->n_terms; t++) {
    const Term *term = &self->terms[t];

    if (term->field >= self->n_fields)
      continue;
    lac_program_feed(self->program, term->leaf, self->zeros);
    if (!evaluate(self, self->without, error))
      return FALSE;
    lac_program_feed(self->program, term->leaf, term->values);
    for (guint i = 0; i < self->subject->pde->n_residuals; i++)
      self->sizes[i][t] += sum_squares(self, self->found[N_ORDERS - 1] + i * self->cells,
                                       self->without + i * self->cells);
  }
  return TRUE;
}

gboolean
lac_equation_residual_add(LacEquationResidual *self,
                          const double *const  fields[LAC_EQUATION_TIMES],
                          gsize                k,
                          GError             **error)
{
  feed_coordinates(self, k);
  for (guint accuracy = 0; accuracy < N_ORDERS; accuracy++) {
    fill_terms(self, fields, accuracy);
    if (!evaluate(self, self->found[accuracy], error))
      return FALSE;
  }
  if (!add_sizes(self, error))
    return FALSE;
  for (guint i = 0; i < self->subject->pde->n_residuals; i++) {
    const double *best = self->found[N_ORDERS - 1] + i * self->cells;

    self->residual[i] += sum_squares(self, best, NULL);
    self->uncertain[i] += sum_squares(self, best, self->found[0] + i * self->cells);
  }
  self->n_added++;
  return TRUE;
}

void
lac_equation_residual_clear(LacEquationResidual *self)
{
  memset(self->residual, 0, sizeof self->residual);
  memset(self->uncertain, 0, sizeof self->uncertain);
  memset(self->sizes, 0, sizeof self->sizes);
  self->n_added = 0;
}

/* Returns the largest sum of squares of a term of equation @i. */
static double
find_largest(const LacEquationResidual *self, guint i)
{
  double most = 0;

  for (guint t = 0; t < self->n_terms; t++)
    most = fmax(most, self->sizes[i][t]);
  return most;
}

double
lac_equation_residual_get(const LacEquationResidual *self)
{
  const guint n = self->subject->pde->n_residuals;
  double      sum = 0, largest = 0;
  guint       n_counted = 0;

  if (self->n_added == 0 || self->n_valid == 0)
    return NAN;
  for (guint i = 0; i < n; i++)
    largest = fmax(largest, find_largest(self, i));
  for (guint i = 0; i < n; i++) {
    const double most = find_largest(self, i);
    const double least = sqrt(self->residual[i]) - AS_LARGE * sqrt(self->uncertain[i]);

    if (!(most > ROUNDING * ROUNDING * largest))
      continue;
    sum += pow(fmax(least, 0), 2) / most;
    n_counted++;
  }
  return n_counted > 0 ? sqrt(sum / n_counted) : (double) NAN;
}
