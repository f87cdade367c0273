/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loss terms, their points and their weights. */
#include "experiment/flow/methods/pinn/loss.h"

#include <math.h>
#include <string.h>

static LacProgramOptions
get_options(const LacContext *context, gboolean gradient, gsize n_watched)
{
  return (LacProgramOptions){
    .device = context->device,
    .type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .perf = context->perf,
    .lane = context->lane,
    .gradient = gradient,
    .n_watched = n_watched,
    .without = context->without,
  };
}

static LacPinnTerm *
add_term(LacPinnLoss *loss, LacPinnKind kind, const char *name, guint set, double factor)
{
  LacPinnTerm *term = &loss->terms[loss->n_terms++];

  *term =
    (LacPinnTerm){.name = name, .kind = kind, .set = set, .first = loss->n_parts, .factor = factor};
  return term;
}

/* @misfit: one column; the new part belongs to the last term. */
static LacPinnPart *
add_part(LacPinnLoss *loss, LacNode misfit)
{
  LacPinnTerm     *term = &loss->terms[loss->n_terms - 1];
  LacPinnPart     *part = &loss->parts[loss->n_parts];
  const gsize      n = loss->sets[term->set].n;
  g_autofree char *name = g_strdup_printf("weights %u", loss->n_parts);

  part->term = loss->n_terms - 1;
  part->n = n;
  part->misfit = misfit;
  part->weight = lac_graph_points(loss->graph, name, term->set, n, 1);
  part->base = g_new(double, n);
  part->points = g_new(double, n);
  part->misfits = g_new0(double, n);
  for (gsize i = 0; i < n; i++)
    part->base[i] = part->points[i] = 1;
  term->n_parts++;
  loss->n_parts++;
  return part;
}

static LacNode
build_target(LacPinnLoss *loss, guint set)
{
  g_autofree char *name = g_strdup_printf("target %u", loss->n_parts);

  return lac_graph_points(loss->graph, name, set, loss->sets[set].n, 1);
}

static guint
add_set(LacPinnLoss *loss, gsize n)
{
  const guint set = loss->n_sets++;

  loss->sets[set] = lac_pinn_set_new(&loss->model, loss->graph, set, n);
  loss->x[set] = g_new0(double, n * loss->model.subject->pde->n_axes);
  return set;
}

static void
add_residuals(LacPinnLoss *loss, const LacPinnLossSettings *settings, LacPinnTheta *theta)
{
  const LacPde *pde = loss->model.subject->pde;
  const guint   set = add_set(loss, settings->n_points);
  LacNode       residuals[LAC_PDE_MAX_RESIDUALS];

  lac_pinn_build_residuals(&loss->sets[set], theta, residuals);
  for (guint i = 0; i < pde->n_residuals; i++) {
    add_term(loss, LAC_PINN_RESIDUAL, pde->residual_names[i], set, settings->residual_weight);
    add_part(loss, residuals[i]);
  }
}

/* Adds one part for each field in @fields. */
static void
add_targets(LacPinnLoss *loss, guint set, guint fields, double scale, LacPinnTheta *theta)
{
  LacNode values[LAC_PDE_MAX_FIELDS];

  lac_pinn_build_fields(&loss->sets[set], theta, NULL, values);
  for (guint i = 0; i < loss->model.subject->pde->n_fields; i++)
    if (fields & (1u << i)) {
      LacNode target = build_target(loss, set);
      LacNode misfit = lac_subtract(values[i], target);

      add_part(loss, scale != 1 ? lac_scale(misfit, scale) : misfit)->target = target;
    }
}

static gboolean
has_slopes(const LacCondition *condition)
{
  for (guint axis = 0; axis < LAC_PDE_MAX_AXES; axis++)
    if (condition->slopes[axis])
      return TRUE;
  return FALSE;
}

/* Adds one part for each first derivative that @condition gives. */
static void
add_slopes(LacPinnLoss *loss, guint set, const LacCondition *condition, LacPinnTheta *theta)
{
  static const guint first_order[LAC_PDE_MAX_AXES] = {1, 1, 1, 1};
  const LacPde      *pde = loss->model.subject->pde;
  const LacJet       jet = lac_jet(pde->n_axes, first_order, NULL);
  LacNode            fields[LAC_PDE_MAX_FIELDS];

  if (!has_slopes(condition))
    return;
  lac_pinn_build_fields(&loss->sets[set], theta, &jet, fields);
  for (guint axis = 0; axis < pde->n_axes; axis++)
    for (guint i = 0; i < pde->n_fields; i++)
      if (condition->slopes[axis] & (1u << i)) {
        LacNode target = build_target(loss, set);

        add_part(loss, lac_subtract(lac_derivative(fields[i], axis, 1), target))->target = target;
      }
}

