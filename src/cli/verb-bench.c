/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna bench: costs of the laboratories on this machine, compared with a baseline. */
#include "base/error.h"
#include "base/pool.h"
#include "bench/harness/machine.h"
#include "bench/tiers/ablation.h"
#include "bench/tiers/assimilation.h"
#include "bench/tiers/bench.h"
#include "bench/tiers/calibration.h"
#include "bench/tiers/coefficients.h"
#include "bench/tiers/growth.h"
#include "bench/tiers/prism.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/bench/gate.h"
#include "run/plan/launch-options.h"

#include <string.h>
#include <unistd.h>

#define MOST_ROUNDS   1000
#define ROUNDS        6   /* the minimum for a 95 % interval */
#define GROWTH_ROUNDS "3" /* the fit of one process has an uncertainty of its own */
#define GROWTH_MOST   3

typedef struct {
  gboolean json, ablation, any_machine, progress, profile;
  char    *scales, *gate, *out, *threads, *only, *rounds, *backend;
  char    *size, *operation, *samples, *epochs; /* of bench prism */
} Options;

typedef struct {
  gboolean    json, ablation, growth, prism, calibration, assimilation, coefficients, all, progress;
  const char *out;           /* (nullable) */
  const char *gate;          /* (nullable): path of the baseline */
  LacBenchFile    *baseline; /* (nullable) */
  gboolean         partly;   /* only part of the baseline is measured */
  GPtrArray       *tiers;
  LacBenchSettings settings;
  LacPrismSettings operations; /* of bench prism */
  gsize
    n_samples; /* runs of bench calibration, analyses of bench assimilation, draws of bench coefficients */
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
has_tier(const LacBenchFile *baseline, const LacBenchTier *tier, gboolean *is_ablation)
{
  gboolean has = FALSE;

  for (guint i = 0; i < baseline->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(baseline->rows, i);
    g_auto(GStrv)      parts = g_strsplit(row->name, "/", -1);

    *is_ablation = *is_ablation || g_strcmp0(parts[0], "ablation") == 0;
    has = has || (parts[0] && g_strcmp0(parts[1], tier->name) == 0);
  }
  return has;
}

/* Selects the tiers and the number of threads of the baseline. */
static gboolean
take_baseline(Bench *bench, const Options *options, GError **error)
{
  gsize               n;
  const LacBenchTier *tiers = lac_bench_tiers(&n);

  bench->gate = options->gate;
  bench->baseline = lac_bench_file_read(options->gate, error);
  if (!bench->baseline)
    return FALSE;
  bench->partly = options->only || options->scales;
  for (gsize i = 0; i < n && !options->scales; i++)
    if (has_tier(bench->baseline, &tiers[i], &bench->ablation))
      g_ptr_array_add(bench->tiers, (gpointer) &tiers[i]);
  if (!options->scales && bench->tiers->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s holds no tier of this version",
                options->gate);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_threads(const Bench *bench, const Options *options, gint64 *n_threads, GError **error)
{
  const guint before = bench->baseline->threads;

  if (options->threads && *n_threads != before) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--threads %s: %s was measured with %u; leave --threads out", options->threads,
                options->gate, before);
    return FALSE;
  }
  *n_threads = MAX(before, 1);
  return TRUE;
}

/* Refuses a baseline of another machine, whose times are not comparable. */
static gboolean
check_machine(const LacBenchFile *baseline, const char *path, const char *backend, GError **error)
{
  g_autoptr(LacBenchFile) now = lac_bench_file_new();
  const char             *before = lac_bench_file_get_fact(baseline, LAC_BENCH_IDENTITY), *here;

  lac_bench_describe_machine(now, 1, backend);
  here = lac_bench_file_get_fact(now, LAC_BENCH_IDENTITY);
  if (g_strcmp0(before, here) == 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "%s was measured on another machine (%s; this is %s): measure a baseline here, or "
              "compare anyway with --gate-any",
              path, before ? before : "not recorded", here);
  return FALSE;
}

