/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training of one network: an iteration, and periodic work before it. Residuals are evaluated at points that are
 * resampled, or selected among candidates by their residuals. Also the member's part of a checkpoint. */
#include "experiment/flow/methods/pinn/training.h"

#include "experiment/flow/methods/pinn/training-private.h"
#include "experiment/set-up-part.h"

#include <math.h>
#include <string.h>

#define ANNEALED  0.6
#define RAR_SHARE 10 /* a refresh adds one point per this many */

static const LacPinnStage *
get_stage(const LacPinnMember *member)
{
  return &member->training->stages.list[member->state.progress.stage];
}

/* Returns the number of enabled harmonics: all of them after the fraction ANNEALED of the first stage. */
static double
get_open(const LacPinnMember *member)
{
  const LacPinnParams *params = &member->training->params;
  const LacPinnStage  *stage = get_stage(member);

  if (!params->anneal || !stage->first_order || member->state.progress.finished)
    return LAC_NETWORK_MAX_HARMONICS;
  return 1 + (double) (params->harmonics - 1) * (double) member->state.progress.done /
               (ANNEALED * (double) stage->n_steps);
}

void
lac_pinn_member_open(LacPinnMember *member, LacPinnProbe *probe)
{
  if (member->training->params.anneal)
    lac_pinn_probe_open(probe, get_open(member));
}

static LacPinnDomain
get_domain(const LacPinnMember *member)
{
  const LacPinnTrainingData *training = member->training;

  return (LacPinnDomain){
    .subject = &training->subject,
    .grid = training->grid,
    .half = training->params.mirror != 0,
    .last = (double) (member->state.window + 1) / (double) training->params.windows,
    .order = training->order,
  };
}

