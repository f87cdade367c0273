/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of settings that scale the time of an operation. */
#include "experiment/speed-advice.h"

#include "perf/analysis/aggregate.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define DATA_SHARE 0.3 /* share of the time above which making data is reported */

/* Part of an operation's time that scales with the value, 0...1. */
typedef double (*Weight)(const LacDraft *draft);
/* Number of calls of the operation that the value allows; a method that has converged makes fewer. */
typedef double (*Limit)(const LacDraft *draft, double value);

typedef struct {
  const char *laboratory, *operation, *key; /* operation: its name, or the beginning of it */
  Weight      weight;                       /* (nullable): all of it */
  Limit       limit;                        /* (nullable): none */
  const char *price;
} Row;

static double
number(const LacDraft *draft, const char *key)
{
  const LacParam *row = lac_param_find(lac_draft_get_table(draft), key);
  return row != NULL ? lac_draft_get_number(draft, row) : 0;
}

static double
share_of(double part, double rest)
{
  return part + rest > 0 ? part / (part + rest) : 0;
}

static double
evaluation_moves(const LacDraft *draft)
{
  return number(draft, "evaluation") * number(draft, "evaluation_moves");
}

static double
training_moves(const LacDraft *draft)
{
  return number(draft, "iterations") * number(draft, "moves");
}

static double
weigh_evaluation_moves(const LacDraft *draft)
{
  return share_of(evaluation_moves(draft), training_moves(draft));
}

static double
weigh_training_moves(const LacDraft *draft)
{
  return share_of(training_moves(draft), evaluation_moves(draft));
}

static double
weigh_points(const LacDraft *draft)
{
  return share_of(number(draft, "points"), number(draft, "condition_points"));
}

static double
weigh_replays(const LacDraft *draft)
{
  return share_of(number(draft, "decoder_replays"), 1);
}

static double
weigh_spin_up(const LacDraft *draft)
{
  return share_of(number(draft, "spin_up"),
                  number(draft, "interval") *
                    (number(draft, "snapshots") + number(draft, "observations")));
}

static double
limit_by_value(const LacDraft *draft, double value)
{
  return value;
}

static double
limit_by_windows(const LacDraft *draft, double value)
{
  const double times = number(draft, "observations") + number(draft, "times");
  const double window = number(draft, "window");
  return window > 0 && times > 0 ? value * ceil(times / window) : value;
}

#define FEW_MEMBERS N_("A smaller ensemble has more sampling error.")
#define EARLY       N_("The fit may end before it has converged: look at its curve.")
#define FEW_POINTS  N_("The residual is known at fewer points.")
#define SPIN_UP     N_("The flow may not be statistically steady when its training part begins.")
#define SELDOM      N_("The error curves get fewer points; the results stay the same.")
#define CORRELATED  N_("Successive samples are more correlated.")
#define NOISY       N_("Error bars grow by a factor of 1.4.")
#define REPLAYS     N_("Earlier exposures may be forgotten.")
#define ORBITALS    N_("The optimisation starts from a less accurate wavefunction.")
#define SINGLE      N_("Numbers carry 7 digits instead of 16.")
#define KEPT        N_("Further runs with the same data read it from the cache.")
#define CORES       N_("The results stay the same within rounding.")

/* Each value is halved. */
static const Row rows[] = {
  {"flow", "Ensemble Kalman filter", "members", NULL, NULL, FEW_MEMBERS},
  {"flow", "Differentiable solver", "iterations", NULL, limit_by_windows, EARLY},
  {"flow", "Physics-informed network", "points", weigh_points, NULL, FEW_POINTS},
  {"flow", "Physics-informed network", "ensemble", NULL, NULL, FEW_MEMBERS},
  {"flow", "Data-driven surrogate, no physics", "surrogate_steps", NULL, NULL, EARLY},
  {"flow", "make the truth", "spin_up", weigh_spin_up, NULL, SPIN_UP},
  {"imaging", "PIE", "pie_sweeps", NULL, limit_by_value, EARLY},
  {"imaging", "rPIE", "rpie_sweeps", NULL, limit_by_value, EARLY},
  {"imaging", "RAAR", "raar_iterations", NULL, limit_by_value, EARLY},
  {"imaging", "Difference map", "dm_iterations", NULL, limit_by_value, EARLY},
  {"imaging", "Maximum likelihood", "ml_iterations", NULL, limit_by_value, EARLY},
  {"imaging", "Decoder", "decoder_replays", weigh_replays, NULL, REPLAYS},
  {"imaging", "Decoder", "decoder_steps", NULL, NULL, EARLY},
  {"quantum", "step", "walkers", NULL, NULL, NOISY},
  {"quantum", "move the walkers", "evaluation_moves", weigh_evaluation_moves, NULL, CORRELATED},
  {"quantum", "move the walkers", "moves", weigh_training_moves, NULL, CORRELATED},
  {"quantum", "pretrain", "pretraining", NULL, NULL, ORBITALS},
};

