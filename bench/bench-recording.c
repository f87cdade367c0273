/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overhead of recording: the same run four times, with recording off, coarse, full and off again, alternating step by
 * step. A turn is scored by the CPU time (user and system) of its compute thread from one step's start to the next
 * one's, with all run overhead between them. Load from other programs affects all four alike; the difference of the
 * two controls without recording gives the uncertainty. Prints JSON. */
#include "base/error.h"
#include "bench/harness/program.h"
#include "perf/analysis/ratio.h"
#include "run/core/run.h"

#include <glib/gstdio.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
  N_WAYS = 4,
  CONTROL = LAC_PERF_FULL + 1,
  N_WARM = 3,
  MOST_ROUNDS = 400,
  MOST_SESSIONS = 400
};

typedef struct {
  const char *key, *value;
} Setting;

typedef struct {
  const char   *name, *experiment;
  const Setting settings[12];
  const char   *steps_key; /* parameter for the number of steps */
} Workload;

static const Workload workloads[] = {
  {"flow/enkf-kolmogorov-32",
   "kolmogorov",
   {{"engines", "enkf"},
    {"grid", "32"},
    {"members", "32"},
    {"snapshots", "1100"},
    {"spin_up", "4"},
    {"judge", "1"}},
   "observations"},
  {"flow/pinn-taylor-green-4x64",
   "taylor-green",
   {{"engines", "pinn"},
    {"points", "2000"},
    {"depth", "4"},
    {"width", "64"},
    {"quasi_steps", "0"},
    {"refresh", "100000"},
    {"judge", "1000"}},
   "adam_steps"},
};

/* ---- turns ---- */

/* Scheduler of the turns. Each run has its own thread and waits at the start of a step. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t  changed;
  int             turn; /* index of a run; -1: ended, no run waits */
  guint           round, n_rounds;
  guint           session, n_sessions;
  double         *seconds[N_WAYS]; /* by detail, then the control; [session][round] */
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static const LacExperiment *original;

/* Returns the recording detail of a run. It rotates with the session, because the memory layout of a run changes its
 * time by about 1 % too. */
static int
role_of(int way)
{
  return (way + (int) turns.session) % N_WAYS;
}

static double
thread_seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Passes the turn to the run after @way; the order changes from round to round. */
static void
pass_on(int way)
{
  const int step = turns.round % 2 ? N_WAYS - 1 : 1;
  const int first = (int) (turns.round / 2) % N_WAYS;
  int       next = (way + step) % N_WAYS;

  if (next == first) {
    turns.round++;
    next = (int) (turns.round / 2) % N_WAYS;
  }
  turns.turn = turns.round < turns.n_rounds + N_WARM ? next : -1;
  pthread_cond_broadcast(&turns.changed);
}

/* Records, from the second step of a run on, the time since its last step began as one turn. */
static void
wait_for_turn(int way, double *begun)
{
  const double now = thread_seconds();

  pthread_mutex_lock(&turns.lock);
  if (*begun >= 0 && turns.turn == way) {
    if (turns.round >= N_WARM && turns.round - N_WARM < turns.n_rounds)
      turns.seconds[role_of(way)][turns.session * turns.n_rounds + turns.round - N_WARM] =
        now - *begun;
    pass_on(way);
  }
  while (turns.turn >= 0 && turns.turn != way)
    pthread_cond_wait(&turns.changed, &turns.lock);
  pthread_mutex_unlock(&turns.lock);
  *begun = thread_seconds();
}

/* Start time of the last step of a run; negative before its first. */
static double begun[N_WAYS];

#define STEP_OF(way)                                                                \
  static gboolean step_##way(gpointer state, LacStepReport *report, GError **error) \
  {                                                                                 \
    wait_for_turn(way, &begun[way]);                                                \
    return original->step(state, report, error);                                    \
  }
STEP_OF(0)
STEP_OF(1)
STEP_OF(2)
STEP_OF(3)

/* ---- runs ---- */

static LacRun *
start_run(const Workload *workload, int way, const char *out, LacContentCache *cache)
{
  static gboolean (*const steps[N_WAYS])(gpointer, LacStepReport *, GError **) = {step_0, step_1,
                                                                                  step_2, step_3};
  static LacExperiment experiments[N_WAYS];
  g_autoptr(GError)    error = NULL;
  g_autofree char     *n_steps = g_strdup_printf("%u", turns.n_rounds + N_WARM + 2);

  experiments[way] = *original;
  experiments[way].step = steps[way];
  g_autoptr(LacDraft) draft = lac_draft_new(&original->params);
  for (const Setting *setting = workload->settings; setting->key != NULL; setting++) {
    if (!lac_draft_set(draft, setting->key, setting->value, &error))
      g_error("%s", error->message);
  }
  if (!lac_draft_set(draft, workload->steps_key, n_steps, &error))
    g_error("%s", error->message);
  LacRunSettings settings = {
    .experiment = &experiments[way],
    .draft = draft,
    .seed = 1,
    .backend = "cpu",
    .precision = "auto",
    .threads = 1,
    .detail = role_of(way) == CONTROL ? LAC_PERF_OFF : (LacPerfDetail) role_of(way),
    .out = out,
    .cache = cache,
  };
  LacRun *run = lac_run_new(&settings, &error);
  if (run == NULL)
    g_error("%s", error->message);
  lac_run_start(run, FALSE);
  return run;
}