/* Selects the backend; the ablation switches off features of the CPU kernels, so it refuses others. */
static gboolean
take_backend(Bench *bench, const Options *options, GError **error)
{
  if (options->ablation && options->profile) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--profile lists the operations of the tiers' steps; omit it with --ablation");
    return FALSE;
  }
  if (!options->backend || g_str_equal(options->backend, "cpu"))
    return TRUE;
  if (options->ablation) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--ablation measures only the processor; omit --backend %s", options->backend);
    return FALSE;
  }
  bench->settings.backend = options->backend;
  return TRUE;
}

static gboolean
take_options(Bench *bench, const Options *options, GError **error)
{
  const LacParam *threads = &lac_launch_row(LAC_LAUNCH_THREADS)->param;
  gint64          thread_range[] = {(gint64) threads->min, (gint64) threads->max};
  gint64          n_threads = lac_pool_available();
  gint64          round_range[] = {1, MOST_ROUNDS}, n_rounds = ROUNDS;

  if (!take_backend(bench, options, error) ||
      !lac_arguments_integer("threads", options->threads, thread_range, &n_threads, error) ||
      !lac_arguments_integer("rounds", options->rounds, round_range, &n_rounds, error) ||
      (options->gate && !take_baseline(bench, options, error)) ||
      (bench->baseline && !check_threads(bench, options, &n_threads, error)) ||
      (bench->baseline && !options->any_machine &&
       !check_machine(bench->baseline, options->gate, bench->settings.backend, error)) ||
      (bench->tiers->len == 0 && !take_scales(bench, options->scales, error)))
    return FALSE;
  bench->json = options->json;
  bench->progress = options->progress;
  bench->ablation = bench->ablation || options->ablation;
  bench->out = options->out;
  bench->settings.tiers = (const LacBenchTier *const *) bench->tiers->pdata;
  bench->settings.n_tiers = bench->tiers->len;
  bench->settings.n_threads = (guint) n_threads;
  bench->settings.n_rounds = (guint) n_rounds;
  bench->settings.only = options->only;
  bench->settings.profile = options->profile;
  return TRUE;
}

/* Shows progress on a line that overwrites itself. */
static void
show_progress(const LacBenchProgress *progress, gpointer user_data)
{
  g_printerr("\r\033[K%3.0f %%  %s", 100.0 * progress->n_done / progress->n_all, progress->name);
}

/* Prints a line for programs: "progress DONE ALL ROUND ROUNDS PHASE". The window reads it. */
static void
print_progress(const LacBenchProgress *progress, gpointer user_data)
{
  g_printerr("progress %u %u %u %u %s\n", progress->n_done, progress->n_all, progress->round,
             progress->n_rounds, progress->name);
}

static gboolean
measure(const Bench *bench, LacBenchFile *file, GError **error)
{
  LacBenchSettings settings = bench->settings;
  const gboolean   is_shown = isatty(STDERR_FILENO) && !bench->progress;
  gboolean         done;

  if (is_shown)
    settings.progress = show_progress;
  else if (bench->progress)
    settings.progress = print_progress;
  lac_bench_describe_machine(file, settings.n_threads, settings.backend);
  done = bench->growth  ? lac_bench_grow(&settings, file, error)
         : bench->prism ? lac_bench_prism_operations(&bench->operations, &settings, file, error)
         : bench->calibration  ? lac_bench_calibrate(bench->n_samples, &settings, file, error)
         : bench->assimilation ? lac_bench_assimilate(bench->n_samples, &settings, file, error)
         : bench->coefficients
           ? lac_bench_find_coefficients(bench->n_samples, &settings, file, error)
         : bench->ablation ? lac_bench_ablate(&settings, file, error)
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
  else if (bench->calibration || bench->assimilation || bench->coefficients)
    text = lac_bench_quality_text(file);
  else
    text = bench->ablation ? lac_bench_ablation_text(file) : lac_bench_text(file);
  g_print("%s%s", text, bench->json ? "\n" : "");
  *passed = lac_bench_file_passes(file);
  return TRUE;
}

/* ---- everything, one after the other ---- */

typedef struct {
  const char *name;
  gboolean    ablation, growth;
} Part;

