/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recording costs: the same run four times, its recording off, coarse, full and off again, step by step in turns. A turn is
 * judged by the processor time of its compute thread, the system's part included, from one step's beginning to the next one's, with
 * all that a run does between them; what another program does to the machine meets all four, and how far the two that record
 * nothing differ says what the figures are worth. Prints JSON. */
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
  const char   *steps_key; /* the parameter that is how many steps there are */
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

/* Whose step it is. Each of the runs is in its own thread and waits at the beginning of a step. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t  changed;
  int             turn; /* a way; -1: it is over and nobody waits */
  guint           round, n_rounds;
  guint           session, n_sessions;
  double         *seconds[N_WAYS]; /* by detail, then the control; [session][round] */
} scheduler = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static const LacExperiment *original;

/* Which of the runs records how changes with the session: where its memory lies is worth a per cent too. */
static int
role_of(int way)
{
  return (way + (int) scheduler.session) % N_WAYS;
}

static double
thread_seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Who goes after @way in this round: the order changes from round to round. */
static void
pass_on(int way)
{
  const int step = scheduler.round % 2 ? N_WAYS - 1 : 1;
  const int first = (int) (scheduler.round / 2) % N_WAYS;
  int       next = (way + step) % N_WAYS;

  if (next == first) {
    scheduler.round++;
    next = (int) (scheduler.round / 2) % N_WAYS;
  }
  scheduler.turn = scheduler.round < scheduler.n_rounds + N_WARM ? next : -1;
  pthread_cond_broadcast(&scheduler.changed);
}

/* From the second step of a way on, the time since its last one was begun is that of one turn. */
static void
wait_for_turn(int way, double *begun)
{
  const double now = thread_seconds();

  pthread_mutex_lock(&scheduler.lock);
  if (*begun >= 0 && scheduler.turn == way) {
    if (scheduler.round >= N_WARM && scheduler.round - N_WARM < scheduler.n_rounds)
      scheduler
        .seconds[role_of(way)][scheduler.session * scheduler.n_rounds + scheduler.round - N_WARM] =
        now - *begun;
    pass_on(way);
  }
  while (scheduler.turn >= 0 && scheduler.turn != way)
    pthread_cond_wait(&scheduler.changed, &scheduler.lock);
  pthread_mutex_unlock(&scheduler.lock);
  *begun = thread_seconds();
}

/* When the last step of a way began; negative before its first. */
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
  g_autofree char     *n_steps = g_strdup_printf("%u", scheduler.n_rounds + N_WARM + 2);

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

/* As whoever controls a run does: else what it records would pile up. */
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
do_scheduler(const Workload *workload, const char *out, LacContentCache *cache)
{
  g_autoptr(GError) error = NULL;
  LacRun           *runs[N_WAYS];

  scheduler.turn = 0;
  scheduler.round = 0;
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

  for (scheduler.session = 0; scheduler.session < scheduler.n_sessions; scheduler.session++)
    do_scheduler(workload, out, cache);
  remove_folder(out);
}

/* @turn beside the mean of @other and @third in the same round: the median of each session is a sample, for a round that another
 * program disturbed says little. Where the memory of a run lies stays the same in a session, so that only many of them tell it from
 * what recording costs. */
static void
print_ratio(const Workload *workload,
            const char     *metric,
            double          limit,
            const double   *turn,
            const double   *other,
            const double   *third)
{
  const guint        n = scheduler.n_sessions;
  g_autofree double *ratios = g_new(double, scheduler.n_rounds), *medians = g_new(double, n);

  for (guint s = 0; s < n; s++) {
    const gsize first = (gsize) s * scheduler.n_rounds;

    for (gsize i = 0; i < scheduler.n_rounds; i++)
      ratios[i] = 2 * turn[first + i] / (other[first + i] + third[first + i]) - 1;
    medians[s] = lac_median(ratios, scheduler.n_rounds);
  }
  bench_print(bench_row(workload->name, metric, "1", LAC_BENCH_QUALITY, limit), medians, n);
}

static void
measure(const Workload *workload)
{
  const gsize   n = (gsize) scheduler.n_sessions * scheduler.n_rounds;
  const double *off, *control;

  for (int role = 0; role < N_WAYS; role++)
    scheduler.seconds[role] = g_new0(double, n);
  off = scheduler.seconds[LAC_PERF_OFF];
  control = scheduler.seconds[CONTROL];
  do_sessions(workload);
  print_ratio(workload, "coarse_overhead", 0.003, scheduler.seconds[LAC_PERF_COARSE], off, control);
  print_ratio(workload, "full_overhead", 0.02, scheduler.seconds[LAC_PERF_FULL], off, control);
  print_ratio(workload, "control", 0, control, off, off);
  for (gsize i = 0; i < n; i++)
    scheduler.seconds[LAC_PERF_OFF][i] *= 1e3;
  bench_print(bench_row(workload->name, "step_time", "ms", LAC_BENCH_TIME, 0),
              scheduler.seconds[LAC_PERF_OFF], n);
  for (int role = 0; role < N_WAYS; role++)
    g_clear_pointer(&scheduler.seconds[role], g_free);
}

int
main(int argc, char **argv)
{
  int                n_rounds = 15, n_sessions = 32;
  const GOptionEntry entries[] = {
    {"rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds,
     "turns of each of the four in each session; 15 to 400", "N"},
    {"sessions", 0, 0, G_OPTION_ARG_INT, &n_sessions,
     "sessions, in each of which their memory lies elsewhere; 4 to 400", "N"},
    {NULL},
  };

  bench_parse(entries, "[WORKLOAD...]", &argc, &argv);
  scheduler.n_rounds = (guint) CLAMP(n_rounds, 15, MOST_ROUNDS);
  scheduler.n_sessions = (guint) CLAMP(n_sessions, 4, MOST_SESSIONS);
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