static void
add_conditions(LacPinnLoss *loss, const LacPinnLossSettings *settings, LacPinnTheta *theta)
{
  const LacCase *subject = loss->model.subject;

  for (gsize i = 0; i < subject->n_conditions; i++) {
    const LacCondition *condition = &subject->conditions[i];

    if (!condition->is_hard || !subject->hard) {
      const guint set = add_set(loss, settings->n_condition);

      add_term(loss, LAC_PINN_CONDITION, condition->name, set, settings->condition_weight);
      if (condition->fields)
        add_targets(loss, set, condition->fields, 1, theta);
      add_slopes(loss, set, condition, theta);
    }
  }
}

static gboolean
is_seen(const LacPinnLossSettings *settings, gsize k, gsize i)
{
  const LacObservations *observations = settings->observations;

  return isfinite(observations->values[k * observations->n_sensors + i]) &&
         observations->sigma[k * observations->n_sensors + i] > 0 &&
         !(settings->held_out && settings->held_out[observations->sensors[i].station]);
}

/* Returns the standard deviation of all measurements from the means of their fields, which normalises misfits to
 * magnitude 1. */
static double
measure_spread(const LacPinnLossSettings *settings)
{
  const LacObservations *observations = settings->observations;
  double                 sums[LAC_PDE_MAX_FIELDS] = {0}, squares = 0, most = 0;
  gsize                  numbers[LAC_PDE_MAX_FIELDS] = {0}, n = 0;

  for (int pass = 0; pass < 2; pass++)
    for (gsize k = 0; k < observations->n_times; k++)
      for (gsize i = 0; i < observations->n_sensors; i++) {
        const guint  field = observations->sensors[i].field;
        const double value = observations->values[k * observations->n_sensors + i];

        if (!is_seen(settings, k, i))
          continue;
        if (pass == 0) {
          sums[field] += value;
          numbers[field]++;
          n++;
          most = MAX(most, fabs(value));
        } else {
          const double difference = value - sums[field] / (double) numbers[field];

          squares += difference * difference / (double) n;
        }
      }
  return sqrt(squares) > 1e-10 * most ? sqrt(squares) : MAX(most, 1e-30);
}

/* Fills points [n_times][n_stations], with weights 1 / sigma^2 of mean 1 over the measured values. @scale: factor of
 * the misfits */
static void
fill_data(LacPinnLoss *loss, const LacPinnLossSettings *settings, guint set, double scale)
{
  const LacObservations *observations = settings->observations;
  const LacCase         *subject = loss->model.subject;
  const guint            n_axes = subject->pde->n_axes, first = lac_case_first_axis(subject);
  const LacPinnTerm     *term = &loss->terms[loss->n_terms - 1];
  double                *values = loss->scratch;
  int                    part_of[LAC_PDE_MAX_FIELDS];

  for (gsize p = 0; p < loss->sets[set].n; p++) {
    double *x = loss->x[set] + p * n_axes;

    if (first)
      x[0] = observations->times[p / observations->n_stations];
    for (guint j = first; j < MIN(n_axes, first + 2); j++)
      x[j] = observations->stations[2 * (p % observations->n_stations) + j - first];
  }
  for (guint field = 0, next = term->first; field < LAC_PDE_MAX_FIELDS; field++) {
    part_of[field] = -1;
    for (gsize i = 0; i < observations->n_sensors && part_of[field] < 0; i++)
      if (observations->sensors[i].field == field)
        part_of[field] = (int) next++;
  }
  for (guint field = 0; field < LAC_PDE_MAX_FIELDS; field++) {
    LacPinnPart *part = part_of[field] < 0 ? NULL : &loss->parts[part_of[field]];
    double       sum = 0;

    if (!part)
      continue;
    memset(part->base, 0, part->n * sizeof *part->base);
    memset(values, 0, part->n * sizeof *values);
    for (gsize k = 0; k < observations->n_times; k++)
      for (gsize i = 0; i < observations->n_sensors; i++) {
        const gsize at = k * observations->n_sensors + i;
        const gsize point = k * observations->n_stations + observations->sensors[i].station;

        if (observations->sensors[i].field == field && is_seen(settings, k, i)) {
          part->base[point] = 1 / (observations->sigma[at] * observations->sigma[at]);
          values[point] = observations->values[at];
          sum += part->base[point];
        }
      }
    for (gsize i = 0; i < part->n && sum > 0; i++)
      part->base[i] *= (double) part->n / sum;
    part->variance = sum > 0 ? scale * scale * (double) part->n / sum : 0;
    lac_program_feed(loss->program, part->target, values);
  }
}

