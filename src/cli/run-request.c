/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the options of `lacuna run`. */
#include "cli/run-request.h"

#include "base/error.h"
#include "cli/arguments.h"
#include "io/runfile/folder.h"
#include "run/core/budget.h"
#include "run/core/inputs.h"
#include "run/plan/preset.h"
#include "run/plan/yaml.h"

#include <string.h>

#define MOST_THREADS      1024
#define MOST_SEEDS        10000
#define MOST_COMBINATIONS 10000

typedef struct {
  char *backend, *precision, *threads, *seed, *seeds, *out, *time_limit, *resume, *again, *profile,
    *preset, *write, *keep, *disk_budget;
  GStrv    settings, sweeps;
  gboolean json, quiet, no_cache, announce;
} Options;

static void
options_clear(Options *options)
{
  char **texts[] = {&options->backend, &options->precision,  &options->threads,    &options->seed,
                    &options->seeds,   &options->out,        &options->time_limit, &options->resume,
                    &options->again,   &options->profile,    &options->preset,     &options->write,
                    &options->keep,    &options->disk_budget};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_clear_pointer(texts[i], g_free);
  g_clear_pointer(&options->settings, g_strfreev);
  g_clear_pointer(&options->sweeps, g_strfreev);
}

void
lac_run_request_free(LacRunRequest *request)
{
  if (request == NULL)
    return;
  lac_draft_free(request->draft);
  lac_sweep_free(request->sweep);
  g_free(request->backend);
  g_free(request->precision);
  g_free(request->out);
  g_free(request->resume);
  g_free(request->again);
  g_free(request->profile);
  g_free(request->sweep_text);
  g_free(request->plan);
  g_free(request->write);
  g_free(request->keep);
  g_clear_pointer(&request->cache, lac_content_cache_unref);
  g_free(request);
}

static gboolean refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static gboolean
refuse(GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *sentence = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_USAGE, sentence);
  return FALSE;
}

static gboolean
set_all(LacDraft *draft, const GStrv settings, GError **error)
{
  for (gsize i = 0; settings != NULL && settings[i] != NULL; i++) {
    const char *equals = strchr(settings[i], '=');
    if (equals == NULL || equals == settings[i])
      return refuse(error, "--set %s is not of the form KEY=VALUE", settings[i]);
    g_autofree char *key = g_strndup(settings[i], (gsize) (equals - settings[i]));
    if (!lac_draft_set(draft, key, equals + 1, error))
      return FALSE;
  }
  return TRUE;
}

