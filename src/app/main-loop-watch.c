/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch stands at the one place that every turn of a main loop passes: where it waits. Busy is the time between two waits. */
#include "app/main-loop-watch.h"

#include "base/clock.h"

#include <glib/gstdio.h>

#include <stdio.h>
#include <time.h>

#define WRITTEN_NS 1000000

/* The function that waits is given no data of ours. */
static struct {
  GPollFunc        poll;
  gint64           begin_ns, begin_cpu_ns; /* of the turn; 0 before the first */
  gint64           frame_ns, frame_cpu_ns; /* of the frame */
  LacMainLoopTally tally;
  LacStallFunc     func;
  gpointer         user_data;
  FILE            *file; /* (nullable) */
} watch;

static gint64
thread_cpu_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_GINT64_CONSTANT(1000000000) + time.tv_nsec;
}

static void
write_line(const char *word, gint64 end_ns, gint64 ns, gint64 cpu_ns)
{
  if (watch.file != NULL)
    fprintf(watch.file, "%s %.6f %.3f %.3f\n", word, 1e-9 * (double) end_ns, 1e-6 * (double) ns,
            1e-6 * (double) cpu_ns);
}

static void
end_turn(void)
{
  gint64 end_ns = lac_clock_ns(), ns = end_ns - watch.begin_ns;
  gint64 cpu_ns = thread_cpu_ns() - watch.begin_cpu_ns;
  watch.tally.n_stalls += ns > LAC_STALL_NS;
  watch.tally.n_cpu_stalls += cpu_ns > LAC_STALL_NS;
  watch.tally.longest_ns = MAX(watch.tally.longest_ns, ns);
  watch.tally.longest_cpu_ns = MAX(watch.tally.longest_cpu_ns, cpu_ns);
  if (ns >= WRITTEN_NS)
    write_line("busy", end_ns, ns, cpu_ns);
  if (ns > LAC_STALL_NS && watch.func != NULL)
    watch.func(watch.begin_ns, end_ns, watch.user_data);
}

static int
wait_for_input(GPollFD *fds, guint n_fds, int timeout_ms)
{
  if (watch.begin_ns != 0)
    end_turn();
  int n = watch.poll(fds, n_fds, timeout_ms);
  watch.begin_ns = lac_clock_ns();
  watch.begin_cpu_ns = thread_cpu_ns();
  return n;
}

void
lac_main_loop_watch_start(void)
{
  if (watch.poll != NULL)
    return;
  const char *path = g_getenv("LACUNA_MAIN_LOOP");
  watch.file = path != NULL ? g_fopen(path, "we") : NULL;
  if (watch.file != NULL)
    setvbuf(watch.file, NULL, _IOLBF, 4096); /* whoever reads along sees whole lines */
  watch.poll = g_main_context_get_poll_func(NULL);
  g_main_context_set_poll_func(NULL, wait_for_input);
}

static void
on_frame_begin(GdkFrameClock *clock, gpointer user_data)
{
  watch.frame_ns = lac_clock_ns();
  watch.frame_cpu_ns = thread_cpu_ns();
}

static void
on_frame_end(GdkFrameClock *clock, gpointer user_data)
{
  gint64 now_ns = lac_clock_ns();
  write_line("frame", now_ns, now_ns - watch.frame_ns, thread_cpu_ns() - watch.frame_cpu_ns);
}

void
lac_main_loop_watch_frames(GtkWidget *window)
{
  g_return_if_fail(gtk_widget_get_realized(window));
  if (watch.file == NULL)
    return;
  GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
  g_signal_connect(clock, "before-paint", G_CALLBACK(on_frame_begin), NULL);
  g_signal_connect(clock, "after-paint", G_CALLBACK(on_frame_end), NULL);
}

void
lac_main_loop_watch_tell(LacStallFunc func, gpointer user_data)
{
  watch.func = func;
  watch.user_data = user_data;
}

LacMainLoopTally
lac_main_loop_watch_get(void)
{
  return watch.tally;
}

void
lac_main_loop_watch_reset(void)
{
  watch.tally = (LacMainLoopTally){0};
}