static guint
find_seen_fields(const LacObservations *observations)
{
  guint fields = 0;

  for (gsize i = 0; observations && i < observations->n_sensors; i++)
    fields |= 1u << observations->sensors[i].field;
  return fields;
}

static gboolean
plan(LacPinnLoss *loss, const LacContext *context, GError **error)
{
  const LacProgramOptions options =
    get_options(context, TRUE, lac_pinn_model_get_n_leading(&loss->model));
  LacNode squares[LAC_PINN_MAX_PARTS], misfits[LAC_PINN_MAX_PARTS];
  double  ones[LAC_PINN_MAX_PARTS];

  for (guint i = 0; i < loss->n_parts; i++) {
    misfits[i] = loss->parts[i].misfit;
    squares[i] = loss->parts[i].square = lac_mean_square(misfits[i], loss->parts[i].weight);
    ones[i] = 1;
  }
  loss->program = lac_program_new(loss->graph, lac_weighted_sum(squares, ones, loss->n_parts),
                                  misfits, loss->n_parts, &options, error);
  return loss->program != NULL;
}

LacPinnLoss *
lac_pinn_loss_new(const LacPinnLossSettings *settings, const LacContext *context, GError **error)
{
  g_autoptr(LacPinnLoss) loss = g_new0(LacPinnLoss, 1);
  const LacObservations *observations = settings->observations;
  const guint            seen = find_seen_fields(observations);
  const double           scale = seen ? 1 / measure_spread(settings) : 1;
  const guint            n_axes = settings->model.subject->pde->n_axes;
  gsize                  most = 0;

  loss->model = settings->model;
  loss->graph = lac_graph_new();
  lac_graph_set_plain_layers(loss->graph, context->without & LAC_WITHOUT_FUSION);
  loss->theta = lac_pinn_model_declare(&loss->model, loss->graph);
  add_residuals(loss, settings, &loss->theta);
  add_conditions(loss, settings, &loss->theta);
  if (seen) {
    const guint set = add_set(loss, observations->n_times * observations->n_stations);

    add_term(loss, LAC_PINN_DATA, "data", set, settings->data_weight);
    add_targets(loss, set, seen, scale, &loss->theta);
  }
  for (guint i = 0; i < loss->n_sets; i++)
    most = MAX(most, loss->sets[i].n);
  loss->scratch = g_new0(double, most *MAX(n_axes, 1));
  loss->values = g_new0(double, settings->n_condition *LAC_CONDITION_VALUES);
  if (!plan(loss, context, error))
    return NULL;
  if (seen) {
    fill_data(loss, settings, loss->n_sets - 1, scale);
    lac_pinn_loss_feed_points(loss, loss->n_sets - 1);
  }
  lac_pinn_loss_feed_weights(loss);
  return g_steal_pointer(&loss);
}

void
lac_pinn_loss_free(LacPinnLoss *loss)
{
  if (!loss)
    return;
  lac_program_free(loss->program);
  lac_graph_free(loss->graph);
  for (guint i = 0; i < loss->n_parts; i++) {
    g_free(loss->parts[i].base);
    g_free(loss->parts[i].points);
    g_free(loss->parts[i].misfits);
  }
  for (guint i = 0; i < loss->n_sets; i++)
    g_free(loss->x[i]);
  g_free(loss->scratch);
  g_free(loss->values);
  g_free(loss);
}

void
lac_pinn_loss_feed_points(LacPinnLoss *loss, guint set)
{
  lac_pinn_set_feed(&loss->sets[set], loss->program, loss->x[set], loss->scratch);
}

/* Returns the soft condition with point set @set. */
static const LacCondition *
find_condition(const LacPinnLoss *loss, guint set)
{
  const LacCase *subject = loss->model.subject;
  guint          next = 1;

  for (gsize i = 0; i < subject->n_conditions; i++)
    if ((!subject->conditions[i].is_hard || !subject->hard) && next++ == set)
      return &subject->conditions[i];
  return NULL;
}

/* Feeds the values just drawn, in the order of the parts. */
static void
feed_condition(LacPinnLoss *loss, const LacPinnTerm *term, const LacCondition *condition)
{
  const LacPde *pde = loss->model.subject->pde;
  guint         part = term->first;

  for (guint group = 0; group <= pde->n_axes; group++) {
    const guint given = group ? condition->slopes[group - 1] : condition->fields;

    for (guint field = 0; field < pde->n_fields; field++) {
      const guint at = group ? LAC_CONDITION_SLOPE(group - 1, field) : field;

      if (!(given & (1u << field)))
        continue;
      for (gsize i = 0; i < loss->sets[term->set].n; i++)
        loss->scratch[i] = loss->values[i * LAC_CONDITION_VALUES + at];
      lac_program_feed(loss->program, loss->parts[part++].target, loss->scratch);
    }
  }
}

