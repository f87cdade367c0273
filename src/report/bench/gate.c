/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attempts of a gate and their combined verdict. A load peak of another process passes within a minute; a slower
 * program stays slow. */
#include "report/bench/gate.h"

#include "io/format/json-text.h"
#include "report/bench/bench-private.h"

/* Verdicts of the single attempts on a pair. */
typedef struct {
  gboolean was_kept;
  guint    n_broken; /* consecutive, up to the last */
} Schedule;

struct _LacBenchGate {
  const LacBenchFile *baseline;
  gboolean            partly;
  LacBenchFile       *measured; /* all attempts */
  GArray *pairs;   /* LacBenchPair of the baseline and all attempts, with the verdict of the gate */
  GArray *courses; /* Schedule of each pair */
  guint   n_attempts, n_missing;
};

LacBenchGate *
lac_bench_gate_new(const LacBenchFile *baseline, gboolean partly)
{
  LacBenchGate *gate = g_new0(LacBenchGate, 1);

  gate->baseline = baseline;
  gate->partly = partly;
  gate->measured = lac_bench_file_new();
  gate->pairs = g_array_new(FALSE, FALSE, sizeof(LacBenchPair));
  gate->courses = g_array_new(FALSE, TRUE, sizeof(Schedule));
  return gate;
}

void
lac_bench_gate_free(LacBenchGate *gate)
{
  if (!gate)
    return;
  lac_bench_file_free(gate->measured);
  g_array_unref(gate->pairs);
  g_array_unref(gate->courses);
  g_free(gate);
}

/* Returns the verdict of one attempt on a pair. */
static LacVerdict
score_alone(const GArray *alone, const LacBenchPair *pair)
{
  for (guint i = 0; i < alone->len; i++)
    if (g_array_index(alone, LacBenchPair, i).before == pair->before)
      return g_array_index(alone, LacBenchPair, i).verdict;
  return LAC_VERDICT_UNCLEAR;
}

/* Updates the verdicts after an attempt; every attempt has the same pairs. */
static void
settle(LacBenchGate *gate, const GArray *alone)
{
  g_array_set_size(gate->courses, gate->pairs->len);
  for (guint k = 0; k < gate->pairs->len; k++) {
    LacBenchPair    *pair = &g_array_index(gate->pairs, LacBenchPair, k);
    Schedule        *schedule = &g_array_index(gate->courses, Schedule, k);
    const LacVerdict now = score_alone(alone, pair);

    schedule->was_kept = schedule->was_kept || now == LAC_VERDICT_KEPT;
    schedule->n_broken = now == LAC_VERDICT_BROKEN ? schedule->n_broken + 1 : 0;
    if (schedule->was_kept)
      pair->verdict = LAC_VERDICT_KEPT;
    else if (pair->verdict == LAC_VERDICT_BROKEN && schedule->n_broken == 0)
      pair->verdict = LAC_VERDICT_UNCLEAR;
  }
}

static guint
count_missing(const LacBenchGate *gate)
{
  guint n = 0;

  for (guint i = 0; i < gate->baseline->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(gate->baseline->rows, i);

    if (row->samples->len && !lac_bench_file_find(gate->measured, row->name, row->metric))
      n++;
  }
  return gate->partly ? 0 : n;
}

void
lac_bench_gate_add(LacBenchGate *gate, const LacBenchFile *measured)
{
  g_autoptr(GArray) alone = lac_bench_compare(gate->baseline, measured);

  lac_bench_file_merge(gate->measured, measured);
  if (gate->n_attempts == 0) {
    g_strfreev(gate->measured->machine);
    gate->measured->machine = g_strdupv(measured->machine);
    gate->measured->threads = measured->threads;
  }
  g_array_unref(gate->pairs);
  gate->pairs = lac_bench_compare(gate->baseline, gate->measured);
  gate->n_attempts++;
  gate->n_missing = count_missing(gate);
  settle(gate, alone);
}