/* Growth is measured with one thread. */
static gboolean
run_part(const Bench *bench, const Part *part, gboolean *passed, GError **error)
{
  Bench            one = *bench;
  g_autofree char *out = NULL;

  one.settings.everything = TRUE;
  one.ablation = part->ablation;
  one.growth = part->growth;
  if (part->growth)
    one.settings.n_threads = 1;
  if (part->growth)
    one.settings.n_rounds = MIN(bench->settings.n_rounds, GROWTH_MOST);
  if (bench->out) {
    const char *dot = strrchr(bench->out, '.');
    const int   length = (int) (dot ? dot - bench->out : (long) strlen(bench->out));
    out = g_strdup_printf("%.*s-%s%s", length, bench->out, part->name, dot ? dot : "");
    one.out = out;
  }
  if (!bench->json)
    g_print("%s\n\n", part->name);
  return run_bench(&one, passed, error);
}

static gboolean
run_all(const Bench *bench, gboolean *passed, GError **error)
{
  static const Part parts[] = {
    {"tiers", FALSE, FALSE}, {"ablation", TRUE, FALSE}, {"growth", FALSE, TRUE}};
  g_autoptr(GString) missed = g_string_new(NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    gboolean has_passed = FALSE;
    if (!run_part(bench, &parts[i], &has_passed, error))
      return FALSE;
    if (!bench->json)
      g_print("\n");
    if (!has_passed)
      g_string_append_printf(missed, "%s%s", missed->len ? ", " : "", parts[i].name);
  }
  *passed = missed->len == 0;
  if (bench->json)
    return TRUE;
  if (*passed)
    g_print("All limits are met.\n");
  else
    g_print("Limits are missed in: %s.\n", missed->str);
  return TRUE;
}

static gboolean
measure_again(guint n_rounds, LacBenchFile *file, gpointer user_data, GError **error)
{
  Bench bench = *(const Bench *) user_data;

  bench.settings.n_rounds = n_rounds;
  return measure(&bench, file, error);
}

static gboolean
run_gate(Bench *bench, gboolean *passed, GError **error)
{
  g_autoptr(LacBenchGate) gate = lac_bench_gate_new(bench->baseline, bench->partly);
  g_autofree char        *text = NULL;

  if (!lac_bench_gate_run(gate, bench->settings.n_rounds, measure_again, bench, error) ||
      (bench->out && !lac_bench_file_write(lac_bench_gate_get_measured(gate), bench->out, error)))
    return FALSE;
  text = bench->json ? lac_bench_gate_dup_json(gate) : lac_bench_gate_dup_text(gate, bench->gate);
  g_print("%s%s", text, bench->json ? "\n" : "");
  *passed = lac_bench_gate_passes(gate);
  return TRUE;
}

static gboolean
take_operation(Bench *bench, const Options *options, GError **error)
{
  g_autofree char *words = g_strjoinv(", ", (char **) lac_prism_operations);

  bench->operations.operation = options->operation;
  if (options->operation == NULL || g_strv_contains(lac_prism_operations, options->operation))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "--operation %s is not one of %s",
              options->operation, words);
  return FALSE;
}

/* The decoder doubles its planes: the grid is a power of two. */
static gboolean
take_prism(Bench *bench, Options *options, GError **error)
{
  gint64 size_range[] = {64, 4096}, count_range[] = {1, 100000};
  gint64 size = 1024, n_samples = 4, n_epochs = 5;

  if (!take_operation(bench, options, error) ||
      !lac_arguments_integer("size", options->size, size_range, &size, error) ||
      !lac_arguments_integer("samples", options->samples, count_range, &n_samples, error) ||
      !lac_arguments_integer("epochs", options->epochs, count_range, &n_epochs, error))
    return FALSE;
  if ((size & (size - 1)) != 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--size %s: the decoder doubles its planes, so it must be a power of two: 64, 128, "
                "... 4096",
                options->size);
    return FALSE;
  }
  bench->operations.size = (gsize) size;
  bench->operations.n_samples = (gsize) n_samples;
  bench->operations.n_epochs = (gsize) n_epochs;
  options->rounds = options->rounds ? options->rounds : g_strdup("1");
  return TRUE;
}