/* Options of a run. @single: time in single precision relative to double; @parallel: part of the time that threads
 * divide among them. Measured on two cores: H2 with 256 walkers, a network of 3 x 20, 64 members on a 64 x 64 grid. */
static const struct {
  const char *laboratory, *operation;
  double      single, parallel;
} options[] = {
  {"quantum", "step", 0.52, 0.75},
  {"flow", "Physics-informed network", 0.75, 0.3},
  {"flow", "Ensemble Kalman filter", 1, 0.85},
};

/* Operations whose results are kept between runs. */
static const char *const data[] = {"make the truth", "take the exposures", "find the modes"};

/* Evaluations, 100 in a run unless a parameter sets their interval. */
static const char *const evaluations[] = {"compare with the truth", "compare with the exposures"};

typedef struct {
  const LacSpeedCase *of;
  LacAggregates      *aggregates;
  double              whole_ns;
  GArray             *found;
} Search;

/* Returns: (nullable): the sums of a phase; NULL if it did not occur. */
static const LacAggregate *
find_phase(const Search *search, const char *operation)
{
  gsize               n;
  const LacAggregate *phases = lac_aggregates_get(search->aggregates, &n);
  for (gsize i = 0; i < n; i++)
    if (!phases[i].is_operation &&
        g_str_has_prefix(lac_capture_get_name(search->of->capture, phases[i].name), operation))
      return &phases[i];
  return NULL;
}

/* Returns: the share of the run's time that a phase takes. */
static double
find_share(const Search *search, const char *operation)
{
  const LacAggregate *phase = find_phase(search, operation);
  return phase != NULL ? MIN(phase->total_ns / search->whole_ns, 1) : 0;
}

static void
clear(gpointer advice)
{
  g_free(((LacSpeedAdvice *) advice)->now);
  g_free(((LacSpeedAdvice *) advice)->to);
}

/* Takes the texts of @advice. Of two for the same setting the one that saves more stays. */
static void
add(Search *search, LacSpeedAdvice advice)
{
  for (guint i = 0; i < search->found->len; i++) {
    LacSpeedAdvice *other = &g_array_index(search->found, LacSpeedAdvice, i);
    if (g_strcmp0(other->key, advice.key) != 0)
      continue;
    if (other->gain >= advice.gain) {
      clear(&advice);
      return;
    }
    g_array_remove_index(search->found, i--);
  }
  if (advice.gain >= LAC_SPEED_LEAST)
    g_array_append_val(search->found, advice);
  else
    clear(&advice);
}

/* Returns: (transfer full) (nullable): the value @to, rounded as the row wants it; NULL when it is not allowed or no
 * change. */
static char *
try_value(const LacSpeedCase *of, const LacParam *row, double to)
{
  g_autoptr(LacDraft) trial = lac_draft_copy(of->draft);
  char                text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(text, sizeof text, row->kind == LAC_PARAM_INTEGER ? "%.0f" : "%.3g", to);
  if (!lac_draft_set(trial, row->key, text, NULL) ||
      lac_draft_get_number(trial, row) == lac_draft_get_number(of->draft, row) ||
      (of->experiment->check != NULL &&
       !of->experiment->check(of->experiment, lac_draft_get_values(trial), NULL)))
    return NULL;
  return lac_draft_dup_text(trial, row);
}

static void
try_row(Search *search, const Row *row)
{
  const LacSpeedCase *of = search->of;
  const LacParam     *param = lac_param_find(&of->experiment->params, row->key);
  const double        share = find_share(search, row->operation);
  if (param == NULL || share == 0 || !lac_draft_is_in_use(of->draft, param))
    return;
  const double now = lac_draft_get_number(of->draft, param);
  char        *to = now > 0 ? try_value(of, param, now / 2) : NULL;
  if (to == NULL)
    return;
  const double value = g_ascii_strtod(to, NULL); /* a whole number may have been rounded */
  const double calls = (double) find_phase(search, row->operation)->count;
  const double saved =
    row->limit != NULL ? MAX(1 - row->limit(of->draft, value) / calls, 0) : 1 - value / now;
  const double weight = row->weight != NULL ? row->weight(of->draft) : 1;
  add(search, (LacSpeedAdvice){.key = param->key,
                               .row = param,
                               .now = lac_draft_dup_text(of->draft, param),
                               .to = to,
                               .operation = row->operation,
                               .share = share,
                               .gain = share * weight * saved,
                               .price = row->price});
}

