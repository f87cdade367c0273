/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Row-by-row comparison of two benchmark files. */
#include "io/format/json-text.h"
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/text/pages-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

static const double *
numbers(const GArray *array)
{
  return (const double *) (gconstpointer) array->data;
}

static LacRatio
ratio_of(const GArray *before, const GArray *after)
{
  return lac_ratio_of_sets(numbers(before), before->len, numbers(after), after->len);
}

/* Scores a quality row, which is equal in every process: against its own limit and the baseline's. */
static void
score_quality(LacBenchPair *pair)
{
  const double before = lac_bench_row_median(pair->before);
  const double after = lac_bench_row_median(pair->after);
  const double ratio = after == before ? 1 : after / before;

  pair->limit = 1 + pair->before->tolerance;
  pair->ratio = (LacRatio){ratio, ratio, ratio};
  pair->verdict = ratio <= pair->limit && lac_bench_row_passes(pair->after) ? LAC_VERDICT_KEPT
                                                                            : LAC_VERDICT_BROKEN;
}

static void
score(LacBenchPair *pair)
{
  const LacBenchRow *before = pair->before, *after = pair->after;
  const gboolean     is_relative = before->relative->len && after->relative->len;

  switch (before->kind) {
  case LAC_BENCH_QUALITY: score_quality(pair); return;
  case LAC_BENCH_SPEEDUP:
  case LAC_BENCH_MERIT:
    pair->ratio = ratio_of(after->samples, before->samples);
    pair->limit = LAC_GATE_TIME;
    break;
  case LAC_BENCH_MEMORY:
    pair->ratio = ratio_of(before->samples, after->samples);
    pair->limit = LAC_GATE_MEMORY;
    break;
  case LAC_BENCH_TIME:
    pair->ratio = is_relative ? ratio_of(before->relative, after->relative)
                              : ratio_of(before->samples, after->samples);
    pair->limit = LAC_GATE_TIME;
    break;
  case LAC_N_BENCH_KINDS: g_assert_not_reached();
  }
  pair->verdict = lac_ratio_compare(pair->ratio, pair->limit);
}

GArray *
lac_bench_compare(const LacBenchFile *before, const LacBenchFile *after)
{
  GArray *pairs = g_array_new(FALSE, TRUE, sizeof(LacBenchPair));

  for (guint i = 0; i < before->rows->len; i++) {
    LacBenchPair pair = {.before = g_ptr_array_index(before->rows, i)};

    pair.after = lac_bench_file_find(after, pair.before->name, pair.before->metric);
    if (!pair.after || pair.after->kind != pair.before->kind)
      continue;
    score(&pair);
    g_array_append_val(pairs, pair);
  }
  return pairs;
}

/* ---- text ---- */

static const struct {
  const char *key; /* in JSON */
  const char *text;
} verdicts[] = {
  [LAC_VERDICT_KEPT] = {"kept", "within the limit"},
  [LAC_VERDICT_UNCLEAR] = {"unclear", "unclear"},
  [LAC_VERDICT_BROKEN] = {"broken", "BEYOND THE LIMIT"},
};

static void
add_pair(LacTable *table, const LacBenchPair *pair)
{
  g_autofree char *estimate = lac_bench_fixed_text(pair->ratio.estimate);
  g_autofree char *interval = lac_bench_interval_text(pair->ratio);
  g_autofree char *limit = lac_bench_fixed_text(pair->limit);
  g_autofree char *n =
    g_strdup_printf("%u, %u", pair->before->samples->len, pair->after->samples->len);
  const char *cells[] = {
    pair->before->name,          pair->before->metric, estimate, interval, limit, n,
    verdicts[pair->verdict].text};

  lac_table_add(table, pair->verdict == LAC_VERDICT_BROKEN ? LAC_ROW_STRONG : LAC_ROW_PLAIN, cells);
}

static void
add_missing(GString *text, const LacBenchFile *from, const LacBenchFile *other, const char *name)
{
  for (guint i = 0; i < from->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(from->rows, i);

    if (!lac_bench_file_find(other, row->name, row->metric))
      g_string_append_printf(text, "  %s %s: not in %s\n", row->name, row->metric, name);
  }
}

