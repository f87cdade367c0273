/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna bench: what the laboratories cost on this machine, beside what they may cost. */
#include "base/error.h"
#include "base/pool.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/bench-table.h"
#include "run/bench-ablation.h"
#include "run/bench.h"

#include <unistd.h>

#define MOST_THREADS 1024
#define MOST_ROUNDS  1000
#define ROUNDS       6 /* the fewest of which 95 % can be said */

typedef struct {
  gboolean json, ablation;
  char    *scales, *out, *threads, *only, *rounds;
} Options;

typedef struct {
  gboolean         json, ablation;
  const char      *out; /* (nullable) */
  GPtrArray       *tiers;
  LacBenchSettings settings;
} Bench;

static char *
dup_names(void)
{
  gsize               n;
  const LacBenchTier *tiers = lac_bench_tiers(&n);
  g_autoptr(GString)  names = g_string_new(NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf(names, "%s%s", i ? ", " : "", tiers[i].name);
  return g_strdup(names->str);
}

static gboolean
take_scales(Bench *bench, const char *scales, GError **error)
{
  g_auto(GStrv)       words = g_strsplit(scales ? scales : "small", ",", -1);
  gsize               n;
  const LacBenchTier *tiers = lac_bench_tiers(&n);

  for (gsize w = 0; words[w]; w++) {
    const guint n_before = bench->tiers->len;

    for (gsize i = 0; i < n; i++)
      if (g_str_equal(tiers[i].name, g_strstrip(words[w])))
        g_ptr_array_add(bench->tiers, (gpointer) &tiers[i]);
    if (bench->tiers->len == n_before) {
      g_autofree char *names = dup_names();

      g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "--scale %s is not one of %s", words[w],
                  names);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
take_options(Bench *bench, const Options *options, GError **error)
{
  gint64 thread_range[] = {1, MOST_THREADS}, n_threads = lac_pool_available();
  gint64 round_range[] = {1, MOST_ROUNDS}, n_rounds = ROUNDS;

  if (!lac_arguments_integer("threads", options->threads, thread_range, &n_threads, error) ||
      !lac_arguments_integer("rounds", options->rounds, round_range, &n_rounds, error) ||
      !take_scales(bench, options->scales, error))
    return FALSE;
  bench->json = options->json;
  bench->ablation = options->ablation;
  bench->out = options->out;
  bench->settings.tiers = (const LacBenchTier *const *) bench->tiers->pdata;
  bench->settings.n_tiers = bench->tiers->len;
  bench->settings.n_threads = (guint) n_threads;
  bench->settings.n_rounds = (guint) n_rounds;
  bench->settings.only = options->only;
  return TRUE;
}

/* A line that takes the place of the one before, for a person who waits. */
static void
show_progress(double fraction, const char *what, gpointer user_data)
{
  g_printerr("\r\033[K%3.0f %%  %s", 100 * fraction, what);
}

static gboolean
measure(const Bench *bench, LacBenchFile *file, GError **error)
{
  LacBenchSettings settings = bench->settings;
  const gboolean   is_shown = isatty(STDERR_FILENO);
  gboolean         done;

  if (is_shown)
    settings.progress = show_progress;
  lac_bench_describe_machine(file, settings.n_threads);
  done = bench->ablation ? lac_bench_ablate(&settings, file, error)
                         : lac_bench_measure(&settings, file, error);
  if (is_shown)
    g_printerr("\r\033[K");
  return done;
}

static gboolean
run_bench(const Bench *bench, gboolean *passed, GError **error)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autofree char        *text = NULL;

  if (!measure(bench, file, error) ||
      (bench->out && !lac_bench_file_write(file, bench->out, error)))
    return FALSE;
  if (bench->json)
    text = lac_bench_file_dup_text(file, FALSE);
  else
    text = bench->ablation ? lac_bench_ablation_text(file) : lac_bench_text(file);
  g_print("%s%s", text, bench->json ? "\n" : "");
  *passed = lac_bench_file_passes(file);
  return TRUE;
}

static void
clear(Options *options)
{
  g_free(options->scales);
  g_free(options->out);
  g_free(options->threads);
  g_free(options->only);
  g_free(options->rounds);
}

int
lac_verb_bench(int argc, char **argv)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"scale", 0, 0, G_OPTION_ARG_STRING, &options.scales, "Tiers: small, medium, large; small",
     "A,B,C"},
    {"ablation", 0, 0, G_OPTION_ARG_NONE, &options.ablation,
     "What each optimisation is worth: with it and without it", NULL},
    {"only", 0, 0, G_OPTION_ARG_STRING, &options.only,
     "Phases with this in their name: flow/small/step", "WORD"},
    {"rounds", 0, 0, G_OPTION_ARG_STRING, &options.rounds, "Processes that measure a phase; 6",
     "N"},
    {"threads", 0, 0, G_OPTION_ARG_STRING, &options.threads,
     "Threads to compute with; all there are", "N"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.out, "Keep what was measured", "FILE.json"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm form = {
    "", "Measures what the laboratories cost on this machine, beside what they may cost.", entries,
    0, 0};
  g_autoptr(GPtrArray) tiers = g_ptr_array_new();
  Bench                bench = {.tiers = tiers};
  g_auto(GStrv)        words = NULL;
  g_autoptr(GError)    error = NULL;
  gboolean             passed = FALSE;
  const gboolean       done = lac_arguments_parse(&form, argc, argv, &words, &error) &&
                        take_options(&bench, &options, &error) &&
                        run_bench(&bench, &passed, &error);

  clear(&options);
  if (!done)
    return lac_answer_error(error);
  return passed ? LAC_EXIT_FINISHED : LAC_EXIT_FAILED;
}