static void
try_options(Search *search)
{
  const LacSpeedCase *of = search->of;
  for (gsize i = 0; i < G_N_ELEMENTS(options) && !of->on_device; i++) {
    const double share = g_str_equal(options[i].laboratory, of->experiment->laboratory)
                           ? find_share(search, options[i].operation)
                           : 0;
    if (g_strcmp0(of->precision, "f64") == 0)
      add(search, (LacSpeedAdvice){.key = "precision",
                                   .now = g_strdup("f64"),
                                   .to = g_strdup("f32"),
                                   .operation = options[i].operation,
                                   .share = share,
                                   .gain = share * (1 - options[i].single),
                                   .price = SINGLE});
    if (of->threads > 0 && of->threads < of->n_processors) {
      const double serial = 1 - options[i].parallel;
      const double ratio = (serial + options[i].parallel / of->n_processors) /
                           (serial + options[i].parallel / of->threads);
      add(search, (LacSpeedAdvice){.key = "threads",
                                   .now = g_strdup_printf("%u", of->threads),
                                   .to = g_strdup_printf("%u", of->n_processors),
                                   .operation = options[i].operation,
                                   .share = share,
                                   .gain = share * (1 - ratio),
                                   .price = CORES});
    }
  }
}

static void
try_evaluations(Search *search)
{
  const LacSpeedCase *of = search->of;
  const LacParam     *param = lac_param_find(&of->experiment->params, "judge");
  for (gsize i = 0; i < G_N_ELEMENTS(evaluations) && param != NULL; i++) {
    const LacAggregate *step = find_phase(search, "step");
    const LacAggregate *evaluation = find_phase(search, evaluations[i]);
    const double        steps = step != NULL ? (double) step->count : 0;
    const double        share = find_share(search, evaluations[i]);
    const double        now = evaluation != NULL ? ceil(steps / (double) evaluation->count) : 1;
    char               *to = share > 0 && 10 * now <= steps ? try_value(of, param, 10 * now) : NULL;
    if (to != NULL)
      add(search, (LacSpeedAdvice){.key = param->key,
                                   .row = param,
                                   .now = lac_draft_dup_text(of->draft, param),
                                   .to = to,
                                   .operation = evaluations[i],
                                   .share = share,
                                   .gain = share * 0.9,
                                   .price = SELDOM});
  }
}

static void
try_data(Search *search)
{
  for (gsize i = 0; i < G_N_ELEMENTS(data); i++) {
    const double share = find_share(search, data[i]);
    if (share >= DATA_SHARE)
      add(search,
          (LacSpeedAdvice){.operation = data[i], .share = share, .gain = share, .price = KEPT});
  }
}

static int
compare_gain(gconstpointer a, gconstpointer b)
{
  const double first = ((const LacSpeedAdvice *) a)->gain;
  const double second = ((const LacSpeedAdvice *) b)->gain;
  return (first < second) - (first > second);
}

GArray *
lac_speed_advice_find(const LacSpeedCase *of)
{
  g_return_val_if_fail(of != NULL && of->experiment != NULL && of->draft != NULL, NULL);
  g_return_val_if_fail(of->capture != NULL, NULL);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gint64                   begin, end;
  GArray                  *found = g_array_new(FALSE, FALSE, sizeof(LacSpeedAdvice));
  g_array_set_clear_func(found, clear);
  lac_capture_get_extent(of->capture, &begin, &end);
  if (end <= begin)
    return found;
  lac_aggregates_add_capture(aggregates, of->capture);
  Search search = {of, aggregates, (double) (end - begin), found};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    if (g_str_equal(rows[i].laboratory, of->experiment->laboratory))
      try_row(&search, &rows[i]);
  try_options(&search);
  try_evaluations(&search);
  try_data(&search);
  g_array_sort(found, compare_gain);
  g_array_set_size(found, MIN(found->len, LAC_SPEED_MOST));
  return found;
}

char *
lac_speed_advice_dup_change(const LacSpeedAdvice *advice)
{
  g_return_val_if_fail(advice != NULL, NULL);
  if (advice->key == NULL)
    return NULL;
  const char *label = advice->row != NULL ? g_dgettext(GETTEXT_PACKAGE, advice->row->label)
                      : g_str_equal(advice->key, "precision") ? _("Precision")
                                                              : _("Threads");
  return g_strdup_printf("%s = %s", label, advice->to);
}

char *
lac_speed_advice_dup_text(const LacSpeedAdvice *advice, gboolean for_terminal)
{
  g_return_val_if_fail(advice != NULL, NULL);
  const char *price = g_dgettext(GETTEXT_PACKAGE, advice->price);
  const int   share = (int) lround(100 * advice->share), gain = (int) lround(100 * advice->gain);
  if (advice->key == NULL)
    return g_strdup_printf(_("%s takes %d %% of the time. %s"), advice->operation, share, price);
  g_autofree char *change = lac_speed_advice_dup_change(advice);
  g_autofree char *option = !for_terminal ? NULL
                            : advice->row != NULL
                              ? g_strdup_printf("--set %s=%s", advice->key, advice->to)
                              : g_strdup_printf("--%s %s", advice->key, advice->to);
  return g_strdup_printf(_("%s (now %s) would save about %d %% of the time: %s takes %d %%. %s"),
                         option != NULL ? option : change, advice->now, gain, advice->operation,
                         share, price);
}
