/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal handlers that work without any thread: their messages are prepared in advance, and alarm(2) is the timer. */
#include "cli/stop-guard.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* timeout(1) and others signal a process and then its group: signals within this interval count as one. */
#define SAME_SIGNAL_NS G_GINT64_CONSTANT(500000000)

static volatile sig_atomic_t caught;
static gint64                caught_ns;
static LacRun               *followed;   /* (nullable): atomic */
static char                  begin[8];   /* start of a line, clearing the progress bar */
static char                  hint[4352]; /* hint with a path */

static void
describe(const char *text)
{
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void) n; /* nothing can be done about an error here */
}

/* Ends the process with the status a shell reports for the signal: 130, 143. */
static void
end_process(const char *why)
{
  describe(begin);
  describe(why);
  describe(hint);
  _exit(128 + caught);
}

static void
on_signal(int number)
{
  const int    code = errno;
  const gint64 now = lac_clock_ns();

  if (caught == 0) {
    caught_ns = now;
    caught = number;
    alarm(LAC_STOP_SECONDS);
  } else if (now - caught_ns > SAME_SIGNAL_NS) {
    end_process("lacuna: ended at once by a second signal");
  }
  errno = code;
}

static void
on_alarm(int number)
{
  const int code = errno;
  LacRun   *run = g_atomic_pointer_get(&followed);

  if (caught != 0 && (run == NULL || !lac_run_is_writing(run)))
    end_process("lacuna: still computing 10 s after the signal: ended at once");
  alarm(LAC_STOP_SECONDS);
  errno = code;
}

static void
handle(int number, void (*handler)(int number))
{
  struct sigaction action;

  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, NULL);
}

void
lac_stop_guard_begin(void)
{
  g_strlcpy(begin, isatty(STDERR_FILENO) ? "\r\033[K" : "", sizeof begin);
  g_strlcpy(hint, "\n", sizeof hint);
  handle(SIGALRM, on_alarm);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
}

int
lac_stop_guard_get_signal(void)
{
  return caught;
}

void
lac_stop_guard_follow(LacRun *run)
{
  if (run == NULL) {
    g_atomic_pointer_set(&followed, NULL);
    alarm(0); /* the run to be stopped has ended */
    return;
  }
  g_snprintf(hint, sizeof hint, "; lacuna run --resume %s continues from its last checkpoint\n",
             lac_run_get_folder(run));
  g_atomic_pointer_set(&followed, run);
}