static gboolean
take_calibration(Bench *bench, const Options *options, GError **error)
{
  gint64 range[] = {1, 100000}, n_runs = 200;

  if (options->only || options->rounds) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "bench calibration takes no --only and --rounds; --samples is its number of runs");
    return FALSE;
  }
  if (!lac_arguments_integer("samples", options->samples, range, &n_runs, error))
    return FALSE;
  bench->n_samples = (gsize) n_runs;
  return TRUE;
}

/* Takes --samples for assimilation and coefficients. @what: of them: "analyses" */
static gboolean
take_samples(Bench         *bench,
             const Options *options,
             gint64         range[2],
             gint64         fallback,
             const char    *what,
             GError       **error)
{
  if (options->rounds) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "this benchmark takes no --rounds; --samples is its number of %s", what);
    return FALSE;
  }
  if (!lac_arguments_integer("samples", options->samples, range, &fallback, error))
    return FALSE;
  bench->n_samples = (gsize) fallback;
  return TRUE;
}

static gboolean
take_assimilation(Bench *bench, const Options *options, GError **error)
{
  gint64 range[] = {20, 20000};

  return take_samples(bench, options, range, 10000, "analyses", error);
}

static gboolean
take_coefficients(Bench *bench, const Options *options, GError **error)
{
  gint64 range[] = {1, 100000};

  return take_samples(bench, options, range, 100, "draws of the noise", error);
}

static gboolean
check_prism_options(const Bench *bench, const Options *options, GError **error)
{
  if (bench->prism ||
      ((bench->calibration || bench->assimilation || bench->coefficients) &&
       !(options->size || options->operation || options->epochs)) ||
      !(options->size || options->operation || options->samples || options->epochs))
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_USAGE,
    "--size, --operation, --samples and --epochs belong to bench prism, --samples also to "
    "bench calibration, bench assimilation and bench coefficients");
  return FALSE;
}

/* Selects the benchmark. Exponents are those of one thread, whose CPU time other load hardly affects. */
static gboolean
take_word(Bench *bench, const GStrv words, Options *options, GError **error)
{
  bench->prism = words[0] && g_str_equal(words[0], "prism");
  bench->calibration = words[0] && g_str_equal(words[0], "calibration");
  bench->assimilation = words[0] && g_str_equal(words[0], "assimilation");
  bench->coefficients = words[0] && g_str_equal(words[0], "coefficients");
  if (!check_prism_options(bench, options, error))
    return FALSE;
  if (!words[0])
    return TRUE;
  bench->growth = g_str_equal(words[0], "growth");
  bench->all = g_str_equal(words[0], "all");
  if (bench->all && (options->ablation || options->gate || options->only || options->backend))
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "bench all takes no --ablation, --gate, --only and --backend");
  else if (bench->all)
    return TRUE;
  else if (!bench->growth && !bench->prism && !bench->calibration && !bench->assimilation &&
           !bench->coefficients)
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "bench %s is unknown: use bench growth, bench prism, bench calibration, bench "
                "assimilation, bench coefficients or bench all",
                words[0]);
  else if (options->ablation || options->gate || options->scales || options->backend ||
           options->profile)
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "bench %s takes no --ablation, --gate, --scale, --backend and --profile", words[0]);
  else if (bench->prism)
    return take_prism(bench, options, error);
  else if (bench->calibration)
    return take_calibration(bench, options, error);
  else if (bench->assimilation)
    return take_assimilation(bench, options, error);
  else if (bench->coefficients)
    return take_coefficients(bench, options, error);
  else if (options->threads && !g_str_equal(options->threads, "1"))
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "bench growth measures one thread: omit "
                "--threads %s",
                options->threads);
  else {
    g_free(options->threads);
    options->threads = g_strdup("1");
    options->rounds = options->rounds ? options->rounds : g_strdup(GROWTH_ROUNDS);
    return TRUE;
  }
  return FALSE;
}

static void
clear(Options *options)
{
  g_free(options->scales);
  g_free(options->gate);
  g_free(options->out);
  g_free(options->threads);
  g_free(options->only);
  g_free(options->rounds);
  g_free(options->backend);
  g_free(options->size);
  g_free(options->operation);
  g_free(options->samples);
  g_free(options->epochs);
}

