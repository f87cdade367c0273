/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing of the options of `lacuna run`, and writing them as run plans and presets. */
#include "cli/run-request.h"

#include "base/error.h"
#include "cli/arguments.h"
#include "io/runfile/folder.h"
#include "run/core/inputs.h"
#include "run/plan/equation.h"
#include "run/plan/preset.h"
#include "run/plan/run-child.h"
#include "run/plan/yaml-write.h"
#include "run/plan/yaml.h"

#include <string.h>

#define MOST_SEEDS        10000
#define MOST_COMBINATIONS 10000

typedef struct {
  char    *launch[LAC_N_LAUNCH]; /* argument of each option of the launch table, except --sweep */
  char    *seeds, *devices, *batches, *out, *resume, *again, *preset, *write, *keep, *part_of;
  GStrv    settings, sweeps;
  gboolean json, quiet, no_cache, announce;
} Options;

static void
options_clear(Options *options)
{
  char **texts[] = {&options->seeds,  &options->devices, &options->batches, &options->out,
                    &options->resume, &options->again,   &options->preset,  &options->write,
                    &options->keep,   &options->part_of};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_clear_pointer(texts[i], g_free);
  for (gsize i = 0; i < LAC_N_LAUNCH; i++)
    g_clear_pointer(&options->launch[i], g_free);
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
  lac_launch_clear(&request->launch);
  g_free(request->out);
  g_free(request->resume);
  g_free(request->part_of);
  g_strfreev(request->devices);
  g_free(request->again);
  g_free(request->plan);
  g_free(request->write);
  g_free(request->keep);
  g_clear_pointer(&request->cache, lac_content_cache_unref);
  g_free(request);
}

static gboolean
set_all(LacDraft *draft, const GStrv settings, GError **error)
{
  for (gsize i = 0; settings != NULL && settings[i] != NULL; i++) {
    const char *equals = strchr(settings[i], '=');
    if (equals == NULL || equals == settings[i])
      return lac_refuse(error, LAC_ERROR_USAGE, "--set %s is not of the form KEY=VALUE",
                        settings[i]);
    g_autofree char *key = g_strndup(settings[i], (gsize) (equals - settings[i]));
    if (!lac_draft_set(draft, key, equals + 1, error))
      return FALSE;
  }
  return TRUE;
}

/* Checks the conditions between parameters for every combination before the first one runs. */
static gboolean
check_combinations(const LacRunRequest *request, GError **error)
{
  gsize n = lac_sweep_get_n(request->sweep);
  if (n > MOST_COMBINATIONS)
    return lac_refuse(error, LAC_ERROR_USAGE, "--sweep makes %" G_GSIZE_FORMAT " runs; at most %d",
                      n, MOST_COMBINATIONS);
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
  lac_launch_copy(&request->launch, &plan->launch);
  request->plan = g_strdup(path);
  return TRUE;
}

/* Takes the experiment of a recorded run. A plan of it is kept, unless its equation is another one than that of the run. */
static gboolean
take_own(LacRunRequest *request, const LacRunOrigin *origin, const char *path, GError **error)
{
  const LacExperiment *own = lac_experiment_find(origin->experiment, error);

  if (own == NULL)
    return FALSE;
  if (request->draft != NULL && request->experiment == own)
    return TRUE;
  if (request->draft != NULL)
    return lac_refuse(error, LAC_ERROR_USAGE,
                      "the equation of %s is not the one that %s was started with: leave out the "
                      "file, and the run takes its own",
                      request->plan, path);
  request->experiment = own;
  request->draft = lac_draft_new(&own->params);
  return TRUE;
}

static gboolean
take_origin(LacRunRequest *request, const Options *options, const char *name, GError **error)
{
  const char *path = options->resume != NULL ? options->resume : options->again;
  if (options->settings != NULL || options->sweeps != NULL || options->seeds != NULL ||
      (options->resume != NULL && options->again != NULL))
    return lac_refuse(error, LAC_ERROR_USAGE,
                      "--resume and --again take one run with its settings: leave out --set, "
                      "--sweep, --seeds and the other of the two");
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(path, error);
  if (origin == NULL)
    return FALSE;
  if (name != NULL && is_plan(name)) {
    if (!take_plan(request, name, error))
      return FALSE;
    name = request->experiment->name;
  }
  if (name != NULL && !g_str_equal(name, origin->experiment))
    return lac_refuse(error, LAC_ERROR_USAGE, "%s is a run of %s, not of %s", path,
                      origin->experiment, name);
  return lac_equation_learn(origin->folder, error) && take_own(request, origin, path, error);
}