/* Samples candidates and sets training->sizes to their residuals: the weighted norm over all equations. */
static gboolean
fill_pool(LacPinnMember *member, LacRng *rng, GError **error)
{
  LacPinnTrainingData *training = member->training;
  const LacPinnDomain  domain = get_domain(member);
  const gsize          n = training->n_pool;

  lac_pinn_member_open(member, training->pool);
  if (!lac_pinn_domain_sample(&domain, (LacSampling) training->params.sampling, rng, n,
                              training->candidates, error) ||
      !lac_pinn_probe_run(training->pool, lac_program_get_theta(member->loss->program),
                          training->candidates, n, member->state.progress.iteration,
                          training->residuals, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    double square = 0;

    for (guint j = 0; j < training->subject.pde->n_residuals; j++) {
      const double r = training->residuals[j * n + i];

      square += member->loss->terms[j].factor * r * r;
    }
    training->sizes[i] = isfinite(square) ? sqrt(square) : 0;
  }
  return TRUE;
}

/* Selects candidates by residual as points @first to @first + @n. */
static gboolean
choose(LacPinnMember *member, LacRng *rng, gsize first, gsize n, GError **error)
{
  LacPinnTrainingData *training = member->training;

  if (!fill_pool(member, rng, error))
    return FALSE;
  lac_pinn_training_data_choose(training, rng, n,
                                member->loss->x[0] + first * training->subject.pde->n_axes);
  return TRUE;
}

static gboolean
add_points(LacPinnMember *member, LacRng *rng, GError **error)
{
  const gsize n = (gsize) member->training->params.points;
  const gsize first = (gsize) member->state.n_active;
  const gsize more = MIN(MAX(n / RAR_SHARE, 1), n - first);

  if (more == 0)
    return TRUE;
  member->state.n_active += (gint64) more;
  return choose(member, rng, first, more, error);
}

/* Points not in use yet are copies of the first one with weight 0. */
static void
set_active(LacPinnMember *member)
{
  LacPinnLoss *loss = member->loss;
  const guint  n_axes = member->training->subject.pde->n_axes;
  const gsize  n = loss->sets[0].n, n_active = (gsize) member->state.n_active;

  for (gsize i = n_active; i < n; i++)
    memcpy(loss->x[0] + i * n_axes, loss->x[0], n_axes * sizeof(double));
  for (guint p = 0; p < loss->n_parts; p++)
    for (gsize i = 0; loss->terms[loss->parts[p].term].kind == LAC_PINN_RESIDUAL && i < n; i++)
      loss->parts[p].base[i] = i < n_active ? (double) n / (double) n_active : 0;
}

/* Feeds points and weights to the program. */
static void
feed(LacPinnMember *member)
{
  set_active(member);
  lac_pinn_loss_feed_points(member->loss, 0);
  lac_pinn_weights_apply(member->weights, member->loss);
}

/* Resamples collocation points by the chosen rule, and the points of conditions. */
static gboolean
refresh(LacPinnMember *member, GError **error)
{
  LacPinnTrainingData *training = member->training;
  const LacPinnParams *params = &training->params;
  const LacPinnDomain  domain = get_domain(member);
  const gsize          n = (gsize) params->points;
  const gint64         number = member->state.n_refreshed++;
  LacRng               rng = lac_pinn_member_get_rng(member, LAC_PINN_STREAM_POINTS, number);
  gboolean             done;

  if (number == 0 && params->rule == LAC_PINN_POINTS_RAR)
    member->state.n_active = MAX(params->points / 2, 1);
  else if (params->rule != LAC_PINN_POINTS_RAR)
    member->state.n_active = params->points;
  if (number > 0 && params->rule == LAC_PINN_POINTS_RAD)
    done = choose(member, &rng, 0, n, error);
  else if (number > 0 && params->rule == LAC_PINN_POINTS_RAR)
    done = add_points(member, &rng, error);
  else
    done = lac_pinn_domain_sample(&domain, (LacSampling) params->sampling, &rng,
                                  (gsize) member->state.n_active, member->loss->x[0], error);
  if (!done)
    return FALSE;
  lac_pinn_member_sample_conditions(member, member->loss);
  if (params->rule != LAC_PINN_POINTS_FIXED)
    lac_pinn_weights_restart(member->weights, member->loss);
  feed(member);
  return TRUE;
}

static LacOptimiser *
make_optimiser(LacPinnMember *member, const LacPinnStage *stage, GError **error)
{
  LacProgram                *program = member->loss->program;
  LacOptimiserSettings       settings = lac_optimiser_defaults(stage->kind);
  gsize                      n_matrices = 0;
  g_autofree LacMatrixShape *matrices = lac_graph_dup_weights(member->loss->graph, &n_matrices);

  settings.matrices = matrices;
  settings.n_matrices = n_matrices;
  settings.transform = (LacTransform) member->training->params.transform;
  return lac_optimiser_new(&settings, member->n_parameters, lac_program_get_device(program),
                           lac_program_get_type(program), lac_program_get_pool(program), error);
}

static LacPinnLoss *
make_loss(const LacPinnTrainingData *training, GError **error)
{
  const LacPinnLossSettings settings = lac_pinn_training_data_get_loss(training);

  return lac_pinn_loss_new(&settings, &training->context, error);
}

static gboolean
fit_last_layer(LacPinnMember *member, double *theta, GError **error)
{
  const LacPinnLossSettings settings = lac_pinn_training_data_get_loss(member->training);
  LacRng                    rng = lac_pinn_member_get_rng(member, LAC_PINN_STREAM_FIT, 0);

  LAC_SET_UP_PART(&member->training->context, "fit the output layer");
  return lac_pinn_fit_last_layer(&settings, &member->training->context, &rng, theta, error);
}

static gboolean
set_up(LacPinnMember *member, GError **error)
{
  LacPinnTrainingData *training = member->training;
  const LacPinnParams *params = &training->params;
  g_autofree double   *theta = NULL;
  LacRng               rng = lac_pinn_member_get_rng(member, LAC_PINN_STREAM_NETWORK, 0);

  member->loss = make_loss(member->training, error);
  if (!member->loss)
    return FALSE;
  member->weights =
    lac_pinn_weights_new(member->loss, lac_point_rule((guint) params->point_weights),
                         (LacTermRule) params->term_weights, params->causal);
  member->n_parameters = lac_pinn_model_get_n_parameters(&training->model);
  theta = g_new0(double, member->n_parameters);
  lac_pinn_member_prepare_probe(member);
  lac_pinn_model_initialise(&training->model, &rng, theta);
  if (params->last_layer && !fit_last_layer(member, theta, error))
    return FALSE;
  lac_program_set_theta(member->loss->program, theta);
  for (guint i = 0; i < training->stages.n_stages; i++)
    if (training->stages.list[i].n_steps > 0) {
      member->optimisers[i] = make_optimiser(member, &training->stages.list[i], error);
      if (!member->optimisers[i])
        return FALSE;
    }
  if (member->index == 0 && lac_pinn_errors_are_given(params, &training->subject) &&
      !(member->errors = lac_pinn_errors_new(member, error)))
    return FALSE;
  lac_pinn_progress_init(&member->state.progress, &training->stages);
  member->state.window = get_stage(member)->first_order ? 0 : params->windows - 1;
  return refresh(member, error);
}

LacPinnMember *
lac_pinn_member_new(LacPinnTrainingData *training, guint index, GError **error)
{
  g_autoptr(LacPinnMember) member = g_new0(LacPinnMember, 1);

  member->training = training;
  member->index = index;
  member->last = INFINITY;
  return set_up(member, error) ? g_steal_pointer(&member) : NULL;
}

void
lac_pinn_member_free(LacPinnMember *member)
{
  if (!member)
    return;
  for (guint i = 0; i < LAC_PINN_MAX_STAGES; i++)
    lac_optimiser_free(member->optimisers[i]);
  lac_pinn_errors_free(member->errors);
  lac_pinn_weights_free(member->weights);
  lac_pinn_loss_free(member->loss);
  g_free(member->theta);
  g_free(member->moved);
  g_free(member->misfits);
  g_free(member->columns);
  g_free(member);
}

/* Returns the time window covered by the points of this iteration. */
static gint64
find_window(const LacPinnMember *member)
{
  const LacPinnProgress *progress = &member->state.progress;
  const gint64           n = member->training->params.windows;

  if (!get_stage(member)->first_order)
    return n - 1;
  return MIN(progress->done * n / get_stage(member)->n_steps, n - 1);
}

/* Resamples points at regular intervals and with every new window. */
static gboolean
maybe_refresh(LacPinnMember *member, gboolean *changed, GError **error)
{
  LacPinnTrainingData *training = member->training;
  const gint64         iteration = member->state.progress.iteration, window = find_window(member);
  const gboolean       due = training->params.rule != LAC_PINN_POINTS_FIXED && iteration > 0 &&
                       iteration % training->params.refresh == 0;
  LacSpan span;

  if (!due && window == member->state.window)
    return TRUE;
  member->state.window = window;
  *changed = TRUE;
  span = lac_span_begin(training->context.lane, training->name_refresh);
  if (!refresh(member, error))
    return FALSE;
  lac_span_end(training->context.lane, span, iteration + 1);
  return TRUE;
}

static gboolean
maybe_balance(LacPinnMember *member, gboolean *changed, GError **error)
{
  const gint64 iteration = member->state.progress.iteration;
  LacRng       rng = lac_pinn_member_get_rng(member, LAC_PINN_STREAM_BALANCE, iteration);

  if (member->weights->terms == LAC_TERMS_FIXED ||
      iteration % member->training->params.balance_every != 0)
    return TRUE;
  *changed = TRUE;
  return lac_pinn_weights_balance(member->weights, member->loss,
                                  lac_program_get_theta(member->loss->program), &rng, iteration + 1,
                                  error);
}

/* Updates weights between iterations of a quasi-Newton method, whose objective must not change within one. Resampled
 * points, whose weights were reset, are weighted immediately. */
static gboolean
maybe_weigh(LacPinnMember *member, gboolean *changed, GError **error)
{
  const LacPinnProgress *progress = &member->state.progress;
  const gint64           every = member->training->params.weigh_every;
  LacProgram            *program = member->loss->program;

  if (get_stage(member)->first_order || progress->iteration == 0 ||
      (progress->done % every != 0 && !*changed) || !lac_pinn_weights_are_live(member->weights))
    return TRUE;
  if (*changed) {
    if (!lac_program_run(program, lac_program_get_theta(program), progress->iteration + 1, NULL,
                         error))
      return FALSE;
    lac_pinn_loss_read(member->loss);
  }
  lac_pinn_weights_update(member->weights, member->loss, (guint) every);
  *changed = TRUE;
  return TRUE;
}

/* @blind: the values of this iteration are read back asynchronously. */
static gboolean
optimise(LacPinnMember *member, gboolean blind, GError **error)
{
  LacPinnTrainingData   *training = member->training;
  const LacPinnProgress *progress = &member->state.progress;
  LacOptimiser          *optimiser = member->optimisers[progress->stage];
  LacProgram            *program = member->loss->program;
  LacOptimiserReport     report = {0};
  LacSpan                span = lac_span_begin(training->context.lane, training->name_optimise);
  LacObjective           objective = {
              .program = program,
              .step = progress->iteration + 1,
              .later = blind,
  };

  if (training->params.anneal)
    lac_pinn_loss_open(member->loss, get_open(member));
  if (get_stage(member)->first_order)
    lac_optimiser_set_rate(optimiser, training->params.rate *
                                        pow(training->params.decay, (double) progress->done / 500));
  if (!lac_optimiser_descend(optimiser, &objective, &report, error))
    return FALSE;
  lac_span_end(training->context.lane, span, progress->iteration + 1);
  if (blind)
    return TRUE;
  member->last = report.loss;
  lac_pinn_loss_read(member->loss);
  return TRUE;
}

/* For programs that keep no graph: records and plans the loss again, allocates its memory, and feeds the previous
 * data. */
static gboolean
record_again(LacPinnMember *member, GError **error)
{
  g_autoptr(LacPinnLoss) old = member->loss;
  LacPinnLoss           *fresh = make_loss(member->training, error);
  g_autofree double     *theta = g_new(double, member->n_parameters);

  if (!fresh) {
    g_steal_pointer(&old);
    return FALSE;
  }
  lac_program_dup_theta(old->program, theta);
  lac_program_set_theta(fresh->program, theta);
  lac_pinn_loss_copy(old, fresh);
  lac_pinn_member_sample_conditions(member, fresh);
  member->loss = fresh;
  return TRUE;
}

gboolean
lac_pinn_member_step(LacPinnMember *member, GError **error)
{
  LacPinnProgress *progress = &member->state.progress;
  gboolean         changed = FALSE, blind;

  if (progress->finished)
    return TRUE;
  if ((member->training->context.without & LAC_WITHOUT_REPLAY) && !record_again(member, error))
    return FALSE;
  if (!maybe_refresh(member, &changed, error) || !maybe_weigh(member, &changed, error) ||
      !maybe_balance(member, &changed, error))
    return FALSE;
  if (changed)
    lac_optimiser_refresh(member->optimisers[progress->stage]);
  blind = lac_pinn_member_is_blind(member);
  if (!optimise(member, blind, error))
    return FALSE;
  if (get_stage(member)->first_order && lac_pinn_weights_are_live(member->weights))
    lac_pinn_weights_update(member->weights, member->loss, 1);
  lac_pinn_member_note(member, !blind);
  lac_pinn_progress_advance(progress, &member->training->stages,
                            blind ? (double) INFINITY : member->last);
  return TRUE;
}

/* ---- in a checkpoint, and back ---- */

static void
visit_numbers(LacPinnMember *member, LacVisit *visit, const char *name, double *numbers, gsize n)
{
  g_autofree char *key = g_strdup_printf("member %u %s", member->index, name);

  lac_visit_values(visit, key, numbers, 1, n, sizeof(double));
}

/* Loss weights except those of single points */
typedef struct {
  double numbers[3 + LAC_CAUSAL_CHUNKS + LAC_PINN_MAX_TERMS];
} Balance;

static Balance
pack_balance(const LacPinnWeights *weights)
{
  Balance balance = {
    {weights->epsilon, (double) weights->n_updates, (double) weights->n_term_updates}};

  memcpy(balance.numbers + 3, weights->chunks, sizeof weights->chunks);
  memcpy(balance.numbers + 3 + LAC_CAUSAL_CHUNKS, weights->adapted, sizeof weights->adapted);
  return balance;
}

static void
unpack_balance(LacPinnWeights *weights, const Balance *balance)
{
  weights->epsilon = balance->numbers[0];
  weights->n_updates = (gint64) balance->numbers[1];
  weights->n_term_updates = (gint64) balance->numbers[2];
  memcpy(weights->chunks, balance->numbers + 3, sizeof weights->chunks);
  memcpy(weights->adapted, balance->numbers + 3 + LAC_CAUSAL_CHUNKS, sizeof weights->adapted);
}

static void
visit_theta(LacPinnMember *member, LacVisit *visit)
{
  LacProgram        *program = member->loss->program;
  g_autofree double *theta = g_new0(double, member->n_parameters);

  if (visit->to)
    lac_program_dup_theta(program, theta);
  visit_numbers(member, visit, "theta", theta, member->n_parameters);
  if (lac_visit_restores(visit))
    lac_program_set_theta(program, theta);
}

static void
visit_balance(LacPinnMember *member, LacVisit *visit)
{
  Balance balance = pack_balance(member->weights);

  visit_numbers(member, visit, "balance", balance.numbers, G_N_ELEMENTS(balance.numbers));
  if (lac_visit_restores(visit))
    unpack_balance(member->weights, &balance);
}

/* Visits the weights and the misfits of the points. */
static void
visit_weights(LacPinnMember *member, LacVisit *visit)
{
  LacPinnLoss *loss = member->loss;

  for (guint p = 0; p < loss->n_parts; p++) {
    const gsize        n = loss->parts[p].n;
    g_autofree char   *name = g_strdup_printf("weights %u", p);
    g_autofree double *numbers = g_new(double, 2 * n);

    memcpy(numbers, member->weights->lambda[p], n * sizeof(double));
    memcpy(numbers + n, loss->parts[p].misfits, n * sizeof(double));
    visit_numbers(member, visit, name, numbers, 2 * n);
    memcpy(member->weights->lambda[p], numbers, n * sizeof(double));
    memcpy(loss->parts[p].misfits, numbers + n, n * sizeof(double));
  }
}

/* Visits only the optimiser still needed: the quasi-Newton matrix is the largest part of a checkpoint. */
static void
visit_optimiser(LacPinnMember *member, LacVisit *visit)
{
  g_autofree char *key = g_strdup_printf("member %u optimiser", member->index);

  lac_visit_packed(visit, key, lac_optimiser_pack,
                   member->optimisers[member->state.progress.stage]);
}

void
lac_pinn_member_visit(LacPinnMember *member, LacVisit *visit)
{
  LacPinnLoss     *loss = member->loss;
  g_autofree char *key = g_strdup_printf("member %u state", member->index);

  lac_visit_bytes(visit, key, &member->state, sizeof member->state);
  lac_visit_expect(visit, member->state.progress.stage >= 0 &&
                            member->state.progress.stage < member->training->stages.n_stages);
  visit_theta(member, visit);
  visit_numbers(member, visit, "points", loss->x[0],
                loss->sets[0].n * loss->model.subject->pde->n_axes);
  visit_balance(member, visit);
  visit_weights(member, visit);
  if (lac_visit_restores(visit)) {
    member->n_numbers = 0;
    lac_pinn_member_sample_conditions(member, member->loss);
    feed(member);
  }
  if (!visit->has_failed && !member->state.progress.finished)
    visit_optimiser(member, visit);
}
