/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the launch table, and their values as text. */
#include "run/plan/launch-options.h"

#include "backend/registry.h"
#include "base/error.h"
#include "base/number.h"
#include "base/pool.h"
#include "run/core/budget.h"

#include <glib/gi18n-lib.h>

#define EXACT_IN_DOUBLE 9007199254740991.0 /* limit of a spin button, which holds a double */

/* The window's draft. */
typedef struct {
  gint64 seed, threads, backend, precision, profile;
  char  *sweep, *disk_budget;
  double time_limit;
} Values;

/* First choices; further GPUs follow by number. */
static const char *const backends[] = {"auto", "cpu", "strict", "cuda", NULL};
static const char *const precisions[] = {"auto", "f64", "f32", "bf16x6", "bf16x3", NULL};
static const char *const details[] =
  {[LAC_PERF_OFF] = "off", [LAC_PERF_COARSE] = "coarse", [LAC_PERF_FULL] = "full", NULL};

/* names of the choices above, in the same order */
static const char *const backend_titles[] = {N_("Fastest available"), N_("Processor"),
                                             N_("Processor, every access checked"),
                                             N_("NVIDIA GPU")};
static const char *const precision_titles[] = {N_("Automatic"), N_("Double (f64)"),
                                               N_("Single (f32)"), "BF16x6", "BF16x3"};
static const char *const detail_titles[] = {[LAC_PERF_OFF] = N_("Off"),
                                            [LAC_PERF_COARSE] = N_("Operations"),
                                            [LAC_PERF_FULL] = N_("Every tile")};

#define EVERYWHERE (LAC_LAUNCH_IN_PLAN | LAC_LAUNCH_IN_WINDOW)

static const LacLaunchRow rows[LAC_N_LAUNCH] = {
  /* leaves room for 10000 seeds in 63 bits */
  [LAC_LAUNCH_SEED] = {{LAC_FIELD(Values, seed), LAC_PARAM_INTEGER, "1", 0, 9223372036854765568.0,
                        0, N_("Seed"), N_("Computation"),
                        N_("The same seed gives the same results for any number of threads"),
                        LAC_PARAM_BASIC},
                       EVERYWHERE,
                       "N",
                       "Seed of the random numbers; 0"},
  [LAC_LAUNCH_THREADS] = {{LAC_FIELD(Values, threads), LAC_PARAM_INTEGER, "1", 1, 4096, 1,
                           N_("Threads"), N_("Computation"),
                           N_("One fewer than the number of cores keeps the window responsive"),
                           LAC_PARAM_BASIC},
                          EVERYWHERE,
                          "N",
                          "Number of threads; all"},
  [LAC_LAUNCH_BACKEND] =
    {{LAC_FIELD(Values, backend), LAC_PARAM_CHOICE, "1", 0, 3, 0, N_("Backend"), N_("Computation"),
      N_("Device of the run; the fastest available is found by timing a step on GPU and processor"),
      LAC_PARAM_BASIC, backends, .titles = backend_titles},
     EVERYWHERE,
     "NAME",
     "auto, cpu, strict, cuda or cuda:N; lacuna devices lists them"},
  [LAC_LAUNCH_PRECISION] = {{LAC_FIELD(Values, precision), LAC_PARAM_CHOICE, "1", 0, 4, 0,
                             N_("Precision"), N_("Computation"),
                             N_("Automatic: the precision that the experiment was tested with"),
                             LAC_PARAM_ADVANCED, precisions, .titles = precision_titles},
                            EVERYWHERE,
                            "NAME",
                            "auto, f64, f32; on a GPU bf16x6 or bf16x3"},
  [LAC_LAUNCH_PROFILE] = {{LAC_FIELD(Values, profile), LAC_PARAM_CHOICE, "1", 0, 2, LAC_PERF_COARSE,
                           N_("Profiling"), N_("Computation"),
                           N_("Detail of the recorded timeline"), LAC_PARAM_ADVANCED, details,
                           .titles = detail_titles},
                          EVERYWHERE,
                          "DETAIL",
                          "off, coarse or full"},
  [LAC_LAUNCH_SWEEP] =
    {{LAC_FIELD(Values, sweep), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Sweep"), N_("Computation"),
      N_("sensors=4,8,12: one run per value, with a table and a chart; several parameters after "
         "semicolons: every combination; together; sensors=4,8; noise=0,1: the first values, then "
         "the second ones; random 20; sensors=4..16; noise=0.1..10 log: twenty random draws"),
      LAC_PARAM_BASIC},
     EVERYWHERE,
     "KEY=A,B,C",
     "Run once for each value: a list, or steps: 4..16 in 4, 0.1..10 log in 5; after --sweep "
     "together with the first values, then the second ones; after --sweep 'random 20' with values "
     "drawn from lists and from ranges: 4..16, 0.1..10 log"},
  /* 1e9 s in nanoseconds fit in 63 bits */
  [LAC_LAUNCH_TIME_LIMIT] = {{LAC_FIELD(Values, time_limit), LAC_PARAM_REAL, "s", 0, 1e9, 0,
                              N_("Time limit"), N_("Computation"),
                              N_("Stops the run with a checkpoint after this time; 0: no limit"),
                              LAC_PARAM_ADVANCED},
                             EVERYWHERE,
                             "SECONDS",
                             "Stop with a checkpoint after this time"},
  /* in the window a preference, in MB */
  [LAC_LAUNCH_DISK_BUDGET] =
    {{LAC_FIELD(Values, disk_budget), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Disk budget per run in MB"),
      N_("Computation"),
      N_("Above half of it, times and metrics are recorded at fewer and fewer steps; 0: no limit"),
      LAC_PARAM_ADVANCED},
     0,
     "SIZE",
     "Disk budget of the records, not counting the checkpoint; beyond half of it fewer and fewer "
     "steps are recorded. 1 GB; none: no limit"},
};