/* Conditions between parameters, for every combination before the first one runs. */
static gboolean
check_combinations(const LacRunRequest *request, GError **error)
{
  gsize n = lac_sweep_get_n(request->sweep);
  if (n > MOST_COMBINATIONS)
    return refuse(error, "--sweep makes %" G_GSIZE_FORMAT " runs; at most %d", n,
                  MOST_COMBINATIONS);
  for (gsize i = 0; i < n && request->experiment->check != NULL; i++) {
    g_autoptr(LacDraft) draft = lac_draft_copy(request->draft);
    if (!lac_sweep_apply(request->sweep, i, draft, error) ||
        !request->experiment->check(request->experiment, lac_draft_get_values(draft), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_plan(const char *name)
{
  return g_str_has_suffix(name, ".yaml") || g_str_has_suffix(name, ".yml");
}

static gboolean
take_plan(LacRunRequest *request, const char *path, GError **error)
{
  g_autoptr(LacRunPlan) plan = lac_yaml_read(path, error);
  if (plan == NULL)
    return FALSE;
  request->experiment = plan->experiment;
  request->draft = lac_draft_copy(plan->draft);
  request->seed = plan->seed;
  request->has_seed = plan->has_seed;
  request->threads = plan->threads;
  request->time_limit = plan->time_limit;
  request->backend = g_strdup(plan->backend);
  request->precision = g_strdup(plan->precision);
  request->profile = g_strdup(plan->profile);
  request->sweep_text = g_strdup(plan->sweep);
  request->plan = g_strdup(path);
  return TRUE;
}

static gboolean
take_origin(LacRunRequest *request, const Options *options, const char *name, GError **error)
{
  const char *path = options->resume != NULL ? options->resume : options->again;
  if (options->settings != NULL || options->sweeps != NULL || options->seeds != NULL ||
      (options->resume != NULL && options->again != NULL))
    return refuse(error, "--resume and --again take one run with its settings: leave out --set, "
                         "--sweep, --seeds and the other of the two");
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(path, error);
  if (origin == NULL)
    return FALSE;
  if (name != NULL && is_plan(name)) {
    if (!take_plan(request, name, error))
      return FALSE;
    if (g_str_equal(request->experiment->name, origin->experiment))
      return TRUE;
    name = request->experiment->name;
  }
  if (name != NULL && !g_str_equal(name, origin->experiment))
    return refuse(error, "%s is a run of %s, not of %s", path, origin->experiment, name);
  request->experiment = lac_experiment_find(origin->experiment, error);
  if (request->experiment == NULL)
    return FALSE;
  request->draft = lac_draft_new(&request->experiment->params);
  return TRUE;
}

static gboolean
take_experiment(LacRunRequest *request, const Options *options, const char *name, GError **error)
{
  if (options->resume != NULL || options->again != NULL)
    return take_origin(request, options, name, error);
  if (name == NULL)
    return refuse(error, "run needs the name of an experiment; lacuna list shows them");
  if (is_plan(name))
    return take_plan(request, name, error);
  request->experiment = lac_experiment_find(name, error);
  if (request->experiment == NULL)
    return FALSE;
  if (options->preset != NULL) {
    g_autoptr(LacPreset) preset = lac_preset_find(name, options->preset, error);
    return preset != NULL && take_plan(request, preset->path, error);
  }
  request->draft = lac_draft_new(&request->experiment->params);
  return TRUE;
}

static gboolean
take_choice(const char        *option,
            const char        *text,
            const char *const *known,
            char             **choice,
            GError           **error)
{
  g_autofree char *all = g_strjoinv(", ", (char **) known);
  if (text != NULL || *choice == NULL) {
    g_free(*choice);
    *choice = g_strdup(text != NULL ? text : known[0]);
  }
  if (g_strv_contains(known, *choice))
    return TRUE;
  return refuse(error, "--%s = %s is not one of %s", option, *choice, all);
}

static gboolean
take_backend(LacRunRequest *request, const char *text, GError **error)
{
  if (text != NULL || request->backend == NULL) {
    g_free(request->backend);
    request->backend = g_strdup(text != NULL ? text : "auto");
  }
  return lac_device_is_choice(request->backend) ||
         refuse(error,
                "--backend = %s is not one of " LAC_DEVICE_CHOICES "; lacuna devices lists them",
                request->backend);
}

static gboolean
take_machine(LacRunRequest *request, const Options *options, GError **error)
{
  static const char *const precisions[] = {"auto", "f64", "f32", "bf16x6", "bf16x3", NULL};
  static const char *const details[] = {"coarse", "full", "off", NULL};
  g_autofree char         *detail = g_strdup(request->profile);
  if (!take_backend(request, options->backend, error) ||
      !take_choice("precision", options->precision, precisions, &request->precision, error) ||
      !take_choice("profile", options->profile, details, &detail, error))
    return FALSE;
  if (options->profile != NULL) {
    g_free(request->profile);
    request->profile = g_strdup(detail);
  }
  request->detail = g_str_equal(detail, "off")    ? LAC_PERF_OFF
                    : g_str_equal(detail, "full") ? LAC_PERF_FULL
                                                  : LAC_PERF_COARSE;
  return TRUE;
}

static gboolean
take_numbers(LacRunRequest *request, const Options *options, GError **error)
{
  gint64 threads = request->threads, seed = (gint64) request->seed, seeds = 0;
  gint64 thread_range[] = {1, MOST_THREADS}, seed_range[] = {0, G_MAXINT64 - MOST_SEEDS},
         seeds_range[] = {1, MOST_SEEDS};
  if (!lac_arguments_integer("threads", options->threads, thread_range, &threads, error) ||
      !lac_arguments_integer("seed", options->seed, seed_range, &seed, error) ||
      !lac_arguments_integer("seeds", options->seeds, seeds_range, &seeds, error) ||
      !lac_arguments_real("time-limit", options->time_limit, 0, &request->time_limit, error))
    return FALSE;
  if (options->disk_budget != NULL &&
      !lac_disk_budget_parse(options->disk_budget, &request->disk_budget, error))
    return FALSE;
  request->threads = (guint) threads;
  request->seed = (guint64) seed;
  request->n_seeds = (guint) seeds;
  request->has_seed = request->has_seed || options->seed != NULL;
  return TRUE;
}

static gboolean
take_options(LacRunRequest *request, const Options *options, const char *name, GError **error)
{
  request->json = options->json;
  request->quiet = options->quiet;
  request->announces = options->announce;
  request->cache = options->no_cache ? NULL : lac_content_cache_new(NULL, 0);
  request->out = g_strdup(options->out);
  request->resume = g_strdup(options->resume);
  request->again = g_strdup(options->again);
  if (!take_experiment(request, options, name, error) || !take_machine(request, options, error) ||
      !take_numbers(request, options, error))
    return FALSE;
  if (!set_all(request->draft, options->settings, error) || !lac_inputs_give(request->draft, error))
    return FALSE;
  request->write = g_strdup(options->write);
  request->keep = g_strdup(options->keep);
  if (options->sweeps != NULL) {
    g_free(request->sweep_text);
    request->sweep_text = g_strjoinv("; ", options->sweeps);
  }
  request->sweep = lac_sweep_parse(&request->experiment->params,
                                   request->sweep_text != NULL ? request->sweep_text : "", error);
  return request->sweep != NULL && check_combinations(request, error);
}

LacRunRequest *
lac_run_request_parse(int argc, char **argv, gboolean *json, GError **error)
{
  Options            options = {0};
  const GOptionEntry entries[] = {
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.settings, "Set a parameter", "KEY=VALUE"},
    {"sweep", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.sweeps,
     "Run once for each value: a list, or steps: 4..16 in 4, 0.1..10 log in 5; after --sweep "
     "together with the first values, then the second ones; after --sweep 'random 20' with values "
     "drawn from lists and from ranges: 4..16, 0.1..10 log",
     "KEY=A,B,C"},
    {"backend", 0, 0, G_OPTION_ARG_STRING, &options.backend,
     "auto, cpu, strict, cuda or cuda:N; lacuna devices lists them", "NAME"},
    {"precision", 0, 0, G_OPTION_ARG_STRING, &options.precision,
     "auto, f64, f32; on a GPU bf16x6 or bf16x3", "NAME"},
    {"threads", 0, 0, G_OPTION_ARG_STRING, &options.threads,
     "Threads to compute with; all there are", "N"},
    {"seed", 0, 0, G_OPTION_ARG_STRING, &options.seed, "Where the random numbers start; 0", "N"},
    {"preset", 0, 0, G_OPTION_ARG_STRING, &options.preset,
     "Start from settings that are kept under a name; lacuna presets lists them", "NAME"},
    {"save-preset", 0, 0, G_OPTION_ARG_STRING, &options.keep,
     "Keep this under a name, and do not run it", "NAME"},
    {"write", 0, 0, G_OPTION_ARG_FILENAME, &options.write,
     "Write this down as a file that run takes, with the comments of the one it came from, and do "
     "not run it",
     "FILE.yaml"},
    {"seeds", 0, 0, G_OPTION_ARG_STRING, &options.seeds,
     "Run N seeds: median and worst of each result", "N"},
    {"out", 0, 0, G_OPTION_ARG_FILENAME, &options.out, "Where the run folder goes", "DIR"},
    {"time-limit", 0, 0, G_OPTION_ARG_STRING, &options.time_limit,
     "Stop after so long, with a checkpoint", "SECONDS"},
    {"resume", 0, 0, G_OPTION_ARG_FILENAME, &options.resume, "Go on with a stopped run", "RUN"},
    {"again", 0, 0, G_OPTION_ARG_FILENAME, &options.again,
     "Do a run again exactly, and compare every bit with it", "RUN"},
    {"disk-budget", 0, 0, G_OPTION_ARG_STRING, &options.disk_budget,
     "Most that what is recorded may take of the disk, the checkpoint apart; beyond half of it of "
     "ever fewer steps. 1 GB; none: no limit",
     "SIZE"},
    {"profile", 0, 0, G_OPTION_ARG_STRING, &options.profile, "off, coarse or full", "DETAIL"},
    {"no-cache", 0, 0, G_OPTION_ARG_NONE, &options.no_cache,
     "Compute everything again, and leave nothing for later runs", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print the result as one JSON object", NULL},
    {"announce", 0, 0, G_OPTION_ARG_NONE, &options.announce,
     "Print the run folder on a line of its own as soon as there is one", NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "Show no progress", NULL},
    {NULL},
  };
  const LacVerbForm form = {"NAME|FILE.yaml", "Runs an experiment into a run folder.", entries, 0,
                            1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(LacRunRequest) request = g_new0(LacRunRequest, 1);
  gboolean                 good = lac_arguments_parse(&form, argc, argv, &words, error);
  *json = options.json;
  good = good && take_options(request, &options, words[0], error);
  options_clear(&options);
  return good ? g_steal_pointer(&request) : NULL;
}
