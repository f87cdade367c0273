/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rounds of a benchmark repeat the same phases: each is expected to take as long as in the round before. */
#include "app/benchmarks/runner.h"

#include "base/clock.h"
#include "base/error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

#define PERIOD_S 1
#define GROWTH_ROUNDS \
  "--rounds=2" /* an exponent is a fit over sizes: its error is known from one */

struct _LacBenchRunner {
  GObject       parent_instance;
  char         *program;     /* (nullable) */
  GSubprocess  *process;     /* NULL: not running */
  GCancellable *cancellable; /* of the reading; NULL: not running */
  char         *path;
  char         *message; /* (nullable): the last line that is not progress */
  gboolean      is_stopped;
  LacBenchPhase phase;
  char         *name;      /* of the phase */
  GArray       *durations; /* double: seconds of each phase of a round; NaN: unknown */
  gint64        begun_ns;  /* of the phase */
  guint         ticker;
};

G_DEFINE_FINAL_TYPE(LacBenchRunner, lac_bench_runner, G_TYPE_OBJECT)

enum { CHANGED, PROGRESSED, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- progress ---- */

static double
get_elapsed(const LacBenchRunner *self)
{
  return 1e-9 * (double) (lac_clock_ns() - self->begun_ns);
}

/* Stores the duration of the phase that has ended. */
static void
end_phase(LacBenchRunner *self, guint n_phases)
{
  const double unknown = NAN;

  while (self->durations->len < n_phases)
    g_array_append_val(self->durations, unknown);
  if (self->name != NULL && n_phases > 0)
    g_array_index(self->durations, double, self->phase.n_done % n_phases) = get_elapsed(self);
}

/* Reads "progress DONE ALL ROUND ROUNDS PHASE". Returns: FALSE for another line. */
static gboolean
take_progress(LacBenchRunner *self, const char *line)
{
  LacBenchPhase phase = {0};
  int           at = 0;

  if (sscanf(line, "progress %u %u %u %u %n", &phase.n_done, &phase.n_all, &phase.round,
             &phase.n_rounds, &at) != 4 ||
      at == 0 || phase.n_rounds == 0)
    return FALSE;
  end_phase(self, phase.n_all / phase.n_rounds);
  g_free(self->name);
  self->name = g_strdup(line + at);
  self->phase = phase;
  self->begun_ns = lac_clock_ns();
  g_signal_emit(self, signals[PROGRESSED], 0);
  return TRUE;
}

LacBenchPhase
lac_bench_runner_get_phase(LacBenchRunner *self)
{
  g_return_val_if_fail(LAC_IS_BENCH_RUNNER(self), (LacBenchPhase){0});
  LacBenchPhase phase = self->phase;
  double        sum = self->durations->len > 0 ? 0 : (double) NAN;

  for (guint k = phase.n_done; k < phase.n_all && self->durations->len > 0; k++) {
    const double seconds = g_array_index(self->durations, double, k % self->durations->len);

    sum += k == phase.n_done ? MAX(seconds - get_elapsed(self), 0) : seconds;
  }
  phase.phase = self->name;
  phase.seconds_left = sum;
  return phase;
}

static gboolean
on_tick(gpointer runner)
{
  g_signal_emit(runner, signals[PROGRESSED], 0);
  return G_SOURCE_CONTINUE;
}

/* ---- the process ---- */

static void
clear(LacBenchRunner *self)
{
  g_clear_handle_id(&self->ticker, g_source_remove);
  g_clear_object(&self->process);
  g_clear_object(&self->cancellable);
  g_clear_pointer(&self->path, g_free);
  g_clear_pointer(&self->message, g_free);
  g_clear_pointer(&self->name, g_free);
  g_array_set_size(self->durations, 0);
  self->phase = (LacBenchPhase){0};
}

/* The status says whether limits hold: the result is complete if its file exists, which is written at the end. */
static void
on_end(GObject *process, GAsyncResult *result, gpointer runner)
{
  g_autoptr(LacBenchRunner) self = runner;

  g_subprocess_wait_finish(G_SUBPROCESS(process), result, NULL);
  if (self->process != G_SUBPROCESS(process)) /* disposed */
    return;
  const gboolean   has_result = !self->is_stopped && g_file_test(self->path, G_FILE_TEST_EXISTS);
  g_autofree char *path = has_result ? g_strdup(self->path) : NULL;
  g_autofree char *why =
    has_result || self->is_stopped
      ? NULL
      : g_strdup(self->message != NULL ? self->message
                                       : _("The benchmark ended without a result."));
  clear(self);
  g_signal_emit(self, signals[CHANGED], 0);
  g_signal_emit(self, signals[ENDED], 0, path, why);
}

static void
on_line(GObject *lines, GAsyncResult *result, gpointer runner)
{
  g_autoptr(LacBenchRunner) self = runner;
  g_autofree char          *line =
    g_data_input_stream_read_line_finish(G_DATA_INPUT_STREAM(lines), result, NULL, NULL);

  if (self->process == NULL || g_cancellable_is_cancelled(self->cancellable))
    return;
  if (line == NULL) {
    g_subprocess_wait_async(self->process, NULL, on_end, g_object_ref(self));
    return;
  }
  if (!take_progress(self, line)) {
    g_free(self->message);
    self->message = g_steal_pointer(&line);
  }
  g_data_input_stream_read_line_async(G_DATA_INPUT_STREAM(lines), G_PRIORITY_DEFAULT,
                                      self->cancellable, on_line, g_object_ref(self));
}

static GPtrArray *
make_words(const LacBenchRunner *self, const LacBenchOrder *order)
{
  GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

  g_ptr_array_add(words, self->program != NULL ? g_strdup(self->program)
                                               : g_file_read_link("/proc/self/exe", NULL));
  g_ptr_array_add(words, g_strdup("bench"));
  if (order->family == LAC_BENCH_OF_GROWTH) {
    g_ptr_array_add(words, g_strdup("growth"));
    g_ptr_array_add(words, g_strdup(GROWTH_ROUNDS));
  }
  g_ptr_array_add(words, g_strdup("--progress"));
  if (order->scales != NULL)
    g_ptr_array_add(words, g_strconcat("--scale=", order->scales, NULL));
  g_ptr_array_add(words, g_strconcat("--output=", order->path, NULL));
  if (order->only != NULL)
    g_ptr_array_add(words, g_strconcat("--only=", order->only, NULL));
  if (order->family == LAC_BENCH_OF_ABLATION)
    g_ptr_array_add(words, g_strdup("--ablation"));
  g_ptr_array_add(words, NULL);
  return words;
}

/* Runs in the child: it ends with the window, however that ends. */
static void
on_child(gpointer user_data)
{
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

gboolean
lac_bench_runner_start(LacBenchRunner *self, const LacBenchOrder *order, GError **error)
{
  g_return_val_if_fail(LAC_IS_BENCH_RUNNER(self) && self->process == NULL, FALSE);
  g_autoptr(GPtrArray)           words = make_words(self, order);
  g_autoptr(GSubprocessLauncher) launcher =
    g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);

  g_subprocess_launcher_set_child_setup(launcher, on_child, NULL, NULL);
  self->process = g_subprocess_launcher_spawnv(launcher, (const char *const *) words->pdata, error);
  if (self->process == NULL)
    return FALSE;
  g_autoptr(GDataInputStream) lines =
    g_data_input_stream_new(g_subprocess_get_stderr_pipe(self->process));
  self->path = g_strdup(order->path);
  self->is_stopped = FALSE;
  self->begun_ns = lac_clock_ns();
  self->cancellable = g_cancellable_new();
  self->ticker = g_timeout_add_seconds(PERIOD_S, on_tick, self);
  g_data_input_stream_read_line_async(lines, G_PRIORITY_DEFAULT, self->cancellable, on_line,
                                      g_object_ref(self));
  g_signal_emit(self, signals[CHANGED], 0);
  return TRUE;
}

void
lac_bench_runner_stop(LacBenchRunner *self)
{
  g_return_if_fail(LAC_IS_BENCH_RUNNER(self));
  if (self->process == NULL)
    return;
  self->is_stopped = TRUE;
  g_subprocess_send_signal(self->process, SIGTERM);
}

gboolean
lac_bench_runner_is_running(LacBenchRunner *self)
{
  g_return_val_if_fail(LAC_IS_BENCH_RUNNER(self), FALSE);
  return self->process != NULL;
}

/* ---- the object ---- */

static void
lac_bench_runner_dispose(GObject *object)
{
  LacBenchRunner *self = LAC_BENCH_RUNNER(object);

  lac_bench_runner_stop(self);
  if (self->cancellable != NULL)
    g_cancellable_cancel(self->cancellable);
  clear(self);
  G_OBJECT_CLASS(lac_bench_runner_parent_class)->dispose(object);
}

static void
lac_bench_runner_finalize(GObject *object)
{
  g_array_unref(LAC_BENCH_RUNNER(object)->durations);
  g_free(LAC_BENCH_RUNNER(object)->program);
  G_OBJECT_CLASS(lac_bench_runner_parent_class)->finalize(object);
}

static void
lac_bench_runner_class_init(LacBenchRunnerClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_bench_runner_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_bench_runner_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_BENCH_RUNNER, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[PROGRESSED] = g_signal_new("progressed", LAC_TYPE_BENCH_RUNNER, G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new("ended", LAC_TYPE_BENCH_RUNNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
lac_bench_runner_init(LacBenchRunner *self)
{
  self->durations = g_array_new(FALSE, FALSE, sizeof(double));
}

LacBenchRunner *
lac_bench_runner_new(const char *program)
{
  LacBenchRunner *self = g_object_new(LAC_TYPE_BENCH_RUNNER, NULL);

  self->program = g_strdup(program);
  return self;
}