/* Returns TRUE when the limit is met, or broken twice in a row, or the row is a quality, which does not vary. */
static gboolean
is_settled(const LacBenchGate *gate, guint k)
{
  const LacBenchPair *pair = &g_array_index(gate->pairs, LacBenchPair, k);

  return pair->before->kind == LAC_BENCH_QUALITY || pair->verdict == LAC_VERDICT_KEPT ||
         (pair->verdict == LAC_VERDICT_BROKEN &&
          g_array_index(gate->courses, Schedule, k).n_broken > 1);
}

gboolean
lac_bench_gate_wants_more(const LacBenchGate *gate)
{
  gboolean all_settled = gate->n_attempts > 0;

  for (guint k = 0; k < gate->pairs->len; k++) {
    const LacBenchPair *pair = &g_array_index(gate->pairs, LacBenchPair, k);

    if (is_settled(gate, k) && pair->verdict == LAC_VERDICT_BROKEN)
      return FALSE;
    all_settled = all_settled && is_settled(gate, k);
  }
  return !all_settled && gate->n_missing == 0 && gate->n_attempts < LAC_GATE_MOST_ATTEMPTS;
}

gboolean
lac_bench_gate_passes(const LacBenchGate *gate)
{
  for (guint i = 0; i < gate->pairs->len; i++)
    if (g_array_index(gate->pairs, LacBenchPair, i).verdict == LAC_VERDICT_BROKEN)
      return FALSE;
  return gate->n_missing == 0 && gate->pairs->len > 0;
}

const LacBenchFile *
lac_bench_gate_get_measured(const LacBenchGate *gate)
{
  return gate->measured;
}

gboolean
lac_bench_gate_run(LacBenchGate   *gate,
                   guint           n_rounds,
                   LacBenchMeasure measure,
                   gpointer        user_data,
                   GError        **error)
{
  do {
    g_autoptr(LacBenchFile) file = lac_bench_file_new();

    if (!measure(n_rounds * (gate->n_attempts ? 2 : 1), file, user_data, error))
      return FALSE;
    lac_bench_gate_add(gate, file);
  } while (lac_bench_gate_wants_more(gate));
  return TRUE;
}

static char *
dup_answer(const LacBenchGate *gate)
{
  guint n_broken = 0, n_unclear = 0;

  for (guint i = 0; i < gate->pairs->len; i++) {
    const LacBenchPair *pair = &g_array_index(gate->pairs, LacBenchPair, i);

    n_broken += pair->verdict == LAC_VERDICT_BROKEN;
    n_unclear += pair->verdict == LAC_VERDICT_UNCLEAR;
  }
  if (n_broken || gate->n_missing)
    return g_strdup_printf(
      "\nNOT PASSED after %u measurements: %u beyond limits, %u not measured\n", gate->n_attempts,
      n_broken, gate->n_missing);
  return g_strdup_printf(
    "\nPassed after %u measurements: %u within limits, %u too noisy to decide (not a failure)\n",
    gate->n_attempts, gate->pairs->len - n_unclear, n_unclear);
}

char *
lac_bench_gate_dup_text(const LacBenchGate *gate, const char *baseline_name)
{
  const char *const names[] = {baseline_name, "now"};
  g_autofree char *table = lac_bench_pairs_text(gate->pairs, gate->baseline, gate->measured, names);
  g_autofree char *answer = dup_answer(gate);

  return g_strconcat(table, answer, NULL);
}

char *
lac_bench_gate_dup_json(const LacBenchGate *gate)
{
  g_autoptr(JsonBuilder) to = json_builder_new();
  g_autoptr(JsonNode)    root = NULL;

  json_builder_begin_object(to);
  lac_bench_put_pairs(to, gate->pairs, gate->baseline, gate->measured);
  json_builder_set_member_name(to, "attempts");
  json_builder_add_int_value(to, gate->n_attempts);
  json_builder_set_member_name(to, "missing");
  json_builder_add_int_value(to, gate->n_missing);
  json_builder_set_member_name(to, "passed");
  json_builder_add_boolean_value(to, lac_bench_gate_passes(gate));
  json_builder_end_object(to);
  root = json_builder_get_root(to);
  return lac_json_dup_text(root, FALSE);
}
