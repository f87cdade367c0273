/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main loop. The wake-up is a GSource whose prepare and check read one atomic flag: no file descriptor, no
 * allocation per wake. The watch replaces the poll function, which every iteration passes: busy time is the time
 * between two polls. */
#include "app/toolkit/main-loop.h"

#include "base/clock.h"

#include <gdk/gdk.h>
#include <glib/gstdio.h>

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

/* ---- wake-ups ---- */

#define PRIORITY (GDK_PRIORITY_REDRAW + 20)

struct _LacWakeSource {
  GSource    source;
  atomic_int armed; /* 1: data is pending, or a wake-up is under way */
};

static gboolean
prepare(GSource *source, int *timeout)
{
  *timeout = -1;
  return atomic_load_explicit(&((LacWakeSource *) source)->armed, memory_order_acquire) != 0;
}

static gboolean
check(GSource *source)
{
  return atomic_load_explicit(&((LacWakeSource *) source)->armed, memory_order_acquire) != 0;
}

/* Disarm first, then drain: the other order loses wakes. */
static gboolean
dispatch(GSource *source, GSourceFunc callback, gpointer user_data)
{
  atomic_exchange_explicit(&((LacWakeSource *) source)->armed, 0, memory_order_acq_rel);
  callback(user_data);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {prepare, check, dispatch, NULL, NULL, NULL};

LacWakeSource *
lac_wake_source_new(GSourceFunc callback, gpointer user_data)
{
  GSource       *source = g_source_new(&functions, sizeof(LacWakeSource));
  LacWakeSource *self = (LacWakeSource *) source;
  atomic_init(&self->armed, 0);
  g_source_set_priority(source, PRIORITY);
  g_source_set_static_name(source, "lacuna run");
  g_source_set_callback(source, callback, user_data, NULL);
  g_source_attach(source, NULL);
  return self;
}

void
lac_wake_source_wake(gpointer user_data)
{
  LacWakeSource *self = user_data;
  if (atomic_exchange_explicit(&self->armed, 1, memory_order_acq_rel) == 0)
    g_main_context_wakeup(NULL);
}

void
lac_wake_source_free(LacWakeSource *self)
{
  g_source_destroy(&self->source);
  g_source_unref(&self->source);
}

/* ---- the stall watch ---- */

#define WRITTEN_NS 1000000

/* File-scope state: a poll function has no user data. */
static struct {
  GPollFunc         poll;
  gint64            begin_ns, begin_cpu_ns; /* of the iteration; 0 before the first */
  gint64            frame_ns, frame_cpu_ns; /* start of the frame */
  LacMainLoopCounts step_times;
  LacStallFunc      func;
  gpointer          user_data;
  FILE             *file; /* (nullable) */
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
  watch.step_times.n_stalls += ns > LAC_STALL_NS;
  watch.step_times.n_cpu_stalls += cpu_ns > LAC_STALL_NS;
  watch.step_times.longest_ns = MAX(watch.step_times.longest_ns, ns);
  watch.step_times.longest_cpu_ns = MAX(watch.step_times.longest_cpu_ns, cpu_ns);
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
    setvbuf(watch.file, NULL, _IOLBF,
            4096); /* line buffering: concurrent readers get whole lines */
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
lac_main_loop_watch_set_callback(LacStallFunc func, gpointer user_data)
{
  watch.func = func;
  watch.user_data = user_data;
}

LacMainLoopCounts
lac_main_loop_watch_get(void)
{
  return watch.step_times;
}

void
lac_main_loop_watch_reset(void)
{
  watch.step_times = (LacMainLoopCounts){0};
}