void
lac_bench_pairs_fill(const GArray *pairs, LacTable *table)
{
  static const LacColumn columns[] = {
    {"tier", LAC_ALIGN_LEFT, FALSE},   {"metric", LAC_ALIGN_LEFT, FALSE},
    {"ratio", LAC_ALIGN_RIGHT, FALSE}, {"95 % interval", LAC_ALIGN_RIGHT, FALSE},
    {"limit", LAC_ALIGN_RIGHT, FALSE}, {"samples", LAC_ALIGN_RIGHT, FALSE},
    {"", LAC_ALIGN_LEFT, FALSE},
  };

  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (guint i = 0; i < pairs->len; i++)
    add_pair(table, &g_array_index(pairs, LacBenchPair, i));
}

gboolean
lac_bench_is_one_machine(const LacBenchFile *before, const LacBenchFile *after)
{
  return g_strcmp0(lac_bench_file_get_fact(before, LAC_BENCH_IDENTITY),
                   lac_bench_file_get_fact(after, LAC_BENCH_IDENTITY)) == 0;
}

char *
lac_bench_pairs_text(const GArray       *pairs,
                     const LacBenchFile *before,
                     const LacBenchFile *after,
                     const char *const   names[2])
{
  g_auto(LacTable) table = {0};
  GString         *text = g_string_new(NULL);

  g_string_append_printf(text, "ratios of %s to %s: above 1 is worse\n", names[1], names[0]);
  if (!lac_bench_is_one_machine(before, after))
    g_string_append(text, "measured on different machines: times cannot be compared\n");
  g_string_append_c(text, '\n');
  lac_bench_pairs_fill(pairs, &table);
  lac_table_print(&table, text);
  add_missing(text, before, after, names[1]);
  add_missing(text, after, before, names[0]);
  return g_string_free(text, FALSE);
}

char *
lac_bench_compare_text(const LacBenchFile *before,
                       const LacBenchFile *after,
                       const char *const   names[2])
{
  g_autoptr(GArray) pairs = lac_bench_compare(before, after);

  return lac_bench_pairs_text(pairs, before, after, names);
}

/* ---- JSON ---- */

static void
put_pair(JsonBuilder *to, const LacBenchPair *pair)
{
  json_builder_begin_object(to);
  lac_json_add_text(to, "name", pair->before->name);
  lac_json_add_text(to, "metric", pair->before->metric);
  lac_json_add_text(to, "kind", lac_bench_kind_name(pair->before->kind));
  lac_json_add_text(to, "unit", pair->before->unit);
  lac_json_add_number(to, "before", lac_bench_row_median(pair->before));
  lac_json_add_number(to, "after", lac_bench_row_median(pair->after));
  lac_json_add_number(to, "ratio", pair->ratio.estimate);
  lac_json_add_number(to, "ratio_low", pair->ratio.low);
  lac_json_add_number(to, "ratio_high", pair->ratio.high);
  lac_json_add_number(to, "limit", pair->limit);
  lac_json_add_text(to, "judgement", verdicts[pair->verdict].key);
  json_builder_end_object(to);
}

static void
put_machine(JsonBuilder *to, const char *name, const LacBenchFile *file)
{
  json_builder_set_member_name(to, name);
  json_builder_begin_object(to);
  for (gsize i = 0; file->machine[i] && file->machine[i + 1]; i += 2)
    lac_json_add_text(to, file->machine[i], file->machine[i + 1]);
  json_builder_end_object(to);
}

void
lac_bench_put_pairs(JsonBuilder        *to,
                    const GArray       *pairs,
                    const LacBenchFile *before,
                    const LacBenchFile *after)
{
  put_machine(to, "before", before);
  put_machine(to, "after", after);
  json_builder_set_member_name(to, "results");
  json_builder_begin_array(to);
  for (guint i = 0; i < pairs->len; i++)
    put_pair(to, &g_array_index(pairs, LacBenchPair, i));
  json_builder_end_array(to);
}

char *
lac_bench_compare_json(const LacBenchFile *before, const LacBenchFile *after)
{
  g_autoptr(GArray)      pairs = lac_bench_compare(before, after);
  g_autoptr(JsonBuilder) to = json_builder_new();
  g_autoptr(JsonNode)    root = NULL;
  gboolean               passed = TRUE;

  for (guint i = 0; i < pairs->len; i++)
    passed = passed && g_array_index(pairs, LacBenchPair, i).verdict != LAC_VERDICT_BROKEN;
  json_builder_begin_object(to);
  lac_bench_put_pairs(to, pairs, before, after);
  json_builder_set_member_name(to, "passed");
  json_builder_add_boolean_value(to, passed);
  json_builder_end_object(to);
  root = json_builder_get_root(to);
  return lac_json_dup_text(root, FALSE);
}
