/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of the rows of a benchmark, and the sentence that sums them up. */
#include "report/bench/answer.h"

#include "base/number-display.h"
#include "report/bench/bench-private.h"
#include "report/bench/names.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- rows ---- */

static const LacBenchPair *
find_pair(const GArray *pairs, const LacBenchRow *row)
{
  for (guint i = 0; i < pairs->len; i++)
    if (g_array_index(pairs, LacBenchPair, i).after == row)
      return &g_array_index(pairs, LacBenchPair, i);
  return NULL;
}

/* The limit allows a loss of limit - 1. */
static gboolean
gains(const LacBenchPair *pair)
{
  return pair->ratio.high < 1 && pair->ratio.estimate <= 1 - (pair->limit - 1) / 2;
}

static LacBenchState
find_state(const LacBenchPair *pair, const LacBenchRow *row)
{
  if (!lac_bench_row_passes(row) || (pair != NULL && pair->verdict == LAC_VERDICT_BROKEN))
    return LAC_BENCH_FAILS;
  if (pair == NULL)
    return LAC_BENCH_HOLDS;
  return pair->verdict == LAC_VERDICT_UNCLEAR ? LAC_BENCH_UNDECIDED
         : gains(pair)                        ? LAC_BENCH_GAINS
                                              : LAC_BENCH_HOLDS;
}

/* The ratio of a pair is that of the baseline to the new row if more is better. */
static double
find_change(const LacBenchPair *pair)
{
  const double ratio = pair->ratio.estimate;

  return (lac_bench_kind_wants_more(pair->before->kind) ? 1 / ratio : ratio) - 1;
}

GArray *
lac_bench_score(const LacBenchFile *before, const LacBenchFile *now)
{
  g_autoptr(GArray) pairs = before != NULL ? lac_bench_compare(before, now)
                                           : g_array_new(FALSE, FALSE, sizeof(LacBenchPair));
  GArray           *scores = g_array_new(FALSE, FALSE, sizeof(LacBenchScore));

  for (guint i = 0; i < now->rows->len; i++) {
    const LacBenchRow  *row = g_ptr_array_index(now->rows, i);
    const LacBenchPair *pair = find_pair(pairs, row);
    LacBenchScore       score = {row, NULL, NAN, {NAN, NAN, NAN}, NAN, find_state(pair, row)};

    if (row->samples->len == 0)
      continue;
    if (pair != NULL) {
      score.before = pair->before;
      score.ratio = pair->ratio;
      score.limit = pair->limit;
      score.change = find_change(pair);
    }
    g_array_append_val(scores, score);
  }
  return scores;
}

/* ---- the sentence ---- */

static double
find_excess(const LacBenchScore *score)
{
  const double median = lac_bench_row_median(score->row), limit = score->row->limit;

  if (!lac_bench_row_passes(score->row))
    return lac_bench_kind_wants_more(score->row->kind) ? limit / median : median / limit;
  return isfinite(score->ratio.estimate) ? score->ratio.estimate / score->limit : (double) INFINITY;
}

static const LacBenchScore *
find_worst(const GArray *scores)
{
  const LacBenchScore *worst = NULL;

  for (guint i = 0; i < scores->len; i++) {
    const LacBenchScore *score = &g_array_index(scores, LacBenchScore, i);

    if (score->state == LAC_BENCH_FAILS &&
        (worst == NULL || find_excess(score) > find_excess(worst)))
      worst = score;
  }
  return worst;
}

/* Returns: "imaging, medium" */
static char *
dup_place(const char *name)
{
  g_autofree char *laboratory = lac_bench_dup_laboratory(name), *tier = lac_bench_dup_tier(name);
  g_autofree char *item = lac_bench_dup_item(name);
  const char      *parts[] = {laboratory, *tier != '\0' ? tier : NULL, *item != '\0' ? item : NULL,
                              NULL};

  return g_strjoinv(", ", (char **) parts);
}

static char *
dup_missed_limit(const LacBenchScore *score, const char *what, const char *where)
{
  g_autofree char *limit = lac_bench_value_text(score->row, score->row->limit);

  return g_strdup_printf(lac_bench_kind_wants_more(score->row->kind)
                           ? _("The gate fails: %s (%s) is below its limit of %s.")
                           : _("The gate fails: %s (%s) is above its limit of %s."),
                         what, where, limit);
}

static char *
dup_failure(const LacBenchScore *score)
{
  g_autofree char *what = lac_bench_dup_metric_phrase(score->row->metric);
  g_autofree char *where = dup_place(score->row->name);
  g_autofree char *percent = g_strdup_printf("%.0f", round(100 * fabs(score->change)));

  if (!lac_bench_row_passes(score->row))
    return dup_missed_limit(score, what, where);
  if (!isfinite(score->change))
    return g_strdup_printf(_("The gate fails: %s (%s) is not a finite number."), what, where);
  if (score->row->kind == LAC_BENCH_TIME)
    return g_strdup_printf(_("The gate fails: %s (%s) is %s %% slower than its baseline."), what,
                           where, percent);
  if (lac_bench_kind_wants_more(score->row->kind))
    return g_strdup_printf(_("The gate fails: %s (%s) is %s %% below its baseline."), what, where,
                           percent);
  return g_strdup_printf(_("The gate fails: %s (%s) is %s %% above its baseline."), what, where,
                         percent);
}