void
lac_pinn_loss_sample_conditions(LacPinnLoss *loss, LacRng *rng)
{
  const LacCase *subject = loss->model.subject;
  const guint    n_axes = subject->pde->n_axes;

  for (guint t = 0; t < loss->n_terms; t++) {
    const LacPinnTerm  *term = &loss->terms[t];
    const gsize         n = loss->sets[term->set].n;
    const LacCondition *condition;

    if (term->kind != LAC_PINN_CONDITION)
      continue;
    condition = find_condition(loss, term->set);
    for (gsize i = 0; i < n; i++)
      condition->sample(subject, rng, loss->x[term->set] + i * n_axes,
                        loss->values + i * LAC_CONDITION_VALUES);
    lac_pinn_loss_feed_points(loss, term->set);
    feed_condition(loss, term, condition);
  }
}

void
lac_pinn_loss_feed_weights(LacPinnLoss *loss)
{
  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];
    const double       factor = loss->terms[part->term].factor;

    for (gsize i = 0; i < part->n; i++)
      loss->scratch[i] = factor * part->base[i] * part->points[i];
    lac_program_feed(loss->program, part->weight, loss->scratch);
  }
}

void
lac_pinn_loss_feed_part(LacPinnLoss *loss, guint part, const double *weights)
{
  lac_program_feed(loss->program, loss->parts[part].weight, weights);
}

void
lac_pinn_loss_copy(const LacPinnLoss *from, LacPinnLoss *to)
{
  memcpy(to->x[0], from->x[0],
         from->sets[0].n * from->model.subject->pde->n_axes * sizeof *from->x[0]);
  for (guint t = 0; t < from->n_terms; t++)
    to->terms[t].factor = from->terms[t].factor;
  for (guint p = 0; p < from->n_parts; p++) {
    memcpy(to->parts[p].base, from->parts[p].base, from->parts[p].n * sizeof(double));
    memcpy(to->parts[p].points, from->parts[p].points, from->parts[p].n * sizeof(double));
  }
  lac_pinn_loss_feed_points(to, 0);
  lac_pinn_loss_feed_weights(to);
}

void
lac_pinn_loss_read(LacPinnLoss *loss)
{
  for (guint p = 0; p < loss->n_parts; p++)
    lac_program_read(loss->program, loss->parts[p].misfit, loss->parts[p].misfits);
}

gsize
lac_pinn_loss_count_misfits(const LacPinnLoss *loss)
{
  gsize n = 0;

  for (guint p = 0; p < loss->n_parts; p++)
    n += loss->parts[p].n;
  return n;
}

void
lac_pinn_loss_add_misfits(const LacPinnLoss *loss, double factor, double *sums)
{
  for (guint p = 0; p < loss->n_parts; p++)
    for (gsize i = 0; i < loss->parts[p].n; i++)
      *sums++ += factor * loss->parts[p].misfits[i];
}

double
lac_pinn_loss_get_term(const LacPinnLoss *loss, guint index)
{
  const LacPinnTerm *term = &loss->terms[index];
  double             sum = 0;

  for (guint p = term->first; p < term->first + term->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];
    double             square = 0;

    for (gsize i = 0; i < part->n; i++)
      square += part->base[i] * part->misfits[i] * part->misfits[i];
    sum += square / (double) part->n;
  }
  return sum;
}

gboolean
lac_pinn_loss_has_shares(const LacPinnLoss *loss)
{
  for (guint t = 0; t < loss->n_terms; t++)
    if (loss->terms[t].factor <= 0)
      return FALSE;
  return TRUE;
}

double
lac_pinn_loss_get_share(const LacPinnLoss *loss, guint index, double factor)
{
  const LacPinnTerm *term = &loss->terms[index];
  double             sum = 0;

  for (guint p = term->first; p < term->first + term->n_parts; p++) {
    double square;

    lac_program_read(loss->program, loss->parts[p].square, &square);
    sum += square;
  }
  return sum / factor;
}

void
lac_pinn_loss_open(LacPinnLoss *loss, double n_open)
{
  for (guint i = 0; i < loss->theta.n_masks; i++)
    lac_network_feed_mask(&loss->model.network, loss->program, loss->theta.masks[i], n_open);
}