const LacLaunchRow *
lac_launch_row(LacLaunchKey key)
{
  g_return_val_if_fail(key < LAC_N_LAUNCH, NULL);
  return &rows[key];
}

const char *
lac_launch_get_option(LacLaunchKey key)
{
  g_autofree char *name = g_strdelimit(g_strdup(lac_launch_row(key)->param.key), "_", '-');

  return g_intern_string(name);
}

/* ---- stated values ---- */

void
lac_launch_clear(LacLaunch *launch)
{
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    g_clear_pointer(&launch->stated[i], g_free);
}

void
lac_launch_copy(LacLaunch *to, const LacLaunch *from)
{
  lac_launch_clear(to);
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    to->stated[i] = g_strdup(from->stated[i]);
}

/* Replaces the stated value. Returns: TRUE */
static gboolean
put(LacLaunch *launch, LacLaunchKey key, char *text)
{
  g_free(launch->stated[key]);
  launch->stated[key] = text;
  return TRUE;
}

static gboolean
state_integer(LacLaunch   *launch,
              LacLaunchKey key,
              const char  *name,
              const char  *text,
              GError     **error)
{
  const gint64 least = (gint64) rows[key].param.min, most = (gint64) rows[key].param.max;
  gint64       value;

  if (lac_number_parse_whole(text, &value) && value >= least && value <= most)
    return put(launch, key, g_strdup_printf("%" G_GINT64_FORMAT, value));
  return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                    "%s = %s is not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                    name, text, least, most);
}

static gboolean
state_real(LacLaunch *launch, LacLaunchKey key, const char *name, const char *text, GError **error)
{
  const LacParam  *param = &rows[key].param;
  g_autofree char *allowed = NULL;
  double           value;

  if (lac_number_parse(text, &value) && value >= param->min && value <= param->max)
    return put(launch, key, lac_number_dup_text(value));
  allowed = lac_param_dup_allowed(param);
  return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE, "%s = %s is not a number from %s, in %s", name,
                    text, allowed, param->unit);
}