static void
remove_folder(const char *path)
{
  g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
  const char     *name;

  while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
    g_autofree char *child = g_build_filename(path, name, NULL);
    remove_folder(child);
  }
  g_remove(path);
}

/* Drains the records of the runs, as a run's controller does, so that they do not accumulate. */
static void
drain_until_ended(LacRun *run[N_WAYS])
{
  LacRunStatus status;

  for (int way = 0; way < N_WAYS;) {
    for (int other = way; other < N_WAYS; other++)
      lac_run_drain(run[other], NULL, NULL, NULL);
    lac_run_get_status(run[way], &status);
    if (status.state == LAC_RUN_ENDED)
      way++;
    else
      g_usleep(20 * 1000);
  }
}

static void
take_turns(const Workload *workload, const char *out, LacContentCache *cache)
{
  g_autoptr(GError) error = NULL;
  LacRun           *runs[N_WAYS];

  turns.turn = 0;
  turns.round = 0;
  for (int way = 0; way < N_WAYS; way++)
    begun[way] = -1;
  original = lac_experiment_find(workload->experiment, &error);
  if (original == NULL)
    g_error("%s", error->message);
  for (int way = 0; way < N_WAYS; way++)
    runs[way] = start_run(workload, way, out, cache);
  drain_until_ended(runs);
  for (int way = 0; way < N_WAYS; way++) {
    if (!lac_run_wait(runs[way], &error))
      g_error("%s", error->message);
    lac_run_free(runs[way]);
  }
}

static void
do_sessions(const Workload *workload)
{
  g_autoptr(GError)          error = NULL;
  g_autofree char           *out = g_dir_make_tmp("lacuna-recording-XXXXXX", &error);
  g_autofree char           *cached = g_build_filename(out, "cache", NULL);
  g_autoptr(LacContentCache) cache = lac_content_cache_new(cached, 0);

  for (turns.session = 0; turns.session < turns.n_sessions; turns.session++)
    take_turns(workload, out, cache);
  remove_folder(out);
}

/* Prints @turn relative to the mean of @other and @third in the same round. The median of each session is one sample,
 * robust against rounds disturbed by other load. The memory layout of a run is constant within a session, so only
 * many sessions separate it from the recording overhead. */
static void
print_ratio(const Workload *workload,
            const char     *metric,
            double          limit,
            const double   *turn,
            const double   *other,
            const double   *third)
{
  const guint        n = turns.n_sessions;
  g_autofree double *ratios = g_new(double, turns.n_rounds), *medians = g_new(double, n);

  for (guint s = 0; s < n; s++) {
    const gsize first = (gsize) s * turns.n_rounds;

    for (gsize i = 0; i < turns.n_rounds; i++)
      ratios[i] = 2 * turn[first + i] / (other[first + i] + third[first + i]) - 1;
    medians[s] = lac_median(ratios, turns.n_rounds);
  }
  bench_print(bench_row(workload->name, metric, "1", LAC_BENCH_QUALITY, limit), medians, n);
}

static void
measure(const Workload *workload)
{
  const gsize   n = (gsize) turns.n_sessions * turns.n_rounds;
  const double *off, *control;

  for (int role = 0; role < N_WAYS; role++)
    turns.seconds[role] = g_new0(double, n);
  off = turns.seconds[LAC_PERF_OFF];
  control = turns.seconds[CONTROL];
  do_sessions(workload);
  print_ratio(workload, "coarse_overhead", 0.003, turns.seconds[LAC_PERF_COARSE], off, control);
  print_ratio(workload, "full_overhead", 0.02, turns.seconds[LAC_PERF_FULL], off, control);
  print_ratio(workload, "control", 0, control, off, off);
  for (gsize i = 0; i < n; i++)
    turns.seconds[LAC_PERF_OFF][i] *= 1e3;
  bench_print(bench_row(workload->name, "step_time", "ms", LAC_BENCH_TIME, 0),
              turns.seconds[LAC_PERF_OFF], n);
  for (int role = 0; role < N_WAYS; role++)
    g_clear_pointer(&turns.seconds[role], g_free);
}

int
main(int argc, char **argv)
{
  int                n_rounds = 15, n_sessions = 32;
  const GOptionEntry entries[] = {
    {"rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds,
     "turns of each of the four runs per session; 15 to 400", "N"},
    {"sessions", 0, 0, G_OPTION_ARG_INT, &n_sessions,
     "sessions, each with a new memory layout; 4 to 400", "N"},
    {NULL},
  };

  bench_parse(entries, "[WORKLOAD...]", &argc, &argv);
  turns.n_rounds = (guint) CLAMP(n_rounds, 15, MOST_ROUNDS);
  turns.n_sessions = (guint) CLAMP(n_sessions, 4, MOST_SESSIONS);
  bench_begin(1, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(workloads); i++) {
    gboolean chosen = argc == 1;
    for (int a = 1; a < argc; a++)
      chosen = chosen || strstr(workloads[i].name, argv[a]) != NULL;
    if (chosen)
      measure(&workloads[i]);
  }
  return bench_end();
}
