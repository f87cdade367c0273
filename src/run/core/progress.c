/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock readings of a run. */
#include "run/core/progress.h"

#include "base/clock.h"

#define RECENT_SECONDS 5
#define RECENT_STEPS   8

static double
get_seconds_since(gint64 begin_ns)
{
  return (double) (lac_clock_ns() - begin_ns) * 1e-9;
}

void
lac_run_progress_resume(LacRunProgress *progress, gint64 step, double seconds)
{
  progress->step = step;
  progress->seconds = progress->clock_seconds = seconds;
}

void
lac_run_progress_begin(LacRunProgress *progress)
{
  progress->thread_begin_ns = lac_clock_ns();
}

gboolean
lac_run_progress_is_out_of_time(const LacRunProgress *progress)
{
  return progress->time_limit > 0 &&
         get_seconds_since(progress->thread_begin_ns) >= progress->time_limit;
}

void
lac_run_progress_end_setup(LacRunProgress *progress)
{
  progress->setup_seconds = get_seconds_since(progress->thread_begin_ns);
}

static double
read_clock(const LacRunProgress *progress)
{
  if (progress->go_ns == 0)
    return progress->clock_seconds;
  return progress->clock_seconds + get_seconds_since(progress->go_ns);
}

void
lac_run_progress_start_clock(LacRunProgress *progress)
{
  if (progress->go_ns == 0)
    progress->go_ns = lac_clock_ns();
}

void
lac_run_progress_stop_clock(LacRunProgress *progress)
{
  progress->clock_seconds = read_clock(progress);
  progress->go_ns = 0;
}

void
lac_run_progress_count_step(LacRunProgress *progress)
{
  g_return_if_fail(progress->go_ns != 0);
  progress->step++;
  progress->seconds = read_clock(progress);
}

/* Halving the sums when they cover enough weights each step by its age: a mean without a list of durations. */
void
lac_run_progress_add_duration(LacRunProgress *progress, double seconds)
{
  progress->recent_seconds += seconds;
  progress->recent_steps += 1;
  if (progress->recent_seconds > 2 * RECENT_SECONDS && progress->recent_steps > 2 * RECENT_STEPS) {
    progress->recent_seconds /= 2;
    progress->recent_steps /= 2;
  }
}

double
lac_run_progress_get_seconds_left(const LacRunProgress *progress)
{
  const double done = progress->recent_steps;

  if (progress->n_steps <= 0 || done < 1 || (done < 3 && progress->recent_seconds < 1))
    return -1;
  return progress->recent_seconds / done * (double) MAX(progress->n_steps - progress->step, 0);
}