static gboolean
take_experiment(LacRunRequest *request, const Options *options, const char *name, GError **error)
{
  if (options->resume != NULL || options->again != NULL)
    return take_origin(request, options, name, error);
  if (name == NULL)
    return lac_refuse(error, LAC_ERROR_USAGE,
                      "run needs the name of an experiment; lacuna list shows them");
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

/* Applies options, which override the plan. */
static gboolean
take_launch(LacRunRequest *request, const Options *options, GError **error)
{
  g_autofree char *sweep = options->sweeps != NULL ? g_strjoinv("; ", options->sweeps) : NULL;
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    LacLaunchKey     key = (LacLaunchKey) i;
    g_autofree char *name = g_strconcat("--", lac_launch_get_option(key), NULL);
    const char      *text = key == LAC_LAUNCH_SWEEP ? sweep : options->launch[key];
    if (text != NULL && !lac_launch_state(&request->launch, key, name, text, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
take_seeds(LacRunRequest *request, const Options *options, GError **error)
{
  gint64 seeds = 0, range[] = {1, MOST_SEEDS};
  if (!lac_arguments_integer("seeds", options->seeds, range, &seeds, error))
    return FALSE;
  request->n_seeds = (guint) seeds;
  return TRUE;
}

static gboolean
take_devices(LacRunRequest *request, const Options *options, GError **error)
{
  if (options->devices == NULL)
    return TRUE;
  if (request->n_seeds <= 1 && lac_sweep_get_n(request->sweep) <= 1)
    return lac_refuse(error, LAC_ERROR_USAGE,
                      "--devices is for the runs of --seeds and --sweep; a single run computes on "
                      "one device, --backend");
  if (request->launch.stated[LAC_LAUNCH_BACKEND] != NULL || request->batches > 0)
    return lac_refuse(error, LAC_ERROR_USAGE, "--devices excludes --backend and --monitor-batches");
  request->devices = lac_run_devices_parse(options->devices, error);
  return request->devices != NULL;
}

static gboolean
take_batches(LacRunRequest *request, const Options *options, GError **error)
{
  gint64 batches = 0, range[] = {0, G_MAXINT32};
  if (!lac_arguments_integer("monitor-batches", options->batches, range, &batches, error))
    return FALSE;
  request->batches = (guint) batches;
  if (batches > 0 && g_strcmp0(request->launch.stated[LAC_LAUNCH_PROFILE], "off") == 0)
    return lac_refuse(error, LAC_ERROR_USAGE,
                      "monitor-batches = %u needs records of the steps; leave out --profile off",
                      request->batches);
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
  if (!take_experiment(request, options, name, error) || !take_launch(request, options, error) ||
      !take_seeds(request, options, error) || !take_batches(request, options, error))
    return FALSE;
  if (!set_all(request->draft, options->settings, error) || !lac_inputs_give(request->draft, error))
    return FALSE;
  request->write = g_strdup(options->write);
  request->keep = g_strdup(options->keep);
  const char *sweep = request->launch.stated[LAC_LAUNCH_SWEEP];
  request->sweep = lac_sweep_parse(&request->experiment->params, sweep != NULL ? sweep : "", error);
  if (request->sweep == NULL || !check_combinations(request, error) ||
      !take_devices(request, options, error))
    return FALSE;
  request->part_of = lac_sweep_get_n_keys(request->sweep) > 0 ? lac_sweep_dup_identity(sweep)
                                                              : g_strdup(options->part_of);
  return TRUE;
}

/* Appends an entry for each row of the launch table. */
static void
add_launch_entries(GArray *entries, Options *options)
{
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const LacLaunchRow *row = lac_launch_row((LacLaunchKey) i);
    const gboolean      is_sweep = i == LAC_LAUNCH_SWEEP;
    const GOptionEntry  entry = {
       .long_name = lac_launch_get_option((LacLaunchKey) i),
       .arg = is_sweep ? G_OPTION_ARG_STRING_ARRAY : G_OPTION_ARG_STRING,
       .arg_data = is_sweep ? (gpointer) &options->sweeps : (gpointer) &options->launch[i],
       .description = row->option,
       .arg_description = row->value,
    };
    g_array_append_val(entries, entry);
  }
}

LacRunRequest *
lac_run_request_parse(int argc, char **argv, gboolean *json, GError **error)
{
  Options            options = {0};
  const GOptionEntry others[] = {
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.settings, "Set a parameter", "KEY=VALUE"},
    {"preset", 0, 0, G_OPTION_ARG_STRING, &options.preset,
     "Start from a preset; lacuna presets lists them", "NAME"},
    {"save-preset", 0, 0, G_OPTION_ARG_STRING, &options.keep,
     "Save these settings as a preset instead of running", "NAME"},
    {"write", 0, 0, G_OPTION_ARG_FILENAME, &options.write,
     "Write a run plan instead of running, with the comments of the plan it came from",
     "FILE.yaml"},
    {"seeds", 0, 0, G_OPTION_ARG_STRING, &options.seeds,
     "Run N seeds: median and worst of each result", "N"},
    {"devices", 0, 0, G_OPTION_ARG_STRING, &options.devices,
     "Devices for the runs of --seeds and --sweep, one run on each at a time: numbers of GPUs, all "
     "of them, or cpu,cpu for two runs that share the processor",
     "0,1|all|cpu,cpu"},
    {"monitor-batches", 0, 0, G_OPTION_ARG_STRING, &options.batches,
     "Print time, memory and loss of the first N batches of each epoch, and of each epoch", "N"},
    {"out", 0, 0, G_OPTION_ARG_FILENAME, &options.out, "Parent of the run folder", "DIR"},
    {"resume", 0, 0, G_OPTION_ARG_FILENAME, &options.resume, "Resume a stopped run", "RUN"},
    {"again", 0, 0, G_OPTION_ARG_FILENAME, &options.again,
     "Repeat a run exactly and compare the results bitwise", "RUN"},
    {"no-cache", 0, 0, G_OPTION_ARG_NONE, &options.no_cache, "Neither use nor update the cache",
     NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print the result as one JSON object", NULL},
    {"announce", 0, 0, G_OPTION_ARG_NONE, &options.announce,
     "Print the run folder on a line of its own as soon as it exists", NULL},
    {"part-of", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options.part_of,
     "The sweep that a program starts this run for", "SWEEP"},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "Show no progress", NULL},
    {NULL},
  };
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(GOptionEntry));
  g_array_append_vals(entries, others, 1);
  add_launch_entries(entries, &options);
  g_array_append_vals(entries, others + 1, G_N_ELEMENTS(others) - 1);
  const LacVerbForm form = {"NAME|FILE.yaml", "Runs an experiment and records it in a run folder.",
                            (const GOptionEntry *) (gpointer) entries->data, 0, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(LacRunRequest) request = g_new0(LacRunRequest, 1);
  gboolean                 good = lac_arguments_parse(&form, argc, argv, &words, error);
  *json = options.json;
  good = good && take_options(request, &options, words[0], error);
  options_clear(&options);
  return good ? g_steal_pointer(&request) : NULL;
}

LacRunSettings
lac_run_request_settings(const LacRunRequest *request, LacDraft *draft)
{
  LacRunSettings settings = {
    .experiment = request->experiment,
    .draft = draft,
    .out = request->out,
    .resume = request->resume,
    .again = request->again,
    .sweep = request->part_of,
    .cache = request->cache,
  };
  lac_launch_fill(&request->launch, &settings);
  return settings;
}

/* ---- writing run plans and presets ---- */

/* Returns: (transfer full) (nullable): the existing text of @target, else the text of @origin. */
static char *
read_model(const char *target, const char *origin)
{
  char *text = NULL;
  if (target != NULL && g_file_get_contents(target, &text, NULL, NULL))
    return text;
  if (origin != NULL)
    g_file_get_contents(origin, &text, NULL, NULL);
  return text;
}

gboolean
lac_run_request_write(const LacRunRequest *request, GError **error)
{
  const LacRunPlan plan = {request->experiment, request->draft, request->launch};
  g_autofree char *model = read_model(request->write, request->plan);
  g_autofree char *text = lac_yaml_write(&plan, model, error);
  const char      *name = request->experiment->name;
  if (text == NULL || (request->write != NULL && !lac_yaml_save(text, request->write, error)) ||
      (request->keep != NULL && !lac_preset_save(name, request->keep, text, error)))
    return FALSE;
  if (request->quiet || request->json)
    return TRUE;
  if (request->write != NULL)
    g_print("written: %s\n", request->write);
  if (request->keep != NULL)
    g_print("saved as “%s”: lacuna run %s --preset \"%s\"\n", request->keep, name, request->keep);
  return TRUE;
}