/* Accepts a backend that this machine lacks; the run reports it. */
static gboolean
state_choice(LacLaunch   *launch,
             LacLaunchKey key,
             const char  *name,
             const char  *text,
             GError     **error)
{
  const LacParam  *param = &rows[key].param;
  g_autofree char *all = NULL;

  if (key == LAC_LAUNCH_BACKEND) {
    if (lac_device_is_choice(text))
      return put(launch, key, g_strdup(text));
    return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE,
                      "%s = %s is not one of " LAC_DEVICE_CHOICES "; lacuna devices lists them",
                      name, text);
  }
  if (g_strv_contains(param->choices, text))
    return put(launch, key, g_strdup(text));
  all = g_strjoinv(", ", (char **) param->choices);
  return lac_refuse(error, LAC_ERROR_OUT_OF_RANGE, "%s = %s is not one of %s", name, text, all);
}

gboolean
lac_launch_state(LacLaunch   *launch,
                 LacLaunchKey key,
                 const char  *name,
                 const char  *text,
                 GError     **error)
{
  guint64 bytes;

  g_return_val_if_fail(key < LAC_N_LAUNCH, FALSE);
  const LacParamKind kind = rows[key].param.kind;

  if (kind == LAC_PARAM_INTEGER)
    return state_integer(launch, key, name, text, error);
  if (kind == LAC_PARAM_REAL)
    return state_real(launch, key, name, text, error);
  if (kind == LAC_PARAM_CHOICE)
    return state_choice(launch, key, name, text, error);
  if (key == LAC_LAUNCH_DISK_BUDGET && !lac_disk_budget_parse(text, &bytes, error))
    return FALSE;
  return put(launch, key, g_strdup(text));
}

void
lac_launch_take(LacLaunch *launch, const LacRunSettings *settings, const char *sweep)
{
  const guint64 budget = settings->disk_budget_bytes;

  lac_launch_clear(launch);
  put(launch, LAC_LAUNCH_SEED, g_strdup_printf("%" G_GUINT64_FORMAT, settings->seed));
  if (settings->threads > 0)
    put(launch, LAC_LAUNCH_THREADS, g_strdup_printf("%u", settings->threads));
  put(launch, LAC_LAUNCH_BACKEND, g_strdup(settings->backend));
  put(launch, LAC_LAUNCH_PRECISION, g_strdup(settings->precision));
  put(launch, LAC_LAUNCH_PROFILE, g_strdup(details[settings->detail]));
  put(launch, LAC_LAUNCH_SWEEP, g_strdup(sweep));
  if (settings->time_limit > 0)
    put(launch, LAC_LAUNCH_TIME_LIMIT, lac_number_dup_text(settings->time_limit));
  if (budget > 0)
    put(launch, LAC_LAUNCH_DISK_BUDGET,
        budget == G_MAXUINT64 ? g_strdup("none")
                              : g_strdup_printf("%" G_GUINT64_FORMAT " MB", budget / 1000000));
}

gboolean
lac_launch_is_usual(const LacLaunch *launch, LacLaunchKey key)
{
  const LacParam  *param = &rows[key].param;
  g_autofree char *usual = param->kind == LAC_PARAM_CHOICE
                             ? g_strdup(param->choices[(gsize) param->fallback])
                             : lac_number_dup_text(param->fallback);

  return param->kind != LAC_PARAM_TEXT && g_strcmp0(launch->stated[key], usual) == 0;
}

/* Returns the index of the stated choice, else the default. */
static gsize
get_choice(const LacLaunch *launch, LacLaunchKey key)
{
  const LacParam *param = &rows[key].param;

  for (gsize i = 0; param->choices[i] != NULL; i++)
    if (g_strcmp0(launch->stated[key], param->choices[i]) == 0)
      return i;
  return (gsize) param->fallback;
}

static double
get_number(const LacLaunch *launch, LacLaunchKey key, double otherwise)
{
  const char *text = launch->stated[key];

  return text != NULL ? g_ascii_strtod(text, NULL) : otherwise;
}

