/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna bench: what sensor selection costs on this machine, beside what it may cost. */
#include "backend/dense.h"
#include "base/error.h"
#include "base/pool.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/json-text.h"
#include "run/bench-sensors.h"

#include <json-glib/json-glib.h>

#define TIMES_FASTER 10 /* than what is allowed: the goal */
#define MOST_THREADS 1024

typedef struct {
  gboolean     json;
  guint        n_threads;
  gboolean     good;
  GStrv        sides; /* those that are asked for; empty: all; borrowed */
  JsonBuilder *rows;
} Bench;

static void
add_number(JsonBuilder *rows, const char *name, double value)
{
  json_builder_set_member_name(rows, name);
  json_builder_add_double_value(rows, value);
}

static void
add_row(Bench *bench, const LacBenchTier *tier, const LacBenchCost *cost)
{
  json_builder_begin_object(bench->rows);
  add_number(bench->rows, "side", (double) tier->side);
  add_number(bench->rows, "components", (double) tier->n_components);
  add_number(bench->rows, "sensors", (double) tier->n_sensors);
  add_number(bench->rows, "seconds", cost->seconds);
  add_number(bench->rows, "slowest", cost->slowest);
  add_number(bench->rows, "seconds_allowed", tier->seconds_allowed);
  add_number(bench->rows, "bytes", cost->bytes);
  add_number(bench->rows, "bytes_allowed", tier->bytes_allowed);
  json_builder_end_object(bench->rows);
}

static void
print_row(const LacBenchTier *tier, const LacBenchCost *cost)
{
  g_autofree char *grid =
    g_strdup_printf("%s%" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT,
                    tier->n_components > 1 ? "u, v on " : "", tier->side, tier->side);
  g_autofree char *memory = g_format_size((guint64) cost->bytes);
  g_autofree char *memory_allowed = g_format_size((guint64) tier->bytes_allowed);

  g_print("%18s %8" G_GSIZE_FORMAT " %9.3f s %9.3f s %7g s %7.0f %12s %10s %7.0f\n", grid,
          tier->n_sensors, cost->seconds, cost->slowest, tier->seconds_allowed,
          tier->seconds_allowed / cost->seconds, memory, memory_allowed,
          tier->bytes_allowed / cost->bytes);
}

static void
print_head(const Bench *bench)
{
  g_print("Sensor selection: %d snapshots in memory, POD by the method of snapshots, pivoted QR of "
          "as many modes as\nsensors; %u %s, %s. Median and slowest of %d rounds, each grid in a "
          "process of its own.\nThe limits are those of the performance plan "
          "of pinns-mvp; the goal is %d times below them.\n\n"
          "%18s %8s %11s %11s %9s %7s %12s %10s %7s\n",
          LAC_BENCH_N_SNAPSHOTS, bench->n_threads, bench->n_threads == 1 ? "thread" : "threads",
          lac_dense_library(), LAC_BENCH_N_ROUNDS, TIMES_FASTER, "grid", "sensors", "time",
          "slowest", "limit", "times", "memory", "limit", "times");
}

static gboolean
is_wanted(const Bench *bench, const LacBenchTier *tier)
{
  g_autofree char *side = g_strdup_printf("%" G_GSIZE_FORMAT, tier->side);

  return !bench->sides[0] || g_strv_contains((const char *const *) bench->sides, side);
}

static gboolean
check_sides(const Bench *bench, GError **error)
{
  for (gsize k = 0; bench->sides[k]; k++)
    if (!g_strv_contains((const char *const[]){"32", "128", "512", NULL}, bench->sides[k])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                  "%s is no grid of the benchmark; 32, 128 and 512 are", bench->sides[k]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
measure(Bench *bench, GError **error)
{
  gsize               n_tiers;
  const LacBenchTier *tiers = lac_bench_tiers(&n_tiers);

  for (gsize i = 0; i < n_tiers; i++) {
    LacBenchCost cost;

    if (!is_wanted(bench, &tiers[i]))
      continue;
    if (!lac_bench_tier(&tiers[i], bench->n_threads, &cost, error))
      return FALSE;
    bench->good = bench->good && cost.seconds * TIMES_FASTER <= tiers[i].seconds_allowed &&
                  cost.bytes * TIMES_FASTER <= tiers[i].bytes_allowed;
    if (bench->json)
      add_row(bench, &tiers[i], &cost);
    else
      print_row(&tiers[i], &cost);
  }
  return TRUE;
}

/* {"threads", "library", "snapshots", "passed", "tiers": [...]} */
static gboolean
run_bench(Bench *bench, GError **error)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  g_autofree char       *text = NULL;
  g_autoptr(JsonNode)    root = NULL;

  if (!bench->json)
    print_head(bench);
  bench->rows = builder;
  json_builder_begin_object(builder);
  add_number(builder, "threads", bench->n_threads);
  add_number(builder, "snapshots", LAC_BENCH_N_SNAPSHOTS);
  json_builder_set_member_name(builder, "library");
  json_builder_add_string_value(builder, lac_dense_library());
  json_builder_set_member_name(builder, "tiers");
  json_builder_begin_array(builder);
  if (!measure(bench, error))
    return FALSE;
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "passed");
  json_builder_add_boolean_value(builder, bench->good);
  json_builder_end_object(builder);
  if (!bench->json)
    return TRUE;
  root = json_builder_get_root(builder);
  text = lac_json_dup_text(root, FALSE);
  g_print("%s\n", text);
  return TRUE;
}

int
lac_verb_bench(int argc, char **argv)
{
  Bench              bench = {.good = TRUE};
  g_autofree char   *threads = NULL;
  const GOptionEntry entries[] = {
    {"threads", 0, 0, G_OPTION_ARG_STRING, &threads, "Threads to compute with; all there are", "N"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &bench.json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm form = {"[32] [128] [512]",
                            "Measures what sensor selection costs on this machine.", entries, 0, 3};
  gint64            range[] = {1, MOST_THREADS}, n_threads = lac_pool_available();
  g_auto(GStrv)     sides = NULL;
  g_autoptr(GError) error = NULL;

  if (!lac_arguments_parse(&form, argc, argv, &sides, &error) ||
      !lac_arguments_integer("threads", threads, range, &n_threads, &error))
    return lac_answer_error(error);
  bench.sides = sides;
  bench.n_threads = (guint) n_threads;
  if (!check_sides(&bench, &error) || !run_bench(&bench, &error))
    return lac_answer_error(error);
  return bench.good ? LAC_EXIT_FINISHED : LAC_EXIT_FAILED;
}