static int
run_verb(int argc, char **argv)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"scale", 0, 0, G_OPTION_ARG_STRING, &options.scales, "Tiers: small, medium, large; small",
     "A,B,C"},
    {"ablation", 0, 0, G_OPTION_ARG_NONE, &options.ablation,
     "Measure the gain of each optimisation by disabling it", NULL},
    {"gate", 0, 0, G_OPTION_ARG_FILENAME, &options.gate,
     "Compare with a baseline; exit status 1 if anything costs more or a check fails", "FILE.json"},
    {"gate-any", 0, 0, G_OPTION_ARG_NONE, &options.any_machine,
     "Accept a baseline of another machine", NULL},
    {"only", 0, 0, G_OPTION_ARG_STRING, &options.only,
     "Only phases whose name contains this: flow/small/step", "WORD"},
    {"rounds", 0, 0, G_OPTION_ARG_STRING, &options.rounds, "Processes per phase; 6", "N"},
    {"profile", 0, 0, G_OPTION_ARG_NONE, &options.profile,
     "Also list the operations of a training step by their share of its time", NULL},
    {"backend", 0, 0, G_OPTION_ARG_STRING, &options.backend, "Device for training: cpu, cuda; cpu",
     "NAME"},
    {"threads", 0, 0, G_OPTION_ARG_STRING, &options.threads,
     lac_launch_row(LAC_LAUNCH_THREADS)->option, lac_launch_row(LAC_LAUNCH_THREADS)->value},
    {"size", 0, 0, G_OPTION_ARG_STRING, &options.size, "prism: side of the grid; 1024", "N"},
    {"operation", 0, 0, G_OPTION_ARG_STRING, &options.operation,
     "prism: fft, model, training or full; all", "WORD"},
    {"samples", 0, 0, G_OPTION_ARG_STRING, &options.samples,
     "prism: exposures, 4; calibration: runs, 200; assimilation: analyses, 10000; coefficients: "
     "draws, 100",
     "N"},
    {"epochs", 0, 0, G_OPTION_ARG_STRING, &options.epochs, "prism: steps per exposure; 5", "N"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.out, "Save the measurements", "FILE.json"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print one JSON object", NULL},
    {"progress", 0, 0, G_OPTION_ARG_NONE, &options.progress,
     "Print a line per process on standard error: progress DONE ALL ROUND ROUNDS PHASE", NULL},
    {NULL},
  };
  const LacVerbForm form = {
    "[growth|prism|calibration|assimilation|coefficients|all]",
    "Measures time and memory of the laboratories on this machine, with their limits; growth: the "
    "exponents with which they grow; prism: the operations of PRISM's profile at any size; "
    "calibration: how often verdicts on reliability are wrong; assimilation: the ensemble Kalman "
    "filter beside published errors; coefficients: how often true values lie within the standard "
    "errors; all: tiers, ablation and growth, each saved in a file of its "
    "own.",
    entries, 0, 1};
  g_autoptr(GPtrArray) tiers = g_ptr_array_new();
  Bench                bench = {.tiers = tiers};
  g_auto(GStrv)        words = NULL;
  g_autoptr(GError)    error = NULL;
  gboolean             passed = FALSE;
  gboolean             done = lac_arguments_parse(&form, argc, argv, &words, &error) &&
                  take_word(&bench, words, &options, &error) &&
                  take_options(&bench, &options, &error);

  done = done && (bench.baseline ? run_gate(&bench, &passed, &error)
                  : bench.all    ? run_all(&bench, &passed, &error)
                                 : run_bench(&bench, &passed, &error));
  lac_bench_file_free(bench.baseline);
  clear(&options);
  if (!done)
    return lac_answer_error(error);
  return passed ? LAC_EXIT_FINISHED : LAC_EXIT_FAILED;
}

const LacVerb lac_verb_bench = {
  .name = "bench",
  .usage = "[growth|prism|calibration|all] [--scale A,B,C] [--ablation] [--gate FILE.json]",
  .summary = "time and memory of the laboratories, with their limits",
  .run = run_verb,
};