void
lac_launch_fill(const LacLaunch *launch, LacRunSettings *settings)
{
  const char *const *stated = (const char *const *) launch->stated;

  settings->seed =
    stated[LAC_LAUNCH_SEED] ? g_ascii_strtoull(stated[LAC_LAUNCH_SEED], NULL, 10) : 0;
  settings->threads = (guint) get_number(launch, LAC_LAUNCH_THREADS, 0);
  settings->backend =
    stated[LAC_LAUNCH_BACKEND] ? g_intern_string(stated[LAC_LAUNCH_BACKEND]) : backends[0];
  settings->precision = precisions[get_choice(launch, LAC_LAUNCH_PRECISION)];
  settings->detail = (LacPerfDetail) get_choice(launch, LAC_LAUNCH_PROFILE);
  settings->time_limit = get_number(launch, LAC_LAUNCH_TIME_LIMIT, 0);
  settings->disk_budget_bytes = 0;
  if (stated[LAC_LAUNCH_DISK_BUDGET] != NULL)
    lac_disk_budget_parse(stated[LAC_LAUNCH_DISK_BUDGET], &settings->disk_budget_bytes, NULL);
}

/* ---- the window's rows ---- */

/* Adds the backends of this machine as choices, which live as long as the process. */
static void
set_backends(LacParam *row)
{
  GPtrArray  *choices = g_ptr_array_new(), *titles = g_ptr_array_new();
  const guint n_cards = lac_device_count_cards();

  for (gsize i = 0; backends[i] != NULL; i++) {
    g_ptr_array_add(choices, (gpointer) backends[i]);
    g_ptr_array_add(titles, (gpointer) backend_titles[i]);
  }
  for (guint number = 1; number < n_cards; number++) {
    g_ptr_array_add(choices, g_strdup_printf("cuda:%u", number));
    g_ptr_array_add(titles, g_strdup_printf(_("NVIDIA GPU %u"), number));
  }
  row->max = choices->len - 1;
  g_ptr_array_add(choices, NULL);
  row->choices = (const char *const *) g_ptr_array_free(choices, FALSE);
  row->titles = (const char *const *) g_ptr_array_free(titles, FALSE);
}

static LacParam
param_here(LacLaunchKey key)
{
  LacParam     param = rows[key].param;
  const double cores = MAX(lac_pool_available(), 1);

  if (key == LAC_LAUNCH_THREADS) {
    param.max = MIN(param.max, cores);
    param.fallback = MAX(param.max, 2) - 1;
  } else if (key == LAC_LAUNCH_BACKEND) {
    set_backends(&param);
  } else if (param.kind == LAC_PARAM_INTEGER) {
    param.max = MIN(param.max, EXACT_IN_DOUBLE);
  }
  return param;
}

const LacParamTable *
lac_launch_params(void)
{
  static LacParam      here[LAC_N_LAUNCH];
  static LacParamTable table;
  static gsize         once = 0;

  if (g_once_init_enter(&once)) {
    table = (LacParamTable){here, 0, sizeof(Values)};
    for (guint i = 0; i < LAC_N_LAUNCH; i++)
      if (rows[i].places & LAC_LAUNCH_IN_WINDOW)
        here[table.n_rows++] = param_here((LacLaunchKey) i);
    g_once_init_leave(&once, 1);
  }
  return &table;
}

void
lac_launch_params_fill(const LacDraft *draft, LacRunSettings *settings)
{
  g_return_if_fail(lac_draft_get_table(draft) == lac_launch_params());
  const Values   *values = lac_draft_get_values(draft);
  const LacParam *backend = lac_param_find(lac_launch_params(), rows[LAC_LAUNCH_BACKEND].param.key);

  settings->seed = (guint64) values->seed;
  settings->threads = (guint) values->threads;
  settings->backend = backend->choices[values->backend];
  settings->precision = precisions[values->precision];
  settings->time_limit = values->time_limit;
  settings->detail = (LacPerfDetail) values->profile;
}

const char *
lac_launch_params_get_sweep(const LacDraft *draft)
{
  g_return_val_if_fail(lac_draft_get_table(draft) == lac_launch_params(), NULL);
  return ((const Values *) lac_draft_get_values(draft))->sweep;
}