static gboolean
is_growth(const GArray *scores)
{
  return scores->len > 0 &&
         g_str_has_prefix(g_array_index(scores, LacBenchScore, 0).row->name, "growth/");
}

static guint
count_operations(const GArray *scores)
{
  guint n = 0;

  for (guint i = 0; i < scores->len; i++)
    n += g_str_equal(g_array_index(scores, LacBenchScore, i).row->metric, LAC_GROWTH_METRIC);
  return n;
}

/* Exponents have no baseline: their limit is theory. */
static char *
dup_growth(const GArray *scores)
{
  const LacBenchScore *worst = find_worst(scores);
  const guint          n = count_operations(scores);

  if (worst == NULL)
    return g_strdup_printf(ngettext("%u operation grows no faster than theory allows.",
                                    "%u operations grow no faster than theory allows.", n),
                           n);
  g_autofree char *what = lac_bench_dup_metric_phrase(worst->row->metric);
  g_autofree char *operation = lac_bench_dup_tier(worst->row->name);
  g_autofree char *over = lac_bench_dup_item(worst->row->name);
  g_autofree char *median = lac_number_dup_fixed(lac_bench_row_median(worst->row), 2);
  g_autofree char *limit = lac_number_dup_fixed(worst->row->limit, 2);
  /* "The cost of RAAR step grows faster with object than theory allows: the exponent of time is 2.41, at most 2.15." */
  return g_strdup_printf(
    _("The cost of %s grows faster with %s than theory allows: %s is %s, at most %s."), operation,
    over, what, median, limit);
}

static char *
dup_sentence(const LacBenchAnswer *answer, gboolean has_baseline, const GArray *scores)
{
  const guint n_held = answer->n_rows - answer->n_failed - answer->n_undecided;

  if (answer->n_rows == 0)
    return NULL;
  if (is_growth(scores))
    return dup_growth(scores);
  if (answer->verdict == LAC_VERDICT_BROKEN)
    return dup_failure(find_worst(scores));
  if (answer->verdict == LAC_VERDICT_UNCLEAR)
    return g_strdup(_("Undecided: more rounds are needed to compare with the baseline."));
  if (!has_baseline)
    return g_strdup(_("Every limit holds."));
  return g_strdup_printf(ngettext("The gate holds: %u row is within its limits.",
                                  "The gate holds: %u rows are within their limits.", n_held),
                         n_held);
}

/* ---- the caption ---- */

/* Returns the largest tolerance of the physics checks; NaN without any. */
static double
find_tolerance(const LacBenchFile *before)
{
  double most = NAN;

  for (guint i = 0; i < before->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(before->rows, i);

    if (row->kind == LAC_BENCH_QUALITY)
      most = fmax(most, row->tolerance);
  }
  return most;
}

static char *
dup_limits(const LacBenchFile *before)
{
  const double     tolerance = find_tolerance(before);
  g_autofree char *time = lac_change_text(LAC_GATE_TIME - 1);
  g_autofree char *memory = lac_change_text(LAC_GATE_MEMORY - 1);
  g_autofree char *physics = lac_change_text(tolerance);

  if (isnan(tolerance))
    return g_strdup_printf(_("limits: time %s, memory %s"), time, memory);
  return g_strdup_printf(_("limits: time %s, memory %s, physics %s"), time, memory,
                         tolerance > 0 ? physics : _("exact"));
}

static char *
dup_caption(const LacBenchAnswer *answer, const LacBenchFile *before)
{
  const guint        n_held = answer->n_rows - answer->n_failed - answer->n_undecided;
  g_autoptr(GString) text = g_string_new(NULL);

  g_string_append_printf(text, ngettext("%u of %u row holds", "%u of %u rows hold", answer->n_rows),
                         n_held, answer->n_rows);
  if (answer->n_undecided > 0)
    g_string_append_printf(text, _(", %u undecided"), answer->n_undecided);
  if (before != NULL) {
    g_autofree char *limits = dup_limits(before);

    g_string_append_printf(text, " · %s", limits);
  }
  return g_strdup(text->str);
}

void
lac_bench_answer_init(LacBenchAnswer *answer, const LacBenchFile *before, const GArray *scores)
{
  *answer = (LacBenchAnswer){.n_rows = scores->len};
  for (guint i = 0; i < scores->len; i++) {
    const LacBenchState state = g_array_index(scores, LacBenchScore, i).state;

    answer->n_failed += state == LAC_BENCH_FAILS;
    answer->n_undecided += state == LAC_BENCH_UNDECIDED;
  }
  answer->verdict = answer->n_failed > 0                    ? LAC_VERDICT_BROKEN
                    : answer->n_undecided == answer->n_rows ? LAC_VERDICT_UNCLEAR
                                                            : LAC_VERDICT_KEPT;
  answer->sentence = dup_sentence(answer, before != NULL, scores);
  answer->caption = answer->n_rows > 0 ? dup_caption(answer, before) : NULL;
}

void
lac_bench_answer_clear(LacBenchAnswer *answer)
{
  g_clear_pointer(&answer->sentence, g_free);
  g_clear_pointer(&answer->caption, g_free);
}
